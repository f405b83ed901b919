//! Memory Management (hardware decompression).

#![allow(non_snake_case)]

use super::convert::stream::lookup;
use super::ptr::{InMut, Out};
use super::types::{
    CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE, CU_MEM_DECOMPRESS_ALGORITHM_LZ4, CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY,
    CUmemDecompressParams, CUstream,
};
use api_macro::entry;
use core::ffi::c_uint;
use device::copy::decompress;
use device::copy::decompress::{Algorithm, Operation};
use error::{Error, Result, refuse};

/// Decompresses several buffers on a stream.
///
/// Blocks are raw: DEFLATE of RFC 1951 without header and trailer, LZ4 blocks, Snappy elements without the length in
/// front. A block that is not well-formed, or does not fit, makes its `dstActBytes` 0 and writes anything to its `dst`;
/// the context's asynchronous error is `CUDA_ERROR_LAUNCH_FAILED` then.
///
/// - `paramsArray`: what to decompress: of each `src` and `srcNumBytes` (at least 1), `dst` and `dstNumBytes` (how many
///   bytes the contents have at most; 0 leaves that to the allocation that `dst` lies in), `dstActBytes`, which
///   receives the bytes written in 32 bits, and the algorithm. All three are memory of the device (`cuMemAlloc`, or a
///   pool or physical memory made for this use), and neither side may be longer than the device's attribute
///   `MEM_DECOMPRESS_MAXIMUM_LENGTH`.
/// - `count`: number of entries; 0 does nothing.
/// - `flags`: 0.
/// - `errorIndex`: receives, on an error, the number of the entry that is wrong, or `SIZE_MAX`; NULL to leave it out.
/// - `stream`: the stream; it cannot be captured.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED`, before anything else is looked at, on devices without a decompression engine;
/// `CUDA_ERROR_INVALID_VALUE` if `flags` or an entry's padding is not 0, if `paramsArray` is NULL and `count` is not 0,
/// for an algorithm that the device lacks, for a length of 0 or beyond what the device allows, and for memory of
/// another kind; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` for a stream that is being captured, which invalidates the
/// capture.
///
/// Manual: Memory Management.
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
        None => return Err(refuse!(Error::CONTEXT_IS_DESTROYED, "stream is of a context that was destroyed")),
    };
    if device.profile.decompression == 0 {
        return Err(refuse!(Error::NOT_SUPPORTED, "stream is of a device that cannot decompress"));
    }
    let general = |error: Error| {
        // If the index cannot be written, either, the first error counts.
        let _ = errorIndex.set_opt(usize::MAX);
        error
    };
    if flags != 0 {
        return Err(general(refuse!(Error::INVALID_VALUE, "flags {:#x} is not 0", flags)));
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
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "paramsArray[{}]: algo {:?} is not a CUmemDecompressAlgorithm",
                    i,
                    params.algo
                ));
            }
        };
        if params.padding != [0; 20] {
            let _ = errorIndex.set_opt(i);
            return Err(refuse!(Error::INVALID_VALUE, "paramsArray[{}]: padding is not 0", i));
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
