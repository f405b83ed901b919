/* Multicast objects: what is refused, what lives as long as what, what copies and memsets do to all devices, and what is no use
 * of a multicast address. */
#include "check.h"
#include <pthread.h>

#define MIB ((size_t)1 << 20)
enum { DEVICES = 3 };

typedef CUmemGenericAllocationHandle handle;
static CUcontext contexts[DEVICES];
static const char *const store = ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
    ".reg .b64 %a; .reg .b32 %r;\nld.param.u64 %a, [p];\n";
static const char *const team_store = "multimem.st.weak.global.u32 [%a], 77;\nret; }\n", *const plain_store = "st.global.u32 [%a], 77;\nret; }\n",
    *const plain_load = "ld.global.u32 %r, [%a];\nst.global.u32 [%a], %r;\nret; }\n",
    *const team_load = "multimem.ld_reduce.weak.global.add.u32 %r, [%a];\nmultimem.st.weak.global.u32 [%a+4], %r;\nret; }\n";

static CUresult run(const char *body, CUdeviceptr at)
{
    char text[1000];
    CUmodule module;
    CUfunction f;
    void *arguments[] = { &at };
    snprintf(text, sizeof text, "%s%s", store, body);
    CUresult r = cuModuleLoadData(&module, text);
    if (!r) r = cuModuleGetFunction(&f, module, "k");
    if (!r) r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
    if (!r) r = cuCtxSynchronize();
    cuModuleUnload(module);
    return r;
}

static CUmulticastObjectProp properties(unsigned devices, size_t size)
{
    CUmulticastObjectProp prop;
    memset(&prop, 0, sizeof prop);
    prop.numDevices = devices;
    prop.size = size;
    return prop;
}
static handle memory(int device, size_t size, int shareable)
{
    handle h = 0;
    CUmemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = device;
    if (shareable) prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    OK(cuMemCreate(&h, size, &prop, 0));
    return h;
}
static CUresult grant(CUdeviceptr at, size_t size, int device)
{
    CUmemAccessDesc access;
    memset(&access, 0, sizeof access);
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return cuMemSetAccess(at, size, &access, 1);
}
static CUdeviceptr map(handle h, size_t size, int devices)
{
    CUdeviceptr at = 0;
    OK(cuMemAddressReserve(&at, size, 0, 0, 0));
    OK(cuMemMap(at, size, 0, h, 0));
    for (int d = 0; d < devices; d++) OK(grant(at, size, d));
    return at;
}
static void unmap(CUdeviceptr at, size_t size)
{
    OK(cuMemUnmap(at, size));
    OK(cuMemAddressFree(at, size));
}
static void start(void)
{
    int count = 0, able = 0;
    setenv("DOPPEL_DEVICES", "3", 0);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    OK(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    if (count < DEVICES || !able) skip("needs three devices with multicast objects");
    for (int d = 0; d < DEVICES; d++) OK(cuDevicePrimaryCtxRetain(&contexts[d], d));
    OK(cuCtxSetCurrent(contexts[0]));
}

/* One device has nobody to be in a team with: the attribute is 0, as recorded, and so nothing can be made. */
static void alone(void)
{
    int able = 77;
    size_t granularity = 77;
    handle object = 77;
    CUmulticastObjectProp prop = properties(1, 2 * MIB);
    setenv("DOPPEL_DEVICES", "1", 1);
    begin();
    SHOW(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    printf("%d\n", able);
    SHOW(cuMulticastGetGranularity(&granularity, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
    SHOW(cuMulticastCreate(&object, &prop));
}

static void errors(void)
{
    size_t granularity = 77;
    handle object = 0, other = 0, open = 0;
    CUmulticastObjectProp prop = properties(2, 8 * MIB), wrong = prop;
    start();
    SHOW(cuMulticastGetGranularity(&granularity, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
    printf("%zu\n", granularity);
    SHOW(cuMulticastGetGranularity(&granularity, &prop, CU_MULTICAST_GRANULARITY_RECOMMENDED));
    printf("%zu\n", granularity);
    SHOW(cuMulticastGetGranularity(&granularity, &prop, (CUmulticastGranularity_flags)2));
    SHOW(cuMulticastGetGranularity(NULL, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
    SHOW(cuMulticastGetGranularity(&granularity, NULL, CU_MULTICAST_GRANULARITY_MINIMUM));
    SHOW(cuMulticastCreate(NULL, &prop));
    SHOW(cuMulticastCreate(&object, NULL));
    wrong.numDevices = 0;
    SHOW(cuMulticastCreate(&object, &wrong));
    wrong.numDevices = 1000;
    SHOW(cuMulticastCreate(&object, &wrong));
    wrong = properties(2, 0);
    SHOW(cuMulticastCreate(&object, &wrong));
    wrong.size = 3 * MIB;
    SHOW(cuMulticastCreate(&object, &wrong));
    wrong = prop;
    wrong.flags = 1;
    SHOW(cuMulticastCreate(&object, &wrong));
    wrong = prop;
    wrong.handleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    SHOW(cuMulticastCreate(&object, &wrong));
    SHOW(cuMulticastCreate(&object, &prop));
    handle m0 = memory(0, 4 * MIB, 0), m1 = memory(1, 8 * MIB, 0), m2 = memory(2, 4 * MIB, 0);
    puts("-- devices");
    SHOW(cuMulticastAddDevice(0, 0));
    SHOW(cuMulticastAddDevice(m0, 0));
    SHOW(cuMulticastAddDevice(object, -1));
    SHOW(cuMulticastAddDevice(object, 99));
    SHOW(cuMulticastAddDevice(object, 0));
    SHOW(cuMulticastAddDevice(object, 0));
    SHOW(cuMulticastAddDevice(object, 1));
    SHOW(cuMulticastAddDevice(object, 2));
    puts("-- memory");
    SHOW(cuMulticastBindMem(m0, 0, m0, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, 0, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, object, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m0, 0, 2 * MIB, 1));
    SHOW(cuMulticastBindMem(object, 0, m0, 0, 0, 0));
    SHOW(cuMulticastBindMem(object, MIB, m0, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m0, MIB, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m0, 0, MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m0, 0, 6 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m0, 2 * MIB, 4 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 8 * MIB, m0, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, (size_t)-1 << 21, m0, 0, 4 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m0, (size_t)-1 << 21, 4 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 0, m2, 0, 4 * MIB, 0));
    SHOW(cuMulticastBindMem_v2(object, 1, 0, m0, 0, 4 * MIB, 0));
    SHOW(cuMulticastBindMem_v2(object, 2, 0, m2, 0, 4 * MIB, 0));
    SHOW(cuMulticastBindMem_v2(object, 99, 0, m0, 0, 4 * MIB, 0));
    SHOW(cuMulticastBindMem_v2(object, 0, 0, m0, 0, 4 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 2 * MIB, m0, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(object, 4 * MIB, m0, 0, 4 * MIB, 0));
    SHOW(cuMulticastUnbind(object, 2, 0, 4 * MIB));
    SHOW(cuMulticastUnbind(object, 99, 0, 4 * MIB));
    SHOW(cuMulticastUnbind(object, 1, 0, 4 * MIB));
    SHOW(cuMulticastUnbind(object, 0, 0, 2 * MIB));
    SHOW(cuMulticastUnbind(object, 0, 0, 0));
    SHOW(cuMulticastUnbind(object, 0, MIB, 4 * MIB));
    SHOW(cuMulticastUnbind(object, 0, 0, 16 * MIB));
    SHOW(cuMulticastUnbind(m0, 0, 0, 4 * MIB));
    SHOW(cuMulticastUnbind(object, 0, 0, 4 * MIB));
    SHOW(cuMulticastUnbind(object, 0, 4 * MIB, 4 * MIB));
    puts("-- addresses");
    CUdeviceptr plain = 0, at = map(m1, 8 * MIB, 2), pooled = 0;
    OK(cuMemAlloc(&plain, 4 * MIB));
    OK(cuMemAllocAsync(&pooled, 4 * MIB, NULL));
    OK(cuStreamSynchronize(NULL));
    SHOW(cuMulticastBindAddr(object, 0, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindAddr(object, 0, at + MIB, 2 * MIB, 0));
    SHOW(cuMulticastBindAddr(object, 0, at + 6 * MIB, 4 * MIB, 0));
    SHOW(cuMulticastBindAddr(object, 0, plain & ~(2 * MIB - 1), 2 * MIB, 0));
    SHOW(cuMulticastBindAddr_v2(object, 0, 0, at, 2 * MIB, 0));
    SHOW(cuMulticastBindAddr(object, 0, at, 2 * MIB, 0));
    SHOW(cuMulticastBindAddr_v2(object, 1, 2 * MIB, at + 4 * MIB, 2 * MIB, 0));
    printf("of a pool: %s\n", name(cuMulticastBindAddr(object, 0, (pooled + 2 * MIB - 1) & ~(2 * MIB - 1), 2 * MIB, 0)));
    puts("-- other processes");
    int fd = 77;
    SHOW(cuMemExportToShareableHandle(&fd, object, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    prop.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    SHOW(cuMulticastCreate(&open, &prop));
    OK(cuMulticastAddDevice(open, 0));
    SHOW(cuMemExportToShareableHandle(&fd, open, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemImportFromShareableHandle(&other, (void *)(size_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    OK(cuMulticastAddDevice(other, 1));
    SHOW(cuMulticastAddDevice(open, 1));
    SHOW(cuMulticastBindMem(open, 0, m0, 0, 2 * MIB, 0));
    handle shared = memory(0, 4 * MIB, 1);
    SHOW(cuMulticastBindMem(other, 0, shared, 0, 2 * MIB, 0));
    SHOW(cuMulticastBindMem(open, 0, shared, 0, 2 * MIB, 0));
    puts("-- mappings");
    CUdeviceptr range = 0;
    OK(cuMemAddressReserve(&range, 16 * MIB, 0, 0, 0));
    SHOW(cuMemMap(range, 4 * MIB, 0, object, 0));
    SHOW(cuMemMap(range, 4 * MIB, 4 * MIB, object, 0));
    SHOW(cuMemMap(range, 8 * MIB, 0, object, 0));
    SHOW(grant(range, 8 * MIB, 2));
    SHOW(grant(range, 8 * MIB, 0));
    SHOW(cuMulticastBindAddr(object, 4 * MIB, range, 2 * MIB, 0));
    CUmemAllocationProp p;
    SHOW(cuMemGetAllocationPropertiesFromHandle(&p, object));
    printf("type %d, location type %d, handle types %d\n", p.type, p.location.type, p.requestedHandleTypes);
    SHOW(cuMemGetAllocationPropertiesFromHandle(&p, open));
    printf("type %d, location type %d, handle types %d\n", p.type, p.location.type, p.requestedHandleTypes);
    CUdeviceptr base = 0;
    size_t size = 0;
    CUmemorytype type = 0;
    handle same = 0;
    SHOW(cuMemGetAddressRange(&base, &size, range + 3 * MIB));
    printf("%zu bytes from %zu\n", size, (size_t)(base - range));
    SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, range));
    printf("type %d\n", (int)type);
    SHOW(cuMemRetainAllocationHandle(&same, (void *)range));
    printf("%s\n", same == object ? "the same" : "another one");
    OK(cuMemRelease(same));
    SHOW(cuMemRelease(object));
    SHOW(cuMemRelease(object));
    SHOW(cuMulticastAddDevice(object, 0));
    close(fd);
}

/* A team that lacks a device waits for it: another thread adds it. */
static handle waited;
static void *adds(void *unused)
{
    (void)unused;
    usleep(20000);
    OK(cuMulticastAddDevice(waited, 1));
    return NULL;
}

static void waits(void)
{
    pthread_t thread;
    CUmulticastObjectProp prop = properties(2, 2 * MIB);
    start();
    OK(cuMulticastCreate(&waited, &prop));
    OK(cuMulticastAddDevice(waited, 0));
    handle m = memory(0, 2 * MIB, 0);
    if (pthread_create(&thread, NULL, adds, NULL)) exit(1);
    SHOW(cuMulticastBindMem(waited, 0, m, 0, 2 * MIB, 0));
    pthread_join(thread, NULL);
    /* Nobody does it: the real driver would wait for ever. */
    OK(cuMulticastCreate(&waited, &prop));
    SHOW(cuMulticastBindMem(waited, 0, m, 0, 2 * MIB, 0));
}

static void values(const char *what, CUdeviceptr *own, size_t offset)
{
    printf("%s:", what);
    for (int d = 0; d < DEVICES; d++) {
        unsigned v = 0;
        OK(cuMemcpyDtoH(&v, own[d] + offset, 4));
        printf(" %u", v);
    }
    printf("\n");
}

/* What is in use lives: memory while it is bound, the object while it is mapped. All of it goes in the end. */
static void life(void)
{
    size_t before, after, total;
    CUdeviceptr own[DEVICES], team;
    handle object, m[DEVICES];
    CUmulticastObjectProp prop = properties(DEVICES, 4 * MIB);
    start();
    OK(cuMemGetInfo(&before, &total));
    for (int round = 0; round < 3; round++) {
        OK(cuMulticastCreate(&object, &prop));
        for (int d = 0; d < DEVICES; d++) OK(cuMulticastAddDevice(object, d));
        for (int d = 0; d < DEVICES; d++) {
            m[d] = memory(d, 4 * MIB, 0);
            /* Mapped and written before, between or after. */
            if (round == 0) own[d] = map(m[d], 4 * MIB, DEVICES);
            if (round == 0) OK(cuMemsetD32(own[d] + 64, 100 + (unsigned)d, 1));
            OK(cuMulticastBindMem(object, 0, m[d], 0, 2 * MIB, 0));
            OK(cuMulticastBindMem(object, 2 * MIB, m[d], 2 * MIB, 2 * MIB, 0));
            if (round == 1) {
                /* Pages that were mapped, and are not now. */
                own[d] = map(m[d], 4 * MIB, DEVICES);
                OK(cuMemsetD32(own[d] + 64, 200 + (unsigned)d, 1));
            }
        }
        team = map(object, 4 * MIB, DEVICES);
        OK(cuMemRelease(object));
        if (round == 2) for (int d = 0; d < DEVICES; d++) own[d] = map(m[d], 4 * MIB, DEVICES);
        for (int d = 0; d < DEVICES; d++) OK(cuMemRelease(m[d]));
        values("before", own, 64);
        for (int d = 0; d < DEVICES; d++) {
            OK(cuCtxSetCurrent(contexts[d]));
            OK(run(team_load, team + 64));
            values("sum", own, 68);
        }
        OK(cuCtxSetCurrent(contexts[0]));
        OK(run(team_store, team + 4 * MIB - 4));
        values("the last word", own, 4 * MIB - 4);
        /* Without any other mapping, the object has the memory. */
        if (round == 1) {
            for (int d = 0; d < DEVICES; d++) unmap(own[d], 4 * MIB);
            OK(run(team_load, team + 64));
        } else {
            for (int d = 0; d < DEVICES; d++) unmap(own[d], 4 * MIB);
        }
        unmap(team, 4 * MIB);
        OK(cuMemGetInfo(&after, &total));
        printf("%lld bytes are left\n", (long long)(before - after));
    }
    /* Pages that are kept aside. */
    handle h = memory(0, 2 * MIB, 0), twice;
    CUdeviceptr at = map(h, 2 * MIB, 1);
    OK(cuMemsetD32(at, 4711, 4));
    /* To unmap memory does not wait for what is done with it. */
    OK(cuCtxSynchronize());
    unmap(at, 2 * MIB);
    prop = properties(1, 2 * MIB);
    OK(cuMulticastCreate(&twice, &prop));
    OK(cuMulticastAddDevice(twice, 0));
    OK(cuMulticastBindMem(twice, 0, h, 0, 2 * MIB, 0));
    team = map(twice, 2 * MIB, 1);
    at = map(h, 2 * MIB, 1);
    OK(run(team_load, team));
    unsigned v[2];
    OK(cuMemcpyDtoH(v, at, 8));
    printf("aside: %u %u\n", v[0], v[1]);
    unmap(team, 2 * MIB);
    unmap(at, 2 * MIB);
    OK(cuMemRelease(h));
    OK(cuMemRelease(twice));
    OK(cuMemGetInfo(&after, &total));
    printf("%lld bytes are left\n", (long long)(before - after));
}

static CUdeviceptr own[DEVICES], team;
static handle object;
static void make(void)
{
    CUmulticastObjectProp prop = properties(DEVICES, 4 * MIB);
    start();
    OK(cuMulticastCreate(&object, &prop));
    for (int d = 0; d < DEVICES; d++) OK(cuMulticastAddDevice(object, d));
    for (int d = 0; d < DEVICES; d++) {
        handle m = memory(d, 2 * MIB, 0);
        OK(cuMulticastBindMem(object, 0, m, 0, 2 * MIB, 0));
        own[d] = map(m, 2 * MIB, DEVICES);
        OK(cuMemRelease(m));
    }
    team = map(object, 4 * MIB, DEVICES - 1);
}

/* What writes to a multicast address, a copy or a memset, comes to all devices. */
static void copies(void)
{
    unsigned word = 5, words[8];
    CUdeviceptr other;
    CUstream stream;
    make();
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&other, 4 * MIB));
    OK(cuMemsetD32(other, 6, MIB));
    SHOW(cuMemcpyHtoD(team, &word, 4));
    values("from the host", own, 0);
    SHOW(cuMemcpyDtoD(team + 64, other, MIB));
    values("from a device", own, MIB + 60);
    SHOW(cuMemcpyDtoDAsync(team + 64, other, 2 * MIB - 64, stream));
    OK(cuStreamSynchronize(stream));
    values("on a stream", own, 2 * MIB - 4);
    SHOW(cuMemsetD32(team, 8, 10));
    values("memset", own, 36);
    SHOW(cuMemsetD2D32Async(team, 1024, 9, 4, 5, stream));
    OK(cuStreamSynchronize(stream));
    values("memset of rows", own, 4096 + 12);
    values("beside it", own, 4096 + 16);
    SHOW(cuMemsetD8(team, 1, 2 * MIB));
    values("memset of all", own, 2 * MIB - 4);
    /* There is no memory to read, and none where nothing is bound. */
    SHOW(cuMemcpyDtoH(words, team, 4));
}
/* Copies of boxes, from all that has rows, in every way there is to ask for them. */
static void boxes(void)
{
    enum { WIDTH = 24, ROWS = 3, SLICES = 2, PITCH = 512 };
    static unsigned char from[SLICES][ROWS][WIDTH], got[SLICES * ROWS * PITCH];
    CUdeviceptr other;
    CUarray array, volume;
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node;
    size_t pitch;
    make();
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocPitch(&other, &pitch, WIDTH, ROWS * SLICES, 4));
    CUDA_ARRAY_DESCRIPTOR flat = { WIDTH / 4, ROWS, CU_AD_FORMAT_UNSIGNED_INT32, 1 };
    CUDA_ARRAY3D_DESCRIPTOR deep = { WIDTH / 4, ROWS, SLICES, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0 };
    OK(cuArrayCreate(&array, &flat));
    OK(cuArray3DCreate(&volume, &deep));
    for (int round = 0; round < 9; round++) {
        static const char *const names[] = { "rows from the host", "rows on a stream", "rows from a device", "rows from an array", "slices from the host",
                                             "slices on a stream", "slices from an array", "slices in a graph", "slices in a batch" };
        int slices = round < 4 ? 1 : SLICES;
        for (size_t i = 0; i < sizeof from; i++) from[i / WIDTH / ROWS][i / WIDTH % ROWS][i % WIDTH] = (unsigned char)(i * 7 + (size_t)round * 31 + 1);
        OK(cuMemsetD8(team, 0xee, sizeof got));
        /* The stream waits for nothing of the default stream's. */
        OK(cuCtxSynchronize());
        CUDA_MEMCPY2D rows = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = WIDTH, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = team,
                               .dstPitch = PITCH, .dstXInBytes = 8, .WidthInBytes = WIDTH, .Height = ROWS };
        CUDA_MEMCPY3D box = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = WIDTH, .srcHeight = ROWS, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                              .dstDevice = team, .dstPitch = PITCH, .dstHeight = ROWS, .dstXInBytes = 8, .WidthInBytes = WIDTH, .Height = ROWS, .Depth = SLICES };
        CUDA_MEMCPY2D to_array = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = WIDTH, .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = array,
                                   .WidthInBytes = WIDTH, .Height = ROWS };
        CUDA_MEMCPY3D to_volume = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = WIDTH, .srcHeight = ROWS, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                    .dstArray = volume, .WidthInBytes = WIDTH, .Height = ROWS, .Depth = SLICES };
        CUDA_MEMCPY2D to_other = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = WIDTH, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = other,
                                   .dstPitch = pitch, .WidthInBytes = WIDTH, .Height = ROWS };
        CUDA_MEMCPY3D_BATCH_OP op;
        memset(&op, 0, sizeof op);
        op.src.type = op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
        op.src.op.ptr.ptr = (CUdeviceptr)(size_t)from;
        op.src.op.ptr.rowLength = WIDTH;
        op.src.op.ptr.layerHeight = ROWS;
        op.dst.op.ptr.ptr = team + 8;
        op.dst.op.ptr.rowLength = PITCH;
        op.dst.op.ptr.layerHeight = ROWS;
        op.extent.width = WIDTH;
        op.extent.height = ROWS;
        op.extent.depth = SLICES;
        op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        CUresult r = CUDA_SUCCESS;
        switch (round) {
        case 0: r = cuMemcpy2D(&rows); break;
        case 1: r = cuMemcpy2DAsync(&rows, stream); break;
        case 2:
            OK(cuMemcpy2D(&to_other));
            rows.srcMemoryType = CU_MEMORYTYPE_DEVICE;
            rows.srcDevice = other;
            rows.srcPitch = pitch;
            r = cuMemcpy2DUnaligned(&rows);
            break;
        case 3:
            OK(cuMemcpy2D(&to_array));
            rows.srcMemoryType = CU_MEMORYTYPE_ARRAY;
            rows.srcArray = array;
            r = cuMemcpy2D(&rows);
            break;
        case 4: r = cuMemcpy3D(&box); break;
        case 5: r = cuMemcpy3DAsync(&box, stream); break;
        case 6:
            OK(cuMemcpy3D(&to_volume));
            OK(cuCtxSynchronize());
            box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
            box.srcArray = volume;
            r = cuMemcpy3DAsync(&box, stream);
            break;
        case 7:
            OK(cuGraphCreate(&graph, 0));
            OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &box, contexts[0]));
            OK(cuGraphInstantiate(&exec, graph, 0));
            r = cuGraphLaunch(exec, stream);
            OK(cuGraphExecDestroy(exec));
            OK(cuGraphDestroy(graph));
            break;
        default: r = cuMemcpy3DBatchAsync(1, &op, 0, stream); break;
        }
        printf("%s: %s,", names[round], name(r));
        OK(cuStreamSynchronize(stream));
        OK(cuCtxSynchronize());
        for (int d = 0; d < DEVICES; d++) {
            int right = 0, beside = 0;
            OK(cuMemcpyDtoH(got, own[d], sizeof got));
            for (int i = 0; i < SLICES * ROWS * PITCH; i++) {
                int x = i % PITCH - 8, y = i / PITCH % ROWS, z = i / PITCH / ROWS, inside = x >= 0 && x < WIDTH && z < slices;
                right += inside && got[i] == from[z][y][x];
                beside += !inside && got[i] != 0xee;
            }
            printf(" %d of %d right, %d beside%s", right, slices * ROWS * WIDTH, beside, d + 1 < DEVICES ? ";" : "\n");
        }
    }
    /* There is no memory to read. */
    CUDA_MEMCPY2D back = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = team, .srcPitch = PITCH, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = got,
                           .dstPitch = PITCH, .WidthInBytes = WIDTH, .Height = ROWS };
    SHOW(cuMemcpy2D(&back));
}
static void boxes_beyond(void)
{
    static unsigned char from[4 * 64];
    make();
    CUDA_MEMCPY2D rows = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = 64, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = team + 2 * MIB - 1024,
                           .dstPitch = 512, .WidthInBytes = 64, .Height = 4 };
    CUresult r = cuMemcpy2D(&rows);
    if (!r) r = cuCtxSynchronize();
    printf("%s\n", name(r));
}
static void copies_beyond(void)
{
    make();
    CUresult r = cuMemsetD8(team + 2 * MIB - 4, 1, 8);
    if (!r) r = cuCtxSynchronize();
    printf("%s\n", name(r));
}

static void plain(const char *body, int device)
{
    make();
    OK(cuCtxSetCurrent(contexts[device]));
    SHOW(run(body, team));
}
static void stores(void) { plain(plain_store, 0); }
static void loads(void) { plain(plain_load, 0); }
static void strangers(void) { plain(team_store, 2); }
static void unbound(void)
{
    make();
    SHOW(run(team_store, team + 2 * MIB - 4));
    SHOW(run(team_store, team + 2 * MIB));
}
static void taken(void)
{
    make();
    SHOW(cuMulticastUnbind(object, 1, 0, 2 * MIB));
    SHOW(run(team_store, team));
}
static void ordinary(void)
{
    make();
    SHOW(run(team_store, own[0]));
}
static void misaligned(void)
{
    make();
    SHOW(run(team_store, team + 2));
}

/* The memory checker takes multicast addresses for what they are. */
static void checked(const char *body, CUdeviceptr offset, int to_own)
{
    FILE *said = tmpfile();
    char line[1000];
    setenv("DOPPEL_CHECK", "memcheck,racecheck", 1);
    setenv("DOPPEL_LOG", "off", 1);
    make();
    if (!said || dup2(fileno(said), 2) < 0) exit(1);
    printf("%s\n", name(run(body, (to_own ? own[0] : team) + offset)));
    rewind(said);
    while (fgets(line, sizeof line, said))
        if (strstr(line, "invalid") || strstr(line, "multicast object")) printf("said: %s", line);
}
static void checked_right(void) { checked(team_load, 0, 0); }
static void checked_beyond(void) { checked(team_store, 2 * MIB, 0); }
static void checked_half(void) { checked(team_load, 2 * MIB - 4, 0); }
static void checked_plain(void) { checked(plain_store, 0, 0); }
static void checked_load(void) { checked(plain_load, 0, 0); }
static void checked_store_beyond(void) { checked(plain_store, 2 * MIB, 0); }
static void checked_ordinary(void) { checked(team_store, 0, 1); }
static void checked_own(void) { checked(plain_store, 0, 1); }

int main(void)
{
    apart("alone", alone);
    apart("errors", errors);
    apart("waits", waits);
    apart("life", life);
    apart("copies", copies);
    apart("copies of boxes", boxes);
    apart("copies beyond the memory", copies_beyond);
    apart("boxes beyond the memory", boxes_beyond);
    apart("an ordinary store", stores);
    apart("an ordinary load", loads);
    apart("a device without access", strangers);
    apart("without memory", unbound);
    apart("memory that was taken away", taken);
    apart("an ordinary address", ordinary);
    apart("a misaligned address", misaligned);
    apart("checked: right", checked_right);
    apart("checked: without memory", checked_beyond);
    apart("checked: half of it", checked_half);
    apart("checked: an ordinary store", checked_plain);
    apart("checked: an ordinary load", checked_load);
    apart("checked: an ordinary store without memory", checked_store_beyond);
    apart("checked: an ordinary address", checked_ordinary);
    apart("checked: a store to what is bound", checked_own);
    return 0;
}
