#!/bin/bash
# Makes libdoppel-unwind.so, the unwinder for systems without libgcc_s.so.1: one table, doppel_unwinder, of the functions in src/lib.rs.
#
#   crates/unwinder/build.sh OUT    OUT: the folder that it goes to
#
# UNWINDER_CC: a compiler and its options that link an unwinder in; cc and the static form of its libgcc by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
library=$out/libdoppel-unwind.so
read -ra compiler <<<"${UNWINDER_CC:-${CC:-cc} -static-libgcc}"
if [ "$library" -nt "$here/src/lib.rs" ] && [ "$library" -nt "$here/build.sh" ]; then exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=$(sed -n 's/^    c"\(_Unwind_[A-Za-z]*\)",$/\1/p' "$here/src/lib.rs")
{
    for name in $names; do echo "extern void $name(void);"; done
    echo "__attribute__((visibility(\"default\"))) void (*const doppel_unwinder[])(void) = {"
    for name in $names; do echo "    $name,"; done
    echo "};"
} >"$work/table.c"
echo '{ global: doppel_unwinder; local: *; };' >"$work/map"
"${compiler[@]}" -s -Os -shared -fPIC -o "$work/libdoppel-unwind.so" "$work/table.c" -Wl,-soname,libdoppel-unwind.so \
    -Wl,--version-script="$work/map" -Wl,--gc-sections -Wl,-z,relro,-z,now
mkdir -p "$out"
install -m 755 "$work/libdoppel-unwind.so" "$library"
