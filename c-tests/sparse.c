/* Arrays whose memory the program maps: tiles and mip tail of sparse ones, deferred ones as a whole. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

#define MB ((size_t)1 << 20)

static CUmemGenericAllocationHandle pool(size_t size)
{
    CUmemAllocationProp p;
    CUmemGenericAllocationHandle h = 0;
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.allocFlags.usage = CU_MEM_CREATE_USAGE_TILE_POOL;
    CUresult r = cuMemCreate(&h, size, &p, 0);
    if (r) printf("create: %s\n", name(r));
    return h;
}
static CUDA_ARRAY3D_DESCRIPTOR shape(size_t w, size_t h, size_t d, CUarray_format f, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR s;
    memset(&s, 0, sizeof s);
    s.Width = w;
    s.Height = h;
    s.Depth = d;
    s.Format = f;
    s.NumChannels = channels;
    s.Flags = flags;
    return s;
}
static CUarrayMapInfo level(CUarray a, unsigned x, unsigned y, unsigned w, unsigned h, CUmemGenericAllocationHandle from, size_t offset)
{
    CUarrayMapInfo m;
    memset(&m, 0, sizeof m);
    m.resourceType = CU_RESOURCE_TYPE_ARRAY;
    m.resource.array = a;
    m.subresource.sparseLevel.offsetX = x;
    m.subresource.sparseLevel.offsetY = y;
    m.subresource.sparseLevel.extentWidth = w;
    m.subresource.sparseLevel.extentHeight = h;
    m.subresource.sparseLevel.extentDepth = 1;
    m.memOperationType = from ? CU_MEM_OPERATION_TYPE_MAP : CU_MEM_OPERATION_TYPE_UNMAP;
    m.memHandle.memHandle = from;
    m.offset = offset;
    m.deviceBitMask = 1;
    return m;
}
static CUresult box(CUarray a, unsigned x, unsigned y, unsigned w, unsigned h, void *host, int write)
{
    CUDA_MEMCPY2D c;
    memset(&c, 0, sizeof c);
    if (write) {
        c.srcMemoryType = CU_MEMORYTYPE_HOST;
        c.srcHost = host;
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        c.dstArray = a;
        c.dstXInBytes = x * 4;
        c.dstY = y;
    } else {
        c.dstMemoryType = CU_MEMORYTYPE_HOST;
        c.dstHost = host;
        c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        c.srcArray = a;
        c.srcXInBytes = x * 4;
        c.srcY = y;
    }
    c.WidthInBytes = w * 4;
    c.Height = h;
    return cuMemcpy2D(&c);
}

static void tiles(void)
{
    CUDA_ARRAY3D_DESCRIPTOR s = shape(512, 512, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SPARSE);
    CUDA_ARRAY_SPARSE_PROPERTIES t;
    CUarray a = NULL;
    CUarrayMapInfo m;
    CUmemGenericAllocationHandle h = pool(2 * MB);
    unsigned *src = malloc(512 * 512 * 4), *dst = malloc(512 * 512 * 4), good = 0, zero = 0;
    printf("-- tiles\n");
    for (unsigned i = 0; i < 512 * 512; i++) src[i] = i * 2654435761u | 1;
    SHOW(cuArray3DCreate(&a, &s));
    SHOW(cuArrayGetSparseProperties(&t, a));
    unsigned w = t.tileExtent.width, e = t.tileExtent.height;
    printf("tile %u x %u\n", w, e);
    m = level(a, 1, 0, w, e, h, 0);
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    m = level(a, 0, 0, w, e, h, 4096);
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    m = level(a, 0, 0, 1024, e, h, 0);
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    /* The lower right quarter, by tiles. */
    m = level(a, 256, 256, 256, 256, h, 65536);
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    SHOW(box(a, 0, 0, 512, 512, src, 1));
    SHOW(box(a, 0, 0, 512, 512, dst, 0));
    for (unsigned y = 0; y < 512; y++)
        for (unsigned x = 0; x < 512; x++) {
            unsigned v = dst[y * 512 + x];
            if (x >= 256 && y >= 256) good += v == src[y * 512 + x];
            else zero += v == 0;
        }
    printf("mapped %u equal, elsewhere %u zero\n", good, zero);
    m = level(a, 256, 256, 256, 256, 0, 0);
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    SHOW(box(a, 300, 300, 1, 1, dst, 0));
    printf("unmapped: %u\n", dst[0]);
    SHOW(cuArrayDestroy(a));
    SHOW(cuMemRelease(h));
    free(src);
    free(dst);
}

static void tail(void)
{
    CUDA_ARRAY3D_DESCRIPTOR s = shape(1024, 1024, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SPARSE);
    CUDA_ARRAY_SPARSE_PROPERTIES t;
    CUmipmappedArray mip = NULL;
    CUarray small = NULL;
    CUarrayMapInfo m;
    CUmemGenericAllocationHandle h = pool(2 * MB);
    unsigned src[16], dst[16] = { 0 };
    printf("-- mip tail\n");
    for (int i = 0; i < 16; i++) src[i] = 1000 + (unsigned)i;
    SHOW(cuMipmappedArrayCreate(&mip, &s, 11));
    SHOW(cuMipmappedArrayGetSparseProperties(&t, mip));
    memset(&m, 0, sizeof m);
    m.resourceType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    m.resource.mipmap = mip;
    m.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
    m.subresource.miptail.size = t.miptailSize;
    m.memOperationType = CU_MEM_OPERATION_TYPE_MAP;
    m.memHandle.memHandle = h;
    m.deviceBitMask = 1;
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    SHOW(cuMipmappedArrayGetLevel(&small, mip, 8));
    SHOW(box(small, 0, 0, 4, 4, src, 1));
    SHOW(box(small, 0, 0, 4, 4, dst, 0));
    printf("level 8 equal: %d\n", !memcmp(src, dst, sizeof src));
    /* A level above the tail, one tile of it. */
    memset(&m.subresource, 0, sizeof m.subresource);
    m.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    m.subresource.sparseLevel.level = 1;
    m.subresource.sparseLevel.extentWidth = t.tileExtent.width;
    m.subresource.sparseLevel.extentHeight = t.tileExtent.height;
    m.subresource.sparseLevel.extentDepth = 1;
    m.offset = MB;
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    SHOW(cuMipmappedArrayGetLevel(&small, mip, 1));
    memset(dst, 0, sizeof dst);
    SHOW(box(small, 7, 7, 4, 4, src, 1));
    SHOW(box(small, 7, 7, 4, 4, dst, 0));
    printf("level 1 equal: %d\n", !memcmp(src, dst, sizeof src));
    m.subresource.sparseLevel.level = 9;
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    SHOW(cuMipmappedArrayDestroy(mip));
    SHOW(cuMemRelease(h));
}

static void deferred(void)
{
    CUDA_ARRAY3D_DESCRIPTOR s = shape(256, 256, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
    CUDA_ARRAY_MEMORY_REQUIREMENTS q;
    CUarray a = NULL;
    CUarrayMapInfo m;
    CUmemGenericAllocationHandle h = pool(2 * MB);
    printf("-- deferred\n");
    SHOW(cuArray3DCreate(&a, &s));
    SHOW(cuArrayGetMemoryRequirements(&q, a, 0));
    printf("%zu bytes\n", q.size);
    m = level(a, 0, 0, 0, 0, h, 0);
    m.subresource.sparseLevel.extentDepth = 0;
    SHOW(cuMemMapArrayAsync(&m, 1, NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuArrayDestroy(a));
    SHOW(cuMemRelease(h));
}

int main(void)
{
    CUcontext c = NULL;
    SHOW(cuInit(0));
    SHOW(cuDevicePrimaryCtxRetain(&c, 0));
    SHOW(cuCtxSetCurrent(c));
    tiles();
    tail();
    deferred();
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxRelease(0));
    return 0;
}
