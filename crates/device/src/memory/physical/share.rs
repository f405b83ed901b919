//! Physical memory that leaves the process, as a file descriptor or as a fabric handle.
//!
//! Such memory has a memory file of its own, whose length can never change. Behind the bytes lies a page that tells
//! what the memory is made like, so that another process needs nothing but the descriptor. Whatever a descriptor of
//! unknown origin says is checked before it is believed.
//!
//! Multicast objects leave in the same way, with their table where memory has its bytes.
//!
//! A fabric handle names process and descriptor of the exporter, from whom the importer opens it: it is good while the
//! exporter lives and holds the memory, within one machine and one user.

use crate::base::bounds::MOST_TEAM;
use crate::base::devices::{device, ordinal_of, slot_of};
use crate::base::handle_words;
use crate::base::handle_words::Carried;
use crate::base::location::Location;
use crate::base::memory_file::{MemoryFile, duplicate, inode};
use crate::base::usage::Charge;
use crate::memory::physical::backing::Backing;
use crate::memory::physical::multicast::{Multicast, TABLE};
use crate::memory::physical::object::{Bytes, GRANULARITY, Physical, Properties, enter, has_fabric};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Weak};

/// Size of the page that describes the memory.
const TRAILER: u64 = 4096;
const MAGIC: u64 = u64::from_le_bytes(*b"DOPPELvm");
/// Of multicast objects. Their last two words are the number of devices and 0.
const MULTICAST: u64 = u64::from_le_bytes(*b"DOPPELmc");
const SEALS: i32 = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

/// Words of the description: magic, size, property bits, kind of location, its number.
type Description = [u64; 5];
const BYTES: usize = size_of::<Description>();

const DESCRIPTOR: u64 = 1;
const FABRIC: u64 = 2;
const COMPRESSIBLE: u64 = 4;
const RDMA: u64 = 8;
const TILE_POOL: u64 = 16;
const DECOMPRESS: u64 = 32;

/// Memory files that live in this process, by inode: an import of memory that is here already is the same memory.
static KNOWN: Mutex<BTreeMap<u64, Weak<Backing>>> = Mutex::new(BTreeMap::new());

/// The same for multicast objects.
static KNOWN_MULTICAST: Mutex<BTreeMap<u64, Weak<Multicast>>> = Mutex::new(BTreeMap::new());

fn bits(properties: &Properties) -> u64 {
    let bits = [
        (properties.descriptor, DESCRIPTOR),
        (properties.fabric, FABRIC),
        (properties.compressible, COMPRESSIBLE),
        (properties.rdma, RDMA),
        (properties.tile_pool, TILE_POOL),
        (properties.decompress, DECOMPRESS),
    ];
    bits.iter().filter(|(on, _)| *on).fold(0, |all, (_, bit)| all | bit)
}

fn describe(size: usize, properties: &Properties) -> Description {
    let (kind, number) = match properties.location {
        Location::Device(ordinal) => (0, slot_of(ordinal)),
        Location::HostNuma(node) => (1, node as u64),
        _ => (1, 0),
    };
    [MAGIC, size as u64, bits(properties), kind, number]
}

fn understand(words: &Description) -> Option<(usize, Properties)> {
    let &[MAGIC, size, bits, kind, number] = words else { return None };
    let size = usize::try_from(size).ok()?;
    let location = match kind {
        0 => Location::Device(ordinal_of(number)),
        _ => Location::HostNuma(i32::try_from(number).ok()?),
    };
    let has = |bit| bits & bit != 0;
    let properties = Properties {
        descriptor: has(DESCRIPTOR),
        fabric: has(FABRIC),
        location,
        compressible: has(COMPRESSIBLE),
        rdma: has(RDMA),
        tile_pool: has(TILE_POOL),
        decompress: has(DECOMPRESS),
    };
    (size != 0 && size.is_multiple_of(GRANULARITY)).then_some((size, properties))
}

/// A file with so many bytes, and what tells what they are behind them.
fn make_file(bytes: u64, description: Description) -> Result<MemoryFile> {
    let length = bytes
        .checked_add(TRAILER)
        .filter(|&n| n <= i64::MAX as u64)
        .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "size {} is too large for a file", bytes))?;
    let file = MemoryFile::create(length)?;
    let mut words = [0u8; BYTES];
    for (to, word) in words.chunks_exact_mut(8).zip(description) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    file.file.write_all_at(&words, bytes).map_err(|_| Error::OUT_OF_MEMORY)?;
    // SAFETY: plain operations on our own descriptor.
    if unsafe { libc::fcntl(file.file.as_raw_fd(), libc::F_ADD_SEALS, SEALS) } != 0 {
        return Err(Error::OPERATING_SYSTEM);
    }
    Ok(file)
}

/// Makes a multicast object that can leave the process, and the file for that.
pub(super) fn create_multicast(size: usize, devices: usize, properties: &Properties) -> Result<Multicast> {
    let file = make_file(TABLE as u64, [MULTICAST, size as u64, bits(properties), devices as u64, 0])?;
    Multicast::shared(size, devices, file)
}

/// Notes that an object lives here.
pub(super) fn know(multicast: &Arc<Multicast>) {
    if let Some(file) = multicast.file() {
        let mut known = KNOWN_MULTICAST.lock();
        known.retain(|_, m| m.strong_count() != 0);
        known.insert(file.inode, Arc::downgrade(multicast));
    }
}

/// Makes memory that can leave the process.
pub(super) fn create(size: usize, properties: &Properties, charge: Option<Charge>) -> Result<Arc<Backing>> {
    let file = make_file(size as u64, describe(size, properties))?;
    let inode = file.inode;
    let backing = Arc::new(Backing { file: Arc::new(file), offset: 0, size, _charge: charge, private: false });
    let mut known = KNOWN.lock();
    known.retain(|_, b| b.strong_count() != 0);
    known.insert(inode, Arc::downgrade(&backing));
    Ok(backing)
}

/// What a file says that it is, if we or another process made it here, and the bytes in front of that.
fn understand_file(file: &File) -> Option<(Description, u64)> {
    // SAFETY: a plain query; other files than memory files answer with an error.
    let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
    if seals < 0 || seals & SEALS != SEALS {
        return None;
    }
    let length = file.metadata().ok()?.len().checked_sub(TRAILER)?;
    let mut bytes = [0u8; BYTES];
    file.read_exact_at(&mut bytes, length).ok()?;
    let mut words = Description::default();
    for (word, from) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(from.try_into().ok()?);
    }
    Some((words, length))
}

/// The memory behind a descriptor.
fn open(file: File) -> Option<(usize, Properties, Arc<Backing>)> {
    let inode = inode(file.as_raw_fd())?;
    let (words, length) = understand_file(&file)?;
    let (size, properties) = understand(&words).filter(|&(size, _)| size as u64 == length)?;
    let mut known = KNOWN.lock();
    let here = known.get(&inode).and_then(Weak::upgrade);
    let backing = here.unwrap_or_else(|| {
        let file = Arc::new(MemoryFile { file, inode });
        let backing = Arc::new(Backing { file, offset: 0, size, _charge: None, private: false });
        known.insert(inode, Arc::downgrade(&backing));
        backing
    });
    Some((size, properties, backing))
}

/// The multicast object behind a descriptor.
fn open_multicast(file: &File) -> Option<Result<Arc<Multicast>>> {
    let inode = inode(file.as_raw_fd())?;
    let (&[MULTICAST, size, _, devices, 0], length) = understand_file(file).as_ref().map(|(words, n)| (words, *n))?
    else {
        return None;
    };
    let (size, devices) = (usize::try_from(size).ok()?, usize::try_from(devices).ok()?);
    let right = size != 0 && size.is_multiple_of(GRANULARITY) && (1..=MOST_TEAM).contains(&devices);
    if !right || length != TABLE as u64 {
        return None;
    }
    let mut known = KNOWN_MULTICAST.lock();
    if let Some(here) = known.get(&inode).and_then(Weak::upgrade) {
        return Some(Ok(here));
    }
    let copy = file.try_clone().map_err(|_| Error::OPERATING_SYSTEM);
    let made = copy.and_then(|file| Multicast::shared(size, devices, MemoryFile { file, inode })).map(Arc::new);
    if let Ok(made) = &made {
        known.insert(inode, Arc::downgrade(made));
    }
    Some(made)
}

fn import(file: File) -> Option<Result<usize>> {
    if let Some(multicast) = open_multicast(&file) {
        return Some(
            multicast
                .and_then(|multicast| enter(multicast.size, Properties::MULTICAST, Bytes::Multicast(multicast), None)),
        );
    }
    let (size, properties, backing) = open(file)?;
    if let Location::Device(ordinal) = properties.location
        && let Err(error) = device(ordinal)
    {
        return Some(Err(error));
    }
    // What was imported cannot be exported again.
    Some(enter(size, Properties { descriptor: false, fabric: false, ..properties }, Bytes::File(backing), None))
}

/// Makes a handle for the memory behind a descriptor, which stays the caller's. A descriptor of anything else is
/// [`Error::UNKNOWN`].
pub fn import_descriptor(fd: i32) -> Result<usize> {
    let file =
        duplicate(fd).ok_or_else(|| refuse!(Error::UNKNOWN, "osHandle {} is not an open file descriptor", fd))?;
    import(file.into()).ok_or_else(|| {
        refuse!(Error::UNKNOWN, "osHandle {} is not a descriptor of memory that cuMemExportToShareableHandle gave", fd)
    })?
}

/// A fabric handle: process, descriptor, inode.
pub type FabricHandle = Carried;

/// Makes a handle for the memory behind a fabric handle. One that names nothing is [`Error::NOT_SUPPORTED`].
pub fn import_fabric(handle: &FabricHandle) -> Result<usize> {
    let Some([process, descriptor, wanted, 0, 0, 0, 0]) = handle_words::open(MAGIC, handle).filter(|_| has_fabric())
    else {
        return Err(refuse!(Error::NOT_SUPPORTED, "osHandle is not a fabric handle, or the device has no fabric"));
    };
    let (Ok(process), Ok(descriptor)) = (u32::try_from(process), i32::try_from(descriptor)) else {
        return Err(refuse!(Error::NOT_SUPPORTED, "osHandle is not a fabric handle"));
    };
    let file = MemoryFile::open_from(process, descriptor, wanted, SEALS)
        .ok_or_else(|| refuse!(Error::NOT_SUPPORTED, "osHandle: process {} has no such memory any more", process))?;
    import(file.file)
        .ok_or_else(|| refuse!(Error::NOT_SUPPORTED, "osHandle is not a handle of memory from cuMemCreate"))?
}

impl Physical {
    /// A descriptor of the memory for another process, closed on `exec`.
    pub fn export_descriptor(&self) -> Result<OwnedFd> {
        refuse_if!(
            Error::INVALID_VALUE,
            !self.properties.descriptor,
            "handleType is a file descriptor, for which the memory was not made (prop.requestedHandleTypes)"
        );
        self.with_file(|file| {
            file.descriptor()?;
            Ok(file.file.try_clone().map_err(|_| Error::OPERATING_SYSTEM)?.into())
        })
    }

    /// A fabric handle of the memory.
    pub fn export_fabric(&self) -> Result<FabricHandle> {
        refuse_if!(
            Error::INVALID_VALUE,
            !self.properties.fabric,
            "handleType is a fabric handle, for which the memory was not made (prop.requestedHandleTypes)"
        );
        self.with_file(|file| {
            let descriptor = file.descriptor()? as u64;
            Ok(handle_words::seal(MAGIC, &[std::process::id().into(), descriptor, file.inode]))
        })
    }

    /// The file that other processes may open.
    fn with_file<T>(&self, f: impl FnOnce(&MemoryFile) -> Result<T>) -> Result<T> {
        match self.multicast() {
            Some(multicast) => f(multicast.file().ok_or(Error::NOT_SUPPORTED)?),
            None => f(&self.file()?.file),
        }
    }
}

/// Where the memory begins in a memory file. Mesa's drivers for the CPU, which call theirs so, put words in front of it: the size of
/// the whole file, and how far from its start the memory is, a multiple of the page size.
fn beginning(file: &File, length: u64) -> Result<u64> {
    const NAME: &[u8] = b"/memfd:llvmpipe memory fd";
    const PAGE: u64 = 4096;
    let link = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
    if !link.is_ok_and(|path| path.as_os_str().as_encoded_bytes().starts_with(NAME)) {
        return Ok(0);
    }
    let mut words = [0; 16];
    file.read_exact_at(&mut words, 0).map_err(|_| refuse!(Error::UNKNOWN, "the file of Mesa's driver is empty"))?;
    let [whole, offset] = [0, 8].map(|at| u64::from_ne_bytes(std::array::from_fn(|i| words[at + i])));
    refuse_if!(
        Error::UNKNOWN,
        whole != length || offset == 0 || !offset.is_multiple_of(PAGE) || offset >= length,
        "the file of Mesa's driver says {} bytes and memory from {} on, and has {} bytes",
        whole,
        offset,
        length
    );
    Ok(offset)
}

/// Memory that another API made and that a descriptor names: any memory file of at least `size` bytes. The descriptor
/// stays the caller's. Anything else is [`Error::UNKNOWN`].
pub fn open_foreign(fd: i32, least: usize, size: usize) -> Result<Arc<Backing>> {
    let file: File =
        duplicate(fd).ok_or_else(|| refuse!(Error::UNKNOWN, "the file descriptor {} is not open", fd))?.into();
    // SAFETY: a plain query; other files than memory files answer with an error.
    let memory = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) } >= 0;
    let length = file.metadata().map_err(|_| Error::UNKNOWN)?.len();
    refuse_if!(Error::UNKNOWN, !memory, "the file descriptor {} is not that of a memory file", fd);
    let offset = beginning(&file, length)?;
    let length = length - offset;
    refuse_if!(Error::UNKNOWN, least as u64 > length, "size {} is more than the file has, {} bytes", least, length);
    // More may be asked for; what is mapped ends where the file does.
    let size = size.min(usize::try_from(length).unwrap_or(usize::MAX));
    let inode = inode(file.as_raw_fd()).ok_or(Error::UNKNOWN)?;
    let file = Arc::new(MemoryFile { file, inode });
    Ok(Arc::new(Backing { file, offset, size, _charge: None, private: false }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::FromRawFd;

    const PROPERTIES: Properties = Properties {
        descriptor: true,
        fabric: true,
        location: Location::HostNuma(0),
        compressible: false,
        rdma: true,
        tile_pool: false,
        decompress: true,
    };

    #[test]
    fn memory_of_mesa_begins_where_its_file_says() {
        let named = |name: &std::ffi::CStr, words: [u64; 2]| {
            // SAFETY: the name ends with a zero.
            let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
            // SAFETY: just made, and nobody else's.
            let file = unsafe { File::from_raw_fd(fd) };
            file.set_len(3 * 4096).unwrap();
            file.write_all_at(&words.map(u64::to_ne_bytes).concat(), 0).unwrap();
            file
        };
        let open = |file: &File, size| open_foreign(file.as_raw_fd(), size, size).map(|memory| memory.offset);
        let mesa = c"llvmpipe memory fd";
        let fine = named(mesa, [3 * 4096, 4096]);
        assert_eq!(open(&fine, 8192), Ok(4096));
        assert_eq!(open(&fine, 8193), Err(Error::UNKNOWN));
        assert_eq!(open(&named(c"another", [3 * 4096, 4096]), 3 * 4096), Ok(0));
        for words in [[0, 4096], [3 * 4096, 0], [3 * 4096, 100], [3 * 4096, 3 * 4096], [4 * 4096, 4096], [u64::MAX; 2]]
        {
            assert_eq!(open(&named(mesa, words), 4096), Err(Error::UNKNOWN));
        }
        let empty = named(mesa, [0, 0]);
        empty.set_len(0).unwrap();
        assert_eq!(open(&empty, 1), Err(Error::UNKNOWN));
    }

    #[test]
    fn descriptions_survive() {
        let words = describe(GRANULARITY, &PROPERTIES);
        assert_eq!(understand(&words), Some((GRANULARITY, PROPERTIES)));
        for at in [0, 1] {
            let mut wrong = words;
            wrong[at] += 1;
            assert_eq!(understand(&wrong), None);
        }
        assert_eq!(understand(&[MAGIC, u64::MAX, 0, 0, u64::MAX]), None);
    }

    #[test]
    fn imports_are_the_same_memory_and_nothing_else_passes() {
        let backing = create(GRANULARITY, &PROPERTIES, None).unwrap();
        let fd = backing.file.descriptor().unwrap();
        let copy = File::from(duplicate(fd).unwrap());
        let (size, properties, same) = open(copy).unwrap();
        assert_eq!((size, properties), (GRANULARITY, PROPERTIES));
        assert!(Arc::ptr_eq(&same, &backing));
        assert!(duplicate(-1).is_none() && duplicate(1 << 20).is_none());
        assert!(open(File::open("/dev/null").unwrap()).is_none());
        // SAFETY: a new memory file, without seals.
        let plain = unsafe { File::from_raw_fd(libc::memfd_create(c"plain".as_ptr(), libc::MFD_CLOEXEC)) };
        assert!(open(plain).is_none());
        assert_eq!(import_fabric(&[0; 64]), Err(Error::NOT_SUPPORTED));
    }
}
