//! Streams, host functions in them, their attributes and capture.

#[cfg(cudart = "13")]
use crate::context;
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::Handle;
#[cfg(cudart = "12")]
use crate::types::NULL;
use core::ffi::{c_int, c_uint, c_void};

type Callback = extern "C" fn(stream: Handle, status: c_int, data: *mut c_void);

/// What the driver calls for `cudaStreamAddCallback`: the program's function gets the runtime's error numbers.
struct Request {
    callback: Callback,
    data: *mut c_void,
}

extern "C" fn deliver(stream: Handle, status: c_int, request: *mut c_void) {
    // SAFETY: made by `add_callback` below, and the driver calls once.
    let request = unsafe { Box::from_raw(request.cast::<Request>()) };
    let status = if status == 0 { 0 } else { Error::from_driver(status).code() };
    (request.callback)(stream, status, request.data);
}

fn add_callback(
    per_thread: bool,
    stream: Handle,
    callback: Option<Callback>,
    data: *mut c_void,
    flags: c_uint,
) -> Result {
    let callback = callback.ok_or(Error::INVALID_VALUE)?;
    let request = Box::into_raw(Box::new(Request { callback, data }));
    drv::cuStreamAddCallback(per_thread, stream, deliver as *const c_void, request, flags).inspect_err(|_| {
        // SAFETY: refused, so the driver will not call.
        drop(unsafe { Box::from_raw(request) });
    })
}

api! {
    /// Makes a stream.
    fn cudaStreamCreate(stream: *mut Handle) {
        drv::cuStreamCreate(stream, 0u32)
    }

    /// Makes a stream with flags.
    fn cudaStreamCreateWithFlags(stream: *mut Handle, flags: c_uint) {
        drv::cuStreamCreate(stream, flags)
    }

    /// Makes a stream with flags and a priority.
    fn cudaStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int) {
        drv::cuStreamCreateWithPriority(stream, flags, priority)
    }

    /// Destroys a stream; its work goes on.
    fn cudaStreamDestroy(stream: Handle) {
        drv::cuStreamDestroy_v2(stream)
    }

    /// Waits for a stream's work.
    fn cudaStreamSynchronize / cudaStreamSynchronize_ptsz(stream: Handle) |pt| {
        drv::cuStreamSynchronize(pt, stream)
    }

    /// Says whether a stream's work is done.
    fn cudaStreamQuery / cudaStreamQuery_ptsz(stream: Handle) |pt| {
        drv::cuStreamQuery(pt, stream)
    }

    /// Makes a stream wait for an event.
    fn cudaStreamWaitEvent / cudaStreamWaitEvent_ptsz(stream: Handle, event: Handle, flags: c_uint) |pt| {
        drv::cuStreamWaitEvent(pt, stream, event, flags)
    }

    /// Calls a host function in a stream, with the stream's error.
    fn cudaStreamAddCallback / cudaStreamAddCallback_ptsz(
        stream: Handle, callback: Option<Callback>, data: *mut c_void, flags: c_uint,
    ) |pt| {
        add_callback(pt, stream, callback, data, flags)
    }

    /// Calls a host function in a stream.
    fn cudaLaunchHostFunc / cudaLaunchHostFunc_ptsz(stream: Handle, function: *mut c_void, data: *mut c_void) |pt| {
        drv::cuLaunchHostFunc(pt, stream, function, data)
    }

    /// Calls a host function in a stream; `mode` says how the stream waits for it.
    #[cfg(cudart = "13")]
    fn cudaLaunchHostFunc_v2 / cudaLaunchHostFunc_v2_ptsz(
        stream: Handle, function: *mut c_void, data: *mut c_void, mode: c_uint,
    ) |pt| {
        drv::cuLaunchHostFunc_v2(pt, stream, function, data, mode)
    }

    /// Attaches managed memory to a stream. The driver alone judges the arguments.
    fn cudaStreamAttachMemAsync / cudaStreamAttachMemAsync_ptsz(
        stream: Handle, ptr: *mut c_void, length: usize, flags: c_uint,
    ) |pt| {
        drv::cuStreamAttachMemAsync(pt, stream, ptr, length, flags)
    }

    /// The stream's flags.
    fn cudaStreamGetFlags / cudaStreamGetFlags_ptsz(stream: Handle, flags: *mut c_uint) |pt| {
        drv::cuStreamGetFlags(pt, stream, flags)
    }

    /// The stream's number, unique in the process.
    fn cudaStreamGetId / cudaStreamGetId_ptsz(stream: Handle, id: *mut u64) |pt| {
        drv::cuStreamGetId(pt, stream, id)
    }

    /// The stream's device.
    fn cudaStreamGetDevice / cudaStreamGetDevice_ptsz(stream: Handle, device: *mut c_int) |pt| {
        drv::cuStreamGetDevice(pt, stream, device)
    }

    /// The stream's priority.
    fn cudaStreamGetPriority / cudaStreamGetPriority_ptsz(stream: Handle, priority: *mut c_int) |pt| {
        drv::cuStreamGetPriority(pt, stream, priority)
    }

    /// Copies attributes between streams.
    fn cudaStreamCopyAttributes / cudaStreamCopyAttributes_ptsz(dst: Handle, src: Handle) |pt| {
        drv::cuStreamCopyAttributes(pt, dst, src)
    }

    /// One attribute of a stream.
    fn cudaStreamGetAttribute / cudaStreamGetAttribute_ptsz(stream: Handle, attribute: c_int, value: *mut c_void) |pt| {
        drv::cuStreamGetAttribute(pt, stream, attribute, value)
    }

    /// Sets one attribute of a stream.
    fn cudaStreamSetAttribute / cudaStreamSetAttribute_ptsz(stream: Handle, attribute: c_int, value: *const c_void) |pt| {
        drv::cuStreamSetAttribute(pt, stream, attribute, value)
    }

    /// The range of priorities that the device knows; each output may be NULL.
    fn cudaDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) {
        drv::cuCtxGetStreamPriorityRange(least, greatest)
    }

    /// Begins to capture a stream's work into a graph.
    fn cudaStreamBeginCapture / cudaStreamBeginCapture_ptsz(stream: Handle, mode: c_int) |pt| {
        drv::cuStreamBeginCapture_v2(pt, stream, mode)
    }

    /// Begins to capture a stream's work into a graph that exists.
    fn cudaStreamBeginCaptureToGraph / cudaStreamBeginCaptureToGraph_ptsz(
        stream: Handle, graph: Handle, nodes: *const Handle, edges: *const c_void, count: usize, mode: c_int,
    ) |pt| {
        drv::cuStreamBeginCaptureToGraph(pt, stream, graph, nodes, edges, count, mode)
    }

    /// Ends a capture.
    fn cudaStreamEndCapture / cudaStreamEndCapture_ptsz(stream: Handle, graph: *mut Handle) |pt| {
        drv::cuStreamEndCapture(pt, stream, graph)
    }

    /// Says whether a stream is captured.
    fn cudaStreamIsCapturing / cudaStreamIsCapturing_ptsz(stream: Handle, status: *mut c_int) |pt| {
        drv::cuStreamIsCapturing(pt, stream, status)
    }

    /// Exchanges the thread's mode of capture.
    fn cudaThreadExchangeStreamCaptureMode(mode: *mut c_int) {
        drv::cuThreadExchangeStreamCaptureMode(mode)
    }

    /// The state of a capture.
    #[cfg(cudart = "13")]
    fn cudaStreamGetCaptureInfo / cudaStreamGetCaptureInfo_ptsz(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, nodes: *mut *const Handle,
        edges: *mut *const c_void, count: *mut usize,
    ) |pt| {
        drv::cuStreamGetCaptureInfo_v3(pt, stream, status, id, graph, nodes, edges, count)
    }

    /// The state of a capture: status and number alone.
    #[cfg(cudart = "12")]
    fn cudaStreamGetCaptureInfo / cudaStreamGetCaptureInfo_ptsz(stream: Handle, status: *mut c_int, id: *mut u64) |pt| {
        drv::cuStreamGetCaptureInfo_v2(pt, stream, status, id, NULL, NULL, NULL)
    }

    /// The state of a capture, without the data of edges.
    #[cfg(cudart = "12")]
    fn cudaStreamGetCaptureInfo_v2 / cudaStreamGetCaptureInfo_v2_ptsz(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, nodes: *mut *const Handle,
        count: *mut usize,
    ) |pt| {
        drv::cuStreamGetCaptureInfo_v2(pt, stream, status, id, graph, nodes, count)
    }

    /// The state of a capture, with the data of edges.
    #[cfg(cudart = "12")]
    fn cudaStreamGetCaptureInfo_v3 / cudaStreamGetCaptureInfo_v3_ptsz(
        stream: Handle, status: *mut c_int, id: *mut u64, graph: *mut Handle, nodes: *mut *const Handle,
        edges: *mut *const c_void, count: *mut usize,
    ) |pt| {
        drv::cuStreamGetCaptureInfo_v3(pt, stream, status, id, graph, nodes, edges, count)
    }

    /// Changes what the next captured work depends on.
    #[cfg(cudart = "13")]
    fn cudaStreamUpdateCaptureDependencies / cudaStreamUpdateCaptureDependencies_ptsz(
        stream: Handle, nodes: *mut Handle, edges: *const c_void, count: usize, flags: c_uint,
    ) |pt| {
        drv::cuStreamUpdateCaptureDependencies_v2(pt, stream, nodes, edges, count, flags)
    }

    /// Changes what the next captured work depends on.
    #[cfg(cudart = "12")]
    fn cudaStreamUpdateCaptureDependencies / cudaStreamUpdateCaptureDependencies_ptsz(
        stream: Handle, nodes: *mut Handle, count: usize, flags: c_uint,
    ) |pt| {
        drv::cuStreamUpdateCaptureDependencies(pt, stream, nodes, count, flags)
    }

    /// Changes what the next captured work depends on, with the data of edges.
    #[cfg(cudart = "12")]
    fn cudaStreamUpdateCaptureDependencies_v2 / cudaStreamUpdateCaptureDependencies_v2_ptsz(
        stream: Handle, nodes: *mut Handle, edges: *const c_void, count: usize, flags: c_uint,
    ) |pt| {
        drv::cuStreamUpdateCaptureDependencies_v2(pt, stream, nodes, edges, count, flags)
    }

    /// Gives the persisting part of the L2 cache back to normal use.
    fn cudaCtxResetPersistingL2Cache() {
        drv::cuCtxResetPersistingL2Cache()
    }

    /// Waits for all work of the device.
    #[cfg(cudart = "13")]
    fn cudaDeviceSynchronize() {
        drv::cuCtxSynchronize_v2(context::current()?)
    }

    /// Waits for all work of the device.
    #[cfg(cudart = "12")]
    fn cudaDeviceSynchronize() {
        drv::cuCtxSynchronize()
    }

    /// The old name of `cudaDeviceSynchronize`.
    #[cfg(cudart = "12")]
    fn cudaThreadSynchronize() {
        drv::cuCtxSynchronize()
    }
}
