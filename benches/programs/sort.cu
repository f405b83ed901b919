// CUB's radix sort of 2^19 keys with values: milliseconds of one sort, the median of nine, after one to load the kernels.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>
#include <cub/device/device_radix_sort.cuh>
#define OK(call) do { cudaError_t e = (call); if (e) { printf("%s: %s\n", #call, cudaGetErrorString(e)); return 1; } } while (0)
int main()
{
    const int n = 1 << 19;
    std::vector<unsigned> keys(n), values(n), sorted(n), moved(n);
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = state;
        values[i] = i;
    }
    unsigned *k[2], *v[2];
    for (int i = 0; i < 2; i++) { OK(cudaMalloc(&k[i], 4ul * n)); OK(cudaMalloc(&v[i], 4ul * n)); }
    OK(cudaMemcpy(k[0], keys.data(), 4ul * n, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(v[0], values.data(), 4ul * n, cudaMemcpyHostToDevice));
    size_t bytes = 0;
    void *room = nullptr;
    OK(cub::DeviceRadixSort::SortPairs(room, bytes, k[0], k[1], v[0], v[1], n));
    OK(cudaMalloc(&room, bytes));
    std::vector<double> times;
    for (int round = -1; round < 9; round++) {
        auto start = std::chrono::steady_clock::now();
        OK(cub::DeviceRadixSort::SortPairs(room, bytes, k[0], k[1], v[0], v[1], n));
        OK(cudaDeviceSynchronize());
        if (round >= 0) times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    OK(cudaMemcpy(sorted.data(), k[1], 4ul * n, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(moved.data(), v[1], 4ul * n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        if (keys[moved[i]] != sorted[i] || (i && sorted[i - 1] > sorted[i])) { printf("wrong at %d\n", i); return 1; }
    std::sort(times.begin(), times.end());
    printf("%.2f\n", times[times.size() / 2]);
}
