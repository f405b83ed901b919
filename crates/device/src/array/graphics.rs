//! Graphics resources: buffers and images of a graphics library, which kernels use while they are mapped.
//!
//! A resource has memory of its own on the device. Mapping it copies the contents in, unmapping it copies them back. How that
//! is done is its [`Owner`]'s business.

use crate::array::arrays::{Array, MipmappedArray};
use crate::array::shape::ArrayShape;
use crate::array::store::ArrayMemory;
use crate::base::handle::{HandleKind, Table};
use crate::memory::{Allocation, alloc, remove, wait_for_users};
use crate::stream::context::Context;
use crate::stream::{Stream, capture};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The graphics library's side of a resource. It is asked by the thread that made the call.
pub trait Owner: Send + Sync {
    /// How the contents can be exchanged now; an error: the calling thread cannot get at them.
    fn check(&self) -> Result<Reach>;
    /// Copies the contents out: of a buffer, or of a mip level that the library has. All that it was given before is complete then.
    fn read(&self, level: u32, to: &mut [u8]) -> Result<()>;
    /// Replaces the contents, before all that the library is given from here on.
    fn write(&self, level: u32, from: &[u8]) -> Result<()>;
}

/// How contents can be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// By copies.
    Shared,
    /// Not now: the library lets nobody else use them for a while.
    Apart,
    /// Not any more: what is the library's no longer, or has other storage there, goes on here with memory of its own.
    Gone,
}

/// What is shared.
pub enum Contents {
    /// So many bytes.
    Bytes(usize),
    /// An image with mip levels.
    Image(ArrayShape, u32),
}

/// `CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY`, and `CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY`: kernels do not write.
pub const READ_ONLY: u32 = 1;
/// `CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD` and `CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD`: they write everything.
pub const WRITE_DISCARD: u32 = 2;

/// Sizes of memory for buffers are multiples of this.
const STEP: usize = 512;

/// Nobody uses it.
const FREE: u8 = 0;
/// A thread is mapping or unmapping it.
const BUSY: u8 = 1;
/// Kernels use it.
const MAPPED: u8 = 2;
/// It is not shared any more, but another thread had found it before.
const GONE: u8 = 3;

enum Memory {
    /// Memory, and how many bytes of it are shared.
    Linear(Arc<Allocation>, usize),
    Image {
        whole: Arc<MipmappedArray>,
        /// Layers that were asked for, by level and number.
        layers: Mutex<BTreeMap<(u32, u32), Arc<Array>>>,
    },
}

/// A resource.
pub struct Resource {
    /// The handle that the program has.
    pub handle: usize,
    /// Where it was made.
    context: Weak<Context>,
    context_id: u64,
    state: AtomicU8,
    /// As it was registered.
    registered: u32,
    /// How the next mapping will be used.
    next: AtomicU32,
    memory: Memory,
    owner: Box<dyn Owner>,
    /// The buffer's name, for one that was shared without a handle.
    name: Option<u32>,
    /// It is not found by its name any more.
    nameless: AtomicBool,
    /// The memory of one that was mapped while its contents could not be had. What kernels change alone goes to the library.
    apart: Mutex<Option<Vec<u8>>>,
}

static RESOURCES: Table<Resource> = Table::new(HandleKind::Graphics);

/// Registers what a library owns. `flags`: [`READ_ONLY`] or [`WRITE_DISCARD`].
pub fn register(
    context: &Arc<Context>,
    contents: Contents,
    flags: u32,
    owner: Box<dyn Owner>,
) -> Result<Arc<Resource>> {
    enter(context, contents, flags, owner, None)
}

/// The same for a buffer that is known by its name.
pub fn register_named(context: &Arc<Context>, bytes: usize, name: u32, owner: Box<dyn Owner>) -> Result<Arc<Resource>> {
    enter(context, Contents::Bytes(bytes), 0, owner, Some(name))
}

fn enter(
    context: &Arc<Context>,
    contents: Contents,
    flags: u32,
    owner: Box<dyn Owner>,
    name: Option<u32>,
) -> Result<Arc<Resource>> {
    let memory = match contents {
        Contents::Bytes(0) => return Err(refuse!(Error::OUT_OF_MEMORY, "the buffer has no storage")),
        Contents::Bytes(bytes) => {
            let allocation = alloc(context, bytes.checked_next_multiple_of(STEP).unwrap_or(bytes))?;
            allocation.extra.lock().of_graphics = true;
            Memory::Linear(allocation, bytes)
        }
        Contents::Image(shape, levels) => {
            Memory::Image { whole: MipmappedArray::create_shared(context, shape, levels)?, layers: Mutex::default() }
        }
    };
    let make = |handle| {
        Arc::new(Resource {
            handle,
            context: Arc::downgrade(context),
            context_id: context.id,
            state: AtomicU8::new(FREE),
            registered: flags,
            next: AtomicU32::new(0),
            memory,
            owner,
            name,
            nameless: AtomicBool::new(false),
            apart: Mutex::default(),
        })
    };
    let made = RESOURCES.insert_with(make);
    context.owns(made.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many graphics resources"))?)
}

/// The live resource behind a handle.
pub fn find(handle: usize) -> Result<Arc<Resource>> {
    RESOURCES.find(handle)
}

/// The buffer that was registered by its name in a context.
pub fn named(context: &Context, name: u32) -> Result<Arc<Resource>> {
    let all = RESOURCES.all();
    let is_it =
        |r: &Arc<Resource>| r.name == Some(name) && r.context_id == context.id && !r.nameless.load(Ordering::Relaxed);
    let found = all.into_iter().find(is_it);
    found.ok_or_else(|| refuse!(Error::INVALID_VALUE, "buffer {} is not shared", name))
}

/// Takes resources that are in one state to another, all or none of them.
struct Claim<'a> {
    resources: &'a [Arc<Resource>],
    back: u8,
}

impl<'a> Claim<'a> {
    fn new(resources: &'a [Arc<Resource>], from: u8) -> Result<Claim<'a>> {
        for (at, resource) in resources.iter().enumerate() {
            // Dropping the claim on those before gives them back.
            let before = Claim { resources: &resources[..at], back: from };
            let claimed = resource.state.compare_exchange(from, BUSY, Ordering::AcqRel, Ordering::Acquire);
            claimed.map_err(|found| match (found, from) {
                (GONE, _) => refuse!(Error::INVALID_HANDLE, "resource {:#x} is not shared any more", resource.handle),
                (_, FREE) => refuse!(Error::ALREADY_MAPPED, "resource {:#x} is mapped already", resource.handle),
                _ => refuse!(Error::NOT_MAPPED, "resource {:#x} is not mapped", resource.handle),
            })?;
            core::mem::forget(before);
        }
        Ok(Claim { resources, back: from })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.resources.iter().for_each(|resource| resource.state.store(self.back, Ordering::Release));
    }
}

/// Maps resources: from here on kernels see what the library was told to put there.
pub fn map(resources: &[Arc<Resource>], stream: &Arc<Stream>) -> Result<()> {
    check(resources, stream)?;
    let mut claim = Claim::new(resources, FREE)?;
    let reach: Vec<Reach> = resources.iter().map(|resource| resource.owner.check()).collect::<Result<_>>()?;
    resources.iter().zip(reach).try_for_each(|(resource, reach)| match reach {
        Reach::Shared => resource.fetch(),
        Reach::Apart => resource.go_without(),
        Reach::Gone => Ok(()),
    })?;
    claim.back = MAPPED;
    Ok(())
}

/// Unmaps resources, once the stream has come this far: from here on the library sees what kernels have put there.
pub fn unmap(resources: &[Arc<Resource>], stream: &Arc<Stream>) -> Result<()> {
    check(resources, stream)?;
    let mut claim = Claim::new(resources, MAPPED)?;
    // Where they cannot be got at, they stay mapped.
    let check = |resource: &Arc<Resource>| match resource.is_written() {
        true => resource.owner.check(),
        false => Ok(Reach::Gone),
    };
    let reach: Vec<Reach> = resources.iter().map(check).collect::<Result<_>>()?;
    let in_use = reach.contains(&Reach::Apart);
    refuse_if!(Error::UNKNOWN, in_use, "what was written cannot be given back: the graphics library uses the resource");
    claim.back = FREE;
    stream.synchronize()?;
    resources.iter().zip(reach).try_for_each(|(resource, reach)| {
        let given = if reach == Reach::Shared { resource.give_back() } else { Ok(()) };
        *resource.apart.lock() = None;
        given
    })
}

fn check(resources: &[Arc<Resource>], stream: &Arc<Stream>) -> Result<()> {
    stream.check_uncaptured()?;
    for resource in resources {
        refuse_if!(
            Error::INVALID_HANDLE,
            !resource.context.upgrade().is_some_and(|context| Arc::ptr_eq(&context.group, &stream.group)),
            "resource {:#x} was registered in another context than hStream's",
            resource.handle
        );
    }
    Ok(())
}

impl Resource {
    fn flags(&self) -> u32 {
        self.registered | self.next.load(Ordering::Relaxed)
    }

    fn is_written(&self) -> bool {
        self.flags() & READ_ONLY == 0
    }

    /// The pieces of its memory: number of the level, address, bytes.
    fn pieces(&self) -> Vec<(u32, usize, usize)> {
        match &self.memory {
            Memory::Linear(allocation, bytes) => vec![(0, allocation.base, *bytes)],
            Memory::Image { whole, .. } => {
                let ArrayMemory::Linear(base, _) = whole.store.memory() else { return Vec::new() };
                let piece = |(level, array): (u32, &Arc<Array>)| (level, base + array.offset, array.shape.bytes());
                (0..).zip(&whole.levels).map(piece).collect()
            }
        }
    }

    fn fetch(&self) -> Result<()> {
        if self.flags() & WRITE_DISCARD != 0 {
            return Ok(());
        }
        for (level, address, bytes) in self.pieces() {
            let mut contents = room(bytes)?;
            self.owner.read(level, &mut contents)?;
            guard::write(address, guard::bytes(&contents))?;
        }
        Ok(())
    }

    /// Maps a buffer whose contents cannot be had: kernels find what the last mapping left.
    fn go_without(&self) -> Result<()> {
        if self.flags() & WRITE_DISCARD != 0 {
            return Ok(());
        }
        for (_, address, bytes) in self.pieces() {
            *self.apart.lock() = Some(guard::read_vec(address, bytes)?);
        }
        Ok(())
    }

    fn give_back(&self) -> Result<()> {
        if !self.is_written() {
            return Ok(());
        }
        let apart = self.apart.lock().clone();
        for (level, address, bytes) in self.pieces() {
            let mut own = guard::read_vec(address, bytes)?;
            if let Some(before) = &apart {
                let mut theirs = room(bytes)?;
                self.owner.read(level, &mut theirs)?;
                let unchanged = |(own, before): &(&mut u8, &u8)| **own == **before;
                let all = own.iter_mut().zip(before).zip(&theirs);
                all.filter(|(pair, _)| unchanged(pair)).for_each(|((own, _), theirs)| *own = *theirs);
            }
            self.owner.write(level, &own)?;
        }
        Ok(())
    }

    fn check_mapped(&self) -> Result<()> {
        refuse_if!(
            Error::NOT_MAPPED,
            self.state.load(Ordering::Acquire) != MAPPED,
            "resource {:#x} is not mapped",
            self.handle
        );
        Ok(())
    }

    /// True while kernels use it.
    pub fn is_mapped(&self) -> bool {
        self.state.load(Ordering::Acquire) != FREE
    }

    /// Address and size of a mapped buffer.
    pub fn pointer(&self) -> Result<(usize, usize)> {
        self.check_mapped()?;
        let Memory::Linear(allocation, bytes) = &self.memory else {
            return Err(refuse!(Error::NOT_MAPPED_AS_POINTER, "resource {:#x} is an image", self.handle));
        };
        Ok((allocation.base, *bytes))
    }

    /// All levels of a mapped image.
    pub fn mipmapped(&self) -> Result<&Arc<MipmappedArray>> {
        self.check_mapped()?;
        let Memory::Image { whole, .. } = &self.memory else {
            return Err(refuse!(Error::NOT_MAPPED_AS_ARRAY, "resource {:#x} is a buffer", self.handle));
        };
        Ok(whole)
    }

    /// A level of a mapped image, or one of its layers or faces.
    pub fn array(&self, index: u32, level: u32) -> Result<Arc<Array>> {
        let whole = self.mipmapped()?;
        let Memory::Image { layers, .. } = &self.memory else { return Err(Error::NOT_MAPPED_AS_ARRAY) };
        let array = whole.levels.get(level as usize).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "mipLevel {} is not less than the levels, {}", level, whole.levels.len())
        })?;
        let most = if whole.shape.is_layered() { whole.shape.slices() } else { 1 };
        refuse_if!(
            Error::INVALID_VALUE,
            index as usize >= most,
            "arrayIndex {} is not less than the layers, {}",
            index,
            most
        );
        if !whole.shape.is_layered() {
            return Ok(array.clone());
        }
        let mut layers = layers.lock();
        if let Some(layer) = layers.get(&(level, index)) {
            return Ok(layer.clone());
        }
        let context = self.context.upgrade().ok_or(Error::CONTEXT_IS_DESTROYED)?;
        let layer = array.layer(&context, index as usize)?;
        layers.insert((level, index), layer.clone());
        Ok(layer)
    }

    /// Says how the next mapping will be used. `flags`: 0, [`READ_ONLY`] or [`WRITE_DISCARD`].
    pub fn set_flags(&self, flags: u32) -> Result<()> {
        refuse_if!(Error::INVALID_VALUE, flags > WRITE_DISCARD, "flags {:#x} are not those of a mapping", flags);
        refuse_if!(Error::ALREADY_MAPPED, self.is_mapped(), "resource {:#x} is mapped", self.handle);
        self.next.store(flags, Ordering::Relaxed);
        Ok(())
    }

    /// Ends the sharing of a buffer that was shared by its name. One that is mapped stays, but is not known by the name any more.
    pub fn unregister_named(&self) -> Result<()> {
        self.unregister().inspect_err(|error| {
            if *error == Error::ALREADY_MAPPED {
                self.nameless.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Shows the library what kernels have put into a mapped one so far, as far as that is possible.
    fn show(&self) {
        let claimed = self.state.compare_exchange(MAPPED, BUSY, Ordering::AcqRel, Ordering::Acquire);
        if claimed.is_err() {
            return;
        }
        if let Some(context) = self.context.upgrade() {
            context.group.wait_idle();
        }
        if self.is_written() && self.owner.check() == Ok(Reach::Shared) {
            let _ = self.give_back();
        }
        self.state.store(MAPPED, Ordering::Release);
    }

    /// Ends the sharing of one that is not mapped. One that is mapped may stay so for good, and the library sees what is in it.
    pub fn unregister(&self) -> Result<()> {
        capture::check_call()?;
        self.withdraw().inspect_err(|error| {
            if *error == Error::ALREADY_MAPPED {
                self.show();
            }
        })?;
        RESOURCES.remove(self.handle).ok_or_else(|| RESOURCES.stale(Error::INVALID_HANDLE, self.handle))?;
        if let Some(context) = self.context.upgrade() {
            context.group.wait_idle();
        }
        self.free();
        Ok(())
    }

    /// Takes it from all threads. Those that are just mapping or unmapping it have to be done with that.
    fn withdraw(&self) -> Result<()> {
        loop {
            match self.state.compare_exchange(FREE, GONE, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(()),
                Err(MAPPED) => return Err(refuse!(Error::ALREADY_MAPPED, "resource {:#x} is mapped", self.handle)),
                Err(GONE) => {
                    return Err(refuse!(Error::INVALID_HANDLE, "resource {:#x} is not shared any more", self.handle));
                }
                Err(_) => std::thread::sleep(Duration::from_micros(50)),
            }
        }
    }

    fn free(&self) {
        match &self.memory {
            Memory::Linear(allocation, _) => {
                wait_for_users(allocation);
                // The context's end may have freed it.
                let _ = remove(allocation);
            }
            Memory::Image { whole, layers } => {
                layers.lock().values().for_each(|layer| layer.withdraw());
                whole.withdraw();
            }
        }
    }
}

/// Zeros for contents on their way; too many of them are an error, not the end of the process.
fn room(bytes: usize) -> Result<Vec<u8>> {
    let mut room = Vec::new();
    room.try_reserve_exact(bytes)
        .map_err(|_| refuse!(Error::OUT_OF_MEMORY, "the host has no room for the resource's {} bytes", bytes))?;
    room.resize(bytes, 0);
    Ok(room)
}

/// Ends every resource that was made in a context; its memory ends with the context's.
pub fn free_all_of(context: &Context) {
    for resource in RESOURCES.all().into_iter().filter(|r| r.context_id == context.id) {
        RESOURCES.orphan(resource.handle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ARRAYS;
    use crate::array::shape::{CUBEMAP, LAYERED};
    use crate::testing::context;

    /// A library with one object: what it holds, and whether it can be got at.
    #[derive(Clone, Default)]
    struct Library(Arc<Mutex<(Vec<Vec<u8>>, bool)>>);

    impl Library {
        fn with(levels: Vec<Vec<u8>>) -> Library {
            Library(Arc::new(Mutex::new((levels, true))))
        }

        fn owner(&self) -> Box<dyn Owner> {
            Box::new(self.clone())
        }
    }

    impl Owner for Library {
        fn check(&self) -> Result<Reach> {
            if self.0.lock().1 { Ok(Reach::Shared) } else { Err(Error::INVALID_GRAPHICS_CONTEXT) }
        }

        fn read(&self, level: u32, to: &mut [u8]) -> Result<()> {
            to.copy_from_slice(&self.0.lock().0[level as usize]);
            Ok(())
        }

        fn write(&self, level: u32, from: &[u8]) -> Result<()> {
            self.0.lock().0[level as usize].copy_from_slice(from);
            Ok(())
        }
    }

    fn byte(address: usize) -> u8 {
        guard::read_vec(address, 1).unwrap()[0]
    }

    #[test]
    fn a_buffer_goes_there_and_back() {
        let context = context();
        let stream = context.legacy_stream().clone();
        let library = Library::with(vec![vec![7; 100]]);
        let resource = register(&context, Contents::Bytes(100), 0, library.owner()).unwrap();
        let list = [resource.clone()];
        assert_eq!(resource.pointer(), Err(Error::NOT_MAPPED));
        assert_eq!(unmap(&list, &stream), Err(Error::NOT_MAPPED));
        map(&list, &stream).unwrap();
        assert_eq!(map(&list, &stream), Err(Error::ALREADY_MAPPED));
        assert_eq!(resource.set_flags(0), Err(Error::ALREADY_MAPPED));
        assert_eq!(resource.set_flags(3), Err(Error::INVALID_VALUE));
        assert_eq!(resource.mipmapped().err(), Some(Error::NOT_MAPPED_AS_ARRAY));
        let (base, size) = resource.pointer().unwrap();
        assert_eq!((size, byte(base), byte(base + 99)), (100, 7, 7));
        assert_eq!(crate::memory::free(base), Err(Error::INVALID_VALUE));
        guard::write(base, guard::bytes(&[9; 50])).unwrap();
        unmap(&list, &stream).unwrap();
        assert_eq!(library.0.lock().0[0][49..51], [9, 7]);
        // Read only: what is written stays here. Write discard: what is there is not read.
        resource.set_flags(READ_ONLY).unwrap();
        map(&list, &stream).unwrap();
        guard::write(base, guard::bytes(&[1; 100])).unwrap();
        unmap(&list, &stream).unwrap();
        assert_eq!(library.0.lock().0[0][49..51], [9, 7]);
        resource.set_flags(WRITE_DISCARD).unwrap();
        map(&list, &stream).unwrap();
        assert_eq!(byte(base), 1);
        unmap(&list, &stream).unwrap();
        assert_eq!(library.0.lock().0[0], [1; 100]);
        assert_eq!(resource.set_flags(3), Err(Error::INVALID_VALUE));
        resource.unregister().unwrap();
        assert_eq!(resource.unregister(), Err(Error::INVALID_HANDLE));
        assert!(crate::memory::find(base).is_none());
        context.destroy();
    }

    #[test]
    fn all_of_a_list_are_mapped_or_none() {
        let context = context();
        let stream = context.legacy_stream().clone();
        let (one, two) = (Library::with(vec![vec![1; 8]]), Library::with(vec![vec![2; 8]]));
        let a = register(&context, Contents::Bytes(8), 0, one.owner()).unwrap();
        let b = register(&context, Contents::Bytes(8), 0, two.owner()).unwrap();
        let both = [a.clone(), b.clone()];
        assert_eq!(map(&[a.clone(), a.clone()], &stream), Err(Error::ALREADY_MAPPED));
        assert_eq!(unmap(std::slice::from_ref(&a), &stream), Err(Error::NOT_MAPPED));
        map(std::slice::from_ref(&b), &stream).unwrap();
        assert_eq!(map(&both, &stream), Err(Error::ALREADY_MAPPED));
        assert!(!a.is_mapped() && b.is_mapped());
        assert_eq!(unmap(&both, &stream), Err(Error::NOT_MAPPED));
        assert!(!a.is_mapped() && b.is_mapped());
        // Where the library cannot be got at, all stays as it is.
        two.0.lock().1 = false;
        assert_eq!(unmap(std::slice::from_ref(&b), &stream), Err(Error::INVALID_GRAPHICS_CONTEXT));
        assert!(b.is_mapped());
        let (base, _) = b.pointer().unwrap();
        guard::write(base, guard::bytes(&[5; 8])).unwrap();
        two.0.lock().1 = true;
        assert_eq!(b.unregister(), Err(Error::ALREADY_MAPPED));
        unmap(std::slice::from_ref(&b), &stream).unwrap();
        b.unregister().unwrap();
        assert_eq!(two.0.lock().0[0], [5; 8]);
        one.0.lock().1 = false;
        assert_eq!(map(std::slice::from_ref(&a), &stream), Err(Error::INVALID_GRAPHICS_CONTEXT));
        a.unregister().unwrap();
        context.destroy();
    }

    #[test]
    fn layers_and_levels_are_arrays_in_the_same_memory() {
        let context = context();
        let stream = context.legacy_stream().clone();
        let shape = ArrayShape { width: 4, height: 4, depth: 6, format: 1, channels: 1, flags: CUBEMAP };
        let library = Library::with(vec![(0..96).collect(), (100..124).collect(), (200..206).collect()]);
        let resource = register(&context, Contents::Image(shape, 3), 0, library.owner()).unwrap();
        assert_eq!(resource.array(0, 0).err(), Some(Error::NOT_MAPPED));
        map(std::slice::from_ref(&resource), &stream).unwrap();
        assert_eq!(resource.pointer(), Err(Error::NOT_MAPPED_AS_POINTER));
        assert_eq!(resource.array(6, 0).err(), Some(Error::INVALID_VALUE));
        assert_eq!(resource.array(0, 3).err(), Some(Error::INVALID_VALUE));
        let face = resource.array(5, 1).unwrap();
        assert_eq!((face.shape.width, face.shape.depth, face.shape.flags & (LAYERED | CUBEMAP)), (2, 0, 0));
        let ArrayMemory::Linear(base, _) = face.store.memory() else { panic!("the memory is elsewhere") };
        assert_eq!(guard::read_vec(base + face.offset, 4).unwrap(), [120, 121, 122, 123]);
        assert!(Arc::ptr_eq(&face, &resource.array(5, 1).unwrap()));
        Array::destroy(face.handle).unwrap();
        let whole = resource.mipmapped().unwrap().clone();
        MipmappedArray::destroy(whole.handle).unwrap();
        Array::destroy(whole.levels[2].handle).unwrap();
        assert!(ARRAYS.get(face.handle).is_some());
        guard::write(base + face.offset, guard::bytes(&[1; 4])).unwrap();
        unmap(std::slice::from_ref(&resource), &stream).unwrap();
        assert_eq!(library.0.lock().0[1][19..], [119, 1, 1, 1, 1]);
        resource.unregister().unwrap();
        assert!(ARRAYS.get(face.handle).is_none() && ARRAYS.get(whole.levels[0].handle).is_none());
        context.destroy();
    }

    /// A library whose contents take their time.
    struct Slow(Arc<(Mutex<bool>, parking_lot::Condvar)>);

    impl Owner for Slow {
        fn check(&self) -> Result<Reach> {
            Ok(Reach::Shared)
        }

        fn read(&self, _: u32, to: &mut [u8]) -> Result<()> {
            let (begun, told) = &*self.0;
            *begun.lock() = true;
            told.notify_all();
            std::thread::sleep(Duration::from_millis(20));
            to.fill(1);
            Ok(())
        }

        fn write(&self, _: u32, _: &[u8]) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_thread_is_mapping_is_not_unregistered_under_it() {
        let context = context();
        let begun: Arc<(Mutex<bool>, parking_lot::Condvar)> = Arc::default();
        let resource = register(&context, Contents::Bytes(100), 0, Box::new(Slow(begun.clone()))).unwrap();
        let (base, list) = (resource.pieces()[0].1, [resource.clone()]);
        let stream = context.legacy_stream().clone();
        let mapper = std::thread::spawn(move || (map(&list, &stream), list));
        let mut waits = begun.0.lock();
        while !*waits {
            begun.1.wait(&mut waits);
        }
        drop(waits);
        assert_eq!(resource.unregister(), Err(Error::ALREADY_MAPPED));
        let (mapped, list) = mapper.join().unwrap();
        assert_eq!((mapped, byte(base)), (Ok(()), 1));
        unmap(&list, context.legacy_stream()).unwrap();
        resource.unregister().unwrap();
        // Who has found it before does not get it any more.
        assert_eq!(map(&list, context.legacy_stream()), Err(Error::INVALID_HANDLE));
        assert!(crate::memory::find(base).is_none());
        context.destroy();
    }

    /// A library that lets nobody use its object for a while.
    struct InUse(Library, Arc<AtomicBool>);

    impl Owner for InUse {
        fn check(&self) -> Result<Reach> {
            Ok(if self.1.load(Ordering::Relaxed) { Reach::Apart } else { Reach::Shared })
        }

        fn read(&self, level: u32, to: &mut [u8]) -> Result<()> {
            self.0.read(level, to)
        }

        fn write(&self, level: u32, from: &[u8]) -> Result<()> {
            self.0.write(level, from)
        }
    }

    #[test]
    fn what_could_not_be_fetched_is_not_overwritten() {
        let context = context();
        let (library, in_use) = (Library::with(vec![vec![7; 3]]), Arc::new(AtomicBool::new(true)));
        let owner = Box::new(InUse(library.clone(), in_use.clone()));
        let list = [register(&context, Contents::Bytes(3), 0, owner).unwrap()];
        let (base, stream) = (list[0].pieces()[0].1, context.legacy_stream());
        map(&list, stream).unwrap();
        guard::write(base + 1, guard::bytes(&[9u8])).unwrap();
        assert_eq!(unmap(&list, stream), Err(Error::UNKNOWN));
        in_use.store(false, Ordering::Relaxed);
        unmap(&list, stream).unwrap();
        assert_eq!(library.0.lock().0[0], [7, 9, 7]);
        // The next time all of it is shared.
        map(&list, stream).unwrap();
        assert_eq!([byte(base), byte(base + 1)], [7, 9]);
        guard::write(base, guard::bytes(&[1u8, 2, 3])).unwrap();
        // What stays mapped shows what was written.
        assert_eq!(list[0].unregister(), Err(Error::ALREADY_MAPPED));
        assert_eq!(library.0.lock().0[0], [1, 2, 3]);
        unmap(&list, stream).unwrap();
        list[0].unregister().unwrap();
        context.destroy();
    }

    #[test]
    fn a_mapped_buffer_loses_its_name_when_it_is_unregistered() {
        let context = context();
        let list = [register_named(&context, 3, 1 << 20, Library::with(vec![vec![7; 3]]).owner()).unwrap()];
        map(&list, context.legacy_stream()).unwrap();
        assert_eq!(list[0].unregister_named(), Err(Error::ALREADY_MAPPED));
        assert_eq!(named(&context, 1 << 20).err(), Some(Error::INVALID_VALUE));
        context.destroy();
    }

    #[test]
    fn resources_end_with_their_context() {
        let context = context();
        let library = Library::with(vec![vec![7; 100]]);
        let resource = register(&context, Contents::Bytes(100), 0, library.owner()).unwrap();
        let named_one = register_named(&context, 100, 3, library.owner()).unwrap();
        assert!(Arc::ptr_eq(&named(&context, 3).unwrap(), &named_one));
        assert_eq!(named(&context, 4).err(), Some(Error::INVALID_VALUE));
        map(std::slice::from_ref(&resource), context.legacy_stream()).unwrap();
        context.destroy();
        assert_eq!(find(resource.handle).err(), Some(Error::CONTEXT_IS_DESTROYED));
        assert_eq!(register(&context, Contents::Bytes(8), 0, library.owner()).err(), Some(Error::CONTEXT_IS_DESTROYED));
    }
}
