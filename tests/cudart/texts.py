"""Compares names and texts of all errors with those of NVIDIA's library: texts.py OURS THEIRS."""
import ctypes
import sys

ours, theirs = (ctypes.CDLL(path) for path in sys.argv[1:])
failed = 0
for name in ("cudaGetErrorName", "cudaGetErrorString"):
    for library in (ours, theirs):
        getattr(library, name).restype = ctypes.c_char_p
    for code in [*range(-5, 1100), 9999, 10000, 10001, 2**31 - 1, -(2**31)]:
        a, b = getattr(ours, name)(code), getattr(theirs, name)(code)
        if a != b:
            print(f"{name}({code}): {a} is not {b}")
            failed += 1
print(f"{failed} names or texts differ")
sys.exit(failed != 0)
