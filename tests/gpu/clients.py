#!/usr/bin/env python3
"""Runs the client programs on the bare driver and through this library, and compares what they print.

  clients.py run OUT FOLDER [--jobs N] [--limit SECONDS]
  clients.py compare OUT

FOLDER holds work_*.py and *.cu. Ways: bare, twice; path (LD_LIBRARY_PATH); preload (LD_PRELOAD). Environment:
DOPPEL_LIB. A program passed through us when we said so ourselves: with DOPPEL_LOG=info the library prints one line when
it binds the real driver. Words of the output that differ between the two bare runs, and sizes of free memory, are
random or measured, and are not compared.
"""
import argparse
import concurrent.futures as futures
import glob
import os
import re
import shutil
import subprocess
import sys
import time

WAYS = ("bare", "bare2", "path", "preload")
FORWARDED = "doppel: forward mode, real driver "


def environment(way, home):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("DOPPEL_", "LD_PRELOAD"))}
    # Caches of compiled kernels must not pass from one way to the other.
    env.update(HOME=home, TRITON_CACHE_DIR=home + "/triton", CUPY_CACHE_DIR=home + "/cupy", CUDA_CACHE_PATH=home + "/nv",
               NUMBA_CACHE_DIR=home + "/numba", PYTHONUNBUFFERED="1")
    if way.startswith("bare"):
        return env
    lib = os.path.abspath(os.environ["DOPPEL_LIB"])
    env.update(DOPPEL_MODE="forward", DOPPEL_LOG="info")
    if way == "path":
        rest = env.get("LD_LIBRARY_PATH")
        env["LD_LIBRARY_PATH"] = os.path.dirname(lib) + (":" + rest if rest else "")
    else:
        env["LD_PRELOAD"] = lib
    return env


def programs(folder, out):
    """{name: command}; CUDA programs are built twice, as both kinds of runtime are in use."""
    found = {os.path.basename(p)[:-3]: [sys.executable, os.path.abspath(p)] for p in sorted(glob.glob(folder + "/*.py"))}
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    for source in sorted(glob.glob(folder + "/*.cu")):
        for kind in ("static", "shared"):
            name = os.path.basename(source)[:-3] + "-" + kind
            built = os.path.join(os.path.abspath(out), name)
            made = subprocess.run([nvcc, "-cudart", kind, "-o", built, source], capture_output=True, text=True)
            if made.returncode:
                print(f"{name} does not build: {made.stderr[-400:]}")
            else:
                found[name] = [built]
    return found


def one(out, name, command, way, limit):
    home = os.path.join(os.path.abspath(out), f"home-{name}-{way}")
    os.makedirs(home, exist_ok=True)
    start = time.time()
    with open(f"{out}/{name}.{way}.out", "w") as o, open(f"{out}/{name}.{way}.err", "w") as e:
        try:
            code = subprocess.run(command, env=environment(way, home), stdout=o, stderr=e, timeout=limit, cwd=home).returncode
        except subprocess.TimeoutExpired:
            code = "timeout"
    with open(f"{out}/{name}.{way}.rc", "w") as f:
        print(code, f"{time.time() - start:.1f}", file=f)
    shutil.rmtree(home, ignore_errors=True)


def run(a):
    os.makedirs(a.out, exist_ok=True)
    todo = programs(a.folder, a.out)
    with futures.ThreadPoolExecutor(a.jobs) as pool:
        for job in [pool.submit(one, a.out, n, c, w, a.limit) for n, c in todo.items() for w in WAYS]:
            job.result()
    return compare(a)


def words(text):
    return re.findall(r"[^\s\[\](),]+", text)


def differences(one, two, three):
    """Words of the third output that differ from both others where these agree. None: not as many words."""
    if not len(one) == len(two) == len(three):
        return None
    return [f"{a} -> {c}" for a, b, c in zip(one, two, three) if a == b != c and not (len(a) > 9 and a.isdigit())]


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def compare(a):
    bad = fit = 0
    names = sorted({os.path.basename(p).rsplit(".", 2)[0] for p in glob.glob(a.out + "/*.rc")})
    for name in names:
        bare, bare2 = (words(read(f"{a.out}/{name}.{w}.out")) for w in WAYS[:2])
        code, seconds = read(f"{a.out}/{name}.bare.rc").split()
        if code != "0":
            print(f"unfit   {name} ends with {code} bare: {read(f'{a.out}/{name}.bare.err').strip()[-100:]!r}")
        fit += code == "0"
        for way in WAYS[2:]:
            own, took = read(f"{a.out}/{name}.{way}.rc").split()
            errors = read(f"{a.out}/{name}.{way}.err")
            why = []
            if own != code:
                why.append(f"exit {code} -> {own}: {errors[-300:]!r}")
            differ = differences(bare, bare2, words(read(f"{a.out}/{name}.{way}.out")))
            if differ is None:
                why.append("more or fewer words")
            elif differ:
                why.append(", ".join(differ[:5]))
            if FORWARDED not in errors:
                why.append("it did not come through us")
            bad += bool(why)
            fixed = sum(x == y for x, y in zip(bare, bare2))
            print(f"{'FAILED' if why else 'ok':<7} {name} by {way} ({seconds} s bare, {took} s): "
                  f"{'; '.join(why) or f'{fixed} of {len(bare)} words are fixed, and alike'}")
            for line in [l for l in errors.splitlines() if l.startswith("doppel: ") and not l.startswith(FORWARDED)][:10]:
                print("        " + line)
    print(f"clients: {fit} of {len(names)} programs run bare; {bad} differences, two ways each")
    return 1 if bad or not fit else 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest="what", required=True)
    p = sub.add_parser("run")
    p.add_argument("out")
    p.add_argument("folder")
    p.add_argument("--jobs", type=int, default=4)
    p.add_argument("--limit", type=float, default=300)
    p.set_defaults(go=run)
    p = sub.add_parser("compare")
    p.add_argument("out")
    p.set_defaults(go=compare)
    a = ap.parse_args()
    return a.go(a)


if __name__ == "__main__":
    sys.exit(main())
