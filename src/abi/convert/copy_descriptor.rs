//! Converts the descriptors of rectangle and box copies to types of the device.

use crate::abi::types::{
    CU_MEMORYTYPE_ARRAY, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_UNIFIED, CUDA_MEMCPY2D, CUDA_MEMCPY3D,
    CUDA_MEMCPY3D_PEER, CUarray, CUcontext, CUdeviceptr, CUmemorytype,
};
use core::ffi::c_void;
use device::copy::box_copy::{Corner, Extent, Operand};
use device::memory;
use device::memory::access::Declared;
use device::stream::context::Context;
use error::{Error, Result, refuse};

/// A copy as a descriptor describes it: destination, source, size.
pub struct Described {
    /// Destination, and where in it the box begins.
    pub dst: (Operand, Corner),
    /// Source, and where in it the box begins.
    pub src: (Operand, Corner),
    /// Size of the box.
    pub extent: Extent,
}

/// One side of a descriptor. The members that its type does not name are ignored. Small copies spend much of their time here.
#[inline(always)]
fn operand(
    kind: CUmemorytype,
    host: *const c_void,
    device: CUdeviceptr,
    array: CUarray,
    (pitch, height): (usize, usize),
    level: usize,
) -> Result<Operand> {
    let memory = |base, declared| Ok(Operand::Memory { base, declared, pitch, height });
    match kind {
        CU_MEMORYTYPE_HOST => memory(host as usize, Declared::Host),
        CU_MEMORYTYPE_DEVICE => memory(device as usize, Declared::Device),
        CU_MEMORYTYPE_UNIFIED => memory(device as usize, Declared::Unified),
        // The driver knows no other level of an array than 0.
        CU_MEMORYTYPE_ARRAY if level == 0 => Ok(Operand::Array(array.0)),
        // The real driver ignores the type that a descriptor gives for mapped memory.
        _ => {
            mapped(kind, device, level)?;
            memory(device as usize, Declared::Device)
        }
    }
}

/// Whether a side of another type is mapped memory.
#[cold]
#[inline(never)]
fn mapped(kind: CUmemorytype, device: CUdeviceptr, level: usize) -> Result<()> {
    if kind != CU_MEMORYTYPE_ARRAY && is_mapped(device as usize) {
        return Ok(());
    }
    Err(refuse!(
        Error::INVALID_VALUE,
        "srcMemoryType or dstMemoryType {:?} is not a CUmemorytype, or the LOD {} of an array is not 0",
        kind,
        level
    ))
}

fn is_mapped(address: usize) -> bool {
    memory::find(address).is_some_and(|allocation| allocation.kind == memory::MemoryKind::Mapped)
}

impl Described {
    /// Reads a rectangle. `None` if it is empty: nothing else is checked then.
    #[inline]
    pub fn rectangle(c: &CUDA_MEMCPY2D) -> Result<Option<Described>> {
        if c.WidthInBytes == 0 || c.Height == 0 {
            return Ok(None);
        }
        let dst = operand(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, (c.dstPitch, 0), 0)?;
        let src = operand(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, (c.srcPitch, 0), 0)?;
        Ok(Some(Described {
            dst: (dst, Corner { x: c.dstXInBytes, y: c.dstY, z: 0 }),
            src: (src, Corner { x: c.srcXInBytes, y: c.srcY, z: 0 }),
            extent: Extent { width: c.WidthInBytes, height: c.Height, depth: 1 },
        }))
    }

    /// Reads a box. `None` if it is empty: nothing else is checked then.
    pub fn of_box(c: &CUDA_MEMCPY3D) -> Result<Option<Described>> {
        if c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0 {
            return Ok(None);
        }
        let (to, from) = ((c.dstPitch, c.dstHeight), (c.srcPitch, c.srcHeight));
        let dst = operand(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, to, c.dstLOD)?;
        let src = operand(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, from, c.srcLOD)?;
        Ok(Some(Described {
            dst: (dst, Corner { x: c.dstXInBytes, y: c.dstY, z: c.dstZ }),
            src: (src, Corner { x: c.srcXInBytes, y: c.srcY, z: c.srcZ }),
            extent: Extent { width: c.WidthInBytes, height: c.Height, depth: c.Depth },
        }))
    }
}

/// The box that a peer copy describes, without its contexts.
pub fn peer_box(c: &CUDA_MEMCPY3D_PEER) -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcXInBytes: c.srcXInBytes,
        srcY: c.srcY,
        srcZ: c.srcZ,
        srcLOD: c.srcLOD,
        srcMemoryType: c.srcMemoryType,
        srcHost: c.srcHost,
        srcDevice: c.srcDevice,
        srcArray: c.srcArray,
        srcPitch: c.srcPitch,
        srcHeight: c.srcHeight,
        dstXInBytes: c.dstXInBytes,
        dstY: c.dstY,
        dstZ: c.dstZ,
        dstLOD: c.dstLOD,
        dstMemoryType: c.dstMemoryType,
        dstHost: c.dstHost,
        dstDevice: c.dstDevice,
        dstArray: c.dstArray,
        dstPitch: c.dstPitch,
        dstHeight: c.dstHeight,
        WidthInBytes: c.WidthInBytes,
        Height: c.Height,
        Depth: c.Depth,
        ..Default::default()
    }
}

/// The device of a context that a peer copy names: that side of the copy has its rights. `NULL` is the current
/// context.
pub fn peer_device(handle: CUcontext) -> Result<Option<u32>> {
    if handle.is_null() {
        return Ok(None);
    }
    let context = Context::find(handle.0)?;
    if context.is_alive() {
        Ok(Some(context.device.ordinal))
    } else {
        Err(refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is a context that is being destroyed", handle.0))
    }
}
