/* Kernels with instructions that are not implemented: the module loads, everything else in it runs, what is asked of them is
 * answered, and every way to launch them says that it is not supported, with the reason on stderr once. */
#include "check.h"

#define HEAD ".version 9.2\n.target sm_100a\n.address_size 64\n"
#define BAD "tcgen05.wait::ld.sync.aligned;"
#define FUNCTION ".func deep(.param .u64 p) {\n.reg .u64 %rd<3>; .reg .u32 %r<3>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 1;\n" BAD "\nret; }\n" \
                 ".func outer(.param .u64 p) {\n.reg .u64 %rd<3>; ld.param.u64 %rd1, [p];\n" \
                 "{ .param .u64 a; st.param.u64 [a], %rd1; call deep, (a); }\nret; }\n"
#define KERNEL(name, body) ".visible .entry " name "(.param .u64 p) {\n.reg .u64 %rd<9>; .reg .u32 %r<9>;\nld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n" body "\nret; }\n"
static const char code[] = HEAD FUNCTION
    KERNEL("good", "st.global.u32 [%rd1], 7;")
    KERNEL("bad", ".shared .b8 s[48]; mov.u32 %r1, s;\n" BAD)
    KERNEL("calls", "{ .param .u64 a; st.param.u64 [a], %rd1; call outer, (a); }")
    /* Not reached, but who knows. */
    KERNEL("never", "bra E;\n" BAD "\nE: st.global.u32 [%rd1], 8;");
/* A launch from the device: the address of the parameters, none if it cannot be. */
static const char nested[] = HEAD
    ".extern .func (.param .b64 o) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"
    KERNEL("good", "st.global.u32 [%rd1+4], 9;") KERNEL("bad", BAD)
#define ASK(what, place) "mov.u64 %rd2, " what ";\n{ .param .b64 o; .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;\n" \
    "st.param.u64 [f], %rd2; st.param.u32 [g], 1; st.param.u32 [g+4], 1; st.param.u32 [g+8], 1; st.param.u32 [b], 1; st.param.u32 [b+4], 1;\n" \
    "st.param.u32 [b+8], 1; st.param.u32 [s], 0; call (o), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.u64 %rd3, [o]; }\n" \
    "min.u64 %rd3, %rd3, 1; st.global.u32 [%rd1+" place "], %rd3;\n"
    KERNEL("parent", ASK("good", "0") ASK("bad", "8"));
/* What is no PTX is refused with its module, in every case. */
static const char wrong[] = HEAD KERNEL("good", "") KERNEL("bad", "multimem.st.relaxed.sys.global.u33 [%rd1], %r1;");

static CUdeviceptr memory;
static CUmodule module;
static CUfunction function(const char *what)
{
    CUfunction f = NULL;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static void launches(void)
{
    static const char *const names[] = { "good", "bad", "calls", "never" };
    begin();
    OK(cuMemAlloc(&memory, 4096));
    SHOW(cuModuleLoadData(&module, code));
    void *arguments[] = { &memory };
    for (int i = 0; i < 4; i++) {
        CUfunction f = function(names[i]);
        CUstream s;
        CUgraph graph;
        CUgraphNode node;
        CUstreamCaptureStatus status;
        unsigned v = 0;
        size_t nodes = 77;
        int n = 77, blocks = 77, shared = 77;
        printf("-- %s\n", names[i]);
        OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
        OK(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
        OK(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
        SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 64, 0));
        printf("%d threads, %d bytes, %s\n", n, shared, blocks > 0 ? "some blocks" : "no blocks");
        SHOW(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
        SHOW(cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
        SHOW(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments));
        CUlaunchConfig config = { 1, 1, 1, 1, 1, 1, 0, s, NULL, 0 };
        SHOW(cuLaunchKernelEx(&config, f, arguments, NULL));
        OK(cuFuncSetBlockShape(f, 1, 1, 1));
        OK(cuParamSetSize(f, 8));
        OK(cuParamSetv(f, 0, &memory, 8));
        SHOW(cuLaunch(f));
        CUDA_KERNEL_NODE_PARAMS p = { 0 };
        p.func = f, p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1, p.kernelParams = arguments;
        OK(cuGraphCreate(&graph, 0));
        SHOW(cuGraphAddKernelNode(&node, graph, NULL, 0, &p));
        OK(cuGraphDestroy(graph));
        /* The capture goes on without it. */
        OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
        SHOW(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
        OK(cuStreamIsCapturing(s, &status));
        SHOW(cuStreamEndCapture(s, &graph));
        OK(cuGraphGetNodes(graph, NULL, &nodes));
        printf("capture %d, %zu nodes\n", status, nodes);
        OK(cuGraphDestroy(graph));
        SHOW(cuCtxSynchronize());
        OK(cuMemcpyDtoH(&v, memory, 4));
        printf("value %u\n", v);
        OK(cuStreamDestroy(s));
    }
    OK(cuModuleUnload(module));
}

static void from_the_device(void)
{
    unsigned v[4] = { 77, 77, 77, 77 };
    begin();
    OK(cuMemAlloc(&memory, 4096));
    OK(cuModuleLoadData(&module, nested));
    SHOW(cuLaunchKernel(function("parent"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &memory }, NULL));
    SHOW(cuCtxSynchronize());
    OK(cuMemcpyDtoH(v, memory, sizeof v));
    printf("room for the parameters of good: %u, of bad: %u\n", v[0], v[2]);
}

static void of_a_library(void)
{
    CUlibrary library;
    CUkernel kernel;
    int n = 77;
    begin();
    OK(cuMemAlloc(&memory, 4096));
    SHOW(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "calls"));
    SHOW(cuKernelGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    SHOW(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &memory }, NULL));
    OK(cuLibraryGetKernel(&kernel, library, "good"));
    SHOW(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &memory }, NULL));
    SHOW(cuLibraryUnload(library));
}

static void is_no_ptx(void)
{
    begin();
    SHOW(cuModuleLoadData(&module, wrong));
}

static void strictly(void)
{
    char errors[1000] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { errors, (void *)sizeof errors };
    setenv("DOPPEL_UNSUPPORTED", "load", 1);
    begin();
    SHOW(cuModuleLoadDataEx(&module, code, 2, options, values));
    printf("%s\n", errors);
}

/* A file of machine code alone: what to do about it is in both logs, and once on stderr. */
static void machine_code(void)
{
    unsigned char cubin[256] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, 0x33 };
    char errors[1000] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { errors, (void *)sizeof errors };
    CUlibrary library;
    cubin[16] = 2, cubin[18] = 190, cubin[20] = 1;
    setenv("DOPPEL_LOG", "warn", 1);
    begin();
    SHOW(cuModuleLoadData(&module, cubin));
    SHOW(cuModuleLoadDataEx(&module, cubin, 2, options, values));
    printf("%s\n", errors);
    errors[0] = 0, values[1] = (void *)sizeof errors;
    SHOW(cuLibraryLoadData(&library, cubin, options, values, 2, NULL, NULL, 0));
    CUkernel kernel;
    SHOW(cuLibraryGetKernel(&kernel, library, "any"));
    printf("%s\n", errors);
}

/* An object of the host with PTX for a device of compute capability 12.1. */
static size_t object_for_121(unsigned char *at)
{
    static const char text[] = ".version 8.8\n.target sm_121\n.address_size 64\n", names[] = "\0.nv_fatbin";
    struct { unsigned magic; unsigned short version, header; unsigned long long size; } fat = { 0xba55ed50, 1, 16, 64 + sizeof text };
    struct { unsigned name, type; unsigned long long flags, address, offset, size, rest[3]; } sections[3] = { { 0 }, { .offset = 64, .size = sizeof names }, { .name = 1, .offset = 80, .size = sizeof fat + 64 + sizeof text } };
    unsigned char entry[64] = { 1, 0, 1, 1, 64 };
    unsigned char head[64] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, [16] = 1, [18] = 62, [58] = 64, [60] = 3, [62] = 1 };
    entry[8] = sizeof text, entry[28] = 121;
    unsigned long long table = 80 + (sections[2].size + 7) / 8 * 8;
    memcpy(head + 40, &table, 8);
    memcpy(at, head, 64);
    memcpy(at + 64, names, sizeof names);
    memcpy(at + 80, &fat, sizeof fat);
    memcpy(at + 80 + sizeof fat, entry, 64);
    memcpy(at + 80 + sizeof fat + 64, text, sizeof text);
    memcpy(at + table, sections, sizeof sections);
    return table + sizeof sections;
}

/* A library with nothing for the device, of which the program needs nothing: there is nothing to say. Alone such code is an error. */
static void library_that_adds_nothing(void)
{
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";
    static unsigned char archive[4096];
    size_t length = object_for_121(archive + 68);
    char header[61];
    CUlinkState link;
    void *image;
    memcpy(archive, "!<arch>\n", 8);
    snprintf(header, sizeof header, "%-48s%-10zu`\n", "name/", length);
    memcpy(archive + 8, header, 60);
    setenv("DOPPEL_LOG", "warn", 1);
    begin();
    OK(cuLinkCreate(0, NULL, NULL, &link));
    SHOW(cuLinkAddData(link, CU_JIT_INPUT_LIBRARY, archive, 68 + length, "library", 0, NULL, NULL));
    SHOW(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "text", 0, NULL, NULL));
    SHOW(cuLinkComplete(link, &image, &length));
    SHOW(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(link));
    fprintf(stderr, "an object alone\n");
    OK(cuLinkCreate(0, NULL, NULL, &link));
    SHOW(cuLinkAddData(link, CU_JIT_INPUT_OBJECT, archive + 68, object_for_121(archive + 68), "object", 0, NULL, NULL));
    OK(cuLinkDestroy(link));
}

/* The call that spoils a capture is named, the ones after it are not. */
static void spoilt_capture(void)
{
    CUstream s;
    CUgraph graph;
    setenv("DOPPEL_LOG", "warn", 1);
    begin();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 2; i++) {
        OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
        SHOW(i ? cuStreamSynchronize(s) : cuStreamQuery(s));
        SHOW(cuStreamSynchronize(s));
        SHOW(cuStreamEndCapture(s, &graph));
    }
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuMemAlloc(&memory, 0));
    SHOW(cuStreamEndCapture(s, &graph));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuStreamDestroy(s));
}

/* What a test says on stderr. */
static void (*told)(void);
static void listen(void)
{
    char line[1000];
    FILE *said = tmpfile();
    dup2(fileno(said), 2);
    told();
    rewind(said);
    while (fgets(line, sizeof line, said)) printf("said: %s", line);
}

int main(void)
{
    int status = 0;
    if (fork() == 0) {
        char device[64] = "";
        _exit(cuInit(0) || cuDeviceGetName(device, sizeof device, 0) || strncmp(device, "Doppel", 6));
    }
    wait(&status);
    if (status) skip("a real device has these instructions");
    unsetenv("DOPPEL_UNSUPPORTED");
    /* A device that has the instruction which is not implemented. */
    setenv("DOPPEL_DEVICES", "cc100", 1);
    setenv("DOPPEL_LOG", "error", 1);
    static void (*const tests[])(void) = { launches, from_the_device, of_a_library, is_no_ptx, strictly, machine_code, library_that_adds_nothing, spoilt_capture };
    static const char *const names[] = { "launches", "from the device", "of a library", "what is no PTX", "strictly", "machine code", "a library that adds nothing", "a spoilt capture" };
    for (int i = 0; i < 8; i++) {
        told = tests[i];
        apart(names[i], listen);
    }
    return 0;
}
