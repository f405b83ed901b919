//! Where the lanes of a warp go: branches, calls and returns, and the lanes that wait until others have caught up.

use crate::operations::call::give_back;
use crate::state::step::{Flow, Step, Trouble};
use crate::state::warp::{NOWHERE, Waiting, Warp};

/// Jumps backwards before others get their turn: they may be what a loop waits for.
const PATIENCE: u32 = 1 << 14;
/// What a jump counts in a loop with accesses that threads synchronise by.
pub const EAGER: i64 = 64;

impl Warp {
    /// Goes on with lanes that waited. False when there are none.
    pub(crate) fn next_way(&mut self) -> bool {
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
    pub(crate) fn jumped(&mut self, weight: i64) -> Flow {
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
        if self.next_way() { Flow::Jump } else { Flow::Done }
    }

    /// Enters a function with the lanes of the mask. They return to behind the current step.
    pub fn enter(&mut self, function: u32, site: u32) -> Result<(), Trouble> {
        /// Deeper than any stack limit lets a real thread go.
        const DEEPEST: usize = 4096;
        let caller = self.code();
        let base = self.frames.last().map_or(0, |f| f.base) + caller.local;
        let callee = self.program().functions.get(function as usize).ok_or(Trouble::IllegalTarget)?;
        if callee.steps.is_empty() {
            return Err(Trouble::IllegalTarget);
        }
        let allocated = if self.grown { self.stack.into_iter().max().unwrap_or(0) } else { 0 };
        if base + callee.local + allocated > self.stride || self.frames.len() >= DEEPEST {
            return Err(Trouble::StackOverflow);
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
}
