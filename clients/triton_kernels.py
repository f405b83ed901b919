"""Triton without PyTorch: kernels in the shape of its tutorials (vector addition, softmax, matrix product, dropout, layer
normalisation with its gradient, attention), compiled by Triton and handed over as what its assembler made of them."""
import ctypes

import numpy as np
import triton
import triton.language as tl
from triton.runtime import driver

cuda = ctypes.CDLL("libcuda.so.1")


def check(code):
    assert code == 0, f"driver error {code}"


class Array:
    """Device memory that Triton takes for a tensor."""

    def __init__(self, host):
        self.host = np.ascontiguousarray(host)
        self.dtype = str(self.host.dtype)
        self.pointer = ctypes.c_uint64()
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.pointer), ctypes.c_size_t(self.host.nbytes)))
        check(cuda.cuMemcpyHtoD_v2(self.pointer, ctypes.c_void_p(self.host.ctypes.data), ctypes.c_size_t(self.host.nbytes)))

    def data_ptr(self):
        return self.pointer.value

    def get(self):
        check(cuda.cuCtxSynchronize())
        check(cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(self.host.ctypes.data), self.pointer, ctypes.c_size_t(self.host.nbytes)))
        return self.host


def empty(*shape, dtype=np.float32):
    return Array(np.full(shape, np.nan).astype(dtype))


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def softmax_kernel(out, x, row, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    start = tl.program_id(0) * row
    values = tl.load(x + start + at, at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + start + at, powers / tl.sum(powers, axis=0), at < columns)


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, HOW: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        at = step * BK + k
        left = tl.load(a + m[:, None] * K + at[None, :], (m[:, None] < M) & (at[None, :] < K), other=0.0)
        right = tl.load(b + at[:, None] * N + n[None, :], (at[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(left, right, total, input_precision=HOW)
    total = tl.where(total >= 0, total, 0.01 * total)
    tl.store(c + m[:, None] * N + n[None, :], total.to(c.dtype.element_ty), (m[:, None] < M) & (n[None, :] < N))


@triton.jit
def dropout_kernel(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    values = tl.load(x + at, inside)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, values / (1 - p), 0.0), inside)


@triton.jit
def layer_norm_kernel(x, y, w, b, mean, rstd, row, columns, eps, BLOCK: tl.constexpr):
    number = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + number * row + at, at < columns, other=0.0).to(tl.float32)
    middle = tl.sum(total, axis=0) / columns
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + number * row + at, at < columns, other=0.0).to(tl.float32)
        values = tl.where(at < columns, values - middle, 0.0)
        total += values * values
    scale = 1 / tl.sqrt(tl.sum(total, axis=0) / columns + eps)
    tl.store(mean + number, middle)
    tl.store(rstd + number, scale)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        values = (tl.load(x + number * row + at, inside, other=0.0).to(tl.float32) - middle) * scale
        tl.store(y + number * row + at, values * tl.load(w + at, inside) + tl.load(b + at, inside), inside)


@triton.jit
def layer_norm_gradient_kernel(dx, dw, db, lock, dy, x, w, mean, rstd, row, columns, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    number = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + number * row + at, inside, other=0).to(tl.float32)
    given = tl.load(dy + number * row + at, inside, other=0).to(tl.float32)
    weights = tl.load(w + at, inside, other=0)
    scale = tl.load(rstd + number)
    normal = tl.where(inside, (values - tl.load(mean + number)) * scale, 0.0)
    weighted = tl.where(inside, weights * given, 0.0)
    one = tl.sum(normal * weighted, axis=0) / columns
    two = tl.sum(weighted, axis=0) / columns
    tl.store(dx + number * row + at, (weighted - (normal * one + two)) * scale, inside)
    # Rows of a group add up under a lock.
    group = number % GROUP
    while tl.atomic_cas(lock + group, 0, 1) == 1:
        pass
    count = tl.load(lock + GROUP + group)
    more_w, more_b = given * normal, given
    if count == 0:
        tl.atomic_xchg(lock + GROUP + group, 1)
    else:
        more_w += tl.load(dw + group * columns + at, inside)
        more_b += tl.load(db + group * columns + at, inside)
    tl.store(dw + group * columns + at, more_w, inside)
    tl.store(db + group * columns + at, more_b, inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock + group, 0)


@triton.jit
def attention_kernel(q, k, v, out, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    head = tl.program_id(1) * length * D
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + head + m[:, None] * D + d[None, :])
    largest = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    end = (tl.program_id(0) + 1) * BM if CAUSAL else length
    for start in range(0, end, BN):
        n = start + tl.arange(0, BN)
        keys = tl.load(k + head + n[None, :] * D + d[:, None])
        scores = tl.dot(query, keys) * (scale * 1.44269504)
        if CAUSAL:
            scores = tl.where(m[:, None] >= n[None, :], scores, float("-inf"))
        new = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.math.exp2(scores - new[:, None])
        old = tl.math.exp2(largest - new)
        total = total * old + tl.sum(weights, 1)
        values = tl.load(v + head + n[:, None] * D + d[None, :])
        result = tl.dot(weights.to(values.dtype), values, result * old[:, None])
        largest = new
    tl.store(out + head + m[:, None] * D + d[None, :], (result / total[:, None]).to(out.dtype.element_ty))


def near(found, wanted, tolerance, what):
    worst = np.max(np.abs(found.astype(np.float64) - wanted) / (1 + np.abs(wanted)))
    assert worst <= tolerance, f"{what}: off by {worst}"
    print(what, "right")


def vectors(random):
    x, y = random.standard_normal((2, 98_432)).astype(np.float32)
    out = empty(x.size)
    add_kernel[(triton.cdiv(x.size, 1024),)](Array(x), Array(y), out, x.size, BLOCK=1024)
    near(out.get(), x + y, 0, "vector addition")


def softmax(random):
    x = random.standard_normal((67, 781)).astype(np.float32)
    out = empty(*x.shape)
    softmax_kernel[(x.shape[0],)](out, Array(x), x.shape[1], x.shape[1], BLOCK=1024)
    powers = np.exp(x - x.max(1, keepdims=True))
    near(out.get(), powers / powers.sum(1, keepdims=True), 1e-6, "softmax")


def matmul(random, dtype, tolerance, how="tf32", **options):
    M, N, K = 130, 97, 75
    a, b = random.standard_normal((M, K)).astype(dtype), random.standard_normal((K, N)).astype(dtype)
    c = empty(M, N)
    blocks = dict(BM=64, BN=64, BK=32)
    matmul_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](Array(a), Array(b), c, M, N, K, HOW=how, **blocks, **options)
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    near(c.get(), np.where(wanted >= 0, wanted, 0.01 * wanted), tolerance, f"matrix product of {np.dtype(dtype)}")


def dropout(random):
    x = random.standard_normal(10_000).astype(np.float32) + 10
    outs = []
    for seed in (123, 123, 512):
        out = empty(x.size)
        dropout_kernel[(triton.cdiv(x.size, 1024),)](Array(x), out, x.size, 0.5, seed, BLOCK=1024)
        outs.append(out.get().copy())
    assert (outs[0] == outs[1]).all() and (outs[0] != outs[2]).any()
    kept = outs[0] != 0
    assert 0.45 < kept.mean() < 0.55
    near(outs[0][kept], x[kept] * 2, 1e-6, "dropout")


def layer_norm(random):
    rows, columns, groups = 37, 1000, 8
    x = (random.standard_normal((rows, columns)) * 2 - 0.5).astype(np.float32)
    w, b = random.random(columns).astype(np.float32), random.random(columns).astype(np.float32)
    dy = random.standard_normal((rows, columns)).astype(np.float32)
    y, mean, rstd = empty(rows, columns), empty(rows), empty(rows)
    X, W = Array(x), Array(w)
    layer_norm_kernel[(rows,)](X, y, W, Array(b), mean, rstd, columns, columns, 1e-5, BLOCK=256)
    scale = 1 / np.sqrt(x.astype(np.float64).var(1, keepdims=True) + 1e-5)
    normal = (x - x.astype(np.float64).mean(1, keepdims=True)) * scale
    near(y.get(), normal * w + b, 1e-5, "layer normalisation")
    dx, dw, db = empty(rows, columns), empty(groups, columns), empty(groups, columns)
    lock = Array(np.zeros(2 * groups, np.int32))
    layer_norm_gradient_kernel[(rows,)](
        dx, dw, db, lock, Array(dy), X, W, mean, rstd, columns, columns, GROUP=groups, BLOCK=1024)
    weighted = dy * w
    wanted = (weighted - normal * (normal * weighted).mean(1, keepdims=True) - weighted.mean(1, keepdims=True)) * scale
    near(dx.get(), wanted, 1e-5, "its gradient")
    near(dw.get().sum(0), (dy * normal).sum(0), 1e-5, "that of weights")
    near(db.get().sum(0), dy.sum(0), 1e-5, "that of the bias")


def attention(random, causal):
    heads, length, D = 2, 128, 64
    q, k, v = random.standard_normal((3, heads, length, D)).astype(np.float16)
    out = empty(heads, length, D, dtype=np.float16)
    attention_kernel[(length // 64, heads)](Array(q), Array(k), Array(v), out, 0.5, length, D=D, BM=64, BN=32, CAUSAL=causal)
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) * 0.5
    if causal:
        scores = np.where(np.tril(np.ones((length, length))) > 0, scores, -np.inf)
    powers = np.exp(scores - scores.max(2, keepdims=True))
    near(out.get(), powers / powers.sum(2, keepdims=True) @ v, 1e-2, "attention" + (", causal" if causal else ""))


random = np.random.default_rng(0)
# Makes the device's primary context current.
driver.active.utils.set_current_device(driver.active.get_current_device())
vectors(random)
softmax(random)
matmul(random, np.float16, 1e-3)
matmul(random, np.float32, 2e-2)
matmul(random, np.float32, 1e-5, "ieee", num_warps=8)
dropout(random)
layer_norm(random)
attention(random, False)
attention(random, True)
print("done")
