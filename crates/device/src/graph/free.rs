//! Memory of graphs that the program frees by itself, as it frees other memory.

use crate::base::trace;
use crate::graph::memory::GraphAllocation;
use crate::graph::nodes::Operation;
use crate::graph::recording;
use crate::memory::GraphMemory;
use crate::stream::{Stream, Work};
use error::{Error, Result, refuse};
use std::sync::Arc;

impl GraphMemory for GraphAllocation {
    fn promised(&self, address: usize, bytes: usize) -> Option<u32> {
        GraphAllocation::promised(self, address, bytes)
    }

    fn free_now(&self) -> bool {
        self.free_claimed()
    }

    fn free(self: Arc<Self>, stream: &Arc<Stream>) -> Result<()> {
        if stream.admit()? {
            return recording::record(stream, Operation::Free(self));
        }
        if !self.is_claimed() {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "dptr {:#x} is memory of a graph that is not allocated now, or is freed elsewhere",
                self.address
            ));
        }
        self.disclaim();
        let caller = trace::here();
        stream.submit(Work::Task(Arc::new(move || {
            trace::on_behalf(&caller, || self.retract());
            Ok(())
        })));
        Ok(())
    }
}
