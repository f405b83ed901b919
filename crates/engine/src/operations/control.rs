//! Control flow of a warp: branches, calls and returns, the lanes that wait at a point of reconvergence, and steps that have no result
//! but time.

use crate::numeric::value::LANES;
use crate::operations::call::give_back;
use crate::state::bounds::DEEPEST_CALLS;
use crate::state::fault::Fault;
use crate::state::frame::{NOWHERE, Waiting};
use crate::state::payload::payload;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// Jumps backwards before others get their turn: they may be what a loop waits for.
pub const PATIENCE: u32 = 1 << 14;
/// What a jump counts in a loop with accesses that threads synchronise by.
pub const EAGER: u16 = 64;

payload! {
    /// Where lanes jump.
    pub struct Jump {
        /// The position.
        pub target: u32,
        /// Where they reconverge with those that do not.
        pub reconverge: u32,
        /// How likely a loop waits for other threads, if the jump goes back: 0, 1, [`EAGER`]; more under `DOPPEL_SCHEDULE=random`.
        pub weight: u16,
    }
}

impl Jump {
    /// None.
    pub const NONE: Jump = Jump { target: NOWHERE, reconverge: NOWHERE, weight: 0 };
}

payload! {
    /// Where lanes jump by a table.
    pub struct TableJump {
        /// Its number in the function.
        pub table: u32,
        /// As of a [`Jump`].
        pub reconverge: u32,
        /// As of a [`Jump`].
        pub weight: u16,
    }
}

impl Warp<'_> {
    /// Goes on with lanes that waited. False when there are none.
    pub(crate) fn next_path(&mut self) -> bool {
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
            self.reconverge = next.reconverge;
            if self.position != self.reconverge {
                return true;
            }
        }
    }

    /// Lanes of the mask jump, the others go on.
    pub fn branch(&mut self, Jump { target, reconverge, weight }: Jump) -> Flow {
        let back = target <= self.position;
        let rest = self.active & !self.mask;
        if rest == 0 {
            self.position = target;
        } else {
            self.diverge(&[(target, self.mask), (self.position + 1, rest)], reconverge);
        }
        if back {
            return self.jumped(weight.into());
        }
        Flow::Jump
    }

    /// The lanes of the mask for which a comparison holds jump.
    #[inline(always)]
    pub fn branch_where(&mut self, holds: u32, jump: Jump) -> Flow {
        self.mask &= holds;
        if self.mask == 0 {
            return Flow::Next;
        }
        self.branch(jump)
    }

    /// Sends lanes to different positions. They reconverge at `reconverge`.
    pub fn diverge(&mut self, ways: &[(u32, u32)], reconverge: u32) {
        let depth = self.frames.len() as u32;
        if reconverge != NOWHERE && self.reconverge != reconverge {
            self.waiting.push(Waiting { position: reconverge, reconverge: self.reconverge, mask: self.active, depth });
        }
        self.reconverge = reconverge;
        let mut taken = false;
        for &(position, mask) in ways.iter().rev() {
            if position == reconverge || mask == 0 {
                // They wait there already.
                continue;
            }
            if taken {
                self.waiting.push(Waiting {
                    position: self.position,
                    reconverge: self.reconverge,
                    mask: self.active,
                    depth,
                });
            }
            (self.position, self.active, taken) = (position, mask, true);
        }
        if !taken {
            self.position = reconverge;
        }
    }

    /// Counts a jump backwards; now and then others get their turn. `weight` says how likely the loop waits for them.
    /// Whatever can keep a warp busy for ever counts: branches, tables of branches, calls.
    pub(crate) fn jumped(&mut self, weight: u32) -> Flow {
        self.jumps += weight.max(1);
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
        unsafe { give_back(self) };
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
        if self.next_path() { Flow::Jump } else { Flow::Done }
    }

    /// Enters a function with the lanes of the mask. They return to behind the current step.
    pub fn enter(&mut self, function: u32, site: u32) -> Result<(), Fault> {
        let caller = self.code();
        let base = self.frames.last().map_or(0, |f| f.base) + caller.local;
        let callee = self.program().functions.get(function as usize).ok_or(Fault::IllegalTarget)?;
        if callee.steps.is_empty() {
            return Err(Fault::IllegalTarget);
        }
        let allocated = if self.grown { self.stack.into_iter().max().unwrap_or(0) } else { 0 };
        if base + callee.local + allocated > self.stride || self.frames.len() >= DEEPEST_CALLS {
            return Err(Fault::StackOverflow);
        }
        let depth = self.frames.len() as u32;
        self.waiting.push(Waiting {
            position: self.position + 1,
            reconverge: self.reconverge,
            mask: self.active,
            depth,
        });
        self.active = self.mask;
        self.position = 0;
        self.reconverge = NOWHERE;
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
}

/// `bra`.
pub unsafe fn branch(warp: &mut Warp, step: &Step) -> Flow {
    warp.branch(step.payload())
}

/// `brx.idx`: positions are in a table of the function.
pub unsafe fn branch_table(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let picks = unsafe { vector::<u32>(warp, step.from[0]) };
    let TableJump { table, reconverge, weight } = step.payload();
    let Some(table) = warp.code().tables.get(table as usize) else {
        return Flow::Fault(Fault::IllegalTarget);
    };
    let here = warp.position;
    let mut ways: Vec<(u32, u32)> = Vec::new();
    let mut goes_back = false;
    for (lane, &pick) in picks.iter().enumerate() {
        if warp.mask >> lane & 1 == 0 {
            continue;
        }
        let Some(&to) = table.get(pick as usize) else { return Flow::Fault(Fault::IllegalTarget) };
        goes_back |= to <= here;
        match ways.iter_mut().find(|w| w.0 == to) {
            Some(way) => way.1 |= 1 << lane,
            None => ways.push((to, 1 << lane)),
        }
    }
    let rest = warp.active & !warp.mask;
    if rest != 0 {
        ways.push((warp.position + 1, rest));
    }
    match ways.as_slice() {
        [(to, _)] => warp.position = *to,
        ways => warp.diverge(ways, reconverge),
    }
    if goes_back {
        return warp.jumped(weight.into());
    }
    Flow::Jump
}

/// `ret`.
pub unsafe fn return_(warp: &mut Warp, _: &Step) -> Flow {
    warp.return_()
}

/// `exit`.
pub unsafe fn exit(warp: &mut Warp, _: &Step) -> Flow {
    warp.exit()
}

/// `trap`.
pub unsafe fn trap(_: &mut Warp, _: &Step) -> Flow {
    Flow::Fault(Fault::Trap)
}

/// Any instruction that is not implemented.
pub unsafe fn not_implemented(_: &mut Warp, _: &Step) -> Flow {
    Flow::Fault(Fault::IllegalInstruction)
}

/// Counts, and executes what stands for it.
pub unsafe fn counted(warp: &mut Warp, step: &Step) -> Flow {
    let (at, Some(counted)) = (warp.position as usize, &warp.code().counted) else { return Flow::Next };
    counted.counts.interpreted[at].fetch_add(1, core::sync::atomic::Ordering::Relaxed);
    // SAFETY: the caller keeps what the step needs.
    unsafe { (counted.execute[at])(warp, step) }
}

/// `membar`, `fence`.
pub unsafe fn fence(_: &mut Warp, _: &Step) -> Flow {
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
    Flow::Next
}

/// Has no effect here: hints, and barriers among lanes that run together anyway.
pub unsafe fn nothing(_: &mut Warp, _: &Step) -> Flow {
    Flow::Next
}

/// `nanosleep`: others get their turn.
pub unsafe fn pause(warp: &mut Warp, _: &Step) -> Flow {
    warp.position += 1;
    warp.step_aside();
    // SAFETY: a warp that runs has surroundings, which its thread alone uses.
    unsafe { (*warp.around).slept = true };
    Flow::Yield
}

payload! {
    /// A clock register.
    pub struct Clock {
        /// It counts nanoseconds of the day, and not cycles.
        pub time: bool,
        pub part: ClockPart,
    }
}

payload! {
    /// How much of a clock a register holds.
    pub enum ClockPart {
        Lower,
        Upper,
        Whole,
    }
}

/// The clock registers.
pub unsafe fn clock(warp: &mut Warp, step: &Step) -> Flow {
    let Clock { time, part } = step.payload();
    let value = if !time {
        // SAFETY: reads the time stamp counter.
        unsafe { core::arch::x86_64::_rdtsc() }
    } else {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
    };
    // SAFETY: the contract of `Execute`.
    unsafe {
        match part {
            ClockPart::Whole => set_vector(warp, step.to[0], &[value; LANES]),
            ClockPart::Upper => set_vector(warp, step.to[0], &[(value >> 32) as u32; LANES]),
            ClockPart::Lower => set_vector(warp, step.to[0], &[value as u32; LANES]),
        }
    }
    Flow::Next
}
