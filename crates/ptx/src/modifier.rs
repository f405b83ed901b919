//! The list of modifiers: every word that a form can have behind a dot.

use crate::types::{Space, Type};
use crate::words::Words;

/// What kind of number a type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeClass {
    /// Bits without a meaning.
    Bits,
    /// Signed or not.
    Integer,
    /// Floating point.
    Float,
    /// True or false.
    Predicate,
}

macro_rules! modifiers {
    (types { $($ty:ident $type_text:literal $class:ident $bits:literal),* $(,)? }
     words { $($name:ident $text:literal),* $(,)? }) => {
        /// What stands behind a dot in the name of an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Modifier<'a> {
            $($ty,)*
            $($name,)*
            /// `m16n8k16` or `m8n8`: the extents of matrices; a 0 for a `k` that is not there. In a table of forms an `n` of 0
            /// stands for any `n` and `k`.
            Shape([u16; 3]),
            /// A word that no form has. Left only in instructions that take anything.
            Other(&'a str),
        }

        const ALL: &[Modifier<'static>] = &[$(Modifier::$ty,)* $(Modifier::$name),*];
        const TEXTS: &[&str] = &[$($type_text,)* $($text),*];

        impl<'a> Modifier<'a> {
            /// Class and bits of a type; none for other words.
            pub const fn class(self) -> Option<(TypeClass, u32)> {
                Some(match self {
                    $(Modifier::$ty => (TypeClass::$class, $bits),)*
                    _ => return None,
                })
            }

            /// The word, except for shapes.
            const fn word(self) -> Option<&'a str> {
                Some(match self {
                    $(Modifier::$ty => $type_text,)*
                    $(Modifier::$name => $text,)*
                    Modifier::Other(text) => text,
                    Modifier::Shape(_) => return None,
                })
            }
        }
    };
}

modifiers! {
types {
    B1 "b1" Bits 1, B8 "b8" Bits 8, B16 "b16" Bits 16, Bf16 "bf16" Bits 16, B32 "b32" Bits 32,
    Bf16x2 "bf16x2" Bits 32, B64 "b64" Bits 64, B1024 "b1024" Bits 128, B128 "b128" Bits 128,
    B4x16P64 "b4x16_p64" Bits 128, B6x16P32 "b6x16_p32" Bits 128, B8x16 "b8x16" Bits 128, U2 "u2" Integer 2,
    U4 "u4" Integer 4, U8 "u8" Integer 8, Ue4m3 "ue4m3" Bits 8, Ue8m0 "ue8m0" Bits 8, U16 "u16" Integer 16,
    Ue8m0x2 "ue8m0x2" Bits 16, U16x2 "u16x2" Bits 32, U32 "u32" Integer 32, U8x4 "u8x4" Bits 32, U64 "u64" Integer 64,
    S2 "s2" Integer 2, S4 "s4" Integer 4, S8 "s8" Integer 8, S16 "s16" Integer 16, S2f6x2 "s2f6x2" Bits 16,
    S16x2 "s16x2" Bits 32, S32 "s32" Integer 32, S8x4 "s8x4" Bits 32, S64 "s64" Integer 64,
    Samplerref "samplerref" Bits 64, Surfref "surfref" Bits 64, F16 "f16" Float 16, F16x2 "f16x2" Float 32,
    F32 "f32" Float 32, F32x2 "f32x2" Bits 64, F64 "f64" Float 64, Pred "pred" Predicate 1, E2m1 "e2m1" Bits 8,
    E2m1x2 "e2m1x2" Bits 8, E2m3 "e2m3" Bits 8, E3m2 "e3m2" Bits 8, E4m3 "e4m3" Bits 8, E5m2 "e5m2" Bits 8,
    E2m1x4 "e2m1x4" Bits 16, E2m3x2 "e2m3x2" Bits 16, E3m2x2 "e3m2x2" Bits 16, E4m3x2 "e4m3x2" Bits 16,
    E5m2x2 "e5m2x2" Bits 16, E2m3x4 "e2m3x4" Bits 32, E3m2x4 "e3m2x4" Bits 32, E4m3x4 "e4m3x4" Bits 32,
    E5m2x4 "e5m2x4" Bits 32, Tf32 "tf32" Bits 32, Texref "texref" Bits 64,
}
words {
    D1 "1d", D2 "2d", D2Ms "2dms", D3 "3d", D4 "4d", D5 "5d", A "a", A1d "a1d", A2d "a2d", A2dMs "a2dms", Abs "abs",
    AccF16 "acc::f16", AccF32 "acc::f32", AcqRel "acq_rel", Acquire "acquire", Acube "acube", Add "add",
    AddrMode0 "addr_mode_0", AddrMode1 "addr_mode_1", AddrMode2 "addr_mode_2", Alias "alias", Aligned "aligned",
    All "all", And "and", Any "any", Approx "approx", ArraySize "array_size", Arrive "arrive",
    ArriveDrop "arrive_drop", Async "async", AsyncGeneric "async::generic", B "b", B4e "b4e", Ballot "ballot",
    Base "base", Bfly "bfly", BlockScale "block_scale", BoxDim "box_dim", Bulk "bulk", BulkGroup "bulk_group", C "c",
    Ca "ca", Cas "cas", Cc "cc", Cg "cg", ChannelDataType "channel_data_type", ChannelOrder "channel_order",
    Clamp "clamp", Cluster "cluster", Col "col", CommitGroup "commit_group", CompleteTx "complete_tx", Const "const",
    Cp "cp", CpFenceproxy "cp_fenceproxy", CpMask "cp_mask", Cs "cs", Cta "cta", CtaGroup1 "cta_group::1",
    CtaGroup2 "cta_group::2", Cube "cube", Cv "cv", Cvt "cvt", D "d", Dec "dec", Depth "depth", Down "down",
    Ecl "ecl", Ecr "ecr", ElementStride "element_stride", Elemtype "elemtype", Eq "eq", Equ "equ", Exch "exch",
    ExpectTx "expect_tx", F4e "f4e", Fence "fence", FillMode "fill_mode", FilterMode "filter_mode", Finite "finite",
    ForceUnnormalizedCoords "force_unnormalized_coords", Fractional "fractional", Ftz "ftz", Full "full", G "g",
    Ge "ge", GetFirstCtaid "get_first_ctaid", GetFirstCtaidX "get_first_ctaid::x", GetFirstCtaidY "get_first_ctaid::y",
    GetFirstCtaidZ "get_first_ctaid::z", Geu "geu", Gl "gl", Global "global", GlobalAddress "global_address", GlobalDim "global_dim",
    GlobalStride "global_stride", Gpu "gpu", Grad "grad", Gt "gt", Gtu "gtu", Height "height", Hi "hi", Hs "hs",
    Idx "idx", IgnoreOob "ignore_oob", Im2col "im2col", Im2colW "im2col::w", Im2colW128 "im2col::w::128",
    Im2colNoOffs "im2col_no_offs", Inc "inc", Infinite "infinite", Init "init", InterleaveLayout "interleave_layout",
    Inval "inval", IsCanceled "is_canceled", KindF8f6f4 "kind::f8f6f4", KindMxf4 "kind::mxf4", KindMxf4nvf4 "kind::mxf4nvf4",
    KindMxf8f6f4 "kind::mxf8f6f4", L "l", L1 "L1", L1EvictFirst "L1::evict_first", L1EvictLast "L1::evict_last",
    L1EvictNormal "L1::evict_normal", L1EvictUnchanged "L1::evict_unchanged", L1NoAllocate "L1::no_allocate", L2 "L2",
    L2Fetch128 "L2::128B", L2Fetch256 "L2::256B", L2Fetch64 "L2::64B", L2CacheHint "L2::cache_hint",
    L2EvictFirst "L2::evict_first", L2EvictLast "L2::evict_last", L2EvictNormal "L2::evict_normal",
    L2EvictUnchanged "L2::evict_unchanged", LaunchDependents "launch_dependents", LdReduce "ld_reduce", Le "le",
    Leu "leu", Level "level", Lo "lo", Load "load", Local "local", Ls "ls", Lt "lt", Ltu "ltu", Lu "lu", Mask "mask",
    Max "max", Mbarrier "mbarrier", MbarrierCompleteTxBytes "mbarrier::complete_tx::bytes",
    MbarrierInit "mbarrier_init", MemoryLayout "memory_layout", Min "min", Mma "mma", MmaAsync "mma_async",
    Mmio "mmio", MulticastCluster "multicast::cluster", MulticastClusterAll "multicast::cluster::all", Nan "nan", PropagateNan "NaN", Nc "nc", Ne "ne", Neu "neu",
    NoComplete "noComplete", Noftz "noftz", Noinc "noinc", Normal "normal", NormalizedCoords "normalized_coords",
    Notanumber "notanumber", Num "num", NumMipmapLevels "num_mipmap_levels", NumSamples "num_samples",
    Number "number", Oob "oob", Or "or", P "p", Pack "pack", Param "param", ParamEntry "param::entry",
    ParamFunc "param::func", Parity "parity", PendingCount "pending_count", Po "po", Popc "popc", Prefetch "prefetch",
    Proxy "proxy", QueryCancel "query_cancel", R "r", Range "range", Rank "rank", Rc16 "rc16", Rc8 "rc8", Read "read", Red "red", Reduce "reduce",
    Relaxed "relaxed", Release "release", Relu "relu", Replace "replace", Rm "rm", Rmi "rmi", Rn "rn", Rna "rna",
    Rni "rni", Row "row", Rp "rp", Rpi "rpi", Rs "rs", Rz "rz", Rzi "rzi", Sat "sat", Satfinite "satfinite", Sc "sc",
    ScaleVec1x "scale_vec::1X", ScaleVec2x "scale_vec::2X", ScaleVec4x "scale_vec::4X",
    ScaledN2Ue8m0 "scaled::n2::ue8m0", Shared "shared", SharedCluster "shared::cluster", SharedCta "shared::cta",
    Shiftamt "shiftamt", Shr15 "shr15", Shr7 "shr7", Sp "sp", SpOrderedMetadata "sp::ordered_metadata", St "st",
    Store "store", Subnormal "subnormal", SwizzleAtomicity "swizzle_atomicity", SwizzleMode "swizzle_mode",
    Sync "sync", SyncRestrictSharedCluster "sync_restrict::shared::cluster",
    SyncRestrictSharedCta "sync_restrict::shared::cta", Sys "sys", Tensor "tensor", Tensormap "tensormap",
    TensormapGeneric "tensormap::generic", TestWait "test_wait", Tile "tile", TileGather4 "tile::gather4",
    TileScatter4 "tile::scatter4", To "to", Trans "trans", Trap "trap", TryCancel "try_cancel", TryWait "try_wait", Uni "uni", Up "up",
    V2 "v2", V4 "v4", V8 "v8", Volatile "volatile", Wait "wait", WaitAll "wait_all", WaitGroup "wait_group",
    Warp "warp", Wb "wb", Weak "weak", Wide "wide", Width "width", Wrap "wrap", Wt "wt", X1 "x1", X2 "x2", X4 "x4",
    Xor "xor", Xorsign "xorsign", Zero "zero",
}
}

pub(super) static WORDS: Words<1024> = Words::new(TEXTS);

/// The extents in a name such as `m16n8k16` or `m8n8`.
fn shape(name: &str) -> Option<[u16; 3]> {
    let number = |digits: &str| {
        let plain = !digits.starts_with('0') && digits.bytes().all(|c| c.is_ascii_digit());
        digits.parse::<u16>().ok().filter(|_| plain)
    };
    let (m, rest) = name.strip_prefix('m')?.split_once('n')?;
    let (n, k) = match rest.split_once('k') {
        Some((n, k)) => (n, number(k)?),
        None => (rest, 0),
    };
    Some([number(m)?, number(n)?, k])
}

impl<'a> Modifier<'a> {
    /// What a word is.
    #[inline]
    pub fn parse(name: &'a str) -> Modifier<'a> {
        match WORDS.find(name) {
            Some(at) => ALL[at],
            None => shape(name).map_or(Modifier::Other(name), Modifier::Shape),
        }
    }

    /// The type that it is.
    pub const fn ty(self) -> Option<Type> {
        Some(match self {
            Modifier::Pred => Type::Pred,
            Modifier::B8 => Type::B8,
            Modifier::B16 => Type::B16,
            Modifier::B32 => Type::B32,
            Modifier::B64 => Type::B64,
            Modifier::B128 => Type::B128,
            Modifier::U8 => Type::U8,
            Modifier::U16 => Type::U16,
            Modifier::U32 => Type::U32,
            Modifier::U64 => Type::U64,
            Modifier::S8 => Type::S8,
            Modifier::S16 => Type::S16,
            Modifier::S32 => Type::S32,
            Modifier::S64 => Type::S64,
            Modifier::F16 => Type::F16,
            Modifier::F16x2 => Type::F16x2,
            Modifier::Bf16 => Type::Bf16,
            Modifier::Bf16x2 => Type::Bf16x2,
            Modifier::Tf32 => Type::Tf32,
            Modifier::F32 => Type::F32,
            Modifier::F64 => Type::F64,
            Modifier::E4m3x2 => Type::E4m3x2,
            Modifier::E5m2x2 => Type::E5m2x2,
            Modifier::U16x2 => Type::U16x2,
            Modifier::S16x2 => Type::S16x2,
            Modifier::Texref => Type::TextureReference,
            Modifier::Samplerref => Type::SamplerReference,
            Modifier::Surfref => Type::SurfaceReference,
            _ => return None,
        })
    }

    /// The state space that it is. `shared::cluster` is none: it is more than a block's shared memory.
    pub const fn space(self) -> Option<Space> {
        Some(match self {
            Modifier::Global => Space::Global,
            Modifier::Const => Space::Constant,
            Modifier::Shared | Modifier::SharedCta => Space::Shared,
            Modifier::Local => Space::Local,
            Modifier::Param | Modifier::ParamEntry | Modifier::ParamFunc => Space::Parameter,
            _ => return None,
        })
    }

    /// The comparison that it is.
    pub const fn comparison(self) -> Option<Comparison> {
        Some(match self {
            Modifier::Eq => Comparison::Eq,
            Modifier::Ne => Comparison::Ne,
            Modifier::Lt => Comparison::Lt,
            Modifier::Le => Comparison::Le,
            Modifier::Gt => Comparison::Gt,
            Modifier::Ge => Comparison::Ge,
            Modifier::Lo => Comparison::Lo,
            Modifier::Ls => Comparison::Ls,
            Modifier::Hi => Comparison::Hi,
            Modifier::Hs => Comparison::Hs,
            Modifier::Equ => Comparison::Equ,
            Modifier::Neu => Comparison::Neu,
            Modifier::Ltu => Comparison::Ltu,
            Modifier::Leu => Comparison::Leu,
            Modifier::Gtu => Comparison::Gtu,
            Modifier::Geu => Comparison::Geu,
            Modifier::Num => Comparison::Num,
            Modifier::Nan => Comparison::Nan,
            _ => return None,
        })
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// As [`Comparison::Lt`], of unsigned numbers.
    Lo,
    Ls,
    Hi,
    Hs,
    /// Equal, or one is no number.
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    /// Both are numbers.
    Num,
    /// One is no number.
    Nan,
}

impl core::fmt::Display for Modifier<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.word(), self) {
            (Some(word), _) => f.write_str(word),
            (None, Modifier::Shape([m, 0, 0])) => write!(f, "m{m}n*"),
            (None, Modifier::Shape([m, n, 0])) => write!(f, "m{m}n{n}"),
            (None, Modifier::Shape([m, n, k])) => write!(f, "m{m}n{n}k{k}"),
            (None, _) => Ok(()),
        }
    }
}

impl Type {
    /// The type with a name.
    pub fn parse(name: &str) -> Option<Type> {
        Modifier::parse(name).ty()
    }

    /// The type of plain bits of the same size.
    pub fn bits(self) -> Modifier<'static> {
        match self.bytes() {
            0 => Modifier::Pred,
            1 => Modifier::B8,
            2 => Modifier::B16,
            4 => Modifier::B32,
            8 => Modifier::B64,
            _ => Modifier::B128,
        }
    }
}

impl Space {
    /// The space with a name.
    pub fn parse(name: &str) -> Option<Space> {
        if name == "reg" { Some(Space::Register) } else { Modifier::parse(name).space() }
    }
}

/// What an atomic operation or a reduction makes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOperation {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    Increment,
    Decrement,
}

impl AtomicOperation {
    /// The operation that a modifier names.
    pub const fn of(modifier: Modifier<'_>) -> Option<AtomicOperation> {
        Some(match modifier {
            Modifier::Add => AtomicOperation::Add,
            Modifier::Min => AtomicOperation::Min,
            Modifier::Max => AtomicOperation::Max,
            Modifier::And => AtomicOperation::And,
            Modifier::Or => AtomicOperation::Or,
            Modifier::Xor => AtomicOperation::Xor,
            Modifier::Exch => AtomicOperation::Exchange,
            Modifier::Cas => AtomicOperation::CompareExchange,
            Modifier::Inc => AtomicOperation::Increment,
            Modifier::Dec => AtomicOperation::Decrement,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_shapes() {
        for (&modifier, &text) in ALL.iter().zip(TEXTS) {
            assert_eq!((Modifier::parse(text), modifier.to_string().as_str()), (modifier, text));
        }
        assert_eq!(Modifier::parse("m64n256k16"), Modifier::Shape([64, 256, 16]));
        assert_eq!(Modifier::parse("m8n8").to_string(), "m8n8");
        for other in ["", "m", "mn", "m8", "m08n8", "m8n8k", "m8n+8", "m8n8k99999", "F32", "L2::64b"] {
            assert_eq!(Modifier::parse(other), Modifier::Other(other));
            assert_eq!(Modifier::parse(other).to_string(), other);
        }
    }
}
