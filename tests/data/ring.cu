// What the page on checks runs: each thread adds its neighbour's number.
__global__ void neighbours(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
    data[i] += data[(i + 1) % n];
}

int main()
{
    int *data;
    cudaMalloc(&data, 4096 * sizeof *data);
    neighbours<<<32, 128>>>(data, 4096);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
