/* Events: flags, queries, waits between streams, measured times and what they refuse. */
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

static int ran;
static void CUDA_CB count(void *p)
{
    (void)p;
    __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
    begin();
    CUevent e = NULL, f = NULL, plain = NULL;
    CUstream a, b;
    struct gate g;
    float ms = -1;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));

    printf("-- creation\n");
    SHOW(cuEventCreate(NULL, 0));
    SHOW(cuEventCreate(&e, CU_EVENT_INTERPROCESS));
    SHOW(cuEventCreate(&e, 8));
    SHOW(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC));
    SHOW(cuEventCreate(&e, 0));
    SHOW(cuEventCreate(&f, 0));

    printf("-- never recorded\n");
    SHOW(cuEventQuery(e));
    SHOW(cuEventSynchronize(e));
    SHOW(cuStreamWaitEvent(a, e, 0));
    SHOW(cuEventElapsedTime(&ms, e, f));

    printf("-- recorded behind a held host function\n");
    OK(cuEventRecord(f, a));
    shut(&g, a);
    OK(cuEventRecord(e, a));
    OK(cuEventRecord(plain, a));
    SHOW(cuEventQuery(f));
    SHOW(cuEventQuery(e));
    SHOW(cuEventElapsedTime(&ms, f, e));
    SHOW(cuStreamWaitEvent(b, plain, 0));
    OK(cuLaunchHostFunc(b, count, NULL));
    SHOW(cuStreamQuery(b));
    usleep(20000);
    printf("ran %d\n", ran);
    g.open = 1;
    SHOW(cuStreamSynchronize(b));
    printf("ran %d\n", ran);
    SHOW(cuEventSynchronize(e));
    SHOW(cuEventQuery(e));

    printf("-- times\n");
    SHOW(cuEventElapsedTime(&ms, f, e));
    printf("positive %d\n", ms > 0);
    SHOW(cuEventElapsedTime(&ms, e, f));
    printf("negative %d\n", ms < 0);
    SHOW(cuEventElapsedTime(&ms, e, e));
    printf("zero %d\n", ms == 0);
    SHOW(cuEventElapsedTime(&ms, e, plain));
    SHOW(cuEventElapsedTime(&ms, NULL, e));
    SHOW(cuEventElapsedTime(NULL, e, e));

    printf("-- recorded again\n");
    shut(&g, a);
    OK(cuEventRecord(e, a));
    SHOW(cuEventQuery(e));
    OK(cuEventRecord(e, b));
    SHOW(cuEventSynchronize(e));
    SHOW(cuStreamQuery(a));
    printf("-- destroyed while pending\n");
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    SHOW(cuEventDestroy(e));
    SHOW(cuStreamQuery(b));
    g.open = 1;
    SHOW(cuStreamSynchronize(b));

    printf("-- flags\n");
    SHOW(cuEventRecordWithFlags(f, a, 2));
    SHOW(cuStreamWaitEvent(a, f, CU_EVENT_WAIT_EXTERNAL));
    SHOW(cuStreamWaitEvent(a, f, 2));
    SHOW(cuEventQuery(NULL));
    SHOW(cuEventDestroy(NULL));
    OK(cuStreamSynchronize(a));
    OK(cuEventDestroy(f));
    OK(cuEventDestroy(plain));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
