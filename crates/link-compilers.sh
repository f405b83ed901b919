#!/bin/bash
# Makes libnvrtc.so.12 and .13 and libnvJitLink.so.12 and .13 out of what cargo built.
#
#   crates/link-compilers.sh FOLDER OUT    FOLDER: where cargo put libdoppel_nvrtc12.a and its kin
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for v in 12 13; do
    "$here/link-shared.sh" libnvrtc.so.$v "$here/nvrtc/exports.txt" "$1/libdoppel_nvrtc$v.a" "$2"
    "$here/link-shared.sh" libnvJitLink.so.$v "$here/nvjitlink/exports.txt" "$1/libdoppel_nvjitlink$v.a" "$2"
done
