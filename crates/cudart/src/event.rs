//! Events.

use crate::driver as drv;
use crate::types::Handle;
use core::ffi::c_uint;

api! {
    /// Makes an event that measures time.
    fn cudaEventCreate(event: *mut Handle) {
        drv::cuEventCreate(event, 0u32)
    }

    /// Makes an event with flags.
    fn cudaEventCreateWithFlags(event: *mut Handle, flags: c_uint) {
        drv::cuEventCreate(event, flags)
    }

    /// Destroys an event.
    fn cudaEventDestroy(event: Handle) {
        drv::cuEventDestroy_v2(event)
    }

    /// Records an event in a stream.
    fn cudaEventRecord / cudaEventRecord_ptsz(event: Handle, stream: Handle) |pt| {
        drv::cuEventRecord(pt, event, stream)
    }

    /// Records an event in a stream, with flags for capture.
    fn cudaEventRecordWithFlags / cudaEventRecordWithFlags_ptsz(event: Handle, stream: Handle, flags: c_uint) |pt| {
        drv::cuEventRecordWithFlags(pt, event, stream, flags)
    }

    /// Says whether what an event stands for is done.
    fn cudaEventQuery(event: Handle) {
        drv::cuEventQuery(event)
    }

    /// Waits for what an event stands for.
    fn cudaEventSynchronize(event: Handle) {
        drv::cuEventSynchronize(event)
    }

    /// The milliseconds between two events.
    #[cfg(cudart = "13")]
    fn cudaEventElapsedTime(ms: *mut f32, start: Handle, end: Handle) {
        drv::cuEventElapsedTime_v2(ms, start, end)
    }

    /// The milliseconds between two events.
    #[cfg(cudart = "12")]
    fn cudaEventElapsedTime(ms: *mut f32, start: Handle, end: Handle) {
        drv::cuEventElapsedTime(ms, start, end)
    }

    /// The milliseconds between two events.
    #[cfg(cudart = "12")]
    fn cudaEventElapsedTime_v2(ms: *mut f32, start: Handle, end: Handle) {
        drv::cuEventElapsedTime_v2(ms, start, end)
    }
}
