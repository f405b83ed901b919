#!/bin/bash
# Runs random kernels (tests/random) in cpu mode and compares digests of what they leave in memory with those of an H200
# (tests/ptx/random.txt). What differs is listed in tests/ptx/random-differs.txt, and has to differ.
#
#   tests/ptx/random.sh                  compares
#   tests/ptx/random.sh --seeds A..B     fresh kernels: the same on one core and on all, whatever the schedule; and NVIDIA's
#                                        assembler takes them
#   tests/ptx/random.sh --folder F A..B  leaves the program, modules, our digests and `run` in F, to run on a device: it
#                                        prints the kernels that differ there
#
# To find an instruction that differs: `TRACE="seeds" FOLDER=F cargo test --test random -- --ignored write_kernels`, and
# tests/ptx/random.c with --trace here and on the device.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
seeds=10000..13000 what=compare
work=$(mktemp -d)
case ${1:-} in
    --seeds) what=seeds seeds=$2 ;;
    --folder) what=folder seeds=$3 work=$2; mkdir -p "$work" ;;
esac
[ $what = folder ] || trap 'rm -rf "$work"' EXIT
FOLDER=$work SEEDS=$seeds cargo test --quiet --locked --test random -- --ignored write_kernels >/dev/null
cc -O2 -o "$work/random" tests/ptx/random.c -Lbuild/lib -lcuda
# run COMMAND...: digests of all modules, by so many processes as there are cores.
run() {
    (cd "$work" && printf '%s\n' m*.ptx | xargs -P "$(nproc)" -I{} \
        "$@" sh -c 'm={}; timeout 100 ./random "$m" "${m%.ptx}.txt" || echo "$m failed: $?"' | sort)
}
ours() { run env LD_LIBRARY_PATH="$PWD/build/lib" DOPPEL_MODE=cpu "$@"; }
ours >"$work/digests"
case $what in
    compare)
        join -j 1 tests/ptx/random.txt "$work/digests" | awk '$2 != $3 { print $1 }' >"$work/differs"
        grep -oE '^s[0-9]+' tests/ptx/random-differs.txt | sort >"$work/known"
        diff "$work/known" "$work/differs"
        [ "$(join "$work/digests" tests/ptx/random.txt | wc -l)" = "$(wc -l <tests/ptx/random.txt)" ]
        echo "$(wc -l <"$work/digests") kernels, $(wc -l <"$work/differs") known to differ"
        ;;
    seeds)
        for setting in DOPPEL_SCHEDULE=lazy DOPPEL_SCHEDULE=random:7; do ours "$setting" | cmp - "$work/digests"; done
        ours taskset -c 0 | cmp - "$work/digests"
        if grep failed "$work/digests"; then exit 1; fi
        ptxas=$(tests/venv.sh toolkit)/bin/ptxas
        (cd "$work" && printf '%s\n' m*.ptx | xargs -P "$(nproc)" -I{} "$ptxas" -arch=sm_90 -O0 {} -o /dev/null) 2>&1 |
            grep -v 'Stack size' && exit 1
        echo "$(wc -l <"$work/digests") kernels, alike with every setting; the assembler takes them"
        ;;
    folder)
        {
            printf '#!/bin/bash\ncd "$(dirname "$0")"\nexport LC_ALL=C CUDA_CACHE_DISABLE=1\nprintf "%%s\\n" m*.ptx | xargs -P "$(nproc)" -I{} '
            printf "sh -c 'm={}; timeout 100 ./random \"\$m\" \"\${m%%.ptx}.txt\"' | sort >device\n"
            printf 'join digests device | awk '"'"'$2 != $3 { print $1 }'"'"'\n'
        } >"$work/run"
        chmod +x "$work/run"
        ;;
esac
