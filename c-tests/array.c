/* Arrays: which formats, extents and flags the device takes, what it tells of them, planes of video frames. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define FLAG_SPARSE CUDA_ARRAY3D_SPARSE
#define FLAG_DEFERRED CUDA_ARRAY3D_DEFERRED_MAPPING

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static CUresult make(CUarray *a, size_t w, size_t h, size_t d, unsigned format, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR desc;
    memset(&desc, 0, sizeof desc);
    desc.Width = w, desc.Height = h, desc.Depth = d;
    desc.Format = (CUarray_format)format, desc.NumChannels = channels, desc.Flags = flags;
    return cuArray3DCreate(a, &desc);
}

/* Which numbers of components go with a format, for two-dimensional arrays. */
static void formats(void)
{
    static const unsigned known[] = { 0x01, 0x02, 0x03, 0x08, 0x09, 0x0a, 0x10, 0x20, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc9, 0xcb, 0x50, 0x91, 0x92, 0x97, 0x99, 0x9b, 0x9e, 0xb0, 0x9f, 0xa2, 0xa5, 0xa7, 0xa9, 0xb1, 0xb2, 0xb5, 0x51, 0x5e, 0, 0x30, 0xffffffff };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        printf("format %#x:", known[i]);
        for (unsigned flags = 0; flags <= CUDA_ARRAY3D_VIDEO_ENCODE_DECODE; flags += CUDA_ARRAY3D_VIDEO_ENCODE_DECODE) {
            for (unsigned c = 0; c <= 5; c++) {
                CUarray a;
                CUresult r = make(&a, 96, 48, 0, known[i], c, flags);
                putchar(r ? '-' : '0' + (int)c);
                if (!r) cuArrayDestroy(a);
            }
            putchar(flags ? '\n' : ' ');
        }
    }
}

static void extents(void)
{
    static const struct { size_t w, h, d; unsigned format, channels, flags; } t[] = {
        { 8, 0, 0, 0x20, 1, 0 }, { 0, 4, 0, 0x20, 1, 0 }, { 8, 0, 4, 0x20, 1, 0 }, { 8, 4, 2, 0x20, 1, 0 },
        { 8, 0, 3, 0x20, 1, 1 }, { 8, 4, 0, 0x20, 1, 1 }, { 8, 8, 6, 0x20, 1, 4 }, { 8, 8, 7, 0x20, 1, 4 }, { 8, 8, 12, 0x20, 1, 5 }, { 8, 4, 6, 0x20, 1, 4 },
        { 8, 4, 0, 0x20, 1, 8 }, { 8, 0, 0, 0x20, 1, 8 }, { 8, 4, 2, 0x20, 1, 9 }, { 8, 4, 0, 0x20, 1, 0x10 }, { 8, 4, 0, 0x20, 4, 0x20 },
        { 512, 512, 0, 0x20, 1, FLAG_SPARSE }, { 512, 0, 0, 0x20, 1, FLAG_SPARSE }, { 512, 512, 6, 0x20, 1, FLAG_SPARSE | 4 }, { 512, 512, 0, 0x20, 1, FLAG_SPARSE | 2 }, { 64, 64, 0, 0x20, 1, FLAG_SPARSE | FLAG_DEFERRED },
        { 8, 4, 0, 0x20, 1, 0x200 }, { 8, 4, 0, 0x20, 1, 0x80000000u },
        { 62, 30, 0, 0x91, 4, 0 }, { 62, 0, 0, 0x91, 4, 0 }, { 64, 64, 0, 0x91, 4, 2 }, { 64, 64, 4, 0x9b, 3, 1 },
        { 95, 48, 0, 0xb0, 3, 0x100 }, { 96, 48, 2, 0xb0, 3, 0x101 }, { 96, 48, 2, 0xb0, 3, 0x100 },
        { 1, 1, 16385, 1, 1, 0 }, { 8193, 1, 16385, 1, 1, 0 }, { 1, 1, 16385, 1, 1, 2 }, { 16384, 16384, 16384, 0x20, 4, 0 }, { (size_t)-1, 1, 1, 1, 1, 0 },
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CUarray a = NULL;
        CUresult r = make(&a, t[i].w, t[i].h, t[i].d, t[i].format, t[i].channels, t[i].flags);
        printf("%zux%zux%zu %#x/%u flags %#x: %s\n", t[i].w, t[i].h, t[i].d, t[i].format, t[i].channels, t[i].flags, name(r));
        if (!r) cuArrayDestroy(a);
    }
}

/* Sizes that arrays with deferred mapping need, and tiles of sparse ones. */
static void sizes(void)
{
    static const struct { size_t w, h, d; unsigned format, channels, flags; } t[] = {
        { 500, 300, 0, 0x20, 4, FLAG_DEFERRED }, { 500, 300, 0, 0x93, 4, FLAG_DEFERRED }, { 1000, 0, 0, 0x20, 4, FLAG_DEFERRED }, { 300, 200, 3, 0x20, 4, FLAG_DEFERRED | 1 }, { 100, 100, 33, 0x20, 4, FLAG_DEFERRED }, { 100, 100, 3, 1, 1, FLAG_DEFERRED },
        { 1024, 1024, 0, 1, 1, FLAG_SPARSE }, { 1024, 1024, 0, 0x02, 4, FLAG_SPARSE }, { 256, 256, 256, 0x02, 1, FLAG_SPARSE }, { 256, 256, 256, 0x91, 4, FLAG_SPARSE }, { 8, 512, 0, 0x20, 1, FLAG_SPARSE }, { 64, 64, 0, 0x20, 1, 0 },
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CUarray a = NULL;
        CUDA_ARRAY_MEMORY_REQUIREMENTS m;
        CUDA_ARRAY_SPARSE_PROPERTIES p;
        CUresult r = make(&a, t[i].w, t[i].h, t[i].d, t[i].format, t[i].channels, t[i].flags);
        if (r) { printf("not made: %s\n", name(r)); continue; }
        printf("%zux%zux%zu %#x/%u flags %#x:", t[i].w, t[i].h, t[i].d, t[i].format, t[i].channels, t[i].flags);
        r = cuArrayGetMemoryRequirements(&m, a, 0);
        if (r) printf(" %s", name(r)); else printf(" %zu bytes aligned to %zu", m.size, m.alignment);
        r = cuArrayGetSparseProperties(&p, a);
        if (r) printf(" %s\n", name(r)); else printf(" tile %ux%ux%u tail %u, %llu, %u\n", p.tileExtent.width, p.tileExtent.height, p.tileExtent.depth, p.miptailFirstLevel, p.miptailSize, p.flags);
        cuArrayDestroy(a);
    }
}

static void planes(void)
{
    CUarray a, p, q;
    CUDA_ARRAY3D_DESCRIPTOR d;
    unsigned char in[24 * 96], out[24 * 96];
    if (make(&a, 96, 48, 0, CU_AD_FORMAT_NV12, 3, CUDA_ARRAY3D_VIDEO_ENCODE_DECODE)) { puts("no NV12"); return; }
    for (unsigned i = 0; i < 3; i++) {
        CUresult r = cuArrayGetPlane(&p, a, i);
        printf("plane %u: %s", i, name(r));
        if (!r && !cuArray3DGetDescriptor(&d, p) && !cuArrayGetPlane(&q, a, i)) printf(" %zux%zu %#x/%u %s", d.Width, d.Height, d.Format, d.NumChannels, p == q ? "same" : "another");
        putchar('\n');
    }
    cuArrayGetPlane(&p, a, 1);
    for (size_t i = 0; i < sizeof in; i++) in[i] = (unsigned char)(i * 13);
    CUDA_MEMCPY2D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = in, c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = p;
    c.WidthInBytes = 96, c.Height = 24;
    printf("into a plane: %s", name(cuMemcpy2D(&c)));
    c.dstArray = a;
    printf(", into the frame: %s", name(cuMemcpy2D(&c)));
    memset(&c, 0, sizeof c);
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = out, c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = p;
    c.WidthInBytes = 96, c.Height = 24;
    printf(", back: %s", name(cuMemcpy2D(&c)));
    printf(" %s\n", memcmp(in, out, sizeof in) ? "differs" : "same");
    printf("plane destroyed: %s", name(cuArrayDestroy(p)));
    printf(", frame destroyed: %s\n", name(cuArrayDestroy(a)));
}

/* Copies of bytes into and out of the first row. */
static void lines(void)
{
    CUarray a, b;
    CUdeviceptr d;
    unsigned char in[256], out[256];
    for (int i = 0; i < 256; i++) in[i] = (unsigned char)(255 - i);
    if (make(&a, 64, 0, 0, 0x20, 1, 0) || make(&b, 64, 4, 0, 0x20, 1, 0) || cuMemAlloc(&d, 256)) { puts("not made"); return; }
    memset(out, 1, sizeof out);
    printf("fresh: %s", name(cuMemcpyAtoH(out, a, 0, 256)));
    int zero = 1;
    for (int i = 0; i < 256; i++) zero &= !out[i];
    printf(" %s\n", zero ? "zeros" : "something");
    printf("in: %s", name(cuMemcpyHtoA(a, 0, in, 256)));
    printf(", across: %s", name(cuMemcpyAtoA(b, 1, a, 3, 200)));
    printf(", to memory: %s", name(cuMemcpyAtoD(d, b, 1, 200)));
    printf(", out: %s", name(cuMemcpyDtoH(out, d, 200)));
    printf(" %s\n", memcmp(out, in + 3, 200) ? "differs" : "same");
    printf("past the row: %s", name(cuMemcpyHtoA(b, 250, in, 7)));
    printf(", at its end: %s", name(cuMemcpyHtoA(b, 249, in, 7)));
    printf(", nothing there: %s\n", name(cuMemcpyHtoA(b, 256, in, 0)));
    cuMemFree(d);
    cuArrayDestroy(a);
    cuArrayDestroy(b);
}

/* Extents are read as 32 bits. */
static void wide(void)
{
    static const size_t t[][3] = { { 4, (size_t)1 << 32, 0 }, { 2, 2, (size_t)1 << 32 }, { ((size_t)1 << 32) + 4, ((size_t)1 << 32) + 5, ((size_t)1 << 32) + 6 }, { (size_t)1 << 32, 4, 0 }, { 4, (size_t)1 << 32, 4 } };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CUDA_ARRAY3D_DESCRIPTOR d = { t[i][0], t[i][1], t[i][2], CU_AD_FORMAT_FLOAT, 1, 0 }, told;
        CUDA_ARRAY_DESCRIPTOR flat = { t[i][0], t[i][1], CU_AD_FORMAT_FLOAT, 1 };
        CUarray a, level;
        CUmipmappedArray m;
        CUresult r = cuArray3DCreate(&a, &d);
        printf("%zx %zx %zx: %s", t[i][0], t[i][1], t[i][2], name(r));
        if (!r) cuArray3DGetDescriptor(&told, a), printf(" %zu %zu %zu", told.Width, told.Height, told.Depth), cuArrayDestroy(a);
        r = cuArrayCreate(&a, &flat);
        printf(", flat %s", name(r));
        if (!r) cuArrayGetDescriptor(&flat, a), printf(" %zu %zu", flat.Width, flat.Height), cuArrayDestroy(a);
        r = cuMipmappedArrayCreate(&m, &d, 1);
        printf(", mipmapped %s", name(r));
        if (!r) cuMipmappedArrayGetLevel(&level, m, 0), cuArray3DGetDescriptor(&told, level), printf(" %zu %zu %zu", told.Width, told.Height, told.Depth), cuMipmappedArrayDestroy(m);
        putchar('\n');
    }
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUarray a = (CUarray)1;
    CUDA_ARRAY_DESCRIPTOR d = { 4, 4, CU_AD_FORMAT_FLOAT, 1 };
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    printf("nothing to write to: %s", name(cuArrayCreate(NULL, &d)));
    printf(", nothing to read: %s", name(cuArrayCreate(&a, NULL)));
    printf(", no array: %s", name(cuArrayGetDescriptor(&d, NULL)));
    printf(" %s\n", name(cuArrayDestroy(NULL)));
    formats();
    extents();
    sizes();
    planes();
    lines();
    wide();
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
