// Parts of a device and what else is new in CUDA 13: execution contexts, captures over a graph, where pages are; and
// OpenGL, EGL and VDPAU where there are none.
#include "say.h"

extern "C" {
cudaError_t cudaGLGetDevices(unsigned *, int *, unsigned, int);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *, unsigned, unsigned);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *, unsigned, unsigned, unsigned);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(unsigned);
cudaError_t cudaGLMapBufferObject(void **, unsigned);
cudaError_t cudaGLUnmapBufferObject(unsigned);
cudaError_t cudaGraphicsEGLRegisterImage(cudaGraphicsResource_t *, void *, unsigned);
cudaError_t cudaEGLStreamConsumerConnect(void **, void *);
cudaError_t cudaEGLStreamProducerConnect(void **, void *, int, int);
cudaError_t cudaEGLStreamConsumerDisconnect(void **);
cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t *, void *, unsigned);
cudaError_t cudaVDPAUGetDevice(int *, unsigned, void *);
cudaError_t cudaGraphicsVDPAURegisterVideoSurface(cudaGraphicsResource_t *, unsigned, unsigned);
}

static void contexts(void)
{
    cudaDevResource all, groups[2], rest, seen;
    cudaDevResourceDesc_t desc;
    cudaExecutionContext_t green = NULL, primary = NULL;
    cudaStream_t stream, other;
    cudaEvent_t event;
    unsigned n = 2;
    unsigned long long a = 0, b = 0;
    int device = 9;
    unsigned char *in = pattern(4096, 1), *out = (unsigned char *)calloc(1, 4096);
    void *p;
    printf("-- execution contexts\n");
    MUST(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
    MUST(cudaDevSmResourceSplitByCount(groups, &n, &all, &rest, 0, 16));
    printf("%u groups, of %u and %u, %s left\n", n, groups[0].sm.smCount, groups[1].sm.smCount, rest.sm.smCount == all.sm.smCount - 32 ? "the rest" : "something else");
    SAY(cudaDevResourceGenerateDesc(&desc, groups, 1));
    SAY(cudaGreenCtxCreate(&green, desc, 0, 1));
    SAY(cudaGreenCtxCreate(NULL, desc, 0, 0));
    SAY(cudaGreenCtxCreate(&green, desc, 0, 0));
    SAY(cudaDeviceGetExecutionCtx(&primary, 0));
    SAY(cudaDeviceGetExecutionCtx(&primary, 99));
    SAY(cudaExecutionCtxGetDevResource(green, &seen, cudaDevResourceTypeSm));
    printf("%u of %s\n", seen.sm.smCount, seen.sm.smCount < all.sm.smCount ? "more" : "all");
    SAY(cudaExecutionCtxGetDevResource(primary, &seen, cudaDevResourceTypeSm));
    printf("%s\n", seen.sm.smCount == all.sm.smCount ? "all" : "not all");
    SAY(cudaExecutionCtxGetDevice(&device, green));
    printf("device %d\n", device);
    SAY(cudaExecutionCtxGetId(green, &a));
    SAY(cudaExecutionCtxGetId(primary, &b));
    printf("%s\n", a && b && a != b ? "two numbers" : "NOT two numbers");
    SAY(cudaExecutionCtxStreamCreate(&stream, green, cudaStreamDefault, 0));
    SAY(cudaExecutionCtxStreamCreate(&other, primary, cudaStreamNonBlocking, 0));
    SAY(cudaExecutionCtxStreamCreate(&other, green, 8, 0));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc(&p, 4096));
    MUST(cudaMemcpyAsync(p, in, 4096, cudaMemcpyHostToDevice, stream));
    SAY(cudaExecutionCtxRecordEvent(green, event));
    SAY(cudaExecutionCtxWaitEvent(primary, event));
    MUST(cudaMemcpyAsync(out, p, 4096, cudaMemcpyDeviceToHost, other));
    SAY(cudaExecutionCtxSynchronize(primary));
    SAY(cudaExecutionCtxSynchronize(green));
    SAME(in, out, 4096);
    SAY(cudaExecutionCtxSynchronize(NULL));
    SAY(cudaExecutionCtxGetId(NULL, &a));
    MUST(cudaStreamDestroy(stream));
    MUST(cudaStreamDestroy(other));
    SAY(cudaExecutionCtxDestroy(green));
    SAY(cudaExecutionCtxDestroy(primary));
    SAY(cudaExecutionCtxDestroy(NULL));
    MUST(cudaEventDestroy(event));
    MUST(cudaFree(p));
}

static cudaError_t told(void *data, cudaGraphNode_t, const cudaGraphNodeParams *was, const cudaGraphNodeParams *is, cudaGraphRecaptureStatus status)
{
    printf("told %s: type %d and %d, value %u and %u, status %d\n", (const char *)data, was->type, is->type, was->memset.value, is->memset.value, status);
    return cudaSuccess;
}

static void graphs(void)
{
    cudaStream_t s;
    cudaGraph_t graph, same;
    cudaGraphConditionalHandle handle;
    cudaExecutionContext_t primary;
    cudaGraphRecaptureCallbackData data = { told, (void *)"of a change" };
    void *p;
    printf("-- graphs\n");
    MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    MUST(cudaMalloc(&p, 4096));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemsetAsync(p, 1, 4096, s));
    MUST(cudaStreamEndCapture(s, &graph));
    SAY(cudaStreamBeginRecaptureToGraph(s, cudaStreamCaptureModeRelaxed, graph, &data));
    MUST(cudaMemsetAsync(p, 2, 4096, s));
    SAY(cudaStreamEndCapture(s, &same));
    printf("%s\n", same == graph ? "the same" : "ANOTHER");
    SAY(cudaStreamBeginRecaptureToGraph(s, cudaStreamCaptureModeRelaxed, graph, NULL));
    MUST(cudaMemsetAsync(p, 3, 4096, s));
    SAY(cudaStreamEndCapture(s, &same));
    MUST(cudaDeviceGetExecutionCtx(&primary, 0));
    SAY(cudaGraphConditionalHandleCreate_v2(&handle, graph, primary, 1, 1));
    SAY(cudaGraphConditionalHandleCreate_v2(&handle, graph, NULL, 1, 1));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaFree(p));
    MUST(cudaStreamDestroy(s));
}

static void pages(void)
{
    cudaMemLocation l[2] = { { (cudaMemLocationType)9 } };
    void *p;
    printf("-- pages\n");
    MUST(cudaMallocManaged(&p, 8 << 20));
    memset(p, 1, 1);
    SAY(cudaMemGetLocationInfo(p, 8 << 20, 4 << 20, 0, l));
    printf("%d %d\n", l[0].type, l[1].type);
    SAY(cudaMemGetLocationInfo(p, 0, 0, 0, l));
    MUST(cudaFree(p));
}

static void neighbours(void)
{
    cudaGraphicsResource_t r;
    cudaEvent_t e;
    void *p = NULL;
    unsigned n = 0;
    int device = 0;
    printf("-- neighbours\n");
    SAY(cudaGLGetDevices(&n, &device, 1, 1));
    SAY(cudaGraphicsGLRegisterBuffer(&r, 1, 0));
    SAY(cudaGraphicsGLRegisterImage(&r, 1, 0x0DE1, 0));
    SAY(cudaGLSetGLDevice(0));
    SAY(cudaGLSetGLDevice(99));
    SAY(cudaGLRegisterBufferObject(1));
    SAY(cudaGLMapBufferObject(&p, 1));
    SAY(cudaGLMapBufferObject(NULL, 1));
    SAY(cudaGLUnmapBufferObject(1));
    SAY(cudaGraphicsEGLRegisterImage(&r, NULL, 0));
    SAY(cudaEGLStreamConsumerConnect(&p, NULL));
    SAY(cudaEGLStreamProducerConnect(&p, NULL, 64, 64));
    SAY(cudaEGLStreamConsumerDisconnect(&p));
    SAY(cudaEventCreateFromEGLSync(&e, NULL, 0));
    SAY(cudaVDPAUGetDevice(&device, 0, NULL));
    SAY(cudaGraphicsVDPAURegisterVideoSurface(&r, 1, 0));
}

int main(void)
{
    contexts();
    graphs();
    pages();
    neighbours();
    return 0;
}
