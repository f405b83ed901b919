#!/bin/bash
# Kernels that nothing was tuned for (suites/kernels.cu), compiled beside interpreted: both take turns, and a row shows how many times
# as fast compiled code is.
#
#   benches/suites.sh OUT [NAME...]      OUT: where benches/run.sh has built `suites`; NAME: workloads, all by default
#
# Exit status 1 when a result is wrong.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
export SUITES_PTX=$here/suites/kernels.ptx
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(reduce_by_key spmv bfs smith_waterman sha256 fft convolution attention layer_norm radix_sort)
printf '\n%-16s %14s %14s %8s\n' kernel interpreted compiled times
wrong=0 rows=
for name in "${names[@]}"; do
    row=$name
    for engine in interpret compile; do
        text=$(DOPPEL_ENGINE=$engine $out/suites 5 "$name") || wrong=1
        row+=" $(awk '{ print $2 }' <<<"$text")"
        case "$text" in *WRONG*) row+=" WRONG" ;; esac
    done
    rows+=$row$'\n'
    awk '{ if (/WRONG/) print; else printf "%-16s %11.2f ms %11.2f ms %8.1f\n", $1, $2, $3, $2 / $3 }' <<<"$row"
done
awk 'NF == 3 { r = $2 / $3; s += log(r); if (!n++ || r < least) { least = r; name = $1 } }
    END { if (n) printf "geometric mean over %d: %.1f times; least %.2f (%s)\n", n, exp(s / n), least, name }' <<<"$rows"
exit $wrong
