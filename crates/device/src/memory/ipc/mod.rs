//! Memory and events of other processes.
//!
//! A handle names process and descriptor of a memory file, from which an importer opens it: that works within one
//! machine and one user, while the exporter lives, and the system refuses everybody else. Who has mapped a file keeps
//! it, whatever becomes of the exporter; nothing is left when the last process has ended.
//!
//! Device memory is ordinary memory until its first export, which moves the block that it lies in (its own chunks, or
//! the chunk that small allocations share) to a file, at the same addresses. Behind the bytes of a block the file has a
//! word for each granule: the identity of the exported allocation that begins there, 0 once that is freed.

mod event;
mod handle;
pub use event::{SharedEvent, open_event};
pub use handle::Handle;

use crate::base::checking;
use crate::base::devices::{device, ordinal_of};
use crate::base::handle_words;
use crate::base::memory_file::MemoryFile;
use crate::memory::allocation::{Allocation, Extra, MemoryKind};
use crate::memory::ipc::handle::source;
use crate::memory::lookup::{find, space, wait_for_users};
use crate::memory::observer;
use crate::space::{CHUNK, GRANULE, Piece};
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{self, Rights};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

const MAGIC: u64 = u64::from_le_bytes(*b"DOPPELim");
/// The words behind a block: one for each granule of a chunk. Larger allocations use the first.
const WORDS: u64 = (CHUNK / GRANULE * 8) as u64;
const SEALS: i32 = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

/// Where in the file of a block of `span` bytes the identity of the allocation at `offset` is.
fn identity_at(span: usize, offset: usize) -> u64 {
    let word = if span == CHUNK { offset / GRANULE } else { 0 };
    (span + word * 8) as u64
}

/// Moves a block to a new file, at the same addresses, while other threads may be using it.
fn convert(block: Piece) -> Result<MemoryFile> {
    const PAGE: usize = 4096;
    let Piece { base, span } = block;
    let file = MemoryFile::create(span as u64 + WORDS)?;
    file.seal(SEALS)?;
    let moved = guard::freeze(base, span, || {
        // SAFETY: the block is readable, and nobody can write to it.
        let old = unsafe { core::slice::from_raw_parts(base as *const u8, span) };
        // Pages that were never touched stay so.
        let (mut from, mut failed) = (0, false);
        while from < span && !failed {
            let filled = |at: usize| at < span && old[at..at + PAGE].iter().any(|&b| b != 0);
            let mut to = from;
            while filled(to) && to - from < CHUNK {
                to += PAGE;
            }
            failed = to > from && file.write_at(from as u64, &old[from..to]).is_err();
            from = to.max(from + PAGE);
        }
        let put = || {
            // SAFETY: the block is ours; the file has its contents.
            unsafe { file.map(base, 0, span, Rights::ReadWrite) }
        };
        let result = if failed { Err(Error::OUT_OF_MEMORY) } else { put() };
        if result.is_err() {
            // SAFETY: gives back the right that `freeze` took.
            unsafe { mapping::protect(base, span, Rights::ReadWrite) };
        }
        result
    });
    moved.ok_or(Error::OUT_OF_MEMORY)??;
    Ok(file)
}

/// A handle of the device memory that holds `address`: the same for all of an allocation. Memory of other kinds has
/// none.
pub fn export_memory(address: usize) -> Result<Handle> {
    let allocation = find(address)
        .filter(|a| a.kind == MemoryKind::Device)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not memory from cuMemAlloc", address))?;
    refuse_if!(
        Error::INVALID_VALUE,
        allocation.extra.lock().file.is_some(),
        "dptr {:#x} is memory that cannot be exported again",
        address
    );
    refuse_if!(
        Error::INVALID_VALUE,
        allocation.extra.lock().of_graphics,
        "dptr {:#x} is memory of a graphics resource",
        address
    );
    let (block, file) = space()?.lend(allocation.base, |found| Arc::ptr_eq(found, &allocation), convert)?;
    let offset = allocation.base - block.base;
    // Who frees it from here on takes the identity away again; who was faster could not.
    allocation.extra.lock().exported = true;
    file.write_words(identity_at(block.span, offset), &[allocation.id])?;
    if !find(allocation.base).is_some_and(|found| Arc::ptr_eq(&found, &allocation)) {
        retract(&allocation);
        return Err(refuse!(Error::INVALID_VALUE, "dptr {:#x} is being freed by another thread", address));
    }
    let words = [
        source(file.descriptor()?),
        file.inode,
        block.span as u64,
        offset as u64,
        allocation.size as u64,
        allocation.id,
        allocation.device.slot.into(),
    ];
    Ok(handle_words::seal(MAGIC, &words))
}

/// The file of a device allocation, to which its block is moved at the first time, and where the allocation begins there.
pub fn file_of(allocation: &Allocation) -> Result<(Arc<MemoryFile>, u64)> {
    let same = |found: &Arc<Allocation>| std::ptr::eq(&**found, allocation);
    let (block, file) = space()?.lend(allocation.base, same, convert)?;
    // From now on others may write there.
    checking::written(allocation.base, allocation.size);
    Ok((file, (allocation.base - block.base) as u64))
}

/// Makes the handles of an allocation invalid, which is about to be freed.
pub fn retract(allocation: &Allocation) {
    if let Some((block, file)) = space().ok().and_then(|s| s.lent(allocation.base)) {
        let at = identity_at(block.span, allocation.base - block.base);
        // What lies there now may have been exported, too. A file that cannot be written cannot be opened either.
        if file.read_words(at) == Some([allocation.id]) {
            let _ = file.write_words(at, &[0]);
        }
    }
}

/// A block of another process that is mapped here.
struct Block {
    file: MemoryFile,
    base: usize,
    span: usize,
    /// How often each allocation in it was opened and not closed, and its identity at the exporter.
    references: BTreeMap<usize, (u32, u64)>,
}

/// Blocks of other processes, by the inode of their file.
static BLOCKS: Mutex<BTreeMap<u64, Block>> = Mutex::new(BTreeMap::new());

impl Block {
    fn map(file: MemoryFile, span: usize) -> Result<Block> {
        let plain = span != 0 && span.is_multiple_of(CHUNK);
        if !plain || file.length()? != span as u64 + WORDS {
            return Err(refuse!(Error::INVALID_VALUE, "handle is not what cuIpcGetMemHandle wrote"));
        }
        let space = space()?;
        let base = space.reserve_packed(span, CHUNK)?;
        let block = Block { file, base, span, references: BTreeMap::new() };
        // SAFETY: a region that was just taken and that nobody else knows of. On failure it goes with the block.
        unsafe { block.file.map(base, 0, span, Rights::ReadWrite)? };
        Ok(block)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Ok(space) = space() {
            space.release_packed(self.base, self.span);
        }
    }
}

/// Maps memory of another process, for a context. What is open already keeps its address, and has to be closed once
/// more; it can be open in one context only.
pub fn open_memory(context: &Context, handle: &Handle) -> Result<usize> {
    let words = handle_words::open(MAGIC, handle)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "handle is not what cuIpcGetMemHandle wrote"))?;
    let [source, inode, span, offset, size, id, slot] = words;
    let (process, descriptor) = ((source >> 32) as u32, source as u32 as i32);
    if process == std::process::id() {
        return Err(refuse!(Error::INVALID_CONTEXT, "handle is of memory of this process"));
    }
    let number =
        |n: u64| usize::try_from(n).map_err(|_| refuse!(Error::INVALID_VALUE, "handle has {}, which is too large", n));
    let (span, offset, size) = (number(span)?, number(offset)?, number(size)?);
    let fits = offset.checked_add(size).is_some_and(|end| end <= span);
    refuse_if!(
        Error::INVALID_VALUE,
        !fits || size == 0 || id == 0 || !offset.is_multiple_of(GRANULE),
        "handle is not what cuIpcGetMemHandle wrote"
    );
    let owner = device(ordinal_of(slot))
        .map_err(|_| refuse!(Error::INVALID_DEVICE, "handle is of a device {} that this process does not see", slot))?
        .clone();
    let mut blocks = BLOCKS.lock();
    let blocks = &mut *blocks;
    if let std::collections::btree_map::Entry::Vacant(place) = blocks.entry(inode) {
        let file = MemoryFile::open_from(process, descriptor, inode, SEALS)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "handle: process {} has no such memory any more", process))?;
        place.insert(Block::map(file, span)?);
    }
    let outcome = blocks.get_mut(&inode).ok_or(Error::INVALID_VALUE).and_then(|block| {
        if block.span != span {
            return Err(refuse!(Error::INVALID_VALUE, "handle is not what cuIpcGetMemHandle wrote"));
        }
        let base = block.base + offset;
        let known = block.references.get(&base).map(|&(_, known)| known);
        let space = space()?;
        match space.find_overlapping(base, size) {
            // What is open can be opened again, whatever the exporter did meanwhile.
            Some(open) if known != Some(id) || open.base != base || open.size != size => {
                return Err(refuse!(Error::INVALID_VALUE, "handle is of memory that was freed"));
            }
            Some(open) if open.context != context.id => {
                return Err(refuse!(Error::INVALID_HANDLE, "handle is of memory that is open in another context"));
            }
            Some(_) => {}
            None if block.file.read_words(identity_at(block.span, offset)) != Some([id]) => {
                return Err(refuse!(Error::INVALID_VALUE, "handle is of memory that was freed"));
            }
            None => {
                let span = size.next_multiple_of(GRANULE);
                let allocation = Allocation::builder(&owner, Piece { base, span }, size, MemoryKind::Imported)
                    .of(context)
                    .build_with(|| Extra { block: Some((block.base, block.span)), ..Extra::default() });
                space.enter_packed(base, size, allocation)?;
            }
        }
        block.references.entry(base).or_insert((0, id)).0 += 1;
        Ok(base)
    });
    if blocks.get(&inode).is_some_and(|b| b.references.is_empty()) {
        blocks.remove(&inode);
    }
    outcome
}

/// Closes memory of another process once, after the work of the context that opened it.
pub fn close_memory(base: usize) -> Result<()> {
    let found = find(base).filter(|a| a.base == base && a.kind == MemoryKind::Imported);
    let allocation = found
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not an address from cuIpcOpenMemHandle", base))?;
    wait_for_users(&allocation);
    release(base, false)
}

/// Closes memory of another process for good.
pub fn forget(allocation: &Allocation) -> Result<()> {
    release(allocation.base, true)
}

fn release(base: usize, all: bool) -> Result<()> {
    let mut blocks = BLOCKS.lock();
    let held = |b: &Block| b.references.contains_key(&base);
    let (&inode, block) = blocks
        .iter_mut()
        .find(|(_, b)| held(b))
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not open", base))?;
    let references =
        block.references.get_mut(&base).ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not open", base))?;
    references.0 -= 1;
    if references.0 == 0 || all {
        block.references.remove(&base);
        if let Some(allocation) = find(base) {
            observer::freed(&allocation, &Vec::new);
        }
        space()?.remove(base).ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not open", base))?;
    }
    if block.references.is_empty() {
        blocks.remove(&inode);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory;
    use crate::stream::context;
    use crate::testing::{context, context_on};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The handle as another process would have got it: this one is refused.
    fn foreign(handle: &Handle) -> Handle {
        let mut words = handle_words::open(MAGIC, handle).unwrap();
        // The process that runs the tests' parent cannot lend its descriptors; a thread's number is another name of us.
        // SAFETY: a plain query.
        let thread = unsafe { libc::gettid() } as u64;
        words[0] = thread << 32 | (words[0] & 0xffff_ffff);
        handle_words::seal(MAGIC, &words)
    }

    #[test]
    fn exported_memory_stays_where_it_is_and_is_the_same_elsewhere() {
        let context = context();
        for size in [1000, 5 << 20] {
            let a = memory::alloc(&context, size).unwrap().base;
            guard::write(a + size - 3, guard::bytes(b"abc")).unwrap();
            let stop = AtomicBool::new(false);
            let handle = std::thread::scope(|scope| {
                let stop = &stop;
                let writer = scope.spawn(move || {
                    let mut n = 0u64;
                    // Once at least: the thread may start after the export.
                    loop {
                        n += 1;
                        guard::write(a + 8, guard::bytes(&n.to_ne_bytes())).unwrap();
                        if stop.load(Ordering::Relaxed) {
                            return n;
                        }
                    }
                });
                let handle = export_memory(a + 100).unwrap();
                stop.store(true, Ordering::Relaxed);
                let last = writer.join().unwrap();
                assert_eq!(guard::read_vec(a + 8, 8).unwrap(), last.to_ne_bytes());
                handle
            });
            assert_eq!(export_memory(a).unwrap(), handle);
            assert_eq!(guard::read_vec(a + size - 3, 3).unwrap(), b"abc");
            assert_eq!(open_memory(&context, &handle), Err(Error::INVALID_CONTEXT));
            let handle = foreign(&handle);
            let b = open_memory(&context, &handle).unwrap();
            assert_eq!(open_memory(&context, &handle), Ok(b));
            assert_eq!(guard::read_vec(b + size - 3, 3).unwrap(), b"abc");
            assert_eq!(find(b + size - 1).unwrap().size, size);
            assert!(find(b + size).is_none());
            guard::write(b, guard::bytes(b"back")).unwrap();
            assert_eq!(guard::read_vec(a, 4).unwrap(), b"back");
            assert_eq!(memory::free(b), Err(Error::INVALID_VALUE));
            assert_eq!(export_memory(b), Err(Error::INVALID_VALUE));
            assert_eq!(close_memory(b + 1), Err(Error::INVALID_VALUE));
            close_memory(b).unwrap();
            assert!(find(b).is_some());
            memory::free(a).unwrap();
            assert_eq!(guard::read_vec(b, 4).unwrap(), b"back", "who has it open keeps it");
            assert_eq!(open_memory(&context, &handle), Ok(b), "and can open it again");
            close_memory(b).unwrap();
            close_memory(b).unwrap();
            assert_eq!(open_memory(&context, &handle), Err(Error::INVALID_VALUE), "freed");
            assert_eq!(close_memory(b), Err(Error::INVALID_VALUE));
            let again = memory::alloc(&context, size).unwrap().base;
            guard::write(again, guard::bytes(b"new")).unwrap();
            memory::free(again).unwrap();
        }
        context.destroy();
    }

    #[test]
    fn invented_handles_open_nothing() {
        let context = context();
        let a = memory::alloc(&context, 1000).unwrap().base;
        let good = foreign(&export_memory(a).unwrap());
        for bit in 0..512 {
            let mut wrong = good;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open_memory(&context, &wrong), Err(Error::INVALID_VALUE), "bit {bit}");
        }
        // Nor do those that somebody made on purpose.
        let words = handle_words::open(MAGIC, &good).unwrap();
        for at in 0..7 {
            for bad in [0, u64::MAX, words[at] ^ 1, words[at] << 20 | 7] {
                let mut wrong = words;
                if wrong[at] != bad && !(at == 6 && bad < 2) && !(at == 4 && bad < 2000) {
                    wrong[at] = bad;
                    let wrong = handle_words::seal(MAGIC, &wrong);
                    assert!(open_memory(&context, &wrong).is_err(), "word {at} = {bad:#x}");
                }
            }
        }
        let open = open_memory(&context, &good).unwrap();
        let other = context_on(0);
        assert_eq!(open_memory(&other, &good), Err(Error::INVALID_HANDLE));
        assert_eq!(close_memory(open), Ok(()));
        // Opened in a context of another device, it is that context's to use, and not everybody's of that device.
        let [away, third] = [1, 1].map(context_on);
        assert_eq!(open_memory(&away, &good), Ok(open));
        let allocation = find(open).unwrap();
        assert_eq!(allocation.device.ordinal, 0);
        for (user, may) in [(&away, true), (&third, false), (&other, true)] {
            context::push(user.clone());
            assert_eq!(allocation.is_open(), may);
            context::pop();
        }
        assert_eq!(close_memory(open), Ok(()));
        away.destroy();
        third.destroy();
        assert_eq!(open_memory(&context, &good), Ok(open));
        other.destroy();
        context.destroy();
        assert!(find(open).is_none(), "goes with its context");
    }
}
