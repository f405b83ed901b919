/* Stream capture: what becomes a node, forks and joins, and what spoils a capture. */
#include <cuda.h>
#include <cudaProfiler.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))
/* Set-up that has to work. */
#define OK(call) ok(call, #call)
static void ok(CUresult r, const char *what)
{
    if (r) {
        printf("FAILED %s: %s\n", what, name(r));
        exit(1);
    }
}

static CUcontext ctx;
static void begin(void)
{
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    OK(cuCtxSetCurrent(ctx));
}
static CUdeviceptr d;
static int calls;
static void CUDA_CB count(void *p) { __atomic_add_fetch((int *)p, 1, __ATOMIC_SEQ_CST); }
static CUstream a, b;
static CUevent e, f;

static void status(const char *what, CUstream s)
{
    CUstreamCaptureStatus st = (CUstreamCaptureStatus)9;
    CUresult r = cuStreamIsCapturing(s, &st);
    printf("%s: %s, status %d\n", what, name(r), (int)st);
}
static void finish(CUstream s)
{
    CUgraph g = (CUgraph)8;
    CUresult r = cuStreamEndCapture(s, &g);
    size_t n = 0, edges = 0;
    printf("end: %s", name(r));
    if (!r) {
        OK(cuGraphGetNodes(g, NULL, &n));
        OK(cuGraphGetEdges(g, NULL, NULL, NULL, &edges));
        printf(", %zu nodes, %zu edges", n, edges);
        OK(cuGraphDestroy(g));
    } else {
        printf(", graph %s", !g ? "NULL" : g == (CUgraph)8 ? "untouched" : "set");
    }
    printf("\n");
}

static void replay(void)
{
    CUgraph g;
    CUgraphExec x;
    int v = 5;
    printf("-- replay\n");
    SHOW(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuStreamBeginCapture(a, (CUstreamCaptureMode)7));
    SHOW(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    SHOW(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    status("a", a);
    SHOW(cuMemsetD32Async(d, 1, 16, a));
    SHOW(cuMemcpyDtoDAsync(d + 64, d, 64, a));
    SHOW(cuLaunchHostFunc(a, count, &calls));
    OK(cuStreamEndCapture(a, &g));
    printf("called %d times\n", calls);
    OK(cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++) OK(cuGraphLaunch(x, a));
    OK(cuStreamSynchronize(a));
    OK(cuMemcpyDtoH(&v, d + 64, 4));
    printf("called %d times, %d\n", calls, v);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

static void forks(void)
{
    printf("-- fork and join\n");
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD8Async(d, 1, 16, a));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    status("b", b);
    OK(cuMemsetD8Async(d + 64, 2, 16, b));
    OK(cuMemsetD8Async(d + 128, 3, 16, a));
    OK(cuEventRecord(f, b));
    OK(cuStreamWaitEvent(a, f, 0));
    OK(cuMemsetD8Async(d + 192, 4, 16, a));
    finish(a);
    status("b", b);

    printf("-- not joined\n");
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD8Async(d, 1, 16, a));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(cuMemsetD8Async(d + 64, 2, 16, b));
    finish(a);
    status("b", b);

    printf("-- ended elsewhere\n");
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    finish(b);
    finish(a);

    printf("-- two captures\n");
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuStreamBeginCapture(b, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuEventRecord(e, a));
    SHOW(cuStreamWaitEvent(b, e, 0));
    finish(a);
    finish(b);
}

/* A forked stream may go before the capture ends: what it gave has to be joined all the same. Events may go, too. */
static void destroyed(void)
{
    static const char *const what[] = { "destroyed when joined", "not joined", "destroyed without work", "joined after its end",
                                        "joined through a third", "more work after the join", "their events", "another one after it" };
    for (int how = 0; how < 8; how++)
        for (unsigned flags = 0; flags < 2; flags++) {
            CUstream first, s, t;
            CUevent out, back;
            printf("-- %s, %s\n", what[how], flags ? "non-blocking" : "blocking");
            OK(cuStreamCreate(&first, flags));
            OK(cuStreamCreate(&s, flags));
            OK(cuStreamCreate(&t, flags));
            OK(cuEventCreate(&out, CU_EVENT_DISABLE_TIMING));
            OK(cuEventCreate(&back, CU_EVENT_DISABLE_TIMING));
            OK(cuStreamBeginCapture(first, (CUstreamCaptureMode)(how % 3)));
            OK(cuMemsetD8Async(d, 1, 16, first));
            OK(cuEventRecord(out, first));
            OK(cuStreamWaitEvent(s, out, 0));
            if (how != 2) OK(cuMemsetD8Async(d + 64, 2, 16, s));
            OK(cuEventRecord(back, s));
            if (how == 0 || how == 5 || how == 7) OK(cuStreamWaitEvent(first, back, 0));
            if (how == 5) OK(cuMemsetD8Async(d + 128, 3, 16, s));
            if (how == 6) {
                SHOW(cuEventDestroy(out));
                SHOW(cuStreamWaitEvent(first, back, 0));
                SHOW(cuEventDestroy(back));
            }
            SHOW(cuStreamDestroy(s));
            status("the first", first);
            if (how == 3) SHOW(cuStreamWaitEvent(first, back, 0));
            if (how == 4) {
                SHOW(cuStreamWaitEvent(t, back, 0));
                OK(cuEventRecord(out, t));
                SHOW(cuStreamWaitEvent(first, out, 0));
            }
            if (how == 7) {
                SHOW(cuEventRecord(out, first));
                SHOW(cuStreamWaitEvent(t, out, 0));
                OK(cuMemsetD8Async(d + 128, 3, 16, t));
                SHOW(cuEventRecord(out, t));
                SHOW(cuStreamWaitEvent(first, out, 0));
            }
            finish(first);
            OK(cuStreamDestroy(first));
            status("the third", t);
            OK(cuStreamDestroy(t));
            SHOW(cuMemsetD8Async(d, 0, 16, NULL));
        }
    OK(cuCtxSynchronize());
}

/* Modules are loaded during captures, too: outright, and by whatever needs a library's code in a context for the first time. */
static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 word = 5;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared = 6;\n"
    ".visible .entry sum(.param .u64 p) {\n"
    "    .reg .u64 %d; .reg .u32 %r<3>; ld.param.u64 %d, [p]; ld.global.u32 %r1, [word]; ld.global.u32 %r2, [shared];\n"
    "    add.u32 %r1, %r1, %r2; st.global.u32 [%d], %r1; ret; }\n";
static CUmodule loaded;
static CUlibrary library;
static void launch_sum(CUfunction f)
{
    SHOW(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, (void *[]){&d}, NULL));
}
static void load(int how)
{
    CUfunction f;
    CUkernel k;
    CUmodule m;
    CUdeviceptr p;
    size_t bytes;
    switch (how) {
    case 0:
        SHOW(cuModuleLoadData(&loaded, code));
        SHOW(cuModuleGetFunction(&f, loaded, "sum"));
        SHOW(cuModuleGetGlobal(&p, &bytes, loaded, "word"));
        launch_sum(f);
        break;
    case 1:
        SHOW(cuLibraryGetKernel(&k, library, "sum"));
        launch_sum((CUfunction)k);
        break;
    case 2:
        OK(cuLibraryGetKernel(&k, library, "sum"));
        SHOW(cuKernelGetFunction(&f, k));
        launch_sum(f);
        break;
    case 3:
        SHOW(cuLibraryGetGlobal(&p, &bytes, library, "word"));
        SHOW(cuLibraryGetManaged(&p, &bytes, library, "shared"));
        SHOW(cuLibraryGetModule(&m, library));
        SHOW(cuModuleGetFunction(&f, m, "sum"));
        launch_sum(f);
        break;
    default: {
        CUlibrary another;
        SHOW(cuLibraryLoadData(&another, code, NULL, NULL, 0, NULL, NULL, 0));
        SHOW(cuLibraryGetKernel(&k, another, "sum"));
        launch_sum((CUfunction)k);
    }
    }
}
static void *load_there(void *how)
{
    OK(cuCtxSetCurrent(ctx));
    load(*(int *)how);
    return NULL;
}
static void loads(void)
{
    for (int mode = 0; mode < 3; mode++)
        for (int how = 0; how < 5; how++)
            for (int thread = 0; thread < 2; thread++) {
                CUgraph g;
                CUgraphExec x;
                unsigned v = 0;
                printf("-- loads in mode %d, number %d, %s\n", mode, how, thread ? "in another thread" : "in the same thread");
                OK(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
                OK(cuMemsetD32(d, 0, 1));
                OK(cuCtxSynchronize());
                OK(cuStreamBeginCapture(a, (CUstreamCaptureMode)mode));
                if (thread) {
                    pthread_t t;
                    pthread_create(&t, NULL, load_there, &how);
                    pthread_join(t, NULL);
                } else {
                    load(how);
                }
                SHOW(cuStreamEndCapture(a, &g));
                SHOW(cuGraphInstantiate(&x, g, 0));
                SHOW(cuGraphLaunch(x, a));
                SHOW(cuStreamSynchronize(a));
                OK(cuMemcpyDtoH(&v, d, 4));
                printf("%u\n", v);
                OK(cuGraphExecDestroy(x));
                OK(cuGraphDestroy(g));
                if (how == 0) OK(cuModuleUnload(loaded));
                OK(cuLibraryUnload(library));
            }
}

static CUresult free_call(int k)
{
    CUdeviceptr x;
    size_t n;
    switch (k) {
    case 0: return cuStreamQuery(a);
    case 1: return cuStreamSynchronize(b);
    case 2: return cuMemAlloc(&x, 16);
    case 3: return cuEventQuery(e);
    case 4: return cuMemsetD8(d + 64, 1, 16);
    case 5: return cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, d);
    case 6: return cuStreamAddCallback(a, NULL, NULL, 1);
    default: return cuStreamWaitEvent(a, f, 0);
    }
}
static void spoilt(void)
{
    static const char *const what[] = { "query of the stream", "synchronise another stream", "allocate", "query of a captured event", "fill on the default stream", "pointer attribute", "wrong callback", "wait for an event from outside" };
    OK(cuEventRecord(f, b));
    OK(cuStreamSynchronize(b));
    for (int k = 0; k < 8; k++) {
        printf("-- %s\n", what[k]);
        OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
        OK(cuMemsetD8Async(d, 1, 16, a));
        OK(cuEventRecord(e, a));
        printf("%s\n", name(free_call(k)));
        status("a", a);
        finish(a);
    }
}

/* What may be called while a capture of the strict modes is on, whatever the stream and the arguments. */
#define TRY(call) do { \
        OK(cuCtxSynchronize()); \
        OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)); \
        CUresult r_ = (call); \
        CUstreamCaptureStatus st_ = (CUstreamCaptureStatus)9; \
        OK(cuStreamIsCapturing(a, &st_)); \
        printf("%s: %s%s\n", #call, name(r_), st_ == CU_STREAM_CAPTURE_STATUS_ACTIVE ? "" : ", spoilt"); \
        CUgraph g_; \
        if (!cuStreamEndCapture(a, &g_)) OK(cuGraphDestroy(g_)); \
    } while (0)
static void calls_during(void)
{
    CUdeviceptr p, managed;
    void *h, *host;
    size_t n;
    int i = 1;
    CUmodule m;
    CUfunction fn;
    CUlibrary l;
    CUmemoryPool pool, another;
    CUmemPoolProps props = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE } };
    CUmemAccessDesc access = { .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE }, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUmemLocation here = { .type = CU_MEM_LOCATION_TYPE_DEVICE };
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR flat = { .Width = 8, .Height = 8, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1 };
    CUDA_TEXTURE_DESC how = { 0 };
    CUtexObject texture;
    CUsurfObject surface;
    CUgraph graph;
    CUgraphExec exec, other;
    CUstream s;
    CUevent v;
    CUmemGenericAllocationHandle piece;
    CUmemAllocationProp kind = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE } };
    OK(cuModuleLoadData(&m, code));
    OK(cuModuleGetFunction(&fn, m, "sum"));
    OK(cuLibraryLoadData(&l, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuArrayCreate(&array, &flat));
    CUDA_RESOURCE_DESC resource = { .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array };
    OK(cuTexObjectCreate(&texture, &resource, &how, NULL));
    OK(cuSurfObjectCreate(&surface, &resource));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemAllocHost(&host, 4096));
    printf("-- calls while a capture is on\n");
    /* Memory. */
    TRY(cuMemAlloc(&p, 16));
    TRY(cuMemAlloc(&p, 0));
    TRY(cuMemAllocPitch(&p, &n, 64, 4, 4));
    TRY(cuMemFree(d));
    TRY(cuMemFree(0));
    TRY(cuMemAllocHost(&h, 64));
    TRY(cuMemFreeHost(host));
    TRY(cuMemFreeHost(NULL));
    TRY(cuMemHostRegister(NULL, 0, 0));
    TRY(cuMemHostUnregister((void *)4096));
    TRY(cuMemAllocManaged(&p, 16, CU_MEM_ATTACH_GLOBAL));
    TRY(cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    TRY(cuMemAdvise_v2(managed, 4096, (CUmem_advise)99, here));
    TRY(cuStreamAttachMemAsync(b, managed, 0, CU_MEM_ATTACH_GLOBAL));
    TRY(cuPointerSetAttribute(&i, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    TRY(cuPointerSetAttribute(&i, (CUpointer_attribute)99, d));
    TRY(cuPointerGetAttribute(&p, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, d));
    TRY(cuMemCreate(&piece, 2 << 20, &kind, 0));
    TRY(cuMemRelease(piece));
    /* Pools. */
    TRY(cuMemPoolCreate(&another, &props));
    TRY(cuMemPoolCreate(&another, &(CUmemPoolProps){ 0 }));
    TRY(cuMemPoolDestroy(pool));
    TRY(cuMemPoolDestroy(NULL));
    TRY(cuMemPoolTrimTo(pool, 0));
    TRY(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &i));
    TRY(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &i));
    TRY(cuMemPoolSetAccess(pool, &access, 1));
    TRY(cuMemPoolGetAccess(&(CUmemAccess_flags){ 0 }, pool, &here));
    TRY(cuDeviceGetDefaultMemPool(&another, 0));
    TRY(cuDeviceSetMemPool(0, another));
    TRY(cuMemAllocAsync(&p, 4096, b));
    TRY(cuMemAllocAsync(&p, 4096, a));
    /* Arrays, textures and surfaces. */
    TRY(cuArrayCreate(&array, &flat));
    TRY(cuArrayCreate(&array, &(CUDA_ARRAY_DESCRIPTOR){ 0 }));
    TRY(cuArrayDestroy(array));
    TRY(cuArrayDestroy(NULL));
    TRY(cuTexObjectCreate(&texture, &resource, &how, NULL));
    TRY(cuTexObjectCreate(NULL, &resource, &how, NULL));
    TRY(cuTexObjectDestroy(texture));
    TRY(cuTexObjectDestroy(0));
    TRY(cuTexObjectGetResourceDesc(&resource, texture));
    TRY(cuSurfObjectCreate(&surface, &resource));
    TRY(cuSurfObjectDestroy(surface));
    /* Code. */
    TRY(cuModuleUnload(m));
    TRY(cuModuleUnload(NULL));
    TRY(cuLibraryUnload(l));
    TRY(cuLibraryUnload(NULL));
    TRY(cuFuncSetCacheConfig(fn, CU_FUNC_CACHE_PREFER_L1));
    /* Graphs, streams and events. */
    TRY(cuGraphInstantiate(&other, graph, 0));
    TRY(cuGraphInstantiate(&other, NULL, 0));
    TRY(cuGraphExecDestroy(exec));
    TRY(cuGraphExecDestroy(NULL));
    TRY(cuGraphLaunch(exec, b));
    TRY(cuStreamCreate(&s, 0));
    TRY(cuStreamDestroy(s));
    TRY(cuEventCreate(&v, 0));
    TRY(cuCtxRecordEvent(ctx, v));
    TRY(cuCtxWaitEvent(ctx, v));
    TRY(cuEventDestroy(v));
    /* The context. */
    TRY(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8192));
    TRY(cuCtxSetLimit((CUlimit)99, 1));
    TRY(cuCtxGetLimit(&n, CU_LIMIT_STACK_SIZE));
    TRY(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    TRY(cuCtxSetCacheConfig((CUfunc_cache)9));
    TRY(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    TRY(cuCtxDisablePeerAccess(ctx));
    TRY(cuProfilerStart());
    TRY(cuProfilerStop());
    TRY(cuMemGetInfo(&n, &n));
    /* The event of a spoilt capture. */
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(e, a));
    SHOW(cuEventQuery(e));
    SHOW(cuStreamWaitEvent(b, e, 0));
    SHOW(cuStreamWaitEvent(a, e, 0));
    finish(a);
    /* A mode that does not exist is accepted. */
    CUstreamCaptureMode mode = (CUstreamCaptureMode)9;
    SHOW(cuThreadExchangeStreamCaptureMode(&mode));
    printf("was %d\n", (int)mode);
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    OK(cuTexObjectDestroy(texture));
    OK(cuSurfObjectDestroy(surface));
    OK(cuArrayDestroy(array));
    OK(cuMemPoolDestroy(pool));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuMemFree(managed));
    OK(cuMemFreeHost(host));
    OK(cuLibraryUnload(l));
    OK(cuModuleUnload(m));
}

/* The legacy default stream waits for blocking streams: it cannot while one is being captured. */
static void implicit(void)
{
    CUstream s;
    printf("-- legacy stream\n");
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuMemsetD8Async(d, 1, 16, NULL));
    status("null", NULL);
    status("s", s);
    finish(s);
    OK(cuStreamDestroy(s));
}

static void *other_thread(void *p)
{
    CUstreamCaptureMode m = CU_STREAM_CAPTURE_MODE_RELAXED;
    (void)p;
    OK(cuCtxSetCurrent(ctx));
    SHOW(cuStreamSynchronize(b));
    status("a", a);
    SHOW(cuThreadExchangeStreamCaptureMode(&m));
    printf("was %d\n", (int)m);
    SHOW(cuStreamSynchronize(b));
    return NULL;
}
static void *ender(void *p)
{
    (void)p;
    OK(cuCtxSetCurrent(ctx));
    finish(a);
    return NULL;
}
static void threads(void)
{
    pthread_t t;
    printf("-- another thread\n");
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemsetD8Async(d, 1, 16, a));
    pthread_create(&t, NULL, other_thread, NULL);
    pthread_join(t, NULL);
    finish(a);
    /* Ending it from there ends it, but gives no graph. */
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD8Async(d, 1, 16, a));
    pthread_create(&t, NULL, ender, NULL);
    pthread_join(t, NULL);
    status("a", a);
    finish(a);
}

int main(void)
{
    begin();
    OK(cuMemAlloc(&d, 4096));
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
    replay();
    forks();
    destroyed();
    loads();
    spoilt();
    calls_during();
    implicit();
    threads();
    OK(cuEventDestroy(e));
    OK(cuEventDestroy(f));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuMemFree(d));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
