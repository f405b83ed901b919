/* Batches of compressed blocks. A device without an engine for that says so; then this is skipped. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

/* "abcd" 16 times: a raw DEFLATE stream, Snappy elements, an LZ4 block. */
static const unsigned char deflate[] = { 0x4b, 0x4c, 0x4a, 0x4e, 0x49, 0xa4, 0x00, 0x03, 0x00 };
static const unsigned char snappy[] = { 0x0c, 'a', 'b', 'c', 'd', 0xee, 0x04, 0x00 };
static const unsigned char lz4[] = { 0x4f, 'a', 'b', 'c', 'd', 0x04, 0x00, 0x24, 0x50, 'd', 'a', 'b', 'c', 'd' };
static const struct { const unsigned char *bytes; size_t n; CUmemDecompressAlgorithm algo; } blocks[] = {
    { deflate, sizeof deflate, CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE },
    { snappy, sizeof snappy, CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY },
    { lz4, sizeof lz4, CU_MEM_DECOMPRESS_ALGORITHM_LZ4 },
};

enum { COUNT = 300, ROOM = 256 };
static CUdeviceptr src, dst, act;
static CUmemDecompressParams params[COUNT];

static void prepare(void)
{
    cuMemsetD8(dst, 0xee, COUNT * ROOM);
    cuMemsetD8(act, 0, COUNT * 4);
    for (int i = 0; i < COUNT; i++) {
        CUmemDecompressParams *p = &params[i];
        memset(p, 0, sizeof *p);
        cuMemcpyHtoD(src + (size_t)i * ROOM, blocks[i % 3].bytes, blocks[i % 3].n);
        p->srcNumBytes = blocks[i % 3].n, p->dstNumBytes = i % 2 ? 64 : 0;
        p->src = (void *)(src + (size_t)i * ROOM), p->dst = (void *)(dst + (size_t)i * ROOM);
        p->dstActBytes = (cuuint32_t *)(act + (size_t)i * 4), p->algo = blocks[i % 3].algo;
    }
    cuCtxSynchronize();
}

static void check(void)
{
    static unsigned char out[COUNT * ROOM];
    unsigned n[COUNT];
    int wrong = 0, outside = 0, counts = 0;
    cuMemcpyDtoH(out, dst, sizeof out);
    cuMemcpyDtoH(n, act, sizeof n);
    for (int i = 0; i < COUNT; i++) {
        counts += n[i] == 64;
        for (int k = 0; k < ROOM; k++) {
            if (k < 64) wrong += out[i * ROOM + k] != "abcd"[k % 4];
            else outside += out[i * ROOM + k] != 0xee;
        }
    }
    printf("whole blocks %d of %d, wrong bytes %d, bytes outside %d\n", counts, COUNT, wrong, outside);
}

static void refuse(const char *what, size_t count, unsigned flags, CUstream s)
{
    size_t index = 77;
    CUresult r = cuMemBatchDecompressAsync(params, count, flags, &index, s);
    printf("%s: %s", what, name(r));
    if (index == (size_t)-1) printf(", nobody in particular\n");
    else printf(", entry %zu\n", index);
    prepare();
}

/* One block in memory that was made for decompression, or was not. */
static void elsewhere(const char *what, CUdeviceptr at, CUstream s)
{
    CUmemDecompressParams p;
    unsigned char out[64];
    size_t index = 77;
    int wrong = 0, capable = -1;
    memset(&p, 0, sizeof p);
    memset(out, 0, sizeof out);
    cuMemcpyHtoD(at, blocks[2].bytes, blocks[2].n);
    cuCtxSynchronize();
    p.srcNumBytes = blocks[2].n, p.dstNumBytes = 64, p.algo = blocks[2].algo;
    p.src = (void *)at, p.dst = (void *)(at + 256), p.dstActBytes = (cuuint32_t *)(at + 512);
    CUresult r = cuMemBatchDecompressAsync(&p, 1, 0, &index, s);
    cuStreamSynchronize(s);
    cuMemcpyDtoH(out, at + 256, 64);
    for (int k = 0; k < 64; k++) wrong += out[k] != "abcd"[k % 4];
    cuPointerGetAttribute(&capable, CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, at);
    printf("%s: %s, capable %d, %s\n", what, name(r), capable & 255, r ? "nothing written" : wrong ? "wrong" : "right");
}

static void made_for_it(CUstream s)
{
    static const char *const names[2][2] = { { "physical memory", "physical memory for it" }, { "pool memory", "pool memory for it" } };
    for (int usage = 0; usage < 2; usage++) {
        CUmemAllocationProp prop;
        CUmemGenericAllocationHandle handle;
        CUdeviceptr at;
        memset(&prop, 0, sizeof prop);
        prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        prop.allocFlags.usage = usage ? CU_MEM_CREATE_USAGE_HW_DECOMPRESS : 0;
        CUmemAccessDesc access = { .location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
        if (cuMemCreate(&handle, 2 << 20, &prop, 0) || cuMemAddressReserve(&at, 2 << 20, 0, 0, 0) || cuMemMap(at, 2 << 20, 0, handle, 0) ||
            cuMemSetAccess(at, 2 << 20, &access, 1))
            exit(1);
        elsewhere(names[0][usage], at, s);
        if (cuMemUnmap(at, 2 << 20) || cuMemRelease(handle) || cuMemAddressFree(at, 2 << 20)) exit(1);
        CUmemPoolProps props;
        CUmemoryPool pool;
        memset(&props, 0, sizeof props);
        props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = prop.location;
        props.usage = usage ? CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS : 0;
        if (cuMemPoolCreate(&pool, &props) || cuMemAllocFromPoolAsync(&at, 4096, pool, s) || cuStreamSynchronize(s)) exit(1);
        elsewhere(names[1][usage], at, s);
        if (cuMemFreeAsync(at, s) || cuMemPoolDestroy(pool)) exit(1);
    }
}

int main(void)
{
    CUcontext c;
    CUstream s;
    int mask = 0, most = 0;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c)) return 1;
    cuDeviceGetAttribute(&mask, CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, 0);
    cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH, 0);
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    if (!mask) {
        size_t index = 77;
        if (cuMemBatchDecompressAsync(params, 1, 0, &index, s) != CUDA_ERROR_NOT_SUPPORTED || index != 77) return 1;
        printf("skipped: the device has no decompression engine\n");
        return 77;
    }
    printf("algorithms %d, at most %d bytes\n", mask, most);
    cuMemAlloc(&src, COUNT * ROOM);
    cuMemAlloc(&dst, COUNT * ROOM);
    cuMemAlloc(&act, COUNT * 4);
    prepare();
    printf("a batch: %s\n", name(cuMemBatchDecompressAsync(params, COUNT, 0, NULL, s)));
    printf("synchronize: %s\n", name(cuStreamSynchronize(s)));
    check();
    made_for_it(s);
    printf("nothing: %s\n", name(cuMemBatchDecompressAsync(NULL, 0, 0, NULL, s)));
    prepare();
    refuse("flags", 2, 1, s);
    params[1].src = NULL;
    refuse("no source", 3, 0, s);
    params[2].dst = NULL;
    refuse("no destination", 3, 0, s);
    params[0].dstActBytes = NULL;
    refuse("no count", 3, 0, s);
    params[2].algo = (CUmemDecompressAlgorithm)3;
    refuse("two algorithms", 3, 0, s);
    params[1].padding[19] = 1;
    refuse("padding", 3, 0, s);
    params[1].srcNumBytes = 0;
    refuse("empty", 3, 0, s);
    params[2].srcNumBytes = (size_t)most + 1;
    refuse("too long", 3, 0, s);
    params[1].src = blocks[1].bytes;
    refuse("memory of the host", 3, 0, s);
    params[COUNT - 1].srcNumBytes = ROOM + 1;
    refuse("past the end", COUNT, 0, s);
    printf("no work was done: %s\n", name(cuStreamSynchronize(s)));
    /* A damaged block: the context hears of it. */
    cuMemsetD8((CUdeviceptr)params[4].src, 0xff, 8);
    cuCtxSynchronize();
    printf("a damaged block: %s\n", name(cuMemBatchDecompressAsync(params, 6, 0, NULL, s)));
    CUresult r = cuStreamSynchronize(s);
    printf("synchronize: %s\n", name(r));
    return 0;
}
