/* What the C tests share: names of errors, calls that are shown with their answer, tests in processes of their own. */
#pragma once
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The name of a result code. */
static inline const char *full_name(CUresult r)
{
    const char *s = "?";
    return cuGetErrorName(r, &s) ? "?" : s;
}

/* The same without CUDA_. */
static inline const char *name(CUresult r)
{
    const char *s = full_name(r);
    /* Newer than the driver, which has no name for it. */
    if (r == 918) return "ERROR_GRAPH_RECAPTURE_FAILURE";
    return strncmp(s, "CUDA_", 5) ? s : s + 5;
}

/* Shows a call and what it answers. */
#define SHOW(call) printf("%s: %s\n", #call, name(call))

/* A call without which the test makes no sense. */
#define OK(call) ok(call, #call)
static inline void ok(CUresult r, const char *what)
{
    if (r) {
        printf("FAILED %s: %s\n", what, name(r));
        exit(1);
    }
}

/* Ends a program that this driver or device cannot run. c-tests/run.sh counts exit status 77 as skipped, with the reason. */
#define SKIPPED 77
static inline void skip(const char *why)
{
    printf("skipped: %s\n", why);
    exit(SKIPPED);
}

/* Ends a process that hangs. Tools that programs run under take many times as long, and say so: TEST_PATIENCE, 1 unless set. */
static inline void limit_time(unsigned seconds)
{
    const char *times = getenv("TEST_PATIENCE");
    alarm(seconds * (times ? (unsigned)atoi(times) : 1));
}

/* Runs a test in a process of its own, which may end as it likes. */
static inline void apart(const char *what, void (*test)(void))
{
    int status = 0;
    printf("-- %s\n", what);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        limit_time(60);
        /* What was said before a crash is to be seen. */
        setvbuf(stdout, NULL, _IONBF, 0);
        test();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) printf("ended by signal %d\n", WTERMSIG(status));
    else if (status) printf("exit status %d\n", WEXITSTATUS(status));
}

/* Lets the first devices read and write what is mapped at an address. */
static inline void let_access(CUdeviceptr at, size_t size, int devices)
{
    CUmemAccessDesc access[8];
    memset(access, 0, sizeof access);
    for (int d = 0; d < devices; d++) {
        access[d].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access[d].location.id = d;
        access[d].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    OK(cuMemSetAccess(at, size, access, (size_t)devices));
}

/* Makes the primary context of the first device current. */
static inline CUcontext begin(void)
{
    CUcontext context;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    return context;
}
