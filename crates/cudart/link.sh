#!/bin/bash
# Makes the shared libraries and the static one out of what cargo built.
#
#   crates/cudart/link.sh FOLDER OUT    FOLDER: where cargo put libdoppel_cudart12.a and libdoppel_cudart13.a
set -eu
here=$(cd "$(dirname "$0")" && pwd)
from=$1
out=$2
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for v in 12 13; do
    "$here/../link-shared.sh" libcudart.so.$v "$here/exports/libcudart.so.$v.txt" "$from/libdoppel_cudart$v.a" "$out"
done
ln -sf libcudart.so.13 "$out/libcudart.so"
# One object, in which everything but the interface is local: a program may hold other Rust code.
archive=$from/libdoppel_cudart13.a
static=$out/libcudart_static.a
if [ ! "$static" -nt "$archive" ]; then
    sed 's/^/-u /' "$here/exports/libcudart.so.13.txt" >"$work/wanted"
    ${LD:-ld} -r --gc-sections @"$work/wanted" -o "$work/cudart.o" "$archive"
    ${OBJCOPY:-objcopy} --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd --keep-global-symbols="$here/exports/libcudart.so.13.txt" "$work/cudart.o"
    rm -f "$work/libcudart_static.a"
    ${AR:-ar} crs "$work/libcudart_static.a" "$work/cudart.o"
    install -m 644 "$work/libcudart_static.a" "$static"
fi
