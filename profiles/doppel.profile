# The default device: compute capability 9.0 with an H200's attributes and limits, under our own name.
# `memory = host` is what the host could back. What is not listed comes from the base.
base = h200
name = Doppel CPU device
memory = host
reserved = 0
decompression = deflate snappy lz4
MEM_DECOMPRESS_ALGORITHM_MASK = 7
MEM_DECOMPRESS_MAXIMUM_LENGTH = 4194304
fabric = host
