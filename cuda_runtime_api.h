/*
 * The CUDA runtime as Doppel provides it.
 * Written by doppel-header from the declarations in crates/cudart/interface. Do not edit.
 */

#if defined(__CUDACC__) && defined(__has_include_next)
#if __has_include_next(<cuda_runtime_api.h>)
#include_next <cuda_runtime_api.h>
#define DOPPEL_CUDA_RUNTIME_API_H
#endif
#endif

#if !defined(DOPPEL_CUDA_RUNTIME_API_H) && !defined(__CUDA_RUNTIME_API_H__)
#define DOPPEL_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

/* The version whose interface this is; what of it the library has not is not declared. */
#define CUDART_VERSION 13050

/* With CUDA_API_PER_THREAD_DEFAULT_STREAM the plain names take stream 0 for the calling thread's default stream. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PER_THREAD_DEFAULT_STREAM
#endif
#ifndef __CUDA_API_PTDS
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PTDS(api) api##_ptds
#define __CUDA_API_PTSZ(api) api##_ptsz
#else
#define __CUDA_API_PTDS(api) api
#define __CUDA_API_PTSZ(api) api
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays */

/** Makes an array of one or two dimensions (height 0: one). */
cudaError_t cudaMallocArray(cudaArray_t *array,
                            const cudaChannelFormatDesc *desc,
                            size_t width,
                            size_t height,
                            unsigned int flags);

/** Frees an array; NULL is nothing to free. */
cudaError_t cudaFreeArray(cudaArray_t array);

/** Frees a mipmapped array; NULL is nothing to free. */
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);

/** Makes an array of up to three dimensions, layered or a cube map by flags. */
cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const cudaChannelFormatDesc *desc,
                              cudaExtent extent,
                              unsigned int flags);

/** Makes an array with levels of detail. */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                     const cudaChannelFormatDesc *desc,
                                     cudaExtent extent,
                                     unsigned int numLevels,
                                     unsigned int flags);

/** One level of a mipmapped array. */
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                       cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level);

/** Copies a box between arrays and pitched memory. */
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p);

/** cudaMemcpy3D with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms *p);

/** Copies a box between the memories of two devices. */
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p);

/** cudaMemcpy3DPeer with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms *p);

/** cudaMemcpy3D in the order of a stream. */
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream);

/** cudaMemcpy3DAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms *p, cudaStream_t stream);

/** cudaMemcpy3DPeer in the order of a stream. */
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t stream);

/** cudaMemcpy3DPeerAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms *p, cudaStream_t stream);

/** What an array was made with; each output may be NULL. */
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned int *flags, cudaArray_t array);

/** One plane of an array with several. */
cudaError_t cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx);

/** Size and alignment of the memory that a deferred array wants. */
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *memoryRequirements,
                                           cudaArray_t array,
                                           int device);

/** Size and alignment of the memory that a deferred mipmapped array wants. */
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *memoryRequirements,
                                                    cudaMipmappedArray_t mipmap,
                                                    int device);

/** Tiles of a sparse array. */
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *sparseProperties, cudaArray_t array);

/** Tiles of a sparse mipmapped array. */
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *sparseProperties,
                                                  cudaMipmappedArray_t mipmap);

/** Copies a rectangle into an array. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst,
                                size_t wOffset,
                                size_t hOffset,
                                const void *src,
                                size_t spitch,
                                size_t width,
                                size_t height,
                                cudaMemcpyKind kind);

/** cudaMemcpy2DToArray with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t dst,
                                     size_t wOffset,
                                     size_t hOffset,
                                     const void *src,
                                     size_t spitch,
                                     size_t width,
                                     size_t height,
                                     cudaMemcpyKind kind);

/** Copies a rectangle out of an array. */
cudaError_t cudaMemcpy2DFromArray(void *dst,
                                  size_t dpitch,
                                  cudaArray_const_t src,
                                  size_t wOffset,
                                  size_t hOffset,
                                  size_t width,
                                  size_t height,
                                  cudaMemcpyKind kind);

/** cudaMemcpy2DFromArray with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2DFromArray_ptds(void *dst,
                                       size_t dpitch,
                                       cudaArray_const_t src,
                                       size_t wOffset,
                                       size_t hOffset,
                                       size_t width,
                                       size_t height,
                                       cudaMemcpyKind kind);

/** Copies a rectangle between arrays. */
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst,
                                     size_t wOffsetDst,
                                     size_t hOffsetDst,
                                     cudaArray_const_t src,
                                     size_t wOffsetSrc,
                                     size_t hOffsetSrc,
                                     size_t width,
                                     size_t height,
                                     cudaMemcpyKind kind);

/** cudaMemcpy2DArrayToArray with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t dst,
                                          size_t wOffsetDst,
                                          size_t hOffsetDst,
                                          cudaArray_const_t src,
                                          size_t wOffsetSrc,
                                          size_t hOffsetSrc,
                                          size_t width,
                                          size_t height,
                                          cudaMemcpyKind kind);

/** cudaMemcpy2DToArray in the order of a stream. */
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst,
                                     size_t wOffset,
                                     size_t hOffset,
                                     const void *src,
                                     size_t spitch,
                                     size_t width,
                                     size_t height,
                                     cudaMemcpyKind kind,
                                     cudaStream_t stream);

/** cudaMemcpy2DToArrayAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t dst,
                                          size_t wOffset,
                                          size_t hOffset,
                                          const void *src,
                                          size_t spitch,
                                          size_t width,
                                          size_t height,
                                          cudaMemcpyKind kind,
                                          cudaStream_t stream);

/** cudaMemcpy2DFromArray in the order of a stream. */
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst,
                                       size_t dpitch,
                                       cudaArray_const_t src,
                                       size_t wOffset,
                                       size_t hOffset,
                                       size_t width,
                                       size_t height,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream);

/** cudaMemcpy2DFromArrayAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void *dst,
                                            size_t dpitch,
                                            cudaArray_const_t src,
                                            size_t wOffset,
                                            size_t hOffset,
                                            size_t width,
                                            size_t height,
                                            cudaMemcpyKind kind,
                                            cudaStream_t stream);

/** Copies count bytes into an array, row after row (deprecated). */
cudaError_t cudaMemcpyToArray(cudaArray_t dst,
                              size_t wOffset,
                              size_t hOffset,
                              const void *src,
                              size_t count,
                              cudaMemcpyKind kind);

/** cudaMemcpyToArray with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyToArray_ptds(cudaArray_t dst,
                                   size_t wOffset,
                                   size_t hOffset,
                                   const void *src,
                                   size_t count,
                                   cudaMemcpyKind kind);

/** Copies count bytes out of an array, row after row (deprecated). */
cudaError_t cudaMemcpyFromArray(void *dst,
                                cudaArray_const_t src,
                                size_t wOffset,
                                size_t hOffset,
                                size_t count,
                                cudaMemcpyKind kind);

/** cudaMemcpyFromArray with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyFromArray_ptds(void *dst,
                                     cudaArray_const_t src,
                                     size_t wOffset,
                                     size_t hOffset,
                                     size_t count,
                                     cudaMemcpyKind kind);

/** Copies count bytes between arrays, row after row (deprecated). */
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst,
                                   size_t wOffsetDst,
                                   size_t hOffsetDst,
                                   cudaArray_const_t src,
                                   size_t wOffsetSrc,
                                   size_t hOffsetSrc,
                                   size_t count,
                                   cudaMemcpyKind kind);

/** cudaMemcpyArrayToArray with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t dst,
                                        size_t wOffsetDst,
                                        size_t hOffsetDst,
                                        cudaArray_const_t src,
                                        size_t wOffsetSrc,
                                        size_t hOffsetSrc,
                                        size_t count,
                                        cudaMemcpyKind kind);

/** cudaMemcpyToArray in the order of a stream. */
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst,
                                   size_t wOffset,
                                   size_t hOffset,
                                   const void *src,
                                   size_t count,
                                   cudaMemcpyKind kind,
                                   cudaStream_t stream);

/** cudaMemcpyToArrayAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t dst,
                                        size_t wOffset,
                                        size_t hOffset,
                                        const void *src,
                                        size_t count,
                                        cudaMemcpyKind kind,
                                        cudaStream_t stream);

/** cudaMemcpyFromArray in the order of a stream. */
cudaError_t cudaMemcpyFromArrayAsync(void *dst,
                                     cudaArray_const_t src,
                                     size_t wOffset,
                                     size_t hOffset,
                                     size_t count,
                                     cudaMemcpyKind kind,
                                     cudaStream_t stream);

/** cudaMemcpyFromArrayAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *dst,
                                          cudaArray_const_t src,
                                          size_t wOffset,
                                          size_t hOffset,
                                          size_t count,
                                          cudaMemcpyKind kind,
                                          cudaStream_t stream);

/** The channel description of an array. */
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array);

/** See the manual of the CUDA runtime. */
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f);

/* Copies */

/** Copies count bytes; returns when the program may use both places. */
cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind);

/** cudaMemcpy with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t count, cudaMemcpyKind kind);

/** Copies height rows of width bytes. */
cudaError_t cudaMemcpy2D(void *dst,
                         size_t dpitch,
                         const void *src,
                         size_t spitch,
                         size_t width,
                         size_t height,
                         cudaMemcpyKind kind);

/** cudaMemcpy2D with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2D_ptds(void *dst,
                              size_t dpitch,
                              const void *src,
                              size_t spitch,
                              size_t width,
                              size_t height,
                              cudaMemcpyKind kind);

/** Copies count bytes in the order of a stream. */
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, cudaMemcpyKind kind, cudaStream_t stream);

/** cudaMemcpyAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t count, cudaMemcpyKind kind, cudaStream_t stream);

/** cudaMemcpy2D in the order of a stream. */
cudaError_t cudaMemcpy2DAsync(void *dst,
                              size_t dpitch,
                              const void *src,
                              size_t spitch,
                              size_t width,
                              size_t height,
                              cudaMemcpyKind kind,
                              cudaStream_t stream);

/** cudaMemcpy2DAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy2DAsync_ptsz(void *dst,
                                   size_t dpitch,
                                   const void *src,
                                   size_t spitch,
                                   size_t width,
                                   size_t height,
                                   cudaMemcpyKind kind,
                                   cudaStream_t stream);

/** Fills count bytes. */
cudaError_t cudaMemset(void *devPtr, int value, size_t count);

/** cudaMemset with stream 0 as the per-thread default stream. */
cudaError_t cudaMemset_ptds(void *devPtr, int value, size_t count);

/** Fills height rows of width bytes. */
cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);

/** cudaMemset2D with stream 0 as the per-thread default stream. */
cudaError_t cudaMemset2D_ptds(void *devPtr, size_t pitch, int value, size_t width, size_t height);

/** Fills a box in pitched memory. */
cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent);

/** cudaMemset3D with stream 0 as the per-thread default stream. */
cudaError_t cudaMemset3D_ptds(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent);

/** Fills count bytes in the order of a stream. */
cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream);

/** cudaMemsetAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemsetAsync_ptsz(void *devPtr, int value, size_t count, cudaStream_t stream);

/** cudaMemset2D in the order of a stream. */
cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream);

/** cudaMemset2DAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemset2DAsync_ptsz(void *devPtr,
                                   size_t pitch,
                                   int value,
                                   size_t width,
                                   size_t height,
                                   cudaStream_t stream);

/** cudaMemset3D in the order of a stream. */
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream);

/** cudaMemset3DAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream);

/* Devices */

/** Empties the primary context of the thread's device: all of its memory, streams, events are gone. */
cudaError_t cudaDeviceReset(void);

/** Sets one limit of the context. */
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);

/** One limit of the context. */
cudaError_t cudaDeviceGetLimit(size_t *pValue, cudaLimit limit);

/** The widest texture of one dimension on linear memory. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const cudaChannelFormatDesc *fmtDesc,
                                                 int device);

/** What the context prefers, shared memory or first-level cache. */
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *pCacheConfig);

/** Sets what the context prefers, shared memory or first-level cache. */
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig);

/** The device at a PCI address. */
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);

/** A device's PCI address. */
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);

/** Calls back when the device's memory situation changes. */
cudaError_t cudaDeviceRegisterAsyncNotification(int device,
                                                cudaAsyncCallback callbackFunc,
                                                void *userData,
                                                cudaAsyncCallbackHandle_t *callback);

/** Ends the calls. */
cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback);

/** The width of the banks of shared memory. */
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *pConfig);

/** Sets the width of the banks of shared memory. */
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);

/** The number of devices. */
cudaError_t cudaGetDeviceCount(int *count);

/** One attribute of a device. The attributes have the driver's numbers. */
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device);

/** Which atomic operations work between host and device. */
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                                const cudaAtomicOperation *operations,
                                                unsigned int count,
                                                int device);

/** Attributes of synchronisation objects of another interface. */
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, int device, int flags);

/** Which atomic operations work between two devices. */
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                               const cudaAtomicOperation *operations,
                                               unsigned int count,
                                               int srcDevice,
                                               int dstDevice);

/** The device that fulfils most of the wishes. */
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *prop);

/** Makes a device's context exist, with flags if the third argument says that they count. */
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);

/** Makes a device the thread's. */
cudaError_t cudaSetDevice(int device);

/** The thread's device. */
cudaError_t cudaGetDevice(int *device);

/** Names the devices that threads without a choice may get, in order of preference. */
cudaError_t cudaSetValidDevices(int *device_arr, int len);

/** Sets how the contexts of the thread's device wait for the device. */
cudaError_t cudaSetDeviceFlags(unsigned int flags);

/** How the context of the thread's device waits for the device. */
cudaError_t cudaGetDeviceFlags(unsigned int *flags);

/** The version of the driver; 0 without one. */
cudaError_t cudaDriverGetVersion(int *driverVersion);

/** The version of this runtime. */
cudaError_t cudaRuntimeGetVersion(int *runtimeVersion);

/* Functions of the driver */

/** The newest form of a driver function that this runtime knows. */
cudaError_t cudaGetDriverEntryPoint(const char *symbol,
                                    void **funcPtr,
                                    unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *driverStatus);

/** cudaGetDriverEntryPoint with stream 0 as the per-thread default stream. */
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol,
                                         void **funcPtr,
                                         unsigned long long flags,
                                         cudaDriverEntryPointQueryResult *driverStatus);

/** The form of a driver function that a version of CUDA means. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol,
                                             void **funcPtr,
                                             unsigned int cudaVersion,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *driverStatus);

/** cudaGetDriverEntryPointByVersion with stream 0 as the per-thread default stream. */
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol,
                                                  void **funcPtr,
                                                  unsigned int cudaVersion,
                                                  unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult *driverStatus);

/* Errors */

/** See the manual of the CUDA runtime. */
cudaError_t cudaGetLastError(void);

/** See the manual of the CUDA runtime. */
cudaError_t cudaPeekAtLastError(void);

/** See the manual of the CUDA runtime. */
const char *cudaGetErrorName(cudaError_t error);

/** See the manual of the CUDA runtime. */
const char *cudaGetErrorString(cudaError_t error);

/* Events */

/** Makes an event that measures time. */
cudaError_t cudaEventCreate(cudaEvent_t *event);

/** Makes an event with flags. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);

/** Records an event in a stream. */
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);

/** cudaEventRecord with stream 0 as the per-thread default stream. */
cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream);

/** Records an event in a stream, with flags for capture. */
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags);

/** cudaEventRecordWithFlags with stream 0 as the per-thread default stream. */
cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned int flags);

/** Says whether what an event stands for is done. */
cudaError_t cudaEventQuery(cudaEvent_t event);

/** Waits for what an event stands for. */
cudaError_t cudaEventSynchronize(cudaEvent_t event);

/** Destroys an event. */
cudaError_t cudaEventDestroy(cudaEvent_t event);

/** The milliseconds between two events. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* Launches and functions */

/** Launches the kernel of a host function. */
cudaError_t cudaLaunchKernel(const void *func,
                             dim3 gridDim,
                             dim3 blockDim,
                             void **args,
                             size_t sharedMem,
                             cudaStream_t stream);

/** cudaLaunchKernel with stream 0 as the per-thread default stream. */
cudaError_t cudaLaunchKernel_ptsz(const void *func,
                                  dim3 gridDim,
                                  dim3 blockDim,
                                  void **args,
                                  size_t sharedMem,
                                  cudaStream_t stream);

/** Launches with attributes. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);

/** cudaLaunchKernelExC with stream 0 as the per-thread default stream. */
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func, void **args);

/** Launches a kernel whose blocks all run at once. */
cudaError_t cudaLaunchCooperativeKernel(const void *func,
                                        dim3 gridDim,
                                        dim3 blockDim,
                                        void **args,
                                        size_t sharedMem,
                                        cudaStream_t stream);

/** cudaLaunchCooperativeKernel with stream 0 as the per-thread default stream. */
cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *func,
                                             dim3 gridDim,
                                             dim3 blockDim,
                                             void **args,
                                             size_t sharedMem,
                                             cudaStream_t stream);

/** Sets what a kernel prefers, shared memory or first-level cache. */
cudaError_t cudaFuncSetCacheConfig(const void *func, cudaFuncCache cacheConfig);

/** What is known about a kernel. */
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, const void *func);

/** Sets one attribute of a kernel. */
cudaError_t cudaFuncSetAttribute(const void *func, cudaFuncAttribute attr, int value);

/** The kernel's name in the code. */
cudaError_t cudaFuncGetName(const char **name, const void *func);

/** Where a parameter of a kernel lies. */
cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize);

/** The number of a kernel's parameters. */
cudaError_t cudaFuncGetParamCount(const void *func, size_t *paramCount);

/** Sets the width of the banks of a kernel's shared memory. */
cudaError_t cudaFuncSetSharedMemConfig(const void *func, cudaSharedMemConfig config);

/** How many blocks of a kernel a multiprocessor holds. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                          const void *func,
                                                          int blockSize,
                                                          size_t dynamicSMemSize);

/** How much shared memory remains for so many blocks. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                      const void *func,
                                                      int numBlocks,
                                                      int blockSize);

/** How many blocks of a kernel a multiprocessor holds, with flags. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                   const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags);

/** The largest cluster that a launch could have. */
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize,
                                                 const void *func,
                                                 const cudaLaunchConfig_t *launchConfig);

/** How many clusters run at once. */
cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig);

/* Memory and semaphores of others */

/** Imports memory. */
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *extMem_out,
                                     const cudaExternalMemoryHandleDesc *memHandleDesc);

/** Maps imported memory. */
cudaError_t cudaExternalMemoryGetMappedBuffer(void **devPtr,
                                              cudaExternalMemory_t extMem,
                                              const cudaExternalMemoryBufferDesc *bufferDesc);

/** Maps imported memory as a mipmapped array. */
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *mipmap,
                                                      cudaExternalMemory_t extMem,
                                                      const cudaExternalMemoryMipmappedArrayDesc *mipmapDesc);

/** Forgets imported memory. */
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem);

/** Imports a semaphore. */
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *extSem_out,
                                        const cudaExternalSemaphoreHandleDesc *semHandleDesc);

/** Signals semaphores in the order of a stream. */
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
                                              const cudaExternalSemaphoreSignalParams *paramsArray,
                                              unsigned int numExtSems,
                                              cudaStream_t stream);

/** cudaSignalExternalSemaphoresAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaSignalExternalSemaphoresAsync_ptsz(const cudaExternalSemaphore_t *extSemArray,
                                                   const cudaExternalSemaphoreSignalParams *paramsArray,
                                                   unsigned int numExtSems,
                                                   cudaStream_t stream);

/** Waits for semaphores in the order of a stream. */
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
                                            const cudaExternalSemaphoreWaitParams *paramsArray,
                                            unsigned int numExtSems,
                                            cudaStream_t stream);

/** cudaWaitExternalSemaphoresAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaWaitExternalSemaphoresAsync_ptsz(const cudaExternalSemaphore_t *extSemArray,
                                                 const cudaExternalSemaphoreWaitParams *paramsArray,
                                                 unsigned int numExtSems,
                                                 cudaStream_t stream);

/** Forgets a semaphore. */
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem);

/** Forgets a resource. */
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);

/** Sets how a resource will be mapped. */
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);

/** Maps resources of another interface. */
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream);

/** Unmaps them. */
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream);

/** The address of a mapped resource. */
cudaError_t cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, cudaGraphicsResource_t resource);

/** One array of a mapped resource. */
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned int arrayIndex,
                                                  unsigned int mipLevel);

/** The mipmapped array of a mapped resource. */
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                                        cudaGraphicsResource_t resource);

/* Graphs */

/** Makes an empty graph. */
cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags);

/** Adds a launch. */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const cudaKernelNodeParams *pNodeParams);

/** What a launch launches. The kernel is named by its host function, if it has one. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *pNodeParams);

/** Changes what a launch launches. */
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *pNodeParams);

/** Copies attributes between launches. */
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc);

/** One attribute of a launch. */
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode,
                                            cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out);

/** Sets one attribute of a launch. */
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode,
                                            cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value);

/** Adds a copy of a box. */
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const cudaMemcpy3DParms *pCopyParams);

/** Adds a copy into a variable. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode,
                                           cudaGraph_t graph,
                                           const cudaGraphNode_t *pDependencies,
                                           size_t numDependencies,
                                           const void *symbol,
                                           const void *src,
                                           size_t count,
                                           size_t offset,
                                           cudaMemcpyKind kind);

/** Adds a copy out of a variable. */
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode,
                                             cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies,
                                             size_t numDependencies,
                                             void *dst,
                                             const void *symbol,
                                             size_t count,
                                             size_t offset,
                                             cudaMemcpyKind kind);

/** Adds a copy of count bytes. */
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies,
                                     size_t numDependencies,
                                     void *dst,
                                     const void *src,
                                     size_t count,
                                     cudaMemcpyKind kind);

/** What a copy node copies. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *pNodeParams);

/** Changes what a copy node copies. */
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *pNodeParams);

/** Changes what a copy node copies. */
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                 const void *symbol,
                                                 const void *src,
                                                 size_t count,
                                                 size_t offset,
                                                 cudaMemcpyKind kind);

/** Changes what a copy node copies. */
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node,
                                                   void *dst,
                                                   const void *symbol,
                                                   size_t count,
                                                   size_t offset,
                                                   cudaMemcpyKind kind);

/** Changes what a copy node copies. */
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                           void *dst,
                                           const void *src,
                                           size_t count,
                                           cudaMemcpyKind kind);

/** Adds a fill. */
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const cudaMemsetParams *pMemsetParams);

/** What a fill fills. */
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *pNodeParams);

/** Changes what a fill fills. */
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *pNodeParams);

/** Adds a call of a host function. */
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode,
                                 cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies,
                                 const cudaHostNodeParams *pNodeParams);

/** What a call calls. */
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *pNodeParams);

/** Changes what a call calls. */
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *pNodeParams);

/** Adds a graph as a node. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies,
                                       size_t numDependencies,
                                       cudaGraph_t childGraph);

/** The graph that is a node. */
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph);

/** Adds a node that does nothing. */
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies);

/** Adds the recording of an event. */
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies,
                                        size_t numDependencies,
                                        cudaEvent_t event);

/** The event that is recorded. */
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out);

/** Changes the event that is recorded. */
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);

/** Adds a wait for an event. */
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies,
                                      size_t numDependencies,
                                      cudaEvent_t event);

/** The event that is waited for. */
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out);

/** Changes the event that is waited for. */
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);

/** Adds signals to semaphores. */
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *pGraphNode,
                                                     cudaGraph_t graph,
                                                     const cudaGraphNode_t *pDependencies,
                                                     size_t numDependencies,
                                                     const cudaExternalSemaphoreSignalNodeParams *nodeParams);

/** The semaphores that are signalled. */
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t hNode,
                                                           cudaExternalSemaphoreSignalNodeParams *params_out);

/** Changes the semaphores that are signalled. */
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t hNode,
                                                           const cudaExternalSemaphoreSignalNodeParams *nodeParams);

/** Adds waits for semaphores. */
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *pGraphNode,
                                                   cudaGraph_t graph,
                                                   const cudaGraphNode_t *pDependencies,
                                                   size_t numDependencies,
                                                   const cudaExternalSemaphoreWaitNodeParams *nodeParams);

/** The semaphores that are waited for. */
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t hNode,
                                                         cudaExternalSemaphoreWaitNodeParams *params_out);

/** Changes the semaphores that are waited for. */
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t hNode,
                                                         const cudaExternalSemaphoreWaitNodeParams *nodeParams);

/** Adds an allocation; its address is written into the description, which has the driver's layout. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies,
                                     size_t numDependencies,
                                     cudaMemAllocNodeParams *nodeParams);

/** What an allocation allocates. */
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *params_out);

/** Adds the end of an allocation. */
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies,
                                    size_t numDependencies,
                                    void *dptr);

/** The allocation that ends. */
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out);

/** Gives memory that graphs no longer use back. */
cudaError_t cudaDeviceGraphMemTrim(int device);

/** One attribute of the memory of graphs. */
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value);

/** Sets one attribute of the memory of graphs. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void *value);

/** Copies a graph. */
cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph);

/** The copy of a node in a copy of its graph. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph);

/** What kind of node it is. The kinds have the driver's numbers. */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *pType);

/** The graph that a node belongs to. */
cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t hNode, cudaGraph_t *phGraph);

/** The number of a node in its graph. */
cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t hNode, unsigned int *nodeId);

/** The number of a node for tools. */
cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t hNode, unsigned long long *toolsNodeId);

/** The number of a graph. */
cudaError_t cudaGraphGetId(cudaGraph_t hGraph, unsigned int *graphID);

/** The number of an executable graph. */
cudaError_t cudaGraphExecGetId(cudaGraphExec_t hGraphExec, unsigned int *graphID);

/** The nodes of a graph. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes);

/** The nodes that depend on none. */
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes);

/** The edges of a graph. */
cudaError_t cudaGraphGetEdges(cudaGraph_t graph,
                              cudaGraphNode_t *from,
                              cudaGraphNode_t *to,
                              cudaGraphEdgeData *edgeData,
                              size_t *numEdges);

/** What a node depends on. */
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData,
                                         size_t *pNumDependencies);

/** What depends on a node. */
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *pDependentNodes,
                                           cudaGraphEdgeData *edgeData,
                                           size_t *pNumDependentNodes);

/** Adds edges. */
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies);

/** Removes edges. */
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData,
                                        size_t numDependencies);

/** Removes a node. */
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);

/** Makes a graph executable. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags);

/** Makes a graph executable. */
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags);

/** Makes a graph executable; says what is wrong if it cannot be. */
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec,
                                           cudaGraph_t graph,
                                           cudaGraphInstantiateParams *instantiateParams);

/** cudaGraphInstantiateWithParams with stream 0 as the per-thread default stream. */
cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *pGraphExec,
                                                cudaGraph_t graph,
                                                cudaGraphInstantiateParams *instantiateParams);

/** The flags that an executable graph was made with. */
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags);

/** Changes what a launch of an executable graph launches. */
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec,
                                             cudaGraphNode_t node,
                                             const cudaKernelNodeParams *pNodeParams);

/** Changes what a copy node of an executable graph copies. */
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec,
                                             cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *pNodeParams);

/** Changes what a copy node of an executable graph copies. */
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec,
                                                     cudaGraphNode_t node,
                                                     const void *symbol,
                                                     const void *src,
                                                     size_t count,
                                                     size_t offset,
                                                     cudaMemcpyKind kind);

/** Changes what a copy node of an executable graph copies. */
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec,
                                                       cudaGraphNode_t node,
                                                       void *dst,
                                                       const void *symbol,
                                                       size_t count,
                                                       size_t offset,
                                                       cudaMemcpyKind kind);

/** Changes what a copy node of an executable graph copies. */
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec,
                                               cudaGraphNode_t node,
                                               void *dst,
                                               const void *src,
                                               size_t count,
                                               cudaMemcpyKind kind);

/** Changes what a fill of an executable graph fills. */
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec,
                                             cudaGraphNode_t node,
                                             const cudaMemsetParams *pNodeParams);

/** Changes what a call of an executable graph calls. */
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec,
                                           cudaGraphNode_t node,
                                           const cudaHostNodeParams *pNodeParams);

/** Changes the graph that is a node of an executable graph. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t childGraph);

/** Changes the event that an executable graph records. */
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event);

/** Changes the event that an executable graph waits for. */
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event);

/** Changes the semaphores that an executable graph signals. */
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t hGraphExec,
                                                               cudaGraphNode_t hNode,
                                                               const cudaExternalSemaphoreSignalNodeParams *nodeParams);

/** Changes the semaphores that an executable graph waits for. */
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t hGraphExec,
                                                             cudaGraphNode_t hNode,
                                                             const cudaExternalSemaphoreWaitNodeParams *nodeParams);

/** Switches a node of an executable graph on or off. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled);

/** Says whether a node of an executable graph is on. */
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int *isEnabled);

/** Brings an executable graph up to date with a graph of the same shape. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec,
                                cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo);

/** Sends an executable graph to the device without running it. */
cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream);

/** cudaGraphUpload with stream 0 as the per-thread default stream. */
cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t graphExec, cudaStream_t stream);

/** Runs an executable graph in a stream. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);

/** cudaGraphLaunch with stream 0 as the per-thread default stream. */
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t graphExec, cudaStream_t stream);

/** Destroys an executable graph. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec);

/** Destroys a graph. */
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

/** Writes a graph in the language of Graphviz. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);

/** Makes an object that graphs keep alive. */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out,
                                 void *ptr,
                                 cudaHostFn_t destroy,
                                 unsigned int initialRefcount,
                                 unsigned int flags);

/** Keeps an object alive. */
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count);

/** Keeps an object alive no longer. */
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count);

/** Makes a graph keep an object alive. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count,
                                      unsigned int flags);

/** Makes a graph keep an object alive no longer. */
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count);

/** Adds a node of any kind. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode,
                             cudaGraph_t graph,
                             const cudaGraphNode_t *pDependencies,
                             const cudaGraphEdgeData *dependencyData,
                             size_t numDependencies,
                             cudaGraphNodeParams *nodeParams);

/** Changes what a node of any kind does. */
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *nodeParams);

/** What a node of any kind does. */
cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t node, cudaGraphNodeParams *nodeParams);

/** Changes what a node of any kind of an executable graph does. */
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec,
                                       cudaGraphNode_t node,
                                       cudaGraphNodeParams *nodeParams);

/** Makes the condition of a conditional node. */
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out,
                                             cudaGraph_t graph,
                                             unsigned int defaultLaunchValue,
                                             unsigned int flags);

/** Makes the condition of a conditional node of a context. */
cudaError_t cudaGraphConditionalHandleCreate_v2(cudaGraphConditionalHandle *pHandle_out,
                                                cudaGraph_t graph,
                                                cudaExecutionContext_t ctx,
                                                unsigned int defaultLaunchValue,
                                                unsigned int flags);

/* Green contexts */

/** Calls back for each message. */
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc,
                                     void *userData,
                                     cudaLogsCallbackHandle *callback_out);

/** Ends the calls. */
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);

/** The end of the driver's log. */
cudaError_t cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags);

/** Writes the driver's log to a file. */
cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile, unsigned int flags);

/** Writes the driver's log to memory. */
cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned int flags);

/** The multiprocessors of a device. */
cudaError_t cudaDeviceGetDevResource(int device, cudaDevResource *resource, cudaDevResourceType type);

/** Splits multiprocessors into groups of a size. */
cudaError_t cudaDevSmResourceSplitByCount(cudaDevResource *result,
                                          unsigned int *nbGroups,
                                          const cudaDevResource *input,
                                          cudaDevResource *remaining,
                                          unsigned int flags,
                                          unsigned int minCount);

/** A description of resources, to make a context of. */
cudaError_t cudaDevResourceGenerateDesc(cudaDevResourceDesc_t *phDesc,
                                        cudaDevResource *resources,
                                        unsigned int nbResources);

/** The multiprocessors that a stream may use. */
cudaError_t cudaStreamGetDevResource(cudaStream_t hStream, cudaDevResource *resource, cudaDevResourceType type);

/** cudaStreamGetDevResource with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetDevResource_ptsz(cudaStream_t hStream, cudaDevResource *resource, cudaDevResourceType type);

/** Splits multiprocessors into groups of sizes of their own. */
cudaError_t cudaDevSmResourceSplit(cudaDevResource *result,
                                   unsigned int nbGroups,
                                   const cudaDevResource *input,
                                   cudaDevResource *remainder,
                                   unsigned int flags,
                                   cudaDevSmResourceGroupParams *groupParams);

/** Creates a green context. */
cudaError_t cudaGreenCtxCreate(cudaExecutionContext_t *phCtx,
                               cudaDevResourceDesc_t desc,
                               int device,
                               unsigned int flags);

/** Destroys a green context. */
cudaError_t cudaExecutionCtxDestroy(cudaExecutionContext_t ctx);

/** The primary context of a device. */
cudaError_t cudaDeviceGetExecutionCtx(cudaExecutionContext_t *ctx, int device);

/** The resources of a context. */
cudaError_t cudaExecutionCtxGetDevResource(cudaExecutionContext_t ctx,
                                           cudaDevResource *resource,
                                           cudaDevResourceType type);

/** The device of a context. */
cudaError_t cudaExecutionCtxGetDevice(int *device, cudaExecutionContext_t ctx);

/** The number of a context. */
cudaError_t cudaExecutionCtxGetId(cudaExecutionContext_t ctx, unsigned long long *ctxId);

/** A stream of a context. */
cudaError_t cudaExecutionCtxStreamCreate(cudaStream_t *phStream,
                                         cudaExecutionContext_t ctx,
                                         unsigned int flags,
                                         int priority);

/** Waits for all work of a context. */
cudaError_t cudaExecutionCtxSynchronize(cudaExecutionContext_t ctx);

/** Records an event behind all work of a context. */
cudaError_t cudaExecutionCtxRecordEvent(cudaExecutionContext_t ctx, cudaEvent_t event);

/** Makes later work of a context wait for an event. */
cudaError_t cudaExecutionCtxWaitEvent(cudaExecutionContext_t ctx, cudaEvent_t event);

/** Samples where the pages of a range are. */
cudaError_t cudaMemGetLocationInfo(void *devPtr,
                                   size_t size,
                                   size_t summaryGranularity,
                                   size_t samplingGranularity,
                                   cudaMemLocation *location_out);

/* Memory shared between processes */

/** A name for an event, for other processes. */
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);

/** Opens another process's event. */
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

/** A name for memory, for other processes. */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr);

/** Maps another process's memory. */
cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags);

/** Unmaps another process's memory. */
cudaError_t cudaIpcCloseMemHandle(void *devPtr);

/* Libraries */

/** Loads code from memory. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library,
                                const void *code,
                                cudaJitOption *jitOptions,
                                void **jitOptionsValues,
                                unsigned int numJitOptions,
                                cudaLibraryOption *libraryOptions,
                                void **libraryOptionValues,
                                unsigned int numLibraryOptions);

/** Loads code from a file. */
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library,
                                    const char *fileName,
                                    cudaJitOption *jitOptions,
                                    void **jitOptionsValues,
                                    unsigned int numJitOptions,
                                    cudaLibraryOption *libraryOptions,
                                    void **libraryOptionValues,
                                    unsigned int numLibraryOptions);

/** Unloads code. */
cudaError_t cudaLibraryUnload(cudaLibrary_t library);

/** A kernel by name. */
cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name);

/** A variable by name. */
cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name);

/** A managed variable by name. */
cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name);

/** A function that every device knows under one address. */
cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol);

/** The number of kernels. */
cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib);

/** All kernels. */
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t lib);

/** Sets an attribute of a kernel on one device. */
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr, int value, int device);

/* Managed memory */

/** Waits until writes of other devices into this one's memory are visible. */
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                               cudaFlushGPUDirectRDMAWritesScope scope);

/** Allocates managed memory. */
cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags);

/** Copies several ranges. */
cudaError_t cudaMemcpyBatchAsync(void *const *dsts,
                                 const void *const *srcs,
                                 const size_t *sizes,
                                 size_t count,
                                 cudaMemcpyAttributes *attrs,
                                 size_t *attrsIdxs,
                                 size_t numAttrs,
                                 cudaStream_t stream);

/** cudaMemcpyBatchAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyBatchAsync_ptsz(void *const *dsts,
                                      const void *const *srcs,
                                      const size_t *sizes,
                                      size_t count,
                                      cudaMemcpyAttributes *attrs,
                                      size_t *attrsIdxs,
                                      size_t numAttrs,
                                      cudaStream_t stream);

/** Copies several boxes. The descriptions have the driver's layout. */
cudaError_t cudaMemcpy3DBatchAsync(size_t numOps,
                                   cudaMemcpy3DBatchOp *opList,
                                   unsigned long long flags,
                                   cudaStream_t stream);

/** cudaMemcpy3DBatchAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t numOps,
                                        cudaMemcpy3DBatchOp *opList,
                                        unsigned long long flags,
                                        cudaStream_t stream);

/** Copies one range with the attributes of a batch. */
cudaError_t cudaMemcpyWithAttributesAsync(void *dst,
                                          const void *src,
                                          size_t size,
                                          cudaMemcpyAttributes *attr,
                                          cudaStream_t stream);

/** cudaMemcpyWithAttributesAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyWithAttributesAsync_ptsz(void *dst,
                                               const void *src,
                                               size_t size,
                                               cudaMemcpyAttributes *attr,
                                               cudaStream_t stream);

/** Copies one box with the attributes of a batch. */
cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp *op, unsigned long long flags, cudaStream_t stream);

/** cudaMemcpy3DWithAttributesAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpy3DWithAttributesAsync_ptsz(cudaMemcpy3DBatchOp *op,
                                                 unsigned long long flags,
                                                 cudaStream_t stream);

/** Tells where managed memory will be wanted. */
cudaError_t cudaMemPrefetchAsync(const void *devPtr,
                                 size_t count,
                                 cudaMemLocation location,
                                 unsigned int flags,
                                 cudaStream_t stream);

/** cudaMemPrefetchAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemPrefetchAsync_ptsz(const void *devPtr,
                                      size_t count,
                                      cudaMemLocation location,
                                      unsigned int flags,
                                      cudaStream_t stream);

/** Prefetches several ranges. */
cudaError_t cudaMemPrefetchBatchAsync(void **dptrs,
                                      size_t *sizes,
                                      size_t count,
                                      cudaMemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs,
                                      size_t numPrefetchLocs,
                                      unsigned long long flags,
                                      cudaStream_t stream);

/** cudaMemPrefetchBatchAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemPrefetchBatchAsync_ptsz(void **dptrs,
                                           size_t *sizes,
                                           size_t count,
                                           cudaMemLocation *prefetchLocs,
                                           size_t *prefetchLocIdxs,
                                           size_t numPrefetchLocs,
                                           unsigned long long flags,
                                           cudaStream_t stream);

/** Says that the contents of several ranges are no longer wanted. */
cudaError_t cudaMemDiscardBatchAsync(void **dptrs,
                                     size_t *sizes,
                                     size_t count,
                                     unsigned long long flags,
                                     cudaStream_t stream);

/** cudaMemDiscardBatchAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemDiscardBatchAsync_ptsz(void **dptrs,
                                          size_t *sizes,
                                          size_t count,
                                          unsigned long long flags,
                                          cudaStream_t stream);

/** Both at once. */
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs,
                                                size_t *sizes,
                                                size_t count,
                                                cudaMemLocation *prefetchLocs,
                                                size_t *prefetchLocIdxs,
                                                size_t numPrefetchLocs,
                                                unsigned long long flags,
                                                cudaStream_t stream);

/** cudaMemDiscardAndPrefetchBatchAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemDiscardAndPrefetchBatchAsync_ptsz(void **dptrs,
                                                     size_t *sizes,
                                                     size_t count,
                                                     cudaMemLocation *prefetchLocs,
                                                     size_t *prefetchLocIdxs,
                                                     size_t numPrefetchLocs,
                                                     unsigned long long flags,
                                                     cudaStream_t stream);

/** Tells how managed memory will be used. */
cudaError_t cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, cudaMemLocation location);

/** One attribute of a range of managed memory. */
cudaError_t cudaMemRangeGetAttribute(void *data,
                                     size_t dataSize,
                                     cudaMemRangeAttribute attribute,
                                     const void *devPtr,
                                     size_t count);

/** Several attributes of a range of managed memory. */
cudaError_t cudaMemRangeGetAttributes(void **data,
                                      size_t *dataSizes,
                                      cudaMemRangeAttribute *attributes,
                                      size_t numAttributes,
                                      const void *devPtr,
                                      size_t count);

/** What kind of memory an address is. Memory that the driver does not know is no error. */
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *ptr);

/* Memory */

/** Allocates device memory. */
cudaError_t cudaMalloc(void **devPtr, size_t size);

/** Allocates pinned host memory. */
cudaError_t cudaMallocHost(void **ptr, size_t size);

/** Allocates rows that begin at aligned addresses. */
cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);

/** Frees device memory; NULL is nothing to free. */
cudaError_t cudaFree(void *devPtr);

/** Frees pinned host memory; NULL is nothing to free. */
cudaError_t cudaFreeHost(void *ptr);

/** Allocates pinned host memory with flags. */
cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags);

/** Pins memory of the program. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);

/** Unpins memory of the program. */
cudaError_t cudaHostUnregister(void *ptr);

/** The device's address of pinned memory. */
cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);

/** The flags that pinned memory was allocated with. */
cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost);

/** Allocates a box of rows that begin at aligned addresses. */
cudaError_t cudaMalloc3D(cudaPitchedPtr *pitchedDevPtr, cudaExtent extent);

/** Free and total memory of the device. */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);

/* Peers */

/** One property of the connection between two devices. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice);

/** Copies between the memories of two devices. */
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);

/** cudaMemcpyPeer in the order of a stream. */
cudaError_t cudaMemcpyPeerAsync(void *dst,
                                int dstDevice,
                                const void *src,
                                int srcDevice,
                                size_t count,
                                cudaStream_t stream);

/** Says whether a device can reach another's memory. */
cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);

/** Lets the thread's device reach a peer's memory. */
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);

/** Ends the access to a peer's memory. */
cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);

/* Pools */

/** The pool that a device came with. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device);

/** Sets the pool that a device allocates from. */
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool);

/** The pool that a device allocates from. */
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device);

/** Allocates in the order of a stream, from the device's pool. */
cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream);

/** cudaMallocAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMallocAsync_ptsz(void **devPtr, size_t size, cudaStream_t hStream);

/** Frees in the order of a stream. */
cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream);

/** cudaFreeAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaFreeAsync_ptsz(void *devPtr, cudaStream_t hStream);

/** Gives memory of a pool back to the device. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep);

/** Sets one attribute of a pool. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value);

/** One attribute of a pool. */
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value);

/** Sets who may access a pool. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc *descList, size_t count);

/** Who may access a pool. */
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t memPool, cudaMemLocation *location);

/** Makes a pool. The properties have the driver's layout. */
cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const cudaMemPoolProps *poolProps);

/** Destroys a pool. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool);

/** The pool that a place came with. */
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, cudaMemLocation *location, cudaMemAllocationType type);

/** The pool that a place allocates from. */
cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, cudaMemLocation *location, cudaMemAllocationType type);

/** Sets the pool that a place allocates from. */
cudaError_t cudaMemSetMemPool(cudaMemLocation *location, cudaMemAllocationType type, cudaMemPool_t memPool);

/** Allocates in the order of a stream, from a pool. */
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);

/** cudaMallocFromPoolAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMallocFromPoolAsync_ptsz(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);

/** Exports a pool to other processes. */
cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle,
                                               cudaMemPool_t memPool,
                                               cudaMemAllocationHandleType handleType,
                                               unsigned int flags);

/** Imports another process's pool. */
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool,
                                                 void *shareableHandle,
                                                 cudaMemAllocationHandleType handleType,
                                                 unsigned int flags);

/** Exports one allocation of an exported pool. */
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *exportData, void *ptr);

/** Imports one allocation of an imported pool. */
cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool, cudaMemPoolPtrExportData *exportData);

/* Properties of devices */

/** The properties of a device. */
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device);

/* Registration */

/** Copies into a variable. */
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, cudaMemcpyKind kind);

/** cudaMemcpyToSymbol with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol,
                                    const void *src,
                                    size_t count,
                                    size_t offset,
                                    cudaMemcpyKind kind);

/** Copies out of a variable. */
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind);

/** cudaMemcpyFromSymbol with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyFromSymbol_ptds(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind);

/** cudaMemcpyToSymbol in the order of a stream. */
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol,
                                    const void *src,
                                    size_t count,
                                    size_t offset,
                                    cudaMemcpyKind kind,
                                    cudaStream_t stream);

/** cudaMemcpyToSymbolAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol,
                                         const void *src,
                                         size_t count,
                                         size_t offset,
                                         cudaMemcpyKind kind,
                                         cudaStream_t stream);

/** cudaMemcpyFromSymbol in the order of a stream. */
cudaError_t cudaMemcpyFromSymbolAsync(void *dst,
                                      const void *symbol,
                                      size_t count,
                                      size_t offset,
                                      cudaMemcpyKind kind,
                                      cudaStream_t stream);

/** cudaMemcpyFromSymbolAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *dst,
                                           const void *symbol,
                                           size_t count,
                                           size_t offset,
                                           cudaMemcpyKind kind,
                                           cudaStream_t stream);

/** The device's address of a variable. */
cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol);

/** The size of a variable. */
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

/** The driver's function of a host function. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr);

/** The kernel of a host function. */
cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);

/* Streams */

/** Waits for all work of the device. */
cudaError_t cudaDeviceSynchronize(void);

/** The range of priorities that the device knows; each output may be NULL. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/** Makes a stream. */
cudaError_t cudaStreamCreate(cudaStream_t *pStream);

/** Makes a stream with flags. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags);

/** Makes a stream with flags and a priority. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority);

/** The stream's priority. */
cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority);

/** cudaStreamGetPriority with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t hStream, int *priority);

/** The stream's flags. */
cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags);

/** cudaStreamGetFlags with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t hStream, unsigned int *flags);

/** The stream's number, unique in the process. */
cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId);

/** cudaStreamGetId with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetId_ptsz(cudaStream_t hStream, unsigned long long *streamId);

/** The stream's device. */
cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device);

/** cudaStreamGetDevice with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t hStream, int *device);

/** Gives the persisting part of the L2 cache back to normal use. */
cudaError_t cudaCtxResetPersistingL2Cache(void);

/** Copies attributes between streams. */
cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);

/** cudaStreamCopyAttributes with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t dst, cudaStream_t src);

/** One attribute of a stream. */
cudaError_t cudaStreamGetAttribute(cudaStream_t hStream,
                                   cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value_out);

/** cudaStreamGetAttribute with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t hStream,
                                        cudaLaunchAttributeID attr,
                                        cudaLaunchAttributeValue *value_out);

/** Sets one attribute of a stream. */
cudaError_t cudaStreamSetAttribute(cudaStream_t hStream,
                                   cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value);

/** cudaStreamSetAttribute with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t hStream,
                                        cudaLaunchAttributeID attr,
                                        const cudaLaunchAttributeValue *value);

/** Destroys a stream; its work goes on. */
cudaError_t cudaStreamDestroy(cudaStream_t stream);

/** Makes a stream wait for an event. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);

/** cudaStreamWaitEvent with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned int flags);

/** Calls a host function in a stream, with the stream's error. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void *userData,
                                  unsigned int flags);

/** cudaStreamAddCallback with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream,
                                       cudaStreamCallback_t callback,
                                       void *userData,
                                       unsigned int flags);

/** Waits for a stream's work. */
cudaError_t cudaStreamSynchronize(cudaStream_t stream);

/** cudaStreamSynchronize with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);

/** Says whether a stream's work is done. */
cudaError_t cudaStreamQuery(cudaStream_t stream);

/** cudaStreamQuery with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream);

/** Attaches managed memory to a stream. The driver alone judges the arguments. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags);

/** cudaStreamAttachMemAsync with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags);

/** Begins to capture a stream's work into a graph. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);

/** cudaStreamBeginCapture with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode);

/** Begins to capture a stream's work into a graph that exists. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData,
                                          size_t numDependencies,
                                          cudaStreamCaptureMode mode);

/** cudaStreamBeginCaptureToGraph with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream,
                                               cudaGraph_t graph,
                                               const cudaGraphNode_t *dependencies,
                                               const cudaGraphEdgeData *dependencyData,
                                               size_t numDependencies,
                                               cudaStreamCaptureMode mode);

/** Begins to capture a stream's work into a graph that has been captured before. */
cudaError_t cudaStreamBeginRecaptureToGraph(cudaStream_t stream,
                                            cudaStreamCaptureMode mode,
                                            cudaGraph_t graph,
                                            cudaGraphRecaptureCallbackData *callbackData);

/** cudaStreamBeginRecaptureToGraph with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamBeginRecaptureToGraph_ptsz(cudaStream_t stream,
                                                 cudaStreamCaptureMode mode,
                                                 cudaGraph_t graph,
                                                 cudaGraphRecaptureCallbackData *callbackData);

/** Exchanges the thread's mode of capture. */
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode);

/** Ends a capture. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph);

/** cudaStreamEndCapture with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *pGraph);

/** Says whether a stream is captured. */
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *pCaptureStatus);

/** cudaStreamIsCapturing with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, cudaStreamCaptureStatus *pCaptureStatus);

/** The state of a capture. */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out,
                                     cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out,
                                     const cudaGraphEdgeData **edgeData_out,
                                     size_t *numDependencies_out);

/** cudaStreamGetCaptureInfo with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream,
                                          cudaStreamCaptureStatus *captureStatus_out,
                                          unsigned long long *id_out,
                                          cudaGraph_t *graph_out,
                                          const cudaGraphNode_t **dependencies_out,
                                          const cudaGraphEdgeData **edgeData_out,
                                          size_t *numDependencies_out);

/** Changes what the next captured work depends on. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *dependencyData,
                                                size_t numDependencies,
                                                unsigned int flags);

/** cudaStreamUpdateCaptureDependencies with stream 0 as the per-thread default stream. */
cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream,
                                                     cudaGraphNode_t *dependencies,
                                                     const cudaGraphEdgeData *dependencyData,
                                                     size_t numDependencies,
                                                     unsigned int flags);

/** Calls a host function in a stream. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);

/** cudaLaunchHostFunc with stream 0 as the per-thread default stream. */
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *userData);

/** Calls a host function in a stream; mode says how the stream waits for it. */
cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void *userData, unsigned int syncMode);

/** cudaLaunchHostFunc_v2 with stream 0 as the per-thread default stream. */
cudaError_t cudaLaunchHostFunc_v2_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *userData, unsigned int syncMode);

/* Textures and surfaces */

/** Makes a texture object. */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                                    const cudaResourceDesc *pResDesc,
                                    const cudaTextureDesc *pTexDesc,
                                    const cudaResourceViewDesc *pResViewDesc);

/** Destroys a texture object. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);

/** What a texture object reads. */
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *pResDesc, cudaTextureObject_t texObject);

/** How a texture object reads. */
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject);

/** Which part a texture object reads. */
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *pResViewDesc, cudaTextureObject_t texObject);

/** Makes a surface object. */
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const cudaResourceDesc *pResDesc);

/** Destroys a surface object. */
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);

/** What a surface object accesses. */
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject);

/* What the plain names mean. */
#if !defined(__CUDA_API_VERSION_INTERNAL)
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define cudaMemcpy3D __CUDA_API_PTDS(cudaMemcpy3D)
#define cudaMemcpy3DPeer __CUDA_API_PTDS(cudaMemcpy3DPeer)
#define cudaMemcpy3DAsync __CUDA_API_PTSZ(cudaMemcpy3DAsync)
#define cudaMemcpy3DPeerAsync __CUDA_API_PTSZ(cudaMemcpy3DPeerAsync)
#define cudaMemcpy2DToArray __CUDA_API_PTDS(cudaMemcpy2DToArray)
#define cudaMemcpy2DFromArray __CUDA_API_PTDS(cudaMemcpy2DFromArray)
#define cudaMemcpy2DArrayToArray __CUDA_API_PTDS(cudaMemcpy2DArrayToArray)
#define cudaMemcpy2DToArrayAsync __CUDA_API_PTSZ(cudaMemcpy2DToArrayAsync)
#define cudaMemcpy2DFromArrayAsync __CUDA_API_PTSZ(cudaMemcpy2DFromArrayAsync)
#define cudaMemcpyToArray __CUDA_API_PTDS(cudaMemcpyToArray)
#define cudaMemcpyFromArray __CUDA_API_PTDS(cudaMemcpyFromArray)
#define cudaMemcpyArrayToArray __CUDA_API_PTDS(cudaMemcpyArrayToArray)
#define cudaMemcpyToArrayAsync __CUDA_API_PTSZ(cudaMemcpyToArrayAsync)
#define cudaMemcpyFromArrayAsync __CUDA_API_PTSZ(cudaMemcpyFromArrayAsync)
#define cudaMemcpy __CUDA_API_PTDS(cudaMemcpy)
#define cudaMemcpy2D __CUDA_API_PTDS(cudaMemcpy2D)
#define cudaMemcpyAsync __CUDA_API_PTSZ(cudaMemcpyAsync)
#define cudaMemcpy2DAsync __CUDA_API_PTSZ(cudaMemcpy2DAsync)
#define cudaMemset __CUDA_API_PTDS(cudaMemset)
#define cudaMemset2D __CUDA_API_PTDS(cudaMemset2D)
#define cudaMemset3D __CUDA_API_PTDS(cudaMemset3D)
#define cudaMemsetAsync __CUDA_API_PTSZ(cudaMemsetAsync)
#define cudaMemset2DAsync __CUDA_API_PTSZ(cudaMemset2DAsync)
#define cudaMemset3DAsync __CUDA_API_PTSZ(cudaMemset3DAsync)
#define cudaGetDriverEntryPoint __CUDA_API_PTSZ(cudaGetDriverEntryPoint)
#define cudaGetDriverEntryPointByVersion __CUDA_API_PTSZ(cudaGetDriverEntryPointByVersion)
#define cudaEventRecord __CUDA_API_PTSZ(cudaEventRecord)
#define cudaEventRecordWithFlags __CUDA_API_PTSZ(cudaEventRecordWithFlags)
#define cudaLaunchKernel __CUDA_API_PTSZ(cudaLaunchKernel)
#define cudaLaunchKernelExC __CUDA_API_PTSZ(cudaLaunchKernelExC)
#define cudaLaunchCooperativeKernel __CUDA_API_PTSZ(cudaLaunchCooperativeKernel)
#define cudaSignalExternalSemaphoresAsync __CUDA_API_PTSZ(cudaSignalExternalSemaphoresAsync)
#define cudaWaitExternalSemaphoresAsync __CUDA_API_PTSZ(cudaWaitExternalSemaphoresAsync)
#define cudaGraphInstantiateWithParams __CUDA_API_PTSZ(cudaGraphInstantiateWithParams)
#define cudaGraphUpload __CUDA_API_PTSZ(cudaGraphUpload)
#define cudaGraphLaunch __CUDA_API_PTSZ(cudaGraphLaunch)
#define cudaStreamGetDevResource __CUDA_API_PTSZ(cudaStreamGetDevResource)
#define cudaMemcpyBatchAsync __CUDA_API_PTSZ(cudaMemcpyBatchAsync)
#define cudaMemcpy3DBatchAsync __CUDA_API_PTSZ(cudaMemcpy3DBatchAsync)
#define cudaMemcpyWithAttributesAsync __CUDA_API_PTSZ(cudaMemcpyWithAttributesAsync)
#define cudaMemcpy3DWithAttributesAsync __CUDA_API_PTSZ(cudaMemcpy3DWithAttributesAsync)
#define cudaMemPrefetchAsync __CUDA_API_PTSZ(cudaMemPrefetchAsync)
#define cudaMemPrefetchBatchAsync __CUDA_API_PTSZ(cudaMemPrefetchBatchAsync)
#define cudaMemDiscardBatchAsync __CUDA_API_PTSZ(cudaMemDiscardBatchAsync)
#define cudaMemDiscardAndPrefetchBatchAsync __CUDA_API_PTSZ(cudaMemDiscardAndPrefetchBatchAsync)
#define cudaMallocAsync __CUDA_API_PTSZ(cudaMallocAsync)
#define cudaFreeAsync __CUDA_API_PTSZ(cudaFreeAsync)
#define cudaMallocFromPoolAsync __CUDA_API_PTSZ(cudaMallocFromPoolAsync)
#define cudaMemcpyToSymbol __CUDA_API_PTDS(cudaMemcpyToSymbol)
#define cudaMemcpyFromSymbol __CUDA_API_PTDS(cudaMemcpyFromSymbol)
#define cudaMemcpyToSymbolAsync __CUDA_API_PTSZ(cudaMemcpyToSymbolAsync)
#define cudaMemcpyFromSymbolAsync __CUDA_API_PTSZ(cudaMemcpyFromSymbolAsync)
#define cudaStreamGetPriority __CUDA_API_PTSZ(cudaStreamGetPriority)
#define cudaStreamGetFlags __CUDA_API_PTSZ(cudaStreamGetFlags)
#define cudaStreamGetId __CUDA_API_PTSZ(cudaStreamGetId)
#define cudaStreamGetDevice __CUDA_API_PTSZ(cudaStreamGetDevice)
#define cudaStreamCopyAttributes __CUDA_API_PTSZ(cudaStreamCopyAttributes)
#define cudaStreamGetAttribute __CUDA_API_PTSZ(cudaStreamGetAttribute)
#define cudaStreamSetAttribute __CUDA_API_PTSZ(cudaStreamSetAttribute)
#define cudaStreamWaitEvent __CUDA_API_PTSZ(cudaStreamWaitEvent)
#define cudaStreamAddCallback __CUDA_API_PTSZ(cudaStreamAddCallback)
#define cudaStreamSynchronize __CUDA_API_PTSZ(cudaStreamSynchronize)
#define cudaStreamQuery __CUDA_API_PTSZ(cudaStreamQuery)
#define cudaStreamAttachMemAsync __CUDA_API_PTSZ(cudaStreamAttachMemAsync)
#define cudaStreamBeginCapture __CUDA_API_PTSZ(cudaStreamBeginCapture)
#define cudaStreamBeginCaptureToGraph __CUDA_API_PTSZ(cudaStreamBeginCaptureToGraph)
#define cudaStreamBeginRecaptureToGraph __CUDA_API_PTSZ(cudaStreamBeginRecaptureToGraph)
#define cudaStreamEndCapture __CUDA_API_PTSZ(cudaStreamEndCapture)
#define cudaStreamIsCapturing __CUDA_API_PTSZ(cudaStreamIsCapturing)
#define cudaStreamGetCaptureInfo __CUDA_API_PTSZ(cudaStreamGetCaptureInfo)
#define cudaStreamUpdateCaptureDependencies __CUDA_API_PTSZ(cudaStreamUpdateCaptureDependencies)
#define cudaLaunchHostFunc __CUDA_API_PTSZ(cudaLaunchHostFunc)
#define cudaLaunchHostFunc_v2 __CUDA_API_PTSZ(cudaLaunchHostFunc_v2)
#endif
#endif

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_CUDA_RUNTIME_API_H */
