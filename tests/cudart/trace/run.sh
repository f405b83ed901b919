#!/bin/bash
# Which driver calls our runtime makes for each of its functions, beside those that were recorded of NVIDIA's: calls.13
# and calls.12 hold the former, and docs/RUNTIME.md says where they differ from the latter and why.
#
#   tests/cudart/trace/run.sh [--lib FOLDER]     (build/lib by default)
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
lib=$top/build/lib
[ "${1:-}" != --lib ] || lib=$(cd "$2" && pwd)
out=$top/target/cudart-trace
mkdir -p "$out/lib"
[ "$(uname -m)" = x86_64 ] || { echo "skipped: the recorder is for x86-64"; exit 77; }
toolkit=$("$top/tests/venv.sh" toolkit) && toolkit12=$("$top/tests/venv.sh" toolkit12) || {
    echo "NVIDIA's compiler and headers cannot be had from the package registry"
    exit 1
}
nm -D --defined-only "$lib/libcuda.so.1" | sed -n 's/.* T \(cu[A-Za-z0-9_]*\).*/FUNCTION(\1)/p' >"$out/functions.inc"
cc -shared -fPIC -O1 -I"$out" -Wl,-soname,libcuda.so.1 "$here/recorder.c" -o "$out/lib/libcuda.so.1" -ldl || exit 1
ln -sf "$lib"/libcudart.so.1[23] "$out/lib/"
failed=0
check() { # 12 or 13, program
    rm -f "$out/trace.$1"
    TRACE_DRIVER=$lib/libcuda.so.1 TRACE_FILE=$out/trace.$1 LD_LIBRARY_PATH=$out/lib DOPPEL_LOG=error "$2" || {
        echo "FAILED calls of $1: exit status $?"
        failed=1
    }
    diff -u "$here/calls.$1" "$out/trace.$1" >"$out/diff.$1" && return
    echo "FAILED calls of $1: $(sed -n '3,20p' "$out/diff.$1")"
    failed=1
}
PATH=$toolkit/bin:$PATH nvcc -w -arch=sm_90 -cudart shared "$here/calls.cu" -o "$out/calls13" && check 13 "$out/calls13" || failed=1
${CXX:-c++} -x c++ -isystem "$toolkit12/include" -w "$here/calls.cu" -x none "$toolkit12/lib/libcudart.so.12" \
    -o "$out/calls12" && check 12 "$out/calls12" || failed=1
[ $failed = 0 ] && echo "driver calls: as expected"
exit $failed
