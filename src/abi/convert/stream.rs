//! Streams by their handles, and what streams and launches have in common: priorities, access policies, memory domains.

use crate::abi::DefaultStream;
use crate::abi::types::{
    CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_RELAXED, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    CUaccessPolicyWindow, CUaccessProperty, CUlaunchMemSyncDomainMap, CUstream, CUstreamCaptureMode,
};
use core::ffi::{c_int, c_void};
use device::Device;
use device::base::attribute::DeviceAttribute;
use device::stream::capture::Mode;
use device::stream::{AccessPolicyWindow, Stream, context};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// The stream that a handle means on the calling thread. Dead and invented handles are `CUDA_ERROR_INVALID_HANDLE`.
pub fn lookup(handle: CUstream, default_stream: DefaultStream) -> Result<Arc<Stream>> {
    context::stream(handle.0, default_stream == DefaultStream::PerThread)
}

/// True when an operation that does not block, given to the stream that a handle means, would be run at once by this
/// thread. False means that this is not known.
#[inline]
pub fn is_quiet(handle: CUstream, default_stream: DefaultStream) -> bool {
    context::is_quiet(handle.0, default_stream == DefaultStream::PerThread)
}

/// Applies `f` to the stream that [`lookup`] gives, without taking a reference where none is needed. `f` must not change
/// which contexts are current.
pub fn with<R>(
    handle: CUstream,
    default_stream: DefaultStream,
    f: impl FnOnce(&Arc<Stream>) -> Result<R>,
) -> Result<R> {
    context::with_stream(handle.0, default_stream == DefaultStream::PerThread, f)
}

/// [`with`] for functions that contexts of the first generation support, too.
pub fn with_any<R>(
    handle: CUstream,
    default_stream: DefaultStream,
    f: impl FnOnce(&Arc<Stream>) -> Result<R>,
) -> Result<R> {
    context::with_any_stream(handle.0, default_stream == DefaultStream::PerThread, f)
}

/// A handle that is neither `NULL` nor that of a stream.
pub const NO_STREAM: CUstream = CUstream(usize::MAX);

/// How many memory synchronisation domains the device has.
const MEM_SYNC_DOMAINS: u8 = 4;

/// Stream priorities of the device: the least and the most urgent one.
const LEAST_PRIORITY: i32 = 0;
const GREATEST_PRIORITY: i32 = -5;

/// The priority that a stream or a launch gets.
pub fn clamp_priority(priority: c_int) -> i32 {
    priority.clamp(GREATEST_PRIORITY, LEAST_PRIORITY)
}

/// Checks ratio and size of an access policy window and converts it. The caller checks the properties of hits and misses.
pub fn window_of(window: &CUaccessPolicyWindow, device: &Device) -> Result<AccessPolicyWindow> {
    let most = device.count(DeviceAttribute::MAX_ACCESS_POLICY_WINDOW_SIZE);
    refuse_if!(
        Error::INVALID_VALUE,
        !(0.0..=1.0).contains(&window.hitRatio),
        "value: hitRatio {} is not between 0 and 1",
        window.hitRatio
    );
    refuse_if!(
        Error::INVALID_VALUE,
        window.num_bytes > most as usize,
        "value: num_bytes {} is more than the device's {}",
        window.num_bytes,
        most
    );
    Ok(AccessPolicyWindow {
        base: window.base_ptr as usize,
        bytes: window.num_bytes,
        hit_ratio: window.hitRatio,
        hit: window.hitProp.0,
        miss: window.missProp.0,
    })
}

/// The C structure of an access policy window.
pub fn shown_window(window: &AccessPolicyWindow) -> CUaccessPolicyWindow {
    CUaccessPolicyWindow {
        base_ptr: window.base as *mut c_void,
        num_bytes: window.bytes,
        hitRatio: window.hit_ratio,
        hitProp: CUaccessProperty(window.hit),
        missProp: CUaccessProperty(window.miss),
    }
}

/// Checks and converts a map of memory synchronisation domains.
pub fn domain_map_of(map: CUlaunchMemSyncDomainMap) -> Result<[u8; 2]> {
    refuse_if!(
        Error::INVALID_VALUE,
        map.default_ >= MEM_SYNC_DOMAINS,
        "value: default_ {} is not less than {}",
        map.default_,
        MEM_SYNC_DOMAINS
    );
    refuse_if!(
        Error::INVALID_VALUE,
        map.remote >= MEM_SYNC_DOMAINS,
        "value: remote {} is not less than {}",
        map.remote,
        MEM_SYNC_DOMAINS
    );
    Ok([map.default_, map.remote])
}

/// The mode that a number means.
pub fn capture_mode(mode: CUstreamCaptureMode) -> Result<Mode> {
    match mode {
        CU_STREAM_CAPTURE_MODE_GLOBAL => Ok(Mode::Global),
        CU_STREAM_CAPTURE_MODE_THREAD_LOCAL => Ok(Mode::ThreadLocal),
        CU_STREAM_CAPTURE_MODE_RELAXED => Ok(Mode::Relaxed),
        _ => Err(refuse!(Error::INVALID_VALUE, "mode {:?} is not a CUstreamCaptureMode", mode)),
    }
}
