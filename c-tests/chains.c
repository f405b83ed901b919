/* Long chains of streams: each waits for an event of the one before it, and the first waits for a word in memory. Many
 * streams that wait for words at once. Many events and much queued work on one stream. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                          \
    do {                                                                  \
        CUresult r_ = (call);                                             \
        if (r_) {                                                         \
            printf("%s: error %d\n", #call, r_);                          \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

/* Words that streams wait for, written by the host: on a device a stream that should write them may stand in the same
 * hardware queue behind the ones that wait. */
static volatile unsigned *gates;
static CUdeviceptr gates_address;

static void chain(int n, CUdeviceptr words, int from_the_end)
{
    CUstream *s = malloc((size_t)n * sizeof *s);
    gates[0] = 0;
    OK(cuMemsetD32(words, 0, (size_t)n + 1));
    OK(cuCtxSynchronize());
    for (int i = 0; i < n; i++) OK(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
    OK(cuStreamWaitValue32(s[0], gates_address, 1, CU_STREAM_WAIT_VALUE_GEQ));
    for (int i = 0; i < n; i++) {
        if (i > 0) {
            CUevent e;
            OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
            OK(cuEventRecord(e, s[i - 1]));
            OK(cuStreamWaitEvent(s[i], e, 0));
            OK(cuEventDestroy(e));
            /* One more than the word before. */
            OK(cuMemcpyDtoDAsync(words + 4 * (CUdeviceptr)(i + 1), words + 4 * (CUdeviceptr)i, 4, s[i]));
        } else {
            OK(cuMemsetD32Async(words + 4, 7, 1, s[i]));
        }
    }
    CUresult early = cuStreamQuery(s[n - 1]);
    gates[0] = 1;
    if (from_the_end) OK(cuStreamSynchronize(s[n - 1]));
    else OK(cuCtxSynchronize());
    unsigned last = 0;
    OK(cuMemcpyDtoH(&last, words + 4 * (CUdeviceptr)n, 4));
    printf("a chain of %d: %s before, the last word is %u\n", n, early == CUDA_ERROR_NOT_READY ? "not ready" : "ready", last);
    for (int i = 0; i < n; i++) OK(cuStreamDestroy(s[i]));
    free(s);
}

static void at_once(int n, CUdeviceptr words)
{
    CUstream *s = malloc((size_t)n * sizeof *s);
    OK(cuMemsetD32(words, 0, 2 * (size_t)n));
    for (int i = 0; i < n; i++) {
        gates[i] = 0;
        OK(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
    }
    OK(cuCtxSynchronize());
    for (int i = 0; i < n; i++) {
        OK(cuStreamWaitValue32(s[i], gates_address + 4 * (CUdeviceptr)i, 5, CU_STREAM_WAIT_VALUE_EQ));
        OK(cuMemsetD32Async(words + 4 * (CUdeviceptr)(n + i), (unsigned)i, 1, s[i]));
    }
    for (int i = n - 1; i >= 0; i--) gates[i] = 5;
    OK(cuCtxSynchronize());
    unsigned *back = malloc((size_t)n * 4);
    OK(cuMemcpyDtoH(back, words + 4 * (CUdeviceptr)n, (size_t)n * 4));
    int right = 0;
    for (int i = 0; i < n; i++) right += back[i] == (unsigned)i;
    printf("%d streams wait for words: %d went on\n", n, right);
    for (int i = 0; i < n; i++) OK(cuStreamDestroy(s[i]));
    free(back);
    free(s);
}

/* Two streams that hand over to each other again and again. */
static void back_and_forth(int n, CUdeviceptr words)
{
    CUstream a, b;
    CUevent e;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuMemsetD32(words, 0, (size_t)n + 1));
    OK(cuCtxSynchronize());
    gates[0] = 0;
    OK(cuStreamWaitValue32(a, gates_address, 1, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuMemsetD32Async(words + 4, 9, 1, a));
    for (int i = 1; i < n; i++) {
        CUstream from = i % 2 ? a : b, to = i % 2 ? b : a;
        OK(cuEventRecord(e, from));
        OK(cuStreamWaitEvent(to, e, 0));
        OK(cuMemcpyDtoDAsync(words + 4 * (CUdeviceptr)(i + 1), words + 4 * (CUdeviceptr)i, 4, to));
    }
    gates[0] = 1;
    OK(cuStreamSynchronize(n % 2 ? a : b));
    unsigned last = 0;
    OK(cuMemcpyDtoH(&last, words + 4 * (CUdeviceptr)n, 4));
    printf("%d hand-overs between two streams: the last word is %u\n", n, last);
    OK(cuEventDestroy(e));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    CUcontext c;
    CUdeviceptr words;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    OK(cuMemAlloc(&words, 4 << 20));
    OK(cuMemHostAlloc((void **)&gates, (size_t)n * sizeof *gates, 0));
    OK(cuMemHostGetDevicePointer(&gates_address, (void *)gates, 0));
    chain(n, words, 1);
    chain(n, words, 0);
    at_once(n / 4, words);
    back_and_forth(n * 5, words);
    OK(cuMemFree(words));
    OK(cuMemFreeHost((void *)gates));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
