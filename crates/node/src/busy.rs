//! How busy a process keeps a device: for how long of the last second something ran there.
//!
//! Time is counted in pieces of an eighth of a second, of which the last ones are kept. The clock is the system's coarse one,
//! which costs little and goes on a few milliseconds at a time: what is shorter counts for nothing mostly and for a whole step
//! now and then, so that the sum is right.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Nanoseconds of a piece.
const PIECE: u64 = 125_000_000;
/// Pieces that are looked at, beside the one that has begun: a second.
const SECOND: u64 = 8;
/// Pieces that are kept. Who looks may be late by some.
const KEPT: usize = 12;

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    Kernels,
    Copies,
}

impl Load {
    pub const COUNT: usize = 2;
}

/// Time in nanoseconds, the same in all processes.
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system writes a time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The time that one process spent with one kind of work.
#[repr(C, align(64))]
pub struct Track {
    /// How much of it runs now, and since when any does.
    running: AtomicU32,
    since: AtomicU64,
    /// Of each piece of time its number (the lower half of it) and the microseconds in which something ran.
    pieces: [AtomicU64; KEPT],
}

impl Track {
    /// Something begins to run.
    #[inline]
    pub fn begin(&self) {
        if self.running.fetch_add(1, Ordering::AcqRel) == 0 {
            self.since.store(now(), Ordering::Release);
        }
    }

    /// Something that began has ended.
    #[inline]
    pub fn end(&self) {
        // Read before others can begin and write another time.
        let since = self.since.load(Ordering::Acquire);
        if self.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            let now = now();
            if since < now {
                self.add(since, now);
            }
        }
    }

    #[cold]
    fn add(&self, from: u64, to: u64) {
        let last = to / PIECE;
        for number in (from / PIECE).max(last.saturating_sub(KEPT as u64 - 1))..=last {
            let more = part(number, from, to);
            let of_number = |word: u64| if word >> 32 == number & 0xffff_ffff { word } else { number << 32 };
            let word = &self.pieces[number as usize % KEPT];
            let _ = word.fetch_update(Ordering::AcqRel, Ordering::Acquire, |word| Some(of_number(word) + more));
        }
    }

    /// Microseconds of a piece in which something ran, up to now.
    fn busy(&self, number: u64, now: u64) -> u64 {
        let word = self.pieces[number as usize % KEPT].load(Ordering::Acquire);
        let counted = if word >> 32 == number & 0xffff_ffff { word & 0xffff_ffff } else { 0 };
        let open = self.running.load(Ordering::Acquire) > 0;
        counted + if open { part(number, self.since.load(Ordering::Acquire), now) } else { 0 }
    }

    /// As it was before anything ran.
    pub fn clear(&self) {
        let words = self.pieces.iter().chain([&self.since]);
        words.filter(|word| word.load(Ordering::Relaxed) != 0).for_each(|word| word.store(0, Ordering::Relaxed));
        if self.running.load(Ordering::Relaxed) != 0 {
            self.running.store(0, Ordering::Relaxed);
        }
    }
}

/// Microseconds of a piece that lie between two times.
fn part(number: u64, from: u64, to: u64) -> u64 {
    let (first, last) = (from.max(number * PIECE), to.min((number + 1) * PIECE));
    last.saturating_sub(first) / 1000
}

/// Of the last second the share, in percent, in which anything of these tracks ran. Where several ran in a piece of time, they
/// are taken to have run one after the other.
pub fn percent(tracks: &[&Track], now: u64) -> u32 {
    let last = now / PIECE;
    let first = last.saturating_sub(SECOND);
    let busy = |number: u64| {
        let all = tracks.iter().map(|track| track.busy(number, now)).sum::<u64>();
        all.min(part(number, 0, now))
    };
    let busy: u64 = (first..=last).map(busy).sum();
    let whole: u64 = (first..=last).map(|number| part(number, 0, now)).sum();
    (busy * 100 + whole / 2).checked_div(whole).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: u64 = 1000 * PIECE;
    /// A time at which nine pieces are looked at, the last of them whole.
    const NOW: u64 = T + 9 * PIECE - 1;

    fn track() -> Track {
        // SAFETY: all zeros are a track.
        unsafe { core::mem::zeroed() }
    }

    #[test]
    fn the_share_of_the_last_second() {
        let one = track();
        assert_eq!(percent(&[&one], NOW), 0);
        one.add(T - 5 * PIECE, T + PIECE);
        assert_eq!(percent(&[&one], NOW), 11, "one of nine; what was before does not count");
        one.add(T + 2 * PIECE, T + 2 * PIECE + PIECE / 2);
        one.add(T + 2 * PIECE + PIECE / 2, T + 4 * PIECE);
        assert_eq!(percent(&[&one], NOW), 33);
        let other = track();
        other.add(T, T + 3 * PIECE);
        assert_eq!(percent(&[&one, &other], NOW), 44, "together no more than all of a piece");
        assert_eq!(percent(&[&one], NOW + 20 * PIECE), 0, "a second is over");
        one.add(0, NOW);
        assert_eq!(percent(&[&one], NOW), 100);
        one.clear();
        assert_eq!(percent(&[&one], NOW), 0);
    }

    #[test]
    fn what_still_runs_counts() {
        let one = track();
        one.begin();
        one.begin();
        one.since.store(T, Ordering::Relaxed);
        one.end();
        assert_eq!((percent(&[&one], NOW), one.running.load(Ordering::Relaxed)), (100, 1));
        one.end();
        assert_eq!(one.running.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_clock_goes_on() {
        let begin = now();
        while now() == begin {
            std::thread::yield_now();
        }
        assert!(now() > begin);
    }
}
