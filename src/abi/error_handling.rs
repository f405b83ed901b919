//! Error Handling.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::CUresult;
use api_macro::entry;
use core::ffi::{CStr, c_char};
use core::ptr;
use error::{self, Error, Result, refuse};

/// An unknown code is refused, and the result is set to `NULL` none the less.
fn give(text: Option<&'static CStr>, to: Out<*const c_char>) -> Result<()> {
    to.set(text.map_or(ptr::null(), CStr::as_ptr))?;
    text.map(|_| ()).ok_or_else(|| refuse!(Error::INVALID_VALUE, "error is not a CUresult"))
}

/// Looks up the sentence that describes a result code.
///
/// - `error`: the result code.
/// - `pStr`: receives the address of the text, which stays for good; NULL for an unknown code.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pStr` is NULL, and for an unknown code.
///
/// Manual: Error Handling.
#[entry(since = 6000, needs = nothing, absent = "run")]
pub fn cuGetErrorString(error: CUresult, pStr: Out<*const c_char>) -> Result<()> {
    give(error::text_of(error.0), pStr)
}

/// Looks up the identifier of a result code.
///
/// - `error`: the result code.
/// - `pStr`: receives the address of the text (`CUDA_ERROR_INVALID_VALUE` and so on), which stays for good; NULL for an
///   unknown code.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pStr` is NULL, and for an unknown code.
///
/// Manual: Error Handling.
#[entry(since = 6000, needs = nothing, absent = "run")]
pub fn cuGetErrorName(error: CUresult, pStr: Out<*const c_char>) -> Result<()> {
    give(error::name_of(error.0), pStr)
}
