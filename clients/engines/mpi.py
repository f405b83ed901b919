"""Ranks of an MPI job exchange device memory: messages in a ring, reductions, broadcasts, one-sided accesses, small and large.

    mpiexec -n N python mpi.py            ranks take the devices in turn
    mpiexec -n N python mpi.py --speed    allreduce of 64 MiB, device memory against host memory
"""
import sys
import time

import numpy as np
from mpi4py import MPI
from numba import cuda

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
device = rank % len(cuda.gpus)
cuda.select_device(device)


@cuda.jit
def fill(out, base):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = base + i


def made(base, n):
    """n numbers from base on, written by a kernel."""
    array = cuda.device_array(n, np.float64)
    fill[(n + 127) // 128, 128](array, base)
    # MPI does not know of streams: what it sends has to be there.
    cuda.synchronize()
    return array


def expect(what, array, expected):
    found = array.copy_to_host()
    if not np.array_equal(found, expected):
        print(f"rank {rank} on device {device}: {what}: {found[:4]} instead of {np.asarray(expected)[:4]}", flush=True)
        world.Abort(1)


def exchange(n):
    row = np.arange(n, dtype=np.float64)
    right, left = (rank + 1) % size, (rank - 1) % size
    own, other = made(rank * 1000.0, n), cuda.device_array(n, np.float64)
    world.Sendrecv(own, right, 0, other, left, 0)
    expect("sendrecv", other, left * 1000.0 + row)

    other = cuda.device_array(n, np.float64)
    requests = [world.Irecv(other, left, 1), world.Isend(own, right, 1)]
    MPI.Request.Waitall(requests)
    expect("isend, irecv", other, left * 1000.0 + row)

    total = cuda.device_array(n, np.float64)
    world.Allreduce(own, total, MPI.SUM)
    expect("allreduce", total, 1000.0 * sum(range(size)) + size * row)
    world.Allreduce(MPI.IN_PLACE, total, MPI.MAX)
    expect("allreduce in place", total, 1000.0 * sum(range(size)) + size * row)

    shared = made(7.0, n) if rank == 0 else cuda.device_array(n, np.float64)
    world.Bcast(shared, 0)
    expect("bcast", shared, 7.0 + row)

    every = cuda.device_array(n * size, np.float64)
    world.Allgather(own, every)
    expect("allgather", every, np.concatenate([r * 1000.0 + row for r in range(size)]))
    back = cuda.device_array(n * size, np.float64)
    world.Alltoall(every, back)
    expect("alltoall", back, np.tile(rank * 1000.0 + row, size))

    # One-sided: a window on device memory.
    memory = made(0.0, n)
    window = MPI.Win.Create(memory, 8, comm=world)
    window.Fence()
    window.Put(own, right)
    window.Fence()
    expect("put", memory, left * 1000.0 + row)
    window.Fence()
    seen = cuda.device_array(n, np.float64)
    window.Get(seen, right)
    window.Fence()
    expect("get", seen, rank * 1000.0 + row)
    window.Fence()
    window.Accumulate(own, 0, op=MPI.SUM)
    window.Fence()
    if rank == 0:
        expect("accumulate", memory, left * 1000.0 + 1000.0 * sum(range(size)) + (size + 1) * row)
    window.Free()


def speed(n=1 << 23, rounds=15):
    """Seconds of the best of some rounds, in turn."""
    pairs = {
        "device": (made(rank, n), cuda.device_array(n, np.float64)),
        "host": (np.arange(n, dtype=np.float64), np.empty(n)),
    }
    best = dict.fromkeys(pairs, float("inf"))
    for _ in range(rounds):
        for kind, (own, total) in pairs.items():
            world.Barrier()
            began = time.perf_counter()
            world.Allreduce(own, total, MPI.SUM)
            world.Barrier()
            best[kind] = min(best[kind], time.perf_counter() - began)
    if rank == 0:
        for kind, seconds in best.items():
            print(f"allreduce of {n * 8 >> 20} MiB over {size} ranks, {kind} memory: {seconds * 1000:.1f} ms")
        print(f"device memory is {best['host'] / best['device']:.2f} times as fast as host memory")


if "--speed" in sys.argv:
    speed()
else:
    for n in (1, 1000, 1 << 15):
        exchange(n)
devices = world.gather(device)
if rank == 0:
    print(f"{MPI.Get_library_version().split(',')[0].splitlines()[0]}: {size} ranks on devices {sorted(set(devices))}")
    print("done", flush=True)
