/* Who may use the memory of another device, and how: memory of every kind on device 0, used from a context on device 1.
   Recorded on two H200: one row for each kind, one column for each operation. Data that moved is checked byte for byte. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2 << 20, USED = 4096 };

static CUcontext home, away;
static CUstream stream;
static CUdeviceptr other;

static const char *const kinds[] = { "plain", "plain, peer access", "pool", "pool, granted", "pool, taken back", "default pool",
                                     "mapped, home only", "mapped, both", "mapped, may read", "mapped, nobody", "managed", "host" };
static const char *const operations[] = { "DtoH", "HtoD", "DtoD from", "DtoD to", "DtoD at home", "DtoHAsync", "HtoDAsync", "2D", "Peer", "PeerAsync",
                                          "3DPeer", "3DPeerAsync", "Batch", "Memset", "MemsetAsync", "DEVICE_POINTER" };

struct memory {
    CUdeviceptr at;
    CUmemoryPool pool;
    CUmemGenericAllocationHandle handle;
    int kind;
};

static void must(int fine, const char *what)
{
    if (fine) return;
    printf("failed: %s\n", what);
    exit(1);
}
#define MUST(call) must(!(call), #call)

static CUmemLocation on_device(int id)
{
    CUmemLocation location;
    memset(&location, 0, sizeof location);
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = id;
    return location;
}

static struct memory make(int kind)
{
    struct memory m = { .kind = kind };
    MUST(cuCtxSetCurrent(home));
    if (kind <= 1) {
        MUST(cuMemAlloc(&m.at, N));
        if (kind == 1) {
            MUST(cuCtxSetCurrent(away));
            MUST(cuCtxEnablePeerAccess(home, 0));
            MUST(cuCtxSetCurrent(home));
        }
    } else if (kind <= 4) {
        CUmemPoolProps props;
        memset(&props, 0, sizeof props);
        props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = on_device(0);
        MUST(cuMemPoolCreate(&m.pool, &props));
        MUST(cuMemAllocFromPoolAsync(&m.at, N, m.pool, NULL));
        CUmemAccessDesc grant = { .location = on_device(1), .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
        if (kind > 2) MUST(cuMemPoolSetAccess(m.pool, &grant, 1));
        grant.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        if (kind > 3) MUST(cuMemPoolSetAccess(m.pool, &grant, 1));
    } else if (kind == 5) {
        MUST(cuMemAllocAsync(&m.at, N, NULL));
    } else if (kind <= 9) {
        CUmemAllocationProp prop;
        memset(&prop, 0, sizeof prop);
        prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        prop.location = on_device(0);
        MUST(cuMemCreate(&m.handle, N, &prop, 0));
        MUST(cuMemAddressReserve(&m.at, N, 0, 0, 0));
        MUST(cuMemMap(m.at, N, 0, m.handle, 0));
        CUmemAccessDesc grant[2] = { { .location = on_device(0), .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE },
                                     { .location = on_device(1), .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE } };
        if (kind == 8) grant[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
        if (kind < 9) MUST(cuMemSetAccess(m.at, N, grant, kind == 6 ? 1 : 2));
    } else if (kind == 10) {
        MUST(cuMemAllocManaged(&m.at, N, CU_MEM_ATTACH_GLOBAL));
    } else {
        void *p;
        MUST(cuMemHostAlloc(&p, N, CU_MEMHOSTALLOC_PORTABLE));
        m.at = (CUdeviceptr)p;
    }
    if (kind != 9) MUST(cuMemsetD8(m.at, 0x55, N));
    MUST(cuCtxSynchronize());
    return m;
}

static void drop(struct memory *m)
{
    MUST(cuCtxSetCurrent(home));
    if (m->kind == 1) {
        MUST(cuCtxSetCurrent(away));
        MUST(cuCtxDisablePeerAccess(home));
        MUST(cuCtxSetCurrent(home));
    }
    if (m->handle) {
        MUST(cuMemUnmap(m->at, N));
        MUST(cuMemRelease(m->handle));
        MUST(cuMemAddressFree(m->at, N));
    } else if (m->kind == 11) {
        MUST(cuMemFreeHost((void *)m->at));
    } else {
        MUST(cuMemFree(m->at));
    }
    if (m->pool) MUST(cuMemPoolDestroy(m->pool));
}

static int all(const unsigned char *bytes, int value)
{
    for (int i = 0; i < USED; i++)
        if (bytes[i] != value) return 0;
    return 1;
}

/* Does an operation from device 1: '+' if it works, '-' if it is refused and has done nothing. */
static char operate(const struct memory *m, int operation)
{
    static unsigned char host[USED], seen[USED];
    memset(host, 0xaa, USED);
    MUST(cuCtxSetCurrent(away));
    MUST(cuMemsetD8(other, 0x11, N));
    MUST(cuCtxSynchronize());
    CUresult r = CUDA_SUCCESS;
    int reads = 1, writes = 0x55, to_host = 0;
    switch (operation) {
    case 0: r = cuMemcpyDtoH(host, m->at, USED); to_host = 1; break;
    case 1: r = cuMemcpyHtoD(m->at, host, USED); reads = 0; writes = 0xaa; break;
    case 2: r = cuMemcpyDtoD(other, m->at, USED); break;
    case 3: r = cuMemcpyDtoD(m->at, other, USED); reads = 0; writes = 0x11; break;
    case 4: MUST(cuCtxSetCurrent(home)); r = cuMemcpyDtoD(other, m->at, USED); break;
    case 5: r = cuMemcpyDtoHAsync(host, m->at, USED, stream); to_host = 1; break;
    case 6: r = cuMemcpyHtoDAsync(m->at, host, USED, stream); reads = 0; writes = 0xaa; break;
    case 7: {
        CUDA_MEMCPY2D c = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = m->at, .srcPitch = 64, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                            .dstDevice = other, .dstPitch = 64, .WidthInBytes = 64, .Height = USED / 64 };
        r = cuMemcpy2D(&c);
        break;
    }
    case 8: r = cuMemcpyPeer(other, away, m->at, home, USED); break;
    case 9: r = cuMemcpyPeerAsync(other, away, m->at, home, USED, stream); break;
    case 10: case 11: {
        CUDA_MEMCPY3D_PEER c = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = m->at, .srcPitch = 64, .srcContext = home,
                                 .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = other, .dstPitch = 64, .dstContext = away,
                                 .WidthInBytes = 64, .Height = USED / 64, .Depth = 1 };
        r = operation == 10 ? cuMemcpy3DPeer(&c) : cuMemcpy3DPeerAsync(&c, stream);
        break;
    }
    case 12: {
        CUdeviceptr to = other, from = m->at;
        size_t size = USED, index = 0;
        CUmemcpyAttributes attributes = { .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM };
        r = cuMemcpyBatchAsync(&to, &from, &size, 1, &attributes, &index, 1, stream);
        break;
    }
    case 13: r = cuMemsetD8(m->at, 7, USED); reads = 0; writes = 7; break;
    case 14: r = cuMemsetD8Async(m->at, 7, USED, stream); reads = 0; writes = 7; break;
    case 15: {
        CUdeviceptr p = 0;
        r = cuPointerGetAttribute(&p, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, m->at);
        if (!r && p != m->at) return '?';
        return r ? r == CUDA_ERROR_INVALID_VALUE ? '-' : '?' : '+';
    }
    }
    if (r && r != CUDA_ERROR_INVALID_VALUE) return '?';
    MUST(cuCtxSetCurrent(home));
    MUST(cuCtxSynchronize());
    MUST(cuCtxSetCurrent(away));
    MUST(cuStreamSynchronize(stream));
    MUST(cuCtxSynchronize());
    if (to_host) return all(host, r ? 0xaa : writes) ? r ? '-' : '+' : '?';
    if (reads) {
        MUST(cuMemcpyDtoH(seen, other, USED));
        return all(seen, r ? 0x11 : writes) ? r ? '-' : '+' : '?';
    }
    /* Nobody can look into memory that nobody has access to. */
    if (m->kind == 9) return r ? '-' : '?';
    MUST(cuCtxSetCurrent(home));
    MUST(cuMemcpyDtoH(seen, m->at, USED));
    return all(seen, r ? 0x55 : writes) ? r ? '-' : '+' : '?';
}

int main(void)
{
    int count = 0, can = 0;
    setenv("DOPPEL_DEVICES", "2", 0);
    if (cuInit(0) || cuDeviceGetCount(&count)) return 1;
    if (count < 2 || cuDeviceCanAccessPeer(&can, 1, 0) || !can) {
        printf("skipped: needs two devices that are peers\n");
        return 77;
    }
    MUST(cuDevicePrimaryCtxRetain(&home, 0));
    MUST(cuDevicePrimaryCtxRetain(&away, 1));
    MUST(cuCtxSetCurrent(away));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuMemAlloc(&other, N));
    for (unsigned o = 0; o < sizeof operations / sizeof *operations; o++) printf("%2u %s\n", o, operations[o]);
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        printf("%-20s", kinds[k]);
        for (unsigned o = 0; o < sizeof operations / sizeof *operations; o++) {
            struct memory m = make((int)k);
            printf(" %c", operate(&m, (int)o));
            drop(&m);
        }
        printf("\n");
    }
    /* A free may come from a stream of any device. */
    struct memory m = make(2);
    MUST(cuCtxSetCurrent(away));
    MUST(cuMemFreeAsync(m.at, stream));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemPoolDestroy(m.pool));
    unsigned capabilities[2] = { 7, 7 };
    CUatomicOperation atomics[2] = { (CUatomicOperation)0, (CUatomicOperation)10 };
    MUST(cuDeviceGetP2PAtomicCapabilities(capabilities, atomics, 2, 0, 1));
    printf("atomic operations on a peer's memory: %x %x\n", capabilities[0], capabilities[1]);
    MUST(cuMemFree(other));
    MUST(cuStreamDestroy(stream));
    MUST(cuDevicePrimaryCtxRelease(0));
    MUST(cuDevicePrimaryCtxRelease(1));
    return 0;
}
