//! The structures of the runtime's and of the driver's interface, as C lays them out.

use crate::user::Plain;
use core::ffi::{c_int, c_uint, c_void};

/// A stream, event, array, graph, ...: the driver's own, passed through.
pub type Handle = *mut c_void;
/// An address on the device.
pub type Address = u64;

/// No pointer.
pub const NULL: *mut c_void = core::ptr::null_mut();

/// The handle as a pointer that is never followed.
pub fn handle_of(value: usize) -> Handle {
    core::ptr::without_provenance_mut(value)
}

macro_rules! structures {
    ($($(#[$m:meta])* struct $name:ident { $($(#[$fm:meta])* $field:ident: $t:ty,)* })*) => { $(
        $(#[$m])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name { $($(#[$fm])* pub $field: $t,)* }
        // SAFETY: plain integers, floats and addresses.
        unsafe impl Plain for $name {}
        impl $name {
            /// All bytes zero.
            #[allow(dead_code)]
            pub fn zero() -> Self {
                // SAFETY: any bit pattern is a value.
                unsafe { core::mem::zeroed() }
            }
        }
    )* };
}

structures! {
    /// `dim3`
    struct Dim3 { x: c_uint, y: c_uint, z: c_uint, }
    /// `cudaChannelFormatDesc`
    struct ChannelFormat { x: c_int, y: c_int, z: c_int, w: c_int, kind: c_int, }
    /// `cudaExtent`: elements of an array, or bytes in linear memory, by rows by slices.
    struct Extent { width: usize, height: usize, depth: usize, }
    /// `cudaPos`
    struct Pos { x: usize, y: usize, z: usize, }
    /// `cudaPitchedPtr`
    struct PitchedPtr { ptr: *mut c_void, pitch: usize, xsize: usize, ysize: usize, }
    /// `cudaMemcpy3DParms`
    struct Memcpy3DParams {
        src_array: Handle,
        src_pos: Pos,
        src_ptr: PitchedPtr,
        dst_array: Handle,
        dst_pos: Pos,
        dst_ptr: PitchedPtr,
        extent: Extent,
        kind: c_int,
    }
    /// `cudaMemcpy3DPeerParms`
    struct Memcpy3DPeerParams {
        src_array: Handle,
        src_pos: Pos,
        src_ptr: PitchedPtr,
        src_device: c_int,
        dst_array: Handle,
        dst_pos: Pos,
        dst_ptr: PitchedPtr,
        dst_device: c_int,
        extent: Extent,
    }
    /// `CUDA_MEMCPY2D`
    struct DriverCopy2D {
        src_x: usize,
        src_y: usize,
        src_type: c_uint,
        src_host: *const c_void,
        src_device: Address,
        src_array: Handle,
        src_pitch: usize,
        dst_x: usize,
        dst_y: usize,
        dst_type: c_uint,
        dst_host: *mut c_void,
        dst_device: Address,
        dst_array: Handle,
        dst_pitch: usize,
        width: usize,
        height: usize,
    }
    /// `CUDA_MEMCPY3D`, and `CUDA_MEMCPY3D_PEER`, which has contexts where the former has reserved words.
    struct DriverCopy3D {
        src_x: usize,
        src_y: usize,
        src_z: usize,
        src_lod: usize,
        src_type: c_uint,
        src_host: *const c_void,
        src_device: Address,
        src_array: Handle,
        src_context: Handle,
        src_pitch: usize,
        src_height: usize,
        dst_x: usize,
        dst_y: usize,
        dst_z: usize,
        dst_lod: usize,
        dst_type: c_uint,
        dst_host: *mut c_void,
        dst_device: Address,
        dst_array: Handle,
        dst_context: Handle,
        dst_pitch: usize,
        dst_height: usize,
        width: usize,
        height: usize,
        depth: usize,
    }
    /// `CUDA_ARRAY3D_DESCRIPTOR`
    struct ArrayDescriptor {
        width: usize,
        height: usize,
        depth: usize,
        format: c_uint,
        channels: c_uint,
        flags: c_uint,
    }
    /// `cudaExternalSemaphoreHandleDesc` of CUDA 12, the beginning of the driver's
    #[allow(dead_code)]
    struct SemaphoreDesc { kind: c_int, handle: [usize; 2], flags: c_uint, }
    /// `CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC`
    #[allow(dead_code)]
    struct DriverSemaphoreDesc { kind: c_int, handle: [usize; 2], flags: c_uint, reserved: [c_uint; 16], }
    /// `cudaExternalSemaphoreSignalParams_v1`, the beginning of `cudaExternalSemaphoreWaitParams_v1`
    #[allow(dead_code)]
    struct SignalParams { fence: u64, sci: u64, key: u64, flags: c_uint, }
    /// `cudaExternalSemaphoreWaitParams_v1`
    #[allow(dead_code)]
    struct WaitParams { fence: u64, sci: u64, key: u64, timeout: c_uint, flags: c_uint, }
    /// `CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS`, `CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS`
    #[allow(dead_code)]
    struct DriverSemaphoreParams {
        fence: u64,
        sci: u64,
        key: u64,
        timeout: c_uint,
        rest: [c_uint; 11],
        flags: c_uint,
        reserved: [c_uint; 16],
    }
    /// `cudaEglPlaneDesc`
    struct EglPlane {
        width: c_uint,
        height: c_uint,
        depth: c_uint,
        pitch: c_uint,
        channels: c_uint,
        format: ChannelFormat,
        reserved: [c_uint; 4],
    }
    /// `cudaEglFrame`: three handles of arrays or three pitched pointers, and what its planes are like
    struct EglFrame {
        pointers: [usize; 12],
        planes: [EglPlane; 3],
        count: c_uint,
        kind: c_uint,
        color: c_uint,
    }
    /// `CUeglFrame`
    struct DriverEglFrame {
        pointers: [usize; 3],
        width: c_uint,
        height: c_uint,
        depth: c_uint,
        pitch: c_uint,
        planes: c_uint,
        channels: c_uint,
        kind: c_uint,
        color: c_uint,
        format: c_uint,
    }
    /// `cudaMemLocation`, `CUmemLocation`
    struct Location { kind: c_int, id: c_int, }
    /// `cudaResourceDesc`
    struct ResourceDesc {
        kind: c_int,
        #[cfg(cudart = "12")]
        res: [u64; 7],
        #[cfg(cudart = "13")]
        res: [u64; 16],
        #[cfg(cudart = "13")]
        flags: c_uint,
    }
    /// `CUDA_RESOURCE_DESC`
    struct DriverResourceDesc { kind: c_int, res: [u64; 16], flags: c_uint, }
    /// `cudaTextureDesc`
    struct TextureDesc {
        address_mode: [c_int; 3],
        filter_mode: c_int,
        read_mode: c_int,
        srgb: c_int,
        border_color: [f32; 4],
        normalized_coords: c_int,
        max_anisotropy: c_uint,
        mipmap_filter_mode: c_int,
        mipmap_level_bias: f32,
        min_mipmap_level_clamp: f32,
        max_mipmap_level_clamp: f32,
        disable_trilinear_optimization: c_int,
        seamless_cubemap: c_int,
    }
    /// `CUDA_TEXTURE_DESC`
    struct DriverTextureDesc {
        address_mode: [c_int; 3],
        filter_mode: c_int,
        flags: c_uint,
        max_anisotropy: c_uint,
        mipmap_filter_mode: c_int,
        mipmap_level_bias: f32,
        min_mipmap_level_clamp: f32,
        max_mipmap_level_clamp: f32,
        border_color: [f32; 4],
        reserved: [c_int; 12],
    }
    /// `cudaResourceViewDesc`; the driver's has sixteen reserved words at the end, as that of CUDA 13.
    struct ResourceViewDesc {
        format: c_int,
        width: usize,
        height: usize,
        depth: usize,
        first_level: c_uint,
        last_level: c_uint,
        first_layer: c_uint,
        last_layer: c_uint,
        #[cfg(cudart = "13")]
        reserved: [c_uint; 16],
    }
    /// `CUDA_RESOURCE_VIEW_DESC`
    struct DriverResourceViewDesc {
        format: c_int,
        width: usize,
        height: usize,
        depth: usize,
        first_level: c_uint,
        last_level: c_uint,
        first_layer: c_uint,
        last_layer: c_uint,
        reserved: [c_uint; 16],
    }
    /// `cudaPointerAttributes`
    struct PointerAttributes {
        kind: c_int,
        device: c_int,
        device_pointer: Address,
        host_pointer: *mut c_void,
        #[cfg(cudart = "13")]
        locality_domain: i64,
        #[cfg(cudart = "13")]
        reserved: [i64; 7],
    }
    /// `cudaFuncAttributes`
    struct FuncAttributes {
        shared_size: usize,
        const_size: usize,
        local_size: usize,
        max_threads_per_block: c_int,
        num_regs: c_int,
        ptx_version: c_int,
        binary_version: c_int,
        cache_mode_ca: c_int,
        max_dynamic_shared_size: c_int,
        preferred_carveout: c_int,
        cluster_dim_must_be_set: c_int,
        required_cluster: [c_int; 3],
        cluster_scheduling_policy: c_int,
        non_portable_cluster_size: c_int,
        reserved: [c_int; 16],
    }
    /// `cudaLaunchConfig_t`
    struct LaunchConfig {
        grid: Dim3,
        block: Dim3,
        shared: usize,
        stream: Handle,
        attributes: *mut c_void,
        attribute_count: c_uint,
    }
    /// `cudaLaunchParams`
    struct LaunchParams {
        function: *const c_void,
        grid: Dim3,
        block: Dim3,
        args: *mut *mut c_void,
        shared: usize,
        stream: Handle,
    }
    /// `CUDA_LAUNCH_PARAMS`
    struct DriverLaunchParams {
        function: Handle,
        grid: Dim3,
        block: Dim3,
        shared: c_uint,
        stream: Handle,
        args: *mut *mut c_void,
    }
    /// `CUlaunchConfig`
    struct DriverLaunchConfig {
        grid: Dim3,
        block: Dim3,
        shared: c_uint,
        stream: Handle,
        attributes: *mut c_void,
        attribute_count: c_uint,
    }
    /// `cudaKernelNodeParams`
    struct KernelNodeParams {
        func: *mut c_void,
        grid: Dim3,
        block: Dim3,
        shared: c_uint,
        params: *mut c_void,
        extra: *mut c_void,
    }
    /// `CUDA_KERNEL_NODE_PARAMS_v2`
    struct DriverKernelNodeParams {
        func: *mut c_void,
        grid: Dim3,
        block: Dim3,
        shared: c_uint,
        params: *mut c_void,
        extra: *mut c_void,
        kernel: Handle,
        context: Handle,
    }
    /// `cudaGraphNodeParams`, `CUgraphNodeParams`
    struct NodeParams { kind: c_int, reserved0: [c_int; 3], body: [u64; 29], reserved2: i64, }
    /// `cudaMemsetParams`, `CUDA_MEMSET_NODE_PARAMS_v1`
    struct MemsetParams {
        dst: Address,
        pitch: usize,
        value: c_uint,
        element_size: c_uint,
        width: usize,
        height: usize,
    }
    /// `cudaExternalMemoryMipmappedArrayDesc`
    struct ExternalMipmapDesc {
        offset: u64,
        format: ChannelFormat,
        extent: Extent,
        flags: c_uint,
        levels: c_uint,
        #[cfg(cudart = "13")]
        reserved: [c_uint; 16],
    }
    /// `cudaIpcMemHandle_t`, `cudaIpcEventHandle_t`
    struct IpcHandle { reserved: [u8; 64], }
    /// `CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC`
    struct DriverExternalMipmapDesc {
        offset: u64,
        array: ArrayDescriptor,
        levels: c_uint,
        reserved: [c_uint; 16],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::size_of;

    #[test]
    fn sizes() {
        assert_eq!(size_of::<Dim3>(), 12);
        assert_eq!(size_of::<ChannelFormat>(), 20);
        assert_eq!(size_of::<Memcpy3DParams>(), 160);
        assert_eq!(size_of::<Memcpy3DPeerParams>(), 168);
        assert_eq!(size_of::<MemsetParams>(), 40);
        assert_eq!(size_of::<LaunchConfig>(), 56);
        assert_eq!(size_of::<DriverCopy2D>(), 128);
        assert_eq!(size_of::<DriverCopy3D>(), 200);
        assert_eq!(size_of::<ArrayDescriptor>(), 40);
        assert_eq!(size_of::<DriverResourceDesc>(), 144);
        assert_eq!(size_of::<DriverTextureDesc>(), 104);
        assert_eq!(size_of::<DriverResourceViewDesc>(), 112);
        assert_eq!(size_of::<KernelNodeParams>(), 56);
        assert_eq!(size_of::<NodeParams>(), 256);
        assert_eq!(size_of::<FuncAttributes>(), 144);
        assert_eq!(size_of::<TextureDesc>(), 72);
        let both = |twelve, thirteen| if cfg!(cudart = "12") { twelve } else { thirteen };
        assert_eq!(size_of::<PointerAttributes>(), both(24, 88));
        assert_eq!(size_of::<ResourceDesc>(), both(64, 144));
        assert_eq!(size_of::<ResourceViewDesc>(), both(48, 112));
        assert_eq!(size_of::<ExternalMipmapDesc>(), both(64, 128));
    }
}
