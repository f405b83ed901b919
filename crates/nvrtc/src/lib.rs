//! NVRTC over the real one of the same major version.
//!
//! The real library compiles. Where a program asks it for machine code (`-arch=sm_90`) we ask for PTX
//! (`-arch=compute_90`), and `nvrtcGetCUBIN` gives a container with it, which our driver loads as it would load machine
//! code. All else goes to the real library. One source makes `libnvrtc.so.12` and `libnvrtc.so.13`; what differs is marked
//! with `cfg(nvrtc = "12")` and `cfg(nvrtc = "13")`.
//!
//! Without a real library there are programs and a log that says what is missing, and nothing compiles.

// The names are the interface.
#![allow(non_snake_case)]
// Exports take raw pointers from C by nature; they are looked at through `guard` alone.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

#[macro_use]
mod api;
mod options;
mod program;

use api::{Callback, Code, INTERNAL_ERROR, INVALID_INPUT, INVALID_OPTION, INVALID_PROGRAM, NAMES, SUCCESS};
use core::ffi::{c_char, c_int, c_void};
use program::{Known, Output, Program};
use std::ffi::CString;
use toolchain::inside::Assembler;

#[cfg(nvrtc = "12")]
real::shim!(NVRTC, "libnvrtc.so.12", "DOPPEL_REAL_NVRTC", c"nvrtcVersion", nvrtcVersion, behind);
#[cfg(nvrtc = "13")]
real::shim!(NVRTC, "libnvrtc.so.13", "DOPPEL_REAL_NVRTC", c"nvrtcVersion", nvrtcVersion, behind);

real::jump!(crate::NVRTC, __nvrtcCPEx, 11, concat!(env!("PREFIX"), "__nvrtcCPEx"));
#[cfg(nvrtc = "13")]
real::jump!(crate::NVRTC, __nvrtcNvvmHandle, 0, concat!(env!("PREFIX"), "__nvrtcNvvmHandle"));

/// The name of a result.
#[unsafe(export_name = concat!(env!("PREFIX"), "nvrtcGetErrorString"))]
pub extern "C" fn nvrtcGetErrorString(result: c_int) -> *const c_char {
    match real::original!(NVRTC, nvrtcGetErrorString, fn(c_int) -> *const c_char) {
        // SAFETY: any number may be asked for.
        Some(real) => unsafe { real(result) },
        None => usize::try_from(result)
            .ok()
            .and_then(|at| NAMES.get(at))
            .map_or(c"NVRTC_ERROR unknown", |name| name)
            .as_ptr(),
    }
}

api! {
    /// The version of the real library, with a minor number of ours: caches of programs have it in their keys.
    fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) |real| {
        let (mut first, mut second) = (0, 0);
        let (to_first, to_second) = if major.is_null() || minor.is_null() { (major, minor) } else { (&raw mut first, &raw mut second) };
        let code = real.map_or(INTERNAL_ERROR, |real| real(to_first, to_second));
        if code == SUCCESS {
            write(major as usize, &first.to_ne_bytes())?;
            write(minor as usize, &real::own_minor(second.cast_unsigned()).to_ne_bytes())?;
        }
        Ok(code)
    }

    /// How many architectures the real library compiles for.
    fn nvrtcGetNumSupportedArchs(numArchs: *mut c_int);

    /// The architectures that the real library compiles for.
    fn nvrtcGetSupportedArchs(supportedArchs: *mut c_int);

    /// Makes a program. Without the real library it is one that cannot be compiled.
    fn nvrtcCreateProgram(
        prog: *mut Program, src: *const c_char, name: *const c_char, numHeaders: c_int,
        headers: *const *const c_char, includeNames: *const *const c_char,
    ) |real| {
        let named = if name.is_null() { None } else { real::string(name).ok() };
        let known = Known {
            name: named.map_or_else(|| "default_program".to_owned(), |name| String::from_utf8_lossy(&name).into_owned()),
            ..Known::default()
        };
        if numHeaders > 0 && !headers.is_null() && !includeNames.is_null() {
            api::strings(headers, numHeaders).ok_or(INVALID_INPUT)?;
            api::strings(includeNames, numHeaders).ok_or(INVALID_INPUT)?;
        }
        if let Some(real) = real {
            let code = real(prog, src, name, numHeaders, headers, includeNames);
            if code == SUCCESS {
                program::insert(written(prog)?, known);
            }
            return Ok(code);
        }
        if prog.is_null() {
            return Err(INVALID_PROGRAM);
        }
        let missing_array = headers.is_null() || includeNames.is_null();
        if src.is_null() || numHeaders < 0 || (numHeaders > 0 && missing_array) {
            return Err(INVALID_INPUT);
        }
        let Program(handle) = program::invent(known);
        write(prog as usize, &handle.to_ne_bytes())?;
        Ok(SUCCESS)
    }

    /// Ends a program.
    fn nvrtcDestroyProgram(prog: *mut Program) |real| {
        if prog.is_null() {
            return Err(INVALID_PROGRAM);
        }
        let handle = written(prog)?;
        api::Argument::check(&handle)?;
        program::remove(handle);
        match real {
            Some(real) => Ok(real(prog)),
            None => write(prog as usize, &0usize.to_ne_bytes()).map(|()| SUCCESS),
        }
    }

    /// Compiles a program. Machine code is asked for as PTX, which is put into a container.
    fn nvrtcCompileProgram(prog: Program, numOptions: c_int, options: *const *const c_char) |real| {
        let Some(real) = real else {
            let text = format!("nvrtc: error: {}\n\0", NVRTC.found().missing);
            program::finish(prog, None, Some(text.into_bytes()));
            return Err(INTERNAL_ERROR);
        };
        if numOptions < 0 || options.is_null() {
            return Ok(real(prog, numOptions, options));
        }
        let options = options::read(api::strings(options, numOptions).ok_or(INVALID_OPTION)?);
        let given: Vec<CString> =
            options.given.iter().map(|option| CString::new(option.as_slice()).unwrap_or_default()).collect();
        let pointers: Vec<*const c_char> = given.iter().map(|option| option.as_ptr()).collect();
        let code = real(prog, numOptions, if pointers.is_empty() { core::ptr::null() } else { pointers.as_ptr() });
        // Wrong options leave what an earlier compilation gave.
        if code == INVALID_OPTION {
            return Ok(code);
        }
        let target = options.machine_code.filter(|_| code == SUCCESS);
        // The NUL of an empty text: there is none, because something else than code was asked for.
        let text = target.and_then(|_| ptx()?.read(prog)).filter(|text| text.len() > 1);
        let (Some(target), Some(mut text)) = (target, text) else {
            program::finish(prog, None, None);
            return Ok(code);
        };
        text.pop();
        // The real library runs its assembler here, whose messages end the log, with a NUL of their own.
        let assembler =
            Assembler { architecture: target.to_string(), relocatable: options.relocatable, options: options.assembler };
        let (fine, mut said) = assembler.check(&text);
        said.push_str("\0\0");
        let said = Some(said.into_bytes()).filter(|said| said.len() > 2);
        if !fine {
            program::finish(prog, None, said);
            return Err(api::COMPILATION);
        }
        let contents = container::Contents {
            ptx: text,
            architecture: target,
            most_registers: options.most_registers,
            name: program::known(prog).name,
            maker: format!("nvrtc {}", if cfg!(nvrtc = "12") { 12 } else { 13 }),
        };
        program::finish(prog, Some(container::write(&contents)), said);
        Ok(code)
    }

    /// Size of the PTX.
    fn nvrtcGetPTXSize(prog: Program, ptxSizeRet: *mut usize);

    /// The PTX.
    fn nvrtcGetPTX(prog: Program, ptx: *mut c_char);

    /// Size of what stands for machine code: our container; 0 where the real library would give none.
    fn nvrtcGetCUBINSize(prog: Program, cubinSizeRet: *mut usize) |real| {
        match program::known(prog).container {
            Some(container) if !cubinSizeRet.is_null() => {
                write(cubinSizeRet as usize, &container.len().to_ne_bytes()).map(|()| SUCCESS)
            }
            _ => Ok(real.map_or(INTERNAL_ERROR, |real| real(prog, cubinSizeRet))),
        }
    }

    /// What stands for machine code: our container.
    fn nvrtcGetCUBIN(prog: Program, cubin: *mut c_char) |real| {
        match program::known(prog).container {
            Some(container) if !cubin.is_null() => write(cubin as usize, &container).map(|()| SUCCESS),
            _ => Ok(real.map_or(INTERNAL_ERROR, |real| real(prog, cubin))),
        }
    }

    /// Size of the intermediate code for link time optimisation.
    fn nvrtcGetLTOIRSize(prog: Program, LTOIRSizeRet: *mut usize);

    /// The intermediate code for link time optimisation.
    fn nvrtcGetLTOIR(prog: Program, LTOIR: *mut c_char);

    /// Size of the code for OptiX.
    fn nvrtcGetOptiXIRSize(prog: Program, optixirSizeRet: *mut usize);

    /// The code for OptiX.
    fn nvrtcGetOptiXIR(prog: Program, optixir: *mut c_char);

    /// Size of the code for NVVM.
    #[cfg(nvrtc = "12")]
    fn nvrtcGetNVVMSize(prog: Program, nvvmSizeRet: *mut usize);

    /// The code for NVVM.
    #[cfg(nvrtc = "12")]
    fn nvrtcGetNVVM(prog: Program, nvvm: *mut c_char);

    /// Size of the code of tile functions.
    #[cfg(nvrtc = "13")]
    fn nvrtcGetTileIRSize(prog: Program, TileIRSizeRet: *mut usize);

    /// The code of tile functions.
    #[cfg(nvrtc = "13")]
    fn nvrtcGetTileIR(prog: Program, TileIR: *mut c_char);

    /// Size of the log, with what an assembler would have added.
    fn nvrtcGetProgramLogSize(prog: Program, logSizeRet: *mut usize) |real| {
        match log(prog) {
            Some(log) if !logSizeRet.is_null() => {
                write(logSizeRet as usize, &log.len().to_ne_bytes()).map(|()| SUCCESS)
            }
            _ => Ok(real.map_or(INVALID_INPUT, |real| real(prog, logSizeRet))),
        }
    }

    /// The log, with what an assembler would have added.
    fn nvrtcGetProgramLog(prog: Program, log: *mut c_char) |real| {
        match crate::log(prog) {
            Some(text) if !log.is_null() => write(log as usize, &text).map(|()| SUCCESS),
            _ => Ok(real.map_or(INVALID_INPUT, |real| real(prog, log))),
        }
    }

    /// Asks for the lowered name of an expression.
    fn nvrtcAddNameExpression(prog: Program, name_expression: *const c_char);

    /// The lowered name of an expression, which lives as long as the program.
    fn nvrtcGetLoweredName(prog: Program, name_expression: *const c_char, lowered_name: *mut *const c_char);

    /// Bytes of the heap for precompiled headers.
    fn nvrtcGetPCHHeapSize(ret: *mut usize);

    /// Sets the size of the heap for precompiled headers.
    fn nvrtcSetPCHHeapSize(size: usize);

    /// Whether a precompiled header was made.
    fn nvrtcGetPCHCreateStatus(prog: Program);

    /// Bytes of heap that making a precompiled header needs.
    fn nvrtcGetPCHHeapSizeRequired(prog: Program, size: *mut usize);

    /// Sets a function that may cancel compilations of the program.
    fn nvrtcSetFlowCallback(prog: Program, callback: Option<Callback>, payload: *mut c_void);

    /// Writes the headers that the real library brings into a folder.
    #[cfg(nvrtc = "13")]
    fn nvrtcInstallBundledHeaders(installPath: *const c_char, flags: u32, errorLog: *mut *const c_char);

    /// Tells about the headers that the real library brings.
    #[cfg(nvrtc = "13")]
    fn nvrtcGetBundledHeadersInfo(info: *mut c_void, errorLog: *mut *const c_char);

    /// Removes the headers that were written into a folder.
    #[cfg(nvrtc = "13")]
    fn nvrtcRemoveBundledHeaders(installPath: *const c_char, errorLog: *mut *const c_char);
}

/// The real library's PTX.
fn ptx() -> Option<Output> {
    Some(Output {
        size: real::original!(NVRTC, nvrtcGetPTXSize, fn(Program, *mut usize) -> c_int)?,
        bytes: real::original!(NVRTC, nvrtcGetPTX, fn(Program, *mut c_char) -> c_int)?,
    })
}

/// The log of a program to which we have added something.
fn log(program: Program) -> Option<Vec<u8>> {
    let complaint = program::known(program).complaint?;
    let size = real::original!(NVRTC, nvrtcGetProgramLogSize, fn(Program, *mut usize) -> c_int);
    let bytes = real::original!(NVRTC, nvrtcGetProgramLog, fn(Program, *mut c_char) -> c_int);
    let mut text = size.zip(bytes).and_then(|(size, bytes)| Output { size, bytes }.read(program)).unwrap_or_default();
    text.truncate(text.iter().position(|&b| b == 0).unwrap_or(text.len()));
    text.extend_from_slice(&complaint);
    Some(text)
}

/// The handle in a variable of the program.
fn written(at: *mut Program) -> Result<Program, Code> {
    guard::read_pointer(at as usize).map(Program).map_err(|_| INVALID_INPUT)
}

fn write(address: usize, bytes: &[u8]) -> Result<(), Code> {
    guard::write(address, guard::bytes(bytes)).map_err(|_| INVALID_INPUT)
}
