/*
 * The CUDA driver API for VDPAU as Doppel provides it.
 * Written by doppel-header from the declarations in src/abi. Do not edit.
 */

#if !defined(DOPPEL_CUDA_VDPAU_H) && !defined(CUDAVDPAU_H)
#define DOPPEL_CUDA_VDPAU_H
#define CUDAVDPAU_H

#include "cuda.h"
#include <vdpau/vdpau.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* VDPAU Interoperability */

/**
 * Finds the device behind a VDPAU device.
 *
 * @param pDevice receives the ordinal of the device.
 * @param vdpDevice the VDPAU device.
 * @param vdpGetProcAddress VDPAU's function for finding functions.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE: there is no VDPAU on this device.
 *
 * Manual: VDPAU Interoperability.
 */
CUresult CUDAAPI cuVDPAUGetDevice(CUdevice *pDevice, VdpDevice vdpDevice, VdpStatus (*vdpGetProcAddress)(VdpDevice,
                                                                                                         VdpFuncId,
                                                                                                         void**));

/**
 * Creates a context for use with VDPAU.
 *
 * @param pCtx receives the context.
 * @param flags CU_CTX_* bits.
 * @param device ordinal of the device.
 * @param vdpDevice the VDPAU device.
 * @param vdpGetProcAddress VDPAU's function for finding functions.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCtx or vdpGetProcAddress is NULL or flags has unknown bits; CUDA_ERROR_INVALID_DEVICE if
 * there is no such device; else CUDA_ERROR_UNKNOWN: there is no VDPAU on this device.
 *
 * Manual: VDPAU Interoperability.
 */
CUresult CUDAAPI cuVDPAUCtxCreate_v2(CUcontext *pCtx,
                                     unsigned int flags,
                                     CUdevice device,
                                     VdpDevice vdpDevice,
                                     VdpStatus (*vdpGetProcAddress)(VdpDevice, VdpFuncId, void**));

/**
 * First form of cuVDPAUCtxCreate_v2.
 *
 * @param pCtx receives the context.
 * @param flags CU_CTX_* bits.
 * @param device ordinal of the device.
 * @param vdpDevice the VDPAU device.
 * @param vdpGetProcAddress VDPAU's function for finding functions.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCtx or vdpGetProcAddress is NULL or flags has unknown bits; CUDA_ERROR_INVALID_DEVICE if
 * there is no such device; else CUDA_ERROR_UNKNOWN: there is no VDPAU on this device.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuVDPAUCtxCreate(CUcontext *pCtx,
                                  unsigned int flags,
                                  CUdevice device,
                                  VdpDevice vdpDevice,
                                  VdpStatus (*vdpGetProcAddress)(VdpDevice, VdpFuncId, void**));

/**
 * Shares a VDPAU video surface.
 *
 * @param pCudaResource receives the resource.
 * @param vdpSurface the surface.
 * @param flags CU_GRAPHICS_REGISTER_FLAGS_*.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT: no context for VDPAU can be current.
 *
 * Manual: VDPAU Interoperability.
 */
CUresult CUDAAPI cuGraphicsVDPAURegisterVideoSurface(CUgraphicsResource *pCudaResource,
                                                     VdpVideoSurface vdpSurface,
                                                     unsigned int flags);

/**
 * Shares a VDPAU output surface.
 *
 * @param pCudaResource receives the resource.
 * @param vdpSurface the surface.
 * @param flags CU_GRAPHICS_REGISTER_FLAGS_*.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT: no context for VDPAU can be current.
 *
 * Manual: VDPAU Interoperability.
 */
CUresult CUDAAPI cuGraphicsVDPAURegisterOutputSurface(CUgraphicsResource *pCudaResource,
                                                      VdpOutputSurface vdpSurface,
                                                      unsigned int flags);

/* What the plain names mean. */
#if !defined(__CUDA_API_VERSION_INTERNAL)
#define cuVDPAUCtxCreate cuVDPAUCtxCreate_v2
#endif

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_CUDA_VDPAU_H */
