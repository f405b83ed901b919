//! Atomic operations: one lane after the other, as the interpreter does them.

use super::memory::Place;
use super::{Lower, zmm};
use crate::assembler::{Label, at};
use crate::operation::{Element, Window};
use crate::unit::Step;
use iced_x86::{Code, MemoryOperand, Register};

/// Where the stack has two saved registers, the addresses of all lanes, their operands and their results.
const SAVED: i64 = 16;
const ADDRESSES: i64 = 64;
const OPERANDS: i64 = 320;
const RESULTS: i64 = 448;

fn lane(offset: i64, scale: u32) -> MemoryOperand {
    MemoryOperand::new(Register::RSP, Register::RDX, scale, offset, 1, false, Register::None)
}

impl Lower<'_> {
    /// `red` and `atom` of a sum. False if it is left to the interpreter.
    pub fn atomic_add(&mut self, position: usize, step: &Step, window: Window) -> bool {
        let element = Element { bytes: 4, signed: false };
        let gives = step.to[0] != u32::MAX;
        let Some(place) = self.kind(step, window, &element, 1) else { return false };
        let alike = self.values.stride(self.unit, step.from[1]) == Some(0);
        match place {
            Place::Row(0) if !gives && alike => {}
            Place::Wide | Place::Narrow => {}
            _ => return false,
        }
        let (slow, back) = self.late_step(position);
        self.fix(step.from[1]);
        self.guard(step);
        self.note_position(position);
        match self.address(step, window, &element, 1, place, slow) {
            Place::Row(_) => self.add_once(step, window),
            place => self.add_each(step, matches!(place, Place::Wide), gives, back),
        }
        self.end_late(back);
        true
    }

    /// One place, one operand: as often as there are lanes.
    fn add_once(&mut self, step: &Step, window: Window) {
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Popcnt_r32_rm32, Register::ECX, Register::ECX);
        let by = self.scalar_operand(step.from[1], false, Register::RDX);
        self.asm.op2(Code::Imul_r32_rm32, Register::ECX, by);
        if window == Window::Plain {
            self.asm.locked2(Code::Add_rm32_r32, at(Register::RAX, 0), Register::ECX);
        } else {
            self.asm.op2(Code::Add_rm32_r32, at(Register::RAX, 0), Register::ECX);
        }
    }

    /// Lane by lane: addresses of 64 bits in `zmm0` to `zmm3`, or offsets of 32 bits in `zmm0` and `zmm1` from `rax` on.
    fn add_each(&mut self, step: &Step, wide: bool, gives: bool, back: Label) {
        const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
        for piece in 0..if wide { 4 } else { 2 } {
            self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * i64::from(piece)), zmm(piece));
        }
        for piece in 0..2 {
            let value = self.piece_in(step.from[1], piece, false, zmm(4));
            self.asm.op2(STORE, at(Register::RSP, OPERANDS + 64 * i64::from(piece)), value);
        }
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(back);
        self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED), Register::RSI);
        self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED + 8), Register::RDI);
        let mut again = self.asm.label();
        self.asm.place(&mut again);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        self.asm.op2(Code::Mov_r32_rm32, Register::EDI, lane(OPERANDS, 4));
        let place = if wide {
            self.asm.op2(Code::Mov_r64_rm64, Register::RSI, lane(ADDRESSES, 8));
            at(Register::RSI, 0)
        } else {
            self.asm.op2(Code::Mov_r32_rm32, Register::ESI, lane(ADDRESSES, 4));
            crate::assembler::indexed(Register::RAX, Register::RSI, 0)
        };
        let code = if gives { Code::Xadd_rm32_r32 } else { Code::Add_rm32_r32 };
        if wide {
            self.asm.locked2(code, place, Register::EDI);
        } else {
            // Only the thread that runs the block uses its shared memory.
            self.asm.op2(code, place, Register::EDI);
        }
        if gives {
            self.asm.op2(Code::Mov_rm32_r32, lane(RESULTS, 4), Register::EDI);
        }
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(again);
        self.asm.op2(Code::Mov_r64_rm64, Register::RSI, at(Register::RSP, SAVED));
        self.asm.op2(Code::Mov_r64_rm64, Register::RDI, at(Register::RSP, SAVED + 8));
        if gives {
            for piece in 0..2 {
                let target = self.target(step, step.to[0], piece);
                let from = at(Register::RSP, RESULTS + 64 * i64::from(piece));
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, target, from);
                self.put(step, step.to[0], piece, false, target);
            }
        }
    }
}
