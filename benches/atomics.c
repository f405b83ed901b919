/* What atomic operations cost: time that passes for one by a warp, in ns, on all cores that the process may use. They change the same words of
 * global memory: `taskset -c 0` says what it is without the others.
 *
 *   atomics [NAME...]      all of them by default; those whose names contain a word */
#include "bench.h"

enum { BLOCKS = 64, WARPS = 4, TIMES = 200 };

struct kind {
    const char *name, *text;
};

/* All lanes in one place that the compiler knows, in one that turns out, in a few, in their own and in places at random. */
static const struct kind places[] = {
    { "one place", "mov.u32 %i, 3;" },
    { "one place that turns out", "shr.u32 %i, %t, 8;" },
    { "four places", "shr.u32 %i, %t, 3; and.b32 %i, %i, 3;" },
    { "a place each", "mov.u32 %i, %t;" },
    { "places at random", "mul.lo.u32 %i, %t, 0x9e3779b1; shr.u32 %i, %i, 22;" },
};

static const struct kind kinds[] = {
    { "add.f32", "red.%s.add.f32 [%%a], %%f;" },
    { "add.f64", "red.%s.add.f64 [%%a], %%d;" },
    { "add.f32, result", "atom.%s.add.f32 %%e, [%%a], %%f;" },
    { "add.u32", "red.%s.add.u32 [%%a], %%n;" },
    { "add.u32, result", "atom.%s.add.u32 %%o, [%%a], %%n; add.u32 %%s, %%s, %%o;" },
    { "min.s32", "red.%s.min.s32 [%%a], %%n;" },
    { "max.u64", "red.%s.max.u64 [%%a], %%x;" },
    { "xor.b32", "red.%s.xor.b32 [%%a], %%n;" },
    { "inc.u32", "red.%s.inc.u32 [%%a], 1000000;" },
    { "cas.b32, result", "atom.%s.cas.b32 %%o, [%%a], %%s, %%n; add.u32 %%s, %%s, %%o;" },
    { "add.f16x2", "{ .reg .b32 %%h; mov.b32 %%h, 0x3c003c00; red.%s.add.noftz.f16x2 [%%a], %%h; }" },
    { "add.bf16", "{ .reg .b16 %%h; mov.b16 %%h, 0x3f80; red.%s.add.noftz.bf16 [%%a], %%h; }" },
};

/* Nanoseconds of one operation of a warp: the least of some launches. */
static double cost(const struct kind *place, const struct kind *kind, int shared)
{
    char text[4096], operation[256];
    snprintf(operation, sizeof operation, kind->text, shared ? "shared" : "global");
    snprintf(text, sizeof text,
             ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.shared .align 8 .b8 room[8192];\n"
             ".reg .b32 %%t, %%i, %%n, %%o, %%s, %%c; .reg .f32 %%f, %%e; .reg .f64 %%d; .reg .b64 %%x, %%g, %%out; .reg .b%s %%a; .reg .pred %%q;\n"
             "ld.param.u64 %%out, [p]; mov.u32 %%t, %%tid.x; cvt.rn.f32.u32 %%f, %%t; cvt.rn.f64.u32 %%d, %%t; mul.lo.u32 %%n, %%t, 77; cvt.u64.u32 %%x, %%n;\n"
             "mov.u32 %%c, 0; mov.u32 %%s, 0; %s\n%s\n"
             "L: %s add.u32 %%n, %%n, 1; add.u32 %%c, %%c, 1; setp.lt.u32 %%q, %%c, %d; @%%q bra L;\n"
             "setp.eq.u32 %%q, %%s, 12345; @%%q st.global.u32 [%%out+16384], %%s; ret; }\n",
             shared ? "32" : "64", place->text,
             shared ? "mov.u32 %a, room; mad.lo.u32 %a, %i, 8, %a;" : "mul.wide.u32 %a, %i, 8; add.u64 %a, %a, %out;", operation, TIMES);
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory;
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuMemAlloc(&memory, 1 << 16));
    OK(cuMemsetD8(memory, 0, 1 << 16));
    void *arguments[] = { &memory };
    double least = 1e30;
    for (int turn = 0; turn < 6; turn++) {
        double begin = now();
        OK(cuLaunchKernel(function, BLOCKS, 1, 1, 32 * WARPS, 1, 1, 0, 0, arguments, 0));
        OK(cuCtxSynchronize());
        double taken = now() - begin;
        if (turn && taken < least) least = taken;
    }
    OK(cuMemFree(memory));
    OK(cuModuleUnload(module));
    return least / ((double)BLOCKS * WARPS * TIMES);
}

int main(int count, char **words)
{
    start();
    printf("%-20s %-26s %8s %8s\n", "atomic operation", "lanes change", "global", "shared");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int asked = count < 2;
        for (int n = 1; n < count; n++) asked |= strstr(kinds[k].name, words[n]) != NULL;
        for (size_t p = 0; asked && p < sizeof places / sizeof *places; p++) {
            double far = cost(&places[p], &kinds[k], 0), near = cost(&places[p], &kinds[k], 1);
            printf("%-20s %-26s %8.1f %8.1f\n", kinds[k].name, places[p].name, far, near);
        }
    }
    return 0;
}
