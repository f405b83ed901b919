# The default device: compute capability 9.0 with an H200's attributes and limits, under our own name.
# `memory = host` is what the host could back. What is not listed comes from the base.
base = h200
name = Doppel CPU device
memory = host
reserved = 0
kept = 0
decompression = deflate snappy lz4
MEM_DECOMPRESS_ALGORITHM_MASK = 7
MEM_DECOMPRESS_MAXIMUM_LENGTH = 4194304
fabric = host

# Capabilities of an H200 that this device does not have are not advertised.
COMPUTE_PREEMPTION_SUPPORTED = 0
GENERIC_COMPRESSION_SUPPORTED = 0
MAX_PERSISTING_L2_CACHE_SIZE = 0
MAX_ACCESS_POLICY_WINDOW_SIZE = 0
GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 0
GPU_DIRECT_RDMA_SUPPORTED = 0
GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 0
GPU_DIRECT_RDMA_WRITES_ORDERING = 0
TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 0
MEM_SYNC_DOMAIN_COUNT = 1
UNIFIED_FUNCTION_POINTERS = 0
MULTICAST_SUPPORTED = 0
