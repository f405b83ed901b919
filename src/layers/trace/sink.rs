//! Where lines go: a file that is mapped piece by piece, so that what is written is in the file at once, whatever becomes of the
//! process. A line takes its place by one addition; no lock is held while it is copied there. Of a long trace a helper maps the
//! next piece while the last one is written: the system's work on new pages takes as long as writing a line.

use crate::show::{Pen, Text};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use device::base::thread;
use guard::mapping::HostMapping;
use parking_lot::{Condvar, Mutex};
use settings::{log, pipe};
use std::cell::Cell;
use std::os::fd::IntoRawFd;
use std::path::Path;

/// Bytes that are mapped at a time.
const WINDOW: u64 = 256 << 10;
/// Windows that the helper maps before they are needed.
const AHEAD: u64 = 2;
/// Set in the place of the next line when there will be none.
const CLOSED: u64 = 1 << 63;

const STDERR: libc::c_int = 2;

/// Asks for memory that will be written soon.
#[inline(always)]
pub fn prefetch(at: *const u8) {
    // SAFETY: reads nothing, wherever that is; processors without it pass over it.
    unsafe { core::arch::asm!("prefetchw [{}]", in(reg) at, options(nostack, preserves_flags, readonly)) };
}

/// A piece of the file. It goes when all of it is written.
struct Window {
    index: u64,
    base: *mut u8,
    _mapping: HostMapping,
    /// Bytes that are written, as far as threads have told: they do when they go on to another window.
    written: AtomicU64,
}

/// Pieces of the file.
#[derive(Default)]
struct Windows {
    /// Those with bytes that are not written.
    open: Vec<*mut Window>,
    /// Those that the helper shall give back: the processors of all threads have to be told.
    done: Vec<*mut Window>,
    /// The number of the first one that has never been mapped. What was written would be lost if one were mapped anew.
    fresh: u64,
    /// The helper shall map all before this one.
    wanted: u64,
    /// The one that the helper is mapping.
    preparing: Option<u64>,
    /// There is a helper, or none can be had.
    helper: Option<bool>,
}

/// A file for lines. First is what each line looks at.
#[repr(C, align(64))]
pub struct Sink {
    next: AtomicU64,
    /// Tells a sink from another one at the same address.
    number: usize,
    descriptor: libc::c_int,
    /// The file can be mapped; others (terminals, pipes) are written line by line.
    mapped: bool,
    /// The sink stays for good: a helper may work for it.
    kept: bool,
    broken: AtomicBool,
    /// What the descriptor leads to: programs close what they have not opened.
    identity: (u64, u64),
    windows: Mutex<Windows>,
    /// Something is wanted of the helper.
    asked: Condvar,
    /// The helper has mapped what it was to map.
    mapped_ahead: Condvar,
}

// SAFETY: windows are shared by design; each line has its own bytes in them.
unsafe impl Send for Sink {}
// SAFETY: as above.
unsafe impl Sync for Sink {}

/// The window of a thread's last line.
#[derive(Clone, Copy)]
struct Place {
    /// The sink; null if it may go before the thread.
    sink: *const Sink,
    /// The sink's number.
    number: usize,
    /// The window.
    index: u64,
    window: *mut Window,
    /// Its memory.
    base: *mut u8,
    /// Bytes that the thread has written there since it came to it. To count them for all threads at once would wait for each of them
    /// to be in memory.
    bytes: u64,
}

impl Place {
    const NONE: Place =
        Place { sink: ptr::null(), number: 0, index: 0, window: ptr::null_mut(), base: ptr::null_mut(), bytes: 0 };
}

/// Where a thread wrote last.
pub struct Last {
    place: Cell<Place>,
    /// Somebody will tell of it when the thread ends.
    kept: Cell<bool>,
}

impl Last {
    /// Of a thread that has written nothing.
    pub const fn new() -> Last {
        Last { place: Cell::new(Place::NONE), kept: Cell::new(false) }
    }

    /// Somebody will say when the thread ends, by the same with `false`.
    pub fn keep(&self, kept: bool) {
        self.kept.set(kept);
        if !kept {
            let place = self.place.replace(Place::NONE);
            if !place.sink.is_null() {
                // SAFETY: a sink that is kept.
                unsafe { &*place.sink }.tell(place);
            }
        }
    }

    /// In the child of a fork: locks of the parent's sink may be held by threads that are not there.
    pub fn forget(&self) {
        self.place.set(Place::NONE);
    }
}

fn identity(descriptor: libc::c_int) -> Option<((u64, u64), bool)> {
    // SAFETY: plain data, which the system fills in.
    let mut status: libc::stat = unsafe { core::mem::zeroed() };
    // SAFETY: as above.
    let known = unsafe { libc::fstat(descriptor, &mut status) } == 0;
    known.then_some(((status.st_dev, status.st_ino), status.st_mode & libc::S_IFMT == libc::S_IFREG))
}

/// A descriptor that programs are unlikely to use or to close.
fn out_of_the_way(descriptor: libc::c_int) -> libc::c_int {
    const HIGH: libc::c_int = 200;
    // SAFETY: works on a descriptor of ours.
    unsafe {
        let high = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, HIGH);
        if high < 0 {
            return descriptor;
        }
        libc::close(descriptor);
        high
    }
}

impl Sink {
    /// Opens a file and empties it. `None`, with a reason: it cannot be opened, or (without reason) another process writes it.
    pub fn open(path: &Path) -> Result<Option<Sink>, std::io::Error> {
        let descriptor = out_of_the_way(pipe::open(path, true)?.into_raw_fd());
        let Some((identity, mapped)) = identity(descriptor) else { return Err(std::io::Error::last_os_error()) };
        // SAFETY: works on a descriptor of ours.
        let taken = mapped && unsafe { libc::flock(descriptor, libc::LOCK_EX | libc::LOCK_NB) } != 0;
        // SAFETY: as above.
        if taken || (mapped && unsafe { libc::ftruncate(descriptor, 0) } != 0) {
            // SAFETY: as above.
            unsafe { libc::close(descriptor) };
            return if taken { Ok(None) } else { Err(std::io::Error::last_os_error()) };
        }
        Ok(Some(Sink::of(descriptor, identity, mapped)))
    }

    /// A sink that is never freed. It may have a helper.
    pub fn keep(mut self) -> &'static Sink {
        self.kept = true;
        Box::leak(Box::new(self))
    }

    /// The process's stderr.
    pub fn stderr() -> Sink {
        Sink::of(STDERR, (0, 0), false)
    }

    fn of(descriptor: libc::c_int, identity: (u64, u64), mapped: bool) -> Sink {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        Sink {
            descriptor,
            identity,
            mapped,
            next: AtomicU64::new(0),
            windows: Mutex::default(),
            asked: Condvar::new(),
            mapped_ahead: Condvar::new(),
            kept: false,
            broken: AtomicBool::new(false),
            number: NUMBER.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    /// Writes a line.
    #[inline]
    pub fn write(&self, last: &Last, line: &[u8]) {
        if !self.mapped {
            self.put_unmapped(line);
            return;
        }
        let at = self.next.fetch_add(line.len() as u64, Ordering::Relaxed);
        if at & CLOSED == 0 {
            self.put(last, at, line);
        }
    }

    /// Writes a line of `len` bytes, which `write` puts into the file itself where it can, and no more. Where it cannot, `elsewhere` is
    /// called, with the place of the line if it has one, and has to call [`Sink::write_elsewhere`].
    #[inline(always)]
    pub fn write_by(
        &self,
        last: &Last,
        len: usize,
        write: impl FnOnce(&mut Pen<'_>),
        elsewhere: impl FnOnce(Option<u64>),
    ) {
        let at = self.mapped.then(|| self.next.fetch_add(len as u64, Ordering::Relaxed));
        let place = at.and_then(|at| {
            let (index, offset) = (at / WINDOW, (at % WINDOW) as usize);
            // The index of a closed sink is no window's.
            if len > WINDOW as usize - offset { None } else { Some((self.same(last, index, len as u64)?, offset)) }
        });
        let Some((place, offset)) = place else { return elsewhere(at) };
        // SAFETY: the window lives until all of its bytes are told of, and these are not yet; they are this line's alone.
        let room = unsafe { core::slice::from_raw_parts_mut(place.base.add(offset).cast(), len) };
        let end = room.as_mut_ptr_range().end;
        let mut pen = Pen::new(room);
        write(&mut pen);
        debug_assert_eq!(pen.written(), len);
        // The helper's processor has what follows, which takes long to come from there: the program goes on meanwhile.
        const LINE: usize = 64;
        let ahead = |i: usize| prefetch(end.wrapping_byte_add(i * LINE).cast());
        (1..=3).for_each(ahead);
        if len > 3 * LINE {
            (4..=(len / LINE).min(16) + 1).for_each(ahead);
        }
    }

    /// Asks for the memory of the next line, which is a long one. The line before has asked for less.
    #[inline]
    pub fn prefetch(&self, last: &Last) {
        const LONG: usize = 512;
        let (at, place) = (self.next.load(Ordering::Relaxed), last.place.get());
        if (place.number, place.index) == (self.number, at / WINDOW) {
            for byte in (0..LONG).step_by(64) {
                prefetch(place.base.wrapping_add((at % WINDOW) as usize + byte));
            }
        }
    }

    /// Writes a line that lies in two windows, in another one than the line before, or in none.
    #[cold]
    #[inline(never)]
    pub fn write_elsewhere(&self, last: &Last, at: Option<u64>, write: &dyn Fn(&mut Pen<'_>)) {
        let mut text = Text::default();
        text.pen(write);
        match at {
            Some(at) if at & CLOSED != 0 => {}
            Some(at) => self.put(last, at, text.bytes()),
            None => self.put_unmapped(text.bytes()),
        }
    }

    /// To what cannot be mapped. What cannot be written there is said, but where it would be written, too.
    fn put_unmapped(&self, line: &[u8]) {
        if let Err(why) = log::put_to(self.descriptor, line)
            && self.descriptor != STDERR
            && !self.broken.swap(true, Ordering::Relaxed)
        {
            log::error!("DOPPEL_TRACE: lines are lost: {why}");
        }
    }

    fn put(&self, last: &Last, mut at: u64, mut line: &[u8]) {
        while !line.is_empty() {
            let (index, offset) = (at / WINDOW, at % WINDOW);
            let len = line.len().min((WINDOW - offset) as usize);
            let Some((window, remembers)) = self.window(last, index, len as u64) else { return };
            // SAFETY: the window lives until all of its bytes are told of, and these are not yet; they are this line's alone.
            unsafe { ptr::copy_nonoverlapping(line.as_ptr(), (*window).base.add(offset as usize), len) };
            if !remembers {
                self.tell(Place { index, window, bytes: len as u64, ..Place::NONE });
            }
            line = &line[len..];
            at += len as u64;
        }
    }

    /// The window with a number, where the caller writes that many bytes, and whether the thread will tell of them. One that ends
    /// does not remember to.
    #[inline]
    fn window(&self, last: &Last, index: u64, bytes: u64) -> Option<(*mut Window, bool)> {
        match self.same(last, index, bytes) {
            Some(place) => Some((place.window, true)),
            None => self.find(last, index, bytes),
        }
    }

    /// The window of the thread's last line, if it is the one with that number, where the caller writes that many bytes.
    #[inline(always)]
    fn same(&self, last: &Last, index: u64, bytes: u64) -> Option<Place> {
        let place = last.place.get();
        if (place.number, place.index) != (self.number, index) {
            return None;
        }
        last.place.set(Place { bytes: place.bytes + bytes, ..place });
        Some(place)
    }

    /// A thread has written to a window what it had to.
    #[cold]
    fn tell(&self, place: Place) {
        // SAFETY: the window lives until all of its bytes are told of, and these are not yet.
        let before = unsafe { (*place.window).written.fetch_add(place.bytes, Ordering::AcqRel) };
        if before + place.bytes == WINDOW {
            self.complete(place.window);
        }
    }

    #[cold]
    fn find(&self, last: &Last, index: u64, bytes: u64) -> Option<(*mut Window, bool)> {
        // SAFETY: the calling thread's own.
        let errno = unsafe { *libc::__errno_location() };
        let window = self.find_or_map(index);
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = errno };
        let window = window?;
        let sink = if self.kept { ptr::from_ref(self) } else { ptr::null() };
        // SAFETY: the window lives until all of its bytes are told of, and these are not yet.
        let base = unsafe { (*window).base };
        let place = Place { sink, number: self.number, index, window, base, bytes };
        if !last.kept.get() {
            return Some((window, false));
        }
        let before = last.place.replace(place);
        if before.number == self.number && before.bytes > 0 {
            self.tell(before);
        }
        Some((window, true))
    }

    fn find_or_map(&self, index: u64) -> Option<*mut Window> {
        let mut windows = self.windows.lock();
        while windows.preparing == Some(index) {
            self.mapped_ahead.wait(&mut windows);
        }
        // SAFETY: windows in the list are alive.
        let found = windows.open.iter().copied().find(|&window| unsafe { (*window).index } == index);
        let window = found.or_else(|| {
            // The helper has not come to it, or a thread is late.
            windows.fresh = windows.fresh.max(index + 1);
            let new = self.map(index)?;
            windows.open.push(new);
            Some(new)
        })?;
        // A short trace makes no thread.
        if self.kept && index > 0 && windows.wanted < index + 1 + AHEAD {
            // SAFETY: sinks that are kept are never freed.
            let kept: &'static Sink = unsafe { &*ptr::from_ref(self) };
            if *windows.helper.get_or_insert_with(|| thread::spawn("doppel-trace", move || kept.help())) {
                windows.wanted = index + 1 + AHEAD;
                self.asked.notify_one();
            }
        }
        Some(window)
    }

    /// What the helper does.
    fn help(&self) {
        let mut windows = self.windows.lock();
        loop {
            if windows.fresh >= windows.wanted {
                self.asked.wait(&mut windows);
                continue;
            }
            let index = windows.fresh;
            windows.fresh += 1;
            windows.preparing = Some(index);
            let done = core::mem::take(&mut windows.done);
            drop(windows);
            let new = self.map(index);
            done.into_iter().for_each(Self::give_back);
            windows = self.windows.lock();
            windows.preparing = None;
            windows.open.extend(new);
            self.mapped_ahead.notify_all();
        }
    }

    /// Maps a piece of the file, which has its place on the disk from then on, and consists of empty lines.
    fn map(&self, index: u64) -> Option<*mut Window> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        let start = (index * WINDOW) as libc::off_t;
        let mut failed = identity(self.descriptor).is_none_or(|(identity, _)| identity != self.identity);
        failed = failed || !self.fill(start);
        let mapping = (!failed).then(|| HostMapping::file_at_once(self.descriptor, start, WINDOW as usize)).flatten();
        let Some(mapping) = mapping else {
            if !self.broken.swap(true, Ordering::Relaxed) {
                log::error!("DOPPEL_TRACE: the file cannot grow, or is not there any more: nothing more is written");
            }
            return None;
        };
        let base = ptr::with_exposed_provenance_mut::<u8>(mapping.base());
        Some(Box::into_raw(Box::new(Window { index, base, _mapping: mapping, written: AtomicU64::new(0) })))
    }

    /// Makes a piece of the file empty lines. By a call, which is twice as fast as to do it through a mapping.
    fn fill(&self, start: libc::off_t) -> bool {
        static EMPTY: [u8; 16 << 10] = [b'\n'; 16 << 10];
        let mut done = 0;
        while done < WINDOW as usize {
            let rest = &EMPTY[..EMPTY.len().min(WINDOW as usize - done)];
            // SAFETY: a descriptor of ours; the file is written by us alone.
            let n =
                unsafe { libc::pwrite(self.descriptor, rest.as_ptr().cast(), rest.len(), start + done as libc::off_t) };
            match usize::try_from(n) {
                Ok(n) if n > 0 => done += n,
                _ if n < 0 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
                _ => return false,
            }
        }
        true
    }

    /// Nobody writes to this window any more.
    fn complete(&self, window: *mut Window) {
        let mut windows = self.windows.lock();
        windows.open.retain(|&other| other != window);
        if windows.helper == Some(true) {
            windows.done.push(window);
        } else {
            drop(windows);
            Self::give_back(window);
        }
    }

    fn give_back(window: *mut Window) {
        // SAFETY: all of its bytes are written, so that nobody else has any to write; a thread that remembers it does not look
        // at it for another window.
        drop(unsafe { Box::from_raw(window) });
    }

    /// Writes the last line, and ends the file behind it. What comes later is lost.
    pub fn close(&self, last: &[u8]) {
        if !self.mapped {
            self.put_unmapped(last);
            return;
        }
        self.write(&Last::new(), last);
        let end = self.next.fetch_or(CLOSED, Ordering::AcqRel);
        if end & CLOSED != 0 {
            return;
        }
        // What the helper is about to map would make the file longer again.
        let mut windows = self.windows.lock();
        windows.wanted = 0;
        windows.helper = Some(false);
        while windows.preparing.is_some() {
            // A child without this thread, which no handler has told of the fork, waits for nobody for long.
            if self.mapped_ahead.wait_for(&mut windows, core::time::Duration::from_secs(1)).timed_out() {
                break;
            }
        }
        drop(windows);
        if identity(self.descriptor).is_some_and(|(identity, _)| identity == self.identity) {
            // Mappings reach beyond the end, but nobody writes there: lines have their places before it.
            // SAFETY: a descriptor of ours.
            unsafe { libc::ftruncate(self.descriptor, end as libc::off_t) };
        }
    }
}

#[cfg(test)]
impl Sink {
    /// What is written meanwhile.
    pub fn written(&self, write: impl FnOnce()) -> Vec<u8> {
        use std::os::fd::FromRawFd;
        use std::os::unix::fs::FileExt;
        let start = self.next.load(Ordering::Relaxed);
        write();
        let mut bytes = vec![0; (self.next.load(Ordering::Relaxed) - start) as usize];
        // SAFETY: the sink's own, which stays open.
        let file = core::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(self.descriptor) });
        file.read_exact_at(&mut bytes, start).unwrap();
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("doppel-sink-{name}-{}", std::process::id()))
    }

    #[test]
    fn lines_of_many_threads_are_whole() {
        let path = path("threads");
        let sink = Sink::open(&path).unwrap().unwrap().keep();
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                std::thread::spawn(move || {
                    let last = Last::new();
                    last.keep(true);
                    for i in 0..20_000 {
                        sink.write(&last, format!("{thread} {i} {}\n", "x".repeat(i % 50)).as_bytes());
                    }
                    last.keep(false);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(sink.windows.lock().open.len() <= 1 + AHEAD as usize, "windows that are written are given back");
        // A second one is refused while this one writes.
        assert!(Sink::open(&path).unwrap().is_none());
        sink.close(b"end\n");
        sink.write(&Last::new(), b"too late\n");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut next = [0usize; 4];
        let (last, lines) = text.lines().collect::<Vec<_>>().split_last().map(|(a, b)| (*a, b.to_vec())).unwrap();
        assert_eq!(last, "end");
        for line in &lines {
            let words: Vec<_> = line.split(' ').collect();
            let (thread, i): (usize, usize) = (words[0].parse().unwrap(), words[1].parse().unwrap());
            assert_eq!((i, words[2].len()), (next[thread], i % 50), "{line}");
            next[thread] += 1;
        }
        assert_eq!(next, [20_000; 4]);
    }

    #[test]
    fn what_is_written_is_in_the_file_at_once() {
        let path = path("at-once");
        let sink = Sink::open(&path).unwrap().unwrap();
        sink.write(&Last::new(), b"first\n");
        assert!(std::fs::read(&path).unwrap().starts_with(b"first\n\n"));
        sink.close(b"");
        assert_eq!(std::fs::read(&path).unwrap(), b"first\n");
        std::fs::remove_file(&path).unwrap();
        assert!(Sink::open(Path::new("/nowhere/at/all")).is_err());
    }
}
