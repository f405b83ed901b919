// cudaLaunchCooperativeKernelMultiDevice, which CUDA 13 has no more: kernels on one device, on several together, and mistakes.
#include "say.h"

static const char text[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    // Each thread writes its number and what it was given.
    ".visible .entry k(.param .u64 p, .param .u32 v) { .reg .b64 %a, %b; .reg .b32 %t, %n, %c, %v; ld.param.u64 %a, [p]; ld.param.u32 %v, [v];\n"
    "mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %t, %c, %n, %t; mul.wide.u32 %b, %t, 4; add.u64 %a, %a, %b;\n"
    "add.u32 %t, %t, %v; st.global.u32 [%a], %t; ret; }\n"
    ".visible .entry other(.param .u64 p, .param .u32 v) { ret; }\n";

enum { BLOCKS = 3, THREADS = 40, MOST = 4 };

// What a compiler makes of kernels: a host function stands for each, and a container holds the text.
static void kernel(void) {}
static void other(void) {}
extern "C" void **__cudaRegisterFatBinary(void *);
extern "C" void __cudaRegisterFatBinaryEnd(void **);
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
static struct {
    unsigned magic;
    unsigned short version, header;
    unsigned long long bytes;
    unsigned short kind, form;
    unsigned entry_header;
    unsigned long long payload;
    unsigned compressed, options;
    unsigned short minor, major;
    unsigned arch;
    unsigned long long name, flags, zero, uncompressed;
    unsigned option_text, option_bytes, none[2];
    char image[(sizeof text + 7) / 8 * 8];
} binary;
static struct { unsigned magic, version; void *binary, *more; } wrapper = {0x466243b1, 1, &binary, NULL};
static void enter(void)
{
    binary.magic = 0xba55ed50, binary.version = 1, binary.header = 16;
    binary.payload = sizeof binary.image, binary.entry_header = 80, binary.bytes = 80 + binary.payload;
    binary.options = 64, binary.option_text = 72;
    binary.kind = 1, binary.form = 0x101, binary.major = 8, binary.arch = 70, binary.flags = 0x11;
    memcpy(binary.image, text, sizeof text);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)kernel, (char *)"k", "k", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, (const char *)other, (char *)"other", "other", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
}

static unsigned *memory[MOST], value[MOST];
static void *arguments[MOST][2];
static cudaLaunchParams list[MOST];

static cudaLaunchParams *fresh(int count)
{
    for (int d = 0; d < count; d++) {
        list[d].func = (void *)kernel;
        list[d].gridDim = dim3(BLOCKS);
        list[d].blockDim = dim3(THREADS);
        list[d].args = arguments[d];
        list[d].sharedMem = 0;
    }
    return list;
}
static void look(int count)
{
    for (int d = 0; d < count; d++) {
        unsigned got[BLOCKS * THREADS];
        int right = 0;
        MUST(cudaSetDevice(d));
        MUST(cudaStreamSynchronize(list[d].stream));
        MUST(cudaMemcpy(got, memory[d], sizeof got, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < BLOCKS * THREADS; i++) right += got[i] == i + value[d];
        printf("device %d: %d of %d\n", d, right, BLOCKS * THREADS);
        MUST(cudaMemset(memory[d], 0, sizeof got));
    }
    MUST(cudaSetDevice(0));
}

int main(void)
{
    int devices = 0;
    cudaLibrary_t library;
    cudaKernel_t handle;
    setenv("DOPPEL_DEVICES", "2", 1);
    enter();
    MUST(cudaGetDeviceCount(&devices));
    if (devices > MOST) devices = MOST;
    MUST(cudaFree(0));
    MUST(cudaLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cudaLibraryGetKernel(&handle, library, "k"));
    for (int d = 0; d < devices; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaStreamCreate(&list[d].stream));
        MUST(cudaMalloc((void **)&memory[d], BLOCKS * THREADS * 4));
        MUST(cudaMemset(memory[d], 0, BLOCKS * THREADS * 4));
        value[d] = 1000 * (unsigned)d + 7;
        arguments[d][0] = &memory[d];
        arguments[d][1] = &value[d];
    }
    MUST(cudaSetDevice(0));

    puts("one device");
    for (unsigned flags = 0; flags < 4; flags++) {
        printf("flags %u: ", flags);
        SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(1), 1, flags));
        look(1);
    }
    SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(1), 1, 4));
    SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(1), 0, 0));
    SAY(cudaLaunchCooperativeKernelMultiDevice(NULL, 0, 0));
    SAY(cudaLaunchCooperativeKernelMultiDevice(NULL, 1, 0));
    SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(1), 1000, 0));
    cudaStream_t stream = list[0].stream;
    fresh(1)->stream = NULL;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    list->stream = cudaStreamLegacy;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    list->stream = cudaStreamPerThread;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    list->stream = stream;
    fresh(1)->func = NULL;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 4));
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1000, 0));
    fresh(1)->func = (void *)handle;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    fresh(1)->func = (void *)other;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    fresh(1)->gridDim = dim3(0, 1, 1);
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    fresh(1)->gridDim = dim3(1 << 20);
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    fresh(1)->blockDim = dim3(2000);
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    fresh(1)->sharedMem = 1 << 20;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    fresh(1)->sharedMem = (size_t)1 << 32;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 1, 0));
    SAY(cudaGetLastError());
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(1), 1, 0));
    cudaGraph_t graph;
    SAY(cudaStreamEndCapture(stream, &graph));
    if (devices < 2) return 0;

    puts("two devices");
    SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(2), 2, 0));
    look(2);
    fresh(2)[1].gridDim = dim3(BLOCKS + 1);
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 2, 0));
    fresh(2)[1].func = (void *)other;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 2, 0));
    cudaStream_t second = list[1].stream;
    fresh(2)[1].stream = stream;
    SAY(cudaLaunchCooperativeKernelMultiDevice(list, 2, 0));
    list[1].stream = second;
    SAY(cudaLaunchCooperativeKernelMultiDevice(fresh(2), 2, 3));
    look(2);
    return 0;
}
