//! Elements of one and two bytes that lie in no row, such as registers are wider than, and stores of all lanes to one place.

use super::atomic::{ADDRESSES, OPERANDS, SAVED, lane};
use super::memory::Place;
use super::scalar::extension;
use super::{FIRST, Lower, ymm, zmm};
use crate::allocate::Home;
use crate::assembler::{Mask, at, indexed, indexed_by, narrow};
use crate::encode::Memory;
use crate::operation::{Element, Window};
use crate::unit::Step;
use iced_x86::{Code, Register};

const COPY: Code = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
const CLEAR: Code = Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;

impl Lower<'_> {
    /// Whether elements are taken one by one: there are no instructions for them.
    pub fn is_loose(&self, place: Place, element: &Element) -> bool {
        let row = |stride: i64| stride == 0 || stride == i64::from(element.bytes);
        element.bytes < 4 && !matches!(place, Place::Row(stride) if row(stride))
    }

    /// Loads elements of one or two bytes: the words around them, of which the rest is cut off. A word that is aligned lies in
    /// one page with each of its bytes.
    pub fn load_bytes(&mut self, step: &Step, to: u32, window: Window, place: Place, element: &Element, more: i64) {
        if let Place::Row(stride) = place {
            if window == Window::Shared && stride == -i64::from(element.bytes) {
                return self.load_backwards(step, to, element, more);
            }
            self.spread_row(stride);
        }
        for piece in 0..2 {
            let target = self.target(step, to, piece);
            if let Place::Wide = place {
                self.load_bytes_wide(step, piece, more, target);
            } else {
                self.load_bytes_narrow(step, piece, more, target);
            }
            self.cut(target, element);
            self.put(step, to, piece, false, target);
        }
    }

    /// Offsets of the lanes of a row from the first lane, into `zmm0` and `zmm1`.
    fn spread_row(&mut self, stride: i64) {
        for piece in 0..2 {
            self.line32(|lane| (piece * 16 + lane).wrapping_mul(stride as u32), Register::RDX);
            self.asm.op2(COPY, zmm(piece), at(Register::RDX, 0));
        }
    }

    /// A row that goes down, in memory that can be read on both sides of each lane.
    fn load_backwards(&mut self, step: &Step, to: u32, element: &Element, more: i64) {
        let bytes = i64::from(element.bytes);
        let code = match (element.bytes, element.signed) {
            (1, false) => Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
            (1, true) => Code::EVEX_Vpmovsxbd_zmm_k1z_xmmm128,
            (_, false) => Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
            (_, true) => Code::EVEX_Vpmovsxwd_zmm_k1z_ymmm256,
        };
        self.line32(|lane| 15 - lane, Register::RDX);
        for piece in 0..2 {
            let target = self.target(step, to, piece);
            self.asm.op2(code, zmm(5), at(self.bases[0], more - bytes * i64::from(15 + 16 * piece)));
            // By the indices in `target`, out of one vector.
            self.asm.op2(COPY, zmm(3), at(Register::RDX, 0));
            self.asm.op3(Code::EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32, zmm(3), zmm(5), zmm(5));
            self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, target, zmm(3));
            self.put(step, to, piece, false, target);
        }
    }

    /// Words by offsets in `zmm0` and `zmm1` from `rax` on, each shifted down to its element.
    fn load_bytes_narrow(&mut self, step: &Step, piece: u32, more: i64, target: Register) {
        let (within, index, shift) = (zmm(2), zmm(3), zmm(5));
        // The base may have any alignment.
        if piece == 0 {
            self.asm.op2(Code::Lea_r64_m, Register::RCX, at(self.bases[0], more));
            self.asm.op2(Code::Mov_r32_rm32, Register::EDX, Register::ECX);
            self.asm.op2i(Code::And_rm32_imm32, Register::EDX, 3);
            self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, within, Register::EDX);
            self.asm.op2(Code::Sub_r64_rm64, Register::RCX, Register::RDX);
        }
        self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, index, within, zmm(piece));
        self.asm.op3i(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, shift, index, 3, Mask::ALL);
        self.line32(|_| 24, Register::RDX);
        self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, shift, shift, at(Register::RDX, 0));
        self.line32(|_| !3, Register::RDX);
        self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, index, index, at(Register::RDX, 0));
        let lanes = self.lanes(step, piece, false, Register::K5);
        self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
        self.asm.op3(CLEAR, target, target, target);
        let from = indexed(Register::RCX, index, 0);
        self.asm.masked2(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, target, from, Mask::of(Register::K6));
        self.asm.op3(Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32, target, target, shift);
    }

    /// The same by addresses of 64 bits in `zmm0` to `zmm3`, of which those of the piece are lost.
    fn load_bytes_wide(&mut self, step: &Step, piece: u32, more: i64, target: Register) {
        let (place, shift) = (zmm(4), zmm(5));
        for half in 0..2 {
            let own = zmm(2 * piece + half);
            if more != 0 {
                self.line64(|_| more as u64, Register::RDX);
                self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, own, own, at(Register::RDX, 0));
            }
            self.line64(|_| !7, Register::RDX);
            self.asm.op3(Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, place, own, at(Register::RDX, 0));
            self.asm.op3i(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, shift, own, 3, Mask::ALL);
            self.line64(|_| 56, Register::RDX);
            self.asm.op3(Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, shift, shift, at(Register::RDX, 0));
            let lanes = self.lanes(step, 2 * piece + half, true, Register::K5);
            self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
            self.asm.op3(CLEAR, own, own, own);
            let from = indexed_by(Register::None, place, 1, 0);
            self.asm.masked2(Code::EVEX_Vpgatherqq_zmm_k1_vm64z, own, from, Mask::of(Register::K6));
            self.asm.op3(Code::EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64, own, own, shift);
            self.asm.op2(Code::EVEX_Vpmovqd_ymmm256_k1z_zmm, ymm(own), own);
        }
        let (low, high) = (zmm(2 * piece), ymm(zmm(2 * piece + 1)));
        self.asm.op4i(Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8, target, low, high, 1, Mask::ALL);
    }

    /// A number that stands for all lanes, from the place in `rax`.
    pub fn load_scalar(&mut self, to: u32, element: &Element, more: i64) {
        if let Some(Home::Single(n)) = self.home(to)
            && (element.bytes == 8) == self.wide(to)
        {
            let code = if element.bytes == 8 {
                Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64
            } else {
                Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32
            };
            let from = at(self.bases[0], more);
            self.asm.op2(code, zmm(FIRST + u32::from(n)), from);
            return;
        }
        let wide = self.load_first(to, element, more);
        self.set_scalar(to, wide, Register::RCX);
    }

    /// An element into `rcx`, as wide as the register that it is for. Gives whether that has 64 bits.
    fn load_first(&mut self, to: u32, element: &Element, more: i64) -> bool {
        let wide = self.wide(to);
        let code = match element.bytes {
            8 => Code::Mov_r64_rm64,
            4 if wide && element.signed => Code::Movsxd_r64_rm32,
            4 => Code::Mov_r32_rm32,
            bytes => extension(8 * u32::from(bytes), element.signed, wide && element.signed),
        };
        let whole = wide && (element.signed || element.bytes == 8);
        self.asm.op2(code, if whole { Register::RCX } else { Register::ECX }, at(self.bases[0], more));
        wide
    }

    /// Elements of up to 32 bits, of one place or in a row, into a register of 64.
    pub fn load_longer(&mut self, step: &Step, to: u32, place: Place, element: &Element, more: i64) {
        if place == Place::Row(0) {
            self.load_first(to, element, more);
            for piece in 0..4 {
                self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, zmm(4), Register::RCX);
                self.put(step, to, piece, true, zmm(4));
            }
            return;
        }
        let code = match (element.bytes, element.signed) {
            (1, false) => Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
            (1, true) => Code::EVEX_Vpmovsxbd_zmm_k1z_xmmm128,
            (2, false) => Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
            (2, true) => Code::EVEX_Vpmovsxwd_zmm_k1z_ymmm256,
            _ => COPY,
        };
        let extend =
            if element.signed { Code::EVEX_Vpmovsxdq_zmm_k1z_ymmm256 } else { Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256 };
        for half in 0..2 {
            let lanes = self.lanes(step, half, false, Register::K5);
            let from = at(self.bases[0], more + 16 * i64::from(element.bytes) * i64::from(half));
            self.asm.masked2(code, zmm(4), from, Mask::zeroing(lanes));
            self.asm.op2(extend, zmm(5), ymm(zmm(4)));
            self.put(step, to, 2 * half, true, zmm(5));
            self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, Register::YMM4, zmm(4), 1, Mask::ALL);
            self.asm.op2(extend, zmm(5), Register::YMM4);
            self.put(step, to, 2 * half + 1, true, zmm(5));
        }
    }

    /// Leaves the lower one or two bytes of each lane, extended as the element is.
    fn cut(&mut self, target: Register, element: &Element) {
        let bits = 32 - 8 * i32::from(element.bytes);
        let right = if element.signed {
            Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8
        } else {
            Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8
        };
        self.asm.op3i(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, target, target, bits, Mask::ALL);
        self.asm.op3i(right, target, target, bits, Mask::ALL);
    }

    /// A store of all lanes to the place in `rax`: what the last one stores is what stays.
    pub fn store_last(&mut self, step: &Step, from: u32, element: &Element, more: i64) {
        let wide = element.bytes == 8 || self.wide(from);
        let done = self.asm.label();
        let alike = self.values.stride(from) == Some(0);
        if !alike {
            self.lay(from, wide, OPERANDS);
        }
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(done);
        let value = if alike {
            self.scalar_in(from, wide, Register::RCX)
        } else {
            self.asm.op2(Code::Bsr_r32_rm32, Register::EDX, Register::ECX);
            let code = if wide { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
            self.asm.op2(code, if wide { Register::RCX } else { Register::ECX }, lane(OPERANDS, wide));
            Register::RCX
        };
        if value != Register::RCX {
            self.asm.op2(Code::Mov_r64_rm64, Register::RCX, value);
        }
        self.store_part(at(self.bases[0], more), Register::RCX, element);
        self.asm.place(done);
    }

    /// Elements of up to four bytes, lane after lane.
    pub fn store_bytes(&mut self, step: &Step, from: u32, place: Place, element: &Element, more: i64) {
        let far = place == Place::Wide;
        let done = self.asm.label();
        // These two are the loop's own.
        if matches!(self.bases[0], Register::RSI | Register::RDI) {
            self.asm.op2(Code::Mov_r64_rm64, Register::RAX, self.bases[0]);
            self.bases[0] = Register::RAX;
        }
        if let Place::Row(stride) = place {
            self.spread_row(stride);
        }
        for piece in 0..if far { 4 } else { 2 } {
            self.asm.op2(STORE, at(Register::RSP, ADDRESSES + 64 * i64::from(piece)), zmm(piece));
        }
        let wide = self.wide(from);
        self.lay(from, wide, OPERANDS);
        self.mask_of(step, Register::ECX);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(done);
        for (n, register) in (0..).zip([Register::RSI, Register::RDI]) {
            self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, SAVED + 8 * n), register);
        }
        let again = self.asm.label();
        self.asm.place(again);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        self.asm.op2(Code::Mov_r32_rm32, Register::EDI, lane(OPERANDS, wide));
        let to = if far {
            self.asm.op2(Code::Mov_r64_rm64, Register::RSI, lane(ADDRESSES, true));
            at(Register::RSI, more)
        } else {
            self.asm.op2(Code::Movsxd_r64_rm32, Register::RSI, lane(ADDRESSES, false));
            indexed(self.bases[0], Register::RSI, more)
        };
        self.store_part(to, Register::RDI, element);
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(again);
        for (n, register) in (0..).zip([Register::RSI, Register::RDI]) {
            self.asm.op2(Code::Mov_r64_rm64, register, at(Register::RSP, SAVED + 8 * n));
        }
        self.asm.place(done);
    }

    /// The lower bytes of `rcx` or `rdi`.
    fn store_part(&mut self, to: Memory, from: Register, element: &Element) {
        let first = from == Register::RCX;
        match element.bytes {
            1 => self.asm.op2(Code::Mov_rm8_r8, to, if first { Register::CL } else { Register::DIL }),
            2 => self.asm.op2(Code::Mov_rm16_r16, to, if first { Register::CX } else { Register::DI }),
            4 => self.asm.op2(Code::Mov_rm32_r32, to, narrow(from)),
            _ => self.asm.op2(Code::Mov_rm64_r64, to, from),
        }
    }
}
