//! Cuts a warp in parts that wait for each other, and puts parts together again.

use crate::state::fiber::{BarrierKind, Fiber, Hold, Outcome};
use crate::state::frame::Waiting;
use crate::state::registers::{set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

impl Warp<'_> {
    /// All lanes of the part that runs.
    fn own(&self) -> u32 {
        self.waiting.iter().fold(self.active, |all, w| all | w.mask) & self.alive
    }

    /// Lets active lanes wait, at the current position. The rest of the part goes on; there may be none.
    pub fn park(&mut self, lanes: u32, hold: Hold) {
        // From here on lanes may be anywhere at any time.
        self.complete();
        self.parted = true;
        let rest = self.own() & !lanes;
        let of_lanes = |entry: &Waiting| Waiting { mask: entry.mask & lanes, ..*entry };
        let waiting = self.waiting.iter().map(of_lanes).filter(|entry| entry.mask != 0).collect();
        let frames = if rest == 0 { core::mem::take(&mut self.frames) } else { self.frames.clone() };
        let (position, reconverge, reduction) = (self.position, self.reconverge, self.reduction.take());
        self.parked.push(Fiber {
            active: lanes,
            position,
            reconverge,
            waiting,
            frames,
            hold,
            reduction,
            outcome: None,
        });
        self.active &= !lanes;
        for entry in self.waiting.iter_mut() {
            entry.mask &= !lanes;
        }
        if rest == 0 {
            self.waiting.clear();
        } else if self.active == 0 {
            self.next_path();
        }
    }

    /// Lets all other lanes of the warp have a turn before the active ones go on from the current position.
    pub fn step_aside(&mut self) {
        if self.active != 0 && (!self.parked.is_empty() || self.own() != self.active) {
            let lanes = self.active;
            self.park(lanes, Hold::Turn);
        }
    }

    /// Makes a part that can go on the current one. `open` says what a barrier found, once it has opened. False when
    /// all wait.
    pub fn choose(&mut self, open: impl Fn(Hold) -> Option<Outcome>) -> bool {
        for fiber in &mut self.parked {
            if matches!(fiber.hold, Hold::Barrier(..) | Hold::Cluster(_))
                && let Some(outcome) = open(fiber.hold)
            {
                fiber.hold = Hold::Turn;
                fiber.outcome = Some(outcome);
            }
        }
        self.release();
        let mut at = 0;
        while at < self.parked.len() {
            let mut next = at + 1;
            while next < self.parked.len() {
                if self.parked[at].joins(&self.parked[next]) {
                    let other = self.parked.remove(next);
                    let program = self.program();
                    self.parked[at].join(&other, program);
                } else {
                    next += 1;
                }
            }
            at += 1;
        }
        if self.active != 0 {
            return true;
        }
        let holds = |hold| self.parked.iter().position(|f| f.hold == hold);
        let Some(at) = holds(Hold::Turn).or_else(|| holds(Hold::Aligned)) else { return false };
        let fiber = self.parked.remove(at);
        if fiber.hold == Hold::Aligned {
            // Nobody else comes.
            self.met |= fiber.active;
        }
        (self.active, self.position, self.reconverge) = (fiber.active, fiber.position, fiber.reconverge);
        (self.waiting, self.frames) = (fiber.waiting, fiber.frames);
        self.frame = self.frames.last().map_or(core::ptr::null_mut(), |f| f.at);
        self.mask = self.active;
        if let (Some((kind, place)), Some(outcome)) = (fiber.reduction, fiber.outcome) {
            self.write_reduction(kind, place, outcome);
        }
        if self.position == self.reconverge {
            return self.next_path() || self.choose(open);
        }
        true
    }

    /// Frees lanes that have met all that they wait for.
    fn release(&mut self) {
        for at in 0..self.parked.len() {
            let hold = self.parked[at].hold;
            let members = match hold {
                Hold::Lanes(members) => members,
                Hold::Aligned => u32::MAX,
                _ => continue,
            };
            let same = || self.parked.iter().filter(move |f| f.hold == hold);
            let here = same().fold(0, |all, f| all | f.active);
            if members & self.alive & !here != 0 {
                continue;
            }
            // Those that stand at one place execute the step together. Others have met, and that is all.
            if !same().all(|f| f.joins(&self.parked[at])) {
                self.met |= here;
            }
            for fiber in self.parked.iter_mut().filter(|f| f.hold == hold) {
                fiber.hold = Hold::Turn;
            }
        }
    }

    /// Writes what a barrier found, for the lanes of the mask.
    pub fn write_reduction(&mut self, kind: BarrierKind, place: u32, (count, threads): Outcome) {
        let all_ones = |holds: bool| if holds { u32::MAX } else { 0 };
        // SAFETY: the place that the step named, in the frame that is on top again.
        unsafe {
            match kind {
                BarrierKind::Count => set_vector(self, place, &[count; 32]),
                BarrierKind::All => set_predicate(self, place, all_ones(count == threads)),
                _ => set_predicate(self, place, all_ones(count > 0)),
            }
        }
    }

    /// True when the lanes that execute a step are all that it is about: those of `members`, as far as they have not
    /// ended. If not, they wait here until the others come, and the step has to end with [`Flow::Held`].
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute): `members` is the offset of a vector of the frame.
    #[inline(always)]
    pub unsafe fn together(&mut self, members: u32) -> bool {
        // SAFETY: the caller keeps the contract of `Execute`.
        self.mask == self.alive || unsafe { self.gathered(members) }
    }

    /// True when lanes that execute a step which is about the whole warp (`.aligned`) may go on. If not, they wait for those that
    /// stayed behind in a loop, and the step has to end with [`Flow::Held`].
    #[inline(always)]
    pub fn aligned(&mut self) -> bool {
        self.mask == self.alive || self.caught_up()
    }

    /// The longer way of [`Warp::aligned`].
    #[cold]
    fn caught_up(&mut self) -> bool {
        let here = self.mask;
        if self.met & here == here {
            self.met &= !here;
            return true;
        }
        // Others of this part went another way, which the program must not do: they do not come.
        if self.parked.is_empty() || self.own() != here {
            return true;
        }
        self.park(here, Hold::Aligned);
        false
    }

    /// The longer way of [`Warp::together`]; `members` is the vector with each lane's mask.
    #[cold]
    unsafe fn gathered(&mut self, members: u32) -> bool {
        // SAFETY: the contract of `Execute`.
        let members: [u32; 32] = unsafe { vector(self, members) };
        let here = self.mask;
        let of = |lane: usize| members[lane] & self.alive;
        let lanes = (0..32).filter(|&lane| here >> lane & 1 != 0);
        if self.met & here == here {
            self.met &= !here;
            return true;
        }
        if lanes.clone().all(|lane| of(lane) & !here == 0) {
            return true;
        }
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for lane in lanes {
            match groups.iter_mut().find(|g| g.0 == members[lane]) {
                Some(group) => group.1 |= 1 << lane,
                None => groups.push((members[lane], 1 << lane)),
            }
        }
        let beyond = self.active & !here;
        let position = self.position;
        for (members, lanes) in groups {
            self.park(lanes, Hold::Lanes(members));
        }
        // Lanes that the step is not for are past it.
        if beyond != 0 {
            self.position = position + 1;
            if self.position == self.reconverge {
                self.next_path();
            }
        }
        false
    }
}

/// `bar.warp.sync`: the lanes of the mask in the first operand wait for each other.
pub unsafe fn warp_barrier(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    if !unsafe { warp.together(step.from[0]) } {
        return Flow::Held;
    }
    Flow::Next
}
