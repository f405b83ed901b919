/* Exporters that end, one way or the other, before their importer: what was opened stays. */
#include <cuda.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static int start(void)
{
    CUcontext c;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c);
}

struct gift { CUipcMemHandle small, large; CUipcEventHandle event; };

static void CUDA_CB hold(void *p)
{
    (void)p;
    pause();
}

/* Makes memory and an event that is never reached, hands them over, and lives until it is told otherwise. */
static int exporter(int s)
{
    CUdeviceptr small, large;
    CUevent e;
    CUstream stream;
    struct gift g;
    char c;
    if (start()) return 1;
    cuMemAlloc(&small, 5000), cuMemAlloc(&large, (size_t)9 << 20);
    cuMemsetD8(small, 0x11, 5000), cuMemsetD8(large, 0x22, (size_t)9 << 20);
    cuCtxSynchronize();
    cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    if (cuIpcGetMemHandle(&g.small, small) || cuIpcGetMemHandle(&g.large, large) || cuIpcGetEventHandle(&g.event, e)) return 1;
    cuLaunchHostFunc(stream, hold, NULL);
    cuEventRecord(e, stream);
    if (write(s, &g, sizeof g) != sizeof g) return 1;
    if (read(s, &c, 1) != 1) return 1;
    _exit(0);
}

static unsigned char byte(CUdeviceptr d)
{
    unsigned char b = 0;
    cuMemcpyDtoH(&b, d, 1);
    return b;
}

int main(int argc, char **argv)
{
    if (argc > 1) return exporter(atoi(argv[1]));
    int line[2][2];
    pid_t child[2];
    for (int i = 0; i < 2; i++) {
        char number[16];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, line[i])) return 1;
        child[i] = fork();
        if (!child[i]) {
            close(line[i][0]);
            snprintf(number, sizeof number, "%d", line[i][1]);
            execl(argv[0], argv[0], number, (char *)NULL);
            _exit(1);
        }
        close(line[i][1]);
    }
    if (start()) return 1;
    for (int i = 0; i < 2; i++) {
        struct gift g;
        CUdeviceptr small = 0, large = 0;
        CUevent e;
        if (recv(line[i][0], &g, sizeof g, MSG_WAITALL) != sizeof g) return 1;
        printf("open: %s", name(cuIpcOpenMemHandle(&small, g.small, 1)));
        printf(" %s", name(cuIpcOpenMemHandle(&large, g.large, 1)));
        printf(" %s\n", name(cuIpcOpenEventHandle(&e, g.event)));
        printf("the event: %s\n", name(cuEventQuery(e)));
        if (i == 0) {
            if (write(line[i][0], "", 1) != 1) return 1;
        } else kill(child[i], SIGKILL);
        waitpid(child[i], NULL, 0);
        printf("the exporter %s\n", i ? "was killed" : "has ended");
        printf("memory: %#x %#x\n", byte(small + 4999), byte(large + ((size_t)9 << 20) - 1));
        printf("write: %s, read: ", name(cuMemsetD8(large, 0x33, 1000)));
        printf("%#x\n", byte(large + 999));
        printf("destroy the event: %s\n", name(cuEventDestroy(e)));
        printf("close: %s", name(cuIpcCloseMemHandle(small)));
        printf(" %s", name(cuIpcCloseMemHandle(large)));
        printf(" %s\n", name(cuIpcCloseMemHandle(large)));
        close(line[i][0]);
    }
    return 0;
}
