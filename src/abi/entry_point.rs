//! Driver Entry Point Access.

#![allow(non_snake_case)]

use super::convert::bounds::LONGEST_FUNCTION_NAME;
use super::ptr::{In, Out};
use super::types::{
    CU_GET_PROC_ADDRESS_LEGACY_STREAM, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, CU_GET_PROC_ADDRESS_SUCCESS,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, CUdriverProcAddressQueryResult,
    CUresult, CUuuid, cuuint64_t,
};
use crate::dispatch::{self, Active, launcher};
use crate::forward;
use crate::table::{self, Found, Streams, status};
use api_macro::entry;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use core::ptr;
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use settings::log;

/// The look-up of the emulated driver.
fn look_up(symbol: In<c_char>, version: c_int, flags: cuuint64_t) -> Result<Found> {
    const PER_THREAD: u64 = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.0 as u64;
    const KNOWN: u64 = CU_GET_PROC_ADDRESS_LEGACY_STREAM.0 as u64 | PER_THREAD;
    refuse_if!(Error::INVALID_VALUE, flags & !KNOWN != 0, "flags {:#x} has unknown bits", flags);
    refuse_if!(
        Error::INVALID_VALUE,
        i64::from(version) > i64::from(table::DRIVER_VERSION),
        "cudaVersion {} is newer than the driver, {}",
        version,
        table::DRIVER_VERSION
    );
    // A negative version counts as the newest.
    let version = if version < 0 { table::DRIVER_VERSION as c_int } else { version };
    let name = symbol.string(LONGEST_FUNCTION_NAME)?;
    let streams = if flags & PER_THREAD != 0 { Streams::PerThread } else { Streams::Legacy };
    Ok(table::look_up(&name, version, streams))
}

/// The real driver's own look-up function, for `forward` mode.
fn real_look_up(name: &CStr) -> Result<*mut ()> {
    let real = forward::symbol(name);
    if real.is_null() { Err(Error::CALL_REQUIRES_NEWER_DRIVER) } else { Ok(real) }
}

/// Replaces what the real driver's look-up handed out by our function, where we have one, so that calls keep coming
/// through us. What we do not know stays the real driver's.
fn take_over(code: CUresult, symbol: In<c_char>, pfn: Out<*mut c_void>) -> Result<()> {
    if let Some(error) = Error::from_code(code.0) {
        return Err(error);
    }
    if symbol.is_null() || pfn.is_null() {
        return Ok(());
    }
    // Not through `guard`, whose signal handler has no place in a process that only the real driver serves.
    // SAFETY: the real driver succeeded: it has read the name and written the pointer.
    let (name, real) = unsafe { (CStr::from_ptr(symbol.0).to_bytes(), pfn.0.read_unaligned()) };
    if let Some(entry) = forward::export_for(real, name) {
        // SAFETY: as above.
        unsafe { pfn.0.write_unaligned(entry.address.cast_mut().cast()) };
    }
    Ok(())
}

/// Finds the function that serves a name for a given CUDA version, and says why there is none.
///
/// In `forward` mode the real driver looks it up, and what we export ourselves takes the place of its functions.
///
/// - `symbol`: name of the function without version suffix.
/// - `pfn`: receives its address, NULL if none is found.
/// - `cudaVersion`: the version whose interface is wanted, 1000 times the major number and 10 times the minor one; a
///   negative one stands for the newest.
/// - `flags`: `CU_GET_PROC_ADDRESS_*`: which default stream the function shall mean by stream 0; 0 for the legacy one.
/// - `symbolStatus`: receives whether there is such a function, only a newer one, or none; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `symbol` or `pfn` is NULL, for unknown `flags`, and for a version newer than
/// the driver's. A function that is not found is no error.
///
/// Manual: Driver Entry Point Access.
#[entry(since = 12000, needs = nothing, absent = "run", forward = "run", flags = CUdriverProcAddress_flags)]
pub fn cuGetProcAddress_v2(
    symbol: In<c_char>,
    pfn: Out<*mut c_void>,
    cudaVersion: c_int,
    flags: cuuint64_t,
    symbolStatus: Out<CUdriverProcAddressQueryResult>,
) -> Result<()> {
    if dispatch::active() == Active::Forward {
        type Real = unsafe extern "C" fn(
            In<c_char>,
            Out<*mut c_void>,
            c_int,
            cuuint64_t,
            Out<CUdriverProcAddressQueryResult>,
        ) -> CUresult;
        // SAFETY: this is the function's signature, and the arguments are the caller's.
        let code = unsafe {
            transmute::<*mut (), Real>(real_look_up(c"cuGetProcAddress_v2")?)(
                symbol,
                pfn,
                cudaVersion,
                flags,
                symbolStatus,
            )
        };
        return take_over(code, symbol, pfn);
    }
    let found = look_up(symbol, cudaVersion, flags)?;
    let (function, status) = match found {
        Found::Entry(entry) => (entry.address.cast_mut().cast(), CU_GET_PROC_ADDRESS_SUCCESS),
        Found::TooOld => (ptr::null_mut(), CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT),
        Found::Unknown => (ptr::null_mut(), CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND),
    };
    pfn.set(function)?;
    symbolStatus.set_opt(status)
}

/// Finds the function that serves a name for a given CUDA version.
///
/// First form of [`cuGetProcAddress_v2`], without the reason.
///
/// - `symbol`: name of the function without version suffix.
/// - `pfn`: receives its address.
/// - `cudaVersion`: the version whose interface is wanted, 1000 times the major number and 10 times the minor one; a
///   negative one stands for the newest.
/// - `flags`: `CU_GET_PROC_ADDRESS_*`: which default stream the function shall mean by stream 0; 0 for the legacy one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `symbol` or `pfn` is NULL, for unknown `flags`, and for a version newer than
/// the driver's; `CUDA_ERROR_NOT_FOUND` if there is no such function in that version.
///
/// Manual: Driver Entry Point Access.
#[entry(since = 11030, needs = nothing, absent = "run", forward = "run", flags = CUdriverProcAddress_flags)]
pub fn cuGetProcAddress(
    symbol: In<c_char>,
    pfn: Out<*mut c_void>,
    cudaVersion: c_int,
    flags: cuuint64_t,
) -> Result<()> {
    if dispatch::active() == Active::Forward {
        type Real = unsafe extern "C" fn(In<c_char>, Out<*mut c_void>, c_int, cuuint64_t) -> CUresult;
        // SAFETY: this is the function's signature, and the arguments are the caller's.
        let code =
            unsafe { transmute::<*mut (), Real>(real_look_up(c"cuGetProcAddress")?)(symbol, pfn, cudaVersion, flags) };
        return take_over(code, symbol, pfn);
    }
    pfn.check()?;
    match look_up(symbol, cudaVersion, flags)? {
        Found::Entry(entry) => pfn.set(entry.address.cast_mut().cast()),
        Found::TooOld | Found::Unknown => {
            Err(refuse!(Error::NOT_FOUND, "symbol does not name a function of cudaVersion {}", cudaVersion))
        }
    }
}

/// Hands out a private function table by its identifier.
///
/// There are two of our own, through which programs can ask about this library.
///
/// - `ppExportTable`: receives the address of the table.
/// - `pExportTableId`: the identifier, 16 bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL; `CUDA_ERROR_NOT_FOUND` for every other table, with a
/// warning in the log that says what that means for the file that asked.
///
/// Manual: none, private.
#[entry(since = 3000, needs = nothing, absent = "run")]
pub fn cuGetExportTable(ppExportTable: Out<*const c_void>, pExportTableId: In<CUuuid>) -> Result<()> {
    ppExportTable.check()?;
    match pExportTableId.get()?.bytes.map(|byte| byte as u8) {
        status::ID => return ppExportTable.set((&raw const status::TABLE).cast()),
        launcher::ID => return ppExportTable.set((&raw const launcher::TABLE).cast()),
        _ => {}
    }
    if dispatch::active() == Active::Cpu {
        explain_refusal();
    }
    Err(refuse!(Error::NOT_FOUND, "pExportTableId is not that of a table which this driver has"))
}

/// What to tell the user of a file that asked for a private table in vain; `None` if the file works without it.
fn advice(file: &str) -> Option<&'static str> {
    let name = file.rsplit('/').next().unwrap_or(file);
    if name.starts_with("libnvrtc") {
        None
    } else if name.starts_with("libnvJitLink") {
        // Under ours it makes PTX.
        let below_ours = ["libnvJitLink.so.12", "libnvJitLink.so.13"].into_iter().any(real::stands_in);
        (!below_ours).then_some(
            "it makes machine code, which does not run here; start the program with doppel run, which puts Doppel's in its \
             place, or take the library away (pip uninstall nvidia-nvjitlink)",
        )
    } else if name.starts_with("libcupti") || name.starts_with("libnvperf") {
        Some("there is nothing for it to measure or trace here; the program itself is not affected")
    } else {
        Some(
            "if its CUDA calls fail now, NVIDIA's CUDA runtime is linked into it statically and accepts no other driver; link \
             it with -cudart shared or with Doppel's libcudart_static.a, or use DOPPEL_MODE=forward",
        )
    }
}

/// A CUDA runtime that is linked statically into a program or library does not work after the refusal: says, once for each
/// file, what to do about it.
fn explain_refusal() {
    /// No program has more parts that ask than this.
    const MOST: usize = 32;
    static ASKED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let file = dispatch::caller::file().unwrap_or_else(|| String::from("this program"));
    let Some(advice) = advice(&file).filter(|_| log::enabled(log::Level::Warn)) else { return };
    let mut asked = ASKED.lock();
    if asked.len() == MOST || asked.contains(&file) {
        return;
    }
    log::warn!("{file} asks for private tables that only NVIDIA's driver has: {advice}");
    asked.push(file);
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn advice_is_for_the_file_that_asks() {
        assert_eq!(advice("/usr/lib/libnvrtc.so.12"), None);
        assert!(
            advice("/venv/nvidia/cu13/lib/libnvJitLink.so.13").is_some_and(|text| text.contains("nvidia-nvjitlink"))
        );
        assert!(advice("libcupti.so.13").is_some_and(|text| !text.contains("libcudart")));
        assert!(advice("/opt/libnvJitLink/program").is_some_and(|text| text.contains("-cudart shared")));
    }
}
