#!/usr/bin/env python3
"""Whether the problem matcher finds what pages show of reports: the file and the line of each. Of a leak also
without the frame of a template of the runtime's header, and with frames that have no name, as a stripped runtime's."""

import json
import re
import sys

matcher, *pages = sys.argv[1:]
lines = []
for page in pages:
    with open(page, encoding="utf-8") as file:
        lines += file.read().splitlines()
plain = [line for line in lines if "cuda_runtime.h" not in line]
unnamed = [part for line in lines for part in (["doppel:         libcudart.so.13+0x39dd3", line] if "cudaMalloc (" in line else [line])]
lines += plain + unnamed
with open(matcher, encoding="utf-8") as file:
    problems = json.load(file)["problemMatcher"]
found = []
for problem in problems:
    patterns = problem["pattern"]
    for at in range(len(lines)):
        matches = [re.search(p["regexp"], line) for p, line in zip(patterns, lines[at:])]
        if len(matches) == len(patterns) and all(matches):
            place = {key: m[p[key]] for p, m in zip(patterns, matches) for key in ("file", "line", "message") if key in p}
            found.append((problem["owner"], place["file"], int(place["line"]), place["message"]))
print("\n".join(map(str, found)))
wanted = {
    ("doppel-memcheck", "/home/me/scale.cu", 8),
    ("doppel-leaks", "/home/me/step.c", 44),
    *((f"doppel-leaks-runtime-{frames}", "/home/me/scale.cu", 14) for frames in (1, 2, 3)),
    ("doppel-racecheck", "/home/me/reduce.cu", 7),
    ("doppel-racecheck", "/home/me/ring.cu", 6),
    ("doppel-initcheck", "/home/me/sum.cu", 5),
    ("doppel-synccheck", "/home/me/loop.cu", 9),
}
sys.exit(wanted != {each[:3] for each in found})
