//! Numbers: what the values of lanes are, and functions of them. Knows no warp and uses nothing else of the engine.

pub mod approximate;
pub mod bits;
pub mod float;
pub mod half;
pub mod narrow_float;
pub mod packed;
pub mod small_float;
pub mod value;
pub mod video;
