#!/bin/bash
# Compiles every program of this folder against our cuda.h, links it with -lcuda, runs it and compares its output with
# the expected one. A program that cannot run on this device or driver prints `skipped: why` first and ends with exit
# status 77. Exit status 77 of this script: nothing was run.
#
#   c-tests/run.sh [--lib FOLDER] [--real] [--out FOLDER] [--valgrind] [--asan] [--schedule WORD] [NAME...]
#
#   --lib FOLDER     where libcuda.so.1 is (default: build/lib)
#   --real           run on the driver that the loader finds instead of ours (on a machine with a GPU)
#   --out FOLDER     where programs and their output go (default: target/c-tests)
#   --valgrind       run under valgrind; an error or a lost block of ours fails the test
#   --asan           compile the programs with AddressSanitizer
#   --schedule WORD  DOPPEL_SCHEDULE for the runs
#
# TEST_LIMIT: seconds for one program (default 240, under tools 960).
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
lib=$top/build/lib
out=$top/target/c-tests
real=0 valgrind=0 asan=0 names=()
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd); shift ;;
        --real) real=1 ;;
        --out) out=$2; shift ;;
        --valgrind) valgrind=1 ;;
        --asan) asan=1 ;;
        --schedule) export DOPPEL_SCHEDULE=$2; shift ;;
        *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || for f in "$here"/*.c; do names+=("$(basename "$f" .c)"); done
if [ $valgrind = 1 ] && ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 77
fi
limit=${TEST_LIMIT:-240}
# Tools slow programs down, and another step may run beside them.
if [ $valgrind = 1 ] || [ $asan = 1 ]; then
    export TEST_PATIENCE=4
    limit=${TEST_LIMIT:-960}
fi
flags=(-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$top")
[ $valgrind = 1 ] && out=$out-valgrind
[ $asan = 1 ] && { flags+=(-fsanitize=address -fno-omit-frame-pointer); out=$out-asan; }
mkdir -p "$out"
if [ $valgrind = 1 ]; then
    # valgrind reads the debug information anew in each process, a second of it; names of functions are enough for a stack.
    ln -sf "$lib"/*.so* "$out" && rm -f "$out/libcuda.so.1"
    strip -g -o "$out/libcuda.so.1" "$lib/libcuda.so.1" || exit 1
    lib=$out
    ln -sf libcuda.so.1 "$lib/libcuda.so"
fi
[ $real = 1 ] || export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export DOPPEL_LOG=${DOPPEL_LOG:-error}
# A test has its devices for itself, whatever runs beside it.
export DOPPEL_NODE=${DOPPEL_NODE:-none}
# The memory of the device is a reservation, so the tools must not count it as the program's.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:handle_segv=0:allow_user_segv_handler=1:use_sigaltstack=0}
# Programs that round other than to nearest: valgrind always rounds to nearest.
rounding=" matrix "
# Hundreds of processes that end by faults: minutes under valgrind. AddressSanitizer has them.
faulting=" wild_access "
# Programs that measure or limit memory, of which AddressSanitizer takes its own.
measuring=" module_limits "
passed=0 failed=0 skipped=0
for name in "${names[@]}"; do
    why= note= skip=
    if [ $valgrind = 1 ] && [[ $faulting == *" $name "* ]]; then
        skip="its many processes take minutes under valgrind"
    elif ! cc "${flags[@]}" -o "$out/$name" "$here/$name.c" -L"$lib" -lcuda -lpthread -lm >"$out/$name.log" 2>&1; then
        why="does not compile"
    else
        command=("$out/$name")
        [ $valgrind = 1 ] && command=(valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
            --suppressions="$here/valgrind.supp" "$out/$name")
        timeout -s KILL "$limit" "${command[@]}" >"$out/$name.out" 2>"$out/$name.log"
        rc=$?
        if [ $rc = 77 ]; then
            skip=$(sed -n 's/^skipped: //p' "$out/$name.out" | head -1)
            [ -n "$skip" ] || why="exit status 77 (skipped) without a reason"
        elif [ $rc -ne 0 ]; then
            why="exit status $rc"
        elif [ $valgrind = 1 ] && [[ $rounding == *" $name "* ]]; then
            note=" (output not compared)"
        elif [ $asan = 1 ] && [[ $measuring == *" $name "* ]]; then
            note=" (output not compared)"
        elif ! diff -u "$here/$name.expected" "$out/$name.out" >"$out/$name.diff"; then
            why="output differs"
            cat "$out/$name.diff" >>"$out/$name.log"
        fi
    fi
    if [ -n "$skip" ]; then
        skipped=$((skipped + 1))
        echo "skipped: $name: $skip"
    elif [ -z "$why" ]; then
        passed=$((passed + 1))
        echo "ok      $name$note"
    else
        failed=$((failed + 1))
        echo "FAILED  $name: $why"
        tail -40 "$out/$name.log" | sed 's/^/        /'
    fi
done
echo "c-tests: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] || exit 1
[ $passed != 0 ] || exit 77
