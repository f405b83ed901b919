//! Makes calls: draws a function and its arguments, calls, and remembers what came of it.

use crate::chains::CHAINS;
use crate::kernels::KERNELS;
use crate::memory;
use crate::objects::Objects;
use crate::random::Random;
use crate::record::Record;
use crate::schema::{Id, Param, Schema, Shape};
use cuda::table::Entry;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A function that can be called.
pub struct Function {
    pub entry: &'static Entry,
    pub params: Vec<Param>,
    /// How often it is drawn.
    pub weight: usize,
    /// How often each result code was the answer.
    pub answers: Vec<AtomicU64>,
}

/// What all threads share.
pub struct World {
    pub schema: Schema,
    pub functions: Vec<Function>,
    pub by_name: HashMap<&'static str, usize>,
    pub record: Record,
    pub objects: Mutex<Objects>,
    /// Code that was linked.
    pub linked: Mutex<Vec<Vec<u8>>>,
    /// Sum of the weights.
    pub weights: usize,
}

impl World {
    pub fn objects(&self) -> MutexGuard<'_, Objects> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn kind(&self, name: &str) -> usize {
        self.schema.kinds.iter().position(|kind| kind == name).unwrap_or_else(|| panic!("no kind {name}"))
    }
}

/// Kinds of our own.
pub const HOST: &str = "host memory";
pub const REGISTERED: &str = "registered memory";
/// Device pointers that are managed memory as well.
pub const MANAGED: &str = "managed memory";

/// `CUDA_ERROR_NOT_PERMITTED`.
const NOT_PERMITTED: u32 = 800;

/// What destroys an object of a kind: the function takes it first.
pub const DESTROYERS: [(&str, &str); 29] = [
    ("CUgraphExec", "cuGraphExecDestroy"),
    ("CUgraphNode", "cuGraphDestroyNode"),
    ("CUgraph", "cuGraphDestroy"),
    ("CUtexObject", "cuTexObjectDestroy"),
    ("CUsurfObject", "cuSurfObjectDestroy"),
    ("CUtexref", "cuTexRefDestroy"),
    ("CUarray", "cuArrayDestroy"),
    ("CUmipmappedArray", "cuMipmappedArrayDestroy"),
    ("CUevent", "cuEventDestroy_v2"),
    ("CUstream", "cuStreamDestroy_v2"),
    ("CUdeviceptr", "cuMemFree_v2"),
    ("CUdeviceptr", "cuIpcCloseMemHandle"),
    (HOST, "cuMemFreeHost"),
    (REGISTERED, "cuMemHostUnregister"),
    ("CUmemoryPool", "cuMemPoolDestroy"),
    ("CUmemGenericAllocationHandle", "cuMemRelease"),
    ("CUexternalMemory", "cuDestroyExternalMemory"),
    ("CUexternalSemaphore", "cuDestroyExternalSemaphore"),
    ("CUgraphicsResource", "cuGraphicsUnregisterResource"),
    ("CUlibrary", "cuLibraryUnload"),
    ("CUmodule", "cuModuleUnload"),
    ("CUlinkState", "cuLinkDestroy"),
    ("CUuserObject", "cuUserObjectRelease"),
    ("CUasyncCallbackHandle", "cuDeviceUnregisterAsyncNotification"),
    ("CUlogsCallbackHandle", "cuLogsUnregisterCallback"),
    ("CUcoredumpCallbackHandle", "cuCoredumpDeregisterStartCallback"),
    ("CUcoredumpCallbackHandle", "cuCoredumpDeregisterCompleteCallback"),
    // While there is one, the primary context cannot be reset.
    ("CUgreenCtx", "cuGreenCtxDestroy"),
    ("CUcontext", "cuCtxDestroy_v2"),
];

/// Functions that are not called, and why.
pub fn excluded(name: &str) -> Option<&'static str> {
    match name {
        _ if name.starts_with("cudbg") => {
            Some("answers no result code, and takes no arguments that the table would name")
        }
        _ => None,
    }
}

/// How often a function is drawn: once in a while what takes long or ends the life of everything, more often what makes
/// the states that others need.
pub fn weight(entry: &Entry) -> usize {
    let name = entry.base;
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if !entry.implemented {
        1
    } else if has(&["PrimaryCtxRe", "CtxDestroy", "CtxDetach"]) {
        6
    } else if has(&[
        "ModuleLoad",
        "LibraryLoad",
        "cuLink",
        "CtxCreate",
        "CtxPush",
        "CtxPop",
        "CtxSetCurrent",
        "CtxRetain",
        "cuInit",
        "cuGetProcAddress",
        "cuGetExportTable",
    ]) {
        8
    } else if name.contains("Destroy")
        || has(&["Unload", "AddressFree", "MemUnmap", "SetMemPool"])
        || entry.since < 3020
        || has(&["cuTexRef", "cuSurfRef", "cuDeviceGet", "cuGetError", "cuParam", "cuFuncGet"])
    {
        15
    } else if has(&["Launch", "Async", "Capture", "Create", "Alloc", "GraphAdd", "GraphExec", "Instantiate", "MemMap"])
    {
        60
    } else {
        40
    }
}

/// A draw of arguments.
#[derive(Clone)]
pub enum Argument {
    Word(u64),
    /// A structure by value.
    Words(Vec<u64>),
    Float(f32),
}

/// A place that a call may write: the type there, and the parameter's name.
pub struct Result {
    pub at: usize,
    pub ty: Id,
    pub many: bool,
}

pub struct Caller {
    pub world: &'static World,
    pub random: Random,
    pub thread: usize,
    /// Percent of arguments that are drawn to be wrong.
    pub wrong: usize,
    /// In a chain: what a kind's latest object is.
    pub latest: Option<Vec<u64>>,
    /// Next free byte of the areas.
    pub next: [usize; 2],
    pub results: Vec<Result>,
    /// Structures that this call reads, by type.
    pub given: Vec<(Id, usize)>,
    /// A descriptor made for this call.
    pub fresh: Option<i32>,
    /// The graph and the executable graph that this call is about.
    pub graph: u64,
    pub exec: u64,
    pub function: usize,
    /// Pointers that lead to what is being filled.
    pub depth: usize,
}

type Export = unsafe extern "C" fn(
    f32,
    f32,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
) -> u32;

/// Words on the stack that [`Export`] has.
const STACK: usize = 20;

impl Caller {
    pub fn new(world: &'static World, seed: u64, thread: usize, round: u64) -> Caller {
        Caller {
            world,
            random: Random::of(seed, round * 64 + thread as u64),
            thread,
            wrong: 0,
            latest: None,
            next: [0; 2],
            results: Vec::new(),
            given: Vec::new(),
            fresh: None,
            graph: 0,
            exec: 0,
            function: 0,
            depth: 0,
        }
    }

    /// Some calls: one of any function, or a chain.
    pub fn go(&mut self) {
        if self.random.below(12) != 0 {
            let index = self.draw();
            self.call(index);
            return;
        }
        let chain = *self.random.pick(CHAINS);
        self.latest = Some(vec![0; self.world.schema.kinds.len()]);
        for step in chain {
            let names: Vec<&str> = step.split('|').collect();
            let name = *self.random.pick(&names);
            let index = self.world.by_name[name];
            if self.world.functions[index].weight == 0 {
                continue;
            }
            self.call(index);
            // Something else in between.
            if self.random.below(8) == 0 {
                let index = self.draw();
                self.call(index);
            }
        }
        self.latest = None;
    }

    fn draw(&mut self) -> usize {
        let mut left = self.random.below(self.world.weights);
        for (index, function) in self.world.functions.iter().enumerate() {
            match left.checked_sub(function.weight) {
                Some(rest) => left = rest,
                None => return index,
            }
        }
        0
    }

    /// Calls a function with these words and nothing else.
    pub fn simple(&mut self, name: &str, words: &[u64]) -> u32 {
        let arguments: Vec<_> = words.iter().map(|&word| Argument::Word(word)).collect();
        self.perform(self.world.by_name[name], &arguments)
    }

    fn perform(&mut self, index: usize, arguments: &[Argument]) -> u32 {
        let (mut floats, mut registers, mut stack) = (Vec::new(), Vec::new(), Vec::new());
        let mut words = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Float(value) => floats.push(*value),
                Argument::Word(word) if registers.len() < 6 => registers.push(*word),
                Argument::Word(word) => stack.push(*word),
                // Larger than two words: on the stack.
                Argument::Words(all) if all.len() > 2 || registers.len() + all.len() > 6 => stack.extend(all),
                Argument::Words(all) => registers.extend(all),
            }
            words.push(match argument {
                Argument::Float(value) => u64::from(value.to_bits()),
                Argument::Word(word) => *word,
                Argument::Words(all) => all[0],
            });
        }
        floats.resize(2, 0.0);
        registers.resize(6, 0);
        assert!(stack.len() <= STACK);
        stack.resize(STACK, 0);
        let note = self.world.record.begin(self.thread, index, &words);
        let (f, r, s) = (floats, registers, stack);
        // SAFETY: every export takes its integers in these places; surplus ones are ignored by the calling convention.
        // What the arguments mean is what the test is about: any are to be answered.
        let answer = unsafe {
            let function = core::mem::transmute::<*const (), Export>(self.world.functions[index].entry.address);
            function(
                f[0], f[1], r[0], r[1], r[2], r[3], r[4], r[5], s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8],
                s[9], s[10], s[11], s[12], s[13], s[14], s[15], s[16], s[17], s[18], s[19],
            )
        };
        self.world.record.end(note, answer);
        assert!(
            answer < 1000,
            "{} answered {answer}, which is no result code",
            self.world.functions[index].entry.name()
        );
        self.world.functions[index].answers[answer as usize].fetch_add(1, Relaxed);
        answer
    }

    pub fn base(&self) -> &'static str {
        self.world.functions[self.function].entry.base
    }

    fn call(&mut self, index: usize) {
        let world = self.world;
        let function = &world.functions[index];
        self.function = index;
        self.results.clear();
        self.given.clear();
        self.wrong = match self.random.below(10) {
            _ if self.latest.is_some() && self.random.below(12) != 0 => 0,
            0..5 => 0,
            5..8 => 12,
            _ => 40,
        };
        self.choose_graph(function);
        let mut arguments: Vec<Argument> = function.params.iter().map(|param| self.argument(param)).collect();
        self.adjust(&mut arguments);
        let answer = self.perform(index, &arguments);
        let words: Vec<u64> =
            arguments.iter().map(|argument| if let Argument::Word(word) = argument { *word } else { 0 }).collect();
        if answer == 0 {
            self.remember(&words);
        } else {
            self.refused(answer, &words);
        }
    }

    fn remember(&mut self, words: &[u64]) {
        let world = self.world;
        let (base, kinds) = (self.base(), &world.schema.kinds);
        self.fresh = None;
        let function = &world.functions[self.function];
        let mut gone = Vec::new();
        let (mut graphs, mut nodes) = (Vec::new(), Vec::new());
        let mut objects = world.objects();
        for i in 0..self.results.len() {
            let Result { at, ty, many } = self.results[i];
            let of = &world.schema.types[ty];
            match of.shape {
                Shape::Object(kind) => {
                    for j in 0..if many { 4 } else { 1 } {
                        let value = memory::get(at + j * of.size, of.size);
                        if value == 0 {
                            break;
                        }
                        let name = kinds[kind].as_str();
                        if name == "CUgraph" {
                            graphs.push(value);
                        }
                        if name == "CUgraphNode" && ["cuGraphAddNode", "cuGraphAddMemAllocNode"].contains(&base) {
                            nodes.push(value);
                        }
                        if name == "CUgraphNode" && self.graph != 0 && !base.contains("Clone") {
                            let sort = SORTS.into_iter().find(|sort| base.contains(sort)).unwrap_or("Node");
                            let known = objects.nodes.entry(self.graph).or_default();
                            if known.len() < 40 && !known.iter().any(|node| node.0 == value) {
                                known.push((value, sort));
                            }
                        }
                        if name == "CUgraphExec" {
                            objects.graph_of.insert(value, self.graph);
                        }
                        let turn = self.random.below(1 << 16);
                        gone.extend(objects.enter(kind, value, turn).map(|old| (kind, old)));
                        if let Some(latest) = &mut self.latest {
                            latest[kind] = value;
                        }
                        if base == "cuMemAllocManaged" {
                            objects.enter(world.kind(MANAGED), value, turn);
                        }
                        if base == "cuMemAddressReserve" {
                            objects.ranges.push((value, words[1]));
                            objects.reserved.push((value, words[1]));
                        }
                    }
                }
                Shape::Struct(_) | Shape::Union(_) if !world.schema.refers(ty) => {
                    let turn = self.random.below(1 << 16);
                    objects.keep(ty, memory::get_bytes(at, of.size), turn);
                }
                Shape::Pointer(None, _) if ["cuMemAllocHost", "cuMemHostAlloc"].contains(&base) => {
                    let (kind, turn) = (world.kind(HOST), self.random.below(1 << 16));
                    gone.extend(objects.enter(kind, memory::get(at, 8), turn).map(|old| (kind, old)));
                }
                _ => {}
            }
        }
        // What made a call succeed may do so again.
        for (ty, at) in self.given.drain(..) {
            let of = &world.schema.types[ty];
            if matches!(of.shape, Shape::Struct(_)) && !world.schema.refers(ty) {
                let turn = self.random.below(1 << 16);
                objects.keep(ty, memory::get_bytes(at, of.size), turn);
            }
        }
        let first =
            function.params.iter().zip(words).find_map(|(param, &word)| match world.schema.types[param.ty].shape {
                Shape::Object(_) => Some(word),
                _ => None,
            });
        match base {
            "cuMemHostRegister" => {
                let (kind, turn) = (world.kind(REGISTERED), self.random.below(1 << 16));
                gone.extend(objects.enter(kind, words[0], turn).map(|old| (kind, old)));
            }
            "cuMemMap" => objects.mapped.push((words[0], words[1])),
            "cuMemFreeHost" | "cuMemHostUnregister" => objects.kill(words[0]),
            "cuCtxDestroy" | "cuDevicePrimaryCtxReset" => objects.thin(self.random.below(1 << 16)),
            "cuMemExportToShareableHandle" | "cuMemPoolExportToShareableHandle" | "cuMemGetHandleForAddressRange"
                // Other types are no descriptors.
                if words[if base.starts_with("cuMemGet") { 3 } else { 2 }] as u32 == 1 =>
            {
                assert!(memory::holds(words[0] as usize, 4), "{base}: nobody would close the descriptor");
                objects.descriptors.push(memory::get(words[0] as usize, 4));
            }
            "cuUserObjectRelease" | "cuDevicePrimaryCtxRelease" => {}
            _ => {
                let ends = ["Destroy", "Unload", "Free", "Release", "Close", "Detach", "Unregister"];
                if let Some(value) = first.filter(|_| ends.iter().any(|end| base.contains(end))) {
                    objects.kill(value);
                }
            }
        }
        if objects.descriptors.len() > 32 {
            for descriptor in objects.descriptors.drain(..16) {
                // SAFETY: the driver gave it to us, to be closed by us.
                unsafe { libc::close(descriptor as i32) };
            }
        }
        drop(objects);
        if base == "cuLinkComplete" {
            self.keep_linked(words);
        }
        // One that is too many is destroyed, not forgotten.
        for (kind, value) in gone {
            if let Some((_, name)) = DESTROYERS.iter().find(|(name, _)| *name == kinds[kind]) {
                self.destroy(name, value);
            }
        }
        for graph in graphs {
            self.list_nodes(graph);
        }
        for node in nodes {
            self.enter_memory_of(node);
        }
        self.list_kernels(base, words);
    }

    pub fn destroy(&mut self, name: &str, value: u64) -> u32 {
        match name {
            "cuUserObjectRelease" => self.simple(name, &[value, 1]),
            "cuDeviceUnregisterAsyncNotification" => self.simple(name, &[0, value]).min(self.simple(name, &[1, value])),
            _ => self.simple(name, &[value]),
        }
    }

    /// Enters what a node allocates: launches leave it to the program to free it.
    fn enter_memory_of(&mut self, node: u64) {
        let (params, offset) = self.world.schema.field("CUDA_MEM_ALLOC_NODE_PARAMS_v1", "dptr");
        let at = self.take(1, params);
        if self.simple("cuGraphMemAllocNodeGetParams", &[node, at as u64]) == 0 {
            let (kind, turn) = (self.world.kind("CUdeviceptr"), self.random.below(1 << 16));
            let gone = self.world.objects().enter(kind, memory::get(at + offset, 8), turn);
            if let Some(gone) = gone {
                self.simple("cuMemFree_v2", &[gone]);
            }
        }
    }

    /// The nodes of a graph that was not made node by node.
    fn list_nodes(&mut self, graph: u64) {
        let (nodes, count) = (self.take(1, 16 * 8), self.take(1, 16));
        memory::put(count, 8, 16);
        if self.simple("cuGraphGetNodes", &[graph, nodes as u64, count as u64]) == 0 {
            let found = (0..16).map(|i| memory::get(nodes + i * 8, 8)).filter(|&node| node != 0);
            let found: Vec<_> = found.map(|node| (node, "Node")).collect();
            self.world.objects().nodes.entry(graph).or_insert(found);
        }
    }

    /// Some kernels of a module or library that was just loaded.
    fn list_kernels(&mut self, base: &str, words: &[u64]) {
        let (kind, get) = match base {
            _ if base.starts_with("cuModuleLoad") => ("CUfunction", "cuModuleGetFunction"),
            _ if base.starts_with("cuLibraryLoad") => ("CUkernel", "cuLibraryGetKernel"),
            _ => return,
        };
        let (owner, at) = (memory::get(words[0] as usize, 8), self.take(1, 16));
        for _ in 0..3 {
            let name = self.random.pick(&KERNELS);
            let text = self.take(0, name.len() + 1);
            memory::put_bytes(text, name.as_bytes());
            if self.simple(get, &[at as u64, owner, text as u64]) == 0 {
                let (kind, turn) = (self.world.kind(kind), self.random.below(1 << 16));
                self.world.objects().enter(kind, memory::get(at, 8), turn);
            }
        }
    }

    /// Copies linked code. Another thread may have destroyed it: then there is nothing.
    fn keep_linked(&mut self, words: &[u64]) {
        let (at, size) = (words[1] as usize, words[2] as usize);
        if !memory::owns(at) || !memory::owns(size) {
            return;
        }
        let (from, len) = (memory::get(at, 8), memory::get(size, 8) as usize);
        let mut image = vec![0u8; len.min(1 << 16)];
        let local = libc::iovec { iov_base: image.as_mut_ptr().cast(), iov_len: image.len() };
        let remote = libc::iovec { iov_base: from as *mut c_void, iov_len: image.len() };
        // SAFETY: reads this process's memory through the system, which checks the addresses.
        let got = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
        if got == image.len() as isize {
            let mut linked = self.world.linked.lock().unwrap_or_else(PoisonError::into_inner);
            let full = linked.len() >= 4;
            if full {
                linked.remove(0);
            }
            linked.push(image);
        }
    }

    fn refused(&mut self, answer: u32, words: &[u64]) {
        if let Some(fd) = self.fresh.take() {
            // SAFETY: made for this call, which did not take it.
            unsafe { libc::close(fd) };
        }
        // Arguments that should have been right: an object may have died with something else.
        if self.wrong == 0 && [1, 400, 709].contains(&answer) && self.random.below(2) == 0 {
            let function = &self.world.functions[self.function];
            for (param, &word) in function.params.iter().zip(words) {
                if let Shape::Object(kind) = self.world.schema.types[param.ty].shape {
                    self.doubt(kind, word, answer);
                }
            }
        }
        match answer {
            // What a capture forbids: some end.
            900 | 901 | 906 if self.random.below(3) == 0 => self.end_captures(),
            // No usable context.
            201 | 709 if self.random.below(3) == 0 => self.enter_context(),
            // The device is stuck with an error.
            700..=719 if self.random.below(6) == 0 => self.recover(),
            _ => {}
        }
    }

    /// Removes an object that seems to be dead.
    fn doubt(&mut self, kind: usize, value: u64, answer: u32) {
        let dead = match self.world.schema.kinds[kind].as_str() {
            "CUdeviceptr" => self.simple("cuMemGetAddressRange_v2", &[0, 0, value]) != 0,
            "CUcontext" => answer == 709,
            _ => answer != 1,
        };
        let mut objects = self.world.objects();
        if dead && !objects.ranges.iter().any(|range| range.0 == value) {
            objects.doubt(kind, value);
        }
    }

    /// Ends captures of streams, whatever they are.
    fn end_captures(&mut self) {
        let streams = self.world.objects().live[self.world.kind("CUstream")].clone();
        let at = self.take(1, 16) as u64;
        for stream in streams.into_iter().chain([2]) {
            if self.simple("cuStreamEndCapture", &[stream, at]) == 0 {
                let (kind, graph) = (self.world.kind("CUgraph"), memory::get(at as usize, 8));
                let turn = self.random.below(1 << 16);
                let gone = self.world.objects().enter(kind, graph, turn);
                if let Some(gone) = gone {
                    self.simple("cuGraphDestroy", &[gone]);
                }
                self.list_nodes(graph);
            }
        }
    }

    /// Makes some context current.
    pub fn enter_context(&mut self) {
        let kind = self.world.kind("CUcontext");
        let some = {
            let live = &self.world.objects().live[kind];
            if live.is_empty() { 0 } else { *self.random.pick(live) }
        };
        if some != 0 && self.random.below(10) != 0 && self.simple("cuCtxSetCurrent", &[some]) == 0 {
            return;
        }
        let at = self.take(1, 16);
        let device = self.random.next() % 2;
        let primary = self.random.below(2) == 0;
        let answer = if primary {
            self.simple("cuDevicePrimaryCtxRetain", &[at as u64, device])
        } else {
            self.simple("cuCtxCreate_v2", &[at as u64, 0, device])
        };
        if answer == 0 {
            let made = memory::get(at, 8);
            let turn = self.random.below(1 << 16);
            let gone = self.world.objects().enter(kind, made, turn);
            if let Some(gone) = gone {
                self.simple("cuCtxDestroy_v2", &[gone]);
            }
            if primary {
                self.simple("cuCtxSetCurrent", &[made]);
            }
        }
    }

    /// Ends all contexts, because one of them has failed, and begins anew.
    fn recover(&mut self) {
        for (name, destroyer) in [("CUgreenCtx", "cuGreenCtxDestroy"), ("CUcontext", "cuCtxDestroy_v2")] {
            let kind = self.world.kind(name);
            let all = std::mem::take(&mut self.world.objects().live[kind]);
            for context in all {
                self.simple(destroyer, &[context]);
            }
        }
        for device in 0..2 {
            self.simple("cuDevicePrimaryCtxReset_v2", &[device]);
        }
        self.world.objects().thin(0x5555);
        self.enter_context();
    }

    /// Leaves all contexts of this thread.
    pub fn leave(&mut self) {
        let at = self.take(1, 16);
        for _ in 0..100_000 {
            if self.simple("cuCtxPopCurrent_v2", &[at as u64]) != 0 {
                break;
            }
        }
        self.simple("cuCtxSetCurrent", &[0]);
        // Captures that were begun in any mode look at this thread's mode.
        memory::put(at, 4, 0);
        self.simple("cuThreadExchangeStreamCaptureMode", &[at as u64]);
    }

    /// Gives back everything that was made. False if a primary context stays, as it failed may be: somebody gave it back once
    /// too often while green contexts held it, and then it lives for ever, as on the real driver.
    pub fn clear(&mut self) -> bool {
        let made = {
            let mut objects = self.world.objects();
            for descriptor in objects.descriptors.drain(..) {
                // SAFETY: the driver gave it to us, to be closed by us.
                unsafe { libc::close(descriptor as i32) };
            }
            let (reserved, mapped) = (std::mem::take(&mut objects.reserved), std::mem::take(&mut objects.mapped));
            let made = objects.clear();
            drop(objects);
            for (base, size) in mapped {
                self.simple("cuMemUnmap", &[base, size]);
            }
            for (base, size) in reserved {
                self.simple("cuMemAddressFree", &[base, size]);
            }
            made
        };
        // With the contexts there are, then without them.
        for _ in 0..2 {
            let at = self.take(1, 16);
            self.sweep(&made);
            self.leave();
            for device in 0..2 {
                for _ in 0..100_000 {
                    if self.simple("cuDevicePrimaryCtxRelease_v2", &[device]) != 0 {
                        break;
                    }
                }
                if self.simple("cuDevicePrimaryCtxReset_v2", &[device]) == NOT_PERMITTED {
                    return false;
                }
            }
            let answer = self.simple("cuCtxCreate_v2", &[at as u64, 0, 0]);
            assert_eq!(answer, 0, "a device without contexts makes one");
            let context = memory::get(at, 8);
            self.world.objects().made.push((self.world.kind("CUcontext"), context));
        }
        let made = self.world.objects().clear();
        self.sweep(&made);
        true
    }

    /// Makes the devices' own pools what they were.
    fn reset_pools(&mut self) {
        for device in 0..2 {
            let at = self.take(1, 16) as u64;
            for which in ["cuDeviceGetDefaultMemPool", "cuDeviceGetMemPool"] {
                if self.simple(which, &[at, device]) == 0 {
                    let pool = memory::get(at as usize, 8);
                    self.simple("cuDeviceSetMemPool", &[device, pool]);
                    self.simple("cuMemPoolTrimTo", &[pool, 0]);
                }
            }
            self.simple("cuDeviceGraphMemTrim", &[device]);
        }
    }

    /// Memory of the devices that is in use after everything was given back. A kernel of a context that was destroyed may go on
    /// until its time is over, and keep what it uses: more than the round before left is looked at again.
    pub fn device_memory(&mut self, before: u64) -> u64 {
        for _ in 0..40 {
            let used = self.device_memory_now();
            if used <= before {
                return used;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        self.device_memory_now()
    }

    fn device_memory_now(&mut self) -> u64 {
        self.reset_pools();
        let at = self.take(1, 16);
        let mut used = 0;
        for device in 0..2 {
            let answer = self.simple("cuCtxCreate_v2", &[at as u64, 0, device]);
            assert_eq!(answer, 0, "a device without contexts makes one");
            let context = memory::get(at, 8);
            // Pools that were destroyed while streams had work on their memory go when somebody waits.
            self.simple("cuCtxSynchronize", &[]);
            self.simple("cuMemGetInfo_v2", &[at as u64, at as u64 + 8]);
            used += memory::get(at + 8, 8) - memory::get(at, 8);
            self.simple("cuCtxDestroy_v2", &[context]);
        }
        used
    }

    /// What the devices' own pools and graphs hold, as text, for a fault.
    pub fn device_parts(&mut self) -> String {
        let at = self.take(1, 16) as u64;
        let mut text = String::new();
        for device in 0..2 {
            for which in ["cuDeviceGetDefaultMemPool", "cuDeviceGetMemPool"] {
                if self.simple(which, &[at, device]) == 0 {
                    let pool = memory::get(at as usize, 8);
                    for (attribute, name) in [(5, "reserved"), (7, "used")] {
                        let answer = self.simple("cuMemPoolGetAttribute", &[pool, attribute, at]);
                        text += &format!("device {device} {which} {name} {answer} {}\n", memory::get(at as usize, 8));
                    }
                }
            }
            for (attribute, name) in [(0, "used"), (2, "reserved")] {
                let answer = self.simple("cuDeviceGetGraphMemAttribute", &[device, attribute, at]);
                text += &format!("device {device} graphs {name} {answer} {}\n", memory::get(at as usize, 8));
            }
        }
        text
    }

    fn sweep(&mut self, made: &[(usize, u64)]) {
        let capture = self.take(1, 16) as u64;
        for (kind, value) in made.iter().rev() {
            if self.world.schema.kinds[*kind] == "CUstream" {
                self.simple("cuStreamEndCapture", &[*value, capture]);
                let graph = memory::get(capture as usize, 8);
                self.simple("cuGraphDestroy", &[graph]);
            }
        }
        for (name, destroyer) in DESTROYERS {
            let kind = self.world.kind(name);
            for &(_, value) in made.iter().rev().filter(|object| object.0 == kind) {
                if name == "CUuserObject" {
                    // However many references there are.
                    for bit in (0..32).rev() {
                        self.simple(destroyer, &[value, 1 << bit]);
                    }
                    continue;
                }
                // However often it was opened, imported or retained.
                let mut times = 200;
                while self.destroy(destroyer, value) == 0 && times > 0 {
                    times -= 1;
                }
            }
        }
    }
}

/// Sorts of nodes, as the functions for them are called.
const SORTS: [&str; 12] = [
    "KernelNode",
    "MemcpyNode",
    "MemsetNode",
    "HostNode",
    "ChildGraphNode",
    "EventRecordNode",
    "EventWaitNode",
    "MemAllocNode",
    "MemFreeNode",
    "BatchMemOpNode",
    "SemaphoresSignalNode",
    "SemaphoresWaitNode",
];
