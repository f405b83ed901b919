"""`doppel`, the launcher: this process becomes it."""

import os
import sys

from . import launcher


def main() -> None:
    """Becomes the launcher, with the arguments of this process."""
    program = os.fspath(launcher())
    sys.stdout.flush()
    try:
        os.execv(program, ["doppel", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"doppel: cannot run {program}: {error.strerror}")


if __name__ == "__main__":
    main()
