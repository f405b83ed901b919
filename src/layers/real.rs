//! What layers ask the real driver, past the slots.

use crate::forward;
use core::ffi::{CStr, c_int, c_void};
use core::mem::{MaybeUninit, size_of};

/// Calls a function of the real driver that takes two words, or one. `None`: it has none of this name, or refuses.
fn ask(name: &CStr, first: usize, second: usize, third: usize) -> Option<()> {
    let function = forward::symbol(name);
    if function.is_null() {
        return None;
    }
    // SAFETY: the callers below know the function's signature; a word in a register that it does not have is not looked at.
    let function: unsafe extern "C" fn(usize, usize, usize) -> u32 = unsafe { core::mem::transmute(function) };
    // SAFETY: as above.
    (unsafe { function(first, second, third) } == 0).then_some(())
}

/// The device of the current context.
pub fn current_device() -> Option<i32> {
    let mut device: c_int = 0;
    ask(c"cuCtxGetDevice", (&raw mut device) as usize, 0, 0).map(|()| device)
}

/// The current context, 0 for none.
pub fn current_context() -> usize {
    let mut context = 0usize;
    ask(c"cuCtxGetCurrent", (&raw mut context) as usize, 0, 0).map_or(0, |()| context)
}

/// The device of a stream, or of the current context.
pub fn device_of(stream: usize) -> Option<i32> {
    /// The default streams.
    const SPECIAL: usize = 2;
    let mut device: c_int = 0;
    let of_stream =
        (stream > SPECIAL).then(|| ask(c"cuStreamGetDevice", stream, (&raw mut device) as usize, 0)).flatten();
    of_stream.map(|()| device).or_else(current_device)
}

/// Whether the primary context of a device is there.
pub fn primary_is_active(device: i32) -> bool {
    let (mut flags, mut active) = (0u32, 0 as c_int);
    ask(c"cuDevicePrimaryCtxGetState", device as usize, (&raw mut flags) as usize, (&raw mut active) as usize).is_some()
        && active != 0
}

/// The pool that an address is from.
pub fn pool_of(address: u64) -> Option<u64> {
    const MEMPOOL_HANDLE: usize = 17;
    let mut pool = 0u64;
    ask(c"cuPointerGetAttribute", (&raw mut pool) as usize, MEMPOOL_HANDLE, address as usize)?;
    (pool != 0).then_some(pool)
}

/// The device on which an address lies.
pub fn device_of_address(address: u64) -> Option<i32> {
    const DEVICE_ORDINAL: usize = 9;
    let mut device: c_int = 0;
    ask(c"cuPointerGetAttribute", (&raw mut device) as usize, DEVICE_ORDINAL, address as usize).map(|()| device)
}

fn pool_attribute(pool: u64, attribute: usize) -> u64 {
    let mut bytes = 0u64;
    ask(c"cuMemPoolGetAttribute", pool as usize, attribute, (&raw mut bytes) as usize).map_or(0, |()| bytes)
}

/// Bytes that a pool holds.
pub fn pool_reserved(pool: u64) -> u64 {
    const RESERVED_MEM_CURRENT: usize = 5;
    pool_attribute(pool, RESERVED_MEM_CURRENT)
}

/// Bytes of a pool that are allocated.
pub fn pool_used(pool: u64) -> u64 {
    const USED_MEM_CURRENT: usize = 7;
    pool_attribute(pool, USED_MEM_CURRENT)
}

/// Gives back what a pool holds and nobody uses.
pub fn trim(pool: u64) {
    let _ = ask(c"cuMemPoolTrimTo", pool as usize, 0, 0);
}

/// The pool that allocations of a device's streams come from.
pub fn current_pool(device: i32) -> Option<u64> {
    let mut pool = 0u64;
    ask(c"cuDeviceGetMemPool", (&raw mut pool) as usize, device as usize, 0).map(|()| pool)
}

/// Bytes that graphs hold on a device.
pub fn graphs_reserved(device: i32) -> u64 {
    const RESERVED_MEM_CURRENT: usize = 2;
    let mut bytes = 0u64;
    let asked = ask(c"cuDeviceGetGraphMemAttribute", device as usize, RESERVED_MEM_CURRENT, (&raw mut bytes) as usize);
    asked.map_or(0, |()| bytes)
}

/// Gives back what graphs hold on a device and do not use.
pub fn trim_graphs(device: i32) {
    let _ = ask(c"cuDeviceGraphMemTrim", device as usize, 0, 0);
}

/// Frees memory from a pool again, in the order of a stream.
pub fn free_async(address: u64, stream: usize) {
    let _ = ask(c"cuMemFreeAsync", address as usize, stream, 0);
}

/// A value at an address of the program's, which may be wrong: the driver has not looked at it yet. Not through `guard`, whose
/// signal handler has no place in a process that only the real driver serves.
pub fn peek<T: Copy>(address: usize) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    let size = size_of::<T>();
    let local = libc::iovec { iov_base: value.as_mut_ptr().cast(), iov_len: size };
    let remote = libc::iovec { iov_base: core::ptr::without_provenance_mut::<c_void>(address), iov_len: size };
    // SAFETY: the kernel writes `value` alone, and refuses an address that is wrong.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    // SAFETY: all of it is written; `T` is a C structure of numbers.
    (read == size as isize).then(|| unsafe { value.assume_init() })
}

/// Writes a value to an address of the program's, which may be wrong.
pub fn poke<T: Copy>(address: usize, mut value: T) {
    let size = size_of::<T>();
    let local = libc::iovec { iov_base: (&raw mut value).cast(), iov_len: size };
    let remote = libc::iovec { iov_base: core::ptr::without_provenance_mut::<c_void>(address), iov_len: size };
    // SAFETY: the address is one that the program wants written; the kernel refuses one that is wrong.
    unsafe { libc::process_vm_writev(libc::getpid(), &local, 1, &remote, 1, 0) };
}
