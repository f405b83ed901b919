//! Occupancy: how many blocks of a function a multiprocessor of the device would hold.

use super::Device;
use super::function::Function;
use crate::error::{Error, Result};

/// The attributes of a device that limit it.
const THREADS_PER_MULTIPROCESSOR: u32 = 39;
const BLOCKS_PER_MULTIPROCESSOR: u32 = 106;
const SHARED_PER_MULTIPROCESSOR: u32 = 81;
const REGISTERS_PER_MULTIPROCESSOR: u32 = 82;
const RESERVED_SHARED_PER_BLOCK: u32 = 111;
const MULTIPROCESSORS: u32 = 16;
const WARP: u32 = 32;
/// Shared memory and registers are given out in pieces of this size: bytes of a block, registers of a warp.
const SHARED_PIECE: u64 = 128;
const REGISTER_PIECE: u32 = 256;

/// Bytes of shared memory that a block takes up, what the system keeps of it included.
fn shared(function: &Function, device: &Device, dynamic: u64) -> u64 {
    let reserved = device.number(RESERVED_SHARED_PER_BLOCK).max(0) as u64;
    (u64::from(function.code().shared) + dynamic + reserved).next_multiple_of(SHARED_PIECE)
}

/// Blocks of `threads` threads with `dynamic` bytes of dynamic shared memory that fit on a multiprocessor.
pub fn blocks(function: &Function, device: &Device, threads: u32, dynamic: u64) -> u32 {
    if threads == 0 || threads > function.most_threads() || dynamic > function.settings().dynamic_shared.max(0) as u64 {
        return 0;
    }
    resident(function, device, threads, dynamic)
}

/// The same, when the device is not asked whether such a block could be launched.
pub fn resident(function: &Function, device: &Device, threads: u32, dynamic: u64) -> u32 {
    let number = |attribute| device.number(attribute).max(0) as u32;
    let warps = threads.div_ceil(WARP).max(1);
    let by_threads = number(THREADS_PER_MULTIPROCESSOR) / WARP / warps;
    let registers = (function.code().registers * WARP).next_multiple_of(REGISTER_PIECE).max(1);
    // Each of the four parts of a multiprocessor has a quarter of the registers.
    let by_registers = number(REGISTERS_PER_MULTIPROCESSOR) / 4 / registers * 4 / warps;
    let by_shared = u64::from(number(SHARED_PER_MULTIPROCESSOR)) / shared(function, device, dynamic).max(1);
    number(BLOCKS_PER_MULTIPROCESSOR).min(by_threads).min(by_registers).min(by_shared as u32)
}

/// The block size that fills a multiprocessor best, and how many blocks fill the device. `dynamic` says how many bytes of
/// dynamic shared memory a block of a size needs.
pub fn best(function: &Function, device: &Device, limit: u32, mut dynamic: impl FnMut(u32) -> u64) -> (u32, u32) {
    let most = function.most_threads();
    let limit = if limit == 0 { most } else { limit.min(most) };
    let (mut size, mut resident, mut filled) = (0, 0, 0);
    let mut threads = limit.next_multiple_of(WARP);
    while threads > 0 {
        let candidate = threads.min(limit);
        let fits = blocks(function, device, candidate, dynamic(candidate));
        // The larger of two that are as good.
        if fits * candidate > filled {
            (size, resident, filled) = (candidate, fits, fits * candidate);
        }
        threads -= WARP;
    }
    (size, resident * device.number(MULTIPROCESSORS).max(0) as u32)
}

/// Bytes of dynamic shared memory that leave room for `count` blocks of `threads` threads.
pub fn available_shared(function: &Function, device: &Device, count: u32, threads: u32) -> Result<u64> {
    if count == 0 || blocks(function, device, threads, 0) < count {
        return Err(Error::INVALID_VALUE);
    }
    let number = |attribute| device.number(attribute).max(0) as u64;
    let each = number(SHARED_PER_MULTIPROCESSOR) / u64::from(count) / SHARED_PIECE * SHARED_PIECE;
    let taken = u64::from(function.code().shared) + number(RESERVED_SHARED_PER_BLOCK);
    Ok(each.saturating_sub(taken).min(function.settings().dynamic_shared.max(0) as u64))
}

/// Multiprocessors that a cluster can be spread over: those of a group of the device.
const GROUP: u32 = 16;

/// Clusters of `shape` blocks of `threads` threads that the device holds at the same time.
pub fn clusters(function: &Function, device: &Device, shape: [u32; 3], threads: u32, dynamic: u64) -> u32 {
    let size = shape.iter().fold(1u32, |all, &n| all.saturating_mul(n.max(1)));
    let each = blocks(function, device, threads, dynamic);
    let multiprocessors = device.number(MULTIPROCESSORS).max(0) as u32;
    let group = each * GROUP / size;
    multiprocessors / GROUP * group + each * (multiprocessors % GROUP) / size
}
