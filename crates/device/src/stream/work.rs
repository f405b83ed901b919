//! What a stream can be given to do: what is asked of work, and its execution.

use crate::stream::types::{Command, Work};
use crate::stream::{clock, poller, watch};
use error::Result;
use std::any::Any;
use std::sync::Arc;

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
            Work::Command(command) => watch::timed(|| command.activity(), || command.run()),
            Work::Task(task) => task(),
            Work::Record(stamp) => {
                clock::mark(stamp);
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
