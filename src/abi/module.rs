//! Module Management.

#![allow(non_snake_case)]

use super::jit::{self, Jit};
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_NVVM, CU_JIT_INPUT_PTX, CU_MODULE_EAGER_LOADING, CU_MODULE_LAZY_LOADING,
    CUdeviceptr, CUdeviceptr_v1, CUfunction, CUjit_option, CUjitInputType, CUlinkState, CUmodule, CUmoduleLoadingMode,
    CUsurfref, CUtexref,
};
use crate::device::kernel::link::{LINKS, Link};
use crate::device::kernel::module::{MODULES, Module, Options};
use crate::device::stream::context;
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_void};
use error::{Error, Result};
use settings::config::ModuleLoading;
use std::os::unix::ffi::OsStrExt;

/// The longest path.
const PATH_MOST: usize = 4096;
/// The longest name.
pub(super) const NAME_MOST: usize = 1 << 16;

/// Loads a cubin, PTX or fatbin file into the current context.
#[entry(since = 2000)]
pub fn cuModuleLoad(module: Out<CUmodule>, fname: In<c_char>) -> Result<()> {
    let path = fname.string(PATH_MOST)?;
    module.check()?;
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
    let mut bytes = std::fs::read(path).map_err(|_| Error::FILE_NOT_FOUND)?;
    let context = context::current_any()?;
    // What follows the text is our own NUL.
    bytes.try_reserve_exact(64).map_err(|_| Error::OUT_OF_MEMORY)?;
    bytes.extend_from_slice(&[0; 64]);
    let loaded = Module::load(&context, bytes.as_ptr() as usize, &mut Options::default())?;
    module.set(CUmodule(loaded.handle))
}

/// Loads a cubin, PTX text or fatbin image from memory into the current context.
#[entry(since = 2000)]
pub fn cuModuleLoadData(module: Out<CUmodule>, image: *const c_void) -> Result<()> {
    load(module, image, 0, InMut(core::ptr::null_mut()), InOut(core::ptr::null_mut()))
}

/// Loads an image from memory with compiler and linker options.
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

/// Loads the image that suits the device out of a fatbin in memory.
#[entry(since = 2000)]
pub fn cuModuleLoadFatBinary(module: Out<CUmodule>, fatCubin: *const c_void) -> Result<()> {
    load(module, fatCubin, 0, InMut(core::ptr::null_mut()), InOut(core::ptr::null_mut()))
}

/// Removes a module from the current context; its functions and globals become invalid.
#[entry(since = 2000, needs = init)]
pub fn cuModuleUnload(hmod: CUmodule) -> Result<()> {
    Module::unload(hmod.0)
}

/// Tells whether modules are loaded lazily or eagerly in this process.
#[entry(since = 11070, needs = init)]
pub fn cuModuleGetLoadingMode(mode: Out<CUmoduleLoadingMode>) -> Result<()> {
    mode.set(match settings::config::settings().map(|c| c.module_loading) {
        Some(ModuleLoading::Eager) => CU_MODULE_EAGER_LOADING,
        _ => CU_MODULE_LAZY_LOADING,
    })
}

/// Finds a kernel of a module by name.
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
#[entry(since = 12040, needs = init)]
pub fn cuModuleGetFunctionCount(count: Out<c_uint>, r#mod: CUmodule) -> Result<()> {
    count.check()?;
    let module = MODULES.find(r#mod.0)?;
    context::check_error()?;
    count.set(module.functions.len() as c_uint)
}

/// Lists the kernels of a module.
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
#[entry(since = 3020, needs = init)]
pub fn cuModuleGetGlobal_v2(dptr: Out<CUdeviceptr>, bytes: Out<usize>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    if dptr.is_null() && bytes.is_null() {
        return Err(Error::INVALID_VALUE);
    }
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
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetGlobal(dptr: Out<CUdeviceptr_v1>, bytes: Out<c_uint>, hmod: CUmodule, name: In<c_char>)
-> Result<()>;

/// Finds a texture reference of a module by name (deprecated). It lives as long as the module.
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetTexRef(pTexRef: Out<CUtexref>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    pTexRef.check()?;
    let module = MODULES.find(hmod.0)?;
    pTexRef.set(CUtexref(module.texture_reference(&symbol(name)?)?))
}

/// Finds a surface reference of a module by name (deprecated). It lives as long as the module.
#[entry(since = 3000, needs = init)]
pub fn cuModuleGetSurfRef(pSurfRef: Out<CUsurfref>, hmod: CUmodule, name: In<c_char>) -> Result<()> {
    pSurfRef.check()?;
    let module = MODULES.find(hmod.0)?;
    pSurfRef.set(CUsurfref(module.surface_reference(&symbol(name)?)?))
}

/// Starts a link of several inputs into one device image.
#[entry(since = 6050)]
pub fn cuLinkCreate_v2(
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
    stateOut: Out<CUlinkState>,
) -> Result<()> {
    link_create(numOptions, options, optionValues, stateOut)
}

/// First form of [`cuLinkCreate_v2`]: numeric options are read as 32 bits.
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

/// First form of [`cuLinkAddData_v2`]: numeric options are read as 32 bits.
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

/// First form of [`cuLinkAddFile_v2`]: numeric options are read as 32 bits.
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

/// Finishes a link and hands out the image, which the link state keeps owning.
#[entry(since = 5050, needs = init)]
pub fn cuLinkComplete(state: CUlinkState, cubinOut: Out<*mut c_void>, sizeOut: Out<usize>) -> Result<()> {
    cubinOut.check()?;
    let link = LINKS.find(state.0)?;
    let (address, size) = jit::in_link(link.handle, |options| link.complete(options))?;
    cubinOut.set(address as *mut c_void)?;
    sizeOut.set_opt(size)
}

/// Ends a link and frees its image.
#[entry(since = 5050, needs = init)]
pub fn cuLinkDestroy(state: CUlinkState) -> Result<()> {
    jit::forget(state.0);
    LINKS.remove(state.0).map(drop).ok_or(Error::INVALID_HANDLE)
}

/// A name of a symbol. `NULL` and the empty one are `CUDA_ERROR_INVALID_VALUE`.
pub(super) fn symbol(name: In<c_char>) -> Result<String> {
    let bytes = name.string(NAME_MOST)?;
    if bytes.is_empty() {
        return Err(Error::INVALID_VALUE);
    }
    // Symbols are ASCII: another name is the name of nothing.
    String::from_utf8(bytes).map_err(|_| Error::NOT_FOUND)
}

fn load(
    module: Out<CUmodule>,
    image: *const c_void,
    count: c_uint,
    options: InMut<CUjit_option>,
    values: InOut<*mut c_void>,
) -> Result<()> {
    module.check()?;
    if image.is_null() {
        return Err(Error::INVALID_VALUE);
    }
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
    if data.is_null() || size == 0 || kind >= CU_JIT_INPUT_NVVM {
        return Err(Error::INVALID_VALUE);
    }
    let bytes = guard::read_vec(data as usize, size)?;
    link_add_bytes(&link, kind, &bytes)
}

fn link_add_file(state: CUlinkState, kind: CUjitInputType, path: In<c_char>) -> Result<()> {
    let link = LINKS.find(state.0)?;
    let path = path.string(PATH_MOST)?;
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
    let bytes = std::fs::read(path).map_err(|_| Error::FILE_NOT_FOUND)?;
    link_add_bytes(&link, kind, &bytes)
}

/// Only PTX and fat binaries with PTX can be linked; machine code cannot.
fn link_add_bytes(link: &Link, kind: CUjitInputType, bytes: &[u8]) -> Result<()> {
    jit::in_link(link.handle, |options| link.add(bytes, options)).map_err(|error| match kind {
        CU_JIT_INPUT_PTX if error == Error::INVALID_IMAGE => Error::INVALID_PTX,
        CU_JIT_INPUT_FATBINARY | CU_JIT_INPUT_PTX => error,
        _ => Error::NO_BINARY_FOR_GPU,
    })
}
