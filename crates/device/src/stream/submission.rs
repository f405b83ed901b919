//! How work is given to a stream: behind what the stream has to do, at once, or into the graph that it is captured into.

use crate::stream::types::{Command, Context, Fence, Stream, StreamKind, Work};
use crate::stream::{capture, hooks, watch};
use error::{Error, Result, refuse};
use hooks::Waited;
use parking_lot::Mutex;
use std::sync::Arc;

impl Stream {
    /// Its context.
    #[inline]
    pub fn owner(&self) -> Result<Arc<Context>> {
        let gone = || refuse!(Error::CONTEXT_IS_DESTROYED, "hStream is of a context that was destroyed");
        self.context.upgrade().ok_or_else(gone)
    }

    /// Gives the stream one operation: it runs after whatever the stream has to wait for, or becomes a node of the
    /// graph that the stream is being captured into. The result is about the giving only.
    ///
    /// An error of the operation itself is asynchronous: it becomes the context's, even when the operation ran before
    /// this returns.
    pub fn enqueue(self: &Arc<Self>, work: Work) -> Result<()> {
        if self.admit()? {
            return capture::enqueue(self, work);
        }
        self.give(work);
        Ok(())
    }

    /// Like [`Stream::submit`], for an operation to whose end nobody refers: when nothing of the context is pending, there
    /// is nothing to be ordered against, and it runs here and now without passing through the queue.
    #[inline]
    pub fn run_or_submit(self: &Arc<Self>, work: Work) {
        if self.may_run_at_once() && work.is_prompt() {
            self.execute(&work, watch::origin());
        } else {
            self.give(work);
        }
    }

    /// [`Stream::run_or_submit`] for a command by value, which becomes [`Work`] only if it has to wait for its turn.
    #[inline]
    pub fn run_or_submit_command(self: &Arc<Self>, command: impl Command) {
        if self.may_run_at_once() && command.is_prompt() {
            if self.group.error().is_none()
                && let Err(error) = self.run_command(&command)
            {
                self.group.fail(error);
            }
        } else {
            self.give(Work::of(command));
        }
    }

    /// [`Stream::perform`] for a command by value.
    #[inline]
    pub fn perform_command(self: &Arc<Self>, command: impl Command) -> Result<()> {
        if self.group.is_idle() && command.is_prompt() && !self.admit()? {
            hooks::print();
            return self.run_command(&command);
        }
        self.perform(Work::of(command))
    }

    #[inline]
    fn run_command(&self, command: &impl Command) -> Result<()> {
        watch::on(self, watch::origin(), || watch::timed(|| command.activity(), || command.run()))
    }

    /// Does one operation in the stream's order and returns when it is complete, with its own error.
    pub fn perform(self: &Arc<Self>, work: Work) -> Result<()> {
        if self.admit()? {
            return Err(capture::refuse(self));
        }
        if self.group.is_idle() && work.is_prompt() {
            // Nothing to be ordered against: no queue is touched.
            hooks::print();
            return watch::on(self, watch::origin(), || work.execute());
        }
        let outcome = Arc::new(Mutex::new(None));
        let slot = outcome.clone();
        self.submit(Work::Task(Arc::new(move || {
            *slot.lock() = Some(work.execute());
            Ok(())
        })))
        .wait();
        hooks::print();
        // Work that was never run stood behind the error of other work.
        let outcome = outcome.lock().take();
        outcome.unwrap_or_else(|| Err(self.group.error().unwrap_or(Error::UNKNOWN)))
    }

    /// Returns once everything given so far is complete: `cuStreamSynchronize`. For the legacy stream that includes
    /// what its next operation would have to wait for.
    pub fn synchronize(self: &Arc<Self>) -> Result<()> {
        if !self.group.is_idle() {
            if self.kind == StreamKind::Legacy {
                self.implicit_waits().iter().for_each(Fence::wait);
            }
            self.tail().wait();
        }
        hooks::waited(&Waited::Stream(self));
        self.group.check_error()
    }
}
