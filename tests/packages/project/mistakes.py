"""Tests with a mistake each: every one of them has to fail under `pytest --doppel mistakes.py`, for the reason that its name says."""

import os

import numpy as np
import pytest
from numba import cuda

kept = []


@cuda.jit
def one_too_far(x):
    i = cuda.grid(1)
    if i <= x.size:
        x[i] = 1


@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@pytest.mark.doppel
def test_leak():
    kept.append(cuda.current_context().memalloc(400))


@pytest.mark.doppel
def test_access():
    d = cuda.to_device(np.zeros(100, np.float32))
    one_too_far[1, 128](d)
    cuda.synchronize()


@pytest.mark.doppel
def test_access_unseen():
    try:
        test_access()
    except Exception:
        pass


@pytest.mark.doppel
def test_assertion():
    d = cuda.to_device(np.ones(100, np.float32))
    twice[1, 128](d)
    assert d.copy_to_host()[0] == 3


@pytest.mark.doppel
def test_crash():
    os.abort()


@pytest.mark.doppel
def test_exit():
    os._exit(0)


@pytest.mark.doppel(timeout=3)
def test_timeout():
    import time

    time.sleep(60)


@pytest.mark.doppel(device=2)
def test_marker():
    pass
