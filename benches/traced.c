/* What calls take, one line each: best of rounds, in ns. Run with and without DOPPEL_TRACE the difference is what a trace costs.
 * Any driver may be behind; in forward mode with null_driver.c all the difference is the trace's. */
#include "bench.h"

static CUfunction kernel, kernels[4];
static CUdeviceptr memory;
static CUstream stream;

static void current(int n)
{
    CUcontext c;
    (void)n;
    cuCtxGetCurrent(&c);
}
static void attribute(int n) { cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0); }
static void pointer(int n)
{
    unsigned type;
    (void)n;
    cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory);
}
static void query(int n)
{
    (void)n;
    cuStreamQuery(NULL);
}
static void allocate(int n)
{
    CUdeviceptr p;
    (void)n;
    if (!cuMemAlloc(&p, 4096)) cuMemFree(p);
}

/* Launches: addresses and numbers by turns, of which one is another one each time. */
static void *args[16];
static int numbers[8];
static void launch(int n)
{
    numbers[0] = n;
    cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, args, NULL);
}
static void launch_ex(int n)
{
    CUlaunchAttribute attributes[1] = { { .id = CU_LAUNCH_ATTRIBUTE_PRIORITY } };
    CUlaunchConfig config = { 1, 1, 1, 32, 1, 1, 0, stream, attributes, 1 };
    numbers[0] = n;
    cuLaunchKernelEx(&config, kernel, args, NULL);
}
static void launch_in_turn(int n)
{
    kernel = kernels[n % 4];
    launch(n);
}

/* The name of a kernel as C++ compilers and libraries make them. */
#define LONG                                                                                                                   \
    "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1__with_parameters_of_8_" \
    "and_4_bytes_16"

static CUfunction load(const char *name, int parameters)
{
    static char text[4096];
    int at = sprintf(text, ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry %s(", name);
    for (int i = 0; i < parameters; i++)
        at += sprintf(text + at, "%s.param .%s p%d", i ? ", " : "", i % 2 ? "u32" : "u64", i);
    sprintf(text + at, ") { ret; }\n");
    CUmodule module;
    CUfunction found;
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&found, module, name));
    return found;
}

int main(void)
{
    start();
    OK(cuMemAlloc(&memory, 1 << 20));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 8; i++) {
        args[2 * i] = &memory;
        args[2 * i + 1] = &numbers[i];
        numbers[i] = 1000 * i;
    }
    CUfunction of0 = load("scale_0", 0), of2 = load("scale_2", 2), of8 = load("scale_8", 8), of16 = load("scale_16", 16);
    CUfunction names[] = { of0, of2, of8, of16 };
    memcpy(kernels, names, sizeof kernels);
    const struct {
        const char *name;
        void (*call)(int);
        long times;
        CUfunction kernel;
    } rows[] = {
        { "cuCtxGetCurrent", current, 20000, NULL },
        { "cuDeviceGetAttribute", attribute, 20000, NULL },
        { "cuPointerGetAttribute", pointer, 20000, NULL },
        { "cuStreamQuery", query, 20000, NULL },
        { "cuMemAlloc and cuMemFree", allocate, 2500, NULL },
        { "cuLaunchKernel", launch, 2000, of0 },
        { "  2 parameters", launch, 2000, of2 },
        { "  8 parameters", launch, 2000, of8 },
        { "  16 parameters", launch, 2000, of16 },
        { "  16, and a long name", launch, 2000, load(LONG, 16) },
        { "  four kernels in turn", launch_in_turn, 2000, NULL },
        { "cuLaunchKernelEx", launch_ex, 2000, of0 },
        { "  2 parameters", launch_ex, 2000, of2 },
        { "  16 parameters", launch_ex, 2000, of16 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double best = 1e30;
        kernel = rows[i].kernel;
        for (int round = 0; round < ROUNDS; round++) {
            double before = now();
            for (long n = 0; n < rows[i].times; n++) rows[i].call((int)n);
            double each = (now() - before) / (double)rows[i].times;
            if (each < best) best = each;
            cuCtxSynchronize();
        }
        printf("%-26s %8.1f\n", rows[i].name, best);
    }
    return 0;
}
