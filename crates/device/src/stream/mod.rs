//! Streams: queues of work, and the rules that order them.
//!
//! Work on one stream runs in the order it was given. Between streams there is no order, except through events
//! ([`Work::Wait`]) and through the legacy default stream of a context: its work starts after everything that was
//! given before to the context's blocking streams, and their later work starts after it.
//!
//! **Who runs it.** An operation that cannot block, given to an idle stream with nothing to wait for, runs at once on
//! the calling thread. Otherwise it is queued. A queue is run by whoever gets to it first: a thread that waits for the
//! stream, or a worker of the [`executor`]. Host functions are left to workers, and only one host function of a context
//! runs at a time, as on the real driver. Words in memory are watched by the `poller`.
//!
//! **Nothing gets lost.** A stream with queued work is always in one of these states, and each of them ends by
//! somebody looking at the queue again: it is being run; it stands in the executor's queue; it waits for a point of
//! another stream (`State::wakers` of that one), for the host function lane or for a word in memory. Under the lazy
//! schedule there is one more: nobody has asked for its next operation yet (`State::wanted`).
//!
//! For a stream that stands alone in the executor's queue no worker may have been woken yet: then a helper of `base::parallel` that is
//! awake does so in some microseconds (`parallel::defer`), unless a thread that waits for the stream takes it back and runs it.
//!
//! The files use each other in the order that `tests/rooms/order.txt` gives: what everything consists of stands in `types`,
//! the threads that serve streams below it, and what streams, events and contexts do above it.

mod attributes;
pub mod capture;
pub mod clock;
pub mod context;
pub mod event;
pub mod executor;
pub mod green;
mod group;
pub mod hooks;
mod lazy_timeout;
mod members;
mod poller;
pub mod primary;
mod queue;
mod schedule;
mod scheduler;
mod submission;
#[cfg(test)]
mod tests;
pub mod thread_state;
mod types;
mod value;
pub mod watch;
mod work;

pub use attributes::{AccessPolicyWindow, Attributes};
pub use hooks::Waited;
pub use schedule::{Schedule, is_plain, set_schedule, watch_all};
pub use types::{
    Activity, Attachment, Command, Fence, Group, HostCall, Keepsake, Origin, STREAMS, Stream, StreamKind, Task, Work,
};
pub use value::{Condition, WaitValue, WriteValue};
