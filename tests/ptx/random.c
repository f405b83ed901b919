// Runs random kernels (tests/random) and prints a digest of what each leaves in memory.
//
//   random MODULE LIST          prints a line a kernel
//   random MODULE LIST FILE     writes the memory of all to FILE, too
//   random --trace MODULE LIST FILE [FILE]
//                               prints a digest of what each part of a kernel wrote down, and writes all of that to FILE,
//                               or, with another FILE of such digests, what differs from these first
//   random --show FILE FILE     compares two such files: which words of which thread differ
//
// LIST has a line a kernel: name, grid, block, bytes of dynamic shared memory. The inputs follow from the name.
#include "device.h"

#define INPUT 65536
#define STRIDE 1024
#define CELLS 256
#define TRACED 64
#define MOST (1024 * STRIDE)

static const uint32_t singles[] = { 0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
    0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40000000, 0x40200000, 0xc0200000,
    0x40490fdb, 0x42f60000, 0xc2fc0000, 0x43000000, 0x437f8000, 0x43800000, 0x4b000000, 0x4b000001, 0x4b800000, 0x4effffff,
    0x4f000000, 0x4f800000, 0xcf000000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
    0x7f800001, 0xff812345, 0x477fe000, 0x477ff000, 0x33800000, 0x33000000, 0x387fc000, 0x43e00000, 0x3eaaaaab };
static const uint64_t doubles[] = { 0, 1ull << 63, 1, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000,
    0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0x3fe0000000000000, 0x4000000000000000,
    0x4004000000000000, 0xc004000000000000, 0x400921fb54442d18, 0x3fd5555555555555, 0x40effffe00000000, 0x41dfffffffc00000,
    0x41e0000000000000, 0x41f0000000000000, 0xc1e0000000200000, 0x4330000000000001, 0x43e0000000000000, 0x47efffffe0000000,
    0x36a0000000000000, 0x380fffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0xfff8000000000000, 0x7ff0000000000001, 0x7fffffffffffffff };
static const uint16_t halves[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x8400, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0x4000,
    0x4248, 0x3555, 0x5c00, 0x6400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xffff, 0x80, 0x7f, 0x3f80, 0xbf80, 0x4049,
    0x7f7f, 0xff7f, 0x7f80, 0x7fc0, 0x3eab };

// Word `n` of the input: a thread's registers take 64 of them in order, those of 16 bits first (tests/random/kernel.rs).
static uint64_t word(uint64_t seed, unsigned n) {
    uint64_t a = mix(seed * 0x9e3779b97f4a7c15 + n), b = mix(a), kind = n % 64;
    uint64_t single = a & 1 ? singles[b % COUNT(singles)] : (b & 0x83ffffff) + 0x3e000000;
    uint64_t half = a & 2 ? halves[b % COUNT(halves)] : b >> 48;
    uint64_t integer = a & 4 ? b >> (b & 63) : a & 8 ? (1ull << (b & 63)) - (b >> 6 & 3) : b;
    uint64_t packed = half | (uint64_t)halves[(b >> 20) % COUNT(halves)] << 16;
    if (kind < 8) return half;
    if (kind < 22) return a & 16 ? integer : packed;
    if (kind < 30) return integer;
    if (kind < 40) return single;
    if (kind < 48) return a & 1 ? doubles[b % COUNT(doubles)] : (b & 0x83ffffffffffffff) + 0x3e00000000000000;
    return a & 1 ? single | (uint64_t)singles[(b >> 8) % COUNT(singles)] << 32 : a & 2 ? packed | packed << 32 : integer;
}

// Digests of what the threads wrote down at each part, in order.
static int parts(const char *name, CUdeviceptr written, unsigned traced, unsigned count, unsigned items, FILE *out, const char *other) {
    uint64_t *all = malloc((size_t)traced * count), sum;
    char line[256], wanted[256] = "";
    FILE *known = other ? fopen(other, "r") : NULL;
    int shown = 0;
    DO(cuMemcpyDtoH(all, written, (size_t)traced * count));
    for (unsigned item = 1; item <= items; item++) {
        sum = 0;
        for (unsigned t = 0; t < count; t++) {
            for (int n = 0; n < TRACED / 8; n++) sum = mix(sum ^ all[(size_t)t * traced / 8 + item * TRACED / 8 + n]) + n;
        }
        snprintf(line, sizeof line, "%s %u %016llx\n", name, item, (unsigned long long)sum);
        fputs(line, stdout);
        int differs = !known || !fgets(wanted, sizeof wanted, known) || strcmp(line, wanted);
        if (!out || !differs || (known && shown++ >= 3)) continue;
        fprintf(out, "%s %u %u\n", name, item, count * TRACED);
        for (unsigned t = 0; t < count; t++) fwrite((char *)all + (size_t)t * traced + item * TRACED, 1, TRACED, out);
    }
    free(all);
    if (known) fclose(known);
    return 0;
}

static int show(char **argv) {
    FILE *one = fopen(argv[0], "rb"), *two = fopen(argv[1], "rb");
    char head[128], other[128];
    uint64_t a, b;
    int shown = 0;
    if (!one || !two) return perror("open"), 1;
    while (fgets(head, sizeof head, one) && fgets(other, sizeof other, two)) {
        unsigned bytes;
        if (strcmp(head, other) || sscanf(head, "%*s %u", &bytes) != 1) return fprintf(stderr, "other kernels\n"), 1;
        for (unsigned n = 0; n < bytes / 8; n++) {
            if (fread(&a, 8, 1, one) != 1 || fread(&b, 8, 1, two) != 1) return 1;
            if (a != b && ++shown) {
                printf("%.*s thread %u at %u: %016llx, %016llx\n", (int)strcspn(head, " "), head, n * 8 / STRIDE, n * 8 % STRIDE,
                    (unsigned long long)a, (unsigned long long)b);
            }
        }
    }
    return shown > 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "--show")) return show(argv + 2);
    if (argc < 3) return fprintf(stderr, "usage: random MODULE LIST [FILE] | random --show FILE FILE\n"), 2;
    int trace = !strcmp(argv[1], "--trace");
    argc -= trace;
    argv += trace;
    setvbuf(stdout, NULL, _IOLBF, 0);
    char name[64] = "start", line[256], log[LOG], *text = contents(argv[1]);
    FILE *list = fopen(argv[2], "r"), *out = argc > 3 ? fopen(argv[3], "wb") : NULL;
    if (!list) return perror("open"), 1;
    CUmodule module;
    begin();
    // Functions that call themselves.
    DO(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16384));
    // As it is written: what the optimiser of driver 580 makes of some kernels gives other bits (docs/PTX.md).
    CUresult loaded = load(&module, text, 0, log);
    if (loaded) return fprintf(stderr, "%s: load: %d %s\n", argv[1], loaded, log), 1;
    CUdeviceptr in, result, cells;
    DO(cuMemAlloc(&in, INPUT));
    DO(cuMemAlloc(&result, MOST));
    DO(cuMemAlloc(&cells, CELLS));
    uint64_t *host = malloc(MOST + CELLS), *input = malloc(INPUT);
    while (fgets(line, sizeof line, list)) {
        unsigned gx, gy, gz, bx, by, bz, dynamic, items;
        if (sscanf(line, "%63s %u %u %u %u %u %u %u %u", name, &gx, &gy, &gz, &bx, &by, &bz, &dynamic, &items) != 9) return 1;
        unsigned bytes = gx * gy * gz * bx * by * bz * STRIDE;
        uint64_t seed = strtoull(name + 1, NULL, 10);
        for (unsigned n = 0; n < INPUT / 8; n++) input[n] = word(seed, n);
        DO(cuMemcpyHtoD(in, input, INPUT));
        for (unsigned n = 0; n < CELLS / 8; n++) host[n] = word(~seed, n * 64 + 22);
        DO(cuMemcpyHtoD(cells, host, CELLS));
        DO(cuMemsetD8(result, 0, bytes));
        uint64_t array[8];
        for (int n = 0; n < 8; n++) array[n] = word(seed, 64 * n + 50);
        uint8_t small = word(seed, 30);
        int16_t brief = word(seed, 2);
        uint32_t single = word(seed, 32), number = word(seed, 10);
        uint64_t real = word(seed, 42);
        unsigned traced = (items + 1) * TRACED, count = gx * gy * gz * bx * by * bz;
        CUdeviceptr written = 0;
        if (trace) DO(cuMemAlloc(&written, (size_t)traced * count));
        if (trace) DO(cuMemsetD8(written, 0, (size_t)traced * count));
        void *parameters[] = { &in, &result, &cells, array, &small, &brief, &single, &real, &number, &written, &traced };
        CUfunction f;
        DO(cuModuleGetFunction(&f, module, name));
        DO(cuLaunchKernel(f, gx, gy, gz, bx, by, bz, dynamic, 0, parameters, 0));
        DO(cuMemcpyDtoH(host, result, bytes));
        DO(cuMemcpyDtoH((char *)host + bytes, cells, CELLS));
        if (trace) {
            if (parts(name, written, traced, count, items, out, argc > 4 ? argv[4] : NULL)) return 1;
            DO(cuMemFree(written));
            continue;
        }
        uint64_t sum = 0;
        for (unsigned n = 0; n < (bytes + CELLS) / 8; n++) sum = mix(sum ^ host[n]) + n;
        printf("%s %016llx\n", name, (unsigned long long)sum);
        if (out) {
            fprintf(out, "%s %u\n", name, bytes + CELLS);
            fwrite(host, 1, bytes + CELLS, out);
        }
    }
    return out && fclose(out) != 0;
}
