//! Accesses of a block that lie near each other, off one register: the first of them looks at the addresses of all. Where they
//! are not right the interpreter goes on, until code can be entered again.

use super::memory::{Place, is_own};
use super::{GENERAL, Late, Lower, VOLATILE, atomic};
use crate::allocate::Home;
use crate::assembler::{at, narrow};
use crate::encode::Memory;
use crate::flow::{Flow, members};
use crate::operation::{Operation, Window};
use crate::unit::{NOWHERE, SLOT, Step, UNGUARDED, Unit, outcome};
use iced_x86::{Code, Register};

/// Groups of a block.
const MOST: usize = 32;
/// Where the stack has the addresses of the first lanes of both halves, for groups without registers for them.
const POINTERS: i64 = atomic::LANES_END;
/// Bytes of the stack up to there.
pub const POINTERS_END: i64 = POINTERS + 16 * MOST as i64;

/// Where the stack has the address of a half's first lane.
fn pointer(number: usize, half: usize) -> Memory {
    at(Register::RSP, POINTERS + 16 * number as i64 + 8 * half as i64)
}

/// General registers that are nobody's home in a block, for addresses: those that calls keep first. Operations with several
/// lanes use the others themselves.
fn spare_registers(unit: &Unit, flow: &Flow, homes: &[Home], block: usize, count: usize) -> Vec<Register> {
    let mut taken = [false; GENERAL.len()];
    let mut take = |register: u32| {
        if let Home::General(n) = homes[register as usize] {
            taken[usize::from(n)] = true;
        }
    };
    members(flow.live_in.of(block)).for_each(&mut take);
    members(flow.live_out.of(block)).for_each(&mut take);
    let mut plain = true;
    for at in flow.range(block) {
        use Operation::*;
        plain &= !matches!(
            unit.steps[at].operation,
            Atomic { .. } | Shuffle | Vote | Reduce | ActiveMask | Meet | CopyAcross { .. } | Rows { .. }
        );
        // What is spared lanes of is written.
        let (reads, writes, _) = flow.touched(at);
        reads.iter().chain(writes).for_each(|&register| take(register));
    }
    let first = if plain { 0 } else { VOLATILE };
    (VOLATILE..count).chain(first..VOLATILE).filter(|&n| n < count && !taken[n]).map(|n| GENERAL[n]).collect()
}

/// What all accesses of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Common {
    index: u32,
    base: Option<u32>,
    window: Window,
    place: Place,
    /// Of an access, and what remains of its offset.
    bytes: i64,
    rest: i64,
    /// [`is_own`].
    own: bool,
}

/// What a block of steps relies on: accesses have been looked at before, on the only way there.
pub(crate) struct Trust {
    from: usize,
    block: usize,
    common: Common,
    /// The offsets of the first and the last access.
    least: i64,
    most: i64,
}

#[derive(Clone)]
struct Group {
    common: Common,
    /// The offsets of the first and the last access.
    least: i64,
    most: i64,
    members: u32,
    /// There is code that has looked at the addresses.
    looked_at: bool,
}

impl Group {
    /// Whether an access at an offset is in reach of the others.
    fn reaches(&self, offset: i64, limit: i64) -> bool {
        let lanes = match self.common.place {
            Place::Row(stride) => 31 * stride.abs(),
            Place::Halves(stride) => 15 * stride.abs(),
            _ => return false,
        };
        self.most.max(offset) - self.least.min(offset) + self.common.bytes + lanes <= limit
    }
}

/// The groups of the block at hand.
#[derive(Clone, Default)]
pub(crate) struct Groups {
    all: Vec<Group>,
    /// Positions of accesses, ascending, and the group of each.
    of: Vec<(usize, usize)>,
    /// The registers that each has for its addresses.
    registers: Vec<[Option<Register>; 2]>,
    /// What is live before the step at hand, if it is the first one of a group.
    pub live: Vec<u64>,
}

impl Groups {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// A group as an access sees it.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub number: usize,
    pub least: i64,
    pub extent: i64,
    pub looked_at: bool,
    pub own: bool,
}

impl Lower<'_> {
    /// Looks for groups in a block.
    pub fn find_groups(&mut self, block: usize) {
        let (unit, limit) = (self.unit, i64::from(self.layout.least_reach));
        let (mut all, mut open, mut of): (Vec<Group>, Vec<usize>, Vec<(usize, usize)>) = Default::default();
        for position in self.flow.range(block) {
            let step = &unit.steps[position];
            if let Some(common) = self.common(step) {
                let found =
                    open.iter().copied().find(|&n| all[n].common == common && all[n].reaches(step.offset, limit));
                match found {
                    Some(n) => {
                        of.push((position, n));
                        // What a guard may forbid says nothing of where accesses go.
                        if step.guard == UNGUARDED {
                            let group = &mut all[n];
                            (group.least, group.most) = (group.least.min(step.offset), group.most.max(step.offset));
                            group.members += 1;
                        }
                    }
                    None if step.guard == UNGUARDED => {
                        if open.len() == MOST {
                            open.remove(0);
                        }
                        open.push(all.len());
                        of.push((position, all.len()));
                        let (least, most) = (step.offset, step.offset);
                        all.push(Group { common, least, most, members: 1, looked_at: false });
                    }
                    None => {}
                }
            }
            if open.is_empty() {
                continue;
            }
            for register in self.flow.writes(position) {
                let other = |common: &Common| common.index != register * SLOT && common.base != Some(register * SLOT);
                if !open.iter().all(|&n| other(&all[n].common)) {
                    open.retain(|&n| other(&all[n].common));
                }
            }
        }
        self.groups.of.clear();
        self.groups.all.clear();
        // One access may be looked at with others behind this block, or have been looked at before it.
        self.widen(block, &mut all, &open);
        self.rely(block, &mut all, &of);
        if all.iter().all(|group| group.members < 2 && !group.looked_at) {
            return;
        }
        // Those with several accesses, by their new numbers.
        let mut numbers = vec![usize::MAX; all.len()];
        let several = (0..all.len()).filter(|&n| all[n].members > 1 || all[n].looked_at).take(MOST);
        several.enumerate().for_each(|(number, n)| numbers[n] = number);
        let kept = of.into_iter().filter(|&(position, n)| {
            numbers[n] != usize::MAX && (all[n].least..=all[n].most).contains(&unit.steps[position].offset)
        });
        self.groups.of = kept.map(|(position, n)| (position, numbers[n])).collect();
        self.groups.all =
            all.into_iter().zip(numbers).filter(|&(_, number)| number != usize::MAX).map(|(g, _)| g).collect();
        if !self.groups.all.is_empty() {
            let general = GENERAL.len() - self.asm.level().reserved();
            let spare = spare_registers(unit, self.flow, &self.homes, block, general);
            self.give_registers(&spare);
        }
    }

    /// Groups whose registers are as they were at the end of a block take in accesses of blocks behind it that are reached in no other
    /// way.
    fn widen(&mut self, block: usize, all: &mut [Group], open: &[usize]) {
        /// Blocks that are looked at.
        const NEAR: usize = 4;
        let limit = i64::from(self.layout.least_reach);
        for &n in open {
            let Group { common, .. } = all[n];
            let index = common.index / SLOT;
            let fits = common.own && self.flow.masked.get(index as usize) == Some(&false);
            if !fits || !matches!(self.home(common.index), Some(Home::General(_))) {
                continue;
            }
            let first = self.trusts.len();
            for other in block + 1..(block + 1 + NEAR).min(self.flow.count()) {
                if !self.leads_alone(block, other, index) {
                    continue;
                }
                let before = all[n].members;
                for position in self.flow.range(other) {
                    let step = &self.unit.steps[position];
                    let group = &mut all[n];
                    let same = step.guard == UNGUARDED && self.common(step) == Some(common);
                    if same && group.reaches(step.offset, limit) {
                        (group.least, group.most) = (group.least.min(step.offset), group.most.max(step.offset));
                        group.members += 1;
                    }
                    if self.flow.writes(position).contains(&index) {
                        break;
                    }
                }
                if all[n].members > before {
                    self.trusts.push(Trust { from: block, block: other, common, least: 0, most: 0 });
                }
            }
            let Group { least, most, .. } = all[n];
            for trust in &mut self.trusts[first..] {
                (trust.least, trust.most) = (least, most);
            }
        }
    }

    /// A block has been made: others rely on what it has looked at, and on nothing else.
    pub fn end_trusts(&mut self, block: usize) {
        let groups = &self.groups.all;
        self.trusts.retain(|trust| {
            // The last one with this index: it has not been written since.
            let group = groups.iter().rev().find(|group| group.common == trust.common);
            let same = |group: &Group| group.least == trust.least && group.most == trust.most;
            trust.from != block || group.is_some_and(|group| group.looked_at && same(group))
        });
    }

    /// Whether a block is reached from another one alone, by blocks that leave a register as it is.
    fn leads_alone(&self, from: usize, mut to: usize, register: u32) -> bool {
        /// Blocks in between.
        const MOST: usize = 4;
        for _ in 0..MOST {
            match self.only_way[to] {
                NOWHERE => return false,
                way if way as usize == from => return true,
                way if self.flow.is_written_in(way as usize, register) => return false,
                way => to = way as usize,
            }
        }
        false
    }

    /// Groups of a block that have been looked at before it.
    fn rely(&self, block: usize, all: &mut [Group], of: &[(usize, usize)]) {
        for trust in self.trusts.iter().filter(|trust| trust.block == block) {
            // The first one: the index has not been written since.
            let Some(n) = all.iter().position(|group| group.common == trust.common) else { continue };
            let Some(&(first, _)) = of.iter().find(|&&(_, group)| group == n) else { continue };
            let index = trust.common.index / SLOT;
            let written = (self.flow.range(block).start..first).any(|at| self.flow.writes(at).contains(&index));
            let group = &mut all[n];
            group.looked_at |= !written && trust.least <= group.least && group.most <= trust.most;
        }
    }

    /// Looks at what a block relies on, where it is reached in another way: its registers are in place, and nothing else is known.
    pub fn look_again(&mut self, block: usize) {
        let trusts = core::mem::take(&mut self.trusts);
        let own = trusts.iter().filter(|trust| trust.block == block);
        if own.clone().next().is_some() {
            let label = self.asm.label();
            self.asm.place_exposed(label);
            self.checked[block] = label;
            let slow = self.asm.label();
            for &Trust { common, least, .. } in own {
                let Place::Row(stride) = common.place else { continue };
                let address = self.scalar_in(common.index, true, Register::RAX);
                let bytes = common.bytes as u32;
                if bytes > 1 {
                    self.asm.op2i(Code::Test_rm32_imm32, narrow(address), bytes as i32 - 1);
                    self.asm.jne(slow);
                }
                self.look_at_row(address, least + 31 * stride.min(0), slow);
            }
            let (at, live) = (self.flow.starts[block] as usize, self.flow.live_in.of(block).to_vec());
            self.late.push(Late::Interpret { label: slow, at, live, outcome: outcome::AWHILE });
        }
        self.trusts = trusts;
    }

    /// What an access has in common with others. None for what stands alone.
    fn common(&self, step: &Step) -> Option<Common> {
        let (Operation::Load { window, element, count, .. } | Operation::Store { window, element, count, .. }) =
            step.operation
        else {
            return None;
        };
        let place = self.kind(step, window, &element, count)?;
        let bytes = i64::from(element.bytes) * i64::from(count);
        let base = step.based.then_some(step.from[4]);
        let plain = matches!(place, Place::Row(_) | Place::Halves(_));
        let rest = step.offset.rem_euclid(bytes);
        let own = is_own(step, window, &place, bytes as u32);
        plain.then_some(Common { index: step.from[0], base, window, place, bytes, rest, own })
    }

    /// The group of an access.
    pub(super) fn group(&self, position: usize) -> Option<Seen> {
        let found = self.groups.of.binary_search_by_key(&position, |&(at, _)| at).ok()?;
        let number = self.groups.of[found].1;
        let Group { common, least, most, looked_at, .. } = &self.groups.all[number];
        let (extent, own) = (most - least + common.bytes, common.own);
        Some(Seen { number, least: *least, extent, looked_at: *looked_at, own })
    }

    /// Takes note of what is live before a step, if others will rely on the addresses that it looks at.
    pub fn note_live(&mut self, position: usize, live: &[u64]) {
        if !self.groups.of.is_empty() && self.group(position).is_some_and(|group| !group.looked_at) {
            self.groups.live = live.to_vec();
        }
    }

    /// The addresses of a group, in `rax` and `rcx`, are right: they are kept.
    pub(super) fn trust(&mut self, group: Seen) {
        for half in 0..=usize::from(self.is_split(group)) {
            let from = self.bases[half];
            match self.groups.registers[group.number][half] {
                Some(register) if register == from => {}
                Some(register) => self.asm.op2(Code::Mov_r64_rm64, register, from),
                None => self.asm.op2(Code::Mov_rm64_r64, pointer(group.number, half), from),
            }
        }
        self.groups.all[group.number].looked_at = true;
    }

    /// The register that keeps the address of a group.
    pub(super) fn keeper(&self, group: Seen) -> Option<Register> {
        self.groups.registers[group.number][0]
    }

    /// The first addresses of a group, whose first access was executed.
    pub(super) fn recall(&mut self, group: Seen) {
        for half in 0..=usize::from(self.is_split(group)) {
            match self.groups.registers[group.number][half] {
                Some(register) => self.bases[half] = register,
                None => self.asm.op2(Code::Mov_r64_rm64, self.bases[half], pointer(group.number, half)),
            }
        }
        if !self.is_split(group) {
            self.bases[1] = self.bases[0];
        }
    }

    /// Addresses in registers that a call changes: onto the stack before it, and back.
    pub fn spare_pointers(&mut self, back: bool) {
        for number in 0..self.groups.all.len() {
            for half in 0..2 {
                let Some(register) = self.groups.registers[number][half] else { continue };
                let Group { common, looked_at, .. } = &self.groups.all[number];
                // What is a register of the kernel's is kept as such.
                let kept = self.own_home(common).is_some();
                if !looked_at || kept || !GENERAL[..VOLATILE].contains(&register) {
                    continue;
                }
                if back {
                    self.asm.op2(Code::Mov_r64_rm64, register, pointer(number, half));
                } else {
                    self.asm.op2(Code::Mov_rm64_r64, pointer(number, half), register);
                }
            }
        }
    }

    /// Gives groups registers that are nobody's home, those with the most accesses first.
    fn give_registers(&mut self, spare: &[Register]) {
        let mut order: Vec<usize> = (0..self.groups.all.len()).collect();
        order.sort_by_key(|&number| core::cmp::Reverse(self.groups.all[number].members));
        self.groups.registers = vec![[None; 2]; order.len()];
        let mut free = spare.iter().copied();
        for number in order {
            let common = &self.groups.all[number].common;
            if let Some(register) = self.own_home(common) {
                self.groups.registers[number][0] = Some(register);
                continue;
            }
            let halves = 1 + usize::from(self.has_two_addresses(common));
            for half in 0..halves {
                self.groups.registers[number][half] = free.next();
            }
        }
    }

    /// The register that the address of such accesses is in, if it is one of the kernel's.
    fn own_home(&self, common: &Common) -> Option<Register> {
        match self.home(common.index) {
            Some(Home::General(n)) if common.own => Some(GENERAL[usize::from(n)]),
            _ => None,
        }
    }

    fn is_split(&self, group: Seen) -> bool {
        self.has_two_addresses(&self.groups.all[group.number].common)
    }

    fn has_two_addresses(&self, common: &Common) -> bool {
        matches!(common.place, Place::Halves(_)) && !self.values.is_alike_in_halves(common.index)
    }
}
