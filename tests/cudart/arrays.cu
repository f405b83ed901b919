// Arrays: the deprecated copies through rows, rectangles, boxes; formats; what is refused.
#include "say.h"

enum { W = 40, H = 12, ROW = W * 2 };

static void through_rows(cudaArray_t array, size_t height, cudaStream_t stream)
{
    size_t all = ROW * (height ? height : 1);
    unsigned char *in = pattern(all, 5), *out = (unsigned char *)calloc(all, 1);
    // (column, row, bytes): whole rows, a piece of one, and what begins and ends in the middle of rows.
    size_t tries[][3] = {{0, 0, all}, {0, 0, ROW}, {8, 0, 20}, {20, 0, all - 20}, {0, 0, all - 6}, {16, 0, ROW}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        size_t x = tries[i][0], y = tries[i][1], n = tries[i][2];
        if (x + n > all) continue;
        memset(out, 0, all);
        printf("%zu bytes at column %zu: ", n, x);
        cudaError_t to = cudaMemcpyToArrayAsync(array, x, y, in, n, cudaMemcpyHostToDevice, stream);
        cudaError_t from = cudaMemcpyFromArrayAsync(out, array, x, y, n, cudaMemcpyDeviceToHost, stream);
        cudaError_t done = cudaStreamSynchronize(stream);
        printf("%s %s %s %s\n", cudaGetErrorName(to), cudaGetErrorName(from), cudaGetErrorName(done),
               memcmp(in, out, n) ? "DIFFERENT" : "same");
        memset(out, 0, all);
        MUST(cudaMemcpyToArray(array, x, y, in, n, cudaMemcpyDefault));
        MUST(cudaMemcpyFromArray(out, array, x, y, n, cudaMemcpyDefault));
        SAME(in, out, n);
    }
    free(in), free(out);
}

static void describe(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(x, y, z, w, f), back;
    cudaArray_t array;
    cudaError_t e = cudaMallocArray(&array, &desc, 16, 4, 0);
    printf("%d %d %d %d kind %d: %s", x, y, z, w, (int)f, cudaGetErrorName(e));
    if (e == cudaSuccess) {
        MUST(cudaGetChannelDesc(&back, array));
        printf(" -> %d %d %d %d kind %d", back.x, back.y, back.z, back.w, (int)back.f);
        MUST(cudaFreeArray(array));
    }
    puts("");
}

int main(void)
{
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t flat, line, other;
    MUST(cudaMallocArray(&flat, &desc, W, H, 0));
    MUST(cudaMallocArray(&line, &desc, W, 0, 0));
    MUST(cudaMallocArray(&other, &desc, W / 2, H * 2, 0));
    puts("two dimensions");
    through_rows(flat, H, stream);
    puts("one dimension");
    through_rows(line, 0, stream);

    puts("rectangles");
    unsigned char *in = pattern(ROW * H, 11), *out = (unsigned char *)calloc(ROW * H, 1);
    SAY(cudaMemcpy2DToArray(flat, 0, 0, in, ROW, ROW, H, cudaMemcpyHostToDevice));
    MUST(cudaDeviceSynchronize());
    SAY(cudaMemcpy2DFromArrayAsync(out, ROW, flat, 10, 2, 30, 4, cudaMemcpyDeviceToHost, stream));
    MUST(cudaStreamSynchronize(stream));
    int bad = 0;
    for (int y = 0; y < 4; y++) bad += memcmp(out + y * ROW, in + (y + 2) * ROW + 10, 30) != 0;
    printf("%d bad rows\n", bad);
    SAY(cudaMemcpyArrayToArray(other, 0, 0, flat, 0, 0, ROW * H, cudaMemcpyDeviceToDevice));
    memset(out, 0, ROW * H);
    SAY(cudaMemcpyFromArray(out, other, 0, 0, ROW * H, cudaMemcpyDeviceToHost));
    SAME(in, out, ROW * H);
    SAY(cudaMemcpy2DArrayToArray(other, 0, 0, flat, 20, 3, 20, 5, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy2DFromArray(out, 20, other, 0, 0, 20, 5, cudaMemcpyDeviceToHost));
    bad = 0;
    for (int y = 0; y < 5; y++) bad += memcmp(out + y * 20, in + (y + 3) * ROW + 20, 20) != 0;
    printf("%d bad rows\n", bad);

    puts("refused");
    SAY(cudaMemcpyToArray(flat, 0, 0, in, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyFromArray(out, flat, 0, 0, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyFromArray(out, flat, 0, 0, 8, cudaMemcpyHostToHost));
    SAY(cudaMemcpyFromArray(out, flat, 0, 0, 0, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyFromArray(out, NULL, 0, 0, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyFromArray(out, flat, 0, H, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyFromArrayAsync(out, flat, ROW + 4, 0, 8, cudaMemcpyDeviceToHost, stream));
    cudaArray_t never;
    SAY(cudaMallocArray(&never, &desc, 0, 4, 0));
    SAY(cudaMallocArray(NULL, &desc, 4, 4, 0));
    SAY(cudaFreeArray(NULL));

    puts("boxes");
    cudaArray_t solid;
    struct cudaExtent extent = {8, 6, 4}, got;
    struct cudaChannelFormatDesc four = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat), back;
    unsigned flags;
    MUST(cudaMalloc3DArray(&solid, &four, extent, 0));
    MUST(cudaArrayGetInfo(&back, &got, &flags, solid));
    printf("%d %d %d %d %d, %zu %zu %zu, %u\n", back.x, back.y, back.z, back.w, (int)back.f, got.width, got.height, got.depth,
           flags);
    unsigned char *big = pattern(8 * 16 * 6 * 4, 17), *round = (unsigned char *)calloc(8 * 16 * 6 * 4, 1);
    struct cudaMemcpy3DParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr.ptr = big, parms.srcPtr.pitch = 128, parms.srcPtr.xsize = 8, parms.srcPtr.ysize = 6;
    parms.dstArray = solid, parms.extent = extent, parms.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&parms));
    MUST(cudaDeviceSynchronize());
    memset(&parms, 0, sizeof parms);
    parms.srcArray = solid, parms.srcPos.x = 2, parms.srcPos.y = 1, parms.srcPos.z = 1;
    parms.dstPtr.ptr = round, parms.dstPtr.pitch = 64, parms.dstPtr.xsize = 4, parms.dstPtr.ysize = 3;
    struct cudaExtent part = {4, 3, 2};
    parms.extent = part, parms.kind = cudaMemcpyDeviceToHost;
    SAY(cudaMemcpy3DAsync(&parms, stream));
    MUST(cudaStreamSynchronize(stream));
    bad = 0;
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            bad += memcmp(round + (z * 3 + y) * 64, big + ((z + 1) * 6 + y + 1) * 128 + 32, 64) != 0;
    printf("%d bad rows\n", bad);
    parms.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&parms));

    puts("formats");
    describe(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    describe(8, 8, 8, 8, cudaChannelFormatKindSigned);
    describe(16, 16, 0, 0, cudaChannelFormatKindFloat);
    describe(32, 0, 0, 0, cudaChannelFormatKindFloat);
    describe(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    describe(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
    describe(8, 0, 0, 0, cudaChannelFormatKindFloat);
    describe(0, 0, 0, 0, cudaChannelFormatKindUnsigned);
    describe(12, 0, 0, 0, cudaChannelFormatKindUnsigned);
    MUST(cudaFreeArray(flat));
    MUST(cudaFreeArray(line));
    MUST(cudaFreeArray(other));
    MUST(cudaFreeArray(solid));
    MUST(cudaStreamDestroy(stream));
    return 0;
}
