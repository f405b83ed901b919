#!/bin/bash
# Installs, once, what tests take from the package registries, and prints where a part of it is.
#
#   tests/venv.sh include   folder of NVIDIA's cuda.h (for comparison only)
#   tests/venv.sh python    a Python with libclang, cuda-bindings, cuda-core and numpy
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
venv=$top/target/venv
stamp=$venv/installed-1
if [ ! -e "$stamp" ]; then
    mkdir -p "$top/target"
    python3 -m venv "$venv" >&2
    "$venv/bin/pip" install --quiet --disable-pip-version-check \
        nvidia-cuda-runtime==13.5.37 libclang==18.1.1 cuda-bindings==13.5.* cuda-core numpy >&2
    touch "$stamp"
fi
case ${1:-} in
    include) dirname "$(find "$venv/lib" -path '*nvidia*/include/cuda.h' | head -1)" ;;
    python) echo "$venv/bin/python" ;;
    *) echo "usage: tests/venv.sh include|python" >&2; exit 2 ;;
esac
