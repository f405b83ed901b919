//! Memory at addresses that a program gave us. They may be wrong, so the kernel does the access for us and tells.

use crate::error::{Error, Result};
use core::mem::{MaybeUninit, size_of};
use core::ptr;

/// What may be read from a program's memory: any bit pattern is a value.
///
/// # Safety
/// The type is plain data without references, padding that matters, or invalid bit patterns.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($t:ty),*) => { $(
        // SAFETY: integers, floats and raw pointers accept every bit pattern.
        unsafe impl Plain for $t {}
    )* };
}
plain!(u8, i8, u16, i16, u32, i32, u64, i64, usize, f32);
// SAFETY: as above.
unsafe impl<T> Plain for *mut T {}
// SAFETY: as above.
unsafe impl<T> Plain for *const T {}
// SAFETY: every element is plain.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// One transfer by the kernel between our memory and an address of the same process.
fn transfer(ours: *mut u8, theirs: *mut u8, len: usize, write: bool) -> Result {
    let local = libc::iovec { iov_base: ours.cast(), iov_len: len };
    let remote = libc::iovec { iov_base: theirs.cast(), iov_len: len };
    // SAFETY: `ours` is valid for `len` bytes by the callers below; the kernel checks the other side.
    let done = unsafe {
        let me = libc::getpid();
        if write {
            libc::process_vm_writev(me, &local, 1, &remote, 1, 0)
        } else {
            libc::process_vm_readv(me, &local, 1, &remote, 1, 0)
        }
    };
    if done == len as isize {
        return Ok(());
    }
    let refused = matches!(std::io::Error::last_os_error().raw_os_error(), Some(libc::ENOSYS | libc::EPERM));
    if done < 0 && refused {
        // A sandbox forbids the call. Then the program's pointers are trusted, as NVIDIA's runtime does.
        // SAFETY: the program promises that its pointer is valid.
        unsafe {
            if write {
                ptr::copy(ours, theirs, len);
            } else {
                ptr::copy(theirs, ours, len);
            }
        }
        return Ok(());
    }
    Err(Error::INVALID_VALUE)
}

/// The value at `from`.
pub fn read<T: Plain>(from: *const T) -> Result<T> {
    if from.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut value = MaybeUninit::<T>::uninit();
    transfer(value.as_mut_ptr().cast(), from.cast_mut().cast(), size_of::<T>(), false)?;
    // SAFETY: the transfer filled it, and any bit pattern is a value.
    Ok(unsafe { value.assume_init() })
}

/// Stores a value at `to`.
pub fn write<T: Plain>(to: *mut T, mut value: T) -> Result {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    transfer((&raw mut value).cast(), to.cast(), size_of::<T>(), true)
}

/// Stores bytes at `to`.
#[cfg(cudart = "12")]
pub fn write_bytes(to: *mut u8, bytes: &[u8]) -> Result {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    transfer(bytes.as_ptr().cast_mut(), to, bytes.len(), true)
}

/// Reads `count` values.
pub fn read_all<T: Plain>(from: *const T, count: usize) -> Result<Vec<T>> {
    if count > 1 << 24 {
        return Err(Error::INVALID_VALUE);
    }
    (0..count).map(|i| read(from.wrapping_add(i))).collect()
}

/// The bytes of the C string at `from`, without the final NUL.
pub fn read_text(from: *const core::ffi::c_char) -> Result<std::ffi::CString> {
    if from.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut bytes: Vec<u8> = Vec::new();
    // Never across a page at once: the next one may not be mapped.
    while bytes.len() < 1 << 20 {
        let at = from.cast::<u8>().wrapping_add(bytes.len());
        let mut part = [0u8; 256];
        let len = part.len().min(4096 - (at as usize & 4095));
        transfer(part.as_mut_ptr(), at.cast_mut(), len, false)?;
        match part[..len].iter().position(|&b| b == 0) {
            Some(end) => {
                bytes.extend_from_slice(&part[..end]);
                return std::ffi::CString::new(bytes).map_err(|_| Error::INVALID_VALUE);
            }
            None => bytes.extend_from_slice(&part[..len]),
        }
    }
    Err(Error::INVALID_VALUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_addresses_are_errors() {
        assert_eq!(read(ptr::null::<u32>()).err(), Some(Error::INVALID_VALUE));
        assert_eq!(read(ptr::without_provenance::<u64>(0x18)).err(), Some(Error::INVALID_VALUE));
        assert_eq!(read(ptr::without_provenance::<u8>(usize::MAX)).err(), Some(Error::INVALID_VALUE));
        assert_eq!(write(ptr::without_provenance_mut::<u32>(0x10), 1).err(), Some(Error::INVALID_VALUE));
    }

    #[test]
    fn good_addresses_work() {
        let mut x = 5u32;
        assert_eq!(read(&raw const x).ok(), Some(5));
        write(&raw mut x, 7).unwrap();
        assert_eq!(x, 7);
        assert_eq!(read_text(c"name".as_ptr()).unwrap().as_c_str(), c"name");
    }
}
