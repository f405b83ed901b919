/* Arguments at the edge of what calls take: what they answer, and what they write, as recorded on an H200. */
#include "check.h"
#include <stdint.h>
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset

static CUcontext context;

static void modes(void)
{
    context = begin();
    for (int m = -1; m < 4; m++) {
        CUstreamCaptureMode mode = (CUstreamCaptureMode)m;
        CUresult r = cuThreadExchangeStreamCaptureMode(&mode);
        printf("capture mode %d: %s, before %d\n", m, name(r), (int)mode);
    }
    for (int t = -1; t < 2; t++) {
        CUexecAffinityParam p;
        memset(&p, 0xa5, sizeof p);
        CUresult r = cuCtxGetExecAffinity(&p, (CUexecAffinityType)t);
        printf("affinity %d: %s, type %d\n", t, name(r), (int)p.type);
    }
    for (int v = -2; v < 1; v++) {
        void *p = NULL;
        CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
        CUresult r = cuGetProcAddress_v2("cuMemAlloc", &p, v, 0, &status);
        printf("version %d: %s %s %d\n", v, name(r), p ? "found" : "none", (int)status);
    }
    printf("no NvSciSync list: %s\n", name(cuDeviceGetNvSciSyncAttributes(NULL, 0, 0)));
    unsigned flags;
    int active = -1;
    OK(cuDevicePrimaryCtxRelease(0));
    printf("released once more, by the first form: %s\n", name(cuDevicePrimaryCtxRelease(0)));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("active: %d\n", active);
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuDevicePrimaryCtxReset(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuDevicePrimaryCtxRelease(0));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("reset, retained and released by the first forms, active: %d\n", active);
}

static void captures(void)
{
    CUstream s, other;
    CUevent e;
    CUgraph g = NULL;
    CUgraphExec x;
    cuuint64_t flags = 77;
    CUstreamCaptureStatus status;
    CUstreamBatchMemOpParams none;
    float ms;
    context = begin();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    printf("nothing ended for nobody: %s\n", name(cuStreamEndCapture(s, NULL)));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    printf("ended for nobody: %s\n", name(cuStreamEndCapture(s, NULL)));
    OK(cuStreamIsCapturing(s, &status));
    printf("capturing: %d\n", (int)status);
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(e, s));
    printf("captured event, asked: %s\n", name(cuEventQuery(e)));
    printf("end: %s\n", name(cuStreamEndCapture(s, &g)));
    printf("after the end: query %s, wait %s, synchronize %s, elapsed %s\n", name(cuEventQuery(e)), name(cuStreamWaitEvent(other, e, 0)),
           name(cuEventSynchronize(e)), name(cuEventElapsedTime(&ms, e, e)));
    OK(cuEventRecord(e, s));
    printf("recorded again: %s\n", name(cuEventSynchronize(e)));
    printf("a stream for an event: query %s, synchronize %s, wait %s\n", name(cuEventQuery((CUevent)s)), name(cuEventSynchronize((CUevent)s)),
           name(cuStreamWaitEvent(s, (CUevent)s, 0)));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphInstantiateWithFlags(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY | CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    OK(cuGraphExecGetFlags(x, &flags));
    printf("flags with priorities: %llu\n", (unsigned long long)flags);
    memset(&none, 0, sizeof none);
    printf("an empty batch: %s, with flags: %s, of 256: %s\n", name(cuStreamBatchMemOp(s, 0, &none, 0)), name(cuStreamBatchMemOp(s, 0, &none, 1)),
           name(cuStreamBatchMemOp(s, 256, &none, 0)));
}

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .u32 gl;\n.global .texref tx;\n"
    ".visible .entry none(.param .u64 p) { ret; }\n.visible .entry em() { ret; }\n"
    ".visible .entry two(.param .u64 p, .param .u64 q) { .reg .u64 %p<2>; ld.param.u64 %p0, [p]; ld.param.u64 %p1, [q]; st.global.u64 [%p0], %p1; ret; }\n";
static CUmodule mod;
static CUdeviceptr a;

static void launch(const char *kernel, size_t bytes)
{
    CUfunction f;
    uint64_t buffer[4] = { a, 0x2222222222222222, 3, 4 }, word = 0;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };
    OK(cuModuleGetFunction(&f, mod, kernel));
    OK(cuMemsetD8(a, 0, 16));
    CUresult r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra);
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&word, a, sizeof word));
    printf("%s with %zu bytes of parameters: %s, %llx\n", kernel, bytes, name(r), (unsigned long long)word);
}

static void modules(void)
{
    static const char *const names[] = { "gl", "two", "tx", "zz" };
    CUlibrary lib;
    context = begin();
    OK(cuModuleLoadData(&mod, ptx));
    OK(cuLibraryLoadData(&lib, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuMemAlloc(&a, 4096));
    for (int i = 0; i < 4; i++) {
        CUdeviceptr d = 5, e = 5;
        size_t n = 5;
        CUresult r = cuModuleGetGlobal(&d, &n, mod, names[i]), q = cuLibraryGetGlobal(&e, &n, lib, names[i]);
        printf("variable %s: %s %s, of the library: %s\n", names[i], name(r), d ? "found" : "0", name(q));
    }
    launch("none", 0), launch("none", 4), launch("none", 8), launch("none", 9);
    launch("em", 0), launch("em", 4);
    launch("two", 16), launch("two", 12), launch("two", 8), launch("two", 17);
}

static void arrays(void)
{
    CUcontext gone;
    CUarray array, part;
    CUmipmappedArray mipmap;
    CUDA_ARRAY_DESCRIPTOR d;
    CUDA_ARRAY3D_DESCRIPTOR d3 = { 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
    context = begin();
    OK(cuMipmappedArrayCreate(&mipmap, &d3, 4));
    memset(&resource, 0, sizeof resource), memset(&texture, 0, sizeof texture), memset(&view, 0, sizeof view);
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, resource.res.mipmap.hMipmappedArray = mipmap;
    view.width = view.height = 64;
    for (int format = 0; format < 100; format += 99) {
        CUtexObject t = 77;
        view.format = (CUresourceViewFormat)format;
        CUresult r = cuTexObjectCreate(&t, &resource, &texture, &view);
        printf("a view of format %d: %s, result %llu\n", format, name(r), t);
    }
    OK(cuCtxCreate_v2(&gone, 0, 0));
    OK(cuArray3DCreate(&array, &d3));
    OK(cuMipmappedArrayCreate(&mipmap, &d3, 2));
    OK(cuCtxDestroy(gone));
    OK(cuCtxSetCurrent(context));
    printf("of a context that is gone: %s %s %s %s\n", name(cuArrayGetDescriptor(&d, array)), name(cuArray3DGetDescriptor(&d3, array)),
           name(cuArrayGetPlane(&part, array, 0)), name(cuMipmappedArrayGetLevel(&part, mipmap, 0)));
    printf("destroyed: %s %s\n", name(cuArrayDestroy(array)), name(cuMipmappedArrayDestroy(mipmap)));
}

static void host_pool(int granted)
{
    CUmemoryPool pool;
    CUmemLocation host = { .type = CU_MEM_LOCATION_TYPE_HOST };
    CUmemAccessDesc access = { { .type = CU_MEM_LOCATION_TYPE_DEVICE }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUdeviceptr q, d, base = 5;
    char bytes[64] = { 0 };
    uint64_t value[2] = { 5, 5 };
    CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR };
    void *values[] = { &value[0], &value[1] };
    context = begin();
    OK(cuMemGetMemPool(&pool, &host, CU_MEM_ALLOCATION_TYPE_PINNED));
    if (granted) OK(cuMemPoolSetAccess(pool, &access, 1));
    OK(cuMemAllocFromPoolAsync(&q, 4096, pool, NULL));
    OK(cuMemAlloc(&d, 4096));
    OK(cuStreamSynchronize(NULL));
    printf("unified: %s %s\n", name(cuMemcpy(q, d, 64)), name(cuMemcpy(d, q, 64)));
    printf("as device memory: %s %s %s %s\n", name(cuMemcpyHtoD(q, bytes, 64)), name(cuMemcpyDtoH(bytes, q, 64)), name(cuMemcpyDtoD(d, q, 64)),
           name(cuMemcpyDtoD(q, d, 64)));
    printf("as host memory: %s %s\n", name(cuMemcpyHtoD(d, (void *)(uintptr_t)q, 64)), name(cuMemcpyDtoH((void *)(uintptr_t)q, d, 64)));
    printf("filled: %s %s\n", name(cuMemsetD8(q, 1, 64)), name(cuMemsetD32Async(q, 1, 16, NULL)));
    OK(cuCtxSynchronize());
    printf("word written: %s\n", name(cuStreamWriteValue32(NULL, q, 1, 0)));
    printf("its range: %s\n", name(cuMemGetAddressRange(&base, NULL, q)));
    CUresult r = cuPointerGetAttribute(&value[0], attributes[0], q);
    printf("device pointer: %s %d", name(r), value[0] == q);
    r = cuPointerGetAttribute(&value[1], attributes[1], q);
    printf(", range start: %s %d", name(r), (int)value[1]);
    value[0] = value[1] = 5;
    r = cuPointerGetAttributes(2, attributes, values, q);
    printf(", both: %s %d %d\n", name(r), value[0] == q, (int)value[1]);
}
static void without_access(void) { host_pool(0); }
static void with_access(void) { host_pool(1); }

static volatile int gate;
static void CUDA_CB hold(void *p)
{
    (void)p;
    while (!gate) usleep(100);
}

/* What is read from pageable memory before a call returns, while the stream is held. */
static void staged(void)
{
    enum { N = 2 << 20 };
    static const size_t sizes[] = { 65536, 65537, 1 << 20, N };
    static unsigned char from[N], to[N];
    CUstream s;
    CUdeviceptr d;
    context = begin();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&d, N));
    for (int i = 0; i < 4; i++) {
        size_t n = sizes[i];
        memset(from, 1, n);
        gate = 0;
        OK(cuLaunchHostFunc(s, hold, NULL));
        CUresult r = cuMemcpyHtoDAsync(d, from, n, s), q = cuStreamQuery(s);
        memset(from, 2, n);
        gate = 1;
        OK(cuStreamSynchronize(s));
        OK(cuMemcpyDtoH(to, d, n));
        printf("%zu bytes: %s, %s, as they were: %d\n", n, name(r), name(q), to[0] == 1 && to[n - 1] == 1);
    }
}

int main(void)
{
    apart("modes and versions", modes);
    apart("captures and events", captures);
    apart("modules", modules);
    apart("arrays", arrays);
    apart("host memory of a pool, without access", without_access);
    apart("host memory of a pool, with access", with_access);
    apart("pageable memory", staged);
    return 0;
}
