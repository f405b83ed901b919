#!/bin/bash
# Makes a folder with what programs are linked with to run on systems with an older glibc than this one, and prints its linker:
# it takes the arguments of `cc`.
#
#   packaging/old-glibc.sh FOLDER [VERSION]    VERSION: 2.28 by default
#
# The libraries hold names and versions of symbols alone. Zig makes them of its lists; compiler, linker and libgcc are this machine's.
# Nothing is linked with an unwinder (crates/unwinder): Zig's own linker would put one into each library.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
folder=$1 version=${2:-2.28}
zig=$("$top/packaging/zig.sh" --version)
lib=$folder/usr/lib
if [ "$(cat "$folder/made" 2>/dev/null)" != "$version $zig" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    read -ra compiler <<<"$("$top/packaging/zig.sh")"
    echo 'int main(void) { return 0; }' >"$work/none.c"
    # Debug information (-s: none) would name folders.
    ZIG_GLOBAL_CACHE_DIR=$work/cache ZIG_LOCAL_CACHE_DIR=$work/cache "${compiler[@]}" cc \
        -s -target "x86_64-linux-gnu.$version" "$work/none.c" -o "$work/none" -lm -ldl -lpthread -lrt -lutil
    rm -rf "$folder"
    mkdir -p "$lib"
    find "$work/cache/o" -name 'lib*.so.[0-9]*' -exec cp {} "$lib/" \;
    find "$work/cache/o" -name libc_nonshared.a -exec cp {} "$lib/" \;
    mv "$lib/libld.so.2" "$lib/ld-linux-x86-64.so.2"
    for name in m dl pthread rt util; do ln -s "$(cd "$lib" && echo lib$name.so.*)" "$lib/lib$name.so"; done
    echo 'GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( ld-linux-x86-64.so.2 ) )' >"$lib/libc.so"
    # Its start of a program is position independent: one file for both kinds.
    find "$work/cache/o" -name crt1.o -exec cp {} "$lib/crt1.o" \;
    cp "$lib/crt1.o" "$lib/Scrt1.o"
    for name in crti.o crtn.o libgcc_s.so.1; do cp -L "$(cc -print-file-name=$name)" "$lib/"; done
    cat >"$folder/cc" <<'END'
#!/bin/sh
lib=$(dirname "$0")/usr/lib
# gcc looks beside itself before it looks below a root. What libgcc_s of this machine asks of a newer glibc is its own matter.
exec cc -B"$lib" -L"$lib" -Wl,--allow-shlib-undefined "$@"
END
    chmod +x "$folder/cc"
    echo "$version $zig" >"$folder/made"
fi
echo "$(cd "$folder" && pwd)/cc"
