//! Multicast objects: memory of several devices behind one range of addresses.
//!
//! What an object consists of stands in a table of words, one page of memory for devices and more for what is bound. Objects that
//! may leave the process have it in a memory file, whose last page tells what it is; all processes that import it work on the
//! same table, with a lock of the file around. A number in it goes up with every change, so that who has looked once need not
//! look again.
//!
//! Memory that another process has bound is opened by process and descriptor, as fabric handles are, once it is first needed.

use crate::base::bounds::{MOST_BINDINGS, MOST_TEAM};
use crate::base::memory_file::MemoryFile;
use crate::memory::physical::backing::{Backing, Window};
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{HostMapping, Rights};
use parking_lot::Mutex;
use std::any::Any;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Words of the table: how often it has changed, the number of the next binding, devices that were added; then devices, by slot.
const CHANGES: usize = 0;
const NEXT: usize = 1;
const ADDED: usize = 2;
const DEVICES: usize = 64;
const BINDINGS: usize = 512;
/// Words of a binding: its number, or 0; the device's slot, the offset in the object and bytes; process, descriptor and inode of
/// the file that the memory is in, and the offset there.
const BINDING: usize = 8;
/// Bytes of the table.
pub(super) const TABLE: usize = (BINDINGS + MOST_BINDINGS * BINDING) * 8;

const _: () = assert!(DEVICES + MOST_TEAM <= BINDINGS && TABLE.is_multiple_of(4096));

/// How long memory may wait to be bound, or an object to be mapped, until all devices were added: by threads of this process, or
/// by processes that may have yet to start.
const PATIENCE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(600)];

/// Where bound memory is in this process.
struct Bound {
    number: u64,
    slot: u64,
    offset: usize,
    size: usize,
    base: usize,
    /// Bound here: it goes with the object.
    own: bool,
    held: Arc<dyn Any + Send + Sync>,
}

/// Memory that is to be bound.
pub struct Part {
    /// First byte of it in this process, which others may use as long as `held` lives.
    pub base: usize,
    /// Keeps it.
    pub held: Arc<dyn Any + Send + Sync>,
    /// The file that it is in, and where, if other processes can open it.
    pub file: Option<(Arc<MemoryFile>, u64)>,
}

/// A range of an object that is one piece on every device.
pub struct View {
    /// Where it begins in the object, and its bytes.
    pub offset: usize,
    pub size: usize,
    /// Where it begins in this process, device by device in the order of their slots.
    pub replicas: Arc<[u64]>,
    /// Keeps the memory.
    pub held: Arc<dyn Any + Send + Sync>,
}

/// What this process knows of a table.
#[derive(Default)]
struct Seen {
    changes: u64,
    bound: Vec<Bound>,
    views: Vec<Arc<View>>,
}

/// A multicast object.
pub struct Multicast {
    /// Bytes for each device.
    pub size: usize,
    /// How many devices it is for.
    pub devices: usize,
    table: HostMapping,
    /// The file of an object that may leave the process.
    file: Option<MemoryFile>,
    /// The same file, opened anew: locks belong to who opened it.
    own: Option<File>,
    seen: Mutex<Seen>,
    awaited: Mutex<Awaited>,
}

fn no_room() -> Error {
    refuse!(Error::OUT_OF_MEMORY, "the host has no room for a mapping")
}

/// How many objects have memory of this process bound and were never mapped in it.
static AWAITED: AtomicUsize = AtomicUsize::new(0);

/// A program that has bound memory is likely to reserve addresses for the object next.
pub fn awaits_multicast() -> bool {
    AWAITED.load(Ordering::Acquire) != 0
}

/// Whether an object waits to be mapped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// Nothing was bound here yet.
    NotYet,
    Yes,
    /// It was mapped.
    NoLonger,
}

/// Locks the table against other processes.
struct Lock<'m>(Option<&'m File>);

fn lock_file(file: &File, kind: i32) -> bool {
    // SAFETY: a structure of plain numbers.
    let mut lock: libc::flock = unsafe { core::mem::zeroed() };
    lock.l_type = kind as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    loop {
        // SAFETY: waits for a lock on a descriptor of ours; the structure says all of the file.
        let failed = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLKW, &raw const lock) } != 0;
        if !failed {
            return true;
        }
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return false;
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        if let Some(file) = self.0 {
            lock_file(file, libc::F_UNLCK);
        }
    }
}

impl Multicast {
    fn new(size: usize, devices: usize, table: HostMapping, files: Option<(MemoryFile, File)>) -> Multicast {
        let (file, own) = files.unzip();
        let awaited = Mutex::new(Awaited::NotYet);
        Multicast { size, devices, table, file, own, seen: Mutex::default(), awaited }
    }

    /// A new object that stays in the process.
    pub(super) fn private(size: usize, devices: usize) -> Result<Multicast> {
        let table = HostMapping::anonymous(TABLE, Rights::ReadWrite).ok_or_else(no_room)?;
        Ok(Multicast::new(size, devices, table, None))
    }

    /// One whose table is in a file.
    pub(super) fn shared(size: usize, devices: usize, file: MemoryFile) -> Result<Multicast> {
        let path = format!("/proc/self/fd/{}", file.descriptor()?);
        let own = File::options().read(true).write(true).open(path).map_err(|_| Error::OPERATING_SYSTEM)?;
        let table = HostMapping::file(file.descriptor()?, 0, TABLE).ok_or_else(no_room)?;
        Ok(Multicast::new(size, devices, table, Some((file, own))))
    }

    /// The file of an object that may leave the process.
    pub(super) fn file(&self) -> Option<&MemoryFile> {
        self.file.as_ref()
    }

    /// It may leave the process, or came from another one.
    pub fn is_shared(&self) -> bool {
        self.file.is_some()
    }

    fn word(&self, n: usize) -> &AtomicU64 {
        // SAFETY: inside the table, whose pages are there as long as this; processes change it by atomic operations alone.
        unsafe { AtomicU64::from_ptr((self.table.base() as *mut u64).add(n % (TABLE / 8))) }
    }

    fn get(&self, n: usize) -> u64 {
        self.word(n).load(Ordering::Acquire)
    }

    fn set(&self, n: usize, value: u64) {
        self.word(n).store(value, Ordering::Release);
    }

    fn lock(&self) -> Lock<'_> {
        Lock(self.own.as_ref().filter(|file| lock_file(file, libc::F_WRLCK)))
    }

    fn changed(&self) {
        self.word(CHANGES).fetch_add(1, Ordering::AcqRel);
    }

    /// The slots of the devices that were added, in order.
    fn slots(&self) -> Vec<u64> {
        let count = (self.get(ADDED) as usize).min(self.devices);
        let mut slots: Vec<u64> = (0..count).map(|n| self.get(DEVICES + n)).collect();
        slots.sort_unstable();
        slots
    }

    /// True for a device that was added.
    pub fn has(&self, slot: u64) -> bool {
        self.slots().contains(&slot)
    }

    /// Adds a device.
    pub fn add(&self, slot: u64) -> Result<()> {
        let _seen = self.seen.lock();
        let _lock = self.lock();
        let slots = self.slots();
        refuse_if!(Error::NOT_PERMITTED, slots.contains(&slot), "dev was added to the multicast object before");
        refuse_if!(
            Error::NOT_PERMITTED,
            slots.len() == self.devices,
            "mcHandle has all of its {} devices",
            self.devices
        );
        self.set(DEVICES + slots.len(), slot);
        self.set(ADDED, slots.len() as u64 + 1);
        self.changed();
        Ok(())
    }

    /// Waits until all devices were added. Where nobody else is left who could do that, it ends some time.
    pub fn wait_for_devices(&self) -> Result<()> {
        let start = Instant::now();
        while (self.get(ADDED) as usize) < self.devices {
            refuse_if!(
                Error::NOT_PERMITTED,
                start.elapsed() > PATIENCE[usize::from(self.is_shared())],
                "mcHandle has {} of its {} devices, and nobody adds another one",
                self.get(ADDED),
                self.devices
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Binds `size` bytes of a device's memory at `offset`.
    pub fn bind(&self, slot: u64, offset: usize, size: usize, part: Part) -> Result<()> {
        let mut seen = self.seen.lock();
        let _lock = self.lock();
        let mut free = None;
        for at in bindings() {
            let [number, owner, start, bytes] = core::array::from_fn(|n| self.get(at + n));
            if number == 0 {
                free = free.or(Some(at));
                continue;
            }
            let apart = offset as u64 >= start.saturating_add(bytes) || start >= (offset + size) as u64;
            refuse_if!(
                Error::INVALID_VALUE,
                owner == slot && !apart,
                "mcOffset {} + size {}: the device has memory bound from {} on, {} bytes",
                offset,
                size,
                start,
                bytes
            );
        }
        let at = free.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "mcHandle has no room for more memory"))?;
        let number = self.word(NEXT).fetch_add(1, Ordering::AcqRel) + 1;
        let (descriptor, inode, begins) = match &part.file {
            Some((file, begins)) => (file.descriptor()? as u64, file.inode, *begins),
            None => (u64::MAX, 0, 0),
        };
        let words = [slot, offset as u64, size as u64, std::process::id().into(), descriptor, inode, begins];
        for (n, word) in words.into_iter().enumerate() {
            self.set(at + 1 + n, word);
        }
        self.set(at, number);
        let Part { base, held, .. } = part;
        seen.bound.push(Bound { number, slot, offset, size, base, own: true, held });
        self.changed();
        let mut awaited = self.awaited.lock();
        if *awaited == Awaited::NotYet {
            *awaited = Awaited::Yes;
            AWAITED.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    /// It is mapped, or will never be.
    pub fn no_longer_awaited(&self) {
        let mut awaited = self.awaited.lock();
        if *awaited == Awaited::Yes {
            AWAITED.fetch_sub(1, Ordering::AcqRel);
        }
        *awaited = Awaited::NoLonger;
    }

    /// Takes away what is bound of a device in a range: whole bindings, at least one.
    pub fn unbind(&self, slot: u64, offset: usize, size: usize) -> Result<()> {
        let mut seen = self.seen.lock();
        {
            let _lock = self.lock();
            let mut gone = Vec::new();
            let (from, to) = (offset as u64, (offset + size) as u64);
            for at in bindings() {
                let [number, owner, start, bytes] = core::array::from_fn(|n| self.get(at + n));
                let end = start.saturating_add(bytes);
                if number == 0 || owner != slot || end <= from || start >= to {
                    continue;
                }
                refuse_if!(
                    Error::INVALID_VALUE,
                    start < from || end > to,
                    "mcOffset {} + size {} cuts memory in two that is bound from {} on, {} bytes",
                    offset,
                    size,
                    start,
                    bytes
                );
                gone.push(at);
            }
            refuse_if!(
                Error::INVALID_VALUE,
                gone.is_empty(),
                "mcOffset {} + size {}: the device has no memory bound there",
                offset,
                size
            );
            for at in gone {
                self.set(at, 0);
            }
            self.changed();
        }
        self.look(&mut seen);
        Ok(())
    }

    /// Brings what is known up to date.
    fn look(&self, seen: &mut Seen) {
        let _lock = self.lock();
        let changes = self.get(CHANGES);
        let mut numbers = Vec::new();
        for at in bindings() {
            let [number, slot, offset, size, owner, descriptor, inode, begins] =
                core::array::from_fn(|n| self.get(at + n));
            if number == 0 {
                continue;
            }
            numbers.push(number);
            let inside = offset.checked_add(size).is_some_and(|end| end <= self.size as u64);
            // What was bound here is known by its number: another PID namespace may have a process of the same one as this.
            if !inside || seen.bound.iter().any(|bound| bound.number == number) {
                continue;
            }
            let file = u32::try_from(owner).ok().zip(i32::try_from(descriptor).ok());
            let opened = file.and_then(|(owner, file)| open(owner, file, inode, begins, size as usize));
            if let Some((window, base)) = opened {
                let (offset, size) = (offset as usize, size as usize);
                seen.bound.push(Bound { number, slot, offset, size, base, own: false, held: window });
            }
        }
        seen.bound.retain(|bound| numbers.contains(&bound.number));
        seen.views.clear();
        seen.changes = changes;
    }

    /// The memory around an offset, if every device has some there.
    pub fn view(&self, offset: usize) -> Option<Arc<View>> {
        let mut seen = self.seen.lock();
        if seen.changes != self.get(CHANGES) {
            self.look(&mut seen);
        }
        let holds = |view: &&Arc<View>| offset.wrapping_sub(view.offset) < view.size;
        if let Some(view) = seen.views.iter().find(holds) {
            return Some(view.clone());
        }
        let slots = self.slots();
        if slots.len() < self.devices {
            return None;
        }
        let on = |slot: &u64| {
            seen.bound.iter().find(|bound| bound.slot == *slot && offset.wrapping_sub(bound.offset) < bound.size)
        };
        let bound: Vec<&Bound> = slots.iter().map(on).collect::<Option<_>>()?;
        let start = bound.iter().map(|bound| bound.offset).max()?;
        let end = bound.iter().map(|bound| bound.offset + bound.size).min()?;
        let view = Arc::new(View {
            offset: start,
            size: end - start,
            replicas: bound.iter().map(|bound| (bound.base + (start - bound.offset)) as u64).collect(),
            held: Arc::new(bound.iter().map(|bound| bound.held.clone()).collect::<Vec<_>>()),
        });
        seen.views.push(view.clone());
        Some(view)
    }
}

/// Where bindings stand in the table.
fn bindings() -> impl Iterator<Item = usize> {
    (0..MOST_BINDINGS).map(|n| BINDINGS + n * BINDING)
}

/// Memory files of other processes that are mapped here, by inode: two objects may have memory of the same one.
static OPENED: Mutex<BTreeMap<u64, Weak<Backing>>> = Mutex::new(BTreeMap::new());

/// Maps a part of another process's memory.
fn open(process: u32, descriptor: i32, inode: u64, begins: u64, size: usize) -> Option<(Arc<Window>, usize)> {
    let mut opened = OPENED.lock();
    opened.retain(|_, backing| backing.strong_count() != 0);
    let backing = match opened.get(&inode).and_then(Weak::upgrade) {
        Some(backing) => backing,
        None => {
            let file = MemoryFile::open_from(process, descriptor, inode, libc::F_SEAL_SHRINK)?;
            let length = usize::try_from(file.length().ok()?).ok()?;
            let backing =
                Arc::new(Backing { file: Arc::new(file), offset: 0, size: length, _charge: None, private: false });
            opened.insert(inode, Arc::downgrade(&backing));
            backing
        }
    };
    let begins = usize::try_from(begins).ok()?;
    let inside = begins.checked_add(size).is_some_and(|end| end <= backing.size);
    if !inside {
        return None;
    }
    Window::of_part(&backing, begins, size).ok()
}

impl Drop for Multicast {
    /// What this process has bound goes with its last handle and mapping of the object.
    fn drop(&mut self) {
        self.no_longer_awaited();
        let own: Vec<u64> = self.seen.get_mut().bound.iter().filter(|b| b.own).map(|b| b.number).collect();
        if own.is_empty() {
            return;
        }
        let _lock = self.lock();
        for at in bindings().filter(|&at| own.contains(&self.get(at))) {
            self.set(at, 0);
        }
        self.changed();
    }
}
