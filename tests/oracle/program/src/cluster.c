/* Clusters that kernels ask for: .explicitcluster, .maxclusterrank, .reqnctapercluster, and launches that fit them or not. */
#include "common.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define BODY \
    "{ .reg .u32 %r<9>; .reg .u64 %d<3>; .reg .pred %p<2>;\n ld.param.u64 %d1, [po]; cvta.to.global.u64 %d1, %d1;\n" \
    " mov.u32 %r1, %cluster_nctaid.x; mov.u32 %r2, %cluster_nctaid.y; mov.u32 %r3, %cluster_nctaid.z; mov.u32 %r4, %cluster_nctarank;\n" \
    " mov.pred %p1, %is_explicit_cluster; selp.u32 %r5, 1, 0, %p1; mov.u32 %r6, %nclusterid.x;\n" \
    " st.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r2; st.global.u32 [%d1+8], %r3; st.global.u32 [%d1+12], %r4; st.global.u32 [%d1+16], %r5; st.global.u32 [%d1+20], %r6; ret; }\n"
#define KERNEL(how) HEAD ".visible .entry k(.param .u64 po) " how "\n" BODY
static const struct { const char *n, *ptx; } kernels[] = {
    { "plain", KERNEL("") },
    { "explicit", KERNEL(".explicitcluster") },
    { "explicit_max4", KERNEL(".explicitcluster .maxclusterrank 4") },
    { "explicit_max16", KERNEL(".explicitcluster .maxclusterrank 16") },
    { "max1", KERNEL(".maxclusterrank 1") },
    { "max4", KERNEL(".maxclusterrank 4") },
    { "max8", KERNEL(".maxclusterrank 8") },
    { "max16", KERNEL(".maxclusterrank 16") },
    { "max0", KERNEL(".maxclusterrank 0") },
    { "max32", KERNEL(".maxclusterrank 32") },
    { "req2", KERNEL(".reqnctapercluster 2") },
    { "req2_explicit", KERNEL(".explicitcluster .reqnctapercluster 2") },
    { "req222", KERNEL(".explicitcluster .reqnctapercluster 2, 2, 2") },
    { "req1", KERNEL(".explicitcluster .reqnctapercluster 1, 1, 1") },
    { "req16", KERNEL(".explicitcluster .reqnctapercluster 16") },
};
static const unsigned shapes[][3] = { { 1, 1, 1 }, { 2, 1, 1 }, { 4, 1, 1 }, { 8, 1, 1 }, { 16, 1, 1 }, { 32, 1, 1 }, { 1, 2, 1 }, { 2, 2, 1 }, { 2, 2, 2 }, { 3, 1, 1 }, { 0, 0, 0 }, { 0, 1, 1 } };
static CUmodule m;
static CUfunction f;
static CUdeviceptr d;
static CUlaunchAttribute at;
static CUlaunchConfig q;

static void config(const unsigned *s, unsigned gx, unsigned gy, unsigned gz)
{
    memset(&at, 0, sizeof at); memset(&q, 0, sizeof q);
    q.gridDimX = gx; q.gridDimY = gy; q.gridDimZ = gz; q.blockDimX = 32; q.blockDimY = q.blockDimZ = 1;
    if (s) { at.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; at.value.clusterDim.x = s[0]; at.value.clusterDim.y = s[1]; at.value.clusterDim.z = s[2]; q.attrs = &at; q.numAttrs = 1; }
}
static void seen(void)
{
    unsigned v[6] = { 0 };
    o_ret("sync", D.cuCtxSynchronize());
    D.cuMemcpyDtoH(v, d, sizeof v);
    o_str("seen", "%x,%x,%x rank %x explicit %x of %x", v[0], v[1], v[2], v[3], v[4], v[5]);
    D.cuMemsetD8(d, 0xee, 64);
}
static void queries(void)
{
    int n;
    POISON(n); o_ret("pot_ret", D.cuOccupancyMaxPotentialClusterSize(&n, f, &q)); o_i32("pot", &n);
    POISON(n); o_ret("max_ret", D.cuOccupancyMaxActiveClusters(&n, f, &q)); o_touch("max", &n, 4); o_bool("some", n > 0); o_i32("dev:max", &n);
}
static void one(int k)
{
    const char *kn = kernels[k].n;
    m = NULL; f = NULL;
    D.cuModuleLoadData(&m, kernels[k].ptx);
    if (m) D.cuModuleGetFunction(&f, m, "k");
    d = dalloc(64); D.cuMemsetD8(d, 0xee, 64);
    void *p[] = { &d };
    CASE("%s_load", kn) { CUmodule t; POISON(t); CUresult r = CALL(cuModuleLoadData, (&t, kernels[k].ptx), "%s", kn); o_handle("m", &t); if (!r) D.cuModuleUnload(t); }
    if (!f) return;
    for (int a = 8; a <= 16; a++) CASE("%s_attr_%d", kn, a) { int v; POISON(v); CALL(cuFuncGetAttribute, (&v, (CUfunction_attribute)a, f), "%s, attribute %d", kn, a); o_i32("v", &v); }
    CASE("%s_launch", kn) { CALL(cuLaunchKernel, (f, 32, 2, 2, 32, 1, 1, 0, NULL, p, NULL), "%s", kn); seen(); }
    CASE("%s_launch_1", kn) { CALL(cuLaunchKernel, (f, 1, 1, 1, 32, 1, 1, 0, NULL, p, NULL), "%s, one block", kn); seen(); }
    CASE("%s_coop", kn) { CALL(cuLaunchCooperativeKernel, (f, 32, 2, 2, 32, 1, 1, 0, NULL, p), "%s, cooperative", kn); seen(); }
    CASE("%s_ex", kn) { config(NULL, 32, 2, 2); CALL(cuLaunchKernelEx, (&q, f, p, NULL), "%s, no attributes", kn); seen(); queries(); }
    for (int np = 0; np < 2; np++)
        for (int s = 0; s < NELEM(shapes); s++)
            CASE("%s_%u.%u.%u%s", kn, shapes[s][0], shapes[s][1], shapes[s][2], np ? "_np" : "") {
                o_ret("dev:np", D.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, np));
                config(shapes[s], shapes[s][0] == 3 ? 12 : 32, 2, 2);
                CALL(cuLaunchKernelEx, (&q, f, p, NULL), "%s, cluster %u %u %u, non-portable %d", kn, shapes[s][0], shapes[s][1], shapes[s][2], np);
                seen(); queries();
                D.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0);
            }
    CASE("%s_odd", kn) { config(shapes[1], 5, 1, 1); CALL(cuLaunchKernelEx, (&q, f, p, NULL), "%s, clusters of 2, 5 blocks", kn); seen(); queries(); }
    CASE("%s_grid_5", kn) { CALL(cuLaunchKernel, (f, 5, 1, 1, 32, 1, 1, 0, NULL, p, NULL), "%s, 5 blocks", kn); seen(); }
    CASE("%s_grid_8", kn) { CALL(cuLaunchKernel, (f, 8, 1, 1, 32, 1, 1, 0, NULL, p, NULL), "%s, 8 blocks", kn); seen(); }
    for (int s = 0; s < 4; s++) CASE("%s_graph_%d", kn, s) {
        CUgraph g = NULL; CUgraphNode n = NULL; OK(D.cuGraphCreate(&g, 0));
        CUDA_KERNEL_NODE_PARAMS kp; memset(&kp, 0, sizeof kp); kp.func = f; kp.gridDimX = 32; kp.gridDimY = kp.gridDimZ = 2; kp.blockDimX = 32; kp.blockDimY = kp.blockDimZ = 1; kp.kernelParams = p;
        CUresult r = CALL(cuGraphAddKernelNode, (&n, g, NULL, 0, &kp), "%s", kn);
        if (!r) {
            if (s) { CUlaunchAttributeValue v; memset(&v, 0, sizeof v); v.clusterDim.x = 1u << s; v.clusterDim.y = v.clusterDim.z = 1; o_ret("set", D.cuGraphKernelNodeSetAttribute(n, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &v)); }
            CUlaunchAttributeValue w; POISON(w); o_ret("get_ret", D.cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &w)); o_u32("x", &w.clusterDim.x); o_u32("y", &w.clusterDim.y); o_u32("z", &w.clusterDim.z);
            CUgraphExec e = NULL; o_ret("inst", D.cuGraphInstantiate(&e, g, 0)); if (e) { o_ret("launch", D.cuGraphLaunch(e, NULL)); seen(); D.cuGraphExecDestroy(e); }
        }
        D.cuGraphDestroy(g);
    }
    for (int s = 0; s < 3; s++) CASE("%s_capture_%d", kn, s) {
        CUstream st = mkstream(1); CUgraph g = NULL; OK(D.cuStreamBeginCapture(st, CU_STREAM_CAPTURE_MODE_GLOBAL));
        config(s ? shapes[s] : NULL, 32, 2, 2); q.hStream = st; CALL(cuLaunchKernelEx, (&q, f, p, NULL), "%s, captured, shape %d", kn, s);
        o_ret("end", D.cuStreamEndCapture(st, &g)); if (g) { CUgraphExec e = NULL; o_ret("inst", D.cuGraphInstantiate(&e, g, 0)); if (e) { o_ret("launch", D.cuGraphLaunch(e, NULL)); seen(); D.cuGraphExecDestroy(e); } D.cuGraphDestroy(g); }
        D.cuStreamDestroy(st);
    }
    static const int wide[][3] = { { 2, 1, 1 }, { 4, 1, 1 }, { 0, 0, 0 }, { -1, 1, 1 }, { 16, 1, 1 }, { 3, 1, 1 }, { 2, 0, 1 } };
    for (int s = 0; s < NELEM(wide); s++) CASE("%s_required_%d", kn, s) {
        case_isolate();
        CALL(cuFuncSetAttribute, (f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, wide[s][0]), "%s, required %d %d %d", kn, wide[s][0], wide[s][1], wide[s][2]);
        o_ret("height", D.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, wide[s][1])); o_ret("depth", D.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, wide[s][2]));
        for (int a = 10; a <= 13; a++) { int v; char kk[8]; POISON(v); D.cuFuncGetAttribute(&v, (CUfunction_attribute)a, f); snprintf(kk, sizeof kk, "a%d", a); o_i32(kk, &v); }
        o_ret("launch", D.cuLaunchKernel(f, 32, 2, 2, 32, 1, 1, 0, NULL, p, NULL)); seen();
        config(shapes[1], 32, 2, 2); o_ret("ex_2", D.cuLaunchKernelEx(&q, f, p, NULL)); seen();
        config(NULL, 32, 2, 2); queries();
    }
    D.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0);
}
#define K(i) static void g_k##i(void) { one(i); }
K(0) K(1) K(2) K(3) K(4) K(5) K(6) K(7) K(8) K(9) K(10) K(11) K(12) K(13) K(14)
#undef K
#define K(i) { "k" #i, g_k##i, G_CTX, 0, 0 },
const group_t cluster_groups[] = { K(0) K(1) K(2) K(3) K(4) K(5) K(6) K(7) K(8) K(9) K(10) K(11) K(12) K(13) K(14) { NULL, NULL, 0, 0, 0 } };
const area_t area_cluster = { "cluster", cluster_groups, 0, "clusters that kernels ask for" };
