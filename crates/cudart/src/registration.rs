//! The exports through which compiled programs register fat binaries, kernels and variables, and reach variables by name.

use crate::context;
use crate::copy::{self, CopyKind, Order};
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::registry::{
    self, Binary, Function, NOT_YET, Variable, is_registered, kernel, load_eagerly, registered, symbol, symbol_range,
    with,
};
use crate::types::{Dim3, Handle, handle_of};
use crate::user;
use core::cell::RefCell;
use core::ffi::{c_char, c_int, c_uint, c_void};

fn to_symbol(
    shadow: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: c_int,
    order: Order,
) -> Result {
    match CopyKind::parse(kind)? {
        CopyKind::HostToDevice | CopyKind::DeviceToDevice | CopyKind::Default => {}
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
    match CopyKind::parse(kind)? {
        CopyKind::DeviceToHost | CopyKind::DeviceToDevice | CopyKind::Default => {}
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
    registry::expect_loading();
    Box::into_raw(Box::new(index)).cast()
}

/// All of a fat binary's parts are registered.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn __cudaRegisterFatBinaryEnd(_handle: *mut *mut c_void) {
    registry::expect_loading();
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
                let _ = drv::cuLibraryUnload(handle_of(library));
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
    registry::expect_loading();
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
            Err(_) if is_registered(function) => handle_of(function as usize | NOT_YET),
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
