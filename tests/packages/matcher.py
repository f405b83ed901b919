#!/usr/bin/env python3
"""Whether the problem matcher finds what docs/CHECK.md shows of reports: the file and the line of each."""

import json
import re
import sys

matcher, page = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    lines = file.read().splitlines()
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
    ("doppel-memcheck", "/home/me/scale.cu", 6),
    ("doppel-leaks", "/home/me/scale.cu", 21),
    ("doppel-racecheck", "sum.cu", 60),
    ("doppel-racecheck", "/home/me/ring.cu", 6),
    ("doppel-initcheck", "/home/me/sum.cu", 5),
    ("doppel-synccheck", "/home/me/loop.cu", 11),
}
sys.exit(wanted != {each[:3] for each in found})
