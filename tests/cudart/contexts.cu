// The runtime beside the driver API: contexts of the program's own, contexts taken away, many threads at once.
#include "say.h"
#include <cuda.h>
#include <pthread.h>

typedef CUresult (*Create)(CUcontext *, unsigned, CUdevice);
typedef CUresult (*Current)(CUcontext *);
typedef CUresult (*Set)(CUcontext);

static void *worker(void *data)
{
    size_t seed = (size_t)data;
    unsigned char *in = pattern(5000, (unsigned)seed), out[5000];
    long bad = 0;
    for (int i = 0; i < 50; i++) {
        void *p;
        cudaStream_t s;
        MUST(cudaStreamCreate(&s));
        MUST(cudaMalloc(&p, 5000));
        MUST(cudaMemcpyAsync(p, in, 5000, cudaMemcpyHostToDevice, s));
        MUST(cudaMemcpyAsync(out, p, 5000, cudaMemcpyDeviceToHost, s));
        MUST(cudaStreamSynchronize(s));
        bad += memcmp(in, out, 5000) != 0;
        bad += cudaMemcpy(p, in, 1, (cudaMemcpyKind)50) != cudaErrorInvalidMemcpyDirection;
        bad += cudaGetLastError() != cudaErrorInvalidMemcpyDirection;
        bad += cudaGetLastError() != cudaSuccess;
        MUST(cudaFree(p));
        MUST(cudaStreamDestroy(s));
    }
    free(in);
    return (void *)bad;
}

int main(void)
{
    Create create = (Create)entry("cuCtxCreate", 3020);
    Current current = (Current)entry("cuCtxGetCurrent", 12000);
    Set set = (Set)entry("cuCtxSetCurrent", 12000);
    Set destroy = (Set)entry("cuCtxDestroy", 12000);
    CUcontext own, seen, primary;
    current(&seen);
    printf("%s\n", seen ? "a context already" : "no context yet");
    printf("create: %d\n", (int)create(&own, 0, 0));
    void *p, *q;
    SAY(cudaMalloc(&p, 1000));
    current(&seen);
    printf("%s\n", seen == own ? "the program's own" : "another");
    SAY(cudaSetDevice(0));
    current(&primary);
    printf("%s\n", primary && primary != own ? "the primary one" : "NOT the primary one");
    SAY(cudaMalloc(&q, 1000));
    SAY(cudaMemcpy(q, p, 1000, cudaMemcpyDefault));
    set(NULL);
    SAY(cudaMemset(q, 1, 1000));
    SAY(cudaMalloc(&p, 1000));
    current(&seen);
    printf("%s\n", seen == primary ? "back" : "NOT BACK");
    set(own);
    SAY(cudaMemset(q, 1, 1000));
    current(&seen);
    printf("%s\n", seen == own ? "the program's own" : "another");
    set(primary);
    printf("destroy: %d\n", (int)destroy(own));
    SAY(cudaDeviceSynchronize());
    SAY(cudaDeviceReset());
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++) pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
    long bad = 0;
    for (size_t i = 0; i < 8; i++) {
        void *result;
        pthread_join(threads[i], &result);
        bad += (long)result;
    }
    printf("%ld bad\n", bad);
    return 0;
}
