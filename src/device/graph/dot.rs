//! Graphs as text in DOT format, for people.

use super::{Graph, Operation};
use std::fmt::Write;

/// The graph and the graphs in it. `verbose` adds what the nodes do.
pub fn text(graph: &Graph, verbose: bool) -> String {
    let mut out = String::from("digraph dot {\n");
    body(graph, verbose, &mut out);
    out.push_str("}\n");
    out
}

fn body(graph: &Graph, verbose: bool, out: &mut String) {
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
    let id_of = |handle: usize| nodes.iter().find(|n| n.handle == handle).map(|n| n.id);
    for (from, to, _) in graph.edges() {
        if let (Some(from), Some(to)) = (id_of(from), id_of(to)) {
            let _ = writeln!(out, "\"{}\" -> \"{}\";", name(from), name(to));
        }
    }
    out.push_str("}\n");
    for node in &nodes {
        if let Operation::Child(child) = node.operation() {
            body(&child, verbose, out);
        }
    }
}

fn kind(operation: &Operation) -> &'static str {
    match operation {
        Operation::Empty => "EMPTY",
        Operation::Kernel(_) => "KERNEL",
        Operation::Copy(..) => "MEMCPY",
        Operation::Fill(_) => "MEMSET",
        Operation::Host(_) => "HOST",
        Operation::Child(_) => "GRAPH",
        Operation::Record(_) => "EVENT_RECORD",
        Operation::Wait(_) => "WAIT_EVENT",
        Operation::Allocate(_) => "MEM_ALLOC",
        Operation::Free(_) => "MEM_FREE",
        Operation::MemoryOperations(..) => "BATCH_MEM_OP",
    }
}

fn details(operation: &Operation) -> String {
    let kind = kind(operation);
    match operation {
        Operation::Kernel(kernel) => format!("{kind}\\n{}", kernel.function.name()),
        Operation::Fill(f) => {
            format!("{kind}\\ndst {:#x} {}x{} elements of {} value {:#x}", f.dst, f.width, f.rows, f.element, f.value)
        }
        Operation::Host(call) => format!("{kind}\\nfn {:#x} data {:#x}", call.identity.0, call.identity.1),
        Operation::Child(graph) => format!("{kind}\\ngraph_{}", graph.id),
        Operation::Record(event) | Operation::Wait(event) => format!("{kind}\\nevent {:#x}", event.handle),
        Operation::Allocate(a) | Operation::Free(a) => format!("{kind}\\n{:#x} {} bytes", a.address, a.size),
        Operation::MemoryOperations(works, _) => format!("{kind}\\n{} operations", works.len()),
        Operation::Empty | Operation::Copy(..) => kind.into(),
    }
}
