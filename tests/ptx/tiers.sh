#!/bin/bash
# Runs random kernels (crates/xtask/src/random) interpreted, compiled for this machine and compiled for AVX2: all leave the same
# in memory. It needs no Rust: `xtask`, the compiled tests/ptx/random.c as `random`, and `libcuda.so.1` lie in FOLDER, which is
# where this script lies unless the environment says otherwise.
#
#   tests/ptx/tiers.sh FIRST_SEED COUNT WORKERS     COUNT kernels, from one seed on, by so many processes at once
#
# Its last line says how many kernels ran, how many were alike, and how many the compiler refused (those are interpreted). Before
# it each seed that differs has a line. It fails when one does, when a kernel ends with an error, or when kernels are missing.
# With DOPPEL_SCHEDULE=random:7 half of the kernels have warps in parts, without it one of 300.
#
# A small run, with what is built in this repository:
#   mkdir tiers; cp target/release/xtask build/lib/libcuda.so.1 tiers; cc -O2 -o tiers/random tests/ptx/random.c -Lbuild/lib -lcuda
#   FOLDER=tiers tests/ptx/tiers.sh 50000000 10000 2
set -eu
export LC_ALL=C
# Kernels that are made, run and removed together; kernels of modules that one process runs.
PIECE=1000

# piece FIRST END: runs these kernels. A line of numbers: kernels, kernels that are alike, refusals; a line for each that differs.
piece() {
    local work tier
    work=$(mktemp -d "$WORK/XXXXXX")
    "$FOLDER/xtask" random-kernels "$work" "$1..$2"
    cd "$work"
    local modules=(m*.ptx) pin=()
    # A core each: the library looks for helpers on others otherwise.
    local cores=($CORES)
    [ ${#cores[@]} = 0 ] || pin=(taskset -c "${cores[SLOT % ${#cores[@]}]}")
    for tier in interpret:auto compile:auto compile:avx2; do
        DOPPEL_ENGINE=${tier%:*} DOPPEL_CPU=${tier#*:} "${pin[@]}" "$FOLDER/random" "${modules[@]%.ptx}" 2>"$tier.log" >"$tier" || true
        grep -v "^doppel: kernel '" "$tier.log" | sed "s/^/$tier: /" | head -n 20 >&2 || true
    done
    # By name: each tier has to say the same of each kernel.
    awk -v expected=$(($2 - $1)) '
        FNR == 1 { tiers++ }
        { said[$1] = said[$1] " " $2; times[$1]++; if ($2 == "failed:") failed[$1] = 1; if (!(($1, $2) in seen)) { seen[$1, $2]; kinds[$1]++ } }
        END {
            for (name in said) {
                kernels++
                if (kinds[name] == 1 && times[name] == 3 && !failed[name]) alike++
                else print "differs", name ":" said[name]
            }
            for (; kernels < expected; kernels++) print "differs: a kernel that did not run at all"
            print "total", kernels + 0, alike + 0
        }' interpret:auto compile:auto compile:avx2
    echo "refused $(cat ./*.log | grep -c ' is interpreted: ' || true)"
    cd /
    rm -r "$work"
}

if [ "${1:-}" = piece ]; then
    first=$((FIRST + $2 * PIECE)) end=$((FIRST + ($2 + 1) * PIECE))
    piece "$first" $((end < LAST ? end : LAST))
    exit
fi
[ $# = 3 ] || { sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 2; }
self=$(realpath "$0")
FOLDER=$(realpath "${FOLDER:-$(dirname "$self")}")
WORK=$(mktemp -d)
FIRST=$1 LAST=$(($1 + $2))
# The cores that this may run on, if there is a way to choose: `0-3,8` is five of them.
CORES=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//' | tr , '\n' | awk -F- '{ for (n = $1; n <= $NF; n++) print n }' || true)
trap 'rm -rf "$WORK"' EXIT
export CORES FOLDER WORK FIRST LAST LD_LIBRARY_PATH="$FOLDER${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" DOPPEL_MODE=cpu DOPPEL_LOG=info
unset DOPPEL_CHECK DOPPEL_COVERAGE
grep -q avx512f /proc/cpuinfo || echo "this machine has no AVX-512: kernels are compiled for AVX2 twice"
grep -q avx2 /proc/cpuinfo || echo "this machine has no AVX2: kernels are interpreted three times"
seq 0 $((($2 + PIECE - 1) / PIECE - 1)) | xargs -P "$3" --process-slot-var=SLOT -I{} "$self" piece {} >"$WORK/said" || true
awk -v expected="$2" '
    $1 == "total" { ran += $2; alike += $3; next }
    $1 == "refused" { refused += $2; next }
    { print }
    END {
        print ran + 0 " kernels, " alike + 0 " alike, " ran - alike " differ, " refused + 0 " refused by the compiler"
        exit ran != expected || alike != ran
    }' "$WORK/said"
