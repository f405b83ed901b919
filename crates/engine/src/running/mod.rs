//! Runs kernels: warps step by step, the warps of a block by turns, the blocks of a grid on the cores, and what grids launch.
//! Above everything else of the engine.

pub mod block;
pub mod block_cache;
pub mod cluster;
mod core_dump;
mod jit_map;
pub mod launch;
mod native;
pub mod nested;
mod shares;
pub mod warp;

pub use native::compile;
#[cfg(test)]
pub use native::{called, force_engine, with_avx2};
