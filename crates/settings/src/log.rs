//! Messages to the user, on stderr. Usable at any time: no allocation, no lock, no panic, `errno` is kept.

use crate::pipe;
use core::ffi::{CStr, c_char};
use core::fmt::{Arguments, Write};
use core::sync::atomic::{AtomicU8, Ordering};

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// As a threshold: silence.
    Off,
    /// Something cannot work.
    Error,
    /// Something is not as the user probably expects.
    Warn,
    /// Decisions, such as the mode, and every refused call with the reason.
    Info,
    /// Details, such as questions that are answered with "not ready".
    Debug,
}

impl Level {
    /// Reads the value of `DOPPEL_LOG`.
    pub fn parse(text: &str) -> Option<Level> {
        Some(match text {
            "off" => Level::Off,
            "error" => Level::Error,
            "warn" => Level::Warn,
            "info" => Level::Info,
            "debug" => Level::Debug,
            _ => return None,
        })
    }
}

const UNKNOWN: u8 = u8::MAX;
static THRESHOLD: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Messages above this level are dropped.
pub fn set_level(level: Level) {
    THRESHOLD.store(level as u8, Ordering::Relaxed);
}

/// True when messages of this level are written.
pub fn enabled(level: Level) -> bool {
    let mut threshold = THRESHOLD.load(Ordering::Relaxed);
    if threshold == UNKNOWN {
        // A malformed value is reported with the rest of the configuration; until then it means the default.
        threshold = level_of_environment().unwrap_or(Level::Warn) as u8;
        THRESHOLD.store(threshold, Ordering::Relaxed);
    }
    level as u8 <= threshold
}

/// `DOPPEL_LOG` alone, for the first message.
pub fn level_of_environment() -> Option<Level> {
    // SAFETY: as in `raw`; nothing is allocated, because messages are possible anywhere.
    let value = unsafe {
        let value: *const c_char = libc::getenv(c"DOPPEL_LOG".as_ptr());
        if value.is_null() {
            return None;
        }
        CStr::from_ptr(value)
    };
    value.to_str().ok().and_then(Level::parse)
}

const PREFIX: &[u8] = b"doppel: ";
const LINE: usize = 2048;

/// One line, cut off where it would not fit.
struct Line {
    bytes: [u8; LINE],
    len: usize,
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        // The last byte is kept for the newline.
        let len = bytes.len().min(LINE - 1 - self.len);
        self.bytes[self.len..self.len + len].copy_from_slice(&bytes[..len]);
        self.len += len;
    }
}

impl Write for Line {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        for byte in s.bytes() {
            // A message is one line, whatever names and paths are in it.
            self.push(&[if byte.is_ascii_control() { b' ' } else { byte }]);
        }
        Ok(())
    }
}

/// Writes a message; `log::error!` and the like are the usual way to call this.
#[cold]
pub fn write(level: Level, message: Arguments) {
    if !enabled(level) {
        return;
    }
    let mut line = Line { bytes: [0; LINE], len: 0 };
    line.push(PREFIX);
    let _ = line.write_fmt(message);
    line.bytes[line.len] = b'\n';
    put(&line.bytes[..line.len + 1]);
}

/// Writes bytes on stderr as they are.
pub fn put(bytes: &[u8]) {
    let _ = put_to(2, bytes);
}

/// The same to another descriptor. The error says why the rest could not be written.
pub fn put_to(descriptor: i32, bytes: &[u8]) -> std::io::Result<()> {
    let (mut rest, mut why) = (bytes, 0);
    // SAFETY: errno is the calling thread's own; the buffer is valid for its length.
    unsafe {
        let errno = libc::__errno_location();
        let kept = *errno;
        while !rest.is_empty() {
            let n = pipe::without_signal(|| libc::write(descriptor, rest.as_ptr().cast(), rest.len()));
            if n > 0 {
                rest = &rest[n as usize..];
            } else if *errno != libc::EINTR {
                why = *errno;
                break;
            }
        }
        *errno = kept;
    }
    if rest.is_empty() { Ok(()) } else { Err(std::io::Error::from_raw_os_error(why)) }
}

/// Logs an error: something cannot work.
#[macro_export]
macro_rules! log_error {
    ($($arg:tt)*) => { $crate::log::write($crate::log::Level::Error, format_args!($($arg)*)) };
}

/// Logs a warning: something is not as the user probably expects.
#[macro_export]
macro_rules! log_warn {
    ($($arg:tt)*) => { $crate::log::write($crate::log::Level::Warn, format_args!($($arg)*)) };
}

/// Logs a decision.
#[macro_export]
macro_rules! log_info {
    ($($arg:tt)*) => { $crate::log::write($crate::log::Level::Info, format_args!($($arg)*)) };
}

/// Logs a detail.
#[macro_export]
macro_rules! log_debug {
    ($($arg:tt)*) => { $crate::log::write($crate::log::Level::Debug, format_args!($($arg)*)) };
}

/// Runs its expression the first time this line is reached in the process, and never again.
#[macro_export]
macro_rules! once {
    ($what:expr) => {{
        static DONE: core::sync::atomic::AtomicBool = core::sync::atomic::AtomicBool::new(false);
        if !DONE.swap(true, core::sync::atomic::Ordering::Relaxed) {
            $what;
        }
    }};
}

pub use crate::{log_debug as debug, log_error as error, log_info as info, log_warn as warn, once};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        assert_eq!(Level::parse("warn"), Some(Level::Warn));
        assert_eq!(Level::parse("WARN"), None);
        assert_eq!(Level::parse(""), None);
        assert!(Level::Error < Level::Debug);
    }

    #[test]
    fn a_line_is_cut_and_has_no_line_breaks() {
        let mut line = Line { bytes: [0; LINE], len: 0 };
        write!(line, "a\nb{}", "x".repeat(5000)).unwrap();
        assert_eq!(line.len, LINE - 1);
        assert_eq!(&line.bytes[..4], b"a bx");
    }
}
