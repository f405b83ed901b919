//! Executable graphs: a graph as it was when it was made executable, with parameters that can still be changed.

use crate::array::semaphore;
use crate::base::checking;
use crate::base::handle::{HandleKind, Table};
use crate::copy::memset::Memset;
pub use crate::graph::conditional::Obstacle;
use crate::graph::conditional::{Chosen, Refusal, Step};
use crate::graph::launched::{Inside, Launched, launches_graphs};
use crate::graph::memory::{GraphAllocation, Promise};
use crate::graph::nodes::{Conditional, Embedded, Graph, Operation};
use crate::graph::user_object::UserObject;
use crate::kernel::condition::Condition;
use crate::kernel::graph_launch::Registered;
use crate::stream::capture::EdgeData;
use crate::stream::context::Context;
use crate::stream::event::Event;
use crate::stream::{Fence, Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

/// Free what the last launch left allocated, at the next launch.
pub const AUTO_FREE: u64 = 1;
/// Kernels may launch it.
const BY_KERNELS: u64 = 4;

/// A node of an executable graph.
struct Entry {
    /// Handle of the node that it was made of.
    node: usize,
    operation: Operation,
    enabled: bool,
    /// Where the graphs inside are.
    inner: Range<usize>,
}

/// The nodes of a graph, an order to run them in and their edges, by index.
struct Level {
    entries: Vec<Entry>,
    sequence: Vec<usize>,
    edges: Vec<(usize, usize, EdgeData)>,
}

/// A graph and the graphs in it: a list, because they may lie in each other deeper than a stack is.
struct Levels {
    /// The graph itself comes first.
    levels: Vec<Level>,
    /// Level and index of nodes.
    places: HashMap<usize, (usize, usize)>,
    /// A graph has a condition that no node has.
    unused: bool,
}

impl Levels {
    fn of(graph: &Graph) -> Result<Levels> {
        let mut shape = Levels { levels: Vec::new(), places: HashMap::new(), unused: false };
        let mut children = Vec::new();
        shape.add(graph, &mut children)?;
        while let Some(child) = children.get(shape.levels.len() - 1).cloned() {
            shape.add(&child, &mut children)?;
        }
        Ok(shape)
    }

    /// Adds a level. Graphs inside are put behind `children`, which become the levels after the first.
    fn add(&mut self, graph: &Graph, children: &mut Vec<Arc<Embedded>>) -> Result<()> {
        let order = graph.order()?;
        self.unused |= graph.has_unused_condition();
        let level = self.levels.len();
        let mut entries = Vec::with_capacity(order.nodes.len());
        for (index, node) in order.nodes.iter().enumerate() {
            let operation = node.operation();
            let first = children.len() + 1;
            children.extend(operation.inner().iter().cloned());
            self.places.insert(node.handle, (level, index));
            entries.push(Entry { node: node.handle, operation, enabled: true, inner: first..children.len() + 1 });
        }
        self.levels.push(Level { entries, sequence: order.sequence, edges: order.edges });
        Ok(())
    }

    /// Refuses what graphs in conditional nodes cannot have: why, and the node.
    fn check(&self) -> std::result::Result<(), (Refusal, usize)> {
        // Levels, and the conditional node that they are in.
        let mut open: Vec<(usize, Option<&Arc<Conditional>>)> = vec![(0, None)];
        while let Some((level, within)) = open.pop() {
            for entry in self.levels.get(level).into_iter().flat_map(|level| &level.entries) {
                within.map_or(Ok(()), |node| node.check(&entry.operation)).map_err(|why| (why, entry.node))?;
                let within = match &entry.operation {
                    Operation::Conditional(node) => Some(node),
                    _ => within,
                };
                open.extend(entry.inner.clone().map(|inner| (inner, within)));
            }
        }
        Ok(())
    }

    /// Refuses what a graph cannot have that kernels launch, and one that has no kernel of `context`.
    fn check_launchable(&self, context: &Arc<Context>) -> std::result::Result<(), usize> {
        let mut kernels = 0;
        for entry in self.levels.iter().flat_map(|level| &level.entries) {
            let fits = match &entry.operation {
                Operation::Kernel(kernel) => {
                    kernels += 1;
                    kernel.function.context.ptr_eq(&Arc::downgrade(context)) && !kernel.function.code().uses.launches
                }
                other => other.is_launchable(),
            };
            if !fits {
                return Err(entry.node);
            }
        }
        if kernels > 0 { Ok(()) } else { Err(0) }
    }

    fn conditionals(&self) -> impl Iterator<Item = &Arc<Conditional>> {
        self.levels.iter().flat_map(|level| &level.entries).filter_map(|entry| match &entry.operation {
            Operation::Conditional(node) => Some(node),
            _ => None,
        })
    }

    fn find(&mut self, node: usize) -> Option<&mut Entry> {
        let &(level, index) = self.places.get(&node)?;
        self.levels.get_mut(level)?.entries.get_mut(index)
    }

    /// Takes over the operations of another graph for the graph at a level and those in it, all or none.
    fn update(&mut self, at: usize, mut new: Levels) -> std::result::Result<(), Mismatch> {
        let (mut open, mut alike) = (vec![(at, 0)], Vec::new());
        while let Some((old, other)) = open.pop() {
            let (Some(ours), Some(theirs)) = (self.levels.get(old), new.levels.get(other)) else { continue };
            ours.compare(theirs)?;
            alike.push((old, other));
            let pairs = ours.entries.iter().zip(&theirs.entries).rev();
            open.extend(pairs.flat_map(|(old, new)| old.inner.clone().zip(new.inner.clone()).rev()));
        }
        for (old, other) in alike {
            for (ours, theirs) in self.levels[old].entries.iter_mut().zip(&mut new.levels[other].entries) {
                if !matches!(ours.operation, Operation::Child(_)) {
                    ours.operation = std::mem::replace(&mut theirs.operation, Operation::Empty);
                }
            }
        }
        Ok(())
    }

    /// What there is to do, in order.
    fn steps(&self) -> Vec<LaunchStep> {
        let conditions: Vec<_> = self.conditionals().map(|node| node.condition.clone()).collect();
        let for_all = |act: fn(&Condition)| {
            let conditions = conditions.clone();
            let task = move || {
                conditions.iter().for_each(|condition| act(condition));
                Ok(())
            };
            LaunchStep::Work(Work::Task(Arc::new(task)))
        };
        let mut steps = Vec::new();
        if !conditions.is_empty() {
            steps.push(for_all(Condition::enter));
        }
        steps.extend(self.steps_of(0).into_iter().map(|step| match step {
            Planned::Step(step) => step,
            Planned::Choose(node, inner) => LaunchStep::Work(Work::of(self.chosen(&node, inner))),
        }));
        if !conditions.is_empty() {
            steps.push(for_all(Condition::exit));
        }
        steps
    }

    /// A conditional node as work.
    fn chosen(&self, node: &Arc<Conditional>, inner: Range<usize>) -> Chosen {
        let mut graphs = vec![vec![Step::Choose(node.clone(), 1)]];
        // The levels that become the graphs behind the first.
        let mut levels: Vec<usize> = inner.collect();
        while let Some(&level) = levels.get(graphs.len() - 1) {
            let mut graph = Vec::new();
            for step in self.steps_of(level) {
                match step {
                    Planned::Step(LaunchStep::Work(work)) => graph.push(Step::Work(work)),
                    Planned::Choose(node, inner) => {
                        graph.push(Step::Choose(node, levels.len() + 1));
                        levels.extend(inner);
                    }
                    // Refused when the graph was made executable.
                    Planned::Step(_) => {}
                }
            }
            graphs.push(graph);
        }
        Chosen { graphs }
    }

    /// What a level and its child graphs do, in order.
    fn steps_of(&self, level: usize) -> Vec<Planned> {
        let mut planned = Vec::new();
        // Levels, and how far they are.
        let mut open = vec![(level, 0)];
        while let Some((level, at)) = open.pop() {
            let Some(Level { entries, sequence, .. }) = self.levels.get(level) else { continue };
            let Some(entry) = sequence.get(at).and_then(|&i| entries.get(i)) else { continue };
            open.push((level, at + 1));
            if !entry.enabled {
                continue;
            }
            let step = match &entry.operation {
                Operation::Empty => continue,
                Operation::Kernel(kernel) => LaunchStep::Work(Work::Command(kernel.clone())),
                Operation::Copy(work, _) => LaunchStep::Work(work.clone()),
                Operation::Memset(memset, _) => LaunchStep::Work(work_of_memset(memset)),
                Operation::Host(call) => LaunchStep::Work(Work::Host(call.clone())),
                Operation::Child(_) => {
                    open.extend(entry.inner.clone().map(|child| (child, 0)));
                    continue;
                }
                Operation::Record(event) => LaunchStep::Record(event.clone()),
                Operation::Wait(event) => LaunchStep::Wait(event.clone()),
                Operation::Allocate(allocation) => LaunchStep::Allocate(allocation.clone()),
                Operation::Free(allocation) => LaunchStep::Free(allocation.clone()),
                // A semaphore that was destroyed since is not signalled.
                Operation::Semaphores { waits: false, works, .. } => {
                    let goes = |work: &&Work| match work {
                        Work::WriteValue(write) => semaphore::is_word_of_one(write.address),
                        _ => true,
                    };
                    let works = works.iter().filter(goes).cloned();
                    planned.extend(works.map(|work| Planned::Step(LaunchStep::Work(work))));
                    continue;
                }
                Operation::MemoryOperations(works, _) | Operation::Semaphores { works, .. } => {
                    planned.extend(works.iter().cloned().map(|work| Planned::Step(LaunchStep::Work(work))));
                    continue;
                }
                Operation::Conditional(node) => {
                    planned.push(Planned::Choose(node.clone(), entry.inner.clone()));
                    continue;
                }
            };
            planned.push(Planned::Step(step));
        }
        planned
    }
}

impl Level {
    /// The first difference because of which another graph's operations cannot be taken over.
    fn compare(&self, new: &Level) -> std::result::Result<(), Mismatch> {
        if self.entries.len() != new.entries.len() {
            return Err(Mismatch { reason: Difference::Topology, node: 0, from: 0 });
        }
        let node = |i: usize| new.entries.get(i).map_or(0, |e| e.node);
        let sorted = |edges: &[(usize, usize, EdgeData)]| {
            let mut edges = edges.to_vec();
            edges.sort_unstable();
            edges
        };
        let (old_edges, new_edges) = (sorted(&self.edges), sorted(&new.edges));
        if old_edges != new_edges {
            let lacks =
                |edges: &[(usize, usize, EdgeData)], e: &(usize, usize, EdgeData)| edges.binary_search(e).is_err();
            let added = new_edges.iter().find(|e| lacks(&old_edges, e));
            let different = added.or_else(|| old_edges.iter().find(|e| lacks(&new_edges, e)));
            let (from, to) = different.map_or((0, 0), |e| (node(e.0), node(e.1)));
            return Err(Mismatch { reason: Difference::Topology, node: to, from });
        }
        for (i, (old, new)) in self.entries.iter().zip(&new.entries).enumerate() {
            if !old.operation.is_like(&new.operation) {
                return Err(Mismatch { reason: Difference::Type, node: node(i), from: 0 });
            }
            if let (Operation::Kernel(old), Operation::Kernel(new)) = (&old.operation, &new.operation)
                && old.request.cooperative != new.request.cooperative
            {
                return Err(Mismatch { reason: Difference::Attributes, node: node(i), from: 0 });
            }
            if let (Operation::Conditional(old), Operation::Conditional(new)) = (&old.operation, &new.operation)
                && (old.choice, old.bodies.len(), old.condition.number)
                    != (new.choice, new.bodies.len(), new.condition.number)
            {
                return Err(Mismatch { reason: Difference::Unsupported, node: node(i), from: 0 });
            }
        }
        Ok(())
    }
}

/// What a memset node does. The real driver does not cut off a value that is larger than the element: it repeats over the
/// elements of each aligned word.
fn work_of_memset(memset: &Memset) -> Work {
    let Memset { dst, pitch, value, element, width, rows } = *memset;
    let word = match element {
        1 if value > 0xff => value | value << 8 | value << 16 | value << 24,
        2 if value > 0xffff => value | value << 16,
        _ => return Work::of(*memset),
    };
    let bytes = width.saturating_mul(element);
    Work::Task(Arc::new(move || {
        for row in 0..rows {
            let start = dst + row * pitch;
            let smeared: Vec<u8> = (start..start + bytes).map(|at| (word >> (8 * (at & 3))) as u8).collect();
            checking::written(start, smeared.len());
            guard::write(start, guard::bytes(&smeared)).map_err(|_| Error::ILLEGAL_ADDRESS)?;
        }
        Ok(())
    }))
}

/// Why an executable graph cannot take a graph's parameters over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Other nodes or edges.
    Topology,
    /// A node of another kind.
    Type,
    /// A kernel that is cooperative and was not, or the other way round.
    Attributes,
    /// A conditional node of another kind or size, of another one of its graph's conditions, or with what it cannot have.
    Unsupported,
}

/// The first difference that made an update fail: handles of nodes of the new graph, 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What differs.
    pub reason: Difference,
    /// Where.
    pub node: usize,
    /// For an edge, where it begins.
    pub from: usize,
}

/// What a launch gives the stream, in order.
#[derive(Clone)]
enum LaunchStep {
    Work(Work),
    Record(Arc<Event>),
    Wait(Arc<Event>),
    Allocate(Arc<GraphAllocation>),
    Free(Arc<GraphAllocation>),
}

/// A step of a level: a conditional node is not worked out yet.
enum Planned {
    Step(LaunchStep),
    /// With the levels of its graphs.
    Choose(Arc<Conditional>, Range<usize>),
}

/// What a launch does, until a parameter changes.
struct Plan {
    steps: Vec<LaunchStep>,
    /// Allocations that the graph leaves to the program to free.
    left: Vec<Arc<GraphAllocation>>,
    /// Allocations of other graphs that this one frees.
    freed: Vec<Arc<GraphAllocation>>,
    /// Allocations that it frees itself, in the order of its steps: `true` where it allocates.
    inside: Vec<(bool, Arc<GraphAllocation>)>,
    /// Its kernels launch graphs, or ask for their own.
    launches: bool,
}

impl Plan {
    fn of(shape: &Levels, handle: usize) -> Plan {
        let mut steps = shape.steps();
        let mut launches = false;
        for step in &mut steps {
            if let LaunchStep::Work(work) = step
                && launches_graphs(work)
            {
                *work = Work::of(Inside { work: work.clone(), graph: handle });
                launches = true;
            }
        }
        let addresses = |free: bool| -> Vec<Arc<GraphAllocation>> {
            let pick = |s: &LaunchStep| match s {
                LaunchStep::Allocate(a) if !free => Some(a.clone()),
                LaunchStep::Free(a) if free => Some(a.clone()),
                _ => None,
            };
            steps.iter().filter_map(pick).collect()
        };
        let (made, gone) = (addresses(false), addresses(true));
        let without = |these: &[Arc<GraphAllocation>], those: &[Arc<GraphAllocation>]| {
            let those: HashSet<usize> = those.iter().map(|a| a.address).collect();
            these.iter().filter(|a| !those.contains(&a.address)).cloned().collect::<Vec<_>>()
        };
        let (left, freed) = (without(&made, &gone), without(&gone, &made));
        let others: HashSet<usize> = left.iter().chain(&freed).map(|a| a.address).collect();
        let inside = |s: &LaunchStep| match s {
            LaunchStep::Allocate(a) => Some((true, a.clone())),
            LaunchStep::Free(a) => Some((false, a.clone())),
            _ => None,
        };
        let inside = steps.iter().filter_map(inside).filter(|(_, a)| !others.contains(&a.address)).collect();
        Plan { steps: merge(steps), left, freed, inside, launches }
    }
}

/// Joins neighbours that cannot wait for anything into one operation, so that a launch costs little.
fn merge(steps: Vec<LaunchStep>) -> Vec<LaunchStep> {
    fn join(run: &mut Vec<LaunchStep>, out: &mut Vec<LaunchStep>) {
        match std::mem::take(run) {
            one if one.len() < 2 && !one.iter().any(LaunchStep::is_memory) => out.extend(one),
            many => {
                let task = move || many.iter().try_for_each(LaunchStep::run);
                out.push(LaunchStep::Work(Work::Task(Arc::new(task))));
            }
        }
    }
    let (mut out, mut run) = (Vec::new(), Vec::new());
    for step in steps {
        if step.is_prompt() {
            run.push(step);
        } else {
            join(&mut run, &mut out);
            out.push(step);
        }
    }
    join(&mut run, &mut out);
    out
}

impl LaunchStep {
    fn is_memory(&self) -> bool {
        matches!(self, LaunchStep::Allocate(_) | LaunchStep::Free(_))
    }

    fn is_prompt(&self) -> bool {
        match self {
            LaunchStep::Work(work) => !work.may_wait() && work.command::<Chosen>().is_none(),
            LaunchStep::Allocate(_) | LaunchStep::Free(_) => true,
            LaunchStep::Record(_) | LaunchStep::Wait(_) => false,
        }
    }

    fn run(&self) -> Result<()> {
        match self {
            LaunchStep::Work(work) => work.execute(),
            LaunchStep::Allocate(allocation) => allocation.publish(),
            LaunchStep::Free(allocation) => {
                allocation.retract();
                Ok(())
            }
            LaunchStep::Record(_) | LaunchStep::Wait(_) => Ok(()),
        }
    }
}

/// References to user objects. They are released with it.
struct Owned(Vec<(Arc<UserObject>, u32)>);

impl Owned {
    /// References of its own to what a graph owns.
    fn of(graph: &Graph) -> Arc<Owned> {
        let objects = graph.objects();
        for (object, count) in &objects {
            object.retain(*count);
        }
        Arc::new(Owned(objects))
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        for (object, count) in self.0.drain(..) {
            object.release(count);
        }
    }
}

struct State {
    /// What it owns.
    objects: Arc<Owned>,
    /// The graph with allocations that this is the executable form of.
    source: Weak<Graph>,
    shape: Levels,
    plan: Option<Arc<Plan>>,
    /// Kernels know it by this.
    registered: Option<Registered>,
    /// The end of the latest launch: two launches of one executable graph do not overlap.
    last: Option<Fence>,
}

impl State {
    /// Becomes the executable form of a graph with allocations, whose form now has the handle `before`. False when that is not
    /// so.
    fn claim(&mut self, graph: &Arc<Graph>, handle: usize, before: usize) -> bool {
        if graph.instance.compare_exchange(before, handle, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return false;
        }
        if !std::ptr::eq(self.source.as_ptr(), Arc::as_ptr(graph)) {
            self.release(handle);
        }
        self.source = Arc::downgrade(graph);
        graph.lasting().iter().for_each(|allocation| allocation.outlast());
        true
    }

    /// Lets another executable form of the graph be made.
    fn release(&mut self, handle: usize) {
        if let Some(graph) = std::mem::take(&mut self.source).upgrade() {
            let _ = graph.instance.compare_exchange(handle, 0, Ordering::AcqRel, Ordering::Acquire);
        }
    }
}

/// An executable graph.
pub struct Exec {
    /// The handle that the program has.
    pub handle: usize,
    /// Unique in the process.
    pub id: u32,
    /// `CUDA_GRAPH_INSTANTIATE_FLAG_*`.
    pub flags: u64,
    /// Where it was made.
    pub context: Weak<Context>,
    state: Mutex<State>,
}

pub(crate) static EXECS: Table<Exec> = Table::new(HandleKind::GraphExec);

impl Drop for Exec {
    fn drop(&mut self) {
        self.state.get_mut().release(self.handle);
    }
}

impl Exec {
    /// Makes an executable graph. A cycle is [`Error::INVALID_VALUE`]; a graph with allocations has one executable form
    /// at a time ([`Error::NOT_SUPPORTED`]).
    pub fn create(context: &Arc<Context>, graph: &Arc<Graph>, flags: u64) -> Result<Arc<Exec>> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let shape = Levels::of(graph)?;
        refuse_if!(Error::NOT_SUPPORTED, graph.is_body(), "hGraph is in a conditional node");
        shape.check().map_err(|((_, error), _)| error)?;
        refuse_if!(Error::INVALID_VALUE, shape.unused, "hGraph has a conditional handle that no node uses");
        let launchable = flags & BY_KERNELS != 0;
        refuse_if!(
            Error::INVALID_VALUE,
            launchable && flags & AUTO_FREE != 0,
            "flags {:#x}: a graph that kernels launch frees nothing",
            flags
        );
        refuse_if!(
            Error::INVALID_VALUE,
            launchable && shape.check_launchable(context).is_err(),
            "hGraph has no kernel, or what a graph cannot have that kernels launch"
        );
        let has_allocations = graph.has_allocations() || shape.conditionals().next().is_some();
        refuse_if!(
            Error::NOT_SUPPORTED,
            has_allocations && graph.instance.load(Ordering::Acquire) != 0,
            "hGraph allocates memory or has conditional nodes, and has an executable graph already"
        );
        if shape.levels.iter().flat_map(|level| &level.entries).any(|entry| entry.operation.is_for_kernels()) {
            context.keep_local_memory();
        }
        let objects = Owned::of(graph);
        let make = |handle| {
            Arc::new(Exec {
                handle,
                id: NEXT.fetch_add(1, Ordering::Relaxed),
                flags,
                context: Arc::downgrade(context),
                state: Mutex::new(State {
                    objects,
                    shape,
                    plan: None,
                    registered: launchable.then(|| Registered::new(handle, Arc::downgrade(context), true)),
                    last: None,
                    source: Weak::new(),
                }),
            })
        };
        let exec = EXECS
            .insert_with(make)
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many executable graphs"))?;
        if has_allocations && !exec.state.lock().claim(graph, exec.handle, 0) {
            // Another thread made one meanwhile.
            EXECS.remove(exec.handle);
            return Err(refuse!(
                Error::NOT_SUPPORTED,
                "hGraph allocates memory or has conditional nodes, and has an executable graph already"
            ));
        }
        Ok(exec)
    }

    /// Why a graph cannot be made executable, for one that was refused, maybe as one that kernels launch.
    /// And the node that is to blame, 0 for none.
    pub fn obstacle(graph: &Graph, for_kernels: bool) -> (Obstacle, usize) {
        match &Levels::of(graph) {
            Err(_) => (Obstacle::Structure, 0),
            Ok(shape)
                if for_kernels
                    && let Some(entry) =
                        shape.levels.iter().flat_map(|l| &l.entries).find(|e| !e.operation.is_launchable()) =>
            {
                (Obstacle::Operation, entry.node)
            }
            Ok(shape) => match shape.check() {
                Err(((why, _), node)) => (why, node),
                Ok(()) if shape.unused => (Obstacle::UnusedCondition, 0),
                Ok(()) => (Obstacle::Other, 0),
            },
        }
    }

    /// The live executable graph behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Exec>> {
        EXECS.get_or(handle, Error::INVALID_VALUE)
    }

    /// Removes the handle. Launches under way complete, and what the graph owns lives until then.
    pub fn destroy(handle: usize) -> Result<()> {
        let exec = EXECS.remove(handle).ok_or_else(|| EXECS.stale(Error::INVALID_VALUE, handle))?;
        let last = {
            let mut state = exec.state.lock();
            state.release(handle);
            state.last.take()
        };
        if let Some(last) = last {
            last.keep(exec);
        }
        Ok(())
    }

    /// Changes what a node does in later launches, within its kind.
    pub fn set(&self, node: usize, change: impl FnOnce(&Operation) -> Result<Operation>) -> Result<()> {
        let mut state = self.state.lock();
        let entry = state.shape.find(node).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "hNode {:#x} is not in the graph that hGraphExec was made from", node)
        })?;
        let new = change(&entry.operation)?;
        refuse_if!(
            Error::INVALID_VALUE,
            !entry.operation.is_like(&new) || new.is_allocation(),
            "nodeParams: hNode {:#x} of an executable graph does not allow this change",
            node
        );
        entry.operation = new;
        state.plan = None;
        Ok(())
    }

    /// Takes over the parameters of a graph for the graph inside a child node.
    pub fn set_child(&self, node: usize, graph: &Graph) -> Result<()> {
        let new = Levels::of(graph)?;
        let mut state = self.state.lock();
        let entry = state.shape.find(node).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "hNode {:#x} is not in the graph that hGraphExec was made from", node)
        })?;
        let child = match entry.operation {
            Operation::Child(_) => entry.inner.start,
            _ => return Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a child graph", node)),
        };
        state.shape.update(child, new).map_err(|_| {
            refuse!(Error::INVALID_VALUE, "childGraph differs too much from the graph in hNode {:#x}", node)
        })?;
        state.plan = None;
        Ok(())
    }

    /// Switches a kernel, a copy or a memset on or off.
    pub fn enable(&self, node: usize, on: bool) -> Result<()> {
        let mut state = self.state.lock();
        Self::switchable(&mut state, node)?.enabled = on;
        state.plan = None;
        Ok(())
    }

    /// Whether a kernel, a copy or a memset is switched on.
    pub fn is_enabled(&self, node: usize) -> Result<bool> {
        Ok(Self::switchable(&mut self.state.lock(), node)?.enabled)
    }

    fn switchable(state: &mut State, node: usize) -> Result<&mut Entry> {
        let entry = state.shape.find(node).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "hNode {:#x} is not in the graph that hGraphExec was made from", node)
        })?;
        match entry.operation {
            Operation::Kernel(_) | Operation::Copy(..) | Operation::Memset(..) => Ok(entry),
            _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a kernel, a copy or a memset", node)),
        }
    }

    /// Takes over the parameters of a graph of the same shape.
    pub fn update(&self, graph: &Arc<Graph>) -> std::result::Result<(), Mismatch> {
        let unusual = Mismatch { reason: Difference::Topology, node: 0, from: 0 };
        let new = Levels::of(graph).map_err(|_| unusual)?;
        new.check().map_err(|_| Mismatch { reason: Difference::Unsupported, node: 0, from: 0 })?;
        if self.flags & BY_KERNELS != 0 {
            let fits = self.context.upgrade().is_some_and(|context| new.check_launchable(&context).is_ok());
            fits.then_some(()).ok_or(Mismatch { reason: Difference::Unsupported, node: 0, from: 0 })?;
        }
        let mut state = self.state.lock();
        state.plan = None;
        state.shape.update(0, new)?;
        // The other graph's objects take the place of its own, which launches under way may still use.
        let old = std::mem::replace(&mut state.objects, Owned::of(graph));
        if let Some(last) = &state.last {
            last.keep(old);
        }
        if graph.has_allocations() {
            let before = graph.instance.load(Ordering::Acquire);
            state.claim(graph, self.handle, before);
        }
        Ok(())
    }

    /// Gives everything to a stream, which is not being captured.
    pub fn launch(&self, stream: &Arc<Stream>) -> Result<()> {
        let mut state = self.state.lock();
        let state = &mut *state;
        let plan = self.plan(state);
        refuse_if!(
            Error::INVALID_VALUE,
            self.flags & AUTO_FREE == 0 && plan.left.iter().any(|a| a.is_claimed()),
            "hGraphExec allocates memory that an earlier launch allocated and nobody freed"
        );
        let promises = Promise::make(&plan.inside, Arc::as_ptr(stream).addr())?;
        for allocation in &plan.left {
            allocation.claim()?;
        }
        if let Some(last) = state.last.take().filter(|f| !f.is_complete() && !Arc::ptr_eq(f.stream(), stream)) {
            stream.submit(Work::Wait(last));
        }
        let mut last = None;
        for step in &plan.steps {
            match step {
                LaunchStep::Work(work) => last = Some(stream.submit(work.clone())),
                LaunchStep::Record(event) => event.record_on(stream),
                LaunchStep::Wait(event) => {
                    if let Some(fence) = event.fence() {
                        stream.submit(Work::Wait(fence));
                    }
                }
                LaunchStep::Allocate(_) | LaunchStep::Free(_) => {}
            }
        }
        if let Some(Registered { known, .. }) = state.registered.as_ref().filter(|_| plan.launches) {
            last = Some(stream.submit(Work::of(Launched { graph: known.clone(), run: run_by_kernel })));
        }
        if !promises.is_empty() {
            let complete = move || {
                promises.iter().for_each(Promise::release);
                Ok(())
            };
            last = Some(stream.submit(Work::Task(Arc::new(complete))));
        }
        for allocation in &plan.freed {
            allocation.disclaim();
        }
        state.last = last;
        Ok(())
    }

    /// What a launch does.
    fn plan(&self, state: &mut State) -> Arc<Plan> {
        let plan = state.plan.get_or_insert_with(|| Arc::new(Plan::of(&state.shape, self.handle))).clone();
        if plan.launches && state.registered.is_none() {
            state.registered = Some(Registered::new(self.handle, self.context.clone(), false));
        }
        plan
    }
}

/// Runs an executable graph that a kernel has launched, if it is still there; the graphs that its own kernels launched, the last one
/// first.
fn run_by_kernel(handle: usize) -> Result<Vec<usize>> {
    let Some(exec) = EXECS.get(handle) else { return Ok(Vec::new()) };
    let (plan, known) = {
        let mut state = exec.state.lock();
        (exec.plan(&mut state), state.registered.as_ref().map(|registered| registered.known.clone()))
    };
    plan.steps.iter().try_for_each(LaunchStep::run)?;
    Ok(known.map(|known| known.take()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory;
    use crate::stream::{HostCall, StreamKind};
    use crate::testing::context;
    use std::sync::atomic::AtomicU32;

    const PLAIN: EdgeData = [0; 8];

    fn memset(dst: usize, value: u32) -> Operation {
        Operation::Memset(Memset { dst, pitch: 0, value, element: 1, width: 4, rows: 1 }, None)
    }

    fn word(address: usize) -> u32 {
        let bytes = guard::read_vec(address, 4).unwrap();
        u32::from_le_bytes(bytes.try_into().unwrap())
    }

    #[test]
    fn launches_respect_edges_and_changes() {
        let context = context();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let d = memory::alloc(&context, 64).unwrap().base;
        let graph = Graph::create().unwrap();
        let calls = Arc::new(AtomicU32::new(0));
        let seen = calls.clone();
        let first = graph.add(memset(d, 1), &[]).unwrap();
        let call = HostCall::new((0, 0), move || {
            seen.fetch_add(word(d) & 0xff, Ordering::Relaxed);
        });
        let host = graph.add(Operation::Host(call), &[(first.handle, PLAIN)]).unwrap();
        graph.add(memset(d, 2), &[(host.handle, PLAIN)]).unwrap();
        let exec = Exec::create(&context, &graph, 0).unwrap();
        Graph::destroy(graph.handle).unwrap();
        for _ in 0..10 {
            exec.launch(&stream).unwrap();
        }
        stream.synchronize().unwrap();
        assert_eq!((calls.load(Ordering::Relaxed), word(d)), (10, 0x0202_0202));
        exec.set(first.handle, |_| Ok(memset(d, 5))).unwrap();
        assert!(exec.set(first.handle, |_| Ok(Operation::Empty)).is_err());
        exec.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(calls.load(Ordering::Relaxed), 15);
        Exec::destroy(exec.handle).unwrap();
        context.destroy();
    }

    #[test]
    fn allocations_have_memory_from_launch_to_free() {
        let context = context();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let graph = Graph::create().unwrap();
        let allocation = GraphAllocation::create(&context.device, context.handle, 5000, None, false).unwrap();
        let at = allocation.address;
        let node = graph.add(Operation::Allocate(allocation), &[]).unwrap();
        graph.add(memset(at, 7), &[(node.handle, PLAIN)]).unwrap();
        assert_eq!(graph.duplicate().err(), Some(Error::NOT_SUPPORTED));
        let exec = Exec::create(&context, &graph, 0).unwrap();
        assert_eq!(Exec::create(&context, &graph, 0).err(), Some(Error::NOT_SUPPORTED));
        exec.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(word(at), 0x0707_0707);
        assert_eq!(exec.launch(&stream), Err(Error::INVALID_VALUE), "not freed");
        memory::free(at).unwrap();
        assert!(memory::free(at).is_err());
        exec.launch(&stream).unwrap();
        crate::memory::pool::free(at, &stream).unwrap();
        stream.synchronize().unwrap();
        Exec::destroy(exec.handle).unwrap();
        Graph::destroy(graph.handle).unwrap();
        drop(exec);
        drop(graph);
        context.destroy();
    }
}
