// Element-wise kernels: shapes of grids and blocks, types, strides.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

template <class T> __global__ void saxpy(T a, const T *x, T *y, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x)
        y[i] = a * x[i] + y[i];
}

__global__ void places(uint32_t *out)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] =
        blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * threadIdx.x + 100000 * threadIdx.y + 10000000 * threadIdx.z;
}

__global__ void quads(const float4 *a, float4 *b, const uchar4 *c, int2 *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = a[i];
    b[i] = make_float4(v.w, v.z, v.y, v.x);
    uchar4 u = c[i];
    d[i] = make_int2(u.x | u.y << 8 | u.z << 16 | u.w << 24, u.x * u.y - u.z * u.w);
}

__global__ void mixed(const uint8_t *a, const int16_t *b, int64_t *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t x = (int64_t)a[i] * b[i] * 1000003ll;
    x ^= x >> 7;
    x = x / (b[i] | 1) + x % (a[i] + 1);
    out[i] = x + __mul64hi(x, 0x123456789abcdefll) + __clz((int)x) + __popcll(x) + __brev((unsigned)x) + __ffs((int)x);
}

static int64_t mixed_host(uint8_t a, int16_t b)
{
    int64_t x = (int64_t)a * b * 1000003ll;
    x ^= x >> 7;
    x = x / (b | 1) + x % (a + 1);
    uint32_t r = 0, u = (uint32_t)x;
    for (int k = 0; k < 32; k++) r |= (u >> k & 1) << (31 - k);
    return x + (int64_t)((__int128)x * 0x123456789abcdefll >> 64) + (u ? __builtin_clz(u) : 32) + __builtin_popcountll(x) + r +
        __builtin_ffs((int)u);
}

int main()
{
    for (int n : {1, 31, 1000, 100003}) {
        std::vector<float> a(n), b(n), c(n);
        for (int i = 0; i < n; i++) a[i] = unit(), b[i] = unit() * 100, c[i] = a[i] + b[i];
        Device<float> da(a), db(b), dc(n);
        add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
        LAUNCHED();
        exact("add", dc.get(), c);
        for (int i = 0; i < n; i++) c[i] = fmaf(2.5f, a[i], c[i]);
        saxpy<float><<<7, 96>>>(2.5f, da, dc, n);
        LAUNCHED();
        exact("saxpy float", dc.get(), c);
    }
    {
        int n = 5000;
        std::vector<double> x(n), y(n), z(n);
        for (int i = 0; i < n; i++) x[i] = unit(), y[i] = unit() * 1e9, z[i] = fma(-3.25, x[i], y[i]);
        Device<double> dx(x), dy(y);
        saxpy<double><<<40, 128>>>(-3.25, dx, dy, n);
        LAUNCHED();
        exact("saxpy double", dy.get(), z);
    }
    {
        dim3 grid(3, 4, 5), block(5, 3, 2);
        std::vector<uint32_t> wanted;
        for (unsigned bz = 0; bz < 5; bz++)
            for (unsigned by = 0; by < 4; by++)
                for (unsigned bx = 0; bx < 3; bx++)
                    for (unsigned z = 0; z < 2; z++)
                        for (unsigned y = 0; y < 3; y++)
                            for (unsigned x = 0; x < 5; x++)
                                wanted.push_back(bx + 10 * by + 100 * bz + 1000 * x + 100000 * y + 10000000 * z);
        Device<uint32_t> out(wanted.size());
        places<<<grid, block>>>(out);
        LAUNCHED();
        exact("places", out.get(), wanted);
    }
    {
        int n = 777;
        std::vector<float> a(4 * n), b(4 * n);
        std::vector<uint8_t> c(4 * n);
        std::vector<int> d(2 * n);
        for (int i = 0; i < 4 * n; i++) a[i] = unit(), c[i] = (uint8_t)next();
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 4; k++) b[4 * i + k] = a[4 * i + 3 - k];
            memcpy(&d[2 * i], &c[4 * i], 4);
            d[2 * i + 1] = c[4 * i] * c[4 * i + 1] - c[4 * i + 2] * c[4 * i + 3];
        }
        Device<float> da(a), db(4 * n);
        Device<uint8_t> dc(c);
        Device<int> dd(2 * n);
        quads<<<(n + 63) / 64, 64>>>((float4 *)da.p, (float4 *)db.p, (uchar4 *)dc.p, (int2 *)dd.p, n);
        LAUNCHED();
        exact("float4", db.get(), b);
        exact("uchar4, int2", dd.get(), d);
    }
    {
        int n = 4096;
        std::vector<uint8_t> a(n);
        std::vector<int16_t> b(n);
        std::vector<int64_t> c(n);
        for (int i = 0; i < n; i++) a[i] = (uint8_t)next(), b[i] = (int16_t)next(), c[i] = mixed_host(a[i], b[i]);
        Device<uint8_t> da(a);
        Device<int16_t> db(b);
        Device<int64_t> dc(n);
        mixed<<<(n + 127) / 128, 128>>>(da, db, dc, n);
        LAUNCHED();
        exact("mixed integers", dc.get(), c);
    }
    return 0;
}
