#!/bin/bash
# Compiles and links a program with what `make install` gives, found by pkg-config: C99 to C23, C++11 to C++23, gcc and clang. Any warning fails.
#
# OpenGL's, EGL's and VDPAU's own headers are not ours: cudaGL.h, cudaEGL.h and cudaVDPAU.h are left out.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v pkg-config >/dev/null || { echo "skipped: there is no pkg-config"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packaging/install.sh --from build "$work/prefix" >/dev/null || exit 1
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
passed=0 failed=0
cat >"$work/program.c" <<'END'
#include <cuda.h>
#include <cudaProfiler.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    CUdevice device = 0;
    CUcontext context = NULL;
    CUdeviceptr p = 0;
    unsigned char bytes[4] = {0, 0, 0, 0};
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&n) != CUDA_SUCCESS) return 1;
    if (cuDeviceGet(&device, 0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS) return 2;
    if (cuCtxSetCurrent(context) != CUDA_SUCCESS || cuMemAlloc(&p, 4) != CUDA_SUCCESS) return 3;
    if (cuMemsetD8(p, 7, 4) != CUDA_SUCCESS || cuMemcpyDtoH(bytes, p, 4) != CUDA_SUCCESS) return 4;
    printf("%d %d\n", n, bytes[3]);
    return cuMemFree(p) == CUDA_SUCCESS ? 0 : 5;
}
END
cp "$work/program.c" "$work/program.cpp"
flags=$(pkg-config --cflags --libs cuda) || exit 1
try() { # compiler, standard, file
    local output
    # shellcheck disable=SC2086
    if output=$("$1" "-std=$2" -Wall -Wextra -pedantic -Werror "$3" -o "$work/program" $flags 2>&1) &&
        output=$(LD_LIBRARY_PATH=$work/prefix/lib DOPPEL_MODE=cpu DOPPEL_NODE=none "$work/program" 2>&1) && [ "$output" = "1 7" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1 -std=$2:"
        head -10 <<<"$output"
    fi
}
for pair in gcc:g++ clang:clang++; do
    if ! command -v "${pair%:*}" >/dev/null; then
        echo "skipped: ${pair%:*}: it is not installed"
        continue
    fi
    for standard in c99 c11 c17 c2x; do try "${pair%:*}" $standard "$work/program.c"; done
    for standard in c++11 c++14 c++17 c++20 c++2b; do try "${pair#*:}" $standard "$work/program.cpp"; done
done
for name in cuda cudart; do
    version=$(pkg-config --modversion $name)
    [ "$version" = 13.5 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED $name.pc: version $version"; }
done
echo "compile: $passed passed, $failed failed"
[ $failed = 0 ]
