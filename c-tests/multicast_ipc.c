/* A multicast object of several processes, each with a device of its own, as libraries for collective operations make one: the
 * first process makes it, the others import its descriptor, each adds its device and binds memory. Then each reduces its part of
 * what all have and writes it to all, by one instruction each. */
#include "check.h"
#include "descriptors.h"
#include <stdint.h>
#include <sys/socket.h>

enum { RANKS = 3, WORDS = 3 * 1024 };
#define SIZE ((size_t)4 << 20)

typedef CUmemGenericAllocationHandle handle;
static int rank, before[2], behind[RANKS][2];

static const char text[] = ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 from, .param .u32 to) {\n"
    ".reg .b64 %a<3>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .pred %p;\n"
    "ld.param.u64 %a0, [p]; ld.param.u32 %r0, [from]; ld.param.u32 %r1, [to]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
    "mad.lo.u32 %r2, %r3, %r4, %r2; mad.lo.u32 %r0, %r2, 4, %r0; setp.ge.u32 %p, %r0, %r1; @%p bra E;\n"
    "mul.wide.u32 %a1, %r0, 4; add.u64 %a1, %a0, %a1;\n"
    "multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%a1];\n"
    "multimem.st.relaxed.sys.global.v4.f32 [%a1], {%f0, %f1, %f2, %f3};\nE: ret; }\n"
    ".visible .entry poke(.param .u64 p) {\n.reg .b64 %a0;\nld.param.u64 %a0, [p];\nmultimem.red.release.sys.global.add.u32 [%a0], 1;\nret; }\n";

/* All come here before one goes on: each tells the parent, and hears of it. */
static void meet(void)
{
    char c = 'x';
    if (write(before[1], &c, 1) != 1 || read(behind[rank][0], &c, 1) != 1) exit(3);
}

static void member(int channel[RANKS][2])
{
    CUcontext context;
    CUdeviceptr own, team;
    handle object, memory;
    CUmemAccessDesc access;
    CUmulticastObjectProp prop;
    CUmemAllocationProp p;
    CUmodule module;
    CUfunction f, poke;
    char number[4];
    int able = 0, fd = -1;
    limit_time(120);
    sprintf(number, "%d", rank);
    setenv("DOPPEL_DEVICES", "3", 0);
    setenv("CUDA_VISIBLE_DEVICES", number, 1);
    OK(cuInit(0));
    OK(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    if (!able) _exit(SKIPPED);
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    memset(&prop, 0, sizeof prop);
    prop.numDevices = RANKS;
    prop.size = SIZE;
    prop.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    if (rank == 0) {
        OK(cuMulticastCreate(&object, &prop));
        OK(cuMemExportToShareableHandle(&fd, object, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
        for (int r = 1; r < RANKS; r++) send_descriptor(channel[r][0], fd);
    } else {
        fd = receive_descriptor(channel[rank][1]);
        OK(cuMemImportFromShareableHandle(&object, (void *)(size_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    }
    close(fd);
    OK(cuMulticastAddDevice(object, 0));
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    OK(cuMemCreate(&memory, SIZE, &p, 0));
    /* Waits for the others' devices. */
    OK(cuMulticastBindMem(object, 0, memory, 0, SIZE, 0));
    memset(&access, 0, sizeof access);
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemAddressReserve(&own, SIZE, 0, 0, 0));
    OK(cuMemMap(own, SIZE, 0, memory, 0));
    OK(cuMemSetAccess(own, SIZE, &access, 1));
    OK(cuMemAddressReserve(&team, SIZE, 0, 0, 0));
    OK(cuMemMap(team, SIZE, 0, object, 0));
    OK(cuMemSetAccess(team, SIZE, &access, 1));
    OK(cuMemRelease(memory));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&f, module, "k"));
    OK(cuModuleGetFunction(&poke, module, "poke"));
    static float values[WORDS];
    for (int i = 0; i < WORDS; i++) values[i] = (float)(i * (rank + 1) % 1000) + 0.25f;
    OK(cuMemcpyHtoD(own, values, sizeof values));
    OK(cuMemsetD32(own + SIZE - 64, 0, 16));
    OK(cuCtxSynchronize());
    meet();
    unsigned from = WORDS / RANKS * (unsigned)rank, to = from + WORDS / RANKS;
    void *arguments[] = { &team, &from, &to };
    OK(cuLaunchKernel(f, 4, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
    CUdeviceptr last = team + SIZE - 64;
    void *pokes[] = { &last };
    OK(cuLaunchKernel(poke, 2, 1, 1, 32, 1, 1, 0, NULL, pokes, NULL));
    OK(cuCtxSynchronize());
    meet();
    OK(cuMemcpyDtoH(values, own, sizeof values));
    unsigned pokes_seen = 0, wrong = 0;
    OK(cuMemcpyDtoH(&pokes_seen, own + SIZE - 64, 4));
    for (int i = 0; i < WORDS; i++) {
        float sum = 0;
        for (int r = 0; r < RANKS; r++) sum = r ? sum + ((float)(i * (r + 1) % 1000) + 0.25f) : (float)(i * (r + 1) % 1000) + 0.25f;
        wrong += sum != values[i];
    }
    for (int r = 0; r < RANKS; r++) {
        if (r == rank) printf("rank %d: %u wrong sums, %u additions\n", rank, wrong, pokes_seen);
        fflush(stdout);
        meet();
    }
    /* A copy goes to all processes. */
    if (rank == 1) OK(cuMemsetD32(team + 4096, 4711, 4));
    OK(cuCtxSynchronize());
    meet();
    unsigned word = 0;
    OK(cuMemcpyDtoH(&word, own + 4096 + 12, 4));
    if (word != 4711) printf("rank %d: %u, not 4711\n", rank, word);
    meet();
    /* One takes its memory away: nobody finds a whole team any more. */
    if (rank == 2) OK(cuMulticastUnbind(object, 0, 0, SIZE));
    meet();
    if (rank == 0) {
        pokes[0] = &team;
        OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, NULL, pokes, NULL));
        SHOW(cuCtxSynchronize());
    } else {
        OK(cuMemUnmap(team, SIZE));
        OK(cuMemRelease(object));
        OK(cuMemUnmap(own, SIZE));
        OK(cuMemAddressFree(own, SIZE));
        OK(cuMemAddressFree(team, SIZE));
    }
    fflush(stdout);
    meet();
}

int main(void)
{
    int channel[RANKS][2], status, result = 0;
    char c;
    pid_t children[RANKS];
    if (pipe(before)) return 1;
    for (int r = 0; r < RANKS; r++)
        if (pipe(behind[r]) || socketpair(AF_UNIX, SOCK_STREAM, 0, channel[r])) return 1;
    for (rank = 0; rank < RANKS; rank++) {
        fflush(stdout);
        children[rank] = fork();
        if (children[rank] == 0) {
            close(before[0]);
            for (int r = 0; r < RANKS; r++) close(behind[r][1]);
            member(channel);
            exit(0);
        }
    }
    close(before[1]);
    for (int came = 0; read(before[0], &c, 1) == 1;) {
        if (++came < RANKS) continue;
        for (; came > 0; came--)
            if (write(behind[came - 1][1], &c, 1) != 1) return 3;
    }
    for (int r = 0; r < RANKS; r++) {
        waitpid(children[r], &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) result = SKIPPED;
        else if (status) printf("rank %d: status %d\n", r, status);
    }
    if (result) skip("needs three devices with multicast objects");
    return 0;
}
