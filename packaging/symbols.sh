#!/bin/bash
# Looks through all programs and libraries of a folder for what other systems might lack, and prints the glibc that they need.
#
#   packaging/symbols.sh FOLDER [GLIBC]    fails if they need a newer one than GLIBC, or name folders of the machine that built them
#
# None may need a library but glibc's (libgcc_s is opened when it is needed, crates/unwinder), or one that lies beside it and is named so ($ORIGIN/NAME); name a folder to search;
# or have an executable stack.
set -euo pipefail
folder=$1 most=${2:-}
failed=0 newest=2.17
complain() {
    echo "symbols: $1" >&2
    failed=1
}
newer() { [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -1)" != "$2" ]; }
while IFS= read -r file; do
    case $(head -c 4 "$file" | tr -d '\0') in
        $'\x7fELF') ;;
        *) continue ;;
    esac
    name=${file#"$folder"/}
    dynamic=$(readelf -dW "$file")
    needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
    for library in $needed; do
        case $library in
            libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-x86-64.so.2) ;;
            "\$ORIGIN/"*) [ -f "${file%/*}/${library##*/}" ] || complain "$name lies without $library" ;;
            *) complain "$name needs $library" ;;
        esac
    done
    ! grep -qE '\((RPATH|RUNPATH|TEXTREL)\)' <<<"$dynamic" || complain "$name has an RPATH or relocations in its text"
    ! readelf -lW "$file" | grep -q 'GNU_STACK.*E ' || complain "$name has an executable stack"
    for version in $(readelf -VW "$file" | grep -o 'GLIBC_[0-9.]*' | sort -u); do
        [ "$version" != GLIBC_PRIVATE ] || complain "$name uses glibc's own names"
        version=${version#GLIBC_}
        ! newer "$version" "$newest" || newest=$version
    done
    [ -n "$most" ] || continue
    for place in "$PWD" "${CARGO_HOME:-$HOME/.cargo}" "$HOME/.rustup"; do
        ! grep -qaF -- "$place" "$file" || complain "$name names $place"
    done
done < <(find "$folder" -type f | sort)
[ -z "$most" ] || ! newer "$newest" "$most" || complain "glibc $newest is needed, more than $most"
[ $failed = 0 ] || exit 1
echo "$newest"
