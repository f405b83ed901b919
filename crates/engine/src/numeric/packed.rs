//! Arithmetic of pairs of singles, of singles with halves, of three singles, and of four bytes in a word.

use crate::numeric::float::{self, DOWN, UP, ZERO};

/// What is done with singles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Fma,
}

/// How.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub operation: Operation,
    pub rounding: u32,
    pub flush: bool,
    pub saturate: bool,
}

impl Manner {
    pub fn encode(self) -> i64 {
        self.operation as i64
            | i64::from(self.rounding) << 2
            | i64::from(self.flush) << 4
            | i64::from(self.saturate) << 5
    }

    pub fn decode(value: i64) -> Manner {
        let operation = match value & 3 {
            0 => Operation::Add,
            1 => Operation::Subtract,
            2 => Operation::Multiply,
            _ => Operation::Fma,
        };
        Manner {
            operation,
            rounding: (value >> 2 & 3) as u32,
            flush: value >> 4 & 1 != 0,
            saturate: value >> 5 & 1 != 0,
        }
    }

    /// One result.
    pub fn single(self, a: f32, b: f32, c: f32) -> f32 {
        let into = |x: f32| if self.flush { float::flush(x) } else { x };
        let (a, b, c) = (into(a), into(b), into(c));
        let mut d = self.rounded(a, b, c);
        if self.flush {
            // The larger one overflows where nothing is flushed.
            let larger = match self.operation {
                Operation::Multiply => self.rounded(a * float::LARGER, b, c),
                Operation::Fma => self.rounded(a * float::LARGER, b, c * float::LARGER),
                // Sums are exact where they are small.
                _ => f32::INFINITY,
            };
            d = float::flush_tiny(d, larger);
        }
        if self.saturate { float::saturate(d) } else { float::canonical(d) }
    }

    fn rounded(self, a: f32, b: f32, c: f32) -> f32 {
        match self.rounding {
            DOWN => self.directed::<DOWN>(a, b, c),
            UP => self.directed::<UP>(a, b, c),
            ZERO => self.directed::<ZERO>(a, b, c),
            _ => match self.operation {
                Operation::Add => a + b,
                Operation::Subtract => a - b,
                Operation::Multiply => a * b,
                Operation::Fma => a.mul_add(b, c),
            },
        }
    }

    fn directed<const MODE: u32>(self, a: f32, b: f32, c: f32) -> f32 {
        match self.operation {
            Operation::Add => float::add::<MODE>(a, b),
            Operation::Subtract => float::add::<MODE>(a, -b),
            Operation::Multiply => float::mul::<MODE>(a, b),
            Operation::Fma => float::fma::<MODE>(a, b, c),
        }
    }

    /// Two results, from pairs in words of 64 bits.
    pub fn pair(self, [a, b, c]: [u64; 3]) -> u64 {
        let half = |at: u32| {
            let part = |x: u64| f32::from_bits((x >> at) as u32);
            u64::from(self.single(part(a), part(b), part(c)).to_bits()) << at
        };
        half(0) | half(32)
    }
}

/// The least or the largest of three.
#[derive(Clone, Copy, Debug)]
pub struct Extreme {
    pub largest: bool,
    pub flush: bool,
    /// No number comes out where one is none.
    pub nan: bool,
    /// Of magnitudes.
    pub magnitude: bool,
}

impl Extreme {
    pub fn encode(self) -> i64 {
        [self.largest, self.flush, self.nan, self.magnitude]
            .into_iter()
            .enumerate()
            .fold(0, |all, (n, flag)| all | i64::from(flag) << n)
    }

    pub fn decode(value: i64) -> Extreme {
        let flag = |n: u32| value >> n & 1 != 0;
        Extreme { largest: flag(0), flush: flag(1), nan: flag(2), magnitude: flag(3) }
    }

    /// Of two.
    pub fn of(self, a: f32, b: f32) -> f32 {
        let into = |x: f32| {
            let x = if self.flush { float::flush(x) } else { x };
            if self.magnitude { x.abs() } else { x }
        };
        let (a, b) = (into(a), into(b));
        if self.nan && (a.is_nan() || b.is_nan()) {
            return float::canonical(f32::NAN);
        }
        if self.largest { float::max(a, b) } else { float::min(a, b) }
    }
}

/// What is done with the bytes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    Add,
    Subtract,
    Minimum,
    Maximum,
    Negate,
}

/// How.
#[derive(Clone, Copy, Debug)]
pub struct BytesManner {
    pub operation: Bytes,
    pub signed: bool,
    pub saturate: bool,
    /// What is negative becomes zero.
    pub relu: bool,
}

impl BytesManner {
    pub fn encode(self) -> i64 {
        self.operation as i64 | i64::from(self.signed) << 3 | i64::from(self.saturate) << 4 | i64::from(self.relu) << 5
    }

    pub fn decode(value: i64) -> BytesManner {
        let operation = match value & 7 {
            0 => Bytes::Add,
            1 => Bytes::Subtract,
            2 => Bytes::Minimum,
            3 => Bytes::Maximum,
            _ => Bytes::Negate,
        };
        let flag = |n: u32| value >> n & 1 != 0;
        BytesManner { operation, signed: flag(3), saturate: flag(4), relu: flag(5) }
    }

    /// Of four bytes each.
    pub fn of(self, a: u32, b: u32) -> u32 {
        let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
        let (least, most) = if self.signed { (-128, 127) } else { (0, 255) };
        u32::from_le_bytes(core::array::from_fn(|n| {
            let wide = |x: u8| if self.signed { i32::from(x as i8) } else { i32::from(x) };
            let (x, y) = (wide(a[n]), wide(b[n]));
            let mut d = match self.operation {
                Bytes::Add => x + y,
                Bytes::Subtract => x - y,
                Bytes::Minimum => x.min(y),
                Bytes::Maximum => x.max(y),
                Bytes::Negate => -x,
            };
            if self.saturate {
                d = d.clamp(least, most);
            }
            if self.relu { d.max(0) as u8 } else { d as u8 }
        }))
    }
}
