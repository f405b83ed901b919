/* Calls that may be made to fail: prints what each answered. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int n;
static void show(const char *what, CUresult r)
{
    const char *s = "?";
    if (cuGetErrorName(r, &s)) s = "?";
    printf("%d %s=%s\n", n++, what, strncmp(s, "CUDA_", 5) ? s : s + 5);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr at[6] = {0};
    CUstream stream;
    char host[64] = {0};
    show("init", cuInit(0));
    show("device", cuDeviceGet(&device, 0));
    show("retain", cuDevicePrimaryCtxRetain(&context, device));
    show("current", cuCtxSetCurrent(context));
    show("stream", cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 6; i++) show("alloc", cuMemAlloc(&at[i], i < 3 ? 4096 : 1 << 20));
    show("copy", cuMemcpyHtoDAsync(at[0], host, 64, stream));
    show("fill", cuMemsetD8Async(at[0], 1, 64, stream));
    show("wait", cuStreamSynchronize(stream));
    show("wait", cuStreamSynchronize(stream));
    show("fill", cuMemsetD8Async(at[0], 1, 64, stream));
    for (int i = 0; i < 6; i++)
        if (at[i]) show("free", cuMemFree(at[i]));
    show("destroy", cuStreamDestroy(stream));
    /* What was made to fail has left nothing behind. */
    size_t left = 0, total = 0;
    show("info", cuMemGetInfo(&left, &total));
    printf("used=%zu\n", total - left);
    return 0;
}
