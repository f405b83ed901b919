/* What a program pays before its first work is done: milliseconds of each step and resident memory after it, in a process of
 * its own each time.
 *
 *   start        the median of many processes */
#include "bench.h"
#include <sys/wait.h>
#include <unistd.h>

enum { LOAD, INIT, CONTEXT, ALLOC, COPY, MODULE, LAUNCH, STEPS, PROCESSES = 31 };
static const char *const names[STEPS] = {
    "loading the program and the libraries", "cuInit", "cuDevicePrimaryCtxRetain + cuCtxSetCurrent",
    "first cuMemAlloc, 4 bytes", "first cuMemcpyHtoD, 4 bytes", "first cuModuleLoadData, an empty kernel",
    "cuModuleGetFunction + cuLaunchKernel + cuCtxSynchronize",
};

struct step {
    double ns;
    long resident, highest;
};

/* KiB of memory of this process, by its name in /proc. */
static long memory_of(const char *what)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, what, strlen(what))) sscanf(line + strlen(what), ": %ld", &kib);
    if (file) fclose(file);
    return kib;
}

/* Goes through the steps and writes them to a descriptor. */
static void once(double began, int out)
{
    struct step steps[STEPS];
    CUcontext context;
    CUdeviceptr word;
    CUmodule module;
    CUfunction kernel;
    int value = 1;
    for (int i = 0; i < STEPS; i++) {
        double t0 = i == LOAD ? began : now();
        switch (i) {
        case INIT: OK(cuInit(0)); break;
        case CONTEXT:
            OK(cuDevicePrimaryCtxRetain(&context, 0));
            OK(cuCtxSetCurrent(context));
            break;
        case ALLOC: OK(cuMemAlloc(&word, 4)); break;
        case COPY: OK(cuMemcpyHtoD(word, &value, 4)); break;
        case MODULE:
            OK(cuModuleLoadData(&module, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"));
            break;
        case LAUNCH:
            OK(cuModuleGetFunction(&kernel, module, "k"));
            OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
            OK(cuCtxSynchronize());
            break;
        }
        steps[i].ns = now() - t0;
        steps[i].resident = memory_of("VmRSS");
        steps[i].highest = memory_of("VmHWM");
    }
    if (write(out, steps, sizeof steps) != sizeof steps) exit(1);
    exit(0);
}

int main(int argc, char **argv)
{
    if (argc == 3) once(strtod(argv[1], NULL), atoi(argv[2]));
    struct step all[PROCESSES][STEPS];
    for (int n = 0; n < PROCESSES; n++) {
        int ends[2];
        if (pipe(ends)) return 1;
        pid_t child = fork();
        if (child == 0) {
            char began[32], out[16];
            close(ends[0]);
            snprintf(out, sizeof out, "%d", ends[1]);
            snprintf(began, sizeof began, "%.0f", now());
            execl("/proc/self/exe", argv[0], began, out, (char *)NULL);
            _exit(1);
        }
        close(ends[1]);
        int failed = read(ends[0], all[n], sizeof all[n]) != sizeof all[n];
        close(ends[0]);
        waitpid(child, NULL, 0);
        if (failed) return 1;
    }
    printf("\nstart: ms of each step, MiB resident after it and at most, the median of %d processes\n", PROCESSES);
    double first = 0, launch = 0, at_copy = 0;
    for (int i = 0; i < STEPS; i++) {
        double ns[PROCESSES], resident[PROCESSES], highest[PROCESSES];
        for (int n = 0; n < PROCESSES; n++) {
            ns[n] = all[n][i].ns;
            resident[n] = (double)all[n][i].resident;
            highest[n] = (double)all[n][i].highest;
        }
        double t = median(ns, PROCESSES) / 1e6, mib = median(resident, PROCESSES) / 1024;
        printf("%-58s %10.2f %10.1f %10.1f\n", names[i], t, mib, median(highest, PROCESSES) / 1024);
        if (i >= INIT && i <= COPY) first += t;
        if (i > COPY) launch += t;
        if (i == COPY) at_copy = mib;
    }
    printf("from cuInit to the first copy %.2f ms (bar 2), %.1f MiB (bar 12 MB); module and launch %.2f ms more (bar 1.5)\n", first,
           at_copy, launch);
    return 0;
}
