//! What C sees: types, entry points grouped as the driver manual groups them, and the wrappers of pointers that programs
//! hand us.
//!
//! Files of entry points never use each other. What several of them need stands below: the wrappers in `ptr`, the types in
//! `types`, and conversions in `convert`, one file for each subject (`tests/rooms/order.txt` demands it).
//!
//! The comment of an entry point says what it does, names each parameter, the errors with their reasons, and the section of
//! NVIDIA's CUDA Driver API manual; `doppel-header --check` demands it. Addresses are of 64 bits; sizes, offsets and pitches
//! are in bytes unless a comment says otherwise; "receives" marks a result, which stays untouched on an error unless a
//! comment says otherwise. The comments do not repeat the following errors, which come from the dispatch or are the same
//! everywhere:
//!
//! - `CUDA_ERROR_NOT_INITIALIZED`: `cuInit` has not succeeded, or this is the child of a fork (all but `needs = nothing`).
//! - `CUDA_ERROR_NOT_PERMITTED`: the call is made inside a host function that a stream runs (the same).
//! - `CUDA_ERROR_INVALID_CONTEXT`, `CUDA_ERROR_CONTEXT_IS_DESTROYED`: the thread has no current context, or a dead one (where
//!   `needs` is `context` or `late`). A call that names a created stream uses the stream's context then.
//! - The context's asynchronous error: that of an earlier kernel or copy, such as `CUDA_ERROR_ILLEGAL_ADDRESS` (the same, and
//!   calls that wait).
//! - `CUDA_ERROR_INVALID_VALUE`: a pointer to a result or an argument is NULL where none is allowed, or leads to memory that is
//!   not there. For NULL the comments say so nonetheless.
//! - `CUDA_ERROR_INVALID_HANDLE`: the stream that the call names does not exist.
//! - `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT`: the call gives work to the legacy default stream, as calls without stream do, and that
//!   would have to wait for a stream that is being captured. This invalidates the capture.
//! - `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`: the call has no stream, and the per-thread default stream on which it works is being
//!   captured. This invalidates the capture.
//! - `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED`: the stream's capture was invalidated before.
//! - `CUDA_ERROR_INVALID_CONTEXT`: the current context is one of the first generation (`cuCtxCreate` itself, not `_v2`), and the
//!   call makes something that needs 64-bit addresses, such as memory, an array, a texture object or an executable graph.
//! - `CUDA_ERROR_CONTEXT_IS_DESTROYED`, instead of `CUDA_ERROR_INVALID_HANDLE`: the handle is that of something that ended with
//!   its context.
//! - `CUDA_ERROR_OUT_OF_MEMORY`: the host has no memory left for what the call has to note.
//! - `CUDA_ERROR_DEVICE_UNAVAILABLE`: the call would make a context that the device's compute mode forbids.
//!
//! All of this is about `cpu` mode. In `forward` mode the real driver answers, in `absent` mode `docs/ARCHITECTURE.md` says who.

pub mod array;
pub mod capture;
pub mod checkpoint;
pub mod context;
mod convert;
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
pub mod graph_node;
pub mod graphics;
pub mod green_context;
pub mod initialization;
pub mod ipc;
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

/// The refusal of a function of the first generation, whose 32-bit contexts a 64-bit driver does not have.
#[cold]
fn no_32_bit_context() -> error::Error {
    error::refuse!(
        error::Error::INVALID_CONTEXT,
        "the current context has 64-bit addresses: functions of the first generation need a 32-bit one"
    )
}

/// What stream 0 means in a call: the twins (`_ptsz`, `_ptds`) take it for the per-thread default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultStream {
    /// The default stream that synchronises with all blocking streams.
    Legacy,
    /// The default stream of the calling thread.
    PerThread,
}
