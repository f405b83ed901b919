//! Atomic operations of several lanes on one word: what they come to together is worked out first, and memory is changed once.
//!
//! Nobody can tell: the lanes of a warp come one after the other as it is, and nothing says that another warp gets a turn between
//! them. Floating point numbers are added in the order of the lanes, because each sum is rounded. Lanes wait for earlier ones
//! with other addresses, which may fail; only integers that are added do not.

use super::atomic::{ADDRESSES, Atomic, GROUP, OPERANDS, RESULTS, lane, pick};
use super::{Lower, xmm, ymm, zmm};
use crate::assembler::{Label, Mask, Operand, at};
use crate::encode::Memory;
use crate::operation::Window;
use crate::unit::{Step, UNGUARDED};
use iced_x86::{Code, Register};
use ptx::AtomicOperation;

/// Lanes with one address from which on it pays to look for more of them; and how many there have to be from then on.
const SEVERAL: i32 = 4;
const MORE: i32 = 2;
const EQUAL: i32 = 0;

impl Atomic {
    /// The instruction that works two operands into one, and the operand that changes nothing.
    fn folding(&self) -> Option<(Code, u64)> {
        let wide = self.wide();
        let most = if wide { u64::MAX } else { u32::MAX.into() };
        let (unsigned, signed) = ((most, 0), (most >> 1, (most >> 1) + 1));
        let by_sign = |number: (u64, u64)| if self.change == AtomicOperation::Min { number.0 } else { number.1 };
        Some(match (self.change, self.number.is_signed()) {
            _ if self.number.is_float() => return None,
            (AtomicOperation::Add, _) => {
                (pick(wide, Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64), 0)
            }
            (AtomicOperation::And, _) => (Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, most),
            (AtomicOperation::Or, _) => (Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, 0),
            (AtomicOperation::Xor, _) => (Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, 0),
            (AtomicOperation::Min, false) => (
                pick(wide, Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64),
                by_sign(unsigned),
            ),
            (AtomicOperation::Max, false) => (
                pick(wide, Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64),
                by_sign(unsigned),
            ),
            (AtomicOperation::Min, true) => (
                pick(wide, Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64),
                by_sign(signed),
            ),
            (AtomicOperation::Max, true) => (
                pick(wide, Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64),
                by_sign(signed),
            ),
            _ => return None,
        })
    }
}

impl Lower<'_> {
    /// One operand for all lanes of a change that they make together and whose result nobody looks at.
    pub(super) fn is_once(&self, step: &Step, atomic: &Atomic) -> bool {
        !atomic.gives && atomic.folding().is_some() && self.values.stride(step.from[1]) == Some(0)
    }

    /// All lanes have one word, whose address is in the register of a row.
    pub(super) fn at_one_place(&mut self, step: &Step, atomic: &Atomic) {
        let (wide, base) = (atomic.wide(), self.bases[0]);
        let (odd, end, done) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.mask_of(step, Register::ECX);
        if step.guard != UNGUARDED {
            self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
            self.asm.je(done);
        }
        let once = self.is_once(step, atomic);
        if once && atomic.counts() {
            // As often as there are lanes.
            self.asm.op2(Code::Popcnt_r32_rm32, Register::ECX, Register::ECX);
            let by = self.scalar_operand(step.from[1], wide, Register::RDX);
            let product = pick(wide, Code::Imul_r32_rm32, Code::Imul_r64_rm64);
            self.asm.op2(product, atomic.sized(Register::RCX), by);
            self.change_memory(atomic, at(base, 0), Register::RCX);
            self.asm.place(done);
            return;
        }
        self.keep_registers();
        let place = at(Register::RSI, 0);
        let folds = !atomic.gives && atomic.folding().is_some();
        if once {
            let by = self.scalar_operand(step.from[1], wide, Register::RDI);
            self.asm.op2(atomic.load(), atomic.sized(Register::RDI), by);
        } else if folds {
            self.work_into_one(atomic, Some(step));
        } else {
            self.lay_operands(step, atomic);
        }
        if base != Register::RSI {
            self.asm.op2(Code::Mov_r64_rm64, Register::RSI, base);
        }
        if once {
            self.asm.op2(Code::Mov_r32_rm32, Register::R8D, Register::ECX);
            self.repeat(atomic, place);
        } else if folds {
            self.change_word(atomic, place);
        } else {
            self.asm.op2(Code::Mov_r32_rm32, Register::R8D, Register::ECX);
            self.in_turn(atomic, place, odd);
            if atomic.adds_floats() {
                self.asm.jmp(end);
                self.asm.place(odd);
                self.asm.op2(Code::Mov_r32_rm32, Register::ECX, at(Register::RSP, GROUP));
                self.lane_by_lane(atomic, false, Some(place));
            }
            self.asm.place(end);
        }
        self.fetch_registers();
        self.asm.place(done);
        self.give_results(step, atomic);
    }

    /// The lanes in `ecx`, whose addresses are on the stack: those with one address together, as long as there are several of
    /// them. With `once`, `rdi` is the operand of all.
    pub(super) fn by_places(&mut self, atomic: &Atomic, once: bool) {
        let [single, odd, end, again] = core::array::from_fn(|_| self.asm.label());
        self.lanes_alike(atomic);
        self.asm.op2(Code::Popcnt_r32_rm32, Register::R9D, Register::R8D);
        self.asm.op2i(Code::Cmp_rm32_imm32, Register::R9D, SEVERAL);
        self.asm.jb(single);
        self.asm.place(again);
        self.asm.op2(Code::Xor_r32_rm32, Register::ECX, Register::R8D);
        // `rdx` is the first of them, whose place all of them have.
        let place = self.place_of_lane(atomic);
        if atomic.gives || atomic.folding().is_none() {
            self.in_turn(atomic, place, odd);
        } else if once {
            self.repeat(atomic, place);
        } else {
            self.work_into_one(atomic, None);
            self.change_word(atomic, place);
        }
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(end);
        self.lanes_alike(atomic);
        self.asm.op2(Code::Popcnt_r32_rm32, Register::R9D, Register::R8D);
        self.asm.op2i(Code::Cmp_rm32_imm32, Register::R9D, MORE);
        self.asm.jae(again);
        if atomic.adds_floats() {
            self.asm.jmp(single);
            self.asm.place(odd);
            self.asm.op2(Code::Or_r32_rm32, Register::ECX, at(Register::RSP, GROUP));
        }
        self.asm.place(single);
        self.lane_by_lane(atomic, once, None);
        self.asm.place(end);
    }

    /// The first lane of `ecx` into `edx`; it and those with its address into `r8d`, up to the first one with another address.
    fn lanes_alike(&mut self, atomic: &Atomic) {
        let far = atomic.window == Window::Plain;
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        let code = if far { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
        self.asm.op2(code, zmm(4), lane(ADDRESSES, far));
        let halves = [(0, Register::K5), (1, Register::K6)];
        for (half, to) in halves {
            let mut compare = |code: Code, piece: u32, to: Register| {
                self.asm.op4i(code, to, zmm(4), zmm(piece), EQUAL, Mask::ALL);
            };
            if far {
                compare(Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8, 2 * half, to);
                compare(Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8, 2 * half + 1, Register::K7);
                self.asm.op3(Code::VEX_Kunpckbw_kr_kr_kr, to, Register::K7, to);
            } else {
                compare(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, half, to);
            }
        }
        self.asm.op3(Code::VEX_Kunpckwd_kr_kr_kr, Register::K5, Register::K6, Register::K5);
        self.asm.op2(Code::VEX_Kmovd_r32_kr, Register::R8D, Register::K5);
        self.asm.op2(Code::And_r32_rm32, Register::R8D, Register::ECX);
        if atomic.gives || !atomic.counts() {
            self.asm.op2(Code::Mov_r32_rm32, Register::R9D, Register::ECX);
            self.asm.op2(Code::Xor_r32_rm32, Register::R9D, Register::R8D);
            self.asm.op2(Code::VEX_Blsi_r32_rm32, Register::R9D, Register::R9D);
            self.asm.op1(Code::Dec_rm32, Register::R9D);
            self.asm.op2(Code::And_r32_rm32, Register::R8D, Register::R9D);
        }
    }

    /// The operand in `rdi` as often as there are lanes in `r8d`, of which there are some.
    fn repeat(&mut self, atomic: &Atomic, place: Memory) {
        let wide = atomic.wide();
        let [all, operand] = [Register::R9, Register::RDI].map(|register| atomic.sized(register));
        match atomic.change {
            AtomicOperation::Add => {
                self.asm.op2(Code::Popcnt_r32_rm32, Register::R9D, Register::R8D);
                self.asm.op2(pick(wide, Code::Imul_r32_rm32, Code::Imul_r64_rm64), all, operand);
                self.change_memory(atomic, place, Register::R9);
            }
            AtomicOperation::Xor => {
                // Two of them are none.
                self.asm.op2(Code::Popcnt_r32_rm32, Register::R9D, Register::R8D);
                self.asm.op2i(Code::And_rm32_imm32, Register::R9D, 1);
                self.asm.op1(Code::Neg_rm64, Register::R9);
                self.asm.op2(pick(wide, Code::And_r32_rm32, Code::And_r64_rm64), all, operand);
                self.change_memory(atomic, place, Register::R9);
            }
            _ => self.change_word(atomic, place),
        }
    }

    /// The operands of several lanes worked into one, in `rdi`: those of a step's lanes, or of the lanes in `r8d`, which are on
    /// the stack. Without a step `zmm0` to `zmm3` stay as they are.
    fn work_into_one(&mut self, atomic: &Atomic, step: Option<&Step>) {
        let (wide, sum, other) = (atomic.wide(), zmm(4), zmm(5));
        let Some((code, neutral)) = atomic.folding() else { return };
        if step.is_none() {
            self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K5, Register::R8D);
            self.asm.op2(Code::Mov_r32_rm32, Register::EDI, Register::R8D);
            self.asm.op2i(Code::Shr_rm32_imm8, Register::EDI, 16);
            self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K6, Register::EDI);
        }
        for piece in 0..if wide { 4 } else { 2 } {
            let to = if piece == 0 { sum } else { other };
            let (value, lanes): (Operand, Register) = match step {
                Some(step) => {
                    let value = self.piece_in(step.from[1], piece, wide, zmm(0));
                    (value.into(), self.lanes(step, piece, wide, Register::K7))
                }
                None => {
                    let half = if piece < if wide { 2 } else { 1 } { Register::K5 } else { Register::K6 };
                    let shifts = wide && piece % 2 == 1;
                    if shifts {
                        self.asm.op3i(Code::VEX_Kshiftrw_kr_kr_imm8, Register::K7, half, 8, Mask::ALL);
                    }
                    let lanes = if shifts { Register::K7 } else { half };
                    (at(Register::RSP, OPERANDS + 64 * i64::from(piece)).into(), lanes)
                }
            };
            let code_of_move = pick(wide, Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512);
            if neutral == 0 {
                self.asm.masked2(code_of_move, to, value, Mask::zeroing(lanes));
            } else {
                if wide {
                    self.line64(|_| neutral, Register::RDX);
                } else {
                    self.line32(|_| neutral as u32, Register::RDX);
                }
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, to, at(Register::RDX, 0));
                self.asm.masked2(code_of_move, to, value, Mask::of(lanes));
            }
            if piece != 0 {
                self.asm.op3(code, sum, sum, other);
            }
        }
        // Halves, quarters, pairs, neighbours: what lies above them does not count.
        self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, ymm(other), sum, 1, Mask::ALL);
        self.asm.op3(code, sum, sum, other);
        self.asm.op3i(Code::EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8, xmm(other), sum, 1, Mask::ALL);
        self.asm.op3(code, sum, sum, other);
        for how in if wide { &[0x4e][..] } else { &[0x4e, 0xb1] } {
            self.asm.op3i(Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8, other, sum, *how, Mask::ALL);
            self.asm.op3(code, sum, sum, other);
        }
        let out = pick(wide, Code::EVEX_Vmovd_rm32_xmm, Code::EVEX_Vmovq_rm64_xmm);
        self.asm.op2(out, atomic.sized(Register::RDI), xmm(sum));
    }

    /// What the lanes in `r8d` do to one word, one after the other, in a register; their operands are on the stack. Where other
    /// cores change the word meanwhile it begins again. Jumps if a sum is no number, before anything has changed.
    fn in_turn(&mut self, atomic: &Atomic, place: Memory, odd: Label) {
        let (wide, common) = (atomic.wide(), atomic.window == Window::Plain);
        let [new, own] = [Register::R9, Register::RDI].map(|register| atomic.sized(register));
        let float = atomic.adds_floats();
        let (again, next) = (self.asm.label(), self.asm.label());
        self.asm.op2(Code::Mov_rm32_r32, at(Register::RSP, GROUP), Register::R8D);
        if atomic.counts() {
            self.work_into_one(atomic, None);
            let add = pick(wide, Code::Add_r32_rm32, Code::Add_r64_rm64);
            if common {
                self.asm.locked2(pick(wide, Code::Xadd_rm32_r32, Code::Xadd_rm64_r64), place, own);
                self.asm.op2(atomic.load(), new, own);
            } else {
                self.asm.op2(atomic.load(), new, place);
                self.asm.op2(add, own, new);
                self.asm.op2(atomic.store(), place, own);
            }
            self.asm.place(next);
            self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::R8D);
            self.asm.op2(atomic.store(), lane(RESULTS, wide), new);
            self.asm.op2(add, new, lane(OPERANDS, wide));
            self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::R8D, Register::R8D);
            self.asm.jne(next);
            return;
        }
        self.asm.op2(atomic.fetch(), if common { atomic.sized(Register::RAX) } else { new }, place);
        self.asm.place(again);
        if common {
            self.asm.op2(atomic.load(), new, atomic.sized(Register::RAX));
        }
        if float {
            self.spread_word(atomic, new.into());
        }
        self.asm.place(next);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::R8D);
        let out = pick(wide, Code::EVEX_Vmovd_rm32_xmm, Code::EVEX_Vmovq_rm64_xmm);
        if float {
            if atomic.gives {
                self.asm.op2(out, lane(RESULTS, wide), xmm(zmm(4)));
            }
            let add =
                pick(wide, Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er);
            self.asm.op3(add, zmm(4), zmm(4), Memory { broadcasts: true, ..lane(OPERANDS, wide) });
        } else {
            if atomic.gives {
                self.asm.op2(atomic.store(), lane(RESULTS, wide), new);
            }
            self.asm.op2(atomic.fetch(), own, lane(OPERANDS, wide));
            self.asm.op2(Code::Mov_r64_rm64, Register::R11, Register::R9);
            self.changed(atomic, Register::R11);
        }
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::R8D, Register::R8D);
        self.asm.jne(next);
        if float {
            self.asm.op2(out, new, xmm(zmm(4)));
            self.compare_nan(atomic, Register::R9);
            self.asm.ja(odd);
        }
        if common {
            // For the next turn, without an effect on flags.
            self.asm.op2(Code::Mov_r32_rm32, Register::R8D, at(Register::RSP, GROUP));
            let (exchange, new) = atomic.exchange(Register::R9);
            self.asm.locked2(exchange, place, new);
            self.asm.jne(again);
        } else {
            let (put, new) = atomic.put(Register::R9);
            self.asm.op2(put, place, new);
        }
    }
}
