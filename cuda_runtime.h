/*
 * The CUDA runtime as Doppel provides it, for C and C++. Where NVIDIA's header of this name lies behind it, that is taken, unless types
 * of ours are there already: headers of NVIDIA's libraries count on more than is here.
 */

#if defined(__has_include_next) && (defined(__CUDACC__) || !(defined(DOPPEL_CUDA_RUNTIME_API_H) || defined(DOPPEL_DRIVER_TYPES_H)))
#if __has_include_next(<cuda_runtime.h>)
#include_next <cuda_runtime.h>
#define DOPPEL_CUDA_RUNTIME_H
#endif
#endif

#if !defined(DOPPEL_CUDA_RUNTIME_H) && !defined(__CUDA_RUNTIME_H__)
#define DOPPEL_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"

/** Rows of linear memory. */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr s;
    s.ptr = d;
    s.pitch = p;
    s.xsize = xsz;
    s.ysize = ysz;
    return s;
}

/** A place. */
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p;
    p.x = x;
    p.y = y;
    p.z = z;
    return p;
}

/** Width, height and depth. */
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e;
    e.width = w;
    e.height = h;
    e.depth = d;
    return e;
}

#ifdef __cplusplus
/* Pointers of any type, and what may be left out. */
template <class T> static inline cudaError_t cudaMalloc(T **p, size_t size)
{
    return cudaMalloc(reinterpret_cast<void **>(p), size);
}
template <class T> static inline cudaError_t cudaMallocHost(T **p, size_t size, unsigned int flags = 0)
{
    return cudaHostAlloc(reinterpret_cast<void **>(p), size, flags);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **p, size_t size, unsigned int flags)
{
    return cudaHostAlloc(reinterpret_cast<void **>(p), size, flags);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **d, void *h, unsigned int flags)
{
    return cudaHostGetDevicePointer(reinterpret_cast<void **>(d), h, flags);
}
template <class T> static inline cudaError_t cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged(reinterpret_cast<void **>(p), size, flags);
}
template <class T> static inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch(reinterpret_cast<void **>(p), pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **p, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync(reinterpret_cast<void **>(p), size, stream);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel(reinterpret_cast<const void *>(func), grid, block, args, shared, stream);
}
#endif

#endif /* DOPPEL_CUDA_RUNTIME_H */
