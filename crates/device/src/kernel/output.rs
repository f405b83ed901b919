//! What kernels print: `printf` and the messages of failed assertions.
//!
//! It is kept until the program waits for the device or the context ends, and then written through the C library's own
//! streams, so that it is in order with the program's own output.

use crate::base::bounds::{LONGEST_PRINTED_STRING, MOST_KEPT_OUTPUT, MOST_PRINTED_ARGUMENTS};
use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::Ordering;
use engine::state::grid::Thread;
use engine::state::services::{Assertion, Services};
use guard::state;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::ffi::CString;

/// Bytes of a record in the device's buffer.
const RECORD: u64 = 256;

/// The stream that a text is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputStream {
    Output,
    Error,
}

/// A text that was printed.
struct Text {
    target: OutputStream,
    pieces: Vec<Piece>,
    /// Bytes that it takes of the device's buffer.
    bytes: u64,
}

impl Text {
    /// Bytes that it takes in our memory.
    fn held(&self) -> usize {
        self.pieces.iter().map(Piece::held).sum()
    }
}

#[derive(Default)]
struct Kept {
    texts: VecDeque<Text>,
    /// Bytes of all texts: of the device's buffer, and in our memory.
    bytes: u64,
    held: usize,
}

/// The buffer of a context.
#[derive(Default)]
pub struct Output {
    kept: Mutex<Kept>,
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
    static stderr: *mut libc::FILE;
}

impl Output {
    /// Keeps a text. When the buffer of `limit` bytes has no room, the oldest ones are lost.
    fn keep(&self, target: OutputStream, pieces: Vec<Piece>, bytes: u64, limit: u64) {
        let text = Text { target, pieces, bytes };
        let mut kept = self.kept.lock();
        kept.bytes += bytes;
        kept.held += text.held();
        while (kept.bytes > limit || kept.held > MOST_KEPT_OUTPUT)
            && let Some(lost) = kept.texts.pop_front()
        {
            kept.bytes -= lost.bytes;
            kept.held -= lost.held();
        }
        kept.texts.push_back(text);
        state::PROCESS.printed.store(true, Ordering::Release);
    }

    /// `vprintf` of a kernel. `None` when the format or an argument cannot be read.
    pub fn print(&self, services: &dyn Services, format: u64, arguments: u64, limit: u64) -> Option<i32> {
        let format = string(services, format)?;
        let mut at = arguments;
        let (pieces, count, size) = parts(&format, |kind| {
            let bytes = kind.bytes();
            at = at.checked_next_multiple_of(bytes)?;
            let found = Some(at).filter(|&at| services.may_access(at, bytes))?;
            let value = guard::read_vec(found as usize, bytes as usize).ok()?;
            at += bytes;
            let mut wide = [0; 8];
            wide[..bytes as usize].copy_from_slice(&value);
            let value = u64::from_le_bytes(wide);
            Some(match kind {
                ConversionKind::String if value != 0 => Argument::Text(string(services, value)?),
                _ => Argument::Number(value),
            })
        })?;
        // Short records all have one size.
        self.keep(OutputStream::Output, pieces, size.next_multiple_of(RECORD), limit);
        Some(count as i32)
    }

    /// The message of a failed assertion.
    pub fn assertion(&self, services: &dyn Services, thread: Thread, assertion: Assertion) {
        let string = |address: u64| string(services, address).unwrap_or_default();
        let Thread { block: [bx, by, bz], thread: [tx, ty, tz] } = thread;
        let mut text = string(assertion.file);
        text.extend(format!(":{}: ", assertion.line).bytes());
        text.extend(string(assertion.function));
        text.extend(format!(": block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] Assertion `").bytes());
        text.extend(string(assertion.message));
        text.extend(b"` failed.\n");
        self.keep(OutputStream::Error, vec![Piece::Plain(text)], 0, u64::MAX);
    }

    /// Writes everything that was kept.
    pub fn flush(&self) {
        let kept = core::mem::take(&mut *self.kept.lock());
        for Text { target, pieces, .. } in &kept.texts {
            // SAFETY: the C library's own streams.
            pieces.iter().for_each(|piece| unsafe {
                piece.write(if *target == OutputStream::Output { stdout } else { stderr })
            });
        }
        if kept.texts.iter().any(|t| t.target == OutputStream::Output) {
            // SAFETY: as above.
            unsafe { libc::fflush(stdout) };
        }
    }
}

/// Reads a string of a kernel.
fn string(services: &dyn Services, address: u64) -> Option<Vec<u8>> {
    let most = services.bytes_from(address).min(LONGEST_PRINTED_STRING as u64);
    guard::read_string(address as usize, most as usize).ok()
}

/// A conversion of a format: how its argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConversionKind {
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
    kind: ConversionKind,
}

/// Reads the conversion at the beginning of a text; `None` if there is none.
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
        b'%' => ConversionKind::Percent,
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => ConversionKind::Integer(if wide > 0 { 8 } else { 4 }),
        b'c' => ConversionKind::Integer(4),
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => ConversionKind::Double,
        b's' => ConversionKind::String,
        b'p' => ConversionKind::Pointer,
        _ => return None,
    };
    Some(Conversion { length: i + 1, stars, kind })
}

impl ConversionKind {
    /// Bytes of its argument.
    fn bytes(self) -> u64 {
        if let ConversionKind::Integer(bytes) = self { bytes as u64 } else { 8 }
    }
}

/// An argument.
enum Argument {
    Number(u64),
    Text(Vec<u8>),
}

/// A piece of what is printed. It is formatted when it is written, which the kernel does not wait for: a few letters may ask
/// for a lot of text.
enum Piece {
    Plain(Vec<u8>),
    /// A format of the C library with one conversion, which ends in NUL, and its argument.
    Formatted(Vec<u8>, ConversionKind, Argument),
}

impl Piece {
    fn held(&self) -> usize {
        let bytes = match self {
            Piece::Plain(text) => text.len(),
            Piece::Formatted(format, _, Argument::Text(text)) => format.len() + text.len(),
            Piece::Formatted(format, ..) => format.len(),
        };
        size_of::<Piece>() + bytes
    }

    /// # Safety
    /// The stream is open.
    unsafe fn write(&self, stream: *mut libc::FILE) {
        // SAFETY: the contract of this function; a format asks for one argument of the type that is passed.
        unsafe {
            let (format, kind, value) = match self {
                Piece::Plain(text) => {
                    libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stream);
                    return;
                }
                Piece::Formatted(format, kind, value) => (format.as_ptr().cast::<c_char>(), kind, value),
            };
            match (kind, value) {
                (_, Argument::Text(text)) => {
                    let text = CString::new(text.as_slice()).unwrap_or_default();
                    libc::fprintf(stream, format, text.as_ptr());
                }
                (ConversionKind::String, _) => _ = libc::fprintf(stream, format, c"(null)".as_ptr()),
                (ConversionKind::Double, &Argument::Number(value)) => {
                    _ = libc::fprintf(stream, format, f64::from_bits(value))
                }
                (ConversionKind::Pointer, &Argument::Number(value)) => {
                    _ = libc::fprintf(stream, format, value as *const c_void)
                }
                (ConversionKind::Integer(8), &Argument::Number(value)) => {
                    _ = libc::fprintf(stream, format, value as libc::c_longlong)
                }
                (_, &Argument::Number(value)) => _ = libc::fprintf(stream, format, value as c_int),
            }
        }
    }
}

/// Reads a format. `next` gives the next argument; where it has none, nothing can be printed. Also counts the arguments, and
/// the bytes that the record takes.
fn parts(format: &[u8], mut next: impl FnMut(ConversionKind) -> Option<Argument>) -> Option<(Vec<Piece>, usize, u64)> {
    let (mut pieces, mut text, mut count, mut size, mut at) = (Vec::new(), Vec::new(), 0, 16u64, 0);
    while let Some(&byte) = format.get(at) {
        let found = if byte == b'%' { conversion(&format[at..]) } else { None };
        let Some(found) = found else {
            text.push(byte);
            at += 1;
            continue;
        };
        let piece = &format[at..][..found.length];
        at += found.length;
        if found.kind == ConversionKind::Percent {
            text.push(b'%');
            continue;
        }
        if count + found.stars + 1 > MOST_PRINTED_ARGUMENTS {
            text.extend(piece);
            continue;
        }
        let mut stars = [0i32; 1];
        for star in stars.iter_mut().take(found.stars) {
            if let Argument::Number(value) = next(ConversionKind::Integer(4))? {
                *star = value as i32;
            }
        }
        let value = next(found.kind)?;
        count += found.stars + 1;
        size += 8 * (found.stars as u64 + 1);
        let specification = specification(piece, &stars[..found.stars], found.kind);
        let before = core::mem::take(&mut text);
        // Wider than the C library can count: this conversion and the text before it are not printed.
        if is_countable(&specification) {
            let escaped = before.into_iter().flat_map(|b| core::iter::repeat_n(b, 1 + usize::from(b == b'%')));
            pieces.push(Piece::Formatted(escaped.chain(specification).collect(), found.kind, value));
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Plain(text));
    }
    Some((pieces, count, size))
}

/// Whether all numbers in a conversion are ones that the C library takes.
fn is_countable(specification: &[u8]) -> bool {
    let numbers = specification.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(|digits| str::from_utf8(digits).ok()?.parse::<i32>().ok()).all(|n| n.is_some_and(|n| n < i32::MAX))
}

/// A conversion as the C library wants it, with numbers for `*`, and NUL at its end.
fn specification(piece: &[u8], stars: &[i32], kind: ConversionKind) -> Vec<u8> {
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
    if kind == ConversionKind::Integer(8) {
        specification.extend(b"ll");
    } else if piece.ends_with(&[b'h', b'h', letter]) {
        specification.extend(b"hh");
    } else if piece.ends_with(&[b'h', letter]) {
        specification.extend(b"h");
    }
    specification.extend([letter, 0]);
    specification
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed, and how many arguments that takes; nothing when there are too few.
    fn print(format: &str, arguments: &[u64]) -> (String, usize) {
        let mut arguments = arguments.iter();
        let read = parts(format.as_bytes(), |kind| {
            let value = arguments.next().map(|v| if kind.bytes() == 4 { v & 0xffff_ffff } else { *v })?;
            // SAFETY: the tests pass strings of their own.
            let text = || unsafe { core::ffi::CStr::from_ptr(value as *const c_char) }.to_bytes().to_vec();
            Some(if kind == ConversionKind::String && value != 0 {
                Argument::Text(text())
            } else {
                Argument::Number(value)
            })
        });
        let Some((pieces, count, _)) = read else { return (String::new(), 0) };
        let (mut at, mut len) = (core::ptr::null_mut::<c_char>(), 0);
        // SAFETY: the stream lives until it is closed, and what it has written until it is freed.
        unsafe {
            let stream = libc::open_memstream(&mut at, &mut len);
            pieces.iter().for_each(|piece| piece.write(stream));
            libc::fclose(stream);
            let text = core::slice::from_raw_parts(at.cast::<u8>(), len).to_vec();
            libc::free(at.cast());
            (String::from_utf8(text).unwrap(), count)
        }
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
            ("%% %d%% %d %%", vec![1, 2], "% 1% 2 %", 2),
            ("lost %99999999999d, not lost %d", vec![1, 2], ", not lost 2", 2),
            ("lost %.99999999999d.", vec![1], ".", 1),
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
    fn a_full_buffer_drops_the_oldest_texts() {
        let output = Output::default();
        for text in 0..5 {
            output.keep(OutputStream::Error, vec![Piece::Plain(vec![text])], 100, 250);
        }
        let first = |piece: &Piece| if let Piece::Plain(text) = piece { text[0] } else { 0 };
        let kept: Vec<u8> = output.kept.lock().texts.iter().map(|t| first(&t.pieces[0])).collect();
        assert_eq!(kept, [3, 4]);
        // Much text in few records.
        let output = Output::default();
        for _ in 0..200 {
            output.keep(OutputStream::Error, vec![Piece::Plain(vec![0; 1 << 20])], 100, 1 << 20);
        }
        let kept = output.kept.lock();
        assert!(kept.held <= MOST_KEPT_OUTPUT && (32..64).contains(&kept.texts.len()), "{}", kept.texts.len());
    }
}
