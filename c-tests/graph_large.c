/* Graphs that lie in each other deeper than a small stack is, and graphs of many nodes: what a call costs goes with what
 * it is about, not with the graph. There are no clocks here: what looks at all nodes for each of them does not end in time. */
#include "check.h"
#include <pthread.h>

enum { NODES = 60000 };
/* A real driver overflows the stack in 3000. */
static int levels = 3000;
static CUcontext context;
static CUdeviceptr word;
static CUgraphNode nodes[NODES], ends[2 * NODES], from[NODES], to[NODES];

static unsigned now(void)
{
    unsigned value;
    OK(cuMemcpyDtoH(&value, word, 4));
    OK(cuMemsetD32(word, 0, 1));
    return value;
}

static CUDA_MEMSET_NODE_PARAMS fill(unsigned value)
{
    return (CUDA_MEMSET_NODE_PARAMS){ .dst = word, .value = value, .elementSize = 4, .width = 1, .height = 1 };
}

/* A graph in a graph in a graph; the innermost one fills the word. */
static CUgraph nest(int deep, unsigned value, CUgraphNode *outermost)
{
    CUgraph top, empty, at;
    CUgraphNode node;
    CUDA_MEMSET_NODE_PARAMS params = fill(value);
    OK(cuGraphCreate(&top, 0));
    OK(cuGraphCreate(&empty, 0));
    at = top;
    for (int i = 0; i < deep; i++) {
        OK(cuGraphAddChildGraphNode(&node, at, NULL, 0, empty));
        OK(cuGraphChildGraphNodeGetGraph(node, &at));
        if (i == 0 && outermost) *outermost = node;
    }
    OK(cuGraphAddMemsetNode(&node, at, NULL, 0, &params, context));
    OK(cuGraphDestroy(empty));
    return top;
}

static int levels_of_dot(CUgraph graph)
{
    char path[] = "/tmp/graph_large.XXXXXX", *line = NULL;
    int fd = mkstemp(path), count = 0;
    size_t room = 0;
    OK(cuGraphDebugDotPrint(graph, path, 0));
    FILE *file = fdopen(fd, "r");
    while (file && getline(&line, &room, file) > 0) count += !strncmp(line, "subgraph", 8);
    if (file) fclose(file);
    free(line);
    unlink(path);
    return count;
}

static void *nested(void *unused)
{
    CUgraph graph, copy, other, child;
    CUgraphNode outermost;
    CUgraphExec exec;
    CUgraphExecUpdateResultInfo info;
    (void)unused;
    OK(cuCtxSetCurrent(context));
    graph = nest(levels, 1, &outermost);
    SHOW(cuGraphClone(&copy, graph));
    SHOW(cuGraphInstantiateWithFlags(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("the word is %u\n", now());
    other = nest(levels, 2, NULL);
    SHOW(cuGraphExecUpdate(exec, other, &info));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    printf("the word is %u\n", now());
    OK(cuGraphDestroy(other));
    other = nest(levels - 1, 3, NULL);
    SHOW(cuGraphExecChildGraphNodeSetParams(exec, outermost, other));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    printf("the word is %u\n", now());
    printf("%s in a picture\n", levels_of_dot(copy) == levels + 1 ? "all levels" : "other levels");
    SHOW(cuGraphDestroy(graph));
    SHOW(cuGraphExecDestroy(exec));
    OK(cuGraphInstantiateWithFlags(&exec, copy, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    printf("the word is %u\n", now());
    OK(cuGraphExecDestroy(exec));
    /* A node takes what is in it with it. */
    size_t one = 1;
    OK(cuGraphGetNodes(copy, &outermost, &one));
    OK(cuGraphChildGraphNodeGetGraph(outermost, &child));
    SHOW(cuGraphDestroyNode(outermost));
    size_t left = 9;
    OK(cuGraphGetNodes(copy, NULL, &left));
    printf("%zu nodes left; the graph inside: ", left);
    printf("%s\n", name(cuGraphGetNodes(child, NULL, &left)));
    OK(cuGraphDestroy(copy));
    OK(cuGraphDestroy(other));
    return NULL;
}

static void on_small_stack(void *(*f)(void *))
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    if (pthread_create(&thread, &attributes, f, NULL)) exit(1);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* A hub with a node behind every one of its spokes: nodes[0] to all others. */
static CUgraph star(void)
{
    CUgraph graph;
    CUDA_MEMSET_NODE_PARAMS params = fill(1);
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
    for (int i = 1; i < NODES; i++) OK(cuGraphAddMemsetNode(&nodes[i], graph, nodes, 1, &params, context));
    return graph;
}

static void many(void)
{
    CUgraph graph = star(), copy;
    CUgraphExec exec;
    CUgraphNode found;
    CUDA_MEMSET_NODE_PARAMS params = fill(5);
    size_t count = 0;
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 1; i < NODES; i++) OK(cuGraphExecMemsetNodeSetParams(exec, nodes[i], &params, context));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    printf("the word is %u\n", now());
    OK(cuGraphClone(&copy, graph));
    int right = 0;
    for (int i = 0; i < NODES; i++) right += !cuGraphNodeFindInClone(&found, nodes[i], copy) && found != nodes[i];
    printf("%d nodes found in the clone\n", right);
    printf("%d levels in a picture\n", levels_of_dot(copy));
    /* The spokes are turned into a chain, one edge at a time. */
    for (int i = 2; i < NODES; i++) {
        OK(cuGraphRemoveDependencies(graph, &nodes[0], &nodes[i], NULL, 1));
        OK(cuGraphAddDependencies(graph, &nodes[i - 1], &nodes[i], NULL, 1));
    }
    OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    OK(cuGraphGetEdges(graph, from, to, NULL, &count));
    int chained = 0;
    for (size_t i = 0; i < count; i++) chained += from[i] == nodes[i] && to[i] == nodes[i + 1];
    printf("%zu edges, %d of the chain\n", count, chained);
    CUgraphExecUpdateResultInfo info;
    SHOW(cuGraphExecUpdate(exec, graph, &info));
    printf("from %s, to %s\n", info.errorFromNode == nodes[1] ? "the second" : "another", info.errorNode == nodes[2] ? "the third" : "another");
    for (int i = 0; i < NODES; i++) OK(cuGraphDestroyNode(nodes[i]));
    OK(cuGraphGetNodes(graph, NULL, &count));
    printf("%zu nodes left\n", count);
    /* In the clone every node goes whose number is odd, and the rest keep their order. */
    size_t all = NODES;
    OK(cuGraphGetNodes(copy, ends, &all));
    for (int i = 1; i < NODES; i += 2) OK(cuGraphDestroyNode(ends[i]));
    OK(cuGraphGetNodes(copy, NULL, &count));
    OK(cuGraphGetNodes(copy, nodes, &count));
    int kept = 0;
    for (size_t i = 0; i < count; i++) kept += nodes[i] == ends[2 * i];
    size_t behind = 0;
    OK(cuGraphNodeGetDependentNodes(ends[0], NULL, NULL, &behind));
    OK(cuGraphNodeGetDependentNodes(ends[0], to, NULL, &behind));
    int ordered = 0;
    for (size_t i = 0; i < behind; i++) ordered += to[i] == ends[2 * i + 2];
    printf("%zu nodes, %d in order; %zu behind the hub, %d in order\n", count, kept, behind, ordered);
    SHOW(cuGraphDestroyNode(ends[0]));
    OK(cuGraphGetEdges(copy, NULL, NULL, NULL, &count));
    printf("%zu edges without the hub\n", count);
    OK(cuGraphDestroy(copy));
    OK(cuGraphDestroy(graph));
    OK(cuGraphExecDestroy(exec));
}

int main(void)
{
    char device[64] = "";
    context = begin();
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) levels = 8;
    OK(cuMemAlloc(&word, 4));
    now();
    printf("-- graphs in graphs\n");
    on_small_stack(nested);
    printf("-- many nodes\n");
    many();
    OK(cuMemFree(word));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
