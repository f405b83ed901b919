#!/bin/bash
# What share of the steps that kernels execute is compiled code: runs kernels of the C tests, of programs that nvcc compiled and
# of real clients with every kernel compiled, and sums up what DOPPEL_COVERAGE told.
#
#   tests/coverage.sh [c] [nvcc] [clients]      all of them by default
#   TOP=N tests/coverage.sh ...                 names so many instructions that the interpreter executed most (20)
set -u
cd "$(dirname "$0")/.." || exit 1
sets=("$@")
[ ${#sets[@]} -gt 0 ] || sets=(c nvcc clients)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DOPPEL_ENGINE=compile
for name in "${sets[@]}"; do
    export DOPPEL_COVERAGE=$work/$name
    : >"$DOPPEL_COVERAGE"
    case $name in
        c) c-tests/run.sh ;;
        nvcc) tests/cudart/kernels.sh ;;
        clients) clients/run.sh ;;
        *) echo "what is '$name'?"; exit 1 ;;
    esac >"$work/log" 2>&1 || { echo "$name: not all is well:"; grep -i failed "$work/log" | head -5; }
done
printf '%-10s %10s %16s %8s\n' programs kernels 'warp steps' native
for name in "${sets[@]}"; do
    sort -u -t$'\t' -k1,1 "$work/$name" | wc -l >"$work/count"
    awk -F'\t' -v name="$name" -v kernels="$(cat "$work/count")" '
        { all += $2; native += $3 }
        END { printf "%-10s %10d %16d %7.2f%%\n", name, kernels, all, all ? 100 * native / all : 0 }' "$work/$name"
done
echo
echo "executed by the interpreter, of all steps:"
cd "$work" && awk -F'\t' '
    { all += $2; n = split($4, each, " "); for (i = 1; i <= n; i++) { split(each[i], pair, "="); count[pair[1]] += pair[2] } }
    END { for (name in count) printf "%8.3f%% %14d  %s\n", 100 * count[name] / all, count[name], name }' "${sets[@]}" |
    sort -k2,2nr | head -"${TOP:-20}"
