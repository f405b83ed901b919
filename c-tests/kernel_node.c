/* Kernel nodes of graphs: functions and kernels of libraries, parameters, attributes, changes, switching off. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}
#define SHOW(call) printf("%s: %s\n", #call, name(call))

/* add(p, n): p[0] += n; p[1] += byte */
static const char code[] = ".version 7.0\n"
                           ".target sm_70\n"
                           ".address_size 64\n"
                           ".visible .entry add(.param .u64 p, .param .u8 b, .param .u32 n)\n"
                           "{\n"
                           "    .reg .u32 %r<4>;\n"
                           "    .reg .u64 %rd<3>;\n"
                           "    ld.param.u64 %rd1, [p];\n"
                           "    cvta.to.global.u64 %rd2, %rd1;\n"
                           "    ld.param.u8 %r1, [b];\n"
                           "    ld.param.u32 %r2, [n];\n"
                           "    red.global.add.u32 [%rd2], %r2;\n"
                           "    red.global.add.u32 [%rd2+4], %r1;\n"
                           "    ret;\n"
                           "}\n"
                           ".visible .entry none() { ret; }\n";

static CUdeviceptr memory;
static CUfunction function;
static CUkernel kernel;
static CUcontext context;

static void run(CUgraph graph)
{
    CUgraphExec exec = NULL;
    unsigned v[2] = { 0, 0 };
    cuMemsetD32(memory, 0, 2);
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, NULL));
    cuMemcpyDtoH(v, memory, 8);
    printf("%u %u\n", v[0], v[1]);
    cuGraphExecDestroy(exec);
}

static void tell(CUgraphNode node)
{
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0xee, sizeof p);
    CUresult r = cuGraphKernelNodeGetParams_v2(node, &p);
    if (r) {
        printf("parameters: %s\n", name(r));
        return;
    }
    printf("function %s, kernel %s, context %s, ", !p.func ? "none" : p.func == function ? "the same" : (void *)p.func == (void *)kernel ? "the kernel" : "another",
           !p.kern ? "none" : p.kern == kernel ? "the same" : "another", !p.ctx ? "none" : p.ctx == context ? "current" : "another");
    printf("grid %u %u %u, block %u %u %u, shared %u, extra %s", p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX,
           p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.extra ? "some" : "none");
    if (p.kernelParams)
        printf(", parameters %d %d %u", *(CUdeviceptr *)p.kernelParams[0] == memory, *(unsigned char *)p.kernelParams[1],
               *(unsigned *)p.kernelParams[2]);
    printf("\n");
}

int main(void)
{
    CUdevice device;
    CUmodule module;
    CUlibrary library;
    CUgraph graph, clone;
    CUgraphNode a, b, c;
    CUgraphExec exec;
    CUstream stream;
    cuInit(0);
    cuDeviceGet(&device, 0);
    if (cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    if (cuModuleLoadData(&module, code) || cuModuleGetFunction(&function, module, "add")) return 1;
    if (cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0) || cuLibraryGetKernel(&kernel, library, "add")) return 1;
    cuMemAlloc(&memory, 8);
    cuGraphCreate(&graph, 0);
    unsigned n = 5;
    unsigned char byte = 3;
    void *values[] = { &memory, &byte, &n };
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.func = function;
    p.gridDimX = p.gridDimY = p.gridDimZ = 1;
    p.blockDimX = 4, p.blockDimY = 2, p.blockDimZ = 1;
    p.kernelParams = values;
    printf("-- adding\n");
    SHOW(cuGraphAddKernelNode_v2(&a, graph, NULL, 0, &p));
    tell(a);
    p.func = NULL, p.kern = kernel, n = 7;
    SHOW(cuGraphAddKernelNode_v2(&b, graph, &a, 1, &p));
    tell(b);
    p.ctx = context, n = 100;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, &a, 1, &p));
    tell(c);
    n = 0;
    run(graph);
    SHOW(cuGraphAddKernelNode_v2(NULL, graph, NULL, 0, &p));
    SHOW(cuGraphAddKernelNode_v2(&c, NULL, NULL, 0, &p));
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, NULL));
    p.kern = NULL;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, &p));
    p.func = function, p.ctx = NULL, p.blockDimX = 2048;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, &p));
    p.blockDimX = 0;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, &p));
    p.blockDimX = 1, p.sharedMemBytes = 1 << 20;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, &p));
    p.sharedMemBytes = 0, p.kernelParams = NULL;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, &p));
    size_t bytes = 16;
    char packed[16];
    memset(packed, 0, sizeof packed);
    memcpy(packed, &memory, 8);
    packed[8] = 1;
    unsigned eleven = 11;
    memcpy(packed + 12, &eleven, 4);
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };
    p.extra = extra;
    SHOW(cuGraphAddKernelNode_v2(&c, graph, NULL, 0, &p));
    tell(c);
    SHOW(cuGraphKernelNodeGetParams_v2(c, NULL));

    printf("-- changing\n");
    p.extra = NULL, p.kernelParams = values, n = 1000, p.gridDimX = 2;
    SHOW(cuGraphKernelNodeSetParams_v2(a, &p));
    tell(a);
    SHOW(cuGraphKernelNodeSetParams_v2(NULL, &p));
    run(graph);
    CUgraphNodeType type;
    SHOW(cuGraphNodeGetType(a, &type));
    printf("%d\n", (int)type);
    cuGraphInstantiate(&exec, graph, 0);
    n = 10000;
    SHOW(cuGraphExecKernelNodeSetParams_v2(exec, a, &p));
    unsigned on = 9;
    SHOW(cuGraphNodeGetEnabled(exec, a, &on));
    printf("%u\n", on);
    SHOW(cuGraphNodeSetEnabled(exec, b, 0));
    unsigned v[2];
    cuMemsetD32(memory, 0, 2);
    SHOW(cuGraphLaunch(exec, NULL));
    cuMemcpyDtoH(v, memory, 8);
    printf("%u %u\n", v[0], v[1]);
    SHOW(cuGraphClone(&clone, graph));
    run(clone);
    CUgraphExecUpdateResultInfo info;
    SHOW(cuGraphExecUpdate(exec, clone, &info));
    cuMemsetD32(memory, 0, 2);
    SHOW(cuGraphLaunch(exec, NULL));
    cuMemcpyDtoH(v, memory, 8);
    printf("%u %u\n", v[0], v[1]);

    printf("-- attributes\n");
    CUlaunchAttributeValue value;
    memset(&value, 0xee, sizeof value);
    SHOW(cuGraphKernelNodeGetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    printf("%d\n", value.cooperative);
    SHOW(cuGraphKernelNodeGetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    printf("%d\n", value.priority);
    value.priority = -1;
    SHOW(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    SHOW(cuGraphKernelNodeGetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    printf("%d\n", value.priority);
    SHOW(cuGraphKernelNodeCopyAttributes(b, a));
    SHOW(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    printf("%d\n", value.priority);
    SHOW(cuGraphKernelNodeGetAttribute(a, (CUlaunchAttributeID)99, &value));

    printf("-- captured\n");
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    n = 3;
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuLaunchKernel(function, 1, 2, 3, 4, 1, 1, 0, stream, values, NULL));
    SHOW(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, values, NULL));
    SHOW(cuStreamEndCapture(stream, &clone));
    CUgraphNode nodes[4];
    size_t count = 4;
    SHOW(cuGraphGetNodes(clone, nodes, &count));
    for (size_t i = 0; i < count; i++) tell(nodes[i]);
    run(clone);

    printf("-- of any kind\n");
    CUgraphNodeParams any;
    memset(&any, 0, sizeof any);
    any.type = CU_GRAPH_NODE_TYPE_KERNEL;
    any.kernel.func = function;
    any.kernel.gridDimX = any.kernel.gridDimY = any.kernel.gridDimZ = 1;
    any.kernel.blockDimX = any.kernel.blockDimY = any.kernel.blockDimZ = 1;
    any.kernel.kernelParams = values;
    SHOW(cuGraphAddNode_v2(&c, clone, NULL, NULL, 0, &any));
    tell(c);
    any.kernel.gridDimX = 5;
    SHOW(cuGraphNodeSetParams(c, &any));
    tell(c);
    run(clone);
    printf("-- gone\n");
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuModuleUnload(module));
    SHOW(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    SHOW(cuGraphDestroy(graph));
    SHOW(cuGraphDestroy(clone));
    SHOW(cuStreamDestroy(stream));
    SHOW(cuLibraryUnload(library));
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
