//! Arrays and mipmapped arrays, channel formats, and every copy that an array takes part in.

use crate::context;
use crate::copy::{ARRAY, CopyKind, HOST, Order, UNIFIED};
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{
    Address, ArrayDescriptor, ChannelFormat, DriverCopy3D, Extent, Handle, Memcpy3DParams, Memcpy3DPeerParams, NULL,
    PitchedPtr, Pos,
};
use crate::user;
use core::ffi::{c_int, c_uint, c_void};

const SIGNED: c_int = 0;
const UNSIGNED: c_int = 1;
const FLOAT: c_int = 2;

/// Formats whose kind alone says the driver's format: (first kind, last kind, driver's first format).
const NAMED: [(c_int, c_int, u32); 6] = [
    (4, 4, 0xb0),   // NV12
    (5, 10, 0xc0),  // unsigned normalized
    (11, 16, 0xc6), // signed normalized
    (17, 30, 0x91), // block compressed
    (31, 31, 0x50), // 10, 10, 10, 2 bits
    (32, 45, 0x51), // packed, semi-planar, planar
];

/// The driver's format and number of channels for a channel description.
pub fn driver_format(desc: ChannelFormat) -> Result<(u32, u32)> {
    let bits = [desc.x, desc.y, desc.z, desc.w];
    let channels = bits.iter().take_while(|&&b| b != 0).count();
    let bad = Error::INVALID_CHANNEL_DESCRIPTOR;
    if channels == 0 || bits[channels..].iter().any(|&b| b != 0) {
        return Err(bad);
    }
    if let Some(&(first, _, format)) = NAMED.iter().find(|n| (n.0..=n.1).contains(&desc.kind)) {
        return Ok((format + (desc.kind - first) as u32, channels as u32));
    }
    if channels == 3 || bits[..channels].iter().any(|&b| b != bits[0]) {
        return Err(bad);
    }
    let format = match (desc.kind, bits[0]) {
        (UNSIGNED, 8) => 0x01,
        (UNSIGNED, 16) => 0x02,
        (UNSIGNED, 32) => 0x03,
        (SIGNED, 8) => 0x08,
        (SIGNED, 16) => 0x09,
        (SIGNED, 32) => 0x0a,
        (FLOAT, 16) => 0x10,
        (FLOAT, 32) => 0x20,
        _ => return Err(bad),
    };
    Ok((format, channels as u32))
}

/// The channel description of a driver's format.
pub fn channel_format(format: u32, channels: u32) -> Result<ChannelFormat> {
    let plain = match format {
        0x01 => Some((UNSIGNED, 8)),
        0x02 => Some((UNSIGNED, 16)),
        0x03 => Some((UNSIGNED, 32)),
        0x08 => Some((SIGNED, 8)),
        0x09 => Some((SIGNED, 16)),
        0x0a => Some((SIGNED, 32)),
        0x10 => Some((FLOAT, 16)),
        0x20 => Some((FLOAT, 32)),
        _ => None,
    };
    let (kind, bits) = match plain {
        Some(found) => found,
        None => {
            let range = NAMED.iter().find(|n| format >= n.2 && format - n.2 <= (n.1 - n.0) as u32);
            let &(first, _, start) = range.ok_or(Error::INVALID_CHANNEL_DESCRIPTOR)?;
            let kind = first + (format - start) as c_int;
            let bits = match kind {
                8..=10 | 14..=16 | 27 | 28 | 35 | 37 | 39 | 41 | 43 | 45 => 16,
                _ => 8,
            };
            (kind, bits)
        }
    };
    let bit = |i| if channels > i { bits } else { 0 };
    if kind == 31 {
        return Ok(ChannelFormat { x: 10, y: 10, z: 10, w: 2, kind });
    }
    Ok(ChannelFormat { x: bit(0), y: bit(1), z: bit(2), w: bit(3), kind })
}

/// Bytes of one element as the copies count them; a block of a compressed format is one element.
fn element_size(desc: &ArrayDescriptor) -> usize {
    let bytes = match desc.format {
        0x01 | 0x08 | 0xc0..=0xc2 | 0xc6..=0xc8 => 1,
        0x02 | 0x09 | 0x10 | 0xc3..=0xc5 | 0xc9..=0xcb => 2,
        0x03 | 0x0a | 0x20 => 4,
        0x91 | 0x92 | 0x97 | 0x98 => return 8,
        0x93..=0x96 | 0x99..=0x9e => return 16,
        0x50 => return 4,
        _ => 1,
    };
    bytes * desc.channels as usize
}

fn descriptor(array: Handle) -> Result<ArrayDescriptor> {
    let mut desc = ArrayDescriptor::zero();
    drv::cuArray3DGetDescriptor_v2(&raw mut desc, array)?;
    Ok(desc)
}

/// The driver's description of a new array.
fn describe(desc: *const ChannelFormat, extent: Extent, flags: c_uint) -> Result<ArrayDescriptor> {
    let (format, channels) = driver_format(user::read(desc)?)?;
    Ok(ArrayDescriptor { width: extent.width, height: extent.height, depth: extent.depth, format, channels, flags })
}

/// One end of a copy of a box.
enum End {
    /// An array, and the size of its elements.
    Array(Handle, usize),
    Linear(PitchedPtr),
}

fn end(array: Handle, ptr: PitchedPtr) -> Result<End> {
    match (array.is_null(), ptr.ptr.is_null()) {
        (false, true) => Ok(End::Array(array, element_size(&descriptor(array)?))),
        (true, false) => Ok(End::Linear(ptr)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// The driver's form of a copy of a box; `None`: nothing to copy.
pub fn driver_copy(p: &Memcpy3DParams) -> Result<Option<DriverCopy3D>> {
    let kind = CopyKind::parse(p.kind)?;
    if p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0 {
        return Ok(None);
    }
    let src = end(p.src_array, p.src_ptr)?;
    let dst = end(p.dst_array, p.dst_ptr)?;
    let element = match (&src, &dst) {
        (End::Array(_, a), End::Array(_, b)) if a != b => return Err(Error::INVALID_VALUE),
        (End::Array(_, a), _) | (_, End::Array(_, a)) => *a,
        _ => 1,
    };
    let bytes = |n: usize, size: usize| n.checked_mul(size).ok_or(Error::INVALID_VALUE);
    let mut c = DriverCopy3D::zero();
    match src {
        End::Array(array, size) => {
            if kind.source() == HOST {
                return Err(Error::INVALID_VALUE);
            }
            (c.src_type, c.src_array, c.src_x) = (ARRAY, array, bytes(p.src_pos.x, size)?);
        }
        End::Linear(ptr) => {
            c.src_type = kind.source();
            if c.src_type == HOST {
                c.src_host = ptr.ptr
            } else {
                c.src_device = ptr.ptr as Address
            }
            (c.src_pitch, c.src_height, c.src_x) = (ptr.pitch, ptr.ysize, p.src_pos.x);
        }
    }
    match dst {
        End::Array(array, size) => {
            if kind.destination() == HOST {
                return Err(Error::INVALID_VALUE);
            }
            (c.dst_type, c.dst_array, c.dst_x) = (ARRAY, array, bytes(p.dst_pos.x, size)?);
        }
        End::Linear(ptr) => {
            c.dst_type = kind.destination();
            if c.dst_type == HOST {
                c.dst_host = ptr.ptr
            } else {
                c.dst_device = ptr.ptr as Address
            }
            (c.dst_pitch, c.dst_height, c.dst_x) = (ptr.pitch, ptr.ysize, p.dst_pos.x);
        }
    }
    (c.src_y, c.src_z, c.dst_y, c.dst_z) = (p.src_pos.y, p.src_pos.z, p.dst_pos.y, p.dst_pos.z);
    (c.width, c.height, c.depth) = (bytes(p.extent.width, element)?, p.extent.height, p.extent.depth);
    Ok(Some(c))
}

fn copy_3d(copy: &DriverCopy3D, order: Order) -> Result {
    match order {
        Order::Now(pt) => drv::cuMemcpy3D_v2(pt, &raw const *copy),
        Order::Stream(pt, stream) => drv::cuMemcpy3DAsync_v2(pt, &raw const *copy, stream),
    }
}

fn box_copy(p: *const Memcpy3DParams, order: Order) -> Result {
    match driver_copy(&user::read(p)?)? {
        Some(copy) => copy_3d(&copy, order),
        None => Ok(()),
    }
}

fn box_copy_peer(p: *const Memcpy3DPeerParams, order: Order) -> Result {
    let p = user::read(p)?;
    let plain = Memcpy3DParams {
        src_array: p.src_array,
        src_pos: p.src_pos,
        src_ptr: p.src_ptr,
        dst_array: p.dst_array,
        dst_pos: p.dst_pos,
        dst_ptr: p.dst_ptr,
        extent: p.extent,
        kind: 3,
    };
    context::check_device(p.src_device)?;
    context::check_device(p.dst_device)?;
    let Some(mut copy) = driver_copy(&plain)? else { return Ok(()) };
    copy.src_context = context::primary(p.src_device)?;
    copy.dst_context = context::primary(p.dst_device)?;
    match order {
        Order::Now(pt) => drv::cuMemcpy3DPeer(pt, &raw const copy),
        Order::Stream(pt, stream) => drv::cuMemcpy3DPeerAsync(pt, &raw const copy, stream),
    }
}

/// Which way a copy between an array and linear memory goes.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    ToArray,
    FromArray,
}

/// A point in an array: bytes from the left, rows from the top.
#[derive(Clone, Copy)]
struct ArrayPoint {
    array: Handle,
    x: usize,
    y: usize,
}

/// Checks the direction: the array is on the device.
fn direction(kind: c_int, way: Way) -> Result<CopyKind> {
    let kind = CopyKind::parse(kind)?;
    let array_side = if way == Way::ToArray { kind.destination() } else { kind.source() };
    if array_side == HOST { Err(Error::INVALID_MEMCPY_DIRECTION) } else { Ok(kind) }
}

/// A rectangle of an array to or from linear memory.
fn part(
    at: ArrayPoint,
    ptr: *const c_void,
    pitch: usize,
    width: usize,
    height: usize,
    kind: CopyKind,
    way: Way,
) -> DriverCopy3D {
    let mut c = DriverCopy3D::zero();
    match way {
        Way::FromArray => {
            (c.src_type, c.src_array, c.src_x, c.src_y) = (ARRAY, at.array, at.x, at.y);
            (c.dst_type, c.dst_pitch) = (kind.destination(), pitch);
            if c.dst_type == HOST { c.dst_host = ptr.cast_mut() } else { c.dst_device = ptr as Address }
        }
        Way::ToArray => {
            (c.dst_type, c.dst_array, c.dst_x, c.dst_y) = (ARRAY, at.array, at.x, at.y);
            (c.src_type, c.src_pitch) = (kind.source(), pitch);
            if c.src_type == HOST { c.src_host = ptr } else { c.src_device = ptr as Address }
        }
    }
    (c.width, c.height, c.depth) = (width, height, 1);
    c
}

/// The pieces of a copy of `count` bytes that runs through rows of `row` bytes from `x` on: the rest of the first row,
/// whole rows, the beginning of the last. Each is (column, row, bytes a row, rows, bytes before it).
fn pieces(row: usize, x: usize, y: usize, count: usize) -> Vec<(usize, usize, usize, usize, usize)> {
    let mut pieces = Vec::new();
    let (mut y, mut done) = (y, 0);
    if x > 0 || row == 0 {
        // Outside of the array: the driver's job to say so.
        let head = if x < row { count.min(row - x) } else { count };
        pieces.push((x, y, head, 1, 0));
        done = head;
        y = y.wrapping_add(1);
    }
    if row > 0 && count - done >= row {
        let rows = (count - done) / row;
        pieces.push((0, y, row, rows, done));
        done += rows * row;
        y = y.wrapping_add(rows);
    }
    if done < count {
        pieces.push((0, y, count - done, 1, done));
    }
    pieces
}

/// `cudaMemcpyToArray` and its relatives.
fn stretch(at: ArrayPoint, ptr: *const c_void, count: usize, kind: c_int, way: Way, order: Order) -> Result {
    let kind = direction(kind, way)?;
    if count == 0 {
        return Ok(());
    }
    let desc = descriptor(at.array)?;
    let row = desc.width.saturating_mul(element_size(&desc));
    for (x, y, width, height, before) in pieces(row, at.x, at.y, count) {
        let place = ArrayPoint { array: at.array, x, y };
        copy_3d(&part(place, ptr.wrapping_byte_add(before), row, width, height, kind, way), order)?;
    }
    Ok(())
}

/// `cudaMemcpy2DToArray` and its relatives.
fn rectangle(
    at: ArrayPoint,
    ptr: *const c_void,
    pitch: usize,
    width: usize,
    height: usize,
    kind: c_int,
    way: Way,
    order: Order,
) -> Result {
    let kind = direction(kind, way)?;
    if width == 0 || height == 0 {
        return Ok(());
    }
    if width > pitch {
        return Err(Error::INVALID_PITCH_VALUE);
    }
    descriptor(at.array)?;
    copy_3d(&part(at, ptr, pitch, width, height, kind, way), order)
}

/// Between two arrays by way of linear memory, since rows may be of different length.
fn array_to_array(dst: ArrayPoint, src: ArrayPoint, count: usize, kind: c_int, per_thread: bool) -> Result {
    direction(kind, Way::FromArray)?;
    direction(kind, Way::ToArray)?;
    if count == 0 {
        return Ok(());
    }
    let mut between: Address = 0;
    drv::cuMemAlloc_v2(&raw mut between, count)?;
    let order = Order::Now(per_thread);
    let ptr = between as *const c_void;
    let result = stretch(src, ptr, count, 3, Way::FromArray, order)
        .and_then(|()| stretch(dst, ptr, count, 3, Way::ToArray, order));
    drv::cuMemFree_v2(between)?;
    result
}

fn array_to_array_2d(
    dst: ArrayPoint,
    src: ArrayPoint,
    width: usize,
    height: usize,
    kind: c_int,
    order: Order,
) -> Result {
    direction(kind, Way::FromArray)?;
    direction(kind, Way::ToArray)?;
    if width == 0 || height == 0 {
        return Ok(());
    }
    let mut c = DriverCopy3D::zero();
    (c.src_type, c.src_array, c.src_x, c.src_y) = (ARRAY, src.array, src.x, src.y);
    (c.dst_type, c.dst_array, c.dst_x, c.dst_y) = (ARRAY, dst.array, dst.x, dst.y);
    (c.width, c.height, c.depth) = (width, height, 1);
    copy_3d(&c, order)
}

/// Makes a channel description.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn cudaCreateChannelDesc(x: c_int, y: c_int, z: c_int, w: c_int, kind: c_int) -> ChannelFormat {
    ChannelFormat { x, y, z, w, kind }
}

api! {
    /// Makes an array of one or two dimensions (`height` 0: one).
    fn cudaMallocArray(array: *mut Handle, desc: *const ChannelFormat, width: usize, height: usize, flags: c_uint) {
        if array.is_null() || desc.is_null() || width == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let extent = Extent { width, height, depth: 0 };
        drv::cuArray3DCreate_v2(array, &describe(desc, extent, flags)?)
    }

    /// Makes an array of up to three dimensions, layered or a cube map by `flags`.
    fn cudaMalloc3DArray(array: *mut Handle, desc: *const ChannelFormat, extent: Extent, flags: c_uint) {
        if array.is_null() || desc.is_null() || extent.width == 0 {
            return Err(Error::INVALID_VALUE);
        }
        drv::cuArray3DCreate_v2(array, &describe(desc, extent, flags)?)
    }

    /// Makes an array with levels of detail.
    fn cudaMallocMipmappedArray(
        mipmap: *mut Handle, desc: *const ChannelFormat, extent: Extent, levels: c_uint, flags: c_uint,
    ) {
        if mipmap.is_null() || desc.is_null() || extent.width == 0 {
            return Err(Error::INVALID_VALUE);
        }
        drv::cuMipmappedArrayCreate(mipmap, &describe(desc, extent, flags)?, levels)
    }

    /// Frees an array; NULL is nothing to free.
    fn cudaFreeArray(array: Handle) {
        if array.is_null() { Ok(()) } else { drv::cuArrayDestroy(array) }
    }

    /// Frees a mipmapped array; NULL is nothing to free.
    fn cudaFreeMipmappedArray(mipmap: Handle) {
        if mipmap.is_null() { Ok(()) } else { drv::cuMipmappedArrayDestroy(mipmap) }
    }

    /// One level of a mipmapped array.
    fn cudaGetMipmappedArrayLevel(array: *mut Handle, mipmap: Handle, level: c_uint) {
        drv::cuMipmappedArrayGetLevel(array, mipmap, level)
    }

    /// One plane of an array with several.
    fn cudaArrayGetPlane(plane: *mut Handle, array: Handle, index: c_uint) {
        drv::cuArrayGetPlane(plane, array, index)
    }

    /// What an array was made with; each output may be NULL.
    fn cudaArrayGetInfo(desc: *mut ChannelFormat, extent: *mut Extent, flags: *mut c_uint, array: Handle) {
        let d = descriptor(array)?;
        if !desc.is_null() {
            user::write(desc, channel_format(d.format, d.channels)?)?;
        }
        if !extent.is_null() {
            user::write(extent, Extent { width: d.width, height: d.height, depth: d.depth })?;
        }
        if !flags.is_null() {
            user::write(flags, d.flags)?;
        }
        Ok(())
    }

    /// The channel description of an array.
    fn cudaGetChannelDesc(desc: *mut ChannelFormat, array: Handle) {
        let d = descriptor(array)?;
        user::write(desc, channel_format(d.format, d.channels)?)
    }

    /// Size and alignment of the memory that a deferred array wants.
    fn cudaArrayGetMemoryRequirements(requirements: *mut c_void, array: Handle, device: c_int) {
        drv::cuArrayGetMemoryRequirements(requirements, array, device)
    }

    /// Size and alignment of the memory that a deferred mipmapped array wants.
    fn cudaMipmappedArrayGetMemoryRequirements(requirements: *mut c_void, mipmap: Handle, device: c_int) {
        drv::cuMipmappedArrayGetMemoryRequirements(requirements, mipmap, device)
    }

    /// Tiles of a sparse array.
    fn cudaArrayGetSparseProperties(properties: *mut c_void, array: Handle) {
        drv::cuArrayGetSparseProperties(properties, array)
    }

    /// Tiles of a sparse mipmapped array.
    fn cudaMipmappedArrayGetSparseProperties(properties: *mut c_void, mipmap: Handle) {
        drv::cuMipmappedArrayGetSparseProperties(properties, mipmap)
    }

    /// Copies a box between arrays and pitched memory.
    fn cudaMemcpy3D / cudaMemcpy3D_ptds(p: *const Memcpy3DParams) |pt| {
        box_copy(p, Order::Now(pt))
    }

    /// `cudaMemcpy3D` in the order of a stream.
    fn cudaMemcpy3DAsync / cudaMemcpy3DAsync_ptsz(p: *const Memcpy3DParams, stream: Handle) |pt| {
        box_copy(p, Order::Stream(pt, stream))
    }

    /// Copies a box between the memories of two devices.
    fn cudaMemcpy3DPeer / cudaMemcpy3DPeer_ptds(p: *const Memcpy3DPeerParams) |pt| {
        box_copy_peer(p, Order::Now(pt))
    }

    /// `cudaMemcpy3DPeer` in the order of a stream.
    fn cudaMemcpy3DPeerAsync / cudaMemcpy3DPeerAsync_ptsz(p: *const Memcpy3DPeerParams, stream: Handle) |pt| {
        box_copy_peer(p, Order::Stream(pt, stream))
    }

    /// Copies `count` bytes into an array, row after row (deprecated).
    fn cudaMemcpyToArray / cudaMemcpyToArray_ptds(
        dst: Handle, x: usize, y: usize, src: *const c_void, count: usize, kind: c_int,
    ) |pt| {
        stretch(ArrayPoint { array: dst, x, y }, src, count, kind, Way::ToArray, Order::Now(pt))
    }

    /// Copies `count` bytes out of an array, row after row (deprecated).
    fn cudaMemcpyFromArray / cudaMemcpyFromArray_ptds(
        dst: *mut c_void, src: Handle, x: usize, y: usize, count: usize, kind: c_int,
    ) |pt| {
        stretch(ArrayPoint { array: src, x, y }, dst, count, kind, Way::FromArray, Order::Now(pt))
    }

    /// `cudaMemcpyToArray` in the order of a stream.
    fn cudaMemcpyToArrayAsync / cudaMemcpyToArrayAsync_ptsz(
        dst: Handle, x: usize, y: usize, src: *const c_void, count: usize, kind: c_int, stream: Handle,
    ) |pt| {
        stretch(ArrayPoint { array: dst, x, y }, src, count, kind, Way::ToArray, Order::Stream(pt, stream))
    }

    /// `cudaMemcpyFromArray` in the order of a stream.
    fn cudaMemcpyFromArrayAsync / cudaMemcpyFromArrayAsync_ptsz(
        dst: *mut c_void, src: Handle, x: usize, y: usize, count: usize, kind: c_int, stream: Handle,
    ) |pt| {
        stretch(ArrayPoint { array: src, x, y }, dst, count, kind, Way::FromArray, Order::Stream(pt, stream))
    }

    /// Copies `count` bytes between arrays, row after row (deprecated).
    fn cudaMemcpyArrayToArray / cudaMemcpyArrayToArray_ptds(
        dst: Handle, dst_x: usize, dst_y: usize, src: Handle, src_x: usize, src_y: usize, count: usize, kind: c_int,
    ) |pt| {
        array_to_array(ArrayPoint { array: dst, x: dst_x, y: dst_y }, ArrayPoint { array: src, x: src_x, y: src_y }, count, kind, pt)
    }

    /// Copies a rectangle into an array.
    fn cudaMemcpy2DToArray / cudaMemcpy2DToArray_ptds(
        dst: Handle, x: usize, y: usize, src: *const c_void, pitch: usize, width: usize, height: usize, kind: c_int,
    ) |pt| {
        rectangle(ArrayPoint { array: dst, x, y }, src, pitch, width, height, kind, Way::ToArray, Order::Now(pt))
    }

    /// Copies a rectangle out of an array.
    fn cudaMemcpy2DFromArray / cudaMemcpy2DFromArray_ptds(
        dst: *mut c_void, pitch: usize, src: Handle, x: usize, y: usize, width: usize, height: usize, kind: c_int,
    ) |pt| {
        rectangle(ArrayPoint { array: src, x, y }, dst, pitch, width, height, kind, Way::FromArray, Order::Now(pt))
    }

    /// `cudaMemcpy2DToArray` in the order of a stream.
    fn cudaMemcpy2DToArrayAsync / cudaMemcpy2DToArrayAsync_ptsz(
        dst: Handle, x: usize, y: usize, src: *const c_void, pitch: usize, width: usize, height: usize, kind: c_int,
        stream: Handle,
    ) |pt| {
        rectangle(ArrayPoint { array: dst, x, y }, src, pitch, width, height, kind, Way::ToArray, Order::Stream(pt, stream))
    }

    /// `cudaMemcpy2DFromArray` in the order of a stream.
    fn cudaMemcpy2DFromArrayAsync / cudaMemcpy2DFromArrayAsync_ptsz(
        dst: *mut c_void, pitch: usize, src: Handle, x: usize, y: usize, width: usize, height: usize, kind: c_int,
        stream: Handle,
    ) |pt| {
        rectangle(ArrayPoint { array: src, x, y }, dst, pitch, width, height, kind, Way::FromArray, Order::Stream(pt, stream))
    }

    /// Copies a rectangle between arrays.
    fn cudaMemcpy2DArrayToArray / cudaMemcpy2DArrayToArray_ptds(
        dst: Handle, dst_x: usize, dst_y: usize, src: Handle, src_x: usize, src_y: usize, width: usize, height: usize,
        kind: c_int,
    ) |pt| {
        let (dst, src) = (ArrayPoint { array: dst, x: dst_x, y: dst_y }, ArrayPoint { array: src, x: src_x, y: src_y });
        array_to_array_2d(dst, src, width, height, kind, Order::Now(pt))
    }
}

/// The parameters of a copy node as a program passes them, for a driver's description of the copy.
pub fn params_of(c: &DriverCopy3D) -> Result<Memcpy3DParams> {
    let mut p = Memcpy3DParams {
        src_array: NULL,
        src_pos: Pos::zero(),
        src_ptr: PitchedPtr::zero(),
        dst_array: NULL,
        dst_pos: Pos::zero(),
        dst_ptr: PitchedPtr::zero(),
        extent: Extent::zero(),
        kind: 4,
    };
    let mut element = 1;
    let is_host = |kind| kind == HOST;
    if c.src_type == ARRAY {
        element = element_size(&descriptor(c.src_array)?).max(1);
        p.src_array = c.src_array;
        p.src_pos.x = c.src_x / element;
    } else {
        let ptr = if is_host(c.src_type) { c.src_host.cast_mut() } else { c.src_device as *mut c_void };
        p.src_ptr = PitchedPtr { ptr, pitch: c.src_pitch, xsize: c.width, ysize: c.src_height };
        p.src_pos.x = c.src_x;
    }
    if c.dst_type == ARRAY {
        element = element_size(&descriptor(c.dst_array)?).max(1);
        p.dst_array = c.dst_array;
        p.dst_pos.x = c.dst_x / element;
    } else {
        let ptr = if is_host(c.dst_type) { c.dst_host } else { c.dst_device as *mut c_void };
        p.dst_ptr = PitchedPtr { ptr, pitch: c.dst_pitch, xsize: c.width, ysize: c.dst_height };
        p.dst_pos.x = c.dst_x;
    }
    (p.src_pos.y, p.src_pos.z, p.dst_pos.y, p.dst_pos.z) = (c.src_y, c.src_z, c.dst_y, c.dst_z);
    p.extent = Extent { width: c.width / element, height: c.height, depth: c.depth };
    let side = |kind: u32| match kind {
        HOST => Some(0),
        UNIFIED => None,
        _ => Some(1),
    };
    p.kind = match (side(c.src_type), side(c.dst_type)) {
        (Some(src), Some(dst)) => src * 2 + dst,
        _ => 4,
    };
    Ok(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_there_and_back() {
        for kind in [SIGNED, UNSIGNED] {
            for bits in [8, 16, 32] {
                for channels in [1, 2, 4] {
                    let bit = |i| if channels > i { bits } else { 0 };
                    let desc = ChannelFormat { x: bit(0), y: bit(1), z: bit(2), w: bit(3), kind };
                    let (format, n) = driver_format(desc).unwrap();
                    let back = channel_format(format, n).unwrap();
                    assert_eq!((back.x, back.y, back.z, back.w, back.kind), (desc.x, desc.y, desc.z, desc.w, kind));
                }
            }
        }
        let bad = |x, y, z, w, kind| driver_format(ChannelFormat { x, y, z, w, kind }).err();
        assert_eq!(bad(8, 8, 8, 0, UNSIGNED), Some(Error::INVALID_CHANNEL_DESCRIPTOR));
        assert_eq!(bad(8, 16, 0, 0, UNSIGNED), Some(Error::INVALID_CHANNEL_DESCRIPTOR));
        assert_eq!(bad(0, 0, 0, 0, UNSIGNED), Some(Error::INVALID_CHANNEL_DESCRIPTOR));
        assert_eq!(bad(8, 0, 0, 0, FLOAT), Some(Error::INVALID_CHANNEL_DESCRIPTOR));
        assert_eq!(bad(8, 0, 0, 0, 3), Some(Error::INVALID_CHANNEL_DESCRIPTOR));
    }

    #[test]
    fn stretches() {
        assert_eq!(pieces(64, 0, 1, 128), [(0, 1, 64, 2, 0)]);
        assert_eq!(pieces(64, 16, 0, 200), [(16, 0, 48, 1, 0), (0, 1, 64, 2, 48), (0, 3, 24, 1, 176)]);
        assert_eq!(pieces(64, 16, 0, 10), [(16, 0, 10, 1, 0)]);
        assert_eq!(pieces(256, 300, 0, 10), [(300, 0, 10, 1, 0)]);
        assert_eq!(pieces(0, 0, 0, 5), [(0, 0, 5, 1, 0)]);
    }
}
