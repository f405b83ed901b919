// Several fat binaries: the program's and those of a library that is loaded, used, unloaded and loaded again.
#include "check.h"
#include <dlfcn.h>

#ifdef LIBRARY
__device__ int counter = 1;
__managed__ int seen = 10;
static __global__ void kernel(int *p) { *p = counter += 5; seen++; }
extern "C" int run(int *p)
{
    kernel<<<1, 1>>>(p);
    int v = -1;
    if (cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
    return v * 1000 + seen;
}
#else
__device__ int counter = 100;
static __global__ void kernel(int *p) { *p = counter += 1; }

int main(int argc, char **argv)
{
    Device<int> p(1);
    for (int round = 0; round < 2; round++) {
        kernel<<<1, 1>>>(p);
        LAUNCHED();
        printf("own %d\n", p.get()[0]);
        void *library = dlopen(argc > 1 ? argv[1] : "./several.so", RTLD_NOW);
        if (!library) {
            printf("%s\n", dlerror());
            return 1;
        }
        int (*run)(int *) = (int (*)(int *))dlsym(library, "run");
        int first = run(p), second = run(p);
        printf("library %d %d\n", first, second);
        dlclose(library);
        SAY(cudaGetLastError());
    }
    return 0;
}
#endif
