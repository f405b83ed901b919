//! Small matrices whose rows lie in shared memory: `ldmatrix`, `stmatrix`. They go over the stack, where a matrix is as lanes hold it.

use super::atomic::{ADDRESSES, OPERANDS, SAVED};
use super::{Late, Lower, WARP, zmm};
use crate::assembler::{Mask, at, indexed};
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::{Code, Register};

const LOAD: Code = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
const GATHER: Code = Code::EVEX_Vpgatherdd_zmm_k1_vm32z;
/// Rows of a matrix, bytes of a row, and of a matrix.
const ROWS: i64 = 8;
const ROW: i64 = 16;
const MATRIX: i64 = ROWS * ROW;

impl Lower<'_> {
    /// Matrices in memory. False if they are left to the interpreter.
    pub fn rows(
        &mut self,
        position: usize,
        step: &Step,
        (count, turned, stores): (u8, bool, bool),
        before: &[u64],
        after: &[u64],
    ) -> bool {
        let matrices = usize::from(count);
        let named = if stores { &step.from[1..=matrices] } else { &step.to[..matrices] };
        let mut named = named.iter().filter(|&&offset| offset != u32::MAX);
        let odd = |offset: u32| {
            let result = !stores && (self.home(offset).is_none() || self.is_scalar(offset));
            result || self.home(offset).is_some() && self.wide(offset)
        };
        let wide = self.home(step.from[0]).is_some() && self.wide(step.from[0]);
        let near = i32::try_from(step.offset).is_ok();
        if step.guard != UNGUARDED || !step.narrow || !near || wide || named.any(|&offset| odd(offset)) {
            return false;
        }
        let (slow, back) = (self.asm.label(), self.asm.label());
        // All lanes are here, and none has ended.
        self.asm.op2i(Code::Cmp_rm32_imm8, at(WARP, self.layout.active.into()), -1);
        self.asm.jne(slow);
        self.late.push(Late::Call { label: slow, back, at: position, before: before.to_vec(), after: after.to_vec() });
        self.fix(step.from[0]);
        // The addresses of the lanes behind those that say where rows are mean nothing.
        self.row_addresses(step, count, slow);
        for piece in 0..2 {
            self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * i64::from(piece)), zmm(piece));
        }
        if stores {
            for matrix in 0..i64::from(count) {
                let from = step.from[matrix as usize + 1];
                self.fix(from);
                self.lay(from, false, OPERANDS + MATRIX * matrix);
                if turned {
                    let halves = self.turned(matrix);
                    for (half, register) in (0..).zip(halves) {
                        self.asm.op2(STORE, at(Register::RSP, OPERANDS + MATRIX * matrix + 64 * half), register);
                    }
                }
            }
        }
        self.move_rows(i64::from(count), stores);
        if !stores {
            for matrix in 0..i64::from(count) {
                let to = step.to[matrix as usize];
                if to == u32::MAX {
                    continue;
                }
                let halves = if turned {
                    self.turned(matrix)
                } else {
                    for half in 0..2 {
                        let from = at(Register::RSP, OPERANDS + MATRIX * matrix + 64 * i64::from(half));
                        self.asm.op2(LOAD, zmm(half), from);
                    }
                    [zmm(0), zmm(1)]
                };
                for (half, register) in (0..).zip(halves) {
                    self.put(step, to, half, false, register);
                }
            }
        }
        self.asm.place(back);
        true
    }

    /// Offsets of the rows into `zmm0` and `zmm1`, where shared memory begins into `rax`, once the rows have been looked at.
    fn row_addresses(&mut self, step: &Step, count: u8, slow: crate::assembler::Label) {
        let rows = u32::from(count) * ROWS as u32;
        for (half, to) in (0..2).zip([Register::K3, Register::K4]) {
            let lanes = rows.saturating_sub(16 * half).min(16);
            self.asm.number(Register::RAX, (1u64 << lanes) - 1);
            self.asm.op2(Code::VEX_Kmovw_kr_r32, to, Register::EAX);
        }
        // Its guard is in `k3` and `k4`.
        self.addresses_narrow(&Step { guard: 0, based: false, ..step.clone() }, ROW as u32, slow);
    }

    /// Rows from where their addresses say to the stack, or back, one after the other.
    fn move_rows(&mut self, count: i64, stores: bool) {
        for (n, register) in (0..).zip([Register::RSI, Register::RDI]) {
            self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED + 8 * n), register);
        }
        for row in 0..count * ROWS {
            self.asm.op2(Code::Mov_r32_rm32, Register::ECX, at(Register::RSP, ADDRESSES + 4 * row));
            let words = [(Register::RSI, 0), (Register::RDI, 8)];
            let memory = |more: i64| indexed(Register::RAX, Register::RCX, more);
            let own = |more: i64| at(Register::RSP, OPERANDS + ROW * row + more);
            let places = |more: i64| if stores { (own(more), memory(more)) } else { (memory(more), own(more)) };
            for (register, more) in words {
                self.asm.op2(Code::Mov_r64_rm64, register, places(more).0);
            }
            for (register, more) in words {
                self.asm.op2(Code::Mov_rm64_r64, places(more).1, register);
            }
        }
        for (n, register) in (0..).zip([Register::RSI, Register::RDI]) {
            self.asm.op2(Code::Mov_r64_rm64, register, at(Register::RSP, SAVED + 8 * n));
        }
    }

    /// A matrix on the stack with rows for columns, in two registers: the halves of each word come from two rows.
    fn turned(&mut self, matrix: i64) -> [Register; 2] {
        self.asm.op2(Code::Lea_r64_m, Register::RCX, at(Register::RSP, OPERANDS + MATRIX * matrix));
        for half in 0..2u32 {
            let target = zmm(half);
            for (upper, to) in [(0, target), (1, zmm(2))] {
                self.line32(
                    |lane| {
                        let own = 16 * half + lane;
                        (2 * (own % 4) + upper) * ROW as u32 + 2 * (own / 4)
                    },
                    Register::RDX,
                );
                self.asm.op2(LOAD, zmm(5), at(Register::RDX, 0));
                self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, Register::K1);
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, to, to, to);
                self.asm.masked2(GATHER, to, indexed(Register::RCX, zmm(5), 0), Mask::of(Register::K6));
            }
            self.asm.op3i(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, zmm(2), zmm(2), 16, Mask::ALL);
            self.line32(|_| 0xffff, Register::RDX);
            self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, target, target, at(Register::RDX, 0));
            self.asm.op3(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, target, target, zmm(2));
        }
        [zmm(0), zmm(1)]
    }
}

// The matrices take the place of both operands of lanes.
const _: () = assert!(OPERANDS + 4 * MATRIX <= super::atomic::LANES_END && SLOT as i64 >= 2 * MATRIX);
