//! The types and constants of the driver API, with the names, values and layouts of C.

#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

#[macro_use]
mod macros;

mod array;
mod constants;
mod context;
mod device;
mod event;
mod execution;
mod external;
mod gl_egl_vdpau;
mod graph;
mod green_context;
mod ipc;
mod logical_endpoint;
mod memory;
mod module;
mod pool;
mod result;
mod stream;
mod texture;
mod tools;
mod virtual_memory;

pub use array::*;
pub use constants::*;
pub use context::*;
pub use device::*;
pub use event::*;
pub use execution::*;
pub use external::*;
pub use gl_egl_vdpau::*;
pub use graph::*;
pub use green_context::*;
pub use ipc::*;
pub use logical_endpoint::*;
pub use memory::*;
pub use module::*;
pub use pool::*;
pub use result::*;
pub use stream::*;
pub use texture::*;
pub use tools::*;
pub use virtual_memory::*;
