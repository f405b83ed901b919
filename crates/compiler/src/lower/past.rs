//! Stores past the caches. A line that is stored whole need not be read first, and does not drive out what is read: of large results
//! a third of the traffic is saved.

use super::{Lower, WARP, zmm};
use crate::assembler::{Level, at, narrow};
use crate::operation::{Element, Operation, Window};
use crate::unit::{Step, UNGUARDED};
use iced_x86::{Code, Register};

/// Bytes of a line.
const LINE: i64 = 64;

impl Lower<'_> {
    /// Stores a row past the caches, if it consists of whole lines and all lanes are active, and jumps to the label that comes back; else code
    /// goes on behind this. None if it is no such store.
    pub(super) fn store_past(
        &mut self,
        position: usize,
        step: &Step,
        (window, stride, element): (Window, i64, &Element),
        more: i64,
    ) -> Option<crate::assembler::Label> {
        let bytes = i64::from(element.bytes);
        let whole = window == Window::Plain && stride == bytes && bytes >= 4 && more % LINE == 0;
        if !whole || step.guard != UNGUARDED || !self.is_last_use(position) {
            return None;
        }
        let (other, past) = (self.asm.label(), self.asm.label());
        let base = self.bases[0];
        if base == Register::RAX {
            self.asm.op2i(Code::Test_rm8_imm8, Register::AL, LINE as i32 - 1);
        } else {
            self.asm.op2i(Code::Test_rm32_imm32, narrow(base), LINE as i32 - 1);
        }
        self.asm.jne(other);
        self.asm.op2i(Code::Cmp_rm32_imm8, at(WARP, self.layout.active.into()), -1);
        self.asm.jne(other);
        let wide = bytes == 8;
        for piece in 0..if wide { 4 } else { 2 } {
            let value = self.piece_in(step.from[1], piece, wide, zmm(4));
            self.asm.op2(Code::EVEX_Vmovntdq_m512_zmm, at(base, more + LINE * i64::from(piece)), value);
        }
        self.asm.jmp(past);
        self.asm.place(other);
        Some(past)
    }

    /// Whether what a store writes is not read again by the same thread, nor written again and again.
    fn is_last_use(&self, position: usize) -> bool {
        if !self.unit.past_caches || self.asm.level() == Level::Avx2 {
            return false;
        }
        let block = self.flow.block_of(position);
        let loads = |step: &Step| matches!(step.operation, Operation::Load { window: Window::Plain, .. });
        self.flow.depth[block] == 0 && !self.unit.steps[position..].iter().any(loads)
    }
}
