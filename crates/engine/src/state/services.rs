//! What kernels ask of the system: output, assertions and memory.

use crate::state::check::Checker;
use crate::state::core_dump::CoreState;
use crate::state::device_calls::code;
use crate::state::grid::Thread;
use crate::state::texture::source::{Surface, TextureSource};
use core::any::Any;
use std::sync::Arc;

/// What a failed assertion says, as addresses of strings.
#[derive(Clone, Copy, Debug)]
pub struct Assertion {
    pub message: u64,
    pub file: u64,
    pub line: u32,
    pub function: u64,
}

/// What kernels ask about a kernel of their module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionFact {
    SharedBytes,
    ConstantBytes,
    LocalBytes,
    MaxThreads,
    Registers,
    PtxVersion,
    BinaryVersion,
    CacheMode,
    MaxDynamicShared,
    Carveout,
}

/// A kernel of the program that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The address of the program, which is alive while it asks.
    pub program: usize,
    /// The kernel's number in it.
    pub number: u32,
}

/// What kernels ask about the device they run on.
#[derive(Clone, Copy)]
pub enum Question {
    /// Its number, and how many there are.
    Device,
    Devices,
    /// An attribute of a device.
    Attribute {
        number: u32,
        device: u32,
    },
    /// A limit of the context.
    Limit(u32),
    /// How the context prefers to split caches.
    CacheConfig,
    /// About a kernel of a program.
    Function {
        kernel: Kernel,
        fact: FunctionFact,
    },
    /// How many of its blocks fit on a multiprocessor.
    Blocks {
        kernel: Kernel,
        threads: u32,
        dynamic: u64,
    },
}

/// A range of addresses that kernels may access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    pub start: u64,
    pub bytes: u64,
}

impl AddressRange {
    /// No address.
    pub const NOTHING: AddressRange = AddressRange { start: 0, bytes: 0 };
    /// All that there are but the first page, where null pointers lead: no process has memory there.
    pub const ALL: AddressRange = AddressRange { start: 4096, bytes: u64::MAX - 4096 };
    /// What [`Services::accessible`] gives has more bytes.
    pub const LEAST: u64 = 4096;

    /// Whether all of some bytes are in it.
    #[inline(always)]
    pub fn holds(&self, address: u64, bytes: u64) -> bool {
        bytes <= self.bytes && address.wrapping_sub(self.start) <= self.bytes - bytes
    }

    /// Bytes from an address to the end.
    pub fn bytes_from(&self, address: u64) -> u64 {
        self.bytes.saturating_sub(address.wrapping_sub(self.start))
    }
}

/// A range of multicast addresses, and where each device's memory behind it begins.
#[derive(Clone)]
pub struct Multicast {
    pub range: AddressRange,
    /// Addresses in this process, in the order of the devices. Whoever has them may read and write as many bytes there.
    pub replicas: Arc<[u64]>,
    /// Keeps them.
    pub held: Arc<dyn Any + Send + Sync>,
}

/// What the process gives launches: cores that share the blocks of a grid, and memory of threads.
pub trait Host: Sync {
    /// Cores that this process may use.
    fn cores(&self) -> usize;
    /// Calls `work` once for each of `count` cores at most, this thread being the first; what no other core comes to do this
    /// thread does, one after the other. False when one call was false; then others may not have been made.
    fn on_cores(&self, count: usize, work: &(dyn Fn(usize) -> bool + Sync)) -> bool;
    /// Memory that kernels may access: all zero, from a multiple of [`GRAIN`]. `None` when there is not so much.
    fn take(&self, bytes: usize) -> Option<usize>;
    /// Takes back what [`Host::take`] gave for so many bytes.
    fn give(&self, at: usize, bytes: usize);
}

/// Memory of threads begins at multiples of this.
pub const GRAIN: usize = 64;

/// A texture has a format that cannot be read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported;

/// What kind of reference of a module a handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    Texture,
    Surface,
}

/// Knows textures and surfaces by the handles of objects and references.
pub trait Images: Send + Sync {
    /// What a texture reads.
    fn texture(&self, handle: u64) -> Result<Option<TextureSource>, Unsupported>;
    /// What a surface reads and writes.
    fn surface(&self, handle: u64) -> Option<Surface>;
    /// Which kind of reference it is, if it is one.
    fn reference(&self, handle: u64) -> Option<Reference>;
}

/// Serves kernels. Addresses are the kernel's and may be wrong.
pub trait Services: Send + Sync {
    /// `vprintf` with the addresses of a format and of the arguments; the result is that of the call. `None` when what
    /// they lead to cannot be read.
    fn print(&self, format: u64, arguments: u64) -> Option<i32>;
    /// An assertion has failed.
    fn assertion(&self, thread: Thread, assertion: Assertion);
    /// Memory from the heap of the device, or 0.
    fn allocate(&self, bytes: u64) -> u64;
    /// Gives it back. False when it is none.
    fn free(&self, address: u64) -> bool;
    /// Sets the condition of a graph that a kernel names by its handle. False when it is none of the kernel's context.
    fn set_condition(&self, handle: u64, value: u32) -> bool {
        let _ = (handle, value);
        false
    }
    /// The handle of the executable graph that the thread which asks runs, or 0.
    fn graph(&self) -> u64 {
        0
    }
    /// A kernel of graph `running`, 0 for none, launches another graph, in the way that a stream's handle says. Gives a code of the CUDA
    /// runtime.
    fn launch_graph(&self, running: u64, graph: u64, stream: u64) -> u32 {
        let _ = (running, graph, stream);
        code::NOT_SUPPORTED
    }
    /// The checker of accesses of programs that are built to be checked.
    fn checker(&self) -> Option<&dyn Checker> {
        None
    }
    /// A kernel that goes wrong leaves a core dump.
    fn wants_core(&self) -> bool {
        false
    }
    /// A kernel has gone wrong, and this is what is known of it. Its block is still there.
    fn core(&self, core: &CoreState<'_>) {
        let _ = core;
    }
    /// The user asks for a core dump: kernels that run are to end.
    fn is_interrupted(&self) -> bool {
        false
    }
    /// Who knows textures and surfaces, for launches that bring none of their own.
    fn images(&self) -> &(dyn Images + 'static) {
        &NoServices
    }
    /// Where nearly all is that kernels may access.
    fn accessible(&self) -> AddressRange {
        AddressRange::ALL
    }
    /// The range that they may access around an address which is not there; nothing, mostly.
    fn accessible_at(&self, address: u64) -> AddressRange {
        let _ = address;
        AddressRange::NOTHING
    }
    /// Whether they may access all of some bytes.
    fn may_access(&self, address: u64, bytes: u64) -> bool {
        self.accessible().holds(address, bytes) || self.accessible_at(address).holds(address, bytes)
    }
    /// Bytes that they may access from an address on.
    fn bytes_from(&self, address: u64) -> u64 {
        match self.accessible().bytes_from(address) {
            0 => self.accessible_at(address).bytes_from(address),
            bytes => bytes,
        }
    }
    /// The memory behind a multicast address: the largest range around it that is one piece on every device. `None` for other
    /// addresses, and where the kernel's device may not do that or a device has no memory.
    fn multicast(&self, address: u64, writes: bool) -> Option<Multicast> {
        let _ = (address, writes);
        None
    }
    /// Answers a question, or gives a code of the CUDA runtime.
    fn answer(&self, question: Question) -> Result<i64, u32> {
        let _ = question;
        Err(code::NOT_SUPPORTED)
    }
}

/// Services of no device: nothing is printed, and there is no memory.
pub struct NoServices;

impl Services for NoServices {
    fn print(&self, _: u64, _: u64) -> Option<i32> {
        Some(-1)
    }
    fn assertion(&self, _: Thread, _: Assertion) {}
    fn allocate(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, address: u64) -> bool {
        address == 0
    }
}

impl Images for NoServices {
    fn texture(&self, _: u64) -> Result<Option<TextureSource>, Unsupported> {
        Ok(None)
    }
    fn surface(&self, _: u64) -> Option<Surface> {
        None
    }
    fn reference(&self, _: u64) -> Option<Reference> {
        None
    }
}
