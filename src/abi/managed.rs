//! Unified Addressing.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::stream::lookup;
use super::ptr::{InMut, Out};
use super::types::{
    CU_MEM_ADVISE_SET_ACCESSED_BY, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_MEM_ADVISE_SET_READ_MOSTLY,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, CU_MEM_ADVISE_UNSET_READ_MOSTLY,
    CU_MEM_LOCATION_TYPE_NONE, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CUdevice, CUdeviceptr,
    CUmem_advise, CUmem_range_attribute, CUmemLocation, CUstream,
};
use api_macro::entry;
use core::ffi::{c_uint, c_ulonglong, c_void};
use device::base::location::Location;
use device::memory::managed;
use device::memory::managed::{Advice, Prefetch, Summary};
use device::stream::Stream;
use device::stream::capture;
use device::stream::context::Visit;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// `CU_DEVICE_CPU`, which names the host where a device is asked for.
const HOST: CUdevice = -1;

/// The place that a device ordinal, or [`HOST`], names.
fn place_of(device: CUdevice) -> Location {
    if device == HOST { Location::Host } else { Location::Device(device) }
}

fn advice_of(advice: CUmem_advise) -> Result<Advice> {
    Ok(match advice {
        CU_MEM_ADVISE_SET_READ_MOSTLY => Advice::ReadMostly(true),
        CU_MEM_ADVISE_UNSET_READ_MOSTLY => Advice::ReadMostly(false),
        CU_MEM_ADVISE_SET_PREFERRED_LOCATION => Advice::PreferredLocation(true),
        CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION => Advice::PreferredLocation(false),
        CU_MEM_ADVISE_SET_ACCESSED_BY => Advice::AccessedBy(true),
        CU_MEM_ADVISE_UNSET_ACCESSED_BY => Advice::AccessedBy(false),
        _ => return Err(refuse!(Error::INVALID_VALUE, "advice {:?} is not a CUmem_advise", advice)),
    })
}

/// Gives advice on a range.
fn advise(address: CUdeviceptr, count: usize, advice: Advice, at: Location) -> Result<()> {
    capture::check_call()?;
    let has_effect = managed::check_advice(advice, at)?;
    if !has_effect {
        return Ok(());
    }
    device::require_context()?;
    managed::advise(address as usize, count, advice, at)
}

/// The stream of a batch; the legacy default stream is refused.
fn batch_stream(handle: CUstream, default_stream: DefaultStream) -> Result<Arc<Stream>> {
    const LEGACY: usize = 1;
    refuse_if!(
        Error::INVALID_VALUE,
        handle.0 == LEGACY || (handle.0 == 0 && default_stream == DefaultStream::Legacy),
        "hStream {:#x} is the legacy default stream, which batches cannot use",
        handle.0
    );
    device::initialized()?;
    let stream = lookup(handle, default_stream)?;
    stream.group.check_error()?;
    Ok(stream)
}

/// The ranges of a batch.
fn batch_ranges(dptrs: InMut<CUdeviceptr>, sizes: InMut<usize>, count: usize) -> Result<Vec<(usize, usize)>> {
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    let (dptrs, sizes) = (dptrs.slice(count)?, sizes.slice(count)?);
    Ok(dptrs.into_iter().map(|p| p as usize).zip(sizes).collect())
}

/// The ranges of a batch with their places: place `i` serves the ranges from index `i` of the index list up to the next
/// place's.
fn batch_prefetches(
    ranges: &[(usize, usize)],
    places: InMut<CUmemLocation>,
    indices: InMut<usize>,
    count: usize,
) -> Result<Vec<Prefetch>> {
    refuse_if!(Error::INVALID_VALUE, count == 0, "numPrefetchLocs is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        count > ranges.len(),
        "numPrefetchLocs {} is more than count {}",
        count,
        ranges.len()
    );
    let (places, indices) = (places.slice(count)?, indices.slice(count)?);
    refuse_if!(Error::INVALID_VALUE, indices[0] != 0, "prefetchLocIdxs[0] is {}, not 0", indices[0]);
    refuse_if!(
        Error::INVALID_VALUE,
        indices.iter().any(|&i| i >= ranges.len()),
        "prefetchLocIdxs has an index that is not less than count {}",
        ranges.len()
    );
    // Indices need not increase: the last location that begins at or before a range serves it.
    let place_at = |i: usize| &places[indices.iter().rposition(|&first| first <= i).unwrap_or(0)];
    // In a batch, a device that does not exist is an invalid value.
    let check =
        |place: Location| managed::check_destination(place).map_err(|error| error.with_code(Error::INVALID_VALUE));
    places.iter().try_for_each(|place| check(place.place()))?;
    let with_place = |(i, &(address, bytes)): (usize, &(usize, usize))| {
        let place = place_at(i);
        (address, bytes, place.place(), place.number())
    };
    Ok(ranges.iter().enumerate().map(with_place).collect())
}

/// The device ordinal by which a range attribute says that there is no place.
const NOWHERE: i32 = -2;

fn as_device(place: Option<Location>) -> i32 {
    match place {
        Some(Location::Device(ordinal)) => ordinal,
        Some(_) => HOST,
        None => NOWHERE,
    }
}

fn as_type(place: Option<Location>) -> i32 {
    place.map_or(0, |place| CUmemLocation::of(place).r#type.0 as i32)
}

/// The value of a range attribute in `size` bytes. The list of users is filled up with "nowhere".
fn range_attribute(summary: &Summary, attribute: CUmem_range_attribute, size: usize) -> Vec<i32> {
    let prefetched = summary.prefetched.map(|(place, _)| place);
    let one = match attribute {
        CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY => summary.read_mostly.into(),
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION | CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID => {
            as_device(summary.preferred)
        }
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE => as_type(summary.preferred),
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION => as_device(prefetched),
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE => as_type(prefetched),
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID => summary.prefetched.map_or(NOWHERE, |(_, id)| id),
        _ => {
            let mut users: Vec<i32> = summary.accessed_by.iter().map(|&place| as_device(Some(place))).collect();
            users.resize(size / size_of::<i32>(), NOWHERE);
            return users;
        }
    };
    vec![one]
}

/// Checks that a range attribute exists and that its value can have a size.
fn check_range_attribute(attribute: CUmem_range_attribute, size: usize) -> Result<()> {
    let known =
        (CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY..=CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID).contains(&attribute);
    let fits = match attribute {
        CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY => size != 0 && size.is_multiple_of(size_of::<i32>()),
        _ => size == size_of::<i32>(),
    };
    if known && fits {
        Ok(())
    } else {
        Err(refuse!(Error::INVALID_VALUE, "attribute {:?} is unknown, or dataSize {} is not its size", attribute, size))
    }
}

/// Writes the value of a range attribute.
fn give_range_attribute(
    summary: &Summary,
    attribute: CUmem_range_attribute,
    data: *mut c_void,
    size: usize,
) -> Result<()> {
    let data = Out::<i32>(data.cast());
    // The list may be as long as the program likes: what is behind the last user is written without building it.
    let most = summary.accessed_by.len().max(1) * size_of::<i32>();
    let values = range_attribute(summary, attribute, size.min(most));
    values.iter().enumerate().try_for_each(|(i, &value)| data.set_at(i, value))?;
    (values.len()..size / size_of::<i32>()).try_for_each(|i| data.set_at(i, NOWHERE))
}

/// Moves managed memory to a location on a stream.
///
/// Nothing moves here: host and devices share the memory. The range attributes tell of the prefetch.
///
/// - `devPtr`: first byte of the range.
/// - `count`: size of the range in bytes, at least 1; the range lies in one managed allocation.
/// - `location`: a device, the host or a NUMA node.
/// - `flags`: 0.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, if the location is unknown, or if the range is empty or not
/// in one managed allocation; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_INVALID_HANDLE` if
/// `hStream` is no stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates
/// the capture.
///
/// Manual: Unified Addressing.
#[entry(since = 12020, twin = "ptsz", needs = late)]
pub fn cuMemPrefetchAsync_v2(
    devPtr: CUdeviceptr,
    count: usize,
    location: CUmemLocation,
    flags: c_uint,
    hStream: CUstream,
) -> Result<()> {
    let place = location.place();
    refuse_if!(
        Error::INVALID_VALUE,
        place == Location::Unknown,
        "location.type {:?} is not a location",
        location.r#type
    );
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    device::require_context()?;
    refuse_if!(Error::INVALID_VALUE, devPtr == 0, "devPtr is NULL");
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    let id = if place == Location::Host { HOST } else { location.number() };
    managed::prefetch(&lookup(hStream, default_stream)?, vec![(devPtr as usize, count, place, id)])
}

/// Moves managed memory to a device, or to the host with `CU_DEVICE_CPU`, on a stream.
///
/// - `devPtr`: first byte of the range.
/// - `count`: size of the range in bytes, at least 1; the range lies in one managed allocation.
/// - `dstDevice`: ordinal of the device, or `CU_DEVICE_CPU`.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemPrefetchAsync_v2`].
///
/// Manual: Unified Addressing.
#[entry(since = 8000, twin = "ptsz")]
pub fn cuMemPrefetchAsync(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, devPtr == 0, "devPtr is NULL");
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    let place = place_of(dstDevice);
    managed::prefetch(&lookup(hStream, default_stream)?, vec![(devPtr as usize, count, place, dstDevice)])
}

/// Advises how managed memory will be used, for a location.
///
/// Advice holds for whole pages of 4 KiB. A location that the advice has no use for is ignored, except that its
/// type has to be known. Advice for NUMA nodes succeeds without a look at the range or the context, and has no effect.
///
/// - `devPtr`: first byte of the range.
/// - `count`: size of the range in bytes, at least 1; the range lies in one managed allocation.
/// - `advice`: `CU_MEM_ADVISE_*`.
/// - `location`: the location that the advice is about.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the advice is unknown, if the location does not suit it or does not exist, or
/// if the range is empty or not in one managed allocation; `CUDA_ERROR_INVALID_CONTEXT` without a current context,
/// after advice and location were found to be right; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids
/// the call.
///
/// Manual: Unified Addressing.
#[entry(since = 12020, needs = init)]
pub fn cuMemAdvise_v2(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, location: CUmemLocation) -> Result<()> {
    advise(devPtr, count, advice_of(advice)?, location.place())
}

/// Advises how managed memory will be used, for a device or the host.
///
/// Otherwise as [`cuMemAdvise_v2`].
///
/// - `devPtr`: first byte of the range.
/// - `count`: size of the range in bytes, at least 1; the range lies in one managed allocation.
/// - `advice`: `CU_MEM_ADVISE_*`.
/// - `device`: ordinal of the device, or `CU_DEVICE_CPU`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the advice is unknown, or if the range is empty or not in one managed
/// allocation; `CUDA_ERROR_INVALID_DEVICE` if the advice names a device that does not exist;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Unified Addressing.
#[entry(since = 8000)]
pub fn cuMemAdvise(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, device: CUdevice) -> Result<()> {
    let advice = advice_of(advice)?;
    let place = place_of(device);
    let named = matches!(advice, Advice::PreferredLocation(true) | Advice::AccessedBy(_));
    if named && let Location::Device(ordinal) = place {
        device::device(ordinal)?;
    }
    advise(devPtr, count, advice, place)
}

/// Moves several ranges of managed memory on a stream.
///
/// Location `i` serves the ranges from index `prefetchLocIdxs[i]` on, up to the next location's.
///
/// - `dptrs`: array of `count` addresses.
/// - `sizes`: array of `count` sizes in bytes, at least 1 each; each range lies in one managed allocation.
/// - `count`: number of ranges, at least 1.
/// - `prefetchLocs`: array of `numPrefetchLocs` locations.
/// - `prefetchLocIdxs`: array of the index of the first range of each location; the first is 0.
/// - `numPrefetchLocs`: number of locations, from 1 to `count`.
/// - `flags`: 0.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for the legacy default stream, if an array is NULL, if a number is out of range,
/// if an index is not that of a range, if `flags` is not 0, if a location is unknown or does not exist, or if a range
/// is not in one managed allocation; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; the asynchronous error of
/// the stream's context; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates the
/// capture.
///
/// Manual: Unified Addressing.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemPrefetchBatchAsync(
    dptrs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    prefetchLocs: InMut<CUmemLocation>,
    prefetchLocIdxs: InMut<usize>,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    let stream = batch_stream(hStream, default_stream)?;
    let _visit = Visit::where_needed(hStream.0);
    let ranges = batch_ranges(dptrs, sizes, count)?;
    let prefetches = batch_prefetches(&ranges, prefetchLocs, prefetchLocIdxs, numPrefetchLocs)?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    managed::prefetch(&stream, prefetches)
}

/// Gives up the contents of several ranges of managed memory.
///
/// Whole pages in the ranges are given back when the stream comes there, and read as zeros afterwards.
///
/// - `dptrs`: array of `count` addresses.
/// - `sizes`: array of `count` sizes in bytes, at least 1 each; each range lies in one managed allocation.
/// - `count`: number of ranges, at least 1.
/// - `flags`: 0.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for the legacy default stream, if an array is NULL, if `count` is 0, if `flags`
/// is not 0, or if a range is not in one managed allocation; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; the
/// asynchronous error of the stream's context; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured,
/// which invalidates the capture.
///
/// Manual: Unified Addressing.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemDiscardBatchAsync(
    dptrs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    let stream = batch_stream(hStream, default_stream)?;
    let _visit = Visit::where_needed(hStream.0);
    let ranges = batch_ranges(dptrs, sizes, count)?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    managed::discard(&stream, ranges)
}

/// Gives up the contents of several ranges of managed memory and moves them on a stream.
///
/// The same as [`cuMemDiscardBatchAsync`] followed by [`cuMemPrefetchBatchAsync`].
///
/// - `dptrs`: array of `count` addresses.
/// - `sizes`: array of `count` sizes in bytes, at least 1 each; each range lies in one managed allocation.
/// - `count`: number of ranges, at least 1.
/// - `prefetchLocs`: array of `numPrefetchLocs` locations.
/// - `prefetchLocIdxs`: array of the index of the first range of each location; the first is 0.
/// - `numPrefetchLocs`: number of locations, from 1 to `count`.
/// - `flags`: 0.
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: as [`cuMemPrefetchBatchAsync`].
///
/// Manual: Unified Addressing.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemDiscardAndPrefetchBatchAsync(
    dptrs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    prefetchLocs: InMut<CUmemLocation>,
    prefetchLocIdxs: InMut<usize>,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    let stream = batch_stream(hStream, default_stream)?;
    let _visit = Visit::where_needed(hStream.0);
    let ranges = batch_ranges(dptrs, sizes, count)?;
    let prefetches = batch_prefetches(&ranges, prefetchLocs, prefetchLocIdxs, numPrefetchLocs)?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    managed::discard(&stream, ranges)?;
    managed::prefetch(&stream, prefetches)
}

/// Samples where the pages of a range are.
///
/// Pages are where they were prefetched to last, else on the host if they have memory, else nowhere.
///
/// - `ptr`: first byte of the range, of managed memory or of the program's own that is not registered.
/// - `size`: size of the range in bytes.
/// - `summaryGranularity`: bytes that one result stands for, 1 to `size`.
/// - `samplingGranularity`: bytes from sample to sample, up to `summaryGranularity`; 0 for a usual number.
/// - `location_out`: receives a location for each `summaryGranularity` bytes; `CU_MEM_LOCATION_TYPE_NONE` for nowhere.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `location_out` is NULL, for other granularities, and for a range of any other
/// memory or of none.
///
/// Manual: Unified Addressing.
#[entry(since = 13040, status = "implemented by the manual; newer than driver 580")]
pub fn cuMemGetLocationInfo(
    ptr: CUdeviceptr,
    size: usize,
    summaryGranularity: usize,
    samplingGranularity: usize,
    location_out: Out<CUmemLocation>,
) -> Result<()> {
    location_out.check()?;
    let nowhere = CUmemLocation { r#type: CU_MEM_LOCATION_TYPE_NONE, ..Default::default() };
    managed::locations(ptr as usize, size, summaryGranularity, samplingGranularity, |index, place| {
        location_out.set_at(index, place.map_or(nowhere, CUmemLocation::of))
    })
}

/// Reads one attribute of a range of managed memory.
///
/// An attribute on which the pages of the range differ reads as if it had never been set. No location is -2, the host
/// is -1.
///
/// - `data`: receives the value: 32 bits, or a list of them for `CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY`, filled up with
///   -2.
/// - `dataSize`: size of `data` in bytes: 4, for the list any multiple of 4.
/// - `attribute`: `CU_MEM_RANGE_ATTRIBUTE_*`.
/// - `devPtr`: first byte of the range.
/// - `count`: size of the range in bytes, at least 1; the range lies in one managed allocation.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `data` is NULL, if the attribute is unknown or its size wrong, or if the range
/// is empty or not in one managed allocation.
///
/// Manual: Unified Addressing.
#[entry(since = 8000)]
pub fn cuMemRangeGetAttribute(
    data: *mut c_void,
    dataSize: usize,
    attribute: CUmem_range_attribute,
    devPtr: CUdeviceptr,
    count: usize,
) -> Result<()> {
    check_range_attribute(attribute, dataSize)?;
    let summary = managed::summary(devPtr as usize, count)?;
    give_range_attribute(&summary, attribute, data, dataSize)
}

/// Reads several attributes of a range of managed memory.
///
/// Nothing is written unless everything is right. Values as for [`cuMemRangeGetAttribute`].
///
/// - `data`: array of `numAttributes` addresses, which receive the values.
/// - `dataSizes`: array of the sizes of the values in bytes.
/// - `attributes`: array of `CU_MEM_RANGE_ATTRIBUTE_*`.
/// - `numAttributes`: number of attributes, at least 1.
/// - `devPtr`: first byte of the range.
/// - `count`: size of the range in bytes, at least 1; the range lies in one managed allocation.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if an array is NULL or `numAttributes` is 0, if an address is NULL, if an
/// attribute is unknown or its size wrong, or if the range is empty or not in one managed allocation.
///
/// Manual: Unified Addressing.
#[entry(since = 8000)]
pub fn cuMemRangeGetAttributes(
    data: InMut<*mut c_void>,
    dataSizes: InMut<usize>,
    attributes: InMut<CUmem_range_attribute>,
    numAttributes: usize,
    devPtr: CUdeviceptr,
    count: usize,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, numAttributes == 0, "numAttributes is 0");
    let (data, sizes) = (data.slice(numAttributes)?, dataSizes.slice(numAttributes)?);
    let attributes = attributes.slice(numAttributes)?;
    let summary = managed::summary(devPtr as usize, count)?;
    let all = || attributes.iter().zip(&data).zip(&sizes);
    for ((&attribute, data), &size) in all() {
        check_range_attribute(attribute, size)?;
        refuse_if!(Error::INVALID_VALUE, data.is_null(), "data has a NULL pointer, for attribute {:?}", attribute);
    }
    all().try_for_each(|((&attribute, &data), &size)| give_range_attribute(&summary, attribute, data, size))
}
