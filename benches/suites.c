/* Kernels in the shapes of well-known suites, which nothing was tuned for (suites/kernels.cu): each is checked against plain C, and
 * timed.
 *
 *   suites [REPETITIONS [NAME...]]      a line for each: its name, the median of the milliseconds that its kernels take, and the
 *                                       least of the milliseconds of processor time that they take on all cores together, which
 *                                       says more where the machine is busy */
#include "bench.h"
#include <dirent.h>
#include <math.h>

/* What all threads have used. The clock of the process is no use for a millisecond: of a thread that runs on another core it counts
 * what that had used at the core's last tick, which is up to 4 ms ago. A thread's own clock is exact. */
static double processor_time(void)
{
    double sum = 0;
    DIR *threads = opendir("/proc/self/task");
    if (!threads) exit(1);
    for (struct dirent *entry; (entry = readdir(threads));) {
        struct timespec t;
        unsigned id = (unsigned)atoi(entry->d_name);
        if (id && !clock_gettime((clockid_t)(~id << 3 | 6), &t)) sum += (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
    }
    closedir(threads);
    return sum;
}

static uint64_t state = 1;
static unsigned number(void) { return (unsigned)((state = state * 6364136223846793005u + 1442695040888963407u) >> 33); }
static float fraction(void) { return (float)(number() % 20001) / 10000 - 1; }
static void *room(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p) exit(1);
    return p;
}

static CUmodule module;
static CUfunction function(const char *name)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}
static CUdeviceptr device(const void *from, size_t bytes)
{
    CUdeviceptr p;
    OK(cuMemAlloc(&p, bytes));
    if (from) OK(cuMemcpyHtoD(p, from, bytes));
    else OK(cuMemsetD8(p, 0, bytes));
    return p;
}
#define LAUNCH(f, gx, gy, bx, by, ...) OK(cuLaunchKernel(f, gx, gy, 1, bx, by, 1, 0, NULL, (void *[]){__VA_ARGS__}, NULL))
/* Whether two numbers are as near as sums in another order are. */
static int near(double a, double b) { return fabs(a - b) <= 2e-4 * (1 + fabs(b)); }

/* Each workload is a function of a phase: it makes its data (PREPARE), runs its kernels, and says whether the results are right. */
enum { PREPARE, RUN, CHECK };

static int reduce_by_key(int phase)
{
    enum { N = 1 << 20, KEYS = N / 8 };
    static int *keys, *values;
    static CUdeviceptr k, v, s;
    static CUfunction f;
    int n = N;
    if (phase == PREPARE) {
        keys = room(N * 4), values = room(N * 4);
        for (int i = 0, key = 0; i < N; i++) keys[i] = key += number() % 10 == 0 && key < KEYS - 1, values[i] = (int)(number() % 100);
        k = device(keys, N * 4), v = device(values, N * 4), s = device(NULL, KEYS * 4);
        f = function("reduce_by_key");
    } else if (phase == RUN) {
        OK(cuMemsetD8(s, 0, KEYS * 4));
        LAUNCH(f, N / 256, 1, 256, 1, &k, &v, &s, &n);
    } else {
        int *sums = room(KEYS * 4), right = 1;
        OK(cuMemcpyDtoH(sums, s, KEYS * 4));
        for (int i = 0; i < N; i++) sums[keys[i]] -= values[i];
        for (int i = 0; i < KEYS; i++) right &= sums[i] == 0;
        free(sums);
        return right;
    }
    return 1;
}

/* A sparse matrix, which is a graph, too: rows of up to 64 entries. */
enum { NODES = 1 << 14 };
static int *rows, *columns;
static CUdeviceptr rows_there, columns_there;
static void make_graph(void)
{
    if (rows) return;
    rows = room((NODES + 1) * 4), columns = room(NODES * 64 * 4);
    for (int i = 0; i < NODES; i++) {
        int count = (int)(number() % 65 * (number() % 65) / 64);
        for (int j = 0; j < count; j++) columns[rows[i] + j] = (int)(number() % NODES);
        rows[i + 1] = rows[i] + count;
    }
    rows_there = device(rows, (NODES + 1) * 4), columns_there = device(columns, NODES * 64 * 4);
}

static int spmv(int phase)
{
    static float *values, x[NODES], y[NODES];
    static CUdeviceptr v, in, out;
    static CUfunction f;
    int n = NODES;
    if (phase == PREPARE) {
        make_graph();
        values = room((size_t)rows[NODES] * 4);
        for (int i = 0; i < rows[NODES]; i++) values[i] = fraction();
        for (int i = 0; i < NODES; i++) x[i] = fraction();
        v = device(values, (size_t)rows[NODES] * 4), in = device(x, sizeof x), out = device(NULL, sizeof y);
        f = function("spmv");
    } else if (phase == RUN) {
        LAUNCH(f, NODES / 8, 1, 256, 1, &rows_there, &columns_there, &v, &in, &out, &n);
    } else {
        int right = 1;
        OK(cuMemcpyDtoH(y, out, sizeof y));
        for (int i = 0; i < NODES; i++) {
            double sum = 0;
            for (int j = rows[i]; j < rows[i + 1]; j++) sum += (double)values[j] * x[columns[j]];
            right &= near(y[i], sum);
        }
        return right;
    }
    return 1;
}

static int bfs(int phase)
{
    static CUdeviceptr distance, more;
    static CUfunction f;
    int n = NODES, again = 1, zero = 0;
    if (phase == PREPARE) {
        make_graph();
        distance = device(NULL, NODES * 4), more = device(NULL, 4);
        f = function("bfs");
    } else if (phase == RUN) {
        OK(cuMemsetD8(distance, 0xff, NODES * 4));
        OK(cuMemcpyHtoD(distance + 40, &zero, 4));
        for (int level = 0; again; level++) {
            OK(cuMemsetD8(more, 0, 4));
            LAUNCH(f, NODES / 256, 1, 256, 1, &rows_there, &columns_there, &distance, &more, &level, &n);
            OK(cuMemcpyDtoH(&again, more, 4));
        }
    } else {
        int *found = room(NODES * 4), *known = room(NODES * 4), *queue = room(NODES * 4), head = 0, tail = 1;
        OK(cuMemcpyDtoH(found, distance, NODES * 4));
        memset(known, 0xff, NODES * 4);
        known[queue[0] = 10] = 0;
        while (head < tail) {
            int node = queue[head++];
            for (int j = rows[node]; j < rows[node + 1]; j++) {
                if (known[columns[j]] >= 0) continue;
                known[columns[j]] = known[node] + 1;
                queue[tail++] = columns[j];
            }
        }
        int right = !memcmp(found, known, NODES * 4);
        free(found), free(known), free(queue);
        return right;
    }
    return 1;
}

static int smith_waterman(int phase)
{
    enum { PAIRS = 64, N = 256 };
    static unsigned char a[PAIRS][N], b[PAIRS][N];
    static CUdeviceptr at, bt, s;
    static CUfunction f;
    if (phase == PREPARE) {
        for (int p = 0; p < PAIRS; p++)
            for (int i = 0; i < N; i++) a[p][i] = number() % 4, b[p][i] = number() % 3 ? a[p][i] : number() % 4;
        at = device(a, sizeof a), bt = device(b, sizeof b), s = device(NULL, PAIRS * 4);
        f = function("smith_waterman");
    } else if (phase == RUN) {
        LAUNCH(f, PAIRS, 1, N, 1, &at, &bt, &s);
    } else {
        int scores[PAIRS], right = 1;
        OK(cuMemcpyDtoH(scores, s, sizeof scores));
        for (int p = 0; p < PAIRS; p++) {
            int above[N + 1] = {0}, best = 0;
            for (int i = 0; i < N; i++) {
                int left = 0, across = 0;
                for (int j = 0; j < N; j++) {
                    int score = across + (a[p][i] == b[p][j] ? 3 : -3), gap = (left > above[j] ? left : above[j]) - 2;
                    score = score > gap ? score : gap;
                    score = score > 0 ? score : 0;
                    across = above[j];
                    above[j] = left = score;
                    best = score > best ? score : best;
                }
            }
            right &= scores[p] == best;
        }
        return right;
    }
    return 1;
}

static unsigned turn(unsigned x, int n) { return x >> n | x << (32 - n); }
static void sha_block(const unsigned *message, int stride, unsigned *h)
{
    /* The fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
    unsigned w[64], s[8], constants[64];
    int count = 0;
    for (int p = 2; count < 64; p++) {
        int prime = 1;
        for (int q = 2; q * q <= p; q++) prime &= p % q != 0;
        if (!prime) continue;
        long double root = cbrtl(p), square = sqrtl(p);
        if (count < 8) s[count] = h[count] = (unsigned)((square - floorl(square)) * 4294967296.0L);
        constants[count++] = (unsigned)((root - floorl(root)) * 4294967296.0L);
    }
    for (int k = 0; k < 64; k++) {
        if (k < 16) w[k] = message[k * stride];
        else
            w[k] = w[k - 16] + w[k - 7] + (turn(w[k - 15], 7) ^ turn(w[k - 15], 18) ^ w[k - 15] >> 3) +
                   (turn(w[k - 2], 17) ^ turn(w[k - 2], 19) ^ w[k - 2] >> 10);
        unsigned t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[k] + w[k];
        unsigned t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 28);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; k++) h[k] += s[k];
}
static int sha256(int phase)
{
    enum { N = 1 << 14 };
    static unsigned messages[16 * N], digests[8 * N];
    static CUdeviceptr m, d;
    static CUfunction f;
    int n = N;
    if (phase == PREPARE) {
        for (int i = 0; i < 16 * N; i++) messages[i] = number() << 1 ^ number();
        m = device(messages, sizeof messages), d = device(NULL, sizeof digests);
        f = function("sha256");
    } else if (phase == RUN) {
        LAUNCH(f, N / 128, 1, 128, 1, &m, &d, &n);
    } else {
        int right = 1;
        OK(cuMemcpyDtoH(digests, d, sizeof digests));
        for (int i = 0; i < N; i += 37) {
            unsigned h[8];
            sha_block(messages + i, N, h);
            for (int k = 0; k < 8; k++) right &= digests[k * N + i] == h[k];
        }
        return right;
    }
    return 1;
}

static int fft(int phase)
{
    enum { BATCH = 128, N = 1024 };
    static float in[BATCH][N][2], out[BATCH][N][2], roots[N][2];
    static CUdeviceptr i_, o, r;
    static CUfunction f;
    if (phase == PREPARE) {
        for (int b = 0; b < BATCH; b++)
            for (int i = 0; i < N; i++) in[b][i][0] = fraction(), in[b][i][1] = fraction();
        for (int i = 0; i < N; i++) roots[i][0] = (float)cos(2 * M_PI * i / N), roots[i][1] = (float)-sin(2 * M_PI * i / N);
        i_ = device(in, sizeof in), o = device(NULL, sizeof out), r = device(roots, sizeof roots);
        f = function("fft");
    } else if (phase == RUN) {
        LAUNCH(f, BATCH, 1, 256, 1, &i_, &o, &r);
    } else {
        int right = 1;
        OK(cuMemcpyDtoH(out, o, sizeof out));
        for (int b = 0; b < BATCH; b += 31)
            for (int k = 0; k < N; k += 5) {
                double re = 0, im = 0;
                for (int i = 0; i < N; i++) {
                    const float *w = roots[i * k % N];
                    re += (double)in[b][i][0] * w[0] - (double)in[b][i][1] * w[1];
                    im += (double)in[b][i][0] * w[1] + (double)in[b][i][1] * w[0];
                }
                right &= near(out[b][k][0], re) && near(out[b][k][1], im);
            }
        return right;
    }
    return 1;
}

static int convolution(int phase)
{
    enum { W = 1000, H = 700 };
    static float in[H][W], out[H][W];
    static CUdeviceptr i_, o;
    static CUfunction f;
    int w = W, h = H;
    if (phase == PREPARE) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) in[y][x] = fraction();
        i_ = device(in, sizeof in), o = device(NULL, sizeof out);
        f = function("convolution");
    } else if (phase == RUN) {
        LAUNCH(f, (W + 31) / 32, (H + 7) / 8, 32, 8, &i_, &o, &w, &h);
    } else {
        int right = 1;
        OK(cuMemcpyDtoH(out, o, sizeof out));
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                double sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int yy = y + dy < 0 ? 0 : y + dy >= H ? H - 1 : y + dy, xx = x + dx < 0 ? 0 : x + dx >= W ? W - 1 : x + dx;
                        sum += in[yy][xx] * (dy ? 1 : 2) * (dx ? 1 : 2) / 16.0;
                    }
                right &= near(out[y][x], sum);
            }
        return right;
    }
    return 1;
}

/* Small multiples of 1/64 are the same in 16 bits. */
static uint16_t half(int n)
{
    if (!n) return 0;
    unsigned sign = n < 0 ? 0x8000 : 0, m = (unsigned)abs(n);
    int e = 31 - __builtin_clz(m);
    return (uint16_t)(sign | (unsigned)(e - 6 + 15) << 10 | (m << (10 - e) & 0x3ff));
}
static int attention(int phase)
{
    enum { HEADS = 8, N = 256, D = 64 };
    static int numbers[3][HEADS][N][D];
    static uint16_t q[HEADS][N][D], k[HEADS][N][D], v[HEADS][D][N];
    static float out[HEADS][N][D];
    static CUdeviceptr qt, kt, vt, o;
    static CUfunction f;
    int n = N;
    if (phase == PREPARE) {
        for (int h = 0; h < HEADS; h++)
            for (int i = 0; i < N; i++)
                for (int d = 0; d < D; d++) {
                    for (int m = 0; m < 3; m++) numbers[m][h][i][d] = (int)(number() % 129) - 64;
                    q[h][i][d] = half(numbers[0][h][i][d]), k[h][i][d] = half(numbers[1][h][i][d]);
                    v[h][d][i] = half(numbers[2][h][i][d]);
                }
        qt = device(q, sizeof q), kt = device(k, sizeof k), vt = device(v, sizeof v), o = device(NULL, sizeof out);
        f = function("attention");
    } else if (phase == RUN) {
        LAUNCH(f, N / 64, HEADS, 128, 1, &qt, &kt, &vt, &o, &n);
    } else {
        int right = 1;
        OK(cuMemcpyDtoH(out, o, sizeof out));
        for (int h = 0; h < HEADS; h++)
            for (int i = 0; i < N; i += 7) {
                double weights[N], total = 0;
                for (int j = 0; j < N; j++) {
                    double dot = 0;
                    for (int d = 0; d < D; d++) dot += numbers[0][h][i][d] * numbers[1][h][j][d];
                    total += weights[j] = exp(dot / 4096 / 8);
                }
                for (int d = 0; d < D; d++) {
                    double sum = 0;
                    for (int j = 0; j < N; j++) sum += weights[j] * numbers[2][h][j][d] / 64;
                    /* The weights have 16 bits. */
                    right &= fabs(out[h][i][d] - sum / total) < 2e-3;
                }
            }
        return right;
    }
    return 1;
}

static int layer_norm(int phase)
{
    enum { ROWS = 512, N = 1024 };
    static float in[ROWS][N], out[ROWS][N], scale[N], shift[N];
    static CUdeviceptr i_, s, t, o;
    static CUfunction f;
    if (phase == PREPARE) {
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < N; i++) in[r][i] = fraction() * 3 + 1;
        for (int i = 0; i < N; i++) scale[i] = fraction(), shift[i] = fraction();
        i_ = device(in, sizeof in), s = device(scale, sizeof scale), t = device(shift, sizeof shift), o = device(NULL, sizeof out);
        f = function("layer_norm");
    } else if (phase == RUN) {
        LAUNCH(f, ROWS, 1, 256, 1, &i_, &s, &t, &o);
    } else {
        int right = 1;
        OK(cuMemcpyDtoH(out, o, sizeof out));
        for (int r = 0; r < ROWS; r++) {
            double mean = 0, square = 0;
            for (int i = 0; i < N; i++) mean += in[r][i] / (double)N;
            for (int i = 0; i < N; i++) square += (in[r][i] - mean) * (in[r][i] - mean) / N;
            for (int i = 0; i < N; i++) right &= near(out[r][i], (in[r][i] - mean) / sqrt(square + 1e-5) * scale[i] + shift[i]);
        }
        return right;
    }
    return 1;
}

static int above(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}
static int radix_sort(int phase)
{
    enum { N = 1 << 17, TILES = N / 1024 };
    static unsigned keys[N], sorted[N];
    static CUdeviceptr original, a, b, counts;
    static CUfunction count, scan, move;
    int bins = 16 * TILES;
    if (phase == PREPARE) {
        for (int i = 0; i < N; i++) keys[i] = number() << 1 ^ number();
        original = device(keys, sizeof keys), a = device(NULL, sizeof keys), b = device(NULL, sizeof keys);
        counts = device(NULL, 16 * TILES * 4);
        count = function("radix_count"), scan = function("radix_scan"), move = function("radix_move");
    } else if (phase == RUN) {
        OK(cuMemcpyDtoD(a, original, sizeof keys));
        for (int shift = 0; shift < 32; shift += 4) {
            CUdeviceptr *from = shift % 8 ? &b : &a, *to = shift % 8 ? &a : &b;
            LAUNCH(count, TILES, 1, 256, 1, from, &counts, &shift);
            LAUNCH(scan, 1, 1, 1024, 1, &counts, &bins);
            LAUNCH(move, TILES, 1, 256, 1, from, to, &counts, &shift);
        }
    } else {
        OK(cuMemcpyDtoH(sorted, a, sizeof sorted));
        qsort(keys, N, 4, above);
        return !memcmp(keys, sorted, sizeof keys);
    }
    return 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*of)(int);
    } all[] = {{"reduce_by_key", reduce_by_key}, {"spmv", spmv}, {"bfs", bfs}, {"smith_waterman", smith_waterman}, {"sha256", sha256},
               {"fft", fft}, {"convolution", convolution}, {"attention", attention}, {"layer_norm", layer_norm}, {"radix_sort", radix_sort}};
    const char *path = getenv("SUITES_PTX");
    int times = argc > 1 ? atoi(argv[1]) : 9, wrong = 0;
    double t[99], least = 0;
    if (times < 1 || times > 99) return 2;
    start();
    OK(cuModuleLoad(&module, path ? path : "benches/suites/kernels.ptx"));
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        int asked = argc <= 2;
        for (int k = 2; k < argc; k++) asked |= !strcmp(argv[k], all[i].name);
        if (!asked) continue;
        all[i].of(PREPARE);
        for (int k = -1; k < times; k++) {
            double p0 = processor_time(), t0 = now();
            all[i].of(RUN);
            OK(cuCtxSynchronize());
            double passed = (now() - t0) / 1e6, p = (processor_time() - p0) / 1e6;
            if (k >= 0) t[k] = passed;
            if (k <= 0 || p < least) least = p;
        }
        int right = all[i].of(CHECK);
        wrong |= !right;
        printf("%-16s %10.3f ms %10.3f ms%s\n", all[i].name, median(t, times), least, right ? "" : " WRONG");
        fflush(stdout);
    }
    return wrong;
}
