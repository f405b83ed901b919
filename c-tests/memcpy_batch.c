/* Batches of copies: attributes, what is refused, what was done before a refusal, boxes between memory and arrays. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

enum { N = 3072 };
static unsigned char in[N], out[N];

/* Which of the three thirds of the destination have been written. */
static void done(CUdeviceptr d)
{
    if (cuMemcpyDtoH(out, d, N)) { puts(" unreadable"); return; }
    for (int i = 0; i < 3; i++) putchar(memcmp(out + i * 1024, in + i * 1024, 1024) ? '-' : '0' + i);
    putchar('\n');
}

static void ranges(CUstream stream)
{
    static const char *const what[] = { "plain", "no copies", "no attributes", "first index 1", "indices not rising", "index behind the end", "order 0", "order 4", "flag 1", "flag 2", "default stream", "legacy stream", "thread's stream", "nothing in the second", "source 0 in the second", "destination too short in the third", "wrong hint", "hints", "three attributes" };
    for (unsigned v = 0; v < sizeof what / sizeof *what; v++) {
        CUdeviceptr s, d;
        if (cuMemAlloc(&s, N) || cuMemAlloc(&d, N) || cuMemcpyHtoD(s, in, N) || cuMemsetD8(d, 0, N) || cuCtxSynchronize()) { puts("not made"); return; }
        CUdeviceptr to[3] = { d, d + 1024, d + 2048 }, from[3] = { s, s + 1024, s + 2048 };
        size_t n[3] = { 1024, 1024, 1024 }, at[3] = { 0, 1, 2 }, count = 3, attributes = 1;
        CUmemcpyAttributes a[3];
        CUstream use = stream;
        memset(a, 0, sizeof a);
        for (int i = 0; i < 3; i++) a[i].srcAccessOrder = (CUmemcpySrcAccessOrder)(i + 1);
        switch (v) {
        case 1: count = 0; break;
        case 2: attributes = 0; break;
        case 3: at[0] = 1; break;
        case 4: attributes = 2, at[1] = 0; break;
        case 5: attributes = 2, at[1] = 3; break;
        case 6: a[0].srcAccessOrder = (CUmemcpySrcAccessOrder)0; break;
        case 7: a[0].srcAccessOrder = (CUmemcpySrcAccessOrder)4; break;
        case 8: a[0].flags = 1; break;
        case 9: a[0].flags = 2; break;
        case 10: use = NULL; break;
        case 11: use = CU_STREAM_LEGACY; break;
        case 12: use = CU_STREAM_PER_THREAD; break;
        case 13: n[1] = 0; break;
        case 14: from[1] = 0; break;
        case 15: n[2] = 1025, from[2] = s; break;
        case 16: a[0].srcLocHint.type = CU_MEM_LOCATION_TYPE_DEVICE, a[0].srcLocHint.id = 99; break;
        case 17: a[0].srcLocHint.type = a[0].dstLocHint.type = CU_MEM_LOCATION_TYPE_DEVICE; break;
        case 18: attributes = 3; break;
        default: break;
        }
        CUresult r = cuMemcpyBatchAsync(to, from, n, count, a, at, attributes, use);
        CUresult q = cuStreamSynchronize(use);
        printf("%s: %s %s ", what[v], name(r), name(q));
        done(d);
        cuMemFree(s), cuMemFree(d);
    }
}

static CUmemcpy3DOperand pointer(CUdeviceptr p, size_t row, size_t height)
{
    CUmemcpy3DOperand o;
    memset(&o, 0, sizeof o);
    o.type = CU_MEMCPY_OPERAND_TYPE_POINTER, o.op.ptr.ptr = p, o.op.ptr.rowLength = row, o.op.ptr.layerHeight = height;
    return o;
}

static CUmemcpy3DOperand array(CUarray a, size_t x, size_t y, size_t z)
{
    CUmemcpy3DOperand o;
    memset(&o, 0, sizeof o);
    o.type = CU_MEMCPY_OPERAND_TYPE_ARRAY, o.op.array.array = a, o.op.array.offset.x = x, o.op.array.offset.y = y, o.op.array.offset.z = z;
    return o;
}

static CUresult box(CUmemcpy3DOperand src, CUmemcpy3DOperand dst, size_t w, size_t h, size_t d, CUstream stream)
{
    CUDA_MEMCPY3D_BATCH_OP o;
    memset(&o, 0, sizeof o);
    o.src = src, o.dst = dst, o.extent.width = w, o.extent.height = h, o.extent.depth = d, o.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    CUresult r = cuMemcpy3DBatchAsync(1, &o, 0, stream), q = cuStreamSynchronize(stream);
    return r ? r : q;
}

static void boxes(CUstream stream)
{
    CUarray a, b;
    CUdeviceptr s, d;
    CUDA_ARRAY3D_DESCRIPTOR desc;
    memset(&desc, 0, sizeof desc);
    desc.Width = 16, desc.Height = 8, desc.Depth = 4, desc.Format = CU_AD_FORMAT_FLOAT, desc.NumChannels = 1;
    if (cuArray3DCreate(&a, &desc)) { puts("not made"); return; }
    desc.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    if (cuArray3DCreate(&b, &desc) || cuMemAlloc(&s, N) || cuMemAlloc(&d, N) || cuMemcpyHtoD(s, in, N) || cuMemsetD8(d, 0, N) || cuCtxSynchronize()) { puts("not made"); return; }
    printf("in: %s", name(box(pointer(s, 0, 0), array(a, 0, 0, 0), 16, 8, 4, stream)));
    printf(", window out: %s", name(box(array(a, 5, 4, 1), pointer(d, 20, 0), 7, 3, 2, stream)));
    cuMemcpyDtoH(out, d, N);
    int same = 1;
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++) same &= !memcmp(out + (z * 3 + y) * 80, in + (((1 + z) * 8 + 4 + y) * 16 + 5) * 4, 28);
    printf(" %s\n", same ? "same" : "differs");
    printf("past x: %s", name(box(pointer(s, 0, 0), array(a, 9, 0, 0), 8, 1, 1, stream)));
    printf(", past y: %s", name(box(pointer(s, 0, 0), array(a, 0, 8, 0), 8, 1, 1, stream)));
    printf(", past z: %s", name(box(pointer(s, 0, 0), array(a, 0, 0, 3), 8, 1, 2, stream)));
    printf(", nothing: %s", name(box(pointer(s, 0, 0), array(a, 0, 0, 0), 0, 1, 1, stream)));
    printf(", rows too short: %s", name(box(pointer(s, 7, 0), array(a, 0, 0, 0), 8, 2, 1, stream)));
    printf(", layers too low: %s", name(box(pointer(s, 0, 1), array(a, 0, 0, 0), 8, 2, 2, stream)));
    printf(", elements of other size: %s", name(box(array(a, 0, 0, 0), array(b, 0, 0, 0), 4, 4, 4, stream)));
    printf(", past the end: %s\n", name(box(pointer(s, 0, 0), pointer(d, 0, 0), N, 2, 1, stream)));
    printf("memory to memory: %s", name(box(pointer(s, 0, 0), pointer(d, 0, 0), 1024, 3, 1, stream)));
    printf(", default stream: %s", name(box(pointer(s, 0, 0), pointer(d, 0, 0), 8, 1, 1, NULL)));
    printf(", no boxes: %s", name(cuMemcpy3DBatchAsync(0, NULL, 0, stream)));
    printf(", flags: %s\n", name(cuMemcpy3DBatchAsync(1, NULL, 1, stream)));
    done(d);
    cuMemFree(s), cuMemFree(d), cuArrayDestroy(a), cuArrayDestroy(b);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    for (int i = 0; i < N; i++) in[i] = (unsigned char)(i * 7 + i / 256 + 1);
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context) || cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) return 1;
    ranges(stream);
    boxes(stream);
    printf("still usable: %s\n", name(cuCtxSynchronize()));
    cuStreamDestroy(stream);
    return cuDevicePrimaryCtxRelease(device) != CUDA_SUCCESS;
}
