//! Memsets: of ranges and of rows.

use crate::base::bounds::MOST_WRAPPED_ROWS;
use crate::base::checking;
use crate::base::parallel;
use crate::copy::linear::BRIEF;
use crate::copy::timing::{self, Call, Timing, Transfer};
use crate::memory::access;
use crate::memory::access::Declared;
use crate::memory::multicast;
use crate::stream::{Activity, Command, Stream, Work};
use error::{Error, Result, refuse_if};
use std::sync::Arc;

/// Checks a memset and gives it to a stream, as the API's memset functions do.
///
/// Sizes are computed modulo 2^64, as the real driver does it: a count of elements that makes no bytes does nothing, one
/// that passes the end of the address space is accepted and faults later.
pub fn set_range(stream: &Arc<Stream>, mut memset: Memset, call: Call) -> Result<()> {
    let Memset { dst, pitch, element, width, rows, .. } = memset;
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
        // The last row would begin before the first: the real driver does not return from such a call.
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
            rows > MOST_WRAPPED_ROWS,
            "dstPitch {} * Height {} goes beyond the end of the address space",
            pitch,
            rows
        );
        for i in 0..rows {
            let at = dst.wrapping_add(pitch.wrapping_mul(i));
            if access::resolve(at, row, Declared::Memset, true).is_ok() {
                timing::dispatch(stream, Memset { dst: at, pitch: 0, rows: 1, ..memset }, timing, call)?;
            }
        }
        return Ok(());
    }
    memset.width = row / element;
    timing::dispatch(stream, memset, timing, call)
}

/// A memset of `rows` rows of `width` elements each, `pitch` bytes apart, with a pattern of 1, 2 or 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memset {
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

impl Command for Memset {
    fn run(&self) -> Result<()> {
        Memset::run(self)
    }

    fn activity(&self) -> Option<Activity<'_>> {
        Some(Activity::Memset(self.width.saturating_mul(self.element).saturating_mul(self.rows)))
    }

    fn is_brief(&self) -> bool {
        self.width.saturating_mul(self.rows) <= BRIEF / 4
    }
}

impl Transfer for Memset {
    /// It has no source.
    fn stage(self) -> Result<Work> {
        Ok(Work::of(self))
    }

    fn answer(error: Error) -> Error {
        error
    }
}

unsafe extern "C" {
    /// Sets `n` words; the C library does it as fast as the processor can.
    fn wmemset(s: *mut u32, c: u32, n: usize) -> *mut u32;
}

impl Memset {
    /// Runs it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    pub fn run(&self) -> Result<()> {
        let Memset { dst, pitch, value, element, width, rows } = *self;
        if width == 0 || rows == 0 {
            return Ok(());
        }
        let bytes = width * element;
        checking::written(dst, if rows > 1 { pitch.saturating_mul(rows - 1).saturating_add(bytes) } else { bytes });
        let done = if rows > 1 && pitch != bytes {
            let some = |first: usize, rows: usize| {
                guard::run(move || {
                    for row in first..first + rows {
                        // SAFETY: guarded.
                        unsafe { set_row(dst + row * pitch, bytes, value, element) };
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
                guard::run(move || unsafe { set_row(dst + at, bytes, value, element) })
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
        if done || self.is_broadcast() { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }

    /// As copies do: sets the memory of all devices behind a multicast address.
    #[cold]
    fn is_broadcast(&self) -> bool {
        let Memset { dst, pitch, value, element, width, rows } = *self;
        (0..rows).all(|row| {
            multicast::on_all(dst + row * pitch, width * element, &|to, _, bytes| {
                // SAFETY: guarded.
                guard::run(move || unsafe { set_row(to, bytes, value, element) })
            })
        })
    }
}

/// Sets `bytes` bytes, whole elements, with a pattern of 1, 2 or 4 bytes.
///
/// # Safety
/// Inside a guard, which catches a wrong address; the address is a multiple of the element.
unsafe fn set_row(start: usize, bytes: usize, value: u32, element: usize) {
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

    fn reference(memory: &mut [u8], memset: &Memset, base: usize) {
        for row in 0..memset.rows {
            let start = memset.dst - base + row * memset.pitch;
            for byte in 0..memset.width * memset.element {
                memory[start + byte] = memset.value.to_le_bytes()[byte % memset.element];
            }
        }
    }

    #[test]
    fn memsets_of_every_alignment_and_size() {
        let mut memory = vec![0u32; 1024];
        let base = memory.as_mut_ptr() as usize;
        for element in [1, 2, 4] {
            for offset in (0..8).step_by(element) {
                for width in [1, 2, 3, 5, 8, 17, 33] {
                    for (pitch, rows) in [(0, 1), (width * element, 3), (160, 4)] {
                        for value in [0x11111111, 0x0a0b0c0d, 0] {
                            let dst = base + 64 + offset;
                            let memset = Memset { dst, pitch, value, element, width, rows };
                            memory.fill(0x5a5a5a5a);
                            let mut want = vec![0x5a; 4096];
                            reference(&mut want, &memset, base);
                            memset.run().unwrap();
                            // SAFETY: the same memory as bytes.
                            let got = unsafe { core::slice::from_raw_parts(base as *const u8, 4096) };
                            assert!(got == want, "{memset:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn large_memsets_are_whole() {
        let bytes = 9 * parallel::PIECE + 12;
        let mut a = vec![0u8; bytes];
        let dst = a.as_mut_ptr() as usize;
        let width = bytes / 4;
        Memset { dst, pitch: 0, value: 0x01020304, element: 4, width, rows: 1 }.run().unwrap();
        assert!(a.as_chunks::<4>().0.iter().all(|&c| c == [4, 3, 2, 1]));
        a.fill(0);
        let rows = Memset { dst, pitch: 8192, value: 7, element: 1, width: 8000, rows: bytes / 8192 };
        rows.run().unwrap();
        assert!(
            a.chunks_exact(8192).all(|row| row[..8000].iter().all(|&x| x == 7) && row[8000..].iter().all(|&x| x == 0))
        );
    }

    #[test]
    fn wrong_addresses_are_errors() {
        let width = parallel::WORTHWHILE;
        let memset = Memset { dst: 0x10000, pitch: 0, value: 1, element: 1, width, rows: 1 };
        assert_eq!(memset.run(), Err(Error::ILLEGAL_ADDRESS));
    }
}
