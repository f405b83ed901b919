/* Processes of one node share the memory of the devices: what others hold is not free, what is too much together is refused, and
 * what a killed process held is free again.
 *
 *   node                     the test
 *   node stress SECONDS N    for so long, N processes that allocate, are killed at any moment and begin again */
#include <cuda.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static const char *self;

static int start(int device)
{
    CUcontext c;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&c, device) || cuCtxSetCurrent(c);
}

static size_t available(void)
{
    size_t size = 0, total;
    cuMemGetInfo(&size, &total);
    return size;
}

/* Runs this program again as `role NUMBER`. What it writes comes from `answers`. */
static pid_t begin(const char *role, const char *number, int *answers)
{
    int ends[2];
    if (pipe(ends)) exit(1);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 1);
        close(ends[0]), close(ends[1]);
        execl(self, self, role, number, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *answers = ends[0];
    return child;
}

static char answer_of(int answers)
{
    char c;
    if (read(answers, &c, 1) != 1) c = '?';
    close(answers);
    return c;
}

/* The same, and waits for its answer, a byte. */
static pid_t run(const char *role, const char *number, char *answer)
{
    int answers;
    pid_t child = begin(role, number, &answers);
    char c = answer_of(answers);
    if (answer) *answer = c;
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void say(char c)
{
    if (write(1, &c, 1) != 1) _exit(1);
}

/* Takes so many MiB and keeps them. */
static int hold(const char *number, int device)
{
    CUdeviceptr d;
    if (start(device)) return 1;
    say(cuMemAlloc(&d, atoi(number) * MIB) ? 'n' : 'y');
    for (;;) pause();
}

/* Takes 16 MiB after 16 MiB until no more fits, and says how often. */
static int fill(void)
{
    CUdeviceptr d;
    int n = 0;
    if (start(0)) return 1;
    while (!cuMemAlloc(&d, 16 * MIB)) n++;
    say((char)n);
    for (;;) pause();
}

/* Whether the process with a number has a descriptor that this one can open, which is how members of a node get its file. */
static int reaches(pid_t process)
{
    char path[64];
    int found = 0;
    for (int fd = 0; fd < 256; fd++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, fd);
        int opened = open(path, O_RDONLY | O_NONBLOCK);
        if (opened >= 0) close(opened), found = 1;
    }
    return found;
}

/* As another user of the machine, where this one may become one: says what it reaches and sees of the node. */
static int visit(int stranger)
{
    size_t free = 0, total = 0;
    pid_t parent = getppid();
    if (stranger && (setgroups(0, NULL) || setgid(65534) || setuid(65534))) return 1;
    /* So that its own entries in /proc are its own. */
    prctl(PR_SET_DUMPABLE, 1);
    int opened = reaches(parent);
    if (start(0)) return 1;
    cuMemGetInfo(&free, &total);
    say(opened ? total - free >= 600 * MIB ? 'b' : 'o' : total - free >= 600 * MIB ? 's' : 'n');
    for (;;) pause();
}

/* What one process hands to another that has other numbers for the devices. */
struct shared {
    CUipcMemHandle memory;
    CUmemPoolPtrExportData pointer;
    int physical, pool; /* descriptors */
};

#define WORDS 1024

static int all_are(CUdeviceptr d, unsigned value)
{
    unsigned words[WORDS];
    if (cuMemcpyDtoH(words, d, sizeof words)) return 0;
    for (int i = 0; i < WORDS; i++) if (words[i] != value) return 0;
    return 1;
}

/* Maps physical memory where both devices may access it. */
static int map(CUmemGenericAllocationHandle h, CUdeviceptr *at)
{
    CUmemAccessDesc access[2] = { { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE },
                                  { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE } };
    access[1].location.id = 1;
    return cuMemAddressReserve(at, 2 * MIB, 0, 0, 0) || cuMemMap(*at, 2 * MIB, 0, h, 0) || cuMemSetAccess(*at, 2 * MIB, access, 2);
}

/* Opens what another process has on the device that is number 0 here and 1 there, and changes it. A letter for what is right. */
static int open_shared(int from)
{
    struct shared s;
    CUmemGenericAllocationHandle h;
    CUmemoryPool pool;
    CUdeviceptr d, mapped, pooled;
    char right[5] = "----";
    int device = -1, can = 0;
    if (read(from, &s, sizeof s) != sizeof s || start(0)) return 1;
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, { 0 } }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    if (!cuIpcOpenMemHandle(&d, s.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) && all_are(d, 1) &&
        !cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, d) && device == 0 && !cuMemsetD32(d, 11, WORDS))
        right[0] = 'i';
    if (!cuMemImportFromShareableHandle(&h, (void *)(intptr_t)s.physical, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) &&
        !map(h, &mapped) && all_are(mapped, 2) && !cuMemsetD32(mapped, 12, WORDS))
        right[1] = 'v';
    if (!cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)s.pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) &&
        !cuMemPoolSetAccess(pool, &access, 1) && !cuMemPoolImportPointer(&pooled, pool, &s.pointer) && all_are(pooled, 3) &&
        !cuMemsetD32(pooled, 13, WORDS))
        right[2] = 'p';
    /* From its other device, by way of peers. */
    CUcontext here, there;
    CUdeviceptr e;
    if (!cuCtxGetCurrent(&here) && !cuDeviceCanAccessPeer(&can, 1, 0) && can && !cuDevicePrimaryCtxRetain(&there, 1) &&
        !cuCtxSetCurrent(there) && !cuMemAlloc(&e, sizeof(unsigned) * WORDS) && !cuCtxEnablePeerAccess(here, 0) &&
        !cuMemcpyPeer(e, there, d, here, sizeof(unsigned) * WORDS) && all_are(e, 11) && all_are(d, 11))
        right[3] = 'a';
    cuCtxSetCurrent(here);
    cuCtxSynchronize();
    return write(1, right, 4) != 4;
}

/* The other side: memory of device 1. */
static void share(void)
{
    struct shared s;
    CUcontext before, c;
    CUmemGenericAllocationHandle h;
    CUmemoryPool pool;
    CUdeviceptr d, mapped, pooled;
    CUmemAllocationProp p;
    CUmemPoolProps q;
    char right[5] = "none", number[16];
    int ends[2], answers;
    memset(&p, 0, sizeof p), memset(&q, 0, sizeof q);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED, p.location.type = CU_MEM_LOCATION_TYPE_DEVICE, p.location.id = 1;
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    q.allocType = p.type, q.location = p.location, q.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    cuCtxGetCurrent(&before);
    int bad = cuDevicePrimaryCtxRetain(&c, 1) || cuCtxSetCurrent(c) || cuMemAlloc(&d, 2 * MIB) || cuMemsetD32(d, 1, WORDS) ||
              cuIpcGetMemHandle(&s.memory, d) || cuMemCreate(&h, 2 * MIB, &p, 0) || map(h, &mapped) || cuMemsetD32(mapped, 2, WORDS) ||
              cuMemExportToShareableHandle(&s.physical, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) || cuMemPoolCreate(&pool, &q) ||
              cuMemAllocFromPoolAsync(&pooled, 2 * MIB, pool, 0) || cuMemsetD32(pooled, 3, WORDS) || cuCtxSynchronize() ||
              cuMemPoolExportToShareableHandle(&s.pool, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ||
              cuMemPoolExportPointer(&s.pointer, pooled) || fcntl(s.physical, F_SETFD, 0) || fcntl(s.pool, F_SETFD, 0) || pipe(ends) ||
              write(ends[1], &s, sizeof s) != sizeof s;
    if (!bad) {
        snprintf(number, sizeof number, "%d", ends[0]);
        pid_t child = begin("shared", number, &answers);
        for (size_t got = 0; got < 4;) {
            ssize_t n = read(answers, right + got, 4 - got);
            if (n <= 0) break;
            got += (size_t)n;
        }
        waitpid(child, NULL, 0);
    }
    printf("another process with other numbers for the devices: ready %d, opens %s, its changes are seen: %d %d %d\n", !bad, right,
           all_are(d, 11), all_are(mapped, 12), all_are(pooled, 13));
    cuCtxSetCurrent(before);
    cuDevicePrimaryCtxReset(1);
}

/* Takes and gives until it is killed. */
_Noreturn static void churn(const char *seed)
{
    CUdeviceptr d[8] = { 0 };
    unsigned x = (unsigned)atoi(seed);
    say(start(0) ? 'n' : 'y');
    for (;;) {
        x = x * 1103515245 + 12345;
        CUdeviceptr *at = &d[x >> 16 & 7];
        if (*at) cuMemFree(*at), *at = 0;
        else if (cuMemAlloc(at, (1 + (x >> 20 & 15)) * MIB)) *at = 0;
    }
}

static int stress(int seconds, int processes)
{
    pid_t *all = calloc((size_t)processes, sizeof *all);
    time_t until = time(NULL) + seconds;
    unsigned killed = 0, seed = 1;
    char number[16];
    if (start(0) || !all) return 1;
    size_t before = available();
    while (time(NULL) < until) {
        int i = rand() % processes;
        if (all[i]) end(all[i]), killed++;
        snprintf(number, sizeof number, "%u", seed++);
        /* Not all of them are waited for: they are killed at any moment of their start, too. */
        if (rand() % 4) all[i] = run("churn", number, NULL);
        else if (!(all[i] = fork())) execl(self, self, "churn", number, (char *)NULL), _exit(127);
    }
    size_t least = available();
    for (int i = 0; i < processes; i++) if (all[i]) end(all[i]);
    free(all);
    printf("%u processes were killed; %zu MiB of %zu were free at the end of that; all is free again: %s\n", killed, least / MIB,
           before / MIB, available() == before ? "yes" : "NO");
    return available() != before;
}

static void test(void)
{
    char answer;
    size_t before = available();
    printf("free: %zu MiB\n", before / MIB);
    pid_t other = run("hold", "600", &answer);
    printf("another process takes 600 MiB: %c; used for this one: %zu MiB\n", answer, (before - available()) / MIB);
    CUdeviceptr d, e;
    int r = cuMemAlloc(&d, 600 * MIB);
    printf("600 MiB more: %d\n", r);
    r = cuMemAlloc(&d, 300 * MIB);
    printf("300 MiB: %d, used: %zu MiB\n", r, (before - available()) / MIB);
    pid_t apart = run("apart", "600", &answer);
    printf("600 MiB in another node: %c, used: %zu MiB\n", answer, (before - available()) / MIB);
    end(apart);
    apart = run("second", "600", &answer);
    printf("600 MiB of the other device: %c, used: %zu MiB\n", answer, (before - available()) / MIB);
    end(apart);
    apart = run("renumbered", "100", &answer);
    printf("100 MiB of this device by another number: %c, used: %zu MiB\n", answer, (before - available()) / MIB);
    end(apart);
    end(other);
    printf("the other process is gone: used %zu MiB\n", (before - available()) / MIB);
    r = cuMemAlloc(&e, 600 * MIB);
    printf("600 MiB: %d\n", r);
    cuMemFree(d), cuMemFree(e);
    printf("all is free: %d\n", available() == before);
    /* Four fill what there is, at once: together they have no more than that. */
    pid_t fillers[4];
    int answers[4];
    size_t together = 0;
    for (int i = 0; i < 4; i++) fillers[i] = begin("fill", "0", &answers[i]);
    for (int i = 0; i < 4; i++) together += (size_t)answer_of(answers[i]) * 16 * MIB;
    /* Of those that come to the last piece together none may get it. */
    printf("16 MiB each, four processes: all fits: %d, little is left over: %d\n", together <= before, together + 64 * MIB >= before);
    for (int i = 0; i < 4; i++) end(fillers[i]);
    r = cuMemAlloc(&d, 900 * MIB);
    printf("900 MiB: %d\n", r);
    /* b: opens what this process has open, and sees what it uses; n: neither. Nobody but root becomes another user. */
    end(run("same", "0", &answer));
    printf("a process of this user: %c\n", answer);
    if (!geteuid()) end(run("stranger", "0", &answer));
    else answer = 'n';
    printf("another user: %c\n", answer);
    share();
}

int main(int argc, char **argv)
{
    char name[32];
    self = argv[0];
    snprintf(name, sizeof name, "test %d", (int)getpid());
    if (argc < 3 || !strcmp(argv[1], "stress")) setenv("DOPPEL_NODE", name, 1), setenv("DOPPEL_DEVICES", "2", 1), setenv("DOPPEL_DEVICE_MEMORY", "1GiB", 1);
    if (argc > 3) return stress(atoi(argv[2]), atoi(argv[3]));
    if (argc == 3) {
        if (!strcmp(argv[1], "apart")) setenv("DOPPEL_NODE", "none", 1);
        if (!strcmp(argv[1], "renumbered") || !strcmp(argv[1], "shared")) setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
        if (!strcmp(argv[1], "same") || !strcmp(argv[1], "stranger")) return visit(!strcmp(argv[1], "stranger"));
        if (!strcmp(argv[1], "shared")) return open_shared(atoi(argv[2]));
        if (!strcmp(argv[1], "fill")) return fill();
        if (!strcmp(argv[1], "churn")) churn(argv[2]);
        return hold(argv[2], !strcmp(argv[1], "second") || !strcmp(argv[1], "renumbered"));
    }
    if (start(0)) return 1;
    test();
    return 0;
}
