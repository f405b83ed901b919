//! Atomic operations: one lane after the other, as the interpreter does them, or several at once where nobody can tell.

use super::memory::Place;
use super::{Lower, xmm, zmm};
use crate::assembler::{Label, Mask, at, indexed, indexed_by, narrow};
use crate::encode::Memory;
use crate::flow::has;
use crate::operation::{Element, Number, Operation, Window};
use crate::unit::{SLOT, Step};
use iced_x86::{Code, Register};
use ptx::AtomicOperation;

/// Where the stack has saved registers, the addresses of all lanes, their operands, which results take the place of, and second
/// operands.
pub const SAVED: i64 = 16;
pub const ADDRESSES: i64 = 64;
pub const OPERANDS: i64 = 320;
const OTHERS: i64 = 576;
/// Bytes of the stack up to there.
pub const LANES_END: i64 = 832;

const KEPT: [Register; 6] = [Register::RSI, Register::RDI, Register::R8, Register::R9, Register::R10, Register::R11];
const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
const EQUAL: i32 = 0;

/// A word on the stack of the lane in `rdx`.
pub fn lane(offset: i64, wide: bool) -> Memory {
    indexed_by(Register::RSP, Register::RDX, if wide { 8 } else { 4 }, offset)
}

/// The code for words of 32 or of 64 bits.
fn pick(wide: bool, narrow: Code, full: Code) -> Code {
    if wide { full } else { narrow }
}

/// An atomic operation on the way.
struct Atomic {
    change: AtomicOperation,
    /// Of the words.
    number: Number,
    window: Window,
    /// Somebody looks at the result.
    gives: bool,
}

impl Atomic {
    fn wide(&self) -> bool {
        self.number.is_wide()
    }

    fn sized(&self, register: Register) -> Register {
        if self.wide() { register } else { narrow(register) }
    }

    fn load(&self) -> Code {
        pick(self.wide(), Code::Mov_r32_rm32, Code::Mov_r64_rm64)
    }

    fn store(&self) -> Code {
        pick(self.wide(), Code::Mov_rm32_r32, Code::Mov_rm64_r64)
    }

    /// Sums of integers that several lanes may make together.
    fn sums(&self) -> bool {
        self.change == AtomicOperation::Add && !self.number.is_float() && !self.gives
    }

    /// The instruction that changes memory and gives nothing.
    fn direct(&self) -> Option<Code> {
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
        let Operation::Atomic { window, change, number, generic } = step.operation else { return false };
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
        let element = Element { bytes: if wide { 8 } else { 4 }, signed: false };
        let atomic = Atomic { change, number, window, gives };
        let alike = self.values.stride(step.from[1]) == Some(0);
        let place = match self.kind(step, window, &element, 1) {
            Some(Place::Row(0)) if atomic.sums() && alike => Place::Row(0),
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
        match place {
            Place::Row(_) => self.add_once(step, &atomic),
            _ => {
                if number.is_float() && generic {
                    self.unless_shared(step, slow);
                }
                self.set_flushing(number == Number::F32 && window == Window::Plain);
                self.each(step, &atomic);
                self.set_flushing(self.flushes);
            }
        }
        self.end_late(back);
        true
    }

    /// Goes the slow way if the first active lane's address, in `zmm0` to `zmm3`, leads to shared memory.
    fn unless_shared(&mut self, step: &Step, slow: Label) {
        for piece in 0..4 {
            self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * piece), zmm(piece as u32));
        }
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        // Without a lane it is 32: what stands there is no address, and neither way changes anything.
        self.asm.op2(Code::Mov_r64_rm64, Register::RCX, lane(ADDRESSES, true));
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(super::WARP, self.layout.around.into()));
        self.asm.op2(Code::Sub_r64_rm64, Register::RCX, at(Register::RDX, self.layout.shared.into()));
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, at(Register::RDX, self.layout.shared_bytes.into()));
        self.asm.op2(Code::Cmp_r64_rm64, Register::RCX, Register::RDX);
        self.asm.jb(slow);
    }

    /// One place, one operand: as often as there are lanes.
    fn add_once(&mut self, step: &Step, atomic: &Atomic) {
        let wide = atomic.wide();
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Popcnt_r32_rm32, Register::ECX, Register::ECX);
        let by = self.scalar_operand(step.from[1], wide, Register::RDX);
        let product = pick(wide, Code::Imul_r32_rm32, Code::Imul_r64_rm64);
        self.asm.op2(product, atomic.sized(Register::RCX), by);
        self.change_memory(atomic, at(Register::RAX, 0), Register::RCX);
    }

    /// Adds a register to memory: as one step for all cores, unless only the thread that runs the block uses it.
    fn change_memory(&mut self, atomic: &Atomic, place: Memory, by: Register) {
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
        let alike = self.values.stride(step.from[1]) == Some(0);
        let once = alike && atomic.sums();
        if !once {
            self.lay(step.from[1], wide, OPERANDS);
        }
        if atomic.change == AtomicOperation::CompareExchange {
            self.lay(step.from[2], wide, OTHERS);
        }
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(done);
        for (n, register) in (0..).zip(KEPT) {
            self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED + 8 * n), register);
        }
        if once {
            let by = self.scalar_operand(step.from[1], wide, Register::RDI);
            self.asm.op2(atomic.load(), atomic.sized(Register::RDI), by);
        }
        if far && atomic.sums() {
            let (otherwise, end) = (self.asm.label(), self.asm.label());
            if self.combining.now && !wide {
                self.collect(step, once, otherwise);
                self.asm.jmp(end);
            }
            self.end_late(otherwise);
            self.sum_alike(atomic, once);
            self.end_late(end);
        } else {
            let loops = self.asm.label();
            let end = self.asm.label();
            if !far && atomic.change == AtomicOperation::Add && !atomic.number.is_float() {
                self.unrolled(atomic, once, loops);
                self.asm.jmp(end);
            }
            self.asm.place(loops);
            self.lane_by_lane(atomic, once);
            self.asm.place(end);
        }
        for (n, register) in (0..).zip(KEPT) {
            self.asm.op2(Code::Mov_r64_rm64, register, at(Register::RSP, SAVED + 8 * n));
        }
        self.asm.place(done);
        if atomic.gives {
            for piece in 0..if wide { 4 } else { 2 } {
                let target = self.target(step, step.to[0], piece);
                let from = at(Register::RSP, OPERANDS + 64 * i64::from(piece));
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, target, from);
                self.put(step, step.to[0], piece, wide, target);
            }
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
            let own = at(Register::RSP, OPERANDS + word * n);
            self.asm.op2(Code::Mov_r32_rm32, Register::ESI, at(Register::RSP, ADDRESSES + 4 * n));
            if !once {
                self.asm.op2(atomic.load(), atomic.sized(Register::RDI), own);
            }
            if atomic.gives {
                let (old, new) = (atomic.sized(Register::R8), atomic.sized(Register::RDI));
                self.asm.op2(atomic.load(), old, place);
                self.asm.op2(pick(atomic.wide(), Code::Add_r32_rm32, Code::Add_r64_rm64), new, old);
                self.asm.op2(atomic.store(), place, new);
                self.asm.op2(atomic.store(), own, old);
            } else {
                self.change_memory(atomic, place, Register::RDI);
            }
        }
    }

    /// The lanes in `ecx`, from the first to the last one. With `once`, `rdi` is what all of them add.
    fn lane_by_lane(&mut self, atomic: &Atomic, once: bool) {
        let wide = atomic.wide();
        let again = self.asm.label();
        self.asm.place(again);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        if !once {
            self.asm.op2(atomic.load(), atomic.sized(Register::RDI), lane(OPERANDS, wide));
        }
        if atomic.window == Window::Plain {
            self.asm.op2(Code::Mov_r64_rm64, Register::RSI, lane(ADDRESSES, true));
            self.change_common(atomic, at(Register::RSI, 0));
        } else {
            self.asm.op2(Code::Mov_r32_rm32, Register::ESI, lane(ADDRESSES, false));
            self.change_alone(atomic, indexed(Register::RAX, Register::RSI, 0));
        }
        if atomic.gives {
            self.asm.op2(atomic.store(), lane(OPERANDS, wide), atomic.sized(Register::RDI));
        }
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(again);
    }

    /// The word of a lane, by the operand in `rdi`, which the old word replaces. Only the thread that runs the block uses it.
    fn change_alone(&mut self, atomic: &Atomic, place: Memory) {
        if atomic.direct().is_some() {
            return self.change_memory(atomic, place, Register::RDI);
        }
        self.asm.op2(atomic.load(), atomic.sized(Register::R8), place);
        self.changed(atomic, Register::R8);
        self.asm.op2(atomic.store(), place, atomic.sized(Register::R9));
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
        let exchange = pick(wide, Code::Cmpxchg_rm32_r32, Code::Cmpxchg_rm64_r64);
        if atomic.change == AtomicOperation::CompareExchange {
            self.asm.op2(Code::Mov_r64_rm64, Register::RAX, Register::RDI);
            self.asm.op2(atomic.load(), atomic.sized(Register::R9), lane(OTHERS, wide));
            self.asm.locked2(exchange, place, atomic.sized(Register::R9));
        } else {
            self.asm.op2(atomic.load(), atomic.sized(Register::RAX), place);
            let again = self.asm.label();
            self.asm.place(again);
            self.changed(atomic, Register::RAX);
            self.asm.locked2(exchange, place, atomic.sized(Register::R9));
            self.asm.jne(again);
        }
        if atomic.gives {
            self.asm.op2(Code::Mov_r64_rm64, Register::RDI, Register::RAX);
        }
    }

    /// What becomes of a word, into `r9`; the operand is in `rdi`.
    fn changed(&mut self, atomic: &Atomic, old: Register) {
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
            AtomicOperation::Add if atomic.number.is_float() => self.add_floats(atomic, old, operand, new, scratch),
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
                self.asm.op2(load, new, lane(OTHERS, wide));
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

    /// A sum with the NaNs that the device gives.
    fn add_floats(&mut self, atomic: &Atomic, old: Register, operand: Register, new: Register, scratch: Register) {
        let (a, b) = (zmm(4), zmm(5));
        if !atomic.wide() {
            self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, a, old);
            self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, b, operand);
            self.asm.op3(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, a, a, b);
            self.asm.op2(Code::EVEX_Vmovd_rm32_xmm, new, xmm(a));
            self.asm.op2(Code::Mov_r32_rm32, scratch, new);
            self.asm.op2i(Code::And_rm32_imm32, scratch, 0x7fff_ffff);
            self.asm.op2i(Code::Cmp_rm32_imm32, scratch, 0x7f80_0000);
            self.asm.number(Register::R10, 0x7fff_ffff);
            self.asm.op2(Code::Cmova_r32_rm32, new, scratch);
            return;
        }
        // What is no number comes out quiet, the old one first: as the machine has it.
        self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, a, old);
        self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, b, operand);
        self.asm.op3(Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er, a, a, b);
        self.asm.op2(Code::EVEX_Vmovq_rm64_xmm, new, xmm(a));
        if atomic.window == Window::Shared {
            return;
        }
        // In global memory it stays as it is, the operand first.
        for from in [old, operand] {
            let past = self.asm.label();
            self.asm.op2(Code::Mov_r64_rm64, scratch, from);
            self.asm.op2(Code::Add_r64_rm64, scratch, scratch);
            self.asm.number(Register::R11, 0xffe0_0000_0000_0000);
            self.asm.op2(Code::Cmp_r64_rm64, scratch, Register::R11);
            self.asm.jbe(past);
            self.asm.op2(Code::Mov_r64_rm64, new, from);
            self.asm.place(past);
        }
    }

    /// Additions of the lanes in `ecx` to addresses in `zmm0` to `zmm3`: once for all lanes with an address, if several have that
    /// of the first one.
    fn sum_alike(&mut self, atomic: &Atomic, once: bool) {
        /// Lanes with one address from which on looking for more of them pays.
        const SEVERAL: i32 = 4;
        let wide = atomic.wide();
        let (single, end) = (self.asm.label(), self.asm.label());
        self.lanes_alike();
        self.asm.op2(Code::Popcnt_r32_rm32, Register::R8D, Register::EAX);
        self.asm.op2i(Code::Cmp_rm32_imm32, Register::R8D, SEVERAL);
        self.asm.jb(single);
        let (again, first) = (self.asm.label(), self.asm.label());
        self.asm.jmp(first);
        self.asm.place(again);
        self.lanes_alike();
        self.asm.place(first);
        self.asm.op2(Code::Xor_r32_rm32, Register::ECX, Register::EAX);
        let [sum, operand] = [Register::R9, Register::RDI].map(|r| atomic.sized(r));
        if once {
            self.asm.op2(Code::Popcnt_r32_rm32, Register::R9D, Register::EAX);
            self.asm.op2(pick(wide, Code::Imul_r32_rm32, Code::Imul_r64_rm64), sum, operand);
        } else {
            self.asm.number(Register::R9, 0);
            let more = self.asm.label();
            self.asm.place(more);
            self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::EAX);
            self.asm.op2(pick(wide, Code::Add_r32_rm32, Code::Add_r64_rm64), sum, lane(OPERANDS, wide));
            self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::EAX, Register::EAX);
            self.asm.jne(more);
        }
        self.change_memory(atomic, at(Register::RSI, 0), Register::R9);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.jne(again);
        self.asm.jmp(end);
        self.asm.place(single);
        self.lane_by_lane(atomic, once);
        self.asm.place(end);
    }

    /// The lanes of `ecx` with the address of the first of them into `eax`, the address into `rsi`.
    fn lanes_alike(&mut self) {
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        self.asm.op2(Code::Mov_r64_rm64, Register::RSI, lane(ADDRESSES, true));
        self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, zmm(4), Register::RSI);
        let compare = Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8;
        for (half, to) in [(0, Register::K5), (2, Register::K6)] {
            self.asm.op4i(compare, to, zmm(half), zmm(4), EQUAL, Mask::ALL);
            self.asm.op4i(compare, Register::K7, zmm(half + 1), zmm(4), EQUAL, Mask::ALL);
            self.asm.op3(Code::VEX_Kunpckbw_kr_kr_kr, to, Register::K7, to);
        }
        self.asm.op3(Code::VEX_Kunpckwd_kr_kr_kr, Register::K5, Register::K6, Register::K5);
        self.asm.op2(Code::VEX_Kmovd_r32_kr, Register::EAX, Register::K5);
        self.asm.op2(Code::And_r32_rm32, Register::EAX, Register::ECX);
    }
}
