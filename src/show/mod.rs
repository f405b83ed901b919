//! Values of calls as text, for people: each type of a declaration says how it is shown.
//!
//! There are some five hundred such functions, one or two for each type. What they share is not inlined into them: it would be a quarter of a
//! megabyte.

mod shape;
mod text;

pub use shape::{Field, Kind, Shape, field as field_shape};
pub use text::{Pen, Piece, Text, Times};

use core::ffi::c_char;
use core::marker::PhantomData;
use core::mem::{MaybeUninit, size_of};

/// A parameter of an entry point.
pub struct Parameter {
    /// Its name as the key of a text in an object of JSON's: `,"name":"`.
    pub key: &'static str,
    /// Its type. By reference: parameters of a type share it, and each address in a table takes time and memory as the library is
    /// loaded.
    pub ty: &'static Type,
}

impl Parameter {
    /// A parameter of a key and a type.
    pub const fn new<T: Show>(key: &'static str) -> Parameter {
        Parameter { key, ty: const { &Type { show: parameter::<T>, shape: T::SHAPE } } }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        &self.key[2..self.key.len() - 3]
    }
}

/// The type of a parameter.
pub struct Type {
    /// Shows the argument at an address, which has this type.
    pub show: unsafe fn(*const (), &mut Text),
    /// What it is for those who copy it.
    pub shape: Shape,
}

/// Something that can be shown.
pub trait Show: Copy {
    /// What the type is for those who copy values.
    const SHAPE: Shape = Shape { size: size_of::<Self>(), kind: Kind::Plain };

    /// Writes the value.
    fn show(&self, text: &mut Text);

    /// Writes what a pointer of the program leads to.
    fn show_at(address: usize, text: &mut Text) {
        match read::<Self>(address) {
            Some(value) => {
                text.put(b"[");
                value.show(text);
                text.put(b"]");
            }
            None => text.hex(address as u64),
        }
    }
}

/// A value in the program's memory, if there is any.
fn read<T: Copy>(address: usize) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: the same memory; bytes need no alignment and any of them may be uninitialised.
    let bytes = unsafe { core::slice::from_raw_parts_mut(value.as_mut_ptr().cast(), size_of::<T>()) };
    // SAFETY: all of it is read, and the types that are shown are valid for every bit pattern.
    is_read(bytes, address).then(|| unsafe { value.assume_init() })
}

/// Whether the program's memory could be read.
#[inline(never)]
fn is_read(bytes: &mut [MaybeUninit<u8>], address: usize) -> bool {
    guard::read(bytes, address).is_ok()
}

/// Shows an argument of type `T`.
///
/// # Safety
/// There is a `T` at `at`.
unsafe fn parameter<T: Show>(at: *const (), text: &mut Text) {
    // SAFETY: as the caller says.
    unsafe { at.cast::<T>().read_unaligned() }.show(text);
}

/// Shows a field of a structure. `ty` is its type as it is declared.
pub fn field<T: Show>(name: &str, ty: &str, first: bool, value: &T, text: &mut Text) {
    field_name(name, first, text);
    if ty == "CUdeviceptr" && size_of::<T>() == size_of::<u64>() {
        // SAFETY: as large, and a number.
        text.hex(unsafe { core::ptr::from_ref(value).cast::<u64>().read_unaligned() });
    } else {
        value.show(text);
    }
}

/// Shows what is before the value of a field.
#[inline(never)]
fn field_name(name: &str, first: bool, text: &mut Text) {
    if !first {
        text.put(b", ");
    }
    text.push(name.as_bytes());
    text.put(b"=");
}

/// Shows the beginning of a union.
pub fn first_word<T>(value: &T, text: &mut Text) {
    let mut word = [0u8; 8];
    let len = size_of::<T>().min(word.len());
    // SAFETY: as many bytes of the value as there are.
    unsafe { core::ptr::copy_nonoverlapping(core::ptr::from_ref(value).cast::<u8>(), word.as_mut_ptr(), len) };
    text.hex(u64::from_le_bytes(word));
}

/// Shows a handle: the name of its type and a number, in the order in which they were first seen.
pub fn handle(name: &'static str, value: usize, text: &mut Text) {
    let name = name.strip_prefix("CU").unwrap_or(name);
    match (name, value) {
        (_, 0) => text.put(b"NULL"),
        ("stream", 1) => text.put(b"CU_STREAM_LEGACY"),
        ("stream", 2) => text.put(b"CU_STREAM_PER_THREAD"),
        _ => {
            text.push(name.as_bytes());
            match crate::show::text::number_of(name, value) {
                Some(number) => {
                    text.put(b"#");
                    text.decimal(number);
                }
                None => {
                    text.put(b"@");
                    text.hex(value as u64);
                }
            }
        }
    }
}

/// What `*const T` and the like point to is shown where the call has succeeded: others may lead anywhere.
pub fn pointer<T: Show>(address: usize, text: &mut Text) {
    if address != 0 && text.follows() {
        T::show_at(address, text);
    } else {
        text.address(address);
    }
}

/// Enumerators with their values.
pub trait Enumerators {
    /// In the order of the declaration.
    const NAMES: &[(u64, &str)];
}

/// The name of a value, the first one that is listed. Most lists are in the order of their values, and some are long: where each
/// value is one more than the one before, but for some that have two names, the place is known; else a search by halves is tried
/// first.
#[inline(never)]
pub fn enumerator(names: &'static [(u64, &'static str)], value: u64) -> Option<&'static str> {
    const SECOND_NAMES: usize = 8;
    let is = |pair: &&(u64, &'static str)| pair.0 == value;
    let place = value.wrapping_sub(names.first()?.0) as usize;
    let rest = names.get(place..).unwrap_or_default();
    if let Some(pair) = rest.iter().take(SECOND_NAMES).find(is)
        && (place == 0 || !is(&&names[place - 1]))
    {
        return Some(pair.1);
    }
    let place = names.partition_point(|(number, _)| *number < value);
    names.get(place).filter(is).or_else(|| names.iter().find(is)).map(|(_, name)| *name)
}

/// A number that the manual declares as one, and that consists of enumerators of `E`.
#[repr(transparent)]
pub struct Flags<E, T>(T, PhantomData<E>);

impl<E, T: Copy> Clone for Flags<E, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, T: Copy> Copy for Flags<E, T> {}

impl<E: Enumerators, T: Copy + Into<u64>> Show for Flags<E, T> {
    fn show(&self, text: &mut Text) {
        let value: u64 = self.0.into();
        if let Some(name) = enumerator(E::NAMES, value) {
            return text.push(name.as_bytes());
        }
        let mut rest = value;
        let start = text.len();
        for (number, name) in E::NAMES.iter().filter(|(number, _)| number.is_power_of_two()) {
            if rest & number != 0 {
                rest &= !number;
                text.push(name.as_bytes());
                text.put(b"|");
            }
        }
        if rest != 0 || text.len() == start {
            text.number(rest);
        } else {
            text.shorten_since(start, text.len() - start - 1);
        }
    }
}

/// A device address.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Address(u64);

impl Show for Address {
    const SHAPE: Shape = Shape { size: 8, kind: Kind::Address };

    fn show(&self, text: &mut Text) {
        text.hex(self.0);
    }
}

/// A handle that is declared as a number, of the kind with a number in [`shape::TOKENS`].
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Token<const KIND: usize>(u64);

impl<const KIND: usize> Show for Token<KIND> {
    const SHAPE: Shape = Shape { size: 8, kind: Kind::Handle(shape::TOKENS[KIND]) };

    fn show(&self, text: &mut Text) {
        text.decimal(self.0);
    }
}

/// A character: what leads to one is a text.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Char(c_char);

impl Show for Char {
    const SHAPE: Shape = Shape { size: 1, kind: Kind::Character };

    fn show(&self, text: &mut Text) {
        text.signed(self.0.into());
    }

    fn show_at(address: usize, text: &mut Text) {
        text.string_at(address);
    }
}

macro_rules! numbers {
    ($how:ident: $($type:ty)*) => {$(
        impl Show for $type {
            fn show(&self, text: &mut Text) {
                text.$how((*self).into());
            }
        }
    )*};
}
numbers! { decimal: u8 u16 u32 u64 }
numbers! { signed: i8 i16 i32 i64 }

impl Show for f32 {
    const SHAPE: Shape = Shape { size: 4, kind: Kind::Float };

    fn show(&self, text: &mut Text) {
        text.float(self);
    }
}

impl Show for f64 {
    fn show(&self, text: &mut Text) {
        text.float(self);
    }
}

impl Show for usize {
    fn show(&self, text: &mut Text) {
        text.decimal(*self as u64);
    }
}

impl<T> Show for *mut T {
    const SHAPE: Shape = Shape { size: size_of::<Self>(), kind: Kind::Memory { element: size_of::<T>() } };

    fn show(&self, text: &mut Text) {
        text.address(self.addr());
    }
}

impl<T> Show for *const T {
    const SHAPE: Shape = Shape { size: size_of::<Self>(), kind: Kind::Memory { element: size_of::<T>() } };

    fn show(&self, text: &mut Text) {
        text.address(self.addr());
    }
}

/// Functions of the program.
impl<F: Copy> Show for Option<F> {
    const SHAPE: Shape = Shape { size: size_of::<Self>(), kind: Kind::Function };

    fn show(&self, text: &mut Text) {
        if size_of::<Self>() == size_of::<usize>() {
            // SAFETY: as large, and an address or zero.
            text.address(unsafe { core::ptr::from_ref(self).cast::<usize>().read_unaligned() });
        }
    }
}

impl<T: Show, const N: usize> Show for [T; N] {
    const SHAPE: Shape = Shape { size: size_of::<Self>(), kind: Kind::Array { of: &T::SHAPE } };

    fn show(&self, text: &mut Text) {
        const SHOWN: usize = 16;
        text.put(b"{");
        for (i, value) in self.iter().take(SHOWN).enumerate() {
            if i > 0 {
                text.put(b", ");
            }
            value.show(text);
        }
        text.push(if N > SHOWN { b", ...}" } else { b"}" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_values() {
        const SORTED: &[(u64, &str)] = &[(1, "a"), (2, "b"), (2, "c"), (7, "d")];
        const DENSE: &[(u64, &str)] = &[(1, "a"), (2, "b"), (2, "c"), (3, "d"), (4, "e"), (5, "f")];
        const UNSORTED: &[(u64, &str)] = &[(9, "a"), (2, "b"), (5, "c"), (2, "d"), (1, "e")];
        let names =
            |list: &'static [(u64, &'static str)]| (0..10).filter_map(|n| enumerator(list, n)).collect::<String>();
        assert_eq!((names(SORTED).as_str(), names(UNSORTED).as_str()), ("abd", "ebca"));
        assert_eq!((names(DENSE).as_str(), enumerator(&[], 0)), ("abdef", None));
    }
}
