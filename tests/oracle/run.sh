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
work=$top/target/oracle
mkdir -p "$work"
make -s -C "$program" CUDA_INC="$include" B="$work/bin" >"$work/make.log" 2>&1 || { tail -20 "$work/make.log"; exit 1; }
areas=("$@")
[ ${#areas[@]} -gt 0 ] || mapfile -t areas < <(grep -v '^#' "$here/areas.txt" | awk 'NF {print $1}')
DOPPEL_DEVICES=h200 DOPPEL_LOG=off ORACLE_LIBCUDA=$lib ORACLE_BIN=$work/bin ORACLE_TOTAL=900 \
    sh "$program/run.sh" "$work/out" 2 "${areas[@]}" >"$work/run.log" 2>&1
python3 "$here/score.py" --golden "$program/golden" --compare "$program/compare.py" \
    --results "$work/out/results.jsonl" --differences "$top/docs/DIFFERENCES.md" --bars "$here/areas.txt" \
    --races "$here/races.jsonl" "${areas[@]}"
