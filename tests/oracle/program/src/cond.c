/* Conditional nodes of graphs; the parameters of nodes of all kinds; external semaphores in graphs. */
#include "common.h"
#include "ptx.h"

#define HP(p) ((void *)(uintptr_t)(p))
static const char ptx_cond[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value);\n"
    ".visible .entry set(.param .u64 h, .param .u32 v) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [h]; ld.param.u32 %r, [v];\n"
    "    { .param .b64 a; .param .b32 b; st.param.b64 [a], %rd; st.param.b32 [b], %r;\n"
    "      call cudaGraphSetConditional, (a, b); } ret; }\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
    "    .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u32 %r, [n]; red.global.add.u32 [%rd], %r; ret; }\n"
    ".visible .entry down(.param .u64 h, .param .u64 p) {\n"
    "    .reg .u64 %rd, %h; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.param.u64 %h, [h]; ld.global.u32 %r, [%rd];\n"
    "    sub.u32 %r, %r, 1; st.global.u32 [%rd], %r;\n"
    "    { .param .b64 a; .param .b32 b; st.param.b64 [a], %h; st.param.b32 [b], %r;\n"
    "      call cudaGraphSetConditional, (a, b); } ret; }\n";

static CUmodule mod;
static CUdeviceptr mem;
static void begin(void)
{
    mod = NULL;
    OK(D.cuModuleLoadData(&mod, ptx_cond));
    mem = dalloc(64);
    OK(D.cuMemsetD32(mem, 0, 16));
}
static CUfunction fn(const char *n) { CUfunction f = NULL; OK(D.cuModuleGetFunction(&f, mod, n)); return f; }
static CUgraph mkgraph(void) { CUgraph g = NULL; OK(D.cuGraphCreate(&g, 0)); return g; }
typedef CUgraphConditionalHandle cond_t;
static cond_t cond(CUgraph g, unsigned v, unsigned flags) { cond_t h = 0; OK(D.cuGraphConditionalHandleCreate(&h, g, G.ctx, v, flags)); return h; }
static CUgraphNode kernel(CUgraph g, CUgraphNode after, const char *what, void *a, void *b)
{
    void *p[] = { a, b };
    CUgraphNode n = NULL;
    CUDA_KERNEL_NODE_PARAMS k;
    memset(&k, 0, sizeof k);
    k.func = fn(what);
    k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimX = k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = p;
    OK(D.cuGraphAddKernelNode(&n, g, after ? &after : NULL, after != NULL, &k));
    return n;
}
static CUgraphNode add(CUgraph g, CUgraphNode after, int i, unsigned n) { CUdeviceptr p = mem + 4u * (unsigned)i; return kernel(g, after, "add", &p, &n); }
static CUgraphNode set(CUgraph g, CUgraphNode after, cond_t h, unsigned v) { return kernel(g, after, "set", &h, &v); }
static CUgraphNode down(CUgraph g, CUgraphNode after, cond_t h, int i) { CUdeviceptr p = mem + 4u * (unsigned)i; return kernel(g, after, "down", &h, &p); }
static CUgraphNodeParams params(cond_t h, int type, unsigned size)
{
    CUgraphNodeParams p;
    memset(&p, 0, sizeof p);
    p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    p.conditional.handle = h;
    p.conditional.type = (CUgraphConditionalNodeType)type;
    p.conditional.size = size;
    p.conditional.ctx = G.ctx;
    return p;
}
static CUgraphNode choose(CUgraph g, CUgraphNode after, cond_t h, int type, unsigned size, CUgraph *bodies)
{
    CUgraphNodeParams p = params(h, type, size);
    CUgraphNode n = NULL;
    memset(bodies, 0, size * sizeof *bodies);
    if (!OK(D.cuGraphAddNode(&n, g, after ? &after : NULL, NULL, after != NULL, &p)) && p.conditional.phGraph_out) memcpy(bodies, p.conditional.phGraph_out, size * sizeof *bodies);
    return n;
}
static CUgraphExec make(CUgraph g) { CUgraphExec x = NULL; OK(D.cuGraphInstantiate(&x, g, 0)); return x; }
/* Launches and says what the words are then. */
static void go(const char *k, CUgraphExec x)
{
    unsigned w[4] = { 0 };
    char kk[64];
    CUresult r = x ? D.cuGraphLaunch(x, NULL) : (CUresult)ORC_SKIPPED, s = D.cuCtxSynchronize();
    OK(D.cuMemcpyDtoH(w, mem, sizeof w));
    o_str(k, "%s %s", rname(r), rname(s));
    snprintf(kk, sizeof kk, "%s.words", k);
    o_str(kk, "%u %u %u %u", w[0], w[1], w[2], w[3]);
    OK(D.cuMemsetD32(mem, 0, 4));
}
static void o_inst(const char *k, CUgraph g)
{
    CUgraphExec x = NULL;
    CUDA_GRAPH_INSTANTIATE_PARAMS p;
    char kk[64];
    memset(&p, 0, sizeof p);
    p.result_out = (CUgraphInstantiateResult)77;
    CUresult r = D.cuGraphInstantiateWithParams(&x, g, &p);
    o_ret(k, r);
    snprintf(kk, sizeof kk, "%s.result", k); o_int(kk, (int)p.result_out);
    snprintf(kk, sizeof kk, "%s.node", k); o_handle(kk, &p.hErrNode_out);
    if (!r) D.cuGraphExecDestroy(x);
}
static void put(int i, unsigned v) { OK(D.cuMemsetD32(mem + 4u * (unsigned)i, v, 1)); }
static void CUDA_CB nothing(void *p) { (void)p; }
static size_t count(CUgraph g) { size_t n = 9999; D.cuGraphGetNodes(g, NULL, &n); return n; }

static void g_handle(void)
{
    begin();
    CUgraph g, b[4];
    cond_t h;
    CASE("null_out") { g = mkgraph(); CALL(cuGraphConditionalHandleCreate, (NULL, g, G.ctx, 0, 0), "pHandle_out=NULL"); D.cuGraphDestroy(g); }
    CASE("null_graph") { POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, NULL, G.ctx, 0, 0), "hGraph=NULL"); o_touch("h", &h, 8); }
    CASE("null_ctx") { g = mkgraph(); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, g, NULL, 0, 0), "ctx=NULL"); o_touch("h", &h, 8); D.cuGraphDestroy(g); }
    CASE("null_ctx_none_current") { g = mkgraph(); D.cuCtxSetCurrent(NULL); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, g, NULL, 0, 0), "ctx=NULL, none current"); o_touch("h", &h, 8); D.cuCtxSetCurrent(G.ctx); D.cuGraphDestroy(g); }
    CASE("bad_ctx") { case_isolate(); g = mkgraph(); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, g, (CUcontext)0x1230, 0, 0), "garbage context"); o_touch("h", &h, 8); }
    static const unsigned fl[] = { 0, 1, 2, 3, 4, ~0u };
    for (int i = 0; i < NELEM(fl); i++) for (unsigned v = 0; v < 2; v++) CASE("flags_%x_%u", fl[i], v) { g = mkgraph(); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, g, G.ctx, v, fl[i]), "value %u, flags 0x%x", v, fl[i]); o_touch("h", &h, 8); D.cuGraphDestroy(g); }
    CASE("differ") { g = mkgraph(); cond_t k; CALL(cuGraphConditionalHandleCreate, (&h, g, G.ctx, 0, 0), "two"); k = cond(g, 0, 0); o_bool("differ", h != k); o_bool("nonzero", h && k); o_hex("dev:h", h); o_hex("dev:k", k); D.cuGraphDestroy(g); }
    CASE("unused") { g = mkgraph(); cond(g, 0, 0); ret_set(0); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("unused_beside") { g = mkgraph(); cond(g, 0, 0); choose(g, NULL, cond(g, 1, 1), 0, 1, b); ret_set(0); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("unused_default") { g = mkgraph(); cond(g, 1, 1); ret_set(0); o_inst("inst", g); D.cuGraphDestroy(g); }
    static const unsigned many[] = { 10, 256, 1000, 5000 };
    for (int i = 0; i < NELEM(many); i++) CASE("many_%u", many[i]) { g = mkgraph(); CUresult r = 0; unsigned n = 0; for (; n < many[i] && !r; n++) r = D.cuGraphConditionalHandleCreate(&h, g, G.ctx, 0, 0); ret_set(r); o_int("made", n); D.cuGraphDestroy(g); }
    CASE("none_current") { g = mkgraph(); D.cuCtxSetCurrent(NULL); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, g, G.ctx, 0, 0), "context named, none current"); D.cuCtxSetCurrent(G.ctx); D.cuGraphDestroy(g); }
    CASE("other_ctx") { CUcontext c = NULL; OK(D.cuCtxCreate(&c, NULL, 0, 0)); D.cuCtxSetCurrent(G.ctx); g = mkgraph(); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, g, c, 0, 0), "another context"); CUgraphNodeParams p = params(h, 0, 1); CUgraphNode n; o_ret("node_ours", D.cuGraphAddNode(&n, g, NULL, NULL, 0, &p)); p = params(h, 0, 1); p.conditional.ctx = c; o_ret("node_theirs", D.cuGraphAddNode(&n, g, NULL, NULL, 0, &p)); o_inst("inst", g); D.cuGraphDestroy(g); D.cuCtxDestroy(c); }
    CASE("on_body") { g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, b[0], G.ctx, 1, 1), "hGraph is a body"); CUgraph in[1]; choose(b[0], NULL, h, 0, 1, in); add(in[0], NULL, 0, 1); o_inst("inst", g); CUgraphExec x = make(g); go("run", x); go("again", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("of_body_outside") { g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b); h = cond(b[0], 1, 1); CUgraphNodeParams p = params(h, 0, 1); CUgraphNode n; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "a body's handle in the graph around it"); o_handle("n", &n); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("root_in_body") { g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b); h = cond(g, 1, 1); CUgraph in[1]; CUgraphNodeParams p = params(h, 0, 1); CUgraphNode n; POISON(n); CUresult r = CALL(cuGraphAddNode, (&n, b[0], NULL, NULL, 0, &p), "the graph's handle in a body"); if (!r) { in[0] = p.conditional.phGraph_out[0]; add(in[0], NULL, 0, 1); } o_inst("inst", g); CUgraphExec x = make(g); go("run", x); if (x) D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("captured_graph") { CUstream s = mkstream(1); CUstreamCaptureStatus st; CUgraph k; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)0)); OK(D.cuStreamGetCaptureInfo(s, &st, NULL, &k, NULL, NULL, NULL)); POISON(h); CALL(cuGraphConditionalHandleCreate, (&h, k, G.ctx, 0, 0), "graph of a capture"); D.cuStreamEndCapture(s, &k); D.cuStreamDestroy(s); }
}

static void g_node(void)
{
    begin();
    CUgraph g, b[8];
    CUgraphNode n, m;
    cond_t h;
    static const struct { int t; unsigned n; } kinds[] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 0 }, { 1, 1 }, { 1, 2 }, { 2, 0 }, { 2, 1 }, { 2, 2 }, { 2, 100 }, { 2, 1000 }, { 3, 1 }, { -1, 1 }, { 99, 1 } };
    for (int i = 0; i < NELEM(kinds); i++) CASE("kind_%d_%u", kinds[i].t, kinds[i].n) { g = mkgraph(); h = cond(g, 0, 0); CUgraphNodeParams p = params(h, kinds[i].t, kinds[i].n); POISON(n); CUresult r = CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "type %d, size %u", kinds[i].t, kinds[i].n); o_handle("n", &n); o_handle("out", &p.conditional.phGraph_out); if (!r) { CUgraphNodeType t; POISON(t); D.cuGraphNodeGetType(n, &t); o_i32("type", &t); o_inst("inst", g); } o_int("nodes", (long long)count(g)); D.cuGraphDestroy(g); }
    CASE("size_all") { g = mkgraph(); CUgraphNodeParams p = params(cond(g, 0, 0), 2, ~0u); POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "switch of all"); D.cuGraphDestroy(g); }
    CASE("handle_0") { g = mkgraph(); CUgraphNodeParams p = params(0, 0, 1); POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "handle 0"); o_handle("n", &n); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("handle_bad") { case_isolate(); g = mkgraph(); CUgraphNodeParams p = params(0x123456789, 0, 1); POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "garbage handle"); o_handle("n", &n); o_inst("inst", g); }
    CASE("handle_other_graph") { g = mkgraph(); CUgraph k = mkgraph(); CUgraphNodeParams p = params(cond(k, 1, 1), 0, 1); POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "another graph's handle"); o_handle("n", &n); o_inst("inst", g); o_inst("other", k); D.cuGraphDestroy(g); D.cuGraphDestroy(k); }
    CASE("handle_twice") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); CUgraphNodeParams p = params(h, 0, 1); POISON(n); CUresult r = CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "a handle that another node has"); o_handle("n", &n); if (!r) add(p.conditional.phGraph_out[0], NULL, 1, 1); o_inst("inst", g); CUgraphExec x = make(g); go("run", x); D.cuGraphDestroy(g); }
    CASE("handle_twice_after_destroy") { g = mkgraph(); h = cond(g, 1, 1); n = choose(g, NULL, h, 0, 1, b); OK(D.cuGraphDestroyNode(n)); CUgraphNodeParams p = params(h, 0, 1); POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "whose node was destroyed"); o_handle("n", &n); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("inst_after_destroy") { g = mkgraph(); h = cond(g, 1, 1); n = choose(g, NULL, h, 0, 1, b); OK(D.cuGraphDestroyNode(n)); ret_set(0); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("ctx_null") { g = mkgraph(); CUgraphNodeParams p = params(cond(g, 0, 0), 0, 1); p.conditional.ctx = NULL; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "ctx=NULL"); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("ctx_other") { CUcontext c = NULL; OK(D.cuCtxCreate(&c, NULL, 0, 0)); D.cuCtxSetCurrent(G.ctx); g = mkgraph(); CUgraphNodeParams p = params(cond(g, 0, 0), 0, 1); p.conditional.ctx = c; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "another context than its handle"); o_inst("inst", g); D.cuGraphDestroy(g); D.cuCtxDestroy(c); }
    CASE("out_set") { g = mkgraph(); CUgraphNodeParams p = params(cond(g, 0, 0), 2, 2); CUgraph room[2] = { NULL, NULL }; p.conditional.phGraph_out = room; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "phGraph_out set before"); o_bool("kept", p.conditional.phGraph_out == room); o_handle("r0", &room[0]); D.cuGraphDestroy(g); }
    CASE("reserved") { g = mkgraph(); CUgraphNodeParams p = params(cond(g, 0, 0), 0, 1); p.reserved2 = 1; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "a reserved word"); D.cuGraphDestroy(g); }
    CASE("null_node") { g = mkgraph(); CUgraphNodeParams p = params(cond(g, 0, 0), 0, 1); CALL(cuGraphAddNode, (NULL, g, NULL, NULL, 0, &p), "phGraphNode=NULL"); o_int("nodes", (long long)count(g)); D.cuGraphDestroy(g); }
    CASE("null_params") { g = mkgraph(); POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, NULL), "nodeParams=NULL"); D.cuGraphDestroy(g); }
    CASE("set_params") { g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); CUgraphNodeParams p = params(h, 0, 1); CALL(cuGraphNodeSetParams, (n, &p), "the same"); D.cuGraphDestroy(g); }
    CASE("exec_set_params") { g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); CUgraphExec x = make(g); CUgraphNodeParams p = params(h, 0, 1); CALL(cuGraphExecNodeSetParams, (x, n, &p), "the same"); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("enabled") { g = mkgraph(); h = cond(g, 1, 1); n = choose(g, NULL, h, 0, 1, b); m = add(b[0], NULL, 0, 1); CUgraphExec x = make(g); CALL(cuGraphNodeSetEnabled, (x, n, 0), "the conditional node"); unsigned e; POISON(e); o_ret("get", D.cuGraphNodeGetEnabled(x, n, &e)); o_ret("inner", D.cuGraphNodeSetEnabled(x, m, 0)); POISON(e); o_ret("get_inner", D.cuGraphNodeGetEnabled(x, m, &e)); o_u32("e", &e); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("destroy_node") { g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); CALL(cuGraphDestroyNode, (n), "conditional"); o_int("nodes", (long long)count(g)); D.cuGraphDestroy(g); }
    CASE("destroy_body") { case_isolate(); g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); CALL(cuGraphDestroy, (b[0]), "a body"); o_ret("graph", D.cuGraphDestroy(g)); }
    CASE("body_after_node") { case_isolate(); g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); OK(D.cuGraphDestroyNode(n)); size_t c; CALL(cuGraphGetNodes, (b[0], NULL, &c), "body of a destroyed node"); }
    CASE("clone") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); CUgraph k; POISON(k); CALL(cuGraphClone, (&k, g), "with a conditional node"); o_handle("k", &k); D.cuGraphDestroy(g); }
    CASE("clone_unused") { g = mkgraph(); cond(g, 1, 1); CUgraph k; POISON(k); CALL(cuGraphClone, (&k, g), "with an unused handle"); o_handle("k", &k); D.cuGraphDestroy(g); }
    CASE("clone_body") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); CUgraph k; POISON(k); CALL(cuGraphClone, (&k, b[0]), "a body"); o_handle("k", &k); if (touch_ok(&k)) { o_inst("inst", k); } D.cuGraphDestroy(g); }
    CASE("child_with") { g = mkgraph(); CUgraph k = mkgraph(); h = cond(k, 1, 1); choose(k, NULL, h, 0, 1, b); POISON(n); CALL(cuGraphAddChildGraphNode, (&n, g, NULL, 0, k), "child with a conditional node"); o_inst("inst", g); D.cuGraphDestroy(g); D.cuGraphDestroy(k); }
    CASE("child_body") { g = mkgraph(); CUgraph k = mkgraph(); h = cond(k, 1, 1); choose(k, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); POISON(n); CALL(cuGraphAddChildGraphNode, (&n, g, NULL, 0, b[0]), "a body as a child"); o_inst("inst", g); D.cuGraphDestroy(g); D.cuGraphDestroy(k); }
    CASE("child_moved") { g = mkgraph(); CUgraph k = mkgraph(); h = cond(k, 1, 1); choose(k, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); CUgraphNodeParams p; memset(&p, 0, sizeof p); p.type = CU_GRAPH_NODE_TYPE_GRAPH; p.graph.graph = k; p.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE; POISON(n); CUresult r = CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "child with a conditional node, moved"); o_inst("inst", g); if (!r) { CUgraphExec x = make(g); go("run", x); } D.cuGraphDestroy(g); if (r) D.cuGraphDestroy(k); }
    CASE("inst_body") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); ret_set(0); o_inst("inst", b[0]); D.cuGraphDestroy(g); }
    CASE("edge_out") { g = mkgraph(); h = cond(g, 1, 1); n = choose(g, NULL, h, 0, 1, b); m = add(b[0], NULL, 0, 1); CALL(cuGraphAddDependencies, (g, &n, &m, NULL, 1), "from the node into its body"); CUgraphNode k; POISON(k); o_ret("dep", D.cuGraphAddEmptyNode(&k, g, &m, 1)); D.cuGraphDestroy(g); }
    CASE("self_child") { case_isolate(); g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); POISON(n); CALL(cuGraphAddChildGraphNode, (&n, b[0], NULL, 0, g), "the graph as a child in its body"); }
    static const unsigned long long fl[] = { 0, 1, 2, 4, 8, 3, 9 };
    for (int i = 0; i < NELEM(fl); i++) CASE("inst_flags_%llx", fl[i]) { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); CUgraphExec x = NULL; CUDA_GRAPH_INSTANTIATE_PARAMS p; memset(&p, 0, sizeof p); p.flags = fl[i]; CUresult r = CALL(cuGraphInstantiateWithParams, (&x, g, &p), "flags 0x%llx", fl[i]); o_int("result", (int)p.result_out); if (!r) { o_ret("upload", D.cuGraphUpload(x, NULL)); go("run", x); D.cuGraphExecDestroy(x); } D.cuGraphDestroy(g); }
    CASE("capture_launch") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); CUgraphExec x = make(g); CUstream s = mkstream(1); CUgraph k; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)2)); CALL(cuGraphLaunch, (x, s), "into a capture"); POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); D.cuStreamDestroy(s); }
    CASE("capture_launch_plain") { g = mkgraph(); add(g, NULL, 0, 1); CUgraphExec x = make(g); CUstream s = mkstream(1); CUgraph k; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)2)); CALL(cuGraphLaunch, (x, s), "into a capture, without conditional nodes"); POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); D.cuStreamDestroy(s); }
    CASE("dot") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); char f[] = "/tmp/oracledotXXXXXX"; int fd = mkstemp(f); CALL(cuGraphDebugDotPrint, (g, f, CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS), "parameters of conditional nodes"); close(fd); unlink(f); D.cuGraphDestroy(g); }
    CASE("two_execs_alive") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); CUgraphExec x = make(g), y = make(g); ret_set(0); go("x", x); go("y", y); D.cuGraphExecDestroy(x); go("y2", y); D.cuGraphDestroy(g); go("y3", y); D.cuGraphExecDestroy(y); }
    CASE("two_in_flight") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); CUgraphExec x = make(g), y = make(g); CUstream s = mkstream(1), t = mkstream(1); CALL(cuGraphLaunch, (x, s), "two of one graph at once"); o_ret("second", D.cuGraphLaunch(y, t)); o_ret("sync", D.cuCtxSynchronize()); go("again", x); D.cuGraphExecDestroy(x); D.cuGraphExecDestroy(y); D.cuGraphDestroy(g); D.cuStreamDestroy(s); D.cuStreamDestroy(t); }
}

static const char *const what[] = { "nothing", "kernel", "empty", "memcpy_dd", "memcpy_hd_pinned", "memcpy_hd_pageable", "memcpy_dh_pageable", "memcpy_managed", "memset", "memset_pinned", "memset_managed", "host", "child_kernel", "child_host", "child_empty", "child_memset", "event_record", "event_wait", "alloc", "alloc_free", "free", "batch_mem_op", "conditional", "array_copy", "memset_2d", "memcpy_2d", "child_conditional", "kernel_other_ctx", "kernel_cooperative", "kernel_cluster", "kernel_priority", "kernel_printf", "memset_8", "memset_16", "memset_pool", "memcpy_vmm" };
static CUresult fill_body(CUgraph b, int k)
{
    CUgraphNode n = NULL;
    CUgraph c = mkgraph(), in[2];
    static unsigned char host[64];
    CUDA_MEMSET_NODE_PARAMS ms;
    memset(&ms, 0, sizeof ms);
    ms.dst = mem + 16; ms.elementSize = 4; ms.width = 4; ms.height = 1; ms.value = 5;
    CUDA_MEMCPY3D cp;
    memset(&cp, 0, sizeof cp);
    cp.srcMemoryType = cp.dstMemoryType = CU_MEMORYTYPE_DEVICE; cp.srcDevice = mem; cp.dstDevice = mem + 32; cp.WidthInBytes = 16; cp.Height = cp.Depth = 1;
    CUDA_HOST_NODE_PARAMS hp = { nothing, NULL };
    CUDA_MEM_ALLOC_NODE_PARAMS ap;
    memset(&ap, 0, sizeof ap);
    ap.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; ap.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; ap.bytesize = 4096;
    CUDA_KERNEL_NODE_PARAMS kp;
    unsigned one = 1;
    void *v[] = { &mem, &one };
    memset(&kp, 0, sizeof kp);
    kp.func = fn("add"); kp.gridDimX = kp.gridDimY = kp.gridDimZ = kp.blockDimX = kp.blockDimY = kp.blockDimZ = 1; kp.kernelParams = v;
    CUresult r;
    switch (k) {
    case 0: return 0;
    case 1: return D.cuGraphAddKernelNode(&n, b, NULL, 0, &kp);
    case 2: return D.cuGraphAddEmptyNode(&n, b, NULL, 0);
    case 3: return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx);
    case 4: { mem_t m = mem_make(MK_PIN, 4096); cp.srcMemoryType = CU_MEMORYTYPE_HOST; cp.srcHost = HP(m.p); return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx); }
    case 5: cp.srcMemoryType = CU_MEMORYTYPE_HOST; cp.srcHost = host; return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx);
    case 6: cp.dstMemoryType = CU_MEMORYTYPE_HOST; cp.dstHost = host; return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx);
    case 7: { mem_t m = mem_make(MK_MAN, 4096); cp.srcDevice = m.p; return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx); }
    case 8: return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx);
    case 9: { mem_t m = mem_make(MK_PIN, 4096); ms.dst = m.p; return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx); }
    case 10: { mem_t m = mem_make(MK_MAN, 4096); ms.dst = m.p; return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx); }
    case 11: return D.cuGraphAddHostNode(&n, b, NULL, 0, &hp);
    case 12: OK(D.cuGraphAddKernelNode(&n, c, NULL, 0, &kp)); return D.cuGraphAddChildGraphNode(&n, b, NULL, 0, c);
    case 13: OK(D.cuGraphAddHostNode(&n, c, NULL, 0, &hp)); return D.cuGraphAddChildGraphNode(&n, b, NULL, 0, c);
    case 14: OK(D.cuGraphAddEmptyNode(&n, c, NULL, 0)); return D.cuGraphAddChildGraphNode(&n, b, NULL, 0, c);
    case 15: OK(D.cuGraphAddMemsetNode(&n, c, NULL, 0, &ms, G.ctx)); return D.cuGraphAddChildGraphNode(&n, b, NULL, 0, c);
    case 16: return D.cuGraphAddEventRecordNode(&n, b, NULL, 0, mkevent(0));
    case 17: return D.cuGraphAddEventWaitNode(&n, b, NULL, 0, mkevent(0));
    case 18: return D.cuGraphAddMemAllocNode(&n, b, NULL, 0, &ap);
    case 19: r = D.cuGraphAddMemAllocNode(&n, b, NULL, 0, &ap); return r ? r : D.cuGraphAddMemFreeNode(&n, b, &n, 1, ap.dptr);
    case 20: { CUdeviceptr p = 0; OK(D.cuMemAllocAsync(&p, 4096, NULL)); return D.cuGraphAddMemFreeNode(&n, b, NULL, 0, p); }
    case 21: { CUstreamBatchMemOpParams bp; memset(&bp, 0, sizeof bp); bp.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; bp.writeValue.address = mem; bp.writeValue.value = 7; CUDA_BATCH_MEM_OP_NODE_PARAMS q; memset(&q, 0, sizeof q); q.ctx = G.ctx; q.count = 1; q.paramArray = &bp; return D.cuGraphAddBatchMemOpNode(&n, b, NULL, 0, &q); }
    case 22: { cond_t h = 0; r = D.cuGraphConditionalHandleCreate(&h, b, G.ctx, 1, 1); if (r) return r; CUgraphNodeParams p = params(h, 0, 1); return D.cuGraphAddNode(&n, b, NULL, NULL, 0, &p); }
    case 23: { CUarray a = mkarray(16, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1); cp.dstMemoryType = CU_MEMORYTYPE_ARRAY; cp.dstArray = a; return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx); }
    case 24: { CUdeviceptr p = dalloc(4096); ms.dst = p; ms.pitch = 128; ms.height = 4; return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx); }
    case 25: { CUdeviceptr p = dalloc(8192); cp.srcDevice = p; cp.dstDevice = p + 4096; cp.srcPitch = cp.dstPitch = 128; cp.srcHeight = cp.dstHeight = 4; cp.Height = 4; return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx); }
    case 26: choose(c, NULL, cond(c, 1, 1), 0, 1, in); return D.cuGraphAddChildGraphNode(&n, b, NULL, 0, c);
    case 27: { CUcontext x = NULL; OK(D.cuCtxCreate(&x, NULL, 0, 0)); CUmodule m = NULL; OK(D.cuModuleLoadData(&m, ptx_cond)); OK(D.cuModuleGetFunction(&kp.func, m, "add")); D.cuCtxSetCurrent(G.ctx); return D.cuGraphAddKernelNode(&n, b, NULL, 0, &kp); }
    case 28: case 29: case 30: { r = D.cuGraphAddKernelNode(&n, b, NULL, 0, &kp); if (r) return r; CUlaunchAttributeValue a; memset(&a, 0, sizeof a); if (k == 28) a.cooperative = 1; else if (k == 29) a.clusterDim.x = a.clusterDim.y = a.clusterDim.z = 1; else a.priority = -1; return D.cuGraphKernelNodeSetAttribute(n, k == 28 ? CU_LAUNCH_ATTRIBUTE_COOPERATIVE : k == 29 ? CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION : CU_LAUNCH_ATTRIBUTE_PRIORITY, &a); }
    case 31: { CUmodule m = NULL; OK(D.cuModuleLoadData(&m, ptx_main)); OK(D.cuModuleGetFunction(&kp.func, m, "k_empty")); kp.kernelParams = NULL; return D.cuGraphAddKernelNode(&n, b, NULL, 0, &kp); }
    case 32: ms.elementSize = 1; return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx);
    case 33: ms.elementSize = 2; return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx);
    case 34: { mem_t m = mem_make(MK_POOL, 4096); D.cuCtxSynchronize(); ms.dst = m.p; return D.cuGraphAddMemsetNode(&n, b, NULL, 0, &ms, G.ctx); }
    default: { mem_t m = mem_make(MK_VMM, 4096); cp.srcDevice = m.p; return D.cuGraphAddMemcpyNode(&n, b, NULL, 0, &cp, G.ctx); }
    }
}
static void g_body(void)
{
    begin();
    CUgraph g, b[2];
    for (int k = 0; k < NELEM(what); k++)
        for (int deep = 0; deep < 2; deep++) CASE("%s_%d", what[k], deep) {
            g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b);
            if (deep) choose(b[0], NULL, cond(g, 1, 1), 2, 2, b), b[0] = b[1];
            pre_call("cuGraphAddNode", "%s in %s", what[k], deep ? "a body in a body" : "a body"); ret_set(fill_body(b[0], k)); o_int("nodes", (long long)count(b[0])); o_inst("inst", g);
            CUgraphExec x = NULL; if (!D.cuGraphInstantiate(&x, g, 0)) { o_ret("launch", D.cuGraphLaunch(x, NULL)); o_ret("sync", D.cuCtxSynchronize()); D.cuGraphExecDestroy(x); } D.cuMemsetD32(mem, 0, 4);
        }
    CASE("capture_host") { g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b); CUstream s = mkstream(1); OK(D.cuStreamBeginCaptureToGraph(s, b[0], NULL, NULL, 0, (CUstreamCaptureMode)2)); CALL(cuLaunchHostFunc, (s, nothing, NULL), "captured into a body"); CUgraph k; POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); o_bool("same", k == b[0]); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("capture_alloc") { g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b); CUstream s = mkstream(1); OK(D.cuStreamBeginCaptureToGraph(s, b[0], NULL, NULL, 0, (CUstreamCaptureMode)2)); CUdeviceptr p; CALL(cuMemAllocAsync, (&p, 64, s), "captured into a body"); CUgraph k; POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); o_inst("inst", g); D.cuGraphDestroy(g); }
    CASE("capture_memset") { g = mkgraph(); choose(g, NULL, cond(g, 1, 1), 0, 1, b); CUstream s = mkstream(1); OK(D.cuStreamBeginCaptureToGraph(s, b[0], NULL, NULL, 0, (CUstreamCaptureMode)2)); CALL(cuMemsetD32Async, (mem, 4, 1, s), "captured into a body"); CUgraph k; POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); o_bool("same", k == b[0]); o_inst("inst", g); CUgraphExec x = make(g); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); D.cuStreamDestroy(s); }
}

static void g_value(void)
{
    begin();
    CUgraph g, b[2], in[2];
    CUgraphNode n;
    cond_t h, k;
    CUgraphExec x, y;
    CASE("never_set") { g = mkgraph(); h = cond(g, 0, 0); choose(g, NULL, h, 2, 2, b); add(b[0], NULL, 0, 1); add(b[1], NULL, 1, 1); x = make(g); ret_set(0); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("value_without_flag") { g = mkgraph(); h = cond(g, 1, 0); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); ret_set(0); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("kept") { g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); set(g, n, h, 7); x = make(g); ret_set(0); go("first", x); go("second", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("kept_other_exec") { g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); set(g, n, h, 7); x = make(g); y = make(g); ret_set(0); go("x", x); go("y", y); go("x2", x); D.cuGraphExecDestroy(x); D.cuGraphExecDestroy(y); D.cuGraphDestroy(g); }
    CASE("kept_new_exec") { g = mkgraph(); h = cond(g, 0, 0); n = choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); set(g, n, h, 7); x = make(g); ret_set(0); go("x", x); y = make(g); go("y", y); D.cuGraphExecDestroy(x); D.cuGraphExecDestroy(y); D.cuGraphDestroy(g); }
    CASE("default_each_launch") { g = mkgraph(); h = cond(g, 1, 1); n = choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); set(g, n, h, 0); x = make(g); ret_set(0); go("first", x); go("second", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    for (int where = 0; where < 2; where++) CASE("default_in_loop_%d", where) { /* the inner default: at each launch, or each time round? */ g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 1, 1, b); k = cond(where ? b[0] : g, 1, 1); n = choose(b[0], NULL, k, 0, 1, in); add(in[0], NULL, 1, 1); n = set(b[0], n, k, 0); down(b[0], n, h, 0); x = make(g); ret_set(0); put(0, 3); go("first", x); put(0, 3); go("second", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("set_before_default") { g = mkgraph(); h = cond(g, 0, 1); n = set(g, NULL, h, 1); choose(g, n, h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); ret_set(0); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("inner_sets_outer") { g = mkgraph(); h = cond(g, 1, 1); k = cond(g, 1, 1); choose(g, NULL, h, 1, 1, b); choose(b[0], NULL, k, 0, 1, in); add(in[0], NULL, 1, 1); set(in[0], NULL, h, 0); x = make(g); ret_set(0); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("switch_range") { g = mkgraph(); h = cond(g, 9, 1); n = choose(g, NULL, h, 2, 2, b); add(b[0], NULL, 0, 1); add(b[1], NULL, 1, 1); add(g, n, 2, 1); x = make(g); ret_set(0); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("loop_1000") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 1, 1, b); down(b[0], add(b[0], NULL, 1, 1), h, 0); x = make(g); put(0, 1000); ret_set(0); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    static const unsigned depths[] = { 1, 2, 3, 4, 8, 16, 32, 64 };
    for (int i = 0; i < NELEM(depths); i++) CASE("deep_%u", depths[i]) { g = mkgraph(); CUgraph at = g; for (unsigned d = 0; d < depths[i]; d++) { choose(at, NULL, cond(g, 1, 1), 0, 1, b); at = b[0]; } add(at, NULL, 0, 1); ret_set(0); o_inst("inst", g); x = make(g); go("run", x); if (x) D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("update_default") { CUgraph q = mkgraph(); g = mkgraph(); h = cond(g, 0, 1); choose(g, NULL, h, 0, 2, b); add(b[0], NULL, 0, 1); add(b[1], NULL, 1, 1); x = make(g); k = cond(q, 1, 1); choose(q, NULL, k, 0, 2, in); add(in[0], NULL, 0, 1); add(in[1], NULL, 1, 1); CUgraphExecUpdateResultInfo inf; POISON(inf); go("before", x); CALL(cuGraphExecUpdate, (x, q, &inf), "other default"); o_i32("result", &inf.result); go("after", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); D.cuGraphDestroy(q); }
    CASE("update_handle") { CUgraph q = mkgraph(); g = mkgraph(); h = cond(g, 0, 0); choose(g, set(g, NULL, h, 1), h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); k = cond(q, 0, 0); choose(q, set(q, NULL, k, 1), k, 0, 1, in); add(in[0], NULL, 0, 2); CUgraphExecUpdateResultInfo inf; POISON(inf); go("before", x); CALL(cuGraphExecUpdate, (x, q, &inf), "a graph with a handle of its own"); o_i32("result", &inf.result); go("after", x); go("again", x); D.cuGraphDestroy(q); go("destroyed", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("update_mixed") { /* the kernel sets the old graph's handle */ CUgraph q = mkgraph(); g = mkgraph(); h = cond(g, 0, 0); choose(g, set(g, NULL, h, 1), h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); k = cond(q, 0, 0); choose(q, set(q, NULL, h, 1), k, 0, 1, in); add(in[0], NULL, 0, 2); CUgraphExecUpdateResultInfo inf; POISON(inf); CALL(cuGraphExecUpdate, (x, q, &inf), "its kernel sets the first graph's handle"); o_i32("result", &inf.result); go("after", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); D.cuGraphDestroy(q); }
    CASE("update_reversed_handles") { CUgraph q = mkgraph(); g = mkgraph(); h = cond(g, 1, 1); k = cond(g, 0, 1); n = choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); choose(g, n, k, 0, 1, b); add(b[0], NULL, 1, 1); x = make(g); h = cond(q, 1, 1); k = cond(q, 0, 1); n = choose(q, NULL, k, 0, 1, b); add(b[0], NULL, 0, 1); choose(q, n, h, 0, 1, b); add(b[0], NULL, 1, 1); CUgraphExecUpdateResultInfo inf; POISON(inf); go("before", x); CALL(cuGraphExecUpdate, (x, q, &inf), "handles in the other order"); o_i32("result", &inf.result); go("after", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); D.cuGraphDestroy(q); }
    static const char *const up[] = { "same", "size", "type", "body_more", "body_less", "body_type", "more_handles", "fewer_handles", "nested", "empty_body" };
    for (int v = 0; v < NELEM(up); v++) CASE("update_%s", up[v]) {
        CUgraph gs[2]; for (int i = 0; i < 2; i++) { int w = i ? v : 0; gs[i] = mkgraph(); if (w == 6 || (!i && v == 7)) choose(gs[i], NULL, cond(gs[i], 0, 1), 0, 1, in); h = cond(gs[i], 1, 1); choose(gs[i], NULL, h, w == 2 ? 2 : 0, w == 1 ? 2 : 1, b); if (w == 5) { CUDA_MEMSET_NODE_PARAMS ms; memset(&ms, 0, sizeof ms); ms.dst = mem; ms.elementSize = 4; ms.width = 1; ms.height = 1; ms.value = 9; OK(D.cuGraphAddMemsetNode(&n, b[0], NULL, 0, &ms, G.ctx)); } else if (w == 8) { choose(b[0], NULL, cond(gs[i], 1, 1), 0, 1, in); } else if (w != 9) { n = add(b[0], NULL, 0, (unsigned)i + 1); if (w == 3 || (!i && v == 4)) add(b[0], n, 1, 1); } }
        x = make(gs[0]); CUgraphExecUpdateResultInfo inf; POISON(inf); CALL(cuGraphExecUpdate, (x, gs[1], &inf), "%s", up[v]); o_i32("result", &inf.result); o_handle("node", &inf.errorNode); o_handle("from", &inf.errorFromNode); go("after", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(gs[0]); D.cuGraphDestroy(gs[1]); }
    CASE("exec_kernel_in_body") { g = mkgraph(); h = cond(g, 1, 1); choose(g, NULL, h, 0, 1, b); n = add(b[0], NULL, 0, 1); x = make(g); unsigned fifty = 50; void *v[] = { &mem, &fifty }; CUDA_KERNEL_NODE_PARAMS p; memset(&p, 0, sizeof p); OK(D.cuGraphKernelNodeGetParams(n, &p)); p.kernelParams = v; CALL(cuGraphExecKernelNodeSetParams, (x, n, &p), "a kernel in a body"); go("run", x); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
    CASE("outside") { case_isolate(); g = mkgraph(); h = cond(g, 0, 0); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); unsigned one = 1; void *v[] = { &h, &one }; go("before", x); CALL(cuLaunchKernel, (fn("set"), 1, 1, 1, 1, 1, 1, 0, NULL, v, NULL), "set by a kernel outside of graphs"); o_ret("sync", D.cuCtxSynchronize()); go("after", x); }
    CASE("other_graph_sets") { case_isolate(); g = mkgraph(); h = cond(g, 0, 0); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); CUgraph q = mkgraph(); set(q, NULL, h, 1); y = make(q); CALL(cuGraphLaunch, (y, NULL), "set by another graph's kernel"); o_ret("sync", D.cuCtxSynchronize()); go("after", x); }
    static const unsigned long long bad[] = { 0, 1, 0x123456789ull, ~0ull };
    for (int i = 0; i < NELEM(bad); i++) { CASE("bad_%llx", bad[i]) { case_isolate(); cond_t z = bad[i]; unsigned one = 1; void *v[] = { &z, &one }; CALL(cuLaunchKernel, (fn("set"), 1, 1, 1, 1, 1, 1, 0, NULL, v, NULL), "handle 0x%llx, no graph", bad[i]); o_ret("sync", D.cuCtxSynchronize()); }
        CASE("bad_in_graph_%llx", bad[i]) { case_isolate(); g = mkgraph(); h = cond(g, 1, 1); choose(g, set(g, NULL, bad[i], 1), h, 0, 1, b); add(b[0], NULL, 0, 1); x = make(g); CALL(cuGraphLaunch, (x, NULL), "handle 0x%llx", bad[i]); o_ret("sync", D.cuCtxSynchronize()); } }
    CASE("set_not_instantiated") { case_isolate(); g = mkgraph(); h = cond(g, 0, 0); choose(g, NULL, h, 0, 1, b); add(b[0], NULL, 0, 1); unsigned one = 1; void *v[] = { &h, &one }; CALL(cuLaunchKernel, (fn("set"), 1, 1, 1, 1, 1, 1, 0, NULL, v, NULL), "a handle of a graph that is not executable yet"); o_ret("sync", D.cuCtxSynchronize()); x = make(g); go("after", x); }
    CASE("set_destroyed") { case_isolate(); g = mkgraph(); h = cond(g, 0, 0); choose(g, NULL, h, 0, 1, b); x = make(g); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); unsigned one = 1; void *v[] = { &h, &one }; CALL(cuLaunchKernel, (fn("set"), 1, 1, 1, 1, 1, 1, 0, NULL, v, NULL), "a handle of what was destroyed"); o_ret("sync", D.cuCtxSynchronize()); }
    CASE("module_sees") { CUfunction f = fn("set"); int r; POISON(r); CALL(cuFuncGetAttribute, (&r, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f), "kernel that sets"); o_i32("r", &r); }
}
const group_t cond_groups[] = { { "handle", g_handle, G_CTX, 0, 0 }, { "node", g_node, G_CTX, 0, 0 }, { "body", g_body, G_CTX, 0, 0 }, { "value", g_value, G_CTX, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_cond = { "cond", cond_groups, 0, "conditional nodes of graphs" };
