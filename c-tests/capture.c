/* Stream capture: what becomes a node, forks and joins, and what spoils a capture. */
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
    spoilt();
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
