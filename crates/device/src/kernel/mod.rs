//! Kernels: images and modules, functions, launches, what kernels may ask of the system, what they print.
//!
//! It may use copies, arrays, memory, streams, the address space and what lies below.

pub mod condition;
pub mod core_dump;
pub mod fault;
pub mod function;
pub mod graph_launch;
pub mod heap;
mod host;
pub mod launch;
pub mod legacy_launch;
pub mod legacy_state;
pub mod library;
pub mod link;
pub mod module;
pub mod occupancy;
pub mod output;
pub mod settings;
pub mod system;
