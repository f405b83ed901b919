/* Memory that graphs allocate: what the device keeps for it, from the call of a launch on. */
#include "check.h"
#include <stdint.h>

#define MIB ((size_t)1 << 20)
static CUstream stream, other;
static volatile int go;

static void wait_for_go(void *nothing)
{
    (void)nothing;
    while (!go) usleep(100);
}

/* What comes next in the stream waits. */
static void hold(void)
{
    go = 0;
    OK(cuLaunchHostFunc(stream, wait_for_go, NULL));
}

static void let_go(void)
{
    go = 1;
    OK(cuStreamSynchronize(stream));
}

static void show(const char *when)
{
    cuuint64_t v[4];
    for (int i = 0; i < 4; i++) {
        OK(cuDeviceGetGraphMemAttribute(0, (CUgraphMem_attribute)i, &v[i]));
        v[i] /= MIB;
    }
    printf("%s: used %llu, at most %llu, reserved %llu, at most %llu\n", when, (unsigned long long)v[0], (unsigned long long)v[1],
           (unsigned long long)v[2], (unsigned long long)v[3]);
}

static void trim(void)
{
    OK(cuDeviceGraphMemTrim(0));
    show("  trimmed");
}

/* Adds memory to a graph behind a node, if there is one; the graph frees it again if `freed`. The last node. */
static CUgraphNode add(CUgraph graph, CUgraphNode behind, size_t bytes, int freed, CUdeviceptr *at)
{
    CUgraphNode made, gone;
    CUDA_MEM_ALLOC_NODE_PARAMS p = {0};
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = bytes;
    OK(cuGraphAddMemAllocNode(&made, graph, behind ? &behind : NULL, behind ? 1 : 0, &p));
    *at = p.dptr;
    if (!freed) return made;
    OK(cuGraphAddMemFreeNode(&gone, graph, &made, 1, p.dptr));
    return gone;
}

static CUgraphExec runnable(CUgraph graph)
{
    CUgraphExec exec;
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
}

static CUgraphExec one(size_t bytes, int freed, CUdeviceptr *at)
{
    CUgraph graph;
    OK(cuGraphCreate(&graph, 0));
    add(graph, NULL, bytes, freed, at);
    return runnable(graph);
}

/* Launches one graph, or two in one stream, while the stream is held back. */
static void held(const char *what, CUgraphExec first, CUgraphExec second)
{
    hold();
    OK(cuGraphLaunch(first, stream));
    if (second) OK(cuGraphLaunch(second, stream));
    show(what);
    let_go();
    trim();
}

int main(void)
{
    CUcontext context;
    CUdeviceptr p, q, r;
    limit_time(60);
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));

    printf("-- a graph that frees its memory\n");
    CUgraphExec small = one(MIB, 1, &p);
    show("instantiated");
    hold();
    OK(cuGraphLaunch(small, stream));
    show("launched, and held back");
    trim();
    let_go();
    show("complete");
    trim();

    printf("-- one that leaves 40 MiB\n");
    CUgraphExec kept = one(40 * MIB, 0, &q);
    show("instantiated");
    hold();
    OK(cuGraphLaunch(kept, stream));
    show("launched, and held back");
    trim();
    OK(cuMemFreeAsync(q, stream));
    show("freed behind it");
    trim();
    let_go();
    show("complete");
    trim();
    OK(cuGraphLaunch(kept, stream));
    show("launched again");
    SHOW(cuGraphLaunch(kept, stream));
    OK(cuMemFree(q));
    show("freed");
    trim();

    printf("-- two that free their memory\n");
    CUgraphExec second = one(MIB, 1, &p), large = one(40 * MIB, 1, &r);
    hold();
    OK(cuGraphLaunch(small, stream));
    OK(cuGraphLaunch(second, other));
    show("in two streams, the first held back");
    OK(cuStreamSynchronize(other));
    show("the second complete");
    trim();
    let_go();
    show("both complete");
    trim();
    held("in one stream, held back", small, second);
    held("the larger one second", small, large);
    held("the larger one first", large, small);
    held("one twice", small, small);

    printf("-- parts of one graph\n");
    CUgraph graph;
    OK(cuGraphCreate(&graph, 0));
    CUgraphNode node = add(graph, NULL, 20 * MIB, 1, &p);
    add(graph, node, 20 * MIB, 1, &q);
    CUgraphExec in_turn = runnable(graph);
    held("one behind the other", in_turn, NULL);
    OK(cuGraphCreate(&graph, 0));
    add(graph, NULL, 8 * MIB, 1, &p);
    add(graph, NULL, 8 * MIB, 0, &q);
    CUgraphExec both = runnable(graph);
    held("one that stays", both, NULL);
    OK(cuMemFree(q));
    trim();

    printf("-- marks\n");
    cuuint64_t none = 0;
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &none));
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &none));
    show("reset");
    trim();
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &none));
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &none));
    show("reset");
    hold();
    OK(cuGraphLaunch(small, stream));
    OK(cuGraphExecDestroy(small));
    show("launched, held back, destroyed");
    trim();
    let_go();
    trim();
    return 0;
}
