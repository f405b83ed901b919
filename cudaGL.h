/*
 * The CUDA driver API for OpenGL as Doppel provides it.
 * Written by doppel-header from the declarations in src/abi. Do not edit.
 */

#if !defined(DOPPEL_CUDA_GL_H) && !defined(CUDAGL_H)
#define DOPPEL_CUDA_GL_H
#define CUDAGL_H

#include "cuda.h"
#include <GL/gl.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Which devices of an OpenGL context are meant. */
typedef enum CUGLDeviceList_enum {
    CU_GL_DEVICE_LIST_ALL = 0x01,
    CU_GL_DEVICE_LIST_CURRENT_FRAME = 0x02,
    CU_GL_DEVICE_LIST_NEXT_FRAME = 0x03
} CUGLDeviceList;

/** How a mapping of an OpenGL buffer will be used. */
typedef enum CUGLmap_flags_enum {
    CU_GL_MAP_RESOURCE_FLAGS_NONE = 0x00,
    CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 0x01,
    CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 0x02
} CUGLmap_flags;

/* OpenGL Interoperability */

/**
 * Shares an OpenGL buffer.
 *
 * @param pCudaResource receives the resource.
 * @param buffer name of the buffer.
 * @param Flags how it will be used, CU_GRAPHICS_REGISTER_FLAGS_*.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCudaResource is NULL, buffer is 0, or Flags are not those of a buffer;
 * CUDA_ERROR_INVALID_HANDLE if buffer is none; CUDA_ERROR_OUT_OF_MEMORY if it has no storage, or the device has no room for it.
 * Without a current OpenGL context (3.2, or OpenGL ES 3.0): CUDA_ERROR_OPERATING_SYSTEM where OpenGL is not loaded,
 * CUDA_ERROR_INVALID_GRAPHICS_CONTEXT where there was none, and then CUDA_ERROR_INVALID_VALUE.
 *
 * Manual: OpenGL Interoperability.
 */
CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource,
                                            GLuint buffer,
                                            unsigned int Flags);

/**
 * Shares an OpenGL texture or renderbuffer.
 *
 * @param pCudaResource receives the resource.
 * @param image name of the texture or renderbuffer.
 * @param target what it is, such as GL_TEXTURE_2D.
 * @param Flags how it will be used, CU_GRAPHICS_REGISTER_FLAGS_*.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCudaResource is NULL, image is 0 or has no storage, target or the texture's own is none
 * that can be shared, Flags has unknown bits, or the format or the number of samples cannot be shared; CUDA_ERROR_INVALID_HANDLE if it is the name of
 * nothing; without a current OpenGL context as for buffers; CUDA_ERROR_NOT_SUPPORTED if that is not of OpenGL 4.5, or for an image of 2 GiB and more;
 * CUDA_ERROR_OUT_OF_MEMORY if the device has no room for it.
 *
 * Manual: OpenGL Interoperability.
 */
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource,
                                           GLuint image,
                                           GLenum target,
                                           unsigned int Flags);

/**
 * Lists the devices that drive the current OpenGL context: the calling thread's device, or the first one.
 *
 * OpenGL on the CPU is as near to one emulated device as to another.
 *
 * @param pCudaDeviceCount receives their number.
 * @param pCudaDevices receives up to cudaDeviceCount devices.
 * @param cudaDeviceCount room in the array.
 * @param deviceList which ones: of all frames, or of the current or the next one.
 *
 * Errors: CUDA_ERROR_OPERATING_SYSTEM where OpenGL is not loaded; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context;
 * CUDA_ERROR_INVALID_VALUE if deviceList is none or a pointer that is needed is NULL.
 *
 * Manual: OpenGL Interoperability.
 */
CUresult CUDAAPI cuGLGetDevices_v2(unsigned int *pCudaDeviceCount,
                                   CUdevice *pCudaDevices,
                                   unsigned int cudaDeviceCount,
                                   CUGLDeviceList deviceList);

/**
 * Lists the devices that drive the current OpenGL context: the calling thread's device, or the first one.
 *
 * OpenGL on the CPU is as near to one emulated device as to another.
 *
 * @param pCudaDeviceCount receives their number.
 * @param pCudaDevices receives up to cudaDeviceCount devices.
 * @param cudaDeviceCount room in the array.
 * @param deviceList which ones: of all frames, or of the current or the next one.
 *
 * Errors: CUDA_ERROR_OPERATING_SYSTEM where OpenGL is not loaded; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context;
 * CUDA_ERROR_INVALID_VALUE if deviceList is none or a pointer that is needed is NULL.
 *
 * Manual: OpenGL Interoperability.
 */
CUresult CUDAAPI cuGLGetDevices(unsigned int *pCudaDeviceCount,
                                CUdevice *pCudaDevices,
                                unsigned int cudaDeviceCount,
                                CUGLDeviceList deviceList);

/**
 * Creates a context for use with OpenGL.
 *
 * @param pCtx receives the context.
 * @param Flags CU_CTX_* bits.
 * @param device the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCtx is NULL or Flags has unknown bits; CUDA_ERROR_INVALID_DEVICE if there is no such
 * device; CUDA_ERROR_OPERATING_SYSTEM where OpenGL is not loaded; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current context of it.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLCtxCreate_v2(CUcontext *pCtx,
                                  unsigned int Flags,
                                  CUdevice device);

/**
 * Creates a context of the first generation for use with OpenGL.
 *
 * @param pCtx receives the context.
 * @param Flags CU_CTX_* bits.
 * @param device the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCtx is NULL or Flags has unknown bits; CUDA_ERROR_INVALID_DEVICE if there is no such
 * device; CUDA_ERROR_OPERATING_SYSTEM where OpenGL is not loaded; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current context of it.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuGLCtxCreate(CUcontext *pCtx,
                               unsigned int Flags,
                               CUdevice device);

/**
 * Prepares OpenGL sharing; does nothing in today's drivers.
 *
 * Errors: those of cuGraphicsGLRegisterBuffer without a current OpenGL context.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLInit(void);

/**
 * Shares an OpenGL buffer object.
 *
 * @param buffer name of the buffer.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if buffer is none; CUDA_ERROR_ALREADY_MAPPED if it is shared already;
 * CUDA_ERROR_OUT_OF_MEMORY if it has no storage, or the device has no room for it; those of cuGraphicsGLRegisterBuffer without a current
 * OpenGL context.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLRegisterBufferObject(GLuint buffer);

/**
 * Maps a shared buffer object.
 *
 * @param dptr receives the address.
 * @param size receives the size in bytes.
 * @param buffer name of the buffer.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if buffer is not shared in this context; CUDA_ERROR_ALREADY_MAPPED if it is mapped;
 * CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context that knows it; CUDA_ERROR_UNKNOWN if OpenGL does not give
 * its contents. The results are zeroed.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLMapBufferObject_v2(CUdeviceptr *dptr,
                                        size_t *size,
                                        GLuint buffer);

/** cuGLMapBufferObject_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGLMapBufferObject_v2_ptds(CUdeviceptr *dptr, size_t *size, GLuint buffer);

/**
 * Maps a shared buffer object, with address and size of 32 bits.
 *
 * @param dptr receives the address.
 * @param size receives the size in bytes.
 * @param buffer name of the buffer.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT: a context of the first generation would have to be current, with buffers of OpenGL. The
 * results are zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuGLMapBufferObject(CUdeviceptr_v1 *dptr,
                                     unsigned int *size,
                                     GLuint buffer);

/**
 * Unmaps a shared buffer object.
 *
 * @param buffer name of the buffer.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if buffer is not shared in this context; CUDA_ERROR_NOT_MAPPED if it is not mapped;
 * CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context that knows it; the asynchronous error of the context.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLUnmapBufferObject(GLuint buffer);

/**
 * Ends the sharing of a buffer object.
 *
 * @param buffer name of the buffer.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if buffer is not shared in this context; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current
 * OpenGL context; CUDA_ERROR_ALREADY_MAPPED if it is mapped, after which its name is forgotten.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLUnregisterBufferObject(GLuint buffer);

/**
 * Sets how the next mapping of a buffer object will be used.
 *
 * @param buffer name of the buffer.
 * @param Flags read and written, only read, or only written.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if buffer is not shared in this context or Flags are none; CUDA_ERROR_ALREADY_MAPPED if it is
 * mapped.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLSetBufferObjectMapFlags(GLuint buffer,
                                             unsigned int Flags);

/**
 * Maps a shared buffer object for use on a stream.
 *
 * @param dptr receives the address.
 * @param size receives the size in bytes.
 * @param buffer name of the buffer.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is no stream;
 * CUDA_ERROR_INVALID_VALUE if buffer is not shared in this context; CUDA_ERROR_ALREADY_MAPPED if it is mapped;
 * CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context that knows it; CUDA_ERROR_UNKNOWN if OpenGL does not give
 * its contents. The results are zeroed.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLMapBufferObjectAsync_v2(CUdeviceptr *dptr,
                                             size_t *size,
                                             GLuint buffer,
                                             CUstream hStream);

/** cuGLMapBufferObjectAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGLMapBufferObjectAsync_v2_ptsz(CUdeviceptr *dptr, size_t *size, GLuint buffer, CUstream hStream);

/**
 * Maps a shared buffer object for use on a stream, with address and size of 32 bits.
 *
 * @param dptr receives the address.
 * @param size receives the size in bytes.
 * @param buffer name of the buffer.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT: a context of the first generation would have to be current, with buffers of OpenGL. The
 * results are zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuGLMapBufferObjectAsync(CUdeviceptr_v1 *dptr,
                                          unsigned int *size,
                                          GLuint buffer,
                                          CUstream hStream);

/**
 * Unmaps a shared buffer object in stream order.
 *
 * @param buffer name of the buffer.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if buffer is not shared in this context; CUDA_ERROR_INVALID_HANDLE if hStream is no stream;
 * CUDA_ERROR_NOT_MAPPED if it is not mapped; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context that knows it;
 * the asynchronous error of the context.
 *
 * Manual: OpenGL Interoperability (deprecated).
 */
CUresult CUDAAPI cuGLUnmapBufferObjectAsync(GLuint buffer,
                                            CUstream hStream);

/* What the plain names mean. */
#if !defined(__CUDA_API_VERSION_INTERNAL)
#define cuGLGetDevices cuGLGetDevices_v2
#define cuGLCtxCreate cuGLCtxCreate_v2
#define cuGLMapBufferObject __CUDA_API_PTDS(cuGLMapBufferObject_v2)
#define cuGLMapBufferObjectAsync __CUDA_API_PTSZ(cuGLMapBufferObjectAsync_v2)
#endif

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_CUDA_GL_H */
