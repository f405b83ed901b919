// Runs kernels of matrix instructions (kernels/matrix.py): prints a digest of what each gives, and says where that is not what
// the model gives (matrix_model.c). Fails if it is not, or if an instruction has no model.
//
//   matrix MODULE LIST
//
// SEED=n gives other numbers, of which there are no digests. With REST set, what is not as the model has it is added to that file: types and instruction in a line, then all words.
#include "device.h"
#include "matrix.h"

enum { MOST = 1 << 18 }; // words of 32 bits that a kernel writes

// An array on the device; those that were made stay there.
static CUdeviceptr on_device(const char *name, const char *type, int role) {
    static struct { const uint64_t *words; CUdeviceptr at; } kept[64];
    const uint64_t *words = matrix_pool(type, role);
    int n = 0;
    while (kept[n].words && kept[n].words != words) n++;
    if (!kept[n].words) {
        kept[n].words = words;
        DO(cuMemAlloc(&kept[n].at, MATRIX_POOL * 8));
        DO(cuMemcpyHtoD(kept[n].at, words, MATRIX_POOL * 8));
    }
    return kept[n].at;
}

static void run(CUmodule module, const char *name, const char *text, char types[][16], const matrix_form *f, uint32_t *results) {
    static CUdeviceptr cells, result;
    CUdeviceptr in[4] = { 0 };
    uint64_t descriptors[32];
    if (!cells) {
        DO(cuMemAlloc(&cells, sizeof descriptors));
        DO(cuMemAlloc(&result, MOST * 4));
    }
    for (int k = 0; k < 4; k++)
        if (strcmp(types[k], "none")) in[k] = on_device(name, types[k], k);
    if (!strcmp(f->opcode, "wgmma")) {
        matrix_form product;
        matrix_parse(&product, !strcmp(f->part[1], "mma_async") ? text : MATRIX_PLAIN, types);
        for (int block = 0; block < 16; block++) matrix_descriptors(&product, !strcmp(types[0], "rowsg"), block, &descriptors[2 * block]);
        DO(cuMemcpyHtoD(cells, descriptors, sizeof descriptors));
    }
    size_t size = (size_t)f->threads * f->words * 4;
    CUfunction function;
    unsigned n = f->threads;
    unsigned char bytes[128] = { 0 };
    void *parameters[] = { &in[0], &in[1], &in[2], &in[3], &cells, &result, &n, bytes };
    DO(cuMemsetD8(result, 0, size));
    DO(cuModuleGetFunction(&function, module, name));
    DO(cuLaunchKernel(function, f->threads / 128, 1, 1, 128, 1, 1, 0, 0, parameters, 0));
    DO(cuMemcpyDtoH(results, result, size));
}

// Whether results are those of the model.
static int as_model(const char *text, char types[][16], const matrix_form *f, const uint32_t *results) {
    static uint32_t expected[MOST];
    int count = f->threads * f->words, wrong = 0, kinds[8] = { 0 };
    if (!matrix_model(text, types, expected)) return fprintf(stderr, "%s has no model\n", text), 0;
    for (int k = 0; k < count; k++) {
        if (results[k] == expected[k]) continue;
        int thread = k / f->words;
        kinds[(f->first + f->step * (thread / 128)) % 8]++;
        if (wrong++ < 3) fprintf(stderr, "%s %s: thread %d word %d: %x, not %x\n", text, types[0], thread, k % f->words, results[k], expected[k]);
    }
    if (!wrong) return 1;
    fprintf(stderr, "  %d wrong of %d, by kinds of numbers:", wrong, count);
    for (int k = 0; k < 8; k++) fprintf(stderr, " %d%s", kinds[k], k == 7 ? "\n" : "");
    FILE *rest = getenv("REST") ? fopen(getenv("REST"), "ab") : NULL;
    if (rest) fprintf(rest, "%s,%s,%s,%s,%s %s\n", types[0], types[1], types[2], types[3], types[4], text), fwrite(results, 4, count, rest), fclose(rest);
    return 0;
}

int main(int argc, char **argv) {
    static uint32_t results[MOST];
    if (argc != 3) return fprintf(stderr, "usage: matrix MODULE LIST\n"), 2;
    char name[32] = "load", line[512], log[LOG], *ptx = contents(argv[1]);
    FILE *list = fopen(argv[2], "r");
    if (!list) return perror(argv[2]), 1;
    CUmodule module;
    begin();
    CUresult loaded = load(&module, ptx, 1, log);
    if (loaded) return fprintf(stderr, "load: %d %s\n", loaded, log), 1;
    int all = 0, alike = 0;
    while (fgets(line, sizeof line, list)) {
        char types[5][16], *text;
        int used = 0;
        if (sscanf(line, "%31s %15[^,],%15[^,],%15[^,],%15[^,],%15s %n", name, types[0], types[1], types[2], types[3], types[4], &used) != 6)
            return fprintf(stderr, "bad line: %s", line), 1;
        text = line + used;
        text[strcspn(text, "\n")] = 0;
        matrix_form f;
        matrix_parse(&f, text, types);
        if (f.threads * f.words > MOST) return fprintf(stderr, "too large: %s\n", text), 1;
        run(module, name, text, types, &f, results);
        uint64_t sum = 0;
        for (int i = 0; i < f.threads * f.words / 2; i++) sum = mix(sum ^ (results[2 * i] | (uint64_t)results[2 * i + 1] << 32)) + i;
        printf("%016llx %s\n", (unsigned long long)sum, text);
        all++, alike += as_model(text, types, &f, results);
    }
    fprintf(stderr, "%d of %d matrix instructions as their model\n", alike, all);
    return alike != all;
}
