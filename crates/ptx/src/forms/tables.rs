//! The tables together, and the words that stand for several in them.

use super::{control, matrix, memory, scalar};

/// The tables: names of groups of instructions, and their forms.
pub const GROUPS: &[(&str, &str)] = &[
    ("integer arithmetic", scalar::INTEGER),
    ("extended precision", scalar::CARRY),
    ("logic and shifts", scalar::LOGIC),
    ("comparison and selection", scalar::COMPARISON),
    ("floating point", scalar::FLOAT),
    ("half precision", scalar::HALF),
    ("conversion", scalar::CONVERSION),
    ("video", scalar::VIDEO),
    ("moves and addresses", memory::MOVE),
    ("loads, stores, cache control", memory::ACCESS),
    ("atomics", memory::ATOMIC),
    ("control flow", control::CONTROL),
    ("barriers and fences", control::BARRIER),
    ("warp", control::WARP),
    ("asynchronous copies", control::COPY),
    ("matrix", matrix::MATRIX),
    ("textures and surfaces", matrix::TEXTURE),
];

/// Sets of modifiers that many forms share.
pub(super) const SETS: &[(&str, &str)] = &[
    ("int", "u16|s16|u32|s32|u64|s64"),
    ("integer", "u8|s8|u16|s16|u32|s32|u64|s64"),
    ("scalar", "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64"),
    ("narrow", "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32"),
    ("rnd", "rn|rz|rm|rp"),
    ("rndi", "rni|rzi|rmi|rpi"),
    ("bool", "and|or|xor"),
    ("compare_s", "eq|ne|lt|le|gt|ge"),
    ("compare_u", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"),
    ("compare_f", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("scope", "cta|cluster|gpu|sys"),
    ("sem_atom", "relaxed|acquire|release|acq_rel"),
    ("space_ld", "const|global|local|param|param::entry|param::func|shared|shared::cta|shared::cluster"),
    ("space_st", "global|local|param|param::func|shared|shared::cta|shared::cluster"),
    ("space_sync", "global|shared|shared::cta|shared::cluster"),
    ("space_atom", "global|shared|shared::cta|shared::cluster"),
    ("keep1", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"),
    ("keep2", "L2::evict_normal|L2::evict_first|L2::evict_last"),
    ("hint", "L2::cache_hint"),
    ("fetch", "L2::64B|L2::128B|L2::256B"),
    ("dim", "1d|2d|3d|4d|5d"),
    ("wmma_space", "global|shared|shared::cta"),
    ("f8f6f4", "e4m3|e5m2|e3m2|e2m3|e2m1"),
    ("wgmma_shape", "m64n*"),
    ("any", "*"),
];

/// `$vector` in a form stands for one of these, with what it needs.
pub(super) const VECTORS: &[(&str, u32, u32)] =
    &[("$scalar", 0, 0), ("v2|v4 $narrow", 0, 0), ("v2 b64|u64|s64|f64", 0, 0), ("b128", 70, 83)];

/// `$vector256` likewise. Forms that take `global?` and one of [`VECTORS`] take these, too.
pub(super) const WIDE_VECTORS: &[(&str, u32, u32)] =
    &[("v4 b64|u64|s64|f64", 100, 88), ("v8 b32|u32|s32|f32", 100, 88)];
