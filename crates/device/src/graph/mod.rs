//! Graphs: operations and what they depend on, built by hand or by capture; executable graphs and their memory.
//!
//! It may use all rooms but the checker.

pub mod conditional;
mod device_engine;
pub mod dot;
mod ends;
pub mod exec;
mod free;
mod launched;
pub mod memory;
pub mod nodes;
pub mod recapture;
pub mod recording;
pub mod user_object;

pub use crate::stream::capture::EdgeData;
pub use nodes::{Choice, Conditional, Edge, Embedded, Given, Graph, Node, Operation};
