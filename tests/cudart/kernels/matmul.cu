// Matrix products: straight, tiled, tiled with several results per thread.
#include "check.h"

template <class T> __global__ void straight(const T *a, const T *b, T *c, int m, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= m) return;
    T sum = 0;
    for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
}

template <class T, int TILE> __global__ void tiled(const T *a, const T *b, T *c, int m, int n, int k)
{
    __shared__ T ta[TILE][TILE + 1], tb[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
    T sum = 0;
    for (int base = 0; base < k; base += TILE) {
        ta[ty][tx] = y < m && base + tx < k ? a[y * k + base + tx] : T(0);
        tb[ty][tx] = x < n && base + ty < k ? b[(base + ty) * n + x] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) sum += ta[ty][i] * tb[i][tx];
        __syncthreads();
    }
    if (x < n && y < m) c[y * n + x] = sum;
}

// 64 x 64 results per block of 256 threads, 4 x 4 per thread; sizes are multiples.
__global__ void registers(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float ta[16][64], tb[16][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float sum[4][4] = {};
    for (int base = 0; base < k; base += 16) {
        for (int i = t; i < 1024; i += 256) {
            ta[i % 16][i / 16] = a[(blockIdx.y * 64 + i / 16) * k + base + i % 16];
            tb[i / 64][i % 64] = b[(base + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 va = *(float4 *)&ta[i][ty * 4], vb = *(float4 *)&tb[i][tx * 4];
            float ra[4] = {va.x, va.y, va.z, va.w}, rb[4] = {vb.x, vb.y, vb.z, vb.w};
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) sum[p][q] += ra[p] * rb[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) c[(blockIdx.y * 64 + ty * 4 + p) * n + blockIdx.x * 64 + tx * 4 + q] = sum[p][q];
}

static float madd(float a, float b, float c) { return fmaf(a, b, c); }
static double madd(double a, double b, double c) { return fma(a, b, c); }
static int madd(int a, int b, int c) { return a * b + c; }

template <class T> static std::vector<T> host(const std::vector<T> &a, const std::vector<T> &b, int m, int n, int k)
{
    std::vector<T> c(m * n);
    for (int y = 0; y < m; y++)
        for (int x = 0; x < n; x++) {
            T sum = 0;
            for (int i = 0; i < k; i++) sum = madd(a[y * k + i], b[i * n + x], sum);
            c[y * n + x] = sum;
        }
    return c;
}

template <class T> static void test(const char *what, int m, int n, int k)
{
    std::vector<T> a(m * k), b(k * n);
    for (auto &v : a) v = (T)(unit() * 200 - 100);
    for (auto &v : b) v = (T)(unit() * 200 - 100);
    auto c = host(a, b, m, n, k);
    Device<T> da(a), db(b), dc(m * n);
    straight<<<dim3((n + 15) / 16, (m + 7) / 8), dim3(16, 8)>>>(da.p, db.p, dc.p, m, n, k);
    LAUNCHED();
    exact(what, dc.get(), c);
    dc.zero();
    tiled<T, 16><<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(da.p, db.p, dc.p, m, n, k);
    LAUNCHED();
    exact(what, dc.get(), c);
}

int main()
{
    test<int>("int", 33, 50, 70);
    test<float>("float", 65, 43, 129);
    test<double>("double", 40, 48, 56);
    std::vector<float> a(128 * 96), b(96 * 64);
    for (auto &v : a) v = unit();
    for (auto &v : b) v = unit();
    Device<float> da(a), db(b), dc(128 * 64);
    registers<<<dim3(1, 2), 256>>>(da, db, dc, 64, 96);
    LAUNCHED();
    exact("registers", dc.get(), host(a, b, 128, 64, 96));
    return 0;
}
