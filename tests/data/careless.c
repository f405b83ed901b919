/* A client that minds some errors and not others, each in a way of its own: for `doppel fault sweep`. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void ok(CUresult r)
{
    if (r) exit(1);
}

/* The first block is lost where there is no second one. */
static int leaks(void)
{
    CUdeviceptr a, b;
    ok(cuMemAlloc(&a, 4096));
    if (cuMemAllocManaged(&b, 4096, CU_MEM_ATTACH_GLOBAL)) return 0;
    ok(cuMemFree(b));
    ok(cuMemFree(a));
    return 0;
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUevent event = 0;
    CUdeviceptr at;
    int *host = 0, value = 0;
    ok(cuInit(0));
    ok(cuDeviceGet(&device, 0));
    ok(cuDevicePrimaryCtxRetain(&context, device));
    ok(cuCtxSetCurrent(context));
    ok(leaks());
    cuMemAllocHost((void **)&host, sizeof *host);
    *host = 7;
    ok(cuMemAlloc(&at, sizeof *host));
    ok(cuMemcpyHtoD(at, host, sizeof *host));
    cuMemcpyDtoH(&value, at, sizeof value);
    cuEventCreate(&event, 0);
    while (cuEventQuery(event)) {
    }
    printf("%d\n", value);
    ok(cuMemFree(at));
    cuMemFreeHost(host);
    return 0;
}
