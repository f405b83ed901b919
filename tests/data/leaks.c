/* Takes memory in every way, gives some of it back, and leaves the rest: in a context that is destroyed, and for the end. `leaks fork`
 * has a child that does nothing. */
#include "ok.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static CUstream stream;

/* All of them twice: the first is given back. */
__attribute__((noinline)) static void linear(int keep)
{
    CUdeviceptr at;
    OK(cuMemAlloc(&at, 1000));
    if (!keep) OK(cuMemFree(at));
}
__attribute__((noinline)) static void managed(int keep)
{
    CUdeviceptr at;
    OK(cuMemAllocManaged(&at, 2000, CU_MEM_ATTACH_GLOBAL));
    if (!keep) OK(cuMemFree(at));
}
__attribute__((noinline)) static void host(int keep)
{
    void *at;
    OK(cuMemHostAlloc(&at, 3000, 0));
    if (!keep) OK(cuMemFreeHost(at));
    OK(cuMemAllocHost(&at, 100));
    OK(cuMemFreeHost(at));
}
__attribute__((noinline)) static void ordered(int keep)
{
    CUdeviceptr at;
    OK(cuMemAllocAsync(&at, 4000, stream));
    if (!keep) OK(cuMemFreeAsync(at, stream));
    OK(cuStreamSynchronize(stream));
}
__attribute__((noinline)) static void array(int keep)
{
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR d = {64, 8, CU_AD_FORMAT_FLOAT, 1};
    OK(cuArrayCreate(&array, &d));
    if (!keep) OK(cuArrayDestroy(array));
}
__attribute__((noinline)) static void physical(int keep)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp p = {0};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuMemCreate(&handle, (size_t)2 << 20, &p, 0));
    if (!keep) OK(cuMemRelease(handle));
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context, own;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    if (argc > 1 && !strcmp(argv[1], "fork")) {
        pid_t child = fork();
        if (child == 0) return 0;
        waitpid(child, 0, 0);
        return 0;
    }
    OK(cuCtxCreate(&own, 0, 0, device));
    linear(1);
    linear(0);
    OK(cuCtxDestroy(own));
    printf("destroyed=1\n");
    fflush(stdout);
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int keep = 0; keep < 2; keep++) {
        linear(keep);
        managed(keep);
        host(keep);
        ordered(keep);
        array(keep);
        physical(keep);
    }
    return 0;
}
