//! What a node of a graph does.

use super::{Embedded, memory::Allocation};
use crate::copy::box_copy::{BoxCopy, Side};
use crate::copy::transfer::{Copy, Fill};
use crate::kernel::launch::Kernel;
use crate::memory::access;
use crate::memory::access::{Declared, Place};
use crate::stream::event::Event;
use crate::stream::{HostCall, Work};
use std::any::Any;
use std::sync::Arc;

/// What the program described an operation with, kept so that it can ask for it.
pub type Given = Option<Arc<dyn Any + Send + Sync>>;

/// What a node does.
#[derive(Clone)]
pub enum Operation {
    /// Nothing.
    Empty,
    /// Runs a kernel.
    Kernel(Arc<Kernel>),
    /// Copies.
    Copy(Work, Given),
    /// Fills.
    Fill(Fill),
    /// Calls a function of the program.
    Host(HostCall),
    /// Runs another graph.
    Child(Arc<Embedded>),
    /// Records an event.
    Record(Arc<Event>),
    /// Waits for an event.
    Wait(Arc<Event>),
    /// Allocates memory.
    Allocate(Arc<Allocation>),
    /// Frees it.
    Free(Arc<Allocation>),
    /// Waits for words in memory and writes some.
    MemoryOperations(Vec<Work>, Given),
}

impl Operation {
    /// `CUgraphNodeType`.
    pub fn kind(&self) -> u32 {
        match self {
            Operation::Kernel(_) => 0,
            Operation::Copy(..) => 1,
            Operation::Fill(_) => 2,
            Operation::Host(_) => 3,
            Operation::Child(_) => 4,
            Operation::Empty => 5,
            Operation::Wait(_) => 6,
            Operation::Record(_) => 7,
            Operation::Allocate(_) => 10,
            Operation::Free(_) => 11,
            Operation::MemoryOperations(..) => 12,
        }
    }

    /// True for what a device has a kernel for, of the program or its own: rows apart, long fills and those of managed memory,
    /// copies between memories that it reaches by itself. Its copy engines do the rest.
    pub fn is_for_kernels(&self) -> bool {
        /// The longest fill that takes no kernel.
        const SHORT: usize = 4096;
        let place = |address| access::resolve(address, 1, Declared::Unified, false).map(|range| range.place);
        let between = |dst, src| match (place(dst), place(src)) {
            (Ok(Place::Pageable), _) | (_, Ok(Place::Pageable)) => false,
            (Ok(Place::Managed), Ok(_)) | (Ok(_), Ok(Place::Managed)) => true,
            (Ok(dst), Ok(src)) => is_of_device(dst) && is_of_device(src),
            _ => false,
        };
        match self {
            Operation::Kernel(_) => true,
            Operation::Fill(Fill { dst, pitch, element, width, rows, .. }) => {
                let row = width * element;
                *rows > 1 && *pitch != row || row * rows > SHORT || place(*dst) == Ok(Place::Managed)
            }
            Operation::Copy(work, _) => {
                if let Some(copy) = work.command::<Copy>() {
                    between(copy.dst, copy.src)
                } else if let Some(BoxCopy {
                    dst: Side::Memory { address: dst, .. },
                    src: Side::Memory { address: src, .. },
                    ..
                }) = work.command()
                {
                    between(*dst, *src)
                } else {
                    false
                }
            }
            _ => false,
        }
    }

    /// True when both are of the same kind.
    pub fn is_like(&self, other: &Operation) -> bool {
        self.kind() == other.kind()
    }

    /// True when it allocates or frees memory.
    pub fn is_allocation(&self) -> bool {
        matches!(self, Operation::Allocate(_) | Operation::Free(_))
    }

    /// True when it may have to wait for something that stands beside it.
    pub fn may_wait(&self) -> bool {
        matches!(self, Operation::Host(_) | Operation::Wait(_) | Operation::Child(_) | Operation::MemoryOperations(..))
    }
}

fn is_of_device(place: Place) -> bool {
    matches!(place, Place::Device(_) | Place::Mapped(Some(_)))
}
