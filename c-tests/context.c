/* Contexts: primary and created ones, each thread's stack of them, limits, and what is left when they go. */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

static CUcontext a, b;

static void current(const char *when)
{
    CUcontext c = NULL;
    cuCtxGetCurrent(&c);
    printf("%s: current is %s\n", when, !c ? "none" : c == a ? "a" : c == b ? "b" : "another");
}

static void primary(void)
{
    unsigned flags = 9;
    int active = 9;
    CUcontext first = NULL, second = NULL;
    printf("-- primary\n");
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD | CU_CTX_SCHED_SPIN));
    SHOW(cuDevicePrimaryCtxRetain(&first, 0));
    SHOW(cuDevicePrimaryCtxRetain(&second, 0));
    SHOW(cuDevicePrimaryCtxRetain(&second, -1));
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("one context: %d, flags %u, active %d\n", first == second, flags, active);
    current("retained");
    SHOW(cuCtxSetCurrent(first));
    SHOW(cuCtxGetFlags(&flags));
    printf("flags %u\n", flags);
    SHOW(cuCtxDestroy(first));
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("active %d\n", active);
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuCtxSetCurrent(NULL));
    cuDevicePrimaryCtxSetFlags(0, 0);
}

static void stack(void)
{
    CUcontext c = NULL;
    printf("-- stack\n");
    current("at first");
    SHOW(cuCtxPopCurrent(&c));
    SHOW(cuCtxPushCurrent(NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxCreate_v2(&a, 0, 0));
    current("a created");
    SHOW(cuCtxCreate_v2(&b, CU_CTX_SCHED_BLOCKING_SYNC, 0));
    current("b created");
    SHOW(cuCtxPopCurrent(&c));
    printf("popped b: %d\n", c == b);
    current("popped");
    SHOW(cuCtxSetCurrent(b));
    current("b set over a");
    SHOW(cuCtxPushCurrent(a));
    SHOW(cuCtxSetCurrent(NULL));
    current("set to none");
    SHOW(cuCtxPopCurrent(NULL));
    current("popped");
    SHOW(cuCtxCreate_v2(&c, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
    SHOW(cuCtxCreate_v2(&c, 0x100, 0));
    SHOW(cuCtxCreate_v2(NULL, 0, 0));
    SHOW(cuCtxCreate_v2(&c, 0, -1));
}

static void *other_thread(void *unused)
{
    (void)unused;
    CUcontext c = NULL;
    unsigned long long id;
    current("new thread");
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxSetCurrent(a));
    current("a set in it");
    /* Destroyed while current: it stays on the stack, of no use. */
    SHOW(cuCtxDestroy(a));
    current("a destroyed");
    SHOW(cuCtxSetCurrent(b));
    current("b set");
    SHOW(cuCtxGetId(b, &id));
    SHOW(cuCtxPopCurrent(&c));
    return NULL;
}

static void *destroyer(void *unused)
{
    (void)unused;
    cuCtxDestroy(b);
    return NULL;
}

static void configuration(void)
{
    size_t value = 0;
    unsigned version = 0, flags = 0;
    int least = 9, greatest = 9;
    CUdevice device = -1;
    CUfunc_cache cache;
    CUexecAffinityParam affinity;
    unsigned long long id_a = 0, id_b = 0;
    printf("-- configuration\n");
    SHOW(cuCtxSetCurrent(b));
    SHOW(cuCtxGetApiVersion(b, &version));
    printf("version %u\n", version);
    SHOW(cuCtxGetId(a, &id_a));
    SHOW(cuCtxGetId(NULL, &id_b));
    printf("ids increase: %d\n", id_b > id_a);
    SHOW(cuCtxGetDevice(&device));
    printf("device %d\n", device);
    SHOW(cuCtxGetFlags(&flags));
    printf("flags %u\n", flags);
    SHOW(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
    SHOW(cuCtxGetFlags(&flags));
    printf("flags %u\n", flags);
    SHOW(cuCtxSetFlags(0x100));
    SHOW(cuCtxGetStreamPriorityRange(&least, &greatest));
    SHOW(cuCtxGetStreamPriorityRange(NULL, NULL));
    printf("priorities %d to %d\n", least, greatest);
    SHOW(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
    SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1000));
    SHOW(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
    printf("a stack of 1000 is one of %zu\n", value);
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1));
    SHOW(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    printf("the least heap is %zu\n", value);
    SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 40));
    SHOW(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2));
    SHOW(cuCtxGetLimit(&value, (CUlimit)99));
    SHOW(cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    SHOW(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    SHOW(cuCtxGetCacheConfig(&cache));
    printf("cache preference %d\n", (int)cache);
    SHOW(cuCtxSetCacheConfig((CUfunc_cache)4));
    SHOW(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    SHOW(cuCtxResetPersistingL2Cache());
    SHOW(cuCtxEnablePeerAccess(a, 0));
    SHOW(cuCtxEnablePeerAccess(NULL, 0));
    SHOW(cuCtxEnablePeerAccess(a, 1));
    SHOW(cuCtxDisablePeerAccess(a));
}

static void CUDA_CB slow(void *done)
{
    usleep(20000);
    *(volatile int *)done = 1;
}

static void CUDA_CB look(void *p)
{
    volatile int *pair = p;
    pair[1] = pair[0];
}

/* An event of a whole context stands for the work of all its streams; all streams can wait for one. */
static void events(void)
{
    CUstream one, two, later;
    CUevent event, foreign;
    int pair[2] = { 0, 0 };
    printf("-- events of a context\n");
    cuCtxSetCurrent(a);
    SHOW(cuEventCreate(&foreign, 0));
    cuCtxSetCurrent(b);
    SHOW(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
    SHOW(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    SHOW(cuEventCreate(&event, 0));
    SHOW(cuLaunchHostFunc(one, slow, pair));
    SHOW(cuCtxRecordEvent(b, event));
    SHOW(cuEventSynchronize(event));
    printf("work was done: %d\n", pair[0]);
    pair[0] = 0;
    SHOW(cuLaunchHostFunc(one, slow, pair));
    SHOW(cuEventRecord(event, one));
    SHOW(cuCtxWaitEvent(b, event));
    SHOW(cuStreamCreate(&later, CU_STREAM_NON_BLOCKING));
    SHOW(cuLaunchHostFunc(later, look, pair));
    SHOW(cuStreamSynchronize(later));
    printf("a stream that came later has waited: %d\n", pair[1]);
    SHOW(cuCtxRecordEvent(b, foreign));
    SHOW(cuCtxRecordEvent(b, NULL));
    SHOW(cuCtxWaitEvent(b, NULL));
    SHOW(cuEventDestroy(event));
    SHOW(cuEventDestroy(foreign));
    SHOW(cuStreamDestroy(one));
    SHOW(cuStreamDestroy(two));
    SHOW(cuStreamDestroy(later));
}

int main(void)
{
    pthread_t thread;
    CUdevice device = -1;
    CUcontext c = NULL;
    SHOW(cuCtxDestroy(NULL));
    SHOW(cuCtxGetCurrent(&c));
    if (cuInit(0)) return 1;
    primary();
    stack();
    configuration();
    events();
    printf("-- destruction\n");
    cuCtxSetCurrent(NULL);
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    SHOW(cuCtxSetCurrent(b));
    pthread_create(&thread, NULL, destroyer, NULL);
    pthread_join(thread, NULL);
    current("b destroyed elsewhere");
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxGetDevice(&device));
    printf("device %d\n", device);
    SHOW(cuCtxPopCurrent(&c));
    printf("popped b: %d\n", c == b);
    SHOW(cuCtxDestroy(b));
    current("at last");
    return 0;
}
