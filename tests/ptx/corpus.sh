#!/bin/bash
# Launches the kernels of this repository, and others', with random shapes of blocks and grids and random arguments: interpreted,
# compiled for this machine and compiled for AVX2. All that they can write, what they print and the codes of the launches are the same.
#
#   tests/ptx/corpus.sh [OPTION...] [FILE...]   the kernels of these files: PTX, images, objects, programs and records (DOPPEL_RECORD).
#                                               By default PTX of this repository, what the C tests have as text, and the programs that
#                                               tests/cudart/kernels.sh has compiled
#
#   --shapes N      launches of each kernel (3)
#   --first N       their first seed (0): other seeds are other shapes and arguments
#   --workers N     so many processes at once, each on a core of its own (as many as there are cores)
#   --lib FOLDER    where libcuda.so.1 is (build/lib)
#   --all           also kernels that never end (c-tests/kernel_timeout.c), those of the form tests (tests/ptx/kernels), of bench
#                   programs and of all clients (clients/run.sh): it takes hours
#   --files FOLDER  modules, lists and results stay there
#
# A long run:  nice tests/ptx/corpus.sh --all --shapes 200
#
# What ends with an error is the same if the codes are. Of each kernel a few such launches are made, and fewer that run out of time
# (TIMEOUT: a second): they are not decided. What differs is run once more with racecheck. If that finds a race, or if the kernel reads a
# clock or the like, it counts as racing, with its name. It counts as undefined where lanes read registers of others and a warp lacks some:
# the manual says so, and nobody keeps what such lanes have; and where shared memory is read that nobody wrote: such a launch is the same
# in all where it is the first of its process. Else it differs, and this fails. So does a launch that ends a process
# or that the library reports as its own defect.
#
# The last line: kernels, launches, and of these: alike (how many of them with an error), different, racing, undefined, not decided;
# and how many kernels the compiler leaves to the interpreter.
#
# To look at a launch that differs: `corpus --one` and `--show` (tests/ptx/corpus.c) of the folder that --files left.
set -eu
export LC_ALL=C
TIERS="interpret:auto compile:auto compile:avx2"

# alone NAME KERNEL SEED: whether a launch is the same in all tiers where it is the first of its process.
alone() {
    local tier
    for tier in $TIERS; do
        DOPPEL_ENGINE=${tier%:*} DOPPEL_CPU=${tier#*:} "${pin[@]}" ./corpus --one "$1.alone" "$1" "$2" "$3" 2>/dev/null
        cat "$1.alone"
    done | awk '!($0 in seen) { seen[$0] = 1; kinds++ } END { exit kinds != 1 || NR != 3 }'
}

# piece NAME: the kernels of one module, in the three tiers; then, of those that differ, why.
piece() {
    local pin=() cores tier
    cores=($CORES)
    [ ${#cores[@]} = 0 ] || pin=(taskset -c "${cores[SLOT % ${#cores[@]}]}")
    cd "$WORK"
    for tier in $TIERS; do
        # What ran out of time is not tried again.
        [ "$tier" = interpret:auto ] || export BEFORE=$1.interpret:auto
        DOPPEL_ENGINE=${tier%:*} DOPPEL_CPU=${tier#*:} "${pin[@]}" ./corpus "$1.$tier" "$FIRST" "$SHAPES" "$1" 2>"$1.$tier.log" ||
            echo "$1 0 ended:$tier 0" >>"$1.$tier"
    done
    # A line for each launch: what it came to, module and kernel, seed.
    awk '
        { key = $1 " " $2; if (!(key in times)) order[++keys] = key; times[key]++; codes[key] = codes[key] " " $3 }
        # An unknown error is a defect of the library.
        $3 ~ /^crashed|^ended|^999$/ { bad[key] = 1 }
        $3 == 702 || $3 ~ /^hung/ { endless[$1] = 1; open[key] = 1 }
        $5 == "partial" { partial[key] = 1 }
        times[key] == 1 { said[key] = $3 " " $4; code[key] = $3 }
        said[key] != $3 " " $4 { other[key] = 1 }
        END {
            for (n = 1; n <= keys; n++) {
                key = order[n]
                split(key, part, " ")
                # Behind launches that run out of time in one tier, others may have made fewer.
                if (bad[key]) print "bad", key, codes[key]
                else if (open[key] || times[key] < 3 && endless[part[1]]) print "open", key
                else if (times[key] < 3 || other[key]) print "other", key, (partial[key] ? "partial" : "whole") codes[key]
                else if (code[key] ~ /^load/) print "unloaded", key, code[key]
                else print code[key] == 0 ? "alike" : "failing", key
            }
        }' "$1.interpret:auto" "$1.compile:auto" "$1.compile:avx2" >"$1.said"
    unset BEFORE
    grep " is interpreted: " "$1.compile:auto.log" | sort -u | sed "s|^doppel: |refused $1 |" >"$1.refused" || true
    local what name seed codes kernel flags
    while read -r what name seed codes; do
        [ "$what" = other ] || { echo "$what $name $seed $codes"; continue; }
        kernel=${name#*/}
        flags=$(awk -v kernel="$kernel" '$1 == "kernel" && $2 == kernel { print $10 }' "$1.txt")
        if DOPPEL_CHECK=racecheck DOPPEL_KERNEL_TIMEOUT=20 DOPPEL_ENGINE=interpret "${pin[@]}" ./corpus --one "$1.race" "$1" "$kernel" "$seed" 2>&1 |
            grep -qE 'racecheck: [1-9][0-9]* races?'; then
            echo "racing $name $seed (a race)"
        elif [[ $flags == *[km]* ]]; then
            echo "racing $name $seed (clocks, places or addresses)"
        elif [[ $codes == partial* && $flags == *w* ]]; then
            echo "undefined $name $seed (lanes that are not there)"
        elif [[ $flags == *h* ]] && alone "$1" "$kernel" "$seed"; then
            echo "undefined $name $seed (shared memory as earlier launches left it)"
        else
            echo "other $name $seed $codes"
        fi
    done <"$1.said" >"$1.result"
}

if [ "${1:-}" = piece ]; then
    piece "$2"
    exit
fi
self=$(realpath "$0")
top=$(realpath "$(dirname "$0")/../..")
SHAPES=3 FIRST=0 lib=$top/build/lib workers=$(nproc) all=0 folder='' files=()
while [ $# -gt 0 ]; do
    case $1 in
        --shapes) SHAPES=$2; shift ;;
        --first) FIRST=$2; shift ;;
        --workers) workers=$2; shift ;;
        --lib) lib=$(realpath "$2"); shift ;;
        --all) all=1 ;;
        --files) folder=$2; shift ;;
        -*) sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 2 ;;
        *) files+=("$(realpath "$1")") ;;
    esac
    shift
done
cd "$top"
if [ -n "$folder" ]; then
    mkdir -p "$folder"
    WORK=$(realpath "$folder")
    rm -f "$WORK"/[0-9]*
else
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
fi
if [ ${#files[@]} = 0 ]; then
    while read -r file; do files+=("$top/$file"); done < <(git ls-files 2>/dev/null '*.ptx' || true)
    [ ${#files[@]} -gt 0 ] || mapfile -t files < <(find "$top/benches" "$top/tests" -name '*.ptx' | sort)
    mkdir -p "$WORK/objects"
    # Text that C programs have is in their objects.
    sources=(c-tests/*.c)
    # Nearly all of these kernels never end: only a long run waits for them.
    [ $all = 1 ] || mapfile -t sources < <(printf '%s\n' "${sources[@]}" | grep -v /kernel_timeout.c)
    printf '%s\n' "${sources[@]}" | xargs -P "$workers" -I{} sh -c 'cc -std=c11 -D_GNU_SOURCE -O0 -w -I. -c "$1" -o "$2/$(basename "$1" .c).o"' - {} "$WORK/objects"
    files+=("$WORK"/objects/*.o)
    programs=()
    for file in target/cudart-kernels/*; do
        case $file in *.shared | *.static | *.ptx | *.library) programs+=("$top/$file") ;; esac
    done
    [ ${#programs[@]} -gt 0 ] || echo "skipped: programs of nvcc: tests/cudart/kernels.sh compiles them"
    files+=("${programs[@]}")
    if [ $all = 1 ]; then
        mkdir -p "$WORK/forms" "$WORK/records" "$WORK/programs"
        cargo xtask kernels "$WORK/forms"
        PYTHONDONTWRITEBYTECODE=1 python3 tests/ptx/kernels "$WORK/forms"
        cargo xtask keep-kernels "$WORK/forms"
        files+=("$WORK"/forms/*.ptx)
        toolkit=$(tests/venv.sh toolkit)
        for file in benches/programs/*.cu tests/data/*.cu; do
            program=$WORK/programs/$(basename "$file" .cu).program
            PATH=$toolkit/bin:$PATH nvcc -std=c++17 -O2 -arch=sm_90 -cudart shared -Wno-deprecated-gpu-targets -o "$program" "$file"
            files+=("$program")
        done
        DOPPEL_RECORD=$WORK/records/%p.rec clients/run.sh || echo "not all clients ran"
        files+=("$WORK"/records/*.rec)
    fi
fi
DOPPEL_LOG=off cargo xtask corpus "$WORK" "${files[@]}"
cc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$WORK/corpus" tests/ptx/corpus.c -L"$lib" -lcuda
# The cores that this may run on, if there is a way to choose: tests/ptx/tiers.sh.
CORES=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//' | tr , '\n' | awk -F- '{ for (n = $1; n <= $NF; n++) print n }' || true)
export CORES WORK FIRST SHAPES LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" DOPPEL_MODE=cpu DOPPEL_NODE=none
export DOPPEL_KERNEL_TIMEOUT=${TIMEOUT:-1} DOPPEL_LOG=info
unset DOPPEL_CHECK DOPPEL_SCHEDULE DOPPEL_COVERAGE DOPPEL_RECORD
grep -q avx512f /proc/cpuinfo || echo "this machine has no AVX-512: kernels are compiled for AVX2 twice"
grep -q avx2 /proc/cpuinfo || echo "skipped: compiled kernels: this machine has no AVX2"
# The largest modules first.
(cd "$WORK" && ls -S -- *.txt | sed 's/[.]txt$//') | xargs -P "$workers" --process-slot-var=SLOT -I{} "$self" piece {} || true
find "$WORK" -maxdepth 1 -name '*.txt' | while read -r list; do
    [ -e "${list%.txt}.result" ] || echo "bad ${list##*/} 0 no result"
done >"$WORK/0.result"
cat "$WORK"/*.refused "$WORK"/*.result | awk '
    $1 == "refused" { refused++; next }
    { kernels[$2] = 1; launches++; count[$1]++ }
    $1 ~ /^(racing|undefined)$/ && !(($1, $2) in shown) { shown[$1, $2] = 1; print }
    $1 ~ /^(unloaded|open)$/ && !(($1, $2) in shown) { shown[$1, $2] = 1; print ($1 == "open" ? "not decided" : $1), $2, $3, $4 }
    $1 == "bad" || $1 == "other" { print "differs", $2, $3, $4, $5, $6, $7 }
    END {
        for (name in kernels) all++
        differ = count["bad"] + count["other"]
        launches -= count["unloaded"]
        printf "%d kernels, %d launches: %d alike (%d of them with an error), %d differ, ", all, launches, \
            count["alike"] + count["failing"], count["failing"], differ
        printf "%d racing, %d undefined, %d not decided; %d kernels are interpreted in all tiers\n", \
            count["racing"], count["undefined"], count["open"], refused
        exit differ > 0 || all == 0
    }'
