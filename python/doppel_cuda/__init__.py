"""Doppel: CUDA programs without a GPU. `doppel run -- PROGRAM` runs one; `import doppel_cuda.auto` serves the running interpreter.

This package holds the launcher (`bin/doppel`), the libraries (`lib`), the tools for builds (`libexec`) and the headers (`include`).
"""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path

__all__ = ["__version__", "environment", "home", "launcher"]

__version__ = metadata.version("doppel-cuda")


def home() -> Path:
    """The folder that holds `bin`, `lib`, `libexec` and `include`: what PREFIX is elsewhere."""
    return Path(__file__).resolve().parent


def launcher() -> Path:
    """The launcher, a program."""
    return home() / "bin" / "doppel"


def environment(*options: str) -> dict[str, str]:
    """The environment that `doppel run` gives a program: what it is now, with our settings.

    `options` are those of `doppel run`, such as `"--devices", "2"`. ValueError says which of them is wrong.
    """
    import subprocess

    command = [str(launcher()), "run", *options, "--", "env", "-0"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.decode(errors="replace").strip())
    pairs = (entry.partition(b"=") for entry in done.stdout.split(b"\0") if entry)
    return {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
