// A five-point stencil in steps, straight and by tiles with borders; coefficients in constant memory.
#include "check.h"
#include <utility>

__constant__ float weights[5];
constexpr int TX = 32, TY = 8;

__global__ void straight(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float c = in[y * w + x];
    float l = x > 0 ? in[y * w + x - 1] : c, r = x + 1 < w ? in[y * w + x + 1] : c;
    float u = y > 0 ? in[(y - 1) * w + x] : c, d = y + 1 < h ? in[(y + 1) * w + x] : c;
    out[y * w + x] = fmaf(weights[0], c, fmaf(weights[1], l, fmaf(weights[2], r, fmaf(weights[3], u, weights[4] * d))));
}

__global__ void tiles(const float *in, float *out, int w, int h)
{
    __shared__ float t[TY + 2][TX + 2];
    int gx = blockIdx.x * TX, gy = blockIdx.y * TY;
    for (int i = threadIdx.y * TX + threadIdx.x; i < (TX + 2) * (TY + 2); i += TX * TY) {
        int x = gx + i % (TX + 2) - 1, y = gy + i / (TX + 2) - 1;
        x = min(max(x, 0), w - 1), y = min(max(y, 0), h - 1);
        t[i / (TX + 2)][i % (TX + 2)] = in[y * w + x];
    }
    __syncthreads();
    int x = gx + threadIdx.x, y = gy + threadIdx.y;
    if (x >= w || y >= h) return;
    auto at = [&](int dx, int dy) { return t[threadIdx.y + 1 + dy][threadIdx.x + 1 + dx]; };
    out[y * w + x] = fmaf(weights[0], at(0, 0),
        fmaf(weights[1], at(-1, 0), fmaf(weights[2], at(1, 0), fmaf(weights[3], at(0, -1), weights[4] * at(0, 1)))));
}

int main()
{
    int w = 150, h = 77, steps = 10;
    float k[5] = {0.5f, 0.125f, 0.125f, 0.15f, 0.1f};
    MUST(cudaMemcpyToSymbol(weights, k, sizeof k));
    std::vector<float> a(w * h), b(w * h), start;
    for (auto &v : a) v = unit() * 100;
    start = a;
    for (int s = 0; s < steps; s++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                float c = a[y * w + x], l = x ? a[y * w + x - 1] : c, r = x + 1 < w ? a[y * w + x + 1] : c;
                float u = y ? a[(y - 1) * w + x] : c, d = y + 1 < h ? a[(y + 1) * w + x] : c;
                b[y * w + x] = fmaf(k[0], c, fmaf(k[1], l, fmaf(k[2], r, fmaf(k[3], u, k[4] * d))));
            }
        a.swap(b);
    }
    Device<float> d(start), e(w * h);
    float *from = d, *to = e;
    for (int s = 0; s < steps; s++, std::swap(from, to)) straight<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(from, to, w, h);
    LAUNCHED();
    exact("straight", d.get(), a);
    d.set(start);
    for (int s = 0; s < steps; s++, std::swap(from, to)) tiles<<<dim3((w + TX - 1) / TX, (h + TY - 1) / TY), dim3(TX, TY)>>>(from, to, w, h);
    LAUNCHED();
    exact("tiles", d.get(), a);
    // Pitched memory, a copy in two dimensions.
    float *p;
    size_t pitch;
    MUST(cudaMallocPitch(&p, &pitch, w * 4, h));
    MUST(cudaMemcpy2D(p, pitch, a.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy2D(b.data(), w * 4, p, pitch, w * 4, h, cudaMemcpyDeviceToHost));
    exact("pitched", b, a);
    return 0;
}
