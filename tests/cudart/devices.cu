// Devices, versions, limits, flags, the primary context's life, texts of errors, driver entry points.
#include "say.h"

int main(void)
{
    SAY(cudaPeekAtLastError());
    int count = -1, device = -1, version = 0, value = -1;
    SAY(cudaGetDeviceCount(&count));
    SAY(cudaGetDevice(&device));
    printf("%s, device %d\n", count >= 1 ? "devices" : "NO DEVICE", device);
    SAY(cudaSetDevice(-1));
    SAY(cudaSetDevice(count));
    cudaError_t last = cudaGetLastError();
    printf("last: %s %s\n", cudaGetErrorName(last), cudaGetErrorString(last));
    SAY(cudaSetDevice(0));
    SAY(cudaRuntimeGetVersion(&version));
    printf("%s\n", version == CUDART_VERSION ? "that of the header" : "ANOTHER VERSION");
    SAY(cudaGetDeviceCount(NULL));
    SAY(cudaGetDevice(NULL));

    puts("properties");
    struct cudaDeviceProp p;
    memset(&p, 0xff, sizeof p);
    SAY(cudaGetDeviceProperties(&p, 0));
    struct {
        enum cudaDeviceAttr attribute;
        long long value;
    } same[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p.sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, (long long)p.totalConstMem},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
        {cudaDevAttrMaxSurface2DLayeredLayers, p.maxSurface2DLayered[2]},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (long long)p.sharedMemPerMultiprocessor},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrReservedSharedMemoryPerBlock, (long long)p.reservedSharedMemPerBlock},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrMemoryPoolSupportedHandleTypes, p.memoryPoolSupportedHandleTypes},
        {cudaDevAttrIpcEventSupport, p.ipcEventSupported},
        {cudaDevAttrClusterLaunch, p.clusterLaunch},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        MUST(cudaDeviceGetAttribute(&value, same[i].attribute, 0));
        if (value != same[i].value) printf("attribute %d: %d is not %lld\n", (int)same[i].attribute, value, same[i].value);
    }
    size_t free_bytes, total;
    MUST(cudaMemGetInfo(&free_bytes, &total));
    printf("%s %s\n", total == p.totalGlobalMem ? "same" : "ANOTHER", free_bytes <= total ? "plausible" : "IMPOSSIBLE");
    SAY(cudaGetDeviceProperties(&p, count));
    SAY(cudaGetDeviceProperties(NULL, 0));
    SAY(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    SAY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count));
    char id[32];
    SAY(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    SAY(cudaDeviceGetByPCIBusId(&device, id));
    printf("device %d\n", device);
    SAY(cudaChooseDevice(&device, &p));

    puts("limits and flags");
    size_t limit;
    unsigned flags;
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    printf("%zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, (enum cudaLimit)77));
    SAY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    SAY(cudaGetDeviceFlags(&flags));
    printf("%u\n", flags & cudaDeviceScheduleMask);
    SAY(cudaSetDeviceFlags(3));
    SAY(cudaSetDeviceFlags(0x1000));
    int can = -1;
    SAY(cudaDeviceCanAccessPeer(&can, 0, 0));
    printf("%d\n", can);
    SAY(cudaDeviceEnablePeerAccess(0, 0));

    puts("reset");
    void *m;
    MUST(cudaMalloc(&m, 100));
    SAY(cudaMemset(NULL, 0, 3));
    SAY(cudaDeviceReset());
    SAY(cudaPeekAtLastError());
    SAY(cudaMalloc(&m, 100));
    SAY(cudaMemset(m, 0, 100));
    SAY(cudaFree(m));
    SAY(cudaDeviceSynchronize());

    puts("entry points");
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult result;
    SAY(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault, &result));
    printf("%s %d\n", function ? "found" : "not found", (int)result);
    SAY(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &function, 12000, cudaEnableDefault, &result));
    printf("%s %d\n", function ? "found" : "not found", (int)result);

    puts("texts");
    int codes[] = {0, 1, 2, 3, 11, 12, 21, 35, 98, 100, 101, 201, 400, 500, 600, 700, 719, 801, 999, 12345};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        printf("%d: %s: %s\n", codes[i], cudaGetErrorName((cudaError_t)codes[i]), cudaGetErrorString((cudaError_t)codes[i]));
    return 0;
}
