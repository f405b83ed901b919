/* A program that frees nothing: its report has a call stack. */
#include <cuda.h>

__attribute__((noinline)) int leaks(void)
{
    CUdeviceptr memory;
    return cuMemAlloc(&memory, 400) != CUDA_SUCCESS;
}

int main(void)
{
    CUcontext context;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    return leaks();
}
