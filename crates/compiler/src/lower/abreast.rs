//! Warps abreast. In a loop that shares out an array, each turn goes further by a whole grid. A warp that takes all its turns before the
//! next one begins finds each access in another page, and has what the next warps need driven out of the caches by then. So the
//! warps of a block take some turns one after the other, and go through memory side by side: as many as the caches hold whose
//! lines are a power of two apart.

use super::{Late, Lower, WARP};
use crate::assembler::{Label, at, narrow};
use crate::lower::frame::{FIRST_WARP, TURNS_ABREAST, TURNS_LEFT, WAITING};
use crate::memory::waiting;
use iced_x86::{Code, Register};

/// Bytes from one turn to the next from which on warps take turns.
const FAR: i64 = 4096;

/// Turns of a warp before the next one has its own.
const TURNS: i32 = 4;

/// How far a turn of a loop goes: a multiple of an operand.
#[derive(Clone, Copy)]
pub(crate) struct Stride {
    pub offset: u32,
    pub wide: bool,
    pub times: i64,
}

/// The end of a turn: where the loop begins, by label and by step.
pub(crate) struct TurnEnd {
    pub label: Label,
    pub again: Label,
    pub head: u32,
    pub stride: Stride,
}

impl Lower<'_> {
    /// The next warp's turn of a loop, if the block's warps are in it or have not begun; else the loop goes on.
    pub(super) fn end_turn(&mut self, TurnEnd { label, again, head, stride }: TurnEnd) {
        let own = |offset: u32| at(WARP, offset.into());
        let stack = |offset: i64| at(Register::RSP, offset);
        let (last, waits, other) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.asm.place(label);
        self.asm.op1(Code::Dec_rm32, stack(TURNS_ABREAST));
        self.asm.jne(again);
        self.begin_turns();
        self.asm.op2i(Code::Cmp_rm64_imm8, stack(FIRST_WARP), 0);
        self.asm.je(again);
        // All lanes are active, and none has ended.
        self.asm.op2i(Code::Cmp_rm64_imm8, own(self.layout.active), -1);
        self.asm.jne(again);
        self.asm.op2i(Code::Cmp_rm32_imm8, own(self.layout.paths), 0);
        self.asm.jne(again);
        let Stride { offset, wide, times } = stride;
        let number = self.scalar_in(offset, wide, Register::RDX);
        let least = (FAR / times) as i32;
        if wide {
            self.asm.op2i(Code::Cmp_rm64_imm32, number, least);
        } else {
            self.asm.op2i(Code::Cmp_rm32_imm32, narrow(number), least);
        }
        self.asm.jl(again);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, own(self.layout.next));
        self.asm.op2(Code::Test_rm64_r64, Register::RAX, Register::RAX);
        self.asm.je(last);
        self.asm.op2i(Code::Cmp_rm32_imm8, at(Register::RAX, self.layout.alive.into()), 0);
        self.asm.je(again);
        // Warps of a chain that have ended look as if they had not begun: it ends with the first warp, or not at all.
        self.asm.op2i(Code::Cmp_rm32_imm8, stack(WAITING), waiting::CHAINED as i32);
        self.asm.jne(waits);
        self.asm.op2(Code::Cmp_r64_rm64, WARP, stack(FIRST_WARP));
        self.asm.jne(again);
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, own(self.layout.around));
        self.asm.op2i(Code::Mov_rm8_imm8, at(Register::RDX, self.layout.dirty.into()), 1);
        self.asm.op2i(Code::Mov_rm8_imm8, at(Register::RDX, self.layout.abreast.into()), 1);
        self.asm.place(waits);
        self.leave_turn(head);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, own(self.layout.next));
        self.compare_number(at(Register::RAX, self.layout.position.into()), head);
        self.asm.jne(other);
        self.enter_warp(head as usize);
        self.asm.place(other);
        self.asm.op2(Code::Mov_r64_rm64, WARP, Register::RAX);
        self.enter_anywhere();
        // The first warp again, if it has not left the loop.
        self.asm.place(last);
        self.asm.op2i(Code::Cmp_rm32_imm8, stack(WAITING), waiting::SOME as i32);
        self.asm.jne(again);
        self.asm.op2i(Code::Cmp_rm32_imm8, stack(TURNS_LEFT), 1);
        self.asm.je(again);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, stack(FIRST_WARP));
        self.asm.op2(Code::Cmp_r64_rm64, Register::RAX, WARP);
        self.asm.je(again);
        self.check_place(head as usize, again);
        self.asm.op1(Code::Dec_rm32, stack(TURNS_LEFT));
        self.leave_turn(head);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, stack(FIRST_WARP));
        self.enter_warp(head as usize);
    }

    /// A warp has so many turns from here on.
    pub(super) fn begin_turns(&mut self) {
        if self.ahead.goes_abreast() {
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, TURNS_ABREAST), TURNS);
        }
    }

    /// The warp waits where the loop begins.
    fn leave_turn(&mut self, head: u32) {
        self.store_lean(self.flow.live_in.of(self.flow.block_of(head as usize)));
        self.asm.op2i(Code::Mov_rm32_imm32, at(WARP, self.layout.position.into()), head as i32);
        self.leave_lean();
        self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, WAITING), waiting::SOME as i32);
    }

    /// Where a jump back at a step goes: the loop's beginning, or the next warp's turn.
    pub(super) fn way_back(&mut self, position: usize, target: u32) -> Label {
        let again = self.way_to(target);
        let Some(stride) = self.ahead.stride_of(position) else { return again };
        let label = self.asm.label();
        self.late.push(Late::TurnEnd(TurnEnd { label, again, head: target, stride }));
        label
    }
}
