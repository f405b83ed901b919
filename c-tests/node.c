/* Processes of one node share the memory of the devices: what others hold is not free, what is too much together is refused, and
 * what a killed process held is free again.
 *
 *   node                     the test
 *   node stress SECONDS N    for so long, N processes that allocate, are killed at any moment and begin again */
#include <cuda.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
        if (!strcmp(argv[1], "renumbered")) setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
        if (!strcmp(argv[1], "fill")) return fill();
        if (!strcmp(argv[1], "churn")) churn(argv[2]);
        return hold(argv[2], !strcmp(argv[1], "second") || !strcmp(argv[1], "renumbered"));
    }
    if (start(0)) return 1;
    test();
    return 0;
}
