#!/usr/bin/env python3
"""Scores one run of the oracle, area by area.

An area fails when fewer cases agree than its bar asks for, when a case crashed or hung, or when a case that differs is
not listed (by its id, or by a pattern with *) in docs/DIFFERENCES.md with a reason.
"""
import argparse
import fnmatch
import json
import re
import subprocess
import sys
import tempfile


def patterns(text):
    """The case ids and patterns that a text names: `area/group.case`, with * and {a,b}; `.case` means the group before."""
    found, group = set(), ""
    for word in re.findall(r"`([^`\s]+)`", text):
        if re.match(r"[a-z0-9]+/[a-z0-9_]+\.", word):
            group = word.split(".")[0]
        elif word.startswith(".") and group:
            word = group + word
        else:
            continue
        words = [word]
        while any("{" in w for w in words):
            words = [before + middle + after
                     for w in words
                     for before, choice, after in [re.match(r"([^{]*)\{([^}]*)\}(.*)", w).groups()]
                     for middle in choice.split(",")]
        found.update(words)
    return found


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    for name in ("golden", "compare", "results", "differences", "bars"):
        ap.add_argument("--" + name, required=True)
    ap.add_argument("areas", nargs="+")
    a = ap.parse_args()
    bars = {}
    for line in open(a.bars):
        words = line.split("#")[0].split()
        if words:
            bars[words[0]] = float(words[1])
    listed = patterns(open(a.differences).read())
    # A case that waits for ever on the real driver asks for it: a wait for a word that nobody writes.
    endless = set()
    for line in open(f"{a.golden}/a.jsonl"):
        case = json.loads(line)
        if case["ret"] == "timeout":
            endless.add(case["id"])
    crashed = set()
    for line in open(a.results, errors="replace"):
        case = json.loads(line)
        hung = case["ret"] == "timeout" and case["id"] not in endless
        if hung or case["ret"].startswith(("signal:", "exit:")):
            crashed.add(case["id"])
    golden = f"{a.golden}/a.jsonl,{a.golden}/b.jsonl"
    passed = failed = bad = 0
    for area in a.areas:
        with tempfile.NamedTemporaryFile("r") as out:
            text = subprocess.run([sys.executable, a.compare, golden, a.results, "--area", area, "--out", out.name, "--list", "1"],
                                  capture_output=True, text=True).stdout
            differ = [line.split()[0] for line in out if line.strip() and not line.startswith(" ")]
        ok = no = 0
        for line in text.splitlines():
            m = re.match(r"(\d+) passed, (\d+) failed", line)
            if m:
                ok, no = int(m[1]), int(m[2])
        share = 100.0 * ok / (ok + no) if ok + no else 0.0
        unlisted = [d for d in differ if not any(fnmatch.fnmatchcase(d, p) for p in listed)]
        crashes = [c for c in crashed if c.startswith(area + "/")]
        fine = share >= bars.get(area, 98.0) and not unlisted and not crashes
        bad += not fine
        passed += ok
        failed += no
        print(f"oracle {area:<12} {ok:>5} agree {no:>4} differ {share:6.2f}%  {'ok' if fine else 'FAILED'}")
        for what, ids in (("not in docs/DIFFERENCES.md", unlisted), ("crashed or hung", crashes)):
            for i in ids[:20]:
                print(f"    {what}: {i}")
            if len(ids) > 20:
                print(f"    {what}: {len(ids) - 20} more")
    total = passed + failed
    print(f"oracle: {passed} of {total} scored cases agree ({100.0 * passed / max(total, 1):.2f}%), {bad} areas below their bar")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
