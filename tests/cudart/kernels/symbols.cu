// Variables: constant, device, managed, static ones, with initialisers that hold addresses; copies to and from them.
#include "check.h"

struct Pair { int a; double b; };
__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ Pair pair = {5, 2.5};
__device__ int counter = 7;
__device__ unsigned char bytes[1000];
static __device__ long long hidden = -3;
__device__ const char text[] = "device text";
__device__ int numbers[4] = {10, 20, 30, 40};
__device__ int *pointer = &numbers[2];
__device__ const char *words[2] = {text, text + 7};
__managed__ int shared_value = 3;
__managed__ double shared_array[100] = {1.5, 2.5};
template <class T> __device__ T generic = T(42);
namespace space { __device__ Pair inner = {1, 2}; }

__global__ void use(double *out)
{
    int t = threadIdx.x;
    if (t < 8) out[t] = coefficients[t];
    if (t == 8) out[t] = pair.a + pair.b;
    if (t == 9) out[t] = atomicAdd(&counter, 1);
    if (t == 10) out[t] = bytes[999] + bytes[0];
    if (t == 11) out[t] = hidden--;
    if (t == 12) out[t] = *pointer + pointer[1];
    if (t == 13) out[t] = words[0][0] * 1000 + words[1][0];
    if (t == 14) out[t] = shared_value++;
    if (t == 15) out[t] = shared_array[1] + shared_array[0];
    if (t == 16) out[t] = generic<int> + generic<double>;
    if (t == 17) out[t] = space::inner.a + space::inner.b;
    if (t == 18) out[t] = sizeof text;
    if (t == 19) shared_array[99] = 123.25;
}

int main()
{
    // Before anything else: the program follows a managed variable's pointer.
    printf("%d %g %g %g\n", shared_value, shared_array[1], shared_array[99], shared_array[0]);
    shared_value = 30;
    Device<double> out(20);
    out.zero();
    use<<<1, 32>>>(out);
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    for (double v : out.get()) printf("%g ", v);
    printf("\n%d %g\n", shared_value, shared_array[99]);

    float k[3] = {-1, -2, -3}, back[8];
    SAY(cudaMemcpyToSymbol(coefficients, k, sizeof k, 8));
    SAY(cudaMemcpyFromSymbol(back, coefficients, sizeof back));
    for (float v : back) printf("%g ", v);
    printf("\n");
    SAY(cudaMemcpyToSymbol(coefficients, back, sizeof back, 4));
    SAY(cudaMemcpyFromSymbol(back, coefficients, 4, 32));
    SAY(cudaMemcpyToSymbol(coefficients, k, 0));
    SAY(cudaMemcpyToSymbol(coefficients, k, 4, 0, cudaMemcpyDeviceToHost));
    std::vector<unsigned char> b(1000);
    for (int i = 0; i < 1000; i++) b[i] = (unsigned char)next();
    cudaStream_t s;
    MUST(cudaStreamCreate(&s));
    SAY(cudaMemcpyToSymbolAsync(bytes, b.data(), 1000, 0, cudaMemcpyHostToDevice, s));
    std::vector<unsigned char> c(1000);
    SAY(cudaMemcpyFromSymbolAsync(c.data(), bytes, 1000, 0, cudaMemcpyDeviceToHost, s));
    MUST(cudaStreamSynchronize(s));
    exact("bytes", c, b);
    void *p = nullptr, *q = nullptr;
    size_t size = 0;
    SAY(cudaGetSymbolAddress(&p, bytes));
    SAY(cudaGetSymbolSize(&size, bytes));
    printf("%zu\n", size);
    SAY(cudaMemset(p, 9, 10));
    SAY(cudaMemcpyFromSymbol(c.data(), bytes, 20, 5));
    printf("%d %d\n", c[4], c[5] == b[10]);
    SAY(cudaGetSymbolSize(&size, generic<double>));
    printf("%zu\n", size);
    SAY(cudaGetSymbolSize(&size, pair));
    printf("%zu\n", size);
    cudaPointerAttributes at;
    SAY(cudaPointerGetAttributes(&at, p));
    printf("type %d, the same address %d\n", at.type, at.devicePointer == p);
    SAY(cudaPointerGetAttributes(&at, &shared_value));
    printf("type %d, for the host %d, for the device %d\n", at.type, at.hostPointer == &shared_value, at.devicePointer == &shared_value);
    SAY(cudaGetSymbolAddress(&q, shared_array));
    printf("%d\n", q == (void *)shared_array);
    SAY(cudaGetSymbolSize(&size, shared_array));
    printf("%zu\n", size);
    double d = 77;
    SAY(cudaMemcpyToSymbol(shared_array, &d, 8, 16));
    MUST(cudaDeviceSynchronize());
    printf("%g\n", shared_array[2]);
    SAY(cudaMemcpyFromSymbol(&d, shared_value, 4));
    SAY(cudaFree(&shared_value));
    SAY(cudaFree(p));
    SAY(cudaMemcpyToSymbol(b.data(), k, 4));
    SAY(cudaGetSymbolAddress(&q, nullptr));
    SAY(cudaGetLastError());
    // Concurrent use from the host and attachment.
    SAY(cudaStreamAttachMemAsync(s, &shared_array[0], 0, cudaMemAttachGlobal));
    MUST(cudaStreamSynchronize(s));
    return 0;
}
