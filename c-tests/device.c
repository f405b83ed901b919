/* Device queries: what every device answers, whatever it is. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

int main(void)
{
    int n = -1, v = -1, major = 0, minor = 0;
    CUdevice dev = -1, again = -1;
    SHOW(cuDeviceGetCount(&n));
    SHOW(cuInit(1));
    SHOW(cuInit(0));
    SHOW(cuDeviceGetCount(&n));
    SHOW(cuDeviceGetCount(NULL));
    SHOW(cuDeviceGet(&dev, 0));
    SHOW(cuDeviceGet(&dev, n));
    SHOW(cuDeviceGet(&dev, -1));
    SHOW(cuDeviceGet(NULL, 0));
    printf("handle unchanged by errors: %d\n", dev == 0);

    /* Names are cut short, PCI addresses must fit. */
    char full[256], part[256];
    memset(part, '#', sizeof part);
    SHOW(cuDeviceGetName(full, sizeof full, dev));
    SHOW(cuDeviceGetName(part, 5, dev));
    printf("beginning of the name: %d, nothing behind it: %d\n", !memcmp(full, part, 4) && !part[4], part[5] == '#');
    SHOW(cuDeviceGetName(part, 64, n));

    char bus[64], shape[64];
    unsigned domain, b, d;
    SHOW(cuDeviceGetPCIBusId(bus, sizeof bus, dev));
    printf("PCI address reads back: %d\n", sscanf(bus, "%x:%x:%x.0", &domain, &b, &d) == 3 && strlen(bus) == 12);
    SHOW(cuDeviceGetPCIBusId(part, 12, dev));
    SHOW(cuDeviceGetByPCIBusId(&again, bus));
    printf("same device: %d\n", again == dev);
    snprintf(shape, sizeof shape, "%x:%x:%x", domain, b, d);
    again = -1;
    SHOW(cuDeviceGetByPCIBusId(&again, shape));
    printf("same device: %d\n", again == dev);
    snprintf(shape, sizeof shape, "%x:%x:%x.0 ", domain, b, d);
    SHOW(cuDeviceGetByPCIBusId(&again, "hello"));
    SHOW(cuDeviceGetByPCIBusId(&again, ""));
    SHOW(cuDeviceGetByPCIBusId(&again, NULL));
    SHOW(cuDeviceGetByPCIBusId(&again, "0000:fe:1f.7"));

    /* Identity is stable and the same by both functions. */
    CUuuid u1, u2;
    SHOW(cuDeviceGetUuid(&u1, dev));
    SHOW(cuDeviceGetUuid_v2(&u2, dev));
    printf("same identity: %d\n", !memcmp(&u1, &u2, sizeof u1));
    SHOW(cuDeviceGetUuid(NULL, dev));

    size_t bytes = 1;
    SHOW(cuDeviceTotalMem(&bytes, dev));
    printf("has memory: %d\n", bytes > 0);
    SHOW(cuDeviceTotalMem(&bytes, n));
    printf("zeroed on error: %d\n", bytes == 0);

    /* One fact, several ways to it. */
    CUdevprop p;
    SHOW(cuDeviceGetProperties(&p, dev));
    SHOW(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, dev));
    printf("same: %d\n", v == p.maxThreadsPerBlock);
    SHOW(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, dev));
    printf("same: %d, warp of %d\n", v == p.SIMDWidth, v);
    SHOW(cuDeviceComputeCapability(&major, &minor, dev));
    cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev);
    printf("same: %d\n", v == major);
    v = 77;
    SHOW(cuDeviceGetAttribute(&v, (CUdevice_attribute)0, dev));
    SHOW(cuDeviceGetAttribute(&v, (CUdevice_attribute)1000000, dev));
    SHOW(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, n));
    SHOW(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, dev));
    printf("untouched by errors: %d\n", v == 77);

    /* Linear textures: narrow elements are limited by their number, wide ones by their bytes. */
    size_t narrow = 0, wide = 0;
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&narrow, CU_AD_FORMAT_UNSIGNED_INT8, 1, dev));
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&wide, CU_AD_FORMAT_FLOAT, 4, dev));
    printf("wide ones are fewer: %d\n", wide > 0 && wide < narrow);
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&wide, CU_AD_FORMAT_FLOAT, 3, dev));
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&wide, (CUarray_format)0, 1, dev));

    SHOW(cuDeviceGetExecAffinitySupport(&v, CU_EXEC_AFFINITY_TYPE_SM_COUNT, dev));
    printf("execution affinity: %d\n", v);

    CUatomicOperation operations[2] = { CU_ATOMIC_OPERATION_INTEGER_ADD, (CUatomicOperation)99 };
    unsigned capabilities[2] = { 55, 55 };
    SHOW(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 1, dev));
    SHOW(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 0, dev));
    SHOW(cuDeviceGetHostAtomicCapabilities(NULL, operations, 1, dev));
    SHOW(cuDeviceGetHostAtomicCapabilities(capabilities, operations + 1, 1, dev));

    SHOW(cuDeviceCanAccessPeer(&v, dev, dev));
    printf("a device is no peer of itself: %d\n", v == 0);
    SHOW(cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, dev, dev));
    SHOW(cuDeviceCanAccessPeer(&v, dev, n));
    return 0;
}
