//! The CUDA runtime API on top of any `libcuda.so.1`: ours in every mode, or the real one.
//!
//! One source makes two libraries, `libcudart.so.12` and `libcudart.so.13` (and `libcudart_static.a`, which is the
//! latter's). What differs between them is marked with `cfg(cudart = "12")` and `cfg(cudart = "13")`, which the build
//! script sets. The lists in `exports/` say what is exported; a name that stands there and is not defined in an `api!`
//! block answers `cudaErrorNotSupported`, says so once in the log, and stands in `docs/STATUS-cudart.md`.
//!
//! The runtime owns little: which device a thread means, its last error, and what compiled programs register. All else
//! is the driver's, and the calls that each function makes are those that NVIDIA's runtime makes.

#![recursion_limit = "1024"]
// The names are the interface.
#![allow(non_snake_case)]
// Out parameters that are pointers themselves look like needless borrows.
#![allow(clippy::needless_borrows_for_generic_args)]
// Exports take raw pointers from C by nature; they reach memory through `user` alone.
#![allow(clippy::not_unsafe_ptr_arg_deref, clippy::too_many_arguments)]

// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;

#[macro_use]
mod api;

mod array;
mod context;
mod copy;
mod device;
mod driver;
mod entry_point;
mod error;
mod event;
mod execution;
mod external;
mod graph;
mod green;
mod interop;
mod ipc;
mod library;
mod managed;
mod memory;
mod missing;
mod peer;
mod pool;
mod properties;
mod registration;
mod registry;
mod stream;
mod texture;
mod types;
mod user;

/// The version that `cudaRuntimeGetVersion` tells.
#[cfg(cudart = "12")]
pub(crate) const VERSION: i32 = 12090;
/// The version that `cudaRuntimeGetVersion` tells.
#[cfg(cudart = "13")]
pub(crate) const VERSION: i32 = 13050;
