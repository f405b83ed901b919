#!/usr/bin/env python3
"""Runs cells in a kernel of Jupyter's, as a notebook does, and prints what each printed."""

import sys

from jupyter_client.manager import start_new_kernel

CELLS = [
    "import doppel_cuda.auto",
    """
import numpy as np
from numba import cuda

@cuda.jit
def more(x):
    x[cuda.grid(1)] += 1
""",
    """
x = cuda.to_device(np.array([1, 2], dtype=np.float32))
more[1, 2](x)
print(*x.copy_to_host(), cuda.get_current_device().name)
""",
    "!nvidia-smi -L",
]


def main():
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=120)
    failed = 0
    try:
        for number, cell in enumerate(CELLS, 1):

            def say(message, number=number):
                content = message["content"]
                text = content.get("text") or "\n".join(content.get("traceback", []))
                for line in text.splitlines():
                    print(f"cell {number}: {line}")

            reply = client.execute_interactive(cell, timeout=120, output_hook=say)
            failed += reply["content"]["status"] != "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
