//! Graphs: operations and what they depend on, built by hand or by capture.

pub mod dot;
pub mod exec;
pub mod memory;
pub mod operation;
pub mod user_object;

use super::handle::{Kind as HandleKind, Table};
use crate::error::{Error, Result};
use memory::Allocation;
pub use operation::{Given, Operation};
use parking_lot::{Mutex, MutexGuard};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use user_object::UserObject;

/// Data of an edge: ports and kind, as the program gave them. All zero means a plain dependency.
pub type EdgeData = [u8; 8];

/// A node of a graph.
pub struct Node {
    /// What the program holds.
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
        NODES.get(handle).ok_or(Error::INVALID_VALUE)
    }

    /// What it does.
    pub fn operation(&self) -> Operation {
        self.operation.lock().clone()
    }

    /// Changes what it does, within its kind: `change` says no to anything else.
    pub fn update(&self, change: impl FnOnce(&Operation) -> Result<Operation>) -> Result<()> {
        let mut operation = self.operation.lock();
        let new = change(&operation)?;
        if !operation.is_like(&new) {
            return Err(Error::INVALID_VALUE);
        }
        *operation = new;
        Ok(())
    }

    /// The graph that it belongs to.
    pub fn graph(&self) -> Result<Arc<Graph>> {
        self.graph.upgrade().ok_or(Error::INVALID_VALUE)
    }
}

/// What a node depends on and what depends on it, by handle, in the order in which the edges were added.
#[derive(Clone, Default)]
struct Links {
    dependencies: Vec<(usize, EdgeData)>,
    dependents: Vec<(usize, EdgeData)>,
}

#[derive(Default)]
struct State {
    nodes: Vec<Arc<Node>>,
    links: HashMap<usize, Links>,
    next_id: u32,
    objects: BTreeMap<usize, (Arc<UserObject>, u32)>,
}

/// A graph.
pub struct Graph {
    /// What the program holds; the graph of a child node has one too.
    pub handle: usize,
    /// Unique in the process.
    pub id: u32,
    /// Belongs to a child node: the program cannot destroy it.
    embedded: bool,
    /// Nodes that allocate memory make a graph special: it has one executable form at a time and is not cloned.
    pub instantiated: AtomicBool,
    state: Mutex<State>,
}

/// All graphs, those of child nodes included.
pub static GRAPHS: Table<Graph> = Table::new(HandleKind::Graph);
static NODES: Table<Node> = Table::new(HandleKind::GraphNode);

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
                instantiated: AtomicBool::new(false),
                state: Mutex::default(),
            })
        };
        GRAPHS.insert_with(make).ok_or(Error::OUT_OF_MEMORY)
    }

    /// The live graph behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Graph>> {
        GRAPHS.get(handle).ok_or(Error::INVALID_VALUE)
    }

    /// Ends a graph of the program's own. Executable graphs made of it go on.
    pub fn destroy(handle: usize) -> Result<()> {
        let graph = Self::find(handle)?;
        if graph.embedded {
            return Err(Error::INVALID_VALUE);
        }
        GRAPHS.remove(handle);
        graph.clear();
        Ok(())
    }

    /// Ends a graph that was to belong to a child node.
    pub fn dispose(&self) {
        GRAPHS.remove(self.handle);
        self.clear();
    }

    /// Takes the handles of all that belongs to the graph away.
    fn clear(&self) {
        let state = std::mem::take(&mut *self.state.lock());
        for node in &state.nodes {
            NODES.remove(node.handle);
            if let Operation::Child(child) = &*node.operation.lock() {
                GRAPHS.remove(child.handle);
                child.clear();
            }
        }
        for (object, count) in state.objects.into_values() {
            object.release(count);
        }
    }

    /// Adds a node that depends on others of this graph, each once. A graph inside the operation goes if that fails.
    pub fn add(self: &Arc<Self>, operation: Operation, dependencies: &[(usize, EdgeData)]) -> Result<Arc<Node>> {
        let child = match &operation {
            Operation::Child(child) => Some(child.clone()),
            _ => None,
        };
        self.try_add(operation, dependencies).inspect_err(|_| child.iter().for_each(|c| c.dispose()))
    }

    fn try_add(self: &Arc<Self>, operation: Operation, dependencies: &[(usize, EdgeData)]) -> Result<Arc<Node>> {
        let mut state = self.state.lock();
        let mut seen = HashSet::new();
        for (handle, data) in dependencies {
            if !state.links.contains_key(handle) || !seen.insert((handle, data)) {
                return Err(Error::INVALID_VALUE);
            }
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
        let operation = Mutex::new(operation);
        let node = NODES
            .insert_with(|handle| Arc::new(Node { handle, id, graph, original, operation }))
            .ok_or(Error::OUT_OF_MEMORY)?;
        state.next_id += 1;
        state.nodes.push(node.clone());
        state.links.insert(node.handle, Links { dependencies: dependencies.to_vec(), dependents: Vec::new() });
        for (from, data) in dependencies {
            if let Some(links) = state.links.get_mut(from) {
                links.dependents.push((node.handle, *data));
            }
        }
        Ok(node)
    }

    /// All nodes, in the order of creation.
    pub fn nodes(&self) -> Vec<Arc<Node>> {
        self.state.lock().nodes.clone()
    }

    /// The nodes that depend on nothing.
    pub fn roots(&self) -> Vec<Arc<Node>> {
        let state = self.state.lock();
        let is_root = |n: &&Arc<Node>| state.links.get(&n.handle).is_none_or(|l| l.dependencies.is_empty());
        state.nodes.iter().filter(is_root).cloned().collect()
    }

    /// All edges, in the order of the nodes that they begin at.
    pub fn edges(&self) -> Vec<Edge> {
        let state = self.state.lock();
        let of = |n: &Arc<Node>| state.links.get(&n.handle).map_or(&[][..], |l| &l.dependents).iter();
        state.nodes.iter().flat_map(|n| of(n).map(|(to, data)| (n.handle, *to, *data))).collect()
    }

    /// What a node depends on.
    pub fn dependencies(&self, node: usize) -> Vec<(usize, EdgeData)> {
        self.state.lock().links.get(&node).map_or_else(Vec::new, |l| l.dependencies.clone())
    }

    /// What depends on a node.
    pub fn dependents(&self, node: usize) -> Vec<(usize, EdgeData)> {
        self.state.lock().links.get(&node).map_or_else(Vec::new, |l| l.dependents.clone())
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
            let (from, to, data) = edge;
            let known = |l: &Links| l.dependents.iter().any(|(n, d)| n == to && d == data);
            if from == to || !state.links.contains_key(to) || !seen.insert(edge) {
                return Err(Error::INVALID_VALUE);
            }
            if state.links.get(from).is_none_or(known) {
                return Err(Error::INVALID_VALUE);
            }
        }
        Self::check_editable(&state)?;
        for &(from, to, data) in edges {
            if let Some(links) = state.links.get_mut(&from) {
                links.dependents.push((to, data));
            }
            if let Some(links) = state.links.get_mut(&to) {
                links.dependencies.push((from, data));
            }
        }
        Ok(())
    }

    /// Removes edges, all or none. Every one of them must exist.
    pub fn disconnect(&self, edges: &[Edge]) -> Result<()> {
        let mut state = self.state.lock();
        let mut seen = HashSet::new();
        for edge in edges {
            let (from, to, data) = edge;
            let known = |l: &Links| l.dependents.iter().any(|(n, d)| n == to && d == data);
            if !seen.insert(edge) || !state.links.get(from).is_some_and(known) {
                return Err(Error::INVALID_VALUE);
            }
        }
        Self::check_editable(&state)?;
        for &(from, to, data) in edges {
            if let Some(links) = state.links.get_mut(&from) {
                links.dependents.retain(|e| *e != (to, data));
            }
            if let Some(links) = state.links.get_mut(&to) {
                links.dependencies.retain(|e| *e != (from, data));
            }
        }
        Ok(())
    }

    /// Edges and nodes of a graph with allocations cannot be taken out: addresses depend on the order.
    fn check_editable(state: &State) -> Result<()> {
        if state.nodes.iter().any(|n| n.operation.lock().is_allocation()) {
            return Err(Error::NOT_SUPPORTED);
        }
        Ok(())
    }

    /// Removes a node with its edges.
    pub fn remove(&self, node: &Node) -> Result<()> {
        let mut state = self.state.lock();
        if !state.links.contains_key(&node.handle) {
            return Err(Error::INVALID_VALUE);
        }
        Self::check_editable(&state)?;
        let Some(links) = state.links.remove(&node.handle) else {
            return Err(Error::INVALID_VALUE);
        };
        for (other, _) in links.dependencies {
            if let Some(links) = state.links.get_mut(&other) {
                links.dependents.retain(|(n, _)| *n != node.handle);
            }
        }
        for (other, _) in links.dependents {
            if let Some(links) = state.links.get_mut(&other) {
                links.dependencies.retain(|(n, _)| *n != node.handle);
            }
        }
        state.nodes.retain(|n| n.handle != node.handle);
        drop(state);
        NODES.remove(node.handle);
        if let Operation::Child(child) = node.operation() {
            GRAPHS.remove(child.handle);
            child.clear();
        }
        Ok(())
    }

    /// Copies the graph and the graphs in it. Memory allocations cannot be copied: [`Error::NOT_SUPPORTED`].
    pub fn duplicate(&self) -> Result<Arc<Graph>> {
        self.copy(false)
    }

    /// A copy that belongs to a child node.
    pub fn embed(&self) -> Result<Arc<Graph>> {
        self.copy(true)
    }

    fn copy(&self, embedded: bool) -> Result<Arc<Graph>> {
        let copy = Graph::build(embedded)?;
        let result = self.copy_into(&copy);
        if let Err(error) = result {
            GRAPHS.remove(copy.handle);
            copy.clear();
            return Err(error);
        }
        Ok(copy)
    }

    fn copy_into(&self, copy: &Arc<Graph>) -> Result<()> {
        let (nodes, links, objects) = {
            let state = self.state.lock();
            (state.nodes.clone(), state.links.clone(), state.objects.clone())
        };
        let mut renamed = HashMap::new();
        let mut state = copy.state.lock();
        for node in &nodes {
            let operation = match node.operation() {
                operation if operation.is_allocation() => return Err(Error::NOT_SUPPORTED),
                Operation::Child(child) => Operation::Child(child.embed()?),
                operation => operation,
            };
            let new = copy.insert(&mut state, operation, node.handle, &[])?;
            renamed.insert(node.handle, new.handle);
        }
        let rename = |edges: &[(usize, EdgeData)]| {
            edges.iter().filter_map(|(n, data)| Some((*renamed.get(n)?, *data))).collect::<Vec<_>>()
        };
        for (old, new) in &renamed {
            if let (Some(old), Some(new)) = (links.get(old), state.links.get_mut(new)) {
                new.dependencies = rename(&old.dependencies);
                new.dependents = rename(&old.dependents);
            }
        }
        for (object, count) in objects.values() {
            object.retain(*count);
        }
        state.objects = objects;
        Ok(())
    }

    /// The node of this graph that was cloned from the one with a handle.
    pub fn find_clone(&self, original: usize) -> Result<Arc<Node>> {
        self.state.lock().nodes.iter().find(|n| n.original == original).cloned().ok_or(Error::INVALID_VALUE)
    }

    /// Node indices in an order that respects every edge, and the edges by index; [`Error::INVALID_VALUE`] for a cycle.
    ///
    /// Among nodes that are free to go, those that may have to wait for something go last: what they wait for may stand
    /// beside them in the same graph.
    pub fn order(&self) -> Result<Order> {
        let state = self.state.lock();
        let index: HashMap<usize, usize> = state.nodes.iter().enumerate().map(|(i, n)| (n.handle, i)).collect();
        let mut missing = vec![0usize; state.nodes.len()];
        let mut edges = Vec::new();
        for (from, node) in state.nodes.iter().enumerate() {
            for (to, data) in state.links.get(&node.handle).map_or(&[][..], |l| &l.dependents) {
                if let Some(&to) = index.get(to) {
                    missing[to] += 1;
                    edges.push((from, to, *data));
                }
            }
        }
        let mut followers = vec![Vec::new(); state.nodes.len()];
        for &(from, to, _) in &edges {
            followers[from].push(to);
        }
        let rank = |i: usize| (state.nodes[i].operation.lock().may_wait(), i);
        let mut free: std::collections::BTreeSet<(bool, usize)> =
            (0..state.nodes.len()).filter(|&i| missing[i] == 0).map(rank).collect();
        let mut order = Vec::with_capacity(state.nodes.len());
        while let Some((_, i)) = free.pop_first() {
            order.push(i);
            for &to in &followers[i] {
                missing[to] -= 1;
                if missing[to] == 0 {
                    free.insert(rank(to));
                }
            }
        }
        if order.len() < state.nodes.len() {
            return Err(Error::INVALID_VALUE);
        }
        Ok(Order { nodes: state.nodes.clone(), sequence: order, edges })
    }

    /// True when every node of `which` is one of `last` or comes before one of them.
    pub fn all_lead_to(&self, which: &[usize], last: &[usize]) -> bool {
        let state = self.state.lock();
        let mut before: HashSet<usize> = last.iter().copied().collect();
        let mut open: Vec<usize> = last.to_vec();
        while let Some(node) = open.pop() {
            for (from, _) in state.links.get(&node).map_or(&[][..], |l| &l.dependencies) {
                if before.insert(*from) {
                    open.push(*from);
                }
            }
        }
        which.iter().all(|n| before.contains(n))
    }

    /// The allocation of this graph at an address.
    pub fn allocation(&self, address: usize) -> Option<Arc<Allocation>> {
        let is = |n: &Arc<Node>| match &*n.operation.lock() {
            Operation::Allocate(a) if a.address == address => Some(a.clone()),
            _ => None,
        };
        self.state.lock().nodes.iter().find_map(is)
    }

    /// True when a node of this graph frees the address.
    pub fn frees(&self, address: usize) -> bool {
        let is = |n: &Arc<Node>| matches!(&*n.operation.lock(), Operation::Free(a) if a.address == address);
        self.state.lock().nodes.iter().any(is)
    }

    /// True when a node allocates or frees memory.
    pub fn has_allocations(&self) -> bool {
        self.state.lock().nodes.iter().any(|n| n.operation.lock().is_allocation())
    }

    /// Makes the graph own `count` references to an object.
    pub fn own(&self, object: &Arc<UserObject>, count: u32) -> Result<()> {
        let mut state = self.state.lock();
        let entry = state.objects.entry(object.handle).or_insert_with(|| (object.clone(), 0));
        entry.1 = entry.1.checked_add(count).ok_or(Error::INVALID_VALUE)?;
        Ok(())
    }

    /// Takes `count` references to an object from the graph.
    pub fn disown(&self, object: &Arc<UserObject>, count: u32) -> Result<()> {
        let mut state = self.state.lock();
        let entry = state.objects.get_mut(&object.handle).ok_or(Error::INVALID_VALUE)?;
        entry.1 = entry.1.checked_sub(count).ok_or(Error::INVALID_VALUE)?;
        if entry.1 == 0 {
            state.objects.remove(&object.handle);
        }
        Ok(())
    }

    /// The objects that the graph owns, for an executable graph to own them too.
    fn objects(&self) -> Vec<(Arc<UserObject>, u32)> {
        self.state.lock().objects.values().cloned().collect()
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
