#!/bin/bash
# Runs random kernels (crates/xtask/src/random) in cpu mode and compares digests of what they leave in memory with those of an H200
# (tests/ptx/random.txt): all are the same.
#
#   tests/ptx/random.sh                  compares
#   tests/ptx/random.sh --seeds A..B     fresh kernels: the same on one core and on all, whatever the schedule; and NVIDIA's
#                                        assembler takes them
#   tests/ptx/random.sh --tiers [A..B]   kernels of these seeds (sixty that the date picks, or SEED), interpreted and compiled: the same
#   tests/ptx/random.sh --folder F A..B  leaves in F what a device needs: the program, modules, kernels that write down what
#                                        each part does, our digests, and `device`, which runs all of it
#
# To find an instruction that differs: what the parts left on the device is in `parts` and `values`; here it is what
# `random --trace` gives. With optimisation, where writing down changes too much: `cargo xtask random-kernels --lengths` makes a
# kernel for each number of parts, of which the first that differs tells.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
seeds=13000..17200 what=compare engine=${DOPPEL_ENGINE:-}
work=$(mktemp -d)
case ${1:-} in
    --seeds) what=seeds seeds=$2 ;;
    --tiers)
        first=$((20000 + ${SEED:-$(($(date +%s) / 86400))} * 60))
        what=tiers engine=interpret seeds=${2:-$first..$((first + 60))}
        ;;
    --folder) what=folder seeds=$3 work=$2; mkdir -p "$work" ;;
esac
[ $what = folder ] || trap 'rm -rf "$work"' EXIT
cargo xtask random-kernels "$work" "$seeds"
cc -O2 -o "$work/random" tests/ptx/random.c -Lbuild/lib -lcuda
# run MODULES OPTIONS -- COMMAND...: runs modules whose names begin with a letter, by so many processes as there are cores.
run() {
    local modules=$1 options=$2
    shift 3
    (cd "$work" && printf '%s\n' "$modules"*.ptx | sed 's/.ptx$//' | xargs -P "$(nproc)" -n 25 "$@" ./random $options)
}
ours() { run "$1" "$2" -- env LD_LIBRARY_PATH="$PWD/build/lib" DOPPEL_MODE=cpu "${@:3}"; }
ours m '' DOPPEL_ENGINE="$engine" | sort >"$work/digests"
case $what in
    compare)
        diff tests/ptx/random.txt "$work/digests"
        echo "$(wc -l <"$work/digests") kernels, all alike"
        ;;
    seeds)
        if grep failed "$work/digests"; then exit 1; fi
        for setting in DOPPEL_SCHEDULE=lazy DOPPEL_SCHEDULE=random:7; do ours m '' "$setting" | sort | diff "$work/digests" -; done
        ours m '' taskset -c 0 | sort | diff "$work/digests" -
        ptxas=$(tests/venv.sh toolkit)/bin/ptxas
        (cd "$work" && printf '%s\n' m*.ptx | xargs -P "$(nproc)" -I{} "$ptxas" -arch=sm_90 -O0 {} -o /dev/null) 2>&1 |
            grep -v 'Stack size' && exit 1
        echo "$(wc -l <"$work/digests") kernels, alike with every setting; the assembler takes them"
        ;;
    tiers)
        if grep failed "$work/digests"; then exit 1; fi
        grep -q avx2 /proc/cpuinfo || echo "skipped: compiled kernels: this machine has no AVX2"
        # Without AVX-512 both are the same.
        for cpu in auto avx2; do
            ours m '' DOPPEL_ENGINE=compile DOPPEL_CPU=$cpu | sort | diff "$work/digests" -
        done
        echo "$(wc -l <"$work/digests") kernels of seeds $seeds, interpreted and compiled, for this machine and for AVX2: all alike"
        ;;
    folder)
        cargo xtask random-kernels "$work" "$seeds" --trace
        mkdir -p "$work/ours"
        ours t '--trace ours' | awk -v at="$work/" '{ print > at "t" substr($1, 2) ".parts" }'
        rm -r "$work/ours"
        cp tests/ptx/random_device.sh "$work/device"
        ;;
esac
