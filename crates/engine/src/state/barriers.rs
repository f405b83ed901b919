//! What threads do at the barriers of a block, for whoever looks for mistakes there.
//!
//! A whole barrier takes all threads of the block that have not ended. A thread that ends without ever having come to one is let
//! be: devices count it out, and kernels rely on that. One that came to barriers before and ends while others go on to wait is a
//! mistake: the condition of a `__syncthreads()` has to be the same for all.

use std::collections::HashSet;

/// Numbers of barriers.
const BARRIERS: usize = 16;
/// Lanes of a warp.
const LANES: u32 = 32;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub line: u32,
    pub position: u32,
    /// The function, for whoever put it there.
    pub code: *const (),
}

/// Lanes of a warp that come to a barrier.
#[derive(Clone, Copy, Debug)]
pub struct Coming {
    pub barrier: u32,
    /// Threads that it takes; 0 for all that have not ended.
    pub count: u32,
    pub warp: u32,
    pub lanes: u32,
    /// The warp has to come as one.
    pub aligned: bool,
    pub site: Site,
}

/// Something is wrong: in a few words, and what else there is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub what: &'static str,
    pub more: String,
    pub site: Site,
    /// Number of the warp, and lanes.
    pub warp: u32,
    pub lanes: u32,
}

/// All that happens at the barriers of a block.
pub struct Barriers {
    /// Who has come to each in its current phase.
    coming: [Vec<Coming>; BARRIERS],
    /// Of each warp the lanes that have come to a whole barrier.
    came: Vec<u32>,
    threads: u32,
    /// Where barriers that count arrivals are, in the block's shared memory.
    counting: HashSet<u64>,
    /// What was said already: the lines, and what it is.
    told: HashSet<(u32, &'static str)>,
}

impl Barriers {
    /// Of a block with so many threads.
    pub fn new(threads: u32) -> Barriers {
        Barriers {
            coming: Default::default(),
            came: vec![0; threads.div_ceil(LANES) as usize],
            threads,
            counting: HashSet::new(),
            told: HashSet::new(),
        }
    }

    /// Another block begins.
    pub fn begin(&mut self) {
        self.coming.iter_mut().for_each(Vec::clear);
        self.came.fill(0);
        self.counting.clear();
    }

    /// Lanes come to a barrier. At most one thing that is wrong with that.
    pub fn come(&mut self, now: Coming) -> Option<Wrong> {
        let Coming { barrier, count, warp, lanes, aligned, site } = now;
        let wrong = |what, more| Some(Wrong { what, more, site, warp, lanes });
        let Some(phase) = self.coming.get_mut(barrier as usize) else {
            return wrong("number of a barrier that is not there", format!("barrier {barrier}; a block has 0 to 15"));
        };
        if count % LANES != 0 {
            return wrong(
                "number of threads that is no multiple of 32",
                format!("barrier {barrier} of {count} threads"),
            );
        }
        let other = phase.iter().find(|c| c.count != count).copied();
        let elsewhere: Vec<Coming> =
            phase.iter().filter(|c| c.site != site && (c.aligned || aligned)).copied().collect();
        phase.push(now);
        let all = self.threads.next_multiple_of(LANES);
        if count > all {
            let more = format!("barrier {barrier} of {count} threads; the block has {}", self.threads);
            return wrong("barrier of more threads than the block has", more);
        }
        if count == 0
            && let Some(came) = self.came.get_mut(warp as usize)
        {
            *came |= lanes;
        }
        let here = elsewhere.iter().find(|c| c.warp == warp);
        let elsewhere = here.or_else(|| elsewhere.iter().rfind(|c| c.count == 0 && c.aligned && aligned));
        if let Some(other) = other {
            let said = |count| if count == 0 { "all threads".to_owned() } else { format!("{count} threads") };
            let more = format!(
                "barrier {barrier} of {} here, of {} at PTX line {}",
                said(count),
                said(other.count),
                other.site.line
            );
            return wrong("threads that do not agree on how many a barrier takes", more);
        }
        match (here, elsewhere) {
            (Some(other), _) => {
                let more = format!("others of the warp are at the one at PTX line {}", other.site.line);
                wrong("divergent threads of a warp at a barrier of the block", more)
            }
            (None, Some(other)) if count == 0 => {
                let more = format!("others are at the one at PTX line {}", other.site.line);
                wrong("divergent threads of the block at a barrier", more)
            }
            _ => None,
        }
    }

    /// A barrier opens; `whole`: for the whole block. `alive` are the lanes of a warp that have not ended.
    pub fn open(&mut self, barrier: usize, whole: bool, alive: impl Fn(usize) -> u32) -> Option<Wrong> {
        let phase = core::mem::take(self.coming.get_mut(barrier)?);
        let first = *phase.first()?;
        if !whole {
            return None;
        }
        let ended: Vec<(usize, u32)> =
            self.came.iter().enumerate().map(|(warp, came)| (warp, came & !alive(warp))).filter(|e| e.1 != 0).collect();
        let &(warp, lanes) = ended.first()?;
        let all: u32 = ended.iter().map(|(_, lanes)| lanes.count_ones()).sum();
        // Said once, however often the others come.
        self.came.iter_mut().enumerate().for_each(|(warp, came)| *came &= alive(warp));
        let thread = warp as u32 * LANES + lanes.trailing_zeros();
        let (verb, s) = if all == 1 { ("has", "") } else { ("have", "s") };
        Some(Wrong {
            what: "divergent threads of the block at a barrier",
            more: format!(
                "{all} thread{s} that came to barriers before {verb} ended, thread number {thread} the first"
            ),
            site: first.site,
            warp: first.warp,
            lanes: first.lanes,
        })
    }

    /// Who waits at barriers that nobody can open any more.
    pub fn stuck(&self) -> Option<Wrong> {
        let waiting = self.coming.iter().enumerate().find(|(_, phase)| !phase.is_empty());
        let (number, first) = waiting.and_then(|(number, phase)| Some((number, *phase.first()?)))?;
        let here: u32 = self.coming[number].iter().map(|c| c.lanes.count_ones()).sum();
        let more = match first.count {
            0 => format!("{here} threads are at barrier {number}, all that have not ended would have to come"),
            count => format!("{here} threads are at barrier {number}, which takes {count}"),
        };
        let what = "barrier that never opens";
        Some(Wrong { what, more, site: first.site, warp: first.warp, lanes: first.lanes })
    }

    /// A barrier that counts arrivals begins or ends to be at an offset of shared memory.
    pub fn set_counting(&mut self, offset: u64, is: bool) {
        if is {
            self.counting.insert(offset);
        } else {
            self.counting.remove(&offset);
        }
    }

    /// Whether there is one.
    pub fn is_counting(&self, offset: u64) -> bool {
        self.counting.contains(&offset)
    }

    /// Whether something was not said yet of a line.
    pub fn is_new(&mut self, line: u32, what: &'static str) -> bool {
        self.told.insert((line, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coming(warp: u32, lanes: u32, line: u32) -> Coming {
        let site = Site { line, position: line, code: core::ptr::null() };
        Coming { barrier: 0, count: 0, warp, lanes, aligned: true, site }
    }

    #[test]
    fn all_come_to_the_same_barrier_or_have_ended_before_the_first() {
        let mut all = Barriers::new(64);
        assert_eq!(all.come(coming(0, u32::MAX, 5)), None);
        assert_eq!(all.come(coming(1, 0xffff, 5)), None);
        let alive = |warp| if warp == 0 { u32::MAX } else { 0xffff };
        assert_eq!(all.open(0, true, alive), None, "the others never came");
        assert_eq!(all.come(coming(0, u32::MAX, 6)), None);
        let told = all.open(0, true, |warp| if warp == 0 { u32::MAX } else { 0 }).unwrap();
        assert_eq!(told.more, "16 threads that came to barriers before have ended, thread number 32 the first");
        assert_eq!(all.open(0, true, |_| 0), None, "nobody was there");
        all.begin();
        all.come(coming(0, u32::MAX, 5));
        assert_eq!(all.come(coming(1, u32::MAX, 9)).unwrap().what, "divergent threads of the block at a barrier");
        all.begin();
        all.come(coming(0, 0xff, 5));
        let told = all.come(coming(0, 0xff00, 9)).unwrap();
        assert_eq!(told.what, "divergent threads of a warp at a barrier of the block");
        assert!(all.stuck().unwrap().more.starts_with("16 threads are at barrier 0"));
    }

    #[test]
    fn arguments_of_barriers() {
        let mut all = Barriers::new(100);
        let mut come = |barrier, count| {
            let told = all.come(Coming { barrier, count, ..coming(0, u32::MAX, 5) });
            told.map(|told| told.more)
        };
        assert_eq!(come(16, 0).unwrap(), "barrier 16; a block has 0 to 15");
        assert_eq!(come(1, 48).unwrap(), "barrier 1 of 48 threads");
        assert_eq!(come(2, 160).unwrap(), "barrier 2 of 160 threads; the block has 100");
        assert_eq!(come(1, 128), None);
        assert_eq!(come(1, 64).unwrap(), "barrier 1 of 64 threads here, of 128 threads at PTX line 5");
    }
}
