//! What devices of compute capability 10.0 and 12.0 have more: arithmetic of pairs of singles and of four bytes, conversions of
//! numbers of four to eight bits, accesses of eight words.

use crate::lowering::select::{NONE, Select, Selected, unsupported};
use crate::numeric::float;
use crate::numeric::narrow_float::{Format, Narrowing};
use crate::numeric::packed::{Bytes, BytesManner, Extreme, Manner as Packed, Operation};
use crate::operations::arithmetic::Manner;
use crate::operations::memory::{Access, Address};
use crate::operations::per_lane::{PerLane, per_lane};
use crate::operations::{atomic, memory};
use crate::state::check::AccessKind;
use crate::state::frame::SLOT;
use crate::state::warp::Execute;
use ptx::{Instruction, Modifier, Operand, Space, Type};

/// The types among the modifiers of a conversion, if it is one of numbers of four to eight bits that older devices do not have.
pub(super) fn narrow_types<'m>(i: &Instruction<'m>) -> Option<[Modifier<'m>; 2]> {
    use Modifier as M;
    let mut types = i.modifiers.iter().copied().filter(|m| m.class().is_some());
    let (to, from) = (types.next()?, types.next()?);
    let known = |m: M<'_>| matches!(m, M::E4m3x2 | M::E5m2x2) || m.ty().is_some();
    let older = known(to) && known(from) && !i.has(M::Rs);
    let brain = matches!((to, from), (M::Bf16x2, M::E4m3x2 | M::E5m2x2) | (M::E4m3x2 | M::E5m2x2, M::Bf16x2));
    (!older || brain).then_some([to, from])
}

impl<'a> Select<'_, 'a> {
    /// A step of operands of 32 or 64 bits that a function of lanes takes.
    fn by_lanes(
        &mut self,
        execute: Execute,
        how: i64,
        (to, result): (&Operand<'a>, Type),
        operands: &[(&Operand<'a>, Type)],
    ) -> Selected {
        let mut places = [0; 5];
        let mut wide = [false; 4];
        for (n, (operand, ty)) in operands.iter().enumerate() {
            places[n] = self.value(operand, *ty)?;
            wide[n] = ty.bytes() == 8;
        }
        let to = self.result(to, result)?;
        let mut step = self.step(execute);
        (step.from, step.to[0]) = (places, to);
        step.set(PerLane { how, wide, wide_result: result.bytes() == 8 });
        self.push(step);
        Ok(())
    }

    /// `add`, `sub`, `mul` and `fma` of `.f32x2`.
    pub(super) fn pair_of_singles(&mut self, i: &Instruction<'a>, operation: Operation, manner: Manner) -> Selected {
        let how = Packed { operation, rounding: manner.rounding, flush: manner.flush, saturate: false };
        let execute = per_lane(|how, [a, b, c, _]| Packed::decode(how).pair([a, b, c]));
        let [to, from @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let from: Vec<_> = from.iter().map(|operand| (operand, Type::B64)).collect();
        self.by_lanes(execute, how.encode(), (to, Type::B64), &from)
    }

    /// `add`, `sub` and `fma` of halves with a single.
    pub(super) fn half_and_single(
        &mut self,
        i: &Instruction<'a>,
        operation: Operation,
        half: Type,
        manner: Manner,
    ) -> Selected {
        const BRAIN: i64 = 1 << 32;
        let packed = Packed { operation, rounding: manner.rounding, flush: false, saturate: manner.saturate };
        let how = packed.encode() | if half == Type::Bf16 { BRAIN } else { 0 };
        let execute = per_lane(|how, operands| {
            let [a, b, c, _] = operands.map(|x| x as u32);
            let format = if how & BRAIN != 0 { Format::Bf16 } else { Format::F16 };
            let widened = |x: u32| format.value(x) as f32;
            let manner = Packed::decode(how);
            let (b, c) = match manner.operation {
                Operation::Fma => (widened(b), f32::from_bits(c)),
                _ => (f32::from_bits(b), 0.0),
            };
            u64::from(manner.single(widened(a), b, c).to_bits())
        });
        let [to, from @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let last = from.len().saturating_sub(1);
        let ty = |n: usize| if n == last { Type::F32 } else { half };
        let from: Vec<_> = from.iter().enumerate().map(|(n, operand)| (operand, ty(n))).collect();
        self.by_lanes(execute, how, (to, Type::F32), &from)
    }

    /// `min` and `max` of three singles.
    pub(super) fn extreme(&mut self, i: &Instruction<'a>, largest: bool, manner: Manner) -> Selected {
        let how = Extreme { largest, flush: manner.flush, nan: manner.nan, magnitude: i.has(Modifier::Abs) };
        let execute = per_lane(|how, operands| {
            let [a, b, c, _] = operands.map(|x| f32::from_bits(x as u32));
            let extreme = Extreme::decode(how);
            u64::from(extreme.of(extreme.of(a, b), c).to_bits())
        });
        let [to, from @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let from: Vec<_> = from.iter().map(|operand| (operand, Type::F32)).collect();
        self.by_lanes(execute, how.encode(), (to, Type::F32), &from)
    }

    /// Arithmetic of the four bytes of a word.
    pub(super) fn four_bytes(&mut self, i: &Instruction<'a>, operation: Bytes, manner: Manner) -> Selected {
        let signed = i.has(Modifier::S8x4);
        let how = BytesManner { operation, signed, saturate: manner.saturate, relu: manner.relu };
        let execute = per_lane(|how, operands| {
            let [a, b, ..] = operands.map(|x| x as u32);
            u64::from(BytesManner::decode(how).of(a, b))
        });
        let [to, from @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let from: Vec<_> = from.iter().map(|operand| (operand, Type::B32)).collect();
        self.by_lanes(execute, how.encode(), (to, Type::B32), &from)
    }

    /// `add.sat.u32`.
    pub(super) fn sum_saturated(&mut self, i: &Instruction<'a>) -> Selected {
        let execute = per_lane(|_, [a, b, ..]| u64::from((a as u32).saturating_add(b as u32)));
        let [to, a, b] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        self.by_lanes(execute, 0, (to, Type::U32), &[(a, Type::U32), (b, Type::U32)])
    }

    /// Conversions of numbers of four to eight bits, in pairs and fours.
    pub(super) fn convert_narrow(
        &mut self,
        i: &Instruction<'a>,
        [to, from]: [Modifier<'a>; 2],
        manner: Manner,
    ) -> Selected {
        let (Some(target), Some(source)) = (Format::of(to), Format::of(from)) else { return unsupported() };
        let word = |m: Modifier<'_>| match m.class() {
            Some((_, 8)) => Ok(Type::B8),
            Some((_, 16)) => Ok(Type::B16),
            Some((_, 32)) if m == Modifier::F32 => Ok(Type::F32),
            Some((_, 32)) => Ok(Type::B32),
            _ => unsupported(),
        };
        let (result, operand) = (word(to)?, word(from)?);
        let how = Narrowing {
            to: target,
            from: source,
            relu: manner.relu,
            finite: i.has(Modifier::Satfinite) || !matches!(target, Format::F16 | Format::Bf16 | Format::Ue8m0),
            up: manner.rounding == float::UP,
            random: 0,
        };
        let scaled = i.has(Modifier::ScaledN2Ue8m0);
        if scaled && target == Format::S2f6 {
            // The manual does not say whether numbers are multiplied or divided.
            return unsupported();
        }
        let [d, operands @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if i.has(Modifier::Rs) {
            return self.convert_by_chance(how, (d, result), operands);
        }
        match operands {
            [a, scales] if scaled => {
                let execute =
                    per_lane(|how, [a, scales, ..]| u64::from(Narrowing::decode(how).pair(a as u32, scales as u32)));
                self.by_lanes(execute, how.encode(), (d, result), &[(a, operand), (scales, Type::B16)])
            }
            [a] => {
                /// Both times one.
                const ONES: u32 = 0x7f7f;
                let execute = per_lane(|how, [a, ..]| u64::from(Narrowing::decode(how).pair(a as u32, ONES)));
                self.by_lanes(execute, how.encode(), (d, result), &[(a, operand)])
            }
            [a, b] => {
                let execute = per_lane(|how, [a, b, ..]| u64::from(Narrowing::decode(how).two(a as u32, b as u32)));
                self.by_lanes(execute, how.encode(), (d, result), &[(a, operand), (b, operand)])
            }
            _ => Err("Arguments mismatch".into()),
        }
    }

    /// Conversions that random bits round.
    fn convert_by_chance(
        &mut self,
        how: Narrowing,
        (d, result): (&Operand<'a>, Type),
        operands: &[Operand<'a>],
    ) -> Selected {
        let random = match how.to {
            Format::F16 => 13,
            Format::E2m1 => 8,
            _ => 16,
        };
        let how = Narrowing { random, ..how };
        match operands {
            [a, b, bits] => {
                let execute = per_lane(|how, operands| {
                    let [a, b, bits, _] = operands.map(|x| x as u32);
                    u64::from(Narrowing::decode(how).by_chance(a, b, [bits >> 16, bits]))
                });
                self.by_lanes(execute, how.encode(), (d, result), &[(a, Type::F32), (b, Type::F32), (bits, Type::B32)])
            }
            [Operand::Vector(four), bits] => {
                let [a, b, e, f] = four.as_slice() else { return Err("Arguments mismatch".into()) };
                // The upper half first, then the lower one beside it.
                let upper = per_lane(|how, operands| {
                    let [a, b, bits, _] = operands.map(|x| x as u32);
                    let how = Narrowing::decode(how);
                    let random = if how.random == 8 { [bits >> 24, bits >> 8] } else { [bits >> 16; 2] };
                    u64::from(how.by_chance(a, b, random) << (2 * how.to.bits()))
                });
                let lower = per_lane(|how, operands| {
                    let [e, f, bits, above] = operands.map(|x| x as u32);
                    let how = Narrowing::decode(how);
                    let random = if how.random == 8 { [bits >> 16, bits] } else { [bits; 2] };
                    u64::from(above | how.by_chance(e, f, random))
                });
                let places = |this: &mut Self, x: &Operand<'a>, y: &Operand<'a>| -> Selected<[u32; 3]> {
                    Ok([this.value(x, Type::F32)?, this.value(y, Type::F32)?, this.value(bits, Type::B32)?])
                };
                let above = self.slot();
                let [a, b, random] = places(self, a, b)?;
                let [e, f, _] = places(self, e, f)?;
                let d = self.result(d, result)?;
                for (execute, from, to) in [(upper, [a, b, random, 0, 0], above), (lower, [e, f, random, above, 0], d)]
                {
                    let mut step = self.step(execute);
                    (step.from, step.to[0]) = (from, to);
                    step.set(PerLane { how: how.encode(), wide: [false; 4], wide_result: false });
                    self.push(step);
                }
                Ok(())
            }
            _ => Err("Arguments mismatch".into()),
        }
    }

    /// A load or a store of eight words: two of four behind a look at the whole address.
    pub(super) fn eight_words(
        &mut self,
        words: &[Operand<'a>],
        (operand, place): (&Operand<'a>, (u32, bool, i64, Space)),
        ty: Type,
        stores: bool,
    ) -> Selected {
        const BYTES: usize = 32;
        let (mut at, wide, offset, space) = place;
        if !stores && words.iter().any(|word| matches!(word, Operand::Register(r) if *r * SLOT == at)) {
            // The address is among the results.
            let held = self.slot();
            self.copy(at, held, wide);
            at = held;
        }
        let kind = if stores { AccessKind::Write } else { AccessKind::Read };
        let whole = Address { offset, narrow: !wide, based: false };
        let mut step = self.step(atomic::aligned);
        step.from[0] = at;
        step.set(Access::to(whole));
        self.probe(&step, (operand, space), kind, BYTES);
        step.set(atomic::Alignment { address: whole, bytes: BYTES as u32 });
        self.push(step);
        for (n, four) in words.chunks(4).enumerate() {
            let pick = if stores { memory::store_of } else { memory::load_of };
            let mut step = self.step(pick(space, ty, false, 4).ok_or_else(String::new)?);
            step.from[0] = at;
            for (n, word) in four.iter().enumerate() {
                if stores {
                    step.from[n + 1] = self.value(word, ty)?;
                } else {
                    step.to[n] = if *word == Operand::Nothing { NONE } else { self.result(word, ty)? };
                }
            }
            let offset = offset.wrapping_add((n * BYTES / 2) as i64);
            step.set(Access::to(Address { offset, narrow: !wide, based: false }));
            self.push(step);
        }
        Ok(())
    }
}
