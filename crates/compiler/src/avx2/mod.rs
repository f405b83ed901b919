//! Code for AVX2 out of code for AVX-512: instruction by instruction, before it is encoded.
//!
//! Each half of a vector register of 512 bits, and each half of a mask as lanes of 32 bits, has its home in memory that
//! [`BASE`] points to. Within a stretch of code without labels the registers of 256 bits are a cache of it ([`cache`]);
//! where control may come from elsewhere, what is live is at home. Code that is seldom run goes in and out by extra moves
//! instead, so that a stretch does not end where it may be left or come back to.
//!
//! [`rules`] says what becomes of an instruction: most are a row of its table, others are written out in [`expand`], [`convert`],
//! [`access`] and [`masks`]. For one without a rule there is no code.

mod access;
mod cache;
mod convert;
mod expand;
mod live;
mod masks;
mod rules;
#[cfg(test)]
pub mod tests;

use crate::encode::Stream;
use crate::map::Set;
use cache::{NONE, Order, Phys};
use iced_x86::{Code, Instruction, Register};
use live::{Live, Way, way};
use masks::Form;

/// Points to the homes, while code runs.
pub const BASE: Register = Register::R15;
/// Free within an instruction.
const FREE: Register = Register::R14;
/// General registers that code may not use: these two.
pub const RESERVED: usize = 2;
/// Bytes of the homes, and their alignment.
pub const STATE: i32 = 32 * cache::FIRST_CONSTANT as i32;
pub const ALIGN: i32 = 32;

/// A vector of 256 bits: a half of a register or mask, something that is worked out on the way, or a constant.
type V = u16;

/// Code to be changed.
pub struct Input<'i> {
    pub code: &'i [Instruction],
    /// Where the part begins that is seldom run.
    pub cold: usize,
    /// Labels that are jumped to by their addresses.
    pub exposed: &'i Set<u64>,
    pub next_label: u64,
}

/// Encodes the same for AVX2. The error names an instruction without a rule.
pub fn legalise(input: &Input, out: &mut Stream) -> Result<(), String> {
    let mut pass = Pass::new(input, out);
    for at in 0..input.code.len() {
        pass.step(at);
        if let Some(failed) = pass.failed {
            return Err(failed);
        }
    }
    pass.stubs();
    match pass.failed {
        Some(failed) => Err(failed),
        None => Ok(()),
    }
}

/// Code behind all other.
struct Stub {
    label: u64,
    code: Vec<Instruction>,
    back: u64,
}

struct Pass<'i> {
    input: &'i Input<'i>,
    live: Live,
    at: usize,
    out: &'i mut Stream,
    next_label: u64,
    /// What the machine's registers hold, and where things are.
    phys: [Phys; 16],
    place: Vec<u8>,
    order: Order,
    /// Registers that hold nothing, and those that the instruction at hand has operands in.
    free: u16,
    pinned: u16,
    /// Users of what is worked out on the way; what this instruction has worked out so far.
    users: [u8; cache::TEMPS],
    /// Those that have none.
    idle: u128,
    mine: Vec<V>,
    masks: [Form; 8],
    stubs: Vec<Stub>,
    /// What registers hold where the label is come to from seldom run code.
    kept: Vec<Vec<(u8, V)>>,
    failed: Option<String>,
}

impl<'i> Pass<'i> {
    fn new(input: &'i Input<'i>, out: &'i mut Stream) -> Pass<'i> {
        Pass {
            input,
            live: Live::new(input),
            at: 0,
            out,
            next_label: input.next_label,
            phys: [Phys { v: NONE, dirty: false }; 16],
            place: vec![u8::MAX; cache::VECTORS],
            order: Order::START,
            free: u16::MAX,
            pinned: 0,
            users: [0; cache::TEMPS],
            idle: !(u128::MAX << cache::TEMPS),
            mine: Vec::new(),
            masks: [Form::Home; 8],
            stubs: Vec::new(),
            kept: vec![Vec::new(); input.next_label as usize],
            failed: None,
        }
    }

    fn fail(&mut self, why: &str) {
        if self.failed.is_none() {
            // A number: the library's names would be 5,000 addresses for the loader to relocate in every process.
            let code = self.input.code.get(self.at).map(|instruction| instruction.code() as u32);
            self.failed = Some(format!("{code:?}: {why}"));
        }
    }

    fn label(&mut self) -> u64 {
        self.next_label += 1;
        self.next_label
    }

    /// One instruction of the input.
    fn step(&mut self, at: usize) {
        self.at = at;
        let i = &self.input.code[at];
        if i.ip() != 0 {
            self.arrive(i);
        }
        match self.live.way(at) {
            Way::Next => {}
            Way::JumpIf => return self.leave_if(i),
            Way::Jump => {
                let target = i.near_branch_target();
                self.settle(self.live.at_label(target));
                self.forget();
                // A label is jumped to from seldom run code once or twice.
                for (n, v) in self.kept.get(target as usize).cloned().unwrap_or_default() {
                    self.load_into(usize::from(n), v);
                }
                self.out.add(i);
                return;
            }
            _ => {
                self.settle(self.live.before(at));
                self.forget();
                self.out.add(i);
                return;
            }
        }
        if i.code() == Code::VEX_Vzeroupper {
            self.settle(self.live.after(at));
            self.forget();
            self.out.add(i);
            return;
        }
        if !self.live.has_vectors(at) {
            self.out.add(i);
            return;
        }
        if !self.rule(i) {
            self.fail("no rule");
        }
        self.pinned = 0;
        self.release(0);
    }

    /// A label: from somewhere else everything is at home.
    fn arrive(&mut self, i: &Instruction) {
        let falls = self.at > 0 && !live::ends(&self.input.code[self.at - 1]);
        if falls {
            let live = self.live.before(self.at);
            let keeps = self.at < self.input.cold && self.live.is_joined_by_cold_code(self.input, i.ip());
            if keeps {
                self.masks_home(live);
                self.drop_masks();
                let mut kept = Vec::new();
                for n in self.held() {
                    let v = self.phys[n].v;
                    if v < cache::FIRST_TEMP && live >> v & 1 == 0 {
                        self.vacate(n);
                    } else {
                        kept.push((n as u8, v));
                    }
                }
                if let Some(place) = self.kept.get_mut(i.ip() as usize) {
                    *place = kept;
                }
                return;
            }
            self.settle(live);
        }
        self.forget();
    }

    /// A conditional jump.
    fn leave_if(&mut self, i: &Instruction) {
        let target = i.near_branch_target();
        let live = self.live.at_label(target);
        self.masks_home(live);
        let far = self.live.is_cold(self.input, target);
        let mut jump = *i;
        if far {
            // What is not at home is brought there on the way.
            let mut code = Vec::new();
            for n in self.held() {
                let Phys { v, dirty } = self.phys[n];
                if dirty && v < cache::FIRST_TEMP && live >> v & 1 != 0 {
                    code.push(cache::store(n, v));
                }
            }
            if !code.is_empty() {
                let label = self.label();
                jump.set_near_branch64(label);
                self.stubs.push(Stub { label, code, back: target });
            }
        } else {
            self.store_dirty(live);
        }
        self.out.add(&jump);
    }

    fn stubs(&mut self) {
        for stub in core::mem::take(&mut self.stubs) {
            self.out.place(stub.label as u32);
            stub.code.iter().for_each(|i| self.out.add(i));
            self.out.jump(Code::Jmp_rel32_64, stub.back as u32);
        }
    }

    /// Places a label of ours.
    fn put_label(&mut self, label: u64) {
        self.out.place(label as u32);
    }

    /// Brings what is in a set home, masks too.
    fn settle(&mut self, live: u128) {
        self.masks_home(live);
        self.store_dirty(live);
    }

    /// Forgets what registers hold.
    fn forget(&mut self) {
        self.drop_masks();
        for n in self.held() {
            self.vacate(n);
        }
    }

    /// True when no instruction that follows looks at the flags as they are now.
    fn flags_are_free(&self) -> bool {
        for i in &self.input.code[self.at + 1..] {
            if i.ip() != 0 || live::ends(i) || way(i) == Way::Call {
                return true;
            }
            if way(i) == Way::JumpIf {
                return false;
            }
            use iced_x86::Mnemonic::*;
            match i.mnemonic() {
                Sete | Setne | Setb | Setae | Seta | Setbe | Setl | Setge | Setg | Setle | Adc | Sbb => return false,
                Add | Sub | Cmp | Test | And | Or | Xor | Neg | Imul | Popcnt | Tzcnt | Lzcnt | Xadd | Blsr
                | Kortestw | Kortestb => return true,
                // Whatever else keeps them, or comes before something that does not.
                _ => {}
            }
        }
        true
    }
}
