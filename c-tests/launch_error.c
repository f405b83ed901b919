/* Kernels that go wrong: the error, that it stays, and what works meanwhile. */
#include "check.h"

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
#define KERNEL(name, body) ".visible .entry " name "(.param .u64 p) {\n.reg .u64 %rd<4>; .reg .u32 %r<4>; .reg .pred %q<2>;\nld.param.u64 %rd1, [p];\n" body " ret; }\n"
static const char code[] = HEAD ".global .u32 sink;\n"
    KERNEL("fine", "mov.u32 %r1, 5; st.global.u32 [%rd1], %r1;")
    KERNEL("store", "st.global.u32 [%rd1], 5;")
    KERNEL("load", "ld.global.u32 %r1, [%rd1]; mov.u64 %rd2, 64; st.global.u32 [%rd1], %r1;")
    KERNEL("generic", "ld.u32 %r1, [%rd1]; st.u32 [%rd1], %r1;")
    KERNEL("reduce", "red.global.add.u32 [%rd1], 1;")
    KERNEL("shared", ".shared .align 16 .b8 s[64]; cvt.u32.u64 %r1, %rd1; mov.u32 %r2, s; add.u32 %r1, %r1, %r2; st.volatile.shared.u32 [%r1], 5;")
    KERNEL("local", ".local .align 16 .b8 l[64]; cvt.u32.u64 %r1, %rd1; mov.u32 %r2, l; add.u32 %r1, %r1, %r2; st.local.u32 [%r1], 5; ld.local.u32 %r2, [l+8]; st.global.u32 [sink], %r2;")
    KERNEL("traps", "trap;")
    KERNEL("sleeps", "mov.u32 %r1, 0; L: nanosleep.u32 1000000; add.u32 %r1, %r1, 1; setp.lt.u32 %q1, %r1, 100; @%q1 bra L; st.global.u32 [%rd1], 6;")
    KERNEL("late", "mov.u32 %r1, 0; L: nanosleep.u32 1000000; add.u32 %r1, %r1, 1; setp.lt.u32 %q1, %r1, 500; @%q1 bra L; trap;")
    ".func target() { ret; }\n"
    KERNEL("jumps", "proto: .callprototype _ (); call %rd1, (), proto;");

static CUmodule module;
static CUdeviceptr room;
static const char *const names[] = {"fine", "store", "load", "generic", "reduce", "shared", "local", "traps", "sleeps", "late", "jumps"};
static CUfunction functions[11];

static void load(void)
{
    OK(cuModuleLoadData(&module, code));
    for (int i = 0; i < 11; i++) OK(cuModuleGetFunction(&functions[i], module, names[i]));
    OK(cuMemAlloc(&room, 4096));
}
static void start(void)
{
    begin();
    load();
}
static CUfunction function(const char *what)
{
    int i = 0;
    while (strcmp(names[i], what)) i++;
    return functions[i];
}

static CUresult launch(const char *what, CUdeviceptr p, CUstream s)
{
    return cuLaunchKernel(function(what), 1, 1, 1, 1, 1, 1, 0, s, (void *[]){&p}, NULL);
}

static const char *which;
static CUdeviceptr at;
static int in_room;
static void one(void)
{
    start();
    CUresult r = launch(which, in_room ? room + at : at, NULL);
    printf("%s, then %s", name(r), name(cuCtxSynchronize()));
    printf(", then %s\n", name(launch("fine", room, NULL)));
}

static void kind(const char *what, CUdeviceptr p, int inside)
{
    char title[100];
    which = what, at = p, in_room = inside;
    snprintf(title, sizeof title, "%s %s%#llx", what, inside ? "room+" : "", (unsigned long long)p);
    apart(title, one);
}

/* Everything that a program may try with a context that failed. */
static void stays(void)
{
    CUstream s;
    CUevent e;
    CUgraph g;
    CUgraphExec x;
    CUdeviceptr p;
    CUdevice d;
    CUcontext c;
    CUmodule m;
    unsigned v = 0, version;
    int n;
    size_t free, total, limit;
    void *h;
    start();
    OK(cuStreamCreate(&s, 0));
    OK(cuEventCreate(&e, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphInstantiate(&x, g, 0));
    SHOW(launch("traps", 0, NULL));
    SHOW(cuStreamSynchronize(NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuStreamQuery(NULL));
    SHOW(cuStreamQuery(s));
    SHOW(cuStreamSynchronize(s));
    SHOW(cuEventQuery(e));
    SHOW(cuEventRecord(e, s));
    SHOW(cuEventSynchronize(e));
    SHOW(cuMemAlloc(&p, 16));
    SHOW(cuMemHostAlloc(&h, 16, 0));
    SHOW(cuMemcpyDtoH(&v, room, 4));
    SHOW(cuMemcpyHtoD(room, &v, 4));
    SHOW(cuMemsetD8(room, 0, 4));
    SHOW(cuMemGetInfo(&free, &total));
    SHOW(launch("fine", room, NULL));
    SHOW(cuGraphLaunch(x, s));
    CUfunction f;
    SHOW(cuModuleLoadData(&m, code));
    SHOW(cuModuleGetFunction(&f, module, "fine"));
    SHOW(cuStreamCreate(&s, 0));
    SHOW(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
    SHOW(cuCtxGetDevice(&d));
    SHOW(cuCtxGetCurrent(&c));
    SHOW(cuCtxGetApiVersion(c, &version));
    SHOW(cuDeviceGetAttribute(&n, 1, 0));
    SHOW(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function("fine")));
    SHOW(cuGraphExecDestroy(x));
    SHOW(cuGraphDestroy(g));
    SHOW(cuEventDestroy(e));
    SHOW(cuMemFree(room));
    SHOW(cuModuleUnload(module));
    SHOW(cuDevicePrimaryCtxReset(0));
}

/* Contexts of the program: one fails, and with it all others of the device; there is no new one while one of them lives. */
static void contexts(void)
{
    CUcontext first, second;
    unsigned v = 0;
    OK(cuInit(0));
    OK(cuCtxCreate(&first, NULL, 0, 0));
    load();
    CUfunction of_first = function("traps");
    OK(cuCtxCreate(&second, NULL, 0, 0));
    load();
    SHOW(cuCtxPushCurrent(first));
    SHOW(cuLaunchKernel(of_first, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&room}, NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxPopCurrent(NULL));
    SHOW(launch("fine", room, NULL));
    SHOW(cuMemcpyDtoH(&v, room, 4));
    printf("%u\n", v);
    SHOW(cuCtxDestroy(first));
    SHOW(launch("fine", room, NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxCreate(&first, NULL, 0, 0));
    SHOW(cuCtxDestroy(second));
}

/* Which call tells of an error in a stream, when others have work. */
static void streams(void)
{
    CUstream a, b;
    CUevent e, f;
    start();
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&f, CU_EVENT_DISABLE_TIMING));
    SHOW(launch("late", 0, a));
    SHOW(cuEventRecord(e, a));
    SHOW(launch("fine", room, b));
    SHOW(cuEventRecord(f, b));
    SHOW(cuStreamQuery(a));
    SHOW(cuEventSynchronize(e));
    SHOW(cuEventQuery(f));
    SHOW(cuStreamSynchronize(b));
    SHOW(cuStreamDestroy(a));
    SHOW(cuStreamDestroy(b));
    SHOW(cuEventDestroy(e));
}

/* A launch that takes long, one that fails and one behind it: blocking or not. */
static void not_blocking(void)
{
    CUstream s;
    start();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    SHOW(launch("sleeps", room, s));
    SHOW(cuStreamQuery(s));
    SHOW(launch("traps", 0, s));
    SHOW(launch("fine", room, s));
    SHOW(cuStreamSynchronize(s));
}

static void blocking(void)
{
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    not_blocking();
}

static void blocking_graph(void)
{
    CUstream s;
    CUgraph g;
    CUgraphExec x;
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    start();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(launch("sleeps", room, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphLaunch(x, s));
    SHOW(cuStreamQuery(s));
    SHOW(cuStreamSynchronize(s));
}

/* A graph whose second kernel fails. */
static void graph(void)
{
    CUstream s;
    CUgraph g;
    CUgraphExec x;
    start();
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(launch("fine", room, s));
    OK(launch("store", 64, s));
    OK(cuStreamEndCapture(s, &g));
    SHOW(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphLaunch(x, s));
    SHOW(cuStreamSynchronize(s));
    SHOW(cuGraphLaunch(x, s));
    SHOW(cuGraphExecDestroy(x));
}

int main(void)
{
    setenv("DOPPEL_LOG", "off", 1);
    kind("fine", 0, 1);
    kind("store", 0, 0);
    kind("store", 64, 0);
    kind("store", 0x7fffffff0000, 0);
    kind("store", 0xffffffffffff0000, 0);
    kind("load", 64, 0);
    kind("generic", 0, 0);
    kind("generic", 0x8000000000000000, 0);
    kind("reduce", 64, 0);
    kind("store", 1, 1);
    kind("load", 2, 1);
    kind("generic", 1, 1);
    kind("reduce", 2, 1);
    kind("shared", 0, 0);
    kind("shared", 1, 0);
    kind("shared", 1 << 20, 0);
    kind("local", 0, 0);
    kind("local", 2, 0);
    kind("local", 1 << 26, 0);
    kind("traps", 0, 0);
    kind("jumps", 0x123456, 0);
    apart("an error stays", stays);
    apart("a graph", graph);
    apart("several streams", streams);
    apart("blocking", blocking);
    apart("blocking, a graph", blocking_graph);
    apart("not blocking", not_blocking);
    apart("contexts", contexts);
    return 0;
}
