/* What a trace costs a program that does much between its calls, whose caches are full of other things: a step is as many calls as a
 * step of a training run in PyTorch makes, in front of a driver that does nothing (null_driver.c). Between calls it goes through
 * memory and code of its own. Steps with and without the trace take turns (DOPPEL_TRACE_RANGE=profiler); ns a call, median of pairs
 * and quartiles.
 *
 *   traced_between [LINES CODE PAIRS]    lines of the cache, of data and of code, that are gone through between two calls */
#include "bench.h"
#include <sys/mman.h>
#include <x86intrin.h>

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

enum { DEVICES = 703, STATES = 223, LAUNCHES = 116, KERNELS = 43, CALLS = DEVICES + STATES + LAUNCHES, DATA = 1 << 16, CODE = 1 << 13, LINE = 64 };

static unsigned data[DATA][LINE / 4];
volatile unsigned kept;
static unsigned at;
static unsigned char *code;

static unsigned order(unsigned n, unsigned of) { return (n * 2654435761u >> 7) % of; }

/* Lines of code, each of which adds a number and jumps to another one, with a way out in each 64th. */
static void write_code(void)
{
    code = mmap(NULL, CODE * LINE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) exit(1);
    for (unsigned n = 0; n < CODE; n++) {
        /* An odd factor goes through all of them. */
        unsigned from = n * 1701u % CODE, to = (n + 1) * 1701u % CODE;
        unsigned char *line = code + from * LINE;
        int add = (int)n, jump = ((int)to - (int)from) * LINE - 14;
        if (n % 64 == 63) {
            line[0] = 0xc3;
            continue;
        }
        memset(line, 0x90, LINE);
        line[4] = 0x05;
        memcpy(line + 5, &add, 4);
        line[9] = 0xe9;
        memcpy(line + 10, &jump, 4);
    }
    if (mprotect(code, CODE * LINE, PROT_READ | PROT_EXEC)) exit(1);
}

static unsigned between(int lines, int codes)
{
    unsigned sum = 0;
    static unsigned piece;
    for (int n = 0; n < lines; n++) sum += data[order(at++, DATA)][0];
    for (int n = 0; n < codes; n += 64) {
        unsigned first = piece++ % (CODE / 64) * 64 * 1701u % CODE;
        sum += ((unsigned (*)(void))(uintptr_t)(code + first * LINE))();
    }
    return sum;
}

static CUfunction kernels[KERNELS];
static void *args[KERNELS][12];
static CUdeviceptr pointers[KERNELS][6];
static int numbers[KERNELS][6];

/* What the processor counts in a nanosecond. */
static double counted(void)
{
    double begin = now(), end;
    uint64_t first = __rdtsc();
    while ((end = now()) < begin + 2e7) {}
    return (double)(__rdtsc() - first) / (end - begin);
}

/* Counts a call, in calls alone: what is between them is the same with and without a trace. */
static double step(int lines, int codes)
{
    uint64_t inside = 0;
    unsigned sum = 0;
    for (int n = 0; n < CALLS; n++) {
        int device, active;
        unsigned flags;
        sum += between(lines, codes);
        uint64_t before = __rdtsc();
        if (n % 9 == 4) {
            int launch = n / 9, kernel = launch % KERNELS;
            numbers[kernel][0] = launch;
            pointers[kernel][0] += 256;
            cuLaunchKernel(kernels[kernel], 1 + (unsigned)kernel, 1, 1, 128, 1, 1, 0, 0, args[kernel], NULL);
        } else if (n % 9 == 2 || n % 9 == 7) {
            cuDevicePrimaryCtxGetState(0, &flags, &active);
        } else {
            cuCtxGetDevice(&device);
        }
        inside += __rdtsc() - before;
    }
    kept = sum;
    return (double)inside / CALLS;
}

int main(int argc, char **argv)
{
    int lines = argc > 1 ? atoi(argv[1]) : 400, codes = argc > 2 ? atoi(argv[2]) : 512, pairs = argc > 3 ? atoi(argv[3]) : 101;
    static double more[10000];
    start();
    write_code();
    memset(data, 1, sizeof data);
    for (int k = 0; k < KERNELS; k++) {
        static char text[4096], name[512];
        sprintf(name,
            "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1__with_parameters_of_8_and_4_%d_%d",
            k, 4 + k % 9);
        int used = sprintf(text, ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry %s(", name), count = 4 + k % 9;
        for (int i = 0; i < count; i++) {
            used += sprintf(text + used, "%s.param .%s p%d", i ? ", " : "", i % 2 ? "u32" : "u64", i);
            args[k][i] = i % 2 ? (void *)&numbers[k][i / 2] : (void *)&pointers[k][i / 2];
            numbers[k][i / 2] = 1000 * i;
            pointers[k][i / 2] = 0x7f0000000000 + ((CUdeviceptr)k << 24);
        }
        sprintf(text + used, ") { ret; }\n");
        CUmodule module;
        OK(cuModuleLoadData(&module, text));
        OK(cuModuleGetFunction(&kernels[k], module, name));
    }
    for (int n = 0; n < 2 * pairs + 2; n++) {
        if (n % 2) cuProfilerStart();
        else cuProfilerStop();
        double took = step(lines, codes);
        if (n < 2) continue;
        if (n % 2) more[n / 2 - 1] += took;
        else more[n / 2 - 1] = -took;
    }
    cuProfilerStop();
    double unit = counted(), middle = median(more, pairs);
    printf("%-26s %8.1f (%.1f to %.1f)\n", "a call in a program", middle / unit, more[pairs / 4] / unit,
        more[3 * pairs / 4] / unit);
    return 0;
}
