#!/usr/bin/env python3
"""Runs the commands of the pages. Those that start with `doppel`, or that start a program on our libraries, are run in an empty folder, page by
page in their order, with a small program in the place of those that they name; of `make test TEST=...` the step or the test has to be there, and
so have scripts. What remains is listed here, with the test that runs it: a command that nothing runs fails.

    commands.py PREFIX      with what is installed in PREFIX
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

#: Commands that another test runs, or what it runs is the same as; by their first words.
ELSEWHERE = {
    "make demo": "tests/clients: the same program",
    "make check": "tests/check.sh, by whoever commits",
    "make test": "continuous integration",
    "make dist": "tests/packages/run.sh packs as it does, tests/packages/systems.sh installs what it made",
    "make docs": "not a step: it builds mdbook; the step links looks at the same links",
    "make help": "prints a list",
    "make install": "tests/launcher.sh",
    "podman": "tests/packages/container.sh does what Containerfile says",
    "pip install ./dist/": "tests/packages/run.sh, tests/packages/systems.sh",
    "apt install ./dist/": "tests/packages/systems.sh",
    "tar -xzf doppel-": "tests/packages/run.sh, tests/packages/systems.sh",
    "cc my_program.c": "tests/packages/compile.sh",
    "nvcc my_program.cu": "tests/cudart",
    "cmake": "tests/packages/pages.py",
    "doppel core core.4711": "tests/launcher.sh, with what it prints",
    "doppel replay kernel.rec": "tests/record.sh, with what it prints",
    "doppel fault sweep --seconds 2 -- ./careless": "tests/launcher.sh, with what it finds",
    "doppel doctor -- build/scale": "tests/packages/pages.py",
    "doppel run -- ctest": "tests/packages/pages.py",
    "doppel run -- cargo": "tests/packages/pages.py",
    "doppel run --check memcheck,leaks,exit=1 -- build/scale": "tests/packages/pages.py",
    "git tag": "a release",
    "git push": "a release",
    "pytest": "tests/packages/pages.py",
}
#: Exit statuses that are not 0: here these faults meet a program that minds them.
STATUS = {"doppel run --fault": {0, 1}}
COMMAND = re.compile(r"^(\$ )?((?:[A-Z_]+=\S+ )*(?:doppel|\$HOME/doppel/bin/doppel|make|cargo|pip|apt|tar|cc|nvcc|cmake|podman|pytest|eval|git|[a-z]+/[a-z/]+\.sh|\./program|\./my_\w+)(?: .*)?)$")
PROGRAM = """
import ctypes
cuda, n = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
assert cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(n)) == 0 and n.value
"""
FILES = {
    "my_program.py": PROGRAM,
    "my_cuda_program.py": PROGRAM,
    "train.py": PROGRAM,
    "rules.txt": "# none of these\nalloc:nth=300,error=OUT_OF_MEMORY\n",
}


def commands(page):
    """The commands of a page, without their remarks, and its files: TOML alone has a name in a command."""
    with open(os.path.join(TOP, page), encoding="utf-8") as file:
        text = file.read()
    toml = re.findall(r"^```toml\n(.*?)^```", text, re.M | re.S)
    found = []
    for language, body in re.findall(r"^```(\S*)[^\n]*\n(.*?)^```", text, re.M | re.S):
        if language not in ("", "sh"):
            continue
        shown = "\n$ " in "\n" + body
        for line in body.splitlines():
            match = COMMAND.match(re.sub(r"\s+# .*$", "", line))
            # Beside commands behind a dollar sign stands what they print.
            if match and (match[1] or not shown):
                found.append(match[2])
    return found, toml


def is_test(name):
    """Whether `make test TEST=name` finds something."""
    word = name.split()[0]
    steps = subprocess.run(["tests/all.sh", "--list"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    if any(line.split()[0] == word for line in steps.splitlines() if line):
        return True
    if os.path.exists(os.path.join(TOP, f"c-tests/{word}.c")):
        return True
    found = subprocess.run(["git", "grep", "-l", "-E", rf"mod {word.split('::')[0]}\b"], cwd=TOP, capture_output=True, text=True, check=False)
    return bool(found.stdout)


def main():
    prefix = os.path.abspath(sys.argv[1])
    ran = elsewhere = failed = 0
    pages = ["README.md", "CONTRIBUTING.md", "python/README.md", *sorted(f"docs/{name}" for name in os.listdir(os.path.join(TOP, "docs")) if name.endswith(".md"))]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["cc", "-O1", "-I", TOP, f"{TOP}/tests/packages/vectors.c", "-L", f"{prefix}/lib", "-lcuda", "-o", f"{work}/vectors"], check=True)
        # A driver behind ours: the same library under a name by which the loader tells it from the first.
        with open(f"{prefix}/lib/libcuda.so.1", "rb") as file:
            inner = file.read().replace(b"\0libcuda.so.1\0", b"\0libinner.so.\0")
        os.mkdir(f"{work}/real")
        with open(f"{work}/real/libinner.so.", "wb") as file:
            file.write(inner)
        subprocess.run(
            ["cc", "-O1", "-shared", "-fPIC", "-D_GNU_SOURCE", "-I", TOP, "-o", f"{work}/real/libcuda.so.1", f"{TOP}/tests/data/ours_as_real.c",
             "-Wl,--no-as-needed", f"{work}/real/libinner.so.", "-Wl,-rpath,$ORIGIN"], check=True)
        os.symlink(prefix, f"{work}/doppel")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DOPPEL_", "LD_"))}
        environment |= {"HOME": work, "PATH": f"{prefix}/bin:{environment['PATH']}", "DOPPEL_NODE": "none",
                        "DOPPEL_REAL_LIBCUDA": f"{work}/real/libcuda.so.1", "GITHUB_ENV": f"{work}/env", "GITHUB_PATH": f"{work}/path"}
        for page in pages:
            here = f"{work}/{page.replace('/', '-')}"
            os.mkdir(here)
            found, toml = commands(page)
            for name, text in FILES.items():
                with open(f"{here}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
            for command in found:
                said = None
                if known := next((words for words in ELSEWHERE if command.startswith(words)), None):
                    elsewhere += 1
                    if known == "make test" and "TEST=" in command and not is_test(command.split("TEST=")[1].strip('"')):
                        said = "there is no such test"
                elif re.match(r"[a-z]+/[a-z/]+\.sh", command) or command.startswith("cargo "):
                    elsewhere += 1
                    if not command.startswith("cargo ") and not os.access(os.path.join(TOP, command.split()[0]), os.X_OK):
                        said = "there is no such script"
                else:
                    ran += 1
                    for name in re.findall(r"(?:^|\s)\./([\w.]+)", command):
                        if name.endswith(".toml"):
                            with open(f"{here}/{name}", "w", encoding="utf-8") as file:
                                file.write(toml[0])
                        elif not os.path.exists(f"{here}/{name}"):
                            shutil.copy(f"{work}/vectors", f"{here}/{name}")
                    done = subprocess.run(["bash", "-euc", command], cwd=here, env=environment, capture_output=True, text=True, timeout=300, check=False)
                    allowed = next((codes for words, codes in STATUS.items() if command.startswith(words)), {0})
                    if done.returncode not in allowed:
                        said = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
                if said:
                    failed += 1
                    print(f"FAILED {page}: {command}: {said}")
    print(f"commands: {ran} were run, {elsewhere} are run elsewhere, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
