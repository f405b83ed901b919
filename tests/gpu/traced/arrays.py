"""Small arrays of CuPy's: most of the time is calls of the driver. Prints what came out, and on stderr nanoseconds a step."""
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from rounds import timed

import cupy

axpy = cupy.ElementwiseKernel("float32 a, float32 x, float32 y", "float32 z", "z = a * x + y", "axpy")
scale = cupy.RawKernel('extern "C" __global__ void scale(float *x, float f, int n) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) x[i] *= f; }', "scale")
x = cupy.arange(4096, dtype=cupy.float32) / 4096
total = x


def step():
    global total
    y = axpy(0.5, x, total)
    scale((32,), (128,), (y, cupy.float32(0.75), cupy.int32(4096)))
    total = cupy.sqrt(y * y + 1) - cupy.maximum(x, 0.25)
    total[:16] = y[16:32]


timed(step, cupy.cuda.get_current_stream().synchronize, 40)
print("sum", float(total.astype(cupy.float64).sum()).hex(), "first", [float(v).hex() for v in total[:4].get()])
