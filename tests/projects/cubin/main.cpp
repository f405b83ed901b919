// Loads a file of device code by the driver's functions.
#include <cstdio>
#include <cuda.h>

int main(int, char **arguments)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr values;
    int host[32];
    for (int i = 0; i < 32; i++) host[i] = i;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context))
        return puts("no device"), 1;
    if (CUresult code = cuModuleLoad(&module, arguments[1])) return printf("error %d\n", code), 1;
    if (cuModuleGetFunction(&function, module, "twice") || cuMemAlloc(&values, sizeof host)) return puts("failed"), 1;
    void *parameters[] = {&values};
    cuMemcpyHtoD(values, host, sizeof host);
    if (cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr)) return puts("failed"), 1;
    if (cuMemcpyDtoH(host, values, sizeof host) || host[31] != 62) return puts("wrong"), 1;
    puts("done");
}
