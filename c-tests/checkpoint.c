/* Checkpoints: of this process, and of another one by the sequence of calls that CRIU's plugin makes. */
#include "check.h"
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static int to[2], from[2];

static int stated(int pid)
{
    CUprocessState s;
    CUresult r = cuCheckpointProcessGetState(pid, &s);
    return r ? -(int)r : (int)s;
}

/* The other process: it fills memory, and reads it again when it is told to. */
static void serve(void)
{
    CUcontext c; CUdeviceptr d; unsigned char *b = malloc(1 << 20); char word = 1;
    OK(cuInit(0)); OK(cuDevicePrimaryCtxRetain(&c, 0)); OK(cuCtxSetCurrent(c));
    OK(cuMemAlloc(&d, 64 << 20)); OK(cuMemsetD8(d, 0x5a, 64 << 20));
    if (write(from[1], &word, 1) != 1) _exit(1);
    while (read(to[0], &word, 1) == 1) {
        size_t wrong = 0;
        CUresult r = cuMemcpyDtoH(b, d + (32 << 20), 1 << 20);
        for (int i = 0; i < 1 << 20; i++) wrong += b[i] != 0x5a;
        word = r || wrong ? 2 : 1;
        if (write(from[1], &word, 1) != 1) _exit(1);
    }
    _exit(0);
}

/* What the other process has answered within some milliseconds: 0 nothing, 1 all is well. */
static int answered(int ms)
{
    struct pollfd p = {from[0], POLLIN, 0};
    char word = 0;
    return poll(&p, 1, ms) == 1 && read(from[0], &word, 1) == 1 ? word : 0;
}

static void another(void)
{
    if (pipe(to) || pipe(from)) exit(1);
    int pid = fork(), tid = 0;
    if (pid == 0) { close(to[1]); serve(); }
    OK(cuInit(0));
    printf("the other one is ready %d\n", answered(20000));
    SHOW(cuCheckpointProcessGetRestoreThreadId(pid, &tid));
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d", pid, tid);
    printf("a thread of its own %d, state %d\n", !access(path, F_OK) && tid != pid, stated(pid));
    CUcontext c; size_t before, meanwhile, after, all;
    OK(cuDevicePrimaryCtxRetain(&c, 0)); OK(cuCtxSetCurrent(c));
    OK(cuMemGetInfo(&before, &all));
    CUcheckpointLockArgs wait = {.timeoutMs = 10000};
    CUcheckpointCheckpointArgs plain = {0};
    CUcheckpointRestoreArgs same = {0};
    CUcheckpointUnlockArgs none = {0};
    SHOW(cuCheckpointProcessCheckpoint(pid, &plain));
    SHOW(cuCheckpointProcessLock(pid, &wait));
    if (write(to[1], "?", 1) != 1) exit(1);
    printf("state %d, it answers %d\n", stated(pid), answered(100));
    SHOW(cuCheckpointProcessCheckpoint(pid, &plain));
    OK(cuMemGetInfo(&meanwhile, &all));
    printf("state %d, its memory is free %d\n", stated(pid), meanwhile >= before + (64 << 20));
    SHOW(cuCheckpointProcessUnlock(pid, &none));
    CUcheckpointGpuPair pair;
    memset(&pair, 0x11, sizeof pair);
    CUcheckpointRestoreArgs other = {.gpuPairs = &pair, .gpuPairsCount = 1};
    SHOW(cuCheckpointProcessRestore(pid, &other));
    SHOW(cuCheckpointProcessRestore(pid, &same));
    OK(cuMemGetInfo(&after, &all));
    printf("state %d, its memory is taken again %d, it answers %d\n", stated(pid), after == before, answered(100));
    SHOW(cuCheckpointProcessUnlock(pid, &none));
    printf("state %d, it answers %d\n", stated(pid), answered(10000));
    SHOW(cuCheckpointProcessUnlock(pid, &none));
    none.reserved[3] = 1;
    SHOW(cuCheckpointProcessUnlock(pid, &none));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    SHOW(cuCheckpointProcessLock(pid, &wait));
}

static void itself(void)
{
    int tid = 0;
    printf("before cuInit: state %d\n", stated(getpid()));
    begin();
    CUdeviceptr d; unsigned v = 0;
    OK(cuMemAlloc(&d, 4096)); OK(cuMemsetD32(d, 7, 1024));
    SHOW(cuCheckpointProcessGetRestoreThreadId(getpid(), &tid));
    SHOW(cuCheckpointProcessLock(getpid(), NULL));
    SHOW(cuCheckpointProcessLock(getpid(), NULL));
    SHOW(cuCheckpointProcessCheckpoint(getpid(), NULL));
    printf("state %d\n", stated(getpid()));
    SHOW(cuCheckpointProcessRestore(getpid(), NULL));
    SHOW(cuCheckpointProcessUnlock(getpid(), NULL));
    SHOW(cuMemcpyDtoH(&v, d, 4));
    printf("state %d, %u\n", stated(getpid()), v);
    SHOW(cuCheckpointProcessGetState(getpid(), NULL));
    SHOW(cuCheckpointProcessGetRestoreThreadId(getpid(), NULL));
    SHOW(cuCheckpointOperationComplete(NULL));
    printf("of nobody %d\n", stated(0x7fffffff));
}

int main(void)
{
    char node[32];
    snprintf(node, sizeof node, "checkpoint-%d", getpid());
    setenv("DOPPEL_NODE", node, 1);
    apart("itself", itself);
    apart("another process", another);
    setenv("DOPPEL_NODE", "none", 1);
    apart("itself, and nobody shares its devices", itself);
    return 0;
}
