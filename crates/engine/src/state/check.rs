//! What the memory checker is told: which memory is valid, what was wrong, and how a launch ended.

pub use crate::state::access::AccessKind;
use crate::state::fault::Failure;
use crate::state::global_races::GlobalRaces;
use crate::state::grid::Thread;
use core::sync::atomic::{AtomicBool, Ordering};
use parking_lot::Mutex;

/// What an access would go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessTarget {
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
    pub kind: AccessKind,
    /// Bytes of the access.
    pub bytes: u64,
    /// The address, or the offset in shared and local memory.
    pub address: u64,
    /// All bytes are there, but the address is no multiple of this.
    pub misaligned: Option<u64>,
    pub target: AccessTarget,
    /// Who it was.
    pub thread: Thread,
    /// Threads of the warp for which the same access is wrong, this one included.
    pub threads: u32,
}

/// One of two accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side<'a> {
    pub kind: AccessKind,
    /// The line of the text.
    pub line: u32,
    /// File and line of the source, if the text says so.
    pub source: Option<(&'a str, u32)>,
    pub thread: Thread,
}

/// Two accesses to the same memory that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race<'a> {
    pub kernel: &'a str,
    /// It is global memory, and the offset an address.
    pub global: bool,
    /// Where, and bytes of the later one.
    pub offset: u64,
    pub bytes: u64,
    pub now: Side<'a>,
    pub before: Side<'a>,
}

/// A barrier or a collective instruction that is used as it must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse<'a> {
    /// The kernel, and the function that the instruction is in.
    pub kernel: &'a str,
    pub function: &'a str,
    /// File and line of the source, if the text says so.
    pub source: Option<(&'a str, u32)>,
    /// The line of the text.
    pub line: u32,
    /// What is wrong, in a few words, and what else there is to say.
    pub what: &'static str,
    pub more: String,
    /// Who it was, and how many threads of the warp.
    pub thread: Thread,
    pub threads: u32,
}

/// What else is looked for than accesses to memory that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Accesses that nothing orders.
    pub races: bool,
    /// Reads of global memory that nobody wrote.
    pub unwritten: bool,
    /// Barriers and collective instructions that are used as they must not be.
    pub misuse: bool,
}

/// Knows memory, and takes findings.
pub trait Checker: Send + Sync {
    /// Whether all of `bytes` bytes at an address of global memory can be accessed.
    fn covers(&self, address: u64, bytes: u64, writes: bool) -> bool;
    /// Whether they are multicast addresses with memory of every device behind them.
    fn covers_multicast(&self, address: u64, bytes: u64, writes: bool) -> bool {
        let _ = (address, bytes, writes);
        false
    }
    /// Something is wrong.
    fn report(&self, finding: &Finding<'_>);
    /// What else is looked for.
    fn wants(&self) -> Wanted {
        Wanted::default()
    }
    /// A race was found.
    fn race(&self, _: &Race<'_>) {}
    /// Bytes of global memory are about to be written.
    fn writes(&self, _address: u64, _bytes: u64) {}
    /// Whether nobody has written any of some bytes of global memory since they were allocated.
    fn is_unwritten(&self, _address: u64, _bytes: u64) -> bool {
        false
    }
    /// Such bytes are read.
    fn unwritten(&self, _: &Finding<'_>) {}
    /// Whether races in this global memory are looked for.
    fn has_races(&self, _address: u64) -> bool {
        false
    }
    /// A barrier is misused.
    fn misuse(&self, _: &Misuse<'_>) {}
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
    /// What else is looked for.
    pub wanted: Wanted,
    /// The accesses of the grid to global memory, if races are looked for.
    pub global: Option<Box<GlobalRaces>>,
    /// Something was found, and what the first of it was.
    found: AtomicBool,
    first: Mutex<Option<Failure>>,
}

impl<'a> Checked<'a> {
    /// Nothing is found yet.
    pub fn new(checker: &'a dyn Checker, kernel: &'a str, parameters: u64, fixed: u32) -> Checked<'a> {
        let wanted = checker.wants();
        let global = wanted.races.then(Box::default);
        let (found, first) = (AtomicBool::new(false), Mutex::new(None));
        Checked { checker, kernel, parameters, fixed, wanted, global, found, first }
    }

    /// An access was wrong: the first one is what the launch fails with.
    pub fn note(&self, failure: Failure) {
        self.first.lock().get_or_insert(failure);
        self.found.store(true, Ordering::Release);
    }

    /// What the launch fails with, if anything was found.
    pub fn failure(&self) -> Option<Failure> {
        if self.found.load(Ordering::Acquire) { *self.first.lock() } else { None }
    }
}
