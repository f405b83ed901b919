// Streams, events, host functions, callbacks, pools, capture.
#include "say.h"
#include <pthread.h>

static int order[8], count;

static void host_function(void *data)
{
    order[count++] = (int)(size_t)data;
}

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    order[count++] = (int)(size_t)data + 100 * (int)status;
}

static void *other_thread(void *data)
{
    printf("in the thread: %s, device ", cudaGetErrorName(cudaPeekAtLastError()));
    int device = -1;
    cudaGetDevice(&device);
    printf("%d, %s\n", device, cudaGetErrorName(cudaMemset(data, 2, 100)));
    cudaMemset(NULL, 0, 5);
    printf("its last: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    return NULL;
}

int main(void)
{
    cudaStream_t a, b;
    cudaEvent_t start, end;
    MUST(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    int least, greatest, priority;
    MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    MUST(cudaStreamCreateWithPriority(&b, cudaStreamDefault, greatest));
    MUST(cudaStreamGetPriority(b, &priority));
    unsigned flags;
    MUST(cudaStreamGetFlags(a, &flags));
    printf("priorities %d %d %d, flags %u\n", least, greatest, priority, flags);
    cudaStream_t never;
    SAY(cudaStreamCreateWithFlags(&never, 0x10));
    SAY(cudaStreamDestroy(NULL));
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
    SAY(cudaEventQuery(start));
    float ms;
    SAY(cudaEventElapsedTime(&ms, start, end));
    MUST(cudaEventRecord(start, a));
    SAY(cudaLaunchHostFunc(a, host_function, (void *)1));
    SAY(cudaStreamAddCallback(a, callback, (void *)2, 0));
    SAY(cudaStreamAddCallback(a, callback, (void *)2, 1));
    SAY(cudaStreamAddCallback(a, NULL, NULL, 0));
    MUST(cudaEventRecord(end, a));
    SAY(cudaStreamWaitEvent(b, end, 0));
    SAY(cudaLaunchHostFunc(b, host_function, (void *)3));
    MUST(cudaStreamSynchronize(b));
    SAY(cudaEventSynchronize(end));
    SAY(cudaEventQuery(end));
    SAY(cudaStreamQuery(a));
    SAY(cudaEventElapsedTime(&ms, start, end));
    printf("%s, order %d %d %d\n", ms >= 0 ? "measured" : "NOT MEASURED", order[0], order[1], order[2]);

    puts("pools");
    void *p, *q;
    char out[1000];
    SAY(cudaMallocAsync(&p, 1000, a));
    MUST(cudaMemsetAsync(p, 42, 1000, a));
    MUST(cudaMemcpyAsync(out, p, 1000, cudaMemcpyDeviceToHost, a));
    SAY(cudaFreeAsync(p, a));
    MUST(cudaStreamSynchronize(a));
    printf("%d %d\n", out[0], out[999]);
    cudaMemPool_t pool;
    struct cudaMemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    SAY(cudaMemPoolCreate(&pool, &props));
    unsigned long long threshold = 1 << 20, used = 1;
    SAY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    SAY(cudaMallocFromPoolAsync(&p, 5000, pool, a));
    MUST(cudaStreamSynchronize(a));
    MUST(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    printf("%s used\n", used >= 5000 ? "memory" : "NO MEMORY");
    SAY(cudaFreeAsync(p, a));
    MUST(cudaStreamSynchronize(a));
    SAY(cudaMemPoolTrimTo(pool, 0));
    SAY(cudaMemPoolDestroy(pool));
    SAY(cudaMallocAsync(NULL, 1000, a));
    SAY(cudaFreeAsync(NULL, a));

    puts("capture");
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    enum cudaStreamCaptureStatus status;
    size_t nodes;
    MUST(cudaMalloc(&p, 100));
    MUST(cudaMalloc(&q, 100));
    SAY(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    MUST(cudaStreamIsCapturing(a, &status));
    SAY(cudaMemsetAsync(p, 17, 100, a));
    SAY(cudaMemcpyAsync(q, p, 100, cudaMemcpyDeviceToDevice, a));
    SAY(cudaMemcpyAsync(out, q, 100, cudaMemcpyDeviceToHost, a));
    SAY(cudaStreamEndCapture(a, &graph));
    MUST(cudaGraphGetNodes(graph, NULL, &nodes));
    printf("status %d, %zu nodes, %d\n", (int)status, nodes, out[50]);
    SAY(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    SAY(cudaGraphLaunch(exec, a));
    MUST(cudaStreamSynchronize(a));
    printf("%d\n", out[50]);
    SAY(cudaGraphExecDestroy(exec));
    SAY(cudaGraphDestroy(graph));

    puts("graph");
    cudaGraphNode_t fill, copy;
    struct cudaMemsetParams fill_params = {q, 0, 0x21, 1, 100, 1};
    MUST(cudaGraphCreate(&graph, 0));
    SAY(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &fill_params));
    SAY(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, out, q, 100, cudaMemcpyDeviceToHost));
    struct cudaMemcpy3DParms seen;
    SAY(cudaGraphMemcpyNodeGetParams(copy, &seen));
    printf("%zu %zu %zu kind %d\n", seen.extent.width, seen.extent.height, seen.extent.depth, (int)seen.kind);
    cudaGraphNode_t second;
    // It has no constructor.
    struct cudaGraphNodeParams *any = (struct cudaGraphNodeParams *)calloc(1, sizeof *any);
    char twice[100];
    any->type = cudaGraphNodeTypeMemcpy;
    any->memcpy.copyParams.srcPtr.ptr = q, any->memcpy.copyParams.dstPtr.ptr = twice;
    any->memcpy.copyParams.srcPtr.pitch = any->memcpy.copyParams.dstPtr.pitch = 100;
    any->memcpy.copyParams.srcPtr.ysize = any->memcpy.copyParams.dstPtr.ysize = 1;
    any->memcpy.copyParams.extent.width = 100, any->memcpy.copyParams.extent.height = 1;
    any->memcpy.copyParams.extent.depth = 1, any->memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
#if CUDART_VERSION < 13000
    cudaError_t added = cudaGraphAddNode(&second, graph, &fill, 1, any);
#else
    cudaError_t added = cudaGraphAddNode(&second, graph, &fill, NULL, 1, any);
#endif
    enum cudaGraphNodeType type;
    MUST(cudaGraphNodeGetType(second, &type));
    printf("%s type %d\n", cudaGetErrorName(added), (int)type);
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaGraphLaunch(exec, b));
    MUST(cudaStreamSynchronize(b));
    printf("%d %d\n", out[99], twice[99]);
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));

    puts("threads");
    cudaGetLastError();
    SAY(cudaMemcpy(p, q, 1, (enum cudaMemcpyKind)99));
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, p);
    pthread_join(thread, NULL);
    printf("here: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("then: %s\n", cudaGetErrorName(cudaGetLastError()));
    MUST(cudaFree(p));
    MUST(cudaFree(q));
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(end));
    MUST(cudaStreamDestroy(a));
    MUST(cudaStreamDestroy(b));
    return 0;
}
