//! What instructions do to the state of a warp: the functions that steps call. Uses [`state`](crate::state) and
//! [`numeric`](crate::numeric).

pub(crate) mod arithmetic;
pub(crate) mod asynchronous;
pub(crate) mod atomic;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod device_runtime;
pub(crate) mod fiber;
pub(crate) mod general;
pub(crate) mod lanes;
pub(crate) mod matrix;
pub(crate) mod mbarrier;
pub(crate) mod memory;
pub(crate) mod stack;
pub(crate) mod surface;
pub(crate) mod system_call;
pub mod tensor;
pub(crate) mod texture;
pub(crate) mod warp_wide;
pub(crate) mod wide;
