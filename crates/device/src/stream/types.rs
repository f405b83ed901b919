//! What streams, contexts and captures consist of. They know each other in circles (a stream its context, a context its
//! legacy stream, a stream its capture), so they stand together, and what they do stands in the files above.

use crate::base::core_dump;
use crate::base::devices::{Device, Failure};
use crate::base::handle::{HandleKind, Table};
use crate::base::limit;
use crate::base::multiprocessors::Multiprocessors;
use crate::stream::attributes::Attributes;
use crate::stream::clock::Stamp;
use crate::stream::value::{WaitValue, WriteValue};
use error::{Error, Result};
use parking_lot::{Condvar, Mutex, RwLock};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::ThreadId;

/// Which rules order a stream against others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// The context's legacy default stream.
    Legacy,
    /// A thread's own default stream; a blocking stream otherwise.
    PerThread,
    /// Created without `CU_STREAM_NON_BLOCKING`.
    Blocking,
    /// Created with it: the legacy stream means nothing to it.
    NonBlocking,
}

/// A function of the program.
#[derive(Clone)]
pub struct HostCall {
    /// Calls it. The argument is the context's asynchronous error.
    pub call: Arc<dyn Fn(Option<Error>) + Send + Sync>,
    /// Address of the function and its argument, as the program gave them.
    pub identity: (usize, usize),
    /// Called even after an asynchronous error.
    pub after_error: bool,
}

/// An operation of the device that has no description of its own.
pub type Task = Arc<dyn Fn() -> Result<()> + Send + Sync>;

/// What a piece of work is, for those who watch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity<'a> {
    /// A kernel with its grid and its blocks.
    Kernel(&'a str, [u32; 3], [u32; 3]),
    /// A copy of so many bytes, `host to device` or the like.
    Copy(&'static str, usize),
    /// A memset of so many bytes.
    Memset(usize),
    /// A function of the program, at an address.
    Host(usize),
}

/// The call that gave a piece of work: the watcher's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// When it began.
    pub begin: u64,
    /// In which thread; 0 for none.
    pub thread: u32,
}

impl Origin {
    /// No call.
    pub const NONE: Origin = Origin { begin: 0, thread: 0 };
}

/// What a room above this one gives to streams: a copy, a memset, a kernel. A graph keeps it and can run it again.
pub trait Command: Any + Send + Sync {
    /// Does it.
    fn run(&self) -> Result<()>;

    /// What it is, for those who watch. `None`: it is not worth a word.
    fn activity(&self) -> Option<Activity<'_>> {
        None
    }

    /// True when the calling thread may run it on the spot: it waits for nothing that this thread has still to do.
    fn is_prompt(&self) -> bool {
        true
    }

    /// True when running it takes no time to speak of and calls nothing that could come back to the stream.
    fn is_brief(&self) -> bool;
}

/// One piece of work for a stream. It can be run more than once (graphs keep it).
#[derive(Clone)]
pub enum Work {
    /// A command of a room above this one.
    Command(Arc<dyn Command>),
    /// A function of the program; runs on a worker, where the driver API refuses calls.
    Host(HostCall),
    /// Any other operation of the device that does not block. Cannot be captured.
    Task(Task),
    /// Notes the time at which the stream got here.
    Record(Stamp),
    /// Waits for a point of another stream.
    Wait(Fence),
    /// Waits for a word in memory.
    WaitValue(WaitValue),
    /// Writes a word to memory.
    WriteValue(WriteValue),
}

impl HostCall {
    /// A host function: not called after an asynchronous error.
    pub fn new(identity: (usize, usize), call: impl Fn() + Send + Sync + 'static) -> HostCall {
        HostCall { call: Arc::new(move |_| call()), identity, after_error: false }
    }
}

/// A point in a stream: complete when everything given to the stream up to it is.
#[derive(Clone)]
pub struct Fence {
    pub(super) stream: Arc<Stream>,
    pub(super) sequence: u64,
}

impl Fence {
    /// True once reached.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.stream.has_completed(self.sequence)
    }

    /// The stream it is a point of.
    #[inline]
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }
}

/// Something whose end waits for work: its destructor does what is to be done then.
pub type Keepsake = Arc<dyn Send + Sync>;

/// An operation in a queue.
pub(super) struct Item {
    pub(super) sequence: u64,
    pub(super) origin: Origin,
    pub(super) work: Work,
}

/// What a stream has to do and how far it has come.
pub(super) struct State {
    /// Number of the latest operation given; the first one is 1.
    pub(super) submitted: u64,
    pub(super) queue: VecDeque<Item>,
    /// A thread is running this stream's work.
    pub(super) running: bool,
    /// The stream stands in the executor's queue.
    pub(super) handed_over: bool,
    /// The number of the wait for another stream at which a worker left it: when that is first in the queue, the other
    /// stream hands this one to the executor when the time has come, and nobody else needs to.
    pub(super) parked: u64,
    /// Somebody came while a thread was running it: that thread must look again before it leaves.
    pub(super) again: bool,
    /// The latest operation that somebody has asked for. Counts under the lazy schedule only.
    pub(super) wanted: u64,
    /// The wait on memory that the poller has been told of, and the one that it has released.
    pub(super) watched: u64,
    pub(super) released: u64,
    /// The earliest operation that a thread asleep in `wait_for` waits for.
    pub(super) alarm: u64,
    /// Streams to hand to the executor once a sequence number is complete.
    pub(super) wakers: Vec<(u64, Arc<Stream>)>,
    /// What work in the queue may use although the program has destroyed it, and the operation after which it may go.
    pub(super) kept: Vec<(u64, Keepsake)>,
}

impl Default for State {
    fn default() -> State {
        State {
            submitted: 0,
            queue: VecDeque::new(),
            running: false,
            handed_over: false,
            parked: 0,
            again: false,
            wanted: 0,
            watched: 0,
            released: 0,
            alarm: u64::MAX,
            wakers: Vec::new(),
            kept: Vec::new(),
        }
    }
}

/// A stream of a context.
pub struct Stream {
    /// What the program holds; 0 for default streams.
    pub handle: usize,
    /// Unique in the process.
    pub id: u64,
    /// The order rules.
    pub kind: StreamKind,
    /// `CU_STREAM_*` flags as given at creation.
    pub flags: u32,
    /// The context it belongs to.
    pub context: Weak<Context>,
    /// What it shares with the context's other streams.
    pub group: Arc<Group>,
    /// The multiprocessors that its kernels have, if it is a green context's.
    pub share: Option<Arc<Share>>,
    /// Settable attributes.
    pub attributes: Mutex<Attributes>,
    /// True while the stream is being captured into a graph: work must not be enqueued then.
    pub capturing: AtomicBool,
    /// Its part in that capture.
    pub(super) capture: Mutex<Option<Part>>,
    pub(super) priority: AtomicI32,
    pub(super) completed: AtomicU64,
    /// The latest point of each other stream that this one was told to wait for, by stream id.
    pub(super) followed: Mutex<BTreeMap<u64, u64>>,
    pub(super) state: Mutex<State>,
    pub(super) progress: Condvar,
}

/// All created streams (default streams have no handle).
pub static STREAMS: Table<Stream> = Table::new(HandleKind::Stream);

impl Stream {
    /// True for streams that the legacy stream orders.
    #[inline]
    pub fn is_blocking(&self) -> bool {
        matches!(self.kind, StreamKind::Blocking | StreamKind::PerThread)
    }

    #[inline]
    pub(super) fn has_completed(&self, sequence: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= sequence
    }
}

/// What the streams of one context share. What calls ask for all the time comes first, in one line of the cache.
#[repr(C, align(64))]
pub struct Group {
    /// Operations queued or being run and not complete, over all streams.
    pub(super) pending: AtomicUsize,
    /// Those of the legacy stream, and those of the streams that it waits for.
    pub(super) legacy_open: AtomicUsize,
    pub(super) blocking_open: AtomicUsize,
    /// How many of those streams are being captured.
    pub(super) captured: AtomicUsize,
    /// The first asynchronous error, as its code; stays for the context's life.
    pub(super) error: AtomicU32,
    /// Set when the context goes: waits on memory give up.
    pub(super) closing: AtomicBool,
    /// Until the context is destroyed, released by its last user or reset.
    pub(super) alive: AtomicBool,
    /// The context has memory and streams of today's kind.
    pub(super) usable: bool,
    pub(super) legacy: RwLock<Weak<Stream>>,
    pub(super) streams: RwLock<Vec<Weak<Stream>>>,
    /// Points that all later work of the context waits for, on streams that do not exist yet, too.
    pub(super) barriers: Mutex<Vec<Fence>>,
    pub(super) lane: Mutex<HostLane>,
    /// What the process is stuck with.
    pub(super) failure: &'static Failure,
}

/// Host functions of a context run one at a time.
///
/// While streams wait for the lane, it is taken, or a stream that waited is on its way to a worker, which passes the
/// lane on ([`Group::pass_lane`]) when it is done whether it needed it or not.
#[derive(Default)]
pub(super) struct HostLane {
    pub(super) busy: bool,
    pub(super) waiting: VecDeque<Arc<Stream>>,
}

/// What a context keeps for a room above this one.
pub trait Attachment: Any + Send + Sync {
    /// True for limits that cannot change any more.
    fn is_fixed(&self, limit: u32) -> bool;
    /// The context has ended, and its work is complete.
    fn end(&self);
}

/// Settable limits and preferences of a context.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `CUfunc_cache`.
    pub cache: u32,
    /// Core dumps.
    pub core: core_dump::Settings,
}

/// A context of a device.
pub struct Context {
    /// What the program holds.
    pub handle: usize,
    /// Unique in the process, increasing.
    pub id: u64,
    /// Where it lives.
    pub device: Arc<Device>,
    /// Belongs to the device, not to the program.
    pub primary: bool,
    /// `CU_CTX_*` flags.
    pub(super) flags: AtomicU32,
    /// Values of the limits that can be set.
    pub(super) limits: limit::Values,
    /// The API version that the context reports.
    pub api_version: u32,
    /// References by `cuCtxAttach`.
    pub(super) attached: AtomicU32,
    /// What its streams share; holds the asynchronous error.
    pub group: Arc<Group>,
    /// What its kernels can ask for; there from the first launch on.
    pub kernels: OnceLock<Arc<dyn Attachment>>,
    /// Limits and preferences.
    pub settings: Mutex<Settings>,
    /// Contexts whose memory this one may access: their ids.
    pub peers: Mutex<BTreeSet<u64>>,
    pub(super) legacy: Arc<Stream>,
    /// How many streams the program made, and what the second took of the addresses.
    pub(super) for_streams: Mutex<(u32, Option<Box<dyn Send + Sync>>)>,
}

/// All contexts that a handle leads to. A primary context keeps its handle while the device lives.
pub static CONTEXTS: Table<Context> = Table::new(HandleKind::Context);

/// The part of a device that belongs to a green context, and who it is: what its streams and kernels keep of it.
#[derive(Debug)]
pub struct Share {
    /// What the program holds: of the green context, and of the same as a context.
    pub handle: usize,
    /// Unique among contexts of all kinds, increasing.
    pub id: u64,
    /// Its multiprocessors.
    pub places: Multiprocessors,
    /// Their numbers.
    pub numbers: Arc<[u32]>,
}

/// A green context: streams of a primary context whose kernels have multiprocessors of their own. Memory, modules and events that
/// are made in it are the primary context's.
pub struct Green {
    /// Its part of the device.
    pub share: Arc<Share>,
    /// The primary context.
    pub context: Arc<Context>,
    /// What it calls its default stream.
    pub(super) default: Arc<Stream>,
    /// Until the program destroys it.
    pub(super) alive: AtomicBool,
    /// Points that all its later work waits for, on streams that do not exist yet, too.
    pub(super) barriers: Mutex<Vec<Fence>>,
}

/// All green contexts.
pub static GREENS: Table<Green> = Table::new(HandleKind::GreenContext);

/// How strictly a capture forbids calls that could disturb it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// In every thread.
    Global,
    /// In the thread that began it.
    ThreadLocal,
    /// Not at all.
    Relaxed,
}

/// Which kind of edge leads from a node to the next one, as the interface lays it out.
pub type EdgeData = [u8; 8];

/// What becomes of the work of a capture.
pub trait Recording: Any + Send + Sync {
    /// Adds work behind the nodes in `after`; returns its node. `None` for what cannot be recorded.
    fn add(&self, work: Work, after: &[(usize, EdgeData)]) -> Result<Option<usize>>;
    /// Adds an allocation of so many bytes to what was captured of a stream; returns its address.
    fn allocate(&self, stream: &Arc<Stream>, size: usize) -> Result<usize>;
    /// Tells the program what it wants to know of nodes that were added, with no lock held. False ends the capture.
    fn tell(&self) -> bool;
    /// True for the node of a kernel.
    fn is_kernel(&self, node: usize) -> bool;
    /// True when every node in `open` leads to one in `last`.
    fn all_lead_to(&self, open: &[usize], last: &[usize]) -> bool;
    /// The capture is over: what it allocated is no longer there for it.
    fn close(&self);
    /// The capture has failed: nobody gets what was recorded.
    fn discard(&self);
}

/// A capture.
pub struct Capture {
    /// Unique in the process, increasing.
    pub id: u64,
    /// What becomes of the work.
    pub recording: Box<dyn Recording>,
    pub(super) mode: Mode,
    pub(super) thread: ThreadId,
    pub(super) origin: Weak<Stream>,
    pub(super) invalid: AtomicBool,
    pub(super) ended: AtomicBool,
    pub(super) streams: Mutex<Vec<Arc<Stream>>>,
    /// The last nodes of streams that were destroyed before the end: they have to be joined all the same.
    pub(super) left: Mutex<Vec<usize>>,
}

/// What a stream is in a capture.
pub struct Part {
    pub(super) capture: Arc<Capture>,
    /// The nodes that the next one will depend on.
    pub(super) next: Vec<(usize, EdgeData)>,
    /// The same, as arrays that the program was shown.
    pub(super) shown: (Box<[usize]>, Box<[EdgeData]>),
}
