/* Ordinary stores of kernels to multicast addresses come to the memory of all devices, as a switch sends them on: in every width and
 * order of lanes, beside accesses of other memory in the same instruction and the same kernel, wherever the addresses were reserved.
 * Loads and atomic operations there are refused, and so are stores where there is no memory or no access. */
#include "check.h"
#include <stdint.h>

enum { DEVICES = 3, THREADS = 72, PIECE = 16, BYTES = THREADS * PIECE };
#define SIZE ((size_t)2 << 20)

static const struct variant {
    const char *store, *load;
    int bytes, count;
} variants[] = {
    { "st.global.u8 [%a], %h0;", "ld.global.u8 %h0, [%b];", 1, 1 },
    { "st.u16 [%a], %h0;", "ld.global.u16 %h0, [%b];", 2, 1 },
    { "st.global.u32 [%a], %r0;", "ld.global.u32 %r0, [%b];", 4, 1 },
    { "st.volatile.global.u32 [%a], %r0;", "ld.global.u32 %r0, [%b];", 4, 1 },
    { "st.release.sys.global.u32 [%a], %r0;", "ld.global.u32 %r0, [%b];", 4, 1 },
    { "st.global.cg.u64 [%a], %q0;", "ld.global.u64 %q0, [%b];", 8, 1 },
    { "st.global.v2.u8 [%a], {%h0,%h1};", "ld.global.v2.u8 {%h0,%h1}, [%b];", 1, 2 },
    { "st.global.v4.u16 [%a], {%h0,%h1,%h2,%h3};", "ld.global.v4.u16 {%h0,%h1,%h2,%h3}, [%b];", 2, 4 },
    { "st.global.v2.u32 [%a], {%r0,%r1};", "ld.global.v2.u32 {%r0,%r1}, [%b];", 4, 2 },
    { "st.global.cg.v4.u32 [%a], {%r0,%r1,%r2,%r3};", "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%b];", 4, 4 },
    { "st.v2.u64 [%a], {%q0,%q1};", "ld.global.v2.u64 {%q0,%q1}, [%b];", 8, 2 },
    { "st.global.b128 [%a], %x;", "ld.global.b128 %x, [%b];", 16, 1 },
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* Which place a thread has. */
static const char *const orders[] = {
    "mov.u32 %i, %t;",
    "mov.u32 %i, 71; sub.u32 %i, %i, %t;",
    "mad.lo.u32 %i, %t, 5, 1; rem.u32 %i, %i, 72;",
    "mov.u32 %i, %t; and.b32 %j, %t, 3; setp.eq.u32 %p, %j, 2; @%p bra E;",
};
static int place(int order, int t) { return order == 1 ? 71 - t : order == 2 ? (5 * t + 1) % 72 : t; }
static int takes_part(int order, int t) { return order != 3 || t % 4 != 2; }
enum { ORDERS = 4 };

/* `team`: where to store; `other`: where every fifth thread stores instead; `given`: what. Shared and local memory are seen as any
 * other, and count how often they were not what they should be. */
static const char skeleton[] = ".visible .entry k%d_%d(.param .u64 team, .param .u64 other, .param .u64 given, .param .u64 wrong) {\n"
    ".shared .align 16 .b8 s[1152]; .local .align 8 .b8 l[16]; .reg .b64 %%a, %%b, %%c, %%d, %%w, %%q<4>; .reg .b16 %%h<4>; .reg .b32 %%r<4>, %%t, %%i, %%j, %%k;\n"
    ".reg .b128 %%x; .reg .pred %%p, %%o, %%l;\n"
    "ld.param.u64 %%a, [team]; ld.param.u64 %%c, [other]; ld.param.u64 %%b, [given]; ld.param.u64 %%w, [wrong]; mov.u32 %%t, %%tid.x; %s\n"
    "rem.u32 %%j, %%t, 5; setp.eq.u32 %%o, %%j, 4; @%%o mov.u64 %%a, %%c;\n"
    "mul.wide.u32 %%d, %%i, %d; add.u64 %%a, %%a, %%d; add.u64 %%b, %%b, %%d;\n"
    "mov.u32 %%k, 2;\nA: %s\n%s\n"
    "cvta.shared.u64 %%d, s; mul.wide.u32 %%q2, %%t, 16; add.u64 %%d, %%d, %%q2; st.u32 [%%d], %%i; ld.u32 %%j, [%%d]; setp.ne.u32 %%l, %%i, %%j; @%%l red.global.add.u32 [%%w], 1;\n"
    "cvta.local.u64 %%d, l; st.u64 [%%d+8], %%a; ld.u64 %%q3, [%%d+8]; setp.ne.u64 %%l, %%q3, %%a; @%%l red.global.add.u32 [%%w], 1;\n"
    "sub.u32 %%k, %%k, 1; setp.ne.u32 %%l, %%k, 0; @%%l bra A;\nE: ret; }\n";

static CUcontext contexts[DEVICES];
static CUdeviceptr own[DEVICES], team, other, given, wrong;
static CUmemGenericAllocationHandle object, memories[DEVICES];

static CUdeviceptr reserve(void)
{
    CUdeviceptr at;
    OK(cuMemAddressReserve(&at, SIZE, 0, 0, 0));
    return at;
}
static void map(CUdeviceptr at, CUmemGenericAllocationHandle handle)
{
    OK(cuMemMap(at, SIZE, 0, handle, 0));
    let_access(at, SIZE, DEVICES);
}

static CUmemGenericAllocationHandle memory_of(int device)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp p = { .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device } };
    OK(cuMemCreate(&handle, SIZE, &p, 0));
    return handle;
}

static void start(int reserved_first, int bound)
{
    CUdeviceptr early = 0, behind;
    CUmulticastObjectProp prop = { .numDevices = DEVICES, .size = SIZE };
    int count, able = 0;
    setenv("DOPPEL_DEVICES", "3", 0);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    OK(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    if (count < DEVICES || !able) skip("needs three devices with multicast objects");
    OK(cuDevicePrimaryCtxRetain(&contexts[0], 0));
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuMemAlloc(&given, BYTES));
    OK(cuMemAlloc(&wrong, 4));
    OK(cuMemsetD32(wrong, 0, 1));
    if (reserved_first) early = reserve();
    OK(cuMulticastCreate(&object, &prop));
    for (int d = 0; d < DEVICES; d++) OK(cuMulticastAddDevice(object, d));
    for (int d = 0; d < DEVICES; d++) {
        OK(cuDevicePrimaryCtxRetain(&contexts[d], d));
        memories[d] = memory_of(d);
        own[d] = reserve();
        map(own[d], memories[d]);
        if (d < bound) OK(cuMulticastBindMem(object, 0, memories[d], 0, SIZE, 0));
    }
    team = early ? early : reserve();
    map(team, object);
    behind = reserve();
    map(behind, memory_of(0));
    other = behind;
}

static CUmodule load(const char *body)
{
    CUmodule module;
    char *text = malloc(1 << 20);
    sprintf(text, ".version 8.6\n.target sm_90\n.address_size 64\n%s", body);
    OK(cuModuleLoadData(&module, text));
    free(text);
    return module;
}

static int check(CUmodule module, int n, int order)
{
    static unsigned char values[BYTES], before[BYTES], want[BYTES], beside[BYTES], after[BYTES];
    int size = variants[n].bytes * variants[n].count;
    char name[16];
    CUfunction f;
    for (int i = 0; i < BYTES; i++) {
        values[i] = (unsigned char)(i * 7 + n * 11 + order + 1);
        before[i] = (unsigned char)(i * 3);
    }
    for (int d = 0; d < DEVICES; d++) OK(cuMemcpyHtoD(own[d], before, BYTES));
    OK(cuMemcpyHtoD(other, before, BYTES));
    OK(cuMemcpyHtoD(given, values, BYTES));
    sprintf(name, "k%d_%d", n, order);
    OK(cuModuleGetFunction(&f, module, name));
    void *arguments[] = { &team, &other, &given, &wrong };
    OK(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
    OK(cuCtxSynchronize());
    memcpy(want, before, BYTES);
    memcpy(beside, before, BYTES);
    for (int t = 0; t < THREADS; t++) {
        if (takes_part(order, t)) memcpy((t % 5 == 4 ? beside : want) + place(order, t) * size, values + place(order, t) * size, (size_t)size);
    }
    for (int d = 0; d <= DEVICES; d++) {
        OK(cuMemcpyDtoH(after, d < DEVICES ? own[d] : other, BYTES));
        if (!memcmp(after, d < DEVICES ? want : beside, BYTES)) continue;
        printf("%s, order %d: device %d differs\n", variants[n].store, order, d);
        return 0;
    }
    return 1;
}

static void stores(int reserved_first)
{
    char *text = malloc(1 << 20), *t = text;
    uint32_t strange = 1;
    int good = 0;
    start(reserved_first, DEVICES);
    for (int n = 0; n < VARIANTS; n++)
        for (int o = 0; o < ORDERS; o++) {
            t += sprintf(t, skeleton, n, o, orders[o], variants[n].bytes * variants[n].count, variants[n].load, variants[n].store);
        }
    CUmodule module = load(text);
    free(text);
    for (int n = 0; n < VARIANTS; n++)
        for (int o = 0; o < ORDERS; o++) good += check(module, n, o);
    OK(cuMemcpyDtoH(&strange, wrong, 4));
    printf("%d of %d as they should be, %u strange\n", good, VARIANTS * ORDERS, strange);
    /* Another device's kernels do the same; the object can be mapped elsewhere, too. */
    CUdeviceptr again = reserve();
    map(again, object);
    OK(cuCtxSetCurrent(contexts[1]));
    module = load(".visible .entry k(.param .u64 p) { .reg .b64 %a; .reg .b32 %t; ld.param.u64 %a, [p]; mov.u32 %t, %tid.x;\n"
                  "mad.wide.u32 %a, %t, 4, %a; add.u32 %t, %t, 1000; st.global.u32 [%a+64], %t; ret; }\n");
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, "k"));
    void *arguments[] = { &again };
    OK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
    OK(cuCtxSynchronize());
    for (int d = 0; d < DEVICES; d++) {
        uint32_t first, last;
        OK(cuMemcpyDtoH(&first, own[d] + 64, 4));
        OK(cuMemcpyDtoH(&last, own[d] + 64 + 63 * 4, 4));
        printf("device %d: %u %u\n", d, first, last);
    }
    /* Bulk copies are stores, too. */
    module = load(".visible .entry k(.param .u64 p) { .shared .align 128 .b8 s[512]; .reg .b64 %a; .reg .b32 %t, %s; ld.param.u64 %a, [p]; mov.u32 %t, %tid.x;\n"
                  "mov.u32 %s, s; mad.lo.u32 %s, %t, 4, %s; mul.lo.u32 %t, %t, 3; st.shared.u32 [%s], %t; bar.sync 0; fence.proxy.async; mov.u32 %s, s;\n"
                  ".reg .pred %p; setp.ne.u32 %p, %t, 0; @%p bra E; cp.async.bulk.global.shared::cta.bulk_group [%a], [%s], 512; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E: ret; }\n");
    OK(cuModuleGetFunction(&f, module, "k"));
    OK(cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, NULL, arguments, NULL));
    OK(cuCtxSynchronize());
    for (int d = 0; d < DEVICES; d++) {
        uint32_t all[128];
        int right = 0;
        OK(cuMemcpyDtoH(all, own[d], sizeof all));
        for (uint32_t i = 0; i < 128; i++) right += all[i] == i * 3;
        printf("device %d: %d of 128 copied\n", d, right);
    }
    /* Nothing is there any more. */
    OK(cuMemUnmap(again, SIZE));
    OK(cuModuleGetFunction(&f, module, "k"));
    OK(cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, NULL, arguments, NULL));
    SHOW(cuCtxSynchronize());
}
static void reserved_later(void) { stores(0); }
static void reserved_first(void) { stores(1); }

/* One access, which goes wrong. */
static void access_by(const char *what, int bound, int access)
{
    char body[512];
    start(0, bound);
    if (!access) {
        CUmemAccessDesc none = { .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE } };
        OK(cuMemSetAccess(team, SIZE, &none, 1));
    }
    sprintf(body, ".visible .entry k(.param .u64 p) { .reg .b64 %%a; .reg .b32 %%t; ld.param.u64 %%a, [p]; mov.u32 %%t, 5;\n%s ret; }\n", what);
    CUfunction f;
    OK(cuModuleGetFunction(&f, load(body), "k"));
    void *arguments[] = { &team };
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
    SHOW(cuCtxSynchronize());
}
static void loads(void) { access_by("ld.global.u32 %t, [%a]; st.global.u32 [%a], %t;", DEVICES, 1); }
static void atomics(void) { access_by("atom.global.add.u32 %t, [%a], %t;", DEVICES, 1); }
static void reductions(void) { access_by("red.global.add.u32 [%a], %t;", DEVICES, 1); }
static void odd_places(void) { access_by("st.global.u32 [%a+2], %t;", DEVICES, 1); }
static void too_little_memory(void) { access_by("st.global.u32 [%a], %t;", DEVICES - 1, 1); }
static void no_access(void) { access_by("st.global.u32 [%a], %t;", DEVICES, 0); }

int main(void)
{
    apart("addresses reserved when memory is bound", reserved_later);
    apart("addresses reserved before", reserved_first);
    apart("a load", loads);
    apart("an atomic operation", atomics);
    apart("a reduction", reductions);
    apart("an address that is not a multiple", odd_places);
    apart("memory of two devices out of three", too_little_memory);
    apart("a device without access", no_access);
    return 0;
}
