//! Modules: device code in a context, its functions and its variables.

use crate::array::reference::{REFERENCES, SURFACE_REFERENCES, SurfaceReference, TextureReference};
use crate::base::checking;
use crate::base::handle::{HandleKind, Table};
use crate::kernel::core_dump;
use crate::kernel::function::{Common, FUNCTIONS, Function};
use crate::kernel::settings::Origin;
use crate::memory;
use crate::memory::{Allocation, managed};
use crate::stream::context::Context;
use engine::DEVICE_RUNTIME;
use engine::lowering::context::BuildOptions;
use engine::state::warp::{Code, Program};
use error::{Error, Result, refuse, refuse_if};
use ptx;
use ptx::module::Initial;
use ptx::{Diagnostic, ErrorKind, Space};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Options of a load, and its logs.
#[derive(Default)]
pub struct Options {
    /// Most registers of a thread.
    pub most_registers: Option<u32>,
    /// The architecture to compile for, in place of the device's.
    pub target: Option<u32>,
    /// An option whose value the compiler refuses, once it runs.
    pub refused: Option<&'static str>,
    /// The error log.
    pub errors: String,
    /// The information log.
    pub remarks: String,
    /// The error was written to our own log.
    pub told: bool,
}

impl Options {
    /// Notes that nothing that was loaded can run.
    pub fn has_no_ptx(&mut self, device: &crate::base::devices::Device) {
        self.errors.push_str(&format!("error   : {}\n", image::no_ptx(device.compute_capability())));
        self.told = true;
    }

    /// What the compiler says of the options before it looks at an image.
    pub fn check(&mut self, image: &image::Image) -> Result<()> {
        /// Architectures that the real driver's compiler has heard of, and those that it compiles for.
        const HEARD_OF: u32 = 50;
        const SUPPORTED: u32 = 75;
        if image.is_compiled {
            (self.target, self.refused) = (None, None);
        }
        if let Some(target) = self.target {
            refuse_if!(
                Error::INVALID_IMAGE,
                target < HEARD_OF,
                "options: there is no code for CU_JIT_TARGET {}",
                target
            );
            refuse_if!(
                Error::INVALID_PTX,
                target < SUPPORTED,
                "options: CU_JIT_TARGET {} is no longer compiled for",
                target
            );
        }
        match self.refused {
            Some(option) => Err(refuse!(Error::INVALID_PTX, "options: the compiler refuses the value of {}", option)),
            None => Ok(()),
        }
    }

    /// Whether PTX can be compiled for the target that was asked for, and run on a device then.
    fn check_target(&self, module: &ptx::Module<'_>, capability: u32) -> Result<()> {
        let Some(target) = self.target else { return Ok(()) };
        let takes = module.architecture <= target;
        refuse_if!(
            Error::INVALID_PTX,
            !takes,
            "image: PTX for {} is not compiled for CU_JIT_TARGET {}",
            module.architecture,
            target
        );
        let runs = target / 10 == capability / 10 && target <= capability;
        refuse_if!(
            Error::INVALID_SOURCE,
            !runs,
            "options: code for CU_JIT_TARGET {} does not run on the device",
            target
        );
        Ok(())
    }
}

/// A variable of a module.
pub struct Global {
    pub name: String,
    pub base: usize,
    pub size: usize,
    /// Declared to be shared with the host.
    pub managed: bool,
    /// Its memory, if it goes when the module goes: a library's managed variables outlive its modules.
    allocation: Option<Arc<Allocation>>,
}

impl Global {
    fn new(name: &str, allocation: Arc<Allocation>) -> Global {
        allocation.extra.lock().of_module = true;
        Global {
            name: name.to_owned(),
            base: allocation.base,
            size: allocation.size,
            managed: matches!(allocation.kind, memory::MemoryKind::Managed(_)),
            allocation: Some(allocation),
        }
    }

    /// The variable as its users see it.
    fn lent(&self) -> Global {
        Global { name: self.name.clone(), allocation: None, ..*self }
    }
}

/// The managed variables of a library: host and all contexts share them.
#[derive(Default)]
pub struct Shared(Vec<Global>);

impl Shared {
    /// The variable with a name.
    pub fn find(&self, name: &str) -> Result<&Global> {
        self.0
            .iter()
            .find(|g| g.name == name)
            .ok_or_else(|| refuse!(Error::NOT_FOUND, "name {:?} is not a variable", name))
    }

    /// Allocates them and writes their initial contents, which may hold addresses of each other and of functions.
    fn create(
        device: &Arc<crate::base::devices::Device>,
        module: &ptx::Module<'_>,
        options: &mut Options,
    ) -> Result<Shared> {
        let wanted = |v: &&ptx::Variable<'_>| v.managed && is_defined(v);
        let mut pending = Pending(Vec::new());
        for variable in module.variables.iter().filter(wanted) {
            pending.0.push(Global::new(variable.name, managed::alloc_for_all(device, variable.size)?));
        }
        let addresses = pending.0.iter().map(|g| (g.name.clone(), g.base as u64)).collect();
        let names = Names::new(module, &addresses);
        for (variable, global) in module.variables.iter().filter(wanted).zip(&pending.0) {
            fill(variable, global.base, &names).inspect_err(|_| {
                let name = variable.name;
                let refusal = format!("managed variable '{name}' holds the address of one that each context has");
                options.errors.push_str(&format!("{refusal}\n"));
                settings::log::error!("{refusal}: not supported");
            })?;
        }
        Ok(Shared(core::mem::take(&mut pending.0)))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        release(&self.0);
    }
}

/// A module.
pub struct Module {
    /// The handle that the program has.
    pub handle: usize,
    /// Id of its context.
    pub context: u64,
    /// What runs.
    pub program: Arc<Program>,
    /// Its variables.
    pub globals: Vec<Global>,
    /// Its kernels, in the order of the text.
    pub functions: Vec<Arc<Function>>,
    /// Its texture and surface references.
    references: References,
    /// Belongs to a library.
    pub of_library: bool,
    /// What it shares with its functions; says when it is unloaded.
    common: Arc<Common>,
}

/// The texture and surface references of a module, by name. They end with it.
#[derive(Default)]
struct References {
    textures: Vec<(String, Arc<TextureReference>)>,
    surfaces: Vec<(String, Arc<SurfaceReference>)>,
}

impl References {
    /// Makes the references that a module declares. Kernels use their handles.
    fn create(context: &Context, module: &ptx::Module<'_>, addresses: &mut HashMap<String, u64>) -> Result<References> {
        let mut all = References::default();
        for variable in &module.variables {
            let name = variable.name.to_owned();
            match variable.ty {
                ptx::Type::TextureReference => {
                    let reference = TextureReference::create(context)?;
                    addresses.insert(name.clone(), reference.handle as u64);
                    all.textures.push((name, reference));
                }
                ptx::Type::SurfaceReference => {
                    let reference = SurfaceReference::create(context)?;
                    addresses.insert(name.clone(), reference.handle as u64);
                    all.surfaces.push((name, reference));
                }
                _ => {}
            }
        }
        Ok(all)
    }
}

impl References {
    fn handles(&self) -> Vec<usize> {
        self.textures.iter().map(|r| r.1.handle).chain(self.surfaces.iter().map(|r| r.1.handle)).collect()
    }
}

impl Drop for References {
    fn drop(&mut self) {
        for (_, reference) in &self.textures {
            REFERENCES.remove(reference.handle);
        }
        for (_, reference) in &self.surfaces {
            SURFACE_REFERENCES.remove(reference.handle);
        }
    }
}

/// All modules.
pub static MODULES: Table<Module> = Table::new(HandleKind::Module);

/// Writes an error in the form of the assembler that programs know, with `others` that it would list in its place.
#[cold]
fn explain(problem: &Diagnostic, others: &[Diagnostic], options: &mut Options) -> Error {
    for problem in if others.is_empty() { core::slice::from_ref(problem) } else { others } {
        let kind = if problem.is_fatal() { "fatal  " } else { "error  " };
        let place = format!("line {}; {kind} : {}", problem.line, problem.message);
        options.errors.push_str(&format!("ptxas application ptx input, {place}\n"));
    }
    if problem.kind != ErrorKind::Version {
        options.errors.push_str("ptxas fatal   : Ptx assembly aborted due to errors\n");
    }
    settings::log::info!("PTX: {problem}");
    let error = match problem.kind {
        ErrorKind::Version => Error::UNSUPPORTED_PTX_VERSION,
        ErrorKind::OutOfMemory => Error::OUT_OF_MEMORY,
        _ => Error::INVALID_PTX,
    };
    refuse!(error, "image: PTX: {}", problem)
}

/// Parses a module's text and checks its target.
pub fn parse<'t>(text: &'t str, capability: u32, options: &mut Options) -> Result<ptx::Module<'t>> {
    /// Memory that a byte of any ordinary text needs while it is compiled, at most.
    const OF_A_BYTE: usize = 64;
    // Where memory is limited, this fails here: compiling cannot fail half-way.
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(text.len().saturating_mul(OF_A_BYTE))
        .map_err(|_| refuse!(Error::OUT_OF_MEMORY, "image: the host has no memory for PTX of {} bytes", text.len()))?;
    // The compiler would remove an allocation that nothing uses.
    core::hint::black_box(&mut room);
    drop(room);
    let module = ptx::parse(text).and_then(|module| ptx::link::with_library(module, DEVICE_RUNTIME));
    let module = module.map_err(|problem| explain(&problem, &ptx::mistakes(text), options))?;
    let suits = match module.suffix {
        Some('a') => module.architecture == capability,
        Some(_) => module.architecture / 10 == capability / 10 && module.architecture <= capability,
        None => module.architecture <= capability,
    };
    if !suits {
        options.errors.push_str(&format!(
            "ptxas fatal   : Program with .target 'sm_{}{}' cannot be compiled for architecture 'sm_{capability}'\n",
            module.architecture,
            module.suffix.map(String::from).unwrap_or_default()
        ));
        return Err(refuse!(Error::INVALID_PTX, "image: PTX is for another architecture, {}", module.architecture));
    }
    if module.address_size != 64 {
        options.errors.push_str("ptxas fatal   : 32-bit addressing is not supported on this architecture\n");
        options.remarks.push_str("32-bit addressing\n");
        return Err(refuse!(Error::INVALID_PTX, "image: PTX has 32-bit addresses"));
    }
    Ok(module)
}

/// The one module that an image holds. Several are joined as a linker would.
pub fn joined(image: image::Image) -> Result<String> {
    if image.modules.is_empty() {
        Err(refuse!(Error::NO_BINARY_FOR_GPU, "image has no PTX that suits the device"))
    } else {
        Ok(ptx::link::join(image.modules))
    }
}

/// Checks a module without loading it: its errors do not depend on the context.
pub fn check(text: &str, capability: u32, options: &mut Options) -> Result<()> {
    try_build(&parse(text, capability, options)?, options).map(drop)
}

/// A library's kernels before any context has them.
pub struct Outlines {
    /// Their code without the steps, in the order of the text.
    pub kernels: Vec<Code>,
    pub origin: Origin,
}

/// The same for a library's: its kernels, and its managed variables, made.
pub fn outline(
    text: &str,
    device: &Arc<crate::base::devices::Device>,
    options: &mut Options,
) -> Result<(Outlines, Shared)> {
    let module = parse(text, device.compute_capability(), options)?;
    options.check_target(&module, device.compute_capability())?;
    let mut program = try_build(&module, options)?;
    limit_registers(&mut program, options);
    let shared = Shared::create(device, &module, options)?;
    let kernels = program.functions.iter().filter(|code| is_kernel(code)).map(Code::outline).collect();
    let origin = Origin { constant: program.constant, target: module.architecture };
    Ok((Outlines { kernels, origin }, shared))
}

/// The register count of a real compiler has no meaning here; programs expect a plausible number.
fn limit_registers(program: &mut Program, options: &Options) {
    let announced = |registers| ptx::pressure::announced(registers, options.most_registers);
    program.functions.iter_mut().for_each(|code| code.registers = announced(code.registers));
}

fn is_kernel(code: &Code) -> bool {
    code.entry && !code.steps.is_empty()
}

fn try_build(module: &ptx::Module<'_>, options: &mut Options) -> Result<Program> {
    /// Any addresses do: nothing is there. Variables stand apart.
    const FIRST: u64 = 4096;
    const APART: u64 = 512;
    let mut address = FIRST;
    let mut addresses = HashMap::new();
    for variable in module.variables.iter().filter(|v| is_global(v) || v.ty.is_opaque()) {
        addresses.insert(variable.name.to_owned(), address);
        address += variable.size as u64 + APART;
    }
    Program::build_for(module, &addresses, wanted(false)).map_err(|problem| explain(&problem, &[], options))
}

/// An instruction that is not implemented refuses its module.
static STRICT: AtomicBool = AtomicBool::new(false);

/// Makes modules with such instructions fail to load.
pub fn set_strict() {
    STRICT.store(true, Ordering::Relaxed);
}

fn wanted(plain: bool) -> BuildOptions {
    let (checked, races, misuse) = (checking::memory(), checking::races(), checking::misuse());
    BuildOptions { checked, races, misuse, strict: STRICT.load(Ordering::Relaxed), plain }
}

fn is_global(variable: &ptx::Variable<'_>) -> bool {
    matches!(variable.space, Space::Global | Space::Constant) && variable.size > 0 && !variable.ty.is_opaque()
}

fn is_defined(variable: &ptx::Variable<'_>) -> bool {
    is_global(variable) && variable.linkage != ptx::module::Linkage::Extern
}

/// Frees what was allocated for a load that failed.
struct Pending(Vec<Global>);

impl Drop for Pending {
    fn drop(&mut self) {
        release(&self.0);
    }
}

fn release(globals: &[Global]) {
    for allocation in globals.iter().filter_map(|g| g.allocation.as_ref()) {
        let _ = memory::remove(allocation);
    }
}

impl Module {
    /// Loads the image at an address of the program.
    pub fn load(context: &Arc<Context>, address: usize, options: &mut Options) -> Result<Arc<Module>> {
        let image = image::read(address, context.device.compute_capability());
        let image = image.inspect_err(|&error| {
            if error == Error::NO_BINARY_FOR_GPU {
                options.has_no_ptx(&context.device);
            } else {
                options.errors.push_str(UNRECOGNIZED);
            }
        })?;
        options.check(&image)?;
        options.most_registers = options.most_registers.or(image.most_registers);
        Self::load_text(context, &joined(image)?, options, None)
    }

    /// Loads PTX. A library has the managed variables already.
    pub fn load_text(
        context: &Arc<Context>,
        text: &str,
        options: &mut Options,
        library: Option<&Shared>,
    ) -> Result<Arc<Module>> {
        let module = parse(text, context.device.compute_capability(), options)?;
        options.check_target(&module, context.device.compute_capability())?;
        let mut pending = Pending(Vec::new());
        let mut addresses: HashMap<String, u64> = HashMap::new();
        // Constants come first, as the real driver has them.
        let defined = module.variables.iter().filter(|v| is_defined(v));
        let (constants, others): (Vec<_>, Vec<_>) = defined.partition(|v| v.space == Space::Constant);
        for variable in constants.into_iter().chain(others) {
            let global = match library.map(|shared| shared.find(variable.name)) {
                Some(Ok(shared)) => shared.lent(),
                _ if variable.managed => {
                    let memory = managed::alloc_for_module(context, variable.size, managed::ATTACH_GLOBAL)?;
                    Global::new(variable.name, memory)
                }
                _ => Global::new(variable.name, memory::alloc_for_module(context, variable.size)?),
            };
            addresses.insert(variable.name.to_owned(), global.base as u64);
            pending.0.push(global);
        }
        let references = References::create(context, &module, &mut addresses)?;
        let plain = core_dump::is_wanted(context);
        let mut program = Program::build_for(&module, &addresses, wanted(plain))
            .map_err(|problem| explain(&problem, &[], options))?;
        program.text = plain.then(|| Arc::from(text));
        limit_registers(&mut program, options);
        // The variables of a library are initialised already.
        let own = |v: &&ptx::Variable<'_>| library.is_none_or(|shared| shared.find(v.name).is_err());
        let global = |v: &&ptx::Variable<'_>| is_global(v) && addresses.contains_key(v.name);
        let names = Names::new(&module, &addresses);
        for variable in module.variables.iter().filter(global).filter(own) {
            fill(variable, addresses.get(variable.name).copied().unwrap_or(0) as usize, &names)?;
        }
        let globals = core::mem::take(&mut pending.0);
        let program = Arc::new(program);
        let target = module.architecture;
        let common = Arc::new(Common { references: references.handles(), ..Common::default() });
        let module = MODULES
            .insert_with(|handle| {
                let kernels = program.functions.iter().enumerate().filter(|(_, code)| is_kernel(code));
                let functions = kernels.filter_map(|(kernel, code)| {
                    Function::create(context, handle, &program, kernel as u32, code, target, &common)
                });
                Arc::new(Module {
                    handle,
                    context: context.id,
                    program: program.clone(),
                    functions: functions.collect(),
                    globals,
                    references,
                    of_library: library.is_some(),
                    common,
                })
            })
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many modules"))?;
        context.owns(module)
    }

    /// Unloads a module of the program's own, after the work that uses it.
    pub fn unload(handle: usize) -> Result<()> {
        let module = MODULES.find(handle)?;
        crate::stream::context::check_error()?;
        crate::stream::capture::check_call()?;
        refuse_if!(Error::NOT_PERMITTED, module.of_library, "hmod {:#x} is a module of a library", handle);
        module.remove();
        Ok(())
    }

    /// Unloads it, also a module of a library.
    pub fn remove(&self) {
        // From here on no launch can use it, not even with a function that another thread has found already.
        if core::mem::replace(&mut *self.common.gone.write(), true) {
            return;
        }
        if let Some(context) = crate::stream::context::CONTEXTS.all().iter().find(|c| c.id == self.context) {
            context.group.wait_idle();
        }
        if MODULES.remove(self.handle).is_some() {
            for function in &self.functions {
                FUNCTIONS.remove(function.handle);
            }
            release(&self.globals);
        }
    }

    /// The kernel with a name.
    pub fn function(&self, name: &str) -> Result<Arc<Function>> {
        self.functions
            .iter()
            .find(|f| f.name() == name)
            .cloned()
            .ok_or_else(|| refuse!(Error::NOT_FOUND, "name {:?} is not a function of the module", name))
    }

    /// The handle of the texture reference with a name.
    pub fn texture_reference(&self, name: &str) -> Result<usize> {
        self.references
            .textures
            .iter()
            .find(|r| r.0 == name)
            .map(|r| r.1.handle)
            .ok_or_else(|| refuse!(Error::NOT_FOUND, "name {:?} is not a texture reference of the module", name))
    }

    /// Whether a texture reference is one of its own.
    pub fn has_texture_reference(&self, handle: usize) -> bool {
        self.references.textures.iter().any(|(_, reference)| reference.handle == handle)
    }

    /// The handle of the surface reference with a name.
    pub fn surface_reference(&self, name: &str) -> Result<usize> {
        self.references
            .surfaces
            .iter()
            .find(|r| r.0 == name)
            .map(|r| r.1.handle)
            .ok_or_else(|| refuse!(Error::NOT_FOUND, "name {:?} is not a surface reference of the module", name))
    }

    /// The variable with a name. [`Error::INVALID_VALUE`] if the name is that of something else.
    pub fn global(&self, name: &str) -> Result<&Global> {
        let other = || self.function(name).is_ok() || self.texture_reference(name).is_ok();
        let missing = || {
            let error = if other() { Error::INVALID_VALUE } else { Error::NOT_FOUND };
            refuse!(error, "name {:?} is not a variable of the module", name)
        };
        self.globals.iter().find(|g| g.name == name).ok_or_else(missing)
    }
}

/// The name of the variable that begins at an address.
pub fn variable_at(base: usize) -> Option<String> {
    let modules = MODULES.all();
    let found = modules.iter().flat_map(|m| &m.globals).find(|g| g.base == base)?;
    Some(found.name.clone())
}

/// The error for images of unknown kind.
const UNRECOGNIZED: &str = "error   : Binary format for key='0', ident='' is not recognized\n";

/// Makes memory zero. Pages that were never written stay untouched: variables may be huge.
fn clear(mut at: usize, mut length: usize) -> Result<()> {
    while length > 0 {
        let now = length.min(1 << 16);
        let mut bytes = guard::read_vec(at, now)?;
        if bytes.iter().any(|&byte| byte != 0) {
            bytes.fill(0);
            guard::write(at, guard::bytes(&bytes))?;
        }
        (at, length) = (at + now, length - now);
    }
    Ok(())
}

/// Addresses of variables and functions by name, for initial contents.
struct Names<'n> {
    variables: &'n HashMap<String, u64>,
    functions: HashMap<&'n str, u64>,
}

impl<'n> Names<'n> {
    fn new(module: &'n ptx::Module<'_>, variables: &'n HashMap<String, u64>) -> Names<'n> {
        let address = |number: usize| engine::state::program::FUNCTIONS + number as u64 * 16;
        let functions = module.functions.iter().enumerate().map(|(number, f)| (f.name, address(number))).collect();
        Names { variables, functions }
    }

    fn find(&self, name: &str) -> Option<u64> {
        self.variables.get(name).or_else(|| self.functions.get(name)).copied()
    }
}

/// Writes the initial contents of a variable at an address: what its declaration says, else zeros.
fn fill(variable: &ptx::Variable<'_>, base: usize, names: &Names<'_>) -> Result<()> {
    let end = base + variable.size;
    let mut at = base;
    let put = |at: usize, bytes: &[u8]| {
        let length = bytes.len().min(end - at);
        guard::write(at, guard::bytes(&bytes[..length])).map(|()| at + length)
    };
    for piece in &variable.initial {
        at = match piece {
            Initial::Bytes(own) => put(at, own)?,
            Initial::Zeros(count) => {
                let length = (*count).min(end - at);
                clear(at, length)?;
                at + length
            }
            Initial::Address { symbol, offset, size, shift } => {
                let address = names
                    .find(symbol)
                    .ok_or_else(|| refuse!(Error::INVALID_PTX, "image: PTX: {} is not defined", symbol))?;
                let value = address.wrapping_add(*offset as u64) >> shift;
                put(at, value.to_le_bytes().get(..*size).unwrap_or(&[]))?
            }
        };
    }
    clear(at, end - at)
}

/// Unloads all modules of a context. Their memory is freed with the context's.
pub fn free_all_of(context: &Context) {
    for module in MODULES.all().iter().filter(|m| m.context == context.id) {
        MODULES.remove(module.handle);
        for function in &module.functions {
            FUNCTIONS.remove(function.handle);
        }
    }
}
