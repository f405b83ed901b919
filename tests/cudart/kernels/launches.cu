// Launches: attributes of kernels, occupancy, dynamic shared memory, errors of configuration, launches by other calls.
#include "check.h"
#include <cuda_runtime_api.h>

__global__ void __launch_bounds__(128) bounded(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }

__global__ void dynamic(int *out, int n)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i * 3;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}

__global__ void fixed(int *out)
{
    __shared__ int s[1000];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void many(char a, short b, int c, long long d, float e, double f, int4 g, const int *h, int *out)
{
    out[0] = a, out[1] = b, out[2] = c, out[3] = (int)d, out[4] = (int)e, out[5] = (int)f, out[6] = g.w, out[7] = *h;
}

// Nobody launches it: it wants memory of several devices at one address. The others run all the same.
__global__ void together(unsigned *out)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("multimem.st.relaxed.sys.global.u32 [%0], %1;" ::"l"(out), "r"(1u) : "memory");
#endif
}

static size_t needs(int block) { return block * 16; }

int main()
{
    cudaFuncAttributes a;
    MUST(cudaFuncGetAttributes(&a, bounded));
    printf("bounded: %d threads, %zu shared\n", a.maxThreadsPerBlock, a.sharedSizeBytes);
    MUST(cudaFuncGetAttributes(&a, fixed));
    printf("fixed: %d threads, %zu shared, registers %d\n", a.maxThreadsPerBlock, a.sharedSizeBytes, a.numRegs > 0);
    Device<int> out(100000);
    SAY((fixed<<<1, 1000>>>(out), cudaGetLastError()));
    SAY((fixed<<<1, 0>>>(out), cudaGetLastError()));
    SAY((fixed<<<0, 1>>>(out), cudaGetLastError()));
    SAY((fixed<<<1, 1025>>>(out), cudaGetLastError()));
    SAY((fixed<<<dim3(1, 65536), 1>>>(out), cudaGetLastError()));
    SAY((fixed<<<1, dim3(1, 1, 65)>>>(out), cudaGetLastError()));
    SAY((bounded<<<1, 129>>>(out), cudaGetLastError()));
    SAY((fixed<<<1, 32, 1 << 20>>>(out), cudaGetLastError()));
    SAY(cudaPeekAtLastError());
    SAY((dynamic<<<1, 32, 50000>>>(out, 12500), cudaGetLastError()));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    SAY((dynamic<<<1, 320, 100000>>>(out, 25000), cudaGetLastError()));
    auto got = out.get();
    bool good = true;
    for (int i = 0; i < 25000; i++) good &= got[i] == (24999 - i) * 3;
    verdict("dynamic shared memory", good);
    MUST(cudaFuncGetAttributes(&a, dynamic));
    printf("%d\n", a.maxDynamicSharedSizeBytes);
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    SAY(cudaFuncSetCacheConfig(dynamic, cudaFuncCachePreferL1));
    SAY(cudaGetLastError());

    int blocks = 0, grid = 0, block = 0;
    size_t bytes = 0;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fixed, 256, 0));
    printf("%d\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 1024, 60000));
    printf("%d\n", blocks);
    SAY(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
    printf("%d %d\n", grid > 0, block);
    SAY(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic, needs));
    printf("%d %d\n", grid > 0, block);
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, dynamic, 2, 256));
    printf("%d\n", bytes > 50000);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fixed, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, fixed, 32, 0));
    SAY(cudaFuncGetAttributes(&a, (const void *)main));
    SAY(cudaGetLastError());

    char c = -5;
    short s = -300;
    int i = 70000;
    long long l = 1ll << 31;
    float f = 2.5f;
    double d = -7.25;
    int4 v = make_int4(1, 2, 3, 4);
    int *p = out, *q = p + 10;
    MUST(cudaMemset(p, 1, 4));
    void *args[] = {&c, &s, &i, &l, &f, &d, &v, &p, &q};
    SAY(cudaLaunchKernel((void *)many, dim3(1), dim3(1), args, 0, 0));
    got = out.get();
    for (int k = 10; k < 18; k++) printf("%d ", got[k]);
    printf("\n");
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(3);
    config.blockDim = dim3(100);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributePriority;
    attribute[0].val.priority = 0;
    config.attrs = attribute;
    config.numAttrs = 1;
    SAY(cudaLaunchKernelEx(&config, bounded, out.p));
    got = out.get();
    printf("%d %d %d\n", got[0], got[150], got[299]);
    config.blockDim = dim3(129);
    SAY(cudaLaunchKernelExC(&config, (const void *)bounded, args));
    const char *name = nullptr;
    SAY(cudaFuncGetName(&name, (const void *)many));
    printf("%s\n", name);
    size_t offset = 0, size = 0;
    for (size_t n : {0, 1, 3, 6, 8, 9}) {
        cudaError_t e = cudaFuncGetParamInfo((const void *)many, n, &offset, &size);
        if (e == cudaSuccess) printf("parameter %zu: %zu at %zu\n", n, size, offset);
        else printf("parameter %zu: %s\n", n, cudaGetErrorName(e));
    }
    cudaFunction_t function;
    SAY(cudaGetFuncBySymbol(&function, (const void *)many));
    cudaKernel_t kernel;
    SAY(cudaGetKernel(&kernel, (const void *)many));
    SAY(cudaLaunchKernel((void *)kernel, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchKernel((void *)main, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchKernel(nullptr, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaDeviceSynchronize());
    return 0;
}
