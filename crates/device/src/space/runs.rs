//! Runs of free chunks.

use std::collections::{BTreeMap, BTreeSet};

/// The free chunks, as runs that do not touch each other.
///
/// Runs are known by their ends, because chunks are mostly taken from where a run begins and given back there: that changes a
/// value, where a tree by first chunks would lose a node and get another one.
pub(super) struct FreeRuns {
    /// First chunk of a run, by the chunk behind it.
    by_end: BTreeMap<usize, usize>,
    /// Length and first chunk.
    by_size: BTreeSet<(usize, usize)>,
}

impl FreeRuns {
    /// These runs, first chunk and length, which do not touch each other.
    pub(super) fn new<const N: usize>(runs: [(usize, usize); N]) -> FreeRuns {
        FreeRuns {
            by_end: runs.iter().map(|&(start, len)| (start + len, start)).collect(),
            by_size: runs.iter().map(|&(start, len)| (len, start)).collect(),
        }
    }

    /// First chunk and length of what is free from a chunk on, run by run.
    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = (usize, usize)> {
        self.by_end.range(first + 1..).map(move |(&end, &start)| (start.max(first), end - start.max(first)))
    }

    /// First chunk and length of runs of `count` chunks and more, shorter ones first.
    pub(super) fn by_size(&self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        self.by_size.range((count, 0)..).map(|&(len, start)| (start, len))
    }

    /// Takes `count` chunks from `at` on, if all of them are free.
    pub(super) fn take(&mut self, at: usize, count: usize) -> Option<()> {
        let (&end, run) = self.by_end.range_mut(at + 1..).next()?;
        let (start, behind) = (*run, at + count);
        if at < start || behind > end {
            return None;
        }
        self.by_size.remove(&(end - start, start));
        if behind < end {
            *run = behind;
            self.by_size.insert((end - behind, behind));
        } else {
            self.by_end.remove(&end);
        }
        if start < at {
            self.by_end.insert(at, start);
            self.by_size.insert((at - start, start));
        }
        Some(())
    }

    /// Puts `count` chunks from `at` on among the free ones; none of them is free yet.
    pub(super) fn give(&mut self, at: usize, count: usize) {
        let behind = at + count;
        let start = self.by_end.remove(&at).unwrap_or(at);
        if start < at {
            self.by_size.remove(&(at - start, start));
        }
        let end = match self.by_end.range_mut(behind + 1..).next() {
            Some((&end, after)) if *after == behind => {
                *after = start;
                self.by_size.remove(&(end - behind, behind));
                end
            }
            _ => {
                self.by_end.insert(behind, start);
                behind
            }
        };
        self.by_size.insert((end - start, start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs of a row of chunks.
    fn runs(free: &[bool]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let mut at = 0;
        for run in free.chunk_by(|a, b| a == b) {
            if run[0] {
                all.push((at, run.len()));
            }
            at += run.len();
        }
        all
    }

    #[test]
    fn they_are_those_of_a_row_of_chunks() {
        const CHUNKS: usize = 64;
        let mut free = [true; CHUNKS];
        free[1..4].fill(false);
        let mut known = FreeRuns::new([(0, 1), (4, CHUNKS - 4)]);
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        let (mut taken, mut refused, mut given) = (0, 0, 0);
        for _ in 0..20_000 {
            let at = random(CHUNKS);
            let count = 1 + random(CHUNKS - at).min(random(12));
            let chunks = &mut free[at..at + count];
            if random(2) == 0 {
                let all = chunks.iter().all(|&free| free);
                assert_eq!(known.take(at, count).is_some(), all);
                if all {
                    chunks.fill(false);
                    taken += 1;
                } else {
                    refused += 1;
                }
            } else if chunks.iter().all(|&free| !free) {
                known.give(at, count);
                chunks.fill(true);
                given += 1;
            }
            assert_eq!(known.from(0).collect::<Vec<_>>(), runs(&free));
            let mut sorted = runs(&free);
            sorted.sort_by_key(|&(start, len)| (len, start));
            sorted.retain(|&(_, len)| len >= 3);
            assert_eq!(known.by_size(3).collect::<Vec<_>>(), sorted);
            let from = random(CHUNKS);
            let behind: Vec<_> = runs(&free[from..]).iter().map(|&(start, len)| (start + from, len)).collect();
            assert_eq!(known.from(from).collect::<Vec<_>>(), behind);
        }
        assert!(taken > 1000 && refused > 1000 && given > 1000, "{taken} {refused} {given}");
    }
}
