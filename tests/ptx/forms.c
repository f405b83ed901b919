// Runs kernels of one instruction each over values at the edges of their types.
//
//   forms run MODULE LIST RESULTS        runs every kernel of LIST, writes what they gave to RESULTS
//   forms compare LIST RESULTS RESULTS   compares two such files, bit by bit
//
// MODULE and LIST are made by the test `write_kernels`. The inputs depend on the types of the operands alone.
#include "../../cuda.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    0x43e80000, 0x47600000, 0x47680000, 0x1e3ce508, 0x5e3ce508, 0x3eaaaaab, 0xc0490fdb };
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
    0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfd55, 0x7fff, 0xffff, 0x1400, 0x0c00, 0x2e66, 0x4c80 };
static const uint16_t brains[] = { 0, 0x8000, 1, 0x8001, 0x7f, 0x807f, 0x80, 0x8080, 0x81, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
    0x3f00, 0xbf00, 0x3fc0, 0x4000, 0x4020, 0xc020, 0x4049, 0x3eab, 0x4300, 0x437f, 0x4b00, 0x7f7f, 0xff7f, 0x7f00, 0x7f80,
    0xff80, 0x7fc0, 0xffc0, 0x7f81, 0xff95, 0x7fff, 0xffff, 0x3380, 0x2000, 0x1e3d, 0x5e3d, 0x4780 };

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define MOST 65536

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

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

// The value of operand `which` for thread `i` of `count`.
static uint64_t input(char types[][16], int operands, int which, uint64_t i, uint64_t count) {
    const char *type = types[which];
    uint64_t random = mix(i * 5 + which + 1);
    int small = strstr("u16 s16 b16 f16 bf16 u8 s8 e4m3x2 e5m2x2", type) != NULL;
    if (count == MOST && which == 0 && small) return i; // every one
    size_t n = edges(type), first = operands > 0 ? edges(types[0]) : 1;
    if (which == 0) return i < count / 2 || operands > 1 ? edge(type, i % n, random >> 8) : random;
    // All pairs of edges first, then random ones, half of them with bits at random.
    if (which == 1 && i / first < n) return edge(type, i / first % n, random >> 8);
    if (random >> 60 < 8) return edge(type, random % n, random >> 8);
    return mix(random);
}

static uint64_t threads(char types[][16], int operands) {
    return operands == 1 && strstr("u16 s16 b16 f16 bf16 u8 s8 e4m3x2 e5m2x2", types[0]) ? MOST : 4096;
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

#define DO(call) do { CUresult r = (call); if (r) { fprintf(stderr, "%s: %d (%s)\n", #call, r, name); exit(1); } } while (0)

static int run(char **argv) {
    char name[32] = "", types[5][16], line[512], *text, log[4096] = "";
    FILE *module_file = fopen(argv[0], "r"), *list = fopen(argv[1], "r"), *out = fopen(argv[2], "wb");
    if (!module_file || !list || !out) return perror("open"), 1;
    fseek(module_file, 0, SEEK_END);
    long size = ftell(module_file);
    rewind(module_file);
    char *ptx = calloc(1, size + 1);
    if (fread(ptx, 1, size, module_file) != (size_t)size) return 1;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuDevicePrimaryCtxRetain(&context, device));
    DO(cuCtxSetCurrent(context));
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL };
    void *values[] = { log, (void *)sizeof log, (void *)1 };
    CUresult loaded = cuModuleLoadDataEx(&module, ptx, 3, options, values);
    if (loaded) return fprintf(stderr, "load: %d %s\n", loaded, log), 1;
    CUdeviceptr in[5], result;
    for (int k = 0; k < 5; k++) DO(cuMemAlloc(&in[k], MOST * 8));
    DO(cuMemAlloc(&result, MOST * 16));
    uint64_t *host = malloc(MOST * 16);
    while (fgets(line, sizeof line, list)) {
        int operands = split(line, name, types, &text);
        uint64_t count = threads(types, operands);
        strcpy(types[4], "b64"); // cells of atomic operations
        for (int k = 0; k < 5; k++) {
            if (k >= operands && k != 4) continue;
            for (uint64_t i = 0; i < count; i++) host[i] = input(types, operands, k, i, count);
            DO(cuMemcpyHtoD(in[k], host, count * 8));
        }
        CUfunction f;
        unsigned n = count;
        void *parameters[] = { &in[0], &in[1], &in[2], &in[3], &in[4], &result, &n };
        DO(cuModuleGetFunction(&f, module, name));
        DO(cuLaunchKernel(f, (n + 127) / 128, 1, 1, 128, 1, 1, 0, 0, parameters, 0));
        DO(cuMemcpyDtoH(host, result, count * 16));
        fwrite(host, 16, count, out);
    }
    return fclose(out) != 0;
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
        uint64_t count = threads(types, operands), wrong = 0, farthest = 0;
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

// A digest of what each kernel gave.
static int digest(char **argv) {
    char name[32], types[5][16], line[512], *text;
    FILE *list = fopen(argv[0], "r"), *one = fopen(argv[1], "rb");
    if (!list || !one) return perror("open"), 1;
    uint64_t *a = malloc(MOST * 16);
    while (fgets(line, sizeof line, list)) {
        int operands = split(line, name, types, &text);
        uint64_t count = threads(types, operands), sum = 0;
        if (fread(a, 16, count, one) != count) return 1;
        for (uint64_t i = 0; i < 2 * count; i++) sum = mix(sum ^ a[i]) + i;
        printf("%016llx %s\n", (unsigned long long)sum, text);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 5 && !strcmp(argv[1], "run")) return run(argv + 2);
    if (argc == 5 && !strcmp(argv[1], "compare")) return compare(argv + 2);
    if (argc == 4 && !strcmp(argv[1], "digest")) return digest(argv + 2);
    fprintf(stderr, "usage: forms run MODULE LIST RESULTS | compare LIST RESULTS RESULTS | digest LIST RESULTS\n");
    return 2;
}
