/* The flag of kept local memory, which a context has from its first executable graph with work for kernels on. As on an H200. */
#include "check.h"

static const char code[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
enum { DEVICE, OTHER, MANAGED, PINNED, REGISTERED, PAGEABLE, POOL, MAPPED, ARRAY, PLACES };
static const char *const places[] = { "device", "other", "managed", "pinned", "registered", "pageable", "pool", "mapped", "array" };
static CUdeviceptr at[PLACES];
static CUarray array;
static char own[1 << 16] __attribute__((aligned(4096))), registered[1 << 16] __attribute__((aligned(4096)));

static unsigned flags(void)
{
    unsigned f = 0;
    OK(cuCtxGetFlags(&f));
    return f;
}

static void side(CUDA_MEMCPY3D *copy, int dst, int place)
{
    int host = place == PINNED || place == REGISTERED || place == PAGEABLE;
    CUmemorytype type = place == ARRAY ? CU_MEMORYTYPE_ARRAY : host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    if (dst) {
        copy->dstMemoryType = type;
        copy->dstDevice = at[place];
        copy->dstHost = (void *)(uintptr_t)at[place];
        copy->dstArray = array;
        copy->dstPitch = 64;
    } else {
        copy->srcMemoryType = type;
        copy->srcDevice = at[place];
        copy->srcHost = (void *)(uintptr_t)at[place];
        copy->srcArray = array;
        copy->srcPitch = 64;
    }
}

static void told(const char *what, CUgraph graph)
{
    CUgraphExec exec;
    unsigned before = flags();
    OK(cuGraphInstantiate(&exec, graph, 0));
    printf("%s: %x, %x", what, before, flags());
    OK(cuGraphExecDestroy(exec));
    printf(", %x\n", flags());
}

int main(void)
{
    static const struct { int place; unsigned element; size_t width, height, pitch; } fills[] = {
        { DEVICE, 1, 4096, 1, 0 }, { DEVICE, 1, 4097, 1, 0 }, { DEVICE, 2, 2048, 1, 0 }, { DEVICE, 4, 1025, 1, 0 }, { DEVICE, 1, 16, 2, 16 },
        { DEVICE, 1, 16, 2, 17 }, { DEVICE, 1, 16, 256, 16 }, { DEVICE, 1, 16, 257, 16 }, { MANAGED, 1, 1, 1, 0 }, { PINNED, 1, 100, 1, 0 },
        { PINNED, 1, 100, 2, 200 }, { REGISTERED, 1, 8192, 1, 0 }, { POOL, 1, 100, 1, 0 }, { POOL, 4, 2048, 1, 0 }, { MAPPED, 1, 100, 1, 0 } };
    CUmemAllocationProp properties = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } } };
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUmemGenericAllocationHandle physical;
    char what[100];
    begin();
    OK(cuMemAddressReserve(&at[MAPPED], 2 << 20, 0, 0, 0));
    OK(cuMemCreate(&physical, 2 << 20, &properties, 0));
    OK(cuMemMap(at[MAPPED], 2 << 20, 0, physical, 0));
    OK(cuMemSetAccess(at[MAPPED], 2 << 20, &access, 1));
    at[PAGEABLE] = (CUdeviceptr)(uintptr_t)own;
    at[REGISTERED] = (CUdeviceptr)(uintptr_t)registered;
    int copies = PLACES * PLACES, all = (int)(sizeof fills / sizeof *fills);
    for (int i = 0; i < all + copies + 5; i++) {
        CUcontext context;
        CUgraph graph, child;
        CUgraphNode node;
        CUmodule module;
        CUDA_ARRAY_DESCRIPTOR description = { 64, 16, CU_AD_FORMAT_UNSIGNED_INT8, 1 };
        OK(cuCtxCreate(&context, NULL, 0, 0));
        OK(cuMemAlloc(&at[DEVICE], 1 << 16));
        OK(cuMemAlloc(&at[OTHER], 1 << 16));
        OK(cuMemAllocManaged(&at[MANAGED], 1 << 16, CU_MEM_ATTACH_GLOBAL));
        OK(cuMemAllocHost((void **)&at[PINNED], 1 << 16));
        OK(cuMemHostRegister(registered, sizeof registered, 0));
        OK(cuMemAllocAsync(&at[POOL], 1 << 16, NULL));
        OK(cuCtxSynchronize());
        OK(cuArrayCreate(&array, &description));
        OK(cuModuleLoadData(&module, code));
        OK(cuGraphCreate(&graph, 0));
        OK(cuGraphCreate(&child, 0));
        if (i < all) {
            CUDA_MEMSET_NODE_PARAMS fill = { .dst = at[fills[i].place], .elementSize = fills[i].element, .width = fills[i].width,
                .height = fills[i].height, .pitch = fills[i].pitch, .value = 7 };
            OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context));
            snprintf(what, sizeof what, "fill of %zux%zu words of %u, %zu apart, %s", fills[i].width, fills[i].height, fills[i].element,
                     fills[i].pitch, places[fills[i].place]);
            told(what, graph);
        } else if (i < all + copies) {
            int dst = (i - all) / PLACES, src = (i - all) % PLACES;
            CUDA_MEMCPY3D copy = { .WidthInBytes = 48, .Height = (size_t)(1 + i % 2 * 3), .Depth = 1 };
            side(&copy, 1, dst);
            side(&copy, 0, src);
            if (dst != src) {
                OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
                snprintf(what, sizeof what, "copy of %zu rows from %s to %s", copy.Height, places[src], places[dst]);
                told(what, graph);
            }
        } else {
            CUfunction f;
            CUDA_KERNEL_NODE_PARAMS kernel = { .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1 };
            OK(cuModuleGetFunction(&f, module, "nothing"));
            kernel.func = f;
            switch (i - all - copies) {
            case 0: told("nothing", graph); break;
            case 1:
                OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
                told("a kernel", graph);
                OK(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
                printf("set to %x\n", flags());
                told("a kernel again", graph);
                break;
            case 2:
                OK(cuGraphAddKernelNode(&node, child, NULL, 0, &kernel));
                OK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
                told("a kernel in a graph inside", graph);
                break;
            case 3:
                OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
                OK(cuCtxSynchronize());
                told("a launch without a graph", graph);
                break;
            default:
                OK(cuGraphAddEmptyNode(&node, graph, NULL, 0));
                told("an empty node", graph);
            }
        }
        OK(cuGraphDestroy(graph));
        OK(cuGraphDestroy(child));
        OK(cuMemFree(at[POOL]));
        OK(cuCtxDestroy(context));
        cuMemHostUnregister(registered);
    }
    return 0;
}
