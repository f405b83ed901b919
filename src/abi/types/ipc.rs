//! Handles for other processes.

use core::ffi::c_char;

c_struct! {
    /// An event exported to other processes.
    pub struct CUipcEventHandle_v1: CUipcEventHandle_st {
        pub reserved: [c_char; 64],
    }
}

/// The [`CUipcEventHandle_v1`] in use.
pub type CUipcEventHandle = CUipcEventHandle_v1;

c_struct! {
    /// A device allocation exported to other processes.
    pub struct CUipcMemHandle_v1: CUipcMemHandle_st {
        pub reserved: [c_char; 64],
    }
}

/// The [`CUipcMemHandle_v1`] in use.
pub type CUipcMemHandle = CUipcMemHandle_v1;

c_enum! {
    /// Flags for opening exported memory.
    pub enum CUipcMem_flags: CUipcMem_flags_enum {
        CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1,
    }
}
