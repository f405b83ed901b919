/* What a record has to know of a program: memory of all kinds, addresses in buffers, streams, events, graphs, threads. Prints a
 * line for each part that went as it should. */
#include "ok.h"
#include <pthread.h>
#include <string.h>

#define N 1024

static const char *const text =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    /* scale(p, n): p[i] *= 3 */
    ".visible .entry scale(.param .u64 p, .param .u32 n) {\n"
    " .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %q;\n"
    " ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];\n"
    " mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    " setp.ge.u32 %q, %r5, %r1; @%q ret;\n"
    " mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2;\n"
    " ld.global.u32 %r6, [%rd3]; mul.lo.u32 %r7, %r6, 3; st.global.u32 [%rd3], %r7; ret; }\n"
    /* follow(l): the addresses lie in memory: *l[1] = *l[0] + 1 */
    ".visible .entry follow(.param .u64 l) {\n"
    " .reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
    " ld.param.u64 %rd1, [l]; ld.global.u64 %rd2, [%rd1]; ld.global.u64 %rd3, [%rd1+8];\n"
    " ld.global.u32 %r1, [%rd2]; add.u32 %r2, %r1, 1; st.global.u32 [%rd3], %r2; ret; }\n";

static CUcontext context;
static CUmodule module;
static CUfunction scale, follow;

static void launch(CUdeviceptr p, unsigned n, CUstream stream) {
    void *parameters[] = {&p, &n};
    OK(cuLaunchKernel(scale, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
}

static void check(const unsigned *numbers, unsigned count, unsigned factor, const char *what) {
    for (unsigned i = 0; i < count; i++)
        if (numbers[i] != i * factor) {
            printf("%s: %u is %u\n", what, i, numbers[i]);
            exit(1);
        }
    printf("%s\n", what);
}

static void plain(void) {
    unsigned numbers[N];
    CUdeviceptr p, q;
    for (unsigned i = 0; i < N; i++) numbers[i] = i;
    OK(cuMemAlloc(&p, sizeof numbers));
    OK(cuMemAlloc(&q, sizeof numbers));
    OK(cuMemcpyHtoD(p, numbers, sizeof numbers));
    launch(p, N, NULL);
    OK(cuMemcpyDtoD(q, p, sizeof numbers));
    OK(cuMemcpyDtoH(numbers, q, sizeof numbers));
    check(numbers, N, 3, "plain memory");
    /* All parameters in one piece, and a memset in front of the end. */
    struct { CUdeviceptr p; unsigned n; } packed = {q, N};
    size_t size = sizeof packed.p + sizeof packed.n;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(scale, N / 128, 1, 1, 128, 1, 1, 0, NULL, NULL, extra));
    OK(cuMemsetD32(q, 0, 4));
    OK(cuMemcpyDtoH(numbers, q, sizeof numbers));
    if (numbers[3] != 0 || numbers[4] != 36) exit(1);
    puts("parameters in one piece");
    /* Addresses that only memory knows. */
    CUdeviceptr list[2] = {q + 4 * 10, p};
    CUdeviceptr at;
    OK(cuMemAlloc(&at, sizeof list));
    OK(cuMemcpyHtoD(at, list, sizeof list));
    void *parameters[] = {&at};
    OK(cuLaunchKernel(follow, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    OK(cuMemcpyDtoH(numbers, p, 4));
    if (numbers[0] != 91) exit(1);
    CUdeviceptr back[2];
    OK(cuMemcpyDtoH(back, at, sizeof back));
    if (back[0] != list[0] || back[1] != list[1]) exit(1);
    puts("addresses in memory");
    /* A box of rows with gaps. */
    char rows[8][32], copy[8][32];
    memset(rows, 7, sizeof rows);
    memset(copy, 1, sizeof copy);
    size_t pitch;
    CUdeviceptr box;
    OK(cuMemAllocPitch(&box, &pitch, 16, 8, 4));
    CUDA_MEMCPY2D d = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = rows, .srcPitch = 32, .srcXInBytes = 4,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = box, .dstPitch = pitch, .WidthInBytes = 16, .Height = 8};
    OK(cuMemcpy2D(&d));
    CUDA_MEMCPY2D h = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = box, .srcPitch = pitch,
                       .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = copy, .dstPitch = 32, .WidthInBytes = 16, .Height = 8};
    OK(cuMemcpy2D(&h));
    if (copy[7][15] != 7 || copy[7][16] != 1) exit(1);
    puts("rows with gaps");
    /* A variable of the module. */
    size_t bytes;
    unsigned counter;
    CUdeviceptr variable;
    OK(cuModuleGetGlobal(&variable, &bytes, module, "counter"));
    OK(cuMemcpyDtoH(&counter, variable, bytes));
    if (counter != 5) exit(1);
    puts("a variable of a module");
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    OK(cuMemFree(at));
    OK(cuMemFree(box));
    /* What fails fails again. */
    if (cuMemFree(box) != CUDA_ERROR_INVALID_VALUE) exit(1);
}

static void asynchronous(void) {
    /* A record watches what a graph has named: malloc must not give it to others. */
    static unsigned later[N];
    unsigned *pinned, *managed;
    CUdeviceptr p, shared;
    CUstream stream, other;
    CUevent event;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuMemAllocHost((void **)&pinned, N * sizeof *pinned));
    OK(cuMemAllocAsync(&p, N * sizeof *pinned, stream));
    for (unsigned round = 1; round < 3; round++) {
        for (unsigned i = 0; i < N; i++) pinned[i] = i * round;
        OK(cuMemcpyHtoDAsync(p, pinned, N * sizeof *pinned, stream));
        launch(p, N, stream);
        OK(cuEventRecord(event, stream));
        OK(cuStreamWaitEvent(other, event, 0));
        OK(cuMemcpyDtoHAsync(pinned, p, N * sizeof *pinned, other));
        OK(cuMemcpyDtoHAsync(later, p, N * sizeof *later, other));
        OK(cuStreamSynchronize(other));
        check(pinned, N, 3 * round, "pinned memory");
        check(later, N, 3 * round, "pageable memory, later");
    }
    OK(cuMemAllocManaged(&shared, N * sizeof *managed, CU_MEM_ATTACH_GLOBAL));
    managed = (unsigned *)(size_t)shared;
    for (unsigned i = 0; i < N; i++) managed[i] = i;
    launch(shared, N, stream);
    OK(cuStreamSynchronize(stream));
    managed[0] += 0;
    launch(shared, N, stream);
    OK(cuCtxSynchronize());
    check(managed, N, 9, "managed memory");
    /* Memory that is the program's own. */
    CUdeviceptr mapped;
    for (unsigned i = 0; i < N; i++) later[i] = i;
    OK(cuMemHostRegister(later, N * sizeof *later, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&mapped, later, 0));
    launch(mapped, N, stream);
    OK(cuStreamSynchronize(stream));
    check(later, N, 3, "registered memory");
    OK(cuMemHostUnregister(later));
    /* A graph, by capture, whose memory of the host changes between two launches. */
    CUgraph graph;
    CUgraphExec ready;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemcpyHtoDAsync(p, pinned, N * sizeof *pinned, stream));
    launch(p, N, stream);
    OK(cuMemcpyDtoHAsync(later, p, N * sizeof *later, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&ready, graph, 0));
    for (unsigned round = 1; round < 3; round++) {
        for (unsigned i = 0; i < N; i++) pinned[i] = i * round;
        OK(cuGraphLaunch(ready, stream));
        OK(cuStreamSynchronize(stream));
        check(later, N, 3 * round, "a captured graph");
    }
    OK(cuGraphExecDestroy(ready));
    OK(cuGraphDestroy(graph));
    /* One of nodes. */
    unsigned n = N;
    void *parameters[] = {&shared, &n};
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = scale, .gridDimX = N / 128, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 128,
                                      .blockDimY = 1, .blockDimZ = 1, .kernelParams = parameters};
    CUDA_MEMSET_NODE_PARAMS set = {.dst = shared, .value = 1, .elementSize = 4, .width = N, .height = 1};
    CUgraphNode first, second;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemsetNode(&first, graph, NULL, 0, &set, context));
    OK(cuGraphAddKernelNode(&second, graph, &first, 1, &kernel));
    OK(cuGraphInstantiate(&ready, graph, 0));
    OK(cuGraphLaunch(ready, stream));
    OK(cuStreamSynchronize(stream));
    if (managed[0] != 3 || managed[N - 1] != 3) exit(1);
    puts("a graph of nodes");
    OK(cuGraphExecDestroy(ready));
    OK(cuGraphDestroy(graph));
    OK(cuMemFreeAsync(p, stream));
    OK(cuMemFree(shared));
    OK(cuMemFreeHost(pinned));
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(other));
    OK(cuStreamDestroy(stream));
}

/* Memory of the program's that begins where memory ends that the device can reach. */
static void behind(void) {
    unsigned *both = aligned_alloc(4096, 3 * N * sizeof *both), *next = both + N, *last = next + N;
    CUdeviceptr p, q;
    OK(cuMemHostRegister(both, N * sizeof *both, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemAlloc(&p, N * sizeof *both));
    OK(cuMemAlloc(&q, N * sizeof *both));
    for (unsigned i = 0; i < N; i++) next[i] = i * 2;
    OK(cuMemcpyHtoD(p, next, N * sizeof *next));
    launch(p, N, NULL);
    OK(cuMemcpyDtoH(next, p, N * sizeof *next));
    check(next, N, 6, "behind memory that is watched");
    CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = next, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                         .dstDevice = q, .WidthInBytes = N, .Height = 2, .Depth = 2};
    OK(cuMemcpy3D(&box));
    launch(q, N, NULL);
    memset(next, 0, N * sizeof *next);
    CUDA_MEMCPY2D rows = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED, .srcDevice = q, .srcPitch = N, .WidthInBytes = N, .Height = 4,
                          .dstMemoryType = CU_MEMORYTYPE_UNIFIED, .dstDevice = (CUdeviceptr)(size_t)next, .dstPitch = N};
    OK(cuMemcpy2D(&rows));
    check(next, N, 18, "boxes behind it");
    OK(cuMemcpy((CUdeviceptr)(size_t)last, p, N * sizeof *last));
    check(last, N, 6, "behind it, by addresses alone");
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    OK(cuMemHostUnregister(both));
    free(both);
}

/* More of the program's memory than an earlier copy, whose memory is watched, was about; and structures with gaps. */
static void more(void) {
    static unsigned own[N], out[N]; /* nothing else comes to be where they are */
    CUdeviceptr p;
    CUstream stream;
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR given = {.Width = 4, .Height = 2, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, found;
    OK(cuMemAlloc(&p, N * sizeof *own));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (unsigned i = 0; i < N; i++) own[i] = i;
    CUDA_MEMCPY3D rows = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED, .srcDevice = (CUdeviceptr)(size_t)own, .srcPitch = N, .WidthInBytes = N,
                          .Height = 1, .Depth = 1, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = p, .dstPitch = N};
    CUgraph graph;
    CUgraphNode node;
    CUcontext context;
    OK(cuCtxGetCurrent(&context));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &rows, context));
    OK(cuGraphDestroy(graph));
    OK(cuMemcpy3DAsync(&rows, stream));
    OK(cuStreamSynchronize(stream));
    rows.Height = 4;
    OK(cuMemcpy3D(&rows));
    launch(p, N, NULL);
    OK(cuMemcpyDtoH(out, p, N * sizeof *out));
    check(out, N, 3, "more than was copied before");
    OK(cuArray3DCreate(&array, &given));
    memset(&found, 0xab, sizeof found);
    OK(cuArray3DGetDescriptor(&found, array));
    printf("%zu by %zu\n", found.Width, found.Height);
    OK(cuArrayDestroy(array));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(p));
}

static void *thread(void *argument) {
    unsigned number = (unsigned)(size_t)argument, numbers[N];
    CUdeviceptr p;
    CUstream stream;
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemAlloc(&p, sizeof numbers));
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < N; i++) numbers[i] = i * number;
        OK(cuMemcpyHtoDAsync(p, numbers, sizeof numbers, stream));
        launch(p, N, stream);
        OK(cuMemcpyDtoHAsync(numbers, p, sizeof numbers, stream));
        OK(cuStreamSynchronize(stream));
        for (unsigned i = 0; i < N; i++)
            if (numbers[i] != i * number * 3) exit(1);
    }
    OK(cuMemFree(p));
    OK(cuStreamDestroy(stream));
    return NULL;
}

int main(void) {
    CUdevice device;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&scale, module, "scale"));
    OK(cuModuleGetFunction(&follow, module, "follow"));
    plain();
    asynchronous();
    behind();
    more();
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
    for (size_t i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    puts("threads");
    OK(cuModuleUnload(module));
    OK(cuDevicePrimaryCtxRelease(device));
    return 0;
}
