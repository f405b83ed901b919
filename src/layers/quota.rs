//! `DOPPEL_MEMORY_LIMIT` in front of the real driver: accounts of device memory by the calls that take it and give it back.
//!
//! Linear memory, arrays and physical memory count by their sizes until they are freed; pools and graphs by what the real driver
//! says that they hold, which is asked whenever it matters. Not counted, because the device's memory does not become less by it:
//! managed memory, imports of what other processes have, sparse arrays and those mapped later. What contexts and modules take is
//! the driver's own.
//!
//! The same accounts say what was never freed ([`leaks`]), also of managed and page-locked memory, which counts for no limit.
//!
//! A call reserves its bytes before it is made, so that two threads do not get what both saw as free.

mod account;
mod leaks;
mod size;

use super::call::{Call, QUOTA};
use super::real;
use crate::table::Entry;
use account::{ACCOUNTS, HOST, Key};
use core::ffi::c_uint;
use error::Error;
use settings::config::{Check, Limits};
use settings::log;
use size::{Array3dDescriptor, ArrayDescriptor};
use std::sync::OnceLock;

static LIMITS: OnceLock<&'static Limits> = OnceLock::new();

/// Counts from now on, for limits, for leaks, or for both.
pub fn start(limits: Option<&'static Limits>, leaks: Option<&Check>) {
    if let Some(limits) = limits {
        let _ = LIMITS.set(limits);
    }
    account::watch_forks();
    if let Some(check) = leaks {
        leaks::start(check);
    }
}

/// Bytes that the process may have of a device.
fn limit(device: i32) -> Option<u64> {
    LIMITS.get()?.of(usize::try_from(device).ok()?)
}

type Handler = unsafe fn(&mut Call) -> u32;

/// What is done around which functions, by their names without twin suffix, with the parameters that this relies on.
const HANDLERS: &[(&str, &str, Handler)] = &[
    ("cuMemAlloc_v2", "dptr: Out<CUdeviceptr>, bytesize: usize", linear),
    (
        "cuMemAllocPitch_v2",
        "dptr: Out<CUdeviceptr>, pPitch: Out<usize>, WidthInBytes: usize, Height: usize, ElementSizeBytes: c_uint",
        pitch,
    ),
    ("cuMemFree_v2", "dptr: CUdeviceptr", free),
    ("cuMemAllocAsync", "dptr: Out<CUdeviceptr>, bytesize: usize, hStream: CUstream", from_current_pool),
    (
        "cuMemAllocFromPoolAsync",
        "dptr: Out<CUdeviceptr>, bytesize: usize, pool: CUmemoryPool, hStream: CUstream",
        from_pool,
    ),
    ("cuMemFreeAsync", "dptr: CUdeviceptr, hStream: CUstream", free),
    ("cuMemAllocManaged", "dptr: Out<CUdeviceptr>, bytesize: usize, flags: c_uint", managed),
    ("cuMemAllocHost_v2", "pp: Out<*mut c_void>, bytesize: usize", host),
    ("cuMemHostAlloc", "pp: Out<*mut c_void>, bytesize: usize, Flags: c_uint", host),
    ("cuMemFreeHost", "p: *mut c_void", host_free),
    ("cuMemPoolCreate", "pool: Out<CUmemoryPool>, poolProps: In<CUmemPoolProps>", pool_create),
    ("cuMemPoolDestroy", "pool: CUmemoryPool", pool_destroy),
    ("cuArrayCreate_v2", "pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR>", array),
    ("cuArray3DCreate_v2", "pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR>", array_3d),
    ("cuArrayDestroy", "hArray: CUarray", array_destroy),
    (
        "cuMipmappedArrayCreate",
        "pHandle: Out<CUmipmappedArray>, pMipmappedArrayDesc: In<CUDA_ARRAY3D_DESCRIPTOR>, numMipmapLevels: c_uint",
        mipmapped_array,
    ),
    ("cuMipmappedArrayDestroy", "hMipmappedArray: CUmipmappedArray", mipmapped_array_destroy),
    (
        "cuMemCreate",
        "handle: Out<CUmemGenericAllocationHandle>, size: usize, prop: In<CUmemAllocationProp>, flags: c_ulonglong",
        physical,
    ),
    ("cuMemRelease", "handle: CUmemGenericAllocationHandle", physical_release),
    ("cuMemRetainAllocationHandle", "handle: Out<CUmemGenericAllocationHandle>, addr: *mut c_void", physical_retain),
    (
        "cuMemMap",
        "ptr: CUdeviceptr, size: usize, offset: usize, handle: CUmemGenericAllocationHandle, flags: c_ulonglong",
        map,
    ),
    ("cuMemUnmap", "ptr: CUdeviceptr, size: usize", unmap),
    ("cuCtxDestroy", "ctx: CUcontext", context_destroy),
    ("cuCtxDestroy_v2", "ctx: CUcontext", context_destroy),
    ("cuDevicePrimaryCtxRetain", "pctx: Out<CUcontext>, dev: CUdevice", primary_retain),
    ("cuDevicePrimaryCtxRelease", "dev: CUdevice", primary_release),
    ("cuDevicePrimaryCtxRelease_v2", "dev: CUdevice", primary_release),
    ("cuDevicePrimaryCtxReset", "dev: CUdevice", primary_release),
    ("cuDevicePrimaryCtxReset_v2", "dev: CUdevice", primary_release),
    ("cuMemGetInfo_v2", "free: Out<usize>, total: Out<usize>", memory_info),
    ("cuDeviceTotalMem_v2", "bytes: Out<usize>, dev: CUdevice", total_memory),
];

/// The name without the suffix of a twin.
fn plain(name: &str) -> &str {
    name.strip_suffix("_ptsz").or(name.strip_suffix("_ptds")).unwrap_or(name)
}

/// What [`around`] wants to find in [`Entry::layers`]. `None`: the function takes no memory and tells nothing of it.
pub fn bits(entry: &Entry) -> Option<u32> {
    HANDLERS.iter().position(|(name, ..)| *name == plain(entry.name())).map(|index| index as u32 + 1)
}

/// Makes a call, and counts.
pub fn around(call: &mut Call) -> u32 {
    match HANDLERS.get(((call.entry.layers() & QUOTA) as usize).wrapping_sub(1)) {
        // SAFETY: `bits` has found the handler by the function's name, and the test below holds it against the declaration.
        Some((_, _, handler)) => unsafe { handler(call) },
        None => call.make(),
    }
}

/// A result that the real driver has written, because it succeeded.
///
/// # Safety
/// The real driver has just written a value of this type there.
unsafe fn written<T: Copy>(out: *const T) -> T {
    // SAFETY: as the caller says.
    unsafe { out.read_unaligned() }
}

#[cold]
fn over(call: &Call, device: i32, bytes: u64) -> u32 {
    let (used, limit) = (used(device), limit(device).unwrap_or(u64::MAX));
    log::info!(
        "{}: CUDA_ERROR_OUT_OF_MEMORY: {bytes} more bytes are over DOPPEL_MEMORY_LIMIT: the process has {used} of {limit} on \
         device {device}",
        call.entry.name()
    );
    Error::OUT_OF_MEMORY.code()
}

/// Bytes that the process has of a device.
fn used(device: i32) -> u64 {
    let pools = ACCOUNTS.with(|accounts| accounts.pools_of(device));
    let pooled: u64 = pools.into_iter().map(real::pool_reserved).sum();
    ACCOUNTS.with(|accounts| accounts.held(device)).saturating_add(pooled).saturating_add(real::graphs_reserved(device))
}

/// Bytes of a device that a call is about to take: counted until this goes, or becomes an account.
struct Reserved {
    device: i32,
    bytes: u64,
}

impl Reserved {
    /// Counts `bytes`, unless that is more than the limit. The real driver takes back what pools keep for later before it
    /// refuses, and so does this.
    fn new(device: i32, bytes: u64) -> Option<Reserved> {
        let reserved = Reserved { device, bytes };
        ACCOUNTS.with(|accounts| accounts.add(device, bytes));
        let Some(limit) = limit(device) else { return Some(reserved) };
        if used(device) <= limit {
            return Some(reserved);
        }
        for pool in ACCOUNTS.with(|accounts| accounts.pools_of(device)) {
            real::trim(pool);
        }
        real::trim_graphs(device);
        (used(device) <= limit).then_some(reserved)
    }

    /// Counts `bytes` from now on, for `key`, of which `what` and `at` say what it is.
    fn becomes(self, key: Key, bytes: u64, what: &'static str, at: u64) {
        let (context, made) = (real::current_context(), leaks::made(what, at));
        ACCOUNTS.with(|accounts| accounts.open(key, self.device, bytes, context, made));
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        ACCOUNTS.with(|accounts| accounts.take_off(self.device, self.bytes));
    }
}

/// A call that takes `bytes` of the current context's device, or of `device`, and writes what it gives to `out`. Whoever counts
/// it learns of success by `then`.
fn taking(call: &mut Call, device: Option<i32>, bytes: u64, out: usize, then: impl FnOnce(Reserved)) -> u32 {
    // Without a context, or a place for the result, the real driver refuses, and knows how.
    let Some(device) = device.or_else(real::current_device).filter(|_| out != 0) else { return call.make() };
    let Some(reserved) = Reserved::new(device, bytes) else {
        // The real driver clears addresses when it refuses, and leaves handles as they are.
        if call.entry.params.starts_with("dptr") {
            real::poke(out, 0u64);
        }
        return over(call, device, bytes);
    };
    let code = call.make();
    if code == 0 {
        then(reserved);
    }
    code
}

/// What reports call memory at an address.
const LINEAR: &str = "device memory";

unsafe fn linear(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (dptr, bytes): (usize, usize) = unsafe { (call.argument(0), call.argument(1)) };
    taking(call, None, bytes as u64, dptr, |reserved| {
        // SAFETY: the call has succeeded.
        let address = unsafe { written(dptr as *const u64) };
        reserved.becomes(Key::Address(address), bytes as u64, LINEAR, address);
    })
}

unsafe fn pitch(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (dptr, pitch, width, height): (usize, usize, usize, usize) =
        unsafe { (call.argument(0), call.argument(1), call.argument(2), call.argument(3)) };
    let least = (width as u64).saturating_mul(height as u64);
    taking(call, None, least, dptr, |reserved| {
        // SAFETY: the call has succeeded.
        let (address, pitch) = unsafe { (written(dptr as *const u64), written(pitch as *const usize)) };
        reserved.becomes(Key::Address(address), (pitch as u64).saturating_mul(height as u64), LINEAR, address);
    })
}

/// Both ways to free an address.
unsafe fn free(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let address: u64 = unsafe { call.argument(0) };
    closing(call, Key::Address(address))
}

/// A call that ends what an account is for.
fn closing(call: &mut Call, key: Key) -> u32 {
    // Before the call: another thread may get the same address at once.
    let account = ACCOUNTS.with(|accounts| accounts.close(key));
    let code = call.make();
    if code != 0
        && let Some(account) = account
    {
        ACCOUNTS.with(|accounts| accounts.put_back(key, account));
    }
    code
}

unsafe fn managed(call: &mut Call) -> u32 {
    // SAFETY: `cuMemAllocManaged` begins with both.
    unsafe { outside(call, Key::Address, "managed memory") }
}

unsafe fn host(call: &mut Call) -> u32 {
    // SAFETY: both functions begin with both.
    unsafe { outside(call, Key::Host, "page-locked host memory") }
}

/// A call that takes memory which counts for no limit.
///
/// # Safety
/// Its arguments begin with where the address goes and the bytes.
unsafe fn outside(call: &mut Call, key: fn(u64) -> Key, what: &'static str) -> u32 {
    // SAFETY: as the caller says.
    let (out, bytes): (usize, usize) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0 && leaks::is_on() {
        // SAFETY: the call has succeeded.
        let address = unsafe { written(out as *const u64) };
        let (context, made) = (real::current_context(), leaks::made(what, address));
        ACCOUNTS.with(|accounts| accounts.open(key(address), HOST, bytes as u64, context, made));
    }
    code
}

unsafe fn host_free(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let address: u64 = unsafe { call.argument(0) };
    closing(call, Key::Host(address))
}

unsafe fn from_current_pool(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (dptr, bytes, stream): (usize, usize, usize) =
        unsafe { (call.argument(0), call.argument(1), call.argument(2)) };
    let Some(device) = real::device_of(stream) else { return call.make() };
    let pool = real::current_pool(device);
    // SAFETY: `dptr` is where the result goes.
    unsafe { pooled(call, dptr, bytes, pool, Some(device), stream) }
}

unsafe fn from_pool(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (dptr, bytes, pool, stream): (usize, usize, u64, usize) =
        unsafe { (call.argument(0), call.argument(1), call.argument(2), call.argument(3)) };
    let device = ACCOUNTS.with(|accounts| accounts.device_of_pool(pool));
    // SAFETY: `dptr` is where the result goes.
    unsafe { pooled(call, dptr, bytes, Some(pool), device, stream) }
}

/// An allocation from a pool, which counts by what the pool holds.
///
/// # Safety
/// `dptr` receives the address.
unsafe fn pooled(
    call: &mut Call,
    dptr: usize,
    bytes: usize,
    pool: Option<u64>,
    device: Option<i32>,
    stream: usize,
) -> u32 {
    // An unknown pool is one of the host's memory, or not ours.
    let Some(device) = device else { return call.make() };
    // A pool that is not known yet is the device's own, and has no memory of this process.
    let room = pool.map_or(0, |pool| real::pool_reserved(pool).saturating_sub(real::pool_used(pool)));
    let more = (bytes as u64).saturating_sub(room);
    let mut given = 0;
    let code = taking(call, Some(device), more, dptr, |_| {
        // SAFETY: the call has succeeded.
        given = unsafe { written(dptr as *const u64) };
    });
    // In a capture there is no memory yet, and the address is of no pool.
    let Some(pool) = (given != 0).then(|| real::pool_of(given)).flatten() else { return code };
    let on = real::device_of_address(given).unwrap_or(device);
    let made = leaks::made("device memory in stream order", given);
    ACCOUNTS.with(|accounts| accounts.give_from_pool(given, on, pool, bytes as u64, made));
    // Pools grow by more than they are asked for.
    if limit(on).is_some_and(|limit| used(on) > limit) {
        real::free_async(given, stream);
        let _ = ACCOUNTS.with(|accounts| accounts.close(Key::Address(given)));
        // SAFETY: the real driver has written there.
        unsafe { (dptr as *mut u64).write_unaligned(0) };
        real::trim(pool);
        return over(call, on, bytes as u64);
    }
    code
}

/// `CU_MEM_LOCATION_TYPE_DEVICE`.
const ON_DEVICE: u32 = 1;
/// `CU_MEM_ALLOCATION_TYPE_PINNED`.
const PINNED: u32 = 1;

/// How `CUmemPoolProps` and `CUmemAllocationProp` begin.
#[derive(Clone, Copy)]
#[repr(C)]
struct Properties {
    kind: u32,
    handle_types: u32,
    location: u32,
    id: i32,
}

impl Properties {
    /// The device whose memory is meant.
    fn device(self) -> Option<i32> {
        (self.kind == PINNED && self.location == ON_DEVICE).then_some(self.id)
    }
}

unsafe fn pool_create(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (pool, properties): (usize, usize) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0 {
        // SAFETY: the call has succeeded: it has read the one and written the other.
        let (pool, properties) = unsafe { (written(pool as *const u64), written(properties as *const Properties)) };
        if let Some(device) = properties.device() {
            ACCOUNTS.with(|accounts| accounts.pool(pool, device));
        }
    }
    code
}

unsafe fn pool_destroy(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let pool: u64 = unsafe { call.argument(0) };
    let code = call.make();
    if code == 0 {
        ACCOUNTS.with(|accounts| accounts.pool_gone(pool));
    }
    code
}

unsafe fn array(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (handle, descriptor): (usize, usize) = unsafe { (call.argument(0), call.argument(1)) };
    let bytes = real::peek::<ArrayDescriptor>(descriptor).map_or(0, |descriptor| size::array(&descriptor.into()));
    // SAFETY: `handle` is where the result goes.
    unsafe { counted_array(call, handle, bytes, Key::Array) }
}

unsafe fn array_3d(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (handle, descriptor): (usize, usize) = unsafe { (call.argument(0), call.argument(1)) };
    let bytes = real::peek::<Array3dDescriptor>(descriptor).map_or(0, |descriptor| size::array(&descriptor));
    // SAFETY: `handle` is where the result goes.
    unsafe { counted_array(call, handle, bytes, Key::Array) }
}

unsafe fn mipmapped_array(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (handle, descriptor, levels): (usize, usize, c_uint) =
        unsafe { (call.argument(0), call.argument(1), call.argument(2)) };
    let bytes = real::peek(descriptor).map_or(0, |descriptor| size::mipmapped_array(&descriptor, levels));
    // SAFETY: `handle` is where the result goes.
    unsafe { counted_array(call, handle, bytes, Key::MipmappedArray) }
}

/// # Safety
/// `out` receives the array's handle.
unsafe fn counted_array(call: &mut Call, out: usize, bytes: u64, key: fn(u64) -> Key) -> u32 {
    taking(call, None, bytes, out, |reserved| {
        // SAFETY: the call has succeeded.
        let handle = unsafe { written(out as *const u64) };
        reserved.becomes(key(handle), bytes, "array memory", handle);
    })
}

unsafe fn array_destroy(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let handle: u64 = unsafe { call.argument(0) };
    closing(call, Key::Array(handle))
}

unsafe fn mipmapped_array_destroy(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let handle: u64 = unsafe { call.argument(0) };
    closing(call, Key::MipmappedArray(handle))
}

unsafe fn physical(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (out, bytes, properties): (usize, usize, usize) =
        unsafe { (call.argument(0), call.argument(1), call.argument(2)) };
    let Some(device) = real::peek::<Properties>(properties).and_then(Properties::device) else { return call.make() };
    taking(call, Some(device), bytes as u64, out, |reserved| {
        // SAFETY: the call has succeeded.
        let handle = unsafe { written(out as *const u64) };
        let made = leaks::made("physical memory", handle);
        ACCOUNTS.with(|accounts| accounts.physical(handle, reserved.device, bytes as u64, made));
    })
}

unsafe fn physical_release(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let handle: u64 = unsafe { call.argument(0) };
    let code = call.make();
    if code == 0 {
        ACCOUNTS.with(|accounts| accounts.release(handle));
    }
    code
}

unsafe fn physical_retain(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (handle, address): (usize, u64) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0 {
        // SAFETY: the call has succeeded.
        let handle = unsafe { written(handle as *const u64) };
        ACCOUNTS.with(|accounts| accounts.retain(handle, address));
    }
    code
}

unsafe fn map(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (address, bytes, handle): (u64, usize, u64) = unsafe { (call.argument(0), call.argument(1), call.argument(3)) };
    let code = call.make();
    if code == 0 {
        ACCOUNTS.with(|accounts| accounts.map(address, bytes as u64, handle));
    }
    code
}

unsafe fn unmap(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (address, bytes): (u64, usize) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0 {
        ACCOUNTS.with(|accounts| accounts.unmap(address, bytes as u64));
    }
    code
}

unsafe fn context_destroy(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let context: usize = unsafe { call.argument(0) };
    let code = call.make();
    if code == 0 {
        leaks::lost(ACCOUNTS.with(|accounts| accounts.context_gone(context)));
    }
    code
}

unsafe fn primary_retain(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (context, device): (usize, i32) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0 {
        // SAFETY: the call has succeeded.
        let context = unsafe { written(context as *const usize) };
        ACCOUNTS.with(|accounts| accounts.primary(device, context));
    }
    code
}

/// Releasing and resetting: what was made in the context goes with it.
unsafe fn primary_release(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let device: i32 = unsafe { call.argument(0) };
    let code = call.make();
    if code == 0 && !real::primary_is_active(device) {
        leaks::lost(ACCOUNTS.with(|accounts| accounts.primary_gone(device)));
    }
    code
}

unsafe fn memory_info(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (free, total): (usize, usize) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0
        && let Some(device) = real::current_device()
        && let Some(limit) = limit(device)
    {
        let left = limit.saturating_sub(used(device));
        for (out, most) in [(free, left), (total, limit)] {
            let out = out as *mut usize;
            if !out.is_null() {
                // SAFETY: the call has succeeded: it has written there.
                unsafe { out.write_unaligned(out.read_unaligned().min(most as usize)) };
            }
        }
    }
    code
}

unsafe fn total_memory(call: &mut Call) -> u32 {
    // SAFETY: as declared.
    let (bytes, device): (usize, i32) = unsafe { (call.argument(0), call.argument(1)) };
    let code = call.make();
    if code == 0
        && let Some(limit) = limit(device)
    {
        let out = bytes as *mut usize;
        // SAFETY: the call has succeeded: it has written there.
        unsafe { out.write_unaligned(out.read_unaligned().min(limit as usize)) };
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;

    #[test]
    fn the_handlers_read_arguments_as_they_are_declared() {
        for (name, params, _) in HANDLERS {
            let rows: Vec<_> = table::ENTRIES.iter().filter(|entry| plain(entry.name()) == *name).collect();
            assert!(!rows.is_empty(), "{name}");
            for row in rows {
                assert_eq!(row.params, *params, "{}", row.name());
            }
        }
    }
}
