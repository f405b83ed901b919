//! Atomic operations: one lane after the other, as the interpreter does them, or several at once where nobody can tell
//! ([`super::alike`]).

use super::memory::Place;
use super::{Lower, xmm, ymm, zmm};
use crate::assembler::{Label, Operand, at, indexed, indexed_by, narrow};
use crate::encode::Memory;
use crate::flow::has;
use crate::operation::{Element, Number, Operation, Window};
use crate::unit::{SLOT, Step};
use iced_x86::{Code, Register};
use ptx::AtomicOperation;

/// Where the stack has saved registers, the addresses of all lanes, their operands, second operands and results, and which lanes
/// have one address.
pub const SAVED: i64 = 16;
pub const ADDRESSES: i64 = 64;
pub const OPERANDS: i64 = 320;
pub const OTHERS: i64 = 576;
pub const RESULTS: i64 = 832;
pub const GROUP: i64 = 1088;
/// Bytes of the stack up to there.
pub const LANES_END: i64 = 1104;

const KEPT: [Register; 6] = [Register::RSI, Register::RDI, Register::R8, Register::R9, Register::R10, Register::R11];
const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;

/// A word on the stack of the lane in `rdx`.
pub fn lane(offset: i64, wide: bool) -> Memory {
    indexed_by(Register::RSP, Register::RDX, if wide { 8 } else { 4 }, offset)
}

/// The code for words of 32 or of 64 bits.
pub(super) fn pick(wide: bool, narrow: Code, full: Code) -> Code {
    if wide { full } else { narrow }
}

/// The lower 16 bits of a general register.
fn short(register: Register) -> Register {
    Register::AX + (narrow(register) as u32 - Register::EAX as u32)
}

/// An atomic operation on the way.
pub(super) struct Atomic {
    pub change: AtomicOperation,
    /// Of the words.
    pub number: Number,
    /// Two numbers of 16 bits in a word.
    pub pair: bool,
    pub window: Window,
    /// Somebody looks at the result.
    pub gives: bool,
}

impl Atomic {
    pub fn wide(&self) -> bool {
        self.number.is_wide()
    }

    pub fn sized(&self, register: Register) -> Register {
        if self.wide() { register } else { narrow(register) }
    }

    /// Words of 16 bits: in registers they have zeros above them.
    fn is_short(&self) -> bool {
        self.number.narrow().is_some() && !self.pair
    }

    pub fn bytes(&self) -> u8 {
        match (self.wide(), self.is_short()) {
            (true, _) => 8,
            (_, true) => 2,
            _ => 4,
        }
    }

    /// It adds floating point numbers that fill their lanes.
    pub fn adds_floats(&self) -> bool {
        self.number.is_float() && self.number.narrow().is_none()
    }

    /// The instruction that fetches a word of memory.
    pub fn fetch(&self) -> Code {
        if self.is_short() { Code::Movzx_r32_rm16 } else { self.load() }
    }

    /// The one that puts it there, and the name of a register for that.
    pub fn put(&self, from: Register) -> (Code, Register) {
        match self.is_short() {
            true => (Code::Mov_rm16_r16, short(from)),
            false => (self.store(), self.sized(from)),
        }
    }

    /// The one that puts it there if what is there is in `rax`.
    pub fn exchange(&self, from: Register) -> (Code, Register) {
        match self.is_short() {
            true => (Code::Cmpxchg_rm16_r16, short(from)),
            false => (pick(self.wide(), Code::Cmpxchg_rm32_r32, Code::Cmpxchg_rm64_r64), self.sized(from)),
        }
    }

    pub fn load(&self) -> Code {
        pick(self.wide(), Code::Mov_r32_rm32, Code::Mov_r64_rm64)
    }

    pub fn store(&self) -> Code {
        pick(self.wide(), Code::Mov_rm32_r32, Code::Mov_rm64_r64)
    }

    /// It adds integers.
    pub fn counts(&self) -> bool {
        self.change == AtomicOperation::Add && !self.number.is_float()
    }

    /// Sums of integers that several lanes may make together.
    fn sums(&self) -> bool {
        self.counts() && !self.gives
    }

    /// The instruction that changes memory and gives nothing.
    pub fn direct(&self) -> Option<Code> {
        let wide = self.wide();
        match self.change {
            _ if self.gives || self.number.is_float() => None,
            AtomicOperation::Add => Some(pick(wide, Code::Add_rm32_r32, Code::Add_rm64_r64)),
            AtomicOperation::And => Some(pick(wide, Code::And_rm32_r32, Code::And_rm64_r64)),
            AtomicOperation::Or => Some(pick(wide, Code::Or_rm32_r32, Code::Or_rm64_r64)),
            AtomicOperation::Xor => Some(pick(wide, Code::Xor_rm32_r32, Code::Xor_rm64_r64)),
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// `red` and `atom`. False if it is left to the interpreter.
    pub fn atomic(&mut self, position: usize, step: &Step, after: &[u64]) -> bool {
        let Operation::Atomic { window, change, number, pair, generic, exact } = step.operation else { return false };
        let wide = number.is_wide();
        let slot = step.to[0] / SLOT;
        let known = (slot as usize) < self.unit.registers.len();
        let dead = known && (self.combining.is_unread(step.to[0]) || !has(after, slot));
        let gives = step.to[0] != u32::MAX && !dead;
        let operands = if change == AtomicOperation::CompareExchange { 2 } else { 1 };
        let unlike = |offset: u32| self.home(offset).is_some() && self.wide(offset) != wide;
        if gives && (self.home(step.to[0]).is_none() || unlike(step.to[0])) {
            return false;
        }
        if step.from[1..=operands].iter().any(|&from| unlike(from)) {
            return false;
        }
        let atomic = Atomic { change, number, pair, window, gives };
        let element = Element { bytes: atomic.bytes(), signed: false };
        let place = match self.kind(step, window, &element, 1) {
            Some(Place::Row(0)) => Place::Row(0),
            Some(_) if step.narrow && window == Window::Shared => Place::Narrow,
            Some(_) if !step.narrow && window == Window::Plain => Place::Wide,
            _ => return false,
        };
        let (slow, back) = self.late_step(position);
        for &from in &step.from[1..=operands] {
            self.fix(from);
        }
        self.guard(step);
        self.address(position, step, window, &element, 1, place, slow);
        let flushes = number == Number::F32 && window == Window::Plain && !exact;
        if generic && (flushes || number == Number::F64) {
            self.unless_shared(step, place, slow);
        }
        self.set_flushing(flushes);
        match place {
            Place::Row(_) => self.at_one_place(step, &atomic),
            _ => self.each(step, &atomic),
        }
        self.set_flushing(self.flushes);
        self.end_late(back);
        true
    }

    /// Addresses of vectors, as a whole.
    pub fn look_at_vectors(&mut self, position: usize, step: &Step, bytes: u8) {
        let (slow, back) = self.late_step(position);
        self.guard(step);
        match self.values.stride(step.from[0]) {
            Some(stride) if stride % i64::from(bytes) == 0 => {
                let (from, low) = (self.scalar_in(step.from[0], true, Register::RAX), i32::from(bytes) - 1);
                self.asm.op2(Code::Lea_r32_m, Register::EAX, at(from, step.offset & i64::from(low)));
                self.asm.op2i(Code::Test_rm32_imm32, Register::EAX, low);
                self.asm.jne(slow);
            }
            _ => {
                self.sum_wide(step);
                self.aligned(step, bytes.into(), slow);
            }
        }
        self.end_late(back);
    }

    /// Goes the slow way if the first active lane's address, in `zmm0` to `zmm3` or that of all lanes, leads to shared memory.
    fn unless_shared(&mut self, step: &Step, place: Place, slow: Label) {
        if let Place::Row(_) = place {
            self.asm.op2(Code::Mov_r64_rm64, Register::RCX, self.bases[0]);
        } else {
            for piece in 0..4 {
                self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * piece), zmm(piece as u32));
            }
            self.mask_of(step, Register::ECX);
            self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
            // Without a lane it is 32: what stands there is no address, and neither way changes anything.
            self.asm.op2(Code::Mov_r64_rm64, Register::RCX, lane(ADDRESSES, true));
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(super::WARP, self.layout.around.into()));
        self.asm.op2(Code::Sub_r64_rm64, Register::RCX, at(Register::RDX, self.layout.shared.into()));
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, at(Register::RDX, self.layout.shared_bytes.into()));
        self.asm.op2(Code::Cmp_r64_rm64, Register::RCX, Register::RDX);
        self.asm.jb(slow);
    }

    /// Adds a register to memory: as one step for all cores, unless only the thread that runs the block uses it.
    pub(super) fn change_memory(&mut self, atomic: &Atomic, place: Memory, by: Register) {
        let Some(code) = atomic.direct() else { return };
        if atomic.window == Window::Plain {
            self.asm.locked2(code, place, atomic.sized(by));
        } else {
            self.asm.op2(code, place, atomic.sized(by));
        }
    }

    /// Lane by lane: addresses of 64 bits in `zmm0` to `zmm3`, or offsets of 32 bits in `zmm0` and `zmm1` from `rax` on.
    fn each(&mut self, step: &Step, atomic: &Atomic) {
        let (wide, far) = (atomic.wide(), atomic.window == Window::Plain);
        let done = self.asm.label();
        for piece in 0..if far { 4 } else { 2 } {
            self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * i64::from(piece)), zmm(piece));
        }
        let once = self.is_once(step, atomic);
        if !once {
            self.lay_operands(step, atomic);
        }
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(done);
        self.keep_registers();
        if once {
            let by = self.scalar_operand(step.from[1], wide, Register::RDI);
            self.asm.op2(atomic.load(), atomic.sized(Register::RDI), by);
        }
        let end = self.asm.label();
        let otherwise = self.asm.label();
        if far && atomic.sums() && !wide && self.combining.now {
            self.collect(step, once, otherwise);
            self.asm.jmp(end);
        }
        if !far && atomic.counts() {
            self.unrolled(atomic, once, otherwise);
            self.asm.jmp(end);
        }
        self.asm.place(otherwise);
        // In shared memory, what one instruction does to a word takes no longer than finding out whose word it is.
        if far || !atomic.counts() && atomic.direct().is_none() {
            self.by_places(atomic, once);
        } else {
            self.lane_by_lane(atomic, once, None);
        }
        self.asm.place(end);
        self.fetch_registers();
        self.asm.place(done);
        self.give_results(step, atomic);
    }

    /// Puts the registers onto the stack that lanes are worked on in.
    pub(super) fn keep_registers(&mut self) {
        for (n, register) in (0..).zip(KEPT) {
            self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED + 8 * n), register);
        }
    }

    pub(super) fn fetch_registers(&mut self) {
        for (n, register) in (0..).zip(KEPT) {
            self.asm.op2(Code::Mov_r64_rm64, register, at(Register::RSP, SAVED + 8 * n));
        }
    }

    /// The results, from the stack.
    pub(super) fn give_results(&mut self, step: &Step, atomic: &Atomic) {
        let wide = atomic.wide();
        if atomic.gives {
            for piece in 0..if wide { 4 } else { 2 } {
                let target = self.target(step, step.to[0], piece);
                let from = at(Register::RSP, RESULTS + 64 * i64::from(piece));
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, target, from);
                self.put(step, step.to[0], piece, wide, target);
            }
        }
    }

    /// Puts the operands of all lanes onto the stack.
    pub(super) fn lay_operands(&mut self, step: &Step, atomic: &Atomic) {
        self.lay(step.from[1], atomic.wide(), OPERANDS);
        if atomic.change == AtomicOperation::CompareExchange {
            self.lay(step.from[2], atomic.wide(), OTHERS);
        }
    }

    /// Puts an operand's lanes onto the stack.
    pub fn lay(&mut self, operand: u32, wide: bool, to: i64) {
        for piece in 0..if wide { 4 } else { 2 } {
            let value = self.piece_in(operand, piece, wide, zmm(4));
            self.asm.op2(STORE, at(Register::RSP, to + 64 * i64::from(piece)), value);
        }
    }

    /// Additions in shared memory by a whole warp; part of one goes elsewhere.
    fn unrolled(&mut self, atomic: &Atomic, once: bool, otherwise: Label) {
        self.asm.op2i(Code::Cmp_rm32_imm8, Register::ECX, -1);
        self.asm.jne(otherwise);
        let (word, place) = (if atomic.wide() { 8 } else { 4 }, indexed(Register::RAX, Register::RSI, 0));
        for n in 0..32 {
            let [own, result] = [OPERANDS, RESULTS].map(|area| at(Register::RSP, area + word * n));
            self.asm.op2(Code::Mov_r32_rm32, Register::ESI, at(Register::RSP, ADDRESSES + 4 * n));
            if !once {
                self.asm.op2(atomic.load(), atomic.sized(Register::RDI), own);
            }
            if atomic.gives {
                let (old, new) = (atomic.sized(Register::R8), atomic.sized(Register::RDI));
                self.asm.op2(atomic.load(), old, place);
                self.asm.op2(pick(atomic.wide(), Code::Add_r32_rm32, Code::Add_r64_rm64), new, old);
                self.asm.op2(atomic.store(), place, new);
                self.asm.op2(atomic.store(), result, old);
            } else {
                self.change_memory(atomic, place, Register::RDI);
            }
        }
    }

    /// The lanes in `ecx`, from the first to the last one. With `once`, `rdi` is the operand of all. `place`: where all words are,
    /// if it is one place.
    pub(super) fn lane_by_lane(&mut self, atomic: &Atomic, once: bool, place: Option<Memory>) {
        let wide = atomic.wide();
        let again = self.asm.label();
        self.asm.place(again);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        if !once {
            self.asm.op2(atomic.fetch(), atomic.sized(Register::RDI), lane(OPERANDS, wide));
        }
        let place = place.unwrap_or_else(|| self.place_of_lane(atomic));
        self.change_word(atomic, place);
        if atomic.gives {
            self.asm.op2(atomic.store(), lane(RESULTS, wide), atomic.sized(Register::RDI));
        }
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(again);
    }

    /// Where the word of the lane in `rdx` is, by way of `rsi`.
    pub(super) fn place_of_lane(&mut self, atomic: &Atomic) -> Memory {
        if atomic.window == Window::Plain {
            self.asm.op2(Code::Mov_r64_rm64, Register::RSI, lane(ADDRESSES, true));
            return at(Register::RSI, 0);
        }
        self.asm.op2(Code::Mov_r32_rm32, Register::ESI, lane(ADDRESSES, false));
        indexed(Register::RAX, Register::RSI, 0)
    }

    /// A word, by the operand in `rdi`, which the old word replaces if anybody looks at it.
    pub(super) fn change_word(&mut self, atomic: &Atomic, place: Memory) {
        match atomic.window {
            Window::Plain => self.change_common(atomic, place),
            Window::Shared => self.change_alone(atomic, place),
        }
    }

    /// The word of a lane, by the operand in `rdi`, which the old word replaces. Only the thread that runs the block uses it.
    fn change_alone(&mut self, atomic: &Atomic, place: Memory) {
        if atomic.direct().is_some() {
            return self.change_memory(atomic, place, Register::RDI);
        }
        if atomic.adds_floats() && !atomic.gives {
            self.add_floats(atomic, place.into());
        } else {
            self.asm.op2(atomic.fetch(), atomic.sized(Register::R8), place);
            self.changed(atomic, Register::R8);
        }
        let (put, new) = atomic.put(Register::R9);
        self.asm.op2(put, place, new);
        if atomic.gives {
            self.asm.op2(Code::Mov_r64_rm64, Register::RDI, Register::R8);
        }
    }

    /// The same for a word that other cores may change meanwhile.
    fn change_common(&mut self, atomic: &Atomic, place: Memory) {
        let wide = atomic.wide();
        let operand = atomic.sized(Register::RDI);
        match atomic.change {
            _ if atomic.direct().is_some() => return self.change_memory(atomic, place, Register::RDI),
            AtomicOperation::Add if !atomic.number.is_float() => {
                return self.asm.locked2(pick(wide, Code::Xadd_rm32_r32, Code::Xadd_rm64_r64), place, operand);
            }
            AtomicOperation::Exchange => {
                return self.asm.op2(pick(wide, Code::Xchg_rm32_r32, Code::Xchg_rm64_r64), place, operand);
            }
            _ => {}
        }
        let (exchange, new) = atomic.exchange(Register::R9);
        if atomic.change == AtomicOperation::CompareExchange {
            self.asm.op2(Code::Mov_r64_rm64, Register::RAX, Register::RDI);
            self.asm.op2(atomic.load(), atomic.sized(Register::R9), lane(OTHERS, wide));
            self.asm.locked2(exchange, place, new);
        } else {
            self.asm.op2(atomic.fetch(), atomic.sized(Register::RAX), place);
            let again = self.asm.label();
            self.asm.place(again);
            self.changed(atomic, Register::RAX);
            self.asm.locked2(exchange, place, new);
            self.asm.jne(again);
        }
        if atomic.gives {
            self.asm.op2(Code::Mov_r64_rm64, Register::RDI, Register::RAX);
        }
    }

    /// What becomes of a word, into `r9`; the operand is in `rdi`.
    pub(super) fn changed(&mut self, atomic: &Atomic, old: Register) {
        let wide = atomic.wide();
        let [old, operand, new, scratch] = [old, Register::RDI, Register::R9, Register::R10].map(|r| atomic.sized(r));
        let load = atomic.load();
        let compare = pick(wide, Code::Cmp_r32_rm32, Code::Cmp_r64_rm64);
        let two = |lower: &mut Self, narrow: Code, full: Code| {
            lower.asm.op2(load, new, old);
            lower.asm.op2(pick(wide, narrow, full), new, operand);
        };
        let signed = atomic.number.is_signed();
        match atomic.change {
            AtomicOperation::Add if atomic.number.narrow().is_some() => self.add_halves(atomic, old),
            AtomicOperation::Add if atomic.number.is_float() => self.add_floats(atomic, old.into()),
            AtomicOperation::Add => two(self, Code::Add_r32_rm32, Code::Add_r64_rm64),
            AtomicOperation::And => two(self, Code::And_r32_rm32, Code::And_r64_rm64),
            AtomicOperation::Or => two(self, Code::Or_r32_rm32, Code::Or_r64_rm64),
            AtomicOperation::Xor => two(self, Code::Xor_r32_rm32, Code::Xor_r64_rm64),
            AtomicOperation::Min | AtomicOperation::Max => {
                self.asm.op2(load, new, operand);
                self.asm.op2(compare, old, operand);
                let code = match (atomic.change == AtomicOperation::Min, signed) {
                    (true, true) => pick(wide, Code::Cmovl_r32_rm32, Code::Cmovl_r64_rm64),
                    (true, false) => pick(wide, Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64),
                    (false, true) => pick(wide, Code::Cmovg_r32_rm32, Code::Cmovg_r64_rm64),
                    (false, false) => pick(wide, Code::Cmova_r32_rm32, Code::Cmova_r64_rm64),
                };
                self.asm.op2(code, new, old);
            }
            AtomicOperation::Exchange => self.asm.op2(load, new, operand),
            AtomicOperation::CompareExchange => {
                self.asm.op2(atomic.fetch(), new, lane(OTHERS, wide));
                self.asm.op2(compare, old, operand);
                self.asm.op2(pick(wide, Code::Cmovne_r32_rm32, Code::Cmovne_r64_rm64), new, old);
            }
            AtomicOperation::Increment => {
                // 0 from the bound on.
                self.asm.op2(pick(wide, Code::Lea_r32_m, Code::Lea_r64_m), scratch, at(crate::assembler::full(old), 1));
                self.asm.number(Register::R9, 0);
                self.asm.op2(compare, old, operand);
                self.asm.op2(pick(wide, Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64), new, scratch);
            }
            AtomicOperation::Decrement => {
                // One less, unless that is the bound or more: 0 becomes the largest number first.
                self.asm.op2(
                    pick(wide, Code::Lea_r32_m, Code::Lea_r64_m),
                    scratch,
                    at(crate::assembler::full(old), -1),
                );
                self.asm.op2(load, new, operand);
                self.asm.op2(compare, scratch, operand);
                self.asm.op2(pick(wide, Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64), new, scratch);
            }
        }
    }

    /// A sum of a word and the operand of the lane in `rdx` into `r9`, with the NaNs that the device gives.
    fn add_floats(&mut self, atomic: &Atomic, old: Operand) {
        let (wide, sum, new) = (atomic.wide(), zmm(4), atomic.sized(Register::R9));
        self.spread_word(atomic, old);
        let by = Memory { broadcasts: true, ..lane(OPERANDS, wide) };
        let add = pick(wide, Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er);
        // What is no number comes out quiet, the old one first: as the machine has it.
        self.asm.op3(add, sum, sum, by);
        self.asm.op2(pick(wide, Code::EVEX_Vmovd_rm32_xmm, Code::EVEX_Vmovq_rm64_xmm), new, xmm(sum));
        if !wide {
            let past = self.asm.label();
            self.compare_nan(atomic, Register::R9);
            self.asm.jbe(past);
            self.asm.number(Register::R9, 0x7fff_ffff);
            self.asm.place(past);
            return;
        }
        if atomic.window == Window::Shared {
            return;
        }
        // In global memory it stays as it is, the operand first.
        let Operand::Register(old) = old else { return };
        for from in [old, Register::RDI] {
            let past = self.asm.label();
            self.compare_nan(atomic, from);
            self.asm.jbe(past);
            self.asm.op2(Code::Mov_r64_rm64, new, from);
            self.asm.place(past);
        }
    }

    /// The same for numbers of 16 bits: they are added as f32, which is exact enough to be rounded once more.
    fn add_halves(&mut self, atomic: &Atomic, old: Register) {
        let (sum, other) = (zmm(4), zmm(5));
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, sum, narrow(old));
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, other, lane(OPERANDS, false));
        // The lower one of a pair into the first lane, the upper one into the second.
        for number in [sum, other] {
            if atomic.number == Number::F16 {
                self.asm.op2(Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, number, ymm(number));
                continue;
            }
            self.line32(|lane| if lane % 2 == 0 { 16 } else { 0 }, Register::R10);
            self.asm.op3(Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32, number, number, at(Register::R10, 0));
            self.line32(|_| 0xffff_0000, Register::R10);
            self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, number, number, at(Register::R10, 0));
        }
        self.asm.op3(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, sum, sum, other);
        self.half(atomic.number, 0, other, sum, Register::R10);
        if !atomic.pair {
            self.asm.op2(Code::EVEX_Vmovd_rm32_xmm, Register::R9D, xmm(other));
            return;
        }
        // A lane has 16 bits with zeros above them.
        self.asm.op2(Code::EVEX_Vmovq_rm64_xmm, Register::R9, xmm(other));
        self.asm.op2(Code::Mov_r64_rm64, Register::R10, Register::R9);
        self.asm.op2i(Code::Shr_rm64_imm8, Register::R10, 16);
        self.asm.op2(Code::Or_r32_rm32, Register::R9D, Register::R10D);
    }

    /// A word into all lanes of `zmm4`.
    pub(super) fn spread_word(&mut self, atomic: &Atomic, word: Operand) {
        let code = match word {
            Operand::Register(_) => {
                pick(atomic.wide(), Code::EVEX_Vpbroadcastd_zmm_k1z_r32, Code::EVEX_Vpbroadcastq_zmm_k1z_r64)
            }
            Operand::Memory(_) => {
                pick(atomic.wide(), Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64)
            }
        };
        self.asm.op2(code, zmm(4), word);
    }

    /// Compares so that `above` says whether a word, in a register, is no number. Changes `r10` and `r11`.
    pub(super) fn compare_nan(&mut self, atomic: &Atomic, word: Register) {
        if !atomic.wide() {
            self.asm.op2(Code::Lea_r32_m, Register::R10D, indexed(word, word, 0));
            self.asm.op2i(Code::Cmp_rm32_imm32, Register::R10D, 0xff00_0000u32 as i32);
            return;
        }
        self.asm.op2(Code::Lea_r64_m, Register::R10, indexed(word, word, 0));
        self.asm.number(Register::R11, 0xffe0_0000_0000_0000);
        self.asm.op2(Code::Cmp_r64_rm64, Register::R10, Register::R11);
    }
}
