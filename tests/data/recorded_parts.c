/* What a record of images and of waits has to have: a program in pieces, what the driver's linker makes, a kernel that waits for the
 * program, and copies that are over when they return. Prints a line for each part that went as it should. */
#include "ok.h"
#include <stdint.h>
#include <string.h>

/* set(p): *p = 7 */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry set(.param .u64 p) {\n"
    " .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
    " ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.global.u32 [%rd1], %r1; ret; }\n"
    /* wait(flag, p): once *flag is something, *p = 9 */
    ".visible .entry wait(.param .u64 flag, .param .u64 p) {\n"
    " .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %q;\n"
    " ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [p];\n"
    "again: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %q, %r1, 0; @%q bra again;\n"
    " mov.u32 %r2, 9; st.global.u32 [%rd2], %r2; ret; }\n";

static CUdeviceptr memory;

static void run(CUmodule module, const char *what) {
    CUfunction f;
    unsigned number;
    void *parameters[] = {&memory};
    OK(cuModuleGetFunction(&f, module, "set"));
    OK(cuMemsetD32(memory, 1, 1));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    OK(cuMemcpyDtoH(&number, memory, sizeof number));
    printf("%s: %u\n", what, number);
}

/* A fat binary with an entry, or with none. */
static void *fat(const char *ptx, size_t size) {
    unsigned char *bytes = calloc(1, 16 + 64 + size);
    uint32_t magic = 0xba55ed50, header = 64, architecture = 70;
    uint16_t versions[] = {1, 16}, kind[] = {1, 0x101}, version[] = {0, 7};
    uint64_t all = size ? 64 + size : 0, flags = 0x11, payload = size;
    memcpy(bytes, &magic, 4);
    memcpy(bytes + 4, versions, 4);
    memcpy(bytes + 8, &all, 8);
    if (!size) return bytes;
    memcpy(bytes + 16, kind, 4);
    memcpy(bytes + 20, &header, 4);
    memcpy(bytes + 24, &payload, 8);
    memcpy(bytes + 40, version, 4);
    memcpy(bytes + 44, &architecture, 4);
    memcpy(bytes + 56, &flags, 8);
    memcpy(bytes + 80, ptx, size);
    return bytes;
}

/* What nvcc makes of a program in pieces: what was linked has no PTX here, the pieces have. */
static void pieces(void) {
    void *parts[] = {fat(text, sizeof text), NULL};
    struct {
        uint32_t magic, version;
        void *linked, **parts;
    } program = {0x466243b1, 2, fat(NULL, 0), parts};
    CUmodule module;
    OK(cuModuleLoadData(&module, &program));
    run(module, "in pieces");
    OK(cuModuleUnload(module));
    free(parts[0]);
    free(program.linked);
}

static void linked(void) {
    CUlinkState link;
    CUmodule module;
    void *image, *copy;
    size_t size;
    char log[100] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    OK(cuLinkCreate(2, options, values, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "text", 0, NULL, NULL));
    OK(cuLinkComplete(link, &image, &size));
    copy = malloc(size);
    memcpy(copy, image, size);
    OK(cuLinkDestroy(link));
    OK(cuModuleLoadData(&module, copy));
    free(copy);
    run(module, "linked");
    OK(cuModuleUnload(module));
}

static void nothing(void *argument) { (void)argument; }

static void waits(void) {
    CUmodule module;
    CUfunction f;
    CUstream a, b;
    unsigned *shared;
    CUdeviceptr flag, out;
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&f, module, "wait"));
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuMemHostAlloc((void **)&shared, 8, CU_MEMHOSTALLOC_DEVICEMAP));
    memset(shared, 0, 8);
    OK(cuMemHostGetDevicePointer(&flag, shared, 0));
    out = flag + 4;
    void *parameters[] = {&flag, &out};
    OK(cuLaunchHostFunc(a, nothing, NULL));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, b, parameters, NULL));
    OK(cuStreamSynchronize(a));
    *(volatile unsigned *)shared = 1;
    OK(cuStreamSynchronize(b));
    printf("waited: %u\n", shared[1]);
    /* What a copy has brought is used, and its memory for other things, while the streams have work. */
    unsigned number;
    OK(cuMemsetD32(memory, 5, 1));
    OK(cuLaunchHostFunc(a, nothing, NULL));
    OK(cuMemcpyDtoH(&number, memory, sizeof number));
    printf("copied: %u\n", number);
    number = 77;
    OK(cuCtxSynchronize());
    OK(cuMemFreeHost(shared));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuModuleUnload(module));
}

int main(void) {
    CUdevice device;
    CUcontext context;
    setvbuf(stdout, NULL, _IOLBF, 0);
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&memory, 4));
    pieces();
    linked();
    waits();
    OK(cuMemFree(memory));
    OK(cuDevicePrimaryCtxRelease(device));
    return 0;
}
