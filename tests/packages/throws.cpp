// A program in C++ that throws beside the driver: around its calls, and in a function that the driver calls on a thread of its own.
#include <cuda.h>
#include <cstdio>
#include <stdexcept>
#include <string>

static void check(CUresult result, const char *what) {
    if (result != CUDA_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(result));
}

static void called(void *at) {
    try {
        throw 500000;
    } catch (int n) {
        *static_cast<int *>(at) += n;
    }
}

int main() {
    int sum = 0;
    try {
        CUcontext context;
        CUstream stream;
        check(cuInit(0), "cuInit");
        check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
        check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
        check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
        check(cuLaunchHostFunc(stream, called, &sum), "cuLaunchHostFunc");
        check(cuStreamSynchronize(stream), "cuStreamSynchronize");
        CUdeviceptr leaked;
        check(cuMemAlloc(&leaked, 400), "cuMemAlloc");
        check(cuMemAlloc(&leaked, 0), "cuMemAlloc");
    } catch (const std::runtime_error &error) {
        if (error.what() == std::string("cuMemAlloc: 1")) sum += 500;
    }
    std::printf("%d\n", sum);
    return sum == 500500 ? 0 : 1;
}
