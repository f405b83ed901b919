/* Small grids run on the thread that launches them or waits for them: others are not woken, and threads not made, for each of them (a first
 * worker may be). */
#include "check.h"
#include <dirent.h>
#include <sys/syscall.h>

static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 p) { .reg .u64 %rd; ld.param.u64 %rd, [p]; red.global.add.u32 [%rd], 1; ret; }\n"
    ".visible .entry loop(.param .u64 p) { .reg .u64 %rd; .reg .u32 %r; .reg .pred %q; ld.param.u64 %rd, [p]; mov.u32 %r, 0;\n"
    "L: add.u32 %r, %r, 1; setp.lt.u32 %q, %r, 10; @%q bra L; red.global.add.u32 [%rd], %r; ret; }\n";

/* How often the other threads have been woken, and how many there are. */
static unsigned long woken(int *threads)
{
    unsigned long all = 0;
    struct dirent *entry;
    DIR *tasks = opendir("/proc/self/task");
    *threads = 0;
    while (tasks && (entry = readdir(tasks))) {
        char path[300], line[200];
        unsigned long n;
        if (entry->d_name[0] == '.' || atol(entry->d_name) == syscall(SYS_gettid)) continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *f = fopen(path, "r");
        if (!f) continue;
        ++*threads;
        while (fgets(line, sizeof line, f))
            if (sscanf(line, "voluntary_ctxt_switches: %lu", &n) == 1) all += n;
        fclose(f);
    }
    if (tasks) closedir(tasks);
    return all;
}

int main(void)
{
    enum { TIMES = 1000 };
    static const char *const kernels[] = {"add", "loop"};
    char device[64] = "";
    CUmodule module;
    CUdeviceptr p;
    CUstream stream;
    begin();
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6) || getenv("DOPPEL_SCHEDULE")) skip("a real driver has threads of its own, and other schedules have other plans");
    OK(cuModuleLoadData(&module, code));
    OK(cuMemAlloc(&p, 4));
    OK(cuMemsetD32(p, 0, 1));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int k = 0; k < 2; k++) {
        CUfunction f;
        unsigned v;
        int before, after;
        OK(cuModuleGetFunction(&f, module, kernels[k]));
        OK(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, stream, (void *[]){&p}, NULL));
        OK(cuStreamSynchronize(stream));
        unsigned long start = woken(&before);
        for (int i = 0; i < TIMES; i++) {
            OK(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, stream, (void *[]){&p}, NULL));
            OK(cuStreamSynchronize(stream));
        }
        unsigned long times = woken(&after) - start;
        OK(cuMemcpyDtoH(&v, p, 4));
        printf("%s: %u, others are woken for each: %d, threads are made for each: %d\n", kernels[k], v, times > TIMES / 2, after - before > TIMES / 2);
        if (times > TIMES / 2) fprintf(stderr, "woken %lu times\n", times);
    }
    return 0;
}
