//! `DOPPEL_MEMORY_LIMIT`: how much memory of each device the process may have.

use super::parse_bytes;

/// Bytes for each device, in the order in which the process numbers them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    each: Vec<Option<u64>>,
    /// A single size holds for all devices.
    all: bool,
}

/// A word of a list for a device without limit.
const NONE: &str = "none";

/// What [`Limits::parse`] wants.
pub(super) const FORM: &str = "a size such as 2GiB for all devices, or a list with one for each: 2GiB,none,512MiB";

impl Limits {
    /// Reads a size, or a list of sizes and `none`. `None`: neither.
    pub fn parse(text: &str) -> Option<Limits> {
        let size = |word: &str| match word.trim() {
            NONE => Some(None),
            word => parse_bytes(word).filter(|&bytes| bytes > 0).map(Some),
        };
        let each: Vec<_> = text.split(',').map(size).collect::<Option<_>>()?;
        Some(Limits { all: each.len() == 1, each })
    }

    /// Bytes that the process may have of a device. `None`: all that there are.
    pub fn of(&self, ordinal: usize) -> Option<u64> {
        let index = if self.all { 0 } else { ordinal };
        self.each.get(index).copied().flatten()
    }

    /// True when some device has a limit.
    pub fn is_on(&self) -> bool {
        self.each.iter().any(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_lists() {
        let of = |text: &str, ordinal| Limits::parse(text).unwrap().of(ordinal);
        assert_eq!((of("2GiB", 0), of("2GiB", 7)), (Some(2 << 30), Some(2 << 30)));
        assert_eq!(
            (of("1K,none,3M", 0), of("1K,none,3M", 1), of("1K, none, 3M", 2)),
            (Some(1024), None, Some(3 << 20))
        );
        assert_eq!(of("1K,2K", 2), None);
        assert!(!Limits::parse("none").unwrap().is_on() && Limits::parse("none,1").unwrap().is_on());
        assert!(!Limits::default().is_on());
        for bad in ["", ",", "1GiB,", "0", "much", "2XB", "-1", "1GiB;2GiB", "None"] {
            assert_eq!(Limits::parse(bad), None, "{bad}");
        }
    }
}
