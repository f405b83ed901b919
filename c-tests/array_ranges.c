/* Copies of ranges of bytes between one-dimensional arrays, device memory and host memory: every function, at once and in
   a stream, checked byte for byte; and what leaves the array or the memory is refused. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, BYTES = 4 * WIDTH };

#define MUST(call) do { CUresult r_ = (call); if (r_) { printf("failed: %s: %d\n", #call, r_); exit(1); } } while (0)

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static CUarray array, other;
static CUdeviceptr device, device2;
static CUstream stream;
static unsigned char pattern[BYTES], out[BYTES], want[BYTES];

static void fresh(void)
{
    memset(want, 0xee, BYTES);
    MUST(cuMemcpyHtoA(array, 0, want, BYTES));
    MUST(cuMemcpyHtoA(other, 0, want, BYTES));
    MUST(cuMemcpyHtoD(device, pattern, BYTES));
    MUST(cuMemsetD8(device2, 0xee, BYTES));
    MUST(cuCtxSynchronize());
}

static void compare(const char *what, const void *found, const void *expected, size_t bytes)
{
    printf("%s: %s\n", what, memcmp(found, expected, bytes) ? "wrong" : "right");
}

int main(void)
{
    CUcontext context;
    CUDA_ARRAY_DESCRIPTOR desc = { .Width = WIDTH, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1 };
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    MUST(cuArrayCreate(&array, &desc));
    MUST(cuArrayCreate(&other, &desc));
    MUST(cuMemAlloc(&device, BYTES));
    MUST(cuMemAlloc(&device2, BYTES));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    unsigned char *pinned;
    MUST(cuMemAllocHost((void **)&pinned, BYTES));
    for (int i = 0; i < BYTES; i++) pattern[i] = (unsigned char)(i * 7 + i / 256);
    static const struct { size_t to, from, bytes; } spans[] = { { 0, 0, BYTES }, { 4, 12, 400 }, { 400, 0, 3600 }, { 3996, 8, 4 }, { 8, 100, 0 } };
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        size_t to = spans[i].to, from = spans[i].from, bytes = spans[i].bytes;
        printf("%zu bytes from %zu to %zu\n", bytes, from, to);
        fresh();
        MUST(cuMemcpyHtoA(array, to, pattern + from, bytes));
        MUST(cuMemcpyAtoH(out, array, 0, BYTES));
        memcpy(want + to, pattern + from, bytes);
        compare("  HtoA", out, want, BYTES);
        fresh();
        MUST(cuMemcpyDtoA(array, to, device + from, bytes));
        MUST(cuMemcpyAtoH(out, array, 0, BYTES));
        memcpy(want + to, pattern + from, bytes);
        compare("  DtoA", out, want, BYTES);
        fresh();
        memcpy(pinned, pattern, BYTES);
        MUST(cuMemcpyHtoAAsync(array, to, pinned + from, bytes, stream));
        MUST(cuStreamSynchronize(stream));
        memset(pinned, 0, BYTES);
        MUST(cuMemcpyAtoHAsync(pinned, array, 0, BYTES, stream));
        MUST(cuStreamSynchronize(stream));
        memcpy(want + to, pattern + from, bytes);
        compare("  HtoAAsync, AtoHAsync, page-locked", pinned, want, BYTES);
        fresh();
        MUST(cuMemcpyHtoAAsync(array, to, pattern + from, bytes, stream));
        MUST(cuMemcpyAtoHAsync(out, array, 0, BYTES, stream));
        MUST(cuStreamSynchronize(stream));
        memcpy(want + to, pattern + from, bytes);
        compare("  HtoAAsync, AtoHAsync, pageable", out, want, BYTES);
        fresh();
        MUST(cuMemcpyHtoA(array, 0, pattern, BYTES));
        MUST(cuMemcpyAtoD(device2 + to, array, from, bytes));
        MUST(cuMemcpyDtoH(out, device2, BYTES));
        memcpy(want + to, pattern + from, bytes);
        compare("  AtoD", out, want, BYTES);
        fresh();
        MUST(cuMemcpyHtoA(array, 0, pattern, BYTES));
        MUST(cuMemcpyAtoA(other, to, array, from, bytes));
        MUST(cuMemcpyAtoH(out, other, 0, BYTES));
        memcpy(want + to, pattern + from, bytes);
        compare("  AtoA", out, want, BYTES);
        MUST(cuMemcpyAtoH(out, array, from, bytes));
        compare("  AtoH", out, pattern + from, bytes);
    }
    fresh();
    printf("past the array: %s, %s, %s, %s, %s, %s, %s\n", name(cuMemcpyHtoA(array, 4, pattern, BYTES)), name(cuMemcpyDtoA(array, 4, device, BYTES)),
           name(cuMemcpyHtoAAsync(array, BYTES, pattern, 1, stream)), name(cuMemcpyAtoH(out, array, 1, BYTES)),
           name(cuMemcpyAtoHAsync(out, array, SIZE_MAX, 8, stream)), name(cuMemcpyAtoD(device2, array, 8, BYTES)),
           name(cuMemcpyAtoA(other, 0, array, 4, BYTES)));
    printf("past the memory: %s, %s\n", name(cuMemcpyDtoA(array, 0, device + 4, BYTES)), name(cuMemcpyAtoD(device2 + 4, array, 0, BYTES)));
    printf("no array: %s, %s, %s\n", name(cuMemcpyHtoA(NULL, 0, pattern, 4)), name(cuMemcpyDtoA(NULL, 0, device, 4)),
           name(cuMemcpyAtoHAsync(out, NULL, 0, 4, stream)));
    MUST(cuMemcpyAtoH(out, array, 0, BYTES));
    MUST(cuStreamSynchronize(stream));
    compare("nothing was written", out, want, BYTES);
    MUST(cuMemFreeHost(pinned));
    MUST(cuStreamDestroy(stream));
    MUST(cuMemFree(device));
    MUST(cuMemFree(device2));
    MUST(cuArrayDestroy(array));
    MUST(cuArrayDestroy(other));
    MUST(cuDevicePrimaryCtxRelease(0));
    return 0;
}
