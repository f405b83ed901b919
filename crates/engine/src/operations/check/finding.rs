//! What a probe found, and what becomes of it: the lanes end, and the checker is told.

use crate::state::check::{AccessKind, AccessTarget, Checked, Finding};
use crate::state::fault::{Failure, Fault};
use crate::state::step::Flow;
use crate::state::warp::Warp;

/// What is wrong with a lane.
pub(super) struct Wrong {
    pub(super) lane: usize,
    pub(super) address: u64,
    pub(super) bytes: u64,
    pub(super) misaligned: Option<u64>,
    pub(super) target: AccessTarget,
}

/// Tells of an access that is wrong for some lanes.
#[cold]
pub(super) fn tell(warp: &Warp, checked: &Checked<'_>, kind: AccessKind, wrong: Vec<Wrong>) -> u32 {
    let Some(first) = wrong.first() else { return 0 };
    let fault = if first.misaligned.is_some() { Fault::Misaligned } else { Fault::IllegalAddress };
    let line = warp.current_line();
    checked.note(Failure { fault, line });
    let found = finding(
        warp,
        checked,
        kind,
        (first.address, first.bytes),
        first.target.clone(),
        (first.lane, wrong.len() as u32),
    );
    checked.checker.report(&Finding { misaligned: first.misaligned, ..found });
    wrong.iter().fold(0, |all, wrong| all | 1 << wrong.lane)
}

/// What there is to say of an access that the warp is at: address and bytes; its first thread for which it is wrong, and how many.
pub(super) fn finding<'a>(
    warp: &'a Warp,
    checked: &'a Checked<'_>,
    kind: AccessKind,
    (address, bytes): (u64, u64),
    target: AccessTarget,
    (lane, threads): (usize, u32),
) -> Finding<'a> {
    let code = warp.code();
    Finding {
        kernel: checked.kernel,
        function: &code.name,
        source: code.source(warp.position),
        line: warp.current_line(),
        kind,
        bytes,
        address,
        misaligned: None,
        target,
        thread: warp.thread(lane),
        threads,
    }
}

/// Lanes whose access cannot be made end.
pub(super) fn end(warp: &mut Warp, lanes: u32) -> Flow {
    if lanes == 0 {
        return Flow::Next;
    }
    warp.mask = lanes;
    warp.exit()
}
