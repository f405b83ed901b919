//! Occupancy.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{CUfunction, CUlaunchConfig, CUoccupancyB2DSize};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_uint};

/// Computes how many blocks of a function fit on a multiprocessor.
#[entry(since = 6050)]
pub fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    numBlocks: Out<c_int>,
    func: CUfunction,
    blockSize: c_int,
    dynamicSMemSize: usize,
) -> Result<()>;

/// Computes how many blocks of a function fit on a multiprocessor, with flags.
#[entry(since = 7000)]
pub fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    numBlocks: Out<c_int>,
    func: CUfunction,
    blockSize: c_int,
    dynamicSMemSize: usize,
    flags: c_uint,
) -> Result<()>;

/// Suggests the block size with the best occupancy.
#[entry(since = 6050)]
pub fn cuOccupancyMaxPotentialBlockSize(
    minGridSize: Out<c_int>,
    blockSize: Out<c_int>,
    func: CUfunction,
    blockSizeToDynamicSMemSize: CUoccupancyB2DSize,
    dynamicSMemSize: usize,
    blockSizeLimit: c_int,
) -> Result<()>;

/// Suggests the block size with the best occupancy, with flags.
#[entry(since = 7000)]
pub fn cuOccupancyMaxPotentialBlockSizeWithFlags(
    minGridSize: Out<c_int>,
    blockSize: Out<c_int>,
    func: CUfunction,
    blockSizeToDynamicSMemSize: CUoccupancyB2DSize,
    dynamicSMemSize: usize,
    blockSizeLimit: c_int,
    flags: c_uint,
) -> Result<()>;

/// Computes how much dynamic shared memory a block may use at a given occupancy.
#[entry(since = 10020)]
pub fn cuOccupancyAvailableDynamicSMemPerBlock(
    dynamicSmemSize: Out<usize>,
    func: CUfunction,
    numBlocks: c_int,
    blockSize: c_int,
) -> Result<()>;

/// Computes the largest cluster that a launch could use.
#[entry(since = 11070)]
pub fn cuOccupancyMaxPotentialClusterSize(
    clusterSize: Out<c_int>,
    func: CUfunction,
    config: In<CUlaunchConfig>,
) -> Result<()>;

/// Computes how many clusters of a launch fit on the device.
#[entry(since = 11070)]
pub fn cuOccupancyMaxActiveClusters(
    numClusters: Out<c_int>,
    func: CUfunction,
    config: In<CUlaunchConfig>,
) -> Result<()>;
