//! What compiled programs register: fat binaries, kernels, variables.
//!
//! Nothing is loaded by registering. A fat binary is loaded at the first use of one of its kernels or variables, at the
//! first call that binds a context if it has managed variables (the program follows their pointers) or if the driver
//! says that loading is eager. So programs that use memory alone never load code.

use crate::context;
use crate::copy::{self, Kind, Order};
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{Address, Dim3, Handle, NULL};
use crate::user;
use core::cell::RefCell;
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// `CU_LIBRARY_BINARY_IS_PRESERVED`: the image stays where it is.
const BINARY_IS_PRESERVED: c_int = 1;
/// `CU_MODULE_EAGER_LOADING`
const EAGER: c_int = 1;

/// One fat binary of the program.
struct Binary {
    /// Address of the wrapper that compiled code gave us.
    wrapper: usize,
    /// The driver's library, once loaded.
    library: Option<usize>,
    /// It has managed variables.
    managed: bool,
    registered: bool,
}

/// One kernel: its host function is its name for the program.
struct Function {
    binary: usize,
    name: CString,
    kernel: Option<usize>,
}

/// One variable: its host shadow is its name for the program.
struct Variable {
    binary: usize,
    name: CString,
    size: usize,
    /// Of a managed variable: the program's pointer to it, which we fill in.
    managed: Option<usize>,
    /// What we filled in. Code that takes a managed variable's address means this.
    address: Address,
}

#[derive(Default)]
struct Registry {
    binaries: Vec<Binary>,
    functions: HashMap<usize, Function>,
    variables: HashMap<usize, Variable>,
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

fn with<T>(run: impl FnOnce(&mut Registry) -> T) -> T {
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
    let mut value: *mut c_void = context::handle(1);
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
            let library = context::handle(library);
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
const NOT_YET: usize = 1 << 63;

/// The kernel behind a handle that [`__cudaGetKernel`] gave.
pub fn kernel_of_handle(handle: Handle) -> Result<Handle> {
    match handle as usize {
        0 => Err(Error::INVALID_DEVICE_FUNCTION),
        late if late & NOT_YET != 0 => registered(context::handle(late & !NOT_YET)),
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

fn is_registered(function: *const c_void) -> bool {
    with(|r| r.functions.contains_key(&(function as usize)))
}

/// The kernel of a host function.
fn registered(function: *const c_void) -> Result<Handle> {
    with(|r| {
        let f = r.functions.get_mut(&(function as usize)).ok_or(Error::INVALID_DEVICE_FUNCTION)?;
        if let Some(kernel) = f.kernel {
            return Ok(context::handle(kernel));
        }
        let binary = r.binaries.get_mut(f.binary).ok_or(Error::INVALID_DEVICE_FUNCTION)?;
        let library = context::handle(load(binary)?);
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
        found.map_or(kernel, |(&host, _)| context::handle(host))
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
fn symbol(shadow: *const c_void) -> Result<(Address, usize)> {
    with(|r| {
        let managed = || r.variables.values().find(|v| v.address != 0 && v.address == shadow as usize as Address);
        let v = r.variables.get(&(shadow as usize)).or_else(managed).ok_or(Error::INVALID_SYMBOL)?;
        let binary = r.binaries.get_mut(v.binary).ok_or(Error::INVALID_SYMBOL)?;
        let library = context::handle(load(binary)?);
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
fn symbol_range(shadow: *const c_void, offset: usize, count: usize) -> Result<Address> {
    let (address, size) = symbol(shadow)?;
    if offset.checked_add(count).is_none_or(|end| end > size) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(address + offset as Address)
}

fn to_symbol(
    shadow: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: c_int,
    order: Order,
) -> Result {
    match Kind::parse(kind)? {
        Kind::HostToDevice | Kind::DeviceToDevice | Kind::Default => {}
        _ => return Err(Error::INVALID_MEMCPY_DIRECTION),
    }
    let address = symbol_range(shadow, offset, count)?;
    copy::linear(address as *mut c_void, src, count, kind, order)
}

fn from_symbol(
    dst: *mut c_void,
    shadow: *const c_void,
    count: usize,
    offset: usize,
    kind: c_int,
    order: Order,
) -> Result {
    match Kind::parse(kind)? {
        Kind::DeviceToHost | Kind::DeviceToDevice | Kind::Default => {}
        _ => return Err(Error::INVALID_MEMCPY_DIRECTION),
    }
    let address = symbol_range(shadow, offset, count)?;
    copy::linear(dst, address as *const c_void, count, kind, order)
}

/// The index of a fat binary that a handle stands for. Handles point to their index.
fn index(handle: *mut *mut c_void) -> Option<usize> {
    user::read(handle.cast_const().cast::<usize>()).ok()
}

/// Registers a fat binary. The handle lives as long as the process.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaRegisterFatBinary(wrapper: *mut c_void) -> *mut *mut c_void {
    let index = with(|r| {
        r.binaries.push(Binary { wrapper: wrapper as usize, library: None, managed: false, registered: true });
        r.binaries.len() - 1
    });
    PENDING.store(true, Ordering::Release);
    Box::into_raw(Box::new(index)).cast()
}

/// All of a fat binary's parts are registered.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaRegisterFatBinaryEnd(_handle: *mut *mut c_void) {
    PENDING.store(true, Ordering::Release);
}

/// The program or a shared object of it ends: its images are about to go.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaUnregisterFatBinary(handle: *mut *mut c_void) {
    let Some(i) = index(handle) else { return };
    with(|r| {
        r.functions.retain(|_, f| f.binary != i);
        r.variables.retain(|_, v| v.binary != i);
        if let Some(binary) = r.binaries.get_mut(i) {
            binary.registered = false;
            // At exit all goes anyway; unloading would wait for kernels that never end.
            if let Some(library) = binary.library.take()
                && !context::is_exiting()
            {
                let _ = drv::cuLibraryUnload(context::handle(library));
            }
        }
    });
}

/// Registers a kernel under its host function.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaRegisterFunction(
    handle: *mut *mut c_void, host: *const c_char, _device: *mut c_char, name: *const c_char, _threads: c_int,
    _tid: *mut c_void, _bid: *mut c_void, _block: *mut c_void, _grid: *mut c_void, _warp: *mut c_int,
) {
    let (Some(binary), Ok(name)) = (index(handle), user::read_text(name)) else { return };
    with(|r| r.functions.insert(host as usize, Function { binary, name, kernel: None }));
}

/// Registers a variable under its host shadow.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaRegisterVar(
    handle: *mut *mut c_void, host: *mut c_char, _device: *mut c_char, name: *const c_char, _external: c_int,
    size: usize, _constant: c_int, _global: c_int,
) {
    let (Some(binary), Ok(name)) = (index(handle), user::read_text(name)) else { return };
    with(|r| r.variables.insert(host as usize, Variable { binary, name, size, managed: None, address: 0 }));
}

/// Registers a managed variable: its host shadow is the pointer that we fill in.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaRegisterManagedVar(
    handle: *mut *mut c_void, host: *mut *mut c_void, _device: *mut c_char, name: *const c_char, _external: c_int,
    size: usize, _constant: c_int, _global: c_int,
) {
    let (Some(binary), Ok(name)) = (index(handle), user::read_text(name)) else { return };
    with(|r| {
        if let Some(b) = r.binaries.get_mut(binary) {
            b.managed = true;
        }
        r.variables.insert(host as usize, Variable { binary, name, size, managed: Some(host as usize), address: 0 })
    });
    PENDING.store(true, Ordering::Release);
}

/// Compiled code asks this before it follows the pointer of a managed variable.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaInitModule(_handle: *mut *mut c_void) -> c_char {
    let _ = crate::api::answer(true, || {
        load_eagerly();
        Ok(())
    });
    1
}

/// The configuration of `<<<>>>` between its two halves.
struct Configuration {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: Handle,
}

thread_local! {
    static CONFIGURATIONS: RefCell<Vec<Configuration>> = const { RefCell::new(Vec::new()) };
}

/// The first half of `<<<>>>`.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaPushCallConfiguration(grid: Dim3, block: Dim3, shared: usize, stream: Handle) -> c_uint {
    let pushed = CONFIGURATIONS.try_with(|stack| {
        stack.borrow_mut().push(Configuration { grid, block, shared, stream });
    });
    c_uint::from(pushed.is_err())
}

api! {
    /// The second half of `<<<>>>`.
    #[bare]
    fn __cudaPopCallConfiguration(grid: *mut Dim3, block: *mut Dim3, shared: *mut usize, stream: *mut Handle) {
        let top = CONFIGURATIONS.try_with(|stack| stack.borrow_mut().pop()).ok().flatten();
        let c = top.ok_or(Error::MISSING_CONFIGURATION)?;
        user::write(grid, c.grid)?;
        user::write(block, c.block)?;
        user::write(shared, c.shared)?;
        user::write(stream, c.stream)
    }

    /// The kernel of a host function, for compiled code, which asks once and keeps what it gets: what goes wrong now is
    /// the error of the launch, and another launch tries again.
    #[bare]
    fn __cudaGetKernel(out: *mut Handle, function: *const c_void) {
        let found = match context::ensure().and_then(|()| registered(function)) {
            Err(_) if is_registered(function) => context::handle(function as usize | NOT_YET),
            found => found?,
        };
        user::write(out, found)
    }

    /// The kernel of a host function.
    fn cudaGetKernel(out: *mut Handle, function: *const c_void) {
        if out.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        user::write(out, registered(function)?)
    }

    /// The driver's function of a host function.
    fn cudaGetFuncBySymbol(out: *mut Handle, function: *const c_void) {
        if out.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        drv::cuKernelGetFunction(out, kernel(function)?)
    }

    /// The device's address of a variable.
    fn cudaGetSymbolAddress(ptr: *mut *mut c_void, shadow: *const c_void) {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        user::write(ptr, symbol(shadow)?.0 as *mut c_void)
    }

    /// The size of a variable.
    fn cudaGetSymbolSize(size: *mut usize, shadow: *const c_void) {
        if size.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        user::write(size, symbol(shadow)?.1)
    }

    /// Copies into a variable.
    fn cudaMemcpyToSymbol / cudaMemcpyToSymbol_ptds(
        shadow: *const c_void, src: *const c_void, count: usize, offset: usize, kind: c_int,
    ) |pt| {
        to_symbol(shadow, src, count, offset, kind, Order::Now(pt))
    }

    /// Copies out of a variable.
    fn cudaMemcpyFromSymbol / cudaMemcpyFromSymbol_ptds(
        dst: *mut c_void, shadow: *const c_void, count: usize, offset: usize, kind: c_int,
    ) |pt| {
        from_symbol(dst, shadow, count, offset, kind, Order::Now(pt))
    }

    /// `cudaMemcpyToSymbol` in the order of a stream.
    fn cudaMemcpyToSymbolAsync / cudaMemcpyToSymbolAsync_ptsz(
        shadow: *const c_void, src: *const c_void, count: usize, offset: usize, kind: c_int, stream: Handle,
    ) |pt| {
        to_symbol(shadow, src, count, offset, kind, Order::Stream(pt, stream))
    }

    /// `cudaMemcpyFromSymbol` in the order of a stream.
    fn cudaMemcpyFromSymbolAsync / cudaMemcpyFromSymbolAsync_ptsz(
        dst: *mut c_void, shadow: *const c_void, count: usize, offset: usize, kind: c_int, stream: Handle,
    ) |pt| {
        from_symbol(dst, shadow, count, offset, kind, Order::Stream(pt, stream))
    }
}

/// What graph nodes need: the address inside a variable.
pub fn symbol_address(shadow: *const c_void, offset: usize, count: usize) -> Result<*mut c_void> {
    Ok(symbol_range(shadow, offset, count)? as *mut c_void)
}
