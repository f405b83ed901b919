//! Textures and surfaces.

/// Makes a texture object.
#[entry(since = 13000)]
pub fn cudaCreateTextureObject(pTexObject: *mut cudaTextureObject_t, pResDesc: *const cudaResourceDesc, pTexDesc: *const cudaTextureDesc, pResViewDesc: *const cudaResourceViewDesc) -> cudaError_t;

/// Destroys a texture object.
#[entry(since = 13000)]
pub fn cudaDestroyTextureObject(texObject: cudaTextureObject_t) -> cudaError_t;

/// What a texture object reads.
#[entry(since = 13000)]
pub fn cudaGetTextureObjectResourceDesc(pResDesc: *mut cudaResourceDesc, texObject: cudaTextureObject_t) -> cudaError_t;

/// How a texture object reads.
#[entry(since = 13000)]
pub fn cudaGetTextureObjectTextureDesc(pTexDesc: *mut cudaTextureDesc, texObject: cudaTextureObject_t) -> cudaError_t;

/// Which part a texture object reads.
#[entry(since = 13000)]
pub fn cudaGetTextureObjectResourceViewDesc(pResViewDesc: *mut cudaResourceViewDesc, texObject: cudaTextureObject_t) -> cudaError_t;

/// Makes a surface object.
#[entry(since = 13000)]
pub fn cudaCreateSurfaceObject(pSurfObject: *mut cudaSurfaceObject_t, pResDesc: *const cudaResourceDesc) -> cudaError_t;

/// Destroys a surface object.
#[entry(since = 13000)]
pub fn cudaDestroySurfaceObject(surfObject: cudaSurfaceObject_t) -> cudaError_t;

/// What a surface object accesses.
#[entry(since = 13000)]
pub fn cudaGetSurfaceObjectResourceDesc(pResDesc: *mut cudaResourceDesc, surfObject: cudaSurfaceObject_t) -> cudaError_t;
