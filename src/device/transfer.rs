//! The copy engine for linear memory: copies and fills of ranges and of rows.

use super::access::Timing;
use super::stream::{Stream, Work};
use crate::error::{Error, Result};
use crate::guard;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Gives a copy to a stream; returns when `timing` says. `asynchronous` is how the API calls the function: only such a
/// copy may become part of a graph.
pub fn copy(stream: &Arc<Stream>, copy: Copy, timing: Timing, asynchronous: bool) -> Result<()> {
    if asynchronous && stream.capturing.load(Ordering::Relaxed) {
        return stream.enqueue(Work::Copy(copy));
    }
    match timing {
        Timing::Enqueue => stream.enqueue(Work::Copy(copy)),
        Timing::Stage if !stream.group.is_idle() => {
            let staged = guard::read_vec(copy.src, copy.bytes)?;
            let dst = copy.dst;
            stream.enqueue(Work::Task(Arc::new(move || {
                guard::write(dst, guard::bytes(&staged)).map_err(|_| Error::ILLEGAL_ADDRESS)
            })))
        }
        // An address of the host that is not memory is the caller's mistake, not the device's.
        Timing::Stage | Timing::Complete => stream.perform(Work::Copy(copy)).map_err(|error| match error {
            Error::ILLEGAL_ADDRESS => Error::INVALID_VALUE,
            other => other,
        }),
    }
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
