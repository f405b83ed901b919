"""Random and damaged input for a library of ours over a real one. fuzz.py LIBRARY VERSION FOLDER [ROUNDS [SEED]]

Each round runs in a child, and in another one with the real library alone: ours may not crash where that one does not.
"""

import ctypes
import os
import random
import sys
import tempfile

from common import POINTER, Checks, alone, real

library, version, folder = sys.argv[1:4]
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 40
seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
NAME = {"nvrtc": "libnvrtc.so.", "nvjitlink": "libnvJitLink.so."}[library] + version

PIECES = [b"-arch", b"--gpu-architecture", b"=", b"sm_90", b"compute_90", b"sm_", b"90a", b" ", b"-rdc=true", b"-G", b"-dlto", b"-maxrregcount"]
PIECES += [b"=32", b"-1", b"99999999999", b"--", b"-", b"-I", b"-D", b"X=1", b"\xff\xfe", b"\t", b'"', b"'", b"a" * 5000, b"-std=c++17", b"-O3"]


def mutate(chance, data):
    """Some bytes changed, removed or doubled."""
    data = bytearray(data)
    for _ in range(chance.choice([0, 1, 2, 8])):
        if not data:
            break
        at = chance.randrange(len(data))
        kind = chance.randrange(5)
        if kind == 0:
            data[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
        elif kind == 1:
            del data[at : at + chance.choice([1, 4, 64])]
        elif kind == 2:
            data[at:at] = data[at : at + chance.choice([1, 8, 256])]
        elif kind == 3:
            data[at : at + 4] = chance.randrange(2**32).to_bytes(4, "little")
        else:
            del data[at:]
    return bytes(data)


def option(chance):
    return b"".join(chance.choice(PIECES) for _ in range(chance.randrange(1, 4))).replace(b"\0", b"")


class Nvrtc:
    SOURCE = b'extern "C" __global__ void k(int *a) { *a = 1; }'

    def input(self, chance):
        options = [option(chance) for _ in range(chance.randrange(4))]
        if chance.random() < 0.5:
            options.append(b"-arch=sm_90")
        return options, mutate(chance, self.SOURCE) if chance.random() < 0.3 else self.SOURCE

    def run(self, path, given):
        options, source = given
        nvrtc, program, size = ctypes.CDLL(path), POINTER(), ctypes.c_size_t()
        codes = [nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"x", 0, None, None)]
        codes.append(nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)))
        for kind in ("PTX", "CUBIN", "ProgramLog"):
            codes.append(getattr(nvrtc, f"nvrtcGet{kind}Size")(program, ctypes.byref(size)))
            buffer = ctypes.create_string_buffer(size.value + 1)
            codes.append(getattr(nvrtc, f"nvrtcGet{kind}")(program, buffer))
        codes.append(nvrtc.nvrtcDestroyProgram(ctypes.byref(program)))
        return codes

    def agree(self, ours, theirs):
        return ours == theirs


class NvJitLink:
    """Inputs of every type, whole and damaged. Which of them are right is told by other tests: here nothing may crash."""

    def __init__(self):
        sys.argv[1:] = [version, folder]
        import nvjitlink

        self.module = nvjitlink
        container = nvjitlink.Linker(os.path.join(folder, NAME)).cubin((2, nvjitlink.DEVICE, b"x"))
        machine_code = nvjitlink.Linker(real(NAME)).cubin((2, nvjitlink.DEVICE, b"x"))
        fat = nvjitlink.fat(nvjitlink.DEVICE)
        hidden = nvjitlink.host_object(fat)
        self.seeds = [nvjitlink.KERNEL, nvjitlink.DEVICE, container, machine_code, fat, hidden, nvjitlink.archive(hidden, container, b"text")]
        self.seeds += [nvjitlink.intermediate(nvjitlink.LTO_DEVICE), b""]

    def input(self, chance):
        options = [b"-arch=sm_90"] + [chance.choice([b"-lto", b"-Xptxas=-v", b"-g", b"-time", option(chance)]) for _ in range(chance.randrange(3))]
        inputs = [(chance.choice([1, 2, 3, 4, 5, 6, 7, 10, 10, 10, 0, -1, 2**31 - 1]), mutate(chance, chance.choice(self.seeds))) for _ in range(chance.randrange(1, 4))]
        return options, inputs

    def run(self, path, given):
        options, inputs = given
        linker = self.module.Linker(path)
        codes = linker.link(options, *[(kind, data, b"name") for kind, data in inputs])[0]
        return codes

    def agree(self, ours, theirs):
        return True


def main():
    checks = Checks(f"hostile input for {NAME}, seed {seed}")
    subject = {"nvrtc": Nvrtc, "nvjitlink": NvJitLink}[library]()
    ours, theirs = os.path.abspath(os.path.join(folder, NAME)), real(NAME)
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for number in range(rounds):
            given = subject.input(random.Random(f"{seed}:{number}"))
            got, wanted = (alone(lambda: subject.run(path, given)) for path in (ours, theirs))
            if wanted[1] != 0:
                checks.true(f"round {number}: {given!r}", got[1] in (0, wanted[1]))
            else:
                checks.true(f"round {number}: {given!r}: {got} {wanted}", got[1] == 0 and subject.agree(got[0], wanted[0]))
    checks.end()


main()
