/* Handles for other processes with one bit changed: every bit matters. And an event whose recording process is gone,
 * while another process has its number. */
#include "check.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

struct gift {
    volatile int ready;
    CUresult has[5];
    unsigned char handle[5][64];
};

static const char *const kinds[] = { "memory", "event", "fabric memory", "fabric pool", "allocation of a pool" };
static struct gift *gift;

static void give(int kind, CUresult r, const void *handle)
{
    gift->has[kind] = r;
    memcpy(gift->handle[kind], handle, 64);
}

/* Makes one of each kind and waits to be killed. */
static void exporter(void)
{
    CUdeviceptr d, p = 0;
    CUevent e;
    CUipcMemHandle m;
    CUipcEventHandle h;
    CUmemFabricHandle f;
    CUmemPoolPtrExportData x;
    CUmemAllocationProp prop;
    CUmemPoolProps props;
    CUmemGenericAllocationHandle physical = 0;
    CUmemoryPool pool = NULL;
    begin();
    OK(cuMemAlloc(&d, 100000));
    OK(cuIpcGetMemHandle(&m, d));
    give(0, CUDA_SUCCESS, &m);
    OK(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(cuIpcGetEventHandle(&h, e));
    give(1, CUDA_SUCCESS, &h);
    memset(&f, 0, sizeof f), memset(&prop, 0, sizeof prop), memset(&props, 0, sizeof props), memset(&x, 0, sizeof x);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED, prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE, prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    CUresult r = cuMemCreate(&physical, (size_t)2 << 20, &prop, 0);
    give(2, r ? r : cuMemExportToShareableHandle(&f, physical, CU_MEM_HANDLE_TYPE_FABRIC, 0), &f);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, props.location.type = CU_MEM_LOCATION_TYPE_DEVICE, props.handleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    r = cuMemPoolCreate(&pool, &props);
    if (!r) r = cuMemPoolExportToShareableHandle(&f, pool, CU_MEM_HANDLE_TYPE_FABRIC, 0);
    give(3, r, &f);
    if (!r) r = cuMemAllocFromPoolAsync(&p, 5000, pool, NULL);
    if (!r) r = cuMemPoolExportPointer(&x, p);
    give(4, r, &x);
    gift->ready = 1;
    for (;;) pause();
}

static CUmemoryPool pool;

/* Opens a handle of a kind, and closes what it opened. */
static CUresult open_one(int kind, const unsigned char *bytes)
{
    CUresult r;
    CUdeviceptr d = 0;
    if (kind == 0) {
        CUipcMemHandle h;
        memcpy(&h, bytes, 64);
        if (!(r = cuIpcOpenMemHandle(&d, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS))) cuIpcCloseMemHandle(d);
    } else if (kind == 1) {
        CUipcEventHandle h;
        CUevent e;
        memcpy(&h, bytes, 64);
        if (!(r = cuIpcOpenEventHandle(&e, h))) cuEventDestroy(e);
    } else if (kind == 2) {
        CUmemGenericAllocationHandle h;
        if (!(r = cuMemImportFromShareableHandle(&h, (void *)(uintptr_t)bytes, CU_MEM_HANDLE_TYPE_FABRIC))) cuMemRelease(h);
    } else if (kind == 3) {
        CUmemoryPool p;
        if (!(r = cuMemPoolImportFromShareableHandle(&p, (void *)(uintptr_t)bytes, CU_MEM_HANDLE_TYPE_FABRIC, 0))) cuMemPoolDestroy(p);
    } else {
        CUmemPoolPtrExportData x;
        memcpy(&x, bytes, 64);
        if (!(r = cuMemPoolImportPointer(&d, pool, &x))) cuMemFreeAsync(d, NULL);
    }
    return r;
}

static void flip(int kind)
{
    unsigned char bytes[64];
    int opened = 0, odd = 0;
    CUresult first = CUDA_SUCCESS;
    memcpy(bytes, gift->handle[kind], 64);
    printf("%s: %s", kinds[kind], name(open_one(kind, bytes)));
    for (int bit = 0; bit < 512; bit++) {
        bytes[bit / 8] ^= 1 << bit % 8;
        CUresult r = open_one(kind, bytes);
        bytes[bit / 8] ^= 1 << bit % 8;
        opened += !r;
        if (!bit) first = r;
        odd += r != first;
    }
    printf(", one bit changed: %d of 512 opened, %s, %d others", opened, name(first), odd);
    printf(", unchanged: %s\n", name(open_one(kind, bytes)));
}

/* The file of the exporter's event: a page that begins with a name. */
static int event_page(pid_t process)
{
    for (int fd = 3; fd < 200; fd++) {
        char path[64], bytes[8];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, fd);
        int file = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file < 0) continue;
        if (lseek(file, 0, SEEK_END) == 4096 && pread(file, bytes, 8, 0) == 8 && !memcmp(bytes, "DOPPELie", 8)) return file;
        close(file);
    }
    return -1;
}

int main(void)
{
    char device[100];
    gift = mmap(NULL, sizeof *gift, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (gift == MAP_FAILED) return 1;
    pid_t process = fork();
    if (!process) exporter();
    for (int i = 0; !gift->ready && i < 10000; i++) usleep(1000);
    limit_time(100);
    begin();
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) {
        kill(process, SIGKILL);
        skip("what a real driver does with wrong handles is not known");
    }
    if (!gift->has[3]) OK(cuMemPoolImportFromShareableHandle(&pool, gift->handle[3], CU_MEM_HANDLE_TYPE_FABRIC, 0));
    for (int kind = 0; kind < 5; kind++) {
        if (gift->has[kind]) printf("%s: no handle, %s\n", kinds[kind], name(gift->has[kind]));
        else flip(kind);
    }

    /* A record that nobody reaches, made by a process whose number we have, but which was started at another time. */
    CUipcEventHandle h;
    CUevent e;
    CUstream s;
    memcpy(&h, gift->handle[1], 64);
    OK(cuIpcOpenEventHandle(&e, h));
    OK(cuEventRecord(e, NULL));
    OK(cuEventSynchronize(e));
    int file = event_page(process);
    unsigned long long *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || page == MAP_FAILED) return 1;
    page[1]++;
    printf("recorded by us, not reached: %s\n", name(cuEventQuery(e)));
    page[3] = (unsigned)getpid(); /* started with the machine */
    printf("by one who had our number before: %s %s\n", name(cuEventQuery(e)), name(cuEventSynchronize(e)));
    page[1]++;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    printf("waited for by a stream: %s %s\n", name(cuStreamWaitEvent(s, e, 0)), name(cuStreamSynchronize(s)));
    OK(cuStreamDestroy(s));
    OK(cuEventDestroy(e));
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    return 0;
}
