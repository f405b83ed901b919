/* Tensor maps: what can be encoded, and boxes that kernels move between global and shared memory. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define OK(call) ok(call, #call)
static void ok(CUresult r, const char *what)
{
    if (r) {
        printf("FAILED %s: %s\n", what, name(r));
        exit(1);
    }
}

#define LOAD(d, coordinates)                                                                                          \
    ".visible .entry load" #d "(.param .align 64 .b8 m[128], .param .u64 o, .param .align 4 .b8 c[20], .param .u32 n) {\n" \
    ".reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<8>; .shared .align 1024 .b8 s[16384]; .shared .align 8 .b64 bar;\n" \
    "ld.param.u64 %rd1, [o]; ld.param.u32 %r1, [n]; ld.param.s32 %r10, [c]; ld.param.s32 %r11, [c+4];\n"              \
    "ld.param.s32 %r12, [c+8]; ld.param.s32 %r13, [c+12]; ld.param.s32 %r14, [c+16];\n"                               \
    "mov.b64 %rd2, m; cvta.param.u64 %rd2, %rd2; mbarrier.init.shared.b64 [bar], 1; fence.proxy.async;\n"             \
    "mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r1;\n"                                                           \
    "cp.async.bulk.tensor." #d "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [s], [%rd2, " coordinates  \
    "], [bar];\n"                                                                                                     \
    "W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W; mov.u32 %r2, 0; mov.u32 %r4, s;\n"           \
    "L: add.u32 %r3, %r4, %r2; ld.shared.u8 %r5, [%r3]; cvt.u64.u32 %rd3, %r2; add.u64 %rd3, %rd1, %rd3;\n"           \
    "st.global.u8 [%rd3], %r5; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L; ret; }\n"

#define STORE(what, op)                                                                                               \
    ".visible .entry " what "(.param .align 64 .b8 m[128], .param .u64 o, .param .align 4 .b8 c[20], .param .u32 n) {\n" \
    ".reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<8>; .shared .align 1024 .b8 s[16384];\n"                       \
    "ld.param.u64 %rd1, [o]; ld.param.u32 %r1, [n]; ld.param.s32 %r10, [c]; ld.param.s32 %r11, [c+4];\n"              \
    "mov.b64 %rd2, m; cvta.param.u64 %rd2, %rd2; mov.u32 %r2, 0; mov.u32 %r4, s;\n"                                   \
    "L: add.u32 %r3, %r4, %r2; cvt.u64.u32 %rd3, %r2; add.u64 %rd3, %rd1, %rd3; ld.global.u8 %r5, [%rd3];\n"          \
    "st.shared.u8 [%r3], %r5; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L; fence.proxy.async;\n"       \
    op " [%rd2, {%r10, %r11}], [s]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }\n"

static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
    LOAD(1, "{%r10}") LOAD(2, "{%r10, %r11}") LOAD(3, "{%r10, %r11, %r12}") LOAD(5, "{%r10, %r11, %r12, %r13, %r14}")
    STORE("store", "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group")
    STORE("add", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group")
    STORE("min", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group")
    STORE("or", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.or.tile.bulk_group");

static CUmodule module;
static CUdeviceptr tensor, room;

struct request {
    CUtensorMapDataType type;
    unsigned rank;
    uintptr_t address;
    cuuint64_t size[5], stride[4];
    cuuint32_t box[5], step[5];
    int interleave, swizzle, promotion, fill;
};

static CUresult encode(CUtensorMap *m, const struct request *r)
{
    return cuTensorMapEncodeTiled(m, r->type, r->rank, (void *)(r->address + tensor), r->size, r->stride, r->box, r->step, r->interleave,
                                  r->swizzle, r->promotion, r->fill);
}

static const struct request good = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT32, .rank = 2, .size = {20, 10}, .stride = {96},
                                    .box = {16, 6}, .step = {1, 1}};

#define TRY(what, change)                              \
    do {                                               \
        struct request r = good;                       \
        change;                                        \
        printf("%s: %s\n", what, name(encode(&m, &r))); \
    } while (0)

static void limits(void)
{
    static CUtensorMap m;
    TRY("good", (void)0);
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
    OK(encode(&m, &good));
    printf("elsewhere: %s", name(cuTensorMapReplaceAddress(&m, (void *)(tensor + 256))));
    printf(" odd: %s", name(cuTensorMapReplaceAddress(&m, (void *)(tensor + 8))));
    printf("\n");
}

static uint8_t bytes[1 << 16];
static uint32_t sum(const void *p, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const uint8_t *)p)[i]) * 16777619u;
    return h;
}

static void run(const char *kernel, const struct request *r, const int *c, unsigned size, size_t shown)
{
    static CUtensorMap m;
    CUfunction f;
    CUresult result = encode(&m, r);
    if (result) {
        printf("%s: %s\n", kernel, name(result));
        return;
    }
    unsigned n = size;
    for (unsigned i = 0; i < r->rank; i++) n *= (r->box[i] + r->step[i] - 1) / r->step[i];
    OK(cuModuleGetFunction(&f, module, kernel));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, (void *[]){&m, &room, (void *)c, &n}, 0));
    result = cuCtxSynchronize();
    printf("%s type %d swizzle %d: %s %u bytes", kernel, r->type, r->swizzle, name(result), n);
    if (result) exit(1);
    CUdeviceptr from = kernel[0] == 'l' ? room : tensor;
    if (kernel[0] != 'l') n = shown;
    OK(cuMemcpyDtoH(bytes, from, n));
    printf(" %08x:", sum(bytes, n));
    for (size_t i = 0; i < 24; i++) printf(" %02x", bytes[i * 13 % n]);
    printf("\n");
}

static void fill(int singles)
{
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7 + i / 251);
    if (singles)
        for (size_t i = 0; i < sizeof bytes / 4; i++) ((float *)bytes)[i] = (float)i * 0.25f - 100;
    OK(cuMemcpyHtoD(tensor, bytes, sizeof bytes));
}

static void boxes(void)
{
    static const int here[5] = {0}, there[5] = {8, -2, 1, 0, 1}, far[5] = {1000, 1000, 1000, 1000, 1000};
    struct request r = good;
    fill(0);
    for (r.swizzle = 0; r.swizzle < 3; r.swizzle++) {
        r.box[0] = r.swizzle == 1 ? 8 : 16;
        run("load2", &r, here, 4, 0);
        run("load2", &r, there, 4, 0);
    }
    r = good;
    r.size[0] = 16, r.box[0] = 32, r.swizzle = 3, r.box[1] = 32, r.size[1] = 200, r.stride[0] = 128;
    run("load2", &r, there, 4, 0);
    run("load2", &r, far, 4, 0);
    struct request one = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT8, .rank = 1, .size = {1000}, .box = {256}, .step = {1}};
    run("load1", &one, here, 1, 0);
    struct request three = {.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, .rank = 3, .size = {64, 9, 7}, .stride = {128, 1280},
                            .box = {32, 5, 4}, .step = {1, 1, 1}, .swizzle = 2};
    run("load3", &three, here, 2, 0);
    run("load3", &three, (const int[5]){40, 7, -1}, 2, 0);
    three.step[1] = 2, three.step[2] = 3;
    run("load3", &three, (const int[5]){8, 1, 1}, 2, 0);
    three.fill = 1;
    run("load3", &three, (const int[5]){40, 6, -1}, 2, 0);
    struct request five = {.type = CU_TENSOR_MAP_DATA_TYPE_UINT16, .rank = 5, .size = {24, 5, 4, 3, 3}, .stride = {48, 240, 960, 2880},
                           .box = {16, 3, 2, 2, 2}, .step = {1, 1, 1, 1, 1}};
    run("load5", &five, here, 2, 0);
    run("load5", &five, there, 2, 0);
    struct request wide = {.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32, .rank = 2, .size = {20, 10}, .stride = {96}, .box = {16, 6},
                           .step = {1, 1}, .fill = 1};
    run("load2", &wide, there, 4, 0);
    OK(cuMemcpyHtoD(room, bytes + 4096, 4096));
    static const int corner[5] = {12, 7};
    r = good;
    run("store", &r, here, 4, 1024);
    r.swizzle = 2;
    run("store", &r, corner, 4, 1024);
    run("add", &r, corner, 4, 1024);
    run("or", &r, (const int[5]){-3, -1}, 4, 1024);
    r.type = CU_TENSOR_MAP_DATA_TYPE_INT32;
    run("min", &r, here, 4, 1024);
    r.type = CU_TENSOR_MAP_DATA_TYPE_UINT64, r.box[0] = 8, r.size[0] = 10;
    run("add", &r, here, 8, 1024);
    fill(1);
    OK(cuMemcpyHtoD(room, bytes + 4096, 4096));
    r = good;
    r.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    run("add", &r, corner, 4, 1024);
}

int main(void)
{
    CUcontext ctx;
    CUdevice device;
    int has = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, device));
    if (!has) {
        printf("skipped: no tensor maps\n");
        return 0;
    }
    OK(cuDevicePrimaryCtxRetain(&ctx, device));
    OK(cuCtxSetCurrent(ctx));
    OK(cuModuleLoadData(&module, text));
    OK(cuMemAlloc(&tensor, 1 << 16));
    OK(cuMemAlloc(&room, 1 << 16));
    limits();
    boxes();
    return 0;
}
