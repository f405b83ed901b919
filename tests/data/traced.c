/* Makes calls to be traced: `traced WHAT`. */
#include "ok.h"
#include <cudaProfiler.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char PTX[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry fill(.param .u64 p, .param .u32 v)\n{\n.reg .u64 %a;\n.reg .u32 %v;\n"
                          "ld.param.u64 %a, [p];\nld.param.u32 %v, [v];\nst.global.u32 [%a], %v;\nret;\n}\n";

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

static const char TYPED[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                            ".visible .entry _Z5scalePKfPfijdx(.param .u64 a, .param .u64 b, .param .u32 n, .param .u32 m, .param .f64 d, .param .u64 x)\n"
                            "{\nret;\n}\n"
                            ".visible .entry plain(.param .f32 f, .param .u32 n)\n{\nret;\n}\n";

static void called(void *argument) { (*(int *)argument)++; }

__attribute__((noinline)) static CUresult allocate(CUdeviceptr *at) { return cuMemAlloc(at, 1 << 20); }

/* All kinds of work of a device, at once, queued behind a host function, and in a graph. */
static void tracks(void)
{
    CUdeviceptr at, to;
    CUmodule module;
    CUfunction fill, scale, plain;
    CUstream stream, other;
    CUgraph graph;
    CUgraphExec exec;
    static char host[4096];
    int calls = 0, given = 5, n = -3, m = -1;
    long long x = -2;
    double d = 0.5;
    float f = 1.25f;
    begin();
    OK(cuModuleLoadData(&module, PTX));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    OK(cuModuleLoadData(&module, TYPED));
    OK(cuModuleGetFunction(&scale, module, "_Z5scalePKfPfijdx"));
    OK(cuModuleGetFunction(&plain, module, "plain"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(allocate(&at));
    OK(allocate(&to));
    void *parameters[] = {&at, &given}, *typed[] = {&at, &to, &n, &m, &d, &x}, *few[] = {&f, &n};
    OK(cuLaunchHostFunc(stream, called, &calls));
    OK(cuMemcpyHtoDAsync(at, host, sizeof host, stream));
    OK(cuMemsetD32Async(to, 7, 64, stream));
    OK(cuMemcpyDtoDAsync(to, at, 4096, stream));
    OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, parameters, 0));
    OK(cuMemcpyDtoHAsync(host, to, 128, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuLaunchKernel(scale, 3, 2, 1, 64, 1, 1, 0, other, typed, 0));
    OK(cuLaunchKernel(plain, 1, 1, 1, 1, 1, 1, 0, other, few, 0));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemsetD8Async(at, 1, 100, stream));
    OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, parameters, 0));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, other));
    OK(cuCtxSynchronize());
    printf("calls=%d\n", calls);
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

/* Functions behind each other: the names end in their numbers of parameters. */
static CUmodule module_of(const char *name, const char *parameters, CUfunction *function)
{
    char text[512];
    CUmodule module;
    snprintf(text, sizeof text, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry %s(%s)\n{\nret;\n}\n", name, parameters);
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(function, module, name));
    return module;
}

/* Work before, in and behind what a profiler would see, twice. */
static void ranges(void)
{
    CUdeviceptr at = 0;
    begin();
    OK(cuMemAlloc(&at, 4096));
    for (unsigned char round = 0; round < 2; round++) {
        OK(cuMemsetD8(at, 1, 100 + round));
        OK(cuProfilerStart());
        OK(cuMemsetD8(at, 2, 200 + round));
        OK(cuProfilerStop());
        OK(cuMemsetD8(at, 3, 300 + round));
    }
    OK(cuMemFree(at));
}

static CUfunction shared;

static void *launches(void *number)
{
    CUdeviceptr at = 0x7f0000000000 + (size_t)number;
    int value;
    void *parameters[] = {&at, &value};
    OK(cuCtxSetCurrent(context));
    for (value = 0; value < 1500; value++) OK(cuLaunchKernel(shared, 1 + value % 3, 1, 1, 1, 1, 1, 0, 0, parameters, 0));
    return 0;
}

static void again(int wrong)
{
    CUfunction first, second;
    CUstream before, behind;
    CUdeviceptr at = 0x7f1200000000;
    int value = -7, status;
    void *parameters[] = {&at, &value};
    pthread_t threads[4];
    begin();
    CUmodule module = module_of("first_2", ".param .u64 p, .param .u32 n", &first);
    OK(cuStreamCreate(&before, CU_STREAM_NON_BLOCKING));
    for (; value < -4; value++) OK(cuLaunchKernel(first, 2, 1, 1, 1, 1, 1, 0, before, parameters, 0));
    OK(cuStreamDestroy(before));
    OK(cuStreamCreate(&behind, CU_STREAM_NON_BLOCKING));
    CUlaunchConfig config = {2, 1, 1, 1, 1, 1, 0, behind, 0, 0};
    OK(cuLaunchKernelEx(&config, first, parameters, 0));
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(module));
    module = module_of("second_1", ".param .u64 p", &second);
    OK(cuLaunchKernel(second, 2, 1, 1, 1, 1, 1, 0, behind, parameters, 0));
    OK(cuLaunchKernelEx(&config, second, parameters, 0));
    if (wrong) {
        parameters[0] = (void *)16;
        OK(cuLaunchKernel(second, 2, 1, 1, 1, 1, 1, 0, behind, parameters, 0));
        OK(cuLaunchKernel(second, 2, 1, 1, 1, 1, 1, 0, behind, (void **)24, 0));
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            parameters[0] = &at;
            OK(cuLaunchKernel(second, 2, 1, 1, 1, 1, 1, 0, behind, parameters, 0));
            exit(0);
        }
        waitpid(child, &status, 0);
        printf("child=%d\nstatus=%d\n", child, status);
    }
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(module));
    module_of("shared_2", ".param .u64 p, .param .u32 n", &shared);
    for (size_t i = 0; i < 4; i++) pthread_create(&threads[i], 0, launches, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    OK(cuCtxSynchronize());
    printf("same=%d\n", first == second);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    if (!strcmp(what, "all")) all();
    if (!strcmp(what, "tracks")) tracks();
    if (!strcmp(what, "ranges")) ranges();
    if (!strcmp(what, "again")) again(0);
    if (!strcmp(what, "wrong")) again(1);
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
