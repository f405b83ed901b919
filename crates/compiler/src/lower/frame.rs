//! Registers into the frame and out of it: entries, calls of the interpreter's steps, ways out.

use super::{FIRST, FRAME, GENERAL, Late, Lower, VECTORS, VOLATILE, WARP, zmm};
use crate::allocate::Home;
use crate::assembler::{LINE, Level, at, narrow};
use crate::flow::{Saves, Sets, common, has, insert, members};
use crate::memory::waiting;
use crate::operation::Operation;
use crate::unit::{NOWHERE, SLOT, UNGUARDED, outcome};
use iced_x86::{Code, Register};
use smallvec::SmallVec;

/// Bytes of the stack that the code has for itself: flags of the block at hand, and room for the lanes of atomic operations, for
/// addresses and for what follows, in whole lines of the cache.
const OWN: i32 = OWN_END as i32;
/// Of these: the first warp of the block, if the code goes from warp to warp; how often it may begin there again; and whether
/// one has come to the barrier since it did.
pub(super) const FIRST_WARP: i64 = super::group::POINTERS_END;
pub(super) const TURNS_LEFT: i64 = FIRST_WARP + 8;
pub(super) const WAITING: i64 = FIRST_WARP + 12;
/// Turns of a loop before the next warp has some.
pub(super) const TURNS_ABREAST: i64 = FIRST_WARP + 16;
pub const OWN_END: i64 = (FIRST_WARP + 20 + LINE as i64 - 1) / LINE as i64 * LINE as i64;
/// So often warps of a block wait for each other before somebody looks at the clock.
const MOST_TURNS: i32 = 1 << 12;
/// Bytes of the stack that a call that keeps all registers takes: vectors, general registers, the function, and what makes whole
/// lines of the cache of them with the argument and the return address.
const SAVED: i32 = 64 * VECTORS as i32 + 2 * LINE - 16;

/// Sets of registers that something is done for, by their homes: that are fetched, that are stored as vectors, as lanes or in both ways, and
/// that calls save.
const FETCHED: usize = 0;
const VECTORS_STORED: usize = 1;
const STORED: usize = 2;
const SAVED_BY_CALLS: usize = 3;

/// Registers that a step reads or writes: seldom more than a few.
pub(super) type List = SmallVec<[u32; 16]>;

impl Lower<'_> {
    /// Finds out what is done for which registers.
    pub fn find_own(&mut self) {
        let mut own = Sets::new(4, self.homes.len());
        for (register, &home) in self.homes.iter().enumerate() {
            let slot = register as u32;
            let crate::unit::Register { bytes, early, .. } = self.unit.registers[register];
            let vector = match home {
                Home::Frame => self.loose[register],
                Home::Place(_) => true,
                Home::Vector(_) => !early,
                Home::General(_) | Home::Single(_) => false,
            };
            let predicate = matches!(home, Home::General(_)) && bytes == 0;
            let lanes = !early && self.values.kept(slot).or(self.values.in_halves(slot)).is_some();
            let lanes = predicate || lanes;
            let whole = matches!(home, Home::General(_) | Home::Single(_));
            let sets = [home != Home::Frame, vector, vector || lanes || whole, lanes || whole];
            (0..4).filter(|&set| sets[set]).for_each(|set| insert(own.of_mut(set), slot));
        }
        self.own = own;
    }

    /// The way in: [`crate::memory::Enter`].
    pub fn enter(&mut self) {
        for register in [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15] {
            self.asm.op1(Code::Push_r64, register);
        }
        let own = self.own();
        self.asm.take_stack(own);
        self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, FIRST_WARP), Register::RDX);
        self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, TURNS_LEFT), MOST_TURNS);
        self.asm.op2(Code::Mov_rm32_r32, at(Register::RSP, WAITING), Register::ECX);
        self.begin_turns();
        self.begin_sums();
        self.asm.op2(Code::Mov_r64_rm64, WARP, Register::RDI);
        self.asm.op2(Code::Mov_r64_rm64, FRAME, at(WARP, self.layout.frame.into()));
        self.active();
        self.set_flushing(self.flushes);
        if !self.aligned.bases.is_empty() {
            let odd = self.asm.label();
            for &(register, bytes) in &self.aligned.bases {
                let pointer = at(FRAME, i64::from(register * SLOT));
                self.asm.op2i(Code::Test_rm8_imm8, pointer, bytes as i32 - 1);
                self.asm.jne(odd);
            }
            self.late.push(Late::Odd { label: odd });
        }
        self.asm.op1(Code::Jmp_rm64, Register::RSI);
    }

    /// Says at a barrier that the frame has first lanes alone where a number stands for all. Code for parts has no such number.
    pub(super) fn leave_lean(&mut self) {
        if !self.unit.apart {
            self.asm.op2i(Code::Mov_rm8_imm8, at(WARP, self.layout.left_lean.into()), 1);
        }
    }

    /// Goes on with the next warp of the block, if the code was entered for all of them: with the outcome in `eax` otherwise.
    fn turn(&mut self) {
        let [waits, ended] = self.turns;
        let (look, go, again) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.asm.place(waits);
        self.leave_lean();
        self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, WAITING), 1);
        self.asm.place(ended);
        self.turns = [waits, ended];
        self.asm.op2i(Code::Cmp_rm64_imm8, at(Register::RSP, FIRST_WARP), 0);
        self.asm.je(self.leave);
        self.asm.op2(Code::Mov_r64_rm64, WARP, at(WARP, self.layout.next.into()));
        self.asm.place(look);
        self.asm.op2(Code::Test_rm64_r64, WARP, WARP);
        self.asm.je(again);
        self.asm.op2i(Code::Cmp_rm32_imm8, at(WARP, self.layout.alive.into()), 0);
        self.asm.jne(go);
        self.asm.op2(Code::Mov_r64_rm64, WARP, at(WARP, self.layout.next.into()));
        self.asm.jmp(look);
        self.asm.place(go);
        self.enter_anywhere();
        // The barrier opens when the last warp has come.
        self.asm.place(again);
        self.asm.number(Register::RAX, outcome::DONE.into());
        if self.chained && !self.ahead.goes_abreast() {
            self.asm.jmp(self.leave);
            return;
        }
        // Warps of a chain that have ended look as if they had not begun.
        self.asm.op2i(Code::Cmp_rm32_imm8, at(Register::RSP, WAITING), waiting::SOME as i32);
        self.asm.jne(self.leave);
        self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, WAITING), 0);
        self.asm.op2(Code::Mov_r64_rm64, WARP, at(Register::RSP, FIRST_WARP));
        self.asm.op1(Code::Dec_rm32, at(Register::RSP, TURNS_LEFT));
        self.asm.jne(look);
        self.asm.number(Register::RAX, outcome::TURNS.into());
        self.asm.jmp(self.leave);
    }

    /// The next warp's turn, after one that waits at a barrier (`behind` is the step behind it) or has ended: the same as
    /// [`Lower::turn`], for warps that are where one expects them. Jumps of its own are foreseen better than one for all barriers.
    pub fn pass_on(&mut self, position: usize, behind: Option<usize>) {
        let begun = self.flow.begun_at(self.unit, position);
        let begins = |at: usize| self.flow.block_at[at] != crate::unit::NOWHERE;
        if !begins(begun) || !behind.is_none_or(begins) {
            return;
        }
        let (other, last) = (self.asm.label(), self.asm.label());
        let whole = |register: Register, offset: u32| at(register, offset.into());
        if behind.is_some() {
            self.leave_lean();
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, WAITING), 1);
        }
        self.asm.op2i(Code::Cmp_rm64_imm8, at(Register::RSP, FIRST_WARP), 0);
        self.asm.je(other);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, whole(WARP, self.layout.next));
        self.asm.op2(Code::Test_rm64_r64, Register::RAX, Register::RAX);
        self.asm.je(if behind.is_some() { last } else { other });
        self.check_place(begun, other);
        self.enter_warp(begun);
        if let Some(behind) = behind {
            self.asm.place(last);
            self.asm.op2i(Code::Cmp_rm32_imm8, at(Register::RSP, TURNS_LEFT), 1);
            self.asm.je(other);
            self.asm.op2(Code::Mov_r64_rm64, Register::RAX, at(Register::RSP, FIRST_WARP));
            self.check_place(behind, other);
            self.asm.op1(Code::Dec_rm32, at(Register::RSP, TURNS_LEFT));
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, WAITING), 0);
            self.enter_warp(behind);
        }
        self.asm.place(other);
    }

    /// The end of a warp whose lanes have all come to it together: the next one's turn. Does nothing but mark the block for other warps.
    pub fn chain(&mut self) {
        if !self.chained {
            return;
        }
        let (other, last) = (self.asm.label(), self.asm.label());
        let whole = |offset: u32| at(WARP, offset.into());
        self.asm.op2i(Code::Cmp_rm32_imm8, at(Register::RSP, WAITING), waiting::CHAINED as i32);
        self.asm.jne(other);
        // Active lanes and those that have not ended, at once.
        self.asm.op2i(Code::Cmp_rm64_imm8, whole(self.layout.active), -1);
        self.asm.jne(other);
        self.asm.op2i(Code::Cmp_rm32_imm8, whole(self.layout.paths), 0);
        self.asm.jne(other);
        self.asm.op2i(Code::Mov_rm32_imm32, whole(self.layout.position), 0);
        if self.flow.depth.iter().any(|&depth| depth > 0) {
            self.asm.op2i(Code::Mov_rm32_imm32, whole(self.layout.jumps), 0);
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, whole(self.layout.next));
        self.asm.op2(Code::Test_rm64_r64, Register::RAX, Register::RAX);
        self.asm.je(last);
        self.asm.op2(Code::Mov_r64_rm64, WARP, Register::RAX);
        self.asm.op2(Code::Mov_r64_rm64, FRAME, whole(self.layout.frame));
        // All lanes were active, as they nearly always are.
        let part = self.asm.label();
        self.asm.op2i(Code::Cmp_rm32_imm8, whole(self.layout.active), -1);
        self.asm.jne(part);
        self.late.push(Late::Chained { label: part });
        let flow = self.flow;
        members(flow.live_in.of(0)).filter(|register| !flow.stays.contains(register)).for_each(|r| self.fetch(r));
        self.asm.jmp(self.bodies[0]);
        self.asm.place(last);
        self.asm.number(Register::RAX, outcome::DONE.into());
        self.asm.jmp(self.leave);
        self.asm.place(other);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, whole(self.layout.around));
        self.asm.op2i(Code::Mov_rm8_imm8, at(Register::RAX, self.layout.dirty.into()), 1);
    }

    /// Jumps unless the warp in `rax` is at a position.
    pub(super) fn check_place(&mut self, position: usize, otherwise: crate::assembler::Label) {
        self.asm.op2i(Code::Cmp_rm32_imm8, at(Register::RAX, self.layout.alive.into()), 0);
        self.asm.je(otherwise);
        self.compare_number(at(Register::RAX, self.layout.position.into()), position as u32);
        self.asm.jne(otherwise);
    }

    /// It goes on there.
    pub(super) fn enter_warp(&mut self, position: usize) {
        self.asm.op2(Code::Mov_r64_rm64, WARP, Register::RAX);
        self.begin_warp();
        let block = self.flow.block_at[position];
        self.asm.jmp(self.entries[block as usize]);
    }

    /// The warp is another one.
    fn begin_warp(&mut self) {
        // Whoever handles a fault looks there.
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, at(WARP, self.layout.around.into()));
        self.asm.op2(Code::Mov_rm64_r64, at(Register::RAX, self.layout.running.into()), WARP);
        self.asm.op2(Code::Mov_r64_rm64, FRAME, at(WARP, self.layout.frame.into()));
        self.active();
    }

    /// The same wherever it is.
    pub(super) fn enter_anywhere(&mut self) {
        self.begin_warp();
        let table = self.entry_table.as_ptr() as u64;
        self.jump_by(table);
    }

    /// Jumps to what a table says for the warp's position.
    pub fn jump_by(&mut self, table: u64) {
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(WARP, self.layout.position.into()));
        self.asm.number(Register::RDX, table);
        let place = crate::assembler::indexed_by(Register::RDX, Register::RAX, 8, 0);
        self.asm.op1(Code::Jmp_rm64, place);
    }

    /// Bytes of the stack that the code has for itself.
    fn own(&self) -> i32 {
        if self.combining.any { OWN + super::combine::BYTES as i32 } else { OWN }
    }

    /// Loads the masks of active lanes.
    pub fn active(&mut self) {
        let active = i64::from(self.layout.active);
        self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K1, at(WARP, active));
        self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K2, at(WARP, active + 2));
    }

    /// Where each block is entered with its registers in the frame.
    pub fn entries(&mut self) {
        for block in 0..self.flow.count() {
            self.asm.place_exposed(self.entries[block]);
            let (flow, own) = (self.flow, core::mem::take(&mut self.own));
            common(flow.live_in.of(block), own.of(FETCHED)).for_each(|register| self.fetch(register));
            self.own = own;
            self.look_again(block);
            self.asm.jmp(self.bodies[block]);
        }
    }

    /// Loads a register from the frame.
    pub fn fetch(&mut self, register: u32) {
        let offset = i64::from(register * SLOT);
        let wide = self.wide(register * SLOT);
        match self.homes[register as usize] {
            Home::Frame => {}
            Home::Place(slot) => {
                for piece in 0..2 {
                    let [from, to] = [offset, i64::from(slot * SLOT)].map(|place| place + 64 * piece);
                    self.asm.load(zmm(5), FRAME, from);
                    self.asm.store(FRAME, to, zmm(5));
                }
            }
            Home::General(n) => {
                let to = GENERAL[usize::from(n)];
                if wide {
                    self.asm.op2(Code::Mov_r64_rm64, to, at(FRAME, offset));
                } else {
                    self.asm.op2(Code::Mov_r32_rm32, narrow(to), at(FRAME, offset));
                }
            }
            Home::Single(n) => {
                let code =
                    if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
                self.asm.op2(code, zmm(FIRST + u32::from(n)), at(FRAME, offset));
            }
            Home::Vector(first) => {
                for piece in 0..if wide { 4 } else { 2 } {
                    let to = zmm(FIRST + u32::from(first) + piece);
                    self.asm.load(to, FRAME, offset + 64 * i64::from(piece));
                }
            }
        }
    }

    /// Puts a vector register into the frame, as the interpreter wants it.
    fn store_vector(&mut self, register: u32) {
        let (offset, loose) = (register * SLOT, self.loose[register as usize]);
        match self.homes[register as usize] {
            Home::Frame if loose => self.fix(offset),
            Home::Place(slot) => {
                for piece in 0..2 {
                    let [from, to] = [slot * SLOT, offset].map(|place| i64::from(place) + 64 * piece);
                    if loose {
                        self.canonical_in(from, to);
                    } else {
                        self.asm.load(zmm(5), FRAME, from);
                        self.asm.store(FRAME, to, zmm(5));
                    }
                }
            }
            _ => self.store_pieces(register, loose),
        }
    }

    /// The same as it is, or with the NaNs of the device.
    fn store_pieces(&mut self, register: u32, canonical: bool) {
        let offset = i64::from(register * SLOT);
        let Home::Vector(first) = self.homes[register as usize] else { return };
        if self.unit.registers[register as usize].early {
            // It is there.
            return;
        }
        for piece in 0..if self.wide(register * SLOT) { 4 } else { 2 } {
            let mut from = zmm(FIRST + u32::from(first) + piece);
            if canonical {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, zmm(5), from);
                self.canonical(zmm(5));
                from = zmm(5);
            }
            self.asm.store(FRAME, offset + 64 * i64::from(piece), from);
        }
    }

    /// Writes all lanes of a number that stands for them into the frame.
    fn store_lanes(&mut self, register: u32) {
        if let (Home::General(n), 0) = (self.homes[register as usize], self.unit.registers[register as usize].bytes) {
            // A predicate.
            self.store_number(register, usize::from(n));
            return;
        }
        let Some(stride) = self.values.kept(register) else { return self.store_halves_of(register) };
        if self.unit.registers[register as usize].early {
            return;
        }
        let (offset, wide) = (register * SLOT, self.wide(register * SLOT));
        for piece in (0..if wide { 4 } else { 2 }).rev() {
            // The first piece last: it is read from the frame's first lane.
            if stride != 0 || piece == if wide { 3 } else { 1 } {
                self.spread(offset, piece, wide, stride, zmm(5));
            }
            self.asm.store(FRAME, i64::from(offset) + 64 * i64::from(piece), zmm(5));
        }
    }

    /// Keeps the first lane of a number in the frame, where a call would lose it.
    fn save_number(&mut self, register: u32) {
        self.store_single(register);
        if let Home::General(n) = self.homes[register as usize]
            && usize::from(n) < VOLATILE
        {
            self.store_number(register, usize::from(n));
        }
    }

    /// Writes the first lane of a number in a vector register, and others like it.
    fn store_single(&mut self, register: u32) {
        if let Home::Single(n) = self.homes[register as usize] {
            self.asm.store(FRAME, i64::from(register * SLOT), zmm(FIRST + u32::from(n)));
        }
    }

    /// Writes the first lane of a number in a general register.
    fn store_number(&mut self, register: u32, general: usize) {
        if self.unit.registers[register as usize].early {
            return;
        }
        let from = GENERAL[general];
        let to = at(FRAME, i64::from(register * SLOT));
        if self.wide(register * SLOT) {
            self.asm.op2(Code::Mov_rm64_r64, to, from);
        } else {
            self.asm.op2(Code::Mov_rm32_r32, to, narrow(from));
        }
    }

    /// Begins with what may not be in the frame where a block begins.
    pub fn begin_saved(&mut self, block: usize) {
        for set in [&mut self.unsaved, &mut self.unfixed] {
            let all = set.all.as_ref().map(|all| all.of(block));
            match (&mut set.now, all) {
                (Some(now), Some(all)) => now.copy_from_slice(all),
                (now, all) => *now = all.map(<[u64]>::to_vec),
            }
        }
    }

    /// Takes note of what a step writes, or puts into the frame.
    pub fn note_saved(&mut self, at: usize) {
        if self.unsaved.now.is_none() && self.unfixed.now.is_none() {
            return;
        }
        let calls = self.asm.level() != Level::Avx2;
        if !(Saves { calls, rough: None }).has(self.unit, at) {
            for &register in self.flow.writes(at) {
                let sets = [&mut self.unsaved, &mut self.unfixed].into_iter().filter_map(|set| set.now.as_mut());
                sets.for_each(|now| insert(now, register));
            }
            return;
        }
        for set in [&mut self.unsaved, &mut self.unfixed] {
            if let Some(now) = &mut set.now {
                let saves = Saves { calls, rough: set.rough.as_deref() };
                self.flow.write_from(self.unit, at..at + 1, &saves, now);
            }
        }
    }

    /// What stands behind all blocks is run from anywhere.
    pub fn end_saved(&mut self) {
        (self.unsaved.now, self.unfixed.now) = (None, None);
    }

    /// Puts what is live into the frame for compiled code: of numbers that stand for all lanes the first lane; of vectors those that
    /// may not be there as they are.
    pub fn store_lean(&mut self, live: &[u64]) {
        for register in members(live) {
            if !self.unsaved.is_there(register) {
                self.store_pieces(register, false);
            }
            self.store_single(register);
            if let Home::General(n) = self.homes[register as usize] {
                self.store_number(register, usize::from(n));
            }
        }
    }

    /// Puts everything that is live into the frame.
    pub fn store_all(&mut self, live: &[u64]) {
        let own = core::mem::take(&mut self.own);
        for register in common(live, own.of(STORED)) {
            self.store_vector(register);
            self.store_lanes(register);
        }
        self.own = own;
    }

    /// Calls the interpreter's step.
    pub fn call(&mut self, at_step: usize, before: &[u64], after: &[u64]) {
        self.store_for_call(at_step, before);
        self.call_step(at_step, before, after);
        self.fetch_vectors(at_step, after);
    }

    /// Whether a vector outlasts a call that has nothing to do with it. With AVX2 vector registers have homes in memory of the code's
    /// own.
    fn outlasts_calls(&self, register: u32) -> bool {
        self.asm.level() == Level::Avx2 && matches!(self.homes[register as usize], Home::Vector(_))
    }

    /// The same unless its guard holds for no active lane. Of several such steps behind each other the first puts vectors into
    /// the frame, and the last fetches them.
    pub fn call_in_row(&mut self, at_step: usize, before: &[u64], after: &[u64]) {
        let unit = self.unit;
        let guarded = unit.steps[at_step].guard != UNGUARDED;
        let is_next = |step: &crate::unit::Step| matches!(step.operation, Operation::Step);
        let goes_on = unit.steps.get(at_step + 1).is_some_and(is_next) && self.flow.block_at[at_step + 1] == NOWHERE;
        let goes_on = goes_on && self.asm.level() != Level::Avx2;
        let in_frame = core::mem::replace(&mut self.in_frame, goes_on);
        if !in_frame && (goes_on || !guarded) {
            self.store_for_call(at_step, before);
        }
        let past = guarded.then(|| self.skip_unless_guarded(&unit.steps[at_step]));
        let whole = !in_frame && !goes_on && guarded;
        if whole {
            self.store_for_call(at_step, before);
        }
        self.call_step(at_step, before, after);
        if whole {
            self.fetch_vectors(at_step, after);
        }
        if let Some(past) = past {
            self.asm.place(past);
        }
        if !whole && !goes_on {
            self.fetch_vectors(at_step, after);
        }
    }

    /// What a step reads of the frame.
    fn read_by_call(&self, at_step: usize, before: &[u64]) -> List {
        let unit = self.unit;
        let step = &unit.steps[at_step];
        let mut reads = List::new();
        self.flow.touches(at_step, |register| reads.push(register), |_, _| {});
        if !matches!(step.operation, Operation::Step) {
            // All that a native step names, whatever the form.
            let all = step.from.iter().map(|offset| offset / SLOT);
            reads.extend(all.filter(|&slot| (slot as usize) < unit.registers.len() && has(before, slot)));
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// Puts vectors that are live and would not outlast the call of a step, and those that it reads, into the frame.
    fn store_for_call(&mut self, at_step: usize, before: &[u64]) {
        let reads = self.read_by_call(at_step, before);
        let own = core::mem::take(&mut self.own);
        for register in common(before, own.of(VECTORS_STORED)) {
            let wanted = !self.outlasts_calls(register) || reads.binary_search(&register).is_ok();
            // Of registers that lanes on another way want, too, it is not known what has been written there.
            let is_there = self.unfixed.is_there(register) && !self.flow.masked[register as usize];
            if wanted && !is_there {
                self.store_vector(register);
            }
        }
        self.own = own;
        reads.into_iter().filter(|&register| !has(before, register)).for_each(|register| self.store_vector(register));
    }

    /// Fetches vectors that the frame has as the call of a step has left them.
    fn fetch_vectors(&mut self, at_step: usize, live: &[u64]) {
        let flow = self.flow;
        let writes = flow.writes(at_step);
        let own = core::mem::take(&mut self.own);
        for register in common(live, own.of(FETCHED)) {
            if let Home::Vector(_) = self.homes[register as usize]
                && (!self.outlasts_calls(register) || writes.contains(&register))
            {
                self.fetch(register);
            }
        }
        self.own = own;
    }

    /// What a step writes.
    pub(super) fn written_by(&self, at_step: usize) -> List {
        let mut writes = List::new();
        self.flow.touches(at_step, |_| {}, |register, _| writes.push(register));
        writes
    }

    /// Calls the interpreter's step, with vectors in the frame, where they stay.
    fn call_step(&mut self, at_step: usize, before: &[u64], after: &[u64]) {
        self.add_sums();
        let live = before.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        match self.left.checked_sub(before.len() + live) {
            Some(left) => self.left = left,
            None => {
                self.full = true;
                return;
            }
        }
        let reads = self.read_by_call(at_step, before);
        let own = core::mem::take(&mut self.own);
        for register in common(before, own.of(SAVED_BY_CALLS)) {
            if reads.binary_search(&register).is_ok() {
                self.store_lanes(register);
            }
            self.save_number(register);
        }
        for &register in reads.iter().filter(|&&register| !has(before, register)) {
            self.store_lanes(register);
        }
        self.fill_lean(at_step);
        self.set_flushing(false);
        self.spare_pointers(false);
        self.asm.op2(Code::Mov_r64_rm64, Register::RDI, WARP);
        self.asm.number(Register::RSI, at_step as u64);
        self.call_out(self.layout.call);
        self.asm.op2(Code::Test_rm32_r32, Register::EAX, Register::EAX);
        let label = self.asm.label();
        self.asm.jne(label);
        let union: Vec<u64> = before.iter().zip(after).map(|(a, b)| a | b).collect();
        let flow = self.flow;
        let writes = flow.writes(at_step);
        let in_frame = |register: &u32| reads.binary_search(register).is_ok() || writes.contains(register);
        let kept = members(&union).filter(|&register| self.outlasts_calls(register) && !in_frame(&register)).collect();
        self.late.push(Late::Leave { label, live: union, kept });
        self.set_flushing(self.flushes);
        self.active();
        self.spare_pointers(true);
        for register in common(after, own.of(FETCHED)) {
            match self.homes[register as usize] {
                Home::General(n) if usize::from(n) >= VOLATILE && !writes.contains(&register) => {}
                Home::Vector(_) => {}
                _ => self.fetch(register),
            }
        }
        self.own = own;
        self.load_pins();
    }

    /// Writes all lanes of what a step reads of vectors with the first lane alone.
    fn fill_lean(&mut self, at_step: usize) {
        let unit = self.unit;
        for offset in unit.steps[at_step].from {
            let Some(&wide) = unit.lean.get(&(offset / SLOT)) else { continue };
            self.spread(offset, 0, wide, 0, zmm(5));
            for piece in 0..if wide { 4 } else { 2 } {
                self.asm.store(FRAME, i64::from(offset) + 64 * piece, zmm(5));
            }
        }
    }

    /// Code that stands behind all other.
    pub fn late(&mut self, late: Late) {
        match late {
            Late::Folded { label, back, at } => {
                let behind = self.asm.label();
                self.late(Late::Slow { label, back: behind, at });
                self.asm.place(behind);
                self.vector(at + 1, &self.unit.steps[at + 1]);
                self.asm.jmp(back);
            }
            Late::Slow { label, back, at } => {
                self.asm.place(label);
                self.add_sums();
                let unit = self.unit;
                if let Some(scaled) = unit.steps[at].scaled {
                    self.make_up(&scaled.left);
                }
                let (mut reads, mut writes) = (List::new(), List::new());
                self.flow.touches(at, |r| reads.push(r), |r, _| writes.push(r));
                reads.sort_unstable();
                reads.dedup();
                for &register in &reads {
                    self.store_vector(register);
                    self.store_lanes(register);
                }
                self.fill_lean(at);
                self.asm.number(Register::RAX, at as u64);
                self.asm.op1(Code::Push_r64, Register::RAX);
                self.call_thunk(0);
                // A load or a store that does not go on has failed: nobody needs the registers.
                self.asm.op2(Code::Test_rm32_r32, Register::EAX, Register::EAX);
                self.asm.jne(self.leave);
                for register in writes {
                    self.fetch(register);
                }
                self.asm.jmp(back);
            }
            Late::Canonical { label, back, halves } => {
                self.asm.place(label);
                halves.into_iter().for_each(|half| self.canonical(half));
                self.asm.jmp(back);
            }
            Late::Call { label, back, at, before, after } => {
                self.asm.place(label);
                self.call(at, &before, &after);
                self.asm.jmp(back);
            }
            Late::Interpret { label, at: position, live, outcome } => {
                self.asm.place(label);
                self.make_up_before(position);
                self.store_all(&live);
                self.asm.op2i(Code::Mov_rm32_imm32, at(WARP, self.layout.position.into()), position as i32);
                self.asm.number(Register::RAX, outcome.into());
                self.asm.jmp(self.leave);
            }
            Late::Leave { label, live, kept } => {
                self.asm.place(label);
                kept.into_iter().for_each(|register| self.store_vector(register));
                let own = core::mem::take(&mut self.own);
                for register in common(&live, own.of(STORED)) {
                    // Those in registers that a call keeps are there still, the others in their first lane.
                    let volatile = match self.homes[register as usize] {
                        Home::General(n) => usize::from(n) < VOLATILE,
                        home => matches!(home, Home::Single(_)),
                    };
                    if volatile {
                        self.fetch(register);
                    }
                    self.store_lanes(register);
                }
                self.own = own;
                self.asm.number(Register::RAX, outcome::FLOW.into());
                self.asm.jmp(self.leave);
            }
            Late::Tired { label, target, weight } => {
                self.asm.place(label);
                self.add_sums();
                self.asm.number(Register::RAX, u64::from(target) | u64::from(weight) << 32);
                self.asm.op1(Code::Push_r64, Register::RAX);
                self.call_thunk(3);
                self.leave_with(self.flow.live_in.of(self.flow.block_of(target as usize)));
            }
            Late::Part { label, at, parted } => {
                self.asm.place(label);
                self.part(at, parted);
            }
            Late::PartInTurn { label, at, all, parted } => {
                self.asm.place(label);
                self.part_in_turn(at, all, parted);
            }
            Late::Compare { label, back, at, lanes, then } => {
                self.asm.place(label);
                self.late_compare(at, lanes, then);
                self.asm.jmp(back);
            }
            Late::Beyond { label, back, slow, stride, extent } => {
                self.asm.place(label);
                self.look_beyond(back, slow, stride, extent);
            }
            Late::Outside { label, back, slow, at, bytes } => {
                self.asm.place(label);
                let unit = self.unit;
                self.look_at_wide(&unit.steps[at], bytes, slow);
                self.asm.jmp(back);
            }
            Late::Odd { label } => {
                self.asm.place(label);
                self.asm.number(Register::RAX, outcome::INTERPRET.into());
                self.asm.jmp(self.leave);
            }
            Late::Chained { label } => {
                self.asm.place(label);
                self.active();
                self.asm.jmp(self.entries[0]);
            }
            Late::Unforeseen { label, at, lanes, known, tail } => {
                self.asm.place(label);
                self.late_unforeseen(at, lanes, &known, tail);
            }
            Late::Assumed { label, known, to } => {
                self.asm.place(label);
                self.write_assumed(&known);
                self.asm.jmp(to);
            }
            Late::Tail(tail) => self.tail(tail),
            Late::Few(few) => self.few(few),
            Late::TurnEnd(end) => self.end_turn(end),
            Late::Roots { label, back, at, pieces } => self.late_roots(label, back, at, pieces),
            Late::Runs(runs) => self.late_runs(runs),
            Late::Unlikely { label, back, slow, at } => {
                self.asm.place(label);
                self.unlikely(back, slow, at);
            }
            Late::Sums { label, back } => {
                self.asm.place(label);
                self.add_sums();
                self.asm.jmp(back);
            }
        }
    }

    /// Calls a function of the engine. Code without wide vectors is slow while their upper halves are in use.
    fn call_out(&mut self, function: usize) {
        self.asm.op0(Code::VEX_Vzeroupper);
        self.asm.number(Register::RAX, function as u64);
        self.asm.op1(Code::Call_rm64, Register::RAX);
        self.asm.hold(None);
    }

    pub fn call_thunk(&mut self, number: usize) {
        let label = self.thunks[number];
        self.asm.call(label);
        self.asm.hold(None);
    }

    /// Jumps to the warp's position, if it goes on here. Else lanes may need what is live: nothing, if all have come to the end.
    pub fn go_on(&mut self, live: &[u64]) {
        self.asm.op2(Code::Test_rm32_r32, Register::EAX, Register::EAX);
        let out = if self.unit.apart { self.asm.label() } else { self.leave_all };
        self.asm.jne(out);
        let table = self.table.as_ptr() as u64;
        self.jump_by(table);
        if self.unit.apart {
            self.asm.place(out);
            self.leave_with(live);
        }
    }

    /// Leaves with the outcome in `eax`, and with what is live in the frame. Code for a whole warp puts everything there. Code for parts
    /// must not: what is dead here may be live where others wait, and may never have been fetched.
    fn leave_with(&mut self, live: &[u64]) {
        if !self.unit.apart {
            self.asm.jmp(self.leave_all);
            return;
        }
        self.asm.op1(Code::Push_r64, Register::RAX);
        self.store_all(live);
        self.asm.op1(Code::Pop_r64, Register::RAX);
        self.asm.jmp(self.leave);
    }

    /// The ways out, and the calls that keep registers.
    pub fn ends(&mut self) {
        self.turn();
        self.join();
        self.asm.place(self.leave_all);
        if !self.unit.apart {
            // With all registers put into the frame that may live where a block begins. Those that are dead there do no harm.
            self.asm.op1(Code::Push_r64, Register::RAX);
            let mut live = vec![0; self.flow.live_in.words()];
            for block in 0..self.flow.count() {
                live.iter_mut().zip(self.flow.live_in.of(block)).for_each(|(all, own)| *all |= own);
            }
            self.store_all(&live);
            self.asm.op1(Code::Pop_r64, Register::RAX);
        }
        self.asm.place(self.leave);
        self.add_sums();
        if self.flushes {
            self.load_control(false);
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, WARP);
        self.asm.op0(Code::VEX_Vzeroupper);
        let own = self.own();
        self.asm.give_stack(own);
        for register in [Register::R15, Register::R14, Register::R13, Register::R12, Register::RBP, Register::RBX] {
            self.asm.op1(Code::Pop_r64, register);
        }
        self.asm.op0(Code::Retnq);
        self.sums_thunk();
        let mut used = self.pins.used;
        // With AVX2 they have homes in memory of the code's own.
        let homes = if self.asm.level() == Level::Avx2 { &[][..] } else { &self.homes };
        for (home, register) in homes.iter().zip(&self.unit.registers) {
            match *home {
                Home::Vector(first) => used[usize::from(first)..][..if register.bytes == 8 { 4 } else { 2 }].fill(true),
                Home::Single(n) => used[usize::from(n)] = true,
                Home::Frame | Home::Place(_) | Home::General(_) => {}
            }
        }
        let functions = [self.layout.call, self.layout.part, self.layout.arrive, self.layout.tire];
        let save = self.asm.label();
        for (number, function) in functions.into_iter().enumerate() {
            self.asm.place(self.thunks[number]);
            self.asm.number(Register::RAX, function as u64);
            if number + 1 < functions.len() {
                self.asm.jmp(save);
            }
        }
        self.asm.place(save);
        // The argument lies on the stack, below the return address: two halves of 32 bits.
        self.asm.op2i(Code::Sub_rm64_imm32, Register::RSP, SAVED);
        for n in (0..VECTORS).filter(|&n| used[n]) {
            let place = at(Register::RSP, 64 * n as i64);
            self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, place, zmm(FIRST + n as u32));
        }
        let general = |n: usize| at(Register::RSP, 64 * VECTORS as i64 + 8 * n as i64);
        for (n, &register) in GENERAL.iter().enumerate().take(VOLATILE) {
            self.asm.op2(Code::Mov_rm64_r64, general(n), register);
        }
        self.asm.op2(Code::Mov_rm64_r64, general(VOLATILE), Register::RAX);
        if self.flushes {
            self.load_control(false);
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RDI, WARP);
        self.asm.op2(Code::Mov_r32_rm32, Register::ESI, at(Register::RSP, i64::from(SAVED) + 8));
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, at(Register::RSP, i64::from(SAVED) + 12));
        // Code without wide vectors is slow while their upper halves are in use.
        self.asm.op0(Code::VEX_Vzeroupper);
        self.asm.op1(Code::Call_rm64, general(VOLATILE));
        if self.flushes {
            self.load_control(true);
        }
        for n in (0..VECTORS).filter(|&n| used[n]) {
            let place = at(Register::RSP, 64 * n as i64);
            self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(FIRST + n as u32), place);
        }
        for (n, &register) in GENERAL.iter().enumerate().take(VOLATILE) {
            self.asm.op2(Code::Mov_r64_rm64, register, general(n));
        }
        self.active();
        self.asm.op2i(Code::Add_rm64_imm32, Register::RSP, SAVED);
        self.asm.op1i(Code::Retnq_imm16, 8);
    }
}
