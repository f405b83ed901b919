#!/usr/bin/env python3
"""Gives a stripped program or library a build identity that comes of its contents alone, and its debug file the same. The linker makes its own
of everything, also of names that are stripped, and these are others in another folder. Prints it.

    identity.py FILE [DEBUG]
"""

import hashlib
import struct
import sys

SHT_NOTE, NT_GNU_BUILD_ID = 7, 3


def place(data, name):
    """Where the bytes of the identity lie in a file, and how many."""
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"identity.py: {name} is no ELF file of 64 bits")
    (sections,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for i in range(count):
        _, kind, _, _, at, length = struct.unpack_from("<IIQQQQ", data, sections + i * size)
        end = at + length
        while kind == SHT_NOTE and at + 12 <= end:
            owner, content, what = struct.unpack_from("<III", data, at)
            start = at + 12 + (owner + 3) // 4 * 4
            if what == NT_GNU_BUILD_ID and data[at + 12 : at + 12 + owner] == b"GNU\0":
                return start, content
            at = start + (content + 3) // 4 * 4
    sys.exit(f"identity.py: {name} has no build identity")


def main():
    files = [[name, bytearray(open(name, "rb").read())] for name in sys.argv[1:3]]
    places = [place(data, name) for name, data in files]
    start, length = places[0]
    files[0][1][start : start + length] = bytes(length)
    identity = hashlib.sha1(files[0][1], usedforsecurity=False).digest()
    if any(length != len(identity) for _, length in places):
        sys.exit(f"identity.py: {sys.argv[1]}: an identity of {length} bytes, not {len(identity)}")
    for (name, data), (start, length) in zip(files, places):
        data[start : start + length] = identity
        # In its place: times and rights stay as they are made by who calls.
        with open(name, "r+b") as file:
            file.write(data)
    print(identity.hex())


if __name__ == "__main__":
    main()
