// Runs random kernels (crates/xtask/src/random) and prints a digest of what each leaves in memory.
//
//   random NAME...                 runs the modules NAME.ptx; a line a kernel. NAME:KERNEL is one kernel of a module
//   random --keep FOLDER NAME...   writes the memory of each kernel to FOLDER, too
//   random --trace FOLDER NAME...  prints a digest of what each part of a kernel wrote down, and writes to FOLDER what the
//                                  parts did whose digests are not those of NAME.parts, the first ones
//   random --show FILE FILE        compares two files of such folders: which words of which thread differ
//
// NAME.txt has a line a kernel: name, grid, block, bytes of dynamic shared memory. The inputs follow from the name. What ends
// the program (a device's compiler may crash, or not end) costs the kernel that did it, not the others.
#include "device.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define INPUT 65536
#define STRIDE 1024
#define CELLS 256
#define TRACED 64
#define MOST (2048 * STRIDE)

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

// Word `n` of the input: a thread's registers take 64 of them in order, those of 16 bits first (crates/xtask/src/random/kernel.rs).
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

// Where kernels' memory is written, and whether that is what parts wrote down.
static const char *folder;
static int trace;
// How far the process that runs kernels came.
static struct { int module, kernel; } *at;

static FILE *file_of(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) exit((perror(path), 1));
    return file;
}

// Digests of what the threads wrote down at each part, in order.
static void parts(const char *module, const char *name, CUdeviceptr written, unsigned traced, unsigned count, unsigned items) {
    uint64_t *all = malloc((size_t)traced * count), sum;
    char line[256], wanted[512] = "";
    snprintf(wanted, sizeof wanted, "%s.parts", module);
    FILE *known = fopen(wanted, "r"), *out = file_of(name);
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
        if (!differs || (known && shown++ >= 3)) continue;
        fprintf(out, "%s %u %u\n", name, item, count * TRACED);
        for (unsigned t = 0; t < count; t++) fwrite((char *)all + (size_t)t * traced + item * TRACED, 1, TRACED, out);
    }
    free(all);
    fclose(out);
    if (known) fclose(known);
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

// The text of a module with one of its kernels.
static void cut(char *text, const char *kernel) {
    char mark[128], *first = strstr(text, "// kernel ");
    snprintf(mark, sizeof mark, "// kernel %s\n", kernel);
    char *from = first ? strstr(first, mark) : NULL, *end = from ? strstr(from + 1, "// kernel ") : NULL;
    if (!from) exit(fprintf(stderr, "%s: there is no such kernel\n", kernel));
    if (end) *end = 0;
    memmove(first, from, strlen(from) + 1);
}

// Runs the kernels of a module, from one on; or only that.
static void kernels(const char *module_name, int first, const char *only) {
    char name[64] = "start", line[512], log[LOG];
    snprintf(line, sizeof line, "%s.txt", module_name);
    FILE *list = fopen(line, "r");
    if (!list) exit((perror(line), 1));
    snprintf(line, sizeof line, "%s.ptx", module_name);
    char *text = contents(line);
    if (only) cut(text, only);
    CUmodule module;
    alarm(getenv("PATIENCE") ? atoi(getenv("PATIENCE")) : 30);
    CUresult loaded = load(&module, text, 0, log);
    if (loaded) exit(fprintf(stderr, "%s: load: %d %s\n", module_name, loaded, log));
    CUdeviceptr in, result, cells;
    DO(cuMemAlloc(&in, INPUT));
    DO(cuMemAlloc(&result, MOST));
    DO(cuMemAlloc(&cells, CELLS));
    uint64_t *host = malloc(MOST + CELLS), *input = malloc(INPUT);
    for (int index = 0; fgets(line, sizeof line, list); index++) {
        unsigned gx, gy, gz, bx, by, bz, dynamic, items;
        if (sscanf(line, "%63s %u %u %u %u %u %u %u %u", name, &gx, &gy, &gz, &bx, &by, &bz, &dynamic, &items) != 9) exit(1);
        if (only ? strcmp(only, name) != 0 : index < first) continue;
        at->kernel = index;
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
            parts(module_name, name, written, traced, count, items);
            DO(cuMemFree(written));
            continue;
        }
        uint64_t sum = 0;
        for (unsigned n = 0; n < (bytes + CELLS) / 8; n++) sum = mix(sum ^ host[n]) + n;
        printf("%s %016llx\n", name, (unsigned long long)sum);
        if (folder) {
            FILE *out = file_of(name);
            fprintf(out, "%s %u\n", name, bytes + CELLS);
            fwrite(host, 1, bytes + CELLS, out);
            fclose(out);
        }
    }
    alarm(0);
    fclose(list);
    free(text);
    free(host);
    free(input);
    DO(cuMemFree(in));
    DO(cuMemFree(result));
    DO(cuMemFree(cells));
    DO(cuModuleUnload(module));
}

// Runs modules in a process of their own; of the first only kernels from one on, or that one.
static int apart(char **modules, int first, const char *only) {
    fflush(stdout);
    at->module = at->kernel = 0;
    pid_t child = fork();
    if (child == 0) {
        begin();
        // Functions that call themselves.
        const char *name = "start";
        DO(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16384));
        for (; modules[at->module]; at->module++, first = 0) {
            at->kernel = first;
            char path[256], *colon;
            snprintf(path, sizeof path, "%s", modules[at->module]);
            if ((colon = strchr(path, ':'))) *colon = 0;
            kernels(path, first, only ? only : colon ? colon + 1 : NULL);
            if (only) break;
        }
        exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0) exit((perror("fork"), 1));
    return status;
}

// The name of a kernel in a module's list, if there is one.
static int listed(const char *module, int index, char name[64]) {
    char path[512];
    snprintf(path, sizeof path, "%s.txt", module);
    FILE *list = fopen(path, "r");
    int found = 0;
    for (int n = 0; list && n <= index; n++) found = fscanf(list, "%63s%*[^\n]", name) == 1;
    if (list) fclose(list);
    return found;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "--show")) return show(argv + 2);
    trace = argc > 2 && !strcmp(argv[1], "--trace");
    char **modules = argv + 1;
    if (trace || (argc > 2 && !strcmp(argv[1], "--keep"))) folder = argv[2], modules += 2;
    if (!*modules) return fprintf(stderr, "usage: random [--keep FOLDER | --trace FOLDER] NAME... | random --show FILE FILE\n"), 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (*modules && apart(modules, 0, NULL)) {
        // The rest of the module that did it, each kernel by itself.
        char name[64], *module = modules[at->module], *colon = strchr(module, ':');
        modules += at->module;
        for (int index = at->kernel; !colon && listed(module, index, name); index++) {
            int status = apart(modules, index, name);
            if (status) printf("%s failed: %d\n", name, status);
        }
        if (colon) printf("%s failed\n", colon + 1);
        modules++;
    }
    return 0;
}
