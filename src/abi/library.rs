//! Library Management.

#![allow(non_snake_case)]

use super::convert::bounds::LONGEST_NAME;
use super::convert::jit::Jit;
use super::convert::name::symbol;
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_LIBRARY_NUM_OPTIONS, CUdevice, CUdeviceptr, CUfunc_cache, CUfunction, CUfunction_attribute, CUjit_option,
    CUkernel, CUlibrary, CUlibraryOption, CUmodule,
};
use api_macro::entry;
use core::ffi::{c_char, c_int, c_uint, c_void};
use device::kernel::function::Function;
use device::kernel::library::{KERNELS, LIBRARIES, Library};
use device::kernel::settings::FunctionAttribute;
use device::stream::context;
use device::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// Loads an image from memory for all contexts, now or as each one first needs it.
///
/// The text is checked now; each context gets its module when it first needs it. The managed variables exist from now
/// on. A wrong image makes a library without kernels, whose error (`CUDA_ERROR_INVALID_IMAGE`,
/// `CUDA_ERROR_INVALID_PTX`, `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`, `CUDA_ERROR_NO_BINARY_FOR_GPU`) comes when a kernel, a
/// module or a variable is asked for; with `CUDA_MODULE_LOADING=EAGER` at once.
///
/// - `library`: receives the library.
/// - `code`: PTX text that ends in NUL, a fat binary, or a container, as `cuLinkComplete` gives.
/// - `jitOptions`: array of `numJitOptions` compiler and linker options (`CU_JIT_*`).
/// - `jitOptionsValues`: array of their values; sizes of logs and the wall time come back in it.
/// - `numJitOptions`: number of compiler and linker options, 0 for none.
/// - `libraryOptions`: array of `numLibraryOptions` library options.
/// - `libraryOptionValues`: array of their values; ignored.
/// - `numLibraryOptions`: number of library options, 0 for none.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `library` or `code` is NULL, if an option is unknown, or its value none of its
/// own; `CUDA_ERROR_OUT_OF_MEMORY` if memory for it is lacking.
///
/// Manual: Library Management.
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
) -> Result<()> {
    library.check()?;
    refuse_if!(Error::INVALID_VALUE, code.is_null(), "code is NULL");
    check_options(numLibraryOptions, libraryOptions)?;
    let mut jit = Jit::read(numJitOptions, jitOptions, jitOptionsValues)?;
    let loaded = Library::load(code as usize, &mut jit.options);
    let _ = libraryOptionValues;
    finish(library, loaded, &jit)
}

/// Tells the program of a library that was loaded. Nobody could unload what nobody is told of.
fn finish(out: Out<CUlibrary>, loaded: Result<Arc<Library>>, jit: &Jit) -> Result<()> {
    let told = jit.report();
    let Ok(library) = loaded else { return told.and(loaded.map(drop)) };
    let done = told.and_then(|()| out.set(CUlibrary(library.handle)));
    if done.is_err() {
        Library::unload(library.handle)?;
    }
    done
}

/// Loads an image from a file for all contexts, now or as each one first needs it.
///
/// As `cuLibraryLoadData` otherwise.
///
/// - `library`: receives the library.
/// - `fileName`: path of the file, ends in NUL, shorter than 4096 bytes.
/// - `jitOptions`: array of `numJitOptions` compiler and linker options (`CU_JIT_*`).
/// - `jitOptionsValues`: array of their values; sizes of logs and the wall time come back in it.
/// - `numJitOptions`: number of compiler and linker options, 0 for none.
/// - `libraryOptions`: array of `numLibraryOptions` library options.
/// - `libraryOptionValues`: array of their values; ignored.
/// - `numLibraryOptions`: number of library options, 0 for none.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `library` or `fileName` is NULL, if an option is unknown, or its value none of
/// its own; `CUDA_ERROR_FILE_NOT_FOUND` if the file cannot be read; `CUDA_ERROR_OUT_OF_MEMORY` if memory for it is
/// lacking.
///
/// Manual: Library Management.
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
) -> Result<()> {
    library.check()?;
    let path = fileName.string(4096)?;
    check_options(numLibraryOptions, libraryOptions)?;
    let mut jit = Jit::read(numJitOptions, jitOptions, jitOptionsValues)?;
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
    let bytes = std::fs::read(path).map_err(|_| refuse!(Error::FILE_NOT_FOUND, "fileName cannot be read"))?;
    let bytes = [bytes, vec![0; 64]].concat();
    let loaded = Library::load(bytes.as_ptr() as usize, &mut jit.options);
    let _ = libraryOptionValues;
    finish(library, loaded, &jit)
}

/// Unloads a library from every context.
///
/// Waits for work that may use it. Its kernels, and its modules in all contexts, become invalid.
///
/// - `library`: the library.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `library` is no library; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryUnload(library: CUlibrary) -> Result<()> {
    Library::unload(library.0)
}

/// Finds a kernel of a library by name.
///
/// - `pKernel`: receives the kernel.
/// - `library`: the library.
/// - `name`: name of the kernel, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pKernel` or `name` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `library` is no
/// library; `CUDA_ERROR_NOT_FOUND` if it has no kernel of that name; the error of a wrong image.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetKernel(pKernel: Out<CUkernel>, library: CUlibrary, name: In<c_char>) -> Result<()> {
    pKernel.check()?;
    let name = name.string(LONGEST_NAME)?;
    let name = String::from_utf8(name).map_err(|_| refuse!(Error::NOT_FOUND, "name is not text"))?;
    let library = LIBRARIES.find(library.0)?;
    pKernel.set(CUkernel(library.kernel(&name)?.handle))
}

/// Counts the kernels of a library.
///
/// - `count`: receives the number.
/// - `lib`: the library.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `lib` is no library.
///
/// Manual: Library Management.
#[entry(since = 12040, needs = init)]
pub fn cuLibraryGetKernelCount(count: Out<c_uint>, lib: CUlibrary) -> Result<()> {
    count.check()?;
    count.set(LIBRARIES.find(lib.0)?.kernels.len() as c_uint)
}

/// Lists the kernels of a library.
///
/// - `kernels`: receives up to `numKernels` kernels, the last one of the text first.
/// - `numKernels`: room in `kernels`; what is left of it stays untouched.
/// - `lib`: the library.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `kernels` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `lib` is no library.
///
/// Manual: Library Management.
#[entry(since = 12040, needs = init)]
pub fn cuLibraryEnumerateKernels(kernels: Out<CUkernel>, numKernels: c_uint, lib: CUlibrary) -> Result<()> {
    kernels.check()?;
    let library = LIBRARIES.find(lib.0)?;
    for (index, kernel) in library.kernels.iter().take(numKernels as usize).enumerate() {
        kernels.set_at(index, CUkernel(kernel.handle))?;
    }
    Ok(())
}

/// Hands out the module as which a library is loaded in the current context.
///
/// The library is loaded into the context if it was not yet.
///
/// - `pMod`: receives the module. Only `cuLibraryUnload` ends it.
/// - `library`: the library.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pMod` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `library` is no library;
/// `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error; the error of a wrong image;
/// `CUDA_ERROR_OUT_OF_MEMORY` if loading needs more memory than the device has left.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetModule(pMod: Out<CUmodule>, library: CUlibrary) -> Result<()> {
    pMod.check()?;
    let library = LIBRARIES.find(library.0)?;
    pMod.set(CUmodule(library.module(&sound_context()?)?.handle))
}

/// Hands out the function that stands for a kernel in the current context.
///
/// The library is loaded into the context if it was not yet.
///
/// - `pFunc`: receives the function.
/// - `kernel`: the kernel.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pFunc` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `kernel` is no kernel;
/// `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error; `CUDA_ERROR_OUT_OF_MEMORY`
/// if loading needs more memory than the device has left.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuKernelGetFunction(pFunc: Out<CUfunction>, kernel: CUkernel) -> Result<()> {
    pFunc.check()?;
    let kernel = KERNELS.find(kernel.0)?;
    pFunc.set(CUfunction(kernel.function(&sound_context()?)?.handle))
}

/// Reports the library that a kernel comes from.
///
/// - `pLib`: receives the library.
/// - `kernel`: the kernel.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pLib` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `kernel` is no kernel.
///
/// Manual: Library Management.
#[entry(since = 12050, needs = init)]
pub fn cuKernelGetLibrary(pLib: Out<CUlibrary>, kernel: CUkernel) -> Result<()> {
    pLib.check()?;
    let library =
        KERNELS.find(kernel.0)?.library.upgrade().ok_or_else(|| {
            refuse!(Error::INVALID_HANDLE, "kernel {:#x} is of a library that was unloaded", kernel.0)
        })?;
    pLib.set(CUlibrary(library.handle))
}

/// Finds address and size of a library's global variable in the current context.
///
/// The library is loaded into the context if it was not yet.
///
/// - `dptr`: receives the address; may be NULL.
/// - `bytes`: receives the size in bytes; may be NULL, but not both.
/// - `library`: the library.
/// - `name`: name of the symbol, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if both results are NULL, if `name` is NULL or empty, or names a kernel or a
/// texture reference; `CUDA_ERROR_INVALID_HANDLE` if `library` is no library; `CUDA_ERROR_NOT_FOUND` if it has no
/// variable of that name; `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error; the
/// error of a wrong image; `CUDA_ERROR_OUT_OF_MEMORY` if loading needs more memory than the device has left.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetGlobal(
    dptr: Out<CUdeviceptr>,
    bytes: Out<usize>,
    library: CUlibrary,
    name: In<c_char>,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, dptr.is_null() && bytes.is_null(), "dptr and bytes are both NULL");
    let name = symbol(name)?;
    let module = LIBRARIES.find(library.0)?.module(&sound_context()?)?;
    let global = module.global(&name)?;
    dptr.set_opt(global.base as CUdeviceptr)?;
    bytes.set_opt(global.size)
}

/// Finds address and size of a library's managed variable.
///
/// The address is the same in every context, and no context needs to be current.
///
/// - `dptr`: receives the address; may be NULL.
/// - `bytes`: receives the size in bytes; may be NULL, but not both.
/// - `library`: the library.
/// - `name`: name of the symbol, ends in NUL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if both results are NULL, or `name` is NULL or empty; `CUDA_ERROR_INVALID_HANDLE`
/// if `library` is no library; `CUDA_ERROR_NOT_FOUND` if it has no managed variable of that name; the error of a wrong
/// image.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuLibraryGetManaged(
    dptr: Out<CUdeviceptr>,
    bytes: Out<usize>,
    library: CUlibrary,
    name: In<c_char>,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, dptr.is_null() && bytes.is_null(), "dptr and bytes are both NULL");
    let name = symbol(name)?;
    let library = LIBRARIES.find(library.0)?;
    library.check()?;
    let global = library.managed.find(&name)?;
    dptr.set_opt(global.base as CUdeviceptr)?;
    bytes.set_opt(global.size)
}

/// Finds a unified function of a library by name.
///
/// No library that can be loaded here has any: the device has no unified function pointers.
///
/// - `fptr`: stays untouched.
/// - `library`: the library.
/// - `symbol`: ignored.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `library` is no library, otherwise always `CUDA_ERROR_INVALID_VALUE`.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init, status = "refused: no library has unified functions")]
pub fn cuLibraryGetUnifiedFunction(fptr: Out<*mut c_void>, library: CUlibrary, symbol: In<c_char>) -> Result<()> {
    LIBRARIES.find(library.0)?;
    let _ = (fptr, symbol);
    Err(refuse!(Error::INVALID_VALUE, "symbol: kernels have no unified functions here"))
}

/// Reads an attribute of a kernel on a device.
///
/// - `pi`: receives the value.
/// - `attrib`: `CU_FUNC_ATTRIBUTE_*`.
/// - `kernel`: the kernel.
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pi` is NULL or the attribute is unknown; `CUDA_ERROR_INVALID_HANDLE` if
/// `kernel` is no kernel; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuKernelGetAttribute(
    pi: Out<c_int>,
    attrib: CUfunction_attribute,
    kernel: CUkernel,
    dev: CUdevice,
) -> Result<()> {
    pi.check()?;
    pi.set(KERNELS.find(kernel.0)?.attribute(device::device(dev)?, FunctionAttribute(attrib.0))?)
}

/// Changes an attribute of a kernel on a device, in all contexts.
///
/// - `attrib`: a `CU_FUNC_ATTRIBUTE_*` that can be set: dynamic shared memory, carveout, or one about clusters.
/// - `val`: the value: bytes, percent (-1 for no preference), or blocks.
/// - `kernel`: the kernel.
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the attribute cannot be set or the value is out of range;
/// `CUDA_ERROR_INVALID_HANDLE` if `kernel` is no kernel; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuKernelSetAttribute(attrib: CUfunction_attribute, val: c_int, kernel: CUkernel, dev: CUdevice) -> Result<()> {
    KERNELS.find(kernel.0)?.set_attribute(device::device(dev)?, FunctionAttribute(attrib.0), val)
}

/// Sets whether a kernel on a device prefers L1 cache or shared memory, in all contexts.
///
/// - `kernel`: the kernel.
/// - `config`: `CU_FUNC_CACHE_*`.
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `config` is unknown; `CUDA_ERROR_INVALID_HANDLE` if `kernel` is no kernel;
/// `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: Library Management.
#[entry(since = 12000, needs = init)]
pub fn cuKernelSetCacheConfig(kernel: CUkernel, config: CUfunc_cache, dev: CUdevice) -> Result<()> {
    KERNELS.find(kernel.0)?.set_cache(device::device(dev)?, config.0)
}

/// Reports the linkage name of a kernel.
///
/// - `name`: receives the address of the name, which ends in NUL and lives as long as the library.
/// - `hfunc`: the kernel.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `name` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no kernel.
///
/// Manual: Library Management.
#[entry(since = 12030, needs = init)]
pub fn cuKernelGetName(name: Out<*const c_char>, hfunc: CUkernel) -> Result<()> {
    name.check()?;
    name.set(KERNELS.find(hfunc.0)?.c_name().as_ptr())
}

/// Reports offset and size of one parameter of a kernel.
///
/// - `kernel`: the kernel.
/// - `paramIndex`: number of the parameter, from 0.
/// - `paramOffset`: receives its offset in the parameter area in bytes.
/// - `paramSize`: receives its size in bytes; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `paramOffset` is NULL or there is no such parameter;
/// `CUDA_ERROR_INVALID_HANDLE` if `kernel` is no kernel; `CUDA_ERROR_INVALID_CONTEXT` without a current context; the
/// context's asynchronous error; `CUDA_ERROR_OUT_OF_MEMORY` if loading the library into the context needs more memory
/// than the device has left.
///
/// Manual: Library Management.
#[entry(since = 12040, needs = init)]
pub fn cuKernelGetParamInfo(
    kernel: CUkernel,
    paramIndex: usize,
    paramOffset: Out<usize>,
    paramSize: Out<usize>,
) -> Result<()> {
    paramOffset.check()?;
    let (offset, size) = any_function(kernel)?.parameter(paramIndex)?;
    paramOffset.set(offset)?;
    paramSize.set_opt(size)
}

/// Counts the parameters of a kernel.
///
/// - `kernel`: the kernel.
/// - `paramCount`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `paramCount` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `kernel` is no kernel;
/// `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error; `CUDA_ERROR_OUT_OF_MEMORY`
/// if loading the library into the context needs more memory than the device has left.
///
/// Manual: Library Management.
#[entry(since = 13020, needs = init)]
pub fn cuKernelGetParamCount(kernel: CUkernel, paramCount: Out<usize>) -> Result<()> {
    paramCount.check()?;
    paramCount.set(any_function(kernel)?.code().parameters.len())
}

fn check_options(count: c_uint, options: InMut<CUlibraryOption>) -> Result<()> {
    let known = |option: &CUlibraryOption| option.0 < CU_LIBRARY_NUM_OPTIONS.0;
    if options.slice(count as usize)?.iter().all(known) {
        Ok(())
    } else {
        Err(refuse!(Error::INVALID_VALUE, "libraryOptions has a value that is not a CUlibraryOption"))
    }
}

/// The current context, unless it has failed.
fn sound_context() -> Result<Arc<Context>> {
    let context = context::current_any()?;
    context.check_error()?;
    Ok(context)
}

/// The function of a kernel in the current context.
fn any_function(kernel: CUkernel) -> Result<Arc<Function>> {
    KERNELS.find(kernel.0)?.function(&sound_context()?)
}
