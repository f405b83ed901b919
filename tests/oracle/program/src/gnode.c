/* Parameters of nodes of all kinds given as a whole, external semaphores in graphs, and what stood alone: wide tensor maps, the old
 * profiler, the errors of loading with options. */
#include "common.h"
#include "ptx.h"

#define HP(p) ((void *)(uintptr_t)(p))
static CUgraph mkgraph(void) { CUgraph g = NULL; OK(D.cuGraphCreate(&g, 0)); return g; }
static void CUDA_CB nothing(void *p) { (void)p; }
static CUdeviceptr mem;
static CUfunction fun;
static CUevent ev;
static void begin(void)
{
    CUmodule m = NULL;
    OK(D.cuModuleLoadData(&m, ptx_main));
    OK(D.cuModuleGetFunction(&fun, m, "k_empty"));
    mem = dalloc(4096);
    ev = mkevent(0);
}
static const char *const kinds[] = { "kernel", "memcpy", "memset", "host", "graph", "empty", "wait_event", "event_record", "sem_signal", "sem_wait", "mem_alloc", "mem_free", "batch_mem_op", "conditional" };
static CUgraph inner;
/* Parameters that a node of this kind may have. */
static CUgraphNodeParams params_of(int t, CUgraph g)
{
    CUgraphNodeParams p;
    memset(&p, 0, sizeof p);
    p.type = (CUgraphNodeType)t;
    switch (t) {
    case 0: p.kernel.func = fun; p.kernel.gridDimX = p.kernel.gridDimY = p.kernel.gridDimZ = p.kernel.blockDimX = p.kernel.blockDimY = p.kernel.blockDimZ = 1; break;
    case 1: p.memcpy.copyCtx = G.ctx; p.memcpy.copyParams.srcMemoryType = p.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE; p.memcpy.copyParams.srcDevice = mem; p.memcpy.copyParams.dstDevice = mem + 64; p.memcpy.copyParams.WidthInBytes = 16; p.memcpy.copyParams.Height = p.memcpy.copyParams.Depth = 1; break;
    case 2: p.memset.dst = mem; p.memset.elementSize = 4; p.memset.width = 4; p.memset.height = 1; p.memset.value = 3; p.memset.ctx = G.ctx; break;
    case 3: p.host.fn = nothing; break;
    case 4: inner = mkgraph(); p.graph.graph = inner; break;
    case 6: p.eventWait.event = ev; break;
    case 7: p.eventRecord.event = ev; break;
    case 10: p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; p.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; p.alloc.bytesize = 4096; break;
    case 11: { CUdeviceptr q = 0; OK(D.cuMemAllocAsync(&q, 64, NULL)); p.free.dptr = q; break; }
    case 12: { static CUstreamBatchMemOpParams b; memset(&b, 0, sizeof b); b.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; b.writeValue.address = mem; b.writeValue.value = 7; p.memOp.ctx = G.ctx; p.memOp.count = 1; p.memOp.paramArray = &b; break; }
    case 13: { CUgraphConditionalHandle h = 0; OK(D.cuGraphConditionalHandleCreate(&h, g, G.ctx, 1, 1)); p.conditional.handle = h; p.conditional.size = 1; p.conditional.ctx = G.ctx; break; }
    }
    return p;
}
static void g_any(void)
{
    begin();
    CUgraph g;
    CUgraphNode n;
    for (int t = 0; t < 14; t++) {
        CASE("add_%s", kinds[t]) { g = mkgraph(); CUgraphNodeParams p = params_of(t, g); POISON(n); CUresult r = CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "%s", kinds[t]); o_handle("n", &n); if (!r) { CUgraphNodeType y; POISON(y); D.cuGraphNodeGetType(n, &y); o_i32("type", &y); } D.cuGraphDestroy(g); }
        CASE("add_zero_%s", kinds[t]) { g = mkgraph(); CUgraphNodeParams p; memset(&p, 0, sizeof p); p.type = (CUgraphNodeType)t; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "%s of zeros", kinds[t]); o_handle("n", &n); D.cuGraphDestroy(g); }
        static const int res[] = { 0, 1 };
        for (int w = 0; w < NELEM(res); w++) CASE("reserved%d_%s", w, kinds[t]) { g = mkgraph(); CUgraphNodeParams p = params_of(t, g); if (w) p.reserved2 = 1; else p.reserved0[1] = 1; POISON(n); CALL(cuGraphAddNode, (&n, g, NULL, NULL, 0, &p), "%s, reserved word", kinds[t]); o_handle("n", &n); D.cuGraphDestroy(g); }
        for (int u = 0; u < 14; u++) {
            if (t == 8 || t == 9) continue;
            CASE("set_%s_%s", kinds[t], kinds[u]) { g = mkgraph(); CUgraphNodeParams p = params_of(t, g); n = NULL; if (D.cuGraphAddNode(&n, g, NULL, NULL, 0, &p)) { case_skip("no such node"); D.cuGraphDestroy(g); continue; } CUgraphNodeParams q = t == u ? p : params_of(u, g); CALL(cuGraphNodeSetParams, (n, &q), "%s given parameters of %s", kinds[t], kinds[u]); D.cuGraphDestroy(g); }
            CASE("exec_%s_%s", kinds[t], kinds[u]) { g = mkgraph(); CUgraphNodeParams p = params_of(t, g); n = NULL; if (D.cuGraphAddNode(&n, g, NULL, NULL, 0, &p)) { case_skip("no such node"); D.cuGraphDestroy(g); continue; } CUgraphExec x = NULL; OK(D.cuGraphInstantiate(&x, g, 0)); CUgraphNodeParams q = t == u ? p : params_of(u, g); CALL(cuGraphExecNodeSetParams, (x, n, &q), "%s given parameters of %s", kinds[t], kinds[u]); D.cuGraphExecDestroy(x); D.cuGraphDestroy(g); }
        }
        CASE("set_null_%s", kinds[t]) { g = mkgraph(); CUgraphNodeParams p = params_of(t, g); n = NULL; if (D.cuGraphAddNode(&n, g, NULL, NULL, 0, &p)) { case_skip("no such node"); D.cuGraphDestroy(g); continue; } CALL(cuGraphNodeSetParams, (n, NULL), "%s, NULL", kinds[t]); p.reserved0[0] = 1; o_ret("reserved", D.cuGraphNodeSetParams(n, &p)); D.cuGraphDestroy(g); }
    }
    CASE("set_null_node") { CUgraphNodeParams p = params_of(2, NULL); CALL(cuGraphNodeSetParams, (NULL, &p), "hNode=NULL"); }
    CASE("exec_null") { CUgraphNodeParams p = params_of(2, NULL); CALL(cuGraphExecNodeSetParams, (NULL, NULL, &p), "NULL"); }
}

static void g_sem(void)
{
    begin();
    CUgraph g;
    CUgraphNode n;
    static CUexternalSemaphore none[2];
    static CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS sp[2];
    static CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wp[2];
    for (int v = 0; v < 6; v++) {
        CUDA_EXT_SEM_SIGNAL_NODE_PARAMS s = { v == 0 || v == 3 ? NULL : none, v == 1 || v == 3 ? NULL : sp, v == 2 || v == 3 ? 0 : 1 };
        CUDA_EXT_SEM_WAIT_NODE_PARAMS w = { s.extSemArray, v == 1 || v == 3 ? NULL : wp, s.numExtSems };
        if (v == 5) s.numExtSems = w.numExtSems = ~0u;
        CASE("signal_%d", v) { g = mkgraph(); POISON(n); CUresult r = CALL(cuGraphAddExternalSemaphoresSignalNode, (&n, g, NULL, 0, &s), "array %s, params %s, count %u", s.extSemArray ? "set" : "NULL", s.paramsArray ? "set" : "NULL", s.numExtSems); o_handle("n", &n); if (!r) { CUDA_EXT_SEM_SIGNAL_NODE_PARAMS q; POISON(q); o_ret("get", D.cuGraphExternalSemaphoresSignalNodeGetParams(n, &q)); o_u32("num", &q.numExtSems); o_ret("set", D.cuGraphExternalSemaphoresSignalNodeSetParams(n, &s)); CUgraphExec x = NULL; o_ret("inst", D.cuGraphInstantiate(&x, g, 0)); if (x) { o_ret("exec", D.cuGraphExecExternalSemaphoresSignalNodeSetParams(x, n, &s)); o_ret("launch", D.cuGraphLaunch(x, NULL)); o_ret("sync", D.cuCtxSynchronize()); } } D.cuGraphDestroy(g); }
        CASE("wait_%d", v) { g = mkgraph(); POISON(n); CUresult r = CALL(cuGraphAddExternalSemaphoresWaitNode, (&n, g, NULL, 0, &w), "array %s, params %s, count %u", w.extSemArray ? "set" : "NULL", w.paramsArray ? "set" : "NULL", w.numExtSems); o_handle("n", &n); if (!r) { CUDA_EXT_SEM_WAIT_NODE_PARAMS q; POISON(q); o_ret("get", D.cuGraphExternalSemaphoresWaitNodeGetParams(n, &q)); o_u32("num", &q.numExtSems); o_ret("set", D.cuGraphExternalSemaphoresWaitNodeSetParams(n, &w)); CUgraphExec x = NULL; o_ret("inst", D.cuGraphInstantiate(&x, g, 0)); if (x) { o_ret("exec", D.cuGraphExecExternalSemaphoresWaitNodeSetParams(x, n, &w)); o_ret("launch", D.cuGraphLaunch(x, NULL)); o_ret("sync", D.cuCtxSynchronize()); } } D.cuGraphDestroy(g); }
    }
    CASE("signal_null_params") { g = mkgraph(); POISON(n); CALL(cuGraphAddExternalSemaphoresSignalNode, (&n, g, NULL, 0, NULL), "NULL"); D.cuGraphDestroy(g); }
    CASE("wait_null_params") { g = mkgraph(); POISON(n); CALL(cuGraphAddExternalSemaphoresWaitNode, (&n, g, NULL, 0, NULL), "NULL"); D.cuGraphDestroy(g); }
    CASE("signal_null_node") { g = mkgraph(); CUDA_EXT_SEM_SIGNAL_NODE_PARAMS s = { none, sp, 0 }; CALL(cuGraphAddExternalSemaphoresSignalNode, (NULL, g, NULL, 0, &s), "phGraphNode=NULL"); o_ret("graph", D.cuGraphAddExternalSemaphoresSignalNode(&n, NULL, NULL, 0, &s)); D.cuGraphDestroy(g); }
    CASE("of_other_type") { g = mkgraph(); OK(D.cuGraphAddEmptyNode(&n, g, NULL, 0)); CUDA_EXT_SEM_SIGNAL_NODE_PARAMS s = { none, sp, 0 }, q; CUDA_EXT_SEM_WAIT_NODE_PARAMS w = { none, wp, 0 }, y; POISON(q); POISON(y); CALL(cuGraphExternalSemaphoresSignalNodeGetParams, (n, &q), "of an empty node"); o_ret("wait", D.cuGraphExternalSemaphoresWaitNodeGetParams(n, &y)); o_ret("set", D.cuGraphExternalSemaphoresSignalNodeSetParams(n, &s)); o_ret("set_wait", D.cuGraphExternalSemaphoresWaitNodeSetParams(n, &w)); o_ret("null", D.cuGraphExternalSemaphoresSignalNodeGetParams(n, NULL)); o_ret("null_node", D.cuGraphExternalSemaphoresSignalNodeGetParams(NULL, &q)); CUgraphExec x = NULL; OK(D.cuGraphInstantiate(&x, g, 0)); o_ret("exec", D.cuGraphExecExternalSemaphoresSignalNodeSetParams(x, n, &s)); o_ret("exec_wait", D.cuGraphExecExternalSemaphoresWaitNodeSetParams(x, n, &w)); D.cuGraphDestroy(g); }
    static const int types[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    for (int i = 0; i < NELEM(types); i++) CASE("import_%d", types[i]) { int fd = (int)memfd_create("s", 0); CUexternalSemaphore s; CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC sd; memset(&sd, 0, sizeof sd); sd.type = (CUexternalSemaphoreHandleType)types[i]; sd.handle.fd = fd; POISON(s); CALL(cuImportExternalSemaphore, (&s, &sd), "memory file as type %d", types[i]); o_handle("s", &s); close(fd); }
    static const int at[] = { 0, 1, 2, 3, 0x7fffffff };
    for (int i = 0; i < NELEM(at); i++) for (int l = 0; l < 6; l++) CASE("alloc_type_%x_loc_%d", at[i], l) { g = mkgraph(); CUDA_MEM_ALLOC_NODE_PARAMS p; memset(&p, 0, sizeof p); p.poolProps.allocType = (CUmemAllocationType)at[i]; p.poolProps.location.type = (CUmemLocationType)l; p.bytesize = 4096; POISON(n); CUresult r = CALL(cuGraphAddMemAllocNode, (&n, g, NULL, 0, &p), "allocType %d, location %d", at[i], l); o_handle("n", &n); o_ptr("p", &p.dptr); if (!r) { CUgraphExec x = NULL; o_ret("inst", D.cuGraphInstantiate(&x, g, 0)); if (x) { o_ret("launch", D.cuGraphLaunch(x, NULL)); o_ret("sync", D.cuCtxSynchronize()); unsigned mt; POISON(mt); o_ret("attr", D.cuPointerGetAttribute(&mt, CU_POINTER_ATTRIBUTE_IS_MANAGED, p.dptr)); o_u32("managed", &mt); D.cuMemFree(p.dptr); } } D.cuGraphDestroy(g); }
}

static void g_tensor(void)
{
    CUdeviceptr d = dalloc(MB(4));
    static CUtensorMap tm __attribute__((aligned(64)));
    for (int off = 0; off <= 64; off += 8) for (int inter = 0; inter < 3; inter++) CASE("tiled_base_%d_%d", off, inter) { cuuint64_t dims[3] = { 64, 64, 4 }, st[2] = { 256, 256 * 64 }; cuuint32_t box[3] = { 8, 8, 1 }, es[3] = { 1, 1, 1 }; POISON(tm); CALL(cuTensorMapEncodeTiled, (&tm, CU_TENSOR_MAP_DATA_TYPE_UINT32, 3, HP(d + (unsigned)off), dims, st, box, es, (CUtensorMapInterleave)inter, inter == 2 ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE), "base at %d, interleave %d", off, inter); o_touch("dev:tm", &tm, sizeof tm); }
    for (int dt = 0; dt < 18; dt++) for (int off = 0; off <= 48; off += 16) CASE("tiled_type_%d_%d", dt, off) { cuuint64_t dims[2] = { 256, 64 }, st[1] = { 4096 }; cuuint32_t box[2] = { 128, 8 }, es[2] = { 1, 1 }; if (dt > 12 || dt == 6 || (dt >= 9 && dt <= 9)) { } POISON(tm); CALL(cuTensorMapEncodeTiled, (&tm, (CUtensorMapDataType)dt, 2, HP(d + (unsigned)off), dims, st, box, es, 0, dt > 13 ? CU_TENSOR_MAP_SWIZZLE_128B : 0, 0, 0), "type %d, base at %d", dt, off); o_touch("dev:tm", &tm, sizeof tm); }
    for (int sw = 0; sw < 8; sw++) for (int mode = 0; mode < 3; mode++) CASE("wide_%d_%d", sw, mode) { cuuint64_t dims[4] = { 64, 32, 32, 4 }, st[3] = { 128, 128 * 32, 128 * 32 * 32 }; cuuint32_t es[4] = { 1, 1, 1, 1 }; POISON(tm); CALL(cuTensorMapEncodeIm2colWide, (&tm, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, HP(d), dims, st, -1, 1, 64, 32, es, 0, (CUtensorMapIm2ColWideMode)mode, (CUtensorMapSwizzle)sw, 0, 0), "swizzle %d, mode %d", sw, mode); o_touch("dev:tm", &tm, sizeof tm); }
    CASE("wide_null") { cuuint64_t dims[4] = { 64, 32, 32, 4 }, st[3] = { 128, 128 * 32, 128 * 32 * 32 }; cuuint32_t es[4] = { 1, 1, 1, 1 }; CALL(cuTensorMapEncodeIm2colWide, (NULL, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, HP(d), dims, st, -1, 1, 64, 32, es, 0, 0, 3, 0, 0), "tensorMap=NULL"); }
    CASE("wide_bad") { POISON(tm); CALL(cuTensorMapEncodeIm2colWide, (&tm, 99, 9, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0), "all wrong"); o_touch("dev:tm", &tm, sizeof tm); }
}

static void g_rest(void)
{
    static const char *const files[] = { NULL, "", "/nonexistent/x", "/dev/null" };
    CUresult (*init)(const char *, const char *, int) = (CUresult(*)(const char *, const char *, int))drv_sym("cuProfilerInitialize");
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) for (int m = 0; m < 3; m++) CASE("profiler_%d_%d_%d", i, j, m) { if (!init) { ret_set((CUresult)ORC_MISSING); continue; } CALLP("cuProfilerInitialize", init(files[i], files[j], m), "%s, %s, mode %d", files[i] ? files[i] : "NULL", files[j] ? files[j] : "NULL", m); }
    static const struct { const char *n; const char *img; } im[] = { { "good", ptx_second }, { "syntax", ptx_syntax }, { "newer", ptx_newarch }, { "null", NULL }, { "empty", "" } };
    static const struct { const char *n; int o; uintptr_t v; } op[] = { { "none", -1, 0 }, { "bad", 999, 0 }, { "negative", -7, 0 }, { "optlevel_9", CU_JIT_OPTIMIZATION_LEVEL, 9 }, { "target_1", CU_JIT_TARGET, 1 }, { "maxreg_0", CU_JIT_MAX_REGISTERS, 0 }, { "fallback_9", CU_JIT_FALLBACK_STRATEGY, 9 }, { "cache_9", CU_JIT_CACHE_MODE, 9 }, { "log_null", CU_JIT_ERROR_LOG_BUFFER, 0 }, { "lto", CU_JIT_LTO, 1 }, { "globals", CU_JIT_GLOBAL_SYMBOL_COUNT, 3 }, { "position", CU_JIT_POSITION_INDEPENDENT_CODE, 1 } };
    for (int i = 0; i < NELEM(im); i++) for (int j = 0; j < NELEM(op); j++) for (int out = 0; out < 2; out++) CASE("load_%s_%s_%d", im[i].n, op[j].n, out) { if (!out && i) continue; CUmodule m; POISON(m); CUjit_option o = (CUjit_option)op[j].o; void *v = (void *)op[j].v; CUresult r = CALL(cuModuleLoadDataEx, (out ? &m : NULL, im[i].img, op[j].o == -1 ? 0 : 1, &o, &v), "%s, option %s, %s", im[i].n, op[j].n, out ? "out" : "out=NULL"); o_handle("m", &m); if (!r && out) D.cuModuleUnload(m); CUlibrary l; POISON(l); if (out) { r = D.cuLibraryLoadData(&l, im[i].img, &o, &v, op[j].o == -1 ? 0 : 1, NULL, NULL, 0); o_ret("library", r); o_handle("l", &l); if (!r) D.cuLibraryUnload(l); } }
    CASE("load_no_context") { CUmodule m; POISON(m); D.cuCtxSetCurrent(NULL); CALL(cuModuleLoadDataEx, (&m, ptx_second, 0, NULL, NULL), "no context"); o_ret("bad_image", D.cuModuleLoadDataEx(&m, ptx_syntax, 0, NULL, NULL)); o_ret("null_out", D.cuModuleLoadDataEx(NULL, ptx_second, 0, NULL, NULL)); o_ret("null_image", D.cuModuleLoadDataEx(&m, NULL, 0, NULL, NULL)); o_ret("null_options", D.cuModuleLoadDataEx(&m, ptx_second, 1, NULL, NULL)); D.cuCtxSetCurrent(G.ctx); }
    CUresult (*glob)(unsigned *, unsigned *, CUmodule, const char *) = (CUresult(*)(unsigned *, unsigned *, CUmodule, const char *))drv_sym("cuModuleGetGlobal");
    CASE("old_global") { CUmodule m = NULL; OK(D.cuModuleLoadData(&m, ptx_main)); unsigned p, n; POISON(p); POISON(n); if (!glob) { ret_set((CUresult)ORC_MISSING); continue; } CALLP("cuModuleGetGlobal(v1)", glob(&p, &n, m, "g_words"), "64-bit context"); o_touch("p", &p, 4); o_touch("n", &n, 4); POISON(n); o_ret("size", glob(NULL, &n, m, "g_words")); o_u32("size_n", &n); o_ret("both_null", glob(NULL, NULL, m, "g_words")); o_ret("no_name", glob(&p, &n, m, NULL)); o_ret("no_module", glob(&p, &n, NULL, "g_words")); o_ret("unknown", glob(&p, &n, m, "nope")); }
    CASE("old_global_small") { CUcontext c = NULL; CUresult q = DL.cuCtxCreate(&c, 0, 0); o_ret("ctx", q); if (q || !glob) { ret_set((CUresult)ORC_SKIPPED); continue; } CUmodule m = NULL; o_ret("load", D.cuModuleLoadData(&m, ptx_main)); unsigned p, n; POISON(p); POISON(n); CALLP("cuModuleGetGlobal(v1)", glob(&p, &n, m, "g_words"), "32-bit context"); o_touch("p", &p, 4); o_u32("n", &n); D.cuCtxDestroy(c); D.cuCtxSetCurrent(G.ctx); }
}
/* libraries whose image is wrong: when that is found */
static void g_lib(void)
{
    static const struct { const char *n; const char *img; } im[] = { { "good", ptx_second }, { "syntax", ptx_syntax }, { "newer", ptx_newarch }, { "future", ptx_future }, { "extern", ptx_extern }, { "nokernel", ptx_nokernel }, { "undeclared", ptx_undeclared }, { "empty", "" }, { "text", "hello" }, { "elf", "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" } };
    for (int ctx = 0; ctx < 2; ctx++)
        for (int i = 0; i < NELEM(im); i++)
            for (int v = 0; v < 8; v++) CASE("%s_%d_%d", im[i].n, v, ctx) {
                CUlibrary l = NULL; CUkernel k; CUfunction f; CUmodule m; CUdeviceptr d; size_t n; unsigned c; CUkernel ks[4];
                if (!ctx) D.cuCtxSetCurrent(NULL);
                CUresult r = D.cuLibraryLoadData(&l, im[i].img, NULL, NULL, 0, NULL, NULL, 0); o_ret("load", r);
                if (r) { ret_set(r); D.cuCtxSetCurrent(G.ctx); continue; }
                switch (v) {
                case 0: POISON(c); CALL(cuLibraryGetKernelCount, (&c, l), "%s", im[i].n); o_u32("c", &c); break;
                case 1: POISON(k); CALL(cuLibraryGetKernel, (&k, l, "k"), "%s", im[i].n); o_handle("k", &k); break;
                case 2: POISON(m); CALL(cuLibraryGetModule, (&m, l), "%s", im[i].n); o_handle("m", &m); break;
                case 3: POISON(d); POISON(n); CALL(cuLibraryGetGlobal, (&d, &n, l, "g"), "%s", im[i].n); o_touch("d", &d, 8); break;
                case 4: POISON(ks); CALL(cuLibraryEnumerateKernels, (ks, 4, l), "%s", im[i].n); break;
                case 5: POISON(k); r = D.cuLibraryGetKernel(&k, l, "k_only"); if (!r) { POISON(f); CALL(cuKernelGetFunction, (&f, k), "%s", im[i].n); } else ret_set(r); break;
                case 6: CALL(cuLibraryUnload, (l), "%s, unused", im[i].n); l = NULL; break;
                default: { void *p; POISON(p); CALL(cuLibraryGetUnifiedFunction, (&p, l, "k"), "%s", im[i].n); break; }
                }
                if (l) o_ret("unload", D.cuLibraryUnload(l));
                D.cuCtxSetCurrent(G.ctx);
            }
}

/* values of options */
static void g_jit(void)
{
    static const int vals[] = { -1, 0, 1, 2, 3, 4, 5, 7, 10, 30, 32, 50, 90, 100, 1024, 1025, 255, 256, 100000 };
    for (int o = 0; o <= 34; o++) for (int i = 0; i < NELEM(vals); i++) {
        if (o == 3 || o == 5 || o == 2) continue; /* buffers, and what is written back */
        if (o == 19 || o == 20 || o == 24 || o == 25 || o == 27 || o == 28) { if (i > 1) continue; }
        CASE("o%d_%d", o, vals[i]) { CUmodule m; POISON(m); CUjit_option op = (CUjit_option)o; void *v = (void *)(intptr_t)vals[i]; CUresult r = CALL(cuModuleLoadDataEx, (&m, ptx_second, 1, &op, &v), "option %d = %d", o, vals[i]); o_handle("m", &m); if (!r) D.cuModuleUnload(m); CUlibrary l; POISON(l); r = D.cuLibraryLoadData(&l, ptx_second, &op, &v, 1, NULL, NULL, 0); o_ret("library", r); if (!r) D.cuLibraryUnload(l); }
    }
    for (int i = 0; i < 6; i++) CASE("buffer_%d", i) { char b[64]; memset(b, 0, 64); CUjit_option op[2] = { i < 3 ? CU_JIT_ERROR_LOG_BUFFER : CU_JIT_INFO_LOG_BUFFER, i < 3 ? CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES : CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES }; void *v[2] = { i % 3 == 0 ? NULL : b, (void *)(uintptr_t)(i % 3 == 2 ? 0 : 64) }; CUmodule m; POISON(m); CUresult r = CALL(cuModuleLoadDataEx, (&m, ptx_second, i % 3 == 1 ? 1 : 2, op, v), "buffer %s, size %s", v[0] ? "set" : "NULL", i % 3 == 1 ? "missing" : v[1] ? "64" : "0"); if (!r) D.cuModuleUnload(m); r = D.cuModuleLoadDataEx(&m, ptx_syntax, i % 3 == 1 ? 1 : 2, op, v); o_ret("syntax", r); }
}

static void g_wide(void)
{
    CUdeviceptr d = dalloc(MB(4));
    static CUtensorMap tm __attribute__((aligned(64)));
    static const char *const what[] = { "good", "rank 3", "rank 5", "rank 2", "rank 6", "type 13", "type 99", "base+8", "base+16", "base NULL", "dim 0", "dim 2^33", "stride+8", "stride small", "lower -128", "lower -129", "upper 127", "upper 128", "lower>upper", "channels 0", "channels 256", "channels 257", "pixels 0", "pixels 256", "pixels 1024", "pixels 1025", "strides 0", "strides 9", "interleave 1", "interleave 2", "interleave 3", "l2 4", "oob 1", "oob 2", "w128", "mode 2", "float32", "u8", "dims NULL", "globalStrides NULL", "elementStrides NULL", "channels 64 u8 sw", "swizzle 1 w128", "stride 2^40", "channels 4", "float64", "u8 channels 8", "pixels 1", "corner 0 0", "lower -32768", "lower -32769" };
    for (int i = 0; i < NELEM(what); i++) CASE("w%02d", i) {
        cuuint64_t dims[5] = { 64, 32, 32, 4, 2 }, st[4] = { 128, 128 * 32, 128 * 32 * 32, 128 * 32 * 32 * 4 }; cuuint32_t es[5] = { 1, 1, 1, 1, 1 }; cuuint32_t rank = 4, ch = 64, px = 32; int lo = -1, up = 1, type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, inter = 0, mode = 0, sw = 3, l2 = 0, oob = 0; void *base = HP(d); cuuint64_t *dp = dims, *sp = st; cuuint32_t *ep = es;
        switch (i) { case 1: rank = 3; break; case 2: rank = 5; break; case 3: rank = 2; break; case 4: rank = 6; break; case 5: type = 13; break; case 6: type = 99; break; case 7: base = HP(d + 8); break; case 8: base = HP(d + 16); break; case 9: base = NULL; break; case 10: dims[1] = 0; break; case 11: dims[1] = 1ull << 33; break; case 12: st[0] += 8; break; case 13: st[0] = 64; break; case 14: lo = -128; break; case 15: lo = -129; break; case 16: up = 127; break; case 17: up = 128; break; case 18: lo = 2; break; case 19: ch = 0; break; case 20: ch = 256; break; case 21: ch = 257; break; case 22: px = 0; break; case 23: px = 256; break; case 24: px = 1024; break; case 25: px = 1025; break; case 26: es[1] = 0; break; case 27: es[1] = 9; break; case 28: inter = 1; break; case 29: inter = 2; break; case 30: inter = 3; break; case 31: l2 = 4; break; case 32: oob = 1; break; case 33: oob = 2; break; case 34: mode = 1; break; case 35: mode = 2; break; case 36: type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32; break; case 37: type = 0; break; case 38: dp = NULL; break; case 39: sp = NULL; break; case 40: ep = NULL; break; case 41: type = 0; sw = 2; break; case 42: mode = 1; sw = 1; break; case 43: st[2] = 1ull << 40; break; case 44: ch = 4; break; case 45: type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64; break; case 46: type = 0; ch = 8; break; case 47: px = 1; break; case 48: lo = up = 0; break; case 49: lo = -32768; break; case 50: lo = -32769; break; default: break; }
        for (int wide = 0; wide < 2; wide++) { POISON(tm); char k[16]; if (wide) { CALL(cuTensorMapEncodeIm2colWide, (&tm, (CUtensorMapDataType)type, rank, base, dp, sp, lo, up, ch, px, ep, (CUtensorMapInterleave)inter, (CUtensorMapIm2ColWideMode)mode, (CUtensorMapSwizzle)sw, (CUtensorMapL2promotion)l2, (CUtensorMapFloatOOBfill)oob), "%s", what[i]); o_touch("dev:tm", &tm, sizeof tm); } else { int lc[3] = { lo, lo, lo }, uc[3] = { up, up, up }; snprintf(k, sizeof k, "im2col"); o_ret(k, D.cuTensorMapEncodeIm2col(&tm, (CUtensorMapDataType)type, rank, base, dp, sp, lc, uc, ch, px, ep, (CUtensorMapInterleave)inter, (CUtensorMapSwizzle)sw, (CUtensorMapL2promotion)l2, (CUtensorMapFloatOOBfill)oob)); o_touch("dev:plain", &tm, sizeof tm); } }
    }
}

const group_t gnode_groups[] = { { "any", g_any, G_CTX, 0, 0 }, { "sem", g_sem, G_CTX, 0, 0 }, { "tensor", g_tensor, G_CTX, 0, 0 }, { "wide", g_wide, G_CTX, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_gnode = { "gnode", gnode_groups, 0, "parameters of graph nodes, external semaphores in graphs, wide tensor maps" };
const group_t load_groups[] = { { "rest", g_rest, G_CTX, 0, 0 }, { "lib", g_lib, G_CTX, 0, 0 }, { "jit", g_jit, G_CTX, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_load = { "load", load_groups, 0, "options and errors of loading, the old profiler" };
