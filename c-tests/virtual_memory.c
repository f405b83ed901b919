/* Virtual memory: reserved addresses, physical memory, mapping, access, and what a program can get wrong with them. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

#define MB ((size_t)1 << 20)

static CUmemAllocationProp on_device(void)
{
    CUmemAllocationProp p;
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    return p;
}
static CUmemGenericAllocationHandle make(size_t size)
{
    CUmemAllocationProp p = on_device();
    CUmemGenericAllocationHandle h = 0;
    CUresult r = cuMemCreate(&h, size, &p, 0);
    if (r) printf("create: %s\n", name(r));
    return h;
}
static CUresult grant(CUdeviceptr at, size_t size, int flags)
{
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    d.flags = (CUmemAccess_flags)flags;
    return cuMemSetAccess(at, size, &d, 1);
}
static void byte_at(const char *what, CUdeviceptr at)
{
    unsigned char v = 0;
    CUresult r = cuMemcpyDtoH(&v, at, 1);
    if (r) printf("%s: %s\n", what, name(r));
    else printf("%s: %d\n", what, v);
}

static void one_mapping(void)
{
    CUdeviceptr a = 0, base = 0;
    size_t size = 0;
    CUmemGenericAllocationHandle h = make(4 * MB);
    printf("-- one mapping\n");
    SHOW(cuMemAddressReserve(&a, 8 * MB, 0, 0, 0));
    SHOW(cuMemsetD8(a, 1, 16));
    SHOW(cuMemMap(a, 2 * MB, 0, h, 0));
    SHOW(cuMemMap(a, 4 * MB, 2 * MB, h, 0));
    SHOW(cuMemMap(a, 4 * MB, 0, h, 1));
    SHOW(cuMemMap(a, 4 * MB, 0, 0, 0));
    SHOW(cuMemMap(a, 4 * MB, 0, h, 0));
    SHOW(cuMemMap(a, 4 * MB, 0, h, 0));
    SHOW(cuMemsetD8(a, 1, 16));
    SHOW(grant(a, 2 * MB, 3));
    SHOW(grant(a, 4 * MB, 2));
    SHOW(grant(a, 4 * MB, 3));
    SHOW(cuMemsetD8(a, 0x5a, 4 * MB));
    byte_at("first", a);
    byte_at("last", a + 4 * MB - 1);
    byte_at("past the end", a + 4 * MB);
    SHOW(cuMemGetAddressRange(&base, &size, a + 5));
    printf("range: %d %zu\n", base == a, size);
    SHOW(cuMemAddressFree(a, 8 * MB));
    SHOW(cuMemUnmap(a, 4 * MB));
    SHOW(cuMemUnmap(a, 4 * MB));
    SHOW(cuMemsetD8(a, 1, 16));
    SHOW(cuMemAddressFree(a, 4 * MB));
    SHOW(cuMemAddressFree(a, 8 * MB));
    SHOW(cuMemAddressFree(a, 8 * MB));
    SHOW(cuMemRelease(h));
    SHOW(cuMemRelease(0));
}

/* The same memory at two addresses shows the same bytes; it lives as long as a handle or a mapping does. */
static void aliases(void)
{
    CUdeviceptr a = 0, b = 0;
    CUmemGenericAllocationHandle h = make(2 * MB), k = 0;
    printf("-- aliases\n");
    cuMemAddressReserve(&a, 2 * MB, 0, 0, 0);
    cuMemAddressReserve(&b, 2 * MB, 0, 0, 0);
    SHOW(cuMemMap(a, 2 * MB, 0, h, 0));
    SHOW(cuMemMap(b, 2 * MB, 0, h, 0));
    grant(a, 2 * MB, 3);
    grant(b, 2 * MB, 1);
    cuMemsetD8(a, 77, 2 * MB);
    cuCtxSynchronize();
    byte_at("seen at the other address", b + 12345);
    SHOW(cuMemcpyDtoD(b, a, 16));
    SHOW(cuMemUnmap(a, 2 * MB));
    byte_at("after unmapping the first", b + 1);
    SHOW(cuMemRetainAllocationHandle(&k, (void *)(uintptr_t)(b + 4711)));
    printf("same handle: %d\n", k == h);
    SHOW(cuMemRelease(k));
    SHOW(cuMemRelease(h));
    byte_at("after releasing", b + 2);
    SHOW(cuMemUnmap(b, 2 * MB));
    cuMemAddressFree(a, 2 * MB);
    cuMemAddressFree(b, 2 * MB);
}

/* Several pieces side by side are one range for a copy. */
static void side_by_side(void)
{
    enum { PIECES = 3 };
    CUmemGenericAllocationHandle h[PIECES];
    CUdeviceptr a = 0, plain = 0;
    size_t n = PIECES * 2 * MB;
    unsigned char *src = malloc(n), *dst = calloc(n, 1);
    printf("-- side by side\n");
    for (size_t i = 0; i < n; i++) src[i] = (unsigned char)(i * 31 + (i >> 12));
    cuMemAddressReserve(&a, n, 0, 0, 0);
    for (int i = 0; i < PIECES; i++) cuMemMap(a + i * 2 * MB, 2 * MB, 0, h[i] = make(2 * MB), 0);
    SHOW(grant(a, n, 3));
    SHOW(cuMemcpyHtoD(a, src, n));
    cuMemAlloc(&plain, n);
    SHOW(cuMemcpyDtoD(plain, a, n));
    SHOW(cuMemcpyDtoH(dst, plain, n));
    printf("equal: %d\n", !memcmp(src, dst, n));
    SHOW(cuMemsetD32(a + 2 * MB - 8, 0, 4));
    /* Unmapping does not wait for the fill. */
    if (cuCtxSynchronize()) exit(1);
    SHOW(cuMemUnmap(a, n));
    /* In another order: each piece kept its bytes. */
    for (int i = 0; i < PIECES; i++) cuMemMap(a + i * 2 * MB, 2 * MB, 0, h[PIECES - 1 - i], 0);
    grant(a, n, 1);
    SHOW(cuMemcpyDtoH(dst, a, n));
    printf("moved: %d\n", !memcmp(src, dst + 4 * MB, 2 * MB - 8) && !memcmp(src + 4 * MB, dst, 2 * MB));
    cuMemUnmap(a, n);
    for (int i = 0; i < PIECES; i++) cuMemRelease(h[i]);
    cuMemAddressFree(a, n);
    cuMemFree(plain);
    free(src);
    free(dst);
}

static void access(void)
{
    CUdeviceptr a = 0, plain = 0;
    CUmemGenericAllocationHandle h = make(2 * MB);
    CUmemLocation here, nobody;
    unsigned long long f = 99;
    unsigned char host[16] = { 0 };
    memset(&here, 0, sizeof here);
    here.type = CU_MEM_LOCATION_TYPE_DEVICE;
    nobody = here;
    nobody.id = 77;
    printf("-- access\n");
    cuMemAddressReserve(&a, 2 * MB, 0, 0, 0);
    SHOW(cuMemGetAccess(&f, &here, a));
    cuMemMap(a, 2 * MB, 0, h, 0);
    SHOW(cuMemGetAccess(&f, &here, a));
    printf("flags %llu\n", f);
    SHOW(cuMemcpyHtoD(a, host, 16));
    SHOW(cuMemcpyDtoH(host, a, 16));
    grant(a, 2 * MB, 3);
    SHOW(cuMemGetAccess(&f, &here, a + 1000));
    printf("flags %llu\n", f);
    cuMemsetD8(a, 41, 2 * MB);
    SHOW(grant(a, 2 * MB, 0));
    SHOW(cuMemsetD8(a, 42, 16));
    SHOW(grant(a, 2 * MB, 3));
    byte_at("kept", a + 9);
    SHOW(cuMemGetAccess(&f, &nobody, a));
    cuMemAlloc(&plain, 4096);
    SHOW(cuMemGetAccess(&f, &here, plain));
    printf("flags %llu\n", f);
    SHOW(grant(plain, 2 * MB, 1));
    cuMemFree(plain);
    cuMemUnmap(a, 2 * MB);
    cuMemRelease(h);
    cuMemAddressFree(a, 2 * MB);
}

static void sizes(void)
{
    CUmemAllocationProp p = on_device(), q;
    CUmemGenericAllocationHandle h = 0;
    CUdeviceptr a = 0, b = 0;
    size_t g = 0;
    printf("-- sizes\n");
    SHOW(cuMemGetAllocationGranularity(&g, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    printf("granularity %zu\n", g);
    SHOW(cuMemCreate(&h, 0, &p, 0));
    SHOW(cuMemCreate(&h, 4096, &p, 0));
    SHOW(cuMemCreate(&h, (size_t)1 << 50, &p, 0));
    SHOW(cuMemCreate(&h, 2 * MB, NULL, 0));
    p.location.id = 99;
    SHOW(cuMemCreate(&h, 2 * MB, &p, 0));
    p = on_device();
    p.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    SHOW(cuMemCreate(&h, 2 * MB, &p, 0));
    h = make(2 * MB);
    SHOW(cuMemGetAllocationPropertiesFromHandle(&q, h));
    printf("type %d, handles %d, location %d:%d\n", q.type, q.requestedHandleTypes, q.location.type, q.location.id);
    SHOW(cuMemRelease(h));
    SHOW(cuMemAddressReserve(&a, 4096, 0, 0, 0));
    SHOW(cuMemAddressReserve(&a, 4 * MB, 0, 0, 1));
    SHOW(cuMemAddressReserve(&a, 4 * MB, (size_t)1 << 30, 0, 0));
    printf("aligned %d\n", a % ((size_t)1 << 30) == 0);
    SHOW(cuMemAddressReserve(&b, 4 * MB, 0, a, 0));
    printf("elsewhere %d\n", a != b);
    SHOW(cuMemAddressFree(a, 4 * MB));
    SHOW(cuMemAddressFree(b, 4 * MB));
    /* Far more than there is memory, in the terabytes: addresses are not memory. */
    SHOW(cuMemAddressReserve(&a, (size_t)1 << 33, 0, 0, 0));
    SHOW(cuMemAddressFree(a, (size_t)1 << 33));
    SHOW(cuMemAddressReserve(&a, (size_t)1 << 48, 0, 0, 0));
}

/* What is told of wishes that do not go together. */
static void wishes(void)
{
    static const struct { int type, handles, place, id, rdma, packed, usage; } t[] = {
        { 1, 0, 1, 0, 0, 0, 1 }, { 1, 1, 1, 0, 0, 0, 1 }, { 1, 16, 1, 0, 0, 0, 1 }, { 1, 0, 1, 0, 1, 0, 1 }, { 1, 0, 1, 0, 0, 1, 1 }, { 1, 0, 1, 0, 0, 1, 2 }, { 1, 0, 1, 0, 0, 0, 2 }, { 1, 0, 1, 0, 0, 1, 4 }, { 1, 0, 2, 0, 0, 0, 0 },
        { 1, 1, 2, 0, 0, 0, 0 }, { 1, 16, 2, 0, 0, 0, 0 }, { 1, 0, 2, 0, 1, 0, 0 }, { 1, 1, 3, 0, 0, 0, 0 }, { 1, 1, 3, 0, 1, 0, 0 }, { 1, 1, 3, 0, 0, 0, 1 }, { 1, 2, 1, 4, 0, 0, 0 }, { 1, 2, 1, 0, 0, 0, 0 }, { 0, 0, 1, -1, 0, 0, 0 }, { 1, 0, 4, 0, 0, 0, 0 },
    };
    printf("-- wishes\n");
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CUmemAllocationProp p;
        CUmemGenericAllocationHandle h = 0;
        memset(&p, 0, sizeof p);
        p.type = (CUmemAllocationType)t[i].type, p.requestedHandleTypes = (CUmemAllocationHandleType)t[i].handles, p.location.type = (CUmemLocationType)t[i].place, p.location.id = t[i].id;
        p.allocFlags.gpuDirectRDMACapable = (unsigned char)t[i].rdma, p.allocFlags.compressionType = (unsigned char)t[i].packed, p.allocFlags.usage = (unsigned short)t[i].usage;
        CUresult r = cuMemCreate(&h, 2 * MB, &p, 0);
        printf("type %d, handles %d, at %d:%d, rdma %d, compression %d, usage %d: %s\n", t[i].type, t[i].handles, t[i].place, t[i].id, t[i].rdma, t[i].packed, t[i].usage, name(r));
        if (!r) cuMemRelease(h);
    }
}

static CUresult grant_to(CUdeviceptr at, int place, int flags)
{
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location.type = (CUmemLocationType)place, d.flags = (CUmemAccess_flags)flags;
    return cuMemSetAccess(at, 4 * MB, &d, 1);
}

static void corners(void)
{
    CUdeviceptr a = 0;
    CUmemAllocationProp p = on_device();
    CUmemGenericAllocationHandle h = make(4 * MB), tiles = 0;
    printf("-- corners\n");
    p.allocFlags.usage = CU_MEM_CREATE_USAGE_TILE_POOL;
    SHOW(cuMemCreate(&tiles, 4 * MB, &p, 0));
    SHOW(cuMemAddressReserve(&a, 16 * MB, 0, 0, 0));
    SHOW(cuMemMap(a, 4 * MB, 0, tiles, 0));
    SHOW(cuMemMap(a, 2 * MB, 0, tiles, 0));
    SHOW(cuMemMap(a, 4 * MB, 1, tiles, 0));
    /* Nothing is mapped: any range that begins here will do. */
    SHOW(cuMemUnmap(a, 1));
    SHOW(cuMemUnmap(a + 4096, 2 * MB));
    SHOW(cuMemUnmap(a + 1, 64 * MB));
    SHOW(cuMemUnmap(a, 0));
    SHOW(cuMemUnmap(0, 2 * MB));
    SHOW(cuMemUnmap(a - 1, 2));
    SHOW(cuMemMap(a + 4 * MB, 4 * MB, 0, h, 0));
    SHOW(cuMemUnmap(a + 4 * MB, 1));
    SHOW(cuMemUnmap(a + 1, 4 * MB));
    SHOW(cuMemUnmap(a + 1, 8 * MB - 2));
    for (int place = 1; place <= 5; place++)
        for (int f = 0; f <= 3; f++) {
            unsigned long long told = 77;
            CUmemLocation l;
            memset(&l, 0, sizeof l);
            l.type = (CUmemLocationType)place;
            CUresult r = grant_to(a + 4 * MB, place, f), q = cuMemGetAccess(&told, &l, a + 4 * MB);
            printf("%d for %d: %s, told %s %llu\n", f, place, name(r), name(q), told);
        }
    unsigned long long told = 77;
    CUmemLocation nowhere, device;
    memset(&nowhere, 0, sizeof nowhere), memset(&device, 0, sizeof device);
    device.type = CU_MEM_LOCATION_TYPE_DEVICE;
    SHOW(cuMemGetAccess(&told, &nowhere, 0));
    SHOW(cuMemGetAccess(&told, &device, 0));
    printf("told %llu\n", told);
    SHOW(cuMemGetAccess(&told, &device, 4096));
    printf("told %llu\n", told);
    SHOW(cuMemUnmap(a + 1, 8 * MB));
    SHOW(cuMemAddressFree(a, 16 * MB));
    SHOW(cuMemRelease(h));
    SHOW(cuMemRelease(tiles));
}

int main(void)
{
    CUcontext c = NULL;
    CUdevice d = 0;
    SHOW(cuInit(0));
    SHOW(cuDeviceGet(&d, 0));
    SHOW(cuDevicePrimaryCtxRetain(&c, d));
    SHOW(cuCtxSetCurrent(c));
    one_mapping();
    aliases();
    side_by_side();
    access();
    sizes();
    wishes();
    corners();
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxRelease(d));
    return 0;
}
