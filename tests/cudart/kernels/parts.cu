// A program in parts (-rdc=true), with parts2.cu: variables, functions and kernels of one used in the other.
#include "parts.h"

__device__ int common = 1;
__constant__ int table[4] = {10, 20, 30, 40};
__managed__ int tally = 100;
static __device__ int own = 5;
__device__ __noinline__ int here(int x) { return x * 2 + own; }
__device__ Function chosen = there;

template <class T> __device__ __noinline__ T twice(T x) { return x + x; }
__device__ int use_twice_here(int x) { return twice(x); }

__global__ void first(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = there(t) + here(t);
    __syncthreads();
    out[t] = s[31 - t] + common + chosen(1) + name()[t % 4] + use_twice_here(t) + use_twice_there(t);
    if (t == 0) tally += 11;
}

int main()
{
    Device<int> out(32);
    std::vector<int> w(32);
    const char *n = "part";
    for (int round = 0; round < 2; round++) {
        first<<<1, 32>>>(out);
        LAUNCHED();
        for (int t = 0; t < 32; t++) {
            int u = 31 - t;
            w[t] = (u * 3 + 7 + 30) + (u * 2 + 5) + (1 + round * 2) + (3 + 7 + 30) + n[t % 4] + 2 * t + 2 * t;
        }
        exact("first", out.get(), w);
        launch_second(out);
    }
    MUST(cudaDeviceSynchronize());
    printf("tally %d\n", tally);
    int v = 0;
    MUST(cudaMemcpyFromSymbol(&v, common, 4));
    printf("common %d\n", v);
    MUST(cudaMemcpyFromSymbol(&v, own, 4));
    printf("own %d\n", v);
    return 0;
}
