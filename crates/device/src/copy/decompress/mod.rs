//! Decompression of batches of blocks, as by the decompression engine of a device.
//!
//! The blocks of a batch are independent and are spread over cores. A block is read as a whole and unpacked to where it
//! goes, so that source and destination may overlap. A block that is not well-formed, or whose contents do not fit, makes
//! the context's asynchronous error [`Error::LAUNCH_FAILED`]; its count is 0, and its destination holds anything. So do
//! bytes of the destination behind contents that are shorter than the program said. Where it did not say how long they
//! are, the block is unpacked elsewhere first.

mod block;

use crate::base::attribute::DeviceAttribute;
use crate::base::checking;
use crate::base::parallel;
use crate::memory;
use crate::memory::access;
use crate::memory::access::Declared;
use crate::stream::{Stream, Work};
pub use block::Algorithm;
use block::{Decoder, FRONT};
use error::{Error, Result, refuse, refuse_if};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One block to unpack.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// How it is packed.
    pub algorithm: Algorithm,
    /// Where it is.
    pub src: usize,
    /// Its bytes.
    pub src_bytes: usize,
    /// Where the contents go.
    pub dst: usize,
    /// How many bytes they are; 0 when the program does not say.
    pub dst_bytes: usize,
    /// Where the count of bytes written goes, in 32 bits.
    pub actual: usize,
}

/// Batches of fewer bytes, packed and unpacked, are decompressed by the calling thread alone.
const WORTHWHILE: usize = 64 << 10;

/// An operation that was checked.
#[derive(Clone, Copy)]
struct Job {
    operation: Operation,
    /// Bytes that the contents may have.
    capacity: usize,
}

/// Checks that the engine can use the memory of `bytes` bytes at `address`. Returns how many bytes the memory
/// has from there on.
fn usable(address: usize, bytes: usize, writes: bool) -> Result<usize> {
    access::resolve(address, bytes, Declared::Device, writes)?;
    let allocation = memory::find(address).filter(|a| a.is_decompressible()).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "paramsArray: {:#x} is memory without CU_MEM_CREATE_USAGE_HW_DECOMPRESS", address)
    })?;
    Ok(allocation.base + allocation.size - address)
}

fn check(operation: &Operation, mask: u32, longest: usize) -> Result<Job> {
    let Operation { algorithm, src, src_bytes, dst, dst_bytes, actual } = *operation;
    refuse_if!(Error::INVALID_VALUE, algorithm.bit() & mask == 0, "paramsArray: algo is not one that the device knows");
    refuse_if!(Error::INVALID_VALUE, src_bytes == 0, "paramsArray: srcNumBytes is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        src_bytes > longest,
        "paramsArray: srcNumBytes {} is more than {}",
        src_bytes,
        longest
    );
    refuse_if!(
        Error::INVALID_VALUE,
        dst_bytes > longest,
        "paramsArray: dstNumBytes {} is more than {}",
        dst_bytes,
        longest
    );
    usable(src, src_bytes, false)?;
    let room = usable(dst, dst_bytes.max(1), true)?;
    usable(actual, 4, true)?;
    let capacity = if dst_bytes == 0 { room.min(longest) } else { dst_bytes };
    Ok(Job { operation: *operation, capacity })
}

/// Gives a batch to a stream. An error comes with the number of the operation that is wrong, if it is one.
pub fn enqueue(stream: &Arc<Stream>, operations: &[Operation]) -> Result<(), (Error, Option<usize>)> {
    let context = stream.context.upgrade().ok_or((Error::CONTEXT_IS_DESTROYED, None))?;
    let profile = &context.device.profile;
    let longest = context.device.count(DeviceAttribute::MEM_DECOMPRESS_MAXIMUM_LENGTH) as usize;
    let check = |(i, operation)| check(operation, profile.decompression, longest).map_err(|e| (e, Some(i)));
    let jobs = operations.iter().enumerate().map(check).collect::<Result<Vec<_>, _>>()?;
    if jobs.is_empty() {
        return Ok(());
    }
    let task = Work::Task(Arc::new(move || run(&jobs)));
    stream.enqueue(task).map_err(|error| (error, None))
}

/// What a thread reuses from block to block.
#[derive(Default)]
struct Scratch {
    /// What is packed, from `start` on: where a line of the cache begins, since some processors copy 15 times slower to elsewhere. Before
    /// it is room for the decoders.
    packed: Vec<u8>,
    start: usize,
    unpacked: Vec<u8>,
    decoder: Decoder,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// A thread keeps no more than this between batches.
const KEPT: usize = 1 << 20;

fn run(jobs: &[Job]) -> Result<()> {
    let failed = AtomicBool::new(false);
    let one = |i: usize| {
        let outcome = SCRATCH.try_with(|scratch| match scratch.try_borrow_mut() {
            Ok(mut scratch) => jobs[i].run(&mut scratch),
            Err(_) => jobs[i].run(&mut Scratch::default()),
        });
        // A thread that ends has no memory of its own any more.
        if outcome.unwrap_or_else(|_| jobs[i].run(&mut Scratch::default())).is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        true
    };
    let bytes = |job: &Job| job.operation.src_bytes.saturating_add(job.capacity);
    if jobs.len() > 1 && jobs.iter().map(bytes).fold(0, usize::saturating_add) >= WORTHWHILE {
        parallel::run(jobs.len(), &one);
    } else {
        for i in 0..jobs.len() {
            one(i);
        }
    }
    if failed.into_inner() { Err(Error::LAUNCH_FAILED) } else { Ok(()) }
}

impl Job {
    fn run(&self, scratch: &mut Scratch) -> Result<()> {
        let Operation { src, src_bytes, dst, actual, .. } = self.operation;
        let packed = &mut scratch.packed;
        packed.clear();
        packed.try_reserve(src_bytes.saturating_add(2 * LINE)).map_err(|_| Error::OUT_OF_MEMORY)?;
        let start = (packed.as_ptr() as usize).wrapping_neg() % LINE + LINE;
        scratch.start = start;
        packed.resize(start, 0);
        guard::read(&mut packed.spare_capacity_mut()[..src_bytes], src).map_err(|_| Error::ILLEGAL_ADDRESS)?;
        // SAFETY: `read` filled `src_bytes` bytes.
        unsafe { packed.set_len(start + src_bytes) };
        checking::written(dst, self.capacity);
        checking::written(actual, size_of::<u32>());
        let written = match self.operation.dst_bytes {
            0 => self.unpack_elsewhere(scratch, dst),
            _ => self.unpack(scratch, dst),
        };
        let count = *written.as_ref().unwrap_or(&0) as u32;
        guard::write(actual, guard::bytes(&count.to_ne_bytes())).map_err(|_| Error::ILLEGAL_ADDRESS)?;
        for buffer in [&mut scratch.packed, &mut scratch.unpacked] {
            if buffer.capacity() > KEPT {
                *buffer = Vec::new();
            }
        }
        written.map(drop)
    }

    /// Unpacks what was read to memory of our own, and copies as many bytes to `dst` as that gives.
    fn unpack_elsewhere(&self, scratch: &mut Scratch, dst: usize) -> Result<usize> {
        let Scratch { packed, start, unpacked, decoder } = scratch;
        let memory = &mut packed[*start - FRONT..];
        if unpacked.len() < self.capacity {
            unpacked.try_reserve(self.capacity - unpacked.len()).map_err(|_| Error::OUT_OF_MEMORY)?;
            unpacked.resize(self.capacity, 0);
        }
        decoder.prepare(self.operation.algorithm);
        let count = decoder.unpack(self.operation.algorithm, memory, &mut unpacked[..self.capacity]);
        let count = count.ok_or(Error::LAUNCH_FAILED)?;
        guard::write(dst, guard::bytes(&unpacked[..count])).map_err(|_| Error::ILLEGAL_ADDRESS)?;
        Ok(count)
    }

    /// Unpacks what was read to `dst`; returns how many bytes that gives.
    fn unpack(&self, scratch: &mut Scratch, dst: usize) -> Result<usize> {
        let (algorithm, capacity) = (self.operation.algorithm, self.capacity);
        scratch.decoder.prepare(algorithm);
        let (decoder, memory) = (&raw mut scratch.decoder, &raw mut scratch.packed[scratch.start - FRONT..]);
        let mut count = None;
        let place = &raw mut count;
        // SAFETY: what the pointers lead to outlives the call, which nothing else uses meanwhile. The destination was
        // found to have `capacity` bytes, and may be gone: that is what the guard is for. The program may write there at
        // the same time, against the rules: then the bytes are anything, and the decoders do not look at them. They take
        // no locks, and one that was cut short is thrown away below.
        let whole = unsafe {
            guard::run_disposable(move || {
                let out = core::slice::from_raw_parts_mut(dst as *mut u8, capacity);
                // A panic must not leave the guarded call.
                let unpack = || (*decoder).unpack(algorithm, &mut *memory, out);
                *place = catch_unwind(AssertUnwindSafe(unpack)).unwrap_or(None);
            })
        };
        if !whole {
            // The decoder was left in the middle of its work.
            scratch.decoder = Decoder::default();
            return Err(Error::ILLEGAL_ADDRESS);
        }
        count.ok_or(Error::LAUNCH_FAILED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::StreamKind;
    use crate::testing;

    #[test]
    fn a_batch_unpacks_and_a_bad_block_writes_only_inside_its_buffer() {
        let context = testing::context_alone();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let text: Vec<u8> = (0..50_000u32).flat_map(|i| (i / 7 * 13).to_le_bytes()).collect();
        let base = memory::alloc(&context, 8 << 20).unwrap().base;
        let put = |at: usize, bytes: &[u8]| guard::write(base + at, guard::bytes(bytes)).unwrap();
        let mut operations = Vec::new();
        for i in 0..24 {
            let algorithm = [Algorithm::Deflate, Algorithm::Snappy, Algorithm::Lz4][i % 3];
            let packed = block::tests::pack(algorithm, &text);
            put(i << 18, &packed);
            operations.push(Operation {
                algorithm,
                src: base + (i << 18),
                src_bytes: packed.len(),
                dst: base + (i << 18) + (1 << 17),
                dst_bytes: text.len().min(1 << 17),
                actual: base + (6 << 20) + i * 4,
            });
        }
        // 200,000 bytes do not fit in 128 KiB.
        assert_eq!(enqueue(&stream, &operations).map_err(|e| e.0), Ok(()));
        assert_eq!(stream.synchronize(), Err(Error::LAUNCH_FAILED));
        for o in &operations {
            // Every block but the first one begins where the room of the one before it ends.
            assert_eq!(guard::read_vec(o.src, 64).unwrap(), block::tests::pack(o.algorithm, &text)[..64]);
            assert_eq!(guard::read_vec(o.actual, 4).unwrap(), [0; 4]);
        }
        let context = testing::context_alone();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        for o in &mut operations {
            o.dst_bytes = 0;
        }
        operations.truncate(1);
        operations[0].dst = base + (4 << 20);
        let behind = base + (4 << 20) + text.len();
        let before = guard::read_vec(behind, 256).unwrap();
        enqueue(&stream, &operations).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(guard::read_vec(base + (4 << 20), text.len()).unwrap(), text);
        assert_eq!(
            guard::read_vec(behind, 256).unwrap(),
            before,
            "who does not say how much it is may have more there"
        );
        let count = guard::read_vec(operations[0].actual, 4).unwrap();
        assert_eq!(u32::from_ne_bytes(count.try_into().unwrap()) as usize, text.len());
        let wrong = |change: &dyn Fn(&mut Operation)| {
            let mut batch = vec![operations[0]; 3];
            change(&mut batch[2]);
            assert_eq!(enqueue(&stream, &batch), Err((Error::INVALID_VALUE, Some(2))));
        };
        wrong(&|o| o.src = 0);
        wrong(&|o| o.dst = 0x10000);
        wrong(&|o| o.actual = base + (8 << 20) - 3);
        wrong(&|o| o.src_bytes = 0);
        wrong(&|o| o.src_bytes = 1 << 30);
        wrong(&|o| o.dst_bytes = 5 << 20);
        stream.synchronize().unwrap();
    }
}
