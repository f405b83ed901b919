#!/usr/bin/env python3
"""Runs the conformance oracle on the bare driver and through this library, and compares the answers.

  oracle.py run OUT [--passes 1,2] [--ways bare,forward] [--areas A,B] [--jobs N] [--limit SECONDS]
  oracle.py again OUT [--times N]       repeats, alone, the cases that the runs disagree about
  oracle.py compare OUT [--way forward] [--golden A.jsonl,B.jsonl]

Environment: ORACLE_BIN (folder of the built oracle), DOPPEL_LIB (our libcuda.so.1; for `run` and `again`).
OUT/<way>-<pass>.jsonl hold the answers, one case a line; OUT/run.log says how long each group took.

A machine with a GPU does not answer every case twice alike: some race with the device, some depend on where memory
lies. So every way is run more than once. Value by value (the result code and every printed key), a case differs when
the values seen through us and those seen bare have nothing in common, or when it crashes or hangs through us and never
does so bare.
"""
import argparse
import collections
import concurrent.futures as futures
import glob
import json
import os
import re
import subprocess
import sys
import threading
import time

# Longest first, so that the last group to finish is a short one.
ORDER = "ctx streams memset memcpy1d capture memcpy2d memcpy3d arrays vmm pools events graph managed batch launch host texobj".split()
# Groups that use much of the device's or the host's memory: one at a time.
LARGE = "memlinear managed pools vmm host ipc stress meminfo".split()
FORWARDED = "doppel: forward mode, real driver "


def environment(way):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("DOPPEL_", "ORACLE_", "LD_PRELOAD"))}
    if way != "bare":
        env.update(ORACLE_LIBCUDA=os.path.abspath(os.environ["DOPPEL_LIB"]), DOPPEL_MODE=way, DOPPEL_LOG="info")
    return env


def binary():
    return os.path.join(os.environ["ORACLE_BIN"], "oracle")


def listing(what):
    text = subprocess.run([binary(), "--" + what], capture_output=True, text=True, check=True).stdout
    return [line.split() for line in text.splitlines()]


class Keeper:
    """A process with a context, so that the device stays initialised while short-lived ones come and go."""

    def __enter__(self):
        self.process = subprocess.Popen([binary(), "--keepalive"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=environment("bare"), text=True)
        line = self.process.stdout.readline().strip()
        if line != "keepalive CUDA_SUCCESS":
            sys.exit(f"oracle: the bare driver does not work: {line or 'no answer'}")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(30)


def forwarded(errors):
    """How many processes said that they forward."""
    return sum(line.startswith(FORWARDED) for line in errors.splitlines())


def run_unit(out, way, number, area, group, deadline, extra=()):
    name = f"{way}-{number}/{area}/{group}"
    part = os.path.join(out, "parts", name.replace("/", ".") + ".jsonl")
    left = deadline - time.time()
    if left < 5:
        return f"{name} left out: no time"
    start = time.time()
    command = [binary(), "--area", area, "--group", group, "--out", part, "--budget", str(max(1, int(left - 8))), *extra]
    process = subprocess.Popen(command, env=environment(way), stderr=subprocess.PIPE, text=True, errors="replace")
    try:
        _, errors = process.communicate(timeout=left)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
        code = "killed"
    lines = 0
    if os.path.exists(part):
        with open(part) as f:
            lines = sum(1 for _ in f)
    text = f"{name} rc={code} cases={lines} seconds={time.time() - start:.1f}"
    if way != "bare":
        text += f" forwarded={forwarded(errors)}"
    rest = [line for line in errors.splitlines() if not line.startswith(FORWARDED)]
    seen = collections.Counter(rest)
    return "\n".join([text] + [f"    {n} x {line}" for line, n in seen.most_common(12)])


def run_units(out, units, jobs, deadline):
    """Runs units (way, pass, area, group, arguments). At most two groups of an area run at a time, and one of the
    large ones."""
    os.makedirs(os.path.join(out, "parts"), exist_ok=True)
    condition = threading.Condition()
    busy = collections.Counter()
    waiting = list(units)
    log = open(os.path.join(out, "run.log"), "a")

    def worker():
        while True:
            with condition:
                while True:
                    if not waiting:
                        return
                    free = [u for u in waiting if busy[u[2]] < (1 if u[2] in LARGE else 4)]
                    if free:
                        break
                    condition.wait()
                unit = free[0]
                waiting.remove(unit)
                busy[unit[2]] += 1
            try:
                text = run_unit(out, *unit[:4], deadline, unit[4])
            except Exception as error:  # the machine's trouble, not a verdict
                text = f"{unit[:4]}: {error!r}"
            with condition:
                log.write(text + "\n")
                log.flush()
                busy[unit[2]] -= 1
                condition.notify_all()

    with futures.ThreadPoolExecutor(jobs) as pool:
        for job in [pool.submit(worker) for _ in range(jobs)]:
            job.result()


def merge(out):
    """Puts the groups' files together, one file a run."""
    runs = collections.defaultdict(list)
    for part in sorted(glob.glob(os.path.join(out, "parts", "*.jsonl"))):
        runs[os.path.basename(part).split(".")[0]].append(part)
    for run, parts in runs.items():
        with open(os.path.join(out, run + ".jsonl"), "a") as f:
            for part in parts:
                with open(part, errors="replace") as p:
                    f.write(p.read())
                os.unlink(part)


def run(a):
    passes = a.passes.split(",")
    ways = a.ways.split(",")
    wanted = a.areas.split(",") if a.areas else None
    rank = {area: i for i, area in enumerate(ORDER)}
    kinds = dict(listing("areas"))
    groups = [g for g in listing("groups") if not wanted or g[0] in wanted]
    groups.sort(key=lambda g: rank.get(g[0], len(rank)))
    deadline = time.time() + a.limit
    with Keeper():
        for kind, jobs in (("parallel", a.jobs), ("exclusive", 1)):
            units = [(w, p, area, group, ()) for area, group in groups if kinds[area] == kind for p in passes for w in ways]
            run_units(a.out, units, jobs, deadline)
    merge(a.out)


def load(path):
    cases = {}
    with open(path, errors="replace") as f:
        for line in f:
            try:
                case = json.loads(line)
            except ValueError:
                continue
            if not case["id"].endswith(("._setup", "._budget")):
                cases.setdefault(case["id"], []).append(case)
    return cases


def answers(out):
    """{way: {case: [answer, ...]}} over all runs."""
    ways = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in sorted(glob.glob(os.path.join(out, "*-*.jsonl"))):
        way = os.path.basename(path).split("-")[0]
        for case, found in load(path).items():
            ways[way][case] += found
    return ways


def died(ret):
    return ret == "timeout" or ret.startswith(("signal:", "exit:"))


def values(case):
    """What is compared: keys that begin with dev: describe the machine at that moment."""
    return {"ret": case["ret"], **{k: str(v) for k, v in case["out"].items() if not k.startswith("dev:")}}


def spread(cases):
    """{key: values seen}; a key that an answer lacks counts as one more value. Deaths say nothing but the code."""
    living = [values(c) for c in cases if not died(c["ret"])]
    keys = {k for v in living for k in v}
    return {k: {v.get(k, "(absent)") for v in living} for k in keys}


def slow(cases):
    """True when some runs ran into the time limit, and more than twice as many did not: the limit of a case is six
    seconds, and the driver needs up to five to make a context while ten other processes ask for one."""
    hung = sum(c["ret"] == "timeout" for c in cases)
    return 0 < hung and 2 * hung < len(cases) - hung


def verdict(bare, ours):
    """Why a case differs: a list, empty when it does not."""
    if not bare:
        return ["not run bare"]
    if not ours:
        return ["not run through us"]
    dead = {c["ret"] for c in ours if died(c["ret"])}
    if slow(ours):
        dead.discard("timeout")
    why = []
    if dead and not any(died(c["ret"]) for c in bare):
        why.append(f"ret: {'|'.join(sorted({c['ret'] for c in bare}))} -> {'|'.join(sorted(c['ret'] for c in ours))}")
    b, o = spread(bare), spread(ours)
    if b and o:
        for key in sorted(set(b) | set(o)):
            x, y = b.get(key, {"(absent)"}), o.get(key, {"(absent)"})
            if not x & y:
                why.append(f"{key}: {'|'.join(sorted(x))} -> {'|'.join(sorted(y))}")
    elif b and not dead:
        why.append("no answer through us")
    elif o and not b:
        # Dead every time bare, alive every time through us: the same call of the same driver.
        why.append(f"ret: {'|'.join(sorted({c['ret'] for c in bare}))} -> {'|'.join(sorted({c['ret'] for c in ours}))}")
    return why


def unsettled(out):
    """Cases whose answers are not all alike, or which lack a run."""
    ways = answers(out)
    runs = len(glob.glob(os.path.join(out, "bare-*.jsonl")))
    bare, ours = ways["bare"], ways["forward"]
    found = []
    for case in sorted(set(bare) | set(ours)):
        both = bare[case] + ours[case]
        if {c["ret"] for c in bare[case]} == {"missing"}:
            continue
        first = values(both[0])
        if any(values(c) != first for c in both[1:]) or min(len(bare[case]), len(ours[case])) < min(runs, 2):
            found.append(case)
    return found


def again(a):
    """Repeats cases alone, in groups of processes that run nothing else at the same time than their like."""
    cases = open(a.cases).read().split() if a.cases else unsettled(a.out)
    number = max([int(re.search(r"-(\d+)\.jsonl$", p)[1]) for p in glob.glob(os.path.join(a.out, "*-*.jsonl"))] + [100])
    deadline = time.time() + a.limit
    with Keeper():
        units = []
        for n in range(1, a.times + 1):
            for i, case in enumerate(cases):
                area, rest = case.split("/", 1)
                group, name = rest.split(".", 1)
                for way in ("bare", "forward"):
                    units.append((way, f"{number + n}x{i}", area, group, ("--only", f"{area}/{group}.{name}")))
        run_units(a.out, units, a.jobs, deadline)
    # `--only` matches parts of names: keep what was asked for.
    for part in glob.glob(os.path.join(a.out, "parts", "*.jsonl")):
        match = re.match(r"(\w+)-(\d+)x(\d+)\.", os.path.basename(part))
        with open(part, errors="replace") as p, open(os.path.join(a.out, f"{match[1]}-{match[2]}.jsonl"), "a") as f:
            f.writelines(line for line in p if f'"id":"{cases[int(match[3])]}"' in line)
        os.unlink(part)


def scored(golden):
    """Cases of the recorded answers that count: {case: (values, keys that the recordings disagree about)}."""
    goldens = [load(p) for p in golden.split(",")]
    found = {}
    for case, (first, *_) in goldens[0].items():
        all_values = [values(g[case][0]) for g in goldens if case in g]
        if len(all_values) < len(goldens) or len({v["ret"] for v in all_values}) > 1:
            continue
        if died(first["ret"]) or first["ret"] in ("missing", "skipped"):
            continue
        keys = {k for v in all_values for k in v}
        found[case] = (all_values[0], {k for k in keys if len({v.get(k) for v in all_values}) > 1})
    return found


def off_golden(cases, wanted):
    """Keys in which no run gave the recorded value."""
    expected, unstable = wanted
    if not cases:
        return ["absent"]
    seen = spread(cases)
    if not seen:
        return ["ret"]
    keys = (set(seen) | set(expected)) - unstable
    return [k for k in sorted(keys) if expected.get(k, "(absent)") not in seen.get(k, {"(absent)"})]


def compare(a):
    ways = answers(a.out)
    bare, ours = ways["bare"], ways[a.way]
    if a.way != "forward":
        bare = collections.defaultdict(list, {case: found for case, found in bare.items() if case in ours})
    areas = collections.defaultdict(collections.Counter)
    listed, unstable, late = [], [], []
    for case in sorted(set(bare) | set(ours)):
        area = areas[case.split("/")[0]]
        area["cases"] += 1
        b, o = bare[case], ours[case]
        # The look-up of symbols that only we have.
        if {c["ret"] for c in b} == {"missing"} and o and {c["ret"] for c in o} != {"missing"}:
            area["ours only"] += 1
            continue
        for name, found in (("unstable bare", b), ("unstable through us", o)):
            if len({json.dumps(values(c), sort_keys=True) for c in found}) > 1:
                area[name] += 1
        if len({json.dumps(values(c), sort_keys=True) for c in b}) > 1:
            unstable.append((case, b))
        if any(died(c["ret"]) for c in b):
            area["crash bare"] += 1
        if any(died(c["ret"]) for c in o):
            area["crash through us"] += 1
        late += [f"{case}: time limit hit in {sum(c['ret'] == 'timeout' for c in found)} of {len(found)} runs {how}"
                 for how, found in (("bare", b), ("through us", o)) if slow(found)]
        why = verdict(b, o)
        if why:
            area["differ"] += 1
            listed.append((case, (b or o)[0], len(b), len(o), why))
    columns = ["cases", "differ", "unstable bare", "unstable through us", "crash bare", "crash through us", "ours only"]
    print(f"{'area':<13}" + "".join(f"{c:>{len(c) + 2}}" for c in columns))
    total = collections.Counter()
    for name, area in areas.items():
        print(f"{name:<13}" + "".join(f"{area[c]:>{len(c) + 2}}" for c in columns))
        total.update(area)
    print(f"{'all':<13}" + "".join(f"{total[c]:>{len(c) + 2}}" for c in columns))
    for case, one, nb, no, why in listed:
        print(f"differs: {case}  [{one['call']}: {one['args']}] ({nb} runs bare, {no} through us)")
        for line in why[:8]:
            print("    " + line[:400])
    for line in late:
        print("slow: " + line)
    if a.unstable:
        for case, found in unstable:
            print(f"unstable bare: {case}")
            for key, seen in spread(found).items():
                if len(seen) > 1:
                    print("    " + f"{key}: {'|'.join(sorted(seen))}"[:400])
    if a.golden:
        wanted = scored(a.golden)
        both = only_ours = only_bare = 0
        for case, expected in wanted.items():
            x, y = off_golden(bare[case], expected), off_golden(ours[case], expected)
            both += bool(x and y)
            only_bare += bool(x and not y)
            if y and not x:
                only_ours += 1
                print(f"not as recorded through us, but bare: {case}: {', '.join(y)}")
            elif a.unstable and (x or y):
                print(f"not as recorded: {case}: bare {', '.join(x) or 'as recorded'}; through us {', '.join(y) or 'as recorded'}")
        print(f"recorded answers: {len(wanted)} scored; not given in any run: {both} neither way, {only_bare} only bare, {only_ours} only through us")
    print(f"oracle: {total['cases']} cases, {total['differ']} differ between the bare driver and ours")
    return 1 if total["differ"] or not total["cases"] else 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest="what", required=True)
    p = sub.add_parser("run")
    p.add_argument("--passes", default="1,2")
    p.add_argument("--ways", default="bare,forward")
    p.add_argument("--areas")
    p.add_argument("--jobs", type=int, default=8)
    p.add_argument("--limit", type=float, default=3600)
    p.set_defaults(go=run)
    p = sub.add_parser("again")
    p.add_argument("--times", type=int, default=3)
    p.add_argument("--cases", help="file with the cases to repeat (default: those that the runs disagree about)")
    p.add_argument("--jobs", type=int, default=4)
    p.add_argument("--limit", type=float, default=1200)
    p.set_defaults(go=again)
    p = sub.add_parser("compare")
    p.add_argument("--golden")
    p.add_argument("--way", default="forward", help="what to compare with bare")
    p.add_argument("--unstable", action="store_true", help="list the cases that differ between bare runs, too")
    p.set_defaults(go=compare)
    for p in sub.choices.values():
        p.add_argument("out")
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    return a.go(a)


if __name__ == "__main__":
    sys.exit(main())
