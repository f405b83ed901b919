/* What the benches share. Machines are noisy: contenders alternate within every row, and a row shows the median of each
 * and their ratio. */
#ifndef BENCH_H
#define BENCH_H

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 15

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void ok(CUresult r, const char *what)
{
    if (r) {
        const char *name = "?";
        cuGetErrorName(r, &name);
        fprintf(stderr, "bench: %s: %s\n", what, name);
        exit(1);
    }
}
#define OK(call) ok(call, #call)

static inline int bench_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, bench_order);
    return v[n / 2];
}

/* Makes the first device's primary context current. */
static inline void start(void)
{
    CUcontext c;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
}

/* Runs two contenders alternately, each `reps` times a round; the median time of one repetition of each, in ns. */
static inline void duel(long reps, void (*a)(void *), void (*b)(void *), void *data, double *ta, double *tb)
{
    double va[ROUNDS], vb[ROUNDS];
    a(data);
    b(data);
    for (int round = 0; round < ROUNDS; round++) {
        for (int side = 0; side < 2; side++) {
            int first = (side + round) % 2 == 0;
            double t0 = now();
            for (long i = 0; i < reps; i++) first ? a(data) : b(data);
            double t = (now() - t0) / (double)reps;
            if (first) va[round] = t;
            else vb[round] = t;
        }
    }
    *ta = median(va, ROUNDS);
    *tb = median(vb, ROUNDS);
}

#endif
