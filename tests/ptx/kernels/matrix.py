"""Kernels of matrix instructions: all that `tests/ptx/matrix.txt` lists, which is what NVIDIA's assembler takes for sm_90a.

A kernel has names and types as the others, but shapes of its own: the types are those of the arrays of words that it reads
(`tests/ptx/matrix_data.c`) and, last, how many threads it has and how many words of 32 bits each of them writes. Register r
of thread k comes from word k + 1024 (r / 2) of an array, from its lower half if r is even; doubles from word k + 1024 r. A third
number says that the blocks are every other one, from that on.
"""

import os
import re

from common import seed

WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "f64": 64, "f32": 32, "s32": 32}
# The assembler of the device's driver knows nothing newer.
HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"
THREADS = 4096


class Name:
    """What an instruction's name says."""

    def __init__(self, name):
        self.name = name
        self.parts = name.split(".")
        self.opcode = self.parts[0]
        self.types = [p for p in self.parts if p in WIDTH]
        shape = next((re.fullmatch(r"m(\d+)n(\d+)k(\d+)", p) for p in self.parts if re.fullmatch(r"m\d+n\d+k\d+", p)), None)
        self.m, self.n, self.k = (int(x) for x in shape.groups()) if shape else (8, 8, 8)
        self.sparse = "sp" in self.parts or "sp::ordered_metadata" in self.parts
        self.quads = self.opcode == "mma" and self.parts[3] == "m8n8k4" and self.types[1] == "f16"


def count(ty, rows, columns):
    """Registers that a lane has of a matrix."""
    return rows * columns * WIDTH[ty] // 32 // (64 if ty == "f64" else 32)


def vector(letter, n, ty=""):
    return "{" + ", ".join(f"%{letter.upper() if ty == 'f64' else letter}{i}" for i in range(n)) + "}"


def bring(letter, n, ty, array, distinct=None):
    """Loads n registers of an array; behind `distinct` ones they repeat."""
    distinct = distinct or n
    text = f"ld.param.u64 %x0, [p{array}]; add.u64 %x0, %x0, %i;\n"
    if ty == "f64":
        return text + "".join(f"ld.global.b64 %{letter.upper()}{r}, [%x0+{8192 * r}];\n" for r in range(n))
    for r in range(0, distinct, 2):
        if r + 1 < distinct:
            text += f"ld.global.v2.b32 {{%{letter}{r}, %{letter}{r + 1}}}, [%x0+{4096 * r}];\n"
        else:
            text += f"ld.global.b32 %{letter}{r}, [%x0+{4096 * r}];\n"
    return text + "".join(f"mov.b32 %{letter}{r}, %{letter}{r % distinct};\n" for r in range(distinct, n))


def keep(letter, n, ty=""):
    """Stores n registers."""
    if ty == "f64":
        return "".join(f"st.global.v2.b64 [%o+{8 * r}], {{%{letter.upper()}{r}, %{letter.upper()}{r + 1}}};\n" for r in range(0, n, 2))
    step = 4 if n % 4 == 0 else 2 if n % 2 == 0 else 1
    text = ""
    for r in range(0, n, step):
        of = ", ".join(f"%{letter}{r + i}" for i in range(step))
        text += f"st.global.b32 [%o+{4 * r}], {of};\n" if step == 1 else f"st.global.v{step}.b32 [%o+{4 * r}], {{{of}}};\n"
    return text


class Kernel:
    def __init__(self, label, arrays, threads, words, body, before="", first=None):
        self.label = label
        self.types = ",".join((arrays + ["none"] * 4)[:4]) + f",{threads}x{words}" + ("" if first is None else f"x{first}")
        self.blocks = "" if first is None else f"mad.lo.u32 %n, %n, 2, {first}; mad.lo.u32 %k, %n, 128, %m; mul.wide.u32 %i, %k, 8;\n"
        self.words = words
        self.body = body
        self.before = before

    def text(self, name):
        parameters = ", ".join(f".param .u64 p{n}" for n in range(5))
        return (
            f".visible .entry {name}({parameters}, .param .u64 po, .param .u32 pn, .param .align 64 .b8 pb[128]) {{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>, %a<8>, %b<8>, %c<8>, %d<128>, %k, %m, %n, %s, %z; .reg .b64 %x<16>, %A<8>, %B<8>, %C<8>, %D<8>, %i, %o;\n"
            + self.before
            + "mov.u32 %n, %ctaid.x; mov.u32 %m, %tid.x; mad.lo.u32 %k, %n, 128, %m; mul.wide.u32 %i, %k, 8;\n"
            f"ld.param.u64 %o, [po]; mul.wide.u32 %x0, %k, {4 * self.words}; add.u64 %o, %o, %x0;\n"
            + self.blocks
            + self.body.replace("@@", name)
            + "ret;\n}\n"
        )


def product(f):
    """`mma` and `wmma.mma`."""
    d, a, b, c = f.types if len(f.types) == 4 else (f.types[0], "f16", "f16", f.types[1])
    whole = f.opcode == "wmma"
    if f.quads:
        na, nb, nc, nd = 2, 2, 8 if c == "f32" else 4, 8 if d == "f32" else 4
    else:
        na, nb = count(a, f.m, f.k // 2 if f.sparse else f.k), count(b, f.k, f.n)
        nc, nd = count(c, f.m, f.n), count(d, f.m, f.n)
    distinct = (na, nb)
    if whole and a == "f16":
        na = nb = 8
    text = bring("a", na, a, 0, distinct[0]) + bring("b", nb, b, 1, distinct[1]) + bring("c", nc, c, 2)
    call = f"{f.name} {vector('d', nd, d)}, {vector('a', na, a)}, {vector('b', nb, b)}, {vector('c', nc, c)}"
    label = f"{f.name} %d, %a, %b, %c"
    words = nd * (2 if d == "f64" else 1)
    arrays = [a, b, c]
    kernels = []
    if f.sparse:
        # Lanes, or pairs of them, whose metadata counts.
        bits = f.k // 2 * (4 if a == "tf32" else 1 if WIDTH[a] == 4 else 2)
        for selector in range({16: 4, 32: 2}.get(bits, 1)):
            more = text + f"ld.param.u64 %x0, [p3]; add.u64 %x0, %x0, %i; ld.global.b32 %r0, [%x0];\n{call}, %r0, {selector};\n"
            meta = "meta" if "sp" in f.parts else "meta2" if a == "tf32" else "meta4"
            kernels.append(Kernel(f"{label}, %r, {selector};", arrays + [meta], THREADS, words, more + keep("d", nd, d)))
    else:
        kernels.append(Kernel(f"{label};", arrays, THREADS, words, f"{text}{call};\n" + keep("d", nd, d)))
    if WIDTH[a] == 8 and not f.sparse and not whole:
        # All products of two numbers, each alone in its sum.
        tall = f.m == 16
        text = bring("a", 2 if tall else 1, a, 0) + bring("b", 1, b, 1)
        text += "".join(f"mov.b32 %a{r}, 0;\n" for r in range(2 if tall else 1, na)) + "".join(f"mov.b32 %b{r}, 0;\n" for r in range(1, nb))
        text += "".join(f"mov.b32 %c{r}, 0;\n" for r in range(nc))
        arrays = ["rows16", "columns16"] if tall else ["rows8", "columns8"]
        kernels.append(Kernel(f"{label}; // all", arrays, 16384 if tall else 32768, words, f"{text}{call};\n" + keep("d", nd, d)))
    return kernels


# Shared memory: word m of a block from word 128 block + m % 128 + m / 128 * 1024 of an array.
def fill(array, bytes):
    return f""".reg .b64 %q<6>;
ld.param.u64 %q0, [p{array}]; mul.wide.u32 %q1, %n, 1024; add.u64 %q0, %q0, %q1; mov.u32 %s, cells;
mov.u32 %r9, %m;
F@@: and.b32 %r10, %r9, 63; shr.u32 %r11, %r9, 6; mul.wide.u32 %q1, %r10, 16; add.u64 %q1, %q1, %q0; mul.wide.u32 %q2, %r11, 8192; add.u64 %q1, %q1, %q2;
ld.global.v2.b64 {{%q3, %q4}}, [%q1]; mad.lo.u32 %r11, %r9, 16, %s; st.shared.v2.b64 [%r11], {{%q3, %q4}};
add.u32 %r9, %r9, 128; setp.lt.u32 %p3, %r9, {bytes // 16}; @%p3 bra F@@;
bar.sync 0;
"""


def cells(bytes):
    return f".shared .align 1024 .b8 cells[{bytes}];\n"


def space_of(f):
    return next((p for p in f.parts if p in ("global", "shared", "shared::cta")), "")


# Fragments in memory: the matrix of a warp begins 4096 bytes behind that of the one before; rows (or columns) are apart by
# their length and 16 to 64 bytes more, by the number of the warp, or by their length alone where no distance is given.
def lead(f, ty, role):
    rows, columns = {"a": (f.m, f.k), "b": (f.k, f.n), "c": (f.m, f.n), "d": (f.m, f.n)}[role]
    return columns if "row" in f.parts else rows


def moves(f):
    """`wmma.load` and `wmma.store`."""
    role = f.parts[2]
    ty = f.types[0]
    rows, columns = {"a": (f.m, f.k), "b": (f.k, f.n), "c": (f.m, f.n), "d": (f.m, f.n)}[role]
    n = 8 if ty == "f16" and role in "ab" else count(ty, rows, columns)
    stores = f.parts[1] == "store"
    kernels = []
    for where in ["global", "shared"] if space_of(f) == "" else [space_of(f)[:6]]:
        for given in (True, False):
            shared = where == "shared"
            body, before = "", ""
            stride = f"shr.u32 %r2, %k, 5; and.b32 %r2, %r2, 3; add.u32 %r2, %r2, 1; mul.lo.u32 %r2, %r2, {128 // WIDTH[ty]}; add.u32 %r2, %r2, {lead(f, ty, role)};\n"
            if shared:
                before = cells(16384)
                body += fill(3 if stores else 0, 16384)
                body += "shr.u32 %r3, %m, 5; mad.lo.u32 %r3, %r3, 4096, %s;\n"
                if space_of(f) == "":
                    body += "cvt.u64.u32 %x1, %r3; cvta.shared.u64 %x1, %x1;\n"
            else:
                base = "po" if stores else "p0"
                body += f"ld.param.u64 %x1, [{base}]; shr.u32 %r3, %k, 5; mul.wide.u32 %x2, %r3, 4096; add.u64 %x1, %x1, %x2;\n"
            address = "[%r3]" if shared and space_of(f) else "[%x1]"
            body += stride
            more = ", %r2" if given else ""
            if stores:
                body += bring("d", n, ty, 0)
                body += f"{f.name} {address}, {vector('d', n, ty)}{more};\n"
                if shared:
                    body += "bar.sync 0; mad.lo.u32 %r4, %m, 128, %s;\n"
                    for r in range(0, 32, 4):
                        body += f"ld.shared.v4.b32 {{%d0, %d1, %d2, %d3}}, [%r4+{4 * r}]; st.global.v4.b32 [%o+{4 * r}], {{%d0, %d1, %d2, %d3}};\n"
                words, arrays = 32, ["bits", "none", "none", "bits"]
            else:
                body += f"{f.name} {vector('d', n, ty)}, {address}{more};\n" + keep_any("d", n, ty)
                words, arrays = n * (2 if ty == "f64" else 1), ["bits"]
            label = f"{f.name} %d, {address}{more};" if not stores else f"{f.name} {address}, %d{more};"
            kernels.append(Kernel(label + (" // shared" if shared and space_of(f) == "" else ""), arrays, THREADS, words, body, before))
    return kernels


def keep_any(letter, n, ty):
    if ty == "f64" and n == 1:
        return f"st.global.b64 [%o], %{letter.upper()}0;\n"
    return keep(letter, n, ty)


def rows(f):
    """`ldmatrix`, `stmatrix`: rows of 16 bytes in an order of their own, 48 bytes apart."""
    n = next(int(p[1:]) for p in f.parts if re.fullmatch(r"x\d", p))
    stores = f.opcode == "stmatrix"
    body = fill(3 if stores else 0, 16384)
    body += "and.b32 %r2, %m, 31; mul.lo.u32 %r2, %r2, 13; and.b32 %r2, %r2, 31; shr.u32 %r3, %m, 5; mad.lo.u32 %r2, %r3, 32, %r2; mad.lo.u32 %r3, %r2, 48, %s;\n"
    address = "[%r3]"
    if space_of(f) == "":
        body += "cvt.u64.u32 %x1, %r3; cvta.shared.u64 %x1, %x1;\n"
        address = "[%x1]"
    if stores:
        body += bring("d", n, "b32", 0) + f"{f.name} {address}, {vector('d', n)};\n"
        body += "bar.sync 0; mad.lo.u32 %r4, %m, 128, %s;\n"
        for r in range(0, 32, 4):
            body += f"ld.shared.v4.b32 {{%d0, %d1, %d2, %d3}}, [%r4+{4 * r}]; st.global.v4.b32 [%o+{4 * r}], {{%d0, %d1, %d2, %d3}};\n"
        return [Kernel(f"{f.name} {address}, %d;", ["bits", "none", "none", "bits"], THREADS, 32, body, cells(16384))]
    body += f"{f.name} {vector('d', n)}, {address};\n" + keep("d", n)
    return [Kernel(f"{f.name} %d, {address};", ["bits"], THREADS, n, body, cells(16384))]


def turn(f):
    body = bring("a", 1, "b32", 0) + f"{f.name} %d0, %a0;\n" + keep("d", 1)
    return [Kernel(f"{f.name} %d, %a;", ["bits"], THREADS, 1, body)]


# Products of warpgroups: eight blocks, each with other ways to lie in shared memory (descriptors in the fifth array). The left
# factor is in the first 8192 bytes, the right one behind them; in the fourth block nothing is added.
BLOCKS = 8


def group(f, registers, scales, turns, selector=None, wait=""):
    d, a, b = f.types
    nd = f.n // 4 if d == "f16" else f.n // 2
    body = fill(1, 40960)
    if not registers:
        body += fill(0, 8192).replace("F@@", "G@@").replace(".reg .b64 %q<6>;\n", "")
    body += "ld.param.u64 %x0, [p4]; mul.wide.u32 %x1, %n, 16; add.u64 %x0, %x0, %x1; ld.global.v2.b64 {%x2, %x3}, [%x0];\n"
    body += "shr.u32 %r0, %s, 4; cvt.u64.u32 %x4, %r0; add.u64 %x2, %x2, %x4; add.u64 %x3, %x3, %x4; add.u64 %x3, %x3, 512; setp.ne.u32 %p0, %n, 3;\n"
    body += bring("d", nd, d, 2)
    arrays = [a, b, d]
    left = "%x2"
    if registers:
        body += bring("a", 4, a, 0)
        left = vector("a", 4)
    more = ""
    if f.sparse:
        body += "ld.param.u64 %x0, [p3]; add.u64 %x0, %x0, %i; ld.global.b32 %r0, [%x0];\n"
        arrays += ["meta"]
        more = f", %r0, {selector}"
    tail = "".join(f", {x}" for x in (*scales, *turns))
    body += f"fence.proxy.async; bar.sync 0; wgmma.fence.sync.aligned;\n{f.name} {vector('d', nd)}, {left}, %x3{more}, %p0{tail};\n"
    body += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n" + keep("d", nd)
    label = f"{f.name} %d, {'%a' if registers else '%x2'}, %x3{more}, %p0{tail};"
    # Of most shapes every other block is enough.
    first = None if f.n == 64 else seed(f.name) & 1
    return Kernel(label, arrays, 128 * (BLOCKS if first is None else BLOCKS // 2), nd, body, cells(40960), first)


def groups(f):
    """`wgmma`: the left factor in registers and in shared memory; all signs and orders of some shapes, one of each of the others."""
    kind = f.parts[1]
    if kind != "mma_async":
        inner = Name("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16")
        one = group(inner, True, (1, 1), (0,))
        one.label = f"{f.name}{' 0' if kind == 'wait_group' else ''};"
        return [one]
    d, a, b = f.types
    short = d != "s32"
    kernels, mine = [], seed(f.name)
    for registers in (False, True):
        signs = [(x, y) for x in (1, -1) for y in (1, -1)] if short else [()]
        turns = [()] if WIDTH[a] != 16 else [(0,), (1,)] if registers else [(x, y) for x in (0, 1) for y in (0, 1)]
        selectors = [None] if not f.sparse else [0] if WIDTH[a] == 8 else [0, 1]
        every = [(s, t, o) for s in signs for t in turns for o in selectors]
        if f.n != 64:
            every = [every[(mine >> 3) % len(every)]]
        kernels += [group(f, registers, *one) for one in every]
    if WIDTH[a] == 8 and f.n == 256 and not f.sparse:
        kernels.append(sweep(f))
    return kernels


def sweep(f):
    """All products of two numbers of 8 bits, each alone in its sum: rows in registers, columns in shared memory."""
    d, a, b = f.types
    one = group(f, True, (1, 1) if d != "s32" else (), ())
    one.label += " // all"
    one.types = f"rowsg,columnsg,zero,none,{128 * 4}x{one.words}"
    one.blocks = ""
    one.body = one.body.replace("setp.ne.u32 %p0, %n, 3;", "setp.ne.u32 %p0, %n, 77;").replace(bring("a", 4, a, 0), bring("a", 2, a, 0) + "mov.b32 %a2, 0; mov.b32 %a3, 0;\n")
    return one


def kernels():
    every = []
    with open(os.path.join(os.path.dirname(__file__), "..", "matrix.txt")) as lines:
        for line in lines:
            f = Name(line.strip())
            if f.opcode == "wgmma":
                every += groups(f)
            elif f.opcode == "mma" or "mma" in f.parts:
                every += product(f)
            elif f.opcode == "wmma":
                every += moves(f)
            elif f.opcode == "movmatrix":
                every += turn(f)
            else:
                every += rows(f)
    # Those of like types together: their arrays are made once.
    return sorted(every, key=lambda k: k.types)


def write(folder, parts):
    """One module and list, or `parts` of them."""
    every = kernels()
    for part in range(parts or 1):
        name = f"{folder}/matrix-{part}" if parts else f"{folder}/matrix"
        with open(f"{name}.ptx", "w") as module, open(f"{name}.txt", "w") as names:
            module.write(HEAD)
            for number, kernel in list(enumerate(every))[part :: parts or 1]:
                module.write(kernel.text(f"x{number}"))
                names.write(f"x{number} {kernel.types} {kernel.label}\n")
