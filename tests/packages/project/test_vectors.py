"""Tests as a project with Numba kernels has them. Nothing in here knows of Doppel but the markers."""

import math

import numpy as np
import pytest
from numba import cuda


@cuda.jit
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


@cuda.jit
def norm(x, out):
    part = cuda.shared.array(64, dtype=np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    part[t] = x[i] * x[i] if i < x.size else 0
    cuda.syncthreads()
    half = 32
    while half:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])


@pytest.fixture
def vectors():
    x = np.arange(1000, dtype=np.float32)
    return x, np.ones_like(x)


def test_without_marker(vectors):
    x, y = vectors
    d = cuda.to_device(y)
    axpy[8, 128](2.0, cuda.to_device(x), d)
    np.testing.assert_array_equal(d.copy_to_host(), 2 * x + 1)


@pytest.mark.doppel
def test_axpy(vectors):
    x, y = vectors
    d = cuda.to_device(y)
    axpy[8, 128](2.0, cuda.to_device(x), d)
    np.testing.assert_array_equal(d.copy_to_host(), 2 * x + 1)


@pytest.mark.doppel
@pytest.mark.parametrize("n", [1, 64, 1000])
def test_norm(n):
    out = cuda.to_device(np.zeros(1, np.float32))
    norm[math.ceil(n / 64), 64](cuda.to_device(np.ones(n, np.float32)), out)
    assert out.copy_to_host()[0] == n


@pytest.mark.doppel(devices=2, memory="1GiB", profile="cc86")
def test_devices(vectors):
    assert len(cuda.gpus) == 2
    x, y = vectors
    for gpu in cuda.gpus:
        with gpu:
            assert cuda.get_current_device().compute_capability == (8, 6)
            assert cuda.current_context().get_memory_info().total == 1 << 30
            d = cuda.to_device(y)
            axpy[8, 128](3.0, cuda.to_device(x), d)
            np.testing.assert_array_equal(d.copy_to_host(), 3 * x + 1)


@pytest.mark.doppel
@pytest.mark.skipif(True, reason="as projects skip tests")
def test_skipped():
    raise AssertionError


@pytest.mark.doppel
@pytest.mark.xfail(reason="as projects expect failures", strict=True)
def test_expected():
    raise AssertionError
