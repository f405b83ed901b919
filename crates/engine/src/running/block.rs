//! A block: its warps, its shared memory and its barriers.

use crate::operations::check;
use crate::running::core_dump;
use crate::running::native::Together;
use crate::state::barriers::{Barriers, Site, Wrong};
use crate::state::check::Wanted;
use crate::state::cluster::Cluster;
use crate::state::core_dump::BlockState;
use crate::state::fault::Fault;
use crate::state::fiber::{Hold, Outcome};
use crate::state::races::Races;
use crate::state::reservation::Reservation;
use crate::state::step::Flow;
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Program, Warp, is_lean};
use compiler::unit::outcome;
use ptx::instruction::Special;
use std::time::{Duration, Instant};

/// A barrier of a block. Threads are counted one by one, but a warp that comes as a whole counts as a full one.
#[derive(Clone, Copy, Default)]
struct Barrier {
    /// Threads that are there.
    arrived: u32,
    /// Threads that it takes; 0 for all that have not ended.
    wanted: u32,
    /// Changes when it opens.
    phase: u32,
    /// Of a reduction: threads for which the predicate holds, and threads at all.
    count: u32,
    threads: u32,
    /// The results of the last phase.
    result: Outcome,
}

/// Why a warp does not run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// Until the phase of its barrier changes.
    Waits(u32),
    Done,
}

/// How a turn of a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// All threads have ended.
    Done,
    /// Some wait for something in memory.
    Spins,
    /// An error, and the line of the instruction.
    Fault(Fault, u32),
}

/// Why warps of a block do not go on together in compiled code.
enum Parting {
    /// All have ended.
    Ended,
    /// They have waited for each other often; the barrier has opened.
    Waited,
    /// Those before a warp have ended or wait at the first barrier; the warp gives way, or is left to the interpreter.
    At(usize, Option<Flow>),
}

/// Whether a special register tells the place of the block in its grid.
fn is_place(special: Special) -> bool {
    matches!(special, Special::Ctaid(_) | Special::ClusterId(_) | Special::ClusterCtaid(_) | Special::SmId)
}

/// Which special registers of a list change from a block to the next one along the first axis.
#[derive(Clone, Copy)]
enum Across {
    Nothing,
    /// The one with this number.
    One(usize),
    /// Several, or one that has to be worked out.
    Several,
}

/// Where a block is in its grid. Two coordinates are one number: written one by one and copied together they would wait until all
/// that the block before has stored is in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    xy: u64,
    z: u32,
}

impl From<[u32; 3]> for Place {
    fn from([x, y, z]: [u32; 3]) -> Place {
        Place { xy: u64::from(y) << 32 | u64::from(x), z }
    }
}

impl Place {
    /// Whether it comes right behind another one along the first axis.
    fn is_right_of(self, other: Place) -> bool {
        (self.xy, self.z) == (other.xy.wrapping_add(1), other.z) && self.x() != 0
    }

    /// Along the first axis.
    pub fn x(self) -> u32 {
        self.xy as u32
    }

    /// Along the second axis.
    pub fn y(self) -> u32 {
        (self.xy >> 32) as u32
    }

    /// The next one along the first axis, which is not the last one there.
    pub fn right(self) -> Place {
        Place { xy: self.xy + 1, ..self }
    }

    /// The first one of the next row.
    pub fn below(self) -> Place {
        Place { xy: ((self.xy >> 32) + 1) << 32, ..self }
    }

    fn coordinates(self) -> [u32; 3] {
        [self.x(), self.y(), self.z]
    }
}

/// A block that can run, again and again.
pub struct Block<'c> {
    warps: Vec<Warp<'c>>,
    states: Vec<State>,
    /// Threads of each warp that had not ended when it gave way, and of all of them.
    alive: Vec<u32>,
    threads: u32,
    around: Box<Surroundings>,
    /// Where its threads find the parameters, and bytes that there may be.
    parameters: Reservation,
    parameter_bytes: usize,
    _shared: Reservation,
    _local: Reservation,
    /// Special registers that are the same for all lanes of a block, by slot, with their values in the block at hand.
    specials: Vec<(u32, Special, u64)>,
    /// How many of them tell the place of the block: they come first.
    places: usize,
    /// Where the block is, and which of these another place along the first axis changes.
    place: Place,
    across: Across,
    /// The launch runs compiled code: the list is for that.
    compiled: bool,
    barriers: [Barrier; 16],
    /// Barriers at which a warp has arrived: a bit each; and whether there was any since the block began.
    used: u32,
    waited: bool,
    /// Nothing of the block at hand has run; and the one before it never left compiled code, which leaves most as it was.
    fresh: bool,
    clean: bool,
    /// The code leaves warps that have ended as the next block finds them; and such code runs for warps one after the other.
    chains: bool,
    chained: bool,
    /// Its warps wait for no barrier: those that have not ended have given way to others for a turn.
    abreast: bool,
    /// Its accesses to shared memory, if races are looked for.
    races: Option<Box<Races>>,
    /// What its threads do at barriers, if misuse of them is looked for.
    misuse: Option<Box<Barriers>>,
}

impl<'c> Block<'c> {
    /// A block of a kernel, with its memory. `None` when there is not so much memory.
    pub fn new(program: &'c Program, kernel: u32, mut around: Surroundings, stride: u64) -> Option<Block<'c>> {
        let (warps, host) = (around.shape.threads().div_ceil(32) as u32, around.host);
        let shared = Reservation::new(host, around.shared_bytes.into(), program.alignment)?;
        around.shared = shared.start();
        let all = stride.checked_mul(32)?;
        let local = Reservation::new(host, all.checked_mul(warps.into())?, program.alignment)?;
        let warp = |index: u32| Warp::new(program, kernel, index, stride, local.start() + all * u64::from(index));
        // Launches by kernels have them in pieces of 16 bytes.
        let given = program.functions[kernel as usize].parameter_bytes;
        let parameter_bytes = given.max(around.parameter_words * 8).next_multiple_of(16);
        let mut block = Block {
            warps: (0..warps).map(warp).collect(),
            states: vec![State::Ready; warps as usize],
            alive: vec![0; warps as usize],
            threads: 0,
            around: Box::new(around),
            parameters: Reservation::new(host, parameter_bytes as u64, 16)?,
            parameter_bytes,
            _shared: shared,
            _local: local,
            specials: Vec::new(),
            places: 0,
            place: Place::from([0; 3]),
            across: Across::Several,
            compiled: false,
            barriers: [Barrier::default(); 16],
            used: 0,
            waited: false,
            fresh: false,
            clean: false,
            chains: false,
            abreast: false,
            chained: false,
            races: None,
            misuse: None,
        };
        // They stay where they are as long as the block.
        let first = block.warps.as_mut_ptr().cast_const();
        for (index, warp) in block.warps.iter_mut().enumerate().rev().skip(1) {
            warp.next = first.wrapping_add(index + 1);
        }
        block.tell(program);
        Some(block)
    }

    /// Makes it a block of another launch of the same kernel, with blocks of the same shape and with as much memory.
    pub fn renew(&mut self, program: &'c Program, around: Surroundings) {
        let Surroundings { shared, cluster, rank, .. } = *self.around;
        *self.around = Surroundings { shared, cluster, rank, ..around };
        self.tell(program);
    }

    /// Tells the warps about the launch. The parameters are copied: they stay where they are as long as the block.
    fn tell(&mut self, program: &'c Program) {
        let bytes = (self.around.parameter_words * 8).min(self.parameter_bytes);
        // SAFETY: the launch gives address and number of its parameters; the reservation has so many bytes.
        unsafe {
            let (from, to) = (self.around.parameters as *const u8, self.parameters.start() as *mut u8);
            core::ptr::copy_nonoverlapping(from, to, bytes);
        }
        self.around.parameters = self.parameters.start();
        (self.clean, self.around.dirty) = (false, true);
        // Others may ask for the threads of a block of a cluster that have not ended.
        // SAFETY: the program holds the code.
        let native = unsafe { self.around.native.as_ref() };
        self.abreast = native.is_some_and(compiler::Code::chains);
        self.chains = self.abreast && self.around.cluster_shape == [1; 3];
        // SAFETY: the launch keeps it while its blocks run.
        let wanted = unsafe { self.around.checked.as_ref() }.map_or(Wanted::default(), |checked| checked.wanted);
        let (warps, shared) = (self.warps.len(), self.around.shared_bytes as usize);
        self.races = wanted.races.then(|| Box::new(Races::new(warps, shared)));
        self.around.races = self.races.as_deref_mut().map_or(core::ptr::null_mut(), core::ptr::from_mut);
        self.misuse = wanted.misuse.then(|| Box::new(Barriers::new(self.around.shape.threads() as u32)));
        self.around.barriers = self.misuse.as_deref_mut().map_or(core::ptr::null_mut(), core::ptr::from_mut);
        let around: *mut Surroundings = &mut *self.around;
        self.warps.iter_mut().for_each(|warp| warp.renew(program, around));
        let compiled = !self.around.native.is_null();
        if core::mem::replace(&mut self.compiled, compiled) == compiled {
            return;
        }
        // The interpreter fills in whole vectors.
        self.specials.clear();
        if let Some(warp) = self.warps.first().filter(|_| compiled) {
            let lean = warp.code().specials.iter().filter(|s| is_lean(s.1));
            self.specials.extend(lean.map(|&(slot, special)| (slot, special, 0)));
            self.specials.sort_by_key(|&(_, special, _)| !is_place(special));
        }
        self.places = self.specials.iter().take_while(|&&(_, special, _)| is_place(special)).count();
        let places = &self.specials[..self.places];
        let plain = places.iter().all(|(_, special, _)| matches!(special, Special::Ctaid(_)));
        let mut along = (0..self.places).filter(|&which| places[which].1 == Special::Ctaid(0));
        self.across = match (plain, along.next(), along.next()) {
            (true, None, _) => Across::Nothing,
            (true, Some(which), None) => Across::One(which),
            _ => Across::Several,
        };
    }

    /// Lets go of the program: the block does not run before it is renewed.
    pub fn forget_program(&mut self) {
        self.warps.iter_mut().for_each(Warp::forget_program);
    }

    /// First address of its shared memory.
    pub fn shared_base(&self) -> u64 {
        self.around.shared
    }

    /// Makes it part of a cluster, which outlives it.
    pub fn join(&mut self, cluster: *const Cluster, rank: u32) {
        (self.around.cluster, self.around.rank) = (cluster, rank);
    }

    /// Whether warps have come to a `nanosleep` since this was asked last.
    pub fn has_slept(&mut self) -> bool {
        core::mem::take(&mut self.around.slept)
    }

    /// Threads that have not ended.
    pub fn alive(&self) -> u32 {
        self.warps.iter().map(|warp| warp.alive.count_ones()).sum()
    }

    /// Makes it the block at a place of the grid.
    #[inline]
    pub fn begin(&mut self, place: Place) {
        self.place = place;
        self.around.block = place.coordinates();
        let number = self.around.number() as u32;
        if let Some(races) = self.races() {
            races.begin(number);
        }
        if let Some(misuse) = self.misuse() {
            misuse.begin();
        }
        self.fresh = true;
        if self.clean { self.begin_again() } else { self.begin_anew() }
    }

    /// The block at a place after one that never left compiled code: small blocks spend much of their time here.
    #[inline]
    fn begin_next(&mut self, place: Place) {
        let right = place.is_right_of(core::mem::replace(&mut self.place, place));
        let x = place.x();
        match self.across {
            Across::Several => {}
            _ if !right || self.around.dirty || !self.chains => {}
            Across::Nothing => return self.around.block[0] = x,
            Across::One(which) => {
                self.around.block[0] = x;
                let (slot, _, value) = &mut self.specials[which];
                *value = x.into();
                return self.warps.iter_mut().for_each(|warp| warp.set_special(*slot, x.into()));
            }
        }
        self.around.block = place.coordinates();
        self.begin_again();
    }

    /// The same where more changes.
    fn begin_again(&mut self) {
        let dirty = core::mem::replace(&mut self.around.dirty, !self.chains);
        let around = &*self.around;
        let places = &mut self.specials[..self.places];
        // Nearly always one number is another one.
        let mut changed = None;
        for (slot, special, value) in places {
            let old = core::mem::replace(value, around.special(*special));
            if old != *value
                && let Some((slot, value)) = changed.replace((*slot, *value))
            {
                self.warps.iter_mut().for_each(|warp| warp.set_special(slot, value));
            }
        }
        self.around.abreast = false;
        if let Some((slot, value)) = changed {
            self.warps.iter_mut().for_each(|warp| warp.set_special(slot, value));
        }
        if dirty {
            let mut left = self.threads;
            for warp in &mut self.warps {
                warp.begin_again(if left >= 32 { u32::MAX } else { (1 << left) - 1 });
                left = left.saturating_sub(32);
            }
        }
    }

    /// Warps up to one have ended that compiled code has left as if they had not run.
    fn end_chain(&mut self, index: usize) {
        let abreast = core::mem::take(&mut self.around.abreast);
        if core::mem::take(&mut self.chained) && !abreast {
            self.around.dirty = true;
            self.warps[..index].iter_mut().for_each(|warp| (warp.active, warp.alive) = (0, 0));
        }
    }

    /// The warp that runs or ran last, by number.
    fn running(&self) -> Option<usize> {
        let running = self.around.running.cast::<Warp<'_>>();
        self.warps.iter().position(|warp| core::ptr::eq(warp, running))
    }

    /// After a fault: compiled code has its warp in `rbx`.
    fn find_running(&mut self) {
        let fault = guard::cut_short();
        let Some(step) = self.warps.first().and_then(|warp| warp.step_of(fault.instruction)) else { return };
        let Some(warp) = self.warps.iter_mut().find(|warp| core::ptr::from_ref::<Warp>(warp) as usize == fault.rbx)
        else {
            return;
        };
        warp.position = step.unwrap_or(warp.position);
        self.around.running = core::ptr::from_ref(warp).cast();
    }

    fn begin_anew(&mut self) {
        if core::mem::take(&mut self.waited) {
            self.barriers = [Barrier::default(); 16];
        }
        self.used = 0;
        let threads = self.around.shape.threads() as u32;
        self.threads = threads;
        for (_, special, value) in &mut self.specials {
            *value = self.around.special(*special);
        }
        for (index, warp) in self.warps.iter_mut().enumerate() {
            let left = threads - index as u32 * 32;
            warp.begin(if left >= 32 { u32::MAX } else { (1 << left) - 1 }, &self.specials);
            self.states[index] = State::Ready;
            self.alive[index] = left.min(32);
        }
    }

    /// What is in it now; `faulty`: the warp that runs has gone wrong.
    pub fn core_state(&self, faulty: bool) -> BlockState {
        core_dump::block(&self.warps, &self.around, self.running().filter(|_| faulty))
    }

    /// Number of its launch.
    pub fn grid_id(&self) -> u64 {
        self.around.grid_id
    }

    /// Runs its warps until all have ended or all that could run have had a turn without getting anywhere. When all have ended it
    /// goes on as the block at the place that `next` gives, if it gives one. `next` owns nothing that has to be dropped.
    pub fn run(&mut self, next: &mut dyn FnMut() -> Option<Place>) -> Turn {
        let mut turn = None;
        let (block, next, result) = (&raw mut *self, &raw mut *next, &raw mut turn);
        let run = move || {
            // SAFETY: all outlive the call; a step that faults owns nothing and holds no lock, and the block around it is in order.
            let (block, next) = unsafe { (&mut *block, &mut *next) };
            let turn = loop {
                // SAFETY: inside of a guard.
                match unsafe { block.run_warps(next) } {
                    Turn::Done => {
                        check::finish(&block.around);
                        match next() {
                            Some(place) => block.begin(place),
                            None => break Turn::Done,
                        }
                    }
                    turn => break turn,
                }
            };
            // SAFETY: as above.
            unsafe { *result = Some(turn) };
        };
        // SAFETY: as above.
        if unsafe { guard::run_disposable(run) }
            && let Some(turn) = turn
        {
            return turn;
        }
        // A fault ends compiled code where it is.
        crate::running::native::set_normal_control();
        self.find_running();
        let running = self.running();
        self.end_chain(running.unwrap_or(0));
        let line = running.map_or(0, |index| self.warps[index].current_line());
        Turn::Fault(Fault::IllegalAddress, line)
    }

    /// # Safety
    /// Inside of [`guard::run`].
    unsafe fn run_warps(&mut self, next: &mut dyn FnMut() -> Option<Place>) -> Turn {
        /// Rounds before others get to know that the block is still there: it may go on for ever.
        const MOST_ROUNDS: u32 = 1 << 12;
        /// The same as a time, for warps that run until they have to give way.
        const LONGEST: Duration = Duration::from_millis(20);
        let (mut since, mut late) = (None, false);
        let (mut fresh, clean) = (core::mem::take(&mut self.fresh), core::mem::take(&mut self.clean));
        let mut known_together = fresh && clean;
        for _ in 0..MOST_ROUNDS {
            let (mut moved, mut open) = (false, false);
            let mut left = None;
            if core::mem::take(&mut known_together) || self.can_run_together() {
                // SAFETY: the contract of this function.
                match unsafe { self.run_together(fresh, next) } {
                    Parting::Ended => return Turn::Done,
                    Parting::Waited => return Turn::Spins,
                    Parting::At(index, flow) => left = Some((index, flow)),
                }
                open = true;
            }
            fresh = false;
            let first = left.map_or(0, |(index, _)| index);
            moved |= first > 0;
            for index in first..self.warps.len() {
                let known = left.take().and_then(|(_, flow)| flow);
                match self.states[index] {
                    State::Done => continue,
                    State::Waits(phase) => {
                        open = true;
                        let warp = &mut self.warps[index];
                        let barrier = &self.barriers[warp.barrier.barrier as usize & 15];
                        if barrier.phase == phase {
                            continue;
                        }
                        if let Some((kind, place)) = warp.reduction.take() {
                            warp.mask = warp.active;
                            warp.write_reduction(kind, place, barrier.result);
                        }
                        self.states[index] = State::Ready;
                    }
                    State::Ready => open = true,
                }
                if known.is_none() && !self.warps[index].parked.is_empty() && !self.choose(index) {
                    continue;
                }
                let warp = &mut self.warps[index];
                self.around.running = core::ptr::from_ref(warp).cast();
                // SAFETY: the contract of this function.
                let flow = known.unwrap_or_else(|| unsafe { warp.run() });
                self.count(index);
                match flow {
                    Flow::Fault(fault) => return Turn::Fault(fault, self.warps[index].line),
                    Flow::Yield => late |= since.get_or_insert_with(Instant::now).elapsed() > LONGEST,
                    Flow::Held => moved = true,
                    Flow::Barrier => {
                        moved = true;
                        self.arrive(index);
                    }
                    _ => {
                        moved = true;
                        if self.alive[index] == 0 {
                            self.states[index] = State::Done;
                        }
                        // Those that wait at a barrier may have waited for what has ended.
                        let mut used = self.used;
                        while used != 0 {
                            self.open_barrier(used.trailing_zeros() as usize);
                            used &= used - 1;
                        }
                    }
                }
            }
            if !open {
                return Turn::Done;
            }
            // No warp made progress, or all wait at barriers that none of them can open.
            if !moved
                && !self.around.barriers.is_null()
                && let Some(wrong) = self.stuck()
            {
                let line = wrong.site.line;
                check::misused(&self.around, wrong);
                return Turn::Fault(Fault::TimedOut, line);
            }
            if !moved || late {
                return Turn::Spins;
            }
        }
        Turn::Spins
    }

    /// Takes note of how many threads of a warp have not ended.
    fn count(&mut self, index: usize) {
        let alive = self.warps[index].alive.count_ones();
        self.threads -= self.alive[index] - alive;
        self.alive[index] = alive;
    }

    /// True when all warps that have not ended can go on in compiled code, and nobody waits at a barrier.
    fn can_run_together(&mut self) -> bool {
        if self.around.native.is_null() || self.used != 0 {
            return false;
        }
        for (warp, state) in self.warps.iter().zip(&mut self.states) {
            match *state {
                State::Done => continue,
                State::Ready => {}
                State::Waits(phase) => {
                    let barrier = &self.barriers[warp.barrier.barrier as usize & 15];
                    if barrier.phase == phase || warp.reduction.is_some() {
                        return false;
                    }
                    *state = State::Ready;
                }
            }
            if !warp.is_native() {
                return false;
            }
        }
        true
    }

    /// Runs compiled code for one warp after the other, from barrier to barrier. `fresh`: nothing of the block has run. A block that
    /// never leaves the code goes on as the next one.
    ///
    /// # Safety
    /// That of [`Block::run_warps`], and [`Block::can_run_together`].
    unsafe fn run_together(&mut self, mut fresh: bool, next: &mut dyn FnMut() -> Option<Place>) -> Parting {
        let Some(mut index) = self.states.iter().position(|&state| state != State::Done) else { return Parting::Ended };
        if !fresh {
            let ready = self.warps.iter_mut().zip(&self.states).filter(|(_, state)| **state != State::Done);
            ready.for_each(|(warp, _)| warp.expect_native());
        }
        let first = self.warps.as_mut_ptr();
        self.chained = fresh && self.chains;
        let mut together = if self.chained { Together::Chained(first) } else { Together::From(first) };
        let parting = loop {
            // SAFETY: a warp of the block.
            let warp = unsafe { &mut *first.add(index) };
            self.around.running = core::ptr::from_ref(warp).cast();
            // SAFETY: the contract of this function.
            let Some(left) = (unsafe { warp.enter_native(together) }) else { break Parting::At(index, None) };
            match left.outcome {
                outcome::TURNS => break Parting::Waited,
                outcome::DONE if fresh => {
                    let Some(place) = next() else {
                        (self.clean, self.chained, self.around.abreast) = (true, false, false);
                        return Parting::Ended;
                    };
                    self.begin_next(place);
                    continue;
                }
                outcome::DONE => break Parting::Ended,
                _ => fresh = false,
            }
            // SAFETY: the code gives back a warp of the block.
            index = unsafe { left.warp.cast::<Warp>().offset_from(first) } as usize;
            self.around.running = left.warp.cast_const().cast();
            self.end_chain(index);
            let warp = &mut self.warps[index];
            let flow = warp.left_native(left.outcome);
            match flow {
                Some(Flow::Jump | Flow::Next) if warp.is_native() => together = Together::After(first),
                Some(Flow::Jump | Flow::Next) => break Parting::At(index, None),
                _ => break Parting::At(index, flow),
            }
        };
        (0..self.warps.len()).for_each(|index| self.count(index));
        let before = if let Parting::At(index, _) = parting { index } else { self.warps.len() };
        // Behind that one, too, warps have ended where they have taken turns.
        for index in 0..self.warps.len() {
            if self.alive[index] == 0 {
                self.states[index] = State::Done;
            } else if index < before && before < self.warps.len() && !self.abreast {
                self.warps[index].come_to_barrier();
                self.arrive(index);
            }
        }
        parting
    }

    /// Finds a part of a warp that can go on.
    fn choose(&mut self, index: usize) -> bool {
        let (barriers, phase) = (&self.barriers, self.around.cluster().phase());
        self.warps[index].choose(|hold| match hold {
            Hold::Barrier(id, phase) => {
                let barrier = barriers[id as usize & 15];
                (barrier.phase != phase).then_some(barrier.result)
            }
            Hold::Cluster(old) => (old != phase).then_some((0, 0)),
            _ => None,
        })
    }

    /// Through the pointer that its warps have, too.
    fn races(&mut self) -> Option<&mut Races> {
        // SAFETY: the block owns it, and no warp runs.
        unsafe { self.around.races.as_mut() }
    }

    /// The same for what its threads do at barriers.
    fn misuse(&mut self) -> Option<&mut Barriers> {
        // SAFETY: the block owns it, and no warp runs.
        unsafe { self.around.barriers.as_mut() }
    }

    #[cold]
    fn tell_of_opening(&mut self, id: usize, whole: bool) {
        let alive: Vec<u32> = self.warps.iter().map(|warp| warp.alive).collect();
        let wrong = self.misuse().and_then(|m| m.open(id, whole, |warp| alive.get(warp).copied().unwrap_or(0)));
        if let Some(wrong) = wrong {
            check::misused(&self.around, wrong);
        }
    }

    /// Who waits at barriers of the block that none of its threads can open any more, as none can go on. Blocks of a cluster may
    /// wait for others.
    #[cold]
    fn stuck(&mut self) -> Option<Wrong> {
        let waits = |hold: Hold| matches!(hold, Hold::Barrier(..) | Hold::Lanes(_));
        let stuck = self.warps.iter().zip(&self.states).all(|(warp, state)| match state {
            State::Done => true,
            State::Waits(_) => warp.parked.is_empty(),
            State::Ready => warp.active == 0 && !warp.parked.is_empty() && warp.parked.iter().all(|f| waits(f.hold)),
        });
        if !stuck {
            return None;
        }
        if let Some(wrong) = self.misuse()?.stuck() {
            return Some(wrong);
        }
        let held = |warp: &Warp| {
            warp.parked.iter().find_map(|fiber| match fiber.hold {
                Hold::Lanes(mask) => Some((mask, fiber.active, fiber.position, fiber.frames.last()?.function)),
                _ => None,
            })
        };
        self.warps.iter().find_map(|warp| {
            let (mask, lanes, position, function) = held(warp)?;
            let code = warp.program().functions.get(function as usize)?;
            let line = code.lines.get(position as usize).copied().unwrap_or(0);
            Some(Wrong {
                what: "mask that names threads that never come",
                more: format!("the mask is {mask:#010x}"),
                site: Site { line, position, code: core::ptr::from_ref(code).cast() },
                warp: warp.index,
                lanes,
            })
        })
    }

    /// Lanes of a warp have come to a barrier.
    fn arrive(&mut self, index: usize) {
        let warp = &mut self.warps[index];
        let (lanes, at) = (warp.mask, warp.barrier);
        let id = at.barrier as usize & 15;
        self.used |= 1 << id;
        self.waited = true;
        let barrier = &mut self.barriers[id];
        let hold = Hold::Barrier(at.barrier, barrier.phase);
        if lanes == warp.alive {
            barrier.arrived += 32;
        } else {
            let there = warp.parked.iter().filter(|f| f.hold == hold).fold(0, |all, f| all | f.lanes());
            let complete = (there | lanes) == warp.alive;
            barrier.arrived += if complete { 32 - there.count_ones() } else { lanes.count_ones() };
        }
        barrier.count += warp.vote.count_ones();
        barrier.threads += lanes.count_ones();
        barrier.wanted = barrier.wanted.max(at.threads);
        warp.vote = 0;
        // SAFETY: the launch keeps it while its blocks run.
        let grid = unsafe { self.around.checked.as_ref() }.and_then(|checked| checked.global.as_deref());
        if let Some(races) = self.races() {
            races.arrive(id, index, at.waits, grid);
        }
        let warp = &mut self.warps[index];
        let barrier = &self.barriers[id];
        if at.waits && lanes == warp.alive {
            self.states[index] = State::Waits(barrier.phase);
        } else if at.waits {
            warp.park(lanes, hold);
        }
        self.open_barrier(id);
    }

    /// Opens a barrier if all that it takes are there.
    fn open_barrier(&mut self, id: usize) {
        let barrier = &self.barriers[id];
        if barrier.threads == 0 {
            return;
        }
        let complete =
            if barrier.wanted == 0 { barrier.threads >= self.threads } else { barrier.arrived >= barrier.wanted };
        if complete {
            let whole = barrier.wanted == 0;
            if let Some(races) = self.races() {
                races.open(id, whole);
            }
            if !self.around.barriers.is_null() {
                self.tell_of_opening(id, whole);
            }
            self.used &= !(1 << id);
            let barrier = &self.barriers[id];
            self.barriers[id] = Barrier {
                phase: barrier.phase.wrapping_add(1),
                result: (barrier.count, barrier.threads),
                ..Barrier::default()
            };
        }
    }
}
