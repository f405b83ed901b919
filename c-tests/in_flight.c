/* What work in flight uses lives until that work is done, whatever the program destroys meanwhile. Each test holds a stream
   back with a host function, queues work behind it, destroys what the work uses and lets go: in another thread, because some
   calls wait for the work. */
#include "check.h"
#include <pthread.h>

#define N 32
static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 word = 7;\n"
    /* The same from a texture whose handle is a parameter, and from one whose handle lies in memory. */
    ".visible .entry texture(.param .u64 t, .param .u64 out) {\n"
    "    .reg .u64 %d<5>; .reg .u32 %r<7>; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; ld.param.u64 %d1, [t]; ld.param.u64 %d2, [out];\n"
    "    tex.2d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%d1, {%r1, %r2}];\n"
    "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r3; ret; }\n"
    ".visible .entry from_memory(.param .u64 p, .param .u64 out) {\n"
    "    .reg .u64 %d<6>; .reg .u32 %r<7>; mov.u32 %r1, %tid.x; ld.param.u64 %d5, [p]; ld.global.u64 %d1, [%d5]; ld.param.u64 %d2, [out];\n"
    "    tex.1d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%d1, {%r1}];\n"
    "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r3; ret; }\n"
    /* Adds one to what a surface holds, and copies it. */
    ".visible .entry surface(.param .u64 s, .param .u64 out) {\n"
    "    .reg .u64 %d<5>; .reg .u32 %r<7>; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [out];\n"
    "    shl.b32 %r4, %r1, 2; suld.b.2d.b32.trap %r3, [%d1, {%r4, %r2}]; add.u32 %r5, %r3, 1; sust.b.2d.b32.trap [%d1, {%r4, %r2}], %r5;\n"
    "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r3; ret; }\n"
    ".visible .entry copy(.param .u64 in, .param .u64 out) {\n"
    "    .reg .u64 %d<6>; .reg .u32 %r<3>; mov.u32 %r1, %tid.x; ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];\n"
    "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; add.u64 %d5, %d1, %d3; ld.global.u32 %r2, [%d5]; st.global.u32 [%d4], %r2; ret; }\n"
    ".visible .entry variable(.param .u64 in, .param .u64 out) {\n"
    "    .reg .u64 %d<6>; .reg .u32 %r<3>; mov.u32 %r1, %tid.x; ld.param.u64 %d2, [out];\n"
    "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; ld.global.u32 %r2, [word]; add.u32 %r2, %r2, %r1; st.global.u32 [%d4], %r2; ret; }\n";

static CUcontext context;
static CUmodule module;
static CUstream stream;
static CUdeviceptr source, out;
static unsigned *host;

/* The gate: closed from `hold` on, opened by `let_go` or a moment later by a thread of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int opened;
static pthread_t opener;

static void CUDA_CB gate(void *nothing)
{
    (void)nothing;
    pthread_mutex_lock(&lock);
    while (!opened) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void let_go(void)
{
    pthread_mutex_lock(&lock);
    opened = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *let_go_later(void *nothing)
{
    usleep(100000);
    let_go();
    return nothing;
}

static void hold(void)
{
    opened = 0;
    OK(cuLaunchHostFunc(stream, gate, NULL));
}

/* For calls that wait: the gate opens although this thread is busy. */
static void hold_for_a_while(void)
{
    hold();
    if (pthread_create(&opener, NULL, let_go_later, NULL)) exit(1);
}

static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static void clear(void)
{
    OK(cuMemsetD8(out, 0, 4096));
    OK(cuCtxSynchronize());
}

static void launch(CUfunction f, unsigned long long a, unsigned long long b)
{
    OK(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, stream, (void *[]){&a, &b}, NULL));
}

static void start(void)
{
    unsigned v[N];
    context = begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&source, 4096));
    OK(cuMemAlloc(&out, 4096));
    OK(cuMemAllocHost((void **)&host, 4096));
    for (unsigned i = 0; i < N; i++) v[i] = host[i] = i + 1;
    OK(cuMemcpyHtoD(source, v, sizeof v));
    OK(cuMemsetD8(out, 0, 4096));
    OK(cuCtxSynchronize());
}

/* Whether the output holds `first`, `first` + 1, and so on. */
static void tell_from(const unsigned *v, unsigned first)
{
    for (unsigned i = 0; i < N; i++)
        if (v[i] != first + i) {
            printf("WRONG: element %u is %u, not %u\n", i, v[i], first + i);
            return;
        }
    printf("right\n");
}

static void tell(unsigned first)
{
    unsigned v[N] = {0};
    SHOW(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(v, out, sizeof v));
    tell_from(v, first);
}

/* An array with `first`, `first` + 1, and so on, as the work of the stream finds it. */
static CUarray array_from(unsigned first)
{
    static unsigned values[2000];
    CUarray array;
    OK(cuArray3DCreate(&array, &(CUDA_ARRAY3D_DESCRIPTOR){.Width = N, .Height = 1, .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                                          .NumChannels = 1, .Flags = CUDA_ARRAY3D_SURFACE_LDST}));
    for (unsigned i = 0; i < 2000; i++) values[i] = i;
    OK(cuMemcpyHtoAAsync(array, 0, values + first, 4 * N, stream));
    return array;
}

static CUtexObject texture_of(CUarray array)
{
    CUtexObject texture;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    OK(cuTexObjectCreate(&texture, &resource, &(CUDA_TEXTURE_DESC){.flags = CU_TRSF_READ_AS_INTEGER}, NULL));
    return texture;
}

static CUtexObject texture_of_memory(CUdeviceptr memory)
{
    CUtexObject texture;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};
    resource.res.linear.devPtr = memory;
    resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = 4 * N;
    OK(cuTexObjectCreate(&texture, &resource, &(CUDA_TEXTURE_DESC){.flags = CU_TRSF_READ_AS_INTEGER}, NULL));
    return texture;
}

static void textures(void)
{
    CUDA_RESOURCE_DESC seen;
    start();
    CUarray array = array_from(100), other = array_from(500);
    CUtexObject texture = texture_of(array), more[50];
    hold();
    launch(function("texture"), texture, out);
    SHOW(cuTexObjectDestroy(texture));
    SHOW(cuTexObjectGetResourceDesc(&seen, texture));
    SHOW(cuTexObjectDestroy(texture));
    int same = 0;
    for (int i = 0; i < 50; i++) same += (more[i] = texture_of(other)) == texture;
    printf("the handle came again %d times\n", same);
    let_go();
    tell(100);
    for (int i = 0; i < 50; i++) OK(cuTexObjectDestroy(more[i]));
    printf("-- its array, too\n");
    texture = texture_of(array);
    hold_for_a_while();
    launch(function("texture"), texture, out);
    OK(cuMemcpyDtoDAsync(out + 2048, out, 4 * N, stream));
    OK(cuTexObjectDestroy(texture));
    SHOW(cuArrayDestroy(array));
    pthread_join(opener, NULL);
    tell(100);
    printf("-- behind an event of another stream\n");
    CUstream first = stream, second;
    CUevent event;
    OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, 0));
    texture = texture_of(other);
    hold();
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(second, event, 0));
    stream = second;
    launch(function("texture"), texture, out);
    SHOW(cuEventDestroy(event));
    SHOW(cuStreamDestroy(first));
    SHOW(cuTexObjectDestroy(texture));
    let_go();
    tell(500);
}

static void handles_in_memory(void)
{
    start();
    CUtexObject texture = texture_of_memory(source);
    CUdeviceptr place;
    OK(cuMemAlloc(&place, 8));
    OK(cuMemcpyHtoD(place, &texture, 8));
    hold();
    launch(function("from_memory"), place, out);
    SHOW(cuTexObjectDestroy(texture));
    let_go();
    tell(1);
    printf("-- for every frame\n");
    enum { FRAMES = 100 };
    CUdeviceptr frames;
    unsigned v[N];
    OK(cuMemAlloc(&frames, FRAMES * 4096));
    for (int frame = 0; frame < FRAMES; frame++) {
        CUarray array = array_from(1000 + frame);
        texture = texture_of(array);
        launch(function("texture"), texture, frames + frame * 4096);
        OK(cuTexObjectDestroy(texture));
        /* Every other one goes with its array. */
        if (frame & 1) OK(cuArrayDestroy(array));
    }
    SHOW(cuStreamSynchronize(stream));
    int wrong = 0;
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        OK(cuMemcpyDtoH(v, frames + frame * 4096, sizeof v));
        for (unsigned i = 0; i < N; i++) wrong += v[i] != 1000 + frame + i;
    }
    printf("%d wrong\n", wrong);
}

static void surfaces(void)
{
    start();
    CUarray array = array_from(100);
    CUsurfObject surface;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, seen;
    OK(cuSurfObjectCreate(&surface, &resource));
    hold_for_a_while();
    launch(function("surface"), surface, out);
    launch(function("surface"), surface, out);
    SHOW(cuSurfObjectDestroy(surface));
    SHOW(cuSurfObjectGetResourceDesc(&seen, surface));
    SHOW(cuArrayDestroy(array));
    pthread_join(opener, NULL);
    tell(101);
}

/* A kernel reads through its module's references as they were bound when it was launched. */
static void references(void)
{
    static const char text[] =
        ".version 7.8\n.target sm_90, texmode_unified\n.address_size 64\n.global .texref t;\n.global .surfref s;\n"
        ".visible .entry read(.param .u64 nothing, .param .u64 out) {\n"
        "    .reg .u64 %d<5>; .reg .u32 %r<7>; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; ld.param.u64 %d2, [out];\n"
        "    tex.2d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [t, {%r1, %r2}];\n"
        "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r3; ret; }\n"
        ".visible .entry load(.param .u64 nothing, .param .u64 out) {\n"
        "    .reg .u64 %d<5>; .reg .u32 %r<7>; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; ld.param.u64 %d2, [out]; shl.b32 %r4, %r1, 2;\n"
        "    suld.b.2d.b32.trap %r3, [s, {%r4, %r2}];\n"
        "    mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r3; ret; }\n";
    CUtexref texture;
    CUsurfref surface;
    unsigned v[N];
    start();
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetTexRef(&texture, module, "t"));
    OK(cuModuleGetSurfRef(&surface, module, "s"));
    OK(cuTexRefSetFlags(texture, CU_TRSF_READ_AS_INTEGER));
    CUarray first = array_from(100), second = array_from(500);
    OK(cuTexRefSetArray(texture, first, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuSurfRefSetArray(surface, first, 0));
    hold();
    launch(function("read"), 0, out);
    launch(function("load"), 0, out + 512);
    SHOW(cuTexRefSetArray(texture, second, CU_TRSA_OVERRIDE_FORMAT));
    SHOW(cuSurfRefSetArray(surface, second, 0));
    launch(function("read"), 0, out + 1024);
    launch(function("load"), 0, out + 1536);
    SHOW(cuTexRefSetArray(texture, first, CU_TRSA_OVERRIDE_FORMAT));
    SHOW(cuSurfRefSetArray(surface, first, 0));
    let_go();
    tell(100);
    for (int i = 1; i < 4; i++) {
        OK(cuMemcpyDtoH(v, out + i * 512, sizeof v));
        tell_from(v, i == 1 ? 100 : 500);
    }
}

/* Memory that objects held up goes back with them. */
static void memory_comes_back(void)
{
    size_t before, after, total;
    start();
    OK(cuMemGetInfo(&before, &total));
    for (int i = 0; i < 3; i++) {
        CUarray array;
        OK(cuArrayCreate(&array, &(CUDA_ARRAY_DESCRIPTOR){.Width = 4096, .Height = 1024, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4}));
        CUtexObject texture = texture_of(array);
        hold_for_a_while();
        OK(cuTexObjectDestroy(texture));
        OK(cuArrayDestroy(array));
        pthread_join(opener, NULL);
        OK(cuMemGetInfo(&after, &total));
        printf("%s\n", before == after ? "all" : "LESS");
    }
}

static volatile int objects_gone;
static void CUDA_CB gone(void *nothing)
{
    (void)nothing;
    objects_gone++;
}

static void CUDA_CB look(void *seen)
{
    *(int *)seen = objects_gone;
}

static void graphs(void)
{
    CUgraph graph;
    CUgraphExec exec;
    CUuserObject object;
    int seen = -1;
    start();
    CUarray array = array_from(100);
    CUtexObject texture = texture_of(array);
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    launch(function("texture"), texture, out);
    OK(cuMemcpyDtoHAsync(host, out, 4 * N, stream));
    OK(cuLaunchHostFunc(stream, look, &seen));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuUserObjectCreate(&object, NULL, gone, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    hold();
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuTexObjectDestroy(texture));
    usleep(50000);
    printf("the graph's object is %s\n", objects_gone ? "GONE" : "there");
    let_go();
    SHOW(cuStreamSynchronize(stream));
    tell_from(host, 100);
    printf("seen by its work: %d\n", seen);
    for (int i = 0; i < 1000 && !objects_gone; i++) usleep(10000);
    printf("gone: %d\n", objects_gone);
    printf("-- with memory of its own\n");
    CUdeviceptr memory;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAllocAsync(&memory, 4096, stream));
    OK(cuMemcpyDtoDAsync(memory, source, 4 * N, stream));
    launch(function("copy"), memory, out);
    OK(cuMemFreeAsync(memory, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    hold();
    OK(cuGraphLaunch(exec, stream));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(graph));
    let_go();
    tell(1);
}

static void code_and_memory(void)
{
    start();
    printf("-- module\n");
    hold_for_a_while();
    launch(function("variable"), 0, out);
    SHOW(cuModuleUnload(module));
    pthread_join(opener, NULL);
    tell(7);
    printf("-- library\n");
    CUlibrary library;
    CUkernel kernel;
    OK(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "variable"));
    clear();
    hold_for_a_while();
    launch((CUfunction)kernel, 0, out);
    SHOW(cuLibraryUnload(library));
    pthread_join(opener, NULL);
    tell(7);
    OK(cuModuleLoadData(&module, code));
    printf("-- memory\n");
    CUdeviceptr memory;
    OK(cuMemAlloc(&memory, 4096));
    OK(cuMemcpyDtoD(memory, source, 4 * N));
    clear();
    hold_for_a_while();
    launch(function("copy"), memory, out);
    SHOW(cuMemFree(memory));
    pthread_join(opener, NULL);
    tell(1);
    printf("-- memory of a pool\n");
    CUmemoryPool pool;
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    OK(cuMemPoolCreate(&pool, &properties));
    OK(cuMemAllocFromPoolAsync(&memory, 4096, pool, stream));
    OK(cuMemcpyDtoDAsync(memory, source, 4 * N, stream));
    clear();
    hold();
    launch(function("copy"), memory, out);
    SHOW(cuMemFreeAsync(memory, stream));
    SHOW(cuMemPoolDestroy(pool));
    let_go();
    tell(1);
    printf("-- host memory\n");
    clear();
    hold_for_a_while();
    OK(cuMemcpyHtoDAsync(out, host, 4 * N, stream));
    SHOW(cuMemFreeHost(host));
    pthread_join(opener, NULL);
    tell(1);
    printf("-- a copy to an array\n");
    CUarray array = array_from(300);
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = array, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = out, .WidthInBytes = 4 * N, .Height = 1};
    hold_for_a_while();
    OK(cuMemcpy2DAsync(&copy, stream));
    SHOW(cuArrayDestroy(array));
    pthread_join(opener, NULL);
    tell(300);
    printf("-- a stream\n");
    CUstream old = stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUstream new = stream;
    stream = old;
    hold();
    launch(function("copy"), source, out);
    SHOW(cuStreamDestroy(stream));
    let_go();
    stream = new;
    SHOW(cuCtxSynchronize());
    tell(1);
}

/* Unmapping does not wait. Work that does not use the range does not mind, other work fails. */
static void mapped_memory(void)
{
    CUdeviceptr memory[2];
    CUmemGenericAllocationHandle piece;
    CUmemAllocationProp kind = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const size_t size = 2 << 20;
    start();
    for (int i = 0; i < 2; i++) {
        OK(cuMemCreate(&piece, size, &kind, 0));
        OK(cuMemAddressReserve(&memory[i], size, 0, 0, 0));
        OK(cuMemMap(memory[i], size, 0, piece, 0));
        OK(cuMemRelease(piece));
        OK(cuMemSetAccess(memory[i], size, &access, 1));
        OK(cuMemcpyDtoD(memory[i], source, 4 * N));
    }
    OK(cuCtxSynchronize());
    hold();
    launch(function("copy"), memory[0], out);
    SHOW(cuMemUnmap(memory[1], size));
    SHOW(cuMemAddressFree(memory[1], size));
    let_go();
    tell(1);
    hold();
    launch(function("copy"), memory[0], out);
    SHOW(cuMemUnmap(memory[0], size));
    SHOW(cuMemAddressFree(memory[0], size));
    let_go();
    SHOW(cuStreamSynchronize(stream));
}

static void contexts(void)
{
    CUcontext own;
    start();
    static unsigned result[N];
    OK(cuMemHostRegister(result, sizeof result, 0));
    OK(cuCtxCreate_v2(&own, 0, 0));
    OK(cuStreamCreate(&stream, 0));
    CUarray array = array_from(100);
    CUtexObject texture = texture_of(array);
    OK(cuModuleLoadData(&module, code));
    OK(cuMemAlloc(&out, 4096));
    hold_for_a_while();
    launch(function("texture"), texture, out);
    OK(cuMemcpyDtoHAsync(result, out, sizeof result, stream));
    OK(cuTexObjectDestroy(texture));
    SHOW(cuCtxDestroy(own));
    pthread_join(opener, NULL);
    tell_from(result, 100);
}

int main(void)
{
    apart("textures", textures);
    apart("handles in memory", handles_in_memory);
    apart("surfaces", surfaces);
    apart("references", references);
    apart("memory comes back", memory_comes_back);
    apart("graphs", graphs);
    apart("code and memory", code_and_memory);
    apart("mapped memory", mapped_memory);
    apart("contexts", contexts);
    return 0;
}
