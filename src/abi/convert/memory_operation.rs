//! Operations of streams on words in memory.

use crate::abi::convert::bounds::MOST_BATCHED_OPERATIONS;
use crate::abi::ptr::InMut;
use crate::abi::types::{
    CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, CU_STREAM_MEM_OP_WAIT_VALUE_32,
    CU_STREAM_MEM_OP_WAIT_VALUE_64, CU_STREAM_MEM_OP_WRITE_VALUE_32, CU_STREAM_MEM_OP_WRITE_VALUE_64,
    CU_STREAM_MEMORY_BARRIER_TYPE_GPU, CU_STREAM_WAIT_VALUE_AND, CU_STREAM_WAIT_VALUE_EQ, CU_STREAM_WAIT_VALUE_FLUSH,
    CU_STREAM_WAIT_VALUE_GEQ, CU_STREAM_WAIT_VALUE_NOR, CUstreamBatchMemOpParams, CUstreamWaitValue_flags,
};
use core::ffi::c_uint;
use device::memory;
use device::memory::access;
use device::memory::access::{Declared, RangeKind};
use device::stream::{Condition, WaitValue, Work, WriteValue};
use error::{Error, Result, refuse, refuse_if};

/// Checks that a stream may wait for or write a word: aligned, beginning in device memory or in page-locked host memory. Managed
/// memory, pool allocations and pageable memory are refused. Aligned words that end behind an allocation still lie in its last
/// granule or page.
fn check_word(address: u64, wide: bool) -> Result<usize> {
    let size = if wide { 8 } else { 4 };
    let address =
        usize::try_from(address).map_err(|_| refuse!(Error::INVALID_VALUE, "address {:#x} is too large", address))?;
    refuse_if!(
        Error::INVALID_VALUE,
        !address.is_multiple_of(size),
        "address {:#x} is not a multiple of {}",
        address,
        size
    );
    refuse_if!(
        Error::INVALID_VALUE,
        memory::find(address).is_some_and(|a| a.is_from_pool()),
        "address {:#x} is memory of a pool",
        address
    );
    match access::resolve(address, 1, Declared::Device, true)?.kind {
        RangeKind::Pinned | RangeKind::Registered | RangeKind::Device(_) | RangeKind::Mapped(_) => Ok(address),
        RangeKind::Pageable | RangeKind::Managed => {
            Err(refuse!(Error::INVALID_VALUE, "address {:#x} is pageable or managed memory", address))
        }
    }
}

/// Waiting for a word. `flags` are those of `cuStreamWaitValue32`; `wide` is a word of 64 bits.
pub fn wait(address: u64, value: u64, wide: bool, flags: c_uint) -> Result<Work> {
    let condition = match CUstreamWaitValue_flags(flags & !CU_STREAM_WAIT_VALUE_FLUSH.0) {
        CU_STREAM_WAIT_VALUE_GEQ => Condition::Geq,
        CU_STREAM_WAIT_VALUE_EQ => Condition::Eq,
        CU_STREAM_WAIT_VALUE_AND => Condition::And,
        CU_STREAM_WAIT_VALUE_NOR => Condition::Nor,
        _ => return Err(refuse!(Error::INVALID_VALUE, "flags {:#x} is not a CUstreamWaitValue_flags", flags)),
    };
    let address = check_word(address, wide)?;
    if flags & CU_STREAM_WAIT_VALUE_FLUSH.0 != 0 {
        // The device has no remote writes to flush (`CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES`).
        return Err(refuse!(
            Error::NOT_SUPPORTED,
            "flags {:#x} asks to flush remote writes, which this device does not have",
            flags
        ));
    }
    Ok(Work::WaitValue(WaitValue { address, value, wide, condition }))
}

/// Writing a word. `flags` are those of `cuStreamWriteValue32`; `wide` is a word of 64 bits.
pub fn write(address: u64, value: u64, wide: bool, flags: c_uint) -> Result<Work> {
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let address = check_word(address, wide)?;
    Ok(Work::WriteValue(WriteValue { address, value, wide }))
}

/// The operations of a batch, each as work. Barriers need no work: every operation sees the ones before it.
pub fn operations(count: c_uint, array: InMut<CUstreamBatchMemOpParams>) -> Result<Vec<Work>> {
    refuse_if!(
        Error::INVALID_VALUE,
        count > MOST_BATCHED_OPERATIONS,
        "count {} is more than {}",
        count,
        MOST_BATCHED_OPERATIONS
    );
    let mut works = Vec::new();
    for params in array.slice(count as usize)? {
        // SAFETY: every member of the union is valid for every bit pattern.
        let (operation, wait_params, write_params, barrier) =
            unsafe { (params.operation, params.waitValue, params.writeValue, params.memoryBarrier) };
        // SAFETY: as above.
        let (wait_value, write_value) = unsafe { (wait_params.anon0.value64, write_params.anon0.value64) };
        let low = |value: u64| u64::from(value as u32);
        works.push(match operation {
            CU_STREAM_MEM_OP_WAIT_VALUE_32 => wait(wait_params.address, low(wait_value), false, wait_params.flags)?,
            CU_STREAM_MEM_OP_WAIT_VALUE_64 => wait(wait_params.address, wait_value, true, wait_params.flags)?,
            CU_STREAM_MEM_OP_WRITE_VALUE_32 => {
                write(write_params.address, low(write_value), false, write_params.flags)?
            }
            CU_STREAM_MEM_OP_WRITE_VALUE_64 => write(write_params.address, write_value, true, write_params.flags)?,
            CU_STREAM_MEM_OP_BARRIER if barrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU.0 => continue,
            CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES => {
                return Err(refuse!(
                    Error::NOT_SUPPORTED,
                    "paramArray: operation CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES is not supported by this device"
                ));
            }
            _ => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "paramArray has an operation that is not a CUstreamBatchMemOpType, or a barrier with flags {:#x}",
                    barrier.flags
                ));
            }
        });
    }
    Ok(works)
}
