/* Stream-ordered allocation, beside malloc and free of the C library. */
#include "bench.h"

#define LIVE 200

static size_t size;
static CUstream stream;
static CUmemoryPool pool;
static int touch;

static void c_pair(void *data)
{
    (void)data;
    char *p = malloc(size);
    if (touch) *(volatile char *)p = 1;
    __asm__ volatile("" ::"r"(p) : "memory");
    free(p);
}
static void pool_pair(void *data)
{
    (void)data;
    CUdeviceptr p;
    OK(cuMemAllocFromPoolAsync(&p, size, pool, stream));
    if (touch) *(volatile char *)(uintptr_t)p = 1;
    OK(cuMemFreeAsync(p, stream));
}
static void c_many(void *data)
{
    void **p = data;
    for (int i = 0; i < LIVE; i++) p[i] = malloc(size + (size_t)i * 64);
    __asm__ volatile("" ::"r"(p) : "memory");
    for (int i = 0; i < LIVE; i++) free(p[i * 7 % LIVE]);
}
static void pool_many(void *data)
{
    CUdeviceptr *p = data;
    for (int i = 0; i < LIVE; i++) OK(cuMemAllocFromPoolAsync(&p[i], size + (size_t)i * 64, pool, stream));
    for (int i = 0; i < LIVE; i++) OK(cuMemFreeAsync(p[i * 7 % LIVE], stream));
}

int main(void)
{
    start();
    CUmemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUresult r = cuMemPoolCreate(&pool, &props);
    if (r == CUDA_ERROR_NOT_SUPPORTED) {
        printf("\npools: not there yet\n");
        return 0;
    }
    OK(r);
    cuuint64_t all = UINT64_MAX;
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    static void *many[LIVE];
    printf("\npools: ns for an allocation and its release: malloc + free, cuMemAllocFromPoolAsync + cuMemFreeAsync, and the ratio\n");
    static const size_t sizes[] = { 256, 4096, 65536, 1 << 20, 16 << 20, 256 << 20 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double c, p;
        size = sizes[i];
        duel(size > 1 << 20 ? 500 : 10000, c_pair, pool_pair, NULL, &c, &p);
        printf("%12zu bytes, one at a time      %10.1f %10.1f %6.2f\n", size, c, p, c / p);
        /* The C library hands the pages of large blocks back: with the first touch it pays for that. */
        touch = 1;
        duel(size > 1 << 20 ? 500 : 10000, c_pair, pool_pair, NULL, &c, &p);
        touch = 0;
        printf("%12zu bytes, first byte touched %10.1f %10.1f %6.2f\n", size, c, p, c / p);
        if (size > 1 << 20) continue;
        duel(20, c_many, pool_many, many, &c, &p);
        printf("%12zu bytes, %d live           %10.1f %10.1f %6.2f\n", size, LIVE, c / LIVE, p / LIVE, c / p);
    }
    OK(cuStreamDestroy(stream));
    OK(cuMemPoolDestroy(pool));
    return 0;
}
