/*
 * Adds two vectors by a kernel in PTX, over the driver API, and prints the sum of what came out: what tests/packages/systems.sh runs where no
 * compiler is.
 */
#include <cuda.h>
#include <stdio.h>

static const char kernel[] =
    ".version 7.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
    "  .reg .b64 %rd<5>; .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.u32 %p, %r5, %r1; @%p bra end;\n"
    "  mul.wide.u32 %rd3, %r5, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n"
    "  ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2]; add.f32 %f1, %f1, %f2; st.global.f32 [%rd2], %f1;\n"
    "end: ret;\n}\n";

#define OK(call)                                             \
    do {                                                     \
        CUresult result = (call);                            \
        if (result != CUDA_SUCCESS) {                        \
            fprintf(stderr, "%s: error %d\n", #call, result); \
            return 1;                                        \
        }                                                    \
    } while (0)

int main(void) {
    enum { COUNT = 1000 };
    static float a[COUNT], b[COUNT];
    unsigned n = COUNT;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction add;
    CUdeviceptr da, db;
    void *parameters[] = {&da, &db, &n};
    double sum = 0;
    char name[100];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 1;
    }
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetName(name, sizeof name, device));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, kernel));
    OK(cuModuleGetFunction(&add, module, "add"));
    OK(cuMemAlloc(&da, sizeof a));
    OK(cuMemAlloc(&db, sizeof b));
    OK(cuMemcpyHtoD(da, a, sizeof a));
    OK(cuMemcpyHtoD(db, b, sizeof b));
    OK(cuLaunchKernel(add, (COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
    OK(cuMemcpyDtoH(b, db, sizeof b));
    for (int i = 0; i < COUNT; i++) sum += b[i];
    OK(cuMemFree(da));
    OK(cuMemFree(db));
    printf("%s: %.0f\n", name, sum);
    return sum == 500500 ? 0 : 1;
}
