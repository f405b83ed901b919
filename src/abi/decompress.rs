//! Memory Management (hardware decompression).

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::stream::lookup;
use super::types::{
    CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE, CU_MEM_DECOMPRESS_ALGORITHM_LZ4, CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY,
    CUmemDecompressParams, CUstream,
};
use crate::device::decompress::{self, Algorithm, Operation};
use api_macro::entry;
use core::ffi::c_uint;
use error::{Error, Result};

/// Decompresses several buffers on a stream.
///
/// Blocks are raw: DEFLATE of RFC 1951 without header and trailer, LZ4 blocks, Snappy elements without the length in
/// front. `src`, `dst` and `dstActBytes` are memory of the device (`cuMemAlloc`, or a pool or physical memory made for
/// this use). `dstNumBytes` is how many bytes the contents have at most; 0 leaves that to the allocation that `dst` lies
/// in. Neither side may be longer than the device's `MEM_DECOMPRESS_MAXIMUM_LENGTH`. `dstActBytes` receives the bytes
/// written, in 32 bits; a block that is not well-formed, or does not fit, writes 0 there and anything to its `dst`, and
/// the context is left with `CUDA_ERROR_LAUNCH_FAILED`.
///
/// `CUDA_ERROR_NOT_SUPPORTED`, before anything else is looked at, on devices without an engine. On an error
/// `errorIndex` receives the number of the entry that is wrong, or `SIZE_MAX`.
#[entry(since = 12060, twin = "ptsz")]
pub fn cuMemBatchDecompressAsync(
    paramsArray: InMut<CUmemDecompressParams>,
    count: usize,
    flags: c_uint,
    errorIndex: Out<usize>,
    stream: CUstream,
) -> Result<()> {
    let stream = lookup(stream, default_stream)?;
    let device = match stream.context.upgrade() {
        Some(context) => context.device.clone(),
        None => return Err(Error::CONTEXT_IS_DESTROYED),
    };
    if device.profile.decompression == 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    let general = |error: Error| {
        // The error is what the caller has to hear of first.
        let _ = errorIndex.set_opt(usize::MAX);
        error
    };
    if flags != 0 {
        return Err(general(Error::INVALID_VALUE));
    }
    let params = paramsArray.slice(count).map_err(general)?;
    let mut operations = Vec::with_capacity(params.len());
    for (i, params) in params.iter().enumerate() {
        let algorithm = match params.algo {
            CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE => Algorithm::Deflate,
            CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY => Algorithm::Snappy,
            CU_MEM_DECOMPRESS_ALGORITHM_LZ4 => Algorithm::Lz4,
            _ => {
                let _ = errorIndex.set_opt(i);
                return Err(Error::INVALID_VALUE);
            }
        };
        if params.padding != [0; 20] {
            let _ = errorIndex.set_opt(i);
            return Err(Error::INVALID_VALUE);
        }
        operations.push(Operation {
            algorithm,
            src: params.src as usize,
            src_bytes: params.srcNumBytes,
            dst: params.dst as usize,
            dst_bytes: params.dstNumBytes,
            actual: params.dstActBytes as usize,
        });
    }
    decompress::enqueue(&stream, &operations).map_err(|(error, which)| {
        let _ = errorIndex.set_opt(which.unwrap_or(usize::MAX));
        error
    })
}
