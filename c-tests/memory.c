/* Linear device memory: allocation and its errors, pitch, address ranges, what is free, the first generation. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Sizes that real programs use, and what they look like from outside. */
static void sizes(void)
{
    static const size_t all[] = { 1, 255, 256, 257, 512, 4096, 65537, 1 << 20, (1 << 20) + 1, 2 << 20, (2 << 20) + 1, 50 << 20 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CUdeviceptr p = 0, base = 0;
        size_t size = 0;
        unsigned char first = 1, last = 2, got[2] = { 0, 0 };
        CUresult r = cuMemAlloc(&p, all[i]);
        printf("%zu: %s, aligned to 256: %d", all[i], name(r), p % 256 == 0);
        cuMemGetAddressRange(&base, &size, p + all[i] - 1);
        printf(", range %s of %zu", base == p ? "here" : "elsewhere", size);
        if (all[i] > 1) cuMemcpyHtoD(p, &first, 1);
        cuMemcpyHtoD(p + all[i] - 1, &last, 1);
        cuMemcpyDtoH(&got[1], p + all[i] - 1, 1);
        printf(", last byte %d, behind it %s", got[1], name(cuMemcpyHtoD(p + all[i], &first, 1)));
        printf(", range behind it %s\n", name(cuMemGetAddressRange(&base, &size, p + all[i])));
        SHOW(cuMemFree(p));
    }
}

static void errors(void)
{
    CUdeviceptr p = 5;
    size_t pitch = 5;
    SHOW(cuMemAlloc(NULL, 16));
    SHOW(cuMemAlloc(&p, 0));
    printf("address %llu\n", p);
    p = 5;
    SHOW(cuMemAlloc(&p, SIZE_MAX));
    printf("address %llu\n", p);
    SHOW(cuMemAlloc(&p, (size_t)1 << 50));
    SHOW(cuMemFree(0));
    SHOW(cuMemFree(0x1000));
    SHOW(cuMemFree(~0ull));
    if (cuMemAlloc(&p, 8192)) exit(1);
    SHOW(cuMemFree(p + 1));
    SHOW(cuMemFree(p + 4096));
    SHOW(cuMemFree(p + 8192));
    SHOW(cuMemFree(p));
    SHOW(cuMemFree(p));
    int own = 0;
    SHOW(cuMemFree(ADDRESS(&own)));
    p = 5;
    SHOW(cuMemAllocPitch(&p, &pitch, 0, 4, 4));
    printf("address %llu, pitch %zu\n", p, pitch);
    SHOW(cuMemAllocPitch(&p, &pitch, 64, 4, 5));
    SHOW(cuMemAllocPitch(&p, NULL, 64, 4, 4));
    pitch = 5;
    SHOW(cuMemAllocPitch(&p, &pitch, (size_t)1 << 30, (size_t)1 << 20, 16));
    printf("address %llu, pitch %zu\n", p, pitch);
}

static void pitches(void)
{
    static const size_t widths[] = { 1, 511, 512, 513, 100000 };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        CUdeviceptr p = 0;
        size_t pitch = 0, size = 0;
        CUresult r = cuMemAllocPitch(&p, &pitch, widths[i], 7, 4);
        cuMemGetAddressRange(NULL, &size, p);
        printf("width %zu: %s, pitch %zu, %zu bytes\n", widths[i], name(r), pitch, size);
        SHOW(cuMemFree(p));
    }
}

static void ranges(void)
{
    CUdeviceptr p = 0, base = 5;
    size_t size = 5;
    if (cuMemAlloc(&p, 10000)) exit(1);
    SHOW(cuMemGetAddressRange(NULL, NULL, 0x1000));
    SHOW(cuMemGetAddressRange(&base, &size, 0x1000));
    printf("base %llu, size %zu\n", base, size);
    SHOW(cuMemGetAddressRange(&base, NULL, p + 5000));
    printf("found: %d\n", base == p);
    SHOW(cuMemFree(p));
    SHOW(cuMemGetAddressRange(&base, &size, p));
}

/* What an allocation takes from what is free; a small one lives in a block that is taken as a whole. */
static void information(void)
{
    size_t before = 0, during = 0, after = 0, total = 0, device = 0;
    CUdeviceptr keep = 0, p = 0;
    if (cuMemAlloc(&keep, 1)) exit(1);
    SHOW(cuMemGetInfo(NULL, NULL));
    SHOW(cuMemGetInfo(&before, &total));
    cuDeviceTotalMem(&device, 0);
    printf("total is the device's: %d, free is less: %d\n", total == device, before < total);
    static const size_t all[] = { 1000, 3 << 20, 64 << 20 };
    for (size_t i = 0; i < 3; i++) {
        cuMemGetInfo(&before, &total);
        if (cuMemAlloc(&p, all[i])) exit(1);
        cuMemGetInfo(&during, &total);
        cuMemFree(p);
        cuMemGetInfo(&after, &total);
        printf("%zu bytes took %zu, all back: %d\n", all[i], before - during, after == before);
    }
    cuMemFree(keep);
}

/* Many at once: no two overlap, and each keeps what was written to it. */
static void many(void)
{
    enum { N = 2000 };
    static CUdeviceptr p[N];
    static size_t n[N];
    unsigned x = 1, wrong = 0;
    for (int i = 0; i < N; i++) {
        x = x * 1664525u + 1013904223u;
        n[i] = 1 + x % 20000;
        if (cuMemAlloc(&p[i], n[i])) exit(1);
        cuMemsetD8(p[i], (unsigned char)i, n[i]);
    }
    for (int i = 0; i < N; i += 2) cuMemFree(p[i]);
    for (int i = 0; i < N; i += 2) {
        if (cuMemAlloc(&p[i], n[i] / 2 + 1)) exit(1);
        n[i] = n[i] / 2 + 1;
        cuMemsetD8(p[i], (unsigned char)~i, n[i]);
    }
    for (int i = 0; i < N; i++) {
        unsigned char ends[2] = { 0, 0 }, want = (unsigned char)(i % 2 ? i : ~i);
        cuMemcpyDtoH(&ends[0], p[i], 1);
        cuMemcpyDtoH(&ends[1], p[i] + n[i] - 1, 1);
        wrong += ends[0] != want || ends[1] != want;
    }
    for (int i = 0; i < N; i++) wrong += cuMemFree(p[i]) != CUDA_SUCCESS;
    printf("%d allocations, %u wrong\n", N, wrong);
}

/* The 32-bit functions have no business with a context of 64 bits. */
#undef cuMemAlloc
#undef cuMemFree
#undef cuMemGetInfo
static void first_generation(void)
{
    CUdriverProcAddressQueryResult found;
    CUresult (*alloc)(unsigned *, unsigned) = NULL, (*info)(unsigned *, unsigned *) = NULL, (*release)(unsigned) = NULL;
    void *f = NULL;
    unsigned p = 5, q = 5;
    if (!cuGetProcAddress("cuMemAlloc", &f, 2000, 0, &found) && f) memcpy(&alloc, &f, sizeof f);
    if (!cuGetProcAddress("cuMemGetInfo", &f, 2000, 0, &found) && f) memcpy(&info, &f, sizeof f);
    if (!cuGetProcAddress("cuMemFree", &f, 2000, 0, &found) && f) memcpy(&release, &f, sizeof f);
    if (!alloc || !info || !release) exit(1);
    SHOW(alloc(&p, 64));
    SHOW(info(&q, NULL));
    SHOW(release(0));
    printf("results %u, %u\n", p, q);
}

int main(void)
{
    start();
    sizes();
    errors();
    pitches();
    ranges();
    information();
    many();
    first_generation();
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
