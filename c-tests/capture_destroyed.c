// A stream that one thread destroys while another begins to capture it: whoever is first, no capture is left behind that
// nobody can end, and that forbids every thread what a capture forbids.
#include "check.h"
#include <pthread.h>

static CUstream stream;
static CUcontext context;
static pthread_barrier_t start;

static void *destroyer(void *unused) {
    (void)unused;
    for (int i = 0; i < 3000; i++) {
        pthread_barrier_wait(&start);
        OK(cuStreamDestroy(stream));
        pthread_barrier_wait(&start);
    }
    return NULL;
}

int main(void) {
    pthread_t other;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    pthread_barrier_init(&start, NULL, 2);
    pthread_create(&other, NULL, destroyer, NULL);
    int forbidden = 0;
    for (int i = 0; i < 3000; i++) {
        CUdeviceptr memory;
        OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        pthread_barrier_wait(&start);
        cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
        pthread_barrier_wait(&start);
        if (cuMemAlloc(&memory, 4) != CUDA_SUCCESS)
            forbidden++;
        else
            OK(cuMemFree(memory));
    }
    pthread_join(other, NULL);
    printf("forbidden by captures of streams that are gone: %d\n", forbidden);
    OK(cuCtxDestroy(context));
    return 0;
}
