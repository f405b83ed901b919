#!/bin/bash
# Makes a shared library with a named version out of a static one that cargo built.
#
#   crates/link-shared.sh NAME EXPORTS ARCHIVE OUT [NODE]    EXPORTS: a file with a name or pattern of exported symbols per line;
#                                                            NODE: the named version, NAME by default, none if it is empty
#
# Cargo cannot do it itself: its own version script is anonymous, and a library has either that or a named version node.
set -eu
name=$1 exports=$2 archive=$3 out=$4 node=${5-$1}
if [ "$out/$name" -nt "$archive" ] && [ "$out/$name" -nt "$exports" ]; then exit 0; fi
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    echo "$node {"
    echo "  global:"
    sed 's/.*/    &;/' "$exports"
    echo "  local: *;"
    echo "};"
} >"$work/$name.map"
# Other threads may still run code of ours when the program closes the library: it stays.
${CC:-cc} -shared -o "$work/$name" -Wl,-soname,"$name" -Wl,--version-script="$work/$name.map" \
    -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,--gc-sections -Wl,-Bsymbolic -Wl,-z,nodelete \
    -Wl,-z,relro,-z,now -Wl,--strip-debug -Wl,-z,defs -lpthread -ldl -lrt -lm
install -m 755 "$work/$name" "$out/$name"
