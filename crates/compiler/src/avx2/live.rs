//! Which halves of registers and masks somebody looks at later.

use super::Input;
use super::masks::half_of_mask;
use iced_x86::{Code, Instruction, OpKind, Register};
use std::collections::HashMap;

/// What is live: a bit for each half of a register and of a mask.
pub struct Live {
    before: Vec<u128>,
    labels: HashMap<u64, Label>,
}

#[derive(Clone, Copy, Default)]
struct Label {
    live: u128,
    at: usize,
    /// It is jumped to from code that is often run, or by a condition, or a call.
    hot: bool,
}

/// The halves of registers that live on where code goes on by an address, and the masks of active lanes.
const ROUND: u128 = ((!0 << 12) & ((1 << 64) - 1)) | (0b1111 << 66);

/// Both halves, or the one, of a vector register. None for others.
pub fn halves(register: Register) -> u128 {
    let n = register as u32;
    if register.is_zmm() {
        0b11 << (2 * (n - Register::ZMM0 as u32))
    } else if register.is_ymm() {
        1 << (2 * (n - Register::YMM0 as u32))
    } else if register.is_xmm() {
        1 << (2 * (n - Register::XMM0 as u32))
    } else if register.is_k() {
        0b11 << half_of_mask(register, 0)
    } else {
        0
    }
}

/// The halves, with those that writing it clears.
fn written(register: Register) -> u128 {
    let lower = halves(register);
    if register.is_ymm() || register.is_xmm() { lower | lower << 1 } else { lower }
}

/// Where control goes behind an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Next,
    Jump,
    JumpIf,
    /// To an address.
    Away,
    Call,
    CallAway,
    Return,
    Nowhere,
}

pub fn way(i: &Instruction) -> Way {
    match i.code() {
        Code::Jmp_rel32_64 => Way::Jump,
        Code::Jmp_rm64 => Way::Away,
        Code::Call_rel32_64 => Way::Call,
        Code::Call_rm64 => Way::CallAway,
        Code::Retnq | Code::Retnq_imm16 => Way::Return,
        Code::Ud2 => Way::Nowhere,
        _ if i.op_count() > 0 && i.op_kind(0) == OpKind::NearBranch64 => Way::JumpIf,
        _ => Way::Next,
    }
}

pub fn has_vectors(i: &Instruction) -> bool {
    let vector = |op| i.op_kind(op) == OpKind::Register && halves(i.op_register(op)) != 0;
    (0..i.op_count()).any(vector) || i.memory_index().is_vector_register()
}

/// True when control does not go on behind an instruction.
pub fn ends(i: &Instruction) -> bool {
    matches!(way(i), Way::Jump | Way::Away | Way::Return | Way::Nowhere)
}

/// The result is an operand, too.
fn reads_result(code: Code) -> bool {
    use Code::*;
    matches!(
        code,
        EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er
            | EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er
            | EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er
            | EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er
            | EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32
    )
}

pub fn is_gather(code: Code) -> bool {
    use Code::*;
    matches!(
        code,
        EVEX_Vpgatherdd_zmm_k1_vm32z
            | EVEX_Vpgatherqq_zmm_k1_vm64z
            | EVEX_Vpgatherqd_ymm_k1_vm64z
            | EVEX_Vpgatherdq_zmm_k1_vm32y
    )
}

/// What an instruction reads, and what it leaves nothing of.
fn effects(i: &Instruction) -> (u128, u128) {
    let (mut reads, mut writes) = (0, 0);
    for op in 0..i.op_count() {
        if i.op_kind(op) != OpKind::Register {
            continue;
        }
        let register = i.op_register(op);
        if op == 0 && !is_only_read(i.code()) {
            writes |= written(register);
            let ternary = i.code() == Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
            let merges = i.op_mask() != Register::None && !i.zeroing_masking() && !register.is_k();
            if reads_result(i.code()) || merges || ternary && super::rules::looks_at_first(i.immediate8()) {
                reads |= halves(register);
            }
        } else {
            reads |= halves(register);
        }
    }
    reads |= halves(i.memory_index()) | halves(i.op_mask());
    if is_gather(i.code()) {
        writes |= halves(i.op_mask());
    }
    (reads, writes)
}

fn is_only_read(code: Code) -> bool {
    matches!(code, Code::VEX_Kortestw_kr_kr | Code::VEX_Kortestb_kr_kr)
}

impl Live {
    pub fn new(input: &Input) -> Live {
        /// Rounds; where these are not enough everything counts as live.
        const MOST: usize = 24;
        let mut live = Live { before: vec![0; input.code.len()], labels: HashMap::new() };
        for (at, i) in input.code.iter().enumerate().filter(|(_, i)| i.ip() != 0) {
            live.labels.insert(i.ip(), Label { at, ..Label::default() });
        }
        for (at, i) in input.code.iter().enumerate() {
            if i.op_count() > 0
                && i.op_kind(0) == OpKind::NearBranch64
                && let Some(label) = live.labels.get_mut(&i.near_branch_target())
            {
                label.hot |= at < input.cold || way(i) != Way::Jump;
            }
        }
        let effects: Vec<_> = input.code.iter().map(effects).collect();
        for round in 0..=MOST {
            if round == MOST {
                live.labels.values_mut().for_each(|label| label.live = (1 << 80) - 1);
            }
            if !live.round(input, &effects) || round == MOST {
                break;
            }
        }
        live
    }

    /// From the end to the start. True if something has changed at a label.
    fn round(&mut self, input: &Input, effects: &[(u128, u128)]) -> bool {
        let (mut now, mut changed) = (0, false);
        for (at, i) in input.code.iter().enumerate().rev() {
            match way(i) {
                Way::Next | Way::CallAway => {}
                Way::JumpIf | Way::Call => now |= self.at_label(i.near_branch_target()),
                Way::Jump => now = self.at_label(i.near_branch_target()),
                Way::Away => now = ROUND,
                // Out of a function of ours; out of the code nothing lives on.
                Way::Return => now = if i.op_count() > 0 { ROUND } else { 0 },
                Way::Nowhere => now = 0,
            }
            let (reads, writes) = effects[at];
            now = now & !writes | reads;
            self.before[at] = now;
            if i.ip() != 0
                && let Some(label) = self.labels.get_mut(&i.ip())
            {
                changed |= label.live != label.live | now;
                label.live |= now;
            }
        }
        changed
    }

    pub fn before(&self, at: usize) -> u128 {
        self.before[at]
    }

    /// Behind an instruction that control goes on from.
    pub fn after(&self, at: usize) -> u128 {
        self.before.get(at + 1).copied().unwrap_or(0)
    }

    pub fn at_label(&self, label: u64) -> u128 {
        self.labels.get(&label).map_or(0, |label| label.live)
    }

    pub fn is_cold(&self, input: &Input, label: u64) -> bool {
        self.labels.get(&label).is_some_and(|label| label.at >= input.cold)
    }

    /// True when a label is come to from above, and else only from seldom run code.
    pub fn is_joined_by_cold_code(&self, input: &Input, label: u64) -> bool {
        !input.exposed.contains(&label) && self.labels.get(&label).is_some_and(|label| !label.hot)
    }
}
