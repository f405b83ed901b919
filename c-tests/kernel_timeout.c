/* Kernels that never end, under the limit of DOPPEL_KERNEL_TIMEOUT: the error, and that everything else goes on. A real
 * device would run them for ever. */
#include "check.h"
#include <pthread.h>

#define KERNEL(name, body) ".visible .entry " name "(.param .u64 p) {\n.reg .u64 %rd<3>; .reg .u32 %r<5>; .reg .pred %q<3>;\nld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n" body " ret; }\n"
static const char code[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    KERNEL("fine", "mov.u32 %r2, 5; st.global.u32 [%rd1], %r2;")
    KERNEL("forever", "L: bra L;")
    KERNEL("computes", "L: add.u32 %r2, %r2, 1; mul.lo.u32 %r2, %r2, %r1; setp.ne.u32 %q1, %r2, -1; @%q1 bra L; bra L;")
    /* Some lanes spin for what others of the warp would do after them; nobody does it. */
    KERNEL("divergent", "setp.lt.u32 %q1, %r1, 7; @%q1 bra D;\nL: ld.volatile.global.u32 %r2, [%rd1+64]; setp.eq.u32 %q2, %r2, 0; @%q2 bra L;\nD:")
    /* A lock that is taken and never given back. */
    KERNEL("deadlock", "L: atom.global.cas.b32 %r2, [%rd1+128], 0, 1; setp.ne.u32 %q1, %r2, 0; @%q1 bra L;")
    /* A barrier for more threads than come. */
    KERNEL("barrier", "setp.lt.u32 %q1, %r1, 32; @%q1 bra D; bar.sync 1, 128;\nD:")
    /* A barrier of the warp that one lane never comes to. */
    KERNEL("warp", "setp.eq.u32 %q1, %r1, 3;\nL: @%q1 bra L; bar.warp.sync 0xffffffff;")
    /* Each block waits for the one behind it, the last one for a block that there is not. */
    KERNEL("blocks", "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2;\nL: ld.acquire.gpu.global.u32 %r3, [%rd2+260]; setp.eq.u32 %q1, %r3, 0; @%q1 bra L; st.release.gpu.global.u32 [%rd2+256], %r3;")
    /* Threads that wait for another warp get what they wait for. */
    KERNEL("table", "setp.ge.u32 %q1, %r1, 32; @%q1 bra S;\nT: .branchtargets W, E;\nW: ld.volatile.global.u32 %r2, [%rd1]; brx.idx %r2, T;\nS: mov.u32 %r2, 1; st.volatile.global.u32 [%rd1], %r2;\nE:")
    /* Backwards by a table, by a call, and by both. */
    KERNEL("tables", "mov.u32 %r2, 0;\nT: .branchtargets W, X;\nX: W: brx.idx %r2, T;")
    ".func tree(.param .u32 n) { .reg .u32 %n; .reg .pred %q; ld.param.u32 %n, [n]; setp.eq.u32 %q, %n, 0; @%q ret; sub.u32 %n, %n, 1;\n"
    "{ .param .u32 m; st.param.u32 [m], %n; call tree, (m); }\n{ .param .u32 m; st.param.u32 [m], %n; call tree, (m); }\n ret; }\n"
    KERNEL("calls", "{ .param .u32 m; st.param.u32 [m], 60; call tree, (m); }")
    /* A warp that runs on beside two that meet again and again. */
    KERNEL("beside", "setp.lt.u32 %q1, %r1, 64; @%q1 bra M;\nL: add.u32 %r2, %r2, 3; bra L;\nM: bar.sync 1, 64; bra M;")
    KERNEL("empty", "")
    /* Each thread launches the kernel it is of. */
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2Memset3DAsync(.param .align 8 .b8 p[32], .param .b32 v, .param .align 8 .b8 e[24], .param .b64 s);\n"
    KERNEL("family", "mov.u32 %r2, 0;\nL: { .reg .b64 %b; .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 o; .param .b64 a; .param .b64 t; .param .b32 e;\n"
        "mov.u64 %b, family; st.param.b64 [f], %b; st.param.b32 [g], 2; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1; st.param.b32 [b], 32; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;\n"
        "call (o), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %b, [o]; st.u64 [%b], %rd1; st.param.b64 [a], %b; mov.u64 %b, 0; st.param.b64 [t], %b;\n"
        "call (e), __cudaCDP2LaunchDeviceV2, (a, t); }\nadd.u32 %r2, %r2, 1; setp.lt.u32 %q1, %r2, 2; @%q1 bra L;")
    /* Slices of one byte, 2^40 of them at one place. */
    KERNEL("fill", "{ .reg .b64 %b; .param .align 8 .b8 p[32]; .param .b32 v; .param .align 8 .b8 n[24]; .param .b64 t; .param .b32 e;\n"
        "st.param.b64 [p], %rd1; mov.u64 %b, 1; st.param.b64 [p+8], %b; st.param.b64 [p+16], %b; st.param.b32 [v], 0; st.param.b64 [n], %b; st.param.b64 [n+8], %b;\n"
        "mov.u64 %b, 0x10000000000; st.param.b64 [n+16], %b; mov.u64 %b, 0; st.param.b64 [p+24], %b; st.param.b64 [t], %b;\n"
        "call (e), __cudaCDP2Memset3DAsync, (p, v, n, t); }")
    KERNEL("sleeper", "L: nanosleep.u32 100000; bra L;");

static CUmodule module;
static CUdeviceptr room;
static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}
static void load(void)
{
    OK(cuModuleLoadData(&module, code));
    OK(cuMemAlloc(&room, 4096));
    OK(cuMemsetD8(room, 0, 4096));
    OK(cuCtxSynchronize());
}
static CUresult launch(const char *what, unsigned blocks, unsigned threads, CUstream s)
{
    return cuLaunchKernel(function(what), blocks, 1, 1, threads, 1, 1, 0, s, (void *[]){&room}, NULL);
}
static void one(const char *what, unsigned blocks, unsigned threads)
{
    CUcontext context;
    OK(cuCtxCreate(&context, NULL, 0, 0));
    load();
    CUresult r = launch(what, blocks, threads, NULL);
    printf("%s, %u blocks of %u: %s, then %s", what, blocks, threads, name(r), name(cuCtxSynchronize()));
    printf(", then %s\n", name(cuStreamQuery(NULL)));
    OK(cuCtxDestroy(context));
}

static CUcontext other;
static void *beside(void *unused)
{
    OK(cuCtxSetCurrent(other));
    for (int i = 0; i < 100; i++) {
        OK(launch("fine", 4, 64, NULL));
        OK(cuCtxSynchronize());
    }
    return unused;
}

static void kernels(void)
{
    OK(cuInit(0));
    one("fine", 1, 1);
    one("forever", 1, 1);
    one("forever", 300, 64);
    one("computes", 2, 100);
    one("divergent", 1, 32);
    one("deadlock", 1, 64);
    one("deadlock", 40, 32);
    one("barrier", 1, 96);
    one("warp", 1, 32);
    one("blocks", 64, 1);
    one("sleeper", 3, 33);
    one("table", 1, 64);
    one("tables", 1, 64);
    one("calls", 1, 40);
    one("beside", 1, 96);
    one("empty", 1000, 1);
    one("empty", 0x7fffffff, 1);
    one("family", 1, 32);
    one("fill", 1, 1);
}

/* Until the time is over, others go on: other streams, other devices. */
static void others(void)
{
    CUcontext first;
    CUstream stream, second;
    CUevent event;
    CUmodule here;
    CUfunction endless;
    pthread_t thread;
    OK(cuInit(0));
    OK(cuCtxCreate(&other, NULL, 0, 1));
    load();
    OK(cuCtxCreate(&first, NULL, 0, 0));
    OK(cuModuleLoadData(&here, code));
    OK(cuModuleGetFunction(&endless, here, "forever"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    SHOW(cuLaunchKernel(endless, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&room}, NULL));
    SHOW(cuEventRecord(event, stream));
    SHOW(cuStreamWaitEvent(second, event, 0));
    SHOW(cuStreamQuery(stream));
    if (pthread_create(&thread, NULL, beside, NULL) || pthread_join(thread, NULL)) exit(1);
    SHOW(cuStreamSynchronize(second));
    SHOW(cuEventQuery(event));
    OK(cuCtxSetCurrent(other));
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuDevicePrimaryCtxRetain(&first, 0));
}

/* With DOPPEL_FAILURE=contexts the error is over when the contexts are gone that have it. */
static void after_a_reset(void)
{
    CUcontext another;
    unsigned v = 0;
    begin();
    load();
    SHOW(launch("forever", 1, 1, NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxCreate(&another, NULL, 0, 0));
    SHOW(cuDevicePrimaryCtxReset(0));
    begin();
    load();
    SHOW(launch("fine", 1, 1, NULL));
    SHOW(cuMemcpyDtoH(&v, room, 4));
    printf("%u\n", v);
}

static void look(void)
{
    char device[64] = "";
    OK(cuInit(0));
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) _exit(SKIPPED);
}

int main(void)
{
    int status = 0;
    setenv("DOPPEL_KERNEL_TIMEOUT", "0.3", 1);
    setenv("DOPPEL_DEVICES", "2", 1);
    setenv("DOPPEL_LOG", "off", 1);
    pid_t pid = fork();
    if (pid == 0) {
        look();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) skip("a real device has no such limit");
    /* One process makes a context for each kernel. */
    setenv("DOPPEL_FAILURE", "contexts", 1);
    apart("each kernel", kernels);
    apart("after a reset", after_a_reset);
    unsetenv("DOPPEL_FAILURE");
    /* The thread beside is to be done by then, also under a tool that makes it slow. */
    setenv("DOPPEL_KERNEL_TIMEOUT", "3", 1);
    apart("beside others", others);
    return 0;
}
