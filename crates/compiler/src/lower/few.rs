//! Gathers and scatters: by the machine's instructions, which take as long for one lane as for all of them, or lane by lane where
//! few are active; vectors of two words by those for 64 bits.

use super::atomic::{ADDRESSES, OPERANDS, lane};
use super::memory::Place;
use super::runs::What as Run;
use super::{Late, Lower, xmm, ymm, zmm};
use crate::assembler::{Label, Level, Mask, Operand, at, indexed_by};
use crate::encode::Memory;
use crate::operation::Element;
use crate::unit::Step;
use iced_x86::{Code, Register};

const CLEAR: Code = Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
const SPILL: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
/// So many active lanes of a piece are loaded one by one, and stored.
const FEW_LOADS: i32 = 4;
const FEW_STORES: i32 = 2;

/// Where the addresses of lanes are.
#[derive(Clone, Copy)]
pub enum Lanes {
    /// Of 64 bits, in `zmm0` to `zmm3`.
    Wide,
    /// Numbers of 32 bits in `zmm0` and `zmm1`, of which each counts so many bytes, from `rax` on.
    Narrow(u8),
}

impl Lanes {
    pub fn of(place: &Place) -> Option<Lanes> {
        match place {
            Place::Wide => Some(Lanes::Wide),
            Place::Narrow => Some(Lanes::Narrow(1)),
            Place::Scaled(scaled) => Some(Lanes::Narrow(scaled.scale)),
            _ => None,
        }
    }

    /// Memory by a vector of addresses, or by a register with the address of one lane.
    fn place(self, index: Register, more: i64) -> Memory {
        match self {
            Lanes::Wide if index.is_zmm() => indexed_by(Register::None, index, 1, more),
            Lanes::Wide => at(index, more),
            Lanes::Narrow(scale) => indexed_by(Register::RAX, index, scale, more),
        }
    }
}

/// A piece of a vector: sixteen lanes with 32 bits each, or eight with 64.
#[derive(Clone, Copy)]
struct Piece {
    lanes: Lanes,
    piece: u32,
    wide: bool,
}

/// What is done for the lanes in `ecx`, of which there are few, one after the other.
pub(crate) struct Few {
    label: Label,
    back: Label,
    piece: Piece,
    what: What,
}

enum What {
    /// Into a register, from so far behind the address.
    Loads(Vec<(Register, i64)>),
    /// Out of a register, or of the stack if there is none.
    Stores(Vec<(Register, i64)>),
}

impl Lower<'_> {
    /// Jumps to code for few lanes, if no more are active. Gives where that comes back to.
    fn unless_few(&mut self, step: &Step, piece: Piece, what: What) -> Label {
        let (label, back) = (self.asm.label(), self.asm.label());
        // The AVX2 level has gathers and scatters of its own.
        if self.asm.level() == Level::Avx512 {
            let lanes = self.lanes(step, piece.piece, piece.wide, Register::K5);
            let code = if piece.wide { Code::VEX_Kmovb_r32_kr } else { Code::VEX_Kmovw_r32_kr };
            self.asm.op2(code, Register::ECX, lanes);
            self.asm.op2(Code::Popcnt_r32_rm32, Register::EDX, Register::ECX);
            let few = if let What::Loads(_) = what { FEW_LOADS } else { FEW_STORES };
            self.asm.op2i(Code::Cmp_rm32_imm8, Register::EDX, few);
            self.asm.jbe(label);
            self.late.push(Late::Few(Few { label, back, piece, what }));
        }
        back
    }

    pub fn few(&mut self, few: Few) {
        let Few { label, back, piece, what } = few;
        self.asm.place(label);
        let Piece { lanes, piece, wide } = piece;
        let (from, count) = match lanes {
            Lanes::Wide if wide => (piece, 1),
            Lanes::Wide => (2 * piece, 2),
            Lanes::Narrow(_) => (if wide { piece / 2 } else { piece }, 1),
        };
        let first = ADDRESSES + if wide && !matches!(lanes, Lanes::Wide) { 32 * i64::from(piece % 2) } else { 0 };
        // Nobody looks at what is loaded for no lane.
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(back);
        for n in 0..count {
            self.asm.op2(SPILL, at(Register::RSP, ADDRESSES + 64 * i64::from(n)), zmm(from + n));
        }
        match what {
            What::Loads(loads) => {
                for &(to, _) in &loads {
                    self.asm.op3(CLEAR, to, to, to);
                }
                self.few_loads(lanes, first, wide, &loads, back);
            }
            What::Stores(stores) => {
                for (n, &(from, _)) in stores.iter().enumerate() {
                    if from != Register::None {
                        self.asm.op2(SPILL, at(Register::RSP, OPERANDS + 64 * n as i64), from);
                    }
                }
                self.few_stores(lanes, first, wide, &stores);
            }
        }
        self.asm.jmp(back);
    }

    /// The address of the lane in `rdx` into that register.
    fn address_of_lane(&mut self, lanes: Lanes, first: i64) {
        let wide = matches!(lanes, Lanes::Wide);
        let load = if wide { Code::Mov_r64_rm64 } else { Code::Movsxd_r64_rm32 };
        self.asm.op2(load, Register::RDX, lane(first, wide));
    }

    /// One lane, as it is for long in a loop that one thread goes on with; else as many lanes as there may be: the last one again
    /// where there are no more, which costs less than a jump that nobody foresees.
    fn few_loads(&mut self, lanes: Lanes, first: i64, wide: bool, loads: &[(Register, i64)], back: Label) {
        for n in 0..FEW_LOADS {
            self.asm.op2(Code::VEX_Blsi_r32_rm32, Register::EDX, Register::ECX);
            self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K6, Register::EDX);
            self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
            self.address_of_lane(lanes, first);
            for &(to, more) in loads {
                let code =
                    if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
                self.asm.masked2(code, to, lanes.place(Register::RDX, more), Mask::of(Register::K6));
            }
            if n == 0 {
                self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
                self.asm.je(back);
            } else if n + 1 < FEW_LOADS {
                self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::EDX, Register::ECX);
                self.asm.op2(Code::Cmovne_r32_rm32, Register::ECX, Register::EDX);
            }
        }
    }

    /// Each lane once, in their order: others may see what is stored.
    fn few_stores(&mut self, lanes: Lanes, first: i64, wide: bool, stores: &[(Register, i64)]) {
        let again = self.asm.label();
        self.asm.place(again);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        let (load, store) = if wide {
            (Code::VEX_Vmovq_xmm_rm64, Code::VEX_Vmovq_rm64_xmm)
        } else {
            (Code::VEX_Vmovd_xmm_rm32, Code::VEX_Vmovd_rm32_xmm)
        };
        let values = [Register::XMM4, Register::XMM5];
        for (n, &value) in values.iter().enumerate().take(stores.len()) {
            self.asm.op2(load, value, lane(OPERANDS + 64 * n as i64, wide));
        }
        self.address_of_lane(lanes, first);
        for (&value, &(_, more)) in values.iter().zip(stores) {
            self.asm.op2(store, lanes.place(Register::RDX, more), value);
        }
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(again);
    }

    /// A copy of the lanes of a piece, which a gather or scatter clears: into `k6`.
    fn spend(&mut self, step: &Step, piece: u32, wide: bool) -> Mask {
        let lanes = self.lanes(step, piece, wide, Register::K5);
        self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
        Mask::of(Register::K6)
    }

    fn gather_into(&mut self, code: Code, to: Register, from: Memory, step: &Step, piece: u32, wide: bool) {
        let mask = self.spend(step, piece, wide);
        self.asm.op3(CLEAR, to, to, to);
        let to = if code == Code::EVEX_Vpgatherqd_ymm_k1_vm64z { ymm(to) } else { to };
        self.asm.masked2(code, to, from, mask);
    }

    /// Loads by the addresses of all lanes.
    pub fn gather(&mut self, step: &Step, to: u32, wide: bool, lanes: Lanes, more: i64) {
        let by_fours = matches!(lanes, Lanes::Wide) && !wide;
        let fours = if by_fours { self.fours(step, to, more) } else { None };
        for piece in 0..if wide { 4 } else { 2 } {
            let target = self.target(step, to, piece);
            let back = self.unless_few(step, Piece { lanes, piece, wide }, What::Loads(vec![(target, more)]));
            match (lanes, wide) {
                (Lanes::Wide, true) => {
                    let from = lanes.place(zmm(piece), more);
                    self.gather_into(Code::EVEX_Vpgatherqq_zmm_k1_vm64z, target, from, step, piece, true);
                }
                (Lanes::Wide, false) => {
                    for half in 0..2 {
                        let (part, from) = (zmm(4 + half), lanes.place(zmm(2 * piece + half), more));
                        let piece = 2 * piece + half;
                        self.gather_into(Code::EVEX_Vpgatherqd_ymm_k1_vm64z, part, from, step, piece, true);
                    }
                    let upper = ymm(zmm(5));
                    self.asm.op4i(
                        Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8,
                        target,
                        zmm(4),
                        upper,
                        1,
                        Mask::ALL,
                    );
                }
                (Lanes::Narrow(_), true) => {
                    let from = lanes.place(self.half_index(piece), more);
                    self.gather_into(Code::EVEX_Vpgatherdq_zmm_k1_vm32y, target, from, step, piece, true);
                }
                (Lanes::Narrow(scale), false) => {
                    let active = self.lanes(step, piece, false, Register::K5);
                    let row = self.runs(step, zmm(piece), scale, active, more, Run::Load(target));
                    if let Some(done) = row {
                        self.end_late(done);
                    } else {
                        let from = lanes.place(zmm(piece), more);
                        self.gather_into(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, target, from, step, piece, false);
                    }
                }
            }
            self.end_late(back);
            self.put(step, to, piece, wide, target);
        }
        if let Some(done) = fours {
            self.end_late(done);
        }
    }

    /// Stores by the addresses of all lanes.
    pub fn scatter(&mut self, step: &Step, from: u32, wide: bool, lanes: Lanes, more: i64) {
        for piece in 0..if wide { 4 } else { 2 } {
            let value = self.piece_in(from, piece, wide, zmm(4));
            let back = self.unless_few(step, Piece { lanes, piece, wide }, What::Stores(vec![(value, more)]));
            match (lanes, wide) {
                (Lanes::Wide, false) => {
                    for half in 0..2 {
                        let part = if half == 0 { ymm(value) } else { Register::YMM5 };
                        if half == 1 {
                            let code = Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8;
                            self.asm.op3i(code, part, value, 1, Mask::ALL);
                        }
                        let mask = self.spend(step, 2 * piece + half, true);
                        let to = lanes.place(zmm(2 * piece + half), more);
                        self.asm.masked2(Code::EVEX_Vpscatterqd_vm64z_k1_ymm, to, part, mask);
                    }
                }
                (Lanes::Wide, true) => {
                    let mask = self.spend(step, piece, true);
                    self.asm.masked2(Code::EVEX_Vpscatterqq_vm64z_k1_zmm, lanes.place(zmm(piece), more), value, mask);
                }
                (Lanes::Narrow(_), true) => {
                    let to = lanes.place(self.half_index(piece), more);
                    let mask = self.spend(step, piece, true);
                    self.asm.masked2(Code::EVEX_Vpscatterdq_vm32y_k1_zmm, to, value, mask);
                }
                (Lanes::Narrow(scale), false) => {
                    let active = self.lanes(step, piece, false, Register::K5);
                    let row = self.runs(step, zmm(piece), scale, active, more, Run::Store(value));
                    if let Some(done) = row {
                        self.end_late(done);
                    } else {
                        let to = lanes.place(zmm(piece), more);
                        let mask = self.spend(step, piece, false);
                        self.asm.masked2(Code::EVEX_Vpscatterdd_vm32z_k1_zmm, to, value, mask);
                    }
                }
            }
            self.end_late(back);
        }
    }

    /// Whether vectors of words go by two of them, for which there is half as much to gather.
    pub fn goes_in_pairs(&self, place: &Place, element: &Element, count: u8, loads: bool) -> Option<Lanes> {
        let lanes = Lanes::of(place)?;
        // Results may take the place of addresses, which a second pair would want.
        let fits = count == 2 || count == 4 && !(loads && matches!(lanes, Lanes::Wide));
        (self.asm.level() == Level::Avx512 && element.bytes == 4 && fits).then_some(lanes)
    }

    /// Memory of eight lanes of a piece, 64 bits each.
    fn eight(&mut self, lanes: Lanes, piece: u32, half: u32, more: i64) -> Memory {
        let index = match lanes {
            Lanes::Wide => zmm(2 * piece + half),
            Lanes::Narrow(_) => self.half_index(2 * piece + half),
        };
        lanes.place(index, more)
    }

    /// Loads two words side by side.
    pub fn gather_pair(&mut self, step: &Step, to: [u32; 2], lanes: Lanes, more: i64) {
        for piece in 0..2 {
            let (code, parts, spare) = match lanes {
                Lanes::Wide => (Code::EVEX_Vpgatherqq_zmm_k1_vm64z, [4, 5], [2 * piece, 2 * piece + 1]),
                Lanes::Narrow(_) => (Code::EVEX_Vpgatherdq_zmm_k1_vm32y, [2, 3], [4, 5]),
            };
            let [low, high] = parts.map(zmm);
            let targets = [0, 1].map(|n| match self.target(step, to[n], piece) {
                Register::ZMM4 => zmm(spare[n]),
                own => own,
            });
            let loads = vec![(targets[0], more), (targets[1], more + 4)];
            let back = self.unless_few(step, Piece { lanes, piece, wide: false }, What::Loads(loads));
            for (half, part) in [(0, low), (1, high)] {
                let from = self.eight(lanes, piece, half, more);
                self.gather_into(code, part, from, step, 2 * piece + half, true);
            }
            for (n, target) in targets.into_iter().enumerate() {
                self.permuted(target, |j| 2 * j + n as u32, low, high);
            }
            self.end_late(back);
            for (to, target) in to.into_iter().zip(targets) {
                self.put(step, to, piece, false, target);
            }
        }
    }

    /// Stores two words side by side.
    pub fn scatter_pair(&mut self, step: &Step, from: [u32; 2], lanes: Lanes, more: i64) {
        let (code, scratch, both) = match lanes {
            Lanes::Wide => (Code::EVEX_Vpscatterqq_vm64z_k1_zmm, [zmm(4), zmm(5)], zmm(5)),
            Lanes::Narrow(_) => (Code::EVEX_Vpscatterdq_vm32y_k1_zmm, [zmm(2), zmm(3)], zmm(4)),
        };
        for piece in 0..2 {
            let mut second = self.piece_in(from[1], piece, false, scratch[1]);
            let mut operand = Operand::Register(second);
            if second == both {
                let place = at(Register::RSP, OPERANDS + 64);
                self.asm.op2(SPILL, place, second);
                (second, operand) = (Register::None, place.into());
            }
            let first = self.piece_in(from[0], piece, false, scratch[0]);
            let stores = vec![(first, more), (second, more + 4)];
            let back = self.unless_few(step, Piece { lanes, piece, wide: false }, What::Stores(stores));
            if let Lanes::Narrow(scale) = lanes {
                let other = self.asm.label();
                self.scatter_eights(piece, scale, first, operand, more, other);
                self.asm.jmp(back);
                self.end_late(other);
            }
            for half in 0..2 {
                self.permuted(both, |j| 8 * half + j / 2 + 16 * (j % 2), first, operand);
                let to = self.eight(lanes, piece, half, more);
                let mask = self.spend(step, 2 * piece + half, true);
                self.asm.masked2(code, to, both, mask);
            }
            self.end_late(back);
        }
    }

    /// The same where all sixteen lanes are active, of which `edx` has the number, and both their halves are rows without gaps: else
    /// jumps.
    fn scatter_eights(&mut self, piece: u32, scale: u8, first: Register, second: Operand, more: i64, other: Label) {
        let (index, scratch) = (zmm(piece), zmm(5));
        self.asm.op2i(Code::Cmp_rm32_imm8, Register::EDX, 16);
        self.asm.jne(other);
        self.line32(|j| j & 8, Register::RDX);
        self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, scratch, at(Register::RDX, 0));
        self.asm.op3(Code::EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32, scratch, scratch, index);
        self.line32(|j| j % 8 * (8 / u32::from(scale)), Register::RDX);
        self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, scratch, scratch, at(Register::RDX, 0));
        self.asm.op4i(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, Register::K6, scratch, index, 4, Mask::ALL);
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
        self.asm.jne(other);
        for half in 0..2 {
            self.permuted(zmm(4), |j| 8 * half + j / 2 + 16 * (j % 2), first, second);
            let mut begin = xmm(index);
            if half == 1 {
                begin = Register::XMM5;
                self.asm.op3i(Code::EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8, begin, index, 2, Mask::ALL);
            }
            self.asm.op2(Code::EVEX_Vmovd_rm32_xmm, Register::EDX, begin);
            self.asm.op2(Code::Movsxd_r64_rm32, Register::RDX, Register::EDX);
            self.asm.op2(SPILL, Lanes::Narrow(scale).place(Register::RDX, more), zmm(4));
        }
    }
}
