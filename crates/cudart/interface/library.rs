//! Libraries.

/// Loads code from memory.
#[entry(since = 13000)]
pub fn cudaLibraryLoadData(library: *mut cudaLibrary_t, code: *const c_void, jitOptions: *mut cudaJitOption, jitOptionsValues: *mut *mut c_void, numJitOptions: c_uint, libraryOptions: *mut cudaLibraryOption, libraryOptionValues: *mut *mut c_void, numLibraryOptions: c_uint) -> cudaError_t;

/// Loads code from a file.
#[entry(since = 13000)]
pub fn cudaLibraryLoadFromFile(library: *mut cudaLibrary_t, fileName: *const c_char, jitOptions: *mut cudaJitOption, jitOptionsValues: *mut *mut c_void, numJitOptions: c_uint, libraryOptions: *mut cudaLibraryOption, libraryOptionValues: *mut *mut c_void, numLibraryOptions: c_uint) -> cudaError_t;

/// Unloads code.
#[entry(since = 13000)]
pub fn cudaLibraryUnload(library: cudaLibrary_t) -> cudaError_t;

/// A kernel by name.
#[entry(since = 13000)]
pub fn cudaLibraryGetKernel(pKernel: *mut cudaKernel_t, library: cudaLibrary_t, name: *const c_char) -> cudaError_t;

/// A variable by name.
#[entry(since = 13000)]
pub fn cudaLibraryGetGlobal(dptr: *mut *mut c_void, bytes: *mut usize, library: cudaLibrary_t, name: *const c_char) -> cudaError_t;

/// A managed variable by name.
#[entry(since = 13000)]
pub fn cudaLibraryGetManaged(dptr: *mut *mut c_void, bytes: *mut usize, library: cudaLibrary_t, name: *const c_char) -> cudaError_t;

/// A function that every device knows under one address.
#[entry(since = 13000)]
pub fn cudaLibraryGetUnifiedFunction(fptr: *mut *mut c_void, library: cudaLibrary_t, symbol: *const c_char) -> cudaError_t;

/// The number of kernels.
#[entry(since = 13000)]
pub fn cudaLibraryGetKernelCount(count: *mut c_uint, lib: cudaLibrary_t) -> cudaError_t;

/// All kernels.
#[entry(since = 13000)]
pub fn cudaLibraryEnumerateKernels(kernels: *mut cudaKernel_t, numKernels: c_uint, lib: cudaLibrary_t) -> cudaError_t;

/// Sets an attribute of a kernel on one device.
#[entry(since = 13000)]
pub fn cudaKernelSetAttributeForDevice(kernel: cudaKernel_t, attr: cudaFuncAttribute, value: c_int, device: c_int) -> cudaError_t;
