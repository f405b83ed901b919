//! Compressed elements: blocks of four by four, BC1 to BC7, as an H200 unpacks them.
//!
//! What lies between two colours or two values is not what the formats' descriptions say, but a little off, in the device's
//! own way. BC6H and BC7 have exact descriptions.

/// How a block is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Bc1,
    Bc2,
    Bc3,
    Bc4 { signed: bool },
    Bc5 { signed: bool },
    Bc6 { signed: bool },
    Bc7,
}

/// Elements of a block along each side.
pub const SIDE: usize = 4;

impl Compression {
    /// Bytes of a block.
    pub fn bytes(self) -> usize {
        if matches!(self, Compression::Bc1 | Compression::Bc4 { .. }) { 8 } else { 16 }
    }

    /// The components of element `at` of a block, counted row by row. Numbers are
    /// as [`super::texel::Format`] has them: 8 bits, 16 for BC4 and BC5, halves for BC6H.
    pub fn unpack(self, block: &[u8; 16], at: usize) -> [u32; 4] {
        let (first, second) = (half_of(block, 0), half_of(block, 8));
        match self {
            Compression::Bc1 => color(first, at, false),
            Compression::Bc2 => {
                let [r, g, b, _] = color(second, at, true);
                [r, g, b, (first >> (4 * at) & 15) as u32 * 17]
            }
            Compression::Bc3 => {
                let [r, g, b, _] = color(second, at, true);
                [r, g, b, alpha(first, at)]
            }
            Compression::Bc4 { signed } => [value(first, at, signed), 0, 0, 0],
            Compression::Bc5 { signed } => [value(first, at, signed), value(second, at, signed), 0, 0],
            Compression::Bc6 { signed } => {
                let mut all = [0u16; SIDE * SIDE * 3];
                bcdec_rs::bc6h_half(block, &mut all, SIDE * 3, signed);
                core::array::from_fn(|n| if n < 3 { all[at * 3 + n].into() } else { 0 })
            }
            Compression::Bc7 => {
                let mut all = [0u8; SIDE * SIDE * 4];
                bcdec_rs::bc7(block, &mut all, SIDE * 4);
                core::array::from_fn(|n| all[at * 4 + n].into())
            }
        }
    }
}

fn half_of(block: &[u8; 16], from: usize) -> u64 {
    (0..8).rev().fold(0, |word, n| word << 8 | u64::from(block[from + n]))
}

/// A colour of BC1 to BC3. `four`: there are always four of them.
fn color(block: u64, at: usize, four: bool) -> [u32; 4] {
    let ends = [block as u16, (block >> 16) as u16].map(i32::from);
    let red = ends.map(|c| c >> 11);
    let green = ends.map(|c| (c >> 5 & 63) << 2 | (c >> 9 & 3));
    let blue = ends.map(|c| c & 31);
    let stretched = |five: i32| five << 3 | five >> 2;
    let opaque = |r, g, b| [r as u32, g as u32, b as u32, 255];
    let code = (block >> (32 + 2 * at) & 3) as usize;
    // A third, or the half, of the way from `near` to `far`.
    let third = |five: [i32; 2], near: usize| (2 * five[near] + five[1 - near]) * 22 / 8;
    let half = |five: [i32; 2]| (five[0] + five[1]) * 33 / 8;
    let between = |near: usize, part: i32| {
        let way = green[1 - near] - green[near];
        (256 * green[near] + way / 4 + 128 + way * part) / 256
    };
    match code {
        0 | 1 => opaque(stretched(red[code]), green[code], stretched(blue[code])),
        _ if four || ends[0] > ends[1] => opaque(third(red, code - 2), between(code - 2, 80), third(blue, code - 2)),
        2 => opaque(half(red), between(0, 128), half(blue)),
        _ => [0; 4],
    }
}

/// The code of an element in a block of values.
fn code(block: u64, at: usize) -> usize {
    (block >> (16 + 3 * at) & 7) as usize
}

/// The alpha of BC3, of 8 bits.
fn alpha(block: u64, at: usize) -> u32 {
    /// 2048ths of the way from the first to the second, by the code.
    const EIGHT: [i32; 8] = [0, 2048, 289, 578, 892, 1156, 1470, 1759];
    const SIX: [i32; 6] = [0, 2048, 385, 770, 1278, 1663];
    let [first, second] = [block & 0xff, block >> 8 & 0xff].map(|end| end as i32);
    let code = code(block, at);
    let part = if first > second { Some(EIGHT[code]) } else { SIX.get(code).copied() };
    match part {
        Some(part) => ((2048 * first + (second - first) * part + 1024) >> 11) as u32,
        None if code == 6 => 0,
        None => 255,
    }
}

/// A value of BC4 or BC5, of 16 bits.
fn value(block: u64, at: usize, signed: bool) -> u32 {
    /// The end that is nearer in the device's sense, and steps from there to the other one. Of 16 bits one of the ends' 8
    /// takes 257 steps, or 258 with a sign.
    const EIGHT: [(usize, i32); 8] = [(0, 0), (1, 0), (0, 36), (0, 72), (1, 144), (0, 144), (1, 72), (1, 36)];
    const SIX: [(usize, i32); 6] = [(0, 0), (1, 0), (0, 48), (0, 96), (1, 96), (1, 48)];
    let raw = [block as u8, (block >> 8) as u8];
    let order = raw.map(|end| if signed { i32::from(end as i8) } else { i32::from(end) });
    let ends = order.map(|end| end.max(-127));
    let code = code(block, at);
    let (near, part) = match (order[0] > order[1], SIX.get(code)) {
        (true, _) => EIGHT[code],
        (_, Some(&pair)) => pair,
        (_, None) if signed => return (if code == 6 { -32767i32 } else { 32767 }) as u32,
        (_, None) => return if code == 6 { 0 } else { 65535 },
    };
    let whole = if signed { ends[near] * 258 + ends[near] / 64 } else { ends[near] * 257 };
    (whole + (ends[1 - near] - ends[near]) * part) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(bytes: &[u8]) -> [u8; 16] {
        core::array::from_fn(|n| bytes.get(n).copied().unwrap_or(0))
    }

    #[test]
    fn values_between_ends_are_the_devices() {
        // Recorded: ends, code, result.
        for (ends, signed, code, expected) in [
            ([27u8, 208], false, 4, 36080),
            ([27, 208], false, 2, 15627),
            ([72, 114], false, 3, 22536),
            ([72, 114], false, 7, 65535),
            ([95, 0xc3], true, 7, -10122),
            ([95, 0xc3], true, 2, 18895),
            ([50, 33], true, 4, 10962),
        ] {
            let word = u64::from(ends[0]) | u64::from(ends[1]) << 8 | code << 16;
            assert_eq!(value(word, 0, signed) as i32, expected, "{ends:?} {code}");
        }
        for (code, expected) in [(2, 211), (5, 130), (6, 100), (7, 73)] {
            assert_eq!(alpha(238 | 46 << 8 | code << 16, 0), expected);
        }
    }

    #[test]
    fn colors_between_ends_are_the_devices() {
        // Ends 239, 81, 156 and 231, 235, 0.
        let ends = u64::from(29u16 << 11 | 20 << 5 | 19) | u64::from(28u16 << 11 | 58 << 5) << 16;
        assert_eq!(color(ends | 2 << 32, 0, false), [236, 129, 104, 255]);
        assert_eq!(color(ends | 3 << 32, 0, false), [233, 187, 52, 255]);
        assert_eq!(Compression::Bc1.unpack(&block(&[0, 0, 1, 0, 3]), 0), [0; 4]);
        assert_eq!(Compression::Bc7.unpack(&[0; 16], 5), [0; 4]);
    }
}
