//! Chunks that small allocations share, and where in them is room: each allocation goes where it leaves the least over in all
//! chunks of its zone, and of places that are alike to the one that has been free the longest. So the real driver does it, and
//! programs see which blocks lie side by side.

use super::entries::Slab;
use super::layout::{GRANULES, Zone};
use super::view::Table;
use crate::base::usage::Charge;
use std::collections::BTreeMap;

/// A chunk that is divided into granules.
pub(super) struct Small {
    pub chunk: usize,
    pub zone: Zone,
    /// What the first allocation since the chunk was last empty was labelled with.
    pub label: u32,
    used_granules: usize,
    /// What the chunk counts as while anything is allocated in it.
    pub charge: Option<Charge>,
    /// At the first and the last granule of a hole: its number and one.
    edges: Box<[u32; GRANULES]>,
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
}

/// A run of free granules, as long as can be.
struct Hole {
    /// The chunk's number.
    small: u32,
    at: u32,
    len: u32,
    /// Those of the same length that have been free for longer, and for less long: number and one.
    before: u32,
    after: u32,
}

/// The chunks of a zone: their holes, by length.
struct Open {
    /// The hole of each length that has been free the longest and the one for the shortest time: number and one.
    first: Vec<u32>,
    last: Vec<u32>,
    /// The lengths that there are, by bit, and which words of them are not zero.
    lengths: [u64; GRANULES / 64 + 1],
    words: u128,
    /// The chunk without allocations that is kept.
    empty: Option<u32>,
    /// How many chunks there are.
    chunks: usize,
}

impl Default for Open {
    fn default() -> Open {
        let (first, last) = (vec![0; GRANULES + 1], vec![0; GRANULES + 1]);
        Open { first, last, lengths: [0; GRANULES / 64 + 1], words: 0, empty: None, chunks: 0 }
    }
}

impl Open {
    /// The hole to take `len` granules from.
    fn best(&self, len: usize) -> Option<u32> {
        let word = len / 64;
        let here = self.lengths[word] >> (len % 64) << (len % 64);
        let (word, bits) = match here {
            0 => {
                let above = self.words >> (word + 1) << (word + 1);
                let word = above.trailing_zeros() as usize;
                (word, *self.lengths.get(word)?)
            }
            bits => (word, bits),
        };
        Some(self.first[word * 64 + bits.trailing_zeros() as usize] - 1)
    }

    fn link(&mut self, holes: &mut Slab<Hole>, i: u32) {
        let Some(len) = holes.get(i).map(|hole| hole.len as usize) else { return };
        let before = core::mem::replace(&mut self.last[len], i + 1);
        match before.checked_sub(1).and_then(|b| holes.get_mut(b)) {
            Some(hole) => hole.after = i + 1,
            None => {
                self.first[len] = i + 1;
                self.lengths[len / 64] |= 1 << (len % 64);
                self.words |= 1 << (len / 64);
            }
        }
        if let Some(hole) = holes.get_mut(i) {
            (hole.before, hole.after) = (before, 0);
        }
    }

    fn unlink(&mut self, holes: &mut Slab<Hole>, i: u32) {
        let Some(&Hole { len, before, after, .. }) = holes.get(i) else { return };
        let len = len as usize;
        match before.checked_sub(1).and_then(|b| holes.get_mut(b)) {
            Some(hole) => hole.after = after,
            None => self.first[len] = after,
        }
        match after.checked_sub(1).and_then(|a| holes.get_mut(a)) {
            Some(hole) => hole.before = before,
            None => self.last[len] = before,
        }
        if self.first[len] == 0 {
            self.lengths[len / 64] &= !(1 << (len % 64));
            if self.lengths[len / 64] == 0 {
                self.words &= !(1 << (len / 64));
            }
        }
    }
}

/// All divided chunks.
pub(super) struct Smalls {
    slab: Slab<Small>,
    holes: Slab<Hole>,
    open: BTreeMap<Zone, Open>,
    /// Tables and edges, all zero, of chunks that are not divided any more.
    spare: Vec<(&'static Table, Box<[u32; GRANULES]>)>,
}

fn no_edges() -> Box<[u32; GRANULES]> {
    // Untouched zero pages.
    vec![0; GRANULES].into_boxed_slice().try_into().expect("as many")
}

impl Smalls {
    pub const fn new() -> Smalls {
        Smalls { slab: Slab::new(), holes: Slab::new(), open: BTreeMap::new(), spare: Vec::new() }
    }

    pub fn get(&self, i: u32) -> Option<&Small> {
        self.slab.get(i)
    }

    pub fn get_mut(&mut self, i: u32) -> Option<&mut Small> {
        self.slab.get_mut(i)
    }

    /// Enters a hole.
    fn dig(&mut self, i: u32, at: usize, len: usize) {
        let Some(small) = self.slab.get_mut(i) else { return };
        let hole = self.holes.insert(Hole { small: i, at: at as u32, len: len as u32, before: 0, after: 0 });
        small.edges[at] = hole + 1;
        small.edges[at + len - 1] = hole + 1;
        self.open.entry(small.zone).or_default().link(&mut self.holes, hole);
    }

    /// Takes a hole out: its first granule and its length.
    fn fill(&mut self, hole: u32) -> (usize, usize) {
        let Some(&Hole { small, at, len, .. }) = self.holes.get(hole) else { return (0, 0) };
        let (at, len) = (at as usize, len as usize);
        if let Some(small) = self.slab.get_mut(small) {
            small.edges[at] = 0;
            small.edges[at + len - 1] = 0;
            if let Some(open) = self.open.get_mut(&small.zone) {
                open.unlink(&mut self.holes, hole);
            }
        }
        self.holes.remove(hole);
        (at, len)
    }

    /// Divides a chunk for a zone; returns its number.
    pub fn add(&mut self, chunk: usize, zone: Zone) -> u32 {
        let (table, edges) = self.spare.pop().unwrap_or_else(|| (Table::make(), no_edges()));
        let i = self.slab.insert(Small { chunk, zone, label: 0, used_granules: 0, charge: None, edges, table });
        self.dig(i, 0, GRANULES);
        self.open.entry(zone).or_default().chunks += 1;
        i
    }

    /// Finds a run of granules in a chunk of the zone: the chunk's number and the first granule.
    pub fn find(&self, zone: Zone, granules: usize) -> Option<(u32, usize)> {
        let hole = self.holes.get(self.open.get(&zone)?.best(granules)?)?;
        Some((hole.small, hole.at as usize))
    }

    /// Takes a run that was found, for an allocation with a label.
    pub fn take(&mut self, i: u32, at: usize, granules: usize, label: u32) {
        let Some(small) = self.slab.get_mut(i) else { return };
        if small.is_empty() {
            small.label = label;
            if let Some(open) = self.open.get_mut(&small.zone) {
                open.empty = open.empty.filter(|&empty| empty != i);
            }
        }
        small.used_granules += granules;
        let Some(hole) = small.edges[at].checked_sub(1) else { return };
        let (start, len) = self.fill(hole);
        if len > granules {
            self.dig(i, start + granules, len - granules);
        }
    }

    /// Gives a run back. When its chunk is empty now: whether the zone keeps another empty one, so that this can go.
    pub fn release(&mut self, i: u32, at: usize, granules: usize) -> Option<bool> {
        let small = self.slab.get_mut(i)?;
        small.used_granules -= granules;
        small.table.clear(at, granules);
        let (is_empty, zone) = (small.is_empty(), small.zone);
        if is_empty {
            small.charge = None;
        }
        let below = at.checked_sub(1).map_or(0, |at| small.edges[at]);
        let above = small.edges.get(at + granules).copied().unwrap_or(0);
        let (mut start, mut len) = (at, granules);
        if let Some(hole) = below.checked_sub(1) {
            let (at, more) = self.fill(hole);
            start = at;
            len += more;
        }
        if let Some(hole) = above.checked_sub(1) {
            len += self.fill(hole).1;
        }
        self.dig(i, start, len);
        let open = self.open.get_mut(&zone)?;
        is_empty.then(|| *open.empty.get_or_insert(i) != i)
    }

    /// The empty chunk that some zone keeps.
    pub fn kept(&self) -> Option<u32> {
        self.open.values().find_map(|open| open.empty)
    }

    /// The first of the empty chunks that zones keep.
    pub fn lowest_kept(&self) -> Option<usize> {
        self.open.values().filter_map(|open| self.slab.get(open.empty?)).map(|small| small.chunk).min()
    }

    /// Takes an empty chunk out; returns which it is.
    pub fn remove(&mut self, i: u32) -> Option<usize> {
        let hole = self.slab.get(i)?.edges[0].checked_sub(1)?;
        self.fill(hole);
        let small = self.slab.remove(i)?;
        if let Some(open) = self.open.get_mut(&small.zone) {
            open.empty = open.empty.filter(|&empty| empty != i);
            open.chunks -= 1;
            if open.chunks == 0 {
                self.open.remove(&small.zone);
            }
        }
        self.spare.push((small.table, small.edges));
        Some(small.chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::space::GRANULE;

    const ZONE: Zone = Zone { device: 0, class: 0, heap: 0 };

    #[test]
    fn the_smallest_hole_that_fits_is_taken_and_the_oldest_of_equals() {
        let mut smalls = Smalls::new();
        let (a, b) = (smalls.add(0, ZONE), smalls.add(1, ZONE));
        let take = |smalls: &mut Smalls, granules| {
            let (i, at) = smalls.find(ZONE, granules)?;
            smalls.take(i, at, granules, 7);
            Some((i, at))
        };
        assert_eq!(take(&mut smalls, GRANULES), Some((a, 0)));
        assert_eq!(take(&mut smalls, 100), Some((b, 0)));
        assert_eq!(take(&mut smalls, 100), Some((b, 100)));
        assert_eq!(take(&mut smalls, 100), Some((b, 200)));
        assert_eq!(take(&mut smalls, GRANULES), None);
        assert_eq!(smalls.release(b, 100, 100), None);
        assert_eq!(take(&mut smalls, 101), Some((b, 300)), "where it fits");
        assert_eq!(take(&mut smalls, 3), Some((b, 100)), "the smallest");
        assert_eq!(smalls.release(b, 0, 100), None);
        assert_eq!(take(&mut smalls, 3), Some((b, 103)));
        assert_eq!(smalls.release(b, 200, 100), None, "joins what is left below");
        assert_eq!(take(&mut smalls, 194), Some((b, 106)));
        assert_eq!(smalls.release(b, 103, 3), None);
        assert_eq!(smalls.release(b, 300, 101), None);
        assert_eq!(take(&mut smalls, 3), Some((b, 103)));
        // Two holes of one granule: the older one is the higher.
        assert_eq!(take(&mut smalls, 99), Some((b, 0)));
        assert_eq!(smalls.release(b, 103, 3), None);
        assert_eq!(take(&mut smalls, 2), Some((b, 103)));
        assert_eq!(take(&mut smalls, 1), Some((b, 99)));
        assert_eq!(take(&mut smalls, 1), Some((b, 105)));
        assert_eq!(smalls.release(a, 0, GRANULES), Some(false), "the first empty one is kept");
        assert_eq!((smalls.kept(), smalls.remove(a), smalls.kept()), (Some(a), Some(0), None));
    }

    #[test]
    fn every_byte_is_known() {
        let mut smalls = Smalls::new();
        let i = smalls.add(0, ZONE);
        for (at, size) in [(0, 1), (1, GRANULE), (2, 3 * GRANULE + 7)] {
            smalls.take(i, at, size.div_ceil(GRANULE), at as u32 + 5);
            let table = smalls.get(i).unwrap().table;
            table.enter(at, size, at as u32);
            let holds = |offset: usize| table.holds(at * GRANULE + offset);
            assert!(holds(0) && holds(size - 1) && !holds(size));
        }
        assert_eq!(smalls.get(i).unwrap().label, 5, "of the first");
        assert_eq!([(2, 4), (0, 1), (1, 1)].map(|(at, n)| smalls.release(i, at, n)), [None, None, Some(false)]);
        let small = smalls.get(i).unwrap();
        assert!((0..8).all(|granule| !small.table.holds(granule * GRANULE) && small.owner(granule).is_none()));
        assert!(small.is_empty());
    }

    #[test]
    fn places_are_those_of_a_list_that_is_searched() {
        let mut x = 88172645463325252u64;
        let mut next = move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x as usize
        };
        let mut smalls = Smalls::new();
        // Chunk, first granule, length, oldest first; and what is taken.
        let (mut holes, mut taken) = (Vec::<(u32, usize, usize)>::new(), Vec::<(u32, usize, usize)>::new());
        for _ in 0..20_000 {
            if next() % 9 < 4 && !taken.is_empty() {
                let (i, at, len) = taken.swap_remove(next() % taken.len());
                let touches = |h: &(u32, usize, usize)| h.0 == i && (h.1 + h.2 == at || at + len == h.1);
                let joined = holes
                    .iter()
                    .filter(|h| touches(h))
                    .fold((at, at + len), |(s, e), h| (s.min(h.1), e.max(h.1 + h.2)));
                holes.retain(|h| !touches(h));
                holes.push((i, joined.0, joined.1 - joined.0));
                assert_eq!(smalls.release(i, at, len).is_some(), joined == (0, GRANULES));
                continue;
            }
            let len = 1 + next() % [3, 40, 700, GRANULES][next() % 4];
            let best = holes.iter().filter(|h| h.2 >= len).map(|h| h.2).min();
            let want = holes.iter().position(|h| Some(h.2) == best);
            assert_eq!(smalls.find(ZONE, len), want.map(|w| (holes[w].0, holes[w].1)));
            let (i, at, whole) = want.map_or_else(|| (smalls.add(0, ZONE), 0, GRANULES), |w| holes.remove(w));
            smalls.take(i, at, len, 0);
            taken.push((i, at, len));
            if whole > len {
                holes.push((i, at + len, whole - len));
            }
        }
    }
}
