//! Conditional nodes: what they choose, how they run, and what the graphs in them may have.

use crate::copy::box_copy::{BoxCopy, Side};
use crate::copy::linear::LinearCopy;
use crate::graph::memory;
use crate::graph::nodes::{Choice, Conditional, Embedded, Operation};
use crate::kernel::condition::Held;
use crate::kernel::launch::kernel_limit;
use crate::memory::access;
use crate::memory::access::{Declared, RangeKind};
use crate::stream::{Command, Work};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;
use std::time::Instant;

/// Why a graph cannot be made executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its nodes depend on each other in a circle.
    Structure,
    /// A conditional node has a node that it cannot have.
    Operation,
    /// A conditional node has nodes of another context, or of host memory.
    Contexts,
    /// No node has a condition.
    UnusedCondition,
    /// Anything else.
    Other,
}

/// An obstacle, and why.
pub type Refusal = (Obstacle, Error);

/// More graphs in a node than this are not made.
const MOST_BODIES: usize = 1 << 16;

impl Conditional {
    /// A node with `count` empty graphs. The condition must not be another node's.
    pub fn create(condition: Arc<Held>, choice: Choice, count: usize) -> Result<Arc<Conditional>> {
        let allowed = match choice {
            Choice::If => 1..=2,
            Choice::While => 1..=1,
            Choice::Switch => 1..=usize::MAX,
        };
        refuse_if!(
            Error::INVALID_VALUE,
            !allowed.contains(&count),
            "nodeParams: conditional.size {} does not fit conditional.type {:?}",
            count,
            choice
        );
        refuse_if!(Error::OUT_OF_MEMORY, count > MOST_BODIES, "nodeParams: conditional.size {} is too large", count);
        let bodies: Box<[Arc<Embedded>]> = (0..count).map(|_| Embedded::body()).collect::<Result<_>>()?;
        let shown = bodies.iter().map(|body| body.handle).collect();
        if !condition.take() {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "nodeParams: conditional.handle {:#x} belongs to another node",
                condition.handle
            ));
        }
        Ok(Arc::new(Conditional { condition, choice, bodies, shown }))
    }

    /// The graph to run, by number.
    fn chosen(&self) -> Option<usize> {
        let value = self.condition.value();
        let number = match self.choice {
            Choice::If => usize::from(value == 0),
            Choice::While if value == 0 => return None,
            Choice::While => 0,
            Choice::Switch => value as usize,
        };
        (number < self.bodies.len()).then_some(number)
    }

    /// Refuses what the graphs in this node cannot have.
    pub fn check(&self, operation: &Operation) -> std::result::Result<(), Refusal> {
        let own = self.condition.context.upgrade();
        let is_own = |context: &std::sync::Weak<_>| own.is_some() && context.ptr_eq(&self.condition.context);
        match operation {
            Operation::Empty | Operation::Child(_) => Ok(()),
            Operation::Conditional(inner) if is_own(&inner.condition.context) => Ok(()),
            Operation::Kernel(kernel) if is_own(&kernel.function.context) => {
                if kernel.function.code().uses.launches {
                    return Err((
                        Obstacle::Operation,
                        refuse!(
                            Error::INVALID_VALUE,
                            "hGraph has a conditional node with a kernel that launches kernels"
                        ),
                    ));
                }
                Ok(())
            }
            Operation::Conditional(_) | Operation::Kernel(_) => Err((
                Obstacle::Contexts,
                refuse!(
                    Error::INVALID_VALUE,
                    "hGraph has a conditional node of one context with a kernel or a conditional node of another"
                ),
            )),
            Operation::Memset(memset, _) => reachable(memset.dst),
            Operation::Copy(work, _) => match (work.command::<LinearCopy>(), work.command::<BoxCopy>()) {
                (Some(copy), _) => reachable(copy.dst).and_then(|()| reachable(copy.src)),
                (
                    _,
                    Some(BoxCopy {
                        dst: Side::Memory { address: dst, .. },
                        src: Side::Memory { address: src, .. },
                        ..
                    }),
                ) => reachable(*dst).and_then(|()| reachable(*src)),
                _ => Err((
                    Obstacle::Operation,
                    refuse!(Error::INVALID_VALUE, "hGraph has a conditional node with a copy of an array"),
                )),
            },
            _ => Err((
                Obstacle::Operation,
                refuse!(
                    Error::INVALID_VALUE,
                    "hGraph has a conditional node with a node of type {}, which it cannot have",
                    operation.kind()
                ),
            )),
        }
    }
}

/// Memory of devices, and host memory that they can access.
fn reachable(address: usize) -> std::result::Result<(), Refusal> {
    let found = memory::trusting(|| access::resolve(address, 1, Declared::Unified, false));
    if found.is_ok_and(|range| range.kind == RangeKind::Pageable) {
        return Err((
            Obstacle::Contexts,
            refuse!(
                Error::INVALID_VALUE,
                "hGraph has a conditional node with a copy or memset of host memory at {:#x}, which is not page-locked",
                address
            ),
        ));
    }
    Ok(())
}

/// A step of a graph in a conditional node.
pub enum Step {
    /// Work that waits for nobody.
    Work(Work),
    /// A conditional node, and the number of the first of its graphs.
    Choose(Arc<Conditional>, usize),
}

/// A conditional node as work: it and the graphs in it, a list, because they may lie in each other deeper than a stack is.
pub struct Chosen {
    /// The node itself comes first.
    pub graphs: Vec<Vec<Step>>,
}

impl Command for Chosen {
    fn run(&self) -> Result<()> {
        let end = kernel_limit().and_then(|limit| Instant::now().checked_add(limit));
        // Graphs, and how far they are.
        let mut open = vec![(0, 0)];
        while let Some((graph, at)) = open.pop() {
            match self.graphs.get(graph).and_then(|steps| steps.get(at)) {
                None => {}
                Some(Step::Work(work)) => {
                    open.push((graph, at + 1));
                    work.execute()?;
                }
                Some(Step::Choose(node, first)) => {
                    if node.condition.gives_up() {
                        return Ok(());
                    }
                    if end.is_some_and(|end| Instant::now() >= end) {
                        return Err(Error::LAUNCH_TIMEOUT);
                    }
                    let chosen = node.chosen();
                    let again = node.choice == Choice::While && chosen.is_some();
                    open.push((graph, if again { at } else { at + 1 }));
                    open.extend(chosen.map(|number| (first + number, 0)));
                }
            }
        }
        Ok(())
    }

    /// A loop may wait for something that the calling thread has still to do.
    fn is_prompt(&self) -> bool {
        false
    }

    fn is_brief(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::memset::Memset;
    use crate::graph::exec::Exec;
    use crate::graph::nodes::Graph;
    use crate::kernel::condition::{self, CONDITIONS};
    use crate::memory;
    use crate::stream::{HostCall, Stream, StreamKind};
    use crate::testing::context;

    #[test]
    fn conditions_choose_among_graphs_and_end_with_them() {
        let context = context();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let d = memory::alloc(&context, 64).unwrap().base;
        let graph = Graph::create().unwrap();
        let handle = graph.create_condition(&context, None).unwrap();
        assert!(Exec::create(&context, &graph, 0).is_err(), "no node has the condition");
        let held = graph.find_condition(handle).unwrap();
        let node = Conditional::create(held.clone(), Choice::Switch, 3).unwrap();
        assert!(Conditional::create(held, Choice::If, 1).is_err(), "another node has it");
        for (value, body) in node.bodies.iter().enumerate() {
            let body = Graph::find(body.handle).unwrap();
            let memset = Memset { dst: d, pitch: 0, value: value as u32 + 1, element: 1, width: 1, rows: 1 };
            body.add(Operation::Memset(memset, None), &[]).unwrap();
        }
        let last = Graph::find(node.bodies[2].handle).unwrap();
        graph.add(Operation::Conditional(node), &[]).unwrap();
        assert!(last.find_condition(handle).is_ok(), "the graph around has it");
        let exec = Exec::create(&context, &graph, 0).unwrap();
        last.add(Operation::Host(HostCall::new((0, 0), || {})), &[]).unwrap();
        assert_eq!(Exec::create(&context, &graph, 0).err(), Some(Error::INVALID_VALUE));
        drop(last);
        Graph::destroy(graph.handle).unwrap();
        drop(graph);
        for (value, seen) in [(0, 1), (2, 3), (3, 0), (1, 2)] {
            guard::write(d, guard::bytes(&[0])).unwrap();
            assert!(!condition::set(handle as u64, &Arc::downgrade(&context), value), "its graph does not run");
            let held = CONDITIONS.get(handle).unwrap();
            held.enter();
            assert!(condition::set(handle as u64, &Arc::downgrade(&context), value));
            held.exit();
            exec.launch(&stream).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(guard::read_vec(d, 1).unwrap(), [seen]);
        }
        assert!(!condition::set(handle as u64, &std::sync::Weak::new(), 1), "another context's kernel");
        Exec::destroy(exec.handle).unwrap();
        drop(exec);
        assert!(CONDITIONS.get(handle).is_none());
        context.destroy();
    }
}
