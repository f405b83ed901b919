/* Texture and surface objects and texture references: what is taken, what is told of them afterwards. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static CUarray make(size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR desc;
    CUarray a = NULL;
    memset(&desc, 0, sizeof desc);
    desc.Width = w, desc.Height = h, desc.Depth = d, desc.Format = (CUarray_format)format, desc.NumChannels = channels, desc.Flags = flags;
    CUresult r = cuArray3DCreate(&a, &desc);
    if (r) printf("array: %s\n", name(r));
    return a;
}

static CUDA_RESOURCE_DESC of_array(CUarray a)
{
    CUDA_RESOURCE_DESC r;
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = a;
    return r;
}

static CUDA_TEXTURE_DESC sampling(void)
{
    CUDA_TEXTURE_DESC d;
    memset(&d, 0, sizeof d);
    for (int i = 0; i < 3; i++) d.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    return d;
}

static CUresult try(const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d, const CUDA_RESOURCE_VIEW_DESC *v)
{
    CUtexObject t;
    CUresult e = cuTexObjectCreate(&t, r, d, v);
    if (!e) cuTexObjectDestroy(t);
    return e;
}

static void arrays(void)
{
    CUarray plane = make(64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0), cube = make(64, 64, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP), srgb = make(64, 64, 0, CU_AD_FORMAT_BC1_UNORM_SRGB, 4, 0);
    CUarray all[] = { plane, cube, srgb };
    for (int i = 0; i < 3; i++) {
        CUDA_RESOURCE_DESC r = of_array(all[i]);
        CUDA_TEXTURE_DESC d = sampling();
        printf("array %d, flags:", i);
        for (unsigned f = 1; f <= 0x100; f <<= 1) d.flags = f, printf(" %s", name(try(&r, &d, NULL)));
        d = sampling(), d.flags = CU_TRSF_SRGB;
        d.addressMode[1] = (CUaddress_mode)4, printf("; mode 4 in y: %s", name(try(&r, &d, NULL)));
        d = sampling(), d.flags = CU_TRSF_SRGB, d.addressMode[2] = (CUaddress_mode)4, printf(", in z: %s", name(try(&r, &d, NULL)));
        d = sampling(), d.flags = CU_TRSF_SRGB, d.filterMode = (CUfilter_mode)2, printf(", filter 2: %s", name(try(&r, &d, NULL)));
        d = sampling(), d.flags = CU_TRSF_SRGB, d.reserved[3] = 1, printf(", reserved: %s", name(try(&r, &d, NULL)));
        d = sampling(), d.flags = CU_TRSF_SRGB, r.flags = 1, printf(", resource flags: %s\n", name(try(&r, &d, NULL)));
    }
    CUDA_RESOURCE_DESC r = of_array(NULL);
    CUDA_TEXTURE_DESC d = sampling();
    printf("no array: %s", name(try(&r, &d, NULL)));
    r.resType = (CUresourcetype)9;
    printf(", unknown type: %s", name(try(&r, &d, NULL)));
    printf(", no resource: %s\n", name(try(NULL, &d, NULL)));
    for (int i = 0; i < 3; i++) cuArrayDestroy(all[i]);
}

static void memory(void)
{
    CUdeviceptr p;
    CUDA_TEXTURE_DESC d = sampling();
    CUDA_RESOURCE_DESC r, q;
    CUtexObject t;
    if (cuMemAlloc(&p, 16384)) { puts("not made"); return; }
    static const struct { long off; unsigned format, channels; size_t bytes; } line[] = { { 0, 0x20, 1, 4096 }, { 0, 0x20, 3, 4096 }, { 0, 0xc2, 4, 4096 }, { 16, 0x20, 1, 64 }, { 512, 0x20, 1, 64 }, { 0, 0x10, 2, 3 }, { 0, 1, 1, (size_t)1 << 40 } };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        memset(&r, 0, sizeof r);
        r.resType = CU_RESOURCE_TYPE_LINEAR, r.res.linear.devPtr = p + line[i].off, r.res.linear.format = (CUarray_format)line[i].format, r.res.linear.numChannels = line[i].channels, r.res.linear.sizeInBytes = line[i].bytes;
        printf("line at %ld", line[i].off);
        printf(" of %#x", line[i].format);
        printf("/%u", line[i].channels);
        printf(": %s\n", name(try(&r, &d, NULL)));
    }
    static const struct { long off; size_t w, h, pitch; } pitched[] = { { 0, 16, 16, 512 }, { 0, 16, 16, 100 }, { 0, 32, 16, 64 }, { 256, 16, 8, 512 }, { 0, 16, 16, 0 }, { 0, 131073, 1, 1 << 20 }, { 0, 16, 65001, 64 }, { 0, 16, 0, 512 } };
    for (size_t i = 0; i < sizeof pitched / sizeof *pitched; i++) {
        memset(&r, 0, sizeof r);
        r.resType = CU_RESOURCE_TYPE_PITCH2D, r.res.pitch2D.devPtr = p + pitched[i].off, r.res.pitch2D.format = CU_AD_FORMAT_FLOAT, r.res.pitch2D.numChannels = 1, r.res.pitch2D.width = pitched[i].w, r.res.pitch2D.height = pitched[i].h, r.res.pitch2D.pitchInBytes = pitched[i].pitch;
        CUresult e = cuTexObjectCreate(&t, &r, &d, NULL);
        printf("%zux%zu at %ld, pitch %zu: %s", pitched[i].w, pitched[i].h, pitched[i].off, pitched[i].pitch, name(e));
        if (!e && !cuTexObjectGetResourceDesc(&q, t)) printf(", type %d", (int)q.resType), cuTexObjectDestroy(t);
        putchar('\n');
    }
    cuMemFree(p);
}

static void views(void)
{
    static const struct { unsigned format; size_t w, h; unsigned first, last, layer; } t[] = { { 0x0e, 64, 64, 0, 0, 0 }, { 0x17, 64, 64, 0, 0, 0 }, { 0x0d, 64, 64, 0, 0, 0 }, { 0x19, 256, 256, 0, 0, 0 }, { 0x1a, 256, 256, 0, 0, 0 }, { 0x0e, 32, 64, 0, 0, 0 }, { 0x0e, 64, 64, 0, 9, 0 }, { 0x0e, 64, 64, 2, 1, 0 }, { 0x0e, 64, 64, 0, 0, 1 }, { 0, 64, 64, 0, 0, 0 }, { 0x23, 64, 64, 0, 0, 0 } };
    CUarray a = make(64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT32, 2, 0);
    CUDA_RESOURCE_DESC r = of_array(a);
    CUDA_TEXTURE_DESC d = sampling(), e;
    CUDA_RESOURCE_VIEW_DESC v, w;
    CUtexObject o, none;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        memset(&v, 0, sizeof v);
        v.format = (CUresourceViewFormat)t[i].format, v.width = t[i].w, v.height = t[i].h, v.firstMipmapLevel = t[i].first, v.lastMipmapLevel = t[i].last, v.lastLayer = t[i].layer;
        printf("view %#x", t[i].format);
        printf(" %zu", t[i].w);
        printf("x%zu", t[i].h);
        printf(" levels %u", t[i].first);
        printf("-%u", t[i].last);
        printf(" layers 0-%u", t[i].layer);
        printf(": %s\n", name(try(&r, &d, &v)));
    }
    memset(&v, 0, sizeof v);
    v.format = CU_RES_VIEW_FORMAT_FLOAT_2X32, v.width = v.height = 64;
    d.maxAnisotropy = 7, d.borderColor[2] = 0.5f;
    if (cuTexObjectCreate(&o, &r, &d, &v) || cuTexObjectCreate(&none, &r, &d, NULL)) { puts("not made"); return; }
    memset(&w, 0x5a, sizeof w), memset(&e, 0x5a, sizeof e);
    printf("told: %s", name(cuTexObjectGetResourceViewDesc(&w, o)));
    printf(" %s", memcmp(&v, &w, sizeof v) ? "another view" : "the view");
    printf(", %s", name(cuTexObjectGetTextureDesc(&e, o)));
    printf(" anisotropy %u", e.maxAnisotropy);
    printf(", border %s\n", ((unsigned char *)e.borderColor)[9] == 0x5a ? "left alone" : "written");
    memset(&w, 0x5a, sizeof w);
    printf("without view: %s", name(cuTexObjectGetResourceViewDesc(&w, none)));
    printf(" %s\n", (unsigned)w.format == 0x5a5a5a5a ? "left alone" : "written");
    printf("two objects: %s", o == none ? "the same" : "different");
    printf(", destroyed: %s", name(cuTexObjectDestroy(o)));
    printf(" %s", name(cuTexObjectDestroy(none)));
    printf(", again: %s", name(cuTexObjectDestroy(o)));
    printf(", told of 0: %s\n", name(cuTexObjectGetResourceDesc(&r, 0)));
    cuArrayDestroy(a);
}

static void surfaces(void)
{
    CUarray a = make(16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_RESOURCE_DESC r = of_array(a), q;
    CUsurfObject s;
    printf("surface: %s", name(cuSurfObjectCreate(&s, &r)));
    printf(", told: %s", name(cuSurfObjectGetResourceDesc(&q, s)));
    printf(" %s", q.res.array.hArray == a ? "the array" : "another");
    printf(", destroyed: %s", name(cuSurfObjectDestroy(s)));
    printf(", told of 0: %s\n", name(cuSurfObjectGetResourceDesc(&q, 0)));
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    printf("on memory: %s", name(cuSurfObjectCreate(&s, &r)));
    printf(", no resource: %s\n", name(cuSurfObjectCreate(&s, NULL)));
    cuArrayDestroy(a);
}

static void references(void)
{
    CUtexref t;
    CUarray a = make(16, 16, 0, CU_AD_FORMAT_UNSIGNED_INT16, 2, 0), b = NULL;
    CUdeviceptr p, q = 1;
    CUaddress_mode mode;
    CUarray_format format;
    unsigned flags;
    int channels;
    size_t off = 1;
    if (cuTexRefCreate(&t) || cuMemAlloc(&p, 4096) || cuTexRefGetAddressMode(&mode, t, 0) || cuTexRefGetFlags(&flags, t) || cuTexRefGetFormat(&format, &channels, t)) { puts("not made"); return; }
    printf("reference: mode %d flags %u format %#x/%d", (int)mode, flags, (unsigned)format, channels);
    printf(", no address: %s", name(cuTexRefGetAddress(&q, t)));
    printf(" %llu", (unsigned long long)q);
    printf(", no array: %s\n", name(cuTexRefGetArray(&b, t)));
    printf("bound: %s", name(cuTexRefSetAddress(&off, t, p + 16, 64)));
    printf(" %zu", off);
    printf(", told: %s", name(cuTexRefGetAddress(&q, t)));
    printf(" %s", q == p ? "the beginning" : "another address");
    printf(", array: %s", name(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT)));
    printf(", told: %s", name(cuTexRefGetArray(&b, t)));
    if (cuTexRefGetFormat(&format, &channels, t)) return;
    printf(" %s %#x/%d\n", a == b ? "the array" : "another", (unsigned)format, channels);
    printf("three components: %s", name(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 3)));
    printf(", unknown flag: %s", name(cuTexRefSetFlags(t, 0x80)));
    printf(", flags of binding: %s", name(cuTexRefSetArray(t, a, 2)));
    printf(", no array: %s", name(cuTexRefSetArray(t, NULL, 1)));
    printf(", destroyed: %s\n", name(cuTexRefDestroy(t)));
    cuMemFree(p), cuArrayDestroy(a);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    arrays();
    memory();
    views();
    surfaces();
    references();
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
