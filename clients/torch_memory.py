#!/usr/bin/env python3
"""PyTorch's memory, streams and events, unmodified: pinned copies, its three allocators, two devices.

PyTorch brings its kernels as machine code alone: what computes has to say so, what moves bytes has to work.
"""
import ctypes
import os
import subprocess
import sys

import torch

MIB = 1 << 20


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def devices():
    check(torch.cuda.is_available(), "cuda is not available")
    count = torch.cuda.device_count()
    for index in range(count):
        properties = torch.cuda.get_device_properties(index)
        free, total = torch.cuda.mem_get_info(index)
        check(properties.total_memory == total >= free > 0, "memory sizes disagree")
        check(torch.cuda.get_device_capability(index) == (properties.major, properties.minor), "capability")
        print(f"device {index}: {properties.name}, {properties.major}.{properties.minor}, {total >> 20} MiB")
    return count


def copies():
    size = 8 * MIB
    source = torch.randint(0, 256, (size,), dtype=torch.uint8).pin_memory()
    target = torch.zeros(size, dtype=torch.uint8).pin_memory()
    check(source.is_pinned() and target.is_pinned() and not torch.empty(1).is_pinned(), "pinned")
    first, second = torch.cuda.Stream(), torch.cuda.Stream(priority=-1)
    start, filled, end = (torch.cuda.Event(enable_timing=True) for _ in range(3))
    with torch.cuda.stream(first):
        start.record()
        a = torch.empty(size, dtype=torch.uint8, device="cuda")
        a.copy_(source, non_blocking=True)
        filled.record()
    with torch.cuda.stream(second):
        second.wait_event(filled)
        b = torch.empty_like(a)
        b.copy_(a, non_blocking=True)
        a.record_stream(second)
        target.copy_(b, non_blocking=True)
        end.record()
    end.synchronize()
    check(end.query() and second.query(), "a reached event is not reached")
    check(start.elapsed_time(end) >= 0, "elapsed time")
    check(torch.equal(source, target), "the data that came back differs")
    # Pageable memory, parts and shapes.
    rows = torch.arange(12 * 1024, dtype=torch.int32).reshape(12, 1024)
    there = rows.to("cuda")
    check(torch.equal(there[3:7].cpu(), rows[3:7]) and torch.equal(there.clone().cpu(), rows), "parts")
    check(not torch.zeros(1000, device="cuda").cpu().any(), "zeros")
    check(torch.equal(torch.zeros(4, dtype=torch.int64, device="cuda").copy_(torch.arange(4)).cpu(), torch.arange(4)), "fill")
    torch.cuda.synchronize()
    print(f"copied {size >> 20} MiB host -> device -> device -> host on two streams; every byte came back right")


def allocator():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before, free = torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]
    blocks = [torch.empty(n, dtype=torch.uint8, device="cuda") for n in (1, 512, 3 * MIB, 100 * MIB)]
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    check(allocated - before >= 103 * MIB and reserved >= allocated, "what is allocated")
    check(torch.cuda.mem_get_info()[0] <= free - 103 * MIB, "free memory did not shrink")
    check(len({block.data_ptr() for block in blocks}) == len(blocks), "blocks overlap")
    del blocks
    check(torch.cuda.memory_allocated() == before, "freed blocks count")
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    check(torch.cuda.memory_reserved() < reserved and torch.cuda.mem_get_info()[0] == free, "the cache was not emptied")
    check(torch.cuda.max_memory_allocated() == allocated, "the peak")
    try:
        torch.empty(1 << 50, dtype=torch.uint8, device="cuda")
        check(False, "a pebibyte was allocated")
    except torch.cuda.OutOfMemoryError:
        pass
    check(torch.empty(10, device="cuda").data_ptr() != 0, "an allocation after a failed one")
    print(f"{torch.cuda.get_allocator_backend()} allocator: counts, peak, cache and exhaustion are as they should be")


def graph():
    source = torch.arange(1024, dtype=torch.int32).pin_memory()
    there, copy = (torch.empty(1024, dtype=torch.int32, device="cuda") for _ in range(2))
    there.copy_(source)
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        copy.copy_(there)
    check(torch.cuda.current_stream().query(), "the capture left work behind")
    for offset in (0, 5):
        there.copy_(source + offset)
        recorded.replay()
        check(torch.equal(copy.cpu(), source + offset), "the graph copied something else")
    print("a captured copy was replayed twice")


def peers():
    source = torch.arange(MIB, dtype=torch.int32)
    there = source.to("cuda:0").to("cuda:1", non_blocking=True)
    check(there.device.index == 1 and torch.equal(there.cpu(), source), "the copy between devices differs")
    check(torch.cuda.can_device_access_peer(0, 1), "peer access")
    print("copied between two devices")


def kernels():
    try:
        print((torch.zeros(4, device="cuda") + 1).cpu())
    except RuntimeError as error:
        check("no kernel image" in str(error), f"machine code is refused in other words: {error}")
        torch.cuda.synchronize()
        print("arithmetic is refused: PyTorch's kernels are machine code")


def main():
    if devices() > 1:
        peers()
    copies()
    allocator()
    if torch.cuda.get_allocator_backend() == "native":
        graph()
    kernels()
    if len(sys.argv) == 1:
        again = [("PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync"), ("DOPPEL_DEVICES", "2")]
        try:
            ctypes.CDLL("libnvidia-ml.so.1")
            again.append(("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"))
        except OSError:
            print("skipped: expandable segments: PyTorch asks NVML for them, unchecked, and there is none here")
        for name, value in again:
            print(f"-- {name}={value}", flush=True)
            subprocess.run([sys.executable, __file__, "again"], env={**os.environ, name: value}, check=True)
    print("done")


main()
