// The sizes that crates/cudart/src/types.rs and properties.rs test for, against NVIDIA's headers.
#include <cuda_runtime_api.h>
#include <stddef.h>

#define SIZE(type, n) _Static_assert(sizeof(type) == (n), #type)
#define BOTH(twelve, thirteen) (CUDART_VERSION < 13000 ? (twelve) : (thirteen))

SIZE(struct cudaChannelFormatDesc, 20);
SIZE(struct cudaExtent, 24);
SIZE(struct cudaPitchedPtr, 32);
SIZE(struct cudaMemcpy3DParms, 160);
SIZE(struct cudaMemcpy3DPeerParms, 168);
SIZE(struct cudaTextureDesc, 72);
SIZE(struct cudaFuncAttributes, 144);
SIZE(struct cudaKernelNodeParams, 56);
SIZE(struct cudaMemsetParams, 40);
SIZE(cudaLaunchConfig_t, 56);
SIZE(struct cudaMemLocation, 8);
SIZE(cudaIpcMemHandle_t, 64);
SIZE(struct cudaPointerAttributes, BOTH(24, 88));
SIZE(struct cudaResourceDesc, BOTH(64, 144));
SIZE(struct cudaResourceViewDesc, BOTH(48, 112));
SIZE(struct cudaExternalMemoryMipmappedArrayDesc, BOTH(64, 128));
SIZE(struct cudaDeviceProp, BOTH(1032, 1008));
_Static_assert(offsetof(struct cudaDeviceProp, hostRegisterSupported) == BOTH(728, 704), "hostRegisterSupported");
_Static_assert(offsetof(struct cudaResourceDesc, res.pitch2D.width) == 40, "width");
_Static_assert(offsetof(struct cudaTextureDesc, borderColor) == 24, "borderColor");
_Static_assert(offsetof(cudaLaunchConfig_t, stream) == 32, "stream");
