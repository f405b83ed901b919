//! The memory checker: looks at accesses before they are made.
//!
//! A program that is built to be checked has a step in front of each access, which knows the bytes of every lane and asks
//! whether they are there. Programs that are not have no such steps, and pay nothing. What is wrong is reported for each
//! thread; the thread ends there, as its access cannot be made, and all others go on, so that a launch shows more than
//! one mistake. The launch fails when it is over.

mod access;
mod copies;
mod matrix;

pub use access::{Area, Look, access};
pub(crate) use copies::{bulk, small, store, tensor, tensor_map, word};
pub use matrix::{fragments, matrix, rows};

use super::launch::Failure;
use super::services::Thread;
use super::step::{Flow, Trouble};
use super::warp::Warp;
use core::sync::atomic::{AtomicBool, Ordering};
use parking_lot::Mutex;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    /// Reads and writes, undivided.
    Atomic,
}

/// What an access would go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Memory that the checker knows all of.
    Memory,
    /// An offset in the shared memory of a block: static bytes, and where the dynamic ones begin and end.
    Shared { offset: u64, fixed: u64, dynamic: u64, end: u64 },
    /// An offset in a thread's local memory. The nearest variable, if there is any: its name, its function, where it begins
    /// and its bytes.
    Local { offset: u64, nearest: Option<(String, String, u64, u64)> },
    /// Another thread's local memory.
    Stranger,
    /// The parameters of the kernel: where they begin, and bytes.
    Parameters(u64, u64),
}

/// What is wrong with the access of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<'a> {
    /// The kernel, and the function that the instruction is in.
    pub kernel: &'a str,
    pub function: &'a str,
    /// File and line of the source, if the text says so.
    pub source: Option<(&'a str, u32)>,
    /// The line of the text.
    pub line: u32,
    pub kind: Kind,
    /// Bytes of the access.
    pub bytes: u64,
    /// The address, or the offset in shared and local memory.
    pub address: u64,
    /// All bytes are there, but the address is no multiple of this.
    pub misaligned: Option<u64>,
    pub target: Target,
    /// Who it was.
    pub thread: Thread,
    /// Threads of the warp for which the same access is wrong, this one included.
    pub threads: u32,
}

/// Knows memory, and takes findings.
pub trait Checker: Send + Sync {
    /// Whether all of `bytes` bytes at an address of global memory can be accessed.
    fn covers(&self, address: u64, bytes: u64, writes: bool) -> bool;
    /// Something is wrong.
    fn report(&self, finding: &Finding<'_>);
}

/// The check of a launch.
pub struct Checked<'a> {
    /// Who knows.
    pub checker: &'a dyn Checker,
    /// Name of the kernel.
    pub kernel: &'a str,
    /// Bytes of its parameters.
    pub parameters: u64,
    /// Static bytes of shared memory.
    pub fixed: u32,
    /// Something was found, and what the first of it was.
    found: AtomicBool,
    first: Mutex<Option<Failure>>,
}

impl<'a> Checked<'a> {
    /// Nothing is found yet.
    pub fn new(checker: &'a dyn Checker, kernel: &'a str, parameters: u64, fixed: u32) -> Checked<'a> {
        Checked { checker, kernel, parameters, fixed, found: AtomicBool::new(false), first: Mutex::new(None) }
    }

    /// What the launch fails with, if anything was found.
    pub fn failure(&self) -> Option<Failure> {
        if self.found.load(Ordering::Acquire) { *self.first.lock() } else { None }
    }
}

/// What is wrong with a lane.
struct Wrong {
    lane: usize,
    address: u64,
    bytes: u64,
    misaligned: Option<u64>,
    target: Target,
}

/// Tells of an access that is wrong for some lanes.
#[cold]
fn tell(warp: &Warp, checked: &Checked<'_>, kind: Kind, wrong: Vec<Wrong>) -> u32 {
    let Some(first) = wrong.first() else { return 0 };
    let code = warp.code();
    let trouble = if first.misaligned.is_some() { Trouble::Misaligned } else { Trouble::IllegalAddress };
    let line = warp.current_line();
    checked.first.lock().get_or_insert(Failure { trouble, line });
    checked.found.store(true, Ordering::Release);
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
