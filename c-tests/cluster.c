/* Clusters: which launches are taken, how many fit, and blocks that reach each other's shared memory. */
#include "check.h"

#define HEAD ".version 8.1\n.target sm_90\n.address_size 64\n"
static const char text[] = HEAD
    /* Each block leaves a word, reads that of the next one and sends it bytes. */
    ".visible .entry ring(.param .u64 o) {\n"
    ".reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<5>; .shared .u32 word; .shared .align 16 .b8 got[16];\n"
    ".shared .align 8 .b64 bar;\n"
    "ld.param.u64 %rd1, [o]; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %tid.x;\n"
    "mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ctaid.y; mov.u32 %r7, %nctaid.x; mad.lo.u32 %r6, %r6, %r7, %r5;\n"
    "setp.ne.u32 %p1, %r3, 0; @%p1 bra A; add.u32 %r4, %r6, 100; st.shared.u32 [word], %r4;\n"
    "mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 8;\n"
    "A: barrier.cluster.arrive; barrier.cluster.wait; @%p1 bra W;\n"
    "add.u32 %r8, %r1, 1; rem.u32 %r8, %r8, %r2; mapa.shared::cluster.u32 %r9, word, %r8;\n"
    "ld.shared::cluster.u32 %r10, [%r9]; getctarank.shared::cluster.u32 %r11, %r9;\n"
    "mapa.shared::cluster.u32 %r12, got, %r8; mapa.shared::cluster.u32 %r13, bar, %r8;\n"
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r12], {%r1, %r6}, [%r13];\n"
    "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W; @%p1 bra E;\n"
    "ld.shared.v2.u32 {%r14, %r15}, [got]; mul.wide.u32 %rd2, %r6, 32; add.u64 %rd2, %rd1, %rd2;\n"
    "mov.u32 %r16, %clusterid.x; mov.u32 %r17, %nclusterid.x; mov.pred %p2, %is_explicit_cluster; selp.u32 %r18, 1, 0, %p2;\n"
    "st.global.v4.u32 [%rd2], {%r10, %r11, %r14, %r15}; st.global.v4.u32 [%rd2+16], {%r16, %r17, %r18, %r2};\n"
    "E: barrier.cluster.arrive; barrier.cluster.wait; ret; }\n"
    ".visible .entry fixed() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n"
    ".visible .entry plain() { ret; }\n";

static CUmodule module;
static CUfunction function(const char *what)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, what));
    return f;
}

static CUresult launch(CUfunction f, unsigned gx, unsigned gy, unsigned threads, unsigned x, unsigned y, unsigned z, void **args)
{
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    a.value.clusterDim.x = x;
    a.value.clusterDim.y = y;
    a.value.clusterDim.z = z;
    CUlaunchConfig c = {.gridDimX = gx, .gridDimY = gy, .gridDimZ = 1, .blockDimX = threads, .blockDimY = 1, .blockDimZ = 1,
                        .attrs = &a, .numAttrs = 1};
    CUresult r = cuLaunchKernelEx(&c, f, args, 0);
    if (!r) r = cuCtxSynchronize();
    return r;
}

static void ring(unsigned gx, unsigned gy, unsigned x, unsigned y)
{
    static unsigned words[64][8];
    CUdeviceptr o;
    OK(cuMemAlloc(&o, sizeof words));
    OK(cuMemsetD8(o, 0, sizeof words));
    printf("ring %ux%u in clusters of %ux%u: %s\n", gx, gy, x, y, full_name(launch(function("ring"), gx, gy, 40, x, y, 1, (void *[]){&o})));
    OK(cuMemcpyDtoH(words, o, sizeof words));
    for (unsigned b = 0; b < gx * gy; b++) {
        for (int i = 0; i < 8; i++) printf("%u ", words[b][i]);
        printf(b % 4 == 3 ? "\n" : "| ");
    }
    printf("\n");
    OK(cuMemFree(o));
}

static const char *taken(CUresult r)
{
    return r ? "refused" : "taken";
}

static void refusals(void)
{
    CUfunction p = function("plain"), f = function("fixed");
    static const unsigned shapes[][4] = {{8, 1, 1, 1}, {8, 2, 1, 1}, {8, 8, 1, 1}, {16, 16, 1, 1}, {32, 32, 1, 1}, {9, 2, 1, 1}, {8, 3, 1, 1}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const unsigned *s = shapes[i];
        printf("grid %u cluster %u %u %u: %s\n", s[0], s[1], s[2], s[3], taken(launch(p, s[0], 1, 32, s[1], s[2], s[3], 0)));
    }
    printf("fixed: %s %s\n", taken(launch(f, 8, 1, 32, 2, 1, 1, 0)), taken(launch(f, 8, 1, 32, 4, 1, 1, 0)));
    printf("fixed without saying: %s\n", taken(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, 0, 0, 0)));
    OK(cuFuncSetAttribute(p, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    printf("16 blocks: %s\n", taken(launch(p, 16, 1, 32, 16, 1, 1, 0)));
    int v;
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, f));
    printf("must be set: %d", v);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, f));
    printf(" %d\n", v);
    OK(cuCtxSynchronize());
}

/* How many clusters fit depends on how multiprocessors are grouped in a device: only what does not is shown. */
static void occupancy(void)
{
    CUfunction p = function("ring");
    for (unsigned size = 1; size <= 8; size *= 2) {
        CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
        a.value.clusterDim.x = size;
        a.value.clusterDim.y = a.value.clusterDim.z = 1;
        CUlaunchConfig c = {.gridDimX = 64, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1024, .blockDimY = 1, .blockDimZ = 1,
                            .attrs = &a, .numAttrs = 1};
        int n = -1, m = -1;
        OK(cuOccupancyMaxActiveClusters(&n, p, &c));
        OK(cuOccupancyMaxPotentialClusterSize(&m, p, &c));
        printf("clusters of %u: %s, largest %d\n", size, n > 0 ? "some" : "none", m);
    }
}

int main(void)
{
    CUcontext ctx;
    CUdevice device;
    int clusters = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetAttribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, device));
    if (!clusters) skip("no clusters");
    OK(cuDevicePrimaryCtxRetain(&ctx, device));
    OK(cuCtxSetCurrent(ctx));
    OK(cuModuleLoadData(&module, text));
    ring(8, 1, 4, 1);
    ring(8, 1, 2, 1);
    ring(4, 4, 2, 2);
    ring(2, 1, 1, 1);
    refusals();
    occupancy();
    return 0;
}
