#!/bin/bash
# Installs, once, what tests take from the package registries, and prints where a part of it is.
#
#   tests/venv.sh include   folder of NVIDIA's cuda.h (for comparison only)
#   tests/venv.sh python    a Python with libclang, cuda-bindings, cuda-core and numpy
#   tests/venv.sh toolkit   root of a CUDA 13.5 toolkit: nvcc, headers, NVIDIA's runtime library
#   tests/venv.sh toolkit12 root of headers and runtime library of CUDA 12.9
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
venv=$top/target/venv
# install FOLDER WHAT...: a virtual environment with packages, once.
install() {
    local folder=$1
    shift
    [ ! -e "$folder/installed-1" ] || return 0
    mkdir -p "$top/target"
    python3 -m venv "$folder" >&2
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
    touch "$folder/installed-1"
}
case ${1:-} in
    include | python)
        install "$venv" nvidia-cuda-runtime==13.5.37 libclang==18.1.1 "cuda-bindings==13.5.*" cuda-core numpy
        case $1 in
            include) dirname "$(find "$venv/lib" -path '*nvidia*/include/cuda.h' | head -1)" ;;
            python) echo "$venv/bin/python" ;;
        esac
        ;;
    toolkit)
        install "$venv-nvcc" nvidia-cuda-nvcc==13.5.37 nvidia-cuda-crt==13.5.37 nvidia-nvvm==13.5.37 \
            nvidia-cuda-runtime==13.5.37 nvidia-cuda-cccl==13.3.5.0.6
        root=$(dirname "$(dirname "$(find "$venv-nvcc/lib" -path '*/bin/nvcc')")")
        ln -sfn libcudart.so.13 "$root/lib/libcudart.so"
        echo "$root"
        ;;
    toolkit12)
        install "$venv-cu12" nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-nvcc-cu12==12.9.86
        root=$(dirname "$(find "$venv-cu12/lib" -type d -path '*/nvidia/cuda_runtime')")
        # The headers come in two packages.
        mkdir -p "$root/toolkit"
        ln -sfn ../cuda_runtime/lib "$root/toolkit/lib"
        [ -d "$root/toolkit/include" ] || {
            cp -r "$root/cuda_runtime/include" "$root/toolkit/include"
            cp -r "$root/cuda_nvcc/include/." "$root/toolkit/include/"
        }
        echo "$root/toolkit"
        ;;
    *) echo "usage: tests/venv.sh include|python|toolkit|toolkit12" >&2; exit 2 ;;
esac
