/* Imported memory: mapped as linear memory and as mipmapped arrays, which all show the same bytes. What is accepted was
   recorded on an H200 with the memory of cuMemCreate. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 2 << 20 };

#define MUST(call) do { CUresult r_ = (call); if (r_) { printf("failed: %s: %d\n", #call, r_); exit(1); } } while (0)

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

static const struct {
    const char *what;
    size_t offset, width, height, depth;
    CUarray_format format;
    unsigned channels, flags, levels;
} arrays[] = {
    { "2D", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "2D, 4 bytes an element", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 1 },
    { "2D, 3 levels", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 3 },
    { "2D, all levels", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 7 },
    { "2D, too many levels", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 99 },
    { "1D", 0, 64, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "3D", 0, 16, 16, 16, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "layered", 0, 16, 16, 4, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED, 1 },
    { "surface", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST, 1 },
    { "colour attachment", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_COLOR_ATTACHMENT, 1 },
    { "cubemap", 0, 16, 16, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP, 1 },
    { "gather", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_TEXTURE_GATHER, 1 },
    { "blocks", 0, 64, 64, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 1 },
    { "sparse", 0, 512, 512, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE, 1 },
    { "deferred", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING, 1 },
    { "unknown flag", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0x200, 1 },
    { "no width", 0, 0, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "unknown format", 0, 64, 64, 0, (CUarray_format)99, 1, 0, 1 },
    { "three components", 0, 64, 64, 0, CU_AD_FORMAT_FLOAT, 3, 0, 1 },
    { "larger than the memory", 0, 1024, 1024, 0, CU_AD_FORMAT_FLOAT, 4, 0, 1 },
    { "all of the memory", 0, 512, 1024, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "a row more", 0, 512, 1025, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "at 512", 512, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "at 4 KiB", 4096, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "at 64 KiB", 65536, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "at the end", N - 65536, 128, 128, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "past the end", N - 4096, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    { "behind the end", N, 64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
};

static CUexternalMemory import(void)
{
    CUmemAllocationProp prop;
    CUmemGenericAllocationHandle handle;
    CUexternalMemory memory;
    int fd = -1;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    MUST(cuMemCreate(&handle, N, &prop, 0));
    MUST(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    MUST(cuMemRelease(handle));
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc;
    memset(&desc, 0, sizeof desc);
    desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    desc.handle.fd = fd;
    desc.size = N;
    MUST(cuImportExternalMemory(&memory, &desc));
    return memory;
}

static CUdeviceptr buffer_of(CUexternalMemory memory, size_t offset, size_t size)
{
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC desc;
    CUdeviceptr buffer;
    memset(&desc, 0, sizeof desc);
    desc.offset = offset;
    desc.size = size;
    MUST(cuExternalMemoryGetMappedBuffer(&buffer, memory, &desc));
    return buffer;
}

static int words(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    CUcontext context;
    CUdeviceptr buffer, part;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;

    CUexternalMemory memory = import();
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC desc;
        CUmipmappedArray mipmap = NULL;
        memset(&desc, 0, sizeof desc);
        desc.offset = arrays[i].offset;
        desc.numLevels = arrays[i].levels;
        desc.arrayDesc.Width = arrays[i].width;
        desc.arrayDesc.Height = arrays[i].height;
        desc.arrayDesc.Depth = arrays[i].depth;
        desc.arrayDesc.Format = arrays[i].format;
        desc.arrayDesc.NumChannels = arrays[i].channels;
        desc.arrayDesc.Flags = arrays[i].flags;
        CUresult r = cuExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &desc);
        printf("%s: %s", arrays[i].what, name(r));
        if (!r) {
            CUDA_ARRAY3D_DESCRIPTOR seen;
            CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
            CUarray level;
            unsigned levels = 0;
            while (!cuMipmappedArrayGetLevel(&level, mipmap, levels)) levels++;
            MUST(cuMipmappedArrayGetLevel(&level, mipmap, 0));
            MUST(cuArray3DGetDescriptor(&seen, level));
            printf(", %u levels, %zu x %zu x %zu, format %x, %u components, flags %x", levels, seen.Width, seen.Height, seen.Depth, seen.Format,
                   seen.NumChannels, seen.Flags);
            printf(", requirements: %s", name(cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0)));
            MUST(cuMipmappedArrayDestroy(mipmap));
        }
        printf("\n");
    }

    /* The array's elements are words of the memory, in an order of the device's own. */
    static unsigned in[64 * 64], out[64 * 64], raw[N / 4];
    CUmipmappedArray mipmap;
    CUarray level;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC desc;
    memset(&desc, 0, sizeof desc);
    desc.offset = 65536;
    desc.numLevels = 2;
    desc.arrayDesc.Width = desc.arrayDesc.Height = 64;
    desc.arrayDesc.Format = CU_AD_FORMAT_UNSIGNED_INT32;
    desc.arrayDesc.NumChannels = 1;
    MUST(cuExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &desc));
    MUST(cuMipmappedArrayGetLevel(&level, mipmap, 0));
    buffer = buffer_of(memory, 0, N);
    part = buffer_of(memory, 65536, 65536);
    MUST(cuMemsetD8(buffer, 0, N));
    for (unsigned i = 0; i < 64 * 64; i++) in[i] = i + 1;
    CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = in, .srcPitch = 256, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = level, .WidthInBytes = 256, .Height = 64 };
    MUST(cuMemcpy2D(&copy));
    MUST(cuMemcpyDtoH(raw, buffer, N));
    unsigned outside = 0;
    for (unsigned i = 0; i < N / 4; i++)
        if (raw[i] && (i < 16384 || i >= 16384 + 64 * 64)) outside++;
    qsort(raw + 16384, 64 * 64, 4, words);
    printf("through the buffer: %s, %u words elsewhere\n", memcmp(raw + 16384, in, sizeof in) ? "wrong" : "the same words", outside);
    MUST(cuMemcpyDtoH(raw, part, 65536));
    qsort(raw, 64 * 64, 4, words);
    printf("through a part: %s\n", memcmp(raw, in, sizeof in) ? "wrong" : "the same words");
    /* A buffer may begin and end anywhere. */
    static unsigned char bytes[8192];
    CUdeviceptr odd = buffer_of(memory, 4095, 2), base;
    size_t range;
    MUST(cuMemGetAddressRange(&base, &range, odd));
    printf("an odd buffer: %s, %zu bytes, %zu bytes into a page\n", base == odd ? "from its address on" : "elsewhere", range, (size_t)odd % 4096);
    MUST(cuMemsetD8(buffer, 0, sizeof bytes));
    MUST(cuMemsetD8(odd, 0xab, 2));
    printf("before it: %s, behind it: %s\n", name(cuMemsetD8(odd - 1, 1, 1)), name(cuMemsetD8(odd + 2, 1, 1)));
    MUST(cuMemcpyDtoH(bytes, buffer, sizeof bytes));
    unsigned set = 0;
    for (size_t i = 0; i < sizeof bytes; i++) set += bytes[i] != 0;
    printf("its bytes: %x %x, %u set\n", bytes[4095], bytes[4096], set);
    CUcontext other;
    MUST(cuCtxCreate(&other, NULL, 0, 0));
    printf("in another context: %s\n", name(cuMemsetD8(odd, 0, 1)));
    MUST(cuCtxDestroy(other));
    printf("free: %s\n", name(cuMemFree(odd)));
    printf("free again: %s\n", name(cuMemFree(odd)));
    /* What is mapped outlives the handle. */
    printf("destroy: %s\n", name(cuDestroyExternalMemory(memory)));
    printf("destroy again: %s\n", name(cuDestroyExternalMemory(NULL)));
    MUST(cuMemcpyAtoH(out, level, 0, 256));
    printf("the array is still there: %s\n", memcmp(out, in, 256) ? "no" : "yes");
    MUST(cuMemFree(part));
    MUST(cuMemsetD8(buffer, 0xff, N));
    MUST(cuMemFree(buffer));
    MUST(cuMemcpyAtoH(out, level, 0, 256));
    printf("and the same memory: %s\n", out[0] == 0xffffffff && out[63] == 0xffffffff ? "yes" : "no");
    printf("destroy the array: %s\n", name(cuMipmappedArrayDestroy(mipmap)));
    printf("NULL: %s\n", name(cuExternalMemoryGetMappedMipmappedArray(&mipmap, NULL, &desc)));
    size_t free_before, free_after, total;
    MUST(cuMemGetInfo(&free_before, &total));
    for (int i = 0; i < 100; i++) {
        memory = import();
        desc.offset = 0;
        MUST(cuExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &desc));
        MUST(cuMipmappedArrayDestroy(mipmap));
        MUST(cuDestroyExternalMemory(memory));
    }
    MUST(cuMemGetInfo(&free_after, &total));
    printf("a hundred imports leave nothing behind: %s\n", free_after >= free_before ? "yes" : "no");
    MUST(cuDevicePrimaryCtxRelease(0));
    return 0;
}
