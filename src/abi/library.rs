//! Library Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CUdevice, CUdeviceptr, CUfunc_cache, CUfunction, CUfunction_attribute, CUjit_option, CUkernel, CUlibrary,
    CUlibraryOption, CUmodule,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// Loads an image from memory for all contexts, now or as each one first needs it.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryLoadData(
    library: Out<CUlibrary>,
    code: *const c_void,
    jitOptions: InMut<CUjit_option>,
    jitOptionsValues: InOut<*mut c_void>,
    numJitOptions: c_uint,
    libraryOptions: InMut<CUlibraryOption>,
    libraryOptionValues: InMut<*mut c_void>,
    numLibraryOptions: c_uint,
) -> Result<()>;

/// Loads an image from a file for all contexts, now or as each one first needs it.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryLoadFromFile(
    library: Out<CUlibrary>,
    fileName: In<c_char>,
    jitOptions: InMut<CUjit_option>,
    jitOptionsValues: InOut<*mut c_void>,
    numJitOptions: c_uint,
    libraryOptions: InMut<CUlibraryOption>,
    libraryOptionValues: InMut<*mut c_void>,
    numLibraryOptions: c_uint,
) -> Result<()>;

/// Unloads a library from every context.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryUnload(library: CUlibrary) -> Result<()>;

/// Finds a kernel of a library by name.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetKernel(pKernel: Out<CUkernel>, library: CUlibrary, name: In<c_char>) -> Result<()>;

/// Counts the kernels of a library.
#[entry(since = 12040, needs = init)]
pub fn cuLibraryGetKernelCount(count: Out<c_uint>, lib: CUlibrary) -> Result<()>;

/// Lists the kernels of a library.
#[entry(since = 12040, needs = init)]
pub fn cuLibraryEnumerateKernels(kernels: Out<CUkernel>, numKernels: c_uint, lib: CUlibrary) -> Result<()>;

/// Hands out the module that a library is in the current context.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetModule(pMod: Out<CUmodule>, library: CUlibrary) -> Result<()>;

/// Hands out the function that a kernel is in the current context.
#[entry(since = 12000, needs = init)]
pub fn cuKernelGetFunction(pFunc: Out<CUfunction>, kernel: CUkernel) -> Result<()>;

/// Reports the library that a kernel comes from.
#[entry(since = 12050, needs = init)]
pub fn cuKernelGetLibrary(pLib: Out<CUlibrary>, kernel: CUkernel) -> Result<()>;

/// Finds address and size of a library's global variable in the current context.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetGlobal(
    dptr: Out<CUdeviceptr>,
    bytes: Out<usize>,
    library: CUlibrary,
    name: In<c_char>,
) -> Result<()>;

/// Finds address and size of a library's managed variable.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetManaged(
    dptr: Out<CUdeviceptr>,
    bytes: Out<usize>,
    library: CUlibrary,
    name: In<c_char>,
) -> Result<()>;

/// Finds a unified function of a library by name.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetUnifiedFunction(fptr: Out<*mut c_void>, library: CUlibrary, symbol: In<c_char>) -> Result<()>;

/// Reads a property of a kernel on a device.
#[entry(since = 12000, needs = init)]
pub fn cuKernelGetAttribute(
    pi: Out<c_int>,
    attrib: CUfunction_attribute,
    kernel: CUkernel,
    dev: CUdevice,
) -> Result<()>;

/// Changes a property of a kernel on a device.
#[entry(since = 12000, needs = init)]
pub fn cuKernelSetAttribute(attrib: CUfunction_attribute, val: c_int, kernel: CUkernel, dev: CUdevice) -> Result<()>;

/// Sets whether a kernel on a device prefers L1 cache or shared memory.
#[entry(since = 12000, needs = init)]
pub fn cuKernelSetCacheConfig(kernel: CUkernel, config: CUfunc_cache, dev: CUdevice) -> Result<()>;

/// Reports the linkage name of a kernel.
#[entry(since = 12030, needs = init)]
pub fn cuKernelGetName(name: Out<*const c_char>, hfunc: CUkernel) -> Result<()>;

/// Reports offset and size of one parameter of a kernel.
#[entry(since = 12040, needs = init)]
pub fn cuKernelGetParamInfo(
    kernel: CUkernel,
    paramIndex: usize,
    paramOffset: Out<usize>,
    paramSize: Out<usize>,
) -> Result<()>;

/// Counts the parameters of a kernel.
#[entry(since = 13020, needs = init)]
pub fn cuKernelGetParamCount(kernel: CUkernel, paramCount: Out<usize>) -> Result<()>;
