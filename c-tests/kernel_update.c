/* Kernel nodes of graphs that were instantiated: what may change, and what a change reaches. */
#include "check.h"

static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u32 %r, [n]; red.global.add.u32 [%rd], %r; ret; }\n"
    ".visible .entry twice(.param .u64 p, .param .u32 n) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u32 %r, [n]; add.u32 %r, %r, %r; red.global.add.u32 [%rd], %r; ret; }\n"
    ".visible .entry other(.param .u64 p) {\n"
    "    .reg .u64 %rd; ld.param.u64 %rd, [p]; red.global.add.u32 [%rd], 1000; ret; }\n";

static CUmodule module, second;
static CUdeviceptr memory;
static CUfunction function(CUmodule m, const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, m, what));
    return f;
}

static unsigned amount;
static CUDA_KERNEL_NODE_PARAMS parameters(CUfunction f, unsigned n, unsigned grid)
{
    static void *values[2];
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    amount = n;
    values[0] = &memory, values[1] = &amount;
    p.func = f;
    p.gridDimX = grid, p.gridDimY = p.gridDimZ = 1;
    p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = values;
    return p;
}

static void run(CUgraphExec exec)
{
    unsigned v = 0;
    OK(cuMemsetD32(memory, 0, 1));
    CUresult r = cuGraphLaunch(exec, NULL);
    CUresult s = cuMemcpyDtoH(&v, memory, 4);
    printf("launch: %s, %s, %u\n", name(r), name(s), v);
}

static CUgraphNode add(CUgraph graph, CUgraphNode after, CUDA_KERNEL_NODE_PARAMS p)
{
    CUgraphNode node = NULL;
    OK(cuGraphAddKernelNode(&node, graph, &after, after != NULL, &p));
    return node;
}

static void try(const char *what, CUgraphExec exec, CUgraphNode node, CUDA_KERNEL_NODE_PARAMS p)
{
    printf("%s: %s\n", what, name(cuGraphExecKernelNodeSetParams(exec, node, &p)));
    run(exec);
}

static void single(void)
{
    CUgraph graph, foreign;
    CUgraphExec exec;
    CUgraphNode a, b, empty, stranger;
    CUDA_KERNEL_NODE_PARAMS p;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&foreign, 0));
    a = add(graph, NULL, parameters(function(module, "add"), 1, 1));
    b = add(graph, a, parameters(function(module, "add"), 10, 1));
    stranger = add(foreign, NULL, parameters(function(module, "add"), 10, 1));
    OK(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
    OK(cuGraphInstantiate(&exec, graph, 0));
    run(exec);
    try("parameters", exec, a, parameters(function(module, "add"), 3, 1));
    try("grid", exec, a, parameters(function(module, "add"), 3, 4));
    try("function", exec, a, parameters(function(module, "twice"), 3, 1));
    try("function with other parameters", exec, a, parameters(function(module, "other"), 3, 1));
    try("function of another module", exec, a, parameters(function(second, "twice"), 4, 1));
    try("grid 0", exec, a, parameters(function(module, "add"), 3, 0));
    p = parameters(function(module, "add"), 3, 1);
    p.blockDimX = 2000;
    try("block too large", exec, a, p);
    p = parameters(NULL, 3, 1);
    try("no function", exec, a, p);
    p = parameters(function(module, "add"), 3, 1);
    p.kernelParams = NULL;
    try("no parameters", exec, a, p);
    try("another kind of node", exec, empty, parameters(function(module, "add"), 3, 1));
    try("a node of another graph", exec, stranger, parameters(function(module, "add"), 3, 1));
    SHOW(cuGraphExecKernelNodeSetParams(exec, a, NULL));
    SHOW(cuGraphExecKernelNodeSetParams(NULL, a, &p));
    SHOW(cuGraphExecKernelNodeSetParams(exec, NULL, &p));
    printf("-- what the graph says of it, and a new instance\n");
    SHOW(cuGraphKernelNodeGetParams(a, &p));
    printf("%d %u\n", p.func == function(module, "add"), *(unsigned *)p.kernelParams[1]);
    CUgraphExec again;
    OK(cuGraphInstantiate(&again, graph, 0));
    run(again);
    OK(cuGraphExecDestroy(again));
    printf("-- through the general call\n");
    CUgraphNodeParams any;
    memset(&any, 0, sizeof any);
    any.type = CU_GRAPH_NODE_TYPE_KERNEL;
    p = parameters(function(module, "add"), 100, 2);
    any.kernel.func = p.func;
    any.kernel.gridDimX = 2, any.kernel.gridDimY = any.kernel.gridDimZ = 1;
    any.kernel.blockDimX = any.kernel.blockDimY = any.kernel.blockDimZ = 1;
    any.kernel.kernelParams = p.kernelParams;
    SHOW(cuGraphExecNodeSetParams(exec, b, &any));
    run(exec);
    any.type = CU_GRAPH_NODE_TYPE_EMPTY;
    SHOW(cuGraphExecNodeSetParams(exec, b, &any));
    printf("-- switched off\n");
    unsigned on = 9;
    SHOW(cuGraphNodeSetEnabled(exec, b, 0));
    SHOW(cuGraphNodeGetEnabled(exec, b, &on));
    printf("%u\n", on);
    run(exec);
    p = parameters(function(module, "add"), 7, 1);
    SHOW(cuGraphExecKernelNodeSetParams(exec, b, &p));
    run(exec);
    SHOW(cuGraphNodeSetEnabled(exec, b, 1));
    run(exec);
    SHOW(cuGraphNodeSetEnabled(exec, b, 5));
    SHOW(cuGraphNodeGetEnabled(exec, b, &on));
    printf("%u\n", on);
    SHOW(cuGraphNodeSetEnabled(exec, empty, 0));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(foreign));
}

static void update(const char *what, CUgraphExec exec, CUgraph graph)
{
    CUgraphExecUpdateResultInfo info;
    memset(&info, 0xee, sizeof info);
    CUresult r = cuGraphExecUpdate(exec, graph, &info);
    printf("%s: %s, %d, a node %d\n", what, name(r), info.result, info.errorNode != NULL);
    run(exec);
    OK(cuGraphDestroy(graph));
}

static void whole(void)
{
    CUgraph graph, next;
    CUgraphExec exec;
    CUgraphNode a, b, empty;
    CUDA_KERNEL_NODE_PARAMS p;
    OK(cuGraphCreate(&graph, 0));
    a = add(graph, NULL, parameters(function(module, "add"), 1, 1));
    b = add(graph, a, parameters(function(module, "add"), 10, 1));
    OK(cuGraphInstantiate(&exec, graph, 0));
    run(exec);
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(module, "add"), 2, 3));
    b = add(next, a, parameters(function(module, "add"), 20, 1));
    update("parameters", exec, next);
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(module, "twice"), 2, 1));
    b = add(next, a, parameters(function(module, "add"), 20, 1));
    update("function", exec, next);
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(second, "add"), 5, 1));
    b = add(next, a, parameters(function(module, "add"), 20, 1));
    update("function of another module", exec, next);
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(module, "add"), 2, 1));
    update("fewer nodes", exec, next);
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(module, "add"), 2, 1));
    b = add(next, NULL, parameters(function(module, "add"), 30, 1));
    update("fewer edges", exec, next);
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(module, "add"), 2, 1));
    OK(cuGraphAddEmptyNode(&empty, next, &a, 1));
    update("another kind", exec, next);
    OK(cuGraphCreate(&next, 0));
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(module, "add"), 2, 1));
    b = add(next, a, parameters(function(module, "add"), 40, 1));
    p = parameters(function(module, "add"), 50, 1);
    add(next, b, p);
    update("more nodes", exec, next);
    printf("-- the module goes before the graph\n");
    CUmodule third;
    OK(cuModuleLoadData(&third, code));
    OK(cuGraphCreate(&next, 0));
    a = add(next, NULL, parameters(function(third, "add"), 6, 1));
    SHOW(cuGraphKernelNodeGetParams(a, &p));
    SHOW(cuGraphDestroy(next));
    SHOW(cuModuleUnload(third));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* A child graph and a clone have kernels of their own. */
static void nested(void)
{
    CUgraph graph, child, inside, clone;
    CUgraphExec exec;
    CUgraphNode a, node, found;
    CUDA_KERNEL_NODE_PARAMS p;
    size_t n = 1;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    a = add(child, NULL, parameters(function(module, "add"), 1, 1));
    OK(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    p = parameters(function(module, "add"), 5, 1);
    SHOW(cuGraphKernelNodeSetParams(a, &p));
    OK(cuGraphInstantiate(&exec, graph, 0));
    run(exec);
    SHOW(cuGraphChildGraphNodeGetGraph(node, &inside));
    CUgraphNode first = NULL;
    SHOW(cuGraphGetNodes(inside, &first, &n));
    p = parameters(function(module, "add"), 9, 1);
    SHOW(cuGraphExecKernelNodeSetParams(exec, first, &p));
    run(exec);
    SHOW(cuGraphExecChildGraphNodeSetParams(exec, node, child));
    run(exec);
    OK(cuGraphExecDestroy(exec));
    SHOW(cuGraphClone(&clone, child));
    SHOW(cuGraphNodeFindInClone(&found, a, clone));
    p = parameters(function(module, "twice"), 8, 1);
    SHOW(cuGraphKernelNodeSetParams(found, &p));
    OK(cuGraphInstantiate(&exec, clone, 0));
    run(exec);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphInstantiate(&exec, child, 0));
    run(exec);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(child));
    OK(cuGraphDestroy(graph));
}

int main(void)
{
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleLoadData(&second, code));
    OK(cuMemAlloc(&memory, 64));
    single();
    printf("-- whole graphs\n");
    whole();
    printf("-- children and clones\n");
    nested();
    OK(cuModuleUnload(module));
    OK(cuModuleUnload(second));
    return 0;
}
