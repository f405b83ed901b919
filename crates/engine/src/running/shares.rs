//! Clusters of a grid, handed out to cores: each core begins with a share of its own, of clusters side by side, and helps others
//! with theirs when that is done. What a core has used of the memory is near to it when the next launch of that shape comes, and what
//! neighbours write side by side is written by one core.

use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

/// What is left of a core's share: where it begins, and above that where it ends, in 32 bits each. In a line of the cache of its own.
#[repr(align(64))]
struct Share(AtomicU64);

/// The clusters that have not begun.
pub struct Shares(Box<[Share]>);

const fn pack(begin: u64, end: u64) -> u64 {
    end << 32 | begin
}

impl Shares {
    /// A share for each of so many cores. None if numbers are too large.
    pub fn new(clusters: u64, cores: u32) -> Option<Shares> {
        let clusters = u32::try_from(clusters).ok()?;
        let begin = |core: u32| u64::from(clusters) * u64::from(core) / u64::from(cores);
        Some(Shares((0..cores).map(|core| Share(AtomicU64::new(pack(begin(core), begin(core + 1))))).collect()))
    }

    /// At most `most` clusters for a core: the next of its own share, or the last of the next share that has some.
    pub fn take(&self, core: u32, most: u64) -> Option<Range<u64>> {
        let (others, own) = self.0.split_at(core as usize);
        let take = |share: &Share, first: bool| {
            let mut taken = 0..0;
            let change = |all: u64| {
                let (begin, end) = (all & 0xffff_ffff, all >> 32);
                let count = most.min(end - begin);
                taken = if first { begin..begin + count } else { end - count..end };
                (count > 0).then(|| if first { pack(begin + count, end) } else { pack(begin, end - count) })
            };
            share.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change).ok().map(|_| taken)
        };
        let (mine, behind) = own.split_first()?;
        take(mine, true).or_else(|| behind.iter().chain(others).find_map(|share| take(share, false)))
    }

    /// Hands out no more.
    pub fn end(&self) {
        self.0.iter().for_each(|share| share.0.store(0, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cluster_goes_to_one_core() {
        for (clusters, cores, most) in [(0, 2, 1), (1, 2, 1), (7, 3, 2), (1000, 4, 7), (5, 16, 64)] {
            let shares = Shares::new(clusters, cores).unwrap();
            let mut all: Vec<u64> = std::thread::scope(|scope| {
                let work = |core| {
                    let shares = &shares;
                    scope.spawn(move || core::iter::from_fn(|| shares.take(core, most)).flatten().collect::<Vec<_>>())
                };
                let threads: Vec<_> = (0..cores).map(work).collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            all.sort_unstable();
            assert_eq!(all, (0..clusters).collect::<Vec<_>>());
        }
        assert!(Shares::new(1 << 32, 2).is_none());
    }

    #[test]
    fn a_core_takes_its_own_first_and_others_from_behind() {
        let shares = Shares::new(10, 2).unwrap();
        assert_eq!([0, 1].map(|core| shares.take(core, 3)), [Some(0..3), Some(5..8)]);
        assert_eq!([1, 1, 1].map(|core| shares.take(core, 3)), [Some(8..10), Some(3..5), None]);
        let shares = Shares::new(10, 2).unwrap();
        shares.end();
        assert_eq!(shares.take(0, 1), None);
    }
}
