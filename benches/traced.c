/* What calls take, one line each: best of rounds, in ns. Run with and without DOPPEL_TRACE the difference is what a trace costs. */
#include "bench.h"

static const char code[] =
    ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry _Z5scalePfi(.param .u64 p, .param .u32 n) { ret; }\n";

static CUfunction kernel;
static CUdeviceptr memory;

static void current(void)
{
    CUcontext c;
    cuCtxGetCurrent(&c);
}
static void attribute(void)
{
    int n;
    cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
}
static void pointer(void)
{
    unsigned type;
    cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory);
}
static void query(void) { cuStreamQuery(NULL); }
static void allocate(void)
{
    CUdeviceptr p;
    if (!cuMemAlloc(&p, 4096)) cuMemFree(p);
}
static void launch(void)
{
    int n = 7;
    void *args[] = {&memory, &n};
    cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
}

int main(void)
{
    const struct {
        const char *name;
        void (*call)(void);
        long times;
    } rows[] = {
        {"cuCtxGetCurrent", current, 20000},
        {"cuDeviceGetAttribute", attribute, 20000},
        {"cuPointerGetAttribute", pointer, 20000},
        {"cuStreamQuery", query, 20000},
        {"cuMemAlloc and cuMemFree", allocate, 2500},
        {"cuLaunchKernel", launch, 1000},
    };
    CUmodule module;
    start();
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&kernel, module, "_Z5scalePfi"));
    OK(cuMemAlloc(&memory, 1 << 20));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double best = 1e30;
        for (int round = 0; round < ROUNDS; round++) {
            double before = now();
            for (long n = 0; n < rows[i].times; n++) rows[i].call();
            double each = (now() - before) / (double)rows[i].times;
            if (each < best) best = each;
            cuCtxSynchronize();
        }
        printf("%-26s %8.1f\n", rows[i].name, best);
    }
    return 0;
}
