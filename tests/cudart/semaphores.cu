// External semaphores: words of memory files. In streams, in the form of before CUDA 11.2, in captures and in graphs.
#include "say.h"
#include <sys/mman.h>
#include <unistd.h>

#if CUDART_VERSION < 13000
// What programs call that were compiled before CUDA 11.2: their structures are shorter.
typedef struct cudaExternalSemaphoreSignalParams_v1 old_signal;
typedef struct cudaExternalSemaphoreWaitParams_v1 old_wait;
#undef cudaSignalExternalSemaphoresAsync
#undef cudaWaitExternalSemaphoresAsync
extern "C" cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *, const old_signal *, unsigned, cudaStream_t);
extern "C" cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *, const old_wait *, unsigned, cudaStream_t);
extern "C" cudaError_t cudaSignalExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *, const struct cudaExternalSemaphoreSignalParams *, unsigned, cudaStream_t);
extern "C" cudaError_t cudaWaitExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *, const struct cudaExternalSemaphoreWaitParams *, unsigned, cudaStream_t);
#define SIGNAL cudaSignalExternalSemaphoresAsync_v2
#define WAIT cudaWaitExternalSemaphoresAsync_v2
#else
typedef struct cudaExternalSemaphoreSignalParams old_signal;
typedef struct cudaExternalSemaphoreWaitParams old_wait;
#define SIGNAL cudaSignalExternalSemaphoresAsync
#define WAIT cudaWaitExternalSemaphoresAsync
#endif

static int files[2];
static cudaExternalSemaphore_t semaphores[2];
static cudaStream_t stream;

static void show(void)
{
    unsigned long long word[2];
    for (int i = 0; i < 2; i++)
        if (pread(files[i], &word[i], 8, 0) != 8) exit(1);
    printf("the words are %llu and %llu\n", word[0], word[1]);
}

static void set(int i, unsigned long long value)
{
    if (pwrite(files[i], &value, 8, 0) != 8) exit(1);
}

static void import(void)
{
    const enum cudaExternalSemaphoreHandleType types[] = { cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd, cudaExternalSemaphoreHandleTypeOpaqueFd };
    for (int i = 0; i < 2; i++) {
        struct cudaExternalSemaphoreHandleDesc desc;
        memset(&desc, 0, sizeof desc);
        files[i] = memfd_create("semaphore", 0);
        if (files[i] < 0 || ftruncate(files[i], 8)) exit(1);
        desc.type = types[i];
        desc.handle.fd = dup(files[i]);
        SAY(cudaImportExternalSemaphore(&semaphores[i], &desc));
    }
    struct cudaExternalSemaphoreHandleDesc desc;
    memset(&desc, 0, sizeof desc);
    desc.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    desc.handle.fd = -1;
    cudaExternalSemaphore_t none;
    SAY(cudaImportExternalSemaphore(&none, &desc));
    SAY(cudaGetLastError());
}

static void streams(void)
{
    struct cudaExternalSemaphoreSignalParams signal[2];
    struct cudaExternalSemaphoreWaitParams wait[2];
    old_signal signal_then[2];
    old_wait wait_then[2];
    memset(signal, 0, sizeof signal), memset(wait, 0, sizeof wait);
    memset(signal_then, 0, sizeof signal_then), memset(wait_then, 0, sizeof wait_then);
    puts("-- streams");
    signal[0].params.fence.value = 5;
    MUST(SIGNAL(semaphores, signal, 2, stream));
    MUST(cudaStreamSynchronize(stream));
    show();
    wait[0].params.fence.value = 6;
    MUST(WAIT(semaphores, wait, 2, stream));
    SAY(cudaStreamQuery(stream));
    set(0, 6);
    MUST(cudaStreamSynchronize(stream));
    show();
    signal_then[0].params.fence.value = 8;
    MUST(cudaSignalExternalSemaphoresAsync(semaphores, signal_then, 2, stream));
    wait_then[0].params.fence.value = 9;
    MUST(cudaWaitExternalSemaphoresAsync(semaphores, wait_then, 1, stream));
    SAY(cudaStreamQuery(stream));
    set(0, 9);
    MUST(cudaStreamSynchronize(stream));
    show();
}

static void graphs(void)
{
    struct cudaExternalSemaphoreSignalParams signal[2];
    struct cudaExternalSemaphoreWaitParams wait[2];
    struct cudaExternalSemaphoreSignalNodeParams signals, seen;
    struct cudaExternalSemaphoreWaitNodeParams waits;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second;
    memset(signal, 0, sizeof signal), memset(wait, 0, sizeof wait), memset(&seen, 0, sizeof seen);
    puts("-- graphs");
    signal[0].params.fence.value = 20, wait[0].params.fence.value = 19;
    signals.extSemArray = waits.extSemArray = semaphores;
    signals.paramsArray = signal, waits.paramsArray = wait;
    signals.numExtSems = waits.numExtSems = 2;
    MUST(cudaGraphCreate(&graph, 0));
    SAY(cudaGraphAddExternalSemaphoresSignalNode(&first, graph, NULL, 0, &signals));
    SAY(cudaGraphAddExternalSemaphoresWaitNode(&second, graph, &first, 1, &waits));
    SAY(cudaGraphExternalSemaphoresSignalNodeGetParams(first, &seen));
    printf("%u, %llu\n", seen.numExtSems, seen.paramsArray[0].params.fence.value);
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    show();
    signal[0].params.fence.value = 30;
    SAY(cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, first, &signals));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    show();
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));

    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    signal[0].params.fence.value = 40, wait[0].params.fence.value = 40;
    SAY(SIGNAL(semaphores, signal, 1, stream));
    SAY(WAIT(semaphores, wait, 1, stream));
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    show();
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
}

int main(void)
{
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    import();
    streams();
    graphs();
    for (int i = 0; i < 2; i++) SAY(cudaDestroyExternalSemaphore(semaphores[i]));
    SAY(cudaDestroyExternalSemaphore(semaphores[0]));
    MUST(cudaStreamDestroy(stream));
    return 0;
}
