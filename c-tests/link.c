/* Links of PTX modules: declarations meet definitions, names that a module keeps to itself stay apart, logs tell what is wrong. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define HEAD ".version 6.4\n.target sm_70\n.address_size 64\n"

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

/* Both have a variable `own` and a function `helper` of their own, and share `counter`. */
static const char first[] = HEAD
    ".extern .func (.param .b32 result) twice(.param .b32 a);\n"
    ".extern .global .align 4 .u32 elsewhere;\n"
    ".common .global .align 4 .u32 counter;\n"
    ".weak .global .align 4 .u32 weak = 1;\n"
    ".global .align 4 .u32 own = 5;\n"
    ".func (.param .b32 result) helper() { .reg .b32 r; ld.global.u32 r, [own]; st.param.b32 [result], r; ret; }\n"
    ".visible .entry first(.param .u64 out) {\n"
    "  .reg .b32 %r<4>; .reg .b64 %o; .param .b32 argument; .param .b32 result;\n"
    "  ld.param.u64 %o, [out];\n"
    "  call (result), helper;\n  ld.param.b32 %r1, [result];\n"
    "  st.param.b32 [argument], %r1;\n"
    "  call (result), twice, (argument);\n"
    "  ld.param.b32 %r1, [result];\n"
    "  st.global.u32 [%o], %r1;\n"
    "  ld.global.u32 %r2, [elsewhere];\n"
    "  st.global.u32 [%o+4], %r2;\n"
    "  mov.u32 %r3, 7;\n"
    "  st.global.u32 [counter], %r3;\n"
    "  ld.global.u32 %r2, [weak];\n"
    "  st.global.u32 [%o+8], %r2;\n"
    "  ret;\n}\n";
static const char second[] = HEAD
    ".visible .global .align 4 .u32 elsewhere = 40;\n"
    ".common .global .align 4 .u32 counter;\n"
    ".visible .global .align 4 .u32 weak = 2;\n"
    ".global .align 4 .u32 own = 6;\n"
    ".func (.param .b32 result) helper() { .reg .b32 r; ld.global.u32 r, [own]; st.param.b32 [result], r; ret; }\n"
    ".visible .func (.param .b32 result) twice(.param .b32 a) {\n"
    "  .reg .b32 %r<3>;\n"
    "  ld.param.b32 %r1, [a]; add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret;\n}\n"
    ".visible .entry second(.param .u64 out) {\n"
    "  .reg .b32 %r<4>; .reg .b64 %o; .param .b32 result;\n"
    "  ld.param.u64 %o, [out];\n"
    "  call (result), helper;\n  ld.param.b32 %r1, [result];\n"
    "  st.global.u32 [%o], %r1;\n"
    "  ld.global.u32 %r2, [counter];\n"
    "  st.global.u32 [%o+4], %r2;\n"
    "  ret;\n}\n";

static void add(CUlinkState link, const char *what, const char *text)
{
    printf("add %s: %s\n", what, name(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, strlen(text) + 1, what, 0, NULL, NULL)));
}

static void run(CUmodule module, const char *kernel, CUdeviceptr out, int words)
{
    CUfunction function = NULL;
    unsigned got[3] = { 0 };
    void *arguments[] = { &out };
    CUresult found = cuModuleGetFunction(&function, module, kernel);
    CUresult ran = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
    CUresult copied = cuMemcpyDtoH(got, out, sizeof got);
    printf("%s: %s, %s, %s:", kernel, name(found), name(ran), name(copied));
    for (int i = 0; i < words; i++) printf(" %u", got[i]);
    printf("\n");
}

static void together(CUdeviceptr out)
{
    CUlinkState link = NULL;
    CUmodule module = NULL;
    void *image = NULL;
    size_t size = 0;
    printf("create: %s\n", name(cuLinkCreate(0, NULL, NULL, &link)));
    add(link, "first", first);
    add(link, "second", second);
    printf("complete: %s\n", name(cuLinkComplete(link, &image, &size)));
    printf("an image: %d\n", image && size > 64 && !memcmp(image, "\177ELF", 4));
    printf("load: %s\n", name(cuModuleLoadData(&module, image)));
    printf("destroy: %s\n", name(cuLinkDestroy(link)));
    run(module, "first", out, 3);
    run(module, "second", out, 2);
    CUdeviceptr at;
    size_t bytes;
    printf("counter: %s, elsewhere: %s", name(cuModuleGetGlobal(&at, &bytes, module, "counter")), name(cuModuleGetGlobal(&at, &bytes, module, "elsewhere")));
    printf(", %zu bytes\n", bytes);
    printf("unload: %s\n", name(cuModuleUnload(module)));
}

/* What a link lacks, has twice, or cannot read. */
static void faulty(const char *what, const char *one, const char *two)
{
    CUlinkState link = NULL;
    void *image;
    size_t size;
    char log[4096] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(size_t)sizeof log };
    printf("%s: create %s", what, name(cuLinkCreate(2, options, values, &link)));
    CUresult added = cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)one, strlen(one) + 1, "one", 0, NULL, NULL);
    if (!added && two) added = cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)two, strlen(two) + 1, "two", 0, NULL, NULL);
    printf(", add %s", name(added));
    if (!added) printf(", complete %s", cuLinkComplete(link, &image, &size) ? "an error" : "SUCCESS");
    printf(", a log: %d", log[0] != 0);
    printf(", destroy %s\n", name(cuLinkDestroy(link)));
}

/* Kernels of a link under a limit of registers. */
static void limited(void)
{
    static const char many[] = HEAD
        ".visible .entry many(.param .u64 out) {\n  .reg .b64 %o; .reg .b32 %a<70>;\n  ld.param.u64 %o, [out];\n"
#define LOAD(n) "  ld.volatile.global.u32 %a" #n ", [%o+" #n "00];\n"
#define STORE(n) "  st.volatile.global.u32 [%o+" #n "00], %a" #n ";\n"
#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
        TEN(LOAD, 1) TEN(LOAD, 2) TEN(LOAD, 3) TEN(LOAD, 4) TEN(LOAD, 5) TEN(LOAD, 6)
        TEN(STORE, 1) TEN(STORE, 2) TEN(STORE, 3) TEN(STORE, 4) TEN(STORE, 5) TEN(STORE, 6) "  ret;\n}\n";
    for (int limit = 0; limit <= 32; limit += 32) {
        CUlinkState link = NULL;
        CUmodule module = NULL;
        CUfunction function = NULL;
        void *image = NULL;
        size_t size;
        int registers = 0;
        CUjit_option options[] = { CU_JIT_MAX_REGISTERS };
        void *values[] = { (void *)(size_t)limit };
        cuLinkCreate(limit != 0, options, values, &link);
        cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)many, sizeof many, "many", 0, NULL, NULL);
        cuLinkComplete(link, &image, &size);
        cuModuleLoadData(&module, image);
        cuModuleGetFunction(&function, module, "many");
        cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
        printf("registers with limit %d: at most 32: %d\n", limit, registers > 0 && registers <= 32);
        CUlibrary library = NULL;
        CUkernel kernel = NULL;
        cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0);
        cuLibraryGetKernel(&kernel, library, "many");
        cuKernelGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0);
        printf("of a library's kernel: %d\n", registers > 0 && registers <= 32);
        cuLibraryUnload(library);
        cuModuleUnload(module);
        cuLinkDestroy(link);
    }
}

/* What a function says of itself, and large alignments. */
static void attributes(CUdeviceptr out)
{
    static const char text[] = HEAD
        ".const .align 4 .b8 table[48];\n.shared .align 4 .b8 piece[40];\n"
        ".visible .entry k(.param .u64 out) {\n"
        "  .local .align 512 .b8 mine[8];\n  .shared .align 1024 .b8 ours[8];\n"
        "  .reg .b64 %o, %a, %b; .reg .b32 %r<4>;\n"
        "  ld.param.u64 %o, [out];\n"
        "  mov.u64 %a, mine; cvta.local.u64 %a, %a; mov.u64 %b, ours; cvta.shared.u64 %b, %b;\n"
        "  cvt.u32.u64 %r1, %a; and.b32 %r1, %r1, 511; st.global.u32 [%o], %r1;\n"
        "  cvt.u32.u64 %r2, %b; and.b32 %r2, %r2, 1023; st.global.u32 [%o+4], %r2;\n"
        "  st.shared.u32 [piece], %r1; ld.const.u32 %r3, [table]; st.global.u32 [%o+8], %r3; ret;\n}\n";
    CUmodule module = NULL;
    CUfunction function = NULL;
    int value = -1;
    printf("load: %s\n", name(cuModuleLoadData(&module, text)));
    cuModuleGetFunction(&function, module, "k");
    cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, function);
    printf("constant bytes: %d\n", value);
    run(module, "k", out, 3);
    cuModuleUnload(module);
}

/* Static shared memory ends where an array of unknown size could begin. */
static void sizes(void)
{
#define SIZED(array) HEAD array "\n.visible .entry k() { .shared .align 4 .b8 s[41]; .reg .u32 %r; mov.u32 %r, 1; st.volatile.shared.u32 [s], %r; ret; }\n"
    static const char *const texts[] = { SIZED(""), SIZED(".extern .shared .align 4 .b8 more[];"), SIZED(".extern .shared .align 32 .b8 more[];") };
    for (int n = 0; n < 3; n++) {
        CUmodule module = NULL;
        CUfunction function = NULL;
        int value = -1;
        cuModuleLoadData(&module, texts[n]);
        cuModuleGetFunction(&function, module, "k");
        cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
        printf("shared bytes: %d\n", value);
        cuModuleUnload(module);
    }
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr out;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuMemAlloc(&out, 4096);
    together(out);
    faulty("undefined", first, NULL);
    faulty("twice", second, second);
    faulty("no PTX", HEAD ".visible .entry k( { ret; }\n", NULL);
    limited();
    attributes(out);
    sizes();
    return 0;
}
