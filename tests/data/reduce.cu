// What the page on checks runs: a reduction of a block whose shared memory is used again with no barrier between.
#include <cstdio>

__device__ int reduce(int value)
{
    __shared__ int part[128];
    part[threadIdx.x] = value;
    for (int step = 64; step; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
    }
    __syncthreads();
    return part[0];
}

__global__ void total(int *out)
{
    int sum = reduce(threadIdx.x);
    out[threadIdx.x] = sum + reduce(1);
}

int main()
{
    int *out;
    cudaMalloc(&out, 128 * sizeof *out);
    total<<<1, 128>>>(out);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
