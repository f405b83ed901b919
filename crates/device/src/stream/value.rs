//! Stream memory operations: waits for a word in memory, and writes of one.

use crate::base::checking;
use error::{Error, Result};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// When a wait on memory is over, seen as words of the operation's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The cyclic difference `memory - value` is not negative.
    Geq,
    /// The memory is not less than the value.
    AtLeast,
    /// They are equal.
    Eq,
    /// `memory & value` is not zero.
    And,
    /// `!(memory | value)` is not zero.
    Nor,
}

/// A wait for a word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitValue {
    /// Address of the word, a multiple of its size.
    pub address: usize,
    /// What to compare with.
    pub value: u64,
    /// 64 bits, else 32.
    pub wide: bool,
    /// How.
    pub condition: Condition,
}

/// A write of a word to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteValue {
    /// Address of the word, a multiple of its size.
    pub address: usize,
    /// What to write.
    pub value: u64,
    /// 64 bits, else 32.
    pub wide: bool,
}

impl Condition {
    fn holds64(self, memory: u64, value: u64) -> bool {
        match self {
            Condition::Geq => memory.wrapping_sub(value) as i64 >= 0,
            Condition::AtLeast => memory >= value,
            Condition::Eq => memory == value,
            Condition::And => memory & value != 0,
            Condition::Nor => !(memory | value) != 0,
        }
    }

    fn holds32(self, memory: u32, value: u32) -> bool {
        match self {
            Condition::Geq => memory.wrapping_sub(value) as i32 >= 0,
            Condition::AtLeast => memory >= value,
            Condition::Eq => memory == value,
            Condition::And => memory & value != 0,
            Condition::Nor => !(memory | value) != 0,
        }
    }
}

impl WriteValue {
    /// Does it: every earlier write of this thread is visible to whoever sees the word.
    pub(super) fn run(&self) -> Result<()> {
        let Self { address, value, wide } = *self;
        checking::written(address, if wide { 8 } else { 4 });
        let done = guard::run(move || {
            // SAFETY: guarded; atomic so that a thread that polls the word never sees half of it.
            unsafe {
                if wide {
                    (*(address as *const AtomicU64)).store(value, Ordering::Release);
                } else {
                    (*(address as *const AtomicU32)).store(value as u32, Ordering::Release);
                }
            }
        });
        if done { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }
}

impl WaitValue {
    /// Whether the condition holds now; an unreadable word is an error.
    pub(super) fn holds(&self) -> Result<bool> {
        let Self { address, value, wide, condition } = *self;
        let mut memory = 0;
        let place = &raw mut memory;
        let done = guard::run(move || {
            // SAFETY: guarded; `place` points to `memory`, which outlives the call.
            unsafe {
                *place = if wide {
                    (*(address as *const AtomicU64)).load(Ordering::Acquire)
                } else {
                    u64::from((*(address as *const AtomicU32)).load(Ordering::Acquire))
                };
            }
        });
        match (done, wide) {
            (false, _) => Err(Error::ILLEGAL_ADDRESS),
            (true, true) => Ok(condition.holds64(memory, value)),
            (true, false) => Ok(condition.holds32(memory as u32, value as u32)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_those_of_the_operation_width() {
        let holds = |memory: u64, value, wide, condition| {
            let address = &raw const memory as usize;
            WaitValue { address, value, wide, condition }.holds().unwrap()
        };
        assert!(holds(0, 0xffff_fff0, false, Condition::Geq));
        assert!(!holds(0, 0xffff_fff0, true, Condition::Geq));
        assert!(!holds(0x8000_0001, 1, false, Condition::Geq));
        assert!(holds(0x8000_0001, 1, true, Condition::Geq));
        assert!(!holds(1, u64::MAX, true, Condition::AtLeast) && holds(u64::MAX, 1, true, Condition::AtLeast));
        assert!(!holds(0xffff_fffe, 1, false, Condition::Nor));
        assert!(holds(0xffff_fffe, 1, true, Condition::Nor));
        assert!(holds(6, 2, false, Condition::And) && !holds(5, 2, true, Condition::And));
        assert!(holds(6 | 1 << 40, 6, false, Condition::Eq) && !holds(6 | 1 << 40, 6, true, Condition::Eq));
        let unreadable = WaitValue { address: 0x10000, value: 0, wide: false, condition: Condition::Eq };
        assert_eq!(unreadable.holds(), Err(Error::ILLEGAL_ADDRESS));
    }
}
