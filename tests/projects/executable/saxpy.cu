#include "saxpy.h"

__global__ void kernel(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

bool saxpy(int n, float a, const float *x, float *y)
{
    float *dx, *dy;
    size_t bytes = n * sizeof *x;
    if (cudaMalloc(&dx, bytes) || cudaMalloc(&dy, bytes)) return false;
    cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
    kernel<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
    bool good = !cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost);
    return !cudaFree(dx) && !cudaFree(dy) && good;
}
