//! Asynchronous copies, barriers that count bytes, and what blocks of a cluster do with each other.

use crate::lowering::select::{Select, Selected, unsupported};
use crate::operations;
use crate::operations::arithmetic::{Binary, Manner};
use crate::operations::asynchronous::{BulkCopy, Change};
use crate::operations::cluster::{ClusterAddress, ClusterConversion};
use crate::operations::mbarrier::{Action, WordPlace};
use crate::operations::tensor::descriptor::{FIELDS, Order};
use crate::operations::tensor::{Replacement, TensorCopy, What};
use crate::operations::{
    arithmetic as scalar, asynchronous as background, check, cluster, convert, mbarrier, multimem, tensor,
};
use crate::state::frame::SLOT;
use crate::state::warp::{Execute, Step};
use ptx::AtomicOperation;
use ptx::{Instruction, Modifier, Opcode, Operand, Space, Type};

fn mismatch<T>() -> Selected<T> {
    Err("Arguments mismatch".into())
}

impl<'a> Select<'_, 'a> {
    /// A vector of 32 bits a lane as one of 64.
    fn widened(&mut self, from: u32) -> u32 {
        let to = self.slot();
        let mut step = self.step(convert::widen(Type::U32));
        (step.from[0], step.to[0]) = (from, to);
        self.push(step);
        to
    }

    /// The whole address of an operand in brackets as a vector of 64 bits a lane, and whether it is one of shared memory.
    pub(super) fn full(&mut self, operand: &Operand<'a>, space: Space) -> Selected<(u32, bool)> {
        let (mut at, wide, offset, space) = self.place(operand, space)?;
        if !wide {
            at = self.widened(at);
        }
        if offset != 0 {
            let (offset, sum) = (self.constant(offset as u64, true), self.slot());
            let execute = scalar::binary_of(Binary::Add, Type::U64, Manner::default()).ok_or_else(String::new)?;
            let mut step = self.step(execute);
            (step.from[0], step.from[1], step.to[0]) = (at, offset, sum);
            self.push(step);
            at = sum;
        }
        if matches!(space, Space::Local | Space::Parameter) {
            return Err("local memory is not reached by this instruction".into());
        }
        Ok((at, space == Space::Shared))
    }

    /// The address of an operand in brackets as a vector and what is added to it, whether it has 32 bits, and whether it is one of
    /// shared memory.
    fn near(&mut self, operand: &Operand<'a>, space: Space) -> Selected<(u32, bool, i32, bool)> {
        let (at, wide, offset, found) = self.place(operand, space)?;
        let Ok(offset) = i32::try_from(offset) else {
            let (at, shared) = self.full(operand, space)?;
            return Ok((at, false, 0, shared));
        };
        if matches!(found, Space::Local | Space::Parameter) {
            return Err("local memory is not reached by this instruction".into());
        }
        Ok((at, !wide, offset, found == Space::Shared))
    }

    /// Puts a look at the word of a barrier that counts in front of a step.
    fn probe_counting(&mut self, step: &Step, execute: Execute) {
        if self.around.wanted.misuse {
            self.probe_with(step, execute);
        }
    }

    /// The n-th space among the modifiers.
    fn nth_space(i: &Instruction<'a>, n: usize) -> Space {
        let space = |m: &Modifier<'_>| if *m == Modifier::SharedCluster { Some(Space::Shared) } else { m.space() };
        i.modifiers.iter().filter_map(space).nth(n).unwrap_or(Space::Generic)
    }

    /// `cp.…`.
    pub(super) fn copy_asynchronously(&mut self, i: &Instruction<'a>) -> Selected {
        let nothing = [Modifier::CommitGroup, Modifier::WaitGroup, Modifier::WaitAll];
        if nothing.into_iter().any(|m| i.has(m)) || (i.has(Modifier::Prefetch) && !i.has(Modifier::Tensor)) {
            // Copies are complete when they are issued.
            return self.control(operations::control::nothing);
        }
        match (i.has(Modifier::Mbarrier) || i.has(Modifier::Arrive), i.has(Modifier::Bulk)) {
            (true, _) => {
                let [at, ..] = i.operands.as_slice() else { return mismatch() };
                let (at, shared) = self.full(at, Self::nth_space(i, 0))?;
                let mut step = self.step(background::arrive);
                step.from[0] = at;
                step.set(background::Arrival { place: WordPlace { shared }, counts: i.has(Modifier::Noinc) });
                self.probe_with(&step, check::word);
                self.probe_counting(&step, check::counting);
                self.push(step);
                Ok(())
            }
            (_, true) => self.copy_in_bulk(i),
            _ => self.copy_small(i),
        }
    }

    /// `cp.async` of 4, 8 or 16 bytes.
    fn copy_small(&mut self, i: &Instruction<'a>) -> Selected {
        let mut operands = i.operands.as_slice();
        if i.has(Modifier::L2CacheHint) {
            operands = &operands[..operands.len().saturating_sub(1)];
        }
        let [to, from, Operand::Integer(bytes), rest @ ..] = operands else { return mismatch() };
        if !matches!((*bytes, i.has(Modifier::Cg)), (4 | 8, false) | (16, _)) {
            return Err("the size of the copy".into());
        }
        let (to, narrow, to_offset, to_shared) = self.near(to, Self::nth_space(i, 0))?;
        let (mut from, narrow_source, from_offset, from_shared) = self.near(from, Self::nth_space(i, 1))?;
        if !to_shared {
            return mismatch();
        }
        if narrow_source {
            from = self.widened(from);
        }
        let mut step = self.step(background::copy);
        let offsets = [to_offset, from_offset];
        let mut how = background::SmallCopy { bytes: *bytes as u8, from_shared, ignores: false, narrow, offsets };
        let mut size = self.constant(*bytes, false);
        match rest {
            [] => {}
            [Operand::Register(register)] if self.body.registers[*register as usize] == Type::Pred => {
                step.from[3] = register * SLOT;
                how.ignores = true;
            }
            [source] => size = self.value(source, Type::U32)?,
            _ => return mismatch(),
        }
        (step.from[0], step.from[1], step.from[2]) = (to, from, size);
        step.set(how);
        self.probe_with(&step, check::small);
        self.push(step);
        Ok(())
    }

    /// `cp.async.bulk` and `cp.reduce.async.bulk`, and these with `multimem`.
    pub(super) fn copy_in_bulk(&mut self, i: &Instruction<'a>) -> Selected {
        if i.has(Modifier::Tensor) {
            return self.copy_tensor(i);
        }
        let (to_space, from_space) = (Self::nth_space(i, 0), Self::nth_space(i, 1));
        let mut operands = i.operands.as_slice().iter();
        let mut next = || operands.next().ok_or_else(|| String::from("Arguments mismatch"));
        let (to, from, size) = (next()?, next()?, next()?);
        let counts = i.has(Modifier::MbarrierCompleteTxBytes);
        let (to, to_shared) = self.full(to, to_space)?;
        let (from, from_shared) = self.full(from, from_space)?;
        if to_shared == (to_space != Space::Shared) || counts != (to_space == Space::Shared) {
            return mismatch();
        }
        let size = self.value(size, Type::U32)?;
        let team = i.opcode == Opcode::Multimem;
        let mut how = BulkCopy { to_shared, from_shared, multimem: team, ..BulkCopy::OUT };
        let (mut barrier, mut mask) = (size, size);
        if i.has(Modifier::IgnoreOob) {
            let (left, right) = (next()?, next()?);
            let both = self.slot();
            let mut step = self.step(background::ignored);
            (step.from[0], step.from[1]) = (self.value(left, Type::U32)?, self.value(right, Type::U32)?);
            step.to[0] = both;
            self.push(step);
            mask = both;
            how.ignores = true;
        }
        if counts {
            let (at, shared) = self.full(next()?, Space::Shared)?;
            barrier = at;
            (how.counts, how.barrier_shared) = (true, shared);
        }
        if i.has(Modifier::MulticastCluster) {
            mask = self.value(next()?, Type::U16)?;
            how.multicast = true;
        }
        if i.has(Modifier::L2CacheHint) {
            next()?;
        }
        if i.has(Modifier::CpMask) {
            mask = self.value(next()?, Type::U16)?;
            how.masked = true;
        }
        let mut step = self.step(if team { multimem::bulk } else { background::bulk });
        if i.has(Modifier::Reduce) {
            step = self.step(if team { multimem::reduce_bulk } else { background::reduce_bulk });
            let operation = i.modifiers.iter().find_map(|m| AtomicOperation::of(*m)).ok_or_else(String::new)?;
            let ty = i.types().last().ok_or_else(String::new)?;
            let change = Change { operation: Some(operation), ty, flushes: false };
            how.change = change.pack().ok_or_else(String::new)?;
        }
        step.from = [to, from, size, barrier, mask];
        step.set(how);
        self.probe_with(&step, check::bulk);
        self.push(step);
        Ok(())
    }

    /// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor`.
    fn copy_tensor(&mut self, i: &Instruction<'a>) -> Selected {
        // Four rows of a plane.
        let rows = i.has(Modifier::TileGather4) || i.has(Modifier::TileScatter4);
        const ORDERS: [(Modifier<'static>, Order); 4] = [
            (Modifier::Im2col, Order::Box),
            (Modifier::Im2colNoOffs, Order::Box),
            (Modifier::Im2colW, Order::Width),
            (Modifier::Im2colW128, Order::Width128),
        ];
        let columns = ORDERS.iter().find(|(modifier, _)| i.has(*modifier)).map(|(_, order)| *order);
        let dimensions = i.modifiers.iter().find_map(|m| match m {
            Modifier::D1 => Some(1),
            Modifier::D2 => Some(2),
            Modifier::D3 => Some(3),
            Modifier::D4 => Some(4),
            Modifier::D5 => Some(5),
            _ => None,
        });
        let dimensions = dimensions.ok_or_else(String::new)?;
        if columns.is_some() && dimensions < 3 || rows && dimensions != 2 {
            return mismatch();
        }
        let what = if i.has(Modifier::Prefetch) {
            What::Prefetch
        } else if Self::nth_space(i, 0) == Space::Shared {
            What::Load
        } else if i.has(Modifier::Reduce) {
            What::Reduce(i.modifiers.iter().find_map(|m| AtomicOperation::of(*m)).ok_or_else(String::new)?)
        } else {
            What::Store
        };
        let (place, memory, rest) = match (what, i.operands.as_slice()) {
            (What::Prefetch, [place, rest @ ..]) => (place, None, rest),
            (What::Load, [memory, place, rest @ ..]) => (place, Some(memory), rest),
            (What::Store | What::Reduce(_), [place, memory, rest @ ..]) => (place, Some(memory), rest),
            _ => return mismatch(),
        };
        let Operand::Indexed(place) = place else { return mismatch() };
        let [map, coordinates] = place.as_slice() else { return mismatch() };
        let map = match map {
            Operand::Address(base, offset) => Operand::Address(base.clone(), *offset),
            other => Operand::Address(Box::new(other.clone()), 0),
        };
        let (map, _) = self.full(&map, Space::Generic)?;
        let memory = memory.map(|memory| self.full(memory, Space::Shared)).transpose()?.map_or(map, |m| m.0);
        let origin = self.list(coordinates, Type::S32, if rows { 5 } else { dimensions })?;
        let mut rest = rest.iter();
        let mut next = || rest.next().ok_or_else(|| String::from("Arguments mismatch"));
        let mut copy =
            TensorCopy { what, columns, rows, map, memory, barrier: map, blocks: None, origin, offsets: Vec::new() };
        if what == What::Load {
            copy.barrier = self.full(next()?, Space::Shared)?.0;
        }
        match columns {
            Some(Order::Box) if i.has(Modifier::Im2col) => {
                copy.offsets = self.list(next()?, Type::U16, dimensions - 2)?
            }
            // The halo's pixels, and what is added to the width.
            Some(Order::Width | Order::Width128) => copy.offsets = self.list(next()?, Type::U16, 2)?,
            _ => {}
        }
        if i.has(Modifier::MulticastCluster) {
            copy.blocks = Some(self.value(next()?, Type::U16)?);
        }
        let mut step = self.step(tensor::copy);
        step.set(self.code.details.add(copy));
        self.probe_with(&step, check::tensor);
        self.push(step);
        Ok(())
    }

    /// The elements of a vector of a known length.
    fn list(&mut self, operand: &Operand<'a>, ty: Type, count: usize) -> Selected<Vec<u32>> {
        let all = Self::elements(operand);
        if all.len() != count {
            return Err("Arguments mismatch".into());
        }
        all.iter().map(|element| self.value(element, ty)).collect()
    }

    /// `tensormap.…`.
    pub(super) fn tensor_map(&mut self, i: &Instruction<'a>) -> Selected {
        if i.has(Modifier::CpFenceproxy) {
            let [to, from, Operand::Integer(128)] = i.operands.as_slice() else { return mismatch() };
            let (to, from) = (self.full(to, Space::Global)?.0, self.full(from, Space::Shared)?.0);
            let size = self.constant(128, false);
            let mut step = self.step(background::bulk);
            step.from = [to, from, size, size, size];
            step.set(BulkCopy::OUT);
            self.probe_with(&step, check::bulk);
            self.push(step);
            return Ok(());
        }
        if i.has(Modifier::SwizzleAtomicity) {
            return Err(String::new());
        }
        let field = FIELDS.iter().position(|&m| i.has(m)).ok_or_else(String::new)?;
        let (at, axis, value) = match i.operands.as_slice() {
            [at, axis, value] => (at, axis, value),
            [at, value] => (at, &Operand::Integer(0), value),
            _ => return mismatch(),
        };
        let (at, shared) = self.full(at, Self::nth_space(i, 0))?;
        let axis = self.value(axis, Type::U32)?;
        let wide = i.types().last() == Some(Type::B64);
        let mut value = self.value(value, if wide { Type::B64 } else { Type::U32 })?;
        if !wide {
            value = self.widened(value);
        }
        let mut step = self.step(tensor::replace);
        (step.from[0], step.from[1], step.from[2]) = (at, axis, value);
        step.set(Replacement { shared, field: field as u8 });
        self.probe_with(&step, check::tensor_map);
        self.push(step);
        Ok(())
    }

    /// `st.bulk`: zeros.
    pub(super) fn fill_in_bulk(&mut self, i: &Instruction<'a>) -> Selected {
        let [to, size, Operand::Integer(0)] = i.operands.as_slice() else { return mismatch() };
        let (to, shared) = self.full(to, Self::nth_space(i, 0))?;
        let narrow = matches!(size, Operand::Register(register) if !self.is_wide(*register));
        let size = if narrow {
            let size = self.value(size, Type::U32)?;
            self.widened(size)
        } else {
            self.value(size, Type::U64)?
        };
        let mut step = self.step(background::fill);
        (step.from[0], step.from[1]) = (to, size);
        step.set(WordPlace { shared });
        self.probe_with(&step, check::fill);
        self.push(step);
        Ok(())
    }

    /// `st.async` and `red.async`.
    pub(super) fn store_asynchronously(&mut self, i: &Instruction<'a>) -> Selected {
        if !i.has(Modifier::MbarrierCompleteTxBytes) {
            // To global memory: an ordinary one.
            let types: Vec<Type> = i.types().collect();
            return if i.opcode == Opcode::Red { self.atomic(i, &types) } else { self.store(i) };
        }
        let [to, value, barrier] = i.operands.as_slice() else { return mismatch() };
        let ty = i.types().last().ok_or_else(String::new)?;
        let operation = i.modifiers.iter().find_map(|m| AtomicOperation::of(*m)).filter(|_| i.opcode == Opcode::Red);
        // What is stored has a size alone.
        let stored = if ty.bytes() == 8 { Type::B64 } else { Type::B32 };
        let change = Change { operation, ty: if operation.is_some() { ty } else { stored }, flushes: false };
        let (to, _) = self.full(to, Space::Shared)?;
        let (barrier, _) = self.full(barrier, Space::Shared)?;
        let elements = Self::elements(value).to_vec();
        if !matches!(elements.len(), 1 | 2 | 4) || ty.bytes() < 4 {
            return unsupported();
        }
        let mut places = [0; 4];
        for (place, element) in places.iter_mut().zip(&elements) {
            *place = self.value(element, ty)?;
        }
        let mut step = self.step(background::store);
        step.from = [to, barrier, places[0], places[1], places[2]];
        step.to[0] = places[3];
        let change = change.pack().ok_or_else(String::new)?;
        step.set(background::AsynchronousStore { count: elements.len() as u8, change });
        self.probe_with(&step, check::store);
        self.push(step);
        Ok(())
    }

    /// `mbarrier.…`.
    pub(super) fn mbarrier(&mut self, i: &Instruction<'a>) -> Selected {
        let has = |m: Modifier<'_>| i.modifiers.first() == Some(&m);
        if has(Modifier::PendingCount) {
            let [to, state] = i.operands.as_slice() else { return mismatch() };
            let (state, to) = (self.value(state, Type::B64)?, self.result(to, Type::U32)?);
            let mut step = self.step(mbarrier::pending);
            (step.from[0], step.to[0]) = (state, to);
            self.push(step);
            return Ok(());
        }
        let space = Self::nth_space(i, 0);
        if has(Modifier::TestWait) || has(Modifier::TryWait) {
            let [to, at, state, ..] = i.operands.as_slice() else { return mismatch() };
            let (at, shared) = self.full(at, space)?;
            let parity = i.has(Modifier::Parity);
            let state = self.value(state, if parity { Type::U32 } else { Type::B64 })?;
            let to = self.result(to, Type::Pred)?;
            let mut step = self.step(mbarrier::test);
            (step.from[0], step.from[1], step.to[0]) = (at, state, to);
            step.set(mbarrier::Test { place: WordPlace { shared }, parity });
            self.probe_with(&step, check::word);
            self.probe_counting(&step, check::counting);
            self.push(step);
            self.code.waits = true;
            return Ok(());
        }
        let arrives = has(Modifier::Arrive) || has(Modifier::ArriveDrop);
        let drops = has(Modifier::ArriveDrop);
        let (state, operands) = match i.operands.as_slice() {
            [state, rest @ ..] if arrives && !matches!(state, Operand::Address(..)) => (Some(state), rest),
            all => (None, all),
        };
        let (Some(at), count) = (operands.first(), operands.get(1)) else { return mismatch() };
        let (at, shared) = self.full(at, space)?;
        let what = match i.modifiers.first().copied() {
            Some(Modifier::Init) => Action::Initialise,
            Some(Modifier::Inval) => Action::Invalidate,
            Some(Modifier::ExpectTx) => Action::Expect,
            Some(Modifier::CompleteTx) => Action::Complete,
            Some(Modifier::Arrive | Modifier::ArriveDrop) => match (i.has(Modifier::ExpectTx), drops) {
                (true, true) => Action::ExpectDrop,
                (true, false) => Action::ExpectArrive,
                (false, true) => Action::Drop,
                (false, false) => Action::Arrive,
            },
            _ => return unsupported(),
        };
        if count.is_none() && !arrives && what != Action::Invalidate {
            return mismatch();
        }
        let count = self.value(count.unwrap_or(&Operand::Integer(1)), Type::U32)?;
        let mut step = self.step(mbarrier::change);
        if let Some(state) = state.filter(|s| **s != Operand::Nothing) {
            step.to[0] = self.result(state, Type::B64)?;
        }
        (step.from[0], step.from[1]) = (at, count);
        step.set(mbarrier::Change { place: WordPlace { shared }, action: what });
        self.probe_with(&step, check::word);
        self.probe_counting(&step, check::change);
        self.push(step);
        Ok(())
    }

    /// `mapa` and `getctarank`.
    pub(super) fn map_shared(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let [to, from, rest @ ..] = i.operands.as_slice() else { return mismatch() };
        let generic = Self::nth_space(i, 0) == Space::Generic;
        let wide = ty.bytes() == 8;
        let address = match from {
            // A name is a sum, too.
            Operand::Address(base, offset) if !matches!(**base, Operand::Register(_)) => {
                self.full(&Operand::Address(base.clone(), *offset), Space::Shared)?.0
            }
            Operand::Local(..) | Operand::Symbol(..) => {
                self.full(&Operand::Address(Box::new(from.clone()), 0), Space::Shared)?.0
            }
            _ if wide => self.value(from, ty)?,
            _ => {
                let narrow = self.value(from, ty)?;
                self.widened(narrow)
            }
        };
        let mut step = self.step(if i.opcode == Opcode::Mapa { cluster::map } else { cluster::rank });
        step.from[0] = address;
        if i.opcode == Opcode::Mapa {
            step.from[1] = self.value(rest.first().unwrap_or(&Operand::Nothing), Type::U32)?;
        }
        step.to[0] = self.result(to, if i.opcode == Opcode::Mapa { ty } else { Type::U32 })?;
        step.set(ClusterAddress { generic, wide });
        self.push(step);
        Ok(())
    }

    /// `cvta.shared::cluster` and `isspacep.shared::cluster`.
    pub(super) fn cluster_address(&mut self, i: &Instruction<'a>) -> Selected {
        let [to, from] = i.operands.as_slice() else { return mismatch() };
        let from = self.value(from, Type::U64)?;
        let test = i.opcode == Opcode::Isspacep;
        let to = self.result(to, if test { Type::Pred } else { Type::U64 })?;
        let mut step = self.step(if test { cluster::is_shared } else { cluster::convert });
        (step.from[0], step.to[0]) = (from, to);
        step.set(ClusterConversion { to_shared: i.has(Modifier::To) });
        self.push(step);
        Ok(())
    }
}
