/* Programs that never clean up end silently, with their own exit status, whatever is still going on. Each case is a
 * process of its own, whose output is caught. */
#include <cuda.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OK(call)                                                          \
    do {                                                                  \
        CUresult r_ = (call);                                             \
        if (r_) {                                                         \
            printf("%s: error %d\n", #call, r_);                          \
            fflush(stdout);                                               \
            _exit(99);                                                    \
        }                                                                 \
    } while (0)

enum what { NOTHING, EVERYTHING, HOST_FUNCTION, MEMORY_WAIT, WAITING_THREAD, BUSY_THREADS, AT_EXIT, DESTRUCTOR, DEAD_CONTEXT, KINDS };
static const char *const names[] = { "only initialised", "memory of every kind", "a host function that sleeps",
    "a stream that waits for memory", "a thread that waits for a stream", "threads that are busy",
    "calls from an exit handler", "calls from a destructor", "a destroyed context" };
static enum what what;
static CUdeviceptr d;
static CUstream s;

static void CUDA_CB sleeps(void *data)
{
    (void)data;
    struct timespec t = { 100, 0 };
    nanosleep(&t, NULL);
}

static void *waits(void *data)
{
    (void)data;
    CUcontext c;
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    cuStreamSynchronize(s);
    return NULL;
}

static void *is_busy(void *data)
{
    (void)data;
    CUcontext c;
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    CUstream own;
    void *h;
    OK(cuStreamCreate(&own, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocHost(&h, 1 << 16));
    for (;;) {
        /* While the process ends, the driver may refuse. */
        if (cuMemcpyHtoDAsync(d, h, 1 << 16, own) || cuStreamSynchronize(own)) return NULL;
    }
}

/* Whatever these answer, they come back. */
static void late_calls(void)
{
    CUdeviceptr p;
    CUcontext c;
    cuCtxGetCurrent(&c);
    if (cuMemAlloc(&p, 4096) == CUDA_SUCCESS) cuMemFree(p);
    cuMemFree(d);
    cuStreamDestroy(s);
    cuCtxSynchronize();
}
__attribute__((destructor)) static void last(void)
{
    if (what == DESTRUCTOR) late_calls();
}

static void child(void)
{
    CUcontext c;
    OK(cuInit(0));
    if (what == NOTHING) exit(3);
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    OK(cuMemAlloc(&d, 1 << 20));
    OK(cuMemsetD8(d, 0, 1 << 20));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuCtxSynchronize());
    pthread_t t;
    switch (what) {
    case EVERYTHING: {
        void *h;
        CUdeviceptr p;
        CUevent e;
        CUarray a;
        CUDA_ARRAY_DESCRIPTOR shape = { 64, 64, CU_AD_FORMAT_FLOAT, 4 };
        OK(cuMemAllocHost(&h, 1 << 20));
        OK(cuMemHostRegister(malloc(1 << 16), 1 << 16, 0));
        OK(cuMemAllocManaged(&p, 1 << 20, CU_MEM_ATTACH_GLOBAL));
        OK(cuMemAllocAsync(&p, 1 << 20, s));
        OK(cuMemcpyAsync(p, d, 1 << 20, s));
        OK(cuEventCreate(&e, 0));
        OK(cuEventRecord(e, s));
        OK(cuArrayCreate(&a, &shape));
        OK(cuMemAddressReserve(&p, 4 << 20, 0, 0, 0));
        break;
    }
    case HOST_FUNCTION:
        OK(cuLaunchHostFunc(s, sleeps, NULL));
        OK(cuMemsetD8Async(d, 1, 1 << 20, s));
        break;
    case MEMORY_WAIT:
    case WAITING_THREAD:
        OK(cuStreamWaitValue32(s, d, 77, CU_STREAM_WAIT_VALUE_EQ));
        OK(cuMemsetD8Async(d, 1, 1 << 20, s));
        if (what == WAITING_THREAD) pthread_create(&t, NULL, waits, NULL);
        break;
    case BUSY_THREADS:
        for (int i = 0; i < 4; i++) pthread_create(&t, NULL, is_busy, NULL);
        break;
    case AT_EXIT: atexit(late_calls); break;
    case DEAD_CONTEXT: {
        CUcontext own;
        CUdeviceptr p;
        OK(cuCtxCreate(&own, NULL, 0, 0));
        OK(cuMemAlloc(&p, 1 << 20));
        OK(cuMemsetD8Async(p, 1, 1 << 20, NULL));
        OK(cuCtxDestroy(own));
        break;
    }
    default: break;
    }
    struct timespec some = { 0, 20000000 };
    nanosleep(&some, NULL);
    exit(3);
}

int main(void)
{
    for (what = 0; what < KINDS; what++) {
        int output[2];
        fflush(NULL);
        if (pipe(output)) return 1;
        pid_t pid = fork();
        if (pid == 0) {
            dup2(output[1], 1);
            dup2(output[1], 2);
            close(output[0]);
            close(output[1]);
            child();
        }
        close(output[1]);
        /* Far longer than it takes: only a process that hangs is still there. */
        struct pollfd end = { output[0], POLLIN, 0 };
        char text[4096] = "";
        ssize_t n = 0;
        int ended = poll(&end, 1, 90000);
        if (ended == 1) n = read(output[0], text, sizeof text - 1);
        else kill(pid, SIGKILL);
        int status = 0;
        waitpid(pid, &status, 0);
        printf("%s: ", names[what]);
        if (ended != 1) printf("hangs\n");
        else if (WIFSIGNALED(status)) printf("signal %d %s\n", WTERMSIG(status), text);
        else printf("exit status %d, %s%s\n", WEXITSTATUS(status), n > 0 ? "says " : "silent", n > 0 ? text : "");
        close(output[0]);
    }
    what = NOTHING;
    return 0;
}
