//! `libnvidia-ml.so.1`, the management library.
//!
//! In `cpu` mode it answers from the profiles that the driver answers from, without the driver: a program that only asks
//! what devices there are starts no engine. In `forward` mode all calls go to the real library as they are; in `absent` mode
//! there is none, as on a machine whose driver is not loaded.
//!
//! The functions stand in files by the chapters of NVML's reference ("Initialization and Cleanup", "System Queries", "Device
//! Queries", "Event Handling Methods", ...). What holds for all of them in `cpu` mode, and is not said again with each:
//! - a function needs `nvmlInit_v2` before it, or answers `NVML_ERROR_UNINITIALIZED`;
//! - `device` is a handle that `nvmlDeviceGetHandleBy...` gave since; another one is `NVML_ERROR_INVALID_ARGUMENT`, and so is NULL
//!   where something is to be read or written;
//! - a structure with a version is `NVML_ERROR_ARGUMENT_VERSION_MISMATCH` if its first word is no version that is known;
//! - where there is an error, outputs stay as they are, unless the function says otherwise;
//! - a function without a body answers `NVML_ERROR_NOT_SUPPORTED`, after its arguments were looked at.
//!
//! What other processes do with the devices is asked of a [`node`]. `docs/STATUS-nvml.md` says what each function does.

// The names are the interface.
#![allow(non_snake_case, non_camel_case_types)]
// Exports take raw pointers from C by nature; they are looked at through `guard` alone.
#![allow(clippy::not_unsafe_ptr_arg_deref, clippy::too_many_arguments, clippy::upper_case_acronyms)]

// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;

#[macro_use]
mod api;
mod bus;
mod clock;
mod code;
mod confidential;
mod device;
mod devices;
mod ecc;
mod event;
mod field;
mod gpm;
mod handles;
mod library;
mod memory;
mod mig;
mod node;
mod nvlink;
mod power;
mod process;
mod started;
mod state;
mod system;
mod topology;
mod types;
mod unit;
mod vgpu;
