/* Tensor maps: what can be encoded, and boxes that kernels move between global and shared memory. */
#include "check.h"
#include <stdint.h>

enum { ROOM = 1 << 16, OUTSIDE = 0x5a };
enum action { LOAD, STORE, ADD, MIN, MAX, INC, DEC, AND, OR, XOR, PREFETCH, MULTICAST };
static const char *actions[] = {"load", "store", "add", "min", "max", "inc", "dec", "and", "or", "xor", "prefetch", "multicast"};

/* What a kernel changes in its copy of a descriptor before it uses it: a field, an axis (or -1), a value. */
struct change {
    const char *field;
    int axis;
    long value;
};

static char ptx[1 << 14];

/* Shared memory is filled, the copy is made, and shared memory is written back (for a load). */
static void kernel(enum action action, int columns, unsigned rank, const struct change *change)
{
    char at[64] = "", offsets[64] = "", *t = ptx;
    for (unsigned i = 0; i < rank; i++) sprintf(at + strlen(at), "%s%%c%u", i ? ", " : "", i);
    for (unsigned i = 0; columns && i + 2 < rank; i++) sprintf(offsets + strlen(offsets), "%s%%h%u", i ? ", " : ", {", i);
    if (*offsets) strcat(offsets, "}");
    const char *mode = columns ? "im2col" : "tile", *other = columns ? "im2col_no_offs" : "tile";
    t += sprintf(t, ".version 8.3\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n"
        ".visible .entry k(.param .align 64 .b8 m[128], .param .u64 o, .param .align 4 .b8 c[20], .param .align 4 .b8 f[8], .param .u32 n, .param .u32 base) {\n"
        ".reg .pred %%p<3>; .reg .b32 %%r<20>, %%c<5>; .reg .b16 %%h<3>; .reg .b64 %%l<20>; .shared .align 128 .b8 tm[128]; .shared .align 8 .b64 bar;\n"
        "ld.param.u64 %%l1, [o]; ld.param.u32 %%r1, [n]; ld.param.u32 %%r6, [base];\n");
    for (int i = 0; i < 5; i++) t += sprintf(t, "ld.param.s32 %%c%d, [c+%d];\n", i, i * 4);
    for (int i = 0; i < 3; i++) t += sprintf(t, "ld.param.u16 %%h%d, [f+%d];\n", i, i * 2);
    t += sprintf(t, "mov.b64 %%l2, m; cvta.param.u64 %%l2, %%l2; mov.u32 %%r4, s; add.u32 %%r6, %%r6, %%r4;\n"
        "mov.u32 %%r7, %%cluster_ctarank; mul.wide.u32 %%l3, %%r7, %d; add.u64 %%l1, %%l1, %%l3;\n", ROOM);
    if (change) {
        int wide = !strcmp(change->field, "global_address") || !strcmp(change->field, "global_stride");
        int fixed = !strcmp(change->field, "elemtype") || strstr(change->field, "mode") || strstr(change->field, "layout");
        char axis[16] = "";
        if (change->axis >= 0) sprintf(axis, "%d, ", change->axis);
        for (int i = 0; i < 128; i += 8) t += sprintf(t, "ld.param.u64 %%l5, [m+%d]; st.shared.u64 [tm+%d], %%l5;\n", i, i);
        t += sprintf(t, "mov.u64 %%l6, %ld; mov.u32 %%r8, %ld; tensormap.replace.tile.%s.shared::cta.b1024.%s [tm], %s", change->value, change->value,
            change->field, wide ? "b64" : "b32", axis);
        if (fixed) t += sprintf(t, "%ld;\n", change->value);
        else t += sprintf(t, "%s;\n", wide ? "%l6" : "%r8");
        t += sprintf(t, "bar.warp.sync 0xffffffff; add.u64 %%l2, %%l1, %d;\n"
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%%l2], [tm], 128;\n"
            "fence.proxy.tensormap::generic.acquire.gpu [%%l2], 128;\n", ROOM - 128);
    }
    t += sprintf(t, "mov.u32 %%r9, %%tid.x; setp.ne.u32 %%p0, %%r9, 0;\n");
    if (action == PREFETCH) {
        sprintf(t, "@%%p0 ret; cp.async.bulk.prefetch.tensor.%ud.L2.global.%s [%%l2, {%s}]%s; ret; }\n", rank, mode, at, offsets);
        return;
    }
    if (action == LOAD || action == MULTICAST) {
        /* The bytes that arrive are counted: the barrier waits for more, which are taken away again. */
        t += sprintf(t, "@%%p0 bra J; mov.u32 %%r2, 0;\nF: add.u32 %%r3, %%r4, %%r2; st.shared.u32 [%%r3], 0x%02x%02x%02x%02x; add.u32 %%r2, %%r2, 4; setp.lt.u32 %%p2, %%r2, %%r1; @%%p2 bra F;\n"
            "mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; fence.proxy.async;\nJ: barrier.cluster.arrive; barrier.cluster.wait; @%%p0 bra E;\n"
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 0x10000;\n", OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE);
        if (action == MULTICAST) t += sprintf(t, "mov.b16 %%h0, 3; setp.ne.u32 %%p1, %%r7, 0; @%%p1 bra N;\n");
        t += sprintf(t, "cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes%s [%%r6], [%%l2, {%s}], [bar]%s%s;\n", rank, mode,
            action == MULTICAST ? ".multicast::cluster" : "", at, offsets, action == MULTICAST ? ", %h0" : "");
        t += sprintf(t, "N: mov.u64 %%l10, %%clock64;\nW: mov.u64 %%l11, %%clock64; sub.u64 %%l11, %%l11, %%l10; setp.lt.u64 %%p1, %%l11, 1000000; @%%p1 bra W;\n"
            "mbarrier.arrive.shared::cta.b64 %%l7, [bar]; mov.u32 %%r2, 0;\n"
            "Z: mbarrier.test_wait.parity.shared::cta.b64 %%p2, [bar], 0; @%%p2 bra Y; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;\n"
            "add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p2, %%r2, 4097; @%%p2 bra Z;\n"
            "Y: st.global.u32 [%%l1+%d], %%r2; mov.u32 %%r2, 0;\n"
            "L: add.u32 %%r3, %%r4, %%r2; ld.volatile.shared.u32 %%r5, [%%r3]; cvt.u64.u32 %%l3, %%r2; add.u64 %%l3, %%l1, %%l3;\n"
            "st.global.u32 [%%l3], %%r5; add.u32 %%r2, %%r2, 4; setp.lt.u32 %%p2, %%r2, %%r1; @%%p2 bra L;\nE: barrier.cluster.arrive; barrier.cluster.wait; ret; }\n", ROOM - 256);
        return;
    }
    t += sprintf(t, "@%%p0 ret; mov.u32 %%r2, 0;\nF: add.u32 %%r3, %%r4, %%r2; cvt.u64.u32 %%l3, %%r2; add.u64 %%l3, %%l1, %%l3; ld.global.u32 %%r5, [%%l3];\n"
        "st.shared.u32 [%%r3], %%r5; add.u32 %%r2, %%r2, 4; setp.lt.u32 %%p2, %%r2, %%r1; @%%p2 bra F; fence.proxy.async;\n");
    if (action == STORE) t += sprintf(t, "cp.async.bulk.tensor.%ud.global.shared::cta.%s.bulk_group [%%l2, {%s}], [%%r6];\n", rank, other, at);
    else t += sprintf(t, "cp.reduce.async.bulk.tensor.%ud.global.shared::cta.%s.%s.bulk_group [%%l2, {%s}], [%%r6];\n", rank, actions[action], other, at);
    sprintf(t, "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }\n");
}

static CUdeviceptr tensor, room;

struct request {
    CUtensorMapDataType type;
    unsigned rank;
    uintptr_t address;
    cuuint64_t size[5], stride[4];
    cuuint32_t box[5], step[5];
    int interleave, swizzle, promotion, fill;
    /* Of im2col. */
    unsigned channels, pixels;
    int lower[3], upper[3];
};

static CUresult encode(CUtensorMap *m, const struct request *r)
{
    if (r->channels)
        return cuTensorMapEncodeIm2col(m, r->type, r->rank, (void *)(r->address + tensor), r->size, r->stride, r->lower, r->upper, r->channels,
                                       r->pixels, r->step, r->interleave, r->swizzle, r->promotion, r->fill);
    return cuTensorMapEncodeTiled(m, r->type, r->rank, (void *)(r->address + tensor), r->size, r->stride, r->box, r->step, r->interleave,
                                  r->swizzle, r->promotion, r->fill);
}

static const struct request good = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT32, .rank = 2, .size = {20, 10}, .stride = {96},
                                    .box = {16, 6}, .step = {1, 1}};

static const struct request columns = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT16, .rank = 4, .size = {32, 8, 6, 3}, .stride = {64, 512, 3072},
                                       .step = {1, 1, 1, 1}, .channels = 32, .pixels = 16, .lower = {-1, -1}, .upper = {0, 0}};

#define TRY(what, change)                              \
    do {                                               \
        struct request r = good;                       \
        change;                                        \
        printf("%s: %s\n", what, full_name(encode(&m, &r))); \
    } while (0)

static void limits(void)
{
    static CUtensorMap m;
    TRY("good", (void)0);
    /* NVIDIA's cuda.core has descriptors inside of Python's objects. */
    static unsigned char anywhere[64 + 16 + sizeof m];
    unsigned char *odd = anywhere + (64 - (uintptr_t)anywhere % 64) % 64 + 16;
    printf("at a multiple of 16: %s", full_name(encode((CUtensorMap *)(void *)odd, &good)));
    printf(", %s\n", memcmp(odd, &m, sizeof m) ? "another" : "the same");
    TRY("rank 0", r.rank = 0);
    TRY("rank 6", r.rank = 6);
    TRY("type 16", r.type = 16);
    TRY("address + 8", r.address = 8);
    TRY("size 0", r.size[0] = 0);
    TRY("size 2^32", r.size[0] = 1ul << 32);
    TRY("size 2^32 + 1", r.size[0] = (1ul << 32) + 1);
    TRY("stride 40", r.stride[0] = 40);
    TRY("stride 0", r.stride[0] = 0);
    TRY("stride less than a row", r.stride[0] = 64);
    TRY("stride 2^40", r.stride[0] = 1ul << 40);
    TRY("stride 2^40 - 16", r.stride[0] = (1ul << 40) - 16);
    TRY("box 0", r.box[0] = 0);
    TRY("box 2", r.box[0] = 2);
    TRY("box 256", r.box[1] = 256);
    TRY("box 257", r.box[1] = 257);
    TRY("box larger than the tensor", r.box[0] = 24);
    TRY("step 0", r.step[0] = 0);
    TRY("step 8", r.step[1] = 8);
    TRY("step 9", r.step[1] = 9);
    TRY("step 2 along rows", r.step[0] = 2);
    TRY("swizzle 32", r.swizzle = 1);
    TRY("swizzle 32, rows of 32", (r.swizzle = 1, r.box[0] = 8));
    TRY("swizzle 64", r.swizzle = 2);
    TRY("swizzle 128", r.swizzle = 3);
    TRY("swizzle 128, rows of 144", (r.swizzle = 3, r.box[0] = 36));
    TRY("swizzle 7", r.swizzle = 7);
    TRY("promotion 3", r.promotion = 3);
    TRY("promotion 4", r.promotion = 4);
    TRY("fill NaN of integers", r.fill = 1);
    TRY("fill NaN of singles", (r.fill = 1, r.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32));
    TRY("fill 2", r.fill = 2);
    TRY("interleave 16 in two dimensions", r.interleave = 1);
    TRY("interleave 3", r.interleave = 3);
    TRY("type TF32", r.type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
    TRY("type 13", r.type = 13);
    TRY("swizzle 4", r.swizzle = 4);
    TRY("interleave 16", (r.interleave = 1, r.rank = 3, r.stride[1] = 960, r.box[2] = r.step[2] = 1, r.size[2] = 1));
    TRY("interleave 32, no swizzle", (r.interleave = 2, r.rank = 3, r.stride[1] = 960, r.box[2] = r.step[2] = 1, r.size[2] = 1));
    TRY("interleave 32, rows of 48", (r.interleave = 2, r.rank = 3, r.stride[0] = 48, r.stride[1] = 960, r.box[2] = r.step[2] = 1, r.size[2] = 1));
    TRY("227 KiB", (r.box[0] = 227, r.box[1] = 256));
    TRY("228 KiB", (r.box[0] = 228, r.box[1] = 256));
    TRY("228 KiB in steps", (r.box[0] = 228, r.box[1] = 256, r.step[1] = 2));
    struct request good = columns;
    TRY("columns", (void)0);
    TRY("columns, rank 2", r.rank = 2);
    TRY("columns, 1024 pixels", r.pixels = 1024);
    TRY("columns, 1025 pixels", r.pixels = 1025);
    TRY("columns, 256 channels", r.channels = 256);
    TRY("columns, 257 channels", r.channels = 257);
    TRY("columns, 20 bytes of channels", r.channels = 10);
    TRY("columns, corner -128", r.lower[0] = -128);
    TRY("columns, corner -129", r.lower[0] = -129);
    TRY("columns, one left", r.lower[0] = 7);
    TRY("columns, none left", r.lower[0] = 8);
    TRY("columns, none left above", r.upper[1] = -7);
    OK(encode(&m, &columns));
    printf("elsewhere: %s", full_name(cuTensorMapReplaceAddress(&m, (void *)(tensor + 256))));
    printf(" odd: %s", full_name(cuTensorMapReplaceAddress(&m, (void *)(tensor + 8))));
    printf("\n");
}

static uint8_t bytes[ROOM];
static uint32_t sum(const void *p, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const uint8_t *)p)[i]) * 16777619u;
    return h;
}

enum contents { COUNTED, RANDOM, NUMBERS, ODD };

/* Halves that count, random bits, numbers that can be added, or singles that are odd in some way. */
static void contents(uint8_t *p, enum contents kind, int type, uint32_t seed)
{
    static const uint32_t odd[] = {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x3f801000, 0x3f803000, 0xbf801000, 0xbf803000,
        0x3f800fff, 0x3f801001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xff801234, 0x7f7fffff, 0x7f7ff000, 0x801000, 0x3000};
    uint32_t state = seed * 2654435761u + 12345;
    for (size_t i = 0; i < ROOM / 4; i++) {
        for (int k = 0; k < 2; k++) state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        uint32_t v = state;
        if (kind == COUNTED) v = (uint32_t)(i * 2 + (i * 2 + 1) * 65536 + seed * 0x80008000u);
        if (kind == ODD) v = odd[state % 22];
        if (kind == NUMBERS) {
            if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16) v = (v & 0x83ff83ff) + 0x38003800 + (state >> 16 & 0xc00);
            else if (type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16) v = (v & 0x807f807f) + 0x3f003f00 + (state >> 16 & 0x180);
            else if (type != CU_TENSOR_MAP_DATA_TYPE_FLOAT64 || i % 2) v = (v & 0x807fffff) | (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT64 ? 0x3ff00000 : 0x3f000000 + (state >> 9 & 0x1800000));
        }
        memcpy(p + i * 4, &v, 4);
    }
}

/* Makes a copy; prints what came of it. */
static void go(const char *what, enum action action, const struct request *r, const int *c, const uint16_t *offsets, enum contents kind,
               const struct change *change, unsigned base)
{
    static CUtensorMap m;
    static char loaded[sizeof ptx];
    static CUmodule module;
    CUfunction f;
    unsigned n = 16384, left = 0;
    CUresult result = encode(&m, r);
    printf("%s, %s: ", what, actions[action]);
    if (result) {
        printf("%s\n", full_name(result));
        return;
    }
    kernel(action, r->channels != 0, r->rank, change);
    if (strcmp(ptx, loaded)) {
        if (module) OK(cuModuleUnload(module));
        OK(cuModuleLoadData(&module, ptx));
        strcpy(loaded, ptx);
    }
    OK(cuModuleGetFunction(&f, module, "k"));
    contents(bytes, kind, r->type, 1);
    OK(cuMemcpyHtoD(tensor, bytes, ROOM));
    contents(bytes, kind, r->type, 2);
    OK(cuMemcpyHtoD(room, bytes, ROOM));
    unsigned blocks = action == MULTICAST ? 2 : 1;
    CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {blocks, 1, 1}};
    CUlaunchConfig config = {.gridDimX = blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1, .sharedMemBytes = 20480,
                             .attrs = &cluster, .numAttrs = 1};
    OK(cuLaunchKernelEx(&config, f, (void *[]){&m, &room, (void *)c, (void *)offsets, &n, &base}, 0));
    result = cuCtxSynchronize();
    printf("%s", full_name(result));
    if (result || action == PREFETCH) {
        printf("\n");
        return;
    }
    for (unsigned block = 0; block < blocks; block++) {
        if (action == LOAD || action == MULTICAST) {
            OK(cuMemcpyDtoH(&left, room + block * ROOM + ROOM - 256, 4));
            printf(" %ld bytes", 65536 - 16l * left);
        }
        OK(cuMemcpyDtoH(bytes, action == LOAD || action == MULTICAST ? room + block * ROOM : tensor, n));
        printf(" %08x", sum(bytes, n));
    }
    if (action == LOAD)
        for (size_t i = 0; i < 8; i++) printf(" %02x%02x", bytes[i * 48], bytes[i * 48 + 1]);
    printf("\n");
}
static const int origin[5] = {0};
static const uint16_t none[4] = {0};
#define AT (const int[5])
#define BY (const uint16_t[4])
#define PLAIN(t, r0, ...) {.type = t, .rank = r0, .step = {1, 1, 1, 1, 1}, __VA_ARGS__}

static void tiles(void)
{
    char what[64];
    /* Rows as long as the span of the swizzle, and shorter ones. */
    for (int swizzle = 0; swizzle < 4; swizzle++)
        for (unsigned row = 16; row <= (swizzle ? 16u << swizzle : 160); row += 16) {
            struct request r = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, .size = {128, 40}, .stride = {272}, .box = {row / 2, 20}, .swizzle = swizzle);
            sprintf(what, "swizzle %d, rows of %u", swizzle, row);
            go(what, LOAD, &r, origin, none, COUNTED, NULL, 0);
            go(what, LOAD, &r, AT{64, -3}, none, COUNTED, NULL, 384);
            go(what, STORE, &r, AT{8, 5}, none, COUNTED, NULL, 128);
        }
    /* Types, and what is outside. */
    for (int type = 0; type < 13; type++)
        for (int fill = 0; fill < 2; fill++) {
            struct request r = PLAIN(type, 2, .size = {20, 10}, .stride = {176}, .box = {16, 6}, .fill = fill);
            sprintf(what, "type %d, fill %d", type, fill);
            go(what, LOAD, &r, AT{type == 0 ? 16 : 8, -2}, none, RANDOM, NULL, 0);
            if (type == 7 || type >= 10) go(what, LOAD, &r, AT{8, -2}, none, ODD, NULL, 0);
            if (!fill) go(what, STORE, &r, AT{type == 0 ? 0 : 8, 7}, none, RANDOM, NULL, 0);
        }
    /* Dimensions and steps. */
    struct request three = PLAIN(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, .size = {64, 9, 7}, .stride = {128, 1280}, .box = {32, 5, 4}, .swizzle = 2);
    go("three", LOAD, &three, origin, none, COUNTED, NULL, 0);
    go("three", LOAD, &three, AT{40, 7, -1}, none, COUNTED, NULL, 0);
    go("three", MULTICAST, &three, AT{40, 7, -1}, none, COUNTED, NULL, 0);
    go("three", PREFETCH, &three, AT{40, 7, -1}, none, COUNTED, NULL, 0);
    three.step[0] = 2, three.step[1] = 2, three.step[2] = 3, three.fill = 1;
    go("three in steps", LOAD, &three, AT{8, 1, 1}, none, COUNTED, NULL, 0);
    go("three in steps", LOAD, &three, AT{40, 6, -1}, none, COUNTED, NULL, 0);
    go("three in steps", STORE, &three, AT{40, 2, 1}, none, COUNTED, NULL, 0);
    go("three in steps", ADD, &three, AT{8, 0, 3}, none, NUMBERS, NULL, 0);
    struct request four = PLAIN(CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 4, .size = {5, 5, 4, 3}, .stride = {48, 240, 960}, .box = {4, 3, 2, 2}, .swizzle = 1);
    go("four", LOAD, &four, AT{2, -1, 3, 1}, none, COUNTED, NULL, 0);
    go("four", STORE, &four, AT{2, 1, 3, 1}, none, COUNTED, NULL, 0);
    struct request five = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT16, 5, .size = {23, 5, 4, 3, 3}, .stride = {48, 240, 960, 2880}, .box = {16, 3, 2, 2, 2});
    go("five", LOAD, &five, origin, none, COUNTED, NULL, 0);
    go("five", LOAD, &five, AT{8, -2, 1, 0, 1}, none, COUNTED, NULL, 0);
    go("five", STORE, &five, AT{8, 2, 1, 0, 2}, none, COUNTED, NULL, 0);
    struct request one = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, .size = {1000}, .box = {256});
    go("one", LOAD, &one, AT{-16}, none, COUNTED, NULL, 0);
    go("one", LOAD, &one, AT{912}, none, COUNTED, NULL, 0);
    go("one", STORE, &one, AT{912}, none, COUNTED, NULL, 0);
    /* Reductions that there are. */
    static const struct { int type; const char *which; } known[] = {{2, "+<>idaox"}, {3, "+<>aox"}, {4, "+<>aox"}, {5, "<>"}, {6, "+<>"}, {7, "+"}, {8, "+"}, {9, "+<>"},
        {10, "+"}, {11, "+"}, {12, "+"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int action = ADD; action <= XOR; action++) {
            struct request r = PLAIN(known[i].type, 2, .size = {30, 10}, .stride = {336}, .box = {32, 6});
            if (!strchr(known[i].which, "+<>idaox"[action - ADD])) continue;
            sprintf(what, "type %d", known[i].type);
            go(what, action, &r, AT{8, 1}, none, RANDOM, NULL, 0);
            if (known[i].type >= 6) go(what, action, &r, AT{8, 1}, none, NUMBERS, NULL, 0);
            if (known[i].type == 7 || known[i].type >= 10) go(what, action, &r, AT{8, 1}, none, ODD, NULL, 0);
        }
    /* Channels in slices. */
    for (int slices = 1; slices < 3; slices++)
        for (int swizzle = slices - 1; swizzle < (slices == 1 ? 4 : 2); swizzle++) {
            struct request r = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT16, 3, .size = {13, 6, 5}, .stride = {512, 4096}, .box = {8, 24, 2}, .interleave = slices, .swizzle = swizzle);
            sprintf(what, "slices of %d, swizzle %d", 16 * slices, swizzle);
            go(what, LOAD, &r, AT{-3, 1, 0}, none, COUNTED, NULL, 0);
            go(what, LOAD, &r, AT{9, 5, 4}, none, COUNTED, NULL, 0);
            go(what, STORE, &r, AT{7, 2, 1}, none, COUNTED, NULL, 0);
            struct request s = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT32, 5, .size = {7, 3, 3, 4, 2}, .stride = {288, 1024, 3200, 12800}, .box = {8, 2, 2, 9, 2}, .interleave = slices, .swizzle = swizzle);
            s.step[0] = 2;
            go(what, LOAD, &s, AT{-1, 1, 1, 2, 0}, none, COUNTED, NULL, 0);
        }
}

static void im2col(void)
{
    struct request r = columns;
    go("columns", LOAD, &r, AT{0, -1, -1, 0}, none, COUNTED, NULL, 0);
    go("columns", LOAD, &r, AT{0, 3, 2, 1}, BY{2, 1}, COUNTED, NULL, 0);
    go("columns", LOAD, &r, AT{-8, 7, 5, 2}, BY{0, 3}, COUNTED, NULL, 0);
    go("columns", PREFETCH, &r, AT{0, 3, 2, 1}, BY{2, 1}, COUNTED, NULL, 0);
    r.channels = 24, r.swizzle = 2, r.step[1] = 3, r.step[2] = 2, r.pixels = 33;
    go("columns in steps", LOAD, &r, AT{16, 0, 1, 1}, BY{1, 0}, COUNTED, NULL, 0);
    struct request s = PLAIN(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, .size = {20, 9, 3}, .stride = {80, 720}, .channels = 8, .pixels = 20, .lower = {-2}, .upper = {-1}, .fill = 1);
    go("columns of a row", LOAD, &s, AT{16, 5, 1}, BY{2}, COUNTED, NULL, 0);
    struct request t = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT8, 5, .size = {48, 4, 3, 5, 2}, .stride = {48, 192, 576, 2880}, .channels = 32, .pixels = 64, .lower = {0, -1, 0}, .upper = {0, 1, -2}, .swizzle = 1);
    go("columns of a volume", LOAD, &t, AT{16, 2, -1, 1, 0}, BY{1, 0, 2}, COUNTED, NULL, 0);
    for (int slices = 1; slices < 3; slices++) {
        struct request u = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, .size = {8, 6, 5, 2}, .stride = {288, 1792, 8960}, .channels = 16, .pixels = 24, .lower = {-1, 0}, .upper = {0, -1}, .interleave = slices, .swizzle = slices - 1);
        go("columns of slices", LOAD, &u, AT{2, 1, 3, 0}, BY{1, 1}, COUNTED, NULL, 0);
    }
}

static void changes(void)
{
    static const struct { struct change change; int type; } all[] = {
        {{"rank", -1, 2}, 2}, {{"box_dim", 0, 8}, 2}, {{"box_dim", 1, 3}, 2}, {{"box_dim", 1, 0}, 2}, {{"global_dim", 0, 7}, 2}, {{"global_dim", 1, 2}, 2},
        {{"global_stride", 0, 128}, 2}, {{"global_stride", 1, 488}, 2}, {{"global_stride", 0, 0}, 2}, {{"element_stride", 1, 2}, 2}, {{"element_stride", 2, 0}, 2},
        {{"element_stride", 1, 9}, 2}, {{"element_stride", 0, 2}, 2}, {{"interleave_layout", -1, 1}, 2}, {{"interleave_layout", -1, 2}, 2}, {{"swizzle_mode", -1, 1}, 2},
        {{"swizzle_mode", -1, 2}, 2}, {{"swizzle_mode", -1, 3}, 2}, {{"fill_mode", -1, 1}, 7}, {{"elemtype", -1, 3}, 2}, {{"elemtype", -1, 4}, 2}, {{"elemtype", -1, 7}, 2},
        {{"elemtype", -1, 8}, 2}, {{"elemtype", -1, 9}, 2}, {{"elemtype", -1, 11}, 2}, {{"elemtype", -1, 12}, 2}};
    char what[64];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct request r = PLAIN(all[i].type, 3, .size = {20, 10, 5}, .stride = {96, 960}, .box = {4, 6, 2});
        sprintf(what, "%s %d %ld", all[i].change.field, all[i].change.axis, all[i].change.value);
        go(what, LOAD, &r, AT{16, 2, -1}, none, COUNTED, &all[i].change, 0);
    }
    struct change elsewhere = {"global_address", -1, (long)tensor + 4096};
    struct request r = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT32, 3, .size = {20, 10, 5}, .stride = {96, 960}, .box = {4, 6, 2});
    go("global_address", LOAD, &r, origin, none, COUNTED, &elsewhere, 0);
}

/* What ends a kernel: each in a process of its own. */
static void faults(int which)
{
    struct request r = PLAIN(CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, .size = {1000}, .box = {64});
    struct request two = PLAIN(CU_TENSOR_MAP_DATA_TYPE_INT64, 2, .size = {20, 10}, .stride = {176}, .box = {16, 6}), three = two;
    three.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    struct change rank = {"rank", -1, 0}, box = {"box_dim", 0, 3}, size = {"global_dim", 0, 0}, fill = {"fill_mode", -1, 1};
    switch (which) {
    case 0: go("in the middle of a piece", LOAD, &r, AT{8}, none, COUNTED, NULL, 0); break;
    case 1: go("before the tensor", STORE, &r, AT{-16}, none, COUNTED, NULL, 0); break;
    case 2: go("sum of words with a sign", ADD, &two, AT{0, 0}, none, COUNTED, NULL, 0); break;
    case 3: go("least of singles", MIN, &three, AT{0, 0}, none, COUNTED, NULL, 0); break;
    case 4: go("odd address", LOAD, &three, AT{0, 0}, none, COUNTED, NULL, 64); break;
    case 5: go("another rank", LOAD, &three, AT{0, 0}, none, COUNTED, &rank, 0); break;
    case 6: go("rows of 12 bytes", LOAD, &three, AT{0, 0}, none, COUNTED, &box, 0); break;
    case 7: go("no elements", LOAD, &three, AT{0, 0}, none, COUNTED, &size, 0); break;
    case 8: go("integers outside are no number", LOAD, &two, AT{0, 0}, none, COUNTED, &fill, 0); break;
    case 9: go("above the columns", LOAD, &columns, AT{0, 8, 0, 0}, none, COUNTED, NULL, 0); break;
    default: go("below the columns", LOAD, &columns, AT{0, 0, -2, 0}, none, COUNTED, NULL, 0); break;
    }
}
enum { FAULTS = 11 };

static void prepare(void)
{
    CUcontext ctx;
    CUdevice device;
    int has = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, device));
    if (!has) skip("no tensor maps");
    OK(cuDevicePrimaryCtxRetain(&ctx, device));
    OK(cuCtxSetCurrent(ctx));
    OK(cuMemAlloc(&tensor, ROOM));
    OK(cuMemAlloc(&room, 2 * ROOM));
}

int main(int argc, char **argv)
{
    prepare();
    if (argc > 1) {
        faults(atoi(argv[1]));
        return 0;
    }
    limits();
    tiles();
    im2col();
    changes();
    for (int which = 0; which < FAULTS; which++) {
        char command[512];
        snprintf(command, sizeof command, "'%s' %d 2>/dev/null", argv[0], which);
        fflush(stdout);
        if (system(command)) printf("fault %d failed\n", which);
    }
    return 0;
}
