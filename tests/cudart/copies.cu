// Linear copies and fills: every kind, synchronous and asynchronous, in every sort of stream; rectangles and boxes.
#include "say.h"

enum { N = 100000 };

static void kinds(cudaStream_t stream, const char *name)
{
    unsigned char *in = pattern(N, 1), *out = (unsigned char *)calloc(N, 1);
    void *a, *b;
    MUST(cudaMalloc(&a, N));
    MUST(cudaMalloc(&b, N));
    printf("stream %s\n", name);
    SAY(cudaMemcpyAsync(a, in, N, cudaMemcpyHostToDevice, stream));
    SAY(cudaMemcpyAsync(b, a, N, cudaMemcpyDeviceToDevice, stream));
    SAY(cudaMemcpyAsync(out, b, N, cudaMemcpyDeviceToHost, stream));
    SAY(cudaStreamSynchronize(stream));
    SAME(in, out, N);
    MUST(cudaMemsetAsync(a, 0x5a, N, stream));
    MUST(cudaMemcpyAsync(out, a, N, cudaMemcpyDefault, stream));
    MUST(cudaStreamSynchronize(stream));
    memset(in, 0x5a, N);
    SAME(in, out, N);
    unsigned char *more = pattern(N, 7);
    MUST(cudaMemcpyAsync(a, more, N, cudaMemcpyDefault, stream));
    MUST(cudaMemcpyAsync(b, a, N, cudaMemcpyDefault, stream));
    MUST(cudaMemcpyAsync(out, b, N, cudaMemcpyDefault, stream));
    MUST(cudaStreamSynchronize(stream));
    SAME(more, out, N);
    memset(out, 0, N);
    SAY(cudaMemcpyAsync(out, more, N, cudaMemcpyHostToHost, stream));
    MUST(cudaStreamSynchronize(stream));
    SAME(more, out, N);
    SAY(cudaMemcpyAsync(out, more, 0, cudaMemcpyHostToHost, stream));
    SAY(cudaMemcpyAsync(a, more, N, (cudaMemcpyKind)17, stream));
    MUST(cudaFree(a));
    MUST(cudaFree(b));
    free(in), free(out), free(more);
}

int main(void)
{
    cudaStream_t blocking, free_running;
    MUST(cudaStreamCreate(&blocking));
    MUST(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking));
    kinds(0, "0");
    kinds(cudaStreamLegacy, "legacy");
    kinds(cudaStreamPerThread, "per thread");
    kinds(blocking, "blocking");
    kinds(free_running, "free running");

    unsigned char *in = pattern(N, 3), *out = (unsigned char *)calloc(N, 1);
    char *a, *b;
    MUST(cudaMalloc((void **)&a, N));
    MUST(cudaMalloc((void **)&b, N));
    SAY(cudaMemcpy(a, in, N, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(b, a, N, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(out, b, N, cudaMemcpyDeviceToHost));
    SAME(in, out, N);
    memset(out, 0, N);
    SAY(cudaMemcpy(out, in, N, cudaMemcpyHostToHost));
    SAME(in, out, N);
    SAY(cudaMemcpy(a, in, 10, (cudaMemcpyKind)-1));
    SAY(cudaMemcpy(NULL, in, 10, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));

    puts("rectangles");
    char *p;
    size_t pitch;
    MUST(cudaMallocPitch((void **)&p, &pitch, 300, 20));
    printf("pitch is %s\n", pitch >= 300 && pitch % 32 == 0 ? "aligned" : "not aligned");
    MUST(cudaMemset2D(p, pitch, 9, 300, 20));
    SAY(cudaMemcpy2D(p, pitch, in, 310, 300, 20, cudaMemcpyHostToDevice));
    // From pageable memory the copy may still be on its way, and the default stream may be the thread's.
    MUST(cudaDeviceSynchronize());
    memset(out, 0, N);
    SAY(cudaMemcpy2DAsync(out, 305, p, pitch, 300, 20, cudaMemcpyDefault, blocking));
    MUST(cudaStreamSynchronize(blocking));
    int bad = 0;
    for (int y = 0; y < 20; y++) bad += memcmp(out + y * 305, in + y * 310, 300) != 0;
    printf("%d bad rows\n", bad);
    SAY(cudaMemcpy2D(p, 299, in, 310, 300, 20, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(p, pitch, in, 310, 0, 20, cudaMemcpyHostToDevice));
    SAY(cudaMemset2DAsync(p, pitch, 0x11, 300, 10, blocking));
    MUST(cudaStreamSynchronize(blocking));
    MUST(cudaMemcpy2D(out, 300, p, pitch, 300, 11, cudaMemcpyDeviceToHost));
    printf("%x %x %s\n", out[0], out[2999], out[3000] == in[3100] ? "as before" : "CHANGED");

    puts("boxes");
    struct cudaExtent extent = {64, 10, 5};
    struct cudaPitchedPtr box;
    MUST(cudaMalloc3D(&box, extent));
    printf("%zu x %zu\n", box.xsize, box.ysize);
    MUST(cudaMemset3D(box, 3, extent));
    struct cudaMemcpy3DParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr.ptr = in, parms.srcPtr.pitch = 64, parms.srcPtr.xsize = 64, parms.srcPtr.ysize = 10;
    parms.dstPtr = box;
    parms.extent = extent;
    parms.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&parms));
    MUST(cudaDeviceSynchronize());
    struct cudaExtent part = {16, 3, 2};
    MUST(cudaMemset3DAsync(box, 0xee, part, blocking));
    memset(out, 0, N);
    memset(&parms, 0, sizeof parms);
    parms.srcPtr = box;
    parms.dstPtr.ptr = out, parms.dstPtr.pitch = 64, parms.dstPtr.xsize = 64, parms.dstPtr.ysize = 10;
    parms.extent = extent;
    parms.kind = cudaMemcpyDeviceToHost;
    SAY(cudaMemcpy3DAsync(&parms, blocking));
    MUST(cudaStreamSynchronize(blocking));
    bad = 0;
    for (int z = 0; z < 5; z++)
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 64; x++) {
                int i = (z * 10 + y) * 64 + x;
                bad += out[i] != (x < 16 && y < 3 && z < 2 ? 0xee : in[i]);
            }
    printf("%d bad bytes\n", bad);
    parms.srcPtr.ptr = NULL;
    SAY(cudaMemcpy3D(&parms));
    SAY(cudaMemcpy3D(NULL));
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(a));
    MUST(cudaFree(b));
    MUST(cudaFree(p));
    MUST(cudaFree(box.ptr));
    MUST(cudaStreamDestroy(blocking));
    MUST(cudaStreamDestroy(free_running));
    printf("last: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    return 0;
}
