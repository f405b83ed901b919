//! Textures and surfaces as data that the device fills in, and what reading them gives.

pub mod blocks;
pub mod cube;
pub mod lanes;
pub mod level;
pub mod sample;
pub mod seen;
pub mod source;
pub mod srgb;
pub mod stretch;
#[cfg(test)]
mod tests;
pub mod texel;
