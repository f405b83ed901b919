/* Makes calls to be traced: `traced WHAT`. */
#include <cuda.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char PTX[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry fill(.param .u64 p, .param .u32 v)\n{\n.reg .u64 %a;\n.reg .u32 %v;\n"
                          "ld.param.u64 %a, [p];\nld.param.u32 %v, [v];\nst.global.u32 [%a], %v;\nret;\n}\n";

static void ok(CUresult r, const char *what)
{
    if (r) {
        printf("failed=%s %d\n", what, r);
        exit(1);
    }
}
#define OK(call) ok(call, #call)

static CUdevice device;
static CUcontext context;

static void begin(void)
{
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
}

static void all(void)
{
    CUdeviceptr at = 0;
    CUmodule module;
    CUfunction function;
    CUstream first, second;
    CUarray array;
    int value = 0, given = -7, major = 0;
    CUDA_ARRAY_DESCRIPTOR d = {16, 8, CU_AD_FORMAT_FLOAT, 2};
    begin();
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    OK(cuMemAlloc(&at, 4096));
    OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
    OK(cuModuleLoadData(&module, PTX));
    OK(cuModuleGetFunction(&function, module, "fill"));
    void *parameters[] = {&at, &given};
    OK(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, second, parameters, 0));
    OK(cuStreamSynchronize(second));
    OK(cuMemcpyDtoH(&value, at, 4));
    OK(cuArrayCreate(&array, &d));
    /* Mistakes: a stale handle, and pointers to nothing. */
    CUresult r = cuMemFree(at + 8);
    printf("freed=%d\nvalue=%d\n", r, value);
    printf("wild=%d\n", cuArrayCreate(&array, (void *)16));
    /* Handed out by the look-up, it is ours all the same. */
    CUresult (*get)(CUcontext *);
    CUcontext now;
    OK(cuGetProcAddress("cuCtxGetCurrent", (void **)&get, 12000, 0, 0));
    OK(get(&now));
    OK(cuStreamDestroy(first));
    OK(cuMemFree(at));
}

static void *work(void *number)
{
    OK(cuCtxSetCurrent(context));
    for (int i = 0; i < 2000; i++) {
        CUdeviceptr at;
        OK(cuMemAlloc(&at, 1000 * (size_t)number + 1));
        OK(cuMemFree(at));
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    if (!strcmp(what, "all")) all();
    if (!strcmp(what, "threads")) {
        pthread_t threads[8];
        begin();
        for (size_t i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, (void *)i);
        for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    }
    if (!strcmp(what, "killed") || !strcmp(what, "crashed") || !strcmp(what, "_exit")) {
        int status, n;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            begin();
            for (int i = 0; i < 5; i++) cuDeviceGetCount(&n);
            if (*what == 'k') kill(getpid(), SIGKILL);
            if (*what == 'c') *(volatile int *)16 = 0;
            _exit(3);
        }
        waitpid(child, &status, 0);
        printf("child=%d\n", child);
    }
    if (!strcmp(what, "fork")) {
        int n, version, status;
        OK(cuDriverGetVersion(&version));
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            OK(cuInit(0));
            for (int i = 0; i < 3; i++) cuDeviceGetCount(&n);
            exit(0);
        }
        waitpid(child, &status, 0);
        OK(cuInit(0));
        printf("child=%d\nstatus=%d\n", child, status);
    }
    if (!strcmp(what, "speed")) {
        enum { CALLS = 200000 };
        CUcontext now;
        struct timespec a, b;
        begin();
        for (int round = 0; round < 5; round++) {
            clock_gettime(CLOCK_MONOTONIC, &a);
            for (int i = 0; i < CALLS; i++) cuCtxGetCurrent(&now);
            clock_gettime(CLOCK_MONOTONIC, &b);
            printf("get%d=%.1f ns\n", round, ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / CALLS);
            CUdeviceptr at;
            char host[64] = {0};
            OK(cuMemAlloc(&at, 4096));
            clock_gettime(CLOCK_MONOTONIC, &a);
            for (int i = 0; i < CALLS; i++) cuMemcpyHtoDAsync(at, host, 64, 0);
            clock_gettime(CLOCK_MONOTONIC, &b);
            printf("copy%d=%.1f ns\n", round, ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / CALLS);
            OK(cuMemFree(at));
        }
    }
    return 0;
}
