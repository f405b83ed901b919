// Memory and an event of another process.
#include "say.h"
#include <sys/wait.h>
#include <unistd.h>

struct Message {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

static int child(int in, int out)
{
    struct Message m;
    if (read(in, &m, sizeof m) != (ssize_t)sizeof m) return 1;
    char *p, host[1000];
    cudaEvent_t event;
    MUST(cudaIpcOpenMemHandle((void **)&p, m.memory, cudaIpcMemLazyEnablePeerAccess));
    MUST(cudaIpcOpenEventHandle(&event, m.event));
    MUST(cudaEventSynchronize(event));
    MUST(cudaMemcpy(host, p, 1000, cudaMemcpyDeviceToHost));
    if (host[0] != 5 || host[999] != 5) return 2;
    MUST(cudaMemset(p, 6, 1000));
    MUST(cudaDeviceSynchronize());
    MUST(cudaIpcCloseMemHandle(p));
    MUST(cudaEventDestroy(event));
    return write(out, "x", 1) != 1;
}

int main(void)
{
    int there[2], back[2];
    if (pipe(there) || pipe(back)) return 1;
    pid_t pid = fork();
    if (pid == 0) exit(child(there[0], back[1]));
    // A child that fails ends the pipe.
    close(back[1]);
    char *p, host[1000], token;
    cudaEvent_t event;
    struct Message m;
    MUST(cudaMalloc((void **)&p, 1000));
    MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
    MUST(cudaMemset(p, 5, 1000));
    MUST(cudaEventRecord(event, 0));
    SAY(cudaIpcGetMemHandle(&m.memory, p));
    SAY(cudaIpcGetEventHandle(&m.event, event));
    if (write(there[1], &m, sizeof m) != (ssize_t)sizeof m || read(back[0], &token, 1) != 1) puts("no answer");
    int status;
    waitpid(pid, &status, 0);
    printf("child: %d\n", WEXITSTATUS(status));
    MUST(cudaMemcpy(host, p, 1000, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], host[999]);
    SAY(cudaIpcGetMemHandle(&m.memory, NULL));
    SAY(cudaIpcOpenMemHandle((void **)&p, m.memory, 0));
    MUST(cudaEventDestroy(event));
    return 0;
}
