/* DOPPEL_CHECK=memcheck: what is said of kernels that go wrong. Each case runs in a process of its own, whose messages are
 * printed with addresses left out. */
#include "check.h"
#include <stdint.h>

static const char text[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".extern .func free (.param .b64 p);\n"
    ".global .align 4 .b8 table[20];\n"
    ".const .align 4 .b8 fixed[12];\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".func (.param .b32 r) deeper (.param .b64 p) {\n"
    ".reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
    ".loc 2 31 5\nld.param.u64 %rd1, [p];\n.loc 2 32 5\nld.u32 %r1, [%rd1];\nst.param.b32 [r], %r1; ret; }\n"
    /* Every thread of the grid writes its word. */
    ".visible .entry _Z5touchPji(.param .u64 p, .param .u32 n) {\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p;\n"
    ".loc 1 10 1\nld.param.u64 %rd1, [p]; ld.param.u32 %r4, [n]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n"
    "mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3; setp.ge.u32 %p, %r1, %r4; @%p bra E;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
    ".loc 1 12 9\nst.global.u32 [%rd3], %r1;\n.loc 1 13 1\nE: bar.sync 0; ret; }\n"
    /* One word, four words, one change of a word, at a place. */
    ".visible .entry reads(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>;\n"
    "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1]; ret; }\n"
    ".visible .entry wide(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>;\n"
    "ld.param.u64 %rd1, [p]; .loc 1 20 1\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; ret; }\n"
    ".visible .entry changes(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>;\n"
    "ld.param.u64 %rd1, [p]; .loc 1 21 1\natom.global.add.u32 %r1, [%rd1], 1; ret; }\n"
    ".visible .entry reduces(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>;\n"
    "ld.param.u64 %rd1, [p]; .loc 1 22 1\nred.global.max.u64 [%rd1], 1; ret; }\n"
    /* The same word through a function. */
    ".visible .entry calls(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>; .param .b64 pp; .param .b32 pr;\n"
    ".loc 1 25 1\nld.param.u64 %rd1, [p]; st.param.b64 [pp], %rd1; call (pr), deeper, (pp); ret; }\n"
    /* Words of shared memory: static, dynamic, and by full addresses. */
    ".visible .entry statics(.param .u32 at) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>; .shared .align 4 .b8 own[40];\n"
    "ld.param.u32 %r1, [at]; mov.u32 %r2, own; mov.u32 %r3, %tid.x; shl.b32 %r3, %r3, 2; add.u32 %r1, %r1, %r3;\n"
    "add.u32 %r2, %r2, %r1;\n.loc 1 30 1\nst.shared.u32 [%r2], %r3; ret; }\n"
    ".visible .entry dynamics(.param .u32 at) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>; .shared .align 4 .b8 own[40];\n"
    "ld.param.u32 %r1, [at]; st.shared.u32 [own], %r1; mov.u32 %r2, dynamic; add.u32 %r2, %r2, %r1;\n"
    ".loc 1 31 1\nld.shared.u32 %r3, [%r2]; ret; }\n"
    ".visible .entry fulls(.param .u32 at) {\n.reg .b64 %rd<4>; .reg .b32 %r<6>; .shared .align 4 .b8 own[40];\n"
    "ld.param.u32 %r1, [at]; mov.u64 %rd1, own; cvta.shared.u64 %rd2, %rd1; cvt.u64.u32 %rd3, %r1;\n"
    "add.u64 %rd2, %rd2, %rd3;\n.loc 1 32 1\nst.u32 [%rd2], %r1; ret; }\n"
    /* Words of local memory. */
    ".visible .entry locals(.param .u32 at) {\n.reg .b64 %rd<4>; .reg .b32 %r<6>; .local .align 4 .b8 mine[24];\n"
    "ld.param.u32 %r1, [at]; mov.u32 %r2, mine; add.u32 %r2, %r2, %r1;\n"
    ".loc 1 33 1\nst.local.u32 [%r2], %r1;\n"
    "mov.u64 %rd1, mine; cvta.local.u64 %rd2, %rd1; cvt.u64.u32 %rd3, %r1; add.u64 %rd2, %rd2, %rd3;\n"
    ".loc 1 34 1\nld.u32 %r3, [%rd2]; ret; }\n"
    /* A parameter's word by a full address. */
    ".visible .entry parameters(.param .u32 at) {\n.reg .b64 %rd<4>; .reg .b32 %r<6>;\n"
    "ld.param.u32 %r1, [at]; mov.b64 %rd1, at; cvta.param.u64 %rd1, %rd1; cvt.u64.u32 %rd3, %r1;\n"
    "add.u64 %rd2, %rd1, %rd3;\n.loc 1 35 1\nld.u32 %r2, [%rd2]; ret; }\n"
    /* Words of variables of the module. */
    ".visible .entry variables(.param .u32 at) {\n.reg .b64 %rd<4>; .reg .b32 %r<6>;\n"
    "ld.param.u32 %r1, [at]; cvt.u64.u32 %rd3, %r1; mov.u64 %rd1, table; add.u64 %rd1, %rd1, %rd3;\n"
    ".loc 1 36 1\nld.global.u32 %r2, [%rd1]; mov.u64 %rd2, fixed; add.u64 %rd2, %rd2, %rd3;\n"
    ".loc 1 37 1\nld.const.u32 %r2, [%rd2]; ret; }\n"
    /* A block of the kernel's own: a word at a place of it, before and after it is freed. */
    ".visible .entry heap(.param .u32 at, .param .u32 late) {\n.reg .b64 %rd<4>; .reg .b32 %r<6>; .reg .pred %p;\n"
    ".param .b64 pn; .param .b64 pr; .param .b64 pp;\n"
    "ld.param.u32 %r1, [at]; ld.param.u32 %r2, [late]; cvt.u64.u32 %rd3, %r1;\n"
    "st.param.b64 [pn], 52; call (pr), malloc, (pn); ld.param.b64 %rd1, [pr]; add.u64 %rd2, %rd1, %rd3;\n"
    "setp.ne.u32 %p, %r2, 0; @!%p bra A; st.param.b64 [pp], %rd1; call free, (pp);\n"
    ".loc 1 38 1\nA: st.u32 [%rd2], %r1; @%p bra E; st.param.b64 [pp], %rd1; call free, (pp); E: ret; }\n"
    /* A copy in the background. */
    ".visible .entry copies(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>; .shared .align 16 .b8 own[64];\n"
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, own;\n.loc 1 40 1\ncp.async.ca.shared.global [%r1], [%rd1], 16;\n"
    "cp.async.wait_all; add.u32 %r1, %r1, 56;\n.loc 1 41 1\ncp.async.ca.shared.global [%r1], [%rd1], 8; ret; }\n"
    /* Matrices of shared memory. */
    ".visible .entry matrices(.param .u32 at) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>; .shared .align 16 .b8 own[128];\n"
    "ld.param.u32 %r1, [at]; mov.u32 %r2, own; mov.u32 %r3, %tid.x; and.b32 %r3, %r3, 7; shl.b32 %r3, %r3, 4;\n"
    "add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r1;\n"
    ".loc 1 42 1\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2]; ret; }\n"
    /* One thread waits for a word that another one would have written. */
    ".visible .entry waits(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .b32 %r<6>; .reg .pred %p; .shared .align 4 .b8 own[8];\n"
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 0; @%p bra W;\n"
    ".loc 1 43 1\nst.global.u32 [%rd1], %r1; st.shared.u32 [own], 1; bra E;\n"
    "W: ld.volatile.shared.u32 %r2, [own]; setp.eq.u32 %p, %r2, 0; @%p bra W; E: ret; }\n"
    ".file 1 \"/source/kernels.cu\"\n.file 2 \"/source/deeper.cuh\"\n"
    /* A word that all read, and the first one writes again: with a barrier between where the parameter is not 0. */
    ".visible .entry _Z5totalj(.param .u32 n) {\n.reg .b32 %r<9>; .reg .pred %p<3>; .shared .align 4 .b8 sums[256];\n"
    "ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; shl.b32 %r3, %r2, 2; mov.u32 %r4, sums; add.u32 %r4, %r4, %r3;\n"
    "mov.u32 %r8, 0; setp.eq.u32 %p1, %r1, 0;\nL:\n.loc 1 60 1\nst.shared.u32 [%r4], %r2; bar.sync 0;\n"
    ".loc 1 61 1\nld.shared.u32 %r6, [sums];\n.loc 1 62 1\n@%p1 bra N; bar.sync 0;\n"
    "N: add.u32 %r8, %r8, 1; add.u32 %r2, %r2, %r8; setp.lt.u32 %p2, %r8, 2; @%p2 bra L; ret; }\n";

static CUcontext context;
static CUmodule module;

static void start(void)
{
    context = begin();
    OK(cuModuleLoadData(&module, text));
}

/* Launches a kernel with one or two parameters of 64 bits, and says what comes of it. */
static void run_shape(const char *kernel, unsigned grid, unsigned block, unsigned shared, uint64_t a, uint64_t b)
{
    CUfunction function;
    void *parameters[] = {&a, &b};
    CUresult r = cuModuleGetFunction(&function, module, kernel);
    if (r == CUDA_SUCCESS)
        r = cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, 0, parameters, 0);
    if (r == CUDA_SUCCESS)
        r = cuCtxSynchronize();
    printf("%s: %s\n", kernel, full_name(r));
}

static void run(const char *kernel, uint64_t a)
{
    run_shape(kernel, 1, 1, 0, a, 0);
}

/* Where memory is allocated and freed. */
#line 1000 "memcheck.c"
__attribute__((noinline)) static CUdeviceptr make(size_t bytes)
{
    CUdeviceptr p;
    OK(cuMemAlloc(&p, bytes));
    return p;
}

__attribute__((noinline)) static void drop(CUdeviceptr p)
{
    OK(cuMemFree(p));
}

static void behind(void) { run_shape("_Z5touchPji", 4, 32, 0, make(400), 128); }
static void before(void) { run("reads", make(400) - 4); }
static void across(void) { run("wide", make(408) + 400); }
static void misaligned(void) { run("wide", make(400) + 8); }
static void misaligned_word(void) { run("changes", make(400) + 2); }
static void atomic(void) { run("changes", make(400) + 400); }
static void reduction(void) { run("reduces", make(400) + 400); }
static void function(void) { run("calls", make(400) + 404); }
static void null(void) { run("reads", 0); }

static void freed(void)
{
    CUdeviceptr p = make(4000), q;
    drop(p);
    q = make(4000);
    run("_Z5touchPji", q);
    run_shape("_Z5touchPji", 1, 32, 0, p + 3936, 32);
}

static void freed_chunks(void)
{
    CUdeviceptr p = make(5 << 20);
    drop(p);
    run("reads", p + (4 << 20));
}

static void statics(void) { run_shape("statics", 1, 16, 0, 0, 0); }
static void dynamics(void) { run_shape("dynamics", 1, 1, 100, 100, 0); }
static void between(void) { run_shape("dynamics", 1, 1, 100, (uint32_t)-4, 0); }
static void fulls(void) { run("fulls", 40); }
static void locals(void) { run("locals", 24); }
static void parameters(void) { run("parameters", 4); }
static void variable(void) { run("variables", 20); }
static void constant(void) { run("variables", 12); }
static void heap(void) { run("heap", 52); }
static void heap_freed(void) { run_shape("heap", 1, 1, 0, 8, 1); }
static void copy(void) { run("copies", make(24) + 16); }
static void matrices(void) { run_shape("matrices", 1, 32, 0, 16, 0); }
static void waits(void) { run_shape("waits", 1, 64, 0, make(4) + 4, 0); }

/* One block: of several any may be the first. */
static void race(void) { run_shape("_Z5totalj", 1, 64, 0, 0, 0); }
static void no_race(void) { run_shape("_Z5totalj", 4, 64, 0, 1, 0); }

static void host(void)
{
    static uint32_t word;
    run("reads", (uintptr_t)&word);
}

static void pinned(void)
{
    void *p;
    OK(cuMemHostAlloc(&p, 20, 0));
    run("reads", (uintptr_t)p + 20);
}

static void managed(void)
{
    CUdeviceptr p;
    OK(cuMemAllocManaged(&p, 20, CU_MEM_ATTACH_GLOBAL));
    run("reads", p + 20);
}

static void registered(void)
{
    static uint8_t all[8192] __attribute__((aligned(4096)));
    OK(cuMemHostRegister(all, 100, 0));
    run("reads", (uintptr_t)all + 100);
}

static void stream_order(void)
{
    CUstream stream;
    CUdeviceptr p, q;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&p, 1000, stream));
    OK(cuMemAllocAsync(&q, 1000, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamSynchronize(stream));
    run("reads", p + 996);
}

static void mapped(void)
{
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}};
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READ};
    size_t size = 2 << 20;
    CUmemGenericAllocationHandle memory;
    CUdeviceptr p;
    OK(cuMemAddressReserve(&p, 2 * size, 0, 0, 0));
    OK(cuMemCreate(&memory, size, &properties, 0));
    OK(cuMemMap(p, size, 0, memory, 0));
    OK(cuMemSetAccess(p, size, &access, 1));
    run("reads", p + size - 4);
    run("changes", p + 8);
}

static void unmapped(void)
{
    CUdeviceptr p;
    OK(cuMemAddressReserve(&p, 2 << 20, 0, 0, 0));
    run("reads", p);
}

/* A kernel that is queued before the free in stream order is right; the one behind it is not looked at here. */
static void CUDA_CB slow(void *data)
{
    (void)data;
    usleep(200000);
}

static void clean(void)
{
    static uint8_t all[8192] __attribute__((aligned(4096)));
    CUstream stream;
    CUdeviceptr p = make(512), q;
    CUfunction reads;
    void *host, *parameters[] = {&q};
    OK(cuModuleGetFunction(&reads, module, "reads"));
    OK(cuMemHostAlloc(&host, 20, 0));
    OK(cuMemHostRegister(all, 100, 0));
    run_shape("_Z5touchPji", 4, 32, 0, p, 128);
    run("wide", p + 496);
    run("changes", p + 508);
    run("reads", (uintptr_t)host + 16);
    run("reads", (uintptr_t)all + 96);
    run_shape("statics", 1, 10, 0, 0, 0);
    run_shape("dynamics", 1, 1, 100, 96, 0);
    run("fulls", 36);
    run("locals", 20);
    run("parameters", 0);
    run("variables", 8);
    run("heap", 48);
    run("copies", p);
    run_shape("matrices", 1, 32, 0, 0, 0);
    run("calls", p);
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocAsync(&q, 1000, stream));
    OK(cuLaunchHostFunc(stream, slow, 0));
    OK(cuLaunchKernel(reads, 1, 1, 1, 1, 1, 1, 0, stream, parameters, 0));
    OK(cuMemFreeAsync(q, stream));
    OK(cuStreamSynchronize(stream));
    drop(p);
}

static void after(void)
{
    CUdeviceptr p = make(400);
    run("reads", p + 400);
    run("reads", p);
    printf("cuMemFree: %s\n", full_name(cuMemFree(p)));
}

static void leaks(void)
{
    CUdeviceptr p = make(400);
    void *host;
    drop(make(300));
    OK(cuMemHostAlloc(&host, 20, 0));
    run("reads", p);
}

static const struct {
    const char *name;
    void (*run)(void);
    const char *check;
} cases[] = {
    {"behind the end", behind, 0},
    {"before the begin", before, 0},
    {"across the end", across, 0},
    {"misaligned", misaligned, 0},
    {"misaligned word", misaligned_word, 0},
    {"atomic", atomic, 0},
    {"reduction", reduction, 0},
    {"function", function, 0},
    {"null", null, 0},
    {"freed", freed, 0},
    {"freed chunks", freed_chunks, 0},
    {"static shared memory", statics, 0},
    {"dynamic shared memory", dynamics, 0},
    {"between static and dynamic", between, 0},
    {"shared memory by full addresses", fulls, 0},
    {"local memory", locals, 0},
    {"parameters", parameters, 0},
    {"variable", variable, 0},
    {"constant", constant, 0},
    {"heap", heap, 0},
    {"heap, freed", heap_freed, 0},
    {"copy", copy, 0},
    {"matrices", matrices, 0},
    {"others wait", waits, 0},
    {"host memory", host, 0},
    {"page-locked memory", pinned, 0},
    {"managed memory", managed, 0},
    {"registered memory", registered, 0},
    {"freed in stream order", stream_order, 0},
    {"mapped, read-only", mapped, 0},
    {"reserved", unmapped, 0},
    {"nothing wrong", clean, 0},
    {"the error stays", after, 0},
    {"reports are limited", behind, "memcheck,limit=0"},
    {"exit status", before, "memcheck,exit=7"},
    {"exit status without errors", clean, "memcheck,exit=7"},
    {"leaks", leaks, "memcheck,leaks,exit=3"},
    {"unknown words", behind, "leek,exit=9"},
    {"race", race, "racecheck"},
    {"no race", no_race, "racecheck"},
};

/* Prints a line without what differs from run to run: addresses and folders, and of the program's frames only those that are
 * the same whoever compiles it. */
static void print_plain(const char *p)
{
    const char *frame = "doppel:         ";
    if (!strncmp(p, frame, strlen(frame)) && !strstr(p, "make (") && !strstr(p, "drop ("))
        return;
    while (*p) {
        size_t digits = strncmp(p, "0x", 2) ? 0 : strspn(p + 2, "0123456789abcdef");
        const char *name = strncmp(p, "(/", 2) ? 0 : strrchr(p, '/');
        if (digits >= 6) {
            printf("ADDRESS");
            p += 2 + digits;
        } else if (name) {
            printf("(");
            p = name + 1;
        } else {
            putchar(*p++);
        }
    }
}

/* Runs a case in a process of its own with its output in a pipe; true if anything was written. */
static int run_case(void (*what)(void), const char *check, int silent)
{
    int ends[2], status, any = 0;
    char line[4096];
    if (pipe(ends))
        exit(1);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        setvbuf(stdout, 0, _IONBF, 0);
        setenv("DOPPEL_CHECK", check ? check : "memcheck", 1);
        setenv("DOPPEL_LOG", check ? "warn" : "off", 1);
        start();
        if (what)
            what();
        exit(0);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    while (fgets(line, sizeof line, output)) {
        any |= !strncmp(line, "doppel: memcheck", 16);
        if (!silent)
            print_plain(line);
    }
    fclose(output);
    waitpid(child, &status, 0);
    if (!silent && status)
        printf("exit status %d, signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
    return any;
}

int main(int argc, char **argv)
{
    if (!run_case(0, 0, 1)) skip("this driver does not check");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc > 1 && strcmp(argv[1], cases[i].name))
            continue;
        printf("== %s\n", cases[i].name);
        run_case(cases[i].run, cases[i].check, 0);
    }
    return 0;
}
