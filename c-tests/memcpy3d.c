/* Copies of boxes between memory and arrays of every shape, against a plain model; and what is refused. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static void fill(unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) p[i] = (unsigned char)((i * 2654435761u) >> 11);
}

/* Through an array and back, whole and a window of it. */
static void arrays(void)
{
    static const struct { const char *what; size_t w, h, d; unsigned format, channels, flags; size_t row, rows; } t[] = {
        { "line", 64, 0, 0, 0x02, 2, 0, 256, 1 }, { "plane", 33, 9, 0, 0x20, 4, 0, 528, 9 }, { "box", 17, 5, 6, 0x01, 1, 0, 17, 5 }, { "layered lines", 32, 0, 7, 0x02, 2, 1, 128, 1 }, { "layered planes", 16, 8, 5, 0x10, 4, 1, 128, 8 },
        { "cube", 16, 16, 6, 0x01, 4, 4, 64, 16 }, { "layered cubes", 8, 8, 12, 0x20, 1, 5, 32, 8 }, { "surface", 16, 8, 4, 0x03, 1, 2, 64, 8 }, { "blocks", 62, 30, 3, 0x91, 4, 1, 128, 8 },
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CUDA_ARRAY3D_DESCRIPTOR desc;
        CUarray a;
        CUDA_MEMCPY3D c;
        memset(&desc, 0, sizeof desc);
        desc.Width = t[i].w, desc.Height = t[i].h, desc.Depth = t[i].d, desc.Format = (CUarray_format)t[i].format, desc.NumChannels = t[i].channels, desc.Flags = t[i].flags;
        CUresult r = cuArray3DCreate(&a, &desc);
        if (r) { printf("%s: %s\n", t[i].what, name(r)); continue; }
        size_t depth = t[i].d ? t[i].d : 1, bytes = t[i].row * t[i].rows * depth;
        unsigned char *in = malloc(bytes), *out = calloc(bytes, 1);
        fill(in, bytes);
        memset(&c, 0, sizeof c);
        c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = in, c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a, c.WidthInBytes = t[i].row, c.Height = t[i].rows, c.Depth = depth;
        printf("%s", t[i].what);
        printf(": %s", name(cuMemcpy3D(&c)));
        memset(&c, 0, sizeof c);
        c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = out, c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = a, c.WidthInBytes = t[i].row, c.Height = t[i].rows, c.Depth = depth;
        printf(" %s", name(cuMemcpy3D(&c)));
        printf(" %s", memcmp(in, out, bytes) ? "differs" : "same");
        c.Depth = 1, c.srcZ = depth - 1;
        memset(out, 0, bytes);
        printf(", last slice %s", name(cuMemcpy3D(&c)));
        printf(" %s", memcmp(in + (depth - 1) * t[i].row * t[i].rows, out, t[i].row * t[i].rows) ? "differs" : "same");
        c.srcZ = depth;
        printf(", behind it %s", name(cuMemcpy3D(&c)));
        c.srcZ = 0, c.srcY = 1;
        printf(", too low %s", name(cuMemcpy3D(&c)));
        c.srcY = 0, c.srcLOD = 1;
        printf(", level 1 %s\n", name(cuMemcpy3D(&c)));
        free(in), free(out), cuArrayDestroy(a);
    }
}

/* Windows of pitched memory, in all four functions. */
static void memory(CUstream stream, CUcontext context)
{
    enum { SP = 100, SR = 9, SD = 5, DP = 132, DR = 11, DD = 6 };
    static unsigned char in[SP * SR * SD], want[DP * DR * DD], got[DP * DR * DD];
    CUdeviceptr s, d;
    if (cuMemAlloc(&s, sizeof in) || cuMemAlloc(&d, sizeof want)) { puts("not made"); return; }
    fill(in, sizeof in);
    for (int how = 0; how < 4; how++) {
        CUDA_MEMCPY3D c;
        CUDA_MEMCPY3D_PEER p;
        memset(want, how, sizeof want);
        CUresult r = cuMemcpyHtoD(s, in, sizeof in);
        if (!r) r = cuMemcpyHtoD(d, want, sizeof want);
        if (!r) r = cuCtxSynchronize();
        memset(&c, 0, sizeof c);
        c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = s, c.dstDevice = d;
        c.srcPitch = SP, c.srcHeight = SR, c.dstPitch = DP, c.dstHeight = DR;
        c.srcXInBytes = 4, c.srcY = 2, c.srcZ = 1, c.dstXInBytes = 8, c.dstY = 3, c.dstZ = 2, c.WidthInBytes = 40, c.Height = 5, c.Depth = 3;
        memcpy(&p, &c, sizeof p);
        p.srcContext = context, p.dstContext = NULL;
        if (!r) r = how == 0 ? cuMemcpy3D(&c) : how == 1 ? cuMemcpy3DAsync(&c, stream) : how == 2 ? cuMemcpy3DPeer(&p) : cuMemcpy3DPeerAsync(&p, stream);
        if (!r) r = cuStreamSynchronize(stream);
        if (!r) r = cuMemcpyDtoH(got, d, sizeof got);
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 5; y++) memcpy(want + ((2 + z) * DR + 3 + y) * DP + 8, in + ((1 + z) * SR + 2 + y) * SP + 4, 40);
        printf("window %d: %s %s\n", how, name(r), memcmp(want, got, sizeof got) ? "differs" : "same");
    }
    CUDA_MEMCPY3D good, c;
    memset(&good, 0, sizeof good);
    good.srcMemoryType = good.dstMemoryType = CU_MEMORYTYPE_DEVICE, good.srcDevice = s, good.dstDevice = d;
    good.srcPitch = SP, good.srcHeight = SR, good.dstPitch = DP, good.dstHeight = DR, good.WidthInBytes = 40, good.Height = 5, good.Depth = 3;
#define TRY(what) do { c = good; what; printf("%s", #what), printf(": %s\n", name(cuMemcpy3D(&c))); } while (0)
    TRY(c.Depth = 0);
    TRY(c.Depth = 6);
    TRY(c.srcHeight = 4);
    TRY(c.srcHeight = 0);
    TRY(c.srcPitch = 39);
    TRY(c.srcPitch = 0);
    TRY(c.srcY = 5);
    TRY(c.srcZ = 3);
    TRY(c.srcLOD = 1);
    TRY(c.reserved0 = (void *)1);
    TRY(c.Depth = (size_t)-1);
    printf("NULL: %s\n", name(cuMemcpy3D(NULL)));
    cuMemFree(s), cuMemFree(d);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context) || cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) return 1;
    arrays();
    memory(stream, context);
    printf("still usable: %s\n", name(cuCtxSynchronize()));
    cuStreamDestroy(stream);
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
