//! Copies of each lane from global to shared memory, which a device makes in the background: `cp.async`.

use super::atomic::{ADDRESSES, OPERANDS, SAVED, lane};
use super::{FRAME, Lower, zmm};
use crate::assembler::{Label, Mask, at, indexed};
use crate::unit::{Step, UNGUARDED};
use iced_x86::{Code, Register};

const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
/// Registers that the loop over lanes changes.
const KEPT: [Register; 5] = [Register::RSI, Register::RDI, Register::R8, Register::R9, Register::R10];
/// Where the stack has the lanes that have a source, and the offsets of the destinations.
const SOURCES: i64 = SAVED + 8 * KEPT.len() as i64;
const PLACES: i64 = OPERANDS;

impl Lower<'_> {
    /// `cp.async`. False if it is left to the interpreter.
    pub fn copy_across(&mut self, position: usize, step: &Step, bytes: u8) -> bool {
        let [to, from, size, ignored, _] = step.from;
        let near = [step.offset, step.source].into_iter().all(|offset| i32::try_from(offset).is_ok());
        let unlike = |offset: u32, wide: bool| self.home(offset).is_some() && self.wide(offset) != wide;
        if !step.narrow || !near || unlike(to, false) || unlike(from, true) || unlike(size, false) {
            return false;
        }
        let bytes = u32::from(bytes);
        let whole = step.mode == 0 && self.constant(size).is_some_and(|size| size as u32 >= bytes);
        let (slow, back) = self.late_step(position);
        [to, from, size].into_iter().for_each(|offset| self.fix(offset));
        self.note_position(position);
        self.guard(step);
        let source =
            Step { from: [from, 0, 0, 0, 0], offset: step.source, narrow: false, based: false, ..step.clone() };
        self.sum_wide(&source);
        for piece in 0..4 {
            self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * i64::from(piece)), zmm(piece));
        }
        if whole {
            self.look_at_wide(&source, bytes, slow);
        } else {
            self.aligned(step, bytes, slow);
            self.with_source(step, (size, ignored), bytes, slow);
            // These lanes alone: they are in `k3` and `k4`.
            self.look_at_wide(&Step { guard: 0, ..source }, bytes, slow);
            self.guard(step);
        }
        let place = Step { from: [to, 0, 0, 0, 0], narrow: true, based: false, ..step.clone() };
        self.addresses_narrow(&place, bytes, slow);
        for piece in 0..2 {
            self.asm.op2(STORE, at(Register::RSP, PLACES + 64 * i64::from(piece)), zmm(piece));
        }
        self.copy_lanes(step, bytes, whole);
        self.end_late(back);
        true
    }

    /// Whether the addresses of active lanes, in `zmm0` to `zmm3`, are multiples of the bytes.
    pub(super) fn aligned(&mut self, step: &Step, bytes: u32, slow: Label) {
        self.line64(|_| u64::from(bytes) - 1, Register::RDX);
        for piece in 0..4 {
            let lanes = self.lanes(step, piece, true, Register::K5);
            let to = if piece == 0 { Register::K6 } else { Register::K7 };
            let test = at(Register::RDX, 0);
            self.asm.masked3(Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64, to, zmm(piece), test, Mask::of(lanes), 0);
            if piece != 0 {
                self.asm.op3(Code::VEX_Korb_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
        }
        self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K6);
        self.asm.jne(slow);
    }

    /// The active lanes that copy all bytes into `k3` and `k4`, and onto the stack. The others put zeros there; lanes that copy part
    /// of the bytes go the slow way.
    fn with_source(&mut self, step: &Step, (size, ignored): (u32, u32), bytes: u32, slow: Label) {
        for (half, to) in (0..).zip([Register::K3, Register::K4]) {
            if step.mode == 0 {
                let size = self.piece_in(size, half, false, zmm(4));
                let lanes = self.lanes(step, half, false, Register::K5);
                self.line32(|_| bytes, Register::RDX);
                let least = at(Register::RDX, 0);
                self.asm.op4i(
                    Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8,
                    Register::K6,
                    size,
                    least,
                    5,
                    Mask::of(lanes),
                );
                self.asm.masked3(
                    Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32,
                    Register::K7,
                    size,
                    size,
                    Mask::of(lanes),
                    0,
                );
                self.asm.op3(Code::VEX_Kandnw_kr_kr_kr, Register::K7, Register::K6, Register::K7);
                self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K7, Register::K7);
                self.asm.jne(slow);
                self.asm.op2(Code::VEX_Kmovw_kr_km16, to, Register::K6);
            } else {
                let lanes = self.lanes(step, half, false, Register::K5);
                self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, at(FRAME, i64::from(ignored + 2 * half)));
                self.asm.op3(Code::VEX_Kandnw_kr_kr_kr, to, Register::K6, lanes);
            }
        }
        self.asm.op2(Code::VEX_Kmovw_r32_kr, Register::EAX, Register::K3);
        self.asm.op2(Code::VEX_Kmovw_r32_kr, Register::ECX, Register::K4);
        self.asm.op2i(Code::Shl_rm32_imm8, Register::ECX, 16);
        self.asm.op2(Code::Or_r32_rm32, Register::EAX, Register::ECX);
        self.asm.op2(Code::Mov_rm32_r32, at(Register::RSP, SOURCES), Register::EAX);
    }

    /// Copies lane by lane, from the first to the last one; `rax` is where shared memory begins.
    fn copy_lanes(&mut self, step: &Step, bytes: u32, whole: bool) {
        let (done, again) = (self.asm.label(), self.asm.label());
        self.mask_of(step, Register::ECX);
        if step.guard != UNGUARDED {
            self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
            self.asm.je(done);
        }
        for (n, register) in (0..).zip(KEPT) {
            self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED + 8 * n), register);
        }
        if !whole {
            self.asm.op2(Code::Mov_r32_rm32, Register::R10D, at(Register::RSP, SOURCES));
        }
        self.asm.place(again);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        self.asm.op2(Code::Mov_r32_rm32, Register::EDI, lane(PLACES, false));
        let load = self.asm.label();
        let ready = self.asm.label();
        if !whole {
            self.asm.op2(Code::Bt_rm32_r32, Register::R10D, Register::EDX);
            self.asm.jb(load);
            self.asm.op2(Code::Xor_r32_rm32, Register::R8D, Register::R8D);
            self.asm.op2(Code::Xor_r32_rm32, Register::R9D, Register::R9D);
            self.asm.jmp(ready);
            self.asm.place(load);
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RSI, lane(ADDRESSES, true));
        match bytes {
            4 => self.asm.op2(Code::Mov_r32_rm32, Register::R8D, at(Register::RSI, 0)),
            _ => self.asm.op2(Code::Mov_r64_rm64, Register::R8, at(Register::RSI, 0)),
        }
        if bytes == 16 {
            self.asm.op2(Code::Mov_r64_rm64, Register::R9, at(Register::RSI, 8));
        }
        if !whole {
            self.asm.place(ready);
        }
        let place = |more: i64| indexed(Register::RAX, Register::RDI, more);
        match bytes {
            4 => self.asm.op2(Code::Mov_rm32_r32, place(0), Register::R8D),
            _ => self.asm.op2(Code::Mov_rm64_r64, place(0), Register::R8),
        }
        if bytes == 16 {
            self.asm.op2(Code::Mov_rm64_r64, place(8), Register::R9);
        }
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(again);
        for (n, register) in (0..).zip(KEPT) {
            self.asm.op2(Code::Mov_r64_rm64, register, at(Register::RSP, SAVED + 8 * n));
        }
        self.asm.place(done);
    }
}
