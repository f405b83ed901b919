//! What becomes of an instruction: a table of those that are the same with half the width, and the way to the others.

use super::cache::{A, A::*, constant, moved, slot};
use super::{Pass, V};
use crate::assembler::at;
use crate::encode::Memory;
use iced_x86::{Code, Code::*, Instruction, OpKind, Register, RoundingControl};

/// The first operand of `vpternlog` counts.
pub fn looks_at_first(table: u8) -> bool {
    table >> 4 != table & 15
}

/// Instructions that do with each half what they do with the whole.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A result of two operands; `true` if they may change places.
    Two(bool),
    /// The result is an operand, too.
    Fused,
    /// A result of one operand.
    One,
    /// One operand in a register, and a number.
    Number,
    /// The same, from memory, too.
    NumberOfAny,
}

/// Rows: the instruction, its half, whether lanes have 64 bits, the shape.
pub fn row(code: Code) -> Option<(Code, bool, Shape)> {
    use Shape::*;
    Some(match code {
        EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpaddd_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpaddq_ymm_ymm_ymmm256, true, Two(true)),
        EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpsubd_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpsubq_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpand_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpand_ymm_ymm_ymmm256, true, Two(true)),
        EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpandn_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpandn_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vpord_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpor_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vporq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpor_ymm_ymm_ymmm256, true, Two(true)),
        EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpxor_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpxor_ymm_ymm_ymmm256, true, Two(true)),
        EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpmulld_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpmuldq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpmuldq_ymm_ymm_ymmm256, true, Two(true)),
        EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpmuludq_ymm_ymm_ymmm256, true, Two(true)),
        EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpminsd_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpminud_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpmaxsd_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpmaxud_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpsllvd_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpsllvq_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpsrlvd_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64 => (VEX_Vpsrlvq_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpsravd_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpshufb_zmm_k1z_zmm_zmmm512 => (VEX_Vpshufb_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpaddw_zmm_k1z_zmm_zmmm512 => (VEX_Vpaddw_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpaddb_zmm_k1z_zmm_zmmm512 => (VEX_Vpaddb_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpsubw_zmm_k1z_zmm_zmmm512 => (VEX_Vpsubw_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpmullw_zmm_k1z_zmm_zmmm512 => (VEX_Vpmullw_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpmaddwd_zmm_k1z_zmm_zmmm512 => (VEX_Vpmaddwd_ymm_ymm_ymmm256, false, Two(true)),
        EVEX_Vpmaddubsw_zmm_k1z_zmm_zmmm512 => (VEX_Vpmaddubsw_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpunpckldq_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpunpckldq_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vpunpckhdq_zmm_k1z_zmm_zmmm512b32 => (VEX_Vpunpckhdq_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er => (VEX_Vaddps_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er => (VEX_Vsubps_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er => (VEX_Vmulps_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er => (VEX_Vdivps_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae => (VEX_Vminps_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae => (VEX_Vmaxps_ymm_ymm_ymmm256, false, Two(false)),
        EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vaddpd_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vsubpd_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vmulpd_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vdivpd_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae => (VEX_Vminpd_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae => (VEX_Vmaxpd_ymm_ymm_ymmm256, true, Two(false)),
        EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er => (VEX_Vfmadd231ps_ymm_ymm_ymmm256, false, Fused),
        EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er => (VEX_Vfmadd213ps_ymm_ymm_ymmm256, false, Fused),
        EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vfmadd231pd_ymm_ymm_ymmm256, true, Fused),
        EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vfmadd213pd_ymm_ymm_ymmm256, true, Fused),
        EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er => (VEX_Vfnmadd231pd_ymm_ymm_ymmm256, true, Fused),
        EVEX_Vpabsd_zmm_k1z_zmmm512b32 => (VEX_Vpabsd_ymm_ymmm256, false, One),
        EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er => (VEX_Vsqrtps_ymm_ymmm256, false, One),
        EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er => (VEX_Vsqrtpd_ymm_ymmm256, true, One),
        EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er => (VEX_Vcvtdq2ps_ymm_ymmm256, false, One),
        EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae => (VEX_Vcvttps2dq_ymm_ymmm256, false, One),
        EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8 => (VEX_Vpslld_ymm_ymm_imm8, false, Number),
        EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8 => (VEX_Vpsllq_ymm_ymm_imm8, true, Number),
        EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8 => (VEX_Vpsrld_ymm_ymm_imm8, false, Number),
        EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8 => (VEX_Vpsrlq_ymm_ymm_imm8, true, Number),
        EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8 => (VEX_Vpsrad_ymm_ymm_imm8, false, Number),
        EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8 => (VEX_Vpshufd_ymm_ymmm256_imm8, false, NumberOfAny),
        // Rounds to integers: the upper half of the number would be places behind the point.
        EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae => (VEX_Vroundps_ymm_ymmm256_imm8, false, NumberOfAny),
        EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae => (VEX_Vroundpd_ymm_ymmm256_imm8, true, NumberOfAny),
        _ => return None,
    })
}

/// Lanes of 8 or 16 bits: a mask would be one of those.
pub fn has_small_lanes(code: Code) -> bool {
    matches!(
        code,
        EVEX_Vpshufb_zmm_k1z_zmm_zmmm512
            | EVEX_Vpaddw_zmm_k1z_zmm_zmmm512
            | EVEX_Vpaddb_zmm_k1z_zmm_zmmm512
            | EVEX_Vpsubw_zmm_k1z_zmm_zmmm512
            | EVEX_Vpmullw_zmm_k1z_zmm_zmmm512
            | EVEX_Vpmaddubsw_zmm_k1z_zmm_zmmm512
    )
}

/// A half of a register.
pub fn half_of(register: Register, half: usize) -> V {
    let from = if register.is_zmm() {
        Register::ZMM0
    } else if register.is_ymm() {
        Register::YMM0
    } else {
        Register::XMM0
    };
    2 * (register as V - from as V) + half as V
}

impl Pass<'_> {
    /// The memory that an instruction names.
    pub fn memory(&self, i: &Instruction) -> Memory {
        let mut memory = at(i.memory_base(), i.memory_displacement64() as i64);
        memory.index = i.memory_index();
        memory.scale = i.memory_index_scale() as u8;
        memory
    }

    /// Somebody looks at a half of the result.
    pub fn wants(&self, i: &Instruction, half: usize) -> bool {
        self.live.after(self.at) >> half_of(i.op0_register(), half) & 1 != 0
    }

    /// An operand's half: as it is in a register, or memory.
    pub fn source(&mut self, i: &Instruction, op: u32, half: usize, wide: bool) -> A {
        if i.op_kind(op) == OpKind::Register {
            return M(half_of(i.op_register(op), half));
        }
        if i.is_broadcast() {
            let code = if wide { VEX_Vpbroadcastq_ymm_xmmm64 } else { VEX_Vpbroadcastd_ymm_xmmm32 };
            let t = self.t();
            self.e(code, &[W(t), P(self.memory(i))]);
            return M(t);
        }
        P(moved(self.memory(i), 32 * half as i64))
    }

    /// The same in something that has a place.
    pub fn operand(&mut self, i: &Instruction, op: u32, half: usize, wide: bool) -> V {
        match self.source(i, op, half, wide) {
            P(memory) => {
                let t = self.t();
                self.e(VEX_Vmovdqu_ymm_ymmm256, &[W(t), P(memory)]);
                t
            }
            M(v) => v,
            _ => constant::ZERO,
        }
    }

    pub fn o3(&mut self, code: Code, a: V, b: V) -> V {
        let t = self.t();
        self.e(code, &[W(t), R(a), M(b)]);
        t
    }

    pub fn o2(&mut self, code: Code, a: V) -> V {
        let t = self.t();
        self.e(code, &[W(t), M(a)]);
        t
    }

    pub fn o2i(&mut self, code: Code, a: V, number: u8) -> V {
        let t = self.t();
        self.e(code, &[W(t), R(a), I(number)]);
        t
    }

    pub fn o3i(&mut self, code: Code, a: V, b: V, number: u8) -> V {
        let t = self.t();
        self.e(code, &[W(t), R(a), M(b), I(number)]);
        t
    }

    pub fn not(&mut self, a: V) -> V {
        self.o3(VEX_Vpxor_ymm_ymm_ymmm256, a, constant::ONES)
    }

    /// The upper 128 bits.
    pub fn upper(&mut self, a: V) -> V {
        let t = self.t();
        self.e(VEX_Vextracti128_xmmm128_ymm_imm8, &[Wx(t), R(a), I(1)]);
        t
    }

    /// Two halves of 128 bits.
    pub fn join(&mut self, low: V, high: V) -> V {
        let t = self.t();
        self.e(VEX_Vinserti128_ymm_ymm_xmmm128_imm8, &[W(t), R(low), Rx(high), I(1)]);
        t
    }

    /// Where the mask is set `yes`, else `no`.
    pub fn blend(&mut self, no: V, yes: V, mask: V) -> V {
        let t = self.t();
        self.e(VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &[W(t), R(no), M(yes), R(mask)]);
        t
    }

    /// A half of the result, in the lanes that the instruction writes.
    pub fn result(&mut self, i: &Instruction, half: usize, wide: bool, from: V) {
        let d = half_of(i.op0_register(), half);
        let from = match self.mask_of(i, wide, half) {
            None => from,
            Some(mask) if i.zeroing_masking() => self.o3(VEX_Vpand_ymm_ymm_ymmm256, mask, from),
            Some(mask) => self.blend(d, from, mask),
        };
        self.assign(d, from);
    }

    /// Both halves of the result.
    pub fn results(&mut self, i: &Instruction, wide: bool, from: [V; 2]) {
        for (half, from) in from.into_iter().enumerate() {
            if self.wants(i, half) {
                self.result(i, half, wide, from);
            }
        }
    }

    /// A result of 256 bits or less: the upper half becomes zero.
    pub fn result_low(&mut self, i: &Instruction, wide: bool, from: V) {
        self.result(i, 0, wide, from);
        if self.wants(i, 1) {
            self.assign(half_of(i.op0_register(), 1), constant::ZERO);
        }
    }

    /// Rounds in the direction that an instruction names.
    pub fn rounded<T>(&mut self, i: &Instruction, work: impl FnOnce(&mut Self) -> T) -> T {
        let up = match i.rounding_control() {
            RoundingControl::RoundDown => 1,
            RoundingControl::RoundUp => 2,
            RoundingControl::RoundTowardZero => 3,
            _ => return work(self),
        };
        // The word is to the nearest otherwise.
        let (old, new) = (slot(super::cache::FIRST_SLOT), moved(slot(super::cache::FIRST_SLOT), 8));
        let free = super::FREE + (Register::EAX as u32).wrapping_sub(Register::RAX as u32) as i32;
        let step = at(super::FREE, up << 13);
        self.e(VEX_Vstmxcsr_m32, &[P(old)]);
        self.e(Mov_r32_rm32, &[G(free), P(old)]);
        self.e(Lea_r32_m, &[G(free), P(step)]);
        self.e(Mov_rm32_r32, &[P(new), G(free)]);
        self.e(VEX_Vldmxcsr_m32, &[P(new)]);
        let result = work(self);
        self.e(VEX_Vldmxcsr_m32, &[P(old)]);
        result
    }

    fn by_row(&mut self, i: &Instruction, code: Code, wide: bool, shape: Shape) -> bool {
        let d = i.op0_register();
        if i.op_mask() != Register::None && has_small_lanes(i.code()) {
            return false;
        }
        let places = matches!(
            i.code(),
            EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae | EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae
        );
        if places && i.immediate8() >> 4 != 0 {
            return false;
        }
        let zero = matches!(code, VEX_Vpxor_ymm_ymm_ymmm256)
            && i.op_kind(2) == OpKind::Register
            && i.op1_register() == i.op2_register();
        self.rounded(i, |pass| {
            for half in 0..2 {
                if !pass.wants(i, half) {
                    continue;
                }
                let from = pass.mine.len();
                if zero {
                    pass.result(i, half, wide, constant::ZERO);
                    continue;
                }
                let t = match shape {
                    Shape::Two(changes) => {
                        let (mut a, mut b) = (half_of(i.op1_register(), half), pass.source(i, 2, half, wide));
                        if let M(other) = b
                            && changes
                            && !pass.is_cached(a)
                            && pass.is_cached(other)
                        {
                            (a, b) = (other, M(a));
                        }
                        let t = pass.t();
                        pass.e(code, &[W(t), R(a), b]);
                        t
                    }
                    Shape::One => {
                        let a = pass.source(i, 1, half, wide);
                        let t = pass.t();
                        pass.e(code, &[W(t), a]);
                        t
                    }
                    Shape::Number => {
                        let a = pass.operand(i, 1, half, wide);
                        pass.o2i(code, a, i.immediate8())
                    }
                    Shape::NumberOfAny => {
                        let a = pass.source(i, 1, half, wide);
                        let t = pass.t();
                        pass.e(code, &[W(t), a, I(i.immediate8())]);
                        t
                    }
                    Shape::Fused => {
                        let own = half_of(d, half);
                        let (a, b) = (half_of(i.op1_register(), half), pass.source(i, 2, half, wide));
                        if i.op_mask() == Register::None {
                            pass.e(code, &[U(own), R(a), b]);
                            continue;
                        }
                        let t = pass.t();
                        pass.e(VEX_Vmovdqa_ymm_ymmm256, &[W(t), M(own)]);
                        pass.e(code, &[U(t), R(a), b]);
                        t
                    }
                };
                pass.result(i, half, wide, t);
                pass.release(from);
            }
        });
        true
    }

    /// An instruction on vectors or masks. False if there is no rule.
    pub fn rule(&mut self, i: &Instruction) -> bool {
        match row(i.code()) {
            Some((code, wide, shape)) => self.by_row(i, code, wide, shape),
            None => self.mask_rule(i) || self.expand(i) || self.convert(i) || self.access(i),
        }
    }
}
