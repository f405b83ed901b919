// A failed assert: the message, the error that stays, the end of the context.
#include "check.h"
#include <cassert>
#include <unistd.h>

// What the message names.
#line 8 "asserts.cu"
__global__ void check(int *p, int n)
{
    assert(p != nullptr);
    p[threadIdx.x] = threadIdx.x;
    assert(threadIdx.x < n && "too many threads");
}

int main()
{
    dup2(1, 2);
    setvbuf(stdout, nullptr, _IONBF, 0);
    int *p;
    MUST(cudaMalloc(&p, 4096));
    check<<<1, 32>>>(p, 32);
    SAY(cudaDeviceSynchronize());
    check<<<1, 4>>>(p, 3);
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaGetLastError());
    SAY(cudaMalloc(&p, 16));
    SAY(cudaPeekAtLastError());
    SAY(cudaDeviceReset());
    SAY(cudaGetLastError());
    return 0;
}
