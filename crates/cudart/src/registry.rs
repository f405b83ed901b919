//! The fat binaries, kernels and variables that compiled programs have registered, and what the driver made of them.
//!
//! Nothing is loaded by registering. A fat binary is loaded at the first use of one of its kernels or variables, at the
//! first call that binds a context if it has managed variables (the program follows their pointers) or if the driver
//! says that loading is eager. So programs that use memory alone never load code.

use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{Address, Handle, NULL, handle_of};
use crate::user;
use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// `CU_LIBRARY_BINARY_IS_PRESERVED`: the image stays where it is.
const BINARY_IS_PRESERVED: c_int = 1;
/// `CU_MODULE_EAGER_LOADING`
const EAGER: c_int = 1;

/// One fat binary of the program.
pub struct Binary {
    /// Address of the wrapper that compiled code gave us.
    pub wrapper: usize,
    /// The driver's library, once loaded.
    pub library: Option<usize>,
    /// It has managed variables.
    pub managed: bool,
    pub registered: bool,
}

/// One kernel: its host function is its name for the program.
pub struct Function {
    pub binary: usize,
    pub name: CString,
    pub kernel: Option<usize>,
}

/// One variable: its host shadow is its name for the program.
pub struct Variable {
    pub binary: usize,
    pub name: CString,
    pub size: usize,
    /// Of a managed variable: the program's pointer to it, which we fill in.
    pub managed: Option<usize>,
    /// What we filled in. Code that takes a managed variable's address means this.
    pub address: Address,
}

#[derive(Default)]
pub struct Registry {
    pub binaries: Vec<Binary>,
    pub functions: HashMap<usize, Function>,
    pub variables: HashMap<usize, Variable>,
}

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);
/// Something waits to be loaded by the next call that binds a context.
static PENDING: AtomicBool = AtomicBool::new(false);
/// The driver is asked for its way of loading once.
static ONCE: Once = Once::new();
static IS_EAGER: AtomicBool = AtomicBool::new(false);

fn lock() -> MutexGuard<'static, Option<Registry>> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn with<T>(run: impl FnOnce(&mut Registry) -> T) -> T {
    run(lock().get_or_insert_default())
}

fn load(binary: &mut Binary) -> Result<usize> {
    if let Some(library) = binary.library {
        return Ok(library);
    }
    if !binary.registered {
        return Err(Error::INVALID_DEVICE_FUNCTION);
    }
    let mut library: Handle = NULL;
    let mut option = BINARY_IS_PRESERVED;
    let mut value: *mut c_void = handle_of(1);
    drv::cuLibraryLoadData(
        &raw mut library,
        binary.wrapper as *const c_void,
        NULL,
        NULL,
        0u32,
        &raw mut option,
        &raw mut value,
        1u32,
    )?;
    binary.library = Some(library as usize);
    Ok(library as usize)
}

/// The next call that binds a context looks for what cannot wait for its first use.
pub fn expect_loading() {
    PENDING.store(true, Ordering::Release);
}

/// Loads what cannot wait for its first use. Errors come back when it is used.
pub fn load_eagerly() {
    if !PENDING.load(Ordering::Acquire) {
        return;
    }
    ONCE.call_once(|| {
        let mut mode: c_int = 0;
        let eager = match drv::cuModuleGetLoadingMode(&raw mut mode) {
            Ok(()) => mode == EAGER,
            // NVIDIA's runtime takes the absence of the function for an old driver, which knows no other way.
            Err(e) => e == Error::CALL_REQUIRES_NEWER_DRIVER,
        };
        IS_EAGER.store(eager, Ordering::Relaxed);
    });
    let eager = IS_EAGER.load(Ordering::Relaxed);
    with(|r| {
        for binary in &mut r.binaries {
            if binary.registered && (eager || binary.managed) {
                let _ = load(binary);
            }
        }
        for variable in r.variables.values_mut().filter(|v| v.address == 0) {
            let (Some(place), Some(binary)) = (variable.managed, r.binaries.get(variable.binary)) else { continue };
            let Some(library) = binary.library else { continue };
            let mut address: Address = 0;
            let library = handle_of(library);
            if drv::cuLibraryGetManaged(&raw mut address, NULL, library, variable.name.as_ptr()).is_ok() {
                variable.address = address;
                let _ = user::write(place as *mut Address, address);
            }
        }
        // Only now: who sees nothing pending follows the pointers.
        PENDING.store(false, Ordering::Release);
    });
}

/// Marks the address of a host function as a handle of a kernel that could not be had when compiled code asked for it.
pub const NOT_YET: usize = 1 << 63;

/// The kernel behind a handle that [`__cudaGetKernel`] gave.
pub fn kernel_of_handle(handle: Handle) -> Result<Handle> {
    match handle as usize {
        0 => Err(Error::INVALID_DEVICE_FUNCTION),
        late if late & NOT_YET != 0 => registered(handle_of(late & !NOT_YET)),
        _ => Ok(handle),
    }
}

/// What is launched or asked about: the kernel of a host function. What is none may be a kernel itself, which the driver
/// knows.
pub fn kernel(function: *const c_void) -> Result<Handle> {
    match registered(function) {
        Err(Error::INVALID_DEVICE_FUNCTION) if !function.is_null() && !is_registered(function) => {
            Ok(function.cast_mut())
        }
        found => found,
    }
}

pub fn is_registered(function: *const c_void) -> bool {
    with(|r| r.functions.contains_key(&(function as usize)))
}

/// The kernel of a host function.
pub fn registered(function: *const c_void) -> Result<Handle> {
    with(|r| {
        let f = r.functions.get_mut(&(function as usize)).ok_or(Error::INVALID_DEVICE_FUNCTION)?;
        if let Some(kernel) = f.kernel {
            return Ok(handle_of(kernel));
        }
        let binary = r.binaries.get_mut(f.binary).ok_or(Error::INVALID_DEVICE_FUNCTION)?;
        let library = handle_of(load(binary)?);
        let mut kernel: Handle = NULL;
        drv::cuLibraryGetKernel(&raw mut kernel, library, f.name.as_ptr())?;
        f.kernel = Some(kernel as usize);
        Ok(kernel)
    })
}

/// The host function of a kernel; the kernel itself if it has none.
pub fn host_function(kernel: Handle) -> Handle {
    with(|r| {
        let found = r.functions.iter().find(|(_, f)| f.kernel == Some(kernel as usize));
        found.map_or(kernel, |(&host, _)| handle_of(host))
    })
}

/// The name of a host function's kernel, or of a kernel.
pub fn kernel_name(function: *const c_void) -> Result<*const c_char> {
    if let Some(name) = with(|r| r.functions.get(&(function as usize)).map(|f| f.name.as_ptr())) {
        return Ok(name);
    }
    let mut name: *const c_char = core::ptr::null();
    drv::cuKernelGetName(&raw mut name, kernel(function)?)?;
    Ok(name)
}

/// Device address and size of the variable behind a host shadow.
pub fn symbol(shadow: *const c_void) -> Result<(Address, usize)> {
    with(|r| {
        let managed = || r.variables.values().find(|v| v.address != 0 && v.address == shadow as usize as Address);
        let v = r.variables.get(&(shadow as usize)).or_else(managed).ok_or(Error::INVALID_SYMBOL)?;
        let binary = r.binaries.get_mut(v.binary).ok_or(Error::INVALID_SYMBOL)?;
        let library = handle_of(load(binary)?);
        let mut address: Address = 0;
        if v.managed.is_some() {
            drv::cuLibraryGetManaged(&raw mut address, NULL, library, v.name.as_ptr())?;
        } else {
            drv::cuLibraryGetGlobal(&raw mut address, NULL, library, v.name.as_ptr())?;
        }
        Ok((address, v.size))
    })
}

/// The address inside a variable for `count` bytes from `offset` on.
pub fn symbol_range(shadow: *const c_void, offset: usize, count: usize) -> Result<Address> {
    let (address, size) = symbol(shadow)?;
    if offset.checked_add(count).is_none_or(|end| end > size) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(address + offset as Address)
}

/// What graph nodes need: the address inside a variable.
pub fn symbol_address(shadow: *const c_void, offset: usize, count: usize) -> Result<*mut c_void> {
    Ok(symbol_range(shadow, offset, count)? as *mut c_void)
}
