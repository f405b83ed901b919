/* Compiles against our headers in every language and mode; what it says is checked when it compiles. */
#include <vdpau/vdpau.h>

#include "cuda.h"
#include "cudaEGL.h"
#include "cudaGL.h"
#include "cudaProfiler.h"
#include "cudaVDPAU.h"

typedef char tensor_map_is_128_bytes[sizeof(CUtensorMap) == 128 ? 1 : -1];
typedef char copy_is_128_bytes[sizeof(CUDA_MEMCPY2D) == 128 ? 1 : -1];

static void callback(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    (void)status;
    (void)data;
}

int main(void)
{
    CUdeviceptr pointer = 0;
    CUcontext context = NULL;
    CUmemLocation location;
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = 0;
    CUresult (*alloc)(CUdeviceptr *, size_t) = cuMemAlloc;
    CUresult (*launch)(const CUlaunchConfig *, CUfunction, void **, void **) = cuLaunchKernelEx;
    CUresult (*create)(CUcontext *, CUctxCreateParams *, unsigned int, CUdevice) = cuCtxCreate;
    CUresult (*look_up)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *) = cuGetProcAddress;
    CUstreamCallback call = callback;
    struct CUctx_st *same = context;
    return alloc == NULL || launch == NULL || create == NULL || look_up == NULL || call == NULL || same != NULL ||
           pointer != 0 || location.id != 0 || CU_STREAM_LEGACY == CU_STREAM_PER_THREAD;
}
