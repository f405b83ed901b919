#!/bin/sh
# Checks our C headers: they compile without warnings, and they agree with NVIDIA's, which pip brings into target/ for the
# comparison.
set -eu
cd "$(dirname "$0")/../.."
here=c-tests/abi
venv=target/abi-venv

for mode in "" -DCUDA_API_PER_THREAD_DEFAULT_STREAM -D__CUDA_API_VERSION_INTERNAL; do
    set -- -Wall -Wextra -pedantic -Werror -fsyntax-only -isystem $here/stubs -I.
    # With raw names cuMemAlloc and others are the first generation; the program does not mean those.
    case $mode in
    *INTERNAL) program="-include cuda.h -x c /dev/null" cxx="-include cuda.h -x c++ /dev/null" ;;
    *) program="-x c $here/program.c" cxx="-x c++ $here/program.c" ;;
    esac
    # shellcheck disable=SC2086
    {
        ${CC:-cc} -std=c11 $mode "$@" $program
        ${CXX:-c++} -std=c++17 $mode "$@" $cxx
    }
done
echo "the headers compile as C11 and C++17 without warnings"

if [ ! -e $venv/complete ]; then
    python3 -m venv $venv
    $venv/bin/pip install --quiet --disable-pip-version-check nvidia-cuda-runtime==13.5.37 libclang
    touch $venv/complete
fi
include=$(dirname "$(find $venv -name cuda.h -path '*/include/*' | head -n 1)")
exec $venv/bin/python $here/check_abi.py --nvidia-include "$include" --ours cuda.h
