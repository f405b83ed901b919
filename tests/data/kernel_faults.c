/* Launches kernels, some of which are made to fail: prints what each call answered and what kernels have written, before and after the
 * context is reset. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char PTX[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry _Z4fillPjj(.param .u64 p, .param .u32 v)\n{\n.reg .u64 %a;\n.reg .u32 %v;\n"
                          "ld.param.u64 %a, [p];\nld.param.u32 %v, [v];\nst.global.u32 [%a], %v;\nret;\n}\n"
                          ".visible .entry other()\n{\nret;\n}\n";

static int n;
static CUresult show(const char *what, CUresult r)
{
    const char *s = "?";
    if (cuGetErrorName(r, &s)) s = "?";
    printf("%02d %s=%s\n", n++, what, strncmp(s, "CUDA_", 5) ? s : s + 5);
    return r;
}

static void work(CUdevice device)
{
    CUcontext context;
    CUdeviceptr at = 0;
    CUmodule module;
    CUfunction fill, other;
    unsigned value = 5, got = 0;
    show("retain", cuDevicePrimaryCtxRetain(&context, device));
    cuCtxSetCurrent(context);
    cuMemAlloc(&at, 4);
    cuMemsetD32(at, 1, 1);
    cuModuleLoadData(&module, PTX);
    cuModuleGetFunction(&fill, module, "_Z4fillPjj");
    cuModuleGetFunction(&other, module, "other");
    void *arguments[] = {&at, &value};
    for (int i = 0; i < 2; i++) {
        show("other", cuLaunchKernel(other, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
        show("fill", cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0));
        show("wait", cuCtxSynchronize());
        show("copy", cuMemcpyDtoH(&got, at, 4));
        value = 6;
    }
    printf("%02d got=%u\n", n++, got);
}

int main(void)
{
    CUdevice device;
    cuInit(0);
    cuDeviceGet(&device, 0);
    work(device);
    show("reset", cuDevicePrimaryCtxReset(device));
    work(device);
    return 0;
}
