// Launches kernels of any modules with random shapes and arguments, and writes down what each launch gives.
//
//   corpus OUT FIRST COUNT NAME...            the kernels of modules NAME.ptx, as NAME.txt lists them (cargo xtask corpus), each with
//                                             the seeds FIRST to FIRST+COUNT-1
//   corpus --one OUT NAME KERNEL SEED [FILE]  one launch; FILE gets the memory behind it. It says on stderr what was launched
//   corpus --show FILE FILE                   compares two such files
//
// OUT has a line a launch: NAME/KERNEL, seed, the code of the launch, a digest of all memory that kernels could write and of what they
// printed, and whether a warp lacks lanes. Kernels write to an arena, the pointers of which lead to slices of numbers that are likely to be of use: see `slice`. What
// ends the process costs the launch that did it, not the others. Codes that are none of the driver's: `crashed`, `hung`.
#include "device.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

// The arena, where it lies, and its slices; behind the last pointer there is room for what goes a little too far.
#define ARENA (2u << 20)
#define PLACE 0x200000000000ull
#define SLICE (256u << 10)
#define SLICES (ARENA / SLICE)
// Variables of a module that are larger are left alone.
#define MOST_VARIABLE (1u << 20)
#define MOST_PARAMETERS 32768
// Of launches of a kernel that end with an error, so many are made; of those that run out of time, and of those that crash, fewer.
#define MOST_FAULTS (seeds / 3 > 16 ? seeds / 3 : 16)
#define MOST_ENDLESS (1 + seeds / 20)

typedef struct { char *name, *parameters, flags[24]; unsigned most, needed[3], cluster[3]; } kernel_of;
typedef struct { CUdeviceptr at; size_t size; char *initial; } variable_of;

// How far the process that launches came, and what ended before.
static struct { int module, kernel, seed, faults, endless; char name[4096]; } *at;
static FILE *out;
static int first_seed, seeds;
static const char *name = "start", *keep;
static char *image, *arena;
// What threads print.
static int printed;

// A module, as it is loaded.
static CUcontext context;
static CUmodule module;
static CUdeviceptr ground;
static variable_of *variables;
static int variable_count;
static CUtexObject textures[2];
static CUarray array;

// Numbers of a launch, one after the other.
static uint64_t state;
static uint64_t draw(void) { return mix(state += 0x9e3779b97f4a7c15); }
static unsigned below(unsigned n) { return draw() % n; }

static uint64_t number_of(const char *text) {
    uint64_t sum = 14695981039346656037ull;
    for (; *text; text++) sum = (sum ^ (unsigned char)*text) * 1099511628211ull;
    return sum;
}

// Contents of slices: by letters of `cargo xtask corpus`, in each several ways.
enum { BITS, BYTES, FEW, SOME, MANY, FLOATS, WILD, DOUBLES, HALVES, LONGS, ADDRESSES, ZEROS, PATTERNS };
static char *patterns[PATTERNS];

static float single(uint64_t a) {
    switch (a % 4) {
        case 0: return (float)((int)(a >> 8 & 255) - 128);
        case 1: return (float)(a >> 40) / (1 << 24);
        default: return (float)((int64_t)(a >> 20 & 0xfffff) - 0x80000) / (1 << (a >> 52 & 15));
    }
}

static void make_patterns(void) {
    static const uint32_t odd[] = { 0, 0x80000000, 1, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000, 0x4f000000, 0x3f800000 };
    for (int kind = 0; kind < PATTERNS; kind++) {
        patterns[kind] = malloc(SLICE);
        for (unsigned n = 0; n < SLICE / 4; n++) {
            uint64_t a = mix(n * 0x9e3779b97f4a7c15 + kind);
            uint32_t *word = (uint32_t *)patterns[kind] + n;
            uint64_t *two = (uint64_t *)patterns[kind] + n / 2;
            float f = single(a);
            double d = single(a) + 1e-9 * (double)(a >> 44);
            uint16_t half = 0x3000 + (a & 0x17ff) + (a & 0x8000), other = 0x3000 + (a >> 16 & 0x17ff) + (a >> 32 & 0x8000);
            switch (kind) {
                case BITS: *word = a; break;
                case BYTES: *word = a & 0x07070707; break;
                case FEW: *word = a % 3; break;
                case SOME: *word = a % 40; break;
                case MANY: *word = a % 1000; break;
                case FLOATS: memcpy(word, &f, 4); break;
                case WILD: *word = a & 7 ? (a & 0x83ffffff) + 0x3e000000 : odd[(a >> 8) % COUNT(odd)]; break;
                case DOUBLES: if (n % 2 == 0) memcpy(two, &d, 8); break;
                case HALVES: *word = half | (uint32_t)other << 16; break;
                case LONGS: if (n % 2 == 0) *two = a % 300; break;
                case ADDRESSES: if (n % 2 == 0) *two = PLACE + a % 6 * SLICE + a / 8 % 4096 * 16; break;
                default: *word = 0;
            }
        }
    }
}

// Fills a slice for what a letter says; half of those of which little is known are small integers, which may be indices.
static void slice(int number, char kind) {
    static const int integers[] = { FEW, SOME, SOME, MANY, BYTES, LONGS, BITS, FLOATS, ZEROS };
    int pattern = integers[below(COUNT(integers))];
    switch (kind) {
        case 'f': pattern = below(8) ? FLOATS : WILD; break;
        case 'd': pattern = DOUBLES; break;
        case 'p': pattern = ADDRESSES; break;
        case 'j': pattern = LONGS; break;
        case 'b': pattern = below(3) ? BYTES : BITS; break;
        case 'h': pattern = below(3) ? HALVES : SOME; break;
        case 'n': pattern = integers[below(4)]; break;
        case 'i': pattern = below(3) == 0 ? FLOATS : pattern; break;
        default: break;
    }
    // The same numbers, beginning elsewhere.
    unsigned start = below(SLICE / 16) * 16;
    memcpy(arena + number * SLICE, patterns[pattern] + start, SLICE - start);
    memcpy(arena + number * SLICE + SLICE - start, patterns[pattern], start);
}

static uint64_t integer(void) {
    switch (below(12)) {
        case 0: return below(3);
        case 1: case 2: return below(8);
        case 3: case 4: return 1u << below(9);
        case 5: case 6: case 7: return below(40);
        case 8: return below(8) ? below(3000) : -1ull;
        default: return below(300);
    }
}

// Words of a parameter: `0pf,8i` for example.
static void fill(char *to, size_t size, const char *words, int *used) {
    memset(to, 0, size);
    while (*words) {
        char *end;
        size_t place = strtoul(words, &end, 10);
        char kind = *end;
        uint64_t value = integer();
        float f = single(draw());
        double d = f;
        size_t bytes = 8;
        if (kind == 'u') kind = below(3) ? 'p' : 'j';
        switch (kind) {
            case 'p': {
                // Each has a slice, some share one; a few lead into the middle of it.
                int own = below(8) || !*used ? (*used)++ % (SLICES - 2) : (int)below(*used) % (SLICES - 2);
                slice(own, end[1] && end[1] != ',' ? end[1] : 'u');
                value = PLACE + own * SLICE + (own ? 0 : 16384) + (below(4) ? 0 : below(64) * 16);
                break;
            }
            case 't': value = textures[below(2)]; break;
            case 'd': memcpy(&value, &d, 8); break;
            case 'f': memcpy(&value, &f, 4), bytes = 4; break;
            case 'i': bytes = 4; break;
            case 'h': value = below(3) ? 0x3000 + below(0x1800) : value, bytes = 2; break;
            case 'b': value = below(3), bytes = 1; break;
            default: break;
        }
        if (place + bytes <= size) memcpy(to + place, &value, bytes);
        words = strchr(end, ',');
        if (!words) break;
        words++;
    }
}

// A shape of blocks, of no more threads than `most`.
static void shape(unsigned block[3], const kernel_of *kernel, unsigned most) {
    static const unsigned short odd[][3] = { { 1, 1, 1 }, { 7, 1, 1 }, { 31, 1, 1 }, { 32, 1, 1 }, { 33, 1, 1 }, { 63, 1, 1 }, { 64, 1, 1 },
        { 65, 1, 1 }, { 96, 1, 1 }, { 96, 3, 1 }, { 100, 1, 1 }, { 5, 5, 5 }, { 128, 1, 1 }, { 256, 1, 1 }, { 257, 1, 1 }, { 512, 1, 1 },
        { 1000, 1, 1 }, { 1024, 1, 1 }, { 16, 16, 1 }, { 32, 32, 1 }, { 8, 8, 8 }, { 8, 8, 1 }, { 2, 2, 2 }, { 3, 1, 1 }, { 1, 64, 1 },
        { 1, 1, 64 }, { 4, 33, 1 }, { 31, 3, 1 }, { 17, 17, 1 }, { 1, 33, 2 }, { 64, 2, 3 }, { 32, 8, 1 }, { 8, 32, 1 }, { 2, 128, 1 },
        { 16, 4, 4 }, { 32, 4, 1 }, { 16, 1, 1 }, { 192, 1, 1 }, { 33, 9, 1 } };
    if (kernel->needed[0]) {
        memcpy(block, kernel->needed, sizeof kernel->needed);
        return;
    }
    if (kernel->most && kernel->most <= most && below(2)) {
        block[0] = kernel->most, block[1] = block[2] = 1;
        return;
    }
    do {
        unsigned which = below(COUNT(odd) * 4 / 3);
        for (int n = 0; n < 3; n++) block[n] = which < COUNT(odd) ? odd[which][n] : 1 + below(n == 2 ? 5 : n == 1 ? 20 : 300);
    } while (block[0] * block[1] * block[2] > most);
}

// Most launches of kernels whose lanes read registers of others have whole warps: what lanes that are not there have is undefined.
static void whole_warps(unsigned block[3], const kernel_of *kernel, unsigned most) {
    unsigned threads = block[0] * block[1] * block[2], rounded = (threads + 31) / 32 * 32;
    if (!strchr(kernel->flags, 'w') || kernel->needed[0] || !below(4) || rounded > most) return;
    if (rounded != threads) block[0] = rounded, block[1] = block[2] = 1;
}

static void blocks(unsigned grid[3], const kernel_of *kernel, unsigned threads) {
    static const unsigned char shapes[][3] = { { 1, 1, 1 }, { 2, 1, 1 }, { 3, 1, 1 }, { 4, 1, 1 }, { 5, 1, 1 }, { 6, 1, 1 }, { 1, 2, 1 },
        { 2, 2, 1 }, { 2, 3, 1 }, { 3, 2, 1 }, { 1, 1, 2 }, { 2, 1, 2 }, { 1, 3, 2 } };
    const unsigned char *chosen = shapes[below(COUNT(shapes))];
    for (int n = 0; n < 3; n++) grid[n] = chosen[n];
    // Most launches are small.
    if (grid[0] * grid[1] * grid[2] * threads > 1500 && below(4)) grid[0] = 1 + below(2), grid[1] = grid[2] = 1;
    for (int n = 0; n < 3 && kernel->cluster[0]; n++) grid[n] *= kernel->cluster[n];
}

// Digests eight words at a time.
static uint64_t digest(const void *of, size_t size, uint64_t seed) {
    const uint64_t *words = of;
    uint64_t sums[8], tail = 0;
    for (int n = 0; n < 8; n++) sums[n] = seed + n;
    for (; size >= 64; size -= 64, words += 8) {
        for (int n = 0; n < 8; n++) sums[n] = (sums[n] ^ words[n]) * 0x9e3779b97f4a7c15 + (sums[n] >> 29);
    }
    for (; size >= 8; size -= 8) tail = mix(tail ^ *words++);
    if (size) {
        uint64_t rest = 0;
        memcpy(&rest, words, size);
        tail = mix(tail ^ rest) + size;
    }
    for (int n = 0; n < 8; n++) tail = mix(tail ^ sums[n]);
    return tail;
}

static int by_line(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }

// A digest of what was printed: the lines, whatever their order.
static uint64_t lines(uint64_t seed) {
    fflush(stdout);
    off_t size = lseek(printed, 0, SEEK_END);
    if (size <= 0) return seed;
    char *text = calloc(1, size + 1);
    if (pread(printed, text, size, 0) != size) exit(1);
    if (ftruncate(printed, 0) || lseek(printed, 0, SEEK_SET)) exit(1);
    char **all = malloc((size + 1) * sizeof *all);
    int count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) all[count++] = line;
    qsort(all, count, sizeof *all, by_line);
    for (int n = 0; n < count; n++) seed = mix(seed ^ number_of(all[n]));
    free(all);
    free(text);
    return seed;
}

// The text of a module, or of its pieces with a NUL between them.
static char *text_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) exit((perror(path), 2));
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = calloc(1, *size + 1);
    if (fread(text, 1, *size, file) != *size) exit(1);
    fclose(file);
    return text;
}

// The arena, always at the same address, which kernels may calculate with. It outlasts contexts that fail.
static void begin_arena(void) {
    CUmemAllocationProp prop = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } } };
    CUmemAccessDesc access = { prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUmemGenericAllocationHandle handle;
    CUcontext first;
    DO(cuInit(0));
    DO(cuCtxCreate(&first, NULL, 0, 0));
    DO(cuMemAddressReserve(&ground, ARENA, 0, PLACE, 0));
    if (ground != PLACE) exit((fprintf(stderr, "the arena lies at %llx\n", (unsigned long long)ground), 2));
    DO(cuMemCreate(&handle, ARENA, &prop, 0));
    DO(cuMemMap(ground, ARENA, 0, handle, 0));
    DO(cuMemSetAccess(ground, ARENA, &access, 1));
    DO(cuMemRelease(handle));
    DO(cuCtxDestroy(first));
}

// A context and a module.
static CUresult begin_module(const char *path) {
    char file[512];
    size_t size;
    DO(cuCtxCreate(&context, NULL, 0, 0));
    CUDA_ARRAY_DESCRIPTOR of = { 64, 64, CU_AD_FORMAT_FLOAT, 1 };
    DO(cuArrayCreate(&array, &of));
    CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = patterns[FLOATS], .srcPitch = 256, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
        .dstArray = array, .WidthInBytes = 256, .Height = 64 };
    DO(cuMemcpy2D(&copy));
    CUDA_RESOURCE_DESC resource = { .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array };
    for (int n = 0; n < 2; n++) {
        CUDA_TEXTURE_DESC texture = { .addressMode = { n, n, n }, .filterMode = n, .flags = n ? CU_TRSF_NORMALIZED_COORDINATES : 0 };
        DO(cuTexObjectCreate(&textures[n], &resource, &texture, NULL));
    }
    snprintf(file, sizeof file, "%s.ptx", path);
    char *text = text_of(file, &size);
    CUresult r;
    if (strlen(text) == size) {
        r = cuModuleLoadData(&module, text);
    } else {
        CUlinkState link;
        void *linked;
        DO(cuLinkCreate(0, NULL, NULL, &link));
        r = CUDA_SUCCESS;
        for (char *piece = text; piece < text + size && !r; piece += strlen(piece) + 1) {
            r = cuLinkAddData(link, CU_JIT_INPUT_PTX, piece, strlen(piece) + 1, "piece", 0, NULL, NULL);
        }
        r = r ? r : cuLinkComplete(link, &linked, &size);
        r = r ? r : cuModuleLoadData(&module, linked);
        cuLinkDestroy(link);
    }
    free(text);
    return r;
}

// Finds the variables that kernels may write.
static void find_variables(char **names, int count) {
    variable_count = 0;
    for (int n = 0; n < count; n++) {
        variable_of found;
        if (cuModuleGetGlobal(&found.at, &found.size, module, names[n]) || found.size > MOST_VARIABLE) continue;
        found.initial = malloc(found.size);
        DO(cuMemcpyDtoH(found.initial, found.at, found.size));
        variables[variable_count++] = found;
    }
}

// Makes a launch; the code is what the driver says, or what it said of the shape. The memory behind it is in `image`.
static CUresult launch(const kernel_of *kernel, int seed, uint64_t *sum, int *partial) {
    char *buffer = calloc(1, MOST_PARAMETERS), *words = strdup(kernel->parameters), *each = words, *word;
    void *parameters[1024];
    unsigned block[3], grid[3], count = 0, used_bytes = 0;
    int most, used = 0;
    CUfunction f;
    state = mix(number_of(kernel->name)) + seed * 0x632be59bd9b4e019;
    name = kernel->name;
    *sum = 0;
    DO(cuModuleGetFunction(&f, module, name));
    DO(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    shape(block, kernel, most);
    whole_warps(block, kernel, most);
    unsigned threads = block[0] * block[1] * block[2];
    *partial = threads % 32 != 0;
    blocks(grid, kernel, threads);
    for (int n = 0; n < (int)SLICES; n++) slice(n, 'u');
    while ((word = strsep(&each, " ")) && *word) {
        size_t size = strtoul(word, &word, 10);
        used_bytes = (used_bytes + 15) & ~15u;
        if (count == COUNT(parameters) || used_bytes + size > MOST_PARAMETERS || *word != ':') break;
        fill(buffer + used_bytes, size, word + 1, &used);
        parameters[count++] = buffer + used_bytes;
        used_bytes += size;
    }
    unsigned dynamic = 0;
    if (strchr(kernel->flags, 's')) {
        unsigned each_thread = 4 << below(3);
        dynamic = below(8) ? threads * each_thread + (below(3) ? 0 : 1024) : below(2048) * 4;
    } else if (below(8) == 0) {
        dynamic = below(64) * 16;
    }
    if (dynamic > 32768) dynamic = 32768;
    DO(cuMemcpyHtoD(ground, arena, ARENA));
    if (keep) {
        fprintf(stderr, "%s: grid %u %u %u, block %u %u %u, %u bytes of shared memory, parameters", kernel->name, grid[0], grid[1], grid[2],
            block[0], block[1], block[2], dynamic);
        for (unsigned n = 0; n < used_bytes && n < 512; n += 4) fprintf(stderr, " %x", *(uint32_t *)(buffer + n));
        fprintf(stderr, "\n");
    }
    CUlaunchAttribute attributes[2];
    CUlaunchConfig config = { grid[0], grid[1], grid[2], block[0], block[1], block[2], dynamic, NULL, attributes, 0 };
    if (strchr(kernel->flags, 'c')) attributes[config.numAttrs++] = (CUlaunchAttribute){ .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1 };
    if (strchr(kernel->flags, 'x') && !kernel->cluster[0] && below(2)) {
        config.gridDimX *= 2;
        CUlaunchAttribute cluster = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION };
        cluster.value.clusterDim.x = 2, cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
        attributes[config.numAttrs++] = cluster;
    }
    CUresult r = cuLaunchKernelEx(&config, f, parameters, NULL);
    free(words);
    free(buffer);
    CUresult waited = cuCtxSynchronize();
    if (waited) return waited;
    DO(cuMemcpyDtoH(image, ground, ARENA));
    *sum = digest(image, ARENA, 1);
    size_t behind = ARENA;
    for (int n = 0; n < variable_count; n++) {
        variable_of *v = &variables[n];
        DO(cuMemcpyDtoH(image + behind, v->at, v->size));
        *sum = digest(image + behind, v->size, *sum);
        if (memcmp(image + behind, v->initial, v->size)) DO(cuMemcpyHtoD(v->at, v->initial, v->size));
        // One file has all of them, in words.
        if (keep) behind += (v->size + 63) & ~63ull;
    }
    if (keep) {
        FILE *file = fopen(keep, "wb");
        if (!file) exit((perror(keep), 1));
        fwrite(image, 1, behind, file);
        fclose(file);
    }
    *sum = lines(*sum);
    return r;
}

// The exit status of a process that leaves the other launches to the next one.
enum { NEXT = 3 };

static char *next_word(char **rest) {
    char *word = strsep(rest, " ");
    return word ? word : "";
}

// Launches that ran out of time in another tier: the file that BEFORE names has lines as `out` has.
static char *before;
static int skipped(const char *path, const char *kernel, int seed) {
    char line[8192];
    if (!before) return 0;
    snprintf(line, sizeof line, "%s/%s %d %d ", path, kernel, seed, CUDA_ERROR_LAUNCH_TIMEOUT);
    return strstr(before, line) != NULL;
}

// Launches the kernels of a module, from one on.
static void kernels(const char *path, const char *only) {
    char file[512];
    size_t size, count = 0, names = 0;
    snprintf(file, sizeof file, "%s.txt", path);
    char *list = text_of(file, &size), *rest = list, *line;
    size_t most = 1;
    for (char *c = list; *c; c++) most += *c == '\n';
    kernel_of *all = calloc(most, sizeof *all);
    char **variable_names = calloc(most, sizeof *variable_names);
    variables = calloc(most, sizeof *variables);
    while ((line = strsep(&rest, "\n"))) {
        char *what = next_word(&line);
        if (!strcmp(what, "global")) variable_names[names++] = line;
        if (strcmp(what, "kernel")) continue;
        kernel_of *k = &all[count++];
        k->name = next_word(&line);
        k->most = atoi(next_word(&line));
        for (int n = 0; n < 3; n++) k->needed[n] = atoi(next_word(&line));
        for (int n = 0; n < 3; n++) k->cluster[n] = atoi(next_word(&line));
        snprintf(k->flags, sizeof k->flags, "%s", next_word(&line));
        k->parameters = line ? line : "";
    }
    int loaded = 0;
    for (; at->kernel < (int)count; at->kernel++, at->seed = at->faults = at->endless = 0) {
        const kernel_of *k = &all[at->kernel];
        if (only && strcmp(only, k->name)) continue;
        snprintf(at->name, sizeof at->name, "%s", k->name);
        for (; at->seed < seeds && at->faults < MOST_FAULTS && at->endless < MOST_ENDLESS; at->seed++) {
            uint64_t sum = 0;
            int partial = 0;
            alarm(getenv("PATIENCE") ? atoi(getenv("PATIENCE")) : 60);
            if (!loaded) {
                CUresult r = begin_module(path);
                if (r) {
                    fprintf(out, "%s/%s %d load:%d 0\n", path, k->name, first_seed + at->seed, r);
                    at->seed = seeds;
                    continue;
                }
                find_variables(variable_names, names);
                loaded = 1;
            }
            // The first is made nevertheless: its kernel has to compile.
            int skip = at->endless && skipped(path, k->name, first_seed + at->seed);
            CUresult r = skip ? CUDA_ERROR_LAUNCH_TIMEOUT : launch(k, first_seed + at->seed, &sum, &partial);
            fprintf(out, "%s/%s %d %d %016llx %s\n", path, k->name, first_seed + at->seed, r, (unsigned long long)sum, partial ? "partial" : "whole");
            fflush(out);
            // Errors of the launch itself leave the context as it was. After others only a new process gets one.
            if (r) {
                at->faults++;
                if (r == CUDA_ERROR_LAUNCH_TIMEOUT) at->endless++;
                if (cuCtxSynchronize()) {
                    lines(0);
                    at->seed++;
                    exit(NEXT);
                }
            }
        }
    }
    alarm(0);
    free(variable_names);
    free(variables);
    free(all);
    free(list);
}

static int show(char **files) {
    size_t sizes[2], shown = 0;
    char *texts[2] = { text_of(files[0], &sizes[0]), text_of(files[1], &sizes[1]) };
    if (sizes[0] != sizes[1]) return fprintf(stderr, "other launches\n"), 1;
    for (size_t n = 0; n + 4 <= sizes[0]; n += 4) {
        uint32_t one, two;
        memcpy(&one, texts[0] + n, 4);
        memcpy(&two, texts[1] + n, 4);
        if (one != two && shown++ < 40) printf("slice %zu at %zu: %08x, %08x\n", n / SLICE, n % SLICE, one, two);
    }
    printf("%zu words differ\n", shown);
    return shown > 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "--show")) return show(argv + 2);
    int one = argc >= 6 && !strcmp(argv[1], "--one");
    if (argc < 5) return fprintf(stderr, "usage: see the head of tests/ptx/corpus.c\n"), 2;
    // Addresses are the same each time, if the system lets us have it so.
    if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE) && !getenv("CORPUS_AGAIN")) {
        setenv("CORPUS_AGAIN", "1", 1);
        if (personality(ADDR_NO_RANDOMIZE) >= 0) execv("/proc/self/exe", argv);
    }
    at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    arena = malloc(ARENA);
    image = malloc(ARENA + 64 * MOST_VARIABLE);
    make_patterns();
    out = fopen(argv[one ? 2 : 1], "w");
    if (!out) return perror(argv[1]), 1;
    setvbuf(out, NULL, _IOLBF, 0);
    printed = memfd_create("printed", 0);
    if (printed < 0 || dup2(printed, 1) < 0) return perror("memfd"), 1;
    char **modules = argv + (one ? 3 : 4);
    first_seed = atoi(argv[one ? 5 : 2]);
    seeds = one ? 1 : atoi(argv[3]);
    size_t size;
    if (getenv("BEFORE")) before = text_of(getenv("BEFORE"), &size);
    if (one) keep = argc > 6 ? argv[6] : "/dev/null";
    while (modules[at->module]) {
        pid_t child = fork();
        if (child == 0) {
            begin_arena();
            kernels(modules[at->module], one ? argv[4] : NULL);
            exit(0);
        }
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) < 0) return perror("fork"), 1;
        if (one) return WIFSIGNALED(status);
        if (!status) {
            at->module++;
            at->kernel = at->seed = at->faults = at->endless = 0;
        } else if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
            return 2;
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != NEXT) {
            int hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
            fprintf(out, "%s/%s %d %s:%d 0\n", modules[at->module], at->name, first_seed + at->seed, hung ? "hung" : "crashed", status);
            at->faults++, at->endless++, at->seed++;
        }
    }
    return 0;
}
