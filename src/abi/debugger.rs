//! Private symbols of the real library.

#![allow(non_snake_case)]

use api_macro::entry;
use error::Result;

/// Belongs to the private interface for debuggers: attaches.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgApiAttach(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: detaches.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgApiDetach(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: starts it.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgApiInit(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: hands out its functions.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgGetAPI(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: reports its version.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgGetAPIVersion(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: its main function.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgMain(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: a place to stop at when a call fails.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgReportDriverApiError(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Belongs to the private interface for debuggers: a place to stop at when the driver fails.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: private to NVIDIA's debugger, which attaches to machine code; driver 580 has it"
)]
pub fn cudbgReportDriverInternalError(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;
