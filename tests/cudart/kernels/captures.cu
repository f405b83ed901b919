// Captures as a program's first deeds: kernels whose module has variables, and streams that go before the end.
#include "check.h"

__device__ int word = 5;
__managed__ int shared_word = 6;
__global__ void sum(int *p) { *p = word + shared_word; }
__global__ void add(int *p, int n) { *p += n; }

static int run(cudaStreamCaptureMode mode, bool destroy)
{
    int *p, result = 0;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    MUST(cudaMalloc(&p, 4));
    MUST(cudaStreamCreate(&s));
    MUST(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&fork));
    MUST(cudaEventCreate(&join));
    MUST(cudaStreamBeginCapture(s, mode));
    sum<<<1, 1, 0, s>>>(p);
    LAUNCHED();
    MUST(cudaEventRecord(fork, s));
    MUST(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, 1, 0, t>>>(p, 100);
    LAUNCHED();
    MUST(cudaEventRecord(join, t));
    MUST(cudaStreamWaitEvent(s, join, 0));
    if (destroy) MUST(cudaStreamDestroy(t));
    MUST(cudaEventDestroy(fork));
    MUST(cudaEventDestroy(join));
    MUST(cudaMemcpyAsync(&result, p, 4, cudaMemcpyDeviceToHost, s));
    MUST(cudaStreamEndCapture(s, &graph));
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaGraphLaunch(exec, s));
    MUST(cudaStreamSynchronize(s));
    if (!destroy) MUST(cudaStreamDestroy(t));
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamDestroy(s));
    MUST(cudaFree(p));
    return result;
}

int main()
{
    printf("first: %d\n", run(cudaStreamCaptureModeGlobal, true));
    printf("second: %d\n", run(cudaStreamCaptureModeThreadLocal, true));
    // Everything goes, so that the first launch is the first one again.
    MUST(cudaDeviceReset());
    printf("after a reset: %d\n", run(cudaStreamCaptureModeThreadLocal, true));
    MUST(cudaDeviceReset());
    printf("relaxed: %d\n", run(cudaStreamCaptureModeRelaxed, false));
    return 0;
}
