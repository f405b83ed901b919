//! A line that is being written, without allocations.

use core::mem::MaybeUninit;
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::HashMap;

/// The longest line; what is longer is cut.
pub const LONGEST: usize = 4096;

/// A line.
pub struct Text {
    bytes: [MaybeUninit<u8>; LONGEST],
    len: usize,
    /// Pointers may be followed.
    follows: bool,
    /// Characters of the program's are among what is written, which JSON may not take as they are.
    foreign: bool,
}

impl Default for Text {
    /// Written as a whole it would be a constant, whose unused bytes a call sets to zero.
    #[inline(always)]
    fn default() -> Self {
        let mut text = MaybeUninit::<Text>::uninit();
        let at = text.as_mut_ptr();
        // SAFETY: the fields that have to be anything are written; the bytes need not.
        unsafe {
            (&raw mut (*at).len).write(0);
            (&raw mut (*at).follows).write(true);
            (&raw mut (*at).foreign).write(false);
            text.assume_init()
        }
    }
}

/// A short text that is kept, to be written again.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Piece<const N: usize> {
    len: u16,
    bytes: [u8; N],
}

impl<const N: usize> Piece<N> {
    /// The empty one.
    pub const EMPTY: Piece<N> = Piece { len: 0, bytes: [0; N] };

    /// Of bytes, if they are not too many.
    pub fn of(text: &[u8]) -> Option<Piece<N>> {
        let mut piece = Piece { len: text.len() as u16, ..Piece::EMPTY };
        piece.bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(piece)
    }

    /// Of what a function writes; what is too long is cut.
    pub fn written(write: impl FnOnce(&mut Text)) -> Piece<N> {
        let mut text = Text::default();
        write(&mut text);
        text.shorten_since(0, N);
        Piece::of(text.bytes()).unwrap_or(Piece::EMPTY)
    }

    /// Of a few words, without the way through a line; what is too long is cut.
    #[inline(always)]
    pub fn short(write: impl FnOnce(&mut Pen<'_>)) -> Piece<N> {
        let mut bytes = [0u8; 48];
        // SAFETY: the same memory; a pen writes nothing but bytes that have a value.
        let room = unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) };
        let mut pen = Pen { bytes: room, len: 0 };
        write(&mut pen);
        let len = pen.len.min(N) as u16;
        Piece { bytes: bytes.first_chunk().copied().unwrap_or([0; N]), len }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.len.into()
    }

    /// The text.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len().min(N)]
    }

    /// Writes it.
    #[inline(always)]
    pub fn write(&self, pen: &mut Pen<'_>) {
        pen.put_first(&self.bytes, self.len());
    }
}

/// A [`Text`] that is being written, with its length in a register: in memory each word would wait for the one before.
pub struct Pen<'a> {
    bytes: &'a mut [MaybeUninit<u8>],
    len: usize,
}

/// Copies `len` bytes as a first and a last piece, which overlap where they are longer than that together.
///
/// # Safety
/// That many bytes are there on both sides, which are different memory; they are at least a piece, and at most two.
#[inline(always)]
unsafe fn copy_ends<T>(from: *const u8, to: *mut u8, len: usize) {
    let last = len - size_of::<T>();
    // SAFETY: as the caller says.
    unsafe {
        to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned());
        to.add(last).cast::<T>().write_unaligned(from.add(last).cast::<T>().read_unaligned());
    }
}

/// Copies as many bytes as there is room for behind `len`, and returns where they end.
#[inline(never)]
fn copied(all: &mut [MaybeUninit<u8>], start: usize, bytes: &[u8]) -> usize {
    let len = bytes.len().min(all.len() - start);
    let (from, to): (*const u8, *mut u8) = (bytes.as_ptr(), all.as_mut_ptr().cast());
    // SAFETY: `len` bytes are there on both sides, which are different memory. What is short goes in two pieces that overlap,
    // without a call.
    unsafe {
        let to = to.add(start);
        match len {
            17..=32 => copy_ends::<u128>(from, to, len),
            8..=16 => copy_ends::<u64>(from, to, len),
            4..8 => copy_ends::<u32>(from, to, len),
            2..4 => copy_ends::<u16>(from, to, len),
            1 => to.write(from.read()),
            0 => {}
            _ => core::ptr::copy_nonoverlapping(from, to, len),
        }
    }
    start + len
}

/// Writes a number of more than eight digits, and returns where it ends.
#[inline(never)]
fn large(all: &mut [MaybeUninit<u8>], start: usize, number: u64) -> usize {
    let mut pen = Pen { bytes: all, len: start };
    if number / EIGHT >= EIGHT {
        pen.len = large(pen.bytes, pen.len, number / EIGHT);
    } else {
        pen.decimal(number / EIGHT);
    }
    pen.put(&eight_digits(number % EIGHT).to_le_bytes());
    pen.len
}

impl<'a> Pen<'a> {
    /// Writes to memory; what does not fit is cut.
    #[inline(always)]
    pub fn new(bytes: &'a mut [MaybeUninit<u8>]) -> Pen<'a> {
        Pen { bytes, len: 0 }
    }

    /// Bytes written so far.
    #[inline(always)]
    pub fn written(&self) -> usize {
        self.len
    }

    /// Bytes as they are.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        self.len = copied(self.bytes, self.len, bytes);
    }

    /// The first `len` of some bytes. All of them are copied where there is room, which takes no choice.
    #[inline(always)]
    fn put_first<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        let len = len.min(N);
        if self.bytes.len() - self.len < N {
            return self.push(&bytes[..len]);
        }
        // SAFETY: there is room.
        unsafe { self.bytes.as_mut_ptr().add(self.len).cast::<[u8; N]>().write(*bytes) };
        self.len += len;
    }

    /// Bytes of which the program's text has the number in it: no choice is made.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.put_first(bytes, N);
    }

    /// A number.
    #[inline(always)]
    pub fn decimal(&mut self, number: u64) {
        if number < 10 {
            self.put(&[b'0' + number as u8]);
        } else if number < EIGHT {
            let digits = eight_digits(number);
            let zeros = (digits ^ ZEROS).trailing_zeros() / 8;
            self.put_first(&(digits >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize);
        } else {
            self.len = large(self.bytes, self.len, number);
        }
    }

    /// A number with a sign.
    #[inline(always)]
    pub fn signed(&mut self, number: i64) {
        if number < 0 {
            self.put(b"-");
        }
        self.decimal(number.unsigned_abs());
    }

    /// The same for a text of some length, without a call.
    #[inline(always)]
    pub fn push_long(&mut self, bytes: &[u8]) {
        let room = self.bytes.len() - self.len;
        let len = bytes.len();
        if room < len || !matches!(len, 33..=256) {
            return self.push(bytes);
        }
        let from: *const u8 = bytes.as_ptr();
        // SAFETY: `len` bytes are there on both sides, which are different memory: the first ones, and the last ones, as many.
        unsafe {
            let to: *mut u8 = self.bytes.as_mut_ptr().add(self.len).cast();
            match len {
                ..=64 => copy_ends::<[u8; 32]>(from, to, len),
                65..=128 => copy_ends::<[u8; 64]>(from, to, len),
                _ => copy_ends::<[u8; 128]>(from, to, len),
            }
        }
        self.len += len;
    }

    /// The first `len` of eight bytes, of which the first one is the lowest.
    #[inline(always)]
    pub fn word(&mut self, word: u64, len: usize) {
        self.put_first(&word.to_le_bytes(), len);
    }

    /// Nanoseconds as seconds.
    #[inline(always)]
    pub fn seconds(&mut self, nanoseconds: u64) {
        let (whole, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        self.decimal(whole);
        self.put(&[b'.', b'0' + (rest / EIGHT) as u8]);
        self.put(&eight_digits(rest % EIGHT).to_le_bytes());
    }

    /// Nanoseconds as microseconds.
    #[inline(always)]
    pub fn microseconds(&mut self, nanoseconds: u64) {
        let (whole, rest) = (nanoseconds / 1000, nanoseconds % 1000);
        self.decimal(whole);
        // A point in place of the fifth digit, which is 0.
        self.word((eight_digits(rest) ^ (POINT << 32)) >> 32, 4);
    }

    /// A number as C writes it in hexadecimal.
    #[inline(always)]
    pub fn hex(&mut self, number: u64) {
        let zeros = (number | 1).leading_zeros() / 4;
        self.put(b"0x");
        self.put_first(&hex_digits(number << (4 * zeros)), 16 - zeros as usize);
    }

    /// An address of the host.
    #[inline(always)]
    pub fn address(&mut self, address: usize) {
        if address == 0 { self.put(b"NULL") } else { self.hex(address as u64) }
    }
}

/// The times of a line in digits, of which the first is in the lowest byte: most of them change from line to line.
#[derive(Clone, Copy)]
pub struct Times {
    /// What is in front of the last eight characters of the first time: see [`Times::front`].
    pub upper: u64,
    /// The last eight characters.
    pub begin: u64,
    /// The duration, without what [`Times::seconds`] have in front.
    pub duration: u64,
    /// How many characters of it there are.
    pub width: usize,
}

impl Times {
    /// Nanoseconds as microseconds. `None`: so early, or so long, that they take more characters or fewer.
    #[inline(always)]
    pub fn microseconds(begin: u64, duration: u64) -> Option<Times> {
        const UNIT: u64 = 10_000_000;
        let upper = begin / UNIT;
        if upper.wrapping_sub(1) >= EIGHT - 1 || duration >= UNIT {
            return None;
        }
        // A zero makes room for the point.
        let digits = |number: u64| eight_digits(number + number / 1000 * 9000) ^ (POINT << 32);
        let (begin, duration) = (digits(begin % UNIT), digits(duration));
        // One digit before the point stays.
        let zeros = ((duration ^ ZEROS) | 1 << 24).trailing_zeros() & !7;
        Some(Times { upper, begin, duration: duration >> zeros, width: 8 - zeros as usize / 8 })
    }

    /// Nanoseconds as seconds, where `0.0` is in front of the duration. `None`: it is too long for that.
    #[inline(always)]
    pub fn seconds(begin: u64, duration: u64) -> Option<Times> {
        if duration >= EIGHT {
            return None;
        }
        let (upper, begin) = (begin / EIGHT, eight_digits(begin % EIGHT));
        Some(Times { upper, begin, duration: eight_digits(duration), width: 8 })
    }

    /// Writes what is in front of the last eight characters of a time.
    pub fn front(upper: u64, json: bool, text: &mut Text) {
        if json {
            text.decimal(upper);
        } else {
            text.decimal(upper / 10);
            text.put(&[b'.', b'0' + (upper % 10) as u8]);
        }
    }
}

/// What makes a character 0 a point.
const POINT: u64 = (b'0' ^ b'.') as u64;

const HEX: &[u8; 16] = b"0123456789abcdef";

/// The first number that has more than eight digits.
const EIGHT: u64 = 100_000_000;
/// Eight characters 0.
const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);

/// A number below [`EIGHT`] as characters, the first one in the lowest byte: twice four digits, four times two, eight times one,
/// all of a kind at once. In vectors it would be fewer instructions, and constants of many lines of the cache.
#[inline(always)]
fn eight_digits(number: u64) -> u64 {
    let halves = (number / 10_000) | ((number % 10_000) << 32);
    // 10486 / 2^20 is a hundredth as far as four digits go, and 103 / 2^10 a tenth as far as two do.
    let upper = ((halves * 10_486) >> 20) & 0x7f_0000_007f;
    let pairs = upper | ((halves - 100 * upper) << 16);
    let upper = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    (upper | ((pairs - 10 * upper) << 8)) + ZEROS
}

/// The sixteen digits of a number in hexadecimal.
#[inline(always)]
fn hex_digits(number: u64) -> [u8; 16] {
    use core::arch::x86_64::{
        _mm_add_epi8, _mm_and_si128, _mm_cmpgt_epi8, _mm_cvtsi64_si128, _mm_set1_epi8, _mm_srli_epi64,
        _mm_unpacklo_epi8,
    };
    let bytes = number.swap_bytes() as i64;
    // SAFETY: every x86-64 processor has these instructions; sixteen bytes are sixteen bytes.
    unsafe {
        let (bytes, low) = (_mm_cvtsi64_si128(bytes), _mm_set1_epi8(15));
        let digits = _mm_unpacklo_epi8(_mm_and_si128(_mm_srli_epi64(bytes, 4), low), _mm_and_si128(bytes, low));
        let letters = _mm_and_si128(_mm_cmpgt_epi8(digits, _mm_set1_epi8(9)), _mm_set1_epi8((b'a' - b'0' - 10) as i8));
        core::mem::transmute(_mm_add_epi8(_mm_add_epi8(digits, _mm_set1_epi8(b'0' as i8)), letters))
    }
}

/// What JSON's texts do not take as it is.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20 | 0x7f..)
}

/// Whether there is anything special in eight bytes: in each the highest bit says so, and may say so of the byte above one that is.
fn has_special(bytes: [u8; 8]) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGHEST: u64 = ONES << 7;
    let word = u64::from_ne_bytes(bytes);
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (word | below(word, 0x20) | is(b'"') | is(b'\\') | is(0x7f)) & HIGHEST != 0
}

impl Text {
    /// What is written.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: that much is written.
        unsafe { core::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.len) }
    }

    /// Whether pointers may be followed.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Says whether pointers may be followed.
    pub fn follow(&mut self, follows: bool) {
        self.follows = follows;
    }

    /// Cuts the line so that `spare` bytes more fit.
    pub fn keep_free(&mut self, spare: usize) {
        self.len = self.len.min(LONGEST - spare);
    }

    /// Writes with the length at hand, for what writes much in one place.
    #[inline(always)]
    pub fn pen<R>(&mut self, write: impl FnOnce(&mut Pen<'_>) -> R) -> R {
        let mut pen = Pen { bytes: &mut self.bytes, len: self.len };
        let result = write(&mut pen);
        self.len = pen.len;
        result
    }

    /// Writes bytes as they are.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.pen(|pen| pen.push(bytes));
    }

    /// The same for bytes that the program's text has in it: their number is known, and no choice is made.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.pen(|pen| pen.put(bytes));
    }

    /// A number.
    #[inline(never)]
    pub fn decimal(&mut self, number: u64) {
        self.pen(|pen| pen.decimal(number));
    }

    /// A number with a sign.
    #[inline(never)]
    pub fn signed(&mut self, number: i64) {
        self.pen(|pen| pen.signed(number));
    }

    /// A number with a fraction.
    pub fn float(&mut self, number: impl core::fmt::Display) {
        use core::fmt::Write;
        let _ = write!(self, "{number}");
    }

    /// A number as C writes it in hexadecimal.
    #[inline(never)]
    pub fn hex(&mut self, number: u64) {
        self.pen(|pen| pen.hex(number));
    }

    /// A number of which the bits count: small ones as people write them.
    #[inline(never)]
    pub fn number(&mut self, number: u64) {
        if number < 10 { self.decimal(number) } else { self.hex(number) }
    }

    /// An address of the host.
    #[inline(never)]
    pub fn address(&mut self, address: usize) {
        if address == 0 { self.push(b"NULL") } else { self.hex(address as u64) }
    }

    /// A text of the program's, in quotes; what is long is cut.
    pub fn string_at(&mut self, address: usize) {
        const SHOWN: usize = 96;
        let mut start = self.len;
        self.foreign = true;
        self.push(b"\"");
        for i in 0..=SHOWN {
            let mut byte = [MaybeUninit::<u8>::uninit()];
            if guard::read(&mut byte, address.wrapping_add(i)).is_err() {
                if i == 0 {
                    self.len = core::mem::take(&mut start);
                    return self.hex(address as u64);
                }
                break;
            }
            // SAFETY: it has been read.
            match unsafe { byte[0].assume_init() } {
                0 => break,
                _ if i == SHOWN => return self.push(b"\"..."),
                b'"' => self.push(b"\\\""),
                b'\\' => self.push(b"\\\\"),
                b'\n' => self.push(b"\\n"),
                byte @ 0x20..0x7f => self.push(&[byte]),
                byte => self.push(&[b'\\', b'x', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]),
            }
        }
        self.push(b"\"");
    }

    /// Makes values that were shown since `start` a text of JSON's, without the quotes around it. Only what is
    /// [foreign](Self::is_foreign) among them needs that.
    #[inline(always)]
    pub fn escape_values_since(&mut self, start: usize) {
        let foreign = core::mem::take(&mut self.foreign);
        debug_assert!(foreign || !self.bytes()[start.min(self.len)..].iter().any(|&byte| is_special(byte)));
        if foreign {
            self.escape_since(start);
        }
    }

    /// Characters have been written that the program or the driver has chosen.
    #[inline(always)]
    pub fn is_foreign(&mut self) {
        self.foreign = true;
    }

    /// Makes what was written since `start` a text of JSON's, without the quotes around it.
    pub fn escape_since(&mut self, start: usize) {
        let start = start.min(self.len);
        let (words, rest) = self.bytes()[start..].as_chunks::<8>();
        if !words.iter().any(|&word| has_special(word)) && !rest.iter().any(|&byte| is_special(byte)) {
            return;
        }
        let len = self.len - start;
        let mut copy = [MaybeUninit::<u8>::uninit(); LONGEST];
        copy[..len].copy_from_slice(&self.bytes[start..self.len]);
        // SAFETY: that much of the copy is written.
        let before = unsafe { core::slice::from_raw_parts(copy.as_ptr().cast::<u8>(), len) };
        self.len = start;
        for &byte in before {
            match byte {
                b'"' | b'\\' => self.push(&[b'\\', byte]),
                byte if is_special(byte) => {
                    self.push(&[b'\\', b'u', b'0', b'0', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
                }
                byte => self.push(&[byte]),
            }
        }
    }

    /// Bytes that still fit.
    pub fn room(&self) -> usize {
        LONGEST - self.len
    }

    /// Leaves `most` bytes of what was written since `start`.
    pub fn shorten_since(&mut self, start: usize, most: usize) {
        self.len = self.len.min(start + most);
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when nothing is written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl core::fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        self.push(s.as_bytes());
        Ok(())
    }
}

/// Handles that have a number. Programs that make more get no names for the rest.
const MOST: usize = 1 << 20;

#[derive(Default)]
struct Numbers {
    of: HashMap<(usize, usize), u64>,
    last: HashMap<usize, u64>,
}

static NUMBERS: Mutex<Option<Numbers>> = Mutex::new(None);

/// What the thread has asked for lately: type, value, number.
const KEPT: usize = 32;
thread_local! {
    static LATELY: [Cell<(usize, usize, u64)>; KEPT] = const { [const { Cell::new((0, 0, 0)) }; KEPT] };
}

/// The number of a handle of a type.
pub fn number_of(name: &'static str, value: usize) -> Option<u64> {
    let kind = name.as_ptr() as usize;
    let place = (value >> 4 ^ value >> 12) % KEPT;
    let known = LATELY.try_with(|lately| lately[place].get()).ok()?;
    if (known.0, known.1) == (kind, value) {
        return Some(known.2);
    }
    let mut numbers = NUMBERS.try_lock_for(core::time::Duration::from_secs(1))?;
    let numbers = numbers.get_or_insert_default();
    let number = match numbers.of.get(&(kind, value)) {
        Some(number) => *number,
        None if numbers.of.len() >= MOST => return None,
        None => {
            let last = numbers.last.entry(kind).or_default();
            *last += 1;
            let number = *last;
            numbers.of.insert((kind, value), number);
            number
        }
    };
    let _ = LATELY.try_with(|lately| lately[place].set((kind, value, number)));
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Text)) -> String {
        let mut text = Text::default();
        write(&mut text);
        String::from_utf8(text.bytes().to_vec()).unwrap()
    }

    #[test]
    fn numbers() {
        assert_eq!(text(|t| t.decimal(0)), "0");
        for number in (0..20).map(|n| 10u64.pow(n)).chain([7, 99, 123_456_789, u64::MAX]) {
            assert_eq!(text(|t| t.decimal(number)), number.to_string());
            assert_eq!(text(|t| t.decimal(number - 1)), (number - 1).to_string());
        }
        // All of four digits, alone, behind others and in front of others.
        for number in 0..10_000u64 {
            for number in [number, 43_210_000 + number, number * 10_000 + 9_876, 700_000_000 + number * 10_001] {
                assert_eq!(text(|t| t.decimal(number)), number.to_string());
            }
            assert_eq!(
                text(|t| t.pen(|p| p.seconds(number * 1_000_001))),
                format!("{:.9}", number as f64 * 0.001_000_001)
            );
        }
        assert_eq!(text(|t| t.signed(i64::MIN)), i64::MIN.to_string());
        for number in [0, 0xabc, 0x7f00_0000_1000, u64::MAX, 0x0123_4567_89ab_cdef] {
            for number in (0..64).map(|bits| number >> bits) {
                assert_eq!(text(|t| t.hex(number)), format!("{number:#x}"));
            }
        }
        assert_eq!(text(|t| t.pen(|p| p.seconds(1_000_000_123))), "1.000000123");
        let microseconds = |n| text(|t| t.pen(|p| p.microseconds(n)));
        assert_eq!((microseconds(5_007), microseconds(7)), ("5.007".into(), "0.007".into()));
        for number in 0..1000 {
            assert_eq!(microseconds(number), format!("0.{number:03}"));
        }
        // Of all lengths, to the largest one.
        for number in
            (0..20).map(|digits| 10u64.pow(digits)).flat_map(|n| [n - 1, n, n / 3, n / 7 * 10]).chain([u64::MAX])
        {
            let parts = |unit: u64, digits: usize| format!("{}.{:0digits$}", number / unit, number % unit);
            assert_eq!(text(|t| t.pen(|p| p.seconds(number))), parts(1_000_000_000, 9));
            assert_eq!(microseconds(number), parts(1000, 3));
        }
        // Both times of a line, as they are alone.
        let ends: Vec<u64> = (0..20).map(|n| 10u64.pow(n)).flat_map(|n| [n - 1, n, n / 3, n / 7 * 10]).collect();
        for (begin, duration) in ends.iter().flat_map(|begin| ends.iter().map(move |duration| (*begin, *duration))) {
            for (json, times) in
                [(true, Times::microseconds(begin, duration)), (false, Times::seconds(begin, duration))]
            {
                let few = if json { duration < 10_000_000 && begin >= 10_000_000 } else { duration < EIGHT };
                assert_eq!(times.is_some(), few && !(json && begin / 10_000_000 >= EIGHT), "{begin} {duration}");
                let Some(times) = times else { continue };
                let written = text(|t| {
                    Times::front(times.upper, json, t);
                    t.pen(|p| p.word(times.begin, 8));
                    t.put(if json { b"   " } else { b" 0." });
                    t.put(if json { b" " } else { b"0" });
                    t.pen(|p| p.word(times.duration, times.width));
                });
                let alone = match json {
                    true => format!("{}    {}", microseconds(begin), microseconds(duration)),
                    false => text(|t| {
                        t.pen(|p| p.seconds(begin));
                        t.put(b" ");
                        t.pen(|p| p.seconds(duration));
                    }),
                };
                assert_eq!(written, alone);
            }
        }
        // Copies of all lengths.
        let long: Vec<u8> = (0..300u32).map(|n| b'a' + (n % 23) as u8).collect();
        for len in 0..long.len() {
            assert_eq!(text(|t| t.push(&long[..len])).as_bytes(), &long[..len]);
            // Neither more nor less is written, wherever the text ends.
            let mut room = [MaybeUninit::new(b'!'); 320];
            let (text, behind) = room.split_at_mut(len);
            Pen::new(text).push_long(&long[..len]);
            // SAFETY: all of it is written.
            let (text, behind) = unsafe { (text.assume_init_ref(), behind.assume_init_ref()) };
            assert_eq!((text, behind.iter().all(|&byte| byte == b'!')), (&long[..len], true), "{len}");
        }
        // What does not fit is cut.
        for room in 0..24 {
            let cut = |write: &dyn Fn(&mut Text)| {
                let all = text(|t| {
                    t.push(&vec![b'.'; LONGEST - room]);
                    write(t);
                });
                all[LONGEST - room..].to_owned()
            };
            assert_eq!(cut(&|t| t.decimal(u64::MAX)), u64::MAX.to_string()[..room.min(20)]);
            assert_eq!(cut(&|t| t.hex(u64::MAX)), "0xffffffffffffffff"[..room.min(18)]);
            assert_eq!(cut(&|t| t.decimal(1234)), "1234"[..room.min(4)]);
            assert_eq!(cut(&|t| t.push(b"abcdefghijklmnopqrstuvwxyz")), "abcdefghijklmnopqrstuvwxyz"[..room]);
        }
        assert_eq!(text(|t| t.float(0.5)), "0.5");
    }

    #[test]
    fn texts() {
        let at = |s: &'static core::ffi::CStr| s.as_ptr() as usize;
        assert_eq!(text(|t| t.string_at(at(c"a\"b\\\n\x01"))), r#""a\"b\\\n\x01""#);
        assert_eq!(text(|t| t.string_at(16)), "0x10");
        let long: &'static core::ffi::CStr =
            Box::leak(std::ffi::CString::new(vec![b'x'; 500]).unwrap().into_boxed_c_str());
        assert!(text(|t| t.string_at(at(long))).ends_with("xx\"..."));
        let json = text(|t| {
            t.push(b"{\"");
            t.string_at(at(c"a\"b"));
            t.escape_since(2);
        });
        assert_eq!(json, r#"{"\"a\\\"b\""#);
        // Each character at each place of a word, and behind the last one.
        for byte in 0..=255u8 {
            for place in 0..12 {
                let mut bytes = [b'a'; 12];
                bytes[place] = byte;
                let json = text(|t| {
                    t.push(&bytes);
                    t.escape_since(0);
                });
                let escaped = match byte {
                    b'"' | b'\\' => format!("\\{}", char::from(byte)),
                    0x20..0x7f => char::from(byte).to_string(),
                    byte => format!("\\u{byte:04x}"),
                };
                assert_eq!(json, "a".repeat(place) + &escaped + &"a".repeat(11 - place));
            }
        }
        let full = text(|t| {
            t.push(&[b'y'; LONGEST]);
            t.push(b"z");
            t.keep_free(3);
            t.push(b"end");
        });
        assert!(full.len() == LONGEST && full.ends_with("yend"));
    }

    #[test]
    fn handles_have_numbers_of_their_own() {
        let number = |name, value| number_of(name, value).unwrap();
        static KIND: &str = "test of numbers";
        let (a, b) = (number(KIND, 0x1000), number(KIND, 0x2000));
        assert_eq!((a, b), (1, 2));
        assert_eq!((number(KIND, 0x1000), number(KIND, 0x2000), number(KIND, 0x1000)), (1, 2, 1));
    }
}
