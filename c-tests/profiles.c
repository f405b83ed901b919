/* A device of each compute capability: what it says of itself, what PTX it takes, and how many blocks fit on a multiprocessor, as
 * the public tables have it. */
#include "check.h"
#include <stdlib.h>

static const char text[] =
    ".version 8.7\n.target sm_%s\n.address_size 64\n"
    ".visible .entry k(.param .u64 out) { .reg .u64 %%a; .reg .u32 %%b; ld.param.u64 %%a, [out]; mov.u32 %%b, 41; "
    "add.u32 %%b, %%b, 1; st.global.u32 [%%a], %%b; ret; }\n";

static void device(int number)
{
    static const char *const targets[] = {"75", "80", "86", "89", "90", "90a", "100", "120"};
    CUdevice d;
    CUcontext context;
    CUmodule module = NULL;
    CUfunction f;
    int major, minor, blocks, cluster, tensor;
    OK(cuDeviceGet(&d, number));
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d));
    OK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d));
    OK(cuDeviceGetAttribute(&cluster, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, d));
    OK(cuDeviceGetAttribute(&tensor, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, d));
    printf("%d.%d: clusters %d, tensor maps %d\n", major, minor, cluster, tensor);
    OK(cuCtxCreate_v2(&context, 0, d));
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char ptx[1000];
        CUmodule other;
        snprintf(ptx, sizeof ptx, text, targets[i]);
        CUresult r = cuModuleLoadData(&other, ptx);
        printf("  sm_%s: %s\n", targets[i], name(r));
        if (!r && module) OK(cuModuleUnload(other));
        else if (!r) module = other;
    }
    CUdeviceptr out;
    unsigned found = 0;
    OK(cuMemAlloc(&out, 4));
    OK(cuModuleGetFunction(&f, module, "k"));
    void *arguments[] = {&out};
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(&found, out, 4));
    printf("  the kernel gives %u\n  blocks of", found);
    static const struct { int threads; size_t shared; } shapes[] = {{32, 0}, {256, 0}, {1024, 0}, {256, 32768}, {64, 7100}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, shapes[i].threads, shapes[i].shared));
        printf(" %d threads with %zu bytes: %d%s", shapes[i].threads, shapes[i].shared, blocks, i == 4 ? "\n" : ",");
    }
    OK(cuCtxDestroy(context));
}

int main(void)
{
    int count;
    setenv("DOPPEL_DEVICES", "cc75,cc80,cc86,cc89,cc90,cc100,cc120", 1);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    for (int i = 0; i < count; i++) device(i);
    return 0;
}
