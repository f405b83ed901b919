/* What launches cost, and how the work of a grid spreads over cores.
 *
 *   kernels empty      ns for cuLaunchKernel of one block that does nothing, and cuCtxSynchronize
 *   kernels compute    ns for a grid of blocks that only compute */
#include "bench.h"

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry nothing() { ret; }\n"
    ".visible .entry some(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<11>;\n"
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r2, %r2, %r3, %r4;\n"
    "setp.ge.s32 %p1, %r2, %r1; @%p1 bra END;\n"
    "mul.wide.s32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd3, %rd4;\n"
    "ld.global.f32 %f1, [%rd5]; ld.global.f32 %f2, [%rd6]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd7], %f3;\n"
    "END: ret; }\n"
    ".visible .entry compute(.param .u64 a) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, 0f3F000000; mov.u32 %r2, 0;\n"
    "LOOP: fma.rn.f32 %f1, %f1, %f2, %f2; fma.rn.f32 %f1, %f1, %f2, %f2; fma.rn.f32 %f1, %f1, %f2, %f2;\n"
    "fma.rn.f32 %f1, %f1, %f2, %f2; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 2000; @%p1 bra LOOP;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.f32 [%rd3], %f1; ret; }\n";

static CUfunction function(const char *name)
{
    static CUmodule module;
    CUfunction f;
    if (!module) OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

static double launches(CUfunction f, void **arguments)
{
    enum { EACH = 1000 };
    double t[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double t0 = now();
        for (int i = 0; i < EACH; i++) {
            OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
            OK(cuCtxSynchronize());
        }
        t[round] = (now() - t0) / EACH;
    }
    return median(t, ROUNDS);
}

int main(int argc, char **argv)
{
    start();
    CUdeviceptr memory;
    OK(cuMemAlloc(&memory, 4096));
    if (argc > 1 && !strcmp(argv[1], "empty")) {
        int none = 0;
        void *arguments[] = { &memory, &memory, &memory, &none };
        printf("launch and synchronise, no parameters:       %8.0f ns\n", launches(function("nothing"), NULL));
        printf("launch and synchronise, vecadd of nothing:   %8.0f ns\n", launches(function("some"), arguments));
        return 0;
    }
    CUfunction f = function("compute");
    void *arguments[] = { &memory };
    double t[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        double t0 = now();
        OK(cuLaunchKernel(f, 512, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
        OK(cuCtxSynchronize());
        if (round >= 0) t[round] = now() - t0;
    }
    printf("%.0f\n", median(t, ROUNDS));
    return 0;
}
