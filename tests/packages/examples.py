#!/usr/bin/env python3
"""Runs the examples of the pages that show what commands print, and compares it. Numbers of processes, addresses, times and folders
are not compared, and lines in any order: what threads do at once is not. Where `...` stands alone, more may be printed.

    examples.py PREFIX [PAGE...]    with what is installed in PREFIX; nvcc is CUDACXX, or found in PATH
"""

import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = ["README.md", "docs/CHECK.md", "docs/LAYERS.md"]
#: Programs of tests/data, in C and for nvcc.
PROGRAMS = ["careless", "fill", "step"]
KERNELS = ["loop", "reduce", "ring", "scale", "sum"]
#: A frame inside of the runtime, which has no name where the library is stripped, and is not shown where it has one.
UNNAMED = re.compile(r"doppel: +libcudart\.so\.\d+\+0x[0-9a-f]+")
#: An example that tests/record.sh compares.
ELSEWHERE = ("doppel replay kernel.rec",)


def plain(line):
    """A line without what differs from run to run."""
    for pattern, by in (
        (r"0x[0-9a-f]+", "0x"),
        (r"process \d+", "process N"),
        (r"^\d+ \d+\.\d{9}", "N T"),
        (r"\d+\.\d{9}", "T"),
        (r"by \d+ at", "by N at"),
        (r"\b\d+(\.\d+)? (ns|us|ms|s)\b", "T"),
        (r"tmpxft_\w+-\d+_", ""),
        (r"/\S*/([\w.]+)", r"\1"),
        (r"\s+", " "),
    ):
        line = re.sub(pattern, by, line)
    return line.strip()


def examples(text):
    """Commands behind a dollar sign, with the lines that follow."""
    for body in re.findall(r"^```\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", "\n" + body, flags=re.M)[1:]:
            command, *lines = part.splitlines()
            yield re.sub(r"\s+# .*$", "", command), lines


def compile_all(prefix, work):
    """The programs of the examples, several at a time: nvcc takes its time."""
    libraries = ["-L", f"{prefix}/lib"]
    nvcc = [os.environ.get("CUDACXX", "nvcc"), "-arch=sm_90", "-lineinfo", "-g", "-cudart", "shared"]
    commands = [["cc", "-g", "-O1", "-I", TOP, "-o", f"{work}/{name}", f"{TOP}/tests/data/{name}.c", *libraries, "-lcuda"] for name in PROGRAMS]
    commands += [[*nvcc, "-o", f"{work}/{name}", f"{TOP}/tests/data/{name}.cu", *libraries] for name in KERNELS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda command: subprocess.run(command, check=True), commands))


def run(command, here, environment):
    """What a command prints. One core, where kernels are checked: which of many accesses is met first depends on which blocks run at once."""
    cores = os.sched_getaffinity(0)
    if "--check" in command:
        os.sched_setaffinity(0, {min(cores)})
    try:
        done = subprocess.run(["bash", "-uc", command], cwd=here, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    finally:
        os.sched_setaffinity(0, cores)
    return done.stdout


def main():
    prefix = os.path.abspath(sys.argv[1])
    ran = failed = 0
    sweeps = {}
    with tempfile.TemporaryDirectory() as work:
        compile_all(prefix, work)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DOPPEL_", "LD_"))}
        environment |= {"PATH": f"{prefix}/bin:{environment['PATH']}", "DOPPEL_NODE": "none"}
        for page in sys.argv[2:] or PAGES:
            here = f"{work}/{page.replace('/', '-')}"
            os.mkdir(here)
            for name in PROGRAMS + KERNELS:
                os.link(f"{work}/{name}", f"{here}/{name}")
            with open(os.path.join(TOP, page), encoding="utf-8") as file:
                found = list(examples(file.read()))
            if not found:
                failed += 1
                print(f"FAILED {page}: it has no examples")
            for command, lines in found:
                if command.startswith(ELSEWHERE):
                    continue
                ran += 1
                # Two pages show the same, which takes seconds.
                printed = sweeps.get(command) or run(command, here, environment)
                if "sweep" in command:
                    sweeps[command] = printed
                shown = collections.Counter(plain(line) for line in lines if line not in ("", "..."))
                got = collections.Counter(plain(line) for line in printed.splitlines() if line and not UNNAMED.fullmatch(line))
                lost, more = shown - got, collections.Counter() if "..." in lines else got - shown
                if lost or more:
                    failed += 1
                    print(f"FAILED {page}: {command}")
                    print("".join(f"    - {line}\n" for line in lost) + "".join(f"    + {line}\n" for line in more), end="")
            if page != "docs/LAYERS.md":
                continue
            # The picture in the page is one of the same program.
            with open(f"{here}/timeline.svg", encoding="utf-8") as made, open(f"{TOP}/docs/timeline.svg", encoding="utf-8") as kept:
                made, kept = made.read(), kept.read()
            for part in ("<rect", 'stroke="#c00"', "<title>"):
                if made.count(part) != kept.count(part):
                    failed += 1
                    print(f"FAILED docs/timeline.svg: {kept.count(part)} of {part}, {made.count(part)} in one made now")
    print(f"examples: {ran} were run, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
