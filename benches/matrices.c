/* What matrix instructions cost: processor time of one of a warp, in ns. Blocks of four warps, each of which does it again and
 * again with what is in its registers. */
#include "bench.h"

enum { BLOCKS = 8, WARPS = 4, TIMES = 256 };

struct kind {
    const char *name;
    /* Type of the registers, and the instruction. */
    const char *type, *text;
};

#define D2 "{%d0,%d1}"
#define D4 "{%d0,%d1,%d2,%d3}"
#define D8 "{%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}"
#define A1 "{%a0}"
#define A4 "{%a0,%a1,%a2,%a3}"
#define A8 "{%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}"
#define B1 "{%b0}"
#define B2 "{%b0,%b1}"
#define B4 "{%b0,%b1,%b2,%b3}"
#define B8 "{%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}"

static const struct kind kinds[] = {
    { "nothing", "b32", "" },
    { "mma m16n8k16 f32 f16", "b32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m16n8k16 f16 f16", "b32", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 " D2 ", " A4 ", " B2 ", " D2 ";" },
    { "mma m16n8k16 f32 bf16", "b32", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m16n8k8 f32 tf32", "b32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m16n8k32 f32 e4m3", "b32", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m16n8k32 s32 s8", "b32", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m16n8k64 s32 u4", "b32", "mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32 " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m16n8k256 s32 b1", "b32", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc " D4 ", " A4 ", " B2 ", " D4 ";" },
    { "mma m8n8k4 f64", "b64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 " D2 ", " A1 ", " B1 ", " D2 ";" },
    { "mma m16n8k16 f64", "b64", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 " D4 ", " A8 ", " B4 ", " D4 ";" },
    { "wmma m16n16k16 f32 f16", "b32", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " D8 ", " A8 ", " B8 ", " D8 ";" },
    { "wmma.load a m16n16k16 f16", "b32", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " A8 ", [%s];" },
    { "wmma.store d m16n16k16 f32", "b32", "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%s], " D8 ";" },
    { "ldmatrix x4", "b32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 " A4 ", [%l];" },
    { "ldmatrix x4 trans", "b32", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 " A4 ", [%l];" },
    { "stmatrix x4", "b32", "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%l], " A4 ";" },
    { "wgmma m64n32k16 f32 f16", "b32", "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7,%d8,%d9,%d10,%d11,%d12,%d13,%d14,%d15}, %da, %da, 1, 1, 1, 0, 0;" },
};

/* A kernel that does an instruction again and again; %s is the block's shared memory, %l a row of it for each lane, %da a matrix in it. */
static void write_kernel(char *to, size_t size, const struct kind *k)
{
    int wide = !strcmp(k->type, "b64");
    const char *one = wide ? "0d3FF0000000000000" : "0x3C003C00";
    size_t n = (size_t)snprintf(to, size,
        ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 to) {\n"
        ".reg .pred %%p; .reg .b32 %%i, %%s, %%l, %%t; .reg .b64 %%to, %%da; .reg .%s %%d<16>, %%a<8>, %%b<8>;\n"
        ".shared .align 128 .b8 s[16384];\n"
        "ld.param.u64 %%to, [to]; mov.u32 %%t, %%laneid; mov.u32 %%s, s; shl.b32 %%l, %%t, 4; add.u32 %%l, %%l, %%s;\n"
        "cvt.u64.u32 %%da, %%s; shr.u64 %%da, %%da, 4; or.b64 %%da, %%da, 0x0000004000400000;\nmov.u32 %%i, 0;\n", wide ? "f64" : "b32");
    for (int r = 0; r < 16; r++) n += (size_t)snprintf(to + n, size - n, "mov.%s %%d%d, %s;\n", wide ? "f64" : "b32", r, wide ? "0d0000000000000000" : "0");
    for (int r = 0; r < 8; r++) n += (size_t)snprintf(to + n, size - n, "mov.%s %%a%d, %s; mov.%s %%b%d, %s;\n", wide ? "f64" : "b32", r, one, wide ? "f64" : "b32", r, one);
    n += (size_t)snprintf(to + n, size - n, "LOOP:\n");
    for (int r = 0; r < 8; r++) n += (size_t)snprintf(to + n, size - n, "%s\n", k->text);
    n += (size_t)snprintf(to + n, size - n, "add.u32 %%i, %%i, 8; setp.lt.u32 %%p, %%i, %d; @%%p bra LOOP;\n", TIMES);
    for (int r = 0; r < 16; r++) n += (size_t)snprintf(to + n, size - n, "st.global.%s [%%to+%d], %%d%d;\n", wide ? "f64" : "b32", r * 8, r);
    for (int r = 0; r < 8; r++) n += (size_t)snprintf(to + n, size - n, "st.global.%s [%%to+%d], %%a%d;\n", wide ? "f64" : "b32", 128 + r * 8, r);
    snprintf(to + n, size - n, "ret; }\n");
}

/* Time of all processors: other programs do not count. */
static double processors(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static char text[16384];
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    CUdeviceptr to;
    start();
    if (rounds < 1 || rounds > ROUNDS) rounds = ROUNDS;
    OK(cuMemAlloc(&to, 4096));
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        void *arguments[] = { &to };
        double busy[ROUNDS];
        CUmodule module;
        CUfunction f;
        write_kernel(text, sizeof text, &kinds[n]);
        OK(cuModuleLoadData(&module, text));
        OK(cuModuleGetFunction(&f, module, "k"));
        for (int round = -1; round < rounds; round++) {
            double t0 = processors();
            OK(cuLaunchKernel(f, BLOCKS, 1, 1, WARPS * 32, 1, 1, 0, NULL, arguments, NULL));
            OK(cuCtxSynchronize());
            if (round >= 0) busy[round] = processors() - t0;
        }
        printf("%-32s %10.1f ns\n", kinds[n].name, median(busy, rounds) / (BLOCKS * WARPS * TIMES));
        OK(cuModuleUnload(module));
    }
    return 0;
}
