"""Compiles one kernel with two tool chains over one folder of cached results, and says what the folder holds.

caches.py triton FOLDER      with the ptxas that Triton finds
caches.py pycuda FOLDER NVCC with an nvcc
caches.py keys               prints what the keys of cuda.core and of Numba have of NVRTC and nvJitLink, a line each
"""
import os
import pathlib
import sys

MACHINE = {190: "machine code", 0xD0BB: "container"}


def kinds(folder):
    """What files of the ELF form there are."""
    found = [file.read_bytes()[:20] for file in pathlib.Path(folder).rglob("*") if file.is_file()]
    return sorted(MACHINE[int.from_bytes(head[18:20], "little")] for head in found if head[:4] == b"\x7fELF")


if sys.argv[1] == "keys":
    from cuda.core import ProgramOptions
    from cuda.core.utils import make_program_cache_key
    from numba.cuda.cudadrv.runtime import get_version

    options = ProgramOptions(arch="sm_90")
    for code_type in ("c++", "ptx"):
        print("cuda.core", make_program_cache_key(code="text", code_type=code_type, options=options, target_type="cubin").hex())
    print("Numba", *get_version())
    sys.exit()
what, folder = sys.argv[1:3]
if what == "triton":
    os.environ["TRITON_CACHE_DIR"] = folder
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget

    @triton.jit
    def kernel(x, n: tl.constexpr):
        at = tl.arange(0, n)
        tl.store(x + at, tl.load(x + at) + 1)

    source = triton.compiler.ASTSource(fn=kernel, signature={"x": "*fp32", "n": "constexpr"}, constexprs={"n": 64})
    made = triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["cubin"]
else:
    from pycuda.compiler import compile

    made = compile("__global__ void kernel(int *x) { *x += 1; }", nvcc=sys.argv[3], arch="sm_90", cache_dir=folder)
    # Its folder has other names than code objects: what counts is what it hands out.
    pathlib.Path(folder, "handed-out-" + str(len(kinds(folder)))).write_bytes(made)
print(MACHINE[int.from_bytes(made[18:20], "little")], "of", kinds(folder))
