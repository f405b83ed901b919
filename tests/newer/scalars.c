/* Instructions of compute capabilities 10.0 and 12.0 on registers and memory, against models that work out results from the
 * definitions of the formats. */
#include "newer.h"
#include <fenv.h>

static u32 in[1 << 20], out[1 << 20];

/* Singles: at the edges, then any. */
static u32 some_single(unsigned i)
{
    static const u32 edges[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff, 1, 0x80000001,
                                0x7fffff, 0x800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f7fffff, 0x34000000, 0x33ffffff,
                                0x40490fdb, 0x7f000000, 0x1000000, 0x80ffffff, 0xc2fe0000, 0x42800001};
    enum { N = sizeof edges / sizeof *edges };
    return i < N ? edges[i] : draw();
}

static const struct format *const small[] = {&e2m1, &e2m3, &e3m2, &e4m3, &e5m2};

/* How far the numbers of a pair are apart, and where a pair is. */
static int apart_by(const struct format *f)
{
    return f == &e2m1 ? 4 : 8;
}
static const char *pair_of(const struct format *f)
{
    return f == &e2m1 ? "%b1" : "%h1";
}

/* From pairs of small numbers: all of them, also times all powers of two. */
static void widening(void)
{
    char code[400], what[100];
    for (int s = 0; s < 5; s++) {
        const struct format *f = small[s];
        int bits = apart_by(f);
        u32 all = 1u << width(f);
        for (int to = 0; to < 2; to++)
            for (int relu = 0; relu < 2; relu++)
                for (int finite = 0; finite < 2; finite++)
                    for (int scaled = 0; scaled < 2; scaled++) {
                        const struct format *wide = to ? &bf16 : &f16;
                        /* Those that there are. */
                        if (!to && (finite || scaled)) continue;
                        snprintf(what, sizeof what, "cvt.rn%s%s%s.%sx2.%sx2", finite ? ".satfinite" : "", relu ? ".relu" : "",
                                 scaled ? ".scaled::n2::ue8m0" : "", wide->name, f->name);
                        snprintf(code, sizeof code, "cvt.u16.u32 %%h1, %%r1; cvt.u8.u32 %%b1, %%r1; cvt.u16.u32 %%h2, %%r2;\n%s %%r11, %s%s;",
                                 what, pair_of(f), scaled ? ", %h2" : "");
                        unsigned n = scaled ? all * 256 : all * all;
                        for (unsigned i = 0; i < n; i++) {
                            u32 a = i % all, b = scaled ? draw() % all : i / all;
                            in[2 * i] = a | b << bits;
                            in[2 * i + 1] = scaled ? i / all | draw() % 256 << 8 : 0x7f7f;
                        }
                        run(s == 1 ? "120a" : "100f", "", code, 2, 1, in, out, n);
                        for (unsigned i = 0; i < n; i++) {
                            u32 wanted = 0;
                            for (int part = 0; part < 2; part++) {
                                u32 scale = in[2 * i + 1] >> 8 * part & 255;
                                double x = value(f, in[2 * i] >> bits * part);
                                x = scale == 255 ? NAN : ldexp(x, (int)scale - 127);
                                if (relu && signbit(x) && !isnan(x)) x = 0;
                                wanted |= (isnan(x) ? 0x7fff : nearest(wide, x, finite)) << 16 * part;
                            }
                            same(what, out[i], wanted, in + 2 * i, 2);
                        }
                    }
    }
    done("from numbers of four to eight bits");
}

/* To pairs of small numbers: from singles at and around all of them and all middles, and any; from all halves. */
static void narrowing(void)
{
    static const struct format *const halves[] = {&f16, &bf16};
    char code[400], what[100];
    for (int s = 0; s < 5; s++)
        for (int relu = 0; relu < 2; relu++)
            for (int from = 0; from < 3; from++) {
                const struct format *f = small[s];
                unsigned n = 0;
                /* Those that older devices have. */
                snprintf(what, sizeof what, "cvt.rn.satfinite%s.%sx2.%s%s", relu ? ".relu" : "", f->name,
                         from == 2 ? "f32" : halves[from]->name, from == 2 ? "" : "x2");
                snprintf(code, sizeof code,
                         "mov.b32 %%f1, %%r1; mov.b32 %%f2, %%r2; mov.b16 %%h1, 0;\n%s %s, %s; %s", what, pair_of(f),
                         from == 2 ? "%f1, %f2" : "%r1", f == &e2m1 ? "cvt.u32.u8 %r11, %b1;" : "cvt.u32.u16 %r11, %h1;");
                if (from < 2) {
                    for (; n < 1 << 16; n++) in[2 * n] = n | draw() << 16, in[2 * n + 1] = 0;
                } else {
                    for (u32 i = 0; i < 1u << (width(f) - 1); i++)
                        for (int half = 0; half < 2; half++)
                            for (int near = -1; near <= 1; near++)
                                for (int sign = 0; sign < 2; sign++, n++) {
                                    double x = value(f, i), y = value(f, i + 1);
                                    u32 bits = bits_of((float)(half && isfinite(y) ? (x + y) / 2 : x));
                                    in[2 * n] = ((bits + (bits ? near : 0)) & 0x7fffffff) | (u32)sign << 31;
                                    in[2 * n + 1] = some_single(n);
                                }
                    for (unsigned i = 0; i < 20000; i++, n++) in[2 * n] = some_single(i), in[2 * n + 1] = (draw() & 0x87ffffff) + 0x3c000000;
                }
                run(s % 2 ? "120f" : "100a", "", code, 2, 1, in, out, n);
                for (unsigned i = 0; i < n; i++) {
                    u32 wanted = 0;
                    for (int part = 0; part < 2; part++) {
                        double x = from == 2 ? single(in[2 * i + 1 - part]) : value(halves[from], in[2 * i] >> 16 * part & 0xffff);
                        if (relu && signbit(x) && !isnan(x)) x = 0;
                        wanted |= nearest(f, x, 1) << apart_by(f) * part;
                    }
                    same(what, out[i], wanted, in + 2 * i, 2);
                }
            }
    done("to numbers of four to eight bits");
}

/* The power of two next to a magnitude: found by counting up. */
static u32 power(double x, int up, int finite)
{
    u32 n = 0;
    if (isnan(x)) return 255;
    x = fabs(x);
    while (n < 255 && (up ? ldexp(1, (int)n - 127) < x : ldexp(1, (int)n + 1 - 127) <= x)) n++;
    return finite && n == 255 ? 254 : n;
}

static void powers(void)
{
    char code[400], what[100];
    for (int up = 0; up < 2; up++)
        for (int finite = 0; finite < 2; finite++)
            for (int brain = 0; brain < 2; brain++) {
                unsigned n = 0;
                snprintf(what, sizeof what, "cvt.%s%s.ue8m0x2.%s", up ? "rp" : "rz", finite ? ".satfinite" : "", brain ? "bf16x2" : "f32");
                snprintf(code, sizeof code, "mov.b32 %%f1, %%r1; mov.b32 %%f2, %%r2;\n%s %%h1, %s; cvt.u32.u16 %%r11, %%h1;", what,
                         brain ? "%r1" : "%f1, %f2");
                if (brain)
                    for (; n < 1 << 16; n++) in[2 * n] = n | draw() << 16, in[2 * n + 1] = 0;
                else
                    for (u32 exponent = 0; exponent < 256; exponent++)
                        for (int i = 0; i < 16; i++, n++) {
                            static const u32 parts[] = {0, 1, 2, 0x3fffff, 0x400000, 0x400001, 0x7fffff, 0x100000};
                            in[2 * n] = exponent << 23 | parts[i % 8] | (u32)(i / 8) << 31;
                            in[2 * n + 1] = some_single(n);
                        }
                run(brain ? "100f" : "120a", "", code, 2, 1, in, out, n);
                for (unsigned i = 0; i < n; i++) {
                    u32 wanted = 0;
                    for (int part = 0; part < 2; part++) {
                        double x = brain ? value(&bf16, in[2 * i] >> 16 * part & 0xffff) : single(in[2 * i + 1 - part]);
                        wanted |= power(x, up, finite) << 8 * part;
                    }
                    same(what, out[i], wanted, in + 2 * i, 2);
                }
            }
    for (unsigned i = 0; i < 1 << 16; i++) in[i] = i;
    run("100a", "", "cvt.u16.u32 %h1, %r1; cvt.rn.bf16x2.ue8m0x2 %r11, %h1;", 1, 1, in, out, 1 << 16);
    for (unsigned i = 0; i < 1 << 16; i++) {
        u32 wanted = 0;
        for (int part = 0; part < 2; part++) {
            u32 n = i >> 8 * part & 255;
            wanted |= (n == 255 ? 0x7fff : nearest(&bf16, ldexp(1, (int)n - 127), 0)) << 16 * part;
        }
        same("cvt.rn.bf16x2.ue8m0x2", out[i], wanted, in + i, 1);
    }
    done("powers of two");
}

/* Numbers with six bits behind the point. */
static void fixed_point(void)
{
    for (unsigned i = 0; i < 1 << 16; i++) in[2 * i] = i, in[2 * i + 1] = draw();
    run("120a", "", "cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2; cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 %r11, %h1, %h2;", 2, 1, in, out, 1 << 16);
    for (unsigned i = 0; i < 1 << 16; i++) {
        u32 wanted = 0;
        for (int part = 0; part < 2; part++) {
            u32 scale = in[2 * i + 1] >> 8 * part & 255;
            double x = ldexp((int8_t)(i >> 8 * part), (int)scale - 127 - 6);
            wanted |= (scale == 255 ? 0x7fff : nearest(&bf16, x, 0)) << 16 * part;
        }
        same("cvt.bf16x2.s2f6x2", out[i], wanted, in + 2 * i, 2);
    }
    for (unsigned i = 0; i < 20000; i++) in[2 * i] = some_single(i), in[2 * i + 1] = bits_of((float)((int)(draw() % 700) - 350) / 128);
    run("100a", "", "mov.b32 %f1, %r1; mov.b32 %f2, %r2; cvt.rn.satfinite.s2f6x2.f32 %h1, %f1, %f2; cvt.u32.u16 %r11, %h1;", 2, 1, in, out, 20000);
    for (unsigned i = 0; i < 20000; i++) {
        u32 wanted = 0;
        for (int part = 0; part < 2; part++) {
            double x = single(in[2 * i + 1 - part]) * 64.0;
            /* The nearest, of two the even one. */
            double n = isnan(x) || x > 127 ? 127 : x < -128 ? -128 : 2 * floor(x / 2);
            if (fabs(x) < 200) n = x - n > 1.5 ? n + 2 : x - n >= 0.5 && x - n <= 1.5 ? (x - n == 0.5 ? n : x - n == 1.5 ? n + 2 : n + 1) : n;
            wanted |= (u32)(n > 127 ? 127 : (int)n) % 256 << 8 * part;
        }
        same("cvt.s2f6x2.f32", out[i], wanted, in + 2 * i, 2);
    }
    done("fixed point");
}

/* Rounding by random bits: what is cut off, in units of the last place times a power of two, and the bits; a carry goes outward. */
static u32 by_chance(const struct format *f, u32 bits, u32 random, int count, int relu, int finite)
{
    double x = single(bits);
    u32 sign = bits >> 31 << (width(f) - 1), most = largest(f), below = 0, high = most;
    if (isnan(x)) return f->nans ? (1u << (width(f) - 1)) - 1 : most;
    if (relu && sign) return 0;
    x = fabs(x);
    if (isinf(x)) return sign | (f->infinities && !finite ? most + 1 : most);
    if (x >= value(f, most)) below = most;
    else
        while (high - below > 1) {
            u32 middle = (below + high) / 2;
            if (value(f, middle) <= x) below = middle;
            else high = middle;
        }
    double unit = below < most ? value(f, below + 1) - value(f, below) : value(f, most) - value(f, most - 1);
    double part = (x - value(f, below)) / unit;
    u32 up = part >= 1 || part + ldexp(random & ((1u << count) - 1), -count) >= 1;
    if (below + up > most) return sign | (f->infinities && !finite ? most + 1 : most);
    return sign | (below + up);
}

static void chance(void)
{
    static const struct format *const all[] = {&f16, &bf16, &e4m3, &e5m2, &e2m3, &e3m2, &e2m1};
    char code[400], what[100];
    enum { N = 20000 };
    for (int s = 0; s < 7; s++)
        for (int relu = 0; relu < 2; relu++)
            for (int finite = s >= 2; finite < 2; finite++) {
                const struct format *f = all[s];
                snprintf(what, sizeof what, "cvt.rs%s%s.%sx%d.f32", relu ? ".relu" : "", finite ? ".satfinite" : "", f->name, s < 2 ? 2 : 4);
                snprintf(code, sizeof code,
                         "mov.b32 %%f1, %%r1; mov.b32 %%f2, %%r2; mov.b32 %%f3, %%r3; mov.b32 %%f4, %%r4;\n%s %s, %s, %%r5; %s", what,
                         s == 6 ? "%h1" : "%r11", s < 2 ? "%f1, %f2" : "{%f1, %f2, %f3, %f4}", s == 6 ? "cvt.u32.u16 %r11, %h1;" : "");
                for (unsigned i = 0; i < N; i++) {
                    for (int k = 0; k < 4; k++)
                        in[5 * i + k] = k && i % 4 ? bits_of((float)ldexp(draw() / 4294967296.0 - 0.5, (int)(draw() % 14) - 7)) : some_single(i);
                    in[5 * i + 4] = i % 5 ? draw() : i % 2 ? 0 : 0xffffffff;
                }
                run(s % 2 ? "100a" : "100a", "", code, 5, 1, in, out, N);
                for (unsigned i = 0; i < N; i++) {
                    u32 wanted = 0, *x = in + 5 * i, r = x[4];
                    int bits = s < 2 ? 16 : s == 6 ? 4 : 8, count = s == 0 ? 13 : s == 6 ? 8 : 16;
                    for (int k = 0; k < (s < 2 ? 2 : 4); k++) {
                        u32 random = s < 2 ? (k ? r : r >> 16) : s < 6 ? (k < 2 ? r >> 16 : r) : (k < 2 ? r >> 8 : r) >> (k % 2 ? 0 : 16);
                        wanted = wanted << bits | by_chance(f, x[k], random, count, relu, finite);
                    }
                    same(what, out[i], wanted, x, 5);
                }
            }
    done("rounding by random bits");
}

static float flushed(float x)
{
    return x != 0 && fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}
static u32 result(float x)
{
    return isnan(x) ? 0x7fffffff : bits_of(x);
}

/* Singles under a rounding mode. */
static float computed(int operation, int mode, float a, float b, float c)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    volatile float x = a, y = b, z = c, d;
    fesetround(modes[mode]);
    d = operation == 0 ? x + y : operation == 1 ? x - y : operation == 2 ? x * y : fmaf(x, y, z);
    fesetround(FE_TONEAREST);
    return d;
}

static void singles(void)
{
    static const char *const names[] = {"add", "sub", "mul", "fma"}, *const modes[] = {"rn", "rz", "rm", "rp"};
    char code[400], what[100];
    enum { N = 10000 };
    for (unsigned i = 0; i < 6 * N; i++) in[i] = i % 7 ? some_single(draw() % 60) : draw();
    for (int operation = 0; operation < 4; operation++)
        for (int mode = 0; mode < 4; mode++)
            for (int flush = 0; flush < 2; flush++) {
                snprintf(what, sizeof what, "%s.%s%s.f32x2", names[operation], modes[mode], flush ? ".ftz" : "");
                snprintf(code, sizeof code,
                         "mov.b64 %%rd1, {%%r1, %%r2}; mov.b64 %%rd2, {%%r3, %%r4}; mov.b64 %%rd3, {%%r5, %%r6};\n%s %%rd4, %%rd1, %%rd2%s; "
                         "mov.b64 {%%r11, %%r12}, %%rd4;",
                         what, operation == 3 ? ", %rd3" : "");
                run(mode % 2 ? "120" : "100", "", code, 6, 2, in, out, N);
                for (unsigned i = 0; i < 2 * N; i++) {
                    u32 *x = in + i / 2 * 6 + i % 2;
                    float a = single(x[0]), b = single(x[2]), c = single(x[4]);
                    if (flush) a = flushed(a), b = flushed(b), c = flushed(c);
                    float d = computed(operation, mode, a, b, c);
                    if (flush) {
                        /* Would it be below the least normal number if exponents went on? */
                        float e = operation < 2 ? d : computed(operation, mode, a * 0x1p24f, b, c * 0x1p24f) * 0x1p-24f;
                        if (fabsf(d) == 0x1p-126f && operation >= 2 && fabsf(computed(operation, mode, a * 0x1p24f, b, c * 0x1p24f)) < 0x1p-102f) d = copysignf(0, e);
                        d = flushed(d);
                    }
                    same(what, out[i], result(d), in + i / 2 * 6, 6);
                }
            }
    /* Halves and a single. */
    for (int operation = 0; operation < 4; operation++)
        for (int mode = 0; mode < 4; mode++)
            for (int brain = 0; brain < 2; brain++)
                for (int sat = 0; sat < 2; sat++) {
                    const struct format *f = brain ? &bf16 : &f16;
                    if (operation == 2) continue;
                    snprintf(what, sizeof what, "%s.%s%s.f32.%s", names[operation], modes[mode], sat ? ".sat" : "", f->name);
                    snprintf(code, sizeof code, "cvt.u16.u32 %%h1, %%r1; cvt.u16.u32 %%h2, %%r2; mov.b32 %%f1, %%r3;\n%s %%f2, %%h1, %s%%f1; mov.b32 %%r11, %%f2;",
                             what, operation == 3 ? "%h2, " : "");
                    run(brain ? "120" : "100", "", code, 3, 1, in, out, N);
                    for (unsigned i = 0; i < N; i++) {
                        float a = (float)value(f, in[3 * i] & 0xffff), b = (float)value(f, in[3 * i + 1] & 0xffff), c = single(in[3 * i + 2]);
                        float d = operation == 3 ? computed(3, mode, a, b, c) : computed(operation, mode, a, c, 0);
                        if (sat) d = d > 0 ? d < 1 ? d : 1 : 0;
                        same(what, out[i], result(d), in + 3 * i, 3);
                    }
                }
    done("singles in pairs and with halves");
}

/* The least or the largest of two, of zeros by their sign. */
static u32 extreme(u32 a, u32 b, int most, int nan, int magnitude, int flush)
{
    float x = single(a), y = single(b);
    if (magnitude) x = fabsf(x), y = fabsf(y);
    if (flush) x = flushed(x), y = flushed(y);
    if (isnan(x) && isnan(y)) return 0x7fffffff;
    if (isnan(x) || isnan(y)) return nan ? 0x7fffffff : bits_of(isnan(x) ? y : x);
    int first = x < y || (x == y && signbit(x));
    return bits_of(first != most ? x : y);
}

static void extremes(void)
{
    char code[400], what[100];
    enum { N = 16384 };
    for (unsigned i = 0; i < 3 * N; i++) in[i] = some_single(draw() % 40);
    for (int k = 0; k < 32; k++) {
        int most = k & 1, nan = k >> 1 & 1, magnitude = k >> 2 & 1, flush = k >> 3 & 1, lanes = k >> 4;
        if (lanes && flush) continue;
        snprintf(what, sizeof what, "%s%s%s%s%s.f32", lanes ? "redux.sync." : "", most ? "max" : "min", flush ? ".ftz" : "",
                 magnitude ? ".abs" : "", nan ? ".NaN" : "");
        if (lanes) snprintf(code, sizeof code, "mov.b32 %%f1, %%r1;\n%s %%f2, %%f1, 0xffffffff; mov.b32 %%r11, %%f2;", what);
        else
            snprintf(code, sizeof code, "mov.b32 %%f1, %%r1; mov.b32 %%f2, %%r2; mov.b32 %%f3, %%r3;\n%s %%f4, %%f1, %%f2, %%f3; mov.b32 %%r11, %%f4;", what);
        run(lanes || k & 2 ? "100a" : "120", "", code, 3, 1, in, out, N);
        for (unsigned i = 0; i < N; i++) {
            u32 wanted, *x = in + 3 * i;
            if (lanes) {
                wanted = extreme(in[i / 32 * 96], in[i / 32 * 96], most, nan, magnitude, 0);
                for (unsigned l = 1; l < 32; l++) wanted = extreme(wanted, in[i / 32 * 96 + 3 * l], most, nan, magnitude, 0);
            } else
                wanted = extreme(extreme(x[0], x[1], most, nan, magnitude, flush), x[2], most, nan, magnitude, flush);
            same(what, out[i], wanted, x, 3);
        }
    }
    done("the least and the largest of many");
}

static void bytes(void)
{
    static const char *const names[] = {"add", "sub", "min", "max", "neg", "add.sat", "sub.sat", "min.relu", "max.relu"};
    char code[400], what[100];
    enum { N = 65536 };
    for (unsigned i = 0; i < N; i++) in[2 * i] = (i & 255) * 0x01010101u ^ (draw() & 0xffff00), in[2 * i + 1] = i >> 8 | draw() << 8;
    for (int operation = 0; operation < 9; operation++)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            if (!is_signed && (operation == 4 || operation > 6)) continue;
            snprintf(what, sizeof what, "%s.%s", names[operation], is_signed ? "s8x4" : "u8x4");
            snprintf(code, sizeof code, "%s %%r11, %%r1%s;", what, operation == 4 ? "" : ", %r2");
            run("120a", "", code, 2, 1, in, out, N);
            for (unsigned i = 0; i < N; i++) {
                u32 wanted = 0;
                for (int at = 0; at < 32; at += 8) {
                    int a = in[2 * i] >> at & 255, b = in[2 * i + 1] >> at & 255, d;
                    if (is_signed) a = (int8_t)a, b = (int8_t)b;
                    switch (operation) {
                    case 0: case 5: d = a + b; break;
                    case 1: case 6: d = a - b; break;
                    case 2: case 7: d = a < b ? a : b; break;
                    case 3: case 8: d = a > b ? a : b; break;
                    default: d = -a;
                    }
                    if (operation == 5 || operation == 6) {
                        int least = is_signed ? -128 : 0, most = is_signed ? 127 : 255;
                        d = d < least ? least : d > most ? most : d;
                    }
                    if (operation > 6 && d < 0) d = 0;
                    wanted |= (u32)(d & 255) << at;
                }
                same(what, out[i], wanted, in + 2 * i, 2);
            }
        }
    run("120a", "", "add.sat.u32 %r11, %r1, %r2;", 2, 1, in, out, N);
    for (unsigned i = 0; i < N; i++) {
        u64 sum = (u64)in[2 * i] + in[2 * i + 1];
        same("add.sat.u32", out[i], sum > 0xffffffff ? 0xffffffff : (u32)sum, in + 2 * i, 2);
    }
    done("four bytes");
}

/* Eight words at once, and zeros in bulk. */
static void accesses(void)
{
    enum { N = 4096 };
    for (unsigned i = 0; i < 8 * N; i++) in[i] = draw();
    const char *const codes[] = {
        "ld.global.v8.b32 {%r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18}, [%rd30];",
        "mov.b64 %rd1, %rd30; ld.relaxed.gpu.global.L1::no_allocate.L2::evict_last.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd1];\n"
        "mov.b64 {%r11, %r12}, %rd1; mov.b64 {%r13, %r14}, %rd2; mov.b64 {%r15, %r16}, %rd3; mov.b64 {%r17, %r18}, %rd4;",
        "ld.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd30];\nst.global.v8.f32 [%rd31], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};\n"
        "ld.global.v8.u32 {%r11, _, %r13, %r14, _, %r16, %r17, %r18}, [%rd31]; ld.global.u32 %r12, [%rd31+4]; ld.global.u32 %r15, [%rd31+16];",
    };
    for (int k = 0; k < 3; k++) {
        run(k ? "120" : "100", "", codes[k], 8, 8, in, out, N);
        for (unsigned i = 0; i < 8 * N; i++) same(codes[k], out[i], in[i], in + i, 1);
    }
    run("100", ".shared .align 16 .b8 cells[8192];\n",
        "mov.u32 %r40, cells; mad.lo.u32 %r40, %r52, 32, %r40; cvt.u64.u32 %rd1, %r40;\nst.shared.v4.b32 [%r40], {%r1, %r2, %r3, %r4}; "
        "st.shared.v4.b32 [%r40+16], {%r5, %r6, %r7, %r8};\nadd.u64 %rd1, %rd1, 8; mov.u64 %rd2, 16; st.bulk.weak.shared::cta [%rd1], %rd2, 0;\n"
        "ld.shared.v4.b32 {%r11, %r12, %r13, %r14}, [%r40]; ld.shared.v4.b32 {%r15, %r16, %r17, %r18}, [%r40+16];",
        8, 8, in, out, N);
    for (unsigned i = 0; i < 8 * N; i++) same("st.bulk", out[i], i % 8 < 2 || i % 8 >= 6 ? in[i] : 0, in + i, 1);
    run("120", "",
        "st.async.release.gpu.global.u32 [%rd31], %r1; red.async.release.gpu.global.add.u32 [%rd31], %r2; ld.global.u32 %r11, [%rd31];", 8, 8,
        in, out, N);
    for (unsigned i = 0; i < N; i++) same("red.async", out[8 * i], in[8 * i] + in[8 * i + 1], in + 8 * i, 2);
    done("accesses");
    CUresult r =
        try_run("120", "", "ld.global.v8.b32 {%r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18}, [%rd30+16];", 8, 8, in, out, 32);
    printf("eight words at half an address: %s\n", name(r));
    all_wrong += r != CUDA_ERROR_MISALIGNED_ADDRESS;
}

int main(void)
{
    begin_newer();
    widening();
    narrowing();
    powers();
    fixed_point();
    chance();
    singles();
    extremes();
    bytes();
    accesses();
    return all_wrong != 0;
}
