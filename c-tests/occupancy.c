/* What functions say of themselves, and what fits on the device. The kernels need few registers, so that their number does
 * not matter. */
#include "check.h"

static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n"
    ".visible .entry plain() { ret; }\n"
    ".visible .entry fixed() { .shared .align 4 .b8 s[5000]; .reg .u32 %r; mov.u32 %r, 1; st.volatile.shared.u32 [s+4], %r; ret; }\n"
    ".visible .entry bounded() .maxntid 200, 1, 1 { ret; }\n"
    ".visible .entry flat() .maxntid 16, 8, 2 { ret; }\n"
    ".visible .entry required() .reqntid 96, 1, 1 { ret; }\n"
    ".visible .entry least() .maxntid 256, 1, 1 .minnctapersm 4 { ret; }\n"
    ".visible .entry pair() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n"
    ".visible .entry explicit() .explicitcluster { ret; }\n"
    ".visible .entry ranked() .explicitcluster .maxclusterrank 4 { ret; }\n"
    ".visible .entry odd() { .shared .align 1 .b8 s[4999]; .reg .u32 %r; mov.u32 %r, 1; st.volatile.shared.u8 [s+4], %r; ret; }\n"
    ".visible .entry sixteen() .reqntid 16, 2, 1 .minnctapersm 2 { ret; }\n"
    ".visible .entry big() { .shared .align 16 .b8 s[40000]; .reg .u32 %r; mov.u32 %r, 1; st.volatile.shared.u32 [s+4], %r; ret; }\n";

static CUmodule module;
static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static const char *const all[] = {"plain", "fixed", "bounded", "flat", "required", "least", "pair", "explicit", "ranked", "odd", "sixteen", "big"};
#define EACH(f, what) for (size_t i_ = 0; i_ < sizeof all / sizeof *all; i_++) for (const char *what = all[i_]; what; what = NULL) for (CUfunction f = function(what); f; f = NULL)

static void attributes(void)
{
    /* Not the registers, the compiled code's size, or what the compiler keeps in constant memory. */
    static const int which[] = {0, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    EACH(f, what) {
        printf("%s:", what);
        for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
            int v = -99;
            CUresult r = cuFuncGetAttribute(&v, (CUfunction_attribute)which[i], f);
            if (r) printf(" %d %s", which[i], name(r));
            else printf(" %d=%d", which[i], v);
        }
        printf("\n");
    }
}

static int blocks(CUfunction f, int threads, size_t shared, unsigned flags)
{
    int v = -99;
    CUresult r = flags ? cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&v, f, threads, shared, flags)
                       : cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, threads, shared);
    return r ? -(int)r : v;
}

static size_t by_size(int threads) { return (size_t)threads * 64; }
static size_t by_size_much(int threads) { return threads > 100 ? 200000 : 1000; }

static void occupancy(void)
{
    static const int threads[] = {-1, 0, 1, 31, 32, 33, 64, 96, 128, 192, 200, 256, 257, 512, 768, 1023, 1024, 1025};
    static const size_t shared[] = {0, 1, 1000, 1024, 10000, 32768, 49152, 49153, 100000, 232448, 232449, (size_t)1 << 32, (size_t)-1};
    printf("-- blocks on a multiprocessor\n");
    EACH(f, what) {
        printf("%s:", what);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) printf(" %d", blocks(f, threads[t], 0, 0));
        printf("\n");
    }
    for (int big = 0; big < 2; big++) {
        if (big) {
            SHOW(cuFuncSetAttribute(function("plain"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
            SHOW(cuFuncSetAttribute(function("fixed"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - 5008));
        }
        for (int k = 0; k < 2; k++) {
            printf("%s by shared memory:", all[k]);
            for (size_t s = 0; s < (big ? 11 : 13); s++) printf(" %d", blocks(function(all[k]), 64, shared[s], 0));
            printf("\n");
        }
    }
    printf("with flags: %d %d %d\n", blocks(function("plain"), 128, 0, 1), blocks(function("plain"), 128, 0, 2), blocks(function("plain"), 128, 0, 3));
    printf("-- carve-outs\n");
    for (int c = -2; c <= 101; c += c < 0 ? 1 : c == 100 ? 1 : c == 0 ? 1 : c == 1 ? 9 : 30) {
        CUresult r = cuFuncSetAttribute(function("plain"), CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, c);
        printf("%d: %s:", c, name(r));
        for (size_t s = 0; s < 10; s++) printf(" %d", blocks(function("plain"), 64, shared[s], 0));
        printf("\n");
    }
    SHOW(cuFuncSetAttribute(function("plain"), CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1));
    printf("-- the best size\n");
    EACH(f, what) {
        int grid = -9, block = -9, grid2 = -9, block2 = -9, grid3 = -9, block3 = -9;
        CUresult r = cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0);
        CUresult s = cuOccupancyMaxPotentialBlockSize(&grid2, &block2, f, NULL, 20000, 150);
        CUresult t = cuOccupancyMaxPotentialBlockSize(&grid3, &block3, f, by_size, 0, 0);
        printf("%s: %s %d %d, %s %d %d, %s %d %d\n", what, name(r), grid, block, name(s), grid2, block2, name(t), grid3, block3);
    }
    int grid = -9, block = -9;
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("plain"), by_size_much, 0, 0));
    printf("%d %d\n", grid, block);
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("plain"), NULL, 0, 1));
    printf("%d %d\n", grid, block);
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("plain"), NULL, 0, 2000));
    printf("%d %d\n", grid, block);
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("plain"), NULL, 0, -1));
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("fixed"), NULL, 300000, 0));
    printf("%d %d\n", grid, block);
    SHOW(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, function("plain"), NULL, 0, 0, 1));
    printf("%d %d\n", grid, block);
    SHOW(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, function("plain"), NULL, 0, 0, 2));
    SHOW(cuOccupancyMaxPotentialBlockSize(NULL, &block, function("plain"), NULL, 0, 0));
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, NULL, function("plain"), NULL, 0, 0));
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, NULL, NULL, 0, 0));
    printf("-- shared memory that is left\n");
    static const int counts[] = {-1, 0, 1, 2, 3, 8, 16, 32, 33};
    for (int k = 0; k < 12; k += k == 0 ? 1 : k == 1 ? 8 : 2)
        for (int t = 32; t <= 1024; t *= 32) {
            printf("%s, %d threads:", all[k], t);
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                size_t v = 99;
                CUresult r = cuOccupancyAvailableDynamicSMemPerBlock(&v, function(all[k]), counts[c], t);
                if (r) printf(" %s", name(r));
                else printf(" %zu", v);
            }
            printf("\n");
        }
    size_t v;
    SHOW(cuOccupancyAvailableDynamicSMemPerBlock(&v, function("plain"), 1, 0));
    SHOW(cuOccupancyAvailableDynamicSMemPerBlock(&v, function("plain"), 1, 2000));
}

static void clusters(void)
{
    CUlaunchAttribute a;
    memset(&a, 0, sizeof a);
    a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    CUlaunchConfig c = {.gridDimX = 1 << 20, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 128, .blockDimY = 1, .blockDimZ = 1,
                        .attrs = &a, .numAttrs = 1};
    for (int round = 0; round < 2; round++) {
        EACH(f, what) {
            int n = -9;
            c.numAttrs = 0;
            if (round) SHOW(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
            CUresult r = cuOccupancyMaxPotentialClusterSize(&n, f, &c);
            printf("%s: largest %s %d, that fit", what, name(r), r ? -1 : n);
            r = cuOccupancyMaxActiveClusters(&n, f, &c);
            printf(" %s %d", name(r), r ? -1 : n);
            c.numAttrs = 1;
            for (unsigned x = 1; x <= 32; x *= 2) {
                a.value.clusterDim.x = x, a.value.clusterDim.y = 1, a.value.clusterDim.z = 1;
                r = cuOccupancyMaxActiveClusters(&n, f, &c);
                if (r) printf(" %s", name(r));
                else printf(" %d", n);
            }
            printf("\n");
        }
    }
    int n = -9;
    OK(cuFuncSetAttribute(function("plain"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    a.value.clusterDim.x = 3;
    SHOW(cuOccupancyMaxActiveClusters(&n, function("plain"), &c));
    a.value.clusterDim.x = 2, a.value.clusterDim.y = 2;
    SHOW(cuOccupancyMaxActiveClusters(&n, function("plain"), &c));
    SHOW(cuOccupancyMaxActiveClusters(NULL, function("plain"), &c));
    SHOW(cuOccupancyMaxActiveClusters(&n, NULL, &c));
    SHOW(cuOccupancyMaxPotentialClusterSize(NULL, function("plain"), &c));
    SHOW(cuOccupancyMaxPotentialClusterSize(&n, NULL, &c));
}

static void settings(void)
{
    static const struct { int which, value; } tries[] = {
        {0, 128}, {1, 100}, {4, 32}, {8, 0}, {8, -1}, {8, 49152}, {8, 232448}, {8, 232449}, {9, -2}, {9, -1}, {9, 0}, {9, 100}, {9, 101},
        {10, 1}, {10, 0}, {11, 0}, {11, 2}, {11, -1}, {12, 3}, {13, 100}, {14, 0}, {14, 1}, {14, 2}, {14, -1}, {15, 0}, {15, 1}, {15, 2}, {15, 3},
        {16, 1}, {17, 1}};
    static const char *const of[] = {"plain", "pair", "explicit", "big"};
    for (int k = 0; k < 4; k++) {
        printf("%s:", of[k]);
        for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
            int v = -99;
            CUresult r = cuFuncSetAttribute(function(of[k]), (CUfunction_attribute)tries[i].which, tries[i].value);
            CUresult s = cuFuncGetAttribute(&v, (CUfunction_attribute)tries[i].which, function(of[k]));
            printf(" %d=%d %s", tries[i].which, tries[i].value, name(r));
            if (!s && tries[i].which != 4) printf(" (%d)", v);
        }
        printf("\n");
    }
    for (int c = -1; c <= 4; c++) printf("cache %d: %s\n", c, name(cuFuncSetCacheConfig(function("plain"), (CUfunc_cache)c)));
    for (int c = -1; c <= 3; c++) printf("banks %d: %s\n", c, name(cuFuncSetSharedMemConfig(function("plain"), (CUsharedconfig)c)));
    int v = -1;
    SHOW(cuFuncSetCacheConfig(function("plain"), CU_FUNC_CACHE_PREFER_L1));
    SHOW(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, function("plain")));
    printf("%d\n", v);
    /* Clusters of the function's attributes. */
    CUlaunchConfig c = {.gridDimX = 4, .gridDimY = 6, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1};
    CUfunction f = function("ranked");
    SHOW(cuLaunchKernelEx(&c, f, NULL, NULL));
    SHOW(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2));
    SHOW(cuLaunchKernelEx(&c, f, NULL, NULL));
    SHOW(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 2));
    SHOW(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 1));
    SHOW(cuLaunchKernelEx(&c, f, NULL, NULL));
    SHOW(cuLaunchKernel(f, 4, 6, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(f, 3, 6, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 3));
    SHOW(cuLaunchKernel(f, 4, 6, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(function("explicit"), 4, 6, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(function("pair"), 4, 6, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(function("pair"), 3, 6, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuCtxSynchronize());
}

/* L1 cache or shared memory, as the function or else the context prefers; a share in percent comes before both. */
static void preferences(void)
{
    CUfunction f = function("plain");
    for (int context = 0; context < 4; context++)
        for (int own = 0; own < 4; own++)
            for (int percent = -1; percent <= 25; percent += 13) {
                int few = -1, many = -1;
                size_t room = 1;
                OK(cuCtxSetCacheConfig((CUfunc_cache)context));
                OK(cuFuncSetCacheConfig(f, (CUfunc_cache)own));
                OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent));
                OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&few, f, 32, 20000));
                OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&many, f, 32, 0));
                OK(cuOccupancyAvailableDynamicSMemPerBlock(&room, f, 2, 32));
                printf("context %d, function %d, %d percent: %d, %d, %zu\n", context, own, percent, few, many, room);
            }
}

/* A limit below what all functions have changes nothing. */
static void little(void)
{
    static const int threads[] = { 1, 128, 129, 256 };
    static const size_t shared[] = { 1024, 16384, 20000, 40000, 49152, 50000 };
    CUfunction f = function("plain");
    SHOW(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
    for (int t = 0; t < 4; t++) {
        printf("%d threads:", threads[t]);
        for (int i = 0; i < 6; i++) {
            int blocks = -1;
            OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads[t], shared[i]));
            printf(" %zu bytes %d", shared[i], blocks);
        }
        printf("\n");
    }
}

static void start(void (*part)(void))
{
    begin();
    OK(cuModuleLoadData(&module, code));
    part();
    OK(cuModuleUnload(module));
}
static void part_attributes(void) { start(attributes); }
static void part_occupancy(void) { start(occupancy); }
static void part_clusters(void) { start(clusters); }
static void part_settings(void) { start(settings); }
static void part_preferences(void) { start(preferences); }
static void part_little(void) { start(little); }

int main(void)
{
    apart("attributes", part_attributes);
    apart("occupancy", part_occupancy);
    apart("clusters", part_clusters);
    apart("settings", part_settings);
    apart("preferences", part_preferences);
    apart("a low limit", part_little);
    return 0;
}
