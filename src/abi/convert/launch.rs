//! Arguments of launches, and host functions as work.

use crate::abi::ptr::{In, InMut};
use crate::abi::types::CUhostFn;
use core::ffi::c_void;
use device::kernel::launch::Arguments;
use device::stream::HostCall;
use error::{Error, Result, refuse, refuse_if};

/// A host function as work. `NULL` is `CUDA_ERROR_INVALID_VALUE`.
pub fn host_call(function: CUhostFn, argument: *mut c_void) -> Result<HostCall> {
    let function = function.ok_or_else(|| refuse!(Error::INVALID_VALUE, "fn is NULL"))?;
    let argument = argument as usize;
    // SAFETY: the program passed this function to be called with this argument.
    Ok(HostCall::new((function as usize, argument), move || unsafe { function(argument as *mut c_void) }))
}

/// The parameters of a launch: `extra` is a list of names and values that ends in 0.
pub fn arguments(parameters: InMut<*mut c_void>, extra: InMut<*mut c_void>) -> Result<Arguments> {
    /// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE`.
    const POINTER: usize = 1;
    const SIZE: usize = 2;
    let at = |index: usize| InMut(extra.0.wrapping_add(index)).get().map(|p| p as usize);
    if extra.is_null() || at(0)? == 0 {
        return Ok(Arguments::Pointers(parameters.addr()));
    }
    refuse_if!(Error::INVALID_VALUE, !parameters.is_null(), "kernelParams and extra are both not NULL");
    let (mut buffer, mut size) = (0, 0);
    for pair in 0..16 {
        match at(pair * 2)? {
            0 => return Ok(Arguments::Packed(buffer, size)),
            POINTER => buffer = at(pair * 2 + 1)?,
            SIZE => size = In(at(pair * 2 + 1)? as *const usize).get()?,
            _ => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "extra has a word that is not CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE or CU_LAUNCH_PARAM_END"
                ));
            }
        }
    }
    Err(refuse!(Error::INVALID_VALUE, "extra does not end in CU_LAUNCH_PARAM_END"))
}
