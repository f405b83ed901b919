#!/usr/bin/env python3
"""A CUDA program written against NVIDIA's own Python bindings (`cuda-bindings`, driver module), unmodified.

Two streams, page-locked host memory, asynchronous copies in both directions, events between the streams, and a check of
every byte. Prints what it did.
"""
import ctypes
import sys

from cuda.bindings import driver as cu


def ok(result):
    error, *values = result
    if error != cu.CUresult.CUDA_SUCCESS:
        _, name = cu.cuGetErrorName(error)
        sys.exit(f"failed: {name.decode()}")
    return values[0] if len(values) == 1 else values


def main():
    ok(cu.cuInit(0))
    version = ok(cu.cuDriverGetVersion())
    device = ok(cu.cuDeviceGet(0))
    name = ok(cu.cuDeviceGetName(128, device)).split(b"\0")[0].decode()
    major = ok(cu.cuDeviceGetAttribute(cu.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
    minor = ok(cu.cuDeviceGetAttribute(cu.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
    print(f"driver {version}, device 0: {name}, compute capability {major}.{minor}")
    context = ok(cu.cuDevicePrimaryCtxRetain(device))
    ok(cu.cuCtxSetCurrent(context))

    size = 8 << 20
    first = ok(cu.cuStreamCreate(cu.CUstream_flags.CU_STREAM_NON_BLOCKING))
    second = ok(cu.cuStreamCreate(cu.CUstream_flags.CU_STREAM_NON_BLOCKING))
    begin = ok(cu.cuEventCreate(0))
    filled = ok(cu.cuEventCreate(0))
    end = ok(cu.cuEventCreate(0))
    source = ok(cu.cuMemHostAlloc(size, 0))
    target = ok(cu.cuMemHostAlloc(size, 0))
    pattern = bytes(range(251)) * (size // 251 + 1)
    ctypes.memmove(int(source), pattern, size)
    ctypes.memset(int(target), 0, size)
    a = ok(cu.cuMemAlloc(size))
    b = ok(cu.cuMemAlloc(size))

    ok(cu.cuEventRecord(begin, first))
    ok(cu.cuMemcpyHtoDAsync(a, source, size, first))
    ok(cu.cuMemsetD8Async(a, 0xEE, 4096, first))
    ok(cu.cuEventRecord(filled, first))
    ok(cu.cuStreamWaitEvent(second, filled, 0))
    ok(cu.cuMemcpyDtoDAsync(b, a, size, second))
    ok(cu.cuMemcpyDtoHAsync(target, b, size, second))
    ok(cu.cuEventRecord(end, second))
    ok(cu.cuEventSynchronize(end))
    print(f"copied {size >> 20} MiB host -> device -> device -> host on two streams"
          f" in {ok(cu.cuEventElapsedTime(begin, end)):.2f} ms of device time")

    got = ctypes.string_at(int(target), size)
    want = b"\xee" * 4096 + pattern[4096:size]
    if got != want:
        sys.exit("failed: the data that came back differs")
    print(f"all {size} bytes came back right")

    for event in (begin, filled, end):
        ok(cu.cuEventDestroy(event))
    for stream in (first, second):
        ok(cu.cuStreamDestroy(stream))
    for pointer in (a, b):
        ok(cu.cuMemFree(pointer))
    for pointer in (source, target):
        ok(cu.cuMemFreeHost(pointer))
    ok(cu.cuDevicePrimaryCtxRelease(device))
    print("done")


main()
