//! Pointers that a program hands us. Each wrapper has the layout of the C pointer and says what we do with it:
//! [`Out`] is written, [`In`] and [`InMut`] are read, [`InOut`] both. All go through [`guard`], so a wrong
//! address is an error code, not a crash.

use crate::show::{self, Kind, Shape, Show, Text};
use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};
use error::{Error, Result, refuse};

macro_rules! wrapper {
    ($(#[$doc:meta])* $name:ident, $ptr:ty) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name<T>(pub $ptr);

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {}
        // SAFETY: the wrapper is an address; every access is checked by `guard` at the time it is made.
        unsafe impl<T> Send for $name<T> {}

        impl<T> $name<T> {
            /// True for `NULL`.
            pub fn is_null(self) -> bool {
                self.0.is_null()
            }

            /// The address as a number.
            pub fn addr(self) -> usize {
                self.0 as usize
            }
        }
    };
}

macro_rules! shown {
    ($($name:ident: $read:literal $written:literal,)*) => {$(
        impl<T: Show> Show for $name<T> {
            const SHAPE: Shape = Shape {
                size: size_of::<usize>(),
                kind: Kind::Pointer { to: &T::SHAPE, read: $read, written: $written },
            };

            fn show(&self, text: &mut Text) {
                show::pointer::<T>(self.addr(), text);
            }
        }
    )*};
}
shown! { Out: false true, InOut: true true, In: true false, InMut: true false, }

wrapper!(
    /// `T *`: a place for a result.
    Out, *mut T);
wrapper!(
    /// `T *`: read first, then written.
    InOut, *mut T);
wrapper!(
    /// `const T *`: only read.
    In, *const T);
wrapper!(
    /// `T *` that the manual declares without `const` although it is only read.
    InMut, *mut T);

/// A value as bytes, padding included.
fn value_bytes<T>(value: &mut MaybeUninit<T>) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory; bytes need no alignment and any of them may be uninitialised.
    unsafe { core::slice::from_raw_parts_mut(value.as_mut_ptr().cast(), size_of::<T>()) }
}

#[cold]
fn null() -> Error {
    refuse!(Error::INVALID_VALUE, "_ is NULL")
}

/// The reason why the guard refused an access.
#[cold]
fn inaccessible(error: Error, addr: usize, access: &str) -> Error {
    match addr {
        0 => null(),
        _ if error == Error::INVALID_VALUE => refuse!(error, "_ {:#x} is not memory that can be {}", addr, access),
        _ => error,
    }
}

const READ: &str = "read";
const WRITTEN: &str = "written";

#[inline]
fn read<T: Copy>(addr: usize) -> Result<T> {
    if addr == 0 {
        return Err(null());
    }
    let mut value = MaybeUninit::<T>::uninit();
    guard::read(value_bytes(&mut value), addr).map_err(|error| inaccessible(error, addr, READ))?;
    // SAFETY: `guard::read` filled all of it, and the C types used here are valid for every bit pattern.
    Ok(unsafe { value.assume_init() })
}

#[inline]
fn write<T: Copy>(addr: usize, value: T) -> Result<()> {
    if addr == 0 {
        return Err(null());
    }
    let mut value = MaybeUninit::new(value);
    guard::write(addr, value_bytes(&mut value)).map_err(|error| inaccessible(error, addr, WRITTEN))
}

fn read_array<T: Copy>(addr: usize, count: usize) -> Result<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if addr == 0 {
        return Err(null());
    }
    let bytes = count
        .checked_mul(size_of::<T>())
        .filter(|&n| n <= isize::MAX as usize)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ cannot have {} elements", count))?;
    // Prove that the range is readable before a huge count makes us allocate.
    guard::probe_read(addr, bytes).map_err(|error| inaccessible(error, addr, READ))?;
    let mut out = Vec::<T>::new();
    out.try_reserve_exact(count)
        .map_err(|_| refuse!(Error::OUT_OF_MEMORY, "_ has {} elements, for which the host has no memory", count))?;
    let spare = out.spare_capacity_mut()[..count].as_mut_ptr().cast::<MaybeUninit<u8>>();
    // SAFETY: the spare capacity is ours, and holds `bytes` bytes.
    guard::read(unsafe { core::slice::from_raw_parts_mut(spare, bytes) }, addr)?;
    // SAFETY: `guard::read` filled `count` elements, and the C types used here are valid for every bit pattern.
    unsafe { out.set_len(count) };
    Ok(out)
}

impl<T: Copy> Out<T> {
    /// Writes the result. `NULL` or an unusable address is [`Error::INVALID_VALUE`].
    pub fn set(self, value: T) -> Result<()> {
        write(self.addr(), value)
    }

    /// Writes the result unless the pointer is `NULL`, for outputs that the manual calls optional.
    pub fn set_opt(self, value: T) -> Result<()> {
        if self.is_null() { Ok(()) } else { self.set(value) }
    }

    /// The member of the result that begins `offset` bytes into it.
    pub fn member<U: Copy>(self, offset: usize) -> Out<U> {
        Out(if self.is_null() { core::ptr::null_mut() } else { self.0.cast::<u8>().wrapping_add(offset).cast() })
    }

    /// Writes the first `len` bytes of the result; what comes behind stays as it is.
    pub fn set_prefix(self, value: T, len: usize) -> Result<()> {
        self.check()?;
        let mut value = MaybeUninit::new(value);
        guard::write(self.addr(), &value_bytes(&mut value)[..len.min(size_of::<T>())])
            .map_err(|error| inaccessible(error, self.addr(), WRITTEN))
    }

    /// Writes a structure that starts as zero bytes, gaps between fields included, and is filled in by `fill`: for
    /// structures with gaps that programs compare bytewise.
    ///
    /// `T` is one of the C structures, for which zero bytes are a valid value.
    pub fn set_zeroed(self, fill: impl FnOnce(&mut T)) -> Result<()>
    where
        T: Default,
    {
        self.check()?;
        let mut value = MaybeUninit::<T>::zeroed();
        // SAFETY: `Default` of the C structures is all zero bytes, so they are a value.
        fill(unsafe { value.assume_init_mut() });
        guard::write(self.addr(), value_bytes(&mut value)).map_err(|error| inaccessible(error, self.addr(), WRITTEN))
    }

    /// Writes element `index` of an array of results.
    pub fn set_at(self, index: usize, value: T) -> Result<()> {
        if self.is_null() {
            return Err(null());
        }
        write(self.0.wrapping_add(index) as usize, value)
    }

    /// [`Error::INVALID_VALUE`] for `NULL` and where there is no memory; lets a function refuse before it has effects: what
    /// was made for a result that cannot be written could never be used or freed.
    #[inline]
    pub fn check(self) -> Result<()> {
        let readable = match size_of::<T>() {
            4 | 8 => {
                let mut word = MaybeUninit::<T>::uninit();
                if self.is_null() {
                    return Err(null());
                }
                guard::read(value_bytes(&mut word), self.addr())
            }
            bytes => guard::probe_read(self.addr(), bytes),
        };
        readable.map_err(|error| inaccessible(error, self.addr(), WRITTEN))
    }
}

impl<T: Copy> InOut<T> {
    /// Reads the value.
    pub fn get(self) -> Result<T> {
        read(self.addr())
    }

    /// Writes the value.
    pub fn set(self, value: T) -> Result<()> {
        write(self.addr(), value)
    }

    /// Reads `count` elements.
    pub fn slice(self, count: usize) -> Result<Vec<T>> {
        read_array(self.addr(), count)
    }

    /// Writes element `index`.
    pub fn set_at(self, index: usize, value: T) -> Result<()> {
        Out(self.0).set_at(index, value)
    }
}

impl<T: Copy> In<T> {
    /// Reads the value.
    pub fn get(self) -> Result<T> {
        read(self.addr())
    }

    /// Reads `count` elements; for 0 the pointer may be `NULL`.
    pub fn slice(self, count: usize) -> Result<Vec<T>> {
        read_array(self.addr(), count)
    }
}

impl<T: Copy> InMut<T> {
    /// Reads the value.
    pub fn get(self) -> Result<T> {
        read(self.addr())
    }

    /// Reads `count` elements; for 0 the pointer may be `NULL`.
    pub fn slice(self, count: usize) -> Result<Vec<T>> {
        read_array(self.addr(), count)
    }
}

impl In<c_char> {
    /// Reads a string that ends in NUL within `limit` bytes; longer ones are [`Error::INVALID_VALUE`].
    pub fn string(self, limit: usize) -> Result<Vec<u8>> {
        if self.is_null() {
            return Err(null());
        }
        guard::read_string(self.addr(), limit).map_err(|error| match error {
            error if error == Error::INVALID_VALUE => {
                refuse!(error, "_ {:#x} is not a string of less than {} bytes", self.addr(), limit)
            }
            error => error,
        })
    }
}

impl Out<c_char> {
    /// Writes `text` and a NUL into a buffer of `len` bytes, cut short as `snprintf` does.
    pub fn set_string(self, text: &str, len: usize) -> Result<()> {
        if self.is_null() {
            return Err(null());
        }
        if len == 0 {
            return Err(refuse!(Error::INVALID_VALUE, "len is 0: there is no room for a string"));
        }
        let mut bytes = text.as_bytes()[..text.len().min(len - 1)].to_vec();
        bytes.push(0);
        self.set_bytes(&bytes)
    }

    /// Writes bytes into a buffer that has room for them.
    pub fn set_bytes(self, bytes: &[u8]) -> Result<()> {
        if self.is_null() {
            return Err(null());
        }
        guard::write(self.addr(), guard::bytes(bytes)).map_err(|error| inaccessible(error, self.addr(), WRITTEN))
    }
}
