/* Calls a libcuda.so.1 and prints what it answers, one `key=value` a line; for tests/modes.rs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long u64;
static void *lib;

static void *sym(const char *name)
{
    void *p = dlsym(lib, name);
    if (!p) printf("missing=%s\n", name);
    return p;
}

/* The folder of the library that the address lies in. */
static const char *home(void *p)
{
    static char path[4096];
    Dl_info info;
    if (!p) return "null";
    if (!dladdr(p, &info)) return "unknown";
    snprintf(path, sizeof path, "%s", info.dli_fname);
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int main(int argc, char **argv)
{
    /* Any second argument: globally, as a program that is linked against the library has it. */
    lib = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!lib) { printf("dlopen=%s\n", dlerror()); return 1; }
    int (*version)(int *) = sym("cuDriverGetVersion");
    int (*init)(unsigned) = sym("cuInit");
    int (*count)(int *) = sym("cuDeviceGetCount");
    int (*alloc)(u64 *, size_t) = sym("cuMemAlloc_v2");
    int (*managed)(u64 *, size_t, unsigned) = sym("cuMemAllocManaged");
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) =
        sym("cuLaunchKernel");
    int (*table)(const void **, const void *) = sym("cuGetExportTable");
    int (*look)(const char *, void **, int, u64, int *) = sym("cuGetProcAddress_v2");
    int (*look1)(const char *, void **, int, u64) = sym("cuGetProcAddress");

    int n = -1;
    printf("version=%d", version(&n)); printf(",%d\n", n);
    n = -1;
    printf("count_before=%d\n", count(&n));
    printf("init=%d\n", init(0));
    n = -1;
    printf("count=%d", count(&n)); printf(",%d\n", n);
    u64 d = 0;
    printf("alloc=%d", alloc(&d, 16)); printf(",%llx\n", d);
    printf("launch=%d\n", launch((void *)1, 2, 3, 4, 5, 6, 7, 8, (void *)9, (void *)10, (void *)11));
    printf("managed=%d\n", managed(&d, 16, 1));
    char id[16] = "an unknown id";
    const void *t = NULL;
    printf("table=%d", table(&t, id)); printf(",%llx\n", (u64)t);

    static const char *names[] = { "cuMemAlloc", "cuOnlyHere", "cuGetProcAddress", "cuNoSuch", "cuRefused" };
    for (int i = 0; i < 5; i++) {
        void *p = (void *)-1;
        int status = -1, code = look(names[i], &p, 12000, 0, &status);
        printf("%s=%d,%d,%s\n", names[i], code, status, p == (void *)-1 ? "untouched" : home(p));
        if (i == 0) printf("same=%d\n", p == (void *)alloc);
        if (i == 2) printf("self=%d\n", p == (void *)look);
        if (i == 1 && !code && p && p != (void *)-1) printf("only_here=%d\n", ((int (*)(void))p)());
    }
    void *p = (void *)-1;
    printf("v1=%d", look1("cuMemAlloc", &p, 12000, 0)); printf(",%d\n", p == (void *)alloc);
    p = (void *)-1;
    printf("v1_unknown=%d\n", look1("cuNoSuch", &p, 12000, 0));
    return 0;
}
