/* Stream memory operations: waits for words, writes of words, batches. */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))
/* Set-up that has to work. */
#define OK(call) ok(call, #call)
static void ok(CUresult r, const char *what)
{
    if (r) {
        printf("FAILED %s: %s\n", what, name(r));
        exit(1);
    }
}

static CUcontext ctx;
static void begin(void)
{
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    OK(cuCtxSetCurrent(ctx));
}
int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    begin();
    CUstream a, b, many[24];
    CUdeviceptr d, m;
    volatile unsigned *h;
    unsigned v[4] = { 0 };
    CUstreamBatchMemOpParams p[3];
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&d, 4096));
    OK(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemHostAlloc((void **)&h, 4096, 0));
    OK(cuMemsetD8(d, 0, 4096));
    OK(cuCtxSynchronize());

    printf("-- a stream releases another\n");
    SHOW(cuStreamWaitValue32(a, d, 5, CU_STREAM_WAIT_VALUE_GEQ));
    SHOW(cuStreamWriteValue32(a, d + 8, 1, 0));
    SHOW(cuStreamQuery(a));
    SHOW(cuStreamWriteValue32(b, d, 4, 0));
    OK(cuStreamSynchronize(b));
    SHOW(cuStreamQuery(a));
    SHOW(cuStreamWriteValue32(b, d, 5, 0));
    SHOW(cuStreamSynchronize(a));
    OK(cuMemcpyDtoH(v, d, 16));
    printf("%u %u %u %u\n", v[0], v[1], v[2], v[3]);

    printf("-- the program releases one\n");
    h[0] = 0;
    SHOW(cuStreamWaitValue32(a, (CUdeviceptr)h, 0xff00, CU_STREAM_WAIT_VALUE_AND));
    SHOW(cuStreamQuery(a));
    h[0] = 0x100;
    SHOW(cuStreamSynchronize(a));

    printf("-- conditions\n");
    static const struct { unsigned memory, value, flag; } c[] = { { 6, 5, 0 }, { 0, 0xfffffff0u, 0 }, { 5, 5, 1 }, { 6, 2, 2 }, { 0xfffffff0u, 1, 3 } };
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
        h[0] = c[i].memory;
        h[1] = 0;
        OK(cuStreamWaitValue32(a, (CUdeviceptr)h, c[i].value, c[i].flag));
        printf("%x %x %u: %s\n", c[i].memory, c[i].value, c[i].flag, name(cuStreamSynchronize(a)));
    }

    printf("-- a chain of waits\n");
    h[0] = 0;
    for (int i = 0; i < 24; i++) OK(cuStreamCreate(&many[i], CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 24; i++) {
        OK(cuStreamWaitValue32(many[i], (CUdeviceptr)h, (unsigned)i + 1, CU_STREAM_WAIT_VALUE_GEQ));
        OK(cuStreamWriteValue32(many[i], (CUdeviceptr)h, (unsigned)i + 2, 0));
    }
    h[0] = 1;
    SHOW(cuCtxSynchronize());
    printf("%u\n", h[0]);
    for (int i = 0; i < 24; i++) OK(cuStreamDestroy(many[i]));

    printf("-- batch\n");
    memset(p, 0, sizeof p);
    p[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    p[0].writeValue.address = d;
    p[0].writeValue.value = 7;
    p[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    p[1].writeValue.address = d + 8;
    p[1].writeValue.value64 = 0x100000009ull;
    p[2].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    p[2].waitValue.address = d;
    p[2].waitValue.value = 7;
    SHOW(cuStreamBatchMemOp(a, 3, p, 0));
    SHOW(cuStreamSynchronize(a));
    OK(cuMemcpyDtoH(v, d, 16));
    printf("%u %u %u %u\n", v[0], v[1], v[2], v[3]);

    printf("-- refused\n");
    SHOW(cuStreamWriteValue32(a, d + 2, 1, 0));
    SHOW(cuStreamWriteValue64(a, d + 4, 1, 0));
    SHOW(cuStreamWriteValue32(a, d + 4096, 1, 0));
    SHOW(cuStreamWriteValue32(a, m, 1, 0));
    SHOW(cuStreamWriteValue32(a, d, 1, 0x100));
    SHOW(cuStreamWaitValue32(a, d, 1, 4));
    SHOW(cuStreamBatchMemOp(a, 1, p, 1));
    SHOW(cuStreamBatchMemOp(a, 256, p, 0));
    /* Words may end behind an allocation, if they begin in it. */
    static const size_t sizes[] = { 1, 4, 5, 538, 990, 992, 997, 1000 };
    for (int k = 0; k < 8; k++) {
        CUdeviceptr block;
        void *host;
        OK(cuMemAlloc(&block, sizes[k]));
        OK(cuMemAllocHost(&host, sizes[k]));
        printf("%zu bytes:", sizes[k]);
        for (size_t from = sizes[k] / 8 * 8, o = from ? from - 8 : 0; o < from + 16; o += 4)
            printf(" %zu %d %d %d", o, (int)cuStreamWriteValue32(a, block + o, 1, 0), (int)cuStreamWriteValue64(a, block + o, 1, 0),
                   (int)cuStreamWriteValue32(a, (CUdeviceptr)(uintptr_t)host + o, 1, 0));
        printf("\n");
        OK(cuStreamSynchronize(a));
        OK(cuMemFree(block));
        OK(cuMemFreeHost(host));
    }
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuMemFree(d));
    OK(cuMemFree(m));
    OK(cuMemFreeHost((void *)h));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
