// Memory that kernels allocate: malloc, free, new, delete, across launches, more than there is.
#include "check.h"

struct Node { int value; Node *next; };
__device__ Node *lists[64];

__global__ void build(int n)
{
    Node *head = nullptr;
    for (int i = 0; i < n; i++) {
        Node *node = new Node{(int)threadIdx.x * 1000 + i, head};
        head = node;
    }
    lists[threadIdx.x] = head;
}
__global__ void sum(int *out)
{
    int s = 0;
    for (Node *n = lists[threadIdx.x]; n;) {
        s += n->value;
        Node *next = n->next;
        delete n;
        n = next;
    }
    out[threadIdx.x] = s;
}
__global__ void blocks(int *out, size_t size)
{
    __shared__ char *shared;
    if (threadIdx.x == 0) shared = (char *)malloc(size);
    __syncthreads();
    if (!shared) {
        if (threadIdx.x == 0) out[blockIdx.x] = -1;
        return;
    }
    for (size_t i = threadIdx.x; i < size; i += blockDim.x) shared[i] = (char)(i + blockIdx.x);
    __syncthreads();
    int s = 0;
    for (size_t i = threadIdx.x; i < size; i += blockDim.x) s += shared[size - 1 - i] == (char)(size - 1 - i + blockIdx.x);
    s = __syncthreads_count(s == (int)((size - threadIdx.x + blockDim.x - 1) / blockDim.x));
    if (threadIdx.x == 0) {
        out[blockIdx.x] = s;
        free(shared);
    }
}
__global__ void huge(int *out)
{
    void *p = malloc((size_t)1 << 40);
    out[0] = p == nullptr;
    free(nullptr);
    void *q = malloc(24);
    out[1] = ((uintptr_t)q & 15) == 0 && q != nullptr;
    free(q);
}

int main()
{
    size_t size = 0;
    SAY(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
    printf("%zu\n", size);
    SAY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    build<<<1, 64>>>(20);
    LAUNCHED();
    Device<int> out(64);
    sum<<<1, 64>>>(out);
    LAUNCHED();
    std::vector<int> w(64);
    for (int t = 0; t < 64; t++) w[t] = t * 20000 + 190;
    exact("lists", out.get(), w);
    for (int round = 0; round < 3; round++) {
        blocks<<<20, 64>>>(out, 5000);
        LAUNCHED();
        auto got = out.get();
        got.resize(20);
        exact("blocks", got, std::vector<int>(20, 64));
    }
    huge<<<1, 1>>>(out);
    LAUNCHED();
    auto got = out.get();
    printf("%d %d\n", got[0], got[1]);
    return 0;
}
