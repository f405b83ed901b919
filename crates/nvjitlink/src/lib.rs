//! nvJitLink of the same major version as the real one.
//!
//! PTX, containers, fat binaries, objects and archives are linked by our own linker (`ptx::link`), and what programs get as
//! machine code is a container. Code for link time optimisation goes through the real library, which makes PTX of it
//! (`-lto -ptx`); nothing else needs that library. Functions that only PTX calls are kept with NVRTC's help ([`keep`]). One source makes `libnvJitLink.so.12` and `libnvJitLink.so.13`; what differs is
//! marked with `cfg(nvjitlink = "12")` and `cfg(nvjitlink = "13")`.

// The names are the interface.
#![allow(non_snake_case)]
// Exports take raw pointers from C by nature; they are looked at through `guard` alone.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

#[macro_use]
mod api;
mod input;
mod keep;
mod link;
mod options;
mod original;

use api::{Code, INVALID_INPUT, NULL, string, strings, write};
use core::ffi::{c_char, c_int, c_void};
use link::{Handle, Link};

#[cfg(nvjitlink = "12")]
real::shim!(JITLINK, "libnvJitLink.so.12", "DOPPEL_REAL_NVJITLINK", c"nvJitLinkVersion", nvJitLinkVersion, behind);
#[cfg(nvjitlink = "13")]
real::shim!(JITLINK, "libnvJitLink.so.13", "DOPPEL_REAL_NVJITLINK", c"nvJitLinkVersion", nvJitLinkVersion, behind);

/// The release that we are where there is no real library.
const RELEASE: (u32, u32) = if cfg!(nvjitlink = "12") { (12, 9) } else { (13, 5) };
/// The largest input.
const MOST: usize = 1 << 32;

real::jump!(crate::JITLINK, __nvJitLinkAPI, 6, concat!(env!("PREFIX"), "__nvJitLinkAPI"));

api! {
    /// Begins a link.
    fn nvJitLinkCreate(handle: *mut Handle, numOptions: u32, options: *const *const c_char) {
        if handle.is_null() || (options.is_null() && numOptions > 0) {
            return Err(NULL);
        }
        let (link, result) = Link::create(strings(options, numOptions)?);
        let Handle(new) = link::insert(link);
        write(handle as usize, &new.to_ne_bytes())?;
        result
    }

    /// Ends a link.
    fn nvJitLinkDestroy(handle: *mut Handle) {
        if handle.is_null() {
            return Err(NULL);
        }
        let old = guard::read_pointer(handle as usize).map(Handle).map_err(|_| INVALID_INPUT)?;
        link::remove(old)?;
        write(handle as usize, &0usize.to_ne_bytes())
    }

    /// Adds an input in memory.
    fn nvJitLinkAddData(handle: Handle, inputType: c_int, data: *const c_void, size: usize, name: *const c_char) {
        let link = link::find(handle)?;
        if data.is_null() || size == 0 || size > MOST {
            return Err(INVALID_INPUT);
        }
        let data = guard::read_vec(data as usize, size).map_err(|_| INVALID_INPUT)?;
        let name = if name.is_null() { None } else { Some(string(name)?) };
        link.lock().add(inputType, data, name)
    }

    /// Adds an input file.
    fn nvJitLinkAddFile(handle: Handle, inputType: c_int, fileName: *const c_char) {
        let link = link::find(handle)?;
        if fileName.is_null() {
            return Err(NULL);
        }
        link.lock().add_file(inputType, string(fileName)?)
    }

    /// Links what was added.
    fn nvJitLinkComplete(handle: Handle) {
        link::find(handle)?.lock().complete()
    }

    /// Size of what stands for machine code: our container.
    fn nvJitLinkGetLinkedCubinSize(handle: Handle, size: *mut usize) {
        give_length(handle, size, |link| link.cubin().map(<[u8]>::len))
    }

    /// What stands for machine code: our container.
    fn nvJitLinkGetLinkedCubin(handle: Handle, cubin: *mut c_void) {
        give(handle, cubin.cast(), |link| link.cubin().map(<[u8]>::to_vec))
    }

    /// Size of the PTX that link time optimisation gave.
    fn nvJitLinkGetLinkedPtxSize(handle: Handle, size: *mut usize) {
        give_length(handle, size, |link| link.text().map(<[u8]>::len))
    }

    /// The PTX that link time optimisation gave.
    fn nvJitLinkGetLinkedPtx(handle: Handle, ptx: *mut c_char) {
        give(handle, ptx.cast(), |link| link.text().map(<[u8]>::to_vec))
    }

    /// Size of the code for link time optimisation that was put together.
    #[cfg(nvjitlink = "13")]
    fn nvJitLinkGetLinkedLTOIRSize(handle: Handle, size: *mut usize) {
        give_length(handle, size, |link| link.intermediate().map(<[u8]>::len))
    }

    /// The code for link time optimisation that was put together.
    #[cfg(nvjitlink = "13")]
    fn nvJitLinkGetLinkedLTOIR(handle: Handle, ltoir: *mut c_void) {
        give(handle, ltoir.cast(), |link| link.intermediate().map(<[u8]>::to_vec))
    }

    /// Size of the error log with its NUL; 0 if it is empty.
    fn nvJitLinkGetErrorLogSize(handle: Handle, size: *mut usize) {
        give_length(handle, size, |link| Ok(link.errors().len()))
    }

    /// The error log.
    fn nvJitLinkGetErrorLog(handle: Handle, log: *mut c_char) {
        give(handle, log.cast(), |link| Ok(link.errors()))
    }

    /// Size of the information log with its NUL; 0 if it is empty.
    fn nvJitLinkGetInfoLogSize(handle: Handle, size: *mut usize) {
        give_length(handle, size, |link| Ok(link.remarks().len()))
    }

    /// The information log.
    fn nvJitLinkGetInfoLog(handle: Handle, log: *mut c_char) {
        give(handle, log.cast(), |link| Ok(link.remarks()))
    }

    /// The release: that of the real library if there is one, with a minor number of ours: caches of programs have it in their keys.
    #[plain]
    fn nvJitLinkVersion(major: *mut u32, minor: *mut u32) {
        if major.is_null() || minor.is_null() {
            return Err(NULL);
        }
        let (one, two) = original::version().unwrap_or(RELEASE);
        write(major as usize, &one.to_ne_bytes())?;
        write(minor as usize, &real::own_minor(two).to_ne_bytes())
    }
}

/// Writes what a link has into memory of the program.
fn give(handle: Handle, to: *mut u8, what: impl FnOnce(&Link) -> Result<Vec<u8>, Code>) -> Result<(), Code> {
    let link = link::find(handle)?;
    if to.is_null() {
        return Err(NULL);
    }
    let bytes = what(&link.lock())?;
    write(to as usize, &bytes)
}

/// Writes how long it is.
fn give_length(handle: Handle, to: *mut usize, what: impl FnOnce(&Link) -> Result<usize, Code>) -> Result<(), Code> {
    give(handle, to.cast(), |link| Ok(what(link)?.to_ne_bytes().to_vec()))
}
