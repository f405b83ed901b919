#!/bin/bash
# Makes libdoppel-shims.so out of what cargo built, and in front of it libnvrtc.so.12 and .13 and libnvJitLink.so.12 and .13.
#
#   crates/link-compilers.sh FOLDER OUT    FOLDER: where cargo put libdoppel_shims.a
#
# A file in front has the names that programs know, with their version, each a jump to the function behind (`crates/shims`); the variable
# that the auditing library writes into; and the note by which ours are known. It names what lies behind as $ORIGIN/libdoppel-shims.so, so
# that the loader opens that file and searches nothing; the auditing library knows it, where ours goes by the path of the real one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$2
behind=$out/libdoppel-shims.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'doppel_nv*' >"$work/exports"
touch -r "$here/link-compilers.sh" "$work/exports"
"$here/link-shared.sh" libdoppel-shims.so "$work/exports" "$1/libdoppel_shims.a" "$out" ""
nm -D --defined-only "$behind" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort >"$work/functions"

# What they are linked with: the same names, called by the path that they are to ask for.
{
    echo '.text'
    sed 's/.*/.globl &\n.type &, @function\n&:/' "$work/functions"
    echo '.section .note.GNU-stack, "", @progbits'
} >"$work/behind.s"
${CC:-cc} -shared -nostdlib -o "$work/behind.so" "$work/behind.s" -Wl,-soname,'$ORIGIN/libdoppel-shims.so'

front() { # NAME PREFIX
    local name=$1 prefix=$2 functions
    if [ "$out/$name" -nt "$behind" ] && [ "$out/$name" -nt "$here/link-compilers.sh" ]; then return; fi
    functions=$(sed -n "s/^$prefix//p" "$work/functions" | grep -vx place)
    {
        echo '.text'
        for function in $functions; do
            echo ".globl $function"
            echo ".type $function, @function"
            echo ".p2align 3"
            echo "$function: jmp *$prefix$function@GOTPCREL(%rip)"
            echo ".size $function, . - $function"
        done
        cat <<END
first:
    lea doppel_real_library(%rip), %rdi
    jmp *${prefix}place@GOTPCREL(%rip)
.section .init_array, "aw", @init_array
    .quad first
.bss
.globl doppel_real_library
.type doppel_real_library, @object
.size doppel_real_library, 4096
.p2align 4
doppel_real_library: .zero 4096
.section .note.doppel, "a", @note
.p2align 2
    .long 7, 4, 1
    .ascii "Doppel\0\0"
    .long 1
.section .note.GNU-stack, "", @progbits
END
    } >"$work/$name.s"
    {
        echo "$name {"
        echo "  global:"
        for function in $functions doppel_real_library; do echo "    $function;"; done
        echo "  local: *;"
        echo "};"
    } >"$work/$name.map"
    # It stays, as what is behind it does: see link-shared.sh.
    ${CC:-cc} -shared -nostdlib -o "$work/$name" "$work/$name.s" "$work/behind.so" -Wl,-soname,"$name" \
        -Wl,--version-script="$work/$name.map" -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro,-z,now \
        -Wl,--build-id
    install -m 755 "$work/$name" "$out/$name"
}
for v in 12 13; do
    front libnvrtc.so.$v doppel_nvrtc${v}_
    front libnvJitLink.so.$v doppel_nvjitlink${v}_
done
