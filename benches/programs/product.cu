// A product of matrices of 512 by 512 in tiles of 16 by 16: milliseconds of one product, the median of nine, after one to load it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>
#define OK(call) do { cudaError_t e = (call); if (e) { printf("%s: %s\n", #call, cudaGetErrorString(e)); return 1; } } while (0)
constexpr int N = 512, TILE = 16;
__global__ void product(const float *a, const float *b, float *c)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < N; k += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * N + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * N + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[row * N + column] = sum;
}
int main()
{
    std::vector<float> a(N * N), b(N * N), c(N * N);
    for (int i = 0; i < N * N; i++) { a[i] = float(i % 17) / 17; b[i] = float(i % 23) / 23; }
    float *d[3];
    for (float *&p : d) OK(cudaMalloc(&p, 4ul * N * N));
    OK(cudaMemcpy(d[0], a.data(), 4ul * N * N, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d[1], b.data(), 4ul * N * N, cudaMemcpyHostToDevice));
    std::vector<double> times;
    for (int round = -1; round < 9; round++) {
        auto start = std::chrono::steady_clock::now();
        product<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(d[0], d[1], d[2]);
        OK(cudaDeviceSynchronize());
        if (round >= 0) times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    OK(cudaMemcpy(c.data(), d[2], 4ul * N * N, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i += 37) {
        double sum = 0;
        for (int k = 0; k < N; k++) sum += double(a[i * N + k]) * b[k * N + i];
        if (std::fabs(c[i * N + i] - sum) > 1e-3 * sum) { printf("wrong at %d\n", i); return 1; }
    }
    std::sort(times.begin(), times.end());
    printf("%.2f\n", times[times.size() / 2]);
}
