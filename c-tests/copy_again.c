/* The same copy before and after something changed that decides what it may do: nothing that was found out for one copy
 * may be believed for the next. */
#include <cuda.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))
#define MUST(call) do { CUresult r_ = (call); if (r_) { printf("%s: %s\n", #call, name(r_)); exit(1); } } while (0)

enum { N = 8192 };
static unsigned char a[N], b[N];

/* Copies in and out, several times over, as a program does that has come to trust it. */
static int works(CUdeviceptr d, CUstream s)
{
    for (int i = 0; i < 4; i++) {
        memset(a, 16 + i, N);
        memset(b, 0, N);
        if (s ? cuMemcpyHtoDAsync(d, a, N, s) || cuMemcpyDtoHAsync(b, d, N, s) : cuMemcpyHtoD(d, a, N) || cuMemcpyDtoH(b, d, N))
            return 0;
        if (memcmp(a, b, N)) return 0;
    }
    return 1;
}

static void memory_that_goes(void)
{
    CUdeviceptr d, large;
    MUST(cuMemAlloc(&d, N));
    MUST(cuMemAlloc(&large, 3 << 20));
    printf("\nmemory that goes: %d %d\n", works(d, NULL), works(large, NULL));
    SHOW(cuMemcpyHtoD(d + 1, a, N));
    SHOW(cuMemcpyDtoH(b, large + (3 << 20) - N + 1, N));
    MUST(cuMemFree(d));
    MUST(cuMemFree(large));
    SHOW(cuMemcpyHtoD(d, a, N));
    SHOW(cuMemcpyDtoH(b, large, N));
    SHOW(cuMemcpyDtoD(large, large + N, N));
    MUST(cuMemAlloc(&d, N));
    printf("new memory: %d\n", works(d, NULL));
    MUST(cuMemFree(d));
}

static void memory_that_becomes_another_kind(void)
{
    CUdeviceptr d;
    void *p = NULL;
    if (posix_memalign(&p, 4096, 2 * N)) exit(1);
    memset(p, 5, 2 * N);
    MUST(cuMemAlloc(&d, 2 * N));
    printf("\nmemory that becomes another kind\n");
    for (int i = 0; i < 3; i++) MUST(cuMemcpyHtoD(d, p, 2 * N));
    MUST(cuMemHostRegister((char *)p + N, N, 0));
    SHOW(cuMemcpyHtoD(d, p, 2 * N));
    SHOW(cuMemcpyHtoD(d, p, N));
    SHOW(cuMemcpyHtoD(d, (char *)p + N, N));
    SHOW(cuMemcpyDtoH((char *)p + N - 1, d, N));
    MUST(cuMemHostUnregister((char *)p + N));
    SHOW(cuMemcpyHtoD(d, p, 2 * N));
    int on = 1;
    MUST(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    printf("synchronous memory: %d\n", works(d, NULL));
    SHOW(cuMemcpyHtoD(d + 1, p, 2 * N));
    MUST(cuMemFree(d));
    SHOW(cuMemcpyHtoD(d, p, 1));
    free(p);
}

static void contexts_that_change(CUcontext first)
{
    CUcontext second, popped;
    CUdevice dev;
    CUdeviceptr d, e;
    MUST(cuMemAlloc(&d, N));
    MUST(cuCtxGetDevice(&dev));
    printf("\ncontexts that change: %d\n", works(d, NULL));
    MUST(cuCtxPopCurrent(&popped));
    SHOW(cuMemcpyHtoD(d, a, N));
    MUST(cuCtxPushCurrent(popped));
    SHOW(cuMemcpyHtoD(d, a, N));
    MUST(cuCtxCreate(&second, NULL, 0, dev));
    MUST(cuMemAlloc(&e, N));
    printf("in another one: %d %d\n", works(e, NULL), works(d, NULL));
    MUST(cuCtxDestroy(second));
    SHOW(cuMemcpyHtoD(e, a, N));
    MUST(cuCtxGetCurrent(&popped));
    printf("the first one is current: %d %d\n", popped == first, works(d, NULL));
    MUST(cuCtxSetCurrent(NULL));
    SHOW(cuMemcpyDtoH(b, d, N));
    MUST(cuCtxSetCurrent(first));
    MUST(cuMemFree(d));
}

static pthread_barrier_t meet;
static void *other_thread(void *context)
{
    CUdeviceptr d;
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemAlloc(&d, N));
    printf("works in a thread: %d\n", works(d, NULL));
    pthread_barrier_wait(&meet);
    pthread_barrier_wait(&meet);
    SHOW(cuMemcpyHtoD(d, a, N));
    return NULL;
}
static void a_context_that_another_thread_destroys(CUcontext first)
{
    CUcontext second;
    CUdevice dev;
    pthread_t t;
    MUST(cuCtxGetDevice(&dev));
    printf("\na context that another thread destroys\n");
    MUST(cuCtxCreate(&second, NULL, 0, dev));
    pthread_barrier_init(&meet, NULL, 2);
    if (pthread_create(&t, NULL, other_thread, second)) exit(1);
    pthread_barrier_wait(&meet);
    MUST(cuCtxDestroy(second));
    pthread_barrier_wait(&meet);
    pthread_join(t, NULL);
    MUST(cuCtxSetCurrent(first));
}

static CUdeviceptr shared;
static void *frees(void *context)
{
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemFree(shared));
    return NULL;
}
static void memory_that_another_thread_frees(CUcontext first)
{
    pthread_t t;
    MUST(cuMemAlloc(&shared, N));
    printf("\nmemory that another thread frees: %d\n", works(shared, NULL));
    if (pthread_create(&t, NULL, frees, first)) exit(1);
    pthread_join(t, NULL);
    SHOW(cuMemcpyHtoD(shared, a, N));
}

static void captures(void)
{
    CUdeviceptr d;
    CUstream blocking, other;
    CUgraph graph = NULL;
    CUgraphExec exec;
    MUST(cuMemAlloc(&d, N));
    MUST(cuStreamCreate(&blocking, 0));
    MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    printf("\ncaptures: %d %d %d\n", works(d, NULL), works(d, blocking), works(d, other));
    MUST(cuMemsetD8(d, 1, N));
    MUST(cuCtxSynchronize());
    MUST(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
    void *h;
    MUST(cuMemHostAlloc(&h, N, 0));
    memset(h, 2, N);
    SHOW(cuMemcpyHtoDAsync(d, h, N, blocking));
    MUST(cuMemcpyDtoHAsync(b, d, N, other));
    printf("nothing is copied yet: %d\n", b[0] == 1 && b[N - 1] == 1);
    SHOW(cuStreamEndCapture(blocking, &graph));
    MUST(cuMemcpyDtoH(b, d, N));
    printf("still not: %d\n", b[0] == 1 && b[N - 1] == 1);
    MUST(cuGraphInstantiate(&exec, graph, 0));
    MUST(cuGraphLaunch(exec, blocking));
    MUST(cuMemcpyDtoH(b, d, N));
    printf("now: %d\n", b[0] == 2 && b[N - 1] == 2);
    MUST(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuMemcpyHtoD(d, a, N));
    SHOW(cuStreamEndCapture(blocking, &graph));
    printf("after it: %d %d %d\n", works(d, NULL), works(d, blocking), works(d, other));
    MUST(cuGraphExecDestroy(exec));
    MUST(cuStreamDestroy(blocking));
    MUST(cuStreamDestroy(other));
    MUST(cuMemFreeHost(h));
    MUST(cuMemFree(d));
}

static volatile int gate;
static void CUDA_CB wait_at_gate(void *data)
{
    (void)data;
    while (!gate) sched_yield();
}
static void streams_that_are_busy(void)
{
    CUdeviceptr d, e;
    CUstream s, other;
    void *h;
    MUST(cuMemAlloc(&d, N));
    MUST(cuMemAlloc(&e, N));
    MUST(cuMemHostAlloc(&h, N, 0));
    MUST(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    printf("\nstreams that are busy: %d %d\n", works(d, s), works(e, other));
    memset(h, 9, N);
    MUST(cuMemsetD8(d, 1, N));
    MUST(cuCtxSynchronize());
    MUST(cuLaunchHostFunc(s, wait_at_gate, NULL));
    MUST(cuMemcpyHtoDAsync(d, h, N, s));
    MUST(cuMemcpyDtoHAsync(b, d, N, other));
    printf("behind the busy stream: %d\n", b[0] == 1 && b[N - 1] == 1);
    gate = 1;
    MUST(cuStreamSynchronize(s));
    MUST(cuMemcpyDtoHAsync(b, d, N, other));
    printf("and then: %d\n", b[0] == 9 && b[N - 1] == 9);
    MUST(cuStreamDestroy(s));
    MUST(cuStreamDestroy(other));
    MUST(cuMemFreeHost(h));
    MUST(cuMemFree(d));
    MUST(cuMemFree(e));
}

int main(void)
{
    CUcontext c;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&c, 0));
    MUST(cuCtxSetCurrent(c));
    memory_that_goes();
    memory_that_becomes_another_kind();
    contexts_that_change(c);
    a_context_that_another_thread_destroys(c);
    memory_that_another_thread_frees(c);
    captures();
    streams_that_are_busy();
    return 0;
}
