/* A handle for a range of device memory: a dma-buf where the kernel can make one, else a refusal; and what is refused on
   every machine. */
#include <cuda.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 2 << 20, UNTOUCHED = -77 };

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static CUresult ask(int *fd, CUdeviceptr at, size_t size, int type, unsigned long long flags)
{
    *fd = UNTOUCHED;
    return cuMemGetHandleForAddressRange(fd, at, size, (CUmemRangeHandleType)type, flags);
}

static void show(const char *what, CUdeviceptr at, size_t size, int type)
{
    int fd;
    CUresult r = ask(&fd, at, size, type, 0);
    printf("%s: %s", what, name(r));
    if (fd == UNTOUCHED) printf(", untouched\n");
    else printf(", %s\n", fd == -1 ? "-1" : "a descriptor");
}

int main(void)
{
    CUcontext context;
    CUdeviceptr plain, mapped, managed;
    CUmemGenericAllocationHandle handle;
    void *pinned;
    int fd;
    const int dmabuf = CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    CUmemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    prop.allocFlags.gpuDirectRDMACapable = 1;
    CUmemAccessDesc access = { .location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    if (cuMemAlloc(&plain, N) || cuMemAllocManaged(&managed, N, CU_MEM_ATTACH_GLOBAL) || cuMemHostAlloc(&pinned, N, 0) ||
        cuMemCreate(&handle, N, &prop, 0) || cuMemAddressReserve(&mapped, N, 0, 0, 0) || cuMemMap(mapped, N, 0, handle, 0) ||
        cuMemSetAccess(mapped, N, &access, 1) || cuMemsetD8(mapped, 5, N) || cuCtxSynchronize())
        return 1;
    CUresult r = ask(&fd, mapped, N, dmabuf, 0);
    int good = r == CUDA_ERROR_NOT_SUPPORTED ? fd == -1 : !r && fcntl(fd, F_GETFD) >= 0;
    int supported = -1;
    cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 0);
    printf("the attribute says which: %d\n", supported == !r);
    printf("mapped memory: %s\n", good ? "a dma-buf or refused" : name(r));
    /* A dma-buf that can be mapped shows the bytes of the memory. */
    if (!r) {
        unsigned char *p = mmap(NULL, N, PROT_READ, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED && (p[0] != 5 || p[N - 1] != 5)) printf("other bytes\n");
        if (p != MAP_FAILED) munmap(p, N);
        close(fd);
    }
    r = ask(&fd, plain, N, dmabuf, 0);
    printf("plain memory: %s\n", !r || (r == CUDA_ERROR_NOT_SUPPORTED && fd == -1) ? "a dma-buf or refused" : name(r));
    if (!r) close(fd);
    show("not at a page", plain + 1, 4096, dmabuf);
    show("too much", plain, 64 << 20, dmabuf);
    show("page-locked memory", (CUdeviceptr)pinned, N, dmabuf);
    show("managed memory", managed, N, dmabuf);
    show("no memory", (CUdeviceptr)&prop & ~(CUdeviceptr)4095, 4096, dmabuf);
    show("another type", plain, N, 0);
    printf("flags: %s %s\n", name(ask(&fd, plain, N, dmabuf, 1)), name(ask(&fd, plain, N, dmabuf, 2)));
    if (cuMemUnmap(mapped, N) || cuMemRelease(handle) || cuMemAddressFree(mapped, N) || cuMemFree(plain) || cuMemFree(managed) ||
        cuMemFreeHost(pinned))
        return 1;
    cuDevicePrimaryCtxRelease(0);
    return 0;
}
