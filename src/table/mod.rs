//! The function table: one row per exported symbol, collected from the declarations.

pub mod status;

use crate::show::Parameter;
use core::ffi::CStr;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::OnceLock;

/// CUDA version that the emulated driver reports. Functions that appeared later are exported and declared, but the
/// look-up does not know them, as a real driver of this version would not.
pub const DRIVER_VERSION: u32 = device::CUDA_VERSION;

/// Every exported symbol, in no particular order.
#[linkme::distributed_slice]
pub static ENTRIES: [Entry];

/// Whether a symbol is the per-thread-default-stream twin of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    /// The function itself.
    None,
    /// `_ptsz`: an asynchronous function.
    Ptsz,
    /// `_ptds`: a synchronous function.
    Ptds,
}

/// What must hold before the body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// `cuInit` has succeeded.
    Init,
    /// The calling thread has a live current context.
    Context,
    /// The same; the body asks for it, after it has looked at its arguments.
    Late,
}

/// What the function answers in `absent` mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// `CUDA_ERROR_NOT_INITIALIZED`.
    NotInitialized,
    /// `CUDA_ERROR_NO_DEVICE`.
    NoDevice,
    /// The same as with a device: the body runs.
    Run,
}

/// What a declaration says.
pub struct Row {
    /// Exported name with a NUL at its end.
    pub symbol: &'static str,
    /// Name without version suffix and without twin suffix: what programs give to `cuGetProcAddress`.
    pub base: &'static str,
    /// CUDA version in which the symbol appeared.
    pub since: u32,
    /// Twin or not.
    pub twin: Twin,
    /// Preconditions.
    pub needs: Needs,
    /// False: never handed out by `cuGetProcAddress`.
    pub lookup: bool,
    /// False: not declared in `cuda.h`.
    pub header: bool,
    /// The declaration has a body.
    pub implemented: bool,
    /// Answer in `absent` mode.
    pub absent: Absent,
    /// The body runs in `forward` mode too, and does the forwarding itself.
    pub run_in_forward: bool,
    /// Remark on completeness for the status list.
    pub status: &'static str,
    /// Parameters, as declared: `dptr: Out<CUdeviceptr>, bytesize: usize`.
    pub params: &'static str,
    /// The same, for showing arguments.
    pub parameters: &'static [Parameter],
    /// Our own exported function.
    pub address: *const (),
    /// The same through the layers (`layers`), for the slot.
    pub layered: *const (),
}

/// One exported symbol.
pub struct Entry {
    slot: AtomicPtr<()>,
    /// The real driver's function while the slot leads through the layers.
    behind: AtomicPtr<()>,
    /// What the layers do around a call, in bits that they alone understand.
    layers: AtomicU32,
    row: Row,
    logged: AtomicBool,
}

// SAFETY: the only raw pointers in a row are addresses of functions.
unsafe impl Sync for Entry {}

impl core::ops::Deref for Entry {
    type Target = Row;
    fn deref(&self) -> &Row {
        &self.row
    }
}

impl Entry {
    /// A row that does not forward yet.
    pub const fn new(row: Row) -> Self {
        Entry {
            slot: AtomicPtr::new(ptr::null_mut()),
            behind: AtomicPtr::new(ptr::null_mut()),
            layers: AtomicU32::new(0),
            row,
            logged: AtomicBool::new(false),
        }
    }

    /// Where a call goes at once: the real driver's function, or the way through the layers. Null: to the dispatch.
    #[inline(always)]
    pub fn slot(&self) -> *mut () {
        // Relaxed: the value is an address of code that is mapped for good; nothing else is read through it.
        self.slot.load(Ordering::Relaxed)
    }

    /// From now on calls go to `real`: directly, or behind the layers.
    pub fn bind(&self, real: *mut ()) {
        let slot = if self.is_layered() { &self.behind } else { &self.slot };
        slot.store(real, Ordering::Release);
    }

    /// From now on calls go through the layers, which find `bits` in [`Self::layers`]. Before anything is bound.
    pub fn put_layers(&self, bits: u32) {
        self.layers.store(bits, Ordering::Relaxed);
        self.slot.store(self.row.layered.cast_mut(), Ordering::Release);
    }

    /// What the layers do around a call.
    pub fn layers(&self) -> u32 {
        self.layers.load(Ordering::Relaxed)
    }

    /// True when calls go through the layers.
    pub fn is_layered(&self) -> bool {
        core::ptr::eq(self.slot(), self.row.layered)
    }

    /// The real driver's function behind the layers, or null.
    #[inline]
    pub fn behind(&self) -> *mut () {
        // Relaxed: as in `slot`.
        self.behind.load(Ordering::Relaxed)
    }

    /// Exported name.
    pub fn name(&self) -> &'static str {
        &self.row.symbol[..self.row.symbol.len() - 1]
    }

    /// Exported name for the loader.
    pub fn c_name(&self) -> &'static CStr {
        CStr::from_bytes_with_nul(self.row.symbol.as_bytes()).unwrap_or_default()
    }

    /// True at the first call: for remarks that are logged once per function.
    pub fn first_time(&self) -> bool {
        !self.logged.load(Ordering::Relaxed) && !self.logged.swap(true, Ordering::Relaxed)
    }
}

/// The table in sorted order.
struct Index {
    by_name: Vec<&'static Entry>,
    by_base: Vec<&'static Entry>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut by_name: Vec<_> = ENTRIES.iter().collect();
        by_name.sort_unstable_by_key(|e| e.name());
        let mut by_base: Vec<_> = ENTRIES.iter().filter(|e| e.lookup && e.since <= DRIVER_VERSION).collect();
        // Rows of one function lie together, the newest last.
        by_base.sort_unstable_by_key(|e| (e.base, e.since, e.name()));
        Index { by_name, by_base }
    })
}

/// All rows, sorted by name.
pub fn sorted() -> &'static [&'static Entry] {
    &index().by_name
}

/// The row of an exported symbol.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    let all = &index().by_name;
    all.binary_search_by(|e| e.name().cmp(name)).ok().map(|i| all[i])
}

/// Which default stream a look-up asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Functions whose stream 0 is the legacy default stream.
    Legacy,
    /// Their twins, where there are any.
    PerThread,
}

/// Result of a look-up.
#[derive(Clone, Copy)]
pub enum Found {
    /// The symbol to hand out.
    Entry(&'static Entry),
    /// The function exists, but not in so old a version.
    TooOld,
    /// No such function.
    Unknown,
}

/// `cuGetProcAddress`: the newest symbol for the function `base` that a program written for `version` may use.
pub fn look_up(base: &[u8], version: i32, streams: Streams) -> Found {
    let all = &index().by_base;
    let start = all.partition_point(|e| e.base.as_bytes() < base);
    let len = all[start..].iter().take_while(|e| e.base.as_bytes() == base).count();
    let rows = &all[start..start + len];
    if rows.is_empty() {
        return Found::Unknown;
    }
    // A function that has twins at all has only twins for a program that asks for per-thread streams.
    let has_twin = rows.iter().any(|e| e.twin != Twin::None);
    let wanted = |e: &Entry| (e.twin != Twin::None) == (has_twin && streams == Streams::PerThread);
    match rows.iter().rev().find(|e| wanted(e) && i64::from(e.since) <= i64::from(version)) {
        Some(entry) => Found::Entry(entry),
        None => Found::TooOld,
    }
}
