#!/bin/sh
# Checks our C headers: they compile without warnings, and they agree with NVIDIA's, which pip brings into target/ for the
# comparison.
set -eu
cd "$(dirname "$0")/../.."
here=c-tests/abi

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

exec "$(tests/venv.sh python)" $here/check_abi.py --nvidia-include "$(tests/venv.sh include)" --ours cuda.h
