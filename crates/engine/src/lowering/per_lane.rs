//! Instructions that are executed lane by lane (`operations::per_lane`): integers in pieces, 16-bit floating point, conversions,
//! video.

use crate::lowering::select::{NONE, Select, Selected, unsupported};
use crate::numeric::half::{BRAIN, FLUSH, NAN, OUT_OF_BOUNDS, PAIR, RELU, SATURATE, XOR_SIGN};
use crate::numeric::small_float::Conversion;
use crate::numeric::video::{MultiplyAdd, Pieces, Second, Video, VideoOperation as First};
use crate::numeric::{bits, float, half, small_float};
use crate::operations;
use crate::operations::arithmetic as scalar;
use crate::operations::arithmetic::{Binary, Manner, Quaternary, Ternary};
use crate::operations::elementwise::{self, Combination};
use crate::operations::per_lane::{PerLane, per_lane};
use crate::operations::predicate::HalfComparison;
use crate::state::warp::Execute;
use ptx::instruction::{Digits, Selector};
use ptx::modifier::Comparison;
use ptx::{Instruction, Modifier, Opcode, Operand, Type};

fn low(operands: [u64; 4]) -> [u32; 4] {
    operands.map(|x| x as u32)
}

/// True for numbers of 16 bits, alone or in pairs.
pub(super) fn is_half(ty: Type) -> bool {
    matches!(ty, Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2)
}

impl<'a> Select<'_, 'a> {
    /// A general step: the operands of the instruction behind the result.
    fn lanewise(
        &mut self,
        execute: Execute,
        how: i64,
        i: &Instruction<'a>,
        result: Type,
        operands: &[Type],
    ) -> Selected {
        if i.operands.len() != operands.len() + 1 {
            return Err("Arguments mismatch".into());
        }
        let mut step = self.step(execute);
        let mut wide = [false; 4];
        for (n, &ty) in operands.iter().enumerate() {
            step.from[n] = self.value(&i.operands[n + 1], ty)?;
            wide[n] = ty.bytes() == 8;
        }
        step.to[0] = self.result(&i.operands[0], result)?;
        step.set(PerLane { how, wide, wide_result: result.bytes() == 8 });
        self.push(step);
        Ok(())
    }

    pub(super) fn slct(&mut self, i: &Instruction<'a>, types: &[Type], manner: Manner) -> Selected {
        let &[ty, by] = types else { return unsupported() };
        let value = i64::from(by == Type::F32) | i64::from(manner.flush) << 1;
        let execute = per_lane(|how, [a, b, c, _]| {
            let first = match how {
                0 => c as u32 as i32 >= 0,
                1 => f32::from_bits(c as u32) >= 0.0,
                _ => float::flush(f32::from_bits(c as u32)) >= 0.0,
            };
            if first { a } else { b }
        });
        self.lanewise(execute, value, i, ty, &[ty, ty, by])
    }

    /// `prmt` with a mode.
    pub(super) fn permute(&mut self, i: &Instruction<'a>) -> Selected {
        let word = Type::B32;
        let mode = bits::PERMUTATIONS.iter().position(|p| i.has(p.0)).ok_or_else(String::new)?;
        let execute = per_lane(|mode, operands| {
            let [a, b, c, _] = low(operands);
            u64::from(bits::permute(a, b, bits::PERMUTATIONS[mode as usize % 6].1[c as usize & 3]))
        });
        self.lanewise(execute, mode as i64, i, word, &[word; 3])
    }

    /// `bmsk`.
    pub(super) fn mask(&mut self, i: &Instruction<'a>) -> Selected {
        let clamp = i64::from(i.has(Modifier::Clamp));
        let word = Type::B32;
        let execute = per_lane(|clamp, operands| {
            let [a, b, ..] = low(operands);
            u64::from(bits::mask(clamp != 0, a, b))
        });
        self.lanewise(execute, clamp, i, word, &[word; 2])
    }

    /// `szext`.
    pub(super) fn extend(&mut self, i: &Instruction<'a>, types: &[Type]) -> Selected {
        let signed = |n: usize| types.get(n).is_some_and(|t| t.is_signed());
        let clamp = i64::from(i.has(Modifier::Clamp));
        let word = Type::B32;
        let execute = per_lane(|how, operands| {
            let [a, b, ..] = low(operands);
            u64::from(bits::extend(how & 1 != 0, how & 2 != 0, a, b))
        });
        self.lanewise(execute, clamp | i64::from(signed(0)) << 1, i, word, &[word; 2])
    }

    /// `fns`.
    pub(super) fn find_nth(&mut self, i: &Instruction<'a>) -> Selected {
        let word = Type::B32;
        let execute = per_lane(|_, operands| {
            let [mask, base, offset, _] = low(operands);
            u64::from(bits::find_nth(mask, base, offset as i32))
        });
        self.lanewise(execute, 0, i, word, &[word; 3])
    }

    /// `dp4a` and `dp2a`.
    pub(super) fn dot(&mut self, i: &Instruction<'a>, types: &[Type], bytes: bool) -> Selected {
        let signed = |n: usize| types.get(n).is_some_and(|t| t.is_signed());
        let upper = i64::from(i.has(Modifier::Hi));
        let word = Type::B32;
        let how = i64::from(signed(0)) | i64::from(signed(1)) << 1 | upper << 2;
        let execute = if bytes {
            per_lane(|how, operands| {
                let [a, b, c, _] = low(operands);
                u64::from(bits::dot4((how & 1 != 0, how & 2 != 0), a, b, c))
            })
        } else {
            per_lane(|how, operands| {
                let [a, b, c, _] = low(operands);
                u64::from(bits::dot2((how & 1 != 0, how & 2 != 0), how & 4 != 0, a, b, c))
            })
        };
        self.lanewise(execute, how, i, word, &[word; 3])
    }

    /// `mul24` and `mad24`.
    pub(super) fn product24(&mut self, i: &Instruction<'a>, types: &[Type], manner: Manner, adds: bool) -> Selected {
        let signed = |n: usize| types.get(n).is_some_and(|t| t.is_signed());
        let upper = i64::from(i.has(Modifier::Hi));
        let word = Type::B32;
        let how = i64::from(signed(0)) | upper << 1 | i64::from(manner.saturate) << 2;
        let execute = per_lane(|how, operands| {
            let [a, b, c, _] = low(operands);
            let product = bits::product24(how & 1 != 0, a, b);
            let part = if how & 2 != 0 { product >> 16 } else { product } as u32;
            let sum = if how & 4 != 0 { (part as i32).saturating_add(c as i32) as u32 } else { part.wrapping_add(c) };
            u64::from(sum)
        });
        let mut with = i.clone();
        if !adds {
            with.operands.push(Operand::Integer(0));
        }
        self.lanewise(execute, how, &with, word, &[word; 3])
    }

    /// `mad.hi.sat.s32`.
    pub(super) fn product_sum_saturated(&mut self, i: &Instruction<'a>) -> Selected {
        let word = Type::B32;
        let execute = per_lane(|_, operands| {
            let [a, b, c, _] = low(operands).map(|x| i64::from(x as i32));
            let part = (a * b) >> 32;
            (part + c).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u64
        });
        self.lanewise(execute, 0, i, word, &[word; 3])
    }

    /// `mad.hi` of 16 bits.
    pub(super) fn product_sum16(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let execute = per_lane(|signed, operands| {
            let [a, b, c, _] = low(operands);
            let part = if signed != 0 {
                (i32::from(a as i16) * i32::from(b as i16)) as u32 >> 16
            } else {
                ((a & 0xffff) * (b & 0xffff)) >> 16
            };
            u64::from((part as u16).wrapping_add(c as u16))
        });
        self.lanewise(execute, i64::from(ty.is_signed()), i, ty, &[ty; 3])
    }

    /// Sum, minimum and maximum of pairs of 16-bit integers; minimum and maximum that are not below zero.
    pub(super) fn integer_pair(
        &mut self,
        i: &Instruction<'a>,
        operation: bits::Pair,
        ty: Type,
        manner: Manner,
    ) -> Selected {
        let (word, operation) = (Type::B32, operation as i64);
        if ty == Type::S32 {
            let execute = per_lane(|operation, operands| {
                let [a, b, ..] = low(operands).map(|x| x as i32);
                u64::from(if operation == 1 { a.min(b) } else { a.max(b) }.max(0) as u32)
            });
            return self.lanewise(execute, operation, i, ty, &[ty; 2]);
        }
        let how = operation
            | i64::from(ty == Type::S16x2) << 2
            | i64::from(manner.saturate) << 3
            | i64::from(manner.relu) << 4;
        let execute = per_lane(|how, operands| {
            let [a, b, ..] = low(operands);
            let flag = |at: u32| how >> at & 1 != 0;
            u64::from(bits::pair16(how & 3, flag(2), flag(3), flag(4), a, b))
        });
        self.lanewise(execute, how, i, word, &[word; 2])
    }

    /// `lop3` with a predicate: the result is not zero, and or or another predicate.
    pub(super) fn lop3_predicate(&mut self, i: &Instruction<'a>) -> Selected {
        let [to, a, b, c, table, q] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let Operand::Pair(d, p) = to else { return Err("Arguments mismatch".into()) };
        let value = self.slot();
        let mut step = self.step(scalar::quaternary_of(Quaternary::Lop3, Type::B32).ok_or_else(String::new)?);
        for (n, operand) in [a, b, c, table].into_iter().enumerate() {
            step.from[n] = self.value(operand, Type::B32)?;
        }
        step.to[0] = value;
        self.push(step);
        // The predicate last: it may be the guard.
        let d = self.result(d, Type::B32)?;
        self.copy(value, d, false);
        let (q, negated) = self.predicate(q)?;
        let p = self.result(p, Type::Pred)?;
        let mut step = self.step(scalar::compare_of(Comparison::Ne, Type::B32, false).ok_or_else(String::new)?);
        (step.from[0], step.from[1], step.from[2], step.to[0]) = (value, self.constant(0, false), q, p);
        let combination = if i.has(Modifier::And) { Combination::And } else { Combination::Or };
        step.set(elementwise::Comparison { combination, negated, ..elementwise::Comparison::PLAIN });
        self.push(step);
        Ok(())
    }

    /// `.xorsign.abs` of f32: `min` and `max` of magnitudes, with the sign of the product.
    pub(super) fn xor_sign(&mut self, i: &Instruction<'a>, manner: Manner) -> Selected {
        let how = i64::from(i.opcode == Opcode::Max) | i64::from(manner.flush) << 1 | i64::from(manner.nan) << 2;
        let execute = per_lane(|how, operands| {
            let [a, b, ..] = low(operands).map(f32::from_bits);
            let (a, b) = if how & 2 != 0 { (float::flush(a), float::flush(b)) } else { (a, b) };
            let sign = (a.to_bits() ^ b.to_bits()) & 1 << 31;
            let (x, y) = (a.abs(), b.abs());
            let r = match how & 1 {
                _ if how & 4 != 0 && (a.is_nan() || b.is_nan()) => f32::NAN,
                0 => float::min(x, y),
                _ => float::max(x, y),
            };
            u64::from(if r.is_nan() { float::canonical(r).to_bits() } else { r.to_bits() | sign })
        });
        self.lanewise(execute, how, i, Type::F32, &[Type::F32; 2])
    }

    fn half_manner(ty: Type, i: &Instruction<'a>, manner: Manner) -> i64 {
        let flag = |on: bool, bit: i64| if on { bit } else { 0 };
        flag(matches!(ty, Type::Bf16 | Type::Bf16x2), BRAIN)
            | flag(matches!(ty, Type::F16x2 | Type::Bf16x2), PAIR)
            | flag(manner.flush, FLUSH)
            | flag(manner.saturate, SATURATE)
            | flag(manner.relu, RELU)
            | flag(manner.nan, NAN)
            | flag(i.has(Modifier::Xorsign), XOR_SIGN)
            | flag(i.has(Modifier::Oob), OUT_OF_BOUNDS)
    }

    /// Arithmetic of 16-bit floating point numbers.
    pub(super) fn half(
        &mut self,
        i: &Instruction<'a>,
        operation: half::HalfOperation,
        ty: Type,
        manner: Manner,
    ) -> Selected {
        let how = Self::half_manner(ty, i, manner);
        // Without modifiers there are steps of their own, except where two roundings would differ from one.
        if how & !(BRAIN | PAIR) == 0 {
            use half::HalfOperation::*;
            let quick = match operation {
                Add => scalar::binary_of(Binary::Add, ty, manner),
                Sub => scalar::binary_of(Binary::Sub, ty, manner),
                Mul => scalar::binary_of(Binary::Mul, ty, manner),
                Fma if how & BRAIN == 0 => scalar::ternary_of(Ternary::Fma, ty, manner),
                Fma | Min | Max | Abs | Neg | Tanh | Ex2 => None,
            };
            if quick.is_some() {
                let count = i.operands.len().saturating_sub(1);
                return self.simple(quick, i, ty, &[ty; 3][..count.min(3)]);
            }
        }
        let execute = per_lane(|how, operands| {
            let [a, b, c, _] = low(operands);
            u64::from(half::half(how, a, b, c))
        });
        let count = i.operands.len().saturating_sub(1).min(3);
        self.lanewise(execute, how | (operation as i64) << 8, i, ty, &[ty; 3][..count])
    }

    /// A comparison of 16-bit floating point numbers: a predicate for each number of a pair.
    fn compare_halves(
        &mut self,
        i: &Instruction<'a>,
        ty: Type,
        manner: Manner,
        operands: &[Operand<'a>],
        to: [u32; 2],
    ) -> Selected {
        let (wanted, combination) = Self::comparison(i)?;
        let comparison = half::COMPARISONS.iter().position(|c| *c == wanted).ok_or_else(String::new)? as u8;
        let [a, b, rest @ ..] = operands else { return Err("Arguments mismatch".into()) };
        let mut step = self.step(operations::predicate::compare_halves);
        (step.from[0], step.from[1]) = (self.value(a, ty)?, self.value(b, ty)?);
        let mut halves =
            HalfComparison { how: Self::half_manner(ty, i, manner), comparison, combination, negated: false };
        if combination != Combination::None {
            (step.from[2], halves.negated) = self.predicate(rest.first().unwrap_or(&Operand::Nothing))?;
        }
        step.set(halves);
        (step.to[0], step.to[1]) = (to[0], to[1]);
        self.push(step);
        Ok(())
    }

    pub(super) fn setp_halves(&mut self, i: &Instruction<'a>, ty: Type, manner: Manner) -> Selected {
        let [to, operands @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let places = match to {
            Operand::Pair(p, q) => [self.result(p, Type::Pred)?, self.result(q, Type::Pred)?],
            p => [self.result(p, Type::Pred)?, NONE],
        };
        self.compare_halves(i, ty, manner, operands, places)
    }

    pub(super) fn set_halves(&mut self, i: &Instruction<'a>, types: &[Type], manner: Manner) -> Selected {
        let &[to, from] = types else { return unsupported() };
        let [d, operands @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (p, q) = (self.slot(), self.slot());
        self.compare_halves(i, from, manner, operands, [p, q])?;
        let pair = matches!(from, Type::F16x2 | Type::Bf16x2);
        let one = match to {
            Type::F32 => 0x3f80_0000,
            Type::F16 | Type::F16x2 => 0x3c00,
            Type::Bf16 | Type::Bf16x2 => 0x3f80,
            Type::U16 | Type::S16 => 0xffff,
            Type::U32 | Type::S32 if pair => 0xffff,
            Type::U32 | Type::S32 => 0xffff_ffff,
            _ => return unsupported(),
        };
        let d = self.result(d, to)?;
        let (one, zero, upper) = (self.constant(one, false), self.constant(0, false), self.constant(one << 16, false));
        let choose = elementwise::choose::<u32>;
        if !pair {
            let mut step = self.step(choose);
            (step.from[0], step.from[1], step.from[2], step.to[0]) = (one, zero, p, d);
            self.push(step);
            return Ok(());
        }
        let (first, second) = (self.slot(), self.slot());
        for (value, by, to) in [(one, p, first), (upper, q, second)] {
            let mut step = self.step(choose);
            (step.from[0], step.from[1], step.from[2], step.to[0]) = (value, zero, by, to);
            self.push(step);
        }
        let mut step = self.step(scalar::binary_of(Binary::Or, Type::B32, Manner::default()).ok_or_else(String::new)?);
        (step.from[0], step.from[1], step.to[0]) = (first, second, d);
        self.push(step);
        Ok(())
    }

    /// Conversions with modifiers, to and from packed types.
    pub(super) fn convert(&mut self, i: &Instruction<'a>, types: &[Type], integral: bool, manner: Manner) -> Selected {
        let &[to, from] = types else { return unsupported() };
        let (Some(to_number), Some(from_number)) = (small_float::number(to), small_float::number(from)) else {
            return unsupported();
        };
        let value = Conversion {
            rounding: manner.rounding,
            integral,
            flush: manner.flush,
            saturate: i.has(Modifier::Sat),
            relu: manner.relu,
            finite: i.has(Modifier::Satfinite),
            away: i.has(Modifier::Rna),
            to: to_number,
            from: from_number,
        }
        .encode();
        let narrow = matches!(to, Type::E4m3x2 | Type::E5m2x2);
        if i.operands.len() == 3 {
            let execute = per_lane(|value, operands| {
                let [a, b, ..] = low(operands);
                u64::from(Conversion::decode(value).pack(a, b))
            });
            return self.lanewise(execute, value, i, to, &[from, from]);
        }
        if narrow {
            let execute = per_lane(|value, operands| {
                let [pair, ..] = low(operands);
                u64::from(Conversion::decode(value).pack(pair >> 16, pair))
            });
            return self.lanewise(execute, value, i, to, &[from]);
        }
        if matches!(from, Type::E4m3x2 | Type::E5m2x2) {
            let execute = per_lane(|value, operands| u64::from(Conversion::decode(value).unpack(operands[0] as u32)));
            return self.lanewise(execute, value, i, to, &[from]);
        }
        if matches!(to, Type::F16x2 | Type::Bf16x2) || matches!(from, Type::F16x2 | Type::Bf16x2) {
            return unsupported();
        }
        let execute = per_lane(|value, operands| Conversion::decode(value).run(operands[0]));
        self.lanewise(execute, value, i, to, &[from])
    }

    /// `cvt.pack`.
    pub(super) fn convert_pack(&mut self, i: &Instruction<'a>) -> Selected {
        // The type of the parts comes first.
        let class = i.modifiers.iter().find_map(|m| m.class().map(|(_, bits)| (*m, bits)));
        let (ty, bits) = class.ok_or_else(String::new)?;
        let signed = matches!(ty, Modifier::S16 | Modifier::S8 | Modifier::S4 | Modifier::S2);
        let value = i64::from(bits) | i64::from(signed) << 8;
        let mut with = i.clone();
        if with.operands.len() == 3 {
            with.operands.push(Operand::Integer(0));
        }
        let execute = per_lane(|how, operands| {
            let [a, b, c, _] = low(operands);
            u64::from(small_float::pack_integers((how & 31) as u32, how >> 8 & 1 != 0, a, b, c))
        });
        self.lanewise(execute, value, &with, Type::B32, &[Type::B32; 3])
    }
}

/// An operand without its selector, the selector, and whether it is negated.
fn part<'a>(operand: &Operand<'a>) -> (Operand<'a>, Option<Selector<'a>>, bool) {
    match operand {
        Operand::Part(register, selector) => (Operand::Register(*register), Some(*selector), false),
        Operand::Negative(inner) => {
            let (operand, selector, negative) = part(inner);
            (operand, selector, !negative)
        }
        other => (other.clone(), None, false),
    }
}

fn illegal<T>(selector: Selector<'_>) -> Selected<T> {
    Err(format!("illegal selector '.{selector}'"))
}

/// The number of a selector of one piece: 0 for the whole, then four bytes, then two halves.
fn piece(selector: Option<Selector<'_>>) -> Selected<u8> {
    match selector {
        None => Ok(0),
        Some(Selector::Bytes(Digits { count: 1, digits: digit @ 0..4 })) => Ok(1 + digit as u8),
        Some(Selector::Halves(Digits { count: 1, digits: digit @ 0..2 })) => Ok(5 + digit as u8),
        Some(other) => illegal(other),
    }
}

/// The digits of a selector of halves or of bytes, each below a bound.
fn digits(selector: Selector<'_>, halves: bool, bound: u16) -> Selected<Digits> {
    match selector {
        Selector::Halves(digits) if halves && digits.iter().all(|digit| digit < bound) => Ok(digits),
        Selector::Bytes(digits) if !halves && digits.iter().all(|digit| digit < bound) => Ok(digits),
        other => illegal(other),
    }
}

/// Digits of a selector of many pieces, the last one for the lowest place.
fn picks(selector: Option<Selector<'_>>, halves: bool, default: u16) -> Selected<u16> {
    let Some(selector) = selector else { return Ok(default) };
    let (count, bound) = if halves { (2, 4) } else { (4, 8) };
    let digits = digits(selector, halves, bound)?;
    if digits.count == count { Ok(digits.digits) } else { illegal(selector) }
}

/// How many pieces a video instruction works on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pieced {
    Whole,
    Halves,
    Bytes,
}

/// The video instructions.
impl<'a> Select<'_, 'a> {
    /// A video instruction, but `vmad`: what it computes, and of what.
    pub(super) fn video(&mut self, i: &Instruction<'a>, types: &[Type], operation: First, pieced: Pieced) -> Selected {
        // Comparisons have no type of their own for the result.
        let signed: Vec<bool> = types.iter().map(|t| t.is_signed()).collect();
        let signed = match *signed.as_slice() {
            [a, b] => [a, a, b],
            [d, a, b] => [d, a, b],
            _ => return unsupported(),
        };
        let second = match (i.has(Modifier::Add), i.has(Modifier::Min), i.has(Modifier::Max)) {
            (true, ..) => Second::Add,
            (_, true, _) => Second::Minimum,
            (_, _, true) => Second::Maximum,
            _ => Second::Nothing,
        };
        let wanted = i.modifiers.iter().find_map(|m| m.comparison());
        let comparison = half::COMPARISONS.iter().position(|c| Some(*c) == wanted).unwrap_or(0) as u8;
        let [to, a, b, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let ((d, to_part, _), (a, a_part, _), (b, b_part, _)) = (part(to), part(a), part(b));
        let mut video = Video {
            operation,
            second,
            signed,
            saturate: i.has(Modifier::Sat),
            clamp: i.has(Modifier::Clamp),
            comparison,
            select: [0; 3],
        };
        let mut with = i.clone();
        with.operands = vec![d, a, b];
        with.operands.extend(rest.iter().cloned());
        if with.operands.len() == 3 {
            with.operands.push(Operand::Integer(0));
        }
        if pieced != Pieced::Whole {
            let halves = pieced == Pieced::Halves;
            let (first, last) = if halves { (0x10, 0x32) } else { (0x3210, 0x7654) };
            let pick = [picks(a_part, halves, first)?, picks(b_part, halves, last)?];
            let pieces: u16 = if halves { 2 } else { 4 };
            let mask = match to_part {
                None => (1i64 << pieces) - 1,
                Some(selector) => digits(selector, halves, pieces)?.iter().fold(0i64, |mask, place| mask | 1 << place),
            };
            let value = video.encode() & 0xf_ffff
                | i64::from(pick[0]) << 20
                | i64::from(pick[1]) << 36
                | mask << 52
                | i64::from(halves) << 56;
            let execute = per_lane(|value, operands| {
                let [a, b, c, _] = low(operands);
                let pieces = Pieces {
                    picks: [(value >> 20) as u16, (value >> 36) as u16],
                    mask: (value >> 52 & 15) as u8,
                    halves: value >> 56 & 1 != 0,
                };
                u64::from(Video::decode(value & 0xf_ffff).parallel(pieces, a, b, c))
            });
            return self.lanewise(execute, value, &with, Type::B32, &[Type::B32; 3]);
        }
        video.select = [piece(to_part)?, piece(a_part)?, piece(b_part)?];
        if to_part.is_some() {
            if second != Second::Nothing || rest.is_empty() {
                return Err("a merge goes without a second operation".into());
            }
            video.second = Second::Merge;
        }
        // A merge into the whole word takes nothing of the last operand.
        let execute = per_lane(|value, operands| {
            let [a, b, c, _] = low(operands);
            u64::from(Video::decode(value).scalar(a, b, c))
        });
        self.lanewise(execute, video.encode(), &with, Type::B32, &[Type::B32; 3])
    }

    /// `vmad`.
    pub(super) fn multiply_add(&mut self, i: &Instruction<'a>, types: &[Type]) -> Selected {
        let &[_, a_type, b_type] = types else { return unsupported() };
        let [d, a, b, c] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let ((a, a_part, a_negative), (b, b_part, b_negative), (c, _, c_negative)) = (part(a), part(b), part(c));
        let value = MultiplyAdd {
            signed: [a_type.is_signed(), b_type.is_signed()],
            negative: [a_negative, b_negative, c_negative],
            more: i.has(Modifier::Po),
            shift: if i.has(Modifier::Shr7) {
                7
            } else if i.has(Modifier::Shr15) {
                15
            } else {
                0
            },
            saturate: i.has(Modifier::Sat),
            select: [piece(a_part)?, piece(b_part)?],
        };
        let mut with = i.clone();
        with.operands = vec![d.clone(), a, b, c];
        let execute = per_lane(|value, operands| {
            let [a, b, c, _] = low(operands);
            u64::from(MultiplyAdd::decode(value).run(a, b, c))
        });
        self.lanewise(execute, value.encode(), &with, Type::B32, &[Type::B32; 3])
    }
}
