/* Compiled kernels: perf finds their names, and where the system refuses executable memory they are interpreted. */
#include "check.h"
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 factor = 2;\n"
    ".visible .entry sums(.param .u64 p) { .reg .u64 %rd<3>; .reg .u32 %r<4>; .reg .pred %q;\n"
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
    "L: add.u32 %r2, %r2, %r3; add.u32 %r3, %r3, 1; setp.le.u32 %q, %r3, %r1; @%q bra L; st.global.u32 [%rd1], %r2; ret; }\n"
    ".visible .entry twice(.param .u64 p) { .reg .u64 %rd<3>; .reg .u32 %r<4>;\n"
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
    "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [factor]; mul.lo.u32 %r2, %r2, %r3; st.global.u32 [%rd1], %r2; ret; }\n";

/* Runs both kernels; true if the results are right. */
static int run(void)
{
    enum { N = 100 };
    CUmodule module;
    CUfunction sums, twice;
    CUdeviceptr p;
    unsigned v[N];
    begin();
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&sums, module, "sums"));
    OK(cuModuleGetFunction(&twice, module, "twice"));
    OK(cuMemAlloc(&p, sizeof v));
    OK(cuLaunchKernel(sums, 1, 1, 1, N, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    OK(cuLaunchKernel(twice, 1, 1, 1, N, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    OK(cuMemcpyDtoH(v, p, sizeof v));
    for (unsigned i = 0; i < N; i++)
        if (v[i] != i * (i + 1)) return 0;
    return 1;
}

/* Lines of a file that contain a word. */
static int lines(FILE *file, const char *word)
{
    char line[2100];
    int found = 0;
    while (file && fgets(line, sizeof line, file)) found += strstr(line, word) != NULL;
    return found;
}

/* No memory becomes executable from now on. False if that cannot be had. */
static int refuse_executable_memory(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void mapped(void)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    setenv("DOPPEL_JIT_MAP", "perf", 1);
    int right = run();
    FILE *map = fopen(path, "r");
    int found = lines(map, " sums\n");
    if (map) fclose(map);
    unlink(path);
    printf("results %d, in the map %d times\n", right, found);
}

/* What gdb calls the code of a kernel: its list of object files, the symbol in each. */
struct entry { struct entry *next, *previous; const unsigned char *file; uint64_t size; };
struct descriptor { uint32_t version, action; struct entry *relevant, *first; };

static void debugged(void)
{
    struct descriptor *list = dlsym(RTLD_DEFAULT, "__jit_debug_descriptor");
    int right = run(), found = 0;
    for (struct entry *entry = list ? list->first : NULL; entry; entry = entry->next) {
        const Elf64_Ehdr *head = (const void *)entry->file;
        const Elf64_Shdr *sections = (const void *)(entry->file + head->e_shoff);
        const Elf64_Sym *symbol = (const Elf64_Sym *)(entry->file + sections[2].sh_offset) + 1;
        const char *name = (const char *)entry->file + sections[3].sh_offset + symbol->st_name;
        found += !strcmp(name, "sums") && sections[1].sh_addr && symbol->st_size == sections[1].sh_size;
    }
    printf("results %d, version %u, named %d times\n", right, list ? list->version : 0, found);
}

static void refused(void)
{
    if (!refuse_executable_memory()) printf("the system filters no calls\n");
    FILE *log = tmpfile();
    int kept = dup(2);
    setenv("DOPPEL_LOG", "warn", 1);
    dup2(fileno(log), 2);
    int right = run();
    dup2(kept, 2);
    rewind(log);
    printf("results %d, said %d times\n", right, lines(log, "no executable memory"));
}

/* What a process that ran both kernels says of them when it has ended. */
static void covered(void)
{
    char path[] = "/tmp/doppel-coverage-XXXXXX", name[32];
    int file = mkstemp(path), status = 0, right = 0;
    unsigned long all, native;
    close(file);
    setenv("DOPPEL_COVERAGE", path, 1);
    pid_t pid = fork();
    if (pid == 0) exit(!run());
    right = waitpid(pid, &status, 0) == pid && status == 0;
    FILE *told = fopen(path, "r");
    printf("results %d\n", right);
    while (told && fscanf(told, "%31s %lu %lu%*[^\n]", name, &all, &native) == 3)
        printf("%s ran, %s of its steps in compiled code\n", name, native <= all && native * 5 > all * 4 ? "most" : "some");
    if (told) fclose(told);
    unlink(path);
}

/* True if the first device is emulated. */
static int is_ours(void)
{
    int status = 0;
    char device[64] = "";
    pid_t pid = fork();
    if (pid == 0) {
        OK(cuInit(0));
        OK(cuDeviceGetName(device, sizeof device, 0));
        _exit(strncmp(device, "Doppel", 6) != 0);
    }
    return waitpid(pid, &status, 0) == pid && status == 0;
}

int main(void)
{
    if (!is_ours()) skip("a real driver compiles otherwise");
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip("this machine has no AVX2");
    setenv("DOPPEL_ENGINE", "compile", 1);
    apart("perf's map", mapped);
    apart("gdb's list", debugged);
    apart("coverage", covered);
    apart("no executable memory", refused);
    return 0;
}
