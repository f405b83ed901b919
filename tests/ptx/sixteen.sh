#!/bin/bash
# Every pair of operands of instructions with two operands of 16 bits (and of pairs of halves), in cpu mode and by models that
# share nothing with the interpreter, against digests of what an H200 gave (tests/ptx/sixteen.txt; sixteen.c says of what).
#
#   tests/ptx/sixteen.sh            all values of each operand with all edges of the other, by both; of a sixteenth
#                                   of the instructions a slice of the square. Which, the date says, or SEED
#   tests/ptx/sixteen.sh --slices   all 16 slices of all instructions, edges of three operands
#   tests/ptx/sixteen.sh --all      every pair, by both: days
#   tests/ptx/sixteen.sh FOLDER     leaves the program, modules and lists there, cut for 16 processes, to run on a device:
#                                   `sixteen sixteen-N.ptx sixteen-N.txt edges triples square` prints what is recorded
set -eu
cd "$(dirname "$0")/../.."
folder=
case ${1:-} in "" | --*) work=$(mktemp -d); trap 'rm -rf "$work"' EXIT ;; *) work=$(realpath -m "$1") folder=yes; mkdir -p "$work" ;; esac
cargo xtask kernels "$work"
PYTHONDONTWRITEBYTECODE=1 python3 tests/ptx/sixteen.py "$work" ${folder:+16}
cc -O2 -o "$work/sixteen" tests/ptx/sixteen.c tests/ptx/model*.c -Lbuild/lib -lcuda -lm
[ -z "$folder" ] || exit 0
export LD_LIBRARY_PATH=$PWD/build/lib DOPPEL_MODE=cpu
against() { "$work/sixteen" "$1" "$2" --against tests/ptx/sixteen.txt "${@:3}"; }
# The list has what is recorded, and the other way round.
diff <(cut -d' ' -f3- "$work/sixteen.txt" | sort) <(sed 's/;.*/;/' tests/ptx/sixteen.txt | sort)
failed=0
case ${1:-} in
    --all) by_kernels=(edges triples square) by_models=(edges triples square) ;;
    --slices) by_kernels=(edges triples {0..15}) by_models=(edges 0) ;;
    *) by_kernels=(edges) by_models=(edges) ;;
esac
against --model "$work/sixteen.txt" "${by_models[@]}" >"$work/models" 2>&1 &
against "$work/sixteen.ptx" "$work/sixteen.txt" "${by_kernels[@]}" || failed=1
if [ $# = 0 ]; then
    seed=${SEED:-$(($(date +%s) / 86400))}
    awk "NR % 16 == $((seed % 16))" "$work/sixteen.txt" >"$work/few.txt"
    against "$work/sixteen.ptx" "$work/few.txt" $((seed / 16 % 16)) || failed=1
fi
wait $! || failed=1
echo "models: $(cat "$work/models")"
exit $failed
