/* Graphs built by hand: nodes and edges, clones, executable graphs and what can be changed in them, allocations. */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))
/* Set-up that has to work. */
#define OK(call) ok(call, #call)
static void ok(CUresult r, const char *what)
{
    if (r) {
        printf("FAILED %s: %s\n", what, name(r));
        exit(1);
    }
}

static CUcontext ctx;
static void begin(void)
{
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    OK(cuCtxSetCurrent(ctx));
}
static CUdeviceptr d;
static int calls;
static void CUDA_CB count(void *p) { __atomic_add_fetch((int *)p, 1, __ATOMIC_SEQ_CST); }

static CUDA_MEMSET_NODE_PARAMS fill(CUdeviceptr at, unsigned value, size_t width)
{
    CUDA_MEMSET_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.dst = at;
    p.value = value;
    p.elementSize = 1;
    p.width = width;
    p.height = 1;
    return p;
}
static CUDA_MEMCPY3D copy(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = from;
    c.dstDevice = to;
    c.WidthInBytes = c.srcPitch = c.dstPitch = n;
    c.Height = c.Depth = c.srcHeight = c.dstHeight = 1;
    return c;
}
static void shape(CUgraph g)
{
    size_t n = 0, e = 0, r = 0;
    OK(cuGraphGetNodes(g, NULL, &n));
    OK(cuGraphGetEdges(g, NULL, NULL, NULL, &e));
    OK(cuGraphGetRootNodes(g, NULL, &r));
    printf("%zu nodes, %zu edges, %zu roots\n", n, e, r);
}
static void show_bytes(CUdeviceptr at, int n)
{
    unsigned char b[16];
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(b, at, (size_t)n));
    for (int i = 0; i < n; i++) printf("%02x", b[i]);
    printf("\n");
}

static void edges(void)
{
    CUgraph g, h;
    CUgraphNode n[3], list[5], foreign;
    CUgraphExec x = NULL;
    size_t c = 2;
    printf("-- edges\n");
    SHOW(cuGraphCreate(NULL, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&h, 0));
    for (int i = 0; i < 3; i++) OK(cuGraphAddEmptyNode(&n[i], g, NULL, 0));
    OK(cuGraphAddEmptyNode(&foreign, h, NULL, 0));
    CUgraphNode from[2] = { n[0], n[0] }, to[2] = { n[1], n[2] };
    SHOW(cuGraphAddDependencies(g, from, to, NULL, 2));
    shape(g);
    SHOW(cuGraphAddDependencies(g, from, to, NULL, 1));
    SHOW(cuGraphAddDependencies(g, from, &foreign, NULL, 1));
    SHOW(cuGraphRemoveDependencies(g, from, to, NULL, 1));
    SHOW(cuGraphRemoveDependencies(g, from, to, NULL, 1));
    shape(g);
    SHOW(cuGraphGetNodes(g, list, &c));
    printf("%zu: %d %d\n", c, list[0] == n[0], list[1] == n[1]);
    c = 5;
    SHOW(cuGraphGetNodes(g, list, &c));
    printf("%zu: %d %d\n", c, list[2] == n[2], list[3] == NULL);
    SHOW(cuGraphAddDependencies(g, &n[2], &n[0], NULL, 1));
    SHOW(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphDestroyNode(n[0]));
    shape(g);
    SHOW(cuGraphAddEmptyNode(&n[0], g, &foreign, 1));
    SHOW(cuGraphDestroy(g));
    SHOW(cuGraphDestroy(h));
    SHOW(cuGraphDestroy(NULL));
}

static void launches(void)
{
    CUgraph g, child, clone;
    CUgraphNode f, c, hn, ch, in_clone;
    CUgraphExec x, y;
    CUDA_MEMSET_NODE_PARAMS p = fill(d, 1, 8);
    CUDA_MEMCPY3D cp = copy(d + 64, d, 8);
    CUDA_HOST_NODE_PARAMS hp = { count, &calls };
    unsigned on = 9;
    cuuint64_t flags = 9;
    printf("-- launches\n");
    OK(cuMemsetD8(d, 0, 256));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddHostNode(&hn, child, NULL, 0, &hp));
    OK(cuGraphAddMemsetNode(&f, g, NULL, 0, &p, ctx));
    OK(cuGraphAddMemcpyNode(&c, g, &f, 1, &cp, ctx));
    OK(cuGraphAddChildGraphNode(&ch, g, &c, 1, child));
    OK(cuGraphDestroy(child));
    SHOW(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphExecGetFlags(x, &flags));
    printf("flags %llu\n", (unsigned long long)flags);
    for (int i = 0; i < 3; i++) OK(cuGraphLaunch(x, NULL));
    show_bytes(d + 64, 9);
    printf("called %d times\n", calls);

    p.value = 2;
    SHOW(cuGraphExecMemsetNodeSetParams(x, f, &p, ctx));
    OK(cuGraphLaunch(x, NULL));
    show_bytes(d + 64, 9);
    cp.dstDevice = d + 65;
    SHOW(cuGraphExecMemcpyNodeSetParams(x, c, &cp, ctx));
    SHOW(cuGraphNodeSetEnabled(x, f, 0));
    SHOW(cuGraphNodeGetEnabled(x, f, &on));
    printf("enabled %u\n", on);
    OK(cuMemsetD8(d, 3, 8));
    OK(cuGraphLaunch(x, NULL));
    show_bytes(d + 64, 10);

    SHOW(cuGraphClone(&clone, g));
    shape(clone);
    SHOW(cuGraphNodeFindInClone(&in_clone, f, clone));
    p.value = 4;
    SHOW(cuGraphMemsetNodeSetParams(in_clone, &p));
    SHOW(cuGraphMemsetNodeGetParams(f, &p));
    printf("original still %u\n", p.value);
    SHOW(cuGraphInstantiate(&y, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    CUgraphExecUpdateResultInfo info;
    SHOW(cuGraphExecUpdate(y, clone, &info));
    printf("result %d\n", info.result);
    OK(cuGraphLaunch(y, NULL));
    show_bytes(d + 64, 10);
    OK(cuGraphAddEmptyNode(&in_clone, clone, NULL, 0));
    SHOW(cuGraphExecUpdate(y, clone, &info));
    printf("result %d\n", info.result);
    SHOW(cuGraphExecDestroy(y));
    SHOW(cuGraphDestroy(clone));
    /* An executable graph needs its graph no longer. */
    SHOW(cuGraphDestroy(g));
    SHOW(cuGraphLaunch(x, NULL));
    SHOW(cuStreamSynchronize(NULL));
    SHOW(cuGraphExecDestroy(x));
    printf("called %d times\n", calls);
}

static void refused(void)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    printf("-- refused\n");
    OK(cuGraphCreate(&g, 0));
    CUDA_MEMSET_NODE_PARAMS p = fill(d, 0, 0);
    SHOW(cuGraphAddMemsetNode(&n, g, NULL, 0, &p, ctx));
    p = fill(d, 0, 4097);
    SHOW(cuGraphAddMemsetNode(&n, g, NULL, 0, &p, ctx));
    CUDA_MEMCPY3D c = copy(d, d + 4000, 200);
    SHOW(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, ctx));
    CUDA_HOST_NODE_PARAMS hp = { NULL, NULL };
    SHOW(cuGraphAddHostNode(&n, g, NULL, 0, &hp));
    SHOW(cuGraphAddMemFreeNode(&n, g, NULL, 0, d));
    SHOW(cuGraphInstantiate(&x, g, 16));
    SHOW(cuGraphLaunch(NULL, NULL));
    shape(g);
    OK(cuGraphDestroy(g));
}

static void allocations(void)
{
    CUgraph g;
    CUgraphNode a, f, c, last;
    CUgraphExec x, y;
    CUDA_MEM_ALLOC_NODE_PARAMS p;
    printf("-- allocations\n");
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = 4096;
    OK(cuGraphCreate(&g, 0));
    SHOW(cuGraphAddMemAllocNode(&a, g, NULL, 0, &p));
    SHOW(cuMemsetD8(p.dptr, 1, 16));
    CUDA_MEMSET_NODE_PARAMS fp = fill(p.dptr, 0x5c, 4096);
    SHOW(cuGraphAddMemsetNode(&f, g, &a, 1, &fp, ctx));
    CUDA_MEMCPY3D cp = copy(d, p.dptr, 8);
    SHOW(cuGraphAddMemcpyNode(&c, g, &f, 1, &cp, ctx));
    SHOW(cuGraphAddMemFreeNode(&last, g, &c, 1, p.dptr));
    SHOW(cuGraphAddMemFreeNode(&last, g, &c, 1, p.dptr));
    SHOW(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphInstantiate(&y, g, 0));
    SHOW(cuGraphLaunch(x, NULL));
    SHOW(cuGraphLaunch(x, NULL));
    show_bytes(d, 9);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));

    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemAllocNode(&a, g, NULL, 0, &p));
    OK(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphLaunch(x, NULL));
    SHOW(cuMemsetD8(p.dptr, 1, 4096));
    SHOW(cuMemFree(p.dptr));
    SHOW(cuGraphLaunch(x, NULL));
    SHOW(cuMemFreeAsync(p.dptr, NULL));
    SHOW(cuStreamSynchronize(NULL));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    SHOW(cuDeviceGraphMemTrim(0));
}

static void *launcher(void *p)
{
    CUstream s;
    OK(cuCtxSetCurrent(ctx));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 100; i++) OK(cuGraphLaunch(p, s));
    OK(cuStreamSynchronize(s));
    OK(cuStreamDestroy(s));
    return NULL;
}
/* One executable graph, launched by several threads: it never runs beside itself. */
static void threads(void)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    pthread_t t[4];
    CUDA_HOST_NODE_PARAMS hp = { count, &calls };
    printf("-- threads\n");
    calls = 0;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddHostNode(&n, g, NULL, 0, &hp));
    OK(cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, launcher, x);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("called %d times\n", calls);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

static CUresult allocate(CUgraph g, CUgraphNode *n, CUdeviceptr *p, size_t size, CUgraphNode *deps, size_t count)
{
    CUDA_MEM_ALLOC_NODE_PARAMS a;
    memset(&a, 0, sizeof a);
    a.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, a.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE, a.bytesize = size, a.dptr = *p;
    CUresult r = cuGraphAddMemAllocNode(n, g, deps, count, &a);
    *p = a.dptr;
    return r;
}

/* What a graph with allocations can still do. */
static void able(const char *what, CUgraph g)
{
    CUgraph copy;
    CUgraphNode a, b;
    CUgraphExec x = NULL, y = NULL;
    CUresult cloned = cuGraphClone(&copy, g);
    if (!cloned) cuGraphDestroy(copy);
    OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, g, NULL, 0));
    CUresult joined = cuGraphAddDependencies(g, &a, &b, NULL, 1), again = cuGraphAddDependencies(g, &a, &b, NULL, 1);
    CUresult parted = cuGraphRemoveDependencies(g, &a, &b, NULL, 1), nothing = cuGraphRemoveDependencies(g, &b, &a, NULL, 1), none = cuGraphRemoveDependencies(g, NULL, NULL, NULL, 0);
    CUresult gone = cuGraphDestroyNode(b), one = cuGraphInstantiate(&x, g, 0), two = cuGraphInstantiate(&y, g, 0);
    if (!one) cuGraphExecDestroy(x);
    if (!two) cuGraphExecDestroy(y);
    printf("%s: clone %d, join %d %d, part %d %d %d, destroy a node %d, instantiate %d %d\n", what, cloned, joined, again, parted, nothing, none, gone, one, two);
}

static void allocations_in_graphs(void)
{
    CUgraph g, other, third;
    CUgraphNode n, f, e, both[2];
    CUgraphExec x;
    CUdeviceptr p, q;
    CUgraphExecUpdateResultInfo info;
    printf("-- allocations in graphs\n");
#define NEW(g) OK(cuGraphCreate(&g, 0)); OK(cuGraphAddEmptyNode(&e, g, NULL, 0)); both[0] = both[1] = e
    NEW(g);
    able("plain", g);
    OK(cuGraphDestroy(g));
    NEW(g);
    OK(allocate(g, &n, &p, 100, NULL, 0));
    able("allocates", g);
    OK(cuGraphDestroy(g));
    /* A node that could not be added counts too, once its dependencies and parameters were right. */
    NEW(g);
    p = 5, n = (CUgraphNode)6;
    CUresult r = allocate(g, &n, &p, 100, both, 2);
    printf("twice the same dependency: %s, untouched %d\n", name(r), p == 5 && n == (CUgraphNode)6);
    able("after that", g);
    OK(cuGraphDestroy(g));
    NEW(g);
    r = allocate(g, &n, &p, 0, NULL, 0);
    printf("no bytes: %s\n", name(r));
    able("after that", g);
    printf("free of what is no allocation: %s\n", name(cuGraphAddMemFreeNode(&f, g, NULL, 0, 4096)));
    able("after that", g);
    OK(cuGraphDestroy(g));
    /* Whose free it is. */
    NEW(g);
    OK(cuGraphCreate(&other, 0));
    OK(cuGraphCreate(&third, 0));
    OK(allocate(g, &n, &p, 100, NULL, 0));
    OK(allocate(g, &f, &q, 100, NULL, 0));
    CUdeviceptr early;
    CUgraphNode first;
    OK(allocate(g, &first, &early, 100, NULL, 0));
    printf("another graph: %s", name(cuGraphAddMemFreeNode(&e, third, NULL, 0, early)));
    printf(", then its own: %s\n", name(cuGraphAddMemFreeNode(&e, g, &first, 1, early)));
    printf("own graph: %s", name(cuGraphAddMemFreeNode(&e, g, &f, 1, q)));
    printf(", again: %s\n", name(cuGraphAddMemFreeNode(&e, g, &e, 1, q)));
    OK(cuGraphInstantiate(&x, g, 0));
    printf("instantiated: own graph: %s", name(cuGraphAddMemFreeNode(&e, g, &n, 1, p)));
    printf(", another: %s", name(cuGraphAddMemFreeNode(&e, other, NULL, 0, p)));
    printf(", again: %s", name(cuGraphAddMemFreeNode(&e, other, NULL, 0, p)));
    printf(", a third: %s", name(cuGraphAddMemFreeNode(&e, third, NULL, 0, p)));
    OK(allocate(g, &n, &q, 100, NULL, 0));
    printf(", what came later: %s", name(cuGraphAddMemFreeNode(&e, g, &n, 1, q)));
    OK(cuGraphExecDestroy(x));
    printf(", destroyed: %s\n", name(cuGraphAddMemFreeNode(&e, g, &n, 1, p)));
    OK(cuGraphDestroy(third));
    OK(cuGraphDestroy(other));
    OK(cuGraphDestroy(g));
    /* Every graph in use has blocks of its own, which go back when asked for. */
    CUgraph several[3];
    CUgraphExec running[3];
    CUdeviceptr made[3];
    cuuint64_t used = 0, before = 0;
    OK(cuDeviceGraphMemTrim(0));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &before));
    printf("blocks:");
    for (int i = 0; i < 3; i++) {
        OK(cuGraphCreate(&several[i], 0));
        OK(allocate(several[i], &n, &made[i], i == 1 ? 40 << 20 : 1000, NULL, 0));
        OK(allocate(several[i], &n, &q, 1000, NULL, 0));
        OK(cuGraphAddMemFreeNode(&f, several[i], &n, 1, q));
        OK(cuGraphInstantiate(&running[i], several[i], 0));
        OK(cuGraphLaunch(running[i], NULL));
        OK(cuStreamSynchronize(NULL));
        OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
        printf(" %llu", (unsigned long long)(used - before) >> 25);
    }
    for (int i = 0; i < 3; i++) OK(cuMemFree(made[i]));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    printf(", freed %llu", (unsigned long long)(used - before) >> 25);
    OK(cuDeviceGraphMemTrim(0));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    printf(", trimmed %llu\n", (unsigned long long)(used - before) >> 25);
    for (int i = 0; i < 3; i++) {
        OK(cuGraphExecDestroy(running[i]));
        OK(cuGraphDestroy(several[i]));
    }
    /* Updates take allocations over. */
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&other, 0));
    OK(allocate(g, &n, &p, 1000, NULL, 0));
    OK(allocate(other, &n, &q, 2000, NULL, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    printf("update: %s", name(cuGraphExecUpdate(x, g, &info)));
    printf(" %d, another graph: %s", info.result, name(cuGraphExecUpdate(x, other, &info)));
    printf(" %d", info.result);
    OK(cuGraphLaunch(x, NULL));
    OK(cuStreamSynchronize(NULL));
    printf(", fill what it allocates: %s, what it did: %s\n", name(cuMemsetD8(q, 1, 2000)), name(cuMemsetD8(p, 1, 1000)));
    CUgraphExec y = NULL;
    printf("instantiate the other: %s\n", name(cuGraphInstantiate(&y, other, 0)));
    OK(cuMemFree(q));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(other));
}

static int ended;
static void CUDA_CB end(void *p) { __atomic_store_n((int *)p, 1, __ATOMIC_SEQ_CST); }
static void objects(void)
{
    CUgraph g;
    CUuserObject o;
    printf("-- user objects\n");
    OK(cuGraphCreate(&g, 0));
    SHOW(cuUserObjectCreate(&o, &ended, end, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    SHOW(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    usleep(10000);
    printf("ended %d\n", ended);
    SHOW(cuGraphDestroy(g));
    for (int i = 0; i < 2000 && !__atomic_load_n(&ended, __ATOMIC_SEQ_CST); i++) usleep(1000);
    printf("ended %d\n", ended);
    /* What an executable graph owns is replaced with what it does. */
    static int old, new;
    CUgraph first, second;
    CUgraphNode n;
    CUgraphExec x;
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphCreate(&first, 0));
    OK(cuGraphCreate(&second, 0));
    OK(cuGraphAddEmptyNode(&n, first, NULL, 0));
    OK(cuGraphAddEmptyNode(&n, second, NULL, 0));
    OK(cuUserObjectCreate(&o, &old, end, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(first, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuUserObjectCreate(&o, &new, end, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(second, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphInstantiate(&x, first, 0));
    OK(cuGraphDestroy(first));
    OK(cuGraphLaunch(x, NULL));
    SHOW(cuGraphExecUpdate(x, second, &info));
    OK(cuGraphDestroy(second));
    OK(cuStreamSynchronize(NULL));
    for (int i = 0; i < 2000 && !__atomic_load_n(&old, __ATOMIC_SEQ_CST); i++) usleep(1000);
    printf("old %d, new %d\n", old, new);
    OK(cuGraphExecDestroy(x));
    for (int i = 0; i < 2000 && !__atomic_load_n(&new, __ATOMIC_SEQ_CST); i++) usleep(1000);
    printf("new %d\n", new);
}

int main(void)
{
    begin();
    OK(cuMemAlloc(&d, 4096));
    edges();
    launches();
    refused();
    allocations();
    allocations_in_graphs();
    threads();
    objects();
    OK(cuMemFree(d));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
