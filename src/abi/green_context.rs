//! Green Contexts.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::stream::{NO_STREAM, clamp_priority, lookup};
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_DEV_RESOURCE_TYPE_SM, CU_DEV_SM_RESOURCE_GROUP_BACKFILL, CU_DEV_SM_RESOURCE_GROUP_PARAMS,
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, CU_GREEN_CTX_DEFAULT_STREAM, CU_STREAM_NON_BLOCKING, CUcontext,
    CUdevResource, CUdevResourceDesc, CUdevResourceType, CUdevSmResource, CUdevice, CUevent, CUgreenCtx, CUstream,
};
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong};
use device::Device;
use device::base::attribute::DeviceAttribute;
use device::base::multiprocessors::{self, Multiprocessors};
use device::stream::context::{Current, Green};
use device::stream::event::Event;
use device::stream::green::Resources;
use device::stream::{Stream, StreamKind};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Marks what this driver has written into a resource, where the program cannot see it.
const MARK: [u8; 8] = *b"doppelSM";
/// Multiprocessors that run the blocks of clusters together, as a resource says.
const TOGETHER: c_uint = 8;
/// Multiprocessors that cannot be parted.
const PAIR: c_uint = 2;

/// Multiprocessors of a device, as a resource holds them.
#[derive(Clone, Copy)]
struct Part {
    device: u32,
    places: Multiprocessors,
}

/// Where a resource keeps what: the mark, the number of the device, whether it can be split, the multiprocessors.
const DEVICE: usize = MARK.len();
const WHOLE: usize = DEVICE + 4;
const PLACES: usize = WHOLE + 1;

impl Part {
    /// The multiprocessors of a resource that the program gives, if it is as this driver made it. What comes of a split cannot be
    /// split again.
    fn of(resource: &CUdevResource, to_split: bool) -> Result<Part> {
        refuse_if!(
            Error::INVALID_RESOURCE_TYPE,
            resource.r#type != CU_DEV_RESOURCE_TYPE_SM,
            "resource: type {:?} is not CU_DEV_RESOURCE_TYPE_SM",
            resource.r#type
        );
        let kept = &resource._internal_padding;
        let device = u32::from_le_bytes(core::array::from_fn(|byte| kept[DEVICE + byte]));
        let places = Multiprocessors::from_bytes(&core::array::from_fn(|byte| kept[PLACES + byte]));
        // SAFETY: plain numbers, valid for every bit pattern.
        let count = unsafe { resource.anon0.sm.smCount };
        let genuine = kept[..DEVICE] == MARK
            && places.count() == count
            && count > 0
            && device::device(device as c_int).is_ok_and(|device| places.common(whole(device).places) == places);
        refuse_if!(
            Error::INVALID_RESOURCE_CONFIGURATION,
            !genuine,
            "resource is not as this driver gave it: smCount {}",
            count
        );
        refuse_if!(
            Error::INVALID_RESOURCE_CONFIGURATION,
            to_split && kept[WHOLE] == 0,
            "input comes of a split, and cannot be split again before a green context has it"
        );
        Ok(Part { device, places })
    }

    /// The resource. It can be split if it is `whole`: a device's, or a context's.
    fn shown(self, whole: bool) -> CUdevResource {
        let mut resource = CUdevResource::default();
        let count = self.places.count();
        if count == 0 {
            return resource;
        }
        resource.r#type = CU_DEV_RESOURCE_TYPE_SM;
        let kept = &mut resource._internal_padding;
        kept[..DEVICE].copy_from_slice(&MARK);
        kept[DEVICE..WHOLE].copy_from_slice(&self.device.to_le_bytes());
        kept[WHOLE] = whole.into();
        kept[PLACES..PLACES + Multiprocessors::BYTES].copy_from_slice(&self.places.to_bytes());
        let together = if whole { TOGETHER } else { 0 };
        resource.anon0.sm = CUdevSmResource {
            smCount: count,
            minSmPartitionSize: together,
            smCoscheduledAlignment: together,
            ..Default::default()
        };
        resource
    }
}

/// All multiprocessors of a device.
fn whole(device: &Device) -> Part {
    let count = device.count(DeviceAttribute::MULTIPROCESSOR_COUNT);
    Part { device: device.ordinal, places: Multiprocessors::first(count) }
}

/// Those of a context, or of a green one.
fn of_home(home: &Current) -> Part {
    let all = whole(&home.context.device);
    Part { places: home.share().map_or(all.places, |share| share.places), ..all }
}

/// Work queues are resources of newer drivers.
fn check_type(kind: CUdevResourceType) -> Result<()> {
    refuse_if!(
        Error::INVALID_RESOURCE_TYPE,
        kind != CU_DEV_RESOURCE_TYPE_SM,
        "type {:?} is not CU_DEV_RESOURCE_TYPE_SM",
        kind
    );
    Ok(())
}

/// The device with a number.
fn device_of(dev: CUdevice) -> Result<Arc<Device>> {
    device::device(dev).cloned().map_err(|error| error.of("dev"))
}

/// How many multiprocessors a wanted group gets of those that are left.
fn size_of_group(rest: &Part, wanted: &CU_DEV_SM_RESOURCE_GROUP_PARAMS) -> Result<u32> {
    refuse_if!(
        Error::NOT_SUPPORTED,
        wanted.flags & !CU_DEV_SM_RESOURCE_GROUP_BACKFILL.0 != 0,
        "groupParams: flags {:#x} has bits other than CU_DEV_SM_RESOURCE_GROUP_BACKFILL",
        wanted.flags
    );
    let left = rest.places.count();
    let together = if wanted.coscheduledSmCount == 0 { TOGETHER } else { wanted.coscheduledSmCount };
    let backfill = wanted.flags != 0;
    let size = match wanted.smCount {
        0 if backfill => left,
        0 => left / together.max(1) * together,
        count => count,
    };
    let fits = size > 0
        && size <= left
        && size.is_multiple_of(PAIR)
        && together.is_multiple_of(PAIR)
        && (backfill || size.is_multiple_of(together));
    refuse_if!(
        Error::INVALID_RESOURCE_CONFIGURATION,
        !fits,
        "groupParams: smCount {} with coscheduledSmCount {} does not fit {} multiprocessors",
        wanted.smCount,
        wanted.coscheduledSmCount,
        left
    );
    Ok(size)
}

/// Creates a context that owns a part of a device's resources.
///
/// Kernels of its streams run on its multiprocessors alone. All else is shared with the device's primary context, which it retains:
/// memory, modules, events, limits, and an error that a kernel causes.
///
/// - `phCtx`: receives the green context.
/// - `desc`: the resources; NULL for the whole device.
/// - `dev`: the device.
/// - `flags`: `CU_GREEN_CTX_DEFAULT_STREAM`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phCtx` is NULL, `flags` is anything else, or `desc` is of another device;
/// `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_INVALID_HANDLE` if `desc` is no descriptor; the error
/// that a context of the device is stuck with.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init, flags = CUgreenCtxCreate_flags)]
pub fn cuGreenCtxCreate(phCtx: Out<CUgreenCtx>, desc: CUdevResourceDesc, dev: CUdevice, flags: c_uint) -> Result<()> {
    phCtx.check()?;
    let device = device_of(dev)?;
    refuse_if!(
        Error::INVALID_VALUE,
        flags != CU_GREEN_CTX_DEFAULT_STREAM.0,
        "flags {:#x} is not CU_GREEN_CTX_DEFAULT_STREAM",
        flags
    );
    let places = if desc.0 == 0 {
        whole(&device).places
    } else {
        let resources = Resources::find(desc.0)?;
        refuse_if!(
            Error::INVALID_VALUE,
            resources.device != device.ordinal,
            "desc describes resources of device {}, not of dev {}",
            resources.device,
            dev
        );
        resources.places
    };
    let green = Green::create(&device, places)?;
    phCtx.set(CUgreenCtx(green.share.handle)).inspect_err(|_| {
        let _ = Green::destroy(green.share.handle);
    })
}

/// Destroys a green context.
///
/// - `hCtx`: the green context.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if it is no live green context.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxDestroy(hCtx: CUgreenCtx) -> Result<()> {
    Green::destroy(hCtx.0)
}

/// Hands out the context form of a green context.
///
/// - `pContext`: receives the context.
/// - `hCtx`: the green context.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pContext` is NULL; `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live green context.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuCtxFromGreenCtx(pContext: Out<CUcontext>, hCtx: CUgreenCtx) -> Result<()> {
    pContext.check()?;
    pContext.set(CUcontext(Green::find(hCtx.0)?.share.handle))
}

/// Reports the resources of a device of one kind.
///
/// - `device`: the device.
/// - `resource`: receives the resources.
/// - `type`: their kind: `CU_DEV_RESOURCE_TYPE_SM`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `resource` is NULL; `CUDA_ERROR_INVALID_RESOURCE_TYPE` for kinds other than
/// multiprocessors, as driver 580 answers;
/// `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuDeviceGetDevResource(device: CUdevice, resource: Out<CUdevResource>, r#type: CUdevResourceType) -> Result<()> {
    resource.check()?;
    let device = device_of(device)?;
    check_type(r#type)?;
    resource.set(whole(&device).shown(true))
}

/// Reports the resources that a context may use, of one kind.
///
/// - `hCtx`: the context.
/// - `resource`: receives the resources.
/// - `type`: their kind: `CU_DEV_RESOURCE_TYPE_SM`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `resource` is NULL; `CUDA_ERROR_INVALID_RESOURCE_TYPE` for kinds other than
/// multiprocessors, as driver 580 answers;
/// `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live context.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuCtxGetDevResource(hCtx: CUcontext, resource: Out<CUdevResource>, r#type: CUdevResourceType) -> Result<()> {
    resource.check()?;
    refuse_if!(Error::INVALID_CONTEXT, hCtx.is_null(), "hCtx is NULL");
    let home = Current::or_current(hCtx.0)?;
    check_type(r#type)?;
    resource.set(of_home(&home).shown(true))
}

/// Reports the resources of a green context of one kind.
///
/// - `hCtx`: the green context.
/// - `resource`: receives the resources.
/// - `type`: their kind: `CU_DEV_RESOURCE_TYPE_SM`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `resource` is NULL; `CUDA_ERROR_INVALID_RESOURCE_TYPE` for kinds other than
/// multiprocessors, as driver 580 answers;
/// `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live green context.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxGetDevResource(
    hCtx: CUgreenCtx,
    resource: Out<CUdevResource>,
    r#type: CUdevResourceType,
) -> Result<()> {
    resource.check()?;
    let green = Green::find(hCtx.0)?;
    check_type(r#type)?;
    resource.set(of_home(&green.into()).shown(true))
}

/// Splits multiprocessors into equal groups of a minimum size.
///
/// - `result`: receives the groups; NULL to ask only how many there can be.
/// - `nbGroups`: how many groups are wanted; receives how many there are.
/// - `input`: the multiprocessors to split.
/// - `remainder`: receives what is left over; may be NULL.
/// - `flags`: `CU_DEV_SM_RESOURCE_SPLIT_*`.
/// - `minCount`: multiprocessors of a group, at least.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nbGroups` or `input` is NULL, if `nbGroups` is 0 where groups are wanted, and for other
/// flags; `CUDA_ERROR_INVALID_RESOURCE_TYPE` if `input` is not multiprocessors;
/// `CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION` if `input` was changed or comes of a split, and if `minCount` is more than it has.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuDevSmResourceSplitByCount(
    result: Out<CUdevResource>,
    nbGroups: InOut<c_uint>,
    input: In<CUdevResource>,
    remainder: Out<CUdevResource>,
    flags: c_uint,
    minCount: c_uint,
) -> Result<()> {
    let (wanted, from) = (nbGroups.get()?, input.get()?);
    // Bits that the driver does not know are not looked at.
    refuse_if!(Error::INVALID_VALUE, flags & 3 == 3, "flags {:#x} has two bits that exclude each other", flags);
    refuse_if!(Error::INVALID_VALUE, !result.is_null() && wanted == 0, "nbGroups is 0");
    let mut rest = Part::of(&from, true)?;
    let fine = flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING.0 != 0;
    let (size, most) = multiprocessors::groups(rest.places.count(), minCount, fine).ok_or_else(|| {
        refuse!(
            Error::INVALID_RESOURCE_CONFIGURATION,
            "minCount {} is more than the {} multiprocessors of input",
            minCount,
            rest.places.count()
        )
    })?;
    if result.is_null() {
        return nbGroups.set(most);
    }
    let count = wanted.min(most);
    for group in 0..count {
        let places = rest.places.take(size);
        result.set_at(group as usize, Part { places, ..rest }.shown(false))?;
    }
    nbGroups.set(count)?;
    remainder.set_opt(rest.shown(false))
}

/// Splits multiprocessors into groups described one by one.
///
/// - `result`: receives the groups; NULL to ask only how many there can be.
/// - `nbGroups`: how many groups.
/// - `input`: the multiprocessors to split.
/// - `remainder`: receives what is left over; may be NULL.
/// - `flags`: 0.
/// - `groupParams`: what each group shall have; receives what it has.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `input` or `groupParams` is NULL, and for `nbGroups` 0 and `flags` other than 0;
/// `CUDA_ERROR_INVALID_RESOURCE_TYPE` if `input` is not multiprocessors; `CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION` if `input` was
/// changed or comes of a split, and for groups that are odd, too large, or no multiple of the multiprocessors that are to run
/// clusters; `CUDA_ERROR_NOT_SUPPORTED` for locality domains. Driver 580 does not have the function: the answers are guessed.
///
/// Manual: Green Contexts.
#[entry(since = 13010, needs = init)]
pub fn cuDevSmResourceSplit(
    result: Out<CUdevResource>,
    nbGroups: c_uint,
    input: In<CUdevResource>,
    remainder: Out<CUdevResource>,
    flags: c_uint,
    groupParams: InOut<CU_DEV_SM_RESOURCE_GROUP_PARAMS>,
) -> Result<()> {
    let (from, wanted) = (input.get()?, groupParams.slice(nbGroups as usize)?);
    refuse_if!(Error::INVALID_VALUE, nbGroups == 0, "nbGroups is 0");
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let mut rest = Part::of(&from, true)?;
    let mut made = Vec::new();
    for (group, mut wanted) in wanted.into_iter().enumerate() {
        let size = size_of_group(&rest, &wanted)?;
        let places = rest.places.take(size);
        (wanted.smCount, wanted.coscheduledSmCount) = (size, wanted.coscheduledSmCount.max(PAIR));
        made.push((group, wanted, Part { places, ..rest }));
    }
    for (group, has, part) in made {
        groupParams.set_at(group, has)?;
        if !result.is_null() {
            result.set_at(group, part.shown(false))?;
        }
    }
    remainder.set_opt(rest.shown(false))
}

/// Combines resources into a descriptor for a green context.
///
/// - `phDesc`: receives the descriptor.
/// - `resources`: the resources.
/// - `nbResources`: their number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL or `nbResources` is 0; `CUDA_ERROR_INVALID_RESOURCE_TYPE` if one is not
/// multiprocessors; `CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION` if one was changed, or they are of several devices.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuDevResourceGenerateDesc(
    phDesc: Out<CUdevResourceDesc>,
    resources: InMut<CUdevResource>,
    nbResources: c_uint,
) -> Result<()> {
    phDesc.check()?;
    refuse_if!(Error::INVALID_VALUE, resources.is_null(), "resources is NULL");
    refuse_if!(Error::INVALID_VALUE, nbResources == 0, "nbResources is 0");
    let mut all: Option<Part> = None;
    for resource in resources.slice(nbResources as usize)? {
        let part = Part::of(&resource, false)?;
        let before = all.unwrap_or(part);
        refuse_if!(
            Error::INVALID_RESOURCE_CONFIGURATION,
            before.device != part.device,
            "resources are of several devices"
        );
        all = Some(Part { places: before.places.with(part.places), ..part });
    }
    let all = all.ok_or_else(|| refuse!(Error::INVALID_VALUE, "nbResources is 0"))?;
    phDesc.set(CUdevResourceDesc(Resources::describe(all.device, all.places)?))
}

/// Records in an event all work that a green context has been given so far.
///
/// - `hCtx`: the green context.
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live green context; `CUDA_ERROR_INVALID_HANDLE` for what is no event
/// and for an event of another context; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while one of its streams is captured, which invalidates the capture; the
/// context's asynchronous error.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxRecordEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> Result<()> {
    let green = Green::find(hCtx.0)?;
    green.context.check_error()?;
    green.record(&*Event::find(hEvent.0)?)
}

/// Makes all later work of a green context wait for an event.
///
/// - `hCtx`: the green context.
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live green context; `CUDA_ERROR_INVALID_HANDLE` for what is no event;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while one of its streams is captured, which invalidates the capture;
/// `CUDA_ERROR_CAPTURED_EVENT` for an event that was recorded in a capture, which that invalidates, too; the context's asynchronous
/// error.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxWaitEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> Result<()> {
    let green = Green::find(hCtx.0)?;
    green.context.check_error()?;
    green.wait(&*Event::find(hEvent.0)?)
}

/// Reports the green context of a stream.
///
/// - `hStream`: the stream.
/// - `phCtx`: receives it; NULL for a stream of no green context.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phCtx` is NULL; `CUDA_ERROR_INVALID_CONTEXT` for a default stream if the
/// thread has no current context.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuStreamGetGreenCtx(hStream: CUstream, phCtx: Out<CUgreenCtx>) -> Result<()> {
    phCtx.check()?;
    let stream = lookup(hStream, DefaultStream::Legacy)?;
    phCtx.set(CUgreenCtx(stream.share.as_ref().map_or(0, |share| share.handle)))
}

/// Creates a stream in a green context.
///
/// - `phStream`: receives the stream.
/// - `greenCtx`: the green context.
/// - `flags`: `CU_STREAM_NON_BLOCKING`.
/// - `priority`: its priority; lower numbers are more urgent.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phStream` is NULL or `flags` is not `CU_STREAM_NON_BLOCKING`;
/// `CUDA_ERROR_INVALID_CONTEXT` if `greenCtx` is no live green context; the context's asynchronous error.
///
/// Manual: Green Contexts.
#[entry(since = 12050, needs = init, flags = CUstream_flags)]
pub fn cuGreenCtxStreamCreate(
    phStream: Out<CUstream>,
    greenCtx: CUgreenCtx,
    flags: c_uint,
    priority: c_int,
) -> Result<()> {
    phStream.check()?;
    // As `cuStreamCreate` does where it refuses.
    phStream.set(NO_STREAM)?;
    let green = Green::find(greenCtx.0)?;
    refuse_if!(
        Error::INVALID_VALUE,
        flags != CU_STREAM_NON_BLOCKING.0,
        "flags {:#x} is not CU_STREAM_NON_BLOCKING",
        flags
    );
    green.context.check_error()?;
    let stream = Stream::create_in(&green.into(), StreamKind::NonBlocking, flags, clamp_priority(priority))?;
    phStream.set(CUstream(stream.handle))
}

/// Reports a number that identifies a green context uniquely in this process.
///
/// - `greenCtx`: the green context.
/// - `greenCtxId`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `greenCtxId` is NULL; `CUDA_ERROR_INVALID_CONTEXT` if `greenCtx` is no live green
/// context.
///
/// Manual: Green Contexts.
#[entry(since = 12090, needs = init)]
pub fn cuGreenCtxGetId(greenCtx: CUgreenCtx, greenCtxId: Out<c_ulonglong>) -> Result<()> {
    greenCtxId.check()?;
    greenCtxId.set(Green::find(greenCtx.0)?.share.id)
}

/// Reports the resources that a stream may use, of one kind.
///
/// - `hStream`: the stream.
/// - `resource`: receives the resources.
/// - `type`: their kind: `CU_DEV_RESOURCE_TYPE_SM`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `resource` is NULL; `CUDA_ERROR_INVALID_RESOURCE_TYPE` for kinds other than
/// multiprocessors, as driver 580 answers;
/// `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Green Contexts.
#[entry(since = 13010, twin = "ptsz", needs = init)]
pub fn cuStreamGetDevResource(
    hStream: CUstream,
    resource: Out<CUdevResource>,
    r#type: CUdevResourceType,
) -> Result<()> {
    resource.check()?;
    let stream = lookup(hStream, default_stream)?;
    let context = stream.owner()?;
    check_type(r#type)?;
    let mut found = whole(&context.device);
    if let Some(share) = &stream.share {
        found.places = share.places;
    }
    resource.set(found.shown(true))
}
