/* Mipmapped arrays: how many levels there are, how large they are, that they do not share memory. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static CUresult make(CUmipmappedArray *m, size_t w, size_t h, size_t d, unsigned flags, unsigned levels)
{
    CUDA_ARRAY3D_DESCRIPTOR desc;
    memset(&desc, 0, sizeof desc);
    desc.Width = w, desc.Height = h, desc.Depth = d, desc.Format = CU_AD_FORMAT_FLOAT, desc.NumChannels = 1, desc.Flags = flags;
    return cuMipmappedArrayCreate(m, &desc, levels);
}

static void levels(void)
{
    static const struct { size_t w, h, d; unsigned flags, levels; } t[] = {
        { 64, 0, 0, 0, 0 }, { 64, 0, 0, 0, 99 }, { 100, 37, 0, 0, 8 }, { 32, 16, 8, 0, 4 }, { 64, 32, 3, 1, 4 }, { 32, 32, 6, 4, 3 }, { 0, 32, 0, 0, 1 }, { 64, 32, 0, 1, 1 }, { 32769, 0, 0, 0, 1 }, { 1, 1, 16385, 0, 2 },
        { 1024, 1024, 0, CUDA_ARRAY3D_SPARSE, 6 }, { 1024, 256, 0, CUDA_ARRAY3D_SPARSE, 4 }, { 300, 300, 3, CUDA_ARRAY3D_SPARSE | 1, 3 }, { 8, 512, 0, CUDA_ARRAY3D_SPARSE, 9 }, { 512, 512, 0, CUDA_ARRAY3D_DEFERRED_MAPPING, 5 }, { 100, 100, 5, CUDA_ARRAY3D_DEFERRED_MAPPING, 5 },
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CUmipmappedArray m;
        CUresult r = make(&m, t[i].w, t[i].h, t[i].d, t[i].flags, t[i].levels);
        printf("%zux%zux%zu flags %#x, %u levels: %s", t[i].w, t[i].h, t[i].d, t[i].flags, t[i].levels, name(r));
        if (r) { putchar('\n'); continue; }
        for (unsigned l = 0; l < 20; l++) {
            CUarray a;
            CUDA_ARRAY3D_DESCRIPTOR d;
            if (cuMipmappedArrayGetLevel(&a, m, l) || cuArray3DGetDescriptor(&d, a)) break;
            printf(" %zux%zux%zu", d.Width, d.Height, d.Depth);
        }
        CUDA_ARRAY_MEMORY_REQUIREMENTS need;
        CUDA_ARRAY_SPARSE_PROPERTIES p;
        if (!cuMipmappedArrayGetMemoryRequirements(&need, m, 0)) printf(" needs %zu", need.size);
        if (!cuMipmappedArrayGetSparseProperties(&p, m)) printf(" tail from %u, %llu, %u", p.miptailFirstLevel, p.miptailSize, p.flags);
        printf(" %s\n", name(cuMipmappedArrayDestroy(m)));
    }
}

static void contents(void)
{
    CUmipmappedArray m;
    CUarray a;
    CUDA_MEMCPY3D c;
    static float data[32 * 16 * 8];
    if (make(&m, 32, 16, 8, 0, 6)) { puts("not made"); return; }
    for (int back = 0; back < 2; back++)
        for (unsigned l = 0; l < 6; l++) {
            size_t w = 32u >> l, h = 16u >> l ? 16u >> l : 1, d = 8u >> l ? 8u >> l : 1;
            if (cuMipmappedArrayGetLevel(&a, m, l)) { puts("no level"); return; }
            for (size_t i = 0; i < w * h * d; i++) data[i] = back ? 0 : (float)(l * 10000 + i);
            memset(&c, 0, sizeof c);
            c.srcMemoryType = back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST, c.dstMemoryType = back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
            c.srcHost = c.dstHost = data, c.srcArray = c.dstArray = a, c.WidthInBytes = w * 4, c.Height = h, c.Depth = d;
            CUresult r = cuMemcpy3D(&c);
            int same = 1;
            for (size_t i = 0; i < w * h * d; i++) same &= data[i] == (float)(l * 10000 + i);
            printf("level %u %s: %s %s\n", l, back ? "back" : "filled", name(r), same ? "same" : "differs");
        }
    printf("no such level: %s", name(cuMipmappedArrayGetLevel(&a, m, 6)));
    printf(", level destroyed: %s\n", name(cuArrayDestroy(a)));
    printf("destroyed: %s\n", name(cuMipmappedArrayDestroy(m)));
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmipmappedArray m;
    CUarray a;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    printf("nothing to read: %s", name(cuMipmappedArrayCreate(&m, NULL, 1)));
    printf(", no array: %s", name(cuMipmappedArrayGetLevel(&a, NULL, 0)));
    printf(" %s\n", name(cuMipmappedArrayDestroy(NULL)));
    levels();
    contents();
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
