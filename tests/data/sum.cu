// What the page on checks runs: a sum over 128 numbers of which 64 have a value.
__global__ void sum_of(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 128 * sizeof *in);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    cudaMemset(out, 0, sizeof *out);
    sum_of<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
