// Kernels that go wrong: each in a process of its own, since a context does not survive it.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

__global__ void bad_address(int *p) { *p = 1; }
__global__ void misaligned(char *p) { *(int *)(p + 1) = 1; }
__global__ void trap() { asm volatile("trap;"); }
__global__ void shared_out(int *p, int n)
{
    extern __shared__ int s[];
    s[n] = 1;
    *p = s[n];
}
__global__ void fine(int *p) { *p = 5; }

static void after(const char *what)
{
    printf("%s: %s", what, cudaGetErrorName(cudaGetLastError()));
    printf(", then %s", cudaGetErrorName(cudaDeviceSynchronize()));
    int *p;
    printf(", then %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
    fflush(stdout);
    _exit(0);
}

static void in_child(void (*run)())
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) run();
    waitpid(pid, nullptr, 0);
}

int main()
{
    in_child([] { bad_address<<<1, 1>>>((int *)0x10); after("null"); });
    in_child([] { bad_address<<<1, 1>>>((int *)0x7fffffff0000ull); after("no memory"); });
    in_child([] { char *p; cudaMalloc(&p, 64); misaligned<<<1, 1>>>(p); after("misaligned"); });
    in_child([] { trap<<<1, 1>>>(); after("trap"); });
    in_child([] { int *p; cudaMalloc(&p, 64); shared_out<<<1, 1, 64>>>(p, 1 << 20); after("shared memory"); });
    in_child([] { int *p; cudaMalloc(&p, 64); fine<<<1, 1>>>(p); after("fine"); });
    return 0;
}
