//! Who makes the calls of a record: the objects that came out of them, and what was otherwise.

use super::compare::{compare, word};
use crate::library::Driver;
use crate::tolerance::Tolerance;
use core::ffi::c_void;
use record::{Argument, Call, Data, Event, Memory, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Words and numbers that a function is given: more than any has.
const WORDS: usize = 20;
const FLOATS: usize = 2;
/// What memory of a program may be.
const LARGEST: u64 = 1 << 38;
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
    fn start() -> Worker {
        let (jobs, todo) = channel::<Job>();
        let (done, answers) = channel();
        std::thread::spawn(move || {
            while let Ok(job) = todo.recv() {
                if done.send(job.make()).is_err() {
                    break;
                }
            }
        });
        Worker { jobs, answers }
    }
}

/// What a program's function does here.
extern "C" fn nothing() -> usize {
    0
}

/// Memory of a program.
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    fn new(len: u64) -> Result<Buffer, String> {
        let too_large = || format!("memory of {len} bytes");
        let len = usize::try_from(len).ok().filter(|len| *len as u64 <= LARGEST).ok_or_else(too_large)?;
        let align = if len >= PAGE { PAGE } else { 64 };
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len + align).map_err(|_| too_large())?;
        bytes.resize(len + align, 0);
        let start = bytes.as_ptr().align_offset(align).min(align);
        Ok(Buffer { bytes, start, len })
    }

    fn address(&self) -> u64 {
        self.bytes.as_ptr().addr() as u64 + self.start as u64
    }

    /// What is there now, whoever has written it.
    fn read(&self) -> Vec<u8> {
        // SAFETY: as many bytes as there are; the driver may have written them.
        unsafe { read(self.address(), self.len) }
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[self.start + at..self.start + at + bytes.len()].copy_from_slice(bytes);
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

/// What came out of a call, or memory that stays.
struct Object {
    value: u64,
    /// Memory of the host that this program has allocated, or the driver.
    len: usize,
    _memory: Option<Buffer>,
    /// The last kernel that was given its address.
    kernel: Option<usize>,
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
    recent: VecDeque<Buffer>,
    recent_bytes: usize,
    /// Launches: the call's number and the kernel's name.
    kernels: Vec<(u64, String)>,
    /// The last call: its name, and objects among its arguments.
    last: (String, Vec<u32>),
    pub differences: Vec<String>,
    pub calls: u64,
    pub launches: u64,
    pub compared: u64,
    pub tolerated: u64,
    pub loose: u64,
    pub loose_functions: BTreeSet<String>,
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
            recent: VecDeque::new(),
            recent_bytes: 0,
            kernels: Vec::new(),
            last: (String::new(), Vec::new()),
            differences: Vec::new(),
            calls: 0,
            launches: 0,
            compared: 0,
            tolerated: 0,
            loose: 0,
            loose_functions: BTreeSet::new(),
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
                let plain = name.starts_with("cu") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                if !plain {
                    return Err("a function that is none of the driver's".into());
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
                let at = self.place(object, offset, bytes.len())?;
                // SAFETY: `place` has looked whether the object has as many bytes; they may be the driver's, and nobody works.
                unsafe {
                    let to = core::ptr::with_exposed_provenance_mut::<u8>(at as usize);
                    core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
                }
            }
            Event::Expected { object, offset, data } => {
                let len = self.content(data.content)?.len();
                let at = self.place(object, offset, len)?;
                // SAFETY: as above.
                let now = unsafe { read(at, len) };
                let what = format!("{}: what came back", self.last.0);
                let kernel = self.kernel_of(object);
                self.results(&data, &now, &what, offset, false, kernel)?;
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
        // Variables of modules: the driver alone knows how large they are.
        if object.len == 0 && is_managed(self.driver, object.value, false) {
            const RANGE_START: u64 = 11;
            const RANGE_SIZE: u64 = 12;
            let ask = |attribute| attribute_of(self.driver, object.value, attribute);
            let end = ask(RANGE_START).zip(ask(RANGE_SIZE)).map_or(0, |(start, size)| start.saturating_add(size));
            let last = object.value.checked_add(offset).and_then(|at| at.checked_add(len as u64));
            let inside = last.is_some_and(|last| last <= end);
            return if inside { Ok(object.value + offset) } else { Err(format!("object {id} is smaller")) };
        }
        let inside = offset.checked_add(len as u64).is_some_and(|end| end <= object.len as u64);
        if inside { Ok(object.value + offset) } else { Err(format!("object {id} has {} bytes", object.len)) }
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
        Ok(bytes)
    }

    /// The word that an argument is; its memory goes to `buffers`.
    fn argument(&mut self, argument: &Argument, buffers: &mut Vec<Filled>, index: usize) -> Result<u64, String> {
        Ok(match argument {
            Argument::Word(word) => *word,
            Argument::Float(bits) => u64::from(*bits),
            Argument::Function => nothing as *const () as u64,
            // What is gone is given as nothing: so was it when the call was made.
            Argument::Object { id, offset } => {
                self.objects.get(id).map_or(0, |object| object.value.wrapping_add(*offset))
            }
            Argument::Memory(memory) => self.memory(memory, buffers, index)?,
        })
    }

    fn memory(&mut self, memory: &Memory, buffers: &mut Vec<Filled>, index: usize) -> Result<u64, String> {
        let mut buffer = Buffer::new(memory.len)?;
        if let Some(data) = &memory.before {
            let mut bytes = self.content(data.content)?.to_vec();
            bytes.truncate(buffer.len);
            for (at, value) in &data.words {
                if let Value::Is(argument) = value {
                    let word = self.argument(argument, buffers, index)?;
                    put(&mut bytes, *at, word)?;
                }
            }
            buffer.write(0, &bytes);
        }
        let address = buffer.address();
        let (after, keep, loose) = (memory.after.clone(), memory.keep, memory.loose);
        buffers.push(Filled { buffer, after, loose, keep, argument: index });
        Ok(address)
    }

    fn make(&mut self, thread: u32, job: Job) -> u32 {
        // The first thread is this one.
        if thread == 0 {
            return job.make();
        }
        let worker = self.workers.entry(thread).or_insert_with(Worker::start);
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
        // Memory of the program's that the record has taken for that in front of it.
        let behind = |argument: &Argument| match argument {
            Argument::Object { id, offset } => {
                self.objects.get(id).is_some_and(|object| object._memory.is_some() && *offset >= object.len as u64)
            }
            _ => false,
        };
        if name.starts_with("cuMemcpy") && call.arguments.iter().any(behind) {
            self.differ(&name, "not asked: an address behind the end of its memory");
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
            let (then, now) = (self.driver.code_name(call.code), self.driver.code_name(code));
            self.differ(&name, &format!("{then} then, {now} now"));
        }
        self.last = (format!("call {} ({name})", self.calls), given);
        let later = name.contains("Async");
        for filled in buffers {
            let Filled { buffer, after, loose, keep, argument } = filled;
            if let Some(after) = after.filter(|_| code == 0 && call.code == 0) {
                let now = buffer.read();
                let what = format!("{}: argument {}", self.last.0, argument + 1);
                self.results(&after, &now, &what, 0, loose, None)?;
                // Memory of the host that the driver has given.
                self.lengths(&name, call, &after);
            }
            if let Some(id) = keep {
                let (value, len) = (buffer.address(), buffer.len);
                self.values.insert(value, id);
                self.objects.insert(id, Object { value, len, _memory: Some(buffer), kernel: None });
            } else if later {
                self.recent_bytes += buffer.len;
                self.recent.push_back(buffer);
                while self.recent_bytes > RECENT {
                    self.recent_bytes -= self.recent.pop_front().map_or(self.recent_bytes, |buffer| buffer.len);
                }
            }
        }
        Ok(())
    }

    /// How much memory of the host has come out of a call.
    fn lengths(&mut self, name: &str, call: &Call, after: &Data) {
        let visible = ["cuMemAllocHost", "cuMemHostAlloc", "cuMemAllocManaged"].iter().any(|n| name.starts_with(n));
        let len = match call.arguments.get(1) {
            Some(Argument::Word(len)) if visible => *len,
            // A variable of a module, whose size stands beside it.
            Some(Argument::Memory(Memory { after: Some(size), .. }))
                if name.contains("GetGlobal") || name.contains("GetManaged") =>
            {
                let bytes = self.contents.get(size.content as usize).and_then(|bytes| bytes.get(..8));
                bytes.map_or(0, |bytes| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
            }
            _ => return,
        };
        for (_, value) in &after.words {
            if let Value::New(id) = value
                && let Some(object) = self.objects.get_mut(id)
                && is_managed(self.driver, object.value, visible)
            {
                object.len = len as usize;
            }
        }
    }

    /// What is known of kernels from a call that is about them.
    fn describe(&mut self, name: &str, call: &Call, given: &[u32]) {
        let out = |argument: Option<&Argument>| match argument {
            Some(Argument::Memory(Memory { after: Some(data), .. })) => match data.words.first() {
                Some((0, Value::New(id) | Value::Is(Argument::Object { id, .. }))) => Some(*id),
                _ => None,
            },
            _ => None,
        };
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
                    object.kernel = Some(self.kernels.len() - 1);
                }
            }
        }
    }

    /// The last kernel that was given an object, or one of those that the last call was about.
    fn kernel_of(&self, object: u32) -> Option<usize> {
        let of = |id: &u32| self.objects.get(id).and_then(|object| object.kernel);
        of(&object).or_else(|| self.last.1.iter().filter_map(of).max())
    }

    fn differ(&mut self, name: &str, what: &str) {
        self.differences.push(format!("call {} ({name}): {what}", self.calls));
    }

    /// Compares what is there with what was, and takes what is new.
    fn results(
        &mut self,
        data: &Data,
        now: &[u8],
        what: &str,
        offset: u64,
        loose: bool,
        kernel: Option<usize>,
    ) -> Result<(), String> {
        let mut then = self.content(data.content)?.to_vec();
        let mut now = now.to_vec();
        then.resize(now.len(), 0);
        let mut other = false;
        for (at, value) in &data.words {
            let at = usize::try_from(*at).ok().filter(|at| at.checked_add(8).is_some_and(|end| end <= now.len()));
            let at = at.ok_or("a word outside of its memory")?;
            let word = now[at..at + 8].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
            match value {
                Value::New(id) => {
                    self.values.insert(word, *id);
                    self.objects.insert(*id, Object { value: word, len: 0, _memory: None, kernel: None });
                }
                Value::Is(Argument::Object { id, offset }) => {
                    let known = self.objects.get(id).map(|object| object.value.wrapping_add(*offset));
                    if known != Some(word) {
                        // Another object is a difference; one that nobody has seen has taken this one's place.
                        let seen = word == 0 || *offset != 0 || self.values.contains_key(&word);
                        other |= seen && known.is_some();
                        if !seen {
                            self.values.insert(word, *id);
                            self.objects.insert(*id, Object { value: word, len: 0, _memory: None, kernel: None });
                        }
                    }
                }
                _ => {}
            }
            then[at..at + 8].fill(0);
            now[at..at + 8].fill(0);
        }
        let difference = compare(&then, &now, if loose { &[] } else { self.tolerances });
        if loose {
            if difference.count > 0 || other {
                self.loose += 1;
                let name = self.last.0.rsplit(' ').next().unwrap_or_default().trim_matches(['(', ')']).to_owned();
                self.loose_functions.insert(name);
            }
            return Ok(());
        }
        self.compared += now.len() as u64;
        self.tolerated += difference.tolerated as u64;
        let behind = kernel.and_then(|kernel| self.kernels.get(kernel));
        let behind = behind.map_or(String::new(), |(call, name)| format!("; last given to {name} (call {call})"));
        if difference.count > 0 {
            let shown = word(&then, &now, difference.first);
            let at = offset + difference.first as u64;
            self.differences.push(format!(
                "{what} differs in {} of {} bytes, the first at {at}: {shown}{behind}",
                difference.count,
                now.len()
            ));
        } else if other {
            self.differences.push(format!("{what} is another object or address{behind}"));
        }
        Ok(())
    }
}

/// What the driver says of an address.
fn attribute_of(driver: &Driver, address: u64, attribute: u64) -> Option<u64> {
    let function = driver.symbol("cuPointerGetAttribute")?;
    let mut answer = 0u64;
    let mut words = [0; WORDS];
    (words[0], words[1], words[2]) =
        ((&raw mut answer).cast::<c_void>().expose_provenance() as u64, attribute, address);
    (Job { function, words, floats: [0.0; FLOATS] }.make() == 0).then_some(answer)
}

/// Whether the host can use memory of the driver's.
fn is_managed(driver: &Driver, address: u64, known: bool) -> bool {
    const IS_MANAGED: u64 = 8;
    known || attribute_of(driver, address, IS_MANAGED).is_some_and(|managed| managed as u32 != 0)
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
