// Sorting: bitonic in shared and global memory, by key with values, least significant digit first.
#include "check.h"
#include <algorithm>
#include <numeric>

__device__ void order(unsigned &a, unsigned &b, bool up)
{
    if ((a > b) == up) {
        unsigned t = a;
        a = b;
        b = t;
    }
}

__global__ void bitonic_shared(unsigned *data)
{
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, *block = data + blockIdx.x * blockDim.x * 2;
    s[t] = block[t];
    s[t + blockDim.x] = block[t + blockDim.x];
    for (unsigned size = 2; size <= 2 * blockDim.x; size <<= 1)
        for (unsigned stride = size / 2; stride; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * t - (t & (stride - 1));
            order(s[pos], s[pos + stride], (t & (size / 2)) == 0);
        }
    __syncthreads();
    block[t] = s[t];
    block[t + blockDim.x] = s[t + blockDim.x];
}

__global__ void bitonic_step(unsigned *keys, unsigned *values, unsigned stride, unsigned size)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = i ^ stride;
    if (j <= i) return;
    bool up = (i & size) == 0;
    if ((keys[i] > keys[j]) == up) {
        unsigned k = keys[i], v = values[i];
        keys[i] = keys[j], values[i] = values[j];
        keys[j] = k, values[j] = v;
    }
}

// One pass of a radix sort over 4 bits: count per block, add up, scatter in order.
__global__ void radix_count(const unsigned *keys, unsigned *counts, int shift, int n)
{
    __shared__ unsigned own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[keys[i] >> shift & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

__global__ void radix_offsets(unsigned *counts, int n)
{
    __shared__ unsigned before;
    if (threadIdx.x == 0) before = 0;
    __syncthreads();
    for (int base = 0; base < n; base += 32) {
        int i = base + threadIdx.x;
        unsigned own = i < n ? counts[i] : 0, v = own;
        for (int o = 1; o < 32; o <<= 1) {
            unsigned u = __shfl_up_sync(~0u, v, o);
            if (threadIdx.x >= o) v += u;
        }
        if (i < n) counts[i] = before + v - own;
        unsigned total = __shfl_sync(~0u, v, 31);
        __syncwarp();
        if (threadIdx.x == 0) before += total;
        __syncwarp();
    }
}

__global__ void radix_scatter(const unsigned *keys, unsigned *out, const unsigned *offsets, int shift, int n)
{
    __shared__ unsigned digits[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned digit = i < n ? keys[i] >> shift & 15 : 16;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i >= n) return;
    unsigned rank = 0;
    for (unsigned t = 0; t < threadIdx.x; t++) rank += digits[t] == digit;
    out[offsets[digit * gridDim.x + blockIdx.x] + rank] = keys[i];
}

int main()
{
    {
        int n = 4096;
        std::vector<unsigned> in(n), w;
        for (auto &v : in) v = next() * 257u;
        Device<unsigned> d(in);
        bitonic_shared<<<n / 512, 256, 512 * 4>>>(d);
        LAUNCHED();
        w = in;
        for (int b = 0; b < n; b += 512) std::sort(w.begin() + b, w.begin() + b + 512);
        exact("bitonic in blocks", d.get(), w);
    }
    {
        int n = 4096;
        std::vector<unsigned> keys(n), values(n), k, v;
        for (auto &x : keys) x = next() * 31u;
        std::iota(values.begin(), values.end(), 0u);
        v = values;
        std::sort(v.begin(), v.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
        for (auto i : v) k.push_back(keys[i]);
        Device<unsigned> dk(keys), dv(values);
        for (int size = 2; size <= n; size <<= 1)
            for (int stride = size / 2; stride; stride >>= 1) bitonic_step<<<n / 256, 256>>>(dk, dv, stride, size);
        LAUNCHED();
        exact("bitonic keys", dk.get(), k);
        bool distinct = std::adjacent_find(k.begin(), k.end()) == k.end();
        if (distinct) exact("bitonic values", dv.get(), v);
    }
    {
        int n = 20000, blocks = (n + 255) / 256;
        std::vector<unsigned> in(n), w;
        for (auto &v : in) v = next() << 8 | next() >> 16;
        Device<unsigned> a(in), b(n), counts(16 * blocks);
        unsigned *from = a, *to = b;
        for (int shift = 0; shift < 32; shift += 4) {
            radix_count<<<blocks, 256>>>(from, counts, shift, n);
            radix_offsets<<<1, 32>>>(counts, 16 * blocks);
            radix_scatter<<<blocks, 256>>>(from, to, counts, shift, n);
            std::swap(from, to);
        }
        LAUNCHED();
        w = in;
        std::sort(w.begin(), w.end());
        exact("radix", a.get(), w);
    }
    return 0;
}
