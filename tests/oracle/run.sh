#!/bin/bash
# Runs the conformance oracle (tests/oracle/program) against our library and compares its answers with the recorded ones.
#
#   tests/oracle/run.sh [--lib FILE] [AREA...]
#
# Needs NVIDIA's header, which the ABI check installs; the library is build/lib/libcuda.so.1 unless told otherwise.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
program=$here/program
lib=$top/build/lib/libcuda.so.1
[ "${1:-}" = --lib ] && { lib=$(realpath "$2"); shift 2; }
include=$("$top/tests/venv.sh" include) || exit 1
work=${ORACLE_WORK:-$top/target/oracle}
mkdir -p "$work"
make -s -C "$program" CUDA_INC="$include" B="$work/bin" >"$work/make.log" 2>&1 || { tail -20 "$work/make.log"; exit 1; }
areas=("$@")
[ ${#areas[@]} -gt 0 ] || mapfile -t areas < <(grep -v '^#' "$here/areas.txt" | awk 'NF && $3 != "graphics" {print $1}')
ask() {
    local out=$1
    shift
    DOPPEL_DEVICES=h200 DOPPEL_LOG=off ORACLE_LIBCUDA=$lib ORACLE_BIN=$work/bin ORACLE_TOTAL=900 \
        sh "$program/run.sh" "$out" 2 "$@" >"$out.log" 2>&1
}
# Processes that checkpoint each other share a node; all others have their devices for themselves.
shared=() alone=()
for area in "${areas[@]}"; do
    if [ "$area" = checkpoint ]; then shared+=("$area"); else alone+=("$area"); fi
done
rm -rf "$work/out" "$work/shared"
[ ${#alone[@]} = 0 ] || ask "$work/out" "${alone[@]}"
[ ${#shared[@]} = 0 ] || DOPPEL_NODE=oracle-$$ ask "$work/shared" "${shared[@]}"
cat "$work"/{out,shared}/results.jsonl >"$work/results.jsonl" 2>/dev/null
python3 "$here/score.py" --golden "$program/golden" --compare "$program/compare.py" \
    --results "$work/results.jsonl" --differences "$top/docs/DIFFERENCES.md" --bars "$here/areas.txt" \
    --races "$here/races.jsonl" "${areas[@]}"
