//! Video instructions: a word or a piece of one as operands, a second operation or a merge behind the first; and the same
//! operations on all pieces of a word at once.

/// The first operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum VideoOperation {
    Add,
    Subtract,
    Difference,
    Minimum,
    Maximum,
    Left,
    Right,
    Compare,
    Average,
}

/// What happens with its result and the last operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Second {
    Nothing,
    Add,
    Minimum,
    Maximum,
    Merge,
}

/// An instruction, small enough to be a step's value.
#[derive(Clone, Copy, Debug)]
pub struct Video {
    pub operation: VideoOperation,
    pub second: Second,
    /// Result, operands.
    pub signed: [bool; 3],
    pub saturate: bool,
    /// Of shifts: more than 32 counts as 32.
    pub clamp: bool,
    /// Of comparisons: eq, ne, lt, le, gt, ge.
    pub comparison: u8,
    /// Selectors: of the result, of the operands. Words are 0, bytes 1 to 4, halves 5 and 6.
    pub select: [u8; 3],
}

/// First bit and bits of what a selector selects.
fn place(selector: u8) -> (u32, u32) {
    match selector {
        1..=4 => (u32::from(selector - 1) * 8, 8),
        5 | 6 => (u32::from(selector - 5) * 16, 16),
        _ => (0, 32),
    }
}

fn piece(word: u32, (at, bits): (u32, u32), signed: bool) -> i128 {
    let raw = i128::from(word) >> at & ((1 << bits) - 1);
    if signed && raw >> (bits - 1) & 1 != 0 { raw - (1 << bits) } else { raw }
}

fn clamp(x: i128, bits: u32, signed: bool) -> i128 {
    if signed { x.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { x.clamp(0, (1 << bits) - 1) }
}

fn compare(comparison: u8, a: i128, b: i128) -> bool {
    match comparison {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        _ => a >= b,
    }
}

impl Video {
    /// As a step's value.
    pub fn encode(self) -> i64 {
        let flag = |b: bool, at: u32| i64::from(b) << at;
        (self.operation as i64)
            | (self.second as i64) << 4
            | flag(self.signed[0], 8)
            | flag(self.signed[1], 9)
            | flag(self.signed[2], 10)
            | flag(self.saturate, 11)
            | flag(self.clamp, 12)
            | i64::from(self.comparison) << 16
            | i64::from(self.select[0]) << 20
            | i64::from(self.select[1]) << 24
            | i64::from(self.select[2]) << 28
    }

    /// Out of a step's value.
    pub fn decode(value: i64) -> Video {
        use VideoOperation::*;
        let flag = |at: u32| value >> at & 1 != 0;
        let small = |at: u32| (value >> at & 15) as u8;
        Video {
            operation: [Add, Subtract, Difference, Minimum, Maximum, Left, Right, Compare, Average]
                [usize::from(small(0)).min(8)],
            second: [Second::Nothing, Second::Add, Second::Minimum, Second::Maximum, Second::Merge]
                [usize::from(small(4)).min(4)],
            signed: [flag(8), flag(9), flag(10)],
            saturate: flag(11),
            clamp: flag(12),
            comparison: small(16),
            select: [small(20), small(24), small(28)],
        }
    }

    fn first(&self, a: i128, b: i128) -> i128 {
        match self.operation {
            VideoOperation::Add => a + b,
            VideoOperation::Subtract => a - b,
            VideoOperation::Difference => (a - b).abs(),
            VideoOperation::Minimum => a.min(b),
            VideoOperation::Maximum => a.max(b),
            VideoOperation::Left => a << b,
            VideoOperation::Right => a >> b,
            VideoOperation::Compare => i128::from(compare(self.comparison, a, b)),
            // Halves are rounded away from zero.
            VideoOperation::Average => (a + b + i128::from(a + b >= 0)) >> 1,
        }
    }

    /// The first result, saturated as the device does it: shifts to 34 bits on the way; unsigned results are only kept from
    /// being negative; into pieces, what is negative counts as too large.
    fn saturated(&self, d: i128) -> i128 {
        let (signed, (_, bits)) = (self.signed[0], place(self.select[0]));
        if matches!(self.operation, VideoOperation::Left | VideoOperation::Right) {
            return clamp(d << 94 >> 94, 32, signed);
        }
        if bits < 32 {
            let most = if signed { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
            return if (0..=most).contains(&d) { d } else { most };
        }
        if signed { clamp(d, 32, true) } else { d.max(0) }
    }

    /// Whether the first result exceeds the last operand. The device compares 64 bits; sums and saturated shifts have 32
    /// bits by then, whose uppermost one counts as a sign. What is negative is large where the result is unsigned.
    fn exceeds(&self, d: i128, c: u32) -> bool {
        let shift = matches!(self.operation, VideoOperation::Left | VideoOperation::Right);
        let short = matches!(self.operation, VideoOperation::Add | VideoOperation::Subtract) || shift && self.saturate;
        let d = if short { i64::from(d as i32) } else { d as i64 };
        if self.signed[0] { d > i64::from(c as i32) } else { d as u64 > u64::from(c) }
    }

    /// The scalar instructions.
    pub fn scalar(&self, a: u32, b: u32, c: u32) -> u32 {
        let x = piece(a, place(self.select[1]), self.signed[1]);
        let mut y = piece(b, place(self.select[2]), self.signed[2]);
        if matches!(self.operation, VideoOperation::Left | VideoOperation::Right) {
            y = if self.clamp { y.min(32) } else { y & 31 };
        }
        let mut d = self.first(x, y);
        if self.saturate {
            d = self.saturated(d);
        }
        let word = d as u32;
        match self.second {
            Second::Nothing => word,
            Second::Add => word.wrapping_add(c),
            Second::Minimum => {
                if self.exceeds(d, c) {
                    c
                } else {
                    word
                }
            }
            Second::Maximum => {
                if self.exceeds(d, c) {
                    word
                } else {
                    c
                }
            }
            Second::Merge => {
                let (at, bits) = place(self.select[0]);
                let mask = (((1u64 << bits) - 1) << at) as u32;
                // The upper half takes that of the result, as the device has it; the other pieces take its lowest bits.
                let moved = if self.select[0] == 6 { word } else { word << at };
                c & !mask | moved & mask
            }
        }
    }
}

/// Pieces of two words, picked, for instructions on all pieces of a word at once: `number` pieces of the words' eight or four.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    /// Four nibbles a word: which piece of `b:a` each place takes.
    pub picks: [u16; 2],
    /// Which places get results.
    pub mask: u8,
    /// Two halves rather than four bytes.
    pub halves: bool,
}

impl Video {
    /// The instructions on all pieces. Without a second operation, places that get no result keep those of `c`.
    pub fn parallel(&self, pieces: Pieces, a: u32, b: u32, c: u32) -> u32 {
        let (count, bits) = if pieces.halves { (2, 16) } else { (4, 8) };
        let both = u64::from(b) << 32 | u64::from(a);
        let pick = |which: u16, n: u32, signed: bool| {
            let number = u32::from(which >> (4 * n) & 15);
            piece((both >> (number * bits)) as u32, (0, bits), signed)
        };
        let mut d = c;
        for n in (0..count).filter(|n| pieces.mask >> n & 1 != 0) {
            let mut r = self.first(pick(pieces.picks[0], n, self.signed[1]), pick(pieces.picks[1], n, self.signed[2]));
            if self.saturate {
                r = clamp(r, bits, self.signed[0]);
            }
            if self.second == Second::Add {
                d = d.wrapping_add(r as u32);
            } else {
                let mask = ((1u32 << bits) - 1) << (n * bits);
                d = d & !mask | (r as u32) << (n * bits) & mask;
            }
        }
        d
    }
}

/// `vmad`: signs of the operands, negations, one more, a shift, saturation.
#[derive(Clone, Copy, Debug)]
pub struct MultiplyAdd {
    pub signed: [bool; 2],
    pub negative: [bool; 3],
    pub more: bool,
    pub shift: u32,
    pub saturate: bool,
    pub select: [u8; 2],
}

impl MultiplyAdd {
    pub fn encode(self) -> i64 {
        let flag = |b: bool, at: u32| i64::from(b) << at;
        flag(self.signed[0], 0)
            | flag(self.signed[1], 1)
            | flag(self.negative[0], 2)
            | flag(self.negative[1], 3)
            | flag(self.negative[2], 4)
            | flag(self.more, 5)
            | flag(self.saturate, 6)
            | i64::from(self.shift) << 8
            | i64::from(self.select[0]) << 16
            | i64::from(self.select[1]) << 20
    }

    pub fn decode(value: i64) -> MultiplyAdd {
        let flag = |at: u32| value >> at & 1 != 0;
        MultiplyAdd {
            signed: [flag(0), flag(1)],
            negative: [flag(2), flag(3), flag(4)],
            more: flag(5),
            saturate: flag(6),
            shift: (value >> 8 & 31) as u32,
            select: [(value >> 16 & 15) as u8, (value >> 20 & 15) as u8],
        }
    }

    pub fn run(&self, a: u32, b: u32, c: u32) -> u32 {
        // The device takes whole words for signed ones, whatever their type.
        let operand = |word: u32, n: usize| piece(word, place(self.select[n]), self.signed[n] || self.select[n] == 0);
        let (x, y, z) = (operand(a, 0), operand(b, 1), i128::from(c as i32));
        let turned = self.negative[0] != self.negative[1];
        let signed = self.signed[0] || self.signed[1] || turned || self.negative[2];
        let product = if turned { -(x * y) } else { x * y };
        let addend = if self.negative[2] { -z } else { z };
        let sum = (product + addend + i128::from(self.more)) >> self.shift;
        let sum = match (self.saturate, signed) {
            (false, _) => sum,
            (true, true) => sum.clamp(i128::from(i32::MIN), i128::from(i32::MAX)),
            // What is negative is too large after a shift.
            (true, false) if self.shift > 0 && sum < 0 => i128::from(u32::MAX),
            (true, false) => sum.clamp(0, i128::from(u32::MAX)),
        };
        sum as u32
    }
}
