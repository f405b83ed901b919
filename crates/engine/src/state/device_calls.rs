//! The functions of the device's runtime that kernels may call, and the codes that these give.

/// Error codes of the runtime.
pub mod code {
    pub const INVALID_VALUE: u32 = 1;
    pub const MEMORY_ALLOCATION: u32 = 2;
    pub const INVALID_CONFIGURATION: u32 = 9;
    pub const INVALID_PITCH: u32 = 12;
    pub const INVALID_DIRECTION: u32 = 21;
    pub const MAX_DEPTH: u32 = 65;
    pub const PENDING_COUNT: u32 = 69;
    pub const INVALID_DEVICE_FUNCTION: u32 = 98;
    pub const UNSUPPORTED_LIMIT: u32 = 215;
    pub const NOT_SUPPORTED: u32 = 801;
}

/// The functions that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Memory for parameters, for a launch that is described with it, or of so many bytes.
    Parameters,
    PlainParameters,
    /// The launch.
    Launch,
    PlainLaunch,
    LastError,
    PeekError,
    ErrorName,
    ErrorText,
    /// Handles without meaning: everything runs in order anyway.
    Create,
    Ignore,
    Copy,
    CopyRows,
    CopyBox,
    Fill,
    FillRows,
    FillBox,
    Allocate,
    Free,
    Version,
    Devices,
    Device,
    Attribute,
    Limit,
    CacheConfig,
    BankConfig,
    Function,
    Occupancy,
}

impl Call {
    /// True for work that is done behind the grid: launches, copies and fills.
    pub fn launches(self) -> bool {
        use Call::*;
        matches!(self, Launch | PlainLaunch | Copy | CopyRows | CopyBox | Fill | FillRows | FillBox)
    }

    /// The function with a name.
    pub fn parse(name: &str) -> Option<Call> {
        let name = name.strip_prefix("__cudaCDP2")?;
        Some(match name.strip_suffix("_ptsz").unwrap_or(name) {
            "GetParameterBufferV2" => Call::Parameters,
            "GetParameterBuffer" => Call::PlainParameters,
            "LaunchDeviceV2" => Call::Launch,
            "LaunchDevice" => Call::PlainLaunch,
            "GetLastError" => Call::LastError,
            "PeekAtLastError" => Call::PeekError,
            "GetErrorName" => Call::ErrorName,
            "GetErrorString" => Call::ErrorText,
            "StreamCreateWithFlags" | "EventCreateWithFlags" => Call::Create,
            "StreamDestroy" | "StreamWaitEvent" | "EventRecord" | "EventRecordWithFlags" | "EventDestroy" => {
                Call::Ignore
            }
            "MemcpyAsync" => Call::Copy,
            "Memcpy2DAsync" => Call::CopyRows,
            "Memcpy3DAsync" => Call::CopyBox,
            "MemsetAsync" => Call::Fill,
            "Memset2DAsync" => Call::FillRows,
            "Memset3DAsync" => Call::FillBox,
            "Malloc" => Call::Allocate,
            "Free" => Call::Free,
            "RuntimeGetVersion" => Call::Version,
            "GetDeviceCount" => Call::Devices,
            "GetDevice" => Call::Device,
            "DeviceGetAttribute" => Call::Attribute,
            "DeviceGetLimit" => Call::Limit,
            "DeviceGetCacheConfig" => Call::CacheConfig,
            "DeviceGetSharedMemConfig" => Call::BankConfig,
            "FuncGetAttributes" => Call::Function,
            "OccupancyMaxActiveBlocksPerMultiprocessor" | "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => {
                Call::Occupancy
            }
            _ => return None,
        })
    }
}
