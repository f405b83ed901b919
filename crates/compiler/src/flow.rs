//! Blocks of steps, what is live where, and which writes must spare the lanes that wait.

use crate::operation::Operation;
use crate::scaled::Scaled;
use crate::unit::{NOWHERE, SLOT, UNGUARDED, Unit};
use crate::values::Values;
use ptx::AtomicOperation;
pub use ptx::analysis::sets::{Sets, common, has, insert, members, remove};

/// The shape of a kernel.
pub struct Flow {
    /// First step of each block, ascending; a last one behind all steps.
    pub starts: Vec<u32>,
    /// Blocks that follow.
    pub next: Vec<Vec<u32>>,
    /// Block of a step that begins one, else none.
    pub block_at: Vec<u32>,
    /// Lanes may reconverge where the block begins.
    pub reconverges: Vec<bool>,
    /// How deep in loops a block is.
    pub depth: Vec<u32>,
    /// Registers that are needed where a block begins and where it ends, by lanes that run or wait.
    pub live_in: Sets,
    pub live_out: Sets,
    /// Registers whose writes must spare lanes that are not active.
    pub masked: Vec<bool>,
    /// Numbers that live everywhere and are the same for all warps of a block ([`crate::stays`]).
    pub stays: Vec<u32>,
    /// What [`touches`] says of each step, since [`Flow::settle`], and what each block writes, whatever the mask.
    touched: Touched,
    written: Sets,
}

/// Registers that steps read and write.
#[derive(Default)]
struct Touched {
    registers: Vec<u32>,
    /// For each step where its reads begin, where its writes do, and whether it has a guard.
    steps: Vec<(u32, u32, bool)>,
}

impl Touched {
    fn new(unit: &Unit) -> Touched {
        let count = unit.steps.len();
        let mut touched = Touched { registers: Vec::with_capacity(5 * count), steps: Vec::with_capacity(count + 1) };
        let (registers, mut writes) = (&mut touched.registers, Vec::new());
        for at in 0..count {
            let first = registers.len() as u32;
            touches(unit, at, &[], |register| registers.push(register), |register, _| writes.push(register));
            touched.steps.push((first, registers.len() as u32, unit.steps[at].guard != UNGUARDED));
            registers.append(&mut writes);
        }
        touched.steps.push((registers.len() as u32, 0, false));
        touched
    }

    /// Registers that a step reads, those that it writes, and whether it has a guard.
    #[inline(always)]
    fn of(&self, at: usize) -> (&[u32], &[u32], bool) {
        let ((first, middle, guarded), (end, ..)) = (self.steps[at], self.steps[at + 1]);
        let (first, middle, end) = (first as usize, middle as usize, end as usize);
        (&self.registers[first..middle], &self.registers[middle..end], guarded)
    }

    /// What [`touches`] says of a step.
    #[inline(always)]
    fn each(&self, at: usize, masked: &[bool], mut read: impl FnMut(u32), mut write: impl FnMut(u32, bool)) {
        let (reads, writes, guarded) = self.of(at);
        reads.iter().for_each(|&register| read(register));
        for &register in writes {
            // Under a guard it is among the reads already.
            let spares = !guarded && masked.get(register as usize) == Some(&true);
            if spares {
                read(register);
            }
            write(register, !guarded && !spares);
        }
    }
}

/// Which steps put all vectors that are live into the frame.
pub struct Saves<'a> {
    /// Calls of the interpreter's steps do, and leave there what they write.
    pub calls: bool,
    /// The set of registers that barriers put there, but not as the interpreter wants them.
    pub rough: Option<&'a [u64]>,
}

impl Saves<'_> {
    fn is_call(unit: &Unit, at: usize) -> bool {
        matches!(unit.steps[at].operation, Operation::Step) && unit.steps[at].guard == UNGUARDED
    }

    /// Whether a step is such.
    pub fn has(&self, unit: &Unit, at: usize) -> bool {
        Flow::is_barrier(unit, at) || self.calls && Saves::is_call(unit, at)
    }

    /// Takes what a step puts into the frame out of a set. False if it does not.
    fn at(&self, unit: &Unit, at: usize, set: &mut [u64]) -> bool {
        let barrier = Flow::is_barrier(unit, at);
        match self.rough {
            Some(rough) if barrier => set.iter_mut().zip(rough).for_each(|(word, rough)| *word &= rough),
            _ if barrier || self.calls && Saves::is_call(unit, at) => set.fill(0),
            _ => return false,
        }
        true
    }
}

/// The unit is larger than can be looked at in bounded time.
pub struct TooLarge;

/// What a step reads and writes of registers; a write under a guard, or one that spares lanes, reads too.
pub fn touches(unit: &Unit, at: usize, masked: &[bool], mut read: impl FnMut(u32), mut write: impl FnMut(u32, bool)) {
    let step = &unit.steps[at];
    let registers = unit.registers.len() as u32;
    let mut use_of = |offset: u32| {
        let slot = offset / SLOT;
        if offset != UNGUARDED && slot < registers {
            read(slot);
        }
    };
    if step.left {
        return;
    }
    if step.guard != UNGUARDED {
        use_of(step.guard & !1);
    }
    if matches!(step.operation, Operation::Step) {
        step.reads().iter().for_each(|&register| use_of(register * SLOT));
        for &register in step.writes() {
            let partial = step.guard != UNGUARDED || masked.get(register as usize) == Some(&true);
            if partial {
                use_of(register * SLOT);
            }
            write(register, !partial);
        }
        return;
    }
    let address = step.scaled.filter(Scaled::is_left);
    let skipped = usize::from(address.is_some());
    sources(step).iter().skip(skipped).for_each(|&offset| use_of(offset));
    if let Some(scaled) = step.scaled {
        scaled.reads().for_each(&mut use_of);
    }
    if step.based && address.is_none() {
        use_of(step.from[4]);
    }
    if let Operation::Compare(..) = step.operation
        && step.combination != 0
    {
        use_of(step.from[2]);
    }
    for offset in results(step) {
        let slot = offset / SLOT;
        if slot >= registers {
            continue;
        }
        let partial = step.guard != UNGUARDED || masked.get(slot as usize) == Some(&true);
        if partial {
            use_of(offset);
        }
        write(slot, !partial);
    }
}

/// How often each register is read and written, by steps that are not left out.
pub fn counts(unit: &Unit) -> Vec<(u32, u32)> {
    let counts = vec![core::cell::Cell::new((0, 0)); unit.registers.len()];
    let add = |register: u32, [reads, writes]: [u32; 2]| {
        let count = &counts[register as usize];
        count.set((count.get().0 + reads, count.get().1 + writes));
    };
    for at in 0..unit.steps.len() {
        touches(unit, at, &[], |register| add(register, [1, 0]), |register, _| add(register, [0, 1]));
    }
    counts.into_iter().map(core::cell::Cell::into_inner).collect()
}

/// How many of the operands in `from` an operation has, from the first on; an access's base is apart.
pub fn sources(step: &crate::unit::Step) -> &[u32] {
    use Operation::*;
    let count = match step.operation {
        Step | Branch | Exit | Barrier | ActiveMask | Fence | Nothing => 0,
        Rows { stores: false, .. } => 1,
        Rows { count, .. } => 1 + count as usize,
        CopyAcross { .. } => 3 + usize::from(step.mode),
        Aligned { .. }
        | Meet
        | Popc { .. }
        | Clz { .. }
        | Brev
        | Integral(_)
        | Approximate(_)
        | Cnot
        | Bfind { .. } => 1,
        ConvertPair(_) | MulWide16 { .. } | Rem(_) | Copysign { .. } | Vote | Reduce => 2,
        Bfe(_) | Prmt | Funnel { .. } | SelectSign { .. } | Mad24 { .. } | Sad { .. } => 3,
        Bfi => 4,
        Copy { .. } | Not { .. } | Neg(_) | Abs(_) | Sqrt(_) | Rcp(_) | Rsqrt(_) | Convert { .. } | Load { .. } => 1,
        Atomic { change: AtomicOperation::CompareExchange, .. } => 3,
        Atomic { .. }
        | Add(_)
        | Sub(_)
        | Mul(_)
        | MulWide { .. }
        | MulHigh { .. }
        | And { .. }
        | Or { .. }
        | Xor { .. } => 2,
        Shl { .. } | Shr(_) | Min(_) | Max(_) | Div(_) | Compare(..) | Logic => 2,
        Mad(_) | MadWide { .. } | Select { .. } | Bitwise { .. } => 3,
        Lop3 | Shuffle => 4,
        Store { count, .. } => 1 + count as usize,
    };
    &step.from[..count]
}

/// Offsets of what a native step writes.
#[inline]
pub fn results(step: &crate::unit::Step) -> impl Iterator<Item = u32> + '_ {
    use Operation::*;
    let count = match step.operation {
        Step | Branch | Exit | Barrier | Meet | Aligned { .. } | Store { .. } | CopyAcross { .. } | Fence | Nothing => {
            0
        }
        Rows { stores: true, .. } => 0,
        Rows { count, .. } => count as usize,
        Compare(..) if step.branch.is_some() => 0,
        Compare(..) => 1 + usize::from(step.pair),
        Load { count, .. } => count as usize,
        Shuffle => 2,
        _ => 1,
    };
    step.to[..count].iter().copied().filter(|&to| to != u32::MAX)
}

impl Flow {
    /// Cuts a unit into blocks.
    pub fn new(unit: &Unit) -> Result<Flow, TooLarge> {
        /// Words of a set for each block; and of one for each step of a block.
        const MOST: usize = 1 << 22;
        const MOST_OF_STEPS: usize = 1 << 24;
        let count = unit.steps.len();
        let mut first = vec![false; count + 1];
        let mut reconverges_at = vec![false; count + 1];
        (first[0], first[count]) = (true, true);
        let mark = |first: &mut Vec<bool>, at: u32| {
            if (at as usize) < count {
                first[at as usize] = true;
            }
        };
        for (at, step) in unit.steps.iter().enumerate() {
            // Where all lanes jump nobody waits for others.
            let parts = !step.branch.is_some_and(|branch| branch.always);
            if let Some(branch) = step.branch {
                mark(&mut first, branch.target);
                mark(&mut first, branch.reconverge);
                if parts && (branch.reconverge as usize) < count {
                    reconverges_at[branch.reconverge as usize] = true;
                }
            }
            step.leads.iter().for_each(|&to| mark(&mut first, to));
            mark(&mut first, step.reconverge);
            if parts && (step.reconverge as usize) < count {
                reconverges_at[step.reconverge as usize] = true;
            }
            if step.branch.is_some() || step.ends || step.control {
                first[at + 1] = true;
            }
        }
        let starts: Vec<u32> = (0..=count as u32).filter(|&at| first[at as usize]).collect();
        let blocks = starts.len() - 1;
        let words = unit.registers.len() / 64 + 1;
        let longest = starts.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0);
        if blocks * words > MOST || longest * words > MOST_OF_STEPS {
            return Err(TooLarge);
        }
        let mut block_at = vec![NOWHERE; count + 1];
        for (block, &start) in starts.iter().enumerate().take(blocks) {
            block_at[start as usize] = block as u32;
        }
        let mut next = Vec::with_capacity(blocks);
        for block in 0..blocks {
            let last = &unit.steps[starts[block + 1] as usize - 1];
            let mut ways: Vec<u32> = Vec::new();
            let falls = !last.ends && !last.branch.is_some_and(|branch| branch.always);
            if falls && block + 1 < blocks {
                ways.push(block as u32 + 1);
            }
            let to = last.branch.iter().map(|b| b.target).chain(last.leads.iter().copied());
            ways.extend(to.filter(|&to| (to as usize) < count).map(|to| block_at[to as usize]));
            ways.sort_unstable();
            ways.dedup();
            next.push(ways);
        }
        let reconverges = (0..blocks).map(|block| reconverges_at[starts[block] as usize]).collect();
        let depth = depths(&next, blocks);
        let registers = unit.registers.len();
        Ok(Flow {
            starts,
            next,
            block_at,
            reconverges,
            depth,
            live_in: Sets::new(blocks, registers),
            live_out: Sets::new(blocks, registers),
            masked: vec![unit.apart; registers],
            stays: Vec::new(),
            touched: Touched::default(),
            written: Sets::new(0, registers),
        })
    }

    /// [`touches`], from what is known since [`Flow::settle`], with the registers whose writes spare lanes.
    #[inline(always)]
    pub fn touches(&self, at: usize, read: impl FnMut(u32), write: impl FnMut(u32, bool)) {
        self.touched.each(at, &self.masked, read, write);
    }

    /// The same, as if no write spared lanes.
    #[inline(always)]
    pub fn touches_plainly(&self, at: usize, read: impl FnMut(u32), write: impl FnMut(u32, bool)) {
        self.touched.each(at, &[], read, write);
    }

    /// Registers that a step writes, whatever the mask.
    #[inline(always)]
    pub fn writes(&self, at: usize) -> &[u32] {
        self.touched.of(at).1
    }

    /// Whether a block writes a register.
    pub fn is_written_in(&self, block: usize, register: u32) -> bool {
        has(self.written.of(block), register)
    }

    /// Registers that a step reads, but for those that it writes and spares lanes of; those that it writes; and whether it has a guard.
    #[inline(always)]
    pub fn touched(&self, at: usize) -> (&[u32], &[u32], bool) {
        self.touched.of(at)
    }

    /// The block that a step is in.
    pub fn block_of(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= at) - 1
    }

    /// Blocks.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where warps that come to a barrier or to the end have most likely gone on from: behind the barrier before, in the text or in
    /// the loop around it, or from the start.
    pub fn begun_at(&self, unit: &Unit, at: usize) -> usize {
        /// Steps that are looked at.
        const FAR: usize = 512;
        let depth = |at: usize| self.depth[self.block_of(at)];
        let is_barrier = |&at: &usize| Flow::is_barrier(unit, at);
        let own = depth(at);
        let before = (at.saturating_sub(FAR)..at).rev().find(is_barrier);
        let found = match before {
            Some(before) if depth(before) >= own => Some(before),
            // The last one of the loop.
            _ if own > 0 => {
                let end = unit.steps.len().min(at + FAR);
                let inside = (at..end).take_while(|&at| depth(at) >= own).filter(is_barrier).last();
                inside.filter(|_| matches!(unit.steps[at].operation, Operation::Barrier)).or(before)
            }
            _ => before,
        };
        found.map_or(0, |barrier| barrier + 1)
    }

    /// Whether a step is a barrier at which whole warps wait in compiled code.
    pub fn is_barrier(unit: &Unit, at: usize) -> bool {
        matches!(unit.steps[at].operation, Operation::Barrier) && unit.steps[at].guard == UNGUARDED
    }

    /// Registers that may not be in the frame as they are, for each block where it begins: what has been written since the code was
    /// entered, which fetches all of them from there, or since all of them were put there. None where that never happens, or where
    /// there is too much to be looked at.
    pub fn unsaved(&self, unit: &Unit, saves: &Saves<'_>) -> Option<Sets> {
        /// Words that may be looked at.
        const ENOUGH: usize = 1 << 22;
        if !(0..unit.steps.len()).any(|at| saves.has(unit, at)) {
            return None;
        }
        let (blocks, words) = (self.count(), self.live_in.words());
        let mut left = ENOUGH;
        let mut written = Sets::new(blocks, unit.registers.len());
        // What is left of those that are not in the frame.
        let mut kept = Sets::new(blocks, unit.registers.len());
        for block in 0..blocks {
            let all = kept.of_mut(block);
            all.fill(u64::MAX);
            if !self.range(block).any(|at| saves.has(unit, at)) {
                written.of_mut(block).copy_from_slice(self.written.of(block));
                continue;
            }
            for at in self.range(block) {
                saves.at(unit, at, all);
            }
            self.write_from(unit, self.range(block), saves, written.of_mut(block));
        }
        let mut unsaved = Sets::new(blocks, unit.registers.len());
        let mut changed = true;
        while changed {
            changed = false;
            for block in 0..blocks {
                left = left.checked_sub(words * (1 + self.next[block].len()))?;
                for word in 0..words {
                    let all = written.of(block)[word] | unsaved.of(block)[word] & kept.of(block)[word];
                    for &to in &self.next[block] {
                        let place = &mut unsaved.of_mut(to as usize)[word];
                        changed |= all & !*place != 0;
                        *place |= all;
                    }
                }
            }
        }
        Some(unsaved)
    }

    /// Adds to a set what steps write, and takes out of it what they put into the frame.
    pub fn write_from(&self, unit: &Unit, steps: core::ops::Range<usize>, saves: &Saves<'_>, set: &mut [u64]) {
        for at in steps {
            if !saves.at(unit, at, set) || !Saves::is_call(unit, at) {
                self.writes(at).iter().for_each(|&register| insert(set, register));
            }
        }
    }

    /// How much a step of a block counts: the deeper in loops, the more.
    pub fn weight(&self, block: usize) -> f32 {
        8f32.powi(self.depth[block].min(8) as i32)
    }

    /// Steps of a block.
    pub fn range(&self, block: usize) -> core::ops::Range<usize> {
        self.starts[block] as usize..self.starts[block + 1] as usize
    }

    /// True when all active lanes go the same way at the branch that ends a block: by itself, or because the predicate is the same in all
    /// threads, or comes of such a comparison in the block, behind which compilers put the moves of a loop.
    fn is_uniform(&self, unit: &Unit, values: &Values, block: usize, at: usize) -> bool {
        let guard = unit.steps[at].guard;
        if !matches!(unit.steps[at].operation, Operation::Branch) || guard == UNGUARDED {
            return values.is_uniform_branch(unit, at);
        }
        if let Some(predicate) = unit.registers.get((guard / SLOT) as usize).filter(|register| register.early) {
            return predicate.shared;
        }
        let last = (self.starts[block] as usize..at).rev().find(|&at| self.writes(at).contains(&(guard / SLOT)));
        last.is_some_and(|at| unit.steps[at].branch.is_none() && values.is_uniform_branch(unit, at))
    }

    /// Finds what is live where. Lanes that wait keep what they need: in the region of a branch that may part lanes, what any of
    /// its ends needs is live throughout, and written for active lanes alone.
    pub fn settle(&mut self, unit: &Unit, values: &Values) -> Result<(), TooLarge> {
        /// Words that may be looked at.
        const ENOUGH: usize = 1 << 26;
        self.touched = Touched::new(unit);
        let (blocks, words) = (self.count(), self.live_in.words());
        let mut left = ENOUGH;
        // Regions of branches that may part lanes: the blocks inside, and where lanes wait.
        let mut regions: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        let mut seen = vec![false; blocks];
        for block in 0..blocks {
            let at = self.starts[block + 1] as usize - 1;
            let step = &unit.steps[at];
            let reconverge = match (&step.branch, step.leads.is_empty()) {
                (Some(branch), _) if !self.is_uniform(unit, values, block, at) => branch.reconverge,
                (None, false) => step.reconverge,
                _ => continue,
            };
            let wait = self.block_at.get(reconverge as usize).copied().unwrap_or(NOWHERE);
            let ways: Vec<u32> = self.next[block].iter().copied().filter(|&way| way != wait).collect();
            let mut inside = Vec::new();
            let mut work = ways.clone();
            while let Some(at) = work.pop() {
                if at == wait || core::mem::replace(&mut seen[at as usize], true) {
                    continue;
                }
                inside.push(at);
                work.extend(&self.next[at as usize]);
            }
            inside.iter().for_each(|&at| seen[at as usize] = false);
            left = left.checked_sub(blocks + inside.len() * words).ok_or(TooLarge)?;
            let mut waiting = if ways.len() > 1 { ways } else { Vec::new() };
            waiting.extend((wait != NOWHERE).then_some(wait));
            regions.push((inside, waiting));
        }
        let mut written = Sets::new(blocks, unit.registers.len());
        for block in 0..blocks {
            let set = written.of_mut(block);
            for at in self.range(block) {
                self.writes(at).iter().for_each(|&register| insert(set, register));
            }
        }
        self.written = written;
        let mut kept = Sets::new(blocks, unit.registers.len());
        let (mut needed, mut masked) = (vec![0; words], None);
        let mut own = [Sets::new(blocks, unit.registers.len()), Sets::new(blocks, unit.registers.len())];
        loop {
            left = left.checked_sub(unit.steps.len()).ok_or(TooLarge)?;
            self.find_own(masked.as_deref(), &mut own);
            self.lives(&kept, &own, &mut left)?;
            let masked = masked.get_or_insert_with(|| vec![0; words]);
            masked.fill(0);
            let mut changed = false;
            for (inside, waiting) in &regions {
                needed.fill(0);
                for &block in waiting {
                    self.live_in.of(block as usize).iter().zip(&mut needed).for_each(|(live, all)| *all |= live);
                }
                for &block in inside {
                    left = left.checked_sub(2 * words).ok_or(TooLarge)?;
                    for (word, &need) in needed.iter().enumerate() {
                        let place = &mut kept.of_mut(block as usize)[word];
                        changed |= need & !*place != 0;
                        *place |= need;
                        let mut lost = need & self.written.of(block as usize)[word];
                        while lost != 0 {
                            let register = word * 64 + lost.trailing_zeros() as usize;
                            lost &= lost - 1;
                            if !core::mem::replace(&mut self.masked[register], true) {
                                insert(masked, register as u32);
                                changed = true;
                            }
                        }
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Finds what each block uses of what was there before, and what it writes for all lanes: of all blocks, or of those that write
    /// registers which have become masked since.
    fn find_own(&self, masked: Option<&[u64]>, [used, killed]: &mut [Sets; 2]) {
        for block in 0..self.count() {
            let written = self.written.of(block);
            if masked.is_some_and(|masked| written.iter().zip(masked).all(|(written, masked)| written & masked == 0)) {
                continue;
            }
            let (used, killed) = (used.of_mut(block), killed.of_mut(block));
            used.fill(0);
            killed.fill(0);
            for at in self.range(block) {
                let (reads, writes, guarded) = self.touched(at);
                reads.iter().for_each(|&register| use_unless_killed(used, killed, register));
                if guarded {
                    continue;
                }
                for &register in writes {
                    if self.masked[register as usize] {
                        use_unless_killed(used, killed, register);
                    } else {
                        insert(killed, register);
                    }
                }
            }
        }
    }

    /// Liveness, with what must be kept in each block, and what blocks use and write.
    fn lives(&mut self, kept: &Sets, [used, killed]: &[Sets; 2], left: &mut usize) -> Result<(), TooLarge> {
        let (blocks, words) = (self.count(), self.live_in.words());
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..blocks).rev() {
                *left = left.checked_sub(words * (2 + self.next[block].len())).ok_or(TooLarge)?;
                for word in 0..words {
                    let out = self.next[block]
                        .iter()
                        .fold(kept.of(block)[word], |all, &to| all | self.live_in.of(to as usize)[word]);
                    let live = used.of(block)[word] | out & !killed.of(block)[word] | kept.of(block)[word];
                    self.live_out.of_mut(block)[word] = out;
                    let place = &mut self.live_in.of_mut(block)[word];
                    changed |= *place != live;
                    *place = live;
                }
            }
        }
        Ok(())
    }
}

/// Takes note of a register that is read, unless it has been written.
#[inline(always)]
fn use_unless_killed(used: &mut [u64], killed: &[u64], register: u32) {
    let (word, bit) = (register as usize / 64, register % 64);
    used[word] |= !killed[word] & 1 << bit;
}

/// How deep in loops each block is, as far as the order of the text shows it: a jump backwards closes a loop of what lies between.
fn depths(next: &[Vec<u32>], blocks: usize) -> Vec<u32> {
    let mut change = vec![0i32; blocks + 1];
    for (block, ways) in next.iter().enumerate() {
        if let Some(&head) = ways.iter().filter(|&&to| to as usize <= block).min() {
            change[head as usize] += 1;
            change[block + 1] -= 1;
        }
    }
    let mut depth = 0;
    change
        .iter()
        .take(blocks)
        .map(|change| {
            depth += change;
            depth.max(0) as u32
        })
        .collect()
}
