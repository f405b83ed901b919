#!/bin/bash
# Runs a kernel for every form of scalar and atomic instructions (tests/ptx/forms.c) in cpu mode and compares digests of what
# they give with those of an H200 (tests/ptx/h200.txt). Approximate functions are held to their bounds elsewhere; what differs
# otherwise is listed in tests/ptx/h200-differs.txt, and has to differ.
#
#   tests/ptx/hardware.sh            compares
#   tests/ptx/hardware.sh FOLDER     leaves the program, the module and the list there, to run on a device
set -eu
cd "$(dirname "$0")/../.."
work=${1:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${1:-}" ] || trap 'rm -rf "$work"' EXIT
FOLDER=$work cargo test --quiet --locked --lib hardware::write_kernels -- --ignored >/dev/null
cc -O2 -o "$work/forms" tests/ptx/forms.c -Lbuild/lib -lcuda
[ -z "${1:-}" ] || exit 0
export LD_LIBRARY_PATH=$PWD/build/lib DOPPEL_MODE=cpu
"$work/forms" run "$work/forms.ptx" "$work/forms.txt" "$work/results"
"$work/forms" digest "$work/forms.txt" "$work/results" | grep -vE '\.(approx|full)\.' | sort -u >"$work/digests"
sort -u tests/ptx/h200.txt >"$work/device"
# Lines of ours that the device does not have.
comm -23 "$work/digests" "$work/device" | cut -d' ' -f2- | sort -u >"$work/differs"
diff <(sort -u tests/ptx/h200-differs.txt) "$work/differs" && echo "$(grep -c . "$work/digests") instructions, $(grep -c . "$work/differs") known to differ"
