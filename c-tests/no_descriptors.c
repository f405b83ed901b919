/* A process that has no descriptor left: calls that need one fail, and nothing of them stays; with descriptors again all works. */
#include "check.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { CHUNK = 2 << 20 };

static const CUmemAllocationProp shared = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                           .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}},
                                           .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR};
static const CUmemAccessDesc writable = {{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

/* Takes all descriptors, or gives them back. */
static void take_all(int take)
{
    static int taken[256];
    static int count;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (take) {
        limit.rlim_cur = 64;
        setrlimit(RLIMIT_NOFILE, &limit);
        while (count < 256 && (taken[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) count++;
    } else {
        while (count > 0) close(taken[--count]);
    }
}

static size_t in_use(void)
{
    size_t free, total;
    OK(cuMemGetInfo(&free, &total));
    return total - free;
}

static void all(CUdeviceptr memory, CUmemGenericAllocationHandle made, CUmemoryPool pool, CUevent event)
{
    CUmemGenericAllocationHandle handle, private;
    CUmemAllocationProp prop = shared;
    CUmemoryPool other;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}};
    CUipcMemHandle memory_handle;
    CUipcEventHandle event_handle;
    CUdeviceptr first, second, pooled;
    CUmodule module;
    CUresult r;
    int fd;
    unsigned byte = 0;
    r = cuMemCreate(&handle, CHUNK, &shared, 0);
    printf("shared memory: %s\n", name(r));
    if (!r) OK(cuMemRelease(handle));
    r = cuMemExportToShareableHandle(&fd, made, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    printf("export of memory: %s\n", name(r));
    if (!r) close(fd);
    r = cuMemPoolCreate(&other, &props);
    printf("shared pool: %s\n", name(r));
    if (!r) OK(cuMemPoolDestroy(other));
    r = cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    printf("export of a pool: %s\n", name(r));
    if (!r) close(fd);
    r = cuMemAllocFromPoolAsync(&pooled, 1000, pool, 0);
    printf("memory of a shared pool: %s\n", name(r));
    if (!r) OK(cuMemFreeAsync(pooled, 0));
    OK(cuCtxSynchronize());
    printf("handle of memory: %s\n", name(cuIpcGetMemHandle(&memory_handle, memory)));
    printf("handle of an event: %s\n", name(cuIpcGetEventHandle(&event_handle, event)));
    /* Private memory moves to a file when it is mapped for the second time. */
    prop.requestedHandleTypes = 0;
    OK(cuMemCreate(&private, CHUNK, &prop, 0));
    OK(cuMemAddressReserve(&first, CHUNK, 0, 0, 0));
    OK(cuMemAddressReserve(&second, CHUNK, 0, 0, 0));
    OK(cuMemMap(first, CHUNK, 0, private, 0));
    OK(cuMemSetAccess(first, CHUNK, &writable, 1));
    OK(cuMemsetD8(first, 7, CHUNK));
    r = cuMemMap(second, CHUNK, 0, private, 0);
    printf("second mapping: %s\n", name(r));
    if (!r) OK(cuMemUnmap(second, CHUNK));
    OK(cuMemcpyDtoH(&byte, first + CHUNK - 1, 1));
    printf("its bytes are %s\n", byte == 7 ? "there" : "lost");
    OK(cuMemRelease(private));
    OK(cuMemUnmap(first, CHUNK));
    OK(cuMemAddressFree(first, CHUNK));
    OK(cuMemAddressFree(second, CHUNK));
    printf("module of a file: %s\n", name(cuModuleLoad(&module, "/dev/null")));
    OK(cuMemsetD8(memory, 3, 1000));
    OK(cuCtxSynchronize());
}

int main(void)
{
    CUcontext context = begin();
    CUmemGenericAllocationHandle made;
    CUmemoryPool pool;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}};
    CUevent event;
    CUdeviceptr memory, external;
    CUexternalMemory imported;
    char device[64] = "";
    OK(cuDeviceGetName(device, sizeof(device), 0));
    if (strncmp(device, "Doppel", 6)) skip("a real driver needs descriptors at other times");
    OK(cuMemAlloc(&memory, 3000));
    OK(cuMemCreate(&made, CHUNK, &shared, 0));
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    int fd = memfd_create("outside", MFD_CLOEXEC);
    if (ftruncate(fd, CHUNK)) return 1;
    size_t before = in_use();
    take_all(1);
    printf("-- without descriptors\n");
    all(memory, made, pool, event);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle = {.fd = fd}, .size = CHUNK};
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole = {.size = CHUNK};
    CUresult r = cuImportExternalMemory(&imported, &desc);
    printf("external memory: %s\n", name(r));
    printf("as much memory in use: %s\n", in_use() == before ? "yes" : "no");
    take_all(0);
    printf("-- with descriptors\n");
    all(memory, made, pool, event);
    if (r) OK(cuImportExternalMemory(&imported, &desc));
    OK(cuExternalMemoryGetMappedBuffer(&external, imported, &whole));
    OK(cuMemFree(external));
    OK(cuDestroyExternalMemory(imported));
    printf("as much memory in use: %s\n", in_use() == before ? "yes" : "no");
    OK(cuEventDestroy(event));
    OK(cuMemPoolDestroy(pool));
    OK(cuMemRelease(made));
    OK(cuMemFree(memory));
    OK(cuDevicePrimaryCtxRelease(0));
    (void)context;
    return 0;
}
