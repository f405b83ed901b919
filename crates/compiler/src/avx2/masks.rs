//! Masks: vectors whose lanes are all ones or zero. As bits they are seen only where a general register takes them.

use super::cache::{A::*, FIRST_MASK, constant};
use super::{Pass, V};
use iced_x86::{Code, Instruction, OpKind, Register};

/// What a mask register holds.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Sixteen lanes of 32 bits in its home.
    Home,
    /// The bits in all lanes of a vector: the lower 16 count.
    Spread(V),
    /// Lanes of 32 or (`wide`) 64 bits, as many vectors as `count`; behind them lanes are zero.
    Lanes { wide: bool, count: u8, parts: [V; 8] },
}

/// The home of a half of a mask.
pub fn half_of_mask(register: Register, half: usize) -> V {
    FIRST_MASK + 2 * number(register) as V + half as V
}

fn number(register: Register) -> usize {
    register as usize - Register::K0 as usize
}

impl Pass<'_> {
    /// Lanes of a form, sixteen of 32 bits at home.
    fn form(&self, register: Register) -> Form {
        match self.masks[number(register)] {
            Form::Home => {
                let mut parts = [constant::ZERO; 8];
                (parts[0], parts[1]) = (half_of_mask(register, 0), half_of_mask(register, 1));
                Form::Lanes { wide: false, count: 2, parts }
            }
            form => form,
        }
    }

    fn each(form: Form) -> impl Iterator<Item = V> {
        let (parts, count) = match form {
            Form::Home => ([0; 8], 0),
            Form::Spread(v) => ([v; 8], 1),
            Form::Lanes { count, parts, .. } => (parts, usize::from(count)),
        };
        parts.into_iter().take(count)
    }

    /// The home of this half of a mask is part of another mask, too.
    pub fn is_aliased(&self, v: V) -> bool {
        v >= FIRST_MASK && self.masks.iter().any(|&form| Self::each(form).any(|part| part == v))
    }

    pub fn drop_masks(&mut self) {
        for n in 0..8 {
            if matches!(self.masks[n], Form::Home) {
                continue;
            }
            let form = core::mem::replace(&mut self.masks[n], Form::Home);
            Self::each(form).for_each(|v| self.drop_user(v));
        }
    }

    /// A mask becomes something.
    pub fn set_mask(&mut self, register: Register, form: Form) {
        Self::each(form).for_each(|v| self.share(v));
        let homes = [half_of_mask(register, 0), half_of_mask(register, 1)];
        // Others that still are what this one was.
        for n in 0..8 {
            let Form::Lanes { wide, count, mut parts } = self.masks[n] else { continue };
            if n == number(register) || !parts.iter().any(|v| homes.contains(v)) {
                continue;
            }
            for part in &mut parts[..usize::from(count)] {
                if homes.contains(part) {
                    let copy = self.t();
                    self.e(Code::VEX_Vmovdqa_ymm_ymmm256, &[W(copy), M(*part)]);
                    self.share(copy);
                    *part = copy;
                }
            }
            self.masks[n] = Form::Lanes { wide, count, parts };
        }
        let old = core::mem::replace(&mut self.masks[number(register)], form);
        Self::each(old).for_each(|v| self.drop_user(v));
    }

    pub fn set_lanes(&mut self, register: Register, wide: bool, from: &[V]) {
        let mut parts = [constant::ZERO; 8];
        parts[..from.len()].copy_from_slice(from);
        // What is a part of itself would be written over when it goes home.
        let own = [half_of_mask(register, 0), half_of_mask(register, 1)];
        for part in &mut parts[..from.len()] {
            if own.contains(part) {
                let copy = self.t();
                self.e(Code::VEX_Vmovdqa_ymm_ymmm256, &[W(copy), M(*part)]);
                *part = copy;
            }
        }
        self.set_mask(register, Form::Lanes { wide, count: from.len() as u8, parts });
    }

    /// Masks in a set go home.
    pub fn masks_home(&mut self, live: u128) {
        for n in 0..8 {
            let register = Register::K0 + n as u32;
            let homes = [half_of_mask(register, 0), half_of_mask(register, 1)];
            if matches!(self.masks[n], Form::Home) || homes.iter().all(|v| live >> v & 1 == 0) {
                continue;
            }
            if let Form::Lanes { wide, count, .. } = self.masks[n]
                && count > if wide { 4 } else { 2 }
            {
                return self.fail("a mask of 32 lanes lives on");
            }
            let from = self.mine.len();
            let parts = [self.part(register, false, 0), self.part(register, false, 1)];
            for (home, part) in homes.into_iter().zip(parts) {
                self.e(Code::VEX_Vmovdqa_ymm_ymmm256, &[W(home), M(part)]);
            }
            let form = core::mem::replace(&mut self.masks[n], Form::Home);
            Self::each(form).for_each(|v| self.drop_user(v));
            self.release(from);
        }
    }

    /// Eight lanes of a mask as 32 bits each, or four as 64.
    pub fn part(&mut self, register: Register, wide: bool, n: usize) -> V {
        if let Form::Spread(bits) = self.masks[number(register)] {
            let lanes = [constant::BITS_LOW, constant::BITS_HIGH].map(|line| {
                let picked = self.o3(Code::VEX_Vpand_ymm_ymm_ymmm256, bits, line);
                self.o3(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, picked, line)
            });
            self.set_lanes(register, false, &lanes);
        }
        let Form::Lanes { wide: own, count, parts } = self.form(register) else { return constant::ZERO };
        let part = |n: usize| if n < usize::from(count) { parts[n] } else { constant::ZERO };
        match (own, wide) {
            (false, false) | (true, true) => part(n),
            (false, true) => {
                let from = part(n / 2);
                self.extend_half(Code::VEX_Vpmovsxdq_ymm_xmmm128, from, n % 2)
            }
            (true, false) => self.join_lanes(part(2 * n), part(2 * n + 1)),
        }
    }

    /// Lanes of 128 bits, lower or upper, made wider.
    pub fn extend_half(&mut self, code: Code, from: V, half: usize) -> V {
        let to = self.t();
        if half == 0 {
            self.e(code, &[W(to), Mx(from)]);
        } else if self.is_cached(from) || from >= super::cache::FIRST_CONSTANT {
            let upper = self.upper(from);
            self.e(code, &[W(to), Rx(upper)]);
        } else {
            self.e(code, &[W(to), P(super::cache::moved(super::cache::slot(from), 16))]);
        }
        to
    }

    /// The lower halves of eight lanes of 64 bits.
    pub fn join_lanes(&mut self, low: V, high: V) -> V {
        let t = self.t();
        self.e(Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8, &[W(t), R(low), M(high), I(0x88)]);
        self.o2i(Code::VEX_Vpermq_ymm_ymmm256_imm8, t, 0xd8)
    }

    fn is_wide(&self, register: Register) -> bool {
        matches!(self.masks[number(register)], Form::Lanes { wide: true, .. })
    }

    /// The lanes that an instruction writes, if not all.
    pub fn mask_of(&mut self, i: &Instruction, wide: bool, n: usize) -> Option<V> {
        (i.op_mask() != Register::None).then(|| self.part(i.op_mask(), wide, n))
    }

    /// The result of a comparison, which may have a mask.
    pub fn set_compared(&mut self, i: &Instruction, wide: bool, lanes: [V; 2]) {
        let lanes = [0, 1].map(|n| match self.mask_of(i, wide, n) {
            Some(mask) => self.o3(Code::VEX_Vpand_ymm_ymm_ymmm256, lanes[n], mask),
            None => lanes[n],
        });
        self.set_lanes(i.op0_register(), wide, &lanes);
    }

    /// The bits of sixteen lanes, into a general register.
    pub fn bits(&mut self, register: Register, to: Register) {
        let (low, high) = (self.part(register, false, 0), self.part(register, false, 1));
        let words = self.o3(Code::VEX_Vpackssdw_ymm_ymm_ymmm256, low, high);
        let words = self.o2i(Code::VEX_Vpermq_ymm_ymmm256_imm8, words, 0xd8);
        let upper = self.upper(words);
        let bytes = self.t();
        self.e(Code::VEX_Vpacksswb_xmm_xmm_xmmm128, &[Wx(bytes), Rx(words), Rx(upper)]);
        self.e(Code::VEX_Vpmovmskb_r32_xmm, &[G(to), Rx(bytes)]);
    }

    fn all_bits(&mut self, register: Register, to: Register) {
        let Form::Lanes { wide, count, .. } = self.masks[number(register)] else { return self.bits(register, to) };
        if count <= if wide { 4 } else { 2 } {
            return self.bits(register, to);
        }
        let parts = [0, 1, 2, 3].map(|n| self.part(register, false, n));
        let low = self.o3(Code::VEX_Vpackssdw_ymm_ymm_ymmm256, parts[0], parts[1]);
        let high = self.o3(Code::VEX_Vpackssdw_ymm_ymm_ymmm256, parts[2], parts[3]);
        let bytes = self.o3(Code::VEX_Vpacksswb_ymm_ymm_ymmm256, low, high);
        let bytes = self.o3(Code::VEX_Vpermd_ymm_ymm_ymmm256, constant::BYTES_IN_ORDER, bytes);
        self.e(Code::VEX_Vpmovmskb_r32_ymm, &[G(to), R(bytes)]);
    }

    /// Two masks of `lanes` lanes, one behind the other.
    fn unpack(&mut self, i: &Instruction, lanes: usize) {
        let (low, high) = (i.op2_register(), i.op1_register());
        let wide = self.is_wide(low) && self.is_wide(high);
        let each = lanes / if wide { 4 } else { 8 };
        let mut parts = Vec::new();
        for register in [low, high] {
            parts.extend((0..each).map(|n| self.part(register, wide, n)));
        }
        self.set_lanes(i.op0_register(), wide, &parts);
    }

    fn combine(&mut self, i: &Instruction, code: Code, lanes: usize) {
        let (a, b) = (i.op1_register(), i.op2_register());
        let wide = self.is_wide(a) && self.is_wide(b);
        let count = lanes / if wide { 4 } else { 8 };
        let parts: Vec<V> = (0..count)
            .map(|n| {
                let (a, b) = (self.part(a, wide, n), self.part(b, wide, n));
                self.o3(code, a, b)
            })
            .collect();
        self.set_lanes(i.op0_register(), wide, &parts);
    }

    /// An instruction on masks. False if there is no rule.
    pub fn mask_rule(&mut self, i: &Instruction) -> bool {
        use Code::*;
        let to = i.op0_register();
        match i.code() {
            VEX_Kmovw_kr_km16 if i.op_kind(1) == OpKind::Register => {
                let from = i.op1_register();
                if to != from {
                    let form = self.form(from);
                    if let Form::Lanes { wide, count, parts } = form {
                        // Sixteen lanes at most.
                        let count = usize::from(count).min(if wide { 4 } else { 2 });
                        self.set_lanes(to, wide, &parts[..count]);
                    } else {
                        self.set_mask(to, form);
                    }
                }
            }
            VEX_Kmovw_kr_km16 => {
                let bits = self.t();
                self.e(VEX_Vpbroadcastw_ymm_xmmm16, &[W(bits), P(self.memory(i))]);
                self.set_mask(to, Form::Spread(bits));
            }
            VEX_Kmovb_kr_km8 if i.op_kind(1) == OpKind::Memory => {
                let bits = self.t();
                self.e(VEX_Vpbroadcastb_ymm_xmmm8, &[W(bits), P(self.memory(i))]);
                let picked = self.o3(VEX_Vpand_ymm_ymm_ymmm256, bits, constant::BITS_LOW);
                let lanes = self.o3(VEX_Vpcmpeqd_ymm_ymm_ymmm256, picked, constant::BITS_LOW);
                self.set_lanes(to, false, &[lanes]);
            }
            VEX_Kmovw_kr_r32 => {
                let bits = self.t();
                self.e(VEX_Vmovd_xmm_rm32, &[Wx(bits), G(i.op1_register())]);
                self.e(VEX_Vpbroadcastd_ymm_xmmm32, &[W(bits), Rx(bits)]);
                self.set_mask(to, Form::Spread(bits));
            }
            VEX_Kmovd_r32_kr => self.all_bits(i.op1_register(), to),
            VEX_Kmovw_r32_kr => self.bits(i.op1_register(), to),
            VEX_Kandw_kr_kr_kr => self.combine(i, VEX_Vpand_ymm_ymm_ymmm256, 16),
            VEX_Kandnw_kr_kr_kr => self.combine(i, VEX_Vpandn_ymm_ymm_ymmm256, 16),
            VEX_Korw_kr_kr_kr => self.combine(i, VEX_Vpor_ymm_ymm_ymmm256, 16),
            VEX_Kxorw_kr_kr_kr => self.combine(i, VEX_Vpxor_ymm_ymm_ymmm256, 16),
            VEX_Kandb_kr_kr_kr => self.combine(i, VEX_Vpand_ymm_ymm_ymmm256, 8),
            VEX_Korb_kr_kr_kr => self.combine(i, VEX_Vpor_ymm_ymm_ymmm256, 8),
            VEX_Knotw_kr_kr => {
                let parts = [0, 1].map(|n| {
                    let part = self.part(i.op1_register(), false, n);
                    self.not(part)
                });
                self.set_lanes(to, false, &parts);
            }
            VEX_Kshiftrw_kr_kr_imm8 if i.immediate8() == 8 => {
                let from = i.op1_register();
                let wide = self.is_wide(from);
                let parts: Vec<V> = if wide {
                    [2, 3].map(|n| self.part(from, true, n)).to_vec()
                } else {
                    vec![self.part(from, false, 1)]
                };
                self.set_lanes(to, wide, &parts);
            }
            VEX_Kunpckbw_kr_kr_kr => self.unpack(i, 8),
            VEX_Kunpckwd_kr_kr_kr => self.unpack(i, 16),
            VEX_Kortestw_kr_kr | VEX_Kortestb_kr_kr => {
                // Looked at for zero alone.
                let lanes = if i.code() == VEX_Kortestw_kr_kr { 16 } else { 8 };
                let mut any = None;
                let mut all = vec![i.op0_register(), i.op1_register()];
                all.dedup();
                for register in all {
                    let wide = self.is_wide(register);
                    for n in 0..lanes / if wide { 4 } else { 8 } {
                        let part = self.part(register, wide, n);
                        any = Some(match any {
                            None => part,
                            Some(any) => self.o3(VEX_Vpor_ymm_ymm_ymmm256, any, part),
                        });
                    }
                }
                if let Some(any) = any {
                    self.e(VEX_Vptest_ymm_ymmm256, &[R(any), R(any)]);
                }
            }
            _ => return false,
        }
        true
    }
}
