"""Makes kernels for the forms of instructions that read more than registers: reads FOLDER/variants.txt
(`cargo xtask kernels`), writes FOLDER/more.all and FOLDER/newer.all, with what the device's driver does not know yet, which
`cargo xtask keep-kernels` goes through. With a number as a second argument, also cuts this and FOLDER/forms.all (`cargo xtask kernels`) into so many modules and lists, to run on a device. Matrix
instructions have a module and a list of their own, FOLDER/matrix.ptx and FOLDER/matrix.txt."""

import sys

import access
import atomic
import barrier
import control
import convert
import copies
import matrix
import special
import warp
from common import HEAD

MAKERS = dict(access.MAKERS)
for module in (atomic, barrier, control, convert, copies, warp):
    MAKERS.update(module.MAKERS)

# The newest version that the device's driver knows, and the newest of all.
LATEST, NEWEST = 86, "9.5"


def newer(kernel, version):
    """What that driver does not know. The manual has an older version for the last."""
    return int(version) > LATEST or kernel.instruction == "membar.proxy.async;"


def main():
    folder = sys.argv[1]
    kernels, seen = {"more": [], "newer": []}, set()
    for line in open(f"{folder}/variants.txt"):
        group, opcode, modifiers, operands, version = line.rstrip("\n").split("\t")
        if opcode not in MAKERS or group in ("integer arithmetic",):
            continue
        for kernel in MAKERS[opcode](opcode, modifiers.split(), operands):
            if kernel.instruction not in seen:
                seen.add(kernel.instruction)
                kernels["newer" if newer(kernel, version) else "more"].append(kernel)
    kernels["more"] += special.kernels()
    for name, some in kernels.items():
        # Those that end with an error, or might, come last and have a letter of their own.
        some.sort(key=lambda k: k.alone)
        with open(f"{folder}/{name}.all", "w") as out:
            out.write(HEAD if name == "more" else HEAD.replace("8.6", NEWEST))
            for number, kernel in enumerate(some):
                label = ("a" if kernel.alone else "m") + str(number)
                out.write(f"//// {label} {kernel.types} {kernel.instruction}\n{kernel.text(label)}")
    parts = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    matrix.write(folder, parts)
    if parts:
        split(folder, parts)


def split(folder, count):
    """Modules and lists with all kernels, refused here or not."""
    parts = []
    for name in ("forms", "more"):
        head, *pieces = open(f"{folder}/{name}.all").read().split("//// ")
        plain = [p for p in pieces if p[0] != "a"]
        parts += [(f"{name}-{n}", head, plain[n::count]) for n in range(count)]
        if name == "more":
            parts.append(("alone", head, [p for p in pieces if p[0] == "a"]))
    for name, head, pieces in parts:
        cut = [p.split("\n", 1) for p in pieces]
        with open(f"{folder}/{name}.ptx", "w") as out:
            out.write(head + "".join(text for _, text in cut))
        with open(f"{folder}/{name}.txt", "w") as out:
            out.write("".join(line + "\n" for line, _ in cut))


main()
