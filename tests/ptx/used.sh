#!/bin/bash
# Writes down which matrix, texture, surface and tensor instructions the C tests run whose expected output is that of an H200
# (tests/ptx/c-tests.txt): what they load is kept on its way, so that nothing is listed that they do not hold against the device.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -shared -fPIC -O1 -o "$work/used.so" tests/ptx/used.c -ldl
for name in matrix texture surface tensor_map cluster; do
    cc -std=c11 -D_GNU_SOURCE -I. -o "$work/$name" "c-tests/$name.c" -Lbuild/lib -lcuda -lpthread -lm
    LD_LIBRARY_PATH=build/lib DOPPEL_MODE=cpu LD_PRELOAD=$work/used.so PTX_LOG=$work/$name.ptx "$work/$name" >"$work/$name.out"
    cmp "$work/$name.out" "c-tests/$name.expected"
    tr ';{' '\n\n' <"$work/$name.ptx" | sed -E 's/^[[:space:]]*(@!?%?[A-Za-z0-9_]+[[:space:]]+)?//' |
        grep -oE '^(mma|wmma|wgmma|ldmatrix|stmatrix|movmatrix|tex|tld4|txq|suld|sust|sured|suq|cp|tensormap|mapa|getctarank|barrier|multimem)\.[A-Za-z0-9_:.]+' |
        sort -u | sed "s/^/$name /"
done >"$work/list"
cp "$work/list" tests/ptx/c-tests.txt
cut -d' ' -f1 tests/ptx/c-tests.txt | uniq -c
