//! Device resources and green contexts.

use super::device::CUdevice;
use core::ffi::{c_uchar, c_uint};

c_handle! {
    /// A green context.
    CUgreenCtx = CUgreenCtx_st;
}

c_handle! {
    /// Resources for a green context.
    CUdevResourceDesc = CUdevResourceDesc_st;
}

c_enum! {
    /// Flags of a green context.
    pub enum CUgreenCtxCreate_flags: _ {
        CU_GREEN_CTX_NONE = 0x0,
        CU_GREEN_CTX_DEFAULT_STREAM = 0x1,
    }
}

c_enum! {
    /// Flags of a group of multiprocessors.
    pub enum CUdevSmResourceGroup_flags: _ {
        CU_DEV_SM_RESOURCE_GROUP_DEFAULT = 0,
        CU_DEV_SM_RESOURCE_GROUP_BACKFILL = 0x1,
        CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID = 0x2,
        CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS = 0x4,
    }
}

c_enum! {
    /// Flags of splitting multiprocessors by count.
    pub enum CUdevSmResourceSplitByCount_flags: _ {
        CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 0x1,
        CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 0x2,
    }
}

c_enum! {
    /// Kinds of device resources.
    pub enum CUdevResourceType: _ {
        CU_DEV_RESOURCE_TYPE_INVALID = 0,
        CU_DEV_RESOURCE_TYPE_SM = 1,
        CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG = 1000,
        CU_DEV_RESOURCE_TYPE_WORKQUEUE = 10000,
    }
}

c_struct! {
    /// Multiprocessors as a resource.
    pub struct CUdevSmResource: CUdevSmResource_st {
        pub smCount: c_uint,
        pub minSmPartitionSize: c_uint,
        pub smCoscheduledAlignment: c_uint,
        pub flags: c_uint,
        pub localityDomainId: c_uint,
    }
}

c_enum! {
    /// Who shares work queues.
    pub enum CUdevWorkqueueConfigScope: _ {
        CU_WORKQUEUE_SCOPE_DEVICE_CTX = 0,
        CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED = 1,
    }
}

c_struct! {
    /// Configuration of work queues as a resource.
    pub struct CUdevWorkqueueConfigResource: CUdevWorkqueueConfigResource_st {
        pub device: CUdevice,
        pub wqConcurrencyLimit: c_uint,
        pub sharingScope: CUdevWorkqueueConfigScope,
    }
}

c_struct! {
    /// Existing work queues as a resource.
    pub struct CUdevWorkqueueResource: CUdevWorkqueueResource_st {
        pub reserved: [c_uchar; 40],
    }
}

c_struct! {
    /// A wanted group of multiprocessors.
    pub struct CU_DEV_SM_RESOURCE_GROUP_PARAMS: CU_DEV_SM_RESOURCE_GROUP_PARAMS_st {
        pub smCount: c_uint,
        pub coscheduledSmCount: c_uint,
        pub preferredCoscheduledSmCount: c_uint,
        pub flags: c_uint,
        pub localityDomainId: c_uint,
        pub reserved: [c_uint; 11],
    }
}

c_struct! {
    /// Unnamed member of [`CUdevResource_v1`].
    pub union CUdevResource_v1_anon0: _ {
        pub sm: CUdevSmResource,
        pub wqConfig: CUdevWorkqueueConfigResource,
        pub wq: CUdevWorkqueueResource,
        pub _oversize: [c_uchar; 40],
    }
}

c_struct! {
    /// A resource of a device.
    pub struct CUdevResource_v1: CUdevResource_st {
        pub r#type: CUdevResourceType,
        pub _internal_padding: [c_uchar; 92],
        pub anon0: CUdevResource_v1_anon0,
        pub nextResource: *mut CUdevResource_v1,
    }
}

/// The [`CUdevResource_v1`] in use.
pub type CUdevResource = CUdevResource_v1;
