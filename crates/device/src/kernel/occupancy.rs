//! Occupancy: how many blocks of a function a multiprocessor of the device would hold.

use crate::base::attribute::DeviceAttribute;
use crate::base::devices::Device;
use crate::kernel::function::Function;
use error::{Error, Result, refuse_if};

const WARP: u32 = 32;
/// Shared memory that a block of any function may have, static memory included.
const SHARED_FOR_ALL: i32 = 48 << 10;
/// Registers are given out to warps in pieces of this size.
const REGISTER_PIECE: u32 = 256;

/// How a multiprocessor can divide its memory: bytes of it that are shared memory, as far as it has so many.
const CAPACITIES: [u32; 9] =
    [8 << 10, 16 << 10, 32 << 10, 64 << 10, 100 << 10, 132 << 10, 164 << 10, 196 << 10, 228 << 10];
/// Where capabilities before 8.0 differ: they begin with this one of [`CAPACITIES`].
const LEAST_BEFORE_8: u32 = 32 << 10;

/// Shared memory is given out to blocks in pieces of so many bytes.
fn shared_piece(device: &Device) -> u32 {
    if device.compute_capability() < 80 { 256 } else { 128 }
}

/// Bytes of shared memory that a block takes up, the system's share included. Sizes have 32 bits, whatever the
/// program asks for.
fn shared(function: &Function, device: &Device, dynamic: u64) -> u32 {
    let reserved = device.count(DeviceAttribute::RESERVED_SHARED_MEMORY_PER_BLOCK);
    let bytes = function.static_shared().wrapping_add(dynamic as u32).wrapping_add(reserved);
    bytes.checked_next_multiple_of(shared_piece(device)).unwrap_or(bytes)
}

/// Bytes of shared memory that a multiprocessor has while blocks of `each` bytes of a function run on it: the share that the
/// function prefers, but enough for one block.
fn capacity(function: &Function, device: &Device, each: u32) -> u32 {
    let most = device.count(DeviceAttribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    let Some(percent) = function.carveout() else { return most };
    let wanted = (u64::from(most) * u64::from(percent)).div_ceil(100).max(each.into());
    let least = if device.compute_capability() < 80 { LEAST_BEFORE_8 } else { 0 };
    let enough = |&bytes: &u32| bytes >= least && u64::from(bytes) >= wanted;
    CAPACITIES.iter().copied().find(enough).map_or(most, |bytes| bytes.min(most))
}

/// Blocks of `threads` threads with `dynamic` bytes of dynamic shared memory that fit on a multiprocessor. The function's own
/// limit of threads does not count.
pub fn blocks(function: &Function, device: &Device, threads: u32, dynamic: u64) -> u32 {
    let most = device.count(DeviceAttribute::MAX_THREADS_PER_BLOCK);
    // A program can raise the limit above the default, but not lower it.
    let allowed = function.settings().dynamic_shared.max(SHARED_FOR_ALL - function.static_shared() as i32);
    if threads == 0 || threads > most || dynamic as i32 > allowed {
        return 0;
    }
    resident(function, device, threads, dynamic)
}

/// The same without the check that such a block can be launched.
pub fn resident(function: &Function, device: &Device, threads: u32, dynamic: u64) -> u32 {
    let warps = threads.div_ceil(WARP).max(1);
    let by_threads = device.count(DeviceAttribute::MAX_THREADS_PER_MULTIPROCESSOR) / WARP / warps;
    let registers = (function.code().registers * WARP).next_multiple_of(REGISTER_PIECE).max(1);
    // Each of the four parts of a multiprocessor has a quarter of the registers.
    let by_registers = device.count(DeviceAttribute::MAX_REGISTERS_PER_MULTIPROCESSOR) / 4 / registers * 4 / warps;
    let each = shared(function, device, dynamic).max(1);
    let by_shared = capacity(function, device, each) / each;
    device.count(DeviceAttribute::MAX_BLOCKS_PER_MULTIPROCESSOR).min(by_threads).min(by_registers).min(by_shared)
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
        // Of two sizes that are as good, the larger one.
        if fits * candidate > filled {
            (size, resident, filled) = (candidate, fits, fits * candidate);
        }
        threads -= WARP;
    }
    (size, resident * device.count(DeviceAttribute::MULTIPROCESSOR_COUNT))
}

/// Bytes of dynamic shared memory that leave room for `count` blocks of `threads` threads.
pub fn available_shared(function: &Function, device: &Device, count: u32, threads: u32) -> Result<u64> {
    refuse_if!(Error::INVALID_VALUE, count == 0, "numBlocks is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        blocks(function, device, threads, 0) < count,
        "numBlocks {} of blockSize {} do not fit on a multiprocessor",
        count,
        threads
    );
    // The system's share of each block does not count here.
    let piece = u64::from(shared_piece(device));
    let each = u64::from(capacity(function, device, shared(function, device, 0))) / u64::from(count) / piece * piece;
    Ok(each.saturating_sub(function.static_shared().into()).min(function.settings().dynamic_shared.max(0) as u64))
}

/// Blocks of a cluster.
pub fn blocks_of(cluster: [u32; 3]) -> u32 {
    cluster.iter().fold(1, |all, &n| all.saturating_mul(n))
}

/// Multiprocessors of each group of a device with 132. A cluster lies in one group, and on as many multiprocessors as the group
/// has blocks for. Inferred from how many clusters of each size an H200 says that it holds; others lack other multiprocessors.
const GROUPS: [u32; 12] = [18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2];
/// Blocks of clusters that a multiprocessor holds.
const CLUSTERED: u32 = 8;

/// Clusters of `shape` blocks of `threads` threads that the device holds at the same time, or so many of its multiprocessors.
pub fn clusters(
    function: &Function,
    device: &Device,
    shape: [u32; 3],
    threads: u32,
    dynamic: u64,
    places: Option<u32>,
) -> u32 {
    let size = blocks_of(shape).max(1);
    let each = blocks(function, device, threads, dynamic).min(CLUSTERED);
    if let Some(places) = places {
        let all = clusters(function, device, shape, threads, dynamic, None);
        return if places < size { 0 } else { all.min(places * each / size) };
    }
    let multiprocessors = device.count(DeviceAttribute::MULTIPROCESSOR_COUNT);
    let whole: u32 = GROUPS.iter().sum();
    let rest = multiprocessors % whole;
    let others = core::iter::repeat_n(GROUPS[2], (rest / GROUPS[2]) as usize).chain([rest % GROUPS[2]]);
    let copies = (0..multiprocessors / whole).flat_map(|_| GROUPS).chain(others);
    copies.filter(|&group| group >= size).map(|group| group * each / size).sum()
}
