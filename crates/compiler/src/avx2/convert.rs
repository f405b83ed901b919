//! Conversions. What AVX2 has for signed numbers of 32 bits alone is worked out for others, with one rounding, or number by
//! number.

use super::cache::{A, A::*, FIRST_SLOT, constant, moved, slot};
use super::rules::half_of;
use super::{FREE, Pass, V};
use crate::encode::Memory;
use iced_x86::{Code, Code::*, Instruction, OpKind};

const AND: Code = VEX_Vpand_ymm_ymm_ymmm256;
const OR: Code = VEX_Vpor_ymm_ymm_ymmm256;
const XOR: Code = VEX_Vpxor_ymm_ymm_ymmm256;
const ANDN: Code = VEX_Vpandn_ymm_ymm_ymmm256;

/// Room for two vectors whose lanes are looked at one by one.
fn room(n: usize) -> Memory {
    slot(FIRST_SLOT + 2 + n as V)
}

impl Pass<'_> {
    /// Lanes of 128 bits of an operand of 256: of a register's lower half, or of memory.
    fn quarter(&mut self, i: &Instruction, op: u32, n: usize, bytes: i64) -> A {
        if i.op_kind(op) == OpKind::Memory {
            return P(moved(self.memory(i), bytes * n as i64));
        }
        let from = half_of(i.op_register(op), 0);
        match n {
            0 => Mx(from),
            _ => Mx(self.upper(from)),
        }
    }

    /// Both halves of the result out of the lower half of the operand.
    fn widen(&mut self, i: &Instruction, wide: bool, bytes: i64, code: Code) -> bool {
        if i.is_broadcast() {
            return false;
        }
        let parts = [0, 1].map(|n| {
            let from = self.quarter(i, 1, n, bytes);
            let t = self.t();
            self.e(code, &[W(t), from]);
            t
        });
        self.results(i, wide, parts);
        true
    }

    /// The lower half of the result out of both halves of the operand, each as 128 bits.
    fn narrow(&mut self, i: &Instruction, wide: bool, mut work: impl FnMut(&mut Self, V) -> V) -> bool {
        let parts = [0, 1].map(|half| {
            let from = self.mine.len();
            let a = self.operand(i, 1, half, true);
            let part = work(self, a);
            self.release_others(from, &[part]);
            part
        });
        let whole = self.join(parts[0], parts[1]);
        self.result_low(i, wide, whole);
        true
    }

    fn whole(&mut self, i: &Instruction, wide: bool, mut work: impl FnMut(&mut Self, V) -> V) -> bool {
        for half in 0..2 {
            if self.wants(i, half) {
                let from = self.mine.len();
                let a = self.operand(i, 1, half, wide);
                let t = work(self, a);
                self.result(i, half, wide, t);
                self.release(from);
            }
        }
        true
    }

    fn o2x(&mut self, code: Code, a: V) -> V {
        let t = self.t();
        self.e(code, &[Wx(t), M(a)]);
        t
    }

    /// Zero where the number is: differences of magic numbers may give one with a sign.
    fn zero_where(&mut self, code: Code, number: V, result: V) -> V {
        let zero = self.o3(code, number, constant::ZERO);
        self.o3(ANDN, zero, result)
    }

    /// Numbers of 32 bits without sign to f32: both halves stand in numbers whose sum is rounded once.
    fn float_of_u32(&mut self, a: V) -> V {
        let high = self.o2i(VEX_Vpsrld_ymm_ymm_imm8, a, 16);
        let high = self.o3(OR, high, constant::F32_39);
        let low = self.o3(AND, a, constant::LOW16);
        let low = self.o3(OR, low, constant::F32_23);
        let high = self.o3(VEX_Vsubps_ymm_ymm_ymmm256, high, constant::F32_39_23);
        let sum = self.o3(VEX_Vaddps_ymm_ymm_ymmm256, high, low);
        self.zero_where(VEX_Vpcmpeqd_ymm_ymm_ymmm256, a, sum)
    }

    /// The same for 64 bits and f64.
    fn double_of_64(&mut self, a: V, signed: bool) -> V {
        let (magic, less) = if signed {
            (constant::F64_84_63, constant::F64_84_63_52)
        } else {
            (constant::F64_84, constant::F64_84_52)
        };
        let high = self.o2i(VEX_Vpsrlq_ymm_ymm_imm8, a, 32);
        let high = self.o3(XOR, high, magic);
        let low = self.o3(AND, a, constant::LOW32);
        let low = self.o3(OR, low, constant::F64_52);
        let high = self.o3(VEX_Vsubpd_ymm_ymm_ymmm256, high, less);
        let sum = self.o3(VEX_Vaddpd_ymm_ymm_ymmm256, high, low);
        self.zero_where(VEX_Vpcmpeqq_ymm_ymm_ymmm256, a, sum)
    }

    /// f64 to numbers of 64 bits with sign, one by one.
    fn signed64(&mut self, a: V) -> V {
        let (from, to) = (room(0), room(1));
        self.e(VEX_Vmovdqa_ymmm256_ymm, &[P(from), R(a)]);
        for lane in 0..4 {
            self.e(VEX_Vcvttsd2si_r64_xmmm64, &[G(FREE), P(moved(from, 8 * lane))]);
            self.e(Mov_rm64_r64, &[P(moved(to, 8 * lane)), G(FREE)]);
        }
        let t = self.t();
        self.e(VEX_Vmovdqa_ymm_ymmm256, &[W(t), P(to)]);
        t
    }

    /// All ones where a number cut off does not fit in `0..limit`.
    fn outside(&mut self, compare: Code, a: V, minus_1: V, limit: V) -> V {
        let above = self.o3i(compare, a, minus_1, 0x1e);
        let below = self.o3i(compare, a, limit, 0x11);
        let inside = self.o3(AND, above, below);
        self.not(inside)
    }

    fn unsigned64(&mut self, a: V) -> V {
        let upper = self.o3i(VEX_Vcmppd_ymm_ymm_ymmm256_imm8, a, constant::F64_63, 0x1d);
        let less = self.o3(AND, upper, constant::F64_63);
        let number = self.o3(VEX_Vsubpd_ymm_ymm_ymmm256, a, less);
        let number = self.signed64(number);
        let sign = self.o3(AND, upper, constant::SIGN64);
        let number = self.o3(XOR, number, sign);
        let wrong = self.outside(VEX_Vcmppd_ymm_ymm_ymmm256_imm8, a, constant::F64_MINUS_1, constant::F64_64);
        self.o3(OR, number, wrong)
    }

    fn unsigned32(&mut self, a: V) -> V {
        let upper = self.o3i(VEX_Vcmpps_ymm_ymm_ymmm256_imm8, a, constant::F32_31, 0x1d);
        let less = self.o3(AND, upper, constant::F32_31);
        let number = self.o3(VEX_Vsubps_ymm_ymm_ymmm256, a, less);
        let number = self.o2(VEX_Vcvttps2dq_ymm_ymmm256, number);
        let sign = self.o3(AND, upper, constant::SIGN32);
        let number = self.o3(XOR, number, sign);
        let wrong = self.outside(VEX_Vcmpps_ymm_ymm_ymmm256_imm8, a, constant::F32_MINUS_1, constant::F32_32);
        self.o3(OR, number, wrong)
    }

    /// Four lanes of all ones or zero, as 32 bits each.
    fn lanes_down(&mut self, a: V) -> V {
        self.join_lanes(a, constant::ZERO)
    }

    fn unsigned32_of_double(&mut self, a: V) -> V {
        let upper = self.o3i(VEX_Vcmppd_ymm_ymm_ymmm256_imm8, a, constant::F64_31, 0x1d);
        let less = self.o3(AND, upper, constant::F64_31);
        let number = self.o3(VEX_Vsubpd_ymm_ymm_ymmm256, a, less);
        let number = self.o2x(VEX_Vcvttpd2dq_xmm_ymmm256, number);
        let upper = self.lanes_down(upper);
        let sign = self.o3(AND, upper, constant::SIGN32);
        let number = self.o3(XOR, number, sign);
        let wrong = self.outside(VEX_Vcmppd_ymm_ymm_ymmm256_imm8, a, constant::F64_MINUS_1, constant::F64_32);
        let wrong = self.lanes_down(wrong);
        self.o3(OR, number, wrong)
    }

    /// Numbers of 64 bits to f32, one by one: half of those that are too large for a sign, with a bit for what is cut off.
    fn float_of_64(&mut self, a: V, signed: bool) -> V {
        let (from, to) = (room(0), room(1));
        let mut large = None;
        let mut number = a;
        if !signed {
            let sign = self.o3(VEX_Vpcmpgtq_ymm_ymm_ymmm256, constant::ZERO, a);
            let half = self.o2i(VEX_Vpsrlq_ymm_ymm_imm8, a, 1);
            let up = self.o2i(VEX_Vpsllq_ymm_ymm_imm8, a, 63);
            let last = self.o2i(VEX_Vpsrlq_ymm_ymm_imm8, up, 63);
            let half = self.o3(OR, half, last);
            number = self.blend(a, half, sign);
            large = Some(self.lanes_down(sign));
        }
        self.e(VEX_Vmovdqa_ymmm256_ymm, &[P(from), R(number)]);
        let (t, zero) = (self.t(), constant::ZERO);
        for lane in 0..4 {
            self.e(VEX_Vcvtsi2ss_xmm_xmm_rm64, &[Wx(t), Rx(zero), P(moved(from, 8 * lane))]);
            self.e(VEX_Vmovd_rm32_xmm, &[P(moved(to, 4 * lane)), Rx(t)]);
        }
        let t = self.t();
        self.e(VEX_Vmovdqa_xmm_xmmm128, &[Wx(t), P(to)]);
        let Some(large) = large else { return t };
        let twice = self.o3(VEX_Vaddps_ymm_ymm_ymmm256, t, t);
        self.blend(t, twice, large)
    }

    /// Lanes cut off to half their bits, into the lower half.
    fn cut(&mut self, i: &Instruction) -> bool {
        let both = [0, 1].map(|half| half_of(i.op1_register(), half));
        let t = self.join_lanes(both[0], both[1]);
        self.result_low(i, false, t);
        true
    }

    /// Sixteen lanes of 32 bits cut off to words.
    pub fn words(&mut self, from: [V; 2]) -> V {
        let low = self.o3(AND, from[0], constant::LOW16);
        let high = self.o3(AND, from[1], constant::LOW16);
        let packed = self.o3(VEX_Vpackusdw_ymm_ymm_ymmm256, low, high);
        self.o2i(VEX_Vpermq_ymm_ymmm256_imm8, packed, 0xd8)
    }

    pub fn convert(&mut self, i: &Instruction) -> bool {
        if i.op_kind(0) != OpKind::Register {
            return false;
        }
        match i.code() {
            EVEX_Vpmovzxdq_zmm_k1z_ymmm256 => self.widen(i, true, 16, VEX_Vpmovzxdq_ymm_xmmm128),
            EVEX_Vpmovsxdq_zmm_k1z_ymmm256 => self.widen(i, true, 16, VEX_Vpmovsxdq_ymm_xmmm128),
            EVEX_Vpmovzxwd_zmm_k1z_ymmm256 if i.op_kind(1) == OpKind::Register => {
                self.widen(i, false, 16, VEX_Vpmovzxwd_ymm_xmmm128)
            }
            EVEX_Vpmovsxwd_zmm_k1z_ymmm256 if i.op_kind(1) == OpKind::Register => {
                self.widen(i, false, 16, VEX_Vpmovsxwd_ymm_xmmm128)
            }
            EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae => self.widen(i, false, 16, VEX_Vcvtph2ps_ymm_xmmm128),
            EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae => self.widen(i, true, 16, VEX_Vcvtps2pd_ymm_xmmm128),
            EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er => self.widen(i, true, 16, VEX_Vcvtdq2pd_ymm_xmmm128),
            EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er if !i.is_broadcast() => {
                let parts = [0, 1].map(|n| {
                    let (from, t) = (self.quarter(i, 1, n, 16), self.t());
                    self.e(VEX_Vpmovzxdq_ymm_xmmm128, &[W(t), from]);
                    let t = self.o3(OR, t, constant::F64_52);
                    self.o3(VEX_Vsubpd_ymm_ymm_ymmm256, t, constant::F64_52)
                });
                self.results(i, true, parts);
                true
            }
            EVEX_Vcvttps2qq_zmm_k1z_ymmm256b32_sae | EVEX_Vcvttps2uqq_zmm_k1z_ymmm256b32_sae if !i.is_broadcast() => {
                let signed = i.code() == EVEX_Vcvttps2qq_zmm_k1z_ymmm256b32_sae;
                let parts = [0, 1].map(|n| {
                    let (from, t) = (self.quarter(i, 1, n, 16), self.t());
                    self.e(VEX_Vcvtps2pd_ymm_xmmm128, &[W(t), from]);
                    if signed { self.signed64(t) } else { self.unsigned64(t) }
                });
                self.results(i, true, parts);
                true
            }
            EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae => self.whole(i, true, Self::signed64),
            EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae => self.whole(i, true, Self::unsigned64),
            EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae => self.whole(i, false, Self::unsigned32),
            EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er => self.rounded(i, |pass| pass.whole(i, false, Self::float_of_u32)),
            EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er => {
                self.rounded(i, |pass| pass.whole(i, true, |pass, a| pass.double_of_64(a, true)))
            }
            EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er => {
                self.rounded(i, |pass| pass.whole(i, true, |pass, a| pass.double_of_64(a, false)))
            }
            EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er => {
                self.rounded(i, |pass| pass.narrow(i, false, |pass, a| pass.float_of_64(a, true)))
            }
            EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er => {
                self.rounded(i, |pass| pass.narrow(i, false, |pass, a| pass.float_of_64(a, false)))
            }
            EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er => {
                self.rounded(i, |pass| pass.narrow(i, false, |pass, a| pass.o2x(VEX_Vcvtpd2ps_xmm_ymmm256, a)))
            }
            EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae => {
                self.narrow(i, false, |pass, a| pass.o2x(VEX_Vcvttpd2dq_xmm_ymmm256, a))
            }
            EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae => self.narrow(i, false, Self::unsigned32_of_double),
            EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae => {
                self.narrow(i, false, |pass, a| {
                    let t = pass.t();
                    pass.e(VEX_Vcvtps2ph_xmmm128_ymm_imm8, &[Wx(t), R(a), I(i.immediate8())]);
                    t
                }) && i.op_mask() == iced_x86::Register::None
            }
            EVEX_Vpmovqd_ymmm256_k1z_zmm => self.cut(i),
            EVEX_Vpmovdw_ymmm256_k1z_zmm if i.op_mask() == iced_x86::Register::None => {
                let from = [0, 1].map(|half| half_of(i.op1_register(), half));
                let t = self.words(from);
                self.result_low(i, false, t);
                true
            }
            _ => false,
        }
    }
}
