//! What kernels print: `printf` and the messages of failed assertions.
//!
//! It is kept until the program waits for the device or the context goes, and then written through the C library's own
//! streams, so that it stands in one order with what the program prints.

use crate::engine::services::{Assertion, Thread};
use crate::guard;
use crate::hot;
use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::Ordering;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Once;

/// Longest string that is read from a kernel's memory.
const LONGEST: usize = 1 << 20;
/// Bytes of a record in the device's buffer.
const RECORD: u64 = 256;
/// More arguments than that are not formatted.
const MOST_ARGUMENTS: usize = 32;

/// Whom a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Output,
    Error,
}

#[derive(Default)]
struct Kept {
    /// With the bytes that each takes of the device's buffer.
    texts: VecDeque<(Target, Vec<u8>, u64)>,
    /// Those of all.
    bytes: u64,
}

/// The buffer of a context.
#[derive(Default)]
pub struct Output {
    kept: Mutex<Kept>,
}

/// Writes what kernels have printed. To be called whenever the program has waited for work.
#[inline]
pub fn synchronized() {
    if hot::PROCESS.printed.load(Ordering::Relaxed) && hot::PROCESS.printed.swap(false, Ordering::AcqRel) {
        super::context::CONTEXTS.all().iter().for_each(|context| context.system.output.flush());
    }
}

extern "C" fn flush_at_exit() {
    synchronized();
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
    static stderr: *mut libc::FILE;
}

impl Output {
    /// Keeps a text. When the buffer of `limit` bytes has no room, the oldest ones are lost.
    fn keep(&self, target: Target, text: Vec<u8>, bytes: u64, limit: u64) {
        static AT_EXIT: Once = Once::new();
        let mut kept = self.kept.lock();
        kept.bytes += bytes;
        while kept.bytes > limit
            && let Some((_, _, bytes)) = kept.texts.pop_front()
        {
            kept.bytes -= bytes;
        }
        kept.texts.push_back((target, text, bytes));
        hot::PROCESS.printed.store(true, Ordering::Release);
        drop(kept);
        // A device's output comes some time after the kernel has ended, also if nobody waits for it.
        // SAFETY: registers a function that can be called at any time.
        AT_EXIT.call_once(|| _ = unsafe { libc::atexit(flush_at_exit) });
    }

    /// `vprintf` of a kernel.
    pub fn print(&self, format: u64, arguments: u64, limit: u64) -> i32 {
        let Ok(text) = guard::read_string(format as usize, LONGEST) else { return -1 };
        let mut at = arguments as usize;
        let (text, count, size) = formatted(&text, |bytes| {
            at = at.next_multiple_of(bytes);
            let value = guard::read_vec(at, bytes).ok()?;
            at += bytes;
            let mut wide = [0; 8];
            wide[..bytes].copy_from_slice(&value);
            Some(u64::from_le_bytes(wide))
        });
        // Records have a fixed size, as long as they are not long.
        self.keep(Target::Output, text, size.next_multiple_of(RECORD), limit);
        count as i32
    }

    /// The message of a failed assertion.
    pub fn assertion(&self, thread: Thread, assertion: Assertion) {
        let string = |address: u64| guard::read_string(address as usize, LONGEST).unwrap_or_default();
        let Thread { block: [bx, by, bz], thread: [tx, ty, tz] } = thread;
        let mut text = string(assertion.file);
        text.extend(format!(":{}: ", assertion.line).bytes());
        text.extend(string(assertion.function));
        text.extend(format!(": block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] Assertion `").bytes());
        text.extend(string(assertion.message));
        text.extend(b"` failed.\n");
        self.keep(Target::Error, text, 0, u64::MAX);
    }

    /// Writes everything that was kept.
    pub fn flush(&self) {
        let kept = core::mem::take(&mut *self.kept.lock());
        for (target, text, _) in &kept.texts {
            // SAFETY: the C library's own streams, and bytes of ours.
            unsafe {
                let stream = if *target == Target::Output { stdout } else { stderr };
                libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stream);
            }
        }
        if kept.texts.iter().any(|t| t.0 == Target::Output) {
            // SAFETY: as above.
            unsafe { libc::fflush(stdout) };
        }
    }
}

/// A conversion of a format: how its argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `%%`.
    Percent,
    /// Bytes of an integer.
    Integer(usize),
    Double,
    String,
    Pointer,
}

/// One conversion: its text without `%` and letter, the places of `*`, and what it converts.
struct Conversion {
    /// Bytes of the format that it takes, `%` included.
    length: usize,
    stars: usize,
    kind: Kind,
}

/// Reads the conversion that a text begins with; `None` for what is none.
fn conversion(text: &[u8]) -> Option<Conversion> {
    let at = |i: usize| text.get(i).copied().unwrap_or(0);
    let (mut i, mut stars) = (1, 0);
    while matches!(at(i), b'-' | b'+' | b' ' | b'#' | b'0') {
        i += 1;
    }
    let mut number = |i: &mut usize| {
        if at(*i) == b'*' {
            stars += 1;
            *i += 1;
        } else {
            while at(*i).is_ascii_digit() {
                *i += 1;
            }
        }
    };
    number(&mut i);
    if at(i) == b'.' {
        i += 1;
        // A precision that is an argument is not known to the real driver either.
        while at(i).is_ascii_digit() {
            i += 1;
        }
    }
    let mut wide = 0;
    while matches!(at(i), b'h' | b'l') {
        wide += usize::from(at(i) == b'l');
        i += 1;
    }
    let kind = match at(i) {
        b'%' => Kind::Percent,
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => Kind::Integer(if wide > 0 { 8 } else { 4 }),
        b'c' => Kind::Integer(4),
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => Kind::Double,
        b's' => Kind::String,
        b'p' => Kind::Pointer,
        _ => return None,
    };
    Some(Conversion { length: i + 1, stars, kind })
}

/// Formats a text as the C library does. `next` gives the next argument of so many bytes. Also counts the arguments, and
/// the bytes that the record takes.
fn formatted(format: &[u8], mut next: impl FnMut(usize) -> Option<u64>) -> (Vec<u8>, usize, u64) {
    let (mut text, mut count, mut size, mut at) = (Vec::new(), 0, 16u64, 0);
    while let Some(&byte) = format.get(at) {
        if byte != b'%' {
            text.push(byte);
            at += 1;
            continue;
        }
        let rest = &format[at..];
        let Some(found) = conversion(rest) else {
            text.push(byte);
            at += 1;
            continue;
        };
        let piece = &rest[..found.length];
        at += found.length;
        if found.kind == Kind::Percent {
            text.push(b'%');
            continue;
        }
        if count + found.stars + 1 > MOST_ARGUMENTS {
            text.extend(piece);
            continue;
        }
        let mut stars = [0i32; 1];
        let mut whole = true;
        for star in stars.iter_mut().take(found.stars) {
            whole &= next(4).map(|value| *star = value as i32).is_some();
        }
        let bytes = if let Kind::Integer(bytes) = found.kind { bytes } else { 8 };
        let value = next(bytes);
        let (Some(value), true) = (value, whole) else { break };
        count += found.stars + 1;
        size += 8 * (found.stars as u64 + 1);
        text.extend(convert(piece, &stars[..found.stars], found.kind, value));
    }
    (text, count, size)
}

/// Formats one value.
fn convert(piece: &[u8], stars: &[i32], kind: Kind, value: u64) -> Vec<u8> {
    let mut specification: Vec<u8> = Vec::new();
    let mut numbers = stars.iter();
    for &byte in piece {
        match (byte, numbers.as_slice()) {
            (b'*', [number, ..]) => {
                specification.extend(number.to_string().bytes());
                numbers.next();
            }
            (b'h' | b'l', _) => {}
            _ => specification.push(byte),
        }
    }
    let letter = specification.pop().unwrap_or(b'd');
    if kind == Kind::Integer(8) {
        specification.extend(b"ll");
    } else if piece.ends_with(&[b'h', b'h', letter]) {
        specification.extend(b"hh");
    } else if piece.ends_with(&[b'h', letter]) {
        specification.extend(b"h");
    }
    specification.extend([letter, 0]);
    let string = match kind {
        Kind::String if value != 0 => guard::read_string(value as usize, LONGEST).unwrap_or_default(),
        Kind::String => b"(null)".to_vec(),
        _ => Vec::new(),
    };
    let string = std::ffi::CString::new(string).unwrap_or_default();
    let format = specification.as_ptr().cast::<c_char>();
    let write = |to: *mut c_char, room: usize| -> c_int {
        // SAFETY: the specification ends in NUL and asks for one argument of the type that is passed.
        unsafe {
            match kind {
                Kind::Double => libc::snprintf(to, room, format, f64::from_bits(value)),
                Kind::String => libc::snprintf(to, room, format, string.as_ptr()),
                Kind::Pointer => libc::snprintf(to, room, format, value as *const c_void),
                Kind::Integer(8) => libc::snprintf(to, room, format, value as libc::c_longlong),
                _ => libc::snprintf(to, room, format, value as c_int),
            }
        }
    };
    let length = write(core::ptr::null_mut(), 0).clamp(0, 1 << 24) as usize;
    let mut text = vec![0u8; length + 1];
    write(text.as_mut_ptr().cast(), text.len());
    text.truncate(length);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(format: &str, arguments: &[u64]) -> (String, usize) {
        let mut arguments = arguments.iter();
        let (text, count, _) = formatted(format.as_bytes(), |bytes| {
            arguments.next().map(|v| if bytes == 4 { v & 0xffff_ffff } else { *v })
        });
        (String::from_utf8(text).unwrap(), count)
    }

    #[test]
    fn formats_as_the_c_library_does() {
        let double = |x: f64| x.to_bits();
        for (format, arguments, expected, count) in [
            ("plain\n", vec![], "plain\n", 0),
            ("%d %u %x|", vec![-1i64 as u64, u64::MAX, 255], "-1 4294967295 ff|", 3),
            ("%lld %llu %lx", vec![-1i64 as u64, u64::MAX, 255], "-1 18446744073709551615 ff", 3),
            ("%5.2f|%-8g|%e", vec![double(3.1444), double(0.5), double(1.0)], " 3.14|0.5     |1.000000e+00", 3),
            ("%*d|%-*d|%*d", vec![5, 42, 4, 7, -3i64 as u64, 8], "   42|7   |8  ", 6),
            ("%.*f|%zd", vec![2, double(2.25)], "%.*f|%zd", 0),
            ("%hhd %hd", vec![300, 70000], "44 4464", 2),
            ("100%% %c%c", vec![65, 66], "100% AB", 2),
            ("%s", vec![0], "(null)", 1),
            ("%p", vec![0x1234], "0x1234", 1),
            ("%q %d", vec![1], "%q 1", 1),
            ("%", vec![], "%", 0),
            ("%d and no more", vec![], "", 0),
        ] {
            assert_eq!(print(format, &arguments), (expected.to_owned(), count), "{format}");
        }
        let text = c"a string";
        assert_eq!(print("<%10s|%.3s>", &[text.as_ptr() as u64; 2]).0, "<  a string|a s>");
    }

    #[test]
    fn no_more_than_32_arguments() {
        let format = "%d".repeat(33);
        let (text, count) = print(&format, &[7; 40]);
        assert_eq!((text, count), ("7".repeat(32) + "%d", 32));
    }

    #[test]
    fn a_full_buffer_loses_the_oldest() {
        let output = Output::default();
        for text in 0..5 {
            output.keep(Target::Error, vec![text], 100, 250);
        }
        let kept: Vec<u8> = output.kept.lock().texts.iter().map(|t| t.1[0]).collect();
        assert_eq!(kept, [3, 4]);
    }
}
