/* A kernel fails: what each call answers then, in its context, in others and in other threads. */
#include "check.h"
#include <pthread.h>

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
#define KERNEL(name, body) ".visible .entry " name "(.param .u64 p) {\n.reg .u64 %rd<4>; .reg .u32 %r<4>; .reg .pred %q<2>;\nld.param.u64 %rd1, [p];\n" body " ret; }\n"
static const char code[] = HEAD ".visible .global .u32 place;\n"
    KERNEL("fine", "mov.u32 %r1, 5; st.global.u32 [%rd1], %r1;")
    KERNEL("store", "mov.u64 %rd2, 64; st.global.u32 [%rd2], 5;")
    KERNEL("odd", "st.global.u32 [%rd1+1], 5;")
    KERNEL("traps", "trap;")
    ".func target() { ret; }\n"
    KERNEL("jumps", "mov.u64 %rd2, 0x123456; proto: .callprototype _ (); call %rd2, (), proto;");

static CUmodule module;
static CUdeviceptr room;
static const char *bad = "traps";

static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}
static CUfunction fine, fails;
static void load(void)
{
    OK(cuModuleLoadData(&module, code));
    fine = function("fine");
    fails = function(bad);
    OK(cuMemAlloc(&room, 4096));
}
static CUresult launch(CUfunction f, CUstream s)
{
    return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, (void *[]){&room}, NULL);
}
/* Whether the current context works. */
#define TRY(what, call) do { CUresult r_ = (call); if (r_) { printf("  " #what ": %s\n", name(r_)); return; } } while (0)
static void works(void)
{
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    unsigned v = 0;
    TRY(cuModuleLoadData, cuModuleLoadData(&m, code));
    TRY(cuModuleGetFunction, cuModuleGetFunction(&f, m, "fine"));
    TRY(cuMemAlloc, cuMemAlloc(&p, 4));
    TRY(cuLaunchKernel, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    TRY(cuMemcpyDtoH, cuMemcpyDtoH(&v, p, 4));
    printf("  works: %u\n", v);
}

/* Another context of the device. */
static void idle_other(void)
{
    CUcontext first, second;
    OK(cuInit(0));
    OK(cuCtxCreate(&second, NULL, 0, 0));
    OK(cuCtxCreate(&first, NULL, 0, 0));
    load();
    SHOW(launch(fails, NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxSetCurrent(second));
    SHOW(cuCtxSynchronize());
    works();
    SHOW(cuCtxDestroy(first));
    SHOW(cuCtxSynchronize());
    works();
}

/* Every call that a program may make with a failed context. */
static void CUDA_CB nothing(void *p) { (void)p; }
static void CUDA_CB told(CUstream s, CUresult r, void *p) { (void)s; (void)p; printf("told %s\n", name(r)); }
static void calls(void)
{
    CUcontext c = begin(), other;
    CUstream s, t;
    CUevent e, e2;
    CUgraph g, g2;
    CUgraphExec x;
    CUgraphNode node, last;
    CUdeviceptr p = 0, q;
    CUmodule m;
    CUlibrary lib;
    CUkernel k;
    CUfunction f;
    CUfunc_cache cache;
    CUlinkState link;
    CUarray a, a2;
    CUtexObject tex;
    CUsurfObject surf;
    CUmemoryPool pool;
    CUmemGenericAllocationHandle h;
    CUdevice d;
    static char page[8192] __attribute__((aligned(4096)));
    void *host, *v;
    unsigned u = 0, flags;
    int n, lo, hi;
    size_t size, total;
    float ms;
    unsigned long long id;
    load();
    OK(cuStreamCreate(&s, 0));
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&e2, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&last, g, NULL, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuMemHostAlloc(&host, 4096, 0));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    OK(cuMemAllocAsync(&p, 4096, s));
    OK(cuStreamSynchronize(s));
    OK(cuEventRecord(e, s));
    OK(cuEventRecord(e2, s));
    OK(cuEventSynchronize(e2));
    CUDA_ARRAY_DESCRIPTOR ad = {16, 16, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUDA_ARRAY3D_DESCRIPTOR ad3 = {16, 16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, CUDA_ARRAY3D_SURFACE_LDST};
    OK(cuArray3DCreate(&a, &ad3));
    CUDA_RESOURCE_DESC rd = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUDA_TEXTURE_DESC td = {.addressMode = {0}};
    OK(cuTexObjectCreate(&tex, &rd, &td, NULL));
    OK(cuSurfObjectCreate(&surf, &rd));
    OK(cuLibraryLoadData(&lib, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&k, lib, "fine"));
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}};
    OK(cuMemHostRegister(page, 4096, 0));
    CUDA_MEMCPY2D box = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = page, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = page + 4096};
    box.WidthInBytes = 4, box.Height = 1;
    SHOW(launch(fails, NULL));
    SHOW(cuCtxSynchronize());
    printf("device\n");
    SHOW(cuInit(0));
    SHOW(cuDriverGetVersion(&n));
    SHOW(cuDeviceGet(&d, 0));
    SHOW(cuDeviceGetCount(&n));
    SHOW(cuDeviceTotalMem(&size, 0));
    SHOW(cuDeviceGetAttribute(&n, 1, 0));
    SHOW(cuDeviceGetMemPool(&pool, 0));
    SHOW(cuDeviceGetDefaultMemPool(&pool, 0));
    SHOW(cuDeviceSetMemPool(0, pool));
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&size, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0));
    SHOW(cuDeviceCanAccessPeer(&n, 0, 0));
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &n));
    SHOW(cuDevicePrimaryCtxSetFlags(0, 0));
    SHOW(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &size));
    SHOW(cuDeviceGraphMemTrim(0));
    printf("context\n");
    SHOW(cuCtxGetDevice(&d));
    SHOW(cuCtxGetCurrent(&c));
    SHOW(cuCtxGetFlags(&flags));
    SHOW(cuCtxSetFlags(0));
    SHOW(cuCtxGetId(c, &id));
    SHOW(cuCtxGetApiVersion(c, &u));
    SHOW(cuCtxGetCacheConfig(&cache));
    SHOW(cuCtxSetCacheConfig(0));
    SHOW(cuCtxGetStreamPriorityRange(&lo, &hi));
    SHOW(cuCtxGetLimit(&size, 0));
    SHOW(cuCtxSetLimit(0, 2048));
    SHOW(cuCtxResetPersistingL2Cache());
    SHOW(cuCtxPushCurrent(c));
    SHOW(cuCtxPopCurrent(&c));
    SHOW(cuCtxSetCurrent(c));
    SHOW(cuCtxRecordEvent(c, e));
    SHOW(cuCtxWaitEvent(c, e));
    SHOW(cuCtxCreate(&other, NULL, 0, 0));
    SHOW(cuDevicePrimaryCtxRetain(&c, 0));
    SHOW(cuCtxEnablePeerAccess(c, 0));
    printf("module\n");
    SHOW(cuModuleLoadData(&m, code));
    SHOW(cuModuleGetFunction(&f, module, "fine"));
    SHOW(cuModuleGetGlobal(&q, &size, module, "place"));
    SHOW(cuModuleGetFunctionCount(&u, module));
    SHOW(cuModuleGetLoadingMode((CUmoduleLoadingMode *)&u));
    SHOW(cuModuleEnumerateFunctions(&f, 1, module));
    SHOW(cuLinkCreate(0, NULL, NULL, &link));
    SHOW(cuFuncGetAttribute(&n, 0, fine));
    SHOW(cuFuncSetAttribute(fine, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 16));
    SHOW(cuFuncSetCacheConfig(fine, 0));
    SHOW(cuFuncGetModule(&m, fine));
    const char *nm;
    SHOW(cuFuncGetName(&nm, fine));
    SHOW(cuFuncGetParamInfo(fine, 0, &size, NULL));
    SHOW(cuFuncIsLoaded((CUfunctionLoadingState *)&u, fine));
    SHOW(cuFuncLoad(fine));
    SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, fine, 32, 0));
    SHOW(cuOccupancyAvailableDynamicSMemPerBlock(&size, fine, 1, 32));
    SHOW(cuOccupancyMaxPotentialBlockSize(&n, &lo, fine, NULL, 0, 0));
    SHOW(cuLibraryGetKernel(&k, lib, "fine"));
    SHOW(cuLibraryGetModule(&m, lib));
    SHOW(cuLibraryGetGlobal(&q, &size, lib, "place"));
    SHOW(cuKernelGetFunction(&f, k));
    SHOW(cuKernelGetAttribute(&n, 0, k, 0));
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 16, k, 0));
    SHOW(cuKernelGetName(&nm, k));
    SHOW(cuKernelGetLibrary(&lib, k));
    SHOW(cuKernelGetParamInfo(k, 0, &size, NULL));
    SHOW(cuLibraryGetKernelCount(&u, lib));
    CUlibrary lib2 = NULL;
    SHOW(cuLibraryLoadData(&lib2, code, NULL, NULL, 0, NULL, NULL, 0));
    if (lib2) SHOW(cuLibraryUnload(lib2));
    printf("memory\n");
    SHOW(cuMemGetInfo(&size, &total));
    SHOW(cuMemAlloc(&q, 16));
    SHOW(cuMemAllocPitch(&q, &size, 16, 16, 4));
    SHOW(cuMemAllocManaged(&q, 16, 1));
    SHOW(cuMemAllocHost(&v, 16));
    SHOW(cuMemHostAlloc(&v, 16, 0));
    SHOW(cuMemGetAddressRange(&q, &size, room));
    SHOW(cuMemHostGetDevicePointer(&q, host, 0));
    SHOW(cuMemHostGetFlags(&u, host));
    SHOW(cuMemHostRegister(page + 4096, 4096, 0));
    SHOW(cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, room));
    SHOW(cuPointerSetAttribute(&(int){1}, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, room));
    SHOW(cuPointerGetAttributes(1, (CUpointer_attribute[]){CU_POINTER_ATTRIBUTE_MEMORY_TYPE}, (void *[]){&n}, room));
    SHOW(cuMemcpy(room, room + 64, 16));
    SHOW(cuMemcpyHtoD(room, page, 16));
    SHOW(cuMemcpyDtoH(page, room, 16));
    SHOW(cuMemcpyDtoD(room, room + 64, 16));
    SHOW(cuMemcpyHtoDAsync(room, page, 16, s));
    SHOW(cuMemcpyHtoA(a, 0, page, 16));
    SHOW(cuMemcpy2D(&box));
    SHOW(cuMemcpyHtoD(room, page, 0));
    SHOW(cuMemsetD8(room, 0, 4));
    SHOW(cuMemsetD8Async(room, 0, 4, s));
    SHOW(cuMemsetD8(room, 0, 0));
    SHOW(cuMemcpyHtoD(0x123, page, 4));
    SHOW(cuMemCreate(&h, 2 << 20, &prop, 0));
    SHOW(cuMemAddressReserve(&q, 2 << 20, 0, 0, 0));
    SHOW(cuMemGetAllocationGranularity(&size, &prop, 0));
    SHOW(cuMemAllocAsync(&q, 16, s));
    SHOW(cuMemFreeAsync(p, s));
    SHOW(cuMemPoolTrimTo(pool, 0));
    SHOW(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &size));
    CUmemPoolProps pp = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}};
    SHOW(cuMemPoolCreate(&pool, &pp));
    CUipcMemHandle ih;
    SHOW(cuIpcGetMemHandle(&ih, room)); CUipcEventHandle ie;
    SHOW(cuIpcGetEventHandle(&ie, e));
    printf("arrays\n");
    SHOW(cuArrayCreate(&a2, &ad));
    SHOW(cuArrayGetDescriptor(&ad, a));
    SHOW(cuArray3DGetDescriptor(&ad3, a));
    SHOW(cuTexObjectGetResourceDesc(&rd, tex)); CUtexObject tex2;
    SHOW(cuTexObjectCreate(&tex2, &rd, &td, NULL));
    SHOW(cuSurfObjectGetResourceDesc(&rd, surf)); CUtexref tr;
    SHOW(cuTexRefCreate(&tr));
    printf("streams\n");
    SHOW(cuStreamCreate(&t, 0));
    SHOW(cuStreamCreateWithPriority(&t, 0, 0));
    SHOW(cuStreamGetFlags(s, &u));
    SHOW(cuStreamGetPriority(s, &n));
    SHOW(cuStreamGetCtx(s, &c));
    SHOW(cuStreamGetId(s, &id));
    SHOW(cuStreamQuery(s));
    SHOW(cuStreamSynchronize(s));
    SHOW(cuStreamWaitEvent(s, e, 0));
    SHOW(cuStreamAddCallback(s, told, NULL, 0));
    SHOW(cuLaunchHostFunc(s, nothing, NULL));
    SHOW(cuStreamWriteValue32(s, room, 1, 0));
    SHOW(cuStreamBeginCapture(s, 0));
    SHOW(cuStreamIsCapturing(s, (CUstreamCaptureStatus *)&u));
    SHOW(cuStreamEndCapture(s, &g2));
    SHOW(cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode[]){0}));
    SHOW(cuStreamAttachMemAsync(s, room, 0, CU_MEM_ATTACH_GLOBAL)); CUstreamAttrValue sav;
    SHOW(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &sav));
    SHOW(cuEventCreate(&e2, 0));
    SHOW(cuEventQuery(e));
    SHOW(cuEventRecord(e, s));
    SHOW(cuEventSynchronize(e));
    SHOW(cuEventElapsedTime(&ms, e, e2));
    SHOW(launch(fine, s));
    SHOW(launch(NULL, s));
    SHOW(cuLaunchKernel(fine, 0, 1, 1, 1, 1, 1, 0, s, NULL, NULL));
    printf("graphs\n");
    SHOW(cuGraphCreate(&g2, 0));
    SHOW(cuGraphAddEmptyNode(&node, g, NULL, 0));
    CUDA_KERNEL_NODE_PARAMS kp = {.func = fine, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    kp.kernelParams = (void *[]){&room};
    SHOW(cuGraphAddKernelNode(&node, g, NULL, 0, &kp));
    SHOW(cuGraphAddHostNode(&node, g, NULL, 0, &(CUDA_HOST_NODE_PARAMS){nothing, NULL}));
    size = 0;
    SHOW(cuGraphGetNodes(g, NULL, &size));
    SHOW(cuGraphGetEdges(g, NULL, NULL, NULL, &size));
    SHOW(cuGraphNodeGetType(last, (CUgraphNodeType *)&u));
    SHOW(cuGraphClone(&g2, g)); CUgraphExec x2;
    SHOW(cuGraphInstantiate(&x2, g, 0));
    SHOW(cuGraphLaunch(x, s));
    SHOW(cuGraphUpload(x, s));
    SHOW(cuGraphDestroyNode(last));
    SHOW(cuGraphExecGetFlags(x, (cuuint64_t *)&id));
    SHOW(cuGraphExecDestroy(x));
    SHOW(cuGraphDestroy(g));
    printf("freeing\n");
    SHOW(cuTexObjectDestroy(tex));
    SHOW(cuSurfObjectDestroy(surf));
    SHOW(cuArrayDestroy(a));
    SHOW(cuMemFreeHost(host));
    SHOW(cuMemHostUnregister(page));
    SHOW(cuMemFree(room));
    SHOW(cuMemFree(0));
    SHOW(cuEventDestroy(e));
    SHOW(cuStreamDestroy(s));
    SHOW(cuModuleUnload(module));
    SHOW(cuLibraryUnload(lib));
    SHOW(cuEventDestroy(e));
    SHOW(cuStreamDestroy(s));
    SHOW(cuEventDestroy(NULL));
    SHOW(cuStreamDestroy(NULL));
    SHOW(cuModuleUnload(NULL));
    SHOW(cuModuleUnload(module));
    SHOW(cuFuncGetAttribute(&n, 0, NULL));
    SHOW(cuFuncGetAttribute(NULL, 0, fine));
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuCtxSynchronize());
}
static void *thread(void *p)
{
    CUcontext c;
    int n;
    SHOW(cuDeviceGetCount(&n));
    SHOW(cuDevicePrimaryCtxRetain(&c, 0));
    SHOW(cuCtxSynchronize());
    return p;
}
static void other_thread(void)
{
    pthread_t t;
    begin();
    load();
    SHOW(launch(fails, NULL));
    SHOW(cuCtxSynchronize());
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
}

int main(void)
{
    static const char *const kinds[] = {"traps", "store", "odd", "jumps"};
    setenv("DOPPEL_LOG", "off", 1);
    apart("calls", calls);
    apart("another thread", other_thread);
    for (int i = 0; i < 4; i++) {
        bad = kinds[i];
        printf("\n%s\n", bad);
        apart("an idle context", idle_other);
    }
    return 0;
}
