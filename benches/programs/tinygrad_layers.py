"""A small network's forward and backward pass with tinygrad: milliseconds of four passes, after two to compile."""
import time

import numpy as np
from tinygrad import Tensor


def main():
    generator = np.random.default_rng(3)
    image = Tensor(generator.random((4, 1, 16, 16), dtype=np.float32)).realize()
    shapes = ((8, 1, 3, 3), (16, 8, 3, 3), (576, 32))
    weights = [Tensor(generator.standard_normal(shape).astype(np.float32) * 0.05) for shape in shapes]
    for weight in weights:
        weight.is_param_() if hasattr(weight, "is_param_") else setattr(weight, "requires_grad", True)
        weight.realize()

    def run():
        for weight in weights:
            weight.grad = None
        hidden = image.conv2d(weights[0]).relu().conv2d(weights[1]).relu().max_pool2d()
        loss = (hidden.flatten(1) @ weights[2]).log_softmax().square().mean()
        loss.backward()
        return loss.item(), [weight.grad.abs().mean().item() for weight in weights]

    run()
    run()
    start = time.perf_counter()
    for _ in range(4):
        loss, gradients = run()
    taken = time.perf_counter() - start
    assert np.isfinite(loss) and all(gradient > 0 for gradient in gradients)
    print(f"{taken * 1e3:.2f}")


main()
