//! `nvmlReturn_t`.

use core::ffi::CStr;

/// A result that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub i32);

/// What a body returns.
pub type Result<T = ()> = core::result::Result<T, Code>;

/// What success is for C.
pub const SUCCESS: i32 = 0;

macro_rules! codes {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        impl Code {
            $(#[doc = concat!("`NVML_ERROR_", stringify!($name), "`")]
            #[allow(dead_code)]
            pub const $name: Code = Code($number);)*
        }

        /// The text of a result.
        pub fn text(result: i32) -> &'static CStr {
            match result {
                0 => c"Success",
                $($number => $text,)*
                _ => c"Unknown Error",
            }
        }
    };
}

codes! {
    UNINITIALIZED = 1, c"Uninitialized";
    INVALID_ARGUMENT = 2, c"Invalid Argument";
    NOT_SUPPORTED = 3, c"Not Supported";
    NO_PERMISSION = 4, c"Insufficient Permissions";
    ALREADY_INITIALIZED = 5, c"Already Initialized";
    NOT_FOUND = 6, c"Not Found";
    INSUFFICIENT_SIZE = 7, c"Insufficient Size";
    INSUFFICIENT_POWER = 8, c"Insufficient External Power";
    DRIVER_NOT_LOADED = 9, c"Driver Not Loaded";
    TIMEOUT = 10, c"Timeout";
    IRQ_ISSUE = 11, c"Interrupt Request Issue";
    LIBRARY_NOT_FOUND = 12, c"NVML Shared Library Not Found";
    FUNCTION_NOT_FOUND = 13, c"Function Not Found";
    CORRUPTED_INFOROM = 14, c"Corrupted infoROM";
    GPU_IS_LOST = 15, c"GPU is lost";
    RESET_REQUIRED = 16, c"GPU requires reset";
    OPERATING_SYSTEM = 17, c"GPU access blocked by the operating system";
    LIB_RM_VERSION_MISMATCH = 18, c"Driver/library version mismatch";
    IN_USE = 19, c"In use by another client";
    MEMORY = 20, c"Insufficient Memory";
    NO_DATA = 21, c"No data";
    VGPU_ECC_NOT_SUPPORTED = 22, c"vGPU ECC not supported";
    INSUFFICIENT_RESOURCES = 23, c"Insufficient Resources";
    FREQ_NOT_SUPPORTED = 24, c"Invalid Frequency";
    ARGUMENT_VERSION_MISMATCH = 25, c"Argument version mismatch";
    DEPRECATED = 26, c"Requested functionality has been deprecated";
    NOT_READY = 27, c"System is not in ready state";
    GPU_NOT_FOUND = 28, c"No supported GPUs were found";
    INVALID_STATE = 29, c"Resource not in correct state to perform requested operation";
    RESET_TYPE_NOT_SUPPORTED = 30, c"Reset type is not supported for given device";
    UNKNOWN = 999, c"Unknown Error";
}
