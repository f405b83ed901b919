//! Registers of 128 bits, which are two vectors, and policies of caches.

use crate::lowering::select::{Select, Selected};
use crate::operations::arithmetic::{Binary, Manner};
use crate::operations::cluster::Cancellation;
use crate::operations::memory::{Access, Address};
use crate::operations::per_lane::{PerLane, per_lane};
use crate::operations::{arithmetic as scalar, bits128, check, cluster, elementwise};
use crate::state::frame::SLOT;
use ptx::{Instruction, Modifier, Operand, Space, Type};

impl<'a> Select<'_, 'a> {
    /// The two vectors that a value of 128 bits is.
    fn halves(&mut self, operand: &Operand<'a>) -> Selected<[u32; 2]> {
        match *operand {
            Operand::Register(register) if self.body.registers[register as usize] == Type::B128 => {
                Ok([register * SLOT, (register + 1) * SLOT])
            }
            Operand::Register(_) => Err("Arguments mismatch".into()),
            _ => Ok([self.value(operand, Type::B64)?, self.constant(0, true)]),
        }
    }

    /// `clusterlaunchcontrol.…`.
    pub(super) fn launch_control(&mut self, i: &Instruction<'a>) -> Selected {
        if i.has(Modifier::TryCancel) {
            let [to, barrier] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
            // It takes the next block from the launch, which has to hand them out in order.
            self.code.waits = true;
            let shared = i.has(Modifier::SharedCta);
            let space = if shared { Space::Shared } else { Space::Generic };
            let (to, barrier) = (self.full(to, space)?.0, self.full(barrier, space)?.0);
            let mut step = self.step(cluster::try_cancel);
            (step.from[0], step.from[1]) = (to, barrier);
            step.set(Cancellation { shared, multicast: i.has(Modifier::MulticastClusterAll) });
            self.probe_with(&step, check::cancellation);
            self.push(step);
            return Ok(());
        }
        let [to, response] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let [lower, upper] = self.halves(response)?;
        if i.has(Modifier::IsCanceled) {
            let to = self.result(to, Type::Pred)?;
            let mut step = self.step(cluster::is_canceled);
            (step.from[0], step.to[0]) = (upper, to);
            self.push(step);
            return Ok(());
        }
        let unused = || Operand::Nothing;
        let [x, y, z] = match (to, i.modifiers.get(1)) {
            (Operand::Vector(all), _) => {
                let [x, y, z, _] = all.as_slice() else { return Err("Arguments mismatch".into()) };
                [x.clone(), y.clone(), z.clone()]
            }
            (to, Some(Modifier::GetFirstCtaidY)) => [unused(), to.clone(), unused()],
            (to, Some(Modifier::GetFirstCtaidZ)) => [unused(), unused(), to.clone()],
            (to, _) => [to.clone(), unused(), unused()],
        };
        self.take_apart(lower, true, &[x, y], Type::U32)?;
        self.take_apart(upper, true, &[z], Type::U32)
    }

    /// Where a result of 128 bits goes.
    fn halves_of_result(&mut self, operand: &Operand<'a>) -> Selected<[u32; 2]> {
        match operand {
            Operand::Nothing => Ok([self.slot(), self.slot()]),
            _ => self.halves(operand),
        }
    }

    /// A register of 128 bits gets a shorter value: the upper half is zero.
    pub(super) fn clear_upper(&mut self, register: u32) {
        let zero = self.constant(0, true);
        let mut step = self.step(elementwise::copy(true));
        (step.from[0], step.to[0]) = (zero, (register + 1) * SLOT);
        self.after.push(step);
    }

    pub(super) fn mov128(&mut self, to: &Operand<'a>, from: &Operand<'a>) -> Selected {
        let value = match from {
            Operand::Vector(parts) => match parts.as_slice() {
                [low, high] => [self.value(low, Type::B64)?, self.value(high, Type::B64)?],
                [a, b, c, d] => {
                    let pair = |one: &Operand<'a>, two: &Operand<'a>| [one.clone(), two.clone()];
                    let low = self.put_together(&pair(a, b), Type::B32, true)?;
                    [low, self.put_together(&pair(c, d), Type::B32, true)?]
                }
                _ => return Err("Arguments mismatch".into()),
            },
            value => self.halves(value)?,
        };
        match to {
            Operand::Vector(parts) => match parts.as_slice() {
                [low, high] => {
                    for (part, from) in [low, high].into_iter().zip(value) {
                        let to = self.result(part, Type::B64)?;
                        self.copy(from, to, true);
                    }
                    Ok(())
                }
                [_, _, _, _] => {
                    self.take_apart(value[0], true, &parts[..2], Type::B32)?;
                    self.take_apart(value[1], true, &parts[2..], Type::B32)
                }
                _ => Err("Arguments mismatch".into()),
            },
            register => {
                let to = self.halves_of_result(register)?;
                self.copy(value[0], to[0], true);
                self.copy(value[1], to[1], true);
                Ok(())
            }
        }
    }

    pub(super) fn load128(&mut self, to: &Operand<'a>, at: u32, is_wide: bool, offset: i64, space: Space) -> Selected {
        let to = self.halves_of_result(to)?;
        let mut step = self.step(bits128::load_of(space));
        step.from[0] = at;
        step.set(Access::to(Address { offset, narrow: !is_wide, based: false }));
        step.to[..2].copy_from_slice(&to);
        self.push(step);
        Ok(())
    }

    pub(super) fn store128(
        &mut self,
        from: &Operand<'a>,
        at: u32,
        is_wide: bool,
        offset: i64,
        space: Space,
    ) -> Selected {
        let from = self.halves(from)?;
        let mut step = self.step(bits128::store_of(space));
        step.from[0] = at;
        step.set(Access::to(Address { offset, narrow: !is_wide, based: false }));
        step.from[1..3].copy_from_slice(&from);
        self.push(step);
        Ok(())
    }

    /// `atom.exch.b128`, and `atom.cas.b128` with a second value.
    pub(super) fn exchange128(
        &mut self,
        to: &Operand<'a>,
        (at, is_wide, offset, space): (u32, bool, i64, Space),
        first: &Operand<'a>,
        second: Option<&Operand<'a>>,
    ) -> Selected {
        let first = self.halves(first)?;
        let new = second.map(|operand| self.halves(operand)).transpose()?;
        let to = self.halves_of_result(to)?;
        let execute = bits128::exchange_of(space, second.is_some()).ok_or("this processor has no such operation")?;
        let mut step = self.step(execute);
        step.from[0] = at;
        step.set(Access::to(Address { offset, narrow: !is_wide, based: false }));
        step.from[1..3].copy_from_slice(&first);
        if let Some(new) = new {
            step.from[3..5].copy_from_slice(&new);
        }
        step.to[..2].copy_from_slice(&to);
        self.push(step);
        Ok(())
    }

    /// `createpolicy`. What a policy asks of the caches has no effect; its bits are those of an H200.
    pub(super) fn policy(&mut self, i: &Instruction<'a>) -> Selected {
        let [to, operands @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if i.has(Modifier::Cvt) {
            let from = self.value(operands.first().unwrap_or(&Operand::Nothing), Type::B64)?;
            let to = self.result(to, Type::B64)?;
            self.copy(from, to, true);
            return Ok(());
        }
        use Modifier::{L2EvictFirst, L2EvictLast, L2EvictNormal, L2EvictUnchanged};
        let named = |m: &&Modifier<'_>| matches!(m, L2EvictFirst | L2EvictLast | L2EvictNormal | L2EvictUnchanged);
        let mut named = i.modifiers.iter().filter(named);
        let primary = match named.next() {
            Some(L2EvictFirst) => 1,
            Some(L2EvictLast) => 2,
            Some(L2EvictNormal) => 3,
            _ => 0,
        };
        let kind = primary << 1 | u64::from(named.next() == Some(&L2EvictFirst));
        let mut step;
        let mut wide = [false; 4];
        if i.has(Modifier::Fractional) {
            let one = Operand::F32(1f32.to_bits());
            let share = self.value(operands.first().unwrap_or(&one), Type::F32)?;
            step = self.step(per_lane(|kind, [share, ..]| {
                // Sixteenths, rounded up.
                let sixteenths = (f32::from_bits(share as u32) * 16.0).ceil().clamp(1.0, 16.0) as u64;
                (0x10 | kind as u64) << 56 | (sixteenths - 1) << 52
            }));
            step.from[0] = share;
        } else {
            let [place, first, whole] = operands else { return Err("Arguments mismatch".into()) };
            let (at, is_wide, offset, _) = self.place(place, Space::Local)?;
            let mut from = at;
            if offset != 0 {
                let (sum, by) = (self.slot(), self.constant(offset as u64, is_wide));
                let ty = if is_wide { Type::U64 } else { Type::U32 };
                let add = scalar::binary_of(Binary::Add, ty, Manner::default()).ok_or_else(String::new)?;
                let mut step = self.step(add);
                (step.from[0], step.from[1], step.to[0]) = (at, by, sum);
                self.push(step);
                from = sum;
            }
            let (first, whole) = (self.value(first, Type::U32)?, self.value(whole, Type::U32)?);
            step = self.step(per_lane(|kind, [start, first, whole, _]| range_policy(kind as u64, start, first, whole)));
            step.from[..3].copy_from_slice(&[from, first, whole]);
            wide[0] = is_wide;
        }
        step.set(PerLane { how: kind as i64, wide, wide_result: true });
        step.to[0] = self.result(to, Type::B64)?;
        self.push(step);
        Ok(())
    }
}

/// The policy of a range: 128 pieces cover the whole of it; the first of them and how many belong to the first part.
fn range_policy(kind: u64, start: u64, first: u64, whole: u64) -> u64 {
    /// Bytes of the smallest pieces, as a power of two, and of the largest beyond that.
    const PIECE: u32 = 12;
    const MOST: u32 = 15;
    let scale = (0..MOST).find(|scale| whole <= 128u64 << (PIECE + scale)).unwrap_or(MOST);
    let piece = |address: u64| address >> (PIECE + scale);
    let count = piece(start.wrapping_add(first.max(1)).wrapping_sub(1)).wrapping_sub(piece(start)).wrapping_add(1);
    (0x18 | kind) << 56 | u64::from(scale) << 52 | (piece(start) & 0x7f) << 44 | (count & 0x7f) << 37
}

#[cfg(test)]
mod tests {
    use super::range_policy;

    /// What an H200 makes of ranges.
    #[test]
    fn policies_of_ranges() {
        let policy = |kind, first, whole| range_policy(kind, 0x7f12_3456_7000, first, whole);
        assert_eq!(policy(4, 128, 128), 0x1c06_7020_0000_0000);
        assert_eq!(policy(5, 4096, 65536), 0x1d06_7020_0000_0000);
        assert_eq!(policy(4, 1 << 20, 1 << 22), 0x1c32_c420_0000_0000);
        assert_eq!(policy(3, 3_000_000, 30_000_000), 0x1b61_51a0_0000_0000);
    }
}
