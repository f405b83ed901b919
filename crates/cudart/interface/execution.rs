//! Launches and functions.

/// Launches the kernel of a host function.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaLaunchKernel(func: *const c_void, gridDim: dim3, blockDim: dim3, args: *mut *mut c_void, sharedMem: usize, stream: cudaStream_t) -> cudaError_t;

/// Launches with attributes.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaLaunchKernelExC(config: *const cudaLaunchConfig_t, func: *const c_void, args: *mut *mut c_void) -> cudaError_t;

/// Launches a kernel whose blocks all run at once.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaLaunchCooperativeKernel(func: *const c_void, gridDim: dim3, blockDim: dim3, args: *mut *mut c_void, sharedMem: usize, stream: cudaStream_t) -> cudaError_t;

/// Sets what a kernel prefers, shared memory or first-level cache.
#[entry(since = 13000)]
pub fn cudaFuncSetCacheConfig(func: *const c_void, cacheConfig: cudaFuncCache) -> cudaError_t;

/// What is known about a kernel.
#[entry(since = 13000)]
pub fn cudaFuncGetAttributes(attr: *mut cudaFuncAttributes, func: *const c_void) -> cudaError_t;

/// Sets one attribute of a kernel.
#[entry(since = 13000)]
pub fn cudaFuncSetAttribute(func: *const c_void, attr: cudaFuncAttribute, value: c_int) -> cudaError_t;

/// The kernel's name in the code.
#[entry(since = 13000)]
pub fn cudaFuncGetName(name: *mut *const c_char, func: *const c_void) -> cudaError_t;

/// Where a parameter of a kernel lies.
#[entry(since = 13000)]
pub fn cudaFuncGetParamInfo(func: *const c_void, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) -> cudaError_t;

/// The number of a kernel's parameters.
#[entry(since = 13000)]
pub fn cudaFuncGetParamCount(func: *const c_void, paramCount: *mut usize) -> cudaError_t;

/// Sets the width of the banks of a kernel's shared memory.
#[entry(since = 13000)]
pub fn cudaFuncSetSharedMemConfig(func: *const c_void, config: cudaSharedMemConfig) -> cudaError_t;

/// How many blocks of a kernel a multiprocessor holds.
#[entry(since = 13000)]
pub fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks: *mut c_int, func: *const c_void, blockSize: c_int, dynamicSMemSize: usize) -> cudaError_t;

/// How much shared memory remains for so many blocks.
#[entry(since = 13000)]
pub fn cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize: *mut usize, func: *const c_void, numBlocks: c_int, blockSize: c_int) -> cudaError_t;

/// How many blocks of a kernel a multiprocessor holds, with flags.
#[entry(since = 13000)]
pub fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks: *mut c_int, func: *const c_void, blockSize: c_int, dynamicSMemSize: usize, flags: c_uint) -> cudaError_t;

/// The largest cluster that a launch could have.
#[entry(since = 13000)]
pub fn cudaOccupancyMaxPotentialClusterSize(clusterSize: *mut c_int, func: *const c_void, launchConfig: *const cudaLaunchConfig_t) -> cudaError_t;

/// How many clusters run at once.
#[entry(since = 13000)]
pub fn cudaOccupancyMaxActiveClusters(numClusters: *mut c_int, func: *const c_void, launchConfig: *const cudaLaunchConfig_t) -> cudaError_t;
