// Reductions: shared memory, shuffles, votes, atomics of every kind, warp-wide integer reductions.
#include "check.h"

__global__ void by_shared(const int *in, long long *out, int n)
{
    extern __shared__ long long part[];
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void by_shuffle(const int *in, unsigned long long *out, int n)
{
    __shared__ long long part[32];
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
        if (threadIdx.x == 0) atomicAdd(out, (unsigned long long)sum);
    }
}

struct All {
    int add, sub, low, high, cas;
    unsigned andall, orall, xorall, inc, dec, exchanged;
    unsigned long long add64, high64;
    float addf;
    double addd, cad;
};

__global__ void atomics(const int *in, All *all, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    atomicAdd(&all->add, v);
    atomicSub(&all->sub, v);
    atomicMin(&all->low, v);
    atomicMax(&all->high, v);
    atomicAnd(&all->andall, v | 0xff);
    atomicOr(&all->orall, v & 0xff00);
    atomicXor(&all->xorall, v);
    atomicInc(&all->inc, 99);
    atomicDec(&all->dec, 49);
    atomicAdd(&all->add64, (unsigned long long)v << 20);
    atomicMax(&all->high64, (unsigned long long)v * v);
    // Sums of small integers are exact in any order.
    atomicAdd(&all->addf, (float)(v & 15));
    atomicAdd(&all->addd, (double)v);
    if (atomicExch(&all->exchanged, 7u) == 1u) atomicAdd(&all->cas, 1000000);
    int old = all->cas, seen;
    do {
        seen = old;
        old = atomicCAS(&all->cas, seen, seen + (v & 3));
    } while (old != seen);
    unsigned long long *bits = (unsigned long long *)&all->cad, o = *bits, e;
    do {
        e = o;
        o = atomicCAS(bits, e, (unsigned long long)__double_as_longlong(__longlong_as_double((long long)e) + 0.5));
    } while (o != e);
}

__global__ void warps(const int *in, unsigned *out)
{
    int t = threadIdx.x, v = in[t];
    unsigned *o = out + t * 10;
    o[0] = __ballot_sync(~0u, v & 1);
    o[1] = __any_sync(~0u, v > 1000) | __all_sync(~0u, v >= 0) << 1;
    o[2] = __reduce_add_sync(~0u, v);
    o[3] = __reduce_max_sync(~0u, (unsigned)v);
    o[4] = __reduce_xor_sync(~0u, (unsigned)v);
    o[5] = __match_any_sync(~0u, v & 3);
    o[6] = __shfl_sync(~0u, v, (t + 5) & 31) + __shfl_up_sync(~0u, v, 3, 8);
    o[7] = (t & 1) ? __reduce_min_sync(0xaaaaaaaa, v) : __ballot_sync(0x55555555, v & 2);
    int all = 0;
    o[8] = __match_all_sync(~0u, v >> 30, &all) + all;
    o[9] = __activemask() != 0;
    if (t % 3 == 0) o[9] += __popc(__activemask());
}

__global__ void counts(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int c = __syncthreads_count(v & 1);
    int a = __syncthreads_and(v >= 0);
    int o = __syncthreads_or(v > 16777210);
    if (threadIdx.x == 0) out[blockIdx.x] = c * 4 + (a != 0) * 2 + (o != 0);
}

int main()
{
    int n = 50000;
    std::vector<int> in(n);
    long long sum = 0;
    for (auto &v : in) v = (int)next(), sum += v;
    Device<int> d(in);
    {
        Device<long long> out(20);
        by_shared<<<20, 128, 128 * sizeof(long long)>>>(d, out, n);
        LAUNCHED();
        long long got = 0;
        for (auto v : out.get()) got += v;
        exact("shared", std::vector<long long>{got}, std::vector<long long>{sum});
    }
    {
        Device<unsigned long long> out(1);
        out.zero();
        by_shuffle<<<13, 256>>>(d, out, n);
        LAUNCHED();
        exact("shuffle", out.get(), std::vector<unsigned long long>{(unsigned long long)sum});
    }
    {
        All a{0, 0, 1 << 30, -1, 0, ~0u, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, w = a, got;
        double small = 0;
        for (int i = 0; i < n; i++) {
            int v = in[i];
            w.add += v, w.sub -= v, w.low = v < w.low ? v : w.low, w.high = v > w.high ? v : w.high;
            w.andall &= v | 0xff, w.orall |= v & 0xff00, w.xorall ^= v;
            w.inc = w.inc >= 99 ? 0 : w.inc + 1, w.dec = w.dec == 0 || w.dec > 49 ? 49 : w.dec - 1;
            w.add64 += (unsigned long long)v << 20;
            unsigned long long s = (unsigned long long)v * v;
            w.high64 = s > w.high64 ? s : w.high64;
            small += v & 15, w.addd += v, w.cas += v & 3, w.cad += 0.5;
        }
        w.addf = (float)small, w.cas += 1000000, w.exchanged = 7;
        Device<All> da(1);
        MUST(cudaMemcpy(da, &a, sizeof a, cudaMemcpyHostToDevice));
        atomics<<<(n + 191) / 192, 192>>>(d, da, n);
        LAUNCHED();
        MUST(cudaMemcpy(&got, da, sizeof a, cudaMemcpyDeviceToHost));
#define FIELD(f) exact(#f, std::vector<decltype(got.f)>{got.f}, std::vector<decltype(got.f)>{w.f})
        FIELD(add); FIELD(sub); FIELD(low); FIELD(high); FIELD(cas); FIELD(andall); FIELD(orall); FIELD(xorall); FIELD(inc);
        FIELD(dec); FIELD(exchanged); FIELD(add64); FIELD(high64); FIELD(addf); FIELD(addd); FIELD(cad);
    }
    {
        std::vector<unsigned> w(320);
        unsigned ballot = 0, add = 0, max = 0, x = 0, any = 0, low = ~0u, twos = 0;
        for (int t = 0; t < 32; t++) {
            unsigned v = in[t];
            ballot |= (v & 1) << t, add += v, max = v > max ? v : max, x ^= v, any |= v > 1000;
            if (t & 1) low = v < low ? v : low;
            else twos |= (v >> 1 & 1) << t;
        }
        for (int t = 0; t < 32; t++) {
            unsigned m = 0;
            for (int u = 0; u < 32; u++) m |= (unsigned)((in[u] & 3) == (in[t] & 3)) << u;
            unsigned r[10] = {ballot, any | 2, add, max, x, m, (unsigned)(in[(t + 5) & 31] + in[t % 8 < 3 ? t : t - 3]),
                t & 1 ? low : twos, 0u, t % 3 == 0 ? 12u : 1u};
            memcpy(&w[10 * t], r, sizeof r);
            w[10 * t + 8] = ~0u + 1;
        }
        Device<unsigned> out(320);
        warps<<<1, 32>>>(d, out);
        LAUNCHED();
        exact("warps", out.get(), w);
    }
    {
        std::vector<int> w(50);
        for (int b = 0; b < 50; b++) {
            int c = 0, o = 0;
            for (int t = 0; t < 100; t++) c += in[b * 100 + t] & 1, o |= in[b * 100 + t] > 16777210;
            w[b] = c * 4 + 2 + o;
        }
        Device<int> out(50);
        counts<<<50, 100>>>(d, out);
        LAUNCHED();
        exact("counts", out.get(), w);
    }
    return 0;
}
