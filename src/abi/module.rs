//! Module Management.

#![allow(non_snake_case)]

use super::convert::bounds::LONGEST_PATH;
use super::convert::jit::{self, Jit};
use super::convert::name::symbol;
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_NVVM, CU_JIT_INPUT_PTX, CU_MODULE_EAGER_LOADING, CU_MODULE_LAZY_LOADING,
    CUdeviceptr, CUdeviceptr_v1, CUfunction, CUjit_option, CUjitInputType, CUlinkState, CUmodule, CUmoduleLoadingMode,
    CUsurfref, CUtexref,
};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_void};
use device::kernel::link::{LINKS, Link};
use device::kernel::module::{MODULES, Module, Options};
use device::stream::context;
use error::{Error, Result, refuse, refuse_if};
use settings::config::ModuleLoading;
use std::os::unix::ffi::OsStrExt;

/// Loads a file of device code into the current context.
///
/// - `module`: receives the module.
/// - `fname`: path of a file with PTX text, a fat binary, or a container; ends in NUL, shorter than 4096 bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `module` or `fname` is NULL; `CUDA_ERROR_FILE_NOT_FOUND` if the file cannot be
/// read; `CUDA_ERROR_INVALID_IMAGE` if the image is of no known kind; `CUDA_ERROR_NO_BINARY_FOR_GPU` if it holds no PTX
/// that the device can take; `CUDA_ERROR_INVALID_PTX` if its PTX is wrong; `CUDA_ERROR_UNSUPPORTED_PTX_VERSION` if its
/// PTX is of a newer version; `CUDA_ERROR_OUT_OF_MEMORY` if memory for it is lacking.
///
/// Manual: Module Management.
#[entry(since = 2000)]
pub fn cuModuleLoad(module: Out<CUmodule>, fname: In<c_char>) -> Result<()> {
    let path = fname.string(LONGEST_PATH)?;
    module.check()?;
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
    let mut bytes = std::fs::read(path).map_err(|_| refuse!(Error::FILE_NOT_FOUND, "fname cannot be read"))?;
    let context = context::current_any()?;
    // Text in a file need not end in NUL: this ends it.
    bytes
        .try_reserve_exact(64)
        .map_err(|_| refuse!(Error::OUT_OF_MEMORY, "fname: the host has no memory for the file"))?;
    bytes.extend_from_slice(&[0; 64]);
    let loaded = Module::load(&context, bytes.as_ptr() as usize, &mut Options::default())?;
    module.set(CUmodule(loaded.handle))
}

/// Loads an image of device code from memory into the current context.
///
/// - `module`: receives the module.
/// - `image`: PTX text that ends in NUL, a fat binary, or a container, as `cuLinkComplete` gives.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `module` or `image` is NULL; `CUDA_ERROR_INVALID_IMAGE` if the image is of no
/// known kind; `CUDA_ERROR_NO_BINARY_FOR_GPU` if it holds no PTX that the device can take; `CUDA_ERROR_INVALID_PTX` if
/// its PTX is wrong; `CUDA_ERROR_UNSUPPORTED_PTX_VERSION` if its PTX is of a newer version; `CUDA_ERROR_OUT_OF_MEMORY`
/// if memory for it is lacking.
///
/// Manual: Module Management.
#[entry(since = 2000)]
pub fn cuModuleLoadData(module: Out<CUmodule>, image: *const c_void) -> Result<()> {
    load(module, image, 0, InMut(core::ptr::null_mut()), InOut(core::ptr::null_mut()))
}

/// Loads an image of device code from memory with compiler and linker options.
///
/// - `module`: receives the module.
/// - `image`: PTX text that ends in NUL, a fat binary, or a container, as `cuLinkComplete` gives.
/// - `numOptions`: number of options, 0 for none.
/// - `options`: array of `numOptions` options (`CU_JIT_*`).
/// - `optionValues`: array of their values; sizes of logs and the wall time come back in it.
///
/// Errors: as `cuModuleLoadData`; `CUDA_ERROR_INVALID_VALUE` also if an option is unknown, its value none of its own (a
/// log without its size, no registers), or an array is NULL; `CUDA_ERROR_INVALID_IMAGE`, `CUDA_ERROR_INVALID_PTX` or
/// `CUDA_ERROR_INVALID_SOURCE` for a target that does not suit image or device.
///
/// Manual: Module Management.
#[entry(since = 2010)]
pub fn cuModuleLoadDataEx(
    module: Out<CUmodule>,
    image: *const c_void,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()> {
    load(module, image, numOptions, options, optionValues)
}

/// Loads the image that suits the device out of a fat binary in memory.
///
/// - `module`: receives the module.
/// - `fatCubin`: the fat binary, or any other image that `cuModuleLoadData` takes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `module` or `fatCubin` is NULL; `CUDA_ERROR_INVALID_IMAGE` if the image is of
/// no known kind; `CUDA_ERROR_NO_BINARY_FOR_GPU` if it holds no PTX that the device can take; `CUDA_ERROR_INVALID_PTX`
/// if its PTX is wrong; `CUDA_ERROR_UNSUPPORTED_PTX_VERSION` if its PTX is of a newer version;
/// `CUDA_ERROR_OUT_OF_MEMORY` if memory for it is lacking.
///
/// Manual: Module Management.
#[entry(since = 2000)]
pub fn cuModuleLoadFatBinary(module: Out<CUmodule>, fatCubin: *const c_void) -> Result<()> {
    load(module, fatCubin, 0, InMut(core::ptr::null_mut()), InOut(core::ptr::null_mut()))
}

/// Removes a module from its context.
///
/// Waits for work that may use it. Its functions, variables and references become invalid.
///
/// - `hmod`: the module.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hmod` is no module, or ended with its context; `CUDA_ERROR_NOT_PERMITTED` for
/// the module of a library; the current context's asynchronous error; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call.
///
/// Manual: Module Management.
#[entry(since = 2000, needs = init)]
pub fn cuModuleUnload(hmod: CUmodule) -> Result<()> {
    Module::unload(hmod.0)
}

/// Tells whether modules are loaded lazily or eagerly in this process.
///
/// - `mode`: receives `CU_MODULE_LAZY_LOADING` or `CU_MODULE_EAGER_LOADING`, as `CUDA_MODULE_LOADING` says.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mode` is NULL.
///
/// Manual: Module Management.
#[entry(since = 11070, needs = init)]
pub fn cuModuleGetLoadingMode(mode: Out<CUmoduleLoadingMode>) -> Result<()> {
    mode.set(match settings::config::settings().map(|c| c.module_loading) {
        Some(ModuleLoading::Eager) => CU_MODULE_EAGER_LOADING,
        _ => CU_MODULE_LAZY_LOADING,
    })
}

/// Finds a kernel of a module by name.
///
/// - `hfunc`: receives the function; NULL if there is none of that name.
/// - `hmod`: the module.
/// - `name`: name of the kernel, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hfunc` is NULL, or `name` is NULL or empty; `CUDA_ERROR_INVALID_HANDLE` if
/// `hmod` is no module, or ended with its context; `CUDA_ERROR_NOT_FOUND` if it
/// has no kernel of that name; the current context's asynchronous error.
///
/// Manual: Module Management.
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetFunction(hfunc: Out<CUfunction>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    hfunc.check()?;
    let name = symbol(name)?;
    let module = MODULES.find(hmod.0)?;
    context::check_error()?;
    match module.function(&name) {
        Ok(function) => hfunc.set(CUfunction(function.handle)),
        Err(error) => {
            hfunc.set(CUfunction::NULL)?;
            Err(error)
        }
    }
}

/// Counts the kernels of a module.
///
/// - `count`: receives the number.
/// - `mod`: the module.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `mod` is no module, or
/// ended with its context; the current context's asynchronous error.
///
/// Manual: Module Management.
#[entry(since = 12040, needs = init)]
pub fn cuModuleGetFunctionCount(count: Out<c_uint>, r#mod: CUmodule) -> Result<()> {
    count.check()?;
    let module = MODULES.find(r#mod.0)?;
    context::check_error()?;
    count.set(module.functions.len() as c_uint)
}

/// Lists the kernels of a module.
///
/// - `functions`: receives up to `numFunctions` functions.
/// - `numFunctions`: room in `functions`; what is left of it stays untouched.
/// - `mod`: the module.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `functions` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `mod` is no module, or
/// ended with its context; the current context's asynchronous error.
///
/// Manual: Module Management.
#[entry(since = 12040, needs = init)]
pub fn cuModuleEnumerateFunctions(functions: Out<CUfunction>, numFunctions: c_uint, r#mod: CUmodule) -> Result<()> {
    functions.check()?;
    let module = MODULES.find(r#mod.0)?;
    context::check_error()?;
    for (index, function) in module.functions.iter().take(numFunctions as usize).enumerate() {
        functions.set_at(index, CUfunction(function.handle))?;
    }
    Ok(())
}

/// Finds address and size of a global variable of a module by name.
///
/// - `dptr`: receives the address; may be NULL; 0 on failure.
/// - `bytes`: receives the size in bytes; may be NULL, but not both; 0 on failure.
/// - `hmod`: the module.
/// - `name`: name of the symbol, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if both results are NULL, if `name` is NULL or empty, or names a kernel or a
/// texture reference; `CUDA_ERROR_INVALID_HANDLE` if `hmod` is no module, or ended with
/// its context; `CUDA_ERROR_NOT_FOUND` if it has no variable of that name; the current context's asynchronous
/// error.
///
/// Manual: Module Management.
#[entry(since = 3020, needs = init)]
pub fn cuModuleGetGlobal_v2(dptr: Out<CUdeviceptr>, bytes: Out<usize>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, dptr.is_null() && bytes.is_null(), "dptr and bytes are both NULL");
    let found = MODULES.find(hmod.0).and_then(|module| {
        context::check_error()?;
        let global = module.global(&symbol(name)?)?;
        Ok((global.base, global.size))
    });
    let (base, size) = found.unwrap_or((0, 0));
    dptr.set_opt(base as CUdeviceptr)?;
    bytes.set_opt(size)?;
    found.map(drop)
}

/// First-generation [`cuModuleGetGlobal_v2`]: addresses and sizes have 32 bits.
///
/// - `dptr`: receives the address; may be NULL; 0 on failure.
/// - `bytes`: receives the size in bytes; may be NULL, but not both; 0 on failure.
/// - `hmod`: the module.
/// - `name`: name of the symbol, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hmod` is NULL; else `CUDA_ERROR_INVALID_CONTEXT`: no variable has an address of 32
/// bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetGlobal(
    dptr: Out<CUdeviceptr_v1>,
    bytes: Out<c_uint>,
    hmod: CUmodule,
    name: In<c_char>,
) -> Result<()> {
    refuse_if!(Error::INVALID_HANDLE, hmod.is_null(), "hmod is NULL");
    dptr.set_opt(0)?;
    bytes.set_opt(0)?;
    Err(refuse!(
        Error::INVALID_CONTEXT,
        "name {:#x}: no variable of a module has an address of 32 bits here",
        name.addr()
    ))
}

/// Finds a texture reference of a module by name (deprecated).
///
/// The reference lives as long as the module.
///
/// - `pTexRef`: receives the reference.
/// - `hmod`: the module.
/// - `name`: name of the symbol, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pTexRef` is NULL, or `name` is NULL or empty; `CUDA_ERROR_INVALID_HANDLE` if
/// `hmod` is no module, or ended with its context; `CUDA_ERROR_NOT_FOUND` if it
/// has no texture reference of that name.
///
/// Manual: Module Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetTexRef(pTexRef: Out<CUtexref>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    pTexRef.check()?;
    let module = MODULES.find(hmod.0)?;
    pTexRef.set(CUtexref(module.texture_reference(&symbol(name)?)?))
}

/// Finds a surface reference of a module by name (deprecated).
///
/// The reference lives as long as the module.
///
/// - `pSurfRef`: receives the reference.
/// - `hmod`: the module.
/// - `name`: name of the symbol, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pSurfRef` is NULL, or `name` is NULL or empty; `CUDA_ERROR_INVALID_HANDLE` if
/// `hmod` is no module, or ended with its context; `CUDA_ERROR_NOT_FOUND` if it
/// has no surface reference of that name.
///
/// Manual: Module Management (deprecated).
#[entry(since = 3000, needs = init)]
pub fn cuModuleGetSurfRef(pSurfRef: Out<CUsurfref>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    pSurfRef.check()?;
    let module = MODULES.find(hmod.0)?;
    pSurfRef.set(CUsurfref(module.surface_reference(&symbol(name)?)?))
}

/// Starts a link of several inputs into one image.
///
/// The log buffers that the options name have to stay until the link ends: each step adds to them.
///
/// - `numOptions`: number of compiler and linker options, 0 for none.
/// - `options`: array of `numOptions` compiler and linker options (`CU_JIT_*`).
/// - `optionValues`: array of their values; sizes of logs and the wall time come back in it.
/// - `stateOut`: receives the link, for the current context's device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `stateOut` is NULL, if an option is unknown, or if an array is NULL;
/// `CUDA_ERROR_OUT_OF_MEMORY` if no handle is left.
///
/// Manual: Module Management.
#[entry(since = 6050)]
pub fn cuLinkCreate_v2(
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
    stateOut: Out<CUlinkState>,
) -> Result<()> {
    link_create(numOptions, options, optionValues, stateOut)
}

/// First form of [`cuLinkCreate_v2`], of before CUDA 6.5; the same here.
///
/// - `numOptions`: number of compiler and linker options, 0 for none.
/// - `options`: array of `numOptions` compiler and linker options (`CU_JIT_*`).
/// - `optionValues`: array of their values; sizes of logs and the wall time come back in it.
/// - `stateOut`: receives the link, for the current context's device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `stateOut` is NULL, if an option is unknown, or if an array is NULL;
/// `CUDA_ERROR_OUT_OF_MEMORY` if no handle is left.
///
/// Manual: none, replaced in CUDA 6.5.
#[entry(since = 5050)]
pub fn cuLinkCreate(
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
    stateOut: Out<CUlinkState>,
) -> Result<()> {
    link_create(numOptions, options, optionValues, stateOut)
}

/// Adds an input in memory to a link.
///
/// - `state`: the link.
/// - `type`: `CU_JIT_INPUT_*`: PTX, fat binary, object or library; only PTX in them can be linked.
/// - `data`: the input.
/// - `size`: its size in bytes, at least 1.
/// - `name`: name of the input in messages; ignored.
/// - `numOptions`: number of compiler and linker options, 0 for none.
/// - `options`: array of `numOptions` options; checked, and without effect: those of the link hold.
/// - `optionValues`: array of their values; not written.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `state` is no link; `CUDA_ERROR_INVALID_VALUE` if `data` is NULL, if `size`
/// is 0, if the type is none of these, if an option is unknown, or if an array is NULL; `CUDA_ERROR_INVALID_PTX` if PTX
/// is wrong or is no PTX; `CUDA_ERROR_UNSUPPORTED_PTX_VERSION` if it is of a newer version; `CUDA_ERROR_INVALID_IMAGE`
/// if a fat binary is not one; `CUDA_ERROR_INVALID_SOURCE` if the input defines a symbol that an earlier one defines;
/// `CUDA_ERROR_NO_BINARY_FOR_GPU` if there is no PTX that the device can take, and for machine code, objects and
/// libraries that hold no such PTX or are damaged.
///
/// Manual: Module Management.
#[entry(since = 6050, needs = init)]
pub fn cuLinkAddData_v2(
    state: CUlinkState,
    r#type: CUjitInputType,
    data: *mut c_void,
    size: usize,
    name: In<c_char>,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()> {
    link_add(state, r#type, data, size, numOptions, options, optionValues)
}

/// First form of [`cuLinkAddData_v2`], of before CUDA 6.5; the same here.
///
/// - `state`: the link.
/// - `type`: `CU_JIT_INPUT_*`: PTX, fat binary, object or library; only PTX in them can be linked.
/// - `data`: the input.
/// - `size`: its size in bytes, at least 1.
/// - `name`: name of the input in messages; ignored.
/// - `numOptions`: number of compiler and linker options, 0 for none.
/// - `options`: array of `numOptions` options; checked, and without effect: those of the link hold.
/// - `optionValues`: array of their values; not written.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `state` is no link; `CUDA_ERROR_INVALID_VALUE` if `data` is NULL, if `size`
/// is 0, if the type is none of these, if an option is unknown, or if an array is NULL; `CUDA_ERROR_INVALID_PTX` if PTX
/// is wrong or is no PTX; `CUDA_ERROR_UNSUPPORTED_PTX_VERSION` if it is of a newer version; `CUDA_ERROR_INVALID_IMAGE`
/// if a fat binary is not one; `CUDA_ERROR_INVALID_SOURCE` if the input defines a symbol that an earlier one defines;
/// `CUDA_ERROR_NO_BINARY_FOR_GPU` if there is no PTX that the device can take, and for machine code, objects and
/// libraries that hold no such PTX or are damaged.
///
/// Manual: none, replaced in CUDA 6.5.
#[entry(since = 5050, needs = init)]
pub fn cuLinkAddData(
    state: CUlinkState,
    r#type: CUjitInputType,
    data: *mut c_void,
    size: usize,
    name: In<c_char>,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()> {
    link_add(state, r#type, data, size, numOptions, options, optionValues)
}

/// Adds an input file to a link.
///
/// - `state`: the link.
/// - `type`: `CU_JIT_INPUT_*`: PTX, fat binary, object or library; only PTX in them can be linked.
/// - `path`: path of the file, ends in NUL, shorter than 4096 bytes.
/// - `numOptions`: ignored.
/// - `options`: ignored.
/// - `optionValues`: ignored.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `state` is no link; `CUDA_ERROR_INVALID_VALUE` if `path` is NULL;
/// `CUDA_ERROR_FILE_NOT_FOUND` if the file cannot be read; otherwise as [`cuLinkAddData_v2`].
///
/// Manual: Module Management.
#[entry(since = 6050, needs = init)]
pub fn cuLinkAddFile_v2(
    state: CUlinkState,
    r#type: CUjitInputType,
    path: In<c_char>,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()> {
    link_add_file(state, r#type, path)
}

/// First form of [`cuLinkAddFile_v2`], of before CUDA 6.5; the same here.
///
/// - `state`: the link.
/// - `type`: `CU_JIT_INPUT_*`: PTX, fat binary, object or library; only PTX in them can be linked.
/// - `path`: path of the file, ends in NUL, shorter than 4096 bytes.
/// - `numOptions`: ignored.
/// - `options`: ignored.
/// - `optionValues`: ignored.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `state` is no link; `CUDA_ERROR_INVALID_VALUE` if `path` is NULL;
/// `CUDA_ERROR_FILE_NOT_FOUND` if the file cannot be read; otherwise as [`cuLinkAddData_v2`].
///
/// Manual: none, replaced in CUDA 6.5.
#[entry(since = 5050, needs = init)]
pub fn cuLinkAddFile(
    state: CUlinkState,
    r#type: CUjitInputType,
    path: In<c_char>,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()> {
    link_add_file(state, r#type, path)
}

/// Finishes a link and hands out the image.
///
/// - `state`: the link.
/// - `cubinOut`: receives the address of the image, which lives until the link is destroyed or finished again.
/// - `sizeOut`: receives its size in bytes; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `cubinOut` is NULL or nothing was added; `CUDA_ERROR_INVALID_HANDLE` if
/// `state` is no link; `CUDA_ERROR_INVALID_PTX` if the inputs together are wrong, such as a symbol that no input
/// defines.
///
/// Manual: Module Management.
#[entry(since = 5050, needs = init)]
pub fn cuLinkComplete(state: CUlinkState, cubinOut: Out<*mut c_void>, sizeOut: Out<usize>) -> Result<()> {
    cubinOut.check()?;
    let link = LINKS.find(state.0)?;
    let (address, size) = jit::in_link(link.handle, |options| link.complete(options))?;
    cubinOut.set(address as *mut c_void)?;
    sizeOut.set_opt(size)
}

/// Ends a link and frees its image.
///
/// - `state`: the link.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `state` is no link.
///
/// Manual: Module Management.
#[entry(since = 5050, needs = init)]
pub fn cuLinkDestroy(state: CUlinkState) -> Result<()> {
    jit::forget(state.0);
    LINKS.remove(state.0).map(drop).ok_or_else(|| LINKS.stale(Error::INVALID_HANDLE, state.0))
}

fn load(
    module: Out<CUmodule>,
    image: *const c_void,
    count: c_uint,
    options: InMut<CUjit_option>,
    values: InOut<*mut c_void>,
) -> Result<()> {
    module.check()?;
    refuse_if!(Error::INVALID_VALUE, image.is_null(), "image is NULL");
    let mut jit = Jit::read(count, options, values)?;
    let context = context::current_any()?;
    let loaded = Module::load(&context, image as usize, &mut jit.options);
    jit.report()?;
    module.set(CUmodule(loaded?.handle))
}

fn link_create(
    count: c_uint,
    options: InMut<CUjit_option>,
    values: InOut<*mut c_void>,
    state: Out<CUlinkState>,
) -> Result<()> {
    state.check()?;
    let jit = Jit::read(count, options, values)?;
    let link = Link::create(&context::current_any()?.device)?;
    jit::keep(link.handle, jit);
    state.set(CUlinkState(link.handle))
}

fn link_add(
    state: CUlinkState,
    kind: CUjitInputType,
    data: *mut c_void,
    size: usize,
    count: c_uint,
    options: InMut<CUjit_option>,
    values: InOut<*mut c_void>,
) -> Result<()> {
    let link = LINKS.find(state.0)?;
    Jit::read(count, options, values)?;
    refuse_if!(Error::INVALID_VALUE, data.is_null(), "data is NULL");
    refuse_if!(Error::INVALID_VALUE, size == 0, "size is 0");
    refuse_if!(Error::INVALID_VALUE, kind >= CU_JIT_INPUT_NVVM, "type {:?} cannot be linked", kind);
    let bytes = guard::read_vec(data as usize, size)?;
    link_add_bytes(&link, kind, &bytes)
}

fn link_add_file(state: CUlinkState, kind: CUjitInputType, path: In<c_char>) -> Result<()> {
    let link = LINKS.find(state.0)?;
    let path = path.string(LONGEST_PATH)?;
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
    let bytes = std::fs::read(path).map_err(|_| refuse!(Error::FILE_NOT_FOUND, "path cannot be read"))?;
    link_add_bytes(&link, kind, &bytes)
}

/// Only PTX and fat binaries with PTX can be linked; machine code cannot.
fn link_add_bytes(link: &Link, kind: CUjitInputType, bytes: &[u8]) -> Result<()> {
    jit::in_link(link.handle, |options| link.add(bytes, options)).map_err(|error| match kind {
        CU_JIT_INPUT_PTX if error == Error::INVALID_IMAGE => refuse!(Error::INVALID_PTX, "data is not PTX"),
        CU_JIT_INPUT_FATBINARY | CU_JIT_INPUT_PTX => error,
        _ => refuse!(Error::NO_BINARY_FOR_GPU, "type {:?} is not code that runs here: PTX is needed", kind),
    })
}
