#!/bin/bash
# Makes the shared libraries and the static one out of what cargo built.
#
#   crates/cudart/link.sh FOLDER OUT    FOLDER: where cargo put libdoppel_cudart12.a and libdoppel_cudart13.a
#
# Cargo cannot do it itself: its own version script is anonymous, and a library has either that or a named version node.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
from=$1
out=$2
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for v in 12 13; do
    name=libcudart.so.$v
    archive=$from/libdoppel_cudart$v.a
    if [ "$out/$name" -nt "$archive" ] && [ "$out/$name" -nt "$here/exports/$name.txt" ]; then continue; fi
    {
        echo "$name {"
        echo "  global:"
        sed 's/.*/    &;/' "$here/exports/$name.txt"
        echo "  local: *;"
        echo "};"
    } >"$work/$name.map"
    # A worker thread of the driver may still run code of ours when the program closes the library: it stays.
    ${CC:-cc} -shared -o "$work/$name" -Wl,-soname,$name -Wl,--version-script="$work/$name.map" \
        -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,--gc-sections -Wl,-Bsymbolic -Wl,-z,nodelete \
        -Wl,-z,relro,-z,now -Wl,--strip-debug -lpthread -ldl -lrt -lm -lgcc_s
    install -m 755 "$work/$name" "$out/$name"
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
