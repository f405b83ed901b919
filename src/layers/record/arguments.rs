//! The arguments of a call as a record has them, by the shapes of their declarations.

use super::lengths::{self, Box3, Image};
use super::objects::SMALL;
use super::{Function, Pending, Recorder, ask, is};
use crate::layers::call::Call;
use crate::show::{Field, Kind, Shape};
use crate::table;
use record::signature::{self, Holds};
use record::{Argument, Data, Event, Memory, Value};
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// Memory that the call writes a result into.
pub struct Out {
    /// The argument's place in the record, where some have two words.
    index: usize,
    /// The parameter's name.
    name: &'static str,
    address: usize,
    len: usize,
    shape: &'static Shape,
    /// What was there before the call, unless the record has it anyway.
    before: Vec<u8>,
}

/// A kernel's parameter.
pub struct Parameter {
    size: usize,
    holds: Holds,
}

/// Images of linkers that are remembered.
const MOST_LINKED: usize = 64;
/// No structure has more of them.
const MOST: usize = 1 << 16;

/// A word of which the declaration does not say what it is.
const WORD: Shape = Shape { size: 8, kind: Kind::Union { fields: &[] } };

/// What stands around a field.
#[derive(Clone, Copy)]
struct Around<'a> {
    bytes: &'a [u8],
    base: usize,
    fields: &'static [Field],
}

impl Around<'_> {
    /// The number in the field of a name.
    fn number(&self, name: &str) -> Option<u64> {
        let field = self.fields.iter().find(|field| field.name == name)?;
        let mut word = [0; 8];
        let size = field.shape.size.min(8);
        let at = self.base + field.offset;
        word[..size].copy_from_slice(self.bytes.get(at..at + size)?);
        Some(u64::from_le_bytes(word))
    }

    /// Where each field begins, its name and its shape. The union in the parameters of a node is the member that is meant.
    fn members(&self) -> impl Iterator<Item = (usize, &'static str, &'static Shape)> + use<> {
        let (base, chosen) = (self.base, node_member(self));
        self.fields.iter().map(move |field| {
            let member = match (chosen, &field.shape.kind) {
                (Some(chosen), Kind::Union { fields }) => fields.iter().find(|member| member.name == chosen),
                _ => None,
            };
            let Field { name, shape, .. } = member.unwrap_or(field);
            (base + field.offset, *name, shape)
        })
    }
}

/// The bytes that a copy of a box uses from the address on that its source or its destination has.
fn extent(around: &Around<'_>, written: bool) -> u64 {
    let side = |src: &str, dst: &str| around.number(if written { dst } else { src }).unwrap_or(0);
    let extent = Box3 {
        x: side("srcXInBytes", "dstXInBytes"),
        y: side("srcY", "dstY"),
        z: side("srcZ", "dstZ"),
        pitch: side("srcPitch", "dstPitch"),
        rows: side("srcHeight", "dstHeight"),
        width: around.number("WidthInBytes").unwrap_or(0),
        height: around.number("Height").unwrap_or(0),
        depth: around.number("Depth").unwrap_or(1),
    };
    extent.len()
}

/// Where there is nothing between the fields of a structure of so many bytes, and behind the last: a driver may leave anything there.
fn gaps(fields: &[Field], size: usize) -> impl Iterator<Item = (usize, u8)> {
    let ends = fields.iter().skip(1).map(|field| field.offset).chain([size]);
    fields.iter().zip(ends).filter_map(|(field, end)| {
        let own = field.offset + field.shape.size;
        let len = u8::try_from(end.checked_sub(own)?).ok()?;
        (len > 0).then_some((own, len))
    })
}

fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn read_word(address: usize) -> Option<u64> {
    guard::read_pointer(address).ok().map(|word| word as u64)
}

/// A word of a list, wherever that is said to be.
fn read_listed(list: usize, index: usize) -> Option<u64> {
    read_word(list.wrapping_add(8 * index))
}

/// Two numbers for bytes, which others do not have by chance.
fn fingerprint(bytes: &[u8]) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(seed);
        hasher.write(bytes);
        u128::from(hasher.finish())
    };
    half(bytes.len() as u64) << 64 | half(!(bytes.len() as u64))
}

impl Recorder {
    /// The arguments, and what the call will write.
    pub fn arguments(&mut self, call: &Call, function: &Function) -> (Vec<Argument>, Vec<Out>) {
        let (mut arguments, mut outs) = (Vec::new(), Vec::new());
        if function.skipped {
            return (arguments, outs);
        }
        for (index, parameter) in call.entry.parameters.iter().enumerate() {
            let mut words = [0u8; 16];
            let size = parameter.ty.shape.size.min(16);
            // SAFETY: the parameter has this size.
            unsafe { call.copy(index, &mut words[..size]) };
            let word = word_at(&words, 0).unwrap_or(0);
            let argument = match &parameter.ty.shape.kind {
                Kind::Float => Argument::Float(word as u32),
                Kind::Function => {
                    if word == 0 {
                        Argument::Word(0)
                    } else {
                        self.remark(format!("{}: the program's function is not called again", call.entry.name()));
                        Argument::Function
                    }
                }
                Kind::Handle(kind) => self.handle(kind, word),
                Kind::Address => self.address(call, function, parameter.name(), word),
                Kind::Pointer { .. } | Kind::Memory { .. } if word == 0 => Argument::Word(0),
                Kind::Pointer { to, read, written } => {
                    let place = (parameter.name(), word as usize);
                    self.pointer(call, function, place, to, (*read, *written), &mut outs)
                }
                Kind::Memory { .. } => self.memory(call, function, (parameter.name(), word as usize), &mut outs),
                _ => {
                    arguments.push(Argument::Word(word));
                    if parameter.ty.shape.size > 8 {
                        arguments.push(Argument::Word(word_at(&words, 8).unwrap_or(0)));
                    }
                    continue;
                }
            };
            if let Some(out) = outs.last_mut()
                && out.index == usize::MAX
            {
                out.index = arguments.len();
            }
            arguments.push(argument);
        }
        (arguments, outs)
    }

    fn handle(&mut self, kind: &'static str, value: u64) -> Argument {
        if kind == "CUcontext" && value != 0 && self.objects.handle(kind, value).is_none() {
            self.adopt(value);
            if self.objects.handle(kind, value).is_none() {
                self.stranger = Some(value);
            }
        }
        match self.objects.handle(kind, value) {
            Some(id) if value != 0 => Argument::Object { id, offset: 0 },
            // Another process has nothing at the address.
            None if value > SMALL => {
                self.look_lost(value);
                Argument::Wild(value)
            }
            _ => Argument::Word(value),
        }
    }

    /// A context that no call has given. NVIDIA's runtime takes devices' primary contexts by private tables: the replay takes them
    /// by the function that is made for it.
    fn adopt(&mut self, context: u64) {
        const MOST_DEVICES: usize = 64;
        let mut count = 0usize;
        ask("cuDeviceGetCount", [(&raw mut count) as usize, 0, 0, 0]);
        let is_primary = |device: &usize| {
            let (mut flags, mut active, mut primary) = (0usize, 0usize, 0usize);
            let outs = ((&raw mut flags) as usize, (&raw mut active) as usize);
            ask("cuDevicePrimaryCtxGetState", [*device, outs.0, outs.1, 0])
                && active != 0
                && ask("cuDevicePrimaryCtxRetain", [(&raw mut primary) as usize, *device, 0, 0])
                && ask("cuDevicePrimaryCtxRelease_v2", [*device, 0, 0, 0])
                && primary as u64 == context
        };
        let found = (0..count.min(MOST_DEVICES)).find(is_primary);
        let (Some(device), Some(entry)) = (found, table::by_name("cuDevicePrimaryCtxRetain")) else { return };
        let function = self.function(entry).number;
        let (id, _) = self.objects.found("CUcontext", context);
        let after = Some(Data { content: self.content(&[0; 8]), words: vec![(0, Value::New(id))] });
        let out = Argument::Memory(Memory { len: 8, after, ..Memory::default() });
        let arguments = vec![out, Argument::Word(device as u64)];
        let call = record::Call { thread: self.thread(), function, code: 0, skipped: false, arguments };
        self.file.put(&Event::Call(call));
    }

    /// A context has come out of a call that had been made current before: NVIDIA's runtime does so.
    pub fn make_current(&mut self) {
        let Some(entry) = table::by_name("cuCtxSetCurrent") else { return };
        let function = self.function(entry).number;
        let objects = &self.objects;
        let known: Vec<(u64, u32)> =
            self.strangers.extract_if(.., |(context, _)| objects.handle("CUcontext", *context).is_some()).collect();
        for (context, thread) in known {
            let arguments = vec![self.handle("CUcontext", context)];
            self.file.put(&Event::Call(record::Call { thread, function, code: 0, skipped: false, arguments }));
        }
    }

    /// A handle of whatever kind, or an address in memory that is known.
    fn found_by_value(&self, word: u64) -> Option<Argument> {
        let handle = self.objects.any_handle(word).map(|id| Argument::Object { id, offset: 0 });
        handle.or_else(|| self.object(word))
    }

    /// The argument of a name as it is, and its shape.
    fn argument(&self, call: &Call, name: &str) -> Option<(u64, &'static Shape)> {
        let index = call.entry.parameters.iter().position(|parameter| parameter.name() == name)?;
        let shape = &call.entry.parameters[index].ty.shape;
        let mut word = [0; 8];
        // SAFETY: the parameter has this size.
        unsafe { call.copy(index, &mut word[..shape.size.min(8)]) };
        Some((u64::from_le_bytes(word), shape))
    }

    /// A number among the arguments, or behind one of them, by the parameter's name.
    fn number(&self, call: &Call, name: &str) -> Option<u64> {
        let (word, shape) = self.argument(call, name)?;
        match &shape.kind {
            Kind::Pointer { to, .. } if word != 0 => {
                let bytes = guard::read_vec(word as usize, to.size.min(8)).ok()?;
                let mut number = [0; 8];
                number[..bytes.len()].copy_from_slice(&bytes);
                Some(u64::from_le_bytes(number))
            }
            Kind::Pointer { .. } => None,
            _ => Some(word),
        }
    }

    fn count(&self, call: &Call, name: &str) -> usize {
        let count = lengths::counts(name).find_map(|count| self.number(call, count));
        count.map_or_else(|| lengths::constant(name), |count| (count as usize).min(MOST))
    }

    /// A device address, or with unified addressing memory of the host's.
    fn address(&mut self, call: &Call, function: &Function, name: &str, value: u64) -> Argument {
        if self.objects.is_only_lost(value) {
            self.look_lost(value);
            return Argument::Word(value);
        }
        let unified = matches!(call.entry.base, "cuMemcpy" | "cuMemcpyAsync" | "cuMemcpyWithAttributesAsync");
        let len = self.number(call, "ByteCount").or_else(|| self.number(call, "size")).unwrap_or(0);
        // Where memory ends that is known, memory of the program's may begin.
        let known = if unified { self.objects.holds(value, len) } else { self.objects.address(value) };
        if let Some((id, offset)) = known {
            return Argument::Object { id, offset };
        }
        if unified && value != 0 && guard::probe_read(value as usize, len as usize).is_ok() {
            return self.host(call, function, value as usize, len as usize, name == "dst");
        }
        self.look_lost(value);
        Argument::Word(value)
    }

    fn pointer(
        &mut self,
        call: &Call,
        function: &Function,
        (name, address): (&'static str, usize),
        to: &'static Shape,
        (read, written): (bool, bool),
        outs: &mut Vec<Out>,
    ) -> Argument {
        match name {
            "kernelParams" => {
                let handle = self.number(call, "f").unwrap_or(0);
                return self.kernel_parameters(handle, address);
            }
            "extra" => return self.extra(address),
            "optionValues" | "jitOptionsValues" | "libraryOptionValues" => return self.options(call, name, address),
            "data" => return self.places(call, address),
            _ => {}
        }
        if matches!(name, "fname" | "fileName")
            && let Ok(path) = guard::read_string(address, 1 << 16)
        {
            let Ok(mut bytes) = std::fs::read(OsStr::from_bytes(&path)) else {
                self.lost =
                    Some(format!("{}: a file that could not be read is not asked for again", call.entry.name()));
                return Argument::Word(0);
            };
            bytes.push(0);
            return self.plain(&bytes);
        }
        if read && matches!(to.kind, Kind::Character) {
            let Ok(mut text) = guard::read_string(address, 1 << 20) else { return Argument::Word(address as u64) };
            text.push(0);
            return self.plain(&text);
        }
        let len = to.size.saturating_mul(self.count(call, name));
        // Wrong addresses stay what they are.
        let Ok(bytes) = guard::read_vec(address, len) else { return Argument::Word(address as u64) };
        // A call may write a part of what is larger than a word.
        let known = read || len > 8;
        let own = if known { Vec::new() } else { bytes.clone() };
        let before = known.then(|| self.data(call, function, bytes, to));
        if written {
            outs.push(Out { index: usize::MAX, name, address, len, shape: to, before: own });
        }
        let loose = function.loose;
        Argument::Memory(Memory { len: len as u64, keep: None, before, after: None, loose })
    }

    /// An address of which the declaration does not say what is there.
    fn memory(
        &mut self,
        call: &Call,
        function: &Function,
        (name, address): (&'static str, usize),
        outs: &mut Vec<Out>,
    ) -> Argument {
        let base = call.entry.base;
        let bytes = self.number(call, "ByteCount").unwrap_or(0) as usize;
        match (name, base) {
            ("srcHost", _) => return self.host(call, function, address, bytes, false),
            ("dstHost", _) => return self.host(call, function, address, bytes, true),
            ("image" | "fatCubin" | "code", _) => return self.image(address),
            ("data", "cuLinkAddData") => {
                let len = self.number(call, "size").unwrap_or(0) as usize;
                return match guard::read_vec(address, len) {
                    Ok(bytes) => self.plain(&bytes),
                    Err(_) => Argument::Word(address as u64),
                };
            }
            ("ptr", "cuParamSetv") => {
                let len = self.number(call, "numbytes").unwrap_or(0) as usize;
                let Ok(bytes) = guard::read_vec(address, len) else { return Argument::Word(address as u64) };
                let data = self.scanned(&bytes);
                return Argument::Memory(Memory { len: len as u64, before: Some(data), ..Memory::default() });
            }
            ("p", "cuMemHostRegister") => {
                let len = self.number(call, "bytesize").unwrap_or(0) as usize;
                // A part of what is registered already is that.
                if let Some((id, offset)) = self.objects.holds(address as u64, len as u64) {
                    return Argument::Object { id, offset };
                }
                if guard::probe_read(address, len).is_ok() {
                    let id = self.objects.number();
                    return Argument::Memory(Memory { len: len as u64, keep: Some(id), ..Memory::default() });
                }
                return Argument::Word(address as u64);
            }
            ("userData", _) | ("ptr", "cuUserObjectCreate") => return Argument::Word(0),
            ("value" | "data", _) => {
                let sets = base.contains("Set");
                let len = self.number(call, "dataSize").map_or(8, |size| (size as usize).min(MOST));
                if let Ok(bytes) = guard::read_vec(address, len) {
                    let before = Some(self.data(call, function, bytes, &WORD));
                    if !sets {
                        outs.push(Out { index: usize::MAX, name, address, len, shape: &WORD, before: Vec::new() });
                    }
                    return Argument::Memory(Memory { len: len as u64, before, loose: true, ..Memory::default() });
                }
            }
            _ => {}
        }
        self.object(address as u64).unwrap_or(Argument::Word(address as u64))
    }

    /// Memory with these bytes, in which nothing is an address.
    fn plain(&mut self, bytes: &[u8]) -> Argument {
        let before = Some(Data { content: self.content(bytes), words: Vec::new() });
        Argument::Memory(Memory { len: bytes.len() as u64, before, ..Memory::default() })
    }

    fn content(&mut self, bytes: &[u8]) -> u32 {
        let key = fingerprint(bytes);
        if let Some(number) = self.contents.get(&key) {
            return *number;
        }
        let number = self.file.content(bytes);
        self.contents.insert(key, number);
        number
    }

    /// Bytes, and the words among them that are more than numbers: their places hold zeros.
    fn split(&mut self, mut bytes: Vec<u8>, mut words: Vec<(u64, Value)>) -> Data {
        words.sort_by_key(|(at, _)| *at);
        words.dedup_by_key(|(at, _)| *at);
        for (at, value) in &words {
            bytes[*at as usize..*at as usize + value.size()].fill(0);
        }
        Data { content: self.content(&bytes), words }
    }

    /// Bytes of which each word that lies in live memory is taken for an address.
    pub fn scanned(&mut self, bytes: &[u8]) -> Data {
        let (first, end) = self.objects.span();
        let mut words = Vec::new();
        for (i, word) in bytes.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes([word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]]);
            if word >= first
                && word <= end
                && let Some(object) = self.object(word)
            {
                words.push((8 * i as u64, is(object)));
            }
        }
        self.found += words.len() as u64;
        if words.is_empty() {
            return Data { content: self.content(bytes), words };
        }
        self.split(bytes.to_vec(), words)
    }

    /// Values of a type.
    fn data(&mut self, call: &Call, function: &Function, bytes: Vec<u8>, shape: &Shape) -> Data {
        let mut words = Vec::new();
        let step = shape.size.max(1);
        for base in (0..bytes.len() / step).map(|i| i * step) {
            self.words(call, function, &bytes, base, ("", shape), None, &mut words);
        }
        self.split(bytes, words)
    }

    /// The words of a value that are more than numbers.
    #[allow(clippy::too_many_arguments)]
    fn words(
        &mut self,
        call: &Call,
        function: &Function,
        bytes: &[u8],
        base: usize,
        (name, shape): (&'static str, &Shape),
        around: Option<Around<'_>>,
        words: &mut Vec<(u64, Value)>,
    ) {
        let here = word_at(bytes, base).filter(|_| shape.size >= 8).unwrap_or(0);
        let at = base as u64;
        match &shape.kind {
            Kind::Plain | Kind::Float | Kind::Character => {}
            Kind::Handle(kind) => {
                let argument = self.handle(kind, here);
                if !matches!(argument, Argument::Word(_)) {
                    words.push((at, is(argument)));
                }
            }
            Kind::Address | Kind::Memory { .. } | Kind::Pointer { .. } if here == 0 => {}
            Kind::Address => {
                // With unified addressing it may be memory of the host.
                const UNIFIED: u64 = 4;
                let written = name == "dstDevice";
                let memory_type = if written { "dstMemoryType" } else { "srcMemoryType" };
                let unified = around.filter(|_| matches!(name, "srcDevice" | "dstDevice"));
                let unified = unified.filter(|around| around.number(memory_type) == Some(UNIFIED));
                // Where the memory ends that an earlier copy has named, the program's own goes on.
                let named =
                    |around| self.objects.is_named(here) && self.objects.holds(here, extent(around, written)).is_none();
                let known = match &unified {
                    Some(around) if named(around) => None,
                    Some(_) => self.object(here).filter(|_| self.objects.holds(here, 1).is_some()),
                    None => self.object(here),
                };
                if let Some(argument) = known {
                    words.push((at, is(argument)));
                } else if let Some(around) = unified {
                    let argument = self.boxed(call, function, here as usize, &around, written);
                    words.push((at, is(argument)));
                }
            }
            Kind::Function => {
                if here != 0 {
                    self.remark(format!("{}: the program's function is not called again", call.entry.name()));
                    words.push((at, is(Argument::Function)));
                }
            }
            Kind::Memory { element } => {
                let argument = self.field(call, function, name, here as usize, *element, around);
                words.push((at, is(argument)));
            }
            Kind::Pointer { .. } => {}
            Kind::Array { of } => {
                for i in 0..shape.size / of.size.max(1) {
                    self.words(call, function, bytes, base + i * of.size, (name, of), around, words);
                }
            }
            Kind::Struct { fields } => {
                let inner = Around { bytes, base, fields };
                for (at, name, shape) in inner.members() {
                    self.words(call, function, bytes, at, (name, shape), Some(inner), words);
                }
            }
            Kind::Union { .. } => {
                let places = (0..shape.size / 8).map(|i| base + 8 * i);
                let found = |at| Some((at as u64, is(self.found_by_value(word_at(bytes, at)?)?)));
                words.extend(places.filter_map(found));
            }
        }
    }

    /// An address in a structure.
    fn field(
        &mut self,
        call: &Call,
        function: &Function,
        name: &'static str,
        address: usize,
        element: usize,
        around: Option<Around<'_>>,
    ) -> Argument {
        let number = |name: &str| around.as_ref().and_then(|around| around.number(name));
        match name {
            "kernelParams" => {
                let handles = ["func", "kern", "function"].iter().filter_map(|name| number(name));
                let handle = handles.into_iter().find(|handle| *handle != 0).unwrap_or(0);
                return self.kernel_parameters(handle, address);
            }
            "extra" => return self.extra(address),
            "userData" => return Argument::Word(0),
            "srcHost" | "dstHost" => {
                const HOST: u64 = 1;
                let written = name == "dstHost";
                let memory_type = number(if written { "dstMemoryType" } else { "srcMemoryType" });
                return match around {
                    Some(around) if memory_type == Some(HOST) => self.boxed(call, function, address, &around, written),
                    _ => Argument::Word(0),
                };
            }
            // The driver's own array, which comes out.
            "phGraph_out" => return Argument::Word(0),
            _ => {}
        }
        if let Some(count) = lengths::counts(name).find_map(number) {
            let len = (count as usize).min(MOST).saturating_mul(element);
            let Ok(bytes) = guard::read_vec(address, len) else { return Argument::Word(address as u64) };
            let data = self.data(call, function, bytes, &WORD);
            return Argument::Memory(Memory { len: len as u64, before: Some(data), ..Memory::default() });
        }
        match self.object(address as u64) {
            Some(object) => object,
            None => {
                self.remark(format!("{}: the address in {name} means nothing elsewhere", call.entry.name()));
                Argument::Word(address as u64)
            }
        }
    }

    /// The host's part of a copy of a box.
    fn boxed(
        &mut self,
        call: &Call,
        function: &Function,
        address: usize,
        around: &Around<'_>,
        written: bool,
    ) -> Argument {
        self.host(call, function, address, extent(around, written) as usize, written)
    }

    /// Memory of the host that a copy reads or writes.
    fn host(&mut self, call: &Call, function: &Function, address: usize, len: usize, written: bool) -> Argument {
        // A copy that begins in memory the driver knows and goes beyond that is refused, whatever lies there.
        let begins = self.objects.holds(address as u64, 1).filter(|_| !self.objects.is_named(address as u64));
        if let Some((id, offset)) = self.objects.holds(address as u64, len as u64).or(begins) {
            return Argument::Object { id, offset };
        }
        let Ok(bytes) = guard::read_vec(address, len) else { return Argument::Word(address as u64) };
        if function.later || self.captures > 0 {
            // It is read or written whenever the graph is launched.
            let id = self.objects.insert_named(address as u64, len as u64);
            self.watch(id, address, len);
            self.fresh = true;
            return Argument::Memory(Memory { len: len as u64, keep: Some(id), ..Memory::default() });
        }
        if !written {
            let before = Some(self.scanned(&bytes));
            return Argument::Memory(Memory { len: len as u64, before, ..Memory::default() });
        }
        // Gaps between rows stay as they are.
        let gaps = !call.entry.name().contains("toH");
        let before = gaps.then(|| self.scanned(&bytes));
        let object = self.objects.number();
        let stream = self.stream(call, function);
        // SAFETY: asks for a number.
        let caller = Some(unsafe { libc::gettid() } as u32);
        self.pending.push(Pending { object, address, len, stream, caller });
        Argument::Memory(Memory { len: len as u64, keep: Some(object), before, ..Memory::default() })
    }

    fn image(&mut self, address: usize) -> Argument {
        let read = |at, len| guard::read_vec(at, len).ok();
        let bytes = match lengths::image(address, read) {
            Some(Image::Bytes(len)) => guard::read_vec(address, len),
            Some(Image::Wrapper((fat, len), parts)) if parts.is_empty() => guard::read_vec(fat, len),
            Some(Image::Wrapper(whole, parts)) => return self.linked_program(address, whole, &parts),
            None => guard::read_string(address, 1 << 30).map(|mut text| {
                text.push(0);
                text
            }),
        };
        match bytes {
            Ok(bytes) => match self.linked_as(&bytes) {
                Some(id) => Argument::Object { id, offset: 0 },
                None => self.plain(&bytes),
            },
            Err(_) => Argument::Word(address as u64),
        }
    }

    /// The image that a linker of the driver's has made of these bytes: its input is in the record, and another device's linker makes
    /// another one.
    fn linked_as(&self, bytes: &[u8]) -> Option<u32> {
        /// What a reader of files adds or leaves away behind the last section.
        const SLACK: usize = 64;
        let same = |image: &[u8]| {
            let len = image.len().min(bytes.len());
            len > 0 && image[..len] == bytes[..len] && image.len().abs_diff(bytes.len()) <= SLACK
        };
        self.linked.iter().rev().find(|(image, _)| same(image)).map(|(_, id)| *id)
    }

    /// The structure of a program that was compiled in pieces, with the linked image and the parts.
    fn linked_program(&mut self, address: usize, whole: (usize, usize), parts: &[(usize, usize)]) -> Argument {
        let mut piece = |(at, len): (usize, usize)| {
            guard::read_vec(at, len).map_or(Argument::Word(at as u64), |bytes| self.plain(&bytes))
        };
        let whole = piece(whole);
        let words = parts.iter().enumerate().map(|(i, part)| (8 * i as u64, is(piece(*part)))).collect();
        let len = 8 * (parts.len() + 1);
        let before = Some(Data { content: self.content(&vec![0; len]), words });
        let list = Argument::Memory(Memory { len: len as u64, before, ..Memory::default() });
        let Ok(mut wrapper) = guard::read_vec(address, 24) else { return Argument::Word(address as u64) };
        wrapper[8..].fill(0);
        let words = vec![(8, is(whole)), (16, is(list))];
        let len = wrapper.len() as u64;
        let before = Some(Data { content: self.content(&wrapper), words });
        Argument::Memory(Memory { len, before, ..Memory::default() })
    }

    /// A kernel's parameters.
    fn parameters(&mut self, handle: u64) -> Option<Arc<Vec<Parameter>>> {
        if let Some(known) = self.kernels.get(&handle) {
            return Some(known.clone());
        }
        const MOST: usize = 4096;
        // Drivers of today say how many there are, older ones only of each whether it is there.
        let mut name = 0usize;
        let out = (&raw mut name) as usize;
        let info = if ask("cuFuncGetName", [out, handle as usize, 0, 0]) {
            "cuFuncGetParamInfo"
        } else if ask("cuKernelGetName", [out, handle as usize, 0, 0]) {
            "cuKernelGetParamInfo"
        } else {
            return None;
        };
        let size = |index: usize| {
            let (mut offset, mut size) = (0usize, 0usize);
            let outs = ((&raw mut offset) as usize, (&raw mut size) as usize);
            ask(info, [handle as usize, index, outs.0, outs.1]).then_some(size)
        };
        let sizes: Vec<usize> = (0..MOST).map_while(size).collect();
        let name = guard::read_string(name, 1 << 16).unwrap_or_default();
        let holds = signature::holds(&String::from_utf8_lossy(&name));
        // Where the name does not say what they are, each may be anything.
        let holds = |i: usize| if holds.len() == sizes.len() { holds[i] } else { Holds::Handles };
        let parameters = sizes.iter().enumerate().map(|(i, size)| Parameter { size: *size, holds: holds(i) });
        let parameters = Arc::new(parameters.collect::<Vec<_>>());
        self.kernels.insert(handle, parameters.clone());
        Some(parameters)
    }

    fn kernel_parameters(&mut self, handle: u64, address: usize) -> Argument {
        if address == 0 {
            return Argument::Word(0);
        }
        let Some(parameters) = self.parameters(handle) else {
            self.remark("launches of kernels of which the driver does not say what parameters they have".into());
            return Argument::Word(0);
        };
        let mut words = Vec::new();
        for (i, Parameter { size, holds }) in parameters.iter().enumerate() {
            let place = read_listed(address, i).unwrap_or(0);
            let Ok(bytes) = guard::read_vec(place as usize, *size) else {
                words.push((8 * i as u64, is(Argument::Word(place))));
                continue;
            };
            let before = Some(self.parameter(&bytes, *holds));
            words.push((8 * i as u64, is(Argument::Memory(Memory { len: *size as u64, before, ..Memory::default() }))));
        }
        let len = 8 * parameters.len();
        let content = self.content(&vec![0; len]);
        Argument::Memory(Memory { len: len as u64, before: Some(Data { content, words }), ..Memory::default() })
    }

    /// A parameter of a kernel: addresses, textures and the like are found by value, small numbers where the parameter may have some.
    fn parameter(&mut self, bytes: &[u8], holds: Holds) -> Data {
        let mut words = Vec::new();
        for at in (0..bytes.len() / 8).map(|i| 8 * i) {
            let Some(word) = word_at(bytes, at) else { continue };
            if holds == Holds::Code && word != 0 {
                words.push((at as u64, is(Argument::Code(word))));
            } else if self.objects.is_only_lost(word) {
                self.look_lost(word);
            } else if let Some(argument) = self.found_by_value(word) {
                words.push((at as u64, is(argument)));
            } else if holds == Holds::Handles
                && let Some((id, several)) = self.objects.small_handle(word)
            {
                words.push((at as u64, is(Argument::Object { id, offset: 0 })));
                let others = if several { ", though there is a surface or a condition of this number" } else { "" };
                self.remark(format!(
                    "a kernel's parameter is {word}, which was taken for a texture or the like{others}"
                ));
            } else if bytes.len() == 8 && word > 0xffff && guard::probe_read(word as usize, 1).is_ok() {
                self.remark(
                    "a kernel's parameter is the address of memory of the host that nobody has registered".into(),
                );
            }
        }
        self.split(bytes.to_vec(), words)
    }

    /// Parameters in one piece: pairs of a word and an address, and a 0.
    fn extra(&mut self, address: usize) -> Argument {
        const BUFFER: u64 = 1;
        const SIZE: u64 = 2;
        let pairs: Vec<(u64, u64)> = (0..8)
            .map(|i| (read_listed(address, 2 * i).unwrap_or(0), 2 * i + 1))
            .take_while(|(key, _)| *key != 0)
            .map(|(key, at)| (key, read_listed(address, at).unwrap_or(0)))
            .collect();
        let find = |wanted| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        let size = find(SIZE).and_then(|at| read_word(at as usize)).unwrap_or(0) as usize;
        let bytes = find(BUFFER).and_then(|at| guard::read_vec(at as usize, size.min(MOST)).ok());
        let Some(bytes) = bytes else { return Argument::Word(0) };
        let before = Some(self.parameter(&bytes, Holds::Handles));
        let buffer = Argument::Memory(Memory { len: bytes.len() as u64, before, ..Memory::default() });
        let size = self.plain(&(bytes.len() as u64).to_le_bytes());
        let list: Vec<u8> = [BUFFER, 0, SIZE, 0, 0].iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        let data = Data { content: self.content(&list), words: vec![(8, is(buffer)), (24, is(size))] };
        Argument::Memory(Memory { len: list.len() as u64, before: Some(data), ..Memory::default() })
    }

    /// Values of options of compilers and libraries: numbers, or buffers whose sizes are other options.
    fn options(&mut self, call: &Call, name: &'static str, address: usize) -> Argument {
        const INFO_LOG: (u32, u32) = (3, 4);
        const ERROR_LOG: (u32, u32) = (5, 6);
        const GLOBALS: [u32; 2] = [17, 18];
        let keys = match name {
            "optionValues" => "options",
            "jitOptionsValues" => "jitOptions",
            _ => "libraryOptions",
        };
        let count = self.count(call, name);
        let keys = self.argument(call, keys).map_or(0, |(at, _)| at as usize);
        let keys = guard::read_vec(keys, 4 * count).unwrap_or_default();
        let keys: Vec<u32> = keys.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let Ok(values) = guard::read_vec(address, 8 * count) else { return Argument::Word(address as u64) };
        let mut words = Vec::new();
        let jit = name != "libraryOptionValues";
        for (i, key) in keys.iter().enumerate().filter(|_| jit) {
            let log = [INFO_LOG, ERROR_LOG].into_iter().find(|(buffer, _)| buffer == key);
            if let Some((_, size)) = log {
                let size = keys.iter().position(|key| *key == size).and_then(|at| word_at(&values, 8 * at));
                let len = u64::from(size.unwrap_or(0) as u32).min(1 << 24);
                words.push((8 * i as u64, is(Argument::Memory(Memory { len, ..Memory::default() }))));
            } else if GLOBALS.contains(key) {
                self.remark(format!("{}: addresses of the program's for names", call.entry.name()));
                words.push((8 * i as u64, is(Argument::Word(0))));
            }
        }
        let len = values.len() as u64;
        let before = Some(self.split(values, words));
        Argument::Memory(Memory { len, before, ..Memory::default() })
    }

    /// Addresses of places for several results.
    fn places(&mut self, call: &Call, address: usize) -> Argument {
        let count = self.count(call, "data");
        let sizes = self.argument(call, "dataSizes").map(|(at, _)| at as usize);
        let zero = vec![0; 8 * count];
        let mut words = Vec::new();
        for i in 0..count {
            let len = sizes.and_then(|at| read_listed(at, i)).unwrap_or(16).min(MOST as u64);
            let is_null = read_listed(address, i).unwrap_or(0) == 0;
            let memory = Argument::Memory(Memory { len, loose: true, ..Memory::default() });
            words.push((8 * i as u64, is(if is_null { Argument::Word(0) } else { memory })));
        }
        let data = Data { content: self.content(&zero), words };
        Argument::Memory(Memory { len: zero.len() as u64, before: Some(data), ..Memory::default() })
    }

    /// What a call has written, after it has succeeded.
    pub fn filled(&mut self, call: &Call, out: &Out, arguments: &mut [Argument]) {
        let Ok(bytes) = guard::read_vec(out.address, out.len) else { return };
        let mut words = Vec::new();
        let step = out.shape.size.max(1);
        for base in (0..bytes.len() / step).map(|i| i * step) {
            self.results(call, &bytes, base, (out.name, out.shape), None, &mut words);
        }
        // A call may leave a result as it was.
        let left = words.is_empty() && bytes == out.before;
        let after = self.split(bytes, words);
        if let Some(Argument::Memory(memory)) = arguments.get_mut(out.index) {
            if left && memory.before.is_none() {
                memory.before = Some(Data { content: after.content, words: Vec::new() });
            }
            memory.after = Some(after);
        }
    }

    /// Memory of the host that a call has registered: one that fails changes nothing about what is known.
    pub fn registered(&mut self, call: &Call, arguments: &[Argument]) {
        if call.entry.base == "cuMemHostRegister"
            && let Some(Argument::Memory(Memory { len, keep: Some(id), .. })) = arguments.first()
        {
            // SAFETY: the first parameter is an address.
            let address = unsafe { call.argument::<u64>(0) };
            self.objects.insert_as(*id, address, *len);
            self.watch(*id, address as usize, *len as usize);
            self.fresh = true;
        }
    }

    /// What a call has given that is not asked again: nothing that is about that can be asked.
    pub fn lose(&mut self, call: &Call) {
        // SAFETY: words in the declarations of these functions.
        let word = |index| unsafe { call.argument::<u64>(index) };
        match call.entry.base {
            "cuMemMap" => self.objects.hide(word(0), word(1)),
            "cuMemUnmap" => self.objects.forget(word(0)),
            _ => {}
        }
        for (index, parameter) in call.entry.parameters.iter().enumerate() {
            let Kind::Pointer { to, written: true, .. } = &parameter.ty.shape.kind else { continue };
            // SAFETY: a pointer is a word.
            let place = unsafe { call.argument::<usize>(index) };
            let Some(word) = read_word(place).filter(|word| *word > SMALL && to.size == 8) else { continue };
            match to.kind {
                Kind::Handle(kind) if self.objects.handle(kind, word).is_none() => self.objects.lose(word, 1),
                Kind::Address if self.objects.holds(word, 1).is_none() => {
                    const RANGE_SIZE: usize = 12;
                    let mut bytes = 0usize;
                    ask("cuPointerGetAttribute", [(&raw mut bytes) as usize, RANGE_SIZE, word as usize, 0]);
                    self.objects.lose(word, bytes as u64);
                }
                _ => {}
            }
        }
    }

    /// A handle or an address that nobody knows may be one that was lost.
    fn look_lost(&mut self, value: u64) {
        if self.objects.is_lost(value) || self.objects.is_hidden(value) {
            self.lost = Some("calls about what calls gave that are not asked again: not asked either".into());
        }
    }

    fn results(
        &mut self,
        call: &Call,
        bytes: &[u8],
        base: usize,
        (name, shape): (&'static str, &Shape),
        around: Option<Around<'_>>,
        words: &mut Vec<(u64, Value)>,
    ) {
        let here = word_at(bytes, base).filter(|_| shape.size >= 8).unwrap_or(0);
        let at = base as u64;
        match &shape.kind {
            Kind::Plain | Kind::Float | Kind::Character => {}
            Kind::Handle(_) | Kind::Address | Kind::Memory { .. } | Kind::Function if here == 0 => {}
            Kind::Handle("CUstream") if here <= 2 => {}
            Kind::Handle(kind) => {
                let (id, new) = self.objects.found(kind, here);
                words.push((at, if new { Value::New(id) } else { is(Argument::Object { id, offset: 0 }) }));
            }
            Kind::Address => {
                // Where one variable ends, another one may begin.
                let value = match self.objects.holds(here, 1).filter(|_| !takes_memory(call)) {
                    Some((id, offset)) => is(Argument::Object { id, offset }),
                    None => {
                        let len = around.and_then(|around| around.number("bytesize"));
                        Value::New(self.allocated(call, here, len))
                    }
                };
                words.push((at, value));
            }
            Kind::Memory { .. } | Kind::Function | Kind::Pointer { .. } => {
                let value = match call.entry.base {
                    "cuMemAllocHost" | "cuMemHostAlloc" => Value::New(self.allocated(call, here, None)),
                    "cuLinkComplete" => self.linked_at(call, here),
                    _ => self.list(call, name, here, around).unwrap_or(Value::Any),
                };
                words.push((at, value));
            }
            Kind::Array { of } => {
                for i in 0..shape.size / of.size.max(1) {
                    self.results(call, bytes, base + i * of.size, (name, of), around, words);
                }
            }
            Kind::Struct { fields } => {
                let inner = Around { bytes, base, fields };
                words.extend(gaps(fields, shape.size).map(|(at, len)| ((base + at) as u64, Value::Gap(len))));
                for (at, name, shape) in inner.members() {
                    self.results(call, bytes, at, (name, shape), Some(inner), words);
                }
            }
            Kind::Union { .. } => {
                let places = (0..shape.size / 8).map(|i| base + 8 * i);
                let found = |at| Some((at as u64, is(self.found_by_value(word_at(bytes, at)?)?)));
                words.extend(places.filter_map(found));
            }
        }
    }

    /// A list of handles in memory of the driver's.
    fn list(&mut self, call: &Call, name: &str, address: u64, around: Option<Around<'_>>) -> Option<Value> {
        let (kind, count) = match name {
            "phGraph_out" => ("CUgraph", around?.number("size")?),
            "dependencies_out" => ("CUgraphNode", self.number(call, "numDependencies_out")?),
            _ => return None,
        };
        let bytes = guard::read_vec(address as usize, 8 * (count as usize).min(MOST)).ok()?;
        let mut words = Vec::new();
        for at in (0..bytes.len()).step_by(8) {
            let handle = word_at(&bytes, at).filter(|handle| *handle != 0)?;
            let (id, new) = self.objects.found(kind, handle);
            words.push((at as u64, if new { Value::New(id) } else { is(Argument::Object { id, offset: 0 }) }));
        }
        Some(Value::Leads(self.split(bytes, words)))
    }

    /// What a linker has made.
    fn linked_at(&mut self, call: &Call, address: u64) -> Value {
        let len = self.number(call, "sizeOut").unwrap_or(0) as usize;
        let Ok(bytes) = guard::read_vec(address as usize, len) else { return Value::Any };
        let id = self.objects.number();
        self.linked.push((bytes, id));
        if self.linked.len() > MOST_LINKED {
            self.linked.remove(0);
        }
        Value::New(id)
    }

    /// Memory that a call has given: its number.
    fn allocated(&mut self, call: &Call, address: u64, len: Option<u64>) -> u32 {
        let size = |name: &str| self.number(call, name).filter(|size| *size > 0);
        let pitched = || Some(size("pPitch")?.saturating_mul(size("Height")?));
        let variable = || self.size_of_variable(call);
        let len = len
            .or_else(variable)
            .or_else(pitched)
            .or_else(|| size("bytesize"))
            .or_else(|| size("bytes"))
            .or_else(|| size("size"));
        let len = len.unwrap_or_else(|| {
            const RANGE_SIZE: usize = 12;
            let mut bytes = 0usize;
            ask("cuPointerGetAttribute", [(&raw mut bytes) as usize, RANGE_SIZE, address as usize, 0]);
            bytes as u64
        });
        let id = self.objects.insert(address, len);
        if call.entry.base.starts_with("cuGraphAdd") {
            self.graph_memory.insert(address);
        } else {
            self.graph_memory.remove(&address);
        }
        const IS_MANAGED: usize = 8;
        let base = call.entry.base;
        let mut managed = 0u64;
        let visible = matches!(base, "cuMemAllocHost" | "cuMemHostAlloc" | "cuMemAllocManaged")
            || ((base.contains("Global") || base.contains("Managed"))
                && ask("cuPointerGetAttribute", [(&raw mut managed) as usize, IS_MANAGED, address as usize, 0])
                && managed as u32 != 0);
        if visible {
            self.watch(id, address as usize, len as usize);
            // Variables of modules begin with values.
            if base.contains("Global") || base.contains("Managed") {
                self.settle(id);
            }
        }
        id
    }

    /// Bytes of a module's variable that a call has asked for: programs leave them out, and the driver's memory around it is larger.
    fn size_of_variable(&self, call: &Call) -> Option<u64> {
        let asks = ["cuModuleGetGlobal", "cuLibraryGetGlobal", "cuLibraryGetManaged"].contains(&call.entry.base);
        // SAFETY: both are words in the declarations of these functions.
        let (module, name) = unsafe { (call.argument::<usize>(2), call.argument::<usize>(3)) };
        let mut bytes = 0usize;
        let asked = asks && ask(call.entry.name(), [0, (&raw mut bytes) as usize, module, name]);
        (asked && bytes > 0).then_some(bytes as u64)
    }

    /// What is in new memory is nobody's doing.
    fn settle(&mut self, id: u32) {
        for region in self.regions.iter_mut().filter(|region| region.object == id) {
            if let Ok(now) = guard::read_vec(region.address, region.shadow.len()) {
                region.shadow = now;
            }
        }
    }

    /// A call has succeeded that ends what goes in.
    pub fn ended(&mut self, call: &Call) {
        // These count how often they were given.
        let shared = ["PrimaryCtx", "UserObject", "MemRelease"].iter().any(|word| call.entry.base.contains(word));
        for (index, parameter) in call.entry.parameters.iter().enumerate().filter(|_| !shared) {
            // SAFETY: a word, as its kind says.
            let word = || unsafe { call.argument::<u64>(index) };
            match parameter.ty.shape.kind {
                Kind::Handle(kind) if kind != "CUstream" || call.entry.base == "cuStreamDestroy" => {
                    self.objects.gone(kind, word());
                    self.objects.forget(word());
                }
                Kind::Address | Kind::Memory { .. } if parameter.name() != "userData" => {
                    let address = word();
                    // What a graph takes is there again with its next launch.
                    if self.graph_memory.contains(&address) {
                        continue;
                    }
                    self.objects.remove(address);
                    self.objects.forget(address);
                    self.regions.retain(|region| region.address as u64 != address);
                }
                _ => {}
            }
        }
        if call.entry.base.contains("Unload") {
            self.kernels.clear();
        }
    }
}

/// Whether an address that comes out is that of new memory, whatever was there before.
fn takes_memory(call: &Call) -> bool {
    let base = call.entry.base;
    base.starts_with("cuMemAlloc") || base == "cuMemAddressReserve" || base.starts_with("cuGraphAdd")
}

/// The member of the union in the parameters of a node that its type means.
fn node_member(around: &Around<'_>) -> Option<&'static str> {
    const MEMBERS: [(&str, u64); 13] = [
        ("kernel", 0),
        ("memcpy", 1),
        ("memset", 2),
        ("host", 3),
        ("graph", 4),
        ("eventWait", 6),
        ("eventRecord", 7),
        ("extSemSignal", 8),
        ("extSemWait", 9),
        ("alloc", 10),
        ("free", 11),
        ("memOp", 12),
        ("conditional", 13),
    ];
    let member = |field: &Field| match &field.shape.kind {
        Kind::Union { fields } => fields.iter().any(|field| field.name == "extSemSignal"),
        _ => false,
    };
    around.fields.iter().find(|field| member(field))?;
    let number = around.number("type").or_else(|| around.number("r#type"))?;
    MEMBERS.iter().find(|(_, value)| *value == number & 0xffff_ffff).map(|(name, _)| *name)
}
