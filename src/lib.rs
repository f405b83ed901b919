//! Doppel: a drop-in `libcuda.so.1`. `docs/ARCHITECTURE.md` describes the rooms of this crate.

pub mod abi;
pub mod config;
pub mod device;
pub mod error;
pub mod forward;
pub mod front;
pub mod guard;
pub mod log;
pub mod table;
