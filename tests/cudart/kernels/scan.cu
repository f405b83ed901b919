// Prefix sums: within warps and blocks, and over blocks by three kernels and by one that looks back.
#include "check.h"

constexpr int BLOCK = 256;

__device__ unsigned warp_scan(unsigned v)
{
    for (int o = 1; o < 32; o <<= 1) {
        unsigned u = __shfl_up_sync(~0u, v, o);
        if (threadIdx.x % 32 >= o) v += u;
    }
    return v;
}

__device__ unsigned block_scan(unsigned v, unsigned *total)
{
    __shared__ unsigned sums[BLOCK / 32];
    v = warp_scan(v);
    if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned s = threadIdx.x < BLOCK / 32 ? sums[threadIdx.x] : 0;
        s = warp_scan(s);
        if (threadIdx.x < BLOCK / 32) sums[threadIdx.x] = s;
    }
    __syncthreads();
    if (threadIdx.x >= 32) v += sums[threadIdx.x / 32 - 1];
    *total = sums[BLOCK / 32 - 1];
    return v;
}

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *totals, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned total, v = block_scan(i < n ? in[i] : 0, &total);
    if (i < n) out[i] = v;
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void scan_totals(unsigned *totals, int n)
{
    unsigned before = 0, total;
    for (int base = 0; base < n; base += BLOCK) {
        int i = base + threadIdx.x;
        unsigned own = i < n ? totals[i] : 0, v = block_scan(own, &total);
        if (i < n) totals[i] = before + v - own;
        before += total;
        __syncthreads();
    }
}

__global__ void add_totals(unsigned *out, const unsigned *totals, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) out[i] += totals[blockIdx.x];
}

// Blocks take tickets, so that each waits only for blocks that have begun.
__global__ void look_back(const unsigned *in, unsigned *out, volatile unsigned long long *state, unsigned *ticket, int n)
{
    __shared__ unsigned mine, before;
    if (threadIdx.x == 0) mine = atomicAdd(ticket, 1);
    __syncthreads();
    int i = mine * BLOCK + threadIdx.x;
    unsigned total, v = block_scan(i < n ? in[i] : 0, &total);
    if (threadIdx.x == 0) {
        state[mine] = 1ull << 32 | total;
        unsigned sum = 0;
        for (int b = (int)mine - 1; b >= 0; b--) {
            unsigned long long s;
            do s = state[b];
            while (s >> 32 == 0);
            sum += (unsigned)s;
            if (s >> 32 == 2) break;
        }
        __threadfence();
        state[mine] = 2ull << 32 | (sum + total);
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = v + before;
}

int main()
{
    for (int n : {1, 256, 5000, 200001}) {
        std::vector<unsigned> in(n), w(n);
        unsigned sum = 0;
        for (int i = 0; i < n; i++) in[i] = next() & 1023, w[i] = sum += in[i];
        int blocks = (n + BLOCK - 1) / BLOCK;
        Device<unsigned> d(in), out(n), totals(blocks);
        scan_blocks<<<blocks, BLOCK>>>(d, out, totals, n);
        scan_totals<<<1, BLOCK>>>(totals, blocks);
        add_totals<<<blocks, BLOCK>>>(out, totals, n);
        LAUNCHED();
        exact("three kernels", out.get(), w);
        Device<unsigned long long> state(blocks);
        Device<unsigned> ticket(1);
        state.zero();
        ticket.zero();
        out.zero();
        look_back<<<blocks, BLOCK>>>(d, out, state, ticket, n);
        LAUNCHED();
        exact("look-back", out.get(), w);
    }
    return 0;
}
