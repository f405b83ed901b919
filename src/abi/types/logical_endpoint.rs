//! Logical endpoints and fabric copies.

use super::device::CUdevice;
use super::memory::CUmemLocation;
use super::result::{CUdeviceptr, cuuint32_t, cuuint64_t};
use core::ffi::{c_uchar, c_uint, c_ulonglong};

c_struct! {
    /// One fabric copy.
    pub struct CUDA_FABRIC_COPY_BATCH_OP_v1: CUDA_FABRIC_COPY_BATCH_OP_st {
        pub src: CUfabricCpyOperand,
        pub dst: CUfabricCpyOperand,
        pub size: usize,
        pub flags: c_uint,
    }
}

/// The [`CUDA_FABRIC_COPY_BATCH_OP_v1`] in use.
pub type CUDA_FABRIC_COPY_BATCH_OP = CUDA_FABRIC_COPY_BATCH_OP_v1;

/// A logical endpoint, as a number.
pub type CUlogicalEndpointId = cuuint32_t;

c_enum! {
    /// Handles through which endpoints can be shared.
    pub enum CUlogicalEndpointIpcHandleType: CUlogicalEndpointIpcHandleType_enum {
        CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_NONE = 0,
        CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC = 1,
    }
}

c_struct! {
    /// An endpoint exported over the fabric.
    pub struct CUlogicalEndpointFabricHandle: CUlogicalEndpointFabricHandle_st {
        pub data: [c_uchar; 64],
    }
}

c_enum! {
    /// Kinds of endpoints.
    pub enum CUlogicalEndpointType: CUlogicalEndpointType_enum {
        CU_LOGICAL_ENDPOINT_TYPE_INVALID = 0,
        CU_LOGICAL_ENDPOINT_TYPE_UNICAST = 1,
        CU_LOGICAL_ENDPOINT_TYPE_MULTICAST = 2,
    }
}

c_enum! {
    /// Flags of an endpoint.
    pub enum CUlogicalEndpointFlag: CUlogicalEndpointFlag_enum {
        CU_LOGICAL_ENDPOINT_FLAG_NONE = 0x0,
        CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS = 0x1,
    }
}

c_struct! {
    /// Member `unicast` of [`CUlogicalEndpointProp_anon0`].
    pub struct CUlogicalEndpointProp_anon0_unicast: _ {
        pub device: CUdevice,
    }
}

c_struct! {
    /// Member `multicast` of [`CUlogicalEndpointProp_anon0`].
    pub struct CUlogicalEndpointProp_anon0_multicast: _ {
        pub numDevices: c_uint,
    }
}

c_struct! {
    /// Unnamed member of [`CUlogicalEndpointProp`].
    pub union CUlogicalEndpointProp_anon0: _ {
        pub unicast: CUlogicalEndpointProp_anon0_unicast,
        pub multicast: CUlogicalEndpointProp_anon0_multicast,
    }
}

c_struct! {
    /// Properties of an endpoint.
    pub struct CUlogicalEndpointProp: CUlogicalEndpointProp_struct {
        pub r#type: CUlogicalEndpointType,
        pub anon0: CUlogicalEndpointProp_anon0,
        pub size: c_ulonglong,
        pub ipcHandleTypes: c_uint,
        pub flags: c_uint,
    }
}

c_enum! {
    /// Kinds of operands of a fabric copy.
    pub enum CUfabricCpyOperandType: CUfabricCpyOperandType_enum {
        CU_FABRIC_COPY_OPERAND_TYPE_POINTER = 0x1,
        CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT = 0x2,
        CU_FABRIC_COPY_OPERAND_TYPE_MAX = 0x7FFFFFFF,
    }
}

c_struct! {
    /// Member `ptr` of [`CUfabricCpyOperand_op`].
    pub struct CUfabricCpyOperand_op_ptr: _ {
        pub ptr: CUdeviceptr,
        pub locHint: CUmemLocation,
    }
}

c_struct! {
    /// Member `le` of [`CUfabricCpyOperand_op`].
    pub struct CUfabricCpyOperand_op_le: _ {
        pub id: CUlogicalEndpointId,
        pub offset: cuuint64_t,
    }
}

c_struct! {
    /// Member `op` of [`CUfabricCpyOperand`].
    pub union CUfabricCpyOperand_op: _ {
        pub ptr: CUfabricCpyOperand_op_ptr,
        pub le: CUfabricCpyOperand_op_le,
    }
}

c_struct! {
    /// One side of a fabric copy.
    pub struct CUfabricCpyOperand: CUfabricCpyOperand_st {
        pub r#type: CUfabricCpyOperandType,
        pub op: CUfabricCpyOperand_op,
    }
}
