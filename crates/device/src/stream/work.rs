//! What a stream can be given to do.

use super::value::{WaitValue, WriteValue};
use super::{Fence, poller};
use crate::stream::event;
use crate::stream::event::Stamp;
use error::{Error, Result};
use std::any::Any;
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

/// What a room above this one gives to streams: a copy, a memset, a kernel. A graph keeps it and can run it again.
pub trait Command: Any + Send + Sync {
    /// Does it.
    fn run(&self) -> Result<()>;

    /// True when the calling thread may run it on the spot: it waits for nothing that this thread has still to do.
    fn is_prompt(&self) -> bool {
        true
    }

    /// True when running it takes no time to speak of and calls nothing that could come back to the stream.
    fn is_brief(&self) -> bool;
}

/// One piece of work for a stream. It can be run more than once (graphs keep it).
#[derive(Clone)]
pub enum Work {
    /// A command of a room above this one.
    Command(Arc<dyn Command>),
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

impl Work {
    /// A command as work.
    pub fn of(command: impl Command) -> Work {
        Work::Command(Arc::new(command))
    }

    /// The command, if it is one of type `T`.
    pub fn command<T: Command>(&self) -> Option<&T> {
        let Work::Command(command) = self else { return None };
        let any: &dyn Any = &**command;
        any.downcast_ref()
    }

    /// The same, shared.
    pub fn shared_command<T: Command>(&self) -> Option<Arc<T>> {
        let Work::Command(command) = self else { return None };
        let any: Arc<dyn Any + Send + Sync> = command.clone();
        any.downcast().ok()
    }

    /// True when the calling thread may run it on the spot.
    pub(super) fn is_prompt(&self) -> bool {
        match self {
            Work::Host(_) => false,
            Work::Command(command) => command.is_prompt(),
            Work::Wait(fence) => fence.is_complete(),
            Work::WaitValue(wait) => wait.holds() == Ok(true),
            _ => true,
        }
    }

    /// True when running it takes no time to speak of and calls nothing that could come back to the stream.
    pub(super) fn is_brief(&self) -> bool {
        match self {
            Work::Command(command) => command.is_brief(),
            Work::Record(_) | Work::Wait(_) | Work::WaitValue(_) | Work::WriteValue(_) => true,
            Work::Host(_) | Work::Task(_) => false,
        }
    }

    /// True when it may have to wait for somebody else.
    pub fn may_wait(&self) -> bool {
        matches!(self, Work::Host(_) | Work::Wait(_) | Work::WaitValue(_))
    }

    /// Does it. Host functions and waits are none of its business: the queue treats them itself.
    pub fn execute(&self) -> Result<()> {
        match self {
            Work::Command(command) => command.run(),
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
