// Life after a kernel that went wrong and a reset. (On the H200 of the comparison no context could be made any more:
// cudaErrorDevicesUnavailable.)
#include "check.h"

__managed__ int managed = 5;
__global__ void trap() { asm volatile("trap;"); }
__global__ void fine(int *p) { *p = managed++; }

int main()
{
    for (int round = 0; round < 3; round++) {
        int *p, v = 0;
        trap<<<1, 1>>>();
        SAY(cudaDeviceSynchronize());
        SAY(cudaMalloc(&p, 4));
        SAY(cudaDeviceReset());
        SAY(cudaGetLastError());
        SAY(cudaMalloc(&p, 4));
        fine<<<1, 1>>>(p);
        SAY(cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost));
        printf("%d\n", v);
    }
    return 0;
}
