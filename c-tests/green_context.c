/* Green contexts: multiprocessors split into groups, streams whose kernels run on one group alone, and what they share with the primary
 * context. */
#include "check.h"

static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    /* Each block says where it runs, a while after it began. */
    ".visible .entry place(.param .u64 out) {\n"
    "    .reg .pred %p; .reg .u32 %r<4>; .reg .u64 %d<6>;\n"
    "    ld.param.u64 %d1, [out]; mov.u64 %d2, %clock64;\n"
    "L:  mov.u64 %d3, %clock64; sub.u64 %d3, %d3, %d2; setp.lt.u64 %p, %d3, 3000; @%p bra L;\n"
    "    mov.u32 %r1, %ctaid.x; mul.wide.u32 %d4, %r1, 4; add.u64 %d1, %d1, %d4; mov.u32 %r2, %smid;\n"
    "    st.global.u32 [%d1], %r2; ret; }\n";

#define BLOCKS 4096
static CUcontext primary;
static CUfunction place;
static CUdeviceptr memory;
static unsigned char seen[1024];

static unsigned sms(const CUdevResource *r) { return r->type == CU_DEV_RESOURCE_TYPE_SM ? r->sm.smCount : 0; }

/* A green context of a group. */
static CUgreenCtx green(CUdevResource *r)
{
    CUdevResourceDesc desc;
    CUgreenCtx g;
    OK(cuDevResourceGenerateDesc(&desc, r, 1));
    OK(cuGreenCtxCreate(&g, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    return g;
}

/* How many multiprocessors the blocks of a launch ran on. */
static int places(void)
{
    static unsigned out[BLOCKS];
    int n = 0;
    memset(seen, 0, sizeof seen);
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(out, memory, sizeof out));
    for (int i = 0; i < BLOCKS; i++) n += !seen[out[i] % 1024], seen[out[i] % 1024] = 1;
    return n;
}

static int places_of(CUstream stream)
{
    void *p[] = { &memory };
    OK(cuLaunchKernel(place, BLOCKS, 1, 1, 32, 1, 1, 0, stream, p, NULL));
    OK(cuStreamSynchronize(stream));
    return places();
}

static void splits(void)
{
    static const unsigned least[] = { 0, 9, 24, 66, 132, 133 };
    CUdevResource all, out[70], rest;
    OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    printf("%u\n", sms(&all));
    for (unsigned flags = 0; flags < 2; flags++)
        for (int i = 0; i < 6; i++) {
            unsigned n = 70;
            CUresult r = cuDevSmResourceSplitByCount(out, &n, &all, &rest, flags, least[i]);
            printf("flags %u, at least %u: %s", flags, least[i], name(r));
            if (!r) printf(", %u of %u, %u left", n, sms(out), sms(&rest));
            puts("");
        }
    unsigned n = 1;
    OK(cuDevSmResourceSplitByCount(out, &n, &all, &rest, 0, 32));
    SHOW(cuDevSmResourceSplitByCount(out + 1, &n, out, NULL, 0, 8));
    CUdevResource forged = all;
    forged.sm.smCount = 8;
    CUdevResourceDesc desc;
    SHOW(cuDevResourceGenerateDesc(&desc, &forged, 1));
    memset(&forged, 0, sizeof forged);
    SHOW(cuDevResourceGenerateDesc(&desc, &forged, 1));
}

static void apart_from_each_other(void)
{
    CUdevResource all, out[3], rest;
    CUgreenCtx g[4];
    static unsigned char where[4][1024];
    unsigned n = 3;
    OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    OK(cuDevSmResourceSplitByCount(out, &n, &all, &rest, 0, 32));
    for (int i = 0; i < 4; i++) {
        CUstream stream;
        CUdevResource has;
        CUgreenCtx of;
        g[i] = green(i < 3 ? &out[i] : &rest);
        OK(cuGreenCtxStreamCreate(&stream, g[i], CU_STREAM_NON_BLOCKING, 0));
        OK(cuGreenCtxGetDevResource(g[i], &has, CU_DEV_RESOURCE_TYPE_SM));
        OK(cuStreamGetGreenCtx(stream, &of));
        printf("%u multiprocessors, kernels run on %d, its own: %d\n", sms(&has), places_of(stream), of == g[i]);
        memcpy(where[i], seen, sizeof seen);
        int both = 0;
        for (int j = 0; j < i; j++)
            for (int k = 0; k < 1024; k++) both += where[j][k] && where[i][k];
        printf("shared with others: %d\n", both);
        OK(cuStreamDestroy(stream));
    }
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    // As many as the cores of this machine that take part stand for, which is a matter of chance.
    int without = places_of(stream);
    printf("without: some of all %d\n", without >= 1 && without <= (int)sms(&all));
    for (int i = 0; i < 4; i++) OK(cuGreenCtxDestroy(g[i]));
}

static void current(void)
{
    CUdevResource all, out[1];
    CUcontext context, is;
    CUstream stream;
    CUgreenCtx of;
    unsigned n = 1, flags;
    void *p[] = { &memory };
    OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    OK(cuDevSmResourceSplitByCount(out, &n, &all, NULL, 0, 16));
    CUgreenCtx g = green(out);
    OK(cuCtxFromGreenCtx(&context, g));
    OK(cuCtxSetCurrent(context));
    OK(cuCtxGetCurrent(&is));
    printf("current: %d\n", is == context);
    printf("default stream: %d\n", places_of(NULL));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    OK(cuStreamGetFlags(stream, &flags));
    OK(cuStreamGetCtx_v2(stream, &is, &of));
    printf("stream made in it: %d, flags %u, primary %d, own %d\n", places_of(stream), flags, is == primary, of == g);
    SHOW(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    SHOW(cuLaunchCooperativeKernel(place, 16 * 64 + 1, 1, 1, 32, 1, 1, 0, stream, p));
    CUdeviceptr d;
    OK(cuMemAlloc(&d, 64));
    OK(cuPointerGetAttribute(&is, CU_POINTER_ATTRIBUTE_CONTEXT, d));
    printf("memory is the primary context's: %d\n", is == primary);
    OK(cuCtxSetCurrent(primary));
    SHOW(cuMemFree(d));
    printf("in the primary context: %d\n", places_of(stream));
    /* A graph keeps where its kernels were captured. */
    CUgraph graph;
    CUgraphExec exec;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuLaunchKernel(place, BLOCKS, 1, 1, 32, 1, 1, 0, stream, p, NULL));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    printf("graph: %d\n", places());
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
    SHOW(cuGreenCtxDestroy(g));
}

static void CUDA_CB hold(void *open)
{
    while (!*(volatile int *)open) usleep(100);
}

static void events(void)
{
    static int open;
    CUdevResource all, out[2];
    CUgreenCtx g[2];
    CUstream s[2], later;
    CUevent event;
    unsigned n = 2;
    OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    OK(cuDevSmResourceSplitByCount(out, &n, &all, NULL, 0, 8));
    OK(cuEventCreate(&event, 0));
    for (int i = 0; i < 2; i++) {
        g[i] = green(&out[i]);
        OK(cuGreenCtxStreamCreate(&s[i], g[i], CU_STREAM_NON_BLOCKING, 0));
    }
    OK(cuLaunchHostFunc(s[0], hold, &open));
    OK(cuGreenCtxRecordEvent(g[1], event));
    SHOW(cuEventSynchronize(event));
    OK(cuGreenCtxRecordEvent(g[0], event));
    SHOW(cuEventQuery(event));
    SHOW(cuGreenCtxWaitEvent(g[1], event));
    OK(cuGreenCtxStreamCreate(&later, g[1], CU_STREAM_NON_BLOCKING, 0));
    OK(cuMemsetD8Async(memory, 0, 16, s[1]));
    OK(cuMemsetD8Async(memory, 0, 16, later));
    SHOW(cuStreamQuery(s[1]));
    SHOW(cuStreamQuery(later));
    open = 1;
    SHOW(cuStreamSynchronize(s[1]));
    SHOW(cuStreamSynchronize(later));
    SHOW(cuGreenCtxRecordEvent(g[0], NULL));
    SHOW(cuGreenCtxRecordEvent(NULL, event));
}

static void holds_the_primary_context(void)
{
    CUdevResource all, out[1];
    unsigned n = 1, flags;
    int active;
    OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    OK(cuDevSmResourceSplitByCount(out, &n, &all, NULL, 0, 8));
    CUgreenCtx g = green(out);
    SHOW(cuDevicePrimaryCtxRelease(0));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("active %d\n", active);
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuGreenCtxCreate(&g, NULL, 7, 0));
    SHOW(cuGreenCtxCreate(&g, NULL, 0, 0));
}

static void (*test)(void);
static void with_device(void)
{
    CUmodule module;
    int count;
    primary = begin();
    OK(cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    if (count != 132) skip("the device does not have 132 multiprocessors");
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&place, module, "place"));
    OK(cuMemAlloc(&memory, 4 * BLOCKS));
    test();
}

int main(void)
{
#define RUN(t) test = t, apart(#t, with_device)
    RUN(splits);
    RUN(apart_from_each_other);
    RUN(current);
    RUN(events);
    RUN(holds_the_primary_context);
    return 0;
}
