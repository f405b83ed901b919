/* Copies of rectangles between all kinds of memory and arrays, against a plain model; and what is refused. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST, PINNED, DEVICE, MANAGED, ARRAY, KINDS };
static const char *const kind_name[] = { "host", "pinned", "device", "managed", "array" };
enum { PITCH = 160, ROWS = 12, BYTES = PITCH * ROWS };

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

struct place { int kind; void *host; CUdeviceptr device; CUarray array; };

static void fill(unsigned char *p, unsigned seed)
{
    for (unsigned i = 0; i < BYTES; i++) p[i] = (unsigned char)((i * 2654435761u + seed * 40503u) >> 13);
}

static void describe(CUDA_MEMCPY2D *c, const struct place *p, int dst)
{
    CUmemorytype t = p->kind == ARRAY ? CU_MEMORYTYPE_ARRAY : p->kind == DEVICE ? CU_MEMORYTYPE_DEVICE : p->kind == MANAGED ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_HOST;
    if (dst) c->dstMemoryType = t, c->dstHost = p->host, c->dstDevice = p->device, c->dstArray = p->array, c->dstPitch = PITCH;
    else c->srcMemoryType = t, c->srcHost = p->host, c->srcDevice = p->device, c->srcArray = p->array, c->srcPitch = PITCH;
}

static CUresult whole(const struct place *p, unsigned char *bytes, int in)
{
    CUDA_MEMCPY2D c;
    struct place mine = { HOST, bytes, 0, NULL };
    memset(&c, 0, sizeof c);
    describe(&c, in ? &mine : p, 0);
    describe(&c, in ? p : &mine, 1);
    c.WidthInBytes = PITCH, c.Height = ROWS;
    return cuMemcpy2D(&c);
}

static struct place make(int kind)
{
    struct place p = { kind, NULL, 0, NULL };
    CUDA_ARRAY_DESCRIPTOR d = { PITCH / 4, ROWS, CU_AD_FORMAT_UNSIGNED_INT8, 4 };
    CUresult r = CUDA_SUCCESS;
    if (kind == HOST) p.host = malloc(BYTES);
    if (kind == PINNED) r = cuMemAllocHost(&p.host, BYTES);
    if (kind == DEVICE) r = cuMemAlloc(&p.device, BYTES);
    if (kind == MANAGED) r = cuMemAllocManaged(&p.device, BYTES, CU_MEM_ATTACH_GLOBAL);
    if (kind == ARRAY) r = cuArrayCreate(&p.array, &d);
    if (r) printf("%s: %s\n", kind_name[kind], name(r));
    return p;
}

static void drop(struct place *p)
{
    if (p->kind == HOST) free(p->host);
    else if (p->kind == PINNED) cuMemFreeHost(p->host);
    else if (p->kind == ARRAY) cuArrayDestroy(p->array);
    else cuMemFree(p->device);
}

static void pairs(CUstream stream)
{
    static const struct { size_t w, h, sx, sy, dx, dy; } box[] = { { PITCH, ROWS, 0, 0, 0, 0 }, { 33, 5, 7, 1, 64, 6 }, { 1, 1, 159, 11, 0, 0 }, { 100, 12, 3, 0, 60, 0 } };
    for (int s = 0; s < KINDS; s++)
        for (int d = 0; d < KINDS; d++) {
            printf("%s to %s:", kind_name[s], kind_name[d]);
            for (size_t i = 0; i < sizeof box / sizeof *box; i++)
                for (int how = 0; how < 3; how++) {
                    struct place from = make(s), to = make(d);
                    static unsigned char a[BYTES], b[BYTES], got[BYTES];
                    fill(a, 1), fill(b, 2);
                    CUresult r = whole(&from, a, 1);
                    if (!r) r = whole(&to, b, 1);
                    if (!r) r = cuCtxSynchronize();
                    CUDA_MEMCPY2D c;
                    memset(&c, 0, sizeof c);
                    describe(&c, &from, 0), describe(&c, &to, 1);
                    c.srcXInBytes = box[i].sx, c.srcY = box[i].sy, c.dstXInBytes = box[i].dx, c.dstY = box[i].dy;
                    c.WidthInBytes = box[i].w, c.Height = box[i].h;
                    if (!r) r = how == 0 ? cuMemcpy2D(&c) : how == 1 ? cuMemcpy2DUnaligned(&c) : cuMemcpy2DAsync(&c, stream);
                    if (!r) r = cuStreamSynchronize(stream);
                    if (!r) r = cuCtxSynchronize();
                    if (!r) r = whole(&to, got, 0);
                    for (size_t y = 0; y < box[i].h; y++) memcpy(b + (box[i].dy + y) * PITCH + box[i].dx, a + (box[i].sy + y) * PITCH + box[i].sx, box[i].w);
                    printf(" %s", r ? name(r) : memcmp(b, got, BYTES) ? "differs" : "same");
                    drop(&from), drop(&to);
                }
            putchar('\n');
        }
}

static void refusals(void)
{
    CUDA_MEMCPY2D good, c;
    struct place d = make(DEVICE), e = make(DEVICE), a = make(ARRAY);
    memset(&good, 0, sizeof good);
    describe(&good, &d, 0), describe(&good, &e, 1);
    good.WidthInBytes = 64, good.Height = 4;
#define TRY(what) do { c = good; what; printf("%s", #what), printf(": %s\n", name(cuMemcpy2D(&c))); } while (0)
    TRY(c.Height = 0);
    TRY(memset(&c, 0, sizeof c));
    TRY(c.srcMemoryType = (CUmemorytype)0);
    TRY(c.srcMemoryType = (CUmemorytype)5);
    TRY(c.srcDevice = 0);
    TRY(c.srcPitch = 63);
    TRY(c.srcPitch = 64);
    TRY(c.srcPitch = 0);
    TRY(c.srcXInBytes = 97);
    TRY(c.srcXInBytes = 96);
    TRY(c.dstY = 8);
    TRY(c.dstY = 9);
    TRY(c.srcY = (size_t)-1);
    TRY(c.WidthInBytes = (size_t)-1);
    TRY(c.Height = (size_t)1 << 40);
    TRY(c.srcPitch = (size_t)1 << 33);
    TRY((describe(&c, &a, 0), c.srcXInBytes = 97));
    TRY((describe(&c, &a, 0), c.srcY = 9));
    TRY((describe(&c, &a, 0), c.srcArray = NULL));
    printf("NULL: %s\n", name(cuMemcpy2D(NULL)));
    drop(&d), drop(&e), drop(&a);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context) || cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) return 1;
    pairs(stream);
    refusals();
    printf("still usable: %s\n", name(cuCtxSynchronize()));
    cuStreamDestroy(stream);
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
