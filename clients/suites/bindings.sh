#!/bin/bash
# Runs NVIDIA's tests of cuda-python, out of the last package that carries them, on our library.
#
#   clients/suites/bindings.sh [PYTEST'S ARGUMENTS...]
#
# They go through the driver, also those of the runtime: this version makes its calls of the driver's itself. The last line is `done` if
# all of them passed.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$top/tests/venv.sh" bindings)
nvidia=$(dirname "$(find "$(dirname "$python")/../lib" -type d -name cuda_nvrtc)")
# NVRTC is looked for as the loader does, headers below CUDA_HOME.
output=$(LD_LIBRARY_PATH=$nvidia/cuda_nvrtc/lib CUDA_HOME=$nvidia/cuda_runtime "$top/build/bin/doppel" run -- \
    "$python" -m pytest -q -rs -p no:cacheprovider --timeout=120 --pyargs cuda.tests "$@" 2>&1) || { echo "$output"; exit 1; }
echo "$output" | grep '^SKIPPED' | sed 's/^SKIPPED/skipped:/' || true
passed=$(sed -n 's/^\([0-9]*\) passed.*/\1/p' <<<"$output")
echo "${passed:-0} tests passed"
[ "${passed:-0}" -gt 0 ] && echo done
