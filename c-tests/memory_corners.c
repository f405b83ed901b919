/* Corners of virtual, managed and external memory: rarely used places, flags and orders. */
#include <cuda.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
static CUmemAllocationProp prop(int type, int id)
{
    CUmemAllocationProp p;
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location = at(type, id);
    return p;
}
static CUresult grant(CUdeviceptr a, size_t size, int type, int id, int flags)
{
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location = at(type, id);
    d.flags = (CUmemAccess_flags)flags;
    return cuMemSetAccess(a, size, &d, 1);
}
static void access_of(CUdeviceptr a, int type, int id)
{
    CUmemLocation l = at(type, id);
    unsigned long long f = 99;
    CUresult r = cuMemGetAccess(&f, &l, a);
    printf("access of %d:%d: %s %llu\n", type, id, name(r), f);
}
static void made(const char *what, const CUmemAllocationProp *p)
{
    CUmemGenericAllocationHandle h = 0;
    CUmemAllocationProp q;
    CUresult r = cuMemCreate(&h, 2 * MB, p, 0);
    printf("%s: %s", what, name(r));
    if (!r) {
        memset(&q, 0x55, sizeof q);
        cuMemGetAllocationPropertiesFromHandle(&q, h);
        printf(", handles %d, location %d:%d, compression %d, rdma %d, usage %d, release %s", q.requestedHandleTypes, q.location.type,
               q.location.id, q.allocFlags.compressionType, q.allocFlags.gpuDirectRDMACapable, q.allocFlags.usage,
               name(cuMemRelease(h)));
    }
    printf("\n");
}

static void properties(void)
{
    CUmemAllocationProp p;
    printf("-- properties\n");
    p = prop(1, 0);
    p.allocFlags.compressionType = 1;
    made("compressible", &p);
    p = prop(1, 0);
    p.allocFlags.gpuDirectRDMACapable = 1;
    made("rdma", &p);
    p = prop(1, 0);
    p.allocFlags.usage = 8;
    made("usage 8", &p);
    p = prop(1, 0);
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32_KMT;
    made("kmt", &p);
    p = prop(3, 0);
    made("node 0", &p);
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    made("node 0 with descriptor", &p);
    p = prop(4, 0);
    made("current node", &p);
    p = prop(3, -1);
    made("node -1", &p);
    p = prop(2, 5);
    made("host 5", &p);
}

static void host_memory(void)
{
    CUmemAllocationProp p = prop(3, 0);
    CUmemGenericAllocationHandle h = 0, k = 0;
    CUdeviceptr a = 0;
    unsigned type = 0;
    printf("-- host memory\n");
    SHOW(cuMemCreate(&h, 2 * MB, &p, 0));
    SHOW(cuMemAddressReserve(&a, 2 * MB, 0, 0, 0));
    SHOW(cuMemMap(a, 2 * MB, 0, h, 0));
    access_of(a, 1, 0);
    access_of(a, 2, 0);
    access_of(a, 3, 0);
    SHOW(grant(a, 2 * MB, 3, 0, 3));
    access_of(a, 1, 0);
    access_of(a, 2, 0);
    access_of(a, 3, 0);
    HOST(a)[0] = 11;
    SHOW(cuMemsetD8(a + 1, 12, 1));
    SHOW(grant(a, 2 * MB, 1, 0, 3));
    SHOW(cuMemsetD8(a + 1, 12, 1));
    SHOW(cuCtxSynchronize());
    printf("bytes %d %d\n", HOST(a)[0], HOST(a)[1]);
    SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
    printf("type %u\n", type);
    SHOW(cuMemRelease(h));
    SHOW(cuMemRetainAllocationHandle(&k, HOST(a)));
    SHOW(cuMemGetAllocationPropertiesFromHandle(&p, k));
    printf("location %d:%d\n", p.location.type, p.location.id);
    SHOW(cuMemRelease(k));
    SHOW(cuMemUnmap(a, 2 * MB));
    SHOW(cuMemAddressFree(a, 2 * MB));
}

static void ranges(void)
{
    CUmemAllocationProp p = prop(1, 0);
    CUmemGenericAllocationHandle h[2] = { 0 };
    CUdeviceptr a = 0, b = 0;
    CUmemAccessDesc two[2];
    printf("-- ranges\n");
    SHOW(cuMemAddressReserve(&a, 8 * MB, 3, 0, 0));
    SHOW(cuMemAddressReserve(&a, 8 * MB, 100000, 0, 0));
    SHOW(cuMemAddressReserve(&a, 8 * MB, (size_t)1 << 30, 0, 0));
    printf("aligned %d\n", a % ((size_t)1 << 30) == 0);
    SHOW(cuMemAddressReserve(&b, 4 * MB, 0, a + 4096, 0));
    SHOW(cuMemAddressReserve(&b, 4 * MB, 0, a + 65536, 0));
    if (b) cuMemAddressFree(b, 4 * MB);
    SHOW(cuMemAddressFree(a, 0));
    SHOW(cuMemAddressFree(a + 4 * MB, 4 * MB));
    for (int i = 0; i < 2; i++) cuMemCreate(&h[i], 2 * MB, &p, 0);
    SHOW(cuMemMap(a, 0, 0, h[0], 0));
    SHOW(cuMemMap(a + 65536, 2 * MB, 0, h[0], 0));
    SHOW(cuMemMap(a, 2 * MB, 0, h[0], 0));
    SHOW(cuMemMap(a + 4 * MB, 2 * MB, 0, h[1], 0));
    /* A gap between them. */
    SHOW(grant(a, 6 * MB, 1, 0, 3));
    SHOW(grant(a, 4 * MB, 1, 0, 3));
    SHOW(grant(a, 2 * MB, 1, 0, 3));
    SHOW(grant(a + 4 * MB, 2 * MB, 1, 99, 3));
    SHOW(grant(a + 4 * MB, 2 * MB, 2, 0, 3));
    SHOW(grant(a + 4 * MB, 2 * MB, 0, 0, 3));
    SHOW(grant(a + 4 * MB, 2 * MB, 1, 0, 7));
    SHOW(grant(a + 4 * MB, 2 * MB, 1, 0, 1));
    access_of(a + 4 * MB, 1, 0);
    access_of(a + 4 * MB, 2, 0);
    access_of(a + 4 * MB, 0, 0);
    access_of(a + 4 * MB, 9, 0);
    memset(two, 0, sizeof two);
    two[0].location = at(1, 0);
    two[0].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    two[1].location = at(1, 98);
    SHOW(cuMemSetAccess(a + 4 * MB, 2 * MB, two, 2));
    access_of(a + 4 * MB, 1, 0);
    SHOW(cuMemsetD8(a + 4 * MB, 1, 16));
    SHOW(cuCtxSynchronize());
    SHOW(cuMemUnmap(a + 4096, 2 * MB));
    SHOW(cuMemUnmap(a, 8 * MB));
    SHOW(cuMemUnmap(a, 16 * MB));
    for (int i = 0; i < 2; i++) SHOW(cuMemRelease(h[i]));
    SHOW(cuMemAddressFree(a, 8 * MB));
}

/* Neighbouring reservations: ranges may leave one for the next. */
static void neighbours(void)
{
    CUmemAllocationProp p = prop(1, 0);
    CUmemGenericAllocationHandle h[3] = { 0 };
    CUdeviceptr all = 0, a = 0, b = 0;
    printf("-- neighbours\n");
    /* Room for both, found by asking for it. */
    cuMemAddressReserve(&all, 64 * MB, 0, 0, 0);
    SHOW(cuMemAddressFree(all, 64 * MB));
    SHOW(cuMemAddressReserve(&a, 4 * MB, 0, 0, 0));
    SHOW(cuMemAddressReserve(&b, 4 * MB, 0, a + 4 * MB, 0));
    printf("adjacent %d\n", b == a + 4 * MB);
    for (int i = 0; i < 3; i++) cuMemCreate(&h[i], i < 2 ? 2 * MB : 4 * MB, &p, 0);
    SHOW(cuMemMap(a + 2 * MB, 2 * MB, 0, h[0], 0));
    SHOW(cuMemMap(b, 2 * MB, 0, h[1], 0));
    SHOW(grant(a + 2 * MB, 4 * MB, 1, 0, 3));
    SHOW(cuMemsetD8(a + 3 * MB, 1, 2 * MB));
    SHOW(cuCtxSynchronize());
    SHOW(cuMemAddressFree(a, 4 * MB));
    SHOW(cuMemUnmap(a, 8 * MB));
    SHOW(cuMemsetD8(b, 1, 16));
    SHOW(cuMemAddressFree(a, 4 * MB));
    SHOW(cuMemAddressFree(b, 4 * MB));
    for (int i = 0; i < 3; i++) SHOW(cuMemRelease(h[i]));
    SHOW(cuCtxSynchronize());
}

static void advice(void)
{
    CUdeviceptr p = 0, parts[3];
    CUstream s = NULL;
    size_t sizes[3] = { MB, MB, MB }, order[3] = { 0, 2, 1 }, wrong[2] = { 0, 5 };
    CUmemLocation places[3] = { at(1, 0), at(2, 0), at(1, 0) }, current[1] = { at(4, 0) };
    int v[4] = { 0 }, type = 0, id = 0;
    printf("-- advice\n");
    cuMemAllocManaged(&p, 4 * MB, CU_MEM_ATTACH_GLOBAL);
    for (int i = 0; i < 3; i++) parts[i] = p + i * MB;
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    SHOW(cuMemAdvise(p, MB, CU_MEM_ADVISE_SET_ACCESSED_BY, at(2, 0)));
    SHOW(cuMemAdvise(p, MB, CU_MEM_ADVISE_SET_ACCESSED_BY, at(1, 0)));
    SHOW(cuMemRangeGetAttribute(v, 16, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, MB));
    printf("users %d %d %d %d\n", v[0], v[1], v[2], v[3]);
    SHOW(cuMemAdvise(p, MB, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(1, -1)));
    SHOW(cuMemAdvise(p, MB, CU_MEM_ADVISE_SET_ACCESSED_BY, at(4, 0)));
    SHOW(cuMemAdvise(p, MB, CU_MEM_ADVISE_SET_READ_MOSTLY, at(0, 0)));
    SHOW(cuMemAdvise(p, MB, (CUmem_advise)0, at(1, 0)));
    SHOW(cuMemRangeGetAttributes(NULL, NULL, NULL, 0, p, MB));
    SHOW(cuMemPrefetchAsync(p, MB, at(4, 0), 0, s));
    SHOW(cuStreamSynchronize(s));
    cuMemRangeGetAttribute(&type, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, p, MB);
    cuMemRangeGetAttribute(&id, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, p, MB);
    printf("sent to %d:%d\n", type, id);
    SHOW(cuMemPrefetchAsync(p, MB, at(3, 99), 0, s));
    SHOW(cuMemPrefetchAsync(p, MB, at(1, 0), 0, s));
    SHOW(cuMemDiscardBatchAsync(parts, sizes, 1, 0, s));
    SHOW(cuStreamSynchronize(s));
    cuMemRangeGetAttribute(&type, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, p, MB);
    printf("after a discard: sent to %d\n", type);
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 3, places, order, 3, 0, s));
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 3, places, wrong, 2, 0, s));
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 3, current, order, 1, 0, s));
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 3, places, order, 1, 0, CU_STREAM_LEGACY));
    SHOW(cuMemPrefetchBatchAsync(parts, sizes, 3, places, order, 1, 0, CU_STREAM_PER_THREAD));
    SHOW(cuStreamSynchronize(s));
    SHOW(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    access_of(p, 1, 0);
    cuStreamDestroy(s);
    cuMemFree(p);
}

static void external(void)
{
    CUmemAllocationProp p = prop(1, 0);
    CUmemGenericAllocationHandle h = 0;
    CUexternalMemory m = NULL;
    CUexternalSemaphore sem = NULL;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC d;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC b;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC sd;
    CUdeviceptr x = 0, y = 0;
    unsigned char v = 0;
    int fd = -1, nothing = open("/dev/null", O_RDWR);
    printf("-- external memory\n");
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    SHOW(cuMemCreate(&h, 4 * MB, &p, 0));
    SHOW(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    for (int type = 0; type <= 4; type++) {
        memset(&d, 0, sizeof d);
        d.type = (CUexternalMemoryHandleType)type;
        d.handle.fd = nothing;
        d.size = MB;
        printf("type %d: %s\n", type, name(cuImportExternalMemory(&m, &d)));
    }
    memset(&d, 0, sizeof d);
    d.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    d.handle.fd = fd;
    d.size = 4 * MB;
    SHOW(cuImportExternalMemory(&m, &d));
    memset(&b, 0, sizeof b);
    SHOW(cuExternalMemoryGetMappedBuffer(&x, m, &b));
    b.size = 8 * MB;
    SHOW(cuExternalMemoryGetMappedBuffer(&x, m, &b));
    b.size = 4 * MB;
    b.flags = 1;
    SHOW(cuExternalMemoryGetMappedBuffer(&x, m, &b));
    b.flags = 0;
    SHOW(cuExternalMemoryGetMappedBuffer(&x, m, &b));
    b.offset = 2 * MB;
    b.size = 2 * MB;
    SHOW(cuExternalMemoryGetMappedBuffer(&y, m, &b));
    SHOW(cuMemsetD8(x, 21, 4 * MB));
    SHOW(cuMemcpyDtoH(&v, y + 5, 1));
    printf("seen %d\n", v);
    SHOW(cuMemFree(y));
    SHOW(cuMemFree(x));
    b.offset = 4096;
    b.size = 4096;
    SHOW(cuExternalMemoryGetMappedBuffer(&y, m, &b));
    SHOW(cuDestroyExternalMemory(m));
    SHOW(cuMemsetD8(y, 22, 4096));
    SHOW(cuMemcpyDtoH(&v, y + 5, 1));
    printf("seen %d\n", v);
    SHOW(cuMemFree(y));
    SHOW(cuMemRelease(h));
    for (int type = 0; type <= 11; type++) {
        memset(&sd, 0, sizeof sd);
        sd.type = (CUexternalSemaphoreHandleType)type;
        sd.handle.fd = -1;
        printf("semaphore %d: %s\n", type, name(cuImportExternalSemaphore(&sem, &sd)));
    }
    SHOW(cuDestroyExternalSemaphore(NULL));
    SHOW(cuWaitExternalSemaphoresAsync(NULL, NULL, 1, NULL));
    close(nothing);
}

int main(void)
{
    CUcontext c = NULL;
    SHOW(cuInit(0));
    SHOW(cuDevicePrimaryCtxRetain(&c, 0));
    SHOW(cuCtxSetCurrent(c));
    properties();
    host_memory();
    ranges();
    neighbours();
    advice();
    external();
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
