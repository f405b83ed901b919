/* Asks a libnvidia-ml.so.1 what each of its functions answers: with arguments that are right, with NULL, with versions, kinds and
   sizes that are wrong, before it is initialised. It changes nothing: of functions that set something only the refusals are
   asked for. The table of functions is made by table.py. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* D device, E enumeration, I number, L length of a string, H other handle, P pointer, N pointer to a count, S text out, C text in */
enum { Z, D, E, I, L, H, P, N, S, C };
struct arg { int kind; int n; long v[44]; int size; int dev; };
struct fn { const char *name; int setter; int nargs; struct arg a[9]; };
static struct fn table[] = {
#include "table.inc"
};
#define COUNT (int)(sizeof table / sizeof *table)
typedef long (*any)(long, long, long, long, long, long, long, long, long);
static void *lib;
static void *dev[64];
static unsigned ndev;
#define ROOM 65536
static unsigned char *room[9];
static char uuid0[96] = "GPU-none", bus0[32] = "none";

static void *f(const char *name) { return dlsym(lib, name); }
static int call(const char *name, long a, long b, long c, long d) {
    any fn = (any)f(name);
    return fn ? (int)fn(a, b, c, d, 0, 0, 0, 0, 0) : -1;
}
static void fill(void) { for (int i = 0; i < 9; i++) memset(room[i], 0xa5, ROOM); }

/* What lies in memory: .. untouched bytes, (n) repeated. */
static void show(const unsigned char *p, int size) {
    int touched = 0;
    for (int i = 0; i < size; i++) touched |= p[i] != 0xa5;
    if (!touched) { printf("untouched"); return; }
    if (size == 4) { printf("%u", *(unsigned *)p); return; }
    if (size == 8) { printf("%llu", *(unsigned long long *)p); return; }
    int printed = 0;
    for (int i = 0; i < size;) {
        int j = i;
        while (j < size && p[j] == p[i]) j++;
        if (p[i] == 0xa5) printf("..");
        else printf("%02x", p[i]);
        if (j - i > 2) { printf("(%d)", j - i); i = j; } else i++;
        if (++printed > 400) { printf("..."); break; }
    }
}
static void text(const unsigned char *p, int length) {
    int touched = 0;
    for (int i = 0; i < 512; i++) touched |= p[i] != 0xa5;
    if (!touched) { printf("untouched"); return; }
    printf("\"");
    int i = 0;
    for (; i < 400 && p[i] && p[i] != 0xa5; i++) if (p[i] >= 32 && p[i] < 127) putchar(p[i]); else printf("\\x%02x", p[i]);
    printf("\"");
    int last = 0;
    for (int k = 0; k < 512; k++) if (p[k] != 0xa5) last = k + 1;
    printf(" wrote %d", last);
    (void)length;
}
static void handle(const unsigned char *p, int count) {
    for (int i = 0; i < count; i++) {
        void *h = ((void **)p)[i];
        unsigned k = 0;
        while (k < ndev && dev[k] != h) k++;
        if (i) printf(",");
        if (k < ndev) printf("device%u", k);
        else if ((uintptr_t)h == 0xa5a5a5a5a5a5a5a5) { printf("untouched"); break; }
        else printf("%s", h ? "other" : "NULL");
    }
}

static void init(void) {
    if (call("nvmlInit_v2", 0, 0, 0, 0)) return;
    unsigned n = 0;
    call("nvmlDeviceGetCount_v2", (long)&n, 0, 0, 0);
    for (unsigned i = 0; i < n && i < 64; i++) call("nvmlDeviceGetHandleByIndex_v2", i, (long)&dev[i], 0, 0);
    ndev = n;
    if (n) {
        call("nvmlDeviceGetUUID", (long)dev[0], (long)uuid0, 96, 0);
        struct { char old[16]; unsigned a[5]; char id[32]; } pci;
        memset(&pci, 0, sizeof pci);
        call("nvmlDeviceGetPciInfo_v3", (long)dev[0], (long)&pci, 0, 0);
        memcpy(bus0, pci.id, 32);
    }
}

struct vary { int arg, index; const char *what; long value; };

/* Base values, then what varies: kind 'v' value index, 'n' NULL, 'x' a version, 'l' a length, 'h' a handle. */
static void one(struct fn *fn, const char *label, int which, char how, long value, int second, long value2) {
    any p = (any)f(fn->name);
    long a[9] = {0};
    int devices = 0, counts = 0;
    fill();
    for (int i = 0; i < fn->nargs; i++) {
        struct arg *g = &fn->a[i];
        switch (g->kind) {
            case D: a[i] = (long)(devices && ndev > 1 ? dev[1] : ndev ? dev[0] : (void *)0x1000); devices++; break;
            case E: case I: a[i] = g->v[0] == -7 ? getpid() : g->v[0]; break;
            case L: a[i] = 256; break;
            case H: a[i] = 0; break;
            case P: a[i] = (long)room[i]; if (g->n) *(unsigned *)room[i] = (unsigned)g->v[0]; break;
            case N: a[i] = (long)room[i]; *(unsigned *)room[i] = 64; counts++; break;
            case S: a[i] = (long)room[i]; break;
            case C: a[i] = (long)"nothing"; break;
        }
    }
    if (which >= 0) {
        if (how == 'x') *(unsigned *)room[which] = (unsigned)value;
        else if (how == 'c') *(unsigned *)room[which] = (unsigned)value;
        else a[which] = value;
    }
    if (second >= 0) a[second] = value2;
    printf("%s | %s", fn->name, label);
    if (how == 'v' || how == 'x' || how == 'c') printf(" arg%d=%ld", which, value);
    if (second >= 0) printf(" arg%d=%ld", second, value2);
    fflush(stdout);
    int rc = (int)p(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    printf(" | %d |", rc);
    for (int i = 0; i < fn->nargs; i++) {
        struct arg *g = &fn->a[i];
        if (!a[i]) continue;
        if (g->kind == P || g->kind == N) {
            printf(" [%d] ", i);
            if (g->dev) handle(room[i], 2); else if (counts && g->kind == P) show(room[i], g->size * 2); else show(room[i], g->size);
        } else if (g->kind == S) { printf(" [%d] ", i); text(room[i], 0); }
    }
    printf("\n");
    fflush(stdout);
}

static void sub(struct fn *fn, int stage) {
    if (!f(fn->name)) { if (stage == 0) printf("%s | absent\n", fn->name); return; }
    if (stage == 0) {
        one(fn, "uninitialised", -1, ' ', 0, -1, 0);
        for (int i = 0; i < fn->nargs; i++)
            if (fn->a[i].kind == D) one(fn, "uninitialised, NULL handle", i, ' ', 0, -1, 0);
            else if (fn->a[i].kind >= P) one(fn, "uninitialised, NULL argument", i, ' ', 0, -1, 0);
        return;
    }
    init();
    if (!ndev && !getenv("ASK_ANYWAY")) { printf("%s | no device\n", fn->name); return; }
    if (stage == 1) { /* refusals */
        for (int i = 0; i < fn->nargs; i++) {
            char label[64];
            struct arg *g = &fn->a[i];
            if (g->kind == D) { snprintf(label, 64, "NULL handle arg%d", i); one(fn, label, i, ' ', 0, -1, 0); }
            if (fn->setter) continue;
            if (g->kind >= P) { snprintf(label, 64, "NULL arg%d", i); one(fn, label, i, ' ', 0, -1, 0); }
        }
        if (!fn->setter)
            for (int i = 0; i < fn->nargs; i++) {
                struct arg *g = &fn->a[i];
                if (g->kind == L) for (int n = 0; n < 3; n++) one(fn, "length", i, 'v', n == 0 ? 0 : n == 1 ? 1 : 8, -1, 0);
                if (g->kind == P && g->n) {
                    one(fn, "version", i, 'x', 0, -1, 0);
                    one(fn, "version", i, 'x', 0x63000008, -1, 0);
                    one(fn, "version", i, 'x', g->size, -1, 0);
                    for (int k = 1; k < g->n; k++) one(fn, "version", i, 'x', g->v[k], -1, 0);
                }
            }
        return;
    }
    if (fn->setter) return;
    if (stage == 3) { /* a handle that is none: may crash */
        for (int i = 0; i < fn->nargs; i++) if (fn->a[i].kind == D) { one(fn, "stray handle", i, ' ', (long)room[8], -1, 0); break; }
        return;
    }
    one(fn, "valid", -1, ' ', 0, -1, 0);
    int e1 = -1, e2 = -1;
    for (int i = 0; i < fn->nargs; i++) {
        struct arg *g = &fn->a[i];
        if (g->kind == E) { if (e1 < 0) e1 = i; else if (e2 < 0) e2 = i; }
        if (g->kind == N) { one(fn, "count", i, 'c', 0, -1, 0); one(fn, "count", i, 'c', 1, -1, 0);
            for (int k = 0; k < fn->nargs; k++) if (k != i && fn->a[k].kind == P) {
                one(fn, "count, no array", i, 'c', 0, k, 0); one(fn, "count, no array", i, 'c', 1, k, 0); } }
        if (g->kind == D && ndev > 1 && i) one(fn, "same device", i, ' ', (long)dev[0], -1, 0);
        if (g->kind == I) for (int k = 1; k < g->n; k++) one(fn, "number", i, 'v', g->v[k], -1, 0);
    }
    if (e1 >= 0 && e2 >= 0) {
        for (int k = 0; k < fn->a[e1].n; k++) for (int m = 0; m < fn->a[e2].n; m++)
            one(fn, "kinds", e1, 'v', fn->a[e1].v[k], e2, fn->a[e2].v[m]);
    } else if (e1 >= 0) {
        int number = -1;
        for (int i = 0; i < fn->nargs; i++) if (fn->a[i].kind == I) number = i;
        (void)number;
        for (int k = 1; k < fn->a[e1].n; k++) one(fn, "kind", e1, 'v', fn->a[e1].v[k], -1, 0);
    }
}

/* Runs `body` in a process of its own. */
static void apart(const char *name, void (*body)(void *, int), void *data, int stage) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) { alarm(60); prctl(PR_SET_PDEATHSIG, SIGKILL); body(data, stage); fflush(stdout); _exit(0); }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) printf("\n%s | stage %d ended by signal %d\n", name, stage, WTERMSIG(status));
}
static void sub_(void *fn, int stage) { sub(fn, stage); }

static void exports(void) {
    struct link_map *map = 0;
    if (dlinfo(lib, RTLD_DI_LINKMAP, &map)) return;
    printf("path: %s\n", map->l_name);
    char *strings = 0;
    ElfW(Sym) *symbols = 0;
    uint32_t *gnu = 0, *sysv = 0;
    ElfW(Half) *versym = 0;
    ElfW(Verdef) *verdef = 0;
    for (ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB) strings = (char *)d->d_un.d_ptr;
        if (d->d_tag == DT_SYMTAB) symbols = (void *)d->d_un.d_ptr;
        if (d->d_tag == DT_GNU_HASH) gnu = (void *)d->d_un.d_ptr;
        if (d->d_tag == DT_HASH) sysv = (void *)d->d_un.d_ptr;
        if (d->d_tag == DT_VERSYM) versym = (void *)d->d_un.d_ptr;
        if (d->d_tag == DT_VERDEF) verdef = (void *)d->d_un.d_ptr;
    }
    for (ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED || d->d_tag == DT_SONAME) printf("%s: %s\n", d->d_tag == DT_NEEDED ? "needs" : "soname", strings + d->d_un.d_val);
    if (verdef) for (ElfW(Verdef) *v = verdef;; v = (void *)((char *)v + v->vd_next)) {
        ElfW(Verdaux) *aux = (void *)((char *)v + v->vd_aux);
        printf("version node %d: %s\n", v->vd_ndx, strings + aux->vda_name);
        if (!v->vd_next) break;
    }
    uint32_t count = sysv ? sysv[1] : 0;
    if (!sysv && gnu) {
        uint32_t *buckets = gnu + 4 + gnu[2] * 2, *chain = buckets + gnu[0];
        for (uint32_t b = 0; b < gnu[0]; b++) if (buckets[b] > count) count = buckets[b];
        if (count) { while (!(chain[count - gnu[1]] & 1)) count++; count++; }
    }
    for (uint32_t i = 0; i < count; i++)
        if (symbols[i].st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbols[i].st_info) != STB_LOCAL)
            printf("export %s type %d version %d\n", strings + symbols[i].st_name, ELF64_ST_TYPE(symbols[i].st_info), versym ? versym[i] : -1);
}

static void by_text(const char *function, const char *value) {
    void *h = (void *)0xa5a5a5a5a5a5a5a5;
    printf("%s | \"%s\"", function, value);
    fflush(stdout);
    int rc = call(function, (long)value, (long)&h, 0, 0);
    printf(" | %d | ", rc);
    handle((void *)&h, 1);
    printf("\n");
}

struct uuid { unsigned version, type; char value[41]; char pad[3]; };
static void by_uuid(unsigned version, unsigned type, const void *value, int size, const char *label) {
    struct uuid u;
    memset(&u, 0, sizeof u);
    u.version = version, u.type = type;
    memcpy(u.value, value, size);
    void *h = (void *)0xa5a5a5a5a5a5a5a5;
    int rc = call("nvmlDeviceGetHandleByUUIDV", (long)&u, (long)&h, 0, 0);
    printf("nvmlDeviceGetHandleByUUIDV | %s version %x type %u | %d | ", label, version, type, rc);
    handle((void *)&h, 1);
    printf("\n");
}

static void special(void *data, int stage) {
    (void)data;
    if (stage == 0) {
        const char *(*error)(int) = (const char *(*)(int))f("nvmlErrorString");
        for (int i = -1; i < 40; i++) printf("nvmlErrorString | %d | %s\n", i, error(i));
        printf("nvmlErrorString | 999 | %s\nnvmlErrorString | 1000 | %s\n", error(999), error(1000));
        printf("nvmlShutdown | uninitialised | %d\n", call("nvmlShutdown", 0, 0, 0, 0));
        for (int flags = 0; flags < 6; flags++) {
            printf("nvmlInitWithFlags | %d | %d\n", flags, call("nvmlInitWithFlags", flags, 0, 0, 0));
            printf("nvmlShutdown | after it | %d\n", call("nvmlShutdown", 0, 0, 0, 0));
        }
        printf("nvmlInitWithFlags | -1 | %d\n", call("nvmlInitWithFlags", 0xffffffff, 0, 0, 0));
        printf("nvmlShutdown | after it | %d\n", call("nvmlShutdown", 0, 0, 0, 0));
        printf("nvmlInit | twice | %d %d\n", call("nvmlInit", 0, 0, 0, 0), call("nvmlInit_v2", 0, 0, 0, 0));
        unsigned n = 77;
        for (int i = 0; i < 3; i++) {
            n = 77;
            int rc = call("nvmlDeviceGetCount_v2", (long)&n, 0, 0, 0);
            printf("nvmlDeviceGetCount_v2 | after %d shutdowns | %d | %u\n", i, rc, n);
            printf("nvmlShutdown | number %d | %d\n", i + 1, call("nvmlShutdown", 0, 0, 0, 0));
        }
        /* A handle of an earlier life. */
        init();
        void *old = dev[0];
        call("nvmlShutdown", 0, 0, 0, 0);
        call("nvmlShutdown", 0, 0, 0, 0);
        printf("nvmlInit_v2 | again | %d\n", call("nvmlInit_v2", 0, 0, 0, 0));
        char name[96] = "";
        int rc = call("nvmlDeviceGetName", (long)old, (long)name, 96, 0);
        printf("nvmlDeviceGetName | handle of the life before | %d | %s\n", rc, name);
        return;
    }
    init();
    if (stage == 1) {
        char t[200];
        by_text("nvmlDeviceGetHandleByUUID", uuid0);
        snprintf(t, 200, "%s", uuid0); for (char *c = t + 4; *c; c++) if (*c >= 'a' && *c <= 'f') *c -= 32; by_text("nvmlDeviceGetHandleByUUID", t);
        by_text("nvmlDeviceGetHandleByUUID", uuid0 + 4);
        snprintf(t, 200, "%.12s", uuid0); by_text("nvmlDeviceGetHandleByUUID", t);
        snprintf(t, 200, "%sx", uuid0); by_text("nvmlDeviceGetHandleByUUID", t);
        snprintf(t, 200, " %s", uuid0); by_text("nvmlDeviceGetHandleByUUID", t);
        by_text("nvmlDeviceGetHandleByUUID", ""); by_text("nvmlDeviceGetHandleByUUID", "GPU-"); by_text("nvmlDeviceGetHandleByUUID", "hello");
        by_text("nvmlDeviceGetHandleByUUID", "GPU-00000000-0000-0000-0000-000000000000"); by_text("nvmlDeviceGetHandleByUUID", "MIG-00000000-0000-0000-0000-000000000000");
        by_uuid(0x1000034, 1, uuid0, strlen(uuid0) < 41 ? strlen(uuid0) : 41, "text");
        by_uuid(0x1000034, 1, "GPU-00000000-0000-0000-0000-000000000000", 40, "wrong text");
        unsigned char bytes[16] = {0};
        unsigned b; int at = 0;
        for (char *c = uuid0 + 4; *c && at < 16;) { if (*c == '-') { c++; continue; } if (sscanf(c, "%2x", &b) != 1) break; bytes[at++] = b; c += 2; }
        by_uuid(0x1000034, 2, bytes, 16, "binary");
        by_uuid(0x1000034, 0, bytes, 16, "none"); by_uuid(0x1000034, 3, bytes, 16, "unknown"); by_uuid(0, 2, bytes, 16, "binary"); by_uuid(0x2000034, 2, bytes, 16, "binary");
        unsigned dom = 0, bus = 0, d = 0;
        sscanf(bus0, "%x:%x:%x", &dom, &bus, &d);
        const char *functions[] = {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"};
        for (int k = 0; k < 2; k++) {
            const char *forms[] = {"%08X:%02X:%02X.0", "%04x:%02x:%02x.0", "%x:%x:%x.0", "%08X:%02X:%02X", "%08X:%02X:%02X.1", " %08X:%02X:%02X.0", "%08X:%02X:%02X.0 ", "%08X:%02X:%02X.0x", "0x%X:%02X:%02X.0"};
            for (int i = 0; i < 9; i++) { snprintf(t, 200, forms[i], dom, bus, d); by_text(functions[k], t); }
            snprintf(t, 200, "%02x:%02x.0", bus, d); by_text(functions[k], t);
            snprintf(t, 200, "%02x:%02x", bus, d); by_text(functions[k], t);
            by_text(functions[k], ""); by_text(functions[k], "hello"); by_text(functions[k], "0000:ff:1f.0"); by_text(functions[k], "0:0:0:0");
        }
        char serial[64] = "";
        int rc = call("nvmlDeviceGetSerial", (long)dev[0], (long)serial, 64, 0);
        if (!rc) by_text("nvmlDeviceGetHandleBySerial", serial);
        by_text("nvmlDeviceGetHandleBySerial", ""); by_text("nvmlDeviceGetHandleBySerial", "0"); by_text("nvmlDeviceGetHandleBySerial", "x");
        for (int i = -1; i < 12; i++) {
            char name[128]; memset(name, 0xa5, 128);
            int pid = i == -1 ? getpid() : i == 0 ? 0 : i == 1 ? 1 : i == 2 ? 999999 : -1;
            int length = i < 3 ? 128 : i - 3;
            if (i >= 3) pid = getpid();
            rc = call("nvmlSystemGetProcessName", pid, (long)name, length, 0);
            printf("nvmlSystemGetProcessName | %s length %d | %d | ", i == -1 || i >= 3 ? "self" : i == 0 ? "0" : i == 1 ? "1" : "999999", length, rc);
            text((unsigned char *)name, 0); printf("\n");
        }
        const char *strings[] = {"nvmlSystemGetDriverVersion", "nvmlSystemGetNVMLVersion"};
        for (int k = 0; k < 2; k++) for (int n = 0; n < 20; n++) {
            unsigned char v[512]; memset(v, 0xa5, 512);
            rc = call(strings[k], (long)v, n, 0, 0);
            printf("%s | length %d | %d | ", strings[k], n, rc); text(v, 0); printf("\n");
        }
        const char *names[] = {"nvmlDeviceGetName", "nvmlDeviceGetUUID", "nvmlDeviceGetSerial", "nvmlDeviceGetVbiosVersion"};
        for (int k = 0; k < 4; k++) for (int n = 0; n < 45; n++) {
            unsigned char v[512]; memset(v, 0xa5, 512);
            rc = call(names[k], (long)dev[0], (long)v, n, 0);
            printf("%s | length %d | %d | ", names[k], n, rc); text(v, 0); printf("\n");
        }
    }
    if (stage == 2) { /* field values */
        struct value { unsigned id, scope; long long time, latency; unsigned type; int rc; unsigned long long v; };
        for (unsigned id = 0; id < 300; id++) {
            struct value v; memset(&v, 0xa5, sizeof v);
            v.id = id, v.scope = 0;
            int rc = call("nvmlDeviceGetFieldValues", (long)dev[0], 1, (long)&v, 0);
            printf("field %u | %d | rc %d type %u value %llu time %s latency %s\n", id, rc, v.rc, v.type, v.v, v.time == (long long)0xa5a5a5a5a5a5a5a5 ? "untouched" : v.time ? "set" : "0", v.latency == (long long)0xa5a5a5a5a5a5a5a5 ? "untouched" : "set");
        }
        struct value v[3]; memset(v, 0, sizeof v); v[0].id = 1; v[1].id = 9999; v[2].id = 2;
        int rc = call("nvmlDeviceGetFieldValues", (long)dev[0], 3, (long)v, 0);
        printf("three fields | %d | %d %d %d\n", rc, v[0].rc, v[1].rc, v[2].rc);
        printf("no field | %d\n", call("nvmlDeviceGetFieldValues", (long)dev[0], 0, (long)v, 0));
        printf("negative | %d\n", call("nvmlDeviceGetFieldValues", (long)dev[0], -1, (long)v, 0));
    }
    if (stage == 3) { /* events */
        void *set = 0;
        printf("nvmlEventSetCreate | NULL | %d\n", call("nvmlEventSetCreate", 0, 0, 0, 0));
        printf("nvmlEventSetCreate | valid | %d\n", call("nvmlEventSetCreate", (long)&set, 0, 0, 0));
        unsigned char data[64]; memset(data, 0xa5, 64);
        printf("nvmlEventSetWait_v2 | empty set | %d | ", call("nvmlEventSetWait_v2", (long)set, (long)data, 10, 0)); show(data, 32); printf("\n");
        unsigned long long types = 0;
        printf("nvmlDeviceGetSupportedEventTypes | | %d | %llx\n", call("nvmlDeviceGetSupportedEventTypes", (long)dev[0], (long)&types, 0, 0), types);
        for (int bit = 0; bit < 20; bit++) printf("nvmlDeviceRegisterEvents | bit %d | %d\n", bit, call("nvmlDeviceRegisterEvents", (long)dev[0], 1L << bit, (long)set, 0));
        printf("nvmlDeviceRegisterEvents | 0 | %d\n", call("nvmlDeviceRegisterEvents", (long)dev[0], 0, (long)set, 0));
        printf("nvmlDeviceRegisterEvents | all supported | %d\n", call("nvmlDeviceRegisterEvents", (long)dev[0], (long)types, (long)set, 0));
        printf("nvmlDeviceRegisterEvents | NULL set | %d\n", call("nvmlDeviceRegisterEvents", (long)dev[0], 1, 0, 0));
        printf("nvmlEventSetWait_v2 | | %d | ", call("nvmlEventSetWait_v2", (long)set, (long)data, 10, 0)); show(data, 32); printf("\n");
        printf("nvmlEventSetWait_v2 | 0 ms | %d\n", call("nvmlEventSetWait_v2", (long)set, (long)data, 0, 0));
        printf("nvmlEventSetWait | | %d\n", call("nvmlEventSetWait", (long)set, (long)data, 10, 0));
        printf("nvmlEventSetWait_v2 | NULL data | %d\n", call("nvmlEventSetWait_v2", (long)set, 0, 10, 0));
        printf("nvmlEventSetWait_v2 | NULL set | %d\n", call("nvmlEventSetWait_v2", 0, (long)data, 10, 0));
        printf("nvmlEventSetFree | | %d\n", call("nvmlEventSetFree", (long)set, 0, 0, 0));
        printf("nvmlEventSetFree | NULL | %d\n", call("nvmlEventSetFree", 0, 0, 0, 0));
        fflush(stdout);
        void *sample = 0;
        printf("nvmlGpmSampleAlloc | NULL | %d\n", call("nvmlGpmSampleAlloc", 0, 0, 0, 0));
        printf("nvmlGpmSampleAlloc | valid | %d | %s\n", call("nvmlGpmSampleAlloc", (long)&sample, 0, 0, 0), sample ? "set" : "NULL");
        printf("nvmlGpmSampleGet | | %d\n", call("nvmlGpmSampleGet", (long)dev[0], (long)sample, 0, 0));
        printf("nvmlGpmSampleFree | | %d\n", call("nvmlGpmSampleFree", (long)sample, 0, 0, 0));
    }
    if (stage == 4) /* topology of every pair */
        for (unsigned i = 0; i < ndev; i++) for (unsigned k = 0; k < ndev; k++) {
            unsigned level = 0xa5a5a5a5;
            int rc = call("nvmlDeviceGetTopologyCommonAncestor", (long)dev[i], (long)dev[k], (long)&level, 0);
            printf("nvmlDeviceGetTopologyCommonAncestor | %u %u | %d | %u\n", i, k, rc, level);
            for (int what = 0; what < 7; what++) {
                unsigned status = 0xa5a5a5a5;
                rc = call("nvmlDeviceGetP2PStatus", (long)dev[i], (long)dev[k], what, (long)&status);
                printf("nvmlDeviceGetP2PStatus | %u %u %d | %d | %u\n", i, k, what, rc, status);
            }
            for (int level = 0; level < 70; level += 10) {
                void *found[64]; unsigned count = 64; memset(found, 0xa5, sizeof found);
                rc = call("nvmlDeviceGetTopologyNearestGpus", (long)dev[i], level, (long)&count, (long)found);
                printf("nvmlDeviceGetTopologyNearestGpus | %u level %d | %d | %u ", i, level, rc, count); handle((void *)found, 2); printf("\n");
            }
        }
}

/* What NVML says of memory and processes while this process has a context. */
static void process(void *data, int stage) {
    (void)data, (void)stage;
    init();
    void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
    void *context = 0;
    unsigned long long pointer = 0;
    for (int step = 0; step < 5; step++) {
        int rc = 0;
        if (step && !cuda) break;
        if (step == 1) rc = ((int (*)(int))dlsym(cuda, "cuInit"))(0);
        if (step == 2) { rc = ((int (*)(void **, int))dlsym(cuda, "cuDevicePrimaryCtxRetain"))(&context, 0); ((int (*)(void *))dlsym(cuda, "cuCtxSetCurrent"))(context); }
        if (step == 3) rc = ((int (*)(unsigned long long *, size_t))dlsym(cuda, "cuMemAlloc_v2"))(&pointer, 1 << 30);
        if (step == 4) rc = ((int (*)(int))dlsym(cuda, "cuDevicePrimaryCtxRelease_v2"))(0);
        printf("process | step %d | %d\n", step, rc);
        if (step == 2 || step == 3) { size_t free = 0, total = 0; ((int (*)(size_t *, size_t *))dlsym(cuda, "cuMemGetInfo_v2"))(&free, &total); printf("cuMemGetInfo | free %zu total %zu\n", free, total); }
        unsigned long long m[3] = {0}, m2[5] = {0};
        *(unsigned *)m2 = 0x2000028;
        rc = call("nvmlDeviceGetMemoryInfo", (long)dev[0], (long)m, 0, 0);
        printf("nvmlDeviceGetMemoryInfo | | %d | total %llu free %llu used %llu\n", rc, m[0], m[1], m[2]);
        rc = call("nvmlDeviceGetMemoryInfo_v2", (long)dev[0], (long)m2, 0, 0);
        printf("nvmlDeviceGetMemoryInfo_v2 | | %d | total %llu reserved %llu free %llu used %llu\n", rc, m2[1], m2[2], m2[3], m2[4]);
        rc = call("nvmlDeviceGetBAR1MemoryInfo", (long)dev[0], (long)m, 0, 0);
        printf("nvmlDeviceGetBAR1MemoryInfo | | %d | total %llu free %llu used %llu\n", rc, m[0], m[1], m[2]);
        const char *names[] = {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v3"};
        for (int k = 0; k < 5; k++) for (int room_ = 0; room_ < 2; room_++) {
            unsigned count = room_ ? 32 : 0;
            unsigned char info[32 * 24]; memset(info, 0xa5, sizeof info);
            rc = call(names[k], (long)dev[0], (long)&count, (long)info, 0);
            printf("%s | room %d | %d | count %u ", names[k], room_ ? 32 : 0, rc, count); show(info, 24); printf(" own pid %x\n", getpid());
        }
        
    }
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "libnvidia-ml.so.1", *part = argc > 2 ? argv[2] : "all";
    int all = !strcmp(part, "all");
    lib = dlopen(name, RTLD_NOW);
    if (!lib) { printf("%s\n", dlerror()); return 1; }
    for (int i = 0; i < 9; i++) room[i] = mmap(0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    if (all || !strcmp(part, "exports")) exports();
    fflush(stdout);
    /* Keeps the device awake. */
    pid_t holder = fork();
    if (holder == 0) { prctl(PR_SET_PDEATHSIG, SIGKILL); call("nvmlInit_v2", 0, 0, 0, 0); for (;;) pause(); }
    if (all || !strcmp(part, "special")) for (int i = 0; i < 5; i++) apart("special", special, 0, i);
    if (all || !strcmp(part, "calls")) for (int i = 0; i < COUNT; i++) for (int stage = 0; stage < 4; stage++) apart(table[i].name, sub_, &table[i], stage);
    if (all || !strcmp(part, "process")) apart("process", process, 0, 0);
    kill(holder, SIGKILL);
    waitpid(holder, 0, 0);
    return 0;
}
