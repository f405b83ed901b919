//! Copies of ranges of linear memory.

use crate::base::checking;
use crate::base::devices::devices;
use crate::base::parallel;
use crate::base::usage::Usage;
use crate::copy::timing::{self, Call, Timing, Transfer};
use crate::memory::access;
use crate::memory::access::{Declared, Home, Range};
use crate::memory::{acting_as, find, multicast, space};
use crate::stream::{Activity, Command, Stream, Work};
use error::{Error, Result, refuse};
use node::Load;
use std::sync::Arc;

/// Makes a copy at once if that is all it takes: between ordinary memory, in one piece, on a stream that is quiet
/// ([`crate::stream::context::is_quiet`]). False when there is more to it, or something is wrong: then nothing counts as done.
#[inline]
pub fn copy_at_once(dst: (usize, Declared), src: (usize, Declared), bytes: usize) -> bool {
    let pageable = |(address, declared)| (address, declared != Declared::Device);
    bytes < parallel::WORTHWHILE
        && space().is_ok_and(|space| space.covers_both(pageable(dst), pageable(src), bytes))
        && LinearCopy::new(dst.0, src.0, bytes).is_done()
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
    let to = acting_as(dst.1, || access::resolve(dst.0, bytes, Declared::Device, true))?;
    let from = acting_as(src.1, || access::resolve(src.0, bytes, Declared::Device, false))?;
    copy_resolved(stream, &to, &from, bytes, call)
}

#[inline]
fn copy_resolved(stream: &Arc<Stream>, to: &Range, from: &Range, bytes: usize, call: Call) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    let timing = Timing::of_copy(to, from, call);
    timing::dispatch(stream, LinearCopy::between(to, from, bytes), timing, call)
}

/// A copy of `bytes` from one address to another. The ranges may overlap.
#[derive(Clone, Copy, Debug)]
pub struct LinearCopy {
    /// Where to.
    pub dst: usize,
    /// Where from.
    pub src: usize,
    /// How much.
    pub bytes: usize,
    /// Where the bytes go to and where they are, for who counts that.
    homes: [Home; 2],
}

/// Copies and memsets up to this size take less time than handing them to another thread.
pub const BRIEF: usize = 4096;

/// Copies from this size on count for how busy the devices are whose memory they reach. What is smaller takes less time than
/// counting is worth.
pub const COUNTED: usize = 64 << 10;

/// Copies from this size on bypass the caches, which they would flush.
const PAST_CACHES: usize = 32 << 20;

impl LinearCopy {
    /// A copy between memory of which nothing is known.
    #[inline]
    pub fn new(dst: usize, src: usize, bytes: usize) -> LinearCopy {
        LinearCopy { dst, src, bytes, homes: [Home::Unknown; 2] }
    }

    /// A copy between memory that was looked up: from the beginning of one range to that of the other.
    #[inline]
    pub fn between(to: &Range, from: &Range, bytes: usize) -> LinearCopy {
        LinearCopy { dst: to.address, src: from.address, bytes, homes: [to.home(), from.home()] }
    }

    /// Runs it. An address that is not memory is [`Error::ILLEGAL_ADDRESS`].
    #[inline]
    pub fn run(&self) -> Result<()> {
        checking::written(self.dst, self.bytes);
        if self.is_done() || self.is_broadcast() {
            return Ok(());
        }
        let LinearCopy { dst, src, bytes, .. } = *self;
        Err(refuse!(
            Error::ILLEGAL_ADDRESS,
            "there is no memory at all of {:#x}, where {} bytes go to, or of {:#x}, where they are",
            dst,
            bytes,
            src
        ))
    }

    /// Writes to all devices behind a multicast address, where there is no memory that would be written else. False for others.
    #[cold]
    fn is_broadcast(&self) -> bool {
        multicast::on_all(self.dst, self.bytes, &|to, at, bytes| LinearCopy::new(to, self.src + at, bytes).is_done())
    }

    fn described(&self) -> Activity<'static> {
        let on_device = |home, address| match home {
            Home::Host => false,
            Home::Device(_) => true,
            Home::Unknown => find(address).is_some_and(|a| !a.is_host()),
        };
        let way = match (on_device(self.homes[1], self.src), on_device(self.homes[0], self.dst)) {
            (false, true) => "host to device",
            (true, false) => "device to host",
            (true, true) => "device to device",
            (false, false) => "host to host",
        };
        Activity::Copy(way, self.bytes)
    }

    /// Runs it, and says whether all was memory.
    #[inline]
    fn is_done(&self) -> bool {
        if self.bytes < COUNTED { guard::copy(self.dst, self.src, self.bytes).is_ok() } else { self.run_counted() }
    }

    #[inline(never)]
    fn run_counted(&self) -> bool {
        let LinearCopy { dst, src, bytes, .. } = *self;
        let copy = || {
            if bytes < parallel::WORTHWHILE || dst.abs_diff(src) < bytes {
                guard::copy(dst, src, bytes).is_ok()
            } else {
                self.run_in_pieces()
            }
        };
        let [to, from] = self.homes;
        match (usage(to, dst, bytes), usage(from, src, bytes)) {
            (Some(to), Some(from)) if !std::ptr::eq(to, from) => {
                to.busy(Load::Copies, || from.busy(Load::Copies, copy))
            }
            (Some(usage), _) | (None, Some(usage)) => usage.busy(Load::Copies, copy),
            (None, None) => copy(),
        }
    }

    #[inline(never)]
    fn run_in_pieces(&self) -> bool {
        let LinearCopy { dst, src, bytes, .. } = *self;
        // `memcpy` would decide that by the size of the whole copy, which it does not see in the pieces.
        let copy = if bytes < PAST_CACHES { guard::copy } else { guard::copy_nontemporal };
        parallel::run_memory(bytes.div_ceil(parallel::PIECE), &|i| {
            let at = i * parallel::PIECE;
            copy(dst + at, src + at, parallel::PIECE.min(bytes - at)).is_ok()
        })
    }
}

/// What counts for memory on a device: the device's account.
fn usage(home: Home, address: usize, bytes: usize) -> Option<&'static Usage> {
    let home = if home == Home::Unknown { access::home_at_a_glance(address, bytes) } else { home };
    match home {
        Home::Host => None,
        Home::Device(ordinal) => devices().get(ordinal as usize).map(|device| device.usage),
        Home::Unknown => find(address).filter(|a| !a.is_host()).map(|a| a.device.usage),
    }
}

impl Command for LinearCopy {
    fn run(&self) -> Result<()> {
        LinearCopy::run(self)
    }

    fn activity(&self) -> Option<Activity<'_>> {
        Some(self.described())
    }

    fn is_brief(&self) -> bool {
        self.bytes <= BRIEF
    }
}

/// A copy whose source has been read.
struct Staged {
    copy: LinearCopy,
    bytes: Vec<u8>,
}

impl Command for Staged {
    fn run(&self) -> Result<()> {
        checking::written(self.copy.dst, self.bytes.len());
        let staged = LinearCopy::new(self.copy.dst, self.bytes.as_ptr() as usize, self.bytes.len());
        let done = guard::write(self.copy.dst, guard::bytes(&self.bytes)).is_ok() || staged.is_broadcast();
        if done { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }

    fn activity(&self) -> Option<Activity<'_>> {
        Some(self.copy.described())
    }

    fn is_brief(&self) -> bool {
        false
    }
}

impl Transfer for LinearCopy {
    fn stage(self) -> Result<Work> {
        let staged = guard::read_vec(self.src, self.bytes)
            .map_err(|error| error.because(format_args!("{} bytes cannot be read at {:#x}", self.bytes, self.src)))?;
        Ok(Work::of(Staged { copy: self, bytes: staged }))
    }

    fn answer(error: Error) -> Error {
        timing::answer_of_copy(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{memory, testing};

    #[test]
    fn large_copies_are_whole() {
        let bytes = 9 * parallel::PIECE + 12;
        let (mut a, b) = (vec![0u8; bytes], vec![0u8; bytes]);
        let (pa, pb) = (a.as_mut_ptr() as usize, b.as_ptr() as usize);
        a.iter_mut().enumerate().for_each(|(i, x)| *x = (i % 251) as u8);
        LinearCopy::new(pb, pa, bytes).run().unwrap();
        assert!(a == b);
        LinearCopy::new(pb + 5, pb, bytes - 5).run().unwrap();
        assert!(a[..bytes - 5] == b[5..], "overlapping");
        let (c, mut d) = (vec![0x3cu8; PAST_CACHES + 77], vec![0u8; PAST_CACHES + 99]);
        LinearCopy::new(d.as_mut_ptr() as usize + 11, c.as_ptr() as usize, c.len()).run().unwrap();
        assert!(d[11..11 + c.len()] == c && d[..11] == [0; 11] && d[11 + c.len()..] == [0; 11]);
    }

    #[test]
    fn wrong_addresses_are_errors() {
        let large = parallel::WORTHWHILE;
        assert_eq!(LinearCopy::new(0x10000, 0x20000, 16).run(), Err(Error::ILLEGAL_ADDRESS));
        assert_eq!(LinearCopy::new(0x10000, 0x4000_0000, large).run(), Err(Error::ILLEGAL_ADDRESS));
    }

    #[test]
    fn what_memory_counts_for_is_the_same_however_it_is_found() {
        let context = testing::context_on(1);
        let own = [0u8; 64];
        let memory = [
            (own.as_ptr() as usize, None),
            (memory::alloc_host(&context, 4096, 0).unwrap().base, None),
            (memory::alloc(&context, 4096).unwrap().base, Some(context.device.usage)),
            (memory::managed::alloc(&context, 4096, 1).unwrap().base, Some(context.device.usage)),
        ];
        for (address, expected) in memory {
            let range = access::resolve(address, 64, Declared::Unified, false).unwrap();
            for home in [range.home(), Home::Unknown] {
                let found = usage(home, address, 64);
                assert_eq!(found.map(std::ptr::from_ref), expected.map(std::ptr::from_ref), "{range:?}, {home:?}");
            }
        }
        context.destroy();
    }
}
