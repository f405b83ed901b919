// Dynamic parallelism: kernels that launch kernels. Compiled with -rdc=true.
#include "check.h"

__global__ void leaf(int *p, int n, int add)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += add;
}
__global__ void parent(int *p, int n)
{
    leaf<<<(n + 63) / 64, 64>>>(p, n, 10 + threadIdx.x);
}
__global__ void halves(int *p, int n, int depth)
{
    p[0] += depth;
    if (n > 1) {
        halves<<<1, 1, 0, cudaStreamFireAndForget>>>(p, n / 2, depth + 1);
        halves<<<1, 1, 0, cudaStreamFireAndForget>>>(p + n / 2, n - n / 2, depth + 1);
    }
}
__global__ void then(int *p, int n)
{
    leaf<<<1, 32, 0, cudaStreamTailLaunch>>>(p, n, 1000);
    p[0] = 1;
}

int main()
{
    int n = 300;
    Device<int> p(n);
    p.zero();
    parent<<<1, 2>>>(p, n);
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    exact("parent", p.get(), std::vector<int>(n, 21));
    p.zero();
    std::vector<int> w(n);
    halves<<<1, 1>>>(p, 64, 1);
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    int sum = 0;
    for (int v : p.get()) sum += v;
    printf("halves %d\n", sum);
    p.zero();
    then<<<1, 1>>>(p, 32);
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    auto got = p.get();
    printf("then %d %d\n", got[0], got[31]);
    return 0;
}
