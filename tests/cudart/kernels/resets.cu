// What is left after a reset: variables, managed ones, kernels, errors.
#include "check.h"

__device__ int variable = 7;
__constant__ int constant = 8;
__managed__ int managed = 9;
__global__ void step(int *out)
{
    out[0] = variable++;
    out[1] = constant;
    out[2] = managed++;
}

static void run(const char *what)
{
    int *p, v[3] = {-1, -1, -1};
    SAY(cudaMalloc(&p, 12));
    step<<<1, 1>>>(p);
    SAY(cudaGetLastError());
    SAY(cudaMemcpy(v, p, 12, cudaMemcpyDeviceToHost));
    printf("%s: %d %d %d\n", what, v[0], v[1], v[2]);
    SAY(cudaFree(p));
}

int main()
{
    int c = 80, v = 70;
    run("first");
    SAY(cudaMemcpyToSymbol(constant, &c, 4));
    SAY(cudaMemcpyToSymbol(variable, &v, 4));
    run("second");
    printf("managed %d\n", managed);
    SAY(cudaMemcpy((void *)16, &c, 4, cudaMemcpyHostToDevice));
    SAY(cudaDeviceReset());
    SAY(cudaGetLastError());
    run("after a reset");
    SAY(cudaDeviceSynchronize());
    SAY(cudaDeviceReset());
    SAY(cudaDeviceReset());
    void *at = nullptr;
    SAY(cudaGetSymbolAddress(&at, variable));
    run("after more");
    return 0;
}
