/* Threads that load, look up, launch, change and unload at the same time, also what others have in use: nothing crashes or
 * hangs, every answer is one that makes sense, and whoever uses only what is its own gets the right numbers.
 *
 * launch_stress [SECONDS]: how long, 1 unless told. A real driver does not survive the use of handles that are gone. */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 word = 3;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
    "    .reg .u64 %rd; .reg .u32 %r<3>; ld.param.u64 %rd, [p]; ld.param.u32 %r1, [n]; ld.global.u32 %r2, [word];\n"
    "    add.u32 %r1, %r1, %r2; red.global.add.u32 [%rd], %r1; ret; }\n"
    ".visible .entry none() { ret; }\n";

#define SHARED 4
static _Atomic(CUmodule) modules[SHARED];
static _Atomic(CUfunction) functions[SHARED];
static _Atomic(CUlibrary) libraries[SHARED];
static _Atomic(CUkernel) kernels[SHARED];
static _Atomic(CUstream) streams[SHARED];
static CUcontext context;
static CUdeviceptr rubbish;
static atomic_ulong done, right;
static atomic_int failed;
static struct timespec start;
static double seconds = 1;

/* On a busy machine the first careful round takes longer than all. */
static int going(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed = (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
    return (passed < seconds || !done || !right) && !failed;
}

static unsigned next(unsigned *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 17, *seed ^= *seed << 5;
    return *seed;
}

/* What a call about something that may be gone may answer. */
static void sensible(CUresult r)
{
    switch (r) {
    case CUDA_SUCCESS: case CUDA_ERROR_INVALID_HANDLE: case CUDA_ERROR_INVALID_VALUE: case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_NOT_READY: case CUDA_ERROR_CONTEXT_IS_DESTROYED: case CUDA_ERROR_INVALID_CONTEXT: break;
    default:
        if (!atomic_exchange(&failed, 1)) printf("an answer that makes no sense: %s\n", name(r));
    }
    atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
}

static void *wild(void *argument)
{
    unsigned seed = (unsigned)(size_t)argument * 2654435761u + 1, n = 1;
    OK(cuCtxSetCurrent(context));
    while (going()) {
        int i = (int)(next(&seed) % SHARED), k = (int)(next(&seed) % SHARED), v;
        CUmodule m = NULL, got;
        CUfunction f = NULL;
        CUlibrary l = NULL;
        CUkernel kernel = NULL;
        CUstream s = NULL;
        CUdeviceptr p;
        size_t bytes;
        void *parameters[] = {&rubbish, &n};
        switch (next(&seed) % 16) {
        case 0:
            sensible(cuModuleLoadData(&m, code));
            if (m && !cuModuleGetFunction(&f, m, "add")) functions[i] = f;
            m = atomic_exchange(&modules[i], m);
            if (m) sensible(cuModuleUnload(m));
            break;
        case 1:
            sensible(cuLibraryLoadData(&l, code, NULL, NULL, 0, NULL, NULL, 0));
            if (l && !cuLibraryGetKernel(&kernel, l, "add")) kernels[i] = kernel;
            l = atomic_exchange(&libraries[i], l);
            if (l) sensible(cuLibraryUnload(l));
            break;
        case 2:
            sensible(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
            s = atomic_exchange(&streams[i], s);
            if (s) sensible(cuStreamDestroy(s));
            break;
        case 3: sensible(cuModuleGetFunction(&f, modules[i], "none")); break;
        case 4: sensible(cuModuleGetGlobal(&p, &bytes, modules[i], "word")); break;
        case 5: sensible(cuKernelGetFunction(&f, kernels[i])); break;
        case 6: sensible(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, functions[i])); break;
        case 7: sensible(cuFuncSetAttribute(functions[i], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000)); break;
        case 8: sensible(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2000, kernels[i], 0)); break;
        case 9: sensible(cuFuncGetModule(&got, functions[i])); break;
        case 10: sensible(cuStreamSynchronize(streams[i])); break;
        case 11: sensible(cuParamSetv(functions[i], 0, &rubbish, 8)); break;
        case 12:
            if (!cuModuleGetFunction(&f, modules[i], "none")) sensible(cuLaunchGridAsync(f, 1, 1, streams[k]));
            break;
        case 13: sensible(cuLaunchKernel((CUfunction)kernels[i], 1, 1, 1, 1, 1, 1, 0, streams[k], parameters, NULL)); break;
        default: sensible(cuLaunchKernel(functions[i], 2, 1, 1, 32, 1, 1, 0, streams[k], parameters, NULL)); break;
        }
    }
    return NULL;
}

static void *careful(void *argument)
{
    unsigned n = (unsigned)(size_t)argument;
    CUdeviceptr p;
    CUstream s;
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&p, 4));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    while (going()) {
        CUmodule m;
        CUfunction f;
        unsigned v = 0;
        OK(cuModuleLoadData(&m, code));
        OK(cuModuleGetFunction(&f, m, "add"));
        OK(cuMemsetD32Async(p, 0, 1, s));
        for (int i = 0; i < 5; i++) OK(cuLaunchKernel(f, 3, 1, 1, 64, 1, 1, 0, s, (void *[]){&p, &n}, NULL));
        /* Unloading waits for what runs. */
        OK(cuModuleUnload(m));
        OK(cuMemcpyDtoHAsync(&v, p, 4, s));
        OK(cuStreamSynchronize(s));
        if (v != (n + 3) * 960 && !atomic_exchange(&failed, 1)) printf("%u instead of %u\n", v, (n + 3) * 960);
        atomic_fetch_add_explicit(&right, 1, memory_order_relaxed);
    }
    OK(cuStreamDestroy(s));
    OK(cuMemFree(p));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[8];
    char device[64] = "";
    if (argc > 1) seconds = atof(argv[1]);
    /* Kernels of modules that go meanwhile may say so. */
    setenv("DOPPEL_LOG", "off", 1);
    OK(cuInit(0));
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) skip("a real driver does not survive the use of handles that are gone");
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuMemAlloc(&rubbish, 4096));
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t i = 0; i < 8; i++) pthread_create(&threads[i], NULL, i < 6 ? wild : careful, (void *)(i + 1));
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    CUresult r = cuCtxSynchronize();
    printf("something was done: %d %d, in the end %s\n", done > 0, right > 0, name(r));
    fprintf(stderr, "%lu calls, %lu careful rounds\n", (unsigned long)done, (unsigned long)right);
    OK(cuCtxDestroy(context));
    return failed;
}
