//! Libraries: device code for all contexts.

use super::context::{self, Context};
use super::function::Function;
use super::handle::{Kind, Table};
use super::image;
use super::module::{self, MODULES, Module, Options, Shared, capability};
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Weak};

/// A library.
pub struct Library {
    /// What the program holds.
    pub handle: usize,
    text: String,
    /// Most registers of a thread, as the program asked for.
    most_registers: Option<u32>,
    /// Its kernels.
    pub kernels: Vec<Arc<Kernel>>,
    /// Its managed variables.
    pub managed: Shared,
    /// What it is in each context, by the context's id.
    modules: Mutex<Vec<(u64, Arc<Module>)>>,
}

/// A kernel of a library.
pub struct Kernel {
    /// What the program holds.
    pub handle: usize,
    /// Where it comes from.
    pub library: Weak<Library>,
    name: CString,
}

/// All libraries.
pub static LIBRARIES: Table<Library> = Table::new(Kind::Library);
/// All kernels of libraries.
pub static KERNELS: Table<Kernel> = Table::new(Kind::Kernel);

impl Library {
    /// Loads the image at an address of the program.
    pub fn load(address: usize, options: &mut Options) -> Result<Arc<Library>> {
        let device = match context::top() {
            Some(context) => context.device.clone(),
            None => super::device(0)?.clone(),
        };
        let image = image::read(address, capability(&device))?;
        let text = module::joined(&image)?;
        let most_registers = options.most_registers.or(image.most_registers);
        let (names, managed) = module::outline(&text, &device, options)?;
        let mut library = None;
        LIBRARIES.insert_with(|handle| {
            let made = Arc::new_cyclic(|me: &Weak<Library>| Library {
                handle,
                text,
                most_registers,
                kernels: names.iter().filter_map(|name| Kernel::create(me, name)).collect(),
                managed,
                modules: Mutex::default(),
            });
            library = Some(made.clone());
            made
        });
        library.ok_or(Error::OUT_OF_MEMORY)
    }

    /// Takes a library out of every context.
    pub fn unload(handle: usize) -> Result<()> {
        let library = LIBRARIES.remove(handle).ok_or(Error::INVALID_HANDLE)?;
        for kernel in &library.kernels {
            KERNELS.remove(kernel.handle);
        }
        let modules = core::mem::take(&mut *library.modules.lock());
        modules.iter().for_each(|(_, module)| module.remove());
        Ok(())
    }

    /// What it is in a context.
    pub fn module(&self, context: &Arc<Context>) -> Result<Arc<Module>> {
        let mut modules = self.modules.lock();
        if let Some((_, module)) = modules.iter().find(|(id, _)| *id == context.id) {
            return Ok(module.clone());
        }
        let mut options = Options { most_registers: self.most_registers, ..Options::default() };
        let module = Module::load_text(context, &self.text, &mut options, Some(&self.managed))?;
        // Contexts that are no more leave nothing behind.
        modules.retain(|(_, module)| MODULES.get(module.handle).is_some());
        modules.push((context.id, module.clone()));
        Ok(module)
    }

    /// The kernel with a name.
    pub fn kernel(&self, name: &str) -> Result<&Arc<Kernel>> {
        self.kernels.iter().find(|k| k.name.to_str() == Ok(name)).ok_or(Error::NOT_FOUND)
    }
}

impl Kernel {
    fn create(library: &Weak<Library>, name: &str) -> Option<Arc<Kernel>> {
        let name = CString::new(name).ok()?;
        KERNELS.insert_with(|handle| Arc::new(Kernel { handle, library: library.clone(), name }))
    }

    /// Its name for C; it lives as long as the library.
    pub fn c_name(&self) -> &CStr {
        &self.name
    }

    /// What it is in a context.
    pub fn function(&self, context: &Arc<Context>) -> Result<Arc<Function>> {
        let library = self.library.upgrade().ok_or(Error::INVALID_HANDLE)?;
        library.module(context)?.function(self.name.to_str().unwrap_or(""))
    }
}

/// For the handle of a kernel: the function that it is in the current context.
pub(super) fn function_of(handle: usize) -> Option<Result<Arc<Function>>> {
    let kernel = KERNELS.get(handle)?;
    Some(context::current_any().and_then(|context| kernel.function(&context)))
}
