/* Texture instructions: many textures are read at many places, and a sum over the bits of the results is printed.
 * With an argument the places and the results themselves are printed. */
#include <cuda.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256, WORDS = 16 };

static int full;

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static void ok(CUresult r, const char *what)
{
    if (!r) return;
    printf("%s: %s\n", what, name(r));
    exit(1);
}

static uint64_t state;
static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) ^ (uint32_t)(state >> 13 & 1) << 31;
}
static double unit(void) { return next() / 4294967296.0; }

static char ptx[1 << 18];
static size_t length;
static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(ptx + length, sizeof ptx - length, format, list);
    va_end(list);
}

/* Kernels: arguments are 16 words, loaded as %f0.. and %r0..; results are %d0 to %d3. */
static const struct kernel {
    const char *key, *text;
} kernels[] = {
    { "1d", "tex.1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0}];" },
    { "1d.i", "tex.1d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r0}];" },
    { "1d.u", "tex.1d.v4.u32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r0}];" },
    { "2d", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.u", "tex.2d.v4.u32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.s", "tex.2d.v4.s32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.h", "tex.2d.v2.f16x2.f32 {%d0,%d1}, [%t, {%f0,%f1}];" },
    { "2d.i", "tex.2d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r0,%r1}];" },
    { "3d", "tex.3d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}];" },
    { "3d.i", "tex.3d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r0,%r1,%r2,%r2}];" },
    { "a1d", "tex.a1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0}];" },
    { "a1d.i", "tex.a1d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%r0}];" },
    { "a2d", "tex.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f1}];" },
    { "a2d.i", "tex.a2d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%r0,%r1,%r1}];" },
    { "cube", "tex.cube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}];" },
    { "acube", "tex.acube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f2}];" },
    { "1d.level", "tex.level.1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0}], %f5;" },
    { "2d.level", "tex.level.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], %f5;" },
    { "2d.level.i", "tex.level.2d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%r0,%r1}], %r5;" },
    { "3d.level", "tex.level.3d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}], %f5;" },
    { "a2d.level", "tex.level.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f1}], %f5;" },
    { "cube.level", "tex.level.cube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}], %f5;" },
    { "2d.base", "tex.base.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "1d.grad", "tex.grad.1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0}], {%f6}, {%f9};" },
    { "2d.grad", "tex.grad.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], {%f6,%f7}, {%f9,%f10};" },
    { "3d.grad", "tex.grad.3d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}], {%f6,%f7,%f8,%f8}, {%f9,%f10,%f11,%f11};" },
    { "a2d.grad", "tex.grad.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f1}], {%f6,%f7}, {%f9,%f10};" },
    { "1d.off", "tex.1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0}], {-3};" },
    { "2d.off", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], {5, -8};" },
    { "2d.off.r", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], {%r12, %r13};" },
    { "3d.off", "tex.3d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}], {7, -2, 1, 0};" },
    { "a2d.off", "tex.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f1}], {-1, 2};" },
    { "2d.level.off", "tex.level.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], %f5, {-1, 2};" },
    { "2d.gather.r", "tld4.r.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.gather.g", "tld4.g.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.gather.b", "tld4.b.2d.v4.u32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.gather.a", "tld4.a.2d.v4.s32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}];" },
    { "2d.gather.off", "tld4.r.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], {2, -3};" },
    { "a2d.gather", "tld4.g.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f1}];" },
    { "cube.gather", "tld4.r.cube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1,%f2,%f2}];" },
    { "2d.compared", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], %f5;" },
    { "2d.off.compared", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], {1, -2}, %f5;" },
    { "acube.compared", "tex.acube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%r4,%f0,%f1,%f2}], %f5;" },
    { "2d.level.compared", "tex.level.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], %f5, {0, 0}, %f2;" },
    { "2d.gather.compared", "tld4.r.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%f0,%f1}], {%r12, %r13}, %f5;" },
    { "2d.resident", "{ .reg .pred %q; tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}|%q, [%t, {%f0,%f1}]; selp.b32 %d3, 1, 0, %q; }" },
    { "2d.samples", "{ .reg .b32 %s; and.b32 %s, %r12, 1; tex.2dms.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%s,%r0,%r1,%r1}]; }" },
    { "2d.sampler", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, %t, {%f0,%f1}];" },
    { "q.width", "txq.width.b32 %d0, [%t];" },
    { "q.height", "txq.height.b32 %d0, [%t];" },
    { "q.depth", "txq.depth.b32 %d0, [%t];" },
    { "q.level.width", "txq.level.width.b32 %d0, [%t], 1;" },
    { "q.level.height", "txq.level.height.b32 %d0, [%t], 2;" },
    { "q.level.depth", "txq.level.depth.b32 %d0, [%t], %r12;" },
    { "s.width", "suq.width.b32 %d0, [%t];" },
    { "s.height", "suq.height.b32 %d0, [%t];" },
    { "s.depth", "suq.depth.b32 %d0, [%t];" },
    { "query.istype", "{ .reg .pred %q<3>; istypep.texref %q0, %t; istypep.samplerref %q1, %t; istypep.surfref %q2, %t; selp.b32 %d0, 1, 0, %q0; selp.b32 %d1, 1, 0, %q1; selp.b32 %d2, 1, 0, %q2; mov.b32 %d3, 0; }" },
};
enum { KERNELS = sizeof kernels / sizeof *kernels };
static CUmodule modules[KERNELS];

static void load(void)
{
    for (int k = 0; k < KERNELS; k++) {
        length = 0;
        put(".version 8.7\n.target sm_90%s\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 tex) {\n"
            ".reg .b32 %%i, %%r<16>, %%d<4>; .reg .f32 %%f<16>; .reg .b64 %%l<4>, %%t;\n"
            "ld.param.u64 %%l0, [in]; ld.param.u64 %%l1, [out]; ld.param.u64 %%t, [tex]; mov.u32 %%i, %%tid.x;\n"
            "mul.wide.u32 %%l2, %%i, 64; add.u64 %%l0, %%l0, %%l2; mul.wide.u32 %%l2, %%i, 16; add.u64 %%l1, %%l1, %%l2; mov.u64 %%l3, 0;\n", strstr(kernels[k].key, "sampler") ? ", texmode_independent" : "");
        for (int i = 0; i < WORDS; i++) put("ld.global.b32 %%r%d, [%%l0+%d]; ld.global.f32 %%f%d, [%%l0+%d];\n", i, i * 4, i, i * 4);
        put("mov.b32 %%d0, 0; mov.b32 %%d1, 0; mov.b32 %%d2, 0; mov.b32 %%d3, 0;\n%s\nst.global.v4.b32 [%%l1], {%%d0,%%d1,%%d2,%%d3}; ret; }\n", kernels[k].text);
        static char log[4096];
        CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
        void *values[] = { log, (void *)(uintptr_t)sizeof log };
        CUresult r = cuModuleLoadDataEx(&modules[k], ptx, 2, options, values);
        if (r) {
            printf("kernel %s: %s\n", kernels[k].key, name(r));
            fprintf(stderr, "%s\n%s\n", kernels[k].key, log);
            modules[k] = NULL;
        }
    }
}

static CUdeviceptr in, out;
static uint32_t places[PLACES][WORDS], results[PLACES][4];

static uint32_t bits(double x)
{
    float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static void set(int i, int k, double x) { places[i][k] = bits(x); }

/* Places in and around a texture of an extent (1 for normalised coordinates), and levels and so on. */
static void prepare(double w, double h, double d, int layers, double levels)
{
    double extent[] = { w, h, d };
    state = 4711;
    for (int i = 0; i < PLACES; i++) {
        for (int k = 0; k < 3; k++) {
            double x = (unit() * 4 - 1.5) * extent[k];
            /* Some hit centres, edges and what lies next to them. */
            if (i % 4 == 1) x = floor(x * 2 + 0.5) / 2;
            if (i % 4 == 2) x = floor(x * 512 + 0.5) / 512;
            if (i % 16 == 3) x = nextafterf((float)(floor(x * 2) / 2), 1e9f);
            if (i % 16 == 7) x = nextafterf((float)(floor(x * 2) / 2), -1e9f);
            set(i, k, x);
        }
        places[i][4] = next() % (unsigned)(layers + 3) - 1;
        set(i, 5, unit() * (levels + 3) - 1.5);
        if (i % 3 == 0) set(i, 5, floor(unit() * (levels + 3) - 1.5));
        for (int k = 6; k < 12; k++) set(i, k, (unit() * 2 - 1) * pow(2, unit() * (levels + 2)) * extent[k % 3] / (extent[k % 3] > 1 ? extent[k % 3] : 8));
        for (int k = 12; k < 16; k++) places[i][k] = next() % 16 - 8;
    }
}

static void whole(int w, int h, int d)
{
    int extent[] = { w, h, d };
    for (int i = 0; i < PLACES; i++) {
        for (int k = 0; k < 3; k++) places[i][k] = (uint32_t)((int)(next() % (unsigned)(4 * extent[k])) - extent[k]);
        places[i][5] = next() % 8 - 2;
    }
}

static void sample(const char *title, const char *key, CUtexObject t)
{
    CUfunction f;
    void *args[] = { &in, &out, &t };
    uint64_t sum = 0xcbf29ce484222325u;
    int k = 0;
    while (k < KERNELS && strcmp(kernels[k].key, key)) k++;
    if (k == KERNELS) { printf("no kernel %s\n", key); exit(1); }
    if (!modules[k] || !t) return;
    CUresult e = cuModuleGetFunction(&f, modules[k], "k");
    if (e) { printf("%s %s: %s\n", title, key, name(e)); return; }
    ok(cuMemcpyHtoD(in, places, sizeof places), "copy");
    ok(cuLaunchKernel(f, 1, 1, 1, PLACES, 1, 1, 0, 0, args, NULL), key);
    ok(cuMemcpyDtoH(results, out, sizeof results), title);
    if (full) printf("%s %s\n", title, key);
    for (int i = 0; i < PLACES; i++) {
        if (full) {
            printf("%d:", i);
            for (int j = 0; j < 6; j++) printf(" %x", places[i][j]);
            if (strstr(key, "grad")) for (int j = 6; j < 12; j++) printf(" %x", places[i][j]);
            if (strstr(key, "off.r")) for (int j = 12; j < 14; j++) printf(" %d", (int)places[i][j]);
            printf(" ->");
        }
        for (int c = 0; c < 4; c++) {
            for (int b = 0; b < 32; b += 8) sum = (sum ^ (results[i][c] >> b & 255)) * 0x100000001b3u;
            if (full) printf(" %x", results[i][c]);
        }
        if (full) printf("\n");
    }
    if (!full) printf("%s %s: %016llx\n", title, key, (unsigned long long)sum);
}

static size_t element(unsigned format, unsigned channels)
{
    static const uint8_t packed[] = { 1, 2, 4, 2, 4, 8 };
    switch (format) {
    case 0x01: case 0x08: return channels;
    case 0x02: case 0x09: case 0x10: return 2 * channels;
    case 0x50: return 4;
    }
    if (format >= 0xc0) return packed[(format - 0xc0) % 6];
    return 4 * channels;
}

/* Contents for elements of a format. */
static void contents(uint8_t *p, size_t bytes, unsigned format, unsigned seed)
{
    state = seed;
    if (format == 0x20) {
        for (size_t i = 0; i < bytes / 4; i++) {
            /* Few bits, so that sums are exact whatever the order. */
            uint32_t v = bits((int)(next() % 512) / 64.0 - 4);
            memcpy(p + i * 4, &v, 4);
        }
    } else if (format == 0x10) {
        for (size_t i = 0; i < bytes / 2; i++) {
            _Float16 x = (_Float16)((int)(next() % 512) / 64.0 - 4);
            uint16_t v;
            memcpy(&v, &x, 2);
            memcpy(p + i * 2, &v, 2);
        }
    } else
        for (size_t i = 0; i < bytes; i++) p[i] = (uint8_t)next();
}

static uint8_t data[1 << 20];

static void upload(CUarray a, size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned seed)
{
    CUDA_MEMCPY3D c;
    size_t row = w * element(format, channels);
    memset(&c, 0, sizeof c);
    if (!h) h = 1;
    if (!d) d = 1;
    contents(data, row * h * d, format, seed);
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = data, c.srcPitch = row, c.srcHeight = h;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a;
    c.WidthInBytes = row, c.Height = h, c.Depth = d;
    ok(cuMemcpy3D(&c), "upload");
}

static CUDA_ARRAY3D_DESCRIPTOR shape(size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR desc;
    memset(&desc, 0, sizeof desc);
    desc.Width = w, desc.Height = h, desc.Depth = d, desc.Format = (CUarray_format)format, desc.NumChannels = channels, desc.Flags = flags;
    return desc;
}

static CUarray make(size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = shape(w, h, d, format, channels, flags);
    CUarray a = NULL;
    CUresult e = cuArray3DCreate(&a, &desc);
    if (e) printf("array: %s\n", name(e));
    else upload(a, w, h, d, format, channels, format * 16 + channels);
    return a;
}

static CUDA_TEXTURE_DESC how(int mode, int filter, unsigned flags)
{
    CUDA_TEXTURE_DESC d;
    memset(&d, 0, sizeof d);
    for (int i = 0; i < 3; i++) d.addressMode[i] = (CUaddress_mode)mode;
    d.filterMode = (CUfilter_mode)filter, d.flags = flags;
    d.borderColor[0] = 0.25f, d.borderColor[1] = -1.5f, d.borderColor[2] = 3, d.borderColor[3] = 0.7f;
    return d;
}

static CUtexObject texture(const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d, const CUDA_RESOURCE_VIEW_DESC *v)
{
    CUtexObject t = 0;
    CUresult e = cuTexObjectCreate(&t, r, d, v);
    if (e) printf("texture: %s\n", name(e));
    return e ? 0 : t;
}

static CUtexObject of_array(CUarray a, CUDA_TEXTURE_DESC d)
{
    CUDA_RESOURCE_DESC r;
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = a;
    return texture(&r, &d, NULL);
}

static void formats(void)
{
    static const struct { unsigned format; int channels; } all[] = {
        { 1, 1 }, { 1, 2 }, { 1, 4 }, { 8, 1 }, { 8, 2 }, { 8, 4 }, { 2, 1 }, { 2, 2 }, { 2, 4 }, { 9, 1 }, { 9, 2 }, { 9, 4 },
        { 3, 1 }, { 3, 2 }, { 3, 4 }, { 10, 1 }, { 10, 2 }, { 10, 4 }, { 0x10, 1 }, { 0x10, 2 }, { 0x10, 4 }, { 0x20, 1 }, { 0x20, 2 }, { 0x20, 4 },
        { 0xc0, 1 }, { 0xc1, 2 }, { 0xc2, 4 }, { 0xc3, 1 }, { 0xc4, 2 }, { 0xc5, 4 }, { 0xc6, 1 }, { 0xc7, 2 }, { 0xc8, 4 }, { 0xc9, 1 }, { 0xca, 2 }, { 0xcb, 4 }, { 0x50, 4 },
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        char title[64];
        CUarray a = make(16, 8, 0, all[n].format, (unsigned)all[n].channels, 0);
        for (int flags = 0; flags < 4; flags++) {
            int integer = flags & 1, linear = flags >> 1;
            /* Some mixtures of eight bits with a sign end a step off. */
            if (linear && ((all[n].format == 8 && all[n].channels == 2) || all[n].format == 0xc7 || all[n].format == 0xc8)) continue;
            CUtexObject t = of_array(a, how(3, linear, integer ? CU_TRSF_READ_AS_INTEGER : 0));
            snprintf(title, sizeof title, "format %02x %d%s%s", all[n].format, all[n].channels, integer ? " integer" : "", linear ? " linear" : "");
            prepare(16, 8, 1, 1, 1);
            sample(title, "2d", t);
            sample(title, "2d.h", t);
            if (!linear || all[n].channels == 4) sample(title, "2d.u", t), sample(title, "2d.s", t);
            cuTexObjectDestroy(t);
        }
        if (all[n].format == 1 || all[n].format >= 0xc0) {
            for (int linear = 0; linear < (all[n].format < 0xc3 ? 2 : 1); linear++) {
                CUtexObject t = of_array(a, how(3, linear, CU_TRSF_SRGB));
                snprintf(title, sizeof title, "format %02x %d srgb%s", all[n].format, all[n].channels, linear ? " linear" : "");
                sample(title, "2d", t);
                cuTexObjectDestroy(t);
            }
        }
        cuArrayDestroy(a);
    }
}

static void addressing(void)
{
    char title[64];
    CUarray one = make(13, 0, 0, 0x20, 1, 0), two = make(16, 11, 0, 0x20, 1, 0), three = make(8, 5, 7, 0x20, 1, 0), bytes = make(9, 7, 0, 1, 4, 0);
    for (int mode = 0; mode < 4; mode++)
        for (int filter = 0; filter < 2; filter++)
            for (int normal = 0; normal < 2; normal++) {
                CUDA_TEXTURE_DESC d = how(mode, filter, normal ? CU_TRSF_NORMALIZED_COORDINATES : 0);
                CUtexObject t1 = of_array(one, d), t2 = of_array(two, d), t3 = of_array(three, d), t4 = of_array(bytes, d);
                snprintf(title, sizeof title, "mode %d filter %d normal %d", mode, filter, normal);
                prepare(normal ? 1 : 13, normal ? 1 : 5, 1, 1, 1);
                sample(title, "1d", t1);
                prepare(normal ? 1 : 16, normal ? 1 : 11, 1, 1, 1);
                sample(title, "2d", t2);
                sample(title, "2d", t4);
                sample(title, "2d.off", t2);
                sample(title, "2d.off.r", t2);
                prepare(normal ? 1 : 8, normal ? 1 : 5, normal ? 1 : 7, 1, 1);
                sample(title, "1d.off", t1);
                sample(title, "3d", t3), sample(title, "3d.off", t3);
                whole(13, 11, 7);
                sample(title, "1d.i", t1);
                sample(title, "2d.i", t2);
                sample(title, "3d.i", t3);
                cuTexObjectDestroy(t1), cuTexObjectDestroy(t2), cuTexObjectDestroy(t3), cuTexObjectDestroy(t4);
            }
    /* Numbers that are hardly places. */
    for (int mode = 0; mode < 4; mode++) {
        static const double odd[] = { 1e10, -1e10, INFINITY, -INFINITY, NAN, 1e-40, -1e-40, 65536.5, -70000.25, 3e38, 16777216, -0.0, 0.99999994, 1, -1e-7, 2147483648.0 };
        CUDA_TEXTURE_DESC d = how(mode, mode & 1, CU_TRSF_NORMALIZED_COORDINATES), e = how(mode, 1 - (mode & 1), 0);
        CUtexObject t = of_array(two, d), u = of_array(two, e);
        prepare(1, 1, 1, 1, 1);
        for (int i = 0; i < PLACES; i++) set(i, 0, odd[i % 16]), set(i, 1, odd[i / 16]);
        snprintf(title, sizeof title, "odd places, mode %d", mode);
        sample(title, "2d", t);
        sample(title, "2d", u);
        cuTexObjectDestroy(t), cuTexObjectDestroy(u);
    }
    cuArrayDestroy(one), cuArrayDestroy(two), cuArrayDestroy(three), cuArrayDestroy(bytes);
}

static void layers(void)
{
    char title[64];
    CUarray one = make(12, 0, 5, 0x20, 1, CUDA_ARRAY3D_LAYERED), two = make(12, 9, 5, 0x20, 2, CUDA_ARRAY3D_LAYERED), cube = make(8, 8, 6, 0x20, 1, CUDA_ARRAY3D_CUBEMAP), cubes = make(8, 8, 18, 0x20, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED);
    for (int filter = 0; filter < 2; filter++) {
        for (int normal = 0; normal < 2; normal++) {
            CUDA_TEXTURE_DESC d = how(1, filter, normal ? CU_TRSF_NORMALIZED_COORDINATES : 0);
            d.addressMode[0] = CU_TR_ADDRESS_MODE_BORDER;
            CUtexObject t1 = of_array(one, d), t2 = of_array(two, d);
            snprintf(title, sizeof title, "layers, filter %d normal %d", filter, normal);
            prepare(normal ? 1 : 12, normal ? 1 : 9, 1, 5, 1);
            sample(title, "a1d", t1);
            sample(title, "a2d", t2);
            sample(title, "a2d.off", t2);
            sample(title, "a2d.gather", t2);
            whole(12, 9, 1);
            sample(title, "a1d.i", t1);
            sample(title, "a2d.i", t2);
            cuTexObjectDestroy(t1), cuTexObjectDestroy(t2);
        }
        for (int flags = 0; flags < 4; flags++) {
            CUDA_TEXTURE_DESC d = how(flags & 2 ? 0 : 1, filter, CU_TRSF_NORMALIZED_COORDINATES | (flags & 1 ? CU_TRSF_SEAMLESS_CUBEMAP : 0));
            CUtexObject t = of_array(cube, d), u = of_array(cubes, d);
            snprintf(title, sizeof title, "cube, filter %d seamless %d mode %d", filter, flags & 1, flags & 2 ? 0 : 1);
            prepare(1, 1, 1, 3, 1);
            sample(title, "cube", t);
            sample(title, "acube", u);
            sample(title, "cube.gather", t);
            cuTexObjectDestroy(t), cuTexObjectDestroy(u);
        }
    }
    cuArrayDestroy(one), cuArrayDestroy(two), cuArrayDestroy(cube), cuArrayDestroy(cubes);
}

static CUmipmappedArray levels_of(size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned flags, unsigned count)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = shape(w, h, d, format, channels, flags);
    CUmipmappedArray m = NULL;
    ok(cuMipmappedArrayCreate(&m, &desc, count), "mipmapped");
    for (unsigned l = 0; l < count; l++) {
        CUarray a;
        int layered = (flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
        size_t lw = w >> l ? w >> l : 1, lh = !h ? 0 : h >> l ? h >> l : 1, ld = !d || layered ? d : d >> l ? d >> l : 1;
        ok(cuMipmappedArrayGetLevel(&a, m, l), "level");
        upload(a, lw, lh, ld, format, channels, 100 + l);
    }
    return m;
}

static void mipmaps(void)
{
    char title[96];
    CUmipmappedArray m1 = levels_of(64, 0, 0, 0x20, 1, 0, 5), m2 = levels_of(32, 16, 0, 0x20, 1, 0, 5), m3 = levels_of(16, 8, 8, 0x20, 1, 0, 4), ml = levels_of(16, 16, 4, 0x20, 1, CUDA_ARRAY3D_LAYERED, 4), mc = levels_of(16, 16, 6, 0x20, 1, CUDA_ARRAY3D_CUBEMAP, 4);
    struct { CUmipmappedArray m; int layers; const char *keys[6]; } all[] = {
        { m1, 1, { "1d", "1d.level", "1d.grad" } },
        { m2, 1, { "2d", "2d.level", "2d.base", "2d.level.off", "2d.gather.r" } },
        { m3, 1, { "3d", "3d.level" } },
        { ml, 4, { "a2d", "a2d.level" } },
        { mc, 6, { "cube", "cube.level" } },
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (int variant = 0; variant < 6; variant++) {
            /* Variant 5 mixes elements and levels, too. */
            if (variant == 3) continue;
            CUDA_RESOURCE_DESC r;
            CUDA_TEXTURE_DESC d = how(1, variant & 1, CU_TRSF_NORMALIZED_COORDINATES);
            memset(&r, 0, sizeof r);
            r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = all[n].m;
            d.mipmapFilterMode = variant & 2 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
            d.maxMipmapLevelClamp = variant < 4 ? 100 : 2.3f;
            d.minMipmapLevelClamp = variant < 4 ? 0 : 0.6f;
            d.mipmapLevelBias = variant < 4 ? 0 : -0.7f;
            CUtexObject t = texture(&r, &d, NULL);
            snprintf(title, sizeof title, "levels %zu, variant %d", n, variant);
            prepare(1, 1, 1, all[n].layers, 4);
            for (int k = 0; k < 6 && all[n].keys[k]; k++)
                /* Logarithms are approximations. */
                if (!strstr(all[n].keys[k], "grad") || (variant & 2) == 0) sample(title, all[n].keys[k], t);
            cuTexObjectDestroy(t);
        }
    /* A view of some levels, in another format. */
    CUDA_RESOURCE_DESC r;
    CUDA_RESOURCE_VIEW_DESC v;
    CUDA_TEXTURE_DESC d = how(1, 0, CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER);
    memset(&r, 0, sizeof r), memset(&v, 0, sizeof v);
    r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = ml;
    d.maxMipmapLevelClamp = 100;
    v.format = CU_RES_VIEW_FORMAT_UINT_2X16, v.width = v.height = 16, v.depth = 4, v.firstMipmapLevel = 1, v.lastMipmapLevel = 2, v.firstLayer = 1, v.lastLayer = 2;
    CUtexObject t = texture(&r, &d, &v);
    prepare(1, 1, 1, 4, 4);
    sample("view", "a2d.level", t);
    cuTexObjectDestroy(t);
    cuMipmappedArrayDestroy(m1), cuMipmappedArrayDestroy(m2), cuMipmappedArrayDestroy(m3), cuMipmappedArrayDestroy(ml), cuMipmappedArrayDestroy(mc);
}

static void memory(void)
{
    char title[64];
    CUdeviceptr p;
    contents(data, 4096, 0x20, 5);
    ok(cuMemAlloc(&p, 65536), "memory");
    ok(cuMemcpyHtoD(p, data, 4096), "copy");
    CUDA_RESOURCE_DESC r;
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear.devPtr = p, r.res.linear.format = CU_AD_FORMAT_FLOAT, r.res.linear.numChannels = 2, r.res.linear.sizeInBytes = 100;
    for (int mode = 0; mode < 4; mode++) {
        CUDA_TEXTURE_DESC d = how(mode, mode & 1, mode & 2 ? CU_TRSF_NORMALIZED_COORDINATES : 0);
        CUtexObject t = texture(&r, &d, NULL);
        snprintf(title, sizeof title, "linear memory, mode %d", mode);
        prepare(12, 1, 1, 1, 1);
        whole(12, 1, 1);
        sample(title, "1d.i", t);
        prepare(12, 1, 1, 1, 1);
        sample(title, "1d", t);
        cuTexObjectDestroy(t);
    }
    r.res.linear.format = CU_AD_FORMAT_SIGNED_INT8, r.res.linear.numChannels = 4;
    for (int integer = 0; integer < 2; integer++) {
        CUDA_TEXTURE_DESC d = how(0, 0, integer ? CU_TRSF_READ_AS_INTEGER : 0);
        CUtexObject t = texture(&r, &d, NULL);
        whole(12, 1, 1);
        snprintf(title, sizeof title, "linear memory of bytes, integer %d", integer);
        sample(title, "1d.i", t);
        sample(title, "1d.u", t);
        cuTexObjectDestroy(t);
    }
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D.devPtr = p, r.res.pitch2D.format = CU_AD_FORMAT_FLOAT, r.res.pitch2D.numChannels = 1, r.res.pitch2D.width = 14, r.res.pitch2D.height = 9, r.res.pitch2D.pitchInBytes = 96;
    for (int variant = 0; variant < 16; variant++) {
        CUDA_TEXTURE_DESC d = how(variant & 3, variant >> 2 & 1, variant & 8 ? CU_TRSF_NORMALIZED_COORDINATES : 0);
        CUtexObject t = texture(&r, &d, NULL);
        snprintf(title, sizeof title, "pitched memory, variant %d", variant);
        prepare(variant & 8 ? 1 : 14, variant & 8 ? 1 : 9, 1, 1, 1);
        sample(title, "2d", t);
        sample(title, "2d.gather.r", t);
        whole(14, 9, 1);
        sample(title, "2d.i", t);
        cuTexObjectDestroy(t);
    }
    cuMemFree(p);
}

static void gathers(void)
{
    char title[64];
    CUarray a = make(12, 9, 0, 0x20, 4, CUDA_ARRAY3D_TEXTURE_GATHER), b = make(12, 9, 0, 1, 4, CUDA_ARRAY3D_TEXTURE_GATHER);
    for (int mode = 0; mode < 4; mode++) {
        CUtexObject t = of_array(a, how(mode, mode & 1, CU_TRSF_NORMALIZED_COORDINATES)), u = of_array(b, how(mode, 0, CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER)), w = of_array(a, how(mode, 1, 0));
        snprintf(title, sizeof title, "gather, mode %d", mode);
        prepare(1, 1, 1, 1, 1);
        sample(title, "2d.gather.r", t), sample(title, "2d.gather.g", t), sample(title, "2d.gather.off", t);
        sample(title, "2d.gather.b", u), sample(title, "2d.gather.a", u);
        prepare(12, 9, 1, 1, 1);
        sample(title, "2d.gather.r", w);
        sample(title, "query.istype", t);
        cuTexObjectDestroy(t), cuTexObjectDestroy(u), cuTexObjectDestroy(w);
    }
    cuArrayDestroy(a), cuArrayDestroy(b);
}

/* References of modules, in the mode in which a reference is both texture and sampler, and in the other. */
static void references(void)
{
    static const struct { const char *title, *target, *globals, *text; } all[] = {
        { "reference", "sm_90", ".global .texref r;", "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [r, {%f0,%f1}];" },
        { "reference in a register", "sm_90", ".global .texref r;", "{ .reg .b64 %x; mov.u64 %x, r; tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%x, {%f0,%f1}]; }" },
        { "surface reference", "sm_90", ".global .texref r; .global .surfref u;", "suld.b.2d.v2.b32.zero {%d0,%d1}, [u, {%r12,%r13}];" },
    };
    CUarray a = make(12, 9, 0, 0x20, 2, CUDA_ARRAY3D_SURFACE_LDST);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        CUmodule m;
        CUtexref r = NULL;
        CUsurfref u = NULL;
        length = 0;
        put(".version 8.7\n.target %s\n.address_size 64\n%s\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 tex) {\n"
            ".reg .b32 %%i, %%r<16>, %%d<4>; .reg .f32 %%f<16>; .reg .b64 %%l<4>, %%t;\n"
            "ld.param.u64 %%l0, [in]; ld.param.u64 %%l1, [out]; mov.u32 %%i, %%tid.x;\n"
            "mul.wide.u32 %%l2, %%i, 64; add.u64 %%l0, %%l0, %%l2; mul.wide.u32 %%l2, %%i, 16; add.u64 %%l1, %%l1, %%l2;\n", all[n].target, all[n].globals);
        for (int i = 0; i < WORDS; i++) put("ld.global.b32 %%r%d, [%%l0+%d]; ld.global.f32 %%f%d, [%%l0+%d];\n", i, i * 4, i, i * 4);
        put("mov.b32 %%d2, 0; mov.b32 %%d3, 0;\n%s\nst.global.v4.b32 [%%l1], {%%d0,%%d1,%%d2,%%d3}; ret; }\n", all[n].text);
        static char log[4096];
        CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
        void *values[] = { log, (void *)(uintptr_t)sizeof log };
        CUresult e = cuModuleLoadDataEx(&m, ptx, 2, options, values);
        printf("%s: %s", all[n].title, name(e));
        if (e) { fprintf(stderr, "%s\n", log); printf("\n"); continue; }
        printf(", no such name: %s", name(cuModuleGetTexRef(&r, m, "nothing")));
        e = cuModuleGetTexRef(&r, m, "r");
        printf(", texture %s", name(e));
        if (!e) {
            int channels = -1;
            CUarray_format format = 0;
            unsigned flags = 99;
            CUresult f = cuTexRefGetFormat(&format, &channels, r);
            cuTexRefGetFlags(&flags, r);
            printf(" (%s, format %x, %d, flags %x), again %s", name(f), format, channels, flags, name(cuModuleGetTexRef(&r, m, "r")));
            printf(", array %s", name(cuTexRefSetArray(r, a, CU_TRSA_OVERRIDE_FORMAT)));
            cuTexRefSetAddressMode(r, 0, CU_TR_ADDRESS_MODE_MIRROR), cuTexRefSetAddressMode(r, 1, CU_TR_ADDRESS_MODE_CLAMP);
            cuTexRefSetFilterMode(r, CU_TR_FILTER_MODE_POINT), cuTexRefSetFlags(r, CU_TRSF_NORMALIZED_COORDINATES);
        }
        e = cuModuleGetSurfRef(&u, m, "u");
        printf(", surface %s", name(e));
        if (!e) {
            CUarray back = NULL;
            printf(", get %s", name(cuSurfRefGetArray(&back, u)));
            printf(", array %s", name(cuSurfRefSetArray(u, a, 0)));
            printf(", get %s", name(cuSurfRefGetArray(&back, u)));
        }
        printf("\n");
        for (int k = 0; k < KERNELS; k++)
            if (!strcmp(kernels[k].key, "2d")) {
                CUmodule old = modules[k];
                modules[k] = m;
                prepare(1, 1, 1, 1, 1);
                for (int i = 0; i < PLACES; i++) places[i][12] = (next() % 14 - 1) * 8, places[i][13] = next() % 11 - 1;
                sample(all[n].title, "2d", 1);
                modules[k] = old;
            }
        cuModuleUnload(m);
    }
    cuArrayDestroy(a);
}

static void queries(void)
{
    static const char *keys[] = { "q.width", "q.height", "q.depth", "q.level.width", "q.level.height", "q.level.depth", "s.width", "s.height", "s.depth" };
    static const struct { size_t w, h, d; unsigned flags; } shapes[] = { { 12, 0, 0, 0 }, { 12, 9, 0, 0 }, { 12, 9, 5, 0 }, { 12, 0, 5, CUDA_ARRAY3D_LAYERED },
        { 12, 9, 5, CUDA_ARRAY3D_LAYERED }, { 8, 8, 6, CUDA_ARRAY3D_CUBEMAP }, { 8, 8, 18, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED } };
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        CUmipmappedArray m = levels_of(shapes[n].w, shapes[n].h, shapes[n].d, 0x20, 1, shapes[n].flags | CUDA_ARRAY3D_SURFACE_LDST, 3);
        CUDA_RESOURCE_DESC r;
        CUDA_TEXTURE_DESC d = how(1, 0, CU_TRSF_NORMALIZED_COORDINATES);
        CUarray second;
        CUsurfObject surface;
        char title[64];
        memset(&r, 0, sizeof r);
        ok(cuMipmappedArrayGetLevel(&second, m, 1), "level");
        r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = second;
        ok(cuSurfObjectCreate(&surface, &r), "surface");
        memset(&r, 0, sizeof r);
        r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = m;
        CUtexObject t = texture(&r, &d, NULL);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            snprintf(title, sizeof title, "query %zu", n);
            sample(title, keys[k], *keys[k] == 's' ? surface : t);
        }
        cuTexObjectDestroy(t), cuSurfObjectDestroy(surface), cuMipmappedArrayDestroy(m);
    }
}

/* Operands that change nothing here: depths to compare with, samples, samplers. */
static void operands(void)
{
    CUarray a = make(12, 9, 0, 0x20, 2, CUDA_ARRAY3D_TEXTURE_GATHER), cubes = make(8, 8, 18, 0x20, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED);
    CUtexObject t = of_array(a, how(2, 1, CU_TRSF_NORMALIZED_COORDINATES)), u = of_array(cubes, how(1, 0, CU_TRSF_NORMALIZED_COORDINATES));
    prepare(1, 1, 1, 3, 1);
    sample("operands", "2d.compared", t), sample("operands", "2d.off.compared", t), sample("operands", "2d.level.compared", t);
    sample("operands", "2d.gather.compared", t), sample("operands", "2d.resident", t), sample("operands", "2d.sampler", t);
    sample("operands", "acube.compared", u);
    whole(12, 9, 1);
    sample("operands", "2d.samples", t);
    cuTexObjectDestroy(t), cuTexObjectDestroy(u);
    cuArrayDestroy(a), cuArrayDestroy(cubes);
}

/* BC1 to BC7: every kind of block, near, mixed and gathered; levels; views. */
static void blocks(void)
{
    static const unsigned channels[] = { 4, 4, 4, 4, 4, 4, 1, 1, 2, 2, 3, 3, 4, 4 };
    static const uint8_t modes[] = { 0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15 };
    char title[64];
    for (unsigned format = 0x91; format <= 0x9e; format++) {
        unsigned bytes = format == 0x91 || format == 0x92 || format == 0x97 || format == 0x98 ? 8 : 16, flags = format == 0x92 || format == 0x94 || format == 0x96 || format == 0x9e ? CU_TRSF_SRGB : 0;
        CUDA_ARRAY3D_DESCRIPTOR desc = shape(128, 64, 0, format, channels[format - 0x91], CUDA_ARRAY3D_TEXTURE_GATHER);
        CUmipmappedArray m = NULL;
        desc.Flags = 0;
        CUresult e = cuMipmappedArrayCreate(&m, &desc, 4);
        printf("format %02x: %s\n", format, name(e));
        if (e) continue;
        for (unsigned l = 0; l < 4; l++) {
            size_t w = 32u >> l, h = 16u >> l;
            CUDA_MEMCPY2D c;
            memset(&c, 0, sizeof c);
            state = format * 4 + l;
            for (size_t i = 0; i < w * h * bytes; i++) data[i] = (uint8_t)next();
            for (size_t i = 0; i < w * h; i++) {
                uint8_t *b = data + i * bytes, mode = modes[i % 14];
                if (format == 0x9b || format == 0x9c) *b = mode < 2 ? (*b & 0xfc) | mode : (*b & 0xe0) | mode;
                if (format > 0x9c) *b = (uint8_t)((*b & ~((2 << i % 8) - 1)) | 1 << i % 8);
            }
            ok(cuMipmappedArrayGetLevel(&c.dstArray, m, l), "level");
            c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = data, c.srcPitch = c.WidthInBytes = w * bytes, c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.Height = h;
            ok(cuMemcpy2D(&c), "copy");
        }
        CUDA_RESOURCE_DESC r;
        memset(&r, 0, sizeof r);
        r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = m;
        for (int linear = 0; linear < 2; linear++) {
            CUDA_TEXTURE_DESC d = how(1, linear, CU_TRSF_NORMALIZED_COORDINATES | flags);
            d.maxMipmapLevelClamp = 100;
            CUtexObject t = texture(&r, &d, NULL);
            snprintf(title, sizeof title, "format %02x%s", format, linear ? " linear" : "");
            prepare(1, 1, 1, 1, 4);
            sample(title, "2d", t), sample(title, "2d.level", t);
            if (!linear) sample(title, "2d.gather.g", t), sample(title, "2d.u", t);
            cuTexObjectDestroy(t);
        }
        cuMipmappedArrayDestroy(m);
    }
    for (int view = CU_RES_VIEW_FORMAT_UNSIGNED_BC1; view <= CU_RES_VIEW_FORMAT_UNSIGNED_BC7; view++) {
        CUarray a = make(16, 16, 0, 3, view == 0x19 || view == 0x1c || view == 0x1d ? 2 : 4, 0);
        CUDA_RESOURCE_DESC r;
        CUDA_RESOURCE_VIEW_DESC v;
        CUDA_TEXTURE_DESC d = how(3, 0, 0);
        memset(&r, 0, sizeof r), memset(&v, 0, sizeof v);
        r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = a;
        v.format = (CUresourceViewFormat)view, v.width = v.height = 64;
        CUtexObject t = texture(&r, &d, &v);
        snprintf(title, sizeof title, "view %02x", view);
        prepare(64, 64, 1, 1, 1);
        sample(title, "2d", t);
        cuTexObjectDestroy(t), cuArrayDestroy(a);
    }
}

/* Levels from gradients; to the next level, as some are off by a 256th. */
static void gradients(void)
{
    CUmipmappedArray m2 = levels_of(128, 64, 0, 0x20, 1, 0, 7), m3 = levels_of(32, 32, 32, 0x20, 1, 0, 6);
    for (int three = 0; three < 2; three++) {
        CUDA_RESOURCE_DESC r;
        CUDA_TEXTURE_DESC d = how(1, 0, CU_TRSF_NORMALIZED_COORDINATES);
        memset(&r, 0, sizeof r);
        r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = three ? m3 : m2;
        d.mipmapFilterMode = CU_TR_FILTER_MODE_POINT, d.maxMipmapLevelClamp = 100;
        CUtexObject t = texture(&r, &d, NULL);
        prepare(1, 1, 1, 1, 5);
        sample("gradients", three ? "3d.grad" : "2d.grad", t);
        cuTexObjectDestroy(t);
    }
    cuMipmappedArrayDestroy(m2), cuMipmappedArrayDestroy(m3);
}

static void srgb(void)
{
    CUarray a = make(256, 0, 0, 1, 4, 0);
    CUDA_MEMCPY2D c;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < 1024; i++) data[i] = (uint8_t)(i / 4);
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = data, c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a, c.WidthInBytes = 1024, c.Height = 1;
    ok(cuMemcpy2D(&c), "copy");
    CUtexObject t = of_array(a, how(1, 0, CU_TRSF_SRGB));
    for (int i = 0; i < PLACES; i++) set(i, 0, i + 0.5), set(i, 1, 0);
    sample("all sRGB values", "1d", t);
    cuTexObjectDestroy(t);
    cuArrayDestroy(a);
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    (void)argv;
    full = argc > 1;
    ok(cuInit(0), "init");
    ok(cuDeviceGet(&device, 0), "device");
    ok(cuDevicePrimaryCtxRetain(&context, device), "context");
    ok(cuCtxSetCurrent(context), "current");
    ok(cuMemAlloc(&in, sizeof places), "memory");
    ok(cuMemAlloc(&out, sizeof results), "memory");
    load();
    formats();
    addressing();
    layers();
    mipmaps();
    memory();
    gathers();
    srgb();
    references();
    queries();
    operands();
    blocks();
    gradients();
    for (int k = 0; k < KERNELS; k++) if (modules[k]) cuModuleUnload(modules[k]);
    cuMemFree(in);
    cuMemFree(out);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
