//! What the types of the declarations are for those who copy values of them, without knowing one of them.

/// A type.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its size in bytes.
    pub size: usize,
    /// What it is.
    pub kind: Kind,
}

/// What a type is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Numbers.
    Plain,
    /// A `float`, which is passed another way than numbers.
    Float,
    /// A character of a text that ends in NUL.
    Character,
    /// A handle, with the name of its type.
    Handle(&'static str),
    /// A device address.
    Address,
    /// The address of anything, in elements of so many bytes.
    Memory {
        /// Bytes of an element; 1 for `void`.
        element: usize,
    },
    /// The address of a function of the program's.
    Function,
    /// A pointer that the declaration says more about.
    Pointer {
        /// What it leads to.
        to: &'static Shape,
        /// That is read.
        read: bool,
        /// That is written.
        written: bool,
    },
    /// A structure.
    Struct {
        /// Its fields.
        fields: &'static [Field],
    },
    /// A union.
    Union {
        /// Its members.
        fields: &'static [Field],
    },
    /// An array.
    Array {
        /// What its elements are.
        of: &'static Shape,
    },
}

/// A field of a structure or a member of a union.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub offset: usize,
    /// What it is.
    pub shape: Shape,
}

/// Handles that are declared as numbers.
pub const TOKENS: [&str; 4] =
    ["CUmemGenericAllocationHandle", "CUtexObject", "CUsurfObject", "CUgraphConditionalHandle"];

const fn is(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// A field, of which `ty` is the type as it is declared: addresses and some handles are numbers otherwise.
pub const fn field(name: &'static str, offset: usize, ty: &str, shape: Shape) -> Field {
    let mut kind = shape.kind;
    if is(ty, "CUdeviceptr") && shape.size == 8 {
        kind = Kind::Address;
    }
    let mut i = 0;
    while i < TOKENS.len() {
        if is(ty, TOKENS[i]) && shape.size == 8 {
            kind = Kind::Handle(TOKENS[i]);
        }
        i += 1;
    }
    Field { name, offset, shape: Shape { size: shape.size, kind } }
}
