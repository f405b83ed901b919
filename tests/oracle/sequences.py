#!/usr/bin/env python3
"""Runs recorded seeds of the generator of random sequences and scores the answers.

A kind is what its comparer calls one: the function, and which part of its answer differs. Kinds that sequences may first
differ in are listed in docs/DIFFERENCES.md as `sequence/FUNCTION: PART`, with * for what varies.
"""
import argparse
import fnmatch
import importlib.util
import re
import subprocess
import sys


def runs(seeds):
    """Ranges of consecutive numbers: first, count."""
    first = last = None
    for seed in sorted(seeds):
        if last is not None and seed == last + 1:
            last = seed
            continue
        if first is not None:
            yield first, last - first + 1
        first = last = seed
    if first is not None:
        yield first, last - first + 1


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    for name in ("compare", "seqgen", "jobs", "differences", "out"):
        ap.add_argument("--" + name, required=True)
    for name in ("calls", "whole"):
        ap.add_argument("--" + name, type=float, required=True, help="least share that agrees, in percent")
    ap.add_argument("golden", nargs="+")
    a = ap.parse_args()
    spec = importlib.util.spec_from_file_location("compare", a.compare)
    compare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare)
    gold = {}
    for path in a.golden:
        gold.update(compare.load(path))
    with open(a.out, "w") as out:
        for first, count in runs(gold):
            subprocess.run([a.seqgen, str(first), str(count), "-j", a.jobs], stdout=out, check=True)
    test = compare.load(a.out)
    total, firsts, alone, _ = compare.compare(gold, test)
    calls = 100 * total["agree"] / max(total["comparable"], 1)
    whole = 100 * total["whole"] / max(total["sequences"], 1)
    print(f"random sequences: {total['agree']} of {total['comparable']} calls agree ({calls:.3f}%), "
          f"{total['whole']} of {total['sequences']} whole sequences ({whole:.1f}%)")
    listed = re.findall(r"`sequence/([^`]+)`", open(a.differences).read())
    bad = [seed for seed in gold if seed not in test or test[seed]["end"] != gold[seed]["end"]]
    for seed in bad:
        print(f"  seed {seed} ended {test[seed]['end'] if seed in test else 'without an answer'}")
    failed = bool(bad)
    for (function, part), found in sorted(firsts.items(), key=lambda kind: -len(kind[1])):
        kind = f"{function}: {part}"
        known = any(fnmatch.fnmatchcase(kind, pattern) for pattern in listed)
        failed |= not known
        step, seed, want, got = min(found, key=lambda example: example[:2])
        print(f"  {len(found):4} {'listed  ' if known else 'UNLISTED'} {kind}   (seed {seed}, step {step})")
        if not known:
            print(f"         {want[0]}\n         real {want[1]}|{want[2]}\n         here {got and got[1]}|{got and got[2]}")
    for share, bar, what in ((calls, a.calls, "calls"), (whole, a.whole, "whole sequences")):
        if share < bar:
            failed = True
            print(f"  {what}: {share:.3f}% agree, {bar}% are asked for")
    return failed


if __name__ == "__main__":
    sys.exit(main())
