/* With DOPPEL_LOG=info every refused call is explained in one line on stderr: function, code, and a reason that names the
 * argument. Two hundred calls over all families are refused here, and each has to say the right word. */
#include "check.h"
#include <fcntl.h>

#define HEAD ".version 8.3\n.target sm_90\n.address_size 64\n"
static const char code[] = HEAD ".visible .global .u32 g;\n.visible .entry k(.param .u64 p, .param .u32 n) {\nret; }\n";
static const char broken[] = HEAD ".visible .entry k() {\nnonsense.u32 %r1;\nret; }\n";

static int sink, calls, bad;

static void check(CUresult r, CUresult wanted, const char *call, const char *word)
{
    static char text[8192];
    char function[64] = "";
    ssize_t n = pread(sink, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    if (ftruncate(sink, 0) || lseek(sink, 0, SEEK_SET)) exit(1);
    calls++;
    /* The last line that is about a refusal; other lines may explain more. */
    size_t length = strcspn(call, "(");
    if (length < sizeof function) memcpy(function, call, length);
    char *found = NULL, start[96];
    snprintf(start, sizeof start, "doppel: %s", function);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, start, strlen(start)) == 0) found = line;
    const char *reason = found ? strstr(found, full_name(wanted)) : NULL;
    if (reason) reason += strlen(full_name(wanted));
    if (r != wanted) printf("%s: %s instead of %s\n", call, name(r), name(wanted));
    else if (!reason || strncmp(reason, ": ", 2)) printf("%s: no reason: %s\n", call, found ? found : "no line");
    else if (!strstr(reason, word)) printf("%s: no word of %s%s\n", call, word, reason);
    else return;
    bad++;
}

#define REFUSED(word, wanted, call) check(call, CUDA_ERROR_##wanted, #call, word)

static CUdevice dev;
static CUcontext ctx;
static CUdeviceptr d;
static char host[4096];
static size_t z;
static int i;
static unsigned u;
static void *p;
static void *const stale = (void *)0x123450;

static void devices(void)
{
    char text[64];
    CUdevprop prop;
    REFUSED("Flags 0x7", INVALID_VALUE, cuInit(7));
    REFUSED("driverVersion is NULL", INVALID_VALUE, cuDriverGetVersion(NULL));
    REFUSED("device is NULL", INVALID_VALUE, cuDeviceGet(NULL, 0));
    REFUSED("ordinal 99", INVALID_DEVICE, cuDeviceGet(&dev, 99));
    REFUSED("ordinal -1", INVALID_DEVICE, cuDeviceGet(&dev, -1));
    OK(cuDeviceGet(&dev, 0));
    REFUSED("count is NULL", INVALID_VALUE, cuDeviceGetCount(NULL));
    REFUSED("name", INVALID_VALUE, cuDeviceGetName(NULL, 5, 0));
    REFUSED("len 0", INVALID_VALUE, cuDeviceGetName(text, 0, 0));
    REFUSED("dev 77", INVALID_DEVICE, cuDeviceGetName(text, 9, 77));
    REFUSED("uuid is NULL", INVALID_VALUE, cuDeviceGetUuid(NULL, 0));
    REFUSED("dev 77", INVALID_DEVICE, cuDeviceTotalMem(&z, 77));
    REFUSED("bytes is NULL", INVALID_VALUE, cuDeviceTotalMem(NULL, 0));
    REFUSED("pi is NULL", INVALID_VALUE, cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    REFUSED("attrib CUdevice_attribute(9999)", INVALID_VALUE, cuDeviceGetAttribute(&i, 9999, 0));
    REFUSED("dev 77", INVALID_DEVICE, cuDeviceGetAttribute(&i, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 77));
    REFUSED("prop is NULL", INVALID_VALUE, cuDeviceGetProperties(NULL, 0));
    REFUSED("dev 77", INVALID_DEVICE, cuDeviceGetProperties(&prop, 77));
    REFUSED("pciBusId", INVALID_VALUE, cuDeviceGetByPCIBusId(&dev, "nonsense"));
    REFUSED("pciBusId", INVALID_DEVICE, cuDeviceGetByPCIBusId(&dev, "0000:77:00.0"));
    REFUSED("len 3", INVALID_VALUE, cuDeviceGetPCIBusId(text, 3, 0));
    REFUSED("canAccessPeer is NULL", INVALID_VALUE, cuDeviceCanAccessPeer(NULL, 0, 0));
    REFUSED("error", INVALID_VALUE, cuGetErrorName(4711, (const char **)&p));
    REFUSED("pStr is NULL", INVALID_VALUE, cuGetErrorString(1, NULL));
    REFUSED("pfn is NULL", INVALID_VALUE, cuGetProcAddress("cuInit", NULL, 12000, 0, NULL));
    REFUSED("flags 0x40", INVALID_VALUE, cuGetProcAddress("cuInit", &p, 12000, 64, NULL));
    REFUSED("ppExportTable is NULL", INVALID_VALUE, cuGetExportTable(NULL, NULL));
}

static void contexts(void)
{
    CUcontext c;
    REFUSED("no context is current", INVALID_CONTEXT, cuMemAlloc(&d, 4));
    REFUSED("no context is current", INVALID_CONTEXT, cuCtxSynchronize());
    REFUSED("no context is current", INVALID_CONTEXT, cuCtxGetDevice(&dev));
    REFUSED("no context is current", INVALID_CONTEXT, cuCtxPopCurrent(&c));
    REFUSED("pctx is NULL", INVALID_VALUE, cuCtxCreate_v2(NULL, 0, 0));
    REFUSED("flags 0x7", INVALID_VALUE, cuCtxCreate_v2(&c, 0x7, 0));
    REFUSED("dev 77", INVALID_DEVICE, cuCtxCreate_v2(&c, 0, 77));
    REFUSED("dev 77", INVALID_DEVICE, cuDevicePrimaryCtxRetain(&c, 77));
    REFUSED("pctx is NULL", INVALID_VALUE, cuDevicePrimaryCtxRetain(NULL, 0));
    REFUSED("flags 0x77", INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 0x77));
    OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    REFUSED("ctx", INVALID_CONTEXT, cuCtxSetCurrent(stale));
    REFUSED("ctx is NULL", INVALID_VALUE, cuCtxPushCurrent(NULL));
    REFUSED("ctx", INVALID_CONTEXT, cuCtxPushCurrent(stale));
    REFUSED("ctx is NULL", INVALID_VALUE, cuCtxDestroy(NULL));
    REFUSED("ctx", INVALID_CONTEXT, cuCtxDestroy(stale));
    REFUSED("ctx", INVALID_CONTEXT, cuCtxDestroy(ctx));
    OK(cuCtxSetCurrent(ctx));
    REFUSED("pctx is NULL", INVALID_VALUE, cuCtxGetCurrent(NULL));
    REFUSED("limit 99", INVALID_VALUE, cuCtxGetLimit(&z, 99));
    REFUSED("pvalue is NULL", INVALID_VALUE, cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    REFUSED("limit 99", INVALID_VALUE, cuCtxSetLimit(99, 5));
    REFUSED("value 1099511627776", INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1ull << 40));
    REFUSED("config CUfunc_cache(9)", INVALID_VALUE, cuCtxSetCacheConfig(9));
    REFUSED("config CUsharedconfig(9)", INVALID_VALUE, cuCtxSetSharedMemConfig(9));
    REFUSED("pconfig is NULL", INVALID_VALUE, cuCtxGetCacheConfig(NULL));
    REFUSED("ctx", INVALID_CONTEXT, cuCtxGetApiVersion(stale, &u));
    REFUSED("peerContext", INVALID_CONTEXT, cuCtxEnablePeerAccess(stale, 0));
    REFUSED("Flags 0x5", INVALID_VALUE, cuCtxEnablePeerAccess(ctx, 5));
    REFUSED("flags 0x5", INVALID_VALUE, cuCtxAttach(&ctx, 5));
    REFUSED("flags is NULL", INVALID_VALUE, cuCtxGetFlags(NULL));
}

static void memory(void)
{
    REFUSED("dptr is NULL", INVALID_VALUE, cuMemAlloc(NULL, 4));
    REFUSED("dptr 0x10 ", INVALID_VALUE, cuMemAlloc((void *)16, 4));
    REFUSED("bytesize is 0", INVALID_VALUE, cuMemAlloc(&d, 0));
    REFUSED("bytesize", OUT_OF_MEMORY, cuMemAlloc(&d, 1ull << 60));
    REFUSED("dptr 0x123450", INVALID_VALUE, cuMemFree(0x123450));
    REFUSED("ElementSizeBytes 3", INVALID_VALUE, cuMemAllocPitch(&d, &z, 4, 4, 3));
    REFUSED("Height is 0", INVALID_VALUE, cuMemAllocPitch(&d, &z, 4, 0, 4));
    REFUSED("pPitch is NULL", INVALID_VALUE, cuMemAllocPitch(&d, NULL, 4, 4, 4));
    REFUSED("dptr 0x123450", NOT_FOUND, cuMemGetAddressRange(&d, &z, 0x123450));
    REFUSED("pp is NULL", INVALID_VALUE, cuMemAllocHost(NULL, 4));
    REFUSED("Flags 0x80", INVALID_VALUE, cuMemHostAlloc(&p, 4, 0x80));
    REFUSED("p 0x123450", INVALID_VALUE, cuMemFreeHost(stale));
    REFUSED("p is NULL", INVALID_VALUE, cuMemHostRegister(NULL, 4, 0));
    REFUSED("bytesize is 0", INVALID_VALUE, cuMemHostRegister(host, 0, 0));
    REFUSED("Flags 0x80", INVALID_VALUE, cuMemHostRegister(host, 4096, 0x80));
    REFUSED("p is NULL", INVALID_VALUE, cuMemHostUnregister(NULL));
    REFUSED("p 0x", HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host));
    REFUSED("p 0x", INVALID_VALUE, cuMemHostGetDevicePointer(&d, host, 0));
    REFUSED("Flags 0x9", INVALID_VALUE, cuMemHostGetDevicePointer(&d, host, 9));
    REFUSED("p 0x", INVALID_VALUE, cuMemHostGetFlags(&u, host));
    REFUSED("flags 0x9", INVALID_VALUE, cuMemAllocManaged(&d, 4, 9));
    REFUSED("bytesize is 0", INVALID_VALUE, cuMemAllocManaged(&d, 0, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemAlloc(&d, 4096));
    REFUSED("dptr 0x", INVALID_VALUE, cuMemFree(d + 16));
    REFUSED("data is NULL", INVALID_VALUE, cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_CONTEXT, d));
    REFUSED("attribute CUpointer_attribute(99)", INVALID_VALUE, cuPointerGetAttribute(&p, 99, d));
    REFUSED("ptr 0x10 ", INVALID_VALUE, cuPointerGetAttribute(&p, CU_POINTER_ATTRIBUTE_CONTEXT, 16));
    REFUSED("value is NULL", INVALID_VALUE, cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, d));
    REFUSED("numAttributes is 0", INVALID_VALUE, cuPointerGetAttributes(0, NULL, NULL, d));
    REFUSED("advice", INVALID_VALUE, cuMemAdvise_v2(d, 4, 99, (CUmemLocation){ CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }));
    REFUSED("pHandle is NULL", INVALID_VALUE, cuIpcGetMemHandle(NULL, d));
    REFUSED("dptr", INVALID_VALUE, cuIpcGetMemHandle((CUipcMemHandle *)host, 0x123450));
    REFUSED("Flags 0", INVALID_VALUE, cuIpcOpenMemHandle(&d, (CUipcMemHandle){ { 0 } }, 0));
    REFUSED("handle", INVALID_VALUE, cuIpcOpenMemHandle(&d, (CUipcMemHandle){ { 0 } }, 1));
    REFUSED("dptr 0x123450", INVALID_VALUE, cuIpcCloseMemHandle(0x123450));
    REFUSED("event", INVALID_HANDLE, cuIpcGetEventHandle((CUipcEventHandle *)host, stale));
}

static void copies(void)
{
    CUDA_MEMCPY2D box = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 64, .srcXInBytes = 32,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = d, .dstPitch = 64, .WidthInBytes = 48, .Height = 2 };
    CUDA_MEMCPY3D deep = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 64, .srcHeight = 4,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = d, .dstPitch = 64, .dstHeight = 1,
                           .WidthInBytes = 16, .Height = 2, .Depth = 2 };
    REFUSED("dstDevice 0x123450", INVALID_VALUE, cuMemcpyHtoD(0x123450, host, 4));
    REFUSED("srcDevice 0x123450", INVALID_VALUE, cuMemcpyDtoH(host, 0x123450, 4));
    REFUSED("dstDevice 0x123450", INVALID_VALUE, cuMemcpyDtoD(0x123450, d, 4));
    REFUSED("srcDevice 0x123450", INVALID_VALUE, cuMemcpyDtoD(d, 0x123450, 4));
    REFUSED("dstDevice 0x", INVALID_VALUE, cuMemcpyHtoD(d, host, 1 << 20));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuMemcpyHtoDAsync(d, host, 4, stale));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuMemcpyAsync(d, d + 64, 4, stale));
    REFUSED("srcContext", INVALID_CONTEXT, cuMemcpyPeer(d, ctx, d, stale, 4));
    REFUSED("srcPitch 64 is less than srcXInBytes 32 + WidthInBytes 48", INVALID_VALUE, cuMemcpy2D(&box));
    box.srcXInBytes = 0, box.dstDevice = 0;
    REFUSED("dstDevice", INVALID_VALUE, cuMemcpy2D(&box));
    box.dstMemoryType = 77;
    REFUSED("dstMemoryType", INVALID_VALUE, cuMemcpy2D(&box));
    box.dstMemoryType = CU_MEMORYTYPE_ARRAY, box.dstArray = stale;
    REFUSED("dstArray 0x123450", INVALID_VALUE, cuMemcpy2DUnaligned(&box));
    REFUSED("pCopy is NULL", INVALID_VALUE, cuMemcpy2D(NULL));
    REFUSED("pCopy is NULL", INVALID_VALUE, cuMemcpy3D(NULL));
    REFUSED("dstHeight 1", INVALID_VALUE, cuMemcpy3D(&deep));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuMemcpy3DAsync(&deep, stale));
    REFUSED("dstDevice 0x123450", INVALID_VALUE, cuMemsetD8(0x123450, 1, 4));
    REFUSED("dstDevice 0x", INVALID_VALUE, cuMemsetD32(d + 1, 1, 4));
    REFUSED("dstDevice 0x", INVALID_VALUE, cuMemsetD16(d + 1, 1, 4));
    REFUSED("dstPitch 4", INVALID_VALUE, cuMemsetD2D8(d, 4, 1, 8, 2));
    REFUSED("dstPitch 6", INVALID_VALUE, cuMemsetD2D32(d, 6, 1, 1, 2));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuMemsetD8Async(d, 1, 4, stale));
    REFUSED("dstDevice 0x", INVALID_VALUE, cuMemsetD8(d, 1, 1 << 20));
}

static void streams(void)
{
    CUstream s;
    CUevent e, f;
    CUgraph g;
    float ms;
    CUstreamCaptureStatus status;
    REFUSED("phStream is NULL", INVALID_VALUE, cuStreamCreate(NULL, 0));
    REFUSED("Flags 0x9", INVALID_VALUE, cuStreamCreate(&s, 9));
    REFUSED("lags 0x9", INVALID_VALUE, cuStreamCreateWithPriority(&s, 9, 0));
    REFUSED("hStream", INVALID_HANDLE, cuStreamDestroy(NULL));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuStreamDestroy(stale));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuStreamSynchronize(stale));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuStreamQuery(stale));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuStreamGetFlags(stale, &u));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuStreamGetPriority(stale, &i));
    REFUSED("flags is NULL", INVALID_VALUE, cuStreamGetFlags(NULL, NULL));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    REFUSED("phEvent is NULL", INVALID_VALUE, cuEventCreate(NULL, 0));
    REFUSED("Flags 0x80", INVALID_VALUE, cuEventCreate(&f, 0x80));
    REFUSED("Flags 0x4", INVALID_VALUE, cuEventCreate(&f, CU_EVENT_INTERPROCESS));
    REFUSED("hEvent 0x123450", INVALID_HANDLE, cuEventRecord(stale, s));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuEventRecord(e, stale));
    REFUSED("flags 0x9", INVALID_VALUE, cuEventRecordWithFlags(e, s, 9));
    REFUSED("hEvent is NULL", INVALID_HANDLE, cuEventQuery(NULL));
    REFUSED("hEvent 0x123450", INVALID_HANDLE, cuEventQuery(stale));
    REFUSED("hEvent 0x123450", INVALID_HANDLE, cuEventSynchronize(stale));
    REFUSED("hEvent 0x123450", INVALID_HANDLE, cuEventDestroy(stale));
    REFUSED("hStart is NULL", INVALID_HANDLE, cuEventElapsedTime(&ms, NULL, e));
    REFUSED("was not recorded", INVALID_HANDLE, cuEventElapsedTime(&ms, e, e));
    REFUSED("hEvent 0x123450", INVALID_HANDLE, cuStreamWaitEvent(s, stale, 0));
    REFUSED("Flags 0x9", INVALID_VALUE, cuStreamWaitEvent(s, e, 9));
    REFUSED("fn is NULL", INVALID_VALUE, cuLaunchHostFunc(s, NULL, NULL));
    REFUSED("callback is NULL", INVALID_VALUE, cuStreamAddCallback(s, NULL, NULL, 0));
    REFUSED("flags 0x9", INVALID_VALUE, cuStreamAttachMemAsync(s, d, 0, 9));
    REFUSED("attr ", INVALID_VALUE, cuStreamGetAttribute(s, 99, (void *)host));
    REFUSED("attr ", INVALID_VALUE, cuStreamSetAttribute(s, 99, (void *)host));
    REFUSED("addr", INVALID_VALUE, cuStreamWaitValue32(s, d + 1, 1, 0));
    REFUSED("flags 0x9", INVALID_VALUE, cuStreamWriteValue32(s, d, 1, 9));
    REFUSED("hStream is not capturing", ILLEGAL_STATE, cuStreamEndCapture(s, &g));
    REFUSED("mode CUstreamCaptureMode(9)", INVALID_VALUE, cuStreamBeginCapture(s, 9));
    REFUSED("legacy default stream", STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_RELAXED));
    REFUSED("captureStatus is NULL", INVALID_VALUE, cuStreamIsCapturing(s, NULL));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    REFUSED("hStream is capturing already", ILLEGAL_STATE, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamIsCapturing(s, &status));
    REFUSED("hStream is capturing", STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(s));
    REFUSED("hStream", STREAM_CAPTURE_INVALIDATED, cuStreamSynchronize(s));
    REFUSED("hStream", STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
    OK(cuEventDestroy(e));
    OK(cuStreamDestroy(s));
    REFUSED("hStream 0x", INVALID_HANDLE, cuStreamSynchronize(s));
}

static void arrays(void)
{
    CUDA_ARRAY_DESCRIPTOR flat = { 16, 16, CU_AD_FORMAT_FLOAT, 3 };
    CUDA_ARRAY3D_DESCRIPTOR deep = { 16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0x80000 };
    CUDA_RESOURCE_DESC resource = { .resType = 9 };
    CUDA_TEXTURE_DESC texture = { .filterMode = 9 };
    CUarray a;
    CUmipmappedArray m;
    CUtexref t;
    CUtexObject object;
    CUsurfObject surface;
    REFUSED("NumChannels 3", INVALID_VALUE, cuArrayCreate(&a, &flat));
    flat.NumChannels = 1, flat.Format = 0x77;
    REFUSED("Format 0x77", INVALID_VALUE, cuArrayCreate(&a, &flat));
    flat.Format = CU_AD_FORMAT_FLOAT, flat.Width = 0;
    REFUSED("Width is 0", INVALID_VALUE, cuArrayCreate(&a, &flat));
    flat.Width = 16;
    REFUSED("pHandle is NULL", INVALID_VALUE, cuArrayCreate(NULL, &flat));
    REFUSED("pAllocateArray is NULL", INVALID_VALUE, cuArrayCreate(&a, NULL));
    REFUSED("Flags 0x80000", INVALID_VALUE, cuArray3DCreate(&a, &deep));
    deep.Flags = 0, deep.Width = 1 << 30;
    REFUSED("Width 1073741824", INVALID_VALUE, cuArray3DCreate(&a, &deep));
    deep.Width = 16;
    REFUSED("hArray 0x123450", INVALID_HANDLE, cuArrayDestroy(stale));
    REFUSED("hArray 0x123450", INVALID_HANDLE, cuArrayGetDescriptor(&flat, stale));
    REFUSED("hMipmappedArray 0x123450", INVALID_HANDLE, cuMipmappedArrayDestroy(stale));
    REFUSED("hMipmappedArray 0x123450", INVALID_HANDLE, cuMipmappedArrayGetLevel(&a, stale, 0));
    OK(cuArrayCreate(&a, &flat));
    OK(cuMipmappedArrayCreate(&m, &deep, 2));
    REFUSED("level 7", INVALID_VALUE, cuMipmappedArrayGetLevel(&a, m, 7));
    REFUSED("dstXInBytes 60", INVALID_VALUE, cuMemcpyHtoA(a, 60, host, 48));
    REFUSED("srcArray 0x123450", INVALID_VALUE, cuMemcpyAtoH(host, stale, 0, 4));
    REFUSED("planeIdx 3", INVALID_VALUE, cuArrayGetPlane(&a, a, 3));
    REFUSED("array", INVALID_VALUE, cuArrayGetSparseProperties((void *)host, a));
    REFUSED("resType", INVALID_VALUE, cuTexObjectCreate(&object, &resource, &texture, NULL));
    resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = stale;
    REFUSED("hArray 0x123450", INVALID_VALUE, cuTexObjectCreate(&object, &resource, &texture, NULL));
    resource.res.array.hArray = a;
    REFUSED("filterMode 9", INVALID_VALUE, cuTexObjectCreate(&object, &resource, &texture, NULL));
    texture.filterMode = 0, texture.addressMode[0] = 9;
    REFUSED("addressMode", INVALID_VALUE, cuTexObjectCreate(&object, &resource, &texture, NULL));
    REFUSED("pTexObject is NULL", INVALID_VALUE, cuTexObjectCreate(NULL, &resource, &texture, NULL));
    REFUSED("texObject 0x77", INVALID_VALUE, cuTexObjectGetResourceDesc(&resource, 0x77));
    REFUSED("surfObject 0x77", INVALID_VALUE, cuSurfObjectGetResourceDesc(&resource, 0x77));
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    REFUSED("resType", INVALID_VALUE, cuSurfObjectCreate(&surface, &resource));
    REFUSED("hTexRef 0x123450", INVALID_HANDLE, cuTexRefSetFlags(stale, 0));
    OK(cuTexRefCreate(&t));
    REFUSED("Flags 0x80", INVALID_VALUE, cuTexRefSetFlags(t, 0x80));
    REFUSED("NumPackedComponents 3", INVALID_VALUE, cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 3));
    REFUSED("hTexRef", INVALID_VALUE, cuTexRefGetArray(&a, t));
    REFUSED("dim 7", INVALID_VALUE, cuTexRefGetAddressMode((void *)host, t, 7));
    REFUSED("tensorMap is NULL", INVALID_VALUE,
            cuTensorMapEncodeTiled(NULL, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, host, NULL, NULL, NULL, NULL, 0, 0, 0, 0));
}

static void virtual_memory(void)
{
    CUmemAllocationProp prop = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } } };
    CUmemAccessDesc access = { .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, .flags = 9 };
    CUmemGenericAllocationHandle h;
    CUdeviceptr range;
    const size_t grain = 2 << 20;
    unsigned long long flags;
    REFUSED("ptr is NULL", INVALID_VALUE, cuMemAddressReserve(NULL, grain, 0, 0, 0));
    REFUSED("size is 0", INVALID_VALUE, cuMemAddressReserve(&range, 0, 0, 0, 0));
    REFUSED("size 5 ", INVALID_VALUE, cuMemAddressReserve(&range, 5, 0, 0, 0));
    REFUSED("alignment 5", INVALID_VALUE, cuMemAddressReserve(&range, grain, 5, 0, 0));
    REFUSED("flags 0x9", INVALID_VALUE, cuMemAddressReserve(&range, grain, 0, 0, 9));
    REFUSED("ptr 0x123450", INVALID_VALUE, cuMemAddressFree(0x123450, grain));
    REFUSED("size 5 ", INVALID_VALUE, cuMemCreate(&h, 5, &prop, 0));
    REFUSED("prop is NULL", INVALID_VALUE, cuMemCreate(&h, grain, NULL, 0));
    prop.type = 9;
    REFUSED("prop.type", INVALID_VALUE, cuMemCreate(&h, grain, &prop, 0));
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED, prop.location.id = 77;
    REFUSED("77", INVALID_DEVICE, cuMemCreate(&h, grain, &prop, 0));
    prop.location.id = 0;
    REFUSED("handle 0x77", INVALID_VALUE, cuMemRelease(0x77));
    REFUSED("handle 0x77", INVALID_VALUE, cuMemMap(0x200000, grain, 0, 0x77, 0));
    OK(cuMemAddressReserve(&range, grain, 0, 0, 0));
    OK(cuMemCreate(&h, grain, &prop, 0));
    REFUSED("offset 5", NOT_SUPPORTED, cuMemMap(range, grain, 5, h, 0));
    REFUSED("ptr is NULL", INVALID_VALUE, cuMemMap(0, grain, 0, h, 0));
    REFUSED("ptr 0x", INVALID_VALUE, cuMemMap(0x40000000, grain, 0, h, 0));
    OK(cuMemMap(range, grain, 0, h, 0));
    REFUSED("ptr 0x", INVALID_VALUE, cuMemAddressFree(range, grain));
    REFUSED("desc: flags", INVALID_VALUE, cuMemSetAccess(range, grain, &access, 1));
    REFUSED("count is 0", INVALID_VALUE, cuMemSetAccess(range, grain, &access, 0));
    REFUSED("dstDevice 0x", INVALID_VALUE, cuMemsetD8(range, 1, 4));
    REFUSED("ptr is NULL", INVALID_VALUE, cuMemGetAccess(&flags, &access.location, 0));
    REFUSED("option", INVALID_VALUE, cuMemGetAllocationGranularity(&z, &prop, 9));
    REFUSED("handleType", INVALID_VALUE, cuMemExportToShareableHandle(&i, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    REFUSED("osHandle", UNKNOWN, cuMemImportFromShareableHandle(&h, (void *)999999, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    OK(cuMemUnmap(range, grain));
    REFUSED("addr", INVALID_VALUE, cuMemRetainAllocationHandle(&h, host));
}

static void pools(void)
{
    CUmemPoolProps props = { .allocType = 9, .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } } };
    CUmemoryPool pool;
    unsigned long long value = 5;
    REFUSED("type", INVALID_VALUE, cuMemPoolCreate(&pool, &props));
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, props.handleTypes = 0x80;
    REFUSED("poolProps.handleTypes 0x80", INVALID_VALUE, cuMemPoolCreate(&pool, &props));
    props.handleTypes = 0, props.location.id = 77;
    REFUSED("77", INVALID_VALUE, cuMemPoolCreate(&pool, &props));
    props.location.id = 0;
    REFUSED("poolProps is NULL", INVALID_VALUE, cuMemPoolCreate(&pool, NULL));
    REFUSED("pool 0x123450", INVALID_VALUE, cuMemPoolDestroy(stale));
    REFUSED("pool 0x123450", INVALID_VALUE, cuMemPoolTrimTo(stale, 0));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    REFUSED("pool 0x", INVALID_VALUE, cuMemPoolDestroy(pool));
    REFUSED("attr CUmemPool_attribute(99)", INVALID_VALUE, cuMemPoolGetAttribute(pool, 99, &value));
    REFUSED("attr", INVALID_VALUE, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
    REFUSED("pool_out is NULL", INVALID_VALUE, cuDeviceGetDefaultMemPool(NULL, 0));
    REFUSED("dev 77", INVALID_DEVICE, cuDeviceGetDefaultMemPool(&pool, 77));
    REFUSED("pool 0x123450", INVALID_VALUE, cuDeviceSetMemPool(0, stale));
    REFUSED("map is NULL", INVALID_VALUE, cuMemPoolSetAccess(pool, NULL, 1));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuMemAllocAsync(&d, 4, stale));
    REFUSED("dptr is NULL", INVALID_VALUE, cuMemAllocAsync(NULL, 4, NULL));
    REFUSED("bytesize", OUT_OF_MEMORY, cuMemAllocAsync(&d, 1ull << 60, NULL));
    REFUSED("pool 0x123450", INVALID_VALUE, cuMemAllocFromPoolAsync(&d, 4, stale, NULL));
    REFUSED("dptr 0x123450", INVALID_VALUE, cuMemFreeAsync(0x123450, NULL));
    REFUSED("handleType", INVALID_VALUE, cuMemPoolExportToShareableHandle(&i, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    REFUSED("ptr", INVALID_VALUE, cuMemPoolExportPointer((void *)host, 0x123450));
}

static void modules(void)
{
    CUmodule m;
    CUfunction f;
    CUlibrary l;
    CUkernel k;
    CUlinkState link;
    CUstream s;
    int n = 5;
    void *arguments[] = { &d, &n };
    REFUSED("image is NULL", INVALID_VALUE, cuModuleLoadData(&m, NULL));
    REFUSED("module is NULL", INVALID_VALUE, cuModuleLoadData(NULL, code));
    REFUSED("image", INVALID_IMAGE, cuModuleLoadData(&m, "no module at all"));
    REFUSED("image: PTX", INVALID_PTX, cuModuleLoadData(&m, broken));
    REFUSED("fname", FILE_NOT_FOUND, cuModuleLoad(&m, "/nowhere/at/all"));
    REFUSED("hmod 0x123450", INVALID_HANDLE, cuModuleUnload(stale));
    OK(cuModuleLoadData(&m, code));
    REFUSED("name \"none\"", NOT_FOUND, cuModuleGetFunction(&f, m, "none"));
    REFUSED("name is NULL", INVALID_VALUE, cuModuleGetFunction(&f, m, NULL));
    REFUSED("hfunc is NULL", INVALID_VALUE, cuModuleGetFunction(NULL, m, "k"));
    REFUSED("hmod 0x123450", INVALID_HANDLE, cuModuleGetFunction(&f, stale, "k"));
    REFUSED("name \"none\"", NOT_FOUND, cuModuleGetGlobal(&d, &z, m, "none"));
    REFUSED("dptr and bytes", INVALID_VALUE, cuModuleGetGlobal(NULL, NULL, m, "g"));
    REFUSED("name \"none\"", NOT_FOUND, cuModuleGetTexRef((void *)host, m, "none"));
    OK(cuModuleGetFunction(&f, m, "k"));
    REFUSED("hfunc", INVALID_HANDLE, cuFuncGetAttribute(&i, 0, stale));
    REFUSED("attrib 99", INVALID_VALUE, cuFuncGetAttribute(&i, 99, f));
    REFUSED("attrib 0", INVALID_VALUE, cuFuncSetAttribute(f, 0, 1));
    REFUSED("config", INVALID_VALUE, cuFuncSetCacheConfig(f, 99));
    REFUSED("paramIndex 7", INVALID_VALUE, cuFuncGetParamInfo(f, 7, &z, &z));
    REFUSED("f ", INVALID_HANDLE, cuLaunchKernel(stale, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    REFUSED("blockDimX 4096", INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 4096, 1, 1, 0, NULL, arguments, NULL));
    REFUSED("blockDimY 0", INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 0, 1, 0, NULL, arguments, NULL));
    REFUSED("gridDimX 0", INVALID_VALUE, cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    REFUSED("sharedMemBytes 1000000", INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1000000, NULL, arguments, NULL));
    REFUSED("kernelParams is NULL", INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stale, arguments, NULL));
    REFUSED("config is NULL", INVALID_VALUE, cuLaunchKernelEx(NULL, f, arguments, NULL));
    REFUSED("blocks", COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchCooperativeKernel(f, 100000, 1, 1, 64, 1, 1, 0, NULL, arguments));
    REFUSED("blockSize 0", INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&i, f, 0, 0));
    REFUSED("numBlocks is NULL", INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 64, 0));
    REFUSED("code is NULL", INVALID_VALUE, cuLibraryLoadData(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
    REFUSED("library 0x123450", INVALID_HANDLE, cuLibraryUnload(stale));
    OK(cuLibraryLoadData(&l, code, NULL, NULL, 0, NULL, NULL, 0));
    REFUSED("name \"none\"", NOT_FOUND, cuLibraryGetKernel(&k, l, "none"));
    REFUSED("kernel 0x123450", INVALID_HANDLE, cuKernelGetFunction(&f, stale));
    REFUSED("dptr and bytes", INVALID_VALUE, cuLibraryGetGlobal(NULL, NULL, l, "g"));
    OK(cuLibraryUnload(l));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    REFUSED("data is NULL", INVALID_VALUE, cuLinkAddData(link, CU_JIT_INPUT_PTX, NULL, 5, "x", 0, NULL, NULL));
    REFUSED("path", FILE_NOT_FOUND, cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere", 0, NULL, NULL));
    REFUSED("state", INVALID_VALUE, cuLinkComplete(link, &p, &z));
    OK(cuLinkDestroy(link));
    REFUSED("state 0x123450", INVALID_HANDLE, cuLinkDestroy(stale));
    OK(cuModuleUnload(m));
    OK(cuStreamCreate(&s, 0));
    REFUSED("f ", INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments, NULL));
    OK(cuStreamDestroy(s));
}

static void graphs(void)
{
    CUgraph g, other;
    CUgraphNode a, b, n;
    CUgraphExec x;
    CUDA_MEMSET_NODE_PARAMS fill = { .dst = d, .elementSize = 3, .width = 4, .height = 1 };
    CUDA_HOST_NODE_PARAMS call = { NULL, NULL };
    CUDA_KERNEL_NODE_PARAMS kernel = { .func = stale, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1 };
    REFUSED("phGraph is NULL", INVALID_VALUE, cuGraphCreate(NULL, 0));
    REFUSED("flags 0x9", INVALID_VALUE, cuGraphCreate(&g, 9));
    REFUSED("hGraph 0x123450", INVALID_VALUE, cuGraphDestroy(stale));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&other, 0));
    REFUSED("hGraph 0x123450", INVALID_VALUE, cuGraphAddEmptyNode(&a, stale, NULL, 0));
    REFUSED("phGraphNode", INVALID_VALUE, cuGraphAddEmptyNode(NULL, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, other, NULL, 0));
    REFUSED("dependencies", INVALID_VALUE, cuGraphAddEmptyNode(&n, g, &b, 1));
    REFUSED("dependencies", INVALID_VALUE, cuGraphAddEmptyNode(&n, g, NULL, 1));
    REFUSED("to", INVALID_VALUE, cuGraphAddDependencies(g, &a, &a, NULL, 1));
    REFUSED("hNode 0x123450", INVALID_VALUE, cuGraphDestroyNode(stale));
    REFUSED("elementSize 3", INVALID_VALUE, cuGraphAddMemsetNode(&n, g, NULL, 0, &fill, ctx));
    fill.elementSize = 4, fill.width = 0;
    REFUSED("width is 0", INVALID_VALUE, cuGraphAddMemsetNode(&n, g, NULL, 0, &fill, ctx));
    REFUSED("fn is NULL", INVALID_VALUE, cuGraphAddHostNode(&n, g, NULL, 0, &call));
    REFUSED("func", INVALID_HANDLE, cuGraphAddKernelNode(&n, g, NULL, 0, &kernel));
    REFUSED("childGraph 0x123450", INVALID_VALUE, cuGraphAddChildGraphNode(&n, g, NULL, 0, stale));
    REFUSED("event 0x123450", INVALID_HANDLE, cuGraphAddEventRecordNode(&n, g, NULL, 0, stale));
    REFUSED("hNode 0x", INVALID_VALUE, cuGraphMemsetNodeGetParams(a, &fill));
    REFUSED("hNode 0x", INVALID_VALUE, cuGraphKernelNodeGetParams(a, &kernel));
    REFUSED("type is NULL", INVALID_VALUE, cuGraphNodeGetType(a, NULL));
    REFUSED("hNode 0x123450", INVALID_VALUE, cuGraphNodeGetType(stale, (void *)host));
    REFUSED("flags 0x800", INVALID_VALUE, cuGraphInstantiate(&x, g, 0x800));
    REFUSED("hGraph 0x123450", INVALID_VALUE, cuGraphInstantiate(&x, stale, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    REFUSED("hStream 0x123450", INVALID_HANDLE, cuGraphLaunch(x, stale));
    REFUSED("hGraphExec 0x123450", INVALID_VALUE, cuGraphLaunch(stale, NULL));
    REFUSED("hGraphExec 0x123450", INVALID_VALUE, cuGraphExecDestroy(stale));
    REFUSED("hNode 0x", INVALID_VALUE, cuGraphExecHostNodeSetParams(x, b, &call));
    REFUSED("destroy is NULL", INVALID_VALUE, cuUserObjectCreate((void *)host, NULL, NULL, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    REFUSED("object 0x123450", INVALID_VALUE, cuUserObjectRetain(stale, 1));
    REFUSED("path is NULL", INVALID_VALUE, cuGraphDebugDotPrint(g, NULL, 0));
    REFUSED("attr", INVALID_VALUE, cuDeviceGetGraphMemAttribute(0, 99, &z));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(other));
}

int main(void)
{
    CUevent e;
    char path[] = "/tmp/reasons.XXXXXX";
    char text[64];
    setenv("DOPPEL_LOG", "info", 1);
    sink = mkstemp(path);
    if (sink < 0 || unlink(path) || dup2(sink, 2) < 0) return 1;
    OK(cuInit(0));
    devices();
    contexts();
    memory();
    copies();
    streams();
    arrays();
    virtual_memory();
    pools();
    modules();
    graphs();
    printf("%s, %d without the right reason\n", calls >= 200 ? "200 refused calls and more" : "too few calls", bad);
    /* What succeeds, and what is not ready, says nothing. */
    if (ftruncate(sink, 0) || lseek(sink, 0, SEEK_SET)) return 1;
    OK(cuEventCreate(&e, 0));
    OK(cuEventQuery(e));
    OK(cuEventDestroy(e));
    printf("after success: %s\n", pread(sink, text, sizeof text, 0) == 0 ? "nothing" : "something");
    return bad != 0;
}
