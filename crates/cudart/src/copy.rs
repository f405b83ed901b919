//! Copies and memsets of linear memory.

use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{Address, DriverCopy2D, Extent, Handle, PitchedPtr};
use core::ffi::{c_int, c_void};

/// `cudaMemcpyKind`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    /// The driver finds out by the addresses.
    Default,
}

/// `CUmemorytype`
pub const HOST: u32 = 1;
pub const DEVICE: u32 = 2;
pub const ARRAY: u32 = 3;
pub const UNIFIED: u32 = 4;

impl CopyKind {
    /// Reads what a program passed.
    pub fn parse(kind: c_int) -> Result<CopyKind> {
        Ok(match kind {
            0 => CopyKind::HostToHost,
            1 => CopyKind::HostToDevice,
            2 => CopyKind::DeviceToHost,
            3 => CopyKind::DeviceToDevice,
            4 => CopyKind::Default,
            _ => return Err(Error::INVALID_MEMCPY_DIRECTION),
        })
    }

    /// The driver's memory type of the source.
    pub fn source(self) -> u32 {
        match self {
            CopyKind::HostToHost | CopyKind::HostToDevice => HOST,
            CopyKind::DeviceToHost | CopyKind::DeviceToDevice => DEVICE,
            CopyKind::Default => UNIFIED,
        }
    }

    /// The driver's memory type of the destination.
    pub fn destination(self) -> u32 {
        match self {
            CopyKind::HostToHost | CopyKind::DeviceToHost => HOST,
            CopyKind::HostToDevice | CopyKind::DeviceToDevice => DEVICE,
            CopyKind::Default => UNIFIED,
        }
    }
}

/// How a call relates to streams.
#[derive(Clone, Copy)]
pub enum Order {
    /// Returns when it is done; `true`: after the per-thread default stream instead of the legacy one.
    Now(bool),
    /// In a stream; `true`: 0 is the per-thread default stream.
    Stream(bool, Handle),
}

/// A rectangle between two places in linear memory.
pub fn rectangle(
    dst: *mut c_void,
    dst_pitch: usize,
    src: *const c_void,
    src_pitch: usize,
    width: usize,
    height: usize,
    kind: CopyKind,
) -> DriverCopy2D {
    let mut copy = DriverCopy2D::zero();
    copy.src_type = kind.source();
    copy.dst_type = kind.destination();
    if copy.src_type == HOST {
        copy.src_host = src;
    } else {
        copy.src_device = src as Address;
    }
    if copy.dst_type == HOST {
        copy.dst_host = dst;
    } else {
        copy.dst_device = dst as Address;
    }
    copy.src_pitch = src_pitch;
    copy.dst_pitch = dst_pitch;
    copy.width = width;
    copy.height = height;
    copy
}

/// Hands a rectangle to the driver.
pub fn copy_2d(copy: &DriverCopy2D, order: Order) -> Result {
    match order {
        Order::Now(per_thread) => drv::cuMemcpy2DUnaligned_v2(per_thread, &raw const *copy),
        Order::Stream(per_thread, stream) => drv::cuMemcpy2DAsync_v2(per_thread, &raw const *copy, stream),
    }
}

/// A copy of `count` bytes.
pub fn linear(dst: *mut c_void, src: *const c_void, count: usize, kind: c_int, order: Order) -> Result {
    let kind = CopyKind::parse(kind)?;
    if count == 0 {
        return Ok(());
    }
    if kind == CopyKind::HostToHost {
        return copy_2d(&rectangle(dst, count, src, count, count, 1, kind), order);
    }
    match (kind, order) {
        (CopyKind::HostToDevice, Order::Now(pt)) => drv::cuMemcpyHtoD_v2(pt, dst, src, count),
        (CopyKind::DeviceToHost, Order::Now(pt)) => drv::cuMemcpyDtoH_v2(pt, dst, src, count),
        (CopyKind::DeviceToDevice, Order::Now(pt)) => drv::cuMemcpyDtoD_v2(pt, dst, src, count),
        (_, Order::Now(pt)) => drv::cuMemcpy(pt, dst, src, count),
        (CopyKind::HostToDevice, Order::Stream(pt, s)) => drv::cuMemcpyHtoDAsync_v2(pt, dst, src, count, s),
        (CopyKind::DeviceToHost, Order::Stream(pt, s)) => drv::cuMemcpyDtoHAsync_v2(pt, dst, src, count, s),
        (CopyKind::DeviceToDevice, Order::Stream(pt, s)) => drv::cuMemcpyDtoDAsync_v2(pt, dst, src, count, s),
        (_, Order::Stream(pt, s)) => drv::cuMemcpyAsync(pt, dst, src, count, s),
    }
}

fn pitched(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: c_int,
    order: Order,
) -> Result {
    let kind = CopyKind::parse(kind)?;
    if width == 0 || height == 0 {
        return Ok(());
    }
    if width > dpitch || width > spitch {
        return Err(Error::INVALID_PITCH_VALUE);
    }
    copy_2d(&rectangle(dst, dpitch, src, spitch, width, height, kind), order)
}

fn memset(ptr: *mut c_void, value: c_int, count: usize, order: Order) -> Result {
    if count == 0 {
        return Ok(());
    }
    match order {
        Order::Now(pt) => drv::cuMemsetD8_v2(pt, ptr, value as u8, count),
        Order::Stream(pt, s) => drv::cuMemsetD8Async(pt, ptr, value as u8, count, s),
    }
}

fn memset_2d(ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, order: Order) -> Result {
    if width == 0 || height == 0 {
        return Ok(());
    }
    match order {
        Order::Now(pt) => drv::cuMemsetD2D8_v2(pt, ptr, pitch, value as u8, width, height),
        Order::Stream(pt, s) => drv::cuMemsetD2D8Async(pt, ptr, pitch, value as u8, width, height, s),
    }
}

fn memset_3d(ptr: PitchedPtr, value: c_int, extent: Extent, order: Order) -> Result {
    if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
        return Ok(());
    }
    // Slices that follow each other without a gap are one rectangle.
    if extent.depth == 1 || extent.height == ptr.ysize {
        let rows = extent.height.checked_mul(extent.depth).ok_or(Error::INVALID_VALUE)?;
        return memset_2d(ptr.ptr, ptr.pitch, value, extent.width, rows, order);
    }
    let slice = ptr.pitch.checked_mul(ptr.ysize).ok_or(Error::INVALID_VALUE)?;
    let last = slice.checked_mul(extent.depth - 1).ok_or(Error::INVALID_VALUE)?;
    if slice == 0 || (ptr.ptr as usize).checked_add(last).is_none() {
        return Err(Error::INVALID_VALUE);
    }
    for z in 0..extent.depth {
        let at = ptr.ptr.wrapping_byte_add(z * slice);
        memset_2d(at, ptr.pitch, value, extent.width, extent.height, order)?;
    }
    Ok(())
}

api! {
    /// Copies `count` bytes; returns when the program may use both places.
    fn cudaMemcpy / cudaMemcpy_ptds(dst: *mut c_void, src: *const c_void, count: usize, kind: c_int) |pt| {
        linear(dst, src, count, kind, Order::Now(pt))
    }

    /// Copies `count` bytes in the order of a stream.
    fn cudaMemcpyAsync / cudaMemcpyAsync_ptsz(
        dst: *mut c_void, src: *const c_void, count: usize, kind: c_int, stream: Handle,
    ) |pt| {
        linear(dst, src, count, kind, Order::Stream(pt, stream))
    }

    /// Copies `height` rows of `width` bytes.
    fn cudaMemcpy2D / cudaMemcpy2D_ptds(
        dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: c_int,
    ) |pt| {
        pitched(dst, dpitch, src, spitch, width, height, kind, Order::Now(pt))
    }

    /// `cudaMemcpy2D` in the order of a stream.
    fn cudaMemcpy2DAsync / cudaMemcpy2DAsync_ptsz(
        dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: c_int,
        stream: Handle,
    ) |pt| {
        pitched(dst, dpitch, src, spitch, width, height, kind, Order::Stream(pt, stream))
    }

    /// Fills `count` bytes.
    fn cudaMemset / cudaMemset_ptds(ptr: *mut c_void, value: c_int, count: usize) |pt| {
        memset(ptr, value, count, Order::Now(pt))
    }

    /// Fills `count` bytes in the order of a stream.
    fn cudaMemsetAsync / cudaMemsetAsync_ptsz(ptr: *mut c_void, value: c_int, count: usize, stream: Handle) |pt| {
        memset(ptr, value, count, Order::Stream(pt, stream))
    }

    /// Fills `height` rows of `width` bytes.
    fn cudaMemset2D / cudaMemset2D_ptds(ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize) |pt| {
        memset_2d(ptr, pitch, value, width, height, Order::Now(pt))
    }

    /// `cudaMemset2D` in the order of a stream.
    fn cudaMemset2DAsync / cudaMemset2DAsync_ptsz(
        ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, stream: Handle,
    ) |pt| {
        memset_2d(ptr, pitch, value, width, height, Order::Stream(pt, stream))
    }

    /// Fills a box in pitched memory.
    fn cudaMemset3D / cudaMemset3D_ptds(ptr: PitchedPtr, value: c_int, extent: Extent) |pt| {
        memset_3d(ptr, value, extent, Order::Now(pt))
    }

    /// `cudaMemset3D` in the order of a stream.
    fn cudaMemset3DAsync / cudaMemset3DAsync_ptsz(ptr: PitchedPtr, value: c_int, extent: Extent, stream: Handle) |pt| {
        memset_3d(ptr, value, extent, Order::Stream(pt, stream))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        assert_eq!(CopyKind::parse(-1), Err(Error::INVALID_MEMCPY_DIRECTION));
        assert_eq!(CopyKind::parse(5), Err(Error::INVALID_MEMCPY_DIRECTION));
        assert_eq!(CopyKind::parse(4), Ok(CopyKind::Default));
        assert_eq!((CopyKind::HostToDevice.source(), CopyKind::HostToDevice.destination()), (HOST, DEVICE));
    }
}
