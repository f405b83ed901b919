//! Captures over an existing graph: the same nodes again, in the order in which they were created, with what they do now.

use crate::copy::box_copy::{BoxCopy, Side};
use crate::copy::linear::LinearCopy;
use crate::graph::memory::GraphAllocation;
use crate::graph::nodes::{Graph, Node, Operation};
use crate::kernel::launch::Kernel;
use crate::stream::Work;
use crate::stream::capture::EdgeData;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What becomes of executable graphs when a node does something else than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// They can take it over.
    Eligible,
    /// They cannot.
    Ineligible,
    /// The node cannot be captured so: the capture ends.
    Impossible,
}

/// Is told of a node that does something else than before, with both operations; false ends the capture.
pub type Teller = Box<dyn Fn(usize, &Operation, &Operation, Change) -> bool + Send + Sync>;

/// A capture over an existing graph.
pub struct Recapture {
    /// The nodes of the graph, in the order of creation.
    nodes: Vec<Arc<Node>>,
    state: Mutex<State>,
    teller: Option<Teller>,
}

#[derive(Default)]
struct State {
    /// How many were captured again.
    done: usize,
    /// What is to be told: nobody holds a lock then.
    changes: Vec<(usize, Operation, Operation, Change)>,
}

impl Recapture {
    /// Of all nodes that a graph has now.
    pub fn new(graph: &Graph, teller: Option<Teller>) -> Recapture {
        Recapture { nodes: graph.nodes(), state: Mutex::default(), teller }
    }

    /// The next node, if it is like the operation and depends on the same; it does that from now on. `None` ends the capture.
    pub fn take(&self, graph: &Graph, new: Operation, after: &[(usize, EdgeData)]) -> Option<usize> {
        let mut state = self.state.lock();
        let node = self.nodes.get(state.done)?;
        let old = node.operation();
        let sorted = |mut edges: Vec<(usize, EdgeData)>| {
            edges.sort_unstable();
            edges
        };
        if !old.is_like(&new) || sorted(graph.dependencies(node.handle)) != sorted(after.to_vec()) {
            return None;
        }
        if !is_same(&old, &new) {
            let change = match (&old, &new) {
                _ if old.is_allocation() => Change::Impossible,
                (Operation::Kernel(old), Operation::Kernel(new))
                    if old.request.cooperative != new.request.cooperative =>
                {
                    Change::Ineligible
                }
                (Operation::Child(_), _) => Change::Ineligible,
                _ => Change::Eligible,
            };
            state.changes.push((node.handle, old, new.clone(), change));
            if change == Change::Impossible {
                return None;
            }
            node.update(|_| Ok(new)).ok()?;
        }
        state.done += 1;
        Some(node.handle)
    }

    /// The allocation of the next node, if it is one of so many bytes: it has its address already.
    pub fn allocation(&self, size: usize) -> Option<Arc<GraphAllocation>> {
        match self.nodes.get(self.state.lock().done)?.operation() {
            Operation::Allocate(allocation) if allocation.size == size => {
                allocation.captured.store(true, Ordering::Release);
                Some(allocation)
            }
            _ => None,
        }
    }

    /// Tells of what does something else. False when the capture is to end.
    pub fn tell(&self) -> bool {
        let changes = std::mem::take(&mut self.state.lock().changes);
        let goes_on = |(node, old, new, change): &(usize, Operation, Operation, Change)| {
            let told = self.teller.as_ref().is_none_or(|tell| tell(*node, old, new, *change));
            told && *change != Change::Impossible
        };
        changes.iter().all(goes_on)
    }

    /// True when all nodes were captured again.
    pub fn is_whole(&self) -> bool {
        self.state.lock().done == self.nodes.len()
    }
}

/// Whether two operations of one kind do the same.
fn is_same(a: &Operation, b: &Operation) -> bool {
    use Operation::{
        Allocate, Child, Copy, Empty, Free, Host, Kernel, MemoryOperations, Memset, Record, Semaphores, Wait,
    };
    match (a, b) {
        (Empty, Empty) => true,
        (Kernel(a), Kernel(b)) => is_same_kernel(a, b),
        (Copy(a, _), Copy(b, _)) => is_same_copy(a, b),
        (Memset(a, _), Memset(b, _)) => a == b,
        (Host(a), Host(b)) => a.identity == b.identity,
        (Record(a), Record(b)) | (Wait(a), Wait(b)) => Arc::ptr_eq(a, b),
        (Allocate(a), Allocate(b)) | (Free(a), Free(b)) => Arc::ptr_eq(a, b),
        (MemoryOperations(a, _), MemoryOperations(b, _)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_word(a, b))
        }
        (Semaphores { waits: a, works: ours, .. }, Semaphores { waits: b, works: theirs, .. }) => {
            a == b && ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| is_same_of_semaphore(a, b))
        }
        (Child(a), Child(b)) => {
            let (a, b) = (a.nodes(), b.nodes());
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| is_same(&a.operation(), &b.operation()))
        }
        _ => false,
    }
}

fn is_same_kernel(a: &Kernel, b: &Kernel) -> bool {
    Arc::ptr_eq(&a.function, &b.function) && a.request == b.request && a.launch.parameters == b.launch.parameters
}

fn is_same_copy(a: &Work, b: &Work) -> bool {
    let is_same_side = |a: &Side, b: &Side| match (a, b) {
        (
            Side::Memory { address, pitch, slice, only },
            Side::Memory { address: other, pitch: other_pitch, slice: other_slice, only: other_only },
        ) => (address, pitch, slice, only) == (other, other_pitch, other_slice, other_only),
        (Side::Array { array, at }, Side::Array { array: other, at: there }) => {
            Arc::ptr_eq(array, other) && at == there
        }
        (Side::Staged(a), Side::Staged(b)) => a == b,
        _ => false,
    };
    match (a.command::<LinearCopy>(), b.command::<LinearCopy>(), a.command::<BoxCopy>(), b.command::<BoxCopy>()) {
        (Some(a), Some(b), ..) => (a.dst, a.src, a.bytes) == (b.dst, b.src, b.bytes),
        (.., Some(a), Some(b)) => is_same_side(&a.dst, &b.dst) && is_same_side(&a.src, &b.src) && a.extent == b.extent,
        _ => false,
    }
}

/// Whether works of two nodes of semaphores do the same. A word has one semaphore, which the node keeps; what is no operation on
/// the word only keeps it, too.
fn is_same_of_semaphore(a: &Work, b: &Work) -> bool {
    matches!((a, b), (Work::Task(_), Work::Task(_))) || is_same_word(a, b)
}

fn is_same_word(a: &Work, b: &Work) -> bool {
    match (a, b) {
        (Work::WaitValue(a), Work::WaitValue(b)) => a == b,
        (Work::WriteValue(a), Work::WriteValue(b)) => a == b,
        _ => false,
    }
}
