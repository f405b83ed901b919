#!/usr/bin/env python3
"""Runs the test suite that numba-cuda ships, a module at a time, and compares with what is known to fail.

    clients/suites/numba.sh [PATTERN]      modules whose name matches, all by default

Prints every test that fails and is not in numba_known.txt, and every one there that passes. The bar is 95 % of those that
pass on a GPU: what fails there for reasons of its own (it needs CuPy, a newer cuda-bindings...) is in the list, marked `gpu`.
"""
import concurrent.futures
import glob
import importlib.util
import os
import re
import subprocess
import sys

FOLDERS = ("core", "cudadrv", "cudapy", "doc_examples", "nrt", "nocuda")
LIMIT = 900  # seconds for a module


def modules(pattern):
    """Names of the test modules."""
    root = importlib.util.find_spec("numba.cuda").submodule_search_locations[0] + "/tests"
    for folder in FOLDERS:
        for file in sorted(glob.glob(f"{root}/{folder}/**/test_*.py", recursive=True)):
            name = "numba.cuda.tests." + os.path.relpath(file, root)[:-3].replace("/", ".")
            if re.search(pattern, name):
                yield name


def run(name, out):
    """Runs a module: how many tests passed and were left out, and the names of those that failed."""
    env = dict(os.environ, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="0", NUMBA_CUDA_WARN_ON_IMPLICIT_COPY="0")
    command = [sys.executable, "-W", "ignore", "-m", "unittest", "-v", name]
    try:
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT, cwd=out)
        text, ended = done.stdout.decode(errors="replace"), True
    except subprocess.TimeoutExpired as late:
        text, ended = (late.stdout or b"").decode(errors="replace"), False
    with open(f"{out}/{name}.log", "w") as log:
        log.write(text)
    passed = len(re.findall(r"\.\.\. (?:ok|expected failure)$", text, re.M))
    skipped = len(re.findall(r"\.\.\. skipped", text))
    failed = set()
    for test, rest in re.findall(r"^(?:ERROR|FAIL): (.*)$(?s:(.*?))(?=^=====|\Z)", text, re.M):
        # One test may fail for several values: it counts once.
        test = re.sub(r"^(\S+) \((?:numba\.cuda\.tests\.)?([^)]*)\).*", r"\2", test)
        if re.search(r"^Skipped: ", rest, re.M):
            skipped += 1
        else:
            failed.add(test)
    if not ended or (not re.search(r"^Ran \d+ test", text, re.M)):
        failed.add(name.removeprefix("numba.cuda.tests.") + (" (crashed)" if ended else " (hangs)"))
    return passed, skipped, failed


def main():
    out = sys.argv[1]
    pattern = sys.argv[2] if len(sys.argv) > 2 else ""
    known = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "numba_known.txt")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                test, where, reason = line.rstrip("\n").split(None, 2)
                known[test] = (where, reason)
    names = list(modules(pattern))
    passed, skipped, failed = 0, 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for ok, left_out, bad in pool.map(lambda name: run(name, out), names):
            passed, skipped, failed = passed + ok, skipped + left_out, failed | bad

    def is_known(test):
        return any(test == k or k.endswith("*") and test.startswith(k[:-1]) for k in known)

    def fails_on_gpu(test):
        return any(known[k][0] == "gpu" and (test == k or k.endswith("*") and test.startswith(k[:-1])) for k in known)

    new = sorted(test for test in failed if not is_known(test))
    ours = [test for test in failed if not fails_on_gpu(test)]
    for test in new:
        print("FAILED ", test)
    print(f"numba: {len(names)} modules, {passed} passed, {skipped} left out, {len(failed)} failed, {len(new)} of them unknown")
    share = passed / max(1, passed + len(ours))
    print(f"{100 * share:.1f} % of what should pass on a GPU pass")
    sys.exit(bool(new) or share < 0.95)


main()
