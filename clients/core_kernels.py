#!/usr/bin/env python3
"""Kernels through `cuda.core`, unmodified: CUDA C++ compiled by NVRTC, PTX linked by the driver, launches with arguments of
several kinds, occupancy, attributes, a graph, and an error in the code."""
import ctypes

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Linker, LinkerOptions, Program
from cuda.core import ProgramOptions, launch

SAXPY = r"""
template <typename T> __global__ void saxpy(T a, const T *x, const T *y, T *out, size_t n)
{
    size_t stride = gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = a * x[i] + y[i];
}
extern "C" __global__ void block_sums(const float *x, float *out)
{
    extern __shared__ float part[];
    part[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
"""
DEVICE_PART = r"""
extern __device__ int square(int);
extern "C" __global__ void squares(int *out) { out[threadIdx.x] = square(threadIdx.x); }
"""
OTHER_PART = "__device__ int square(int v) { return v * v; }"


def array(pinned, count, dtype):
    """A pinned buffer and NumPy's view of it."""
    buffer = pinned.allocate(count * np.dtype(dtype).itemsize)
    memory = (ctypes.c_byte * buffer.size).from_address(int(buffer.handle))
    return buffer, np.frombuffer(memory, dtype=dtype)


def main():
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    pinned = LegacyPinnedMemoryResource()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")

    program = Program(SAXPY, code_type="c++", options=options)
    module = program.compile("ptx", name_expressions=("saxpy<float>", "saxpy<double>"))
    for name, dtype, scalar in (("saxpy<float>", np.float32, ctypes.c_float), ("saxpy<double>", np.float64, ctypes.c_double)):
        kernel = module.get_kernel(name)
        count = 100_003
        (x_buffer, x), (y_buffer, y), (out_buffer, out) = (array(pinned, count, dtype) for _ in range(3))
        x[:] = np.arange(count, dtype=dtype) % 1000
        y[:] = 3
        out[:] = 0
        config = LaunchConfig(grid=64, block=128)
        launch(stream, config, kernel, scalar(2), x_buffer, y_buffer, out_buffer, ctypes.c_size_t(count))
        stream.sync()
        assert np.array_equal(out, 2 * x + y), name
        print(f"{name}: right; {kernel.attributes.max_threads_per_block} threads a block at most")

    kernel = module.get_kernel("block_sums")
    (x_buffer, x), (out_buffer, out) = array(pinned, 4096, np.float32), array(pinned, 16, np.float32)
    x[:] = np.arange(4096) % 7
    launch(stream, LaunchConfig(grid=16, block=256, shmem_size=1024), kernel, x_buffer, out_buffer)
    stream.sync()
    assert np.array_equal(out, x.reshape(16, 256).sum(axis=1))
    blocks = kernel.occupancy.max_active_blocks_per_multiprocessor(256, 1024)
    assert blocks > 0
    print(f"dynamic shared memory: right; {blocks} blocks a multiprocessor")

    parts = ProgramOptions(std="c++17", arch=f"sm_{device.arch}", relocatable_device_code=True)
    compiled = [Program(part, code_type="c++", options=parts).compile("ptx") for part in (DEVICE_PART, OTHER_PART)]
    linked = Linker(*compiled, options=LinkerOptions(arch=f"sm_{device.arch}")).link("cubin")
    out_buffer, out = array(pinned, 32, np.int32)
    launch(stream, LaunchConfig(grid=1, block=32), linked.get_kernel("squares"), out_buffer)
    stream.sync()
    assert np.array_equal(out, np.arange(32) ** 2)
    print("two modules linked: right")

    try:
        Program("__global__ void broken( { }", code_type="c++", options=options).compile("ptx")
    except Exception as problem:
        print("an error in the code:", type(problem).__name__)
    else:
        raise AssertionError("the compiler took nonsense")
    print("done")


main()
