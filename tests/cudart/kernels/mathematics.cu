// The mathematical functions of float and double, compared with the host's within the errors that the manual names.
#include "check.h"

#define UNARY(X)                                                                                              \
    X(sin, -10, 10, 2) X(cos, -10, 10, 2) X(tan, -1.5, 1.5, 4) X(asin, -1, 1, 2) X(acos, -1, 1, 2)            \
    X(atan, -50, 50, 2) X(sinh, -5, 5, 3) X(cosh, -5, 5, 2) X(tanh, -5, 5, 2) X(asinh, -9, 9, 4)              \
    X(acosh, 1, 90, 4) X(atanh, -0.99, 0.99, 3) X(exp, -20, 20, 2) X(exp2, -20, 20, 2) X(exp10, -9, 9, 2)     \
    X(expm1, -3, 3, 2) X(log, 0.001, 900, 1) X(log2, 0.001, 900, 1) X(log10, 0.001, 900, 2)                   \
    X(log1p, -0.9, 90, 2) X(cbrt, -90, 90, 1) X(erf, -3, 3, 2) X(erfc, -3, 9, 5) X(tgamma, 0.1, 20, 10)       \
    X(lgamma, 2.5, 90, 6) X(sqrt, 0, 900, 0) X(ceil, -9, 9, 0) X(floor, -9, 9, 0) X(trunc, -9, 9, 0)          \
    X(rint, -9, 9, 0) X(round, -9, 9, 0) X(fabs, -9, 9, 0) X(j0, -8, 8, 99) X(y1, 0.5, 8, 99)
#define BINARY(X)                                                                                             \
    X(pow, 0.1, 30, -5, 5, 8) X(atan2, -9, 9, -9, 9, 3) X(fmod, -90, 90, 0.5, 9, 0) X(hypot, -90, 90, -9, 9, 3) \
    X(fmin, -9, 9, -9, 9, 0) X(fmax, -9, 9, -9, 9, 0) X(fdim, -9, 9, -9, 9, 0) X(remainder, -90, 90, 0.5, 9, 0) \
    X(copysign, -9, 9, -9, 9, 0)

#define UKERNEL(f, lo, hi, ulp) template <class T> __global__ void k_##f(const T *x, T *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = f(x[i]); }
#define BKERNEL(f, lo, hi, lo2, hi2, ulp) template <class T> __global__ void k_##f(const T *x, const T *z, T *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = f(x[i], z[i]); }
UNARY(UKERNEL)
BINARY(BKERNEL)

__global__ void special(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], *o = y + i * 8;
    o[0] = __sinf(v), o[1] = __cosf(v), o[2] = __expf(v), o[3] = __logf(fabsf(v) + 1);
    o[4] = __fdividef(v, 3.0f), o[5] = rsqrtf(fabsf(v) + 1), o[6] = __powf(fabsf(v) + 1, 1.5f), o[7] = __saturatef(v);
}

__global__ void rounding(const float *x, float *y, const double *d, double *e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i], b = x[(i + 1) % n], *o = y + i * 8;
    o[0] = __fadd_rd(a, b), o[1] = __fmul_ru(a, b), o[2] = __fdiv_rz(a, b), o[3] = __fsqrt_rd(fabsf(a));
    o[4] = __int2float_rd((int)(a * 1e8f)), o[5] = __fmaf_rz(a, b, a), o[6] = __double2float_ru(d[i]), o[7] = __frcp_rn(b);
    e[i] = __dadd_ru(d[i], a) + __ddiv_rd(d[i], 3.0) * __dsqrt_rz(fabs(d[i]));
}

static double away(double g, double w, double unit) // in units of the last place
{
    if (g == w || (std::isnan(g) && std::isnan(w))) return 0;
    int e;
    std::frexp(w, &e);
    return std::fabs(g - w) / std::ldexp(unit, e - 1);
}

template <class T> static void judge(const char *name, const std::vector<T> &g, const std::vector<double> &w, double ulp)
{
    double unit = sizeof(T) == 4 ? 1.1920929e-07 : 2.220446049250313e-16, worst = 0;
    for (size_t i = 0; i < g.size(); i++) worst = std::fmax(worst, away((double)g[i], w[i], unit));
    // Half a unit for rounding; the host's double has an error, too.
    bool good = worst <= ulp + (sizeof(T) == 4 ? 0.51 : 1.51);
    if (!good) printf("%s %s: WRONG by %g units\n", name, sizeof(T) == 4 ? "float" : "double", worst);
    else printf("%s %s: ok\n", name, sizeof(T) == 4 ? "float" : "double");
}

template <class T> static std::vector<T> range(double lo, double hi, int n)
{
    std::vector<T> v(n);
    for (auto &x : v) x = (T)(lo + (hi - lo) * (next() + unit()) / 16777217.0);
    return v;
}

int main()
{
    int n = 500;
    std::vector<double> w(n);
#define UTEST(f, lo, hi, ulp)                                                   \
    {                                                                           \
        auto test = [&](auto zero) {                                            \
            typedef decltype(zero) T;                                           \
            auto x = range<T>(lo, hi, n);                                       \
            Device<T> dx(x), dy(n);                                             \
            k_##f<T><<<4, 128>>>(dx, dy, n);                                    \
            LAUNCHED();                                                         \
            for (int i = 0; i < n; i++) w[i] = (double)f##l((long double)x[i]); \
            judge(#f, dy.get(), w, ulp);                                        \
        };                                                                      \
        test(0.0f);                                                             \
        test(0.0);                                                              \
    }
#define BTEST(f, lo, hi, lo2, hi2, ulp)                                                              \
    {                                                                                                \
        auto test = [&](auto zero) {                                                                 \
            typedef decltype(zero) T;                                                                \
            auto x = range<T>(lo, hi, n), z = range<T>(lo2, hi2, n);                                 \
            Device<T> dx(x), dz(z), dy(n);                                                           \
            k_##f<T><<<4, 128>>>(dx, dz, dy, n);                                                     \
            LAUNCHED();                                                                              \
            for (int i = 0; i < n; i++) w[i] = (double)f##l((long double)x[i], (long double)z[i]);   \
            judge(#f, dy.get(), w, ulp);                                                             \
        };                                                                                           \
        test(0.0f);                                                                                  \
        test(0.0);                                                                                   \
    }
    UNARY(UTEST)
    BINARY(BTEST)
    auto x = range<float>(-4, 4, n);
    Device<float> dx(x), dy(8 * n);
    special<<<4, 128>>>(dx, dy, n);
    LAUNCHED();
    std::vector<float> s;
    for (double v : x)
        for (double r : {sin(v), cos(v), exp(v), log(fabs(v) + 1), v / 3, 1 / sqrt(fabs(v) + 1), pow(fabs(v) + 1, 1.5), fmin(fmax(v, 0), 1)})
            s.push_back((float)r);
    close("fast functions", dy.get(), s, 2e-5);
    auto d = range<double>(-1e6, 1e6, n);
    Device<double> dd(d), de(n);
    rounding<<<4, 128>>>(dx, dy, dd, de, n);
    LAUNCHED();
    auto r = dy.get();
    auto e = de.get();
    printf("rounding %016llx %016llx\n", (unsigned long long)hash(r.data(), r.size() * 4), (unsigned long long)hash(e.data(), n * 8));
    return 0;
}
