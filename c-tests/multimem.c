/* `multimem` instructions in every type and size that the assembler takes, over memory of several devices, against a model that
 * shares nothing with the interpreter: what is read is put together in the order of the devices, what is written comes to all. */
#include "check.h"
#include <math.h>
#include <stdarg.h>
#include <stdint.h>

enum { LANES = 32, PIECE = 16, BYTES = LANES * PIECE, MOST = 8 };
#define SIZE ((size_t)2 << 20)

/* Formats of at most 16 bits: all codes stand for numbers in rising order, up to the largest. */
struct format {
    int bits, fraction, bias;
    unsigned largest, none;
    int infinite;
};
static const struct format F16 = { 16, 10, 15, 0x7bff, 0x7fff, 1 }, BF16 = { 16, 7, 127, 0x7f7f, 0x7fff, 1 };
static const struct format E4M3 = { 8, 3, 7, 0x7e, 0x7f, 0 }, E5M2 = { 8, 2, 15, 0x7b, 0x7f, 0 };

static double decode(const struct format *f, unsigned code)
{
    unsigned sign = code >> (f->bits - 1), rest = code & ((1u << (f->bits - 1)) - 1), top = rest >> f->fraction;
    double x;
    /* E4M3 has numbers where the others have infinity; E5M2 has infinity, which nothing is rounded to. */
    if (rest > f->largest) x = f != &E4M3 && rest == f->largest + 1 ? INFINITY : NAN;
    else if (top) x = ldexp((double)((rest & ((1u << f->fraction) - 1)) | 1u << f->fraction), (int)top - f->bias - f->fraction);
    else x = ldexp(rest, 1 - f->bias - f->fraction);
    return sign ? -x : x;
}

/* The nearest of all numbers; of two, the one with an even code. */
static unsigned encode(const struct format *f, double x)
{
    unsigned sign = signbit(x) ? 1u << (f->bits - 1) : 0, low = 0, high = f->largest;
    double m = fabs(x);
    if (isnan(x)) return f->none;
    if (m > decode(f, f->largest)) {
        double step = decode(f, f->largest) - decode(f, f->largest - 1);
        return sign | (f->infinite && m >= decode(f, f->largest) + step / 2 ? f->largest + 1 : f->largest);
    }
    while (low + 1 < high) {
        unsigned middle = (low + high) / 2;
        if (decode(f, middle) <= m) low = middle;
        else high = middle;
    }
    double below = m - decode(f, low), above = decode(f, high) - m;
    return sign | (below < above ? low : above < below ? high : low & 1 ? high : low);
}

enum operation { ADD, MIN, MAX, AND, OR, XOR, OPERATIONS };
static const char *const operation_names[] = { "add", "min", "max", "and", "or", "xor" };
enum kind { UNSIGNED, SIGNED, NARROW, SINGLE, DOUBLE };
struct type {
    const char *name;
    enum kind kind;
    /* Bytes of a register, and of a value in it. */
    int word, value;
    const struct format *format;
};
static const struct type types[] = {
    { "b32", UNSIGNED, 4, 4, NULL }, { "u32", UNSIGNED, 4, 4, NULL }, { "s32", SIGNED, 4, 4, NULL }, { "b64", UNSIGNED, 8, 8, NULL },
    { "u64", UNSIGNED, 8, 8, NULL }, { "s64", SIGNED, 8, 8, NULL }, { "f32", SINGLE, 4, 4, NULL }, { "f64", DOUBLE, 8, 8, NULL },
    { "f16", NARROW, 2, 2, &F16 }, { "f16x2", NARROW, 4, 2, &F16 }, { "bf16", NARROW, 2, 2, &BF16 }, { "bf16x2", NARROW, 4, 2, &BF16 },
    { "e4m3", NARROW, 1, 1, &E4M3 }, { "e4m3x2", NARROW, 2, 1, &E4M3 }, { "e4m3x4", NARROW, 4, 1, &E4M3 },
    { "e5m2", NARROW, 1, 1, &E5M2 }, { "e5m2x2", NARROW, 2, 1, &E5M2 }, { "e5m2x4", NARROW, 4, 1, &E5M2 },
};

static double smaller(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b; }
static double larger(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && signbit(b)) ? a : b; }
static float flushed(float x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }

/* Values of all devices put together; or, for `red`, what is there and what comes to it. */
static uint64_t together(const struct type *t, enum operation o, const char *acc, int red, const uint64_t *v, int n)
{
    if (t->kind == NARROW) {
        double r = decode(t->format, (unsigned)v[0]);
        const struct format *own = strcmp(acc, "f16") ? t->format : &F16;
        int single = !strcmp(acc, "f32") || (!*acc && t->format->bits == 8);
        for (int i = 1; i < n; i++) {
            double x = decode(t->format, (unsigned)v[i]);
            if (o == MIN) r = smaller(r, x);
            else if (o == MAX) r = larger(r, x);
            else if (single) r = (float)r + (float)x;
            else r = decode(own, encode(own, r + x));
        }
        return encode(t->format, r);
    }
    uint64_t r = v[0];
    for (int i = 1; i < n; i++) {
        uint64_t x = v[i];
        int64_t a = t->value == 4 ? (int32_t)r : (int64_t)r, b = t->value == 4 ? (int32_t)x : (int64_t)x;
        if (t->kind == SINGLE) {
            float f, g;
            uint32_t w = (uint32_t)r, y = (uint32_t)x;
            memcpy(&f, &w, 4);
            memcpy(&g, &y, 4);
            f = red ? flushed(flushed(f) + flushed(g)) : f + g;
            memcpy(&w, &f, 4);
            r = isnan(f) ? 0x7fffffff : w;
        } else if (t->kind == DOUBLE) {
            double f, g;
            memcpy(&f, &r, 8);
            memcpy(&g, &x, 8);
            f += g;
            memcpy(&r, &f, 8);
        } else if (o == ADD) r += x;
        else if (o == AND) r &= x;
        else if (o == OR) r |= x;
        else if (o == XOR) r ^= x;
        else if (t->kind == SIGNED) r = (o == MIN ? b < a : b > a) ? x : r;
        else r = (o == MIN ? x < r : x > r) ? x : r;
    }
    return r;
}

enum action { LOAD, STORE, CHANGE };
static const char *const action_names[] = { "ld_reduce", "st", "red" };
struct variant {
    enum action action;
    enum operation operation;
    const char *acc;
    const struct type *type;
    int vector;
    char name[96];
};
static struct variant variants[600];
static int count;

/* What the assembler takes. */
static int is_valid(enum action a, enum operation o, const char *acc, const struct type *t, int vector)
{
    int bits = t->word * 8 * vector, narrow = t->kind == NARROW, eight = narrow && t->format->bits == 8;
    if (a != LOAD && *acc) return 0;
    if (a == STORE) {
        if (o != ADD) return 0;
    } else if (!narrow) {
        int raw = t->name[0] == 'b', logic = o >= AND;
        if (raw != logic) return 0;
        if (t->kind >= SINGLE && o != ADD) return 0;
        if (!strcmp(t->name, "s64") && o == ADD) return 0;
    } else if (o >= AND) return 0;
    if (*acc && (o != ADD || !narrow || strcmp(acc, eight ? "f16" : "f32"))) return 0;
    if (a == CHANGE && (eight || (narrow && vector == 1 && o != ADD))) return 0;
    if (vector > 1 && !narrow && t->kind != SINGLE) return 0;
    return bits == 32 || bits == 128 || (bits == 64 && (vector > 1 || t->word == 8));
}

static void put(char **t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(char **t, const char *format, ...)
{
    va_list a;
    va_start(a, format);
    *t += vsprintf(*t, format, a);
    va_end(a);
}

static const char *register_of(int word) { return word == 1 ? "%b" : word == 2 ? "%h" : word == 4 ? "%r" : "%q"; }

static void write_kernel(char **t, int number)
{
    struct variant *v = &variants[number];
    static const char *const orders[3][5] = { { "", ".weak", ".relaxed.cta", ".relaxed.sys.global", ".acquire.gpu" },
                                              { "", ".weak.global", ".relaxed.cluster", ".release.sys.global", ".release.gpu" },
                                              { "", ".global", ".relaxed.cta", ".release.sys.global", ".relaxed.gpu" } };
    char list[160], *l = list;
    const char *r = register_of(v->type->word);
    for (int i = 0; i < v->vector; i++) put(&l, "%s%s%d", i ? "," : v->vector > 1 ? "{" : "", r, i);
    if (v->vector > 1) put(&l, "}");
    l = v->name;
    put(&l, "multimem.%s%s", action_names[v->action], orders[v->action][number % 5]);
    if (v->action != STORE) put(&l, ".%s", operation_names[v->operation]);
    if (*v->acc) put(&l, ".acc::%s", v->acc);
    if (v->vector > 1) put(&l, ".v%d", v->vector);
    put(&l, ".%s", v->type->name);
    put(t, ".visible .entry k%d(.param .u64 p, .param .u64 q) {\n"
           ".reg .b64 %%a<4>; .reg .b32 %%t; .reg .b8 %%b<9>; .reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%q<9>;\n"
           "ld.param.u64 %%a0, [p]; ld.param.u64 %%a1, [q]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%a2, %%t, %d;\n"
           "add.u64 %%a0, %%a0, %%a2; add.u64 %%a1, %%a1, %%a2;\n", number, PIECE);
    if (v->action == LOAD) {
        put(t, "%s %s, [%%a0];\n", v->name, list);
        for (int i = 0; i < v->vector; i++) put(t, "st.global.b%d [%%a1+%d], %s%d;\n", v->type->word * 8, i * v->type->word, r, i);
    } else {
        for (int i = 0; i < v->vector; i++) put(t, "ld.global.b%d %s%d, [%%a1+%d];\n", v->type->word * 8, r, i, i * v->type->word);
        put(t, "%s [%%a0], %s;\n", v->name, list);
    }
    put(t, "ret; }\n");
}

static uint64_t seed = 88172645463325252u;
static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* Numbers of every kind; of f64, of which the sign and the rest of what is no number are another matter, numbers alone. */
static uint64_t any(const struct type *t)
{
    uint64_t x = random_bits(), choice = random_bits() % 8;
    if (t->kind == DOUBLE) {
        double f = ldexp((double)(int64_t)x, (int)(random_bits() % 40) - 60);
        memcpy(&x, &f, 8);
    } else if (t->kind == SINGLE && choice < 6) {
        float f = ldexpf((float)(int32_t)x, (int)(random_bits() % 30) - (choice == 0 ? 158 : 30));
        uint32_t w;
        memcpy(&w, &f, 4);
        x = w;
    } else if (t->kind == NARROW && choice < 6) {
        x = encode(t->format, ldexp((double)(int32_t)x, (int)(random_bits() % 12) - 34));
    } else if (t->kind < NARROW && choice < 2) {
        x = (int64_t)(random_bits() % 5) - 2;
    }
    return t->value == 8 ? x : x & ((1ull << (t->value * 8)) - 1);
}
static void fill(unsigned char *bytes, const struct type *t)
{
    for (int at = 0; at < BYTES; at += t->value) {
        uint64_t x = any(t);
        memcpy(bytes + at, &x, (size_t)t->value);
    }
}

static int devices;
static CUcontext contexts[MOST];
static CUdeviceptr own[MOST], team, given;

static void map(CUdeviceptr *at, CUmemGenericAllocationHandle handle)
{
    OK(cuMemAddressReserve(at, SIZE, 0, 0, 0));
    OK(cuMemMap(*at, SIZE, 0, handle, 0));
    let_access(*at, SIZE, devices);
    OK(cuMemRelease(handle));
}

static void start(const char *what)
{
    setenv("DOPPEL_DEVICES", what, 1);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&devices));
    if (devices < 2) skip("needs several devices");
    CUmulticastObjectProp prop;
    memset(&prop, 0, sizeof prop);
    prop.numDevices = (unsigned)devices;
    prop.size = SIZE;
    CUmemGenericAllocationHandle object, memory;
    OK(cuMulticastCreate(&object, &prop));
    for (int d = 0; d < devices; d++) OK(cuMulticastAddDevice(object, d));
    for (int d = 0; d < devices; d++) {
        CUmemAllocationProp p;
        memset(&p, 0, sizeof p);
        p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        p.location.id = d;
        OK(cuDevicePrimaryCtxRetain(&contexts[d], d));
        OK(cuMemCreate(&memory, SIZE, &p, 0));
        OK(cuMulticastBindMem(object, 0, memory, 0, SIZE, 0));
        map(&own[d], memory);
    }
    map(&team, object);
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuMemAlloc(&given, BYTES));
}

static int check(int number, CUfunction f)
{
    struct variant *v = &variants[number];
    const struct type *t = v->type;
    static unsigned char before[MOST][BYTES], after[BYTES], want[BYTES], values[BYTES];
    int used = v->vector * t->word;
    for (int d = 0; d < devices; d++) {
        fill(before[d], t);
        OK(cuMemcpyHtoD(own[d], before[d], BYTES));
    }
    fill(values, t);
    OK(cuMemcpyHtoD(given, values, BYTES));
    void *arguments[] = { &team, &given };
    OK(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, arguments, NULL));
    OK(cuCtxSynchronize());
    for (int d = 0; d < (v->action == LOAD ? 1 : devices); d++) {
        memcpy(want, v->action == LOAD ? values : before[d], BYTES);
        for (int lane = 0; lane < LANES; lane++) {
            for (int at = lane * PIECE; at < lane * PIECE + used; at += t->value) {
                uint64_t all[MOST] = { 0 }, result;
                for (int e = 0; e < devices; e++) memcpy(&all[e], before[e] + at, (size_t)t->value);
                uint64_t x = 0;
                memcpy(&x, values + at, (size_t)t->value);
                if (v->action == LOAD) result = together(t, v->operation, v->acc, 0, all, devices);
                else if (v->action == STORE) result = x;
                else result = together(t, v->operation, "", 1, (uint64_t[]){ all[d], x }, 2);
                memcpy(want + at, &result, (size_t)t->value);
            }
        }
        OK(cuMemcpyDtoH(after, v->action == LOAD ? given : own[d], BYTES));
        for (int at = 0; at < BYTES; at++) {
            if (after[at] == want[at]) continue;
            printf("%s: device %d, byte %d: %02x, not %02x\n", v->name, d, at, after[at], want[at]);
            return 0;
        }
    }
    return 1;
}

static void all(const char *target, int from, int to)
{
    char *text = malloc(2 << 20), *t = text, name[16];
    CUmodule module;
    CUfunction f;
    int good[3] = { 0 };
    put(&t, ".version 8.6\n.target %s\n.address_size 64\n", target);
    count = 0;
    for (int action = 0; action < 3; action++)
        for (int n = from; n < to; n++)
            for (int o = 0; o < OPERATIONS; o++)
                for (int a = 0; a < 3; a++)
                    for (int vector = 1; vector <= 8; vector *= 2) {
                        const char *acc = a == 0 ? "" : a == 1 ? "f32" : "f16";
                        if (!is_valid((enum action)action, (enum operation)o, acc, &types[n], vector)) continue;
                        variants[count] = (struct variant){ (enum action)action, (enum operation)o, acc, &types[n], vector, "" };
                        write_kernel(&t, count++);
                    }
    CUresult r = cuModuleLoadData(&module, text);
    printf("%d kernels: %s\n", count, full_name(r));
    if (r) return;
    for (int n = 0; n < count; n++) {
        sprintf(name, "k%d", n);
        OK(cuModuleGetFunction(&f, module, name));
        good[variants[n].action] += check(n, f);
    }
    for (int action = 0; action < 3; action++) printf("%s: %d as the model\n", action_names[action], good[action]);
    OK(cuModuleUnload(module));
    free(text);
}

/* Bulk copies, and bulk reductions of several types. */
static void bulk(void)
{
    static const struct { const char *name; int type, operation; } some[] = {
        { NULL, 0, 0 }, { "add.u32", 1, ADD }, { "min.s32", 2, MIN }, { "max.u64", 4, MAX }, { "xor.b64", 3, XOR }, { "add.f64", 7, ADD },
        { "add.noftz.f16", 8, ADD }, { "max.bf16", 10, MAX }, { "min.f16", 8, MIN } };
    static unsigned char before[MOST][BYTES], values[BYTES], after[BYTES];
    int good = 0, all = (int)(sizeof some / sizeof *some);
    for (int n = 0; n < all; n++) {
        char text[3000], *t = text;
        CUmodule module;
        CUfunction f;
        const struct type *type = &types[some[n].type];
        put(&t, ".version 9.1\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q) {\n"
                ".reg .b64 %%a<4>; .reg .b32 %%r<8>; .reg .pred %%p; .shared .align 16 .b8 s[%d];\n"
                "ld.param.u64 %%a0, [p]; ld.param.u64 %%a1, [q]; mov.u32 %%r0, %%tid.x; mul.wide.u32 %%a2, %%r0, 16; add.u64 %%a1, %%a1, %%a2;\n"
                "mov.u32 %%r1, s; shl.b32 %%r2, %%r0, 4; add.u32 %%r2, %%r1, %%r2;\n"
                "ld.global.v4.u32 {%%r3,%%r4,%%r5,%%r6}, [%%a1]; st.shared.v4.u32 [%%r2], {%%r3,%%r4,%%r5,%%r6};\n"
                "fence.proxy.async; bar.sync 0; setp.ne.u32 %%p, %%r0, 0; @%%p bra E;\n", BYTES);
        if (some[n].name) put(&t, "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%%a0], [%%r1], %d;\n", some[n].name, BYTES);
        else put(&t, "multimem.cp.async.bulk.global.shared::cta.bulk_group [%%a0], [%%r1], %d;\n", BYTES);
        put(&t, "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE: ret; }\n");
        OK(cuModuleLoadData(&module, text));
        OK(cuModuleGetFunction(&f, module, "k"));
        for (int d = 0; d < devices; d++) {
            fill(before[d], type);
            OK(cuMemcpyHtoD(own[d], before[d], BYTES));
        }
        fill(values, type);
        OK(cuMemcpyHtoD(given, values, BYTES));
        void *arguments[] = { &team, &given };
        OK(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, arguments, NULL));
        OK(cuCtxSynchronize());
        int fine = 1;
        for (int d = 0; d < devices && fine; d++) {
            OK(cuMemcpyDtoH(after, own[d], BYTES));
            for (int at = 0; at < BYTES && fine; at += type->value) {
                uint64_t pair[2] = { 0, 0 }, got = 0, want;
                memcpy(&pair[0], before[d] + at, (size_t)type->value);
                memcpy(&pair[1], values + at, (size_t)type->value);
                memcpy(&got, after + at, (size_t)type->value);
                want = some[n].name ? together(type, (enum operation)some[n].operation, "", 0, pair, 2) : pair[1];
                if (type->value < 8) want &= (1ull << (type->value * 8)) - 1;
                if (got != want) printf("%s: device %d, byte %d: %llx, not %llx\n", some[n].name ? some[n].name : "copy", d, at, (unsigned long long)got, (unsigned long long)want);
                fine = got == want;
            }
        }
        good += fine;
        OK(cuModuleUnload(module));
    }
    printf("bulk: %d of %d as the model\n", good, all);
}

/* All devices add to the same words at once: nothing gets lost, on any of them. */
static void contention(void)
{
    static const char text[] =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .b64 %a<2>; .reg .b32 %r<3>; .reg .pred %p;\nld.param.u64 %a0, [p]; mov.u32 %r0, 0;\n"
        "L: multimem.red.relaxed.sys.global.add.u32 [%a0], 3; multimem.red.relaxed.sys.global.add.v2.f32 [%a0+8], {0f3f800000, 0f40000000};\n"
        "add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, 5; @%p bra L;\nret; }\n";
    CUmodule module[MOST];
    CUfunction f[MOST];
    OK(cuMemsetD8(team, 0, 64));
    for (int d = 0; d < devices; d++) {
        OK(cuCtxSetCurrent(contexts[d]));
        OK(cuModuleLoadData(&module[d], text));
        OK(cuModuleGetFunction(&f[d], module[d], "k"));
        void *arguments[] = { &team };
        OK(cuLaunchKernel(f[d], 3, 1, 1, 50, 1, 1, 0, NULL, arguments, NULL));
    }
    for (int d = 0; d < devices; d++) {
        OK(cuCtxSetCurrent(contexts[d]));
        OK(cuCtxSynchronize());
    }
    for (int d = 0; d < devices; d++) {
        struct { unsigned a, none; float b, c; } sums;
        OK(cuMemcpyDtoH(&sums, own[d], sizeof sums));
        printf("device %d: %u %g %g\n", d, sums.a, sums.b, sums.c);
        OK(cuModuleUnload(module[d]));
    }
    OK(cuCtxSetCurrent(contexts[0]));
}

static void hopper(void)
{
    start("4");
    all("sm_90", 0, 12);
    bulk();
    contention();
}
static void eight(void)
{
    start("8");
    all("sm_90", 6, 12);
}
static void blackwell(void)
{
    start("cc100,cc100,cc100");
    all("sm_100a", 12, 18);
}

int main(void)
{
    apart("four devices", hopper);
    apart("eight devices", eight);
    apart("numbers of eight bits", blackwell);
    return 0;
}
