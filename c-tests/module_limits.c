/* Modules that would take more of the machine than their text is worth: long, deep, with more ways between their blocks than
 * lines, packed beyond belief. They load, or an error says that they do not; the process goes on in any case. */
#include "check.h"
#include <pthread.h>
#include <sys/resource.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
static char *text, *end;
#define ADD(...) (end += sprintf(end, __VA_ARGS__))
static void start(void)
{
    begin();
    text = end = malloc(64 << 20);
}

/* The kilobytes that this process has held at most. */
static long peak(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}

static void load(const char *what)
{
    CUmodule module;
    long before = peak();
    CUresult r = cuModuleLoadData(&module, text);
    long megabytes = (peak() - before) >> 10;
    printf("%s: %s, %s\n", what, r == CUDA_ERROR_OUT_OF_MEMORY ? "loads, or out of memory" : r ? name(r) : "loads, or out of memory",
           megabytes < 400 ? "little memory" : "much memory");
    if (megabytes >= 400) printf("  %ld MiB for %zu bytes\n", megabytes, strlen(text));
    if (!r) OK(cuModuleUnload(module));
    end = text;
}

static void many_values(void)
{
    start();
    int n = 2500;
    ADD(HEAD ".visible .entry k() { .reg .b32 %%x<%d>; .reg .pred %%p<9>;\n", n);
    for (int i = 0; i < n; i++) ADD("mov.b32 %%x%d, %d;\n", i, i);
    for (int i = 0; i < n; i++) ADD("B%d: @%%p1 bra B%d; add.u32 %%x%d, %%x%d, %%x%d;\n", i, i * 7 % n, i, i, i * 31 % n);
    ADD("ret; }\n");
    load("values that live in all loops");
    ADD(HEAD ".visible .entry k() { .reg .b32 %%x<9>; .reg .pred %%p<9>; mov.u32 %%x2, %%tid.x;\n");
    for (int i = 0; i < 20000; i++) ADD("setp.eq.u32 %%p1, %%x2, %d; @%%p1 bra E; add.u32 %%x1, %%x1, %%x2;\n", i);
    ADD("E: ret; }\n");
    load("branches to the end");
    ADD(HEAD ".visible .entry k() { .reg .b32 %%x<9>; .reg .pred %%p<9>; mov.u32 %%x2, %%tid.x;\n");
    for (int i = 0; i < 4000; i++) ADD("L%d: add.u32 %%x1, %%x1, 1;\n", i);
    for (int i = 4000; i-- > 0;) ADD("setp.lt.u32 %%p1, %%x1, %%x2; @%%p1 bra L%d;\n", i);
    ADD("ret; }\n");
    load("loops in loops");
    for (n = 1000; n <= 4000; n *= 4) {
        ADD(HEAD ".visible .entry k() { .reg .b32 %%x<9>;\nT: .branchtargets L0");
        for (int i = 1; i < n; i++) ADD(", L%d", i);
        ADD(";\n");
        for (int i = 0; i < n; i++) ADD("L%d: brx.idx %%x1, T;\n", i);
        ADD("ret; }\n");
        load("tables of labels");
    }
    /* A name that could be the prefix of a million others. */
    ADD(HEAD ".visible .entry k() { .reg .b32 %%x<9>; mov.b32 %%x1, %%x");
    for (int i = 0; i < 1000000; i++) ADD("1");
    ADD("; ret; }\n");
    load("a long name");
}

/* The same with little room: an error, and no end of the process. */
static void little_room(void)
{
    start();
    int n = 60000;
    ADD(HEAD ".visible .entry k() { .reg .b32 %%x<%d>;\n", n);
    for (int i = 0; i < n; i++) ADD("add.u32 %%x%d, %%x%d, %%x%d;\n", i, i * 7 % n, i * 31 % n);
    ADD("ret; }\n");
    unsigned long used = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &used) != 1) exit(1);
    fclose(file);
    struct rlimit limit = { used * 4096 + (64 << 20), RLIM_INFINITY };
    OK(setrlimit(RLIMIT_AS, &limit) ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
    load("with 64 MiB");
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_AS, &limit);
    ADD(HEAD ".visible .entry k() { ret; }\n");
    load("afterwards");
}

/* On a stack of so many kilobytes. */
static CUcontext context;
static CUresult result;
static void *load_there(void *p)
{
    CUmodule module;
    (void)p;
    if (!(result = cuCtxSetCurrent(context)) && !(result = cuModuleLoadData(&module, text))) cuModuleUnload(module);
    return NULL;
}
static void on_stack(const char *what, int kilobytes)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)kilobytes << 10);
    if (pthread_create(&thread, &attributes, load_there, NULL)) exit(1);
    pthread_join(thread, NULL);
    printf("%s: %s\n", what, name(result));
    end = text;
}
static void times(const char *what, int n)
{
    while (n-- > 0) ADD("%s", what);
}
static void deep(void)
{
    start();
    cuCtxGetCurrent(&context);
    int n = 5000;
    ADD(HEAD);
    for (int i = 0; i <= n; i++) ADD(".func f%d();\n", i);
    for (int i = 0; i < n; i++) ADD(".func f%d() { call f%d; ret; }\n", i, i + 1);
    ADD(".func f%d() { ret; }\n.visible .entry k() { call f0; ret; }\n", n);
    on_stack("functions that call each other", 64);
    ADD(HEAD ".visible .entry k() { "), times("{", 200), times("}", 200), ADD(" ret; }\n");
    on_stack("blocks in blocks", 64);
    static const char *const open[] = { "(", "1?", "-", "~", "(1+" };
    static const char *const close[] = { ")", ":2", "", "", ")" };
    for (int i = 0; i < 5; i++)
        for (n = 30; n <= 100000; n = n < 60 ? 100000 : 100001) {
            ADD(HEAD ".global .u32 g = "), times(open[i], n), ADD("1"), times(close[i], n), ADD(";\n");
            on_stack(n < 100 ? "some brackets" : "too many brackets", 1024);
        }
}

/* A fat binary with one entry, packed by zstd: blanks behind a kernel. */
static void bomb(unsigned long claimed, unsigned long real)
{
    static const char kernel[] = HEAD ".visible .entry k() { ret; }\n";
    unsigned char *bytes = calloc(1, 1 << 20), *at = bytes + 16 + 64;
    unsigned block = (sizeof kernel - 1) << 3;
    memcpy(at, "\x28\xb5\x2f\xfd\x00\x50", 6), at += 6;
    memcpy(at, &block, 3), memcpy(at + 3, kernel, sizeof kernel - 1), at += 3 + sizeof kernel - 1;
    for (unsigned long done = 0; done < real; done += 128 << 10, at += 4) {
        block = 131072 << 3 | 2 | (done + 131072 >= real);
        memcpy(at, &block, 3), at[3] = ' ';
    }
    unsigned packed = at - bytes - 80, architecture = 80;
    unsigned long padded = (packed + 7) / 8 * 8, whole = padded + 64, flags = 0x8011;
    memcpy(bytes, "\x50\xed\x55\xba\x01\x00\x10\x00", 8), memcpy(bytes + 8, &whole, 8);
    bytes[16] = 1, bytes[20] = 64;
    memcpy(bytes + 24, &padded, 8), memcpy(bytes + 32, &packed, 4), memcpy(bytes + 44, &architecture, 4);
    memcpy(bytes + 56, &flags, 8), memcpy(bytes + 72, &claimed, 8);
    CUmodule module;
    long before = peak();
    CUresult r = cuModuleLoadData(&module, bytes);
    long megabytes = (peak() - before) >> 10;
    printf("%lu MiB that say to be %lu: %s, %s\n", real >> 20, claimed >> 20, name(r), megabytes < 250 ? "little memory" : "much memory");
    if (!r) OK(cuModuleUnload(module));
    free(bytes);
}
static void bombs(void)
{
    begin();
    bomb(1 << 20, 1 << 20);
    bomb(32 << 20, 32 << 20);
    bomb(1000, 1 << 30);
    bomb(1 << 30, 32 << 20);
    bomb(1 << 30, 1 << 30);
    bomb(1ul << 46, 1 << 20);
}

int main(void)
{
    setenv("DOPPEL_LOG", "off", 1);
    apart("many values", many_values);
    apart("little room", little_room);
    apart("deep", deep);
    apart("packed", bombs);
    return 0;
}
