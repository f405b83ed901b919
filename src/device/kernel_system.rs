//! What a context does for its kernels.

use super::check;
use super::context::Context;
use super::kernel_heap::Heap;
use super::kernel_output::Output;
use super::limit;
use crate::engine::check::Checker;
use crate::engine::program::Uses;
use crate::engine::services::{Assertion, Services, Thread};
use std::sync::Weak;
use std::sync::atomic::{AtomicBool, Ordering};

/// Serves the kernels of a context.
#[derive(Default)]
pub struct KernelSystem {
    /// The context.
    pub context: Weak<Context>,
    /// What they print.
    pub output: Output,
    /// What they allocate.
    pub heap: Heap,
    /// One that prints was launched.
    pub prints: AtomicBool,
    /// One that allocates was launched.
    pub allocates: AtomicBool,
}

impl KernelSystem {
    /// A kernel with these uses is launched.
    pub fn note(&self, uses: Uses) {
        if uses.prints {
            self.prints.store(true, Ordering::Relaxed);
        }
        if uses.allocates {
            self.allocates.store(true, Ordering::Relaxed);
        }
    }

    /// True for limits that cannot change any more.
    pub fn is_fixed(&self, number: u32) -> bool {
        match number {
            limit::PRINTF_FIFO_SIZE => self.prints.load(Ordering::Relaxed),
            limit::MALLOC_HEAP_SIZE => self.allocates.load(Ordering::Relaxed),
            _ => false,
        }
    }

    fn limit(&self, number: u32) -> u64 {
        self.context.upgrade().and_then(|c| c.limit(number).ok()).unwrap_or(0)
    }
}

impl Services for KernelSystem {
    fn print(&self, format: u64, arguments: u64) -> i32 {
        self.output.print(format, arguments, self.limit(limit::PRINTF_FIFO_SIZE))
    }

    fn assertion(&self, thread: Thread, assertion: Assertion) {
        self.output.assertion(thread, assertion);
    }

    fn allocate(&self, bytes: u64) -> u64 {
        self.heap.allocate(bytes, self.limit(limit::MALLOC_HEAP_SIZE))
    }

    fn free(&self, address: u64) -> bool {
        self.heap.free(address)
    }

    fn checker(&self) -> Option<&dyn Checker> {
        check::memory().then_some(self)
    }
}
