#!/bin/bash
# Holds us to what NVIDIA's assembler says to matrix instructions: of all names that are forms or nearly so
# (tests/ptx/matrix_names.py), we load just those that it takes for sm_90a, which tests/ptx/matrix.txt lists.
#
#   tests/ptx/matrix.sh            compares
#   tests/ptx/matrix.sh --ask      asks the assembler, too, which takes minutes
#   tests/ptx/matrix.sh --update   writes the list
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
names() { cut -d' ' -f1 "$1" | tr -d ';' | sort; }
python3 tests/ptx/matrix_names.py candidates >"$work/lines"
if [ -n "${1:-}" ]; then
    python3 tests/ptx/matrix_names.py ask "$(tests/venv.sh toolkit)/bin/ptxas" <"$work/lines" >"$work/taken"
    # What it takes but no manual has: on a device these give what other registers held.
    names "$work/taken" | grep -vE '^wmma\.mma.*\.m16n16k(8|16)\.(r[nzmp]\.)?f64' >"$work/list"
    [ "$1" != --update ] || cp "$work/list" tests/ptx/matrix.txt
    diff tests/ptx/matrix.txt "$work/list"
fi
cargo xtask matrix-taken "$work/lines" "$work/ours"
names "$work/ours" | diff tests/ptx/matrix.txt -
echo "$(grep -c . "$work/lines") names of matrix instructions judged as by the assembler, $(grep -c . tests/ptx/matrix.txt) of them forms"
