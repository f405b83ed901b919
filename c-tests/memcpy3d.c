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

/* Layers of one row: from and to memory on the device every layer is one pitch further, and the rows of a slice count
   only for where the box begins. From and to memory of the host slices are slices. */
static void rows_in_layers(CUstream stream, CUcontext context)
{
    enum { N = 2048 };
    unsigned short in[N], got[5];
    CUDA_ARRAY3D_DESCRIPTOR desc = { 8, 0, 5, CU_AD_FORMAT_UNSIGNED_INT16, 1, CUDA_ARRAY3D_LAYERED };
    CUDA_MEMCPY3D all, c;
    CUDA_MEMCPY3D_PEER peer;
    CUarray a, b;
    CUdeviceptr place[4];
    void *pinned;
    for (int i = 0; i < N; i++) in[i] = (unsigned short)i;
    cuArray3DCreate(&a, &desc), cuArray3DCreate(&b, &desc);
    cuMemAlloc(&place[0], sizeof in), cuMemAllocHost(&pinned, sizeof in), cuMemAllocAsync(&place[2], sizeof in, NULL);
    place[1] = (CUdeviceptr)pinned, place[3] = (CUdeviceptr)in;
    cuMemcpyHtoD(place[0], in, sizeof in), cuMemcpyHtoD(place[2], in, sizeof in), memcpy(pinned, in, sizeof in);
    static const char *const what[] = { "device", "pinned", "pool", "pageable" };
    static const struct { size_t y, z, rows, layer, depth; } box[] = { { 0, 0, 0, 0, 5 }, { 0, 0, 3, 0, 5 }, { 1, 0, 3, 0, 4 }, { 2, 1, 3, 0, 3 }, { 0, 2, 3, 1, 3 }, { 1, 1, 0, 0, 3 } };
    memset(&all, 0, sizeof all);
    all.WidthInBytes = 2, all.Height = 1, all.Depth = 5, all.srcMemoryType = CU_MEMORYTYPE_ARRAY, all.srcArray = a;
    all.dstMemoryType = CU_MEMORYTYPE_HOST, all.dstHost = got;
    for (int p = 0; p < 4; p++)
        for (size_t i = 0; i < sizeof box / sizeof *box; i++)
            for (int how = 0; how < 4; how++) {
                CUgraph g;
                CUgraphNode n;
                CUgraphExec x;
                cuMemcpy3D(&(CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = b, .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = a, .WidthInBytes = 16, .Height = 1, .Depth = 5 }), cuCtxSynchronize();
                memset(&c, 0, sizeof c), memset(&peer, 0, sizeof peer);
                c.srcMemoryType = CU_MEMORYTYPE_UNIFIED, c.srcDevice = place[p], c.srcY = box[i].y, c.srcZ = box[i].z, c.srcHeight = box[i].rows, c.srcPitch = 32;
                c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a, c.dstZ = box[i].layer, c.WidthInBytes = 16, c.Height = 1, c.Depth = box[i].depth;
                peer.srcMemoryType = c.srcMemoryType, peer.srcDevice = c.srcDevice, peer.srcY = c.srcY, peer.srcZ = c.srcZ, peer.srcHeight = c.srcHeight, peer.srcPitch = 32;
                peer.dstMemoryType = c.dstMemoryType, peer.dstArray = a, peer.dstZ = c.dstZ, peer.WidthInBytes = 16, peer.Height = 1, peer.Depth = c.Depth, peer.srcContext = peer.dstContext = context;
                CUresult r = CUDA_SUCCESS;
                if (how < 3) r = how == 0 ? cuMemcpy3D(&c) : how == 1 ? cuMemcpy3DAsync(&c, stream) : cuMemcpy3DPeer(&peer);
                else if (cuGraphCreate(&g, 0) == 0) {
                    r = cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, context);
                    if (!r) r = cuGraphInstantiate(&x, g, 0);
                    if (!r) r = cuGraphLaunch(x, stream);
                    cuStreamSynchronize(stream), cuGraphExecDestroy(x), cuGraphDestroy(g);
                }
                cuCtxSynchronize(), memset(got, 0xff, sizeof got);
                if (!r) r = cuMemcpy3D(&all);
                if (how) printf(" %s", r ? name(r) : "");
                else printf("rows of %s %zu:", what[p], i);
                for (int z = 0; z < 5; z++) printf(" %d", got[z]);
                printf(how == 3 ? "\n" : ",");
            }
    for (int p = 0; p < 3; p++) {
        memset(pinned, 0, sizeof in), cuMemsetD8(place[0], 0, sizeof in), cuMemsetD8(place[2], 0, sizeof in), memset(in, 0, sizeof in);
        for (int z = 0; z < 5; z++) got[z] = (unsigned short)(z + 1);
        cuMemcpy3D(&(CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = got, .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = a, .WidthInBytes = 2, .Height = 1, .Depth = 5 });
        CUresult r = cuMemcpy3D(&(CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a, .srcZ = 1, .dstMemoryType = CU_MEMORYTYPE_UNIFIED, .dstDevice = place[p], .dstPitch = 32, .dstHeight = 3, .dstY = 1, .dstZ = 1, .WidthInBytes = 2, .Height = 1, .Depth = 4 });
        cuMemcpy((CUdeviceptr)in, place[p], sizeof in);
        printf("rows to %s: %s", what[p], name(r));
        for (int i = 0; i < N; i++)
            if (in[i]) printf(" %d at %d", in[i], 2 * i);
        putchar('\n');
    }
    cuArrayDestroy(a), cuArrayDestroy(b), cuMemFree(place[0]), cuMemFreeHost(pinned), cuMemFreeAsync(place[2], NULL);
}

/* Memory of a pool is checked as if the box began at its beginning. */
static void in_a_pool(void)
{
    static const struct { size_t y, z, w, h, d; } box[] = { { 0, 0, 256, 16, 16 }, { 0, 0, 256, 16, 17 }, { 16, 15, 256, 1, 1 }, { 300, 0, 16, 1, 1 }, { 0, 0, 16, 17, 1 }, { 0, 0, 257, 1, 1 }, { 0, 1, 256, 16, 16 }, { 0, 16, 256, 16, 1 } };
    CUdeviceptr pool, device, other;
    unsigned char last = 0;
    cuMemAllocAsync(&pool, 1 << 16, NULL), cuMemAllocAsync(&other, 1 << 16, NULL), cuMemAlloc(&device, 1 << 16), cuStreamSynchronize(NULL);
    cuMemsetD8(pool, 1, 1 << 16), cuMemsetD8(other, 2, 1 << 16);
    for (int which = 0; which < 2; which++) {
        printf("a box in %s:", which ? "device memory" : "a pool");
        for (size_t i = 0; i < sizeof box / sizeof *box; i++) {
            CUDA_MEMCPY3D c;
            memset(&c, 0, sizeof c);
            c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = which ? device : pool, c.dstDevice = device;
            c.srcPitch = 256, c.srcHeight = 16, c.srcY = box[i].y, c.srcZ = box[i].z, c.dstPitch = 256, c.dstHeight = 16;
            c.WidthInBytes = box[i].w, c.Height = box[i].h, c.Depth = box[i].d;
            printf(" %s", name(cuMemcpy3D(&c)));
        }
        printf(", then %s\n", name(cuCtxSynchronize()));
    }
    cuMemcpyDtoH(&last, device, 1);
    printf("what came from behind the block: %d\n", last);
    cuMemFree(device), cuMemFreeAsync(pool, NULL), cuMemFreeAsync(other, NULL);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context) || cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) return 1;
    arrays();
    memory(stream, context);
    rows_in_layers(stream, context);
    in_a_pool();
    printf("still usable: %s\n", name(cuCtxSynchronize()));
    cuStreamDestroy(stream);
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
