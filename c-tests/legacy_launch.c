/* The launch calls of the first years: block shape, shared memory and parameters belong to the function. And cooperative
 * launches on several devices. */
#include "check.h"

/* add(p, n, b): p[0] += n; p[1] += b; p[2] += threads of the block and blocks of the grid */
static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n, .param .u8 b, .param .f32 f) {\n"
    "    .reg .u32 %r<8>; .reg .u64 %rd<2>; .reg .f32 %f<2>;\n"
    "    ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; ld.param.u8 %r2, [b]; ld.param.f32 %f1, [f];\n"
    "    red.global.add.u32 [%rd1], %r1; red.global.add.u32 [%rd1+4], %r2;\n"
    "    mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y; mov.u32 %r5, %nctaid.x; mov.u32 %r6, %nctaid.y;\n"
    "    st.global.v4.u32 [%rd1+16], {%r3, %r4, %r5, %r6}; mov.u32 %r7, %dynamic_smem_size; st.global.u32 [%rd1+32], %r7;\n"
    "    st.global.f32 [%rd1+36], %f1; ret; }\n"
    ".visible .entry none() { ret; }\n";

static CUdeviceptr memory;

static void result(void)
{
    unsigned v[10];
    float f;
    printf("done: %s", name(cuCtxSynchronize()));
    if (!cuMemcpyDtoH(v, memory, sizeof v)) {
        memcpy(&f, v + 9, 4);
        printf(": %u %u, block %u %u, grid %u %u, shared %u, %g", v[0], v[1], v[4], v[5], v[6], v[7], v[8], f);
    }
    printf("\n");
    cuMemsetD8(memory, 0, 64);
    /* The next launch may be in a stream that does not wait for the memset. */
    cuCtxSynchronize();
}

static CUfunction f;
static CUstream stream;
static void start(void)
{
    CUmodule module;
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&f, module, "add"));
    OK(cuMemAlloc(&memory, 64));
    OK(cuMemsetD8(memory, 0, 64));
    OK(cuCtxSynchronize());
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
}

static void shape(void)
{
    start();
    SHOW(cuFuncSetBlockShape(f, 4, 2, 1));
    SHOW(cuFuncSetBlockShape(f, 0, 2, 1));
    SHOW(cuFuncSetBlockShape(f, -1, 2, 1));
    SHOW(cuFuncSetBlockShape(f, 2048, 1, 1));
    SHOW(cuFuncSetBlockShape(f, 1024, 2, 1));
    SHOW(cuFuncSetBlockShape(f, 1, 1, 65));
    SHOW(cuFuncSetBlockShape(NULL, 1, 1, 1));
    SHOW(cuFuncSetBlockShape(f, 4, 2, 1));
    SHOW(cuFuncSetSharedSize(f, 64));
    SHOW(cuFuncSetSharedSize(f, 1 << 20));
    SHOW(cuFuncSetSharedSize(f, 48 << 10));
    SHOW(cuFuncSetSharedSize(f, 128));
    SHOW(cuFuncSetSharedSize(NULL, 64));
}

static void parameters(void)
{
    start();
    SHOW(cuParamSetSize(f, 20));
    SHOW(cuParamSetSize(f, 0));
    SHOW(cuParamSetSize(f, 4096));
    SHOW(cuParamSetSize(f, 4097));
    SHOW(cuParamSetSize(f, 1 << 20));
    SHOW(cuParamSetSize(NULL, 20));
    SHOW(cuParamSetv(f, 0, &memory, 8));
    SHOW(cuParamSeti(f, 8, 5));
    SHOW(cuParamSeti(f, 9, 5));
    SHOW(cuParamSeti(f, 12, 3));
    SHOW(cuParamSeti(f, 4092, 3));
    SHOW(cuParamSeti(f, 4096, 3));
    SHOW(cuParamSeti(NULL, 0, 3));
    SHOW(cuParamSetf(f, 16, 2.5f));
    SHOW(cuParamSetv(f, 0, NULL, 0));
    SHOW(cuParamSetv(f, 4090, &memory, 8));
}

static void no_memory(void)
{
    start();
    SHOW(cuParamSetv(f, 0, NULL, 8));
}

static void launches(void)
{
    start();
    SHOW(cuFuncSetBlockShape(f, 4, 2, 1));
    SHOW(cuFuncSetSharedSize(f, 128));
    SHOW(cuParamSetSize(f, 20));
    SHOW(cuParamSetv(f, 0, &memory, 8));
    SHOW(cuParamSeti(f, 8, 5));
    SHOW(cuParamSeti(f, 12, 3));
    SHOW(cuParamSetf(f, 16, 2.5f));
    SHOW(cuLaunch(f));
    result();
    SHOW(cuLaunchGrid(f, 3, 2));
    result();
    SHOW(cuLaunchGrid(f, 0, 2));
    SHOW(cuLaunchGrid(f, -1, 2));
    SHOW(cuLaunchGrid(f, 1, 65536));
    SHOW(cuLaunchGridAsync(f, 2, 5, stream));
    result();
    SHOW(cuLaunchGridAsync(f, 2, 5, NULL));
    result();
    SHOW(cuLaunch(NULL));
    SHOW(cuLaunchGrid(NULL, 1, 1));
    printf("-- sizes that differ\n");
    SHOW(cuParamSetSize(f, 12));
    SHOW(cuLaunch(f));
    result();
    SHOW(cuParamSetSize(f, 24));
    SHOW(cuLaunch(f));
    result();
    SHOW(cuParamSetSize(f, 20));
    printf("-- beside today's call\n");
    unsigned n = 1;
    unsigned char b = 1;
    float x = 1;
    SHOW(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&memory, &n, &b, &x}, NULL));
    result();
    SHOW(cuLaunch(f));
    result();
    printf("-- in a capture\n");
    CUgraph graph = NULL;
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuLaunchGridAsync(f, 1, 1, stream));
    SHOW(cuStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    SHOW(cuGraphGetNodes(graph, NULL, &nodes));
    printf("%zu\n", nodes);
    SHOW(cuGraphDestroy(graph));
}

static void no_shape(void)
{
    start();
    SHOW(cuParamSetSize(f, 20));
    SHOW(cuParamSetv(f, 0, &memory, 8));
    SHOW(cuLaunchGrid(f, 1, 1));
    result();
}

static void no_parameters(void)
{
    start();
    SHOW(cuFuncSetBlockShape(f, 4, 2, 1));
    SHOW(cuLaunchGrid(f, 1, 1));
    printf("%s\n", name(cuCtxSynchronize()));
}

static void of_kernels(void)
{
    CUlibrary library;
    CUkernel kernel;
    begin();
    OK(cuMemAlloc(&memory, 64));
    OK(cuMemsetD8(memory, 0, 64));
    OK(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "add"));
    CUfunction k = (CUfunction)kernel;
    SHOW(cuFuncSetBlockShape(k, 3, 1, 1));
    SHOW(cuParamSetSize(k, 20));
    SHOW(cuParamSetv(k, 0, &memory, 8));
    SHOW(cuParamSeti(k, 8, 5));
    SHOW(cuLaunch(k));
    result();
    SHOW(cuLibraryUnload(library));
}

static void textures(void)
{
    CUtexref texture;
    start();
    OK(cuTexRefCreate(&texture));
    SHOW(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, texture));
    SHOW(cuParamSetTexRef(f, 0, texture));
    SHOW(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, NULL));
    SHOW(cuParamSetTexRef(NULL, CU_PARAM_TR_DEFAULT, texture));
}

static void several_devices(void)
{
    start();
    unsigned n = 7;
    unsigned char b = 2;
    float x = 0.5f;
    void *parameters[] = {&memory, &n, &b, &x};
    CUDA_LAUNCH_PARAMS p[2];
    memset(p, 0, sizeof p);
    for (int i = 0; i < 2; i++) {
        p[i].function = f;
        p[i].gridDimX = 2, p[i].gridDimY = p[i].gridDimZ = 1;
        p[i].blockDimX = 3, p[i].blockDimY = p[i].blockDimZ = 1;
        p[i].hStream = stream;
        p[i].kernelParams = parameters;
    }
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 0));
    result();
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 1));
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 2));
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 3));
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 4));
    result();
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 0, 0));
    SHOW(cuLaunchCooperativeKernelMultiDevice(NULL, 1, 0));
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 2, 0));
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 99, 0));
    p[0].hStream = NULL;
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 0));
    p[0].hStream = CU_STREAM_PER_THREAD;
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 0));
    p[0].hStream = stream, p[0].gridDimX = 1000000;
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 0));
    p[0].gridDimX = 0;
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 0));
    p[0].gridDimX = 1, p[0].function = NULL;
    SHOW(cuLaunchCooperativeKernelMultiDevice(p, 1, 0));
    SHOW(cuCtxSynchronize());
}

int main(void)
{
    apart("shape", shape);
    apart("parameters", parameters);
    apart("no memory", no_memory);
    apart("launches", launches);
    apart("no shape", no_shape);
    apart("no parameters", no_parameters);
    apart("kernels of libraries", of_kernels);
    apart("texture references", textures);
    apart("several devices", several_devices);
    return 0;
}
