//! Occupancy.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::launch_attribute;
use super::convert::stream::lookup;
use super::ptr::{In, Out};
use super::types::{CUfunction, CUlaunchConfig, CUoccupancyB2DSize};
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use device::Device;
use device::base::bounds::LARGEST_CLUSTER;
use device::kernel::function::Function;
use device::kernel::library;
use device::kernel::{launch, occupancy};
use device::stream::context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Computes how many blocks of a function fit on a multiprocessor.
///
/// - `numBlocks`: receives the number; 0 if not even one fits.
/// - `func`: a function, or the kernel of a library.
/// - `blockSize`: threads of a block, at least 1.
/// - `dynamicSMemSize`: dynamic shared memory of a block in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `numBlocks` is NULL or `blockSize` is less than 1; `CUDA_ERROR_INVALID_HANDLE`
/// if `func` is no function.
///
/// Manual: Occupancy.
#[entry(since = 6050)]
pub fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    numBlocks: Out<c_int>,
    func: CUfunction,
    blockSize: c_int,
    dynamicSMemSize: usize,
) -> Result<()> {
    blocks(numBlocks, func, blockSize, dynamicSMemSize, 0)
}

/// Computes how many blocks of a function fit on a multiprocessor, with flags.
///
/// - `numBlocks`: receives the number; 0 if not even one fits.
/// - `func`: a function, or the kernel of a library.
/// - `blockSize`: threads of a block, at least 1.
/// - `dynamicSMemSize`: dynamic shared memory of a block in bytes.
/// - `flags`: 0 or `CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE`, which changes nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `numBlocks` is NULL, if `blockSize` is less than 1, or if a flag is unknown;
/// `CUDA_ERROR_INVALID_HANDLE` if `func` is no function.
///
/// Manual: Occupancy.
#[entry(since = 7000, flags = CUoccupancy_flags)]
pub fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    numBlocks: Out<c_int>,
    func: CUfunction,
    blockSize: c_int,
    dynamicSMemSize: usize,
    flags: c_uint,
) -> Result<()> {
    blocks(numBlocks, func, blockSize, dynamicSMemSize, flags)
}

/// Suggests the block size with the best occupancy.
///
/// - `minGridSize`: receives the number of blocks that fill the device.
/// - `blockSize`: receives the threads of such a block.
/// - `func`: a function, or the kernel of a library.
/// - `blockSizeToDynamicSMemSize`: asked for the dynamic shared memory of a block of a size, in bytes; NULL if that
///   does not depend on the size.
/// - `dynamicSMemSize`: dynamic shared memory of a block in bytes, for every size; ignored if there is a function
///   to ask.
/// - `blockSizeLimit`: most threads of a block, 0 for no limit.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a result is NULL or the limit is negative; `CUDA_ERROR_INVALID_HANDLE` if
/// `func` is no function.
///
/// Manual: Occupancy.
#[entry(since = 6050)]
pub fn cuOccupancyMaxPotentialBlockSize(
    minGridSize: Out<c_int>,
    blockSize: Out<c_int>,
    func: CUfunction,
    blockSizeToDynamicSMemSize: CUoccupancyB2DSize,
    dynamicSMemSize: usize,
    blockSizeLimit: c_int,
) -> Result<()> {
    best(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0)
}

/// Suggests the block size with the best occupancy, with flags.
///
/// - `minGridSize`: receives the number of blocks that fill the device.
/// - `blockSize`: receives the threads of such a block.
/// - `func`: a function, or the kernel of a library.
/// - `blockSizeToDynamicSMemSize`: asked for the dynamic shared memory of a block of a size, in bytes; NULL if that
///   does not depend on the size.
/// - `dynamicSMemSize`: dynamic shared memory of a block in bytes, for every size; ignored if there is a function
///   to ask.
/// - `blockSizeLimit`: most threads of a block, 0 for no limit.
/// - `flags`: 0 or `CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE`, which changes nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a result is NULL, if the limit is negative, or if a flag is unknown;
/// `CUDA_ERROR_INVALID_HANDLE` if `func` is no function.
///
/// Manual: Occupancy.
#[entry(since = 7000, flags = CUoccupancy_flags)]
pub fn cuOccupancyMaxPotentialBlockSizeWithFlags(
    minGridSize: Out<c_int>,
    blockSize: Out<c_int>,
    func: CUfunction,
    blockSizeToDynamicSMemSize: CUoccupancyB2DSize,
    dynamicSMemSize: usize,
    blockSizeLimit: c_int,
    flags: c_uint,
) -> Result<()> {
    best(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, flags)
}

/// Computes how much dynamic shared memory a block may use at a given occupancy.
///
/// - `dynamicSmemSize`: receives the size in bytes.
/// - `func`: a function, or the kernel of a library.
/// - `numBlocks`: blocks on a multiprocessor, at least 1.
/// - `blockSize`: threads of a block, at least 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `dynamicSmemSize` is NULL, if a number is less than 1, or if so many blocks do
/// not fit; `CUDA_ERROR_INVALID_HANDLE` if `func` is no function.
///
/// Manual: Occupancy.
#[entry(since = 10020)]
pub fn cuOccupancyAvailableDynamicSMemPerBlock(
    dynamicSmemSize: Out<usize>,
    func: CUfunction,
    numBlocks: c_int,
    blockSize: c_int,
) -> Result<()> {
    dynamicSmemSize.check()?;
    let function = library::function_of(func.0, None)?;
    let (count, threads) = (u32::try_from(numBlocks), u32::try_from(blockSize));
    let (Ok(count), Ok(threads)) = (count, threads) else {
        return Err(refuse!(Error::INVALID_VALUE, "numBlocks {} or blockSize {} is negative", numBlocks, blockSize));
    };
    let device = context::current_any()?.device.clone();
    dynamicSmemSize.set(occupancy::available_shared(&function, &device, count, threads)? as usize)
}

/// Computes the largest cluster that a launch could use.
///
/// - `clusterSize`: receives the number of blocks of a cluster.
/// - `func`: a function, or the kernel of a library.
/// - `config`: the launch: shape of the grid and of a block, dynamic shared memory in bytes, attributes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer or `func` is NULL, if a block has no threads, or if an attribute is
/// unknown or wrong; `CUDA_ERROR_INVALID_HANDLE` if `func` is no function of the current context;
/// `CUDA_ERROR_INVALID_CLUSTER_SIZE` if the cluster of the launch does not suit function or grid;
/// `CUDA_ERROR_NOT_SUPPORTED` if the device has no clusters, or for an attribute that is not supported.
///
/// Manual: Occupancy.
#[entry(since = 11070)]
pub fn cuOccupancyMaxPotentialClusterSize(
    clusterSize: Out<c_int>,
    func: CUfunction,
    config: In<CUlaunchConfig>,
) -> Result<()> {
    clusterSize.check()?;
    let Clustered { function, device, threads, dynamic, places, .. } = clustered(func, config)?;
    let most = function.largest_possible_cluster().min(LARGEST_CLUSTER);
    let fits = |size: u32| occupancy::clusters(&function, &device, [size, 1, 1], threads, dynamic, places) > 0;
    let sizes = core::iter::successors(Some(most), |size| Some(size / 2).filter(|&size| size > 0));
    clusterSize.set(sizes.into_iter().find(|&size| fits(size)).unwrap_or(0) as c_int)
}

/// Computes how many clusters of a launch fit on the device.
///
/// - `numClusters`: receives the number; 0 for a launch without clusters.
/// - `func`: a function, or the kernel of a library.
/// - `config`: the launch: shape of the grid and of a block, dynamic shared memory in bytes, attributes.
///
/// Errors: as `cuOccupancyMaxPotentialClusterSize`.
///
/// Manual: Occupancy.
#[entry(since = 11070)]
pub fn cuOccupancyMaxActiveClusters(
    numClusters: Out<c_int>,
    func: CUfunction,
    config: In<CUlaunchConfig>,
) -> Result<()> {
    numClusters.check()?;
    let Clustered { function, device, shape, threads, dynamic, places } = clustered(func, config)?;
    let fit = |shape| occupancy::clusters(&function, &device, shape, threads, dynamic, places);
    numClusters.set(shape.map_or(0, fit) as c_int)
}

/// The launch of a query about clusters.
struct Clustered {
    function: Arc<Function>,
    device: Arc<Device>,
    shape: Option<[u32; 3]>,
    threads: u32,
    dynamic: u64,
    /// How many multiprocessors the stream has, if not all.
    places: Option<u32>,
}

fn clustered(function: CUfunction, config: In<CUlaunchConfig>) -> Result<Clustered> {
    refuse_if!(Error::INVALID_VALUE, function.is_null(), "func is NULL");
    let function = library::function_of(function.0, None)?;
    let config = config.get()?;
    let context = context::current_any()?;
    refuse_if!(
        Error::INVALID_HANDLE,
        !core::ptr::eq(function.context.as_ptr(), &*context),
        "func is a function of another context than the current one"
    );
    let device = context.device.clone();
    let (request, _) = launch_attribute::read(&config, &device)?;
    let shape = launch::cluster(&device, &function, &function.settings(), &request)?;
    let stream = lookup(config.hStream, DefaultStream::Legacy).ok();
    let places = stream.and_then(|stream| Some(stream.share.as_ref()?.places.count()));
    let (threads, dynamic) = (threads_of(&config)?, config.sharedMemBytes.into());
    Ok(Clustered { function, device, shape, threads, dynamic, places })
}

/// Threads of a block of a launch.
fn threads_of(config: &CUlaunchConfig) -> Result<u32> {
    let shape = [config.blockDimX, config.blockDimY, config.blockDimZ];
    let threads = shape.iter().fold(1u64, |all, &n| all.saturating_mul(n.into()));
    if threads == 0 {
        Err(refuse!(Error::INVALID_VALUE, "config: blockDim {} x {} x {} has a 0", shape[0], shape[1], shape[2]))
    } else {
        Ok(threads.min(u32::MAX.into()) as u32)
    }
}

/// `CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE`, which has no effect here.
const FLAGS: c_uint = 1;

fn blocks(count: Out<c_int>, function: CUfunction, threads: c_int, dynamic: usize, flags: c_uint) -> Result<()> {
    count.check()?;
    let function = library::function_of(function.0, None)?;
    refuse_if!(Error::INVALID_VALUE, threads <= 0, "blockSize {} is not positive", threads);
    refuse_if!(Error::INVALID_VALUE, flags & !FLAGS != 0, "flags {:#x} has unknown bits", flags);
    let device = context::current_any()?.device.clone();
    count.set(occupancy::blocks(&function, &device, threads as u32, dynamic as u64) as c_int)
}

fn best(
    grid: Out<c_int>,
    block: Out<c_int>,
    function: CUfunction,
    needs: CUoccupancyB2DSize,
    dynamic: usize,
    limit: c_int,
    flags: c_uint,
) -> Result<()> {
    grid.check()?;
    block.check()?;
    let function = library::function_of(function.0, None)?;
    refuse_if!(Error::INVALID_VALUE, limit < 0, "blockSizeLimit {} is negative", limit);
    refuse_if!(Error::INVALID_VALUE, flags & !FLAGS != 0, "flags {:#x} has unknown bits", flags);
    let device = context::current_any()?.device.clone();
    let (size, count) = occupancy::best(&function, &device, limit as u32, |threads| match needs {
        // SAFETY: the program passed this function to be asked about block sizes.
        Some(needs) => unsafe { needs(threads as c_int) as u64 },
        None => dynamic as u64,
    });
    grid.set(count as c_int)?;
    block.set(size as c_int)
}
