"""Puts what was built into the wheel. `packaging/dist.sh` says what and for which systems, by variables."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Wheels hold no links. The linker takes a text that names a library in the place of one.
LINKS = {"libcuda.so": "libcuda.so.1", "libcudart.so": "libcudart.so.13"}


class Version(MetadataHookInterface):
    """The version is that of the libraries."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["version"] = os.environ["DOPPEL_VERSION"]


class Contents(BuildHookInterface):
    """The folders `bin`, `lib`, `libexec` and `include` become folders of the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        stage = Path(os.environ["DOPPEL_STAGE"])
        build_data["tag"] = os.environ["DOPPEL_TAG"]
        build_data["pure_python"] = False
        files = build_data["force_include"]
        for folder in ("bin", "lib", "libexec", "include"):
            for path in sorted((stage / folder).rglob("*")):
                if path.is_file() and not path.is_symlink():
                    files[str(path)] = f"doppel_cuda/{path.relative_to(stage)}"
        # The launcher is this tool, too, and a quarter of a megabyte less.
        tool = files.pop(str(stage / "libexec/nvidia-smi"))
        assert tool == "doppel_cuda/libexec/nvidia-smi"
        texts = {f"lib/{name}": f"INPUT({target})\n" for name, target in LINKS.items()}
        texts["libexec/driver/nvidia-smi"] = '#!/bin/sh\nexec "$(dirname "$0")/../../bin/doppel" smi "$@"\n'
        # One program, which a name or an argument tells what it is.
        for name in ("ptxas", "fatbinary"):
            texts[f"libexec/{name}"] = f'#!/bin/sh\nexec "${{0%/*}}/nvcc" --doppel-called={name} "$@"\n'
        made = Path(self.root) / "made"
        made.mkdir(exist_ok=True)
        for name, text in texts.items():
            path = made / Path(name).name
            path.write_text(text, encoding="ascii")
            path.chmod(0o755 if text.startswith("#!") else 0o644)
            files[str(path)] = f"doppel_cuda/{name}"
        # Man pages and completions, where those of the environment are looked for.
        shared = build_data["shared_data"]
        for path in sorted((stage / "share").rglob("*")):
            if path.is_file():
                shared[str(path)] = str(path.relative_to(stage))
        files[str(stage / "version.json")] = "doppel_cuda/version.json"
        files[str(stage / "doppel.cdx.json")] = "doppel_cuda/doppel.cdx.json"


def get_metadata_hook() -> type[MetadataHookInterface]:
    return Version


def get_build_hook() -> type[BuildHookInterface]:
    return Contents
