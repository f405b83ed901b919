//! `multimem`: accesses of the memory of several devices.

use crate::lowering::select::{Select, Selected, unsupported};
use crate::operations::multimem::{Accumulator, Action, Element, Multimem, Operation};
use crate::operations::{check, multimem};
use ptx::{Instruction, Modifier, Operand, Type};

/// What the last type of the modifiers says: what values are, bytes of one, and bytes of a register.
fn element(i: &Instruction<'_>) -> Option<(Element, u8, u8)> {
    Some(match i.modifiers.last()? {
        Modifier::B32 | Modifier::U32 => (Element::Unsigned, 4, 4),
        Modifier::B64 | Modifier::U64 => (Element::Unsigned, 8, 8),
        Modifier::S32 => (Element::Signed, 4, 4),
        Modifier::S64 => (Element::Signed, 8, 8),
        Modifier::F32 => (Element::F32, 4, 4),
        Modifier::F64 => (Element::F64, 8, 8),
        Modifier::F16 => (Element::F16, 2, 2),
        Modifier::F16x2 => (Element::F16, 2, 4),
        Modifier::Bf16 => (Element::Bf16, 2, 2),
        Modifier::Bf16x2 => (Element::Bf16, 2, 4),
        Modifier::E4m3 => (Element::E4m3, 1, 1),
        Modifier::E4m3x2 => (Element::E4m3, 1, 2),
        Modifier::E4m3x4 => (Element::E4m3, 1, 4),
        Modifier::E5m2 => (Element::E5m2, 1, 1),
        Modifier::E5m2x2 => (Element::E5m2, 1, 2),
        Modifier::E5m2x4 => (Element::E5m2, 1, 4),
        _ => return None,
    })
}

impl<'a> Select<'_, 'a> {
    /// `multimem.…`.
    pub(super) fn multimem(&mut self, i: &Instruction<'a>) -> Selected {
        if i.has(Modifier::Bulk) {
            return self.copy_in_bulk(i);
        }
        let Some((element, value, word)) = element(i) else { return unsupported() };
        let action = match (i.has(Modifier::LdReduce), i.has(Modifier::St)) {
            (true, _) => Action::Load,
            (_, true) => Action::Store,
            _ => Action::Change,
        };
        let operations = [
            (Modifier::Min, Operation::Min),
            (Modifier::Max, Operation::Max),
            (Modifier::And, Operation::And),
            (Modifier::Or, Operation::Or),
            (Modifier::Xor, Operation::Xor),
        ];
        let operation = operations.iter().find(|(m, _)| i.has(*m)).map_or(Operation::Add, |(_, operation)| *operation);
        let accumulator = match element {
            _ if i.has(Modifier::AccF32) => Accumulator::F32,
            _ if i.has(Modifier::AccF16) => Accumulator::F16,
            Element::E4m3 | Element::E5m2 => Accumulator::F32,
            _ => Accumulator::Own,
        };
        // Registers of more bytes than a value has take and give what fits.
        let ty = match (element, word) {
            (Element::F32, _) => Type::F32,
            (Element::F64, _) => Type::F64,
            (_, 8) => Type::B64,
            (_, 4) => Type::B32,
            (_, 2) => Type::B16,
            _ => Type::B8,
        };
        let (address, values) = match (action, i.operands.as_slice()) {
            (Action::Load, [to, from]) => (from, to),
            (Action::Store | Action::Change, [to, from]) => (to, from),
            _ => return Err("Arguments mismatch".into()),
        };
        let (at, shared) = self.full(address, Self::space_of(i)?)?;
        if shared {
            return Err("Arguments mismatch".into());
        }
        let registers = Self::elements(values);
        let whole = usize::from(word) * registers.len();
        if !whole.is_power_of_two() || whole > 16 {
            return Err("Arguments mismatch".into());
        }
        let mut how = Multimem {
            action,
            operation,
            element,
            accumulator,
            orders: i.has(Modifier::Acquire) || i.has(Modifier::Release),
            value,
            word,
            at: 0,
            whole: whole as u8,
        };
        let mut results = Vec::new();
        for (n, register) in registers.iter().enumerate() {
            let mut step = self.step(multimem::access);
            step.from[0] = at;
            if action == Action::Load {
                // The address may be among the results.
                let place = self.slot();
                step.to[0] = place;
                results.push((register, place));
            } else {
                step.from[1] = self.value(register, ty)?;
            }
            how.at = (n * usize::from(word)) as u8;
            step.set(how);
            if n == 0 {
                self.probe_with(&step, check::multimem);
            }
            self.push(step);
        }
        for (register, from) in results {
            if *register != Operand::Nothing {
                let to = self.result(register, ty)?;
                self.copy(from, to, word == 8);
            }
        }
        Ok(())
    }
}
