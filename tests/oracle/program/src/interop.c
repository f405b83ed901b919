/* Graphics and other neighbours where there are none: no context of OpenGL, no EGL display, no VDPAU device, no NvSci. */
#include "common.h"

static CUresult missing6(void) { return (CUresult)ORC_MISSING; }
static void *sym(const char *n) { void *f = drv_sym(n); return f ? f : (void *)missing6; }
typedef CUresult (*f_v)(void);
typedef CUresult (*f_1)(uintptr_t);
typedef CUresult (*f_2)(uintptr_t, uintptr_t);
typedef CUresult (*f_3)(uintptr_t, uintptr_t, uintptr_t);
typedef CUresult (*f_4)(uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef CUresult (*f_5)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef CUresult (*f_6)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
#define P(x) ((uintptr_t)(x))
#define ASK(n, name, args, ...) ret_set((pre_call(name, __VA_ARGS__), ((f_##n)sym(name)) args))

static unsigned char blk[512];
static unsigned char out[64];
static void fresh(void) { memset(out, POISON_BYTE, sizeof out); memset(blk, 0, sizeof blk); }
#define T() o_touch("out", out, 8)

/* A frame of 64 x 64 bytes in linear memory, as cudaEGL.h lays it out. */
struct frame { void *p[3]; unsigned width, height, depth, pitch, planes, channels, type, color, format; };

static void g_gl(void)
{
    G.nosync = true;
    static const unsigned lists[] = { 0, 1, 2, 3, 4, 0xffffffffu };
    static const char *const dev[] = { "cuGLGetDevices", "cuGLGetDevices_v2" };
    for (int g = 0; g < 2; g++) {
        for (int i = 0; i < NELEM(lists); i++)
            CASE("%s_list_%x", dev[g], lists[i]) { fresh(); unsigned n; POISON(n); ASK(4, dev[g], (P(&n), P(out), 4, lists[i]), "list=%u", lists[i]); o_u32("count", &n); T(); }
        CASE("%s_null_count", dev[g]) { fresh(); ASK(4, dev[g], (0, P(out), 4, 1), "count=NULL"); T(); }
        CASE("%s_null_list", dev[g]) { unsigned n; POISON(n); ASK(4, dev[g], (P(&n), 0, 4, 1), "devices=NULL"); o_u32("count", &n); }
        CASE("%s_zero", dev[g]) { fresh(); unsigned n; POISON(n); ASK(4, dev[g], (P(&n), P(out), 0, 1), "room for 0"); o_u32("count", &n); T(); }
    }
    static const char *const create[] = { "cuGLCtxCreate", "cuGLCtxCreate_v2" };
    for (int g = 0; g < 2; g++) {
        CASE("%s", create[g]) { fresh(); ASK(3, create[g], (P(out), 0, 0), "flags 0"); T(); }
        CASE("%s_null", create[g]) ASK(3, create[g], (0, 0, 0), "NULL");
        CASE("%s_flags", create[g]) { fresh(); ASK(3, create[g], (P(out), 0xfff00, 0), "bad flags"); T(); }
        CASE("%s_dev", create[g]) { fresh(); ASK(3, create[g], (P(out), 0, 99), "device 99"); T(); }
    }
    CASE("init") ASK(v, "cuGLInit", (), "no arguments");
    static const unsigned bufs[] = { 0, 1, 77, 0xffffffffu };
    for (int i = 0; i < 4; i++) {
        CASE("register_%u", bufs[i]) ASK(1, "cuGLRegisterBufferObject", (bufs[i]), "buffer %u", bufs[i]);
        CASE("unregister_%u", bufs[i]) ASK(1, "cuGLUnregisterBufferObject", (bufs[i]), "buffer %u", bufs[i]);
        CASE("map_%u", bufs[i]) { fresh(); ASK(3, "cuGLMapBufferObject_v2", (P(out), P(out + 16), bufs[i]), "buffer %u", bufs[i]); T(); o_touch("size", out + 16, 8); }
        CASE("map_v1_%u", bufs[i]) { fresh(); ASK(3, "cuGLMapBufferObject", (P(out), P(out + 16), bufs[i]), "buffer %u", bufs[i]); T(); o_touch("size", out + 16, 8); }
        CASE("map_ptds_%u", bufs[i]) { fresh(); ASK(3, "cuGLMapBufferObject_v2_ptds", (P(out), P(out + 16), bufs[i]), "buffer %u", bufs[i]); T(); }
        CASE("map_async_%u", bufs[i]) { fresh(); ASK(4, "cuGLMapBufferObjectAsync_v2", (P(out), P(out + 16), bufs[i], 0), "buffer %u", bufs[i]); T(); }
        CASE("map_async_ptsz_%u", bufs[i]) { fresh(); ASK(4, "cuGLMapBufferObjectAsync_v2_ptsz", (P(out), P(out + 16), bufs[i], 0), "buffer %u", bufs[i]); T(); }
        CASE("map_async_v1_%u", bufs[i]) { fresh(); ASK(4, "cuGLMapBufferObjectAsync", (P(out), P(out + 16), bufs[i], 0), "buffer %u", bufs[i]); T(); }
        CASE("unmap_%u", bufs[i]) ASK(1, "cuGLUnmapBufferObject", (bufs[i]), "buffer %u", bufs[i]);
        CASE("unmap_async_%u", bufs[i]) ASK(2, "cuGLUnmapBufferObjectAsync", (bufs[i], 0), "buffer %u", bufs[i]);
        CASE("flags_%u", bufs[i]) ASK(2, "cuGLSetBufferObjectMapFlags", (bufs[i], 0), "buffer %u", bufs[i]);
        CASE("flags_bad_%u", bufs[i]) ASK(2, "cuGLSetBufferObjectMapFlags", (bufs[i], 9), "buffer %u, flags 9", bufs[i]);
        CASE("buffer_%u", bufs[i]) { fresh(); ASK(3, "cuGraphicsGLRegisterBuffer", (P(out), bufs[i], 0), "buffer %u", bufs[i]); T(); }
        CASE("buffer_flags_%u", bufs[i]) { fresh(); ASK(3, "cuGraphicsGLRegisterBuffer", (P(out), bufs[i], 0x100), "buffer %u, flags 0x100", bufs[i]); T(); }
    }
    CASE("map_null") { ASK(3, "cuGLMapBufferObject_v2", (0, 0, 1), "NULL"); }
    CASE("buffer_null") ASK(3, "cuGraphicsGLRegisterBuffer", (0, 1, 0), "NULL");
    static const unsigned fl[] = { 0, 1, 2, 3, 4, 8, 16, 32 };
    for (int i = 0; i < NELEM(fl); i++) {
        CASE("buffer_flag_%u", fl[i]) { fresh(); ASK(3, "cuGraphicsGLRegisterBuffer", (P(out), 1, fl[i]), "flags %u", fl[i]); T(); }
        CASE("image_flag_%u", fl[i]) { fresh(); ASK(4, "cuGraphicsGLRegisterImage", (P(out), 1, 0x0DE1, fl[i]), "flags %u", fl[i]); T(); }
    }
    static const unsigned targets[] = { 0x0DE1, 0x84F5, 0x8513, 0x806F, 0x8C1A, 0x8D41, 0x0DE0, 0, 0x1234 };
    for (int i = 0; i < NELEM(targets); i++) CASE("image_%x", targets[i]) { fresh(); ASK(4, "cuGraphicsGLRegisterImage", (P(out), 1, targets[i], 0), "target 0x%x", targets[i]); T(); }
    CASE("image_zero") { fresh(); ASK(4, "cuGraphicsGLRegisterImage", (P(out), 0, 0x0DE1, 0), "image 0"); T(); }
    CASE("image_null") ASK(4, "cuGraphicsGLRegisterImage", (0, 1, 0x0DE1, 0), "NULL");
    CASE("stream_bad") { case_isolate(); fresh(); ASK(4, "cuGLMapBufferObjectAsync_v2", (P(out), P(out + 16), 1, P(blk)), "stream is none"); T(); }
}
static void g_graphics(void)
{
    G.nosync = true;
    static const char *const two[] = { "null", "garbage" };
    for (int g = 0; g < 2; g++) {
        uintptr_t r = g ? P(blk) : 0;
        CASE("unregister_%s", two[g]) { fresh(); ASK(1, "cuGraphicsUnregisterResource", (r), "%s", two[g]); }
        CASE("array_%s", two[g]) { fresh(); ASK(4, "cuGraphicsSubResourceGetMappedArray", (P(out), r, 0, 0), "%s", two[g]); T(); }
        CASE("array_null_%s", two[g]) { fresh(); ASK(4, "cuGraphicsSubResourceGetMappedArray", (0, r, 0, 0), "%s", two[g]); }
        CASE("mipmapped_%s", two[g]) { fresh(); ASK(2, "cuGraphicsResourceGetMappedMipmappedArray", (P(out), r), "%s", two[g]); T(); }
        CASE("mipmapped_null_%s", two[g]) { fresh(); ASK(2, "cuGraphicsResourceGetMappedMipmappedArray", (0, r), "%s", two[g]); }
        CASE("pointer_%s", two[g]) { fresh(); ASK(3, "cuGraphicsResourceGetMappedPointer_v2", (P(out), P(out + 16), r), "%s", two[g]); T(); o_touch("size", out + 16, 8); }
        CASE("pointer_null_%s", two[g]) { fresh(); ASK(3, "cuGraphicsResourceGetMappedPointer_v2", (0, 0, r), "%s", two[g]); }
        CASE("pointer_v1_%s", two[g]) { fresh(); ASK(3, "cuGraphicsResourceGetMappedPointer", (P(out), P(out + 16), r), "%s", two[g]); T(); }
        CASE("egl_frame_%s", two[g]) { fresh(); ASK(4, "cuGraphicsResourceGetMappedEglFrame", (P(blk + 128), r, 0, 0), "%s", two[g]); }
        CASE("egl_frame_null_%s", two[g]) { fresh(); ASK(4, "cuGraphicsResourceGetMappedEglFrame", (0, r, 0, 0), "%s", two[g]); }
        for (unsigned f = 0; f <= (g ? 0u : 4u); f++) {
            CASE("map_flags_%u_%s", f, two[g]) { fresh(); ASK(2, "cuGraphicsResourceSetMapFlags_v2", (r, f), "%s", two[g]); }
            CASE("map_flags_v1_%u_%s", f, two[g]) { fresh(); ASK(2, "cuGraphicsResourceSetMapFlags", (r, f), "%s", two[g]); }
        }
        CASE("map_%s", two[g]) { fresh(); uintptr_t list[2] = { r, r }; ASK(3, "cuGraphicsMapResources", (1, P(list), 0), "%s", two[g]); }
        CASE("unmap_%s", two[g]) { fresh(); uintptr_t list[2] = { r, r }; ASK(3, "cuGraphicsUnmapResources", (1, P(list), 0), "%s", two[g]); }
        CASE("map_ptsz_%s", two[g]) { fresh(); uintptr_t list[2] = { r, r }; ASK(3, "cuGraphicsMapResources_ptsz", (1, P(list), 0), "%s", two[g]); }
    }
    CASE("map_none") ASK(3, "cuGraphicsMapResources", (0, 0, 0), "count 0");
    CASE("map_none_list") { uintptr_t l = 0; ASK(3, "cuGraphicsMapResources", (0, P(&l), 0), "count 0, a list"); }
    CASE("map_no_list") ASK(3, "cuGraphicsMapResources", (1, 0, 0), "no list");
    CASE("unmap_none") ASK(3, "cuGraphicsUnmapResources", (0, 0, 0), "count 0");
    CASE("unmap_no_list") ASK(3, "cuGraphicsUnmapResources", (1, 0, 0), "no list");
}
static void g_egl(void)
{
    G.nosync = true;
    static const char *const two[] = { "null", "garbage" };
    for (int g = 0; g < 2; g++) {
        uintptr_t s = g ? P(blk) : 0, *conn = (uintptr_t *)(void *)(blk + 256);
        const char *n = two[g];
#define NEW() fresh(); *conn = s; uintptr_t st = 0, rs = 0; (void)st; (void)rs
        for (unsigned f = 0; f <= (g ? 0u : 4u); f++) CASE("image_%s_%u", n, f) { NEW(); ASK(3, "cuGraphicsEGLRegisterImage", (P(out), s, f), "image %s, flags %u", n, f); T(); }
        CASE("image_out_%s", n) { NEW(); ASK(3, "cuGraphicsEGLRegisterImage", (0, s, 0), "image %s", n); }
        CASE("consumer_%s", n) { NEW(); ASK(2, "cuEGLStreamConsumerConnect", (P(out), s), "stream %s", n); T(); }
        CASE("consumer_null_%s", n) { NEW(); ASK(2, "cuEGLStreamConsumerConnect", (0, s), "stream %s", n); }
        for (unsigned f = 0; f <= (g ? 0u : 2u); f++) CASE("consumer_flags_%u_%s", f, n) { NEW(); ASK(3, "cuEGLStreamConsumerConnectWithFlags", (P(out), s, f), "stream %s", n); T(); }
        CASE("consumer_end_%s", n) { NEW(); ASK(1, "cuEGLStreamConsumerDisconnect", (P(conn)), "connection %s", n); }
        CASE("acquire_%s", n) { NEW(); ASK(4, "cuEGLStreamConsumerAcquireFrame", (P(conn), P(out), P(&st), 10), "connection %s", n); T(); }
        CASE("acquire_null_%s", n) { NEW(); ASK(4, "cuEGLStreamConsumerAcquireFrame", (P(conn), 0, P(&st), 10), "connection %s", n); }
        CASE("release_%s", n) { NEW(); ASK(3, "cuEGLStreamConsumerReleaseFrame", (P(conn), 0, P(&st)), "connection %s", n); }
        static const int dims[][2] = { { 64, 64 }, { 0, 0 }, { -1, 64 } };
        for (int d = 0; d < (g ? 1 : 3); d++) CASE("producer_%s_%d", n, d) { NEW(); ASK(4, "cuEGLStreamProducerConnect", (P(out), s, P((intptr_t)dims[d][0]), P((intptr_t)dims[d][1])), "stream %s", n); T(); }
        CASE("producer_null_%s", n) { NEW(); ASK(4, "cuEGLStreamProducerConnect", (0, s, 64, 64), "stream %s", n); }
        CASE("producer_end_%s", n) { NEW(); ASK(1, "cuEGLStreamProducerDisconnect", (P(conn)), "connection %s", n); }
        CASE("present_%s", n) { NEW(); struct frame f; memset(&f, 0, sizeof f); f.p[0] = blk; f.width = f.height = f.pitch = 64; f.planes = f.channels = 1; f.type = 1; f.format = CU_AD_FORMAT_UNSIGNED_INT8; pre_call("cuEGLStreamProducerPresentFrame", "connection %s", n); ret_set(((CUresult (*)(uintptr_t, struct frame, uintptr_t))sym("cuEGLStreamProducerPresentFrame"))(P(conn), f, P(&st))); }
        CASE("back_%s", n) { NEW(); struct frame f; memset(&f, 0, sizeof f); ASK(3, "cuEGLStreamProducerReturnFrame", (P(conn), P(&f), P(&st)), "connection %s", n); }
        CASE("back_null_%s", n) { NEW(); ASK(3, "cuEGLStreamProducerReturnFrame", (P(conn), 0, P(&st)), "connection %s", n); }
    }
    CASE("consumer_end_no") ASK(1, "cuEGLStreamConsumerDisconnect", (0), "NULL");
    CASE("producer_end_no") ASK(1, "cuEGLStreamProducerDisconnect", (0), "NULL");
    CASE("acquire_no") { fresh(); uintptr_t st = 0; ASK(4, "cuEGLStreamConsumerAcquireFrame", (0, P(out), P(&st), 10), "NULL"); }
    CASE("release_no") { uintptr_t st = 0; ASK(3, "cuEGLStreamConsumerReleaseFrame", (0, 0, P(&st)), "NULL"); }
    CASE("back_no") { uintptr_t st = 0; struct frame f; memset(&f, 0, sizeof f); ASK(3, "cuEGLStreamProducerReturnFrame", (0, P(&f), P(&st)), "NULL"); }
}
static int vdp_calls, vdp_answer;
static int vdp_get(unsigned dev, unsigned id, void **p) { (void)dev; (void)id; vdp_calls++; if (p) *p = NULL; return vdp_answer; }
static void g_vdpau(void)
{
    G.nosync = true;
    static const char *const how[] = { "null", "refuses", "says_yes" };
    for (int g = 0; g < 3; g++) {
        uintptr_t f = g ? P(vdp_get) : 0;
        CASE("device_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; fresh(); ASK(3, "cuVDPAUGetDevice", (P(out), 0, f), "%s", how[g]); T(); o_int("dev:asked", vdp_calls); }
        CASE("device_out_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; ASK(3, "cuVDPAUGetDevice", (0, 0, f), "%s", how[g]); }
        CASE("ctx_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; fresh(); ASK(5, "cuVDPAUCtxCreate_v2", (P(out), 0, 0, 0, f), "%s", how[g]); T(); }
        CASE("ctx_v1_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; fresh(); ASK(5, "cuVDPAUCtxCreate", (P(out), 0, 0, 0, f), "%s", how[g]); T(); }
        CASE("ctx_dev_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; fresh(); ASK(5, "cuVDPAUCtxCreate_v2", (P(out), 0, 99, 0, f), "%s, device 99", how[g]); T(); }
        CASE("ctx_flags_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; fresh(); ASK(5, "cuVDPAUCtxCreate_v2", (P(out), 0xfff00, 0, 0, f), "%s, bad flags", how[g]); T(); }
        CASE("ctx_null_%s", how[g]) { vdp_answer = g == 1 ? 1 : 0; ASK(5, "cuVDPAUCtxCreate_v2", (0, 0, 0, 0, f), "%s", how[g]); }
    }
    for (unsigned f = 0; f <= 4; f++) {
        CASE("video_%u", f) { fresh(); ASK(3, "cuGraphicsVDPAURegisterVideoSurface", (P(out), 1, f), "flags %u", f); T(); }
        CASE("output_%u", f) { fresh(); ASK(3, "cuGraphicsVDPAURegisterOutputSurface", (P(out), 1, f), "flags %u", f); T(); }
    }
    CASE("video_null") ASK(3, "cuGraphicsVDPAURegisterVideoSurface", (0, 1, 0), "NULL");
    CASE("output_null") ASK(3, "cuGraphicsVDPAURegisterOutputSurface", (0, 1, 0), "NULL");
    CASE("video_bad") { fresh(); ASK(3, "cuGraphicsVDPAURegisterVideoSurface", (P(out), 0xffffffffu, 0), "the invalid surface"); T(); }
}
/* Neighbours of other machines: NvSci, CIG; the old profiler; what a debugger asks first. */
static void g_around(void)
{
    G.nosync = true;
    static const char *const two[] = { "null", "garbage" };
    for (int g = 0; g < 2; g++)
        for (int f = 0; f <= (g ? 1 : 4); f++)
            CASE("nvsci_%s_%d", two[g], f) { fresh(); ASK(3, "cuDeviceGetNvSciSyncAttributes", (g ? P(blk) : 0, 0, P(f)), "%s, flags %d", two[g], f); }
    CASE("nvsci_dev") { case_isolate(); fresh(); ASK(3, "cuDeviceGetNvSciSyncAttributes", (P(blk), 99, 1), "device 99"); }
    for (int g = 0; g < 2; g++) {
        CASE("sci_buf_%s", two[g]) { fresh(); CUDA_EXTERNAL_MEMORY_HANDLE_DESC d; memset(&d, 0, sizeof d); d.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF; d.handle.nvSciBufObject = g ? blk : NULL; d.size = 4096; ASK(2, "cuImportExternalMemory", (P(out), P(&d)), "NvSciBuf %s", two[g]); T(); }
        CASE("sci_sync_%s", two[g]) { fresh(); CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d; memset(&d, 0, sizeof d); d.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC; d.handle.nvSciSyncObj = g ? blk : NULL; ASK(2, "cuImportExternalSemaphore", (P(out), P(&d)), "NvSciSync %s", two[g]); T(); }
    }
    for (unsigned t = 0; t <= 3; t++)
        for (int g = 0; g < 3; g++)
            CASE("cig_%u_%s", t, g == 2 ? "none" : two[g]) {
                fresh(); struct { unsigned type; void *data; } c = { t, g ? blk : NULL }; struct { void *ex; int n; void *cig; } p = { NULL, 0, g == 2 ? NULL : &c };
                CUresult r = ASK(4, "cuCtxCreate_v4", (P(out), P(&p), 0, 0), "type %u", t); T(); if (!r) { CUcontext x; memcpy(&x, out, sizeof x); o_ret("destroy", D.cuCtxDestroy(x)); }
            }
    CASE("cig_and_affinity") { case_isolate(); fresh(); CUexecAffinityParam e; memset(&e, 0, sizeof e); e.type = CU_EXEC_AFFINITY_TYPE_SM_COUNT; e.param.smCount.val = 4; struct { unsigned type; void *data; } c = { 1, blk }; struct { void *ex; int n; void *cig; } p = { &e, 1, &c }; ASK(4, "cuCtxCreate_v4", (P(out), P(&p), 0, 0), "both"); T(); }
    static const char *const conf[] = { NULL, "", "/tmp/no_such_profile" };
    for (int i = 0; i < 3; i++)
        for (int m = -1; m <= 3; m++)
            CASE("profiler_%d_%d", i, m) ASK(3, "cuProfilerInitialize", (P(conf[i]), P(i == 0 ? NULL : "/tmp/oracle_profile"), P((intptr_t)m)), "mode %d", m);
    CASE("profiler_start") ASK(v, "cuProfilerStart", (), "no arguments");
    CASE("profiler_stop") ASK(v, "cuProfilerStop", (), "no arguments");
    CASE("profiler_stop_twice") { ASK(v, "cuProfilerStop", (), "no arguments"); o_ret("again", ((f_v)sym("cuProfilerStop"))()); }
}
#define ALL(mode, tag) { "gl" tag, g_gl, mode, 0, 0 }, { "graphics" tag, g_graphics, mode, 0, 0 }, { "egl" tag, g_egl, mode, 0, 0 }, { "vdpau" tag, g_vdpau, mode, 0, 0 }, { "around" tag, g_around, mode, 0, 0 }
const group_t interop_groups[] = { ALL(G_RAW, "_raw"), ALL(G_INIT, "_init"), ALL(G_CTX, ""), { NULL, NULL, 0, 0, 0 } };
const area_t area_interop = { "interop", interop_groups, 0, "graphics and other neighbours that are not there" };
