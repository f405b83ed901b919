/* Core dumps of kernels: settings that read back, a kernel that goes wrong, callbacks, and dumps that are asked for. */
#include "check.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static const char code[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".file 1 \"stencil.cu\"\n"
    ".func step(.param .u64 at) {\n.reg .u64 %rd<3>; .reg .u32 %r<3>;\n.loc 1 40 0\nld.param.u64 %rd1, [at];\nmov.u32 %r1, 7;\n.loc 1 41 0\nst.global.u32 [%rd1+8], %r1;\nret; }\n"
    ".visible .entry wild(.param .u64 p, .param .u32 n) {\n"
    ".reg .u64 %rd<4>; .reg .u32 %r<6>; .reg .f32 %f<3>; .reg .pred %q<2>;\n"
    ".shared .align 16 .b8 tile[256]; .local .align 16 .b8 own[16];\n"
    ".loc 1 10 0\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.f32 %f1, 0f3FC00000;\nadd.u32 %r2, %r1, 100;\nst.local.u32 [own], %r2;\nst.shared.u32 [tile+4], %r2;\n"
    "mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, 64, %r1; setp.ne.u32 %q1, %r3, 37;\n@%q1 bra done;\n.loc 1 20 0\n{ .param .u64 at; st.param.u64 [at], %rd1; call step, (at); }\ndone: ret; }\n"
    ".visible .entry spin(.param .u64 p, .param .u32 n) {\n.reg .u64 %rd<3>; .reg .u32 %r<3>; .reg .pred %q<2>;\nld.param.u64 %rd1, [p];\n"
    ".loc 1 60 0\nagain: ld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.u32 %q1, %r1, 0;\n@%q1 bra again;\nret; }\n";

static char folder[64] = "/tmp/doppel_core_XXXXXX", file[128];

static void started(void *data, int pid, CUdevice dev) { printf("start of %s, own process %d, device %d\n", (char *)data, pid == getpid(), dev); fflush(stdout); }
static void ended(void *data, int pid, CUdevice dev) { printf("end of %s, own process %d, device %d, the file is there %d\n", (char *)data, pid == getpid(), dev, !access(file, R_OK)); fflush(stdout); }

static void waits(void *data, int pid, CUdevice dev) { (void)data; (void)pid; (void)dev; printf("inside: "); SHOW(cuCtxSynchronize()); fflush(stdout); }

static void launch(const char *kernel, CUdeviceptr p)
{
    CUmodule m; CUfunction f; unsigned n = 3;
    OK(cuModuleLoadData(&m, code));
    OK(cuModuleGetFunction(&f, m, kernel));
    OK(cuLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&p, &n}, NULL));
}

/* Shows those lines of a dump's description that begin with a word, without what differs from run to run. */
static void show(const char *const *words)
{
    char *text = calloc(1, 1 << 22);
    FILE *f = fopen(file, "rb");
    if (!f) { printf("there is no dump\n"); free(text); return; }
    size_t n = fread(text, 1, (1 << 22) - 1, f);
    fclose(f);
    printf("ELF %d, type %d\n", !memcmp(text, "\177ELF", 4), text[16]);
    char *at = memmem(text, n, "core\t1\n", 7);
    for (char *line = at ? strtok(at, "\n") : NULL; line && *line && (size_t)(line - text) < n; line = strtok(NULL, "\n"))
        for (int i = 0; words[i]; i++)
            if (!strncmp(line, words[i], strlen(words[i]))) printf("%s\n", line);
    free(text);
}

static void by_environment(void)
{
    setenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1", 1);
    setenv("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", "1", 1);
    setenv("CUDA_COREDUMP_FILE", file, 1);
    CUcontext c; CUcoredumpCallbackHandle a, b;
    OK(cuInit(0)); OK(cuDevicePrimaryCtxRetain(&c, 0)); OK(cuCtxSetCurrent(c));
    OK(cuCoredumpRegisterStartCallback(started, "the dump", &a));
    OK(cuCoredumpRegisterCompleteCallback(ended, "the dump", &b));
    SHOW(cuCoredumpDeregisterStartCallback(b));
    launch("wild", 0x10);
    cuCtxSynchronize();
    printf("it goes on\n");
}

static void by_program(void)
{
    CUcontext c; CUcoredumpCallbackHandle waiting; unsigned char on = 1; size_t one = 1, four = 4, n = strlen(file) + 1; unsigned flags = CU_COREDUMP_SKIP_ABORT | CU_COREDUMP_SKIP_GLOBAL_MEMORY;
    OK(cuInit(0)); OK(cuCtxCreate(&c, NULL, 0, 0));
    OK(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &one));
    OK(cuCoredumpSetAttribute(CU_COREDUMP_FILE, file, &n));
    OK(cuCoredumpSetAttribute(CU_COREDUMP_GENERATION_FLAGS, &flags, &four));
    OK(cuCoredumpRegisterStartCallback(waits, NULL, &waiting));
    launch("wild", 0x10);
    SHOW(cuCtxSynchronize());
}

static void not_asked(void)
{
    CUcontext c; size_t n = strlen(file) + 1;
    OK(cuInit(0)); OK(cuCtxCreate(&c, NULL, 0, 0));
    OK(cuCoredumpSetAttribute(CU_COREDUMP_FILE, file, &n));
    launch("wild", 0x10);
    SHOW(cuCtxSynchronize());
}

static void by_user(void)
{
    char pipe[160];
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    setenv("CUDA_ENABLE_USER_TRIGGERED_COREDUMP", "1", 1);
    setenv("CUDA_COREDUMP_PIPE", pipe, 1);
    setenv("CUDA_COREDUMP_FILE", file, 1);
    CUcontext c; void *h; CUdeviceptr d;
    OK(cuInit(0)); OK(cuDevicePrimaryCtxRetain(&c, 0)); OK(cuCtxSetCurrent(c));
    OK(cuMemHostAlloc(&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP)); memset(h, 0, 4096); OK(cuMemHostGetDevicePointer(&d, h, 0));
    launch("spin", d);
    int to = open(pipe, O_WRONLY);
    printf("the pipe is there %d\n", to >= 0);
    fflush(stdout);
    if (to >= 0 && write(to, "1", 1) != 1) printf("it takes nothing\n");
    cuCtxSynchronize();
    printf("it goes on\n");
}

static void settings(void)
{
    CUcontext c; char text[1024]; size_t n; unsigned flags; unsigned char one;
    OK(cuInit(0));
    n = 1; SHOW(cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &one, &n)); printf("enabled %d\n", one);
    SHOW(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &one, &n));
    one = 1; SHOW(cuCoredumpSetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, &one, &n));
    n = 4; SHOW(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &n)); printf("flags %#x\n", flags);
    n = 3; SHOW(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &n));
    n = 20; SHOW(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, "/tmp/a%%b%x", &n));
    n = 1024; SHOW(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, text, &n)); printf("file %s\n", text);
    OK(cuCtxCreate(&c, NULL, CU_CTX_COREDUMP_ENABLE, 0));
    n = 1; SHOW(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &one, &n)); printf("enabled %d\n", one);
    SHOW(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_USER_TRIGGER, &one, &n));
    SHOW(cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT, NULL, &n)); printf("size %zu\n", n);
    SHOW(cuCoredumpRegisterStartCallback(NULL, NULL, NULL));
    SHOW(cuCoredumpDeregisterCompleteCallback(NULL));
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/core", folder);
    apart("settings", settings);
    apart("by the environment", by_environment);
    show((const char *const[]){"fault", "kernel", "block", "threads", "line", "access", "address", "frame", "register\t%r2", "register\t%f1", "register\t%q1", "register\t%r1", "warp", NULL});
    unlink(file);
    apart("by the program, which goes on", by_program);
    show((const char *const[]){"fault", "access", NULL});
    unlink(file);
    apart("not asked for", not_asked);
    show((const char *const[]){NULL});
    apart("by the user", by_user);
    show((const char *const[]){"fault", "kernel", "frame", NULL});
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}
