#!/bin/bash
# Installs PyCUDA from its sources, and runs its own suite on our library with our nvcc.
#
#   clients/suites/pycuda.sh [PYTEST'S ARGUMENTS...]
#
# Left out are tests that fill arrays of gigabytes.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
venv=$top/target/venv-pycuda
version=2026.1
CUDA_HOME=$("$top/tests/venv.sh" toolkit)
export CUDA_HOME PATH=$top/build/libexec:$PATH
sources=$venv/sources/pycuda-$version
if [ ! -e "$venv/complete" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    pip=("$venv/bin/pip" --quiet --disable-pip-version-check)
    "${pip[@]}" install numpy pytest setuptools wheel nvidia-curand
    "${pip[@]}" download --no-deps --no-build-isolation --no-binary pycuda --dest "$venv/sources" "pycuda==$version"
    tar -C "$venv/sources" -xf "$venv/sources/pycuda-$version.tar.gz"
    curand=$(dirname "$(dirname "$(find "$venv/lib" -name curand.h)")")
    ln -sf libcurand.so.10 "$curand/lib/libcurand.so"
    cat >"$sources/siteconf.py" <<END
CUDA_ROOT = "$CUDA_HOME"
CUDA_INC_DIR = ["$top/build/include", "$CUDA_HOME/include", "$curand/include"]
CUDADRV_LIB_DIR = ["$top/build/lib"]
CURAND_LIB_DIR = ["$curand/lib"]
END
    (cd "$sources" && CFLAGS=-O1 "${pip[@]}" install --no-build-isolation .)
    touch "$venv/complete"
fi
curand=$(dirname "$(find "$venv/lib" -name libcurand.so)")
cd "$sources/test"
# A toolkit has cuRAND's headers beside nvcc's own.
export PYCUDA_DEFAULT_NVCC_FLAGS="-I$(dirname "$curand")/include${PYCUDA_DEFAULT_NVCC_FLAGS:+ $PYCUDA_DEFAULT_NVCC_FLAGS}"
# It looks for libcudadevrt.a there.
LD_LIBRARY_PATH=$curand:$CUDA_HOME/lib exec "$top/build/bin/doppel" run -- "$venv/bin/python" -m pytest -q -p no:cacheprovider \
    -k "not 8gb and not 16gb and not big_array" "$@" test_driver.py test_cumath.py test_gpuarray.py
