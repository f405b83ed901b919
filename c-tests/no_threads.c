/* The system may refuse threads: whoever waits for work, or asks about it, then does what threads would have done. This
   program's pthread_create stands in front of the C library's. */
#include "check.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

/* How many threads may still be started, and how many were refused. */
static int allowance, refused;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (__atomic_fetch_sub(&allowance, 1, __ATOMIC_SEQ_CST) <= 0) {
        __atomic_store_n(&allowance, 0, __ATOMIC_SEQ_CST);
        __atomic_add_fetch(&refused, 1, __ATOMIC_SEQ_CST);
        return EAGAIN;
    }
    return real(thread, attributes, run, argument);
}

static CUstream a, b;
static CUevent event;
static CUdeviceptr memory;
static volatile int called;

static void CUDA_CB count(void *nothing)
{
    (void)nothing;
    called++;
}

static void start(int threads)
{
    begin();
    allowance = threads;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, 0));
    OK(cuMemAlloc(&memory, 64 << 20));
}

static void tell(void)
{
    unsigned v = 0;
    OK(cuMemcpyDtoH(&v, memory, 4));
    printf("called %d, memory %x, refused %d\n", called, v, refused > 0);
}

/* Host function, then a fill behind it on another stream. */
static void give(void)
{
    OK(cuLaunchHostFunc(a, count, NULL));
    OK(cuEventRecord(event, a));
    OK(cuStreamWaitEvent(b, event, 0));
    OK(cuMemsetD32Async(memory, 0x1234, 16, b));
    OK(cuLaunchHostFunc(b, count, NULL));
}

static void synchronizes(void)
{
    start(0);
    give();
    SHOW(cuStreamSynchronize(b));
    tell();
}

static void synchronizes_event(void)
{
    start(0);
    OK(cuLaunchHostFunc(b, count, NULL));
    OK(cuMemsetD32Async(memory, 0x55, 16, b));
    OK(cuEventRecord(event, b));
    SHOW(cuEventSynchronize(event));
    tell();
    give();
    SHOW(cuCtxSynchronize());
    tell();
}

static void asks(void)
{
    CUresult r;
    start(0);
    give();
    while ((r = cuStreamQuery(b)) == CUDA_ERROR_NOT_READY) usleep(100);
    printf("%s\n", name(r));
    tell();
    OK(cuLaunchHostFunc(a, count, NULL));
    OK(cuEventRecord(event, a));
    while ((r = cuEventQuery(event)) == CUDA_ERROR_NOT_READY) usleep(100);
    printf("%s\n", name(r));
    tell();
}

/* A synchronous copy waits, too. */
static void copies(void)
{
    unsigned v = 0;
    CUstream blocking;
    start(0);
    OK(cuStreamCreate(&blocking, 0));
    OK(cuMemsetD32Async(memory, 1, 16 << 20, blocking));
    OK(cuLaunchHostFunc(blocking, count, NULL));
    OK(cuMemsetD32Async(memory, 0x77, 16 << 20, blocking));
    SHOW(cuMemcpyDtoH(&v, memory + (60 << 20), 4));
    printf("%x\n", v);
    tell();
}

static void words(void)
{
    start(0);
    OK(cuMemsetD32(memory, 0, 16));
    OK(cuCtxSynchronize());
    OK(cuStreamWaitValue32(b, memory, 7, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemsetD32Async(memory + 4, 8, 1, b));
    OK(cuLaunchHostFunc(a, count, NULL));
    OK(cuStreamWriteValue32(a, memory, 7, 0));
    SHOW(cuStreamSynchronize(b));
    tell();
    /* A context goes although something waits. */
    OK(cuStreamWaitValue32(b, memory, 99, CU_STREAM_WAIT_VALUE_EQ));
    SHOW(cuDevicePrimaryCtxReset(0));
}

static void objects(void)
{
    CUuserObject object;
    start(0);
    OK(cuUserObjectCreate(&object, NULL, count, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuUserObjectRelease(object, 1));
    give();
    SHOW(cuCtxSynchronize());
    tell();
}

/* Two host functions that wait for each other, with one thread for both. */
static pthread_barrier_t both;
static void CUDA_CB meet(void *nothing)
{
    pthread_barrier_wait(&both);
    count(nothing);
}

static void meetings(void)
{
    CUcontext other;
    CUstream s;
    /* The lazy schedule has a thread of its own. */
    const char *schedule = getenv("DOPPEL_SCHEDULE");
    start(schedule && !strcmp(schedule, "lazy") ? 2 : 1);
    pthread_barrier_init(&both, NULL, 2);
    OK(cuCtxCreate_v2(&other, 0, 0));
    OK(cuStreamCreate(&s, 0));
    OK(cuLaunchHostFunc(a, meet, NULL));
    OK(cuLaunchHostFunc(s, meet, NULL));
    SHOW(cuStreamSynchronize(s));
    OK(cuStreamSynchronize(a));
    printf("called %d\n", called);
}

/* When threads can be started again, they are: work begins that nobody waits for. */
static void again(void)
{
    start(0);
    give();
    SHOW(cuStreamSynchronize(b));
    tell();
    allowance = 100;
    give();
    SHOW(cuStreamSynchronize(a));
    OK(cuLaunchHostFunc(a, count, NULL));
    for (int i = 0; i < 3000 && called < 5; i++) usleep(10000);
    SHOW(cuCtxSynchronize());
    tell();
}

static void graphs(void)
{
    CUgraph graph;
    CUgraphExec exec;
    start(0);
    OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuLaunchHostFunc(a, count, NULL));
    OK(cuMemsetD32Async(memory, 0x99, 16, a));
    OK(cuLaunchHostFunc(a, count, NULL));
    OK(cuStreamEndCapture(a, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, a));
    OK(cuGraphLaunch(exec, b));
    SHOW(cuStreamSynchronize(b));
    tell();
}

int main(void)
{
    apart("a stream is waited for", synchronizes);
    apart("an event is waited for", synchronizes_event);
    apart("streams and events are asked", asks);
    apart("a copy waits", copies);
    apart("words in memory", words);
    apart("user objects", objects);
    apart("host functions that wait for each other", meetings);
    apart("threads again", again);
    apart("graphs", graphs);
    return 0;
}
