// The other part.
#include "parts.h"

static __device__ int own = 7;
__device__ __noinline__ int there(int x) { return x * 3 + own + table[2]; }
template <class T> __device__ __noinline__ T twice(T x) { return x + x; }
__device__ int use_twice_there(int x) { return twice(x); }
__device__ const char *name() { return "part"; }

__global__ void second(int *out)
{
    out[threadIdx.x] = here(threadIdx.x) + table[threadIdx.x % 4];
    if (threadIdx.x == 0) common += 2, tally++;
}

void launch_second(int *out)
{
    second<<<1, 32>>>(out);
    LAUNCHED();
    std::vector<int> w(32), got(32);
    for (int t = 0; t < 32; t++) w[t] = t * 2 + 5 + (t % 4 + 1) * 10;
    MUST(cudaMemcpy(got.data(), out, 128, cudaMemcpyDeviceToHost));
    exact("second", got, w);
}
