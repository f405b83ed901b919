/* Core dump settings, and what a failing kernel leaves behind. */
#include "common.h"
#include <dirent.h>
#include <elf.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>

typedef CUresult (*attr_fn)(CUcoredumpSettings, void *, size_t *);

/* Text of a setting without what is only this process's or machine's. */
static void plain(char *to, size_t n, const char *s)
{
    char host[128] = "", pid[24];
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    long long now = time(NULL);
    size_t k = 0;
    while (*s && k + 8 < n) {
        char *e;
        long long v = (*s >= '0' && *s <= '9') ? strtoll(s, &e, 10) : -1;
        if (*host && !strncmp(s, host, strlen(host))) { k += (size_t)snprintf(to + k, n - k, "<h>"); s += strlen(host); }
        else if (v == getpid()) { k += (size_t)snprintf(to + k, n - k, "<p>"); s += strlen(pid); }
        else if (v > now - 1000 && v < now + 1000) { k += (size_t)snprintf(to + k, n - k, "<t>"); s = e; }
        else to[k++] = *s++;
    }
    to[k] = 0;
}

static const char *const attr_name[] = { "zero", "enable", "host", "light", "user", "file", "pipe", "flags", "max", "nine" };
static int is_text(int a) { return a == 5 || a == 6; }

/* One setting as it reads back. */
static void show(const char *key, attr_fn f, int a)
{
    char k[40], t[2200], v[2100];
    size_t n = is_text(a) ? 2048 : a == 7 ? 4 : 1;
    memset(v, 0xA5, sizeof v);
    CUresult r = f((CUcoredumpSettings)a, v, &n);
    snprintf(k, sizeof k, "%s_%s", key, attr_name[a]);
    if (r) { o_ret(k, r); return; }
    v[2099] = 0;
    if (is_text(a)) { plain(t, sizeof t, v); o_str(k, "%s", t); snprintf(k, sizeof k, "%s_%s_size", key, attr_name[a]); char dev[48]; snprintf(dev, sizeof dev, "%s%s", strchr(t, '<') ? "dev:" : "", k); o_int(dev, (long long)n); }
    else if (a == 7) { unsigned u; memcpy(&u, v, 4); o_hex(k, u); }
    else o_int(k, (unsigned char)v[0]);
}
/* A case that changes a setting puts back what it found. */
static struct { int a; char v[2048]; size_t n; bool ok; } kept;
static void keep(attr_fn get, int a) { kept.a = a; kept.n = is_text(a) ? sizeof kept.v : a == 7 ? 4 : 1; kept.ok = a >= 1 && a <= 7 && !get((CUcoredumpSettings)a, kept.v, &kept.n); if (is_text(a) && kept.ok) kept.n = strlen(kept.v) + 1; }
static void back(attr_fn set) { if (kept.ok) set((CUcoredumpSettings)kept.a, kept.v, &kept.n); }
static void show_all(const char *key, attr_fn f) { for (int a = 1; a <= 7; a++) show(key, f, a); }

/* ---- reading ------------------------------------------------------------------------ */

static void read_with(attr_fn f, const char *fname, const char *tag)
{
    static const int attrs[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, 0x7fffffff };
    static const long sizes[] = { -1, 0, 1, 2, 3, 4, 8, 1023, 1024, 1025, 4096 };
    for (int i = 0; i < NELEM(attrs); i++) {
        CASE("%s_%d_null_size", tag, attrs[i]) { char b[4200]; POISON(b); ret_set((pre_call(fname, "attr=%d size=NULL", attrs[i]), f((CUcoredumpSettings)attrs[i], b, NULL))); o_touch("v", b, 16); }
        CASE("%s_%d_null_value", tag, attrs[i]) { size_t n = 7; ret_set((pre_call(fname, "attr=%d value=NULL", attrs[i]), f((CUcoredumpSettings)attrs[i], NULL, &n))); o_int(is_text(attrs[i]) ? "dev:n" : "n", (long long)n); o_bool("n_changed", n != 7); }
        CASE("%s_%d_null_both", tag, attrs[i]) ret_set((pre_call(fname, "attr=%d all NULL", attrs[i]), f((CUcoredumpSettings)attrs[i], NULL, NULL)));
        for (int s = 0; s < NELEM(sizes); s++) {
            if (sizes[s] > 8 && !is_text(attrs[i])) continue;
            CASE("%s_%d_size_%ld", tag, attrs[i], sizes[s]) {
                char b[4200], t[4200]; POISON(b); size_t n = (size_t)sizes[s];
                ret_set((pre_call(fname, "attr=%d size=%ld", attrs[i], sizes[s]), f((CUcoredumpSettings)attrs[i], b, &n)));
                o_int(is_text(attrs[i]) ? "dev:n" : "n", (long long)n); o_bool("n_changed", n != (size_t)sizes[s]);
                if (!is_text(attrs[i])) { o_touch("v1", b, 1); o_touch("v4", b, 4); o_touch("v8", b + 4, 4); unsigned char one = (unsigned char)b[0]; o_int("v", one); }
                else { size_t w = 0; for (size_t x = 0; x < sizeof b; x++) if ((unsigned char)b[x] != POISON_BYTE) w = x + 1; o_int("dev:written", (long long)w); b[sizeof b - 1] = 0; if (sizes[s] > 8) { b[w ? w - 1 : 0] = 0; plain(t, sizeof t, b); o_str("text", "%s", t); } }
            }
        }
    }
}
static void g_read(void) { read_with(D.cuCoredumpGetAttributeGlobal, "cuCoredumpGetAttributeGlobal", "global"); }
static void g_read_ctx(void) { G.nosync = true; read_with(D.cuCoredumpGetAttribute, "cuCoredumpGetAttribute", "ctx"); }
static void g_few(void)
{
    G.nosync = true;
    for (int a = 0; a <= 8; a++) {
        CASE("get_%d", a) { char b[2100]; POISON(b); size_t n = is_text(a) ? 2048 : a == 7 ? 4 : 1; CALL(cuCoredumpGetAttribute, ((CUcoredumpSettings)a, b, &n), "attr=%d", a); o_touch("v", b, 1); }
        CASE("get_global_%d", a) { char b[2100]; POISON(b); size_t n = is_text(a) ? 2048 : a == 7 ? 4 : 1; CALL(cuCoredumpGetAttributeGlobal, ((CUcoredumpSettings)a, b, &n), "attr=%d", a); o_touch("v", b, 1); }
        CASE("set_%d", a) { char b[64] = "/tmp/oracle_x"; size_t n = is_text(a) ? strlen(b) + 1 : a == 7 ? 4 : 1; if (!is_text(a)) memset(b, 0, 8); CALL(cuCoredumpSetAttribute, ((CUcoredumpSettings)a, b, &n), "attr=%d", a); }
        CASE("set_global_%d", a) { char b[64] = "/tmp/oracle_x"; size_t n = is_text(a) ? strlen(b) + 1 : a == 7 ? 4 : 1; if (!is_text(a)) memset(b, 0, 8); CALL(cuCoredumpSetAttributeGlobal, ((CUcoredumpSettings)a, b, &n), "attr=%d", a); }
        CASE("null_%d", a) CALL(cuCoredumpGetAttribute, ((CUcoredumpSettings)a, NULL, NULL), "all NULL");
    }
}
static void g_dead(void)
{
    CUcontext c;
    G.nosync = true;
    CASE("dead_get") { OK(D.cuCtxCreate_v4(&c, NULL, 0, 0)); CUcontext k = c; D.cuCtxPopCurrent(&k); D.cuCtxSetCurrent(c); D.cuCtxDestroy(c); char b[8]; size_t n = 1; POISON(b); CALL(cuCoredumpGetAttribute, (CU_COREDUMP_ENABLE_ON_EXCEPTION, b, &n), "context destroyed"); o_touch("v", b, 1); }
}

/* ---- writing ------------------------------------------------------------------------ */

static void write_with(attr_fn f, const char *fname, const char *tag, bool ctx)
{
    static const int nums[] = { 0, 1, 2, 3, 4, 7, 8, 9, -1 };
    static const long sizes[] = { 0, 1, 2, 4, 8 };
    static const unsigned values[] = { 0, 1, 2, 0x40, 0xff, 0x100, 0x12f, 0x200, 0x1ff, 0x40000000, 0x80000000u, 0xffffffffu };
    attr_fn get = ctx ? D.cuCoredumpGetAttribute : D.cuCoredumpGetAttributeGlobal;
    for (int i = 0; i < NELEM(nums); i++) {
        int a = nums[i];
        CASE("%s_%d_null_size", tag, a) { char b[8] = { 1 }; ret_set((pre_call(fname, "attr=%d size=NULL", a), f((CUcoredumpSettings)a, b, NULL))); if (a >= 1 && a <= 7) show("after", get, a); }
        CASE("%s_%d_null_value", tag, a) { size_t n = 1; ret_set((pre_call(fname, "attr=%d value=NULL", a), f((CUcoredumpSettings)a, NULL, &n))); o_int("n", (long long)n); if (a >= 1 && a <= 7) show("after", get, a); }
        for (int s = 0; s < NELEM(sizes); s++)
            for (int v = 0; v < 3; v++)
                CASE("%s_%d_size_%ld_value_%u", tag, a, sizes[s], values[v]) {
                    keep(get, a);
                    unsigned long long b = values[v]; size_t n = (size_t)sizes[s];
                    ret_set((pre_call(fname, "attr=%d size=%ld value=%u", a, sizes[s], values[v]), f((CUcoredumpSettings)a, &b, &n)));
                    o_int("n", (long long)n); if (a >= 1 && a <= 7) show("after", get, a);
                    if (ctx && a >= 1 && a <= 7) show("global", D.cuCoredumpGetAttributeGlobal, a);
                    back(f);
                }
    }
    for (int v = 0; v < NELEM(values); v++)
        CASE("%s_flags_%x", tag, values[v]) {
            keep(get, 7);
            unsigned b = values[v]; size_t n = 4;
            ret_set((pre_call(fname, "flags=0x%x", b), f((CUcoredumpSettings)7, &b, &n)));
            show("after", get, 7); show("after", get, 3); show("after", get, 2);
            back(f);
        }
}
static void text_with(attr_fn f, const char *fname, const char *tag, bool ctx)
{
    attr_fn get = ctx ? D.cuCoredumpGetAttribute : D.cuCoredumpGetAttributeGlobal;
    static char longs[4][4100];
    static const size_t lens[] = { 1022, 1023, 1024, 4095 };
    for (int i = 0; i < 4; i++) { memset(longs[i], 'a', lens[i]); memcpy(longs[i], "/tmp/", 5); longs[i][lens[i]] = 0; }
    const struct { const char *name, *text; long size; } t[] = {
        { "plain", "/tmp/oracle_core", -1 }, { "empty", "", -1 }, { "empty0", "", 0 }, { "relative", "core", -1 }, { "host", "/tmp/c_%h", -1 }, { "pid", "/tmp/c_%p", -1 },
        { "time", "/tmp/c_%t", -1 }, { "all", "/tmp/c_%h_%p_%t", -1 }, { "percent", "/tmp/c_%%", -1 }, { "other", "/tmp/c_%e_%x", -1 }, { "trail", "/tmp/c_%", -1 },
        { "no_nul", "/tmp/oracle_core", 16 }, { "short", "/tmp/oracle_core", 8 }, { "size1", "/tmp/oracle_core", 1 }, { "size0", "/tmp/oracle_core", 0 }, { "beyond", "/tmp/oracle_core\0after", 23 },
        { "l1022", longs[0], -1 }, { "l1023", longs[1], -1 }, { "l1024", longs[2], -1 }, { "l4095", longs[3], -1 }, { "folder", "/tmp/no/such/folder/core", -1 }, { "is_folder", "/tmp", -1 },
    };
    for (int a = 5; a <= 6; a++) {
        CASE("%s_text_%d_null_size", tag, a) { keep(get, a); char b[16] = "/tmp/x"; ret_set((pre_call(fname, "attr=%d size=NULL", a), f((CUcoredumpSettings)a, b, NULL))); show("after", get, a); back(f); }
        CASE("%s_text_%d_null_value", tag, a) { keep(get, a); size_t n = 8; ret_set((pre_call(fname, "attr=%d value=NULL", a), f((CUcoredumpSettings)a, NULL, &n))); show("after", get, a); back(f); }
        for (int i = 0; i < NELEM(t); i++)
            CASE("%s_text_%d_%s", tag, a, t[i].name) {
                keep(get, a);
                char b[4200]; memset(b, 0, sizeof b); memcpy(b, t[i].text, t[i].size > 20 ? (size_t)t[i].size : strlen(t[i].text));
                size_t n = t[i].size < 0 ? strlen(b) + 1 : (size_t)t[i].size, was = n;
                ret_set((pre_call(fname, "attr=%d %s", a, t[i].name), f((CUcoredumpSettings)a, b, &n)));
                o_bool("n_changed", n != was); show("after", get, a);
                back(f);
            }
    }
}
static void g_write(void) { write_with(D.cuCoredumpSetAttributeGlobal, "cuCoredumpSetAttributeGlobal", "global", false); text_with(D.cuCoredumpSetAttributeGlobal, "cuCoredumpSetAttributeGlobal", "global", false); }
static void g_write_ctx(void) { G.nosync = true; write_with(D.cuCoredumpSetAttribute, "cuCoredumpSetAttribute", "ctx", true); text_with(D.cuCoredumpSetAttribute, "cuCoredumpSetAttribute", "ctx", true); }
/* Which settings are whose. */
static void scope(int part)
{
    G.nosync = true;
    for (int a = 1 + part; a <= 7; a += 3) {
        char v[32] = "/tmp/oracle_core"; size_t n = is_text(a) ? 17 : a == 7 ? 4 : 1;
        if (!is_text(a)) { memset(v, 0, 8); v[0] = 1; }
        CASE("global_then_ctx_%d", a) { case_isolate(); CALL(cuCoredumpSetAttributeGlobal, ((CUcoredumpSettings)a, v, &n), "attr=%d", a); show("ctx", D.cuCoredumpGetAttribute, a); show("global", D.cuCoredumpGetAttributeGlobal, a); }
        CASE("ctx_then_global_%d", a) { case_isolate(); CALL(cuCoredumpSetAttribute, ((CUcoredumpSettings)a, v, &n), "attr=%d", a); show("ctx", D.cuCoredumpGetAttribute, a); show("global", D.cuCoredumpGetAttributeGlobal, a); }
        CASE("new_ctx_%d", a) { case_isolate(); CUcontext c; OK(D.cuCoredumpSetAttributeGlobal((CUcoredumpSettings)a, v, &n)); CALL(cuCtxCreate_v4, (&c, NULL, 0, 0), "after a global setting"); show("ctx", D.cuCoredumpGetAttribute, a); show("global", D.cuCoredumpGetAttributeGlobal, a); D.cuCtxDestroy(c); }
        CASE("global_back_%d", a) { case_isolate(); OK(D.cuCoredumpSetAttribute((CUcoredumpSettings)a, v, &n)); char z[32] = "/tmp/other_core"; size_t m = is_text(a) ? 16 : n; if (!is_text(a)) memset(z, 0, 8); CALL(cuCoredumpSetAttributeGlobal, ((CUcoredumpSettings)a, z, &m), "attr=%d after the context's", a); show("ctx", D.cuCoredumpGetAttribute, a); show("global", D.cuCoredumpGetAttributeGlobal, a); }
        if (a > 2) continue;
        CASE("flag_%d", a) { case_isolate(); unsigned fl = CU_CTX_COREDUMP_ENABLE; CUcontext c; CALL(cuCtxCreate_v4, (&c, NULL, fl | (a & 1 ? CU_CTX_USER_COREDUMP_ENABLE : 0), 0), "CU_CTX_COREDUMP_ENABLE"); show("ctx", D.cuCoredumpGetAttribute, a); show("global", D.cuCoredumpGetAttributeGlobal, a); unsigned got = 0; D.cuCtxGetFlags(&got); o_hex("flags", got); D.cuCtxDestroy(c); }
        CASE("user_flag_%d", a) { case_isolate(); CUcontext c; CALL(cuCtxCreate_v4, (&c, NULL, CU_CTX_USER_COREDUMP_ENABLE, 0), "CU_CTX_USER_COREDUMP_ENABLE"); show("ctx", D.cuCoredumpGetAttribute, a); unsigned got = 0; D.cuCtxGetFlags(&got); o_hex("flags", got); D.cuCtxDestroy(c); }
    }
    if (part == 0) CASE("enable_flags") { case_isolate(); bool v = true; size_t n = 1; CALL(cuCoredumpSetAttribute, (CU_COREDUMP_ENABLE_ON_EXCEPTION, &v, &n), "context"); unsigned got = 0; D.cuCtxGetFlags(&got); o_hex("flags", got); }
}
static void g_scope0(void) { scope(0); }
static void g_scope1(void) { scope(1); }
static void g_scope2(void) { scope(2); }
/* What the environment sets. */
static const struct { const char *name, *e[8]; } envs[] = {
    { "none", { 0 } },
    { "enable1", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1" } }, { "enable0", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=0" } }, { "enable_true", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=true" } },
    { "enable2", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=2" } }, { "enable_empty", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=" } }, { "enable_space", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION= 1" } }, { "enable_x", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1x" } },
    { "light", { "CUDA_ENABLE_LIGHTWEIGHT_COREDUMP=1" } }, { "light_on", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1", "CUDA_ENABLE_LIGHTWEIGHT_COREDUMP=1" } },
    { "host0", { "CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=0" } }, { "host1", { "CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=1" } }, { "host_on0", { "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1", "CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=0" } },
    { "user1", { "CUDA_ENABLE_USER_TRIGGERED_COREDUMP=1" } }, { "user_pipe", { "CUDA_ENABLE_USER_TRIGGERED_COREDUMP=1", "CUDA_COREDUMP_PIPE=/tmp/oracle_pipe_%h_%p" } }, { "pipe", { "CUDA_COREDUMP_PIPE=/tmp/oracle_pipe_%h_%p_%t" } },
    { "file", { "CUDA_COREDUMP_FILE=/tmp/oracle_core" } }, { "file_all", { "CUDA_COREDUMP_FILE=/tmp/oracle_core_%h_%p_%t" } }, { "file_empty", { "CUDA_COREDUMP_FILE=" } }, { "file_rel", { "CUDA_COREDUMP_FILE=core.%p" } },
    { "show", { "CUDA_COREDUMP_SHOW_PROGRESS=1" } },
    { "flags_all", { "CUDA_COREDUMP_GENERATION_FLAGS=skip_nonrelocated_elf_images,skip_global_memory,skip_shared_memory,skip_local_memory,skip_abort,skip_constbank_memory" } },
    { "flags_one", { "CUDA_COREDUMP_GENERATION_FLAGS=skip_abort" } }, { "flags_space", { "CUDA_COREDUMP_GENERATION_FLAGS=skip_abort, skip_global_memory" } }, { "flags_bad", { "CUDA_COREDUMP_GENERATION_FLAGS=skip_nothing" } },
    { "flags_bad_good", { "CUDA_COREDUMP_GENERATION_FLAGS=skip_nothing,skip_abort" } }, { "flags_num", { "CUDA_COREDUMP_GENERATION_FLAGS=16" } }, { "flags_hex", { "CUDA_COREDUMP_GENERATION_FLAGS=0x10" } }, { "flags_upper", { "CUDA_COREDUMP_GENERATION_FLAGS=SKIP_ABORT" } },
    { "flags_gzip", { "CUDA_COREDUMP_GENERATION_FLAGS=gzip_compress" } }, { "flags_faulted", { "CUDA_COREDUMP_GENERATION_FLAGS=faulted_contexts_only" } }, { "flags_errbar", { "CUDA_COREDUMP_GENERATION_FLAGS=no_errbar_at_exit" } },
    { "flags_light", { "CUDA_COREDUMP_GENERATION_FLAGS=lightweight" } }, { "light_and_flags", { "CUDA_ENABLE_LIGHTWEIGHT_COREDUMP=1", "CUDA_COREDUMP_GENERATION_FLAGS=skip_abort" } },
};
static void put_env(int i) { for (int k = 0; k < 8 && envs[i].e[k]; k++) putenv(strdup(envs[i].e[k])); }
static void env(int part)
{
    for (int i = part; i < NELEM(envs); i += 4)
        CASE("%s", envs[i].name) {
            put_env(i);
            CALL(cuInit, (0), "with the environment %s", envs[i].name);
            show_all("global", D.cuCoredumpGetAttributeGlobal);
            CUcontext c; OK(D.cuDevicePrimaryCtxRetain(&c, 0)); OK(D.cuCtxSetCurrent(c));
            show_all("ctx", D.cuCoredumpGetAttribute);
            unsigned fl = 0; D.cuCtxGetFlags(&fl); o_hex("flags", fl);
            bool off = false; size_t n = 1; o_ret("set_enable", D.cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &off, &n)); show("then", D.cuCoredumpGetAttribute, 1);
            o_ret("set_user", D.cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_USER_TRIGGER, &off, &n)); show("then", D.cuCoredumpGetAttributeGlobal, 4);
        }
}
static void g_env0(void) { env(0); }
static void g_env1(void) { env(1); }
static void g_env2(void) { env(2); }
static void g_env3(void) { env(3); }
static void g_before(void)
{
    for (int a = 1; a <= 7; a++) {
        char v[40] = "/tmp/oracle_%p"; size_t n = is_text(a) ? 15 : a == 7 ? 4 : 1;
        if (!is_text(a)) { memset(v, 0, 8); v[0] = 1; }
        CASE("get_%d", a) { char b[2100]; size_t m = is_text(a) ? 2048 : n; POISON(b); CALL(cuCoredumpGetAttributeGlobal, ((CUcoredumpSettings)a, b, &m), "before cuInit"); o_touch("v", b, 1); }
        CASE("get_ctx_%d", a) { char b[2100]; size_t m = is_text(a) ? 2048 : n; POISON(b); CALL(cuCoredumpGetAttribute, ((CUcoredumpSettings)a, b, &m), "before cuInit"); o_touch("v", b, 1); }
        CASE("set_%d", a) { CALL(cuCoredumpSetAttributeGlobal, ((CUcoredumpSettings)a, v, &n), "before cuInit"); o_ret("init", D.cuInit(0)); show("global", D.cuCoredumpGetAttributeGlobal, a); CUcontext c; OK(D.cuDevicePrimaryCtxRetain(&c, 0)); OK(D.cuCtxSetCurrent(c)); show("ctx", D.cuCoredumpGetAttribute, a); }
    }
}
const group_t coredump_groups[] = {
    { "get", g_read, G_INIT, 0, 0 }, { "get_ctx", g_read_ctx, G_CTX, 0, 0 }, { "no_ctx", g_few, G_INIT, 0, 0 }, { "few", g_few, G_CTX, 0, 0 }, { "raw", g_few, G_RAW, 0, 1 }, { "dead", g_dead, G_INIT, 0, 1 },
    { "before", g_before, G_RAW, 0, 1 }, { "scope0", g_scope0, G_CTX, 0, 0 }, { "scope1", g_scope1, G_CTX, 0, 0 }, { "scope2", g_scope2, G_CTX, 0, 0 }, { "set", g_write, G_INIT, 0, 0 }, { "set_ctx", g_write_ctx, G_CTX, 0, 0 }, { "env0", g_env0, G_RAW, 0, 1 }, { "env1", g_env1, G_RAW, 0, 1 }, { "env2", g_env2, G_RAW, 0, 1 }, { "env3", g_env3, G_RAW, 0, 1 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_coredump = { "coredump", coredump_groups, 0, "core dump settings" };

/* ---- kernels that fail --------------------------------------------------------------- */

static const char ptx_fail[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".global .align 8 .u64 word = 5;\n"
    ".visible .entry wild(.param .u64 p) {\n .reg .u64 %a, %b; .reg .u32 %t, %v; .reg .pred %q; .shared .align 16 .b8 sh[256];\n"
    " ld.param.u64 %a, [p]; mov.u32 %t, %tid.x; mov.u32 %v, 1234; st.shared.u32 [sh], %v; bar.sync 0; setp.ne.u32 %q, %t, 37; @%q bra done; st.global.u32 [%a], %v;\ndone: ret; }\n"
    ".visible .entry odd(.param .u64 p) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [p]; mov.u32 %v, 1; st.global.u32 [%a], %v; ret; }\n"
    ".visible .entry trapped(.param .u64 p) { trap; }\n"
    ".visible .entry spin(.param .u64 p) {\n .reg .u64 %a; .reg .u32 %v; .reg .pred %q; ld.param.u64 %a, [p];\nagain: ld.volatile.global.u32 %v, [%a]; setp.eq.u32 %q, %v, 0; @%q bra again; ret; }\n";

static char work[64];
struct told { int step; CUresult r; };
static void tell(int fd, int step, CUresult r) { struct told t = { step, r }; if (write(fd, &t, sizeof t) < 0) { } }
enum { HOW_ENV, HOW_GLOBAL, HOW_GLOBAL_RAW, HOW_CTX, HOW_CTX_FLAG };
struct crash { const char *name; int how; const char *kernel; unsigned flags; bool light; const char *file; bool user; const char *env[4]; };
static void child(const struct crash *c, int fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); alarm(25);
    if (chdir(work)) { }
    bool on = true; size_t one = 1, four = 4; unsigned fl = c->flags; char f[128]; snprintf(f, sizeof f, "%s/%s", work, c->file ? c->file : "core"); size_t fn = strlen(f) + 1;
    for (int i = 0; i < 4 && c->env[i]; i++) putenv(strdup(c->env[i]));
    if (c->how == HOW_ENV) { setenv(c->user ? "CUDA_ENABLE_USER_TRIGGERED_COREDUMP" : "CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1", 1); if (c->light) setenv("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", "1", 1); if (c->file) setenv("CUDA_COREDUMP_FILE", f, 1); }
    int first = c->user ? CU_COREDUMP_ENABLE_USER_TRIGGER : CU_COREDUMP_ENABLE_ON_EXCEPTION;
#define SETTINGS(F) do { tell(fd, 10, F((CUcoredumpSettings)first, &on, &one)); if (c->light) tell(fd, 11, F(CU_COREDUMP_LIGHTWEIGHT, &on, &one)); if (c->file) tell(fd, 12, F(CU_COREDUMP_FILE, f, &fn)); if (fl) tell(fd, 13, F((CUcoredumpSettings)7, &fl, &four)); } while (0)
    if (c->how == HOW_GLOBAL_RAW) SETTINGS(D.cuCoredumpSetAttributeGlobal);
    tell(fd, 0, D.cuInit(0));
    if (c->how == HOW_GLOBAL) SETTINGS(D.cuCoredumpSetAttributeGlobal);
    CUcontext x; CUmodule m; CUfunction k; CUdeviceptr d = 0; void *h = NULL;
    CUresult r = c->how == HOW_CTX_FLAG ? D.cuCtxCreate_v4(&x, NULL, CU_CTX_COREDUMP_ENABLE, 0) : D.cuDevicePrimaryCtxRetain(&x, 0);
    tell(fd, 1, r); tell(fd, 2, D.cuCtxSetCurrent(x));
    if (c->how == HOW_CTX) SETTINGS(D.cuCoredumpSetAttribute);
    tell(fd, 3, D.cuModuleLoadData(&m, ptx_fail)); tell(fd, 4, D.cuModuleGetFunction(&k, m, c->kernel));
    D.cuMemAlloc(&d, 4096); D.cuMemsetD8(d, 0x5a, 4096);
    D.cuMemHostAlloc(&h, 4096, CU_MEMHOSTALLOC_DEVICEMAP); memset(h, 0, 4096); CUdeviceptr hd = 0; D.cuMemHostGetDevicePointer(&hd, h, 0);
    CUdeviceptr arg = !strcmp(c->kernel, "spin") ? hd : !strcmp(c->kernel, "odd") ? d + 2 : 0x7ff000000000; void *args[] = { &arg };
    tell(fd, 5, D.cuLaunchKernel(k, 3, 1, 1, 64, 1, 1, 0, NULL, args, NULL));
    if (c->user) { tell(fd, 50, CUDA_SUCCESS); for (int i = 0; i < 300 && access("go", F_OK); i++) usleep(10000); *(volatile int *)h = 1; }
    tell(fd, 6, D.cuCtxSynchronize()); tell(fd, 7, D.cuMemAlloc(&d, 16)); tell(fd, 8, D.cuCtxSynchronize());
    _exit(0);
}
static void look(const char *key)
{
    DIR *dir = opendir(work); struct dirent *e; int n = 0;
    char names[8][256];
    while (dir && (e = readdir(dir)) && n < 8) if (e->d_name[0] != '.' && strcmp(e->d_name, "go")) snprintf(names[n++], 256, "%s", e->d_name);
    if (dir) closedir(dir);
    o_int(key, n);
    for (int i = 0; i < n; i++) {
        char p[400], k[300]; snprintf(p, sizeof p, "%s/%s", work, names[i]); struct stat s; if (lstat(p, &s)) continue;
        snprintf(k, sizeof k, "dev:name%d", i); o_str(k, "%s", names[i]);
        snprintf(k, sizeof k, "mode%d", i); o_str(k, "%o", s.st_mode);
        snprintf(k, sizeof k, "dev:size%d", i); o_int(k, (long long)s.st_size);
        if (!S_ISREG(s.st_mode)) { unlink(p); continue; }
        FILE *f = fopen(p, "rb"); Elf64_Ehdr h; if (!f) continue;
        if (fread(&h, sizeof h, 1, f) == 1) {
            snprintf(k, sizeof k, "elf%d", i); o_bool(k, !memcmp(h.e_ident, ELFMAG, 4));
            if (!memcmp(h.e_ident, ELFMAG, 4)) {
                o_int("dev:type", h.e_type); o_int("dev:machine", h.e_machine); o_int("dev:osabi", h.e_ident[7]); o_int("dev:abi", h.e_ident[8]); o_hex("dev:flags", h.e_flags); o_int("dev:phnum", h.e_phnum);
                Elf64_Shdr *sh = calloc(h.e_shnum, sizeof *sh); fseek(f, (long)h.e_shoff, SEEK_SET);
                if (fread(sh, sizeof *sh, h.e_shnum, f) == h.e_shnum && h.e_shstrndx < h.e_shnum) {
                    char *str = calloc(1, sh[h.e_shstrndx].sh_size + 1); fseek(f, (long)sh[h.e_shstrndx].sh_offset, SEEK_SET);
                    if (fread(str, 1, sh[h.e_shstrndx].sh_size, f) > 0) { char all[1400]; size_t w = 0; int last = -1; for (int j = 0; j < h.e_shnum && w < 1300; j++) { if (last >= 0 && sh[j].sh_type == sh[last].sh_type) { last = j; continue; } w += (size_t)snprintf(all + w, sizeof all - w, "%s:%x:%lld:%lld;", str + sh[j].sh_name, sh[j].sh_type, (long long)sh[j].sh_entsize, (long long)sh[j].sh_size); last = j; } o_str("dev:sections", "%s", all); }
                    free(str);
                }
                o_int("dev:shnum", h.e_shnum); free(sh);
            }
        }
        fclose(f); unlink(p);
    }
}
static void crash(const struct crash *c)
{
    snprintf(work, sizeof work, "/tmp/oracle_core_XXXXXX"); if (!mkdtemp(work)) return;
    int p[2]; if (pipe(p)) return;
    pre_call("kernel", "%s", c->name);
    pid_t pid = fork();
    if (pid == 0) { close(p[0]); child(c, p[1]); _exit(9); }
    close(p[1]);
    struct told t;
    CUresult last = (CUresult)ORC_SKIPPED;
    while (read(p[0], &t, sizeof t) == (ssize_t)sizeof t) {
        char k[24]; snprintf(k, sizeof k, "s%d", t.step); if (t.r || t.step == 6) o_ret(k, t.r); if (t.step == 6) last = t.r;
        if (t.step == 50) { /* the pipe is there: ask for a dump */
            DIR *dir = opendir(work); struct dirent *e; char found[400] = "";
            while (dir && (e = readdir(dir))) if (e->d_type == DT_FIFO) { snprintf(found, sizeof found, "%s/%s", work, e->d_name); char n[300]; plain(n, sizeof n, e->d_name); o_str("dev:pipe", "%s", n); }
            if (dir) closedir(dir);
            o_bool("pipe", *found != 0);
            if (*found) { int w = -1; for (int i = 0; i < 100 && w < 0; i++) { w = open(found, O_WRONLY | O_NONBLOCK); if (w < 0) usleep(10000); } o_bool("opened", w >= 0); if (w >= 0) { o_int("wrote", (long long)write(w, "1", 1)); close(w); } usleep(1500000); }
            char g[128]; snprintf(g, sizeof g, "%s/go", work); int w = open(g, O_CREAT | O_WRONLY, 0600); if (w >= 0) close(w);
        }
    }
    close(p[0]);
    int st = 0; waitpid(pid, &st, 0);
    if (WIFSIGNALED(st)) o_str("end", "signal:%d", WTERMSIG(st)); else o_str("end", "exit:%d", WEXITSTATUS(st));
    look("files");
    char g[128]; snprintf(g, sizeof g, "%s/go", work); unlink(g); rmdir(work);
    ret_set(last);
}
static const struct crash crashes[] = {
    { "env_light", HOW_ENV, "wild", 0, true, "core", false, { 0 } }, { "ctx_set", HOW_CTX, "wild", 0x12, false, "core", false, { 0 } }, { "user_env", HOW_ENV, "spin", 0, true, "core", true, { 0 } },
    { "global_init", HOW_GLOBAL, "trapped", 0x10, true, "core", false, { 0 } }, { "env", HOW_ENV, "trapped", 0, false, "c_%h_%p_%t", false, { 0 } }, { "env_skip_abort", HOW_ENV, "odd", 0, true, "core", false, { "CUDA_COREDUMP_GENERATION_FLAGS=skip_abort" } },
    { "env_default_name", HOW_ENV, "trapped", 0, true, NULL, false, { 0 } }, { "env_no_host", HOW_ENV, "trapped", 0, true, "core", false, { "CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=0" } }, { "global_light_only", HOW_GLOBAL, "odd", 0, true, "core", false, { 0 } },
    { "env_no_folder", HOW_ENV, "trapped", 0, true, "no/such/core", false, { 0 } }, { "user_global", HOW_GLOBAL, "spin", 0x12, true, "core", true, { 0 } }, { "ctx_flag", HOW_CTX_FLAG, "trapped", 0, false, NULL, false, { 0 } },
};
static void crash_part(int part) { for (int i = part; i < NELEM(crashes); i += 3) CASE("%s", crashes[i].name) crash(&crashes[i]); }
static void g_crash0(void) { crash_part(0); }
static void g_crash1(void) { crash_part(1); }
static void g_crash2(void) { crash_part(2); }
const group_t coredump_file_groups[] = { { "kernel0", g_crash0, G_RAW, 28000, 1 }, { "kernel1", g_crash1, G_RAW, 28000, 1 }, { "kernel2", g_crash2, G_RAW, 28000, 1 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_corefile = { "corefile", coredump_file_groups, 1, "core dumps of failing kernels" };
