//! How an exported function is declared, and what its arguments may be.
//!
//! ```text
//! api! {
//!     /// Has no body: its arguments are looked at, then it is not supported.
//!     fn nvmlDeviceGetFanSpeed(device: Device, speed: Out<u32>);
//!     /// The same with another answer.
//!     fn nvmlUnitGetHandleByIndex(index: u32, unit: Out<Unit>) = INVALID_ARGUMENT;
//!     /// Has a body, which runs once the arguments were looked at.
//!     fn nvmlDeviceGetIndex(device: Device, index: Out<u32>) { index.set(device.get()?.index) }
//!     /// Needs no `nvmlInit`.
//!     #[bare]
//!     fn nvmlInit_v2() { state::start() }
//! }
//! ```
//! In `forward` mode every call goes to the real library as it is. The export, the real library's function, and the row of
//! `docs/STATUS-nvml.md` come from the declaration; the lines that begin with `fn` are what the table is written from.

use crate::code::{Code, Result, SUCCESS};
use crate::started;
use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function looks at before its body runs.
pub trait Argument {
    /// The error that the argument is refused with.
    fn check(&self) -> Result {
        Ok(())
    }
}

impl Argument for u32 {}
impl Argument for i32 {}
impl Argument for u64 {}

/// What lies behind a pointer: a number or a structure, any bytes of which are a value.
///
/// # Safety
/// The type has no value that is not allowed, so that bytes of the program are one.
pub unsafe trait Plain: Copy {
    /// The values that the first word may have, if it says which version of the structure the program has. Empty: it does not.
    const VERSIONS: &'static [u32] = &[];
}

// SAFETY: numbers.
unsafe impl Plain for u32 {}
// SAFETY: numbers.
unsafe impl Plain for i32 {}
// SAFETY: numbers.
unsafe impl Plain for u64 {}

/// A value of an enumeration that has as many.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Kind<const COUNT: u32>(pub u32);

impl<const COUNT: u32> Argument for Kind<COUNT> {
    fn check(&self) -> Result {
        if self.0 < COUNT { Ok(()) } else { Err(Code::INVALID_ARGUMENT) }
    }
}

/// An argument that is not looked at.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Unchecked<T>(pub T);

impl<T> Argument for Unchecked<T> {}

/// A pointer of the program to something that the library reads or writes.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Out<T> {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T: Plain> Argument for Out<T> {
    fn check(&self) -> Result {
        self.present()?;
        if T::VERSIONS.is_empty() || T::VERSIONS.contains(&read(self.0 as usize)?) {
            Ok(())
        } else {
            Err(Code::ARGUMENT_VERSION_MISMATCH)
        }
    }
}

impl<T: Plain> Out<T> {
    fn present(self) -> Result {
        if self.0.is_null() { Err(Code::INVALID_ARGUMENT) } else { Ok(()) }
    }

    /// What lies there.
    pub fn get(self) -> Result<T> {
        read(self.0 as usize)
    }

    /// Writes it.
    pub fn set(self, value: T) -> Result {
        self.set_at(0, value)
    }

    /// Writes an element of the array that begins there.
    pub fn set_at(self, index: usize, value: T) -> Result {
        write(self.element(index)?, &value)
    }

    /// Reads an element of the array that begins there.
    pub fn get_at(self, index: usize) -> Result<T> {
        read(self.element(index)?)
    }

    fn element(self, index: usize) -> Result<usize> {
        let offset = index.checked_mul(size_of::<T>()).ok_or(Code::INVALID_ARGUMENT)?;
        (self.0 as usize).checked_add(offset).ok_or(Code::INVALID_ARGUMENT)
    }
}

/// A pointer that may be NULL, as to an array of which only the size is asked for.
#[repr(transparent)]
#[derive(Debug)]
pub struct Array<T>(pub Out<T>);

impl<T> Argument for Array<T> {}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Array<T> {
        *self
    }
}

impl<T> Copy for Array<T> {}

impl<T> Array<T> {
    /// Whether it is NULL.
    pub fn is_null(self) -> bool {
        self.0.0.is_null()
    }
}

impl<T: Plain> Array<T> {
    /// Whether the program asks for the number of elements alone: room for none, at NULL.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` if only one of both is so.
    pub fn asks_for_number(self, room: u32) -> Result<bool> {
        if (room == 0) == self.is_null() { Ok(room == 0) } else { Err(Code::INVALID_ARGUMENT) }
    }

    /// Writes a list where the program said how many elements there is room for, and says how many there are. Where the
    /// room does not suffice nothing but their number is written.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE`; `NVML_ERROR_INVALID_ARGUMENT` if the list has room at NULL.
    pub fn fill(self, count: Out<u32>, list: &[T]) -> Result {
        let room = count.get()? as usize;
        if room > 0 && !list.is_empty() && self.is_null() {
            return Err(Code::INVALID_ARGUMENT);
        }
        count.set(list.len() as u32)?;
        if room < list.len() {
            return Err(Code::INSUFFICIENT_SIZE);
        }
        list.iter().enumerate().try_for_each(|(index, &value)| self.0.set_at(index, value))
    }
}

/// A buffer for a string.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Text(*mut c_char);

impl Argument for Text {
    fn check(&self) -> Result {
        if self.0.is_null() { Err(Code::INVALID_ARGUMENT) } else { Ok(()) }
    }
}

impl Text {
    /// Writes a string of the program's, which says how long its buffer is.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if string and NUL are longer than that.
    pub fn set(self, length: u32, text: &str) -> Result {
        if (length as usize) <= text.len() {
            return Err(Code::INSUFFICIENT_SIZE);
        }
        let bytes = [text.as_bytes(), &[0]].concat();
        guard::write(self.0 as usize, guard::bytes(&bytes)).map_err(|_| Code::INVALID_ARGUMENT)
    }
}

/// A string of the program.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct CString(*const c_char);

impl Argument for CString {
    fn check(&self) -> Result {
        if self.0.is_null() { Err(Code::INVALID_ARGUMENT) } else { Ok(()) }
    }
}

impl CString {
    /// The string.
    pub fn get(self) -> Result<Vec<u8>> {
        /// No name of a device is as long.
        const MOST: usize = 4096;
        guard::read_string(self.0 as usize, MOST).map_err(|_| Code::INVALID_ARGUMENT)
    }
}

fn read<T: Plain>(address: usize) -> Result<T> {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: the bytes of `value`, which need not be initialised.
    let bytes = unsafe { core::slice::from_raw_parts_mut(value.as_mut_ptr().cast(), size_of::<T>()) };
    guard::read(bytes, address).map_err(|_| Code::INVALID_ARGUMENT)?;
    // SAFETY: all bytes were read, and any bytes are a value.
    Ok(unsafe { value.assume_init() })
}

fn write<T: Plain>(address: usize, value: &T) -> Result {
    // SAFETY: the bytes of a value, of which those between its fields need not be initialised.
    let bytes = unsafe { core::slice::from_raw_parts(core::ptr::from_ref(value).cast(), size_of::<T>()) };
    guard::write(address, bytes).map_err(|_| Code::INVALID_ARGUMENT)
}

/// Writes the beginning of a structure, which is all that its older forms had.
pub fn write_prefix<T: Plain>(to: Out<T>, value: &T, bytes: usize) -> Result {
    // SAFETY: as in `write`; the beginning is no longer than the value.
    let part = unsafe { core::slice::from_raw_parts(core::ptr::from_ref(value).cast(), bytes.min(size_of::<T>())) };
    guard::write(to.0 as usize, part).map_err(|_| Code::INVALID_ARGUMENT)
}

/// Runs a body. A panic is an unknown error to the program.
pub fn answer(bare: bool, body: impl FnOnce() -> Result) -> i32 {
    let run = || if bare || started::is_started() { body() } else { Err(Code::UNINITIALIZED) };
    match catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Code::UNKNOWN)) {
        Ok(()) => SUCCESS,
        Err(code) => code.0,
    }
}

macro_rules! api {
    () => {};
    ($(#[doc = $d:expr])* #[bare] fn $name:ident($($a:ident: $t:ty),* $(,)?) $body:block $($rest:tt)*) => {
        api! { @export [$(#[doc = $d])*] true $name($($a: $t),*) $body }
        api! { $($rest)* }
    };
    ($(#[doc = $d:expr])* fn $name:ident($($a:ident: $t:ty),* $(,)?) $body:block $($rest:tt)*) => {
        api! { @export [$(#[doc = $d])*] false $name($($a: $t),*) $body }
        api! { $($rest)* }
    };
    ($(#[doc = $d:expr])* fn $name:ident($($a:ident: $t:ty),* $(,)?) = $code:ident; $($rest:tt)*) => {
        api! { @export [$(#[doc = $d])*] false $name($($a: $t),*) { Err($crate::code::Code::$code) } }
        api! { $($rest)* }
    };
    ($(#[doc = $d:expr])* fn $name:ident($($a:ident: $t:ty),* $(,)?); $($rest:tt)*) => {
        api! { @export [$(#[doc = $d])*] false $name($($a: $t),*) { Err($crate::code::Code::NOT_SUPPORTED) } }
        api! { $($rest)* }
    };
    (@export [$($m:tt)*] $bare:literal $name:ident($($a:ident: $t:ty),*) $body:block) => {
        $($m)*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($a: $t),*) -> i32 {
            if $crate::library::NVML.found().library.is_some() {
                return match real::original!($crate::library::NVML, $name, fn($($t),*) -> i32) {
                    // SAFETY: the caller called a function of this type; it is answerable for the arguments.
                    Some(real) => unsafe { real($($a),*) },
                    None => $crate::code::Code::FUNCTION_NOT_FOUND.0,
                };
            }
            $crate::api::answer($bare, move || {
                $($crate::api::Argument::check(&$a)?;)*
                $body
            })
        }
    };
}
