/* What the tests of PTX for compute capabilities 10.0 and 12.0 share: kernels of a few instructions over words, and formats of
 * numbers as their definitions have them. */
#pragma once
#include "../../c-tests/check.h"
#include <math.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

static CUcontext on[2];
static long compared, wrong, all_wrong;

/* Contexts of devices 10.0 and 12.0. */
static inline void begin_newer(void)
{
    int major;
    setenv("DOPPEL_DEVICES", "cc100,cc120", 1);
    OK(cuInit(0));
    for (int i = 0; i < 2; i++) {
        CUdevice d;
        if (cuDeviceGet(&d, i)) skip("two devices are needed");
        OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d));
        if (major != (i ? 12 : 10)) skip("devices of compute capabilities 10.0 and 12.0 are needed");
        OK(cuCtxCreate_v2(&on[i], 0, d));
    }
}

/* Loads a module for a target on its device. */
static inline CUmodule module_for(const char *target, const char *text)
{
    static char ptx[1 << 17];
    char errors[2000] = "";
    CUmodule module;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {errors, (void *)sizeof errors};
    snprintf(ptx, sizeof ptx, ".version 9.5\n.target sm_%s\n.address_size 64\n%s", target, text);
    OK(cuCtxSetCurrent(on[target[1] == '2']));
    CUresult r = cuModuleLoadDataEx(&module, ptx, 2, options, values);
    if (r) {
        printf("FAILED to load: %s\n%s\n%s\n", name(r), errors, ptx);
        exit(1);
    }
    return module;
}

/* Runs instructions that leave `results` words in %r11 and on, from `operands` words in %r1 and on, for each of `n` threads. */
static inline CUresult try_run(const char *target, const char *before, const char *code, int operands, int results, const u32 *in,
                               u32 *out, unsigned n)
{
    static char text[1 << 16];
    size_t at = 0;
    at += snprintf(text + at, sizeof text - at,
                   "%s.visible .entry k(.param .u64 pi, .param .u64 po, .param .u32 pn) {\n.reg .pred %%p<9>; .reg .b8 %%b<9>; "
                   ".reg .b16 %%h<20>; .reg .b32 %%r<60>; .reg .b64 %%rd<40>; .reg .b128 %%q<4>; .reg .f32 %%f<40>;\n"
                   "mov.u32 %%r50, %%ctaid.x; mov.u32 %%r51, %%ntid.x; mov.u32 %%r52, %%tid.x; mad.lo.u32 %%r53, %%r50, %%r51, "
                   "%%r52;\nld.param.u32 %%r54, [pn]; setp.ge.u32 %%p8, %%r53, %%r54; @%%p8 ret;\nld.param.u64 %%rd30, [pi]; "
                   "ld.param.u64 %%rd31, [po];\nmad.wide.u32 %%rd30, %%r53, %d, %%rd30; mad.wide.u32 %%rd31, %%r53, %d, %%rd31;\n",
                   before, operands * 4, results * 4);
    for (int i = 0; i < operands; i++)
        at += snprintf(text + at, sizeof text - at, "ld.global.u32 %%r%d, [%%rd30+%d];\n", i + 1, i * 4);
    at += snprintf(text + at, sizeof text - at, "%s\n", code);
    for (int i = 0; i < results; i++)
        at += snprintf(text + at, sizeof text - at, "st.global.u32 [%%rd31+%d], %%r%d;\n", i * 4, 11 + i);
    snprintf(text + at, sizeof text - at, "ret; }\n");
    CUmodule module = module_for(target, text);
    CUfunction f;
    CUdeviceptr from, to;
    OK(cuModuleGetFunction(&f, module, "k"));
    OK(cuMemAlloc(&from, (size_t)n * operands * 4 + 64));
    OK(cuMemAlloc(&to, (size_t)n * results * 4 + 64));
    OK(cuMemcpyHtoD(from, in, (size_t)n * operands * 4));
    void *arguments[] = {&from, &to, &n};
    CUresult r = cuLaunchKernel(f, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL);
    if (!r) r = cuMemcpyDtoH(out, to, (size_t)n * results * 4);
    if (r) return r;
    OK(cuMemFree(from));
    OK(cuMemFree(to));
    OK(cuModuleUnload(module));
    return r;
}

static inline void run(const char *target, const char *before, const char *code, int operands, int results, const u32 *in, u32 *out,
                       unsigned n)
{
    CUresult r = try_run(target, before, code, operands, results, in, out, n);
    if (r) printf("FAILED %s: %s\n", code, name(r)), exit(1);
}

/* Compares a result; the first few that differ are shown. */
static inline void same(const char *what, u32 found, u32 wanted, const u32 *in, int operands)
{
    compared++;
    if (found == wanted) return;
    if (wrong++ > 20) return;
    printf("%s of", what);
    for (int i = 0; i < operands; i++) printf(" %#x", in[i]);
    printf(": %#x, not %#x\n", found, wanted);
}

/* What a group of tests came to. */
static inline void done(const char *what)
{
    printf("%s: %ld results, %ld wrong\n", what, compared, wrong);
    all_wrong += wrong;
    compared = wrong = 0;
}

static inline u32 draw(void)
{
    static u64 state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (u32)(state >> 16);
}

static inline u32 bits_of(float x)
{
    u32 bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static inline float single(u32 bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

/* A format with a sign: bits of the exponent and behind the point, what is subtracted from the exponent, what is no number. */
struct format {
    const char *name;
    int exponent, fraction, bias, infinities, nans;
};

static const struct format e4m3 = {"e4m3", 4, 3, 7, 0, 1}, e5m2 = {"e5m2", 5, 2, 15, 1, 1}, e2m3 = {"e2m3", 2, 3, 1, 0, 0},
                           e3m2 = {"e3m2", 3, 2, 3, 0, 0}, e2m1 = {"e2m1", 2, 1, 1, 0, 0}, f16 = {"f16", 5, 10, 15, 1, 1},
                           bf16 = {"bf16", 8, 7, 127, 1, 1};

static inline int width(const struct format *f)
{
    return 1 + f->exponent + f->fraction;
}

/* The number that bits stand for. */
static inline double value(const struct format *f, u32 bits)
{
    u32 fraction = bits & ((1u << f->fraction) - 1), exponent = bits >> f->fraction & ((1u << f->exponent) - 1);
    u32 last = (1u << f->exponent) - 1;
    double sign = bits >> (width(f) - 1) & 1 ? -1 : 1;
    if (f->infinities && exponent == last) return fraction ? NAN : sign * INFINITY;
    if (f->nans && !f->infinities && exponent == last && fraction == (1u << f->fraction) - 1) return NAN;
    if (!exponent) return sign * ldexp(fraction, 1 - f->bias - f->fraction);
    return sign * ldexp(fraction + (1 << f->fraction), (int)exponent - f->bias - f->fraction);
}

/* The bits of the largest number. */
static inline u32 largest(const struct format *f)
{
    u32 bits = (1u << (width(f) - 1)) - 1;
    while (!isfinite(value(f, bits))) bits--;
    return bits;
}

/* The bits of the nearest number, of two the even one: between which two a number lies is found by halving. What is too large is
 * the largest one or, where `finite` is not set and the format has one, infinity. */
static inline u32 nearest(const struct format *f, double x, int finite)
{
    u32 sign = (u32)(signbit(x) != 0) << (width(f) - 1), low = 0, high = largest(f), most = high;
    if (isnan(x)) return f->nans ? (1u << (width(f) - 1)) - 1 : most;
    x = fabs(x);
    double end = value(f, most), unit = end - value(f, most - 1);
    if (x > end) {
        int beyond = f->infinities && !finite && x >= end + unit / 2;
        return sign | (beyond ? most + 1 : most);
    }
    while (high - low > 1) {
        u32 middle = (low + high) / 2;
        if (value(f, middle) <= x) low = middle;
        else high = middle;
    }
    double below = x - value(f, low), above = value(f, high) - x;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}
