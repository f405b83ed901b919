// A fast Fourier transform (Stockham, radix 2), and back; compared with the sum that defines it.
#include "check.h"

template <class T> struct Complex { T re, im; };

__device__ void angle(float x, float *s, float *c) { sincospif(x, s, c); }
__device__ void angle(double x, double *s, double *c) { sincospi(x, s, c); }

template <class T> __global__ void pass(const Complex<T> *in, Complex<T> *out, int n, int half, T sign)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    int k = i & (half - 1);
    T s, c;
    angle(sign * T(k) / T(half), &s, &c);
    Complex<T> a = in[i], b = in[i + n / 2];
    Complex<T> t = {b.re * c - b.im * s, b.re * s + b.im * c};
    int o = ((i - k) << 1) + k;
    out[o] = {a.re + t.re, a.im + t.im};
    out[o + half] = {a.re - t.re, a.im - t.im};
}

template <class T> static void transform(Device<Complex<T>> &a, Device<Complex<T>> &b, int n, T sign)
{
    Complex<T> *from = a, *to = b;
    int passes = 0;
    for (int half = 1; half < n; half *= 2, passes++) {
        pass<T><<<(n / 2 + 127) / 128, 128>>>(from, to, n, half, sign);
        std::swap(from, to);
    }
    LAUNCHED();
    if (passes % 2) MUST(cudaMemcpy(a, b, n * sizeof(Complex<T>), cudaMemcpyDeviceToDevice));
}

template <class T> static std::vector<T> flat(const std::vector<Complex<T>> &v, T scale)
{
    std::vector<T> f;
    for (auto &c : v) f.insert(f.end(), {c.re * scale, c.im * scale});
    return f;
}

template <class T> static void test(const char *what, double part)
{
    int n = 1024;
    std::vector<Complex<T>> in(n), w(n);
    for (auto &v : in) v = {(T)(unit() - 0.5f), (T)(unit() - 0.5f)};
    std::vector<double> table(2 * n);
    for (int i = 0; i < n; i++) table[2 * i] = cos(2 * M_PI * i / n), table[2 * i + 1] = -sin(2 * M_PI * i / n);
    for (int k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < n; i++) {
            double c = table[2 * (i * k % n)], s = table[2 * (i * k % n) + 1];
            re += in[i].re * c - in[i].im * s, im += in[i].re * s + in[i].im * c;
        }
        w[k] = {(T)re, (T)im};
    }
    Device<Complex<T>> a(in), b(n);
    transform<T>(a, b, n, T(-1));
    close(what, flat(a.get(), T(1)), flat(w, T(1)), part);
    transform<T>(a, b, n, T(1));
    close("and back", flat(a.get(), T(1) / n), flat(in, T(1)), part);
}

int main()
{
    test<float>("float", 2e-5);
    test<double>("double", 1e-12);
    return 0;
}
