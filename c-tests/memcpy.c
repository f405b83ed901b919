/* One-dimensional copies: every pair of kinds of memory, ranges that do not fit, and when a call returns. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))
#define HOST(p) ((void *)(uintptr_t)(p))
#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))
#define MB ((size_t)1 << 20)

static CUcontext start(void)
{
    CUcontext c = NULL;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c)) exit(1);
    return c;
}

enum { N = 100000 };
enum { DEVICE, PINNED, REGISTERED, PAGEABLE, MANAGED, KINDS };
static const char *const kinds[] = { "device", "pinned", "registered", "pageable", "managed" };
static CUdeviceptr make(int kind)
{
    CUdeviceptr p = 0;
    void *h = NULL;
    switch (kind) {
    case DEVICE: cuMemAlloc(&p, N); break;
    case MANAGED: cuMemAllocManaged(&p, N, CU_MEM_ATTACH_GLOBAL); break;
    case PINNED: cuMemHostAlloc(&h, N, 0); p = ADDRESS(h); break;
    default:
        if (posix_memalign(&h, 4096, N)) exit(1);
        p = ADDRESS(h);
        if (kind == REGISTERED) cuMemHostRegister(h, N, 0);
    }
    if (!p) exit(1);
    return p;
}
static void drop(int kind, CUdeviceptr p)
{
    switch (kind) {
    case DEVICE: case MANAGED: cuMemFree(p); break;
    case PINNED: cuMemFreeHost(HOST(p)); break;
    default:
        if (kind == REGISTERED) cuMemHostUnregister(HOST(p));
        free(HOST(p));
    }
}
static unsigned char buffer[N], other[N];
static void fill(CUdeviceptr p, unsigned seed)
{
    for (int i = 0; i < N; i++) buffer[i] = (unsigned char)((i * 31u + seed * 77u) ^ (i >> 8));
    cuMemcpy(p, ADDRESS(buffer), N);
    cuCtxSynchronize();
}
/* Whether `n` bytes from `a` on are those of seed 1 from `b` on, and the rest is that of seed 2. */
static int right(CUdeviceptr p, size_t a, size_t b, size_t n)
{
    cuCtxSynchronize();
    cuMemcpy(ADDRESS(other), p, N);
    for (size_t i = 0; i < N; i++) {
        size_t k = i - a + b;
        unsigned char want = i >= a && i < a + n ? (unsigned char)((k * 31u + 77u) ^ (k >> 8)) : (unsigned char)((i * 31u + 154u) ^ (i >> 8));
        if (other[i] != want) return 0;
    }
    return 1;
}

static void pairs(void)
{
    for (int from = 0; from < KINDS; from++)
        for (int to = 0; to < KINDS; to++) {
            CUdeviceptr s = make(from), d = make(to);
            CUstream stream;
            cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
            printf("%s to %s:", kinds[from], kinds[to]);
            fill(s, 1);
            for (int f = 0; f < 6; f++) {
                CUresult r = CUDA_SUCCESS;
                fill(d, 2);
                switch (f) {
                case 0: r = cuMemcpy(d + 3, s + 8, 70000); break;
                case 1: r = cuMemcpyAsync(d + 3, s + 8, 70000, stream); break;
                case 2: r = cuMemcpyDtoD(d + 3, s + 8, 70000); break;
                case 3: r = cuMemcpyPeer(d + 3, NULL, s + 8, NULL, 70000); break;
                case 4: if (from == DEVICE) continue; r = cuMemcpyHtoDAsync(d + 3, HOST(s + 8), 70000, stream); break;
                case 5: if (to == DEVICE) continue; r = cuMemcpyDtoHAsync(HOST(d + 3), s + 8, 70000, stream); break;
                }
                if (r) printf(" %s", name(r)); else printf(" %s", right(d, 3, 8, 70000) ? "right" : "wrong");
            }
            printf("\n");
            cuStreamDestroy(stream);
            drop(from, s);
            drop(to, d);
        }
}

static void ranges(void)
{
    CUdeviceptr d = 0, e = 0;
    void *h = NULL;
    if (cuMemAlloc(&d, 2 * MB) || cuMemAlloc(&e, 2 * MB) || cuMemHostAlloc(&h, 4096, 0)) exit(1);
    SHOW(cuMemcpyHtoD(d, buffer, 0));
    SHOW(cuMemcpyHtoD(0, NULL, 0));
    SHOW(cuMemcpyDtoD(~0ull, 1, 0));
    SHOW(cuMemcpyHtoD(0, buffer, 1));
    SHOW(cuMemcpyHtoD(d, NULL, 1));
    SHOW(cuMemcpyDtoH(buffer, 0, 1));
    SHOW(cuMemcpy(d, 0, 1));
    SHOW(cuMemcpyHtoD(d + 2 * MB - 1, buffer, 1));
    SHOW(cuMemcpyHtoD(d + 2 * MB - 1, buffer, 2));
    SHOW(cuMemcpyDtoD(d, e, 2 * MB + 1));
    SHOW(cuMemcpyDtoD(d, e + 1, 2 * MB));
    SHOW(cuMemcpyDtoD(d, e, SIZE_MAX));
    SHOW(cuMemcpyDtoDAsync(d, e, (size_t)1 << 63, NULL));
    SHOW(cuMemcpyHtoD(d, h, 4096));
    SHOW(cuMemcpyHtoD(d, h, 4097));
    SHOW(cuMemcpyDtoH(h, 0x1000, 16));
    SHOW(cuMemcpyHtoD(ADDRESS(buffer), buffer + 100, 16));
    SHOW(cuMemcpyDtoD(d, ADDRESS(buffer), 16));
    SHOW(cuMemcpyPeer(d, NULL, ADDRESS(buffer), NULL, 16));
    SHOW(cuMemFree(e));
    SHOW(cuMemcpyDtoH(buffer, e, 16));
    SHOW(cuMemFreeHost(h));
    SHOW(cuMemFree(d));
}

/* A large copy, of a size that is no round number. */
static void large(void)
{
    size_t n = 37 * MB + 12345, wrong = 0;
    unsigned *a = malloc(n), *b = malloc(n);
    CUdeviceptr d = 0, e = 0;
    if (!a || !b || cuMemAlloc(&d, n) || cuMemAlloc(&e, n)) exit(1);
    for (size_t i = 0; i < n / 4; i++) a[i] = (unsigned)i * 2654435761u;
    SHOW(cuMemcpyHtoD(d, a, n));
    SHOW(cuMemcpyDtoD(e, d, n));
    SHOW(cuMemcpyDtoH(b, e, n));
    for (size_t i = 0; i < n / 4; i++) wrong += a[i] != b[i];
    printf("%zu words wrong\n", wrong);
    cuMemFree(d);
    cuMemFree(e);
    free(a);
    free(b);
}

/* Who waits, with another stream held by a host function. */
static volatile int gate;
static void CUDA_CB hold(void *unused)
{
    (void)unused;
    while (!gate) usleep(100);
}
static void order(void)
{
    CUdeviceptr d = 0, e = 0;
    unsigned char *pin = NULL;
    CUstream free_stream, held;
    if (cuMemAlloc(&d, N) || cuMemAlloc(&e, N) || cuMemHostAlloc((void **)&pin, N, 0)) exit(1);
    cuStreamCreate(&held, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&free_stream, CU_STREAM_NON_BLOCKING);
    cuMemsetD8(d, 1, N);
    cuMemsetD8(e, 2, N);
    cuCtxSynchronize();
    gate = 0;
    cuLaunchHostFunc(held, hold, NULL);
    /* Pageable memory is read before the call returns, pinned memory when its turn comes. */
    memset(buffer, 3, N);
    memset(pin, 4, N);
    SHOW(cuMemcpyHtoDAsync(d, buffer, 1000, held));
    SHOW(cuMemcpyHtoDAsync(e, pin, 1000, held));
    memset(buffer, 5, N);
    memset(pin, 6, N);
    SHOW(cuMemcpyDtoDAsync(d + 2000, e, 1000, held));
    SHOW(cuMemsetD8Async(d + 4000, 9, 1000, held));
    SHOW(cuStreamQuery(held));
    SHOW(cuMemcpyDtoDAsync(d + 6000, e + 50000, 10, free_stream));
    SHOW(cuStreamSynchronize(free_stream));
    gate = 1;
    SHOW(cuStreamSynchronize(held));
    cuMemcpyDtoH(other, d, 7000);
    printf("%d %d %d %d %d\n", other[0], other[999], other[2000], other[4999], other[6000]);
    cuStreamDestroy(held);
    cuStreamDestroy(free_stream);
    cuMemFree(d);
    cuMemFree(e);
    cuMemFreeHost(pin);
}

int main(void)
{
    start();
    pairs();
    ranges();
    large();
    order();
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
