//! The copy engine for linear memory: copies and fills of ranges and of rows.

use super::access::{self, Declared, Timing};
use super::stream::{Stream, Work};
use crate::error::{Error, Result};
use crate::guard;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Checks and gives a copy of `bytes` bytes to a stream, as the functions with one range on each side do.
pub fn copy_range(
    stream: &Arc<Stream>,
    dst: (usize, Declared),
    src: (usize, Declared),
    bytes: usize,
    asynchronous: bool,
) -> Result<()> {
    let (to, from) = access::resolve_copy(dst, src, bytes)?;
    if bytes == 0 {
        return Ok(());
    }
    let timing = access::copy_timing(&to, &from, asynchronous);
    copy(stream, Copy { dst: to.address, src: from.address, bytes }, timing, asynchronous)
}

/// Gives a copy to a stream; returns when `timing` says. `asynchronous` is how the API calls the function: only such a
/// copy may become part of a graph.
pub fn copy(stream: &Arc<Stream>, copy: Copy, timing: Timing, asynchronous: bool) -> Result<()> {
    if asynchronous && stream.capturing.load(Ordering::Relaxed) {
        return stream.enqueue(Work::Copy(copy));
    }
    match timing {
        Timing::Enqueue => stream.enqueue(Work::Copy(copy)),
        Timing::Stage | Timing::DrainAndStage if !stream.group.is_idle() => {
            if timing == Timing::DrainAndStage {
                stream.synchronize()?;
            }
            let staged = guard::read_vec(copy.src, copy.bytes)?;
            let dst = copy.dst;
            stream.enqueue(Work::Task(Arc::new(move || {
                guard::write(dst, guard::bytes(&staged)).map_err(|_| Error::ILLEGAL_ADDRESS)
            })))
        }
        // An address of the host that is not memory is the caller's mistake, not the device's.
        _ => stream.perform(Work::Copy(copy)).map_err(|error| match error {
            Error::ILLEGAL_ADDRESS => Error::INVALID_VALUE,
            other => other,
        }),
    }
}

/// Checks and gives a fill to a stream, as the API's fill functions do.
///
/// Sizes are computed modulo 2^64, as the real driver does it: a count of elements that makes no bytes does nothing, one
/// that passes the end of the address space is accepted and faults later.
pub fn fill_range(stream: &Arc<Stream>, mut fill: Fill, asynchronous: bool) -> Result<()> {
    let Fill { dst, pitch, element, width, rows, .. } = fill;
    if width == 0 || rows == 0 {
        return Ok(());
    }
    let row = width.wrapping_mul(element);
    if !dst.is_multiple_of(element) || (rows > 1 && (!pitch.is_multiple_of(element) || pitch < row)) {
        return Err(Error::INVALID_VALUE);
    }
    let bytes = if rows == 1 { row } else { pitch.wrapping_mul(rows - 1).wrapping_add(row) };
    if bytes == 0 {
        return Ok(());
    }
    if dst.checked_add(bytes).is_none() {
        access::resolve(dst, 1, Declared::Device, true)?;
        // The last row begins before the first: the real driver would not come to an end.
        if rows > 1 {
            return Err(Error::INVALID_VALUE);
        }
        return stream.enqueue(Work::Task(Arc::new(|| Err(Error::ILLEGAL_ADDRESS))));
    }
    let range = access::resolve(dst, bytes, Declared::Device, true)?;
    let timing = access::fill_timing(&range, asynchronous);
    if rows > 1 && pitch.checked_mul(rows - 1).and_then(|n| n.checked_add(row)).is_none() {
        // Rows that lie elsewhere, although the computed size fits. Only those within the allocation are written.
        if rows > 1 << 16 {
            return Err(Error::INVALID_VALUE);
        }
        for i in 0..rows {
            let at = dst.wrapping_add(pitch.wrapping_mul(i));
            if access::resolve(at, row, Declared::Device, true).is_ok() {
                self::fill(stream, Fill { dst: at, pitch: 0, rows: 1, ..fill }, timing, asynchronous)?;
            }
        }
        return Ok(());
    }
    fill.width = row / element;
    self::fill(stream, fill, timing, asynchronous)
}

/// Gives a fill to a stream; returns when `timing` says.
pub fn fill(stream: &Arc<Stream>, fill: Fill, timing: Timing, asynchronous: bool) -> Result<()> {
    if timing == Timing::Enqueue || (asynchronous && stream.capturing.load(Ordering::Relaxed)) {
        stream.enqueue(Work::Fill(fill))
    } else {
        stream.perform(Work::Fill(fill))
    }
}

/// A copy of `bytes` from one address to another. The ranges may overlap.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// Where to.
    pub dst: usize,
    /// Where from.
    pub src: usize,
    /// How much.
    pub bytes: usize,
}

impl Copy {
    /// Does it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    pub fn run(&self) -> Result<()> {
        guard::copy(self.dst, self.src, self.bytes).map_err(|_| Error::ILLEGAL_ADDRESS)
    }
}

/// A fill of `rows` rows of `width` elements each, `pitch` bytes apart, with a pattern of 1, 2 or 4 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// First byte.
    pub dst: usize,
    /// Distance of rows in bytes; unused for one row.
    pub pitch: usize,
    /// The pattern, in the low bytes.
    pub value: u32,
    /// Size of the pattern in bytes: 1, 2 or 4.
    pub element: usize,
    /// Elements a row.
    pub width: usize,
    /// Rows.
    pub rows: usize,
}

impl Fill {
    /// Does it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    pub fn run(&self) -> Result<()> {
        let Fill { dst, mut pitch, value, element, mut width, mut rows } = *self;
        if width == 0 || rows == 0 {
            return Ok(());
        }
        // Rows without a gap are one row.
        if rows == 1 || pitch == width * element {
            width *= rows;
            rows = 1;
            pitch = 0;
        }
        let done = guard::run(move || {
            for row in 0..rows {
                let start = dst + row * pitch;
                // SAFETY: guarded. Elements are naturally aligned (the front checks it), else written bytewise.
                unsafe {
                    match element {
                        1 => core::ptr::write_bytes(start as *mut u8, value as u8, width),
                        2 => pattern(start as *mut u16, value as u16, width),
                        _ => pattern(start as *mut u32, value, width),
                    }
                }
            }
        });
        if done { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }
}

/// Writes `count` times `value`.
///
/// # Safety
/// Inside a guard; the address need not be aligned.
unsafe fn pattern<T: core::marker::Copy>(start: *mut T, value: T, count: usize) {
    for i in 0..count {
        // SAFETY: the caller's guard catches a wrong address.
        unsafe { start.add(i).write_unaligned(value) };
    }
}
