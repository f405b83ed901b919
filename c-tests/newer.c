/* Functions that are newer than driver 580: captures over an existing graph, where pages are, allocation classes of tensor
   descriptors, and what needs a fabric or a graphics queue, which are not there. */
#include "check.h"
#include <dlfcn.h>

/* The driver tells of no function that is newer than itself: by cuGetProcAddress they are not found. */
#define FIND(function, symbol) (*(void **)&(function) = dlsym(RTLD_DEFAULT, symbol))

static const char code[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry put(.param .u64 p, .param .u32 v)\n"
                           "{\n .reg .u64 %a;\n .reg .u32 %v;\n ld.param.u64 %a, [p];\n ld.param.u32 %v, [v];\n"
                           " st.global.u32 [%a], %v;\n ret;\n}\n";

static CUfunction put;
static CUstream stream, other;
static CUdeviceptr memory;
static CUevent event;
static CUresult answer;
static int told;

static CUresult CUDA_CB changed(void *data, CUgraphNode node, const CUgraphNodeParams *was, const CUgraphNodeParams *is, CUgraphRecaptureStatus status)
{
    CUgraphNodeType type = 99;
    CUstreamCaptureStatus now = 99;
    CUresult r = cuGraphNodeGetType(node, &type);
    told++;
    printf("  told of a node of type %d (%s), %d then and %d now, status %d, data %s", (int)type, name(r), (int)was->type, (int)is->type, (int)status,
           data == &told ? "ours" : "not ours");
    if (type == CU_GRAPH_NODE_TYPE_KERNEL) printf(", blocks %u and %u", was->kernel.gridDimX, is->kernel.gridDimX);
    if (type == CU_GRAPH_NODE_TYPE_MEMSET) printf(", value %u and %u", was->memset.value, is->memset.value);
    /* No lock is held. */
    r = cuStreamIsCapturing(stream, &now);
    printf("; the stream: %s, %d\n", name(r), (int)now);
    return answer;
}

/* What is captured: a memset and a kernel behind it, another kernel beside that in a second stream. */
static CUresult work(unsigned set, unsigned value, unsigned blocks, int more)
{
    void *params[] = { &memory, &value };
    CUdeviceptr beside = memory + 8;
    void *its[] = { &beside, &value };
    CUresult r = cuMemsetD32Async(memory, set, 2, stream);
    if (!r) r = cuEventRecord(event, stream);
    if (!r) r = cuStreamWaitEvent(other, event, 0);
    if (!r) r = cuLaunchKernel(put, blocks, 1, 1, 1, 1, 1, 0, stream, params, NULL);
    if (!r) r = cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, other, its, NULL);
    if (!r) r = cuEventRecord(event, other);
    if (!r) r = cuStreamWaitEvent(stream, event, 0);
    if (!r && more) r = cuMemsetD32Async(memory + 16, more, 1, stream);
    return r;
}

static void run(CUgraph graph)
{
    CUgraphExec exec = NULL;
    unsigned v[4] = { 0 };
    OK(cuMemsetD32(memory, 0, 16));
    OK(cuCtxSynchronize());
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(v, memory, sizeof v));
    OK(cuGraphExecDestroy(exec));
    printf("  gives %u %u %u\n", v[0], v[1], v[2]);
}

typedef CUresult (*again_f)(CUstream, CUstreamCaptureMode, CUgraph, CUgraphRecaptureCallback, void *);
static again_f again;

static void recapture(const char *what, unsigned set, unsigned value, unsigned blocks, int more, CUgraphRecaptureCallback callback, CUresult says)
{
    CUgraph graph = NULL, same = NULL;
    printf("%s\n", what);
    answer = says, told = 0;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(work(1, 5, 1, 7));
    OK(cuStreamEndCapture(stream, &graph));
    OK(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, callback, &told));
    CUresult r = work(set, value, blocks, more);
    CUresult e = cuStreamEndCapture(stream, &same);
    printf("  work %s, end %s, told %d times, %s\n", name(r), name(e), told, same == graph ? "the same graph" : same ? "another graph" : "no graph");
    if (!e) run(graph);
    OK(cuGraphDestroy(graph));
}

static void allocations(size_t size)
{
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    CUdeviceptr p = 0, q = 0;
    printf("memory of %zu bytes\n", size);
    answer = CUDA_SUCCESS;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAllocAsync(&p, 4096, stream));
    OK(cuMemsetD8Async(p, 1, 4096, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, changed, &told));
    CUresult r = cuMemAllocAsync(&q, size, stream);
    printf("  %s, %s address\n", name(r), q == p ? "the same" : q ? "another" : "no");
    if (!r) SHOW(cuMemsetD8Async(q, 1, 4096, stream));
    if (!r) SHOW(cuMemFreeAsync(q, stream));
    r = cuStreamEndCapture(stream, &graph);
    printf("  end: %s\n", name(r));
    if (r) return;
    OK(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, stream));
    SHOW(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void where(void)
{
    CUresult (*locate)(CUdeviceptr, size_t, size_t, size_t, CUmemLocation *) = NULL;
    CUmemLocation l[4];
    CUdeviceptr managed = 0;
    size_t piece = 4 << 20;
    CUmemLocation device = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } };
    printf("-- where pages are\n");
    FIND(locate, "cuMemGetLocationInfo");
    OK(cuMemAllocManaged(&managed, 4 * piece, CU_MEM_ATTACH_GLOBAL));
    memset((void *)managed, 1, piece);
    OK(cuMemPrefetchAsync(managed + 2 * piece, piece, device, 0, stream));
    OK(cuStreamSynchronize(stream));
    memset(l, 0x5a, sizeof l);
    SHOW(locate(managed, 4 * piece, piece, 0, l));
    for (int i = 0; i < 4; i++) printf("  %d: type %d, id %d\n", i, (int)l[i].type, l[i].type == CU_MEM_LOCATION_TYPE_DEVICE ? l[i].id : 0);
    SHOW(locate(managed, piece + 1, piece, 4096, l));
    SHOW(locate(managed, piece, 2 * piece, 0, l));
    SHOW(locate(managed, piece, 0, 0, l));
    SHOW(locate(managed, piece, piece, 2 * piece, l));
    SHOW(locate(managed, 5 * piece, piece, 0, l));
    SHOW(locate(managed, piece, piece, 0, NULL));
    SHOW(locate(memory, 64, 64, 0, l));
    SHOW(locate(0, 64, 64, 0, l));
    static char own[4096];
    own[0] = 1;
    SHOW(locate((CUdeviceptr)(size_t)own, 1, 1, 0, l));
    printf("  type %d\n", (int)l[0].type);
    OK(cuMemFree(managed));
}

static void classes(void)
{
    CUresult (*set)(CUtensorMap *, CUtensorMapAllocClass, CUtensorMapAllocClass *) = NULL;
    static CUtensorMap map __attribute__((aligned(64))), before;
    CUtensorMapAllocClass c;
    cuuint64_t dims[2] = { 64, 64 }, strides[1] = { 256 };
    cuuint32_t box[2] = { 8, 8 }, steps[2] = { 1, 1 };
    printf("-- allocation classes\n");
    FIND(set, "cuTensorMapSetAllocationClass");
    CUresult r = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void *)(size_t)memory, dims, strides, box, steps, 0, 0, 0, 0);
    if (r) { printf("no tensor maps: %s\n", name(r)); return; }
    before = map;
    for (int i = 0; i < 4; i++) {
        c = 9;
        r = set(&map, (CUtensorMapAllocClass)i, &c);
        printf("class %d: %s, %d, %s\n", i, name(r), (int)c, memcmp(&map, &before, sizeof map) ? "changed" : "the same");
    }
    SHOW(set(&map, 2, NULL));
    c = 9;
    r = set(NULL, 2, &c);
    printf("NULL: %s, %d\n", name(r), (int)c);
}

static void neighbours(void)
{
    CUresult (*cig)(CUstream, void *) = NULL, (*end)(CUstream) = NULL, (*uuid)(CUuuid *, CUdevice) = NULL, (*count)(size_t *, CUdevice) = NULL;
    CUresult (*reserve)(void *, unsigned) = NULL;
    CUuuid u;
    size_t n = 0;
    unsigned id[4], params[8] = { 0 };
    printf("-- what is not there\n");
    FIND(cig, "cuStreamBeginCaptureToCig");
    FIND(end, "cuStreamEndCaptureToCig");
    FIND(uuid, "cuDeviceGetFabricClusterUuid");
    FIND(count, "cuDeviceGetCliqueCount");
    FIND(reserve, "cuLogicalEndpointIdReserve");
    SHOW(cig(stream, params));
    SHOW(cig(stream, NULL));
    SHOW(end(stream));
    SHOW(uuid(&u, 0));
    SHOW(uuid(NULL, 0));
    SHOW(uuid(&u, 99));
    SHOW(count(&n, 0));
    SHOW(reserve(id, 1));
}

static void captures(void)
{
    CUgraph graph = NULL;
    printf("-- captures over a graph\n");
    recapture("the same", 1, 5, 1, 7, changed, CUDA_SUCCESS);
    recapture("other values", 2, 6, 3, 8, changed, CUDA_SUCCESS);
    recapture("other values, nobody is told", 3, 7, 1, 9, NULL, CUDA_SUCCESS);
    recapture("the callback refuses", 1, 6, 1, 7, changed, CUDA_ERROR_UNKNOWN);
    recapture("a node is missing", 1, 5, 1, 0, changed, CUDA_SUCCESS);
    printf("nodes of other kinds\n");
    OK(cuGraphCreate(&graph, 0));
    OK(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, NULL, NULL));
    SHOW(cuMemsetD32Async(memory, 1, 1, stream));
    SHOW(cuMemsetD32Async(memory, 1, 1, stream));
    SHOW(cuStreamEndCapture(stream, NULL));
    SHOW(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, NULL, NULL));
    SHOW(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, NULL, NULL));
    SHOW(cuStreamEndCapture(stream, NULL));
    SHOW(again(NULL, CU_STREAM_CAPTURE_MODE_RELAXED, graph, NULL, NULL));
    SHOW(again(stream, (CUstreamCaptureMode)9, graph, NULL, NULL));
    OK(cuGraphDestroy(graph));
    SHOW(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, NULL, NULL));
    allocations(4096);
    allocations(8192);
}

int main(void)
{
    CUcontext context;
    CUmodule module;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    FIND(again, "cuStreamBeginRecaptureToGraph");
    if (!again) skip("the driver is older than CUDA 13.3");
    if (cuModuleLoadData(&module, code) || cuModuleGetFunction(&put, module, "put") || cuMemAlloc(&memory, 4096)) return 1;
    if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) || cuStreamCreate(&other, CU_STREAM_NON_BLOCKING) || cuEventCreate(&event, 0)) return 1;
    captures();
    where();
    classes();
    neighbours();
    cuDevicePrimaryCtxRelease(0);
    return 0;
}
