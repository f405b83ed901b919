/* Where blocks lie, beside which others and where others were, and what page-locked memory has of its neighbours. As on an H200. */
#include "check.h"

#define CHUNK ((size_t)2 << 20)
#define BLOCKS 12

static CUcontext contexts[2];
static struct { CUdeviceptr at; size_t size; char kind; int live; } blocks[BLOCKS];

static unsigned long long seed;
static unsigned next(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed % n);
}

static size_t some_size(void)
{
    switch (next(8)) {
    case 0: return 1 + next(512);
    case 1: return CHUNK / 2 + next(CHUNK / 2);
    case 2: return CHUNK * (1 + next(2));
    case 3: return 512 * (1 + next(64));
    default: return 4096 + next(60000);
    }
}

/* Letters: device memory, managed, page-locked, page-locked and write-combined, and addresses; capitals are of a second context. */
static CUresult take(char kind, CUdeviceptr *p, size_t size)
{
    switch (kind | 32) {
    case 'd': return cuMemAlloc(p, size);
    case 'm': return cuMemAllocManaged(p, size, CU_MEM_ATTACH_GLOBAL);
    case 'h': return cuMemHostAlloc((void **)p, size, next(2));
    case 'w': return cuMemHostAlloc((void **)p, size, CU_MEMHOSTALLOC_WRITECOMBINED | next(2));
    default: return cuMemAddressReserve(p, size, 0, 0, 0);
    }
}
static CUresult give(char kind, CUdeviceptr p, size_t size)
{
    switch (kind | 32) {
    case 'd': case 'm': return cuMemFree(p);
    case 'h': case 'w': return cuMemFreeHost((void *)(uintptr_t)p);
    default: return cuMemAddressFree(p, size);
    }
}

static void sequence(const char *kinds, int steps)
{
    CUdeviceptr managed = 0, others = 0;
    contexts[0] = begin();
    OK(cuCtxCreate(&contexts[1], NULL, 0, 0));
    seed = 0x9e3779b97f4a7c15;
    for (int step = 0; step < steps; step++) {
        int i = (int)next(BLOCKS);
        if (blocks[i].live) {
            OK(cuCtxSetCurrent(contexts[blocks[i].kind < 'a']));
            OK(give(blocks[i].kind, blocks[i].at, blocks[i].size));
            blocks[i].live = 0;
            printf("%c%d goes\n", blocks[i].kind, i);
            continue;
        }
        char kind = kinds[next((unsigned)strlen(kinds))];
        size_t size = (kind | 32) == 'v' ? CHUNK * (1 + next(3)) : some_size();
        CUdeviceptr p = 0, *origin = (kind | 32) == 'm' ? &managed : &others;
        unsigned flags = 0;
        OK(cuCtxSetCurrent(contexts[kind < 'a']));
        OK(take(kind, &p, size));
        blocks[i].at = p;
        blocks[i].size = size;
        blocks[i].kind = kind;
        blocks[i].live = 1;
        if (!*origin) *origin = p / CHUNK * CHUNK;
        long long from = (long long)(p - *origin);
        printf("%c%d of %zu: chunk %lld, granule %lld", kind, i, size, from >> 21, (from & (long long)(CHUNK - 1)) / 512);
        if (!cuMemHostGetFlags(&flags, (void *)(uintptr_t)p)) printf(", flags %x", flags);
        printf("\n");
    }
}

static void device(void) { sequence("d", 120); }
static void page_locked(void) { sequence("hw", 120); }
static void managed(void) { sequence("m", 60); }
static void mixed(void) { sequence("dmhw", 200); }
static void of_two(void) { sequence("dhDHmM", 150); }
static void reserved(void) { sequence("dv", 40); }

int main(void)
{
    apart("device", device);
    apart("page-locked", page_locked);
    apart("managed", managed);
    apart("mixed", mixed);
    apart("two contexts", of_two);
    apart("reserved", reserved);
    return 0;
}
