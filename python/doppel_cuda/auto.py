"""Imported before anything else that uses CUDA, it loads our libraries into the running interpreter.

Whoever asks the loader for `libcuda.so.1` later gets ours: Numba, cuda-bindings, tinygrad. Child processes get the settings of
`doppel run`. Under `doppel run` it does nothing, and in `forward` and `absent` mode it loads the driver alone.

What names NVIDIA's libraries by RPATH or by a path of its own, as PyTorch does with the runtime, still gets those: `doppel run` puts
ours in their place, too.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from . import environment, home

#: Replaced always.
DRIVER = ("libcuda.so.1", "libnvidia-ml.so.1")
RUNTIMES = ("libcudart.so.12", "libcudart.so.13")
#: Ours work with the real ones, and are loaded where there are some.
COMPILERS = ("libnvrtc.so.12", "libnvrtc.so.13", "libnvJitLink.so.12", "libnvJitLink.so.13")


class _Object(ctypes.Structure):
    """The beginning of what the loader tells of a library, `struct dl_phdr_info`."""

    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]


def _loaded() -> dict[str, str]:
    """Libraries of this process by name, with their paths. The loader says it: there may be no `/proc`."""
    found = {}

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Object), ctypes.c_size_t, ctypes.c_void_p)
    def look(library, _size, _data):
        path = os.fsdecode(library.contents.name or b"")
        if path:
            found[os.path.basename(path)] = path
        return 0

    ctypes.CDLL(None).dl_iterate_phdr(look, None)
    return found


def _is_there(name: str) -> bool:
    """Whether a package of NVIDIA's brings this library."""
    for folder in map(Path, sys.path):
        if next(folder.glob(f"nvidia/*/lib/{name}"), None) is not None:
            return True
    return False


def _load() -> None:
    libraries = home() / "lib"
    if str(libraries / "libdoppel-audit.so") in os.environ.get("LD_AUDIT", "").split(":"):
        return
    bare = os.environ.get("DOPPEL_MODE", "cpu") in ("forward", "absent")
    wanted = list(DRIVER[:1] if bare else DRIVER + RUNTIMES)
    if not bare:
        wanted += [name for name in COMPILERS if _is_there(name)]
    present = _loaded()
    for name in wanted:
        # Files of drivers have their version in the name.
        stem = name.partition(".so")[0]
        for other, path in present.items():
            if (other == name or other.startswith(f"{stem}.so.")) and Path(path).parent != libraries and name in DRIVER:
                raise ImportError(f"{path} is loaded already: import doppel_cuda.auto before what uses CUDA")
    settings = environment()
    for name, value in settings.items():
        if os.environ.get(name) != value and name != "_":
            os.environ[name] = value
    for name in wanted:
        ctypes.CDLL(os.fspath(libraries / name))


_load()
