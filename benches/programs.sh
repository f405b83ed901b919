#!/bin/bash
# Whole programs of those who write kernels, unchanged, with compiled kernels and with interpreted ones: milliseconds of what each
# of benches/programs measures, the better of two processes, in turn.
#
#   benches/programs.sh OUT      OUT: where programs are built
#
# Called by benches/run.sh. Tool chains come from the package registry; exit status 1 when a program fails.
set -eu
export PYTHONWARNINGS=ignore
out=$1
top=$(cd "$(dirname "$0")/.." && pwd)
programs=$top/benches/programs
toolkit=$("$top/tests/venv.sh" toolkit)
python=$("$top/tests/venv.sh" kernels)
nvrtc=$(dirname "$(find "$(dirname "$python")/../lib" -name libnvrtc.so.13 | head -1)")
for name in sort product; do
    [ "$out/$name" -nt "$programs/$name.cu" ] ||
        PATH=$toolkit/bin:$PATH nvcc -std=c++17 -O2 -arch=sm_90 -cudart shared -Wno-deprecated-gpu-targets -o "$out/$name" "$programs/$name.cu"
done
numba() { CUDA_PATH=$(dirname "$nvrtc") "$top/build/bin/doppel" run -- "$python" "$programs/numba_options.py"; }
tinygrad() { DEV=CUDA CUDA_PATH=$(dirname "$nvrtc") LD_LIBRARY_PATH=$nvrtc "$top/build/bin/doppel" run -- "$python" "$programs/tinygrad_layers.py"; }
sort() { "$out/sort"; }
product() { "$out/product"; }
better() { awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'; }
printf '\n%-34s %12s %12s %8s\n' program "compiled ms" "interpreted" times
line() { # WHAT FUNCTION
    local auto=1e9 interpret=1e9 round ms
    for round in 1 2; do
        ms=$("$2") && auto=$(better "$auto" "$ms")
        ms=$(DOPPEL_ENGINE=interpret "$2") && interpret=$(better "$interpret" "$ms")
    done
    awk -v n="$1" -v a="$auto" -v b="$interpret" 'BEGIN { printf "%-34s %12s %12s %8.2f\n", n, a, b, b / a; exit a >= 1e9 || b >= 1e9 }'
}
line "Numba: option prices" numba
line "tinygrad: forward and backward" tinygrad
line "CUB: radix sort of 2^19 pairs" sort
line "nvcc: product of 512 by 512" product
