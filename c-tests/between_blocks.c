/* What lies where blocks of memory were: arrays, the memory of streams, mapped arrays, allocations of graphs. As on an H200. */
#include "check.h"

#define MB (1ull << 20)

/* What an address is found in: the first address relative to it, and the size. */
static void found(const char *what, CUdeviceptr at)
{
    CUdeviceptr start = 0;
    size_t size = 0;
    CUpointer_attribute asked[] = { CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE };
    void *answers[] = { &start, &size };
    OK(cuPointerGetAttributes(2, asked, answers, at));
    if (size) printf("%s: %zu bytes from %lld on\n", what, size, (long long)(start - at));
    else printf("%s: nothing\n", what);
}

/* The address of a block that is gone, alone in its chunk; the chunk is the lowest free one. */
static CUdeviceptr hole(void)
{
    CUdeviceptr d = 0;
    OK(cuMemAlloc(&d, 100));
    OK(cuMemFree(d));
    return d;
}

static CUarray array(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR a = { width, height, depth, format, channels, flags };
    CUarray made = NULL;
    OK(cuArray3DCreate(&made, &a));
    return made;
}

static void arrays(void)
{
    CUdeviceptr at = hole();
    found("before", at);
    CUarray a = array(16, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0);
    found("16x8 of 4 bytes", at);
    CUarray b = array(16, 8, 0, CU_AD_FORMAT_HALF, 1, 0);
    found("of 2 bytes, behind it", at + 512);
    CUarray c = array(64, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    found("of 4 bytes in one row, behind it", at + 512);
    CUarray e = array(16, 4, 3, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_LAYERED);
    found("layers of 4 bytes, behind that", at + 512 + 2048);
    CUarray f = array(16, 16, 4, CU_AD_FORMAT_SIGNED_INT16, 2, 0);
    found("deep, of 4 bytes, behind that", at + 512 + 2048 + 1536);
    CUarray all[] = { a, b, c, e, f };
    for (int i = 0; i < 5; i++) OK(cuArrayDestroy(all[i]));
    found("after", at);
}

static void mapped(void)
{
    CUdeviceptr at = hole();
    CUarray a = array(64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
    found("deferred", at);
    CUarray b = array(64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
    found("another, behind it", at + 65536);
    OK(cuArrayDestroy(b));
    OK(cuArrayDestroy(a));
    found("after", at);
}

static void streams(void)
{
    CUstream s[3];
    CUdeviceptr at = hole(), d = 0;
    OK(cuStreamCreate(&s[0], CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&d, 100));
    printf("one stream: the same address %d\n", d == at);
    OK(cuMemFree(d));
    OK(cuStreamCreate(&s[1], CU_STREAM_DEFAULT));
    found("two streams", at);
    OK(cuMemAlloc(&d, 100));
    printf("two streams: the same address %d\n", d == at);
    OK(cuMemFree(d));
    at = d;
    OK(cuStreamCreate(&s[2], CU_STREAM_DEFAULT));
    OK(cuMemAlloc(&d, 100));
    printf("three streams: the same address %d\n", d == at);
    OK(cuMemFree(d));
    for (int i = 0; i < 3; i++) OK(cuStreamDestroy(s[i]));
}

static void graphs(void)
{
    CUdeviceptr at = hole(), d = 0;
    CUgraph graph;
    CUgraphNode node;
    CUDA_MEM_ALLOC_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = 1000;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    printf("memory of a graph: there %d, far %d\n", p.dptr == at, p.dptr > at + 1024 * MB || p.dptr < at - 1024 * MB);
    OK(cuMemAlloc(&d, 100));
    printf("then: the same address %d\n", d == at);
    OK(cuMemFree(d));
    OK(cuGraphDestroy(graph));
}

int main(void)
{
    begin();
    printf("-- arrays\n");
    arrays();
    printf("-- mapped arrays\n");
    mapped();
    printf("-- streams\n");
    streams();
    printf("-- graphs\n");
    graphs();
    return 0;
}
