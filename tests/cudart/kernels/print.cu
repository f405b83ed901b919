// printf in kernels: every conversion, order within a thread, many arguments, long texts, the size of the buffer.
#include "check.h"

__global__ void conversions()
{
    printf("%d %i %u %x %X %o %c %%|\n", -5, 7, 4000000000u, 0xbeef, 0xBEEF, 8, 'z');
    printf("%5d|%-5d|%05d|%+d|% d|%#x|%.3d|\n", 42, 42, 42, 42, 42, 42, 7);
    printf("%lld %llu %llx %ld %lu %hd\n", -1234567890123ll, 12345678901234567890ull, 0xfedcba9876543210ull, -5l, 5ul, (short)-3);
    printf("%f %.2f %e %g %G %10.3f|%-10.1e|\n", 3.14159, 2.5, 12345.678, 0.0001, 1e20, -1.5, 0.25);
    printf("%s|%10s|%-10s|%.2s|\n", "text", "right", "left", "cut");
    printf("%*d|%-*d|\n", 6, 1, 6, 2);
    printf("%f %f %f\n", 1.0 / 0.0 * 1, -1.0 / 0.0, 0.5f);
    printf("no newline, ");
    printf("then one\n");
    printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    int r = printf("%s", "");
    printf("returned %d\n", r);
    r = printf("two %d %d\n", 1, 2);
    printf("returned %d\n", r);
}

__global__ void threads(int *order)
{
    if (threadIdx.x % 16 == 3) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__device__ __noinline__ void nested(int depth)
{
    printf("depth %d\n", depth);
    if (depth < 3) nested(depth + 1);
    printf("back %d\n", depth);
}
__global__ void recursive() { nested(0); }

int main()
{
    setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
    printf("before\n");
    conversions<<<1, 1>>>();
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    printf("between\n");
    for (int b = 0; b < 1; b++) threads<<<1, 32>>>(nullptr);
    MUST(cudaDeviceSynchronize());
    recursive<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    size_t size = 0;
    SAY(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
    printf("%zu\n", size);
    SAY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    SAY(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
    printf("%zu\n", size);
    cudaStream_t s;
    MUST(cudaStreamCreate(&s));
    recursive<<<1, 1, 0, s>>>();
    MUST(cudaStreamSynchronize(s));
    printf("after\n");
    return 0;
}
