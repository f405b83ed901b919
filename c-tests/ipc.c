/* Memory, events and pools between two processes: this program starts itself again as the importer. */
#include <cuda.h>
#include <signal.h>
#include <stdint.h>
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

/* What the exporter asks the importer to do, with a handle and perhaps a descriptor; and the answer. */
enum { OPEN, READ, WRITE, CLOSE, RANGE, EVENT_OPEN, EVENT_QUERY, EVENT_WAIT, EVENT_RECORD, EVENT_DESTROY, POOL_IMPORT, POOL_POINTER, POOL_FREE, QUIT };
struct request { int what, slot; size_t offset, n; unsigned char value, data[64]; int has_fd; };
struct reply { CUresult r; unsigned long long v; };

static int put(int s, const void *p, size_t n, int fd)
{
    struct iovec io = { (void *)(uintptr_t)p, n };
    union { char b[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } u;
    struct msghdr m;
    memset(&m, 0, sizeof m), memset(&u, 0, sizeof u);
    m.msg_iov = &io, m.msg_iovlen = 1;
    if (fd >= 0) {
        m.msg_control = u.b, m.msg_controllen = sizeof u.b;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    return sendmsg(s, &m, MSG_NOSIGNAL) == (ssize_t)n ? 0 : -1;
}

static int get(int s, void *p, size_t n, int *fd)
{
    struct iovec io = { p, n };
    union { char b[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } u;
    struct msghdr m;
    memset(&m, 0, sizeof m);
    m.msg_iov = &io, m.msg_iovlen = 1, m.msg_control = u.b, m.msg_controllen = sizeof u.b;
    if (recvmsg(s, &m, MSG_WAITALL) != (ssize_t)n) return -1;
    *fd = -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_type == SCM_RIGHTS) memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return 0;
}

static int start(void)
{
    CUcontext c;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c);
}

static int importer(int s)
{
    CUdeviceptr at[8] = { 0 };
    CUevent event[8] = { 0 };
    CUmemoryPool pool = NULL;
    struct request q;
    int fd;
    if (start()) return 1;
    while (!get(s, &q, sizeof q, &fd)) {
        struct reply a = { CUDA_SUCCESS, 0 };
        CUdeviceptr *d = &at[q.slot];
        switch (q.what) {
        case OPEN: { CUipcMemHandle h; memcpy(&h, q.data, sizeof h); CUdeviceptr p = 0; a.r = cuIpcOpenMemHandle(&p, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS); if (!a.r) *d = p; a.v = p; break; }
        case READ: { unsigned char b = 0; a.r = cuMemcpyDtoH(&b, *d + q.offset, 1); a.v = b; break; }
        case WRITE: a.r = cuMemsetD8(*d + q.offset, q.value, q.n); cuCtxSynchronize(); break;
        case CLOSE: a.r = cuIpcCloseMemHandle(*d + q.offset); break;
        case RANGE: { size_t n = 0; a.r = cuMemGetAddressRange(NULL, &n, *d); a.v = n; break; }
        case EVENT_OPEN: { CUipcEventHandle h; memcpy(&h, q.data, sizeof h); a.r = cuIpcOpenEventHandle(&event[q.slot], h); break; }
        case EVENT_QUERY: a.r = cuEventQuery(event[q.slot]); break;
        case EVENT_WAIT: a.r = cuStreamWaitEvent(NULL, event[q.slot], 0); if (!a.r) a.r = cuStreamSynchronize(NULL); if (!a.r) a.r = cuEventSynchronize(event[q.slot]); break;
        case EVENT_RECORD: a.r = cuEventRecord(event[q.slot], NULL); break;
        case EVENT_DESTROY: a.r = cuEventDestroy(event[q.slot]); break;
        case POOL_IMPORT: a.r = cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0); break;
        case POOL_POINTER: { CUmemPoolPtrExportData x; memcpy(&x, q.data, sizeof x); a.r = cuMemPoolImportPointer(d, pool, &x); break; }
        case POOL_FREE: a.r = cuMemFreeAsync(*d, NULL); cuStreamSynchronize(NULL); break;
        default: return 0;
        }
        if (fd >= 0) close(fd);
        if (put(s, &a, sizeof a, -1)) break;
    }
    return 0;
}

static int line;
static pid_t peer;
static void connect_peer(const char *self)
{
    int s[2];
    char number[16];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, s)) exit(1);
    fflush(stdout);
    peer = fork();
    if (!peer) {
        close(s[0]);
        snprintf(number, sizeof number, "%d", s[1]);
        execl(self, self, number, (char *)NULL);
        _exit(1);
    }
    close(s[1]);
    line = s[0];
}

static struct reply ask(int what, int slot, size_t offset, size_t n, unsigned char value, const void *data, int fd)
{
    struct request q;
    struct reply a = { CUDA_ERROR_UNKNOWN, 0 };
    int none;
    memset(&q, 0, sizeof q);
    q.what = what, q.slot = slot, q.offset = offset, q.n = n, q.value = value;
    if (data) memcpy(q.data, data, sizeof q.data);
    if (put(line, &q, sizeof q, fd) || get(line, &a, sizeof a, &none)) printf("the importer is gone\n");
    return a;
}

#define SAY(what, ...) printf("%s: %s\n", what, name(ask(__VA_ARGS__).r))

static unsigned char byte(CUdeviceptr d)
{
    unsigned char b = 0;
    cuMemcpyDtoH(&b, d, 1);
    return b;
}

static int gate;
static void CUDA_CB hold(void *p)
{
    (void)p;
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE)) usleep(50);
}

static void memory(void)
{
    static const size_t sizes[] = { 1, 100000, (size_t)5 << 20 };
    CUipcMemHandle h, h2;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUdeviceptr d;
        size_t n = sizes[i];
        cuMemAlloc(&d, n);
        cuMemsetD8(d, 11, n);
        cuCtxSynchronize();
        printf("%zu bytes: %s", n, name(cuIpcGetMemHandle(&h, d)));
        printf(" %s", name(cuIpcGetMemHandle(&h2, d + n - 1)));
        printf(", one handle for all of it: %d\n", !memcmp(&h, &h2, sizeof h));
        SAY("  open", OPEN, 0, 0, 0, 0, &h, -1);
        struct reply a = ask(RANGE, 0, 0, 0, 0, NULL, -1), b = ask(READ, 0, n - 1, 0, 0, NULL, -1);
        printf("  size there: %llu, last byte %llu\n", a.v, b.v);
        SAY("  past the end", READ, 0, n, 0, 0, NULL, -1);
        SAY("  write", WRITE, 0, n - 1, 1, 22, NULL, -1);
        printf("  seen here: %d\n", byte(d + n - 1));
        cuMemsetD8(d + n - 1, 33, 1);
        cuCtxSynchronize();
        printf("  seen there: %llu\n", ask(READ, 0, n - 1, 0, 0, NULL, -1).v);
        SAY("  open again", OPEN, 1, 0, 0, 0, &h, -1);
        SAY("  close", CLOSE, 0, 0, 0, 0, NULL, -1);
        SAY("  read after one close", READ, 0, 0, 0, 0, NULL, -1);
        SAY("  close", CLOSE, 0, 0, 0, 0, NULL, -1);
        SAY("  close", CLOSE, 0, 0, 0, 0, NULL, -1);
        SAY("  read", READ, 0, 0, 0, 0, NULL, -1);
        SAY("  open", OPEN, 0, 0, 0, 0, &h, -1);
        printf("  freed here: %s\n", name(cuMemFree(d)));
        SAY("  open of freed memory that is open", OPEN, 1, 0, 0, 0, &h, -1);
        SAY("  close", CLOSE, 0, 0, 0, 0, NULL, -1);
        SAY("  close", CLOSE, 0, 0, 0, 0, NULL, -1);
        SAY("  open of freed memory", OPEN, 1, 0, 0, 0, &h, -1);
    }
    CUdeviceptr a, b;
    cuMemAlloc(&a, 4096);
    cuMemAlloc(&b, 4096);
    cuMemsetD8(a, 1, 4096), cuMemsetD8(b, 2, 4096), cuCtxSynchronize();
    cuIpcGetMemHandle(&h, a), cuIpcGetMemHandle(&h2, b);
    struct reply x = ask(OPEN, 0, 0, 0, 0, &h, -1), y = ask(OPEN, 1, 0, 0, 0, &h2, -1);
    printf("two in one block: %s %s, as far from each other: %d, %llu %llu\n", name(x.r), name(y.r), y.v - x.v == b - a, ask(READ, 0, 9, 0, 0, NULL, -1).v, ask(READ, 1, 9, 0, 0, NULL, -1).v);
    SAY("close one", CLOSE, 0, 0, 0, 0, NULL, -1);
    printf("the other: %llu\n", ask(READ, 1, 9, 0, 0, NULL, -1).v);
    SAY("close inside", CLOSE, 1, 64, 0, 0, NULL, -1);
    SAY("close", CLOSE, 1, 0, 0, 0, NULL, -1);
    CUdeviceptr p = 5;
    printf("open in the exporter: %s\n", name(cuIpcOpenMemHandle(&p, h, 1)));
    printf("without the flag: %s\n", name(cuIpcOpenMemHandle(&p, h, 0)));
    printf("close of own memory: %s\n", name(cuIpcCloseMemHandle(a)));
    memset(&h, 0, sizeof h);
    SAY("a handle of nothing", OPEN, 0, 0, 0, 0, &h, -1);
    memset(&h, 0xff, sizeof h);
    SAY("another one", OPEN, 0, 0, 0, 0, &h, -1);
    cuMemFree(a), cuMemFree(b);
    CUdeviceptr m;
    cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL);
    printf("managed memory: %s\n", name(cuIpcGetMemHandle(&h, m)));
    cuMemFree(m);
    cuMemAllocAsync(&m, 4096, NULL);
    printf("memory of a pool: %s\n", name(cuIpcGetMemHandle(&h, m)));
    cuMemFreeAsync(m, NULL);
    printf("an invented address: %s\n", name(cuIpcGetMemHandle(&h, 0x1000)));
}

static void events(void)
{
    CUipcEventHandle h;
    CUevent e;
    CUstream s;
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
    printf("an event for this process: %s\n", name(cuIpcGetEventHandle(&h, e)));
    cuEventDestroy(e);
    printf("one that measures: %s\n", name(cuEventCreate(&e, CU_EVENT_INTERPROCESS)));
    cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    printf("one for others: %s\n", name(cuIpcGetEventHandle(&h, e)));
    SAY("open", EVENT_OPEN, 0, 0, 0, 0, &h, -1);
    SAY("before any record", EVENT_QUERY, 0, 0, 0, 0, NULL, -1);
    __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
    cuLaunchHostFunc(s, hold, NULL);
    cuEventRecord(e, s);
    SAY("recorded behind a held stream", EVENT_QUERY, 0, 0, 0, 0, NULL, -1);
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    SAY("waited for there", EVENT_WAIT, 0, 0, 0, 0, NULL, -1);
    printf("here: %s\n", name(cuEventQuery(e)));
    SAY("recorded there", EVENT_RECORD, 0, 0, 0, 0, NULL, -1);
    printf("waited for here: %s\n", name(cuEventSynchronize(e)));
    printf("and by a stream: %s %s\n", name(cuStreamWaitEvent(s, e, 0)), name(cuStreamSynchronize(s)));
    CUevent o;
    printf("open in the exporter: %s\n", name(cuIpcOpenEventHandle(&o, h)));
    /* The exporter's event goes while it is pending; the importer's lives on. */
    __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
    cuLaunchHostFunc(s, hold, NULL);
    cuEventRecord(e, s);
    printf("destroyed here: %s\n", name(cuEventDestroy(e)));
    SAY("pending there", EVENT_QUERY, 0, 0, 0, 0, NULL, -1);
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    SAY("waited for there", EVENT_WAIT, 0, 0, 0, 0, NULL, -1);
    SAY("destroyed there", EVENT_DESTROY, 0, 0, 0, 0, NULL, -1);
    CUipcMemHandle m;
    memset(&h, 0, sizeof h), memset(&m, 0, sizeof m);
    SAY("a handle of nothing", EVENT_OPEN, 1, 0, 0, 0, &h, -1);
    CUdeviceptr d;
    cuMemAlloc(&d, 4096);
    cuIpcGetMemHandle(&m, d);
    SAY("a handle of memory", EVENT_OPEN, 1, 0, 0, 0, &m, -1);
    cuMemFree(d);
    cuStreamDestroy(s);
}

static void pools(void)
{
    CUmemPoolProps p;
    CUmemoryPool pool = NULL;
    CUmemPoolPtrExportData x;
    int fd = -1;
    memset(&p, 0, sizeof p);
    p.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, p.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    printf("a pool to share: %s\n", name(cuMemPoolCreate(&pool, &p)));
    printf("export: %s\n", name(cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)));
    SAY("import", POOL_IMPORT, 0, 0, 0, 0, NULL, fd);
    close(fd);
    CUdeviceptr d;
    cuMemAllocFromPoolAsync(&d, 100000, pool, NULL);
    cuMemsetD8Async(d, 44, 100000, NULL);
    cuStreamSynchronize(NULL);
    printf("export an allocation: %s\n", name(cuMemPoolExportPointer(&x, d)));
    SAY("import it", POOL_POINTER, 0, 0, 0, 0, &x, -1);
    printf("its size %llu, its last byte %llu\n", ask(RANGE, 0, 0, 0, 0, NULL, -1).v, ask(READ, 0, 99999, 0, 0, NULL, -1).v);
    SAY("write", WRITE, 0, 500, 10, 55, NULL, -1);
    printf("seen here: %d %d %d\n", byte(d + 499), byte(d + 509), byte(d + 510));
    SAY("free there", POOL_FREE, 0, 0, 0, 0, NULL, -1);
    printf("free here: %s\n", name(cuMemFreeAsync(d, NULL)));
    cuStreamSynchronize(NULL);
    printf("destroy: %s\n", name(cuMemPoolDestroy(pool)));
}

/* An importer that is killed leaves the exporter alone. */
static void killed(void)
{
    CUdeviceptr d;
    CUipcMemHandle h;
    cuMemAlloc(&d, (size_t)3 << 20);
    cuMemsetD8(d, 66, (size_t)3 << 20);
    cuCtxSynchronize();
    cuIpcGetMemHandle(&h, d);
    SAY("open", OPEN, 2, 0, 0, 0, &h, -1);
    SAY("write", WRITE, 2, 7, 1, 77, NULL, -1);
    kill(peer, SIGKILL);
    waitpid(peer, NULL, 0);
    printf("the importer was killed; here: %d %d\n", byte(d + 6), byte(d + 7));
    printf("free: %s\n", name(cuMemFree(d)));
    close(line);
}

int main(int argc, char **argv)
{
    if (argc > 1) return importer(atoi(argv[1]));
    connect_peer(argv[0]);
    if (start()) return 1;
    memory();
    events();
    pools();
    killed();
    return 0;
}
