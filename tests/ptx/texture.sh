#!/bin/bash
# Runs every texture and surface instruction that the table allows (tests/ptx/texture) over textures of all formats and modes, at
# places at their edges, and compares what comes out with a model in C and with digests of what an H200 gave (tests/ptx/texture.txt).
# What only one of the two runs is listed in tests/ptx/texture-refused.txt.
#
#   tests/ptx/texture.sh            compares
#   tests/ptx/texture.sh FOLDER     leaves the program and the list there, to run on a device: texture run|fail LIST RESULTS [PART PARTS]
set -eu
cd "$(dirname "$0")/../.."
work=$(realpath -m "${1:-$(mktemp -d)}")
mkdir -p "$work"
[ -n "${1:-}" ] || trap 'rm -rf "$work"' EXIT
cargo xtask textures "$work"
cc -std=gnu11 -O2 -Wall -Wextra -Wno-parentheses -o "$work/texture" tests/ptx/texture/*.c -Lbuild/lib -lcuda -lm
[ -z "${1:-}" ] || exit 0
export LD_LIBRARY_PATH=$PWD/build/lib DOPPEL_MODE=cpu
failed=0
for part in 0 1; do
    {
        "$work/texture" run "$work/textures.txt" "$work/results.$part" $part 2 &&
            "$work/texture" fail "$work/textures.txt" "$work/results.f$part" $part 2
    } >"$work/log.$part" 2>"$work/errors.$part" &
    pids[part]=$!
done
for part in 0 1; do
    wait "${pids[part]}" || failed=1
    [ "$(grep -c 'differs from its model' "$work/log.$part")" = 0 ] || head -40 "$work/log.$part"
    tail -2 "$work/log.$part"
done
cat "$work"/results.* | sort >"$work/ours"
# Errors of the whole module: the words differ, what they mean does not.
plain() { sed -E 's/^(ERROR_NOT_SUPPORTED|ERROR_NOT_FOUND|ERROR_INVALID_PTX) /REFUSED /' "$1" | sort; }
diff <(sort tests/ptx/texture-refused.txt) <(diff <(plain tests/ptx/texture.txt) <(plain "$work/ours") | grep '^[<>]' | sed -E 's/^([<>]) [0-9a-f]{16} /\1 runs /' | sort) || failed=1
echo "$(grep -c '^[0-9a-f]\{16\} ' "$work/ours") instructions, $(grep -c ' [xym]$' "$work/ours") accesses that fail, compared with an H200"
exit $failed
