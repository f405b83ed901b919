//! Graphs as text in DOT format, for people.

use crate::graph::nodes::{Embedded, Graph, Node, Operation};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// The graph and the graphs in it. `verbose` adds what the nodes do.
pub fn text(graph: &Graph, verbose: bool) -> String {
    let mut out = String::from("digraph dot {\n");
    // The next one is the last: they may lie in each other deeper than a stack is.
    let mut open = body(graph, verbose, &mut out);
    while let Some(child) = open.pop() {
        open.extend(body(&child, verbose, &mut out));
    }
    out.push_str("}\n");
    out
}

/// One graph. Returns those in it, the last one first.
fn body(graph: &Graph, verbose: bool, out: &mut String) -> Vec<Arc<Embedded>> {
    let name = |id: u32| format!("graph_{}_node_{id}", graph.id);
    // Writing to a string does not fail.
    let _ = writeln!(out, "subgraph cluster_{} {{\nlabel=\"graph_{}\" graph[style=\"dashed\"];", graph.id, graph.id);
    let nodes = graph.nodes();
    for node in &nodes {
        let operation = node.operation();
        let label = match verbose {
            true => format!("{}\\n{}", node.id, details(&operation)),
            false => format!("{}\\n{}", node.id, kind(&operation)),
        };
        let _ = writeln!(out, "\"{}\"[style=\"solid\" shape=\"rectangle\" label=\"{label}\"];", name(node.id));
    }
    let ids: HashMap<usize, u32> = nodes.iter().map(|n| (n.handle, n.id)).collect();
    for (from, to, _) in graph.edges() {
        if let (Some(&from), Some(&to)) = (ids.get(&from), ids.get(&to)) {
            let _ = writeln!(out, "\"{}\" -> \"{}\";", name(from), name(to));
        }
    }
    out.push_str("}\n");
    let inner = |node: &Arc<Node>| node.operation().inner().iter().rev().cloned().collect::<Vec<_>>();
    nodes.iter().rev().flat_map(inner).collect()
}

fn kind(operation: &Operation) -> &'static str {
    match operation {
        Operation::Empty => "EMPTY",
        Operation::Kernel(_) => "KERNEL",
        Operation::Copy(..) => "MEMCPY",
        Operation::Memset(..) => "MEMSET",
        Operation::Host(_) => "HOST",
        Operation::Child(_) => "GRAPH",
        Operation::Record(_) => "EVENT_RECORD",
        Operation::Wait(_) => "WAIT_EVENT",
        Operation::Allocate(_) => "MEM_ALLOC",
        Operation::Free(_) => "MEM_FREE",
        Operation::MemoryOperations(..) => "BATCH_MEM_OP",
        Operation::Conditional(_) => "CONDITIONAL",
        Operation::Semaphores { waits: false, .. } => "EXT_SEMAS_SIGNAL",
        Operation::Semaphores { waits: true, .. } => "EXT_SEMAS_WAIT",
    }
}

fn details(operation: &Operation) -> String {
    let kind = kind(operation);
    match operation {
        Operation::Kernel(kernel) => format!("{kind}\\n{}", kernel.function.name()),
        Operation::Memset(f, _) => {
            format!("{kind}\\ndst {:#x} {}x{} elements of {} value {:#x}", f.dst, f.width, f.rows, f.element, f.value)
        }
        Operation::Host(call) => format!("{kind}\\nfn {:#x} data {:#x}", call.identity.0, call.identity.1),
        Operation::Child(graph) => format!("{kind}\\ngraph_{}", graph.id),
        Operation::Record(event) | Operation::Wait(event) => format!("{kind}\\nevent {:#x}", event.handle),
        Operation::Allocate(a) | Operation::Free(a) => format!("{kind}\\n{:#x} {} bytes", a.address, a.size),
        Operation::MemoryOperations(works, _) => format!("{kind}\\n{} operations", works.len()),
        Operation::Semaphores { .. } => kind.to_string(),
        Operation::Conditional(c) => {
            let bodies: Vec<String> = c.bodies.iter().map(|body| format!("graph_{}", body.id)).collect();
            format!("{kind}\\n{:?} handle {:#x}\\n{}", c.choice, c.condition.handle, bodies.join(" "))
        }
        Operation::Empty | Operation::Copy(..) => kind.into(),
    }
}
