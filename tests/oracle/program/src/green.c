/* Device resources and green contexts. */
#include "common.h"
#include "ptx.h"

#define HP(p) ((void *)(uintptr_t)(p))
#define BADP(T) ((T)(uintptr_t)0x1230)
enum { SM = 1, WQC = 1000, WQ = 10000 };

/* What a resource says: its kind and its multiprocessors. What the driver keeps for itself is not looked at. */
static void o_res(const char *k, const CUdevResource *r)
{
    unsigned w[5];
    int type;
    char kk[64];
    memcpy(&type, &r->type, 4);
    if ((unsigned)type == 0xa5a5a5a5u) { o_str(k, "untouched"); return; }
    memcpy(w, &r->sm, sizeof w);
    if (type == SM) o_str(k, "sm %u", w[0]);
    else o_str(k, "type %d", type);
    snprintf(kk, sizeof kk, "dev:%s.rest", k);
    o_str(kk, "%x %x %x %x", w[1], w[2], w[3], w[4]);
}
static CUdevResource whole(void)
{
    CUdevResource r;
    memset(&r, 0, sizeof r);
    OK(D.cuDeviceGetDevResource(0, &r, (CUdevResourceType)SM));
    return r;
}
/* `n` groups of at least `min`, the rest of them in `rest`. */
static unsigned split(CUdevResource *out, unsigned n, CUdevResource *rest, unsigned flags, unsigned min)
{
    CUdevResource in = whole();
    OK(D.cuDevSmResourceSplitByCount(out, &n, &in, rest, flags, min));
    return n;
}
static CUdevResourceDesc desc_of(CUdevResource *r, unsigned n)
{
    CUdevResourceDesc d = NULL;
    OK(D.cuDevResourceGenerateDesc(&d, r, n));
    return d;
}
static CUgreenCtx green_of(CUdevResource *r, unsigned n)
{
    CUgreenCtx g = NULL;
    OK(D.cuGreenCtxCreate(&g, desc_of(r, n), 0, 1));
    return g;
}
/* A green context of `sms` multiprocessors. */
static CUgreenCtx green(unsigned sms)
{
    CUdevResource r[1];
    memset(r, 0, sizeof r);
    split(r, 1, NULL, 0, sms);
    return green_of(r, 1);
}
static CUstream gstream(CUgreenCtx g)
{
    CUstream s = NULL;
    OK(D.cuGreenCtxStreamCreate(&s, g, 1, 0));
    return s;
}
static CUcontext ctx_of(CUgreenCtx g)
{
    CUcontext c = NULL;
    OK(D.cuCtxFromGreenCtx(&c, g));
    return c;
}

/* ---- resources ------------------------------------------------------------ */

static const int types[] = { SM, WQC, WQ, 0, 2, -1, 999, 1001, 9999, 10001 };

static void g_has(void)
{
    CUdevResource r;
    CUgreenCtx g = green(16);
    for (int i = 0; i < NELEM(types); i++) {
        CASE("ctx_%d", types[i]) { POISON(r); CALL(cuCtxGetDevResource, (G.ctx, &r, (CUdevResourceType)types[i]), "primary, type %d", types[i]); o_res("r", &r); }
        CASE("green_%d", types[i]) { POISON(r); CALL(cuGreenCtxGetDevResource, (g, &r, (CUdevResourceType)types[i]), "type %d", types[i]); o_res("r", &r); }
        CASE("green_ctx_%d", types[i]) { POISON(r); CALL(cuCtxGetDevResource, (ctx_of(g), &r, (CUdevResourceType)types[i]), "context of a green context, type %d", types[i]); o_res("r", &r); }
    }
    CASE("null") { POISON(r); D.cuCtxSetCurrent(NULL); CALL(cuCtxGetDevResource, (NULL, &r, (CUdevResourceType)SM), "hCtx=NULL, none current"); o_res("r", &r); D.cuCtxSetCurrent(G.ctx); }
    CASE("null_current") { POISON(r); CALL(cuCtxGetDevResource, (NULL, &r, (CUdevResourceType)SM), "hCtx=NULL, one current"); o_res("r", &r); }
    CASE("null_green_current") { D.cuCtxSetCurrent(ctx_of(g)); POISON(r); CALL(cuCtxGetDevResource, (NULL, &r, (CUdevResourceType)SM), "hCtx=NULL, green current"); o_res("r", &r); D.cuCtxSetCurrent(G.ctx); }
    CASE("ctx_null_out") CALL(cuCtxGetDevResource, (G.ctx, NULL, (CUdevResourceType)SM), "resource=NULL");
    CASE("ctx_null_out_type") CALL(cuCtxGetDevResource, (G.ctx, NULL, (CUdevResourceType)7), "resource=NULL, type 7");
    CASE("made") { CUcontext c = NULL; OK(D.cuCtxCreate(&c, NULL, 0, 0)); POISON(r); CALL(cuCtxGetDevResource, (c, &r, (CUdevResourceType)SM), "created context"); o_res("r", &r); D.cuCtxDestroy(c); D.cuCtxSetCurrent(G.ctx); }
    CASE("green_null") { POISON(r); CALL(cuGreenCtxGetDevResource, (NULL, &r, (CUdevResourceType)SM), "hCtx=NULL"); o_res("r", &r); }
    CASE("green_null_type") { POISON(r); CALL(cuGreenCtxGetDevResource, (NULL, &r, (CUdevResourceType)7), "hCtx=NULL, type 7"); o_res("r", &r); }
    CASE("green_null_out") CALL(cuGreenCtxGetDevResource, (g, NULL, (CUdevResourceType)SM), "resource=NULL");
    CASE("no_desc") { CUgreenCtx w = NULL; OK(D.cuGreenCtxCreate(&w, NULL, 0, 1)); POISON(r); CALL(cuGreenCtxGetDevResource, (w, &r, (CUdevResourceType)SM), "made without a descriptor"); o_res("r", &r); POISON(r); o_ret("ctx", D.cuCtxGetDevResource(ctx_of(w), &r, (CUdevResourceType)SM)); o_res("c", &r); CUstream s = NULL; o_ret("stream", D.cuGreenCtxStreamCreate(&s, w, 1, 0)); D.cuGreenCtxDestroy(w); }
    CASE("two_groups_green") { CUdevResource q[3]; memset(q, 0, sizeof q); split(q, 3, NULL, 0, 16); CUdevResource t[2] = { q[0], q[0] }; CUgreenCtx w = green_of(t, 2); POISON(r); CALL(cuGreenCtxGetDevResource, (w, &r, (CUdevResourceType)SM), "one group twice"); o_res("r", &r); D.cuGreenCtxDestroy(w); }
    CASE("overlap_green") { CUdevResource q[1]; memset(q, 0, sizeof q); split(q, 1, NULL, 0, 16); CUdevResource t[2] = { q[0], whole() }; CUgreenCtx w = NULL; CUresult e = CALL(cuGreenCtxCreate, (&w, desc_of(t, 2), 0, 1), "a group and the device"); if (!e) { POISON(r); D.cuGreenCtxGetDevResource(w, &r, (CUdevResourceType)SM); o_res("r", &r); D.cuGreenCtxDestroy(w); } }
    static const unsigned again[] = { 1, 2, 8, 9, 16, 24, 32, 33, 64 };
    for (unsigned size = 32; size <= 64; size += 32)
        for (unsigned flags = 0; flags < 2; flags++)
            for (int i = 0; i < NELEM(again); i++) CASE("split_%u_f%u_%u", size, flags, again[i]) { CUgreenCtx w = green(size); static CUdevResource in, out[140], rest; memset(&in, 0, sizeof in); D.cuGreenCtxGetDevResource(w, &in, (CUdevResourceType)SM); unsigned n = 140; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, flags, again[i]), "of a green context's %u, flags %u, minCount %u", size, flags, again[i]); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); D.cuGreenCtxDestroy(w); }
    CASE("split_other_green") { CUgreenCtx w = green(32); CUdevResource in, out[1]; memset(&in, 0, sizeof in); memset(out, 0, sizeof out); OK(D.cuGreenCtxGetDevResource(w, &in, (CUdevResourceType)SM)); unsigned n = 1; OK(D.cuDevSmResourceSplitByCount(out, &n, &in, NULL, 0, 16)); D.cuGreenCtxDestroy(w); w = NULL; CALL(cuGreenCtxCreate, (&w, desc_of(out, 1), 0, 1), "of a group of a green context that is gone"); if (w) { POISON(r); D.cuGreenCtxGetDevResource(w, &r, (CUdevResourceType)SM); o_res("r", &r); D.cuGreenCtxDestroy(w); } }
    D.cuGreenCtxDestroy(g);
}

static void g_get(void)
{
    CUdevResource r;
    for (int i = 0; i < NELEM(types); i++) {
        CASE("device_%d", types[i]) { POISON(r); CALL(cuDeviceGetDevResource, (0, &r, (CUdevResourceType)types[i]), "type %d", types[i]); o_res("r", &r); }
    }
    CASE("device_null") CALL(cuDeviceGetDevResource, (0, NULL, (CUdevResourceType)SM), "resource=NULL");
    CASE("device_bad") { POISON(r); CALL(cuDeviceGetDevResource, (7, &r, (CUdevResourceType)SM), "device 7"); o_res("r", &r); }
    CASE("device_negative") { POISON(r); CALL(cuDeviceGetDevResource, (-1, &r, (CUdevResourceType)SM), "device -1"); o_res("r", &r); }
    CASE("device_bad_null") CALL(cuDeviceGetDevResource, (7, NULL, (CUdevResourceType)99), "all wrong");
    CASE("ctx_released") { case_isolate(); CUcontext c = NULL; D.cuDevicePrimaryCtxRetain(&c, 0); D.cuDevicePrimaryCtxRelease(0); POISON(r); CALL(cuCtxGetDevResource, (c, &r, (CUdevResourceType)SM), "released primary context"); o_res("r", &r); }
    CASE("equal") { CUdevResource a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); CALL(cuDeviceGetDevResource, (0, &a, (CUdevResourceType)SM), "twice"); D.cuDeviceGetDevResource(0, &b, (CUdevResourceType)SM); o_bool("same", !memcmp(&a, &b, sizeof a)); }
}

static void g_split(void)
{
    static CUdevResource out[140], rest, in;
    static const unsigned mins[] = { 0, 1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 17, 18, 24, 25, 31, 32, 33, 40, 44, 48, 56, 64, 65, 66, 67, 72, 88, 96, 104, 112, 120, 124, 125, 128, 129, 130, 131, 132, 133, 140, 1000, ~0u };
    for (unsigned flags = 0; flags <= 4; flags++)
        for (int i = 0; i < NELEM(mins); i++) {
            if (flags > 2 && i % 6) continue;
            CASE("count_f%u_%u", flags, mins[i]) { unsigned n = 0xa5a5a5a5; in = whole(); CALL(cuDevSmResourceSplitByCount, (NULL, &n, &in, NULL, flags, mins[i]), "result=NULL, flags %u, minCount %u", flags, mins[i]); o_u32("n", &n); }
            CASE("all_f%u_%u", flags, mins[i]) {
                unsigned n = 140; in = whole(); POISON(out); POISON(rest);
                CUresult r = CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, flags, mins[i]), "up to 140 groups, flags %u, minCount %u", flags, mins[i]);
                o_u32("n", &n); o_res("first", &out[0]); if (!r && n > 0 && n <= 140) { o_res("last", &out[n - 1]); bool same = true; for (unsigned k = 0; k < n; k++) same &= out[k].sm.smCount == out[0].sm.smCount; o_bool("alike", same); if (n < 140) o_res("behind", &out[n]); } o_res("rest", &rest);
            }
            CASE("one_f%u_%u", flags, mins[i]) { unsigned n = 1; in = whole(); POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, flags, mins[i]), "1 group, flags %u, minCount %u", flags, mins[i]); o_u32("n", &n); o_res("first", &out[0]); o_res("behind", &out[1]); o_res("rest", &rest); }
        }
    static const unsigned wanted[] = { 0, 2, 3, 5, 8, 15, 16, 17 };
    for (int i = 0; i < NELEM(wanted); i++) {
        CASE("wanted_%u", wanted[i]) { unsigned n = wanted[i]; in = whole(); POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, 0, 8), "%u groups of 8", wanted[i]); o_u32("n", &n); o_res("first", &out[0]); o_res("behind", &out[n < 139 ? n : 139]); o_res("rest", &rest); }
        CASE("asked_%u", wanted[i]) { unsigned n = wanted[i]; in = whole(); CALL(cuDevSmResourceSplitByCount, (NULL, &n, &in, NULL, 0, 8), "%u groups of 8, result=NULL", wanted[i]); o_u32("n", &n); }
        CASE("asked_rest_%u", wanted[i]) { unsigned n = wanted[i]; in = whole(); POISON(rest); CALL(cuDevSmResourceSplitByCount, (NULL, &n, &in, &rest, 0, 8), "%u groups of 8, result=NULL, remainder", wanted[i]); o_u32("n", &n); o_res("rest", &rest); }
    }
    CASE("null_n") { in = whole(); POISON(out); CALL(cuDevSmResourceSplitByCount, (out, NULL, &in, NULL, 0, 8), "nbGroups=NULL"); o_res("first", out); }
    CASE("null_in") { unsigned n = 1; POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, NULL, NULL, 0, 8), "input=NULL"); o_u32("n", &n); o_res("first", out); }
    CASE("null_all") CALL(cuDevSmResourceSplitByCount, (NULL, NULL, NULL, NULL, 0, 8), "all NULL");
    CASE("null_result_n") { in = whole(); CALL(cuDevSmResourceSplitByCount, (NULL, NULL, &in, NULL, 0, 8), "result, nbGroups NULL"); }
    CASE("zeroed_in") { unsigned n = 1; memset(&in, 0, sizeof in); POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, NULL, 0, 8), "input of zeros"); o_u32("n", &n); o_res("first", out); }
    CASE("typed_zeroed_in") { unsigned n = 1; memset(&in, 0, sizeof in); in.type = (CUdevResourceType)SM; POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, NULL, 0, 8), "input of zeros but its type"); o_u32("n", &n); o_res("first", out); }
    CASE("counted_zeroed_in") { unsigned n = 1; memset(&in, 0, sizeof in); in.type = (CUdevResourceType)SM; in.sm.smCount = 64; POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, NULL, 0, 8), "input of zeros but its type and number"); o_u32("n", &n); o_res("first", out); }
    CASE("other_type_in") { unsigned n = 1; in = whole(); in.type = (CUdevResourceType)WQC; POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, NULL, 0, 8), "input of another type"); o_u32("n", &n); o_res("first", out); }
    CASE("changed_count_in") { unsigned n = 1; in = whole(); in.sm.smCount = 16; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, 0, 8), "number of the input changed to 16"); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); }
    CASE("more_count_in") { unsigned n = 1; in = whole(); in.sm.smCount = 500; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, 0, 8), "number of the input changed to 500"); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); }
    CASE("in_is_out") { unsigned n = 1; out[0] = whole(); CALL(cuDevSmResourceSplitByCount, (out, &n, out, NULL, 0, 8), "result is input"); o_u32("n", &n); o_res("first", out); }
    CASE("in_is_rest") { unsigned n = 1; in = whole(); POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &in, 0, 8), "remainder is input"); o_u32("n", &n); o_res("first", out); o_res("rest", &in); }
    CASE("in_kept") { unsigned n = 1; in = whole(); CUdevResource copy = in; CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, 0, 8), "is the input changed?"); o_bool("same", !memcmp(&copy, &in, sizeof in)); }
    /* splits of what was split */
    static const unsigned again[] = { 1, 2, 4, 7, 8, 9, 16, 17, 24, 32, 33 };
    for (unsigned flags = 0; flags <= 2; flags++)
        for (int i = 0; i < NELEM(again); i++) {
            CASE("group_f%u_%u", flags, again[i]) { CUdevResource g[1]; memset(g, 0, sizeof g); split(g, 1, NULL, 0, 32); unsigned n = 140; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, g, &rest, flags, again[i]), "of a group of 32, flags %u, minCount %u", flags, again[i]); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); }
            CASE("rest_f%u_%u", flags, again[i]) { CUdevResource g[4], left; memset(g, 0, sizeof g); memset(&left, 0, sizeof left); split(g, 3, &left, 0, 32); unsigned n = 140; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &left, &rest, flags, again[i]), "of the remainder of 3 times 32, flags %u, minCount %u", flags, again[i]); o_res("left", &left); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); }
        }
    CASE("fine_again") { CUdevResource g[1]; memset(g, 0, sizeof g); split(g, 1, NULL, 1, 2); unsigned n = 140; POISON(out); CALL(cuDevSmResourceSplitByCount, (out, &n, g, NULL, 1, 1), "a group of 2 without coscheduling, by 1"); o_u32("n", &n); o_res("first", out); }
    CASE("green_again") { CUgreenCtx g = green(32); memset(&in, 0, sizeof in); OK(D.cuGreenCtxGetDevResource(g, &in, (CUdevResourceType)SM)); unsigned n = 140; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, 0, 8), "resources of a green context"); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); D.cuGreenCtxDestroy(g); }
    CASE("ctx_again") { CUcontext c = NULL; D.cuDevicePrimaryCtxRetain(&c, 0); memset(&in, 0, sizeof in); OK(D.cuCtxGetDevResource(c, &in, (CUdevResourceType)SM)); unsigned n = 140; POISON(out); POISON(rest); CALL(cuDevSmResourceSplitByCount, (out, &n, &in, &rest, 0, 8), "resources of the primary context"); o_u32("n", &n); o_res("first", out); o_res("rest", &rest); D.cuDevicePrimaryCtxRelease(0); }
}

static void g_desc(void)
{
    CUdevResourceDesc d;
    CUdevResource r[4], rest;
    memset(r, 0, sizeof r);
    memset(&rest, 0, sizeof rest);
    split(r, 3, &rest, 0, 32);
    CASE("one") { POISON(d); CALL(cuDevResourceGenerateDesc, (&d, r, 1), "1 group"); o_handle("d", &d); }
    CASE("whole") { CUdevResource w = whole(); POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &w, 1), "the device"); o_handle("d", &d); }
    CASE("rest") { POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &rest, 1), "the remainder"); o_handle("d", &d); }
    CASE("two") { POISON(d); CALL(cuDevResourceGenerateDesc, (&d, r, 2), "2 groups of one split"); o_handle("d", &d); CUgreenCtx g; POISON(g); CUresult q = D.cuGreenCtxCreate(&g, d, 0, 1); o_ret("create", q); if (!q) { CUdevResource s; POISON(s); D.cuGreenCtxGetDevResource(g, &s, (CUdevResourceType)SM); o_res("has", &s); D.cuGreenCtxDestroy(g); } }
    CASE("three_rest") { CUdevResource a[4] = { r[0], r[1], r[2], rest }; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, a, 4), "all of one split"); o_handle("d", &d); CUgreenCtx g; POISON(g); CUresult q = D.cuGreenCtxCreate(&g, d, 0, 1); o_ret("create", q); if (!q) { CUdevResource s; POISON(s); D.cuGreenCtxGetDevResource(g, &s, (CUdevResourceType)SM); o_res("has", &s); D.cuGreenCtxDestroy(g); } }
    CASE("same_twice") { CUdevResource a[2] = { r[0], r[0] }; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, a, 2), "one group twice"); o_handle("d", &d); }
    CASE("overlap") { CUdevResource a[2] = { r[0], whole() }; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, a, 2), "a group and the device"); o_handle("d", &d); }
    CASE("two_splits") { CUdevResource o[1]; memset(o, 0, sizeof o); split(o, 1, NULL, 0, 32); CUdevResource a[2] = { r[0], o[0] }; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, a, 2), "groups of two splits of the device"); o_handle("d", &d); }
    CASE("nested") { CUdevResource o[4]; memset(o, 0, sizeof o); unsigned n = 4; OK(D.cuDevSmResourceSplitByCount(o, &n, r, NULL, 0, 8)); POISON(d); CALL(cuDevResourceGenerateDesc, (&d, o, 2), "2 groups of a split of a group"); o_handle("d", &d); }
    CASE("nested_other") { CUdevResource o[4]; memset(o, 0, sizeof o); unsigned n = 4; OK(D.cuDevSmResourceSplitByCount(o, &n, r, NULL, 0, 8)); CUdevResource a[2] = { o[0], r[1] }; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, a, 2), "a group of a group, and another group"); o_handle("d", &d); }
    CASE("null_out") CALL(cuDevResourceGenerateDesc, (NULL, r, 1), "phDesc=NULL");
    CASE("null_resources") { POISON(d); CALL(cuDevResourceGenerateDesc, (&d, NULL, 1), "resources=NULL"); o_handle("d", &d); }
    CASE("null_none") { POISON(d); CALL(cuDevResourceGenerateDesc, (&d, NULL, 0), "none"); o_handle("d", &d); }
    CASE("none") { POISON(d); CALL(cuDevResourceGenerateDesc, (&d, r, 0), "nbResources=0"); o_handle("d", &d); }
    CASE("zeroed") { CUdevResource z; memset(&z, 0, sizeof z); POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &z, 1), "zeros"); o_handle("d", &d); }
    CASE("typed_zeroed") { CUdevResource z; memset(&z, 0, sizeof z); z.type = (CUdevResourceType)SM; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &z, 1), "zeros but the type"); o_handle("d", &d); }
    CASE("counted_zeroed") { CUdevResource z; memset(&z, 0, sizeof z); z.type = (CUdevResourceType)SM; z.sm.smCount = 8; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &z, 1), "zeros but type and number"); o_handle("d", &d); }
    CASE("changed_count") { CUdevResource z = r[0]; z.sm.smCount = 8; POISON(d); CUresult q = CALL(cuDevResourceGenerateDesc, (&d, &z, 1), "number changed from 32 to 8"); o_handle("d", &d); if (!q) { CUgreenCtx g; POISON(g); q = D.cuGreenCtxCreate(&g, d, 0, 1); o_ret("create", q); if (!q) { CUdevResource s; POISON(s); D.cuGreenCtxGetDevResource(g, &s, (CUdevResourceType)SM); o_res("has", &s); D.cuGreenCtxDestroy(g); } } }
    CASE("other_type") { CUdevResource z = r[0]; z.type = (CUdevResourceType)WQC; POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &z, 1), "type changed"); o_handle("d", &d); }
    CASE("workqueue_config") { CUdevResource z; memset(&z, 0, sizeof z); if (D.cuDeviceGetDevResource(0, &z, (CUdevResourceType)WQC)) { case_skip("no such resource"); continue; } POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &z, 1), "only queues"); o_handle("d", &d); CUdevResource a[2] = { r[0], z }; POISON(d); o_ret("both", D.cuDevResourceGenerateDesc(&d, a, 2)); }
    CASE("empty_rest") { CUdevResource o[1], e; memset(o, 0, sizeof o); memset(&e, 0, sizeof e); unsigned n = 1; CUdevResource w = whole(); OK(D.cuDevSmResourceSplitByCount(o, &n, &w, &e, 0, w.sm.smCount)); o_res("rest", &e); POISON(d); CALL(cuDevResourceGenerateDesc, (&d, &e, 1), "an empty remainder"); o_handle("d", &d); unsigned m = 1; CUdevResource p; POISON(p); o_ret("split", D.cuDevSmResourceSplitByCount(&p, &m, &e, NULL, 0, 8)); o_u32("m", &m); }
}
const group_t devres_groups[] = { { "get", g_get, G_INIT, 0, 0 }, { "has", g_has, G_CTX, 0, 0 }, { "split", g_split, G_INIT, 0, 0 }, { "desc", g_desc, G_INIT, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_devres = { "devres", devres_groups, 0, "device resources and their splits" };

/* ---- green contexts -------------------------------------------------------- */

static void primary(const char *k)
{
    unsigned f; int a; POISON(f); POISON(a);
    D.cuDevicePrimaryCtxGetState(0, &f, &a);
    char kk[64];
    snprintf(kk, sizeof kk, "%s.active", k); o_i32(kk, &a);
    snprintf(kk, sizeof kk, "%s.flags", k); o_u32(kk, &f);
}

static void g_life(void)
{
    CUgreenCtx g, h;
    CUcontext c;
    static const unsigned flags[] = { 0, 1, 2, 3, 4, 0x80, ~0u };
    for (int i = 0; i < NELEM(flags); i++) CASE("flags_%x", flags[i]) { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); POISON(g); CUresult q = CALL(cuGreenCtxCreate, (&g, desc_of(r, 1), 0, flags[i]), "flags 0x%x", flags[i]); o_handle("g", &g); if (!q) o_ret("destroy", D.cuGreenCtxDestroy(g)); }
    CASE("null_out") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); CALL(cuGreenCtxCreate, (NULL, desc_of(r, 1), 0, 1), "phCtx=NULL"); }
    CASE("null_desc") { POISON(g); CALL(cuGreenCtxCreate, (&g, NULL, 0, 1), "desc=NULL"); o_handle("g", &g); }
    CASE("bad_desc") { case_isolate(); POISON(g); CALL(cuGreenCtxCreate, (&g, BADP(CUdevResourceDesc), 0, 1), "garbage"); o_handle("g", &g); }
    static const int devs[] = { 1, 7, -1, -2 };
    for (int i = 0; i < NELEM(devs); i++) CASE("dev_%d", devs[i]) { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); POISON(g); CALL(cuGreenCtxCreate, (&g, desc_of(r, 1), devs[i], 1), "device %d", devs[i]); o_handle("g", &g); }
    CASE("order_1") { POISON(g); CALL(cuGreenCtxCreate, (&g, NULL, 7, 0), "no desc, bad device, no flags"); o_handle("g", &g); }
    CASE("order_2") { POISON(g); CALL(cuGreenCtxCreate, (&g, NULL, 0, 0), "no desc, no flags"); o_handle("g", &g); }
    CASE("primary_state") { primary("before"); g = NULL; CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); primary("split"); CUdevResourceDesc d = desc_of(r, 1); primary("desc"); CALL(cuGreenCtxCreate, (&g, d, 0, 1), "8"); primary("made"); o_ret("destroy", D.cuGreenCtxDestroy(g)); primary("destroyed"); }
    CASE("primary_release") { CUcontext p = NULL; OK(D.cuDevicePrimaryCtxRetain(&p, 0)); g = green(8); CUstream s = gstream(g); CALL(cuDevicePrimaryCtxRelease, (0), "with a green context"); primary("st"); o_ret("query", D.cuStreamQuery(s)); o_ret("again", D.cuDevicePrimaryCtxRelease(0)); o_ret("destroy", D.cuGreenCtxDestroy(g)); primary("destroyed"); }
    CASE("primary_flags") { g = green(8); CALL(cuDevicePrimaryCtxSetFlags, (0, CU_CTX_SCHED_SPIN), "while a green context lives"); primary("st"); D.cuGreenCtxDestroy(g); o_ret("back", D.cuDevicePrimaryCtxSetFlags(0, 0)); }
    CASE("primary_reset") { case_isolate(); CUcontext p = NULL; OK(D.cuDevicePrimaryCtxRetain(&p, 0)); g = green(8); CUstream s = gstream(g); CALL(cuDevicePrimaryCtxReset, (0), "with a green context"); primary("st"); o_ret("current", D.cuCtxSetCurrent(ctx_of(g))); CUdeviceptr q; POISON(q); o_ret("alloc", D.cuMemAlloc(&q, 16)); o_ret("query", D.cuStreamQuery(s)); }
    CASE("current_after") { g = green(8); CALL(cuCtxGetCurrent, (&c), "after creating"); o_handle("c", &c); D.cuGreenCtxDestroy(g); }
    CASE("current_kept") { CUcontext p = NULL; OK(D.cuDevicePrimaryCtxRetain(&p, 0)); OK(D.cuCtxSetCurrent(p)); g = green(8); CALL(cuCtxGetCurrent, (&c), "after creating"); o_bool("same", c == p); D.cuGreenCtxDestroy(g); D.cuCtxSetCurrent(NULL); D.cuDevicePrimaryCtxRelease(0); }
    CASE("desc_twice") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); CUdevResourceDesc d = desc_of(r, 1); g = h = NULL; OK(D.cuGreenCtxCreate(&g, d, 0, 1)); CUresult q = CALL(cuGreenCtxCreate, (&h, d, 0, 1), "one descriptor twice"); o_bool("other", g != h); if (!q) o_ret("destroy", D.cuGreenCtxDestroy(h)); o_ret("destroy_first", D.cuGreenCtxDestroy(g)); }
    CASE("desc_after_destroy") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); CUdevResourceDesc d = desc_of(r, 1); g = NULL; OK(D.cuGreenCtxCreate(&g, d, 0, 1)); D.cuGreenCtxDestroy(g); POISON(h); CUresult q = CALL(cuGreenCtxCreate, (&h, d, 0, 1), "after the first was destroyed"); if (!q) D.cuGreenCtxDestroy(h); }
    CASE("overlapping") { g = green(32); POISON(h); CUdevResource w = whole(); CUresult q = CALL(cuGreenCtxCreate, (&h, desc_of(&w, 1), 0, 1), "the device, while another has 32"); if (!q) { CUdevResource s; POISON(s); D.cuGreenCtxGetDevResource(h, &s, (CUdevResourceType)SM); o_res("has", &s); D.cuGreenCtxDestroy(h); } D.cuGreenCtxDestroy(g); }
}

/* while the program holds the primary context */
static void g_hold(void)
{
    CUgreenCtx g, h;
    CUcontext c;
    static const unsigned sizes[] = { 1, 2, 4, 6, 8, 16, 24, 40, 64, 100, 128, 132 };
    for (unsigned fl = 0; fl <= 2; fl++) for (int i = 0; i < NELEM(sizes); i++) CASE("size_f%u_%u", fl, sizes[i]) { CUdevResource r[1], rest; memset(r, 0, sizeof r); memset(&rest, 0, sizeof rest); split(r, 1, &rest, fl, sizes[i]); POISON(g); CUresult q = CALL(cuGreenCtxCreate, (&g, desc_of(r, 1), 0, 1), "%u, flags %u", sizes[i], fl); if (!q) { CUdevResource s; POISON(s); D.cuGreenCtxGetDevResource(g, &s, (CUdevResourceType)SM); o_res("has", &s); POISON(s); D.cuCtxGetDevResource(ctx_of(g), &s, (CUdevResourceType)SM); o_res("ctx", &s); D.cuGreenCtxDestroy(g); } if (rest.sm.smCount) { POISON(h); q = D.cuGreenCtxCreate(&h, desc_of(&rest, 1), 0, 1); o_ret("rest", q); if (!q) { CUdevResource s; POISON(s); D.cuGreenCtxGetDevResource(h, &s, (CUdevResourceType)SM); o_res("rest_has", &s); D.cuGreenCtxDestroy(h); } } }
    CASE("many") { static CUdevResource r[20]; CUgreenCtx gs[20]; memset(r, 0, sizeof r); unsigned n = split(r, 20, NULL, 0, 8), made = 0; for (unsigned i = 0; i < n; i++) made += D.cuGreenCtxCreate(&gs[i], desc_of(&r[i], 1), 0, 1) == CUDA_SUCCESS; ret_set(0); o_int("groups", n); o_int("made", made); for (unsigned i = 0; i < made; i++) D.cuGreenCtxDestroy(gs[i]); }
    CASE("hundred") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 8); CUdevResourceDesc d = desc_of(r, 1); CUgreenCtx gs[100]; unsigned made = 0; CUresult q = 0; for (unsigned i = 0; i < 100 && !q; i++) { q = D.cuGreenCtxCreate(&gs[made], d, 0, 1); made += q == CUDA_SUCCESS; } ret_set(q); o_int("made", made); for (unsigned i = 0; i < made; i++) D.cuGreenCtxDestroy(gs[i]); }
    CASE("stream_keeps_primary") { g = green(8); CUstream s = gstream(g); CALL(cuGreenCtxDestroy, (g), "while a stream is left"); o_ret("query", D.cuStreamQuery(s)); o_ret("release", D.cuDevicePrimaryCtxRelease(0)); primary("released"); o_ret("again", D.cuDevicePrimaryCtxRelease(0)); OK(D.cuDevicePrimaryCtxRetain(&c, 0)); D.cuCtxSetCurrent(c); }
    CASE("release_twice") { g = green(8); CALL(cuDevicePrimaryCtxRelease, (0), "the program's last reference"); primary("first"); o_ret("second", D.cuDevicePrimaryCtxRelease(0)); primary("second"); o_ret("third", D.cuDevicePrimaryCtxRelease(0)); o_ret("destroy", D.cuGreenCtxDestroy(g)); primary("destroyed"); o_ret("fourth", D.cuDevicePrimaryCtxRelease(0)); primary("fourth"); OK(D.cuDevicePrimaryCtxRetain(&c, 0)); D.cuCtxSetCurrent(c); }
    CASE("destroy_stream_by_primary") { g = green(8); CUstream s = gstream(g); o_ret("destroy_green", D.cuGreenCtxDestroy(g)); CALL(cuStreamDestroy, (s), "stream of a destroyed green context"); }
    CASE("launch_after_destroy") { case_isolate(); g = green(8); CUstream s = gstream(g); CUdeviceptr d = dalloc(64); OK(D.cuGreenCtxDestroy(g)); CALL(cuMemsetD8Async, (d, 1, 64, s), "stream of a destroyed green context"); o_ret("query", D.cuStreamQuery(s)); CUevent e = mkevent(0); o_ret("record", D.cuEventRecord(e, s)); }
    CASE("affinity") { g = green(8); D.cuCtxSetCurrent(ctx_of(g)); CUexecAffinityParam p; POISON(p); CALL(cuCtxGetExecAffinity, (&p, CU_EXEC_AFFINITY_TYPE_SM_COUNT), "green current"); o_u32("n", &p.param.smCount.val); D.cuCtxSetCurrent(G.ctx); D.cuGreenCtxDestroy(g); }
    CASE("detach_current") { g = green(8); D.cuCtxSetCurrent(ctx_of(g)); CALL(cuCtxDetach, (ctx_of(g)), "green, current"); D.cuCtxSetCurrent(G.ctx); D.cuGreenCtxDestroy(g); }
    CASE("attach") { g = green(8); D.cuCtxSetCurrent(ctx_of(g)); c = NULL; CALL(cuCtxAttach, (&c, 0), "green current"); o_str("c", "%s", c == ctx_of(g) ? "green" : c == G.ctx ? "primary" : "other"); D.cuCtxSetCurrent(G.ctx); D.cuGreenCtxDestroy(g); }
    CASE("null_ptds") { g = green(8); D.cuCtxSetCurrent(ctx_of(g)); CALL(cuStreamSynchronize, (CU_STREAM_PER_THREAD), "per-thread stream, green current"); CUdeviceptr d = dalloc(64); o_ret("memset", D.cuMemsetD8Async(d, 1, 64, CU_STREAM_PER_THREAD)); CUevent e = mkevent(0); o_ret("record", D.cuEventRecord(e, CU_STREAM_PER_THREAD)); D.cuCtxSetCurrent(G.ctx); D.cuGreenCtxDestroy(g); }
    CASE("capture_default") { g = green(8); D.cuCtxSetCurrent(ctx_of(g)); CALL(cuStreamBeginCapture, (NULL, (CUstreamCaptureMode)2), "default stream, green current"); CUgraph k; POISON(k); o_ret("end", D.cuStreamEndCapture(NULL, &k)); D.cuCtxSetCurrent(G.ctx); D.cuGreenCtxDestroy(g); }
    CASE("clusters_16") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 16); g = green_of(r, 1); CUmodule m = NULL; CUfunction f = NULL; OK(D.cuModuleLoadData(&m, ptx_main)); OK(D.cuModuleGetFunction(&f, m, "k_empty")); D.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1); CUlaunchAttribute a; memset(&a, 0, sizeof a); a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; a.value.clusterDim.x = 16; a.value.clusterDim.y = a.value.clusterDim.z = 1; CUlaunchConfig q; memset(&q, 0, sizeof q); q.gridDimX = 64; q.gridDimY = q.gridDimZ = 1; q.blockDimX = 128; q.blockDimY = q.blockDimZ = 1; q.hStream = gstream(g); q.attrs = &a; q.numAttrs = 1; CALL(cuLaunchKernelEx, (&q, f, NULL, NULL), "clusters of 16 on 16"); o_ret("sync", D.cuStreamSynchronize(q.hStream)); int n; POISON(n); o_ret("max_ret", D.cuOccupancyMaxActiveClusters(&n, f, &q)); o_i32("max", &n); q.hStream = NULL; POISON(n); D.cuOccupancyMaxActiveClusters(&n, f, &q); o_i32("primary", &n); a.value.clusterDim.x = 1; POISON(n); D.cuOccupancyMaxActiveClusters(&n, f, &q); o_i32("one", &n); D.cuGreenCtxDestroy(g); }
    CASE("destroy_null") CALL(cuGreenCtxDestroy, (NULL), "NULL");
    CASE("destroy_bad") { case_isolate(); CALL(cuGreenCtxDestroy, (BADP(CUgreenCtx)), "garbage"); }
    CASE("destroy_twice") { case_isolate(); g = green(8); OK(D.cuGreenCtxDestroy(g)); CALL(cuGreenCtxDestroy, (g), "twice"); }
    CASE("destroy_current") { case_isolate(); g = green(8); c = ctx_of(g); OK(D.cuCtxSetCurrent(c)); CALL(cuGreenCtxDestroy, (g), "while current"); CUcontext d; POISON(d); o_ret("get", D.cuCtxGetCurrent(&d)); o_bool("same", c == d); CUdeviceptr p; POISON(p); o_ret("alloc", D.cuMemAlloc(&p, 16)); o_ret("sync", D.cuCtxSynchronize()); CUdevice dev; o_ret("device", D.cuCtxGetDevice(&dev)); o_ret("pop", D.cuCtxPopCurrent(&d)); o_bool("popped", d == c); }
    CASE("destroy_other_current") { case_isolate(); g = green(8); c = ctx_of(g); OK(D.cuCtxSetCurrent(c)); OK(D.cuGreenCtxDestroy(g)); CALL(cuCtxSetCurrent, (c), "context of a destroyed green context"); }
    CASE("destroy_ctx") { case_isolate(); g = green(8); CALL(cuCtxDestroy, (ctx_of(g)), "cuCtxDestroy of its context"); CUdevResource s; POISON(s); o_ret("has", D.cuGreenCtxGetDevResource(g, &s, (CUdevResourceType)SM)); o_res("r", &s); o_ret("destroy", D.cuGreenCtxDestroy(g)); }
    CASE("destroy_busy") { g = green(8); OK(D.cuCtxSetCurrent(ctx_of(g))); CUstream s = gstream(g); gate_t q; gate_init(&q); gate_put(&q, s); gate_open_after(&q, BLOCK_DELAY_MS); double t = now_ms(); CALL(cuGreenCtxDestroy, (g), "while work is held"); o_bool("waited", WAS_BLOCKED(t)); gate_done(&q); D.cuCtxSetCurrent(NULL); }
    CASE("destroy_stream_first") { g = green(8); CUstream s = gstream(g); o_ret("stream", D.cuStreamDestroy(s)); CALL(cuGreenCtxDestroy, (g), "after its stream"); }
    CASE("destroy_then_stream") { case_isolate(); g = green(8); CUstream s = gstream(g); OK(D.cuGreenCtxDestroy(g)); CALL(cuStreamQuery, (s), "stream of a destroyed green context"); o_ret("sync", D.cuStreamSynchronize(s)); o_ret("destroy", D.cuStreamDestroy(s)); }
    CASE("destroy_then_stream_primary") { case_isolate(); CUcontext p = NULL; OK(D.cuDevicePrimaryCtxRetain(&p, 0)); OK(D.cuCtxSetCurrent(p)); g = green(8); CUstream s = gstream(g); OK(D.cuGreenCtxDestroy(g)); CALL(cuStreamQuery, (s), "the same, primary context current"); o_ret("sync", D.cuStreamSynchronize(s)); CUdeviceptr d = dalloc(64); o_ret("memset", D.cuMemsetD8Async(d, 1, 64, s)); unsigned f; o_ret("flags", D.cuStreamGetFlags(s, &f)); CUcontext x; POISON(x); o_ret("ctx", D.cuStreamGetCtx(s, &x)); o_handle("x", &x); CUgreenCtx y; POISON(y); o_ret("green", D.cuStreamGetGreenCtx(s, &y)); o_handle("y", &y); o_ret("destroy", D.cuStreamDestroy(s)); }
    CASE("from_null_out") { g = green(8); CALL(cuCtxFromGreenCtx, (NULL, g), "pContext=NULL"); D.cuGreenCtxDestroy(g); }
    CASE("from_null") { POISON(c); CALL(cuCtxFromGreenCtx, (&c, NULL), "hCtx=NULL"); o_handle("c", &c); }
    CASE("from_bad") { case_isolate(); POISON(c); CALL(cuCtxFromGreenCtx, (&c, BADP(CUgreenCtx)), "garbage"); o_handle("c", &c); }
    CASE("from_destroyed") { case_isolate(); g = green(8); D.cuGreenCtxDestroy(g); POISON(c); CALL(cuCtxFromGreenCtx, (&c, g), "destroyed"); o_handle("c", &c); }
    CASE("from_twice") { CUcontext d = NULL; g = green(8); c = NULL; CALL(cuCtxFromGreenCtx, (&c, g), "twice"); D.cuCtxFromGreenCtx(&d, g); o_bool("same", c == d); o_bool("is_green", (void *)c == (void *)g); D.cuGreenCtxDestroy(g); }
    CASE("id") { unsigned long long a, b, i; POISON(a); POISON(b); g = green(8); h = green(8); CALL(cuGreenCtxGetId, (g, &a), "two"); D.cuGreenCtxGetId(h, &b); o_bool("differ", a != b); o_bool("rising", b > a); POISON(i); o_ret("ctx_ret", D.cuCtxGetId(ctx_of(g), &i)); o_bool("as_ctx", i == a); CUcontext p = NULL; D.cuDevicePrimaryCtxRetain(&p, 0); unsigned long long pi = 0; D.cuCtxGetId(p, &pi); o_bool("as_primary", pi == i); D.cuDevicePrimaryCtxRelease(0); D.cuGreenCtxDestroy(g); D.cuGreenCtxDestroy(h); }
    CASE("id_null") { unsigned long long a; POISON(a); CALL(cuGreenCtxGetId, (NULL, &a), "NULL"); o_u64("a", &a); }
    CASE("id_null_current") { unsigned long long a; POISON(a); g = green(8); D.cuCtxSetCurrent(ctx_of(g)); CALL(cuGreenCtxGetId, (NULL, &a), "NULL, one current"); o_touch("a", &a, 8); D.cuCtxSetCurrent(NULL); D.cuGreenCtxDestroy(g); }
    CASE("id_null_out") { g = green(8); CALL(cuGreenCtxGetId, (g, NULL), "NULL"); D.cuGreenCtxDestroy(g); }
}

static void g_ctx(void)
{
    CUgreenCtx g = green(16), h = green(16);
    CUcontext c = ctx_of(g), x;
    unsigned u; int v; size_t n;
    CASE("set_current") { CALL(cuCtxSetCurrent, (c), "green"); POISON(x); D.cuCtxGetCurrent(&x); o_bool("same", x == c); }
    CASE("push_pop") { D.cuCtxSetCurrent(G.ctx); CALL(cuCtxPushCurrent, (c), "green over primary"); POISON(x); o_ret("pop", D.cuCtxPopCurrent(&x)); o_bool("same", x == c); D.cuCtxGetCurrent(&x); o_bool("below", x == G.ctx); }
    static const unsigned sf[] = { 0, 1, 2, 4, 8, 16, 0x100 };
#define IN for (int on_ = (D.cuCtxSetCurrent(c), 1); on_; on_ = (D.cuCtxSetCurrent(G.ctx), 0))
    CASE("flags") IN { POISON(u); CALL(cuCtxGetFlags, (&u), "green"); o_u32("flags", &u); }
    for (int i = 0; i < NELEM(sf); i++) CASE("set_flags_%x", sf[i]) IN { CALL(cuCtxSetFlags, (sf[i]), "0x%x", sf[i]); POISON(u); D.cuCtxGetFlags(&u); o_u32("flags", &u); D.cuCtxSetCurrent(G.ctx); POISON(u); D.cuCtxGetFlags(&u); o_u32("primary", &u); D.cuCtxSetFlags(0); }
    CASE("version") { POISON(u); CALL(cuCtxGetApiVersion, (c, &u), "green"); o_u32("dev:v", &u); unsigned w = 0; D.cuCtxGetApiVersion(G.ctx, &w); o_bool("as_primary", u == w); }
    CASE("device") IN { CUdevice d; POISON(d); CALL(cuCtxGetDevice, (&d), "green"); o_i32("d", &d); }
    CASE("device_v2") { CUdevice d; POISON(d); CALL(cuCtxGetDevice_v2, (&d, c), "green"); o_i32("d", &d); }
    for (int l = 0; l < 8; l++) {
        CASE("limit_%d", l) IN { POISON(n); CALL(cuCtxGetLimit, (&n, (CUlimit)l), "%d", l); size_t p = 0; D.cuCtxSetCurrent(G.ctx); D.cuCtxGetLimit(&p, (CUlimit)l); o_bool("as_primary", n == p); }
        CASE("set_limit_%d", l) { size_t was = 0; D.cuCtxGetLimit(&was, (CUlimit)l); D.cuCtxSetCurrent(c); CALL(cuCtxSetLimit, ((CUlimit)l, 8192), "%d = 8192", l); POISON(n); D.cuCtxGetLimit(&n, (CUlimit)l); o_u64(l == 6 ? "dev:n" : "n", &n); D.cuCtxSetCurrent(G.ctx); size_t p = 0; D.cuCtxGetLimit(&p, (CUlimit)l); o_bool("primary_too", n == p); D.cuCtxSetLimit((CUlimit)l, was); }
    }
    CASE("cache") IN { CUfunc_cache f; POISON(f); CALL(cuCtxGetCacheConfig, (&f), "green"); o_i32("f", &f); o_ret("set", D.cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1)); POISON(f); D.cuCtxGetCacheConfig(&f); o_i32("f2", &f); D.cuCtxSetCurrent(G.ctx); POISON(f); D.cuCtxGetCacheConfig(&f); o_i32("primary", &f); D.cuCtxSetCacheConfig(0); }
    CASE("shared") IN { CUsharedconfig f; POISON(f); CALL(cuCtxGetSharedMemConfig, (&f), "green"); o_i32("f", &f); o_ret("set", D.cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE)); }
    CASE("priorities") IN { int a, b; POISON(a); POISON(b); CALL(cuCtxGetStreamPriorityRange, (&a, &b), "green"); o_i32("least", &a); o_i32("greatest", &b); }
    CASE("l2") IN { CALL(cuCtxResetPersistingL2Cache, (), "green"); }
    CASE("affinity") IN { CUexecAffinityParam p; POISON(p); CALL(cuCtxGetExecAffinity, (&p, CU_EXEC_AFFINITY_TYPE_SM_COUNT), "green"); o_u32("n", &p.param.smCount.val); }
    CASE("affinity_primary") { CUexecAffinityParam p; POISON(p); CALL(cuCtxGetExecAffinity, (&p, CU_EXEC_AFFINITY_TYPE_SM_COUNT), "primary"); o_u32("dev:n", &p.param.smCount.val); }
    CASE("sync") IN { CALL(cuCtxSynchronize, (), "green"); }
    CASE("sync_v2") CALL(cuCtxSynchronize_v2, (c), "green");
    CASE("attach") IN { x = NULL; CALL(cuCtxAttach, (&x, 0), "green"); }
    CASE("detach") { CALL(cuCtxDetach, (c), "green"); }
    CASE("sync_waits") { CUstream s = gstream(g); gate_t q; gate_init(&q); gate_put(&q, s); gate_open_after(&q, BLOCK_DELAY_MS); D.cuCtxSetCurrent(c); double t = now_ms(); CALL(cuCtxSynchronize, (), "its own stream is held"); o_bool("waited", WAS_BLOCKED(t)); gate_done(&q); D.cuCtxSetCurrent(G.ctx); D.cuStreamDestroy(s); }
    CASE("sync_other") { CUstream s = gstream(h); gate_t q; gate_init(&q); gate_put(&q, s); gate_open_after(&q, BLOCK_DELAY_MS); D.cuCtxSetCurrent(c); double t = now_ms(); CALL(cuCtxSynchronize, (), "another green context's stream is held"); o_bool("waited", WAS_BLOCKED(t)); gate_done(&q); D.cuCtxSetCurrent(G.ctx); D.cuStreamDestroy(s); }
    CASE("sync_primary_held") { CUstream s = mkstream(1); gate_t q; gate_init(&q); gate_put(&q, s); gate_open_after(&q, BLOCK_DELAY_MS); D.cuCtxSetCurrent(c); double t = now_ms(); CALL(cuCtxSynchronize, (), "the primary context's stream is held"); o_bool("waited", WAS_BLOCKED(t)); gate_done(&q); D.cuCtxSetCurrent(G.ctx); D.cuStreamDestroy(s); }
    CASE("primary_sync") { CUstream s = gstream(g); gate_t q; gate_init(&q); gate_put(&q, s); gate_open_after(&q, BLOCK_DELAY_MS); double t = now_ms(); CALL(cuCtxSynchronize, (), "primary, a green stream is held"); o_bool("waited", WAS_BLOCKED(t)); gate_done(&q); D.cuStreamDestroy(s); }
    CASE("memory") { CUdeviceptr p = 0; D.cuCtxSetCurrent(c); CALL(cuMemAlloc, (&p, 4096), "green"); CUcontext o; POISON(o); o_ret("attr", D.cuPointerGetAttribute(&o, CU_POINTER_ATTRIBUTE_CONTEXT, p)); o_str("owner", "%s", o == c ? "green" : o == G.ctx ? "primary" : "other"); D.cuCtxSetCurrent(G.ctx); o_ret("memset", D.cuMemsetD8(p, 1, 4096)); o_ret("free", D.cuMemFree(p)); }
    CASE("memory_primary") { CUdeviceptr p = dalloc(4096); D.cuCtxSetCurrent(c); CALL(cuMemsetD8, (p, 3, 4096), "memory of the primary context"); o_ret("free", D.cuMemFree(p)); D.cuCtxSetCurrent(G.ctx); }
    CASE("memory_other_green") { CUdeviceptr p = 0; D.cuCtxSetCurrent(c); OK(D.cuMemAlloc(&p, 4096)); D.cuCtxSetCurrent(ctx_of(h)); CALL(cuMemsetD8, (p, 3, 4096), "memory of another green context"); o_ret("free", D.cuMemFree(p)); D.cuCtxSetCurrent(G.ctx); }
    CASE("memory_outlives") { CUgreenCtx k = green(8); CUdeviceptr p = 0; D.cuCtxSetCurrent(ctx_of(k)); OK(D.cuMemAlloc(&p, 4096)); D.cuCtxSetCurrent(G.ctx); OK(D.cuGreenCtxDestroy(k)); CALL(cuMemsetD8, (p, 3, 4096), "after its green context"); CUcontext o; POISON(o); o_ret("attr", D.cuPointerGetAttribute(&o, CU_POINTER_ATTRIBUTE_CONTEXT, p)); o_ret("free", D.cuMemFree(p)); }
    CASE("memory_kinds") { D.cuCtxSetCurrent(c); for (int k = 0; k < MK_COUNT; k++) { mem_t m = mem_make((mkind)k, 4096); o_bool(mk_name[k], m.ok); mem_drop(&m); } ret_set(0); D.cuCtxSetCurrent(G.ctx); }
    CASE("meminfo") IN { size_t f, t; CALL(cuMemGetInfo, (&f, &t), "green"); size_t f2, t2; D.cuCtxSetCurrent(G.ctx); D.cuMemGetInfo(&f2, &t2); o_bool("total", t == t2); }
    CASE("async_pool") { CUstream s = gstream(g); CUdeviceptr p = 0; CALL(cuMemAllocAsync, (&p, 4096, s), "in a green stream"); o_ret("memset", D.cuMemsetD8Async(p, 1, 4096, s)); o_ret("free", D.cuMemFreeAsync(p, s)); o_ret("sync", D.cuStreamSynchronize(s)); D.cuStreamDestroy(s); }
    CASE("attribute") { CALL(cuDeviceGetAttribute, (&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0), "multiprocessors"); int was = v; D.cuCtxSetCurrent(c); D.cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0); o_bool("same", was == v); D.cuCtxSetCurrent(G.ctx); }
    CASE("peer") IN { CALL(cuCtxEnablePeerAccess, (G.ctx, 0), "primary from green"); }
    CASE("peer_green") CALL(cuCtxEnablePeerAccess, (c, 0), "green from primary");
    CASE("module") { CUmodule m = NULL; D.cuCtxSetCurrent(c); CALL(cuModuleLoadData, (&m, ptx_main), "green"); CUfunction f = NULL; o_ret("fn", D.cuModuleGetFunction(&f, m, "k_empty")); o_ret("launch", D.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL)); D.cuCtxSetCurrent(G.ctx); o_ret("primary", D.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL)); CUfunction f2 = NULL; o_ret("fn2", D.cuModuleGetFunction(&f2, m, "k_empty")); o_bool("same", f == f2); o_ret("unload", D.cuModuleUnload(m)); }
    CASE("module_primary") { CUmodule m = NULL; OK(D.cuModuleLoadData(&m, ptx_main)); CUfunction f = NULL; OK(D.cuModuleGetFunction(&f, m, "k_empty")); D.cuCtxSetCurrent(c); CALL(cuLaunchKernel, (f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), "the primary context's function, green current"); CUstream s = gstream(g); o_ret("stream", D.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL)); o_ret("sync", D.cuStreamSynchronize(s)); D.cuCtxSetCurrent(G.ctx); o_ret("stream2", D.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL)); o_ret("sync2", D.cuStreamSynchronize(s)); D.cuStreamDestroy(s); D.cuModuleUnload(m); }
    CASE("module_outlives") { CUgreenCtx k = green(8); CUmodule m = NULL; D.cuCtxSetCurrent(ctx_of(k)); OK(D.cuModuleLoadData(&m, ptx_main)); CUfunction f = NULL; OK(D.cuModuleGetFunction(&f, m, "k_empty")); D.cuCtxSetCurrent(G.ctx); OK(D.cuGreenCtxDestroy(k)); CALL(cuLaunchKernel, (f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), "after its green context"); o_ret("unload", D.cuModuleUnload(m)); }
    CASE("kernel_function") { CUlibrary l = NULL; CUkernel k = NULL; OK(D.cuLibraryLoadData(&l, ptx_main, NULL, NULL, 0, NULL, NULL, 0)); OK(D.cuLibraryGetKernel(&k, l, "k_empty")); CUfunction f = NULL, f2 = NULL; D.cuCtxSetCurrent(c); CALL(cuKernelGetFunction, (&f, k), "green"); D.cuCtxSetCurrent(G.ctx); D.cuKernelGetFunction(&f2, k); o_bool("same", f == f2); D.cuLibraryUnload(l); }
    CASE("event") { D.cuCtxSetCurrent(c); CUevent e = mkevent(0); CUstream s = gstream(g); CALL(cuEventRecord, (e, s), "green event, green stream"); D.cuCtxSetCurrent(G.ctx); CUstream p = mkstream(1); o_ret("wait", D.cuStreamWaitEvent(p, e, 0)); o_ret("record_primary", D.cuEventRecord(e, p)); CUevent f = mkevent(0); o_ret("primary_event", D.cuEventRecord(f, s)); o_ret("sync", D.cuStreamSynchronize(s)); D.cuStreamSynchronize(p); float ms; o_ret("elapsed", D.cuEventElapsedTime(&ms, e, f)); D.cuEventDestroy(e); D.cuEventDestroy(f); D.cuStreamDestroy(s); D.cuStreamDestroy(p); }
    CASE("event_outlives") { CUgreenCtx k = green(8); D.cuCtxSetCurrent(ctx_of(k)); CUevent e = mkevent(0); D.cuCtxSetCurrent(G.ctx); OK(D.cuGreenCtxDestroy(k)); CALL(cuEventRecord, (e, NULL), "after its green context"); o_ret("sync", D.cuEventSynchronize(e)); o_ret("destroy", D.cuEventDestroy(e)); }
    CASE("primary_create_in") { D.cuCtxSetCurrent(c); CUcontext k = NULL; CUresult q = CALL(cuCtxCreate, (&k, NULL, 0, 0), "while green is current"); D.cuCtxGetCurrent(&x); o_bool("current", x == k); if (!q) D.cuCtxDestroy(k); D.cuCtxGetCurrent(&x); o_bool("back", x == c); D.cuCtxSetCurrent(G.ctx); }
    D.cuGreenCtxDestroy(g); D.cuGreenCtxDestroy(h);
}

static void g_stream(void)
{
    CUgreenCtx g = green(16), y;
    CUcontext c = ctx_of(g), x;
    CUstream s;
    unsigned u; int v;
    static const unsigned fl[] = { 0, 1, 2, 3, ~0u };
    for (int i = 0; i < NELEM(fl); i++) CASE("flags_%x", fl[i]) { POISON(s); CUresult q = CALL(cuGreenCtxStreamCreate, (&s, g, fl[i], 0), "flags 0x%x", fl[i]); o_handle("s", &s); if (!q) { POISON(u); D.cuStreamGetFlags(s, &u); o_u32("flags", &u); D.cuStreamDestroy(s); } }
    for (int p = -8; p <= 2; p++) CASE("priority_%d", p) { POISON(s); CUresult q = CALL(cuGreenCtxStreamCreate, (&s, g, 1, p), "priority %d", p); if (!q) { POISON(v); D.cuStreamGetPriority(s, &v); o_i32("priority", &v); D.cuStreamDestroy(s); } }
    CASE("null_out") CALL(cuGreenCtxStreamCreate, (NULL, g, 1, 0), "phStream=NULL");
    CASE("null_green") { POISON(s); CALL(cuGreenCtxStreamCreate, (&s, NULL, 1, 0), "greenCtx=NULL"); o_handle("s", &s); }
    CASE("null_green_current") { D.cuCtxSetCurrent(c); POISON(s); CALL(cuGreenCtxStreamCreate, (&s, NULL, 1, 0), "greenCtx=NULL, green current"); o_handle("s", &s); D.cuCtxSetCurrent(G.ctx); }
    CASE("null_green_flags0") { POISON(s); CALL(cuGreenCtxStreamCreate, (&s, NULL, 0, 0), "greenCtx=NULL, flags 0"); o_handle("s", &s); }
    CASE("bad_green") { case_isolate(); POISON(s); CALL(cuGreenCtxStreamCreate, (&s, BADP(CUgreenCtx), 1, 0), "garbage"); o_handle("s", &s); }
    CASE("no_current") { D.cuCtxSetCurrent(NULL); POISON(s); CUresult q = CALL(cuGreenCtxStreamCreate, (&s, g, 1, 0), "no context current"); o_handle("s", &s); if (!q) { o_ret("query", D.cuStreamQuery(s)); D.cuStreamDestroy(s); } D.cuCtxSetCurrent(G.ctx); }
    CASE("gets") { s = gstream(g); POISON(y); CALL(cuStreamGetGreenCtx, (s, &y), "its stream"); o_bool("same", y == g); POISON(x); o_ret("ctx", D.cuStreamGetCtx(s, &x)); o_str("is", "%s", x == c ? "green" : x == G.ctx ? "primary" : "other"); POISON(x); POISON(y); o_ret("ctx_v2", D.cuStreamGetCtx_v2(s, &x, &y)); o_str("ctx_is", "%s", x == c ? "green" : x == G.ctx ? "primary" : x ? "other" : "null"); o_str("green_is", "%s", y == g ? "same" : y ? "other" : "null"); CUdevice d; POISON(d); o_ret("dev", D.cuStreamGetDevice(s, &d)); o_i32("d", &d); unsigned long long id; o_ret("id", D.cuStreamGetId(s, &id)); D.cuStreamDestroy(s); }
    CASE("gets_primary") { s = mkstream(1); POISON(y); CALL(cuStreamGetGreenCtx, (s, &y), "primary stream"); o_handle("y", &y); POISON(x); POISON(y); o_ret("ctx_v2", D.cuStreamGetCtx_v2(s, &x, &y)); o_bool("x", x == G.ctx); o_handle("y2", &y); o_ret("v2_no_green", D.cuStreamGetCtx_v2(s, &x, NULL)); o_ret("v2_no_ctx", D.cuStreamGetCtx_v2(s, NULL, &y)); D.cuStreamDestroy(s); }
    CASE("gets_v2_null") { s = gstream(g); CALL(cuStreamGetCtx_v2, (s, NULL, &y), "pCtx=NULL, green"); o_ret("no_green", D.cuStreamGetCtx_v2(s, &x, NULL)); D.cuStreamDestroy(s); }
    for (unsigned f = 0; f < 2; f++) CASE("made_in_%u", f) { D.cuCtxSetCurrent(c); POISON(s); CUresult q = CALL(cuStreamCreate, (&s, f), "cuStreamCreate flags %u, green current", f); if (!q) { POISON(y); o_ret("green", D.cuStreamGetGreenCtx(s, &y)); o_bool("same", y == g); POISON(u); D.cuStreamGetFlags(s, &u); o_u32("flags", &u); D.cuStreamDestroy(s); } D.cuCtxSetCurrent(G.ctx); }
    CASE("made_priority") { D.cuCtxSetCurrent(c); POISON(s); CUresult q = CALL(cuStreamCreateWithPriority, (&s, 0, -1), "green current"); if (!q) { POISON(y); o_ret("green", D.cuStreamGetGreenCtx(s, &y)); o_bool("same", y == g); D.cuStreamDestroy(s); } D.cuCtxSetCurrent(G.ctx); }
    static const CUstream defaults[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    for (int i = 0; i < 3; i++) CASE("default_%d", i) { D.cuCtxSetCurrent(c); POISON(y); CALL(cuStreamGetGreenCtx, (defaults[i], &y), "default stream %d, green current", i); o_str("y", "%s", y == g ? "same" : y ? "other" : "null"); POISON(x); o_ret("ctx", D.cuStreamGetCtx(defaults[i], &x)); o_str("x", "%s", x == c ? "green" : x == G.ctx ? "primary" : "other"); POISON(x); POISON(y); o_ret("v2", D.cuStreamGetCtx_v2(defaults[i], &x, &y)); o_str("x2", "%s", x == c ? "green" : x == G.ctx ? "primary" : x ? "other" : "null"); o_str("y2", "%s", y == g ? "same" : y ? "other" : "null"); POISON(u); o_ret("flags", D.cuStreamGetFlags(defaults[i], &u)); o_u32("f", &u); POISON(v); o_ret("prio", D.cuStreamGetPriority(defaults[i], &v)); o_i32("p", &v); D.cuCtxSetCurrent(G.ctx); }
    CASE("default_memset") { CUdeviceptr p = dalloc(64); D.cuCtxSetCurrent(c); CALL(cuMemsetD8Async, (p, 7, 64, NULL), "default stream, green current"); o_ret("query", D.cuStreamSynchronize(NULL)); o_ret("sync_call", D.cuMemsetD8(p, 8, 64)); D.cuCtxSetCurrent(G.ctx); o_dhash("p", p, 64); dfree(p); }
    CASE("default_held") { CUstream b = mkstream(0); CUdeviceptr p = dalloc(64); gate_t q; gate_init(&q); gate_put(&q, b); D.cuCtxSetCurrent(c); CALL(cuMemsetD8Async, (p, 7, 64, NULL), "green default stream while a blocking stream of the primary context is held"); usleep(20000); o_ret("later", D.cuStreamQuery(NULL)); D.cuCtxSetCurrent(G.ctx); gate_open(&q); D.cuStreamSynchronize(b); gate_done(&q); D.cuStreamDestroy(b); dfree(p); }
    CASE("default_held_green") { D.cuCtxSetCurrent(c); CUstream b = NULL; OK(D.cuStreamCreate(&b, 0)); D.cuCtxSetCurrent(G.ctx); CUdeviceptr p = dalloc(64); gate_t q; gate_init(&q); gate_put(&q, b); CALL(cuMemsetD8Async, (p, 7, 64, NULL), "primary default stream while a stream made in a green context without flags is held"); usleep(20000); o_ret("query", D.cuStreamQuery(NULL)); gate_open(&q); D.cuStreamSynchronize(b); gate_done(&q); D.cuStreamDestroy(b); dfree(p); }
    CASE("attribute") { s = gstream(g); CUstreamAttrValue a; for (int i = 0; i < 12; i++) { char k[16]; snprintf(k, sizeof k, "a%d", i); POISON(a); o_ret(k, D.cuStreamGetAttribute(s, (CUstreamAttrID)i, &a)); } ret_set(0); D.cuStreamDestroy(s); }
    CASE("copy_attributes") { s = gstream(g); CUstream p = mkstream(1); CALL(cuStreamCopyAttributes, (p, s), "green to primary"); o_ret("back", D.cuStreamCopyAttributes(s, p)); D.cuStreamDestroy(s); D.cuStreamDestroy(p); }
    CASE("host") { s = gstream(g); gate_t q; gate_init(&q); CALL(cuLaunchHostFunc, (s, gate_fn, q.s), "host function"); gate_open(&q); o_ret("sync", D.cuStreamSynchronize(s)); gate_done(&q); D.cuStreamDestroy(s); }
    CASE("value") { s = gstream(g); CUdeviceptr p = dalloc(64); CALL(cuStreamWriteValue32, (s, p, 5, 0), "write"); o_ret("wait", D.cuStreamWaitValue32(s, p, 5, CU_STREAM_WAIT_VALUE_EQ)); o_ret("sync", D.cuStreamSynchronize(s)); D.cuStreamDestroy(s); dfree(p); }
    D.cuGreenCtxDestroy(g);
}

static void g_event(void)
{
    CUgreenCtx g = green(16), h = green(16);
    CUcontext c = ctx_of(g);
    CASE("record_null") CALL(cuGreenCtxRecordEvent, (g, NULL), "hEvent=NULL");
    CASE("record_null_ctx") { CUevent e = mkevent(0); CALL(cuGreenCtxRecordEvent, (NULL, e), "hCtx=NULL"); D.cuEventDestroy(e); }
    CASE("record_null_both") CALL(cuGreenCtxRecordEvent, (NULL, NULL), "NULL");
    CASE("wait_null") CALL(cuGreenCtxWaitEvent, (g, NULL), "hEvent=NULL");
    CASE("wait_null_ctx") { CUevent e = mkevent(0); CALL(cuGreenCtxWaitEvent, (NULL, e), "hCtx=NULL"); D.cuEventDestroy(e); }
    CASE("record_primary_event") { CUevent e = mkevent(0); CALL(cuGreenCtxRecordEvent, (g, e), "event made in the primary context"); o_ret("query", D.cuEventSynchronize(e)); D.cuEventDestroy(e); }
    CASE("record_green_event") { D.cuCtxSetCurrent(c); CUevent e = mkevent(0); CALL(cuGreenCtxRecordEvent, (g, e), "event made in the green context"); o_ret("query", D.cuEventSynchronize(e)); o_ret("other", D.cuGreenCtxRecordEvent(h, e)); D.cuEventDestroy(e); D.cuCtxSetCurrent(G.ctx); }
    CASE("record_made_ctx_event") { CUcontext k = NULL; OK(D.cuCtxCreate(&k, NULL, 0, 0)); CUevent e = mkevent(0); D.cuCtxSetCurrent(G.ctx); CALL(cuGreenCtxRecordEvent, (g, e), "event of a created context"); o_ret("wait", D.cuGreenCtxWaitEvent(g, e)); D.cuCtxDestroy(k); }
    CASE("record_held") { CUevent e = mkevent(0); CUstream s = gstream(g); gate_t q; gate_init(&q); gate_put(&q, s); CALL(cuGreenCtxRecordEvent, (g, e), "its stream is held"); o_ret("query", D.cuEventQuery(e)); gate_open(&q); o_ret("sync", D.cuEventSynchronize(e)); gate_done(&q); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("record_other_held") { CUevent e = mkevent(0); CUstream s = gstream(h); gate_t q; gate_init(&q); gate_put(&q, s); CALL(cuGreenCtxRecordEvent, (g, e), "another green context's stream is held"); usleep(20000); o_ret("query", D.cuEventQuery(e)); gate_open(&q); o_ret("sync", D.cuEventSynchronize(e)); gate_done(&q); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("record_made_held") { CUevent e = mkevent(0); D.cuCtxSetCurrent(c); CUstream s = mkstream(1); D.cuCtxSetCurrent(G.ctx); gate_t q; gate_init(&q); gate_put(&q, s); CALL(cuGreenCtxRecordEvent, (g, e), "a stream made while it was current is held"); usleep(20000); o_ret("query", D.cuEventQuery(e)); gate_open(&q); o_ret("sync", D.cuEventSynchronize(e)); gate_done(&q); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("record_primary_held") { CUevent e = mkevent(0); CUstream s = mkstream(1); gate_t q; gate_init(&q); gate_put(&q, s); CALL(cuGreenCtxRecordEvent, (g, e), "a stream of the primary context is held"); usleep(20000); o_ret("query", D.cuEventQuery(e)); gate_open(&q); gate_done(&q); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("ctx_record") { CUevent e = mkevent(0); CUstream s = gstream(g); gate_t q; gate_init(&q); gate_put(&q, s); CALL(cuCtxRecordEvent, (c, e), "by its context"); o_ret("query", D.cuEventQuery(e)); gate_open(&q); o_ret("sync", D.cuEventSynchronize(e)); gate_done(&q); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("ctx_record_primary") { CUevent e = mkevent(0); CUstream s = gstream(g); gate_t q; gate_init(&q); gate_put(&q, s); CALL(cuCtxRecordEvent, (G.ctx, e), "primary context, a green stream is held"); usleep(20000); o_ret("query", D.cuEventQuery(e)); gate_open(&q); D.cuEventSynchronize(e); gate_done(&q); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("wait_held") { CUevent e = mkevent(0); CUstream s = gstream(g), o = gstream(h), p = mkstream(1); gate_t q; gate_init(&q); gate_put(&q, p); OK(D.cuEventRecord(e, p)); CALL(cuGreenCtxWaitEvent, (g, e), "an event of a held stream"); CUdeviceptr d = dalloc(64); D.cuMemsetD8Async(d, 1, 16, s); D.cuMemsetD8Async(d + 32, 1, 16, o); usleep(20000); o_ret("own", D.cuStreamQuery(s)); o_ret("other", D.cuStreamQuery(o)); CUstream n = gstream(g); D.cuMemsetD8Async(d + 48, 1, 16, n); usleep(20000); o_ret("made_later", D.cuStreamQuery(n)); D.cuCtxSetCurrent(c); D.cuMemsetD8Async(d + 16, 1, 8, NULL); usleep(20000); o_ret("default", D.cuStreamQuery(NULL)); D.cuCtxSetCurrent(G.ctx); gate_open(&q); o_ret("sync", D.cuStreamSynchronize(s)); D.cuStreamSynchronize(n); gate_done(&q); D.cuStreamDestroy(s); D.cuStreamDestroy(o); D.cuStreamDestroy(p); D.cuStreamDestroy(n); D.cuEventDestroy(e); D.cuCtxSynchronize(); dfree(d); }
    CASE("wait_unrecorded") { CUevent e = mkevent(0); CALL(cuGreenCtxWaitEvent, (g, e), "never recorded"); D.cuEventDestroy(e); }
    CASE("record_capturing") { CUevent e = mkevent(0); CUstream s = gstream(g); CUgraph k; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)0)); CALL(cuGreenCtxRecordEvent, (g, e), "its stream is capturing"); CUstreamCaptureStatus st; POISON(st); D.cuStreamIsCapturing(s, &st); o_i32("status", &st); POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("wait_capturing") { CUevent e = mkevent(0); CUstream s = gstream(g); CUgraph k; OK(D.cuEventRecord(e, NULL)); OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)2)); CALL(cuGreenCtxWaitEvent, (g, e), "its stream is capturing, relaxed"); CUstreamCaptureStatus st; POISON(st); D.cuStreamIsCapturing(s, &st); o_i32("status", &st); POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("wait_captured_event") { CUevent e = mkevent(0); CUstream s = mkstream(1); CUgraph k; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)2)); OK(D.cuEventRecord(e, s)); CALL(cuGreenCtxWaitEvent, (g, e), "an event of a capture"); POISON(k); o_ret("end", D.cuStreamEndCapture(s, &k)); D.cuStreamDestroy(s); D.cuEventDestroy(e); }
    CASE("record_timing") { CUevent a = mkevent(0), b = mkevent(0); OK(D.cuGreenCtxRecordEvent(g, a)); OK(D.cuGreenCtxRecordEvent(g, b)); D.cuEventSynchronize(b); float f; CALL(cuEventElapsedTime, (&f, a, b), "two records"); D.cuEventDestroy(a); D.cuEventDestroy(b); }
    CASE("record_ipc") { CUevent e = mkevent(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING); CALL(cuGreenCtxRecordEvent, (g, e), "event for processes"); D.cuEventDestroy(e); }
    D.cuGreenCtxDestroy(g); D.cuGreenCtxDestroy(h);
}

/* ---- where kernels run -------------------------------------------------------- */

static const char ptx_smid[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    /* each block says where it is, after a while: there are more of them than places */
    ".visible .entry k_smid(.param .u64 pa, .param .u32 pn) {\n"
    " .reg .pred %p; .reg .u32 %r<6>; .reg .u64 %d<6>;\n"
    " ld.param.u64 %d1, [pa]; cvta.to.global.u64 %d1, %d1; ld.param.u32 %r3, [pn]; cvt.u64.u32 %d4, %r3;\n"
    " mov.u64 %d2, %clock64;\n"
    "L: mov.u64 %d3, %clock64; sub.u64 %d3, %d3, %d2; setp.lt.u64 %p, %d3, %d4; @%p bra L;\n"
    " mov.u32 %r1, %tid.x; setp.ne.u32 %p, %r1, 0; @%p ret;\n"
    " mov.u32 %r2, %ctaid.x; mul.wide.u32 %d5, %r2, 8; add.u64 %d1, %d1, %d5;\n"
    " mov.u32 %r4, %smid; mov.u32 %r5, %nsmid; st.global.v2.u32 [%d1], {%r4, %r5}; ret; }\n";

enum { BLOCKS = 4096 };
static unsigned char seen[1024];
static CUfunction smid_fn;
static CUmodule smid_mod;

/* Where the blocks of what `launch` starts run: how many places. */
static unsigned places(CUdeviceptr d)
{
    static unsigned out[2 * BLOCKS];
    unsigned n = 0;
    memset(seen, 0, sizeof seen);
    memset(out, 0xff, sizeof out);
    OK(D.cuMemcpyDtoH(out, d, sizeof out));
    for (unsigned i = 0; i < BLOCKS; i++) if (out[2 * i] < 1024) { n += !seen[out[2 * i]]; seen[out[2 * i]] = 1; }
    o_int("dev:nsmid", (int)out[1]);
    return n;
}
static CUresult run_on(CUstream s, CUdeviceptr d, unsigned blocks)
{
    unsigned cycles = 3000;
    void *p[] = { &d, &cycles };
    D.cuMemsetD8(d, 0xff, 8 * BLOCKS);
    CUresult r = D.cuLaunchKernel(smid_fn, blocks, 1, 1, 1024, 1, 1, 0, s, p, NULL);
    CUresult q = D.cuStreamSynchronize(s);
    return r ? r : q;
}
static void g_run(void)
{
    OK(D.cuModuleLoadData(&smid_mod, ptx_smid));
    OK(D.cuModuleGetFunction(&smid_fn, smid_mod, "k_smid"));
    CUdeviceptr d = dalloc(8 * BLOCKS);
    int sms = dev_attr(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    CASE("primary") { CUstream s = mkstream(1); pre_call("cuLaunchKernel", "a stream of the primary context"); ret_set(run_on(s, d, BLOCKS)); o_bool("all", (int)places(d) == sms); D.cuStreamDestroy(s); }
    static const unsigned sizes[] = { 2, 8, 16, 24, 64, 128, 132 };
    for (int i = 0; i < NELEM(sizes); i++) CASE("size_%u", sizes[i]) {
        CUdevResource r[1], w; memset(r, 0, sizeof r); memset(&w, 0, sizeof w); split(r, 1, NULL, sizes[i] < 8, sizes[i]); CUgreenCtx g = green_of(r, 1); CUstream s = gstream(g); D.cuGreenCtxGetDevResource(g, &w, (CUdevResourceType)SM);
        pre_call("cuLaunchKernel", "a stream of a green context of %u", sizes[i]); ret_set(run_on(s, d, BLOCKS)); o_int("places", places(d)); o_res("has", &w); D.cuStreamDestroy(s); D.cuGreenCtxDestroy(g); }
    CASE("disjoint") { static CUdevResource r[4], rest; static unsigned char all[5][1024]; memset(r, 0, sizeof r); memset(&rest, 0, sizeof rest); unsigned n = split(r, 4, &rest, 0, 24), total = 0; bool apart = true; for (unsigned i = 0; i <= n && i < 5; i++) { CUgreenCtx g = green_of(i < n ? &r[i] : &rest, 1); CUstream s = gstream(g); run_on(s, d, BLOCKS); total += places(d); for (unsigned j = 0; j < i; j++) for (int k = 0; k < 1024; k++) if (all[j][k] && seen[k]) apart = false; memcpy(all[i], seen, 1024); D.cuStreamDestroy(s); D.cuGreenCtxDestroy(g); } ret_set(0); o_int("n", n); o_bool("apart", apart); o_bool("whole", (int)total == sms); }
    CASE("same_desc") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 16); static unsigned char first[1024]; CUgreenCtx g = green_of(r, 1), h = green_of(r, 1); CUstream s = gstream(g), t = gstream(h); ret_set(run_on(s, d, BLOCKS)); places(d); memcpy(first, seen, 1024); run_on(t, d, BLOCKS); places(d); o_bool("same_places", !memcmp(first, seen, 1024)); D.cuStreamDestroy(s); D.cuStreamDestroy(t); D.cuGreenCtxDestroy(g); D.cuGreenCtxDestroy(h); }
    CASE("split_again") { CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, 0, 16); static unsigned char first[1024]; CUgreenCtx g = green_of(r, 1), h = green(16); CUstream s = gstream(g), t = gstream(h); ret_set(run_on(s, d, BLOCKS)); places(d); memcpy(first, seen, 1024); run_on(t, d, BLOCKS); places(d); o_bool("same_places", !memcmp(first, seen, 1024)); D.cuStreamDestroy(s); D.cuStreamDestroy(t); D.cuGreenCtxDestroy(g); D.cuGreenCtxDestroy(h); }
    CUgreenCtx g = green(16);
    CUcontext c = ctx_of(g);
    CASE("current") { D.cuCtxSetCurrent(c); pre_call("cuLaunchKernel", "default stream, green current"); ret_set(run_on(NULL, d, BLOCKS)); o_int("places", places(d)); o_ret("ptds", run_on(CU_STREAM_PER_THREAD, d, BLOCKS)); o_int("places_ptds", places(d)); D.cuCtxSetCurrent(G.ctx); }
    CASE("made_in") { D.cuCtxSetCurrent(c); CUstream s = mkstream(1); pre_call("cuLaunchKernel", "a stream made while green was current"); ret_set(run_on(s, d, BLOCKS)); o_int("places", places(d)); D.cuCtxSetCurrent(G.ctx); o_ret("primary", run_on(s, d, BLOCKS)); o_int("places_primary", places(d)); D.cuStreamDestroy(s); }
    CASE("primary_stream") { CUstream s = mkstream(1); D.cuCtxSetCurrent(c); pre_call("cuLaunchKernel", "a stream of the primary context, green current"); ret_set(run_on(s, d, BLOCKS)); o_bool("all", (int)places(d) == sms); D.cuCtxSetCurrent(G.ctx); D.cuStreamDestroy(s); }
    CASE("green_function") { D.cuCtxSetCurrent(c); CUmodule m = NULL; OK(D.cuModuleLoadData(&m, ptx_smid)); CUfunction was = smid_fn; OK(D.cuModuleGetFunction(&smid_fn, m, "k_smid")); D.cuCtxSetCurrent(G.ctx); CUstream s = mkstream(1); pre_call("cuLaunchKernel", "a function loaded in green, a stream of the primary context"); ret_set(run_on(s, d, BLOCKS)); o_bool("all", (int)places(d) == sms); smid_fn = was; D.cuStreamDestroy(s); D.cuModuleUnload(m); }
    CASE("cooperative") { CUstream s = gstream(g); unsigned cycles = 100; void *p[] = { &d, &cycles }; int per = 0; D.cuOccupancyMaxActiveBlocksPerMultiprocessor(&per, smid_fn, 1024, 0); o_int("per", per); CALL(cuLaunchCooperativeKernel, (smid_fn, (unsigned)(16 * per), 1, 1, 1024, 1, 1, 0, s, p), "as many as fit into 16"); o_ret("sync", D.cuStreamSynchronize(s)); o_ret("more", D.cuLaunchCooperativeKernel(smid_fn, (unsigned)(16 * per + 1), 1, 1, 1024, 1, 1, 0, s, p)); o_ret("sync2", D.cuStreamSynchronize(s)); D.cuStreamDestroy(s); }
    CASE("cooperative_current") { D.cuCtxSetCurrent(c); unsigned cycles = 100; void *p[] = { &d, &cycles }; CALL(cuLaunchCooperativeKernel, (smid_fn, 33, 1, 1, 1024, 1, 1, 0, NULL, p), "33 blocks, default stream, 16 current"); o_ret("sync", D.cuStreamSynchronize(NULL)); D.cuCtxSetCurrent(G.ctx); }
    for (unsigned size = 1; size <= 16; size *= 2)
        for (int fine = 0; fine < 2; fine++) CASE("cluster_%u_%d", size, fine) {
            CUdevResource r[1]; memset(r, 0, sizeof r); split(r, 1, NULL, (unsigned)fine, fine ? 2 : 8); CUgreenCtx k = green_of(r, 1); CUstream s = gstream(k); unsigned cycles = 100; void *p[] = { &d, &cycles };
            if (size > 8) D.cuFuncSetAttribute(smid_fn, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
            CUlaunchAttribute a; memset(&a, 0, sizeof a); a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; a.value.clusterDim.x = size; a.value.clusterDim.y = a.value.clusterDim.z = 1; CUlaunchConfig q; memset(&q, 0, sizeof q); q.gridDimX = 64; q.gridDimY = q.gridDimZ = 1; q.blockDimX = 128; q.blockDimY = q.blockDimZ = 1; q.hStream = s; q.attrs = &a; q.numAttrs = 1;
            CALL(cuLaunchKernelEx, (&q, smid_fn, p, NULL), "clusters of %u on %s", size, fine ? "2 without coscheduling" : "8"); o_ret("sync", D.cuStreamSynchronize(s)); int n; POISON(n); o_ret("max_ret", D.cuOccupancyMaxActiveClusters(&n, smid_fn, &q)); o_i32("max", &n); int m; POISON(m); o_ret("pot_ret", D.cuOccupancyMaxPotentialClusterSize(&m, smid_fn, &q)); o_i32("pot", &m); D.cuFuncSetAttribute(smid_fn, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0); D.cuStreamDestroy(s); D.cuGreenCtxDestroy(k); }
    CASE("captured") { CUstream s = gstream(g), t = mkstream(1); CUgraph k = NULL; CUgraphExec x = NULL; unsigned cycles = 3000; void *p[] = { &d, &cycles }; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)2)); CALL(cuLaunchKernel, (smid_fn, BLOCKS, 1, 1, 1024, 1, 1, 0, s, p, NULL), "captured in a green stream"); OK(D.cuStreamEndCapture(s, &k)); CUgraphNode n = NULL; size_t one = 1; D.cuGraphGetNodes(k, &n, &one); CUDA_KERNEL_NODE_PARAMS np; POISON(np); o_ret("get", D.cuGraphKernelNodeGetParams(n, &np)); o_str("ctx", "%s", np.ctx == c ? "green" : np.ctx == G.ctx ? "primary" : np.ctx ? "other" : "null"); OK(D.cuGraphInstantiate(&x, k, 0)); D.cuMemsetD8(d, 0xff, 8 * BLOCKS); o_ret("launch", D.cuGraphLaunch(x, t)); o_ret("sync", D.cuStreamSynchronize(t)); o_int("places_in_primary", places(d)); D.cuMemsetD8(d, 0xff, 8 * BLOCKS); o_ret("launch2", D.cuGraphLaunch(x, s)); o_ret("sync2", D.cuStreamSynchronize(s)); o_int("places_in_green", places(d)); D.cuGraphExecDestroy(x); D.cuGraphDestroy(k); D.cuStreamDestroy(s); D.cuStreamDestroy(t); }
    CASE("captured_primary") { CUstream s = gstream(g), t = mkstream(1); CUgraph k = NULL; CUgraphExec x = NULL; unsigned cycles = 3000; void *p[] = { &d, &cycles }; OK(D.cuStreamBeginCapture(t, (CUstreamCaptureMode)2)); OK(D.cuLaunchKernel(smid_fn, BLOCKS, 1, 1, 1024, 1, 1, 0, t, p, NULL)); OK(D.cuStreamEndCapture(t, &k)); OK(D.cuGraphInstantiate(&x, k, 0)); D.cuMemsetD8(d, 0xff, 8 * BLOCKS); CALL(cuGraphLaunch, (x, s), "captured in a stream of the primary context, launched in a green one"); o_ret("sync", D.cuStreamSynchronize(s)); o_bool("all", (int)places(d) == sms); D.cuGraphExecDestroy(x); D.cuGraphDestroy(k); D.cuStreamDestroy(s); D.cuStreamDestroy(t); }
    for (int v = 0; v < 2; v++) CASE("node_ctx_%d", v) { CUgraph k = NULL; CUgraphExec x = NULL; CUgraphNode n = NULL; unsigned cycles = 3000; void *p[] = { &d, &cycles }; OK(D.cuGraphCreate(&k, 0)); CUDA_KERNEL_NODE_PARAMS np; memset(&np, 0, sizeof np); np.func = smid_fn; np.gridDimX = BLOCKS; np.gridDimY = np.gridDimZ = 1; np.blockDimX = 1024; np.blockDimY = np.blockDimZ = 1; np.kernelParams = p; np.ctx = v ? c : NULL; if (!v) D.cuCtxSetCurrent(c); CALL(cuGraphAddKernelNode, (&n, k, NULL, 0, &np), v ? "ctx is green" : "ctx=NULL, green current"); D.cuCtxSetCurrent(G.ctx); CUDA_KERNEL_NODE_PARAMS gp; POISON(gp); o_ret("get", D.cuGraphKernelNodeGetParams(n, &gp)); o_str("ctx", "%s", gp.ctx == c ? "green" : gp.ctx == G.ctx ? "primary" : gp.ctx ? "other" : "null"); o_ret("inst", D.cuGraphInstantiate(&x, k, 0)); if (x) { CUstream t = mkstream(1); D.cuMemsetD8(d, 0xff, 8 * BLOCKS); o_ret("launch", D.cuGraphLaunch(x, t)); o_ret("sync", D.cuStreamSynchronize(t)); o_int("places", places(d)); D.cuGraphExecDestroy(x); D.cuStreamDestroy(t); } D.cuGraphDestroy(k); }
    CASE("graph_after_destroy") { case_isolate(); CUgreenCtx k = green(8); CUstream s = gstream(k), t = mkstream(1); CUgraph q = NULL; CUgraphExec x = NULL; unsigned cycles = 100; void *p[] = { &d, &cycles }; OK(D.cuStreamBeginCapture(s, (CUstreamCaptureMode)2)); OK(D.cuLaunchKernel(smid_fn, 8, 1, 1, 1024, 1, 1, 0, s, p, NULL)); OK(D.cuStreamEndCapture(s, &q)); OK(D.cuGraphInstantiate(&x, q, 0)); D.cuStreamDestroy(s); OK(D.cuGreenCtxDestroy(k)); CALL(cuGraphLaunch, (x, t), "after its green context"); o_ret("sync", D.cuStreamSynchronize(t)); }
    CASE("fault") { case_isolate(); CUstream s = gstream(g), t = mkstream(1); CUdeviceptr bad = 64; unsigned cycles = 1; void *p[] = { &bad, &cycles }; CALL(cuLaunchKernel, (smid_fn, 1, 1, 1, 32, 1, 1, 0, s, p, NULL), "a wrong address"); o_ret("sync", D.cuStreamSynchronize(s)); o_ret("other", D.cuStreamQuery(t)); o_ret("ctx", D.cuCtxSynchronize()); o_ret("destroy", D.cuGreenCtxDestroy(g)); }
    D.cuGreenCtxDestroy(g);
}
const group_t green_groups[] = { { "life", g_life, G_INIT, 0, 0 }, { "hold", g_hold, G_CTX, 0, 0 }, { "ctx", g_ctx, G_CTX, 0, 0 }, { "stream", g_stream, G_CTX, 0, 0 }, { "event", g_event, G_CTX, 0, 0 }, { "run", g_run, G_CTX, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_green = { "green", green_groups, 0, "green contexts" };
