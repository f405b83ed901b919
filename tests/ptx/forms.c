// Runs kernels of one instruction each over values at the edges of their types.
//
//   forms run MODULE LIST RESULTS        runs every kernel of LIST, writes what they gave to RESULTS
//   forms compare LIST RESULTS RESULTS   compares two such files, bit by bit
//   forms digest LIST RESULTS            a digest of what each kernel gave
//   forms check LIST RESULTS WITHOUT     compares such a file with the models, adds what has none to the list WITHOUT
//   forms loads FILE                     loads each kernel of FILE by itself
//
// MODULE and LIST are made by `cargo xtask kernels`. The inputs depend on the types of the operands alone.
#include "device.h"
#include "model.h"
#include <math.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
static char *program;

static const uint64_t words[] = { 0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 23, 24, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256,
    0x7fff, 0x8000, 0x8001, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x12345678, 0x55555555, 0xaaaaaaaa,
    0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x123456789abcdef0, 0x7fffffffffffffff,
    0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0xffffffff80000000, 0xffffffffffff8000,
    0x8080808080808080, 0x7f7f7f7f7f7f7f7f, 0x00ff00ff00ff00ff, 0xff01ff01ff01ff01, 0x7fff80007fff8000 };
static const uint32_t singles[] = { 0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
    0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40000000, 0x40200000, 0xc0200000,
    0x40490fdb, 0x42f60000, 0xc2fc0000, 0x43000000, 0x437f8000, 0x43800000, 0x4b000000, 0x4b000001, 0x4b800000, 0x4effffff,
    0x4f000000, 0x4f800000, 0xcf000000, 0x5f000000, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc00000, 0x7f800001, 0xff812345, 0x7fffffff, 0x477fe000, 0x477ff000, 0x33800000, 0x33000000, 0x387fc000, 0x43e00000,
    0x43e80000, 0x47600000, 0x47680000, 0x1e3ce508, 0x5e3ce508, 0x3eaaaaab, 0xc0490fdb, 0x30800000 };
static const uint64_t doubles[] = { 0, 1ull << 63, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x8010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0x3fe0000000000000,
    0xbfe0000000000000, 0x3ff8000000000000, 0x4000000000000000, 0x4004000000000000, 0xc004000000000000, 0x400921fb54442d18,
    0x3fd5555555555555, 0x40dfffc000000000, 0x40effffe00000000, 0x41dfffffffc00000, 0x41e0000000000000, 0x41efffffffe00000,
    0x41f0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x4330000000000001, 0x4340000000000000, 0x43e0000000000000,
    0x43f0000000000000, 0xc3e0000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x47f0000000000000, 0x36a0000000000000,
    0x3690000000000000, 0x380fffffffffffff, 0x3810000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0x7fffffffffffffff, 0x40effc0000000000,
    0x40effe0000000000, 0x3e60000000000000, 0x3e70000000000000, 0x1ff0000000000000, 0x5ff0000000000000, 0x3ff0000000100000 };
static const uint16_t halves[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x401, 0x3c00, 0xbc00, 0x3c01, 0x3bff,
    0x3800, 0xb800, 0x3e00, 0x4000, 0x4100, 0xc100, 0x4248, 0x3555, 0x5bff, 0x5c00, 0x6400, 0x63ff, 0x7bff, 0xfbff, 0x7800,
    0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfd55, 0x7fff, 0xffff, 0x1400, 0x0c00, 0x2e66, 0x4c80, 0x2001 };
static const uint16_t brains[] = { 0, 0x8000, 1, 0x8001, 0x7f, 0x807f, 0x80, 0x8080, 0x81, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
    0x3f00, 0xbf00, 0x3fc0, 0x4000, 0x4020, 0xc020, 0x4049, 0x3eab, 0x4300, 0x437f, 0x4b00, 0x7f7f, 0xff7f, 0x7f00, 0x7f80,
    0xff80, 0x7fc0, 0xffc0, 0x7f81, 0xff95, 0x7fff, 0xffff, 0x3380, 0x2000, 0x1e3d, 0x5e3d, 0x4780 };

#define MOST 65536
#define SMALL "u16 s16 b16 f16 bf16 u8 s8 e4m3x2 e5m2x2"

static size_t edges(const char *type) {
    if (!strcmp(type, "f32")) return COUNT(singles);
    if (!strcmp(type, "f64")) return COUNT(doubles);
    if (!strncmp(type, "f16", 3)) return COUNT(halves);
    if (!strncmp(type, "bf16", 4)) return COUNT(brains);
    return COUNT(words);
}

static uint64_t edge(const char *type, size_t n, uint64_t other) {
    if (!strcmp(type, "f32")) return singles[n];
    if (!strcmp(type, "f64")) return doubles[n];
    if (!strcmp(type, "f16")) return halves[n];
    if (!strcmp(type, "bf16")) return brains[n];
    if (!strcmp(type, "f16x2")) return halves[n] | (uint64_t)halves[other % COUNT(halves)] << 16;
    if (!strcmp(type, "bf16x2")) return brains[n] | (uint64_t)brains[other % COUNT(brains)] << 16;
    return words[n];
}

static int is(const char *type, const char *list) { return strstr(list, type) != NULL; }

// The bits of a number in half or single precision; 0 where there is no normal one.
static uint64_t number(const char *type, double x) {
    float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    if (!strcmp(type, "f32")) return isnormal(single) ? bits : 0;
    int exponent = x == 0 || !isfinite(x) ? 0 : ilogb(x);
    if (x == 0 || !isfinite(x) || exponent < -14 || exponent > 14) return 0;
    return (x < 0) << 15 | (((uint64_t)(exponent + 14) << 10) + (uint64_t)rint(ldexp(fabs(x), 10 - exponent)));
}

static double value(const char *type, uint64_t bits) {
    if (!strcmp(type, "f32")) {
        uint32_t word = bits;
        float single;
        memcpy(&single, &word, 4);
        return single;
    }
    int exponent = bits >> 10 & 31;
    double magnitude = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

// Operands whose product, or sum of a product, is next to the least normal number: what rounding and flushing do there.
static uint64_t aimed(const char *type, int operands, int which, uint64_t first, uint64_t random) {
    double least = !strcmp(type, "f32") ? 0x1p-126 : 0x1p-14;
    int sum = operands == 3 && random & 1;
    if (which == 2) return number(type, random & 1 ? random & 2 ? least : -least : 0);
    if (sum) return number(type, ldexp(1 + (random >> 8 & 0xff) / 256.0, which ? random & 4 ? -9 : -20 : random & 4 ? -5 : ilogb(least) - (int)(random >> 3 & 1)));
    if (which == 0) return first;
    return number(type, least / value(type, first)) + (random >> 20) % 3 - 1;
}

// The value of operand `which` for thread `i` of `count`.
static uint64_t input(char types[][16], int operands, int which, uint64_t i, uint64_t count) {
    const char *type = types[which];
    uint64_t random = mix(i * 5 + which + 1), n = edges(type), first = operands > 0 ? edges(types[0]) : 1;
    int singles_or_halves = is(type, "f32 f16x2") && (operands == 2 || operands == 3) && is(types[0], "f32 f16x2") && !strcmp(types[0], types[1]);
    if (singles_or_halves && i % 8 == 7 && i >= first * n) {
        uint64_t same = mix(i), a = input(types, operands, 0, i - 1, count);
        if (!strcmp(type, "f32")) return aimed(type, operands, which, a, same);
        return aimed("f16", operands, which, a & 0xffff, same) | aimed("f16", operands, which, a >> 16 & 0xffff, mix(same)) << 16;
    }
    if (count == MOST && which == 0 && is(type, SMALL)) return i; // every one
    if (count == MOST && operands == 3 && i % 2 == 0) { // triples of edges
        uint64_t triple = i * n * n * n / MOST;
        return edge(type, which == 0 ? triple % n : which == 1 ? triple / n % n : triple / n / n, random >> 8);
    }
    if (count == MOST && is(type, SMALL) && operands == 2) {
        if (!strcmp(type, "f16") && i % 4 == 3) return aimed(type, 2, 1, i, mix(i));
        return edge(type, random % n, random >> 8);
    }
    if (which == 0) return i < count / 2 || operands > 1 ? edge(type, i % n, random >> 8) : random;
    // All pairs of edges first, then random ones, half of them with bits at random.
    if (which == 1 && i / first < n) return edge(type, i / first % n, random >> 8);
    if (random >> 60 < 8) return edge(type, random % n, random >> 8);
    return mix(random);
}

// Single operands of 16 bits are taken in full, those of two once each, sums of products with a third of all edges. What is
// not about registers alone has a block for each 128 of 4096 words.
static uint64_t threads(const char *name, const char *text, char types[][16], int operands) {
    if (name[0] != 'k') return 4096;
    if (operands == 1 && is(types[0], SMALL)) return MOST;
    if (operands == 2 && is(types[0], SMALL) && is(types[1], SMALL) && strncmp(text, "set", 3) != 0) return MOST;
    return operands == 3 && is(types[0], "f16 f16x2 f32") && is(types[2], "f16 f16x2 f32") ? MOST : 4096;
}

static int split(char *line, char *name, char types[][16], char **text) {
    char list[128];
    int used = 0, n = 0;
    if (sscanf(line, "%31s %127s %n", name, list, &used) != 2) exit(fprintf(stderr, "bad line: %s", line));
    *text = line + used;
    (*text)[strcspn(*text, "\n")] = 0;
    if (strcmp(list, "-") != 0)
        for (char *t = strtok(list, ","); t && n < 5; t = strtok(NULL, ",")) snprintf(types[n++], 16, "%s", t);
    return n;
}

static int spawn(char **arguments) {
    pid_t child;
    int status = 1;
    return posix_spawn(&child, program, NULL, NULL, arguments, environ) || waitpid(child, &status, 0) < 0 || status;
}

// Runs the kernels of a list; or one of them; or those behind one. The results of one that ends with an error are that; as
// the context is lost then, another process goes on.
static int run(char **argv, const char *only, const char *after) {
    char name[32] = "", types[5][16], line[512], *text, log[LOG], *ptx = contents(argv[0]);
    FILE *list = fopen(argv[1], "r"), *out = fopen(argv[2], after ? "ab" : "wb");
    if (!list || !out) return perror("open"), 1;
    while (after && strcmp(name, after) != 0 && fgets(line, sizeof line, list)) split(line, name, types, &text);
    CUmodule module;
    begin();
    // Optimising takes the device's compiler long.
    CUresult loaded = load(&module, ptx, 1, log);
    if (loaded) return fprintf(stderr, "load: %d %s\n", loaded, log), 1;
    CUdeviceptr in[5], result;
    for (int k = 0; k < 5; k++) DO(cuMemAlloc(&in[k], MOST * 8));
    DO(cuMemAlloc(&result, MOST * 16));
    uint64_t *host = malloc(MOST * 16);
    unsigned char bytes[128];
    for (int k = 0; k < 128; k++) bytes[k] = k * 37 + 11;
    while (fgets(line, sizeof line, list)) {
        int operands = split(line, name, types, &text);
        if (only && strcmp(only, name)) continue;
        if (!only && name[0] == 'a') {
            char file[512], *arguments[] = { program, "one", argv[0], argv[1], file, name, NULL };
            snprintf(file, sizeof file, "%s.one", argv[2]);
            if (spawn(arguments)) return fprintf(stderr, "%s failed\n", name), 1;
            FILE *results = fopen(file, "rb");
            if (!results || fread(host, 16, 4096, results) != 4096) return fprintf(stderr, "%s gave nothing\n", name), 1;
            fclose(results);
            remove(file);
            fwrite(host, 16, 4096, out);
            continue;
        }
        uint64_t count = threads(name, text, types, operands);
        strcpy(types[4], "b64"); // cells of atomic operations
        for (int k = 0; k < 5; k++) {
            if (k >= operands && k != 4) continue;
            for (uint64_t i = 0; i < count; i++) host[i] = input(types, operands, k, i, count);
            DO(cuMemcpyHtoD(in[k], host, count * 8));
        }
        CUfunction f;
        unsigned n = count;
        void *parameters[] = { &in[0], &in[1], &in[2], &in[3], &in[4], &result, &n, bytes };
        DO(cuModuleGetFunction(&f, module, name));
        CUresult error = cuLaunchKernel(f, (n + 127) / 128, 1, 1, 128, 1, 1, 0, 0, parameters, 0);
        if (!error) error = cuMemcpyDtoH(host, result, count * 16);
        for (uint64_t i = 0; error && i < 2 * count; i++) host[i] = error;
        fwrite(host, 16, count, out);
        if (error && !only) {
            fprintf(stderr, "%s %s: %d\n", name, text, error);
            fclose(out);
            char *arguments[] = { program, "after", argv[0], argv[1], argv[2], name, NULL };
            return spawn(arguments);
        }
    }
    return fclose(out) != 0;
}

// Says of each piece of a file, as `cargo xtask keep-kernels` has it, whether it loads.
static int loads(char **argv) {
    char log[LOG], *all = contents(argv[0]), *piece = strstr(all, "//// ");
    CUmodule module;
    begin();
    char *text = malloc(strlen(all) + 1);
    while (piece) {
        char *next = strstr(piece + 5, "//// "), *end = strchr(piece, '\n');
        size_t head = strstr(all, "//// ") - all, size = next ? (size_t)(next - piece) : strlen(piece);
        sprintf(text, "%.*s%.*s", (int)head, all, (int)size, piece);
        CUresult r = load(&module, text, 1, log);
        printf("%d %.*s %s\n", r, (int)(end - piece - 5), piece + 5, log);
        if (!r) cuModuleUnload(module);
        piece = next;
    }
    return 0;
}

static int compare(char **argv) {
    char name[32], types[5][16], line[512], *text;
    FILE *list = fopen(argv[0], "r"), *one = fopen(argv[1], "rb"), *two = fopen(argv[2], "rb");
    if (!list || !one || !two) return perror("open"), 1;
    uint64_t *a = malloc(MOST * 16), *b = malloc(MOST * 16);
    // What differs of the first file, for closer looks.
    FILE *rest = getenv("REST") ? fopen(getenv("REST"), "wb") : NULL;
    int same = 0, all = 0;
    while (fgets(line, sizeof line, list)) {
        int operands = split(line, name, types, &text);
        uint64_t count = threads(name, text, types, operands), wrong = 0, farthest = 0;
        strcpy(types[4], "b64");
        if (fread(a, 16, count, one) != count || fread(b, 16, count, two) != count) return fprintf(stderr, "short file\n"), 1;
        int shown = 0, approximate = strstr(text, ".approx") || strstr(text, ".full");
        char samples[1024] = "";
        for (uint64_t i = 0; i < 2 * count; i++) {
            if (a[i] == b[i]) continue;
            if (approximate) { // distance in units of the last place, where both are numbers of one sign
                uint64_t d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
                if (d > farthest) farthest = d; else continue;
                shown = 0; samples[0] = 0;
            }
            wrong++;
            if (shown++ < 3) {
                char *end = samples + strlen(samples);
                end += sprintf(end, "  [");
                for (int k = 0; k < operands; k++) end += sprintf(end, "%llx ", (unsigned long long)input(types, operands, k, i / 2, count));
                sprintf(end, "] %d: %llx/%llx", (int)(i & 1), (unsigned long long)a[i], (unsigned long long)b[i]);
            }
        }
        all++;
        if (wrong && rest) fwrite(a, 16, count, rest);
        if (wrong) printf("%s %s %llu wrong, %llu apart:%s\n", name, text, (unsigned long long)wrong, (unsigned long long)farthest, samples);
        else same++;
    }
    if (rest) fclose(rest);
    printf("%d of %d alike\n", same, all);
    return same != all;
}

// Words of all threads, an array behind the other.
static uint64_t read_input(void *of, int array, uint64_t thread) { return ((uint64_t *)of)[array * MOST + thread]; }

// Models of kernels that do more than compute (model.h): the first that knows an instruction is asked about all threads.
static kernel_model *const kernel_models[] = { atomic, barrier, control, copies, memory, narrow, warp_wide };

// Compares with the models; approximations have none. Adds what else has none to a list.
static int check(char **argv) {
    char name[32], types[5][16], line[512], *text;
    FILE *list = fopen(argv[0], "r"), *one = fopen(argv[1], "rb"), *without = fopen(argv[2], "a");
    if (!list || !one || !without) return perror("open"), 1;
    uint64_t *a = malloc(MOST * 16), *inputs = malloc(MOST * 8 * 5);
    int all = 0, alike = 0, unknown = 0;
    while (fgets(line, sizeof line, list)) {
        int operands = split(line, name, types, &text), known = 1, wrong = 0;
        uint64_t count = threads(name, text, types, operands), out[2];
        if (fread(a, 16, count, one) != count) return fprintf(stderr, "short file\n"), 1;
        if (strstr(text, ".approx") || strstr(text, ".full")) continue;
        strcpy(types[4], "b64");
        for (int k = 0; k < 5; k++)
            for (uint64_t i = 0; i < count && (k < operands || k == 4); i++) inputs[k * MOST + i] = input(types, operands, k, i, count);
        kernel_model *wide = NULL;
        for (size_t n = 0; name[0] != 'k' && !wide && n < COUNT(kernel_models); n++)
            if (kernel_models[n](text, read_input, inputs, 0, out)) wide = kernel_models[n];
        known = name[0] == 'k' || wide;
        for (uint64_t i = 0; i < count && known; i++) {
            uint64_t in[5] = { 0 };
            for (int k = 0; k < operands; k++) in[k] = inputs[k * MOST + i];
            known = wide ? wide(text, read_input, inputs, i, out) : model(text, in, i, out);
            if (!known || (a[2 * i] == out[0] && a[2 * i + 1] == out[1])) continue;
            if (!wrong++)
                printf("%s thread %d [%llx %llx %llx] %llx %llx, not %llx %llx\n", text, (int)i, (unsigned long long)in[0], (unsigned long long)in[1],
                    (unsigned long long)in[2], (unsigned long long)a[2 * i], (unsigned long long)a[2 * i + 1], (unsigned long long)out[0],
                    (unsigned long long)out[1]);
        }
        if (!known) fprintf(without, "%s\n", text), unknown++;
        else all++, alike += !wrong;
    }
    printf("%d of %d as their models, %d without one\n", alike, all, unknown);
    return fclose(without) != 0 || alike != all;
}

// A digest of what each kernel gave.
static int digest(char **argv) {
    char name[32], types[5][16], line[512], *text;
    FILE *list = fopen(argv[0], "r"), *one = fopen(argv[1], "rb");
    if (!list || !one) return perror("open"), 1;
    uint64_t *a = malloc(MOST * 16);
    while (fgets(line, sizeof line, list)) {
        int operands = split(line, name, types, &text);
        uint64_t count = threads(name, text, types, operands), sum = 0;
        if (fread(a, 16, count, one) != count) return 1;
        for (uint64_t i = 0; i < 2 * count; i++) sum = mix(sum ^ a[i]) + i;
        printf("%016llx %s\n", (unsigned long long)sum, text);
    }
    return 0;
}

int main(int argc, char **argv) {
    program = argv[0];
    if (argc == 5 && !strcmp(argv[1], "run")) return run(argv + 2, NULL, NULL);
    if (argc == 6 && !strcmp(argv[1], "one")) return run(argv + 2, argv[5], NULL);
    if (argc == 6 && !strcmp(argv[1], "after")) return run(argv + 2, NULL, argv[5]);
    if (argc == 3 && !strcmp(argv[1], "loads")) return loads(argv + 2);
    if (argc == 5 && !strcmp(argv[1], "check")) return check(argv + 2);
    if (argc == 5 && !strcmp(argv[1], "compare")) return compare(argv + 2);
    if (argc == 4 && !strcmp(argv[1], "digest")) return digest(argv + 2);
    fprintf(stderr, "usage: forms run MODULE LIST RESULTS | loads FILE | compare LIST RESULTS RESULTS | digest LIST RESULTS | check LIST RESULTS WITHOUT\n");
    return 2;
}
