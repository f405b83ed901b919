// Kernels in streams: order, events, callbacks, the default streams, priorities, many threads.
#include "check.h"
#include <atomic>
#include <thread>

__global__ void step(unsigned *p, unsigned factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * factor + 1;
}

__global__ void combine(const unsigned *a, const unsigned *b, unsigned *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] ^ b[i];
}

__global__ void wait_for(volatile int *flag, int *seen)
{
    while (!*flag) {}
    *seen = 1;
}

static std::atomic<int> calls{0};
static void CUDART_CB called(cudaStream_t, cudaError_t e, void *p) { calls += e == cudaSuccess ? *(int *)p : 1000; }
static void CUDART_CB host(void *p) { calls += *(int *)p; }

int main()
{
    int n = 3000, g = (n + 255) / 256;
    std::vector<unsigned> start(n), w(n);
    for (int i = 0; i < n; i++) start[i] = next();
    Device<unsigned> a(start), b(start), c(n);
    cudaStream_t s, t, low;
    cudaEvent_t e, f;
    int least, most;
    MUST(cudaDeviceGetStreamPriorityRange(&least, &most));
    MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    MUST(cudaStreamCreate(&t));
    MUST(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
    MUST(cudaEventCreate(&e));
    MUST(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    MUST(cudaEventRecord(e, s));
    for (int k = 1; k <= 20; k++) {
        step<<<g, 256, 0, s>>>(a, k, n);
        step<<<g, 256, 0, t>>>(b, k + 100, n);
    }
    LAUNCHED();
    int one = 1, ten = 10;
    MUST(cudaStreamAddCallback(s, called, &one, 0));
    MUST(cudaLaunchHostFunc(t, host, &ten));
    MUST(cudaEventRecord(f, t));
    MUST(cudaStreamWaitEvent(s, f, 0));
    combine<<<g, 256, 0, s>>>(a, b, c, n);
    LAUNCHED();
    MUST(cudaStreamSynchronize(s));
    printf("calls %d\n", calls.load());
    for (int i = 0; i < n; i++) {
        unsigned x = start[i], y = start[i];
        for (int k = 1; k <= 20; k++) x = x * k + 1, y = y * (k + 100) + 1;
        w[i] = x ^ y;
    }
    exact("two streams", c.get(), w);
    MUST(cudaEventRecord(f, s));
    MUST(cudaEventSynchronize(f));
    SAY(cudaEventQuery(f));
    float ms = -1;
    SAY(cudaEventElapsedTime(&ms, e, f));
    SAY(cudaGetLastError());
    MUST(cudaEventRecord(f, low));
    cudaEvent_t h;
    MUST(cudaEventCreate(&h));
    MUST(cudaEventRecord(h, s));
    MUST(cudaEventSynchronize(h));
    MUST(cudaEventElapsedTime(&ms, e, h));
    verdict("time passes", ms > 0);

    // The default stream waits for t, and t for it.
    step<<<g, 256, 0, t>>>(a, 2, n);
    step<<<g, 256>>>(a, 3, n);
    step<<<g, 256, 0, t>>>(a, 5, n);
    std::vector<unsigned> x(n);
    MUST(cudaMemcpy(x.data(), a, n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        unsigned y = start[i];
        for (int k = 1; k <= 20; k++) y = y * k + 1;
        w[i] = ((y * 2 + 1) * 3 + 1) * 5 + 1;
    }
    exact("default stream", x, w);

    // A kernel that waits for the host.
    int *flag, *seen;
    MUST(cudaHostAlloc(&flag, 4, cudaHostAllocMapped));
    MUST(cudaHostAlloc(&seen, 4, cudaHostAllocMapped));
    *flag = *seen = 0;
    wait_for<<<1, 1, 0, low>>>(flag, seen);
    LAUNCHED();
    SAY(cudaStreamQuery(low));
    step<<<g, 256, 0, s>>>(a, 7, n);
    MUST(cudaStreamSynchronize(s));
    printf("%d\n", *seen);
    *(volatile int *)flag = 1;
    MUST(cudaStreamSynchronize(low));
    printf("%d\n", *seen);

    // Copies, kernels and copies in several streams, page-locked memory.
    unsigned *locked;
    int parts = 4, part = 1000;
    MUST(cudaMallocHost(&locked, parts * part * 4));
    for (int i = 0; i < parts * part; i++) locked[i] = i;
    Device<unsigned> d(parts * part);
    cudaStream_t all[4];
    for (int k = 0; k < parts; k++) {
        MUST(cudaStreamCreate(&all[k]));
        MUST(cudaMemcpyAsync(d + k * part, locked + k * part, part * 4, cudaMemcpyHostToDevice, all[k]));
        step<<<(part + 127) / 128, 128, 0, all[k]>>>(d + k * part, 10, part);
        MUST(cudaMemcpyAsync(locked + k * part, d + k * part, part * 4, cudaMemcpyDeviceToHost, all[k]));
    }
    MUST(cudaDeviceSynchronize());
    std::vector<unsigned> l(locked, locked + parts * part), lw(parts * part);
    for (int i = 0; i < parts * part; i++) lw[i] = i * 10 + 1;
    exact("copies and kernels", l, lw);

    // Stream-ordered memory.
    unsigned *pool;
    MUST(cudaMallocAsync(&pool, n * 4, s));
    MUST(cudaMemsetAsync(pool, 0, n * 4, s));
    step<<<g, 256, 0, s>>>(pool, 1, n);
    MUST(cudaMemcpyAsync(x.data(), pool, n * 4, cudaMemcpyDeviceToHost, s));
    MUST(cudaFreeAsync(pool, s));
    MUST(cudaStreamSynchronize(s));
    exact("pool", x, std::vector<unsigned>(n, 1));

    // Threads of the host, each with the per-thread stream.
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int k = 0; k < 4; k++)
        threads.emplace_back([&, k] {
            unsigned *p, v[256];
            if (cudaMalloc(&p, 1024) != cudaSuccess) return;
            cudaMemsetAsync(p, 0, 1024, cudaStreamPerThread);
            for (int r = 0; r < 10; r++) step<<<1, 256, 0, cudaStreamPerThread>>>(p, k + 2, 256);
            cudaMemcpyAsync(v, p, 1024, cudaMemcpyDeviceToHost, cudaStreamPerThread);
            if (cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess) return;
            unsigned y = 0;
            for (int r = 0; r < 10; r++) y = y * (k + 2) + 1;
            bool same = true;
            for (unsigned u : v) same &= u == y;
            good += same;
            cudaFree(p);
        });
    for (auto &th : threads) th.join();
    printf("threads %d\n", good.load());
    return 0;
}
