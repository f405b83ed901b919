/* Variables of another context's module, by the streams of both; contexts asked for with two things wrong; mapped memory in copies
 * that give a wrong type for it, and asked about without a context. As on an H200. */
#include "check.h"

static const char code[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 words[64];\n";

static void variables(void)
{
    CUcontext home = begin(), other;
    CUmodule module;
    CUdeviceptr g, d;
    CUstream of_home[2], of_other;
    size_t size;
    unsigned words[16] = { 0 };
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetGlobal(&g, &size, module, "words"));
    OK(cuStreamCreate(&of_home[0], CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&of_home[1], CU_STREAM_DEFAULT));
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuStreamCreate(&of_other, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&d, 64));
    SHOW(cuMemsetD8(g, 1, 64));
    SHOW(cuMemsetD2D32(g, 64, 1, 16, 1));
    CUstream all[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, of_home[0], of_home[1], of_other };
    for (int i = 0; i < 6; i++)
        printf("stream %d: fills %d %d %d, rows %d %d %d, copies %d %d %d, write %d\n", i, cuMemsetD8Async(g, 1, 64, all[i]), cuMemsetD16Async(g, 1, 32, all[i]),
            cuMemsetD32Async(g, 1, 16, all[i]), cuMemsetD2D8Async(g, 32, 1, 32, 2, all[i]), cuMemsetD2D16Async(g, 32, 1, 16, 2, all[i]), cuMemsetD2D32Async(g, 87, 1, 11, 1, all[i]),
            cuMemcpyAsync(g, d, 64, all[i]), cuMemcpyAsync(d, g, 64, all[i]), cuMemcpyHtoDAsync(g, words, 64, all[i]), cuStreamWriteValue32(all[i], g, 1, 0));
    OK(cuCtxSetCurrent(home));
    printf("at home: %d, own stream %d, the other's %d\n", cuMemsetD8(g, 1, 64), cuMemsetD8Async(g, 1, 64, of_home[0]), cuMemsetD8Async(g, 1, 64, of_other));
    OK(cuCtxSetCurrent(NULL));
    printf("nowhere: own stream %d, the other's %d\n", cuMemsetD8Async(g, 1, 64, of_home[0]), cuMemsetD8Async(g, 1, 64, of_other));
}

static void contexts(void)
{
    static const unsigned flags[] = { 0, 0x1000, 0x800, 7, 3, 0x80, 0x1ff, 0x40 };
    CUresult (*create3)(CUcontext *, void *, int, unsigned, CUdevice) = NULL;
    CUresult (*create2)(CUcontext *, unsigned, CUdevice) = NULL;
    CUdriverProcAddressQueryResult q;
    OK(cuInit(0));
    OK(cuGetProcAddress("cuCtxCreate", (void **)&create3, 11040, 0, &q));
    OK(cuGetProcAddress("cuCtxCreate", (void **)&create2, 4000, 0, &q));
    for (int i = 0; i < 8; i++)
        for (int device = 0; device < 100; device += 99) {
            CUcontext c;
            CUresult with_parameters = cuCtxCreate(&c, NULL, flags[i], device);
            if (!with_parameters) OK(cuCtxDestroy(c));
            CUresult with_affinity = create3(&c, NULL, 0, flags[i], device);
            if (!with_affinity) OK(cuCtxDestroy(c));
            CUresult plain = create2(&c, flags[i], device);
            if (!plain) OK(cuCtxDestroy(c));
            printf("flags %x device %d: %d %d %d\n", flags[i], device, with_parameters, with_affinity, plain);
        }
}

static void mapped(void)
{
    static const int types[] = { -1, 0, 5, 99, 256 };
    CUmemAllocationProp properties = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } } };
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUmemGenericAllocationHandle physical;
    CUdeviceptr v, d;
    unsigned char back[64];
    begin();
    OK(cuMemAddressReserve(&v, 2 << 20, 0, 0, 0));
    OK(cuMemCreate(&physical, 2 << 20, &properties, 0));
    OK(cuMemMap(v, 2 << 20, 0, physical, 0));
    OK(cuMemSetAccess(v, 2 << 20, &access, 1));
    OK(cuMemAlloc(&d, 4096));
    OK(cuMemsetD8(v, 0x11, 4096));
    OK(cuMemsetD8(d, 0x22, 4096));
    OK(cuCtxSynchronize());
    for (int i = 0; i < 5; i++)
        for (int side = 0; side < 3; side++) {
            CUDA_MEMCPY2D c = { .srcMemoryType = (CUmemorytype)types[i], .srcDevice = side ? d : v, .srcPitch = 64, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = back, .dstPitch = 16,
                .WidthInBytes = 16, .Height = 4 };
            if (side == 2) {
                c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
                c.dstMemoryType = (CUmemorytype)types[i];
                c.dstDevice = v + 4096;
            }
            memset(back, 0, sizeof back);
            CUresult plain = cuMemcpy2D(&c), unaligned = cuMemcpy2DUnaligned(&c);
            printf("type %d, %s: %d %d", types[i], side == 0 ? "from mapped memory" : side == 1 ? "from other memory" : "to mapped memory", plain, unaligned);
            if (side == 2 && !plain) OK(cuMemcpyDtoH(back, v + 4096, 16));
            printf(" %x\n", back[0]);
        }
    for (int nowhere = 0; nowhere < 2; nowhere++) {
        unsigned flags = 9, mapped = 9, type = 9;
        CUpointer_attribute asked[] = { CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, CU_POINTER_ATTRIBUTE_MAPPED, CU_POINTER_ATTRIBUTE_MEMORY_TYPE };
        void *answers[] = { &flags, &mapped, &type };
        for (int i = 0; i < 2; i++) {
            OK(cuPointerGetAttributes(3, asked, answers, i ? d : v));
            printf("%s %s a context: access %u mapped %u type %u\n", i ? "plain" : "mapped", nowhere ? "without" : "with", flags, mapped, type);
        }
        OK(cuCtxSetCurrent(NULL));
    }
}

int main(void)
{
    apart("variables", variables);
    apart("contexts", contexts);
    apart("mapped memory", mapped);
    return 0;
}
