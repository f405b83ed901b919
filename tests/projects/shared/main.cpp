#include <cstdio>
#include <cuda_runtime_api.h>
#include <vector>

extern "C" int reduce(const int *values, int n);

int main()
{
    std::vector<int> values(1000);
    int *device;
    for (int i = 0; i < 1000; i++) values[i] = i;
    if (cudaMalloc((void **)&device, 4000)) return puts("failed"), 1;
    cudaMemcpy(device, values.data(), 4000, cudaMemcpyHostToDevice);
    if (reduce(device, 1000) != 499500) return puts("wrong"), 1;
    puts("done");
}
