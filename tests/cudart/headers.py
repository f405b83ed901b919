#!/usr/bin/env python3
"""Compares our headers of the CUDA runtime with NVIDIA's, name by name: layouts, values, types, signatures, and what plain names mean with
the default stream of each thread. What ours declare has to be as NVIDIA's has it; what they do not declare are the functions that
docs/STATUS-cudart.md says the runtime lacks, and nothing else.

    headers.py NVIDIA-INCLUDE OUR-INCLUDE
"""

import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(TOP, "c-tests/abi"))
from check_abi import PER_THREAD, Headers, collect, constants, macros, meanings

#: Ours in C++ has constructors, too; in C it is the same.
APART = {}


def read(include, flags, work):
    headers = Headers(include, flags, work)
    headers.source = "#include <cuda_runtime_api.h>\n"
    unit = headers.clean()
    return headers, unit, collect(headers, [unit])


def main():
    theirs_at, ours_at = sys.argv[1:]
    compiler = subprocess.run(["cc", "-print-file-name=include"], capture_output=True, text=True, check=True)
    flags = ["-isystem", compiler.stdout.strip()]
    with open(os.path.join(TOP, "docs/STATUS-cudart.md"), encoding="utf-8") as file:
        lacking = set(re.findall(r"^\| `(\w+)` \| \S+ \| no \|", file.read(), re.M))
    wrong = 0

    def complain(text):
        nonlocal wrong
        wrong += 1
        print(f"DIFFERENT {text}")

    with tempfile.TemporaryDirectory() as work:
        theirs, their_unit, left = read(theirs_at, flags, work)
        ours, our_unit, right = read(ours_at, flags, work)
        # Tags are names in C++; ours are in C, too.
        right["typedef"] = {n: d for n, d in right["typedef"].items() if d not in (f"record {n}", f"enum {n}") or n in left["typedef"]}
        tables = {kind: (left[kind], right[kind]) for kind in left}
        theirs.source = ours.source = "#include <cuda_runtime_api.h>\n"
        names = macros(theirs, their_unit), macros(ours, our_unit)
        numbers = [{name for name in part if name.startswith(("cuda", "CUDART_VERSION"))} for part in names]
        values = []
        for headers, part in zip((theirs, ours), numbers):
            # `constants` leaves names of the driver's functions alone.
            plain = {name: name for name in part}
            values.append(evaluate(headers, plain))
        tables["constant"] = tuple(values)
        functions = set(left["function"]) & set(right["function"])
        tables["per-thread"] = tuple(meanings(headers, functions, (PER_THREAD,)) for headers in (theirs, ours))

    for kind, (a, b) in tables.items():
        for name in sorted(b):
            if name not in a:
                if not name.startswith(("DOPPEL", "CU_DOPPEL")) and not (kind == "function" and re.search(r"_pt[sd][sz]$", name)):
                    complain(f"{kind} {name}: NVIDIA has none")
            elif a[name] != b[name]:
                complain(f"{kind} {name}\n  NVIDIA: {a[name]}\n  ours:   {b[name]}")
        missing = sorted(set(a) - set(b))
        if kind == "function":
            for name in missing:
                if name not in lacking:
                    complain(f"function {name} is not declared, though the runtime has it")
        print(f"{kind}: {len(set(a) & set(b))} the same names, {len(missing)} of NVIDIA's alone: {' '.join(missing)}")
    for name in sorted(set(tables["function"][1]) & lacking):
        complain(f"function {name} is declared, though the runtime lacks it")
    if len(tables["function"][1]) < 300 or len(tables["record"][1]) < 50 or len(tables["constant"][1]) < 50:
        complain("hardly anything was compared")
    print("the headers of the runtime agree" if not wrong else f"{wrong} differences")
    return 1 if wrong else 0


def evaluate(headers, names):
    """The values of macros that are numbers."""
    names = sorted(names)
    first = headers.source.count("\n") + 1
    while True:
        probe = "".join(f"enum {{ probe_{name} = (long long)({name}) }};\n" for name in names)
        unit, errors = headers.parse(extra=probe)
        bad = {names[error.location.line - first] for error in errors if error.location.file.name.endswith("probe.c")}
        if not bad:
            break
        names = [name for name in names if name not in bad]
    found = {}
    for cursor in unit.cursor.get_children():
        for child in cursor.get_children():
            if child.spelling.startswith("probe_"):
                found[child.spelling[6:]] = child.enum_value
    return found


if __name__ == "__main__":
    sys.exit(main())
