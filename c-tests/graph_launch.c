/* Graphs that kernels of graphs launch: behind their own graph, beside it, and their own graph again. */
#include "check.h"
#include <stdint.h>

static const char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b32 r) cudaGraphLaunch (.param .b64 g, .param .b64 s);\n"
    /* Notes a number: log[0] counts, the numbers follow. */
    ".func note (.param .b64 l, .param .b32 n) { .reg .b64 %l, %o; .reg .b32 %i, %n; ld.param.u64 %l, [l]; ld.param.u32 %n, [n];\n"
    "atom.global.add.u32 %i, [%l], 1; mul.wide.u32 %o, %i, 4; add.u64 %l, %l, %o; st.global.u32 [%l+4], %n; ret; }\n"
    ".visible .entry say(.param .u64 log, .param .u32 n) { .reg .b64 %l; .reg .b32 %n; ld.param.u64 %l, [log]; ld.param.u32 %n, [n];\n"
    "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %l; st.param.b32 [b], %n; call note, (a, b); } ret; }\n"
    /* Launches a graph so many times, notes its number and the last code. */
    ".visible .entry go(.param .u64 log, .param .u32 n, .param .u64 graph, .param .u64 stream, .param .u32 times) {\n"
    ".reg .b64 %l, %g, %s; .reg .b32 %n, %c, %t; .reg .pred %p; ld.param.u64 %l, [log]; ld.param.u32 %n, [n]; ld.param.u64 %g, [graph]; ld.param.u64 %s, [stream];\n"
    "ld.param.u32 %t, [times];\n"
    "A: { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %g; st.param.b64 [b], %s; call (c), cudaGraphLaunch, (a, b); ld.param.b32 %c, [c]; }\n"
    "sub.u32 %t, %t, 1; setp.ne.u32 %p, %t, 0; @%p bra A;\n"
    "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %l; st.param.b32 [b], %n; call note, (a, b); }\n"
    "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %l; st.param.b32 [b], %c; call note, (a, b); } ret; }\n"
    /* Launches its own graph again until the log is as long as it may be. */
    ".visible .entry again(.param .u64 log, .param .u32 most) { .reg .b64 %l, %g; .reg .b32 %n, %m; .reg .pred %p; ld.param.u64 %l, [log]; ld.param.u32 %m, [most];\n"
    "atom.global.add.u32 %n, [%l], 1; add.u32 %n, %n, 1; setp.ge.u32 %p, %n, %m; @%p bra E; mov.u64 %g, %current_graph_exec;\n"
    "{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %g; st.param.b64 [b], 72057594037927936; call (c), cudaGraphLaunch, (a, b); } E: ret; }\n";

enum { TAIL = 1, BESIDE, SIBLING };
static CUdeviceptr log_at;
static CUfunction say, go, again;
static CUstream stream;

/* The stream of graphs does not wait for this one. */
static void clear(void)
{
    OK(cuMemsetD8(log_at, 0, 4096));
    OK(cuStreamSynchronize(NULL));
}

static void start(void)
{
    CUmodule module;
    begin();
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&say, module, "say"));
    OK(cuModuleGetFunction(&go, module, "go"));
    OK(cuModuleGetFunction(&again, module, "again"));
    OK(cuMemAlloc(&log_at, 4096));
    clear();
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
}

static CUgraphNode kernel(CUgraph g, CUgraphNode *after, CUfunction f, void **arguments)
{
    CUgraphNode node;
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.func = f;
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = arguments;
    OK(cuGraphAddKernelNode(&node, g, after, after != NULL, &p));
    return node;
}
static CUgraphNode says(CUgraph g, CUgraphNode *after, unsigned n) { return kernel(g, after, say, (void *[]){ &log_at, &n }); }
static CUgraphNode goes(CUgraph g, CUgraphNode *after, unsigned n, CUgraphExec x, unsigned how, unsigned times)
{
    uint64_t s = (uint64_t)how << 56;
    return kernel(g, after, go, (void *[]){ &log_at, &n, &x, &s, &times });
}
static CUgraphExec launchable(unsigned n)
{
    CUgraph g;
    CUgraphExec x;
    OK(cuGraphCreate(&g, 0));
    says(g, NULL, n);
    OK(cuGraphInstantiate(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
    OK(cuGraphUpload(x, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuGraphDestroy(g));
    return x;
}
static void run(CUgraph g, int times)
{
    static unsigned log[1024];
    CUgraphExec x;
    OK(cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < times; i++) OK(cuGraphLaunch(x, stream));
    CUresult r = cuStreamSynchronize(stream);
    if (r) {
        printf("%s\n", name(r));
        return;
    }
    OK(cuMemcpyDtoH(log, log_at, sizeof log));
    printf("%u:", log[0]);
    for (unsigned i = 1; i <= log[0] && i <= 24; i++) printf(" %u", log[i]);
    printf("\n");
    clear();
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

static void behind(void)
{
    CUgraph g;
    CUgraphNode first;
    start();
    CUgraphExec inner = launchable(7);
    OK(cuGraphCreate(&g, 0));
    first = goes(g, NULL, 1, inner, TAIL, 1);
    says(g, &first, 2);
    run(g, 3);
    /* Later ones behind earlier ones; what a graph launches that was launched comes before them. */
    CUgraph middle;
    CUgraphExec x, last = launchable(8);
    OK(cuGraphCreate(&middle, 0));
    goes(middle, NULL, 3, inner, TAIL, 1);
    OK(cuGraphInstantiate(&x, middle, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
    OK(cuGraphCreate(&g, 0));
    first = goes(g, NULL, 1, x, TAIL, 1);
    goes(g, &first, 2, last, TAIL, 2);
    run(g, 1);
    /* The program launches such a graph itself, too. */
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    unsigned log[5];
    OK(cuMemcpyDtoH(log, log_at, sizeof log));
    printf("%u: %u %u %u\n", log[0], log[1], log[2], log[3]);
}
static void beside(void)
{
    CUgraph g;
    CUgraphNode first;
    start();
    CUgraphExec inner = launchable(7), last = launchable(8);
    OK(cuGraphCreate(&g, 0));
    first = goes(g, NULL, 1, inner, BESIDE, 1);
    first = goes(g, &first, 2, inner, SIBLING, 1);
    goes(g, &first, 3, last, TAIL, 1);
    run(g, 1);
    /* An event behind the graph is behind what it has launched. */
    OK(cuGraphCreate(&g, 0));
    goes(g, NULL, 1, inner, BESIDE, 100);
    run(g, 1);
}
static void itself(void)
{
    CUgraph g;
    CUgraphExec x;
    unsigned most = 2000, count;
    start();
    OK(cuGraphCreate(&g, 0));
    kernel(g, NULL, again, (void *[]){ &log_at, &most });
    OK(cuGraphInstantiate(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&count, log_at, 4));
    printf("%u times\n", count);
}
static void mistakes(void)
{
    CUgraph g, plain;
    CUgraphExec x, inner;
    start();
    inner = launchable(7);
    OK(cuGraphCreate(&plain, 0));
    says(plain, NULL, 1);
    OK(cuGraphInstantiate(&x, plain, 0));
    static const struct { const char *what; int graph, how; unsigned times; } all[] = {
        { "a graph that kernels cannot launch", 1, TAIL, 1 }, { "no graph", 2, TAIL, 1 }, { "a stream", 0, 0, 1 }, { "another stream", 0, 9, 1 },
        { "120 beside", 0, BESIDE, 120 }, { "121 beside", 0, BESIDE, 121 }, { "255 behind", 0, TAIL, 255 }, { "256 behind", 0, TAIL, 256 },
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        OK(cuGraphCreate(&g, 0));
        goes(g, NULL, 1, all[i].graph == 1 ? x : all[i].graph == 2 ? (CUgraphExec)plain : inner, (unsigned)all[i].how, all[i].times);
        printf("%s: ", all[i].what);
        run(g, 1);
    }
    /* Outside of a graph. */
    unsigned n = 1, times = 1, log[3];
    uint64_t s = (uint64_t)TAIL << 56;
    OK(cuLaunchKernel(go, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){ &log_at, &n, &inner, &s, &times }, NULL));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(log, log_at, sizeof log));
    clear();
    printf("outside of a graph: %u %u %u\n", log[0], log[1], log[2]);
    /* It is gone. */
    OK(cuGraphCreate(&g, 0));
    goes(g, NULL, 1, inner, TAIL, 1);
    OK(cuGraphExecDestroy(inner));
    printf("a graph that was destroyed: ");
    run(g, 1);
}
static void host(void *unused) { (void)unused; }
static void instantiation(void)
{
    CUgraph g;
    CUgraphExec x;
    CUgraphNode node;
    cuuint64_t flags = 0;
    CUDA_HOST_NODE_PARAMS h = { host, NULL };
    CUDA_GRAPH_INSTANTIATE_PARAMS p = { .flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH };
    const unsigned long long device = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    start();
    OK(cuGraphCreate(&g, 0));
    SHOW(cuGraphInstantiate(&x, g, device));
    says(g, NULL, 1);
    SHOW(cuGraphInstantiate(&x, g, device | CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    SHOW(cuGraphInstantiate(&x, g, device));
    SHOW(cuGraphExecGetFlags(x, &flags));
    printf("%llu\n", (unsigned long long)flags);
    SHOW(cuGraphInstantiateWithParams(&x, g, &p));
    printf("%d\n", p.result_out);
    OK(cuGraphAddHostNode(&node, g, NULL, 0, &h));
    SHOW(cuGraphInstantiate(&x, g, device));
    SHOW(cuGraphInstantiateWithParams(&x, g, &p));
    printf("%d %d\n", p.result_out, p.hErrNode_out == node);
}

int main(void)
{
    apart("behind", behind);
    apart("beside", beside);
    apart("itself", itself);
    apart("mistakes", mistakes);
    apart("instantiation", instantiation);
    return 0;
}
