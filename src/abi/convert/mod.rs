//! Conversions that several files of entry points share: from what C passes to types of the device, and back. One file for
//! each subject; none has an entry point.

pub mod array;
pub mod atomic;
pub mod bounds;
pub mod copy_descriptor;
pub mod core_dump;
pub mod gl;
pub mod graph_kernel;
pub mod graph_params;
pub mod jit;
pub mod launch;
pub mod launch_attribute;
pub mod memory_operation;
pub mod name;
pub mod resource;
pub mod stream;
