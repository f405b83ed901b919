// Approximate functions: how far from the truth, and from an H200.
//
//   approximate run MODULE LIST RESULTS      runs those of LIST's kernels that are approximate, writes what they gave to RESULTS
//   approximate record LIST RESULTS          prints such results, a line an instruction
//   approximate compare LIST RESULTS RECORD  holds results to the truth and to recorded ones of a device; prints largest distances
//
// MODULE and LIST are made by `cargo xtask kernels`. Halves are taken in full; of others there are edges, all exponents,
// places where functions end, turn or are zero, and random bits. The truth is worked out with 64 digits.
#include "device.h"
#include <math.h>

enum { HALVES = 65536 };
// So many inputs of singles and doubles; INPUTS may say more, but then nothing is recorded.
static unsigned inputs = 4096;

typedef struct { const char *name; int exponent, fraction; } format;
static const format formats[] = { { "bf16", 8, 7 }, { "f16", 5, 10 }, { "f32", 8, 23 }, { "f64", 11, 52 } };

typedef struct { char name[32], type[16], text[256], opcode[8]; int operands, pairs, flushes, full; const format *f; } line;

static int next_line(FILE *list, line *l) {
    char types[64];
    while (fscanf(list, "%31s %63s %255[^\n]", l->name, types, l->text) == 3) {
        if (!strstr(l->text, ".approx") && !strstr(l->text, ".full")) continue;
        l->operands = strchr(types, ',') ? 2 : 1;
        snprintf(l->type, sizeof l->type, "%s", strtok(types, ","));
        sscanf(l->text, "%7[a-z0-9]", l->opcode);
        l->pairs = strstr(l->type, "x2") != NULL;
        l->flushes = strstr(l->text, ".ftz") != NULL;
        l->full = strstr(l->text, ".full") != NULL;
        for (int n = 3; n >= 0; n--)
            if (!strncmp(l->type, formats[n].name, strlen(formats[n].name))) l->f = &formats[n];
        return 1;
    }
    return 0;
}

static unsigned count(const line *l) { return l->f->fraction < 23 ? HALVES : inputs; }

// ---- Inputs ----

static uint64_t bits_of(const format *f, double x) {
    if (f->fraction == 52) { uint64_t b; memcpy(&b, &x, 8); return b; }
    float s = (float)x;
    uint32_t b;
    memcpy(&b, &s, 4);
    return b;
}

// Input n of a single or a double; of two operands, the second has another seed.
static uint64_t input_of(const format *f, unsigned n, int which) {
    static const double places[] = { 0, 1, 2, 0.5, 3, 4, 10, 100, 126, 127, 128, 149, 150, 151, 88, 9, 9.010913, 0.693147, 1.5707963267948966,
        3.141592653589793, 4.71238898038469, 6.283185307179586, 100.53096491487338, 0x1p-126, 0x1p-149, 0x1p126, 0x1p127, 0x1p-127, 0x1.fffffep127,
        0x1p-12, 0x1p-24, 1e-20, 1e20, 16777216, 48039, 105615, 0x1p-1022, 0x1p1023, 0x1p-1074 };
    unsigned n_places = sizeof places / sizeof *places;
    uint64_t random = mix(n * 2 + which + 1), most = (1ull << f->exponent) - 1, fraction = (1ull << f->fraction) - 1, sign = (random >> 60 & 1) << (f->exponent + f->fraction);
    if (n < 8) {
        uint64_t special[] = { 0, most << f->fraction, most << f->fraction | 1 << 5, most << f->fraction | (fraction + 1) / 2, 1, fraction, fraction + 1, (most << f->fraction) - 1 };
        return special[(n + 3 * which) % 8];
    }
    if (n < 16) return input_of(f, n - 8, which) | 1ull << (f->exponent + f->fraction);
    switch (random >> 57 & 7) {
    case 0: { // next to a place
        uint64_t b = bits_of(f, places[(random >> 8) % n_places]), near = (random >> 20) % 9;
        return (b + near - (b > 8 ? 4 : 0)) | sign;
    }
    case 1: return random & ((1ull << (1 + f->exponent + f->fraction)) - 1);
    case 2: return bits_of(f, ((double)(random >> 11 & 0xffffffff) / 0x1p31 - 1) * 3.141592653589793);
    case 3: return bits_of(f, ((double)(random >> 11 & 0xffffffff) / 0x1p31 - 1) * 152);
    case 4: return bits_of(f, ((double)(random >> 11 & 0xffffffff) / 0x1p31 - 1) * 10);
    case 5: return bits_of(f, 1 + ((double)(random >> 11 & 0xffffffff) / 0x1p31 - 1) * ldexp(1, -(int)(random % 20)));
    default: // each exponent
        return sign | (uint64_t)(n % most) << f->fraction | ((random >> 3 & 7) == 0 ? fraction : (random >> 3 & 7) == 1 ? 0 : random >> 6 & fraction);
    }
}

static uint64_t input(const line *l, unsigned n, int which) {
    if (l->f->fraction < 23) return l->pairs ? n | ((uint64_t)n * 0x6487 + 0x1234) % HALVES << 16 : n;
    return input_of(l->f, n, which);
}

static int run(const char *name, const char *list_path, const char *to) {
    FILE *list = fopen(list_path, "r"), *out = fopen(to, "wb");
    if (!list || !out) return perror("open"), 1;
    char log[LOG];
    CUmodule module;
    CUdeviceptr in[2], result;
    begin();
    if (load(&module, contents(name), 1, log)) return fprintf(stderr, "%s\n", log), 1;
    unsigned most = inputs > HALVES ? inputs : HALVES;
    for (int k = 0; k < 2; k++) DO(cuMemAlloc(&in[k], most * 8));
    DO(cuMemAlloc(&result, most * 16));
    uint64_t *host = malloc(most * 16);
    line l;
    while (next_line(list, &l)) {
        unsigned n = count(&l);
        name = l.name;
        for (int k = 0; k < l.operands; k++) {
            for (unsigned i = 0; i < n; i++) host[i] = input(&l, i, k);
            DO(cuMemcpyHtoD(in[k], host, n * 8));
        }
        CUfunction f;
        void *parameters[] = { &in[0], &in[1], &in[0], &in[0], &in[0], &result, &n };
        DO(cuModuleGetFunction(&f, module, l.name));
        DO(cuLaunchKernel(f, (n + 127) / 128, 1, 1, 128, 1, 1, 0, 0, parameters, 0));
        DO(cuMemcpyDtoH(host, result, n * 16));
        int width = l.f->fraction == 52 ? 8 : l.f->fraction == 23 || l.pairs ? 4 : 2;
        for (unsigned i = 0; i < n; i++) fwrite(&host[2 * i], width, 1, out);
    }
    return fclose(out) != 0;
}


// ---- The truth ----

static long double number_of(const format *f, uint64_t bits) {
    uint64_t most = (1ull << f->exponent) - 1, fraction = bits & ((1ull << f->fraction) - 1), e = bits >> f->fraction & most;
    int bias = (1 << (f->exponent - 1)) - 1;
    long double x = e == most ? (fraction ? NAN : INFINITY) : ldexpl((long double)fraction + (e ? ldexpl(1, f->fraction) : 0), (int)(e ? e : 1) - bias - f->fraction);
    return bits >> (f->exponent + f->fraction) & 1 ? -x : x;
}

static long double least(const format *f) { return ldexpl(1, 2 - (1 << (f->exponent - 1))); }

static long double flushed(const line *l, long double x) { return l->flushes && fabsl(x) < least(l->f) ? copysignl(0, x) : x; }

static long double truth(const line *l, long double x, long double y) {
    const char *op = l->opcode;
    x = flushed(l, x), y = flushed(l, y);
    // Divisors whose reciprocal is subnormal count as infinite.
    if (!strcmp(op, "div") && !l->full && fabsl(y) > 0x1p126L && isfinite(y)) y = copysignl(INFINITY, y);
    long double r = !strcmp(op, "div") ? x / y : !strcmp(op, "rcp") ? 1 / x : !strcmp(op, "sqrt") ? sqrtl(x) : !strcmp(op, "rsqrt") ? 1 / sqrtl(x)
        : !strcmp(op, "sin") ? sinl(x) : !strcmp(op, "cos") ? cosl(x) : !strcmp(op, "lg2") ? log2l(x) : !strcmp(op, "ex2") ? exp2l(x) : tanhl(x);
    return flushed(l, r);
}

static int is_wave(const line *l) { return !strcmp(l->opcode, "sin") || !strcmp(l->opcode, "cos"); }

// What distances are counted in: units in the last place. Approximate doubles have but the upper half of the bits; sines,
// cosines and logarithms are not told apart below 2^-23.
static long double unit(const line *l, long double x) {
    int e, lowest = 2 - (1 << (l->f->exponent - 1)), fraction = l->f->fraction == 52 && l->flushes ? 20 : l->f->fraction;
    frexpl(x, &e);
    long double u = ldexpl(1, (e - 1 < lowest ? lowest : e - 1) - fraction);
    return (is_wave(l) || !strcmp(l->opcode, "lg2")) && u < 0x1p-23L ? 0x1p-23L : u;
}

// How far a result is from the truth; infinite if it is of another kind. Next to the least normal number, either may be flushed.
static long double distance(const line *l, long double r, long double t) {
    if (isnan(r) || isnan(t)) return isnan(r) && isnan(t) ? 0 : INFINITY;
    // What is infinite stands for the number behind the largest.
    long double end = ldexpl(1, 1 << (l->f->exponent - 1)), edge = least(l->f);
    if (isinf(t) || fabsl(t) > end) t = copysignl(end, t);
    if (isinf(r)) r = copysignl(end, r);
    if (l->flushes && (r == 0) != (t == 0) && fabsl(r + t) <= edge * (1 + 0x1p-18L)) return 0;
    return fabsl(r - t) / unit(l, t);
}

// Of doubles, only the upper half counts where subnormal numbers do not.
static int is_upper(const line *l) { return l->f->fraction == 52 && l->flushes; }

// An operand of one number, as bits.
static uint64_t operand(const line *l, unsigned n, int which, int high) {
    uint64_t x = input(l, n, which) >> 16 * high;
    return l->pairs ? x & 0xffff : is_upper(l) ? x & ~0xffffffffull : x;
}

static long double truth_of(const line *l, unsigned n, int high) {
    return truth(l, number_of(l->f, operand(l, n, 0, high)), number_of(l->f, operand(l, n, 1, high)));
}

static uint64_t result_of(const line *l, const unsigned char *from, unsigned n, int high) {
    if (l->f->fraction == 52) return ((const uint64_t *)from)[n];
    if (l->f->fraction == 23) return ((const uint32_t *)from)[n];
    return ((const uint16_t *)from)[l->pairs ? 2 * n + high : n];
}
static size_t size_of(const line *l) { return (size_t)count(l) * (l->f->fraction == 52 ? 8 : l->f->fraction == 23 || l->pairs ? 4 : 2); }


// ---- Records ----

// A device's result, as a letter for how many units it is from the number next to the truth (m: none), or 'z' and its bits. A
// number before a letter says how often it is there.
static uint64_t nearest(const line *l, long double t) {
    const format *f = l->f;
    int bias = (1 << (f->exponent - 1)) - 1, fraction = is_upper(l) ? 20 : f->fraction, e;
    uint64_t sign = (uint64_t)(signbit(t) != 0) << (f->exponent + fraction), infinite = ((1ull << f->exponent) - 1) << fraction;
    if (isnan(t)) return infinite | 1;
    if (isinf(t)) return sign | infinite;
    frexpl(t, &e);
    if (--e < 1 - bias) e = 1 - bias;
    uint64_t digits = rintl(ldexpl(fabsl(t), fraction - e)), bits = t == 0 ? 0 : digits + ((uint64_t)(e - 1 + bias) << fraction);
    return sign | (bits > infinite ? infinite : bits);
}

static int record(char **argv) {
    FILE *list = fopen(argv[0], "r"), *results = fopen(argv[1], "rb");
    if (!list || !results) return perror("open"), 1;
    unsigned char *a = malloc(1 << 24);
    static uint16_t one[HALVES];
    line l;
    while (next_line(list, &l)) {
        size_t size = size_of(&l);
        if (fread(a, 1, size, results) != size) return fprintf(stderr, "short file\n"), 1;
        if (l.pairs) { // the same as of one number
            for (unsigned n = 0; n < HALVES; n++) {
                uint64_t x = operand(&l, n, 0, 1);
                if (result_of(&l, a, n, 0) != one[n] || result_of(&l, a, n, 1) != one[x]) return fprintf(stderr, "%s of %x\n", l.text, n), 1;
            }
            continue;
        }
        printf("%s ", l.text);
        unsigned run = 0, last = 0;
        for (unsigned n = 0; n <= count(&l); n++) {
            unsigned letter = 0;
            uint64_t r = 0;
            if (n < count(&l)) {
                r = result_of(&l, a, n, 0);
                if (l.f->fraction < 23) one[n] = r;
                long double t = truth_of(&l, n, 0);
                int64_t d = (is_upper(&l) ? r >> 32 : r) - nearest(&l, t);
                letter = (isnan(t) && isnan(number_of(l.f, r))) ? 'm' : d < -12 || d > 12 ? 'z' : 'm' + d;
            }
            if (run && letter != last) {
                if (run > 1) printf("%u", run);
                putchar(last);
                run = 0;
            }
            last = letter;
            if (letter == 'z') printf("z%llx.", (unsigned long long)r);
            else if (letter) run++;
        }
        printf("\n");
    }
    return 0;
}

// The recorded results of an instruction.
static void recorded(const line *l, const char *text, uint64_t *to) {
    char *at = (char *)text;
    for (unsigned n = 0; n < count(l);) {
        unsigned times = *at >= '0' && *at <= '9' ? strtoul(at, &at, 10) : 1;
        if (*at == 'z') {
            to[n++] = strtoull(at + 1, &at, 16);
            at++; // the point behind it
            continue;
        }
        for (; times && n < count(l); times--, n++) to[n] = (nearest(l, truth_of(l, n, 0)) + (*at - 'm')) << (is_upper(l) ? 32 : 0);
        at++;
    }
}

// How far from the truth results may be, as the manual says or, of halves, nearer; and from the device's, as was seen.
static const struct { const char *opcode, *type; double truth, device; } bounds[] = { { "div", "f32", 2, 2 }, { "rcp", "f32", 1, 1 }, { "rcp", "f64", 1, 1 },
    { "sqrt", "f32", 2, 1 }, { "rsqrt", "f32", 2.2, 2 }, { "rsqrt", "f64", 1.1, 1 }, { "sin", "f32", 5.66, 4 }, { "cos", "f32", 5.66, 4 }, { "lg2", "f32", 4, 2 },
    { "ex2", "f32", 2, 2 }, { "tanh", "f32", 8192, 140 }, { "tanh", "f16", 1.01, 1 }, { "tanh", "bf16", 1.01, 1 }, { "ex2", "f16", 1.01, 0 }, { "ex2", "bf16", 1.01, 0 } };

static int compare(char **argv) {
    FILE *list = fopen(argv[0], "r"), *results = fopen(argv[1], "rb");
    if (!list || !results) return perror("open"), 1;
    unsigned char *a = malloc(1 << 24);
    char *device = contents(argv[2]);
    uint64_t *known = malloc((inputs > HALVES ? inputs : HALVES) * 8);
    int failed = 0;
    line l;
    printf("| instruction | inputs | here from the truth | an H200 | here from the H200 | other bits |\n|---|---|---|---|---|---|\n");
    while (next_line(list, &l)) {
        size_t size = size_of(&l);
        if (fread(a, 1, size, results) != size) return fprintf(stderr, "short file\n"), 1;
        char *at = strstr(device, l.text);
        if (!at && !l.pairs) return printf("%s is not recorded\n", l.text), 1;
        if (!l.pairs) recorded(&l, at + strlen(l.text) + 1, known);
        double may[2] = { 0, 0 };
        for (size_t n = 0; n < COUNT(bounds); n++)
            if (!strcmp(bounds[n].opcode, l.opcode) && !strncmp(bounds[n].type, l.f->name, 8)) may[0] = bounds[n].truth, may[1] = bounds[n].device;
        long double farthest[3] = { 0, 0, 0 };
        unsigned other = 0, wrong = 0;
        for (unsigned n = 0; n < count(&l); n++)
            for (int high = 0; high <= l.pairs; high++) {
                uint64_t x = operand(&l, n, 0, high), ours = result_of(&l, a, n, high), theirs = known[l.pairs ? x : n];
                long double one = number_of(l.f, ours), two = number_of(l.f, theirs), argument = number_of(l.f, x), t = truth_of(&l, n, high);
                long double d[3] = { distance(&l, one, t), distance(&l, two, t), distance(&l, one, two) };
                // Of sines and cosines, the device turns more than once otherwise.
                if (is_wave(&l) && fabsl(argument) > 3.1415927L) d[0] = d[1] = 0;
                other += ours != theirs && !(isnan(one) && isnan(two));
                for (int k = 0; k < 3; k++) farthest[k] = d[k] > farthest[k] ? d[k] : farthest[k];
                if ((d[0] > may[0] || d[2] > may[1]) && !wrong++)
                    printf("%s of %llx %llx: %llx, on the device %llx, truth %Lg\n", l.text, (unsigned long long)x, (unsigned long long)input(&l, n, 1),
                        (unsigned long long)ours, (unsigned long long)theirs, t);
            }
        failed |= wrong != 0;
        printf("| `%.*s` | %u | %.2Lf | %.2Lf | %.2Lf | %u |\n", (int)strcspn(l.text, " "), l.text, count(&l) * (1 + l.pairs), farthest[0], farthest[1], farthest[2], other);
    }
    return failed;
}

int main(int argc, char **argv) {
    if (getenv("INPUTS")) inputs = atoi(getenv("INPUTS"));
    if (argc == 5 && !strcmp(argv[1], "run")) return run(argv[2], argv[3], argv[4]);
    if (argc == 4 && !strcmp(argv[1], "record")) return record(argv + 2);
    if (argc == 5 && !strcmp(argv[1], "compare")) return compare(argv + 2);
    fprintf(stderr, "usage: approximate run MODULE LIST RESULTS | record LIST RESULTS | compare LIST RESULTS RECORD\n");
    return 2;
}
