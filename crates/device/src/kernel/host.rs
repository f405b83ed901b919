//! What the process gives to launches: cores to run on, and memory that kernels may access.

use crate::base::parallel;
use crate::memory::thread_memory;
use engine::state::services::{GRAIN, Host};

/// The only one.
pub struct Process;

const _: () = assert!(thread_memory::GRAIN.is_multiple_of(GRAIN));

impl Host for Process {
    fn cores(&self) -> usize {
        parallel::cores()
    }

    fn on_cores(&self, count: usize, work: &(dyn Fn(usize) -> bool + Sync)) -> bool {
        parallel::on_cores(count, work)
    }

    fn take(&self, bytes: usize) -> Option<usize> {
        thread_memory::take(bytes)
    }

    fn give(&self, at: usize, bytes: usize) {
        thread_memory::give(at, bytes);
    }
}
