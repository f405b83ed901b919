//! Loads and stores: of one place, of rows, and by the addresses of all lanes. What is outside of the range that kernels may
//! access, or not aligned, is left to the interpreter's step, which says what is wrong.

use super::few::Lanes;
use super::{FRAME, Late, Lower, WARP, xmm, ymm, zmm};
use crate::assembler::{Label, Level, Mask, Operand, at, broadcast, indexed, narrow};
use crate::operation::{Element, Operation, Window};
use crate::scaled::Scaled;
use crate::unit::{NOWHERE, Step, outcome};
use iced_x86::{Code, Register};

/// Where the lanes of an access go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The first lane's address is in `rax`, each other's a stride more.
    Row(i64),
    /// Addresses are vectors: of 64 bits in `zmm0` to `zmm3`.
    Wide,
    /// Offsets of 32 bits in `zmm0` and `zmm1`, from `rax` on.
    Narrow,
    /// The same, as a number for all lanes in `rax` and 4 or 8 times an index of 32 bits.
    Scaled(Scaled),
    /// The addresses of lanes 0 and 16 are in `rax` and `rcx`, each other's in the half of the warp a stride more.
    Halves(i64),
}

/// What is looked at: the offset of the first access, its bytes, and the bytes of all together.
struct Span {
    offset: i64,
    bytes: u32,
    extent: i64,
}

/// An access that has asked for what lies behind it.
pub(crate) struct Asked {
    code: Code,
    block: usize,
    index: u32,
    base: u32,
    offset: i64,
}

/// Whether elements of this size have native code there: of one and two bytes all but halves, and vectors that are gathered.
fn has_place(place: &Place, element: &Element, count: u8, loads: bool) -> bool {
    match place {
        _ if element.bytes >= 4 => true,
        Place::Halves(_) => false,
        Place::Wide | Place::Scaled(_) => count == 1 || !loads,
        _ => true,
    }
}

/// Whether the address of an access is in the register that it is told by: what is added to that are bytes of the instruction. Where
/// no number is loaded, nothing changes this register.
pub(super) fn is_own(step: &Step, window: Window, place: &Place, bytes: u32) -> bool {
    let row = matches!(place, Place::Row(stride) if *stride != 0);
    row && !step.based && !step.narrow && window == Window::Plain && step.offset % i64::from(bytes) == 0
}

impl Lower<'_> {
    /// A load. False if it is left to the interpreter.
    pub fn load(&mut self, position: usize, step: &Step, window: Window, element: Element, count: u8) -> bool {
        let Some(place) = self.kind(step, window, &element, count) else { return false };
        let results = &step.to[..usize::from(count)];
        let wide = element.bytes == 8;
        let row = matches!(place, Place::Row(stride) if stride == 0 || stride == i64::from(element.bytes));
        // Numbers are made wider where they come in rows.
        let fits = |&to: &u32| self.home(to).is_some() && (self.wide(to) == wide || !wide && row);
        let known = results.iter().filter(|&&to| to != u32::MAX);
        if !known.clone().all(fits) || !has_place(&place, &element, count, true) {
            return false;
        }
        let scalar = known.clone().any(|&to| self.is_scalar(to));
        let longer = known.clone().any(|&to| self.wide(to) != wide);
        if scalar && !matches!(place, Place::Row(0)) {
            return false;
        }
        let folds = self.is_made_next(position, window);
        let (slow, back) = if folds && self.group(position).is_none() {
            (self.late_fold(position), self.asm.label())
        } else {
            self.late_step(position)
        };
        self.guard(step);
        let stride = self.likely_row(step, window, &place, &element, true);
        if let Some(stride) = stride.filter(|_| count == 1 && !longer && !scalar && step.to[0] != u32::MAX) {
            self.add_sums_of(&place, window, 0, element.bytes.into());
            self.load_likely(position, step, &place, stride, &element, slow);
            self.end_late(back);
            return true;
        }
        self.pair = self.pair_of(position, step).filter(|_| place == Place::Wide && !longer && !scalar);
        let first = self.address(position, step, window, &element, count, place, slow);
        self.add_sums_of(&place, window, first, i64::from(element.bytes) * i64::from(count));
        let end = self.asm.label();
        if self.load_column(position, step) {
            self.end_late(end);
            self.end_late(back);
            return true;
        }
        let apart = if longer { None } else { self.apart(position, place, &element, count, first, true) };
        if let Some(apart) = apart {
            let some = self.asm.label();
            self.unless_all(step, some);
            self.load_apart(step, &apart);
            self.asm.jmp(end);
            self.end_late(some);
        }
        let pairs = self.goes_in_pairs(&place, &element, count, true).filter(|_| !longer);
        for n in 0..usize::from(count) {
            let to = step.to[n];
            let more = first + n as i64 * i64::from(element.bytes);
            if let Some(lanes) = pairs
                && let Some(&pair) = step.to[..usize::from(count)].as_chunks().0.get(n / 2)
                && !pair.contains(&u32::MAX)
            {
                if n % 2 == 0 {
                    self.gather_pair(step, pair, lanes, more);
                }
                continue;
            }
            if to == u32::MAX {
                continue;
            }
            if scalar {
                self.load_scalar(to, &element, more);
                continue;
            }
            if longer {
                self.load_longer(step, to, place, &element, more);
                continue;
            }
            match place {
                _ if self.is_loose(place, &element) => self.load_bytes(step, to, window, place, &element, more),
                _ if self.fold(position, to, place, more) => {
                    if folds {
                        self.fetch_ahead(position, window, 4, &element, more, Code::Prefetcht0_m8);
                    }
                    if window == Window::Plain && place == Place::Row(4) {
                        self.fetch_folded(position, step, more);
                    }
                }
                Place::Row(stride) => {
                    self.load_row(step, to, wide, stride, &element, more);
                    self.fetch_ahead(position, window, stride, &element, more, Code::Prefetcht0_m8);
                    if window == Window::Plain && stride == i64::from(element.bytes) && element.bytes == 4 {
                        self.fetch_turns(position, step, false, more);
                    }
                }
                Place::Halves(stride) => {
                    self.load_halves(step, to, wide, stride, &element, more);
                    if window == Window::Plain && stride == i64::from(element.bytes) && element.bytes == 4 {
                        self.fetch_turns(position, step, true, more);
                    }
                }
                Place::Wide | Place::Narrow | Place::Scaled(_) => {
                    Lanes::of(&place).into_iter().for_each(|lanes| self.gather(step, to, wide, lanes, more));
                }
            }
        }
        self.end_late(end);
        self.end_late(back);
        true
    }

    /// A store. False if it is left to the interpreter.
    pub fn store(&mut self, position: usize, step: &Step, window: Window, element: Element, count: u8) -> bool {
        let Some(place) = self.kind(step, window, &element, count) else { return false };
        let wide_from = step.from[1..=usize::from(count)].iter().any(|&from| element.bytes < 8 && self.wide(from));
        // Of numbers that are wider the lower part, lane by lane.
        let apart_from_rows = matches!(place, Place::Halves(_));
        if matches!(place, Place::Halves(0))
            || !has_place(&place, &element, count, false)
            || wide_from && apart_from_rows
        {
            return false;
        }
        let wide = element.bytes == 8;
        let (slow, back) = self.late_step(position);
        for &from in &step.from[1..=usize::from(count)] {
            self.fix(from);
        }
        self.guard(step);
        let stride = self.likely_row(step, window, &place, &element, false);
        if let Some(stride) = stride.filter(|_| count == 1 && !wide_from) {
            self.add_sums_of(&place, window, 0, element.bytes.into());
            self.store_likely(position, step, &place, stride, &element, slow);
            self.end_late(back);
            return true;
        }
        let first = self.address(position, step, window, &element, count, place, slow);
        self.add_sums_of(&place, window, first, i64::from(element.bytes) * i64::from(count));
        let end = self.asm.label();
        let apart = if wide_from { None } else { self.apart(position, place, &element, count, first, false) };
        if let Some(apart) = apart {
            let some = self.asm.label();
            self.unless_all(step, some);
            self.store_apart(step, &apart);
            self.asm.jmp(end);
            self.end_late(some);
        }
        let pairs = self.goes_in_pairs(&place, &element, count, false).filter(|_| !wide_from);
        for n in 0..usize::from(count) {
            let (from, more) = (step.from[n + 1], first + n as i64 * i64::from(element.bytes));
            if let Some(lanes) = pairs {
                if n % 2 == 0 {
                    self.scatter_pair(step, [from, step.from[n + 2]], lanes, more);
                }
                continue;
            }
            match place {
                Place::Row(0) => self.store_last(step, from, &element, more),
                _ if wide_from || self.is_loose(place, &element) => self.store_bytes(step, from, place, &element, more),
                Place::Row(stride) => {
                    let past = self.store_past(position, step, (window, stride, &element), more);
                    self.store_row(step, from, wide, stride, &element, more);
                    self.fetch_ahead(position, window, stride, &element, more, Code::Prefetchw_m8);
                    if let Some(past) = past {
                        self.asm.place(past);
                    }
                }
                Place::Halves(stride) => self.store_halves(step, from, wide, stride, &element, more),
                Place::Wide | Place::Narrow | Place::Scaled(_) => {
                    Lanes::of(&place).into_iter().for_each(|lanes| self.scatter(step, from, wide, lanes, more));
                }
            }
        }
        self.end_late(end);
        self.end_late(back);
        true
    }

    /// Asks for what lies some rows further, outside of loops: a later warp, or a block beside this one, is likely to want it, and
    /// memory is far.
    fn fetch_ahead(&mut self, position: usize, window: Window, stride: i64, element: &Element, more: i64, code: Code) {
        let block = self.flow.block_of(position);
        if window != Window::Plain || stride != i64::from(element.bytes) || self.flow.depth[block] != 0 {
            return;
        }
        // One of those that lie side by side is enough, where it comes first on all ways.
        let step = &self.unit.steps[position];
        let base = if step.based { step.from[4] } else { u32::MAX };
        let near = |asked: &Asked| {
            let same = (asked.code, asked.index, asked.base) == (code, step.from[0], base);
            same && (asked.offset - step.offset).abs() < 64 && self.comes_before(asked.block, block)
        };
        if self.asked.iter().any(near) {
            return;
        }
        if self.asked.len() < 64 && i32::try_from(step.offset).is_ok() {
            self.asked.push(Asked { code, block, index: step.from[0], base, offset: step.offset });
        }
        /// Rows between: the next one would come too late.
        const ROWS: i64 = 4;
        let rows = if code == Code::Prefetcht0_m8 { ROWS } else { 1 };
        let bytes = 32 * stride;
        for line in (0..bytes).step_by(64) {
            self.asm.op1(code, at(self.bases[0], more + rows * bytes + line));
        }
    }

    /// Whether one block of steps has run wherever another one runs, as far as single ways lead back from that.
    fn comes_before(&self, block: usize, mut other: usize) -> bool {
        /// Blocks that are looked at.
        const MOST: usize = 8;
        for _ in 0..MOST {
            if other == block {
                return true;
            }
            match self.only_way[other] {
                NOWHERE => return false,
                from => other = from as usize,
            }
        }
        false
    }

    /// Where a step goes on that is left to the interpreter, and where code comes back from there.
    pub fn late_step(&mut self, at: usize) -> (Label, Label) {
        let (label, back) = (self.asm.label(), self.asm.label());
        match self.group(at) {
            None => self.late.push(Late::Slow { label, back, at }),
            // Others rely on what the first one sees.
            Some(group) if !group.looked_at => {
                let live = core::mem::take(&mut self.groups.live);
                self.late_interpret(label, at, live, outcome::AWHILE);
            }
            Some(_) => {}
        }
        (label, back)
    }

    pub fn end_late(&mut self, back: Label) {
        self.asm.place(back);
    }

    /// Where the lanes of an access go. None for what has no native code.
    pub fn kind(&self, step: &Step, window: Window, element: &Element, count: u8) -> Option<Place> {
        let bytes = i64::from(element.bytes) * i64::from(count);
        let index = self.values.stride(step.from[0]);
        let base = if step.based { self.values.stride(step.from[4]) } else { Some(0) };
        if i32::try_from(step.offset).is_err() {
            return None;
        }
        match (index, base) {
            (Some(index), Some(base)) => {
                let stride = index.wrapping_add(base);
                let stride = if step.narrow { i64::from(stride as i32) } else { stride };
                let span = stride.checked_abs()?.checked_mul(31)?.checked_add(bytes)?;
                let fits = span <= i64::from(self.layout.least_reach) && stride % bytes == 0;
                fits.then_some(Place::Row(stride))
            }
            _ if let Some(scaled) = step.scaled => Some(Place::Scaled(scaled)),
            _ if let Some(stride) = self.halves(step, window, bytes) => Some(Place::Halves(stride)),
            _ if step.narrow && window == Window::Shared => Some(Place::Narrow),
            _ if !step.narrow && window == Window::Plain => Some(Place::Wide),
            _ => None,
        }
    }

    /// The stride of addresses that are likely to go up evenly within each half of the warp.
    fn halves(&self, step: &Step, window: Window, bytes: i64) -> Option<i64> {
        let own = if step.narrow { Window::Shared } else { Window::Plain };
        let base = !step.based || self.values.stride(step.from[4]) == Some(0);
        if self.unit.tiles.is_empty() || own != window || !base {
            return None;
        }
        let certain = self.values.stride_in_halves(self.unit, step.from[0]);
        let stride = certain.or_else(|| self.values.likely(self.unit, step.from[0]))?;
        let fits =
            stride >= 0 && stride % bytes == 0 && stride.checked_mul(15)? + bytes <= i64::from(self.layout.least_reach);
        fits.then_some(stride)
    }

    /// Addresses of the first lanes of both halves into `rax` and `rcx`; where it is not certain that others follow, they have been looked at.
    fn address_halves(&mut self, step: &Step, window: Window, stride: i64, span: &Span, slow: Label) {
        const FIRST_OF: [Register; 2] = [Register::RAX, Register::RCX];
        let wide = window == Window::Plain;
        let alike = self.values.is_alike_in_halves(step.from[0]);
        let bases = &FIRST_OF[..if alike { 1 } else { 2 }];
        if alike {
            self.bases[1] = FIRST_OF[0];
        }
        if self.values.stride_in_halves(self.unit, step.from[0]) == Some(stride) {
            for (half, &base) in (0..).zip(bases) {
                self.half_to(step.from[0], half, wide, base);
            }
        } else {
            self.compare_halves(step.from[0], wide, stride, FIRST_OF, slow);
        }
        let (offset, bytes) = (span.offset, span.bytes);
        let aligned = wide && self.aligned.is_aligned(self.unit, step, bytes);
        let span = stride as i32 * 15 + span.extent as i32;
        for &base in bases {
            if wide {
                if offset != 0 {
                    self.asm.op2(Code::Lea_r64_m, base, at(base, offset));
                }
                if step.based {
                    let sum = self.scalar_operand(step.from[4], true, Register::RDX);
                    self.asm.op2(Code::Add_r64_rm64, base, sum);
                }
            } else if offset != 0 {
                self.asm.op2(Code::Lea_r32_m, narrow(base), at(base, offset));
            }
        }
        if bytes > 1 && !aligned {
            let all = if alike { Register::AL } else { Register::DL };
            if !alike {
                self.asm.op2(Code::Mov_r32_rm32, Register::EDX, Register::EAX);
                self.asm.op2(Code::Or_r32_rm32, Register::EDX, Register::ECX);
            }
            self.asm.op2i(Code::Test_rm8_imm8, all, bytes as i32 - 1);
            self.asm.jne(slow);
        }
        if wide {
            let [start, most] = [self.layout.reach_start, self.layout.row_reach].map(|offset| at(WARP, offset.into()));
            for &base in bases {
                self.asm.op2(Code::Sub_r64_rm64, base, start);
                self.asm.op2(Code::Cmp_r64_rm64, base, most);
                self.asm.ja(slow);
                self.asm.op2(Code::Add_r64_rm64, base, start);
            }
            return;
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(WARP, self.layout.around.into()));
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, at(Register::RDX, self.layout.shared_bytes.into()));
        self.asm.op2i(Code::Sub_rm32_imm32, Register::EDX, span);
        self.asm.jb(slow);
        for &base in bases {
            self.asm.op2(Code::Cmp_r32_rm32, narrow(base), Register::EDX);
            self.asm.ja(slow);
        }
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(WARP, self.layout.around.into()));
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(Register::RDX, self.layout.shared.into()));
        for &base in bases {
            self.asm.op2(Code::Add_r64_rm64, base, Register::RDX);
        }
    }

    /// The numbers of the first lanes of both halves into registers, if those of all others go up from there by a stride.
    fn compare_halves(&mut self, from: u32, wide: bool, stride: i64, to: [Register; 2], slow: Label) {
        let per_half = if wide { 2 } else { 1 };
        for half in 0..2 {
            let base = to[half as usize];
            for part in 0..per_half {
                let piece = half * per_half + part;
                let index = self.piece_in(from, piece, wide, zmm(0));
                if part == 0 {
                    let code = if wide { Code::EVEX_Vmovq_rm64_xmm } else { Code::EVEX_Vmovd_rm32_xmm };
                    self.asm.op2(code, if wide { base } else { narrow(base) }, xmm(index));
                }
                let mask = if piece == 0 { Register::K6 } else { Register::K7 };
                if wide {
                    self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, zmm(4), base);
                    self.line64(|lane| (u64::from(part) * 8 + lane).wrapping_mul(stride as u64), Register::RDX);
                    self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, zmm(4), zmm(4), at(Register::RDX, 0));
                    self.asm.op4i(Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8, mask, zmm(4), index, 4, Mask::ALL);
                } else {
                    self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(4), narrow(base));
                    self.line32(|lane| lane.wrapping_mul(stride as u32), Register::RDX);
                    self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, zmm(4), zmm(4), at(Register::RDX, 0));
                    self.asm.op4i(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, mask, zmm(4), index, 4, Mask::ALL);
                }
                if piece != 0 {
                    self.asm.op3(Code::VEX_Korw_kr_kr_kr, Register::K6, Register::K6, Register::K7);
                }
            }
        }
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
        self.asm.jne(slow);
    }

    fn load_halves(&mut self, step: &Step, to: u32, wide: bool, stride: i64, element: &Element, more: i64) {
        let per_half = if wide { 2 } else { 1 };
        for piece in 0..2 * per_half {
            let base = self.bases[usize::from(piece >= per_half)];
            let part = piece % per_half;
            let target = self.target(step, to, piece);
            if stride == 0 {
                let code =
                    if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
                let lanes = self.lanes(step, piece, wide, Register::K5);
                // Where no lane is active nothing is known of the address. Shared memory is all there.
                if step.narrow {
                    self.asm.op2(code, target, at(base, more));
                } else if self.asm.level() == Level::Avx512 {
                    self.asm.masked2(code, target, at(base, more), Mask::zeroing(lanes));
                } else {
                    self.asm.op2(Code::Lea_r64_m, Register::RDX, at(base, more));
                    self.asm.op2(Code::VEX_Kortestw_kr_kr, lanes, lanes);
                    self.asm.op2(Code::Cmove_r64_rm64, Register::RDX, FRAME);
                    self.asm.op2(code, target, at(Register::RDX, 0));
                }
            } else if stride == i64::from(element.bytes) {
                let lanes = self.lanes(step, piece, wide, Register::K5);
                let code =
                    if wide { Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512 } else { Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512 };
                self.asm.masked2(code, target, at(base, more + 64 * i64::from(part)), Mask::zeroing(lanes));
            } else {
                let lanes = self.lanes(step, piece, wide, Register::K5);
                self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, target, target, target);
                let index = self.strides(stride, part, wide);
                let code = if wide { Code::EVEX_Vpgatherqq_zmm_k1_vm64z } else { Code::EVEX_Vpgatherdd_zmm_k1_vm32z };
                self.asm.masked2(code, target, indexed(base, index, more), Mask::of(Register::K6));
            }
            self.put(step, to, piece, wide, target);
        }
    }

    fn store_halves(&mut self, step: &Step, from: u32, wide: bool, stride: i64, element: &Element, more: i64) {
        let per_half = if wide { 2 } else { 1 };
        for piece in 0..2 * per_half {
            let base = self.bases[usize::from(piece >= per_half)];
            let part = piece % per_half;
            let value = self.piece_in(from, piece, wide, zmm(4));
            let lanes = self.lanes(step, piece, wide, Register::K5);
            if stride == i64::from(element.bytes) {
                let code =
                    if wide { Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm } else { Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm };
                self.asm.masked2(code, at(base, more + 64 * i64::from(part)), value, Mask::of(lanes));
            } else {
                self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
                let index = self.strides(stride, part, wide);
                let code = if wide { Code::EVEX_Vpscatterqq_vm64z_k1_zmm } else { Code::EVEX_Vpscatterdd_vm32z_k1_zmm };
                self.asm.masked2(code, indexed(base, index, more), value, Mask::of(Register::K6));
            }
        }
    }

    /// Works addresses out and looks at them: what is not as it should be goes the slow way. Gives what is to be added to them.
    #[allow(clippy::too_many_arguments)]
    pub fn address(
        &mut self,
        position: usize,
        step: &Step,
        window: Window,
        element: &Element,
        count: u8,
        place: Place,
        slow: Label,
    ) -> i64 {
        if window == Window::Plain {
            // Shared memory is there.
            match place {
                Place::Row(_) => self.mark_position(position),
                _ => self.note_position(position),
            }
        }
        let bytes = u32::from(element.bytes) * u32::from(count);
        let group = self.group(position);
        let mut span = Span { offset: step.offset, bytes, extent: bytes.into() };
        self.bases = [Register::RAX, Register::RCX];
        if let Some(group) = group {
            if group.looked_at {
                self.recall(group);
                return step.offset - if group.own { 0 } else { group.least };
            }
            span = Span { offset: group.least, bytes, extent: group.extent };
        }
        let own = group.map_or_else(|| is_own(step, window, &place, bytes), |group| group.own);
        match place {
            Place::Row(stride) => {
                let keeper = group.and_then(|group| self.keeper(group)).filter(|_| window == Window::Plain);
                self.address_row(step, window, stride, &span, (keeper, own), slow);
            }
            Place::Wide => self.addresses_wide(position, step, bytes, slow),
            Place::Scaled(scaled) => self.addresses_scaled(step, &scaled, bytes, slow),
            Place::Narrow => self.addresses_narrow(step, bytes, slow),
            Place::Halves(stride) => self.address_halves(step, window, stride, &span, slow),
        }
        if let Some(group) = group {
            self.trust(group);
        }
        match group {
            _ if own => step.offset,
            Some(group) => step.offset - group.least,
            None => 0,
        }
    }

    /// The address of a row, in a register that keeps it if there is one; or what it comes of, if it is its own.
    fn address_row(
        &mut self,
        step: &Step,
        window: Window,
        stride: i64,
        span: &Span,
        (keeper, own): (Option<Register>, bool),
        slow: Label,
    ) {
        let (bytes, extent) = (span.bytes, span.extent as i32);
        // What is looked at lies behind an address that is its own.
        let (offset, behind) = if own { (0, span.offset) } else { (span.offset, 0) };
        let (span, down) = (31 * stride.abs() + span.extent, stride < 0);
        let from = self.scalar_in(step.from[0], !step.narrow, Register::RAX);
        if own {
            self.bases[0] = from;
        } else if let Some(keeper) = keeper.filter(|_| from != Register::RAX || offset != 0) {
            self.bases[0] = keeper;
        }
        let address = self.bases[0];
        if step.narrow || window == Window::Shared {
            if from != Register::RAX || offset != 0 {
                let from = at(from, offset);
                self.asm.op2(Code::Lea_r32_m, Register::EAX, from);
            }
        } else if step.based {
            match self.scalar_operand(step.from[4], true, Register::RCX) {
                Operand::Register(base) => {
                    let sum = indexed(from, base, offset);
                    self.asm.op2(Code::Lea_r64_m, address, sum);
                }
                Operand::Memory(base) => {
                    self.asm.op2(Code::Lea_r64_m, address, at(from, offset));
                    self.asm.op2(Code::Add_r64_rm64, address, base);
                }
            }
        } else if !own && (from != Register::RAX || offset != 0) {
            self.asm.op2(Code::Lea_r64_m, address, at(from, offset));
        }
        if bytes > 1 && !self.aligned.is_aligned(self.unit, step, bytes) {
            if address != Register::RAX {
                self.asm.op2i(Code::Test_rm32_imm32, narrow(address), bytes as i32 - 1);
            } else {
                self.asm.op2i(Code::Test_rm8_imm8, Register::AL, bytes as i32 - 1);
            }
            self.asm.jne(slow);
        }
        let first = if down { 31 * stride } else { 0 };
        match window {
            Window::Plain => self.look_at_row(address, behind + first, slow),
            Window::Shared => {
                self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(WARP, self.layout.around.into()));
                self.asm.op2(Code::Mov_r32_rm32, Register::ECX, at(Register::RDX, self.layout.shared_bytes.into()));
                if down {
                    self.asm.op2i(Code::Cmp_rm64_imm32, Register::RAX, -first as i32);
                    self.asm.jb(slow);
                }
                // Where a row is longer than what is there, lanes that wait may be what is beyond.
                let (beyond, back) = (self.asm.label(), self.asm.label());
                let small = matches!(
                    step.operation,
                    Operation::Load { element, .. } | Operation::Store { element, .. } if element.bytes < 4
                );
                let beyond = if stride > 0 && !small {
                    self.late.push(Late::Beyond { label: beyond, back, slow, stride: stride as i32, extent });
                    beyond
                } else {
                    slow
                };
                // From the highest address on.
                self.asm.op2i(Code::Sub_rm64_imm32, Register::RCX, (span + first) as i32);
                self.asm.jb(beyond);
                self.asm.op2(Code::Cmp_r64_rm64, Register::RAX, Register::RCX);
                self.asm.ja(beyond);
                self.end_late(back);
                self.asm.op2(Code::Add_r64_rm64, Register::RAX, at(Register::RDX, self.layout.shared.into()));
            }
        }
    }

    /// Whether a row is in reach that begins so far from an address. Changes `rcx`.
    pub(super) fn look_at_row(&mut self, address: Register, first: i64, slow: Label) {
        if first != 0 {
            self.asm.op2(Code::Lea_r64_m, Register::RCX, at(address, first));
        } else {
            self.asm.op2(Code::Mov_r64_rm64, Register::RCX, address);
        }
        self.asm.op2(Code::Sub_r64_rm64, Register::RCX, at(WARP, self.layout.reach_start.into()));
        self.asm.op2(Code::Cmp_r64_rm64, Register::RCX, at(WARP, self.layout.row_reach.into()));
        self.asm.ja(slow);
    }

    /// A row in shared memory, from the offset in `eax` on, is longer than what is there, or begins below it: whether that is so
    /// of the lanes that are active, too. `rdx` is what surrounds the warp.
    pub fn look_beyond(&mut self, back: Label, slow: Label, stride: i32, extent: i32) {
        let active = at(WARP, self.layout.active.into());
        self.asm.op2(Code::Movsxd_r64_rm32, Register::RAX, Register::EAX);
        // From the first of them on.
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::ECX, active);
        self.asm.op3i(Code::Imul_r32_rm32_imm32, Register::ECX, Register::ECX, stride, Mask::ALL);
        self.asm.op2(Code::Add_r64_rm64, Register::RCX, Register::RAX);
        self.asm.jl(slow);
        // To the last one.
        self.asm.op2(Code::Lzcnt_r32_rm32, Register::ECX, active);
        self.asm.op2i(Code::Xor_rm32_imm8, Register::ECX, 31);
        self.asm.op3i(Code::Imul_r32_rm32_imm32, Register::ECX, Register::ECX, stride, Mask::ALL);
        self.asm.op2(Code::Lea_r64_m, Register::RCX, indexed(Register::RAX, Register::RCX, extent.into()));
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, at(Register::RDX, self.layout.shared_bytes.into()));
        self.asm.op2(Code::Cmp_r64_rm64, Register::RCX, Register::RDX);
        self.asm.jg(slow);
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(WARP, self.layout.around.into()));
        self.asm.jmp(back);
    }

    pub(super) fn load_row(&mut self, step: &Step, to: u32, wide: bool, stride: i64, element: &Element, more: i64) {
        let pieces = if wide { 4 } else { 2 };
        if element.bytes < 4 {
            self.load_narrow(step, to, stride, element, more);
            return;
        }
        if stride == 0 {
            let code =
                if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
            for piece in 0..pieces {
                let target = self.target(step, to, piece);
                self.asm.op2(code, target, at(self.bases[0], more));
                self.put(step, to, piece, wide, target);
            }
            return;
        }
        for piece in 0..pieces {
            let target = self.target(step, to, piece);
            let lanes = self.lanes(step, piece, wide, Register::K5);
            if stride == i64::from(element.bytes) {
                let code =
                    if wide { Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512 } else { Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512 };
                self.asm.masked2(code, target, at(self.bases[0], more + 64 * i64::from(piece)), Mask::zeroing(lanes));
            } else {
                self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, target, target, target);
                let index = self.strides(stride, piece, wide);
                let code = if wide { Code::EVEX_Vpgatherqq_zmm_k1_vm64z } else { Code::EVEX_Vpgatherdd_zmm_k1_vm32z };
                self.asm.masked2(code, target, indexed(self.bases[0], index, more), Mask::of(Register::K6));
            }
            self.put(step, to, piece, wide, target);
        }
    }

    /// Elements of one or two bytes: one for all lanes, or in a row.
    fn load_narrow(&mut self, step: &Step, to: u32, stride: i64, element: &Element, more: i64) {
        let pair = element.bytes == 2;
        if stride == 0 {
            let code = match (pair, element.signed) {
                (false, false) => Code::Movzx_r32_rm8,
                (false, true) => Code::Movsx_r32_rm8,
                (true, false) => Code::Movzx_r32_rm16,
                (true, true) => Code::Movsx_r32_rm16,
            };
            self.asm.op2(code, Register::ECX, at(self.bases[0], more));
            self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(0), Register::ECX);
        }
        for piece in 0..2 {
            let mut target = zmm(0);
            if stride != 0 {
                target = self.target(step, to, piece);
                let lanes = self.lanes(step, piece, false, Register::K5);
                let code = match (pair, element.signed) {
                    (false, false) => Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
                    (false, true) => Code::EVEX_Vpmovsxbd_zmm_k1z_xmmm128,
                    (true, false) => Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
                    (true, true) => Code::EVEX_Vpmovsxwd_zmm_k1z_ymmm256,
                };
                let from = at(self.bases[0], more + 16 * i64::from(element.bytes) * i64::from(piece));
                self.asm.masked2(code, target, from, Mask::zeroing(lanes));
            }
            self.put(step, to, piece, false, target);
        }
    }

    /// The distances of the lanes of a piece from the first lane.
    fn strides(&mut self, stride: i64, piece: u32, wide: bool) -> Register {
        if wide {
            let first = u64::from(piece) * 8;
            self.line64(|lane| (first + lane).wrapping_mul(stride as u64), Register::RDX);
        } else {
            self.line32(|lane| (piece * 16 + lane).wrapping_mul(stride as u32), Register::RDX);
        }
        self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(5), at(Register::RDX, 0));
        zmm(5)
    }

    pub(super) fn store_row(&mut self, step: &Step, from: u32, wide: bool, stride: i64, element: &Element, more: i64) {
        for piece in 0..if wide { 4 } else { 2 } {
            let value = self.piece_in(from, piece, wide, zmm(4));
            let lanes = self.lanes(step, piece, wide, Register::K5);
            if element.bytes < 4 {
                let code = if element.bytes == 1 {
                    Code::EVEX_Vpmovdb_xmmm128_k1z_zmm
                } else {
                    Code::EVEX_Vpmovdw_ymmm256_k1z_zmm
                };
                let to = at(self.bases[0], more + 16 * i64::from(element.bytes) * i64::from(piece));
                self.asm.masked2(code, to, value, Mask::of(lanes));
            } else if stride == i64::from(element.bytes) {
                let code =
                    if wide { Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm } else { Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm };
                self.asm.masked2(code, at(self.bases[0], more + 64 * i64::from(piece)), value, Mask::of(lanes));
            } else {
                self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
                let index = self.strides(stride, piece, wide);
                let code = if wide { Code::EVEX_Vpscatterqq_vm64z_k1_zmm } else { Code::EVEX_Vpscatterdd_vm32z_k1_zmm };
                self.asm.masked2(code, indexed(self.bases[0], index, more), value, Mask::of(Register::K6));
            }
        }
    }

    /// Addresses of 64 bits into `zmm0` to `zmm3`.
    fn addresses_wide(&mut self, position: usize, step: &Step, bytes: u32, slow: Label) {
        self.sum_wide(step);
        self.look_at_all_wide(position, step, bytes, slow);
    }

    /// The same, and nothing looks at them.
    pub(super) fn sum_wide(&mut self, step: &Step) {
        // What all lanes add: the offset, and the base if one number stands for it.
        let single = step.based && self.values.stride(step.from[4]) == Some(0);
        let adds = single || step.offset != 0;
        if single {
            let base = self.scalar_in(step.from[4], true, Register::RAX);
            self.asm.op2(Code::Lea_r64_m, Register::RAX, at(base, step.offset));
        } else if adds {
            self.asm.number(Register::RAX, step.offset as u64);
        }
        if adds {
            self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, zmm(4), Register::RAX);
        }
        for piece in 0..4 {
            let index = self.piece_in(step.from[0], piece, true, zmm(piece));
            if adds {
                self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, zmm(piece), zmm(4), index);
            } else if index != zmm(piece) {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, zmm(piece), index);
            }
            if step.based && !single {
                let base = self.piece(step.from[4], piece, true, zmm(5));
                self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, zmm(piece), zmm(piece), base);
            }
        }
    }

    /// Whether they are as they should be, of lanes that wait, too, where that is quicker.
    fn look_at_all_wide(&mut self, position: usize, step: &Step, bytes: u32, slow: Label) {
        let bytes_here = if self.aligned.is_aligned(self.unit, step, bytes) { 1 } else { bytes };
        if self.asm.level() == Level::Avx2 {
            self.look_at_wide(step, bytes, slow);
            return;
        }
        // All lanes at once, those that wait as well: where one of them is outside, lanes that are active are looked at.
        let start = broadcast(WARP, self.layout.reach_start.into());
        const SUBTRACT: Code = Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64;
        const TERNARY: Code = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        self.asm.op3(SUBTRACT, zmm(4), zmm(0), start);
        for piece in 1..4 {
            self.asm.op3(SUBTRACT, zmm(5), zmm(piece), start);
            self.asm.op3(Code::EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64, zmm(4), zmm(4), zmm(5));
        }
        let most = broadcast(WARP, self.layout.row_reach.into());
        self.asm.op4i(Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, Register::K6, zmm(4), most, 6, Mask::ALL);
        if bytes_here > 1 {
            self.asm.op3(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, zmm(5), zmm(0), zmm(1));
            self.asm.op4i(TERNARY, zmm(5), zmm(2), zmm(3), 0xfe, Mask::ALL);
            self.line64(|_| u64::from(bytes) - 1, Register::RDX);
            let test = at(Register::RDX, 0);
            self.asm.masked3(Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64, Register::K7, zmm(5), test, Mask::ALL, 0);
            self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K7);
        } else {
            self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K6);
        }
        let label = self.asm.label();
        self.asm.jne(label);
        // What has only been looked at closely is loaded by itself.
        let back = match self.pair {
            Some(pair) => pair.alone,
            None => self.asm.label(),
        };
        self.late.push(Late::Outside { label, back, slow, at: position, bytes });
        if self.pair.is_none() {
            self.end_late(back);
        }
    }

    /// Whether addresses of active lanes, in `zmm0` to `zmm3`, are as they should be.
    pub fn look_at_wide(&mut self, step: &Step, bytes: u32, slow: Label) {
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, at(WARP, self.layout.reach_bytes.into()));
        self.asm.op2i(Code::Sub_rm64_imm32, Register::RAX, bytes as i32);
        self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, zmm(4), Register::RAX);
        if bytes > 1 {
            self.line64(|_| u64::from(bytes) - 1, Register::RDX);
        }
        let start = broadcast(WARP, self.layout.reach_start.into());
        for piece in 0..4 {
            let lanes = self.lanes(step, piece, true, Register::K5);
            self.asm.op3(Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, zmm(5), zmm(piece), start);
            let to = if piece == 0 { Register::K6 } else { Register::K7 };
            self.asm.op4i(Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, to, zmm(5), zmm(4), 6, Mask::of(lanes));
            if piece != 0 {
                self.asm.op3(Code::VEX_Korb_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
            if bytes > 1 {
                let test = at(Register::RDX, 0);
                self.asm.masked3(
                    Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64,
                    Register::K7,
                    zmm(piece),
                    test,
                    Mask::of(lanes),
                    0,
                );
                self.asm.op3(Code::VEX_Korb_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
        }
        self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K6);
        self.asm.jne(slow);
    }

    /// Offsets of 32 bits into `zmm0` and `zmm1`, their base into `rax`.
    pub(super) fn addresses_narrow(&mut self, step: &Step, bytes: u32, slow: Label) {
        self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(WARP, self.layout.around.into()));
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(Register::RDX, self.layout.shared_bytes.into()));
        self.asm.op2i(Code::Sub_rm32_imm32, Register::EAX, bytes as i32);
        self.asm.jb(slow);
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(4), Register::EAX);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, at(Register::RDX, self.layout.shared.into()));
        for piece in 0..2 {
            let index = self.piece_in(step.from[0], piece, false, zmm(piece));
            if step.offset != 0 {
                self.line32(|_| step.offset as u32, Register::RDX);
                self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, zmm(piece), index, at(Register::RDX, 0));
            } else if index != zmm(piece) {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, zmm(piece), index);
            }
        }
        if bytes > 1 {
            self.line32(|_| bytes - 1, Register::RDX);
        }
        for piece in 0..2 {
            let lanes = self.lanes(step, piece, false, Register::K5);
            let to = if piece == 0 { Register::K6 } else { Register::K7 };
            self.asm.op4i(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, to, zmm(piece), zmm(4), 6, Mask::of(lanes));
            if piece != 0 {
                self.asm.op3(Code::VEX_Korw_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
            if bytes > 1 {
                let test = at(Register::RDX, 0);
                self.asm.masked3(
                    Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32,
                    Register::K7,
                    zmm(piece),
                    test,
                    Mask::of(lanes),
                    0,
                );
                self.asm.op3(Code::VEX_Korw_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
        }
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
        self.asm.jne(slow);
    }

    pub(super) fn half_index(&mut self, piece: u32) -> Register {
        let whole = zmm(piece / 2);
        if piece.is_multiple_of(2) {
            return ymm(whole);
        }
        self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, Register::YMM5, whole, 1, Mask::ALL);
        Register::YMM5
    }
}
