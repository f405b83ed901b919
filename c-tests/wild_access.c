/* Kernels with addresses of the program's own memory, which no device may use: every way of an access to it is an error,
 * and changes nothing. What is page-locked or registered is fine, as far as its pages go. */
#include "check.h"
#include <sys/mman.h>

enum { PAGE = 4096, ROOM = 4 * PAGE };
#define KERNEL(name, body) ".visible .entry " name "(.param .u64 p, .param .u64 q) {\n" \
    ".reg .u64 %p, %q, %a, %d<4>; .reg .u32 %t, %r<20>; .reg .u16 %h<2>; .reg .f32 %f<9>; .reg .pred %c<3>; .reg .b128 %w<2>;\n" \
    "ld.param.u64 %p, [p]; ld.param.u64 %q, [q]; mov.u32 %t, %tid.x;\n" body " ret; }\n"
/* The word of the thread; a word of the room that it is hard to tell beforehand. */
#define ROW "mul.wide.u32 %a, %t, 4; add.u64 %a, %a, %p;\n"
#define SCATTERED "mul.lo.u32 %r1, %t, 37; and.b32 %r1, %r1, 255; mul.wide.u32 %a, %r1, 4; add.u64 %a, %a, %p;\n"
#define PRINT ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
#define FIRST "setp.ne.u32 %c1, %t, 0; @%c1 ret;\n"
#define RESULT " st.global.u32 [%q], %r2;"
static const char code[] = ".version 8.3\n.target sm_90\n.address_size 64\n" PRINT
    ".global .align 1 .b8 text[4] = {37, 115, 10, 0};\n"
    KERNEL("load_row", ROW "ld.global.u32 %r2, [%a];" RESULT)
    KERNEL("load_row_64", "mul.wide.u32 %a, %t, 8; add.u64 %a, %a, %p; ld.global.u64 %d1, [%a]; st.global.u64 [%q], %d1;")
    KERNEL("load_bytes", "cvt.u64.u32 %a, %t; add.u64 %a, %a, %p; ld.global.u8 %r2, [%a];" RESULT)
    KERNEL("load_one", "ld.global.u32 %r2, [%p];" RESULT)
    KERNEL("load_generic", "ld.u32 %r2, [%p+64];" RESULT)
    KERNEL("load_volatile", "ld.volatile.global.u32 %r2, [%p];" RESULT)
    KERNEL("load_constant", ROW "ld.global.nc.u32 %r2, [%a];" RESULT)
    KERNEL("load_vector", "mul.wide.u32 %a, %t, 16; add.u64 %a, %a, %p; ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%a];" RESULT)
    KERNEL("load_scattered", SCATTERED "ld.global.u32 %r2, [%a];" RESULT)
    KERNEL("load_some", SCATTERED "setp.eq.u32 %c1, %t, 7; mov.u32 %r2, 0; @%c1 ld.global.u32 %r2, [%a];" RESULT)
    KERNEL("load_half", ROW "setp.lt.u32 %c1, %t, 16; mov.u32 %r2, 0; @%c1 ld.global.u32 %r2, [%a];" RESULT)
    KERNEL("store_row", ROW "st.global.u32 [%a], %t;")
    KERNEL("store_bytes", "cvt.u64.u32 %a, %t; add.u64 %a, %a, %p; st.global.u8 [%a], %t;")
    KERNEL("store_one", FIRST "st.global.u32 [%p], 5;")
    KERNEL("store_generic", ROW "st.u32 [%a], %t;")
    KERNEL("store_vector", "mul.wide.u32 %a, %t, 16; add.u64 %a, %a, %p; st.global.v4.u32 [%a], {%t, %t, %t, %t};")
    KERNEL("store_scattered", SCATTERED "st.global.u32 [%a], %t;")
    KERNEL("store_some", SCATTERED "setp.eq.u32 %c1, %t, 7; @%c1 st.global.u32 [%a], 9;")
    KERNEL("atom_add", "atom.global.add.u32 %r2, [%p], 1;" RESULT)
    KERNEL("atom_cas", "atom.cas.b32 %r2, [%p], 0, 7;" RESULT)
    KERNEL("atom_exch_64", "atom.global.exch.b64 %d1, [%p], 7;")
    KERNEL("red_row", ROW "red.global.or.b32 [%a], 3;")
    KERNEL("atom_128", FIRST "mov.b128 %w0, {%q, %q}; atom.global.exch.b128 %w1, [%p], %w0;")
    KERNEL("copy_async", ".shared .align 16 .b8 s[512]; mul.lo.u32 %r1, %t, 16; mov.u32 %r3, s; add.u32 %r1, %r1, %r3; mul.wide.u32 %a, %t, 16; add.u64 %a, %a, %p;\n"
        "cp.async.ca.shared.global [%r1], [%a], 16; cp.async.wait_all; ld.shared.u32 %r2, [%r1];" RESULT)
    KERNEL("copy_async_nothing", ".shared .align 16 .b8 s[16]; " FIRST "mov.u32 %r1, s; mov.u32 %r3, 0; cp.async.cg.shared.global [%r1], [%p], 16, %r3; cp.async.wait_all;")
    KERNEL("bulk_load", ".shared .align 128 .b8 s[256]; .shared .align 8 .b64 bar; " FIRST "mov.u32 %r1, s; mov.u32 %r3, bar; mbarrier.init.shared.b64 [%r3], 1; fence.proxy.async;\n"
        "mbarrier.arrive.expect_tx.shared.b64 %d1, [%r3], 256; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%p], 256, [%r3];\n"
        "L: mbarrier.try_wait.shared.b64 %c2, [%r3], %d1; @!%c2 bra L; ld.shared.u32 %r2, [%r1];" RESULT)
    KERNEL("bulk_store", ".shared .align 128 .b8 s[256]; " FIRST "mov.u32 %r1, s; st.shared.u32 [%r1], 5; fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%p], [%r1], 256;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;")
    KERNEL("bulk_reduce", ".shared .align 128 .b8 s[256]; " FIRST "mov.u32 %r1, s; st.shared.u32 [%r1], 5; fence.proxy.async; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%p], [%r1], 256;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;")
    KERNEL("matrix_load", "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%p]; st.global.f32 [%q], %f1;")
    KERNEL("matrix_store", "mov.f32 %f1, 0f3F800000; wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p], {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1};")
    KERNEL("prefetch", "prefetch.global.L2 [%p]; prefetchu.L1 [%p];")
    KERNEL("texture_run", "mov.u32 %r1, 3; tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%p, {%r1}];" RESULT)
    KERNEL("texture_rows", "mov.f32 %f1, 0f40400000; tex.2d.v4.u32.f32 {%r2, %r3, %r4, %r5}, [%p, {%f1, %f1}];" RESULT)
    KERNEL("print_string", ".local .align 8 .b8 l[8]; " FIRST "{ .param .b64 f; .param .b64 a; .param .b32 r; mov.u64 %d1, l; st.local.u64 [%d1], %p; cvta.local.u64 %d1, %d1;\n"
        "mov.u64 %d2, text; cvta.global.u64 %d2, %d2; st.param.b64 [f], %d2; st.param.b64 [a], %d1; call (r), vprintf, (f, a); }");

static const char *const names[] = {"load_row", "load_row_64", "load_bytes", "load_one", "load_generic", "load_volatile", "load_constant", "load_vector", "load_scattered", "load_some",
    "load_half", "store_row", "store_bytes", "store_one", "store_generic", "store_vector", "store_scattered", "store_some", "atom_add", "atom_cas", "atom_exch_64", "red_row",
    "atom_128", "copy_async", "copy_async_nothing", "bulk_load", "bulk_store", "bulk_reduce", "matrix_load", "matrix_store", "prefetch", "print_string"};
enum { NAMES = sizeof names / sizeof *names };
static CUmodule module;
static CUdeviceptr sink;

static void load(void)
{
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuMemAlloc(&sink, 256));
}
static CUresult run(const char *what, void *p)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&p, &sink}, NULL));
    return cuCtxSynchronize();
}
/* Does something in a process of its own: a device that has seen an error is of no use to this one any more. */
static int child(int (*what)(const char *, void *, int), const char *name, void *p, int n)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        limit_time(60);
        setvbuf(stdout, NULL, _IONBF, 0);
        _exit(what(name, p, n));
    }
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) printf("ended by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* A kernel with an address, and whether the memory there is what it was; page-locked memory if there is no address. */
static int one(const char *kernel, void *p, int bytes)
{
    load();
    if (!p) {
        OK(cuMemHostAlloc(&p, bytes, 0));
        memset(p, 0, bytes);
    }
    char *before = malloc(bytes);
    memcpy(before, p, bytes);
    CUresult r = run(kernel, p);
    printf("%s: %s%s", kernel, name(r), memcmp(before, p, bytes) ? ", changed" : "");
    if (r) printf(", then %s", name(cuCtxSynchronize()));
    printf("\n");
    free(before);
    return 0;
}
static void some(const char *kind, void *p, int bytes, int step)
{
    printf("-- %s\n", kind);
    for (int i = 0; i < NAMES; i += step) child(one, names[i], p, bytes);
}

/* A kernel on a part of memory of which sixteen bytes are registered, in its second page: that is registered as a whole. */
static int part(const char *kernel, void *memory, int at)
{
    char *p = memory;
    load();
    OK(cuMemHostRegister(p + PAGE + 64, 16, 0));
    printf("%s at %d: %s\n", kernel, at, name(run(kernel, p + at)));
    return 0;
}
static int whole(const char *kernel, void *p, int bytes)
{
    load();
    OK(cuMemHostRegister(p, bytes, 0));
    printf("registered: %s\n", name(run(kernel, p)));
    OK(cuMemHostUnregister(p));
    printf("not any more: %s\n", name(run(kernel, p)));
    return 0;
}

/* A texture of linear memory, or of rows. */
static int texture(const char *kind, void *p, int far)
{
    int rows = !strcmp(kind, "rows");
    load();
    CUdeviceptr inside;
    OK(cuMemAlloc(&inside, ROOM));
    CUDA_RESOURCE_DESC resource = {.resType = rows ? CU_RESOURCE_TYPE_PITCH2D : CU_RESOURCE_TYPE_LINEAR};
    CUDA_TEXTURE_DESC description = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUdeviceptr address = far ? (CUdeviceptr)(size_t)p : inside;
    if (rows) {
        resource.res.pitch2D.devPtr = address;
        resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32;
        resource.res.pitch2D.numChannels = 1;
        resource.res.pitch2D.width = 64;
        resource.res.pitch2D.height = 16;
        resource.res.pitch2D.pitchInBytes = 256;
    } else {
        resource.res.linear.devPtr = address;
        resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
        resource.res.linear.numChannels = 1;
        resource.res.linear.sizeInBytes = PAGE;
    }
    CUtexObject texture;
    OK(cuTexObjectCreate(&texture, &resource, &description, NULL));
    printf("texture of %s, %s: %s\n", kind, far ? "heap" : "device", name(run(rows ? "texture_rows" : "texture_run", (void *)(size_t)texture)));
    return 0;
}

static int able(const char *unused, void *p, int n)
{
    (void)unused, (void)p, (void)n;
    begin();
    int able = 0;
    OK(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0));
    if (able) skip("this device uses all of the program's memory");
    return 0;
}

static char data[ROOM] __attribute__((aligned(PAGE)));

int main(void)
{
    char here[2 * PAGE] __attribute__((aligned(128))) = "", *heap = aligned_alloc(PAGE, ROOM);
    char *pages = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return 1;
    memset(heap, 0, ROOM);
    memset(pages, 1, ROOM);
    int cannot = child(able, NULL, NULL, 0);
    if (cannot) return cannot;
    some("heap", heap, ROOM, 1);
    some("stack", here, PAGE, 7);
    some("data", data, ROOM, 7);
    some("page-locked", NULL, ROOM, 1);
    printf("-- registered\n");
    struct { const char *kernel; int at; } tries[] = {{"load_row", PAGE}, {"load_row", 2 * PAGE - 128}, {"load_scattered", PAGE + 100}, {"load_one", 0}, {"load_one", PAGE - 4},
        {"load_row", 2 * PAGE - 64}, {"load_half", 2 * PAGE - 64}, {"load_one", 2 * PAGE}, {"store_row", 2 * PAGE - 64}, {"load_scattered", 2 * PAGE - 512}};
    for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++) child(part, tries[i].kernel, pages, tries[i].at);
    child(whole, "store_row", pages, ROOM);
    printf("-- textures\n");
    for (int far = 0; far < 2; far++) {
        child(texture, "elements", heap, far);
        child(texture, "rows", heap, far);
    }
    free(heap);
    return 0;
}
