// What kernels ask of the device's runtime: itself, its limits, functions, errors, copies and fills of rows and boxes.
// Compiled with -rdc=true. Numbers that differ between devices are compared with what the host is told.
#include "check.h"
#include <string>

__global__ void leaf(int *p)
{
    __shared__ int s[128];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void __launch_bounds__(64) bounded(int *p) { *p = 1; }

// The makers of these are the host's only.
__device__ cudaPitchedPtr pitched(void *p, size_t pitch, size_t x, size_t y) { return {p, pitch, x, y}; }
__device__ cudaExtent extent(size_t w, size_t h, size_t d) { return {w, h, d}; }
__device__ cudaPos position(size_t x, size_t y, size_t z) { return {x, y, z}; }

struct Answer {
    int error, value;
    long long wide;
};

enum { COUNT, DEVICE, VERSION, CACHE, ATTRIBUTES, LIMITS = ATTRIBUTES + 8, FUNCTION = LIMITS + 10,
       BOUNDED, OCCUPANCY, WRONG = OCCUPANCY + 6, LAST = WRONG + 7 };
__constant__ int attributes[8] = {1, 8, 10, 16, 39, 75, 81, 13};

__global__ void ask(Answer *a, char *scratch)
{
    for (int i = 0; i < LAST; i++) a[i] = {-1, -1, -1};
    a[COUNT].error = cudaGetDeviceCount(&a[COUNT].value);
    a[DEVICE].error = cudaGetDevice(&a[DEVICE].value);
    a[VERSION].error = cudaRuntimeGetVersion(&a[VERSION].value);
    cudaFuncCache cache;
    a[CACHE].error = cudaDeviceGetCacheConfig(&cache);
    a[CACHE].value = cache;
    for (int i = 0; i < 8; i++)
        a[ATTRIBUTES + i].error = cudaDeviceGetAttribute(&a[ATTRIBUTES + i].value, (cudaDeviceAttr)attributes[i], 0);
    for (int i = 0; i < 10; i++) {
        size_t limit = 77;
        a[LIMITS + i].error = cudaDeviceGetLimit(&limit, (cudaLimit)i);
        a[LIMITS + i].wide = limit;
    }
    cudaFuncAttributes f;
    memset(&f, 0, sizeof f);
    a[FUNCTION].error = cudaFuncGetAttributes(&f, leaf);
    a[FUNCTION].value = f.sharedSizeBytes;
    a[FUNCTION].wide = f.maxThreadsPerBlock * 1000 + f.ptxVersion;
    a[BOUNDED].error = cudaFuncGetAttributes(&f, bounded);
    a[BOUNDED].value = f.maxThreadsPerBlock;
    a[BOUNDED].wide = f.constSizeBytes * 1000 + f.localSizeBytes;
    a[OCCUPANCY].error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a[OCCUPANCY].value, leaf, 128, 0);
    a[OCCUPANCY + 1].error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a[OCCUPANCY + 1].value, leaf, 128, 40000);
    a[OCCUPANCY + 2].error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a[OCCUPANCY + 2].value, bounded, 65, 0);
    a[OCCUPANCY + 3].error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a[OCCUPANCY + 3].value, leaf, 0, 0);
    a[OCCUPANCY + 4].error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&a[OCCUPANCY + 4].value, leaf, 1024, 0, 1);
    a[OCCUPANCY + 5].error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&a[OCCUPANCY + 5].value, leaf, 1024, 0, 7);
    cudaGetLastError();
    Answer *w = a + WRONG;
    w[0].error = cudaDeviceGetAttribute(&w[0].value, (cudaDeviceAttr)9999, 0);
    w[0].wide = cudaGetLastError();
    w[1].error = cudaDeviceGetAttribute(&w[1].value, (cudaDeviceAttr)1, 50);
    w[1].wide = cudaGetLastError();
    size_t limit = 77;
    w[2].error = cudaDeviceGetLimit(&limit, (cudaLimit)99);
    w[2].wide = cudaGetLastError();
    w[2].value = limit;
    w[3].error = cudaMemcpy2DAsync(a, 8, a, 4, 8, 2, cudaMemcpyDeviceToDevice, 0);
    w[3].wide = cudaGetLastError();
    w[4].error = cudaMemset2DAsync(a, 4, 1, 8, 2, 0);
    w[4].wide = cudaGetLastError();
    w[5].error = cudaMemcpyAsync(a, a + 1, 4, cudaMemcpyHostToDevice, 0);
    w[5].wide = cudaGetLastError();
    w[6].error = cudaMemset3DAsync(pitched(scratch, 4, 8, 1), 1, extent(8, 1, 1), 0);
    w[6].wide = cudaGetLastError();
}

__global__ void spell(int code, char *name, char *text)
{
    const char *p = cudaGetErrorName((cudaError_t)code);
    do *name++ = *p; while (*p++);
    p = cudaGetErrorString((cudaError_t)code);
    do *text++ = *p; while (*p++);
}

__global__ void move(char *to, char *from)
{
    cudaMemcpy2DAsync(to, 16, from, 32, 10, 4, cudaMemcpyDeviceToDevice, 0);
    cudaMemcpy3DParms p = {};
    p.srcPtr = pitched(from, 16, 16, 8);
    p.dstPtr = pitched(to + 256, 32, 32, 4);
    p.srcPos = position(2, 1, 0);
    p.dstPos = position(3, 0, 1);
    p.extent = extent(9, 3, 2);
    p.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&p, 0);
}

int main()
{
    Device<Answer> d(LAST);
    Device<char> scratch(64);
    ask<<<1, 1>>>(d.p, scratch.p);
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    auto a = d.get();
    int n;
    MUST(cudaGetDeviceCount(&n));
    printf("count %d %s\n", a[COUNT].error, a[COUNT].value == n ? "of the host" : std::to_string(a[COUNT].value).c_str());
    printf("device %d %d\n", a[DEVICE].error, a[DEVICE].value);
    printf("version %d %d\n", a[VERSION].error, a[VERSION].value);
    printf("cache %d %d\n", a[CACHE].error, a[CACHE].value);
    const int asked[8] = {1, 8, 10, 16, 39, 75, 81, 13};
    for (int i = 0; i < 8; i++) {
        MUST(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)asked[i], 0));
        printf("attribute %d: %d %s\n", asked[i], a[ATTRIBUTES + i].error,
               a[ATTRIBUTES + i].value == n ? "of the host" : std::to_string(a[ATTRIBUTES + i].value).c_str());
    }
    for (int i = 0; i < 10; i++) {
        size_t limit = 77;
        cudaError_t e = cudaDeviceGetLimit(&limit, (cudaLimit)i);
        cudaGetLastError();
        printf("limit %d: %d %s (host %d)\n", i, a[LIMITS + i].error,
               a[LIMITS + i].wide == (long long)limit ? "of the host" : std::to_string(a[LIMITS + i].wide).c_str(), e);
    }
    printf("function %d %d %lld\n", a[FUNCTION].error, a[FUNCTION].value, a[FUNCTION].wide);
    printf("bounded %d %d %lld\n", a[BOUNDED].error, a[BOUNDED].value, a[BOUNDED].wide);
    for (int i = 0; i < 6; i++) printf("occupancy %d: %d %d\n", i, a[OCCUPANCY + i].error, a[OCCUPANCY + i].value);
    for (int i = 0; i < 7; i++)
        printf("wrong %d: %d %d, then %lld\n", i, a[WRONG + i].error, a[WRONG + i].value, a[WRONG + i].wide);
    Device<char> name(4096), text(4096);
    int alike = 0;
    for (int code : {0, 1, 2, 3, 9, 13, 35, 65, 69, 98, 100, 101, 209, 600, 700, 701, 702, 719, 720, 801, 900, 999, 4711, -1}) {
        spell<<<1, 1>>>(code, name.p, text.p);
        LAUNCHED();
        MUST(cudaDeviceSynchronize());
        const std::string names = name.get().data(), texts = text.get().data();
        if (names == cudaGetErrorName((cudaError_t)code) && texts == cudaGetErrorString((cudaError_t)code))
            alike++;
        else
            printf("error %d: %s, %s\n", code, names.c_str(), texts.c_str());
    }
    printf("errors: %d as on the host\n", alike);
    Device<char> to(1024), from(1024);
    std::vector<char> bytes(1024);
    for (int i = 0; i < 1024; i++) bytes[i] = i * 7 + i / 13;
    from.set(bytes);
    to.zero();
    move<<<1, 1>>>(to.p, from.p);
    LAUNCHED();
    MUST(cudaDeviceSynchronize());
    auto moved = to.get();
    printf("rows %016llx\n", (unsigned long long)hash(moved.data(), 100));
    printf("box %016llx\n", (unsigned long long)hash(moved.data() + 256, 512));
    return 0;
}
