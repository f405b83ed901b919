//! Types and state spaces.

/// A fundamental type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    Tf32,
    F32,
    F64,
    E4m3x2,
    E5m2x2,
    U16x2,
    S16x2,
    /// `.texref`.
    TextureReference,
    /// `.samplerref`.
    SamplerReference,
    /// `.surfref`.
    SurfaceReference,
}

impl Type {
    /// Bytes in memory; 0 for a predicate.
    pub fn bytes(self) -> usize {
        match self {
            Type::Pred => 0,
            Type::B8 | Type::U8 | Type::S8 => 1,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::Bf16 | Type::E4m3x2 | Type::E5m2x2 => 2,
            Type::B32
            | Type::U32
            | Type::S32
            | Type::F32
            | Type::F16x2
            | Type::Bf16x2
            | Type::Tf32
            | Type::U16x2
            | Type::S16x2 => 4,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
            Type::TextureReference | Type::SamplerReference | Type::SurfaceReference => 8,
            Type::B128 => 16,
        }
    }

    /// True for types that instructions have, and registers and variables have not.
    pub fn is_of_instructions(self) -> bool {
        matches!(self, Type::E4m3x2 | Type::E5m2x2 | Type::U16x2 | Type::S16x2)
    }

    /// True for references to textures, samplers and surfaces.
    pub fn is_opaque(self) -> bool {
        matches!(self, Type::TextureReference | Type::SamplerReference | Type::SurfaceReference)
    }

    /// True for `.s8` to `.s64`.
    pub fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    /// True for floating point, packed types included.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::Tf32 | Type::F32 | Type::F64)
    }
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Generic,
    Global,
    Constant,
    Shared,
    Local,
    Parameter,
    Register,
}
