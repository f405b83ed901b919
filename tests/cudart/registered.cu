// A program with kernels and variables that uses memory alone: registering must not load anything.
#include "say.h"
#include <cuda_runtime.h>

__constant__ float constant[4];
__device__ int variable = 7;
__global__ void kernel(float *p)
{
    p[threadIdx.x] += constant[0] + variable;
}

int main(int argc, char **argv)
{
    (void)argv;
    float *p, host[32];
    for (int i = 0; i < 32; i++) host[i] = i;
    MUST(cudaMalloc(&p, sizeof host));
    MUST(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    if (argc > 1) kernel<<<1, 32>>>(p);
    memset(host, 0, sizeof host);
    MUST(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    printf("%g %g\n", host[0], host[31]);
    size_t size = 0;
    SAY(cudaGetSymbolSize(&size, host));
    SAY(cudaFree(p));
    return 0;
}
