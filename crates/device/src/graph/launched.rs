//! What graphs do whose kernels launch graphs.

use crate::graph::conditional::{Chosen, Step};
use crate::kernel::graph_launch::{self, Known};
use crate::kernel::launch::{Kernel, kernel_limit};
use crate::stream::Activity;
use crate::stream::{Command, Work};
use error::{Error, Result};
use std::sync::Arc;
use std::time::Instant;

/// Whether kernels of this work launch graphs, or ask for their own.
pub fn launches_graphs(work: &Work) -> bool {
    let by_kernel = |work: &Work| work.command::<Kernel>().is_some_and(|kernel| kernel.function.code().uses.graphs);
    let in_choice = |chosen: &Chosen| {
        let mut steps = chosen.graphs.iter().flatten();
        steps.any(|step| matches!(step, Step::Work(work) if by_kernel(work)))
    };
    by_kernel(work) || work.command::<Chosen>().is_some_and(in_choice)
}

/// Work that is part of an executable graph, which its kernels know.
pub struct Inside {
    pub work: Work,
    pub graph: usize,
}

impl Command for Inside {
    fn run(&self) -> Result<()> {
        graph_launch::within(self.graph, || self.work.execute())
    }

    fn activity(&self) -> Option<Activity<'_>> {
        match &self.work {
            Work::Command(command) => command.activity(),
            _ => None,
        }
    }

    fn is_prompt(&self) -> bool {
        false
    }

    fn is_brief(&self) -> bool {
        false
    }
}

/// The graphs that the kernels of a graph have launched, behind it.
pub struct Launched {
    pub graph: Arc<Known>,
    /// Runs an executable graph, and says which ones its kernels have launched, the last one first.
    pub run: fn(usize) -> Result<Vec<usize>>,
}

impl Command for Launched {
    fn run(&self) -> Result<()> {
        let end = kernel_limit().and_then(|limit| Instant::now().checked_add(limit));
        // A list: a graph that launches itself may do so any number of times.
        let mut open = self.graph.take();
        while let Some(graph) = open.pop() {
            if self.graph.gives_up() {
                return Ok(());
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                return Err(Error::LAUNCH_TIMEOUT);
            }
            open.extend((self.run)(graph)?);
        }
        Ok(())
    }

    fn is_prompt(&self) -> bool {
        false
    }

    fn is_brief(&self) -> bool {
        false
    }
}
