/* Makes calls of every kind until each succeeds, and prints what came of them: with rules by which calls fail now and then it is the
 * same as without, as calls that fail leave nothing behind. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PTX[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .global .u32 counter;\n"
                          ".visible .entry add(.param .u64 p, .param .u32 v)\n{\n.reg .u64 %a;\n.reg .u32 %v, %t, %x;\n"
                          "ld.param.u64 %a, [p];\nld.param.u32 %v, [v];\nmov.u32 %t, %tid.x;\nmad.wide.u32 %a, %t, 4, %a;\n"
                          "ld.global.u32 %x, [%a];\nadd.u32 %x, %x, %v;\nst.global.u32 [%a], %x;\nret;\n}\n";

static int failures;

static int number;

/* A call that may fail some times before it succeeds. */
#define R(call)                                                        \
    do {                                                               \
        int tries_ = 0;                                                \
        CUresult r_;                                                   \
        while ((r_ = (call)) != CUDA_SUCCESS && ++tries_ < 30) failures++; \
        if (r_) {                                                      \
            printf("failed=%s %d\n", #call, r_);                       \
            exit(1);                                                   \
        }                                                              \
    } while (0)

static void called(void *argument) { (*(int *)argument)++; }

static CUdevice device;
static CUcontext context;

static size_t held(void)
{
    size_t left, total;
    R(cuMemGetInfo(&left, &total));
    return total - left;
}

static void memory(void)
{
    CUdeviceptr a, b, m;
    size_t size;
    void *host;
    unsigned char back[64] = {0};
    R(cuMemAlloc(&a, 4096));
    R(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
    R(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    memset(host, 3, 4096);
    R(cuMemsetD8(a, 1, 4096));
    R(cuMemcpyHtoD(a, host, 16));
    R(cuMemsetD32(a + 16, 0x05050505, 4));
    R(cuMemcpyDtoD(m, a, 64));
    R(cuMemcpyDtoH(back, m, 64));
    R(cuMemGetAddressRange(&b, &size, a + 100));
    printf("memory %d=%d %d %d, block %zu at %d\n", number, back[0], back[16], back[40], size, b == a);
    CUdevice of;
    R(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a));
    R(cuMemFreeHost(host));
    R(cuMemFree(m));
    R(cuMemFree(a));
}

static void pitched(void)
{
    CUdeviceptr b;
    size_t pitch;
    unsigned char back[32] = {0};
    R(cuMemAllocPitch(&b, &pitch, 100, 10, 4));
    R(cuMemsetD2D8(b, pitch, 9, 4, 4));
    CUDA_MEMCPY2D c = {0};
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = b, c.srcPitch = pitch;
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = back, c.dstPitch = 8;
    c.WidthInBytes = 4, c.Height = 4;
    R(cuMemcpy2D(&c));
    printf("pitched %d=%d %d %d\n", number, back[0], back[4], back[24]);
    R(cuMemFree(b));
}

static void arrays(void)
{
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR d = {16, 4, CU_AD_FORMAT_FLOAT, 1}, asked = {0};
    float row[16], back[16] = {0};
    for (int i = 0; i < 16; i++) row[i] = (float)i;
    R(cuArrayCreate(&array, &d));
    R(cuMemcpyHtoA(array, 0, row, sizeof row));
    R(cuMemcpyAtoH(back, array, 0, sizeof back));
    R(cuArrayGetDescriptor(&asked, array));
    CUDA_RESOURCE_DESC resource = {0};
    CUDA_TEXTURE_DESC texture = {0};
    CUtexObject object;
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    R(cuTexObjectCreate(&object, &resource, &texture, 0));
    R(cuTexObjectDestroy(object));
    printf("arrays %d=%g %zu\n", number, back[15], asked.Width);
    R(cuArrayDestroy(array));
}

static void streams(void)
{
    CUstream stream;
    CUevent event;
    CUdeviceptr a;
    CUmodule module;
    CUfunction add;
    unsigned v = 2, back[32] = {0};
    int calls = 0;
    R(cuModuleLoadData(&module, PTX));
    R(cuModuleGetFunction(&add, module, "add"));
    R(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    R(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    R(cuMemAllocAsync(&a, 128, stream));
    R(cuMemsetD32Async(a, 1, 32, stream));
    void *arguments[] = {&a, &v};
    for (int i = 0; i < 3; i++) R(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, arguments, 0));
    R(cuLaunchHostFunc(stream, called, &calls));
    R(cuEventRecord(event, stream));
    R(cuStreamWaitEvent(stream, event, 0));
    R(cuMemcpyDtoHAsync(back, a, 128, stream));
    R(cuStreamSynchronize(stream));
    R(cuEventSynchronize(event));
    R(cuEventQuery(event));
    CUgraph graph;
    CUgraphExec exec;
    size_t nodes = 0;
    R(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    R(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, arguments, 0));
    R(cuMemcpyDtoHAsync(back, a, 128, stream));
    R(cuStreamEndCapture(stream, &graph));
    R(cuGraphGetNodes(graph, 0, &nodes));
    printf("streams %d=%u %u, %d calls, %zu nodes\n", number, back[0], back[31], calls, nodes);
    R(cuGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) R(cuGraphLaunch(exec, stream));
    R(cuStreamSynchronize(stream));
    printf("graphs %d=%u %u\n", number, back[0], back[31]);
    R(cuGraphExecDestroy(exec));
    R(cuGraphDestroy(graph));
    CUdeviceptr counter;
    size_t bytes;
    R(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
    R(cuMemFreeAsync(a, stream));
    R(cuStreamSynchronize(stream));
    R(cuEventDestroy(event));
    R(cuStreamDestroy(stream));
    R(cuModuleUnload(module));
    printf("globals %d=%zu\n", number, bytes);
}

static void mapped(void)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp p = {0};
    CUmemAccessDesc access = {0};
    CUdeviceptr at;
    size_t size = (size_t)2 << 20, granularity = 0;
    unsigned char back = 0;
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    R(cuMemGetAllocationGranularity(&granularity, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    R(cuMemAddressReserve(&at, size, 0, 0, 0));
    R(cuMemCreate(&handle, size, &p, 0));
    R(cuMemMap(at, size, 0, handle, 0));
    R(cuMemSetAccess(at, size, &access, 1));
    R(cuMemsetD8(at, 77, size));
    R(cuMemcpyDtoH(&back, at + size - 1, 1));
    R(cuMemUnmap(at, size));
    R(cuMemRelease(handle));
    R(cuMemAddressFree(at, size));
    printf("mapped %d=%d\n", number, back);
}

int main(void)
{
    R(cuInit(0));
    R(cuDeviceGet(&device, 0));
    R(cuDevicePrimaryCtxRetain(&context, device));
    R(cuCtxSetCurrent(context));
    /* What the first use of each takes for good. */
    for (int round = 0; round < 2; round++) {
        CUmemoryPool pool;
        size_t before = held();
        number = round;
        memory();
        pitched();
        arrays();
        streams();
        mapped();
        R(cuDeviceGetMemPool(&pool, device));
        R(cuMemPoolTrimTo(pool, 0));
        R(cuDeviceGraphMemTrim(device));
        R(cuCtxSynchronize());
        if (round) printf("used=%zd\n", (ssize_t)(held() - before));
    }
    R(cuDevicePrimaryCtxRelease(device));
    fprintf(stderr, "%d failures\n", failures);
    return 0;
}
