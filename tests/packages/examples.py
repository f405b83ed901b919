#!/usr/bin/env python3
"""Runs the examples of the page of layers that show what commands print, and compares it. Numbers of processes, addresses, times and folders
are not compared, and lines in any order: what threads do at once is not. Where `...` stands alone, more may be printed.

    examples.py PREFIX      with what is installed in PREFIX
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "docs/LAYERS.md"
PROGRAMS = ["step", "fill"]
#: Examples that other tests compare: tests/launcher.sh, tests/record.sh.
ELSEWHERE = ("doppel fault sweep", "doppel replay")


def plain(line):
    """A line without what differs from run to run."""
    for pattern, by in (
        (r"0x[0-9a-f]+", "0x"),
        (r"process \d+", "process N"),
        (r"^\d+ \d+\.\d{9}", "N T"),
        (r"\d+\.\d{9}", "T"),
        (r"by \d+ at", "by N at"),
        (r"\b\d+(\.\d+)? (ns|us|ms|s)\b", "T"),
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


def main():
    prefix = os.path.abspath(sys.argv[1])
    with open(os.path.join(TOP, PAGE), encoding="utf-8") as file:
        text = file.read()
    ran = failed = 0
    with tempfile.TemporaryDirectory() as work:
        for name in PROGRAMS:
            subprocess.run(["cc", "-g", "-O1", "-I", TOP, "-o", f"{work}/{name}", f"{TOP}/tests/data/{name}.c", "-L", f"{prefix}/lib", "-lcuda"], check=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DOPPEL_", "LD_"))}
        environment |= {"PATH": f"{prefix}/bin:{environment['PATH']}", "DOPPEL_NODE": "none"}
        for command, lines in examples(text):
            if command.startswith(ELSEWHERE):
                continue
            ran += 1
            done = subprocess.run(["bash", "-uc", command], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
            shown = collections.Counter(plain(line) for line in lines if line not in ("", "..."))
            got = collections.Counter(plain(line) for line in done.stdout.splitlines() if line)
            lost, more = shown - got, collections.Counter() if "..." in lines else got - shown
            if lost or more:
                failed += 1
                print(f"FAILED {PAGE}: {command}")
                print("".join(f"    - {line}\n" for line in lost) + "".join(f"    + {line}\n" for line in more), end="")
        # The picture in the page is one of the same program.
        with open(f"{work}/timeline.svg", encoding="utf-8") as made, open(f"{TOP}/docs/timeline.svg", encoding="utf-8") as kept:
            made, kept = made.read(), kept.read()
        for part in ("<rect", 'stroke="#c00"', "<title>"):
            if made.count(part) != kept.count(part):
                failed += 1
                print(f"FAILED docs/timeline.svg: {kept.count(part)} of {part}, {made.count(part)} in one made now")
    print(f"examples: {ran} were run, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
