/* A graph that allocates more than the device has left: its launch is refused, not its work. */
#include "check.h"

int main(void)
{
    const size_t gib = (size_t)1 << 30;
    CUcontext context;
    CUstream stream;
    CUgraph graph;
    CUgraphNode made, gone;
    CUgraphExec most;
    CUdeviceptr rest;
    size_t left, all;
    CUDA_MEM_ALLOC_NODE_PARAMS p = {0};
    limit_time(60);
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuGraphCreate(&graph, 0));
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = 2 * gib;
    OK(cuGraphAddMemAllocNode(&made, graph, NULL, 0, &p));
    OK(cuGraphAddMemFreeNode(&gone, graph, &made, 1, p.dptr));
    OK(cuGraphInstantiateWithFlags(&most, graph, 0));
    OK(cuMemGetInfo(&left, &all));
    /* Tools such as valgrind leave a process fewer addresses than the device has bytes. */
    if (cuMemAlloc(&rest, left - gib)) skip("this process cannot have all of the device's memory");
    SHOW(cuGraphLaunch(most, stream));
    OK(cuMemFree(rest));
    SHOW(cuGraphLaunch(most, stream));
    SHOW(cuStreamSynchronize(stream));
    return 0;
}
