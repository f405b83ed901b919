__global__ void kernel(const int *values, int n, int *total)
{
    __shared__ int part[128];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 128) sum += values[i];
    part[threadIdx.x] = sum;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *total = part[0];
}

// Sum of values that lie on the device.
extern "C" int reduce(const int *values, int n)
{
    int *total, result = -1;
    if (cudaMalloc(&total, sizeof *total)) return -1;
    kernel<<<1, 128>>>(values, n, total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(total);
    return result;
}
