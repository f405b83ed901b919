//! Unified Addressing (attributes of addresses).

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, CUdeviceptr, CUpointer_attribute};
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use device::memory::pointer;
use device::memory::pointer::{Answer, Attribute, Value};
use device::stream::capture;
use error::{Error, Result, refuse, refuse_if};

/// The attribute with a number; an unknown number is `CUDA_ERROR_INVALID_VALUE`.
fn pointer_attribute(attribute: CUpointer_attribute) -> Result<Attribute> {
    use super::types as a;
    Ok(match attribute {
        a::CU_POINTER_ATTRIBUTE_CONTEXT => Attribute::Context,
        a::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => Attribute::MemoryType,
        a::CU_POINTER_ATTRIBUTE_DEVICE_POINTER => Attribute::DevicePointer,
        a::CU_POINTER_ATTRIBUTE_HOST_POINTER => Attribute::HostPointer,
        a::CU_POINTER_ATTRIBUTE_P2P_TOKENS => Attribute::PeerTokens,
        a::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS => Attribute::SyncMemops,
        a::CU_POINTER_ATTRIBUTE_BUFFER_ID => Attribute::BufferId,
        a::CU_POINTER_ATTRIBUTE_IS_MANAGED => Attribute::IsManaged,
        a::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => Attribute::DeviceOrdinal,
        a::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE => Attribute::IpcCapable,
        a::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => Attribute::RangeStart,
        a::CU_POINTER_ATTRIBUTE_RANGE_SIZE => Attribute::RangeSize,
        a::CU_POINTER_ATTRIBUTE_MAPPED => Attribute::Mapped,
        a::CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES => Attribute::HandleTypes,
        a::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE => Attribute::RdmaCapable,
        a::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS => Attribute::AccessFlags,
        a::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE => Attribute::Pool,
        a::CU_POINTER_ATTRIBUTE_MAPPING_SIZE => Attribute::MappingSize,
        a::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR => Attribute::MappingBase,
        a::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID => Attribute::BlockId,
        a::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE => Attribute::DecompressCapable,
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "attribute {:?} is not a CUpointer_attribute that can be asked for",
                attribute
            ));
        }
    })
}

fn write_value(place: *mut c_void, value: Value) -> Result<()> {
    match value {
        Value::Word(word) => Out::<u32>(place.cast()).set(word),
        Value::Long(long) => Out::<u64>(place.cast()).set(long),
        Value::Tokens => Out::<[u32; 3]>(place.cast()).set([0; 3]),
    }
}

/// Reads one attribute of an address: kind of memory, context, device, allocation and so on.
///
/// Two attributes that some memory does not have fail and still write: the host pointer of device memory, the
/// peer-to-peer tokens of host memory. So does the device pointer where the current context's device may not use the
/// memory, and without a current context. Memory whose tokens were asked for has `CU_POINTER_ATTRIBUTE_SYNC_MEMOPS`
/// from then on.
///
/// - `data`: receives the value, of the type that the attribute has.
/// - `attribute`: `CU_POINTER_ATTRIBUTE_*`.
/// - `ptr`: any address of the allocation.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `data` is NULL, if the attribute is unknown, if no memory is at the address,
/// or if the memory does not have the attribute; `CUDA_ERROR_INVALID_CONTEXT` for the device pointer without a current
/// context.
///
/// Manual: Unified Addressing.
#[entry(since = 4000, needs = init)]
pub fn cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> Result<()> {
    let known = pointer_attribute(attribute)?;
    refuse_if!(Error::INVALID_VALUE, data.is_null(), "data is NULL");
    let answer = match known {
        Attribute::PeerTokens => pointer::tokens(ptr as usize),
        _ => pointer::get(known, ptr as usize),
    };
    match answer {
        Answer::Is(value) => write_value(data, value),
        Answer::Lacks(value, error) => write_value(data, value).and(Err(error)),
        Answer::Unknown(_) => {
            Err(refuse!(Error::INVALID_VALUE, "ptr {:#x} is not an address of memory that CUDA knows", ptr))
        }
    }
}

/// Changes an attribute of the allocation at an address.
///
/// - `value`: an `unsigned int`: whether every operation on the memory is synchronous.
/// - `attribute`: `CU_POINTER_ATTRIBUTE_SYNC_MEMOPS`.
/// - `ptr`: any address of the allocation.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `value` is NULL, if no memory is at the address, or for any other attribute;
/// `CUDA_ERROR_NOT_SUPPORTED` for mapped memory; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the
/// call.
///
/// Manual: Unified Addressing.
#[entry(since = 6000, needs = init)]
pub fn cuPointerSetAttribute(value: *const c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> Result<()> {
    capture::check_call()?;
    refuse_if!(Error::INVALID_VALUE, value.is_null(), "value is NULL");
    pointer::check_settable(ptr as usize)?;
    refuse_if!(
        Error::INVALID_VALUE,
        attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
        "attribute {:?} cannot be set",
        attribute
    );
    let on = In::<c_uint>(value.cast()).get()?;
    pointer::set_sync_memops(ptr as usize, on != 0)
}

/// Reads several attributes of an address.
///
/// An unknown address is no error: its values are null pointers, zeros, device -2 and the host pointer as given; the
/// range of the allocation stays unwritten. The first attribute that is wrong ends the call; what comes before it has
/// been written.
///
/// - `numAttributes`: number of attributes, at least 1.
/// - `attributes`: array of `CU_POINTER_ATTRIBUTE_*`; not the peer-to-peer tokens, which have to be asked for alone.
/// - `data`: array of addresses, which receive the values.
/// - `ptr`: any address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `numAttributes` is 0, if an array or an address is NULL, or if an attribute is
/// unknown or the peer-to-peer tokens.
///
/// Manual: Unified Addressing.
#[entry(since = 7000, needs = init)]
pub fn cuPointerGetAttributes(
    numAttributes: c_uint,
    attributes: InMut<CUpointer_attribute>,
    data: InMut<*mut c_void>,
    ptr: CUdeviceptr,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, numAttributes == 0, "numAttributes is 0");
    let attributes = attributes.slice(numAttributes as usize)?;
    let data = data.slice(numAttributes as usize)?;
    for (attribute, place) in attributes.into_iter().zip(data) {
        let known = pointer_attribute(attribute)?;
        refuse_if!(Error::INVALID_VALUE, place.is_null(), "data has a NULL pointer, for attribute {:?}", attribute);
        refuse_if!(
            Error::INVALID_VALUE,
            known == Attribute::PeerTokens,
            "attributes has {:?}, which cannot be asked for in a list",
            attribute
        );
        match pointer::get(known, ptr as usize) {
            Answer::Is(value) | Answer::Lacks(value, _) | Answer::Unknown(Some(value)) => write_value(place, value)?,
            Answer::Unknown(None) => {}
        }
    }
    Ok(())
}
