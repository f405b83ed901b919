/* Host functions and callbacks: their order, their thread, what they may do. */
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
static int seen[64], n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void note(int what)
{
    pthread_mutex_lock(&lock);
    if (n < 64) seen[n++] = what;
    pthread_mutex_unlock(&lock);
}
static void CUDA_CB mark(void *p) { note((int)(size_t)p); }
static void CUDA_CB inc(void *p) { ++*(int *)p; }

static CUstream got;
static CUresult status;
static int other_thread;
static pthread_t self;
static void CUDA_CB callback(CUstream s, CUresult r, void *p)
{
    got = s;
    status = r;
    other_thread = !pthread_equal(self, pthread_self());
    note((int)(size_t)p);
}

static CUresult inner[4];
static void CUDA_CB nosy(void *p)
{
    CUdeviceptr d;
    CUcontext c;
    size_t a, b;
    (void)p;
    inner[0] = cuMemAlloc(&d, 16);
    inner[1] = cuMemGetInfo(&a, &b);
    inner[2] = cuCtxGetCurrent(&c);
    inner[3] = cuStreamQuery(NULL);
}

/* Only one host function of a context runs at a time, whatever the stream. */
static int inside, most;
static void CUDA_CB alone(void *p)
{
    (void)p;
    int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    if (now > most) most = now;
    usleep(2000);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
    begin();
    CUstream s, t[6];
    CUdeviceptr d;
    int *h, v = 0;
    self = pthread_self();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&d, 4));
    OK(cuMemHostAlloc((void **)&h, 4, 0));

    printf("-- order\n");
    for (int i = 0; i < 20; i++) {
        if (i % 3)
            OK(cuLaunchHostFunc(s, mark, (void *)(size_t)i));
        else
            OK(cuStreamAddCallback(s, callback, (void *)(size_t)i, 0));
    }
    SHOW(cuStreamSynchronize(s));
    for (int i = 0; i < n; i++) printf("%d ", seen[i]);
    printf("\ncallback: stream %d, status %s, other thread %d\n", got == s, name(status), other_thread);

    printf("-- with copies\n");
    *h = 0;
    OK(cuLaunchHostFunc(s, inc, h));
    OK(cuMemcpyHtoDAsync(d, h, 4, s));
    OK(cuLaunchHostFunc(s, inc, h));
    SHOW(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(&v, d, 4));
    printf("device %d, host %d\n", v, *h);

    printf("-- calls inside\n");
    OK(cuLaunchHostFunc(s, nosy, NULL));
    OK(cuStreamSynchronize(s));
    for (int i = 0; i < 4; i++) printf("%s\n", name(inner[i]));

    printf("-- many streams\n");
    for (int i = 0; i < 6; i++) OK(cuStreamCreate(&t[i], CU_STREAM_NON_BLOCKING));
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 6; i++) OK(cuLaunchHostFunc(t[i], alone, NULL));
    SHOW(cuCtxSynchronize());
    printf("at most %d at a time\n", most);

    printf("-- refused\n");
    SHOW(cuLaunchHostFunc(s, NULL, NULL));
    SHOW(cuStreamAddCallback(s, NULL, NULL, 0));
    SHOW(cuStreamAddCallback(s, callback, NULL, 1));
    for (int i = 0; i < 6; i++) OK(cuStreamDestroy(t[i]));
    OK(cuStreamDestroy(s));
    OK(cuMemFree(d));
    OK(cuMemFreeHost(h));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
