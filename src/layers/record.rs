//! `DOPPEL_RECORD`: what the program asks of the driver, and what comes back, into a file that can be asked again of any device.
//!
//! All is derived from the declarations: the shapes of the parameters (`show::Shape`) say what is a handle, an address, memory
//! that is read or written, and `lengths` how much of it. Memory of the host that the device can reach is watched: what is new in
//! it before a call that gives the device work was written by the program, what is new behind it by the device. For that the
//! recorder waits for the work of each such call; programs without such memory are not kept waiting.

mod arguments;
mod file;
mod lengths;
mod objects;

use super::call::{Call, as_ours};
use crate::table::{self, Entry};
use arguments::Out;
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use file::File;
use objects::Objects;
use parking_lot::{Mutex, MutexGuard};
use record::{Argument, Event, Value};
use settings::config::glob;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// A replay knows the emulated device's functions by their addresses.
const _: () = assert!(record::CODE.start == engine::state::program::FUNCTIONS);

/// Functions of which nothing depends on the program's asking.
const UNRECORDED: &[&str] = &[
    "cuGetProcAddress*",
    "cuGetError*",
    "cuLogs*",
    "cuProfiler*",
    "cudbg*",
    "cuCoredump*",
    "cuCheckpoint*",
    "cuFuncGetName",
    "cuKernelGetName",
    "cuModuleGetLoadingMode",
    "cuMemGetAttribute*",
    "cuEGLApiInit",
];

/// Functions that cannot be asked again: what they are about is another process's, another interface's, or private.
const UNREPLAYABLE: &[&str] = &[
    "cuIpc*",
    "cuMemExport*",
    "cuMemImport*",
    "cuMemPoolExport*",
    "cuMemPoolImport*",
    "cuImportExternal*",
    "cuExternal*",
    "cuDestroyExternal*",
    "cuSignalExternal*",
    "cuWaitExternal*",
    "cuGL*",
    "cuEGL*",
    "cuGraphics*",
    "cuVDPAU*",
    "cuEventCreateFromEGLSync",
    "cuMemGetHandleForAddressRange",
    "cuDeviceGetNvSci*",
    "cuLogicalEndpoint*",
    "cuFabric*",
    "cuLinkAddFile*",
    "cuGraphDebugDotPrint",
    "cuMulticast*",
];

/// Functions that give the device work, or memory that it works with.
const WORK: &[&str] = &[
    "cuLaunch*",
    "cuMemcpy*",
    "cuMemset*",
    "cuGraphLaunch*",
    "cuMemPrefetch*",
    "cuMemDiscard*",
    "cuStreamWriteValue*",
    "cuMemBatchDecompress*",
];

/// Functions that give a stream a function of the program's.
const HOSTED: &[&str] = &["cuLaunchHostFunc*", "cuStreamAddCallback*"];
/// Functions behind which a stream waits for what the program writes.
const GATED: &[&str] = &["cuStreamWaitValue*", "cuStreamBatchMemOp*"];

/// Functions that may wait for what other threads of the program do.
const WAITING: &[&str] =
    &["cu*Synchronize*", "cuMemcpy*", "cuMemset*", "cuMemFree*", "cuCtxDestroy*", "cuLaunchHostFunc*"];

/// Functions whose answers are about the machine, the moment or what is free.
const LOOSE: &[&str] = &[
    "cuDeviceGet*",
    "cuDeviceTotalMem*",
    "cuDeviceCompute*",
    "cuDeviceCan*",
    "cuDriverGetVersion",
    "cuCtxGet*",
    "cuMemGetInfo*",
    "cuEventElapsedTime*",
    "cuOccupancy*",
    "cuFuncGetAttribute",
    "cuFuncIsLoaded",
    "cuKernelGetAttribute",
    "cuStreamGetId*",
    "cuStreamGetPriority*",
    "cuStreamGetCaptureInfo*",
    "cuGreenCtxGet*",
    "cuDevSmResource*",
    "cuStreamGetDevResource*",
    "cuGraphGetId",
    "cuGraphExecGetId",
    "cuGraphNodeGetLocalId",
    "cuGraphNodeGetToolsId",
    "cuMemGetAllocationGranularity",
    "cuMemPoolGetAttribute",
    "cuArrayGetMemoryRequirements",
    "cuMipmappedArrayGetMemoryRequirements",
    "cuArrayGetSparseProperties",
    "cuMipmappedArrayGetSparseProperties",
    "cuPointerGetAttribute*",
    "cuMemRangeGetAttribute*",
    "cuTensorMap*",
    "cuLink*",
    "cuModuleLoadDataEx",
    "cuLibraryLoadData",
];

/// What is known of a function.
#[derive(Clone, Copy)]
pub struct Function {
    number: u32,
    skipped: bool,
    work: bool,
    hosted: bool,
    gated: bool,
    synchronizes: bool,
    /// Waits for work, or asks whether it is done.
    asks: bool,
    waits: bool,
    loose: bool,
    /// What it is given may be used later.
    later: bool,
    /// Handles that go in are gone when it has succeeded.
    ends: bool,
    /// The stream among its parameters.
    stream: Option<usize>,
}

fn is_one_of(entry: &Entry, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| glob(pattern.as_bytes(), entry.name().as_bytes()))
}

/// Memory of the host that the device reads or writes.
struct Region {
    object: u32,
    address: usize,
    /// What was there last.
    shadow: Vec<u8>,
}

/// Memory of the host that the work of a call writes once.
struct Pending {
    object: u32,
    address: usize,
    len: usize,
    stream: u64,
    /// The thread whose call is still being made.
    caller: Option<u32>,
}

/// The record of a process.
struct Recorder {
    file: File,
    functions: HashMap<usize, Function>,
    contents: HashMap<u128, u32>,
    threads: HashMap<u32, u32>,
    objects: Objects,
    kernels: HashMap<u64, Arc<Vec<arguments::Parameter>>>,
    remarks: HashSet<String>,
    regions: Vec<Region>,
    pending: Vec<Pending>,
    /// A context among the arguments of the call that is being made, of which no call has told.
    stranger: Option<u64>,
    /// Why the call that is being made cannot be asked again, whatever its function.
    lost: Option<String>,
    /// Those that have become current, and on which thread.
    strangers: Vec<(u64, u32)>,
    /// Addresses of memory that graphs take.
    graph_memory: HashSet<u64>,
    /// Images that the driver's linker has made, and their numbers.
    linked: Vec<(Vec<u8>, u32)>,
    /// Captures that are under way.
    captures: usize,
    /// The device may wait for the program.
    held: bool,
    /// Streams wait for what the program writes.
    gated: bool,
    /// The device has work for which the recorder has not waited.
    unwaited: bool,
    /// Functions of the program have been given to a stream.
    hosted: bool,
    /// Graphs may have functions of the program.
    host_nodes: bool,
    /// Memory of the host has become known by the call that is being made.
    fresh: bool,
    /// Words in copied data that were taken for addresses.
    found: u64,
}

static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);
static FORKED: AtomicBool = AtomicBool::new(false);

/// A thread that has to wait longer than this for others gives up, and its call is not recorded.
const PATIENCE: Duration = Duration::from_secs(20);
/// Errors of the device, which programs do not survive.
const FIRST_FAULT: u32 = 700;
const LAST_FAULT: u32 = 719;
/// Larger memory of the host is not watched.
const LARGEST_REGION: usize = 1 << 30;

extern "C" fn after_fork_in_child() {
    FORKED.store(true, Ordering::Relaxed);
}

/// When the library ends: behind the program's own functions for its end, which may make calls.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = at_exit;

extern "C" fn at_exit() {
    if let Some(mut held) = lock()
        && let Some(recorder) = held.0.take()
    {
        let found = recorder.found;
        recorder.file.end(found);
    }
}

/// Records from now on, if the file can be written.
pub fn start(path: &Path) -> bool {
    let Some(file) = File::create(path) else { return false };
    // SAFETY: registers a handler that only stores to an atomic.
    unsafe { libc::pthread_atfork(None, None, Some(after_fork_in_child)) };
    *RECORDER.lock() = Some(Recorder {
        file,
        functions: HashMap::new(),
        contents: HashMap::new(),
        threads: HashMap::new(),
        objects: Objects::default(),
        kernels: HashMap::new(),
        remarks: HashSet::new(),
        regions: Vec::new(),
        pending: Vec::new(),
        stranger: None,
        lost: None,
        strangers: Vec::new(),
        graph_memory: HashSet::new(),
        linked: Vec::new(),
        captures: 0,
        held: false,
        gated: false,
        unwaited: false,
        hosted: false,
        host_nodes: false,
        fresh: false,
        found: 0,
    });
    true
}

/// Whether calls of a function are recorded.
pub fn is_about(entry: &Entry) -> bool {
    !is_one_of(entry, UNRECORDED)
}

thread_local! {
    /// The thread has the recorder. A function of the program's that is called meanwhile may make calls itself.
    static HELD: Cell<bool> = const { Cell::new(false) };
}

/// The recorder, as long as a thread has it for itself.
struct Held(MutexGuard<'static, Option<Recorder>>);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = HELD.try_with(|held| held.set(false));
    }
}

fn lock() -> Option<Held> {
    // A child of a fork has no recorder: the file is the parent's.
    if FORKED.load(Ordering::Relaxed) || HELD.try_with(Cell::get).unwrap_or(true) {
        return None;
    }
    let recorder = RECORDER.try_lock_for(PATIENCE)?;
    HELD.set(true);
    Some(Held(recorder))
}

/// Asks the driver, whichever it is, past the layers.
fn ask(name: &str, words: [usize; 4]) -> bool {
    let Some(entry) = table::by_name(name) else { return false };
    // SAFETY: an export of ours, of which the callers know the signature; words that it does not have are not looked at.
    let function: unsafe extern "C" fn(usize, usize, usize, usize) -> u32 =
        unsafe { core::mem::transmute(entry.address) };
    // SAFETY: as above.
    as_ours(|| unsafe { function(words[0], words[1], words[2], words[3]) }) == 0
}

/// Makes a call, and records it.
pub fn around(call: &mut Call, next: impl FnOnce(&mut Call) -> u32) -> u32 {
    let Some(mut held) = lock() else { return next(call) };
    let Some(recorder) = held.0.as_mut() else { return next(call) };
    let function = recorder.function(call.entry);
    // What the device may wait for is there when the program begins to wait.
    if function.work || (recorder.gated && function.synchronizes) || (recorder.unwaited && function.asks) {
        recorder.changes(true);
    }
    let (arguments, outs) = recorder.arguments(call, &function);
    let code = if function.waits {
        drop(held);
        let code = next(call);
        let Some(again) = lock() else { return code };
        held = again;
        code
    } else {
        next(call)
    };
    let Some(recorder) = held.0.as_mut() else { return code };
    let asked = recorder.after(call, &function, code, arguments, &outs);
    recorder.returned(code == 0 && asked, &function);
    if code != 0 {
        recorder.file.over(false);
        return code;
    }
    let stream = recorder.stream(call, &function);
    let watched = !recorder.regions.is_empty() || !recorder.pending.is_empty();
    if watched && function.work && recorder.captures == 0 && !recorder.held {
        drop(held);
        let waited = ask("cuStreamSynchronize", [stream as usize, 0, 0, 0]);
        let Some(again) = lock() else { return code };
        held = again;
        if let Some(recorder) = held.0.as_mut()
            && waited
        {
            recorder.waited(stream);
        }
    } else if watched && function.work {
        recorder.unwaited = true;
    } else if watched && function.synchronizes && !call.entry.name().contains("Event") {
        let all = function.stream.is_none();
        (recorder.held, recorder.gated) = (false, false);
        recorder.unwaited &= !all;
        recorder.device_writes(|pending| all || pending.stream == stream);
    }
    if let Some(recorder) = held.0.as_mut() {
        recorder.file.over(function.synchronizes || function.waits || function.ends);
    }
    code
}

impl Recorder {
    fn function(&mut self, entry: &'static Entry) -> Function {
        let key = core::ptr::from_ref(entry).addr();
        if let Some(function) = self.functions.get(&key) {
            return *function;
        }
        let name = entry.name();
        let stream = entry.params.split(", ").position(|p| matches!(p, "hStream: CUstream" | "stream: CUstream"));
        let ends = ["Destroy", "Unload", "Free", "Release", "Close", "Unregister", "Detach"];
        // Nodes that free memory are made or asked about.
        let about_nodes = name.starts_with("cuGraphAdd") || name.contains("FreeNode");
        let asynchronous = name.contains("Async") || name.starts_with("cuLaunch");
        let function = Function {
            number: self.functions.len() as u32,
            skipped: is_one_of(entry, UNREPLAYABLE) || name == "cuGetExportTable",
            work: is_one_of(entry, WORK),
            hosted: is_one_of(entry, HOSTED),
            gated: is_one_of(entry, GATED),
            synchronizes: name.contains("Synchronize"),
            asks: name.contains("Synchronize") || name.contains("Query"),
            waits: is_one_of(entry, WAITING) && !asynchronous,
            loose: is_one_of(entry, LOOSE),
            later: name.starts_with("cuGraph") && !name.starts_with("cuGraphLaunch"),
            ends: !about_nodes && ends.iter().any(|word| name.contains(word)),
            stream,
        };
        self.functions.insert(key, function);
        // What is in a file goes into the record.
        let name = match name {
            "cuModuleLoad" => "cuModuleLoadData",
            "cuLibraryLoadFromFile" => "cuLibraryLoadData",
            name => name,
        };
        self.file.put(&Event::Function { name: name.to_owned() });
        function
    }

    fn thread(&mut self) -> u32 {
        // SAFETY: asks for a number.
        let id = unsafe { libc::gettid() } as u32;
        let next = self.threads.len() as u32;
        *self.threads.entry(id).or_insert(next)
    }

    /// Says once that something cannot be replayed.
    fn remark(&mut self, text: String) {
        if self.remarks.insert(text.clone()) {
            self.file.put(&Event::Remark { text });
        }
    }

    /// The stream of a call.
    fn stream(&self, call: &Call, function: &Function) -> u64 {
        const PER_THREAD: u64 = 2;
        // SAFETY: the declaration says that it is a stream.
        let stream = function.stream.map_or(0, |at| unsafe { call.argument::<u64>(at) });
        let name = call.entry.name();
        let per_thread = stream == 0 && (name.ends_with("_ptsz") || name.ends_with("_ptds"));
        if per_thread { PER_THREAD } else { stream }
    }

    /// Writes about a call. Says whether it will be asked again.
    fn after(
        &mut self,
        call: &Call,
        function: &Function,
        code: u32,
        mut arguments: Vec<Argument>,
        outs: &[Out],
    ) -> bool {
        let base = call.entry.base;
        if code == 0 {
            if function.ends {
                self.ended(call);
            }
            if function.skipped || self.lost.is_some() {
                self.lose(call);
            } else {
                self.registered(call, &arguments);
                for out in outs {
                    self.filled(call, out, &mut arguments);
                }
            }
            if function.hosted {
                self.held = true;
                self.hosted = true;
                self.host_nodes |= self.captures > 0;
            } else if function.gated {
                (self.held, self.gated) = (true, true);
                let what = "streams that wait for values: what the host's memory gets meanwhile";
                self.remark(format!("{what} is not compared"));
            }
            self.host_nodes |= base == "cuGraphAddHostNode" || base == "cuGraphAddNode";
            self.hosted |= self.host_nodes && base == "cuGraphLaunch";
            if base.starts_with("cuStreamBeginCapture") {
                self.captures += 1;
            }
        }
        if base.starts_with("cuStreamEndCapture") {
            self.captures = self.captures.saturating_sub(1);
        }
        if function.skipped && code == 0 {
            self.remark(format!("{}: not asked again", call.entry.name()));
        }
        let thread = self.thread();
        // A wrong handle may end the replay, but an error was no harm.
        let stranger = self.stranger.take().filter(|_| code == 0);
        let lost = self.lost.take();
        let skipped = function.skipped || stranger.is_some() || lost.is_some();
        if let Some(why) = lost {
            self.remark(why);
        }
        let is_current = base == "cuCtxSetCurrent";
        let call = record::Call { thread, function: function.number, code, skipped, arguments };
        self.file.put(&Event::Call(call));
        self.strangers.extend(stranger.filter(|_| is_current).map(|context| (context, thread)));
        if !self.strangers.is_empty() {
            self.make_current();
        }
        // The program may end without a word now.
        if (FIRST_FAULT..=LAST_FAULT).contains(&code) {
            self.file.flush();
        }
        // What is in memory that this call has made known.
        if core::mem::take(&mut self.fresh) {
            self.changes(true);
        }
        !skipped
    }

    /// The recorder has waited for a stream.
    fn waited(&mut self, stream: u64) {
        let thread = self.thread();
        let argument = match self.objects.handle("CUstream", stream) {
            Some(id) => Argument::Object { id, offset: 0 },
            None => Argument::Word(stream),
        };
        self.file.put(&Event::Wait { thread, stream: argument });
        self.device_writes(|pending| pending.stream == stream);
    }

    /// A call of this thread has returned: what it was to write into is forgotten if it has failed, and there if it has waited.
    fn returned(&mut self, success: bool, function: &Function) {
        if self.pending.is_empty() {
            return;
        }
        // SAFETY: asks for a number.
        let thread = unsafe { libc::gettid() } as u32;
        let (own, rest): (Vec<_>, Vec<_>) =
            core::mem::take(&mut self.pending).into_iter().partition(|pending| pending.caller == Some(thread));
        self.pending = rest;
        if success && function.waits {
            own.iter().for_each(|pending| self.written(pending));
        } else if success {
            self.pending.extend(own.into_iter().map(|pending| Pending { caller: None, ..pending }));
        }
    }

    /// What the device has written.
    fn written(&mut self, pending: &Pending) {
        if let Ok(bytes) = guard::read_vec(pending.address, pending.len) {
            let data = self.scanned(&bytes);
            self.file.put(&Event::Expected { object: pending.object, offset: 0, data });
        }
        self.file.put(&Event::Dropped { object: pending.object });
    }

    /// Memory of the host that the device has written into, after work that a test is about.
    fn device_writes(&mut self, is_done: impl Fn(&Pending) -> bool) {
        let is_done = |pending: &Pending| pending.caller.is_none() && is_done(pending);
        let (done, rest): (Vec<_>, Vec<_>) = core::mem::take(&mut self.pending).into_iter().partition(is_done);
        self.pending = rest;
        done.iter().for_each(|pending| self.written(pending));
        let hosted = core::mem::take(&mut self.hosted);
        if hosted && !self.regions.is_empty() {
            let what =
                "functions of the program on streams: what they, or kernels beside them, write into memory of the host";
            self.remark(format!("{what} is not compared"));
        }
        self.changes(hosted);
    }

    /// What is new in the memory of the host that is watched.
    fn changes(&mut self, by_program: bool) {
        const STEP: usize = 4096;
        let mut regions = core::mem::take(&mut self.regions);
        regions.retain_mut(|region| {
            let Ok(now) = guard::read_vec(region.address, region.shadow.len()) else { return false };
            let changed =
                |at: &usize| now[*at..now.len().min(at + STEP)] != region.shadow[*at..now.len().min(at + STEP)];
            let mut at = 0;
            while at < now.len() {
                if !changed(&at) {
                    at += STEP;
                    continue;
                }
                let mut end = at + STEP;
                while end < now.len() && changed(&end) {
                    end += STEP;
                }
                let end = end.min(now.len());
                // What is equal at both ends is nobody's.
                let first = (at..end).find(|i| now[*i] != region.shadow[*i]).unwrap_or(at) & !7;
                let last = (at..end).rfind(|i| now[*i] != region.shadow[*i]).map_or(end, |i| ((i | 7) + 1).min(end));
                let data = self.scanned(&now[first..last]);
                let (object, offset) = (region.object, first as u64);
                self.file.put(&match by_program {
                    true => Event::Written { object, offset, data },
                    false => Event::Expected { object, offset, data },
                });
                at = end;
            }
            region.shadow = now;
            true
        });
        self.regions = regions;
    }

    /// Watches memory of the host that is new.
    fn watch(&mut self, object: u32, address: usize, len: usize) {
        if len > LARGEST_REGION {
            return self
                .remark(format!("memory of the host of {len} bytes: what the program writes there is not seen"));
        }
        self.regions.retain(|region| region.address != address);
        self.regions.push(Region { object, address, shadow: vec![0; len] });
    }

    fn object(&self, address: u64) -> Option<Argument> {
        self.objects.address(address).map(|(id, offset)| Argument::Object { id, offset })
    }
}

/// A word of memory that is an argument.
fn is(argument: Argument) -> Value {
    Value::Is(argument)
}
