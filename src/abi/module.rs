//! Module Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CUdeviceptr, CUdeviceptr_v1, CUfunction, CUjit_option, CUjitInputType, CUlinkState, CUmodule, CUmoduleLoadingMode,
    CUsurfref, CUtexref,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_void};

/// Loads a cubin, PTX or fatbin file into the current context.
#[entry(since = 2000)]
pub fn cuModuleLoad(module: Out<CUmodule>, fname: In<c_char>) -> Result<()>;

/// Loads a cubin, PTX text or fatbin image from memory into the current context.
#[entry(since = 2000)]
pub fn cuModuleLoadData(module: Out<CUmodule>, image: *const c_void) -> Result<()>;

/// Loads an image from memory with compiler and linker options.
#[entry(since = 2010)]
pub fn cuModuleLoadDataEx(
    module: Out<CUmodule>,
    image: *const c_void,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()>;

/// Loads the image that suits the device out of a fatbin in memory.
#[entry(since = 2000)]
pub fn cuModuleLoadFatBinary(module: Out<CUmodule>, fatCubin: *const c_void) -> Result<()>;

/// Removes a module from the current context; its functions and globals become invalid.
#[entry(since = 2000, needs = init)]
pub fn cuModuleUnload(hmod: CUmodule) -> Result<()>;

/// Tells whether modules are loaded lazily or eagerly in this process.
#[entry(since = 11070)]
pub fn cuModuleGetLoadingMode(mode: Out<CUmoduleLoadingMode>) -> Result<()>;

/// Finds a kernel of a module by name.
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetFunction(hfunc: Out<CUfunction>, hmod: CUmodule, name: In<c_char>) -> Result<()>;

/// Counts the kernels of a module.
#[entry(since = 12040, needs = init)]
pub fn cuModuleGetFunctionCount(count: Out<c_uint>, r#mod: CUmodule) -> Result<()>;

/// Lists the kernels of a module.
#[entry(since = 12040, needs = init)]
pub fn cuModuleEnumerateFunctions(functions: Out<CUfunction>, numFunctions: c_uint, r#mod: CUmodule) -> Result<()>;

/// Finds address and size of a global variable of a module by name.
#[entry(since = 3020, needs = init)]
pub fn cuModuleGetGlobal_v2(dptr: Out<CUdeviceptr>, bytes: Out<usize>, hmod: CUmodule, name: In<c_char>) -> Result<()>;

/// First-generation [`cuModuleGetGlobal_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetGlobal(dptr: Out<CUdeviceptr_v1>, bytes: Out<c_uint>, hmod: CUmodule, name: In<c_char>)
-> Result<()>;

/// Finds a texture reference of a module by name (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuModuleGetTexRef(pTexRef: Out<CUtexref>, hmod: CUmodule, name: In<c_char>) -> Result<()>;

/// Finds a surface reference of a module by name (deprecated).
#[entry(since = 3000, needs = init)]
pub fn cuModuleGetSurfRef(pSurfRef: Out<CUsurfref>, hmod: CUmodule, name: In<c_char>) -> Result<()>;

/// Starts a link of several inputs into one device image.
#[entry(since = 6050)]
pub fn cuLinkCreate_v2(
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
    stateOut: Out<CUlinkState>,
) -> Result<()>;

/// First form of [`cuLinkCreate_v2`]: numeric options are read as 32 bits.
#[entry(since = 5050)]
pub fn cuLinkCreate(
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
    stateOut: Out<CUlinkState>,
) -> Result<()>;

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
) -> Result<()>;

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
) -> Result<()>;

/// Adds an input file to a link.
#[entry(since = 6050, needs = init)]
pub fn cuLinkAddFile_v2(
    state: CUlinkState,
    r#type: CUjitInputType,
    path: In<c_char>,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()>;

/// First form of [`cuLinkAddFile_v2`]: numeric options are read as 32 bits.
#[entry(since = 5050, needs = init)]
pub fn cuLinkAddFile(
    state: CUlinkState,
    r#type: CUjitInputType,
    path: In<c_char>,
    numOptions: c_uint,
    options: InMut<CUjit_option>,
    optionValues: InOut<*mut c_void>,
) -> Result<()>;

/// Finishes a link and hands out the image, which the link state keeps owning.
#[entry(since = 5050, needs = init)]
pub fn cuLinkComplete(state: CUlinkState, cubinOut: Out<*mut c_void>, sizeOut: Out<usize>) -> Result<()>;

/// Ends a link and frees its image.
#[entry(since = 5050, needs = init)]
pub fn cuLinkDestroy(state: CUlinkState) -> Result<()>;
