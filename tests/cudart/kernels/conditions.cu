// Conditional nodes of graphs, built by hand and captured. Compiled with -rdc=true.
#include "check.h"

__global__ void choose(cudaGraphConditionalHandle h, const int *p) { cudaGraphSetConditional(h, *p); }
__global__ void add(int *p, int n) { atomicAdd(p, n); }
__global__ void down(cudaGraphConditionalHandle h, int *p)
{
    if (--*p == 0) cudaGraphSetConditional(h, 0);
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t *after, const void *f, void **args)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = const_cast<void *>(f);
    p.kernel.gridDim.x = p.kernel.gridDim.y = p.kernel.gridDim.z = 1;
    p.kernel.blockDim.x = p.kernel.blockDim.y = p.kernel.blockDim.z = 1;
    p.kernel.kernelParams = args;
    MUST(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &p));
    return node;
}

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle h, cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    return p;
}

static void launch(const char *what, cudaGraphExec_t exec, Device<int> &d, std::vector<int> in)
{
    d.set(in);
    MUST(cudaGraphLaunch(exec, 0));
    MUST(cudaDeviceSynchronize());
    printf("%s %d:", what, in[0]);
    for (int v : d.get()) printf(" %d", v);
    printf("\n");
}

int main()
{
    Device<int> d(4);
    int *p = d.p, one = 1;
    for (auto [type, size] : {std::pair{cudaGraphCondTypeIf, 1}, {cudaGraphCondTypeIf, 2}, {cudaGraphCondTypeSwitch, 3}}) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaGraphConditionalHandle h;
        MUST(cudaGraphCreate(&graph, 0));
        MUST(cudaGraphConditionalHandleCreate(&h, graph));
        void *args[] = {&h, &p};
        cudaGraphNode_t first = kernel(graph, nullptr, (void *)choose, args), node;
        cudaGraphNodeParams c = conditional(h, type, size);
        MUST(cudaGraphAddNode(&node, graph, &first, nullptr, 1, &c));
        for (int i = 0; i < size; i++) {
            int *to = p + 1 + i;
            void *args[] = {&to, &one};
            kernel(c.conditional.phGraph_out[i], nullptr, (void *)add, args);
        }
        MUST(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
        for (int i = 0; i < 5; i++) launch(type == cudaGraphCondTypeIf ? "if" : "switch", exec, d, {i, 0, 0, 0});
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    }

    cudaStream_t s, t;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle h;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last;
    size_t n;
    MUST(cudaStreamCreate(&s));
    MUST(cudaStreamCreate(&t));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(p + 1, 100);
    MUST(cudaStreamGetCaptureInfo(s, &status, nullptr, &graph, &last, nullptr, &n));
    MUST(cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t node;
    cudaGraphNodeParams c = conditional(h, cudaGraphCondTypeWhile, 1);
    MUST(cudaGraphAddNode(&node, graph, last, nullptr, n, &c));
    MUST(cudaStreamUpdateCaptureDependencies(s, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, s>>>(p + 2, 1000);
    MUST(cudaStreamEndCapture(s, &graph));
    MUST(cudaStreamBeginCaptureToGraph(t, c.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, t>>>(p + 3, 1);
    down<<<1, 1, 0, t>>>(h, p);
    MUST(cudaStreamEndCapture(t, nullptr));
    MUST(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int i = 1; i < 30; i += 9) launch("while", exec, d, {i, 0, 0, 0});
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    return 0;
}
