/* Memory pools: what the counters show, who gets freed memory when, what goes back to the system, who may reach it. */
#include <cuda.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MiB(n) ((size_t)(n) << 20)

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static unsigned long long attribute(CUmemoryPool pool, CUmemPool_attribute a)
{
    unsigned long long v = 0;
    cuMemPoolGetAttribute(pool, a, &v);
    return v;
}

static void usage(const char *when, CUmemoryPool pool)
{
    printf("%s: used %llu (at most %llu), reserved %llu MiB (at most %llu)\n", when, attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >> 20, attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) >> 20);
}

static CUresult create(CUmemoryPool *pool, int kind, int place, int id, unsigned handles, size_t most)
{
    CUmemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = (CUmemAllocationType)kind, p.handleTypes = (CUmemAllocationHandleType)handles;
    p.location.type = (CUmemLocationType)place, p.location.id = id, p.maxSize = most;
    return cuMemPoolCreate(pool, &p);
}

static CUmemoryPool plain(size_t most)
{
    CUmemoryPool pool = NULL;
    create(&pool, CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE, 0, 0, most);
    return pool;
}

static CUdeviceptr take(CUmemoryPool pool, size_t n, CUstream s)
{
    CUdeviceptr d = 0;
    cuMemAllocFromPoolAsync(&d, n, pool, s);
    return d;
}

/* A host function that holds a stream until the gate is open. */
static int gate;
static void CUDA_CB hold(void *p)
{
    (void)p;
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE)) usleep(50);
}
static void close_gate(CUstream s) { __atomic_store_n(&gate, 0, __ATOMIC_RELEASE); cuLaunchHostFunc(s, hold, NULL); }
static void open_gate(void) { __atomic_store_n(&gate, 1, __ATOMIC_RELEASE); }

static void counters(CUstream s)
{
    static const size_t sizes[] = { 1, 513, MiB(2), MiB(32) - 1, MiB(32) + 1, 100000000 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUmemoryPool pool = plain(0);
        unsigned long long all = ~0ull;
        cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
        CUdeviceptr a = take(pool, sizes[i], s), b = take(pool, sizes[i], s);
        printf("two of %zu\n", sizes[i]);
        usage("  live", pool);
        cuMemFreeAsync(a, s);
        cuMemFreeAsync(b, s);
        cuStreamSynchronize(s);
        usage("  freed", pool);
        cuMemPoolTrimTo(pool, 0);
        usage("  trimmed", pool);
        unsigned long long zero = 0;
        cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero);
        cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &zero);
        usage("  reset", pool);
        cuMemPoolDestroy(pool);
    }
}

static void release(CUstream s, CUstream other)
{
    static const unsigned long long limits[] = { 0, 1, MiB(32), MiB(32) + 1, MiB(64), ~0ull };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int trim = 0; trim < 2; trim++) {
            CUmemoryPool pool = plain(0);
            unsigned long long threshold = trim ? ~0ull : limits[i];
            cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
            cuMemFreeAsync(take(pool, MiB(90), s), s);
            cuStreamSynchronize(s);
            if (trim) cuMemPoolTrimTo(pool, limits[i]);
            printf("%s %llx", trim ? "trim to" : "threshold", limits[i]);
            usage("", pool);
            cuMemPoolDestroy(pool);
        }
    CUmemoryPool pool = plain(0);
    CUevent e;
    cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
    for (int who = 0; who < 4; who++) {
        static const char *const by[] = { "a query", "another stream", "an event behind the free", "the context" };
        cuMemFreeAsync(take(pool, MiB(3), s), s);
        cuEventRecord(e, s);
        if (who == 0) while (cuStreamQuery(s) == CUDA_ERROR_NOT_READY) usleep(100);
        if (who == 1) cuStreamSynchronize(other);
        if (who == 2) cuEventSynchronize(e);
        if (who == 3) cuCtxSynchronize();
        printf("waited by %s", by[who]);
        usage("", pool);
        cuCtxSynchronize();
    }
    cuEventDestroy(e);
    cuMemPoolDestroy(pool);
}

static void reuse(CUstream a, CUstream b)
{
    CUmemoryPool pool = plain(0);
    CUdeviceptr d = take(pool, MiB(1), a);
    cuMemFreeAsync(d, a);
    CUdeviceptr e = take(pool, MiB(1), a);
    printf("the same stream gets it back: %d\n", d == e);
    close_gate(a);
    cuMemFreeAsync(e, a);
    d = take(pool, MiB(1), b);
    printf("another stream, while the free is pending: %d\n", d == e);
    open_gate();
    cuStreamSynchronize(a);
    cuMemFreeAsync(d, b);
    cuStreamSynchronize(b);
    cuMemPoolDestroy(pool);

    pool = plain(MiB(32));
    d = take(pool, MiB(32), a);
    CUdeviceptr more = 1;
    printf("more than the pool may have: %s\n", name(cuMemAllocFromPoolAsync(&more, 1, pool, a)));
    printf("the address is %s\n", more ? "something" : "0");
    close_gate(a);
    cuMemFreeAsync(d, a);
    e = take(pool, MiB(32), b);
    printf("another stream gets all of a full pool: %d, and waits: %s\n", d == e, name(cuStreamQuery(b)));
    cuMemsetD8Async(e, 7, 1000, b);
    open_gate();
    cuStreamSynchronize(b);
    cuMemFreeAsync(e, b);
    cuStreamSynchronize(b);
    cuMemPoolDestroy(pool);

    /* Only what the program ordered: an event. */
    pool = plain(0);
    int off = 0;
    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &off);
    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &off);
    CUevent event;
    cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    d = take(pool, MiB(1), a);
    close_gate(a);
    cuMemFreeAsync(d, a);
    cuEventRecord(event, a);
    cuStreamWaitEvent(b, event, 0);
    e = take(pool, MiB(1), b);
    printf("a stream that waits for an event behind the free gets it: %d\n", d == e);
    open_gate();
    cuStreamSynchronize(b);
    cuMemFreeAsync(e, b);
    cuStreamSynchronize(b);
    cuEventDestroy(event);
    cuMemPoolDestroy(pool);
}

/* Work that was given before the free sees the memory. */
static void order(CUstream s)
{
    CUmemoryPool pool = plain(0);
    unsigned char host[4096];
    close_gate(s);
    CUdeviceptr d = take(pool, sizeof host, s);
    cuMemsetD8Async(d, 0x5a, sizeof host, s);
    CUdeviceptr ordinary;
    cuMemAlloc(&ordinary, sizeof host);
    cuMemcpyDtoDAsync(ordinary, d, sizeof host, s);
    printf("free behind held work: %s\n", name(cuMemFreeAsync(d, s)));
    printf("again: %s\n", name(cuMemFreeAsync(d, s)));
    printf("new work on it: %s\n", name(cuMemsetD8Async(d, 1, 16, s)));
    open_gate();
    printf("synchronize: %s\n", name(cuStreamSynchronize(s)));
    /* Not earlier: a pool that is destroyed while a free is pending leaves driver 580 with a damaged heap. */
    printf("pool destroyed: %s\n", name(cuMemPoolDestroy(pool)));
    cuMemcpyDtoH(host, ordinary, sizeof host);
    int wrong = 0;
    for (size_t i = 0; i < sizeof host; i++) wrong += host[i] != 0x5a;
    printf("wrong bytes: %d\n", wrong);
    close_gate(s);
    printf("ordinary memory freed in stream order: %s\n", name(cuMemFreeAsync(ordinary, s)));
    open_gate();
    cuStreamSynchronize(s);
    CUdeviceptr managed;
    cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL);
    printf("managed memory: %s\n", name(cuMemFreeAsync(managed, s)));
    cuMemFree(managed);
    printf("nothing: %s, an invented address: %s\n", name(cuMemFreeAsync(0, s)), name(cuMemFreeAsync(0x1000, s)));
}

static void kinds(void)
{
    for (int kind = 0; kind <= 3; kind++)
        for (int place = 0; place <= 4; place++)
            for (unsigned handles = 0; handles < 2; handles++) {
                CUmemoryPool pool = NULL;
                CUresult r = create(&pool, kind, place, 0, handles, 0);
                printf("type %d at %d%s: %s", kind, place, handles ? " to share" : "", name(r));
                for (int who = 1; !r && who <= 3; who++) {
                    CUmemLocation l;
                    memset(&l, 0, sizeof l);
                    l.type = (CUmemLocationType)who;
                    CUmemAccess_flags f = 9;
                    cuMemPoolGetAccess(&f, pool, &l);
                    printf(" %d", f);
                }
                putchar('\n');
                for (int who = 1; !r && who <= 3; who++)
                    for (int f = 0; f < 4; f++) {
                        CUmemAccessDesc d;
                        memset(&d, 0, sizeof d);
                        d.location.type = (CUmemLocationType)who, d.flags = (CUmemAccess_flags)f;
                        printf("  %d for %d: %s\n", f, who, name(cuMemPoolSetAccess(pool, &d, 1)));
                    }
                if (!r) cuMemPoolDestroy(pool);
            }
    static const struct { int kind, place, id; unsigned handles; } odd[] = { { 1, 1, 77, 0 }, { 1, 1, -1, 0 }, { 1, 3, 99, 0 }, { 1, 9, 0, 0 }, { 1, 1, 0, 2 }, { 1, 1, 0, 16 } };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        CUmemoryPool pool;
        printf("type %d at %d:%d handles %u: %s\n", odd[i].kind, odd[i].place, odd[i].id, odd[i].handles, name(create(&pool, odd[i].kind, odd[i].place, odd[i].id, odd[i].handles, 0)));
    }
}

static void current(void)
{
    CUmemoryPool first, now, pool = plain(0);
    cuDeviceGetDefaultMemPool(&first, 0);
    cuDeviceGetMemPool(&now, 0);
    printf("the default pool is in use: %d; destroy it: %s\n", now == first, name(cuMemPoolDestroy(first)));
    printf("use another: %s\n", name(cuDeviceSetMemPool(0, pool)));
    CUdeviceptr d;
    cuMemAllocAsync(&d, 1000, NULL);
    CUmemoryPool from;
    cuPointerGetAttribute(&from, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, d);
    printf("memory comes from it: %d\n", from == pool);
    cuMemFree(d);
    cuMemPoolDestroy(pool);
    cuDeviceGetMemPool(&now, 0);
    printf("destroyed: the default is in use again: %d\n", now == first);
    for (int kind = 0; kind <= 2; kind++)
        for (int place = 0; place <= 5; place++) {
            CUmemLocation l;
            memset(&l, 0, sizeof l);
            l.type = (CUmemLocationType)place;
            CUmemoryPool a = NULL, b = NULL;
            CUresult r = cuMemGetDefaultMemPool(&a, &l, (CUmemAllocationType)kind);
            printf("type %d at %d: %s", kind, place, name(r));
            r = cuMemGetMemPool(&b, &l, (CUmemAllocationType)kind);
            printf(" %s %d\n", name(r), a == b);
        }
    d = 1;
    CUresult r = cuMemAllocAsync(&d, 0, NULL);
    printf("no bytes: %s %d\n", name(r), (int)d);
    d = 1;
    r = cuMemAllocFromPoolAsync(&d, 8, NULL, NULL);
    printf("no pool: %s %d\n", name(r), (int)d);
    printf("no output: %s\n", name(cuMemAllocAsync(NULL, 8, NULL)));
}

/* Several threads, one pool: nobody sees another's bytes. */
static CUmemoryPool common;
static CUcontext context;
static void *worker(void *p)
{
    unsigned char me = (unsigned char)(uintptr_t)p;
    size_t wrong = 0;
    cuCtxSetCurrent(context);
    CUstream s;
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    unsigned seed = me;
    for (int i = 0; i < 300; i++) {
        size_t n = 1 + (size_t)rand_r(&seed) % 60000;
        CUdeviceptr d = take(common, n, s);
        cuMemsetD8Async(d, me, n, s);
        unsigned char ends[2] = { 0, 0 };
        cuMemcpyDtoHAsync(&ends[0], d, 1, s);
        cuMemcpyDtoHAsync(&ends[1], d + n - 1, 1, s);
        if (cuMemFreeAsync(d, s) || (i % 16 == 0 && cuStreamSynchronize(s))) wrong++;
        cuStreamSynchronize(s);
        wrong += ends[0] != me || ends[1] != me;
    }
    cuStreamDestroy(s);
    return (void *)(uintptr_t)wrong;
}

/* Memory that is freed in no stream's order counts as used ever after, and what is too much goes back at once. */
static void freed_aside(CUstream s)
{
    CUmemoryPool pool = plain(0);
    CUdeviceptr a = take(pool, 1000, s), b = take(pool, 5000, s);
    usage("aside: two", pool);
    cuMemFree(a);
    usage("one freed aside", pool);
    cuMemFreeAsync(b, s);
    usage("one in order", pool);
    cuStreamSynchronize(s);
    usage("synchronised", pool);
    a = take(pool, 3000, s);
    cuMemFree(a);
    usage("another, freed aside", pool);
    unsigned long long zero = 0;
    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero);
    usage("set back", pool);
    cuMemPoolDestroy(pool);
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location.type = CU_MEM_LOCATION_TYPE_DEVICE, d.location.id = -1, d.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    pool = plain(0);
    printf("to read, for no device: %s", name(cuMemPoolSetAccess(pool, &d, 1)));
    d.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    printf(", to read and write: %s\n", name(cuMemPoolSetAccess(pool, &d, 1)));
    cuMemPoolDestroy(pool);
    for (int place = 0; place < 6; place++) printf("managed memory at %d, with a limit: %s\n", place, name(create(&pool, CU_MEM_ALLOCATION_TYPE_MANAGED, place, 0, 0, 4096)));
}

static void threads(void)
{
    pthread_t t[4];
    common = plain(0);
    for (uintptr_t i = 0; i < 4; i++) pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    size_t wrong = 0;
    for (int i = 0; i < 4; i++) {
        void *w;
        pthread_join(t[i], &w);
        wrong += (uintptr_t)w;
    }
    printf("threads: wrong %zu, used %llu\n", wrong, attribute(common, CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
    cuMemPoolDestroy(common);
}

int main(void)
{
    CUstream a, b;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    cuStreamCreate(&a, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&b, CU_STREAM_NON_BLOCKING);
    counters(a);
    release(a, b);
    reuse(a, b);
    order(a);
    kinds();
    current();
    freed_aside(a);
    threads();
    cuStreamDestroy(a);
    cuStreamDestroy(b);
    cuDevicePrimaryCtxRelease(0);
    return 0;
}
