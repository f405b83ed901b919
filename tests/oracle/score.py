#!/usr/bin/env python3
"""Scores one run of the oracle, area by area.

An area fails when fewer cases agree than its bar asks for, when a case crashed or hung, or when a case that differs is
not listed (by its id, or by a pattern with *) in docs/DIFFERENCES.md with a reason.

Cases of races.jsonl are counted apart. There the recorded program does not order its own work: it fills a buffer in one
stream and uses it in another that does not wait. Each line holds the case's answer ("ret", "out") when the order is
kept, and the evidence, runs of the case on an H200 with driver 580.159.04: "runs" of them, "as_recorded" of which gave
the recorded answer and "so" this one; and "ordered" runs of the same program with a synchronisation behind each fill,
all of which gave this answer. A case counts as a race only while our answer is this one; any other differs.
"""
import argparse
import fnmatch
import json
import lzma
import os
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


def unpacked(folder, into):
    """The recorded runs as files that the comparer reads."""
    paths = []
    for name in ("a", "b"):
        paths.append(os.path.join(into, name + ".jsonl"))
        with lzma.open(f"{folder}/{name}.jsonl.xz") as packed, open(paths[-1], "wb") as plain:
            plain.write(packed.read())
    return paths


def answer(case):
    """What of a case is compared: facts of one machine are not."""
    return case["ret"], {k: v for k, v in case["out"].items() if not k.startswith("dev:")}


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    for name in ("golden", "compare", "results", "differences", "bars", "races"):
        ap.add_argument("--" + name, required=True)
    ap.add_argument("areas", nargs="+")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory() as work:
        return score(a, unpacked(a.golden, work))


def score(a, recorded):
    bars = {}
    for line in open(a.bars):
        words = line.split("#")[0].split()
        if words:
            bars[words[0]] = float(words[1])
    listed = patterns(open(a.differences).read())
    # A case that waits for ever on the real driver asks for it: a wait for a word that nobody writes.
    endless = set()
    for line in open(recorded[0]):
        case = json.loads(line)
        if case["ret"] == "timeout":
            endless.add(case["id"])
    races = {}
    for line in open(a.races):
        case = json.loads(line)
        assert case["ordered"] or 0 < case["so"] < case["runs"], f"no evidence: {case['id']}"
        races[case["id"]] = case
    crashed, kept = set(), set()
    for line in open(a.results, errors="replace"):
        case = json.loads(line)
        hung = case["ret"] == "timeout" and case["id"] not in endless
        if hung or case["ret"].startswith(("signal:", "exit:")):
            crashed.add(case["id"])
        if case["id"] in races and answer(case) == answer(races[case["id"]]):
            kept.add(case["id"])
    golden = ",".join(recorded)
    passed = failed = raced = bad = 0
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
        apart = [d for d in differ if d in kept]
        differ = [d for d in differ if d not in kept]
        no -= len(apart)
        raced += len(apart)
        share = 100.0 * ok / (ok + no) if ok + no else 0.0
        unlisted = [d for d in differ if not any(fnmatch.fnmatchcase(d, p) for p in listed)]
        crashes = [c for c in crashed if c.startswith(area + "/")]
        fine = share >= bars.get(area, 98.0) and not unlisted and not crashes
        bad += not fine
        passed += ok
        failed += no
        print(f"oracle {area:<12} {ok:>5} agree {no:>4} differ {share:6.2f}%  {len(apart):>3} races  "
              f"{'ok' if fine else 'FAILED'}")
        for what, ids in (("not in docs/DIFFERENCES.md", unlisted), ("crashed or hung", crashes)):
            for i in ids[:20]:
                print(f"    {what}: {i}")
            if len(ids) > 20:
                print(f"    {what}: {len(ids) - 20} more")
    total = passed + failed
    print(f"oracle: {passed} of {total} scored cases agree ({100.0 * passed / max(total, 1):.2f}%), {raced} races apart, "
          f"{bad} areas below their bar")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
