//! The result codes: number, name and text.

use core::cmp::Ordering;
use core::ffi::CStr;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::num::NonZeroU64;

/// A result code other than success, and why: see [`refuse!`](crate::refuse). Errors with the same code are equal, whatever the reason.
///
/// The code is in the lower half, the number of the reason in the upper one: a `Result<()>` is one register.
#[derive(Clone, Copy)]
pub struct Error(pub(crate) NonZeroU64);

/// The result of almost everything.
pub type Result<T = (), E = Error> = core::result::Result<T, E>;

/// What is known about one code.
struct Row {
    code: u32,
    name: &'static CStr,
    /// `None`: the code is newer than the driver whose behaviour we follow, which denies knowing it.
    text: Option<&'static CStr>,
}

/// `NAME = number, "C name", "text of the real driver";`, in ascending order. `unknown_to_driver` in place of the text
/// marks codes of newer headers: programs can see the constants, but neither name nor text can be asked for.
macro_rules! errors {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $c_name:literal, $text:tt;)*) => {
        impl Error {
            $($(#[$doc])* pub const $name: Error = Error(NonZeroU64::new($code).unwrap());)*
        }

        static ROWS: &[Row] = &[
            Row { code: 0, name: c"CUDA_SUCCESS", text: Some(c"no error") },
            $(Row { code: $code, name: errors!(@ $c_name), text: errors!(? $text) },)*
        ];
    };
    (? unknown_to_driver) => { None };
    (? $text:literal) => { Some(errors!(@ $text)) };
    (@ $text:literal) => {
        match CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => unreachable!(),
        }
    };
}

errors! {
    /// An argument is outside its range.
    INVALID_VALUE = 1, "CUDA_ERROR_INVALID_VALUE", "invalid argument";
    /// Not enough memory.
    OUT_OF_MEMORY = 2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory";
    /// `cuInit` has not succeeded.
    NOT_INITIALIZED = 3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error";
    /// The driver is shutting down.
    DEINITIALIZED = 4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down";
    /// A tool profiles already.
    PROFILER_DISABLED = 5, "CUDA_ERROR_PROFILER_DISABLED", "profiler disabled while using external profiling tool";
    /// No longer used.
    PROFILER_NOT_INITIALIZED = 6, "CUDA_ERROR_PROFILER_NOT_INITIALIZED", "profiler not initialized: call cudaProfilerInitialize()";
    /// No longer used.
    PROFILER_ALREADY_STARTED = 7, "CUDA_ERROR_PROFILER_ALREADY_STARTED", "profiler already started";
    /// No longer used.
    PROFILER_ALREADY_STOPPED = 8, "CUDA_ERROR_PROFILER_ALREADY_STOPPED", "profiler already stopped";
    /// The library is only for linking.
    STUB_LIBRARY = 34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library";
    /// The driver is older than the function.
    CALL_REQUIRES_NEWER_DRIVER = 36, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "API call is not supported in the installed CUDA driver";
    /// The device is in use or switched off.
    DEVICE_UNAVAILABLE = 46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable";
    /// No multicast resources are left.
    MULTICAST_RESOURCE_FULL = 47, "CUDA_ERROR_MULTICAST_RESOURCE_FULL", unknown_to_driver;
    /// There is no device.
    NO_DEVICE = 100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected";
    /// The device does not exist.
    INVALID_DEVICE = 101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal";
    /// The device lacks a licence.
    DEVICE_NOT_LICENSED = 102, "CUDA_ERROR_DEVICE_NOT_LICENSED", "device doesn't have valid Grid license";
    /// The image is not one that can be loaded.
    INVALID_IMAGE = 200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid";
    /// No context is current, or the given one is none.
    INVALID_CONTEXT = 201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context";
    /// No longer used.
    CONTEXT_ALREADY_CURRENT = 202, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", "context already current";
    /// Mapping failed.
    MAP_FAILED = 205, "CUDA_ERROR_MAP_FAILED", "mapping of buffer object failed";
    /// Unmapping failed.
    UNMAP_FAILED = 206, "CUDA_ERROR_UNMAP_FAILED", "unmapping of buffer object failed";
    /// A mapped array cannot be destroyed.
    ARRAY_IS_MAPPED = 207, "CUDA_ERROR_ARRAY_IS_MAPPED", "array is mapped";
    /// The resource is mapped already.
    ALREADY_MAPPED = 208, "CUDA_ERROR_ALREADY_MAPPED", "resource already mapped";
    /// No image suits the device.
    NO_BINARY_FOR_GPU = 209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device";
    /// The resource is acquired already.
    ALREADY_ACQUIRED = 210, "CUDA_ERROR_ALREADY_ACQUIRED", "resource already acquired";
    /// The resource is not mapped.
    NOT_MAPPED = 211, "CUDA_ERROR_NOT_MAPPED", "resource not mapped";
    /// The resource is not mapped as an array.
    NOT_MAPPED_AS_ARRAY = 212, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY", "resource not mapped as array";
    /// The resource is not mapped as linear memory.
    NOT_MAPPED_AS_POINTER = 213, "CUDA_ERROR_NOT_MAPPED_AS_POINTER", "resource not mapped as pointer";
    /// Memory lost its contents beyond repair.
    ECC_UNCORRECTABLE = 214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered";
    /// The device does not know the limit.
    UNSUPPORTED_LIMIT = 215, "CUDA_ERROR_UNSUPPORTED_LIMIT", "limit is not supported on this architecture";
    /// Another thread uses the context.
    CONTEXT_ALREADY_IN_USE = 216, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "exclusive-thread device already in use by a different thread";
    /// The devices cannot reach each other.
    PEER_ACCESS_UNSUPPORTED = 217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access is not supported between these two devices";
    /// The PTX does not compile.
    INVALID_PTX = 218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed";
    /// The graphics context does not serve.
    INVALID_GRAPHICS_CONTEXT = 219, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "invalid OpenGL or DirectX context";
    /// An NVLink transfer failed beyond repair.
    NVLINK_UNCORRECTABLE = 220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error detected during the execution";
    /// The PTX compiler is missing.
    JIT_COMPILER_NOT_FOUND = 221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found";
    /// The PTX is newer than the compiler.
    UNSUPPORTED_PTX_VERSION = 222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain.";
    /// Compiling PTX is switched off.
    JIT_COMPILATION_DISABLED = 223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled";
    /// The device does not know the execution affinity.
    UNSUPPORTED_EXEC_AFFINITY = 224, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", "the provided execution affinity is not supported";
    /// The PTX synchronises the device from within a kernel.
    UNSUPPORTED_DEVSIDE_SYNC = 225, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC", "the provided PTX contains unsupported call to cudaDeviceSynchronize";
    /// A fault was contained to this process.
    CONTAINED = 226, "CUDA_ERROR_CONTAINED", "Invalid access of peer GPU memory over nvlink or a hardware error";
    /// The loader is older than the image needs.
    INSUFFICIENT_LOADER_VERSION = 227, "CUDA_ERROR_INSUFFICIENT_LOADER_VERSION", unknown_to_driver;
    /// The kernel source is not valid.
    INVALID_SOURCE = 300, "CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid";
    /// The file does not exist.
    FILE_NOT_FOUND = 301, "CUDA_ERROR_FILE_NOT_FOUND", "file not found";
    /// A shared library lacks a symbol.
    SHARED_OBJECT_SYMBOL_NOT_FOUND = 302, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", "shared object symbol not found";
    /// A shared library could not be started.
    SHARED_OBJECT_INIT_FAILED = 303, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", "shared object initialization failed";
    /// A call of the operating system failed.
    OPERATING_SYSTEM = 304, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS";
    /// The handle names nothing.
    INVALID_HANDLE = 400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle";
    /// The object is in a state that forbids this.
    ILLEGAL_STATE = 401, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state";
    /// The answer would leave something out.
    LOSSY_QUERY = 402, "CUDA_ERROR_LOSSY_QUERY", "attempted introspection would be semantically lossy";
    /// The name is unknown.
    NOT_FOUND = 500, "CUDA_ERROR_NOT_FOUND", "named symbol not found";
    /// Work is still under way; not a failure.
    NOT_READY = 600, "CUDA_ERROR_NOT_READY", "device not ready";
    /// A kernel or a copy used an address without memory.
    ILLEGAL_ADDRESS = 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered";
    /// The launch wants more than a multiprocessor has.
    LAUNCH_OUT_OF_RESOURCES = 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch";
    /// A kernel ran too long.
    LAUNCH_TIMEOUT = 702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated";
    /// The texturing mode does not suit the kernel.
    LAUNCH_INCOMPATIBLE_TEXTURING = 703, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING", "launch uses incompatible texturing mode";
    /// Peer access is enabled already.
    PEER_ACCESS_ALREADY_ENABLED = 704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled";
    /// Peer access is not enabled.
    PEER_ACCESS_NOT_ENABLED = 705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled";
    /// The primary context is active.
    PRIMARY_CONTEXT_ACTIVE = 708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "cannot set while device is active in this process";
    /// The current context has been destroyed.
    CONTEXT_IS_DESTROYED = 709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed";
    /// A kernel stopped at an assertion.
    ASSERT = 710, "CUDA_ERROR_ASSERT", "device-side assert triggered";
    /// No more peers fit.
    TOO_MANY_PEERS = 711, "CUDA_ERROR_TOO_MANY_PEERS", "peer mapping resources exhausted";
    /// The host memory is registered already.
    HOST_MEMORY_ALREADY_REGISTERED = 712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped";
    /// The host memory is not registered.
    HOST_MEMORY_NOT_REGISTERED = 713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region";
    /// A kernel broke its stack.
    HARDWARE_STACK_ERROR = 714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error";
    /// A kernel reached an illegal instruction.
    ILLEGAL_INSTRUCTION = 715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered";
    /// A kernel used a misaligned address.
    MISALIGNED_ADDRESS = 716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address";
    /// A kernel used an address in the wrong space.
    INVALID_ADDRESS_SPACE = 717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "operation not supported on global/shared address space";
    /// A kernel left its code.
    INVALID_PC = 718, "CUDA_ERROR_INVALID_PC", "invalid program counter";
    /// A kernel failed for another reason.
    LAUNCH_FAILED = 719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure";
    /// The grid does not fit on the device at once.
    COOPERATIVE_LAUNCH_TOO_LARGE = 720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch";
    /// A kernel ended without freeing tensor memory.
    TENSOR_MEMORY_LEAK = 721, "CUDA_ERROR_TENSOR_MEMORY_LEAK", "tensor memory not completely freed";
    /// The operation is not allowed.
    NOT_PERMITTED = 800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted";
    /// The operation is not supported here.
    NOT_SUPPORTED = 801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported";
    /// The system is still starting.
    SYSTEM_NOT_READY = 802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized";
    /// Display driver and CUDA driver do not match.
    SYSTEM_DRIVER_MISMATCH = 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination";
    /// Forward compatibility does not serve this device.
    COMPAT_NOT_SUPPORTED_ON_DEVICE = 804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW";
    /// The MPS server cannot be reached.
    MPS_CONNECTION_FAILED = 805, "CUDA_ERROR_MPS_CONNECTION_FAILED", "MPS client failed to connect to the MPS control daemon or the MPS server";
    /// A call to the MPS server failed.
    MPS_RPC_FAILURE = 806, "CUDA_ERROR_MPS_RPC_FAILURE", "the remote procedural call between the MPS server and the MPS client failed";
    /// The MPS server takes no clients at present.
    MPS_SERVER_NOT_READY = 807, "CUDA_ERROR_MPS_SERVER_NOT_READY", "MPS server is not ready to accept new MPS client requests";
    /// The MPS server has no room for more clients.
    MPS_MAX_CLIENTS_REACHED = 808, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "the hardware resources required to create MPS client have been exhausted";
    /// The MPS server has no room for more connections.
    MPS_MAX_CONNECTIONS_REACHED = 809, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", "the hardware resources required to support device connections have been exhausted";
    /// The MPS server ended this client.
    MPS_CLIENT_TERMINATED = 810, "CUDA_ERROR_MPS_CLIENT_TERMINATED", "the MPS client has been terminated by the server";
    /// Kernels cannot launch kernels here.
    CDP_NOT_SUPPORTED = 811, "CUDA_ERROR_CDP_NOT_SUPPORTED", "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it";
    /// Versions of kernels that launch kernels do not match.
    CDP_VERSION_MISMATCH = 812, "CUDA_ERROR_CDP_VERSION_MISMATCH", "unsupported interaction between different versions of CUDA Dynamic Parallelism";
    /// The call is not possible while a stream records.
    STREAM_CAPTURE_UNSUPPORTED = 900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing";
    /// The capture was invalidated earlier.
    STREAM_CAPTURE_INVALIDATED = 901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture";
    /// Two recordings would become one.
    STREAM_CAPTURE_MERGE = 902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "operation would result in a merge of separate capture sequences";
    /// The recording began in another stream.
    STREAM_CAPTURE_UNMATCHED = 903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not ended in the same stream as it began";
    /// A forked stream was not joined.
    STREAM_CAPTURE_UNJOINED = 904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work";
    /// Recorded work would depend on work outside.
    STREAM_CAPTURE_ISOLATION = 905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency created on uncaptured work in another stream";
    /// The default stream would depend on the recording.
    STREAM_CAPTURE_IMPLICIT = 906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "operation would make the legacy stream depend on a capturing blocking stream";
    /// The event was last recorded in a recording stream.
    CAPTURED_EVENT = 907, "CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream";
    /// Another thread began the recording.
    STREAM_CAPTURE_WRONG_THREAD = 908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "attempt to terminate a thread-local capture sequence from another thread";
    /// A wait took too long.
    TIMEOUT = 909, "CUDA_ERROR_TIMEOUT", "wait operation timed out";
    /// The graph differs too much for an update.
    GRAPH_EXEC_UPDATE_FAILURE = 910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
    /// A device outside CUDA failed.
    EXTERNAL_DEVICE = 911, "CUDA_ERROR_EXTERNAL_DEVICE", "an async error has occured in external entity outside of CUDA";
    /// The cluster shape is wrong.
    INVALID_CLUSTER_SIZE = 912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "a kernel launch error has occurred due to cluster misconfiguration";
    /// The function is not loaded yet.
    FUNCTION_NOT_LOADED = 913, "CUDA_ERROR_FUNCTION_NOT_LOADED", "the function handle is not loaded when calling an API that requires a loaded function";
    /// The kind of resource does not serve.
    INVALID_RESOURCE_TYPE = 914, "CUDA_ERROR_INVALID_RESOURCE_TYPE", "one or more resources passed in are not valid resource types for the operation";
    /// The resources do not suffice.
    INVALID_RESOURCE_CONFIGURATION = 915, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION", "one or more resources are insufficient or non-applicable for the operation";
    /// Rotating the keys failed.
    KEY_ROTATION = 916, "CUDA_ERROR_KEY_ROTATION", "an error happened during the key rotation sequence";
    /// The stream belongs to no context any more.
    STREAM_DETACHED = 917, "CUDA_ERROR_STREAM_DETACHED", unknown_to_driver;
    /// The recording differs too much from the graph.
    GRAPH_RECAPTURE_FAILURE = 918, "CUDA_ERROR_GRAPH_RECAPTURE_FAILURE", unknown_to_driver;
    /// The fabric is still starting.
    FABRIC_NOT_READY = 919, "CUDA_ERROR_FABRIC_NOT_READY", unknown_to_driver;
    /// A failure of another kind.
    UNKNOWN = 999, "CUDA_ERROR_UNKNOWN", "unknown error";
}

fn row(code: u32) -> Option<&'static Row> {
    ROWS.binary_search_by_key(&code, |row| row.code).ok().map(|at| &ROWS[at])
}

fn known(code: u32) -> Option<&'static Row> {
    row(code).filter(|row| row.text.is_some())
}

/// The code of an error by its name, with or without `CUDA_ERROR_`.
pub fn code_named(name: &str) -> Option<u32> {
    /// No error has a larger number.
    const LAST: u32 = 999;
    let short = name.strip_prefix("CUDA_ERROR_").unwrap_or(name);
    let is = |code: &u32| {
        let full = name_of(*code).and_then(|name| name.to_str().ok());
        full.and_then(|full| full.strip_prefix("CUDA_ERROR_")) == Some(short)
    };
    (1..=LAST).find(is)
}

/// The name of a code as the driver tells it, success included; `None` for codes that the driver denies knowing.
pub fn name_of(code: u32) -> Option<&'static CStr> {
    known(code).map(|row| row.name)
}

/// The text of a code as the driver tells it, success included; `None` for codes that the driver denies knowing.
pub fn text_of(code: u32) -> Option<&'static CStr> {
    row(code).and_then(|row| row.text)
}

impl Error {
    /// The error of a code: `None` for success, an error even for codes that nobody defined.
    pub const fn from_code(code: u32) -> Option<Error> {
        match NonZeroU64::new(code as u64) {
            Some(code) => Some(Error(code)),
            None => None,
        }
    }

    /// The number.
    #[inline]
    pub const fn code(self) -> u32 {
        self.0.get() as u32
    }

    /// The name in C, such as `CUDA_ERROR_INVALID_VALUE`, also of codes that are newer than the driver we follow.
    pub fn name(self) -> Option<&'static str> {
        row(self.code()).and_then(|row| row.name.to_str().ok())
    }

    /// The driver's text.
    pub fn text(self) -> Option<&'static str> {
        text_of(self.code()).and_then(|text| text.to_str().ok())
    }
}

impl PartialEq for Error {
    #[inline]
    fn eq(&self, other: &Error) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Error {}

impl PartialOrd for Error {
    fn partial_cmp(&self, other: &Error) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Error {
    fn cmp(&self, other: &Error) -> Ordering {
        self.code().cmp(&other.code())
    }
}

impl Hash for Error {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code().hash(state);
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "Error({})", self.code()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => write!(f, "{self:?} ({text})"),
            None => write!(f, "{self:?}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order() {
        assert!(ROWS.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn newer_codes_have_a_name_for_us_only() {
        assert_eq!(Error::STREAM_DETACHED.name(), Some("CUDA_ERROR_STREAM_DETACHED"));
        assert_eq!(name_of(Error::STREAM_DETACHED.code()), None);
        assert_eq!(name_of(0), Some(c"CUDA_SUCCESS"));
        assert_eq!(text_of(999), Some(c"unknown error"));
        assert_eq!(text_of(998), None);
    }
}
