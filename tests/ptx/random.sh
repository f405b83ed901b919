#!/bin/bash
# Runs random kernels (crates/xtask/src/random) in cpu mode and compares digests of what they leave in memory with those of an H200
# (tests/ptx/random.txt): all are the same.
#
#   tests/ptx/random.sh                  compares
#   tests/ptx/random.sh --seeds A..B     fresh kernels: the same on one core and on all, whatever the schedule; and NVIDIA's
#                                        assembler takes them
#   tests/ptx/random.sh --tiers [A..B]   kernels of these seeds (sixty that the date picks, or SEED, and some that were not), interpreted and compiled: the same
#                                        (tests/ptx/tiers.sh runs many more, and needs no Rust)
#   tests/ptx/random.sh --damaged SECONDS   for so long: kernels as they are, and such with a few tokens changed, interpreted and
#                                        compiled. None crashes or hangs; whole ones give the same, and so do damaged ones but
#                                        for those whose threads race
#   tests/ptx/random.sh --folder F A..B  leaves in F what a device needs: the program, modules, kernels that write down what
#                                        each part does, our digests, and `device`, which runs all of it
#
# To find an instruction that differs: what the parts left on the device is in `parts` and `values`; here it is what
# `random --trace` gives. With optimisation, where writing down changes too much: `cargo xtask random-kernels --lengths` makes a
# kernel for each number of parts, of which the first that differs tells.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
# From here on there are kernels whose loops share out an array.
STRIDED=1800000000
seeds=13000..17200 what=compare engine=${DOPPEL_ENGINE:-}
work=$(mktemp -d)
case ${1:-} in
    --seeds) what=seeds seeds=$2 ;;
    --tiers)
        first=$((20000 + ${SEED:-$(($(date +%s) / 86400))} * 60))
        what=tiers engine=interpret seeds=${2:-$first..$((first + 60))}
        ;;
    --damaged) what=damaged seconds=$2 first=$((1000000 + ${SEED:-$(($(date +%s) / 60))} % 1000000 * 1000)) seeds=0..0 ;;
    --folder) what=folder seeds=$3 work=$2; mkdir -p "$work" ;;
esac
[ $what = folder ] || trap 'rm -rf "$work"' EXIT
cargo xtask random-kernels "$work" "$seeds"
if [ $what = tiers ] && [ $# = 1 ]; then
    # As many with loops that share out an array.
    cargo xtask random-kernels "$work" $((STRIDED + first))..$((STRIDED + first + 60))
    # Kernels that were not alike once: parts of a warp that meet in different turns of a loop, or need what others must leave alone;
    # warps that end before others take turns, or have lost their first lanes when others give way to them.
    for seed in 997075645 998007867 998029794 998030484 1110027078 1800352287 1800331201; do cargo xtask random-kernels "$work" $seed..$((seed + 1)); done
fi
cc -O2 -o "$work/random" tests/ptx/random.c -Lbuild/lib -lcuda
# run MODULES OPTIONS -- COMMAND...: runs modules whose names begin with a letter, by so many processes as there are cores.
run() {
    local modules=$1 options=$2
    shift 3
    (cd "$work" && printf '%s\n' "$modules"*.ptx | sed 's/.ptx$//' | xargs -P "$(nproc)" -n 25 "$@" ./random $options)
}
ours() { run "$1" "$2" -- env LD_LIBRARY_PATH="$PWD/build/lib" DOPPEL_MODE=cpu "${@:3}"; }
[ $what = damaged ] || ours m '' DOPPEL_ENGINE="$engine" | sort >"$work/digests"
case $what in
    damaged)
        # Kernels that end with an error end their process: that is no crash. Signals are.
        both() { # KIND FROM..TO OPTIONS...
            rm -f "$work"/m*
            cargo xtask random-kernels "$work" "$2" "${@:3}"
            compgen -G "$work/m*.ptx" >/dev/null || return 0
            for engine in interpret compile; do
                ours m '' DOPPEL_ENGINE=$engine DOPPEL_KERNEL_TIMEOUT=4 PATIENCE=60 2>"$work/$engine.errors" | sort >"$work/$engine"
                if awk '$2 == "failed:" && $3 % 256 { bad = 1; print } END { exit !bad }' "$work/$engine"; then
                    echo "$engine: these $1 kernels ended by a signal"
                    exit 1
                fi
            done
            ran=$((ran + $(wc -l <"$work/compile")))
            failed=$((failed + $(grep -c failed "$work/compile" || true)))
            if ! diff "$work/interpret" "$work/compile" >"$work/differs"; then
                differ=$((differ + $(grep -c '^>' "$work/differs")))
                sed "s/^/$1: /" "$work/differs"
                [ "$1" = damaged ] || exit 1
            fi
        }
        end=$((SECONDS + seconds)) ran=0 failed=0 differ=0
        while [ $SECONDS -lt $end ]; do
            for from in $first $((STRIDED + first)); do
                both whole "$from..$((from + 20))"
                both damaged "$from..$((from + 60))" --damaged
            done
            first=$((first + 60))
        done
        echo "$ran kernels to seed $first, of which $failed ended with an error, in both engines; $differ damaged ones differ"
        ;;
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
        # Without AVX-512 both are the same. In any legal order half of the kernels have warps in parts, else few.
        for cpu in auto avx2; do
            for schedule in eager random:7; do
                ours m '' DOPPEL_ENGINE=compile DOPPEL_CPU=$cpu DOPPEL_SCHEDULE=$schedule | sort | diff "$work/digests" -
            done
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
