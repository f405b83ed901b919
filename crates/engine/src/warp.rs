//! A warp: 32 lanes that execute together.

use super::block::Surroundings;
use super::fiber::Fiber;
use super::linear::Linear;
use super::program::{Base, Code, Program};
use super::services::{Reach, Thread};
use super::step::{Flow, Step, UNGUARDED};
use core::cell::Cell;
use ptx::instruction::Special;
use std::rc::Rc;

/// The slot of a vector in a frame.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Slot(pub [u64; 32]);
/// Its bytes.
pub const SLOT: u32 = size_of::<Slot>() as u32;

/// The position of a way that ends the function: it meets nothing.
pub const NOWHERE: u32 = u32::MAX;

/// A frame: the registers of a call. Parts of a warp that went different ways share it: each writes its own lanes.
#[derive(Clone)]
pub struct Frame {
    memory: Rc<Vec<Slot>>,
    /// First byte of the memory.
    pub(super) at: *mut u8,
    /// The function.
    pub function: u32,
    /// Where the variables of the call begin in each lane's local memory.
    pub base: u64,
    /// Which call of the caller this is.
    pub site: u32,
}

impl Frame {
    /// True for a frame of the same call.
    pub(super) fn is_like(&self, other: &Frame) -> bool {
        (self.function, self.base, self.site) == (other.function, other.base, other.site)
    }
}

/// Lanes that wait for their turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) position: u32,
    /// Where they meet others.
    pub(super) meet: u32,
    pub(super) mask: u32,
    pub(super) depth: u32,
}

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

/// A warp of a block.
pub struct Warp {
    /// The current frame.
    pub frame: *mut u8,
    /// Lanes that the current step is for.
    pub mask: u32,
    /// Lanes that go this way.
    pub active: u32,
    /// Lanes that have not ended.
    pub alive: u32,
    /// The next step.
    pub position: u32,
    /// Where the active lanes meet those that wait.
    pub(super) meet: u32,
    pub(super) waiting: Vec<Waiting>,
    pub(super) frames: Vec<Frame>,
    /// Parts of the warp that do not run now.
    pub parked: Vec<Fiber>,
    /// Lanes that met those that they were to meet at the step they are at.
    pub(super) met: u32,
    /// Frames of earlier calls, with their constants in place.
    spare: Vec<Frame>,
    /// What runs.
    pub program: *const Program,
    /// The block.
    pub around: *mut Surroundings,
    /// First address of its local memory: 32 pieces of `stride` bytes.
    local_base: u64,
    /// Bytes of local memory of a lane.
    pub stride: u64,
    /// Bytes at the end of each lane's local memory that functions have allocated, and whether there may be any.
    pub stack: [u64; 32],
    pub grown: bool,
    /// Its number in the block.
    pub index: u32,
    /// The kernel, by number.
    kernel: u32,
    /// The steps for rows, as long as the warp is executed by them; and whether blocks begin with them.
    pub(super) linear: Option<&'static Linear>,
    begins_linear: bool,
    /// Jumps backwards since others had their turn.
    jumps: u32,
    /// The result of a barrier that is still to be written: kind and place.
    pub reduction: Option<(u8, u32)>,
    /// The barrier that lanes of the warp came to.
    pub barrier: Arrival,
    /// Lanes that have arrived at the cluster's barrier in an odd phase.
    pub odd: u32,
    /// Lanes whose predicate holds at a barrier that counts them.
    pub vote: u32,
    /// Line of the step that went wrong.
    pub line: u32,
    /// What it may access, and what it found last that it may access outside of that.
    pub reach: Reach,
    found: Cell<Reach>,
}

/// Jumps backwards before others get their turn: they may be what a loop waits for.
const PATIENCE: u32 = 1 << 14;
/// What a jump counts in a loop with accesses that threads synchronise by.
pub const EAGER: i64 = 64;

impl Warp {
    /// A warp for a kernel; `stride` bytes of local memory a lane, all of it at `local_base`.
    pub fn new(program: &Program, kernel: u32, index: u32, stride: u64, local_base: u64) -> Warp {
        let mut warp = Warp {
            frame: core::ptr::null_mut(),
            mask: 0,
            active: 0,
            alive: 0,
            position: 0,
            meet: NOWHERE,
            waiting: Vec::with_capacity(16),
            frames: Vec::new(),
            parked: Vec::new(),
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
            linear: None,
            begins_linear: false,
            jumps: 0,
            reduction: None,
            barrier: Arrival::default(),
            odd: 0,
            vote: 0,
            line: 0,
            reach: Reach::NOTHING,
            found: Cell::new(Reach::NOTHING),
        };
        let frame = warp.make_frame(kernel);
        warp.frames.push(frame);
        warp
    }

    /// The program. It outlives the launch.
    fn program(&self) -> &'static Program {
        // SAFETY: whoever launches keeps the program until all warps are gone.
        unsafe { &*self.program }
    }

    /// The function that runs.
    pub fn code(&self) -> &'static Code {
        let function = self.frames.last().map_or(0, |f| f.function);
        &self.program().functions[function as usize]
    }

    /// First address of the local memory of a lane.
    pub fn local_of(&self, lane: usize) -> u64 {
        self.local_base + lane as u64 * self.stride
    }

    /// Whether it may access bytes by their addresses in this process.
    #[inline(always)]
    pub fn reaches(&self, address: u64, bytes: usize) -> bool {
        self.reaches_near(address, bytes) || self.reaches_beyond(address, bytes as u64)
    }

    /// The same, where nearly all is.
    #[inline(always)]
    pub fn reaches_near(&self, address: u64, bytes: usize) -> bool {
        let bytes = bytes as u64;
        if bytes <= Reach::LEAST {
            return address.wrapping_sub(self.reach.start) <= self.reach.bytes.wrapping_sub(bytes);
        }
        self.reach.holds(address, bytes)
    }

    /// The same for what is not where nearly all is.
    #[cold]
    #[inline(never)]
    fn reaches_beyond(&self, address: u64, bytes: u64) -> bool {
        if self.found.get().holds(address, bytes) {
            return true;
        }
        // SAFETY: a warp that runs has surroundings, which hold the services while the launch runs.
        let found = unsafe { &*(*self.around).services }.reach_at(address);
        self.found.set(found);
        found.holds(address, bytes)
    }

    /// Which thread a lane is.
    pub fn thread(&self, lane: usize) -> Thread {
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*self.around };
        let number = self.index * 32 + lane as u32;
        let [x, y, _] = around.shape.block;
        Thread { block: around.block, thread: [number % x, number / x % y, number / (x * y)] }
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

    fn make_frame(&self, function: u32) -> Frame {
        let code = &self.program().functions[function as usize];
        // A frame is known by its address, so that also one without registers has some memory.
        let mut memory = vec![Slot([0; 32]); code.slots.max(1) as usize];
        for &(slot, bits, wide) in &code.constants {
            splat(&mut memory, slot, bits, wide);
        }
        let at = memory.as_mut_ptr().cast();
        Frame { memory: Rc::new(memory), at, function, base: 0, site: 0 }
    }

    /// Writes what the hardware tells threads into the top frame.
    fn tell(&mut self) {
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*self.around };
        let (index, base) = (self.index, self.frames.last().map_or(0, |f| f.base));
        let code = self.code();
        // A frame that is told about is new: nobody shares it.
        let Some(memory) = self.frames.last_mut().and_then(|f| Rc::get_mut(&mut f.memory)) else { return };
        for &(slot, special) in &code.specials {
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

    /// Makes it a warp of another launch of the same kernel in the same shape of blocks.
    pub fn renew(&mut self, around: *mut Surroundings) {
        self.around = around;
        // SAFETY: the block gives its surroundings.
        self.reach = unsafe { (*self.around).reach };
        debug_assert!(self.reach.bytes >= Reach::LEAST);
        self.found.set(Reach::NOTHING);
        self.rewind();
        self.tell();
        (self.active, self.alive, self.mask) = (u32::MAX, u32::MAX, u32::MAX);
        for step in &self.code().once {
            // SAFETY: these steps compute, and read parameters that are there.
            unsafe { (step.execute)(self, step) };
        }
        // SAFETY: a warp that runs has surroundings; the frame is the kernel's.
        self.begins_linear = unsafe { self.code().linear_for((*self.around).shape.block, self.frame).is_some() };
    }

    /// Back to the frame of the kernel.
    fn rewind(&mut self) {
        self.waiting.clear();
        self.parked.clear();
        self.met = 0;
        if self.frames.is_empty() {
            // The last part of the warp was parked when the kernel failed.
            let frame = self.make_frame(self.kernel);
            self.frames.push(frame);
        }
        while self.frames.len() > 1 {
            self.drop_frame();
        }
        if let Some(frame) = self.frames.last() {
            self.frame = frame.at;
        }
    }

    /// Back to the start, for another block. `lanes` are those that exist.
    pub fn begin(&mut self, lanes: u32) {
        self.rewind();
        self.active = lanes;
        self.alive = lanes;
        self.position = 0;
        self.meet = NOWHERE;
        self.jumps = 0;
        self.reduction = None;
        self.line = 0;
        if core::mem::take(&mut self.grown) {
            self.stack = [0; 32];
        }
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*self.around };
        let (index, code) = (self.index, self.code());
        self.linear = code.linear.as_ref().filter(|_| self.begins_linear);
        let Some(memory) = self.frames.last_mut().and_then(|f| Rc::get_mut(&mut f.memory)) else { return };
        if let Some(linear) = self.linear {
            for &(slot, special, whole) in &linear.specials {
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

    fn drop_frame(&mut self) {
        if let Some(frame) = self.frames.pop()
            && Rc::strong_count(&frame.memory) == 1
        {
            self.spare.push(frame);
        }
        if let Some(frame) = self.frames.last() {
            self.frame = frame.at;
        }
    }

    /// Runs until the warp gives way.
    ///
    /// # Safety
    /// Inside of [`guard::run`]: a step may fault.
    pub unsafe fn run(&mut self) -> Flow {
        loop {
            if self.position == self.meet && !self.next_way() {
                return Flow::Done;
            }
            // A frame belongs to one function.
            let linear = self.linear.filter(|_| self.frames.len() == 1);
            let steps = linear.map_or_else(|| self.code().steps.as_ptr(), |linear| linear.steps.as_ptr());
            let frame = self.frame;
            let mut position = self.position;
            loop {
                // SAFETY: a position is one of a step, since the last step of a function never goes on to the next one;
                // a guard is the offset of a predicate of the frame; the rest is the contract of this function.
                let flow = unsafe {
                    let step = &*steps.add(position as usize);
                    self.mask = self.active;
                    if step.guard != UNGUARDED {
                        let holds = *self.frame.add((step.guard & !1) as usize).cast::<u32>();
                        self.mask &= if step.guard & 1 != 0 { !holds } else { holds };
                    }
                    self.position = position;
                    if self.mask == 0 { Flow::Next } else { (step.execute)(self, step) }
                };
                // By far the most frequent: one comparison.
                if flow == Flow::Next {
                    position += 1;
                    if position == self.meet {
                        self.position = position;
                        break;
                    }
                    continue;
                }
                match flow {
                    Flow::Jump => {
                        position = self.position;
                        let left = linear.is_some() && self.linear.is_none();
                        if position == self.meet || self.frame != frame || left {
                            break;
                        }
                    }
                    Flow::Fault(trouble) => {
                        self.line = self.current_line();
                        return Flow::Fault(trouble);
                    }
                    other => return other,
                }
            }
        }
    }

    /// The line that the warp is at.
    pub fn current_line(&self) -> u32 {
        self.code().lines.get(self.position as usize).copied().unwrap_or(0)
    }

    /// Goes on with lanes that waited. False when there are none.
    pub(super) fn next_way(&mut self) -> bool {
        loop {
            let Some(next) = self.waiting.pop() else {
                self.active = 0;
                return false;
            };
            let mask = next.mask & self.alive;
            if mask == 0 {
                continue;
            }
            while self.frames.len() as u32 > next.depth {
                self.drop_frame();
            }
            self.active = mask;
            self.position = next.position;
            self.meet = next.meet;
            if self.position != self.meet {
                return true;
            }
        }
    }

    /// Lanes of the mask jump to `target`, the others go on.
    pub fn branch(&mut self, target: u32, meet: u32, weight: i64) -> Flow {
        let back = target <= self.position;
        let rest = self.active & !self.mask;
        if rest == 0 {
            self.position = target;
        } else {
            self.part(&[(target, self.mask), (self.position + 1, rest)], meet);
        }
        if back {
            return self.jumped(weight);
        }
        Flow::Jump
    }

    /// The lanes of the mask for which a comparison holds jump.
    #[inline(always)]
    pub fn branch_where(&mut self, holds: u32, step: &Step) -> Flow {
        self.mask &= holds;
        if self.mask == 0 {
            return Flow::Next;
        }
        self.branch(step.from[3], step.meet, i64::from(step.from[4]))
    }

    /// Sends lanes different ways. They meet at `meet`.
    pub fn part(&mut self, ways: &[(u32, u32)], meet: u32) {
        let depth = self.frames.len() as u32;
        if meet != NOWHERE && self.meet != meet {
            self.waiting.push(Waiting { position: meet, meet: self.meet, mask: self.active, depth });
        }
        self.meet = meet;
        let mut taken = false;
        for &(position, mask) in ways.iter().rev() {
            if position == meet || mask == 0 {
                // They wait there already.
                continue;
            }
            if taken {
                self.waiting.push(Waiting { position: self.position, meet: self.meet, mask: self.active, depth });
            }
            (self.position, self.active, taken) = (position, mask, true);
        }
        if !taken {
            self.position = meet;
        }
    }

    /// Counts a jump backwards; now and then others get their turn. `weight` says how likely the loop waits for them.
    /// Whatever can keep a warp busy for ever counts: branches, tables of branches, calls.
    pub(super) fn jumped(&mut self, weight: i64) -> Flow {
        self.jumps += weight.max(1) as u32;
        if self.jumps < PATIENCE {
            return Flow::Jump;
        }
        self.jumps = 0;
        if weight > 0 {
            self.step_aside();
        }
        Flow::Yield
    }

    /// The lanes of the mask end.
    pub fn exit(&mut self) -> Flow {
        self.alive &= !self.mask;
        self.leave(0)
    }

    /// The lanes of the mask return from the current call.
    pub fn return_(&mut self) -> Flow {
        let depth = self.frames.len() as u32;
        if depth <= 1 {
            return self.exit();
        }
        // SAFETY: the frames of caller and callee are in place.
        unsafe { super::call::give_back(self) };
        self.leave(depth)
    }

    /// Takes the lanes of the mask out of everything that waits at `depth` or deeper.
    fn leave(&mut self, depth: u32) -> Flow {
        let gone = self.mask;
        for waiting in self.waiting.iter_mut().rev().take_while(|w| w.depth >= depth) {
            waiting.mask &= !gone;
        }
        self.active &= !gone;
        if self.active != 0 {
            return Flow::Next;
        }
        if self.next_way() { Flow::Jump } else { Flow::Done }
    }

    /// Enters a function with the lanes of the mask. They return to behind the current step.
    pub fn enter(&mut self, function: u32, site: u32) -> Result<(), super::step::Trouble> {
        /// Deeper than any stack limit lets a real thread go.
        const DEEPEST: usize = 4096;
        let caller = self.code();
        let base = self.frames.last().map_or(0, |f| f.base) + caller.local;
        let callee = self.program().functions.get(function as usize).ok_or(super::step::Trouble::IllegalTarget)?;
        if callee.steps.is_empty() {
            return Err(super::step::Trouble::IllegalTarget);
        }
        let allocated = if self.grown { self.stack.into_iter().max().unwrap_or(0) } else { 0 };
        if base + callee.local + allocated > self.stride || self.frames.len() >= DEEPEST {
            return Err(super::step::Trouble::StackOverflow);
        }
        let depth = self.frames.len() as u32;
        self.waiting.push(Waiting { position: self.position + 1, meet: self.meet, mask: self.active, depth });
        self.active = self.mask;
        self.position = 0;
        self.meet = NOWHERE;
        let mut frame = match self.spare.iter().rposition(|f| f.function == function) {
            Some(at) => self.spare.swap_remove(at),
            None => self.make_frame(function),
        };
        frame.base = base;
        frame.site = site;
        self.frame = frame.at;
        self.frames.push(frame);
        self.tell();
        Ok(())
    }

    /// The frame of the caller: its registers and where its variables begin.
    pub fn caller(&mut self) -> Option<(*mut u8, u64)> {
        let at = self.frames.len().checked_sub(2)?;
        let frame = self.frames.get(at)?;
        Some((frame.at, frame.base))
    }

    /// The function of the caller.
    pub fn caller_code(&self) -> Option<&'static Code> {
        let frame = self.frames.get(self.frames.len().checked_sub(2)?)?;
        self.program().functions.get(frame.function as usize)
    }
}

/// Writes the value of a special register into its vector.
fn tell_special(memory: &mut [Slot], slot: u32, special: Special, index: u32, around: &Surroundings) {
    let each = |memory: &mut [Slot], value: &dyn Fn(u32) -> u32| {
        (0..32).for_each(|lane| set_lane(memory, slot, lane, value(lane)));
    };
    let [x, y, _] = around.shape.block;
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

fn set_lane(memory: &mut [Slot], slot: u32, lane: u32, value: u32) {
    if let Some(Slot(words)) = memory.get_mut(slot as usize) {
        let word = &mut words[lane as usize / 2];
        let shift = lane % 2 * 32;
        *word = *word & !(0xffff_ffff << shift) | u64::from(value) << shift;
    }
}

fn splat(memory: &mut [Slot], slot: u32, bits: u64, wide: bool) {
    if let Some(Slot(words)) = memory.get_mut(slot as usize) {
        *words = if wide { [bits; 32] } else { [bits & 0xffff_ffff | bits << 32; 32] };
    }
}
