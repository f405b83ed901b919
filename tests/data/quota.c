/* Takes memory in every way that there is, within a limit of 64 MiB and beyond it. What it prints is the same in front of the
 * emulated device and of another driver: `name=what happened`. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)
#define LIMIT (64 * MIB)
/* What a device may take more than it is asked for: chunks of pools and arrays. */
#define SLACK (4 * MIB)

static CUdevice device;
static CUcontext context;
static CUstream stream;

static const char *name(CUresult r)
{
    const char *s = "?";
    return cuGetErrorName(r, &s) ? "?" : s;
}

static void ok(CUresult r, const char *what)
{
    if (r) {
        printf("failed=%s %s\n", what, name(r));
        exit(1);
    }
}
#define OK(call) ok(call, #call)

static size_t used(void)
{
    size_t left = 0, total = 0;
    OK(cuMemGetInfo(&left, &total));
    if (total != LIMIT) {
        printf("total=%zu\n", total);
        exit(1);
    }
    return total - left;
}

/* A way to take memory and to give it back. */
typedef struct { CUdeviceptr at; CUarray array; CUmipmappedArray levels; CUmemGenericAllocationHandle handle; CUmemoryPool pool; size_t size; } Taken;

static CUresult linear(Taken *t) { return cuMemAlloc(&t->at, t->size); }
static void linear_free(Taken *t) { OK(cuMemFree(t->at)); }

static CUresult pitch(Taken *t)
{
    size_t bytes;
    return cuMemAllocPitch(&t->at, &bytes, 4096, t->size / 4096, 16);
}

static CUresult array(Taken *t)
{
    CUDA_ARRAY_DESCRIPTOR d = {1024, t->size / 4096, CU_AD_FORMAT_FLOAT, 1};
    return cuArrayCreate(&t->array, &d);
}
static void array_free(Taken *t) { OK(cuArrayDestroy(t->array)); }

static CUresult array_3d(Taken *t)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {256, 256, t->size / (256 * 256 * 8), CU_AD_FORMAT_HALF, 4, 0};
    return cuArray3DCreate(&t->array, &d);
}

static CUresult mipmapped(Taken *t)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {1024, t->size / 4096 / 4 * 3, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    return cuMipmappedArrayCreate(&t->levels, &d, 8);
}
static void mipmapped_free(Taken *t) { OK(cuMipmappedArrayDestroy(t->levels)); }

static CUresult async(Taken *t) { return cuMemAllocAsync(&t->at, t->size, stream); }
static void async_free(Taken *t)
{
    OK(cuMemFreeAsync(t->at, stream));
    OK(cuStreamSynchronize(stream));
}
static CUresult async_twin(Taken *t)
{
    extern CUresult cuMemAllocAsync_ptsz(CUdeviceptr *, size_t, CUstream);
    return cuMemAllocAsync_ptsz(&t->at, t->size, stream);
}
static CUresult default_stream(Taken *t) { return cuMemAllocAsync(&t->at, t->size, 0); }
static void plain_free(Taken *t)
{
    OK(cuMemFree(t->at));
    OK(cuStreamSynchronize(stream));
    OK(cuCtxSynchronize());
}

static CUresult own_pool(Taken *t)
{
    CUmemPoolProps p = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
    OK(cuMemPoolCreate(&t->pool, &p));
    CUresult r = cuMemAllocFromPoolAsync(&t->at, t->size, t->pool, stream);
    if (r) OK(cuMemPoolDestroy(t->pool));
    return r;
}
static void own_pool_free(Taken *t)
{
    OK(cuMemFreeAsync(t->at, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolDestroy(t->pool));
}
/* The pool is destroyed while memory of it is in use. */
static void destroyed_pool_free(Taken *t)
{
    OK(cuMemPoolDestroy(t->pool));
    if (used() < t->size) printf("destroyed_pool=counts %zu\n", used());
    OK(cuMemFreeAsync(t->at, stream));
    OK(cuStreamSynchronize(stream));
}

static CUmemAllocationProp here(void)
{
    CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
    return p;
}
static CUresult physical(Taken *t)
{
    CUmemAllocationProp p = here();
    return cuMemCreate(&t->handle, t->size, &p, 0);
}
static void physical_free(Taken *t) { OK(cuMemRelease(t->handle)); }
/* Mapped, the handle released first, fetched again, and released for good. */
static CUresult mapped(Taken *t)
{
    CUmemAllocationProp p = here();
    CUresult r = cuMemCreate(&t->handle, t->size, &p, 0);
    if (r) return r;
    OK(cuMemAddressReserve(&t->at, t->size, 0, 0, 0));
    OK(cuMemMap(t->at, t->size, 0, t->handle, 0));
    OK(cuMemRelease(t->handle));
    return r;
}
static void mapped_free(Taken *t)
{
    CUmemGenericAllocationHandle again;
    OK(cuMemRetainAllocationHandle(&again, (void *)t->at));
    OK(cuMemUnmap(t->at, t->size));
    if (used() < t->size) printf("mapped=counts %zu before the last release\n", used());
    OK(cuMemRelease(again));
    OK(cuMemAddressFree(t->at, t->size));
}

static CUresult graph(Taken *t)
{
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node, last;
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}},
                                    .bytesize = t->size};
    OK(cuGraphCreate(&graph, 0));
    CUresult r = cuGraphAddMemAllocNode(&node, graph, 0, 0, &p);
    if (!r) {
        OK(cuGraphAddMemFreeNode(&last, graph, &node, 1, p.dptr));
        OK(cuGraphInstantiate(&exec, graph, 0));
        r = cuGraphLaunch(exec, stream);
        if (!r) OK(cuStreamSynchronize(stream));
        OK(cuGraphExecDestroy(exec));
    }
    OK(cuGraphDestroy(graph));
    return r;
}
static void graph_free(Taken *t)
{
    (void)t;
    OK(cuDeviceGraphMemTrim(device));
}

static const struct { const char *name; CUresult (*take)(Taken *); void (*give)(Taken *); } WAYS[] = {
    {"cuMemAlloc", linear, linear_free},
    {"cuMemAllocPitch", pitch, linear_free},
    {"cuArrayCreate", array, array_free},
    {"cuArray3DCreate", array_3d, array_free},
    {"cuMipmappedArrayCreate", mipmapped, mipmapped_free},
    {"cuMemAllocAsync", async, async_free},
    {"cuMemAllocAsync_ptsz", async_twin, async_free},
    {"cuMemAllocAsync on the default stream", default_stream, plain_free},
    {"cuMemAllocFromPoolAsync", own_pool, own_pool_free},
    {"a pool that is destroyed first", own_pool, destroyed_pool_free},
    {"cuMemCreate", physical, physical_free},
    {"cuMemMap", mapped, mapped_free},
    {"a graph", graph, graph_free},
};

int main(void)
{
    size_t total = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceTotalMem(&total, device));
    printf("total=%zu\n", total);
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    const size_t before = used();
    printf("before=%zu\n", before);
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        Taken small = {.size = 16 * MIB}, large = {.size = 56 * MIB};
        const char *what = WAYS[i].name;
        OK(WAYS[i].take(&small));
        size_t taken = used() - before;
        if (taken < 16 * MIB || taken > 16 * MIB + SLACK) printf("%s=counts %zu\n", what, taken);
        /* What does not fit beside it is refused, and leaves no trace. A graph's memory is there for the next graph. */
        CUresult r = WAYS[i].take(&large);
        if (r != CUDA_ERROR_OUT_OF_MEMORY && WAYS[i].take != graph) printf("%s=%s for too much\n", what, name(r));
        else if (r == 0) WAYS[i].give(&large);
        if (WAYS[i].take != graph && used() - before != taken) printf("%s=counts %zu after a refusal\n", what, used() - before);
        WAYS[i].give(&small);
        if (used() != before) printf("%s=leaves %zu\n", what, used() - before);
        /* It fits alone. */
        if ((r = WAYS[i].take(&large)) != 0) printf("%s=%s alone\n", what, name(r));
        else WAYS[i].give(&large);
        printf("%s=%zu left\n", what, used() - before);
    }
    /* What a refusal leaves in the result, and what comes before it. */
    CUdeviceptr at = 7;
    CUresult r = cuMemAlloc(&at, LIMIT + 1);
    printf("too much=%s %llu\n", name(r), at);
    r = cuMemAlloc(0, LIMIT + 1);
    printf("no result=%s\n", name(r));
    /* Managed memory is not the device's until it is there. */
    r = cuMemAllocManaged(&at, LIMIT / 2, CU_MEM_ATTACH_GLOBAL);
    printf("managed=%s\n", name(r));
    OK(cuMemFree(at));
    /* Contexts take with them what was made in them. */
    CUcontext other;
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR d = {1024, 1024, CU_AD_FORMAT_FLOAT, 1};
    OK(cuCtxCreate_v2(&other, 0, device));
    OK(cuMemAlloc(&at, 8 * MIB));
    OK(cuArrayCreate(&array, &d));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
    printf("after a context=%zu\n", used() - before);
    OK(cuMemAlloc(&at, 8 * MIB));
    OK(cuDevicePrimaryCtxReset(device));
    OK(cuCtxSetCurrent(0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    printf("after a reset=%zu\n", used());
    return 0;
}
