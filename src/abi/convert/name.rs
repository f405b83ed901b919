//! Names of symbols.

use crate::abi::convert::bounds::LONGEST_NAME;
use crate::abi::ptr::In;
use core::ffi::c_char;
use error::{Error, Result, refuse, refuse_if};

/// A name of a symbol. `NULL` and the empty one are `CUDA_ERROR_INVALID_VALUE`.
pub fn symbol(name: In<c_char>) -> Result<String> {
    let bytes = name.string(LONGEST_NAME)?;
    refuse_if!(Error::INVALID_VALUE, bytes.is_empty(), "name is empty");
    // Symbols are ASCII: no symbol has another name.
    String::from_utf8(bytes).map_err(|_| refuse!(Error::NOT_FOUND, "name is not text"))
}
