//! Modules, libraries, functions and the linker.

use core::ffi::c_void;

c_handle! {
    /// A module.
    CUmodule = CUmod_st;
}

c_handle! {
    /// A kernel in a context.
    CUfunction = CUfunc_st;
}

c_handle! {
    /// A library.
    CUlibrary = CUlib_st;
}

c_handle! {
    /// A kernel of a library.
    CUkernel = CUkern_st;
}

c_enum! {
    /// The attributes of a function.
    pub enum CUfunction_attribute: CUfunction_attribute_enum {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
        CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
        CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
        CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
        CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
        CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
        CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
        CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED = 16,
        CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE = 17,
        CU_FUNC_ATTRIBUTE_MAX = 18,
    }
}

c_enum! {
    /// Preferred share of shared memory, in percent, or one of these.
    pub enum CUshared_carveout: CUshared_carveout_enum as i32 {
        CU_SHAREDMEM_CARVEOUT_DEFAULT = -1,
        CU_SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
        CU_SHAREDMEM_CARVEOUT_MAX_L1 = 0,
    }
}

c_enum! {
    /// Options of the compiler and the linker.
    pub enum CUjit_option: CUjit_option_enum {
        CU_JIT_MAX_REGISTERS = 0,
        CU_JIT_THREADS_PER_BLOCK = 1,
        CU_JIT_WALL_TIME = 2,
        CU_JIT_INFO_LOG_BUFFER = 3,
        CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
        CU_JIT_ERROR_LOG_BUFFER = 5,
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
        CU_JIT_OPTIMIZATION_LEVEL = 7,
        CU_JIT_TARGET_FROM_CUCONTEXT = 8,
        CU_JIT_TARGET = 9,
        CU_JIT_FALLBACK_STRATEGY = 10,
        CU_JIT_GENERATE_DEBUG_INFO = 11,
        CU_JIT_LOG_VERBOSE = 12,
        CU_JIT_GENERATE_LINE_INFO = 13,
        CU_JIT_CACHE_MODE = 14,
        CU_JIT_NEW_SM3X_OPT = 15,
        CU_JIT_FAST_COMPILE = 16,
        CU_JIT_GLOBAL_SYMBOL_NAMES = 17,
        CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
        CU_JIT_GLOBAL_SYMBOL_COUNT = 19,
        CU_JIT_LTO = 20,
        CU_JIT_FTZ = 21,
        CU_JIT_PREC_DIV = 22,
        CU_JIT_PREC_SQRT = 23,
        CU_JIT_FMA = 24,
        CU_JIT_REFERENCED_KERNEL_NAMES = 25,
        CU_JIT_REFERENCED_KERNEL_COUNT = 26,
        CU_JIT_REFERENCED_VARIABLE_NAMES = 27,
        CU_JIT_REFERENCED_VARIABLE_COUNT = 28,
        CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
        CU_JIT_POSITION_INDEPENDENT_CODE = 30,
        CU_JIT_MIN_CTA_PER_SM = 31,
        CU_JIT_MAX_THREADS_PER_BLOCK = 32,
        CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
        CU_JIT_SPLIT_COMPILE = 34,
        CU_JIT_BINARY_LOADER_THREAD_COUNT = 35,
        CU_JIT_NUM_OPTIONS = 36,
    }
}

c_enum! {
    /// Architectures to compile for.
    pub enum CUjit_target: CUjit_target_enum {
        CU_TARGET_COMPUTE_30 = 30,
        CU_TARGET_COMPUTE_32 = 32,
        CU_TARGET_COMPUTE_35 = 35,
        CU_TARGET_COMPUTE_37 = 37,
        CU_TARGET_COMPUTE_50 = 50,
        CU_TARGET_COMPUTE_52 = 52,
        CU_TARGET_COMPUTE_53 = 53,
        CU_TARGET_COMPUTE_60 = 60,
        CU_TARGET_COMPUTE_61 = 61,
        CU_TARGET_COMPUTE_62 = 62,
        CU_TARGET_COMPUTE_70 = 70,
        CU_TARGET_COMPUTE_72 = 72,
        CU_TARGET_COMPUTE_75 = 75,
        CU_TARGET_COMPUTE_80 = 80,
        CU_TARGET_COMPUTE_86 = 86,
        CU_TARGET_COMPUTE_87 = 87,
        CU_TARGET_COMPUTE_89 = 89,
        CU_TARGET_COMPUTE_90 = 90,
        CU_TARGET_COMPUTE_100 = 100,
        CU_TARGET_COMPUTE_110 = 110,
        CU_TARGET_COMPUTE_103 = 103,
        CU_TARGET_COMPUTE_107 = 107,
        CU_TARGET_COMPUTE_120 = 120,
        CU_TARGET_COMPUTE_121 = 121,
        CU_TARGET_COMPUTE_90A = 65626,
        CU_TARGET_COMPUTE_100A = 65636,
        CU_TARGET_COMPUTE_110A = 65646,
        CU_TARGET_COMPUTE_103A = 65639,
        CU_TARGET_COMPUTE_107A = 65643,
        CU_TARGET_COMPUTE_120A = 65656,
        CU_TARGET_COMPUTE_121A = 65657,
        CU_TARGET_COMPUTE_100F = 131172,
        CU_TARGET_COMPUTE_110F = 131182,
        CU_TARGET_COMPUTE_103F = 131175,
        CU_TARGET_COMPUTE_107F = 131179,
        CU_TARGET_COMPUTE_120F = 131192,
        CU_TARGET_COMPUTE_121F = 131193,
    }
}

c_enum! {
    /// What to do if no binary suits the device.
    pub enum CUjit_fallback: CUjit_fallback_enum {
        CU_PREFER_PTX = 0,
        CU_PREFER_BINARY = 1,
    }
}

c_enum! {
    /// How loads are cached by default.
    pub enum CUjit_cacheMode: CUjit_cacheMode_enum {
        CU_JIT_CACHE_OPTION_NONE = 0,
        CU_JIT_CACHE_OPTION_CG = 1,
        CU_JIT_CACHE_OPTION_CA = 2,
    }
}

c_enum! {
    /// Kinds of inputs of a link.
    pub enum CUjitInputType: CUjitInputType_enum {
        CU_JIT_INPUT_CUBIN = 0,
        CU_JIT_INPUT_PTX = 1,
        CU_JIT_INPUT_FATBINARY = 2,
        CU_JIT_INPUT_OBJECT = 3,
        CU_JIT_INPUT_LIBRARY = 4,
        CU_JIT_INPUT_NVVM = 5,
        CU_JIT_NUM_INPUT_TYPES = 6,
    }
}

c_handle! {
    /// A link in progress.
    CUlinkState = CUlinkState_st;
}

c_enum! {
    /// Options of loading a library.
    pub enum CUlibraryOption: CUlibraryOption_enum {
        CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
        CU_LIBRARY_BINARY_IS_PRESERVED = 1,
        CU_LIBRARY_NUM_OPTIONS = 2,
    }
}

c_struct! {
    /// Host tables for unified functions and data.
    pub struct CUlibraryHostUniversalFunctionAndDataTable: CUlibraryHostUniversalFunctionAndDataTable_st {
        pub functionTable: *mut c_void,
        pub functionWindowSize: usize,
        pub dataTable: *mut c_void,
        pub dataWindowSize: usize,
    }
}

c_enum! {
    /// When modules are loaded.
    pub enum CUmoduleLoadingMode: CUmoduleLoadingMode_enum {
        CU_MODULE_EAGER_LOADING = 0x1,
        CU_MODULE_LAZY_LOADING = 0x2,
    }
}

c_enum! {
    /// Whether a function is loaded.
    pub enum CUfunctionLoadingState: CUfunctionLoadingState_enum {
        CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
        CU_FUNCTION_LOADING_STATE_LOADED = 1,
        CU_FUNCTION_LOADING_STATE_MAX = 2,
    }
}
