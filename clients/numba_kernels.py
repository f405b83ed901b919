#!/usr/bin/env python3
"""Numba's CUDA target, unmodified: compiled functions, shared memory, atomics, streams, managed and pinned arrays, ufuncs."""
import math
import warnings

import numpy as np
from numba import cuda, float32, vectorize

warnings.simplefilter("ignore")


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def total(values, out):
    part = cuda.shared.array(128, dtype=float32)
    t = cuda.threadIdx.x
    part[t] = values[cuda.grid(1)]
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])


@cuda.jit(device=True)
def wave(x):
    return math.sin(x) ** 2 + math.cos(x) ** 2


@cuda.jit
def waves(out):
    i = cuda.grid(1)
    out[i] = wave(out[i])


@cuda.jit
def product(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        s = 0.0
        for k in range(a.shape[1]):
            s += a[i, k] * b[k, j]
        c[i, j] = s


@cuda.jit
def ranks(values):
    # Every block reads what the others wrote in the step before.
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    for step in range(1, 6):
        value = values[step - 1, (i + 64) % values.shape[1]]
        values[step, i] = value + 1
        grid.sync()


@vectorize(["float32(float32, float32)"], target="cuda")
def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


def main():
    values = np.arange(1024, dtype=np.float32)
    sums = np.zeros_like(values)
    add[8, 128](values, values, sums)
    assert np.array_equal(sums, 2 * values)
    out = cuda.to_device(np.zeros(1, np.float32))
    total[8, 128](values, out)
    assert out.copy_to_host()[0] == values.sum()
    ones = cuda.to_device(np.linspace(0, 100, 256))
    waves[2, 128](ones)
    assert np.allclose(ones.copy_to_host(), 1)
    a, b = np.random.default_rng(1).random((2, 40, 40))
    c = np.zeros((40, 40))
    product[(3, 3), (16, 16)](a, b, c)
    assert np.allclose(c, a @ b)
    assert np.allclose(hypotenuse(values, values), np.hypot(values, values))
    steps = np.zeros((6, 256), dtype=np.int64)
    ranks[4, 64](steps)
    assert np.array_equal(steps[5], np.full(256, 5))
    stream = cuda.stream()
    pinned = cuda.pinned_array(1024, dtype=np.float32)
    pinned[:] = 7
    managed = cuda.managed_array(1024, dtype=np.float32)
    add[8, 128, stream](cuda.to_device(pinned, stream=stream), cuda.to_device(values, stream=stream), managed)
    stream.synchronize()
    assert np.array_equal(managed, values + 7)
    print(f"kernels, shared memory, atomics, grid barriers, ufuncs, streams: right, on {cuda.get_current_device().name}")
    print("done")


main()
