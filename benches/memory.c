/* What the library costs, side by side with the limit of the machine in the same run.
 *
 *   memory [bandwidth] [fills] [latency] [forward] */
#include "bench.h"
#include <dlfcn.h>

/* ---- bandwidth ------------------------------------------------------------------- */

enum { MEMCPY, HTOD, DTOH, DTOD, HTOD_ASYNC, KINDS };
static const char *const kind_names[] = { "memcpy", "HtoD", "DtoH", "DtoD", "HtoDAsync" };

static void bandwidth(void)
{
    size_t max = (size_t)1 << 30, min = 4;
    const char *limit = getenv("BENCH_MAX_BYTES");
    if (limit) max = strtoull(limit, NULL, 0);
    if ((limit = getenv("BENCH_MIN_BYTES"))) min = strtoull(limit, NULL, 0);
    /* The peer copies between buffers of the same kind: warmed, in huge pages where the system gives them. */
    void *pa, *pb, *ha;
    CUdeviceptr da, db;
    CUstream stream;
    OK(cuMemHostAlloc(&pa, max, 0));
    OK(cuMemHostAlloc(&pb, max, 0));
    OK(cuMemHostAlloc(&ha, max, 0));
    OK(cuMemAlloc(&da, max));
    OK(cuMemAlloc(&db, max));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    memset(pa, 1, max);
    memset(pb, 2, max);
    memset(ha, 3, max);
    OK(cuMemsetD8(da, 4, max));
    OK(cuMemsetD8(db, 5, max));
    OK(cuCtxSynchronize());
    printf("\ncopies: GB/s (up to 4 KiB: ns a call), and the ratio to memcpy between two warmed buffers of this run\n");
    printf("%12s %10s", "bytes", "memcpy");
    for (int k = 1; k < KINDS; k++) printf(" %10s %6s", kind_names[k], "ratio");
    printf("\n");
    for (size_t n = min; n <= max; n *= 4) {
        double t[KINDS][ROUNDS];
        long reps = (long)((size_t)(8 << 20) / n);
        if (reps < 1) reps = 1;
        if (reps > 20000) reps = 20000;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < KINDS; i++) {
                int k = (i + round) % KINDS;
                double t0 = now();
                for (long r = 0; r < reps; r++) {
                    switch (k) {
                    case MEMCPY: memcpy(pb, pa, n); __asm__ volatile("" ::: "memory"); break;
                    case HTOD: OK(cuMemcpyHtoD(da, ha, n)); break;
                    case DTOH: OK(cuMemcpyDtoH(ha, da, n)); break;
                    case DTOD: OK(cuMemcpyDtoD(db, da, n)); break;
                    case HTOD_ASYNC: OK(cuMemcpyHtoDAsync(da, ha, n, stream)); break;
                    }
                }
                if (k >= DTOD) OK(cuCtxSynchronize());
                t[k][round] = (now() - t0) / (double)reps;
            }
        }
        double m[KINDS];
        for (int k = 0; k < KINDS; k++) m[k] = median(t[k], ROUNDS);
        printf("%12zu", n);
        for (int k = 0; k < KINDS; k++) {
            printf(" %10.1f", n <= 4096 ? m[k] : (double)n / m[k]);
            if (k) printf(" %6.2f", m[MEMCPY] / m[k]);
        }
        printf("\n");
    }
    OK(cuMemFreeHost(pa));
    OK(cuMemFreeHost(pb));
    OK(cuMemFreeHost(ha));
    OK(cuMemFree(da));
    OK(cuMemFree(db));
    OK(cuStreamDestroy(stream));
}

/* ---- fills ----------------------------------------------------------------------- */

static struct { void *host; CUdeviceptr device; size_t bytes; } filled;
static void by_memset(void *unused) { (void)unused; memset(filled.host, 3, filled.bytes); __asm__ volatile("" ::: "memory"); }
static void by_driver(void *unused)
{
    (void)unused;
    OK(cuMemsetD8(filled.device, 3, filled.bytes));
    OK(cuCtxSynchronize());
}

static void fills(void)
{
    size_t max = (size_t)256 << 20;
    OK(cuMemHostAlloc(&filled.host, max, 0));
    OK(cuMemAlloc(&filled.device, max));
    memset(filled.host, 1, max);
    OK(cuMemsetD8(filled.device, 1, max));
    OK(cuCtxSynchronize());
    printf("\nfills: GB/s of memset, of cuMemsetD8 + cuCtxSynchronize, and their ratio\n");
    for (size_t n = 65536; n <= max; n *= 4) {
        double a, b;
        long reps = (long)(((size_t)64 << 20) / n);
        filled.bytes = n;
        duel(reps ? reps : 1, by_memset, by_driver, NULL, &a, &b);
        printf("%12zu %10.1f %10.1f %6.2f\n", n, (double)n / a, (double)n / b, a / b);
    }
    OK(cuMemFreeHost(filled.host));
    OK(cuMemFree(filled.device));
}

/* ---- latency --------------------------------------------------------------------- */

#define LATENCY(text, peer, reps, body)                                   \
    do {                                                                  \
        double v[ROUNDS];                                                 \
        for (int round = 0; round < ROUNDS; round++) {                    \
            double t0 = now();                                            \
            for (long i_ = 0; i_ < (reps); i_++) body;                    \
            v[round] = (now() - t0) / (double)(reps);                     \
        }                                                                 \
        printf("%-58s %10.1f   %s\n", text, median(v, ROUNDS), peer);     \
    } while (0)

static void latency(void)
{
    CUdeviceptr d, p;
    CUcontext c;
    CUstream s;
    CUevent e;
    void *h;
    unsigned type;
    OK(cuMemAlloc(&d, 4096));
    OK(cuMemHostAlloc(&h, 4096, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    printf("\nlatency: ns a call\n");
    LATENCY("cuMemcpyHtoD, 4 bytes", "", 20000, OK(cuMemcpyHtoD(d, h, 4)));
    LATENCY("cuMemcpyDtoH, 4 bytes", "", 20000, OK(cuMemcpyDtoH(h, d, 4)));
    LATENCY("cuMemAlloc + cuMemFree, 512 B", "", 20000, { OK(cuMemAlloc(&p, 512)); OK(cuMemFree(p)); });
    LATENCY("cuMemAlloc + cuMemFree, 64 MiB", "", 5000, { OK(cuMemAlloc(&p, 64 << 20)); OK(cuMemFree(p)); });
    LATENCY("cuCtxGetCurrent", "", 200000, OK(cuCtxGetCurrent(&c)));
    LATENCY("stream enqueue to complete (4-byte copy, cuStreamSynchronize)", "", 20000,
            { OK(cuMemcpyHtoDAsync(d, h, 4, s)); OK(cuStreamSynchronize(s)); });
    LATENCY("cuEventRecord + cuEventSynchronize", "", 20000, { OK(cuEventRecord(e, s)); OK(cuEventSynchronize(e)); });
    static const long live[] = { 10, 1000, 1000000 };
    double first = 0;
    /* What is asked about is drawn from all allocations before the clock starts: drawing costs a cache miss of its own. */
    enum { QUERIES = 20000 };
    CUdeviceptr *ptrs = malloc(1000000 * sizeof *ptrs), *queries = malloc(QUERIES * sizeof *queries);
    long have = 0;
    for (int i = 0; i < 3; i++) {
        double build = now();
        long before = have;
        for (; have < live[i]; have++) OK(cuMemAlloc(&ptrs[have], 512));
        build = (now() - build) / (double)(have - before);
        double v[ROUNDS];
        uint64_t x = 88172645463325252ull;
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < QUERIES; k++) {
                x ^= x << 13; x ^= x >> 7; x ^= x << 17;
                queries[k] = ptrs[x % (uint64_t)have] + (x >> 40) % 512;
            }
            double t0 = now();
            for (int k = 0; k < QUERIES; k++) OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, queries[k]));
            v[round] = (now() - t0) / QUERIES;
        }
        double m = median(v, ROUNDS);
        if (!first) first = m;
        printf("cuPointerGetAttribute, %7ld live allocations %22.1f   x%.2f of the first; allocating them took %.0f ns each\n",
               have, m, m / first, build);
    }
    double t0 = now();
    for (long i = 0; i < have; i++) OK(cuMemFree(ptrs[i]));
    printf("cuMemFree of a million allocations, each %29.1f\n", (now() - t0) / (double)have);
    free(ptrs);
    free(queries);
    OK(cuMemFree(d));
    OK(cuMemFreeHost(h));
    OK(cuStreamDestroy(s));
    OK(cuEventDestroy(e));
}

/* ---- forward mode: what we add to a call of another driver ------------------------- */

static void forward(void)
{
    const char *path = getenv("DOPPEL_REAL_LIBCUDA");
    void *real = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    CUresult (*direct)(CUdevice *) = NULL;
    void *f = real ? dlsym(real, "cuCtxGetDevice") : NULL;
    memcpy(&direct, &f, sizeof f);
    if (!direct) {
        fprintf(stderr, "bench: forward needs DOPPEL_REAL_LIBCUDA\n");
        exit(1);
    }
    /* Both by their addresses, as programs have them that ask the driver for its functions, and in turn: what the machine does
     * beside this takes a round of both, or is outlived by the median. */
    enum { TURNS = 401, CALLS = 20000 };
    CUresult (*volatile ours)(CUdevice *) = cuCtxGetDevice;
    CUresult (*volatile theirs)(CUdevice *) = direct;
    CUdevice dev;
    static double direct_ns[TURNS], added[TURNS];
    OK(ours(&dev));
    for (int turn = 0; turn < TURNS; turn++) {
        double took[2];
        for (int i = 0; i < 2; i++) {
            int which = (turn + i) % 2;
            CUresult (*call)(CUdevice *) = which ? ours : theirs;
            double t = now();
            for (int n = 0; n < CALLS; n++) call(&dev);
            took[which] = (now() - t) / CALLS;
        }
        direct_ns[turn] = took[0];
        added[turn] = took[1] - took[0];
    }
    printf("\nforward mode, a driver that does nothing: a call of it takes %.2f ns, %.2f ns more through us\n", median(direct_ns, TURNS),
           median(added, TURNS));
}

static int asked(int argc, char **argv, const char *what)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], what)) return 1;
    return argc < 2 && strcmp(what, "forward") != 0;
}

int main(int argc, char **argv)
{
    if (asked(argc, argv, "forward")) {
        forward();
        return 0;
    }
    start();
    if (asked(argc, argv, "bandwidth")) bandwidth();
    if (asked(argc, argv, "fills")) fills();
    if (asked(argc, argv, "latency")) latency();
    return 0;
}
