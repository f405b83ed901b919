/* Streams: creation, properties, the order of work within and between them, life and death. */
#include <cuda.h>
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

/* A host function that holds its stream until it is opened. */
struct gate {
    volatile int entered, open;
};
static void CUDA_CB hold(void *p)
{
    struct gate *g = p;
    g->entered = 1;
    while (!g->open) usleep(200);
}
static void shut(struct gate *g, CUstream s)
{
    g->entered = g->open = 0;
    OK(cuLaunchHostFunc(s, hold, g));
    /* A scheduler that is asked nothing need not begin: asking is harmless. */
    while (!g->entered) {
        cuStreamQuery(s);
        usleep(200);
    }
}

static CUdeviceptr d;
static unsigned char *h;

static void creation(void)
{
    CUstream s = NULL, t = NULL;
    unsigned flags = 9;
    int priority = 9, least = 9, greatest = 9;
    unsigned long long id = 0, other = 0;
    CUcontext c = NULL;
    printf("-- creation\n");
    SHOW(cuStreamCreate(NULL, 0));
    SHOW(cuStreamCreate(&s, 2));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    SHOW(cuStreamGetFlags(s, &flags));
    printf("flags %u\n", flags);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(cuStreamCreateWithPriority(&t, 0, greatest - 100));
    OK(cuStreamGetPriority(t, &priority));
    printf("clamped: %d\n", priority == greatest);
    OK(cuStreamGetId(s, &id));
    OK(cuStreamGetId(t, &other));
    printf("ids differ: %d\n", id != other);
    OK(cuStreamGetCtx(s, &c));
    printf("context: %d\n", c == ctx);
    SHOW(cuStreamDestroy(s));
    SHOW(cuStreamDestroy(t));
    SHOW(cuStreamDestroy(NULL));
    SHOW(cuStreamDestroy(CU_STREAM_PER_THREAD));
}

/* Which streams wait for which: a byte is copied on one stream while another one is held. */
static const char *const kinds[] = { "legacy", "per thread", "blocking", "non-blocking" };
static CUstream of_kind(int k)
{
    CUstream s = k == 0 ? CU_STREAM_LEGACY : CU_STREAM_PER_THREAD;
    if (k >= 2) OK(cuStreamCreate(&s, k == 3));
    return s;
}
static void order(void)
{
    struct gate g;
    printf("-- order\n");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            CUstream a = of_kind(i), b = of_kind(j);
            OK(cuMemsetD8(d, 7, 64));
            h[0] = 0;
            OK(cuCtxSynchronize());
            shut(&g, a);
            OK(cuMemcpyDtoHAsync(h, d, 64, b));
            CUresult q = CUDA_SUCCESS;
            for (int n = 0; n < 300; n++) {
                q = cuStreamQuery(b);
                if (q == CUDA_SUCCESS) break;
                usleep(100);
            }
            printf("%s held, %s: %s, copied %d", kinds[i], kinds[j], name(q), h[0]);
            g.open = 1;
            OK(cuStreamSynchronize(b));
            printf(", then %d\n", h[0]);
            OK(cuStreamSynchronize(a));
            if (i >= 2) OK(cuStreamDestroy(a));
            if (j >= 2) OK(cuStreamDestroy(b));
        }
}

/* Work that was given before its stream was destroyed still runs. */
static void destroyed(void)
{
    struct gate g;
    CUstream s = of_kind(3);
    printf("-- destroyed while busy\n");
    h[0] = 0;
    shut(&g, s);
    OK(cuMemcpyDtoHAsync(h, d, 64, s));
    SHOW(cuStreamQuery(s));
    SHOW(cuStreamDestroy(s));
    printf("copied %d\n", h[0]);
    g.open = 1;
    SHOW(cuCtxSynchronize());
    printf("copied %d\n", h[0]);
}

static void attributes(void)
{
    CUstreamAttrValue v;
    CUstream s = of_kind(3), t = of_kind(3);
    printf("-- attributes\n");
    memset(&v, 0, sizeof v);
    v.syncPolicy = CU_SYNC_POLICY_YIELD;
    SHOW(cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    v.syncPolicy = 99;
    SHOW(cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    SHOW(cuStreamCopyAttributes(t, s));
    memset(&v, 0, sizeof v);
    SHOW(cuStreamGetAttribute(t, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    printf("policy %d\n", v.syncPolicy);
    SHOW(cuStreamGetAttribute(t, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    memset(&v, 0, sizeof v);
    v.accessPolicyWindow.hitRatio = 1.5f;
    SHOW(cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    OK(cuStreamDestroy(s));
    OK(cuStreamDestroy(t));
}

/* Threads: each has a default stream of its own, whose work goes on when the thread ends. */
static void *leaver(void *p)
{
    OK(cuCtxSetCurrent(ctx));
    OK(cuMemcpyDtoHAsync(p, d, 64, CU_STREAM_PER_THREAD));
    return NULL;
}
static void *many(void *p)
{
    CUstream *streams = p;
    OK(cuCtxSetCurrent(ctx));
    for (int i = 0; i < 400; i++) {
        OK(cuMemsetD8Async(d + 64, 1, 64, streams[i % 4]));
        if (i % 7 == 0) OK(cuMemsetD8Async(d + 128, 1, 64, CU_STREAM_PER_THREAD));
        if (i % 50 == 0) OK(cuStreamSynchronize(streams[i % 4]));
    }
    return NULL;
}
static void threads(void)
{
    pthread_t t[8];
    CUstream streams[4];
    struct gate g;
    printf("-- threads\n");
    h[0] = 0;
    shut(&g, CU_STREAM_PER_THREAD);
    pthread_create(&t[0], NULL, leaver, h);
    pthread_join(t[0], NULL);
    g.open = 1;
    SHOW(cuCtxSynchronize());
    printf("copied %d\n", h[0]);
    for (int i = 0; i < 4; i++) streams[i] = of_kind(2 + i % 2);
    for (int i = 0; i < 8; i++) pthread_create(&t[i], NULL, many, streams);
    for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
    SHOW(cuCtxSynchronize());
    for (int i = 0; i < 4; i++) OK(cuStreamDestroy(streams[i]));
}

int main(void)
{
    begin();
    OK(cuMemAlloc(&d, 4096));
    OK(cuMemHostAlloc((void **)&h, 4096, 0));
    creation();
    order();
    destroyed();
    attributes();
    threads();
    OK(cuMemFree(d));
    OK(cuMemFreeHost(h));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
