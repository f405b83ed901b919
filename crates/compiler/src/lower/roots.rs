//! Reciprocal square roots of f32: 1 divided by the square root, each rounded to the nearest, as the interpreter has it. The divider
//! takes 23 to 27 cycles for 16 lanes on an Intel Xeon, while the multipliers wait. Of several the first is made by multiply-adds from an
//! estimate on, which give the same bits whatever the estimate is, as long as it is off by 2^-14 at most:
//!
//! - The root `g` of the estimate `y`, improved once, is off by less than half a place. Cut off it is the root rounded to the nearest, or
//!   the number below that. It is the latter if the square of what lies between both is less than `x`, that is if `g * (g + place) < x`: the
//!   sign of the difference is right however small it is.
//! - The reciprocal, by two terms of the series for `1 / (1 - e)`, is off by 2^-37 before it is rounded up. One more step of Newton's from
//!   there is right for all 2^23 fractions (`rounded_up_reciprocals_become_the_nearest` goes through them).

use super::{Late, Lower, zmm};
use crate::assembler::{Label, Mask, broadcast};
use crate::unit::Step;
use iced_x86::{Code, Register};

const MOVE: Code = Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512;
const MULTIPLY: Code = Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
/// `d = a * d + b`, `d = b - a * d`, `d = a * d - b`.
const FUSED: Code = Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
const FUSED_NEGATED: Code = Code::EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
const FUSED_LESS: Code = Code::EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er;
/// Roundings of a single instruction.
const UP: u8 = 2;
const CUT: u8 = 3;

/// Everything but positive normal numbers, as `vfpclassps` counts kinds.
const OTHER_KINDS: i32 = 0xff;
/// Where results and differences may become zero as soon as they are subnormal, numbers from here on are large enough.
const LEAST_FLUSHED: u32 = 0x2000_0000;
const INFINITE: u32 = 0x7f80_0000;
/// Of so many pieces one goes by steps. The divider has the others: so both have about as much to do.
const SHARE: usize = 3;

/// The words of the line that the sequence reads: where each is.
const HALF: i64 = 0;
const ONE: i64 = 4;
const PLACE: i64 = 8;
const LEAST: i64 = 12;
const REACH: i64 = 16;
const WORDS: [u32; 5] = [0x3f00_0000, 0x3f80_0000, 1, LEAST_FLUSHED, INFINITE - LEAST_FLUSHED];

impl Lower<'_> {
    /// `rsqrt` of all lanes.
    pub(super) fn reciprocal_root(&mut self, position: usize, step: &Step) {
        let pieces = [0, 1].map(|piece| (self.roots + piece).is_multiple_of(SHARE));
        self.roots += 2;
        if pieces == [false; 2] {
            (0..2).for_each(|piece| self.root_by_divider(step, piece));
            return;
        }
        let (label, back) = (self.asm.label(), self.asm.label());
        let masks = [Register::K6, Register::K7];
        let chosen: Vec<u32> = (0..2).filter(|&piece| pieces[piece as usize]).collect();
        for &piece in &chosen {
            let x = self.piece_in(step.from[0], piece, false, zmm(0));
            let mask = masks[piece as usize];
            if self.flushing {
                self.root_words();
                self.asm.op3(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, zmm(1), x, broadcast(Register::RDX, LEAST));
                let (code, reach) = (Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, broadcast(Register::RDX, REACH));
                self.asm.op4i(code, mask, zmm(1), reach, 5, Mask::ALL);
            } else {
                self.asm.op3i(Code::EVEX_Vfpclassps_kr_k1_zmmm512b32_imm8, mask, x, OTHER_KINDS, Mask::ALL);
            }
        }
        let [first, last] = [chosen[0], chosen[chosen.len() - 1]].map(|piece| masks[piece as usize]);
        self.asm.op2(Code::VEX_Kortestw_kr_kr, first, last);
        self.asm.jne(label);
        for &piece in &chosen {
            self.root_by_steps(step, piece);
        }
        self.late.push(Late::Roots { label, back, at: position, pieces });
        self.asm.place(back);
        for piece in (0..2).filter(|&piece| !pieces[piece as usize]) {
            self.root_by_divider(step, piece);
        }
    }

    /// Numbers that are no positive normal ones, or too small.
    pub(super) fn late_roots(&mut self, label: Label, back: Label, at: usize, pieces: [bool; 2]) {
        self.asm.place(label);
        let unit = self.unit;
        for piece in (0..2).filter(|&piece| pieces[piece as usize]) {
            self.root_by_divider(&unit.steps[at], piece);
        }
        self.asm.jmp(back);
    }

    fn root_words(&mut self) {
        self.line(line_of(WORDS), Register::RDX);
    }

    fn root_by_divider(&mut self, step: &Step, piece: u32) {
        let target = self.target(step, step.to[0], piece);
        self.divide_by_root(step.from[0], piece, target);
        if !self.is_loose_result(step) {
            self.canonical(target);
        }
        self.put(step, step.to[0], piece, false, target);
    }

    /// 1 divided by the root of a piece.
    pub(super) fn divide_by_root(&mut self, from: u32, piece: u32, target: Register) {
        let from = self.piece_in(from, piece, false, zmm(0));
        self.asm.op2(Code::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er, zmm(0), from);
        self.ones(zmm(1));
        self.asm.op3(Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, target, zmm(1), zmm(0));
    }

    fn root_by_steps(&mut self, step: &Step, piece: u32) {
        let x = self.piece_in(step.from[0], piece, false, zmm(0));
        self.root_words();
        let word = |at: i64| broadcast(Register::RDX, at);
        let (y, g, t, r) = (zmm(1), zmm(2), zmm(3), zmm(5));
        self.asm.op2(Code::EVEX_Vrsqrt14ps_zmm_k1z_zmmm512b32, y, x);
        self.asm.op3(MULTIPLY, g, x, y);
        self.asm.op3(MULTIPLY, t, y, word(HALF));
        self.asm.op2(MOVE, r, x);
        self.asm.op3(Code::EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er, r, g, g);
        // g = g + (x - g * g) * y / 2, cut off.
        self.asm.masked3(Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, g, r, t, Mask::ALL, CUT);
        // A place more if g * (g + place) - x is negative.
        self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, t, g, word(PLACE));
        self.asm.op3(FUSED_LESS, t, g, x);
        self.asm.op3i(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, t, t, 31, Mask::ALL);
        self.asm.op3(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, g, g, t);
        // e = 1 - g * y, and y * (1 + e + e * e), rounded up.
        self.asm.op2(MOVE, t, g);
        self.asm.op3(FUSED_NEGATED, t, y, word(ONE));
        self.asm.op3(FUSED, t, t, t);
        self.asm.masked3(FUSED, t, y, y, Mask::ALL, UP);
        self.asm.op3(FUSED_NEGATED, g, t, word(ONE));
        self.asm.op3(FUSED, g, t, t);
        self.put(step, step.to[0], piece, false, g);
    }
}

/// A line that begins with some words.
fn line_of(words: [u32; 5]) -> [u8; 64] {
    let mut line = [0; 64];
    line.chunks_exact_mut(4).zip(words).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
    line
}

#[cfg(test)]
mod tests {
    /// The last step, for all fractions and for what may come before it: the number above the reciprocal, and the one below where that is nearly it.
    #[test]
    fn rounded_up_reciprocals_become_the_nearest() {
        let step = |s: f32, d: f32| d.mul_add((-s).mul_add(d, 1.0), d);
        for fraction in 0..1u32 << 23 {
            let s = f32::from_bits(0x3f80_0000 | fraction);
            let (near, exact) = (1.0 / s, 1.0 / f64::from(s));
            let above = if f64::from(near) >= exact { near } else { near.next_up() };
            assert_eq!(step(s, above), near, "{s}");
            let below = above.next_down();
            if (exact - f64::from(below)) / exact < 2f64.powi(-35) {
                assert_eq!(step(s, below), near, "{s}");
            }
        }
    }
}
