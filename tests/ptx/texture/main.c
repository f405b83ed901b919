#define _GNU_SOURCE
// Runs every texture and surface instruction over textures and places at their edges.
//
//   texture run LIST RESULTS [PART PARTS]   runs each instruction of LIST (each PARTSth), compares with the model, writes digests
//   texture fail LIST RESULTS [PART PARTS]  tries accesses that end their kernel, in processes of their own, and writes how they do
//   texture ptx INSTRUCTION                 shows its module
//
// SHOW is how many differences are shown of each texture, KEEP a folder for all that comes out, REPLAY such a folder to take it from.
//
// LIST has an instruction's opcode and modifiers a line. A digest is of all that the instruction gave; where a module does not load, or
// has no kernel, the answer is the error's name.
#include "settings.h"
#include <math.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

static char ptx[1 << 18];
static size_t length;
static void put(const char *format, ...) {
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(ptx + length, sizeof ptx - length, format, list);
    va_end(list);
}

static const char *name(CUresult r) {
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

// Numbers of ways that an instruction can be written: no offsets in cubes, comparisons with real coordinates in planes and cubes.
static int has_way(const struct instruction *i, enum way way) {
    if (way == PLAIN || way == RESIDENT) return 1;
    // With gradients, the compiler of driver 580 takes what is compared for one of them.
    if (way == COMPARED) return !i->whole && !i->grad && (i->dimensions < 3 || i->cube);
    return !i->cube;
}

static void vector(const char *prefix, int from, int count, int most) {
    put("{");
    for (int n = 0; n < most; n++) put("%s%s%d", n ? "," : "", prefix, from + (n < count ? n : count - 1));
    put("}");
}

static void coordinates(const struct instruction *i, const char *layer) {
    int n = 0, all = i->layered + i->samples + i->dimensions;
    put("{");
    if (i->layered) put("%s", layer), n++;
    if (i->samples) put("%s%%r5", n ? "," : ""), n++;
    for (int k = 0; k < i->dimensions; k++, n++) put("%s%%%c%d", n ? "," : "", i->whole ? 'r' : 'f', k);
    if (all == 3) put(",%%%c%d", i->whole ? 'r' : 'f', i->dimensions - 1);
    put("}");
}

static void tex(const struct instruction *i, enum way way) {
    const char *texture = "%t";
    if (way == RESIDENT) put("{ .reg .pred %%q; ");
    put("%s ", i->text);
    vector(i->halves && i->words == 4 ? "%e" : "%d", 0, i->words, i->words);
    if (way == RESIDENT) put("|%%q");
    put(", [%s, ", texture);
    coordinates(i, "%r4");
    put("]");
    int wide = i->dimensions == 3 ? 4 : i->dimensions;
    if (i->level) put(", %%%c5", i->whole ? 'r' : 'f');
    if (i->grad) put(", "), vector("%f", 6, i->dimensions, wide), put(", "), vector("%f", 9, i->dimensions, wide);
    if (way == LOW || way == HIGH) {
        put(", {");
        for (int n = 0; n < wide; n++) put("%s%d", n ? "," : "", n == 3 ? 0 : way == LOW ? -8 : 7);
        put("}");
    }
    if (way == REGISTERS) put(", "), vector("%r", 12, i->dimensions, wide);
    if (way == COMPARED) put(", %%f5");
    put(";");
    // Everything is resident.
    if (way == RESIDENT) put(" @!%%q not.b32 %%d0, %%d0; @!%%q not.b16 %%e0, %%e0; }");
    if (i->halves && i->words == 4) for (int n = 0; n < 4; n++) put(" cvt.u32.u16 %%d%d, %%e%d;", n, n);
    put("\n");
}

// The kernels of an instruction. Those on textures run a thread for each place; those on surfaces have one that goes through all.
static void module_of(const struct instruction *i) {
    length = 0;
    put(".version 8.7\n.target sm_90\n.address_size 64\n");
    int textures = *i->opcode == 't' && strcmp(i->opcode, "txq") != 0;
    for (int way = 0; way < WAYS; way++) {
        if (way && (!textures || !has_way(i, (enum way)way))) continue;
        put(".visible .entry k%d(.param .u64 in, .param .u64 out, .param .u64 objects) {\n"
            ".reg .pred %%p; .reg .b16 %%h<4>, %%e<4>; .reg .b32 %%i, %%n, %%r<16>, %%d<4>; .reg .f32 %%f<16>; .reg .b64 %%l<4>, %%t, %%w<4>, %%q<4>;\n"
            "ld.param.u64 %%l0, [in]; ld.param.u64 %%l1, [out]; ld.param.u64 %%l2, [objects]; mov.u32 %%i, %%ctaid.x;\n"
            "mul.wide.u32 %%l3, %%i, 8; add.u64 %%l2, %%l2, %%l3; ld.global.u64 %%t, [%%l2]; mov.u32 %%n, %%ntid.x; mul.lo.u32 %%i, %%i, %d; mov.u32 %%n, %%tid.x; add.u32 %%i, %%i, %%n;\n"
            "mul.wide.u32 %%l2, %%i, 64; add.u64 %%l0, %%l0, %%l2; mul.wide.u32 %%l2, %%i, 32; add.u64 %%l1, %%l1, %%l2; mov.u32 %%n, 0;\nL:\n", way, PLACES);
        for (int n = 0; n < WORDS; n++) put("ld.global.b32 %%r%d, [%%l0+%d]; mov.b32 %%f%d, %%r%d;\n", n, n * 4, n, n);
        for (int n = 0; n < 4; n++) put("cvt.u16.u32 %%h%d, %%r%d; mov.b64 %%w%d, {%%r%d, %%r%d}; mov.b64 %%q%d, 0; mov.b32 %%d%d, 0; mov.b16 %%e%d, 0;\n", n, n + 8, n, 2 * n + 8, 2 * n + 9, n, n, n);
        if (textures) tex(i, (enum way)way);
        else if (i->opcode[2] == 'q') put("%s %%d0, [%%t]%s;\n", i->text, i->level ? ", %r5" : "");
        else {
            const char *registers = i->bytes < 4 ? i->opcode[2] == 'l' ? "%e" : "%h" : i->bytes == 4 ? i->opcode[2] == 'l' ? "%d" : "%r" : i->opcode[2] == 'l' ? "%q" : "%w";
            int from = *registers == '%' && registers[1] == 'r' ? 8 : 0;
            put("%s ", i->text);
            if (i->opcode[2] == 'l') vector(registers, 0, i->count, i->count), put(", ");
            put("[%%t, ");
            struct instruction place = *i;
            place.whole = 1;
            coordinates(&place, "%r3");
            put("]");
            if (!strcmp(i->opcode, "sured")) put(", %s%d", registers, from);
            else if (i->opcode[2] == 's') put(", "), vector(registers, from, i->count, i->count);
            put(";\n");
            if (i->bytes < 8) for (int n = 0; n < 4; n++) put("cvt.u64.u%d %%q%d, %%%c%d;\n", i->bytes == 4 ? 32 : 16, n, i->bytes == 4 ? 'd' : 'e', n);
        }
        if (*i->opcode == 't' || i->opcode[2] == 'q') for (int n = 0; n < 4; n++) put("cvt.u64.u32 %%q%d, %%d%d;\n", n, n);
        put("st.global.v2.b64 [%%l1], {%%q0,%%q1}; st.global.v2.b64 [%%l1+16], {%%q2,%%q3};\n");
        if (!textures && i->opcode[2] != 'q') put("add.u64 %%l0, %%l0, 64; add.u64 %%l1, %%l1, 32; add.u32 %%n, %%n, 1; setp.lt.u32 %%p, %%n, %d; @%%p bra L;\n", PLACES);
        put("ret; }\n");
    }
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static CUdeviceptr in, out, objects;
static size_t room;

// What a launch takes and gives: places and objects of so many settings.
static void reserve(size_t settings) {
    if (settings <= room) return;
    if (room) cuMemFree(in), cuMemFree(out), cuMemFree(objects);
    must(cuMemAlloc(&in, settings * PLACES * WORDS * 4), "memory");
    must(cuMemAlloc(&out, settings * PLACES * 32), "memory");
    must(cuMemAlloc(&objects, settings * 8), "memory");
    room = settings;
}

static long long wrong, right;
static int verbose = 4;

static void launch(CUfunction f, unsigned blocks, unsigned threads, const char *what) {
    void *args[] = { &in, &out, &objects };
    must(cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, 0, 0, args, NULL), what);
    must(cuCtxSynchronize(), what);
}

// Formats are for instructions as they are, of gathering ones for the first component and some for the others; what is more than the
// instruction and its coordinates is tried on a third of the textures.
static int chosen(const struct instruction *i, const struct setting *s, enum way way, int n) {
    if (s->purpose == FORMATS && (way != PLAIN || i->base || i->level || i->grad || (i->gather > 0 && n % 5))) return 0;
    return way == PLAIN || n % 3 == (int)way % 3;
}

// What a device gave may be kept in a folder, and compared with the model where there is none.
static void raw(const char *text, void *results, size_t bytes) {
    const char *keep = getenv("KEEP"), *replay = getenv("REPLAY");
    static char name[512];
    static FILE *file;
    char here[512];
    if (!keep && !replay) return;
    snprintf(here, sizeof here, "%s/%s", keep ? keep : replay, text);
    if (strcmp(here, name)) {
        if (file) fclose(file);
        file = fopen(here, keep ? "wb" : "rb");
        strcpy(name, here);
    }
    if (!file || (keep ? fwrite(results, 1, bytes, file) : fread(results, 1, bytes, file)) != bytes) exit(printf("%s: %zu bytes are not there\n", here, bytes));
    fflush(file);
}

// How far two results are from each other: singles, halves, or pairs of halves.
static double distance(const struct instruction *i, uint32_t a, uint32_t b) {
    float x, y;
    memcpy(&x, &a, 4), memcpy(&y, &b, 4);
    if (!i->halves) return fabs((double)x - y);
    return fmax(fabs(half_value((uint16_t)a) - half_value((uint16_t)b)), fabs(half_value((uint16_t)(a >> 16)) - half_value((uint16_t)(b >> 16))));
}

static int unlike(const struct instruction *i, const uint32_t *got, const uint32_t *expected, double error, double *largest) {
    int bad = 0;
    for (int c = 0; c < 4; c++) {
        if (got[c] == expected[c]) continue;
        double d = distance(i, got[c], expected[c]);
        if (d > *largest) *largest = d;
        bad |= !(d <= error) || error == 0;
    }
    return bad;
}

static uint64_t run_texture(const struct instruction *i, CUmodule module) {
    const struct settings *list = texture_settings(i);
    uint64_t sum = 0;
    static struct setting *picked[1024];
    static uint32_t places[1024][PLACES][WORDS];
    static uint64_t results[1024][PLACES][4], handles[1024];
    for (int way = 0; way < WAYS; way++) {
        if (!has_way(i, (enum way)way)) continue;
        int count = 0;
        for (int n = 0; n < list->count; n++)
            if (chosen(i, list->all[n], (enum way)way, n) && list->all[n]->object) picked[count++] = list->all[n];
        reserve((size_t)count);
        for (int n = 0; n < count; n++) memcpy(places[n], picked[n]->places[i->whole], sizeof places[n]), handles[n] = picked[n]->object;
        if (i->samples) for (int n = 0; n < count; n++) for (int p = 0; p < PLACES; p++) places[n][p][5] = p % 8 == 7 ? places[n][p][5] : 0;
        must(cuMemcpyHtoD(in, places, (size_t)count * sizeof *places), "places");
        must(cuMemcpyHtoD(objects, handles, (size_t)count * 8), "objects");
        must(cuMemsetD8(out, 0, (size_t)count * sizeof *results), "results");
        char kernel[8];
        CUfunction f;
        snprintf(kernel, sizeof kernel, "k%d", way);
        must(cuModuleGetFunction(&f, module, kernel), i->text);
        launch(f, (unsigned)count, PLACES, i->text);
        must(cuMemcpyDtoH(results, out, (size_t)count * sizeof *results), "results");
        raw(i->text, results, (size_t)count * sizeof *results);
        for (int n = 0; n < count; n++) {
            int mistakes = 0;
            double largest = 0;
            for (int p = 0; p < PLACES; p++) {
                uint32_t expected[4], got[4];
                for (int c = 0; c < 4; c++) got[c] = (uint32_t)results[n][p][c];
                double error = model_fetch(&picked[n]->t, i, (enum way)way, places[n][p], 0, expected);
                int bad = unlike(i, got, expected, error, &largest), sure = error == 0;
                // Levels from gradients may be a little off; of cubes and in three dimensions any will do.
                int any = i->dimensions == 3, reach = !i->grad || picked[n]->t.count == 1 ? 0 : any ? 256 * picked[n]->t.count : 2;
                for (int shift = -reach; shift <= reach && (any ? bad : reach > 0); shift++) {
                    uint32_t other[4];
                    model_fetch(&picked[n]->t, i, (enum way)way, places[n][p], shift, other);
                    sure &= !memcmp(other, expected, sizeof other);
                    bad &= unlike(i, got, other, error, &largest);
                }
                if (reach && any) sure = 0;
                if (sure) for (int c = 0; c < 4; c++) sum = mix(sum ^ got[c]) + (uint64_t)p;
                right += !bad, wrong += bad;
                if (bad && mistakes++ < verbose) {
                    const uint32_t *q = places[n][p];
                    printf("%s way %d, %s, place %d:", i->text, way, picked[n]->title, p);
                    for (int k = 0; k < (i->grad ? 12 : 6); k++) printf(" %x", q[k]);
                    if (way == REGISTERS) printf(" offsets %x %x %x", q[12], q[13], q[14]);
                    printf(": %x %x %x %x, not %x %x %x %x\n", got[0], got[1], got[2], got[3], expected[0], expected[1], expected[2], expected[3]);
                }
            }
            if (mistakes) printf("%s way %d, %s: %d places differ, up to %g\n", i->text, way, picked[n]->title, mistakes, largest);
        }
    }
    return sum;
}

static uint64_t run_surface(const struct instruction *i, CUmodule module) {
    const struct settings *list = surface_settings(i);
    uint64_t sum = 0;
    CUfunction f;
    must(cuModuleGetFunction(&f, module, "k0"), i->text);
    for (int n = 0; n < list->count; n++) {
        struct setting *s = list->all[n];
        struct level *l = &s->t.levels[0];
        size_t bytes = l->slice * (size_t)(l->d ? l->d : 1);
        static uint64_t results[PLACES][4];
        uint8_t *before = malloc(bytes), *after = malloc(bytes);
        if (!i->by_element && (int)l->row < i->bytes * i->count) continue;
        memcpy(before, l->bytes, bytes);
        surface_places(s, i);
        copy_level(s, 0, before);
        reserve(1);
        must(cuMemcpyHtoD(in, s->places[0], sizeof s->places[0]), "places");
        must(cuMemcpyHtoD(objects, &s->surface, 8), "objects");
        must(cuMemsetD8(out, 0, sizeof results), "results");
        launch(f, 1, 1, i->text);
        must(cuMemcpyDtoH(results, out, sizeof results), "results");
        copy_level(s, 1, after);
        raw(i->text, results, sizeof results), raw(i->text, after, bytes);
        int mistakes = 0;
        for (int p = 0; p < PLACES; p++) {
            uint64_t expected[4];
            if (model_surface(&s->t, i, s->places[0][p], expected)) exit(printf("%s: place %d is outside\n", i->text, p));
            int bad = memcmp(expected, results[p], 32) != 0;
            right += !bad, wrong += bad;
            for (int c = 0; c < 4; c++) sum = mix(sum ^ results[p][c]) + (uint64_t)p;
            if (bad && mistakes++ < verbose)
                printf("%s, %s, place %d: %x %x %x %x: %llx %llx %llx %llx, not %llx %llx %llx %llx\n", i->text, s->title, p, s->places[0][p][0], s->places[0][p][1], s->places[0][p][2], s->places[0][p][3],
                    (unsigned long long)results[p][0], (unsigned long long)results[p][1], (unsigned long long)results[p][2], (unsigned long long)results[p][3],
                    (unsigned long long)expected[0], (unsigned long long)expected[1], (unsigned long long)expected[2], (unsigned long long)expected[3]);
        }
        for (size_t b = 0; b < bytes; b++) {
            sum = mix(sum ^ after[b]) + b;
            if (after[b] == l->bytes[b]) continue;
            wrong++;
            if (mistakes++ < verbose) {
                printf("%s, %s, byte %zu: %02x, not %02x\n", i->text, s->title, b, after[b], l->bytes[b]);
                for (int p = 0; p < PLACES && mistakes < 3; p++)
                    if (i->by_element && (size_t)(s->places[0][p][1]) * l->row + s->places[0][p][0] * (l->row / (size_t)l->w) == b / (l->row / (size_t)l->w) * (l->row / (size_t)l->w))
                        printf("  place %d: %x %x %x %x\n", p, s->places[0][p][8], s->places[0][p][9], s->places[0][p][10], s->places[0][p][11]);
            }
        }
        if (mistakes) printf("%s, %s: %d differ\n", i->text, s->title, mistakes);
        memcpy((uint8_t *)l->bytes, before, bytes);
        free(before), free(after);
    }
    return sum;
}

static uint64_t run_query(const struct instruction *i, CUmodule module) {
    static const char *geometries[] = { "1d", "2d", "3d", "a1d", "a2d", "cube", "acube" };
    uint64_t sum = 0;
    CUfunction f;
    must(cuModuleGetFunction(&f, module, "k0"), i->text);
    for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
        struct instruction of;
        char text[64];
        int surface = *i->opcode == 's';
        if (surface && g > 4) continue;
        snprintf(text, sizeof text, surface ? "suld.b.%s.b32.clamp" : "tex.%s.v4.f32.f32", geometries[g]);
        parse_instruction(&of, text);
        const struct settings *list = surface ? surface_settings(&of) : texture_settings(&of);
        for (int n = 0; n < list->count; n++) {
            struct setting *s = list->all[n];
            static uint64_t results[PLACES][4];
            uint64_t handle = surface ? s->surface : s->object;
            if (s->purpose == FORMATS) continue;
            reserve(1);
            must(cuMemcpyHtoD(in, s->places[1], sizeof s->places[1]), "places");
            must(cuMemcpyHtoD(objects, &handle, 8), "objects");
            launch(f, 1, PLACES, i->text);
            must(cuMemcpyDtoH(results, out, sizeof results), "results");
            int mistakes = 0;
            for (int p = 0; p < PLACES; p++) {
                uint32_t expected = 0;
                int known = model_query(&s->t, i, s->places[1][p][5], &expected);
                int bad = !known || results[p][0] != expected;
                right += !bad, wrong += bad;
                sum = mix(sum ^ results[p][0]) + (uint64_t)p;
                if (bad && mistakes++ < verbose) printf("%s, %s, level %d: %llu, not %u%s\n", i->text, s->title, (int)s->places[1][p][5], (unsigned long long)results[p][0], expected, known ? "" : " (no model)");
            }
        }
    }
    return sum;
}

static CUresult load(CUmodule *module, int quiet) {
    static char log[4096];
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    CUresult r = cuModuleLoadDataEx(module, ptx, 2, options, values);
    if (r && !quiet) fprintf(stderr, "%s\n", log);
    return r;
}

static void begin(void) {
    CUcontext context;
    must(cuInit(0), "init");
    must(cuDevicePrimaryCtxRetain(&context, 0), "context");
    must(cuCtxSetCurrent(context), "current");
}

// An access that ends its kernel, alone: beyond the first coordinate, beyond the last one, at no multiple of its size. Says how it ends.
static void fault(const char *text, char which) {
    struct instruction i;
    struct settings const *list;
    CUmodule module;
    CUfunction f;
    begin();
    parse_instruction(&i, text);
    module_of(&i);
    CUresult r = load(&module, 1);
    if (r) return;
    list = surface_settings(&i);
    struct setting *s = list->all[list->count - 1];
    for (int n = 0; n < list->count; n++) if (list->all[n]->t.levels[0].row >= 16) s = list->all[n];
    surface_places(s, &i);
    for (int p = 0; p < PLACES; p++) s->places[0][p][0] = s->places[0][p][1] = s->places[0][p][2] = s->places[0][p][3] = 0;
    struct format format;
    format_of(s->t.format, s->t.channels, 0, &format);
    if (which == 'x') s->places[0][3][0] = (uint32_t)(*i.operation && i.by_element ? s->t.w * format.size / i.bytes : i.by_element ? s->t.w : s->t.w * format.size);
    if (which == 'y') s->places[0][3][i.layered ? 3 : i.dimensions - 1] = 16;
    if (which == 'm') s->places[0][3][0] = (uint32_t)(i.bytes * i.count / 2);
    reserve(1);
    must(cuMemcpyHtoD(in, s->places[0], sizeof s->places[0]), "places");
    must(cuMemcpyHtoD(objects, &s->surface, 8), "objects");
    must(cuModuleGetFunction(&f, module, "k0"), "function");
    void *args[] = { &in, &out, &objects };
    must(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL), "launch");
    r = cuCtxSynchronize();
    // What the model says.
    uint64_t ignored[4];
    int expected = 0;
    for (int p = 0; p < PLACES && !expected; p++) expected = model_surface(&s->t, &i, s->places[0][p], ignored);
    CUresult as = expected == 'o' ? CUDA_ERROR_ILLEGAL_ADDRESS : expected == 'm' ? CUDA_ERROR_MISALIGNED_ADDRESS : CUDA_SUCCESS;
    printf("%s%s\n", name(r), as == r ? "" : " unlike the model");
}

static void faults(const char *text, const struct instruction *i, FILE *results) {
    const char *tries = i->outside == 't' ? i->dimensions + i->layered > 1 ? "xym" : "xm" : "m";
    for (const char *which = tries; *which; which++) {
        // One caching operator will do, and two reductions; places that are no multiples, of planes.
        const char *caches[] = { ".ca.", ".cg.", ".cs.", ".cv.", ".wb.", ".wt." };
        int cached = 0;
        for (int n = 0; n < 6; n++) cached |= strstr(text, caches[n]) != NULL;
        if (cached || (*i->operation && strcmp(i->operation, "add") && strcmp(i->operation, "min"))) continue;
        if (*which == 'm' && (i->by_element || i->bytes * i->count == 1 || i->outside == 'z' || i->layered || i->dimensions != 2)) continue;
        char line[128] = "?";
        int ends[2];
        if (pipe(ends)) exit(1);
        fflush(NULL);
        pid_t child = fork();
        if (!child) {
            dup2(ends[1], 1);
            fault(text, *which);
            fflush(stdout);
            _exit(0);
        }
        close(ends[1]);
        FILE *said = fdopen(ends[0], "r");
        int empty = !fgets(line, sizeof line, said), status;
        fclose(said);
        waitpid(child, &status, 0);
        if (empty && !status) return;
        line[strcspn(line, "\n")] = 0;
        if (strstr(line, "unlike")) wrong++, printf("%s, %c: %s\n", text, *which, line);
        line[strcspn(line, " ")] = 0;
        fprintf(results, "%s %s %c\n", line, text, *which);
    }
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "ptx")) {
        struct instruction i;
        parse_instruction(&i, argv[2]);
        module_of(&i);
        return puts(ptx), 0;
    }
    if (argc < 4 || (strcmp(argv[1], "run") && strcmp(argv[1], "fail"))) return fprintf(stderr, "usage: texture run|fail LIST RESULTS [PART PARTS]\n"), 2;
    int part = argc > 5 ? atoi(argv[4]) : 0, parts = argc > 5 ? atoi(argv[5]) : 1, all = 0;
    if (getenv("SHOW")) verbose = atoi(getenv("SHOW"));
    FILE *list = fopen(argv[2], "r"), *results = fopen(argv[3], "w");
    if (!list || !results) return perror("open"), 1;
    char text[128];
    // None of the processes that end badly may have a parent that has met the device.
    for (int n = 0; !strcmp(argv[1], "fail") && fgets(text, sizeof text, list); n++) {
        struct instruction i;
        text[strcspn(text, "\n")] = 0;
        if (n % parts == part && parse_instruction(&i, text) && i.outside) faults(text, &i, results), all++;
    }
    if (!strcmp(argv[1], "fail")) return fclose(results), printf("%d instructions, %lld accesses unlike their models\n", all, wrong), wrong > 0;
    begin();
    for (int n = 0; fgets(text, sizeof text, list); n++) {
        struct instruction i;
        CUmodule module;
        text[strcspn(text, "\n")] = 0;
        if (n % parts != part) continue;
        if (!parse_instruction(&i, text)) return fprintf(stderr, "not understood: %s\n", text), 1;
        module_of(&i);
        CUresult r = load(&module, getenv("LOG") == NULL);
        CUfunction f;
        if (!r) r = cuModuleGetFunction(&f, module, "k0");
        if (r) {
            fprintf(results, "%s %s\n", name(r), text);
            continue;
        }
        long long before = wrong;
        uint64_t sum = i.opcode[2] == 'q' && *i.opcode != 't' ? run_query(&i, module) : !strcmp(i.opcode, "txq") ? run_query(&i, module) : *i.opcode == 't' ? run_texture(&i, module) : run_surface(&i, module);
        fprintf(results, "%016llx %s\n", (unsigned long long)sum, text);
        if (wrong > before) printf("%s differs from its model\n", text);
        fflush(stdout);
        cuModuleUnload(module);
        all++;
    }
    fclose(results);
    printf("%d instructions, %lld results as their models, %lld not\n", all, right, wrong);
    return wrong > 0;
}
