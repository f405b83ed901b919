//! Accesses by indices of 32 bits ([`crate::scaled`]).

use super::{Lower, WARP, zmm};
use crate::assembler::{Label, Mask, at};
use crate::scaled::{NONE, Scaled};
use crate::unit::Step;
use iced_x86::{Code, Register};

impl Lower<'_> {
    /// Indices into `zmm0` and `zmm1`, what is added to them into `rax`. What lies outside goes the slow way.
    pub(super) fn addresses_scaled(&mut self, step: &Step, scaled: &Scaled, bytes: u32, slow: Label) {
        let [first, second] = scaled.bases;
        let (first, second) = if first == NONE { (second, NONE) } else { (first, second) };
        if first == NONE {
            self.asm.number(Register::RAX, step.offset as u64);
        } else {
            let base = self.scalar_in(first, true, Register::RAX);
            self.asm.op2(Code::Lea_r64_m, Register::RAX, at(base, step.offset));
        }
        if second != NONE {
            let base = self.scalar_operand(second, true, Register::RCX);
            self.asm.op2(Code::Add_r64_rm64, Register::RAX, base);
        }
        self.asm.op2i(Code::Test_rm8_imm8, Register::AL, bytes as i32 - 1);
        self.asm.jne(slow);
        // How far indices may go down and up from there.
        self.asm.op2(Code::Mov_r64_rm64, Register::RCX, Register::RAX);
        self.asm.op2(Code::Sub_r64_rm64, Register::RCX, at(WARP, self.layout.reach_start.into()));
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(WARP, self.layout.reach_bytes.into()));
        self.asm.op2i(Code::Sub_rm64_imm32, Register::RDX, bytes as i32);
        self.asm.jb(slow);
        self.asm.op2(Code::Sub_r64_rm64, Register::RDX, Register::RCX);
        self.asm.jb(slow);
        for register in [Register::RCX, Register::RDX] {
            if register == Register::RCX && !scaled.signed {
                continue;
            }
            let fits = self.asm.label();
            self.asm.op2i(Code::Shr_rm64_imm8, register, scaled.scale.trailing_zeros() as i32);
            self.asm.op2i(Code::Cmp_rm64_imm32, register, i32::MAX);
            self.asm.jbe(fits);
            self.asm.number(register, i32::MAX as u64);
            self.asm.place(fits);
        }
        if scaled.signed {
            self.asm.op2(Code::Add_r32_rm32, Register::EDX, Register::ECX);
            self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(4), Register::ECX);
        }
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(5), Register::EDX);
        for piece in 0..2 {
            let index = self.piece_in(scaled.index, piece, false, zmm(piece));
            if index != zmm(piece) {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, zmm(piece), index);
            }
            let mut above = zmm(piece);
            if scaled.signed {
                above = zmm(2);
                self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, above, zmm(piece), zmm(4));
            }
            let lanes = self.lanes(step, piece, false, Register::K5);
            let to = if piece == 0 { Register::K6 } else { Register::K7 };
            self.asm.op4i(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, to, above, zmm(5), 6, Mask::of(lanes));
        }
        self.asm.op3(Code::VEX_Korw_kr_kr_kr, Register::K6, Register::K6, Register::K7);
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
        self.asm.jne(slow);
    }

    /// Executes steps that were left out.
    pub(super) fn make_up(&mut self, left: &[u32]) {
        let unit = self.unit;
        for &step in left.iter().filter(|&&step| step != NONE) {
            self.vector(step as usize, &unit.steps[step as usize]);
        }
    }

    /// The same for all of the block before a position: the interpreter goes on there.
    pub(super) fn make_up_before(&mut self, position: usize) {
        let block = self.flow.block_of(position);
        let start = self.flow.starts[block] as usize;
        let left: Vec<u32> = (start..position).filter(|&at| self.unit.steps[at].left).map(|at| at as u32).collect();
        self.make_up(&left);
    }
}
