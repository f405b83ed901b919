//! Memory Management (hardware decompression).

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{CUmemDecompressParams, CUstream};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Decompresses several buffers on a stream.
#[entry(since = 12060, twin = "ptsz")]
pub fn cuMemBatchDecompressAsync(
    paramsArray: InMut<CUmemDecompressParams>,
    count: usize,
    flags: c_uint,
    errorIndex: Out<usize>,
    stream: CUstream,
) -> Result<()>;
