/* Threads that end by pthread_exit and by pthread_cancel, after calls and while their destructors make calls: glibc unwinds their stacks by
 * the unwinder that the library opens for its own. */
#include "check.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static CUcontext context;
static pthread_key_t key;
static sem_t ready;
static atomic_int go;
static int cleaned, freed;

static void clean(void *count) { ++*(int *)count; }

static void free_it(void *memory)
{
    OK(cuMemFree((CUdeviceptr)memory));
    freed++;
}

static void start(void)
{
    CUdeviceptr memory;
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&memory, 1 << 20));
    OK(cuMemsetD8(memory, 7, 1 << 20));
    OK(cuCtxSynchronize());
    pthread_setspecific(key, (void *)memory);
}

static void *exits(void *unused)
{
    (void)unused;
    start();
    pthread_cleanup_push(clean, &cleaned);
    pthread_exit((void *)5);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *is_cancelled(void *unused)
{
    (void)unused;
    start();
    pthread_cleanup_push(clean, &cleaned);
    sem_post(&ready);
    for (;;) pause();
    pthread_cleanup_pop(0);
    return NULL;
}

static void wait_for_go(void *unused)
{
    (void)unused;
    sem_post(&ready);
    /* No point of cancellation either, on whatever thread this runs. */
    while (!go) sched_yield();
}

/* The call is no point of cancellation: it returns, with the work done. */
static void *is_cancelled_in_a_call(void *out)
{
    CUstream stream;
    start();
    OK(cuStreamCreate(&stream, 0));
    OK(cuLaunchHostFunc(stream, wait_for_go, NULL));
    pthread_cleanup_push(clean, &cleaned);
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy(stream));
    *(int *)out = 1;
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;
    int returned = 0;
    context = begin();
    pthread_key_create(&key, free_it);
    sem_init(&ready, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, exits, NULL);
        pthread_join(thread, &result);
        printf("exit: %s\n", result == (void *)5 ? "5" : "another result");
        pthread_create(&thread, NULL, is_cancelled, NULL);
        sem_wait(&ready);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        printf("cancelled: %d\n", result == PTHREAD_CANCELED);
    }
    pthread_create(&thread, NULL, is_cancelled_in_a_call, &returned);
    sem_wait(&ready);
    pthread_cancel(thread);
    go = 1;
    pthread_join(thread, &result);
    printf("cancelled in a call: %d, which returned: %d\n", result == PTHREAD_CANCELED, returned);
    printf("handlers: %d, destructors: %d\n", cleaned, freed);
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
