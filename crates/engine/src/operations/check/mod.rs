//! The memory checker: probes accesses before they are made.
//!
//! A program that is built to be checked has a step in front of each access, which knows the bytes of every lane and asks
//! whether they are there. Programs that are not have no such steps, and pay nothing. What is wrong is reported for each
//! thread; the thread ends there, as its access cannot be made, and all others go on, so that a launch shows more than
//! one mistake. The launch fails when it is over.

mod access;
mod copies;
mod matrix;

pub use access::{Area, Probe, access};
pub use copies::{bulk, small, store, tensor, tensor_map, word};
pub use matrix::{fragments, matrix, rows};

use crate::state::check::{AccessKind, AccessTarget, Checked, Finding};
use crate::state::step::Failure;
use crate::state::step::{Fault, Flow};
use crate::state::warp::Warp;

/// What is wrong with a lane.
struct Wrong {
    lane: usize,
    address: u64,
    bytes: u64,
    misaligned: Option<u64>,
    target: AccessTarget,
}

/// Tells of an access that is wrong for some lanes.
#[cold]
fn tell(warp: &Warp, checked: &Checked<'_>, kind: AccessKind, wrong: Vec<Wrong>) -> u32 {
    let Some(first) = wrong.first() else { return 0 };
    let code = warp.code();
    let fault = if first.misaligned.is_some() { Fault::Misaligned } else { Fault::IllegalAddress };
    let line = warp.current_line();
    checked.note(Failure { fault, line });
    checked.checker.report(&Finding {
        kernel: checked.kernel,
        function: &code.name,
        source: code.source(warp.position),
        line,
        kind,
        bytes: first.bytes,
        address: first.address,
        misaligned: first.misaligned,
        target: first.target.clone(),
        thread: warp.thread(first.lane),
        threads: wrong.len() as u32,
    });
    wrong.iter().fold(0, |all, wrong| all | 1 << wrong.lane)
}

/// Lanes whose access cannot be made end.
fn end(warp: &mut Warp, lanes: u32) -> Flow {
    if lanes == 0 {
        return Flow::Next;
    }
    warp.mask = lanes;
    warp.exit()
}
