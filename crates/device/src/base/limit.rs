//! The limits of a context: which the device has, and which values it takes.

use core::ops::RangeInclusive;
use core::sync::atomic::AtomicU64;
use error::{Error, Result, refuse};

/// `CUlimit` by number.
pub const STACK_SIZE: u32 = 0;
/// Buffer of device-side `printf`.
pub const PRINTF_FIFO_SIZE: u32 = 1;
/// Heap of device-side `malloc`.
pub const MALLOC_HEAP_SIZE: u32 = 2;
/// Depth of device-side synchronisation: no device of compute capability 9 has it.
pub const DEV_RUNTIME_SYNC_DEPTH: u32 = 3;
/// Launches from kernels that may wait.
pub const PENDING_LAUNCH_COUNT: u32 = 4;
/// Bytes that one miss fetches into the L2 cache: a hint.
pub const MAX_L2_FETCH_GRANULARITY: u32 = 5;
/// Bytes of the L2 cache set aside for persisting lines.
pub const PERSISTING_L2_CACHE_SIZE: u32 = 6;
/// Shared memory of a context that shares with a graphics API.
pub const SHMEM_SIZE: u32 = 7;
/// Whether the context shares with a graphics API.
pub const CIG_ENABLED: u32 = 8;
/// Whether such a context falls back to global memory.
pub const CIG_SHMEM_FALLBACK_ENABLED: u32 = 9;
/// How many limits are known.
pub const COUNT: usize = 10;

/// Stack bytes that one thread may have: half a mebibyte of local memory, less what the device keeps of it.
const MAX_STACK: u64 = 523_712;
/// What is between the least and the most takes effect, in these steps; as recorded, like all numbers here.
const STACK_STEP: u64 = 16;
const PRINTF_FIFO: RangeInclusive<u64> = 512 << 10..=2 << 30;
const PRINTF_FIFO_STEP: u64 = 256;
const MALLOC_HEAP: RangeInclusive<u64> = 4 << 20..=17_681_179_680;
const MALLOC_HEAP_STEP: u64 = 64 << 10;
const PENDING_LAUNCHES: RangeInclusive<u64> = 32..=599_186;
const MAX_FETCH_GRANULARITY: u64 = 128;
/// Parts of the L2 cache that can be set aside, and how many are at first.
const L2_STEPS: u64 = 10;
const DEFAULT_L2_STEPS: u64 = 3;

/// What a new context has, where it does not depend on the device.
pub const DEFAULT_STACK: u64 = 1024;
const DEFAULT_PRINTF_FIFO: u64 = 8_650_752;
const DEFAULT_MALLOC_HEAP: u64 = 8 << 20;
const DEFAULT_PENDING_LAUNCHES: u64 = 2048;
const DEFAULT_FETCH_GRANULARITY: u64 = 64;

/// A value, or the nearest one that takes effect.
fn within(value: u64, range: &RangeInclusive<u64>) -> u64 {
    value.clamp(*range.start(), *range.end())
}

/// What the device allows, as far as it depends on the device.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// The most that may be set aside for persisting lines of the L2 cache.
    pub persisting_l2: u64,
}

/// Values by limit number.
pub type Values = [AtomicU64; COUNT];

/// The values of a new context.
pub fn defaults(device: &Device, shared_memory: u64) -> Values {
    let mut values = [0; COUNT];
    values[STACK_SIZE as usize] = DEFAULT_STACK;
    values[PRINTF_FIFO_SIZE as usize] = DEFAULT_PRINTF_FIFO;
    values[MALLOC_HEAP_SIZE as usize] = DEFAULT_MALLOC_HEAP;
    values[PENDING_LAUNCH_COUNT as usize] = DEFAULT_PENDING_LAUNCHES;
    values[MAX_L2_FETCH_GRANULARITY as usize] = DEFAULT_FETCH_GRANULARITY;
    values[PERSISTING_L2_CACHE_SIZE as usize] = l2_step(device) * DEFAULT_L2_STEPS;
    values[SHMEM_SIZE as usize] = shared_memory;
    values.map(AtomicU64::new)
}

/// What is set aside is a multiple of this.
fn l2_step(device: &Device) -> u64 {
    device.persisting_l2 / L2_STEPS
}

/// Checks that the device has a limit.
pub fn check(limit: u32) -> Result<()> {
    match limit {
        DEV_RUNTIME_SYNC_DEPTH | CIG_SHMEM_FALLBACK_ENABLED => {
            Err(refuse!(Error::UNSUPPORTED_LIMIT, "limit {} is not supported by the device", limit))
        }
        _ if (limit as usize) < COUNT => Ok(()),
        _ => Err(refuse!(Error::INVALID_VALUE, "limit {} is not a CUlimit", limit)),
    }
}

/// The value that takes effect when a program asks for `value` and had `before`.
pub fn effective(limit: u32, value: u64, before: u64, device: &Device) -> Result<u64> {
    check(limit)?;
    let at_most = |most: u64| {
        if value <= most {
            Ok(value)
        } else {
            Err(refuse!(Error::INVALID_VALUE, "value {} of limit {} is more than {}", value, limit, most))
        }
    };
    match limit {
        // A value that comes to the same is kept as it is.
        STACK_SIZE
            if value <= MAX_STACK && value.next_multiple_of(STACK_STEP) == before.next_multiple_of(STACK_STEP) =>
        {
            Ok(value)
        }
        STACK_SIZE => Ok(at_most(MAX_STACK)?.next_multiple_of(STACK_STEP)),
        PRINTF_FIFO_SIZE => Ok(within(value, &PRINTF_FIFO).next_multiple_of(PRINTF_FIFO_STEP)),
        MALLOC_HEAP_SIZE => Ok(within(within(value, &MALLOC_HEAP).next_multiple_of(MALLOC_HEAP_STEP), &MALLOC_HEAP)),
        PENDING_LAUNCH_COUNT => Ok(within(value, &PENDING_LAUNCHES)),
        MAX_L2_FETCH_GRANULARITY => at_most(MAX_FETCH_GRANULARITY),
        PERSISTING_L2_CACHE_SIZE => {
            let step = l2_step(device);
            let value = at_most(device.persisting_l2)?;
            Ok(if step == 0 { 0 } else { value.next_multiple_of(step) })
        }
        // What a context shares with a graphics API is decided at its creation.
        _ => Err(refuse!(Error::NOT_PERMITTED, "limit {} cannot be changed", limit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_or_refused_as_recorded() {
        let device = Device { persisting_l2: 39_321_600 };
        for (limit, value, expected) in [
            (STACK_SIZE, 0, Ok(0)),
            (STACK_SIZE, 1, Ok(16)),
            (STACK_SIZE, 1000, Ok(1008)),
            (STACK_SIZE, 1 << 40, Err(Error::INVALID_VALUE)),
            (STACK_SIZE, 523_265, Ok(523_280)),
            (STACK_SIZE, 523_712, Ok(523_712)),
            (STACK_SIZE, 523_713, Err(Error::INVALID_VALUE)),
            (PRINTF_FIFO_SIZE, 4096, Ok(524_288)),
            (PRINTF_FIFO_SIZE, 600_000, Ok(600_064)),
            (PRINTF_FIFO_SIZE, 1 << 50, Ok(1 << 31)),
            (PRINTF_FIFO_SIZE, 1 << 20, Ok(1 << 20)),
            (MALLOC_HEAP_SIZE, 1, Ok(4_194_304)),
            (MALLOC_HEAP_SIZE, 5_000_000, Ok(5_046_272)),
            (MALLOC_HEAP_SIZE, 17_681_100_000, Ok(17_681_154_048)),
            (MALLOC_HEAP_SIZE, u64::MAX, Ok(17_681_179_680)),
            (PENDING_LAUNCH_COUNT, 1 << 33, Ok(599_186)),
            (DEV_RUNTIME_SYNC_DEPTH, 2, Err(Error::UNSUPPORTED_LIMIT)),
            (PENDING_LAUNCH_COUNT, 1, Ok(32)),
            (MAX_L2_FETCH_GRANULARITY, 100, Ok(100)),
            (MAX_L2_FETCH_GRANULARITY, 129, Err(Error::INVALID_VALUE)),
            (PERSISTING_L2_CACHE_SIZE, 1 << 20, Ok(3_932_160)),
            (PERSISTING_L2_CACHE_SIZE, 1 << 40, Err(Error::INVALID_VALUE)),
            (CIG_ENABLED, 1, Err(Error::NOT_PERMITTED)),
            (10, 0, Err(Error::INVALID_VALUE)),
            (u32::MAX, u64::MAX, Err(Error::INVALID_VALUE)),
        ] {
            assert_eq!(effective(limit, value, 0, &device), expected, "limit {limit} value {value}");
        }
        assert_eq!(effective(STACK_SIZE, 15, 16, &device), Ok(15));
        assert_eq!(effective(STACK_SIZE, 1000, 1024, &device), Ok(1008));
        let none = Device { persisting_l2: 0 };
        assert_eq!(effective(PERSISTING_L2_CACHE_SIZE, 0, 0, &none), Ok(0));
    }
}
