// Calls of the runtime, each marked in the trace of driver calls.
#include "../say.h"
#include <fcntl.h>
#include <unistd.h>

static int trace;
static void mark(const char *what)
{
    if (write(trace, what, strlen(what)) < 0 || write(trace, "\n", 1) < 0) abort();
}
// Shows the part of the call before the parameters.
#define DO(call)                                   \
    do {                                           \
        char name[64];                             \
        snprintf(name, sizeof name, "%s", #call);  \
        mark(name);                                \
        MUST(call);                                \
    } while (0)

#ifdef __CUDACC__
__device__ int variable;
__constant__ int constant;
__global__ void kernel(int *p) { *p = variable + constant; }
#endif

static void CUDART_CB host(void *) {}
static void CUDART_CB callback(cudaStream_t, cudaError_t, void *) {}

int main()
{
    trace = open(getenv("TRACE_FILE"), O_WRONLY | O_APPEND | O_CREAT, 0644);
    char *d, *e, *m, *h, *pageable = (char *)malloc(4096), *q;
    size_t pitch, freed, total;
    int n;
    DO(cudaGetDeviceCount(&n));
    DO(cudaFree(0));
    DO(cudaMalloc((void **)&d, 4096));
    DO(cudaMalloc((void **)&e, 4096));
    DO(cudaMalloc((void **)&q, 0));
    DO(cudaMallocManaged((void **)&m, 4096, cudaMemAttachGlobal));
    DO(cudaMallocHost((void **)&h, 4096));
    DO(cudaHostRegister(pageable, 4096, 0));
    DO(cudaHostGetDevicePointer((void **)&q, pageable, 0));
    DO(cudaHostUnregister(pageable));
    DO(cudaMallocPitch((void **)&q, &pitch, 100, 10));
    DO(cudaFree(q));
    DO(cudaMemcpy(d, pageable, 64, cudaMemcpyHostToDevice));
    DO(cudaMemcpy(pageable, d, 64, cudaMemcpyDeviceToHost));
    DO(cudaMemcpy(e, d, 64, cudaMemcpyDeviceToDevice));
    DO(cudaMemcpy(h, d, 64, cudaMemcpyDefault));
    DO(cudaMemcpy(h, pageable, 64, cudaMemcpyHostToHost));
    cudaStream_t s;
    DO(cudaStreamCreate(&s));
    DO(cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s));
    DO(cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s));
    DO(cudaMemcpyAsync(e, d, 64, cudaMemcpyDeviceToDevice, s));
    DO(cudaMemcpyAsync(e, d, 64, cudaMemcpyDefault, s));
    DO(cudaMemcpyAsync(h + 64, h, 64, cudaMemcpyHostToHost, s));
    DO(cudaMemcpyAsync(e, d, 0, cudaMemcpyDefault, s));
    DO(cudaMemset(d, 1, 64));
    DO(cudaMemsetAsync(d, 1, 64, s));
    DO(cudaMemset2D(d, 64, 1, 8, 4));
    DO(cudaMemcpy2D(d, 64, h, 64, 8, 4, cudaMemcpyHostToDevice));
    DO(cudaMemcpy2DAsync(d, 64, h, 64, 8, 4, cudaMemcpyHostToDevice, s));
    cudaArray_t array;
    struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    DO(cudaMallocArray(&array, &desc, 16, 4));
    DO(cudaMemcpy2DToArray(array, 0, 0, h, 64, 64, 4, cudaMemcpyHostToDevice));
    DO(cudaMemcpyFromArrayAsync(h, array, 0, 0, 128, cudaMemcpyDeviceToHost, s));
    DO(cudaMemcpyFromArrayAsync(h, array, 8, 0, 128, cudaMemcpyDeviceToHost, s));
    struct cudaMemcpy3DParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr.ptr = h, parms.srcPtr.pitch = 64, parms.srcPtr.xsize = 16, parms.srcPtr.ysize = 4;
    parms.dstArray = array, parms.extent.width = 16, parms.extent.height = 4, parms.extent.depth = 1;
    parms.kind = cudaMemcpyHostToDevice;
    DO(cudaMemcpy3D(&parms));
    DO(cudaMemcpy3DAsync(&parms, s));
    DO(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachSingle));
    DO(cudaStreamSynchronize(s));
    mark("cudaStreamQuery");
    cudaStreamQuery(s);
    cudaEvent_t a, b;
    float ms;
    DO(cudaEventCreate(&a));
    DO(cudaEventCreateWithFlags(&b, cudaEventDefault));
    DO(cudaEventRecord(a, s));
    DO(cudaEventRecord(b, s));
    DO(cudaStreamWaitEvent(s, a, 0));
    DO(cudaEventSynchronize(b));
    DO(cudaEventQuery(b));
    DO(cudaEventElapsedTime(&ms, a, b));
    DO(cudaLaunchHostFunc(s, host, NULL));
    DO(cudaStreamAddCallback(s, callback, NULL, 0));
    DO(cudaDeviceSynchronize());
    struct cudaPointerAttributes attributes;
    DO(cudaPointerGetAttributes(&attributes, d));
    size_t limit;
    unsigned flags;
    DO(cudaMemGetInfo(&freed, &total));
    DO(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    DO(cudaDeviceSetLimit(cudaLimitStackSize, limit));
    DO(cudaGetDeviceFlags(&flags));
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    cudaTextureObject_t object;
    memset(&resource, 0, sizeof resource);
    memset(&texture, 0, sizeof texture);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    DO(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    DO(cudaDestroyTextureObject(object));
#ifdef __CUDACC__
    int value = 3, blocks;
    void *at;
    int *p = (int *)d;
    void *args[] = {&p};
    mark("first kernel<<<>>>");
    kernel<<<1, 1, 0, s>>>(p);
    mark("second kernel<<<>>>");
    kernel<<<1, 1>>>(p);
    DO(cudaLaunchKernel((void *)kernel, dim3(1), dim3(1), args, 0, s));
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    DO(cudaLaunchKernelExC(&config, (void *)kernel, args));
    DO(cudaLaunchCooperativeKernel((void *)kernel, dim3(1), dim3(1), args, 0, s));
    cudaFuncAttributes fa;
    DO(cudaFuncGetAttributes(&fa, kernel));
    DO(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    DO(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
    DO(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 0));
    DO(cudaMemcpyToSymbol(variable, &value, 4));
    DO(cudaMemcpyFromSymbol(&value, constant, 4));
    DO(cudaMemcpyToSymbolAsync(constant, &value, 4, 0, cudaMemcpyHostToDevice, s));
    DO(cudaGetSymbolAddress(&at, variable));
    DO(cudaGetSymbolSize(&limit, variable));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    DO(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    mark("captured kernel<<<>>>");
    kernel<<<1, 1, 0, s>>>(p);
    DO(cudaStreamEndCapture(s, &graph));
    DO(cudaGraphInstantiate(&exec, graph, 0));
    DO(cudaGraphLaunch(exec, s));
    DO(cudaStreamSynchronize(s));
#endif
    DO(cudaStreamDestroy(s));
    DO(cudaEventDestroy(a));
    DO(cudaFreeArray(array));
    DO(cudaFreeArray(NULL));
    DO(cudaFreeHost(h));
    DO(cudaFree(d));
    DO(cudaFree(NULL));
    mark("exit");
    return 0;
}
