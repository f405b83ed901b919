#!/bin/bash
# Builds what is committed once more in another folder, as `make dist` does, and compares it, without names, with what `make dist` built here. Not a
# step of tests/all.sh: libcuda.so.1 takes ten minutes of two cores.
#
#   tests/packages/same.sh [FILE...]    files below target/dist/build that make knows, lib/libcuda.so.1 by default
set -eu
cd "$(dirname "$0")/../.."
top=$PWD
[ $# -gt 0 ] || set -- lib/libcuda.so.1
git diff --quiet HEAD || { echo "same: there is something that is not committed"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Of another length, too, than this one.
there=$work/somewhere/else/altogether
mkdir -p "$there/target"
git archive HEAD | tar -x -C "$there"
[ ! -d target/packaging-zig ] || ln -s "$top/target/packaging-zig" "$there/target/packaging-zig"
for file; do
    (cd "$there" && packaging/dist.sh --build "target/dist/build/$file") || exit 1
    # As it is given to others, with the identity that packaging/dist.sh makes.
    strip --strip-all --remove-section=.comment -o "$work/there" "$there/target/dist/build/$file"
    strip --strip-all --remove-section=.comment -o "$work/here" "target/dist/build/$file"
    if readelf -n "$work/here" | grep 'Build ID' >/dev/null; then
        packaging/identity.py "$work/there"
        packaging/identity.py "$work/here"
    fi
    # What differs stays, to be looked at.
    cmp "$work/there" "$work/here" || { trap - EXIT; echo "same: it lies in $there"; exit 1; }
    echo "same: $file, $(stat -c %s "$work/here") bytes"
done
