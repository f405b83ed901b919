#!/usr/bin/env python3
"""Packs the files of a wheel again, smaller: the same names, times and contents, deflated by zopfli.

    packaging/squeeze.py WHEEL [MOST]    fails if it is more than MOST bytes afterwards
"""

import os
import sys
import zipfile
import zlib
from typing import Any

import zopfli.zlib

#: Bytes of zlib's header and checksum around what it packs.
HEAD, TAIL = 2, 4


class Packer:
    """What `zipfile` packs a file with."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def compress(self, part: bytes) -> bytes:
        self.parts.append(part)
        return b""

    def flush(self) -> bytes:
        whole = b"".join(self.parts)
        packed = zopfli.zlib.compress(whole, numiterations=5)[HEAD:-TAIL]
        assert zlib.decompress(packed, -zlib.MAX_WBITS) == whole
        return packed


def main(wheel: str, most: str = "") -> int:
    squeezed = wheel + ".squeezed"

    def packer(*_: Any) -> Packer:
        return Packer()

    zipfile._get_compressor = packer  # type: ignore[attr-defined]
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(squeezed, "w") as new:
        for info in old.infolist():
            new.writestr(info, old.read(info))
    os.replace(squeezed, wheel)
    size = os.path.getsize(wheel)
    if most and size > int(most):
        print(f"squeeze: {wheel} has {size} bytes, more than {most}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
