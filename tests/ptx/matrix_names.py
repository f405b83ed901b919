"""Names of matrix instructions, and what an assembler says to them.

    matrix_names.py candidates           instructions that are forms or nearly so, with operands, a line each
    matrix_names.py ask PTXAS < lines    those of them that the assembler takes for sm_90a

All shapes, types, orders, roundings and spaces with each other, as far as the lanes of a warp can hold the operands."""

import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile

WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "f64": 64, "f32": 32, "s32": 32}
SUMS = ("f16", "f32", "s32", "f64")
FACTORS = [(t, t) for t in ("f16", "bf16", "tf32", "f64", "b1")] + [(a, b) for s in (("e4m3", "e5m2"), ("s8", "u8"), ("s4", "u4")) for a in s for b in s]
ROUNDINGS = ([], ["rn"], ["rz"], ["rm"], ["rp"])
BITS = (["xor", "popc"], ["and", "popc"])
SPACES = ([], ["global"], ["shared"], ["shared::cta"])


def vector(ty, count, first=0):
    """So many registers; none where lanes cannot hold them."""
    if count != int(count) or not 1 <= count <= 64:
        return None
    prefix = "%rd" if ty == "f64" else "%r"
    return "{" + ", ".join(f"{prefix}{first + n}" for n in range(int(count))) + "}"


def count(ty, rows, columns):
    return rows * columns * WIDTH[ty] / 32 / (64 if ty == "f64" else 32)


def line(parts, *operands):
    return None if None in operands else ".".join(parts) + " " + ", ".join(operands) + ";"


def sums_of(a):
    """Types of results and accumulators that might go with a factor."""
    for d, c in itertools.product(SUMS, SUMS):
        whole, wide = a in ("s8", "u8", "s4", "u4", "b1"), a == "f64"
        if d == c or not {"s32", "f64"} & {d, c}:
            if (d == "s32") == whole and (d == "f64") == wide:
                yield d, c


def mma():
    for m, k in itertools.product((8, 16), (4, 8, 16, 32, 64, 128, 256)):
        for (a, b), sparse in itertools.product(FACTORS, ([], ["sp"], ["sp::ordered_metadata"])):
            for d, c in sums_of(a):
                orders = list(itertools.product(("row", "col"), repeat=2)) if k == 4 else [("row", "col"), ("col", "row")]
                roundings = ROUNDINGS if a == "f64" else ([], ["satfinite"]) if d == "s32" else ([],)
                for order, rounding, tail in itertools.product(orders, roundings, BITS if a == "b1" else ([],)):
                    parts = ["mma", *sparse, "sync", "aligned", f"m{m}n8k{k}", *order, *rounding, d, a, b, c, *tail]
                    if (m, k, a) == (8, 4, "f16") and not sparse:
                        registers = (vector(d, 8 if d == "f32" else 4, 96), vector(a, 2), vector(b, 2, 16), vector(c, 8 if c == "f32" else 4, 32))
                    else:
                        stored = k / 2 if sparse else k
                        registers = (vector(d, count(d, m, 8), 96), vector(a, count(a, m, stored)), vector(b, count(b, k, 8), 16), vector(c, count(c, m, 8), 32))
                    yield line(parts, *registers, *(["%r60", "0"] if sparse else []))


def wmma():
    for m, n, k in ((16, 16, 16), (8, 32, 16), (32, 8, 16), (16, 16, 8), (8, 8, 4), (8, 8, 32), (8, 8, 128)):
        shape = f"m{m}n{n}k{k}"

        def held(ty, role):
            rows, columns = {"a": (m, k), "b": (k, n)}.get(role, (m, n))
            return 8 if ty == "f16" and role in "ab" else count(ty, rows, columns)

        for order, space, ty in itertools.product(("row", "col"), SPACES, WIDTH):
            address = "[%r70]" if "shared" in "".join(space) else "[%rd70]"
            for role in "abc":
                yield line(["wmma", "load", role, "sync", "aligned", order, shape, *space, ty], vector(ty, held(ty, role)), address, "%r71")
            registers = vector(ty, held(ty, "d"))
            yield registers and line(["wmma", "store", "d", "sync", "aligned", order, shape, *space, ty], address, registers, "%r71")
        for orders, d, c, (a, b) in itertools.product(itertools.product(("row", "col"), repeat=2), SUMS, SUMS, FACTORS):
            roundings, bits = ROUNDINGS if a == "f64" else ([],), BITS if a == "b1" else ([],)
            for rounding, bit, saturating, types in itertools.product(roundings, bits, ([], ["satfinite"]), ([d, c], [d, a, b, c]) if a == "f16" else ([d, a, b, c],)):
                parts = ["wmma", "mma", *bit, "sync", "aligned", *orders, shape, *rounding, *types, *saturating]
                yield line(parts, vector(d, held(d, "d"), 96), vector(a, held(a, "a")), vector(b, held(b, "b"), 16), vector(c, held(c, "c"), 32))


def small():
    types = (["b16"], ["b8"], ["b8x16", "b6x16_p32"], ["b8x16", "b4x16_p64"])
    for opcode, shapes in (("ldmatrix", ("m8n8", "m16n16", "m8n16", "m16n8")), ("stmatrix", ("m8n8", "m16n8"))):
        for shape, x, turned, space, ty in itertools.product(shapes, (1, 2, 4), ([], ["trans"]), SPACES + (["shared::cluster"],), types):
            registers = vector("b16", x * (2 if shape == "m16n16" else 1))
            address = "[%r70]" if "shared" in "".join(space) else "[%rd70]"
            operands = (registers, address) if opcode == "ldmatrix" else (address, registers)
            yield line([opcode, "sync", "aligned", shape, f"x{x}", *turned, *space, *ty], *operands)
    for turned in ([], ["trans"]):
        yield line(["movmatrix", "sync", "aligned", "m8n8", *turned, "b16"], "%r0", "%r1")


def wgmma():
    for n, sparse, (a, b) in itertools.product(range(8, 257, 8), ([], ["sp"]), FACTORS):
        if a == "f64":
            continue
        k = {16: 16, 32: 8, 8: 32, 4: 64, 1: 256}[WIDTH[a]] * (2 if sparse else 1)
        whole = a in ("s8", "u8", "s4", "u4", "b1")
        for d, saturating, tail in itertools.product(("s32",) if whole else ("f16", "f32"), ([], ["satfinite"]), BITS if a == "b1" else ([],)):
            parts = ["wgmma", "mma_async", *sparse, "sync", "aligned", f"m64n{n}k{k}", d, a, b, *saturating, *tail]
            registers = "{" + ", ".join(f"%r{i}" for i in range(n // 4 if d == "f16" else n // 2)) + "}"
            more = [*(["%r130", "0"] if sparse else []), "%p1", *([] if whole else ["1", "1"]), *(["0", "0"] if WIDTH[a] == 16 else [])]
            yield line(parts, registers, "%rd1", "%rd2", *more)
    yield "wgmma.fence.sync.aligned;"
    yield "wgmma.commit_group.sync.aligned;"
    yield "wgmma.wait_group.sync.aligned 0;"


HEAD = ".version 9.5\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n.reg .pred %p<9>; .reg .b32 %r<140>; .reg .b64 %rd<140>;\n"


def assemble(ptxas, lines, end=""):
    """Whether it takes them, and the lines with an error."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(HEAD + "".join(l + "\n" for l in lines) + end + "ret;\n}\n")
        file.flush()
        found = subprocess.run([ptxas, "-arch=sm_90a", file.name, "-o", os.devnull], capture_output=True, text=True)
    wrong = {int(n) - 6 for n in re.findall(r"ptx, line (\d+); (?:error|fatal)", found.stderr)}
    return found.returncode == 0, wrong, "mistake" in found.stderr


def doubtful(ptxas, lines):
    """What it does not refuse at once. It gives up at some lines, and goes through the rest without looking closely."""
    _, wrong, whole = assemble(ptxas, lines, "mistake;\n")
    if whole or len(lines) == 1:
        return [l for n, l in enumerate(lines) if n not in wrong]
    half = len(lines) // 2
    return doubtful(ptxas, lines[:half]) + doubtful(ptxas, lines[half:])


def ask(ptxas, lines):
    rest = [l for n in range(0, len(lines), 200) for l in doubtful(ptxas, lines[n : n + 200])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [l for l, taken in zip(rest, pool.map(lambda l: assemble(ptxas, [l])[0], rest)) if taken]


if sys.argv[1] == "candidates":
    print("\n".join(dict.fromkeys(l for l in itertools.chain(mma(), wmma(), small(), wgmma()) if l)))
else:
    print("\n".join(ask(sys.argv[2], sys.stdin.read().splitlines())))
