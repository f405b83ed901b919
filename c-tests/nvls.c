/* What libraries for collective operations do with the multicast objects of a switch: four ranks, each with a device, put their
 * memory behind one address; then kernels that run on all devices at once meet at flags there, reduce their parts of what all
 * have by one load each, and write them to all by one store each. As one process with a thread for each rank, as one with a thread for
 * all of them, and as a process for each, which hand on the object by its descriptor. */
#include "check.h"
#include "descriptors.h"
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { RANKS = 4, BLOCKS = 3, THREADS = 64, CHUNKS = 4 * 1000, BYTES = CHUNKS * 16 };
/* In the object: what is reduced, what is gathered, and a flag for each block. */
#define SIZE ((size_t)2 << 20)
#define GATHERED ((size_t)512 << 10)
#define FLAGS ((size_t)1 << 20)

typedef CUmemGenericAllocationHandle handle;

static const struct type {
    const char *name, *load, *store, *registers;
    int size, floating;
} types[] = {
#define FOUR(type, what, class) #type, "multimem.ld_reduce.relaxed.sys.global." what " {%v0, %v1, %v2, %v3}, [%a];", \
    "multimem.st.relaxed.sys.global.v4." #type " [%a], {%v0, %v1, %v2, %v3};", ".reg ." class " %v<4>;"
#define EACH(type, what, class) #type, "multimem.ld_reduce.relaxed.sys.global." what "." #type " %v0, [%a]; multimem.ld_reduce.relaxed.sys.global." what "." #type " %v1, [%a+8];", \
    "multimem.st.relaxed.sys.global." #type " [%a], %v0; multimem.st.relaxed.sys.global." #type " [%a+8], %v1;", ".reg ." class " %v<2>;"
    { FOUR(f32, "add.v4.f32", "f32"), 4, 1 },
    { FOUR(f16x2, "add.acc::f32.v4.f16x2", "b32"), 2, 1 },
    { FOUR(bf16x2, "add.acc::f32.v4.bf16x2", "b32"), 2, 2 },
    { EACH(f64, "add", "f64"), 8, 1 },
    { EACH(u64, "add", "b64"), 8, 0 },
    { EACH(s64, "max", "b64"), 8, 3 },
};
enum { TYPES = sizeof types / sizeof *types };

/* Meets the other ranks' blocks of the same number: adds to the flag of all, waits for its own. */
#define MEET(label) "bar.sync 0; add.u32 %%target, %%target, %%ranks; @%%other bra " label "D; multimem.red.release.sys.global.add.u32 [%%all], 1;\n" \
    label ": ld.acquire.sys.global.u32 %%r, [%%own]; setp.lt.u32 %%p, %%r, %%target; @%%p bra " label ";\n" label "D: bar.sync 0;\n"

/* The parts of each rank follow each other; threads of all blocks take chunks of 16 bytes in turn. */
static const char skeleton[] = ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 team, .param .u64 memory, .param .u32 rank, .param .u32 before) {\n"
    ".reg .b64 %%a, %%own, %%all, %%x, %%to, %%from; .reg .b32 %%r, %%i, %%end, %%target, %%ranks, %%step, %%block; .reg .f32 %%f<4>; .reg .pred %%p, %%other; %s\n"
    "ld.param.u64 %%all, [team]; ld.param.u64 %%own, [memory]; mov.u64 %%to, %%all; mov.u64 %%from, %%own; mov.u32 %%ranks, %d;\n"
    "mov.u32 %%block, %%ctaid.x; mul.wide.u32 %%x, %%block, 4; add.u64 %%x, %%x, %d; add.u64 %%all, %%all, %%x; add.u64 %%own, %%own, %%x;\n"
    "ld.param.u32 %%target, [before]; mov.u32 %%r, %%tid.x; setp.ne.u32 %%other, %%r, 0;\n" MEET("A")
    "ld.param.u32 %%i, [rank]; mul.lo.u32 %%i, %%i, %d; add.u32 %%end, %%i, %d; mov.u32 %%r, %%tid.x; mov.u32 %%step, %%ntid.x; mad.lo.u32 %%r, %%block, %%step, %%r; add.u32 %%i, %%i, %%r;\n"
    "mov.u32 %%r, %%nctaid.x; mul.lo.u32 %%step, %%step, %%r;\n"
    "L: setp.ge.u32 %%p, %%i, %%end; @%%p bra E; mul.wide.u32 %%x, %%i, 16; add.u64 %%a, %%from, %%x; ld.global.v4.f32 {%%f0, %%f1, %%f2, %%f3}, [%%a];\n"
    "add.u64 %%a, %%to, %%x; multimem.st.relaxed.sys.global.v4.f32 [%%a+%d], {%%f0, %%f1, %%f2, %%f3};\n%s\n%s\nadd.u32 %%i, %%i, %%step; bra L;\nE:\n" MEET("B")
    "ret; }\n";

/* What the ranks share, threads and processes alike. */
static struct shared {
    pthread_barrier_t barrier;
    handle object;
    int able[RANKS];
    unsigned wrong[2][RANKS][TYPES];
    unsigned long long flags[RANKS];
} *shared;
static int channel[RANKS][2], processes;

static void meet(void) { pthread_barrier_wait(&shared->barrier); }

static uint64_t element(const struct type *t, int rank, int i)
{
    int whole = t->floating == 2 ? i % 13 + rank : (i * (rank + 3)) % 201 + rank;
    if (t->floating == 3) return (uint64_t)((int64_t)(i % 1009) * (rank % 2 ? -77777777777 : 88888888888) - rank);
    if (t->floating == 0) return (uint64_t)whole * 0x123456789abcull;
    double d = whole;
    float f = (float)whole;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &f, 4);
    memcpy(&wide, &d, 8);
    if (t->size == 8) return wide;
    if (t->size == 4) return bits;
    if (t->floating == 2) return bits >> 16;
    return bits ? ((bits >> 13) - ((127 - 15) << 10)) & 0xffff : 0;
}
static uint64_t reduced(const struct type *t, int i)
{
    uint64_t all[RANKS], sum = 0;
    for (int r = 0; r < RANKS; r++) all[r] = element(t, r, i);
    if (t->floating == 3) {
        sum = all[0];
        for (int r = 1; r < RANKS; r++) if ((int64_t)all[r] > (int64_t)sum) sum = all[r];
        return sum;
    }
    if (t->floating == 0) {
        for (int r = 0; r < RANKS; r++) sum += all[r];
        return sum;
    }
    /* All sums are whole numbers that the type has. */
    int whole = 0;
    for (int r = 0; r < RANKS; r++) whole += t->floating == 2 ? i % 13 + r : (i * (r + 3)) % 201 + r;
    double d = whole;
    float f = (float)whole;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if (t->size == 8) memcpy(&sum, &d, 8);
    else if (t->size == 4) sum = bits;
    else if (t->floating == 2) sum = bits >> 16;
    else sum = bits ? ((bits >> 13) - ((127 - 15) << 10)) & 0xffff : 0;
    return sum;
}

/* One rank: its device, its memory, the team's address. */
struct rank {
    int rank, device;
    CUcontext context;
    handle object, memory;
    CUdeviceptr own, team;
    CUmodule modules[TYPES];
    CUfunction f[TYPES];
};

static CUdeviceptr mapped(handle h, int device)
{
    CUdeviceptr at;
    CUmemAccessDesc access;
    memset(&access, 0, sizeof access);
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemAddressReserve(&at, SIZE, 0, 0, 0));
    OK(cuMemMap(at, SIZE, 0, h, 0));
    OK(cuMemSetAccess(at, SIZE, &access, 1));
    return at;
}

static int has_multicast(struct rank *self)
{
    int able = 0, count = 0;
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    if (count <= self->device) return 0;
    OK(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, self->device));
    return able;
}
static void make_object(void)
{
    CUmulticastObjectProp prop;
    memset(&prop, 0, sizeof prop);
    prop.numDevices = RANKS;
    prop.size = SIZE;
    prop.handleTypes = processes ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0;
    OK(cuMulticastCreate(&shared->object, &prop));
}
static void join_team(struct rank *self)
{
    OK(cuDevicePrimaryCtxRetain(&self->context, self->device));
    OK(cuCtxSetCurrent(self->context));
    OK(cuMulticastAddDevice(self->object, self->device));
}
static void bind_memory(struct rank *self)
{
    CUmemAllocationProp p;
    char text[8000];
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = self->device;
    p.requestedHandleTypes = processes ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0;
    OK(cuCtxSetCurrent(self->context));
    OK(cuMemCreate(&self->memory, SIZE, &p, 0));
    OK(cuMulticastBindMem(self->object, 0, self->memory, 0, SIZE, 0));
    self->own = mapped(self->memory, self->device);
    self->team = mapped(self->object, self->device);
    for (int t = 0; t < TYPES; t++) {
        snprintf(text, sizeof text, skeleton, types[t].registers, RANKS, (int)FLAGS, CHUNKS / RANKS, CHUNKS / RANKS, (int)GATHERED, types[t].load, types[t].store);
        OK(cuModuleLoadData(&self->modules[t], text));
        OK(cuModuleGetFunction(&self->f[t], self->modules[t], "k"));
    }
    OK(cuMemsetD8(self->own, 0, SIZE));
    OK(cuCtxSynchronize());
}
static void fill(struct rank *self, int t)
{
    static __thread unsigned char values[BYTES];
    OK(cuCtxSetCurrent(self->context));
    for (int i = 0; i < BYTES / types[t].size; i++) {
        uint64_t v = element(&types[t], self->rank, i);
        memcpy(values + i * types[t].size, &v, (size_t)types[t].size);
    }
    OK(cuMemcpyHtoD(self->own, values, BYTES));
    OK(cuCtxSynchronize());
}
static void launch(struct rank *self, int t)
{
    unsigned before = (unsigned)t * 2 * RANKS;
    void *arguments[] = { &self->team, &self->own, &self->rank, &before };
    OK(cuCtxSetCurrent(self->context));
    OK(cuLaunchKernel(self->f[t], BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
}
static void compare(struct rank *self, int t)
{
    static __thread unsigned char values[BYTES];
    OK(cuCtxSetCurrent(self->context));
    OK(cuCtxSynchronize());
    for (int which = 0; which < 2; which++) {
        unsigned wrong = 0;
        OK(cuMemcpyDtoH(values, self->own + (which ? GATHERED : 0), BYTES));
        int size = types[t].size, part = BYTES / size / RANKS;
        for (int i = 0; i < BYTES / size; i++) {
            uint64_t v = which ? element(&types[t], i / part, i) : reduced(&types[t], i);
            wrong += memcmp(values + i * size, &v, (size_t)size) != 0;
        }
        shared->wrong[which][self->rank][t] = wrong;
    }
    OK(cuMemcpyDtoH(&shared->flags[self->rank], self->own + FLAGS, 8));
}
static void leave(struct rank *self)
{
    OK(cuCtxSetCurrent(self->context));
    for (int t = 0; t < TYPES; t++) OK(cuModuleUnload(self->modules[t]));
    OK(cuMemUnmap(self->team, SIZE));
    OK(cuMemUnmap(self->own, SIZE));
    OK(cuMemAddressFree(self->team, SIZE));
    OK(cuMemAddressFree(self->own, SIZE));
    OK(cuMulticastUnbind(self->object, self->device, 0, SIZE));
    OK(cuMemRelease(self->memory));
}

static void *member(void *argument)
{
    struct rank self = { .rank = (int)(intptr_t)argument };
    self.device = processes ? 0 : self.rank;
    shared->able[self.rank] = has_multicast(&self);
    meet();
    for (int r = 0; r < RANKS; r++) if (!shared->able[r]) return NULL;
    if (self.rank == 0) make_object();
    meet();
    if (processes) {
        int fd = -1;
        if (self.rank == 0) {
            OK(cuMemExportToShareableHandle(&fd, shared->object, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
            for (int r = 1; r < RANKS; r++) send_descriptor(channel[r][0], fd);
            self.object = shared->object;
        } else {
            fd = receive_descriptor(channel[self.rank][1]);
            OK(cuMemImportFromShareableHandle(&self.object, (void *)(size_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
        }
        close(fd);
    } else {
        self.object = shared->object;
    }
    join_team(&self);
    bind_memory(&self);
    meet();
    for (int t = 0; t < TYPES; t++) {
        fill(&self, t);
        meet();
        launch(&self, t);
        compare(&self, t);
        meet();
    }
    leave(&self);
    meet();
    if (processes || self.rank == 0) OK(cuMemRelease(self.object));
    return NULL;
}

static int all_able(void)
{
    for (int r = 0; r < RANKS; r++) if (!shared->able[r]) return 0;
    return 1;
}
static void report(void)
{
    for (int t = 0; t < TYPES; t++) {
        unsigned wrong[2] = { 0, 0 };
        for (int which = 0; which < 2; which++) for (int r = 0; r < RANKS; r++) wrong[which] += shared->wrong[which][r][t];
        printf("%s: %u wrong in what was reduced, %u in what was gathered, of %d on each of %d ranks\n", types[t].name, wrong[0], wrong[1], BYTES / types[t].size, RANKS);
    }
    for (int r = 0; r < RANKS; r++) printf("rank %d: flags %llu %llu\n", r, shared->flags[r] & 0xffffffff, shared->flags[r] >> 32);
}

static void prepare(int apart)
{
    pthread_barrierattr_t attributes;
    processes = apart;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) exit(3);
    memset(shared->wrong, 0xff, sizeof shared->wrong);
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->barrier, &attributes, RANKS);
    limit_time(200);
    setenv("DOPPEL_DEVICES", "4", 0);
}

static void threads(void)
{
    pthread_t all[RANKS];
    prepare(0);
    for (int r = 0; r < RANKS; r++) if (pthread_create(&all[r], NULL, member, (void *)(intptr_t)r)) exit(3);
    for (int r = 0; r < RANKS; r++) pthread_join(all[r], NULL);
    if (!all_able()) skip("needs four devices with multicast objects");
    report();
}
/* As a program that launches for all ranks in a group: nobody waits before all are launched. */
static void group(void)
{
    static struct rank all[RANKS];
    prepare(0);
    for (int r = 0; r < RANKS; r++) {
        all[r].rank = all[r].device = r;
        if (!has_multicast(&all[r])) skip("needs four devices with multicast objects");
    }
    make_object();
    for (int r = 0; r < RANKS; r++) {
        all[r].object = shared->object;
        join_team(&all[r]);
    }
    for (int r = 0; r < RANKS; r++) bind_memory(&all[r]);
    for (int t = 0; t < TYPES; t++) {
        for (int r = 0; r < RANKS; r++) fill(&all[r], t);
        for (int r = 0; r < RANKS; r++) launch(&all[r], t);
        for (int r = 0; r < RANKS; r++) compare(&all[r], t);
    }
    for (int r = 0; r < RANKS; r++) leave(&all[r]);
    OK(cuMemRelease(shared->object));
    report();
}
static void several(void)
{
    pid_t children[RANKS];
    int status;
    char number[4];
    prepare(1);
    for (int r = 0; r < RANKS; r++) if (socketpair(AF_UNIX, SOCK_STREAM, 0, channel[r])) exit(3);
    for (int r = 0; r < RANKS; r++) {
        fflush(stdout);
        children[r] = fork();
        if (children[r] == 0) {
            limit_time(200);
            sprintf(number, "%d", r);
            setenv("CUDA_VISIBLE_DEVICES", number, 1);
            member((void *)(intptr_t)r);
            exit(0);
        }
    }
    for (int r = 0; r < RANKS; r++) {
        waitpid(children[r], &status, 0);
        if (status) printf("rank %d: status %d\n", r, status);
    }
    if (!all_able()) skip("needs four devices with multicast objects");
    report();
}

int main(void)
{
    apart("a thread for each rank", threads);
    apart("one thread", group);
    apart("a process for each rank", several);
    return 0;
}
