/* Callbacks for events of a device: registered, withdrawn, and not called without a memory budget. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static int calls;

static void callback(CUasyncNotificationInfo *info, void *data, CUasyncCallbackHandle handle)
{
    (void)info, (void)data, (void)handle;
    calls++;
}

int main(void)
{
    CUcontext context;
    CUasyncCallbackHandle a = NULL, b = NULL, many[100];
    CUdeviceptr memory;
    printf("before cuInit: %s\n", name(cuDeviceRegisterAsyncNotification(0, callback, NULL, &a)));
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    printf("register: %s\n", name(cuDeviceRegisterAsyncNotification(0, callback, &a, &a)));
    printf("again: %s, another handle: %s\n", name(cuDeviceRegisterAsyncNotification(0, callback, &b, &b)), a != b ? "yes" : "no");
    CUasyncCallbackHandle kept = a;
    printf("no such device: %s\n", name(cuDeviceRegisterAsyncNotification(99, callback, NULL, &a)));
    printf("untouched: %s\n", kept == a ? "yes" : "no");
    if (cuMemAlloc(&memory, 16 << 20) || cuMemsetD8(memory, 1, 16 << 20) || cuMemFree(memory) || cuCtxSynchronize()) return 1;
    printf("calls: %d\n", calls);
    printf("withdraw from no such device: %s\n", name(cuDeviceUnregisterAsyncNotification(99, a)));
    printf("withdraw NULL: %s\n", name(cuDeviceUnregisterAsyncNotification(0, NULL)));
    printf("withdraw: %s\n", name(cuDeviceUnregisterAsyncNotification(0, a)));
    printf("withdraw the other: %s\n", name(cuDeviceUnregisterAsyncNotification(0, b)));
    int fine = 1;
    for (int i = 0; i < 100; i++) fine &= !cuDeviceRegisterAsyncNotification(0, callback, NULL, &many[i]);
    for (int i = 0; i < 100; i++) fine &= !cuDeviceUnregisterAsyncNotification(0, many[99 - i]);
    printf("a hundred: %s\n", fine ? "fine" : "wrong");
    cuDevicePrimaryCtxRelease(0);
    return 0;
}
