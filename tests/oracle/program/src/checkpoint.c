/* Checkpoints of this process's own children: lock, checkpoint, restore, unlock. */
#include "common.h"
#include <dirent.h>
#include <poll.h>
#include <sys/prctl.h>

/* The structures' first words, in any version of the header. */
typedef struct { unsigned ms, zero; unsigned long long more[7]; } lock_args;
typedef struct { unsigned long long w[8]; } plain_args;
typedef struct { void *pairs; unsigned n, pad; unsigned long long more[6]; } restore_args;

static CUresult p_lock(int pid, void *a) { return ((CUresult (*)(int, void *))(void *)D.cuCheckpointProcessLock)(pid, a); }
static CUresult p_check(int pid, void *a) { return ((CUresult (*)(int, void *))(void *)D.cuCheckpointProcessCheckpoint)(pid, a); }
static CUresult p_restore(int pid, void *a) { return ((CUresult (*)(int, void *))(void *)D.cuCheckpointProcessRestore)(pid, a); }
static CUresult p_unlock(int pid, void *a) { return ((CUresult (*)(int, void *))(void *)D.cuCheckpointProcessUnlock)(pid, a); }
static CUresult p_state(int pid, int *s) { return ((CUresult (*)(int, int *))(void *)D.cuCheckpointProcessGetState)(pid, s); }
static CUresult p_tid(int pid, int *t) { return D.cuCheckpointProcessGetRestoreThreadId(pid, t); }

static void state(const char *key, int pid)
{
    int s; POISON(s); CUresult r = p_state(pid, &s);
    if (r) o_str(key, "%s", rname(r)); else o_int(key, s);
}

/* ---- the child ----------------------------------------------------------------------- */

enum { C_NONE, C_INIT, C_CTX, C_WORK };
static bool no_init; static pid_t kid; static int to = -1, from = -1;
static const char ptx_add[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry addone(.param .u64 p) {\n .reg .u64 %a, %o; .reg .u32 %t, %v; ld.param.u64 %a, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %a, %a, %o; ld.global.u32 %v, [%a]; add.u32 %v, %v, 1; st.global.u32 [%a], %v; ret; }\n"
    ".visible .entry spin(.param .u64 p) {\n .reg .u64 %a; .reg .u32 %v; .reg .pred %q; ld.param.u64 %a, [p];\nagain: ld.volatile.global.u32 %v, [%a]; setp.eq.u32 %q, %v, 0; @%q bra again; ret; }\n";
static void serve(int level, int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); alarm(40);
    CUcontext c; CUdeviceptr d = 0; CUmodule m; CUfunction add = NULL, spin = NULL; CUstream st = NULL; volatile int *h = NULL; CUdeviceptr hd = 0; char *buf = malloc(4 << 20);
    if (level >= C_INIT && D.cuInit(0)) _exit(2);
    if (level >= C_CTX && (D.cuDevicePrimaryCtxRetain(&c, 0) || D.cuCtxSetCurrent(c))) _exit(3);
    if (level >= C_WORK) {
        if (D.cuMemAlloc(&d, 4 << 20)) _exit(4);
        fill_pat(buf, 4 << 20, 7); D.cuMemcpyHtoD(d, buf, 4 << 20);
        void *hv = NULL; D.cuMemHostAlloc(&hv, 4096, CU_MEMHOSTALLOC_DEVICEMAP); h = hv; memset(hv, 0, 4096); D.cuMemHostGetDevicePointer(&hd, hv, 0);
        if (D.cuModuleLoadData(&m, ptx_add) || D.cuModuleGetFunction(&add, m, "addone") || D.cuModuleGetFunction(&spin, m, "spin")) _exit(5);
        D.cuStreamCreate(&st, CU_STREAM_NON_BLOCKING);
    }
    char q; int ok = 0;
    if (write(out, &ok, sizeof ok) < 0) _exit(1);
    while (read(in, &q, 1) == 1) {
        int r = 0;
        switch (q) {
        case 'h': memset(buf, 0, 4 << 20); r = (int)D.cuMemcpyDtoH(buf, d, 4 << 20); if (!r) { unsigned long long x = fnv1a64(buf, 4 << 20); r = (int)(x & 0x7fffffff); } break;
        case 'k': { void *a[] = { &d }; r = (int)D.cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, NULL, a, NULL); if (!r) r = (int)D.cuCtxSynchronize(); break; }
        case 's': { void *a[] = { &hd }; r = (int)D.cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, st, a, NULL); break; }
        case 'e': h[0] = 1; break;
        case 'y': r = (int)D.cuStreamSynchronize(st); break;
        case 'a': { CUdeviceptr x; r = (int)D.cuMemAlloc(&x, 1 << 20); break; }
        case 'v': { int v; r = (int)D.cuDriverGetVersion(&v); break; }
        case 'i': r = (int)D.cuInit(0); break;
        case 'l': r = (int)p_lock(getpid(), NULL); break;
        case 'u': r = (int)p_unlock(getpid(), NULL); break;
        default: _exit(0);
        }
        if (write(out, &r, sizeof r) < 0) _exit(1);
    }
    _exit(0);
}
static int answer(int ms) { int r = -1; struct pollfd p = { from, POLLIN, 0 }; if (poll(&p, 1, ms) <= 0) return -1; return read(from, &r, sizeof r) == (ssize_t)sizeof r ? r : -2; }
static void ask(char q) { if (write(to, &q, 1) < 0) { } }
static int rpc(char q) { ask(q); return answer(5000); }
static bool kid_start(int level)
{
    int a[2], b[2]; if (pipe(a) || pipe(b)) return false;
    kid = fork();
    if (kid == 0) { close(a[1]); close(b[0]); serve(level, a[0], b[1]); _exit(0); }
    close(a[0]); close(b[1]); to = a[1]; from = b[0];
    /* The child first: a process that was forked after this has no use of the driver. */
    if (!no_init) OK(D.cuInit(0));
    if (answer(20000)) { o_str("child", "did not start"); return false; }
    return true;
}
static void kid_end(void) { kill(kid, SIGKILL); int s; waitpid(kid, &s, 0); close(to); close(from); }
static void o_call(const char *k, int r) { if (r < 0) o_str(k, "no answer"); else o_ret(k, (CUresult)r); }

/* ---- numbers of processes --------------------------------------------------------------- */

/* Only numbers that no process can have: nobody else's process is touched. */
static const struct { const char *name; int pid; } pids[] = { { "high", 4194303 }, { "max", 0x7fffffff } };
static void one_pid(const char *tag, int pid)
{
    CASE("%s_state", tag) { int s; POISON(s); ret_set((pre_call("cuCheckpointProcessGetState", "pid %s", tag), p_state(pid, &s))); o_i32("state", &s); }
    CASE("%s_state_null", tag) ret_set((pre_call("cuCheckpointProcessGetState", "pid %s, NULL", tag), p_state(pid, NULL)));
    CASE("%s_tid", tag) { int s; POISON(s); ret_set((pre_call("cuCheckpointProcessGetRestoreThreadId", "pid %s", tag), p_tid(pid, &s))); o_touch("tid", &s, 4); }
    CASE("%s_tid_null", tag) ret_set((pre_call("cuCheckpointProcessGetRestoreThreadId", "pid %s, NULL", tag), p_tid(pid, NULL)));
    CASE("%s_lock", tag) { lock_args a = { 100, 0, { 0 } }; ret_set((pre_call("cuCheckpointProcessLock", "pid %s", tag), p_lock(pid, &a))); }
    CASE("%s_lock_null", tag) ret_set((pre_call("cuCheckpointProcessLock", "pid %s, NULL", tag), p_lock(pid, NULL)));
    CASE("%s_checkpoint", tag) ret_set((pre_call("cuCheckpointProcessCheckpoint", "pid %s", tag), p_check(pid, NULL)));
    CASE("%s_restore", tag) ret_set((pre_call("cuCheckpointProcessRestore", "pid %s", tag), p_restore(pid, NULL)));
    CASE("%s_unlock", tag) ret_set((pre_call("cuCheckpointProcessUnlock", "pid %s", tag), p_unlock(pid, NULL)));
}
static void g_pids(void) { G.nosync = true; for (int i = 0; i < NELEM(pids); i++) one_pid(pids[i].name, pids[i].pid); }
static void g_kids(void)
{
    G.nosync = true;
    /* The last of the three has ended and is not waited for. */
    static const char *const name[] = { "plain", "inited", "zombie" };
    for (int i = 0; i < 3; i++)
        for (int w = 0; w < 6; w++)
            CASE("%s_%d", name[i], w) {
                if (!kid_start(i == 1 ? C_INIT : C_NONE)) continue;
                if (i == 2) { ask('q'); usleep(50000); }
                int v; POISON(v); lock_args a = { 200, 0, { 0 } };
                switch (w) {
                case 0: ret_set((pre_call("cuCheckpointProcessGetState", "%s", name[i]), p_state(kid, &v))); o_i32("v", &v); break;
                case 1: ret_set((pre_call("cuCheckpointProcessGetRestoreThreadId", "%s", name[i]), p_tid(kid, &v))); o_touch("v", &v, 4); break;
                case 2: ret_set((pre_call("cuCheckpointProcessLock", "%s", name[i]), p_lock(kid, &a))); state("state", kid); o_call("version", rpc('v')); break;
                case 3: ret_set((pre_call("cuCheckpointProcessCheckpoint", "%s", name[i]), p_check(kid, NULL))); break;
                case 4: ret_set((pre_call("cuCheckpointProcessRestore", "%s", name[i]), p_restore(kid, NULL))); break;
                default: ret_set((pre_call("cuCheckpointProcessUnlock", "%s", name[i]), p_unlock(kid, NULL))); break;
                }
                kid_end();
            }
}

/* ---- sequences ----------------------------------------------------------------------------- */

/* L lock, C checkpoint, R restore, U unlock; small: with arguments of zeros. s state; h what the memory holds; k a kernel. */
static const char *const orders[] = { "s", "L", "C", "R", "U", "LL", "LC", "LR", "LU", "LCC", "LCL", "LCU", "LCR", "LCRR", "LCRC", "LCRL", "LCRU", "LCRUU", "LCRUL", "LUL", "LUC", "LULU", "LCRCRU", "LCRULCRU", "lu", "lcru", "LCRUhk", "LUhk", "LCRUkhLCRUh", "kLCRUh", "hLCRUa" };
static void order(int part)
{
    G.nosync = true;
    for (int i = part; i < NELEM(orders); i += 4)
        CASE("%s", orders[i]) {
            if (!kid_start(C_WORK)) continue;
            CUresult last = CUDA_SUCCESS; int was = rpc('h');
            for (int k = 0; orders[i][k]; k++) {
                char key[24], q = orders[i][k]; snprintf(key, sizeof key, "%d%c", k, q);
                lock_args la = { 0, 0, { 0 } }; plain_args pa = { { 0 } }; restore_args ra; memset(&ra, 0, sizeof ra);
                pre_call(q == 'L' || q == 'l' ? "cuCheckpointProcessLock" : q == 'C' || q == 'c' ? "cuCheckpointProcessCheckpoint" : q == 'R' || q == 'r' ? "cuCheckpointProcessRestore" : "cuCheckpointProcessUnlock", "%s, step %d", orders[i], k);
                switch (q) {
                case 'L': last = p_lock(kid, NULL); break; case 'l': last = p_lock(kid, &la); break;
                case 'C': last = p_check(kid, NULL); break; case 'c': last = p_check(kid, &pa); break;
                case 'R': last = p_restore(kid, NULL); break; case 'r': last = p_restore(kid, &ra); break;
                case 'U': last = p_unlock(kid, NULL); break; case 'u': last = p_unlock(kid, &pa); break;
                case 'h': { int now = rpc('h'); o_str(key, "%s", now == was ? "same" : now < 0 ? "no answer" : "other"); continue; }
                case 'k': case 'a': o_call(key, rpc(q)); was = q == 'k' ? rpc('h') : was; continue;
                default: break;
                }
                o_ret(key, last); snprintf(key, sizeof key, "%dstate", k); state(key, kid);
            }
            ret_set(last); kid_end();
        }
}
static void g_order0(void) { order(0); }
static void g_order1(void) { order(1); }
static void g_order2(void) { order(2); }
static void g_order3(void) { order(3); }
/* What a locked process may do. */
static void g_held(void)
{
    G.nosync = true;
    static const char what[] = "hkavi";
    for (int i = 0; what[i]; i++)
        for (int deep = 0; deep < 2; deep++)
            CASE("%s_%c", deep ? "checkpointed" : "locked", what[i]) {
                if (!kid_start(C_WORK)) continue;
                pre_call("cuCheckpointProcessLock", "then %c", what[i]);
                CUresult r = p_lock(kid, NULL); if (deep) r = p_check(kid, NULL);
                ret_set(r); ask(what[i]); int a = answer(300); o_bool("waits", a == -1);
                state("state", kid);
                if (deep) o_ret("restore", p_restore(kid, NULL));
                if (deep && a == -1) { int b = answer(200); o_bool("waits_still", b == -1); if (b != -1) a = b; }
                o_ret("unlock", p_unlock(kid, NULL)); state("after", kid);
                if (a == -1) { a = answer(3000); }
                if (what[i] == 'h') o_bool("answer", a >= 0); else o_call("answer", a);
                kid_end();
            }
}
static void g_busy(void)
{
    G.nosync = true;
    static const unsigned ms[] = { 1, 50, 300 };
    for (int i = 0; i < 3; i++)
        CASE("spin_%u", ms[i]) {
            if (!kid_start(C_WORK)) continue;
            o_call("start", rpc('s')); usleep(50000);
            lock_args a = { ms[i], 0, { 0 } }; double t0 = now_ms();
            ret_set((pre_call("cuCheckpointProcessLock", "timeout %u", ms[i]), p_lock(kid, &a))); double t = now_ms() - t0; o_bool("in_time", t >= ms[i] * 0.9); o_int("dev:ms", (long long)t);
            state("state", kid); o_call("version", rpc('v')); o_call("alloc", rpc('a')); state("then", kid);
            o_ret("again", p_lock(kid, &a)); o_ret("unlock", p_unlock(kid, NULL)); o_call("end", rpc('e')); o_call("sync", rpc('y')); state("last", kid); kid_end();
        }
    CASE("spin_no_limit") {
        if (!kid_start(C_WORK)) continue;
        o_call("start", rpc('s')); usleep(50000);
        pid_t other = fork();
        if (other == 0) { usleep(400000); ask('e'); _exit(0); }
        double t0 = now_ms(); ret_set((pre_call("cuCheckpointProcessLock", "no limit"), p_lock(kid, NULL))); o_bool("waited", now_ms() - t0 > 250); state("state", kid); int st; waitpid(other, &st, 0); o_ret("unlock", p_unlock(kid, NULL)); kid_end();
    }
    CASE("idle_0") { if (!kid_start(C_WORK)) continue; lock_args a = { 0, 0, { 0 } }; ret_set((pre_call("cuCheckpointProcessLock", "timeout 0"), p_lock(kid, &a))); state("state", kid); kid_end(); }
    CASE("idle_1") { if (!kid_start(C_WORK)) continue; lock_args a = { 1000, 0, { 0 } }; ret_set((pre_call("cuCheckpointProcessLock", "timeout 1000"), p_lock(kid, &a))); state("state", kid); kid_end(); }
}
static void g_args(void)
{
    G.nosync = true;
    CASE("lock_reserved0") { if (!kid_start(C_CTX)) continue; lock_args a = { 100, 1, { 0 } }; ret_set((pre_call("cuCheckpointProcessLock", "reserved0=1"), p_lock(kid, &a))); state("state", kid); kid_end(); }
    for (int i = 0; i < 7; i += 3) CASE("lock_reserved1_%d", i) { if (!kid_start(C_CTX)) continue; lock_args a = { 100, 0, { 0 } }; a.more[i] = 1; ret_set((pre_call("cuCheckpointProcessLock", "reserved1[%d]=1", i), p_lock(kid, &a))); state("state", kid); kid_end(); }
    for (int i = 1; i < 8; i += 3) {
        CASE("checkpoint_reserved_%d", i) { if (!kid_start(C_CTX)) continue; OK(p_lock(kid, NULL)); plain_args a = { { 0 } }; a.w[i] = 1; ret_set((pre_call("cuCheckpointProcessCheckpoint", "word %d is 1", i), p_check(kid, &a))); state("state", kid); kid_end(); }
        CASE("unlock_reserved_%d", i) { if (!kid_start(C_CTX)) continue; OK(p_lock(kid, NULL)); plain_args a = { { 0 } }; a.w[i] = 1; ret_set((pre_call("cuCheckpointProcessUnlock", "word %d is 1", i), p_unlock(kid, &a))); state("state", kid); kid_end(); }
    }
    static const char *const how[] = { "zero", "count0", "same", "unknown_old", "unknown_new", "twice", "pad", "reserved" };
    for (int i = 0; i < NELEM(how); i++)
        CASE("restore_%s", how[i]) {
            if (!kid_start(C_CTX)) continue;
            CUuuid pairs[4]; memset(pairs, 0x11, sizeof pairs); CUuuid u; memset(&u, 0, sizeof u); int ready = D.cuDeviceGetUuid_v2(&u, 0) == CUDA_SUCCESS; o_int("ready", ready);
            restore_args a; memset(&a, 0, sizeof a);
            OK(p_lock(kid, NULL)); OK(p_check(kid, NULL));
            if (i >= 1) a.pairs = pairs;
            if (i >= 2) { a.n = 1; pairs[0] = pairs[1] = u; }
            if (i == 3) memset(&pairs[0], 0x11, 16);
            if (i == 4) memset(&pairs[1], 0x11, 16);
            if (i == 5) { a.n = 2; pairs[2] = pairs[3] = u; }
            if (i == 6) a.pad = 1;
            if (i == 7) a.more[3] = 1;
            ret_set((pre_call("cuCheckpointProcessRestore", "%s", how[i]), p_restore(kid, &a))); state("state", kid); o_ret("unlock", p_unlock(kid, NULL)); state("after", kid); kid_end();
        }
}
/* The thread that a checkpointer's tracer lets run; and what a checkpoint frees. */
static void g_more(void)
{
    G.nosync = true;
    CASE("thread") {
        if (!kid_start(C_WORK)) continue;
        int t; POISON(t); ret_set((pre_call("cuCheckpointProcessGetRestoreThreadId", "a child with a context"), p_tid(kid, &t)));
        char p[64]; snprintf(p, sizeof p, "/proc/%d/task/%d", (int)kid, t); o_bool("of_it", access(p, F_OK) == 0); o_bool("first", t == kid);
        int again; POISON(again); o_ret("again", p_tid(kid, &again)); o_bool("same", again == t);
        OK(p_lock(kid, NULL)); OK(p_check(kid, NULL)); int later; POISON(later); o_ret("later", p_tid(kid, &later)); o_bool("kept", later == t); kid_end();
    }
    CASE("no_init") { no_init = true; if (!kid_start(C_WORK)) continue; ret_set((pre_call("cuCheckpointProcessLock", "no cuInit here"), p_lock(kid, NULL))); state("state", kid); int t; POISON(t); o_ret("tid", p_tid(kid, &t)); o_ret("checkpoint", p_check(kid, NULL)); o_ret("restore", p_restore(kid, NULL)); o_ret("unlock", p_unlock(kid, NULL)); kid_end(); }
    CASE("frees") {
        if (!kid_start(C_WORK)) continue;
        size_t a = 0, b = 0, c = 0, all; CUcontext own; OK(D.cuDevicePrimaryCtxRetain(&own, 0)); OK(D.cuCtxSetCurrent(own)); OK(D.cuMemGetInfo(&a, &all)); pre_call("cuCheckpointProcessCheckpoint", "free memory"); CUresult r = p_lock(kid, NULL); if (!r) r = p_check(kid, NULL); ret_set(r);
        OK(D.cuMemGetInfo(&b, &all)); o_ret("restore", p_restore(kid, NULL)); OK(D.cuMemGetInfo(&c, &all)); o_bool("more", b >= a + (4 << 20)); o_bool("back", c + (4 << 20) <= b); kid_end();
    }
    CASE("killed_locked") { if (!kid_start(C_WORK)) continue; OK(p_lock(kid, NULL)); kill(kid, SIGKILL); int st; waitpid(kid, &st, 0); int s; POISON(s); ret_set((pre_call("cuCheckpointProcessGetState", "killed while locked"), p_state(kid, &s))); o_i32("state", &s); o_ret("unlock", p_unlock(kid, NULL)); close(to); close(from); }
    CASE("kid_locks_itself") { if (!kid_start(C_WORK)) continue; ask('l'); int a = answer(1000); pre_call("cuCheckpointProcessLock", "of itself"); ret_set(a >= 0 ? (CUresult)a : (CUresult)ORC_SKIPPED); state("state", kid); ask('h'); int b = answer(300); o_bool("waits", b == -1); o_ret("unlock", p_unlock(kid, NULL)); if (b == -1) b = answer(2000); o_bool("goes_on", b >= 0); state("after", kid); kid_end(); }
    CASE("kid_unlocks_itself") { if (!kid_start(C_WORK)) continue; OK(p_lock(kid, NULL)); ask('u'); int a = answer(1000); pre_call("cuCheckpointProcessUnlock", "of itself"); ret_set(a >= 0 ? (CUresult)a : (CUresult)ORC_SKIPPED); state("state", kid); kid_end(); }
}
/* This process's own state. */
static void g_self(void)
{
    G.nosync = true;
    CASE("state") { int s; POISON(s); ret_set((pre_call("cuCheckpointProcessGetState", "own"), p_state(getpid(), &s))); o_i32("state", &s); }
    CASE("state_null") ret_set((pre_call("cuCheckpointProcessGetState", "own, NULL"), p_state(getpid(), NULL)));
    CASE("tid") { int s; POISON(s); ret_set((pre_call("cuCheckpointProcessGetRestoreThreadId", "own"), p_tid(getpid(), &s))); char p[64]; snprintf(p, sizeof p, "/proc/self/task/%d", s); o_bool("of_it", access(p, F_OK) == 0); }
    CASE("lock_unlock") { case_isolate(); ret_set((pre_call("cuCheckpointProcessLock", "own"), p_lock(getpid(), NULL))); state("state", getpid()); o_ret("unlock", p_unlock(getpid(), NULL)); state("after", getpid()); }
    CASE("all") { case_isolate(); ret_set((pre_call("cuCheckpointProcessLock", "own"), p_lock(getpid(), NULL))); state("locked", getpid()); o_ret("checkpoint", p_check(getpid(), NULL)); state("checkpointed", getpid()); o_ret("restore", p_restore(getpid(), NULL)); state("restored", getpid()); o_ret("unlock", p_unlock(getpid(), NULL)); state("after", getpid()); CUdeviceptr d; o_ret("alloc", D.cuMemAlloc(&d, 64)); }
    CASE("checkpoint_unlocked") { case_isolate(); ret_set((pre_call("cuCheckpointProcessCheckpoint", "own"), p_check(getpid(), NULL))); state("state", getpid()); }
    CASE("restore") { case_isolate(); ret_set((pre_call("cuCheckpointProcessRestore", "own"), p_restore(getpid(), NULL))); state("state", getpid()); }
    CASE("unlock") { case_isolate(); ret_set((pre_call("cuCheckpointProcessUnlock", "own"), p_unlock(getpid(), NULL))); state("state", getpid()); }
}
const group_t checkpoint_groups[] = {
    { "raw", g_pids, G_RAW, 0, 1 }, { "pids", g_pids, G_INIT, 0, 0 }, { "self_raw", g_self, G_RAW, 8000, 1 }, { "self_init", g_self, G_INIT, 8000, 1 }, { "self", g_self, G_CTX, 8000, 1 },
    { "kids", g_kids, G_RAW, 12000, 1 }, { "order0", g_order0, G_RAW, 20000, 1 }, { "order1", g_order1, G_RAW, 20000, 1 }, { "order2", g_order2, G_RAW, 20000, 1 }, { "order3", g_order3, G_RAW, 20000, 1 }, { "held", g_held, G_RAW, 15000, 1 }, { "busy", g_busy, G_RAW, 15000, 1 }, { "args", g_args, G_RAW, 15000, 1 }, { "more", g_more, G_RAW, 15000, 1 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_checkpoint = { "checkpoint", checkpoint_groups, 1, "lock, checkpoint, restore and unlock of processes" };
