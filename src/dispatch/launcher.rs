//! What the launcher asks this library, by `cuGetExportTable` under an identifier of our own.

use super::mode::{self, Active};
use crate::layers;
use core::ffi::{CStr, c_char};
use core::ptr;
use std::ffi::CString;
use std::panic::catch_unwind;
use std::sync::OnceLock;

/// The identifier under which it is handed out.
pub const ID: [u8; 16] = *b"Doppel launcher1";

/// What `cuGetExportTable` hands out. Texts live for ever.
#[repr(C)]
pub struct LauncherTable {
    /// Bytes of this structure.
    size: usize,
    /// The mode that was chosen; a tabulator; why.
    mode: extern "C" fn() -> *const c_char,
    /// What is wrong with a value of `DOPPEL_FAULT`; null if nothing is.
    fault: unsafe extern "C" fn(*const c_char) -> *const c_char,
    /// The same for lists of functions that are traced.
    calls: unsafe extern "C" fn(*const c_char) -> *const c_char,
}

/// The only instance.
pub static TABLE: LauncherTable = LauncherTable { size: size_of::<LauncherTable>(), mode, fault, calls };

extern "C" fn mode() -> *const c_char {
    static TEXT: OnceLock<CString> = OnceLock::new();
    let text = || {
        let name = match mode::active() {
            Active::Cpu => "cpu",
            Active::Forward => "forward",
            Active::Absent => "absent",
            Active::Refused | Active::Deciding => "refused",
        };
        CString::new(format!("{name}\t{}", mode::why())).unwrap_or_default()
    };
    catch_unwind(|| TEXT.get_or_init(text).as_c_str()).unwrap_or(c"").as_ptr()
}

/// # Safety
/// `value` is a text that ends in NUL.
unsafe extern "C" fn fault(value: *const c_char) -> *const c_char {
    // SAFETY: the caller promises it.
    judge(unsafe { CStr::from_ptr(value) }, layers::fault_complaint)
}

/// # Safety
/// `value` is a text that ends in NUL.
unsafe extern "C" fn calls(value: *const c_char) -> *const c_char {
    // SAFETY: the caller promises it.
    judge(unsafe { CStr::from_ptr(value) }, layers::calls_complaint)
}

fn judge(value: &CStr, complaint: fn(&str) -> Option<String>) -> *const c_char {
    let complaint = || complaint(&value.to_string_lossy()).and_then(|why| CString::new(why).ok());
    // Asked once.
    catch_unwind(complaint).ok().flatten().map_or(ptr::null(), |text| text.into_raw().cast_const())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_judged() {
        // SAFETY: texts that end in NUL.
        let judged = |value: &CStr| unsafe {
            let text = (TABLE.fault)(value.as_ptr());
            (!text.is_null()).then(|| CStr::from_ptr(text).to_str().unwrap().to_owned())
        };
        assert_eq!(judged(c"alloc:error=OUT_OF_MEMORY,nth=3"), None);
        assert!(judged(c"alloc:error=OUT_OF_MEMROY").unwrap().starts_with("expected FUNCTIONS:WHAT"));
        assert!(judged(c"/nowhere/rules").unwrap().contains("No such file"));
        let unknown = judged(c"cuMemAlocc:error=OUT_OF_MEMORY").unwrap();
        assert_eq!(unknown, "no function is cuMemAlocc; did you mean cuMemAlloc?");
        assert_eq!(judged(c"cuMemAlloc:error=OUT_OF_MEMORY;cuMemAlloc_v2 cuLaunch*:delay=1"), None);
    }

    #[test]
    fn lists_of_functions_are_judged() {
        // SAFETY: texts that end in NUL.
        let judged = |value: &CStr| unsafe {
            let text = (TABLE.calls)(value.as_ptr());
            (!text.is_null()).then(|| CStr::from_ptr(text).to_str().unwrap().to_owned())
        };
        assert_eq!(judged(c"cuMem*,!cuMemAlloc,cuLaunchKernel"), None);
        assert_eq!(judged(c"cuMem*,cudaMalloc*").unwrap(), "no function is cudaMalloc*");
        assert_eq!(judged(c"!cuCtxGetCurent").unwrap(), "no function is cuCtxGetCurent; did you mean cuCtxGetCurrent?");
    }
}
