/* A program gets back on its feet after a kernel that failed: by a reset, by giving its context back, by destroying it. On
 * a device under driver 580 none of these helps: the process cannot use it any more. */
#include "check.h"

static const char code[] = ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry fine(.param .u64 p) { .reg .u64 %a; ld.param.u64 %a, [p]; st.global.u32 [%a], 5; ret; }\n"
    ".visible .entry fails(.param .u64 p) { .reg .u64 %a; mov.u64 %a, 64; st.global.u32 [%a], 5; ret; }\n";

static CUfunction function(const char *what)
{
    CUmodule module;
    CUfunction f;
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static CUresult launch(const char *what, CUdeviceptr room)
{
    return cuLaunchKernel(function(what), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&room}, NULL);
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
    OK(cuMemAlloc(&room, 4));
    SHOW(launch("fine", room));
    SHOW(cuMemcpyDtoH(&v, room, 4));
    printf("%u\n", v);
}

static void by_reset(void)
{
    for (int round = 0; round < 2; round++) {
        begin();
        fails();
        SHOW(cuDevicePrimaryCtxReset(0));
        SHOW(cuCtxSynchronize());
        begin();
        works();
    }
}

/* The error is told before anybody has waited for it. */
static void by_early_reset(void)
{
    begin();
    SHOW(launch("fails", 0));
    SHOW(cuDevicePrimaryCtxReset(0));
    begin();
    works();
}

static void by_release(void)
{
    begin();
    fails();
    SHOW(cuDevicePrimaryCtxRelease(0));
    begin();
    works();
}

static void by_destruction(void)
{
    CUcontext first, second;
    OK(cuInit(0));
    OK(cuCtxCreate(&second, NULL, 0, 0));
    OK(cuCtxCreate(&first, NULL, 0, 0));
    fails();
    SHOW(cuCtxDestroy(first));
    SHOW(cuCtxCreate(&first, NULL, 0, 0));
    SHOW(cuCtxDestroy(second));
    SHOW(cuCtxCreate(&first, NULL, 0, 0));
    works();
}

/* In a process of its own: the others begin without a driver. */
static int is_real(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        char device[64] = "";
        OK(cuInit(0));
        OK(cuDeviceGetName(device, sizeof device, 0));
        _exit(strncmp(device, "Doppel", 6) != 0);
    }
    waitpid(pid, &status, 0);
    return status != 0;
}

int main(void)
{
    if (is_real()) skip("a real driver does not recover");
    setenv("DOPPEL_LOG", "off", 1);
    apart("by a reset", by_reset);
    apart("by an early reset", by_early_reset);
    apart("by release", by_release);
    apart("by destruction", by_destruction);
    return 0;
}
