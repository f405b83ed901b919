//! Memory that functions allocate on the stack.

use crate::lowering::select::{Select, Selected};
use crate::operations::stack::{self, Stack};
use ptx::{Instruction, Opcode, Operand, Type};

/// What a function needs that does not say more.
const LEAST_ALIGNED: u64 = 8;

impl<'a> Select<'_, 'a> {
    /// Remembers the top of the stack at the beginning of a function that moves it.
    pub(super) fn mark_stack(&mut self) {
        let moves = |i: &Instruction<'_>| matches!(i.opcode, Opcode::Alloca | Opcode::Stackrestore);
        if self.body.instructions.iter().any(moves) {
            let top = self.slot();
            let mut step = self.step(stack::save);
            step.to[0] = top;
            step.set(Stack { align: 0, wide: true });
            self.push(step);
            self.code.lines.resize(self.code.steps.len(), 0);
            (self.stack, self.code.allocates_stack) = (Some(top), true);
        }
    }

    /// Gives back what the function has allocated.
    pub(super) fn release_stack(&mut self) {
        if let Some(top) = self.stack {
            let mut step = self.step(stack::restore);
            step.from[0] = top;
            step.set(Stack { align: 0, wide: true });
            self.push(step);
        }
    }

    /// `alloca`, `stacksave` and `stackrestore`.
    pub(super) fn stack(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let operand = |n: usize| i.operands.get(n).unwrap_or(&Operand::Nothing);
        let mut how = Stack { align: 0, wide: ty.bytes() == 8 };
        let mut step = match i.opcode {
            Opcode::Stackrestore => {
                let from = self.value(operand(0), ty)?;
                let mut step = self.step(stack::restore);
                step.from[0] = from;
                step
            }
            Opcode::Stacksave => {
                let to = self.result(operand(0), ty)?;
                let mut step = self.step(stack::save);
                step.to[0] = to;
                step
            }
            _ => {
                let (size, to) = (self.value(operand(1), ty)?, self.result(operand(0), ty)?);
                let align = if let Operand::Integer(align) = operand(2) { *align } else { LEAST_ALIGNED };
                let mut step = self.step(stack::allocate);
                (step.from[0], step.to[0]) = (size, to);
                how.align = align.max(LEAST_ALIGNED) as i64;
                step
            }
        };
        step.set(how);
        self.push(step);
        Ok(())
    }
}
