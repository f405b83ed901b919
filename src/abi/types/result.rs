//! Basic scalars and the result code.

use crate::show::{Show, Text};
use core::ffi::{c_uint, c_ulonglong};
use error::{Error, Result};

/// A 32-bit unsigned integer.
pub type cuuint32_t = u32;

/// A 64-bit unsigned integer.
pub type cuuint64_t = u64;

/// A device address.
pub type CUdeviceptr_v2 = c_ulonglong;

/// The [`CUdeviceptr_v2`] in use.
pub type CUdeviceptr = CUdeviceptr_v2;

/// A device address of the 32-bit first generation.
pub type CUdeviceptr_v1 = c_uint;

/// The result code that every entry point returns; the codes themselves are in [`error`].
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CUresult(pub u32);

impl CUresult {
    /// No error.
    pub const SUCCESS: CUresult = CUresult(0);
}

impl From<Error> for CUresult {
    fn from(error: Error) -> CUresult {
        CUresult(error.code())
    }
}

impl From<Result<()>> for CUresult {
    fn from(result: Result<()>) -> CUresult {
        result.map_or_else(CUresult::from, |()| CUresult::SUCCESS)
    }
}

impl core::fmt::Debug for CUresult {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match Error::from_code(self.0) {
            Some(error) => write!(f, "{error:?}"),
            None => f.write_str("CUDA_SUCCESS"),
        }
    }
}

impl Show for CUresult {
    fn show(&self, text: &mut Text) {
        use core::fmt::Write;
        match Error::from_code(self.0) {
            None => text.push(b"CUDA_SUCCESS"),
            Some(error) => {
                let _ = write!(text, "{error:?}");
            }
        }
    }
}
