#!/bin/sh
# check_exports.sh LIB: the library exports exactly what the declarations say, and bears the right name.
# Set DOPPEL_HEADER to use a tool that is built already.
set -eu
lib=${1:?usage: check_exports.sh LIB}
lib=$(realpath "$lib")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

if [ -n "${DOPPEL_HEADER:-}" ]; then
    "$DOPPEL_HEADER" --symbols | sort > "$work/wanted"
else
    cargo run --quiet -p doppel-header -- --symbols | sort > "$work/wanted"
fi
nm -D --defined-only "$lib" | awk '{ print $NF }' | sed 's/@.*//' | sort -u > "$work/exported"
failed=0
if ! cmp -s "$work/wanted" "$work/exported"; then
    echo "declared, but not exported:"
    comm -23 "$work/wanted" "$work/exported" | sed 's/^/  /'
    echo "exported, but not declared:"
    comm -13 "$work/wanted" "$work/exported" | sed 's/^/  /'
    failed=1
fi
# What the real driver 580 exports.
sort -u tests/data/symbols.txt > "$work/real"
if [ -n "$(comm -23 "$work/real" "$work/exported")" ]; then
    echo "exported by the real driver, but not by us:"
    comm -23 "$work/real" "$work/exported" | sed 's/^/  /'
    failed=1
fi
echo "$(comm -12 "$work/real" "$work/exported" | wc -l) of $(wc -l < "$work/real") symbols of the real driver are exported"
soname=$(readelf -d "$lib" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
if [ "$soname" != libcuda.so.1 ]; then
    echo "the SONAME is '$soname', not libcuda.so.1"
    failed=1
fi
echo "$(wc -l < "$work/exported") symbols exported, $(wc -l < "$work/wanted") declared"
exit $failed
