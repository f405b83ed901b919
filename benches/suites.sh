#!/bin/bash
# Kernels that nothing was tuned for (suites/kernels.cu), compiled beside interpreted: both take turns, and a row shows how many times
# as fast compiled code is, as time that passes (medians) and as processor time of all cores together (the least of all repetitions),
# which says more where the machine is busy.
#
#   benches/suites.sh OUT [NAME...]      OUT: where benches/run.sh has built `suites`; NAME: workloads, all by default
#
# SUITES_ROUNDS: how often both take their turns, 1 by default. Exit status 1 when a result is wrong.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
export SUITES_PTX=$here/suites/kernels.ptx
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(reduce_by_key spmv bfs smith_waterman sha256 fft convolution attention layer_norm radix_sort)
printf '\n%-16s %26s %38s\n%-16s %12s %13s %8s %15s %13s %8s\n' '' 'time that passes' 'processor time' \
    kernel interpreted compiled times interpreted compiled times
wrong=0 rows=
for name in "${names[@]}"; do
    least=()
    for ((round = 0; round < ${SUITES_ROUNDS:-1}; round++)); do
        n=0
        for engine in interpret compile; do
            text=$(DOPPEL_ENGINE=$engine $out/suites 5 "$name") || wrong=1
            case "$text" in *WRONG*) echo "$engine: $text" ;; esac
            for column in 2 4; do
                value=$(awk -v c=$column '{ print $c }' <<<"$text")
                least[n]=$(printf '%s\n' ${least[n]:-} "$value" | sort -g | head -1)
                n=$((n + 1))
            done
        done
    done
    row="$name ${least[0]} ${least[2]} ${least[1]} ${least[3]}"
    rows+=$row$'\n'
    awk '{ printf "%-16s %9.2f ms %10.2f ms %8.1f %12.2f ms %10.2f ms %8.1f\n", $1, $2, $3, $2 / $3, $4, $5, $4 / $5 }' <<<"$row"
done
awk 'NF == 5 { r = $2 / $3; s += log(r); p = $4 / $5; t += log(p)
               if (!n++ || r < least) { least = r; name = $1 }
               if (n == 1 || p < below) { below = p; other = $1 } }
    END { if (n) printf "geometric mean over %d: %.1f times, least %.2f (%s); as processor time %.1f times, least %.2f (%s)\n", \
              n, exp(s / n), least, name, exp(t / n), below, other }' <<<"$rows"
exit $wrong
