//! Libraries: device code for all contexts.

use crate::base::devices::Device;
use crate::base::handle::{HandleKind, Table};
use crate::kernel::function::{FUNCTIONS, Function};
use crate::kernel::module;
use crate::kernel::module::{MODULES, Module, Options, Shared};
use crate::kernel::settings::{FunctionAttribute, FunctionSettings, Origin};
use crate::stream::context;
use crate::stream::context::Context;
use engine::state::warp::Code;
use error::{Error, Result, refuse};
use parking_lot::Mutex;
use settings::config::ModuleLoading;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Weak};

/// A library.
pub struct Library {
    /// The handle that the program has.
    pub handle: usize,
    text: String,
    /// Why its image is no use, which whoever wants something of it learns.
    refused: Option<Error>,
    /// Most registers of a thread, as the program asked for.
    most_registers: Option<u32>,
    /// Its kernels.
    pub kernels: Vec<Arc<Kernel>>,
    /// Its managed variables.
    pub managed: Shared,
    /// Its module in each context, by the context's id.
    modules: Mutex<Vec<(u64, Arc<Module>)>>,
}

/// A kernel of a library.
pub struct Kernel {
    /// The handle that the program has.
    pub handle: usize,
    /// Where it comes from.
    pub library: Weak<Library>,
    name: CString,
    /// Its code without the steps.
    code: Code,
    origin: Origin,
    /// What the program has set, by the device's number.
    settings: Mutex<HashMap<u32, FunctionSettings>>,
}

/// All libraries.
pub static LIBRARIES: Table<Library> = Table::new(HandleKind::Library);
/// All kernels of libraries.
pub static KERNELS: Table<Kernel> = Table::new(HandleKind::Kernel);

impl Library {
    /// Loads the image at an address of the program. As on the real driver, one that is wrong makes a library without
    /// kernels, unless everything is to be loaded at once: its error comes when something of it is asked for.
    pub fn load(address: usize, options: &mut Options) -> Result<Arc<Library>> {
        let device = match context::top() {
            Some(context) => context.device.clone(),
            None => crate::base::devices::device(0)?.clone(),
        };
        let eager = settings::config::settings().is_some_and(|all| all.module_loading == ModuleLoading::Eager);
        let is_of_image = |error| {
            let errors =
                [Error::INVALID_IMAGE, Error::INVALID_PTX, Error::UNSUPPORTED_PTX_VERSION, Error::NO_BINARY_FOR_GPU];
            errors.contains(&error) || error == Error::INVALID_SOURCE
        };
        let (text, outlines, managed, refused) = match Library::read(address, &device, options) {
            Ok((text, outlines, managed)) => (text, Some(outlines), managed, None),
            Err(error) if !eager && is_of_image(error) => (String::new(), None, Shared::default(), Some(error)),
            Err(error) => return Err(error),
        };
        let (kernels, origin) = outlines.map(|all| (all.kernels, all.origin)).unzip();
        let mut library = None;
        LIBRARIES.insert_with(|handle| {
            let made = Arc::new_cyclic(|me: &Weak<Library>| Library {
                handle,
                text,
                refused,
                most_registers: options.most_registers,
                // As the real driver lists them: the last one first.
                kernels: (kernels.into_iter().flatten().rev())
                    .zip(origin.into_iter().cycle())
                    .filter_map(|(code, origin)| Kernel::create(me, code, origin))
                    .collect(),
                managed,
                modules: Mutex::default(),
            });
            library = Some(made.clone());
            made
        });
        library.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many libraries"))
    }

    /// What an image holds: its text, its kernels, and its managed variables, made.
    fn read(address: usize, device: &Arc<Device>, options: &mut Options) -> Result<(String, module::Outlines, Shared)> {
        let image = image::read(address, device.compute_capability()).inspect_err(|&error| {
            if error == Error::NO_BINARY_FOR_GPU {
                options.has_no_ptx(device);
            }
        })?;
        options.check(&image)?;
        options.most_registers = options.most_registers.or(image.most_registers);
        let text = module::joined(image)?;
        let (outlines, managed) = module::outline(&text, device, options)?;
        Ok((text, outlines, managed))
    }

    /// The error of an image that is no use.
    pub fn check(&self) -> Result<()> {
        match self.refused {
            Some(error) => Err(refuse!(error, "library {:#x} was loaded of an image that is wrong", self.handle)),
            None => Ok(()),
        }
    }

    /// Takes a library out of every context.
    pub fn unload(handle: usize) -> Result<()> {
        LIBRARIES.get_or(handle, Error::INVALID_HANDLE)?;
        crate::stream::capture::check_call()?;
        let library = LIBRARIES.remove(handle).ok_or_else(|| LIBRARIES.stale(Error::INVALID_HANDLE, handle))?;
        for kernel in &library.kernels {
            KERNELS.remove(kernel.handle);
        }
        let modules = core::mem::take(&mut *library.modules.lock());
        modules.iter().for_each(|(_, module)| module.remove());
        Ok(())
    }

    /// Its module or function in a context.
    pub fn module(&self, context: &Arc<Context>) -> Result<Arc<Module>> {
        self.check()?;
        let mut modules = self.modules.lock();
        if let Some((_, module)) = modules.iter().find(|(id, _)| *id == context.id) {
            return Ok(module.clone());
        }
        let mut options = Options { most_registers: self.most_registers, ..Options::default() };
        let module = Module::load_text(context, &self.text, &mut options, Some(&self.managed))?;
        for kernel in &self.kernels {
            if let Some(settings) = kernel.settings.lock().get(&context.device.ordinal) {
                kernel.of(&module)?.set(*settings);
            }
        }
        // Modules of destroyed contexts are forgotten.
        modules.retain(|(_, module)| MODULES.get(module.handle).is_some());
        modules.push((context.id, module.clone()));
        Ok(module)
    }

    /// The kernel with a name.
    pub fn kernel(&self, name: &str) -> Result<&Arc<Kernel>> {
        self.check()?;
        self.kernels
            .iter()
            .find(|k| k.name.to_str() == Ok(name))
            .ok_or_else(|| refuse!(Error::NOT_FOUND, "name {:?} is not a kernel of the library", name))
    }
}

impl Kernel {
    fn create(library: &Weak<Library>, code: Code, origin: Origin) -> Option<Arc<Kernel>> {
        let (name, settings) = (CString::new(code.name.as_str()).ok()?, Mutex::default());
        KERNELS
            .insert_with(|handle| Arc::new(Kernel { handle, library: library.clone(), name, code, origin, settings }))
    }

    /// Its function in a module of the library.
    fn of(&self, module: &Module) -> Result<Arc<Function>> {
        module.function(self.name.to_str().unwrap_or(""))
    }

    /// The value of an attribute on a device.
    pub fn attribute(&self, device: &Device, which: FunctionAttribute) -> Result<i32> {
        let settings = self.settings.lock().get(&device.ordinal).copied();
        let settings = settings.unwrap_or_else(|| FunctionSettings::of(&self.code, device));
        settings.attribute(&self.code, &self.origin, device, which)
    }

    /// Changes an attribute on a device, in all contexts.
    pub fn set_attribute(&self, device: &Device, which: FunctionAttribute, value: i32) -> Result<()> {
        self.change(device, |settings| settings.change(&self.code, device, which, value))
    }

    /// Sets whether it prefers L1 cache or shared memory on a device, in all contexts.
    pub fn set_cache(&self, device: &Device, config: u32) -> Result<()> {
        self.change(device, |settings| settings.set_cache(config))
    }

    fn change(&self, device: &Device, change: impl Fn(&mut FunctionSettings) -> Result<()>) -> Result<()> {
        let library = self
            .library
            .upgrade()
            .ok_or_else(|| refuse!(Error::INVALID_HANDLE, "kernel is of a library that was unloaded"))?;
        // The lock keeps others from making a module of the library meanwhile.
        let modules = library.modules.lock();
        let mut all = self.settings.lock();
        let settings = all.entry(device.ordinal).or_insert_with(|| FunctionSettings::of(&self.code, device));
        change(settings)?;
        for function in modules.iter().filter_map(|(_, module)| self.of(module).ok()) {
            if function.context.upgrade().is_some_and(|context| context.device.ordinal == device.ordinal) {
                function.update(&change)?;
            }
        }
        Ok(())
    }

    /// Its name for C; it lives as long as the library.
    pub fn c_name(&self) -> &CStr {
        &self.name
    }

    /// Its module or function in a context.
    pub fn function(&self, context: &Arc<Context>) -> Result<Arc<Function>> {
        let library = self
            .library
            .upgrade()
            .ok_or_else(|| refuse!(Error::INVALID_HANDLE, "kernel is of a library that was unloaded"))?;
        self.of(&*library.module(context)?)
    }
}

/// The function behind a handle, which may be a kernel of a library: it is that of the context, or of the current one.
pub fn function_of(handle: usize, context: Option<&Arc<Context>>) -> Result<Arc<Function>> {
    match (FUNCTIONS.get(handle), KERNELS.get(handle), context) {
        (Some(function), ..) => Ok(function),
        (None, Some(kernel), Some(context)) => kernel.function(context),
        (None, Some(kernel), None) => kernel.function(&context::current_any()?),
        (None, None, _) => FUNCTIONS.find(handle),
    }
}
