#!/bin/bash
# What programs keep of what tools made is never taken for another tool's: ours and NVIDIA's compile the same into one folder
# of Triton's and of PyCUDA's, in both orders, and get their own each time. cuda.core and Numba have the versions of libraries in
# their keys; an older Numba has not, and gets another folder from `doppel run`.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
triton=$(tests/venv.sh triton) || exit 1
toolkit=$(tests/venv.sh toolkit) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DOPPEL_MODE TRITON_PTXAS_PATH TRITON_PTXAS_BLACKWELL_PATH
passed=0 failed=0
check() { # name, what is wanted, command...
    local name=$1 wanted=$2 found
    shift 2
    found=$("$@" 2>"$work/errors" | tail -1)
    if [ "$found" = "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: \"$found\" instead of \"$wanted\""
        tail -3 "$work/errors"
    fi
}
ours=$top/build/libexec
with_ours=(env TRITON_PTXAS_PATH="$ours/ptxas" TRITON_PTXAS_BLACKWELL_PATH="$ours/ptxas")
compile=("$triton" tests/toolchain/caches.py triton)
one="machine code of ['machine code']" both="of ['container', 'machine code']"
check "Triton, theirs first" "$one" "${compile[@]}" "$work/a"
check "Triton, then ours" "container $both" "${with_ours[@]}" "${compile[@]}" "$work/a"
check "Triton, theirs again" "machine code $both" "${compile[@]}" "$work/a"
check "Triton, ours first" "container of ['container']" "${with_ours[@]}" "${compile[@]}" "$work/b"
check "Triton, then theirs" "machine code $both" "${compile[@]}" "$work/b"
check "Triton, ours again" "container $both" "${with_ours[@]}" "${compile[@]}" "$work/b"
# What PyCUDA's key has of a tool is what its --version prints.
version() { PATH=$1:$PATH "$2" --version | md5sum; }
for tool in nvcc ptxas; do
    check "version of $tool" differs sh -c "[ \"$(version "$toolkit/bin" $tool)\" != \"$(CUDA_HOME=$toolkit version "$ours" $tool)\" ] && echo differs"
done
if [ -e "$(echo target/venv-pycuda/lib/python*/site-packages/pycuda/__init__.py)" ]; then
    curand=$(dirname "$(find target/venv-pycuda/lib -name libcurand.so)")
    compile=(env LD_LIBRARY_PATH="$top/build/lib:$top/$curand" CUDA_HOME="$toolkit" target/venv-pycuda/bin/python tests/toolchain/caches.py pycuda "$work/c")
    mkdir "$work/c"
    for round in first again; do
        for nvcc in "$toolkit/bin/nvcc" "$ours/nvcc"; do
            [ "$nvcc" = "$ours/nvcc" ] && kind=container || kind="machine code"
            check "PyCUDA, $kind, $round" "$kind" sh -c '"$@" | sed "s/ of .*//"' sh "${compile[@]}" "$nvcc"
        done
    done
else
    echo "skipped: PyCUDA: it is not installed (clients/suites/pycuda.sh installs it)"
fi
defaults=$(tests/venv.sh defaults) || exit 1
"$defaults" tests/toolchain/caches.py keys >"$work/theirs" 2>/dev/null
build/bin/doppel run -- "$defaults" tests/toolchain/caches.py keys >"$work/ours" 2>/dev/null
check "keys of cuda.core and Numba" "3 lines, 0 in common" \
    sh -c "echo \$(wc -l <$work/ours) lines, \$(grep -cxFf $work/theirs $work/ours) in common"
check "Numba's own folder" "" build/bin/doppel run -- "$defaults" -c 'import os; print(os.environ.get("NUMBA_CACHE_DIR", ""))'
check "Numba, of any version" differs sh -c "NUMBA_CACHE_DIR=/theirs build/bin/doppel run -- sh -c '[ \"\$NUMBA_CACHE_DIR\" != /theirs ] && echo differs'"
echo "caches: $passed passed, $failed failed"
[ $failed = 0 ]
