#!/bin/bash
# Runs the conformance oracle (../shared/oracle) against our library and compares its answers with the recorded ones.
#
#   tests/oracle/run.sh [--lib FILE] [AREA...]
#
# Needs NVIDIA's header, which the ABI check installs; the library is build/lib/libcuda.so.1 unless told otherwise.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=$(cd "$top/.." && pwd)/shared
lib=$top/build/lib/libcuda.so.1
[ "${1:-}" = --lib ] && { lib=$(realpath "$2"); shift 2; }
if [ ! -d "$shared/oracle" ]; then
    echo "oracle: skipped, ../shared/oracle is not here"
    exit 0
fi
include=$("$top/tests/venv.sh" include) || exit 1
work=$top/target/oracle
mkdir -p "$work"
cp -r "$shared/oracle/." "$work/source.new" && rm -rf "$work/source" && mv "$work/source.new" "$work/source"
make -s -C "$work/source" CUDA_INC="$include" B="$work/bin" >"$work/make.log" 2>&1 || { tail -20 "$work/make.log"; exit 1; }
areas=("$@")
[ ${#areas[@]} -gt 0 ] || mapfile -t areas < <(grep -v '^#' "$here/areas.txt" | awk 'NF {print $1}')
DOPPEL_DEVICES=h200 DOPPEL_LOG=off ORACLE_LIBCUDA=$lib ORACLE_BIN=$work/bin ORACLE_TOTAL=900 \
    sh "$work/source/run.sh" "$work/out" 2 "${areas[@]}" >"$work/run.log" 2>&1
python3 "$here/score.py" --golden "$shared/oracle/golden" --compare "$shared/oracle/compare.py" \
    --results "$work/out/results.jsonl" --differences "$top/docs/DIFFERENCES.md" --bars "$here/areas.txt" \
    --races "$here/races.jsonl" "${areas[@]}"
