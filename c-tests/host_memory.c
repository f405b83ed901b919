/* Page-locked host memory: allocated by the driver or registered by the program, what can be asked about it, its errors. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))
#define HOST(p) ((void *)(uintptr_t)(p))
#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))
#define MB ((size_t)1 << 20)

static CUcontext start(void)
{
    CUcontext c = NULL;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c)) exit(1);
    return c;
}

static void tell(const char *what, void *p)
{
    unsigned flags = 77, type = 0;
    CUdeviceptr d = 5;
    CUresult r = cuMemHostGetFlags(&flags, p);
    printf("%s: flags %s %u", what, name(r), flags);
    r = cuMemHostGetDevicePointer(&d, p, 0);
    printf(", device pointer %s %s", name(r), d == ADDRESS(p) ? "the same" : d == 0 ? "zero" : "another");
    r = cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ADDRESS(p));
    printf(", type %s %u\n", name(r), type);
}

static void *pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) exit(1);
    return p;
}

static void allocated(void)
{
    void *p = (void *)5;
    for (unsigned flags = 0; flags < 8; flags++) {
        CUresult r = cuMemHostAlloc(&p, 10000, flags);
        printf("flags %u: %s, aligned to 256: %d\n", flags, name(r), ADDRESS(p) % 256 == 0);
        tell("first byte", p);
        tell("last byte", (char *)p + 9999);
        tell("behind it", (char *)p + 10000);
        SHOW(cuMemFreeHost(p));
    }
    SHOW(cuMemHostAlloc(&p, 100, 8));
    printf("pointer %p\n", p ? (void *)1 : (void *)0);
    SHOW(cuMemHostAlloc(NULL, 100, 0));
    SHOW(cuMemHostAlloc(&p, SIZE_MAX, 0));
    p = (void *)5;
    SHOW(cuMemAllocHost(&p, 0));
    printf("nothing is %s\n", p ? "something" : "NULL");
    SHOW(cuMemAllocHost(&p, 1 * MB));
    int zero = 1;
    for (size_t i = 0; i < MB; i++) zero = zero && ((unsigned char *)p)[i] == 0;
    printf("all zero: %d\n", zero);
    SHOW(cuMemFreeHost((char *)p + 64));
    SHOW(cuMemHostUnregister(p));
    SHOW(cuMemFree(ADDRESS(p)));
    SHOW(cuMemFreeHost(p));
    SHOW(cuMemFreeHost(p));
    tell("freed", p);
    SHOW(cuMemFreeHost(NULL));
    int own;
    SHOW(cuMemFreeHost(&own));
}

/* The host writes, the device fills, the host sees it. */
static void mapped(void)
{
    unsigned char *p = NULL;
    CUdeviceptr d = 0;
    if (cuMemHostAlloc((void **)&p, 4096, CU_MEMHOSTALLOC_DEVICEMAP)) exit(1);
    SHOW(cuMemHostGetDevicePointer(&d, p, 1));
    SHOW(cuMemHostGetDevicePointer(NULL, p, 0));
    SHOW(cuMemHostGetDevicePointer(&d, p, 0));
    memset(p, 1, 4096);
    SHOW(cuMemsetD16(d + 2, 0x0203, 4));
    printf("%d %d %d %d %d\n", p[0], p[2], p[3], p[9], p[10]);
    SHOW(cuMemFreeHost(p));
}

static void registered(void)
{
    char *p = pages(65536);
    CUdeviceptr d = 0;
    if (cuMemAlloc(&d, 65536)) exit(1);
    memset(p, 7, 65536);
    tell("not registered", p);
    SHOW(cuMemHostRegister(p + 100, 5000, CU_MEMHOSTREGISTER_PORTABLE));
    tell("first byte", p + 100);
    tell("last byte", p + 5099);
    tell("behind it", p + 5100);
    tell("before it", p + 99);
    SHOW(cuMemHostRegister(p + 100, 5000, 0));
    SHOW(cuMemHostRegister(p + 5099, 1, 0));
    SHOW(cuMemHostRegister(p, 65536, 0));
    SHOW(cuMemHostRegister(p + 5200, 100, 0));
    SHOW(cuMemcpyHtoD(d, p + 100, 5000));
    SHOW(cuMemcpyHtoD(d, p + 100, 5001));
    SHOW(cuMemcpyHtoD(d, p, 100));
    SHOW(cuMemHostUnregister(p));
    SHOW(cuMemHostUnregister(p + 101));
    SHOW(cuMemFreeHost(p + 100));
    SHOW(cuMemHostUnregister(p + 100));
    SHOW(cuMemHostUnregister(p + 100));
    SHOW(cuMemHostUnregister(p + 5200));
    SHOW(cuMemHostUnregister(NULL));
    SHOW(cuMemHostUnregister(HOST(d)));
    printf("-- refused\n");
    SHOW(cuMemHostRegister(NULL, 4096, 0));
    SHOW(cuMemHostRegister(p, 0, 0));
    SHOW(cuMemHostRegister(p, 4096, 16));
    SHOW(cuMemHostRegister(p, 4096, CU_MEMHOSTREGISTER_IOMEMORY));
    SHOW(cuMemHostRegister(p, SIZE_MAX, 0));
    SHOW(cuMemHostRegister(p, (size_t)1 << 50, 0));
    SHOW(cuMemHostRegister(HOST(d), 65536, 0));
    munmap(p + 32768, 32768);
    SHOW(cuMemHostRegister(p, 65536, 0));
    SHOW(cuMemHostRegister(p, 32768, 0));
    SHOW(cuMemHostUnregister(p));
    mprotect(p, 32768, PROT_READ);
    SHOW(cuMemHostRegister(p, 32768, 0));
    SHOW(cuMemHostRegister(p, 32768, CU_MEMHOSTREGISTER_READ_ONLY));
    tell("read only", p);
    SHOW(cuMemcpyHtoD(d, p, 32768));
    SHOW(cuMemHostUnregister(p));
    munmap(p, 32768);
    SHOW(cuMemFree(d));
}

int main(void)
{
    start();
    allocated();
    mapped();
    registered();
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
