/*
 * Memory and semaphores that Vulkan made. Where Vulkan has no device of NVIDIA's, memory files take their place: those are what
 * the emulated device shares with other processes. So the same cases are asked of both.
 */
#include "common.h"
#if defined __has_include
#if __has_include(<vulkan/vulkan.h>)
#define HAVE_VULKAN 1
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>
#include <dlfcn.h>
#endif
#endif

#ifdef HAVE_VULKAN
static bool vulkan;
static VkDevice dev;
static VkQueue queue;
static VkPhysicalDeviceMemoryProperties mems;
#define F(n) static PFN_##n n;
#define ALLF F(vkAllocateMemory) F(vkCreateBuffer) F(vkGetBufferMemoryRequirements) F(vkBindBufferMemory) F(vkGetMemoryFdKHR) F(vkCreateSemaphore) \
    F(vkGetSemaphoreFdKHR) F(vkGetSemaphoreCounterValue) F(vkSignalSemaphore) F(vkGetDeviceQueue) F(vkQueueSubmit) F(vkCreateFence) F(vkWaitForFences) \
    F(vkCreateImage) F(vkGetImageMemoryRequirements) F(vkBindImageMemory)
ALLF
#undef F
static void vk_open(void)
{
    void *l = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!l) return;
    PFN_vkGetInstanceProcAddr gi = (PFN_vkGetInstanceProcAddr)dlsym(l, "vkGetInstanceProcAddr");
    PFN_vkCreateInstance ci = (PFN_vkCreateInstance)gi(NULL, "vkCreateInstance");
    VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2 };
    VkInstanceCreateInfo ii = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app };
    VkInstance in;
    if (ci(&ii, NULL, &in)) return;
#define I(n) PFN_##n n = (PFN_##n)gi(in, #n)
    I(vkEnumeratePhysicalDevices); I(vkGetPhysicalDeviceProperties); I(vkGetPhysicalDeviceMemoryProperties); I(vkCreateDevice); I(vkGetDeviceProcAddr);
    VkPhysicalDevice all[8], phys = VK_NULL_HANDLE;
    uint32_t n = 8;
    vkEnumeratePhysicalDevices(in, &n, all);
    for (uint32_t i = 0; i < n; i++) { VkPhysicalDeviceProperties p; vkGetPhysicalDeviceProperties(all[i], &p); if (p.vendorID == 0x10de) phys = all[i]; }
    if (!phys) return;
    vkGetPhysicalDeviceMemoryProperties(phys, &mems);
    float prio = 1;
    const char *ext[] = { "VK_KHR_external_memory_fd", "VK_KHR_external_semaphore_fd" };
    VkDeviceQueueCreateInfo qi = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &prio };
    VkPhysicalDeviceVulkan12Features fe = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE };
    VkDeviceCreateInfo di = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &fe, .queueCreateInfoCount = 1, .pQueueCreateInfos = &qi, .enabledExtensionCount = 2, .ppEnabledExtensionNames = ext };
    if (vkCreateDevice(phys, &di, NULL, &dev)) return;
#define F(n) n = (PFN_##n)vkGetDeviceProcAddr(dev, #n);
    ALLF
#undef F
    vkGetDeviceQueue(dev, 0, 0, &queue);
    vulkan = true;
}
#else
static void vk_open(void) { }
#endif

typedef struct { bool timeline; volatile uint64_t *word; uintptr_t vk; } sema;
/* A semaphore and a descriptor of it. */
static int sem_new(sema *s, bool timeline)
{
    memset(s, 0, sizeof *s);
    s->timeline = timeline;
#ifdef HAVE_VULKAN
    if (vulkan) {
        VkSemaphoreTypeCreateInfo ty = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = timeline ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY };
        VkExportSemaphoreCreateInfo ex = { .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .pNext = &ty, .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT };
        VkSemaphoreCreateInfo ci = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &ex };
        VkSemaphore v = VK_NULL_HANDLE; int fd = -1;
        if (vkCreateSemaphore(dev, &ci, NULL, &v)) { o_str("setup:vk", "semaphore"); return -1; }
        VkSemaphoreGetFdInfoKHR gi = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = v, .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT };
        if (vkGetSemaphoreFdKHR(dev, &gi, &fd)) o_str("setup:vk", "descriptor");
        s->vk = (uintptr_t)v;
        return fd;
    }
#endif
    int fd = (int)memfd_create("s", MFD_CLOEXEC);
    if (ftruncate(fd, 4096)) return -1;
    s->word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return fd;
}
static long long sem_value(sema *s)
{
#ifdef HAVE_VULKAN
    if (vulkan) { uint64_t v = 0; if (!s->timeline) return -1; vkGetSemaphoreCounterValue(dev, (VkSemaphore)s->vk, &v); return (long long)v; }
#endif
    return s->timeline ? (long long)*s->word : -1;
}
/* Signals it from the other side: a timeline from the host, a binary one by the queue. */
static void sem_put(sema *s, uint64_t v)
{
#ifdef HAVE_VULKAN
    if (vulkan) {
        VkSemaphore k = (VkSemaphore)s->vk;
        if (s->timeline) { VkSemaphoreSignalInfo si = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = k, .value = v }; vkSignalSemaphore(dev, &si); return; }
        VkSubmitInfo su = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 1, .pSignalSemaphores = &k };
        vkQueueSubmit(queue, 1, &su, VK_NULL_HANDLE);
        return;
    }
#endif
    __atomic_store_n((uint64_t *)s->word, s->timeline ? v : 1, __ATOMIC_SEQ_CST);
}
static CUexternalSemaphore sem_in(sema *s, bool timeline)
{
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC h; memset(&h, 0, sizeof h);
    h.type = timeline ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
    h.handle.fd = sem_new(s, timeline);
    CUexternalSemaphore x = NULL; OK(D.cuImportExternalSemaphore(&x, &h));
    return x;
}
static void *put_later(void *p) { usleep(100000); sem_put(p, 5); return NULL; }
static CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS sg(uint64_t v) { CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p; memset(&p, 0, sizeof p); p.params.fence.value = v; return p; }
static CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wt(uint64_t v) { CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS p; memset(&p, 0, sizeof p); p.params.fence.value = v; return p; }
static unsigned char blk[512];

static void semaphores(bool tl)
{
    vk_open();
    sema s, s2; CUexternalSemaphore x, y; CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC h; CUstream st;
    for (int t = 0; t <= 12; t++) CASE("import_type_%d", t) { memset(&h, 0, sizeof h); h.type = (CUexternalSemaphoreHandleType)t; h.handle.fd = sem_new(&s, tl); int fd = h.handle.fd; POISON(x); CUresult r = CALL(cuImportExternalSemaphore, (&x, &h), "type %d", t); o_handle("x", &x); o_bool("fd_open", fcntl(fd, F_GETFD) >= 0); if (!r) o_ret("destroy", D.cuDestroyExternalSemaphore(x)); }
    static const unsigned fl[] = { 1, 2, 4, 0x80000000u };
    for (int i = 0; i < NELEM(fl); i++) CASE("import_flags_%x", fl[i]) { memset(&h, 0, sizeof h); h.type = tl ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = sem_new(&s, tl); h.flags = fl[i]; POISON(x); CALL(cuImportExternalSemaphore, (&x, &h), "flags %#x", fl[i]); o_handle("x", &x); }
    CASE("import_reserved") { memset(&h, 0, sizeof h); h.type = tl ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = sem_new(&s, tl); memset(h.reserved, 1, sizeof h.reserved); POISON(x); CALL(cuImportExternalSemaphore, (&x, &h), "reserved not 0"); o_handle("x", &x); }
    CASE("import_null_out") { memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = sem_new(&s, tl); CALL(cuImportExternalSemaphore, (NULL, &h), "out NULL"); o_bool("fd_open", fcntl(h.handle.fd, F_GETFD) >= 0); }
    for (int i = 0; i < 4; i++) CASE("import_other_fd_%d", i) { memset(&h, 0, sizeof h); h.type = tl ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = i == 0 ? open("/dev/null", O_RDWR) : i == 1 ? -1 : i == 2 ? 99999 : open("/", O_RDONLY); POISON(x); CALL(cuImportExternalSemaphore, (&x, &h), "descriptor of something else, %d", i); o_handle("x", &x); }
    CASE("import_twice") { memset(&h, 0, sizeof h); h.type = tl ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; int fd = sem_new(&s, tl); h.handle.fd = dup(fd); x = y = NULL; OK(D.cuImportExternalSemaphore(&x, &h)); h.handle.fd = fd; CALL(cuImportExternalSemaphore, (&y, &h), "second time"); o_bool("differ", x != y); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b = wt(3); o_ret("signal", D.cuSignalExternalSemaphoresAsync(&x, &a, 1, NULL)); o_ret("wait", D.cuWaitExternalSemaphoresAsync(&y, &b, 1, NULL)); o_ret("sync", D.cuCtxSynchronize()); o_ret("d1", D.cuDestroyExternalSemaphore(x)); o_ret("d2", D.cuDestroyExternalSemaphore(y)); }
    CASE("import_in_capture") { st = mkstream(1); OK(D.cuStreamBeginCapture(st, CU_STREAM_CAPTURE_MODE_GLOBAL)); memset(&h, 0, sizeof h); h.type = tl ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = sem_new(&s, tl); POISON(x); CUresult r = CALL(cuImportExternalSemaphore, (&x, &h), "during a capture"); o_handle("x", &x); if (!r) o_ret("destroy", D.cuDestroyExternalSemaphore(x)); CUgraph g = NULL; o_ret("end", D.cuStreamEndCapture(st, &g)); D.cuStreamDestroy(st); }
    CASE("import_no_ctx") { D.cuCtxSetCurrent(NULL); memset(&h, 0, sizeof h); h.type = tl ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = sem_new(&s, tl); POISON(x); CUresult r = CALL(cuImportExternalSemaphore, (&x, &h), "without a context"); o_handle("x", &x); if (!r) o_ret("destroy", D.cuDestroyExternalSemaphore(x)); D.cuCtxSetCurrent(G.ctx); }
    static const uint64_t vals[] = { 0, 1, 5, 1ull << 31, 1ull << 40, ~0ull };
    for (int i = 0; i < NELEM(vals); i++) {
        CASE("signal_%llx", (unsigned long long)vals[i]) { x = sem_in(&s, tl); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(vals[i]); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "value"); o_ret("sync", D.cuCtxSynchronize()); o_hex("value", (unsigned long long)sem_value(&s)); CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b = wt(vals[i]); o_ret("wait", D.cuWaitExternalSemaphoresAsync(&x, &b, 1, NULL)); o_ret("sync2", D.cuCtxSynchronize()); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); }
    }
    CASE("signal_lower") { if (!tl) { case_skip("timelines only"); continue; } x = sem_in(&s, tl); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(9), b = sg(4); OK(D.cuSignalExternalSemaphoresAsync(&x, &a, 1, NULL)); CALL(cuSignalExternalSemaphoresAsync, (&x, &b, 1, NULL), "4 after 9"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); }
    CASE("signal_same_sem_twice") { x = sem_in(&s, tl); CUexternalSemaphore l[2] = { x, x }; CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a[2] = { sg(2), sg(7) }; CALL(cuSignalExternalSemaphoresAsync, (l, a, 2, NULL), "2 and 7"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); }
    CASE("signal_two") { x = sem_in(&s, tl); y = sem_in(&s2, tl); CUexternalSemaphore l[2] = { x, y }; CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a[2] = { sg(2), sg(7) }; CALL(cuSignalExternalSemaphoresAsync, (l, a, 2, NULL), "two of them"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); o_int("value2", sem_value(&s2)); o_ret("d", D.cuDestroyExternalSemaphore(x)); o_ret("d2", D.cuDestroyExternalSemaphore(y)); }
    CASE("wait_later") { x = sem_in(&s, tl); st = mkstream(1); CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b = wt(5); CALL(cuWaitExternalSemaphoresAsync, (&x, &b, 1, st), "before it is signalled"); o_ret("query", D.cuStreamQuery(st)); pthread_t th; pthread_create(&th, NULL, put_later, &s); o_ret("sync", D.cuStreamSynchronize(st)); pthread_join(th, NULL); o_ret("after", D.cuStreamQuery(st)); o_int("value", sem_value(&s)); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); D.cuStreamDestroy(st); }
    CASE("wait_other_stream") { x = sem_in(&s, tl); st = mkstream(1); CUstream o = mkstream(1); CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b = wt(5); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(6); CALL(cuWaitExternalSemaphoresAsync, (&x, &b, 1, st), "signalled by another stream"); o_ret("signal", D.cuSignalExternalSemaphoresAsync(&x, &a, 1, o)); o_ret("sync", D.cuStreamSynchronize(st)); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); D.cuStreamDestroy(st); D.cuStreamDestroy(o); }
    CASE("destroy_waited") { x = sem_in(&s, tl); st = mkstream(1); CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b = wt(5); OK(D.cuWaitExternalSemaphoresAsync(&x, &b, 1, st)); pthread_t th; pthread_create(&th, NULL, put_later, &s); double t0 = now_ms(); CALL(cuDestroyExternalSemaphore, (x), "while a stream waits for it"); o_bool("dev:waited", now_ms() - t0 > 50); o_ret("sync", D.cuStreamSynchronize(st)); pthread_join(th, NULL); D.cuStreamDestroy(st); }
    static const unsigned wf[] = { 1, 2, 3, 4, 0xffffffffu };
    for (int i = 0; i < NELEM(wf); i++) {
        CASE("signal_flags_%x", wf[i]) { x = sem_in(&s, tl); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); a.flags = wf[i]; CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "flags"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); D.cuDestroyExternalSemaphore(x); }
        CASE("wait_flags_%x", wf[i]) { x = sem_in(&s, tl); sem_put(&s, 5); CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS a = wt(3); a.flags = wf[i]; CALL(cuWaitExternalSemaphoresAsync, (&x, &a, 1, NULL), "flags"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); D.cuDestroyExternalSemaphore(x); }
    }
    for (int i = 0; i < 6; i++) {
        bool bad_sem = i == 3 || i == 4;
        static const char *const what[] = { "no_array", "no_params", "none", "null_sem", "null_second", "keyed" };
        CUexternalSemaphore l[2];
        CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a[2] = { sg(1), sg(1) }; CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b[2] = { wt(1), wt(1) };
        if (i == 5) { a[0].params.keyedMutex.key = 7; a[0].params.nvSciSync.reserved = 9; a[0].reserved[0] = 1; b[0].params.keyedMutex.key = 7; b[0].params.keyedMutex.timeoutMs = 3; b[0].reserved[0] = 1; }
        CASE("signal_%s", what[i]) { if (bad_sem) case_isolate(); x = sem_in(&s, tl); l[0] = i == 3 ? NULL : x; l[1] = NULL; CALL(cuSignalExternalSemaphoresAsync, (i == 0 ? NULL : l, i == 1 ? NULL : a, i == 2 ? 0 : i == 4 ? 2 : 1, NULL), "%s", what[i]); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); D.cuDestroyExternalSemaphore(x); }
        CASE("wait_%s", what[i]) { if (bad_sem) case_isolate(); x = sem_in(&s, tl); sem_put(&s, 5); l[0] = i == 3 ? NULL : x; l[1] = NULL; CALL(cuWaitExternalSemaphoresAsync, (i == 0 ? NULL : l, i == 1 ? NULL : b, i == 2 ? 0 : i == 4 ? 2 : 1, NULL), "%s", what[i]); o_ret("sync", D.cuCtxSynchronize()); D.cuDestroyExternalSemaphore(x); }
    }
    CASE("signal_none_of_none") CALL(cuSignalExternalSemaphoresAsync, (NULL, NULL, 0, (CUstream)2), "none, per-thread stream");
    CASE("signal_legacy") { x = sem_in(&s, tl); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, (CUstream)1), "legacy stream"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); D.cuDestroyExternalSemaphore(x); }
    CASE("signal_no_ctx") { x = sem_in(&s, tl); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); D.cuCtxSetCurrent(NULL); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "without a context"); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); D.cuCtxSetCurrent(G.ctx); }
    CASE("signal_other_ctx") { CUcontext c = NULL; x = sem_in(&s, tl); OK(DL.cuCtxCreate_v2(&c, 0, 0)); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "in another context"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); D.cuCtxDestroy(c); D.cuCtxSetCurrent(G.ctx); }
    CASE("ctx_gone") { case_isolate(); CUcontext c = NULL; OK(DL.cuCtxCreate_v2(&c, 0, 0)); x = sem_in(&s, tl); D.cuCtxDestroy(c); D.cuCtxSetCurrent(G.ctx); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "the context of its import is gone"); o_ret("sync", D.cuCtxSynchronize()); o_int("value", sem_value(&s)); o_ret("destroy", D.cuDestroyExternalSemaphore(x)); }
    CASE("destroy") { x = sem_in(&s, tl); CALL(cuDestroyExternalSemaphore, (x), "unused"); }
    CASE("destroy_null") CALL(cuDestroyExternalSemaphore, (NULL), "NULL");
    CASE("destroy_twice") { case_isolate(); x = sem_in(&s, tl); OK(D.cuDestroyExternalSemaphore(x)); CALL(cuDestroyExternalSemaphore, (x), "twice"); }
    CASE("destroy_garbage") { case_isolate(); CALL(cuDestroyExternalSemaphore, ((CUexternalSemaphore)(void *)blk), "zeroes"); }
    CASE("signal_dead") { case_isolate(); x = sem_in(&s, tl); OK(D.cuDestroyExternalSemaphore(x)); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "destroyed"); o_ret("sync", D.cuCtxSynchronize()); }
    CASE("signal_garbage") { case_isolate(); x = (CUexternalSemaphore)(void *)blk; CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a = sg(3); CALL(cuSignalExternalSemaphoresAsync, (&x, &a, 1, NULL), "zeroes"); }
    CASE("destroy_in_capture") { x = sem_in(&s, tl); st = mkstream(1); OK(D.cuStreamBeginCapture(st, CU_STREAM_CAPTURE_MODE_GLOBAL)); CALL(cuDestroyExternalSemaphore, (x), "during a capture"); CUgraph g = NULL; o_ret("end", D.cuStreamEndCapture(st, &g)); if (g) D.cuGraphDestroy(g); D.cuStreamDestroy(st); }
    for (int w = 0; w < 2; w++)
        for (int n = 0; n < 3; n++)
            CASE("capture_%s_%d", w ? "wait" : "signal", n) {
                x = sem_in(&s, tl); y = sem_in(&s2, tl); CUexternalSemaphore l[2] = { x, y }; st = mkstream(1); CUgraph g = NULL; OK(D.cuStreamBeginCapture(st, CU_STREAM_CAPTURE_MODE_GLOBAL));
                CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a[2] = { sg(3), sg(4) }; CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b[2] = { wt(3), wt(4) };
                if (w) CALL(cuWaitExternalSemaphoresAsync, (l, b, (unsigned)n, st), "captured, %d", n); else CALL(cuSignalExternalSemaphoresAsync, (l, a, (unsigned)n, st), "captured, %d", n);
                o_ret("end", D.cuStreamEndCapture(st, &g));
                if (g) {
                    CUgraphNode nd[4] = { 0 }; size_t k = 4; o_ret("nodes", D.cuGraphGetNodes(g, nd, &k)); o_int("count", (long long)k);
                    if (k) { CUgraphNodeType ty; POISON(ty); D.cuGraphNodeGetType(nd[0], &ty); o_i32("type", &ty); CUDA_EXT_SEM_SIGNAL_NODE_PARAMS q; POISON(q); o_ret("get", w ? D.cuGraphExternalSemaphoresWaitNodeGetParams(nd[0], (void *)&q) : D.cuGraphExternalSemaphoresSignalNodeGetParams(nd[0], &q)); o_u32("num", &q.numExtSems); if (q.numExtSems == (unsigned)n && n) { o_bool("same", q.extSemArray[0] == x); o_bool("own_array", q.extSemArray != l); o_int("v", (long long)(w ? ((const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *)q.paramsArray)->params.fence.value : q.paramsArray->params.fence.value)); } }
                    CUgraphExec e = NULL; o_ret("inst", D.cuGraphInstantiate(&e, g, 0));
                    if (e) { if (w) { sem_put(&s, 5); sem_put(&s2, 5); } o_ret("launch", D.cuGraphLaunch(e, st)); o_ret("sync", D.cuStreamSynchronize(st)); o_int("value", sem_value(&s)); o_int("value2", sem_value(&s2)); D.cuGraphExecDestroy(e); }
                    D.cuGraphDestroy(g);
                }
                D.cuDestroyExternalSemaphore(x); D.cuDestroyExternalSemaphore(y); D.cuStreamDestroy(st);
            }
    for (int w = 0; w < 2; w++)
        for (int n = 0; n < 9; n++) {
            static const char *const what[] = { "one", "two", "flags", "null_sem", "set", "set_two", "exec_set", "exec_set_two", "dead" };
            CASE("node_%s_%s", w ? "wait" : "signal", what[n]) {
                if (n == 3 || n == 8) case_isolate();
                x = sem_in(&s, tl); y = sem_in(&s2, tl); CUexternalSemaphore l[2] = { x, y }; CUgraph g = NULL; CUgraphNode nd = NULL; OK(D.cuGraphCreate(&g, 0)); st = mkstream(1);
                CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS a[2] = { sg(3), sg(4) }, a2[2] = { sg(7), sg(8) }; CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS b[2] = { wt(3), wt(4) }, b2[2] = { wt(2), wt(1) };
                if (n == 2) { a[0].flags = 1; b[0].flags = 1; }
                if (n == 3) l[0] = NULL;
                unsigned num = n == 1 ? 2 : 1;
                CUDA_EXT_SEM_SIGNAL_NODE_PARAMS sp = { l, a, num }; CUDA_EXT_SEM_WAIT_NODE_PARAMS wp = { l, b, num };
                CUresult r = w ? CALL(cuGraphAddExternalSemaphoresWaitNode, (&nd, g, NULL, 0, &wp), "%s", what[n]) : CALL(cuGraphAddExternalSemaphoresSignalNode, (&nd, g, NULL, 0, &sp), "%s", what[n]);
                if (!r) {
                    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS q; POISON(q); o_ret("get", w ? D.cuGraphExternalSemaphoresWaitNodeGetParams(nd, (void *)&q) : D.cuGraphExternalSemaphoresSignalNodeGetParams(nd, &q)); o_u32("num", &q.numExtSems);
                    sp.paramsArray = a2; wp.paramsArray = b2; if (n == 5 || n == 7) sp.numExtSems = wp.numExtSems = 2;
                    if (n == 4 || n == 5) { o_ret("set", w ? D.cuGraphExternalSemaphoresWaitNodeSetParams(nd, &wp) : D.cuGraphExternalSemaphoresSignalNodeSetParams(nd, &sp)); POISON(q); o_ret("get2", w ? D.cuGraphExternalSemaphoresWaitNodeGetParams(nd, (void *)&q) : D.cuGraphExternalSemaphoresSignalNodeGetParams(nd, &q)); o_u32("num2", &q.numExtSems); }
                    CUgraphExec e = NULL; o_ret("inst", D.cuGraphInstantiate(&e, g, 0));
                    if (n == 8) { o_ret("destroy", D.cuDestroyExternalSemaphore(x)); }
                    if (e) {
                        if (n == 6 || n == 7) o_ret("exec_set", w ? D.cuGraphExecExternalSemaphoresWaitNodeSetParams(e, nd, &wp) : D.cuGraphExecExternalSemaphoresSignalNodeSetParams(e, nd, &sp));
                        if (w) { sem_put(&s, 5); sem_put(&s2, 5); }
                        o_ret("launch", D.cuGraphLaunch(e, st)); o_ret("sync", D.cuStreamSynchronize(st)); o_int("value", sem_value(&s)); o_int("value2", sem_value(&s2));
                        if (tl) { o_ret("again", D.cuGraphLaunch(e, st)); o_ret("sync2", D.cuStreamSynchronize(st)); }
                        D.cuGraphExecDestroy(e);
                    }
                }
                D.cuGraphDestroy(g); D.cuStreamDestroy(st);
            }
        }
}
static void g_timeline(void) { semaphores(true); }
static void g_binary(void) { semaphores(false); }

static int mem_new(size_t bytes, size_t *size)
{
#ifdef HAVE_VULKAN
    if (vulkan) {
        VkExternalMemoryBufferCreateInfo eb = { .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
        VkBufferCreateInfo bi = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &eb, .size = bytes, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT };
        VkBuffer b; if (vkCreateBuffer(dev, &bi, NULL, &b)) { o_str("setup:vk", "buffer"); return -1; }
        VkMemoryRequirements need; vkGetBufferMemoryRequirements(dev, b, &need);
        VkExportMemoryAllocateInfo ex = { .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
        VkMemoryAllocateInfo ai = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &ex, .allocationSize = need.size };
        for (uint32_t i = 0; i < mems.memoryTypeCount; i++) if (need.memoryTypeBits & 1u << i && mems.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) { ai.memoryTypeIndex = i; break; }
        VkDeviceMemory m; if (vkAllocateMemory(dev, &ai, NULL, &m)) { o_str("setup:vk", "memory"); return -1; }
        vkBindBufferMemory(dev, b, m, 0);
        VkMemoryGetFdInfoKHR gi = { .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = m, .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
        int fd = -1; if (vkGetMemoryFdKHR(dev, &gi, &fd)) o_str("setup:vk", "descriptor");
        *size = need.size;
        return fd;
    }
#endif
    int fd = (int)memfd_create("m", MFD_CLOEXEC);
    if (ftruncate(fd, (off_t)bytes)) return -1;
    *size = bytes;
    return fd;
}
static CUexternalMemory mem_in(size_t bytes, size_t *size)
{
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC h; memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = mem_new(bytes, size); h.size = *size;
    CUexternalMemory x = NULL; OK(D.cuImportExternalMemory(&x, &h)); return x;
}
static void g_memory(void)
{
    vk_open();
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC h; CUDA_EXTERNAL_MEMORY_BUFFER_DESC b; CUexternalMemory x, y; CUdeviceptr d, e; size_t n;
    const size_t all = MB(4);
    for (int t = 0; t <= 12; t++) for (int f = 0; f < 2; f++) CASE("type_%d_%d", t, f) { memset(&h, 0, sizeof h); h.type = (CUexternalMemoryHandleType)t; h.handle.fd = mem_new(all, &n); h.size = n; h.flags = (unsigned)f; POISON(x); CUresult r = CALL(cuImportExternalMemory, (&x, &h), "type %d, flags %d", t, f); o_handle("x", &x); o_bool("fd_open", fcntl(h.handle.fd, F_GETFD) >= 0); if (!r) o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    static const unsigned fl[] = { 2, 3, 4, 0x80000000u };
    for (int i = 0; i < NELEM(fl); i++) CASE("flags_%x", fl[i]) { memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = mem_new(all, &n); h.size = n; h.flags = fl[i]; POISON(x); CALL(cuImportExternalMemory, (&x, &h), "flags"); o_handle("x", &x); }
    static const long long off[] = { 0, -1, 1, -4096, 4096, -65536, 65536, 1 << 21, 1LL << 40 };
    for (int i = 0; i < NELEM(off); i++) CASE("size_%llx", off[i] & 0xffffffffffffull) { memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = mem_new(all, &n); h.size = n + (size_t)off[i]; POISON(x); CUresult r = CALL(cuImportExternalMemory, (&x, &h), "size + %lld", off[i]); o_handle("x", &x); if (!r) { memset(&b, 0, sizeof b); b.size = h.size; POISON(d); o_ret("map", D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); o_ret("destroy", D.cuDestroyExternalMemory(x)); } }
    static const size_t small[] = { 0, 1, 4096 };
    for (int i = 0; i < 3; i++) CASE("small_%zu", small[i]) { memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = mem_new(all, &n); h.size = small[i]; POISON(x); CUresult r = CALL(cuImportExternalMemory, (&x, &h), "size %zu", small[i]); o_handle("x", &x); if (!r) { memset(&b, 0, sizeof b); b.size = 1; POISON(d); o_ret("map_1", D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); b.size = 4096; POISON(d); o_ret("map_4096", D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); b.size = 65536; POISON(d); o_ret("map_65536", D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); o_ret("destroy", D.cuDestroyExternalMemory(x)); } }
    CASE("twice") { memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; int fd = mem_new(all, &n); h.handle.fd = dup(fd); h.size = n; x = y = NULL; OK(D.cuImportExternalMemory(&x, &h)); h.handle.fd = fd; CALL(cuImportExternalMemory, (&y, &h), "second time"); memset(&b, 0, sizeof b); b.size = n; d = e = 0; o_ret("map", D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); o_ret("map2", D.cuExternalMemoryGetMappedBuffer(&e, y, &b)); o_bool("differ", d != e); D.cuMemsetD8(d, 9, n); o_dhash("other", e, 64); o_ret("destroy", D.cuDestroyExternalMemory(x)); o_ret("destroy2", D.cuDestroyExternalMemory(y)); D.cuMemsetD8(d, 8, n); o_dhash("later", e, 64); o_ret("free", D.cuMemFree(d)); o_ret("free2", D.cuMemFree(e)); }
    static const struct { size_t o, s; unsigned f; } bd[] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 1000, 0 }, { 0, 4096, 0 }, { 1, 4096, 0 }, { 16, 4096, 0 }, { 256, 4096, 0 }, { 512, 4096, 0 }, { 4096, 4096, 0 }, { 12288, 100, 0 }, { 65536, 65536, 0 }, { 65536, MB(4) - 65536, 0 }, { 65536, MB(4), 0 }, { MB(2), MB(2), 0 }, { MB(4), 0, 0 }, { MB(4), 1, 0 }, { 0, MB(4), 0 }, { 0, MB(4) + 1, 0 }, { 0, ~0ull, 0 }, { ~0ull, 2, 0 }, { 0, 4096, 1 }, { 0, 4096, 2 } };
    for (int i = 0; i < NELEM(bd); i++) CASE("map_%d", i) { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.offset = bd[i].o; b.size = bd[i].s; b.flags = bd[i].f; POISON(d); CUresult r = CALL(cuExternalMemoryGetMappedBuffer, (&d, x, &b), "offset %#zx, size %#zx, flags %u", bd[i].o, bd[i].s, bd[i].f); o_touch("d", &d, 8); if (!r) { CUdeviceptr base; size_t s; POISON(base); POISON(s); o_ret("range", D.cuMemGetAddressRange(&base, &s, d)); o_bool("base", base == d); o_u64("size", &s); o_str("dev:al", "%s", al_str(d)); o_ret("set", D.cuMemsetD8(d, 7, bd[i].s)); o_ret("past", D.cuMemsetD8(d + bd[i].s, 7, 1)); o_ret("free", D.cuMemFree(d)); o_ret("free2", D.cuMemFree(d)); } o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("map_null") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; CALL(cuExternalMemoryGetMappedBuffer, (NULL, x, &b), "out NULL"); o_ret("desc", D.cuExternalMemoryGetMappedBuffer(&d, x, NULL)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("map_two") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = e = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); CALL(cuExternalMemoryGetMappedBuffer, (&e, x, &b), "second mapping"); o_bool("differ", d != e); D.cuMemsetD8(d, 5, n); o_dhash("seen", e, n); o_ret("destroy", D.cuDestroyExternalMemory(x)); o_ret("set", D.cuMemsetD8(e, 6, n)); o_dhash("seen2", d, n); o_ret("free", D.cuMemFree(d)); o_ret("free2", D.cuMemFree(e)); }
    CASE("map_kept") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); D.cuMemsetD8(d, 5, n); OK(D.cuMemFree(d)); POISON(d); CALL(cuExternalMemoryGetMappedBuffer, (&d, x, &b), "again after a free"); o_dhash("kept", d, n); o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("free_async") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); CALL(cuMemFreeAsync, (d, NULL), "a mapped buffer"); o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("free_inside") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); CALL(cuMemFree, (d + 4096), "in the middle"); o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("ipc") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); CUipcMemHandle ih; CALL(cuIpcGetMemHandle, (&ih, d), "a mapped buffer"); o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("attributes") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); static const int at[] = { 2, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20 }; for (int i = 0; i < NELEM(at); i++) { unsigned long long v[8]; memset(v, 0, sizeof v); char k[24]; snprintf(k, sizeof k, "r%d", at[i]); CUresult r = CALL(cuPointerGetAttribute, (v, (CUpointer_attribute)at[i], d), "attributes"); o_ret(k, r); snprintf(k, sizeof k, "%sv%d", at[i] == 11 || at[i] == 20 ? "dev:" : "", at[i]); if (at[i] == 11) o_bool(k, v[0] == d); else if (at[i] == 17) o_bool(k, v[0] != 0); else o_hex(k, v[0]); } o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("retain") { x = mem_in(all, &n); memset(&b, 0, sizeof b); b.size = n; d = 0; OK(D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); CUmemGenericAllocationHandle gh; POISON(gh); CALL(cuMemRetainAllocationHandle, (&gh, (void *)(uintptr_t)d), "a mapped buffer"); o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("destroy_twice") { case_isolate(); x = mem_in(all, &n); OK(D.cuDestroyExternalMemory(x)); CALL(cuDestroyExternalMemory, (x), "twice"); }
    CASE("destroy_garbage") { case_isolate(); CALL(cuDestroyExternalMemory, ((CUexternalMemory)(void *)blk), "zeroes"); }
    CASE("map_dead") { case_isolate(); x = mem_in(all, &n); OK(D.cuDestroyExternalMemory(x)); memset(&b, 0, sizeof b); b.size = 4096; POISON(d); CALL(cuExternalMemoryGetMappedBuffer, (&d, x, &b), "destroyed"); }
    for (int m = 0; m < 3; m++) CASE("capture_%d", m) { x = mem_in(all, &n); CUstream st = mkstream(1); OK(D.cuStreamBeginCapture(st, (CUstreamCaptureMode)m)); memset(&h, 0, sizeof h); size_t k; h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = mem_new(all, &k); h.size = k; y = NULL; CALL(cuImportExternalMemory, (&y, &h), "during a capture, mode %d", m); memset(&b, 0, sizeof b); b.size = n; d = 0; o_ret("map", D.cuExternalMemoryGetMappedBuffer(&d, x, &b)); o_ret("destroy", D.cuDestroyExternalMemory(x)); CUgraph g = NULL; o_ret("end", D.cuStreamEndCapture(st, &g)); if (g) D.cuGraphDestroy(g); D.cuStreamDestroy(st); }
    CASE("no_ctx") { D.cuCtxSetCurrent(NULL); memset(&h, 0, sizeof h); h.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; h.handle.fd = mem_new(all, &n); h.size = n; POISON(x); CALL(cuImportExternalMemory, (&x, &h), "without a context"); D.cuCtxSetCurrent(G.ctx); }
    CASE("other_ctx") { CUcontext c = NULL; x = mem_in(all, &n); OK(DL.cuCtxCreate_v2(&c, 0, 0)); memset(&b, 0, sizeof b); b.size = n; d = 0; CALL(cuExternalMemoryGetMappedBuffer, (&d, x, &b), "in another context"); o_ret("set", D.cuMemsetD8(d, 1, 16)); CUcontext w = NULL; o_ret("ctx_ret", D.cuPointerGetAttribute(&w, CU_POINTER_ATTRIBUTE_CONTEXT, d)); o_bool("of_import", w == G.ctx); o_bool("of_current", w == c); o_ret("free", D.cuMemFree(d)); o_ret("destroy", D.cuDestroyExternalMemory(x)); D.cuCtxDestroy(c); D.cuCtxSetCurrent(G.ctx); }
}
static void g_levels(void)
{
    vk_open();
    CUexternalMemory x; size_t n; CUmipmappedArray a; CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC md;
    static const struct { const char *n; size_t o, w, h, d; unsigned f, c, fl, lv; } t[] = {
        { "2d", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 1 }, { "2d_color", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0x20, 1 }, { "2d_surface", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 2, 1 },
        { "levels", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 4 }, { "all_levels", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 7 }, { "too_many", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 8 }, { "none", 0, 64, 32, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 0 },
        { "1d", 0, 64, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "3d", 0, 32, 16, 8, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "3d_levels", 0, 32, 16, 8, CU_AD_FORMAT_FLOAT, 1, 0, 3 }, { "layered", 0, 32, 16, 4, CU_AD_FORMAT_HALF, 2, 1, 1 }, { "cube", 0, 32, 32, 6, CU_AD_FORMAT_HALF, 4, 4, 1 }, { "cube_layered", 0, 32, 32, 12, CU_AD_FORMAT_HALF, 4, 5, 2 }, { "cube_bad", 0, 32, 16, 6, CU_AD_FORMAT_HALF, 4, 4, 1 },
        { "gather", 0, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 8, 1 }, { "depth", 0, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0x10, 1 }, { "sparse", 0, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0x40, 1 }, { "deferred", 0, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0x80, 1 }, { "bad_flags", 0, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0x1000, 1 },
        { "ch3", 0, 64, 32, 0, CU_AD_FORMAT_FLOAT, 3, 0, 1 }, { "format_0", 0, 64, 32, 0, 0, 1, 0, 1 }, { "nv12", 0, 64, 32, 0, CU_AD_FORMAT_NV12, 3, 0, 1 }, { "bc1", 0, 64, 64, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 1 }, { "bc7", 0, 64, 64, 0, CU_AD_FORMAT_BC7_UNORM, 4, 0, 3 },
        { "w0", 0, 0, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "large", 0, 1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "too_large", 0, 2048, 1024, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "huge", 0, 1 << 20, 1024, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
        { "off_1", 1, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_256", 256, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_512", 512, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_4096", 4096, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_64k", 65536, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_end", MB(4), 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_last", MB(4) - 65536, 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 }, { "off_behind", MB(8), 64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1 },
    };
    for (int i = 0; i < NELEM(t); i++) CASE("%s", t[i].n) {
        x = mem_in(MB(4), &n); memset(&md, 0, sizeof md); md.offset = t[i].o; md.numLevels = t[i].lv; md.arrayDesc.Width = t[i].w; md.arrayDesc.Height = t[i].h; md.arrayDesc.Depth = t[i].d; md.arrayDesc.Format = (CUarray_format)t[i].f; md.arrayDesc.NumChannels = t[i].c; md.arrayDesc.Flags = t[i].fl;
        POISON(a); CUresult r = CALL(cuExternalMemoryGetMappedMipmappedArray, (&a, x, &md), "%s", t[i].n); o_handle("a", &a);
        if (!r) {
            CUarray l; POISON(l); CUDA_ARRAY3D_DESCRIPTOR ad; o_ret("level", D.cuMipmappedArrayGetLevel(&l, a, 0)); memset(&ad, 0, sizeof ad); o_ret("desc", D.cuArray3DGetDescriptor(&ad, l)); o_int("w", (long long)ad.Width); o_int("h", (long long)ad.Height); o_int("d", (long long)ad.Depth); o_hex("flags", ad.Flags); CUarray l2; POISON(l2); o_ret("last", D.cuMipmappedArrayGetLevel(&l2, a, t[i].lv - 1)); o_ret("beyond", D.cuMipmappedArrayGetLevel(&l2, a, t[i].lv));
            o_ret("array_destroy", D.cuArrayDestroy(l)); CUmipmappedArray b; POISON(b); o_ret("second", D.cuExternalMemoryGetMappedMipmappedArray(&b, x, &md)); if (b && touch_ok(&b)) D.cuMipmappedArrayDestroy(b);
            CUDA_ARRAY_MEMORY_REQUIREMENTS q; memset(&q, 0, sizeof q); o_ret("req", D.cuMipmappedArrayGetMemoryRequirements(&q, a, 0));
            if (t[i].fl == 0 && t[i].h && !t[i].d && t[i].w <= 1024 && t[i].c != 3 && t[i].f < 64) { size_t row = t[i].w * 4; unsigned char *p = xpat(row * t[i].h, 3), *k = xmalloc(row * t[i].h); CUDA_MEMCPY2D c; memset(&c, 0, sizeof c); c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = p; c.srcPitch = row; c.dstMemoryType = CU_MEMORYTYPE_ARRAY; c.dstArray = l; c.WidthInBytes = row; c.Height = t[i].h; o_ret("put", D.cuMemcpy2D(&c)); memset(&c, 0, sizeof c); c.dstMemoryType = CU_MEMORYTYPE_HOST; c.dstHost = k; c.dstPitch = row; c.srcMemoryType = CU_MEMORYTYPE_ARRAY; c.srcArray = l; c.WidthInBytes = row; c.Height = t[i].h; o_ret("back", D.cuMemcpy2D(&c)); o_match("same", k, p, row * t[i].h); free(p); free(k); }
            o_ret("mip_destroy", D.cuMipmappedArrayDestroy(a));
        }
        o_ret("destroy", D.cuDestroyExternalMemory(x));
    }
    CASE("null") { x = mem_in(MB(4), &n); memset(&md, 0, sizeof md); md.numLevels = 1; md.arrayDesc.Width = 8; md.arrayDesc.Format = CU_AD_FORMAT_FLOAT; md.arrayDesc.NumChannels = 1; CALL(cuExternalMemoryGetMappedMipmappedArray, (NULL, x, &md), "out NULL"); o_ret("desc", D.cuExternalMemoryGetMappedMipmappedArray(&a, x, NULL)); o_ret("destroy", D.cuDestroyExternalMemory(x)); }
    CASE("reserved") { x = mem_in(MB(4), &n); memset(&md, 0, sizeof md); md.numLevels = 1; md.arrayDesc.Width = 8; md.arrayDesc.Format = CU_AD_FORMAT_FLOAT; md.arrayDesc.NumChannels = 1; memset(md.reserved, 1, sizeof md.reserved); POISON(a); CALL(cuExternalMemoryGetMappedMipmappedArray, (&a, x, &md), "reserved not 0"); o_handle("a", &a); }
    CASE("kept_after_destroy") { x = mem_in(MB(4), &n); memset(&md, 0, sizeof md); md.numLevels = 1; md.arrayDesc.Width = 64; md.arrayDesc.Height = 32; md.arrayDesc.Format = CU_AD_FORMAT_FLOAT; md.arrayDesc.NumChannels = 1; a = NULL; OK(D.cuExternalMemoryGetMappedMipmappedArray(&a, x, &md)); CALL(cuDestroyExternalMemory, (x), "while mapped as an array"); CUarray l = NULL; o_ret("level", D.cuMipmappedArrayGetLevel(&l, a, 0)); CUDA_ARRAY3D_DESCRIPTOR ad; o_ret("desc", D.cuArray3DGetDescriptor(&ad, l)); o_ret("mip_destroy", D.cuMipmappedArrayDestroy(a)); }
}
const group_t shared_groups[] = { { "timeline", g_timeline, G_CTX, 4000, 0 }, { "binary", g_binary, G_CTX, 4000, 0 }, { "memory", g_memory, G_CTX, 0, 0 }, { "levels", g_levels, G_CTX, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
const area_t area_shared = { "shared", shared_groups, 0, "memory and semaphores of Vulkan, or memory files" };
