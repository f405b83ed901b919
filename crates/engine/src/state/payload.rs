//! What a step knows beside its operands: the fields of its kind, in 16 bytes.
//!
//! Each kind of step has a type of its own, made by [`payload!`]. Lowering writes a value of it, the step's function reads the same
//! type. Every field takes whole bytes, so that reading one is a load.

use core::marker::PhantomData;

/// Bytes of a payload.
const BYTES: usize = 16;

/// The payload of a step of any kind.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payload([u8; BYTES]);

impl Payload {
    /// The payload of a kind of step.
    pub fn of<K: Field>(kind: K) -> Payload {
        let mut payload = Payload::default();
        payload.set(kind);
        payload
    }

    /// What it holds. Only the kind that was set makes sense, or what that begins with.
    #[inline(always)]
    pub fn get<K: Field>(&self) -> K {
        const { assert!(K::BYTES <= BYTES, "a payload has no room for that") };
        K::get(&self.0, 0)
    }

    /// Replaces it.
    pub fn set<K: Field>(&mut self, kind: K) {
        const { assert!(K::BYTES <= BYTES, "a payload has no room for that") };
        self.0 = [0; BYTES];
        kind.put(&mut self.0, 0);
    }
}

/// A value in a payload. All zeros are a value of every type.
pub trait Field: Copy {
    const BYTES: usize;
    /// Reads it at an offset.
    fn get(all: &[u8; BYTES], at: usize) -> Self;
    /// Writes it.
    fn put(self, all: &mut [u8; BYTES], at: usize);
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Field for $ty {
            const BYTES: usize = size_of::<$ty>();

            #[inline(always)]
            fn get(all: &[u8; BYTES], at: usize) -> $ty {
                assert!(at <= BYTES - size_of::<$ty>());
                // SAFETY: it ends within. Functions of slices stay calls in builds without optimisation across crates.
                unsafe { all.as_ptr().add(at).cast::<$ty>().read_unaligned() }
            }

            fn put(self, all: &mut [u8; BYTES], at: usize) {
                all[at..at + size_of::<$ty>()].copy_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}
integers!(u8 u16 u32 i32 i64);

impl Field for bool {
    const BYTES: usize = 1;

    #[inline(always)]
    fn get(all: &[u8; BYTES], at: usize) -> bool {
        all[at] != 0
    }

    fn put(self, all: &mut [u8; BYTES], at: usize) {
        all[at] = self.into();
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    const BYTES: usize = N * T::BYTES;

    #[inline(always)]
    fn get(all: &[u8; BYTES], at: usize) -> [T; N] {
        let mut values = [T::get(all, at); N];
        for (n, value) in values.iter_mut().enumerate().skip(1) {
            *value = T::get(all, at + n * T::BYTES);
        }
        values
    }

    fn put(self, all: &mut [u8; BYTES], at: usize) {
        (0..N).for_each(|n| self[n].put(all, at + n * T::BYTES));
    }
}

/// The number of something that a function keeps for one of its steps, in `program::Details`.
pub struct DetailOf<T> {
    number: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> DetailOf<T> {
    pub(super) fn new(number: u32) -> DetailOf<T> {
        DetailOf { number, of: PhantomData }
    }

    pub(super) fn number(self) -> usize {
        self.number as usize
    }
}

impl<T> Clone for DetailOf<T> {
    fn clone(&self) -> DetailOf<T> {
        *self
    }
}

impl<T> Copy for DetailOf<T> {}

impl<T> Field for DetailOf<T> {
    const BYTES: usize = 4;

    #[inline(always)]
    fn get(all: &[u8; BYTES], at: usize) -> DetailOf<T> {
        DetailOf::new(u32::get(all, at))
    }

    fn put(self, all: &mut [u8; BYTES], at: usize) {
        self.number.put(all, at);
    }
}

/// Defines a kind of payload: a struct of fields, or an enum, whose first variant is zero.
macro_rules! payload {
    ($(#[$doc:meta])* $vis:vis struct $name:ident $(<$t:ident>)? { $($(#[$about:meta])* $at:vis $field:ident: $ty:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        $vis struct $name $(<$t>)? { $($(#[$about])* $at $field: $ty,)* }

        impl $(<$t: Copy>)? $crate::state::payload::Field for $name $(<$t>)? {
            const BYTES: usize = 0 $(+ <$ty as $crate::state::payload::Field>::BYTES)*;

            #[inline(always)]
            fn get(all: &[u8; 16], at: usize) -> Self {
                $(
                    let $field = <$ty as $crate::state::payload::Field>::get(all, at);
                    let at = at + <$ty as $crate::state::payload::Field>::BYTES;
                )*
                let _ = at;
                $name { $($field),* }
            }

            fn put(self, all: &mut [u8; 16], at: usize) {
                $(
                    $crate::state::payload::Field::put(self.$field, all, at);
                    let at = at + <$ty as $crate::state::payload::Field>::BYTES;
                )*
                let _ = at;
            }
        }
    };
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $($(#[$about:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(u8)]
        $vis enum $name { #[default] $($(#[$about])* $variant,)* }

        impl $crate::state::payload::Field for $name {
            const BYTES: usize = 1;

            #[inline(always)]
            fn get(all: &[u8; 16], at: usize) -> Self {
                match all[at] {
                    $(byte if byte == $name::$variant as u8 => $name::$variant,)*
                    _ => $name::default(),
                }
            }

            fn put(self, all: &mut [u8; 16], at: usize) {
                all[at] = self as u8;
            }
        }
    };
}
pub(crate) use payload;

#[cfg(test)]
mod tests {
    use super::*;

    payload! {
        enum Way {
            Up,
            Down,
        }
    }

    payload! {
        struct Inner {
            offset: i64,
            way: Way,
        }
    }

    payload! {
        struct Outer {
            inner: Inner,
            flags: [bool; 3],
            stride: i32,
        }
    }

    #[test]
    fn fields_keep_their_values() {
        let inner = Inner { offset: -3, way: Way::Down };
        let mut payload = Payload::of(Outer { inner, flags: [true, false, true], stride: i32::MIN });
        let read: Outer = payload.get();
        assert_eq!(
            (read.inner.offset, read.inner.way, read.flags, read.stride),
            (-3, Way::Down, [true, false, true], i32::MIN)
        );
        // What it begins with can be read alone.
        let first: Inner = payload.get();
        assert_eq!((first.offset, first.way), (-3, Way::Down));
        payload.set(7u32);
        assert_eq!((payload.get::<u32>(), payload.get::<i64>()), (7, 7), "nothing is left of what was there");
        // A byte that is no variant is the first one.
        assert_eq!(Payload::of(9u8).get::<Way>(), Way::Up);
    }
}
