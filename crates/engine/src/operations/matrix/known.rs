//! Which products of fragments there is code for that takes them as the lanes hold them, and what that code shares whatever its
//! vectors are: [`quads`](super::quads) has those of 512 bits, [`eights`](super::eights) those of 256, and [`doubles`](super::doubles) those in
//! double precision of both.

use super::numbers::{Parts, Rules};
use super::{Element, Product};
use crate::numeric::value::LANES;

/// Rows and columns that are computed together.
pub const ROWS: usize = 16;
pub const COLUMNS: usize = 8;
/// Bits that sums keep below the highest exponent.
pub const FRACTION: i32 = 25;
/// Exponents of factors that fill only part of the range of singles, and of none: sums of two are told apart in a byte.
pub const LEAST: i32 = -43;
pub const MOST: i32 = 20;
pub const NONE: i32 = -128;
/// Results in registers: of 16 by 16 elements.
pub const MOST_RESULTS: usize = 8;

/// Of products in double precision: lanes that hold a row, rows of a register, columns of the largest left factor.
pub const FOUR: usize = 4;
pub const DOUBLE_ROWS: usize = LANES / FOUR;
pub const MOST_DEPTH: usize = 16;

/// Types of factors.
pub const F16: u8 = 0;
pub const BF16: u8 = 1;
pub const TF32: u8 = 2;

/// A product that there is code for.
#[derive(Clone, Copy)]
pub enum Known {
    /// Of floating point numbers: the type of the factors, and how many registers of the right one hold what a sum is made of.
    Floats { kind: u8, deep: usize },
    /// Of bytes: whether those of each factor have a sign.
    Integers { signed: [bool; 2], saturate: bool },
    /// In double precision; the rounding mode.
    Doubles { rounding: u32 },
}

/// Whether there is code for a product in double precision: what lanes hold is what the head of [`doubles`](super::doubles) says.
fn is_double(product: &Product) -> bool {
    product.columns == COLUMNS
        && product.b_columns == COLUMNS
        && (product.rows == DOUBLE_ROWS || product.rows == 2 * DOUBLE_ROWS)
        && product.depth.is_multiple_of(FOUR)
        && product.depth <= MOST_DEPTH
        && product.sparsity.is_none()
        && product.scales.is_none()
}

/// What a product is; none if there is no code for it.
#[inline]
pub fn known(product: &Product) -> Option<Known> {
    if let Rules::Double(rounding) = product.rules {
        return is_double(product).then_some(Known::Doubles { rounding });
    }
    let shape = product.rows.is_multiple_of(ROWS)
        && product.columns.is_multiple_of(COLUMNS)
        && product.b_columns == product.columns
        && product.sparsity.is_none()
        && product.scales.is_none()
        && product.rows * product.columns / LANES <= MOST_RESULTS;
    if !shape {
        return None;
    }
    match product.rules {
        Rules::Short { fraction: FRACTION, half: false, narrow: false, parts: Parts::Whole } => {
            let single = product.c.element == Element::F32 && product.d.element == Element::F32;
            let (kind, deep) = match (product.a.element, product.depth) {
                (Element::F16, 8) => (F16, 1),
                (Element::F16, 16) => (F16, 2),
                (Element::Bf16, 8) => (BF16, 1),
                (Element::Bf16, 16) => (BF16, 2),
                (Element::Tf32, 4) => (TF32, 1),
                (Element::Tf32, 8) => (TF32, 2),
                _ => return None,
            };
            single.then_some(Known::Floats { kind, deep })
        }
        Rules::Integer { saturate } => {
            let has_sign = |element: Element| match element {
                Element::S8 => Some(true),
                Element::U8 => Some(false),
                _ => None,
            };
            let signed = [has_sign(product.a.element)?, has_sign(product.b.element)?];
            matches!(product.depth, 16 | 32).then_some(Known::Integers { signed, saturate })
        }
        _ => None,
    }
}

/// Calls a function of the type of the factors, how many numbers of it a register holds, and how many registers a sum is made of.
macro_rules! by_kind {
    ($kind:expr, $deep:expr, $floats:ident($($argument:expr),*)) => {
        match ($kind, $deep) {
            (F16, 1) => $floats::<F16, 2, 1>($($argument),*),
            (F16, _) => $floats::<F16, 2, 2>($($argument),*),
            (BF16, 1) => $floats::<BF16, 2, 1>($($argument),*),
            (BF16, _) => $floats::<BF16, 2, 2>($($argument),*),
            (_, 1) => $floats::<TF32, 1, 1>($($argument),*),
            _ => $floats::<TF32, 1, 2>($($argument),*),
        }
    };
}
pub(super) use by_kind;
