//! Functions: kernels of a module in a context.

use crate::base::handle::{HandleKind, Table};
use crate::kernel::legacy_state::LegacyState;
use crate::kernel::settings::{FunctionAttribute, FunctionSettings, Origin, most_threads};
use crate::stream::context;
use crate::stream::context::Context;
use engine::state::warp::{Code, Program};
use error::{Error, Result, refuse};
use parking_lot::{Mutex, MutexGuard, RwLock};
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// A kernel in a context.
pub struct Function {
    /// The handle that the program has.
    pub handle: usize,
    /// The handle of its module.
    pub module: usize,
    /// The context that it runs in.
    pub context: Weak<Context>,
    /// The module's code.
    pub program: Arc<Program>,
    /// Its number in the code.
    pub kernel: u32,
    name: CString,
    origin: Origin,
    /// What all functions of its module share.
    pub common: Arc<Common>,
    settings: Mutex<FunctionSettings>,
    legacy: Mutex<LegacyState>,
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

/// All functions.
pub static FUNCTIONS: Table<Function> = Table::new(HandleKind::Function);

/// Blocks of a cluster that every device can run.
const PORTABLE: u32 = 8;

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
                settings: Mutex::new(FunctionSettings::of(code, &context.device)),
                legacy: Mutex::default(),
                has_legacy: AtomicBool::new(false),
            })
        })
    }

    /// The function behind a handle.
    /// Fails with the asynchronous error of its context.
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

    /// Its context.
    #[inline]
    pub fn owner(&self) -> Result<Arc<Context>> {
        let gone = || refuse!(Error::CONTEXT_IS_DESTROYED, "f is a function of a context that was destroyed");
        self.context.upgrade().ok_or_else(gone)
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
    pub fn settings(&self) -> FunctionSettings {
        *self.settings.lock()
    }

    /// Bytes of shared memory that its blocks have without asking for more.
    pub fn static_shared(&self) -> u32 {
        self.code().shared_size
    }

    /// Threads that a block may have. A required shape of blocks is no such limit: a launch checks it separately.
    pub fn most_threads(&self) -> u32 {
        most_threads(self.code())
    }

    /// Blocks that a cluster may have: as many as every device can run, unless the program allows more. The limit of this device
    /// is checked elsewhere.
    pub fn largest_cluster(&self) -> u32 {
        let most = self.largest_possible_cluster();
        self.code().largest_cluster.filter(|&own| own != 0).map_or(most, |own| own.min(most))
    }

    /// The same without what the function was compiled for: it does not count where the device is asked what fits.
    pub fn largest_possible_cluster(&self) -> u32 {
        if self.settings().non_portable != 0 { u32::MAX } else { PORTABLE }
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
    pub fn update(&self, change: impl Fn(&mut FunctionSettings) -> Result<()>) -> Result<()> {
        change(&mut self.settings.lock())
    }

    /// Takes over what the program has set for a library's kernel.
    pub fn set(&self, settings: FunctionSettings) {
        *self.settings.lock() = settings;
    }

    /// What the launch calls before `cuLaunchKernel` have set.
    pub fn legacy(&self) -> MutexGuard<'_, LegacyState> {
        self.has_legacy.store(true, Ordering::Release);
        self.legacy.lock()
    }

    /// What the launch calls before `cuLaunchKernel` have set, if any of them was called.
    pub fn legacy_in_use(&self) -> Option<MutexGuard<'_, LegacyState>> {
        self.has_legacy.load(Ordering::Acquire).then(|| self.legacy.lock())
    }
}
