#!/bin/bash
# Tests the CUDA runtime libraries: what they export, how structures lie, and programs compiled by NVIDIA's nvcc and by
# g++ against NVIDIA's headers, with data verified.
#
#   tests/cudart/run.sh [--lib FOLDER] [NAME...]         ours, in cpu mode (FOLDER: build/lib by default)
#   tests/cudart/run.sh --real FOLDER [NAME...]          on a machine with a GPU: runs the programs that an earlier run
#                                                        left in FOLDER with the libraries that the loader finds there
#                                                        (put the folder of NVIDIA's libcudart.so.13 into LD_LIBRARY_PATH)
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
lib=$top/build/lib
out=$top/target/cudart-tests
real= names=()
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd); shift ;;
        --real) real=$(cd "$2" && pwd); shift ;;
        *) names+=("$1") ;;
    esac
    shift
done
all=(copies arrays managed streams semaphores devices flags contexts parts ipc registered machine wild together)
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")
passed=0 failed=0
verdict() { # name, why it failed or nothing
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1: $2"
    fi
}
execute() { # label, expected output, command...
    local label=$1 expected=$2 why=
    shift 2
    DOPPEL_LOG=${DOPPEL_LOG:-error} timeout -s KILL "${TEST_LIMIT:-120}" "$@" >"$out/$label.out" 2>"$out/$label.log"
    local rc=$?
    if [ $rc -ne 0 ]; then
        why="exit status $rc: $(tail -1 "$out/$label.out") $(tail -1 "$out/$label.log")"
    elif ! diff -u "$expected" "$out/$label.out" >"$out/$label.diff"; then
        why="output differs: $(sed -n '3,12p' "$out/$label.diff")"
    fi
    verdict "$label" "$why"
}
finish() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
    exit
}
mkdir -p "$out"
if [ -n "$real" ]; then
    # NVIDIA's runtime crashes on what wild passes, its driver takes no memory files for semaphores, and together is for 12.
    for name in "${names[@]}"; do
        [[ $name = wild || $name = semaphores || $name = together ]] || execute "$name.shared13" "$here/$name.expected" "$real/$name.shared13"
    done
    finish
fi

toolkit=$("$top/tests/venv.sh" toolkit) && toolkit12=$("$top/tests/venv.sh" toolkit12) || {
    echo "NVIDIA's compiler and headers cannot be had from the package registry"
    exit 1
}
for v in 12 13; do
    name=libcudart.so.$v
    theirs=$([ $v = 12 ] && echo "$toolkit12/lib/$name" || echo "$toolkit/lib/$name")
    export LC_ALL=C
    for who in "$lib/$name" "$theirs"; do
        readelf --dyn-syms --wide "$who" | awk '$5 == "GLOBAL" && $7 != "UND" { print $8 }' | sort >"$out/exports"
        mv "$out/exports" "$out/$name.$([ "$who" = "$theirs" ] && echo theirs || echo ours)"
    done
    verdict "exports of $name" "$(diff "$out/$name.theirs" "$out/$name.ours" | head -20)"
    sed "s/\$/@@$name/" "$top/crates/cudart/exports/$name.txt" | { cat; echo "$name"; } | sort |
        diff - <(sed "s/^$name@.*/$name/" "$out/$name.ours") >"$out/$name.list"
    verdict "list of $name" "$(head -20 "$out/$name.list")"
    soname=$(readelf -d "$lib/$name" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
    verdict "soname of $name" "$([ "$soname" = "$name" ] || echo "it is $soname")"
    texts=$(LD_LIBRARY_PATH=$lib python3 "$here/texts.py" "$lib/$name" "$theirs" 2>&1) && texts=
    verdict "texts of $name" "$texts"
done
stray=$(nm -g --defined-only "$lib/libcudart_static.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort |
    comm -23 - <(sort "$top/crates/cudart/exports/libcudart.so.13.txt") | head -5)
verdict "symbols of libcudart_static.a" "$stray"
for include in "$toolkit/include" "$toolkit12/include"; do
    verdict "layout in $(basename "$(dirname "$include")")" \
        "$(${CC:-cc} -std=c11 -isystem "$include" -fsyntax-only "$here/layout.c" 2>&1)"
done

export PATH=$toolkit/bin:$PATH
build() { # label, command...
    local label=$1
    shift
    if "$@" -o "$out/$label" >"$out/$label.build" 2>&1; then return 0; fi
    verdict "$label" "does not compile: $(grep -m3 -E 'error|undefined' "$out/$label.build")"
    return 1
}
explained() { # label, words: the log of a run says them, once
    local n
    n=$(grep -c -- "$2" "$out/$1.log")
    verdict "$1: explanation" "$([ "$n" = 1 ] || echo "said $n times: $2; $(tail -3 "$out/$1.log")")"
}
for name in "${names[@]}"; do
    source=$here/$name.cu expected=$here/$name.expected
    flags=(-Wno-deprecated-declarations)
    # Code for a device that there is not.
    [ "$name" = machine ] && flags+=(-gencode "arch=compute_80,code=sm_80")
    shared12() {
        build "$name.shared12" ${CXX:-c++} -x c++ -isystem "$toolkit12/include" -w "$source" -x none \
            "$toolkit12/lib/libcudart.so.12" -lpthread &&
            execute "$name.shared12" "$expected" env LD_LIBRARY_PATH="$lib" "$out/$name.shared12"
    }
    # What CUDA 13 has no more.
    [ "$name" = together ] && { shared12; continue; }
    # Linked against NVIDIA's libcudart.so.13, run with ours by LD_LIBRARY_PATH alone.
    build "$name.shared13" nvcc "${flags[@]}" -cudart shared "$source" -lpthread &&
        execute "$name.shared13" "$expected" env LD_LIBRARY_PATH="$lib" "$out/$name.shared13"
    # nvcc's default: the static library, which must be found before NVIDIA's.
    if build "$name.static" nvcc "${flags[@]}" "$source" -L"$lib" -lpthread; then
        grep -q doppel "$out/$name.static" || verdict "$name.static" "holds another runtime"
        execute "$name.static" "$expected" env LD_LIBRARY_PATH="$lib" "$out/$name.static"
    fi
    # Stream 0 is the per-thread default stream: the second set of exports.
    build "$name.ptds" nvcc "${flags[@]}" --default-stream per-thread -cudart shared "$source" -lpthread &&
        if [ -e "$here/$name.ptds.expected" ]; then
            execute "$name.ptds" "$here/$name.ptds.expected" env LD_LIBRARY_PATH="$lib" "$out/$name.ptds"
        else
            execute "$name.ptds" "$expected" env LD_LIBRARY_PATH="$lib" "$out/$name.ptds"
        fi
    # CUDA 12.9's headers and its libcudart.so.12. Kernels need nvcc, which 12.9 has not in these packages; parts are new
    # in 13.
    case $name in registered | machine | parts) continue ;; esac
    shared12
done
# The loader takes ours for a program that was linked against NVIDIA's, without a word about versions.
for v in 12 13; do
    program=$out/${names[0]}.shared$v
    [ -x "$program" ] || continue
    verdict "loader, libcudart.so.$v" \
        "$(LD_LIBRARY_PATH=$lib ldd -v "$program" 2>&1 | grep -qF "libcudart.so.$v => $lib/libcudart.so.$v" || ldd -v "$program" 2>&1 | head -5)"
done
# Programs that cannot work say why in one sentence.
if [ -x "$out/machine.shared13" ]; then
    DOPPEL_LOG=warn execute machine.shared13 "$here/machine.expected" env LD_LIBRARY_PATH="$lib" "$out/machine.shared13"
    explained machine.shared13 'machine code (sm_80); rebuild it with PTX .*code=compute_90$'
fi
# nvcc's default without our library: NVIDIA's runtime, linked statically. It refuses our driver.
if [[ " ${names[*]} " = *" registered "* ]] && build theirs.static nvcc "$here/registered.cu"; then
    DOPPEL_LOG=warn LD_LIBRARY_PATH=$lib timeout -s KILL 60 "$out/theirs.static" >"$out/theirs.static.out" 2>"$out/theirs.static.log"
    rc=$?
    # MUST ends the program at its first call.
    verdict theirs.static "$([ $rc = 1 ] || echo "exit status $rc")"
    explained theirs.static "theirs.static asks for private tables .*-cudart shared or with Doppel's libcudart_static.a"
fi
finish
