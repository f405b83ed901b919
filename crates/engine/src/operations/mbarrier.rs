//! `mbarrier`: barriers in shared memory that count arrivals and bytes.
//!
//! The word, from bit 0: arrivals that a phase takes (20 bits), arrivals that the current phase still waits for (20 bits),
//! bytes that it still waits for (21 bits, signed), nothing, and the phase (bit 63). One thread runs all blocks that
//! reach the word, so nothing needs to be atomic.

use crate::numeric::value::LANES;
use crate::operations::memory::translate;
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::registers::{set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

const COUNT: u64 = (1 << 20) - 1;
const PENDING: u32 = 20;
const BYTES: u32 = 40;
const PHASE: u64 = 1 << 63;

/// The word, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    expected: u64,
    pending: u64,
    bytes: i64,
    phase: bool,
}

impl Word {
    /// A new one.
    pub fn new(count: u32) -> Word {
        let expected = u64::from(count) & COUNT;
        Word { expected, pending: expected, bytes: 0, phase: false }
    }

    /// Out of memory.
    pub fn unpack(word: u64) -> Word {
        let bytes = (word >> BYTES & 0x1f_ffff) as i64;
        Word {
            expected: word & COUNT,
            pending: word >> PENDING & COUNT,
            bytes: bytes << 43 >> 43,
            phase: word & PHASE != 0,
        }
    }

    /// Into memory.
    pub fn pack(self) -> u64 {
        let bytes = (self.bytes as u64 & 0x1f_ffff) << BYTES;
        self.expected | self.pending << PENDING | bytes | if self.phase { PHASE } else { 0 }
    }

    /// Arrivals that the current phase still waits for.
    pub fn pending(self) -> u64 {
        self.pending
    }

    /// More bytes to wait for.
    pub fn expect(&mut self, bytes: u32) {
        self.bytes += i64::from(bytes);
    }

    /// Bytes are there.
    pub fn complete(&mut self, bytes: u32) {
        self.bytes -= i64::from(bytes);
        self.turn();
    }

    /// Arrivals. `drop`: no longer expected in later phases.
    pub fn arrive(&mut self, count: u32, drop: bool) {
        self.pending = self.pending.wrapping_sub(u64::from(count)) & COUNT;
        if drop {
            self.expected = self.expected.wrapping_sub(u64::from(count)) & COUNT;
        }
        self.turn();
    }

    /// The next phase begins when nothing is left to wait for.
    fn turn(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase = !self.phase;
            self.pending = self.expected;
        }
    }
}

/// Changes the word at an address.
pub unsafe fn update(at: u64, change: impl FnOnce(&mut Word)) -> u64 {
    // SAFETY: the step runs inside `guard::run`.
    unsafe {
        let old = (at as *const u64).read_volatile();
        let mut word = Word::unpack(old);
        change(&mut word);
        (at as *mut u64).write_volatile(word.pack());
        old
    }
}

payload! {
    /// What an instruction does to the word.
    pub enum Action {
        Initialise,
        Invalidate,
        Expect,
        Complete,
        Arrive,
        Drop,
        ExpectArrive,
        ExpectDrop,
    }
}

payload! {
    /// Where the word of a barrier is. What a step of barriers has to know begins with it.
    pub struct WordPlace {
        /// The address is one of shared memory.
        pub shared: bool,
    }
}

payload! {
    /// A change of a word.
    pub struct Change {
        pub place: WordPlace,
        pub action: Action,
    }
}

payload! {
    /// A test of a word.
    pub struct Test {
        pub place: WordPlace,
        /// The second operand is a parity, not a state.
        pub parity: bool,
    }
}

/// What changes a word, as the [`Change`] of the step says: the address in the first operand, a count in the second. The result is
/// the word before.
pub unsafe fn change(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let counts = vector::<u32>(warp, step.from[1]);
        let Change { place, action } = step.payload();
        let mut old = [0u64; LANES];
        for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
            let (address, count) = (addresses[lane], counts[lane]);
            if address % 8 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let at = match translate(warp, lane, address, 8, place.shared) {
                Ok(at) => at,
                Err(fault) => return Flow::Fault(fault),
            };
            old[lane] = update(at, |word| match action {
                Action::Initialise => *word = Word::new(count),
                Action::Invalidate => *word = Word::unpack(0),
                Action::Expect => word.expect(count),
                Action::Complete => word.complete(count),
                Action::Arrive => word.arrive(count, false),
                Action::Drop => word.arrive(count, true),
                which => {
                    word.expect(count);
                    word.arrive(1, which == Action::ExpectDrop);
                }
            });
        }
        if step.to[0] != u32::MAX {
            set_vector(warp, step.to[0], &old);
        }
    }
    Flow::Next
}

/// `test_wait` and `try_wait`: the address in the first operand, the state or the parity in the second. Who has to
/// wait lets others go on.
pub unsafe fn test(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let states = vector::<u64>(warp, step.from[1]);
        let parities = vector::<u32>(warp, step.from[1]);
        let Test { place, parity } = step.payload();
        let mut bits = 0;
        for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
            if !addresses[lane].is_multiple_of(8) {
                return Flow::Fault(Fault::Misaligned);
            }
            let at = match translate(warp, lane, addresses[lane], 8, place.shared) {
                Ok(at) => at,
                Err(fault) => return Flow::Fault(fault),
            };
            let phase = Word::unpack((at as *const u64).read_volatile()).phase;
            let waited_for = if parity { parities[lane] & 1 != 0 } else { states[lane] & PHASE != 0 };
            bits |= u32::from(phase != waited_for) << lane;
        }
        set_predicate(warp, step.to[0], bits);
        if bits & warp.mask == warp.mask {
            return Flow::Next;
        }
    }
    warp.position += 1;
    warp.step_aside();
    Flow::Yield
}

/// `pending_count`.
pub unsafe fn pending(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let states = vector::<u64>(warp, step.from[0]);
        set_vector(warp, step.to[0], &states.map(|state| Word::unpack(state).pending as u32));
    }
    Flow::Next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_end_when_all_is_there() {
        let mut word = Word::new(2);
        assert_eq!(Word::unpack(word.pack()), word);
        word.arrive(1, false);
        assert!(!word.phase && word.pending == 1);
        word.expect(100);
        word.arrive(1, false);
        assert!(!word.phase, "bytes are missing");
        assert_eq!(Word::unpack(word.pack()), word);
        word.complete(100);
        assert!(word.phase && word.pending == 2);
        // Bytes before they are expected.
        word.complete(64);
        assert_eq!(Word::unpack(word.pack()).bytes, -64);
        word.arrive(1, true);
        word.expect(64);
        word.arrive(1, false);
        assert!(!word.phase);
        assert_eq!((word.pending, word.expected), (1, 1));
        word.arrive(1, false);
        assert!(word.phase);
    }
}
