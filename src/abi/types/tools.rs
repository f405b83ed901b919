//! Entry point look-up, core dumps, logs, checkpoints, profiler.

use super::device::{CUdevice, CUuuid};
use super::result::{CUdeviceptr, cuuint64_t};
use super::stream::CUstream;
use core::ffi::{c_char, c_int, c_uint, c_void};

c_enum! {
    /// Flags of looking up a function.
    pub enum CUdriverProcAddress_flags: CUdriverProcAddress_flags_enum {
        CU_GET_PROC_ADDRESS_DEFAULT = 0,
        CU_GET_PROC_ADDRESS_LEGACY_STREAM = 0x1,
        CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 0x2,
    }
}

c_enum! {
    /// Why a function was not found.
    pub enum CUdriverProcAddressQueryResult: CUdriverProcAddressQueryResult_enum {
        CU_GET_PROC_ADDRESS_SUCCESS = 0,
        CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
        CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2,
    }
}

c_enum! {
    /// Checkpoint states of a process.
    pub enum CUprocessState: CUprocessState_enum {
        CU_PROCESS_STATE_RUNNING = 0,
        CU_PROCESS_STATE_LOCKED = 1,
        CU_PROCESS_STATE_CHECKPOINTED = 2,
        CU_PROCESS_STATE_FAILED = 3,
        CU_PROCESS_STATE_CHECKPOINTING = 4,
        CU_PROCESS_STATE_RESTORING = 5,
    }
}

c_struct! {
    /// Contents of one device in custom checkpoint storage.
    pub struct CUcheckpointCustomStoragePerDeviceData: CUcheckpointCustomStoragePerDeviceData_st {
        pub devPtr: CUdeviceptr,
        pub size: usize,
        pub stream: CUstream,
    }
}

c_handle! {
    /// A checkpoint operation with custom storage.
    CUcheckpointOperationHandle = CUIcheckpointOperation_st;
}

c_struct! {
    /// Contents of all devices in custom checkpoint storage.
    pub struct CUcheckpointCustomStorageInfo: CUcheckpointCustomStorageInfo_st {
        pub handle: CUcheckpointOperationHandle,
        pub perDeviceData: *mut CUcheckpointCustomStoragePerDeviceData,
        pub deviceCount: c_uint,
    }
}

c_struct! {
    /// Options of holding a process back.
    pub struct CUcheckpointLockArgs: CUcheckpointLockArgs_st {
        pub timeoutMs: c_uint,
        pub reserved0: c_uint,
        pub reserved1: [cuuint64_t; 7],
    }
}

c_struct! {
    /// Options of checkpointing a process.
    pub struct CUcheckpointCheckpointArgs: CUcheckpointCheckpointArgs_st {
        pub customStorageInfo_out: *mut *mut CUcheckpointCustomStorageInfo,
        pub reserved: [c_char; 56],
    }
}

c_struct! {
    /// A device before and after a restore.
    pub struct CUcheckpointGpuPair: CUcheckpointGpuPair_st {
        pub oldUuid: CUuuid,
        pub newUuid: CUuuid,
    }
}

c_struct! {
    /// Options of restoring a process.
    pub struct CUcheckpointRestoreArgs: CUcheckpointRestoreArgs_st {
        pub gpuPairs: *mut CUcheckpointGpuPair,
        pub gpuPairsCount: c_uint,
        pub padding0: c_uint,
        pub customStorageInfo_out: *mut *mut CUcheckpointCustomStorageInfo,
        pub reserved: [c_char; 40],
    }
}

c_struct! {
    /// Options of letting a process go on.
    pub struct CUcheckpointUnlockArgs: CUcheckpointUnlockArgs_st {
        pub reserved: [cuuint64_t; 8],
    }
}

c_enum! {
    /// Core dump settings.
    pub enum CUcoredumpSettings: CUcoredumpSettings_enum {
        CU_COREDUMP_ENABLE_ON_EXCEPTION = 1,
        CU_COREDUMP_TRIGGER_HOST = 2,
        CU_COREDUMP_LIGHTWEIGHT = 3,
        CU_COREDUMP_ENABLE_USER_TRIGGER = 4,
        CU_COREDUMP_FILE = 5,
        CU_COREDUMP_PIPE = 6,
        CU_COREDUMP_GENERATION_FLAGS = 7,
        CU_COREDUMP_MAX = 8,
    }
}

c_enum! {
    /// What a core dump leaves out, as bits.
    pub enum CUCoredumpGenerationFlags: CUCoredumpGenerationFlags as i32 {
        CU_COREDUMP_DEFAULT_FLAGS = 0,
        CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES = 0x1,
        CU_COREDUMP_SKIP_GLOBAL_MEMORY = 0x2,
        CU_COREDUMP_SKIP_SHARED_MEMORY = 0x4,
        CU_COREDUMP_SKIP_LOCAL_MEMORY = 0x8,
        CU_COREDUMP_SKIP_ABORT = 0x10,
        CU_COREDUMP_SKIP_CONSTBANK_MEMORY = 0x20,
        CU_COREDUMP_GZIP_COMPRESS = 0x40,
        CU_COREDUMP_FAULTED_CONTEXTS_ONLY = 0x80,
        CU_COREDUMP_SKIP_TENSOR_MEMORY = 0x100,
        CU_COREDUMP_NO_ERRBAR_AT_EXIT = 0x40000000,
        CU_COREDUMP_LOG_ONLY = -0x80000000,
        CU_COREDUMP_LIGHTWEIGHT_FLAGS = 303,
    }
}

c_handle! {
    /// A registered core dump callback.
    CUcoredumpCallbackHandle = CUcoredumpCallbackEntry_st;
}

/// Hears about the start or end of a core dump.
pub type CUcoredumpStatusCallback = Option<unsafe extern "C" fn(userData: *mut c_void, pid: c_int, dev: CUdevice)>;

c_enum! {
    /// Levels of log messages.
    pub enum CUlogLevel: CUlogLevel_enum {
        CU_LOG_LEVEL_ERROR = 0,
        CU_LOG_LEVEL_WARNING = 1,
    }
}

c_handle! {
    /// A registered log callback.
    CUlogsCallbackHandle = CUlogsCallbackEntry_st;
}

/// Receives log messages.
pub type CUlogsCallback =
    Option<unsafe extern "C" fn(data: *mut c_void, logLevel: CUlogLevel, message: *mut c_char, length: usize)>;

/// A position in the error log.
pub type CUlogIterator = c_uint;

c_enum! {
    /// Output formats of the old command-line profiler.
    pub enum CUoutput_mode: CUoutput_mode_enum {
        CU_OUT_KEY_VALUE_PAIR = 0,
        CU_OUT_CSV = 1,
    }
}
