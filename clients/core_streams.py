#!/usr/bin/env python3
"""The same exercise through `cuda.core`, NVIDIA's object layer: device, streams, buffers, events, unmodified."""
import ctypes
import sys

from cuda.core import Device, LegacyPinnedMemoryResource


def main():
    device = Device(0)
    device.set_current()
    print(f"device 0: {device.name}, compute capability {'.'.join(str(n) for n in device.compute_capability)}")
    size = 4 << 20
    first = device.create_stream()
    second = device.create_stream()
    pinned = LegacyPinnedMemoryResource()
    source = pinned.allocate(size)
    target = pinned.allocate(size)
    a = device.allocate(size, stream=first)
    b = device.allocate(size, stream=first)
    pattern = bytes(range(253)) * (size // 253 + 1)
    ctypes.memmove(int(source.handle), pattern, size)
    ctypes.memset(int(target.handle), 0, size)

    a.copy_from(source, stream=first)
    filled = first.record()
    second.wait(filled)
    b.copy_from(a, stream=second)
    b.copy_to(target, stream=second)
    done = second.record()
    done.sync()
    if ctypes.string_at(int(target.handle), size) != pattern[:size]:
        sys.exit("failed: the data that came back differs")
    print(f"copied {size >> 20} MiB host -> device -> device -> host on two streams; every byte came back right")
    for buffer in (a, b):
        buffer.close(second)
    second.sync()
    for buffer in (source, target):
        buffer.close()
    print("done")


main()
