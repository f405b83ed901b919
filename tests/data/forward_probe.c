/* Calls a libcuda.so.1 from threads, across a fork and again after dlclose; for tests/forward.rs.
 * usage: forward_probe LIBRARY threads|fork_before|fork_after|signals|reload|missing|environment */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef unsigned long long u64;
static void *lib;
static int (*version)(int *);
static int (*init)(unsigned);
static int (*count)(int *);
static int (*alloc)(u64 *, size_t);
static int (*look)(const char *, void **, int, u64, int *);

static void load(const char *path)
{
    lib = dlopen(path, RTLD_NOW);
    if (!lib) { printf("dlopen=%s\n", dlerror()); exit(1); }
    version = dlsym(lib, "cuDriverGetVersion");
    init = dlsym(lib, "cuInit");
    count = dlsym(lib, "cuDeviceGetCount");
    alloc = dlsym(lib, "cuMemAlloc_v2");
    look = dlsym(lib, "cuGetProcAddress_v2");
}

/* True when every answer is that of the stand-in for the real driver. */
static int right(void)
{
    int n = -1, status = -1;
    u64 d = 0;
    void *p = NULL;
    if (version(&n) || n != 12345) return 0;
    if (init(0) || count(&n) || n != 1) return 0;
    if (alloc(&d, 16) || d != 0x10010) return 0;
    return look("cuMemAlloc", &p, 12000, 0, &status) == 0 && p == (void *)alloc && status == 0;
}

enum { THREADS = 32 };
static pthread_barrier_t barrier;
static void *thread(void *arg)
{
    long i = (long)arg, ok = 1;
    int n = -1, status = -1;
    u64 d = 0;
    void *p = NULL;
    pthread_barrier_wait(&barrier);
    /* The first call of the process is a different one in every thread. */
    switch (i % 4) {
    case 0: ok = version(&n) == 0 && n == 12345; break;
    case 1: ok = init(0) == 0 && alloc(&d, 32) == 0 && d == 0x10020; break;
    case 2: ok = look("cuMemAlloc", &p, 12000, 0, &status) == 0 && p == (void *)alloc; break;
    case 3: ok = init(0) == 0 && count(&n) == 0 && n == 1; break;
    }
    return (void *)(long)(ok && right());
}

static int threads(void)
{
    pthread_t t[THREADS];
    int good = 0;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *ok;
        pthread_join(t[i], &ok);
        good += ok != NULL;
    }
    return good;
}

static int in_child(void)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) _exit(right() ? 42 : 1);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

static volatile int going = 1;
static void *busy(void *arg)
{
    u64 d;
    while (going) alloc(&d, 16);
    return arg;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "";
    alarm(60);
    load(argv[1]);
    if (!strcmp(what, "threads")) {
        printf("threads=%d\n", threads());
    } else if (!strcmp(what, "fork_before")) {
        printf("child=%d\n", in_child());
        printf("parent=%d\n", right());
    } else if (!strcmp(what, "fork_after")) {
        /* Other threads are in the middle of calls. */
        pthread_t t[4];
        int children = 0;
        printf("parent=%d\n", right());
        for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, busy, NULL);
        for (int i = 0; i < 20; i++) children += in_child();
        going = 0;
        for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
        printf("children=%d\n", children);
    } else if (!strcmp(what, "signals")) {
        int untouched = 1;
        struct sigaction before[65], after;
        for (int s = 1; s < 65; s++) sigaction(s, NULL, &before[s]);
        printf("right=%d\n", right());
        for (int s = 1; s < 65; s++)
            if (!sigaction(s, NULL, &after)) untouched &= after.sa_handler == before[s].sa_handler;
        printf("handlers_untouched=%d\n", untouched);
    } else if (!strcmp(what, "reload")) {
        printf("first=%d\n", right());
        dlclose(lib);
        load(argv[1]);
        printf("second=%d\n", right());
    } else if (!strcmp(what, "missing")) {
        /* Functions that the stand-in lacks, some of them twice. */
        static const char *names[] = { "cuMemAllocManaged", "cuMemAllocManaged", "cuStreamSynchronize", "cuStreamSynchronize_ptsz",
                                       "cuCtxGetCurrent", "cuMemFree", "cuMemFree_v2", "cuGetErrorString", "cuMemFree_v2" };
        int refused = 0, names_count = sizeof names / sizeof *names;
        for (int i = 0; i < names_count; i++) {
            int (*f)(u64, u64, u64) = dlsym(lib, names[i]);
            refused += f && f(0, 0, 0) == 36;
        }
        printf("refused=%d of %d\n", refused, names_count);
        printf("right=%d\n", right());
    } else if (!strcmp(what, "environment")) {
        /* A refused cuInit does not initialise. */
        int devices = -1;
        printf("refused=%d\n", init(1));
        printf("count=%d\n", count(&devices));
        /* A program may set what cuInit reads after it has made its first call. */
        int n = -1;
        printf("version=%d\n", version(&n));
        setenv("CUDA_VISIBLE_DEVICES", "set by the program", 1);
        printf("init=%d\n", init(0));
    }
    return 0;
}
