/* Parameters of launches in both forms, and launches that are refused. */
#include "check.h"

static const char code[] =
    ".version 8.1\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n"
    ".visible .entry sum(.param .u64 p, .param .u8 a, .param .u32 b, .param .align 8 .b8 c[12]) {\n"
    "    .reg .u64 %rd; .reg .u32 %r<5>; ld.param.u64 %rd, [p]; ld.param.u8 %r1, [a]; ld.param.u32 %r2, [b]; ld.param.u32 %r3, [c+8];\n"
    "    mad.lo.u32 %r2, %r2, 1000, %r1; mad.lo.u32 %r3, %r3, 1000000, %r2; st.global.u32 [%rd], %r3; ret; }\n"
    ".visible .entry none() { ret; }\n"
    ".visible .entry large(.param .u64 p, .param .align 8 .b8 c[32000]) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u32 %r, [c+31996]; st.global.u32 [%rd], %r; ret; }\n";

static CUmodule module;
static CUfunction sum, none;
static CUdeviceptr room;
/* p at 0, a at 8, b at 12, c at 16 to 28. */
static struct {
    CUdeviceptr p;
    unsigned char a;
    unsigned b;
    unsigned c[3];
    unsigned rest[9];
} packed;

static void start(void)
{
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&sum, module, "sum"));
    OK(cuModuleGetFunction(&none, module, "none"));
    OK(cuMemAlloc(&room, 64));
    OK(cuMemsetD32(room, 0, 1));
    memset(&packed, 0, sizeof packed);
    packed.p = room, packed.a = 1, packed.b = 2, packed.c[2] = 3;
}

static void try(const char *what, CUfunction f, void **parameters, void **extra)
{
    unsigned v = 0;
    CUresult r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, extra);
    printf("%s: %s, %s", what, name(r), name(cuCtxSynchronize()));
    if (!cuMemcpyDtoH(&v, room, 4)) printf(", %u", v);
    printf("\n");
    cuMemsetD32(room, 0, 1);
}

#define P CU_LAUNCH_PARAM_BUFFER_POINTER
#define S CU_LAUNCH_PARAM_BUFFER_SIZE
#define END CU_LAUNCH_PARAM_END
#define LIST(...) ((void *[]){__VA_ARGS__})

static void lists(void)
{
    size_t exact = 28, padded = 32, less = 27, more = 40, much = 1 << 20, nothing = 0;
    start();
    try("one by one", sum, LIST(&packed.p, &packed.a, &packed.b, packed.c), NULL);
    try("packed", sum, NULL, LIST(P, &packed, S, &exact, END));
    try("size first", sum, NULL, LIST(S, &exact, P, &packed, END));
    try("padded", sum, NULL, LIST(P, &packed, S, &padded, END));
    try("too short", sum, NULL, LIST(P, &packed, S, &less, END));
    try("too long", sum, NULL, LIST(P, &packed, S, &more, END));
    try("much too long", sum, NULL, LIST(P, &packed, S, &much, END));
    try("size 0", sum, NULL, LIST(P, &packed, S, &nothing, END));
    try("no size", sum, NULL, LIST(P, &packed, END));
    try("no buffer", sum, NULL, LIST(S, &exact, END));
    try("empty list", sum, NULL, LIST(END));
    try("unknown name", sum, NULL, LIST((void *)3, NULL, P, &packed, S, &exact, END));
    try("both", sum, LIST(&packed.p, &packed.a, &packed.b, packed.c), LIST(P, &packed, S, &exact, END));
    try("both, the list empty", sum, LIST(&packed.p, &packed.a, &packed.b, packed.c), LIST(END));
    try("twice", sum, NULL, LIST(P, &nothing, P, &packed, S, &less, S, &exact, END));
    try("nothing", sum, NULL, NULL);
    try("none: nothing", none, NULL, NULL);
    try("none: empty list", none, NULL, LIST(END));
    try("none: size 0", none, NULL, LIST(P, &packed, S, &nothing, END));
    try("none: size 28", none, NULL, LIST(P, &packed, S, &exact, END));
    try("none: parameters", none, LIST(&packed.p), NULL);
}

static void null_buffer(void)
{
    size_t exact = 28;
    start();
    try("NULL for the buffer", sum, NULL, LIST(P, NULL, S, &exact, END));
}

static void large(void)
{
    static struct {
        CUdeviceptr p;
        unsigned c[8000];
    } big;
    CUfunction f;
    size_t size = sizeof big;
    start();
    OK(cuModuleGetFunction(&f, module, "large"));
    big.p = room, big.c[7999] = 77;
    try("one by one", f, LIST(&big.p, big.c), NULL);
    big.c[7999] = 78;
    try("packed", f, NULL, LIST(P, &big, S, &size, END));
}

static void shapes(void)
{
    static const unsigned list[][7] = {
        {1, 1, 1, 1, 1, 1, 0}, {0, 1, 1, 1, 1, 1, 0}, {1, 0, 1, 1, 1, 1, 0}, {1, 1, 0, 1, 1, 1, 0}, {1, 1, 1, 0, 1, 1, 0},
        {1, 1, 1, 1, 0, 1, 0}, {1, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 0}, {1, 65535, 1, 1, 1, 1, 0}, {1, 65536, 1, 1, 1, 1, 0},
        {1, 1, 65536, 1, 1, 1, 0}, {0x80000000, 1, 1, 1, 1, 1, 0}, {0xffffffff, 1, 1, 1, 1, 1, 0}, {1, 1, 1, 1024, 1, 1, 0},
        {1, 1, 1, 1025, 1, 1, 0}, {1, 1, 1, 1, 1025, 1, 0}, {1, 1, 1, 1, 1, 64, 0}, {1, 1, 1, 1, 1, 65, 0}, {1, 1, 1, 32, 32, 2, 0},
        {1, 1, 1, 0xffffffff, 0xffffffff, 0xffffffff, 0}, {1, 1, 1, 0x10000, 0x10000, 1, 0}, {1, 1, 1, 1, 1, 1, 49152},
        {1, 1, 1, 1, 1, 1, 49153}, {1, 1, 1, 1, 1, 1, 0xffffffff}, {1, 1, 1, 1025, 1, 1, 0xffffffff},
    };
    start();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const unsigned *q = list[i];
        CUresult r = cuLaunchKernel(none, q[0], q[1], q[2], q[3], q[4], q[5], q[6], NULL, NULL, NULL);
        CUresult c = cuLaunchCooperativeKernel(none, q[0], q[1], q[2], q[3], q[4], q[5], q[6], NULL, NULL);
        printf("grid %u %u %u, block %u %u %u, shared %u: %s, cooperative %s\n", q[0], q[1], q[2], q[3], q[4], q[5], q[6], name(r), name(c));
    }
    SHOW(cuFuncSetAttribute(none, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 100000, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 100001, NULL, NULL, NULL));
    SHOW(cuFuncSetAttribute(none, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 1001, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 1000, NULL, NULL, NULL));
    /* As many blocks as are together on the device. */
    int each = 0, processors = 0;
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, none, 512, 0));
    OK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    unsigned most = (unsigned)(each * processors);
    SHOW(cuLaunchCooperativeKernel(none, most, 1, 1, 512, 1, 1, 0, NULL, NULL));
    SHOW(cuLaunchCooperativeKernel(none, most + 1, 1, 1, 512, 1, 1, 0, NULL, NULL));
    SHOW(cuLaunchCooperativeKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL));
    SHOW(cuLaunchCooperativeKernel(none, 1, 1, 1, 1, 1, 1, 0, CU_STREAM_LEGACY, NULL));
    SHOW(cuLaunchCooperativeKernel(none, 1, 1, 1, 1, 1, 1, 0, CU_STREAM_PER_THREAD, NULL));
    SHOW(cuCtxSynchronize());
}

static void foreign(void)
{
    CUcontext other;
    CUstream stream;
    CUfunction there;
    CUmodule m;
    start();
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuModuleLoadData(&m, code));
    OK(cuModuleGetFunction(&there, m, "none"));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    SHOW(cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    SHOW(cuCtxPopCurrent(NULL));
    SHOW(cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    SHOW(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    SHOW(cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuCtxSetCurrent(NULL));
    SHOW(cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    SHOW(cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuFuncSetAttribute(there, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000));
    SHOW(cuCtxDestroy(other));
}

static const char compiled[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
#define BODY \
    "{ .reg .u64 %d; .reg .u32 %r; ld.param.u64 %d, [a]; atom.global.add.u32 %r, [%d], 1; mov.u32 %r, %ntid.x; st.global.u32 [%d+4], %r;" \
    " mov.u32 %r, %ntid.y; st.global.u32 [%d+8], %r; mov.u32 %r, %ntid.z; st.global.u32 [%d+12], %r; ret; }\n"
    ".visible .entry any(.param .u64 a)" BODY
    ".visible .entry row(.param .u64 a) .reqntid 64 " BODY
    ".visible .entry plane(.param .u64 a) .reqntid 8, 4 " BODY
    ".visible .entry column(.param .u64 a) .reqntid 1, 1, 16 " BODY;

/* Kernels that were compiled for one shape of blocks: blocks of one thread stand for it, whoever launches. */
static void one_thread(void)
{
    static const char *const names[] = { "any", "row", "plane", "column" };
    static const unsigned shapes[][3] = { { 1, 1, 1 }, { 64, 1, 1 }, { 8, 4, 1 }, { 1, 1, 16 }, { 1, 1, 2 }, { 32, 1, 1 }, { 0, 1, 1 } };
    CUmodule m;
    CUdeviceptr p;
    start();
    OK(cuModuleLoadData(&m, compiled));
    OK(cuMemAlloc(&p, 16));
    for (int k = 0; k < 4; k++)
        for (int s = 0; s < 7; s++) {
            const unsigned *b = shapes[s];
            CUfunction f;
            CUgraph graph;
            CUgraphNode node;
            CUgraphExec ready;
            void *list[] = { &p };
            OK(cuModuleGetFunction(&f, m, names[k]));
            CUlaunchConfig config = { .gridDimX = 3, .gridDimY = 1, .gridDimZ = 1, .blockDimX = b[0], .blockDimY = b[1], .blockDimZ = b[2] };
            CUDA_KERNEL_NODE_PARAMS wanted = { .func = f, .gridDimX = 3, .gridDimY = 1, .gridDimZ = 1, .blockDimX = b[0], .blockDimY = b[1],
                .blockDimZ = b[2], .kernelParams = list }, shown = { 0 };
            OK(cuGraphCreate(&graph, 0));
            for (int way = 0; way < 5; way++) {
                unsigned words[4] = { 0 };
                OK(cuMemsetD8(p, 0, 16));
                CUresult r = CUDA_SUCCESS;
                if (way == 0) r = cuLaunchKernel(f, 3, 1, 1, b[0], b[1], b[2], 0, NULL, list, NULL);
                if (way == 1) r = cuLaunchKernelEx(&config, f, list, NULL);
                if (way == 2) r = cuLaunchCooperativeKernel(f, 3, 1, 1, b[0], b[1], b[2], 0, NULL, list);
                if (way == 3) {
                    r = cuGraphAddKernelNode(&node, graph, NULL, 0, &wanted);
                    if (!r) {
                        OK(cuGraphKernelNodeGetParams(node, &shown));
                        OK(cuGraphInstantiate(&ready, graph, 0));
                        OK(cuGraphLaunch(ready, NULL));
                        OK(cuCtxSynchronize());
                        OK(cuGraphExecDestroy(ready));
                        printf("shown %u,%u,%u: ", shown.blockDimX, shown.blockDimY, shown.blockDimZ);
                    }
                }
                if (way == 4) {
                    /* A shape that cannot be set leaves what was set before. */
                    OK(cuParamSetSize(f, 8));
                    OK(cuParamSetv(f, 0, &p, 8));
                    printf("%s, ", name(cuFuncSetBlockShape(f, (int)b[0], (int)b[1], (int)b[2])));
                    r = cuLaunchGrid(f, 3, 1);
                }
                OK(cuCtxSynchronize());
                OK(cuMemcpyDtoH(words, p, 16));
                printf("%s way %d of %u,%u,%u: %s, %u threads in blocks of %u,%u,%u\n", names[k], way, b[0], b[1], b[2], name(r), words[0], words[1],
                       words[2], words[3]);
            }
            OK(cuGraphDestroy(graph));
        }
}

/* Which of several faults of one launch is told: shape of blocks, clusters of nothing, grid, clusters, shared memory. */
static void order(void)
{
    static const unsigned clusters[] = { 0, 1, 2, 9, 16, 99 }, blocks[] = { 0, 32, 64, 1025 }, grids[] = { 0, 1, 6 }, shared[] = { 0, 300000 };
    static const char *const names[] = { "any", "row" };
    CUmodule m;
    CUdeviceptr p;
    start();
    OK(cuModuleLoadData(&m, compiled));
    OK(cuMemAlloc(&p, 16));
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 6; c++) {
            CUfunction f;
            void *list[] = { &p };
            OK(cuModuleGetFunction(&f, m, names[k]));
            printf("%s, clusters of %u:", names[k], clusters[c]);
            for (int b = 0; b < 4; b++)
                for (int g = 0; g < 3; g++)
                    for (int s = 0; s < 2; s++) {
                        CUlaunchAttribute a = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = { clusters[c], 1, 1 } };
                        CUlaunchConfig config = { .gridDimX = grids[g], .gridDimY = 1, .gridDimZ = 1, .blockDimX = blocks[b], .blockDimY = 1,
                            .blockDimZ = 1, .sharedMemBytes = shared[s], .attrs = &a, .numAttrs = 1 };
                        printf(" %d", (int)cuLaunchKernelEx(&config, f, list, NULL));
                    }
            printf("\n");
        }
    OK(cuCtxSynchronize());
}

int main(void)
{
    apart("lists", lists);
    apart("no buffer", null_buffer);
    apart("large", large);
    apart("shapes", shapes);
    apart("contexts", foreign);
    apart("one thread", one_thread);
    apart("order", order);
    return 0;
}
