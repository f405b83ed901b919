/* What reading textures and surfaces costs: ns of a grid of 2048 x 2048 threads, each of which reads once and writes once.
 *
 *   textures [ROUNDS]      a row for each kind of texture: time of the grid, and processor time of one thread */
#include "bench.h"

enum { SIDE = 2048, TEXELS = 1024 };

/* The picture is turned a little and a little larger than the texture, so that addressing modes have something to do. */
#define PLACE                                                                                                               \
    ".reg .b32 %r<12>; .reg .f32 %f<16>; .reg .b64 %rd<6>;\n"                                                               \
    "ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [to]; ld.param.f32 %f15, [scale];\n"                                   \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r1, %r1, %r2, %r3;\n"                    \
    "mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ntid.y; mov.u32 %r6, %tid.y; mad.lo.s32 %r4, %r4, %r5, %r6;\n"                    \
    "cvt.rn.f32.u32 %f1, %r1; cvt.rn.f32.u32 %f2, %r4; mul.f32 %f1, %f1, %f15; mul.f32 %f2, %f2, %f15;\n"                   \
    "mul.f32 %f3, %f1, 0f3F800000; fma.rn.f32 %f3, %f2, 0fBDCCCCCD, %f3;\n"                                                 \
    "fma.rn.f32 %f4, %f1, 0f3DCCCCCD, %f2;\n"                                                                               \
    "mad.lo.s32 %r7, %r4, 2048, %r1; mul.wide.u32 %rd3, %r7, 4; add.s64 %rd2, %rd2, %rd3;\n"
#define PARAMETERS "(.param .u64 object, .param .u64 to, .param .f32 scale) {\n"
#define STORE "st.global.f32 [%rd2], %f5; ret; }\n"
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry none" PARAMETERS PLACE "add.f32 %f5, %f3, %f4;\n" STORE
    ".visible .entry one" PARAMETERS PLACE "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f3, %f4}];\n" STORE
    ".visible .entry four" PARAMETERS PLACE "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f3, %f4}];\n"
    "add.f32 %f5, %f5, %f6; add.f32 %f7, %f7, %f8; add.f32 %f5, %f5, %f7;\n" STORE
    ".visible .entry surface" PARAMETERS PLACE
    "shr.u32 %r1, %r1, 1; shr.u32 %r4, %r4, 1; shl.b32 %r8, %r1, 2;\n"
    "suld.b.2d.b32.clamp %r9, [%rd1, {%r8, %r4}]; xor.b32 %r9, %r9, 1; sust.b.2d.b32.clamp [%rd1, {%r8, %r4}], %r9;\n"
    "mov.b32 %f5, %r9;\n" STORE
    ".visible .entry surface4" PARAMETERS PLACE
    "shr.u32 %r1, %r1, 1; shr.u32 %r4, %r4, 1; shl.b32 %r8, %r1, 4;\n"
    "suld.b.2d.v4.b32.zero {%r5, %r6, %r10, %r11}, [%rd1, {%r8, %r4}]; xor.b32 %r5, %r5, 1;\n"
    "sust.b.2d.v4.b32.zero [%rd1, {%r8, %r4}], {%r5, %r6, %r10, %r11};\n"
    "mov.b32 %f5, %r5;\n" STORE;

struct kind {
    const char *name, *kernel;
    CUarray_format format;
    unsigned channels, filter, mode, flags;
};

static const struct kind kinds[] = {
    { "nothing is read", "none", CU_AD_FORMAT_FLOAT, 1, 0, 0, 0 },
    { "bilinear, u8 x 1, clamp", "one", CU_AD_FORMAT_UNSIGNED_INT8, 1, 1, 1, 0 },
    { "bilinear, u8 x 1, wrap, normalized", "one", CU_AD_FORMAT_UNSIGNED_INT8, 1, 1, 0, 2 },
    { "bilinear, u8 x 4, clamp", "four", CU_AD_FORMAT_UNSIGNED_INT8, 4, 1, 1, 0 },
    { "bilinear, u8 x 4, wrap, normalized", "four", CU_AD_FORMAT_UNSIGNED_INT8, 4, 1, 0, 2 },
    { "bilinear, f32 x 1, clamp", "one", CU_AD_FORMAT_FLOAT, 1, 1, 1, 0 },
    { "bilinear, f32 x 1, wrap, normalized", "one", CU_AD_FORMAT_FLOAT, 1, 1, 0, 2 },
    { "bilinear, f32 x 4, clamp", "four", CU_AD_FORMAT_FLOAT, 4, 1, 1, 0 },
    { "bilinear, f32 x 4, wrap, normalized", "four", CU_AD_FORMAT_FLOAT, 4, 1, 0, 2 },
    { "bilinear, f16 x 4, border", "four", CU_AD_FORMAT_HALF, 4, 1, 3, 0 },
    { "nearest, u8 x 4, clamp", "four", CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 1, 0 },
    { "nearest, f32 x 1, clamp", "one", CU_AD_FORMAT_FLOAT, 1, 0, 1, 0 },
    { "nearest, f32 x 1, wrap, normalized", "one", CU_AD_FORMAT_FLOAT, 1, 0, 0, 2 },
    { "surface, 32 bits read and written", "surface", CU_AD_FORMAT_UNSIGNED_INT32, 1, 0, 0, 0 },
    { "surface, 128 bits read and written", "surface4", CU_AD_FORMAT_UNSIGNED_INT32, 4, 0, 0, 0 },
};

/* Time of all processors: other programs do not count. */
static double processors(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static unsigned long long object_of(const struct kind *k)
{
    CUDA_ARRAY3D_DESCRIPTOR d = { .Width = TEXELS, .Height = TEXELS, .Format = k->format, .NumChannels = k->channels, .Flags = CUDA_ARRAY3D_SURFACE_LDST };
    CUDA_RESOURCE_DESC from = { .resType = CU_RESOURCE_TYPE_ARRAY };
    CUDA_TEXTURE_DESC how = { .addressMode = { k->mode, k->mode, k->mode }, .filterMode = k->filter, .flags = k->flags };
    size_t component = k->format == CU_AD_FORMAT_UNSIGNED_INT8 ? 1 : k->format == CU_AD_FORMAT_HALF ? 2 : 4;
    size_t pitch = TEXELS * component * k->channels;
    uint8_t *bytes = malloc(pitch * TEXELS);
    CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST, .dstMemoryType = CU_MEMORYTYPE_ARRAY, .srcHost = bytes, .srcPitch = pitch, .WidthInBytes = pitch, .Height = TEXELS };
    unsigned long long object;
    srand(1);
    for (size_t i = 0; i < pitch * TEXELS; i++) bytes[i] = (uint8_t)(rand() >> 7);
    for (size_t i = 0; k->format == CU_AD_FORMAT_FLOAT && i < pitch * TEXELS / 4; i++) {
        float x = (float)rand() / (float)RAND_MAX;
        memcpy(bytes + 4 * i, &x, 4);
    }
    /* Halves that are numbers. */
    for (size_t i = 1; k->format == CU_AD_FORMAT_HALF && i < pitch * TEXELS; i += 2) bytes[i] = bytes[i] % 0x7c;
    OK(cuArray3DCreate(&from.res.array.hArray, &d));
    copy.dstArray = from.res.array.hArray;
    OK(cuMemcpy2D(&copy));
    free(bytes);
    if (!strncmp(k->kernel, "surface", 7)) OK(cuSurfObjectCreate(&object, &from));
    else OK(cuTexObjectCreate(&object, &from, &how, NULL));
    return object;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    CUmodule module;
    CUdeviceptr to;
    start();
    if (rounds < 1 || rounds > ROUNDS) rounds = ROUNDS;
    OK(cuModuleLoadData(&module, text));
    OK(cuMemAlloc(&to, (size_t)SIDE * SIDE * 4));
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        const struct kind *k = &kinds[n];
        unsigned long long object = object_of(k);
        float scale = (float)(k->flags ? 1.25 / SIDE : 1.25 * TEXELS / SIDE);
        void *arguments[] = { &object, &to, &scale };
        double t[ROUNDS], busy[ROUNDS];
        CUfunction f;
        OK(cuModuleGetFunction(&f, module, k->kernel));
        for (int round = -1; round < rounds; round++) {
            double t0 = now(), busy0 = processors();
            OK(cuLaunchKernel(f, SIDE / 32, SIDE / 8, 1, 32, 8, 1, 0, NULL, arguments, NULL));
            OK(cuCtxSynchronize());
            if (round >= 0) t[round] = now() - t0, busy[round] = processors() - busy0;
        }
        printf("%-40s %10.2f ms %8.2f ns\n", k->name, median(t, rounds) / 1e6, median(busy, rounds) / ((double)SIDE * SIDE));
    }
    return 0;
}
