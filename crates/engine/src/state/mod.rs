//! What a kernel is while it runs: programs and steps, registers, warps, blocks' surroundings, textures as data, and the traits
//! by which the engine knows a device. Uses [`numeric`](crate::numeric) alone.

pub mod access;
pub mod affine;
pub mod barriers;
pub mod bounds;
pub mod check;
pub mod cluster;
pub mod core_dump;
pub mod coverage;
pub mod device_calls;
pub mod fault;
pub mod fiber;
pub mod frame;
pub mod global_races;
pub mod grid;
pub mod native;
pub mod nested;
pub mod payload;
pub mod program;
pub mod races;
pub(crate) mod registers;
pub mod reservation;
pub mod services;
pub mod step;
pub mod surroundings;
pub mod texture;
pub mod warp;
