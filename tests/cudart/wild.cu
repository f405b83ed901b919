// Nothing that a program passes may crash it. NVIDIA's runtime does crash here, so this runs on ours alone.
#include "say.h"

static const size_t WILD[] = {0, 1, 8, 0x1000, (size_t)-1, (size_t)-8, (size_t)1 << 47, (size_t)0x7fffffff00000000};
static int calls, accepted;

#define TRY(call)                          \
    do {                                   \
        calls++;                           \
        accepted += (call) == cudaSuccess; \
    } while (0)

int main(void)
{
    MUST(cudaFree(NULL));
    enum cudaDriverEntryPointQueryResult result;
    void *managed;
    SAY(cudaGetDriverEntryPointByVersion("cuMemAlloc", NULL, 12000, cudaEnableDefault, &result));
    MUST(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
    SAY(cudaStreamAttachMemAsync(NULL, managed, 0, 0));
    char *host = (char *)malloc(256);
    memset(host, 0x41, 256);
    for (size_t i = 0; i < sizeof WILD / sizeof *WILD; i++) {
        void *p = (void *)WILD[i];
        size_t n = WILD[(i + 3) % (sizeof WILD / sizeof *WILD)];
        cudaStream_t s = i < 3 ? NULL : (cudaStream_t)p;
        struct cudaExtent extent = {n, n, n};
        struct cudaPitchedPtr pitched = {p, n, n, n};
        void *out = NULL;
        int number;
        for (int kind = -1; kind < 6; kind++) {
            if (kind == 0 && n < 4096) continue;
            TRY(cudaMemcpy(p, p, n, (enum cudaMemcpyKind)kind));
            TRY(cudaMemcpyAsync(p, p, n, (enum cudaMemcpyKind)kind, s));
            TRY(cudaMemcpy2D(p, n, p, n, n, n, (enum cudaMemcpyKind)kind));
            TRY(cudaMemcpyToArray((cudaArray_t)p, n, n, p, n, (enum cudaMemcpyKind)kind));
            TRY(cudaMemcpyFromArrayAsync(p, (cudaArray_t)p, n, n, n, (enum cudaMemcpyKind)kind, s));
            TRY(cudaMemcpy2DToArray((cudaArray_t)p, n, n, p, n, n, n, (enum cudaMemcpyKind)kind));
            TRY(cudaMemcpyArrayToArray((cudaArray_t)p, 0, 0, (cudaArray_t)p, 0, 0, n, (enum cudaMemcpyKind)kind));
            TRY(cudaMemcpyToSymbol(p, p, n, n, (enum cudaMemcpyKind)kind));
            TRY(cudaMemcpyFromSymbol(p, p, n, n, (enum cudaMemcpyKind)kind));
        }
        TRY(cudaMemset(p, 1, n));
        TRY(cudaMemset2D(p, n, 1, n, n));
        TRY(cudaMemset3D(pitched, 1, extent));
        TRY(cudaMemcpy3D((struct cudaMemcpy3DParms *)p));
        TRY(cudaMemcpy3DPeer((struct cudaMemcpy3DPeerParms *)p));
        TRY(cudaMalloc((void **)p, 16));
        TRY(cudaMalloc(&out, n));
        TRY(cudaMallocPitch(&out, (size_t *)p, n, n));
        TRY(cudaMalloc3D((struct cudaPitchedPtr *)p, extent));
        TRY(cudaMalloc3DArray((cudaArray_t *)&out, (struct cudaChannelFormatDesc *)p, extent, 0));
        TRY(cudaMallocHost((void **)p, 16));
        TRY(cudaHostRegister(p, n, 0));
        TRY(cudaHostGetDevicePointer(&out, p, 0));
        TRY(cudaFreeArray((cudaArray_t)p));
        TRY(cudaArrayGetInfo((struct cudaChannelFormatDesc *)p, (struct cudaExtent *)p, NULL, (cudaArray_t)p));
        TRY(cudaGetDeviceCount((int *)p));
        TRY(cudaGetDevice((int *)p));
        TRY(cudaGetDeviceProperties((struct cudaDeviceProp *)p, 0));
        TRY(cudaDeviceGetAttribute((int *)p, cudaDevAttrWarpSize, 0));
        TRY(cudaDeviceGetPCIBusId((char *)p, 32, 0));
        TRY(cudaDeviceGetByPCIBusId(&number, (const char *)p));
        TRY(cudaChooseDevice((int *)p, (struct cudaDeviceProp *)p));
        TRY(cudaSetValidDevices((int *)p, 1));
        TRY(cudaRuntimeGetVersion((int *)p));
        TRY(cudaDriverGetVersion((int *)p));
        TRY(cudaPointerGetAttributes((struct cudaPointerAttributes *)p, p));
        TRY(cudaStreamSynchronize((cudaStream_t)p));
        TRY(cudaStreamWaitEvent(s, (cudaEvent_t)p, 0));
        TRY(cudaEventRecord((cudaEvent_t)p, s));
        TRY(cudaEventDestroy((cudaEvent_t)p));
        TRY(cudaEventElapsedTime((float *)p, (cudaEvent_t)p, (cudaEvent_t)p));
        TRY(cudaStreamAttachMemAsync(s, p, n, 4));
        TRY(cudaMallocAsync((void **)p, 16, s));
        TRY(cudaFreeAsync(p, s));
        TRY(cudaMemPoolCreate((cudaMemPool_t *)&out, (struct cudaMemPoolProps *)p));
        TRY(cudaMemPoolDestroy((cudaMemPool_t)p));
        TRY(cudaGraphDestroy((cudaGraph_t)p));
        TRY(cudaGraphLaunch((cudaGraphExec_t)p, s));
        TRY(cudaGraphAddMemcpyNode((cudaGraphNode_t *)p, (cudaGraph_t)p, NULL, 0, (struct cudaMemcpy3DParms *)p));
        TRY(cudaCreateTextureObject((cudaTextureObject_t *)p, (struct cudaResourceDesc *)p, (struct cudaTextureDesc *)p, NULL));
        TRY(cudaDestroyTextureObject((cudaTextureObject_t)WILD[i]));
        TRY(cudaGetTextureObjectResourceDesc((struct cudaResourceDesc *)p, (cudaTextureObject_t)WILD[i]));
        TRY(cudaLaunchKernel(p, dim3{1, 1, 1}, dim3{1, 1, 1}, (void **)p, n, s));
        TRY(cudaFuncGetAttributes((struct cudaFuncAttributes *)p, p));
        TRY(cudaGetSymbolAddress(&out, p));
        TRY(cudaGetDriverEntryPointByVersion((const char *)p, (void **)p, 12000, 0, NULL));
        TRY(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)p, p));
        (void)cudaGetErrorName((cudaError_t)(int)WILD[i]);
    }
    // The device still works.
    void *d;
    cudaGetLastError();
    MUST(cudaMalloc(&d, 256));
    MUST(cudaMemcpy(d, host, 256, cudaMemcpyHostToDevice));
    memset(host, 0, 256);
    MUST(cudaMemcpy(host, d, 256, cudaMemcpyDeviceToHost));
    printf("%s, %s, %c\n", calls > 500 ? "many calls" : "few calls", accepted < calls / 3 ? "most refused" : "MANY ACCEPTED", host[255]);
    return 0;
}
