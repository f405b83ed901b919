/* What the page on layers runs: allocates blocks of 20 MiB until it cannot. */
#include <cuda.h>
#include <stdio.h>

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr at;
    size_t left, total;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    cuMemGetInfo(&left, &total);
    printf("%zu MiB of %zu MiB are free\n", left >> 20, total >> 20);
    for (int block = 0; !cuMemAlloc(&at, (size_t)20 << 20); block++) {
        printf("block %d\n", block);
        fflush(stdout);
    }
    return 0;
}
