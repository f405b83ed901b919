/* What can be asked about an address. */
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
#define HOST(p) ((void *)(uintptr_t)(p))
#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))
#define MB ((size_t)1 << 20)

static CUcontext start(void)
{
    CUcontext c = NULL;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c)) exit(1);
    return c;
}

static CUcontext context;

/* All attributes of an address, those that are addresses or identities by what they mean. */
static void tell(const char *what, CUdeviceptr p, CUdeviceptr base)
{
    printf("%s:", what);
    for (int a = 1; a <= 21; a++) {
        unsigned long long v[4] = { 0, 0, 0, 0 };
        CUresult r = cuPointerGetAttribute(v, (CUpointer_attribute)a, p);
        printf(" %d=", a);
        if (r) {
            printf("%s", r == CUDA_ERROR_INVALID_VALUE ? "-" : name(r));
            continue;
        }
        switch (a) {
        case CU_POINTER_ATTRIBUTE_CONTEXT: printf("%s", !v[0] ? "none" : HOST(v[0]) == (void *)context ? "current" : "other"); break;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: case CU_POINTER_ATTRIBUTE_HOST_POINTER: printf("%s", v[0] == p ? "same" : "other"); break;
        case CU_POINTER_ATTRIBUTE_BUFFER_ID: case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: printf("%s", v[0] ? "some" : "zero"); break;
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: printf("%s", v[0] == base ? "base" : "other"); break;
        case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: printf("%s", v[0] && v[0] <= p ? "before" : "other"); break;
        /* Depends on the machine. */
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: printf("*"); break;
        default: printf("%llu", v[0]);
        }
    }
    printf("\n");
}

static void several(const char *what, CUdeviceptr p)
{
    CUpointer_attribute asked[] = { CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
        CU_POINTER_ATTRIBUTE_HOST_POINTER, CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE, CU_POINTER_ATTRIBUTE_MAPPED };
    unsigned long long v[8];
    void *data[8];
    for (int i = 0; i < 8; i++) {
        v[i] = i == 6 ? 777 : 0;
        data[i] = &v[i];
    }
    CUresult r = cuPointerGetAttributes(8, asked, data, p);
    printf("%s: %s, context %s, type %u, device %s, host %s, managed %u, number %d, size %llu, mapped %u\n", what, name(r),
           !v[0] ? "none" : HOST(v[0]) == (void *)context ? "current" : "other", (unsigned)v[1], !v[2] ? "null" : v[2] == p ? "same" : "other",
           !v[3] ? "null" : v[3] == p ? "same" : "other", (unsigned)v[4], (int)v[5], v[6], (unsigned)v[7]);
}

static const char code[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 16 .b32 words[16];\n";

/* What asking for the tokens of other devices does to memory, alone and in a list. */
static void tokens(const char *what, CUdeviceptr p)
{
    unsigned before = 9, after = 9, listed = 9, unset = 9, again = 9, off = 0;
    unsigned char place[32], first[32], last[32];
    memset(first, 0xa5, sizeof first);
    memset(last, 0xa5, sizeof last);
    CUpointer_attribute asked[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_P2P_TOKENS, CU_POINTER_ATTRIBUTE_MAPPED };
    void *data[] = { first, place, last };
    CUresult b = cuPointerGetAttribute(&before, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    CUresult l = cuPointerGetAttributes(3, asked, data, p);
    cuPointerGetAttribute(&listed, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    CUresult t = cuPointerGetAttribute(place, CU_POINTER_ATTRIBUTE_P2P_TOKENS, p);
    cuPointerGetAttribute(&after, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    CUresult s = cuPointerSetAttribute(&off, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    cuPointerGetAttribute(&unset, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    cuPointerGetAttribute(place, CU_POINTER_ATTRIBUTE_P2P_TOKENS, p);
    cuPointerGetAttribute(&again, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    printf("%s: at first %s %u; a list %s, before it %s, behind it %s, then %u; tokens %s, then %u; off %s, then %u; tokens, then %u\n", what,
           name(b), before, name(l), first[0] == 0xa5 ? "untouched" : "written", last[0] == 0xa5 ? "untouched" : "written", listed, name(t),
           after, name(s), unset, again);
}

/* The address for the device, and the host's view of memory, with and without a current context. */
static void seen(const char *what, CUdeviceptr p)
{
    unsigned long long alone = 7, listed = 7;
    CUdeviceptr device = 7;
    unsigned flags = 0xa5;
    CUpointer_attribute asked = CU_POINTER_ATTRIBUTE_DEVICE_POINTER;
    void *data = &listed;
    CUresult a = cuPointerGetAttribute(&alone, asked, p), l = cuPointerGetAttributes(1, &asked, &data, p);
    CUresult d = cuMemHostGetDevicePointer(&device, HOST(p), 0), f = cuMemHostGetFlags(&flags, HOST(p));
    printf("%s: alone %s %s; listed %s %s; host %s %s; flags %s %x\n", what, name(a), alone == p ? "same" : alone ? "other" : "zero", name(l),
           listed == p ? "same" : listed ? "other" : "zero", name(d), !device ? "zero" : device == p ? "same" : device < p ? "before" : "other",
           name(f), flags);
}

static void rules(void)
{
    CUmemAllocationProp properties = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } } };
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUmemGenericAllocationHandle physical;
    CUdeviceptr device, neighbour, managed, pool, range, global;
    CUmodule module;
    CUcontext other;
    size_t size = 0;
    void *pinned;
    static char own[8192];
    unsigned long long rights = 7;
    unsigned on = 1;
    if (cuMemAlloc(&device, 1000) || cuMemAlloc(&neighbour, 1000) || cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL)
        || cuMemAllocAsync(&pool, 1000, NULL) || cuStreamSynchronize(NULL) || cuMemAllocHost(&pinned, 1000) || cuMemHostRegister(own, 8192, 1)
        || cuMemAddressReserve(&range, 8 * MB, 0, 0, 0) || cuMemCreate(&physical, 4 * MB, &properties, 0)
        || cuMemMap(range + 2 * MB, 4 * MB, 0, physical, 0) || cuModuleLoadData(&module, code) || cuModuleGetGlobal(&global, &size, module, "words"))
        exit(1);
    CUdeviceptr mapped = range + 3 * MB;
    printf("-- synchronous\n");
    struct { const char *what; CUdeviceptr p; } all[] = { { "device", device }, { "managed", managed }, { "pool", pool }, { "global", global },
        { "pinned", ADDRESS(pinned) }, { "registered", ADDRESS(own) }, { "mapped", mapped }, { "reserved", range }, { "pageable", ADDRESS(&size) } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tokens(all[i].what, all[i].p);
    printf("neighbour of device: ");
    tell("all", neighbour, neighbour);
    printf("-- virtual memory\n");
    seen("mapped without access", mapped);
    SHOW(cuMemSetAccess(range + 2 * MB, 4 * MB, &access, 1));
    tell("mapped", mapped, range);
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped));
    SHOW(cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped));
    CUmemLocation places[] = { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, { CU_MEM_LOCATION_TYPE_HOST, { 0 } }, { CU_MEM_LOCATION_TYPE_HOST_NUMA, { 0 } },
        { CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, { 0 } }, { CU_MEM_LOCATION_TYPE_DEVICE, { 99 } } };
    CUdeviceptr at[] = { mapped, 0, 0x1000, range };
    for (int place = 0; place < 5; place++)
        for (int i = 0; i < 4; i++) {
            rights = 7;
            CUresult r = cuMemGetAccess(&rights, &places[place], at[i]);
            printf("rights of %d at %d: %s %llu\n", place, i, name(r), rights);
        }
    printf("-- globals\n");
    tell("global", global, global);
    CUmodule mine;
    if (cuCtxCreate(&other, NULL, 0, 0) || cuModuleLoadData(&mine, code)) exit(1);
    seen("of another context", global);
    SHOW(cuCtxDestroy(other));
    printf("-- contexts\n");
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) seen(all[k].what, all[k].p);
        cuCtxSetCurrent(NULL);
    }
    SHOW(cuMemHostUnregister(own));
    SHOW(cuMemFreeHost(pinned));
    cuCtxSetCurrent(context);
    SHOW(cuMemUnmap(range + 2 * MB, 4 * MB));
    SHOW(cuMemRelease(physical));
    SHOW(cuMemAddressFree(range, 8 * MB));
    SHOW(cuModuleUnload(module));
    if (cuMemFree(device) || cuMemFree(neighbour) || cuMemFree(managed) || cuMemFree(pool)) exit(1);
}

int main(void)
{
    CUdeviceptr small = 0, large = 0, managed = 0, pool = 0, range = 0, freed = 0;
    void *pinned = NULL, *own = NULL;
    unsigned on = 1, off = 0, v = 9;
    unsigned long long first = 0, second = 0;
    context = start();
    if (cuMemAlloc(&small, 1000) || cuMemAlloc(&large, 5 * MB) || cuMemAllocManaged(&managed, 10000, CU_MEM_ATTACH_GLOBAL)
        || cuMemAllocAsync(&pool, 10000, NULL) || cuStreamSynchronize(NULL) || cuMemHostAlloc(&pinned, 10000, 0)
        || posix_memalign(&own, 4096, 16384) || cuMemAddressReserve(&range, 2 * MB, 0, 0, 0) || cuMemAlloc(&freed, 40 * MB)
        || cuMemFree(freed))
        return 1;
    struct { const char *what; CUdeviceptr p, base; } all[] = {
        { "small", small, small }, { "last byte of small", small + 999, small }, { "behind small", small + 1000, small },
        { "inside large", large + 3 * MB + 1, large }, { "managed", managed + 5, managed }, { "pool", pool + 5, pool },
        { "pinned", ADDRESS(pinned) + 77, ADDRESS(pinned) }, { "own", ADDRESS(own) + 10, ADDRESS(own) },
        { "reserved", range, range }, { "freed", freed, freed }, { "null", 0, 0 }, { "high", 0x800000000000ull, 0x800000000000ull } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tell(all[i].what, all[i].p, all[i].base);
        several(all[i].what, all[i].p);
    }
    SHOW(cuMemHostRegister((char *)own + 100, 8000, 0));
    tell("registered", ADDRESS(own) + 100, ADDRESS(own) + 100);
    several("registered", ADDRESS(own) + 8099);
    several("behind registered", ADDRESS(own) + 8100);
    SHOW(cuMemHostUnregister((char *)own + 100));
    printf("-- identities\n");
    cuPointerGetAttribute(&first, CU_POINTER_ATTRIBUTE_BUFFER_ID, small);
    cuPointerGetAttribute(&second, CU_POINTER_ATTRIBUTE_BUFFER_ID, small + 500);
    printf("the same within an allocation: %d\n", first == second);
    cuMemFree(small);
    if (cuMemAlloc(&small, 1000)) return 1;
    cuPointerGetAttribute(&second, CU_POINTER_ATTRIBUTE_BUFFER_ID, small);
    printf("another after freeing: %d\n", first != second);
    printf("-- setting\n");
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, small + 10));
    SHOW(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, small));
    printf("%u\n", v);
    SHOW(cuPointerSetAttribute(&off, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, small));
    SHOW(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, small));
    printf("%u\n", v);
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ADDRESS(pinned)));
    SHOW(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ADDRESS(pinned)));
    printf("%u\n", v);
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pool));
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ADDRESS(own)));
    SHOW(cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, small));
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, small));
    printf("-- wrong questions\n");
    CUpointer_attribute two[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUpointer_attribute)77 };
    void *data[] = { &v, &first };
    SHOW(cuPointerGetAttribute(&v, (CUpointer_attribute)0, small));
    SHOW(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, small));
    v = 9;
    SHOW(cuPointerGetAttributes(2, two, data, small));
    printf("%u\n", v);
    SHOW(cuPointerGetAttributes(0, two, data, small));
    SHOW(cuPointerGetAttributes(1, NULL, data, small));
    SHOW(cuPointerGetAttributes(1, two, NULL, small));
    SHOW(cuMemFree(small));
    SHOW(cuMemFree(large));
    SHOW(cuMemFree(managed));
    SHOW(cuMemFree(pool));
    SHOW(cuMemFreeHost(pinned));
    SHOW(cuMemAddressFree(range, 2 * MB));
    free(own);
    rules();
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
