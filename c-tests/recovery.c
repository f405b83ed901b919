/* A kernel has failed: nothing gets the process a context again, on any device. Not a reset, not to give the primary context
 * back, not to destroy all. A new process is well. */
#include "check.h"

static const char code[] = ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry fine(.param .u64 p) { .reg .u64 %a; ld.param.u64 %a, [p]; st.global.u32 [%a], 5; ret; }\n"
    ".visible .entry fails(.param .u64 p) { .reg .u64 %a; mov.u64 %a, 64; st.global.u32 [%a], 5; ret; }\n";

static CUmodule module;

static CUresult launch(const char *what, CUdeviceptr room)
{
    CUfunction f;
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&f, module, what));
    return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&room}, NULL);
}

static void fails(void)
{
    SHOW(launch("fails", 0));
    SHOW(cuCtxSynchronize());
}

static void works(void)
{
    CUdeviceptr room;
    unsigned v = 0;
    begin();
    OK(cuMemAlloc(&room, 4));
    SHOW(launch("fine", room));
    SHOW(cuMemcpyDtoH(&v, room, 4));
    printf("%u\n", v);
}

static const char *kept(const void *p) { return p == (void *)7 ? "untouched" : p ? "one" : "none"; }

/* What calls answer that need no context, and those that make one. */
static void over(void)
{
    CUcontext now = (CUcontext)7, c = (CUcontext)7;
    CUdevResource all;
    CUdevResourceDesc some;
    CUgreenCtx green = (CUgreenCtx)7;
    CUmemGenericAllocationHandle memory;
    CUmemAllocationProp kind = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}};
    CUmemoryPool pool;
    CUlibrary library;
    CUdeviceptr p;
    unsigned flags = 7;
    int active = 7, n;
    SHOW(cuCtxGetCurrent(&now));
    printf("  %s\n", kept(now));
    SHOW(cuCtxSynchronize());
    SHOW(cuMemAlloc(&p, 16));
    SHOW(cuModuleUnload(module));
    SHOW(cuDeviceGetCount(&n));
    SHOW(cuDeviceGetDefaultMemPool(&pool, 0));
    SHOW(cuDeviceGraphMemTrim(0));
    SHOW(cuMemCreate(&memory, 2 << 20, &kind, 0));
    SHOW(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    SHOW(cuDevResourceGenerateDesc(&some, &all, 1));
    SHOW(cuGreenCtxCreate(&green, some, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    printf("  %s\n", kept(green));
    SHOW(cuDevicePrimaryCtxSetFlags(0, 0));
    SHOW(cuDevicePrimaryCtxRetain(&c, 0));
    printf("  %s\n", kept(c));
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("  %u %d\n", flags, active);
    SHOW(cuCtxCreate(&c, NULL, 0, 0));
    printf("  %s\n", kept(c));
    SHOW(cuCtxSetCurrent(now));
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuInit(0));
    SHOW(cuDevicePrimaryCtxRetain(&c, 0));
}

static void by_reset(void)
{
    begin();
    fails();
    SHOW(cuDevicePrimaryCtxReset(0));
    over();
}

/* Before anybody has waited for the kernel: the reset does. */
static void by_early_reset(void)
{
    begin();
    SHOW(launch("fails", 0));
    SHOW(cuDevicePrimaryCtxReset(0));
    over();
}

static void by_release(void)
{
    begin();
    fails();
    SHOW(cuDevicePrimaryCtxRelease(0));
    over();
}

static void by_destruction(void)
{
    CUcontext first, second;
    OK(cuInit(0));
    OK(cuCtxCreate(&second, NULL, 0, 0));
    OK(cuCtxCreate(&first, NULL, 0, 0));
    fails();
    SHOW(cuCtxDestroy(first));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxCreate(&first, NULL, 0, 0));
    SHOW(cuCtxDestroy(second));
    over();
}

/* A device that no kernel has used. */
static void by_another_device(void)
{
    CUcontext before, after;
    CUdeviceptr p;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&before, 1));
    begin();
    fails();
    SHOW(cuCtxSetCurrent(before));
    SHOW(cuCtxSynchronize());
    SHOW(cuMemAlloc(&p, 4));
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuCtxSynchronize());
    SHOW(cuDevicePrimaryCtxReset(1));
    SHOW(cuDevicePrimaryCtxRetain(&after, 1));
    SHOW(cuCtxSynchronize());
    SHOW(cuMemAlloc(&p, 4));
}

static void by_a_new_device(void)
{
    CUcontext after;
    begin();
    fails();
    SHOW(cuDevicePrimaryCtxRetain(&after, 1));
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuDevicePrimaryCtxRetain(&after, 1));
}

/* How many devices there are, asked in a process of its own: the others begin without a driver. */
static int devices(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        int n = 0;
        OK(cuInit(0));
        OK(cuDeviceGetCount(&n));
        _exit(n);
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

int main(void)
{
    setenv("DOPPEL_LOG", "off", 1);
    setenv("DOPPEL_DEVICES", "2", 0);
    apart("by a reset", by_reset);
    apart("by an early reset", by_early_reset);
    apart("by release", by_release);
    apart("by destruction", by_destruction);
    if (devices() < 2) skip("the rest is about two devices");
    apart("by another device", by_another_device);
    apart("by a new device", by_a_new_device);
    apart("in a new process", works);
    return 0;
}
