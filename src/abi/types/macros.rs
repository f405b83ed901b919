//! How the types of C are declared. Every macro writes plain Rust; `doppel-header` reads the same declarations and writes
//! C, with the tag after the colon (`_` for a type without one).

/// Declares a C enum as an integer newtype and its enumerators as constants, so that a value that the enum does not list is
/// harmless. Two enumerators may share a value. `as i32` where one is negative.
macro_rules! c_enum {
    ($(#[$meta:meta])* pub enum $name:ident: $tag:tt { $($enumerator:ident = $value:expr,)* }) => {
        c_enum! { @ u32 $(#[$meta])* $name { $($enumerator = $value,)* } }
    };
    ($(#[$meta:meta])* pub enum $name:ident: $tag:tt as i32 { $($enumerator:ident = $value:expr,)* }) => {
        c_enum! { @ i32 $(#[$meta])* $name { $($enumerator = $value,)* } }
    };
    (@ $repr:ident $(#[$meta:meta])* $name:ident { $($enumerator:ident = $value:expr,)* }) => {
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub $repr);

        $(pub const $enumerator: $name = $name($value);)*

        impl crate::show::Enumerators for $name {
            const NAMES: &[(u64, &str)] = &[$(($value as $repr as u64, stringify!($enumerator)),)*];
        }

        impl crate::show::Show for $name {
            fn show(&self, text: &mut crate::show::Text) {
                let names = <$name as crate::show::Enumerators>::NAMES;
                match crate::show::enumerator(names, self.0 as u64) {
                    Some(name) => text.push(name.as_bytes()),
                    None => crate::show::Show::show(&self.0, text),
                }
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                const NAMES: &[($repr, &str)] = &[$(($value, stringify!($enumerator)),)*];
                match NAMES.iter().find(|&&(value, _)| value == self.0) {
                    Some((_, name)) => f.write_str(name),
                    None => write!(f, concat!(stringify!($name), "({})"), self.0),
                }
            }
        }
    };
}

/// Declares a handle: in C a pointer to an opaque structure, here a number.
macro_rules! c_handle {
    ($(#[$meta:meta])* $name:ident = $tag:ident;) => {
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub usize);

        impl $name {
            /// No object.
            pub const NULL: $name = $name(0);

            /// True for `NULL`.
            pub const fn is_null(self) -> bool {
                self.0 == 0
            }
        }

        impl crate::show::Show for $name {
            const SHAPE: crate::show::Shape =
                crate::show::Shape { size: size_of::<$name>(), kind: crate::show::Kind::Handle(stringify!($name)) };

            fn show(&self, text: &mut crate::show::Text) {
                crate::show::handle(stringify!($name), self.0, text);
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($name), "({:#x})"), self.0)
            }
        }
    };
}

/// Declares a C structure or union. `Default` is all zero bytes, as C programs prepare such values.
macro_rules! c_struct {
    ($(#[$meta:meta])* pub struct $name:ident: $tag:tt { $(pub $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name { $(pub $field: $ty,)* }
        c_struct! { @ default $name }

        impl crate::show::Show for $name {
            const SHAPE: crate::show::Shape = crate::show::Shape {
                size: size_of::<$name>(),
                kind: crate::show::Kind::Struct { fields: c_struct! { @ fields $name { $($field: $ty,)* } } },
            };

            fn show(&self, text: &mut crate::show::Text) {
                let mut _first = true;
                text.push(b"{");
                $(
                    crate::show::field(stringify!($field), stringify!($ty), _first, &self.$field, text);
                    _first = false;
                )*
                text.push(b"}");
            }
        }
    };
    ($(#[$meta:meta])* pub union $name:ident: $tag:tt { $(pub $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub union $name { $(pub $field: $ty,)* }
        c_struct! { @ default $name }

        impl crate::show::Show for $name {
            const SHAPE: crate::show::Shape = crate::show::Shape {
                size: size_of::<$name>(),
                kind: crate::show::Kind::Union { fields: c_struct! { @ fields $name { $($field: $ty,)* } } },
            };

            // Which member is meant, its owner knows.
            fn show(&self, text: &mut crate::show::Text) {
                crate::show::first_word(self, text);
            }
        }
    };
    (@ fields $name:ident { $($field:ident: $ty:ty,)* }) => {
        &[$(crate::show::field_shape(
            stringify!($field),
            core::mem::offset_of!($name, $field),
            stringify!($ty),
            <$ty as crate::show::Show>::SHAPE,
        ),)*]
    };
    (@ default $name:ident) => {
        impl Default for $name {
            fn default() -> $name {
                // SAFETY: such types hold numbers, raw pointers and optional function pointers only; zero is valid for all.
                unsafe { core::mem::zeroed() }
            }
        }
    };
}
