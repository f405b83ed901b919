//! Nodes and graphs: operations and what they depend on.

use crate::base::handle::{HandleKind, Table};
use crate::copy::memset::Memset;
use crate::graph::ends::Ends;
use crate::graph::memory::GraphAllocation;
use crate::graph::user_object::UserObject;
use crate::kernel::condition::{Condition, Held};
use crate::kernel::launch::Kernel;
use crate::stream::capture::EdgeData;
use crate::stream::context::Context;
use crate::stream::event::Event;
use crate::stream::{HostCall, Work};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::{Mutex, MutexGuard};
use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// The program's description of an operation, which it can ask for.
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
    /// Sets memory.
    Memset(Memset, Given),
    /// Calls a function of the program.
    Host(HostCall),
    /// Runs another graph.
    Child(Arc<Embedded>),
    /// Records an event.
    Record(Arc<Event>),
    /// Waits for an event.
    Wait(Arc<Event>),
    /// Allocates memory.
    Allocate(Arc<GraphAllocation>),
    /// Frees it.
    Free(Arc<GraphAllocation>),
    /// Waits for words in memory and writes some.
    MemoryOperations(Vec<Work>, Given),
    /// Runs one of several graphs, or one again and again.
    Conditional(Arc<Conditional>),
    /// Signals imported semaphores, or waits for them.
    Semaphores { waits: bool, works: Vec<Work>, given: Given },
}

/// `CUgraphConditionalNodeType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first graph if the condition is not 0, else the second one, if there is one.
    If,
    /// The graph as long as the condition is not 0.
    While,
    /// The graph whose number the condition is, if there is one.
    Switch,
}

/// What a conditional node does.
pub struct Conditional {
    /// What it looks at.
    pub condition: Arc<Held>,
    /// How.
    pub choice: Choice,
    /// The graphs in it.
    pub bodies: Box<[Arc<Embedded>]>,
    /// Their handles, as an array that the program is shown.
    pub shown: Box<[usize]>,
}

impl Drop for Conditional {
    fn drop(&mut self) {
        self.condition.leave();
    }
}

impl Operation {
    /// `CUgraphNodeType`.
    pub fn kind(&self) -> u32 {
        match self {
            Operation::Kernel(_) => 0,
            Operation::Copy(..) => 1,
            Operation::Memset(..) => 2,
            Operation::Host(_) => 3,
            Operation::Child(_) => 4,
            Operation::Empty => 5,
            Operation::Wait(_) => 6,
            Operation::Record(_) => 7,
            Operation::Allocate(_) => 10,
            Operation::Free(_) => 11,
            Operation::MemoryOperations(..) => 12,
            Operation::Conditional(_) => 13,
            Operation::Semaphores { waits, .. } => 8 + u32::from(*waits),
        }
    }

    /// True for what a graph may have that kernels launch.
    pub fn is_launchable(&self) -> bool {
        matches!(self, Operation::Kernel(_) | Operation::Copy(..) | Operation::Memset(..) | Operation::Child(_))
    }

    /// True when both are of the same kind.
    pub fn is_like(&self, other: &Operation) -> bool {
        self.kind() == other.kind()
    }

    /// True when it allocates or frees memory.
    pub fn is_allocation(&self) -> bool {
        matches!(self, Operation::Allocate(_) | Operation::Free(_))
    }

    /// True when it may have to wait for another node that it does not depend on.
    pub fn may_wait(&self) -> bool {
        use Operation::*;
        matches!(
            self,
            Host(_) | Wait(_) | Child(_) | MemoryOperations(..) | Conditional(_) | Semaphores { waits: true, .. }
        )
    }

    /// The graphs inside.
    pub fn inner(&self) -> &[Arc<Embedded>] {
        match self {
            Operation::Child(child) => std::slice::from_ref(child),
            Operation::Conditional(conditional) => &conditional.bodies,
            _ => &[],
        }
    }
}

/// A node of a graph.
pub struct Node {
    /// The handle that the program has.
    pub handle: usize,
    /// Number within the graph, in the order of creation.
    pub id: u32,
    /// The graph that it belongs to.
    pub graph: Weak<Graph>,
    /// Handle of the node that this one was cloned from, 0 for none.
    pub original: usize,
    operation: Mutex<Operation>,
}

impl Node {
    /// The live node behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Node>> {
        NODES.get_or(handle, Error::INVALID_VALUE)
    }

    /// What it does.
    pub fn operation(&self) -> Operation {
        self.operation.lock().clone()
    }

    /// Changes what it does, within its kind; `change` refuses anything else.
    pub fn update(&self, change: impl FnOnce(&Operation) -> Result<Operation>) -> Result<()> {
        let mut operation = self.operation.lock();
        let new = change(&operation)?;
        refuse_if!(
            Error::INVALID_VALUE,
            !operation.is_like(&new),
            "nodeParams: hNode {:#x} does not allow this change",
            self.handle
        );
        *operation = new;
        Ok(())
    }

    /// The graph that it belongs to.
    pub fn graph(&self) -> Result<Arc<Graph>> {
        self.graph
            .upgrade()
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "hNode {:#x} is of a graph that was destroyed", self.handle))
    }
}

/// What a node depends on, and what depends on it.
#[derive(Clone, Default)]
struct Links {
    dependencies: Ends,
    dependents: Ends,
}

#[derive(Default)]
struct State {
    /// By number, which is the order of creation.
    nodes: BTreeMap<u32, Arc<Node>>,
    /// Of every node, by handle.
    links: HashMap<usize, Links>,
    next_id: u32,
    next_edge: u64,
    /// Nodes that were cloned from others, by the handle of those.
    clones: HashMap<usize, Arc<Node>>,
    /// Addresses that nodes allocate, and that nodes free.
    allocated: HashSet<usize>,
    freed: HashSet<usize>,
    /// A node allocates or frees memory, or was to: as on the real driver, one that could not be added counts.
    allocates: bool,
    objects: BTreeMap<usize, (Arc<UserObject>, u32)>,
    /// By handle.
    conditions: BTreeMap<usize, Arc<Held>>,
    /// How many were made.
    made_conditions: usize,
}

impl State {
    /// The number of an edge. The shorter of the lists that it stands in is searched.
    fn number(&self, &(from, to, data): &Edge) -> Option<u64> {
        let (after, before) = (&self.links.get(&from)?.dependents, &self.links.get(&to)?.dependencies);
        if after.len() < before.len() { after.number(to, data) } else { before.number(from, data) }
    }

    /// Refuses to remove edges and nodes of a graph with allocations: addresses depend on the order.
    fn check_editable(&self) -> Result<()> {
        if self.allocates {
            Err(refuse!(
                Error::NOT_SUPPORTED,
                "hNode: nodes of a graph that allocates memory cannot be removed or changed"
            ))
        } else {
            Ok(())
        }
    }

    /// Adds an edge between nodes that are there.
    fn link(&mut self, from: usize, to: usize, data: EdgeData) {
        let number = self.next_edge;
        self.next_edge += 1;
        if let Some(links) = self.links.get_mut(&from) {
            links.dependents.push(number, to, data);
        }
        if let Some(links) = self.links.get_mut(&to) {
            links.dependencies.push(number, from, data);
        }
    }

    /// Takes an edge out where it begins.
    fn drop_dependent(&mut self, of: usize, number: u64) {
        if let Some(links) = self.links.get_mut(&of) {
            links.dependents.remove(number);
        }
    }

    /// Takes an edge out where it ends.
    fn drop_dependency(&mut self, of: usize, number: u64) {
        if let Some(links) = self.links.get_mut(&of) {
            links.dependencies.remove(number);
        }
    }
}

/// A graph.
pub struct Graph {
    /// The handle that the program has; the graph of a child node has one too.
    pub handle: usize,
    /// Unique in the process.
    pub id: u32,
    /// Belongs to a node: the program cannot destroy it.
    embedded: bool,
    /// That is a conditional node.
    body: AtomicBool,
    /// The graph of that node.
    outer: Mutex<Weak<Graph>>,
    /// The graph around all conditional nodes that it is in, if that was known when the node was made: graphs may be in each other by the
    /// thousand.
    holder: Mutex<Weak<Graph>>,
    /// The handle of its executable form, 0 for none, if it allocates memory: such a graph has one at a time.
    pub instance: AtomicUsize,
    state: Mutex<State>,
}

/// All graphs, those of child nodes included.
pub static GRAPHS: Table<Graph> = Table::new(HandleKind::Graph);
pub(crate) static NODES: Table<Node> = Table::new(HandleKind::GraphNode);

/// One edge: from, to.
pub type Edge = (usize, usize, EdgeData);

impl Graph {
    /// An empty graph.
    pub fn create() -> Result<Arc<Graph>> {
        Self::build(false)
    }

    fn build(embedded: bool) -> Result<Arc<Graph>> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let make = |handle| {
            Arc::new(Graph {
                handle,
                id: NEXT.fetch_add(1, Ordering::Relaxed),
                embedded,
                body: AtomicBool::new(false),
                outer: Mutex::default(),
                holder: Mutex::default(),
                instance: AtomicUsize::new(0),
                state: Mutex::default(),
            })
        };
        GRAPHS.insert_with(make).ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many graphs"))
    }

    /// The live graph behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Graph>> {
        GRAPHS.get_or(handle, Error::INVALID_VALUE)
    }

    /// Ends a graph of the program's own. Executable graphs made of it go on.
    pub fn destroy(handle: usize) -> Result<()> {
        let graph = Self::find(handle)?;
        refuse_if!(
            Error::INVALID_VALUE,
            graph.embedded,
            "hGraph {:#x} is the graph of a node and is destroyed with the node",
            handle
        );
        GRAPHS.remove(handle);
        graph.clear();
        Ok(())
    }

    /// Removes the handle.
    fn dispose(&self) {
        GRAPHS.remove(self.handle);
        self.clear();
    }

    /// Removes the handles of all that belongs to the graph and to the graphs in it, which may be nested deeper
    /// than a stack is.
    fn clear(&self) {
        let mut open = vec![std::mem::take(&mut *self.state.lock())];
        while let Some(state) = open.pop() {
            for node in state.nodes.values() {
                NODES.remove(node.handle);
                for inner in node.operation.lock().inner() {
                    GRAPHS.remove(inner.handle);
                    open.push(std::mem::take(&mut *inner.state.lock()));
                }
            }
            for (object, count) in state.objects.into_values() {
                object.release(count);
            }
        }
    }

    /// Adds a node that depends on others of this graph, each once.
    pub fn add(self: &Arc<Self>, operation: Operation, dependencies: &[(usize, EdgeData)]) -> Result<Arc<Node>> {
        let mut state = self.state.lock();
        let mut seen = HashSet::new();
        for (handle, data) in dependencies {
            refuse_if!(
                Error::INVALID_VALUE,
                !state.links.contains_key(handle),
                "dependencies has {:#x}, which is not a node of the graph",
                *handle
            );
            refuse_if!(Error::INVALID_VALUE, !seen.insert((handle, data)), "dependencies has {:#x} twice", *handle);
        }
        self.insert(&mut state, operation, 0, dependencies)
    }

    fn insert(
        self: &Arc<Self>,
        state: &mut MutexGuard<'_, State>,
        operation: Operation,
        original: usize,
        dependencies: &[(usize, EdgeData)],
    ) -> Result<Arc<Node>> {
        let id = state.next_id;
        let graph = Arc::downgrade(self);
        state.allocates |= operation.is_allocation();
        let holder = if self.is_body() { self.holder.lock().clone() } else { graph.clone() };
        for inner in operation.inner() {
            inner.outer.lock().clone_from(&graph);
            inner.holder.lock().clone_from(&holder);
        }
        match &operation {
            Operation::Allocate(a) => {
                a.belong(self.id);
                state.allocated.insert(a.address);
            }
            Operation::Free(a) => drop(state.freed.insert(a.address)),
            _ => {}
        }
        let operation = Mutex::new(operation);
        let node = NODES
            .insert_with(|handle| Arc::new(Node { handle, id, graph, original, operation }))
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many graph nodes"))?;
        state.next_id += 1;
        state.nodes.insert(id, node.clone());
        if original != 0 {
            state.clones.insert(original, node.clone());
        }
        state.links.insert(node.handle, Links::default());
        dependencies.iter().for_each(|&(from, data)| state.link(from, node.handle, data));
        Ok(node)
    }

    /// All nodes, in the order of creation.
    pub fn nodes(&self) -> Vec<Arc<Node>> {
        self.state.lock().nodes.values().cloned().collect()
    }

    /// The nodes that depend on nothing.
    pub fn roots(&self) -> Vec<Arc<Node>> {
        let state = self.state.lock();
        let is_root = |n: &&Arc<Node>| state.links.get(&n.handle).is_none_or(|l| l.dependencies.is_empty());
        state.nodes.values().filter(is_root).cloned().collect()
    }

    /// All edges, in the order of the nodes that they begin at.
    pub fn edges(&self) -> Vec<Edge> {
        let state = self.state.lock();
        let of = |n: &Arc<Node>| state.links.get(&n.handle).into_iter().flat_map(|l| l.dependents.iter());
        state.nodes.values().flat_map(|n| of(n).map(|(to, data)| (n.handle, to, data))).collect()
    }

    /// What a node depends on.
    pub fn dependencies(&self, node: usize) -> Vec<(usize, EdgeData)> {
        self.state.lock().links.get(&node).map_or_else(Vec::new, |l| l.dependencies.iter().collect())
    }

    /// What depends on a node.
    pub fn dependents(&self, node: usize) -> Vec<(usize, EdgeData)> {
        self.state.lock().links.get(&node).map_or_else(Vec::new, |l| l.dependents.iter().collect())
    }

    /// True when the node belongs to this graph.
    pub fn contains(&self, node: usize) -> bool {
        self.state.lock().links.contains_key(&node)
    }

    /// Adds edges between nodes of this graph, all or none. None may exist already; cycles are found later.
    pub fn connect(&self, edges: &[Edge]) -> Result<()> {
        let mut state = self.state.lock();
        let mut seen = HashSet::new();
        for edge in edges {
            let (from, to, _) = edge;
            let known = state.links.contains_key(from) && state.links.contains_key(to);
            refuse_if!(Error::INVALID_VALUE, from == to, "from and to are the same node, {:#x}", *from);
            refuse_if!(Error::INVALID_VALUE, !known, "from {:#x} or to {:#x} is not a node of the graph", *from, *to);
            refuse_if!(
                Error::INVALID_VALUE,
                !seen.insert(edge) || state.number(edge).is_some(),
                "from {:#x} and to {:#x} have this edge already",
                *from,
                *to
            );
        }
        edges.iter().for_each(|&(from, to, data)| state.link(from, to, data));
        Ok(())
    }

    /// Removes edges, all or none. Every one of them must exist. [`Error::NOT_SUPPORTED`] for a graph with allocations.
    pub fn disconnect(&self, edges: &[Edge]) -> Result<()> {
        let mut state = self.state.lock();
        state.check_editable()?;
        let mut seen = HashSet::new();
        let mut found = Vec::with_capacity(edges.len());
        for edge in edges {
            let number = state.number(edge).filter(|_| seen.insert(edge)).ok_or_else(|| {
                refuse!(Error::INVALID_VALUE, "from {:#x} and to {:#x} have no such edge", edge.0, edge.1)
            })?;
            found.push((edge.0, edge.1, number));
        }
        for (from, to, number) in found {
            state.drop_dependent(from, number);
            state.drop_dependency(to, number);
        }
        Ok(())
    }

    /// Removes a node with its edges.
    pub fn remove(&self, node: &Node) -> Result<()> {
        let mut state = self.state.lock();
        refuse_if!(
            Error::INVALID_VALUE,
            !state.links.contains_key(&node.handle),
            "hNode {:#x} is not a node of the graph",
            node.handle
        );
        state.check_editable()?;
        let links = state.links.remove(&node.handle).unwrap_or_default();
        links.dependencies.numbered().for_each(|(number, from)| state.drop_dependent(from, number));
        links.dependents.numbered().for_each(|(number, to)| state.drop_dependency(to, number));
        state.nodes.remove(&node.id);
        state.clones.remove(&node.original);
        drop(state);
        NODES.remove(node.handle);
        node.operation().inner().iter().for_each(|inner| inner.dispose());
        Ok(())
    }

    /// Copies the graph and the graphs in it. Memory allocations and conditional nodes cannot be copied:
    /// [`Error::NOT_SUPPORTED`].
    pub fn duplicate(&self) -> Result<Arc<Graph>> {
        self.copy(false)
    }

    /// A copy that belongs to a child node.
    pub fn embed(&self) -> Result<Arc<Embedded>> {
        self.copy(true).map(Embedded).map(Arc::new)
    }

    fn copy(&self, embedded: bool) -> Result<Arc<Graph>> {
        let copy = Graph::build(embedded)?;
        // Graphs inside, and what is to become their copies: they may lie in each other deeper than a stack is.
        let mut inner: Vec<(Arc<Embedded>, Arc<Embedded>)> = Vec::new();
        let copied = self.copy_into(&copy, &mut inner).and_then(|()| {
            while let Some((from, to)) = inner.pop() {
                from.copy_into(&to.0, &mut inner)?;
            }
            Ok(())
        });
        if let Err(error) = copied {
            copy.dispose();
            return Err(error);
        }
        Ok(copy)
    }

    /// Copies nodes and edges. Copies of the graphs inside are empty: they are left in `inner` to be filled.
    fn copy_into(&self, copy: &Arc<Graph>, inner: &mut Vec<(Arc<Embedded>, Arc<Embedded>)>) -> Result<()> {
        let (nodes, links, next_edge, objects) = {
            let state = self.state.lock();
            state.check_editable()?;
            refuse_if!(
                Error::NOT_SUPPORTED,
                self.is_body() || !state.conditions.is_empty(),
                "the graph has conditional handles, or is in a conditional node, and cannot be copied"
            );
            (state.nodes.clone(), state.links.clone(), state.next_edge, state.objects.clone())
        };
        let mut renamed = HashMap::new();
        let mut state = copy.state.lock();
        for node in nodes.values() {
            let operation = match node.operation() {
                Operation::Child(child) => {
                    let empty = Embedded::empty()?;
                    inner.push((child, empty.clone()));
                    Operation::Child(empty)
                }
                Operation::Conditional(_) => {
                    return Err(refuse!(
                        Error::NOT_SUPPORTED,
                        "the graph has a conditional node, which cannot be copied"
                    ));
                }
                operation => operation,
            };
            let new = copy.insert(&mut state, operation, node.handle, &[])?;
            renamed.insert(node.handle, new.handle);
        }
        for (old, new) in &renamed {
            if let (Some(old), Some(new)) = (links.get(old), state.links.get_mut(new)) {
                new.dependencies = old.dependencies.renamed(&renamed);
                new.dependents = old.dependents.renamed(&renamed);
            }
        }
        state.next_edge = next_edge;
        for (object, count) in objects.values() {
            object.retain(*count);
        }
        state.objects = objects;
        Ok(())
    }

    /// The node of this graph that was cloned from the one with a handle.
    pub fn find_clone(&self, original: usize) -> Result<Arc<Node>> {
        self.state
            .lock()
            .clones
            .get(&original)
            .cloned()
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "hOriginalNode {:#x} has no clone in the graph", original))
    }

    /// Node indices in an order that respects every edge, and the edges by index; [`Error::INVALID_VALUE`] for a cycle.
    ///
    /// Among nodes whose dependencies are met, those that may have to wait go last: another node of the same graph may do what
    /// they wait for.
    pub fn order(&self) -> Result<Order> {
        let state = self.state.lock();
        let nodes: Vec<Arc<Node>> = state.nodes.values().cloned().collect();
        let index: HashMap<usize, usize> = nodes.iter().enumerate().map(|(i, n)| (n.handle, i)).collect();
        let mut missing = vec![0usize; nodes.len()];
        let mut edges = Vec::new();
        for (from, node) in nodes.iter().enumerate() {
            for (to, data) in state.links.get(&node.handle).into_iter().flat_map(|l| l.dependents.iter()) {
                if let Some(&to) = index.get(&to) {
                    missing[to] += 1;
                    edges.push((from, to, data));
                }
            }
        }
        drop(state);
        let mut followers = vec![Vec::new(); nodes.len()];
        for &(from, to, _) in &edges {
            followers[from].push(to);
        }
        let rank = |i: usize| (nodes[i].operation.lock().may_wait(), i);
        let mut free: std::collections::BTreeSet<(bool, usize)> =
            (0..nodes.len()).filter(|&i| missing[i] == 0).map(rank).collect();
        let mut order = Vec::with_capacity(nodes.len());
        while let Some((_, i)) = free.pop_first() {
            order.push(i);
            for &to in &followers[i] {
                missing[to] -= 1;
                if missing[to] == 0 {
                    free.insert(rank(to));
                }
            }
        }
        if order.len() < nodes.len() {
            return Err(refuse!(Error::INVALID_VALUE, "hGraph has nodes that depend on each other in a circle"));
        }
        Ok(Order { nodes, sequence: order, edges })
    }

    /// True when every node of `which` is one of `last` or comes before one of them.
    pub fn all_lead_to(&self, which: &[usize], last: &[usize]) -> bool {
        let state = self.state.lock();
        let mut before: HashSet<usize> = last.iter().copied().collect();
        let mut open: Vec<usize> = last.to_vec();
        while let Some(node) = open.pop() {
            for (from, _) in state.links.get(&node).into_iter().flat_map(|l| l.dependencies.iter()) {
                if before.insert(from) {
                    open.push(from);
                }
            }
        }
        which.iter().all(|n| before.contains(n))
    }

    /// True when a node of this graph allocates memory at an address.
    pub fn allocates(&self, address: usize) -> bool {
        self.state.lock().allocated.contains(&address)
    }

    /// True when a node of this graph frees the address.
    pub fn frees(&self, address: usize) -> bool {
        self.state.lock().freed.contains(&address)
    }

    /// Whether a node of this graph may free an allocation: that of the graph itself until [`GraphAllocation::outlast`], that
    /// of any other graph always. None can twice.
    pub fn may_free(&self, allocation: &GraphAllocation) -> bool {
        let too_late = self.allocates(allocation.address) && allocation.is_lasting();
        !too_late && !self.frees(allocation.address)
    }

    /// True when a node allocates or frees memory, or was to.
    pub fn has_allocations(&self) -> bool {
        self.state.lock().allocates
    }

    /// Checks the dependencies of a node that is to allocate or free memory. From here on the graph counts as one that
    /// does, whatever becomes of the node.
    pub fn expect_allocation(&self, dependencies: &[(usize, EdgeData)]) -> Result<()> {
        let mut state = self.state.lock();
        refuse_if!(
            Error::INVALID_VALUE,
            !dependencies.iter().all(|(node, _)| state.links.contains_key(node)),
            "dependencies has a handle that is not a node of the graph"
        );
        state.allocates = true;
        let mut seen = HashSet::new();
        if dependencies.iter().all(|d| seen.insert(d)) {
            Ok(())
        } else {
            Err(refuse!(Error::INVALID_VALUE, "dependencies has a node twice"))
        }
    }

    /// The allocations of this graph that it does not free itself.
    pub fn lasting(&self) -> Vec<Arc<GraphAllocation>> {
        let state = self.state.lock();
        let allocations = state.nodes.values().filter_map(|n| match &*n.operation.lock() {
            Operation::Allocate(allocation) => Some(allocation.clone()),
            _ => None,
        });
        allocations.filter(|a| !state.freed.contains(&a.address)).collect()
    }

    /// Makes the graph own `count` references to an object.
    pub fn own(&self, object: &Arc<UserObject>, count: u32) -> Result<()> {
        let mut state = self.state.lock();
        let entry = state.objects.entry(object.handle).or_insert_with(|| (object.clone(), 0));
        entry.1 = entry.1.checked_add(count).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "count {} is too large: a graph cannot hold so many references", count)
        })?;
        Ok(())
    }

    /// Gives up all references to objects.
    pub fn disown_all(&self) {
        let objects = std::mem::take(&mut self.state.lock().objects);
        for (object, count) in objects.into_values() {
            object.release(count);
        }
    }

    /// Takes `count` references to an object from the graph.
    pub fn disown(&self, object: &Arc<UserObject>, count: u32) -> Result<()> {
        let mut state = self.state.lock();
        let entry = state
            .objects
            .get_mut(&object.handle)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "object is not owned by the graph"))?;
        entry.1 = entry
            .1
            .checked_sub(count)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "count {} is more references than the graph has", count))?;
        if entry.1 == 0 {
            state.objects.remove(&object.handle);
        }
        Ok(())
    }

    /// True for a graph in a conditional node.
    pub fn is_body(&self) -> bool {
        self.body.load(Ordering::Acquire)
    }

    /// The graph around all conditional nodes that this one is in.
    fn holder(&self) -> Option<Arc<Graph>> {
        if !self.is_body() {
            return None;
        }
        let known = self.holder.lock().upgrade();
        if known.is_some() {
            return known;
        }
        let mut around = self.outer.lock().upgrade();
        while let Some(next) =
            around.as_ref().filter(|graph| graph.is_body()).and_then(|graph| graph.outer.lock().upgrade())
        {
            around = Some(next);
        }
        around
    }

    /// Makes a condition for nodes of this graph and of the graphs in it. One that a graph in a conditional node makes is that of
    /// the graph around.
    pub fn create_condition(&self, context: &Arc<Context>, default: Option<u32>) -> Result<usize> {
        let holder = self.holder();
        let mut state = holder.as_deref().unwrap_or(self).state.lock();
        let condition = Condition::create(context, default, state.made_conditions)?;
        state.made_conditions += 1;
        let handle = condition.handle;
        state.conditions.insert(handle, condition);
        Ok(handle)
    }

    /// The condition of this graph, or of one that it is in, with a handle.
    pub fn find_condition(&self, handle: usize) -> Result<Arc<Held>> {
        let own = |graph: &Graph| graph.state.lock().conditions.get(&handle).cloned();
        let mut found = own(self).or_else(|| own(&*self.holder()?));
        let mut outer = self.outer.lock().upgrade();
        while let (None, Some(graph)) = (&found, &outer) {
            found = own(graph);
            let next = graph.outer.lock().upgrade();
            outer = next;
        }
        found.ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "{:#x} is not a conditional handle of the graph, or of one that it is in",
                handle
            )
        })
    }

    /// True when no node has one of the conditions.
    pub fn has_unused_condition(&self) -> bool {
        self.state.lock().conditions.values().any(|condition| !condition.is_taken())
    }

    /// The objects that the graph owns, for an executable graph to own them too.
    pub fn objects(&self) -> Vec<(Arc<UserObject>, u32)> {
        self.state.lock().objects.values().cloned().collect()
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // The graphs in a dropped graph are dropped level by level, too.
        self.clear();
    }
}

/// The graph of a child node or a conditional one: its handle ends with the node, or with the operation that never became one.
pub struct Embedded(Arc<Graph>);

impl Embedded {
    /// An empty graph for a node.
    pub fn empty() -> Result<Arc<Embedded>> {
        Graph::build(true).map(Embedded).map(Arc::new)
    }

    /// An empty graph for a conditional node.
    pub fn body() -> Result<Arc<Embedded>> {
        let body = Embedded::empty()?;
        body.body.store(true, Ordering::Release);
        Ok(body)
    }
}

impl Deref for Embedded {
    type Target = Graph;
    fn deref(&self) -> &Graph {
        &self.0
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        self.0.dispose();
    }
}

/// The nodes of a graph, an order that respects every edge, and the edges, by index.
pub struct Order {
    /// In the order of creation.
    pub nodes: Vec<Arc<Node>>,
    /// An order to run them in.
    pub sequence: Vec<usize>,
    /// From, to.
    pub edges: Vec<(usize, usize, EdgeData)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: EdgeData = [0; 8];

    #[test]
    fn edges_are_checked_and_cycles_found() {
        let graph = Graph::create().unwrap();
        let a = graph.add(Operation::Empty, &[]).unwrap().handle;
        let b = graph.add(Operation::Empty, &[(a, PLAIN)]).unwrap().handle;
        assert!(graph.add(Operation::Empty, &[(a, PLAIN), (a, PLAIN)]).is_err());
        assert_eq!(graph.connect(&[(a, b, PLAIN)]), Err(Error::INVALID_VALUE));
        assert_eq!(graph.order().unwrap().sequence, [0, 1]);
        graph.connect(&[(b, a, PLAIN)]).unwrap();
        assert!(graph.order().is_err());
        graph.disconnect(&[(a, b, PLAIN)]).unwrap();
        assert_eq!(graph.disconnect(&[(a, b, PLAIN)]), Err(Error::INVALID_VALUE));
        assert_eq!(graph.order().unwrap().sequence, [1, 0]);
        assert!(graph.all_lead_to(&[b], &[a]) && !graph.all_lead_to(&[a], &[b]));
        graph.remove(&Node::find(b).unwrap()).unwrap();
        assert!(graph.edges().is_empty() && Node::find(b).is_err());
        Graph::destroy(graph.handle).unwrap();
        assert!(Node::find(a).is_err() && Graph::destroy(graph.handle).is_err());
    }

    #[test]
    fn clones_know_their_originals() {
        let child = Graph::create().unwrap();
        child.add(Operation::Empty, &[]).unwrap();
        let graph = Graph::create().unwrap();
        let a = graph.add(Operation::Child(child.embed().unwrap()), &[]).unwrap();
        let b = graph.add(Operation::Empty, &[(a.handle, PLAIN)]).unwrap();
        let copy = graph.duplicate().unwrap();
        let found = copy.find_clone(b.handle).unwrap();
        assert_eq!(copy.dependencies(found.handle), [(copy.find_clone(a.handle).unwrap().handle, PLAIN)]);
        assert!(graph.find_clone(b.handle).is_err());
        Graph::destroy(graph.handle).unwrap();
        assert_eq!(copy.nodes().len(), 2);
        Graph::destroy(copy.handle).unwrap();
        Graph::destroy(child.handle).unwrap();
    }
}
