/* Stands in for the real driver in tests/modes.rs and tests/forward.rs. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;

int cuDriverGetVersion(int *version)
{
    *version = 12345;
    return 0;
}

/* Called through the loader while this library is being opened: with the library under test in the global scope, the
 * call goes there. */
static int early = -1;
__attribute__((constructor)) static void on_load(void)
{
    int version = 0;
    early = cuDriverGetVersion(&version);
}

static int inits;
int cuInit(unsigned flags)
{
    int version = 0;
    inits++;
    cuDriverGetVersion(&version);
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *fails = getenv("FAKE_INIT");
    if (visible) fprintf(stderr, "fake driver: %s\n", visible);
    return fails ? atoi(fails) : flags ? 1 : 0;
}

int cuDeviceGetCount(int *count)
{
    const char *n = getenv("FAKE_DEVICES");
    *count = n ? atoi(n) : 1;
    return 0;
}

int cuMemAlloc(unsigned *ptr, unsigned size)
{
    *ptr = size;
    return 0;
}

int cuMemAlloc_v2(u64 *ptr, size_t size)
{
    *ptr = 0x10000 + size;
    return 0;
}

/* Eleven arguments: some travel on the stack. */
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **params, void **extra)
{
    int right = f == (void *)1 && gx == 2 && gy == 3 && gz == 4 && bx == 5 && by == 6 && bz == 7 && shared == 8 &&
                stream == (void *)9 && params == (void *)10 && extra == (void *)11;
    return right ? 0 : 1;
}

int cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    *table = (void *)0x4242;
    return 0;
}

static int only_here(void) { return 77; }

int cuGetProcAddress_v2(const char *symbol, void **pfn, int version, u64 flags, int *status)
{
    int found = 0;
    (void)flags;
    *pfn = NULL;
    if (!strcmp(symbol, "cuMemAlloc")) *pfn = version < 3020 ? (void *)cuMemAlloc : (void *)cuMemAlloc_v2;
    else if (!strcmp(symbol, "cuOnlyHere")) *pfn = (void *)only_here;
    else if (!strcmp(symbol, "cuGetProcAddress")) *pfn = (void *)cuGetProcAddress_v2;
    else if (!strcmp(symbol, "cuRefused")) return 304;
    else found = 1;
    if (status) *status = found;
    return 0;
}

int cuGetProcAddress(const char *symbol, void **pfn, int version, u64 flags)
{
    int status, code = cuGetProcAddress_v2(symbol, pfn, version, flags, &status);
    return code ? code : status ? 500 : 0;
}

/* Exported, unknown to the library under test. */
int cuFakeInits(void) { return inits * 1000 + early; }
