// Histograms: global atomics, shared atomics, one private histogram per warp.
#include "check.h"

__global__ void global_bins(const unsigned char *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

__global__ void shared_bins(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (own[i]) atomicAdd(&bins[i], own[i]);
}

template <int WARPS> __global__ void warp_bins(const uchar4 *in, unsigned *bins, int n)
{
    __shared__ unsigned own[WARPS][256];
    int warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < 256 * WARPS; i += blockDim.x) (&own[0][0])[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 v = in[i];
        atomicAdd(&own[warp][v.x], 1u);
        atomicAdd(&own[warp][v.y], 1u);
        atomicAdd(&own[warp][v.z], 1u);
        atomicAdd(&own[warp][v.w], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        unsigned sum = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++) sum += own[w][i];
        atomicAdd(&bins[i], sum);
    }
}

int main()
{
    int n = 200000;
    std::vector<unsigned char> in(n);
    std::vector<unsigned> w(256);
    for (auto &v : in) v = (unsigned char)((next() & 255) * (next() & 255) >> 8), w[v]++;
    Device<unsigned char> d(in);
    Device<unsigned> bins(256);
    bins.zero();
    global_bins<<<30, 256>>>(d, bins, n);
    LAUNCHED();
    exact("global", bins.get(), w);
    bins.zero();
    shared_bins<<<30, 192>>>(d, bins, n);
    LAUNCHED();
    exact("shared", bins.get(), w);
    bins.zero();
    warp_bins<6><<<10, 192>>>((uchar4 *)d.p, bins, n / 4);
    LAUNCHED();
    exact("per warp", bins.get(), w);
    return 0;
}
