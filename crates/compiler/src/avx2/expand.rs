//! Instructions that are several with half the width: moves between halves, comparisons, integers, logic.

use super::cache::{A::*, constant};
use super::rules::half_of;
use super::{Pass, V};
use iced_x86::{Code, Code::*, Instruction, OpKind, Register};

const AND: Code = VEX_Vpand_ymm_ymm_ymmm256;
const OR: Code = VEX_Vpor_ymm_ymm_ymmm256;
const XOR: Code = VEX_Vpxor_ymm_ymm_ymmm256;
const ANDN: Code = VEX_Vpandn_ymm_ymm_ymmm256;

impl Pass<'_> {
    /// Runs for each half of the result that somebody looks at.
    fn halves(&mut self, i: &Instruction, wide: bool, mut work: impl FnMut(&mut Self, usize) -> V) -> bool {
        for half in 0..2 {
            if self.wants(i, half) {
                let from = self.mine.len();
                let t = work(self, half);
                self.result(i, half, wide, t);
                self.release(from);
            }
        }
        true
    }

    /// The same for the operands of a result of two.
    fn pairs(&mut self, i: &Instruction, wide: bool, mut work: impl FnMut(&mut Self, V, V) -> V) -> bool {
        self.halves(i, wide, |pass, half| {
            let a = pass.operand(i, 1, half, wide);
            let b = pass.operand(i, 2, half, wide);
            work(pass, a, b)
        })
    }

    fn ones(&mut self, i: &Instruction, wide: bool, mut work: impl FnMut(&mut Self, V) -> V) -> bool {
        self.halves(i, wide, |pass, half| {
            let a = pass.operand(i, 1, half, wide);
            work(pass, a)
        })
    }

    /// A comparison of both halves.
    fn compare(&mut self, i: &Instruction, wide: bool, mut work: impl FnMut(&mut Self, V, V) -> V) -> bool {
        let lanes = [0, 1].map(|half| {
            let from = self.mine.len();
            let a = self.operand(i, 1, half, wide);
            let b = self.operand(i, 2, half, wide);
            let lanes = work(self, a, b);
            self.release_others(from, &[lanes]);
            lanes
        });
        self.set_compared(i, wide, lanes);
        true
    }

    fn compare_integers(&mut self, i: &Instruction, wide: bool, signed: bool) -> bool {
        let (equal, greater) = if wide {
            (VEX_Vpcmpeqq_ymm_ymm_ymmm256, VEX_Vpcmpgtq_ymm_ymm_ymmm256)
        } else {
            (VEX_Vpcmpeqd_ymm_ymm_ymmm256, VEX_Vpcmpgtd_ymm_ymm_ymmm256)
        };
        let how = i.immediate8() & 7;
        self.compare(i, wide, |pass, a, b| {
            let same = |pass: &mut Self| pass.o3(equal, a, b);
            let least = |pass: &mut Self, code: Code| {
                let least = pass.o3(code, a, b);
                pass.o3(equal, least, a)
            };
            let (yes, invert) = match how {
                0 => (same(pass), false),
                4 => (same(pass), true),
                3 => (constant::ZERO, false),
                7 => (constant::ONES, false),
                // At most, at least.
                2 | 6 if !signed && !wide => (least(pass, VEX_Vpminud_ymm_ymm_ymmm256), how == 6),
                1 | 5 if !signed && !wide => (least(pass, VEX_Vpmaxud_ymm_ymm_ymmm256), how == 1),
                _ => {
                    let (a, b) = if signed { (a, b) } else { (pass.other_sign(a), pass.other_sign(b)) };
                    let (a, b) = if matches!(how, 1 | 5) { (b, a) } else { (a, b) };
                    (pass.o3(greater, a, b), matches!(how, 2 | 5))
                }
            };
            if invert { pass.not(yes) } else { yes }
        })
    }

    /// Lanes of 64 bits whose order without a sign is that of the numbers with one.
    fn other_sign(&mut self, a: V) -> V {
        self.o3(XOR, a, constant::SIGN64)
    }

    /// All ones where lanes of 64 bits are negative.
    fn negative(&mut self, a: V) -> V {
        self.o3(VEX_Vpcmpgtq_ymm_ymm_ymmm256, constant::ZERO, a)
    }

    fn test(&mut self, i: &Instruction, wide: bool, zero: bool) -> bool {
        let equal = if wide { VEX_Vpcmpeqq_ymm_ymm_ymmm256 } else { VEX_Vpcmpeqd_ymm_ymm_ymmm256 };
        self.compare(i, wide, |pass, a, b| {
            let both = if a == b { a } else { pass.o3(AND, a, b) };
            let none = pass.o3(equal, both, constant::ZERO);
            if zero { none } else { pass.not(none) }
        })
    }

    /// A function of two bits, by its table: bit `2b + c`.
    fn two_bits(&mut self, table: u8, b: V, c: V) -> V {
        match table {
            0b0000 => constant::ZERO,
            0b1111 => constant::ONES,
            0b1010 => c,
            0b1100 => b,
            0b0101 => self.not(c),
            0b0011 => self.not(b),
            0b1000 => self.o3(AND, b, c),
            0b1110 => self.o3(OR, b, c),
            0b0110 => self.o3(XOR, b, c),
            0b0010 => self.o3(ANDN, b, c),
            0b0100 => self.o3(ANDN, c, b),
            _ => {
                let t = self.two_bits(!table & 15, b, c);
                self.not(t)
            }
        }
    }

    fn ternary(&mut self, i: &Instruction) -> bool {
        let table = i.immediate8();
        let (clear, set) = (table & 15, table >> 4);
        self.halves(i, false, |pass, half| {
            let a = half_of(i.op0_register(), half);
            let (b, c) = (half_of(i.op1_register(), half), pass.operand(i, 2, half, false));
            // What it is where the first bit is clear, and what changes where it is set.
            match (clear, clear ^ set) {
                (_, 0) => pass.two_bits(clear, b, c),
                (_, 0b1111) => {
                    let clear = pass.two_bits(clear, b, c);
                    if clear == constant::ZERO { a } else { pass.o3(XOR, a, clear) }
                }
                (_, changes) => {
                    let changes = pass.two_bits(changes, b, c);
                    let changes = pass.o3(AND, a, changes);
                    if clear == 0 {
                        return changes;
                    }
                    let clear = pass.two_bits(clear, b, c);
                    pass.o3(XOR, clear, changes)
                }
            }
        })
    }

    /// Products of 64 bits.
    fn product64(&mut self, a: V, b: V) -> V {
        let crossed = self.o2i(VEX_Vpshufd_ymm_ymmm256_imm8, b, 0xb1);
        let crossed = self.o3(VEX_Vpmulld_ymm_ymm_ymmm256, a, crossed);
        let more = self.o2i(VEX_Vpsrlq_ymm_ymm_imm8, crossed, 32);
        let sum = self.o3(VEX_Vpaddd_ymm_ymm_ymmm256, more, crossed);
        let high = self.o2i(VEX_Vpsllq_ymm_ymm_imm8, sum, 32);
        let low = self.o3(VEX_Vpmuludq_ymm_ymm_ymmm256, a, b);
        self.o3(VEX_Vpaddq_ymm_ymm_ymmm256, low, high)
    }

    fn extreme64(&mut self, i: &Instruction, signed: bool, smaller: bool) -> bool {
        self.pairs(i, true, |pass, a, b| {
            let (x, y) = if signed { (a, b) } else { (pass.other_sign(a), pass.other_sign(b)) };
            let greater = pass.o3(VEX_Vpcmpgtq_ymm_ymm_ymmm256, x, y);
            if smaller { pass.blend(a, b, greater) } else { pass.blend(b, a, greater) }
        })
    }

    /// Ones of each byte.
    fn byte_counts(&mut self, a: V) -> V {
        let low = self.o3(AND, a, constant::NIBBLES);
        let high = self.o2i(VEX_Vpsrld_ymm_ymm_imm8, a, 4);
        let high = self.o3(AND, high, constant::NIBBLES);
        let low = self.o3(VEX_Vpshufb_ymm_ymm_ymmm256, constant::COUNTS, low);
        let high = self.o3(VEX_Vpshufb_ymm_ymm_ymmm256, constant::COUNTS, high);
        self.o3(VEX_Vpaddb_ymm_ymm_ymmm256, low, high)
    }

    /// Leading zeros of 32 bits: the exponent says where the first one is. Only the two upper ones stay, so that nothing is
    /// rounded up.
    fn leading(&mut self, a: V) -> V {
        let next = self.o2i(VEX_Vpsrld_ymm_ymm_imm8, a, 1);
        let upper = self.o3(ANDN, next, a);
        let float = self.o2(VEX_Vcvtdq2ps_ymm_ymmm256, upper);
        let exponent = self.o2i(VEX_Vpsrld_ymm_ymm_imm8, float, 23);
        // The sign lies above the exponent: nothing is left of the difference.
        let zeros = self.o3(VEX_Vpsubusw_ymm_ymm_ymmm256, constant::N158, exponent);
        self.o3(VEX_Vpminud_ymm_ymm_ymmm256, zeros, constant::N32)
    }

    /// The smaller or the larger of two numbers, zeros by their signs, as `vrange` has it.
    fn range(&mut self, i: &Instruction, wide: bool) -> bool {
        let smaller = match i.immediate8() {
            4 => true,
            5 => false,
            _ => return false,
        };
        let (compare, quiet) = if wide {
            (VEX_Vcmppd_ymm_ymm_ymmm256_imm8, constant::QUIET64)
        } else {
            (VEX_Vcmpps_ymm_ymm_ymmm256_imm8, constant::QUIET32)
        };
        self.pairs(i, wide, |pass, a, b| {
            let first = pass.o3i(compare, a, b, if smaller { 0x11 } else { 0x1e });
            let chosen = pass.blend(b, a, first);
            let same = pass.o3i(compare, a, b, 0);
            let zeros = pass.o3(if smaller { OR } else { AND }, a, b);
            let chosen = pass.blend(chosen, zeros, same);
            // Of a NaN and a number the number; a signalling NaN comes first of all, made quiet.
            let none_a = pass.o3i(compare, a, a, 3);
            let none_b = pass.o3i(compare, b, b, 3);
            let chosen = pass.blend(chosen, b, none_a);
            let chosen = pass.blend(chosen, a, none_b);
            let silent = |pass: &mut Self, x: V, none: V| {
                let bit = pass.o3(AND, x, quiet);
                let code = if wide { VEX_Vpcmpeqq_ymm_ymm_ymmm256 } else { VEX_Vpcmpeqd_ymm_ymm_ymmm256 };
                let loud = pass.o3(code, bit, constant::ZERO);
                pass.o3(AND, loud, none)
            };
            let (loud_a, loud_b) = (silent(pass, a, none_a), silent(pass, b, none_b));
            let quiet_a = pass.o3(OR, a, quiet);
            let quiet_b = pass.o3(OR, b, quiet);
            let chosen = pass.blend(chosen, quiet_b, loud_b);
            pass.blend(chosen, quiet_a, loud_a)
        })
    }

    /// Lanes out of two registers by indices of five bits.
    fn permute_two(&mut self, i: &Instruction) -> bool {
        let tables = [0, 1].map(|half| half_of(i.op1_register(), half));
        let more = [0, 1].map(|half| self.operand(i, 2, half, false));
        let picked = [0, 1].map(|half| {
            if !self.wants(i, half) {
                return constant::ZERO;
            }
            let from = self.mine.len();
            let index = half_of(i.op0_register(), half);
            let [low, high] = [tables, more].map(|[low, high]| {
                let low = self.o3(VEX_Vpermd_ymm_ymm_ymmm256, index, low);
                let high = self.o3(VEX_Vpermd_ymm_ymm_ymmm256, index, high);
                let upper = self.o2i(VEX_Vpslld_ymm_ymm_imm8, index, 28);
                self.blend(low, high, upper)
            });
            let other = self.o2i(VEX_Vpslld_ymm_ymm_imm8, index, 27);
            let picked = self.blend(low, high, other);
            self.release_others(from, &[picked]);
            picked
        });
        self.results(i, false, picked);
        true
    }

    /// Lanes out of one register.
    fn permute(&mut self, i: &Instruction) -> bool {
        let table = [0, 1].map(|half| self.operand(i, 2, half, false));
        let picked = [0, 1].map(|half| {
            let index = half_of(i.op1_register(), half);
            let low = self.o3(VEX_Vpermd_ymm_ymm_ymmm256, index, table[0]);
            let high = self.o3(VEX_Vpermd_ymm_ymm_ymmm256, index, table[1]);
            let upper = self.o2i(VEX_Vpslld_ymm_ymm_imm8, index, 28);
            self.blend(low, high, upper)
        });
        self.results(i, false, picked);
        true
    }

    /// One number for all lanes.
    fn spread(&mut self, i: &Instruction, wide: bool) -> bool {
        let t = self.t();
        let code = if wide { VEX_Vpbroadcastq_ymm_xmmm64 } else { VEX_Vpbroadcastd_ymm_xmmm32 };
        if i.op_kind(1) == OpKind::Memory {
            self.e(code, &[W(t), P(self.memory(i))]);
        } else {
            let from = i.op1_register();
            if from.is_vector_register() {
                self.e(code, &[W(t), Mx(half_of(from, 0))]);
            } else {
                let load = if wide { VEX_Vmovq_xmm_rm64 } else { VEX_Vmovd_xmm_rm32 };
                self.e(load, &[Wx(t), G(from)]);
                self.e(code, &[W(t), Rx(t)]);
            }
        }
        if self.wants(i, 1) {
            let other = if self.wants(i, 0) { self.copy(t) } else { t };
            self.result(i, 1, wide, other);
        }
        if self.wants(i, 0) {
            self.result(i, 0, wide, t);
        }
        true
    }

    fn copy(&mut self, a: V) -> V {
        let t = self.t();
        self.e(VEX_Vmovdqa_ymm_ymmm256, &[W(t), R(a)]);
        t
    }

    pub fn expand(&mut self, i: &Instruction) -> bool {
        match i.code() {
            EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8 => self.compare_integers(i, false, true),
            EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8 => self.compare_integers(i, false, false),
            EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8 => self.compare_integers(i, true, true),
            EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8 => self.compare_integers(i, true, false),
            EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae => {
                self.compare(i, false, |pass, a, b| pass.o3i(VEX_Vcmpps_ymm_ymm_ymmm256_imm8, a, b, i.immediate8()))
            }
            EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae => {
                self.compare(i, true, |pass, a, b| pass.o3i(VEX_Vcmppd_ymm_ymm_ymmm256_imm8, a, b, i.immediate8()))
            }
            EVEX_Vptestmd_kr_k1_zmm_zmmm512b32 => self.test(i, false, false),
            EVEX_Vptestmq_kr_k1_zmm_zmmm512b64 => self.test(i, true, false),
            EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32 => self.test(i, false, true),
            EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64 => self.test(i, true, true),
            EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8 => self.ternary(i),
            EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32 => self.choose(i, false),
            EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64 => self.choose(i, true),
            EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64 => self.pairs(i, true, Self::product64),
            EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64 => self.extreme64(i, true, true),
            EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64 => self.extreme64(i, false, true),
            EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64 => self.extreme64(i, true, false),
            EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64 => self.extreme64(i, false, false),
            EVEX_Vpabsq_zmm_k1z_zmmm512b64 => self.ones(i, true, |pass, a| {
                let sign = pass.negative(a);
                let turned = pass.o3(XOR, a, sign);
                pass.o3(VEX_Vpsubq_ymm_ymm_ymmm256, turned, sign)
            }),
            EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8 => self.ones(i, true, |pass, a| {
                let sign = pass.negative(a);
                let turned = pass.o3(XOR, a, sign);
                let shifted = pass.o2i(VEX_Vpsrlq_ymm_ymm_imm8, turned, i.immediate8());
                pass.o3(XOR, shifted, sign)
            }),
            EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64 => self.pairs(i, true, |pass, a, by| {
                let sign = pass.negative(a);
                let turned = pass.o3(XOR, a, sign);
                let shifted = pass.o3(VEX_Vpsrlvq_ymm_ymm_ymmm256, turned, by);
                pass.o3(XOR, shifted, sign)
            }),
            EVEX_Vprold_zmm_k1z_zmmm512b32_imm8 | EVEX_Vprord_zmm_k1z_zmmm512b32_imm8 => {
                let left = i.code() == EVEX_Vprold_zmm_k1z_zmmm512b32_imm8;
                let by = i.immediate8() & 31;
                let by = if left { by } else { (32 - by) & 31 };
                self.ones(i, false, |pass, a| {
                    let up = pass.o2i(VEX_Vpslld_ymm_ymm_imm8, a, by);
                    let down = pass.o2i(VEX_Vpsrld_ymm_ymm_imm8, a, 32 - by);
                    pass.o3(OR, up, down)
                })
            }
            EVEX_Vpopcntd_zmm_k1z_zmmm512b32 => self.ones(i, false, |pass, a| {
                let counts = pass.byte_counts(a);
                let words = pass.o3(VEX_Vpmaddubsw_ymm_ymm_ymmm256, counts, constant::BYTES);
                pass.o3(VEX_Vpmaddwd_ymm_ymm_ymmm256, words, constant::WORDS)
            }),
            EVEX_Vpopcntq_zmm_k1z_zmmm512b64 => self.ones(i, true, |pass, a| {
                let counts = pass.byte_counts(a);
                pass.o3(VEX_Vpsadbw_ymm_ymm_ymmm256, counts, constant::ZERO)
            }),
            EVEX_Vplzcntd_zmm_k1z_zmmm512b32 => self.ones(i, false, Self::leading),
            EVEX_Vplzcntq_zmm_k1z_zmmm512b64 => self.ones(i, true, |pass, a| {
                let zeros = pass.leading(a);
                let high = pass.o2i(VEX_Vpsrlq_ymm_ymm_imm8, zeros, 32);
                let low = pass.o3(AND, zeros, constant::LOW32);
                let all = pass.o3(VEX_Vpcmpeqq_ymm_ymm_ymmm256, high, constant::N32_64);
                let low = pass.o3(AND, low, all);
                pass.o3(VEX_Vpaddq_ymm_ymm_ymmm256, high, low)
            }),
            EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae => self.range(i, false),
            EVEX_Vrangepd_zmm_k1z_zmm_zmmm512b64_imm8_sae => self.range(i, true),
            EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32 => self.permute_two(i),
            EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32 => self.permute(i),
            EVEX_Vpbroadcastd_zmm_k1z_r32 | EVEX_Vpbroadcastd_zmm_k1z_xmmm32 => self.spread(i, false),
            EVEX_Vpbroadcastq_zmm_k1z_r64 | EVEX_Vpbroadcastq_zmm_k1z_xmmm64 => self.spread(i, true),
            EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8 if i.op_kind(0) == OpKind::Register => {
                let from = half_of(i.op1_register(), usize::from(i.immediate8() & 1));
                self.result_low(i, true, from);
                true
            }
            EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8 if i.op_kind(0) == OpKind::Register => {
                let which = usize::from(i.immediate8() & 3);
                let from = half_of(i.op1_register(), which / 2);
                let t = if which % 2 == 1 {
                    self.upper(from)
                } else {
                    let t = self.t();
                    self.e(VEX_Vmovdqa_xmm_xmmm128, &[Wx(t), Mx(from)]);
                    t
                };
                self.result_low(i, false, t);
                true
            }
            EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8 if i.op_kind(2) == OpKind::Register => {
                let mut parts = [0, 1].map(|half| half_of(i.op1_register(), half));
                let more = half_of(i.op2_register(), 0);
                let which = usize::from(i.immediate8() & 1);
                parts[which] = more;
                // The half that is kept is written last if it is where the other one comes from.
                let d = i.op0_register();
                let crossed = half_of(d, 1 - which) == more && parts[1 - which] != more;
                for half in if crossed { [which, 1 - which] } else { [1 - which, which] } {
                    if self.wants(i, half) {
                        self.result(i, half, true, parts[half]);
                    }
                }
                true
            }
            EVEX_Vmovd_rm32_xmm | EVEX_Vmovq_rm64_xmm => {
                let code = if i.code() == EVEX_Vmovd_rm32_xmm { VEX_Vmovd_rm32_xmm } else { VEX_Vmovq_rm64_xmm };
                let to = match i.op_kind(0) {
                    OpKind::Register => G(i.op0_register()),
                    _ => P(self.memory(i)),
                };
                self.e(code, &[to, Rx(half_of(i.op1_register(), 0))]);
                true
            }
            _ => false,
        }
    }

    /// One of two operands, by the mask.
    fn choose(&mut self, i: &Instruction, wide: bool) -> bool {
        if i.op_mask() == Register::None || i.zeroing_masking() {
            return false;
        }
        for half in 0..2 {
            if !self.wants(i, half) {
                continue;
            }
            let from = self.mine.len();
            let mask = self.part(i.op_mask(), wide, half);
            let (no, yes) = (half_of(i.op1_register(), half), self.source(i, 2, half, wide));
            let t = self.t();
            self.e(VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &[W(t), R(no), yes, R(mask)]);
            self.assign(half_of(i.op0_register(), half), t);
            self.release(from);
        }
        true
    }
}
