/* Matrix instructions: every form is run on several kinds of numbers, and a sum over the bits of the results is printed.
 * With an argument the results themselves are printed. */
#include <cuda.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS = 4, SLOTS = 64, KINDS = 6 };

/* Operands: type of an element, registers of 32 bits (of 64 for 'd') that a lane holds. */
struct operand {
    char type;
    int count;
};

struct form {
    const char *text;
    struct operand a, b, c;
    char d;
    int results;
    char meta; /* metadata of a sparse product: '4' two of four, '2' one of two */
    int selector;
};

static int full;

static void ok(CUresult r, const char *what)
{
    const char *name = "?";
    if (!r) return;
    cuGetErrorName(r, &name);
    printf("%s: %s\n", what, name);
    exit(1);
}

static uint64_t state;
static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) ^ (uint32_t)(state >> 13 & 1) << 31;
}

/* Bits of a number with `e` bits of exponent and `m` of fraction. */
static uint64_t number(int e, int m, int kind)
{
    uint64_t sign = next() & 1, fraction = ((uint64_t)next() << 32 | next()) & ((1ull << m) - 1);
    int bias = (1 << (e - 1)) - 1, most = (1 << e) - 1, span = e < 5 ? 3 : 12, exponent;
    if (kind == 0) {
        /* Small integers. */
        int v = (int)(next() % 4);
        if (!v) return sign << (e + m);
        exponent = bias + (v > 1);
        fraction = v == 3 ? 1ull << (m - 1) : 0;
    } else if (kind == 1)
        exponent = bias - 2 + (int)(next() % 5);
    else if (kind == 2)
        exponent = bias - span + (int)(next() % (unsigned)(2 * span + 1));
    else if (kind == 3)
        exponent = next() % 16 ? (int)(next() % 3) : bias + (int)(next() % 3);
    else if (kind == 5)
        /* Products that are too large. */
        exponent = m == 23 ? most - 1 - (int)(next() % 3) : bias + (most - 1 - bias) / 2 - 1 + (int)(next() % 4);
    else
        exponent = next() % 24 ? bias + (int)(next() % 6) : most;
    if (exponent == most && next() % 3) fraction = 0;
    return sign << (e + m) | (uint64_t)exponent << m | fraction;
}

static void fill(uint64_t *words, struct operand o, int kind)
{
    for (int i = 0; i < o.count; i++) {
        uint64_t w = 0;
        switch (o.type) {
        case 'h': w = number(5, 10, kind) | number(5, 10, kind) << 16; break;
        case 'b': w = number(8, 7, kind) | number(8, 7, kind) << 16; break;
        /* Bits below those of a tf32 number have no meaning. */
        case 't': w = number(8, 10, kind) << 13 | (kind == 5 ? next() & 0x1fff : 0); break;
        case 'f': w = number(8, 23, kind); break;
        case 'd': w = number(11, 52, kind); break;
        case '4': for (int k = 0; k < 32; k += 8) w |= number(4, 3, kind) << k; break;
        case '5': for (int k = 0; k < 32; k += 8) w |= number(5, 2, kind) << k; break;
        case 's': w = kind == 0 ? next() & 0x03030303 : next(); break;
        default: w = kind == 4 ? (next() & 1 ? 0x7fffff00u : 0x80000100u) : next(); break;
        }
        words[i] = w;
    }
}

static char ptx[1 << 18];
static size_t length;
static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(ptx + length, sizeof ptx - length, format, list);
    va_end(list);
}

static void list(const char *name, int count)
{
    put("{");
    for (int i = 0; i < count; i++) put("%s%%%s%d", i ? "," : "", name, i);
    put("}");
}

static void head(void)
{
    length = 0;
    put(".version 8.7\n.target sm_90a\n.address_size 64\n");
}

/* A kernel: every lane has `SLOTS` words of 64 bits, read before `body` and written behind it. */
static void begin(int n)
{
    put(".visible .entry k%d(.param .u64 in, .param .u64 out) {\n"
        ".reg .b32 %%r<32>, %%a<32>, %%b<32>, %%c<32>, %%d<32>; .reg .b64 %%l<16>, %%A<32>, %%B<32>, %%C<32>, %%D<32>; .reg .pred %%p<4>;\n"
        ".shared .align 1024 .b8 s[16384];\n"
        "ld.param.u64 %%l0, [in]; ld.param.u64 %%l1, [out]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mad.lo.u32 %%r1, %%r1, 32, %%r0;\n"
        "mul.wide.u32 %%l2, %%r1, %d; add.u64 %%l0, %%l0, %%l2; add.u64 %%l1, %%l1, %%l2;\n", n, SLOTS * 8);
}

static void move(const char *how, const char *name, char type, int count, int slot)
{
    int wide = type == 'd';
    for (int i = 0; i < count; i++) {
        if (*how == 'l') put("ld.global.b%d %%%c%d, [%%l0+%d];\n", wide ? 64 : 32, wide ? *name - 32 : *name, i, (slot + i) * 8);
        else put("st.global.b%d [%%l1+%d], %%%c%d;\n", wide ? 64 : 32, (slot + i) * 8, wide ? *name - 32 : *name, i);
    }
}

static void mma(int n, const struct form *f)
{
    const struct operand *all[] = { &f->a, &f->b, &f->c };
    begin(n);
    for (int o = 0; o < 3; o++) move("ld", &"abc"[o], all[o]->type, all[o]->count, o * 16);
    if (f->meta) put("ld.global.b32 %%r2, [%%l0+%d];\n", 48 * 8);
    put("%s ", f->text);
    list(f->d == 'd' ? "D" : "d", f->results), put(",");
    list(f->a.type == 'd' ? "A" : "a", f->a.count), put(",");
    list(f->b.type == 'd' ? "B" : "b", f->b.count), put(",");
    list(f->c.type == 'd' ? "C" : "c", f->c.count);
    if (f->meta) put(", %%r2, 0x%x", f->selector);
    put(";\n");
    move("st", "d", f->d, f->results, 0);
    put("ret; }\n");
}

static const struct form forms[] = {
#define MMA "mma.sync.aligned."
#define SP "mma.sp::ordered_metadata.sync.aligned."
    { MMA "m8n8k4.row.col.f32.f16.f16.f32", { 'h', 2 }, { 'h', 2 }, { 'f', 8 }, 'f', 8, 0, 0 },
    { MMA "m8n8k4.col.row.f32.f16.f16.f32", { 'h', 2 }, { 'h', 2 }, { 'f', 8 }, 'f', 8, 0, 0 },
    { MMA "m8n8k4.row.row.f16.f16.f16.f16", { 'h', 2 }, { 'h', 2 }, { 'h', 4 }, 'h', 4, 0, 0 },
    { MMA "m8n8k4.col.col.f32.f16.f16.f16", { 'h', 2 }, { 'h', 2 }, { 'h', 4 }, 'f', 8, 0, 0 },
    { MMA "m16n8k8.row.col.f32.f16.f16.f32", { 'h', 2 }, { 'h', 1 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k8.row.col.f16.f16.f16.f16", { 'h', 2 }, { 'h', 1 }, { 'h', 2 }, 'h', 2, 0, 0 },
    { MMA "m16n8k16.row.col.f32.f16.f16.f32", { 'h', 4 }, { 'h', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k16.row.col.f16.f16.f16.f16", { 'h', 4 }, { 'h', 2 }, { 'h', 2 }, 'h', 2, 0, 0 },
    { MMA "m16n8k8.row.col.f32.bf16.bf16.f32", { 'b', 2 }, { 'b', 1 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k16.row.col.f32.bf16.bf16.f32", { 'b', 4 }, { 'b', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k4.row.col.f32.tf32.tf32.f32", { 't', 2 }, { 't', 1 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k8.row.col.f32.tf32.tf32.f32", { 't', 4 }, { 't', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m8n8k4.row.col.f64.f64.f64.f64", { 'd', 1 }, { 'd', 1 }, { 'd', 2 }, 'd', 2, 0, 0 },
    { MMA "m16n8k4.row.col.f64.f64.f64.f64", { 'd', 2 }, { 'd', 1 }, { 'd', 4 }, 'd', 4, 0, 0 },
    { MMA "m16n8k8.row.col.f64.f64.f64.f64", { 'd', 4 }, { 'd', 2 }, { 'd', 4 }, 'd', 4, 0, 0 },
    { MMA "m16n8k16.row.col.f64.f64.f64.f64", { 'd', 8 }, { 'd', 4 }, { 'd', 4 }, 'd', 4, 0, 0 },
    { MMA "m8n8k4.row.col.rz.f64.f64.f64.f64", { 'd', 1 }, { 'd', 1 }, { 'd', 2 }, 'd', 2, 0, 0 },
    { MMA "m16n8k32.row.col.f32.e4m3.e4m3.f32", { '4', 4 }, { '4', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k32.row.col.f32.e4m3.e5m2.f32", { '4', 4 }, { '5', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k32.row.col.f32.e5m2.e4m3.f32", { '5', 4 }, { '4', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k32.row.col.f32.e5m2.e5m2.f32", { '5', 4 }, { '5', 2 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k16.row.col.f32.e4m3.e5m2.f32", { '4', 2 }, { '5', 1 }, { 'f', 4 }, 'f', 4, 0, 0 },
    { MMA "m16n8k32.row.col.f16.e4m3.e5m2.f16", { '4', 4 }, { '5', 2 }, { 'h', 2 }, 'h', 2, 0, 0 },
    { MMA "m16n8k16.row.col.f16.e5m2.e4m3.f16", { '5', 2 }, { '4', 1 }, { 'h', 2 }, 'h', 2, 0, 0 },
    { MMA "m8n8k16.row.col.s32.s8.u8.s32", { 's', 1 }, { 's', 1 }, { 'i', 2 }, 'i', 2, 0, 0 },
    { MMA "m16n8k16.row.col.s32.u8.s8.s32", { 's', 2 }, { 's', 1 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m16n8k32.row.col.s32.s8.s8.s32", { 's', 4 }, { 's', 2 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m16n8k32.row.col.satfinite.s32.u8.u8.s32", { 's', 4 }, { 's', 2 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m8n8k16.row.col.satfinite.s32.s8.s8.s32", { 's', 1 }, { 's', 1 }, { 'i', 2 }, 'i', 2, 0, 0 },
    { MMA "m8n8k32.row.col.s32.s4.u4.s32", { 's', 1 }, { 's', 1 }, { 'i', 2 }, 'i', 2, 0, 0 },
    { MMA "m16n8k32.row.col.s32.u4.s4.s32", { 's', 2 }, { 's', 1 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m16n8k64.row.col.satfinite.s32.s4.s4.s32", { 's', 4 }, { 's', 2 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", { 's', 1 }, { 's', 1 }, { 'i', 2 }, 'i', 2, 0, 0 },
    { MMA "m16n8k128.row.col.s32.b1.b1.s32.and.popc", { 's', 2 }, { 's', 1 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m16n8k256.row.col.s32.b1.b1.s32.and.popc", { 's', 4 }, { 's', 2 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { MMA "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", { 's', 4 }, { 's', 2 }, { 'i', 4 }, 'i', 4, 0, 0 },
    { SP "m16n8k16.row.col.f32.f16.f16.f32", { 'h', 2 }, { 'h', 2 }, { 'f', 4 }, 'f', 4, '4', 0 },
    { SP "m16n8k16.row.col.f16.f16.f16.f16", { 'h', 2 }, { 'h', 2 }, { 'h', 2 }, 'h', 2, '4', 3 },
    { SP "m16n8k32.row.col.f32.f16.f16.f32", { 'h', 4 }, { 'h', 4 }, { 'f', 4 }, 'f', 4, '4', 0 },
    { SP "m16n8k32.row.col.f32.bf16.bf16.f32", { 'b', 4 }, { 'b', 4 }, { 'f', 4 }, 'f', 4, '4', 1 },
    { SP "m16n8k8.row.col.f32.tf32.tf32.f32", { 't', 2 }, { 't', 2 }, { 'f', 4 }, 'f', 4, '2', 2 },
    { SP "m16n8k16.row.col.f32.tf32.tf32.f32", { 't', 4 }, { 't', 4 }, { 'f', 4 }, 'f', 4, '2', 1 },
    { SP "m16n8k32.row.col.s32.s8.s8.s32", { 's', 2 }, { 's', 2 }, { 'i', 4 }, 'i', 4, '4', 1 },
    { SP "m16n8k64.row.col.s32.s8.u8.s32", { 's', 4 }, { 's', 4 }, { 'i', 4 }, 'i', 4, '4', 0 },
    { SP "m16n8k64.row.col.s32.s4.s4.s32", { 's', 2 }, { 's', 2 }, { 'i', 4 }, 'i', 4, '4', 0 },
    { SP "m16n8k128.row.col.s32.u4.s4.s32", { 's', 4 }, { 's', 4 }, { 'i', 4 }, 'i', 4, '4', 0 },
    { SP "m16n8k64.row.col.f32.e4m3.e5m2.f32", { '4', 4 }, { '5', 4 }, { 'f', 4 }, 'f', 4, '4', 0 },
    { "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", { 'h', 2 }, { 'h', 2 }, { 'f', 4 }, 'f', 4, '4', 1 },
};

static CUdeviceptr in, out;
static uint64_t from[WARPS * 32 * SLOTS], to[WARPS * 32 * SLOTS];

/* Runs a kernel on what is in `from`; prints `count` words of each lane, or their sum. */
static void run(CUmodule m, int n, const char *title, int kind, int count)
{
    char name[16];
    CUfunction f;
    void *args[] = { &in, &out };
    uint64_t sum = 0xcbf29ce484222325u;
    snprintf(name, sizeof name, "k%d", n);
    ok(cuModuleGetFunction(&f, m, name), title);
    ok(cuMemcpyHtoD(in, from, sizeof from), "copy");
    ok(cuMemsetD8(out, 0, sizeof to), "set");
    ok(cuLaunchKernel(f, WARPS, 1, 1, 32, 1, 1, 0, 0, args, NULL), title);
    ok(cuMemcpyDtoH(to, out, sizeof to), title);
    if (full) printf("%s kind %d\n", title, kind);
    for (int lane = 0; lane < WARPS * 32; lane++) {
        if (full) printf("%d:", lane);
        for (int i = 0; i < count; i++) {
            uint64_t w = to[lane * SLOTS + i];
            for (int k = 0; k < 64; k += 8) sum = (sum ^ (w >> k & 255)) * 0x100000001b3u;
            if (full) printf(" %llx", (unsigned long long)w);
        }
        if (full) printf("\n");
    }
    if (!full) printf("%s%016llx", kind ? " " : ": ", (unsigned long long)sum);
}

static CUresult load(CUmodule *m)
{
    static char log[8192];
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    CUresult r = cuModuleLoadDataEx(m, ptx, 2, options, values);
    if (r) fprintf(stderr, "%s\n", log);
    return r;
}

static void products(void)
{
    static const uint8_t two[] = { 0x4, 0x8, 0x9, 0xc, 0xd, 0xe }, one[] = { 0x4, 0xe };
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        const struct form *f = &forms[n];
        CUmodule m;
        head();
        mma(0, f);
        if (!full) printf("%s", f->text);
        CUresult r = load(&m);
        if (r) { printf(" not loaded\n"); continue; }
        for (int kind = 0; kind < KINDS; kind++) {
            state = n * 8 + (size_t)kind + 1;
            memset(from, 0, sizeof from);
            for (int lane = 0; lane < WARPS * 32; lane++) {
                uint64_t *w = from + lane * SLOTS;
                fill(w, f->a, kind), fill(w + 16, f->b, kind), fill(w + 32, f->c, kind);
                for (int k = 0; k < 32 && f->meta; k += 4) w[48] |= (uint64_t)(f->meta == '4' ? two[next() % 6] : one[next() % 2]) << k;
            }
            run(m, 0, f->text, kind, f->results);
        }
        if (!full) printf("\n");
        cuModuleUnload(m);
    }
}

/* Fragments: shared memory is filled with what lanes hold, then one form moves it. */
static void fragments(void)
{
    static const struct { const char *text; int store, results; } all[] = {
        { "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%r4];", 0, 1 },
        { "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%d0,%d1}, [%r4];", 0, 2 },
        { "ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%d0,%d1,%d2,%d3}, [%r4];", 0, 4 },
        { "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%d0}, [%r4];", 0, 1 },
        { "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%d0,%d1}, [%r4];", 0, 2 },
        { "ldmatrix.sync.aligned.m8n8.x4.trans.b16 {%d0,%d1,%d2,%d3}, [%l4];", 0, 4 },
        { "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%a0};", 1, 16 },
        { "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r4], {%a0,%a1};", 1, 16 },
        { "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r4], {%a0,%a1,%a2,%a3};", 1, 16 },
        { "stmatrix.sync.aligned.m8n8.x4.trans.b16 [%l4], {%a0,%a1,%a2,%a3};", 1, 16 },
        { "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;", 0, 1 },
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        CUmodule m;
        head();
        begin(0);
        move("ld", "a", 'i', 16, 0);
        /* Rows of 16 bytes, in an order of their own. */
        put("mov.u32 %%r3, s; mul.lo.u32 %%r4, %%r0, 64; add.u32 %%r4, %%r4, %%r3;\n");
        for (int i = 0; i < 16; i++) put("st.shared.b32 [%%r4+%d], %%a%d;\n", i * 4, i);
        put("bar.sync 0; mul.lo.u32 %%r4, %%r0, 13; and.b32 %%r4, %%r4, 31; mul.lo.u32 %%r4, %%r4, 48; add.u32 %%r4, %%r4, %%r3;\n"
            "cvt.u64.u32 %%l4, %%r4; cvta.shared.u64 %%l4, %%l4;\n%s\n", all[n].text);
        if (all[n].store) {
            put("bar.sync 0; mul.lo.u32 %%r4, %%r0, 64; add.u32 %%r4, %%r4, %%r3;\n");
            for (int i = 0; i < 16; i++) put("ld.shared.b32 %%d%d, [%%r4+%d];\n", i, i * 4);
        }
        move("st", "d", 'i', all[n].results, 0);
        put("ret; }\n");
        if (!full) printf("%.*s", (int)strcspn(all[n].text, " "), all[n].text);
        if (load(&m)) { printf(" not loaded\n"); continue; }
        state = 77 + n;
        for (int i = 0; i < WARPS * 32 * SLOTS; i++) from[i] = next();
        run(m, 0, all[n].text, 0, all[n].results);
        if (!full) printf("\n");
        cuModuleUnload(m);
    }
}

/* wmma: a product from loads to the store, and what a load gives where that is known. */
static void whole(void)
{
    struct shape { const char *shape; int m, n, k; };
    static const struct { const char *mma, *ab, *c, *d, *shapes; char a, b, ctype, dtype; int na, nb, nc, nd, bits; } all[] = {
        { "f32.f32", "f16", "f32", "f32", "abc", 'h', 'h', 'f', 'f', 8, 8, 8, 8, 16 },
        { "f16.f16", "f16", "f16", "f16", "abc", 'h', 'h', 'h', 'h', 8, 8, 4, 4, 16 },
        { "f32.f16", "f16", "f16", "f32", "abc", 'h', 'h', 'h', 'f', 8, 8, 4, 8, 16 },
        { "f16.f32", "f16", "f32", "f16", "abc", 'h', 'h', 'f', 'h', 8, 8, 8, 4, 16 },
        { "f32.bf16.bf16.f32", "bf16", "f32", "f32", "abc", 'b', 'b', 'f', 'f', 4, 4, 8, 8, 16 },
        { "s32.s8.s8.s32", "s8", "s32", "s32", "abc", 's', 's', 'i', 'i', 2, 2, 8, 8, 8 },
        { "s32.u8.u8.s32.satfinite", "u8", "s32", "s32", "abc", 's', 's', 'i', 'i', 2, 2, 8, 8, 8 },
        { "f32.tf32.tf32.f32", "tf32", "f32", "f32", "d", 't', 't', 'f', 'f', 4, 4, 8, 8, 32 },
        { "f64.f64.f64.f64", "f64", "f64", "f64", "e", 'd', 'd', 'd', 'd', 1, 1, 2, 2, 64 },
        { "s32.s4.s4.s32", "s4", "s32", "s32", "f", 's', 's', 'i', 'i', 1, 1, 2, 2, 4 },
        { "s32.u4.u4.s32", "u4", "s32", "s32", "f", 's', 's', 'i', 'i', 1, 1, 2, 2, 4 },
        { "s32.b1.b1.s32", "b1", "s32", "s32", "g", 's', 's', 'i', 'i', 1, 1, 2, 2, 1 },
    };
    static const struct shape shapes[] = { { "m16n16k16", 16, 16, 16 }, { "m8n32k16", 8, 32, 16 }, { "m32n8k16", 32, 8, 16 }, { "m16n16k8", 16, 16, 8 }, { "m8n8k4", 8, 8, 4 }, { "m8n8k32", 8, 8, 32 }, { "m8n8k128", 8, 8, 128 } };
    static const char *orders[] = { "row", "col" };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (const char *which = all[n].shapes; *which; which++)
            for (int order = 0; order < 4; order++) {
                const struct shape *s = &shapes[*which - 'a'];
                char title[128], a = all[n].a, b = all[n].b, c = all[n].ctype, d = all[n].dtype;
                int na = all[n].na, nb = all[n].nb, row_a = !(order & 1), row_b = order >> 1 & 1;
                /* A number of registers follows from the shape. */
                if (a == 'b' || a == 's') {
                    if (!strcmp(s->shape, "m8n32k16")) na /= 2, nb *= 2;
                    if (!strcmp(s->shape, "m32n8k16")) na *= 2, nb /= 2;
                }
                if (all[n].bits < 8 && order != 0) continue;
                int pad = 128 / all[n].bits, stride_a = (row_a ? s->k : s->m) + pad, stride_b = (row_b ? s->n : s->k) + pad, stride_d = s->n + (all[n].bits == 64 ? 2 : 8);
                if (all[n].bits < 8) stride_a = stride_b = 2 * s->k;
                CUmodule m;
                head();
                begin(0);
                put("sub.u64 %%l0, %%l0, %%l2; sub.u64 %%l1, %%l1, %%l2;\n");
                const char *oa = orders[!row_a], *ob = orders[!row_b], *xor = "";
                if (all[n].bits == 1) xor = ".and.popc";
                put("wmma.load.a.sync.aligned.%s.%s.global.%s ", oa, s->shape, all[n].ab);
                list(a == 'd' ? "A" : "a", na), put(", [%%l0], %d;\n", stride_a);
                put("add.u64 %%l3, %%l0, 4096;\nwmma.load.b.sync.aligned.%s.%s.%s ", ob, s->shape, all[n].ab);
                list(b == 'd' ? "B" : "b", nb), put(", [%%l3], %d;\n", stride_b);
                put("add.u64 %%l3, %%l0, 8192;\nwmma.load.c.sync.aligned.%s.%s.global.%s ", oa, s->shape, all[n].c);
                list(c == 'd' ? "C" : "c", all[n].nc), put(", [%%l3], %d;\n", row_a ? stride_d : s->m + 8);
                put("wmma.mma%s.sync.aligned.%s.%s.%s.%s ", xor, oa, ob, s->shape, all[n].mma);
                list(d == 'd' ? "D" : "d", all[n].nd), put(","), list(a == 'd' ? "A" : "a", na), put(","), list(b == 'd' ? "B" : "b", nb), put(","), list(c == 'd' ? "C" : "c", all[n].nc);
                put(";\nwmma.store.d.sync.aligned.%s.%s.global.%s [%%l1], ", ob, s->shape, all[n].d);
                list(d == 'd' ? "D" : "d", all[n].nd), put(", %d;\n", row_b ? stride_d : s->m + 8);
                /* What the lanes hold, too. */
                put("mul.wide.u32 %%l4, %%r0, 256; add.u64 %%l1, %%l1, %%l4;\n");
                move("st", "a", a, na, 1024), move("st", "b", b, nb, 1032), move("st", "c", c, all[n].nc, 1040), move("st", "d", d, all[n].nd, 1048);
                put("ret; }\n");
                snprintf(title, sizeof title, "wmma.%s.%s.%s.%s", oa, ob, s->shape, all[n].mma);
                CUresult r = load(&m);
                if (!full) printf("%s", title);
                if (r) { printf(" not loaded\n"); continue; }
                for (int kind = 0; kind < 2; kind++) {
                    CUfunction f;
                    void *args[] = { &in, &out };
                    uint64_t sum = 0xcbf29ce484222325u;
                    state = n * 64 + (size_t)(order * 8 + kind);
                    memset(from, 0, sizeof from);
                    struct operand one[] = { { a, 1 }, { b, 1 }, { c, 1 } };
                    for (int o = 0; o < 3; o++)
                        for (int i = 0; i < (o < 2 ? 512 : 1024); i++) {
                            uint64_t w;
                            fill(&w, one[o], kind);
                            if (one[o].type == 'd') from[o * 512 + i] = w;
                            else ((uint32_t *)(from + o * 512))[i] = (uint32_t)w;
                        }
                    ok(cuModuleGetFunction(&f, m, "k0"), title);
                    ok(cuMemcpyHtoD(in, from, sizeof from), "copy");
                    ok(cuMemsetD8(out, 0, sizeof to), "set");
                    ok(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, NULL), title);
                    ok(cuMemcpyDtoH(to, out, sizeof to), title);
                    if (full) printf("%s kind %d\n", title, kind);
                    for (int i = 0; i < 1024 + 32 * 32; i++) {
                        for (int k = 0; k < 64; k += 8) if (i < 1024) sum = (sum ^ (to[i] >> k & 255)) * 0x100000001b3u;
                        if (full) printf("%llx%c", (unsigned long long)to[i], i % 32 == 31 ? '\n' : ' ');
                    }
                    if (!full) printf("%s%016llx", kind ? " " : ": ", (unsigned long long)sum);
                }
                if (!full) printf("\n");
                cuModuleUnload(m);
            }
}

/* Products of a warpgroup: A in shared memory or registers, B in shared memory, both full of numbers; what the
 * descriptors say decides which of them are multiplied. */
static void asynchronous(void)
{
    static const struct { const char *type; char a, b, d; int n, registers, lead_a, stride_a, swizzle_a, lead_b, stride_b, swizzle_b; const char *flags; char sparse; int selector, start, base; } all[] = {
        /* K-major without and with swizzling. */
        { "m64n8k16.f32.f16.f16", 'h', 'h', 'f', 8, 0, 2064, 256, 0, 1040, 272, 0, "1, 1, 0, 0", 0, 0, 0, 0 },
        { "m64n64k16.f32.f16.f16", 'h', 'h', 'f', 64, 0, 16, 1024, 1, 16, 1024, 1, "1, 1, 0, 0", 0, 0, 0, 0 },
        { "m64n64k16.f32.f16.f16", 'h', 'h', 'f', 64, 0, 16, 512, 2, 16, 512, 2, "1, 1, 0, 0", 0, 0, 0, 0 },
        { "m64n64k16.f32.f16.f16", 'h', 'h', 'f', 64, 0, 16, 256, 3, 16, 256, 3, "1, 1, 0, 0", 0, 0, 0, 0 },
        { "m64n64k16.f32.f16.f16", 'h', 'h', 'f', 64, 0, 16, 2048, 1, 48, 768, 3, "-1, 1, 0, 0", 0, 0, 0, 0 },
        /* The other order. */
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 560, 1136, 0, 528, 1232, 0, "1, 1, 1, 1", 0, 0, 0, 0 },
        { "m64n128k16.f32.f16.f16", 'h', 'h', 'f', 128, 0, 3072, 1024, 1, 3072, 1024, 1, "1, 1, 1, 1", 0, 0, 0, 0 },
        { "m64n128k16.f32.f16.f16", 'h', 'h', 'f', 128, 0, 1536, 512, 2, 1024, 4096, 2, "1, 1, 1, 1", 0, 0, 0, 0 },
        { "m64n128k16.f32.f16.f16", 'h', 'h', 'f', 128, 0, 768, 256, 3, 512, 4096, 3, "1, 1, 1, 1", 0, 0, 0, 0 },
        { "m64n64k16.f32.bf16.bf16", 'b', 'b', 'f', 64, 0, 16, 1024, 1, 2048, 1024, 1, "1, -1, 0, 1", 0, 0, 0, 0 },
        /* Types, and A in registers. */
        { "m64n32k16.f16.f16.f16", 'h', 'h', 'h', 32, 1, 0, 0, 0, 16, 1024, 1, "1, 1, 0", 0, 0, 0, 0 },
        { "m64n32k16.f32.f16.f16", 'h', 'h', 'f', 32, 1, 0, 0, 0, 1024, 1024, 1, "-1, 1, 1", 0, 0, 0, 0 },
        { "m64n24k8.f32.tf32.tf32", 't', 't', 'f', 24, 0, 16, 1024, 1, 16, 512, 2, "1, 1", 0, 0, 0, 0 },
        { "m64n24k8.f32.tf32.tf32", 't', 't', 'f', 24, 1, 0, 0, 0, 256, 528, 0, "1, 1", 0, 0, 0, 0 },
        { "m64n40k32.f32.e4m3.e5m2", '4', '5', 'f', 40, 0, 16, 1024, 1, 16, 1024, 1, "1, 1", 0, 0, 0, 0 },
        { "m64n40k32.f16.e5m2.e5m2", '5', '5', 'h', 40, 1, 0, 0, 0, 16, 256, 3, "1, -1", 0, 0, 0, 0 },
        { "m64n48k32.s32.s8.u8", 's', 's', 'i', 48, 0, 16, 1024, 1, 512, 1024, 0, "", 0, 0, 0, 0 },
        { "m64n16k32.s32.u8.s8.satfinite", 's', 's', 'i', 16, 1, 0, 0, 0, 16, 1024, 1, "", 0, 0, 0, 0 },
        { "m64n32k256.s32.b1.b1.and.popc", 's', 's', 'i', 32, 0, 16, 1024, 1, 16, 512, 2, "", 0, 0, 0, 0 },
        /* Sparse ones. */
        { "m64n64k32.f32.f16.f16", 'h', 'h', 'f', 64, 0, 16, 1024, 1, 16, 1024, 1, "1, 1, 0, 0", '4', 0, 0, 0 },
        { "m64n64k32.f32.f16.f16", 'h', 'h', 'f', 64, 0, 16, 256, 3, 16, 512, 2, "1, -1, 0, 0", '4', 1, 0, 0 },
        { "m64n32k32.f16.f16.f16", 'h', 'h', 'h', 32, 1, 0, 0, 0, 16, 1024, 1, "1, 1, 0", '4', 1, 0, 0 },
        { "m64n128k32.f32.f16.f16", 'h', 'h', 'f', 128, 0, 1536, 512, 2, 1024, 4096, 1, "1, 1, 1, 1", '4', 0, 0, 0 },
        { "m64n40k32.f32.bf16.bf16", 'b', 'b', 'f', 40, 0, 2064, 256, 0, 1040, 272, 0, "-1, 1, 0, 0", '4', 0, 0, 0 },
        { "m64n24k16.f32.tf32.tf32", 't', 't', 'f', 24, 0, 16, 1024, 1, 16, 1024, 1, "1, 1", '2', 0, 0, 0 },
        { "m64n24k16.f32.tf32.tf32", 't', 't', 'f', 24, 1, 0, 0, 0, 256, 528, 0, "1, 1", '2', 1, 0, 0 },
        { "m64n40k64.f32.e4m3.e5m2", '4', '5', 'f', 40, 0, 16, 1024, 1, 16, 1024, 1, "1, 1", '4', 0, 0, 0 },
        { "m64n40k64.f16.e5m2.e4m3", '5', '4', 'h', 40, 1, 0, 0, 0, 16, 512, 2, "1, -1", '4', 0, 0, 0 },
        { "m64n48k64.s32.s8.u8", 's', 's', 'i', 48, 0, 16, 1024, 1, 512, 1024, 0, "", '4', 0, 0, 0 },
        { "m64n16k64.s32.u8.s8.satfinite", 's', 's', 'i', 16, 1, 0, 0, 0, 16, 1024, 1, "", '4', 0, 0, 0 },
        /* Starts inside of a pattern, with and without the offset that says so. */
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 1024, 1, 16, 256, 3, "1, 1, 0, 0", 0, 0, 32, 0 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 1024, 1, 16, 256, 3, "1, 1, 0, 0", 0, 0, 256, 0 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 1024, 1, 16, 256, 3, "1, 1, 0, 0", 0, 0, 256, 2 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 1024, 1, 16, 256, 3, "1, 1, 0, 0", 0, 0, 384, 1 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 1024, 1, 16, 256, 3, "1, 1, 0, 0", 0, 0, 0, 5 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 512, 2, 16, 256, 3, "1, 1, 0, 0", 0, 0, 128, 1 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 512, 2, 16, 256, 3, "1, 1, 0, 0", 0, 0, 384, 6 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 256, 3, 16, 256, 3, "1, 1, 0, 0", 0, 0, 128, 1 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 2064, 256, 0, 16, 256, 3, "1, 1, 0, 0", 0, 0, 128, 3 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 3072, 1024, 1, 16, 256, 3, "1, 1, 1, 0", 0, 0, 640, 5 },
        { "m64n16k16.f32.f16.f16", 'h', 'h', 'f', 16, 0, 16, 1152, 1, 16, 256, 3, "1, 1, 0, 0", 0, 0, 128, 1 },
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        int count = all[n].d == 'h' ? all[n].n / 4 : all[n].n / 2;
        char title[160];
        CUmodule m;
        head();
        put(".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 da, .param .u64 db, .param .u32 keep) {\n"
            ".reg .b32 %%r<8>, %%a<4>, %%d<64>; .reg .b64 %%l<16>; .reg .pred %%p<3>; .shared .align 1024 .b8 s[32768];\n"
            "ld.param.u64 %%l0, [in]; ld.param.u64 %%l1, [out]; ld.param.u64 %%l2, [da]; ld.param.u64 %%l3, [db]; ld.param.u32 %%r1, [keep]; setp.ne.u32 %%p0, %%r1, 0;\n"
            "mov.u32 %%r0, %%tid.x; mov.u32 %%r2, s; mul.lo.u32 %%r3, %%r0, 4; add.u32 %%r3, %%r3, %%r2; mul.wide.u32 %%l4, %%r0, 4; add.u64 %%l4, %%l4, %%l0; mov.u32 %%r4, 0;\n"
            "L: ld.global.b32 %%r5, [%%l4]; st.shared.b32 [%%r3], %%r5; add.u64 %%l4, %%l4, 512; add.u32 %%r3, %%r3, 512; add.u32 %%r4, %%r4, 1; setp.lt.u32 %%p1, %%r4, 64; @%%p1 bra L;\n"
            "mul.wide.u32 %%l4, %%r0, %d; add.u64 %%l1, %%l1, %%l4; add.u64 %%l0, %%l0, 32768; mul.wide.u32 %%l4, %%r0, 16; add.u64 %%l5, %%l0, %%l4; ld.global.v4.b32 {%%a0,%%a1,%%a2,%%a3}, [%%l5];\n"
            "shr.u32 %%r2, %%r2, 4; cvt.u64.u32 %%l6, %%r2; add.u64 %%l2, %%l2, %%l6; add.u64 %%l3, %%l3, %%l6; mov.u32 %%r6, 0x3f803c00;\n", SLOTS * 8);
        for (int i = 0; i < count; i++) put("ld.global.b32 %%d%d, [%%l0+%d];\n", i, 4096 + i * 4);
        put("mul.wide.u32 %%l4, %%r0, 4; add.u64 %%l5, %%l0, %%l4; ld.global.b32 %%r7, [%%l5+8192];\n");
        put("fence.proxy.async; bar.sync 0; wgmma.fence.sync.aligned; wgmma.mma_async%s.sync.aligned.%s ", all[n].sparse ? ".sp" : "", all[n].type);
        list("d", count);
        if (all[n].registers) put(", {%%a0,%%a1,%%a2,%%a3}");
        else put(", %%l2");
        put(", %%l3, ");
        if (all[n].sparse) put("%%r7, %d, ", all[n].selector);
        put("%%p0%s%s; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n", *all[n].flags ? ", " : "", all[n].flags);
        move("st", "d", 'i', count, 0);
        put("ret; }\n");
        snprintf(title, sizeof title, "wgmma%s %s%s swizzle %d %d start %d base %d: %s", all[n].sparse ? all[n].selector ? ".sp 1" : ".sp 0" : "", all[n].type, all[n].registers ? " registers" : "", all[n].swizzle_a, all[n].swizzle_b, all[n].start,
                 all[n].base, all[n].flags);
        if (!full) printf("%s", title);
        if (load(&m)) { printf(" not loaded\n"); continue; }
        for (int kind = 0; kind < 3; kind++) {
            CUfunction f;
            uint64_t sum = 0xcbf29ce484222325u, da, db;
            uint32_t keep = kind != 1;
            void *args[] = { &in, &out, &da, &db, &keep };
            struct operand a = { all[n].a, 1 }, b = { all[n].b, 1 }, d = { all[n].d, 1 };
            uint32_t *w = (uint32_t *)from;
            state = n * 8 + (size_t)kind;
            memset(from, 0, sizeof from);
            for (int i = 0; i < 4096 + 4096 + 1024 + 64; i++) {
                uint64_t x;
                fill(&x, i < 4096 || (i >= 8192 && i < 9216) ? a : i < 8192 ? b : d, kind);
                w[i] = (uint32_t)x;
            }
            static const uint8_t two[] = { 0x4, 0x8, 0x9, 0xc, 0xd, 0xe }, one[] = { 0x4, 0xe };
            for (int lane = 0; lane < 128 && all[n].sparse; lane++)
                for (int k = 0; k < 32; k += 4) w[8192 + 2048 + lane] |= (uint32_t)(all[n].sparse == '4' ? two[next() % 6] : one[next() % 2]) << k;
            da = (uint64_t)(all[n].start >> 4) | (uint64_t)all[n].base << 49;
            da |= (uint64_t)(all[n].lead_a >> 4) << 16 | (uint64_t)(all[n].stride_a >> 4) << 32 | (uint64_t)all[n].swizzle_a << 62;
            db = 16384 >> 4 | (uint64_t)(all[n].lead_b >> 4) << 16 | (uint64_t)(all[n].stride_b >> 4) << 32 | (uint64_t)all[n].swizzle_b << 62;
            ok(cuModuleGetFunction(&f, m, "k"), title);
            ok(cuMemcpyHtoD(in, from, sizeof from), "copy");
            ok(cuMemsetD8(out, 0, sizeof to), "set");
            ok(cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, 0, args, NULL), title);
            ok(cuMemcpyDtoH(to, out, sizeof to), title);
            if (full) printf("%s kind %d\n", title, kind);
            for (int lane = 0; lane < 128; lane++) {
                if (full) printf("%d:", lane);
                for (int i = 0; i < count; i++) {
                    uint64_t x = to[lane * SLOTS + i];
                    for (int k = 0; k < 64; k += 8) sum = (sum ^ (x >> k & 255)) * 0x100000001b3u;
                    if (full) printf(" %llx", (unsigned long long)x);
                }
                if (full) printf("\n");
            }
            if (!full) printf("%s%016llx", kind ? " " : ": ", (unsigned long long)sum);
        }
        if (!full) printf("\n");
        cuModuleUnload(m);
    }
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    int major = 0;
    (void)argv;
    full = argc > 1;
    ok(cuInit(0), "init");
    ok(cuDeviceGet(&device, 0), "device");
    ok(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "attribute");
    if (major != 9) { printf("skipped: compute capability %d, not 9\n", major); return 77; }
    ok(cuDevicePrimaryCtxRetain(&context, device), "context");
    ok(cuCtxSetCurrent(context), "current");
    ok(cuMemAlloc(&in, sizeof from), "memory");
    ok(cuMemAlloc(&out, sizeof to), "memory");
    products();
    fragments();
    whole();
    asynchronous();
    cuMemFree(in);
    cuMemFree(out);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
