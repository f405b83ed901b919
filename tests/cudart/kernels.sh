#!/bin/bash
# Programs with kernels, compiled by NVIDIA's nvcc, run with our runtime and driver in cpu mode. Each compares what its
# kernels give with what the host computes, and prints lines that are the same on every device; NAME.expected is what
# NVIDIA's runtime and driver made of the same programs on an H200.
#
#   tests/cudart/kernels.sh [--lib FOLDER] [--long] [NAME...]   (FOLDER: build/lib by default)
#   tests/cudart/kernels.sh --real FOLDER [NAME...]             on a machine with a GPU: runs the programs that an earlier
#                                                               run left in FOLDER, with the libraries that the loader finds
#
# Programs are compiled again only when they have changed. --long: also those that take half a minute to compile.
# kernels/not-yet.txt names programs that are known not to run right, and why; they are run, and counted apart.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
lib=$top/build/lib
out=$top/target/cudart-kernels
real= long=0 names=()
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd); shift ;;
        --real) real=$(cd "$2" && pwd); shift ;;
        --long) long=1 ;;
        *) names+=("$1") ;;
    esac
    shift
done
all=(vector reduce scan histogram matmul sort stencil nbody fft montecarlo symbols calls groups launches streams graphs
    mathematics halves print asserts faults textures heap parts several resets recovers nested inside captures conditions)
[ $long = 1 ] && all+=(cubs thrusts)
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")
passed=0 failed=0 later=0
mkdir -p "$out"
execute() { # label, program, command...
    local label=$1 name=$2 why=
    shift 2
    DOPPEL_LOG=${DOPPEL_LOG:-error} timeout -s KILL "${TEST_LIMIT:-120}" "$@" >"$out/$label.out" 2>"$out/$label.log"
    local rc=$?
    if [ $rc -ne 0 ]; then
        why="exit status $rc: $(tail -1 "$out/$label.out") $(tail -1 "$out/$label.log")"
    elif ! diff -u "$here/kernels/$name.expected" "$out/$label.out" >"$out/$label.diff"; then
        why="output differs: $(sed -n '3,12p' "$out/$label.diff")"
    fi
    local known=$(sed -n "s/^$name: //p" "$here/kernels/not-yet.txt")
    if [ -z "$why" ]; then
        passed=$((passed + 1))
        [ -z "$known" ] || echo "$label runs right: it can leave kernels/not-yet.txt"
    elif [ -n "$known" ]; then
        later=$((later + 1))
        echo "not yet $label: $known"
    else
        failed=$((failed + 1))
        echo "FAILED $label: $why"
    fi
}
finish() {
    echo "$passed passed, $failed failed, $later known not to run yet"
    [ $failed = 0 ]
    exit
}
if [ -n "$real" ]; then
    for name in "${names[@]}"; do
        # What an H200 makes of it is said there.
        [ "$name" = recovers ] || execute "$name.real" "$name" "$real/$name.shared" "$real/$name.library"
    done
    finish
fi

toolkit=$("$top/tests/venv.sh" toolkit) || {
    echo "NVIDIA's compiler cannot be had from the package registry"
    exit 1
}
export PATH=$toolkit/bin:$PATH
# nvcc with what all programs are compiled with, unless the result is newer than its sources.
compile() { # label, sources..., then flags
    local label=$1 source
    shift
    local depends=(check.h parts.h)
    for source; do [[ $source == *.cu ]] && depends+=("$source"); done
    [[ $label == *.static ]] && depends+=("$lib/libcudart_static.a")
    (cd "$here/kernels" && [ "$(ls -t "$out/$label" "${depends[@]}" 2>/dev/null | head -1)" = "$out/$label" ]) && return 0
    if (cd "$here/kernels" && nvcc -std=c++17 --extended-lambda -Wno-deprecated-gpu-targets -Wno-deprecated-declarations -diag-suppress 177,550 \
        "$@" -o "$out/$label" -lpthread -ldl) >"$out/$label.build" 2>&1; then
        return 0
    fi
    failed=$((failed + 1))
    echo "FAILED $label: does not compile: $(grep -m3 -E 'error|undefined' "$out/$label.build")"
    rm -f "$out/$label"
    return 1
}
for name in "${names[@]}"; do
    ours=(env LD_LIBRARY_PATH="$lib")
    # It takes what comes on stderr as output, too.
    [ "$name" = asserts ] && ours+=(DOPPEL_LOG=off)
    sources=("$name.cu") flags=(-arch=sm_90)
    case $name in
        parts) sources+=(parts2.cu); flags+=(-rdc=true) ;;
        nested | inside | conditions) flags+=(-rdc=true) ;;
        several)
            compile several.library "${sources[@]}" "${flags[@]}" -cudart shared -DLIBRARY -shared -Xcompiler -fPIC ||
                continue
            ;;
    esac
    # Machine code for the GPU and PTX for us; NVIDIA's libcudart.so.13 is linked, ours is found by LD_LIBRARY_PATH.
    compile "$name.shared" "${sources[@]}" "${flags[@]}" -cudart shared &&
        execute "$name.shared" "$name" "${ours[@]}" "$out/$name.shared" "$out/$name.library"
    case $name in
        # nvcc's defaults: the static library, the default architecture.
        symbols | launches | graphs)
            compile "$name.static" "${sources[@]}" -L"$lib" &&
                execute "$name.static" "$name" "${ours[@]}" "$out/$name.static"
            ;;&
        # PTX alone, linked by us.
        parts | vector)
            compile "$name.ptx" "${sources[@]}" "${flags[@]:1}" -arch=compute_90 -cudart shared &&
                execute "$name.ptx" "$name" "${ours[@]}" "$out/$name.ptx"
            ;;&
        # The ways of compressing images.
        histogram)
            for mode in size speed none; do
                compile "$name.$mode" "${sources[@]}" "${flags[@]}" --compress-mode=$mode -cudart shared &&
                    execute "$name.$mode" "$name" "${ours[@]}" "$out/$name.$mode"
            done
            ;;&
        # Stream 0 is the per-thread default stream.
        vector | graphs)
            compile "$name.ptds" "${sources[@]}" "${flags[@]}" --default-stream per-thread -cudart shared &&
                execute "$name.ptds" "$name" "${ours[@]}" "$out/$name.ptds"
            ;;&
        # All code is loaded by the first call.
        symbols | several)
            execute "$name.eager" "$name" "${ours[@]}" CUDA_MODULE_LOADING=EAGER "$out/$name.shared" "$out/$name.library"
            ;;
    esac
done
finish
