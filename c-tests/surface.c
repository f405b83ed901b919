/* Surface instructions: loads, stores, formatted stores and reductions in and around arrays; sums over the bits of what
 * comes out are printed. With an argument the results themselves are printed. */
#include "check.h"
#include <stdarg.h>
#include <stdint.h>

enum { PLACES = 192, WORDS = 16 };

static int full;

static uint64_t state;
static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) ^ (uint32_t)(state >> 13 & 1) << 31;
}

static char ptx[1 << 16];
static size_t length;
static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(ptx + length, sizeof ptx - length, format, list);
    va_end(list);
}

/* One thread goes through all places: %r0 to %r2 are coordinates, %r3 a layer, %r8.. what is stored. */
static CUmodule compile(const char *text)
{
    static char log[4096];
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    CUmodule m = NULL;
    length = 0;
    put(".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 surf, .param .u32 n) {\n"
        ".reg .pred %%p; .reg .b16 %%h<8>, %%e<8>; .reg .b32 %%i, %%n, %%r<16>, %%d<8>; .reg .f32 %%f<16>; .reg .b64 %%l<4>, %%t, %%w<8>, %%q<8>;\n"
        "ld.param.u64 %%l0, [in]; ld.param.u64 %%l1, [out]; ld.param.u64 %%t, [surf]; ld.param.u32 %%n, [n]; mov.u32 %%i, 0;\nL:\n");
    for (int i = 0; i < WORDS; i++) put("ld.global.b32 %%r%d, [%%l0+%d]; ld.global.f32 %%f%d, [%%l0+%d];\n", i, i * 4, i, i * 4);
    for (int i = 0; i < 4; i++) put("cvt.u16.u32 %%h%d, %%r%d;\n", i, i + 8);
    put("mov.b64 %%w0, {%%r8,%%r9}; mov.b64 %%w1, {%%r10,%%r11};\n");
    for (int i = 0; i < 4; i++) put("mov.b64 %%q%d, 0; mov.b32 %%d%d, 0; mov.b16 %%e%d, 0;\n", i, i, i);
    put("%s\n", text);
    for (int i = 0; i < 4; i++) put("st.global.b64 [%%l1+%d], %%q%d; st.global.b32 [%%l1+%d], %%d%d; st.global.b16 [%%l1+%d], %%e%d;\n", i * 16, i, i * 16 + 8, i, i * 16 + 12, i);
    put("add.u64 %%l0, %%l0, 64; add.u64 %%l1, %%l1, 64; add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %%n; @%%p bra L; ret; }\n");
    CUresult r = cuModuleLoadDataEx(&m, ptx, 2, options, values);
    if (r) {
        printf("%s: %s\n", text, name(r));
        fprintf(stderr, "%s\n", log);
        return NULL;
    }
    return m;
}

static CUdeviceptr in, out;
static uint32_t places[PLACES][WORDS], results[PLACES][WORDS];
static uint8_t data[1 << 16];

struct surface {
    CUarray a;
    CUsurfObject s;
    size_t w, h, d, element;
};

static struct surface make(size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned flags, size_t element)
{
    struct surface s = { NULL, 0, w, h ? h : 1, d ? d : 1, element };
    CUDA_ARRAY3D_DESCRIPTOR desc;
    CUDA_RESOURCE_DESC r;
    memset(&desc, 0, sizeof desc), memset(&r, 0, sizeof r);
    desc.Width = w, desc.Height = h, desc.Depth = d, desc.Format = (CUarray_format)format, desc.NumChannels = channels, desc.Flags = flags | CUDA_ARRAY3D_SURFACE_LDST;
    ok(cuArray3DCreate(&s.a, &desc), "array");
    r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = s.a;
    ok(cuSurfObjectCreate(&s.s, &r), "surface");
    return s;
}

static void drop(struct surface s)
{
    cuSurfObjectDestroy(s.s);
    cuArrayDestroy(s.a);
}

static void copy(const struct surface *s, int back)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.WidthInBytes = s->w * s->element, c.Height = s->h, c.Depth = s->d;
    if (back) {
        c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = data, c.dstPitch = c.WidthInBytes, c.dstHeight = s->h;
        c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = s->a;
    } else {
        c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = data, c.srcPitch = c.WidthInBytes, c.srcHeight = s->h;
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = s->a;
    }
    ok(cuMemcpy3D(&c), "copy of an array");
}

/* Places in the surface, and around it unless `inside`; x in units of `bytes`. */
static void prepare(const struct surface *s, size_t bytes, int inside)
{
    int columns = (int)(s->w * s->element / bytes);
    state = 99;
    for (int i = 0; i < PLACES; i++) {
        int wide = inside ? 0 : 3;
        for (int k = 0; k < WORDS; k++) places[i][k] = next();
        places[i][0] = (uint32_t)(((int)(next() % (unsigned)(columns + 2 * wide)) - wide) * (int)bytes);
        places[i][1] = (uint32_t)((int)(next() % (unsigned)(s->h + 2 * (unsigned)wide)) - wide);
        places[i][2] = (uint32_t)((int)(next() % (unsigned)(s->d + 2 * (unsigned)wide)) - wide);
        places[i][3] = places[i][2];
        if (i % 7 == 0) for (int k = 12; k < 16; k++) places[i][k] &= 0x80ffffff;
    }
}

static void run(const char *text, const struct surface *s, int stores)
{
    CUmodule m = compile(text);
    CUfunction f;
    uint32_t n = PLACES;
    CUsurfObject object = s->s;
    void *args[] = { &in, &out, &object, &n };
    uint64_t sum = 0xcbf29ce484222325u;
    if (!m) return;
    state = 5;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)next();
    copy(s, 0);
    ok(cuModuleGetFunction(&f, m, "k"), text);
    ok(cuMemcpyHtoD(in, places, sizeof places), "copy");
    ok(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL), text);
    ok(cuMemcpyDtoH(results, out, sizeof results), text);
    if (full) printf("%s\n", text);
    if (stores) {
        size_t bytes = s->w * s->h * s->d * s->element;
        copy(s, 1);
        for (size_t i = 0; i < bytes; i++) sum = (sum ^ data[i]) * 0x100000001b3u;
        for (size_t i = 0; full && i < bytes; i++) printf("%02x%s", data[i], i + 1 == bytes || i % (s->w * s->element) == s->w * s->element - 1 ? "\n" : i % s->element == s->element - 1 ? " " : "");
    } else
        for (int i = 0; i < PLACES; i++) {
            for (int k = 0; k < WORDS; k++) {
                for (int b = 0; b < 32; b += 8) sum = (sum ^ (results[i][k] >> b & 255)) * 0x100000001b3u;
                if (full) printf("%x ", results[i][k]);
            }
            if (full) printf("\n");
        }
    if (full && stores) for (int i = 0; i < PLACES; i++) for (int k = 0; k < 12; k++) printf("%x%s", places[i][k], k == 11 ? "\n" : " ");
    if (!full) printf("%s %016llx\n", text, (unsigned long long)sum);
    cuModuleUnload(m);
}

static void bytes(void)
{
    static const struct { const char *geometry, *at; size_t w, h, d; unsigned flags; } geometries[] = {
        { "1d", "%r0", 20, 0, 0, 0 }, { "2d", "%r0,%r1", 20, 6, 0, 0 }, { "3d", "%r0,%r1,%r2,%r2", 8, 5, 3, 0 },
        { "a1d", "%r3,%r0", 20, 0, 4, CUDA_ARRAY3D_LAYERED }, { "a2d", "%r3,%r0,%r1,%r1", 12, 5, 4, CUDA_ARRAY3D_LAYERED }, { "a2d", "%r3,%r0,%r1,%r1", 6, 6, 6, CUDA_ARRAY3D_CUBEMAP },
    };
    static const struct { const char *type, *load, *store; size_t bytes; } forms[] = {
        { "b8", "{%e0}", "{%h0}", 1 }, { "b16", "{%e0}", "{%h0}", 2 }, { "b32", "{%d0}", "{%r8}", 4 }, { "b64", "{%q0}", "{%w0}", 8 },
        { "v2.b8", "{%e0,%e1}", "{%h0,%h1}", 2 }, { "v2.b16", "{%e0,%e1}", "{%h0,%h1}", 4 }, { "v2.b32", "{%d0,%d1}", "{%r8,%r9}", 8 }, { "v2.b64", "{%q0,%q1}", "{%w0,%w1}", 16 },
        { "v4.b8", "{%e0,%e1,%e2,%e3}", "{%h0,%h1,%h2,%h3}", 4 }, { "v4.b16", "{%e0,%e1,%e2,%e3}", "{%h0,%h1,%h2,%h3}", 8 }, { "v4.b32", "{%d0,%d1,%d2,%d3}", "{%r8,%r9,%r10,%r11}", 16 },
    };
    static const char *clamps[] = { "trap", "clamp", "zero" };
    for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
        struct surface s = make(geometries[g].w, geometries[g].h, geometries[g].d, CU_AD_FORMAT_FLOAT, 4, geometries[g].flags, 16);
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            for (int c = 0; c < 3; c++) {
                char text[256];
                if (g > 1 && f % 4 != 2) continue;
                prepare(&s, forms[f].bytes, c == 0);
                snprintf(text, sizeof text, "suld.b.%s.%s.%s %s, [%%t, {%s}];", geometries[g].geometry, forms[f].type, clamps[c], forms[f].load, geometries[g].at);
                run(text, &s, 0);
                snprintf(text, sizeof text, "sust.b.%s.%s.%s [%%t, {%s}], %s;", geometries[g].geometry, forms[f].type, clamps[c], geometries[g].at, forms[f].store);
                run(text, &s, 1);
            }
        drop(s);
    }
}

static void formatted(void)
{
    static const struct { unsigned format, channels; size_t element; } all[] = {
        { 1, 1, 1 }, { 1, 4, 4 }, { 8, 4, 4 }, { 2, 2, 4 }, { 9, 4, 8 }, { 3, 1, 4 }, { 10, 2, 8 }, { 3, 4, 16 }, { 0x10, 1, 2 }, { 0x10, 4, 8 }, { 0x20, 1, 4 }, { 0x20, 4, 16 },
        { 0xc2, 4, 4 }, { 0xc4, 2, 4 }, { 0xc8, 4, 4 }, { 0xcb, 4, 8 },
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        struct surface s = make(10, 4, 0, all[n].format, all[n].channels, 0, all[n].element);
        char text[256];
        printf("format %02x %u\n", all[n].format, all[n].channels);
        for (int t = 0; t < 2; t++) {
            prepare(&s, all[n].element, 0);
            for (int i = 0; i < PLACES; i++) {
                places[i][0] = (uint32_t)((int)places[i][0] / (int)all[n].element);
                /* Numbers of sizes that make a difference. */
                if (t == 0)
                    for (int k = 8; k < 12; k++) {
                        float x = (float)(int)next() / (float)(1u << (next() % 32));
                        if (next() % 2) x = (float)(int)next() / 1.5e9f;
                        memcpy(&places[i][k], &x, 4);
                    }
                else if (i % 2) for (int k = 8; k < 12; k++) places[i][k] = (uint32_t)((int32_t)next() >> (next() % 32));
            }
            snprintf(text, sizeof text, "sust.p.2d.v4.b32.%s [%%t, {%%r0,%%r1}], {%%r8,%%r9,%%r10,%%r11};", t ? "zero" : "clamp");
            run(text, &s, 1);
        }
        drop(s);
    }
    struct surface s = make(10, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0, 4);
    prepare(&s, 4, 1);
    for (int i = 0; i < PLACES; i++) places[i][0] /= 4;
    run("sust.p.2d.b32.trap [%t, {%r0,%r1}], {%r8};", &s, 1);
    run("sust.p.2d.v2.b32.trap [%t, {%r0,%r1}], {%r8,%r9};", &s, 1);
    drop(s);
}

static void reductions(void)
{
    static const char *forms[] = {
        "sured.b.add.2d.u32.clamp [%t, {%r0,%r1}], %r8;", "sured.b.add.2d.s32.zero [%t, {%r0,%r1}], %r8;", "sured.b.min.2d.s32.zero [%t, {%r0,%r1}], %r8;", "sured.b.max.2d.u32.zero [%t, {%r0,%r1}], %r8;",
        "sured.b.and.2d.b32.zero [%t, {%r0,%r1}], %r8;", "sured.b.or.2d.b32.clamp [%t, {%r0,%r1}], %r8;", "sured.b.add.2d.u64.clamp [%t, {%r0,%r1}], %w0;", "sured.b.min.2d.u64.zero [%t, {%r0,%r1}], %w0;", "sured.b.max.2d.s64.zero [%t, {%r0,%r1}], %w0;", "sured.b.min.2d.s64.zero [%t, {%r0,%r1}], %w0;",
    };
    struct surface s = make(16, 5, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0, 4);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        int wide = strstr(forms[f], "64") != NULL;
        prepare(&s, wide ? 8 : 4, 0);
        run(forms[f], &s, 1);
    }
    prepare(&s, 4, 0);
    for (int i = 0; i < PLACES; i++) places[i][0] = (uint32_t)((int)places[i][0] / 4);
    run("sured.p.add.2d.b32.clamp [%t, {%r0,%r1}], %r8;", &s, 1);
    run("sured.p.min.2d.b32.zero [%t, {%r0,%r1}], %r8;", &s, 1);
    run("sured.p.or.2d.b32.zero [%t, {%r0,%r1}], %r8;", &s, 1);
    drop(s);
}

/* What happens outside with .trap, and at a place that is no multiple of the size: in processes of their own. */
static void traps(void)
{
    static const struct { const char *text; uint32_t x, y; } all[] = {
        { "suld.b.2d.b32.trap {%d0}, [%t, {%r0,%r1}];", 64, 0 }, { "sust.b.2d.b32.trap [%t, {%r0,%r1}], {%r8};", 0, 9 }, { "suld.b.2d.b32.zero {%d0}, [%t, {%r0,%r1}];", 2, 0 }, { "suld.b.2d.b32.trap {%d0}, [%t, {%r0,%r1}];", 2, 0 }, { "suld.b.2d.b32.clamp {%d0}, [0, {%r0,%r1}];", 0, 0 },
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            CUdevice device;
            CUcontext context;
            CUfunction f;
            uint32_t one = 1;
            ok(cuInit(0), "init");
            ok(cuDeviceGet(&device, 0), "device");
            ok(cuDevicePrimaryCtxRetain(&context, device), "context");
            ok(cuCtxSetCurrent(context), "current");
            ok(cuMemAlloc(&in, sizeof places), "memory");
            struct surface s = make(16, 5, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0, 4);
            CUsurfObject object = s.s;
            if (n == 4) object = 0;
            void *args[] = { &in, &in, &object, &one };
            places[0][0] = all[n].x, places[0][1] = all[n].y;
            CUmodule m = compile(n == 4 ? all[0].text : all[n].text);
            if (!m) _exit(0);
            ok(cuModuleGetFunction(&f, m, "k"), "function");
            ok(cuMemcpyHtoD(in, places, sizeof places), "copy");
            ok(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL), "launch");
            printf("%s at %u, %u%s: %s\n", all[n].text, all[n].x, all[n].y, n == 4 ? " without a surface" : "", name(cuCtxSynchronize()));
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
    }
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    (void)argv;
    full = argc > 1;
    traps();
    ok(cuInit(0), "init");
    ok(cuDeviceGet(&device, 0), "device");
    ok(cuDevicePrimaryCtxRetain(&context, device), "context");
    ok(cuCtxSetCurrent(context), "current");
    ok(cuMemAlloc(&in, sizeof places), "memory");
    ok(cuMemAlloc(&out, sizeof results), "memory");
    bytes();
    formatted();
    reductions();
    cuMemFree(in);
    cuMemFree(out);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
