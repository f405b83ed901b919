#!/usr/bin/env python3
"""What a trace costs programs on a real device, and that it changes nothing.

  traced.py FOLDER OUT [--rounds N] [--to FOLDER]

FOLDER holds programs that time their own steps, with and without a trace by turns (rounds.py). Each runs on the bare driver, through
us, and traced as text and as JSON, N times; and traced from its beginning to its end. What they print must be the same in all ways. A
trace's cost is what a step takes more with it, divided by the calls that the trace says a step makes; through us without a trace the
same difference says how much of that is noise. Traces lie in --to (default: OUT). Environment: DOPPEL_LIB.
"""
import argparse
import collections
import glob
import os
import re
import statistics
import subprocess
import sys

from clients import FORWARDED, environment

# How a trace's name ends.
PARTS = {"bare": None, "forward": None, "text": ".txt", "json": ".json"}
WHOLE = {"whole text": "-whole.txt", "whole json": "-whole.json"}


def run(program, way, end, prefix):
    """What the program printed, and what it said of its times: steps, nanoseconds a step, how many more with a trace."""
    env = environment("bare" if way == "bare" else "path", os.path.abspath(prefix) + "-home")
    if end:
        env.update(DOPPEL_TRACE=prefix + end, DOPPEL_TRACE_RANGE="all" if way in WHOLE else "profiler")
    done = subprocess.run([sys.executable, program], env=env, capture_output=True, text=True)
    if done.returncode or (way != "bare") != (FORWARDED in done.stderr):
        sys.exit(f"{program}, {way}: exit status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
    steps, step, *more = map(float, re.search(r"^steps (\S+) ns a step (\S+) more (\S+) (\S+) (\S+)$", done.stderr, re.M).groups())
    return done.stdout, steps, step, more


def calls(text):
    """Calls by name in a trace."""
    with open(text, errors="replace") as lines:
        found = (re.match(r"\d+ \S+ (cu\w+)\(", line) for line in lines)
        return collections.Counter(match.group(1) for match in found if match)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("out")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--to")
    arguments = arguments.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    different = 0
    for program in sorted(glob.glob(arguments.folder + "/*.py")):
        name = os.path.basename(program)[:-3]
        if name == "rounds":
            continue
        prefix = os.path.join(arguments.to or arguments.out, name)
        printed, times = set(), collections.defaultdict(list)
        for way, end in [*PARTS.items()] * arguments.rounds + [*WHOLE.items()]:
            text, steps, step, more = run(program, way, end, prefix)
            printed.add(text)
            times[way].append((step, more))
        counts = calls(prefix + ".txt")
        each = sum(counts.values()) / steps
        different += len(printed) != 1
        print(f"{name}: {'the same printed in all ways' if len(printed) == 1 else f'PRINTED {printed}'}; {each:.1f} calls a step:")
        print("    " + ", ".join(f"{count / steps:.1f} {call}" for call, count in counts.most_common(12)))
        for way in PARTS:
            step, more = (statistics.median(values) for values in ([s for s, _ in times[way]], [m[0] for _, m in times[way]]))
            single = ", ".join(" to ".join(f"{value / each:+.0f}" for value in m[1:]) for _, m in times[way])
            print(f"    {way:8}{step / 1000:9.1f} us a step, {more / each:+.0f} ns a call while the profiler is on (quartiles: {single})")
    sys.exit(different != 0)


main()
