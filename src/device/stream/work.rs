//! What a stream can be given to do.

use super::value::{WaitValue, WriteValue};
use super::{Fence, poller};
use crate::device::copy::box_copy::BoxCopy;
use crate::device::copy::transfer::{Copy, Fill};
use crate::device::kernel::launch::Kernel;
use crate::device::stream::event;
use crate::device::stream::event::Stamp;
use error::{Error, Result};
use std::sync::Arc;

/// A function of the program.
#[derive(Clone)]
pub struct HostCall {
    /// Calls it. The argument is the context's asynchronous error.
    pub call: Arc<dyn Fn(Option<Error>) + Send + Sync>,
    /// Address of the function and its argument, as the program gave them.
    pub identity: (usize, usize),
    /// Called even after an asynchronous error.
    pub after_error: bool,
}

impl HostCall {
    /// A host function: not called after an asynchronous error.
    pub fn new(identity: (usize, usize), call: impl Fn() + Send + Sync + 'static) -> HostCall {
        HostCall { call: Arc::new(move |_| call()), identity, after_error: false }
    }
}

/// An operation of the device that has no description of its own.
pub type Task = Arc<dyn Fn() -> Result<()> + Send + Sync>;

/// One piece of work for a stream. It can be run more than once (graphs keep it).
#[derive(Clone)]
pub enum Work {
    /// A copy between two ranges of memory.
    Copy(Copy),
    /// A fill of a range or of rows with a pattern.
    Fill(Fill),
    /// A copy of a box between pitched memory and arrays.
    Box(Arc<BoxCopy>),
    /// A grid of blocks.
    Kernel(Arc<Kernel>),
    /// A function of the program; runs on a worker, where the driver API refuses calls.
    Host(HostCall),
    /// Any other operation of the device that does not block. Cannot be captured.
    Task(Task),
    /// Notes the time at which the stream got here.
    Record(Stamp),
    /// Waits for a point of another stream.
    Wait(Fence),
    /// Waits for a word in memory.
    WaitValue(WaitValue),
    /// Writes a word to memory.
    WriteValue(WriteValue),
}

/// Copies and fills up to this size take less time than handing them to anybody.
const BRIEF: usize = 4096;

impl Work {
    /// True when the calling thread may run it on the spot.
    pub(super) fn is_prompt(&self) -> bool {
        match self {
            Work::Host(_) => false,
            // A kernel may wait for something that the calling thread has still to do.
            Work::Kernel(kernel) => kernel.is_brief(),
            Work::Wait(fence) => fence.is_complete(),
            Work::WaitValue(wait) => wait.holds() == Ok(true),
            _ => true,
        }
    }

    /// True when running it takes no time to speak of and calls nothing that could come back to the stream.
    pub(super) fn is_brief(&self) -> bool {
        match self {
            Work::Copy(copy) => copy.bytes <= BRIEF,
            Work::Box(copy) => copy.bytes() <= BRIEF / 4,
            Work::Fill(fill) => fill.width.saturating_mul(fill.rows) <= BRIEF / 4,
            Work::Record(_) | Work::Wait(_) | Work::WaitValue(_) | Work::WriteValue(_) => true,
            Work::Host(_) | Work::Task(_) | Work::Kernel(_) => false,
        }
    }

    /// True when it may have to wait for somebody else.
    pub fn may_wait(&self) -> bool {
        matches!(self, Work::Host(_) | Work::Wait(_) | Work::WaitValue(_))
    }

    /// Does it. Host functions and waits are none of its business: the queue treats them itself.
    pub fn execute(&self) -> Result<()> {
        match self {
            Work::Copy(copy) => copy.run(),
            Work::Fill(fill) => fill.run(),
            Work::Box(copy) => copy.run(),
            Work::Kernel(kernel) => kernel.run(),
            Work::Task(task) => task(),
            Work::Record(stamp) => {
                event::mark(stamp);
                Ok(())
            }
            Work::WriteValue(write) => {
                let result = write.run();
                poller::kick();
                result
            }
            Work::Wait(_) | Work::Host(_) | Work::WaitValue(_) => Ok(()),
        }
    }
}
