// What the page on checks runs: a barrier in a loop that threads leave at different turns.
__global__ void barrier_in_loop(const int *in, int *out, int n)
{
    __shared__ int part[64];
    int sum = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += 64) {
        part[threadIdx.x] = in[i];
        __syncthreads();
        sum += part[threadIdx.x ^ 1];
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int *in, *out, n = 16 * 64 - 40;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    barrier_in_loop<<<1, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
