// Bodies that attract each other: tiles in shared memory, float and double.
#include "check.h"

template <class T> struct Vec4 { T x, y, z, m; };

template <class T> __device__ T inverse_root(T v);
template <> __device__ float inverse_root(float v) { return rsqrtf(v); }
template <> __device__ double inverse_root(double v) { return rsqrt(v); }

template <class T> __global__ void forces(const Vec4<T> *bodies, Vec4<T> *out, int n)
{
    __shared__ Vec4<T> tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Vec4<T> me = bodies[i < n ? i : 0], a = {0, 0, 0, 0};
    for (int base = 0; base < n; base += 128) {
        if (base + threadIdx.x < n) tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
        int count = n - base < 128 ? n - base : 128;
#pragma unroll 4
        for (int j = 0; j < count; j++) {
            T dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            T r = inverse_root<T>(dx * dx + dy * dy + dz * dz + T(0.01));
            T s = tile[j].m * r * r * r;
            a.x += dx * s, a.y += dy * s, a.z += dz * s;
        }
        __syncthreads();
    }
    if (i < n) out[i] = a;
}

template <class T> static void test(const char *what, double part)
{
    int n = 500;
    std::vector<Vec4<T>> b(n);
    std::vector<T> w, got;
    for (auto &v : b) v = {(T)unit(), (T)unit(), (T)unit(), (T)(unit() / n)};
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            double dx = (double)b[j].x - b[i].x, dy = (double)b[j].y - b[i].y, dz = (double)b[j].z - b[i].z;
            double r = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.01), s = b[j].m * r * r * r;
            x += dx * s, y += dy * s, z += dz * s;
        }
        w.insert(w.end(), {(T)x, (T)y, (T)z});
    }
    Device<Vec4<T>> d(b), out(n);
    forces<T><<<(n + 127) / 128, 128>>>(d, out, n);
    LAUNCHED();
    for (auto &v : out.get()) got.insert(got.end(), {v.x, v.y, v.z});
    close(what, got, w, part);
}

int main()
{
    test<float>("float", 1e-4);
    test<double>("double", 1e-12);
    return 0;
}
