//! What instructions do to the state of a warp: the functions that steps call. Uses [`state`](crate::state) and
//! [`numeric`](crate::numeric).

pub(crate) mod argument;
pub(crate) mod arithmetic;
pub(crate) mod asynchronous;
pub(crate) mod atomic;
pub(crate) mod bits128;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod collective;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod device_runtime;
pub(crate) mod elementwise;
pub(crate) mod fiber;
pub(crate) mod matrix;
pub(crate) mod mbarrier;
pub(crate) mod memory;
pub(crate) mod multimem;
pub(crate) mod per_lane;
pub(crate) mod predicate;
pub(crate) mod stack;
pub(crate) mod surface;
pub(crate) mod system_call;
pub(crate) mod team;
pub mod tensor;
pub(crate) mod texture;
