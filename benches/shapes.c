/* Copies of rows and boxes, beside a plain loop of memcpy over the same rows between warmed buffers. */
#include "bench.h"

#define MOST ((size_t)96 << 20)

struct shape {
    size_t width, height, depth, src_pitch, dst_pitch;
    int to_array;
};

static unsigned char *host_src, *host_dst, *other;
static CUdeviceptr device_src, device_dst;
static CUarray array;
static struct shape shape;

static void loop(void *data)
{
    (void)data;
    unsigned char *dst = host_dst, *src = other;
    for (size_t row = 0; row < shape.height * shape.depth; row++, dst += shape.dst_pitch, src += shape.src_pitch)
        memcpy(dst, src, shape.width);
    __asm__ volatile("" ::: "memory");
}

static CUDA_MEMCPY3D box(int from_host)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = host_src, c.srcDevice = device_src;
    c.srcPitch = shape.src_pitch, c.srcHeight = shape.height;
    c.dstMemoryType = shape.to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
    c.dstArray = array, c.dstDevice = device_dst;
    c.dstPitch = shape.dst_pitch, c.dstHeight = shape.height;
    c.WidthInBytes = shape.width, c.Height = shape.height, c.Depth = shape.depth;
    return c;
}

static void copy(int from_host)
{
    CUDA_MEMCPY3D c = box(from_host);
    if (shape.depth > 1) {
        OK(cuMemcpy3D(&c));
    } else {
        CUDA_MEMCPY2D f;
        memset(&f, 0, sizeof f);
        f.srcMemoryType = c.srcMemoryType, f.srcHost = c.srcHost, f.srcDevice = c.srcDevice, f.srcPitch = c.srcPitch;
        f.dstMemoryType = c.dstMemoryType, f.dstArray = c.dstArray, f.dstDevice = c.dstDevice, f.dstPitch = c.dstPitch;
        f.WidthInBytes = c.WidthInBytes, f.Height = c.Height;
        OK(cuMemcpy2DUnaligned(&f));
    }
}
static void from_host(void *data)
{
    (void)data;
    copy(1);
}
static void from_device(void *data)
{
    (void)data;
    copy(0);
    OK(cuCtxSynchronize());
}

static void row(const char *what, size_t width, size_t height, size_t depth, size_t src_pitch, size_t dst_pitch, int to_array)
{
    shape = (struct shape){ width, height, depth, src_pitch, dst_pitch, to_array };
    if (to_array) {
        CUDA_ARRAY3D_DESCRIPTOR d = { width / 16, height, depth > 1 ? depth : 0, CU_AD_FORMAT_FLOAT, 4, 0 };
        CUresult r = cuArray3DCreate(&array, &d);
        if (r == CUDA_ERROR_NOT_SUPPORTED) return;
        OK(r);
    }
    size_t bytes = width * height * depth;
    long reps = (long)((16 << 20) / bytes);
    if (reps < 1) reps = 1;
    if (reps > 20000) reps = 20000;
    double peer, ours;
    printf("%-24s %8zu x %6zu x %4zu  pitch %6zu to %6zu", what, width, height, depth, src_pitch, dst_pitch);
    duel(reps, loop, from_host, NULL, &peer, &ours);
    printf("  %8.2f  HtoD %8.2f %5.2f", (double)bytes / peer, (double)bytes / ours, peer / ours);
    duel(reps, loop, from_device, NULL, &peer, &ours);
    printf("  %8.2f  DtoD %8.2f %5.2f\n", (double)bytes / peer, (double)bytes / ours, peer / ours);
    if (to_array) OK(cuArrayDestroy(array));
}

int main(void)
{
    start();
    OK(cuMemHostAlloc((void **)&host_src, MOST, 0));
    OK(cuMemHostAlloc((void **)&host_dst, MOST, 0));
    OK(cuMemHostAlloc((void **)&other, MOST, 0));
    OK(cuMemAlloc(&device_src, MOST));
    OK(cuMemAlloc(&device_dst, MOST));
    memset(host_src, 1, MOST);
    memset(host_dst, 2, MOST);
    memset(other, 3, MOST);
    OK(cuMemsetD8(device_src, 4, MOST));
    OK(cuMemsetD8(device_dst, 5, MOST));
    OK(cuCtxSynchronize());
    printf("\nrows and boxes: GB/s of a loop of memcpy, of the copy, and their ratio\n");
    row("small rectangle", 64, 8, 1, 128, 128, 0);
    row("short rows", 16, 65536, 1, 64, 32, 0);
    row("rows of a cache line", 64, 65536, 1, 128, 128, 0);
    row("rows of 500", 500, 16384, 1, 512, 1024, 0);
    row("rows of 4 KiB", 4096, 4096, 1, 4608, 8192, 0);
    row("rows of 64 KiB", 65536, 512, 1, 66048, 66048, 0);
    row("rows without gaps", 4096, 8192, 1, 4096, 4096, 0);
    row("box of short rows", 32, 64, 256, 64, 48, 0);
    row("box", 1024, 128, 128, 1536, 1024, 0);
    row("box without gaps", 1024, 128, 128, 1024, 1024, 0);
    row("2D array", 4096, 2048, 1, 4608, 4096, 1);
    row("2D array, short rows", 64, 16384, 1, 128, 64, 1);
    row("3D array", 1024, 128, 64, 1536, 1024, 1);
    return 0;
}
