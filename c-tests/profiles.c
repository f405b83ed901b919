/* A device of each compute capability: what it says of itself, what PTX it takes, and how many blocks fit on a multiprocessor, as
 * the public tables have it. */
#include "check.h"
#include <stdlib.h>

static const char text[] =
    ".version 9.0\n.target sm_%s\n.address_size 64\n"
    ".visible .entry k(.param .u64 out) { .reg .u64 %%a; .reg .u32 %%b; ld.param.u64 %%a, [out]; mov.u32 %%b, 41; "
    "add.u32 %%b, %%b, 1; st.global.u32 [%%a], %%b; ret; }\n";

/* What the public tables say of a compute capability: warps, blocks and shared memory of a multiprocessor, the most shared memory
 * of a block, what the system keeps of each block's, the pieces that shared memory comes in; what came with which capability. */
struct table {
    int capability, warps, blocks, shared, block_shared, reserved, piece;
};
static const struct table tables[] = {
    {75, 32, 16, 64, 64, 0, 256},     {80, 64, 32, 164, 163, 1024, 128}, {86, 48, 16, 100, 99, 1024, 128}, {89, 48, 24, 100, 99, 1024, 128},
    {90, 64, 32, 228, 227, 1024, 128}, {100, 64, 32, 228, 227, 1024, 128}, {120, 48, 24, 100, 99, 1024, 128},
};

static long asked, wrong;
static void same(const char *what, long found, long wanted)
{
    asked++;
    if (found == wanted || wrong++ > 10) return;
    printf("  %s: %ld, not %ld\n", what, found, wanted);
}

static void attributes(CUdevice d, const struct table *t)
{
    const struct { const char *what; CUdevice_attribute attribute; int value; } all[] = {
        {"threads of a multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, t->warps * 32},
        {"blocks of a multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, t->blocks},
        {"shared memory of a multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, t->shared * 1024},
        {"shared memory of a block", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 * 1024},
        {"the same by opting in", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, t->block_shared * 1024},
        {"what the system keeps", CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, t->reserved},
        {"registers of a multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {"registers of a block", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
        {"threads of a block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {"lanes of a warp", CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {"constants", CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 64 * 1024},
        {"blocks along x", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
        {"blocks along y", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
        {"threads along z", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
        {"cooperative launches", CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
        {"pools", CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
        {"clusters", CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, t->capability >= 90},
        {"tensor maps", CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, t->capability >= 90},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int found;
        OK(cuDeviceGetAttribute(&found, all[i].attribute, d));
        same(all[i].what, found, all[i].value);
    }
}

/* Blocks of a multiprocessor by the published formula: each quarter of it has a quarter of the registers, which warps get in pieces
 * of 256. */
static int resident(const struct table *t, int registers, int fixed, int threads, int dynamic)
{
    int warps = (threads + 31) / 32, by_warps = t->warps / warps;
    int each = (registers * 32 + 255) / 256 * 256, by_registers = each ? 65536 / 4 / each * 4 / warps : t->blocks;
    int shared = (fixed + dynamic + t->reserved + t->piece - 1) / t->piece * t->piece;
    int by_shared = shared ? t->shared * 1024 / shared : t->blocks;
    int fewest = t->blocks;
    if (by_warps < fewest) fewest = by_warps;
    if (by_registers < fewest) fewest = by_registers;
    return by_shared < fewest ? by_shared : fewest;
}

/* A kernel with so many numbers that it needs at once, and so many bytes of shared memory. */
static CUfunction needing(int numbers, int fixed)
{
    static char ptx[1 << 16];
    CUmodule module;
    CUfunction f;
    size_t at = 0;
    at += snprintf(ptx, sizeof ptx,
                   ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .b32 %%r<%d>; .reg .u64 %%a; "
                   ".shared .align 16 .b8 own[%d];\nld.param.u64 %%a, [p];\n", numbers + 1, fixed ? fixed : 1);
    for (int i = 0; i < numbers; i++) at += snprintf(ptx + at, sizeof ptx - at, "ld.global.u32 %%r%d, [%%a+%d];\n", i, 4 * i);
    for (int i = 0; i < numbers; i++) at += snprintf(ptx + at, sizeof ptx - at, "st.global.u32 [%%a+%d], %%r%d;\n", 4 * (numbers - i), i);
    if (fixed) at += snprintf(ptx + at, sizeof ptx - at, "st.shared.u32 [own], 1;\n");
    snprintf(ptx + at, sizeof ptx - at, "ret; }\n");
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&f, module, "k"));
    return f;
}

static void occupancy(const struct table *t, int multiprocessors)
{
    static const int numbers[] = {1, 20, 40, 60, 100, 150, 200, 240}, fixed[] = {0, 100, 4096, 20000, 49152};
    static const int dynamics[] = {0, 1, 1000, 7168, 16384, 33000, 65536, 98304, 101376, 166912};
    for (int n = 0; n < 8; n++)
        for (int s = 0; s < 5; s++) {
            CUfunction f = needing(numbers[n], fixed[s]);
            int registers, shared, most;
            OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
            OK(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
            OK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
            int optional = t->block_shared * 1024 - shared;
            OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optional));
            for (int threads = 1; threads <= 1024; threads += threads % 32 ? 31 : 33)
                for (int i = 0; i < 10; i++) {
                    int found, wanted = dynamics[i] > optional ? 0 : resident(t, registers, shared, threads, dynamics[i]);
                    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&found, f, threads, dynamics[i]));
                    same("blocks of a multiprocessor", found, wanted);
                }
            for (int i = 0; i < 10; i += 3) {
                int grid, size, best = 0, filled = 0;
                for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
                    int blocks = dynamics[i] > optional ? 0 : resident(t, registers, shared, threads, dynamics[i]);
                    if (blocks * threads > filled) best = threads, filled = blocks * threads;
                }
                CUresult r = cuOccupancyMaxPotentialBlockSize(&grid, &size, f, NULL, dynamics[i], 0);
                if (filled) {
                    same("potential block", size, best);
                    same("potential grid", grid, filled / best * multiprocessors);
                } else same("no potential block", r != CUDA_SUCCESS || size == 0, 1);
            }
            for (int count = 1; count <= t->blocks; count *= 2) {
                size_t found = 0;
                int fits = resident(t, registers, shared, 64, 0) >= count;
                CUresult r = cuOccupancyAvailableDynamicSMemPerBlock(&found, f, count, 64);
                same("room for blocks", r, fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
                if (r) continue;
                /* As an H200 says it: without the system's share. */
                int wanted = t->shared * 1024 / count / t->piece * t->piece - shared;
                same("dynamic shared memory", (long)found, wanted < optional ? wanted : optional);
            }
            OK(cuModuleUnload(({ CUmodule m; OK(cuFuncGetModule(&m, f)); m; })));
        }
}

static void device(int number)
{
    static const char *const targets[] = {"75",   "80",  "86",   "89",  "90",   "90a",  "100",  "100f", "100a", "103",
                                          "103f", "110", "110f", "120", "120f", "120a", "121", "121f", "121a"};
    CUdevice d;
    CUcontext context;
    CUmodule module = NULL;
    CUfunction f;
    int major, minor, blocks, cluster, tensor;
    OK(cuDeviceGet(&d, number));
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d));
    OK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d));
    OK(cuDeviceGetAttribute(&cluster, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, d));
    OK(cuDeviceGetAttribute(&tensor, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, d));
    printf("%d.%d: clusters %d, tensor maps %d\n", major, minor, cluster, tensor);
    OK(cuCtxCreate_v2(&context, 0, d));
    const struct table *table = tables;
    while (table->capability != major * 10 + minor) table++;
    int multiprocessors;
    OK(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, d));
    asked = wrong = 0;
    attributes(d, table);
    occupancy(table, multiprocessors);
    printf("  attributes and occupancy: %ld answers, %ld not those of the public tables\n", asked, wrong);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char ptx[1000];
        CUmodule other;
        snprintf(ptx, sizeof ptx, text, targets[i]);
        CUresult r = cuModuleLoadData(&other, ptx);
        printf("  sm_%s: %s\n", targets[i], name(r));
        if (!r && module) OK(cuModuleUnload(other));
        else if (!r) module = other;
    }
    CUdeviceptr out;
    unsigned found = 0;
    OK(cuMemAlloc(&out, 4));
    OK(cuModuleGetFunction(&f, module, "k"));
    void *arguments[] = {&out};
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(&found, out, 4));
    printf("  the kernel gives %u\n  blocks of", found);
    static const struct { int threads; size_t shared; } shapes[] = {{32, 0}, {256, 0}, {1024, 0}, {256, 32768}, {64, 7100}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, shapes[i].threads, shapes[i].shared));
        printf(" %d threads with %zu bytes: %d%s", shapes[i].threads, shapes[i].shared, blocks, i == 4 ? "\n" : ",");
    }
    OK(cuCtxDestroy(context));
}

int main(void)
{
    int count;
    setenv("DOPPEL_DEVICES", "cc75,cc80,cc86,cc89,cc90,cc100,cc120", 1);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    for (int i = 0; i < count; i++) device(i);
    return 0;
}
