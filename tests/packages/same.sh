#!/bin/bash
# Builds what is committed once more in another folder, as `make dist` does, and compares it with what `make dist` built here: all packages, to the byte,
# but for the archive of debug information, which has names of symbols that differ (docs/PACKAGES.md). Not a step of tests/all.sh: it builds everything.
#
#   tests/packages/same.sh              all of dist/
#   tests/packages/same.sh FILE...      these files below target/dist/build alone, such as lib/libcuda.so.1, without names
set -eu
cd "$(dirname "$0")/../.."
top=$PWD
git diff --quiet HEAD || { echo "same: there is something that is not committed"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Of another length, too, than this one.
there=$work/somewhere/else/altogether
mkdir -p "$there/target"
git archive HEAD | tar -x -C "$there"
# The time of the files, which a folder without history does not know.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# The tools, not what they have made.
for tool in target/packaging-zig/* target/packaging-wheel/*; do
    [ -e "$tool" ] && [ "$(basename "$tool")" != cache ] || continue
    mkdir -p "$there/$(dirname "$tool")"
    ln -s "$top/$tool" "$there/$tool"
done
# differs WHERE: what differs stays, to be looked at.
differs() {
    trap - EXIT
    echo "same: it lies in $1"
    exit 1
}
if [ $# = 0 ]; then
    (cd "$there" && packaging/dist.sh) || exit 1
    diff <(cd dist && ls) <(cd "$there/dist" && ls) || differs "$there/dist"
    for file in dist/*; do
        name=$(basename "$file")
        case $name in
            *-debug.tar.gz | SHA256SUMS) ;;
            *)
                cmp "$file" "$there/dist/$name" || differs "$there/dist"
                echo "same: $name, $(stat -c %s "$file") bytes"
                ;;
        esac
    done
    exit 0
fi
for file; do
    (cd "$there" && packaging/dist.sh --build "target/dist/build/$file") || exit 1
    # As it is given to others, with the identity that packaging/dist.sh makes.
    strip --strip-all --remove-section=.comment -o "$work/there" "$there/target/dist/build/$file"
    strip --strip-all --remove-section=.comment -o "$work/here" "target/dist/build/$file"
    if readelf -n "$work/here" | grep 'Build ID' >/dev/null; then
        packaging/identity.py "$work/there"
        packaging/identity.py "$work/here"
    fi
    cmp "$work/there" "$work/here" || differs "$there"
    echo "same: $file, $(stat -c %s "$work/here") bytes"
done
