//! Rows of vectors of words: their elements lie interleaved in memory, and are taken apart or put together by permutations where
//! all lanes are active.

use super::memory::Place;
use super::{Lower, zmm};
use crate::assembler::{Label, Mask, Operand, at};
use crate::encode::Memory;
use crate::operation::Element;
use crate::unit::Step;
use iced_x86::{Code, Register};

const LOAD: Code = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
const PERMUTE: Code = Code::EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32;

/// How such rows lie.
#[derive(Clone, Copy)]
pub struct Apart {
    place: Place,
    /// Where the addresses of the first lanes of both halves are.
    bases: [Register; 2],
    stride: i64,
    /// From the addresses to what is loaded first.
    first: i64,
    /// Words from there to a lane's first element.
    skip: u32,
    count: u32,
}

impl Apart {
    /// Memory of a half of the warp, 64 bytes at a time.
    fn piece(&self, half: u32, n: u32) -> Memory {
        let more = self.first + 64 * i64::from(n);
        match (self.place, half) {
            (Place::Halves(_), 1) => at(self.bases[1], more),
            (Place::Halves(_), _) => at(self.bases[0], more),
            _ => at(self.bases[0], more + 16 * self.stride * i64::from(half)),
        }
    }
}

impl Lower<'_> {
    /// Vectors of 2 or 4 words without gaps, from the address of the first lane on and so much; or loads with gaps of their own size, if other
    /// accesses of their group are to the gaps.
    pub fn apart(
        &self,
        position: usize,
        place: Place,
        element: &Element,
        count: u8,
        first: i64,
        loads: bool,
    ) -> Option<Apart> {
        let (Place::Row(stride) | Place::Halves(stride)) = place else { return None };
        let bytes = 4 * i64::from(count);
        if element.bytes != 4 || !matches!(count, 2 | 4) {
            return None;
        }
        let apart = Apart { place, bases: self.bases, stride, first, skip: 0, count: count.into() };
        if stride == bytes {
            return Some(apart);
        }
        let group = self.group(position).filter(|_| loads && count == 4 && stride == 2 * bytes)?;
        let gap = first.rem_euclid(stride);
        let inside = first - gap + stride <= group.extent;
        inside.then_some(Apart { first: first - gap, skip: gap as u32 / 4, ..apart })
    }

    /// Jumps unless all lanes are active, and the step is for all. Changes `rdx`.
    pub fn unless_all(&mut self, step: &Step, otherwise: Label) {
        self.mask_of(step, Register::EDX);
        self.asm.op2i(Code::Cmp_rm32_imm8, Register::EDX, -1);
        self.asm.jne(otherwise);
    }

    /// Words of two vectors by their numbers, into a register.
    pub fn permuted(&mut self, to: Register, index: impl Fn(u32) -> u32, a: Register, b: impl Into<Operand>) {
        self.line32(index, Register::RDX);
        self.asm.op2(LOAD, to, at(Register::RDX, 0));
        self.asm.op3(PERMUTE, to, a, b);
    }

    /// Loads of all lanes.
    pub fn load_apart(&mut self, step: &Step, apart: &Apart) {
        for half in 0..2 {
            if apart.count == 2 {
                for n in 0..2 {
                    let to = step.to[n as usize];
                    if to != u32::MAX {
                        let target = self.target(step, to, half);
                        self.asm.op2(LOAD, zmm(0), apart.piece(half, 0));
                        self.permuted(target, |j| 2 * j + n, zmm(0), apart.piece(half, 1));
                        self.put(step, to, half, false, target);
                    }
                }
                continue;
            }
            for pair in [0, 2] {
                // Eight lanes at a time: their elements of the pair, one behind the other.
                for side in 0..2 {
                    let second = if apart.stride == 16 {
                        self.asm.op2(LOAD, zmm(0), apart.piece(half, 2 * side));
                        apart.piece(half, 2 * side + 1).into()
                    } else {
                        for q in 0..2 {
                            self.asm.op2(LOAD, zmm(4), apart.piece(half, 4 * side + 2 * q));
                            let own = |j| 8 * (j / 4) + apart.skip + j % 4;
                            self.permuted(zmm(q), own, zmm(4), apart.piece(half, 4 * side + 2 * q + 1));
                        }
                        Operand::Register(zmm(1))
                    };
                    self.permuted(zmm(2 + side), |j| 4 * (j % 8) + pair + j / 8, zmm(0), second);
                }
                for n in 0..2 {
                    let to = step.to[(pair + n) as usize];
                    if to != u32::MAX {
                        let target = self.target(step, to, half);
                        self.permuted(target, |j| 8 * n + j % 8 + 16 * (j / 8), zmm(2), zmm(3));
                        self.put(step, to, half, false, target);
                    }
                }
            }
        }
    }

    /// Stores of all lanes.
    pub fn store_apart(&mut self, step: &Step, apart: &Apart) {
        if apart.count == 4 {
            self.asm.number(Register::RDX, 0xcccc);
            self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K7, Register::EDX);
        }
        for half in 0..2 {
            let mut values = [Register::None; 4];
            for n in 0..apart.count {
                values[n as usize] = self.piece_in(step.from[n as usize + 1], half, false, zmm(n));
            }
            let [x, y, z, w] = values;
            for part in 0..apart.count {
                let lanes = 16 / apart.count;
                let own = |j| lanes * part + j / apart.count + 16 * (j % 2);
                self.permuted(zmm(4), own, x, y);
                if apart.count == 4 {
                    self.permuted(zmm(5), own, z, w);
                    self.asm.masked2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, zmm(4), zmm(5), Mask::of(Register::K7));
                }
                self.asm.op2(STORE, apart.piece(half, part), zmm(4));
            }
        }
    }
}
