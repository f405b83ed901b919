//! The file that called: for messages that name the file to be fixed. Slow, so only for those.

use core::ffi::{CStr, c_int, c_void};
use core::{mem, ptr};

unsafe extern "C" {
    fn _Unwind_Backtrace(visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int, data: *mut c_void) -> c_int;
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
}

/// `_URC_NO_REASON`: go on.
const GO_ON: c_int = 0;
/// `_URC_END_OF_STACK`: enough.
const ENOUGH: c_int = 5;

/// Where the file is loaded that an address belongs to, and its path.
fn file_of(address: usize) -> Option<(usize, Vec<u8>)> {
    // SAFETY: plain data.
    let mut info: libc::Dl_info = unsafe { mem::zeroed() };
    // SAFETY: `info` is ours; the address is only looked up.
    let known = unsafe { libc::dladdr(ptr::without_provenance(address), &mut info) } != 0;
    if !known || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader's text, which lives as long as the file is loaded: somebody is just running in it.
    let path = unsafe { CStr::from_ptr(info.dli_fname) }.to_bytes().to_vec();
    Some((info.dli_fbase as usize, path))
}

/// The file (program or library) whose code called into this library, as the loader names it.
pub fn file() -> Option<String> {
    struct Search {
        own: usize,
        found: Option<Vec<u8>>,
    }
    unsafe extern "C" fn visit(frame: *mut c_void, search: *mut c_void) -> c_int {
        // SAFETY: the unwinder hands us its frame, and `search` is the value given below.
        let (address, search) = unsafe { (_Unwind_GetIP(frame), &mut *search.cast::<Search>()) };
        match file_of(address) {
            Some((base, _)) if base == search.own => GO_ON,
            found => {
                search.found = found.map(|(_, path)| path);
                ENOUGH
            }
        }
    }
    let (own, _) = file_of(file as *const () as usize)?;
    let mut search = Search { own, found: None };
    // SAFETY: `visit` is called only during this call.
    unsafe { _Unwind_Backtrace(visit, (&raw mut search).cast()) };
    search.found.map(|path| String::from_utf8_lossy(&path).into_owned())
}
