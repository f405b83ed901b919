// Instructions with two operands of 16 bits: every pair of operands.
//
//   sixteen MODULE LIST WHAT...          digests of what the kernels give: LIST's lines with a digest for each WHAT
//   sixteen MODULE LIST --against RECORD WHAT...   compares with such lines, prints what differs
//   sixteen --model LIST [--against RECORD] WHAT...   the same of what the models give
//
// WHAT is one of
//   edges      all first operands with the second ones that are edges, and the other way round. Third operands that are no
//              predicates change from thread to thread, predicates are both
//   triples    the same for each third operand that is an edge, and all third operands of 16 bits for all pairs of edges
//   square     every pair, as one digest, and each of 16 slices: of first operands that have the same lower byte
//   0 ... 15   one of these slices
//
// MODULE and LIST are made by sixteen.py, which says what a thread does. Of pairs of halves, the upper half gets other numbers: all
// pairs of them, too. With MISMATCH=1 in the environment, kernels are compared with models, operand by operand where they differ.
#include "device.h"
#include "model_sixteen.h"

static const uint16_t wholes[] = { 0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 23, 24, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 0x5555, 0xaaaa, 0x1234,
    0x7ffe, 0x7fff, 0x8000, 0x8001, 0x8002, 0xfeff, 0xff00, 0xff7f, 0xff80, 0xfffd, 0xfffe, 0xffff, 0x00fe, 0xff01, 0x7f80 };
static const uint16_t halves[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x401, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0xb800, 0x3e00, 0x4000,
    0x4100, 0xc100, 0x4248, 0x3555, 0x5bff, 0x5c00, 0x6400, 0x63ff, 0x7bff, 0xfbff, 0x7800, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfd55, 0x7fff, 0xffff,
    0x7ff7, 0xfff7, 0x1400, 0x0c00, 0x2e66, 0x4c80, 0x2001 };
static const uint16_t brains[] = { 0, 0x8000, 1, 0x8001, 0x7f, 0x807f, 0x80, 0x8080, 0x81, 0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x3f00, 0xbf00, 0x3fc0, 0x4000,
    0x4020, 0xc020, 0x4049, 0x3eab, 0x4300, 0x437f, 0x4b00, 0x7f7f, 0xff7f, 0x7f00, 0x7f80, 0xff80, 0x7fc0, 0xffc0, 0x7f81, 0xff95, 0x7fff, 0xffff, 0x7ff7,
    0xfff7, 0x3380, 0x2000, 0x1e3d, 0x5e3d, 0x4780 };
static const uint32_t words[] = { 0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 31, 32, 16 };
static const uint32_t singles[] = { 0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345 };
// As sixteen.py has them.
static const uint32_t factors[] = { 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0xD3A2646D, 0xFD7046C5, 0xB55A4F09, 0x8CB92BA7, 0xE9846AF9,
    0xC6EF3721, 0x7FEB352D, 0x846CA68B, 0xAC4C1B51, 0x58F38DED, 0x9C8F2D35 };

enum { SLICES = 256, ALL = 65536 };

// What the threads of a launch do: `columns` times 16 first operands from a column on, `rows` times `length` second ones, `count` third
// ones, `layers` times.
typedef struct {
    const uint32_t *firsts, *seconds, *thirds;
    unsigned n_firsts, n_seconds, from, columns, rows, length, count, layers;
} job;

typedef struct { char name[32], types[4][16], text[256]; int n_types, pairs, alone, shifts; } line;

// ---- Operands ----

static int type_has(const char *type, const char *what) { return strstr(type, what) != NULL; }

// The edges of a type in the lower half.
static unsigned edges(const char *type, uint32_t *to) {
    unsigned n = 0;
#define TAKE(from) for (; n < COUNT(from); n++) to[n] = (from)[n]
    if (!strcmp(type, "f32")) TAKE(singles);
    else if (type_has(type, "32")) TAKE(words);
    else if (!strcmp(type, "pred")) for (; n < 2; n++) to[n] = n;
    else if (!strncmp(type, "bf16", 4)) TAKE(brains);
    else if (!strncmp(type, "f16", 3)) TAKE(halves);
    else TAKE(wholes);
    return n;
}

// Upper halves: others, such that all pairs come, too.
static uint32_t with_upper(uint32_t half, uint32_t times) { return half | (half * times + 0x1234) % ALL << 16; }

static void all_firsts(const line *l, uint32_t *to) {
    for (uint32_t n = 0; n < ALL; n++) {
        uint32_t a = n % 256 << 8 | n / 256; // slices one after the other
        to[n] = l->pairs && !l->alone ? with_upper(a, 0x6487) : a;
    }
}

static void all_seconds(int pairs, uint32_t *to) {
    for (uint32_t n = 0; n < ALL; n++) to[n] = pairs ? with_upper(n, 0x9e35) : n;
}

static unsigned paired_edges(const char *type, int pairs, unsigned step, uint32_t *to) {
    uint32_t plain[64];
    unsigned n = edges(type, plain);
    for (unsigned k = 0; k < n; k++) to[k] = pairs ? plain[k] | plain[(k * step + 3) % n] << 16 : plain[k];
    return n;
}

// ---- What kernels give, and what models give ----

static CUmodule module;
static CUdeviceptr first_memory, second_memory, third_memory, cell_memory;

static void start(const char *name) {
    char log[LOG], *text = contents(name);
    begin();
    if (load(&module, text, 1, log)) exit((fprintf(stderr, "%s\n", log), 1));
    free(text);
    DO(cuMemAlloc(&first_memory, ALL * 4));
    DO(cuMemAlloc(&second_memory, ALL * 4));
    DO(cuMemAlloc(&third_memory, ALL * 4));
    DO(cuMemAlloc(&cell_memory, SLICES * 8));
}

static void run_kernel(const line *l, const job *j, uint64_t *cells) {
    CUfunction f;
    const char *name = l->name;
    DO(cuModuleGetFunction(&f, module, name));
    DO(cuMemcpyHtoD(first_memory, j->firsts, j->n_firsts * 4));
    DO(cuMemcpyHtoD(second_memory, j->seconds, j->n_seconds * 4));
    DO(cuMemcpyHtoD(third_memory, j->thirds, j->count * 4));
    DO(cuMemsetD8(cell_memory, 0, SLICES * 8));
    unsigned threads = j->columns * j->rows * j->layers;
    job copy = *j;
    void *parameters[] = { &first_memory, &second_memory, &third_memory, &cell_memory, &copy.from, &copy.columns, &copy.rows, &copy.length, &copy.count, &threads };
    DO(cuLaunchKernel(f, (threads + 127) / 128, 1, 1, 128, 1, 1, 0, 0, parameters, 0));
    DO(cuMemcpyDtoH(cells, cell_memory, SLICES * 8));
}

static void run_model(const line *l, const job *j, uint64_t *cells) {
    memset(cells, 0, SLICES * 8);
    char kind = l->text[strcspn(l->text, " ") + 2];
    int results = sixteen_results();
    for (unsigned z = 0; z < j->layers; z++)
        for (unsigned y = 0; y < j->rows; y++)
            for (unsigned x = j->from; x < j->from + j->columns; x++) {
                uint32_t third = j->thirds[(x + y + z) % j->count], out[16], more[16];
                uint64_t sum = 0;
                for (unsigned n = y * j->length; n < (y + 1) * j->length; n++) {
                    sixteen(j->firsts + 16 * x, j->seconds[n], third, out, more);
                    uint32_t bits[2] = { 0, 0 };
                    for (int k = 0; k < 16; k++) {
                        if (kind == 'p') bits[0] |= out[k] << k, bits[1] |= more[k] << k;
                        else if (kind != 'h') sum += (uint64_t)out[k] * factors[k];
                        else if (k % 2) sum += (uint64_t)(out[k - 1] | out[k] << 16) * factors[k];
                    }
                    for (int k = 0; k < results && kind == 'p'; k++) sum += (uint64_t)bits[k] * factors[k];
                    sum = (sum ^ sum >> 29) * 0xbf58476d1ce4e5b9;
                }
                uint64_t where = ((uint64_t)z * j->rows + y) * 4096 + x;
                cells[x >> 4] += mix(where * 0x9e3779b97f4a7c15 + sum);
            }
}

static int models;

// Where kernel and model differ: halves what is asked until that is one second operand.
static int search(const line *l, job j) {
    uint64_t a[SLICES], b[SLICES];
    run_kernel(l, &j, a);
    run_model(l, &j, b);
    if (!memcmp(a, b, sizeof a)) return 0;
    if (j.columns > 1) {
        job part = j;
        part.columns = j.columns / 2;
        if (search(l, part)) return 1;
        part.from += part.columns, part.columns = j.columns - part.columns;
        return search(l, part);
    }
    for (unsigned z = 0; z < j.layers && (j.rows > 1 || j.length > 1 || j.layers > 1); z++)
        for (unsigned n = 0; n < j.rows * j.length; n++) {
            uint32_t third = j.thirds[(j.from + n / j.length + z) % j.count];
            job one = j;
            one.seconds += n, one.n_seconds = 1, one.rows = one.length = one.count = one.layers = 1, one.thirds = &third;
            if (search(l, one)) return 1;
        }
    uint32_t out[16], more[16];
    sixteen(j.firsts + 16 * j.from, j.seconds[0], j.thirds[0], out, more);
    printf("%s second %x third %x:", l->text, j.seconds[0], j.thirds[0]);
    for (int n = 0; n < 16; n++) printf(" %x->%x", j.firsts[16 * j.from + n], out[n]);
    printf(" by the model\n");
    return 1;
}

static void work(const line *l, const job *j, uint64_t *cells) {
    if (models) run_model(l, j, cells);
    else run_kernel(l, j, cells);
    if (getenv("MISMATCH")) search(l, *j);
}

static uint64_t digest(const line *l, const job *j, uint64_t sum) {
    uint64_t cells[SLICES];
    work(l, j, cells);
    for (int n = 0; n < SLICES; n++) sum = mix(sum ^ cells[n]) + n;
    return sum;
}

// ---- What is asked ----

static uint32_t firsts[ALL], seconds[ALL], thirds[ALL], first_edges[64], second_edges[64], third_edges[64];

static uint64_t edges_of(const line *l, int triples) {
    int pairs = l->pairs && !l->alone;
    const char *second = l->alone ? l->types[0] : l->types[1], *third = l->n_types > 2 ? l->types[2] : "u16";
    unsigned a = paired_edges(l->types[0], pairs, 7, first_edges), b = paired_edges(second, pairs, 5, second_edges), c = paired_edges(third, type_has(third, "16x2"), 9, third_edges);
    while (a % 16) first_edges[a] = first_edges[a % 16], a++;
    unsigned layers = l->n_types > 2 && (triples || !strcmp(third, "pred")) ? c : 1;
    all_firsts(l, firsts);
    all_seconds(pairs, seconds);
    job one = { firsts, second_edges, third_edges, ALL, b, 0, 4096, 1, b, c, layers };
    job two = { first_edges, seconds, third_edges, a, ALL, 0, a / 16, 256, 256, c, layers };
    uint64_t sum = digest(l, &two, digest(l, &one, 0));
    if (triples && l->n_types > 2 && (type_has(third, "16"))) {
        all_seconds(type_has(third, "16x2"), thirds);
        job three = { first_edges, second_edges, thirds, a, b, 0, a / 16, 1, b, ALL, ALL };
        sum = digest(l, &three, sum);
    }
    return sum;
}

// A slice, or (-1) all of them: their digests.
static void square(const line *l, int slice, uint64_t *cells) {
    int pairs = l->pairs && !l->alone;
    const char *third = l->n_types > 2 ? l->types[2] : "u16";
    unsigned c = paired_edges(third, type_has(third, "16x2"), 9, third_edges);
    all_firsts(l, firsts);
    all_seconds(pairs, seconds);
    job j = { firsts, seconds, third_edges, ALL, ALL, slice < 0 ? 0 : slice * 17 * 16, slice < 0 ? 4096 : 16, 256, 256, c, !strcmp(third, "pred") ? 2 : 1 };
    work(l, &j, cells);
}

// Prints ` NAME=DIGEST` for each thing asked.
static void answer(const line *l, const char *what, char *to) {
    uint64_t cells[SLICES], sum = 0;
    if (!strcmp(what, "edges")) sprintf(to, " edges=%016llx", (unsigned long long)edges_of(l, 0));
    else if (!strcmp(what, "triples")) {
        *to = 0;
        if (l->n_types > 2 && strcmp(l->types[2], "pred") != 0) sprintf(to, " triples=%016llx", (unsigned long long)edges_of(l, 1));
    } else if (!strcmp(what, "square")) {
        square(l, -1, cells);
        for (int n = 0; n < SLICES; n++) sum = mix(sum ^ cells[n]) + n;
        to += sprintf(to, " square=%016llx", (unsigned long long)sum);
        for (int n = 0; n < 16; n++) to += sprintf(to, " %d=%016llx", n, (unsigned long long)cells[17 * n]);
    } else {
        int n = atoi(what) & 15;
        square(l, n, cells);
        sprintf(to, " %d=%016llx", n, (unsigned long long)cells[17 * n]);
    }
}

static int read_line(FILE *list, line *l) {
    char types[64];
    memset(l, 0, sizeof *l);
    if (fscanf(list, "%31s %63s %255[^\n]", l->name, types, l->text) != 3) return 0;
    for (char *t = strtok(types, ","); t && l->n_types < 4; t = strtok(NULL, ",")) snprintf(l->types[l->n_types++], 16, "%s", t);
    l->alone = l->n_types == 1;
    l->pairs = type_has(l->types[0], "16x2");
    return 1;
}

// What a record has for an instruction; NULL if it has none.
static char *recorded(FILE *record, const char *text) {
    static char found[1024];
    size_t length = strlen(text);
    rewind(record);
    while (fgets(found, sizeof found, record))
        if (!strncmp(found, text, length) && found[length] == ' ') return found + length;
    return NULL;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 4) return fprintf(stderr, "usage: sixteen MODULE|--model LIST [--against RECORD] WHAT...\n"), 2;
    models = !strcmp(argv[1], "--model");
    FILE *list = fopen(argv[2], "r"), *record = NULL;
    int at = 3, all = 0, differ = 0;
    if (!strcmp(argv[3], "--against") && argc > 5) record = fopen(argv[4], "r"), at = 5;
    if (!list || (at == 5 && !record)) return perror("open"), 1;
    if (!models) start(argv[1]);
    line l;
    while (read_line(list, &l)) {
        if ((models || getenv("MISMATCH")) && !sixteen_form(l.text)) return printf("%s has no model\n", l.text), 1;
        const char *known = record ? recorded(record, l.text) : NULL;
        if (!record) printf("%s", l.text);
        if (record && !known) differ++, printf("%s: not recorded\n", l.text);
        all++;
        for (int n = at; n < argc; n++) {
            char text[1024] = "";
            answer(&l, argv[n], text);
            if (!record) printf("%s", text);
            for (char *one = known ? strtok(text, " ") : NULL; one; one = strtok(NULL, " "))
                if (!strstr(known, one)) differ++, printf("%s: %s, not as recorded\n", l.text, one);
        }
        if (!record) printf("\n");
    }
    if (record) printf("%d instructions, %d digests differ\n", all, differ);
    return differ != 0;
}
