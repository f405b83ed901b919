/* Limits of a context, and kernels that have run: the stack, the heap of kernels, the buffer of printf. */
#include "check.h"

static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".global .align 1 .b8 line[] = {104, 105, 10, 0};\n"
    ".visible .entry prints() {\n"
    ".reg .b64 %rd<2>; .param .b64 pf; .param .b64 pa; .param .b32 pr; mov.u64 %rd1, line; cvta.global.u64 %rd1, %rd1;\n"
    "st.param.b64 [pf], %rd1; mov.u64 %rd1, 0; st.param.b64 [pa], %rd1; call (pr), vprintf, (pf, pa); ret; }\n"
    ".visible .entry takes(.param .u64 n, .param .u64 o) {\n"
    ".reg .b64 %rd<9>; .param .b64 pn; .param .b64 pr; ld.param.u64 %rd1, [n]; ld.param.u64 %rd2, [o];\n"
    "st.param.b64 [pn], %rd1; call (pr), malloc, (pn); ld.param.b64 %rd5, [pr]; st.global.u64 [%rd2], %rd5; ret; }\n"
    ".visible .entry none() { ret; }\n";

static void told(const char *what)
{
    printf("%s:", what);
    /* Not how much of the second-level cache may persist, which the device may not have. */
    for (int limit = 0; limit < 6; limit++) {
        size_t v = 99;
        CUresult r = cuCtxGetLimit(&v, (CUlimit)limit);
        if (r) printf(" %s", name(r));
        else printf(" %zu", v);
    }
    printf("\n");
}

static CUmodule module;
static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static void stack(void)
{
    begin();
    told("at first");
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 1024, 65536, 262144, 523264, 524288, 524289, 1 << 20, (size_t)1 << 32, (size_t)-1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t v = 0;
        CUresult r = cuCtxSetLimit(CU_LIMIT_STACK_SIZE, sizes[i]);
        cuCtxGetLimit(&v, CU_LIMIT_STACK_SIZE);
        printf("%zu: %s %zu\n", sizes[i], name(r), v);
    }
}

/* A kernel that uses neither heap nor printf: both limits may still change. */
static void plain(void)
{
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuLaunchKernel(function("none"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    SHOW(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
    told("afterwards");
}

static void prints(void)
{
    begin();
    SHOW(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
    OK(cuModuleLoadData(&module, code));
    SHOW(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 3 << 20));
    OK(cuLaunchKernel(function("prints"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    SHOW(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 4 << 20));
    SHOW(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 3 << 20));
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    told("afterwards");
}

static void takes(void)
{
    CUdeviceptr o;
    size_t n = 12 << 20, p = 0;
    begin();
    OK(cuMemAlloc(&o, 64));
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    OK(cuModuleLoadData(&module, code));
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 32 << 20));
    OK(cuLaunchKernel(function("takes"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&n, &o}, NULL));
    OK(cuMemcpyDtoH(&p, o, 8));
    printf("some: %d\n", p != 0);
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 64 << 20));
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 32 << 20));
    SHOW(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20));
    told("afterwards");
}

int main(void)
{
    apart("stack", stack);
    apart("a kernel", plain);
    apart("prints", prints);
    apart("takes", takes);
    return 0;
}
