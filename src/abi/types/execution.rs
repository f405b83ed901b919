//! Launches.

use super::event::CUevent;
use super::graph::CUgraphDeviceNode;
use super::module::CUfunction;
use super::stream::{CUstream, CUsynchronizationPolicy};
use core::ffi::{c_char, c_int, c_uchar, c_uint, c_void};

c_enum! {
    /// Flags of occupancy computations.
    pub enum CUoccupancy_flags: CUoccupancy_flags_enum {
        CU_OCCUPANCY_DEFAULT = 0x0,
        CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 0x1,
    }
}

c_enum! {
    /// How L2 cache lines are kept.
    pub enum CUaccessProperty: CUaccessProperty_enum {
        CU_ACCESS_PROPERTY_NORMAL = 0,
        CU_ACCESS_PROPERTY_STREAMING = 1,
        CU_ACCESS_PROPERTY_PERSISTING = 2,
    }
}

c_struct! {
    /// A range of addresses with L2 cache policy.
    pub struct CUaccessPolicyWindow_v1: CUaccessPolicyWindow_st {
        pub base_ptr: *mut c_void,
        pub num_bytes: usize,
        pub hitRatio: f32,
        pub hitProp: CUaccessProperty,
        pub missProp: CUaccessProperty,
    }
}

/// The [`CUaccessPolicyWindow_v1`] in use.
pub type CUaccessPolicyWindow = CUaccessPolicyWindow_v1;

c_enum! {
    /// How blocks of a cluster are spread.
    pub enum CUclusterSchedulingPolicy: CUclusterSchedulingPolicy_enum {
        CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0,
        CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1,
        CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2,
        CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY = 3,
    }
}

c_enum! {
    /// Memory synchronisation domains.
    pub enum CUlaunchMemSyncDomain: CUlaunchMemSyncDomain_enum {
        CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0,
        CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1,
    }
}

c_struct! {
    /// Assignment of logical to physical memory synchronisation domains.
    pub struct CUlaunchMemSyncDomainMap: CUlaunchMemSyncDomainMap_st {
        pub default_: c_uchar,
        pub remote: c_uchar,
    }
}

c_enum! {
    /// Whether a launch may use clusters that not every device of its kind supports.
    pub enum CUlaunchAttributePortableClusterMode: CUlaunchAttributePortableClusterMode_enum {
        CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT = 0,
        CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE = 1,
        CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE = 2,
    }
}

c_enum! {
    /// Whether a launch may use shared memory sizes that not every device of its kind supports.
    pub enum CUsharedMemoryMode: CUsharedMemoryMode_enum {
        CU_SHARED_MEMORY_MODE_DEFAULT = 0,
        CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE = 1,
        CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE = 2,
        CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY = 3,
        CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY = 4,
    }
}

c_enum! {
    /// Attributes of launches, streams and kernel nodes.
    pub enum CUlaunchAttributeID: CUlaunchAttributeID_enum {
        CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
        CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
        CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
        CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
        CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
        CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11,
        CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12,
        CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13,
        CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14,
        CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING = 16,
        CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE = 17,
        CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE = 18,
    }
}

c_struct! {
    /// Member `clusterDim` of [`CUlaunchAttributeValue`].
    pub struct CUlaunchAttributeValue_clusterDim: _ {
        pub x: c_uint,
        pub y: c_uint,
        pub z: c_uint,
    }
}

c_struct! {
    /// Member `programmaticEvent` of [`CUlaunchAttributeValue`].
    pub struct CUlaunchAttributeValue_programmaticEvent: _ {
        pub event: CUevent,
        pub flags: c_int,
        pub triggerAtBlockStart: c_int,
    }
}

c_struct! {
    /// Member `launchCompletionEvent` of [`CUlaunchAttributeValue`].
    pub struct CUlaunchAttributeValue_launchCompletionEvent: _ {
        pub event: CUevent,
        pub flags: c_int,
    }
}

c_struct! {
    /// Member `preferredClusterDim` of [`CUlaunchAttributeValue`].
    pub struct CUlaunchAttributeValue_preferredClusterDim: _ {
        pub x: c_uint,
        pub y: c_uint,
        pub z: c_uint,
    }
}

c_struct! {
    /// Member `deviceUpdatableKernelNode` of [`CUlaunchAttributeValue`].
    pub struct CUlaunchAttributeValue_deviceUpdatableKernelNode: _ {
        pub deviceUpdatable: c_int,
        pub devNode: CUgraphDeviceNode,
    }
}

c_struct! {
    /// Value of a launch attribute.
    pub union CUlaunchAttributeValue: CUlaunchAttributeValue_union {
        pub pad: [c_char; 64],
        pub accessPolicyWindow: CUaccessPolicyWindow,
        pub cooperative: c_int,
        pub syncPolicy: CUsynchronizationPolicy,
        pub clusterDim: CUlaunchAttributeValue_clusterDim,
        pub clusterSchedulingPolicyPreference: CUclusterSchedulingPolicy,
        pub programmaticStreamSerializationAllowed: c_int,
        pub programmaticEvent: CUlaunchAttributeValue_programmaticEvent,
        pub launchCompletionEvent: CUlaunchAttributeValue_launchCompletionEvent,
        pub priority: c_int,
        pub memSyncDomainMap: CUlaunchMemSyncDomainMap,
        pub memSyncDomain: CUlaunchMemSyncDomain,
        pub preferredClusterDim: CUlaunchAttributeValue_preferredClusterDim,
        pub deviceUpdatableKernelNode: CUlaunchAttributeValue_deviceUpdatableKernelNode,
        pub sharedMemCarveout: c_uint,
        pub nvlinkUtilCentricScheduling: c_uint,
        pub portableClusterSizeMode: CUlaunchAttributePortableClusterMode,
        pub sharedMemoryMode: CUsharedMemoryMode,
    }
}

c_struct! {
    /// One launch attribute.
    pub struct CUlaunchAttribute: CUlaunchAttribute_st {
        pub id: CUlaunchAttributeID,
        pub pad: [c_char; 4],
        pub value: CUlaunchAttributeValue,
    }
}

c_struct! {
    /// Shape and attributes of a launch.
    pub struct CUlaunchConfig: CUlaunchConfig_st {
        pub gridDimX: c_uint,
        pub gridDimY: c_uint,
        pub gridDimZ: c_uint,
        pub blockDimX: c_uint,
        pub blockDimY: c_uint,
        pub blockDimZ: c_uint,
        pub sharedMemBytes: c_uint,
        pub hStream: CUstream,
        pub attrs: *mut CUlaunchAttribute,
        pub numAttrs: c_uint,
    }
}

/// The [`CUlaunchAttributeID`] in use.
pub type CUkernelNodeAttrID = CUlaunchAttributeID;

/// Versioned name of [`CUlaunchAttributeValue`].
pub type CUkernelNodeAttrValue_v1 = CUlaunchAttributeValue;

/// The [`CUkernelNodeAttrValue_v1`] in use.
pub type CUkernelNodeAttrValue = CUkernelNodeAttrValue_v1;

/// The [`CUlaunchAttributeID`] in use.
pub type CUstreamAttrID = CUlaunchAttributeID;

/// Versioned name of [`CUlaunchAttributeValue`].
pub type CUstreamAttrValue_v1 = CUlaunchAttributeValue;

/// The [`CUstreamAttrValue_v1`] in use.
pub type CUstreamAttrValue = CUstreamAttrValue_v1;

/// Computes the dynamic shared memory for a block size.
pub type CUoccupancyB2DSize = Option<unsafe extern "C" fn(blockSize: c_int) -> usize>;

c_struct! {
    /// One launch on several devices.
    pub struct CUDA_LAUNCH_PARAMS_v1: CUDA_LAUNCH_PARAMS_st {
        pub function: CUfunction,
        pub gridDimX: c_uint,
        pub gridDimY: c_uint,
        pub gridDimZ: c_uint,
        pub blockDimX: c_uint,
        pub blockDimY: c_uint,
        pub blockDimZ: c_uint,
        pub sharedMemBytes: c_uint,
        pub hStream: CUstream,
        pub kernelParams: *mut *mut c_void,
    }
}

/// The [`CUDA_LAUNCH_PARAMS_v1`] in use.
pub type CUDA_LAUNCH_PARAMS = CUDA_LAUNCH_PARAMS_v1;
