//! The error log: a message for each refused call and its reason, which programs read, dump, or hear about.
//!
//! The log has a bounded size; old messages give way. Messages are numbered from 0; an iterator is the number of the message
//! that comes next.

use crate::base::handle::{HandleKind, Table};
use core::cell::Cell;
use core::ffi::{c_char, c_int, c_void};
use core::fmt::{Arguments, Write};
use core::sync::atomic::{AtomicBool, Ordering};
use error::{Error, Result, lock_briefly, refuse};
use settings::log;
use std::ffi::CString;
use std::sync::{Arc, Mutex, OnceLock};

/// The most bytes of messages that are kept, as the manual says.
const CAPACITY: usize = 25_600;
/// The longest message in bytes, what stands before it and the newline included; what is longer is cut off.
const LINE: usize = 512;
/// The level of errors, `CU_LOG_LEVEL_ERROR`.
const ERROR: c_int = 0;

/// What a program registers: its data, the level, the message, which ends in NUL, and its bytes without that.
pub type Callback = unsafe extern "C" fn(*mut c_void, c_int, *mut c_char, usize);

/// A registered callback.
pub struct Registration {
    /// What the program holds.
    pub handle: usize,
    function: Callback,
    data: usize,
}

static REGISTRATIONS: Table<Registration> = Table::new(HandleKind::LogCallback);
/// False until the first callback was registered: then nobody needs to be looked for.
static HAS_CALLBACKS: AtomicBool = AtomicBool::new(false);

/// The most lines: none is shorter than its time and thread.
const LINES: usize = 1024;

/// Lines that end in newlines, in a ring.
struct Ring {
    bytes: [u8; CAPACITY],
    /// The bytes of lines, by their numbers.
    lengths: [u16; LINES],
    /// Where the oldest line begins, and the bytes of all.
    start: usize,
    len: usize,
    /// The numbers of the oldest line and of the next one.
    first: u32,
    next: u32,
}

impl Ring {
    const EMPTY: Ring = Ring { bytes: [0; CAPACITY], lengths: [0; LINES], start: 0, len: 0, first: 0, next: 0 };

    /// The bytes from `at` on: as they lie in the ring, and what goes on at its beginning.
    fn parts(&self, at: usize) -> (&[u8], &[u8]) {
        let (from, len) = ((self.start + at) % CAPACITY, self.len - at);
        let here = len.min(CAPACITY - from);
        (&self.bytes[from..from + here], &self.bytes[..len - here])
    }

    /// The bytes of a line, its newline included.
    fn line(&self, number: u32) -> usize {
        self.lengths[number as usize % LINES].into()
    }

    fn push(&mut self, line: &[u8]) {
        while self.len + line.len() > CAPACITY || self.next.wrapping_sub(self.first) as usize == LINES {
            let oldest = self.line(self.first);
            self.start = (self.start + oldest) % CAPACITY;
            self.len -= oldest;
            self.first = self.first.wrapping_add(1);
        }
        let to = (self.start + self.len) % CAPACITY;
        let (here, rest) = line.split_at(line.len().min(CAPACITY - to));
        self.bytes[to..to + here.len()].copy_from_slice(here);
        self.bytes[..rest.len()].copy_from_slice(rest);
        self.len += line.len();
        self.lengths[self.next as usize % LINES] = line.len() as u16;
        self.next = self.next.wrapping_add(1);
    }

    /// The messages from number `from` on, the newest that fit into `room` bytes. `None`: there is no such number yet.
    fn read(&self, from: u32, room: usize) -> Option<Messages> {
        if from > self.next {
            return None;
        }
        let lost = from < self.first;
        let from = from.max(self.first);
        let of = |notice: &'static str| {
            let mut number = self.next;
            let mut bytes = notice.len();
            while number > from && bytes + self.line(number - 1) <= room {
                number -= 1;
                bytes += self.line(number);
            }
            (notice, number, bytes)
        };
        let mut chosen = of(if lost { OVERWRITTEN } else { "" });
        if chosen.1 > from {
            // A notice that leaves no room for a message is left out.
            chosen = Some(of(NO_ROOM)).filter(|with| with.1 < self.next).unwrap_or_else(|| of(""));
        }
        let (notice, number, bytes) = chosen;
        let mut text = notice.as_bytes().to_vec();
        let (here, rest) = self.parts(self.len - (bytes - notice.len()).min(self.len));
        text.extend_from_slice(here);
        text.extend_from_slice(rest);
        let refused = number == self.next && from < self.next;
        Some(Messages { text: if refused { Vec::new() } else { text }, next: self.next, refused })
    }
}

/// What is read from the log.
#[derive(Debug, PartialEq, Eq)]
pub struct Messages {
    /// Whole messages, each with a newline. Where some are missing, a line before them says so.
    pub text: Vec<u8>,
    /// The number of the message that comes next.
    pub next: u32,
    /// There are messages, but no room for one.
    pub refused: bool,
}

const OVERWRITTEN: &str = "Older messages were overwritten.\n";
const NO_ROOM: &str = "The buffer has no room for all messages: older ones are missing.\n";

static RING: Mutex<Ring> = Mutex::new(Ring::EMPTY);

/// A message on its way: what stands before it, the message, a NUL or newline.
struct Message {
    bytes: [u8; LINE],
    len: usize,
}

impl Message {
    /// The last byte is for the end.
    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(LINE - 1 - self.len)];
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// A number of at least `digits` digits.
    fn push_number(&mut self, mut number: u64, digits: usize) {
        let mut text = [b'0'; 20];
        let mut at = text.len();
        while number > 0 || text.len() - at < digits {
            at -= 1;
            text[at] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.push(&text[at..]);
    }
}

impl Write for Message {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        let from = self.len;
        self.push(s.as_bytes());
        // A message is one line, whatever names and paths are in it.
        self.bytes[from..self.len].iter_mut().filter(|byte| byte.is_ascii_control()).for_each(|byte| *byte = b' ');
        Ok(())
    }
}

/// Hours, minutes, seconds and milliseconds of the day where the user is.
fn time_of_day() -> [u64; 4] {
    /// Seconds from UTC to local time. Asked for once: the C library takes a lock, which a child of a fork may find held.
    static OFFSET: OnceLock<i64> = OnceLock::new();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs() as i64;
    let offset = *OFFSET.get_or_init(|| {
        // SAFETY: zero bytes are a `tm`, and both arguments are valid.
        unsafe {
            let mut parts: libc::tm = core::mem::zeroed();
            libc::localtime_r(&seconds, &mut parts);
            parts.tm_gmtoff
        }
    });
    let day = (seconds + offset).rem_euclid(86_400) as u64;
    [day / 3600, day / 60 % 60, day % 60, u64::from(now.subsec_millis())]
}

/// The file that `CUDA_LOG_FILE` names.
static FILE: OnceLock<CString> = OnceLock::new();

/// Messages are written to a file, too: `stdout`, `stderr`, or a path. Called by `cuInit`.
pub fn write_to(file: &[u8]) {
    if let Ok(file) = CString::new(file) {
        let _ = FILE.set(file);
    }
}

/// Appends lines to the file. It is opened each time: nothing stays open in a program that counts its descriptors.
fn append(lines: &[u8]) {
    let Some(file) = FILE.get() else { return };
    let (fd, opened) = match file.to_bytes() {
        b"stdout" => (1, false),
        b"stderr" => (2, false),
        // SAFETY: the path ends in NUL.
        _ => unsafe {
            (libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC, 0o644), true)
        },
    };
    if fd < 0 {
        return;
    }
    let _ = log::put_to(fd, lines);
    if opened {
        // SAFETY: the descriptor is ours.
        unsafe { libc::close(fd) };
    }
}

std::thread_local! {
    /// This thread runs a callback: what is refused there is logged, and no callback hears of it.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Logs an error. `errno` is kept.
#[cold]
pub fn write(message: Arguments) {
    // SAFETY: errno is the calling thread's own; the other functions have no conditions.
    let (errno, thread) = unsafe { (*libc::__errno_location(), libc::pthread_self()) };
    let [hours, minutes, seconds, milliseconds] = time_of_day();
    let mut line = Message { bytes: [0; LINE], len: 0 };
    // By hand: refused calls are common, and this is done for each.
    for (before, number, digits) in
        [("[", hours, 2), (":", minutes, 2), (":", seconds, 2), (".", milliseconds, 3), ("][", thread, 1)]
    {
        line.push(before.as_bytes());
        line.push_number(number, digits);
    }
    line.push(b"][CUDA][E] ");
    let begins = line.len;
    let _ = line.write_fmt(message);
    let ends = line.len;
    line.bytes[ends] = b'\n';
    if let Some(mut ring) = lock_briefly(&RING) {
        ring.push(&line.bytes[..=ends]);
    }
    append(&line.bytes[..=ends]);
    line.bytes[ends] = 0;
    if HAS_CALLBACKS.load(Ordering::Relaxed) && !IN_CALLBACK.replace(true) {
        for registration in REGISTRATIONS.all() {
            // SAFETY: the program's function, called as it was promised; the message ends in NUL and lives until it returns.
            unsafe {
                let message = line.bytes.as_mut_ptr().add(begins);
                (registration.function)(registration.data as *mut c_void, ERROR, message.cast(), ends - begins);
            }
        }
        IN_CALLBACK.set(false);
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}

/// Registers a callback for all messages to come. The same one may be registered more than once.
pub fn register(function: Callback, data: *mut c_void) -> Result<Arc<Registration>> {
    HAS_CALLBACKS.store(true, Ordering::Relaxed);
    let data = data as usize;
    REGISTRATIONS
        .insert_with(|handle| Arc::new(Registration { handle, function, data }))
        .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many callbacks"))
}

/// Withdraws a callback. It may still be running in another thread.
pub fn unregister(handle: usize) -> Result<()> {
    REGISTRATIONS
        .remove(handle)
        .map(drop)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "callback {:#x} is not registered", handle))
}

/// The number of the message that comes next.
pub fn current() -> u32 {
    lock_briefly(&RING).map_or(0, |ring| ring.next)
}

/// The messages from number `from` on, or all, as many of the newest as `room` bytes hold.
pub fn read(from: Option<u32>, room: usize) -> Result<Messages> {
    let Some(ring) = lock_briefly(&RING) else { return Ok(Messages { text: Vec::new(), next: 0, refused: false }) };
    let from = from.unwrap_or(0);
    ring.read(from, room)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "iterator {} is beyond the last message, {}", from, ring.next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring_of(lines: &[&str]) -> Ring {
        let mut ring = Ring::EMPTY;
        lines.iter().for_each(|line| ring.push(line.as_bytes()));
        ring
    }

    #[test]
    fn messages_are_read_from_a_number_on() {
        let ring = ring_of(&["one\n", "two\n", "three\n"]);
        let read = |from, room| ring.read(from, room).map(|m| (String::from_utf8(m.text).unwrap(), m.next, m.refused));
        let gives = |text: &str| Some((text.to_owned(), 3, false));
        assert_eq!(read(0, 100), gives("one\ntwo\nthree\n"));
        assert_eq!(read(1, 10), gives("two\nthree\n"));
        assert_eq!(read(0, 13), gives("two\nthree\n"), "whole messages only, without a notice that has no room");
        assert_eq!(read(0, 3), Some((String::new(), 3, true)));
        assert_eq!(read(3, 0), gives(""));
        assert_eq!(read(4, 100), None);
        let long = "long\n".repeat(20);
        let ring = ring_of(&[&long, "one\n", "two\n"]);
        let text = String::from_utf8(ring.read(0, 80).unwrap().text).unwrap();
        assert_eq!(text, format!("{NO_ROOM}one\ntwo\n"));
    }

    #[test]
    fn old_messages_give_way() {
        let mut ring = Ring::EMPTY;
        for n in 0..5000 {
            ring.push(format!("message {n}\n").as_bytes());
        }
        let mut long = Ring::EMPTY;
        for n in 0..5000 {
            long.push(format!("{:>90}message {n}\n", "").as_bytes());
        }
        let text = long.read(0, 2 * CAPACITY).unwrap().text;
        let text = text.strip_prefix(OVERWRITTEN.as_bytes()).unwrap();
        assert!(text.len() <= CAPACITY && text.len() > CAPACITY - 103);
        assert!(text.starts_with(format!("{:>90}message {}\n", "", long.first).as_bytes()));
        let Messages { text, next, refused } = ring.read(0, 2 * CAPACITY).unwrap();
        assert_eq!((next, refused), (5000, false));
        let text = text.strip_prefix(OVERWRITTEN.as_bytes()).unwrap();
        assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), LINES, "lines this short are not made");
        assert!(text.ends_with(b"message 4998\nmessage 4999\n"));
        assert!(text.starts_with(format!("message {}\n", ring.first).as_bytes()));
    }
}
