/* Threads make, use and destroy objects that the others may be destroying at the same moment, and guess addresses. When all
 * is given back, the devices have all their memory again, and the process its descriptors: nothing is counted off twice,
 * nothing forgotten. GIVE_BACK_TURNS: how many things a thread does, if it does not take too long, GIVE_BACK_SEED: which. */
#include "check.h"
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

enum kind { MEMORY, ARRAY, MIPMAPPED, POOL, POOLED, PHYSICAL, MAPPED, OUTSIDE, CONTEXT, STREAM, TEXTURE, HOST, GRAPH, EXEC, EVENT, KINDS };
/* LONGEST: seconds of a round. */
enum { SLOTS = 4, THREADS = 4, CHUNK = 2 << 20, LONGEST = 3 };

static _Atomic uint64_t slots[KINDS][SLOTS];

/* Everything that was made: whoever destroys something may be refused. */
enum { MOST = 1 << 16 };
static struct { enum kind kind; uint64_t it; } made[MOST];
static atomic_int made_count;

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x * 0x2545f4914f6cdd1d >> 16;
}

static void unmap(CUdeviceptr at)
{
    cuMemUnmap(at, CHUNK);
    cuMemAddressFree(at, CHUNK);
}

static void destroy(enum kind kind, uint64_t it)
{
    CUdeviceptr address = it;
    if (!it) return;
    switch (kind) {
    case MEMORY:
    case OUTSIDE:
        cuMemFree(address);
        break;
    case ARRAY:
        cuArrayDestroy((CUarray)it);
        break;
    case MIPMAPPED:
        cuMipmappedArrayDestroy((CUmipmappedArray)it);
        break;
    case POOL:
        cuMemPoolDestroy((CUmemoryPool)it);
        break;
    case POOLED:
        if (cuMemFreeAsync(address, 0)) cuMemFree(address);
        break;
    case PHYSICAL:
        cuMemRelease(it);
        break;
    case MAPPED:
        unmap(address);
        break;
    case CONTEXT:
        cuCtxDestroy((CUcontext)it);
        break;
    case STREAM:
        cuStreamDestroy((CUstream)it);
        break;
    case TEXTURE:
        cuTexObjectDestroy(it);
        break;
    case HOST:
        cuMemFreeHost((void *)it);
        break;
    case GRAPH:
        cuGraphDestroy((CUgraph)it);
        break;
    case EXEC:
        cuGraphExecDestroy((CUgraphExec)it);
        break;
    case EVENT:
        cuEventDestroy((CUevent)it);
        break;
    default:
        break;
    }
}

/* What some slot holds, alive or not. */
static uint64_t some(enum kind kind, uint64_t *x)
{
    return atomic_load(&slots[kind][next(x) % SLOTS]);
}

static uint64_t make_physical(uint64_t *x, int device, int shared)
{
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}},
                                .requestedHandleTypes = shared ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0};
    CUmemGenericAllocationHandle handle = 0;
    (void)x;
    return cuMemCreate(&handle, CHUNK, &prop, 0) ? 0 : handle;
}

static uint64_t make(enum kind kind, uint64_t *x)
{
    static const size_t sizes[] = {100, 4096, 600000, 3 << 20, 9 << 20};
    size_t size = sizes[next(x) % 5];
    CUdeviceptr address = 0;
    int device = next(x) % 2;
    switch (kind) {
    case MEMORY:
        return cuMemAlloc(&address, size) ? 0 : address;
    case ARRAY: {
        CUarray array = 0;
        CUDA_ARRAY3D_DESCRIPTOR shape = {16 << next(x) % 6, 16, next(x) % 3, CU_AD_FORMAT_FLOAT, 1, 0};
        return cuArray3DCreate(&array, &shape) ? 0 : (uint64_t)array;
    }
    case MIPMAPPED: {
        CUmipmappedArray array = 0;
        CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0};
        return cuMipmappedArrayCreate(&array, &shape, 4) ? 0 : (uint64_t)array;
    }
    case POOL: {
        CUmemoryPool pool = 0;
        CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .handleTypes = next(x) % 2 ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}}};
        cuuint64_t threshold = next(x) % 2 ? UINT64_MAX : 0;
        if (cuMemPoolCreate(&pool, &props)) return 0;
        cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
        return (uint64_t)pool;
    }
    case POOLED:
        return cuMemAllocFromPoolAsync(&address, size, (CUmemoryPool)some(POOL, x), 0) ? 0 : address;
    case PHYSICAL:
        return make_physical(x, device, next(x) % 2);
    case MAPPED: {
        CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, {device}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        if (cuMemAddressReserve(&address, CHUNK, 0, 0, 0)) return 0;
        if (cuMemMap(address, CHUNK, 0, some(PHYSICAL, x), 0)) {
            cuMemAddressFree(address, CHUNK);
            return 0;
        }
        cuMemSetAccess(address, CHUNK, &access, 1);
        cuMemsetD8(address, 1, 4096);
        return address;
    }
    case OUTSIDE: {
        CUexternalMemory memory;
        int fd = memfd_create("outside", MFD_CLOEXEC);
        CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
            .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle = {.fd = fd}, .size = CHUNK};
        CUDA_EXTERNAL_MEMORY_BUFFER_DESC all = {.size = CHUNK};
        if (ftruncate(fd, CHUNK) || cuImportExternalMemory(&memory, &desc)) {
            close(fd);
            return 0;
        }
        if (cuExternalMemoryGetMappedBuffer(&address, memory, &all)) address = 0;
        cuDestroyExternalMemory(memory);
        return address;
    }
    case CONTEXT: {
        CUcontext context = 0;
        return cuCtxCreate_v2(&context, 0, device) ? 0 : (uint64_t)context;
    }
    case STREAM: {
        CUstream stream = 0;
        return cuStreamCreate(&stream, next(x) % 2) ? 0 : (uint64_t)stream;
    }
    case TEXTURE: {
        CUtexObject texture = 0;
        CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = (CUarray)some(ARRAY, x)};
        CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
        return cuTexObjectCreate(&texture, &resource, &how, NULL) ? 0 : texture;
    }
    case HOST: {
        void *host = NULL;
        return cuMemAllocHost(&host, size) ? 0 : (uint64_t)host;
    }
    case GRAPH: {
        CUgraph graph = 0;
        CUgraphNode node, last;
        CUDA_MEM_ALLOC_NODE_PARAMS params = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                           .location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}}},
                                             .bytesize = size};
        CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                              .srcArray = (CUarray)some(ARRAY, x),
                              .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                              .dstDevice = some(MEMORY, x),
                              .WidthInBytes = 64,
                              .Height = 1,
                              .Depth = 1};
        CUcontext context = 0;
        if (cuGraphCreate(&graph, 0)) return 0;
        cuCtxGetCurrent(&context);
        cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context);
        if (next(x) % 2 && !cuGraphAddMemAllocNode(&node, graph, NULL, 0, &params))
            cuGraphAddMemFreeNode(&last, graph, &node, 1, params.dptr);
        return (uint64_t)graph;
    }
    case EXEC: {
        CUgraphExec exec = 0;
        return cuGraphInstantiate(&exec, (CUgraph)some(GRAPH, x), 0) ? 0 : (uint64_t)exec;
    }
    case EVENT: {
        CUevent event = 0;
        return cuEventCreate(&event, 0) ? 0 : (uint64_t)event;
    }
    default:
        return 0;
    }
}

static void note(enum kind kind, uint64_t it)
{
    int i = atomic_fetch_add(&made_count, 1);
    if (i >= MOST) exit(2);
    made[i].kind = kind;
    made[i].it = it;
}

static uint64_t make_and_note(enum kind kind, uint64_t *x)
{
    uint64_t it = make(kind, x);
    if (it) note(kind, it);
    return it;
}

/* Something that takes a while, in a stream that somebody may be destroying. */
static void CUDA_CB pause_a_little(void *data)
{
    (void)data;
    usleep(200);
}

/* A capture, of which others may destroy the stream, the graph and what is in it. */
static void capture(CUstream stream, const CUDA_MEMCPY3D *copy, uint64_t *x)
{
    CUstreamCaptureStatus status;
    CUgraph graph = 0;
    CUevent event = (CUevent)some(EVENT, x);
    uint64_t of_others = some(GRAPH, x);
    CUgraphNode node;
    int into = next(x) % 3 == 0;
    if (into ? cuStreamBeginCaptureToGraph(stream, (CUgraph)of_others, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_RELAXED)
             : cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED))
        return;
    cuStreamGetCaptureInfo(stream, &status, NULL, &graph, NULL, NULL, NULL);
    if (next(x) % 8 == 0) cuGraphDestroy(graph);
    for (int i = 0; i < 4; i++) {
        switch (next(x) % 5) {
        case 0:
            cuEventRecord(event, stream);
            break;
        case 1:
            cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL);
            break;
        case 2:
            cuStreamWaitEvent((CUstream)some(STREAM, x), event, 0);
            break;
        default:
            cuMemcpy3DAsync(copy, stream);
        }
    }
    if (next(x) % 8 == 0) cuGraphDestroy(graph);
    if (next(x) % 4 == 0 && !cuGraphAddChildGraphNode(&node, (CUgraph)some(GRAPH, x), NULL, 0, graph)) {
        CUgraph copied;
        if (!cuGraphClone(&copied, (CUgraph)some(GRAPH, x))) note(GRAPH, (uint64_t)copied);
        cuGraphDestroyNode(node);
    }
    graph = 0;
    if (!cuStreamEndCapture(stream, &graph) && graph && !into) destroy(GRAPH, atomic_exchange(&slots[GRAPH][next(x) % SLOTS], (uint64_t)graph));
    if (graph) note(GRAPH, (uint64_t)graph);
}

static void use(uint64_t *x)
{
    CUstream stream = (CUstream)some(STREAM, x);
    CUdeviceptr address = some(MEMORY, x);
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = address,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = (CUarray)some(ARRAY, x),
                          .WidthInBytes = 64,
                          .Height = 1,
                          .Depth = 1};
    CUmemoryPool pool = (CUmemoryPool)some(POOL, x), again;
    CUipcMemHandle handle;
    int fd;
    switch (next(x) % 11) {
    case 0:
        cuLaunchHostFunc(stream, pause_a_little, NULL);
        break;
    case 1:
        cuMemcpy3DAsync(&copy, stream);
        break;
    case 2:
        cuMemsetD8Async(address, 7, 100, stream);
        break;
    case 3:
        cuMemPoolTrimTo(pool, 0);
        break;
    case 4:
        cuStreamSynchronize(stream);
        break;
    case 5:
        cuIpcGetMemHandle(&handle, address);
        break;
    case 6:
        if (cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)) break;
        if (!cuMemPoolImportFromShareableHandle(&again, (void *)(uintptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0))
            cuMemPoolDestroy(again);
        close(fd);
        break;
    case 7:
        cuGraphLaunch((CUgraphExec)some(EXEC, x), stream);
        break;
    case 8:
    case 9:
        capture(stream, &copy, x);
        break;
    default:
        if (next(x) % 20 == 0) cuDevicePrimaryCtxReset(next(x) % 2);
        break;
    }
}

static void enter(uint64_t *x)
{
    CUcontext context = (CUcontext)some(CONTEXT, x);
    int device = next(x) % 2;
    if (next(x) % 2 && context && !cuCtxSetCurrent(context)) return;
    if (!cuDevicePrimaryCtxRetain(&context, device)) cuCtxSetCurrent(context);
}

static int turns = 1500;
static uint64_t seed = 1;

static void *thread(void *number)
{
    uint64_t x = 88172645463325252u * (seed * THREADS + (uintptr_t)number + 1);
    time_t end = time(NULL) + LONGEST;
    for (int i = 0; i < turns && time(NULL) < end; i++) {
        /* Memory of others, which costs the device nothing, comes and goes at the same addresses as its own. */
        enum kind kind = next(&x) % 4 ? next(&x) % KINDS : next(&x) % 3 ? OUTSIDE : MEMORY;
        _Atomic uint64_t *slot = &slots[kind][next(&x) % SLOTS];
        if (i % 16 == 0) enter(&x);
        /* Contexts take most with them: not so often. */
        if (kind == CONTEXT && next(&x) % 6) continue;
        switch (next(&x) % 8) {
        case 0:
        case 1:
        case 2:
        case 3:
            destroy(kind, atomic_exchange(slot, make_and_note(kind, &x)));
            break;
        case 4:
            /* Its owner does not know. */
            destroy(kind, atomic_load(slot));
            break;
        default:
            use(&x);
        }
    }
    cuCtxSetCurrent(NULL);
    return NULL;
}

static int descriptors(void)
{
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    while (readdir(all)) count++;
    closedir(all);
    return count;
}

/* Bytes in use on a device of which everything was given back. */
static size_t used(int device)
{
    size_t free = 0, total = 0;
    CUcontext context;
    CUmemoryPool pool;
    OK(cuDeviceGetDefaultMemPool(&pool, device));
    OK(cuCtxCreate_v2(&context, 0, device));
    OK(cuCtxSynchronize());
    OK(cuMemPoolTrimTo(pool, 0));
    OK(cuDeviceGraphMemTrim(device));
    /* Work of streams that are gone may be on its way still, and holds what it uses. */
    for (int i = 0; i < 300; i++) {
        OK(cuMemGetInfo(&free, &total));
        if (free == total) break;
        usleep(10000);
        OK(cuMemPoolTrimTo(pool, 0));
        OK(cuDeviceGraphMemTrim(device));
    }
    OK(cuCtxDestroy(context));
    return total - free;
}

static void clear(void)
{
    static const enum kind order[] = {EXEC,   GRAPH, TEXTURE, EVENT, STREAM, POOLED,   MAPPED, OUTSIDE,
                                      MEMORY, HOST,  ARRAY,   POOL,   PHYSICAL, MIPMAPPED};
    CUcontext context;
    int count = atomic_exchange(&made_count, 0);
    for (int i = 0; i < count; i++)
        if (made[i].kind == CONTEXT) cuCtxDestroy((CUcontext)made[i].it);
    for (int device = 0; device < 2; device++) {
        while (!cuDevicePrimaryCtxRelease(device)) continue;
        OK(cuDevicePrimaryCtxReset(device));
    }
    OK(cuCtxCreate_v2(&context, 0, 0));
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        for (int j = 0; j < count; j++)
            if (made[j].kind == order[i]) destroy(order[i], made[j].it);
    memset(slots, 0, sizeof(slots));
    OK(cuCtxDestroy(context));
}

int main(void)
{
    pthread_t threads[THREADS];
    int before = 0;
    char device[64] = "";
    /* What happens to captures would be told. */
    setenv("DOPPEL_LOG", "off", 1);
    setenv("DOPPEL_DEVICES", "2", 0);
    /* Sooner or later the device finds nothing at an address. */
    setenv("DOPPEL_FAILURE", "contexts", 1);
    setenv("DOPPEL_DEVICE_MEMORY", "1GiB", 0);
    if (getenv("GIVE_BACK_TURNS")) turns = atoi(getenv("GIVE_BACK_TURNS"));
    if (getenv("GIVE_BACK_SEED")) seed = atoi(getenv("GIVE_BACK_SEED"));
    OK(cuInit(0));
    OK(cuDeviceGetName(device, sizeof(device), 0));
    if (strncmp(device, "Doppel", 6)) skip("a real driver does not survive the use of handles that are gone");
    /* The first round makes what stays: threads, and the file that all physical memory shares. */
    for (int round = 0; round < 4; round++) {
        for (uintptr_t i = 0; i < THREADS; i++)
            if (pthread_create(&threads[i], NULL, thread, (void *)(round * THREADS + i))) return 1;
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        clear();
        for (int device = 0; device < 2; device++) printf("device %d: %zu bytes in use\n", device, used(device));
        if (round == 0) before = descriptors();
        else printf("descriptors: %s\n", descriptors() <= before + 1 ? "as before" : "more");
    }
    return 0;
}
