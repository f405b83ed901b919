/* A kernel that writes where it may not, of the page on core dumps: thread 37 of the first block, in a function that it calls. */
#include <cuda.h>
#include <stdio.h>

static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                          ".file 1 \"stencil.cu\"\n"
                          ".func step(.param .b64 where)\n{\n"
                          "    .reg .b64 %rd<2>;\n    .reg .b32 %r<2>;\n    ld.param.u64 %rd1, [where]; mov.u32 %r1, 7;\n"
                          "    .loc 1 41 9\n    st.global.u32 [%rd1], %r1;\n    ret;\n}\n"
                          ".visible .entry wild()\n{\n"
                          "    .reg .b64 %rd<2>;\n    .reg .b32 %r<4>;\n    .reg .pred %p<2>;\n"
                          "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mad.lo.u32 %r3, %r2, 64, %r1;\n"
                          "    setp.ne.u32 %p1, %r3, 37;\n    @%p1 bra DONE;\n    mov.u64 %rd1, 24;\n"
                          "    {\n    .param .b64 p;\n    st.param.b64 [p], %rd1;\n    call.uni step, (p);\n    }\n"
                          "DONE:\n    ret;\n}\n";

int main(void) {
    CUcontext context;
    CUmodule module;
    CUfunction wild;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    if (cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&wild, module, "wild")) return 2;
    if (cuLaunchKernel(wild, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL)) return 3;
    return cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 4;
}
