//! A queue of work, as those see it who run queues or wake them: the executor, the poller, the lazy timeout.

use crate::stream::value::WaitValue;
use std::sync::Arc;

/// A stream.
pub(super) trait Queue: Send + Sync {
    /// Lower is more urgent.
    fn priority(&self) -> i32;
    /// Runs what is queued and may run now: for a worker.
    fn run(self: Arc<Self>);
    /// Starts what a lazy schedule has put off.
    fn start(self: Arc<Self>);
    /// Starts what a lazy schedule has put off anywhere in the process.
    fn start_all(&self);
    /// True when a wait of this queue for a word in memory is over.
    fn is_over(&self, wait: &WaitValue) -> bool;
    /// Lets the queue go on behind its wait number `sequence`.
    fn release(self: Arc<Self>, sequence: u64);
}
