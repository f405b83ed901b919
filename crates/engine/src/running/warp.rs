//! Runs warps: makes them ready for a launch and for a block, and calls one step after the other.

use crate::state::frame::{NOWHERE, Slot};
use crate::state::services::AddressRange;
use crate::state::step::Flow;
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Program, Warp, is_lean, tell_special};
use ptx::instruction::Special;
use std::rc::Rc;

impl<'c> Warp<'c> {
    /// Makes it a warp of another launch of the same kernel in the same shape of blocks.
    pub fn renew(&mut self, program: &'c Program, around: *mut Surroundings) {
        self.set_program(program);
        self.around = around;
        // SAFETY: the block gives its surroundings.
        self.accessible = unsafe { (*self.around).accessible };
        debug_assert!(self.accessible.bytes >= AddressRange::LEAST);
        self.row_reach = self.accessible.bytes.saturating_sub(AddressRange::LEAST);
        self.found.set(AddressRange::NOTHING);
        self.rewind();
        self.tell_kernel();
        (self.active, self.alive, self.mask) = (u32::MAX, u32::MAX, u32::MAX);
        for step in &self.code().once {
            // SAFETY: these steps compute, and read parameters that are there.
            unsafe { (step.execute)(self, step) };
        }
        // SAFETY: a warp that runs has surroundings; the frame is the kernel's.
        let native = unsafe { (*self.around).native.as_ref() };
        // SAFETY: the frame is the kernel's.
        let native =
            native.filter(|_| unsafe { self.code().native_assumptions_hold((*self.around).shape.block, self.frame) });
        self.begins_native = native;
        // SAFETY: a warp that runs has surroundings; the frame is the kernel's.
        self.begins_affine =
            native.is_none() && unsafe { self.code().affine_for((*self.around).shape.block, self.frame).is_some() };
    }

    /// Back to the start, for another block. `lanes` are those that exist, `specials` what is the same for all lanes of it.
    pub fn begin(&mut self, lanes: u32, specials: &[(u32, Special, u64)]) {
        self.rewind();
        self.active = lanes;
        self.alive = lanes;
        self.position = 0;
        self.reconverge = NOWHERE;
        self.jumps = 0;
        self.reduction = None;
        self.line = 0;
        if core::mem::take(&mut self.grown) {
            self.stack = [0; 32];
        }
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*self.around };
        let (index, code) = (self.index, self.code());
        self.native = self.begins_native;
        self.affine = code.affine.as_ref().filter(|_| self.begins_affine);
        self.lean = self.native.is_some();
        self.left_lean = false;
        self.parted = false;
        let Some(memory) = self.frames.last_mut().and_then(|f| Rc::get_mut(&mut f.memory)) else { return };
        if self.lean {
            for &(slot, _, value) in specials {
                if let Some(Slot(words)) = memory.get_mut(slot as usize) {
                    words[0] = value;
                }
            }
            return;
        }
        if let Some(affine) = self.affine {
            for &(slot, special, whole) in &affine.specials {
                if whole {
                    tell_special(memory, slot, special, index, around);
                } else if let Some(Slot(words)) = memory.get_mut(slot as usize) {
                    words[0] = around.special(special);
                }
            }
            return;
        }
        for &(slot, special) in code.specials.iter().filter(|s| !s.1.is_fixed()) {
            tell_special(memory, slot, special, index, around);
        }
    }

    /// Makes it ready for another block after one that never left compiled code, but for its special registers.
    #[inline]
    pub fn begin_again(&mut self, lanes: u32) {
        debug_assert!(self.frames.len() == 1 && !self.parted && self.native.is_some() && self.lean);
        (self.active, self.alive) = (lanes, lanes);
        (self.position, self.reconverge, self.jumps) = (0, NOWHERE, 0);
        self.waiting.clear();
        self.left_lean = false;
        if core::mem::take(&mut self.grown) {
            self.stack = [0; 32];
        }
    }

    /// Sets the first lane of a special register that is the same for all lanes of a block.
    #[inline]
    pub fn set_special(&mut self, slot: u32, value: u64) {
        // SAFETY: the slot is one of the kernel's, whose frame this is between blocks.
        unsafe { *self.frame.add(slot as usize * size_of::<Slot>()).cast::<u64>() = value };
    }

    /// Writes all lanes of special registers of which compiled code needs the first one.
    #[cold]
    fn fill_specials(&mut self) {
        // SAFETY: a warp that runs has surroundings, and a frame of the kernel.
        unsafe {
            let around = &*self.around;
            let code = &self.program().functions[self.kernel as usize];
            let Some(frame) = self.frames.first() else { return };
            for &(slot, special) in code.specials.iter().filter(|s| is_lean(s.1)) {
                let bits = around.special(special);
                let bits = if special.is_wide() { bits } else { bits & 0xffff_ffff | bits << 32 };
                frame.at.add(slot as usize * size_of::<Slot>()).cast::<Slot>().write(Slot([bits; 32]));
            }
        }
    }

    /// Runs until the warp gives way.
    ///
    /// # Safety
    /// Inside of [`guard::run`]: a step may fault.
    pub unsafe fn run(&mut self) -> Flow {
        loop {
            if self.position == self.reconverge && !self.next_path() {
                return Flow::Done;
            }
            // SAFETY: the contract of this function.
            if let Some(flow) = unsafe { self.run_native() } {
                match flow {
                    Flow::Jump | Flow::Next => continue,
                    other => return other,
                }
            }
            if core::mem::take(&mut self.lean) {
                self.fill_specials();
            }
            // A frame belongs to one function.
            let affine = self.affine.filter(|_| self.frames.len() == 1);
            let steps = affine.map_or_else(|| self.code().steps.as_ptr(), |affine| affine.steps.as_ptr());
            let frame = self.frame;
            let mut position = self.position;
            loop {
                // SAFETY: a position is one of a step, since the last step of a function never goes on to the next one;
                // a guard is the offset of a predicate of the frame; the rest is the contract of this function.
                let flow = unsafe { self.execute(&*steps.add(position as usize), position) };
                // By far the most frequent: one comparison.
                if flow == Flow::Next {
                    position += 1;
                    if position == self.reconverge {
                        self.position = position;
                        break;
                    }
                    continue;
                }
                match flow {
                    Flow::Jump => {
                        position = self.position;
                        let left = affine.is_some() && self.affine.is_none() || self.native.is_some();
                        if position == self.reconverge || self.frame != frame || left {
                            break;
                        }
                    }
                    Flow::Fault(fault) => {
                        self.line = self.current_line();
                        return Flow::Fault(fault);
                    }
                    other => return other,
                }
            }
        }
    }
}
