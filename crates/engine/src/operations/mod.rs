//! What instructions do to the state of a warp: the functions that steps call. Uses [`state`](crate::state) and
//! [`numeric`](crate::numeric).

pub mod arithmetic;
pub mod asynchronous;
pub mod atomic;
pub mod call;
pub mod check;
pub mod cluster;
pub mod control;
pub mod convert;
pub mod device_runtime;
pub mod fiber;
pub mod general;
pub mod lanes;
pub mod matrix;
pub mod mbarrier;
pub mod memory;
pub mod stack;
pub mod surface;
pub mod system_call;
pub mod tensor;
pub mod texture;
pub mod warp_wide;
pub mod wide;
