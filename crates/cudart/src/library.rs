//! Libraries of kernels that the program loads itself.

use crate::driver as drv;
use crate::types::Handle;
use core::ffi::{c_char, c_int, c_uint, c_void};

api! {
    /// Loads code from memory.
    fn cudaLibraryLoadData(
        library: *mut Handle, code: *const c_void, jit: *mut c_int, jit_values: *mut *mut c_void, jit_count: c_uint,
        options: *mut c_int, values: *mut *mut c_void, count: c_uint,
    ) {
        drv::cuLibraryLoadData(library, code, jit, jit_values, jit_count, options, values, count)
    }

    /// Loads code from a file.
    fn cudaLibraryLoadFromFile(
        library: *mut Handle, file: *const c_char, jit: *mut c_int, jit_values: *mut *mut c_void, jit_count: c_uint,
        options: *mut c_int, values: *mut *mut c_void, count: c_uint,
    ) {
        drv::cuLibraryLoadFromFile(library, file, jit, jit_values, jit_count, options, values, count)
    }

    /// Unloads code.
    fn cudaLibraryUnload(library: Handle) {
        drv::cuLibraryUnload(library)
    }

    /// A kernel by name.
    fn cudaLibraryGetKernel(kernel: *mut Handle, library: Handle, name: *const c_char) {
        drv::cuLibraryGetKernel(kernel, library, name)
    }

    /// A variable by name.
    fn cudaLibraryGetGlobal(ptr: *mut *mut c_void, bytes: *mut usize, library: Handle, name: *const c_char) {
        drv::cuLibraryGetGlobal(ptr, bytes, library, name)
    }

    /// A managed variable by name.
    fn cudaLibraryGetManaged(ptr: *mut *mut c_void, bytes: *mut usize, library: Handle, name: *const c_char) {
        drv::cuLibraryGetManaged(ptr, bytes, library, name)
    }

    /// A function that every device knows under one address.
    fn cudaLibraryGetUnifiedFunction(function: *mut *mut c_void, library: Handle, symbol: *const c_char) {
        drv::cuLibraryGetUnifiedFunction(function, library, symbol)
    }

    /// The number of kernels.
    fn cudaLibraryGetKernelCount(count: *mut c_uint, library: Handle) {
        drv::cuLibraryGetKernelCount(count, library)
    }

    /// All kernels.
    fn cudaLibraryEnumerateKernels(kernels: *mut Handle, count: c_uint, library: Handle) {
        drv::cuLibraryEnumerateKernels(kernels, count, library)
    }

    /// Sets an attribute of a kernel on one device.
    fn cudaKernelSetAttributeForDevice(kernel: Handle, attribute: c_int, value: c_int, device: c_int) {
        drv::cuKernelSetAttribute(attribute, value, kernel, device)
    }
}
