//! Moves, and accesses to memory.

use crate::lowering::select::{NONE, Select, Selected, unsupported};
use crate::operations;
use crate::operations::arithmetic::{Binary, Manner};
use crate::operations::atomic::Alignment;
use crate::operations::memory::{Access, Address, AskedSpace};
use crate::operations::predicate::{Logic, LogicOperation};
use crate::operations::{arithmetic as scalar, atomic, convert, elementwise, memory};
use crate::state::check::AccessKind;
use crate::state::frame::SLOT;
use crate::state::warp::{Execute, Step};
use ptx::AtomicOperation;
use ptx::analysis::fuse::Fused;
use ptx::{Instruction, Modifier, Opcode, Operand, Space, Type};

impl<'a> Select<'_, 'a> {
    /// What an access goes to: the vector of the address, whether its lanes have 64 bits, an offset, the space.
    pub(super) fn place(&mut self, operand: &Operand<'a>, space: Space) -> Selected<(u32, bool, i64, Space)> {
        let Operand::Address(base, offset) = operand else { return Err("Arguments mismatch".into()) };
        match **base {
            Operand::Register(register) => {
                let wide = self.is_wide(register);
                if !wide && matches!(space, Space::Global | Space::Generic | Space::Constant) {
                    return Err("an address needs 64 bits".into());
                }
                let space = if space == Space::Parameter && !self.function.entry { Space::Local } else { space };
                Ok((register * SLOT, wide, *offset, space))
            }
            Operand::Local(..) | Operand::Symbol(..) => {
                let (at, place, found) = self.resolve(base)?;
                // A name without a space in the instruction is used as a generic address.
                if space == Space::Generic && matches!(found, Space::Shared | Space::Local) {
                    return Err("a generic access by the name of a variable".into());
                }
                let sum = (*offset).wrapping_add(place as i64);
                let (at, offset) = match at {
                    Some(at) => (at, sum),
                    // Compiled code takes an address out of a constant, not as an offset.
                    None if i32::try_from(sum).is_err() => (self.constant(place, true), *offset),
                    None => (self.constant(0, true), sum),
                };
                Ok((at, true, offset, found))
            }
            Operand::Integer(address) => {
                let zero = self.constant(0, true);
                Ok((zero, true, offset.wrapping_add(address as i64), space))
            }
            _ => Err("Arguments mismatch".into()),
        }
    }

    pub(super) fn space_of(i: &Instruction<'a>) -> Selected<Space> {
        if i.has(Modifier::SharedCluster) {
            // Without clusters a block reaches its own shared memory alone.
            return Ok(Space::Shared);
        }
        Ok(i.modifiers.iter().find_map(|m| m.space()).unwrap_or(Space::Generic))
    }

    /// The registers of a vector operand.
    pub(super) fn elements<'o>(operand: &'o Operand<'a>) -> &'o [Operand<'a>] {
        match operand {
            Operand::Vector(all) => all,
            other => core::slice::from_ref(other),
        }
    }

    pub(super) fn load(&mut self, i: &Instruction<'a>) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let [to, from, ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (at, wide, offset, space) = self.place(from, Self::space_of(i)?)?;
        if ty == Type::B128 {
            self.probe128(from, (at, wide, offset, space), AccessKind::Read);
            return self.load128(to, at, wide, offset, space);
        }
        let elements = Self::elements(to);
        if elements.len() == 8 {
            return self.eight_words(elements, (from, (at, wide, offset, space)), ty, false);
        }
        let wide_register = |o: &Operand<'a>| matches!(o, Operand::Register(r) if self.is_wide(*r));
        let wide_to = elements.iter().any(wide_register) || ty.bytes() == 8;
        let mut step = self.step(memory::load_of(space, ty, wide_to, elements.len()).ok_or_else(String::new)?);
        for (n, element) in elements.iter().enumerate() {
            step.to[n] = match *element {
                Operand::Register(r) if self.is_wide(r) == wide_to => r * SLOT,
                Operand::Nothing => NONE,
                _ => return Err("Arguments mismatch".into()),
            };
        }
        step.from[0] = at;
        step.set(Access::to(Address { offset, narrow: !wide, based: false }));
        self.based(&mut step);
        self.probe(&step, (from, space), AccessKind::Read, ty.bytes() * elements.len());
        self.push(step);
        for element in elements {
            if let Operand::Register(register) = *element
                && self.body.registers[register as usize] == Type::B128
            {
                self.clear_upper(register);
            }
        }
        Ok(())
    }

    /// An access whose address is a sum does the sum itself.
    pub(super) fn based(&self, step: &mut Step) {
        if let Fused::Based { index, base } = self.fused[self.at] {
            (step.from[0], step.from[4]) = (index * SLOT, base * SLOT);
            step.change(|access: &mut Access| access.address.based = true);
        }
    }

    pub(super) fn store(&mut self, i: &Instruction<'a>) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let [to, from, ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (at, wide, offset, space) = self.place(to, Self::space_of(i)?)?;
        if ty == Type::B128 {
            self.probe128(to, (at, wide, offset, space), AccessKind::Write);
            return self.store128(from, at, wide, offset, space);
        }
        let elements = Self::elements(from);
        if elements.len() == 8 {
            return self.eight_words(elements, (to, (at, wide, offset, space)), ty, true);
        }
        let wide_from = ty.bytes() == 8;
        let mut places = [0; 5];
        places[0] = at;
        for (n, element) in elements.iter().enumerate() {
            *places.get_mut(n + 1).ok_or_else(String::new)? = self.value(element, ty)?;
        }
        let mut step = self.step(memory::store_of(space, ty, wide_from, elements.len()).ok_or_else(String::new)?);
        step.from = places;
        step.set(Access::to(Address { offset, narrow: !wide, based: false }));
        self.based(&mut step);
        self.probe(&step, (to, space), AccessKind::Write, ty.bytes() * elements.len());
        self.push(step);
        Ok(())
    }

    pub(super) fn copy(&mut self, from: u32, to: u32, wide: bool) {
        let execute = elementwise::copy(wide);
        let mut step = self.step(execute);
        (step.from[0], step.to[0]) = (from, to);
        self.push(step);
    }

    pub(super) fn mov(&mut self, i: &Instruction<'a>) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let [to, from] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if ty == Type::Pred {
            let (a, negated) = self.predicate(from)?;
            let to = self.result(to, Type::Pred)?;
            let mut step = self.step(operations::predicate::logic);
            (step.from[0], step.from[1], step.to[0]) = (a, a, to);
            step.set(Logic { operation: LogicOperation::Move, negated: [negated, false] });
            self.push(step);
            return Ok(());
        }
        if ty == Type::B128 {
            return self.mov128(to, from);
        }
        let part = |count: usize| match ty.bytes() / count {
            1 => Ok::<_, String>(Type::U8),
            2 => Ok(Type::U16),
            4 => Ok(Type::U32),
            _ => Err("Arguments mismatch".into()),
        };
        match (to, from) {
            (Operand::Vector(parts), Operand::Vector(values)) if parts.len() == values.len() => {
                let values: Selected<Vec<u32>> = values.iter().map(|v| self.value(v, ty)).collect();
                let values = values?;
                // All are read before one is written.
                let mut held = Vec::new();
                for value in values {
                    let at = self.slot();
                    self.copy(value, at, ty.bytes() == 8);
                    held.push(at);
                }
                for (part, at) in parts.iter().zip(held) {
                    let to = self.result(part, ty)?;
                    self.copy(at, to, ty.bytes() == 8);
                }
                Ok(())
            }
            (Operand::Vector(parts), value) => {
                // Takes a value apart.
                let narrow = part(parts.len())?;
                let value = self.value(value, ty)?;
                let held = self.slot();
                self.copy(value, held, ty.bytes() == 8);
                self.take_apart(held, ty.bytes() == 8, parts, narrow)
            }
            (to, Operand::Vector(values)) => {
                // Puts one together.
                let narrow = part(values.len())?;
                let sum = self.put_together(values, narrow, ty.bytes() == 8)?;
                let to = self.result(to, ty)?;
                self.copy(sum, to, ty.bytes() == 8);
                Ok(())
            }
            (to, from) => {
                let from = self.value(from, ty)?;
                let to = self.result(to, ty)?;
                self.copy(from, to, ty.bytes() == 8);
                Ok(())
            }
        }
    }

    /// Writes the parts of a value, the lowest first.
    pub(super) fn take_apart(&mut self, held: u32, wide: bool, parts: &[Operand<'a>], narrow: Type) -> Selected {
        let whole = if wide { Type::U64 } else { Type::U32 };
        for (n, element) in parts.iter().enumerate() {
            if *element == Operand::Nothing {
                continue;
            }
            let shift = self.constant((n * narrow.bytes() * 8) as u64, false);
            let shifted = self.slot();
            let shr = scalar::binary_of(Binary::Shr, whole, Manner::default()).ok_or_else(String::new)?;
            let mut step = self.step(shr);
            (step.from[0], step.from[1], step.to[0]) = (held, shift, shifted);
            self.push(step);
            let to = self.result(element, narrow)?;
            let cut = convert::convert_of(narrow, whole, Manner::default()).ok_or_else(String::new)?;
            let mut step = self.step(cut);
            (step.from[0], step.to[0]) = (shifted, to);
            self.push(step);
        }
        Ok(())
    }

    /// A value out of its parts, the lowest first.
    pub(super) fn put_together(&mut self, parts: &[Operand<'a>], narrow: Type, wide: bool) -> Selected<u32> {
        let whole = if wide { Type::U64 } else { Type::U32 };
        let mut sum = self.constant(0, wide);
        for (n, element) in parts.iter().enumerate() {
            let value = self.value(element, narrow)?;
            let (extended, shifted, joined) = (self.slot(), self.slot(), self.slot());
            let widen = convert::convert_of(whole, narrow, Manner::default()).ok_or_else(String::new)?;
            let mut step = self.step(widen);
            (step.from[0], step.to[0]) = (value, extended);
            self.push(step);
            let shift = self.constant((n * narrow.bytes() * 8) as u64, false);
            let shl = scalar::binary_of(Binary::Shl, whole, Manner::default()).ok_or_else(String::new)?;
            let mut step = self.step(shl);
            (step.from[0], step.from[1], step.to[0]) = (extended, shift, shifted);
            self.push(step);
            let or = scalar::binary_of(Binary::Or, whole, Manner::default()).ok_or_else(String::new)?;
            let mut step = self.step(or);
            (step.from[0], step.from[1], step.to[0]) = (sum, shifted, joined);
            self.push(step);
            sum = joined;
        }
        Ok(sum)
    }

    pub(super) fn cvta(&mut self, i: &Instruction<'a>) -> Selected {
        let space = Self::space_of(i)?;
        let [to, from] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if i.types().last().is_none_or(|ty| ty.bytes() != 8) {
            return Err("an address needs 64 bits".into());
        }
        let at = self.value(from, Type::U64)?;
        let to = self.result(to, Type::U64)?;
        let execute: Execute = match (space, i.has(Modifier::To)) {
            (Space::Shared, false) => memory::shared_to_generic,
            (Space::Shared, true) => memory::generic_to_shared,
            (Space::Local, false) => memory::local_to_generic,
            (Space::Local, true) => memory::generic_to_local,
            _ => elementwise::copy(true),
        };
        let mut step = self.step(execute);
        (step.from[0], step.to[0]) = (at, to);
        self.push(step);
        Ok(())
    }

    pub(super) fn is_space(&mut self, i: &Instruction<'a>) -> Selected {
        let space = i.modifiers.first().and_then(|m| m.space()).ok_or_else(String::new)?;
        let asked = match space {
            Space::Shared => AskedSpace::Shared,
            Space::Local => AskedSpace::Local,
            Space::Global => AskedSpace::Global,
            Space::Constant => AskedSpace::Constant,
            _ => AskedSpace::Parameters,
        };
        let from = self.value(i.operands.get(1).unwrap_or(&Operand::Nothing), Type::U64)?;
        let to = self.result(&i.operands[0], Type::Pred)?;
        let mut step = self.step(memory::is_space);
        (step.from[0], step.to[0]) = (from, to);
        step.set(asked);
        self.push(step);
        Ok(())
    }

    pub(super) fn atomic(&mut self, i: &Instruction<'a>, types: &[Type]) -> Selected {
        let operation = i.modifiers.iter().find_map(|m| AtomicOperation::of(*m)).ok_or_else(String::new)?;
        let &[ty] = types else { return unsupported() };
        let red = i.opcode == Opcode::Red;
        let operands = if red { i.operands.as_slice() } else { i.operands.get(1..).unwrap_or(&[]) };
        let [address, b, rest @ ..] = operands else { return Err("Arguments mismatch".into()) };
        let (at, wide, offset, space) = self.place(address, Self::space_of(i)?)?;
        if ty == Type::B128 {
            let to = if red { &Operand::Nothing } else { i.operands.first().unwrap_or(&Operand::Nothing) };
            let compares = operation == AtomicOperation::CompareExchange;
            self.probe128(address, (at, wide, offset, space), AccessKind::Atomic);
            return self.exchange128(to, (at, wide, offset, space), b, rest.first().filter(|_| compares));
        }
        let execute = atomic::atomic_of(operation, ty, space, i.has(Modifier::Noftz)).ok_or_else(String::new)?;
        if let Operand::Vector(values) = b {
            // Each element is an operation of its own.
            let results = if red { &[] } else { i.operands.first().map_or(&[] as &[_], Self::elements) };
            let mut step = self.step(atomic::aligned);
            step.from[0] = at;
            let bytes = values.len() * ty.bytes();
            let whole = Address { offset, narrow: !wide, based: false };
            step.set(Access::to(whole));
            self.probe(&step, (address, space), AccessKind::Atomic, bytes);
            step.set(Alignment { address: whole, bytes: bytes as u32 });
            self.push(step);
            let values: Selected<Vec<u32>> = values.iter().map(|v| self.value(v, ty)).collect();
            let mut held = Vec::new();
            for (n, value) in values?.into_iter().enumerate() {
                let to = if red { NONE } else { self.slot() };
                let mut step = self.step(execute);
                (step.from[0], step.from[1], step.from[2], step.to[0]) = (at, value, value, to);
                let offset = offset.wrapping_add((n * ty.bytes()) as i64);
                step.set(Access::to(Address { offset, narrow: !wide, based: false }));
                self.push(step);
                held.push(to);
            }
            // The address and the values may be among the results.
            for (result, from) in results.iter().zip(held) {
                if *result != Operand::Nothing {
                    let to = self.result(result, ty)?;
                    self.copy(from, to, false);
                }
            }
            return Ok(());
        }
        let b = self.value(b, ty)?;
        let c = match rest.first() {
            Some(c) if operation == AtomicOperation::CompareExchange => self.value(c, ty)?,
            _ => b,
        };
        let to = match (red, i.operands.first()) {
            (false, Some(d)) if *d != Operand::Nothing => self.result(d, ty)?,
            _ => NONE,
        };
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.from[2], step.to[0]) = (at, b, c, to);
        step.set(Access::to(Address { offset, narrow: !wide, based: false }));
        self.probe(&step, (address, space), AccessKind::Atomic, ty.bytes());
        self.push(step);
        Ok(())
    }
}
