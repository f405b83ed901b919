//! Accesses whose addresses are vectors, but are likely to go up evenly from lane to lane or to be one: a look at them costs less than
//! a gather, which is what is left where they do not.

use super::few::Lanes;
use super::memory::Place;
use super::{Late, Lower, WARP, xmm, zmm};
use crate::assembler::{Label, Level, Mask, at};
use crate::operation::{Element, Operation, Window};
use crate::scaled::NONE;
use crate::unit::Step;
use iced_x86::{Code, Register};

const OTHER_THAN: i32 = 4;

impl Lower<'_> {
    /// The stride of addresses that are likely to be those of a row, or of one place.
    pub fn likely_row(
        &self,
        step: &Step,
        window: Window,
        place: &Place,
        element: &Element,
        loads: bool,
    ) -> Option<i64> {
        if !self.unit.tiles.is_empty() || window != Window::Plain || element.bytes < 4 {
            return None;
        }
        let stride = match place {
            Place::Wide if !step.based || self.values.stride(step.from[4]) == Some(0) => {
                self.values.likely(self.unit, step.from[0])?
            }
            Place::Scaled(scaled) => self.values.likely(self.unit, scaled.index)?.checked_mul(scaled.scale.into())?,
            _ => return None,
        };
        let one = stride == 0 && loads && self.asm.level() == Level::Avx512;
        let fits = 32 * i64::from(element.bytes) <= i64::from(self.layout.least_reach);
        (fits && (one || stride == i64::from(element.bytes))).then_some(stride)
    }

    /// The address of the first lane into `rax`, once all active lanes' have been compared with it: jumps where they are others,
    /// and goes the slow way where they are not right.
    fn address_likely(&mut self, step: &Step, place: &Place, stride: i64, bytes: u8, other: Label, slow: Label) {
        let scaled = if let Place::Scaled(scaled) = place { Some(scaled) } else { None };
        let (from, wide) = scaled.map_or((step.from[0], true), |scaled| (scaled.index, false));
        let stride = scaled.map_or(stride, |scaled| stride / i64::from(scaled.scale));
        for piece in 0..if wide { 4 } else { 2 } {
            let mut index = self.piece_in(from, piece, wide, zmm(0));
            if piece == 0 && wide {
                self.asm.op2(Code::EVEX_Vmovq_rm64_xmm, Register::RAX, xmm(index));
                self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, zmm(4), Register::RAX);
            } else if piece == 0 {
                self.asm.op2(Code::EVEX_Vmovd_rm32_xmm, Register::EAX, xmm(index));
                self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(4), Register::EAX);
            }
            if stride != 0 && wide {
                self.line64(|lane| (u64::from(piece) * 8 + lane).wrapping_mul(stride as u64), Register::RDX);
                self.asm.op3(Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, zmm(5), index, at(Register::RDX, 0));
                index = zmm(5);
            } else if stride != 0 {
                self.line32(|lane| (piece * 16 + lane).wrapping_mul(stride as u32), Register::RDX);
                self.asm.op3(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, zmm(5), index, at(Register::RDX, 0));
                index = zmm(5);
            }
            let lanes = Mask::of(self.lanes(step, piece, wide, Register::K5));
            let to = if piece == 0 { Register::K6 } else { Register::K7 };
            let code = if wide {
                Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8
            } else {
                Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8
            };
            self.asm.op4i(code, to, index, zmm(4), OTHER_THAN, lanes);
            if piece != 0 {
                self.asm.op3(Code::VEX_Korw_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
        }
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
        self.asm.jne(other);
        let mut bases = [if step.based { step.from[4] } else { NONE }, NONE];
        if let Some(scaled) = scaled {
            if scaled.signed {
                self.asm.op2(Code::Movsxd_r64_rm32, Register::RAX, Register::EAX);
            }
            self.asm.op2i(Code::Shl_rm64_imm8, Register::RAX, scaled.scale.trailing_zeros() as i32);
            bases = scaled.bases;
        }
        for base in bases.into_iter().filter(|&base| base != NONE) {
            let base = self.scalar_operand(base, true, Register::RCX);
            self.asm.op2(Code::Add_r64_rm64, Register::RAX, base);
        }
        if step.offset != 0 {
            self.asm.op2(Code::Lea_r64_m, Register::RAX, at(Register::RAX, step.offset));
        }
        self.asm.op2i(Code::Test_rm8_imm8, Register::AL, i32::from(bytes) - 1);
        self.asm.jne(slow);
        self.asm.op2(Code::Mov_r64_rm64, Register::RCX, Register::RAX);
        self.asm.op2(Code::Sub_r64_rm64, Register::RCX, at(WARP, self.layout.reach_start.into()));
        self.asm.op2(Code::Cmp_r64_rm64, Register::RCX, at(WARP, self.layout.row_reach.into()));
        self.asm.ja(slow);
    }

    /// A load that is likely to be one of a row.
    pub fn load_likely(
        &mut self,
        position: usize,
        step: &Step,
        place: &Place,
        stride: i64,
        element: &Element,
        slow: Label,
    ) {
        let (label, back) = (self.asm.label(), self.asm.label());
        let (to, wide) = (step.to[0], element.bytes == 8);
        self.note_position(position);
        self.bases = [Register::RAX, Register::RCX];
        self.address_likely(step, place, stride, element.bytes, label, slow);
        if stride == 0 {
            let code =
                if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
            for piece in 0..if wide { 4 } else { 2 } {
                let target = self.target(step, to, piece);
                // Where no lane is active nothing is known of the address.
                let lanes = self.lanes(step, piece, wide, Register::K5);
                self.asm.masked2(code, target, at(Register::RAX, 0), Mask::zeroing(lanes));
                self.put(step, to, piece, wide, target);
            }
        } else {
            self.load_row(step, to, wide, stride, element, 0);
        }
        self.late.push(Late::Unlikely { label, back, slow, at: position });
        self.end_late(back);
    }

    /// The same of a store.
    pub fn store_likely(
        &mut self,
        position: usize,
        step: &Step,
        place: &Place,
        stride: i64,
        element: &Element,
        slow: Label,
    ) {
        let (label, back) = (self.asm.label(), self.asm.label());
        self.note_position(position);
        self.bases = [Register::RAX, Register::RCX];
        self.address_likely(step, place, stride, element.bytes, label, slow);
        self.store_row(step, step.from[1], element.bytes == 8, stride, element, 0);
        self.late.push(Late::Unlikely { label, back, slow, at: position });
        self.end_late(back);
    }

    /// The addresses are not as they were likely to be.
    pub fn unlikely(&mut self, back: Label, slow: Label, at: usize) {
        let step = &self.unit.steps[at];
        let (Operation::Load { window, element, count } | Operation::Store { window, element, count }) = step.operation
        else {
            return;
        };
        let Some((place, lanes)) = self.kind(step, window, &element, count).and_then(|p| Some((p, Lanes::of(&p)?)))
        else {
            return;
        };
        self.address(at, step, window, &element, count, place, slow);
        let wide = element.bytes == 8;
        if let Operation::Load { .. } = step.operation {
            self.gather(step, step.to[0], wide, lanes, 0);
        } else {
            self.scatter(step, step.from[1], wide, lanes, 0);
        }
        self.asm.jmp(back);
    }
}
