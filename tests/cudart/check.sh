#!/bin/bash
# DOPPEL_CHECK with programs that NVIDIA's nvcc compiled, with line information: what the report of a mistake names, the seeded mistakes
# of mistakes.cu, which are all found, and right programs, of which nothing is reported.
#
#   tests/cudart/check.sh [--lib FOLDER] [--long]   (build/lib by default)
#
# --long: all programs of kernels/, with CUB's and Thrust's algorithms, which take minutes to compile.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
lib=$top/build/lib
long=0
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd); shift ;;
        --long) long=1 ;;
    esac
    shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
toolkit=$("$top/tests/venv.sh" toolkit) || {
    echo "NVIDIA's compiler cannot be had from the package registry"
    exit 1
}
PATH=$toolkit/bin:$PATH nvcc -arch=sm_90 -lineinfo -g -Wno-deprecated-gpu-targets -cudart shared \
    -o "$work/check" "$here/check.cu" || exit 1
PATH=$toolkit/bin:$PATH nvcc -std=c++17 -arch=compute_90 -lineinfo -Wno-deprecated-gpu-targets -cudart shared \
    -o "$work/mistakes" "$here/mistakes.cu" || exit 1
failed=0
check() { # what, expected exit status, then arguments of the program; expected words on standard input
    local what=$1 status=$2 output rc word
    shift 2
    output=$(LD_LIBRARY_PATH=$lib DOPPEL_CHECK=memcheck,exit=9 "$work/check" "$@" 2>&1)
    rc=$?
    [ $rc = "$status" ] || { failed=1; echo "FAILED $what: exit status $rc instead of $status"; }
    while read -r word; do
        grep -qF -- "$word" <<<"$output" || { failed=1; echo "FAILED $what: no \"$word\" in:"; echo "$output"; }
    done
}
check "one too far" 9 further <<'END'
memcheck: invalid read of 4 bytes in global memory
by kernel scale(float*, float, int)
check.cu:7 (PTX line
thread (232, 0, 0) of block (3, 0, 0)
right behind the end of the 4000 bytes of device memory
check.cu:12)
check.cu:18)
cudaErrorIllegalAddress
memcheck: 1 error
END
check "as far as it goes" 0 <<'END'
cudaSuccess
memcheck: no errors
END
# As packages have it, without symbols.
mkdir "$work/stripped"
cp "$lib"/libcudart.so.1* "$work/stripped" && strip "$work"/stripped/*
report=$(LD_LIBRARY_PATH=$work/stripped:$lib DOPPEL_CHECK=memcheck "$work/check" further 2>&1)
if ! grep -q 'cudaMalloc' <<<"$report" || grep -q '^doppel: *libcudart' <<<"$report"; then
    failed=1
    echo "FAILED with a stripped runtime library: its export alone is to stand in:"
    echo "$report"
fi
LD_LIBRARY_PATH=$lib python3 "$here/mistakes.py" "$work/mistakes" "$work" || failed=1
# A report would make the exit status another one.
names=(reduce scan histogram stencil sort groups streams nested captures heap)
[ $long = 1 ] && names=(vector "${names[@]}" matmul nbody fft montecarlo symbols calls launches graphs mathematics halves print
    textures parts inside conditions cubs thrusts)
DOPPEL_CHECK=memcheck,initcheck,racecheck,synccheck,exit=9 "$here/kernels.sh" --lib "$lib" "${names[@]}" || failed=1
[ $failed = 0 ] && echo "what the checks say of nvcc's programs is right"
exit $failed
