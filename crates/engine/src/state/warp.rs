//! A warp: 32 lanes that execute together.

use crate::state::affine::fill;
use crate::state::fiber::{BarrierKind, Fiber};
use crate::state::frame::{Frame, NOWHERE, Paths, Slot, set_lane, splat};
use crate::state::grid::Thread;
use crate::state::program::Base;
use crate::state::services::AddressRange;
use crate::state::step::{Flow, Runner, UNGUARDED};
use crate::state::surroundings::Surroundings;
use core::cell::Cell;
use ptx::instruction::Special;
use std::rc::Rc;

/// Steps run on warps.
pub enum Warps {}

impl Runner for Warps {
    type Of<'c> = Warp<'c>;
}

/// What a warp executes: the generic types, for warps.
pub type Execute = crate::state::step::Execute<Warps>;
pub type Step = crate::state::step::Step<Warps>;
pub type AffineSteps = crate::state::affine::AffineSteps<Warps>;
pub type Code = crate::state::program::Code<Warps>;
pub type Program = crate::state::program::Program<Warps>;

/// One line of the cache.
const _: () = assert!(size_of::<Step>() == 64);

/// What a warp runs that is kept for later.
static NOTHING: Program = Program::NOTHING;

/// Lanes that come to a barrier of the block.
#[derive(Clone, Copy, Default)]
pub struct Arrival {
    /// Its number.
    pub barrier: u32,
    /// Threads that it expects; 0 for all of the block.
    pub threads: u32,
    /// They wait until it opens.
    pub waits: bool,
}

/// A warp of a block, which runs a program that lives for `'c`. What compiled code looks at comes first: it is in two lines of the
/// cache, and the code addresses it by short displacements.
#[repr(C, align(64))]
pub struct Warp<'c> {
    /// The current frame.
    pub frame: *mut u8,
    /// The block.
    pub around: *mut Surroundings,
    /// The next warp of the block, or null.
    pub(crate) next: *const Warp<'c>,
    /// Lanes that go this way.
    pub active: u32,
    /// Lanes that have not ended.
    pub alive: u32,
    /// The next step.
    pub position: u32,
    /// Where the active lanes reconverge with those that wait.
    pub(crate) reconverge: u32,
    /// What it may access, and what it found last that it may access outside of that.
    pub accessible: AddressRange,
    /// How far from the start of that a row of [`AddressRange::LEAST`] bytes may begin.
    pub(crate) row_reach: u64,
    pub(crate) waiting: Paths,
    /// Jumps backwards since others had their turn.
    pub(crate) jumps: u32,
    /// Lanes that the current step is for.
    pub mask: u32,
    /// Compiled code was left with the first lanes of what they stand for in the frame, and comes back to them.
    pub(crate) left_lean: bool,
    /// Of special registers that are the same for all lanes only the first lane is in the frame.
    pub(crate) lean: bool,
    /// Whether functions have allocated local memory: see `stack`.
    pub grown: bool,
    pub(crate) frames: Vec<Frame>,
    /// Parts of the warp that do not run now.
    pub parked: Vec<Fiber>,
    /// It has been in parts since the block began. Parts that are one again may be in different turns of a loop: what one number stands
    /// for elsewhere may differ from lane to lane.
    pub parted: bool,
    /// Lanes that have reconverged with the others of their reduction at the step they are at.
    pub(crate) met: u32,
    /// Frames of earlier calls, with their constants in place.
    pub(crate) spare: Vec<Frame>,
    /// What runs.
    program: &'c Program,
    /// First address of its local memory: 32 pieces of `stride` bytes.
    pub(crate) local_base: u64,
    /// Bytes of local memory of a lane.
    pub stride: u64,
    /// Bytes at the end of each lane's local memory that functions have allocated.
    pub stack: [u64; 32],
    /// Its number in the block.
    pub index: u32,
    /// The kernel, by number.
    pub(crate) kernel: u32,
    /// The steps for rows, as long as the warp is executed by them; and whether blocks begin with them.
    pub(crate) affine: Option<&'c AffineSteps>,
    pub(crate) begins_affine: bool,
    /// Compiled code of the kernel, as long as the warp is executed by it; and the code that blocks begin with.
    pub(crate) native: Option<&'c compiler::Code>,
    pub(crate) begins_native: Option<&'c compiler::Code>,
    /// What the last call from compiled code gave, and a panic in it.
    pub(crate) flow: Flow,
    pub(crate) panic: Option<Box<dyn core::any::Any + Send>>,
    /// The result of a barrier that is still to be written: kind and place.
    pub reduction: Option<(BarrierKind, u32)>,
    /// The barrier that lanes of the warp came to.
    pub barrier: Arrival,
    /// Lanes that have arrived at the cluster's barrier in an odd phase.
    pub odd: u32,
    /// Lanes whose predicate holds at a barrier that counts them.
    pub vote: u32,
    /// Line of the step that went wrong.
    pub line: u32,
    pub(crate) found: Cell<AddressRange>,
    /// The frame has what the hardware told threads of an earlier launch.
    told: bool,
}

impl<'c> Warp<'c> {
    /// A warp for a kernel; `stride` bytes of local memory a lane, all of it at `local_base`.
    pub fn new(program: &'c Program, kernel: u32, index: u32, stride: u64, local_base: u64) -> Warp<'c> {
        let mut warp = Warp {
            frame: core::ptr::null_mut(),
            mask: 0,
            active: 0,
            alive: 0,
            position: 0,
            reconverge: NOWHERE,
            waiting: Paths::new(16),
            frames: Vec::new(),
            parked: Vec::new(),
            parted: false,
            met: 0,
            spare: Vec::new(),
            program,
            around: core::ptr::null_mut(),
            local_base,
            stride,
            stack: [0; 32],
            grown: false,
            index,
            kernel,
            affine: None,
            begins_affine: false,
            native: None,
            begins_native: None,
            lean: false,
            left_lean: false,
            next: core::ptr::null(),
            flow: Flow::Next,
            panic: None,
            jumps: 0,
            reduction: None,
            barrier: Arrival::default(),
            odd: 0,
            vote: 0,
            line: 0,
            accessible: AddressRange::NOTHING,
            row_reach: 0,
            found: Cell::new(AddressRange::NOTHING),
            told: false,
        };
        let frame = warp.make_frame(kernel);
        warp.frames.push(frame);
        warp
    }

    /// The program.
    #[inline(always)]
    pub fn program(&self) -> &'c Program {
        self.program
    }

    /// Makes it run the program again, or another one that is just the same.
    pub(crate) fn set_program(&mut self, program: &'c Program) {
        self.program = program;
    }

    /// Lets go of the program and of all that belongs to it. The warp does not run before it has one again.
    pub(crate) fn forget_program(&mut self) {
        self.program = &NOTHING;
        (self.affine, self.native, self.begins_native) = (None, None, None);
    }

    /// The function that runs.
    pub fn code(&self) -> &'c Code {
        let function = self.frames.last().map_or(0, |f| f.function);
        &self.program().functions[function as usize]
    }

    /// First address of the local memory of a lane.
    pub fn local_of(&self, lane: usize) -> u64 {
        self.local_base + lane as u64 * self.stride
    }

    /// Whether it may access bytes by their addresses in this process.
    #[inline(always)]
    pub fn may_access(&self, address: u64, bytes: usize) -> bool {
        self.may_access_near(address, bytes) || self.may_access_beyond(address, bytes as u64)
    }

    /// The same, where nearly all is.
    #[inline(always)]
    pub fn may_access_near(&self, address: u64, bytes: usize) -> bool {
        let bytes = bytes as u64;
        if bytes <= AddressRange::LEAST {
            return address.wrapping_sub(self.accessible.start) <= self.accessible.bytes.wrapping_sub(bytes);
        }
        self.accessible.holds(address, bytes)
    }

    /// The same for what is not where nearly all is.
    #[cold]
    #[inline(never)]
    fn may_access_beyond(&self, address: u64, bytes: u64) -> bool {
        if self.found.get().holds(address, bytes) {
            return true;
        }
        // SAFETY: a warp that runs has surroundings, which hold the services while the launch runs.
        let found = unsafe { &*(*self.around).services }.accessible_at(address);
        self.found.set(found);
        found.holds(address, bytes)
    }

    /// Which thread a lane is.
    pub fn thread(&self, lane: usize) -> Thread {
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*self.around };
        around.thread(self.index * 32 + lane as u32)
    }

    /// The variables in local memory of all functions that run, the innermost ones first: name, function, offset, bytes.
    /// Programs that are built to be checked know them.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str, u64, u64)> {
        let program = self.program();
        self.frames.iter().rev().flat_map(move |frame| {
            let code = &program.functions[frame.function as usize];
            code.variables.iter().map(move |v| (v.name.as_str(), code.name.as_str(), frame.base + v.offset, v.size))
        })
    }

    /// The current frame.
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn make_frame(&self, function: u32) -> Frame {
        let code = &self.program().functions[function as usize];
        // A frame is known by its address, so that also one without registers has some memory.
        let mut memory = vec![Slot([0; 32]); code.slots.max(1) as usize];
        for &(slot, bits, wide) in &code.constants {
            splat(&mut memory, slot, bits, wide);
        }
        let at = memory.as_mut_ptr().cast();
        Frame { memory: Rc::new(memory), at, function, base: 0, site: 0 }
    }

    /// Writes what the hardware tells threads into the kernel's frame. What depends on the shape of blocks alone is there from an earlier
    /// launch, and what differs from block to block is written when a block begins.
    pub(crate) fn tell_kernel(&mut self) {
        let again = core::mem::replace(&mut self.told, true);
        self.tell_but(|special| {
            again && (is_lean(special) || special.is_fixed() && !matches!(special, Special::Nctaid(_)))
        });
    }

    /// Writes what the hardware tells threads into the frame of a function that is called.
    pub(crate) fn tell(&mut self) {
        self.tell_but(|_| false);
    }

    fn tell_but(&mut self, known: impl Fn(Special) -> bool) {
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*self.around };
        let (index, base) = (self.index, self.frames.last().map_or(0, |f| f.base));
        let code = self.code();
        // A frame that is described here is new: no other part of the warp shares it.
        let Some(memory) = self.frames.last_mut().and_then(|f| Rc::get_mut(&mut f.memory)) else { return };
        for &(slot, special) in code.specials.iter().filter(|s| !known(s.1)) {
            tell_special(memory, slot, special, index, around);
        }
        for &(slot, place) in &code.bases {
            let value = match place {
                Base::Parameters => around.parameters,
                Base::Local => base,
                Base::DynamicShared => around.dynamic_shared,
            };
            splat(memory, slot, value, true);
        }
    }

    /// Back to the frame of the kernel.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        self.waiting.clear();
        self.met = 0;
        // As nearly every block leaves it.
        match self.frames.as_slice() {
            [frame] if self.parked.is_empty() => self.frame = frame.at,
            _ => self.drop_parts(),
        }
    }

    /// Drops all calls, and parts of the warp that go on without each other.
    #[cold]
    fn drop_parts(&mut self) {
        self.parked.clear();
        if self.frames.is_empty() {
            // The last part of the warp was parked when the kernel failed.
            let frame = self.make_frame(self.kernel);
            self.frames.push(frame);
            self.told = false;
        }
        while self.frames.len() > 1 {
            self.drop_frame();
        }
        if let Some(frame) = self.frames.last() {
            self.frame = frame.at;
        }
    }

    pub(crate) fn drop_frame(&mut self) {
        if let Some(frame) = self.frames.pop()
            && Rc::strong_count(&frame.memory) == 1
        {
            self.spare.push(frame);
        }
        if let Some(frame) = self.frames.last() {
            self.frame = frame.at;
        }
    }

    /// The line that the warp is at.
    pub fn current_line(&self) -> u32 {
        self.code().lines.get(self.position as usize).copied().unwrap_or(0)
    }

    /// The frame of the caller: its registers and where its variables begin.
    pub fn caller(&mut self) -> Option<(*mut u8, u64)> {
        let at = self.frames.len().checked_sub(2)?;
        let frame = self.frames.get(at)?;
        Some((frame.at, frame.base))
    }

    /// The function of the caller.
    pub fn caller_code(&self) -> Option<&'c Code> {
        let frame = self.frames.get(self.frames.len().checked_sub(2)?)?;
        self.program().functions.get(frame.function as usize)
    }
}

/// Special registers that differ from block to block, and not from lane to lane: compiled code reads the first lane.
pub(crate) fn is_lean(special: Special) -> bool {
    !special.is_fixed() && special != Special::IsExplicitCluster && !special.is_clock()
}

/// Writes the value of a special register into its vector.
pub(crate) fn tell_special(memory: &mut [Slot], slot: u32, special: Special, index: u32, around: &Surroundings) {
    let each = |memory: &mut [Slot], value: &dyn Fn(u32) -> u32| {
        (0..32).for_each(|lane| set_lane(memory, slot, lane, value(lane)));
    };
    let [x, y, z] = around.shape.block;
    // Lanes of the last warp that no thread has go on where its row ends: compiled code wants a row.
    let x = if y == 1 && z == 1 { u32::MAX } else { x };
    match special {
        Special::Tid(axis) => each(memory, &|lane| {
            let thread = index * 32 + lane;
            match axis {
                0 => thread % x,
                1 => thread / x % y,
                2 => thread / (x * y),
                _ => 0,
            }
        }),
        Special::LaneId => each(memory, &|lane| lane),
        Special::LanemaskEq => each(memory, &|lane| 1 << lane),
        Special::LanemaskLt => each(memory, &|lane| (1 << lane) - 1),
        Special::LanemaskLe => each(memory, &|lane| u32::MAX >> (31 - lane)),
        Special::LanemaskGe => each(memory, &|lane| u32::MAX << lane),
        Special::LanemaskGt => each(memory, &|lane| u32::MAX.checked_shl(lane + 1).unwrap_or(0)),
        Special::WarpId => splat(memory, slot, index.into(), false),
        other => splat(memory, slot, around.special(other), other.is_wide()),
    }
}

impl Warp<'_> {
    /// Executes the step at a position for those active lanes that its guard lets through.
    ///
    /// # Safety
    /// The contract of [`Execute`].
    #[inline(always)]
    pub(crate) unsafe fn execute(&mut self, step: &Step, position: u32) -> Flow {
        // SAFETY: a guard is the offset of a predicate of the frame; the rest is the contract of this function.
        unsafe {
            self.mask = self.active;
            if step.guard != UNGUARDED {
                let holds = *self.frame.add((step.guard & !1) as usize).cast::<u32>();
                self.mask &= if step.guard & 1 != 0 { !holds } else { holds };
            }
            self.position = position;
            if self.mask == 0 { Flow::Next } else { (step.execute)(self, step) }
        }
    }

    /// Goes on with steps for vectors: completes all registers of which only the first lane was kept.
    #[cold]
    pub fn complete(&mut self) {
        let Some(affine) = self.affine.take() else { return };
        let Some(frame) = self.frames.first() else { return };
        for kept in &affine.kept {
            // SAFETY: these steps are those of the kernel, which the first frame is of.
            unsafe { fill(frame.at, kept) };
        }
    }
}
