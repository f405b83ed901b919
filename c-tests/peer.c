/* Access between devices, over all pairs of different ones; with a single device nothing is there to go wrong. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 16
#define CHECK(condition) do { if (!(condition)) { ok = 0; fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); } } while (0)

int main(void)
{
    int n = 0, v, ok = 1;
    CUcontext context[MOST];
    setenv("DOPPEL_DEVICES", "3", 0);
    if (cuInit(0) || cuDeviceGetCount(&n) || n < 1) return 1;
    if (n > MOST) n = MOST;
    for (int i = 0; i < n; i++)
        if (cuCtxCreate_v2(&context[i], 0, i)) return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j) continue;
            int can = -1;
            CHECK(!cuDeviceCanAccessPeer(&can, i, j));
            v = -1;
            CHECK(!cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, i, j) && v == can);
            CHECK(!cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, i, j));
            CHECK(cuDeviceGetP2PAttribute(&v, (CUdevice_P2PAttribute)0, i, j) == CUDA_ERROR_INVALID_VALUE);
            CHECK(!cuCtxSetCurrent(context[i]));
            if (!can) {
                CHECK(cuCtxEnablePeerAccess(context[j], 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
                continue;
            }
            CHECK(cuCtxDisablePeerAccess(context[j]) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
            CHECK(cuCtxEnablePeerAccess(context[j], 1) == CUDA_ERROR_INVALID_VALUE);
            CHECK(!cuCtxEnablePeerAccess(context[j], 0));
            CHECK(cuCtxEnablePeerAccess(context[j], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
        }
    printf("access between all pairs: %s\n", ok ? "right" : "wrong");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j) continue;
            if (cuDeviceCanAccessPeer(&v, i, j) || !v) continue;
            CHECK(!cuCtxSetCurrent(context[i]));
            CHECK(!cuCtxDisablePeerAccess(context[j]));
            CHECK(cuCtxDisablePeerAccess(context[j]) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
        }
    printf("ended between all pairs: %s\n", ok ? "right" : "wrong");
    for (int i = 0; i < n; i++) CHECK(!cuCtxDestroy(context[i]));
    return !ok;
}
