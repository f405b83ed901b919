// After a kernel that went wrong nothing brings the device back, and no other one: the process gets no context any more.
#include "check.h"

__managed__ int managed = 5;
__global__ void trap() { asm volatile("trap;"); }
__global__ void fine(int *p) { *p = managed++; }

int main()
{
    int *p = nullptr, v = 0, n;
    size_t room;
    cudaStream_t stream;
    cudaDeviceProp properties;
    SAY(cudaMalloc(&p, 4));
    trap<<<1, 1>>>();
    SAY(cudaDeviceSynchronize());
    SAY(cudaMalloc(&p, 4));
    for (int round = 0; round < 2; round++) {
        SAY(cudaDeviceReset());
        SAY(cudaPeekAtLastError());
        SAY(cudaGetLastError());
        SAY(cudaGetLastError());
        SAY(cudaGetDevice(&n));
        SAY(cudaGetDeviceCount(&n));
        SAY(cudaGetDeviceProperties(&properties, 0));
        SAY(cudaMalloc(&p, 4));
        SAY(cudaFree(p));
        SAY(cudaMemGetInfo(&room, &room));
        SAY(cudaStreamCreate(&stream));
        fine<<<1, 1>>>(p);
        SAY(cudaGetLastError());
        SAY(cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost));
        SAY(cudaDeviceSynchronize());
        SAY(cudaSetDevice(0));
        printf("%d\n", v);
    }
    return 0;
}
