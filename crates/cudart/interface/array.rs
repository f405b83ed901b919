//! Arrays.

/// Makes an array of one or two dimensions (`height` 0: one).
#[entry(since = 13000)]
pub fn cudaMallocArray(array: *mut cudaArray_t, desc: *const cudaChannelFormatDesc, width: usize, height: usize, flags: c_uint) -> cudaError_t;

/// Frees an array; NULL is nothing to free.
#[entry(since = 13000)]
pub fn cudaFreeArray(array: cudaArray_t) -> cudaError_t;

/// Frees a mipmapped array; NULL is nothing to free.
#[entry(since = 13000)]
pub fn cudaFreeMipmappedArray(mipmappedArray: cudaMipmappedArray_t) -> cudaError_t;

/// Makes an array of up to three dimensions, layered or a cube map by `flags`.
#[entry(since = 13000)]
pub fn cudaMalloc3DArray(array: *mut cudaArray_t, desc: *const cudaChannelFormatDesc, extent: cudaExtent, flags: c_uint) -> cudaError_t;

/// Makes an array with levels of detail.
#[entry(since = 13000)]
pub fn cudaMallocMipmappedArray(mipmappedArray: *mut cudaMipmappedArray_t, desc: *const cudaChannelFormatDesc, extent: cudaExtent, numLevels: c_uint, flags: c_uint) -> cudaError_t;

/// One level of a mipmapped array.
#[entry(since = 13000)]
pub fn cudaGetMipmappedArrayLevel(levelArray: *mut cudaArray_t, mipmappedArray: cudaMipmappedArray_const_t, level: c_uint) -> cudaError_t;

/// Copies a box between arrays and pitched memory.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy3D(p: *const cudaMemcpy3DParms) -> cudaError_t;

/// Copies a box between the memories of two devices.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy3DPeer(p: *const cudaMemcpy3DPeerParms) -> cudaError_t;

/// `cudaMemcpy3D` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy3DAsync(p: *const cudaMemcpy3DParms, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemcpy3DPeer` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy3DPeerAsync(p: *const cudaMemcpy3DPeerParms, stream: cudaStream_t) -> cudaError_t;

/// What an array was made with; each output may be NULL.
#[entry(since = 13000)]
pub fn cudaArrayGetInfo(desc: *mut cudaChannelFormatDesc, extent: *mut cudaExtent, flags: *mut c_uint, array: cudaArray_t) -> cudaError_t;

/// One plane of an array with several.
#[entry(since = 13000)]
pub fn cudaArrayGetPlane(pPlaneArray: *mut cudaArray_t, hArray: cudaArray_t, planeIdx: c_uint) -> cudaError_t;

/// Size and alignment of the memory that a deferred array wants.
#[entry(since = 13000)]
pub fn cudaArrayGetMemoryRequirements(memoryRequirements: *mut cudaArrayMemoryRequirements, array: cudaArray_t, device: c_int) -> cudaError_t;

/// Size and alignment of the memory that a deferred mipmapped array wants.
#[entry(since = 13000)]
pub fn cudaMipmappedArrayGetMemoryRequirements(memoryRequirements: *mut cudaArrayMemoryRequirements, mipmap: cudaMipmappedArray_t, device: c_int) -> cudaError_t;

/// Tiles of a sparse array.
#[entry(since = 13000)]
pub fn cudaArrayGetSparseProperties(sparseProperties: *mut cudaArraySparseProperties, array: cudaArray_t) -> cudaError_t;

/// Tiles of a sparse mipmapped array.
#[entry(since = 13000)]
pub fn cudaMipmappedArrayGetSparseProperties(sparseProperties: *mut cudaArraySparseProperties, mipmap: cudaMipmappedArray_t) -> cudaError_t;

/// Copies a rectangle into an array.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy2DToArray(dst: cudaArray_t, wOffset: usize, hOffset: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies a rectangle out of an array.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy2DFromArray(dst: *mut c_void, dpitch: usize, src: cudaArray_const_t, wOffset: usize, hOffset: usize, width: usize, height: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies a rectangle between arrays.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy2DArrayToArray(dst: cudaArray_t, wOffsetDst: usize, hOffsetDst: usize, src: cudaArray_const_t, wOffsetSrc: usize, hOffsetSrc: usize, width: usize, height: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// `cudaMemcpy2DToArray` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy2DToArrayAsync(dst: cudaArray_t, wOffset: usize, hOffset: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemcpy2DFromArray` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy2DFromArrayAsync(dst: *mut c_void, dpitch: usize, src: cudaArray_const_t, wOffset: usize, hOffset: usize, width: usize, height: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// Copies `count` bytes into an array, row after row (deprecated).
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpyToArray(dst: cudaArray_t, wOffset: usize, hOffset: usize, src: *const c_void, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies `count` bytes out of an array, row after row (deprecated).
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpyFromArray(dst: *mut c_void, src: cudaArray_const_t, wOffset: usize, hOffset: usize, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies `count` bytes between arrays, row after row (deprecated).
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpyArrayToArray(dst: cudaArray_t, wOffsetDst: usize, hOffsetDst: usize, src: cudaArray_const_t, wOffsetSrc: usize, hOffsetSrc: usize, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// `cudaMemcpyToArray` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyToArrayAsync(dst: cudaArray_t, wOffset: usize, hOffset: usize, src: *const c_void, count: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemcpyFromArray` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyFromArrayAsync(dst: *mut c_void, src: cudaArray_const_t, wOffset: usize, hOffset: usize, count: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// The channel description of an array.
#[entry(since = 13000)]
pub fn cudaGetChannelDesc(desc: *mut cudaChannelFormatDesc, array: cudaArray_const_t) -> cudaError_t;

/// See the manual of the CUDA runtime.
#[entry(since = 13000)]
pub fn cudaCreateChannelDesc(x: c_int, y: c_int, z: c_int, w: c_int, f: cudaChannelFormatKind) -> cudaChannelFormatDesc;
