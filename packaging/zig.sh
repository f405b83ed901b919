#!/bin/bash
# Installs Zig, from PyPI, where this tree has none, and prints the command that starts it.
#
#   packaging/zig.sh [--version]    prints its version alone, and installs nothing
set -eu
version=0.17.0
[ "${1:-}" != --version ] || { echo $version; exit 0; }
tools=$(cd "$(dirname "$0")/.." && pwd)/target/packaging-zig
if [ "$(cat "$tools/installed" 2>/dev/null)" != $version ]; then
    rm -rf "$tools"
    python3 -m venv "$tools" >&2
    "$tools/bin/pip" install --quiet --disable-pip-version-check --no-compile ziglang==$version >&2
    echo $version >"$tools/installed"
fi
echo "$tools/bin/python -m ziglang"
