//! What arguments are drawn: for each by its type and its name, right or wrong.

use crate::caller::{Argument, Caller, Function, HOST, MANAGED, Result};
use crate::kernels::{CALLEE, CALLER, GLOBALS, IMAGES, KERNELS, WORKING};
use crate::memory::{self, Use};
use crate::schema::{Id, Param, Shape};
use std::sync::PoisonError;

/// `CU_COREDUMP_ENABLE_ON_EXCEPTION`, and what says whether a dump ends the process: `CU_COREDUMP_TRIGGER_HOST` and
/// `CU_COREDUMP_GENERATION_FLAGS`.
const ENABLE_DUMPS: u64 = 1;
const HOST_DUMP: u64 = 2;
const DUMP_FLAGS: u64 = 7;

impl Caller {
    fn is_wrong(&mut self) -> bool {
        self.wrong != 0 && self.random.below(100) < self.wrong
    }

    pub fn argument(&mut self, param: &Param) -> Argument {
        let ty = &self.world.schema.types[param.ty];
        match ty.shape {
            Shape::Float => Argument::Float(self.float()),
            Shape::Struct(_) | Shape::Union(_) => {
                let at = self.take(0, ty.size.next_multiple_of(8));
                self.fill(param.ty, at, &param.name);
                Argument::Words((0..ty.size.div_ceil(8)).map(|i| memory::get(at + i * 8, 8)).collect())
            }
            _ => Argument::Word(self.word(param.ty, &param.name)),
        }
    }

    fn float(&mut self) -> f32 {
        *self.random.pick(&[0.0, 1.0, -1.0, 0.5, 15.0, f32::NAN, f32::INFINITY, 1e30])
    }

    /// A value of a type that fits into a word.
    fn word(&mut self, ty: Id, name: &str) -> u64 {
        let of = &self.world.schema.types[ty];
        match &of.shape {
            Shape::Int => self.integer(name, of.size),
            Shape::Float => u64::from(self.float().to_bits()),
            Shape::Object(kind) => self.object(*kind, name),
            Shape::Enum(values) => {
                let often: &[u64] = match of.name.as_str() {
                    "CUarray_format" => &[1, 2, 3, 8, 9, 10, 16, 32],
                    "CUmemLocationType" => &[1, 1, 1, 2],
                    "CUmemAllocationType" => &[1],
                    _ => &[],
                };
                if self.is_wrong() {
                    *self.random.pick(&[0, 1, 17, 99, 0x7fff_ffff, 0xffff_ffff])
                } else if !often.is_empty() && self.random.below(4) != 0 {
                    *self.random.pick(often)
                } else {
                    *self.random.pick(values)
                }
            }
            Shape::Pointer(to, written) => self.pointer(*to, *written, name) as u64,
            Shape::Function => self.callback(&of.name),
            Shape::Struct(_) | Shape::Union(_) | Shape::Array(..) => unreachable!("{} is no word", of.name),
        }
    }

    fn callback(&mut self, ty: &str) -> u64 {
        if self.is_wrong() {
            return 0;
        }
        // By the type's text: a function that counts a block's memory returns something.
        if ty.contains("blockSize") {
            callbacks::block_memory as *const () as u64
        } else {
            callbacks::any as *const () as u64
        }
    }

    fn object(&mut self, kind: usize, name: &str) -> u64 {
        let world = self.world;
        let kind_name = world.schema.kinds[kind].as_str();
        let objects = world.objects();
        if self.wrong != 0 && self.random.below(100) < self.wrong {
            let other = self.random.below(objects.live.len());
            return match self.random.below(6) {
                0 => 0,
                1 if !objects.dead[kind].is_empty() => *self.random.pick(&objects.dead[kind]),
                2 if !objects.live[other].is_empty() => *self.random.pick(&objects.live[other]),
                3 if !objects.live[kind].is_empty() => {
                    *self.random.pick(&objects.live[kind]) ^ (1 << (self.random.next() % 47))
                }
                4 => *self.random.pick(&[1, 2, 0x1230, u64::MAX, 1 << 63, 0x7fff_ffff_f000]),
                _ => self.random.next() | 1 << 63,
            };
        }
        let special = match kind_name {
            "CUstream" => self.random.below(5) == 0,
            "CUcontext" => self.random.below(6) == 0,
            _ => false,
        };
        if special {
            return if kind_name == "CUstream" { *self.random.pick(&[0, 1, 2]) } else { 0 };
        }
        match kind_name {
            "CUgraph" if self.graph != 0 && name != "childGraph" && name != "graph" => return self.graph,
            "CUgraphExec" if self.exec != 0 => return self.exec,
            "CUgraphNode" if self.graph != 0 => {
                if let Some(nodes) = objects.nodes.get(&self.graph).filter(|nodes| !nodes.is_empty()) {
                    // Most functions are for nodes of one sort.
                    let base = world.functions[self.function].entry.base;
                    let fits: Vec<u64> =
                        nodes.iter().filter(|(_, sort)| base.contains(sort)).map(|node| node.0).collect();
                    let any = self.random.pick(nodes).0;
                    return if fits.is_empty() || self.random.below(8) == 0 { any } else { *self.random.pick(&fits) };
                }
            }
            _ => {}
        }
        let managed = ["cuMemPrefetch", "cuMemAdvise", "cuMemRange", "cuMemDiscard", "cuStreamAttach", "cuPointer"];
        if kind_name == "CUdeviceptr" && managed.iter().any(|start| self.base().starts_with(start)) {
            let live = &objects.live[world.kind(MANAGED)];
            if !live.is_empty() && self.random.below(4) != 0 {
                return *self.random.pick(live);
            }
        }
        let latest = self.latest.as_ref().map_or(0, |latest| latest[kind]);
        if latest != 0 && self.random.below(6) != 0 {
            return self.inside(kind_name, latest);
        }
        let live = &objects.live[kind];
        // Device pointers: any memory that the device reaches.
        if kind_name == "CUdeviceptr" && (live.is_empty() || self.random.below(8) == 0) {
            let host = &objects.live[world.kind(HOST)];
            if !host.is_empty() && self.random.below(2) == 0 {
                return *self.random.pick(host);
            }
            drop(objects);
            return self.data() as u64;
        }
        if live.is_empty() {
            return 0;
        }
        let value = *self.random.pick(live);
        self.inside(kind_name, value)
    }

    /// An address inside of an allocation, now and then.
    fn inside(&mut self, kind: &str, value: u64) -> u64 {
        if kind == "CUdeviceptr" && self.random.below(4) == 0 {
            value + *self.random.pick(&[1, 4, 64, 256, 512, 4096, 65536])
        } else {
            value
        }
    }

    fn integer(&mut self, name: &str, size: usize) -> u64 {
        let base = self.base();
        let random = &mut self.random;
        let bit = 1 << random.below(size * 8);
        if self.wrong != 0 && random.below(100) < self.wrong {
            let value = match random.below(7) {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << random.below(64),
                3 => (1 << random.below(64)) - 1,
                4 => random.next(),
                5 => (random.next() % 64).wrapping_neg(),
                _ => 1 + random.next() % 100,
            };
            // Managed and host memory of a middling size would be had, and a memset of it would take minutes.
            let makes = base.contains("Alloc") || base == "cuMemCreate";
            return if makes && (64 << 20..1 << 46).contains(&value) { value % (64 << 20) } else { value };
        }
        let lower = name.to_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
        // Memory of the host has no bound but the machine's: never a middling size.
        let host = ["cuMemAllocHost", "cuMemHostAlloc", "cuMemAllocManaged"].contains(&base);
        let large = base.starts_with("cuMemAddress")
            || ["cuMemCreate", "cuMemMap", "cuMemUnmap", "cuMemSetAccess"].contains(&base);
        match () {
            _ if has(&["reserved", "pad", "oversize"]) => 0,
            // What the manual demands.
            _ if has(&["flags"]) && base == "cuUserObjectCreate" => 1,
            _ if has(&["flags"]) && base == "cuEventCreate" => *random.pick(&[0, 0, 1, 2, 6, 6]),
            _ if has(&["flags"]) && ["cuMemAllocManaged", "cuStreamAttachMemAsync"].contains(&base) => {
                *random.pick(&[1, 2, 4])
            }
            _ if has(&["flags"]) && base.contains("Array") && base.contains("Create") => {
                *random.pick(&[0, 0, 0, 0, 1, 2, 2, 4, 6, 5, 8, 0x10, 0x20, 0x40, 0x80])
            }
            _ if has(&["flags", "bitmask"]) => {
                *random.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 8, 0x40, bit])
            }
            _ if has(&["numoptions", "numjitoptions", "numlibraryoptions", "numattrs"]) => {
                *random.pick(&[0, 0, 0, 1, 2])
            }
            _ if lower == "cudaversion" => *random.pick(&[13000, 12000, 11000, 3000, 1]),
            _ if has(&["idxs"]) => *random.pick(&[0, 0, 0, 0, 0, 0, 1, 2]),
            _ if lower == "id" => *random.pick(&[0, 0, 1, u64::MAX]),
            _ if has(&["refcount"]) => *random.pick(&[1, 2, 3]),
            _ if has(&["griddimx", "grid_w"]) => *random.pick(&[1, 1, 1, 2, 3, 8, 0, 100]),
            _ if has(&["griddim", "grid_"]) => *random.pick(&[1, 1, 1, 1, 2, 0]),
            _ if has(&["blockdimx"]) => *random.pick(&[1, 32, 33, 64, 128, 1, 32, 1024, 1025]),
            _ if has(&["blockdim"]) => *random.pick(&[1, 1, 1, 1, 2, 0]),
            _ if has(&["shared", "smem"]) => *random.pick(&[0, 0, 0, 0, 1024, 48 << 10, 64 << 10, 256 << 10]),
            _ if lower == "dev" || has(&["device", "ordinal"]) && size == 4 => {
                *random.pick(&[0, 0, 0, 0, 1, 1, 2, u64::MAX])
            }
            _ if lower == "numpackedcomponents" || has(&["numchannels"]) => *random.pick(&[1, 1, 2, 4, 4, 3]),
            _ if large && has(&["size"]) => *random.pick(&[2 << 20, 2 << 20, 4 << 20, 8 << 20, 4096, 0]),
            _ if host && has(&["size"]) => *random.pick(&[4, 4096, 1 << 16, 1 << 20, 100, 3, 1 << 46, u64::MAX]),
            _ if lower == "count"
                && ["cuMemPrefetch", "cuMemAdvise", "cuMemRange"].iter().any(|p| base.starts_with(p)) =>
            {
                *random.pick(&[4096, 65536, 1, 4, 1 << 20])
            }
            _ if has(&["count", "num", "nb", "dependencies"]) => *random.pick(&[1, 1, 2, 1, 2, 3, 4, 0]),
            _ if has(&["pitch", "rowlength"]) => *random.pick(&[0, 256, 512, 1024, 64, 4096]),
            _ if has(&["alignment"]) => *random.pick(&[0, 0, 0, 2 << 20, 4096, 3]),
            _ if has(&["depth"]) && base.contains("Create") => *random.pick(&[0, 0, 0, 1, 4, 6, 16]),
            _ if has(&["depth"]) => *random.pick(&[1, 1, 1, 0, 2, 4]),
            _ if has(&["width", "height"]) => *random.pick(&[1, 4, 16, 16, 32, 64, 64, 0, 100]),
            _ if has(&["offset", "lod", "level", "idx", "index", "srcx", "srcy", "srcz", "dstx", "dsty", "dstz"]) => {
                *random.pick(&[0, 0, 0, 0, 0, 1, 2, 4, 16])
            }
            _ if has(&["size"]) && base.contains("Alloc") => {
                *random.pick(&[4096, 1 << 16, 1 << 16, 1 << 20, 2 << 20, 100, 4 << 20, 1])
            }
            _ if has(&["bytes", "size", "length", "len"]) || lower == "n" || lower == "count" => {
                *random.pick(&[4, 16, 64, 100, 256, 1024, 4096, 4096, 65536, 1 << 20, 1, 0])
            }
            _ if lower == "value" && base == "cuCtxSetLimit" => {
                *random.pick(&[0, 1024, 4096, 1 << 16, 1 << 20, 8 << 20])
            }
            _ if has(&["priority"]) => *random.pick(&[0, 0, u64::MAX, u64::MAX - 1, u64::MAX - 4, 1, 5]),
            _ if lower == "x" => *random.pick(&[1, 32, 64]),
            _ if lower == "y" || lower == "z" => *random.pick(&[1, 1, 1, 0]),
            _ => *random.pick(&[0, 0, 1, 1, 2, 3, 4, 7, 16, 64, 100, 4096]),
        }
    }

    // ---- memory for arguments

    /// So many bytes, all zero, of an area.
    pub fn take(&mut self, what: usize, len: usize) -> usize {
        let len = len.next_multiple_of(16);
        if self.next[what] + len > memory::SIZE {
            self.next[what] = 0;
        }
        let at = memory::area(self.thread, if what == 0 { Use::Read } else { Use::Written }) + self.next[what];
        self.next[what] += len;
        memory::fill(at, len, 0);
        at
    }

    /// Host memory for copies: most of the area is behind it.
    fn data(&mut self) -> usize {
        memory::area(self.thread, Use::Data) + *self.random.pick(&[0, 4096, 1 << 16, 64, 1, 100, (memory::SIZE - 64)])
    }

    /// The end of an area, with unreadable memory behind.
    fn edge(&mut self, what: Use) -> usize {
        memory::area(self.thread, what) + memory::SIZE - self.random.below(9)
    }

    fn pointer(&mut self, to: Option<Id>, written: bool, name: &str) -> usize {
        let world = self.world;
        // Nothing but what was made to be one.
        let acts = to.is_some_and(|to| world.schema.acts(to, 0));
        // A number that may be that of a descriptor, which somebody has to close: nobody else writes there.
        let opens = to.is_none() && OPENS.contains(&name.to_lowercase().as_str());
        if self.is_wrong() {
            return match self.random.below(6) {
                0 | 1 => 0,
                2 => 0x1230,
                3 => (self.random.next() | 1 << 63) as usize,
                4 if !acts && !written => self.edge(if opens { Use::Written } else { Use::Data }),
                5 if !acts && !written && !opens => {
                    memory::area(self.thread, Use::Read) + self.random.below(memory::SIZE / 16) * 8
                }
                _ => GUARDED,
            };
        }
        let Some(to) = to else { return self.void(name) };
        let of = &world.schema.types[to];
        if written {
            let at = self.take(1, (of.size * 16).max(256));
            self.results.push(Result { at, ty: to, many: name.ends_with('s') || name.contains("dependencies") });
            return at;
        }
        if name.starts_with("reserved") {
            return 0;
        }
        if of.size == 1 {
            return self.text(name);
        }
        let lower = name.to_lowercase();
        if let Shape::Pointer(None, _) = of.shape {
            return self.pointers(&lower);
        }
        let optional =
            ["ctxcreateparams", "paramsarray", "dependencydata", "edgedata", "presviewdesc", "instantiateparams"];
        let demanded = of.name.starts_with("CUDA_EXTERNAL_");
        if !demanded && optional.contains(&lower.as_str()) && self.random.below(3) != 0 {
            return 0;
        }
        // A structure may point at its own kind.
        if self.depth > 2 {
            return 0;
        }
        let at = self.take(0, of.size * 16);
        self.depth += 1;
        for i in 0..4 {
            self.fill(to, at + i * of.size, name);
        }
        self.depth -= 1;
        self.given.push((to, at));
        at
    }

    /// Untyped memory.
    fn void(&mut self, name: &str) -> usize {
        let lower = name.to_lowercase();
        match lower.as_str() {
            "image" | "code" | "fatcubin" => self.image().0,
            _ if lower.starts_with("reserved") => 0,
            "userdata" | "streamshareddata" | "win32handlemetadata" => self.random.below(100),
            "value" => {
                let at = self.take(0, 64);
                let word = *self.random.pick(&[0, 1, 2, 64, 1 << 20, u64::MAX]);
                memory::put(at, 8, word);
                at
            }
            _ if OPENS.contains(&lower.as_str()) => self.take(1, 256),
            "globaladdress" => {
                let kind = self.world.kind("CUdeviceptr");
                (self.object(kind, name) & !0xff) as usize
            }
            _ => {
                let kind = self.world.kind(if self.random.below(5) == 0 { "CUdeviceptr" } else { HOST });
                let objects = self.world.objects();
                if !objects.live[kind].is_empty() && self.random.below(3) == 0 {
                    return *self.random.pick(&objects.live[kind]) as usize;
                }
                drop(objects);
                self.data()
            }
        }
    }

    /// An array of untyped pointers.
    fn pointers(&mut self, name: &str) -> usize {
        let at = self.take(0, 128);
        if name == "kernelparams" {
            let slots = self.take(0, 128);
            let kinds = [
                "CUdeviceptr",
                "CUdeviceptr",
                "",
                if self.random.below(2) == 0 { "CUtexObject" } else { "CUsurfObject" },
            ];
            for (i, kind) in kinds.into_iter().enumerate() {
                let value =
                    if kind.is_empty() { self.random.next() % 300 } else { self.object(self.world.kind(kind), "") };
                memory::put(slots + i * 8, 8, value);
                memory::put(at + i * 8, 8, (slots + i * 8) as u64);
            }
        } else if name == "extra" {
            if self.random.below(8) != 0 {
                return 0;
            }
            let (buffer, size) = (self.take(0, 64), self.take(0, 16));
            for i in 0..2 {
                let kind = self.world.kind("CUdeviceptr");
                let value = self.object(kind, "");
                memory::put(buffer + i * 8, 8, value);
            }
            let bytes = *self.random.pick(&[32, 32, 32, 0, 24, 4096]);
            memory::put(size, 8, bytes);
            // The buffer, its size, the end.
            for (i, word) in [1, buffer as u64, 2, size as u64, 0].into_iter().enumerate() {
                memory::put(at + i * 8, 8, word);
            }
        } else {
            for i in 0..4 {
                let word = if self.random.below(2) == 0 { self.data() as u64 } else { self.random.next() % 5 };
                memory::put(at + i * 8, 8, word);
            }
        }
        at
    }

    /// Device code, and how long it is.
    fn image(&mut self) -> (usize, usize) {
        let linked = self.world.linked.lock().unwrap_or_else(PoisonError::into_inner);
        let link = self.base().starts_with("cuLink");
        let image = match self.random.below(12) {
            0 if !linked.is_empty() => self.random.pick(&linked).clone(),
            1 => b"not code at all".to_vec(),
            2..4 => self.random.pick(&IMAGES).as_bytes().to_vec(),
            4..8 if link => CALLEE.as_bytes().to_vec(),
            8..12 if link => CALLER.as_bytes().to_vec(),
            _ => WORKING.as_bytes().to_vec(),
        };
        drop(linked);
        let at = self.take(0, image.len() + 64);
        memory::put_bytes(at, &image);
        (at, image.len() + 1)
    }

    fn text(&mut self, name: &str) -> usize {
        let base = self.base();
        let text = match name {
            "name" | "symbol" if base.contains("Function") || base.contains("Kernel") => *self.random.pick(&KERNELS),
            "name" if base.contains("Global") || base.contains("Managed") || base.contains("Ref") => {
                *self.random.pick(&GLOBALS)
            }
            "symbol" => {
                *self.random.pick(&["cuMemAlloc", "cuInit", "cuLaunchKernel", "", "nothing", "cuStreamGetCaptureInfo"])
            }
            "pciBusId" => *self.random.pick(&["0000:00:00.0", "0000:01:00.0", "0000:02:00.0", "01:00", "x"]),
            "fname" | "fileName" | "path" => *self.random.pick(&["code.ptx", "missing.ptx", "graph.dot", "/", ""]),
            _ => *self.random.pick(&["", "a", "store", "some/name"]),
        };
        let at = self.take(0, text.len() + 1);
        memory::put_bytes(at, text.as_bytes());
        at
    }

    /// Puts a value of a type into an area.
    fn fill(&mut self, ty: Id, at: usize, name: &str) {
        let of = &self.world.schema.types[ty];
        match &of.shape {
            Shape::Struct(fields) => {
                let kept = self.random.below(3) == 0 && !self.world.schema.refers(ty);
                if kept {
                    let objects = self.world.objects();
                    if let Some(kept) = objects.values.get(&ty) {
                        let value: &Vec<u8> = self.random.pick(kept);
                        memory::put_bytes(at, value);
                        return;
                    }
                }
                if of.name.starts_with("CUDA_EXTERNAL_") && of.name.contains("_HANDLE_DESC") {
                    return self.descriptor(ty, at);
                }
                let mut tag = 0;
                for field in fields {
                    let inner = &self.world.schema.types[field.ty];
                    if let (Shape::Union(members), Some(member)) = (&inner.shape, member(&of.name, tag)) {
                        let found = members.iter().find(|other| other.name == member).expect("the union has it");
                        self.fill(found.ty, at + field.offset, &found.name);
                        continue;
                    }
                    self.fill(field.ty, at + field.offset, &field.name);
                    if let Shape::Enum(_) = inner.shape {
                        tag = memory::get(at + field.offset, 4);
                    }
                }
                // The value comes first. It is one that the word of all semaphores has again and again.
                if of.name.starts_with(WAITS) {
                    let value = *self.random.pick(&[0, 1, 1]);
                    memory::put(at, 8, value);
                }
                if of.name.starts_with("CUDA_EXTERNAL_SEMAPHORE_")
                    && let Some(flags) = fields.iter().find(|field| field.name == "flags")
                    && self.random.below(8) != 0
                {
                    memory::put(at + flags.offset, 4, 0);
                }
            }
            Shape::Union(_) if of.name.starts_with("CUstreamBatchMemOpParams") => self.operation(at),
            Shape::Union(members) => {
                let member = self.random.below(members.len());
                let member = &members[member];
                self.fill(member.ty, at + member.offset, &member.name);
            }
            Shape::Array(element, count) => {
                if name.starts_with("reserved") || name.starts_with("pad") || name.starts_with('_') || *count > 16 {
                    return;
                }
                for i in 0..*count {
                    self.fill(*element, at + i * self.world.schema.types[*element].size, name);
                }
            }
            _ => {
                let value = self.word(ty, name);
                memory::put(at, of.size, value);
            }
        }
    }

    /// A description of memory or a semaphore of another API: only descriptors that were made for it, because an import
    /// takes them over.
    fn descriptor(&mut self, ty: Id, at: usize) {
        let of = &self.world.schema.types[ty];
        let Shape::Struct(fields) = &of.shape else { return };
        let semaphore = of.name.contains("SEMAPHORE");
        let fd = *self.fresh.get_or_insert_with(|| {
            // SAFETY: plain calls with a text of ours.
            unsafe {
                if semaphore {
                    return libc::fcntl(memory::semaphore(), libc::F_DUPFD_CLOEXEC, 3);
                }
                let fd = libc::memfd_create(c"memory".as_ptr(), libc::MFD_CLOEXEC);
                libc::ftruncate(fd, 1 << 20);
                fd
            }
        });
        let wrong = self.is_wrong();
        for field in fields {
            let value = match field.name.as_str() {
                "type" => {
                    if wrong {
                        self.random.next() % 12
                    } else if semaphore {
                        // Mostly timelines: of the others a wait takes what it waited for.
                        *self.random.pick(&[9, 9, 9, 1])
                    } else {
                        1
                    }
                }
                "handle" if wrong => *self.random.pick(&[u64::MAX, 1 << 20]),
                "handle" => fd as u64,
                "size" => *self.random.pick(&[1 << 20, 1 << 20, 1 << 16, 4096, 2 << 20]),
                "flags" => *self.random.pick(&[0, 0, 0, 1, 2]),
                _ => continue,
            };
            memory::put(at + field.offset, if field.name == "type" || field.name == "flags" { 4 } else { 8 }, value);
        }
    }

    /// An operation of a batch. A wait is for a gate or for nothing that exists: another word might never come.
    fn operation(&mut self, at: usize) {
        let kind = self.world.kind("CUdeviceptr");
        let operation = *self.random.pick(&[1, 4, 2, 5, 2, 5, 6, 8, 3]);
        memory::put(at, 4, operation);
        match operation {
            1 | 4 => {
                let (address, value, flags) = self.gate();
                for (offset, size, value) in [(8, 8, address), (16, 8, value), (24, 4, flags)] {
                    memory::put(at + offset, size, value);
                }
            }
            2 | 5 => {
                let address = self.object(kind, "") & !7;
                let value = self.random.next();
                memory::put(at + 8, 8, address);
                memory::put(at + 16, 8, value);
                let flags = *self.random.pick(&[0, 0, 1, 2]);
                memory::put(at + 24, 4, flags);
            }
            8 => {
                let (op, ty) = (*self.random.pick(&[0, 5, 6]), *self.random.pick(&[14, 22]));
                let address = self.object(kind, "") & !7;
                for (offset, size, value) in [(8, 4, op), (12, 4, ty), (16, 8, address), (24, 8, 1)] {
                    memory::put(at + offset, size, value);
                }
            }
            _ => {
                let flags = *self.random.pick(&[0, 0, 1]);
                memory::put(at + 4, 4, flags);
            }
        }
    }

    /// Where to wait, for which value, how.
    fn gate(&mut self) -> (u64, u64, u64) {
        if self.is_wrong() {
            return (*self.random.pick(&[0, 0x1230, 1 << 63]), 1, 0);
        }
        // Whoever registered them may have died.
        if self.latest.is_some() || self.random.below(3) == 0 {
            self.simple("cuMemHostRegister_v2", &[memory::GATES as u64, 4096, 1]);
        }
        let address = memory::GATES + self.random.below(memory::GATE_COUNT) * 8;
        let (value, flags) = *self.random.pick(&[(1, 0), (1, 1), (1, 2), (u64::MAX - 1, 3), (0, 1), (0, 0)]);
        let flush = if self.random.below(8) == 0 { 0x4000_0000 } else { 0 };
        (address as u64, value, flags | flush)
    }

    /// The graph that the call's nodes come from.
    pub fn choose_graph(&mut self, function: &Function) {
        (self.graph, self.exec) = (0, 0);
        let world = self.world;
        let kind = |name: &str| world.kind(name);
        let takes = |name: &str| {
            let kind = kind(name);
            function
                .params
                .iter()
                .any(|param| matches!(world.schema.types[param.ty].shape, Shape::Object(k) if k == kind))
        };
        let graphs = takes("CUgraph");
        let execs = takes("CUgraphExec");
        if !graphs && !execs && !takes("CUgraphNode") || self.is_wrong() {
            return;
        }
        let objects = world.objects();
        let mut pick = |name: &str| {
            let latest = self.latest.as_ref().map_or(0, |latest| latest[kind(name)]);
            if latest != 0 && self.random.below(8) != 0 {
                return latest;
            }
            let live = &objects.live[kind(name)];
            if live.is_empty() { 0 } else { *self.random.pick(live) }
        };
        if execs {
            self.exec = pick("CUgraphExec");
            self.graph = objects.graph_of.get(&self.exec).copied().unwrap_or(0);
        }
        if self.graph == 0 {
            self.graph = pick("CUgraph");
        }
    }

    /// Arguments that have to fit each other.
    pub fn adjust(&mut self, arguments: &mut [Argument]) {
        let world = self.world;
        let base = self.base();
        let word = |argument: &mut Argument, value: u64| *argument = Argument::Word(value);
        match base {
            // Right or wrong, a wait is for a gate or for nothing that exists: another word might never come.
            "cuStreamWaitValue32" | "cuStreamWaitValue64" => {
                let (address, value, flags) = self.gate();
                for (argument, value) in arguments[1..].iter_mut().zip([address, value, flags]) {
                    word(argument, value);
                }
            }
            // Whether a core dump ends the process is as it was at the start: it does not.
            "cuCoredumpSetAttribute" | "cuCoredumpSetAttributeGlobal"
                if matches!(arguments[0], Argument::Word(HOST_DUMP | DUMP_FLAGS)) =>
            {
                word(&mut arguments[0], ENABLE_DUMPS)
            }
            _ if self.wrong != 0 => {}
            "cuMemHostRegister" => {
                let at = if self.random.below(3) == 0 { memory::GATES } else { memory::area(self.thread, Use::Data) };
                let pages = 1 + self.random.below(4);
                word(&mut arguments[0], (at + self.random.below(4) * 4096 * usize::from(at != memory::GATES)) as u64);
                word(&mut arguments[1], (pages * 4096) as u64);
                word(&mut arguments[2], *self.random.pick(&[0, 0, 1, 2, 3, 8]));
            }
            "cuMemAddressReserve" => {
                word(&mut arguments[2], 0);
                word(&mut arguments[4], 0);
                if self.random.below(4) != 0 {
                    word(&mut arguments[3], 0);
                }
            }
            "cuMemCreate" | "cuMemPoolCreate" | "cuMemGetAllocationGranularity" => {
                // Pinned memory on a device, now and then for other processes.
                let place = if base == "cuMemCreate" { 2 } else { 1 };
                if let Argument::Word(at) = arguments[place]
                    && memory::owns(at as usize)
                    && self.random.below(4) != 0
                {
                    memory::fill(at as usize, 48, 0);
                    let handles = *self.random.pick(&[0, 0, 1]);
                    let device = self.random.next() % 2;
                    for (i, value) in [1, handles, 1, device].into_iter().enumerate() {
                        memory::put(at as usize + i * 4, 4, value);
                    }
                }
                if base == "cuMemCreate" {
                    word(&mut arguments[3], 0);
                }
            }
            "cuMemMap" | "cuMemUnmap" | "cuMemSetAccess" | "cuMemAddressFree" => {
                let range = {
                    let ranges = &world.objects().ranges;
                    if ranges.is_empty() { return } else { *self.random.pick(ranges) }
                };
                word(&mut arguments[0], range.0);
                word(&mut arguments[1], if base == "cuMemMap" { range.1.min(2 << 20) } else { range.1 });
                if base == "cuMemMap" {
                    word(&mut arguments[2], 0);
                    word(&mut arguments[4], 0);
                }
                if base == "cuMemSetAccess"
                    && let Argument::Word(at) = arguments[2]
                    && memory::owns(at as usize)
                {
                    for (i, value) in [1, self.random.next() % 2, 3].into_iter().enumerate() {
                        memory::put(at as usize + i * 4, 4, value);
                    }
                    word(&mut arguments[3], 1);
                    word(&mut arguments[1], if self.random.below(2) == 0 { 2 << 20 } else { range.1 });
                }
                if base == "cuMemUnmap" && self.random.below(2) == 0 {
                    word(&mut arguments[1], 2 << 20);
                }
            }
            "cuMemExportToShareableHandle" | "cuMemPoolExportToShareableHandle" => {
                word(&mut arguments[2], 1);
                word(&mut arguments[3], 0);
            }
            "cuMemImportFromShareableHandle" | "cuMemPoolImportFromShareableHandle" => {
                let descriptors = &world.objects().descriptors;
                if !descriptors.is_empty() {
                    word(&mut arguments[1], *self.random.pick(descriptors));
                }
                word(&mut arguments[2], 1);
                if arguments.len() > 3 {
                    word(&mut arguments[3], 0);
                }
            }
            "cuLinkAddData" => {
                let (at, len) = self.image();
                word(&mut arguments[1], 1);
                word(&mut arguments[2], at as u64);
                word(&mut arguments[3], len as u64);
                word(&mut arguments[5], 0);
            }
            "cuLinkCreate" => word(&mut arguments[0], 0),
            "cuModuleLoadDataEx" if self.random.below(2) == 0 => word(&mut arguments[2], 0),
            "cuLibraryLoadData" if self.random.below(2) == 0 => {
                word(&mut arguments[4], 0);
                word(&mut arguments[7], 0);
            }
            _ => {}
        }
    }
}

/// What streams wait for.
const WAITS: &str = "CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS";

/// Untyped arguments for results, which may be numbers of descriptors.
const OPENS: [&str; 3] = ["handle", "shareablehandle", "handle_out"];

/// Reserved, never readable.
const GUARDED: usize = 0x7000_2000_0000;

/// The member of a structure's union that the tag before it asks for.
fn member(ty: &str, tag: u64) -> Option<&'static str> {
    let members: &[(u64, &'static str)] = match ty {
        "CUDA_RESOURCE_DESC_v1" => &[(0, "array"), (1, "mipmap"), (2, "linear"), (3, "pitch2D")],
        "CUgraphNodeParams" => &[
            (0, "kernel"),
            (1, "memcpy"),
            (2, "memset"),
            (3, "host"),
            (4, "graph"),
            (6, "eventWait"),
            (7, "eventRecord"),
            (8, "extSemSignal"),
            (9, "extSemWait"),
            (10, "alloc"),
            (11, "free"),
            (12, "memOp"),
            (13, "conditional"),
            (14, "memcpyBatch"),
        ],
        "CUmemcpy3DOperand_v1" => &[(1, "ptr"), (2, "array")],
        "CUarrayMapInfo_v1" => &[],
        "CUlaunchAttribute" => &[
            (1, "accessPolicyWindow"),
            (2, "cooperative"),
            (3, "syncPolicy"),
            (4, "clusterDim"),
            (5, "clusterSchedulingPolicyPreference"),
            (6, "programmaticStreamSerializationAllowed"),
            (7, "programmaticEvent"),
            (8, "priority"),
            (9, "memSyncDomainMap"),
            (10, "memSyncDomain"),
            (11, "preferredClusterDim"),
            (12, "launchCompletionEvent"),
            (13, "deviceUpdatableKernelNode"),
            (14, "sharedMemCarveout"),
        ],
        _ => &[],
    };
    members.iter().find(|member| member.0 == tag).map(|member| member.1)
}

mod callbacks {
    use cuda::table;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Any function of the program that the driver calls: calls back now and then, and sometimes takes a while.
    pub extern "C" fn any() {
        static TURN: AtomicUsize = AtomicUsize::new(0);
        let turn = TURN.fetch_add(1, Relaxed);
        if turn.is_multiple_of(7) {
            std::thread::sleep(std::time::Duration::from_micros(300));
        }
        // The driver refuses calls from here; asked of it in turn with those that it answers.
        let name =
            ["cuCtxSynchronize", "cuCtxGetCurrent", "cuMemAlloc_v2", "cuDriverGetVersion", "cuStreamQuery"][turn % 5];
        let entry = table::by_name(name).expect("the table has it");
        let mut result = 0u64;
        // SAFETY: functions with up to two arguments, of which the first may be a place for a result, or a stream.
        unsafe {
            let function: extern "C" fn(*mut u64, usize) -> u32 = core::mem::transmute(entry.address);
            function(if name == "cuStreamQuery" { core::ptr::null_mut() } else { &raw mut result }, 64);
        }
    }

    /// Bytes of dynamic shared memory that a block of a size takes.
    pub extern "C" fn block_memory(block: i32) -> usize {
        block.unsigned_abs() as usize * 4
    }
}
