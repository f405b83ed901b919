"""NVRTC: ours over the real one, compared with the real one alone. nvrtc.py VERSION FOLDER [MODE]"""

import ctypes
import os
import re
import sys
import tempfile
import threading

from common import ARCH, POINTER, Checks, Driver, again, alone, exports, real

version, folder = sys.argv[1], sys.argv[2]
NAME = f"libnvrtc.so.{version}"
REAL = real(NAME)

ADD = b'extern "C" __global__ void add(int *a, const int *b) { a[threadIdx.x] += b[threadIdx.x]; }'
TEMPLATE = b"template <class T> __global__ void t(T *x) { *x = 1; }"
OUTPUTS = ["PTX", "CUBIN", "LTOIR", "OptiXIR", "ProgramLog"] + (["NVVM"] if version == "12" else ["TileIR"])


class Compiler:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.nvrtcGetErrorString.restype = ctypes.c_char_p

    def create(self, source=ADD):
        program = POINTER()
        code = self.library.nvrtcCreateProgram(ctypes.byref(program), source, b"x.cu", 0, None, None)
        return code, program

    def output(self, program, kind):
        size = ctypes.c_size_t(99)
        codes = [getattr(self.library, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))]
        buffer = ctypes.create_string_buffer(b"\xee" * (size.value + 8), size.value + 8)
        codes.append(getattr(self.library, f"nvrtcGet{kind}")(program, buffer))
        assert buffer.raw[size.value :] == b"\xee" * 8, f"{kind} wrote past its size"
        return codes, buffer.raw[: size.value]

    def compile(self, options, source=ADD, names=()):
        code, program = self.create(source)
        assert code == 0, code
        for name in names:
            assert self.library.nvrtcAddNameExpression(program, name) == 0
        array = None if options is None else (ctypes.c_char_p * len(options))(*options)
        code = self.library.nvrtcCompileProgram(program, len(options or ()), array)
        found = {kind: self.output(program, kind) for kind in OUTPUTS}
        lowered = []
        for name in names:
            text = ctypes.c_char_p()
            lowered.append((self.library.nvrtcGetLoweredName(program, name, ctypes.byref(text)), text.value))
        assert self.library.nvrtcDestroyProgram(ctypes.byref(program)) == 0 and not program.value
        return code, found, lowered


def bad_calls(compiler):
    """Calls with handles and pointers that are NULL: their codes."""
    library, size, out = compiler.library, ctypes.c_size_t(7), POINTER()
    byte = ctypes.byref

    def fresh():
        return compiler.create()[1]

    codes = []
    for kind in OUTPUTS:
        get, measure = getattr(library, f"nvrtcGet{kind}"), getattr(library, f"nvrtcGet{kind}Size")
        codes += [measure(None, byte(size)), measure(fresh(), None), measure(fresh(), byte(size)), size.value]
        codes += [get(None, ctypes.create_string_buffer(9)), get(fresh(), None)]
    one = (ctypes.c_char_p * 1)(None)
    codes += [library.nvrtcCompileProgram(p, n, o) for p, n, o in
              [(None, 0, None), (fresh(), -1, None), (fresh(), 1, None), (fresh(), 1, one), (fresh(), -5, one)]]
    codes += [library.nvrtcDestroyProgram(None), library.nvrtcDestroyProgram(byte(POINTER()))]
    codes += [library.nvrtcCreateProgram(None, ADD, b"x", 0, None, None)]
    codes += [library.nvrtcCreateProgram(byte(out), *rest) for rest in
              [(None, b"x", 0, None, None), (ADD, None, 0, None, None), (ADD, b"x", -1, None, None), (ADD, b"x", 1, None, None)]]
    codes += [library.nvrtcVersion(None, None), library.nvrtcGetNumSupportedArchs(None), library.nvrtcGetSupportedArchs(None)]
    codes += [library.nvrtcAddNameExpression(None, b"x"), library.nvrtcAddNameExpression(fresh(), None)]
    codes += [library.nvrtcGetLoweredName(None, b"x", byte(out)), library.nvrtcGetLoweredName(fresh(), b"x", byte(out))]
    codes += [library.nvrtcSetFlowCallback(fresh(), None, None), library.nvrtcSetFlowCallback(None, None, None)]
    codes += [library.nvrtcGetPCHCreateStatus(None), library.nvrtcGetPCHCreateStatus(fresh())]
    codes += [library.nvrtcGetPCHHeapSizeRequired(None, byte(size)), library.nvrtcGetPCHHeapSize(byte(size)), size.value]
    return codes


def versions(compiler):
    library = compiler.library
    major, minor, count = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    codes = [library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), library.nvrtcGetNumSupportedArchs(ctypes.byref(count))]
    architectures = (ctypes.c_int * count.value)()
    codes.append(library.nvrtcGetSupportedArchs(architectures))
    return codes, major.value, minor.value, list(architectures), [library.nvrtcGetErrorString(n) for n in range(-1, 25)]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER)


def cancelled(compiler):
    """What a compilation says whose callback cancels it, and what the callback was given."""
    seen = []
    cancel = CALLBACK(lambda payload, _: seen.append(payload) or 1)
    _, program = compiler.create()
    codes = [compiler.library.nvrtcSetFlowCallback(program, cancel, POINTER(0x77))]
    codes.append(compiler.library.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"-arch=" + ARCH)))
    return codes, sorted(set(seen)), compiler.output(program, "CUBIN")


def comparable(result, machine_code):
    """Machine code and what stands for it differ; whether there is one must not."""
    code, found, lowered = result
    found = dict(found)
    if machine_code:
        codes, cubin = found["CUBIN"]
        found["CUBIN"] = (codes, cubin[:4])
    return code, found, lowered


def compare(checks, ours, theirs):
    said = [re.sub("Compile time = .*|Used [0-9]+ registers", "", compiler.compile([b"-arch=" + ARCH, *more])[1]["ProgramLog"][1].decode())
            for compiler in (ours, theirs) for more in ([b"-Xptxas=-v"], [b"--ptxas-options", b"-v"])]
    checks.same("what the assembler says", said[:2], said[2:])
    arch, virtual = b"-arch=" + ARCH, b"-arch=compute_90"
    lists = [None, [], [arch], [virtual], [b"-arch", ARCH], [b"--gpu-architecture=" + ARCH], [b"--gpu-architecture", ARCH]]
    lists += [[b"-arch=sm_90a"], [b"--gpu-architecture", b"sm_90a"], [b"-arch=sm_100f"], [b"-arch=compute_100f"], [b"-arch " + ARCH]]
    lists += [[b" " + arch + b" "], [b"-arch= sm_90"], [b"-arch"], [b"-arch=sm_999"], [b"-arch=lto_90"], [b"-arch=native"], [b"-arch=SM_90"]]
    lists += [[arch, virtual], [virtual, arch], [arch, b"-arch=sm_80"], [arch, b"-dlto"], [virtual, b"-dlto"], [arch, b"--optix-ir"]]
    lists += [[arch, b"-rdc=true"], [arch, b"-G"], [arch, b"-lineinfo"], [arch, b"-maxrregcount=32"], [arch, b"--bogus"], [arch, b"-Xptxas=--bogus"], [arch, b"-arch=sm_9"]]
    for options in lists:
        got, wanted = (comparable(compiler.compile(options), True) for compiler in (ours, theirs))
        checks.same(f"options {options}", got, wanted)
    names = [b"t<int>", b"t<float*>"]
    checks.same("lowered names", comparable(ours.compile([arch], TEMPLATE, names), True), comparable(theirs.compile([arch], TEMPLATE, names), True))
    wrong = {
        "front end": b"syntax error",
        "warning": b'extern "C" __global__ void k(int *a) { int unused; *a = 1; }',
        "name in the text": b'extern "C" __global__ void k(int *a) { *a = nothing; }',
        "assembler": b'extern "C" __global__ void k() { asm("bogus;"); }',
        "undefined function": b"__device__ void f(); __global__ void k() { f(); }",
        "undefined variable": b"extern __device__ int v; __global__ void k(int *a) { *a = v; }",
    }
    for what, source in wrong.items():
        for options in ([arch], [virtual], [arch, b"-rdc=true"]):
            got, wanted = (comparable(compiler.compile(options, source), True) for compiler in (ours, theirs))
            checks.same(f"{what} with {options}", got, wanted)
    checks.same("codes of calls with NULL", bad_calls(ours), bad_calls(theirs))
    codes, major, minor, *rest = versions(theirs)
    # Another minor version, so that nobody takes containers that were kept for machine code.
    checks.same("versions and names", versions(ours), (codes, major, minor + 50, *rest))
    checks.same("callback", cancelled(ours), cancelled(theirs))
    checks.same("exports", exports(os.path.join(folder, NAME)), exports(REAL) | {f"doppel_real_library@@{NAME}"})


def hostile(checks, ours):
    """What the real library crashes on has to be refused."""
    library, size, wild = ours.library, ctypes.c_size_t(), POINTER(0x123450)

    def stale():
        program = ours.create()[1]
        copy = POINTER(program.value)
        library.nvrtcDestroyProgram(ctypes.byref(program))
        return copy

    for handle in (stale, lambda: wild):
        for kind in OUTPUTS:
            checks.same(f"{kind} of a bad handle", getattr(library, f"nvrtcGet{kind}Size")(handle(), ctypes.byref(size)), 4)
        checks.same("compile a bad handle", library.nvrtcCompileProgram(handle(), 0, None), 4)
        checks.same("destroy a bad handle", library.nvrtcDestroyProgram(ctypes.byref(handle())), 4)
        checks.same("name for a bad handle", library.nvrtcAddNameExpression(handle(), b"x"), 4)
    checks.same("destroy a wild pointer", library.nvrtcDestroyProgram(wild), 3)
    checks.same("wild source", library.nvrtcCreateProgram(ctypes.byref(POINTER()), wild, b"x", 0, None, None), 3)
    checks.same("wild program", library.nvrtcCreateProgram(wild, ADD, b"x", 0, None, None), 3)
    checks.same("many headers", library.nvrtcCreateProgram(ctypes.byref(POINTER()), ADD, b"x", 2**31 - 1, wild, wild), 3)
    one = (ctypes.c_char_p * 1)(b"-G")
    checks.same("many options", library.nvrtcCompileProgram(ours.create()[1], 2**31 - 1, one), 5)
    checks.same("wild options", library.nvrtcCompileProgram(ours.create()[1], 1, wild), 5)
    program = ours.create()[1]
    assert library.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"-arch=" + ARCH)) == 0
    checks.same("wild buffer", library.nvrtcGetCUBIN(program, wild), 3)
    checks.same("wild size", library.nvrtcGetCUBINSize(program, wild), 3)


def behaviour(checks, ours):
    arch = [b"-arch=" + ARCH]
    driver = Driver()
    cubin = ours.compile(arch)[1]["CUBIN"][1]
    checks.same("a kernel of a cubin", driver.run(cubin, b"add", [1, 2, 3], [10, 20, 30]), [11, 22, 33])
    ptx = ours.compile(arch)[1]["PTX"][1]
    checks.same("a kernel of PTX", driver.run(ptx, b"add", [1, 2, 3], [10, 20, 30]), [11, 22, 33])

    # A second compilation replaces the result; one with wrong options does not.
    program = ours.create()[1]
    kinds = []
    for option in (b"-arch=sm_90", b"-arch=sm_9", b"-arch=compute_90"):
        ours.library.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(option))
        kinds.append(ours.output(program, "CUBIN")[1][:4])
    checks.same("compiled again", kinds, [b"\x7fELF", b"\x7fELF", b""])

    results = []
    threads = [threading.Thread(target=lambda: results.extend(ours.compile(arch)[0] for _ in range(5))) for _ in range(4)]
    for thread in threads:
        thread.start()
    # The real library may hold a lock of its own in a child; ours are free.
    size = ctypes.c_size_t()
    children = [alone(lambda: ours.library.nvrtcGetPTXSize(POINTER(8), ctypes.byref(size))) for _ in range(20)]
    for thread in threads:
        thread.join()
    checks.same("threads", results, [0] * 20)
    checks.same("children of a process that compiles", children, [("4", 0)] * 20)
    checks.same("a child compiles", alone(lambda: ours.compile(arch)[0]), ("0", 0))
    checks.same("opened again", Compiler(os.path.join(folder, NAME)).compile(arch)[0], 0)


def inside(mode):
    """Another environment, in a process of its own."""
    if mode == "both":
        answers = [versions(Compiler(path))[:3] for path in sys.argv[4:]]
        with open("/proc/self/maps") as maps:
            behind = {line.split()[-1] for line in maps if "libdoppel-shims" in line}
        print([(codes[0], major, minor > 50) for codes, major, minor in answers] + [len(behind)])
        return
    ours = Compiler(os.path.join(folder, NAME))
    if mode == "place":
        place = (ctypes.c_char * 4096).in_dll(ours.library, "doppel_real_library")
        place.value = sys.argv[4].encode()
    library = ours.library
    if mode == "missing":
        code, program = ours.create()
        codes = [code, library.nvrtcCompileProgram(program, 0, None), ours.output(program, "PTX")[0], versions(ours)[0]]
        print(codes, ours.output(program, "ProgramLog")[1].decode(), versions(ours)[-1][1:3], ours.output(POINTER(8), "ProgramLog")[0])
        print([library.nvrtcDestroyProgram(ctypes.byref(program)) for _ in range(2)])
        return
    _, found, _ = ours.compile([b"-arch=" + ARCH])
    print(found["CUBIN"][1].hex())


def environments(checks, theirs):
    script, path = os.path.abspath(__file__), os.path.join(folder, NAME)
    run = lambda mode, *more, **environment: again(script, [version, folder, mode, *more], **environment)
    code, out, err = run("missing", DOPPEL_REAL_NVRTC="/nowhere/x.so")
    checks.same("without a real library", code, 0)
    checks.true("what is missing and how to give it, in the log of the program", "[0, 11, [11, 11], [11, 11, 11]] nvrtc: error: the real " + NAME in out and "name its file in DOPPEL_REAL_NVRTC" in out)
    checks.true("the same on stderr", err.count("DOPPEL_REAL_NVRTC") == 1)
    checks.true("names of results are known, and handles still checked", "[b'NVRTC_SUCCESS', b'NVRTC_ERROR_OUT_OF_MEMORY']" in out and "[0, 4]" in out)
    wanted = theirs.compile([b"-arch=" + ARCH])[1]["CUBIN"][1].hex()
    for mode in ("forward", "absent"):
        checks.same(f"machine code in {mode} mode", run(mode, DOPPEL_MODE=mode)[:2], (0, wanted + "\n"))
    container = run("cpu", DOPPEL_REAL_NVRTC=REAL)
    checks.true("a container in cpu mode", container[0] == 0 and container[1] != wanted + "\n" and container[1].startswith("7f454c46"))
    checks.same("where the real one is, from who put ours in its place", run("place", REAL, DOPPEL_REAL_NVRTC="/nowhere"), container)
    both = str([(0, 12, True), (0, 13, True), 1]) + "\n"
    audit = os.path.join(folder, "libdoppel-audit.so")
    checks.same("in the place of the real ones, both versions in one process", run("both", real("libnvrtc.so.12"), real("libnvrtc.so.13"), LD_AUDIT=audit, DOPPEL_MODE="cpu")[:2], (0, both))
    with tempfile.TemporaryDirectory() as other:
        with open(os.path.join(other, "libdoppel-shims.so"), "w") as file:
            file.write("another")
        files = [os.path.join(folder, f"libnvrtc.so.{v}") for v in (12, 13)]
        checks.same("what lies behind is ours, whatever the library path has", run("both", *files, LD_LIBRARY_PATH=other, DOPPEL_MODE="cpu")[:2], (0, both))
    checks.true("our own file is not the real one", "itself" in run("missing", DOPPEL_REAL_NVRTC=path)[1])


if len(sys.argv) > 3:
    inside(sys.argv[3])
else:
    checks = Checks(NAME)
    ours, theirs = Compiler(os.path.join(folder, NAME)), Compiler(REAL)
    compare(checks, ours, theirs)
    hostile(checks, ours)
    behaviour(checks, ours)
    environments(checks, theirs)
    checks.end()
