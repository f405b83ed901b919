/* What the page on layers runs: doubles numbers a hundred times, or as often as it is told, in blocking copies to the device and back, and
 * frees a wrong address at the end. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static const char PTX[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry scale(.param .u64 p, .param .u32 n)\n{\n"
                          ".reg .u64 %a;\n.reg .u32 %i, %n, %b, %w, %v;\n.reg .pred %q;\n"
                          "ld.param.u64 %a, [p];\nld.param.u32 %n, [n];\n"
                          "mov.u32 %b, %ctaid.x;\nmov.u32 %w, %ntid.x;\nmov.u32 %i, %tid.x;\nmad.lo.u32 %i, %b, %w, %i;\n"
                          "setp.ge.u32 %q, %i, %n;\n@%q ret;\nmad.wide.u32 %a, %i, 4, %a;\n"
                          "ld.global.u32 %v, [%a];\nadd.u32 %v, %v, %v;\nst.global.u32 [%a], %v;\nret;\n}\n";

#define CHECK(call)                                     \
    do {                                                \
        CUresult r_ = (call);                           \
        const char *name_ = "?";                        \
        if (r_) {                                       \
            cuGetErrorName(r_, &name_);                 \
            printf("round %d: %s: %s\n", round, #call, name_); \
            exit(1);                                    \
        }                                               \
    } while (0)

int main(int argc, char **argv)
{
    enum { N = 1 << 20 };
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUmodule module;
    CUfunction scale;
    CUdeviceptr at;
    int round = 0, rounds = argc > 1 ? atoi(argv[1]) : 100, n = N, *numbers = calloc(N, sizeof *numbers);
    size_t bytes = N * sizeof *numbers;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuModuleLoadData(&module, PTX));
    CHECK(cuModuleGetFunction(&scale, module, "scale"));
    CHECK(cuMemAlloc(&at, bytes));
    for (round = 1; round <= rounds; round++) {
        void *arguments[] = {&at, &n};
        for (int i = 0; i < N; i++) numbers[i] = i % 1000;
        CHECK(cuMemcpyHtoD(at, numbers, bytes));
        CHECK(cuLaunchKernel(scale, N / 256, 1, 1, 256, 1, 1, 0, stream, arguments, 0));
        CHECK(cuStreamSynchronize(stream));
        CHECK(cuMemcpyDtoH(numbers, at, bytes));
    }
    cuMemFree(at + 4);
    printf("%d\n", numbers[999]);
    return 0;
}
