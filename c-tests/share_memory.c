/* Physical memory shared between processes: the first exports a descriptor, a second one, started afresh, imports it
 * and both see each other's bytes. */
#include <cuda.h>
#include "descriptors.h"
#include <fcntl.h>
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
    return s;
}
static const char *who;
#define SHOW(call) do { CUresult r_ = (call); printf("%s: %s: %s\n", who, #call, name(r_)); fflush(stdout); } while (0)

#define SIZE ((size_t)4 << 20)

static void say(int socket) { if (write(socket, "x", 1) != 1) exit(3); }
static void hear(int socket) { char c; if (read(socket, &c, 1) != 1) exit(3); }

static void start(void)
{
    CUcontext c = NULL;
    CUresult r = cuInit(0);
    if (!r) r = cuDevicePrimaryCtxRetain(&c, 0);
    if (!r) r = cuCtxSetCurrent(c);
    if (r) {
        printf("%s: start: %s\n", who, name(r));
        exit(2);
    }
}
static CUdeviceptr map(CUmemGenericAllocationHandle h)
{
    CUdeviceptr a = 0;
    CUmemAccessDesc d;
    memset(&d, 0, sizeof d);
    d.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    d.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    SHOW(cuMemAddressReserve(&a, SIZE, 0, 0, 0));
    SHOW(cuMemMap(a, SIZE, 0, h, 0));
    SHOW(cuMemSetAccess(a, SIZE, &d, 1));
    return a;
}
static void byte_at(const char *what, CUdeviceptr at)
{
    unsigned char v = 0;
    CUresult r = cuMemcpyDtoH(&v, at, 1);
    printf("%s: %s: %s %d\n", who, what, name(r), v);
    fflush(stdout);
}

static int importer(int socket)
{
    CUmemGenericAllocationHandle h = 0;
    CUmemAllocationProp p;
    who = "importer";
    start();
    int again = -1, fd = receive_descriptor(socket), nothing = open("/dev/null", O_RDWR);
    SHOW(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)nothing, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    SHOW(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)-1, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    SHOW(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(fd);
    close(nothing);
    memset(&p, 0, sizeof p);
    SHOW(cuMemGetAllocationPropertiesFromHandle(&p, h));
    printf("importer: type %d, handles %d, location %d:%d\n", p.type, p.requestedHandleTypes, p.location.type, p.location.id);
    SHOW(cuMemExportToShareableHandle(&again, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUdeviceptr a = map(h);
    byte_at("written by the exporter", a + SIZE - 1);
    SHOW(cuMemsetD8(a + 100, 66, 1000));
    SHOW(cuCtxSynchronize());
    say(socket);
    hear(socket);
    /* The exporter has let go of everything. */
    byte_at("still there", a + 101);
    SHOW(cuMemUnmap(a, SIZE));
    SHOW(cuMemRelease(h));
    SHOW(cuMemAddressFree(a, SIZE));
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) return importer(atoi(argv[1]));
    int pair[2], status = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 3;
    pid_t child = fork();
    if (child == 0) {
        char number[16];
        close(pair[0]);
        snprintf(number, sizeof number, "%d", pair[1]);
        execl(argv[0], argv[0], number, (char *)NULL);
        _exit(3);
    }
    close(pair[1]);
    who = "exporter";
    start();
    CUmemAllocationProp p;
    CUmemGenericAllocationHandle h = 0, plain = 0;
    int fd = -1;
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    SHOW(cuMemCreate(&plain, SIZE, &p, 0));
    SHOW(cuMemExportToShareableHandle(&fd, plain, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemRelease(plain));
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    SHOW(cuMemCreate(&h, SIZE, &p, 0));
    CUdeviceptr a = map(h);
    SHOW(cuMemsetD8(a, 55, SIZE));
    SHOW(cuCtxSynchronize());
    SHOW(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    printf("exporter: closed on exec %d\n", (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    fflush(stdout);
    send_descriptor(pair[0], fd);
    close(fd);
    hear(pair[0]);
    byte_at("written by the importer", a + 1099);
    byte_at("behind it", a + 1100);
    SHOW(cuMemUnmap(a, SIZE));
    SHOW(cuMemRelease(h));
    SHOW(cuMemAddressFree(a, SIZE));
    SHOW(cuDevicePrimaryCtxRelease(0));
    say(pair[0]);
    waitpid(child, &status, 0);
    printf("exporter: importer ended with %d\n", status);
    return status != 0;
}
