/* Libraries: code for all contexts, and managed variables, whose pointers the host follows. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

static const char code[] = ".version 7.0\n"
                           ".target sm_70\n"
                           ".address_size 64\n"
                           ".visible .global .attribute(.managed) .align 4 .u32 shared = 5;\n"
                           ".visible .global .attribute(.managed) .align 8 .b8 more[4096];\n"
                           ".visible .global .align 4 .u32 own = 7;\n"
                           ".visible .entry step()\n"
                           "{\n"
                           "    .reg .u32 %r<3>;\n"
                           "    ld.global.u32 %r1, [shared];\n"
                           "    ld.global.u32 %r2, [own];\n"
                           "    add.u32 %r1, %r1, %r2;\n"
                           "    st.global.u32 [shared], %r1;\n"
                           "    st.global.u32 [more+4092], %r2;\n"
                           "    add.u32 %r2, %r2, 1;\n"
                           "    st.global.u32 [own], %r2;\n"
                           "    ret;\n"
                           "}\n";

static CUdevice device;

static void tell(const char *what, CUdeviceptr p)
{
    unsigned managed = 9, type = 9;
    size_t size = 0;
    void *host = NULL;
    cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p);
    cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p);
    cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p);
    CUresult r = cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, p);
    printf("%s: managed %u, type %u, of the host %s\n", what, managed, type,
           r ? name(r) : host == (void *)(uintptr_t)p ? "the same" : "another");
}

static void launch(CUlibrary library)
{
    CUkernel kernel = NULL;
    SHOW(cuLibraryGetKernel(&kernel, library, "step"));
    SHOW(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuCtxSynchronize());
}

/* A wrong image is found out when something of it is asked for. */
static void of_a_wrong_image(const char *what, const char *image)
{
    CUlibrary library = NULL;
    CUkernel kernel = NULL;
    CUmodule module = NULL;
    CUdeviceptr p = 0;
    unsigned count = 9;
    printf("%s\n", what);
    SHOW(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryGetKernelCount(&count, library));
    SHOW(cuLibraryEnumerateKernels(&kernel, 1, library));
    printf("%u kernels%s\n", count, kernel ? ", and yet one" : "");
    SHOW(cuLibraryGetKernel(&kernel, library, "step"));
    SHOW(cuLibraryGetModule(&module, library));
    SHOW(cuLibraryGetGlobal(&p, NULL, library, "own"));
    SHOW(cuLibraryGetManaged(&p, NULL, library, "shared"));
    SHOW(cuLibraryUnload(library));
    SHOW(cuLibraryUnload(library));
    SHOW(cuModuleLoadData(&module, image));
}

/* One option: what loading a library and a module says to it. */
static void of_an_option(const char *what, CUjit_option option, long value)
{
    CUlibrary library = NULL;
    CUmodule module = NULL, of_library = NULL;
    CUjit_option options[] = { option };
    void *values[] = { (void *)value };
    CUresult l = cuLibraryLoadData(&library, code, options, values, 1, NULL, NULL, 0);
    values[0] = (void *)value;
    CUresult m = cuModuleLoadDataEx(&module, code, 1, options, values);
    printf("%s %ld: library %s, module %s", what, value, name(l), name(m));
    if (!l) printf(", of the library %s", name(cuLibraryGetModule(&of_library, library)));
    printf("\n");
    if (!l) cuLibraryUnload(library);
    if (!m) cuModuleUnload(module);
}

int main(void)
{
    CUlibrary library = NULL;
    CUcontext first = NULL, second = NULL;
    CUmodule module = NULL;
    CUdeviceptr p = 0, q = 0;
    size_t bytes = 0;
    SHOW(cuInit(0));
    cuDeviceGet(&device, 0);
    printf("-- without a context\n");
    SHOW(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryGetManaged(&p, &bytes, library, "shared"));
    if (!p) return 1;
    printf("%zu bytes, %u\n", bytes, *(volatile unsigned *)(uintptr_t)p);
    SHOW(cuLibraryGetManaged(&q, &bytes, library, "more"));
    printf("%zu bytes, %u\n", bytes, ((volatile unsigned *)(uintptr_t)q)[1023]);
    SHOW(cuLibraryGetManaged(&q, NULL, library, "own"));
    SHOW(cuLibraryGetManaged(&q, NULL, library, "nothing"));
    SHOW(cuLibraryGetManaged(NULL, NULL, library, "shared"));
    SHOW(cuLibraryGetManaged(NULL, &bytes, library, "shared"));
    SHOW(cuLibraryGetGlobal(&q, NULL, library, "own"));
    *(volatile unsigned *)(uintptr_t)p = 50;

    printf("-- in contexts\n");
    if (cuDevicePrimaryCtxRetain(&first, device) || cuCtxSetCurrent(first)) return 1;
    SHOW(cuLibraryGetGlobal(&q, &bytes, library, "shared"));
    printf("%zu bytes, %s\n", bytes, p == q ? "the same" : "another");
    tell("shared", p);
    SHOW(cuLibraryGetGlobal(&q, &bytes, library, "own"));
    tell("own", q);
    launch(library);
    printf("%u\n", *(volatile unsigned *)(uintptr_t)p);
    SHOW(cuMemFree(p));
    SHOW(cuMemFree(q));
    if (cuCtxCreate(&second, NULL, 0, device)) return 1;
    launch(library);
    printf("%u: each context has a variable of its own, and all share the managed one\n", *(volatile unsigned *)(uintptr_t)p);
    SHOW(cuCtxDestroy(second));
    printf("%u\n", *(volatile unsigned *)(uintptr_t)p);
    cuCtxSetCurrent(first);
    launch(library);
    printf("%u\n", *(volatile unsigned *)(uintptr_t)p);
    SHOW(cuLibraryGetManaged(&q, NULL, library, "more"));
    printf("%u\n", ((volatile unsigned *)(uintptr_t)q)[1023]);
    SHOW(cuLibraryUnload(library));

    printf("-- of a module\n");
    SHOW(cuModuleLoadData(&module, code));
    SHOW(cuModuleGetGlobal(&p, &bytes, module, "shared"));
    printf("%zu bytes, %u\n", bytes, *(volatile unsigned *)(uintptr_t)p);
    tell("shared", p);
    SHOW(cuMemFree(p));
    SHOW(cuModuleUnload(module));

    printf("-- wrong images\n");
    of_a_wrong_image("no PTX", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry step()\n{\n nothing;\n}\n");
    of_a_wrong_image("newer than all", ".version 99.0\n.target sm_70\n.address_size 64\n");
    of_a_wrong_image("no image", "hello");
    of_a_wrong_image("bitcode, as code for link time optimisation is", "BC\xc0\xde");
    printf("-- options\n");
    of_an_option("registers", CU_JIT_MAX_REGISTERS, 0);
    of_an_option("registers", CU_JIT_MAX_REGISTERS, 32);
    of_an_option("size of a log alone", CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 64);
    of_an_option("log", CU_JIT_ERROR_LOG_BUFFER, 0);
    of_an_option("level", CU_JIT_OPTIMIZATION_LEVEL, -1);
    of_an_option("level", CU_JIT_OPTIMIZATION_LEVEL, 4);
    of_an_option("target", CU_JIT_TARGET, 10);
    of_an_option("target", CU_JIT_TARGET, 35);
    of_an_option("target", CU_JIT_TARGET, 70);
    of_an_option("cache", CU_JIT_CACHE_MODE, 3);
    of_an_option("symbols", CU_JIT_GLOBAL_SYMBOL_COUNT, 1);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
