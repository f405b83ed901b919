// Calls: function pointers, virtual functions, recursion, templates, lambdas, switches, structures by value.
#include "check.h"

__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
typedef int (*Binary)(int, int);
__device__ Binary table[3] = {plus, minus, times};

__global__ void pointers(int *out, Binary given)
{
    int t = threadIdx.x;
    out[t] = table[t % 3](t, 7) + given(t, 2);
}

__global__ void get(Binary *f) { *f = times; }

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
    float s;
    __device__ Square(float s) : s(s) {}
    __device__ float area() const override { return s * s; }
    __device__ int sides() const override { return 4; }
};
struct Circle : Shape {
    float r;
    __device__ Circle(float r) : r(r) {}
    __device__ float area() const override { return r * r * 3; }
};

__device__ __noinline__ float ask(const Shape *s) { return s->area() + s->sides(); }

__global__ void objects(float *out)
{
    int t = threadIdx.x;
    Square a(t);
    Circle b(t);
    const Shape *s = t & 1 ? (const Shape *)&a : (const Shape *)&b;
    out[t] = ask(s);
}

__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursion(unsigned *out)
{
    out[threadIdx.x] = fib(threadIdx.x % 12) + ackermann(threadIdx.x % 3, threadIdx.x % 4);
}

struct Big { int v[20]; double d; char c; };
__device__ __noinline__ Big change(Big b, int by)
{
    for (int &v : b.v) v += by;
    b.d *= by;
    b.c++;
    return b;
}
__global__ void structures(Big in, Big *out) { out[threadIdx.x] = change(in, threadIdx.x); }

template <class F> __global__ void apply(F f, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(i);
}
template <int N> struct Power {
    __host__ __device__ static int of(int x) { return x * Power<N - 1>::of(x); }
};
template <> struct Power<0> {
    __host__ __device__ static int of(int) { return 1; }
};
template <class... T> __host__ __device__ int sum(T... t) { return (int(t) + ... + 0); }

__host__ __device__ int choose(int x)
{
    switch (x % 11) {
    case 0: return x * 3;
    case 1: return x ^ 0x55;
    case 2: return -x;
    case 3: return x / 3;
    case 4: return x % 7;
    case 5: return x << 2;
    case 6: return x | 1;
    case 7: x += 5; // on
    case 8: return x - 1;
    case 9: return ~x;
    default: return 1;
    }
}
__host__ __device__ int local_array(int x)
{
    int a[16];
    for (int i = 0; i < 16; i++) a[i] = i * x;
    for (int i = 0; i < 16; i++) {
        int j = (a[i] ^ x) & 15, t = a[i];
        a[i] = a[j] + 1;
        a[j] = t;
    }
    int h = 0;
    for (int i = 0; i < 16; i++) h = h * 31 + a[(i * x) & 15];
    return h;
}
__host__ __device__ int paths(int x)
{
    int n = 0;
    while (x != 1 && n < 200) {
        if (x & 1) {
            x = 3 * x + 1;
            if (x > 5000) break;
        } else {
            x /= 2;
        }
        n++;
        if (n % 50 == 49) continue;
        for (int k = 0; k < (x & 3); k++) n += k;
    }
    return n * 10000 + x % 1000;
}

int main()
{
    Device<int> out(96);
    Device<Binary> f(1);
    Binary given;
    get<<<1, 1>>>(f);
    MUST(cudaMemcpy(&given, f, sizeof given, cudaMemcpyDeviceToHost));
    pointers<<<1, 96>>>(out, given);
    LAUNCHED();
    std::vector<int> w(96);
    for (int t = 0; t < 96; t++) w[t] = (t % 3 == 0 ? t + 7 : t % 3 == 1 ? t - 7 : t * 7) + t * 2;
    exact("pointers", out.get(), w);
    Device<float> areas(64);
    objects<<<1, 64>>>(areas);
    LAUNCHED();
    std::vector<float> a(64);
    for (int t = 0; t < 64; t++) a[t] = t & 1 ? t * t + 4 : t * t * 3;
    exact("virtual", areas.get(), a);
    Device<unsigned> r(64);
    MUST(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
    recursion<<<2, 32>>>(r);
    LAUNCHED();
    std::vector<unsigned> rw(64);
    unsigned fibs[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (int t = 0; t < 64; t++) {
        int u = t % 32, m = u % 3, n = u % 4;
        rw[t] = fibs[u % 12] + (m == 0 ? n + 1 : m == 1 ? n + 2 : 2 * n + 3);
    }
    rw.resize(32);
    auto rg = r.get();
    rg.resize(32);
    exact("recursion", rg, rw);
    Big big{}, bg[8];
    for (int i = 0; i < 20; i++) big.v[i] = i * i;
    big.d = 1.5, big.c = 'a';
    Device<Big> db(8);
    structures<<<1, 8>>>(big, db);
    LAUNCHED();
    MUST(cudaMemcpy(bg, db, sizeof bg, cudaMemcpyDeviceToHost));
    bool good = true;
    for (int t = 0; t < 8; t++) {
        for (int i = 0; i < 20; i++) good &= bg[t].v[i] == i * i + t;
        good &= bg[t].d == 1.5 * t && bg[t].c == 'b';
    }
    verdict("structures", good);
    int n = 1000, offset = 17;
    Device<int> o(n);
    std::vector<int> v(n);
    auto check = [&](const char *what, auto f) {
        for (int i = 0; i < n; i++) v[i] = f(i);
        exact(what, o.get(), v);
    };
    apply<<<8, 128>>>([=] __device__(int i) { return i * 2 + offset; }, o.p, n);
    LAUNCHED();
    check("lambda", [=](int i) { return i * 2 + offset; });
    apply<<<8, 128>>>([] __device__(int i) { return Power<3>::of(i % 100) + sum(i, 2.5f, 'a', 7ll); }, o.p, n);
    LAUNCHED();
    check("templates", [](int i) { return Power<3>::of(i % 100) + sum(i, 2.5f, 'a', 7ll); });
    apply<<<8, 128>>>([] __device__(int i) { return choose(i); }, o.p, n);
    LAUNCHED();
    check("switch", choose);
    apply<<<8, 128>>>([] __device__(int i) { return local_array(i); }, o.p, n);
    LAUNCHED();
    check("local array", local_array);
    apply<<<8, 128>>>([] __device__(int i) { return paths(i + 1); }, o.p, n);
    LAUNCHED();
    check("paths", [](int i) { return paths(i + 1); });
    return 0;
}
