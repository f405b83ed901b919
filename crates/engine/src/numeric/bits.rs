//! Integer instructions that pick, mask and sum pieces of words.

use ptx::Modifier;

/// `prmt`: each nibble of `c` picks a byte of `b:a`, or its sign.
pub fn permute(a: u32, b: u32, c: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mut d = 0;
    for i in 0..4 {
        let pick = c >> (4 * i);
        let mut byte = (bytes >> (8 * (pick & 7))) as u32 & 0xff;
        if pick & 8 != 0 {
            byte = if byte & 0x80 != 0 { 0xff } else { 0 };
        }
        d |= byte << (8 * i);
    }
    d
}

/// The modes of `prmt`, and the nibbles that each value of the last two bits of `c` stands for.
pub const PERMUTATIONS: [(Modifier<'static>, [u32; 4]); 6] = [
    (Modifier::F4e, [0x3210, 0x4321, 0x5432, 0x6543]),
    (Modifier::B4e, [0x5670, 0x6701, 0x7012, 0x0123]),
    (Modifier::Rc8, [0x0000, 0x1111, 0x2222, 0x3333]),
    (Modifier::Ecl, [0x3210, 0x3211, 0x3222, 0x3333]),
    (Modifier::Ecr, [0x0000, 0x1110, 0x2210, 0x3210]),
    (Modifier::Rc16, [0x1010, 0x3232, 0x1010, 0x3232]),
];

/// `bmsk`: `width` ones from bit `start` on.
pub fn mask(clamp: bool, start: u32, width: u32) -> u32 {
    let (start, width) = if clamp { (start.min(32), width.min(32)) } else { (start & 31, width & 31) };
    ((((1u64 << width) - 1) << start) & 0xffff_ffff) as u32
}

/// `szext`: a number of `bits` bits, extended.
pub fn extend(clamp: bool, signed: bool, a: u32, bits: u32) -> u32 {
    if clamp && bits >= 32 {
        return a;
    }
    let bits = bits & 31;
    if bits == 0 {
        return 0;
    }
    let mask = u32::MAX << bits;
    let sign = signed && a >> (bits - 1) & 1 != 0;
    if sign { a | mask } else { a & !mask }
}

/// `fns`: the place of the `offset`th one from bit `base` on, upwards or downwards; all ones if there is none.
pub fn find_nth(mask: u32, base: u32, offset: i32) -> u32 {
    if offset == 0 {
        return if mask.checked_shr(base).is_some_and(|m| m & 1 != 0) { base } else { u32::MAX };
    }
    if offset == i32::MIN {
        // So many there are not, and the device says so in another way.
        return 0;
    }
    let (mut left, step) = (offset.unsigned_abs() - 1, i64::from(offset.signum()));
    let mut at = i64::from(base);
    while (0..32).contains(&at) {
        if mask >> at & 1 != 0 {
            if left == 0 {
                return at as u32;
            }
            left -= 1;
        }
        at += step;
    }
    u32::MAX
}

fn piece(word: u32, at: u32, bits: u32, signed: bool) -> i64 {
    let raw = i64::from(word >> at) & ((1 << bits) - 1);
    if signed && raw >> (bits - 1) & 1 != 0 { raw - (1 << bits) } else { raw }
}

/// `dp4a`: the products of four bytes each, and `c`.
pub fn dot4(signed: (bool, bool), a: u32, b: u32, c: u32) -> u32 {
    let sum: i64 = (0..4).map(|n| piece(a, 8 * n, 8, signed.0) * piece(b, 8 * n, 8, signed.1)).sum();
    (sum as u32).wrapping_add(c)
}

/// `dp2a`: the products of two halves and two bytes, the lower or the upper ones, and `c`.
pub fn dot2(signed: (bool, bool), upper: bool, a: u32, b: u32, c: u32) -> u32 {
    let first = if upper { 16 } else { 0 };
    let sum: i64 = (0..2).map(|n| piece(a, 16 * n, 16, signed.0) * piece(b, first + 8 * n, 8, signed.1)).sum();
    (sum as u32).wrapping_add(c)
}

/// `mul24`, `mad24`: what the product of the lower 24 bits gives, all of it.
pub fn product24(signed: bool, a: u32, b: u32) -> i64 {
    piece(a, 0, 24, signed) * piece(b, 0, 24, signed)
}

/// What is done with pairs of integers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pair {
    Sum,
    Minimum,
    Maximum,
}

/// Two numbers of 16 bits at once: addition, minimum, maximum.
pub fn pair16(operation: i64, signed: bool, saturate: bool, relu: bool, a: u32, b: u32) -> u32 {
    let half = |at: u32| {
        let (x, y) = (piece(a, at, 16, signed), piece(b, at, 16, signed));
        let mut d = match operation {
            0 => x + y,
            1 => x.min(y),
            _ => x.max(y),
        };
        if saturate {
            d = if signed { d.clamp(-0x8000, 0x7fff) } else { d.clamp(0, 0xffff) };
        }
        if relu {
            d = d.max(0);
        }
        (d as u32 & 0xffff) << at
    };
    half(0) | half(16)
}
