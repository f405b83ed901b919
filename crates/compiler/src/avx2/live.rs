//! Which halves of registers and masks somebody looks at later.

use super::Input;
use super::cache::FIRST_MASK;
use iced_x86::{Code, Instruction, OpKind, Register};

/// What is live: a bit for each half of a register and of a mask.
pub struct Live {
    before: Vec<u128>,
    /// Where control goes behind each instruction, and whether it names vectors.
    ways: Vec<Way>,
    vectors: Vec<bool>,
    /// By their numbers.
    labels: Vec<Label>,
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

/// Both halves, or the one, of a vector register, and those of a mask. None for others.
pub fn halves(register: Register) -> u128 {
    HALVES[register as usize]
}

static HALVES: [u128; 256] = by_register(false);

/// The halves, with those that writing it clears.
static WRITTEN: [u128; 256] = by_register(true);

const fn by_register(written: bool) -> [u128; 256] {
    let (mut all, mut n) = ([0; 256], 0);
    while n < 32 {
        let both = 0b11 << (2 * n);
        all[Register::ZMM0 as usize + n] = both;
        all[Register::YMM0 as usize + n] = if written { both } else { 1 << (2 * n) };
        all[Register::XMM0 as usize + n] = if written { both } else { 1 << (2 * n) };
        n += 1;
    }
    n = 0;
    while n < 8 {
        all[Register::K0 as usize + n] = 0b11 << (FIRST_MASK as usize + 2 * n);
        n += 1;
    }
    all
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
        _ if i.op0_kind() == OpKind::NearBranch64 => Way::JumpIf,
        _ => Way::Next,
    }
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
            | EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er
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
    let of = |kind: OpKind, register: Register| if kind == OpKind::Register { halves(register) } else { 0 };
    let (first, mask) = (of(i.op0_kind(), i.op0_register()), halves(i.op_mask()));
    let mut reads = of(i.op1_kind(), i.op1_register())
        | of(i.op2_kind(), i.op2_register())
        | of(i.op3_kind(), i.op3_register())
        | halves(i.memory_index())
        | mask;
    let mut writes = 0;
    if first != 0 && is_only_read(i.code()) {
        reads |= first;
    } else if first != 0 {
        writes |= WRITTEN[i.op0_register() as usize];
        let ternary = i.code() == Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        let merges = mask != 0 && !i.zeroing_masking() && !i.op0_register().is_k();
        if reads_result(i.code()) || merges || ternary && super::rules::looks_at_first(i.immediate8()) {
            reads |= first;
        }
    }
    if mask != 0 && is_gather(i.code()) {
        writes |= mask;
    }
    (reads, writes)
}

fn is_only_read(code: Code) -> bool {
    matches!(code, Code::VEX_Kortestw_kr_kr | Code::VEX_Kortestb_kr_kr)
}

/// Instructions behind each other, of which only the first may have a label and only the last may send control elsewhere.
struct Stretch {
    end: usize,
    /// The label before it; 0 for none. The label that its last instruction jumps to.
    label: u64,
    target: u64,
    way: Way,
    /// What control may come back to has to keep where the way is that of a return.
    round: bool,
    reads: u128,
    writes: u128,
}

impl Live {
    pub fn new(input: &Input) -> Live {
        /// Rounds; where these are not enough everything counts as live.
        const MOST: usize = 24;
        let count = input.code.len();
        let mut live = Live {
            before: vec![0; count],
            ways: Vec::with_capacity(count),
            vectors: Vec::with_capacity(count),
            labels: vec![Label::default(); input.next_label as usize],
        };
        let mut each = Vec::with_capacity(count);
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut begins = true;
        for (at, i) in input.code.iter().enumerate() {
            let (way, (reads, writes)) = (way(i), effects(i));
            live.ways.push(way);
            live.vectors.push(reads | writes != 0);
            each.push((reads, writes));
            if let Some(label) = live.labels.get_mut(i.ip() as usize).filter(|_| i.ip() != 0) {
                (label.at, begins) = (at, true);
            }
            if begins {
                let label = i.ip();
                stretches.push(Stretch {
                    end: at,
                    label,
                    target: 0,
                    way: Way::Next,
                    round: false,
                    reads: 0,
                    writes: 0,
                });
            }
            if let Some(stretch) = stretches.last_mut() {
                stretch.end = at + 1;
                stretch.reads |= reads & !stretch.writes;
                stretch.writes |= writes;
                stretch.way = way;
                match way {
                    Way::Jump | Way::JumpIf | Way::Call => stretch.target = i.near_branch_target(),
                    // Out of a function of ours; out of the code nothing lives on.
                    Way::Return => stretch.round = i.op_count() > 0,
                    _ => {}
                }
            }
            begins = !matches!(way, Way::Next | Way::CallAway);
        }
        for stretch in &stretches {
            let last = stretch.end - 1;
            if let Some(label) = live.labels.get_mut(stretch.target as usize).filter(|_| stretch.target != 0) {
                label.hot |= last < input.cold || stretch.way != Way::Jump;
            }
        }
        for round in 0..=MOST {
            if round == MOST {
                live.labels.iter_mut().for_each(|label| label.live = (1 << 80) - 1);
            }
            if !live.round(&stretches) || round == MOST {
                break;
            }
        }
        let mut now = 0;
        for (n, stretch) in stretches.iter().enumerate().rev() {
            now = live.leaving(stretch, now);
            let start = n.checked_sub(1).map_or(0, |before| stretches[before].end);
            for at in (start..stretch.end).rev() {
                let (reads, writes) = each[at];
                now = now & !writes | reads;
                live.before[at] = now;
            }
        }
        live
    }

    /// What is live behind a stretch, where `next` is live in front of the one that follows.
    fn leaving(&self, stretch: &Stretch, next: u128) -> u128 {
        match stretch.way {
            Way::Next | Way::CallAway => next,
            Way::JumpIf | Way::Call => next | self.at_label(stretch.target),
            Way::Jump => self.at_label(stretch.target),
            Way::Away => ROUND,
            Way::Return if stretch.round => ROUND,
            Way::Return | Way::Nowhere => 0,
        }
    }

    /// From the end to the start. True if something has changed at a label.
    fn round(&mut self, stretches: &[Stretch]) -> bool {
        let (mut now, mut changed) = (0, false);
        for stretch in stretches.iter().rev() {
            now = self.leaving(stretch, now) & !stretch.writes | stretch.reads;
            if let Some(label) = self.labels.get_mut(stretch.label as usize).filter(|_| stretch.label != 0) {
                changed |= label.live != label.live | now;
                label.live |= now;
            }
        }
        changed
    }

    pub fn way(&self, at: usize) -> Way {
        self.ways[at]
    }

    pub fn has_vectors(&self, at: usize) -> bool {
        self.vectors[at]
    }

    pub fn before(&self, at: usize) -> u128 {
        self.before[at]
    }

    /// Behind an instruction that control goes on from.
    pub fn after(&self, at: usize) -> u128 {
        self.before.get(at + 1).copied().unwrap_or(0)
    }

    pub fn at_label(&self, label: u64) -> u128 {
        self.labels.get(label as usize).map_or(0, |label| label.live)
    }

    pub fn is_cold(&self, input: &Input, label: u64) -> bool {
        self.labels.get(label as usize).is_some_and(|label| label.at >= input.cold)
    }

    /// True when a label is come to from above, and else only from seldom run code.
    pub fn is_joined_by_cold_code(&self, input: &Input, label: u64) -> bool {
        !input.exposed.contains(&label) && self.labels.get(label as usize).is_some_and(|label| !label.hot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::at;
    use crate::map::Set;
    use iced_x86::MemoryOperand;

    /// Instructions by chance, with labels and jumps of all kinds.
    fn code(seed: &mut u64, labels: u64) -> Vec<Instruction> {
        let mut below = |n: u64| {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) % n
        };
        let mut code = Vec::new();
        for label in 1..=labels {
            let mut here = Instruction::with(Code::Zero_bytes);
            here.set_ip(label);
            code.push(here);
            for _ in 0..below(6) {
                let zmm = |n: u64| Register::ZMM0 + n as u32;
                let (a, b, c, to) = (zmm(below(32)), zmm(below(32)), zmm(below(32)), 1 + below(labels));
                let k = Register::K1 + below(7) as u32;
                let made = match below(9) {
                    0 => Instruction::with3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, a, b, c).map(|mut i| {
                        i.set_op_mask(k);
                        i
                    }),
                    1 => Instruction::with3(Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, a, b, c),
                    2 => Instruction::with2(
                        Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
                        a,
                        MemoryOperand::from(at(Register::RAX, 0)),
                    ),
                    3 => Instruction::with3(Code::EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32, k, b, c),
                    4 => Instruction::with_branch(Code::Je_rel32_64, to),
                    5 => Instruction::with_branch(Code::Jmp_rel32_64, to),
                    6 => Instruction::with_branch(Code::Call_rel32_64, to),
                    7 => Instruction::with1(Code::Jmp_rm64, Register::RAX),
                    _ => Ok(Instruction::with(Code::Retnq)),
                };
                code.push(made.unwrap());
            }
        }
        code
    }

    /// What is live, instruction by instruction until nothing changes.
    fn plainly(code: &[Instruction]) -> Vec<u128> {
        let mut before = vec![0; code.len()];
        loop {
            let old: Vec<u128> = before.clone();
            let label = |old: &[u128], to: u64| code.iter().position(|i| i.ip() == to).map_or(0, |at| old[at]);
            for (at, i) in code.iter().enumerate().rev() {
                let next = before.get(at + 1).copied().unwrap_or(0);
                let after = match way(i) {
                    Way::Next | Way::CallAway => next,
                    Way::JumpIf | Way::Call => next | label(&old, i.near_branch_target()),
                    Way::Jump => label(&old, i.near_branch_target()),
                    Way::Away => ROUND,
                    Way::Return | Way::Nowhere => 0,
                };
                let (reads, writes) = effects(i);
                before[at] = after & !writes | reads;
            }
            if before == old {
                return before;
            }
        }
    }

    #[test]
    fn what_is_live_is_found_by_stretches() {
        let (mut seed, mut found) = (1, 0);
        for round in 0..200 {
            // Few labels: else there may be more rounds than are made.
            let labels = 1 + round % 12;
            let code = code(&mut seed, labels);
            let exposed = Set::default();
            let live = Live::new(&Input { code: &code, cold: usize::MAX, exposed: &exposed, next_label: labels + 1 });
            assert_eq!(live.before, plainly(&code), "round {round}");
            found += live.before.iter().filter(|&&before| before != 0).count();
            let vectors = |i: &Instruction| (0..i.op_count()).any(|op| halves(i.op_register(op)) != 0);
            assert!(code.iter().enumerate().all(|(at, i)| live.has_vectors(at) == vectors(i)), "round {round}");
        }
        assert!(found > 1000, "{found}");
    }
}
