//! Why a call is refused, in words. The words are kept in a ring of the process: an error carries their number. What was refused
//! long ago has lost its words. Before [`keep_reasons`] they are kept only while the log wants them (`DOPPEL_LOG=info`).

use crate::code::{Error, Result};
use crate::lock::lock_briefly;
use core::fmt::{self, Write};
use core::num::NonZeroU64;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use settings::log::{self, Level};
use std::sync::Mutex;

/// How many reasons are remembered: more than threads refuse something at the same time.
const SLOTS: usize = 64;
/// The longest reason in bytes; what is longer is cut off.
const LENGTH: usize = 400;

#[derive(Clone, Copy)]
struct Text {
    bytes: [u8; LENGTH],
    len: usize,
}

impl Text {
    const EMPTY: Text = Text { bytes: [0; LENGTH], len: 0 };

    fn of(arguments: fmt::Arguments) -> Text {
        let mut text = Text::EMPTY;
        let _ = text.write_fmt(arguments);
        text
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let mut len = s.len().min(LENGTH - self.len);
        while !s.is_char_boundary(len) {
            len -= 1;
        }
        self.bytes[self.len..self.len + len].copy_from_slice(&s.as_bytes()[..len]);
        self.len += len;
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Slot {
    number: u32,
    text: Text,
}

static KEPT: AtomicBool = AtomicBool::new(false);

/// From now on all reasons are kept: the emulated device has an error log, which programs read.
pub fn keep_reasons() {
    KEPT.store(true, Ordering::Relaxed);
}

fn is_kept() -> bool {
    KEPT.load(Ordering::Relaxed) || log::enabled(Level::Info)
}

static RING: Mutex<[Slot; SLOTS]> = Mutex::new([Slot { number: 0, text: Text::EMPTY }; SLOTS]);
static NEXT: AtomicU32 = AtomicU32::new(1);

fn keep(text: Text) -> u32 {
    let mut number = NEXT.fetch_add(1, Ordering::Relaxed);
    if number == 0 {
        number = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    if let Some(mut ring) = lock_briefly(&RING) {
        ring[number as usize % SLOTS] = Slot { number, text };
    }
    number
}

fn find(number: u32) -> Option<Text> {
    if number == 0 {
        return None;
    }
    let ring = lock_briefly(&RING)?;
    let slot = &ring[number as usize % SLOTS];
    (slot.number == number).then_some(slot.text)
}

/// Where the name of the argument belongs in a reason that does not know it yet.
const NAMELESS: &str = "_ ";

/// The number of a device for [`Error::of_value`]: no address, and not NULL.
pub fn ordinal(device: i32) -> usize {
    1 << 63 | device as u32 as usize
}

impl Error {
    const fn number(self) -> u32 {
        (self.0.get() >> 32) as u32
    }

    fn with_number(self, number: u32) -> Error {
        let code = u64::from(self.code());
        NonZeroU64::new(u64::from(number) << 32 | code).map_or(self, Error)
    }

    /// The same code with a reason, which [`refuse!`](crate::refuse) writes.
    #[cold]
    #[inline(never)]
    pub fn because(self, reason: fmt::Arguments) -> Error {
        if !is_kept() {
            return self;
        }
        self.with_number(keep(Text::of(reason)))
    }

    /// Names the argument that a reason of the form `"_ is NULL"` is about. Other reasons stay as they are; an error without
    /// a reason gets the name as its reason.
    #[cold]
    #[inline(never)]
    pub fn of(self, name: &str) -> Error {
        if !is_kept() || self == Error::NOT_READY {
            return self;
        }
        match find(self.number()) {
            Some(text) => match text.as_str().strip_prefix(NAMELESS) {
                Some(predicate) => self.because(format_args!("{name} {predicate}")),
                None => self,
            },
            None => self.because(format_args!("because of {name}")),
        }
    }

    /// Names the argument that a reason of the form `"_ 0x1000 is ..."`, `"_ 7 is ..."` or `"_ is NULL"` is about: the one with
    /// this value. Several that are NULL are all named.
    #[cold]
    #[inline(never)]
    pub fn of_value(self, arguments: &[(&str, usize)]) -> Error {
        if !is_kept() {
            return self;
        }
        let Some(text) = find(self.number()) else { return self };
        let Some(predicate) = text.as_str().strip_prefix(NAMELESS) else { return self };
        if predicate == "is NULL" {
            let mut names = Text::EMPTY;
            for (name, _) in arguments.iter().filter(|(_, value)| *value == 0) {
                let _ = write!(names, "{}{name}", if names.len == 0 { "" } else { " or " });
            }
            return if names.len == 0 { self } else { self.of(names.as_str()) };
        }
        let word = predicate.split(' ').next().unwrap_or_default();
        let value = match word.strip_prefix("0x") {
            Some(digits) => usize::from_str_radix(digits, 16).ok(),
            None => word.parse().ok().map(ordinal),
        };
        match arguments.iter().find(|(_, argument)| Some(*argument) == value) {
            Some((name, _)) => self.of(name),
            None => self,
        }
    }

    /// The same reason for another code.
    #[inline]
    pub fn with_code(self, other: Error) -> Error {
        other.with_number(self.number())
    }

    /// Takes the reason, if there is one and it is still known.
    pub fn reason<R>(self, see: impl FnOnce(Option<fmt::Arguments>) -> R) -> R {
        match find(self.number()) {
            Some(text) => match text.as_str().strip_prefix(NAMELESS) {
                Some(predicate) => see(Some(format_args!("an argument {predicate}"))),
                None => see(Some(format_args!("{}", text.as_str()))),
            },
            None => see(None),
        }
    }
}

/// Names the argument that an error is about.
pub trait Named {
    /// [`Error::of`], if this is an error.
    fn of(self, name: &str) -> Self;

    /// [`Error::of_value`], if this is an error.
    fn of_value<const N: usize>(self, arguments: impl FnOnce() -> [(&'static str, usize); N]) -> Self;
}

impl<T> Named for Result<T> {
    #[inline(always)]
    fn of(self, name: &str) -> Self {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.of(name)),
        }
    }

    #[inline(always)]
    fn of_value<const N: usize>(self, arguments: impl FnOnce() -> [(&'static str, usize); N]) -> Self {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error.of_value(&arguments())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refuse;

    fn told(error: Error) -> String {
        error.reason(|reason| reason.map(|text| text.to_string()).unwrap_or_default())
    }

    #[test]
    fn an_error_carries_its_reason() {
        log::set_level(Level::Info);
        let pitch = 64;
        let error = refuse!(Error::INVALID_VALUE, "srcPitch {} is less than {}", pitch, 32 + 48);
        assert_eq!(error, Error::INVALID_VALUE);
        assert_eq!(error.code(), 1);
        assert_eq!(told(error), "srcPitch 64 is less than 80");
        assert_eq!(told(error.of("pCopy")), "srcPitch 64 is less than 80");
        assert_eq!(told(Error::INVALID_VALUE), "");
        let nameless = refuse!(Error::INVALID_HANDLE, "_ is NULL");
        assert_eq!(told(nameless), "an argument is NULL");
        assert_eq!(told(nameless.of("hStream").of("other")), "hStream is NULL");
        assert_eq!(told(Error::NOT_FOUND.of("name")), "because of name");
        let address = refuse!(Error::INVALID_VALUE, "_ {:#x} is not memory", 0x1000);
        assert_eq!(told(address.of_value(&[("dst", 0x2000), ("src", 0x1000)])), "src 0x1000 is not memory");
        assert_eq!(told(nameless.of_value(&[("a", 0), ("b", 1), ("c", 0)])), "a or c is NULL");
        let number = refuse!(Error::INVALID_DEVICE, "_ {} is not a device", -1);
        assert_eq!(told(number.of_value(&[("a", 0), ("dev", ordinal(-1))])), "dev -1 is not a device");
        let kept: Result<()> = Err(error);
        assert_eq!(kept.of("x"), Err(Error::INVALID_VALUE));
        assert_eq!(size_of::<Result<()>>(), 8);
        // Old words are gone, and are not taken for another's.
        for n in 0..SLOTS {
            refuse!(Error::UNKNOWN, "n is {}", n);
        }
        assert_eq!(told(error), "");
    }

    #[test]
    fn long_reasons_are_cut_between_characters() {
        let text = Text::of(format_args!("x{}", "ä".repeat(LENGTH)));
        assert_eq!(text.as_str().chars().count(), 1 + (LENGTH - 1) / 2);
    }
}
