/* What programs do seldom, for records: prints nothing that a replay has to know. */
#include "ok.h"
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory, again;
    CUmodule module;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode nodes[2];
    int n = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&memory, 4096));

    /* A file that there is not. */
    n += cuModuleLoad(&module, "/nowhere/at/all.ptx") == CUDA_ERROR_FILE_NOT_FOUND;

    /* A node that frees memory does not end its graph. */
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = {0};
    alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    alloc.bytesize = 4096;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&nodes[0], graph, 0, 0, &alloc));
    OK(cuGraphAddMemFreeNode(&nodes[1], graph, &nodes[0], 1, alloc.dptr));
    n += cuGraphAddMemFreeNode(&nodes[1], graph, &nodes[0], 1, alloc.dptr) == CUDA_ERROR_INVALID_VALUE;
    OK(cuGraphMemFreeNodeGetParams(nodes[1], &again));
    OK(cuGraphMemFreeNodeGetParams(nodes[1], &again));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, 0));
    OK(cuCtxSynchronize());
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));

    /* Memory that cannot be registered again stays registered, as do parts of it. */
    char *host = aligned_alloc(4096, 3 * 4096);
    memset(host, 7, 3 * 4096);
    OK(cuMemHostRegister(host, 3 * 4096, 0));
    n += cuMemHostRegister(host, 64, 0x99) == CUDA_ERROR_INVALID_VALUE;
    n += cuMemHostRegister(host + 4096, 4096, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    OK(cuMemcpyHtoD(memory, host + 4096, 4096));
    OK(cuMemHostUnregister(host));

    /* A copy that begins in page-locked memory and ends behind it. */
    void *locked, *next;
    OK(cuMemHostAlloc(&locked, 4096, 0));
    OK(cuMemHostAlloc(&next, 4096, 0));
    n += cuMemcpyHtoD(memory, (char *)locked + 1, 4096) == CUDA_ERROR_INVALID_VALUE;
    OK(cuMemFreeHost(next));
    OK(cuMemFreeHost(locked));

    /* A call that leaves its result as it was. */
    CUmemDecompressParams none[1] = {{0}};
    size_t index = 77;
    unsigned char block[] = {0xf0, 4, 'd', 'o', 'p', 'p', 'e', 'l', ' ', 'd', 'o', 'p', 'p', 'e', 'l', ' ', 'd', 'o', 'p', 'p', 'e'};
    none[0].srcNumBytes = sizeof block, none[0].dstNumBytes = 256, none[0].algo = CU_MEM_DECOMPRESS_ALGORITHM_LZ4;
    none[0].src = (void *)memory, none[0].dst = (void *)(memory + 1024);
    none[0].dstActBytes = (cuuint32_t *)(memory + 2048);
    OK(cuMemcpyHtoD(memory, block, sizeof block));
    if (!cuMemBatchDecompressAsync(none, 1, 0, &index, 0)) n += index == 77;
    cuCtxSynchronize();

    /* Memory that came from where a replay does not look: what is about that is not asked again either. */
    CUmemGenericAllocationHandle own, other;
    CUmemAllocationProp p = {0};
    CUmemAccessDesc access = {0};
    CUdeviceptr at;
    size_t size = (size_t)2 << 20;
    int descriptor = -1;
    unsigned char back = 0;
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    p.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemCreate(&own, size, &p, 0));
    OK(cuMemExportToShareableHandle(&descriptor, own, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    OK(cuMemRelease(own));
    OK(cuMemImportFromShareableHandle(&other, (void *)(size_t)descriptor, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(descriptor);
    OK(cuMemAddressReserve(&at, size, 0, 0, 0));
    OK(cuMemMap(at, size, 0, other, 0));
    OK(cuMemRelease(other));

    /* A handle that was given twice is released twice. */
    CUdeviceptr twice;
    OK(cuMemCreate(&own, size, &p, 0));
    OK(cuMemAddressReserve(&twice, size, 0, 0, 0));
    OK(cuMemMap(twice, size, 0, own, 0));
    OK(cuMemRetainAllocationHandle(&other, (void *)twice));
    OK(cuMemRelease(own));
    OK(cuMemRelease(other));
    OK(cuMemUnmap(twice, size));
    OK(cuMemAddressFree(twice, size));
    OK(cuMemSetAccess(at, size, &access, 1));
    OK(cuMemsetD8(at, 77, size));
    OK(cuMemcpyDtoH(&back, at + size - 1, 1));
    OK(cuMemUnmap(at, size));
    OK(cuMemAddressFree(at, size));
    n += back == 77;

    /* Lists of handles in memory of the driver's: the body of a conditional node, and what a capture depends on. */
    CUgraphConditionalHandle condition;
    CUgraphNodeParams conditional = {0};
    CUDA_MEMSET_NODE_PARAMS fill = {0};
    CUgraphNode node;
    unsigned words[2] = {0};
    OK(cuMemsetD32(memory, 0, 2));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphConditionalHandleCreate(&condition, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    conditional.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    conditional.conditional.handle = condition;
    conditional.conditional.type = CU_GRAPH_COND_TYPE_IF;
    conditional.conditional.size = 1;
    conditional.conditional.ctx = context;
    OK(cuGraphAddNode(&node, graph, NULL, NULL, 0, &conditional));
    fill.dst = memory, fill.elementSize = 4, fill.width = 1, fill.height = 1, fill.value = 5;
    OK(cuGraphAddMemsetNode(&nodes[0], conditional.conditional.phGraph_out[0], 0, 0, &fill, context));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, 0));
    OK(cuCtxSynchronize());
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    CUstream stream;
    CUstreamCaptureStatus status;
    cuuint64_t number;
    const CUgraphNode *dependencies;
    const CUgraphEdgeData *edges;
    size_t count = 0;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD32Async(memory + 4, 6, 1, stream));
    OK(cuStreamGetCaptureInfo_v3(stream, &status, &number, &graph, &dependencies, &edges, &count));
    fill.dst = memory + 4, fill.value = 7;
    OK(cuGraphAddMemsetNode(&node, graph, dependencies, count, &fill, context));
    OK(cuStreamUpdateCaptureDependencies_v2(stream, &node, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(words, memory, sizeof words));
    n += count == 1 && words[0] == 5 && words[1] == 7;
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(memory));
    printf("odd: %d\n", n);
    return 0;
}
