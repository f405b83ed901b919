//! What C sees: types, entry points grouped as the driver manual groups them, and the wrappers of pointers that programs
//! hand us.

pub mod array;
pub mod capture;
pub mod checkpoint;
pub mod context;
pub mod copy_descriptor;
pub mod coredump;
pub mod debugger;
pub mod decompress;
pub mod device;
pub mod egl;
pub mod entry_point;
pub mod error_handling;
pub mod event;
pub mod execution;
pub mod external;
pub mod gl;
pub mod graph;
pub mod graph_exec;
mod graph_kernel;
pub mod graph_node;
mod graph_params;
pub mod graphics;
pub mod green_context;
pub mod initialization;
pub mod ipc;
mod jit;
pub mod launch_attribute;
mod legacy_launch;
mod library;
pub mod logical_endpoint;
pub mod logs;
pub mod managed;
pub mod memcpy;
pub mod memcpy_batch;
pub mod memcpy_box;
pub mod memory;
pub mod memset;
pub mod module;
pub mod multicast;
pub mod notify;
pub mod occupancy;
pub mod peer;
pub mod pointer_attribute;
pub mod pool;
pub mod primary_context;
pub mod profiler;
pub mod ptr;
pub mod stream;
pub mod stream_memop;
pub mod surface;
pub mod tensor_map;
pub mod texture;
pub mod types;
pub mod vdpau;
pub mod version;
pub mod virtual_memory;

/// What stream 0 means in a call: the twins (`_ptsz`, `_ptds`) take it for the per-thread default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultStream {
    /// The default stream that synchronises with all blocking streams.
    Legacy,
    /// The default stream of the calling thread.
    PerThread,
}
