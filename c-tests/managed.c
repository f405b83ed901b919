/* Managed memory: one address for host and device, attachment, advice, prefetches and what can be asked about them. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

#define MB ((size_t)1 << 20)
#define HOST(p) ((unsigned char *)(uintptr_t)(p))

static CUmemLocation at(int type, int id)
{
    CUmemLocation l;
    memset(&l, 0, sizeof l);
    l.type = (CUmemLocationType)type;
    l.id = id;
    return l;
}

/* Everything that can be asked about a range, in one line. */
static void tell(const char *what, CUdeviceptr p, size_t n)
{
    int value[9][2] = { { 0 } };
    void *data[8];
    size_t sizes[8];
    CUmem_range_attribute attributes[8];
    for (int i = 0; i < 8; i++) {
        data[i] = value[i];
        sizes[i] = i == 2 ? 8 : 4;
        attributes[i] = (CUmem_range_attribute)(i + 1);
    }
    CUresult r = cuMemRangeGetAttributes(data, sizes, attributes, 8, p, n);
    if (r) {
        printf("%s: %s\n", what, name(r));
        return;
    }
    printf("%s: read mostly %d, preferred %d (%d:%d), used by %d %d, sent to %d (%d:%d)\n", what, value[0][0], value[1][0],
           value[4][0], value[5][0], value[2][0], value[2][1], value[3][0], value[6][0], value[7][0]);
}

static void shared(void)
{
    CUdeviceptr p = 0, q = 0;
    unsigned char back[16];
    printf("-- shared\n");
    SHOW(cuMemAllocManaged(&p, 0, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_SINGLE));
    SHOW(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    memset(HOST(p), 7, 4096);
    cuMemAlloc(&q, 4096);
    SHOW(cuMemcpyDtoD(q, p, 4096));
    SHOW(cuMemcpyDtoH(back, q + 4000, 16));
    printf("host to device: %d\n", back[15]);
    SHOW(cuMemsetD8(p, 9, 100));
    SHOW(cuCtxSynchronize());
    printf("device to host: %d %d\n", HOST(p)[99], HOST(p)[100]);
    SHOW(cuMemFree(q));
    SHOW(cuMemFree(p));
}

static void attach(void)
{
    CUdeviceptr p = 0;
    CUstream s = NULL;
    printf("-- attach\n");
    cuMemAllocManaged(&p, 8192, CU_MEM_ATTACH_HOST);
    cuStreamCreate(&s, 0);
    SHOW(cuStreamAttachMemAsync(s, p, 0, CU_MEM_ATTACH_SINGLE));
    SHOW(cuStreamAttachMemAsync(s, p, 8192, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuStreamAttachMemAsync(s, p, 4096, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuStreamAttachMemAsync(s, p + 4096, 0, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuStreamAttachMemAsync(NULL, p, 0, CU_MEM_ATTACH_SINGLE));
    SHOW(cuStreamAttachMemAsync(s, p, 0, 3));
    SHOW(cuStreamSynchronize(s));
    cuStreamDestroy(s);
    cuMemFree(p);
}

static void advise(void)
{
    CUdeviceptr p = 0;
    printf("-- advise\n");
    cuMemAllocManaged(&p, 4 * MB, CU_MEM_ATTACH_GLOBAL);
    tell("at first", p, 4 * MB);
    SHOW(cuMemAdvise(p, 2 * MB, CU_MEM_ADVISE_SET_READ_MOSTLY, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_SET_ACCESSED_BY, at(CU_MEM_LOCATION_TYPE_HOST, 0)));
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    tell("first half", p, 2 * MB);
    tell("all", p, 4 * MB);
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_HOST, 0)));
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_UNSET_ACCESSED_BY, at(CU_MEM_LOCATION_TYPE_HOST, 0)));
    tell("all", p, 4 * MB);
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_UNSET_READ_MOSTLY, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    tell("all", p, 4 * MB);
    SHOW(cuMemAdvise(p + 100, 10, CU_MEM_ADVISE_SET_READ_MOSTLY, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    tell("its page", p, 4096);
    tell("the next page", p + 4096, 4096);
    SHOW(cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_SET_ACCESSED_BY, at(CU_MEM_LOCATION_TYPE_DEVICE, 99)));
    SHOW(cuMemAdvise(p, 4 * MB, (CUmem_advise)7, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    SHOW(cuMemAdvise(p, 64 * MB, CU_MEM_ADVISE_SET_READ_MOSTLY, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    cuMemFree(p);
    tell("freed", p, 4096);
}

/* Small blocks share pages, and what is said of a page; freeing one takes it from all of them. */
static void neighbours(void)
{
    CUdeviceptr a = 0, b = 0, c = 0;
    printf("-- neighbours\n");
    cuMemAllocManaged(&a, 512, CU_MEM_ATTACH_GLOBAL);
    cuMemAllocManaged(&b, 512, CU_MEM_ATTACH_GLOBAL);
    cuMemAllocManaged(&c, 40000, CU_MEM_ATTACH_GLOBAL);
    if (a / 4096 != c / 4096) printf("elsewhere\n");
    cuMemAdvise(a, 512, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_HOST, 0));
    cuMemPrefetchAsync(a, 512, at(CU_MEM_LOCATION_TYPE_DEVICE, 0), 0, NULL);
    cuCtxSynchronize();
    tell("beside it", b, 512);
    tell("on the same page", c, 16);
    tell("on more pages", c, 40000);
    cuMemAdvise(c, 40000, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_HOST, 0));
    cuMemFree(b);
    tell("one freed", a, 512);
    tell("its neighbour", c, 16);
    tell("the next page", c + 4096, 16);
    cuMemFree(a);
    cuMemFree(c);
}

/* Which advice is looked at at all: a NUMA node makes it true without a look at the range. */
static void advice_for_nodes(void)
{
    static const struct { int type, id; } place[] = { { 0, 0 }, { 1, 0 }, { 1, 77 }, { 2, 3 }, { 3, 0 }, { 3, 1234 }, { 4, 0 }, { 5, 0 } };
    CUdeviceptr p = 0, device = 0;
    printf("-- advice for nodes\n");
    cuMemAllocManaged(&p, 4 * MB, CU_MEM_ATTACH_GLOBAL);
    cuMemAlloc(&device, 4096);
    for (int advice = 0; advice <= 7; advice++)
        for (int i = 0; i < 4; i++) {
            printf("advice %d for %s:", advice, i == 0 ? "managed memory" : i == 1 ? "no bytes" : i == 2 ? "device memory" : "NULL");
            for (size_t l = 0; l < sizeof place / sizeof *place; l++)
                printf(" %d", cuMemAdvise(i < 2 ? p : i == 2 ? device : 0, i == 1 ? 0 : 4096, (CUmem_advise)advice, at(place[l].type, place[l].id)));
            putchar('\n');
        }
    SHOW(cuMemPrefetchAsync(p, 0, at(CU_MEM_LOCATION_TYPE_DEVICE, 77), 0, NULL));
    SHOW(cuMemPrefetchAsync(0, 4096, at(CU_MEM_LOCATION_TYPE_DEVICE, 77), 0, NULL));
    SHOW(cuMemPrefetchAsync(device, 4096, at(CU_MEM_LOCATION_TYPE_DEVICE, 77), 0, NULL));
    cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_DEVICE, 0));
    cuMemAdvise(p, 4 * MB, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0));
    tell("not unset", p, 4 * MB);
    CUcontext here = NULL;
    cuCtxPopCurrent(&here);
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0)));
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, at(0, 0)));
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, at(CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    SHOW(cuMemPrefetchAsync(p, 0, at(9, 0), 0, NULL));
    SHOW(cuMemPrefetchAsync(p, 4096, at(CU_MEM_LOCATION_TYPE_DEVICE, 0), 1, NULL));
    SHOW(cuMemPrefetchAsync(p, 0, at(CU_MEM_LOCATION_TYPE_DEVICE, 77), 0, NULL));
    cuCtxPushCurrent(here);
    cuMemFree(device);
    cuMemFree(p);
}

static void prefetch(void)
{
    CUdeviceptr p = 0, parts[2];
    CUstream s = NULL;
    size_t sizes[2] = { 2 * MB, 2 * MB }, indices[2] = { 0, 1 };
    CUmemLocation places[2] = { at(CU_MEM_LOCATION_TYPE_DEVICE, 0), at(CU_MEM_LOCATION_TYPE_HOST, 0) };
    printf("-- prefetch\n");
    cuMemAllocManaged(&p, 4 * MB, CU_MEM_ATTACH_GLOBAL);
    memset(HOST(p), 3, 4 * MB);
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    SHOW(cuMemPrefetchAsync(p, 2 * MB, places[0], 0, s));
    SHOW(cuStreamSynchronize(s));
    tell("first half", p, 2 * MB);
    tell("all", p, 4 * MB);
    SHOW(cuMemPrefetchAsync(p, 4 * MB, places[1], 0, s));
    SHOW(cuStreamSynchronize(s));
    tell("all", p, 4 * MB);
    printf("bytes: %d %d\n", HOST(p)[0], HOST(p)[4 * MB - 1]);
    SHOW(cuMemPrefetchAsync(p, 4 * MB, at(CU_MEM_LOCATION_TYPE_DEVICE, 99), 0, s));
    SHOW(cuMemPrefetchAsync(p, 4 * MB, places[0], 1, s));
    SHOW(cuMemPrefetchAsync(p, 0, places[0], 0, s));
    parts[0] = p;
    parts[1] = p + 2 * MB;
    SHOW(cuMemDiscardBatchAsync(parts, sizes, 2, 0, s));
    SHOW(cuMemDiscardAndPrefetchBatchAsync(parts, sizes, 2, places, indices, 2, 0, s));
    SHOW(cuStreamSynchronize(s));
    tell("first half", p, 2 * MB);
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 2, places, indices, 3, 0, s));
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 2, places, indices, 2, 0, NULL));
    SHOW(cuMemDiscardBatchAsync(parts, sizes, 0, 0, s));
    cuStreamDestroy(s);
    cuMemFree(p);
}

int main(void)
{
    CUcontext c = NULL;
    CUdevice d = 0;
    SHOW(cuInit(0));
    SHOW(cuDeviceGet(&d, 0));
    SHOW(cuDevicePrimaryCtxRetain(&c, d));
    SHOW(cuCtxSetCurrent(c));
    shared();
    attach();
    advise();
    neighbours();
    advice_for_nodes();
    prefetch();
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxRelease(d));
    return 0;
}
