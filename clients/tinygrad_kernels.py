#!/usr/bin/env python3
"""tinygrad's CUDA backend, unmodified, with the code generator that DEV chooses: CUDA (NVRTC) or CUDA:PTX (its own)."""
import os

import numpy as np
from tinygrad import Device, Tensor, dtypes


def main():
    generator = np.random.default_rng(1)
    a, b = generator.random((2, 96, 64), dtype=np.float32)
    x, y = Tensor(a), Tensor(b)
    assert np.allclose((x @ y.T).numpy(), a @ b.T, rtol=1e-4)
    assert (Tensor.arange(1000).float() * 2 + 1).sum().item() == 1_000_000
    assert np.allclose(x.softmax(axis=1).numpy().sum(axis=1), 1, atol=1e-5)
    assert np.allclose(x.sin().exp().max(axis=0).numpy(), np.exp(np.sin(a)).max(axis=0), rtol=1e-5)
    image = generator.random((1, 3, 16, 16), dtype=np.float32)
    weights = generator.random((4, 3, 3, 3), dtype=np.float32)
    result = Tensor(image).conv2d(Tensor(weights)).numpy()
    expected = sum(
        np.einsum("bcij,oc->boij", image[:, :, i : i + 14, j : j + 14], weights[:, :, i, j]) for i in range(3) for j in range(3)
    )
    assert np.allclose(result, expected, rtol=1e-4)
    assert np.allclose(x.cast(dtypes.half).sum(axis=0).float().numpy(), a.sum(axis=0), rtol=1e-2)
    weight = Tensor(a).is_param_() if hasattr(Tensor, "is_param_") else Tensor(a)
    (weight * weight).sum().backward()
    assert np.allclose(weight.grad.numpy(), 2 * a)
    assert sorted(Tensor(a[0]).sort()[0].tolist()) == Tensor(a[0]).sort()[0].tolist()
    print(f"products, sums, convolutions, gradients: right, on {Device.DEFAULT} ({os.environ.get('DEV')})")
    print("done")


main()
