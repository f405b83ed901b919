//! Numbers that are the same for all warps of a block stay in general registers from warp to warp, in kernels without loops, where a
//! warp has next to nothing else to do.

use crate::flow::{Flow, has, insert, members};
use crate::operation::Operation;
use crate::unit::Unit;
use crate::values::Values;

/// General registers that are left for addresses.
const SPARE: usize = 1;

/// The numbers that stay, where each block of steps is: as many as registers are never in use.
pub fn find(unit: &Unit, flow: &Flow, values: &Values, general: usize) -> Vec<u32> {
    /// Registers of the kernel that are looked at.
    const MOST: usize = 4096;
    let count = unit.registers.len();
    if count > MOST || flow.depth.iter().any(|&depth| depth > 0) {
        return Vec::new();
    }
    let is_number = |register: u32| {
        let own = &unit.registers[register as usize];
        own.bytes == 0 || matches!(own.bytes, 4 | 8) && values.kept(register).is_some()
    };
    let mut uses = vec![0u32; count];
    let mut lives = vec![(usize::MAX, 0); count];
    for block in 0..flow.count() {
        let (start, end) = (flow.range(block).start, flow.range(block).end);
        let extend = |lives: &mut Vec<(usize, usize)>, register: u32, at: usize| {
            let (first, last) = lives[register as usize];
            lives[register as usize] = (first.min(at), last.max(at));
        };
        members(flow.live_in.of(block)).for_each(|register| extend(&mut lives, register, start));
        members(flow.live_out.of(block)).for_each(|register| extend(&mut lives, register, end));
        for at in flow.range(block) {
            use Operation::*;
            // A sum in another register takes one instruction, of two registers alone.
            let gain = match unit.steps[at].operation {
                Step => 0,
                Add(number) if number.is_wide() => 2,
                Load { .. } | Store { .. } | MadWide { .. } => 2,
                _ => 1,
            };
            let (reads, writes, _) = flow.touched(at);
            reads.iter().for_each(|&register| uses[register as usize] += gain);
            reads.iter().chain(writes).for_each(|&register| extend(&mut lives, register, at));
        }
    }
    let begins = |register: u32| has(flow.live_in.of(0), register);
    let mut stay: Vec<u32> = (0..count as u32)
        .filter(|&register| {
            let own = &unit.registers[register as usize];
            own.shared && own.bytes != 0 && is_number(register) && begins(register) && uses[register as usize] > 0
        })
        .collect();
    // How many others are in use at once. What is read once, where a warp begins, is read in memory.
    let mut more = vec![0i32; unit.steps.len() + 2];
    for register in (0..count as u32).filter(|&register| is_number(register) && !stay.contains(&register)) {
        let ((first, last), once) = (lives[register as usize], begins(register) && uses[register as usize] < 2);
        if first <= last && !once {
            more[first] += 1;
            more[last + 1] -= 1;
        }
    }
    let most = more.iter().scan(0, |sum, more| {
        *sum += more;
        Some(*sum)
    });
    let free = general.saturating_sub(most.max().unwrap_or(0) as usize + SPARE);
    stay.sort_by_key(|&register| core::cmp::Reverse(uses[register as usize]));
    stay.truncate(free);
    stay
}

impl Flow {
    /// Registers live everywhere from here on.
    pub fn keep(&mut self, registers: Vec<u32>) {
        for block in 0..self.count() {
            for &register in &registers {
                insert(self.live_in.of_mut(block), register);
                insert(self.live_out.of_mut(block), register);
            }
        }
        self.stays = registers;
    }
}
