/* Conditional nodes of graphs: kernels decide which graphs run, and how often. */
#include "check.h"

static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value);\n"
    /* Sets a condition. */
    ".visible .entry set(.param .u64 h, .param .u32 v) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [h]; ld.param.u32 %r, [v];\n"
    "    { .param .b64 a; .param .b32 b; st.param.b64 [a], %rd; st.param.b32 [b], %r;\n"
    "      call cudaGraphSetConditional, (a, b); } ret; }\n"
    /* Adds to a word. */
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u32 %r, [n]; red.global.add.u32 [%rd], %r; ret; }\n"
    /* Takes one off a word, which becomes the condition. */
    ".visible .entry down(.param .u64 h, .param .u64 p) {\n"
    "    .reg .u64 %rd, %h; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u64 %h, [h]; ld.global.u32 %r, [%rd];\n"
    "    sub.u32 %r, %r, 1; st.global.u32 [%rd], %r;\n"
    "    { .param .b64 a; .param .b32 b; st.param.b64 [a], %h; st.param.b32 [b], %r;\n"
    "      call cudaGraphSetConditional, (a, b); } ret; }\n"
    /* The condition is a word. */
    ".visible .entry look(.param .u64 h, .param .u64 p) {\n"
    "    .reg .u64 %rd, %h; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u64 %h, [h]; ld.volatile.global.u32 %r, [%rd];\n"
    "    { .param .b64 a; .param .b32 b; st.param.b64 [a], %h; st.param.b32 [b], %r;\n"
    "      call cudaGraphSetConditional, (a, b); } ret; }\n";

static CUcontext context;
static CUmodule module;
static CUdeviceptr memory;

static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static CUgraphConditionalHandle condition(CUgraph graph, unsigned value, unsigned flags)
{
    CUgraphConditionalHandle handle = 0;
    OK(cuGraphConditionalHandleCreate(&handle, graph, context, value, flags));
    return handle;
}

static CUgraphNode kernel(CUgraph graph, CUgraphNode after, const char *what, void *first, void *second)
{
    void *values[] = { first, second };
    CUgraphNode node = NULL;
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.func = function(what);
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = values;
    OK(cuGraphAddKernelNode_v2(&node, graph, &after, after != NULL, &p));
    return node;
}

/* Adds n to word i. */
static CUgraphNode add(CUgraph graph, CUgraphNode after, int i, unsigned n)
{
    CUdeviceptr p = memory + 4 * i;
    return kernel(graph, after, "add", &p, &n);
}

static CUgraphNode set(CUgraph graph, CUgraphNode after, CUgraphConditionalHandle h, unsigned value)
{
    return kernel(graph, after, "set", &h, &value);
}

static CUgraphNode down(CUgraph graph, CUgraphNode after, CUgraphConditionalHandle h, int i)
{
    CUdeviceptr p = memory + 4 * i;
    return kernel(graph, after, "down", &h, &p);
}

static CUgraphNodeParams params(CUgraphConditionalHandle h, CUgraphConditionalNodeType type, unsigned size)
{
    CUgraphNodeParams p;
    memset(&p, 0, sizeof p);
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    p.conditional.ctx = context;
    return p;
}

/* Adds a conditional node; its graphs go to `bodies`. */
static CUgraphNode choose(CUgraph graph, CUgraphNode after, CUgraphConditionalHandle h, CUgraphConditionalNodeType type,
                          unsigned size, CUgraph *bodies)
{
    CUgraphNodeParams p = params(h, type, size);
    CUgraphNode node = NULL;
    OK(cuGraphAddNode_v2(&node, graph, &after, NULL, after != NULL, &p));
    memcpy(bodies, p.conditional.phGraph_out, size * sizeof *bodies);
    return node;
}

static void put(int i, unsigned v) { OK(cuMemsetD32(memory + 4 * i, v, 1)); }

static void show(const char *what, CUgraphExec exec)
{
    unsigned w[4] = { 0 };
    CUresult r = cuGraphLaunch(exec, NULL), s = cuStreamSynchronize(NULL);
    OK(cuMemcpyDtoH(w, memory, sizeof w));
    printf("%s: %s, %s, %u %u %u %u\n", what, name(r), name(s), w[0], w[1], w[2], w[3]);
    OK(cuMemsetD32(memory, 0, 4));
}

static CUgraph graph_of(void)
{
    CUgraph graph;
    OK(cuGraphCreate(&graph, 0));
    return graph;
}

static CUgraphExec make(CUgraph graph)
{
    CUgraphExec exec;
    OK(cuGraphInstantiate(&exec, graph, 0));
    return exec;
}

static void ifs(void)
{
    for (unsigned size = 1; size <= 2; size++)
        for (unsigned value = 0; value < 3; value++) {
            CUgraph graph = graph_of(), bodies[2];
            CUgraphConditionalHandle h = condition(graph, 0, 0);
            CUgraphNode node = choose(graph, set(graph, NULL, h, value), h, CU_GRAPH_COND_TYPE_IF, size, bodies);
            add(graph, node, 3, 1);
            add(bodies[0], NULL, 0, 1);
            if (size == 2) add(bodies[1], NULL, 1, 1);
            CUgraphExec exec = make(graph);
            OK(cuGraphDestroy(graph));
            printf("%u graphs, condition %u: ", size, value);
            show("launch", exec);
            show("again", exec);
            OK(cuGraphExecDestroy(exec));
        }
}

static void defaults(void)
{
    for (unsigned flags = 0; flags < 2; flags++) {
        CUgraph graph = graph_of(), body;
        CUgraphConditionalHandle h = condition(graph, 1, flags);
        CUgraphNode node = choose(graph, NULL, h, CU_GRAPH_COND_TYPE_IF, 1, &body);
        set(graph, add(body, NULL, 0, 1) ? node : NULL, h, flags ? 0 : 7);
        CUgraphExec exec = make(graph);
        printf("flags %u: ", flags);
        show("first", exec);
        show("second", exec);
        OK(cuGraphExecDestroy(exec));
        OK(cuGraphDestroy(graph));
    }
}

static void loops(void)
{
    CUgraph graph = graph_of(), body, inner;
    CUgraphConditionalHandle outer = condition(graph, 1, CU_GRAPH_COND_ASSIGN_DEFAULT), h = condition(graph, 0, 0);
    choose(graph, NULL, outer, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    /* Three times: the inner loop, five times. */
    CUgraphNode five = add(body, set(body, NULL, h, 1), 2, 5);
    CUgraphNode loop = choose(body, five, h, CU_GRAPH_COND_TYPE_WHILE, 1, &inner);
    down(body, add(body, loop, 3, 1), outer, 0);
    down(inner, add(inner, NULL, 1, 1), h, 2);
    CUgraphExec exec = make(graph);
    OK(cuGraphDestroy(graph));
    for (unsigned i = 0; i < 2; i++) {
        put(0, 3);
        show("loops", exec);
    }
    OK(cuGraphExecDestroy(exec));
}

static void switches(void)
{
    CUgraph graph = graph_of(), bodies[3];
    CUgraphConditionalHandle h = condition(graph, 0, 0);
    CUdeviceptr p = memory + 12;
    choose(graph, kernel(graph, NULL, "look", &h, &p), h, CU_GRAPH_COND_TYPE_SWITCH, 3, bodies);
    for (int i = 0; i < 3; i++) add(bodies[i], NULL, i, 1 + i);
    CUgraphExec exec = make(graph);
    for (unsigned i = 0; i < 5; i++) {
        put(3, i);
        show("switch", exec);
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* Graphs in graphs, deeper than a stack is, and a loop that goes round often. */
static void deep(void)
{
    CUgraph graph = graph_of(), at = graph, body;
    for (int i = 0; i < 20000; i++) {
        choose(at, NULL, condition(at, 1, CU_GRAPH_COND_ASSIGN_DEFAULT), CU_GRAPH_COND_TYPE_IF, 1, &body);
        at = body;
    }
    add(at, NULL, 0, 1);
    CUgraphExec exec = make(graph);
    OK(cuGraphDestroy(graph));
    show("deep", exec);
    OK(cuGraphExecDestroy(exec));
    graph = graph_of();
    CUgraphConditionalHandle h = condition(graph, 1, CU_GRAPH_COND_ASSIGN_DEFAULT);
    choose(graph, NULL, h, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    down(body, add(body, NULL, 1, 1), h, 0);
    exec = make(graph);
    put(0, 20000);
    show("20000 times", exec);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void captured(void)
{
    CUstream stream, other;
    CUgraph graph, body, same = NULL;
    CUstreamCaptureStatus status;
    const CUgraphNode *last;
    size_t n;
    void *values[2];
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &last, NULL, &n));
    CUgraphConditionalHandle h = condition(graph, 0, 0);
    unsigned one = 1;
    CUdeviceptr p = memory + 4;
    values[0] = &h, values[1] = &one;
    OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, stream, values, NULL));
    OK(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &last, NULL, &n));
    printf("behind %zu nodes\n", n);
    CUgraphNodeParams while_node = params(h, CU_GRAPH_COND_TYPE_WHILE, 1);
    CUgraphNode node;
    OK(cuGraphAddNode_v2(&node, graph, last, NULL, n, &while_node));
    body = while_node.conditional.phGraph_out[0];
    OK(cuStreamUpdateCaptureDependencies(stream, &node, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    values[0] = &p;
    OK(cuLaunchKernel(function("add"), 1, 1, 1, 1, 1, 1, 0, stream, values, NULL));
    /* The body while the outer capture is on. */
    SHOW(cuStreamBeginCaptureToGraph(other, body, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    p = memory + 8;
    OK(cuLaunchKernel(function("add"), 1, 1, 1, 1, 1, 1, 0, other, values, NULL));
    p = memory;
    values[0] = &h, values[1] = &p;
    OK(cuLaunchKernel(function("down"), 1, 1, 1, 1, 1, 1, 0, other, values, NULL));
    SHOW(cuStreamEndCapture(other, NULL));
    OK(cuGraphGetNodes(body, NULL, &n));
    printf("%zu nodes in the body\n", n);
    SHOW(cuStreamEndCapture(stream, &same));
    printf("the same graph: %d\n", same == graph);
    CUgraphExec exec = make(graph);
    put(0, 4);
    show("captured", exec);
    /* Launches are not captured. */
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuGraphLaunch(exec, stream));
    cuStreamEndCapture(stream, &same);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
    OK(cuStreamDestroy(other));
}

static void update(void)
{
    CUgraph graphs[3], body[2];
    CUgraphExec exec = NULL;
    for (int i = 0; i < 3; i++) {
        graphs[i] = graph_of();
        CUgraphConditionalHandle h = condition(graphs[i], 1, CU_GRAPH_COND_ASSIGN_DEFAULT);
        choose(graphs[i], NULL, h, CU_GRAPH_COND_TYPE_IF, i == 2 ? 2 : 1, body);
        CUgraphNode first = add(body[0], NULL, 0, i + 1);
        set(body[0], first, h, 0);
        if (!exec) {
            exec = make(graphs[0]);
            show("before", exec);
            /* A node in the body by itself. */
            unsigned n = 50;
            void *values[] = { &memory, &n };
            CUDA_KERNEL_NODE_PARAMS p;
            OK(cuGraphKernelNodeGetParams_v2(first, &p));
            p.kernelParams = values;
            SHOW(cuGraphExecKernelNodeSetParams_v2(exec, first, &p));
            show("changed", exec);
            continue;
        }
        CUgraphExecUpdateResultInfo info;
        printf("update: %s, ", name(cuGraphExecUpdate_v2(exec, graphs[i], &info)));
        printf("%d\n", info.result);
        show("after", exec);
    }
    OK(cuGraphExecDestroy(exec));
    for (int i = 0; i < 3; i++) OK(cuGraphDestroy(graphs[i]));
}

static CUresult instantiate(CUgraph graph, CUgraphInstantiateResult *why)
{
    CUgraphExec exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS p;
    memset(&p, 0, sizeof p);
    CUresult r = cuGraphInstantiateWithParams(&exec, graph, &p);
    *why = p.result_out;
    if (r == CUDA_SUCCESS) OK(cuGraphExecDestroy(exec));
    return r;
}

static void CUDA_CB nothing(void *data) { (void)data; }

/* What a body cannot have. */
static void refused_body(const char *what, void (*fill)(CUgraph))
{
    CUgraph graph = graph_of(), bodies[2], inner;
    choose(graph, NULL, condition(graph, 1, 1), CU_GRAPH_COND_TYPE_SWITCH, 2, bodies);
    /* Within a body, too. */
    choose(bodies[1], NULL, condition(graph, 1, 1), CU_GRAPH_COND_TYPE_IF, 1, &inner);
    CUgraphInstantiateResult why;
    CUresult empty = instantiate(graph, &why);
    fill(inner);
    CUresult r = instantiate(graph, &why);
    printf("%s: %s, %s, %d\n", what, name(empty), name(r), why);
    OK(cuGraphDestroy(graph));
}

static void host(CUgraph g)
{
    CUgraphNode node;
    CUDA_HOST_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.fn = nothing;
    OK(cuGraphAddHostNode(&node, g, NULL, 0, &p));
}

static void record(CUgraph g)
{
    CUgraphNode node;
    CUevent event;
    OK(cuEventCreate(&event, 0));
    OK(cuGraphAddEventRecordNode(&node, g, NULL, 0, event));
    OK(cuEventDestroy(event));
}

static void allocate(CUgraph g)
{
    CUgraphNode node;
    CUDA_MEM_ALLOC_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = 100;
    OK(cuGraphAddMemAllocNode(&node, g, NULL, 0, &p));
}

static void pageable(CUgraph g)
{
    static char bytes[4];
    CUgraphNode node;
    CUDA_MEMCPY3D p;
    memset(&p, 0, sizeof p);
    p.srcMemoryType = CU_MEMORYTYPE_HOST;
    p.srcHost = bytes;
    p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    p.dstDevice = memory;
    p.WidthInBytes = 4;
    p.Height = p.Depth = 1;
    OK(cuGraphAddMemcpyNode(&node, g, NULL, 0, &p, context));
}

static void child(CUgraph g)
{
    CUgraph graph = graph_of();
    CUgraphNode node;
    add(graph, NULL, 0, 1);
    OK(cuGraphAddChildGraphNode(&node, g, NULL, 0, graph));
    OK(cuGraphDestroy(graph));
}

static void other_context(CUgraph g)
{
    CUcontext other;
    CUmodule theirs;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuModuleLoadData(&theirs, code));
    CUmodule ours = module;
    module = theirs;
    add(g, NULL, 0, 1);
    module = ours;
    OK(cuCtxSetCurrent(context));
}

static void bad(void)
{
    CUgraph graph = graph_of(), other = graph_of(), body, copy;
    CUgraphConditionalHandle h = 0, theirs = condition(other, 0, 0);
    CUgraphNode node;
    CUgraphInstantiateResult why;
    SHOW(cuGraphConditionalHandleCreate(NULL, graph, context, 0, 0));
    SHOW(cuGraphConditionalHandleCreate(&h, NULL, context, 0, 0));
    SHOW(cuGraphConditionalHandleCreate(&h, graph, context, 0, 2));
    SHOW(cuGraphConditionalHandleCreate(&h, graph, (CUcontext)0x1230, 0, 0));
    SHOW(cuGraphConditionalHandleCreate(&h, graph, NULL, 0, 0));
    h = condition(graph, 0, 0);
    printf("unused: %s", name(instantiate(graph, &why)));
    printf(", %d\n", why);
    const struct { const char *what; CUgraphConditionalHandle h; int type; unsigned size; } wrong[] = {
        { "no handle", 0, 0, 1 }, { "another graph's", theirs, 0, 1 }, { "no kind", h, 3, 1 }, { "if, 0", h, 0, 0 },
        { "if, 3", h, 0, 3 }, { "while, 0", h, 1, 0 }, { "while, 2", h, 1, 2 }, { "switch, 0", h, 2, 0 },
        { "switch, all", h, 2, ~0u },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CUgraphNodeParams p = params(wrong[i].h, wrong[i].type, wrong[i].size);
        printf("%s: %s\n", wrong[i].what, name(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &p)));
    }
    node = choose(graph, NULL, h, CU_GRAPH_COND_TYPE_IF, 1, &body);
    CUgraphNodeParams p = params(h, CU_GRAPH_COND_TYPE_IF, 1);
    CUgraphNode second;
    printf("twice: %s\n", name(cuGraphAddNode_v2(&second, graph, NULL, NULL, 0, &p)));
    SHOW(cuGraphNodeSetParams(node, &p));
    SHOW(cuGraphDestroy(body));
    SHOW(cuGraphClone(&copy, graph));
    SHOW(cuGraphAddChildGraphNode(&second, other, NULL, 0, graph));
    CUgraphNodeType type;
    OK(cuGraphNodeGetType(node, &type));
    printf("type %d\n", type);
    CUgraphNodeParams read;
    SHOW(cuGraphNodeGetParams(node, &read));
    printf("the same: %d %d %d %u %d %d\n", read.type == p.type, read.conditional.handle == h, read.conditional.type == p.conditional.type,
           read.conditional.size, read.conditional.phGraph_out[0] == body, read.conditional.ctx == context);
    SHOW(cuGraphDestroyNode(node));
    size_t n;
    SHOW(cuGraphGetNodes(body, NULL, &n));
    choose(graph, NULL, h, CU_GRAPH_COND_TYPE_IF, 1, &body);
    OK(cuGraphDestroy(graph));
    SHOW(cuGraphGetNodes(body, NULL, &n));
    OK(cuGraphDestroy(other));
    refused_body("host function", host);
    refused_body("event", record);
    refused_body("allocation", allocate);
    refused_body("pageable memory", pageable);
    refused_body("child graph", child);
    refused_body("another context's kernel", other_context);
}

/* A kernel sets what is no condition. */
static void wild(void)
{
    CUgraphConditionalHandle h = 0x123456789;
    unsigned v = 1;
    void *values[] = { &h, &v };
    OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, NULL, values, NULL));
    SHOW(cuCtxSynchronize());
}

/* A kernel outside of the graph sets its condition. */
static void outside(void)
{
    CUgraph graph = graph_of(), body;
    CUgraphConditionalHandle h = condition(graph, 0, CU_GRAPH_COND_ASSIGN_DEFAULT);
    choose(graph, NULL, h, CU_GRAPH_COND_TYPE_IF, 1, &body);
    add(body, NULL, 0, 1);
    CUgraphExec exec = make(graph), second;
    unsigned v = 1;
    void *values[] = { &h, &v };
    show("before", exec);
    SHOW(cuGraphInstantiate(&second, graph, 0));
    OK(cuLaunchKernel(function("set"), 1, 1, 1, 1, 1, 1, 0, NULL, values, NULL));
    SHOW(cuCtxSynchronize());
}

/* A loop that waits for the program. */
static void waits(void)
{
    unsigned *word;
    CUdeviceptr p;
    CUstream stream;
    CUgraph graph = graph_of(), body;
    OK(cuMemHostAlloc((void **)&word, 4, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&p, word, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    *(volatile unsigned *)word = 1;
    CUgraphConditionalHandle h = condition(graph, 1, 1);
    choose(graph, NULL, h, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    kernel(body, NULL, "look", &h, &p);
    CUgraphExec exec = make(graph);
    OK(cuGraphLaunch(exec, stream));
    printf("goes on: %s\n", name(cuStreamQuery(stream)));
    *(volatile unsigned *)word = 0;
    SHOW(cuStreamSynchronize(stream));
}

/* A loop without an end, and the end of its context. */
static void ends(void)
{
    CUstream stream;
    CUgraph graph = graph_of(), body;
    CUcontext own = context;
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    choose(graph, NULL, condition(graph, 1, 1), CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    CUgraphExec exec = make(graph);
    OK(cuGraphLaunch(exec, stream));
    printf("goes on: %s\n", name(cuStreamQuery(stream)));
    SHOW(cuCtxDestroy(context));
    context = own;
}

/* The same, where the context fails. */
static void fails(void)
{
    CUstream stream, other;
    CUgraph graph = graph_of(), body;
    CUdeviceptr nowhere = 16;
    unsigned n = 1;
    void *values[] = { &nowhere, &n };
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    choose(graph, NULL, condition(graph, 1, 1), CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    OK(cuGraphLaunch(make(graph), stream));
    OK(cuLaunchKernel(function("add"), 1, 1, 1, 1, 1, 1, 0, other, values, NULL));
    SHOW(cuStreamSynchronize(other));
    SHOW(cuStreamSynchronize(stream));
}

/* The kernel that fails is in the loop. */
static void fails_inside(void)
{
    CUgraph graph = graph_of(), body;
    CUdeviceptr nowhere = 16;
    unsigned n = 1;
    choose(graph, NULL, condition(graph, 1, 1), CU_GRAPH_COND_TYPE_WHILE, 1, &body);
    kernel(body, NULL, "add", &nowhere, &n);
    OK(cuGraphLaunch(make(graph), NULL));
    SHOW(cuCtxSynchronize());
}

static void dot(void)
{
    char line[200], path[] = "/tmp/conditionalXXXXXX";
    CUgraph graph = graph_of(), bodies[2];
    close(mkstemp(path));
    choose(graph, NULL, condition(graph, 0, 0), CU_GRAPH_COND_TYPE_IF, 2, bodies);
    add(bodies[1], NULL, 0, 1);
    OK(cuGraphDebugDotPrint(graph, path, 0));
    FILE *file = fopen(path, "r");
    int conditional = 0, kernel = 0, clusters = 0;
    while (fgets(line, sizeof line, file)) {
        conditional += strstr(line, "CONDITIONAL") != NULL;
        kernel += strstr(line, "KERNEL") != NULL;
        clusters += strstr(line, "subgraph") != NULL;
    }
    printf("%d conditional, %d kernel, %d clusters\n", conditional, kernel, clusters);
    fclose(file);
    unlink(path);
    OK(cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS));
    unlink(path);
    OK(cuGraphDestroy(graph));
}

static void (*test)(void);
static void with_device(void)
{
    context = begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuMemAlloc(&memory, 64));
    OK(cuMemsetD32(memory, 0, 16));
    test();
}

int main(void)
{
#define RUN(t) test = t, apart(#t, with_device)
    RUN(ifs);
    RUN(defaults);
    RUN(loops);
    RUN(switches);
    RUN(deep);
    RUN(captured);
    RUN(update);
    RUN(bad);
    RUN(wild);
    RUN(outside);
    RUN(waits);
    RUN(ends);
    RUN(fails);
    RUN(fails_inside);
    RUN(dot);
    return 0;
}
