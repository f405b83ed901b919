"""Writes the table of functions that ask.c calls, from the headers that the package nvidia-nvml-dev brings.

    table.py INCLUDE OUT    INCLUDE: the folder of nvml.h

A row: the function's name, whether it changes something, the number of its arguments, and the kind of each.
"""
import re
import subprocess
import sys
import tempfile

include, out = sys.argv[1:3]
text = open(f"{include}/nvml.h", errors="replace").read()
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
text = re.sub(r"//[^\n]*", "", text)

functions = {}
declaration = r"(?:DEPRECATED\([\d.]+\)\s*)?nvmlReturn_t\s+DECLDIR\s+(nvml\w+)\s*\(([^)]*)\)\s*;"
for match in re.finditer(declaration, text):
    arguments = []
    words = " ".join(match.group(2).split())
    for argument in words.split(",") if words not in ("", "void") else []:
        kind, name = re.match(r"(.*?)(\w+)$", argument.strip()).groups()
        arguments.append((re.sub(r"\s*\*", "*", kind.strip()), name))
    functions[match.group(1)] = arguments

enumerations = {}
for match in re.finditer(r"typedef enum\s*\w*\s*\{(.*?)\}\s*(\w+)\s*;", text, flags=re.S):
    names = re.findall(r"^\s*(\w+)\s*(?:=|,|$)", re.sub(r"=\s*[^,}]*", "=1", match.group(1)), flags=re.M)
    enumerations[match.group(2)] = names
versions = re.findall(r"#define\s+(nvml\w+?)_v(\d+)\s+NVML_STRUCT_VERSION", text)
aliases = {b: a for a, b in re.findall(r"typedef\s+(nvml\w+_t)\s+(nvml\w+_t)\s*;", text)}


def base(kind):
    return kind.replace("const ", "").replace("*", "").strip()


# Sizes and numbers, as the compiler has them.
types = {base(kind) for arguments in functions.values() for kind, _ in arguments} - {"nvmlDevice_t", "void", ""}
program = '#define NVML_NO_UNVERSIONED_FUNC_DEFS\n#include <stdio.h>\n#include "nvml.h"\nint main(void){\n'
program += "".join(f'printf("S\\t{kind}\\t%zu\\n", sizeof({kind}));\n' for kind in sorted(types))
program += "".join(f'printf("E\\t{kind}\\t%d\\n", (int){name});\n' for kind, names in enumerations.items() for name in names)
program += "".join(f'printf("V\\t{name}\\t%u\\n", (unsigned){name}_v{number});\n' for name, number in versions)
with tempfile.TemporaryDirectory() as folder:
    open(f"{folder}/facts.c", "w").write(program + "}\n")
    subprocess.check_call(["cc", "-w", "-I", include, "-o", f"{folder}/facts", f"{folder}/facts.c"])
    facts = subprocess.check_output([f"{folder}/facts"], text=True)
size, values, known = {}, {}, {}
for line in facts.splitlines():
    what, name, value = line.split("\t")
    if what == "S":
        size[name] = int(value)
    else:
        (values if what == "E" else known).setdefault(name, []).append(int(value))


def begins_with_version(kind):
    while True:
        body = r"typedef struct\s*\w*\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*(?:\w+\s*,\s*)*" + re.escape(kind) + r"\s*[;,]"
        if found := re.search(body, text):
            return bool(re.match(r"\s*unsigned int\s+version\s*;", found.group(1)))
        if kind not in aliases:
            return False
        kind = aliases[kind]


def version_words(kind):
    """What the first word of a structure may be, the newest of its size first."""
    whole = size[kind]
    words = known.get(re.sub(r"_v\d+$", "", kind[:-2]), []) or [whole | n << 24 for n in (1, 2, 3)] + [1, 2, whole]
    return sorted(words, key=lambda word: (word & 0xFFFFFF) != whole)


# Functions that change something, of which only the refusals are asked for.
CHANGES = r"Set(?!s)|Clear|Reset|Create|Destroy|Remove|Modify|ValidateInforom|Freeze|Discover|Update|Activate|ReadWrite|Register|Free|PowerSmoothing"
READS = r"TopologyGpuSet|nvmlGpmSample|GetThermalSettings|GetConfComputeSettings|RemainingCapacity|GetSupportedVgpus"
NUMBERS = {
    "link": [0, 17, 18, 99],
    "index": [0, 1, 99],
    "pid": [-7, 0, 999999],
    "cpunumber": [0, 9999],
    "profile": [0, 1, 5, 9, 14, 19, 99],
    "profileid": [0, 1, 5, 9, 14, 19, 99],
}
HANDLES = ("nvmlUnit_t", "nvmlGpuInstance_t", "nvmlComputeInstance_t", "nvmlEventSet_t", "nvmlGpmSample_t")


def argument(function, arguments, at):
    kind, name = arguments[at]
    plain, lower = base(kind), name.lower()

    def listed(letter, numbers, extra=""):
        return "{%s,.n=%d,.v={%s}%s}" % (letter, len(numbers), ",".join(f"{n}L" for n in numbers) or "0", extra)

    if "*" not in kind:
        if plain == "nvmlDevice_t":
            return "{D}"
        if plain in HANDLES:
            return "{H}"
        if plain in values:
            numbers = sorted(set(values[plain]))[:40]
            return listed("E", numbers + [numbers[-1] + 1, 1000])
        if at and arguments[at - 1][0] == "char*" and re.search("ength|ize", name) or function == "nvmlSystemGetDriverBranch":
            return "{L}"
        if "setsize" in lower:
            return listed("I", [16, 1, 0])
        if "memoryclock" in lower:
            return listed("I", [3201, 2619, 0, 99])
        return listed("I", NUMBERS.get(lower, [0, 1, 2, 3, 99]))
    if plain == "char":
        return "{C}" if kind.startswith("const ") else "{S}"
    pointers = sum("*" in other for other, _ in arguments)
    counts = re.search("ount$", name) or name in ("bufferSize", "length", "size")
    letter = "N" if counts and plain == "unsigned int" and pointers > 1 else "P"
    words = version_words(plain) if begins_with_version(plain) else []
    device = int(plain == "nvmlDevice_t")
    return listed(letter, words, f",.size={8 if device else size.get(plain, 8)},.dev={device}")


rows = []
for function, arguments in functions.items():
    if re.match(r"nvmlInit|nvmlShutdown", function):
        continue
    changes = int(bool(re.search(CHANGES, function)) and not re.search(READS, function))
    kinds = ",".join(argument(function, arguments, at) for at in range(len(arguments)))
    rows.append('{"%s",%d,%d,{%s}}' % (function, changes, len(arguments), kinds or "{0}"))
open(out, "w").write(",\n".join(rows) + "\n")
