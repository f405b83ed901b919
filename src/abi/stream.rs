//! Stream Management.

#![allow(non_snake_case)]

use super::convert::stream::{
    NO_STREAM, capture_mode, clamp_priority, domain_map_of, lookup, shown_window, window_of, with_any,
};
use super::ptr::{In, InOut, Out};
use super::types::{
    CU_ACCESS_PROPERTY_PERSISTING, CU_ACCESS_PROPERTY_STREAMING, CU_EVENT_WAIT_EXTERNAL,
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, CU_LAUNCH_ATTRIBUTE_PRIORITY, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
    CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE, CU_MEM_ATTACH_GLOBAL, CU_MEM_ATTACH_HOST, CU_MEM_ATTACH_SINGLE,
    CU_STREAM_NON_BLOCKING, CU_SYNC_POLICY_AUTO, CU_SYNC_POLICY_BLOCKING_SYNC, CUaccessPolicyWindow, CUcontext,
    CUdevice, CUdeviceptr, CUevent, CUgreenCtx, CUlaunchMemSyncDomain, CUlaunchMemSyncDomainMap, CUresult, CUstream,
    CUstreamAttrID, CUstreamAttrValue, CUstreamCallback, CUstreamCaptureMode, CUsynchronizationPolicy,
};
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};
use device::graph::Operation;
use device::graph::recording;
use device::kernel::system;
use device::memory::managed;
use device::memory::managed::Attachment;
use device::stream::capture::Mode;
use device::stream::context::Current;
use device::stream::event::Event;
use device::stream::{HostCall, Stream, StreamKind, Work};
use device::stream::{capture, context, event};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Creates a stream.
///
/// - `phStream`: receives the stream; a handle that names no stream if there is no current context.
/// - `Flags`: 0, or `CU_STREAM_NON_BLOCKING` for a stream that the legacy default stream does not order.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phStream` is NULL or `Flags` is anything else; `CUDA_ERROR_INVALID_CONTEXT`
/// without a current context; its asynchronous error.
///
/// Manual: Stream Management.
#[entry(since = 2000, needs = late, flags = CUstream_flags)]
pub fn cuStreamCreate(phStream: Out<CUstream>, Flags: c_uint) -> Result<()> {
    create(phStream, Flags, 0)
}

/// Creates a stream with a priority.
///
/// - `phStream`: receives the stream; a handle that names no stream if there is no current context.
/// - `flags`: 0, or `CU_STREAM_NON_BLOCKING` for a stream that the legacy default stream does not order.
/// - `priority`: lower numbers are more urgent; a number outside of the device's range is moved to its nearest end.
///
/// Errors: as [`cuStreamCreate`].
///
/// Manual: Stream Management.
#[entry(since = 5050, needs = late, flags = CUstream_flags)]
pub fn cuStreamCreateWithPriority(phStream: Out<CUstream>, flags: c_uint, priority: c_int) -> Result<()> {
    create(phStream, flags, priority)
}

/// Reports the priority of a stream.
///
/// - `hStream`: the stream.
/// - `priority`: receives the priority.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `priority` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 5050, twin = "ptsz")]
pub fn cuStreamGetPriority(hStream: CUstream, priority: Out<c_int>) -> Result<()> {
    priority.check()?;
    priority.set(lookup(hStream, default_stream)?.priority())
}

/// Reports the device of a stream.
///
/// - `hStream`: the stream.
/// - `device`: receives the ordinal.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `device` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 12080, twin = "ptsz")]
pub fn cuStreamGetDevice(hStream: CUstream, device: Out<CUdevice>) -> Result<()> {
    device.check()?;
    let stream = lookup(hStream, default_stream)?;
    device.set(context_of(&stream)?.device.ordinal as CUdevice)
}

/// Reports the flags of a stream.
///
/// - `hStream`: the stream.
/// - `flags`: receives 0 or `CU_STREAM_NON_BLOCKING`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates the capture.
///
/// Manual: Stream Management.
#[entry(since = 5050, twin = "ptsz")]
pub fn cuStreamGetFlags(hStream: CUstream, flags: Out<c_uint>) -> Result<()> {
    flags.check()?;
    let stream = lookup(hStream, default_stream)?;
    if stream.admit()? {
        return Err(capture::refuse(&stream));
    }
    flags.set(stream.flags)
}

/// Reports a number that identifies a stream uniquely in this process.
///
/// The number of a destroyed stream is not used again.
///
/// - `hStream`: the stream.
/// - `streamId`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `streamId` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 12000, twin = "ptsz")]
pub fn cuStreamGetId(hStream: CUstream, streamId: Out<c_ulonglong>) -> Result<()> {
    streamId.check()?;
    streamId.set(lookup(hStream, default_stream)?.id)
}

/// Reports the context of a stream, and the green context if it belongs to one.
///
/// - `hStream`: the stream.
/// - `pCtx`: receives the context, a primary one if the stream is a green context's; may be NULL.
/// - `pGreenCtx`: receives the green context, or NULL; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 12050, twin = "ptsz")]
pub fn cuStreamGetCtx_v2(hStream: CUstream, pCtx: Out<CUcontext>, pGreenCtx: Out<CUgreenCtx>) -> Result<()> {
    let stream = lookup(hStream, default_stream)?;
    pCtx.set_opt(CUcontext(context_of(&stream)?.handle))?;
    pGreenCtx.set_opt(CUgreenCtx(stream.share.as_ref().map_or(0, |share| share.handle)))
}

/// Reports the context of a stream.
///
/// - `hStream`: the stream.
/// - `pctx`: receives the context; for a stream of a green context that, as a context.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 9020, twin = "ptsz")]
pub fn cuStreamGetCtx(hStream: CUstream, pctx: Out<CUcontext>) -> Result<()> {
    pctx.check()?;
    let stream = lookup(hStream, default_stream)?;
    let context = context_of(&stream)?.handle;
    pctx.set(CUcontext(stream.share.as_ref().map_or(context, |share| share.handle)))
}

/// Makes later work on a stream wait for an event.
///
/// The event's latest record counts, as it is now; an event that was never recorded is not waited for. Event and stream
/// may belong to different contexts. An event that was recorded in a capture takes the stream into that capture.
///
/// - `hStream`: the stream.
/// - `hEvent`: the event.
/// - `Flags`: 0, or `CU_EVENT_WAIT_EXTERNAL` for a node of a capture that waits for the event at each launch.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `Flags` is anything else, or if the capture of the event has ended or is
/// invalidated; `CUDA_ERROR_INVALID_HANDLE` if `hEvent` is no event or `hStream` no stream; `CUDA_ERROR_ILLEGAL_STATE`
/// for `CU_EVENT_WAIT_EXTERNAL` outside of a capture; `CUDA_ERROR_STREAM_CAPTURE_ISOLATION` if the stream is being
/// captured and the event was recorded outside; `CUDA_ERROR_STREAM_CAPTURE_MERGE` if it was recorded in another
/// capture; `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT` if it was recorded in a capture and the stream is the legacy default
/// stream. The last three invalidate the captures.
///
/// Manual: Stream Management.
#[entry(since = 3020, twin = "ptsz", flags = CUevent_wait_flags)]
pub fn cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        Flags > CU_EVENT_WAIT_EXTERNAL.0,
        "Flags {:#x} is neither 0 nor CU_EVENT_WAIT_EXTERNAL",
        Flags
    );
    let event = Event::find(hEvent.0)?;
    let stream = lookup(hStream, default_stream)?;
    if Flags == CU_EVENT_WAIT_EXTERNAL.0 {
        if !stream.admit()? {
            return Err(refuse!(Error::ILLEGAL_STATE, "Flags is CU_EVENT_WAIT_EXTERNAL, and hStream is not capturing"));
        }
        return recording::record(&stream, Operation::Wait(event));
    }
    event::wait(&stream, &event)
}

/// Queues a host callback that is also told about errors.
///
/// The callback runs on a thread of ours and gets the stream as it was passed here, and the context's asynchronous
/// error. Driver calls inside it are refused with `CUDA_ERROR_NOT_PERMITTED`.
///
/// - `hStream`: the stream.
/// - `callback`: the function to be called.
/// - `userData`: passed to the function.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `callback` is NULL or `flags` is not 0; `CUDA_ERROR_INVALID_HANDLE` if
/// `hStream` is no stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates
/// the capture.
///
/// Manual: Stream Management.
#[entry(since = 5000, twin = "ptsz", needs = late)]
pub fn cuStreamAddCallback(
    hStream: CUstream,
    callback: CUstreamCallback,
    userData: *mut c_void,
    flags: c_uint,
) -> Result<()> {
    let Some(function) = callback else {
        return Err(refuse!(Error::INVALID_VALUE, "callback is NULL"));
    };
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    device::require_context()?;
    let stream = lookup(hStream, default_stream)?;
    let argument = userData as usize;
    let call = move |error: Option<Error>| {
        let status = error.map_or(CUresult::SUCCESS, CUresult::from);
        // SAFETY: the program passed this function to be called with these arguments.
        unsafe { function(hStream, status, argument as *mut c_void) };
    };
    let call = HostCall { call: Arc::new(call), identity: (function as usize, argument), after_error: true };
    stream.enqueue(Work::Host(call))
}

/// Exchanges the calling thread's capture mode with the given one.
///
/// The mode decides which captures, of this and of other threads, forbid this thread calls that could disturb them. It
/// begins as global. A number that is no mode is kept and counts as the global mode.
///
/// - `mode`: the new mode, `CU_STREAM_CAPTURE_MODE_*`; receives the old one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mode` is NULL.
///
/// Manual: Stream Management.
#[entry(since = 10010, needs = init)]
pub fn cuThreadExchangeStreamCaptureMode(mode: InOut<CUstreamCaptureMode>) -> Result<()> {
    let number = mode.get()?;
    let new = capture_mode(number).unwrap_or(Mode::Global);
    mode.set(CUstreamCaptureMode(capture::exchange_mode(new, number.0)))
}

/// Limits who may use managed memory: a stream, the host, or everyone.
///
/// Host and devices here reach all memory at any time: only the order in the stream counts.
///
/// - `hStream`: the stream.
/// - `dptr`: first address of a managed allocation.
/// - `length`: 0 or the size of the allocation in bytes.
/// - `flags`: `CU_MEM_ATTACH_GLOBAL`, `CU_MEM_ATTACH_HOST`, or `CU_MEM_ATTACH_SINGLE`, for which the stream is not
///   NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is anything else, or if address and length are not those of a managed
/// allocation; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the
/// stream is being captured, which invalidates the capture, or while a capture forbids the call.
///
/// Manual: Stream Management.
#[entry(since = 6000, twin = "ptsz", flags = CUmemAttach_flags)]
pub fn cuStreamAttachMemAsync(hStream: CUstream, dptr: CUdeviceptr, length: usize, flags: c_uint) -> Result<()> {
    let to = match flags {
        f if f == CU_MEM_ATTACH_GLOBAL.0 => Attachment::Global,
        f if f == CU_MEM_ATTACH_HOST.0 => Attachment::Host,
        // Memory cannot be attached to stream `NULL`; the two handles of the default streams are accepted.
        f if f == CU_MEM_ATTACH_SINGLE.0 && hStream.0 != 0 => Attachment::Single,
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "flags {:#x} is not CU_MEM_ATTACH_HOST, or CU_MEM_ATTACH_SINGLE with a stream",
                flags
            ));
        }
    };
    managed::attach(&lookup(hStream, default_stream)?, dptr as usize, length, to)
}

/// Tells without waiting whether a stream has finished its work.
///
/// The legacy default stream has finished when the streams that it waits for have.
///
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_NOT_READY` if it has not; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; the
/// asynchronous error of its context; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which
/// invalidates the capture, or while a capture forbids the call.
///
/// Manual: Stream Management.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuStreamQuery(hStream: CUstream) -> Result<()> {
    let stream = lookup(hStream, default_stream)?;
    stream.check_uncaptured()?;
    if !stream.is_idle() {
        return Err(stream.group.error().unwrap_or(Error::NOT_READY));
    }
    system::write_output();
    stream.group.check_error()
}

/// Waits until a stream has finished its work.
///
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; the asynchronous error of its context;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates the capture, or while a
/// capture forbids the call.
///
/// Manual: Stream Management.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuStreamSynchronize(hStream: CUstream) -> Result<()> {
    with_any(hStream, default_stream, |stream| {
        stream.check_uncaptured()?;
        stream.synchronize()
    })
}

/// Destroys a stream; work already queued still completes.
///
/// Returns at once. A capture that began in the stream ends without a graph.
///
/// - `hStream`: the stream; not a default stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream or a default stream; the asynchronous error of its
/// context.
///
/// Manual: Stream Management.
#[entry(since = 4000, needs = nothing)]
pub fn cuStreamDestroy_v2(hStream: CUstream) -> Result<()> {
    destroy(hStream)
}

/// First form of [`cuStreamDestroy_v2`]; the same here.
///
/// - `hStream`: the stream; not a default stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream or a default stream; the asynchronous error of its
/// context.
///
/// Manual: none, replaced in CUDA 4.
#[entry(since = 2000, needs = nothing)]
pub fn cuStreamDestroy(hStream: CUstream) -> Result<()> {
    destroy(hStream)
}

/// Copies all attributes from one stream to another.
///
/// - `dst`: the stream that gets them.
/// - `src`: the stream that has them.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if one of them is no stream.
///
/// Manual: Stream Management.
#[entry(since = 11000, twin = "ptsz")]
pub fn cuStreamCopyAttributes(dst: CUstream, src: CUstream) -> Result<()> {
    let (dst, src) = (lookup(dst, default_stream)?, lookup(src, default_stream)?);
    let owner = |stream: &Stream| stream.share.as_ref().map(|share| share.handle);
    refuse_if!(Error::INVALID_VALUE, owner(&dst) != owner(&src), "src is a stream of another green context than dst");
    let attributes = *src.attributes.lock();
    *dst.attributes.lock() = attributes;
    dst.set_priority(src.priority());
    Ok(())
}

/// Reads an attribute of a stream.
///
/// Only the member of the union that the attribute means is written.
///
/// - `hStream`: the stream.
/// - `attr`: access policy window, synchronisation policy, priority, or memory synchronisation domains
///   (`CU_LAUNCH_ATTRIBUTE_*`).
/// - `value_out`: receives the value; a synchronisation policy that nobody set has all bits set.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the attribute is any other or `value_out` is NULL; `CUDA_ERROR_INVALID_HANDLE`
/// if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 11000, twin = "ptsz")]
pub fn cuStreamGetAttribute(hStream: CUstream, attr: CUstreamAttrID, value_out: Out<CUstreamAttrValue>) -> Result<()> {
    let stream = lookup(hStream, default_stream)?;
    let attributes = *stream.attributes.lock();
    // Only the member that the attribute means is written, not the whole union.
    match attr {
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => Out(value_out.0.cast()).set(shown_window(&attributes.window)),
        CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => {
            Out(value_out.0.cast()).set(CUsynchronizationPolicy(attributes.synchronization.unwrap_or(u32::MAX)))
        }
        CU_LAUNCH_ATTRIBUTE_PRIORITY => Out(value_out.0.cast()).set(stream.priority()),
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => {
            let [default_, remote] = attributes.domain_map;
            Out(value_out.0.cast()).set(CUlaunchMemSyncDomainMap { default_, remote })
        }
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => Out(value_out.0.cast()).set(CUlaunchMemSyncDomain(attributes.domain)),
        _ => Err(refuse!(Error::INVALID_VALUE, "attr {:?} is not a CUstreamAttrID of streams", attr)),
    }
}

/// Changes an attribute of a stream.
///
/// - `hStream`: the stream.
/// - `attr`: one of those of [`cuStreamGetAttribute`].
/// - `value`: the value; a priority outside of the device's range is moved to its nearest end, the size of a window is
///   in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the attribute is any other, if `value` is NULL, or if it is out of range;
/// `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Stream Management.
#[entry(since = 11000, twin = "ptsz")]
pub fn cuStreamSetAttribute(hStream: CUstream, attr: CUstreamAttrID, value: In<CUstreamAttrValue>) -> Result<()> {
    let stream = lookup(hStream, default_stream)?;
    let mut attributes = stream.attributes.lock();
    match attr {
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
            let window: CUaccessPolicyWindow = In(value.0.cast()).get()?;
            refuse_if!(
                Error::INVALID_VALUE,
                window.hitProp > CU_ACCESS_PROPERTY_PERSISTING,
                "value: hitProp {:?} is not a CUaccessProperty",
                window.hitProp
            );
            refuse_if!(
                Error::INVALID_VALUE,
                window.missProp > CU_ACCESS_PROPERTY_STREAMING,
                "value: missProp {:?} is neither normal nor streaming",
                window.missProp
            );
            attributes.window = window_of(&window, &context_of(&stream)?.device)?;
        }
        CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => {
            let policy: CUsynchronizationPolicy = In(value.0.cast()).get()?;
            refuse_if!(
                Error::INVALID_VALUE,
                !(CU_SYNC_POLICY_AUTO..=CU_SYNC_POLICY_BLOCKING_SYNC).contains(&policy),
                "value: {:?} is not a CUsynchronizationPolicy",
                policy
            );
            attributes.synchronization = Some(policy.0);
        }
        CU_LAUNCH_ATTRIBUTE_PRIORITY => stream.set_priority(clamp_priority(In(value.0.cast()).get()?)),
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => {
            attributes.domain_map = domain_map_of(In(value.0.cast()).get()?)?;
        }
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => {
            let domain: CUlaunchMemSyncDomain = In(value.0.cast()).get()?;
            refuse_if!(
                Error::INVALID_VALUE,
                domain > CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE,
                "value: {:?} is not a CUlaunchMemSyncDomain",
                domain
            );
            attributes.domain = domain.0;
        }
        _ => return Err(refuse!(Error::INVALID_VALUE, "attr {:?} is not a CUstreamAttrID of streams", attr)),
    }
    Ok(())
}

fn create(out: Out<CUstream>, flags: c_uint, priority: c_int) -> Result<()> {
    out.check()?;
    let kind = match flags {
        0 => StreamKind::Blocking,
        flags if flags == CU_STREAM_NON_BLOCKING.0 => StreamKind::NonBlocking,
        _ => return Err(refuse!(Error::INVALID_VALUE, "Flags {:#x} is neither 0 nor CU_STREAM_NON_BLOCKING", flags)),
    };
    if context::current_any().is_err() {
        // The real driver writes a handle that is neither `NULL` nor a stream's; programs may read it.
        out.set(NO_STREAM)?;
    }
    device::require_context()?;
    let home = Current::or_current(0)?;
    // In a green context, all are.
    let (kind, flags) = match home.green {
        Some(_) => (StreamKind::NonBlocking, CU_STREAM_NON_BLOCKING.0),
        None => (kind, flags),
    };
    let stream = Stream::create_in(&home, kind, flags, clamp_priority(priority))?;
    out.set(CUstream(stream.handle))
}

fn destroy(handle: CUstream) -> Result<()> {
    device::initialized_unless(handle.is_null(), Error::INVALID_HANDLE)?;
    // The other default streams are the current context's.
    if context::is_default_stream(handle.0) {
        device::require_context()?;
    }
    Stream::destroy(handle.0)
}

fn context_of(stream: &Stream) -> Result<Arc<context::Context>> {
    stream.context.upgrade().ok_or_else(|| {
        refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is a stream whose context was destroyed", stream.handle)
    })
}
