/* Attributes of launches and of kernel nodes: which values are taken, what a node tells of them, what captures and copies
 * make of them, and what the events do. */
#include "check.h"

static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry count(.param .u64 p) {\n"
    "    .reg .u64 %rd; ld.param.u64 %rd, [p]; red.global.add.u32 [%rd], 1; ret; }\n"
    ".visible .entry slow(.param .u64 p) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; .reg .pred %q; ld.param.u64 %rd, [p]; mov.u32 %r, 0;\n"
    "L:  nanosleep.u32 1000; add.u32 %r, %r, 1; setp.lt.u32 %q, %r, 2000; @%q bra L;\n"
    "    red.global.add.u32 [%rd], 1; ret; }\n"
    ".visible .entry none() { ret; }\n";

static CUfunction none, count, slow;
static CUdeviceptr memory;
static CUstream stream;

static void start(void)
{
    CUmodule module;
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&none, module, "none"));
    OK(cuModuleGetFunction(&count, module, "count"));
    OK(cuModuleGetFunction(&slow, module, "slow"));
    OK(cuMemAlloc(&memory, 1 << 20));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
}

static CUlaunchAttributeValue zero(void)
{
    CUlaunchAttributeValue v;
    memset(&v, 0, sizeof v);
    return v;
}

/* A launch of four blocks with one attribute. */
static CUresult with(unsigned id, CUlaunchAttributeValue v)
{
    CUlaunchAttribute a;
    memset(&a, 0, sizeof a);
    a.id = (CUlaunchAttributeID)id;
    a.value = v;
    CUlaunchConfig c = {.gridDimX = 4, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1,
                        .hStream = stream, .attrs = &a, .numAttrs = 1};
    CUresult r = cuLaunchKernelEx(&c, none, NULL, NULL);
    CUresult s = cuStreamSynchronize(stream);
    return r ? r : s;
}

static CUlaunchAttributeValue number(int n)
{
    CUlaunchAttributeValue v = zero();
    v.priority = n;
    return v;
}

static CUlaunchAttributeValue dimensions(unsigned x, unsigned y, unsigned z)
{
    CUlaunchAttributeValue v = zero();
    v.clusterDim.x = x, v.clusterDim.y = y, v.clusterDim.z = z;
    return v;
}

static CUlaunchAttributeValue window(CUdeviceptr p, size_t bytes, float ratio, int hit, int miss)
{
    CUlaunchAttributeValue v = zero();
    v.accessPolicyWindow.base_ptr = (void *)p;
    v.accessPolicyWindow.num_bytes = bytes;
    v.accessPolicyWindow.hitRatio = ratio;
    v.accessPolicyWindow.hitProp = (CUaccessProperty)hit;
    v.accessPolicyWindow.missProp = (CUaccessProperty)miss;
    return v;
}

static CUlaunchAttributeValue domains(int a, int b)
{
    CUlaunchAttributeValue v = zero();
    v.memSyncDomainMap.default_ = (unsigned char)a;
    v.memSyncDomainMap.remote = (unsigned char)b;
    return v;
}

static CUlaunchAttributeValue event_value(CUevent e, int flags, int trigger)
{
    CUlaunchAttributeValue v = zero();
    v.programmaticEvent.event = e;
    v.programmaticEvent.flags = flags;
    v.programmaticEvent.triggerAtBlockStart = trigger;
    return v;
}

static void values(void)
{
    CUevent plain, timed, interprocess;
    start();
    OK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&timed, 0));
    OK(cuEventCreate(&interprocess, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    printf("-- every attribute, zero\n");
    for (unsigned id = 0; id <= 20; id++) printf("%u: %s\n", id, name(with(id, zero())));
    SHOW(with(99, zero()));
    SHOW(with(0xffffffff, zero()));
    printf("-- access policy window\n");
    SHOW(with(1, window(memory, 4096, 0.5f, 2, 1)));
    SHOW(with(1, window(memory, 4096, 1.0f, 2, 2)));
    SHOW(with(1, window(memory, 4096, 1.5f, 2, 1)));
    SHOW(with(1, window(memory, 4096, -0.5f, 2, 1)));
    SHOW(with(1, window(memory, 4096, 0.5f, 3, 1)));
    SHOW(with(1, window(memory, 4096, 0.5f, 1, 9)));
    SHOW(with(1, window(memory, (size_t)1 << 40, 0.5f, 2, 1)));
    SHOW(with(1, window(64, 64, 0.5f, 2, 1)));
    printf("-- cooperative\n");
    SHOW(with(2, number(1)));
    SHOW(with(2, number(2)));
    SHOW(with(2, number(-1)));
    printf("-- synchronisation policy\n");
    for (int n = 1; n <= 6; n++) printf("%d: %s\n", n, name(with(3, number(n))));
    printf("-- cluster\n");
    SHOW(with(4, dimensions(1, 1, 1)));
    SHOW(with(4, dimensions(2, 1, 1)));
    SHOW(with(4, dimensions(3, 1, 1)));
    SHOW(with(4, dimensions(0, 1, 1)));
    SHOW(with(4, dimensions(8, 1, 1)));
    SHOW(with(4, dimensions(16, 1, 1)));
    SHOW(with(4, dimensions(0xffffffff, 0xffffffff, 1)));
    printf("-- cluster scheduling\n");
    for (int n = -1; n <= 4; n++) printf("%d: %s\n", n, name(with(5, number(n))));
    printf("-- programmatic stream serialization\n");
    for (int n = -1; n <= 2; n++) printf("%d: %s\n", n, name(with(6, number(n))));
    printf("-- programmatic event\n");
    SHOW(with(7, event_value(plain, 0, 0)));
    SHOW(cuEventQuery(plain));
    SHOW(with(7, event_value(plain, 0, 1)));
    SHOW(with(7, event_value(plain, 0, 2)));
    SHOW(with(7, event_value(plain, 1, 0)));
    SHOW(with(7, event_value(timed, 0, 0)));
    SHOW(with(7, event_value(interprocess, 0, 0)));
    printf("-- priority\n");
    for (int n = -7; n <= 2; n++) printf("%d: %s\n", n, name(with(8, number(n))));
    printf("-- memory synchronisation domains\n");
    SHOW(with(9, domains(0, 1)));
    SHOW(with(9, domains(1, 1)));
    SHOW(with(9, domains(3, 3)));
    SHOW(with(9, domains(4, 0)));
    SHOW(with(9, domains(0, 255)));
    for (int n = -1; n <= 2; n++) printf("%d: %s\n", n, name(with(10, number(n))));
    printf("-- preferred cluster\n");
    SHOW(with(11, dimensions(2, 1, 1)));
    SHOW(with(11, dimensions(3, 1, 1)));
    SHOW(with(11, dimensions(0, 1, 1)));
    printf("-- launch completion event\n");
    SHOW(with(12, event_value(plain, 0, 0)));
    SHOW(cuEventQuery(plain));
    SHOW(with(12, event_value(plain, 1, 0)));
    SHOW(with(12, event_value(timed, 0, 0)));
    SHOW(with(12, event_value(interprocess, 0, 0)));
    printf("-- a node that the device changes, where there is none\n");
    SHOW(with(13, number(1)));
    SHOW(with(13, number(2)));
    printf("-- carve-out\n");
    SHOW(with(14, number(50)));
    SHOW(with(14, number(100)));
    SHOW(with(14, number(101)));
    SHOW(with(14, number(-1)));
    SHOW(with(14, number(-2)));
    OK(cuEventDestroy(plain));
    OK(cuEventDestroy(timed));
    OK(cuEventDestroy(interprocess));
}

static void several(void)
{
    start();
    CUlaunchAttribute a[3];
    memset(a, 0, sizeof a);
    CUlaunchConfig c = {.gridDimX = 4, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1,
                        .hStream = stream, .attrs = a, .numAttrs = 2};
    a[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, a[0].value = dimensions(2, 1, 1);
    a[1].id = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, a[1].value = dimensions(4, 1, 1);
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    a[1].value = dimensions(3, 1, 1);
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    a[1].value = dimensions(1, 1, 1);
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    a[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, a[1].value = dimensions(3, 1, 1);
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    a[0].value = dimensions(3, 1, 1), a[1].value = dimensions(2, 1, 1);
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    c.numAttrs = 0;
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    c.attrs = NULL;
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    c.numAttrs = 1;
    SHOW(cuLaunchKernelEx(&c, none, NULL, NULL));
    SHOW(cuStreamSynchronize(stream));
}

/* Events that a launch records. */
static void events(void)
{
    start();
    for (unsigned id = 7; id <= 12; id += 5) {
        CUevent e;
        CUlaunchAttribute a;
        unsigned got = 0;
        memset(&a, 0, sizeof a);
        OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
        a.id = (CUlaunchAttributeID)id;
        a.value = event_value(e, 0, 0);
        CUlaunchConfig c = {.gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1,
                            .hStream = stream, .attrs = &a, .numAttrs = 1};
        OK(cuMemsetD32(memory, 0, 1));
        OK(cuCtxSynchronize());
        SHOW(cuLaunchKernelEx(&c, slow, (void *[]){&memory}, NULL));
        SHOW(cuEventSynchronize(e));
        SHOW(cuEventQuery(e));
        SHOW(cuStreamSynchronize(stream));
        OK(cuMemcpyDtoH(&got, memory, 4));
        printf("%u\n", got);
        OK(cuEventDestroy(e));
    }
}

static void tell(const char *what, CUgraphNode node)
{
    printf("%s:", what);
    for (unsigned id = 0; id <= 18; id++) {
        CUlaunchAttributeValue v;
        memset(&v, 0xee, sizeof v);
        CUresult r = cuGraphKernelNodeGetAttribute(node, (CUlaunchAttributeID)id, &v);
        printf(" %u ", id);
        if (r) printf("%s", name(r));
        else if (id == 1) printf("%d %zu %g %d %d", v.accessPolicyWindow.base_ptr == (void *)memory, v.accessPolicyWindow.num_bytes, v.accessPolicyWindow.hitRatio, v.accessPolicyWindow.hitProp, v.accessPolicyWindow.missProp);
        else if (id == 4 || id == 11) printf("%u %u %u", v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
        else if (id == 9) printf("%d %d", v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
        else printf("%d", v.priority);
        printf(id < 18 ? "," : "\n");
    }
}

static CUgraphNode add(CUgraph graph)
{
    CUgraphNode node;
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.func = none;
    p.gridDimX = 4, p.gridDimY = p.gridDimZ = 1;
    p.blockDimX = 32, p.blockDimY = p.blockDimZ = 1;
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &p));
    return node;
}

static CUresult set(CUgraphNode node, unsigned id, CUlaunchAttributeValue v)
{
    return cuGraphKernelNodeSetAttribute(node, (CUlaunchAttributeID)id, &v);
}

static void nodes(void)
{
    CUgraph graph, clone;
    CUgraphNode a, b;
    CUevent e;
    start();
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuGraphCreate(&graph, 0));
    a = add(graph);
    b = add(graph);
    tell("new", a);
    SHOW(set(a, 0, zero()));
    SHOW(set(a, 1, window(memory, 4096, 0.5f, 2, 1)));
    SHOW(set(a, 1, window(memory, 4096, 1.5f, 2, 1)));
    SHOW(set(a, 2, number(1)));
    SHOW(set(a, 2, number(7)));
    SHOW(set(a, 2, number(0)));
    SHOW(set(a, 3, number(1)));
    SHOW(set(a, 4, dimensions(2, 1, 1)));
    SHOW(set(a, 4, dimensions(3, 1, 1)));
    SHOW(set(a, 4, dimensions(16, 1, 1)));
    SHOW(set(a, 5, number(1)));
    SHOW(set(a, 5, number(9)));
    SHOW(set(a, 6, number(1)));
    SHOW(set(a, 7, event_value(e, 0, 0)));
    SHOW(set(a, 8, number(-3)));
    SHOW(set(a, 8, number(-100)));
    SHOW(set(a, 9, domains(1, 2)));
    SHOW(set(a, 9, domains(9, 2)));
    SHOW(set(a, 10, number(1)));
    SHOW(set(a, 10, number(5)));
    SHOW(set(a, 11, dimensions(4, 1, 1)));
    SHOW(set(a, 11, dimensions(3, 1, 1)));
    SHOW(set(a, 12, event_value(e, 0, 0)));
    SHOW(set(a, 14, number(50)));
    SHOW(set(a, 14, number(101)));
    SHOW(set(a, 15, number(1)));
    SHOW(set(a, 16, number(1)));
    SHOW(set(a, 17, number(1)));
    SHOW(set(a, 99, number(1)));
    tell("set", a);
    SHOW(cuGraphKernelNodeCopyAttributes(b, a));
    tell("copied", b);
    SHOW(cuGraphClone(&clone, graph));
    CUgraphNode c;
    SHOW(cuGraphNodeFindInClone(&c, a, clone));
    tell("cloned", c);
    SHOW(cuGraphDestroy(clone));
    SHOW(cuGraphDestroy(graph));
    SHOW(cuEventDestroy(e));
}

/* What an update may change. */
static void used_nodes(void)
{
    CUgraph graph, clone;
    CUgraphNode a, c;
    CUgraphExec exec;
    start();
    OK(cuGraphCreate(&graph, 0));
    a = add(graph);
    SHOW(set(a, 4, dimensions(2, 1, 1)));
    SHOW(set(a, 8, number(-3)));
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(&c, a, clone));
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, stream));
    SHOW(cuStreamSynchronize(stream));
    CUgraphExecUpdateResultInfo info;
    SHOW(set(c, 8, number(-1)));
    SHOW(cuGraphExecUpdate(exec, clone, &info));
    printf("%d\n", info.result);
    SHOW(set(c, 4, dimensions(4, 1, 1)));
    SHOW(cuGraphExecUpdate(exec, clone, &info));
    printf("%d\n", info.result);
    SHOW(set(c, 2, number(1)));
    SHOW(cuGraphExecUpdate(exec, clone, &info));
    printf("%d\n", info.result);
    SHOW(set(c, 14, number(20)));
    SHOW(cuGraphExecUpdate(exec, clone, &info));
    printf("%d\n", info.result);
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(clone));
    SHOW(cuGraphDestroy(graph));
}

/* What a captured launch leaves in its node. */
static void captured(void)
{
    CUstream other;
    CUevent e;
    start();
    OK(cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, -2));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    struct {
        unsigned id;
        CUlaunchAttributeValue v;
    } list[] = {
        {0, zero()}, {1, window(memory, 8192, 0.25f, 2, 1)}, {2, number(1)}, {4, dimensions(2, 1, 1)}, {5, number(1)},
        {8, number(-4)}, {9, domains(0, 2)}, {10, number(1)}, {14, number(25)},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CUgraph graph;
        CUgraphNode node;
        size_t n = 1;
        CUlaunchAttribute a;
        memset(&a, 0, sizeof a);
        a.id = (CUlaunchAttributeID)list[i].id;
        a.value = list[i].v;
        CUlaunchConfig c = {.gridDimX = 4, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1,
                            .hStream = other, .attrs = &a, .numAttrs = 1};
        OK(cuStreamBeginCapture(other, CU_STREAM_CAPTURE_MODE_GLOBAL));
        printf("%u: %s\n", list[i].id, name(cuLaunchKernelEx(&c, none, NULL, NULL)));
        OK(cuStreamEndCapture(other, &graph));
        if (cuGraphGetNodes(graph, &node, &n) || n != 1) printf("%zu nodes\n", n);
        else tell("node", node);
        OK(cuGraphDestroy(graph));
    }
    OK(cuStreamDestroy(other));
    OK(cuEventDestroy(e));
}

static void show_edges(CUgraph graph)
{
    CUgraphNode nodes[8], from[8], to[8];
    CUgraphEdgeData data[8];
    size_t n = 8, edges = 8;
    CUgraphNodeType type;
    OK(cuGraphGetNodes(graph, nodes, &n));
    printf("%zu nodes:", n);
    for (size_t i = 0; i < n; i++) printf(" %d", cuGraphNodeGetType(nodes[i], &type) ? -1 : (int)type);
    memset(data, 0, sizeof data);
    CUresult r = cuGraphGetEdges(graph, from, to, data, &edges);
    printf(", edges: %s", name(r));
    if (r) edges = 0;
    for (size_t i = 0; i < edges; i++) {
        int f = -1, t = -1;
        for (size_t k = 0; k < n; k++) {
            if (nodes[k] == from[i]) f = (int)k;
            if (nodes[k] == to[i]) t = (int)k;
        }
        printf("; %d-%d type %d from port %d to port %d", f, t, data[i].type, data[i].from_port, data[i].to_port);
    }
    printf("\n");
}

/* Programmatic dependencies in a capture. */
static void dependencies(void)
{
    CUstream first, second;
    CUevent e, join;
    start();
    OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
    CUlaunchAttribute a;
    memset(&a, 0, sizeof a);
    CUlaunchConfig c = {.gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1,
                        .hStream = first, .attrs = &a, .numAttrs = 1};
    CUgraph graph;
    CUgraphExec exec;
    unsigned got = 0;
    OK(cuMemsetD32(memory, 0, 1));
    OK(cuCtxSynchronize());
    for (int way = 0; way < 3; way++) {
        printf("-- %s\n", way == 0 ? "serialization" : way == 1 ? "programmatic event" : "launch completion event");
        OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
        if (way == 0) {
            a.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, a.value = number(1);
            SHOW(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, first, (void *[]){&memory}, NULL));
            SHOW(cuLaunchKernelEx(&c, count, (void *[]){&memory}, NULL));
        } else {
            a.id = way == 1 ? CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT : CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
            a.value = event_value(e, 0, 0);
            SHOW(cuLaunchKernelEx(&c, count, (void *[]){&memory}, NULL));
            SHOW(cuStreamWaitEvent(second, e, 0));
            SHOW(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, second, (void *[]){&memory}, NULL));
            SHOW(cuEventRecord(join, second));
            SHOW(cuStreamWaitEvent(first, join, 0));
        }
        CUresult ended = cuStreamEndCapture(first, &graph);
        printf("end: %s\n", name(ended));
        if (ended) continue;
        show_edges(graph);
        SHOW(cuGraphInstantiate(&exec, graph, 0));
        SHOW(cuGraphLaunch(exec, first));
        SHOW(cuStreamSynchronize(first));
        OK(cuMemcpyDtoH(&got, memory, 4));
        printf("%u\n", got);
        OK(cuGraphExecDestroy(exec));
        OK(cuGraphDestroy(graph));
    }
    OK(cuStreamDestroy(first));
    OK(cuStreamDestroy(second));
    OK(cuEventDestroy(e));
    OK(cuEventDestroy(join));
}

int main(void)
{
    /* The emulated device, too, shall be one with access policy windows. */
    setenv("DOPPEL_DEVICES", "h200", 1);
    apart("values", values);
    apart("several", several);
    apart("events", events);
    apart("nodes", nodes);
    apart("nodes that are used", used_nodes);
    apart("captured", captured);
    apart("dependencies in a capture", dependencies);
    return 0;
}
