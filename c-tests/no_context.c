/* Calls with objects of one context, made with that context current, with another one, and with none. A stream that was
 * created brings its context with it: only the differences are shown. */
#include "check.h"
#include <cudaProfiler.h>
#include <stdint.h>
#undef cuMemPrefetchAsync
#undef cuMemAdvise

static CUcontext c1, c2;
static CUdevice dev;
static CUstream s1;
static CUevent e1, e1b, e2;
static CUdeviceptr a, b, man, pl;
static CUarray arr;
static CUmipmappedArray mip;
static CUmodule mod;
static CUfunction f;
static CUlibrary lib;
static CUkernel kern;
static CUgraph g;
static CUgraphExec x;
static CUmemoryPool pool;
static CUtexObject tex;
static CUsurfObject surf;
static CUtexref tr;
static CUmemLocation loc = { .type = CU_MEM_LOCATION_TYPE_DEVICE };
static char *h, pg[65536];

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .u32 gl;\n"
    ".visible .entry k(.param .u64 p) { .reg .u64 %p; ld.param.u64 %p, [p]; st.global.u32 [%p], 7; ret; }\n"
    ".visible .entry em() { ret; }\n";

static int calls;
static void CUDA_CB host_function(void *p) { (void)p; __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED); }
static void CUDA_CB callback(CUstream s, CUresult r, void *p) { (void)s, (void)r; host_function(p); }

/* What a call writes its results to, and what became of it. */
static uint64_t v[64];
#define OUT ((void *)v)
#define OUT2 ((void *)(v + 1))
static void poison(void) { memset(v, 0xa5, sizeof v); }
static int is_written(void) { return v[0] != 0xa5a5a5a5a5a5a5a5 && v[0]; }
static const char *state(void)
{
    uint32_t low = (uint32_t)v[0];
    return low == 0xa5a5a5a5 ? "" : !low ? " zero" : " written";
}

/* The answers of the current round, and those with the objects' context current. */
enum { MOST = 400 };
static struct answer { CUresult r; const char *state; int used; } answers[2][MOST];
static int count, round_, differences, without, brief;
static void note(const char *call, CUresult r)
{
    struct answer *now = &answers[round_ > 0][count], *then = &answers[0][count];
    if (++count > MOST) exit(1);
    now->r = r, now->state = state(), now->used = 1;
    if (!round_) {
        if (r && !brief) printf("  %s: %s%s\n", call, name(r), now->state);
    } else if (brief && r == CUDA_ERROR_INVALID_CONTEXT && !*now->state) {
        without++;
    } else if (then->r != r || strcmp(then->state, now->state)) {
        printf("  %s: %s%s\n", call, name(r), now->state);
        differences++;
    }
}
#define CALL(call) (poison(), note(#call, call))

/* Frees what the call before has made. */
static void free_made(CUstream s)
{
    CUdeviceptr made = is_written() ? v[0] : 0;
    if (made) CALL(cuMemFreeAsync(made, s));
    else count++;
}

static void wait_for_all(void)
{
    CUcontext was;
    OK(cuCtxGetCurrent(&was));
    OK(cuCtxSetCurrent(c1));
    OK(cuCtxSynchronize());
    OK(cuCtxSetCurrent(c2));
    OK(cuCtxSynchronize());
    OK(cuCtxSetCurrent(was));
}

static void setup(void)
{
    CUstream s2;
    CUgraphNode node;
    CUDA_ARRAY3D_DESCRIPTOR d = { 64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, CUDA_ARRAY3D_SURFACE_LDST };
    CUDA_RESOURCE_DESC rd;
    CUDA_TEXTURE_DESC td;
    OK(cuInit(0));
    OK(cuDeviceGet(&dev, 0));
    OK(cuDevicePrimaryCtxRetain(&c1, dev));
    OK(cuCtxCreate_v2(&c2, 0, dev));
    OK(cuStreamCreate(&s2, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e2, 0));
    OK(cuCtxSetCurrent(c1));
    OK(cuStreamCreate(&s1, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e1, 0));
    OK(cuEventCreate(&e1b, 0));
    OK(cuMemAlloc(&a, 65536));
    OK(cuMemAlloc(&b, 65536));
    OK(cuMemAllocManaged(&man, 65536, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemHostAlloc((void **)&h, 65536, 0));
    OK(cuArray3DCreate(&arr, &d));
    OK(cuMipmappedArrayCreate(&mip, &d, 2));
    OK(cuModuleLoadData(&mod, ptx));
    OK(cuModuleGetFunction(&f, mod, "k"));
    OK(cuLibraryLoadData(&lib, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kern, lib, "em"));
    OK(cuGraphCreate(&g, 0));
    CUDA_MEMSET_NODE_PARAMS ms = { a, 0, 1, 1, 16, 1 };
    OK(cuGraphAddMemsetNode(&node, g, NULL, 0, &ms, c1));
    OK(cuGraphInstantiateWithFlags(&x, g, 0));
    OK(cuDeviceGetDefaultMemPool(&pool, dev));
    OK(cuMemAllocAsync(&pl, 65536, s1));
    memset(&rd, 0, sizeof rd), memset(&td, 0, sizeof td);
    rd.resType = CU_RESOURCE_TYPE_ARRAY, rd.res.array.hArray = arr;
    OK(cuTexObjectCreate(&tex, &rd, &td, NULL));
    OK(cuSurfObjectCreate(&surf, &rd));
    OK(cuTexRefCreate(&tr));
    wait_for_all();
}

static void streams(CUstream s)
{
    CALL(cuStreamQuery(s));
    CALL(cuStreamSynchronize(s));
    CALL(cuMemAllocAsync(OUT, 100, s));
    free_made(s);
    CALL(cuMemAllocFromPoolAsync(OUT, 100, pool, s));
    free_made(s);
    CALL(cuMemAllocAsync(OUT, 0, s));
    CALL(cuMemAllocAsync(OUT, 1ull << 50, s));
    CALL(cuMemAllocFromPoolAsync(OUT, 100, 0, s));
    CALL(cuMemFreeAsync(0, s));
    CALL(cuMemFreeAsync(16, s));
    CALL(cuMemcpyAsync(a, b, 64, s));
    CALL(cuMemcpyAsync((CUdeviceptr)h, b, 64, s));
    CALL(cuMemcpyAsync((CUdeviceptr)pg, b, 64, s));
    CALL(cuMemcpyAsync(a, b, 0, s));
    CALL(cuMemcpyAsync(0, b, 64, s));
    CALL(cuMemcpyAsync(pl, man, 64, s));
    CALL(cuMemcpyHtoDAsync(a, h, 64, s));
    CALL(cuMemcpyHtoDAsync(a, pg, 64, s));
    CALL(cuMemcpyHtoDAsync(a, h, 0, s));
    CALL(cuMemcpyHtoDAsync(0, 0, 64, s));
    CALL(cuMemcpyHtoDAsync(0, 0, 0, s));
    CALL(cuMemcpyDtoHAsync(h, a, 64, s));
    CALL(cuMemcpyDtoHAsync(pg, a, 64, s));
    CALL(cuMemcpyDtoDAsync(a, b, 64, s));
    CALL(cuMemcpyPeerAsync(a, c1, b, c1, 64, s));
    CALL(cuMemcpyPeerAsync(a, 0, b, 0, 64, s));
    CALL(cuMemcpyHtoAAsync(arr, 0, h, 64, s));
    CALL(cuMemcpyAtoHAsync(h, arr, 0, 64, s));
    CUDA_MEMCPY2D c2d = {0}; c2d.srcMemoryType = c2d.dstMemoryType = CU_MEMORYTYPE_DEVICE; c2d.srcDevice = a; c2d.dstDevice = b;
    c2d.srcPitch = c2d.dstPitch = 64; c2d.WidthInBytes = 16; c2d.Height = 2;
    CALL(cuMemcpy2DAsync(&c2d, s));
    c2d.srcMemoryType = CU_MEMORYTYPE_HOST; c2d.srcHost = h;
    CALL(cuMemcpy2DAsync(&c2d, s));
    c2d.dstMemoryType = CU_MEMORYTYPE_ARRAY; c2d.dstArray = arr;
    CALL(cuMemcpy2DAsync(&c2d, s));
    c2d.srcMemoryType = 99;
    CALL(cuMemcpy2DAsync(&c2d, s));
    CUDA_MEMCPY3D c3 = {0}; c3.srcMemoryType = c3.dstMemoryType = CU_MEMORYTYPE_DEVICE; c3.srcDevice = a; c3.dstDevice = b;
    c3.srcPitch = c3.dstPitch = 64; c3.srcHeight = c3.dstHeight = 4; c3.WidthInBytes = 16; c3.Height = 2; c3.Depth = 2;
    CALL(cuMemcpy3DAsync(&c3, s));
    CUDA_MEMCPY3D_PEER c3p = {0}; c3p.srcMemoryType = c3p.dstMemoryType = CU_MEMORYTYPE_DEVICE; c3p.srcDevice = a; c3p.dstDevice = b;
    c3p.srcPitch = c3p.dstPitch = 64; c3p.srcHeight = c3p.dstHeight = 4; c3p.WidthInBytes = 16; c3p.Height = 2; c3p.Depth = 2;
    c3p.srcContext = c3p.dstContext = c1;
    CALL(cuMemcpy3DPeerAsync(&c3p, s));
    c3p.srcContext = c3p.dstContext = 0;
    CALL(cuMemcpy3DPeerAsync(&c3p, s));
    CALL(cuMemsetD8Async(a, 1, 64, s));
    CALL(cuMemsetD16Async(a, 1, 32, s));
    CALL(cuMemsetD32Async(a, 1, 16, s));
    CALL(cuMemsetD8Async(man, 1, 64, s));
    CALL(cuMemsetD8Async((CUdeviceptr)h, 1, 64, s));
    CALL(cuMemsetD8Async(pl, 1, 64, s));
    CALL(cuMemsetD8Async(a, 1, 0, s));
    CALL(cuMemsetD8Async(0, 1, 64, s));
    CALL(cuMemsetD32Async(a + 1, 1, 16, s));
    CALL(cuMemsetD2D8Async(a, 64, 1, 8, 4, s));
    CALL(cuMemsetD2D16Async(a, 64, 1, 8, 4, s));
    CALL(cuMemsetD2D32Async(a, 64, 1, 8, 4, s));
    CALL(cuEventRecord(e1, s));
    CALL(cuEventRecordWithFlags(e1, s, 0));
    CALL(cuEventRecordWithFlags(e1, s, 9));
    CALL(cuEventRecord(e2, s));
    CALL(cuEventRecord(0, s));
    CALL(cuStreamWaitEvent(s, e1, 0));
    CALL(cuStreamWaitEvent(s, e2, 0));
    CALL(cuStreamWaitEvent(s, 0, 0));
    CALL(cuStreamWaitEvent(s, e1, 77));
    void *ar[] = {&a};
    CALL(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, ar, 0));
    CUlaunchConfig lc = {1, 1, 1, 1, 1, 1, 0, s, 0, 0};
    CALL(cuLaunchKernelEx(&lc, f, ar, 0));
    CALL(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, ar));
    CALL(cuLaunchKernel((CUfunction)kern, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
    CALL(cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, s, ar, 0));
    CALL(cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, s, ar, 0));
    CALL(cuLaunchHostFunc(s, host_function, NULL));
    CALL(cuLaunchHostFunc(s, 0, 0));
    CALL(cuStreamAddCallback(s, callback, NULL, 0));
    CALL(cuStreamAddCallback(s, callback, NULL, 3));
    wait_for_all();
    CALL(cuGraphUpload(x, s));
    CALL(cuGraphLaunch(x, s));
    CALL(cuGraphLaunch(0, s));
    CALL(cuStreamWriteValue32(s, a, 5, 0));
    CALL(cuStreamWaitValue32(s, a, 0, 0));
    CALL(cuStreamWriteValue64(s, a, 5, 0));
    CALL(cuStreamWaitValue64(s, a, 0, 0));
    CALL(cuStreamWriteValue32(s, 0, 5, 0));
    CALL(cuStreamWaitValue32(s, a + 1, 5, 0));
    CUstreamBatchMemOpParams bp = {0}; bp.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; bp.writeValue.address = a;
    CALL(cuStreamBatchMemOp(s, 1, &bp, 0));
    CALL(cuStreamBatchMemOp(s, 0, &bp, 0));
    CALL(cuStreamBatchMemOp(s, 1000, &bp, 0));
    wait_for_all();
    CALL(cuStreamAttachMemAsync(s, man, 0, 1));
    CALL(cuStreamAttachMemAsync(s, a, 0, 1));
    CALL(cuMemPrefetchAsync(man, 65536, dev, s));
    CALL(cuMemPrefetchAsync_v2(man, 65536, loc, 0, s));
    CALL(cuMemPrefetchAsync(0, 65536, dev, s));
    CALL(cuMemPrefetchAsync(man, 65536, -1, s));
    {
        size_t sz[1] = {65536}, ix[1] = {0};
        CUdeviceptr mp[1] = {man};
        CALL(cuMemPrefetchBatchAsync(mp, sz, 1, &loc, ix, 1, 0, s));
        CALL(cuMemDiscardBatchAsync(mp, sz, 1, 0, s));
        CALL(cuMemDiscardAndPrefetchBatchAsync(mp, sz, 1, &loc, ix, 1, 0, s));
        CALL(cuMemPrefetchBatchAsync(mp, sz, 0, &loc, ix, 1, 0, s));
    }
    {
        CUdeviceptr d_[1] = {a}, s_[1] = {b};
        size_t sz[1] = {64}, ix[1] = {0};
        CUmemcpyAttributes at = {0}; at.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        CALL(cuMemcpyBatchAsync(d_, s_, sz, 1, &at, ix, 1, s));
        CUDA_MEMCPY3D_BATCH_OP op = {0}; op.src.type = op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER; op.src.op.ptr.ptr = a; op.dst.op.ptr.ptr = b;
        op.extent.width = 16; op.extent.height = op.extent.depth = 1; op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        CALL(cuMemcpy3DBatchAsync(1, &op, 0, s));
    }
    {
        CUarrayMapInfo mi = {0};
        CALL(cuMemMapArrayAsync(&mi, 0, s));
        CALL(cuMemMapArrayAsync(&mi, 1, s));
        CUgraphicsResource gr = 0;
        CALL(cuGraphicsMapResources(1, &gr, s));
        CALL(cuGraphicsMapResources(0, &gr, s));
        CALL(cuGraphicsUnmapResources(1, &gr, s));
    }
    CALL(cuStreamGetPriority(s, OUT));
    CALL(cuStreamGetFlags(s, OUT));
    CALL(cuStreamGetId(s, OUT));
    CALL(cuStreamGetCtx(s, OUT));
    CALL(cuStreamGetCtx_v2(s, OUT, OUT2));
    CALL(cuStreamGetDevice(s, OUT));
    CALL(cuStreamGetGreenCtx(s, OUT));
    CALL(cuStreamGetAttribute(s, (CUstreamAttrID)1, OUT));
    CALL(cuStreamGetAttribute(s, (CUstreamAttrID)3, OUT));
    CALL(cuStreamGetAttribute(s, (CUstreamAttrID)99, OUT));
    memset(v, 0, sizeof v); v[0] = 1;
    CUstreamAttrValue value;
    memset(&value, 0, sizeof value), value.syncPolicy = CU_SYNC_POLICY_SPIN;
    CALL(cuStreamSetAttribute(s, (CUstreamAttrID)3, &value));
    CALL(cuStreamSetAttribute(s, (CUstreamAttrID)99, &value));
    CALL(cuStreamCopyAttributes(s, s));
    CALL(cuStreamIsCapturing(s, OUT));
    CALL(cuStreamGetCaptureInfo_v2(s, OUT, OUT2, 0, 0, 0));
    CALL(cuStreamUpdateCaptureDependencies(s, 0, 0, 0, 0));
    CALL(cuStreamEndCapture(s, OUT));
    CALL(cuStreamBeginCapture_v2(s, 2));
    CALL(cuMemsetD8Async(a, 1, 4, s));
    CALL(cuStreamGetCaptureInfo_v2(s, OUT, OUT2, 0, 0, 0));
    CALL(cuStreamEndCapture(s, OUT));
    CALL(cuStreamBeginCapture_v2(s, 9));
    CALL(cuStreamBeginCaptureToGraph(s, g, 0, 0, 0, 2));
    CALL(cuStreamEndCapture(s, OUT));
    wait_for_all();
}

static void objects(void)
{
    size_t n;
    CALL(cuEventQuery(e1));
    CALL(cuEventSynchronize(e1));
    CALL(cuEventElapsedTime(OUT, e1, e1b));
    CALL(cuEventCreate(OUT, 0));
    CALL(cuEventCreate(OUT, 0x100));
    CALL(cuStreamCreate(OUT, 0));
    CALL(cuStreamCreate(OUT, 7));
    CALL(cuStreamCreateWithPriority(OUT, 0, 0));
    CALL(cuStreamCreateWithPriority(OUT, 9, 0));
    CALL(cuMemAlloc(OUT, 100));
    CALL(cuMemAlloc(OUT, 0));
    CALL(cuMemAllocPitch(OUT, OUT2, 10, 10, 4));
    CALL(cuMemAllocPitch(OUT, OUT2, 10, 10, 3));
    CALL(cuMemAllocHost(OUT, 100));
    CALL(cuMemAllocHost(OUT, 0));
    CALL(cuMemHostAlloc(OUT, 100, 0));
    CALL(cuMemHostAlloc(OUT, 100, 99));
    CALL(cuMemHostAlloc(OUT, 0, 0));
    CALL(cuMemAllocManaged(OUT, 100, 1));
    CALL(cuMemAllocManaged(OUT, 100, 7));
    CALL(cuMemAllocManaged(OUT, 0, 1));
    CALL(cuMemHostRegister(pg, 4096, 0));
    CALL(cuMemHostRegister(pg, 0, 0));
    CALL(cuMemHostRegister(pg, 64, 0x99));
    CALL(cuMemHostRegister(0, 64, 0));
    CALL(cuMemHostUnregister(pg));
    CALL(cuMemHostUnregister(h));
    CALL(cuMemHostUnregister(0));
    CALL(cuMemHostGetDevicePointer(OUT, h, 0));
    CALL(cuMemHostGetDevicePointer(OUT, h, 5));
    CALL(cuMemHostGetFlags(OUT, h));
    CALL(cuMemHostGetFlags(OUT, 0));
    CALL(cuMemHostGetFlags(OUT, pg));
    CALL(cuMemGetInfo(OUT, OUT2));
    CALL(cuMemGetAddressRange(OUT, OUT2, a));
    CALL(cuMemcpy(a, b, 16));
    CALL(cuMemcpy(a, (CUdeviceptr)pg, 16));
    CALL(cuMemcpy((CUdeviceptr)(pg + 64), (CUdeviceptr)pg, 16));
    CALL(cuMemcpy(0, b, 16));
    CALL(cuMemcpy(a, b, 0));
    CALL(cuMemcpyHtoD(a, pg, 16));
    CALL(cuMemcpyHtoD(0, pg, 16));
    CALL(cuMemcpyHtoD(0, 0, 0));
    CALL(cuMemcpyDtoH(pg, a, 16));
    CALL(cuMemcpyDtoD(a, b, 16));
    CALL(cuMemcpyPeer(a, c1, b, c1, 16));
    CALL(cuMemcpyPeer(a, 0, b, 0, 16));
    CALL(cuMemcpyHtoA(arr, 0, pg, 16));
    CALL(cuMemcpyAtoH(pg, arr, 0, 16));
    CALL(cuMemcpyDtoA(arr, 0, a, 16));
    CALL(cuMemcpyAtoD(a, arr, 0, 16));
    CALL(cuMemcpyAtoA(arr, 0, arr, 32, 16));
    CALL(cuMemsetD8(a, 1, 16));
    CALL(cuMemsetD8(a, 1, 0));
    CALL(cuMemsetD8(0, 1, 16));
    CALL(cuMemsetD32(a + 1, 1, 16));
    CALL(cuMemsetD2D8(a, 64, 1, 8, 4));
    CALL(cuMemsetD16(a, 1, 16));
    CALL(cuMemsetD8(pl, 1, 16));
    CALL(cuMemsetD8(man, 1, 16));
    CALL(cuMemsetD8((CUdeviceptr)h, 1, 16));
    CUDA_MEMCPY2D c2d = {0}; c2d.srcMemoryType = c2d.dstMemoryType = CU_MEMORYTYPE_DEVICE; c2d.srcDevice = a; c2d.dstDevice = b;
    c2d.srcPitch = c2d.dstPitch = 64; c2d.WidthInBytes = 16; c2d.Height = 2;
    CALL(cuMemcpy2D(&c2d));
    CALL(cuMemcpy2DUnaligned(&c2d));
    c2d.srcMemoryType = 99;
    CALL(cuMemcpy2D(&c2d));
    CUDA_MEMCPY3D c3 = {0}; c3.srcMemoryType = c3.dstMemoryType = CU_MEMORYTYPE_DEVICE; c3.srcDevice = a; c3.dstDevice = b;
    c3.srcPitch = c3.dstPitch = 64; c3.srcHeight = c3.dstHeight = 4; c3.WidthInBytes = 16; c3.Height = 2; c3.Depth = 2;
    CALL(cuMemcpy3D(&c3));
    CUDA_MEMCPY3D_PEER c3p = {0}; c3p.srcMemoryType = c3p.dstMemoryType = CU_MEMORYTYPE_DEVICE; c3p.srcDevice = a; c3p.dstDevice = b;
    c3p.srcPitch = c3p.dstPitch = 64; c3p.srcHeight = c3p.dstHeight = 4; c3p.WidthInBytes = 16; c3p.Height = 2; c3p.Depth = 2;
    c3p.srcContext = c3p.dstContext = c1;
    CALL(cuMemcpy3DPeer(&c3p));
    CALL(cuMemAdvise(man, 65536, 1, 0));
    CALL(cuMemAdvise(a, 65536, 1, 0));
    CALL(cuMemAdvise(man, 65536, 77, 0));
    CALL(cuMemRangeGetAttribute(v, 4, 1, man, 65536));
    CALL(cuMemRangeGetAttribute(v, 3, 1, man, 65536));
    {
        void *dp[1] = {v};
        size_t dz[1] = {4};
        CUmem_range_attribute ra[1] = {1};
        CALL(cuMemRangeGetAttributes(dp, dz, ra, 1, man, 65536));
    }
    CALL(cuModuleLoadData(OUT, ptx));
    CALL(cuModuleLoadData(OUT, ".version"));
    CALL(cuModuleLoadDataEx(OUT, ptx, 0, 0, 0));
    CALL(cuModuleLoad(OUT, "/nonexistent"));
    CALL(cuModuleLoadFatBinary(OUT, ptx));
    CALL(cuLinkCreate(0, 0, 0, OUT));
    CALL(cuLinkCreate(1, 0, 0, OUT));
    CALL(cuModuleGetFunction(OUT, mod, "k"));
    CALL(cuModuleGetFunction(OUT, mod, "zz"));
    CALL(cuModuleGetGlobal(OUT, &n, mod, "gl"));
    CALL(cuModuleGetTexRef(OUT, mod, "zz"));
    CALL(cuFuncGetAttribute(OUT, 0, f));
    CALL(cuFuncSetAttribute(f, 8, 0));
    CALL(cuFuncSetCacheConfig(f, 0));
    CALL(cuFuncSetSharedMemConfig(f, 0));
    CALL(cuFuncGetModule(OUT, f));
    CALL(cuLibraryGetModule(OUT, lib));
    CALL(cuKernelGetFunction(OUT, kern));
    CALL(cuLibraryGetGlobal(OUT, &n, lib, "gl"));
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(OUT, f, 32, 0));
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(OUT, f, 32, 0, 0));
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(OUT, f, 0, 0));
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(OUT, 0, 32, 0));
    CALL(cuOccupancyMaxPotentialBlockSize(OUT, OUT2, f, 0, 0, 0));
    CALL(cuOccupancyAvailableDynamicSMemPerBlock(OUT, f, 1, 32));
    CUlaunchConfig lc = {1, 1, 1, 32, 1, 1, 0, 0, 0, 0};
    CALL(cuOccupancyMaxActiveClusters(OUT, f, &lc));
    CALL(cuOccupancyMaxPotentialClusterSize(OUT, f, &lc));
    CALL(cuFuncSetBlockShape(f, 1, 1, 1));
    CALL(cuFuncSetBlockShape(f, 0, 1, 1));
    CALL(cuFuncSetSharedSize(f, 0));
    CALL(cuParamSetSize(f, 8));
    CALL(cuParamSeti(f, 0, 0));
    CALL(cuParamSetf(f, 0, 0));
    CALL(cuParamSetv(f, 0, &a, 8));
    CALL(cuLaunch(f));
    CALL(cuLaunchGrid(f, 1, 1));
    CUDA_ARRAY_DESCRIPTOR ad = {16, 16, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUDA_ARRAY3D_DESCRIPTOR a3 = {16, 16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
    CALL(cuArrayCreate(OUT, &ad));
    CALL(cuArray3DCreate(OUT, &a3));
    CALL(cuMipmappedArrayCreate(OUT, &a3, 1));
    CALL(cuArrayGetDescriptor(OUT, arr));
    CALL(cuArray3DGetDescriptor(OUT, arr));
    CALL(cuMipmappedArrayGetLevel(OUT, mip, 0));
    CALL(cuArrayGetPlane(OUT, arr, 0));
    CALL(cuArrayGetMemoryRequirements(OUT, arr, dev));
    CALL(cuArrayGetSparseProperties(OUT, arr));
    CUDA_RESOURCE_DESC rd = {0}; rd.resType = CU_RESOURCE_TYPE_ARRAY; rd.res.array.hArray = arr;
    CUDA_TEXTURE_DESC td = {0};
    CALL(cuTexObjectCreate(OUT, &rd, &td, 0));
    CALL(cuSurfObjectCreate(OUT, &rd));
    CALL(cuTexObjectGetResourceDesc(OUT, tex));
    CALL(cuTexObjectGetTextureDesc(OUT, tex));
    CALL(cuTexObjectGetResourceViewDesc(OUT, tex));
    CALL(cuSurfObjectGetResourceDesc(OUT, surf));
    CALL(cuTexRefCreate(OUT));
    CALL(cuTexRefSetFormat(tr, 1, 1));
    CALL(cuTexRefGetFormat(OUT, OUT2, tr));
    CALL(cuTexRefSetArray(tr, arr, 1));
    CALL(cuTexRefSetAddress(OUT, tr, a, 64));
    CALL(cuTexRefSetFlags(tr, 0));
    CALL(cuTexRefGetFlags(OUT, tr));
    CALL(cuIpcGetMemHandle(OUT, 0));
    CUipcMemHandle mh = {{0}};
    CALL(cuIpcOpenMemHandle(OUT, mh, 1));
    CALL(cuIpcOpenMemHandle(OUT, mh, 9));
    CALL(cuIpcCloseMemHandle(a));
    CUipcEventHandle eh = {{0}};
    CALL(cuIpcOpenEventHandle(OUT, eh));
    CALL(cuIpcGetEventHandle(OUT, e1));
    CALL(cuGraphInstantiateWithFlags(OUT, g, 0));
    CUDA_GRAPH_INSTANTIATE_PARAMS ip = {0};
    CALL(cuGraphInstantiateWithParams(OUT, g, &ip));
    CALL(cuGraphInstantiateWithFlags(OUT, g, 0x8000));
    CALL(cuGraphInstantiateWithFlags(OUT, 0, 0));
    CALL(cuCtxGetLimit(OUT, 0));
    CALL(cuCtxSetLimit(0, 1024));
    CALL(cuCtxGetLimit(OUT, 77));
    CALL(cuCtxGetCacheConfig(OUT));
    CALL(cuCtxGetStreamPriorityRange(OUT, OUT2));
    CALL(cuCtxGetFlags(OUT));
    CALL(cuCtxGetDevice(OUT));
    CALL(cuCtxGetExecAffinity(OUT, 0));
    CALL(cuCtxAttach(OUT, 0));
    CALL(cuCtxResetPersistingL2Cache());
    CALL(cuCtxSynchronize());
    CALL(cuCtxEnablePeerAccess(c1, 0));
    CALL(cuCtxEnablePeerAccess(0, 0));
    CALL(cuCtxDisablePeerAccess(c1));
    CALL(cuFlushGPUDirectRDMAWrites(0, 100));
    CALL(cuProfilerStart());
    CALL(cuProfilerStop());
    CALL(cuCtxRecordEvent(c1, e1));
    CALL(cuCtxWaitEvent(c1, e1));
    wait_for_all();
}

/* What ends objects needs no context either. */
static void ends(void)
{
    OK(cuCtxSetCurrent(NULL));
    SHOW(cuMemFree(b));
    SHOW(cuMemFree(pl));
    SHOW(cuMemFreeHost(h));
    SHOW(cuTexObjectDestroy(tex));
    SHOW(cuSurfObjectDestroy(surf));
    SHOW(cuTexRefDestroy(tr));
    SHOW(cuArrayDestroy(arr));
    SHOW(cuMipmappedArrayDestroy(mip));
    SHOW(cuGraphExecDestroy(x));
    SHOW(cuGraphDestroy(g));
    SHOW(cuModuleUnload(mod));
    SHOW(cuLibraryUnload(lib));
    SHOW(cuEventDestroy(e1));
    SHOW(cuStreamDestroy(s1));
    SHOW(cuStreamDestroy(0));
    SHOW(cuStreamDestroy(CU_STREAM_LEGACY));
}

/* Everything in processes of their own, as objects are used up. */
static CUstream stream;
static int with_objects, with_stream;
static const char *title;
static void rounds(void)
{
    setup();
    if (with_stream) stream = s1;
    static const char *const whose[] = { "its own context", "another context", "no context" };
    for (round_ = 0; round_ < 3; round_++) {
        CUcontext current[] = { c1, c2, NULL };
        count = differences = without = 0;
        OK(cuCtxSetCurrent(current[round_]));
        printf(" %s, %s%s\n", title, whose[round_], round_ ? ": what is otherwise" : brief ? "" : ": what fails");
        with_objects ? objects() : streams(stream);
        if (round_ && !differences) printf("  nothing\n");
        if (without) printf("  nothing but ERROR_INVALID_CONTEXT: %d\n", without);
    }
    if (with_objects) ends();
}

int main(void)
{
    title = "a created stream", with_stream = 1;
    apart("created", rounds);
    with_stream = 0, brief = 1;
    stream = NULL, title = "stream 0";
    apart("0", rounds);
    stream = CU_STREAM_PER_THREAD, title = "the thread's stream";
    apart("per thread", rounds);
    with_objects = 1, title = "objects";
    apart("objects", rounds);
    return 0;
}
