// cudaSetDeviceFlags makes the primary context and makes it current; the flags go with the context. As on an H200.
#include "say.h"
#include <cuda.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void state()
{
    typedef CUresult (*State)(CUdevice, unsigned *, int *);
    typedef CUresult (*Current)(CUcontext *);
    unsigned flags = 99;
    int active = 99;
    CUcontext current = NULL;
    CUresult r = ((State)entry("cuDevicePrimaryCtxGetState", 7000))(0, &flags, &active);
    ((Current)entry("cuCtxGetCurrent", 12000))(&current);
    printf("  %d: flags %u, %sactive, %s current\n", r, flags, active ? "" : "not ", current ? "one" : "none");
}

static void get()
{
    unsigned flags = 99;
    SAY(cudaGetDeviceFlags(&flags));
    printf("%u\n", flags);
}

static void fresh()
{
    SAY(cudaSetDeviceFlags(4));
    state();
    get();
    SAY(cudaSetDeviceFlags(0));
    state();
    get();
}

static void in_another_thread()
{
    SAY(cudaFree(0));
    std::thread([] {
        SAY(cudaSetDeviceFlags(4));
        state();
        get();
    }).join();
    SAY(cudaDeviceReset());
    state();
    SAY(cudaSetDeviceFlags(4));
    state();
}

static void after_a_reset()
{
    SAY(cudaSetDevice(0));
    state();
    SAY(cudaDeviceReset());
    state();
    SAY(cudaSetDeviceFlags(4));
    state();
    get();
    SAY(cudaDeviceReset());
    SAY(cudaInitDevice(0, 4, cudaInitDeviceFlagsAreValid));
    state();
}

static void under_a_context_of_the_programs_own()
{
    typedef CUresult (*Create)(CUcontext *, unsigned, CUdevice);
    CUcontext own;
    SAY(cudaFree(0));
    SAY(cudaDeviceReset());
    printf("create: %d\n", ((Create)entry("cuCtxCreate", 3020))(&own, 0, 0));
    SAY(cudaSetDeviceFlags(4));
    state();
    get();
}

static void none_current()
{
    typedef CUresult (*Set)(CUcontext);
    SAY(cudaInitDevice(0, 0, 0));
    state();
    SAY(cudaSetDeviceFlags(1));
    state();
    printf("set: %d\n", ((Set)entry("cuCtxSetCurrent", 12000))(NULL));
    SAY(cudaSetDeviceFlags(16));
    state();
    SAY(cudaSetDeviceFlags(3));
    SAY(cudaSetDeviceFlags(0x80));
    state();
}

static void apart(const char *what, void (*test)())
{
    printf("%s\n", what);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        test();
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    if (status) printf("status %#x\n", status);
}

int main()
{
    apart("fresh", fresh);
    apart("in another thread", in_another_thread);
    apart("after a reset", after_a_reset);
    apart("under a context of the program's own", under_a_context_of_the_programs_own);
    apart("none current", none_current);
    return 0;
}
