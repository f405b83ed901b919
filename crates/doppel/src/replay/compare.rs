//! Whether bytes are what they were.

use crate::tolerance::Tolerance;
use record::signature::Numbers;

/// Where bytes differ.
#[derive(Debug, Default, PartialEq)]
pub struct Difference {
    /// Bytes.
    pub count: usize,
    /// The first one.
    pub first: usize,
    /// Numbers that differ, but not by more than is allowed.
    pub tolerated: usize,
}

/// Compares bytes, of which both are as many, and may be known to be numbers of a kind.
pub fn compare(then: &[u8], now: &[u8], tolerances: &[Tolerance], numbers: Numbers) -> Difference {
    let mut difference = Difference::default();
    if then == now {
        return difference;
    }
    let rules: Vec<(&Tolerance, f64)> =
        tolerances.iter().filter(|rule| rule.is_about(numbers, then)).map(|rule| (rule, rule.margin(then))).collect();
    let mut at = 0;
    while at < then.len() {
        if then[at] == now[at] {
            // Long pieces are mostly equal.
            const STEP: usize = 4096;
            let end = (at + STEP).min(then.len());
            at = if then[at..end] == now[at..end] { end } else { at + 1 };
            continue;
        }
        let allowed = rules.iter().find_map(|(tolerance, margin)| {
            let size = tolerance.size();
            let (from, to) = (at / size * size, at / size * size + size);
            (to <= then.len() && tolerance.allows(&then[from..to], &now[from..to], *margin)).then_some(to)
        });
        if let Some(end) = allowed {
            difference.tolerated += 1;
            at = end;
            continue;
        }
        if difference.count == 0 {
            difference.first = at;
        }
        difference.count += 1;
        at += 1;
    }
    difference
}

/// The word in which bytes differ first, as it was and as it is, as people may know it.
pub fn word(then: &[u8], now: &[u8], first: usize) -> String {
    let from = first / 4 * 4;
    let end = (from + 4).min(then.len());
    let number = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    };
    let (then, now) = (number(&then[from..end]), number(&now[from..end]));
    let floats = (f32::from_bits(then), f32::from_bits(now));
    let width = 2 * (end - from);
    format!("{then:#0w$x} then, {now:#0w$x} now (f32: {:?}, {:?})", floats.0, floats.1, w = width + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::tolerances;

    #[test]
    fn bytes_differ_where_they_do() {
        let then: Vec<u8> = (0..10_000u32).map(|i| i as u8).collect();
        let mut now = then.clone();
        assert_eq!(compare(&then, &now, &[], Numbers::Unknown), Difference::default());
        now[9000] ^= 1;
        now[4097] ^= 8;
        assert_eq!(compare(&then, &now, &[], Numbers::Unknown), Difference { count: 2, first: 4097, tolerated: 0 });
        assert!(word(&then, &now, 9000).starts_with("0x2b2a2928 then, 0x2b2a2929 now"));
        assert_eq!(compare(&[1], &[2], &[], Numbers::Unknown), Difference { count: 1, first: 0, tolerated: 0 });
        assert_eq!(word(&[1], &[2], 0).split(' ').next(), Some("0x01"));
    }

    #[test]
    fn numbers_may_differ_by_as_much_as_is_allowed() {
        let bytes = |numbers: &[f32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
        let (then, now) = (bytes(&[1.0, 2.0, f32::NAN]), bytes(&[1.0 + 1e-6, 2.0, -f32::NAN]));
        let rule = |text: &str| tolerances(text).unwrap();
        let count = |text, numbers| {
            let found = compare(&then, &now, &rule(text), numbers);
            (found.count > 0, found.tolerated)
        };
        use Numbers::{Doubles, Floats, Integers, Unknown};
        assert_eq!(count("f32=1e-5", Unknown), (false, 2));
        assert_eq!((count("f32=1e-7", Unknown).0, count("f64=1e-30", Unknown).0), (true, true));
        assert_eq!((count("devices", Floats), count("devices", Integers)), ((false, 2), (true, 0)));
        assert!(count("devices", Doubles).0);
    }
}
