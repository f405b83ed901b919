//! Memory Management (batches of copies, copies with attributes).

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{CUDA_MEMCPY3D_BATCH_OP, CUdeviceptr, CUmemcpyAttributes, CUstream};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_ulonglong;

/// Queues many copies at once, with attributes shared by ranges of them.
#[entry(since = 13000, twin = "ptsz", needs = init)]
pub fn cuMemcpyBatchAsync_v2(
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
    hStream: CUstream,
) -> Result<()>;

/// First form of [`cuMemcpyBatchAsync_v2`], which also reports the index of the copy that failed.
#[entry(since = 12080, twin = "ptsz", needs = init)]
pub fn cuMemcpyBatchAsync(
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
    failIdx: Out<usize>,
    hStream: CUstream,
) -> Result<()>;

/// Queues many box copies at once.
#[entry(since = 13000, twin = "ptsz", needs = init)]
pub fn cuMemcpy3DBatchAsync_v2(
    numOps: usize,
    opList: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// First form of [`cuMemcpy3DBatchAsync_v2`], which also reports the index of the copy that failed.
#[entry(since = 12080, twin = "ptsz", needs = init)]
pub fn cuMemcpy3DBatchAsync(
    numOps: usize,
    opList: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    failIdx: Out<usize>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// Queues one copy with location hints and source ordering.
#[entry(since = 13020, twin = "ptsz")]
pub fn cuMemcpyWithAttributesAsync(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    attr: InMut<CUmemcpyAttributes>,
    hStream: CUstream,
) -> Result<()>;

/// Queues one box copy with location hints and source ordering.
#[entry(since = 13020, twin = "ptsz")]
pub fn cuMemcpy3DWithAttributesAsync(
    op: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;
