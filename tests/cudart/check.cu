// A kernel that goes one element too far if it is told to, for tests/cudart/check.sh.
#include <cstdio>
__global__ void scale(float *data, float by, int last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= last)
        data[i] *= by; // line 7
}
static float *make_buffer(size_t n)
{
    float *p;
    cudaMalloc(&p, n * sizeof *p); // line 12
    return p;
}
int main(int argc, char **)
{
    float *p = make_buffer(1000);
    scale<<<4, 256>>>(p, 2, argc > 1 ? 1000 : 999); // line 18
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
