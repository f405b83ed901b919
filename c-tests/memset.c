/* Fills of lines and rectangles with elements of one, two and four bytes. */
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

enum { N = 8192 };
static unsigned char got[N], want[N];

static CUresult set(int size, int async, CUdeviceptr p, unsigned v, size_t n)
{
    switch (size * 2 + async) {
    case 2: return cuMemsetD8(p, (unsigned char)v, n);
    case 3: return cuMemsetD8Async(p, (unsigned char)v, n, NULL);
    case 4: return cuMemsetD16(p, (unsigned short)v, n);
    case 5: return cuMemsetD16Async(p, (unsigned short)v, n, NULL);
    case 8: return cuMemsetD32(p, v, n);
    default: return cuMemsetD32Async(p, v, n, NULL);
    }
}
static CUresult set2d(int size, int async, CUdeviceptr p, size_t pitch, unsigned v, size_t w, size_t h)
{
    switch (size * 2 + async) {
    case 2: return cuMemsetD2D8(p, pitch, (unsigned char)v, w, h);
    case 3: return cuMemsetD2D8Async(p, pitch, (unsigned char)v, w, h, NULL);
    case 4: return cuMemsetD2D16(p, pitch, (unsigned short)v, w, h);
    case 5: return cuMemsetD2D16Async(p, pitch, (unsigned short)v, w, h, NULL);
    case 8: return cuMemsetD2D32(p, pitch, v, w, h);
    default: return cuMemsetD2D32Async(p, pitch, v, w, h, NULL);
    }
}
static void clean(CUdeviceptr p)
{
    memset(want, 0x5a, N);
    cuMemsetD8(p, 0x5a, N);
}
static int right(CUdeviceptr p)
{
    cuCtxSynchronize();
    cuMemcpy(ADDRESS(got), p, N);
    return !memcmp(got, want, N);
}

static void lines(CUdeviceptr p)
{
    for (int size = 1; size <= 4; size *= 2)
        for (int async = 0; async < 2; async++) {
            int wrong = 0, refused = 0;
            for (int offset = 0; offset < 16; offset++)
                for (size_t n = 0; n < 300; n += n < 40 ? 1 : 37) {
                    unsigned v = 0xa1b2c3d4u + (unsigned)n;
                    clean(p);
                    CUresult r = set(size, async, p + 64 + (unsigned)offset, v, n);
                    if (!r) for (size_t i = 0; i < n; i++) memcpy(want + 64 + offset + i * (size_t)size, &v, (size_t)size);
                    refused += r != CUDA_SUCCESS;
                    wrong += !right(p);
                }
            printf("size %d%s: %d refused, %d wrong\n", size, async ? ", asynchronous" : "", refused, wrong);
        }
}

static void rectangles(CUdeviceptr p)
{
    static const struct { size_t pitch, w, h; } all[] = { { 128, 16, 8 }, { 64, 1, 20 }, { 100, 20, 10 }, { 102, 20, 10 },
        { 101, 20, 10 }, { 512, 128, 16 }, { 8, 16, 2 }, { 8, 16, 1 }, { 0, 4, 1 }, { 0, 4, 2 }, { 1024, 4, 9 }, { 64, 0, 4 }, { 64, 4, 0 } };
    for (int size = 1; size <= 4; size *= 2)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            unsigned v = 0x9a8b7c6d;
            clean(p);
            CUresult r = set2d(size, k % 2, p, all[k].pitch, v, all[k].w, all[k].h);
            if (!r) for (size_t y = 0; y < all[k].h; y++)
                for (size_t x = 0; x < all[k].w; x++) memcpy(want + y * all[k].pitch + x * (size_t)size, &v, (size_t)size);
            printf("size %d, pitch %zu, %zux%zu: %s, %s\n", size, all[k].pitch, all[k].w, all[k].h, name(r), right(p) ? "right" : "wrong");
        }
}

static void errors(CUdeviceptr p)
{
    clean(p);
    SHOW(cuMemsetD8(p, 1, N + 1));
    SHOW(cuMemsetD8(p + N - 1, 1, 2));
    SHOW(cuMemsetD32(p, 1, (size_t)1 << 40));
    SHOW(cuMemsetD8(0, 1, 1));
    SHOW(cuMemsetD8(0, 1, 0));
    SHOW(cuMemsetD32(0x1001, 1, 0));
    SHOW(cuMemsetD32(0x1000, 1, 4));
    SHOW(cuMemsetD8(ADDRESS(got), 1, 4));
    SHOW(cuMemsetD2D8(p, 64, 1, 4, (size_t)1 << 40));
    SHOW(cuMemsetD2D8(p, 64, 1, SIZE_MAX, 4));
    SHOW(cuMemsetD2D8(p, (size_t)1 << 31, 1, 4, 2));
    printf("untouched: %d\n", right(p));
}

/* Other kinds of memory, and an area that is large. */
static void kinds(void)
{
    CUdeviceptr p = 0;
    void *h = NULL;
    if (cuMemHostAlloc(&h, N, 0)) exit(1);
    clean(ADDRESS(h));
    SHOW(cuMemsetD16(ADDRESS(h) + 10, 0x0102, 100));
    for (int i = 0; i < 100; i++) memcpy(want + 10 + 2 * i, "\2\1", 2);
    printf("pinned memory has it at once: %d\n", !memcmp(h, want, N));
    SHOW(cuMemFreeHost(h));
    if (cuMemAllocManaged(&p, N, CU_MEM_ATTACH_GLOBAL)) exit(1);
    clean(p);
    SHOW(cuMemsetD32(p + 4, 0x01020304, 100));
    for (int i = 0; i < 100; i++) memcpy(want + 4 + 4 * i, "\4\3\2\1", 4);
    printf("managed memory: %d\n", right(p));
    SHOW(cuMemFree(p));
    size_t n = 9 * MB + 4;
    unsigned *all = malloc(n), wrong = 0;
    if (!all || cuMemAlloc(&p, n)) exit(1);
    SHOW(cuMemsetD32(p, 0x12345678, n / 4));
    SHOW(cuMemcpyDtoH(all, p, n));
    for (size_t i = 0; i < n / 4; i++) wrong += all[i] != 0x12345678;
    printf("%u words wrong\n", wrong);
    SHOW(cuMemFree(p));
    free(all);
}

int main(void)
{
    CUdeviceptr p = 0;
    start();
    if (cuMemAlloc(&p, N)) return 1;
    lines(p);
    rectangles(p);
    errors(p);
    kinds();
    SHOW(cuMemFree(p));
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
