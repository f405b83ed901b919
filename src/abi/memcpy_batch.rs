//! Memory Management (batches of copies, copies with attributes).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::stream;
use super::ptr::{InMut, Out};
use super::types::{
    CU_MEM_LOCATION_TYPE_INVALID, CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE, CU_MEMCPY_OPERAND_TYPE_ARRAY,
    CU_MEMCPY_OPERAND_TYPE_POINTER, CU_MEMCPY_SRC_ACCESS_ORDER_ANY, CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL,
    CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, CU_STREAM_LEGACY, CUDA_MEMCPY3D_BATCH_OP, CUdeviceptr, CUmemLocation,
    CUmemcpy3DOperand, CUmemcpyAttributes, CUmemcpySrcAccessOrder, CUstream,
};
use api_macro::entry;
use core::ffi::{c_uint, c_ulonglong};
use device::array::{Array, ArrayShape};
use device::base::location;
use device::base::location::Location;
use device::copy::batch;
use device::copy::box_copy::{Corner, Extent, Operand};
use device::copy::timing::AccessOrder;
use device::memory::access::Declared;
use device::stream::Stream;
use device::stream::context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// The lists of [`cuMemcpyBatchAsync_v2`].
struct List {
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
}

/// No single copy failed.
const NONE_FAILED: usize = usize::MAX;

fn access_order(order: CUmemcpySrcAccessOrder) -> Result<AccessOrder> {
    match order {
        CU_MEMCPY_SRC_ACCESS_ORDER_STREAM => Ok(AccessOrder::Stream),
        CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL => Ok(AccessOrder::DuringCall),
        CU_MEMCPY_SRC_ACCESS_ORDER_ANY => Ok(AccessOrder::Any),
        _ => Err(refuse!(Error::INVALID_VALUE, "srcAccessOrder {:?} is not a CUmemcpySrcAccessOrder", order)),
    }
}

fn check_flags(flags: c_uint) -> Result<()> {
    if flags & !CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE.0 == 0 {
        Ok(())
    } else {
        Err(refuse!(Error::INVALID_VALUE, "flags {:#x} has bits that have no meaning", flags))
    }
}

/// A hint is only checked: copies know where memory is.
fn check_hint(hint: &CUmemLocation) -> Result<()> {
    if hint.r#type == CU_MEM_LOCATION_TYPE_INVALID {
        return Ok(());
    }
    match hint.place() {
        Location::Device(ordinal) => {
            device::device(ordinal).map(drop).map_err(|error| error.with_code(Error::INVALID_VALUE))
        }
        Location::HostNuma(node) if !location::has_numa_node(node) => {
            Err(refuse!(Error::INVALID_VALUE, "hint: there is no NUMA node {}", node))
        }
        Location::Unknown => Err(refuse!(Error::INVALID_VALUE, "hint: type {:?} is not a location", hint.r#type)),
        _ => Ok(()),
    }
}

/// Checks attributes, and returns the order of accesses that they ask for.
fn attribute_order(attribute: &CUmemcpyAttributes) -> Result<AccessOrder> {
    check_flags(attribute.flags)?;
    check_hint(&attribute.srcLocHint)?;
    check_hint(&attribute.dstLocHint)?;
    access_order(attribute.srcAccessOrder)
}

/// The stream of a batch: anything but the legacy default stream, however that is named.
fn batch_stream(handle: CUstream, fail: Out<usize>, default_stream: DefaultStream) -> Result<Arc<Stream>> {
    device::initialized_unless(handle.is_null(), refuse!(Error::INVALID_VALUE, "hStream is NULL"))?;
    fail.set_opt(NONE_FAILED)?;
    refuse_if!(
        Error::INVALID_VALUE,
        handle == CU_STREAM_LEGACY,
        "hStream is the legacy default stream, which batches cannot use"
    );
    let stream = stream::lookup(handle, default_stream)?;
    // Unlike elsewhere, the stream's context is not enough: a context has to be current.
    context::current_any().map_err(|e| if e == Error::INVALID_CONTEXT { Error::INVALID_VALUE } else { e })?;
    if stream.admit()? {
        // A captured stream refuses a batch, but the capture stays valid.
        return Err(refuse!(
            Error::STREAM_CAPTURE_UNSUPPORTED,
            "hStream {:#x} is capturing, and batches cannot be captured",
            handle.0
        ));
    }
    Ok(stream)
}

fn copy_list(list: &List, fail: Out<usize>, handle: CUstream, default_stream: DefaultStream) -> Result<()> {
    let stream = batch_stream(handle, fail, default_stream)?;
    let &List { count, numAttrs, .. } = list;
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    refuse_if!(Error::INVALID_VALUE, numAttrs == 0, "numAttrs is 0");
    refuse_if!(Error::INVALID_VALUE, numAttrs > count, "numAttrs {} is more than count {}", numAttrs, count);
    let (dsts, srcs, sizes) = (list.dsts.slice(count)?, list.srcs.slice(count)?, list.sizes.slice(count)?);
    let (attributes, starts) = (list.attrs.slice(numAttrs)?, list.attrsIdxs.slice(numAttrs)?);
    refuse_if!(Error::INVALID_VALUE, starts[0] != 0, "attrsIdxs[0] is {}, not 0", starts[0]);
    refuse_if!(
        Error::INVALID_VALUE,
        starts[numAttrs - 1] >= count,
        "attrsIdxs[{}] {} is not less than count {}",
        numAttrs - 1,
        starts[numAttrs - 1],
        count
    );
    refuse_if!(Error::INVALID_VALUE, !starts.windows(2).all(|w| w[0] < w[1]), "attrsIdxs does not increase");
    let orders = attributes.iter().map(attribute_order).collect::<Result<Vec<_>>>()?;
    let mut set = 0;
    for i in 0..count {
        if starts.get(set + 1) == Some(&i) {
            set += 1;
        }
        batch::copy_range(&stream, dsts[i] as usize, srcs[i] as usize, sizes[i], orders[set]).or_else(|error| {
            fail.set_opt(i)?;
            Err(error)
        })?;
    }
    Ok(())
}

/// The array that an operand names; `None` for memory.
fn array_of(operand: &CUmemcpy3DOperand) -> Result<Option<Arc<Array>>> {
    match operand.r#type {
        CU_MEMCPY_OPERAND_TYPE_POINTER => Ok(None),
        CU_MEMCPY_OPERAND_TYPE_ARRAY => {
            // SAFETY: the members of the union are numbers only.
            let handle = unsafe { operand.op.array.array };
            Array::find(handle.0).map(Some).map_err(|error| error.with_code(Error::INVALID_VALUE))
        }
        _ => {
            Err(refuse!(Error::INVALID_VALUE, "the operand's type {:?} is not a CUmemcpy3DOperandType", operand.r#type))
        }
    }
}

/// The elements in which the numbers of an operation count: those of an array, or single bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Element {
    bytes: usize,
    block: usize,
}

impl Element {
    fn of(shape: &ArrayShape) -> Element {
        Element { bytes: shape.element_bytes(), block: shape.block() }
    }

    /// Bytes of `count` elements in a row.
    fn bytes(self, count: usize) -> Result<usize> {
        count
            .div_ceil(self.block)
            .checked_mul(self.bytes)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "rowLength or extent: {} elements are too many", count))
    }

    /// Rows of elements or blocks.
    fn rows(self, count: usize) -> usize {
        count.div_ceil(self.block)
    }
}

fn side(operand: &CUmemcpy3DOperand, element: Element) -> Result<(Operand, Corner)> {
    // SAFETY: the members of the union are numbers only; the type says which of them are meant.
    let (memory, offset) = unsafe { (operand.op.ptr, operand.op.array.offset) };
    match array_of(operand)? {
        Some(array) => {
            let at = Corner { x: element.bytes(offset.x)?, y: element.rows(offset.y), z: offset.z };
            Ok((Operand::Array(array.handle), at))
        }
        None => {
            let (pitch, height) = (element.bytes(memory.rowLength)?, element.rows(memory.layerHeight));
            let base = memory.ptr as usize;
            Ok((Operand::Memory { base, declared: Declared::Unified, pitch, height }, Corner::default()))
        }
    }
}

/// Checks everything of an operation that does not need a look-up of its operands.
fn check_operation(op: &CUDA_MEMCPY3D_BATCH_OP) -> Result<AccessOrder> {
    let known =
        |o: &CUmemcpy3DOperand| matches!(o.r#type, CU_MEMCPY_OPERAND_TYPE_POINTER | CU_MEMCPY_OPERAND_TYPE_ARRAY);
    for operand in [&op.src, &op.dst] {
        refuse_if!(
            Error::INVALID_VALUE,
            !known(operand),
            "src or dst: type {:?} is not a CUmemcpy3DOperandType",
            operand.r#type
        );
        if operand.r#type == CU_MEMCPY_OPERAND_TYPE_POINTER {
            // SAFETY: the members of the union are numbers only.
            check_hint(unsafe { &operand.op.ptr.locHint })?;
        }
    }
    check_flags(op.flags)?;
    access_order(op.srcAccessOrder)
}

/// The elements in which the numbers of an operation count.
fn element_of(op: &CUDA_MEMCPY3D_BATCH_OP) -> Result<Element> {
    let of = |operand| Ok(array_of(operand)?.map(|a| Element::of(&a.shape)));
    match (of(&op.dst)?, of(&op.src)?) {
        (Some(a), Some(b)) if a != b => {
            Err(refuse!(Error::INVALID_VALUE, "the arrays src and dst have elements of different sizes"))
        }
        (Some(element), _) | (None, Some(element)) => Ok(element),
        (None, None) => Ok(Element { bytes: 1, block: 1 }),
    }
}

fn copy_operation(
    stream: &Arc<Stream>,
    op: &CUDA_MEMCPY3D_BATCH_OP,
    order: AccessOrder,
    element: Element,
) -> Result<()> {
    let extent = Extent {
        width: element.bytes(op.extent.width)?,
        height: element.rows(op.extent.height),
        depth: op.extent.depth,
    };
    let dst = side(&op.dst, element)?;
    let src = side(&op.src, element)?;
    batch::copy_box(stream, dst, src, extent, order)
}

fn copy_boxes(
    count: usize,
    ops: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    fail: Out<usize>,
    flags: c_ulonglong,
    handle: CUstream,
    default_stream: DefaultStream,
) -> Result<()> {
    let stream = batch_stream(handle, fail, default_stream)?;
    refuse_if!(Error::INVALID_VALUE, count == 0, "numOps is 0");
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let ops = ops.slice(count)?;
    let mut orders = Vec::with_capacity(count);
    for (i, op) in ops.iter().enumerate() {
        let order = check_operation(op).and_then(|order| Ok((order, element_of(op)?))).or_else(|error| {
            fail.set_opt(i)?;
            Err(error)
        });
        orders.push(order?);
    }
    for (op, (order, element)) in ops.iter().zip(orders) {
        copy_operation(&stream, op, order, element)?;
    }
    Ok(())
}

/// Queues many copies at once, with attributes shared by ranges of them.
///
/// `attrs[i]` holds for the copies from `attrsIdxs[i]` up to the next index. The copies of a batch have no order among
/// themselves that a program may rely on. The copies before one that is refused have been given to the stream.
///
/// - `dsts`: array of `count` destinations.
/// - `srcs`: array of `count` sources.
/// - `sizes`: array of `count` sizes in bytes, at least 1 each.
/// - `count`: number of copies, at least 1.
/// - `attrs`: array of `numAttrs` attributes: when sources may be read, hints of locations, flags.
/// - `attrsIdxs`: array of the index of the first copy that each attribute holds for; the first is 0, and they
///   increase.
/// - `numAttrs`: number of attributes, from 1 to `count`.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for the legacy default stream, without a current context, for an empty batch, if
/// an array is NULL, if an attribute is unknown or out of order, if a copy has no bytes, and for what `cuMemcpy`
/// refuses; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the
/// stream is being captured, which does not invalidate the capture.
///
/// Manual: Memory Management.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemcpyBatchAsync_v2(
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
    hStream: CUstream,
) -> Result<()> {
    let list = List { dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs };
    copy_list(&list, Out(core::ptr::null_mut()), hStream, default_stream)
}

/// First form of [`cuMemcpyBatchAsync_v2`], which also reports the index of the copy that failed.
///
/// - `dsts`: array of `count` destinations.
/// - `srcs`: array of `count` sources.
/// - `sizes`: array of `count` sizes in bytes, at least 1 each.
/// - `count`: number of copies, at least 1.
/// - `attrs`: array of `numAttrs` attributes: when sources may be read, hints of locations, flags.
/// - `attrsIdxs`: array of the index of the first copy that each attribute holds for; the first is 0, and they
///   increase.
/// - `numAttrs`: number of attributes, from 1 to `count`.
/// - `failIdx`: receives the index, `SIZE_MAX` if no single copy is to blame; may be NULL.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: as [`cuMemcpyBatchAsync_v2`].
///
/// Manual: Memory Management.
#[entry(since = 12080, twin = "ptsz", needs = nothing)]
pub fn cuMemcpyBatchAsync(
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
    failIdx: Out<usize>,
    hStream: CUstream,
) -> Result<()> {
    let list = List { dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs };
    copy_list(&list, failIdx, hStream, default_stream)
}

/// Queues many box copies at once.
///
/// Unknown types, orders and flags are found before anything is copied.
///
/// - `numOps`: number of copies, at least 1.
/// - `opList`: array of `numOps` box copies. Extents, offsets and row lengths are in elements of the array that takes
///   part, in bytes without one; a row length or layer height of 0 means no gap.
/// - `flags`: 0.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for the legacy default stream, without a current context, for an empty batch, if
/// `flags` is not 0, if an operand type, an order, a flag or a hint is unknown, if an array does not exist, if two arrays
/// differ in the size of their elements, if a box is empty, and for what `cuMemcpy3D_v2` refuses;
/// `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is
/// being captured, which does not invalidate the capture.
///
/// Manual: Memory Management.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemcpy3DBatchAsync_v2(
    numOps: usize,
    opList: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    copy_boxes(numOps, opList, Out(core::ptr::null_mut()), flags, hStream, default_stream)
}

/// First form of [`cuMemcpy3DBatchAsync_v2`], which also reports the index of the copy that failed.
///
/// - `numOps`: number of copies, at least 1.
/// - `opList`: array of `numOps` box copies. Extents, offsets and row lengths are in elements of the array that takes
///   part, in bytes without one; a row length or layer height of 0 means no gap.
/// - `failIdx`: receives the index of the first copy with an unknown type, order or flag or with arrays that do not go
///   together, `SIZE_MAX` in all other cases; may be NULL.
/// - `flags`: 0.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: as [`cuMemcpy3DBatchAsync_v2`].
///
/// Manual: Memory Management.
#[entry(since = 12080, twin = "ptsz", needs = nothing)]
pub fn cuMemcpy3DBatchAsync(
    numOps: usize,
    opList: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    failIdx: Out<usize>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    copy_boxes(numOps, opList, failIdx, flags, hStream, default_stream)
}

/// Queues one copy with location hints and source ordering.
///
/// A batch of one: see [`cuMemcpyBatchAsync_v2`].
///
/// - `dst`: destination.
/// - `src`: source.
/// - `size`: size in bytes, at least 1.
/// - `attr`: the attributes.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: as [`cuMemcpyBatchAsync_v2`].
///
/// Manual: Memory Management.
#[entry(since = 13020, twin = "ptsz")]
pub fn cuMemcpyWithAttributesAsync(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    attr: InMut<CUmemcpyAttributes>,
    hStream: CUstream,
) -> Result<()> {
    let stream = batch_stream(hStream, Out(core::ptr::null_mut()), default_stream)?;
    let order = attribute_order(&attr.get()?)?;
    batch::copy_range(&stream, dst as usize, src as usize, size, order)
}

/// Queues one box copy with location hints and source ordering.
///
/// A batch of one: see [`cuMemcpy3DBatchAsync_v2`].
///
/// - `op`: the copy, in the units of [`cuMemcpy3DBatchAsync_v2`].
/// - `flags`: 0.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: as [`cuMemcpy3DBatchAsync_v2`].
///
/// Manual: Memory Management.
#[entry(since = 13020, twin = "ptsz")]
pub fn cuMemcpy3DWithAttributesAsync(
    op: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    copy_boxes(1, op, Out(core::ptr::null_mut()), flags, hStream, default_stream)
}
