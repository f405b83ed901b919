//! The copy engine for linear memory: copies and fills of ranges and of rows.

use crate::base::parallel;
use crate::copy::timing::{self, Call, Timing, Transfer};
use crate::memory::access;
use crate::memory::access::{Declared, Range};
use crate::memory::space;
use crate::stream::{Command, Stream, Work};
use error::{Error, Result, refuse_if};
use std::sync::Arc;

/// Makes a copy on the spot if that is all there is to it: between ordinary memory, in one piece, on a stream that is quiet
/// ([`crate::stream::context::is_quiet`]). False when there is more to it, or something is wrong: then nothing counts as done.
#[inline]
pub fn copy_at_once(dst: (usize, Declared), src: (usize, Declared), bytes: usize) -> bool {
    let pageable = |(address, declared)| (address, declared != Declared::Device);
    bytes < parallel::WORTHWHILE
        && space().is_ok_and(|space| space.covers_both(pageable(dst), pageable(src), bytes))
        && guard::copy(dst.0, src.0, bytes).is_ok()
}

/// Checks and gives a copy of `bytes` bytes to a stream, as the functions with one range on each side do.
pub fn copy_range(
    stream: &Arc<Stream>,
    dst: (usize, Declared),
    src: (usize, Declared),
    bytes: usize,
    call: Call,
) -> Result<()> {
    let (to, from) = access::resolve_copy(dst, src, bytes)?;
    copy_resolved(stream, &to, &from, bytes, call)
}

/// As [`copy_range`] between device memory, each side with the rights of its own device.
pub fn copy_peer(
    stream: &Arc<Stream>,
    dst: (usize, Option<u32>),
    src: (usize, Option<u32>),
    bytes: usize,
    call: Call,
) -> Result<()> {
    let to = access::acting_as(dst.1, || access::resolve(dst.0, bytes, Declared::Device, true))?;
    let from = access::acting_as(src.1, || access::resolve(src.0, bytes, Declared::Device, false))?;
    copy_resolved(stream, &to, &from, bytes, call)
}

#[inline]
fn copy_resolved(stream: &Arc<Stream>, to: &Range, from: &Range, bytes: usize, call: Call) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    let timing = Timing::of_copy(to, from, call);
    timing::dispatch(stream, Copy { dst: to.address, src: from.address, bytes }, timing, call)
}

/// Checks and gives a fill to a stream, as the API's fill functions do.
///
/// Sizes are computed modulo 2^64, as the real driver does it: a count of elements that makes no bytes does nothing, one
/// that passes the end of the address space is accepted and faults later.
pub fn fill_range(stream: &Arc<Stream>, mut fill: Fill, call: Call) -> Result<()> {
    let Fill { dst, pitch, element, width, rows, .. } = fill;
    if width == 0 || rows == 0 {
        return Ok(());
    }
    let row = width.wrapping_mul(element);
    refuse_if!(
        Error::INVALID_VALUE,
        !dst.is_multiple_of(element),
        "dstDevice {:#x} is not a multiple of the size of an element, {}",
        dst,
        element
    );
    refuse_if!(
        Error::INVALID_VALUE,
        rows > 1 && !pitch.is_multiple_of(element),
        "dstPitch {} is not a multiple of the size of an element, {}",
        pitch,
        element
    );
    refuse_if!(
        Error::INVALID_VALUE,
        rows > 1 && pitch < row,
        "dstPitch {} is less than Width {} * {}",
        pitch,
        width,
        element
    );
    let bytes = if rows == 1 { row } else { pitch.wrapping_mul(rows - 1).wrapping_add(row) };
    if bytes == 0 {
        return Ok(());
    }
    if dst.checked_add(bytes).is_none() {
        access::resolve(dst, 1, Declared::Memset, true)?;
        // The last row begins before the first: the real driver would not come to an end.
        refuse_if!(
            Error::INVALID_VALUE,
            rows > 1,
            "dstPitch {} * Height {} goes beyond the end of the address space",
            pitch,
            rows
        );
        return stream.enqueue(Work::Task(Arc::new(|| Err(Error::ILLEGAL_ADDRESS))));
    }
    let range = access::resolve(dst, bytes, Declared::Memset, true)?;
    access::check_open(&range, || stream.context.upgrade().map_or(0, |context| context.handle))?;
    let timing = Timing::of_memset(&range, call);
    if rows > 1 && pitch.checked_mul(rows - 1).and_then(|n| n.checked_add(row)).is_none() {
        // Rows that lie elsewhere, although the computed size fits. Only those within the allocation are written.
        refuse_if!(
            Error::INVALID_VALUE,
            rows > 1 << 16,
            "dstPitch {} * Height {} goes beyond the end of the address space",
            pitch,
            rows
        );
        for i in 0..rows {
            let at = dst.wrapping_add(pitch.wrapping_mul(i));
            if access::resolve(at, row, Declared::Memset, true).is_ok() {
                timing::dispatch(stream, Fill { dst: at, pitch: 0, rows: 1, ..fill }, timing, call)?;
            }
        }
        return Ok(());
    }
    fill.width = row / element;
    timing::dispatch(stream, fill, timing, call)
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

/// Copies and fills up to this size take less time than handing them to anybody.
pub const BRIEF: usize = 4096;

/// Copies from this size on leave no use for the caches, which they would flush.
const PAST_CACHES: usize = 32 << 20;

impl Copy {
    /// Does it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    #[inline]
    pub fn run(&self) -> Result<()> {
        let Copy { dst, src, bytes } = *self;
        let done = if bytes < parallel::WORTHWHILE || dst.abs_diff(src) < bytes {
            guard::copy(dst, src, bytes).is_ok()
        } else {
            self.run_in_pieces()
        };
        if done { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }

    #[inline(never)]
    fn run_in_pieces(&self) -> bool {
        let Copy { dst, src, bytes } = *self;
        // One large `memcpy` decides that by its size, which the pieces do not show it.
        let copy = if bytes < PAST_CACHES { guard::copy } else { guard::copy_nontemporal };
        parallel::run_memory(bytes.div_ceil(parallel::PIECE), &|i| {
            let at = i * parallel::PIECE;
            copy(dst + at, src + at, parallel::PIECE.min(bytes - at)).is_ok()
        })
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

impl Command for Copy {
    fn run(&self) -> Result<()> {
        Copy::run(self)
    }

    fn is_brief(&self) -> bool {
        self.bytes <= BRIEF
    }
}

impl Command for Fill {
    fn run(&self) -> Result<()> {
        Fill::run(self)
    }

    fn is_brief(&self) -> bool {
        self.width.saturating_mul(self.rows) <= BRIEF / 4
    }
}

impl Transfer for Copy {
    fn stage(self) -> Result<Work> {
        let staged = guard::read_vec(self.src, self.bytes)?;
        Ok(Work::Task(Arc::new(move || {
            guard::write(self.dst, guard::bytes(&staged)).map_err(|_| Error::ILLEGAL_ADDRESS)
        })))
    }

    fn answer(error: Error) -> Error {
        timing::answer_of_copy(error)
    }
}

impl Transfer for Fill {
    /// It has no source.
    fn stage(self) -> Result<Work> {
        Ok(Work::of(self))
    }

    fn answer(error: Error) -> Error {
        error
    }
}

unsafe extern "C" {
    /// Fills `n` words; the C library does it as fast as the processor can.
    fn wmemset(s: *mut u32, c: u32, n: usize) -> *mut u32;
}

impl Fill {
    /// Does it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    pub fn run(&self) -> Result<()> {
        let Fill { dst, pitch, value, element, width, rows } = *self;
        if width == 0 || rows == 0 {
            return Ok(());
        }
        let bytes = width * element;
        let done = if rows > 1 && pitch != bytes {
            let some = |first: usize, rows: usize| {
                guard::run(move || {
                    for row in first..first + rows {
                        // SAFETY: guarded.
                        unsafe { fill_row(dst + row * pitch, bytes, value, element) };
                    }
                })
            };
            let at_once = (parallel::PIECE / bytes).max(1);
            if bytes.saturating_mul(rows) < parallel::WORTHWHILE {
                some(0, rows)
            } else {
                parallel::run_memory(rows.div_ceil(at_once), &|i| some(i * at_once, at_once.min(rows - i * at_once)))
            }
        } else {
            // Rows without a gap are one row.
            let bytes = bytes * rows;
            let part = |at: usize, bytes: usize| {
                // SAFETY: guarded.
                guard::run(move || unsafe { fill_row(dst + at, bytes, value, element) })
            };
            if bytes < parallel::WORTHWHILE {
                part(0, bytes)
            } else {
                parallel::run_memory(bytes.div_ceil(parallel::PIECE), &|i| {
                    let at = i * parallel::PIECE;
                    part(at, parallel::PIECE.min(bytes - at))
                })
            }
        };
        if done { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }
}

/// Fills `bytes` bytes, whole elements, with a pattern of 1, 2 or 4 bytes.
///
/// # Safety
/// Inside a guard, which catches a wrong address; the address is a multiple of the element.
unsafe fn fill_row(start: usize, bytes: usize, value: u32, element: usize) {
    let [a, b, c, d] = value.to_le_bytes();
    let same = match element {
        1 => true,
        2 => a == b,
        _ => a == b && b == c && c == d,
    };
    // SAFETY: what the caller promises.
    unsafe {
        if same {
            core::ptr::write_bytes(start as *mut u8, a, bytes);
        } else if element == 4 {
            wmemset(start as *mut u32, value, bytes / 4);
        } else {
            let pair = value & 0xffff;
            let (mut start, mut bytes) = (start, bytes);
            if !start.is_multiple_of(4) {
                (start as *mut u16).write(pair as u16);
                (start, bytes) = (start + 2, bytes - 2);
            }
            wmemset(start as *mut u32, pair << 16 | pair, bytes / 4);
            if bytes % 4 != 0 {
                ((start + bytes - 2) as *mut u16).write(pair as u16);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(memory: &mut [u8], fill: &Fill, base: usize) {
        for row in 0..fill.rows {
            let start = fill.dst - base + row * fill.pitch;
            for byte in 0..fill.width * fill.element {
                memory[start + byte] = fill.value.to_le_bytes()[byte % fill.element];
            }
        }
    }

    #[test]
    fn fills_of_every_alignment_and_size() {
        let mut memory = vec![0u32; 1024];
        let base = memory.as_mut_ptr() as usize;
        for element in [1, 2, 4] {
            for offset in (0..8).step_by(element) {
                for width in [1, 2, 3, 5, 8, 17, 33] {
                    for (pitch, rows) in [(0, 1), (width * element, 3), (160, 4)] {
                        for value in [0x11111111, 0x0a0b0c0d, 0] {
                            let dst = base + 64 + offset;
                            let fill = Fill { dst, pitch, value, element, width, rows };
                            memory.fill(0x5a5a5a5a);
                            let mut want = vec![0x5a; 4096];
                            reference(&mut want, &fill, base);
                            fill.run().unwrap();
                            // SAFETY: the same memory as bytes.
                            let got = unsafe { core::slice::from_raw_parts(base as *const u8, 4096) };
                            assert!(got == want, "{fill:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn large_operations_are_whole() {
        let bytes = 9 * parallel::PIECE + 12;
        let (mut a, mut b) = (vec![0u8; bytes], vec![0u8; bytes]);
        let (pa, pb) = (a.as_mut_ptr() as usize, b.as_mut_ptr() as usize);
        let width = bytes / 4;
        Fill { dst: pa, pitch: 0, value: 0x01020304, element: 4, width, rows: 1 }.run().unwrap();
        assert!(a.as_chunks::<4>().0.iter().all(|&c| c == [4, 3, 2, 1]));
        a.iter_mut().enumerate().for_each(|(i, x)| *x = (i % 251) as u8);
        Copy { dst: pb, src: pa, bytes }.run().unwrap();
        assert!(a == b);
        Copy { dst: pb + 5, src: pb, bytes: bytes - 5 }.run().unwrap();
        assert!(a[..bytes - 5] == b[5..], "overlapping");
        let (c, mut d) = (vec![0x3cu8; PAST_CACHES + 77], vec![0u8; PAST_CACHES + 99]);
        Copy { dst: d.as_mut_ptr() as usize + 11, src: c.as_ptr() as usize, bytes: c.len() }.run().unwrap();
        assert!(d[11..11 + c.len()] == c && d[..11] == [0; 11] && d[11 + c.len()..] == [0; 11]);
        b.fill(0);
        let rows = Fill { dst: pb, pitch: 8192, value: 7, element: 1, width: 8000, rows: bytes / 8192 };
        rows.run().unwrap();
        assert!(
            b.chunks_exact(8192).all(|row| row[..8000].iter().all(|&x| x == 7) && row[8000..].iter().all(|&x| x == 0))
        );
    }

    #[test]
    fn wrong_addresses_are_errors() {
        let large = parallel::WORTHWHILE;
        assert_eq!(Copy { dst: 0x10000, src: 0x20000, bytes: 16 }.run(), Err(Error::ILLEGAL_ADDRESS));
        assert_eq!(Copy { dst: 0x10000, src: 0x4000_0000, bytes: large }.run(), Err(Error::ILLEGAL_ADDRESS));
        let fill = Fill { dst: 0x10000, pitch: 0, value: 1, element: 1, width: large, rows: 1 };
        assert_eq!(fill.run(), Err(Error::ILLEGAL_ADDRESS));
    }
}
