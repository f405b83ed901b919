"""nvJitLink: ours, compared with the real one alone. nvjitlink.py VERSION FOLDER [MODE]"""

import ctypes
import os
import re
import subprocess
import sys

from common import POINTER, Checks, Driver, again, exports, real

version, folder = sys.argv[1], sys.argv[2]
NAME = f"libnvJitLink.so.{version}"
REAL = real(NAME)

CUBIN, PTX, LTOIR, FATBIN, OBJECT, LIBRARY, INDEX, ANY = 1, 2, 3, 4, 5, 6, 7, 10
HEAD = b".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = HEAD + b"""
.extern .func (.param .b32 r) more(.param .b32 a);
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd1, %rd2; ld.global.u32 %r1, [%rd1];
  { .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r1; call.uni (r0), more, (a0); ld.param.b32 %r2, [r0]; }
  st.global.u32 [%rd1], %r2; ret;
}
"""
DEVICE = HEAD + b"""
.visible .func (.param .b32 r) more(.param .b32 a) {
  .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.s32 %r2, %r1, 1; st.param.b32 [r], %r2; ret;
}
"""
VARIABLE = HEAD + b".visible .global .align 4 .u32 v = 7;\n"
ARCH = (b"-arch=sm_90",)
OUTPUTS = ["LinkedCubin", "LinkedPtx"] + (["LinkedLTOIR"] if version == "13" else [])


def fat(text):
    entry = bytearray(64)
    entry[0], entry[4], entry[28] = 1, 64, 80
    entry[8:16] = len(text).to_bytes(8, "little")
    body = bytes(entry) + text
    return (0xBA55ED50).to_bytes(4, "little") + b"\1\0\x10\0" + len(body).to_bytes(8, "little") + body


def archive(*members):
    whole = b"!<arch>\n"
    for member in members:
        whole += b"%-48s%-10d`\n" % (b"name/", len(member)) + member + b"\n" * (len(member) % 2)
    return whole


def host_object(contents):
    """An object of the host with a section of device code."""
    names = b"\0.nv_fatbin\0"
    first = 64
    second = (first + len(names) + 7) // 8 * 8
    table = (second + len(contents) + 7) // 8 * 8
    header = bytearray(64)
    header[:7] = b"\x7fELF\x02\x01\x01"
    header[16:20] = b"\1\0\x3e\0"
    header[40:48] = table.to_bytes(8, "little")
    header[52:64] = b"\x40\0\0\0\0\0\x40\0\3\0\1\0"
    sections = b""
    for name, start, size in [(0, 0, 0), (0, first, len(names)), (1, second, len(contents))]:
        section = bytearray(64)
        section[:4] = name.to_bytes(4, "little")
        section[4] = 1 if size else 0
        section[24:32], section[32:40] = start.to_bytes(8, "little"), size.to_bytes(8, "little")
        sections += bytes(section)
    return (bytes(header) + names).ljust(second, b"\0") + contents.ljust(table - second, b"\0") + sections


class Linker:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def create(self, *options):
        handle = POINTER(0x55)
        code = self.library.nvJitLinkCreate(ctypes.byref(handle), len(options), (ctypes.c_char_p * len(options))(*options))
        return code, handle

    def add(self, handle, kind, data, name=b"in"):
        return self.library.nvJitLinkAddData(handle, kind, data, ctypes.c_size_t(len(data)), name)

    def output(self, handle, what):
        size = ctypes.c_size_t(77)
        codes = [getattr(self.library, f"nvJitLinkGet{what}Size")(handle, ctypes.byref(size))]
        length = size.value if codes[0] == 0 else 0
        buffer = ctypes.create_string_buffer(b"\xee" * (length + 8), length + 8)
        codes.append(getattr(self.library, f"nvJitLinkGet{what}")(handle, buffer))
        return codes, size.value if codes[0] else buffer.raw[:length]

    def logs(self, handle):
        return [self.output(handle, f"{kind}Log") for kind in ("Error", "Info")]

    def link(self, options, *inputs):
        code, handle = self.create(*options)
        codes = [code] + [self.add(handle, kind, data, name) for kind, data, name in inputs]
        codes.append(self.library.nvJitLinkComplete(handle))
        found = {what: self.output(handle, what) for what in OUTPUTS}
        logs = self.logs(handle)
        codes.append(self.library.nvJitLinkDestroy(ctypes.byref(handle)))
        return codes, found, logs, handle.value

    def cubin(self, *inputs, options=ARCH):
        return self.link(options, *inputs)[1]["LinkedCubin"][1]


def comparable(result):
    """Machine code and what stands for it differ; whether there is one must not. Nor do times, numbers of registers and of lines of its source count."""
    codes, found, logs, handle = result
    found = dict(found)
    if found["LinkedCubin"][0] == [0, 0]:
        found["LinkedCubin"] = (found["LinkedCubin"][0], found["LinkedCubin"][1][:4])
    logs = [(codes_of, re.sub(rb"[0-9.]+ ms|: [0-9]+\.[0-9]{6}|Used [0-9]+|ERROR [19]: (finish|complete)", b"", text)) for codes_of, text in logs]
    return codes, found, logs, handle


def option_lists():
    """All options that are documented, and what is near them."""
    alone = [(), (b"-arch=sm_999",), (b"-arch=banana",), (b"-arch=",), (b"-arch",), (b"-arch", b"sm_90"), (b"--arch=sm_90",), (b"-lto",)]
    alone += [(b"-bogus",), (b"-bogus", b"-arch=sm_90"), (b"-arch=sm_90a",), (b"-arch=sm_100f",), (b"-arch=sm_90 -lto",), (b"-arch=native",)]
    alone += [(b"-arch=compute_90",), (b"-arch=compute_90", b"-ptx", b"-lto"), (b"-arch=lto_90",)]
    alone += [(b"-arch=sm_50",)] if version == "13" else []
    for text in b"-O2 -O3 -O0 -O -maxrregcount=32 -maxrregcount=abc -maxrregcount -time -verbose -g -lineinfo -ftz=true -ftz=2 -ftz -fma=1".split():
        alone.append(ARCH + (text,))
    for text in b"-prec-div=0 -prec-sqrt=false -kernels-used=k -variables-used=k -optimize-unused-variables -Xptxas=-v -Xptxas -Xnvvm=-v".split():
        alone.append(ARCH + (text,))
    for text in b"-split-compile=0 -split-compile-extended=0 -no-cache -r -Ofc=max -Ofc=bad -nvvm-latest -ptx -lto -bogus -arch=sm_80 -cache".split():
        alone.append(ARCH + (text,))
    return alone + [ARCH + (b"",), ARCH + (b" -g",), ARCH + (b"-g", b"-O3"), ARCH + (b"-lto", b"-ptx")]


def options_of(linker):
    found = {}
    for options in option_lists():
        code, handle = linker.create(*options)
        found[options] = code, handle.value not in (None, 0x55), linker.logs(handle)
    return found


def intermediate(source):
    """Code for link time optimisation, by the real NVRTC of the same release."""
    nvrtc, program, size = ctypes.CDLL(real(f"libnvrtc.so.{version}")), POINTER(), ctypes.c_size_t()
    options = (b"-arch=sm_90", b"-dlto", b"-rdc=true")
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"x.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    assert nvrtc.nvrtcGetLTOIRSize(program, ctypes.byref(size)) == 0
    buffer = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetLTOIR(program, buffer) == 0
    return buffer.raw


LTO_KERNEL = b'extern "C" __device__ int more(int); extern "C" __global__ void k(int *p) { p[threadIdx.x] = more(p[threadIdx.x]); }'
LTO_KEPT = b"""
extern "C" __device__ int more(int a) { return a + 1; }
extern "C" __device__ int other(int a) { return a + 2; }
extern "C" __global__ void own(int *p) { p[0] = more(p[0]); }
"""
LTO_OTHER = b'extern "C" __device__ int other(int a) { return a + 2; }'
LTO_DEVICE = b'extern "C" __device__ int more(int a) { return a + 1; }'


def compare(checks, ours, theirs, wanted):
    got = options_of(ours)
    for options in wanted:
        checks.same(f"options {options}", got[options], wanted[options])
    lto = intermediate(LTO_KERNEL), intermediate(LTO_DEVICE)
    a, b = (PTX, KERNEL, b"a"), (PTX, DEVICE, b"b")
    cases = {
        "two": (ARCH, a, b),
        "with NUL": (ARCH, (PTX, KERNEL + b"\0", b"a"), (PTX, DEVICE + b"\0", b"b")),
        "undefined": (ARCH, a),
        "undefined, without a name": (ARCH, (PTX, KERNEL, None)),
        "two undefined": (ARCH, (PTX, KERNEL.replace(b"more", b"other"), b"a"), (PTX, KERNEL.replace(b" k(", b" k2("), b"b")),
        "undefined variable": (ARCH, (PTX, HEAD + b".extern .global .align 4 .u32 v;\n.visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [v]; st.global.u32 [v], %r1; ret; }", b"a")),
        "defined twice": (ARCH, b, (PTX, DEVICE, b"c")),
        "variable twice": (ARCH, (PTX, VARIABLE, b"a"), (PTX, VARIABLE, b"b")),
        "nothing": (ARCH,),
        "syntax": (ARCH, (PTX, DEVICE.replace(b"add.s32", b"bogus"), b"b")),
        "target": (ARCH, (PTX, DEVICE.replace(b"sm_80", b"sm_100").replace(b"8.0", b"8.7"), b"b")),
        "empty": (ARCH, (PTX, b"", b"b")),
        "verbose assembler": (ARCH + (b"-Xptxas=-v",), a, b),
        "unknown option of the assembler": (ARCH + (b"-Xptxas=--bogus",), a, b),
        "times": (ARCH + (b"-time",), a, b),
        "archive without device code": (ARCH, b, (LIBRARY, archive(b"text"), b"c")),
        "lto": (ARCH + (b"-lto",), (LTOIR, lto[0], b"a"), (LTOIR, lto[1], b"b")),
        "lto, any": (ARCH + (b"-lto",), (ANY, lto[0], b"a"), (ANY, lto[1], b"b")),
        "lto, PTX": (ARCH + (b"-lto", b"-ptx"), (LTOIR, lto[0], b"a"), (LTOIR, lto[1], b"b")),
        "lto, virtual": ((b"-arch=compute_90", b"-lto", b"-ptx"), (LTOIR, lto[0], b"a"), (LTOIR, lto[1], b"b")),
        "lto with PTX": (ARCH + (b"-lto",), (LTOIR, lto[0], b"a"), b),
        "lto with PTX, PTX": (ARCH + (b"-lto", b"-ptx"), (LTOIR, lto[0], b"a"), b),
        "lto not asked for": (ARCH, (LTOIR, lto[0], b"a")),
        "lto without inputs": (ARCH + (b"-lto",), a),
        "lto, undefined": (ARCH + (b"-lto",), (LTOIR, lto[0], b"a")),
        "lto twice": (ARCH + (b"-lto",), (LTOIR, lto[1], b"a"), (LTOIR, lto[1], b"b")),
    }
    if version == "13":
        cases["relocatable"] = (ARCH + (b"-r",), a)
        cases["version"] = (ARCH, (PTX, DEVICE.replace(b"8.0", b"99.0"), b"b"))
    data = {"PTX": DEVICE, "garbage": b"garbage" * 9, "ELF": b"\x7fELF\x02\x01\x01".ljust(130, b"\0"), "archive": b"!<arch>\n", "no fat binary": fat(b"")[:8] + bytes(8)}
    for name, bytes_of in data.items():
        for kind in range(12):
            cases[f"{name} as type {kind}"] = (ARCH, (kind, bytes_of, b"b"))
    for name, (options, *inputs) in cases.items():
        got, wanted = (comparable(linker.link(options, *inputs)) for linker in (ours, theirs))
        checks.same(name, got, wanted)

    def codes(linker):
        library, size, byte = linker.library, ctypes.c_size_t(), ctypes.byref
        handle = linker.create(*ARCH)[1]
        found = [library.nvJitLinkDestroy(None), library.nvJitLinkDestroy(byte(POINTER())), library.nvJitLinkComplete(None)]
        found += [library.nvJitLinkAddData(None, 2, DEVICE, 5, None), library.nvJitLinkAddFile(None, 2, b"x"), library.nvJitLinkCreate(None, 0, None)]
        found += [library.nvJitLinkCreate(byte(POINTER()), 1, None), library.nvJitLinkAddFile(handle, 2, None), library.nvJitLinkAddFile(handle, 2, b"/nowhere")]
        for what in OUTPUTS + ["ErrorLog", "InfoLog"]:
            get, measure = getattr(library, f"nvJitLinkGet{what}"), getattr(library, f"nvJitLinkGet{what}Size")
            found += [measure(None, byte(size)), get(None, None), measure(handle, None)]
        major, minor = ctypes.c_uint(), ctypes.c_uint()
        # Ours has another minor version, so that nobody takes containers that were kept for machine code.
        own = 50 if linker is ours else 0
        found += [library.nvJitLinkVersion(byte(major), byte(minor)), major.value, minor.value - own, library.nvJitLinkVersion(None, None)]
        return found, linker.logs(handle)

    checks.same("codes of calls with NULL", codes(ours), codes(theirs))
    checks.same("exports", exports(os.path.join(folder, NAME)), exports(REAL) | {f"doppel_real_library@@{NAME}"})


def hostile(checks, ours):
    """What the real library crashes on has to be refused."""
    library, size, wild = ours.library, ctypes.c_size_t(), POINTER(0x123450)
    handle = ours.create(*ARCH)[1]
    stale = POINTER(handle.value)
    library.nvJitLinkDestroy(ctypes.byref(handle))
    for bad in (stale, wild):
        checks.same("complete a bad handle", library.nvJitLinkComplete(bad), 3)
        checks.same("add to a bad handle", ours.add(bad, PTX, DEVICE), 3)
        checks.same("log of a bad handle", library.nvJitLinkGetErrorLogSize(bad, ctypes.byref(size)), 3)
        checks.same("destroy a bad handle", library.nvJitLinkDestroy(ctypes.byref(bad)), 3)
    handle = ours.create(*ARCH)[1]
    checks.same("wild data", library.nvJitLinkAddData(handle, PTX, wild, ctypes.c_size_t(100), b"x"), 3)
    checks.same("huge data", library.nvJitLinkAddData(handle, PTX, DEVICE, ctypes.c_size_t(2**63), b"x"), 3)
    checks.same("wild name", library.nvJitLinkAddData(handle, PTX, DEVICE, ctypes.c_size_t(len(DEVICE)), wild), 3)
    checks.same("wild file", library.nvJitLinkAddFile(handle, PTX, wild), 3)
    checks.same("wild handle", library.nvJitLinkCreate(wild, 0, None), 3)
    checks.same("many options", library.nvJitLinkCreate(ctypes.byref(POINTER()), 2**32 - 1, wild), 3)
    checks.same("complete twice", [library.nvJitLinkComplete(handle), library.nvJitLinkComplete(handle)], [0, 6])
    checks.same("wild buffer", library.nvJitLinkGetLinkedCubin(handle, wild), 3)
    checks.same("wild size", library.nvJitLinkGetLinkedCubinSize(handle, wild), 3)


def behaviour(checks, ours):
    driver = Driver()
    kernel, device = (PTX, KERNEL, b"a"), (PTX, DEVICE, b"b")
    inner = ours.cubin(device)
    # The containers of one link are inputs of the next.
    partial = ours.cubin(kernel, options=ARCH + (b"-r",)) if version == "13" else None
    fat_twice = archive(host_object(fat(DEVICE)), b"text")
    for what, inputs in {
        "PTX": (kernel, device),
        "other order": (device, kernel),
        "a container": (kernel, (CUBIN, inner, b"c")),
        "a container, any": (kernel, (ANY, inner, None)),
        "a fat binary": (kernel, (FATBIN, fat(DEVICE), b"c")),
        "an object": (kernel, (OBJECT, host_object(fat(DEVICE)), b"c")),
        "an archive": (kernel, (LIBRARY, fat_twice, b"c")),
        "a relocatable link": ((CUBIN, partial, b"c"), device) if partial else (kernel, device),
        "a second definition": (kernel, device, (PTX, DEVICE.replace(b"%r1, 1", b"%r1, 9"), b"c")),
    }.items():
        checks.same(f"a kernel out of {what}", driver.run(ours.cubin(*inputs), b"k", [1, 2, 3]), [2, 3, 4])
    lto = intermediate(LTO_KERNEL), intermediate(LTO_DEVICE)
    for what, inputs in {"lto": ((LTOIR, lto[0], b"a"), (LTOIR, lto[1], b"b")), "lto with PTX": ((LTOIR, lto[0], b"a"), device)}.items():
        cubin = ours.cubin(*inputs, options=ARCH + (b"-lto",))
        checks.same(f"a kernel out of {what}", driver.run(cubin, b"k", [1, 2, 3]), [2, 3, 4])
    # The real library leaves out of its PTX what no kernel of the code calls: one that PTX calls stays.
    kept = intermediate(LTO_KEPT)
    for what, inputs, more in (
        ("functions for PTX", ((LTOIR, kept, b"a"), kernel), ()),
        ("functions for PTX, other order", (kernel, (LTOIR, kept, b"a")), ()),
        ("functions for PTX beside a kernel that is used", ((LTOIR, kept, b"a"), kernel), (b"-kernels-used=own",)),
    ):
        cubin = ours.cubin(*inputs, options=ARCH + (b"-lto",) + more)
        checks.same(what, driver.run(cubin, b"k", [1, 2, 3]), [2, 3, 4])
        checks.same(f"{what}: the code's own kernel", driver.run(cubin, b"own", [1, 2, 3]), [2, 2, 3])
        checks.same(f"{what}: kernels", sorted(re.findall(rb"\.entry (\w+)", cubin)), [b"k", b"own"])
    code, handle = ours.create(*ARCH, b"-lto")
    checks.same("a function that nothing has", [ours.add(handle, LTOIR, intermediate(LTO_OTHER)), ours.add(handle, *kernel), ours.library.nvJitLinkComplete(handle)], [0, 0, 6])
    checks.true("its name", b"Undefined reference to 'more' in 'a'" in ours.logs(handle)[0][1])
    # Machine code cannot be linked, and the log says what can.
    theirs = Linker(REAL).cubin(device)
    code, handle = ours.create(*ARCH)
    checks.same("machine code", ours.add(handle, CUBIN, theirs), 3)
    checks.true("what helps against machine code", b"machine code does not run here" in ours.logs(handle)[0][1])


def inside(mode):
    """Another environment, in a process of its own."""
    ours = Linker(os.path.join(folder, NAME))
    if mode == "options":
        print(repr(options_of(ours)))
    elif mode == "missing":
        lto = intermediate(LTO_KERNEL)
        major, minor = ctypes.c_uint(), ctypes.c_uint()
        code = ours.library.nvJitLinkVersion(ctypes.byref(major), ctypes.byref(minor))
        print(code, major.value, ours.link(ARCH, (PTX, KERNEL, b"a"), (PTX, DEVICE, b"b"))[0], ours.link(ARCH + (b"-lto",), (LTOIR, lto, b"a"))[::2])
    else:
        print(ours.cubin((PTX, DEVICE, b"b")).hex())


def environments(checks, theirs, wanted):
    script = os.path.abspath(__file__)
    run = lambda mode, **environment: again(script, [version, folder, mode], **environment)
    out = run("missing", DOPPEL_REAL_NVJITLINK="/nowhere/x.so")[1]
    checks.true("PTX is linked without a real library", out.startswith(f"0 {version} [0, 0, 0, 0, 0] "))
    checks.true("what is missing for code for link time optimisation", "[0, 0, 6, 0]" in out and "name its file in DOPPEL_REAL_NVJITLINK" in out)
    # Without a real library its verdict on options is ours; where it only remarks on something, nothing is said.
    got = eval(run("options", DOPPEL_REAL_NVJITLINK="/nowhere/x.so")[1])
    for options in wanted:
        checks.same(f"options {options} without a real library", got[options], wanted[options])
    machine_code = theirs.cubin((PTX, DEVICE, b"b")).hex()
    for mode in ("forward", "absent"):
        checks.same(f"machine code in {mode} mode", run("forward", DOPPEL_MODE=mode)[:2], (0, machine_code + "\n"))


if __name__ == "__main__":
    if len(sys.argv) > 3:
        inside(sys.argv[3])
    else:
        checks = Checks(NAME)
        ours, theirs = Linker(os.path.join(folder, NAME)), Linker(REAL)
        # Once: release 12 does not bear to be asked for an unknown architecture twice.
        verdicts = options_of(theirs)
        compare(checks, ours, theirs, verdicts)
        hostile(checks, ours)
        behaviour(checks, ours)
        environments(checks, theirs, verdicts)
        checks.end()
