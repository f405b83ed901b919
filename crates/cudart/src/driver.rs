//! The driver's functions, found by name in `libcuda.so.1` at their first use.
//!
//! A function that the driver does not export is `cudaErrorCallRequiresNewerDriver`; no driver at all is
//! `cudaErrorInsufficientDriver`. A refusal because no context is current is looked into: a program that has taken ours
//! away gets it back, and the call is made again.

use crate::error::{Error, Result};
use crate::types::{DriverEglFrame, IpcHandle, Location};
use core::ffi::{CStr, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use core::{mem, ptr};
use std::sync::OnceLock;

/// Any pointer or handle.
type P = *mut c_void;
/// An address on the device.
type A = u64;

const INVALID_CONTEXT: c_int = 201;
const CONTEXT_IS_DESTROYED: c_int = 709;

/// What can be passed where the driver takes a `T`.
pub trait Pass<T> {
    fn pass(self) -> T;
}

impl<X> Pass<P> for *mut X {
    fn pass(self) -> P {
        self.cast()
    }
}

impl<X> Pass<P> for *const X {
    fn pass(self) -> P {
        self.cast_mut().cast()
    }
}

impl<X> Pass<P> for &X {
    fn pass(self) -> P {
        (&raw const *self).cast_mut().cast()
    }
}

impl<X> Pass<A> for *mut X {
    fn pass(self) -> A {
        self as usize as A
    }
}

impl<X> Pass<A> for *const X {
    fn pass(self) -> A {
        self as usize as A
    }
}

macro_rules! itself {
    ($($t:ty),*) => { $(
        impl Pass<$t> for $t {
            fn pass(self) -> $t {
                self
            }
        }
    )* };
}
itself!(u8, c_int, c_uint, u64, usize, Location, IpcHandle, DriverEglFrame);

/// The library, opened once; `MISSING` when it cannot be.
static LIBRARY: AtomicUsize = AtomicUsize::new(0);
const MISSING: usize = usize::MAX;

fn library() -> Option<*mut c_void> {
    let known = LIBRARY.load(Ordering::Acquire);
    if known == MISSING {
        return None;
    }
    if known != 0 {
        return Some(known as *mut c_void);
    }
    // SAFETY: a plain call; the name is a C string.
    let handle = unsafe { libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW) };
    // Two threads may get here; both get the same handle.
    LIBRARY.store(if handle.is_null() { MISSING } else { handle as usize }, Ordering::Release);
    (!handle.is_null()).then_some(handle)
}

/// A function of the driver.
struct Slot {
    found: AtomicPtr<c_void>,
    name: &'static CStr,
}

impl Slot {
    const fn new(name: &'static CStr) -> Slot {
        Slot { found: AtomicPtr::new(ptr::null_mut()), name }
    }

    #[inline]
    fn get(&self) -> Result<*mut c_void> {
        let found = self.found.load(Ordering::Acquire);
        if found.is_null() { self.find() } else { Ok(found) }
    }

    #[cold]
    fn find(&self) -> Result<*mut c_void> {
        let library = library().ok_or(Error::INSUFFICIENT_DRIVER)?;
        // SAFETY: the handle is open for ever; the name is a C string.
        let found = unsafe { libc::dlsym(library, self.name.as_ptr()) };
        if found.is_null() {
            return Err(Error::CALL_REQUIRES_NEWER_DRIVER);
        }
        self.found.store(found, Ordering::Release);
        Ok(found)
    }
}

/// Binds a context where the calling thread has lost the one it had; false if a second try is in vain.
static REBIND: OnceLock<fn() -> bool> = OnceLock::new();

/// Says what is done when the driver finds no current context. Only the first to say so counts.
pub fn on_lost_context(rebind: fn() -> bool) {
    let _ = REBIND.set(rebind);
}

#[cold]
fn rebind() -> bool {
    REBIND.get().is_some_and(|rebind| rebind())
}

/// Makes a call and turns its result into ours.
#[inline]
fn invoke(call: impl Fn() -> c_int) -> Result {
    match call() {
        0 => Ok(()),
        INVALID_CONTEXT | CONTEXT_IS_DESTROYED if rebind() => match call() {
            0 => Ok(()),
            code => Err(Error::from_driver(code)),
        },
        code => Err(Error::from_driver(code)),
    }
}

/// `name(parameters);` or `name / twin(parameters);` where the twin takes stream 0 as the per-thread default stream.
macro_rules! driver {
    ($($name:ident $(/ $twin:ident)? ($($a:ident: $t:ty),*);)*) => {
        $(driver!(@ $name [$($twin)?] ($($a: $t),*));)*
    };
    (@ $name:ident [] ($($a:ident: $t:ty),*)) => {
        #[allow(dead_code)]
        pub fn $name($($a: impl Pass<$t>),*) -> Result {
            static SLOT: Slot = Slot::new(driver!(? $name));
            let function = SLOT.get()?;
            $(let $a: $t = $a.pass();)*
            // SAFETY: the driver's function of this name has this signature; what the arguments point to is the
            // caller's promise, as in C.
            invoke(|| unsafe {
                mem::transmute::<*mut c_void, unsafe extern "C" fn($($t),*) -> c_int>(function)($($a),*)
            })
        }
    };
    (@ $name:ident [$twin:ident] ($($a:ident: $t:ty),*)) => {
        #[allow(dead_code)]
        pub fn $name(per_thread: bool, $($a: impl Pass<$t>),*) -> Result {
            static SLOT: Slot = Slot::new(driver!(? $name));
            static TWIN: Slot = Slot::new(driver!(? $twin));
            let function = if per_thread { TWIN.get()? } else { SLOT.get()? };
            $(let $a: $t = $a.pass();)*
            // SAFETY: as above.
            invoke(|| unsafe {
                mem::transmute::<*mut c_void, unsafe extern "C" fn($($t),*) -> c_int>(function)($($a),*)
            })
        }
    };
    (? $name:ident) => {
        match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    };
}

driver! {
    // context
    cuInit(flags: c_uint);
    cuDeviceGetCount(count: P);
    cuDevicePrimaryCtxRetain(pctx: P, dev: c_int);
    cuCtxGetCurrent(pctx: P);
    cuCtxSetCurrent(ctx: P);
    cuCtxGetDevice(device: P);
    cuDevicePrimaryCtxSetFlags_v2(dev: c_int, flags: c_uint);
    cuDevicePrimaryCtxReset_v2(dev: c_int);
    cuDevicePrimaryCtxGetState(dev: c_int, flags: P, active: P);
    cuCtxGetFlags(flags: P);
    // device
    cuDeviceGetAttribute(pi: P, attrib: c_int, dev: c_int);
    cuDeviceGetByPCIBusId(dev: P, pci_bus_id: P);
    cuDeviceGetPCIBusId(pci_bus_id: P, len: c_int, dev: c_int);
    cuCtxGetLimit(pvalue: P, limit: c_int);
    cuCtxSetLimit(limit: c_int, value: usize);
    cuCtxGetCacheConfig(pconfig: P);
    cuCtxSetCacheConfig(config: c_int);
    cuCtxGetSharedMemConfig(p_config: P);
    cuCtxSetSharedMemConfig(config: c_int);
    cuDeviceGetTexture1DLinearMaxWidth(max_width_in_elements: P, format: c_int, num_channels: c_uint, dev: c_int);
    cuDeviceGetNvSciSyncAttributes(nv_sci_sync_attr_list: P, dev: c_int, flags: c_int);
    cuDeviceGetHostAtomicCapabilities(capabilities: P, operations: P, count: c_uint, dev: c_int);
    cuDeviceGetP2PAtomicCapabilities(capabilities: P, operations: P, count: c_uint, src_device: c_int, dst_device: c_int);
    cuDeviceRegisterAsyncNotification(device: c_int, callback_func: P, user_data: P, callback: P);
    cuDeviceUnregisterAsyncNotification(device: c_int, callback: P);
    cuDriverGetVersion(driver_version: P);
    // properties
    cuDeviceGetName(name: P, len: c_int, dev: c_int);
    cuDeviceGetUuid_v2(uuid: P, dev: c_int);
    cuDeviceGetLuid(luid: P, device_node_mask: P, dev: c_int);
    cuDeviceTotalMem_v2(bytes: P, dev: c_int);
    // memory
    cuMemAllocPitch_v2(dptr: P, p_pitch: P, width_in_bytes: usize, height: usize, element_size_bytes: c_uint);
    cuMemAlloc_v2(dptr: P, bytesize: usize);
    cuMemFree_v2(dptr: A);
    cuMemHostAlloc(pp: P, bytesize: usize, flags: c_uint);
    cuMemFreeHost(p: P);
    cuMemHostRegister_v2(p: P, bytesize: usize, flags: c_uint);
    cuMemHostUnregister(p: P);
    cuMemHostGetDevicePointer_v2(pdptr: P, p: P, flags: c_uint);
    cuMemHostGetFlags(p_flags: P, p: P);
    cuMemGetInfo_v2(free: P, total: P);
    cuProfilerStart();
    cuProfilerStop();
    // managed
    cuMemAllocManaged(dptr: P, bytesize: usize, flags: c_uint);
    cuPointerGetAttributes(num_attributes: c_uint, attributes: P, data: P, ptr: A);
    cuPointerGetAttribute(data: P, attribute: c_int, ptr: A);
    cuMemPrefetchAsync_v2 / cuMemPrefetchAsync_v2_ptsz(dev_ptr: A, count: usize, location: Location, flags: c_uint, h_stream: P);
    cuMemPrefetchAsync / cuMemPrefetchAsync_ptsz(dev_ptr: A, count: usize, dst_device: c_int, h_stream: P);
    cuMemAdvise_v2(dev_ptr: A, count: usize, advice: c_int, location: Location);
    cuMemAdvise(dev_ptr: A, count: usize, advice: c_int, device: c_int);
    cuMemRangeGetAttribute(data: P, data_size: usize, attribute: c_int, dev_ptr: A, count: usize);
    cuMemRangeGetAttributes(data: P, data_sizes: P, attributes: P, num_attributes: usize, dev_ptr: A, count: usize);
    cuMemPrefetchBatchAsync / cuMemPrefetchBatchAsync_ptsz(dptrs: P, sizes: P, count: usize, prefetch_locs: P, prefetch_loc_idxs: P, num_prefetch_locs: usize, flags: u64, h_stream: P);
    cuMemDiscardBatchAsync / cuMemDiscardBatchAsync_ptsz(dptrs: P, sizes: P, count: usize, flags: u64, h_stream: P);
    cuMemDiscardAndPrefetchBatchAsync / cuMemDiscardAndPrefetchBatchAsync_ptsz(dptrs: P, sizes: P, count: usize, prefetch_locs: P, prefetch_loc_idxs: P, num_prefetch_locs: usize, flags: u64, h_stream: P);
    cuMemcpyBatchAsync_v2 / cuMemcpyBatchAsync_v2_ptsz(dsts: P, srcs: P, sizes: P, count: usize, attrs: P, attrs_idxs: P, num_attrs: usize, h_stream: P);
    cuMemcpyBatchAsync / cuMemcpyBatchAsync_ptsz(dsts: P, srcs: P, sizes: P, count: usize, attrs: P, attrs_idxs: P, num_attrs: usize, fail_idx: P, h_stream: P);
    cuMemcpy3DBatchAsync_v2 / cuMemcpy3DBatchAsync_v2_ptsz(num_ops: usize, op_list: P, flags: u64, h_stream: P);
    cuMemcpy3DBatchAsync / cuMemcpy3DBatchAsync_ptsz(num_ops: usize, op_list: P, fail_idx: P, flags: u64, h_stream: P);
    cuMemcpyWithAttributesAsync / cuMemcpyWithAttributesAsync_ptsz(dst: A, src: A, size: usize, attr: P, h_stream: P);
    cuMemcpy3DWithAttributesAsync / cuMemcpy3DWithAttributesAsync_ptsz(op: P, flags: u64, h_stream: P);
    cuFlushGPUDirectRDMAWrites(target: c_int, scope: c_int);
    // copy
    cuMemcpy2DUnaligned_v2 / cuMemcpy2DUnaligned_v2_ptds(p_copy: P);
    cuMemcpy2DAsync_v2 / cuMemcpy2DAsync_v2_ptsz(p_copy: P, h_stream: P);
    cuMemcpyHtoD_v2 / cuMemcpyHtoD_v2_ptds(dst_device: A, src_host: P, byte_count: usize);
    cuMemcpyDtoH_v2 / cuMemcpyDtoH_v2_ptds(dst_host: P, src_device: A, byte_count: usize);
    cuMemcpyDtoD_v2 / cuMemcpyDtoD_v2_ptds(dst_device: A, src_device: A, byte_count: usize);
    cuMemcpy / cuMemcpy_ptds(dst: A, src: A, byte_count: usize);
    cuMemcpyHtoDAsync_v2 / cuMemcpyHtoDAsync_v2_ptsz(dst_device: A, src_host: P, byte_count: usize, h_stream: P);
    cuMemcpyDtoHAsync_v2 / cuMemcpyDtoHAsync_v2_ptsz(dst_host: P, src_device: A, byte_count: usize, h_stream: P);
    cuMemcpyDtoDAsync_v2 / cuMemcpyDtoDAsync_v2_ptsz(dst_device: A, src_device: A, byte_count: usize, h_stream: P);
    cuMemcpyAsync / cuMemcpyAsync_ptsz(dst: A, src: A, byte_count: usize, h_stream: P);
    cuMemsetD8_v2 / cuMemsetD8_v2_ptds(dst_device: A, uc: u8, n: usize);
    cuMemsetD8Async / cuMemsetD8Async_ptsz(dst_device: A, uc: u8, n: usize, h_stream: P);
    cuMemsetD2D8_v2 / cuMemsetD2D8_v2_ptds(dst_device: A, dst_pitch: usize, uc: u8, width: usize, height: usize);
    cuMemsetD2D8Async / cuMemsetD2D8Async_ptsz(dst_device: A, dst_pitch: usize, uc: u8, width: usize, height: usize, h_stream: P);
    // array
    cuArray3DGetDescriptor_v2(p_array_descriptor: P, h_array: P);
    cuMemcpy3D_v2 / cuMemcpy3D_v2_ptds(p_copy: P);
    cuMemcpy3DAsync_v2 / cuMemcpy3DAsync_v2_ptsz(p_copy: P, h_stream: P);
    cuMemcpy3DPeer / cuMemcpy3DPeer_ptds(p_copy: P);
    cuMemcpy3DPeerAsync / cuMemcpy3DPeerAsync_ptsz(p_copy: P, h_stream: P);
    cuArray3DCreate_v2(p_handle: P, p_allocate_array: P);
    cuMipmappedArrayCreate(p_handle: P, p_mipmapped_array_desc: P, num_mipmap_levels: c_uint);
    cuArrayDestroy(h_array: P);
    cuMipmappedArrayDestroy(h_mipmapped_array: P);
    cuMipmappedArrayGetLevel(p_level_array: P, h_mipmapped_array: P, level: c_uint);
    cuArrayGetPlane(p_plane_array: P, h_array: P, plane_idx: c_uint);
    cuArrayGetMemoryRequirements(memory_requirements: P, array: P, device: c_int);
    cuMipmappedArrayGetMemoryRequirements(memory_requirements: P, mipmap: P, device: c_int);
    cuArrayGetSparseProperties(sparse_properties: P, array: P);
    cuMipmappedArrayGetSparseProperties(sparse_properties: P, mipmap: P);
    // pool
    cuMemAllocAsync / cuMemAllocAsync_ptsz(dptr: P, bytesize: usize, h_stream: P);
    cuMemAllocFromPoolAsync / cuMemAllocFromPoolAsync_ptsz(dptr: P, bytesize: usize, pool: P, h_stream: P);
    cuMemFreeAsync / cuMemFreeAsync_ptsz(dptr: A, h_stream: P);
    cuDeviceGetDefaultMemPool(pool_out: P, dev: c_int);
    cuDeviceGetMemPool(pool: P, dev: c_int);
    cuDeviceSetMemPool(dev: c_int, pool: P);
    cuMemPoolCreate(pool: P, pool_props: P);
    cuMemPoolDestroy(pool: P);
    cuMemPoolTrimTo(pool: P, min_bytes_to_keep: usize);
    cuMemPoolGetAttribute(pool: P, attr: c_int, value: P);
    cuMemPoolSetAttribute(pool: P, attr: c_int, value: P);
    cuMemPoolGetAccess(flags: P, mem_pool: P, location: P);
    cuMemPoolSetAccess(pool: P, map: P, count: usize);
    cuMemPoolExportToShareableHandle(handle_out: P, pool: P, handle_type: c_int, flags: u64);
    cuMemPoolImportFromShareableHandle(pool_out: P, handle: P, handle_type: c_int, flags: u64);
    cuMemPoolExportPointer(share_data_out: P, ptr: A);
    cuMemPoolImportPointer(ptr_out: P, pool: P, share_data: P);
    cuMemGetDefaultMemPool(pool_out: P, location: P, kind: c_int);
    cuMemGetMemPool(pool: P, location: P, kind: c_int);
    cuMemSetMemPool(location: P, kind: c_int, pool: P);
    // peer
    cuDeviceCanAccessPeer(can_access_peer: P, dev: c_int, peer_dev: c_int);
    cuDeviceGetP2PAttribute(value: P, attrib: c_int, src_device: c_int, dst_device: c_int);
    cuCtxEnablePeerAccess(peer_context: P, flags: c_uint);
    cuCtxDisablePeerAccess(peer_context: P);
    cuMemcpyPeer / cuMemcpyPeer_ptds(dst_device: A, dst_context: P, src_device: A, src_context: P, byte_count: usize);
    cuMemcpyPeerAsync / cuMemcpyPeerAsync_ptsz(dst_device: A, dst_context: P, src_device: A, src_context: P, byte_count: usize, h_stream: P);
    // ipc
    cuIpcGetMemHandle(p_handle: P, dptr: A);
    cuIpcOpenMemHandle_v2(pdptr: P, handle: IpcHandle, flags: c_uint);
    cuIpcCloseMemHandle(dptr: A);
    cuIpcGetEventHandle(p_handle: P, event: P);
    cuIpcOpenEventHandle(ph_event: P, handle: IpcHandle);
    // stream
    cuStreamAddCallback / cuStreamAddCallback_ptsz(h_stream: P, callback: P, user_data: P, flags: c_uint);
    cuStreamCreate(ph_stream: P, flags: c_uint);
    cuStreamCreateWithPriority(ph_stream: P, flags: c_uint, priority: c_int);
    cuCtxPushCurrent_v2(ctx: P);
    cuCtxPopCurrent_v2(pctx: P);
    cuStreamDestroy_v2(h_stream: P);
    cuStreamSynchronize / cuStreamSynchronize_ptsz(h_stream: P);
    cuStreamQuery / cuStreamQuery_ptsz(h_stream: P);
    cuStreamWaitEvent / cuStreamWaitEvent_ptsz(h_stream: P, h_event: P, flags: c_uint);
    cuLaunchHostFunc / cuLaunchHostFunc_ptsz(h_stream: P, function: P, user_data: P);
    cuLaunchHostFunc_v2 / cuLaunchHostFunc_v2_ptsz(h_stream: P, function: P, user_data: P, sync_mode: c_uint);
    cuStreamAttachMemAsync / cuStreamAttachMemAsync_ptsz(h_stream: P, dptr: A, length: usize, flags: c_uint);
    cuStreamGetFlags / cuStreamGetFlags_ptsz(h_stream: P, flags: P);
    cuStreamGetId / cuStreamGetId_ptsz(h_stream: P, stream_id: P);
    cuStreamGetDevice / cuStreamGetDevice_ptsz(h_stream: P, device: P);
    cuStreamGetCtx / cuStreamGetCtx_ptsz(h_stream: P, pctx: P);
    cuStreamGetPriority / cuStreamGetPriority_ptsz(h_stream: P, priority: P);
    cuStreamCopyAttributes / cuStreamCopyAttributes_ptsz(dst: P, src: P);
    cuStreamGetAttribute / cuStreamGetAttribute_ptsz(h_stream: P, attr: c_int, value_out: P);
    cuStreamSetAttribute / cuStreamSetAttribute_ptsz(h_stream: P, attr: c_int, value: P);
    cuCtxGetStreamPriorityRange(least_priority: P, greatest_priority: P);
    cuStreamBeginCapture_v2 / cuStreamBeginCapture_v2_ptsz(h_stream: P, mode: c_int);
    cuStreamBeginCaptureToGraph / cuStreamBeginCaptureToGraph_ptsz(h_stream: P, h_graph: P, dependencies: P, dependency_data: P, num_dependencies: usize, mode: c_int);
    cuStreamEndCapture / cuStreamEndCapture_ptsz(h_stream: P, ph_graph: P);
    cuStreamIsCapturing / cuStreamIsCapturing_ptsz(h_stream: P, capture_status: P);
    cuThreadExchangeStreamCaptureMode(mode: P);
    cuStreamGetCaptureInfo_v3 / cuStreamGetCaptureInfo_v3_ptsz(h_stream: P, capture_status_out: P, id_out: P, graph_out: P, dependencies_out: P, edge_data_out: P, num_dependencies_out: P);
    cuStreamGetCaptureInfo_v2 / cuStreamGetCaptureInfo_v2_ptsz(h_stream: P, capture_status_out: P, id_out: P, graph_out: P, dependencies_out: P, num_dependencies_out: P);
    cuStreamUpdateCaptureDependencies_v2 / cuStreamUpdateCaptureDependencies_v2_ptsz(h_stream: P, dependencies: P, dependency_data: P, num_dependencies: usize, flags: c_uint);
    cuStreamUpdateCaptureDependencies / cuStreamUpdateCaptureDependencies_ptsz(h_stream: P, dependencies: P, num_dependencies: usize, flags: c_uint);
    cuCtxResetPersistingL2Cache();
    cuCtxSynchronize_v2(ctx: P);
    cuCtxSynchronize();
    // event
    cuEventCreate(ph_event: P, flags: c_uint);
    cuEventDestroy_v2(h_event: P);
    cuEventRecord / cuEventRecord_ptsz(h_event: P, h_stream: P);
    cuEventRecordWithFlags / cuEventRecordWithFlags_ptsz(h_event: P, h_stream: P, flags: c_uint);
    cuEventQuery(h_event: P);
    cuEventSynchronize(h_event: P);
    cuEventElapsedTime_v2(p_milliseconds: P, h_start: P, h_end: P);
    cuEventElapsedTime(p_milliseconds: P, h_start: P, h_end: P);
    // texture
    cuTexObjectCreate(p_tex_object: P, p_res_desc: P, p_tex_desc: P, p_res_view_desc: P);
    cuTexObjectDestroy(tex_object: u64);
    cuTexObjectGetResourceDesc(p_res_desc: P, tex_object: u64);
    cuTexObjectGetTextureDesc(p_tex_desc: P, tex_object: u64);
    cuTexObjectGetResourceViewDesc(p_res_view_desc: P, tex_object: u64);
    cuSurfObjectCreate(p_surf_object: P, p_res_desc: P);
    cuSurfObjectDestroy(surf_object: u64);
    cuSurfObjectGetResourceDesc(p_res_desc: P, surf_object: u64);
    // external
    cuImportExternalMemory(ext_mem_out: P, mem_handle_desc: P);
    cuExternalMemoryGetMappedBuffer(dev_ptr: P, ext_mem: P, buffer_desc: P);
    cuExternalMemoryGetMappedMipmappedArray(mipmap: P, ext_mem: P, mipmap_desc: P);
    cuDestroyExternalMemory(ext_mem: P);
    cuImportExternalSemaphore(ext_sem_out: P, sem_handle_desc: P);
    cuDestroyExternalSemaphore(ext_sem: P);
    cuSignalExternalSemaphoresAsync / cuSignalExternalSemaphoresAsync_ptsz(ext_sem_array: P, params_array: P, num_ext_sems: c_uint, stream: P);
    cuWaitExternalSemaphoresAsync / cuWaitExternalSemaphoresAsync_ptsz(ext_sem_array: P, params_array: P, num_ext_sems: c_uint, stream: P);
    cuGraphicsMapResources / cuGraphicsMapResources_ptsz(count: c_uint, resources: P, h_stream: P);
    cuGraphicsUnmapResources / cuGraphicsUnmapResources_ptsz(count: c_uint, resources: P, h_stream: P);
    cuGraphicsUnregisterResource(resource: P);
    cuGraphicsResourceGetMappedPointer_v2(p_dev_ptr: P, p_size: P, resource: P);
    cuGraphicsResourceGetMappedMipmappedArray(p_mipmapped_array: P, resource: P);
    cuGraphicsResourceSetMapFlags_v2(resource: P, flags: c_uint);
    cuGraphicsSubResourceGetMappedArray(p_array: P, resource: P, array_index: c_uint, mip_level: c_uint);
    // registration
    cuLibraryLoadData(library: P, code: P, jit_options: P, jit_options_values: P, num_jit_options: c_uint, library_options: P, library_option_values: P, num_library_options: c_uint);
    cuModuleGetLoadingMode(mode: P);
    cuLibraryGetManaged(dptr: P, bytes: P, library: P, name: P);
    cuLibraryGetKernel(p_kernel: P, library: P, name: P);
    cuLibraryGetGlobal(dptr: P, bytes: P, library: P, name: P);
    cuLibraryUnload(library: P);
    cuKernelGetFunction(p_func: P, kernel: P);
    cuKernelGetName(name: P, kernel: P);
    // library
    cuLibraryLoadFromFile(library: P, file_name: P, jit_options: P, jit_options_values: P, num_jit_options: c_uint, library_options: P, library_option_values: P, num_library_options: c_uint);
    cuLibraryGetUnifiedFunction(fptr: P, library: P, symbol: P);
    cuLibraryGetKernelCount(count: P, lib: P);
    cuLibraryEnumerateKernels(kernels: P, num_kernels: c_uint, lib: P);
    cuKernelSetAttribute(attrib: c_int, val: c_int, kernel: P, dev: c_int);
    // execution
    cuLaunchKernel / cuLaunchKernel_ptsz(f: P, grid_dim_x: c_uint, grid_dim_y: c_uint, grid_dim_z: c_uint, block_dim_x: c_uint, block_dim_y: c_uint, block_dim_z: c_uint, shared_mem_bytes: c_uint, h_stream: P, kernel_params: P, extra: P);
    cuLaunchKernelEx / cuLaunchKernelEx_ptsz(config: P, f: P, kernel_params: P, extra: P);
    cuLaunchCooperativeKernel / cuLaunchCooperativeKernel_ptsz(f: P, grid_dim_x: c_uint, grid_dim_y: c_uint, grid_dim_z: c_uint, block_dim_x: c_uint, block_dim_y: c_uint, block_dim_z: c_uint, shared_mem_bytes: c_uint, h_stream: P, kernel_params: P);
    cuLaunchCooperativeKernelMultiDevice(launch_params_list: P, num_devices: c_uint, flags: c_uint);
    cuKernelGetAttribute(pi: P, attrib: c_int, kernel: P, dev: c_int);
    cuKernelSetCacheConfig(kernel: P, config: c_int, dev: c_int);
    cuFuncSetSharedMemConfig(hfunc: P, config: c_int);
    cuKernelGetParamInfo(kernel: P, param_index: usize, param_offset: P, param_size: P);
    cuKernelGetParamCount(kernel: P, param_count: P);
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(num_blocks: P, func: P, block_size: c_int, dynamic_smem_size: usize, flags: c_uint);
    cuOccupancyAvailableDynamicSMemPerBlock(dynamic_smem_size: P, func: P, num_blocks: c_int, block_size: c_int);
    cuOccupancyMaxPotentialClusterSize(cluster_size: P, func: P, config: P);
    cuOccupancyMaxActiveClusters(num_clusters: P, func: P, config: P);
    // graph
    cuGraphAddMemcpyNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, copy_params: P, ctx: P);
    cuGraphExecMemcpyNodeSetParams(h_graph_exec: P, h_node: P, copy_params: P, ctx: P);
    cuGraphCreate(ph_graph: P, flags: c_uint);
    cuGraphDestroy(h_graph: P);
    cuGraphClone(ph_graph_clone: P, original_graph: P);
    cuGraphAddEmptyNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize);
    cuGraphMemcpyNodeGetParams(h_node: P, node_params: P);
    cuGraphMemcpyNodeSetParams(h_node: P, node_params: P);
    cuGraphAddMemsetNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, memset_params: P, ctx: P);
    cuGraphMemsetNodeGetParams(h_node: P, node_params: P);
    cuGraphMemsetNodeSetParams(h_node: P, node_params: P);
    cuGraphExecMemsetNodeSetParams(h_graph_exec: P, h_node: P, memset_params: P, ctx: P);
    cuGraphAddKernelNode_v2(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, node_params: P);
    cuGraphKernelNodeSetParams_v2(h_node: P, node_params: P);
    cuGraphKernelNodeGetParams_v2(h_node: P, node_params: P);
    cuGraphExecKernelNodeSetParams_v2(h_graph_exec: P, h_node: P, node_params: P);
    cuGraphKernelNodeGetAttribute(h_node: P, attr: c_int, value_out: P);
    cuGraphKernelNodeSetAttribute(h_node: P, attr: c_int, value: P);
    cuGraphKernelNodeCopyAttributes(dst: P, src: P);
    cuGraphAddHostNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, node_params: P);
    cuGraphHostNodeGetParams(h_node: P, node_params: P);
    cuGraphHostNodeSetParams(h_node: P, node_params: P);
    cuGraphExecHostNodeSetParams(h_graph_exec: P, h_node: P, node_params: P);
    cuGraphAddChildGraphNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, child_graph: P);
    cuGraphChildGraphNodeGetGraph(h_node: P, ph_graph: P);
    cuGraphExecChildGraphNodeSetParams(h_graph_exec: P, h_node: P, child_graph: P);
    cuGraphAddEventRecordNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, event: P);
    cuGraphEventRecordNodeGetEvent(h_node: P, event_out: P);
    cuGraphEventRecordNodeSetEvent(h_node: P, event: P);
    cuGraphExecEventRecordNodeSetEvent(h_graph_exec: P, h_node: P, event: P);
    cuGraphAddEventWaitNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, event: P);
    cuGraphEventWaitNodeGetEvent(h_node: P, event_out: P);
    cuGraphEventWaitNodeSetEvent(h_node: P, event: P);
    cuGraphExecEventWaitNodeSetEvent(h_graph_exec: P, h_node: P, event: P);
    cuGraphAddExternalSemaphoresSignalNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, node_params: P);
    cuGraphExternalSemaphoresSignalNodeGetParams(h_node: P, params_out: P);
    cuGraphExternalSemaphoresSignalNodeSetParams(h_node: P, node_params: P);
    cuGraphExecExternalSemaphoresSignalNodeSetParams(h_graph_exec: P, h_node: P, node_params: P);
    cuGraphAddExternalSemaphoresWaitNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, node_params: P);
    cuGraphExternalSemaphoresWaitNodeGetParams(h_node: P, params_out: P);
    cuGraphExternalSemaphoresWaitNodeSetParams(h_node: P, node_params: P);
    cuGraphExecExternalSemaphoresWaitNodeSetParams(h_graph_exec: P, h_node: P, node_params: P);
    cuGraphAddMemAllocNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, node_params: P);
    cuGraphMemAllocNodeGetParams(h_node: P, params_out: P);
    cuGraphAddMemFreeNode(ph_graph_node: P, h_graph: P, dependencies: P, num_dependencies: usize, dptr: A);
    cuGraphMemFreeNodeGetParams(h_node: P, dptr_out: P);
    cuDeviceGraphMemTrim(device: c_int);
    cuDeviceGetGraphMemAttribute(device: c_int, attr: c_int, value: P);
    cuDeviceSetGraphMemAttribute(device: c_int, attr: c_int, value: P);
    cuGraphNodeFindInClone(ph_node: P, h_original_node: P, h_cloned_graph: P);
    cuGraphNodeGetType(h_node: P, kind: P);
    cuGraphGetNodes(h_graph: P, nodes: P, num_nodes: P);
    cuGraphGetRootNodes(h_graph: P, root_nodes: P, num_root_nodes: P);
    cuGraphDestroyNode(h_node: P);
    cuGraphDebugDotPrint(h_graph: P, path: P, flags: c_uint);
    cuGraphInstantiateWithFlags(ph_graph_exec: P, h_graph: P, flags: u64);
    cuGraphInstantiateWithParams / cuGraphInstantiateWithParams_ptsz(ph_graph_exec: P, h_graph: P, instantiate_params: P);
    cuGraphExecGetFlags(h_graph_exec: P, flags: P);
    cuGraphUpload / cuGraphUpload_ptsz(h_graph_exec: P, h_stream: P);
    cuGraphLaunch / cuGraphLaunch_ptsz(h_graph_exec: P, h_stream: P);
    cuGraphExecDestroy(h_graph_exec: P);
    cuGraphExecUpdate_v2(h_graph_exec: P, h_graph: P, result_info: P);
    cuGraphNodeSetEnabled(h_graph_exec: P, h_node: P, is_enabled: c_uint);
    cuGraphNodeGetEnabled(h_graph_exec: P, h_node: P, is_enabled: P);
    cuUserObjectCreate(object_out: P, ptr: P, destroy: P, initial_refcount: c_uint, flags: c_uint);
    cuUserObjectRetain(object: P, count: c_uint);
    cuUserObjectRelease(object: P, count: c_uint);
    cuGraphRetainUserObject(graph: P, object: P, count: c_uint, flags: c_uint);
    cuGraphReleaseUserObject(graph: P, object: P, count: c_uint);
    cuGraphConditionalHandleCreate(p_handle_out: P, h_graph: P, ctx: P, default_launch_value: c_uint, flags: c_uint);
    cuGraphGetEdges_v2(h_graph: P, from: P, to: P, edge_data: P, num_edges: P);
    cuGraphNodeGetDependencies_v2(h_node: P, dependencies: P, edge_data: P, num_dependencies: P);
    cuGraphNodeGetDependentNodes_v2(h_node: P, dependent_nodes: P, edge_data: P, num_dependent_nodes: P);
    cuGraphAddDependencies_v2(h_graph: P, from: P, to: P, edge_data: P, num_dependencies: usize);
    cuGraphRemoveDependencies_v2(h_graph: P, from: P, to: P, edge_data: P, num_dependencies: usize);
    cuGraphGetEdges(h_graph: P, from: P, to: P, num_edges: P);
    cuGraphNodeGetDependencies(h_node: P, dependencies: P, num_dependencies: P);
    cuGraphNodeGetDependentNodes(h_node: P, dependent_nodes: P, num_dependent_nodes: P);
    cuGraphAddDependencies(h_graph: P, from: P, to: P, num_dependencies: usize);
    cuGraphRemoveDependencies(h_graph: P, from: P, to: P, num_dependencies: usize);
    cuGraphAddNode_v2(node: P, graph: P, after: P, edges: P, count: usize, params: P);
    cuGraphNodeSetParams(node: P, params: P);
    cuGraphNodeGetParams(node: P, params: P);
    cuGraphExecNodeSetParams(exec: P, node: P, params: P);
    cuGraphGetId(graph: P, id: P);
    cuGraphExecGetId(exec: P, id: P);
    cuGraphNodeGetContainingGraph(node: P, graph: P);
    cuGraphNodeGetLocalId(node: P, id: P);
    cuGraphNodeGetToolsId(node: P, id: P);
    // entry_point
    cuGetProcAddress_v2(symbol: P, pfn: P, cuda_version: c_int, flags: u64, symbol_status: P);
    // green
    cuDeviceGetDevResource(device: c_int, resource: P, kind: c_int);
    cuDevSmResourceSplitByCount(result: P, nb_groups: P, input: P, remainder: P, flags: c_uint, min_count: c_uint);
    cuDevResourceGenerateDesc(ph_desc: P, resources: P, nb_resources: c_uint);
    cuStreamGetDevResource / cuStreamGetDevResource_ptsz(h_stream: P, resource: P, kind: c_int);
    cuDevSmResourceSplit(result: P, nb_groups: c_uint, input: P, remainder: P, flags: c_uint, group_params: P);
    cuGreenCtxCreate(ph_ctx: P, desc: P, dev: c_int, flags: c_uint);
    cuGreenCtxDestroy(h_ctx: P);
    cuCtxFromGreenCtx(p_context: P, h_ctx: P);
    cuGreenCtxStreamCreate(ph_stream: P, green_ctx: P, flags: c_uint, priority: c_int);
    cuCtxGetDevResource(h_ctx: P, resource: P, kind: c_int);
    cuCtxGetDevice_v2(device: P, ctx: P);
    cuCtxGetId(ctx: P, ctx_id: P);
    cuCtxRecordEvent(h_ctx: P, h_event: P);
    cuCtxWaitEvent(h_ctx: P, h_event: P);
    cuStreamBeginRecaptureToGraph / cuStreamBeginRecaptureToGraph_ptsz(h_stream: P, mode: c_int, h_graph: P, callback_func: P, user_data: P);
    cuMemGetLocationInfo(ptr: A, size: usize, summary_granularity: usize, sampling_granularity: usize, location_out: P);
    // interop
    cuGLGetDevices_v2(count: P, devices: P, room: c_uint, list: c_uint);
    cuGraphicsGLRegisterImage(resource: P, image: c_uint, target: c_uint, flags: c_uint);
    cuGraphicsGLRegisterBuffer(resource: P, buffer: c_uint, flags: c_uint);
    cuGLRegisterBufferObject(buffer: c_uint);
    cuGLMapBufferObject_v2(dptr: P, size: P, buffer: c_uint);
    cuGLUnmapBufferObject(buffer: c_uint);
    cuGLUnregisterBufferObject(buffer: c_uint);
    cuGLSetBufferObjectMapFlags(buffer: c_uint, flags: c_uint);
    cuGLMapBufferObjectAsync_v2(dptr: P, size: P, buffer: c_uint, h_stream: P);
    cuGLUnmapBufferObjectAsync(buffer: c_uint, h_stream: P);
    cuGraphicsEGLRegisterImage(resource: P, image: P, flags: c_uint);
    cuEGLStreamConsumerConnect(conn: P, stream: P);
    cuEGLStreamConsumerConnectWithFlags(conn: P, stream: P, flags: c_uint);
    cuEGLStreamConsumerDisconnect(conn: P);
    cuEGLStreamConsumerAcquireFrame(conn: P, resource: P, stream: P, timeout: c_uint);
    cuEGLStreamConsumerReleaseFrame(conn: P, resource: P, stream: P);
    cuEGLStreamProducerConnect(conn: P, stream: P, width: c_int, height: c_int);
    cuEGLStreamProducerDisconnect(conn: P);
    cuEGLStreamProducerPresentFrame(conn: P, frame: DriverEglFrame, stream: P);
    cuEGLStreamProducerReturnFrame(conn: P, frame: P, stream: P);
    cuGraphicsResourceGetMappedEglFrame(frame: P, resource: P, index: c_uint, mip_level: c_uint);
    cuEventCreateFromEGLSync(event: P, sync: P, flags: c_uint);
    cuVDPAUGetDevice(device: P, vdp_device: c_uint, get_proc_address: P);
    cuVDPAUCtxCreate_v2(ctx: P, flags: c_uint, device: c_int, vdp_device: c_uint, get_proc_address: P);
    cuGraphicsVDPAURegisterVideoSurface(resource: P, surface: c_uint, flags: c_uint);
    cuGraphicsVDPAURegisterOutputSurface(resource: P, surface: c_uint, flags: c_uint);
    cuLogsCurrent(iterator_out: P, flags: c_uint);
    cuLogsDumpToFile(iterator: P, path_to_file: P, flags: c_uint);
    cuLogsDumpToMemory(iterator: P, buffer: P, size: P, flags: c_uint);
    cuLogsRegisterCallback(callback_func: P, user_data: P, callback_out: P);
    cuLogsUnregisterCallback(callback: P);
}
