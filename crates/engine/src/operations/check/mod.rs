//! The memory checker: probes accesses before they are made.
//!
//! A program that is built to be checked has a step in front of each access, which knows the bytes of every lane and asks
//! whether they are there. Programs that are not have no such steps, and pay nothing. What is wrong is reported for each
//! thread; the thread ends there, as its access cannot be made, and all others go on, so that a launch shows more than
//! one mistake. The launch fails when it is over.

mod access;
mod barriers;
mod copies;
mod finding;
mod matrix;
mod probe;
mod races;
mod unwritten;

pub use access::access;
pub use barriers::{barrier, change, counting, members, misused};
pub use copies::{bulk, cancellation, fill, multimem, small, store, tensor, tensor_map, word};
pub use matrix::{ROW, fragments, rows};
pub use probe::{Area, Probe};
pub use races::finish;
