#!/bin/bash
# PTX that devices of compute capabilities 10.0 and 12.0 have and an H200 has not: runs kernels on devices of those kinds in cpu
# mode, interpreted and compiled, and compares what they give with models in plain C, which work results out from the definitions of
# the formats. No such device was asked.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$PWD/build/lib DOPPEL_MODE=cpu
failed=0
for name in scalars matrices; do
    cc -std=c11 -D_GNU_SOURCE -O2 -frounding-math -Wall -Wextra -Werror -I. -o "$work/$name" "tests/newer/$name.c" -Lbuild/lib -lcuda -lm
    for engine in interpret compile; do
        echo "-- $name, DOPPEL_ENGINE=$engine"
        DOPPEL_ENGINE=$engine DOPPEL_LOG=off "$work/$name" || failed=1
    done
done
exit $failed
