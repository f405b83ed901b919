/* Processes of one node share the memory of the devices: what others hold is not free, what is too much together is refused, and
 * what a killed process held is free again.
 *
 *   node                     the test
 *   node stress SECONDS N    for so long, and until a pipe at its input is closed, N processes that allocate, are killed at any moment
 *                            and begin again */
#include <cuda.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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

/* As another user, says in the name of the first one that the node's file is one of its own. */
static int mislead(int user)
{
    char line[256], mark[32], other[128];
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    if (setgroups(0, NULL) || setgid(65534) || setuid(65534)) return 1;
    prctl(PR_SET_DUMPABLE, 1);
    if (start(0)) return 1;
    FILE *names = fopen("/proc/net/unix", "r");
    snprintf(mark, sizeof mark, ".%d.", (int)getpid());
    while (names && fgets(line, sizeof line, names)) {
        /* @doppel-node.USER.NODE.PROCESS.DESCRIPTOR */
        char *at = strstr(line, "@doppel-node.65534.");
        if (!at || !strstr(at, mark)) continue;
        at[strcspn(at, "\n")] = 0;
        int n = snprintf(other, sizeof other, "doppel-node.%d.%s", user, at + strlen("@doppel-node.65534."));
        memcpy(name.sun_path + 1, other, (size_t)n);
        int s = socket(AF_UNIX, SOCK_DGRAM, 0);
        if (bind(s, (struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n))) return 1;
        say('y');
        for (;;) pause();
    }
    return 1;
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

/* Takes and gives until it is killed. Between two calls it rests for up to 20 ms, so that hundreds run beside each other. */
_Noreturn static void churn(const char *seed)
{
    CUdeviceptr d[8] = { 0 };
    unsigned x = (unsigned)atoi(seed);
    say(start((int)(x & 1)) ? 'n' : 'y');
    for (;;) {
        x = x * 1103515245 + 12345;
        CUdeviceptr *at = &d[x >> 16 & 7];
        if (*at) cuMemFree(*at), *at = 0;
        else if (cuMemAlloc(at, (1 + (x >> 20 & 15)) * MIB)) *at = 0;
        usleep(x >> 8 & 16383);
    }
}

/* Whether somebody holds the other end of a pipe at the input. */
static int is_held(void)
{
    struct stat about;
    struct pollfd input = { .fd = 0 };
    return !fstat(0, &about) && S_ISFIFO(about.st_mode) && poll(&input, 1, 0) >= 0 && !(input.revents & POLLHUP);
}

/* Processes die at any moment, also of their start, and others begin in their place. Each that begins to take memory says so. */
static int stress(int seconds, int processes)
{
    CUcontext contexts[2];
    pid_t *all = calloc((size_t)processes, sizeof *all);
    time_t until = time(NULL) + seconds;
    unsigned killed = 0, begun = 0, refused = 0, seed = 1;
    size_t before[2], least[2], now[2];
    char number[16], said[256];
    int ends[2], last = 0;
    if (!all || cuInit(0) || cuDevicePrimaryCtxRetain(&contexts[0], 0) || cuDevicePrimaryCtxRetain(&contexts[1], 1) || pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK)) return 1;
    for (int i = 0; i < 2; i++) cuCtxSetCurrent(contexts[i]), before[i] = least[i] = available();
    for (int i = 0; i < processes || time(NULL) < until || is_held(); i++) {
        /* One in four hardly lives longer than it takes to start. */
        int at = i < processes ? i : rand() % 4 ? rand() % processes : last;
        last = at;
        if (all[at]) end(all[at]), killed++;
        snprintf(number, sizeof number, "%u", seed++);
        if (!(all[at] = fork())) dup2(ends[1], 1), close(ends[0]), close(ends[1]), execl(self, self, "churn", number, (char *)NULL), _exit(127);
        usleep((useconds_t)(rand() % 20000));
        for (ssize_t n; (n = read(ends[0], said, sizeof said)) > 0;)
            for (ssize_t j = 0; j < n; j++) said[j] == 'y' ? begun++ : refused++;
        cuCtxSetCurrent(contexts[i & 1]);
        now[i & 1] = available();
        if (now[i & 1] < least[i & 1]) least[i & 1] = now[i & 1];
    }
    for (int i = 0; i < processes; i++) if (all[i]) end(all[i]), killed++;
    free(all);
    for (int i = 0; i < 2; i++) cuCtxSetCurrent(contexts[i]), now[i] = available();
    int back = now[0] == before[0] && now[1] == before[1];
    printf("%d processes beside each other: %u were killed, for %u another began; %u had begun to take memory, %u were refused; at least %zu "
           "and %zu MiB of %zu were free on two devices; all is free again: %s\n", processes, killed, killed - (unsigned)processes, begun,
           refused, least[0] / MIB, least[1] / MIB, before[0] / MIB, back ? "yes" : "NO");
    return !back || refused || !begun || least[0] == before[0] || least[1] == before[1];
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
    /* Without one to become, there is none to be misled by. */
    pid_t liars[4], led[4];
    answer = 'y';
    for (int i = 0; i < 4; i++) liars[i] = geteuid() ? 0 : run("mislead", "0", &answer);
    before = available();
    for (int i = 0; i < 4; i++) led[i] = run("hold", "10", NULL);
    printf("another user says it has the node's file: %c; what is held beside that: %zu MiB\n", answer, (before - available()) / MIB);
    for (int i = 0; i < 4; i++) {
        end(led[i]);
        if (liars[i]) end(liars[i]);
    }
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
        if (!strcmp(argv[1], "mislead")) return mislead(atoi(argv[2]));
        if (!strcmp(argv[1], "shared")) return open_shared(atoi(argv[2]));
        if (!strcmp(argv[1], "fill")) return fill();
        if (!strcmp(argv[1], "churn")) churn(argv[2]);
        return hold(argv[2], !strcmp(argv[1], "second") || !strcmp(argv[1], "renumbered"));
    }
    if (start(0)) return 1;
    test();
    return 0;
}
