// What the page on checks runs: one element too far, and memory that is never freed.
#include <cstdio>

__global__ void scale(float *data, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        data[i] *= by;
}

static float *make_buffer(int n)
{
    float *data;
    cudaMalloc(&data, n * sizeof *data);
    cudaMemset(data, 0, n * sizeof *data);
    return data;
}

int main()
{
    int n = 1000;
    float *data = make_buffer(n);
    scale<<<4, 256>>>(data, 2, n);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
