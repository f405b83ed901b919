#!/bin/bash
# Runs a kernel or more for every form of instructions (tests/ptx/forms.c) in cpu mode and compares digests of what they give
# with those of an H200 (tests/ptx/h200.txt), and what they give with models (tests/ptx/model*.c). Approximate functions are held
# to the truth and to the device's results (approximate.c, approximate.txt); what the device's driver does not know yet has models
# alone. What differs from the device is listed in tests/ptx/h200-differs.txt, what the device runs and we refuse in
# tests/ptx/h200-refused.txt, what has no model in tests/ptx/without-model.txt: all have to be as listed. Matrix
# instructions, all of tests/ptx/matrix.txt, have a program of their own (tests/ptx/matrix.c).
#
#   tests/ptx/hardware.sh            compares
#   tests/ptx/hardware.sh FOLDER     leaves the program, modules and lists there, to run on a device, cut for 16 processes
set -eu
cd "$(dirname "$0")/../.."
work=$(realpath -m "${1:-$(mktemp -d)}")
mkdir -p "$work"
[ -n "${1:-}" ] || trap 'rm -rf "$work"' EXIT
cargo xtask kernels "$work"
PYTHONDONTWRITEBYTECODE=1 python3 tests/ptx/kernels "$work" ${1:+16}
cargo xtask keep-kernels "$work"
cc -O2 -o "$work/forms" tests/ptx/forms.c tests/ptx/model*.c -Lbuild/lib -lcuda -lm
cc -O2 -o "$work/approximate" tests/ptx/approximate.c -Lbuild/lib -lcuda -lm
cc -O2 -o "$work/matrix" tests/ptx/matrix*.c -Lbuild/lib -lcuda
[ -z "${1:-}" ] || exit 0
export LD_LIBRARY_PATH=$PWD/build/lib DOPPEL_MODE=cpu
failed=0
"$work/matrix" "$work/matrix.ptx" "$work/matrix.txt" >"$work/matrix.digests" || failed=1
for name in forms more newer; do
    "$work/forms" run "$work/$name.ptx" "$work/$name.txt" "$work/$name.results" 2>"$work/$name.errors" || { cat "$work/$name.errors"; exit 1; }
    [ $name = newer ] || "$work/forms" digest "$work/$name.txt" "$work/$name.results"
done | grep -vE '\.(approx|full)\.' | sort -u - "$work/matrix.digests" >"$work/digests"
sort -u tests/ptx/h200.txt >"$work/device"
# Lines of ours that the device does not have.
comm -23 "$work/digests" "$work/device" | cut -d' ' -f2- | sort -u >"$work/differs"
diff <(sort -u tests/ptx/h200-differs.txt) "$work/differs" || failed=1
# What the device had and we have not.
comm -13 <(cut -d' ' -f2- "$work/digests" | sort -u) <(cut -d' ' -f2- "$work/device" | sort -u) >"$work/refused"
diff <(sort -u tests/ptx/h200-refused.txt) "$work/refused" || failed=1
echo "$(grep -c . "$work/digests") instructions, $(grep -c . "$work/differs") known to differ, $(grep -c . "$work/refused") known to be refused"
: >"$work/without"
for name in forms more newer; do
    "$work/forms" check "$work/$name.txt" "$work/$name.results" "$work/without" || failed=1
done
"$work/approximate" run "$work/forms.ptx" "$work/forms.txt" "$work/approximate.results"
"$work/approximate" compare "$work/forms.txt" "$work/approximate.results" tests/ptx/approximate.txt || failed=1
diff <(sort -u tests/ptx/without-model.txt) <(sort -u "$work/without") || failed=1
exit $failed
