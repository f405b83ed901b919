//! What time it is, for lines of a trace: by the processor's counter where the system's clock goes by that too. To read it takes
//! half as long as to ask for the clock, by which it is set every few milliseconds.

use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};

/// Nanoseconds for which the counter is believed without a look at the clock.
const TRUSTED: u64 = 4_000_000;

/// Nanoseconds of the system's clock that only goes forward.
fn clock() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills in `time`.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// What the processor has counted.
#[inline(always)]
fn count() -> u64 {
    // SAFETY: every processor has it; `counts` has asked whether the process may read it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Whether the counter runs at one speed on all processors: the processor says so, and the system relies on it.
fn counts() -> bool {
    use core::arch::x86_64::__cpuid;
    const POWER: u32 = 0x8000_0007;
    const INVARIANT: u32 = 1 << 8;
    if __cpuid(0x8000_0000).eax < POWER || __cpuid(POWER).edx & INVARIANT == 0 {
        return false;
    }
    let mut allowed: libc::c_int = 0;
    // SAFETY: fills in `allowed`.
    let asked = unsafe { libc::prctl(libc::PR_GET_TSC, &raw mut allowed) } == 0;
    let source = std::fs::read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    asked && allowed == libc::PR_TSC_ENABLE && source.is_ok_and(|name| name.trim_ascii() == b"tsc")
}

/// A count and the time at which it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    count: u64,
    time: u64,
}

impl Pair {
    /// Of some tries the one that took least: the thread was not interrupted in that.
    fn read() -> Pair {
        let one = || {
            let before = count();
            let time = clock();
            let took = count().saturating_sub(before);
            (took, Pair { count: before + took / 2, time })
        };
        [one(), one(), one()].into_iter().min_by_key(|(took, _)| *took).map_or_else(|| one().1, |(_, pair)| pair)
    }
}

/// How counts become times until the clock is looked at again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    count: u64,
    time: u64,
    /// Nanoseconds of a count, in parts of which there are 2 to the power of 32 in one.
    rate: u64,
    /// The last count that it is for.
    last: u64,
}

impl Line {
    #[inline(always)]
    fn at(&self, count: u64) -> u64 {
        self.time + (count.saturating_sub(self.count).wrapping_mul(self.rate) >> 32)
    }

    /// The time at its end.
    fn end(&self) -> u64 {
        self.at(self.last)
    }

    /// The line behind another one with the speed that was found then (the first one behind nothing), and the speed that the counter
    /// had between two pairs. `None`: counter and clock went apart as if one of them had been set.
    fn next(old: Option<(Line, u64)>, before: Pair, now: Pair) -> Option<(Line, u64)> {
        let counted = now.count.checked_sub(before.count).filter(|counted| *counted > 0)?;
        let passed = u128::from(now.time.checked_sub(before.time)?) << 32;
        let rate = u64::try_from(passed / u128::from(counted)).ok().filter(|rate| *rate > 0)?;
        // The system's clock is never set right by more than half of this.
        const APART: u64 = 1000;
        if let Some((_, known)) = old
            && rate.abs_diff(known) > known / APART
        {
            return None;
        }
        // Times do not go back: a line that was ahead is waited for.
        let time = old.map_or(now.time, |(line, _)| line.end().max(now.time));
        let ahead = time - now.time;
        if ahead > TRUSTED / APART {
            return None;
        }
        let slower = rate - (u128::from(rate) * u128::from(ahead) / u128::from(TRUSTED)) as u64;
        let last = now.count + ((u128::from(TRUSTED) << 32) / u128::from(rate)) as u64;
        Some((Line { count: now.count, time, rate: slower, last }, rate))
    }
}

/// The counter of another processor may be behind by less than this, and that of a machine which was stopped and goes on by more.
const BEHIND: u64 = 1 << 16;

/// A line as it takes least to see whether it is for a count, and what time that is: its beginning is [`BEHIND`] before.
#[derive(Clone, Copy)]
struct Ready {
    /// The count where it begins, and how many counts it is for. 0: for none, and the counter may not be read.
    count: u64,
    counts: u64,
    /// The time at its beginning, and nanoseconds of a count.
    time: u64,
    rate: u64,
}

impl Ready {
    fn of(line: &Line) -> Ready {
        let (count, time) = (line.count.wrapping_sub(BEHIND), line.time.wrapping_sub((BEHIND * line.rate) >> 32));
        let counts = if line.last == 0 { 0 } else { line.last.wrapping_sub(count) };
        Ready { count, counts, time, rate: line.rate }
    }

    fn line(&self) -> Line {
        let (count, time) = (self.count.wrapping_add(BEHIND), self.time.wrapping_add((BEHIND * self.rate) >> 32));
        let last = if self.counts == 0 { 0 } else { self.count.wrapping_add(self.counts) };
        Line { count, time, rate: self.rate, last }
    }

    /// The time, if the line is for now.
    #[inline(always)]
    fn now(&self) -> Option<u64> {
        let passed = if self.counts == 0 { return None } else { count().wrapping_sub(self.count) };
        (passed < self.counts).then(|| self.time.wrapping_add((passed * self.rate) >> 32))
    }
}

/// A line that threads read while another one is written: one of two, by turns. Processors fetch two lines of the cache together.
#[repr(C, align(128))]
struct Shared {
    turn: AtomicUsize,
    lines: [[AtomicU64; 4]; 2],
}

#[unsafe(link_section = ".data.trace")]
static LINE: Shared = Shared { turn: AtomicUsize::new(0), lines: [const { [const { AtomicU64::new(0) }; 4] }; 2] };

impl Shared {
    #[inline(always)]
    fn get(&self) -> Ready {
        loop {
            let turn = self.turn.load(Ordering::Acquire);
            let [count, counts, time, rate] = &self.lines[turn % 2];
            let word = |word: &AtomicU64| word.load(Ordering::Relaxed);
            let line = Ready { count: word(count), counts: word(counts), time: word(time), rate: word(rate) };
            // This one is written again in the turn behind the next: if there was none since, nobody has begun that.
            fence(Ordering::Acquire);
            if self.turn.load(Ordering::Relaxed) == turn {
                return line;
            }
        }
    }

    /// By one thread at a time.
    fn set(&self, line: Line) {
        let Ready { count, counts, time, rate } = Ready::of(&line);
        let turn = self.turn.load(Ordering::Relaxed) + 1;
        // Who sees a word of this line sees the turn before it.
        fence(Ordering::Release);
        for (word, value) in self.lines[turn % 2].iter().zip([count, counts, time, rate]) {
            word.store(value, Ordering::Relaxed);
        }
        self.turn.store(turn, Ordering::Release);
    }
}

/// How often counter and clock went apart, and how often they may.
static FAILED: AtomicUsize = AtomicUsize::new(0);
const MOST_FAILED: usize = 16;
/// The counter may be read.
static COUNTS: AtomicBool = AtomicBool::new(false);
/// A thread looks at the clock.
static SETTING: AtomicBool = AtomicBool::new(false);
/// The pair by which the line was made, and the speed that it has shown.
static LAST: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Looks whether the counter can be used.
pub fn start() {
    if counts() {
        let pair = Pair::read();
        remember(pair, 0);
        COUNTS.store(true, Ordering::Release);
    }
}

/// In the child of a fork: the thread that was looking at the clock is not there.
pub fn after_fork() {
    SETTING.store(false, Ordering::Relaxed);
}

fn remember(pair: Pair, rate: u64) {
    for (word, value) in LAST.iter().zip([pair.count, pair.time, rate]) {
        word.store(value, Ordering::Relaxed);
    }
}

/// Nanoseconds of a clock that only goes forward: `CLOCK_MONOTONIC`, within a microsecond or a few.
#[inline]
pub fn now() -> u64 {
    LINE.get().now().unwrap_or_else(set)
}

/// Looks at the clock, and sets the counter by it.
#[cold]
#[inline(never)]
fn set() -> u64 {
    if !COUNTS.load(Ordering::Acquire) || SETTING.swap(true, Ordering::Acquire) {
        // Another thread does, and may have done so.
        let line = LINE.get();
        return line.now().unwrap_or_else(|| clock().max(line.line().end()));
    }
    if let Some(time) = LINE.get().now() {
        // Another thread has done so: two pairs that are near say nothing of the speed.
        SETTING.store(false, Ordering::Release);
        return time;
    }
    let [count, time, known] = LAST.each_ref().map(|word| word.load(Ordering::Relaxed));
    let (line, now) = (LINE.get().line(), Pair::read());
    let mut told = now.time.max(line.end());
    // The first time the speed is not known before some time has passed.
    if known != 0 || now.time.saturating_sub(time) >= TRUSTED {
        match Line::next((known != 0).then_some((line, known)), Pair { count, time }, now) {
            Some((next, rate)) => {
                told = next.time.max(line.end());
                LINE.set(Line { time: told, ..next });
                remember(now, rate);
            }
            None => {
                // Once more from the beginning, unless this happens again and again.
                COUNTS.store(FAILED.fetch_add(1, Ordering::Relaxed) < MOST_FAILED, Ordering::Release);
                LINE.set(Line { time: told, ..Line::default() });
                remember(now, 0);
            }
        }
    }
    SETTING.store(false, Ordering::Release);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    const GHZ2: u64 = 1 << 31;

    #[test]
    fn the_counter_goes_as_the_clock_goes() {
        start();
        let mut last = 0;
        let begin = clock();
        while clock() < begin + 20 * TRUSTED {
            let (before, time, after) = (clock(), now(), clock());
            const NEAR: u64 = 20_000;
            assert!(time + NEAR > before && time < after + NEAR, "{before} {time} {after}");
            assert!(time >= last, "{last} {time}");
            last = time;
        }
        // Where the processor has such a counter, it was read.
        assert_eq!(LINE.get().counts != 0, COUNTS.load(Ordering::Relaxed));
    }

    #[test]
    fn threads_agree_on_the_time() {
        start();
        let failed = FAILED.load(Ordering::Relaxed);
        let begin = clock();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut last = 0;
                    while clock() < begin + 40 * TRUSTED {
                        let time = now();
                        const NEAR: u64 = 20_000;
                        assert!(time + NEAR > last && time < clock() + NEAR, "{last} {time}");
                        last = time;
                    }
                });
            }
        });
        // A machine that is stopped meanwhile goes apart once or twice.
        assert!(FAILED.load(Ordering::Relaxed) - failed <= 4);
    }

    #[test]
    fn lines() {
        let pair = |count, time| Pair { count, time };
        let (first, rate) = Line::next(None, pair(1000, 500), pair(9_001_000, 4_500_500)).unwrap();
        assert_eq!((rate, first.rate, first.at(9_001_000), first.at(9_001_200)), (GHZ2, GHZ2, 4_500_500, 4_500_600));
        assert_eq!((first.last, first.end()), (17_001_000, 8_500_500));
        // Late, and the clock is behind what was told: times wait for it, and meet it at the end.
        let now = pair(17_003_000, 8_500_500);
        let (second, _) = Line::next(Some((first, rate)), pair(9_001_000, 4_500_500), now).unwrap();
        assert_eq!(second.at(now.count), 8_500_500);
        let now = pair(17_001_000, 8_500_100);
        let (second, _) = Line::next(Some((first, rate)), pair(9_001_000, 4_500_500), now).unwrap();
        assert_eq!(second.time, first.end());
        assert!(second.end().abs_diff(now.time + TRUSTED) < 10, "{second:?}");
        // The clock is in front: nothing is told that is not so.
        let now = pair(17_001_000, 8_500_900);
        let (second, _) = Line::next(Some((first, rate)), pair(9_001_000, 4_500_500), now).unwrap();
        assert_eq!(second.time, now.time);
    }

    #[test]
    fn a_counter_that_was_set_is_given_up() {
        let pair = |count, time| Pair { count, time };
        let before = pair(9_001_000, 4_500_500);
        let (line, rate) = Line::next(None, pair(1000, 500), before).unwrap();
        let next = |count, time| Line::next(Some((line, rate)), before, pair(count, time));
        assert!(next(17_001_000, 8_500_500).is_some());
        // Back to the beginning, no time at all, and an hour that the clock has not counted.
        assert_eq!(next(1000, 8_500_500), None);
        assert_eq!(next(17_001_000, 4_500_500), None);
        assert_eq!(next(17_001_000 + 7_200_000_000_000, 8_500_500), None);
    }
}
