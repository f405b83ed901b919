//! Who makes the calls of a record: the objects that came out of them, and what was otherwise.

use super::compare::{compare, word};
use super::{SHOWN, bounds};
use crate::library::Driver;
use crate::tolerance::Tolerance;
use core::ffi::c_void;
use record::signature::{self, Numbers};
use record::{Argument, Call, Data, Event, Memory, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Words and numbers that a function is given: more than any has.
const WORDS: usize = 20;
const FLOATS: usize = 2;
/// Functions whose memory the driver may use later: a library may be told that its image stays where it is, and a linker writes its log
/// at its end.
const STAYS: [&str; 2] = ["cuLibraryLoadData", "cuLinkCreate"];
/// What memory of a program may be.
const LARGEST: u64 = 1 << 38;
/// Behind memory there is as much more: what a function writes of which nobody says how much is not longer.
const SLACK: usize = 1024;
/// Threads of a program.
const MOST_THREADS: usize = 1 << 14;
/// Kept memory begins where pages do.
const PAGE: usize = 4096;
/// Memory of calls that may still be read is given up when there is more of it.
const RECENT: usize = 64 << 20;

const NOT_READY: u32 = 600;

/// A call to make.
#[derive(Clone, Copy)]
struct Job {
    function: usize,
    words: [u64; WORDS],
    floats: [f32; FLOATS],
}

impl Job {
    fn make(&self) -> u32 {
        let w = &self.words;
        // SAFETY: a function of the driver's; numbers and addresses take words of their own whatever their types, floating-point
        // numbers other registers, and what a function does not have it does not look at. The addresses are those of live memory
        // of the sizes with which the program has made the call.
        unsafe {
            type F = unsafe extern "C" fn(
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
                f32,
                f32,
            ) -> u32;
            let function: F = core::mem::transmute(self.function);
            function(
                w[0],
                w[1],
                w[2],
                w[3],
                w[4],
                w[5],
                w[6],
                w[7],
                w[8],
                w[9],
                w[10],
                w[11],
                w[12],
                w[13],
                w[14],
                w[15],
                w[16],
                w[17],
                w[18],
                w[19],
                self.floats[0],
                self.floats[1],
            )
        }
    }
}

/// A thread of the program's.
struct Worker {
    jobs: Sender<Job>,
    answers: Receiver<u32>,
}

impl Worker {
    fn start() -> Option<Worker> {
        let (jobs, todo) = channel::<Job>();
        let (done, answers) = channel();
        let work = move || {
            while let Ok(job) = todo.recv() {
                if done.send(job.make()).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().spawn(work).ok()?;
        Some(Worker { jobs, answers })
    }
}

/// What a program's function does here.
extern "C" fn nothing() -> usize {
    0
}

/// The address of [`nothing`].
fn stand_in() -> u64 {
    nothing as *const () as u64
}

/// The address of memory in which there is nothing: a handle that was none is none here either, but a driver may look there.
fn nobody() -> u64 {
    static NOTHING: [u64; 1024] = [0; 1024];
    NOTHING.as_ptr().expose_provenance() as u64
}

/// Memory of a program: pages that are there when they are used.
struct Buffer {
    bytes: Bytes,
    start: usize,
    len: usize,
}

enum Bytes {
    Few(Vec<u8>),
    Many(memmap2::MmapMut),
}

impl Buffer {
    fn new(len: u64) -> Result<Buffer, String> {
        let too_large = || format!("memory of {len} bytes");
        let len = usize::try_from(len).ok().filter(|len| *len as u64 <= LARGEST).ok_or_else(too_large)?;
        if len >= PAGE {
            let bytes = memmap2::MmapMut::map_anon(len + SLACK).map_err(|_| too_large())?;
            return Ok(Buffer { bytes: Bytes::Many(bytes), start: 0, len });
        }
        const ALIGN: usize = 64;
        let bytes = vec![0; len + ALIGN + SLACK];
        let start = bytes.as_ptr().align_offset(ALIGN).min(ALIGN);
        Ok(Buffer { bytes: Bytes::Few(bytes), start, len })
    }

    fn address(&self) -> u64 {
        let first = match &self.bytes {
            Bytes::Few(bytes) => bytes.as_ptr(),
            Bytes::Many(bytes) => bytes.as_ptr(),
        };
        first.expose_provenance() as u64 + self.start as u64
    }

    /// What is there now, whoever has written it.
    fn read(&self) -> Vec<u8> {
        self.read_first(self.len)
    }

    /// The first bytes of that, no more than so many.
    fn read_first(&self, most: usize) -> Vec<u8> {
        // SAFETY: no more bytes than there are; the driver may have written them.
        unsafe { read(self.address(), self.len.min(most)) }
    }

    /// Writes what it begins with.
    fn write(&mut self, bytes: &[u8]) {
        let to = match &mut self.bytes {
            Bytes::Few(all) => &mut all[..],
            Bytes::Many(all) => &mut all[..],
        };
        to[self.start..self.start + bytes.len()].copy_from_slice(bytes);
    }
}

/// # Safety
/// There are as many bytes, which nobody writes now.
unsafe fn read(address: u64, len: usize) -> Vec<u8> {
    let at = core::ptr::with_exposed_provenance::<u8>(address as usize);
    let mut bytes = vec![0; len];
    // SAFETY: as the caller says.
    unsafe { core::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), len) };
    bytes
}

/// Bytes of this process, if there are as many: a driver has said that something is there, but a file says how much.
fn peek(address: u64, len: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0u8; len];
    let local = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: len };
    let remote = libc::iovec { iov_base: core::ptr::with_exposed_provenance_mut(address as usize), iov_len: len };
    // SAFETY: the system writes `bytes` alone, and refuses an address that is wrong.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    (usize::try_from(read) == Ok(len)).then_some(bytes)
}

/// What came out of a call, or memory that stays.
struct Object {
    value: u64,
    /// Memory of the host that this program has.
    memory: Option<Buffer>,
    behind: Behind,
}

/// What stands behind bytes.
#[derive(Clone, Copy, Default)]
struct Behind {
    /// The last kernel that was given their address.
    kernel: Option<usize>,
    /// What the last one that may have written them has them for.
    numbers: Numbers,
}

/// Memory of a call: what it is to be afterwards.
struct Filled {
    buffer: Buffer,
    after: Option<Data>,
    loose: bool,
    keep: Option<u32>,
    argument: usize,
}

/// All of it.
pub struct Machine<'a> {
    driver: &'a Driver,
    tolerances: &'a [Tolerance],
    functions: Vec<(String, Option<usize>)>,
    piece: Vec<u8>,
    contents: Vec<Vec<u8>>,
    objects: HashMap<u32, Object>,
    values: HashMap<u64, u32>,
    /// Names of kernels by object.
    names: HashMap<u32, String>,
    workers: HashMap<u32, Worker>,
    /// Memory of [`STAYS`].
    lasting: Vec<Buffer>,
    recent: VecDeque<Buffer>,
    recent_bytes: usize,
    /// Addresses of functions of the device's, as they were and as they are.
    pub code: HashMap<u64, u64>,
    /// Launches: the call's number and the kernel's name.
    kernels: Vec<(u64, String)>,
    /// The last call: its name, and objects among its arguments.
    last: (String, Vec<u32>),
    /// The first differences in words, and how many there are.
    pub shown: Vec<String>,
    pub differences: usize,
    pub calls: u64,
    pub launches: u64,
    pub compared: u64,
    pub tolerated: u64,
    pub loose: u64,
    pub loose_functions: BTreeSet<String>,
    /// What initialised the program's driver has failed here.
    pub no_driver: bool,
    /// Devices of the program's and of this machine, where these are not as many.
    pub devices: Option<(u32, u32)>,
}

impl<'a> Machine<'a> {
    pub fn new(driver: &'a Driver, tolerances: &'a [Tolerance]) -> Machine<'a> {
        Machine {
            driver,
            tolerances,
            functions: Vec::new(),
            piece: Vec::new(),
            contents: Vec::new(),
            objects: HashMap::new(),
            values: HashMap::new(),
            names: HashMap::new(),
            workers: HashMap::new(),
            lasting: Vec::new(),
            recent: VecDeque::new(),
            recent_bytes: 0,
            code: HashMap::new(),
            kernels: Vec::new(),
            last: (String::new(), Vec::new()),
            shown: Vec::new(),
            differences: 0,
            calls: 0,
            launches: 0,
            compared: 0,
            tolerated: 0,
            loose: 0,
            loose_functions: BTreeSet::new(),
            no_driver: false,
            devices: None,
        }
    }

    /// Does what an event says. The error is what makes no sense in it.
    pub fn step(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Content { bytes, last } => {
                self.piece.extend_from_slice(&bytes);
                if last {
                    self.contents.push(core::mem::take(&mut self.piece));
                }
            }
            Event::Function { name } => {
                if !bounds::may_be_asked(&name) {
                    return Err("a function that is not asked again".into());
                }
                let address = self.driver.symbol(&name);
                self.functions.push((name, address));
            }
            Event::Call(call) => self.call(&call)?,
            Event::Wait { thread, stream } => {
                let mut buffers = Vec::new();
                let stream = self.argument(&stream, &mut buffers, 0)?;
                self.synchronize(thread, stream);
            }
            Event::Written { object, offset, data } => {
                let bytes = self.bytes(&data)?;
                // What a call would have given that failed this time.
                if self.objects.get(&object).is_none_or(|object| object.value == 0) {
                    return Ok(());
                }
                let at = self.place(object, offset, bytes.len())?;
                // SAFETY: `place` has looked whether the object has as many bytes; they may be the driver's, and a kernel that
                // waits for the program may read them: so it was in the program.
                unsafe {
                    let to = core::ptr::with_exposed_provenance_mut::<u8>(at as usize);
                    core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
                }
            }
            Event::Expected { object, offset, data } => {
                let len = self.content(data.content)?.len();
                if self.objects.get(&object).is_none_or(|object| object.value == 0) {
                    self.differ("memory", "there is none to compare");
                    return Ok(());
                }
                let at = self.place(object, offset, len)?;
                // SAFETY: as above.
                let now = unsafe { read(at, len) };
                let what = format!("{}: what came back", self.last.0);
                let behind = self.behind(object);
                self.results(&data, &now, &what, offset, false, behind)?;
            }
            Event::Dropped { object } => {
                if let Some(object) = self.objects.remove(&object) {
                    self.values.remove(&object.value);
                }
            }
            Event::Begin { .. } | Event::End { .. } | Event::Remark { .. } => {}
        }
        Ok(())
    }

    fn content(&self, number: u32) -> Result<&[u8], String> {
        let content = self.contents.get(number as usize).map(Vec::as_slice);
        content.ok_or_else(|| format!("there is no content {number}"))
    }

    fn object(&self, id: u32) -> Result<&Object, String> {
        self.objects.get(&id).ok_or_else(|| format!("there is no object {id}"))
    }

    /// The address of bytes in an object of the host's memory.
    fn place(&self, id: u32, offset: u64, len: usize) -> Result<u64, String> {
        let object = self.object(id)?;
        let (start, size) = match &object.memory {
            Some(memory) => (object.value, memory.len as u64),
            None => {
                host_memory(self.driver, object.value).ok_or_else(|| format!("object {id} is no memory of the host"))?
            }
        };
        let place = object.value.checked_add(offset).filter(|at| *at >= start);
        let end = place.and_then(|at| at.checked_add(len as u64));
        let inside = end.is_some_and(|end| start.checked_add(size).is_some_and(|last| end <= last));
        place.filter(|_| inside).ok_or_else(|| format!("object {id} has {size} bytes"))
    }

    /// The bytes of a content with the values of today in it.
    fn bytes(&mut self, data: &Data) -> Result<Vec<u8>, String> {
        let mut bytes = self.content(data.content)?.to_vec();
        for (at, value) in &data.words {
            let Value::Is(argument) = value else { continue };
            let word = match argument {
                Argument::Object { id, offset } => {
                    self.objects.get(id).map_or(0, |object| object.value.wrapping_add(*offset))
                }
                Argument::Word(word) => *word,
                _ => 0,
            };
            put(&mut bytes, *at, word)?;
        }
        self.renew(&mut bytes);
        Ok(bytes)
    }

    /// The word that an argument is; its memory goes to `buffers`.
    fn argument(&mut self, argument: &Argument, buffers: &mut Vec<Filled>, index: usize) -> Result<u64, String> {
        Ok(match argument {
            Argument::Word(word) => *word,
            Argument::Float(bits) => u64::from(*bits),
            Argument::Function => stand_in(),
            Argument::Wild(_) => nobody(),
            Argument::Code(word) => self.code.get(word).copied().unwrap_or(*word),
            // What is gone is given as nothing: so was it when the call was made.
            Argument::Object { id, offset } => match self.objects.get(id) {
                Some(Object { memory: Some(memory), .. }) if *offset > memory.len as u64 => {
                    return Err(format!("object {id} has {} bytes", memory.len));
                }
                Some(object) => object.value.wrapping_add(*offset),
                None => 0,
            },
            Argument::Memory(memory) => self.memory(memory, buffers, index)?,
        })
    }

    fn memory(&mut self, memory: &Memory, buffers: &mut Vec<Filled>, index: usize) -> Result<u64, String> {
        let mut buffer = Buffer::new(memory.len)?;
        if let Some(data) = &memory.before {
            let mut bytes = self.content(data.content)?.to_vec();
            bytes.truncate(buffer.len);
            self.renew(&mut bytes);
            for (at, value) in &data.words {
                if let Value::Is(argument) = value {
                    let word = self.argument(argument, buffers, index)?;
                    put(&mut bytes, *at, word)?;
                }
            }
            buffer.write(&bytes);
        }
        let address = buffer.address();
        let (after, keep, loose) = (memory.after.clone(), memory.keep, memory.loose);
        buffers.push(Filled { buffer, after, loose, keep, argument: index });
        Ok(address)
    }

    /// Addresses of functions that came back otherwise go in again as they are now. Small numbers are left alone, of which most are
    /// something else: where a parameter is such an address, the record says so.
    fn renew(&self, bytes: &mut [u8]) {
        const SMALL: u64 = 0xffff;
        if self.code.is_empty() {
            return;
        }
        for word in bytes.as_chunks_mut::<8>().0 {
            let then = u64::from_le_bytes(*word);
            if then > SMALL
                && let Some(now) = self.code.get(&then)
            {
                *word = now.to_le_bytes();
            }
        }
    }

    /// Takes away, of what came back, words that are addresses of functions of the emulated device then or now: no two devices have
    /// theirs in the same places.
    fn take_code(&mut self, then: &mut [u8], now: &mut [u8]) {
        const MOST_CODE: usize = 1 << 16;
        let is_code = |word: u64| record::CODE.contains(&word);
        for (a, b) in then.as_chunks_mut::<8>().0.iter_mut().zip(now.as_chunks_mut::<8>().0) {
            let (was, is) = (u64::from_le_bytes(*a), u64::from_le_bytes(*b));
            if was != is && was != 0 && is != 0 && (is_code(was) || is_code(is)) && self.code.len() < MOST_CODE {
                self.code.insert(was, is);
                (*a, *b) = ([0; 8], [0; 8]);
            }
        }
    }

    fn make(&mut self, thread: u32, job: Job) -> u32 {
        // The first thread is this one.
        if thread == 0 {
            return job.make();
        }
        if !self.workers.contains_key(&thread) {
            let Some(worker) = Worker::start().filter(|_| self.workers.len() < MOST_THREADS) else { return u32::MAX };
            self.workers.insert(thread, worker);
        }
        let Some(worker) = self.workers.get(&thread) else { return u32::MAX };
        match worker.jobs.send(job) {
            Ok(()) => worker.answers.recv().unwrap_or(u32::MAX),
            Err(_) => u32::MAX,
        }
    }

    fn synchronize(&mut self, thread: u32, stream: u64) {
        if let Some(function) = self.driver.symbol("cuStreamSynchronize") {
            let mut words = [0; WORDS];
            words[0] = stream;
            self.make(thread, Job { function, words, floats: [0.0; FLOATS] });
        }
    }

    fn call(&mut self, call: &Call) -> Result<(), String> {
        self.calls += 1;
        let Some((name, function)) = self.functions.get(call.function as usize).cloned() else {
            return Err(format!("there is no function {}", call.function));
        };
        if call.skipped {
            return Ok(());
        }
        if bounds::is_refused(&name) {
            return Err(format!("{name} is not asked again"));
        }
        let Some(function) = function else {
            self.differ(&name, "the driver has no such function");
            return Ok(());
        };
        let mut buffers = Vec::new();
        let mut job = Job { function, words: [0; WORDS], floats: [0.0; FLOATS] };
        let (mut words, mut floats) = (0, 0);
        for (index, argument) in call.arguments.iter().enumerate() {
            let word = self.argument(argument, &mut buffers, index)?;
            let too_many = || format!("{name} with too many arguments");
            if let Argument::Float(bits) = argument {
                *job.floats.get_mut(floats).ok_or_else(too_many)? = f32::from_bits(*bits);
                floats += 1;
            } else {
                *job.words.get_mut(words).ok_or_else(too_many)? = word;
                words += 1;
            }
        }
        if let Err(why) = self.check(&name, call, &job, &buffers) {
            // One that was refused then did nothing.
            if call.code == 0 {
                self.differ(&name, &format!("not asked: {why}"));
            }
            return Ok(());
        }
        let given = objects_in(&call.arguments);
        self.describe(&name, call, &given);
        // Memory that stays is known before the call: what the device does to it is looked at later.
        let mut kept = Vec::new();
        for filled in buffers.iter().filter(|filled| filled.keep.is_some()) {
            kept.push((filled.keep, filled.buffer.address(), filled.buffer.len));
        }
        let mut code = self.make(call.thread, job);
        let waits = name.contains("Query");
        if waits && call.code == 0 && code == NOT_READY {
            let start = std::time::Instant::now();
            while code == NOT_READY && start.elapsed().as_secs() < 60 {
                std::thread::yield_now();
                code = self.make(call.thread, job);
            }
        }
        let ready = waits && call.code == NOT_READY && code == 0;
        if code != call.code && !ready {
            self.no_driver |= name == "cuInit" && call.code == 0;
            let (then, now) = (self.driver.code_name(call.code), self.driver.code_name(code));
            self.differ(&name, &format!("{then} then, {now} now"));
        }
        self.last = (format!("call {} ({name})", self.calls), given);
        let later = name.contains("Async");
        let linked = if code == 0 && name.starts_with("cuLinkComplete") { image(&buffers) } else { None };
        for filled in buffers {
            let Filled { buffer, after, loose, keep, argument } = filled;
            if let Some(after) = after.filter(|_| code == 0 && call.code == 0) {
                if self.content(after.content)?.len() != buffer.len {
                    return Err("other memory before a call than behind it".into());
                }
                let now = buffer.read();
                let what = format!("{}: argument {}", self.last.0, argument + 1);
                self.results(&after, &now, &what, 0, loose, Behind::default())?;
            }
            if let Some(id) = keep {
                let value = buffer.address();
                self.values.insert(value, id);
                // What a copy brings into it later is what its source is.
                let behind = self.behind(id);
                self.objects.insert(id, Object { value, memory: Some(buffer), behind });
            } else if STAYS.iter().any(|start| name.starts_with(start)) {
                self.lasting.push(buffer);
            } else if later {
                self.recent_bytes += buffer.len;
                self.recent.push_back(buffer);
                while self.recent_bytes > RECENT {
                    self.recent_bytes -= self.recent.pop_front().map_or(self.recent_bytes, |buffer| buffer.len);
                }
            }
        }
        // The linker's image goes with the linker, but the program may have copied it.
        if let (Some(image), Some(id)) = (linked, out(call.arguments.get(1))) {
            let object = Object { value: image.address(), memory: Some(image), behind: Behind::default() };
            self.objects.insert(id, object);
        }
        Ok(())
    }

    /// Whether memory of this program is as long as the numbers of a call say, and functions are none but ours.
    fn check(&self, name: &str, call: &Call, job: &Job, buffers: &[Filled]) -> Result<(), String> {
        let room = |argument: &Argument| match argument {
            Argument::Memory(memory) => Some(memory.len),
            Argument::Object { id, offset } => {
                let memory = self.objects.get(id)?.memory.as_ref()?;
                Some((memory.len as u64).saturating_sub(*offset))
            }
            _ => None,
        };
        let too_short = |room: u64, len: u64| format!("{len} bytes of memory that has {room}");
        for (at, size) in bounds::pieces(name) {
            let len = job.words[*size];
            // What has worked was about memory that is in the record.
            if call.code == 0
                && len > 0
                && bounds::of_host(name)
                && let Some(Argument::Word(1..) | Argument::Float(_)) = call.arguments.get(*at)
            {
                return Err("memory that is not in the record".into());
            }
            if let Some(room) = call.arguments.get(*at).and_then(room)
                && room < len
            {
                return Err(too_short(room, len));
            }
        }
        if let Some(at) = bounds::callback(name)
            && ![0, stand_in()].contains(&job.words[at])
        {
            return Err("a function that is not the program's".into());
        }
        let Some((at, structure)) = bounds::structure(name) else { return Ok(()) };
        // What an argument's memory leads to stands in front of it.
        let filled = buffers.iter().rfind(|filled| filled.argument == at);
        let (Some(filled), Some(Argument::Memory(memory))) = (filled, call.arguments.get(at)) else {
            let known = matches!(call.arguments.get(at), Some(Argument::Word(_)) | None);
            return if known { Ok(()) } else { Err("no structure".into()) };
        };
        let bytes = filled.buffer.read_first(bounds::LARGEST_STRUCTURE);
        let at = |place: usize| {
            let words = memory.before.iter().flat_map(|data| &data.words);
            words.filter(|(at, _)| *at == place as u64).find_map(|(_, value)| match value {
                Value::Is(argument) => room(argument),
                _ => None,
            })
        };
        let found = structure.look(&bytes).ok_or("a structure that is cut off")?;
        if found.function.is_some_and(|word| ![0, stand_in()].contains(&word)) {
            return Err("a function that is not the program's".into());
        }
        for (place, len) in found.boxes {
            if let Some(room) = at(place).filter(|room| *room < len) {
                return Err(too_short(room, len));
            }
        }
        Ok(())
    }

    /// What is known of kernels from a call that is about them.
    fn describe(&mut self, name: &str, call: &Call, given: &[u32]) {
        if (name.starts_with("cuModuleGetFunction") || name == "cuLibraryGetKernel") && call.arguments.len() == 3 {
            let text = match &call.arguments[2] {
                Argument::Memory(Memory { before: Some(data), .. }) => self.content(data.content).unwrap_or_default(),
                _ => &[],
            };
            let text = String::from_utf8_lossy(text).trim_end_matches('\0').to_owned();
            if let Some(id) = out(call.arguments.first()) {
                self.names.insert(id, text);
            }
        } else if name == "cuKernelGetFunction" {
            let kernel = match call.arguments.get(1) {
                Some(Argument::Object { id, .. }) => self.names.get(id).cloned(),
                _ => None,
            };
            if let (Some(id), Some(name)) = (out(call.arguments.first()), kernel) {
                self.names.insert(id, name);
            }
        } else if name.starts_with("cuLaunch") || name.starts_with("cuGraphLaunch") {
            self.launches += 1;
            let kernel = given.iter().find_map(|id| self.names.get(id)).cloned();
            let kernel = kernel.unwrap_or_else(|| name.to_owned());
            self.kernels.push((self.calls, kernel));
            for id in given {
                if let Some(object) = self.objects.get_mut(id) {
                    object.behind.kernel = Some(self.kernels.len() - 1);
                }
            }
            self.give(call);
        }
    }

    /// A launch: what its parameters say of the memory that they lead to.
    fn give(&mut self, call: &Call) {
        let known = self.kernels.last().map_or_else(Vec::new, |(_, kernel)| signature::written(kernel));
        let lists = call.arguments.iter().filter_map(|argument| match argument {
            Argument::Memory(Memory { before: Some(data), .. }) => Some(&data.words),
            _ => None,
        });
        // The list of parameters is the one with as many pieces of memory.
        let is_parameters = |words: &&Vec<(u64, Value)>| {
            words.len() == known.len() && words.iter().all(|(_, value)| matches!(value, Value::Is(Argument::Memory(_))))
        };
        for ((_, value), numbers) in lists.filter(is_parameters).flatten().zip(&known) {
            if let (Value::Is(Argument::Memory(Memory { before: Some(data), .. })), Some(numbers)) = (value, numbers)
                && let Some((0, Value::Is(Argument::Object { id, .. }))) = data.words.first()
                && let Some(object) = self.objects.get_mut(id)
            {
                object.behind.numbers = *numbers;
            }
        }
    }

    /// What stands behind an object: it was given to a kernel, or is what the last call was about.
    fn behind(&self, object: u32) -> Behind {
        let of = |id: &u32| self.objects.get(id).map(|object| object.behind).filter(|behind| behind.kernel.is_some());
        let last = || self.last.1.iter().filter_map(of).max_by_key(|behind| behind.kernel);
        of(&object).or_else(last).unwrap_or_default()
    }

    fn differ(&mut self, name: &str, what: &str) {
        self.difference(|calls| format!("call {calls} ({name}): {what}"));
    }

    /// Counts a difference, whose words are kept if it is among the first.
    fn difference(&mut self, text: impl FnOnce(u64) -> String) {
        if self.differences < SHOWN {
            self.shown.push(text(self.calls));
        }
        self.differences += 1;
    }

    /// Compares what is there with what was, and takes what is new.
    fn results(
        &mut self,
        data: &Data,
        now: &[u8],
        what: &str,
        offset: u64,
        loose: bool,
        behind: Behind,
    ) -> Result<(), String> {
        let mut then = self.content(data.content)?.to_vec();
        let mut now = now.to_vec();
        then.resize(now.len(), 0);
        let mut other = false;
        for (at, value) in &data.words {
            let len = value.size();
            let at = usize::try_from(*at).ok().filter(|at| at.checked_add(len).is_some_and(|end| end <= now.len()));
            let at = at.ok_or("a word outside of its memory")?;
            if let Value::Gap(_) = value {
                then[at..at + len].fill(0);
                now[at..at + len].fill(0);
                continue;
            }
            let word = now[at..at + 8].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
            match value {
                Value::Leads(inner) => {
                    let len = self.content(inner.content)?.len();
                    match peek(word, len) {
                        Some(list) => self.results(inner, &list, what, 0, loose, Behind::default())?,
                        None => other = true,
                    }
                }
                Value::New(id) => {
                    self.values.insert(word, *id);
                    self.objects.insert(*id, Object { value: word, memory: None, behind: Behind::default() });
                }
                Value::Is(Argument::Object { id, offset }) => {
                    let known = self.objects.get(id).map(|object| object.value.wrapping_add(*offset));
                    if known != Some(word) {
                        // Another object is a difference; one that nobody has seen has taken this one's place.
                        let seen = word == 0 || *offset != 0 || self.values.contains_key(&word);
                        other |= seen && known.is_some();
                        if !seen {
                            self.values.insert(word, *id);
                            self.objects.insert(*id, Object { value: word, memory: None, behind: Behind::default() });
                        }
                    }
                }
                _ => {}
            }
            then[at..at + 8].fill(0);
            now[at..at + 8].fill(0);
        }
        // Results begin where words do, but for what a program's own types say.
        if then != now && offset.is_multiple_of(8) {
            self.take_code(&mut then, &mut now);
        }
        let tolerances = if loose { &[] } else { self.tolerances };
        let difference = compare(&then, &now, tolerances, behind.numbers);
        if loose {
            if difference.count > 0 || other {
                self.loose += 1;
                let name = self.last.0.rsplit(' ').next().unwrap_or_default().trim_matches(['(', ')']).to_owned();
                if name == "cuDeviceGetCount"
                    && let (Ok(then), Ok(now)) = (<[u8; 4]>::try_from(&then[..]), <[u8; 4]>::try_from(&now[..]))
                {
                    self.devices = Some((u32::from_le_bytes(then), u32::from_le_bytes(now)));
                }
                self.loose_functions.insert(name);
            }
            return Ok(());
        }
        self.compared += now.len() as u64;
        self.tolerated += difference.tolerated as u64;
        let behind = behind.kernel.and_then(|kernel| self.kernels.get(kernel));
        let behind = behind.map_or(String::new(), |(call, name)| format!("; last given to {name} (call {call})"));
        if difference.count > 0 {
            let shown = word(&then, &now, difference.first);
            let at = offset + difference.first as u64;
            self.difference(|_| {
                let (count, len) = (difference.count, now.len());
                format!("{what} differs in {count} of {len} bytes, the first at {at}: {shown}{behind}")
            });
        } else if other {
            self.difference(|_| format!("{what} is another object or address{behind}"));
        }
        Ok(())
    }
}

/// The object that came out of a call.
fn out(argument: Option<&Argument>) -> Option<u32> {
    match argument {
        Some(Argument::Memory(Memory { after: Some(data), .. })) => match data.words.first() {
            Some((0, Value::New(id) | Value::Is(Argument::Object { id, .. }))) => Some(*id),
            _ => None,
        },
        _ => None,
    }
}

/// A copy of the image that a linker has just made: its address came out of the second argument of the call, its size out of the third.
fn image(buffers: &[Filled]) -> Option<Buffer> {
    let word = |argument| {
        let bytes = buffers.iter().find(|filled| filled.argument == argument)?.buffer.read_first(8);
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let (address, len) = (word(1)?, word(2)?);
    let mut image = Buffer::new(len).ok()?;
    // SAFETY: the driver has just said that there are as many bytes.
    let bytes = unsafe { read(address, usize::try_from(len).ok()?) };
    image.write(&bytes);
    Some(image)
}

/// Memory of the driver's that the host can use now: where the piece begins in which an address lies, and its bytes.
fn host_memory(driver: &Driver, address: u64) -> Option<(u64, u64)> {
    const HOST_POINTER: u64 = 4;
    const RANGE_START: u64 = 11;
    const RANGE_SIZE: u64 = 12;
    let function = driver.symbol("cuPointerGetAttribute")?;
    let ask = |attribute| {
        let mut answer = 0u64;
        let mut words = [0; WORDS];
        (words[0], words[1], words[2]) =
            ((&raw mut answer).cast::<c_void>().expose_provenance() as u64, attribute, address);
        (Job { function, words, floats: [0.0; FLOATS] }.make() == 0).then_some(answer)
    };
    ask(HOST_POINTER).filter(|host| *host == address)?;
    ask(RANGE_START).zip(ask(RANGE_SIZE))
}

fn put(bytes: &mut [u8], at: u64, word: u64) -> Result<(), String> {
    let at = usize::try_from(at).ok().and_then(|at| Some(at..at.checked_add(8)?));
    let place = at.and_then(|at| bytes.get_mut(at)).ok_or("a word outside of its memory")?;
    place.copy_from_slice(&word.to_le_bytes());
    Ok(())
}

/// The objects among arguments, and in the memory that they lead to.
fn objects_in(arguments: &[Argument]) -> Vec<u32> {
    fn look(argument: &Argument, found: &mut Vec<u32>) {
        match argument {
            Argument::Object { id, .. } => found.push(*id),
            Argument::Memory(Memory { before: Some(data), .. }) => {
                for (_, value) in &data.words {
                    if let Value::Is(argument) = value {
                        look(argument, found);
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    arguments.iter().for_each(|argument| look(argument, &mut found));
    found
}
