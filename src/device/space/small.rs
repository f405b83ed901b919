//! Chunks that small allocations share, and which of them has room.

use super::view::Table;
use super::{GRANULES, Slab, Zone};
use std::collections::{BTreeMap, BTreeSet};

/// A chunk that is divided into granules.
pub(super) struct Small {
    pub chunk: usize,
    pub zone: Zone,
    used: [u64; GRANULES / 64],
    /// Which words of `used` are not zero.
    busy: u64,
    used_granules: usize,
    /// No free run is longer than this many granules.
    longest: usize,
    /// Under which length the chunk stands in the index: `longest`, or more.
    key: usize,
    /// What is allocated where, which is read without a lock, too.
    pub table: &'static Table,
}

impl Small {
    /// The entry of the allocation at a granule.
    pub fn owner(&self, granule: usize) -> Option<u32> {
        self.table.record(granule).map(|r| r.slot)
    }

    /// True when nothing is allocated here.
    pub fn is_empty(&self) -> bool {
        self.used_granules == 0
    }

    fn mark(&mut self, at: usize, granules: usize, used: bool) {
        set_run(&mut self.used, at, granules, used);
        for w in at / 64..=(at + granules - 1) / 64 {
            self.busy = self.busy & !(1 << w) | u64::from(self.used[w] != 0) << w;
        }
    }

    fn release(&mut self, at: usize, granules: usize) {
        self.mark(at, granules, false);
        self.used_granules -= granules;
        self.table.clear(at, granules);
        self.longest = match self.used_granules {
            0 => GRANULES,
            _ => self.longest.max(run_around(&self.used, self.busy, at, granules)),
        };
    }
}

/// The chunks of a zone.
#[derive(Default)]
struct Open {
    /// Those that may have room, by [`Small::key`]: an allocation goes where it leaves the least over. The key of a chunk
    /// goes up at once and down only when a search was disappointed, so that few operations touch the index.
    by_longest: BTreeSet<(usize, u32)>,
    /// How many have no allocation.
    empty: usize,
}

/// All divided chunks.
pub(super) struct Smalls {
    slab: Slab<Small>,
    open: BTreeMap<Zone, Open>,
    /// Tables of chunks that are not divided any more.
    spare: Vec<&'static Table>,
}

impl Smalls {
    pub const fn new() -> Smalls {
        Smalls { slab: Slab::new(), open: BTreeMap::new(), spare: Vec::new() }
    }

    pub fn get(&self, i: u32) -> Option<&Small> {
        self.slab.get(i)
    }

    pub fn get_mut(&mut self, i: u32) -> Option<&mut Small> {
        self.slab.get_mut(i)
    }

    /// Divides a chunk for a zone; returns its number.
    pub fn add(&mut self, chunk: usize, zone: Zone) -> u32 {
        let i = self.slab.insert(Small {
            chunk,
            zone,
            used: [0; GRANULES / 64],
            busy: 0,
            used_granules: 0,
            longest: GRANULES,
            key: GRANULES,
            table: self.spare.pop().unwrap_or_else(Table::make),
        });
        let open = self.open.entry(zone).or_default();
        open.by_longest.insert((GRANULES, i));
        open.empty += 1;
        i
    }

    /// Finds a run of granules in a chunk of the zone: the chunk's number and the first granule.
    pub fn find(&mut self, zone: Zone, granules: usize) -> Option<(u32, usize)> {
        let open = self.open.get_mut(&zone)?;
        while let Some(&(key, i)) = open.by_longest.range((granules, 0)..).next() {
            let small = self.slab.get_mut(i)?;
            if small.longest >= granules {
                if let Some(at) = find_run(&small.used, granules) {
                    return Some((i, at));
                }
                small.longest = granules - 1;
            }
            open.by_longest.remove(&(key, i));
            small.key = small.longest;
            open.by_longest.insert((small.key, i));
        }
        None
    }

    /// Takes a run that was found.
    pub fn take(&mut self, i: u32, at: usize, granules: usize) {
        let Some(small) = self.slab.get_mut(i) else { return };
        if small.is_empty()
            && let Some(open) = self.open.get_mut(&small.zone)
        {
            open.empty -= 1;
        }
        small.mark(at, granules, true);
        small.used_granules += granules;
        small.longest = small.longest.min(GRANULES - small.used_granules);
    }

    /// Gives a run back. True when its chunk is empty now.
    pub fn release(&mut self, i: u32, at: usize, granules: usize) -> bool {
        let Some(small) = self.slab.get_mut(i) else { return false };
        small.release(at, granules);
        let Some(open) = self.open.get_mut(&small.zone) else { return false };
        if small.longest > small.key {
            open.by_longest.remove(&(small.key, i));
            small.key = small.longest;
            open.by_longest.insert((small.key, i));
        }
        open.empty += usize::from(small.is_empty());
        small.is_empty()
    }

    /// Whether the zone has another chunk without allocations than this one, which is empty.
    pub fn has_other_empty(&self, i: u32) -> bool {
        self.get(i).and_then(|small| self.open.get(&small.zone)).is_some_and(|open| open.empty > 1)
    }

    /// Takes an empty chunk out; returns which it is.
    pub fn remove(&mut self, i: u32) -> Option<usize> {
        let small = self.slab.remove(i)?;
        self.spare.push(small.table);
        if let Some(open) = self.open.get_mut(&small.zone) {
            open.by_longest.remove(&(small.key, i));
            open.empty -= usize::from(small.is_empty());
        }
        Some(small.chunk)
    }
}

/// The first run of `count` zero bits.
fn find_run(bits: &[u64], count: usize) -> Option<usize> {
    let (mut start, mut len) = (0, 0);
    for (w, &word) in bits.iter().enumerate() {
        let mut at = 0;
        while at < 64 {
            let zeros = ((word >> at).trailing_zeros() as usize).min(64 - at);
            if len == 0 {
                start = w * 64 + at;
            }
            len += zeros;
            if len >= count {
                return Some(start);
            }
            at += zeros;
            if at < 64 {
                at += (word >> at).trailing_ones() as usize;
                len = 0;
            }
        }
    }
    None
}

/// Length of the run of zero bits that `at..at + count` is part of. `busy` has a bit for each word that is not zero: most
/// chunks are nearly empty or nearly full, and one look at it passes over all words that are.
fn run_around(bits: &[u64], busy: u64, at: usize, count: usize) -> usize {
    let (mut start, mut end) = (at, at + count);
    // The bits below `start` in its word, at the top.
    let below = start % 64;
    let free = if below == 0 { 0 } else { ((bits[start / 64] << (64 - below)).leading_zeros() as usize).min(below) };
    start -= free;
    if start.is_multiple_of(64) && start > 0 {
        let words = busy & (u64::MAX >> (64 - start / 64));
        start = match words.checked_ilog2() {
            Some(w) => (w as usize + 1) * 64 - bits[w as usize].leading_zeros() as usize,
            None => 0,
        };
    }
    let above = (64 - end % 64) % 64;
    let free = if above == 0 { 0 } else { ((bits[end / 64] >> (end % 64)).trailing_zeros() as usize).min(above) };
    end += free;
    if end.is_multiple_of(64) && end < bits.len() * 64 {
        let words = busy >> (end / 64);
        end = match words.trailing_zeros() {
            64 => bits.len() * 64,
            skip => {
                let w = end / 64 + skip as usize;
                w * 64 + bits[w].trailing_zeros() as usize
            }
        };
    }
    end - start
}

#[cfg(test)]
fn busy_words(bits: &[u64]) -> u64 {
    bits.iter().enumerate().fold(0, |busy, (w, &word)| busy | u64::from(word != 0) << w)
}

fn set_run(bits: &mut [u64], at: usize, count: usize, on: bool) {
    let (mut i, end) = (at, at + count);
    while i < end {
        let n = (64 - i % 64).min(end - i);
        let mask = (u64::MAX >> (64 - n)) << (i % 64);
        if on {
            bits[i / 64] |= mask;
        } else {
            bits[i / 64] &= !mask;
        }
        i += n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::device::space::GRANULE;

    const ZONE: Zone = Zone { device: 0, class: 0 };

    #[test]
    fn chunks_without_a_long_enough_run_are_not_searched_again() {
        let mut smalls = Smalls::new();
        let many: Vec<u32> = (0..200).map(|chunk| smalls.add(chunk, ZONE)).collect();
        assert!(smalls.has_other_empty(many[0]));
        for &i in &many {
            for at in (0..GRANULES).step_by(2) {
                smalls.take(i, at, 1);
            }
        }
        assert_eq!(smalls.find(ZONE, 2), None);
        assert!(many.iter().all(|&i| smalls.get(i).unwrap().key == 1));
        assert_eq!(smalls.find(ZONE, 1).map(|(_, at)| at), Some(1));
        smalls.release(many[7], 100, 1);
        assert_eq!(smalls.get(many[7]).unwrap().longest, 3);
        assert_eq!(smalls.find(ZONE, 3), Some((many[7], 99)));
    }

    #[test]
    fn every_byte_is_known() {
        let mut smalls = Smalls::new();
        let i = smalls.add(0, ZONE);
        for (at, size) in [(0, 1), (1, GRANULE), (2, 3 * GRANULE + 7)] {
            smalls.take(i, at, size.div_ceil(GRANULE));
            let table = smalls.get(i).unwrap().table;
            table.enter(at, size, at as u32);
            let holds = |offset: usize| table.holds(at * GRANULE + offset);
            assert!(holds(0) && holds(size - 1) && !holds(size));
        }
        assert!(!smalls.release(i, 2, 4) && !smalls.release(i, 0, 1) && smalls.release(i, 1, 1));
        let small = smalls.get(i).unwrap();
        assert!((0..8).all(|granule| !small.table.holds(granule * GRANULE) && small.owner(granule).is_none()));
        assert!(!smalls.has_other_empty(i));
    }

    #[test]
    fn runs_are_found_as_by_looking_at_every_bit() {
        let mut x = 88172645463325252u64;
        let mut next = move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        for round in 0..200 {
            // From nearly empty to nearly full, and long runs.
            let mut bits = [0u64; 5];
            for _ in 0..round % 40 {
                let at = next() as usize % 320;
                set_run(&mut bits, at, (1 + next() as usize % 70).min(320 - at), next() % 3 != 0);
            }
            let is_free = |i: usize| bits[i / 64] >> (i % 64) & 1 == 0;
            for count in [1, 2, 3, 17, 63, 64, 65, 100, 200, 320] {
                let want = (0..=320 - count).find(|&at| (at..at + count).all(is_free));
                assert_eq!(find_run(&bits, count), want, "{count} in {bits:x?}");
            }
            for at in (0..320).filter(|&at| is_free(at)) {
                let start = (0..=at).rev().take_while(|&i| is_free(i)).last().unwrap_or(at);
                let end = (at..320).take_while(|&i| is_free(i)).last().map_or(at, |i| i + 1);
                assert_eq!(run_around(&bits, busy_words(&bits), at, 1), end - start, "at {at} in {bits:x?}");
            }
        }
    }

    #[test]
    fn runs_join_over_words() {
        let mut bits = [0u64; 4];
        set_run(&mut bits, 0, 3, true);
        set_run(&mut bits, 250, 6, true);
        assert_eq!(run_around(&bits, busy_words(&bits), 100, 10), 247);
        set_run(&mut bits, 64, 1, true);
        assert_eq!(run_around(&bits, busy_words(&bits), 3, 1), 61);
        assert_eq!(run_around(&bits, busy_words(&bits), 65, 1), 185);
    }
}
