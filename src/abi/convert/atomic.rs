//! What devices report of atomic operations on memory that is not their own.

use crate::abi::ptr::{In, Out};
use crate::abi::types::{CU_ATOMIC_OPERATION_MAX, CUatomicOperation};
use core::ffi::c_uint;
use error::{Error, Result, refuse_if};

/// Writes the capabilities for `count` atomic operations, each after a check that the operation exists.
pub fn atomic_capabilities(
    capabilities: Out<c_uint>,
    operations: In<CUatomicOperation>,
    count: c_uint,
    answer: fn(CUatomicOperation) -> c_uint,
) -> Result<()> {
    for (index, operation) in operations.slice(count as usize)?.into_iter().enumerate() {
        capabilities.set_at(index, 0)?;
        refuse_if!(
            Error::INVALID_VALUE,
            operation >= CU_ATOMIC_OPERATION_MAX,
            "operations[{}] {:?} is not a CUatomicOperation",
            index,
            operation
        );
        capabilities.set_at(index, answer(operation))?;
    }
    Ok(())
}
