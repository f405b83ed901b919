/* What kernels ask of the system: printf, assert, malloc and free, trap; and when the output comes. */
#include "check.h"
#include <stdarg.h>
#include <stdint.h>

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c) .noreturn;\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".extern .func free (.param .b64 p);\n"
    ".global .align 1 .b8 message[] = {97, 32, 61, 61, 32, 98, 0};\n" /* a == b */
    ".global .align 1 .b8 file[] = {102, 46, 99, 117, 0};\n" /* f.cu */
    ".global .align 1 .b8 function[] = {118, 111, 105, 100, 32, 102, 40, 41, 0};\n" /* void f() */
    ".global .align 1 .b8 line[] = {37, 100, 32, 37, 100, 10, 0};\n" /* %d %d\n */
    /* Prints what the host has put together. */
    ".visible .entry print(.param .u64 f, .param .u64 a, .param .u64 o) {\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<2>; .param .b64 pf; .param .b64 pa; .param .b32 pr;\n"
    "ld.param.u64 %rd1, [f]; ld.param.u64 %rd2, [a]; ld.param.u64 %rd3, [o];\n"
    "st.param.b64 [pf], %rd1; st.param.b64 [pa], %rd2; call (pr), vprintf, (pf, pa); ld.param.b32 %r1, [pr];\n"
    "st.global.u32 [%rd3], %r1; ret; }\n"
    /* Each thread prints its numbers. */
    ".visible .entry lines(.param .u32 n) {\n"
    ".local .align 8 .b8 args[8]; .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p;\n"
    ".param .b64 pf; .param .b64 pa; .param .b32 pr;\n"
    "ld.param.u32 %r4, [n]; mov.u32 %r3, 0;\n"
    "L: mov.u64 %rd1, args; mov.u32 %r1, %tid.x; st.local.u32 [%rd1], %r1; st.local.u32 [%rd1+4], %r3;\n"
    "cvta.local.u64 %rd2, %rd1; mov.u64 %rd3, line; cvta.global.u64 %rd3, %rd3;\n"
    "st.param.b64 [pf], %rd3; st.param.b64 [pa], %rd2; call (pr), vprintf, (pf, pa); ld.param.b32 %r2, [pr];\n"
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, %r4; @%p bra L; ret; }\n"
    /* Some threads fail. */
    ".visible .entry fails(.param .u32 n) {\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p;\n"
    ".param .b64 pm; .param .b64 pf; .param .b32 pl; .param .b64 pn; .param .b64 pc;\n"
    "ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; setp.lt.u32 %p, %r2, %r1; @%p ret;\n"
    "mov.u64 %rd1, message; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, file; cvta.global.u64 %rd2, %rd2;\n"
    "mov.u64 %rd3, function; cvta.global.u64 %rd3, %rd3;\n"
    "st.param.b64 [pm], %rd1; st.param.b64 [pf], %rd2; st.param.b32 [pl], 17; st.param.b64 [pn], %rd3;\n"
    "st.param.b64 [pc], 1; call __assertfail, (pm, pf, pl, pn, pc); ret; }\n"
    /* Takes memory until there is none, or enough, and says how much, and how it is aligned. */
    ".visible .entry takes(.param .u64 n, .param .u64 o, .param .u64 m) {\n"
    ".reg .b64 %rd<9>; .reg .b32 %r<5>; .reg .pred %p; .param .b64 pn; .param .b64 pr;\n"
    "ld.param.u64 %rd1, [n]; ld.param.u64 %rd2, [o]; ld.param.u64 %rd7, [m]; mov.u64 %rd3, 0; mov.u64 %rd4, 0; mov.u64 %rd6, 0;\n"
    "L: st.param.b64 [pn], %rd1; call (pr), malloc, (pn); ld.param.b64 %rd5, [pr];\n"
    "setp.eq.u64 %p, %rd5, 0; @%p bra D; or.b64 %rd4, %rd4, %rd5; st.u64 [%rd5], %rd3; mov.u64 %rd3, %rd5;\n"
    "add.u64 %rd6, %rd6, 1; setp.lt.u64 %p, %rd6, %rd7; @%p bra L;\n"
    "D: st.global.u64 [%rd2], %rd6; st.global.u64 [%rd2+8], %rd4; st.global.u64 [%rd2+16], %rd3; ret; }\n"
    /* Gives back the chain that the other kernel has left. */
    ".visible .entry gives(.param .u64 o) {\n"
    ".reg .b64 %rd<9>; .reg .pred %p; .param .b64 pp;\n"
    "ld.param.u64 %rd2, [o]; ld.global.u64 %rd3, [%rd2+16];\n"
    "L: setp.eq.u64 %p, %rd3, 0; @%p bra D; ld.u64 %rd4, [%rd3]; st.param.b64 [pp], %rd3; call free, (pp);\n"
    "mov.u64 %rd3, %rd4; bra L; D: ret; }\n"
    /* One piece of memory, to be given back by somebody. */
    ".visible .entry take(.param .u64 n, .param .u64 o) {\n"
    ".reg .b64 %rd<9>; .param .b64 pn; .param .b64 pr;\n"
    "ld.param.u64 %rd1, [n]; ld.param.u64 %rd2, [o];\n"
    "st.param.b64 [pn], %rd1; call (pr), malloc, (pn); ld.param.b64 %rd5, [pr]; st.global.u64 [%rd2], %rd5; ret; }\n"
    ".visible .entry give(.param .u64 a) {\n"
    ".reg .b64 %rd<9>; .param .b64 pp; ld.param.u64 %rd1, [a]; st.param.b64 [pp], %rd1; call free, (pp); ret; }\n"
    ".visible .entry stops() { trap; }\n"
    ".visible .entry breaks(.param .u64 o) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [o]; brkpt; st.global.u32 [%rd1], 5; ret; }\n"
    ".visible .entry sleeps(.param .u64 o) {\n"
    ".reg .b64 %rd<2>; ld.param.u64 %rd1, [o]; nanosleep.u32 1000; st.global.u32 [%rd1], 6; ret; }\n"
    ".func (.param .b32 r) deep(.param .b32 n) {\n"
    ".local .align 16 .b8 mine[256]; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p; .param .b32 i; .param .b32 o;\n"
    "ld.param.u32 %r1, [n]; mov.u64 %rd1, mine; and.b32 %r4, %r1, 63; mul.wide.u32 %rd2, %r4, 4;\n"
    "add.u64 %rd2, %rd1, %rd2; st.local.u32 [%rd2], %r1; setp.eq.u32 %p, %r1, 0; mov.u32 %r3, 0; @%p bra D;\n"
    "add.u32 %r2, %r1, -1; st.param.b32 [i], %r2; call (o), deep, (i); ld.param.b32 %r3, [o];\n"
    "D: ld.local.u32 %r5, [%rd2]; add.u32 %r3, %r3, %r5; st.param.b32 [r], %r3; ret; }\n"
    ".visible .entry recurses(.param .u32 n, .param .u64 o) {\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<2>; .param .b32 i; .param .b32 r; ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [o];\n"
    "st.param.b32 [i], %r1; call (r), deep, (i); ld.param.b32 %r2, [r]; st.global.u32 [%rd1], %r2; ret; }\n";

static CUmodule module;
static CUdeviceptr room;
static void start(void)
{
    begin();
    OK(cuModuleLoadData(&module, text));
    OK(cuMemAlloc(&room, 1 << 16));
}

static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static void launch(const char *what, unsigned threads, void **arguments)
{
    OK(cuLaunchKernel(function(what), 1, 1, 1, threads, 1, 1, 0, 0, arguments, 0));
}

/* Arguments are laid out one behind the other, each at a multiple of its size. */
struct pack {
    char bytes[512];
    size_t end;
};
static void add(struct pack *p, const void *value, size_t size)
{
    p->end = (p->end + size - 1) / size * size;
    memcpy(p->bytes + p->end, value, size);
    p->end += size;
}

static void show(const char *format, const char *kinds, ...)
{
    struct pack p = {.end = 0};
    CUdeviceptr f = room, a = room + 4096, o = room + 8192, s = room + 12288;
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'i') {
            int v = va_arg(list, int);
            add(&p, &v, 4);
        } else if (*kinds == 'l') {
            long v = va_arg(list, long);
            add(&p, &v, 8);
        } else if (*kinds == 'd') {
            double v = va_arg(list, double);
            add(&p, &v, 8);
        } else if (*kinds == 's') {
            const char *v = va_arg(list, const char *);
            OK(cuMemcpyHtoD(s, v, strlen(v) + 1));
            add(&p, &s, 8);
            s += 256;
        }
    }
    va_end(list);
    OK(cuMemcpyHtoD(f, format, strlen(format) + 1));
    OK(cuMemcpyHtoD(a, p.bytes, sizeof p.bytes));
    launch("print", 1, (void *[]){&f, &a, &o});
    OK(cuCtxSynchronize());
    int count;
    OK(cuMemcpyDtoH(&count, o, 4));
    printf("|%d\n", count);
}

static void formats(void)
{
    start();
    show("plain", "");
    show("%d %i %u %o %x %X", "iiiiii", -5, 6, -7, 8, 255, 255);
    show("%5d|%-5d|%05d|%+d|% d|%#x|%#o", "iiiiiii", 42, 42, 42, 42, 42, 42, 42);
    show("%ld %lld %lu %lx", "llll", -5L, 1L << 40, -1L, 1L << 35);
    show("%hd", "i", 70000);
    show("%f %e %g %a", "dddd", 3.25, 3.25, 3.25, 3.25);
    show("%F %E %G %A", "dddd", 1e10, 1e-10, 1e20, 1.0);
    show("%8.3f|%-8.2f|%08.1f|%+.0f|%.10g", "ddddd", 3.14159, 3.14159, 3.14159, 2.5, 0.1);
    show("%f %f %f", "ddd", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0);
    show("%c%c|%3c|%-3c|", "iiii", 'a', 'b', 'c', 'd');
    show("%s|%8s|%-8s|%.2s|%8.3s", "sssss", "one", "two", "three", "four", "five");
    show("%p %p", "ll", 0x1234L, 0L);
    show("100%% %d%%", "i", 5);
    /* A precision that is an argument is not known. */
    show("%*d|%-*d|%.*f|%*.*f", "iiiiidiid", 5, 42, 5, 42, 2, 3.14159, 8, 3, 2.71828);
    show("%d %s %f %ld %c %x", "isdlii", 1, "mixed", 2.5, 3L, 'z', 16);
    show("tab\there\\ \"quoted\"", "");
}

static void order(void)
{
    int n = 2, k = 1;
    start();
    printf("host first\n");
    launch("lines", 3, (void *[]){&n});
    OK(cuCtxSynchronize());
    printf("host between\n");
    launch("lines", 2, (void *[]){&k});
    launch("lines", 1, (void *[]){&k});
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamSynchronize(0));
    printf("after the stream\n");
    OK(cuLaunchKernel(function("lines"), 1, 1, 1, 1, 1, 1, 0, s, (void *[]){&k}, 0));
    CUevent e;
    OK(cuEventCreate(&e, 0));
    OK(cuEventRecord(e, s));
    OK(cuEventSynchronize(e));
    printf("after the event\n");
}

/* Runs a test in a process of its own and shows what it writes to stderr, and how it ends. */
static void heard(const char *what, void (*test)(void))
{
    int out[2], err[2];
    printf("-- %s\n", what);
    fflush(stdout);
    if (pipe(out) || pipe(err)) exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], 1);
        dup2(err[1], 2);
        close(out[0]);
        close(err[0]);
        test();
        exit(0);
    }
    close(out[1]);
    close(err[1]);
    char buffer[1 << 16];
    for (int which = 0; which < 2; which++) {
        ssize_t n;
        while ((n = read(which ? err[0] : out[0], buffer, sizeof buffer)) > 0) fwrite(buffer, 1, n, stdout);
        if (!which) fflush(stdout);
    }
    close(out[0]);
    close(err[0]);
    int status;
    waitpid(pid, &status, 0);
    if (status) printf("status %d\n", status);
    fflush(stdout);
}

static void error_of(const char *what, unsigned threads, void **arguments)
{
    launch(what, threads, arguments);
    CUresult r = cuCtxSynchronize();
    printf("%s: %s\n", what, full_name(r));
    printf("then: %s\n", full_name(cuMemAlloc(&room, 16)));
}

static void assertion(void)
{
    unsigned n = 5;
    start();
    error_of("fails", 8, (void *[]){&n});
}

static void no_assertion(void)
{
    unsigned n = 8;
    start();
    error_of("fails", 8, (void *[]){&n});
}

static void stops(void)
{
    start();
    error_of("stops", 1, 0);
}

static void goes_on(void)
{
    unsigned result = 0;
    start();
    error_of("sleeps", 1, (void *[]){&room});
    OK(cuMemcpyDtoH(&result, room, 0));
}

static void stack(void)
{
    unsigned n = 100, result = 0;
    CUdeviceptr o;
    start();
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 64 << 10));
    o = room;
    error_of("recurses", 32, (void *[]){&n, &o});
    OK(cuMemcpyDtoH(&result, o, 4));
    printf("%u\n", result);
}

static void overflow(void)
{
    unsigned n = 100000;
    CUdeviceptr o;
    start();
    o = room;
    error_of("recurses", 32, (void *[]){&n, &o});
}

/* What a kernel has printed is not lost when nobody waits for it. */
static void at_exit(void)
{
    int n = 1;
    start();
    launch("lines", 1, (void *[]){&n});
    usleep(300000);
}

static void heap(void)
{
    unsigned long got[3] = {0};
    CUdeviceptr o;
    start();
    o = room;
    /* Large pieces until nothing is left. (A device that has given out all of its heap in small pieces takes for ever to
     * free them.) */
    unsigned long size = 1000000, most = 100, huge = 1ul << 40, before = 0;
    for (int round = 0; round < 3; round++) {
        launch("takes", 1, (void *[]){&size, &o, &most});
        OK(cuCtxSynchronize());
        OK(cuMemcpyDtoH(got, o, sizeof got));
        printf("took %s of the heap, aligned to 16: %d\n", got[0] * size > 5 << 20 && got[0] * size <= 8 << 20 ? "most" : "?",
               got[1] % 16 == 0);
        if (round && before != got[0]) printf("%lu, then %lu\n", before, got[0]);
        before = got[0];
        /* Another kernel gives everything back. */
        launch("gives", 1, (void *[]){&o});
        OK(cuCtxSynchronize());
    }
    size = 1000, most = 1000;
    launch("takes", 1, (void *[]){&size, &o, &most});
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(got, o, sizeof got));
    printf("took %lu of 1000\n", got[0]);
    launch("gives", 1, (void *[]){&o});
    OK(cuCtxSynchronize());
    launch("take", 1, (void *[]){&huge, &o});
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(got, o, 8));
    printf("huge: %d\n", got[0] != 0);
    unsigned long none = 0;
    launch("give", 1, (void *[]){&none});
    OK(cuCtxSynchronize());
}

int main(void)
{
    /* Only what the kernels write to stderr. */
    setenv("DOPPEL_LOG", "off", 1);
    heard("formats", formats);
    heard("order", order);
    heard("assertion", assertion);
    heard("no assertion", no_assertion);
    heard("trap", stops);
    heard("goes on", goes_on);
    heard("stack", stack);
    heard("stack overflow", overflow);
    heard("exit", at_exit);
    heard("heap", heap);
    return 0;
}
