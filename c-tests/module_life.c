/* The life of modules, libraries, functions and kernels. */
#include "check.h"

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
static const char code[] = HEAD
    ".visible .global .align 4 .u32 word = 7;\n.visible .const .align 8 .b8 table[32];\n"
    ".visible .entry sleeps(.param .u64 p) {\n"
    "    .reg .u64 %rd; .reg .u32 %r<3>; .reg .pred %q; ld.param.u64 %rd, [p]; mov.u32 %r1, 0;\n"
    "L:  nanosleep.u32 1000000; add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 50; @%q bra L;\n"
    "    ld.global.u32 %r2, [word]; st.global.u32 [%rd], %r2; ret; }\n"
    ".visible .entry many(.param .u8 a, .param .u64 b, .param .align 4 .b8 c[10], .param .u16 d, .param .align 16 .b8 e[32]) { ret; }\n"
    ".visible .entry none() { ret; }\n"
    ".visible .func (.param .b32 r) helper() { st.param.b32 [r], 1; ret; }\n";

static void modules(void)
{
    CUmodule m, got;
    CUfunction f = NULL, list[5];
    CUdeviceptr room, global;
    size_t bytes = 0;
    unsigned count = 99, v = 0;
    begin();
    OK(cuMemAlloc(&room, 64));
    OK(cuModuleLoadData(&m, code));
    SHOW(cuModuleGetFunctionCount(&count, m));
    printf("%u\n", count);
    SHOW(cuModuleGetFunctionCount(NULL, m));
    SHOW(cuModuleGetFunctionCount(&count, NULL));
    memset(list, 0, sizeof list);
    SHOW(cuModuleEnumerateFunctions(list, 0, m));
    printf("%d\n", list[0] != NULL);
    SHOW(cuModuleEnumerateFunctions(list, 2, m));
    printf("%d %d %d\n", list[0] != NULL, list[1] != NULL, list[2] != NULL);
    memset(list, 0, sizeof list);
    SHOW(cuModuleEnumerateFunctions(list, 5, m));
    for (int i = 0; i < 5; i++) {
        const char *n = NULL;
        if (!list[i]) continue;
        SHOW(cuFuncGetName(&n, list[i]));
        printf("%s\n", n ? n : "");
    }
    SHOW(cuModuleEnumerateFunctions(NULL, 1, m));
    SHOW(cuModuleEnumerateFunctions(list, 1, NULL));
    SHOW(cuModuleGetFunction(&f, m, "helper"));
    SHOW(cuModuleGetFunction(&f, m, "sleeps"));
    SHOW(cuFuncGetModule(&got, f));
    printf("%d\n", got == m);
    SHOW(cuModuleGetGlobal(&global, &bytes, m, "table"));
    printf("%zu\n", bytes);
    SHOW(cuModuleGetGlobal(&global, &bytes, m, "word"));
    printf("%zu\n", bytes);
    CUdeviceptr base = 0;
    SHOW(cuMemGetAddressRange(&base, &bytes, global));
    printf("-- unloaded while it runs\n");
    OK(cuMemsetD32(room, 0, 1));
    SHOW(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&room}, NULL));
    SHOW(cuModuleUnload(m));
    SHOW(cuMemcpyDtoH(&v, room, 4));
    printf("%u\n", v);
    SHOW(cuMemGetAddressRange(&base, &bytes, global));
    printf("-- the same text twice\n");
    CUmodule a, b;
    CUdeviceptr x, y;
    OK(cuModuleLoadData(&a, code));
    OK(cuModuleLoadData(&b, code));
    OK(cuModuleGetGlobal(&x, NULL, a, "word"));
    OK(cuModuleGetGlobal(&y, NULL, b, "word"));
    printf("%d %d\n", a != b, x != y);
    OK(cuMemsetD32(x, 9, 1));
    OK(cuMemcpyDtoH(&v, y, 4));
    printf("%u\n", v);
    SHOW(cuModuleUnload(a));
    SHOW(cuModuleUnload(b));
}

static void parameters_of(int kernel, void *f)
{
    for (size_t i = 0; i < 6; i++) {
        size_t offset = 99, size = 99;
        CUresult r = kernel ? cuKernelGetParamInfo((CUkernel)f, i, &offset, &size) : cuFuncGetParamInfo((CUfunction)f, i, &offset, &size);
        printf("%zu: %s", i, name(r));
        printf(r ? "\n" : " %zu %zu\n", offset, size);
    }
}

static void functions(void)
{
    CUmodule m;
    CUfunction f, none;
    CUfunctionLoadingState state = (CUfunctionLoadingState)9;
    size_t offset;
    begin();
    OK(cuModuleLoadData(&m, code));
    OK(cuModuleGetFunction(&f, m, "many"));
    OK(cuModuleGetFunction(&none, m, "none"));
    SHOW(cuFuncIsLoaded(&state, none));
    printf("%d\n", state);
    SHOW(cuFuncLoad(none));
    SHOW(cuFuncIsLoaded(&state, none));
    printf("%d\n", state);
    SHOW(cuFuncIsLoaded(&state, f));
    printf("%d\n", state);
    parameters_of(0, f);
    SHOW(cuFuncIsLoaded(&state, f));
    printf("%d\n", state);
    SHOW(cuFuncGetParamInfo(f, 0, NULL, &offset));
    SHOW(cuFuncGetParamInfo(f, 1, &offset, NULL));
    printf("%zu\n", offset);
    SHOW(cuFuncGetParamInfo(NULL, 0, &offset, NULL));
    SHOW(cuFuncGetParamInfo(none, 0, &offset, NULL));
    SHOW(cuFuncIsLoaded(NULL, f));
    SHOW(cuFuncIsLoaded(&state, NULL));
    SHOW(cuFuncLoad(NULL));
    const char *n = NULL;
    SHOW(cuFuncGetName(NULL, f));
    SHOW(cuFuncGetName(&n, NULL));
    SHOW(cuFuncGetModule(NULL, f));
    CUmodule got;
    SHOW(cuFuncGetModule(&got, NULL));
}

static void libraries(void)
{
    CUlibrary l = NULL, other = NULL;
    CUkernel k = NULL, list[5];
    CUfunction f = NULL, g = NULL;
    CUmodule m = NULL, n = NULL;
    CUcontext first, second;
    const char *text = NULL;
    unsigned count = 99;
    int v = -1;
    void *p = NULL;
    SHOW(cuInit(0));
    SHOW(cuLibraryLoadData(&l, code, NULL, NULL, 0, NULL, NULL, 0));
    printf("-- without a context\n");
    SHOW(cuLibraryGetKernelCount(&count, l));
    printf("%u\n", count);
    SHOW(cuLibraryGetKernelCount(NULL, l));
    memset(list, 0, sizeof list);
    SHOW(cuLibraryEnumerateKernels(list, 0, l));
    SHOW(cuLibraryEnumerateKernels(list, 5, l));
    for (int i = 0; i < 5; i++) {
        if (!list[i]) continue;
        SHOW(cuKernelGetName(&text, list[i]));
        printf("%s\n", text ? text : "");
    }
    SHOW(cuLibraryEnumerateKernels(NULL, 5, l));
    SHOW(cuLibraryGetKernel(&k, l, "nothing"));
    SHOW(cuLibraryGetKernel(&k, l, "helper"));
    SHOW(cuLibraryGetKernel(&k, l, ""));
    SHOW(cuLibraryGetKernel(&k, l, NULL));
    SHOW(cuLibraryGetKernel(NULL, l, "many"));
    SHOW(cuLibraryGetKernel(&k, l, "many"));
    SHOW(cuKernelGetLibrary(&other, k));
    printf("%d\n", other == l);
    SHOW(cuKernelGetFunction(&f, k));
    SHOW(cuLibraryGetModule(&m, l));
    SHOW(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 0));
    printf("%d\n", v);
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, k, 0));
    SHOW(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0));
    printf("%d\n", v);
    SHOW(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 0));
    parameters_of(1, k);
    SHOW(cuLibraryGetUnifiedFunction(&p, l, "many"));
    SHOW(cuLibraryGetUnifiedFunction(&p, l, "nothing"));
    SHOW(cuLibraryGetUnifiedFunction(&p, l, NULL));
    SHOW(cuLibraryGetUnifiedFunction(NULL, l, "many"));
    SHOW(cuLibraryGetUnifiedFunction(&p, NULL, "many"));
    printf("-- with contexts\n");
    first = begin();
    OK(cuCtxCreate(&second, NULL, 0, 0));
    SHOW(cuKernelGetFunction(&f, k));
    SHOW(cuLibraryGetModule(&m, l));
    SHOW(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    printf("%d\n", v);
    OK(cuCtxSetCurrent(first));
    SHOW(cuKernelGetFunction(&g, k));
    SHOW(cuLibraryGetModule(&n, l));
    printf("%d %d\n", f != g, m != n);
    SHOW(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, g));
    printf("%d\n", v);
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 90000, k, 0));
    SHOW(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0));
    printf("%d\n", v);
    SHOW(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, g));
    printf("%d\n", v);
    SHOW(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    printf("%d\n", v);
    SHOW(cuFuncSetAttribute(g, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 80000));
    SHOW(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0));
    printf("%d\n", v);
    SHOW(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 99));
    SHOW(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, -1));
    SHOW(cuKernelGetAttribute(NULL, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 0));
    SHOW(cuKernelGetAttribute(&v, (CUfunction_attribute)99, k, 0));
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 10, k, 0));
    SHOW(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 0));
    SHOW(cuKernelSetCacheConfig(k, (CUfunc_cache)9, 0));
    parameters_of(1, k);
    SHOW(cuModuleUnload(n));
    SHOW(cuModuleGetFunction(&g, n, "none"));
    CUmodule got = NULL;
    SHOW(cuFuncGetModule(&got, g));
    printf("%d\n", got == n);
    SHOW(cuFuncGetName(&text, (CUfunction)k));
    SHOW(cuFuncGetModule(&got, (CUfunction)k));
    printf("%d\n", got == n);
    SHOW(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (CUfunction)k));
    printf("%d\n", v);
    size_t offset;
    CUfunctionLoadingState state;
    SHOW(cuFuncSetAttribute((CUfunction)k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000));
    SHOW(cuFuncSetCacheConfig((CUfunction)k, CU_FUNC_CACHE_PREFER_L1));
    SHOW(cuFuncGetParamInfo((CUfunction)k, 0, &offset, NULL));
    SHOW(cuFuncIsLoaded(&state, (CUfunction)k));
    SHOW(cuFuncLoad((CUfunction)k));
    SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, (CUfunction)k, 64, 0));
    SHOW(cuOccupancyMaxPotentialBlockSize(&v, &v, (CUfunction)k, NULL, 0, 0));
    SHOW(cuOccupancyAvailableDynamicSMemPerBlock(&offset, (CUfunction)k, 1, 64));
    CUlaunchConfig config = {.gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    SHOW(cuOccupancyMaxActiveClusters(&v, (CUfunction)k, &config));
    SHOW(cuOccupancyMaxPotentialClusterSize(&v, (CUfunction)k, &config));
    SHOW(cuCtxDestroy(second));
    SHOW(cuKernelGetFunction(&g, k));
    printf("-- unloaded while it runs\n");
    CUdeviceptr room;
    unsigned w = 0;
    OK(cuMemAlloc(&room, 64));
    SHOW(cuLibraryGetKernel(&k, l, "sleeps"));
    SHOW(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&room}, NULL));
    SHOW(cuLibraryUnload(l));
    SHOW(cuMemcpyDtoH(&w, room, 4));
    printf("%u\n", w);
    SHOW(cuLibraryUnload(NULL));
}

static CUlibrary l;
static CUlibraryOption o[2] = {(CUlibraryOption)9, CU_LIBRARY_BINARY_IS_PRESERVED};
static void *v[2] = {NULL, (void *)1};
static void preserved(void)
{
    begin();
    SHOW(cuLibraryLoadData(&l, code, NULL, NULL, 0, o + 1, v + 1, 1));
    SHOW(cuLibraryUnload(l));
}
static void no_value(void)
{
    begin();
    SHOW(cuLibraryLoadData(&l, code, NULL, NULL, 0, o + 1, NULL, 1));
}
static void no_jit_options(void)
{
    begin();
    SHOW(cuLibraryLoadData(&l, code, NULL, NULL, 1, NULL, NULL, 0));
}
static void unknown_option(void)
{
    begin();
    SHOW(cuLibraryLoadData(&l, code, NULL, NULL, 0, o, v, 1));
}
static void options(void)
{
    begin();
    CUjit_option j[] = {CU_JIT_MAX_REGISTERS};
    void *jv[] = {(void *)(size_t)32};
    SHOW(cuLibraryLoadData(&l, code, j, jv, 1, NULL, NULL, 0));
    SHOW(cuLibraryUnload(l));
    SHOW(cuLibraryLoadData(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryLoadData(NULL, code, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryLoadFromFile(&l, "/nonexistent/file", NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryLoadFromFile(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
}

static const char *mode;
static void loading(void)
{
    CUmoduleLoadingMode got = (CUmoduleLoadingMode)99;
    CUmodule m;
    CUfunction f;
    CUfunctionLoadingState state = (CUfunctionLoadingState)9;
    if (mode) setenv("CUDA_MODULE_LOADING", mode, 1);
    else unsetenv("CUDA_MODULE_LOADING");
    begin();
    SHOW(cuModuleGetLoadingMode(&got));
    printf("%d\n", got);
    OK(cuModuleLoadData(&m, code));
    OK(cuModuleGetFunction(&f, m, "none"));
    SHOW(cuFuncIsLoaded(&state, f));
    printf("%d\n", state);
    SHOW(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuFuncIsLoaded(&state, f));
    printf("%d\n", state);
    SHOW(cuCtxSynchronize());
}

int main(void)
{
    apart("modules", modules);
    apart("functions", functions);
    apart("libraries", libraries);
    apart("options", options);
    apart("contents are preserved", preserved);
    apart("option without a value", no_value);
    apart("no compiler options", no_jit_options);
    apart("unknown option", unknown_option);
    static const char *const modes[] = {NULL, "EAGER", "LAZY", "DEFAULT", "eager", ""};
    for (int i = 0; i < 6; i++) {
        char what[40];
        mode = modes[i];
        snprintf(what, sizeof what, "loading %s", mode ? mode : "(unset)");
        apart(what, loading);
    }
    return 0;
}
