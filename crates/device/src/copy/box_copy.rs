//! Copies of boxes: rows of bytes, rows to slices, between pitched memory and arrays.
//!
//! A box is described by the memory or the array on each side and by the corner where it begins. Rows and slices that
//! follow each other without a gap on both sides are copied as one.

use crate::array::Array;
use crate::array::store::{ArrayMemory, Owner};
use crate::base::bounds::MOST_WRAPPED_ROWS;
use crate::base::checking;
use crate::base::parallel;
use crate::copy::linear::BRIEF;
use crate::copy::linear::LinearCopy;
use crate::copy::timing::{self, Call, Timing, Transfer};
use crate::memory::access;
use crate::memory::access::{Declared, Range, RangeKind};
use crate::memory::{acting_as, multicast, space};
use crate::stream::{Activity, Command, Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// One side of a box copy as a program describes it.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// Memory: rows `pitch` bytes apart, slices `height` rows apart. 0 means without a gap.
    Memory {
        /// First byte of the memory.
        base: usize,
        /// What kind of pointer that is.
        declared: Declared,
        /// Bytes from row to row.
        pitch: usize,
        /// Rows from slice to slice.
        height: usize,
    },
    /// The array behind a handle.
    Array(usize),
}

/// Where in an operand the box begins: bytes, rows, slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corner {
    /// Bytes into the row.
    pub x: usize,
    /// Rows into the slice.
    pub y: usize,
    /// Slices.
    pub z: usize,
}

/// How large a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes of a row.
    pub width: usize,
    /// Rows of a slice.
    pub height: usize,
    /// Slices.
    pub depth: usize,
}

/// One side of a box copy, checked.
#[derive(Clone)]
pub enum Side {
    /// Memory.
    Memory {
        /// First byte of the box.
        address: usize,
        /// Bytes from row to row.
        pitch: usize,
        /// Bytes from slice to slice.
        slice: usize,
        /// Distances that pass the end of the address space: only these bytes are there to touch. Others read as zeros,
        /// and writes to them are lost.
        only: Option<std::ops::Range<usize>>,
    },
    /// A part of an array.
    Array {
        /// The array.
        array: Arc<Array>,
        /// Where the box begins.
        at: Corner,
    },
    /// Bytes that were read beforehand, without gaps.
    Staged(Arc<Vec<u8>>),
}

/// A copy of a box, as data that a stream or a graph can keep.
#[derive(Clone)]
pub struct BoxCopy {
    /// Where to.
    pub dst: Side,
    /// Where from.
    pub src: Side,
    /// How much; no extent is 0.
    pub extent: Extent,
}

/// A copy that was checked, and what is known of its sides.
pub struct Checked {
    /// What to do.
    pub copy: BoxCopy,
    /// What kind of memory is written.
    pub dst: Range,
    /// What kind of memory is read.
    pub src: Range,
}

/// Checks a copy of a box. `None` when there is nothing to do, whatever the operands are. Everything wrong is
/// [`Error::INVALID_VALUE`].
#[inline]
pub fn check(dst: (Operand, Corner), src: (Operand, Corner), extent: Extent) -> Result<Option<Checked>> {
    check_between(dst, src, extent, [None; 2])
}

/// As [`check`], each side with the rights of the device that is named for it.
#[inline]
fn check_between(
    dst: (Operand, Corner),
    src: (Operand, Corner),
    extent: Extent,
    devices: [Option<u32>; 2],
) -> Result<Option<Checked>> {
    let Extent { width, height, depth } = extent;
    if width == 0 || height == 0 || depth == 0 {
        return Ok(None);
    }
    let (mut to, to_range) = acting_as(devices[0], || side(dst.0, dst.1, extent, true))?;
    let (mut from, from_range) = acting_as(devices[1], || side(src.0, src.1, extent, false))?;
    if to.has_row_layers() {
        from.join_slices(&from_range, &src.0);
    }
    if from.has_row_layers() {
        to.join_slices(&to_range, &dst.0);
    }
    let copy = BoxCopy { dst: to, src: from, extent };
    Ok(Some(Checked { copy, dst: to_range, src: from_range }))
}

/// The names that the descriptor of a copy has for one of its sides.
struct SideNames {
    side: &'static str,
    x: &'static str,
    y: &'static str,
    z: &'static str,
    array: &'static str,
}

#[cold]
fn names(writes: bool) -> SideNames {
    if writes {
        SideNames { side: "dst", x: "dstXInBytes", y: "dstY", z: "dstZ", array: "dstArray" }
    } else {
        SideNames { side: "src", x: "srcXInBytes", y: "srcY", z: "srcZ", array: "srcArray" }
    }
}

#[inline]
fn side(operand: Operand, at: Corner, extent: Extent, writes: bool) -> Result<(Side, Range)> {
    let bytes = extent.width.saturating_mul(extent.height).saturating_mul(extent.depth);
    match operand {
        Operand::Array(handle) => {
            let array =
                Array::find(handle).map_err(|error| error.of(names(writes).array).with_code(Error::INVALID_VALUE))?;
            let shape = &array.shape;
            let within = |from: usize, count: usize, all: usize| from.checked_add(count).is_some_and(|end| end <= all);
            // Compressed blocks are copied whole.
            let whole = |n: usize| shape.block() == 1 || n.is_multiple_of(shape.element_bytes());
            refuse_if!(
                Error::INVALID_VALUE,
                !array.planes.is_empty(),
                "{} {:#x} has planes: every plane is copied by itself",
                names(writes).array,
                handle
            );
            refuse_if!(
                Error::INVALID_VALUE,
                !within(at.x, extent.width, shape.row_bytes()),
                "{} {} + WidthInBytes {} is more than a row of {}, {} bytes",
                names(writes).x,
                at.x,
                extent.width,
                names(writes).array,
                shape.row_bytes()
            );
            refuse_if!(
                Error::INVALID_VALUE,
                !within(at.y, extent.height, shape.rows()),
                "{} {} + Height {} is more than the rows of {}, {}",
                names(writes).y,
                at.y,
                extent.height,
                names(writes).array,
                shape.rows()
            );
            refuse_if!(
                Error::INVALID_VALUE,
                !within(at.z, extent.depth, shape.slices()),
                "{} {} + Depth {} is more than the slices of {}, {}",
                names(writes).z,
                at.z,
                extent.depth,
                names(writes).array,
                shape.slices()
            );
            refuse_if!(
                Error::INVALID_VALUE,
                !whole(at.x),
                "{} {} is not a multiple of the {} bytes of a compressed block of {}",
                names(writes).x,
                at.x,
                shape.element_bytes(),
                names(writes).array
            );
            refuse_if!(
                Error::INVALID_VALUE,
                !whole(extent.width),
                "WidthInBytes {} is not a multiple of the {} bytes of a compressed block of {}",
                extent.width,
                shape.element_bytes(),
                names(writes).array
            );
            let kind = RangeKind::Device(array.device.ordinal);
            Ok((Side::Array { array, at }, Range { address: 0, bytes, kind, synchronous: false }))
        }
        Operand::Memory { base, declared, pitch, height } => {
            let x_end = at.x.checked_add(extent.width).ok_or_else(|| {
                refuse!(
                    Error::INVALID_VALUE,
                    "{} {} + WidthInBytes {} is too large",
                    names(writes).x,
                    at.x,
                    extent.width
                )
            })?;
            let y_end = at.y.checked_add(extent.height).ok_or_else(|| {
                refuse!(Error::INVALID_VALUE, "{} {} + Height {} is too large", names(writes).y, at.y, extent.height)
            })?;
            let pitch = if pitch == 0 { x_end } else { pitch };
            let rows = if height == 0 { y_end } else { height };
            // For memory that is a part of larger pieces the real driver checks a box of this size at the beginning of the piece.
            let loose = || access::is_piecewise(base);
            let beyond = x_end > pitch || y_end > rows;
            if base == 0 || beyond && (extent.width > pitch || extent.height > rows || !loose()) {
                let SideNames { side, x, y, .. } = names(writes);
                refuse_if!(Error::INVALID_VALUE, base == 0, "{}Device or {}Host is NULL", side, side);
                refuse_if!(
                    Error::INVALID_VALUE,
                    x_end > pitch,
                    "{}Pitch {} is less than {} {} + WidthInBytes {}",
                    side,
                    pitch,
                    x,
                    at.x,
                    extent.width
                );
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "{}Height {} is less than {} {} + Height {}",
                    side,
                    rows,
                    y,
                    at.y,
                    extent.height
                ));
            }
            // The real driver computes modulo 2^64 and looks only at where that ends.
            let slice = pitch.wrapping_mul(rows);
            let start = at.z.wrapping_mul(slice).wrapping_add(at.y.wrapping_mul(pitch)).wrapping_add(at.x);
            let rest = (extent.depth - 1).wrapping_mul(slice).wrapping_add((extent.height - 1).wrapping_mul(pitch));
            let end = start.wrapping_add(rest).wrapping_add(extent.width);
            let address = base.wrapping_add(start);
            // Distances that wrap around can lead over the same bytes again and again: such a copy must still end.
            if extent.height.checked_mul(extent.depth).is_none_or(|n| n > MOST_WRAPPED_ROWS) {
                let [pitch, rows] = [pitch as u128, rows as u128];
                let (y, z) = (at.y as u128 + extent.height as u128, at.z as u128 + extent.depth as u128);
                let reach = z.saturating_mul(rows.saturating_mul(pitch)).saturating_add(y.saturating_mul(pitch));
                if reach.saturating_add(base as u128) > u128::from(u64::MAX) {
                    return Err(refuse!(
                        Error::INVALID_VALUE,
                        "{}Pitch {} * {}Height {} * Depth {} goes beyond the end of the address space",
                        names(writes).side,
                        pitch,
                        names(writes).side,
                        rows,
                        extent.depth
                    ));
                }
            }
            let range = access::resolve(base, end.max(1), declared, writes).or_else(|error| {
                // Of memory that is unknown to the driver, only the box itself is checked.
                let range = access::resolve(base, 1, declared, writes)?;
                let span = rest.checked_add(extent.width).filter(|n| address.checked_add(*n).is_some());
                if !range.is_pageable() {
                    let span = span.filter(|_| loose()).ok_or(error)?;
                    access::resolve(base, span, declared, writes)?;
                    return access::resolve_in_piece(base, address, span, declared, writes);
                }
                match span {
                    Some(span) => access::resolve(address, span, declared, writes),
                    None => Ok(range),
                }
            })?;
            let last = |n: usize, step: usize| (n - 1).checked_mul(step);
            let straight = last(extent.height, pitch)
                .zip(last(extent.depth, slice))
                .and_then(|(a, b)| a.checked_add(b)?.checked_add(address))
                .is_some_and(|_| address >= base && pitch as isize >= 0 && slice as isize >= 0);
            let only = (!straight).then(|| match access::address_range(base) {
                Some((first, size)) if !range.is_pageable() => first.max(base)..first + size,
                _ => base..usize::MAX,
            });
            Ok((Side::Memory { address, pitch, slice, only }, Range { address, bytes, ..range }))
        }
    }
}

/// Makes a copy between pitched memory at once if that is all it takes: ordinary memory, distances that lead
/// nowhere else, on a stream that is quiet ([`crate::stream::context::is_quiet`]). False when there is more to it, or something is
/// wrong: then nothing counts as done.
#[inline]
pub fn copy_at_once(dst: &(Operand, Corner), src: &(Operand, Corner), extent: Extent) -> bool {
    let (Some(to), Some(from)) = (Straight::of(dst, extent), Straight::of(src, extent)) else { return false };
    space().is_ok_and(|space| space.covers_each(to.memory, to.end, from.memory, from.end))
        && rows(to.address, from.address, to.steps, from.steps, extent).is_ok()
}

/// Pitched memory in which no number of a box overflows.
struct Straight {
    /// Where the memory begins, and whether it may be the program's own.
    memory: (usize, bool),
    /// Bytes from there to the end of the box.
    end: usize,
    /// Where the box begins.
    address: usize,
    /// Bytes from row to row and from slice to slice.
    steps: [usize; 2],
}

impl Straight {
    #[inline]
    fn of((operand, at): &(Operand, Corner), extent: Extent) -> Option<Straight> {
        let Operand::Memory { base, declared, pitch, height } = *operand else { return None };
        let (x_end, y_end) = (at.x.checked_add(extent.width)?, at.y.checked_add(extent.height)?);
        let pitch = if pitch == 0 { x_end } else { pitch };
        let rows = if height == 0 { y_end } else { height };
        if x_end > pitch || y_end > rows || extent.width == 0 || extent.height == 0 || extent.depth == 0 {
            return None;
        }
        let slice = pitch.checked_mul(rows)?;
        // All other numbers are less than the size of all slices.
        slice.checked_mul(at.z.checked_add(extent.depth)?)?;
        let start = at.z * slice + at.y * pitch + at.x;
        let end = start + (extent.depth - 1) * slice + (extent.height - 1) * pitch + extent.width;
        let address = base.checked_add(start)?;
        Some(Straight { memory: (base, declared != Declared::Device), end, address, steps: [pitch, slice] })
    }
}

/// Checks a copy of a box and gives it to a stream.
#[inline]
pub fn copy_box(
    stream: &Arc<Stream>,
    dst: (Operand, Corner),
    src: (Operand, Corner),
    extent: Extent,
    call: Call,
) -> Result<()> {
    copy_between(stream, dst, src, extent, [None; 2], call)
}

/// As [`copy_box`], each side with the rights of the device that is named for it: destination, source.
#[inline]
pub fn copy_between(
    stream: &Arc<Stream>,
    dst: (Operand, Corner),
    src: (Operand, Corner),
    extent: Extent,
    devices: [Option<u32>; 2],
    call: Call,
) -> Result<()> {
    let Some(Checked { copy, dst, src }) = check_between(dst, src, extent, devices)? else {
        return Ok(());
    };
    // An asynchronous call does not count the bytes between the rows.
    let bytes = extent.width.saturating_mul(extent.height).saturating_mul(extent.depth);
    let ahead = Range { bytes: if call == Call::Asynchronous { bytes } else { src.bytes }, ..src };
    timing::dispatch(stream, copy, Timing::of_copy(&dst, &ahead, call), call)
}

/// Where the bytes of a side are at the moment of its use.
#[derive(Clone, Copy)]
enum Bytes<'a> {
    Linear {
        address: usize,
        pitch: usize,
        slice: usize,
    },
    /// Only some bytes exist.
    Partly {
        only: &'a std::ops::Range<usize>,
        address: usize,
        pitch: usize,
        slice: usize,
    },
    /// Nothing is mapped.
    Nowhere,
    /// An array without the memory that it should have.
    Missing(&'a Array),
    /// A sparse array, from a corner on.
    Tiles(&'a Array, Corner),
}

impl Side {
    /// True for an array whose layers are single rows.
    fn has_row_layers(&self) -> bool {
        matches!(self, Side::Array { array, .. } if array.shape.has_row_layers())
    }

    /// Makes the slices of memory on the device follow each other row by row: so the real driver copies them from and to
    /// single rows of layers: how many rows a slice has counts only for where the box begins. Managed memory is the
    /// host's if the program calls it so.
    fn join_slices(&mut self, range: &Range, operand: &Operand) {
        let named_host = matches!(operand, Operand::Memory { declared: Declared::Host, .. });
        if let Side::Memory { pitch, slice, .. } = self
            && !range.is_host()
            && !(named_host && range.kind == RangeKind::Managed)
        {
            *slice = *pitch;
        }
    }

    /// Where the bytes are. An owner that is put into `kept` keeps them there.
    fn bytes(&self, extent: Extent, kept: &mut Option<Owner>) -> Bytes<'_> {
        match self {
            Side::Memory { address, pitch, slice, only: None } => {
                Bytes::Linear { address: *address, pitch: *pitch, slice: *slice }
            }
            Side::Memory { address, pitch, slice, only: Some(only) } => {
                Bytes::Partly { only, address: *address, pitch: *pitch, slice: *slice }
            }
            Side::Array { array, at } => match array.store.memory() {
                ArrayMemory::Linear(base, owner) => {
                    *kept = owner;
                    let pitch = array.shape.row_bytes();
                    let slice = pitch * array.shape.rows();
                    Bytes::Linear { address: base + array.offset + at.z * slice + at.y * pitch + at.x, pitch, slice }
                }
                ArrayMemory::Nowhere => Bytes::Nowhere,
                ArrayMemory::Missing => Bytes::Missing(array),
                ArrayMemory::Tiles => Bytes::Tiles(array, *at),
            },
            Side::Staged(bytes) => {
                let (address, pitch) = (bytes.as_ptr() as usize, extent.width);
                Bytes::Linear { address, pitch, slice: pitch * extent.height }
            }
        }
    }

    /// Reads the box now, into memory of its own.
    fn stage(&self, extent: Extent) -> Result<Side> {
        let bytes = extent.width * extent.height * extent.depth;
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(bytes).map_err(|_| {
            refuse!(
                Error::OUT_OF_MEMORY,
                "WidthInBytes {} * Height {} * Depth {}: the host has no memory for a copy of so much",
                extent.width,
                extent.height,
                extent.depth
            )
        })?;
        buffer.resize(bytes, 0u8);
        let address = buffer.as_mut_ptr() as usize;
        let to = Bytes::Linear { address, pitch: extent.width, slice: extent.width * extent.height };
        let mut kept = None;
        run(to, self.bytes(extent, &mut kept), extent)?;
        Ok(Side::Staged(Arc::new(buffer)))
    }
}

impl Command for BoxCopy {
    fn run(&self) -> Result<()> {
        BoxCopy::run(self)
    }

    fn activity(&self) -> Option<Activity<'_>> {
        Some(Activity::Copy("of a box", self.bytes()))
    }

    fn is_brief(&self) -> bool {
        self.bytes() <= BRIEF / 4
    }
}

impl Transfer for BoxCopy {
    fn stage(self) -> Result<Work> {
        let src = self.src.stage(self.extent)?;
        Ok(Work::of(BoxCopy { src, ..self }))
    }

    fn answer(error: Error) -> Error {
        timing::answer_of_copy(error)
    }
}

impl BoxCopy {
    /// How many bytes it moves.
    pub fn bytes(&self) -> usize {
        self.extent.width.saturating_mul(self.extent.height).saturating_mul(self.extent.depth)
    }

    /// Runs it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    pub fn run(&self) -> Result<()> {
        let [mut to, mut from] = [None, None];
        if checking::unwritten()
            && let Bytes::Linear { address, pitch, slice } | Bytes::Partly { address, pitch, slice, .. } =
                self.dst.bytes(self.extent, &mut None)
        {
            // With what lies between the rows.
            let Extent { width, height, depth } = self.extent;
            let rows = pitch.saturating_mul(height.saturating_sub(1));
            let all = slice.saturating_mul(depth.saturating_sub(1)).saturating_add(rows).saturating_add(width);
            checking::written(address, all);
        }
        run(self.dst.bytes(self.extent, &mut to), self.src.bytes(self.extent, &mut from), self.extent)
    }
}

#[inline]
fn run(dst: Bytes, src: Bytes, extent: Extent) -> Result<()> {
    match (dst, src) {
        (
            Bytes::Linear { address: to, pitch: to_pitch, slice: to_slice },
            Bytes::Linear { address: from, pitch: from_pitch, slice: from_slice },
        ) => rows(to, from, [to_pitch, to_slice], [from_pitch, from_slice], extent),
        (Bytes::Missing(array), _) | (_, Bytes::Missing(array)) => {
            // The device faults: not the call that gave the copy reports it, but every later one.
            if let Some(context) = array.context.upgrade() {
                context.group.fail(Error::LAUNCH_FAILED);
            }
            Ok(())
        }
        (Bytes::Nowhere, _) => Ok(()),
        _ => through_buffer(dst, src, extent),
    }
}

/// Bytes of the buffer for parts of a row.
const BUFFER: usize = 64 << 10;

/// Copies a box of which some bytes may not exist, row by row, through a buffer. It is rare and need not be fast.
fn through_buffer(dst: Bytes, src: Bytes, extent: Extent) -> Result<()> {
    let mut buffer = vec![0u8; extent.width.min(BUFFER)];
    for z in 0..extent.depth {
        for y in 0..extent.height {
            // Only bytes that exist are written, so that a row of any length ends.
            let there = dst.existing(y, z, extent.width);
            let pieces = there.len().div_ceil(BUFFER);
            // A row that moves up is copied from its end, as it may lie over where it came from.
            let up = dst.first(y, z).zip(src.first(y, z)).is_some_and(|(to, from)| to > from);
            for i in 0..pieces {
                let i = if up { pieces - 1 - i } else { i };
                let at = there.start + i * BUFFER;
                let piece = &mut buffer[..BUFFER.min(there.end - at)];
                src.read([at, y, z], piece)?;
                dst.write([at, y, z], piece)?;
            }
        }
    }
    Ok(())
}

/// Boxes below this size are copied by the caller alone. One core moves rows nearly as fast as the memory allows, and on a
/// busy machine a helper that has begun a piece may keep the caller waiting for longer than a smaller box takes.
const WORTHWHILE: usize = 64 << 20;

/// Copies a box between two places in memory, with the distances of rows and of slices on each side.
#[inline]
fn rows(to: usize, from: usize, to_step: [usize; 2], from_step: [usize; 2], extent: Extent) -> Result<()> {
    let Extent { mut width, mut height, mut depth } = extent;
    let ([mut to_pitch, mut to_slice], [mut from_pitch, mut from_slice]) = (to_step, from_step);
    let joined = |a: usize, b: usize, len: usize, n: usize| n == 1 || (a == len && b == len);
    if height > 1 && joined(to_pitch, from_pitch, width, height) {
        width *= height;
        height = 1;
    }
    if height == 1 {
        (height, to_pitch, from_pitch) = (depth, to_slice, from_slice);
        (depth, to_slice, from_slice) = (1, 0, 0);
        if joined(to_pitch, from_pitch, width, height) {
            width *= height;
            height = 1;
        }
    } else if depth > 1 && to_slice == to_pitch * height && from_slice == from_pitch * height {
        height *= depth;
        depth = 1;
    }
    if height == 1 {
        return LinearCopy::new(to, from, width).run();
    }
    let count = height * depth;
    let bytes = width * count;
    let reach =
        |pitch: usize, slice: usize| ((depth - 1) * slice).saturating_add((height - 1) * pitch).saturating_add(width);
    let apart = to.abs_diff(from) >= reach(to_pitch, to_slice).max(reach(from_pitch, from_slice));
    let some = |first: usize, last: usize| {
        guard::run(move || {
            let (mut z, mut y) = (first / height, first % height);
            let mut left = last - first;
            while left > 0 {
                let mut at = to.wrapping_add(z * to_slice).wrapping_add(y * to_pitch);
                let mut of = from.wrapping_add(z * from_slice).wrapping_add(y * from_pitch);
                let here = left.min(height - y);
                for _ in 0..here {
                    // SAFETY: guarded; the ranges may overlap.
                    unsafe { copy_row(at, of, width) };
                    at = at.wrapping_add(to_pitch);
                    of = of.wrapping_add(from_pitch);
                }
                left -= here;
                (z, y) = (z + 1, 0);
            }
        })
    };
    let copied = if bytes < WORTHWHILE || !apart {
        some(0, count)
    } else {
        let piece = (parallel::PIECE / width).max(1);
        parallel::run_memory(count.div_ceil(piece), &|i| some(i * piece, count.min((i + 1) * piece)))
    };
    if copied || is_broadcast(to, from, [to_pitch, to_slice], [from_pitch, from_slice], Extent { width, height, depth })
    {
        Ok(())
    } else {
        Err(Error::ILLEGAL_ADDRESS)
    }
}

/// Writes a box to all devices behind a multicast address, row by row. False where the box does not begin at one.
#[cold]
fn is_broadcast(to: usize, from: usize, to_step: [usize; 2], from_step: [usize; 2], extent: Extent) -> bool {
    let place = |start: usize, [pitch, slice]: [usize; 2], z: usize, y: usize| {
        start.wrapping_add(z.wrapping_mul(slice)).wrapping_add(y.wrapping_mul(pitch))
    };
    multicast::view(to, None, true).is_some()
        && (0..extent.depth).all(|z| {
            (0..extent.height).all(|y| {
                LinearCopy::new(place(to, to_step, z, y), place(from, from_step, z, y), extent.width).run().is_ok()
            })
        })
}

/// Copies one row; the ranges may overlap. Short rows are copied in place of a call: loads first, then stores.
///
/// # Safety
/// Inside a guard.
#[inline(always)]
unsafe fn copy_row(to: usize, from: usize, width: usize) {
    type Half = [u64; 2];
    type Quad = [u64; 8];
    /// Copies `width` bytes as two pieces that may share some in the middle.
    ///
    /// # Safety
    /// Inside a guard; `width` is at least the size of a piece and at most twice that.
    #[inline(always)]
    unsafe fn ends<T: core::marker::Copy>(to: usize, from: usize, width: usize) {
        let back = width - size_of::<T>();
        // SAFETY: as the caller says; nothing has to be aligned.
        unsafe {
            let (a, b) = ((from as *const T).read_unaligned(), ((from + back) as *const T).read_unaligned());
            (to as *mut T).write_unaligned(a);
            ((to + back) as *mut T).write_unaligned(b);
        }
    }
    /// Copies exactly one piece.
    ///
    /// # Safety
    /// Inside a guard.
    #[inline(always)]
    unsafe fn piece<T: core::marker::Copy>(to: usize, from: usize) {
        // SAFETY: as the caller says; nothing has to be aligned.
        unsafe { (to as *mut T).write_unaligned((from as *const T).read_unaligned()) };
    }
    // SAFETY: as the caller says.
    unsafe {
        match width {
            16 => piece::<Half>(to, from),
            32 => piece::<[u64; 4]>(to, from),
            64 => piece::<Quad>(to, from),
            8..16 => ends::<u64>(to, from, width),
            17..32 => ends::<Half>(to, from, width),
            33..64 => ends::<[u64; 4]>(to, from, width),
            65..=128 => ends::<Quad>(to, from, width),
            4..8 => ends::<u32>(to, from, width),
            _ => core::ptr::copy(from as *const u8, to as *mut u8, width),
        }
    }
}

impl Bytes<'_> {
    fn read(&self, at: [usize; 3], piece: &mut [u8]) -> Result<()> {
        piece.fill(0);
        let buffer = piece.as_mut_ptr() as usize;
        self.parts(at, piece.len(), |at, address, bytes| LinearCopy::new(buffer + at, address, bytes).run())
    }

    fn write(&self, at: [usize; 3], piece: &[u8]) -> Result<()> {
        let buffer = piece.as_ptr() as usize;
        self.parts(at, piece.len(), |at, address, bytes| LinearCopy::new(address, buffer + at, bytes).run())
    }

    /// Address of the first byte of a row, where rows are in one piece.
    fn first(&self, y: usize, z: usize) -> Option<usize> {
        match *self {
            Bytes::Linear { address, pitch, slice } | Bytes::Partly { address, pitch, slice, .. } => {
                Some(address.wrapping_add(z.wrapping_mul(slice)).wrapping_add(y.wrapping_mul(pitch)))
            }
            _ => None,
        }
    }

    /// Which bytes of a row can exist at all.
    fn existing(&self, y: usize, z: usize, width: usize) -> std::ops::Range<usize> {
        match (self, self.first(y, z)) {
            (Bytes::Partly { only, .. }, Some(first)) => {
                only.start.saturating_sub(first).min(width)..only.end.saturating_sub(first).min(width)
            }
            _ => 0..width,
        }
    }

    /// Calls `f` for each existing part of `bytes` bytes of a row: its offset in them, its address, its size.
    fn parts(
        &self,
        [x, y, z]: [usize; 3],
        bytes: usize,
        mut f: impl FnMut(usize, usize, usize) -> Result<()>,
    ) -> Result<()> {
        if let Some(first) = self.first(y, z) {
            let end = x.saturating_add(bytes);
            let there = self.existing(y, z, end);
            let start = there.start.max(x);
            return if start < there.end { f(start - x, first.wrapping_add(start), there.end - start) } else { Ok(()) };
        }
        let Bytes::Tiles(array, corner) = *self else { return Ok(()) };
        let mut at = 0;
        while at < bytes {
            let (there, run) = array.tile_run(corner.x + x + at, corner.y + y, corner.z + z);
            let run = run.min(bytes - at);
            if let Some(memory) = there {
                f(at, memory.base, run)?;
            }
            at += run;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{self, ArrayShape};
    use crate::testing::context;

    fn memory(buffer: &[u8], pitch: usize, height: usize) -> Operand {
        Operand::Memory { base: buffer.as_ptr() as usize, declared: Declared::Host, pitch, height }
    }

    fn copy(dst: (Operand, Corner), src: (Operand, Corner), extent: Extent) -> Result<()> {
        check(dst, src, extent)?.map_or(Ok(()), |checked| checked.copy.run())
    }

    #[test]
    fn boxes_of_any_shape_arrive() {
        let _context = context();
        let mut x = 88172645463325252u64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 20) as usize % below
        };
        let src: Vec<u8> = (0..40000usize).map(|i| (i * 7 + i / 256) as u8).collect();
        for round in 0..500 {
            let extent = Extent { width: 1 + random(150), height: 1 + random(6), depth: 1 + random(4) };
            let side = |tight: bool, r: &mut dyn FnMut(usize) -> usize| {
                let at = if tight { Corner::default() } else { Corner { x: r(9), y: r(3), z: r(2) } };
                let pitch = at.x + extent.width + if tight { 0 } else { r(20) };
                (at, pitch, at.y + extent.height + if tight { 0 } else { r(3) })
            };
            let (to, to_pitch, to_height) = side(round % 3 == 0, &mut random);
            let (from, from_pitch, from_height) = side(round % 5 == 0, &mut random);
            let dst = vec![0xeeu8; 40000];
            let mut want = dst.clone();
            for z in 0..extent.depth {
                for y in 0..extent.height {
                    let a = ((to.z + z) * to_height + to.y + y) * to_pitch + to.x;
                    let b = ((from.z + z) * from_height + from.y + y) * from_pitch + from.x;
                    want[a..a + extent.width].copy_from_slice(&src[b..b + extent.width]);
                }
            }
            copy((memory(&dst, to_pitch, to_height), to), (memory(&src, from_pitch, from_height), from), extent)
                .unwrap();
            assert!(dst == want, "{extent:?} to {to:?} {to_pitch} from {from:?} {from_pitch}");
        }
    }

    #[test]
    fn large_boxes_arrive_in_pieces() {
        let _context = context();
        let extent = Extent { width: 10_000, height: 70, depth: 100 };
        let (pitch, rows) = (10_240, 71);
        let src: Vec<u8> = (0..pitch * rows * 100).map(|i| (i * 7 + i / 4096) as u8).collect();
        let dst = vec![0u8; 10_000 * 70 * 100];
        copy((memory(&dst, 0, 0), Corner::default()), (memory(&src, pitch, rows), Corner::default()), extent).unwrap();
        for z in 0..100 {
            for y in 0..70 {
                let (a, b) = ((z * 70 + y) * 10_000, (z * rows + y) * pitch);
                assert!(dst[a..a + 10_000] == src[b..b + 10_000], "row {y} of slice {z}");
            }
        }
    }

    #[test]
    fn copies_may_not_leave_their_array() {
        let context = context();
        let shape = ArrayShape { width: 16, height: 8, depth: 4, format: 0x20, channels: 1, flags: 0 };
        let a = array::Array::create(&context, shape).unwrap();
        let (src, dst) = (vec![5u8; 2048], vec![0u8; 2048]);
        let all = Extent { width: 64, height: 8, depth: 4 };
        let here = (Operand::Array(a.handle), Corner::default());
        copy(here, (memory(&src, 0, 0), Corner::default()), all).unwrap();
        copy((memory(&dst, 0, 0), Corner::default()), here, all).unwrap();
        assert_eq!(src, dst);
        for (at, extent) in [
            (Corner { x: 1, y: 0, z: 0 }, all),
            (Corner { x: 0, y: 0, z: 4 }, Extent { depth: 1, ..all }),
            (Corner { x: usize::MAX, y: 0, z: 0 }, all),
            (Corner::default(), Extent { height: 9, ..all }),
        ] {
            let wrong = copy((Operand::Array(a.handle), at), (memory(&src, 0, 0), Corner::default()), extent);
            assert_eq!(wrong, Err(Error::INVALID_VALUE));
        }
        let none = Extent { width: 0, ..all };
        assert_eq!(copy((Operand::Array(0), Corner::default()), (Operand::Array(0), Corner::default()), none), Ok(()));
        context.destroy();
    }

    #[test]
    fn long_rows_go_through_the_buffer_in_pieces() {
        const WIDTH: usize = 3 * BUFFER + 17;
        let original: Vec<u8> = (0..2 * WIDTH).map(|i| (i * 31 + i / 251) as u8).collect();
        for (to, from) in [(0, 1000), (1000, 0), (0, BUFFER), (BUFFER + 1, 0), (0, WIDTH), (5, 5)] {
            let memory = original.clone();
            let mut want = original.clone();
            want.copy_within(from..from + WIDTH, to);
            let base = memory.as_ptr() as usize;
            let all = base..base + memory.len();
            let side = |at: usize| Bytes::Partly { only: &all, address: base + at, pitch: 1, slice: 1 };
            through_buffer(side(to), side(from), Extent { width: WIDTH, height: 1, depth: 1 }).unwrap();
            assert!(memory == want, "from {from} to {to}");
        }
    }

    #[test]
    fn copies_of_rows_of_any_length_end() {
        let (src, dst) = (vec![7u8; 100], vec![1u8; 300]);
        let side = |memory: &[u8]| memory.as_ptr() as usize..memory.as_ptr() as usize + memory.len();
        let (from, to) = (side(&src), side(&dst));
        // Rows that begin 50 bytes before either memory and are longer than any memory.
        let partly = |only| Bytes::Partly { only, address: only.start - 50, pitch: 0, slice: 0 };
        let extent = Extent { width: 1 << 60, height: 3, depth: 2 };
        through_buffer(partly(&to), partly(&from), extent).unwrap();
        assert!(dst[..100].iter().all(|&b| b == 7) && dst[100..].iter().all(|&b| b == 0));
        // All of the row would be written, and it is not there.
        let low = 0..usize::MAX;
        let wrong = Bytes::Partly { only: &low, address: 4096, pitch: 0, slice: 0 };
        assert_eq!(through_buffer(wrong, partly(&from), extent), Err(Error::ILLEGAL_ADDRESS));
    }

    #[test]
    fn copies_with_distances_that_wrap_end_and_stay_inside() {
        let _context = context();
        let (src, dst) = (vec![7u8; 256], vec![0u8; 512]);
        let down = memory(&dst[256..], usize::MAX, 0);
        let extent = Extent { width: 16, height: 4, depth: 1 };
        copy((down, Corner::default()), (memory(&src, 0, 0), Corner::default()), extent).unwrap();
        assert_eq!((dst[255], dst[256], dst[271], dst[272]), (0, 7, 7, 0));
        let endless = Extent { width: 1, height: 1 << 32, depth: 1 << 31 };
        let round = memory(&dst, 1 << 32, 1 << 32);
        let from = (memory(&src, 1 << 32, 1 << 32), Corner::default());
        assert_eq!(copy((round, Corner::default()), from, endless), Err(Error::INVALID_VALUE));
    }
}
