//! Functions: kernels of a module in a context.

use crate::base::attribute::DeviceAttribute;
use crate::base::devices::Device;
use crate::base::handle::{Kind, Table};
use crate::kernel::launch::Kernel;
use crate::kernel::legacy_launch::Legacy;
use crate::kernel::library::KERNELS;
use crate::stream::context;
use crate::stream::context::Context;
use engine::state::program::{Code, Program};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::{Mutex, MutexGuard, RwLock};
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// An attribute of a kernel, a `CUfunction_attribute`. Any number is one; most have no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionAttribute(pub u32);

#[allow(missing_docs)]
impl FunctionAttribute {
    pub const MAX_THREADS: FunctionAttribute = FunctionAttribute(0);
    pub const SHARED_BYTES: FunctionAttribute = FunctionAttribute(1);
    pub const CONSTANT_BYTES: FunctionAttribute = FunctionAttribute(2);
    pub const LOCAL_BYTES: FunctionAttribute = FunctionAttribute(3);
    pub const REGISTERS: FunctionAttribute = FunctionAttribute(4);
    pub const PTX_VERSION: FunctionAttribute = FunctionAttribute(5);
    pub const BINARY_VERSION: FunctionAttribute = FunctionAttribute(6);
    pub const CACHE_MODE: FunctionAttribute = FunctionAttribute(7);
    pub const MAX_DYNAMIC_SHARED: FunctionAttribute = FunctionAttribute(8);
    pub const CARVEOUT: FunctionAttribute = FunctionAttribute(9);
    pub const CLUSTER_MUST_BE_SET: FunctionAttribute = FunctionAttribute(10);
    pub const CLUSTER_WIDTH: FunctionAttribute = FunctionAttribute(11);
    pub const CLUSTER_HEIGHT: FunctionAttribute = FunctionAttribute(12);
    pub const CLUSTER_DEPTH: FunctionAttribute = FunctionAttribute(13);
    pub const NON_PORTABLE_CLUSTER: FunctionAttribute = FunctionAttribute(14);
    pub const CLUSTER_POLICY: FunctionAttribute = FunctionAttribute(15);
}

/// What the program can set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Most bytes of dynamic shared memory.
    pub dynamic_shared: i32,
    /// Preferred share of shared memory in percent, -1 for none.
    pub carveout: i32,
    /// Required shape of clusters, 0 for none.
    pub cluster: [i32; 3],
    /// Clusters that not every device has.
    pub non_portable: i32,
    /// How blocks of a cluster are spread.
    pub policy: i32,
    /// `CUfunc_cache`; 0 leaves it to the context.
    pub cache: u32,
}

/// The greatest `CUfunc_cache`.
const MOST_CACHE: u32 = 3;

/// A kernel in a context.
pub struct Function {
    /// What the program holds.
    pub handle: usize,
    /// Its module's.
    pub module: usize,
    /// Where it runs.
    pub context: Weak<Context>,
    /// The module's code.
    pub program: Arc<Program>,
    /// Its number there.
    pub kernel: u32,
    name: CString,
    origin: Origin,
    /// What it shares with all of its module.
    pub common: Arc<Common>,
    settings: Mutex<Settings>,
    legacy: Mutex<Legacy>,
    has_legacy: AtomicBool,
}

/// What the functions of a module share.
#[derive(Default)]
pub struct Common {
    /// True when the module is being unloaded. Launches hold it until the stream has them.
    pub gone: RwLock<bool>,
    /// Handles of the module's texture and surface references.
    pub references: Vec<usize>,
}

/// What kernels of one module have in common.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Bytes of constant memory.
    pub constant: u64,
    /// The architecture that the text is for.
    pub target: u32,
}

/// All functions.
pub static FUNCTIONS: Table<Function> = Table::new(Kind::Function);

fn most_threads(code: &Code) -> u32 {
    let threads = code.most_threads.map_or(1024, |s| s.iter().fold(1u32, |all, &n| all.saturating_mul(n.max(1))));
    threads.min(1024)
}

impl Function {
    /// Enters a kernel of a module.
    pub fn create(
        context: &Arc<Context>,
        module: usize,
        program: &Arc<Program>,
        kernel: u32,
        code: &Code,
        target: u32,
        common: &Arc<Common>,
    ) -> Option<Arc<Function>> {
        let name = CString::new(code.name.as_str()).ok()?;
        let origin = Origin { constant: program.constant, target };
        FUNCTIONS.insert_with(|handle| {
            Arc::new(Function {
                handle,
                module,
                context: Arc::downgrade(context),
                program: program.clone(),
                kernel,
                name,
                origin,
                common: common.clone(),
                settings: Mutex::new(Settings::of(code, &context.device)),
                legacy: Mutex::default(),
                has_legacy: AtomicBool::new(false),
            })
        })
    }

    /// The function behind a handle.
    /// With the asynchronous error of its context.
    pub fn find(handle: usize) -> Result<Arc<Function>> {
        let function = FUNCTIONS.find(handle)?;
        function.check_context()?;
        Ok(function)
    }

    /// [`Function::find`] for the functions of the current context only.
    pub fn find_here(handle: usize) -> Result<Arc<Function>> {
        let here = |f: &Arc<Function>| f.context.upgrade().is_some_and(|c| context::is_current(c.id));
        Function::find(handle).and_then(|f| {
            if here(&f) {
                Ok(f)
            } else {
                Err(refuse!(
                    Error::INVALID_HANDLE,
                    "_ {:#x} is a function of another context than the current one",
                    handle
                ))
            }
        })
    }

    /// The asynchronous error of its context.
    pub fn check_context(&self) -> Result<()> {
        self.context.upgrade().map_or(Ok(()), |context| context.check_error())
    }

    /// The function behind a handle, which may be a library's kernel: it is that of the context, or the current one.
    pub fn named(handle: usize, context: Option<&Arc<Context>>) -> Result<Arc<Function>> {
        match (FUNCTIONS.get(handle), KERNELS.get(handle), context) {
            (Some(function), ..) => Ok(function),
            (None, Some(kernel), Some(context)) => kernel.function(context),
            (None, Some(kernel), None) => kernel.function(&context::current_any()?),
            (None, None, _) => FUNCTIONS.find(handle),
        }
    }

    /// Its code.
    pub fn code(&self) -> &Code {
        &self.program.functions[self.kernel as usize]
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.name.to_str().unwrap_or("")
    }

    /// Its name for C; it lives as long as the function.
    pub fn c_name(&self) -> &CStr {
        &self.name
    }

    /// What the program has set.
    pub fn settings(&self) -> Settings {
        *self.settings.lock()
    }

    /// Bytes of shared memory that its blocks have without asking for more.
    pub fn static_shared(&self) -> u32 {
        self.code().shared_size
    }

    /// Threads that a block may have. A shape that is required is no limit: a launch asks about it apart.
    pub fn most_threads(&self) -> u32 {
        most_threads(self.code())
    }

    /// Blocks that a cluster may have: as many as on every device, unless the program wants more. What this device has is
    /// another matter.
    pub fn largest_cluster(&self) -> u32 {
        const PORTABLE: u32 = 8;
        let most = if self.settings().non_portable != 0 { u32::MAX } else { PORTABLE };
        self.code().largest_cluster.map_or(most, |own| own.min(most))
    }

    /// Offset and size of a parameter.
    pub fn parameter(&self, index: usize) -> Result<(usize, usize)> {
        let parameter = self.code().parameters.get(index).ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "paramIndex {} is not less than the parameters of the function, {}",
                index,
                self.code().parameters.len()
            )
        })?;
        Ok((parameter.offset, parameter.size))
    }

    /// The value of an attribute.
    pub fn attribute(&self, which: FunctionAttribute) -> Result<i32> {
        let context = self.context.upgrade().ok_or_else(|| {
            refuse!(Error::CONTEXT_IS_DESTROYED, "hfunc is a function of a context that was destroyed")
        })?;
        self.settings().attribute(self.code(), &self.origin, &context.device, which)
    }

    /// Changes an attribute.
    pub fn set_attribute(&self, which: FunctionAttribute, value: i32) -> Result<()> {
        let context = self.context.upgrade().ok_or_else(|| {
            refuse!(Error::CONTEXT_IS_DESTROYED, "hfunc is a function of a context that was destroyed")
        })?;
        self.settings.lock().change(self.code(), &context.device, which, value)
    }

    /// Sets whether L1 cache or shared memory is preferred.
    pub fn set_cache(&self, config: u32) -> Result<()> {
        self.settings.lock().set_cache(config)
    }

    /// The share of shared memory in percent that launches in its context prefer, if any: as the function is set, else as the
    /// context is.
    pub fn carveout(&self) -> Option<u32> {
        const PREFER_L1: u32 = 2;
        const PREFER_EQUAL: u32 = 3;
        let settings = self.settings();
        if let Ok(percent) = u32::try_from(settings.carveout) {
            return Some(percent);
        }
        let of_context = || self.context.upgrade().map_or(0, |context| context.settings.lock().cache);
        match if settings.cache == 0 { of_context() } else { settings.cache } {
            PREFER_L1 => Some(0),
            PREFER_EQUAL => Some(50),
            _ => None,
        }
    }

    /// Changes what the program has set.
    pub fn update(&self, change: impl Fn(&mut Settings) -> Result<()>) -> Result<()> {
        change(&mut self.settings.lock())
    }

    /// Takes over what the program has set for a library's kernel.
    pub fn set(&self, settings: Settings) {
        *self.settings.lock() = settings;
    }

    /// What the launch calls of the first years have set.
    pub fn legacy(&self) -> MutexGuard<'_, Legacy> {
        self.has_legacy.store(true, Ordering::Release);
        self.legacy.lock()
    }

    /// A launch leaves its shape and parameters behind for the calls of the first years.
    pub fn launched(&self, kernel: &Kernel) {
        if self.has_legacy.load(Ordering::Acquire) {
            self.legacy.lock().note(kernel);
        }
    }
}

impl Settings {
    /// Those of a kernel for which the program has set nothing.
    pub fn of(code: &Code, device: &Device) -> Settings {
        Settings {
            dynamic_shared: (device.attribute_value(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK)
                - code.shared_size as i32)
                .max(0),
            carveout: -1,
            cluster: code.required_cluster.map_or([0; 3], |shape| shape.map(|n| n as i32)),
            non_portable: 0,
            policy: 0,
            cache: 0,
        }
    }

    /// The value of an attribute of a kernel.
    pub fn attribute(&self, code: &Code, origin: &Origin, device: &Device, which: FunctionAttribute) -> Result<i32> {
        Ok(match which {
            FunctionAttribute::MAX_THREADS => most_threads(code) as i32,
            FunctionAttribute::SHARED_BYTES => code.shared_size as i32,
            FunctionAttribute::CONSTANT_BYTES => origin.constant.min(i32::MAX as u64) as i32,
            FunctionAttribute::LOCAL_BYTES => code.stack.unwrap_or(code.local).min(i32::MAX as u64) as i32,
            FunctionAttribute::REGISTERS => code.registers as i32,
            FunctionAttribute::PTX_VERSION => origin.target as i32,
            FunctionAttribute::BINARY_VERSION => crate::kernel::module::capability(device) as i32,
            FunctionAttribute::CACHE_MODE => 0,
            FunctionAttribute::MAX_DYNAMIC_SHARED => self.dynamic_shared,
            FunctionAttribute::CARVEOUT => self.carveout,
            FunctionAttribute::CLUSTER_MUST_BE_SET => code.explicit_cluster.into(),
            FunctionAttribute::CLUSTER_WIDTH => self.cluster[0],
            FunctionAttribute::CLUSTER_HEIGHT => self.cluster[1],
            FunctionAttribute::CLUSTER_DEPTH => self.cluster[2],
            FunctionAttribute::NON_PORTABLE_CLUSTER => self.non_portable,
            FunctionAttribute::CLUSTER_POLICY => self.policy,
            _ => return Err(refuse!(Error::INVALID_VALUE, "attrib {} is not a CUfunction_attribute", which.0)),
        })
    }

    /// Sets whether L1 cache or shared memory is preferred.
    pub fn set_cache(&mut self, config: u32) -> Result<()> {
        refuse_if!(Error::INVALID_VALUE, config > MOST_CACHE, "config {} is not a CUfunc_cache", config);
        self.cache = config;
        Ok(())
    }

    /// Changes an attribute of a kernel.
    pub fn change(&mut self, code: &Code, device: &Device, which: FunctionAttribute, value: i32) -> Result<()> {
        let checked = |holds: bool| {
            if holds {
                Ok(value)
            } else {
                Err(refuse!(Error::INVALID_VALUE, "value {} is out of range for attrib {}", value, which.0))
            }
        };
        match which {
            FunctionAttribute::MAX_DYNAMIC_SHARED => {
                let most = device.attribute_value(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
                    - code.shared_size as i32;
                self.dynamic_shared = checked((0..=most).contains(&value))?;
            }
            FunctionAttribute::CARVEOUT => self.carveout = checked((-1..=100).contains(&value))?,
            // What the code says can be said again.
            FunctionAttribute::CLUSTER_WIDTH | FunctionAttribute::CLUSTER_HEIGHT | FunctionAttribute::CLUSTER_DEPTH => {
                let at = (which.0 - FunctionAttribute::CLUSTER_WIDTH.0) as usize;
                let compiled = code.required_cluster.map(|shape| shape[at].max(1) as i32);
                self.cluster[at] = checked(compiled.map_or(value >= 0, |n| n == value))?;
            }
            FunctionAttribute::NON_PORTABLE_CLUSTER => self.non_portable = i32::from(value != 0),
            FunctionAttribute::CLUSTER_POLICY => self.policy = checked((0..=2).contains(&value))?,
            _ => return Err(refuse!(Error::INVALID_VALUE, "attrib {} cannot be set", which.0)),
        }
        Ok(())
    }
}
