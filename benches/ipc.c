/* Memory of another process: opening it, and copying from it, beside a shared mapping of a memory file. */
#include "bench.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES ((size_t)64 << 20)

static CUdeviceptr theirs, own;
static unsigned char *mapped, *buffer;
static CUipcMemHandle handle;
static int file;

static void plain_copy(void *data)
{
    (void)data;
    memcpy(buffer, mapped, BYTES);
    __asm__ volatile("" ::: "memory");
}
static void device_copy(void *data)
{
    (void)data;
    OK(cuMemcpyDtoD(own, theirs, BYTES));
    OK(cuCtxSynchronize());
}
static void map(void *data)
{
    (void)data;
    void *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (p == MAP_FAILED) exit(1);
    munmap(p, BYTES);
}
static void open_close(void *data)
{
    (void)data;
    OK(cuIpcOpenMemHandle(&theirs, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    OK(cuIpcCloseMemHandle(theirs));
}

int main(int argc, char **argv)
{
    (void)argc;
    int to_child[2], to_parent[2];
    file = memfd_create("bench", 0);
    if (file < 0 || ftruncate(file, (off_t)BYTES) || pipe(to_child) || pipe(to_parent)) return 1;
    pid_t child = fork();
    if (child == 0) {
        /* The process that measures. */
        if (read(to_child[0], &handle, sizeof handle) != sizeof handle) return 0;
        start();
        OK(cuMemAlloc(&own, BYTES));
        OK(cuMemsetD8(own, 1, BYTES));
        buffer = malloc(BYTES);
        memset(buffer, 1, BYTES);
        mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED) return 1;
        double peer, ours;
        duel(200, map, open_close, NULL, &peer, &ours);
        printf("\nmemory of another process, 64 MiB\n");
        printf("mmap + munmap of a memory file, cuIpcOpenMemHandle + cuIpcCloseMemHandle, ns and ratio: %8.0f %8.0f %6.2f\n", peer, ours,
               peer / ours);
        OK(cuIpcOpenMemHandle(&theirs, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        duel(1, plain_copy, device_copy, NULL, &peer, &ours);
        printf("memcpy from a mapped file, cuMemcpyDtoD from their memory, GB/s and ratio:             %10.2f %8.2f %6.2f\n",
               (double)BYTES / peer, (double)BYTES / ours, peer / ours);
        unsigned char last = 0;
        OK(cuMemcpyDtoH(&last, own + BYTES - 1, 1));
        if (last != 42) fprintf(stderr, "bench: %s: wrong bytes\n", argv[0]);
        OK(cuIpcCloseMemHandle(theirs));
        fflush(stdout);
        if (write(to_parent[1], "x", 1) != 1) return 1;
        return 0;
    }
    start();
    CUdeviceptr d;
    OK(cuMemAlloc(&d, BYTES));
    OK(cuMemsetD8(d, 42, BYTES));
    OK(cuCtxSynchronize());
    mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) return 1;
    memset(mapped, 42, BYTES);
    CUresult r = cuIpcGetMemHandle(&handle, d);
    if (r) printf("\nmemory of another process: not there yet\n");
    else if (write(to_child[1], &handle, sizeof handle) != sizeof handle) return 1;
    close(to_child[1]);
    close(to_parent[1]);
    /* The child still holds its own end of the first pipe. */
    if (r) {
        close(to_child[0]);
        kill(child, 15);
    }
    int status;
    waitpid(child, &status, 0);
    return r ? 0 : WEXITSTATUS(status);
}
