// Machine code for another device and no PTX (compiled with code=sm_80 alone): every launch says so, memory works.
#include "say.h"
#include <cuda_runtime.h>

__device__ int variable = 7;
__global__ void kernel(int *p)
{
    *p = variable;
}

int main(void)
{
    int *p, host = 1;
    MUST(cudaMalloc(&p, sizeof host));
    MUST(cudaMemcpy(p, &host, sizeof host, cudaMemcpyHostToDevice));
    for (int i = 0; i < 2; i++) {
        kernel<<<1, 1>>>(p);
        SAY(cudaPeekAtLastError());
        SAY(cudaGetLastError());
        SAY(cudaGetLastError());
    }
    void *args[] = {&p};
    SAY(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, 0));
    cudaFuncAttributes attributes;
    SAY(cudaFuncGetAttributes(&attributes, kernel));
    SAY(cudaMemcpyToSymbol(variable, &host, sizeof host));
    SAY(cudaDeviceSynchronize());
    host = 0;
    SAY(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host);
    SAY(cudaFree(p));
    return 0;
}
