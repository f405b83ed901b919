// Random numbers by hand (xorshift, a counter-based generator) and what is estimated with them.
#include "check.h"

__host__ __device__ inline uint32_t xorshift(uint32_t &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

// Philox 4x32-10, as published.
struct Four { uint32_t v[4]; };
__host__ __device__ inline Four philox(Four c, uint32_t k0, uint32_t k1)
{
    for (int r = 0; r < 10; r++) {
        uint64_t a = (uint64_t)0xD2511F53u * c.v[0], b = (uint64_t)0xCD9E8D57u * c.v[2];
        c = {{(uint32_t)(b >> 32) ^ c.v[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ c.v[3] ^ k1, (uint32_t)a}};
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    return c;
}

__host__ __device__ inline uint32_t inside(uint32_t thread, int tries)
{
    uint32_t s = thread * 2654435761u + 1, hits = 0;
    for (int i = 0; i < tries; i++) {
        uint64_t x = xorshift(s) >> 16, y = xorshift(s) >> 16;
        hits += x * x + y * y < 0xffffull * 0xffffull;
    }
    return hits;
}

__global__ void pi(uint32_t *hits, int tries) { hits[blockIdx.x * blockDim.x + threadIdx.x] = inside(blockIdx.x * blockDim.x + threadIdx.x, tries); }

__global__ void fill(Four *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = philox({{(uint32_t)i, 0, 7, 0}}, 42, 99);
}

// Prices of an option by paths; normal numbers by Box and Muller.
__global__ void price(double *sum, int paths, float strike)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float pay = 0;
    if (i < paths) {
        Four r = philox({{(uint32_t)i, 1, 0, 0}}, 1, 2);
        float u = (r.v[0] + 1.0f) * 2.3283064e-10f, v = r.v[1] * 2.3283064e-10f;
        float z = sqrtf(-2.0f * logf(u)) * cospif(2.0f * v);
        pay = fmaxf(100.0f * expf(-0.02f + 0.2f * z) - strike, 0.0f);
    }
    for (int o = 16; o; o >>= 1) pay += __shfl_down_sync(~0u, pay, o);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, (double)pay);
}

int main()
{
    int threads = 1024, tries = 64;
    std::vector<uint32_t> w(threads);
    uint64_t all = 0;
    for (int i = 0; i < threads; i++) all += w[i] = inside(i, tries);
    Device<uint32_t> hits(threads);
    pi<<<threads / 128, 128>>>(hits, tries);
    LAUNCHED();
    exact("hits", hits.get(), w);
    printf("pi is about %.4f\n", 4.0 * all / threads / tries);

    int n = 3000;
    std::vector<uint32_t> numbers, got(4 * n);
    for (int i = 0; i < n; i++) {
        Four f = philox({{(uint32_t)i, 0, 7, 0}}, 42, 99);
        numbers.insert(numbers.end(), f.v, f.v + 4);
    }
    Device<Four> out(n);
    fill<<<(n + 255) / 256, 256>>>(out, n);
    LAUNCHED();
    MUST(cudaMemcpy(got.data(), out, 16 * n, cudaMemcpyDeviceToHost));
    exact("philox", got, numbers);

    int paths = 20000;
    double want = 0;
    for (int i = 0; i < paths; i++) {
        Four r = philox({{(uint32_t)i, 1, 0, 0}}, 1, 2);
        double u = (r.v[0] + 1.0f) * 2.3283064e-10f, v = r.v[1] * 2.3283064e-10f;
        want += fmax(100 * exp(-0.02 + 0.2 * sqrt(-2 * log(fmin(u, 1.0))) * cos(2 * M_PI * v)) - 105, 0);
    }
    Device<double> sum(1);
    sum.zero();
    price<<<(paths + 255) / 256, 256>>>(sum, paths, 105.0f);
    LAUNCHED();
    close("price", std::vector<double>{sum.get()[0] / paths}, std::vector<double>{want / paths}, 1e-4);
    return 0;
}
