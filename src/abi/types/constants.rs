//! Constants that are macros in C.

use super::device::CUdevice;
use super::execution::{
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
    CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, CU_LAUNCH_ATTRIBUTE_PRIORITY,
    CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, CUlaunchAttributeID,
};
use super::stream::CUstream;
use core::ffi::{c_int, c_uint, c_void};

/// Bytes of a handle for other processes.
pub const CU_IPC_HANDLE_SIZE: usize = 64;
/// The default stream that synchronises with all blocking streams.
pub const CU_STREAM_LEGACY: CUstream = CUstream(0x1);
/// The default stream of the calling thread.
pub const CU_STREAM_PER_THREAD: CUstream = CUstream(0x2);
/// Added to a target for the features of one architecture only.
pub const CU_COMPUTE_ACCELERATED_TARGET_BASE: c_uint = 0x10000;
/// Added to a target for the features of a family of architectures.
pub const CU_COMPUTE_FAMILY_TARGET_BASE: c_uint = 0x20000;
/// Conditional handle: take the default value at each launch.
pub const CU_GRAPH_COND_ASSIGN_DEFAULT: c_uint = 0x1;
/// Edge from a kernel node: after its completion.
pub const CU_GRAPH_KERNEL_NODE_PORT_DEFAULT: c_uint = 0;
/// Edge from a kernel node: after all blocks triggered or ended.
pub const CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC: c_uint = 1;
/// Edge from a kernel node: after all blocks started.
pub const CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER: c_uint = 2;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: CUlaunchAttributeID =
    CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_PRIORITY: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_PRIORITY;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: CUlaunchAttributeID =
    CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: CUlaunchAttributeID =
    CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
/// Name of the attribute for kernel nodes.
pub const CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: CUlaunchAttributeID =
    CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
/// Name of the attribute for streams.
pub const CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
/// Name of the attribute for streams.
pub const CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
/// Name of the attribute for streams.
pub const CU_STREAM_ATTRIBUTE_PRIORITY: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_PRIORITY;
/// Name of the attribute for streams.
pub const CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
/// Name of the attribute for streams.
pub const CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN: CUlaunchAttributeID = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
/// Page-locked for all contexts.
pub const CU_MEMHOSTALLOC_PORTABLE: c_uint = 0x01;
/// Mapped for the device.
pub const CU_MEMHOSTALLOC_DEVICEMAP: c_uint = 0x02;
/// Write-combined.
pub const CU_MEMHOSTALLOC_WRITECOMBINED: c_uint = 0x04;
/// Page-locked for all contexts.
pub const CU_MEMHOSTREGISTER_PORTABLE: c_uint = 0x01;
/// Mapped for the device.
pub const CU_MEMHOSTREGISTER_DEVICEMAP: c_uint = 0x02;
/// The memory belongs to another device.
pub const CU_MEMHOSTREGISTER_IOMEMORY: c_uint = 0x04;
/// The device only reads the memory.
pub const CU_MEMHOSTREGISTER_READ_ONLY: c_uint = 0x08;
/// One mip tail serves all layers.
pub const CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL: c_uint = 0x1;
/// 64-bit words of a tensor map.
pub const CU_TENSOR_MAP_NUM_QWORDS: usize = 16;
/// The foreign memory is a dedicated resource.
pub const CUDA_EXTERNAL_MEMORY_DEDICATED: c_uint = 0x1;
/// Signal without synchronising imported buffers.
pub const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC: c_uint = 0x01;
/// Wait without synchronising imported buffers.
pub const CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC: c_uint = 0x02;
/// Attributes for signalling are wanted.
pub const CUDA_NVSCISYNC_ATTR_SIGNAL: c_uint = 0x1;
/// Attributes for waiting are wanted.
pub const CUDA_NVSCISYNC_ATTR_WAIT: c_uint = 0x2;
/// Physical memory for tiles of sparse arrays.
pub const CU_MEM_CREATE_USAGE_TILE_POOL: c_uint = 0x1;
/// Physical memory for hardware decompression.
pub const CU_MEM_CREATE_USAGE_HW_DECOMPRESS: c_uint = 0x2;
/// Physical memory for remote access over PCIe.
pub const CU_MEM_CREATE_USAGE_GPU_DIRECT_RDMA_OVER_PCIE: c_uint = 0x4;
/// Pool for hardware decompression.
pub const CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS: c_uint = 0x2;
/// Each grid waits for its own stream only.
pub const CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC: c_uint = 0x01;
/// Later work waits for the grid of its own stream only.
pub const CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC: c_uint = 0x02;
/// Depth counts layers.
pub const CUDA_ARRAY3D_LAYERED: c_uint = 0x01;
/// Older name of [`CUDA_ARRAY3D_LAYERED`].
pub const CUDA_ARRAY3D_2DARRAY: c_uint = 0x01;
/// Surfaces may be bound to the array.
pub const CUDA_ARRAY3D_SURFACE_LDST: c_uint = 0x02;
/// The layers are faces of cubes.
pub const CUDA_ARRAY3D_CUBEMAP: c_uint = 0x04;
/// Texture gather is possible.
pub const CUDA_ARRAY3D_TEXTURE_GATHER: c_uint = 0x08;
/// Depth format.
pub const CUDA_ARRAY3D_DEPTH_TEXTURE: c_uint = 0x10;
/// Colour target of a graphics API.
pub const CUDA_ARRAY3D_COLOR_ATTACHMENT: c_uint = 0x20;
/// Memory is mapped tile by tile.
pub const CUDA_ARRAY3D_SPARSE: c_uint = 0x40;
/// Memory is mapped as a whole, later.
pub const CUDA_ARRAY3D_DEFERRED_MAPPING: c_uint = 0x80;
/// Suits the video units.
pub const CUDA_ARRAY3D_VIDEO_ENCODE_DECODE: c_uint = 0x100;
/// Take the format of the array.
pub const CU_TRSA_OVERRIDE_FORMAT: c_uint = 0x01;
/// Read integers as integers.
pub const CU_TRSF_READ_AS_INTEGER: c_uint = 0x01;
/// Coordinates run from 0 to 1.
pub const CU_TRSF_NORMALIZED_COORDINATES: c_uint = 0x02;
/// Convert from sRGB when reading.
pub const CU_TRSF_SRGB: c_uint = 0x10;
/// Do not simplify trilinear filtering.
pub const CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION: c_uint = 0x20;
/// Filter across the edges of a cube.
pub const CU_TRSF_SEAMLESS_CUBEMAP: c_uint = 0x40;
/// Launch with the block shape that the kernel demands.
pub const CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM: c_uint = 1;
/// [`CU_LAUNCH_PARAM_END`] as a number.
pub const CU_LAUNCH_PARAM_END_AS_INT: usize = 0x00;
/// Ends the `extra` list of a launch.
pub const CU_LAUNCH_PARAM_END: *mut c_void = CU_LAUNCH_PARAM_END_AS_INT as *mut c_void;
/// [`CU_LAUNCH_PARAM_BUFFER_POINTER`] as a number.
pub const CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT: usize = 0x01;
/// The next element of the `extra` list is the parameter buffer.
pub const CU_LAUNCH_PARAM_BUFFER_POINTER: *mut c_void = CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT as *mut c_void;
/// [`CU_LAUNCH_PARAM_BUFFER_SIZE`] as a number.
pub const CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT: usize = 0x02;
/// The next element of the `extra` list points to the size of the parameter buffer.
pub const CU_LAUNCH_PARAM_BUFFER_SIZE: *mut c_void = CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT as *mut c_void;
/// The texture unit that the compiler chose: the only value that is accepted.
pub const CU_PARAM_TR_DEFAULT: c_int = -1;
/// The host, where a device is asked for.
pub const CU_DEVICE_CPU: CUdevice = -1;
/// No device.
pub const CU_DEVICE_INVALID: CUdevice = -2;
/// Multiprocessors of any locality domain.
pub const CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY: c_uint = !0;
/// Planes of an EGL frame.
pub const MAX_PLANES: usize = 3;
/// Wait for a frame without limit.
pub const CUDA_EGL_INFINITE_TIMEOUT: c_uint = 0xFFFFFFFF;
