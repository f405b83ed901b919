//! Events that several processes have: two counters in a page of a memory file.

use crate::base::handle_words;
use crate::base::memory_file::MemoryFile;
use crate::memory::ipc::handle::{Handle, source};
use crate::stream::event::Interprocess;
use crate::stream::executor;
use crate::stream::executor::Service;
use crate::stream::{Condition, Stream, WaitValue, Work};
use error::{Error, Result, refuse};
use guard::mapping::{self, HostMapping, Rights};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

const MAGIC: u64 = u64::from_le_bytes(*b"DOPPELie");
const SEALS: i32 = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
const PAGE: usize = 4096;

/// What the page holds.
#[repr(C)]
struct Page {
    magic: AtomicU64,
    /// How often the event was recorded, by whomever.
    recorded: AtomicU64,
    /// Up to which record the streams have come.
    reached: AtomicU64,
    /// The process that recorded last: see [`identity`].
    recorder: AtomicU64,
}

/// An event that other processes may have, too.
pub struct SharedEvent {
    file: MemoryFile,
    page: usize,
}

/// The shared events of this process, by the inode of their file.
static KNOWN: Mutex<BTreeMap<u64, Weak<SharedEvent>>> = Mutex::new(BTreeMap::new());

impl SharedEvent {
    /// A new event, never recorded.
    pub fn create() -> Result<Arc<SharedEvent>> {
        let file = MemoryFile::create(PAGE as u64)?;
        file.write_words(0, &[MAGIC])?;
        file.seal(SEALS)?;
        SharedEvent::map(file)
    }

    fn map(file: MemoryFile) -> Result<Arc<SharedEvent>> {
        let inode = file.inode;
        let page = take_page()?;
        // SAFETY: a page that is ours alone.
        if let Err(error) = unsafe { file.map(page, 0, PAGE, Rights::ReadWrite) } {
            give_page(page);
            return Err(error);
        }
        let event = Arc::new(SharedEvent { file, page });
        let mut known = KNOWN.lock();
        known.retain(|_, e| e.strong_count() > 0);
        known.insert(inode, Arc::downgrade(&event));
        Ok(event)
    }

    fn page(&self) -> &Page {
        // SAFETY: mapped while this lives, as large as a page, and only accessed atomically; the file cannot shrink.
        unsafe { &*(self.page as *const Page) }
    }

    fn has_reached(&self, record: u64) -> bool {
        if self.page().reached.load(Ordering::Acquire) >= record {
            return true;
        }
        // A process that is gone does not get there; nobody shall wait for it.
        let recorder = self.page().recorder.load(Ordering::Acquire);
        if recorder != 0 && !is_alive(recorder) && self.latest() == record {
            self.reach(record);
            return true;
        }
        false
    }
}

impl Interprocess for SharedEvent {
    fn handle(&self) -> Result<Handle> {
        Ok(handle_words::seal(MAGIC, &[source(self.file.descriptor()?), self.file.inode]))
    }

    fn begin(&self) -> u64 {
        let page = self.page();
        page.recorder.store(own_identity(), Ordering::Release);
        page.recorded.fetch_add(1, Ordering::AcqRel) + 1
    }

    fn reach(&self, record: u64) {
        self.page().reached.fetch_max(record, Ordering::AcqRel);
        let word: *const AtomicU64 = &raw const self.page().reached;
        // SAFETY: wakes those who sleep on a word of ours; the lower half comes first on this architecture.
        unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, i32::MAX) };
    }

    fn latest(&self) -> u64 {
        self.page().recorded.load(Ordering::Acquire)
    }

    fn is_complete(&self) -> bool {
        self.has_reached(self.latest())
    }

    fn synchronize(&self) {
        let record = self.latest();
        while !self.has_reached(record) {
            let word = &self.page().reached;
            let seen = word.load(Ordering::Acquire);
            if seen >= record {
                return;
            }
            // Not for ever: the other process may end.
            let pause = libc::timespec { tv_sec: 0, tv_nsec: 20_000_000 };
            // SAFETY: sleeps on a word of ours, while its lower half is what was seen.
            unsafe {
                libc::syscall(
                    libc::SYS_futex,
                    core::ptr::from_ref(word),
                    libc::FUTEX_WAIT,
                    seen as u32,
                    &raw const pause,
                )
            };
        }
    }

    fn hold(self: Arc<Self>, stream: &Arc<Stream>) -> Result<()> {
        let value = self.latest();
        if self.has_reached(value) {
            return Ok(());
        }
        watch(&self);
        let address = core::ptr::from_ref(&self.page().reached) as usize;
        stream.enqueue(Work::WaitValue(WaitValue { address, value, wide: true, condition: Condition::Geq }))?;
        // The page stays until the wait is over.
        let keep = self.clone();
        stream.enqueue(Work::Task(Arc::new(move || {
            let _ = &keep;
            Ok(())
        })))
    }
}

impl Drop for SharedEvent {
    fn drop(&mut self) {
        give_page(self.page);
    }
}

/// Pages for events that nobody uses. They always can be read: a look at a word that was waited for may come late.
static PAGES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn take_page() -> Result<usize> {
    const AT_ONCE: usize = 64;
    let mut pages = PAGES.lock();
    if pages.is_empty() {
        let first = HostMapping::anonymous(AT_ONCE * PAGE, Rights::ReadWrite).ok_or(Error::OUT_OF_MEMORY)?.keep();
        pages.extend((0..AT_ONCE).map(|i| first + i * PAGE));
    }
    pages.pop().ok_or(Error::OUT_OF_MEMORY)
}

fn give_page(page: usize) {
    // SAFETY: a page of ours, whose event is gone; an empty one takes its place.
    if unsafe { mapping::replace_by_empty(page, PAGE, Rights::ReadWrite) } {
        PAGES.lock().push(page);
    }
}

/// Bits that the number of a process has at most.
const PROCESS_BITS: u32 = 22;

/// What names a process for good, as its number comes back: the time of its start, above the number. `None` if there is
/// no such process, or it has ended.
fn identity(process: u64) -> Option<u64> {
    /// Place of the time of the start among the fields behind the name.
    const STARTED: usize = 19;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold anything.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    let state = fields.next()?;
    let started: u64 = fields.nth(STARTED - 1)?.parse().ok()?;
    (!state.starts_with(['Z', 'X'])).then_some(started << PROCESS_BITS | process)
}

/// The identity of this process, which may be the child of the one that asked before.
fn own_identity() -> u64 {
    static KNOWN: AtomicU64 = AtomicU64::new(0);
    let process = u64::from(std::process::id());
    let known = KNOWN.load(Ordering::Relaxed);
    if number(known) == process {
        return known;
    }
    let found = identity(process).unwrap_or(process);
    KNOWN.store(found, Ordering::Relaxed);
    found
}

/// The number of a process with an identity.
fn number(identity: u64) -> u64 {
    identity & ((1 << PROCESS_BITS) - 1)
}

/// Whether the process with an identity still runs.
fn is_alive(known: u64) -> bool {
    known == own_identity() || identity(number(known)) == Some(known)
}

/// Looks after events that streams wait for: when the process that was to reach them ends, they are over.
fn watch(event: &Arc<SharedEvent>) {
    static WATCHED: Mutex<Vec<Weak<SharedEvent>>> = Mutex::new(Vec::new());
    static STARTED: AtomicBool = AtomicBool::new(false);
    static SERVICE: Service = Service { name: "doppel-ipc", serve, round };
    fn serve() {
        loop {
            std::thread::sleep(Duration::from_millis(50));
            round();
        }
    }
    fn round() -> bool {
        // Asking is enough.
        let live = |w: &Weak<SharedEvent>| w.upgrade().is_some_and(|e| !e.is_complete());
        WATCHED.lock().retain(live);
        false
    }
    WATCHED.lock().push(Arc::downgrade(event));
    if !STARTED.swap(true, Ordering::AcqRel) {
        executor::start(&SERVICE);
    }
}

/// Opens an event of another process.
pub fn open_event(handle: &Handle) -> Result<Arc<SharedEvent>> {
    let Some([source, inode, 0, 0, 0, 0, 0]) = handle_words::open(MAGIC, handle) else {
        return Err(refuse!(Error::MAP_FAILED, "handle is not what cuIpcGetEventHandle wrote"));
    };
    let (process, descriptor) = ((source >> 32) as u32, source as u32 as i32);
    if process == std::process::id() {
        return Err(refuse!(Error::INVALID_CONTEXT, "handle is of an event of this process"));
    }
    if let Some(event) = KNOWN.lock().get(&inode).and_then(Weak::upgrade) {
        return Ok(event);
    }
    let file = MemoryFile::open_from(process, descriptor, inode, SEALS)
        .ok_or_else(|| refuse!(Error::MAP_FAILED, "handle: process {} has no such event any more", process))?;
    if file.length()? != PAGE as u64 || file.read_words(0) != Some([MAGIC]) {
        return Err(refuse!(Error::MAP_FAILED, "handle is not what cuIpcGetEventHandle wrote"));
    }
    SharedEvent::map(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_count_for_everybody() {
        let event = SharedEvent::create().unwrap();
        assert!(event.is_complete(), "never recorded");
        let first = event.begin();
        let second = event.begin();
        assert!(!event.is_complete());
        event.reach(second);
        event.reach(first);
        assert!(event.is_complete());
        event.synchronize();
        event.begin();
        assert!(!event.is_complete(), "we are alive");
        // A process that cannot exist: it will never get there.
        event.page().recorder.store((1 << PROCESS_BITS) - 1, Ordering::Release);
        event.synchronize();
        assert!(event.is_complete());
        // One that has our number, and was started at another time: it is gone.
        event.begin();
        event.page().recorder.store(own_identity() ^ 1 << PROCESS_BITS, Ordering::Release);
        event.synchronize();
        assert!(event.is_complete());
        assert_eq!(open_event(&event.handle().unwrap()).err(), Some(Error::INVALID_CONTEXT));
        assert_eq!(open_event(&[0; 64]).err(), Some(Error::MAP_FAILED));
    }
}
