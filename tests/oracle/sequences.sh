#!/bin/bash
# Runs the recorded random sequences of calls (tests/oracle/program/random) against our library.
#
#   tests/oracle/sequences.sh [--lib FILE] [--jobs N] [GOLDEN...]
#
# Fails when fewer calls or fewer whole sequences agree than asked for, or when a sequence first differs in a way that
# docs/DIFFERENCES.md does not list. GOLDEN are other recordings of the same generator.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
random=$here/program/random
lib=$top/build/lib/libcuda.so.1 jobs=2 calls=99.9 whole=95
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(realpath "$2"); shift ;;
        --jobs) jobs=$2; shift ;;
        *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || set -- "$random/golden.jsonl.xz"
include=$("$top/tests/venv.sh" include) || exit 1
work=$top/target/oracle/sequences
mkdir -p "$work"
cc -std=c11 -O1 -isystem "$include" -o "$work/seqgen" "$random/seqgen.c" -ldl || exit 1
DOPPEL_DEVICES=h200 DOPPEL_LOG=off ORACLE_LIBCUDA=$lib \
    exec python3 "$here/sequences.py" --compare "$random/compare.py" --seqgen "$work/seqgen" --jobs "$jobs" \
    --differences "$top/docs/DIFFERENCES.md" --calls "$calls" --whole "$whole" --out "$work/answers.jsonl" "$@"
