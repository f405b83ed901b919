// Graphs of kernels: captured and built by hand, launched again, with other parameters, cloned, updated.
#include "check.h"

__global__ void step(unsigned *p, unsigned factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * factor + 1;
}
__global__ void add(const unsigned *a, const unsigned *b, unsigned *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
static int calls;
static void CUDART_CB host(void *p) { calls += *(int *)p; }

int main()
{
    int n = 1000;
    std::vector<unsigned> start(n), w(n), x(n);
    for (auto &v : start) v = next();
    Device<unsigned> a(start), b(start), c(n);
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    MUST(cudaStreamCreate(&s));
    MUST(cudaStreamCreate(&t));
    MUST(cudaEventCreate(&fork));
    MUST(cudaEventCreate(&join));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int one = 1;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMemcpyAsync(a, start.data(), n * 4, cudaMemcpyHostToDevice, s));
    MUST(cudaEventRecord(fork, s));
    MUST(cudaStreamWaitEvent(t, fork, 0));
    step<<<8, 128, 0, s>>>(a, 3, n);
    step<<<8, 128, 0, t>>>(b, 5, n);
    step<<<8, 128, 0, s>>>(a, 7, n);
    MUST(cudaEventRecord(join, t));
    MUST(cudaStreamWaitEvent(s, join, 0));
    add<<<8, 128, 0, s>>>(a, b, c, n);
    MUST(cudaLaunchHostFunc(s, host, &one));
    MUST(cudaMemcpyAsync(x.data(), c, n * 4, cudaMemcpyDeviceToHost, s));
    MUST(cudaStreamEndCapture(s, &graph));
    size_t nodes = 0;
    MUST(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("%zu nodes\n", nodes);
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<unsigned> y = start;
    for (int k = 0; k < 3; k++) {
        MUST(cudaGraphLaunch(exec, s));
        MUST(cudaStreamSynchronize(s));
        for (int i = 0; i < n; i++) y[i] = y[i] * 5 + 1, w[i] = (start[i] * 3 + 1) * 7 + 1 + y[i];
        exact("captured", x, w);
    }
    printf("calls %d\n", calls);

    // By hand.
    cudaGraph_t made;
    cudaGraphNode_t first, second;
    MUST(cudaGraphCreate(&made, 0));
    unsigned *p = a;
    unsigned factor = 11;
    void *args[] = {&p, &factor, &n};
    cudaKernelNodeParams k = {};
    k.func = (void *)step;
    k.gridDim = dim3(8);
    k.blockDim = dim3(128);
    k.kernelParams = args;
    MUST(cudaGraphAddKernelNode(&first, made, nullptr, 0, &k));
    factor = 13;
    MUST(cudaGraphAddKernelNode(&second, made, &first, 1, &k));
    factor = 0;
    cudaKernelNodeParams got = {};
    SAY(cudaGraphKernelNodeGetParams(second, &got));
    printf("%u %u %d %d\n", got.gridDim.x, got.blockDim.x, got.func == (void *)step, *(unsigned *)got.kernelParams[1]);
    cudaGraphExec_t other;
    MUST(cudaGraphInstantiate(&other, made, 0));
    a.set(start);
    MUST(cudaGraphLaunch(other, s));
    MUST(cudaStreamSynchronize(s));
    for (int i = 0; i < n; i++) w[i] = (start[i] * 11 + 1) * 13 + 1;
    exact("by hand", a.get(), w);
    factor = 17;
    SAY(cudaGraphExecKernelNodeSetParams(other, second, &k));
    a.set(start);
    MUST(cudaGraphLaunch(other, s));
    MUST(cudaStreamSynchronize(s));
    for (int i = 0; i < n; i++) w[i] = (start[i] * 11 + 1) * 17 + 1;
    exact("changed", a.get(), w);
    // An update with a graph of the same shape.
    cudaGraph_t clone;
    MUST(cudaGraphClone(&clone, made));
    cudaGraphNode_t in_clone;
    MUST(cudaGraphNodeFindInClone(&in_clone, first, clone));
    factor = 19;
    SAY(cudaGraphKernelNodeSetParams(in_clone, &k));
    cudaGraphExecUpdateResultInfo info = {};
    SAY(cudaGraphExecUpdate(other, clone, &info));
    a.set(start);
    MUST(cudaGraphLaunch(other, s));
    MUST(cudaStreamSynchronize(s));
    for (int i = 0; i < n; i++) w[i] = (start[i] * 19 + 1) * 13 + 1;
    exact("updated", a.get(), w);
    cudaGraphNodeType type;
    MUST(cudaGraphNodeGetType(first, &type));
    printf("type %d\n", type);
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphExecDestroy(other));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaGraphDestroy(made));
    MUST(cudaGraphDestroy(clone));
    return 0;
}
