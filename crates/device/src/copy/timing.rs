//! When a call that was given a copy or a memset returns, and which thread does the work. No other file decides it.

use crate::memory::access::{Range, RangeKind};
use crate::stream::{Activity, Command, Stream, Work};
use error::{Error, Result};
use std::sync::Arc;

/// How the API calls a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Without a stream. It may not wait for memory of the device alone, but cannot become part of a graph.
    Synchronous,
    /// With a stream, `Async` in its name: it can become part of a graph.
    Asynchronous,
}

/// When a call that was given an operation may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// At once; the operation runs in the stream's order.
    Enqueue,
    /// When the source has been read; the destination is written in the stream's order.
    Stage,
    /// As [`Timing::Stage`], but not before everything that the stream was given is complete. What only orders the stream
    /// (the legacy stream's work, for others) is not waited for.
    DrainAndStage,
    /// When the operation is complete.
    Complete,
}

/// When the source of a copy of a batch may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessOrder {
    /// In the stream's order.
    Stream,
    /// Before the call returns.
    DuringCall,
    /// At any time, also after the call has returned.
    Any,
}

/// Copies from pageable memory up to this size are staged: the call does not wait for the stream. The real driver has room
/// for several, and waits when that is used up.
const STAGED: usize = 2 << 20;
/// The same for synchronous calls.
const STAGED_SYNCHRONOUS: usize = 64 << 10;

/// True for memory of a device alone, for which even synchronous calls do not wait.
fn is_device(range: &Range) -> bool {
    matches!(range.kind, RangeKind::Device(_) | RangeKind::Mapped(Some(_)))
}

impl Timing {
    /// Of a copy between two ranges.
    #[inline]
    pub fn of_copy(dst: &Range, src: &Range, call: Call) -> Timing {
        if dst.synchronous || src.synchronous || (dst.is_host() && src.is_host()) || dst.is_pageable() {
            return Timing::Complete;
        }
        let asynchronous = call == Call::Asynchronous;
        match src.is_pageable() {
            true if src.bytes <= STAGED && asynchronous => Timing::Stage,
            true if src.bytes <= STAGED_SYNCHRONOUS && !asynchronous => Timing::DrainAndStage,
            false if asynchronous || (is_device(dst) && is_device(src)) => Timing::Enqueue,
            _ => Timing::Complete,
        }
    }

    /// Of a copy of a batch. What kind of memory the bytes go to makes no difference, unlike for single copies.
    pub fn of_batch_copy(dst: &Range, src: &Range, order: AccessOrder) -> Timing {
        let synchronous = dst.synchronous || src.synchronous;
        match (order, src.is_pageable()) {
            _ if synchronous => Timing::Complete,
            // Pageable memory is read by the call itself, so in the stream's order the call has to wait for its turn.
            (AccessOrder::Stream, true) | (AccessOrder::DuringCall, false) => Timing::Complete,
            (AccessOrder::DuringCall | AccessOrder::Any, true) => Timing::Stage,
            (AccessOrder::Stream | AccessOrder::Any, false) => Timing::Enqueue,
        }
    }

    /// Of a memset of a range.
    pub fn of_memset(dst: &Range, call: Call) -> Timing {
        let waits = dst.synchronous || (call == Call::Synchronous && !is_device(dst));
        if waits { Timing::Complete } else { Timing::Enqueue }
    }
}

/// An operation that [`dispatch`] gives to a stream.
pub trait Transfer: Command {
    /// Reads the source now and gives what is left to do.
    fn stage(self) -> Result<Work>;

    /// What a call that waits answers for an error of the operation.
    fn answer(error: Error) -> Error;
}

/// What a copy that the call waits for answers: an address of the host that is not memory is the caller's mistake, not the
/// device's.
pub fn answer_of_copy(error: Error) -> Error {
    if error == Error::ILLEGAL_ADDRESS { Error::INVALID_VALUE } else { error }
}

/// Gives an operation to a stream; returns when `timing` says.
#[inline]
pub fn dispatch<T: Transfer>(stream: &Arc<Stream>, operation: T, timing: Timing, call: Call) -> Result<()> {
    if !stream.is_quiet() {
        return in_order(stream, operation, timing, call);
    }
    // Nothing to be ordered against: however the call is to return, the operation runs here and now.
    let result = operation.run();
    if timing != Timing::Enqueue {
        return result.map_err(T::answer);
    }
    // An error of its own is the context's, as it would be from the queue.
    if let Err(error) = result {
        stream.group.fail(error);
    }
    Ok(())
}

#[inline(never)]
fn in_order<T: Transfer>(stream: &Arc<Stream>, operation: T, timing: Timing, call: Call) -> Result<()> {
    if stream.admit()? {
        let work = Work::of(operation);
        return if call == Call::Asynchronous { stream.enqueue(work) } else { stream.perform(work) };
    }
    match timing {
        Timing::Enqueue => {
            stream.run_or_submit_command(operation);
            Ok(())
        }
        Timing::Stage | Timing::DrainAndStage if !stream.group.is_idle() => {
            if timing == Timing::DrainAndStage {
                stream.synchronize()?;
            }
            stream.enqueue(operation.stage().map_err(T::answer)?)
        }
        _ => stream.perform_command(Answered(operation)),
    }
}

/// An operation with its answer for an error of its own. The context's, which keeps it from being run at all, stays what it
/// is.
struct Answered<T>(T);

impl<T: Transfer> Command for Answered<T> {
    fn run(&self) -> Result<()> {
        self.0.run().map_err(T::answer)
    }

    fn activity(&self) -> Option<Activity<'_>> {
        self.0.activity()
    }

    fn is_prompt(&self) -> bool {
        self.0.is_prompt()
    }

    fn is_brief(&self) -> bool {
        self.0.is_brief()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::linear::LinearCopy;
    use crate::stream::{HostCall, StreamKind};
    use crate::testing;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn range(kind: RangeKind, bytes: usize) -> Range {
        Range { address: 4096, bytes, kind, synchronous: false }
    }

    #[test]
    fn a_copy_returns_when_its_memory_and_its_call_say() {
        use Call::{Asynchronous, Synchronous};
        let device = |bytes| range(RangeKind::Device(0), bytes);
        let pinned = |bytes| range(RangeKind::Pinned, bytes);
        let pageable = |bytes| range(RangeKind::Pageable, bytes);
        for (dst, src, synchronous, asynchronous) in [
            (device(64), device(64), Timing::Enqueue, Timing::Enqueue),
            (range(RangeKind::Mapped(Some(1)), 64), device(64), Timing::Enqueue, Timing::Enqueue),
            (range(RangeKind::Mapped(None), 64), device(64), Timing::Complete, Timing::Enqueue),
            (range(RangeKind::Managed, 64), device(64), Timing::Complete, Timing::Enqueue),
            (pinned(64), device(64), Timing::Complete, Timing::Enqueue),
            (device(64), pinned(64), Timing::Complete, Timing::Enqueue),
            (pinned(64), pinned(64), Timing::Complete, Timing::Complete),
            (pageable(64), device(64), Timing::Complete, Timing::Complete),
            (device(64 << 10), pageable(64 << 10), Timing::DrainAndStage, Timing::Stage),
            (device(65 << 10), pageable(65 << 10), Timing::Complete, Timing::Stage),
            (device(2 << 20), pageable(2 << 20), Timing::Complete, Timing::Stage),
            (device(3 << 20), pageable(3 << 20), Timing::Complete, Timing::Complete),
        ] {
            assert_eq!(Timing::of_copy(&dst, &src, Synchronous), synchronous, "{dst:?} {src:?}");
            assert_eq!(Timing::of_copy(&dst, &src, Asynchronous), asynchronous, "{dst:?} {src:?}");
            let marked = Range { synchronous: true, ..dst };
            assert_eq!(Timing::of_copy(&marked, &src, Asynchronous), Timing::Complete, "{dst:?} {src:?}");
        }
    }

    #[test]
    fn a_memset_waits_for_memory_of_the_host_only() {
        let of = |kind, call| Timing::of_memset(&range(kind, 64), call);
        assert_eq!(of(RangeKind::Device(0), Call::Synchronous), Timing::Enqueue);
        assert_eq!(of(RangeKind::Pinned, Call::Synchronous), Timing::Complete);
        assert_eq!(of(RangeKind::Managed, Call::Synchronous), Timing::Complete);
        assert_eq!(of(RangeKind::Pinned, Call::Asynchronous), Timing::Enqueue);
        let marked = Range { synchronous: true, ..range(RangeKind::Device(0), 64) };
        assert_eq!(Timing::of_memset(&marked, Call::Asynchronous), Timing::Complete);
    }

    #[test]
    fn a_copy_of_a_batch_returns_as_its_access_order_says() {
        let of = |src, order| Timing::of_batch_copy(&range(RangeKind::Pageable, 64), &range(src, 64), order);
        assert_eq!(of(RangeKind::Pageable, AccessOrder::Stream), Timing::Complete);
        assert_eq!(of(RangeKind::Pageable, AccessOrder::DuringCall), Timing::Stage);
        assert_eq!(of(RangeKind::Pageable, AccessOrder::Any), Timing::Stage);
        assert_eq!(of(RangeKind::Device(0), AccessOrder::Stream), Timing::Enqueue);
        assert_eq!(of(RangeKind::Device(0), AccessOrder::DuringCall), Timing::Complete);
        assert_eq!(of(RangeKind::Device(0), AccessOrder::Any), Timing::Enqueue);
    }

    #[test]
    fn a_copy_that_never_ran_answers_the_contexts_error() {
        let context = testing::context_alone();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let nowhere = LinearCopy::new(0x1_0000, 0x2_0000, 64);
        let (from, to) = ([1u8; 8], [0u8; 8]);
        let right = LinearCopy::new(to.as_ptr() as usize, from.as_ptr() as usize, 8);
        let behind = |first: Option<LinearCopy>, copy: LinearCopy| {
            let open = Arc::new(AtomicBool::new(false));
            let seen = open.clone();
            stream.submit(Work::Host(HostCall::new((0, 0), move || {
                while !seen.load(Ordering::Acquire) {
                    std::thread::yield_now();
                }
            })));
            first.into_iter().for_each(|copy| stream.enqueue(Work::of(copy)).unwrap());
            let queued = stream.tail();
            std::thread::scope(|scope| {
                let copying = scope.spawn(|| dispatch(&stream, copy, Timing::Complete, Call::Asynchronous));
                while queued.includes(&stream.tail()) && !copying.is_finished() {
                    std::thread::yield_now();
                }
                open.store(true, Ordering::Release);
                copying.join().unwrap()
            })
        };
        assert_eq!(behind(None, right), Ok(()));
        assert_eq!(behind(None, nowhere), Err(Error::INVALID_VALUE), "its own error");
        assert_eq!(behind(Some(nowhere), right), Err(Error::ILLEGAL_ADDRESS));
        context.destroy();
    }
}
