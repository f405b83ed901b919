#!/bin/bash
# Compiles and links programs over the driver and over the runtime with what `make install` gives and nothing of NVIDIA's: by pkg-config in
# C99 to C23 and C++11 to C++23 with gcc and clang, by CMake's find_package(CUDAToolkit), by Meson, and through bindgen. Any warning fails.
# The headers of the runtime are compared with NVIDIA's by name, too.
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
cat >"$work/runtime.c" <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    int n = 0;
    void *p = NULL;
    unsigned char bytes[4] = {0, 0, 0, 0};
    struct cudaDeviceProp properties;
    struct cudaExtent extent = make_cudaExtent(4, 1, 1);
    struct cudaPitchedPtr pitched;
    cudaStream_t stream;
    cudaEvent_t event;
    if (cudaGetDeviceCount(&n) != cudaSuccess || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
    if (properties.warpSize != 32 || cudaMalloc3D(&pitched, extent) != cudaSuccess) return 2;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess || cudaEventCreate(&event) != cudaSuccess) return 3;
    if (cudaMallocAsync(&p, 4, stream) != cudaSuccess || cudaMemsetAsync(p, 7, 4, stream) != cudaSuccess) return 4;
    if (cudaMemcpyAsync(bytes, p, 4, cudaMemcpyDeviceToHost, stream) != cudaSuccess) return 5;
    if (cudaEventRecord(event, stream) != cudaSuccess || cudaStreamWaitEvent(cudaStreamPerThread, event, 0) != cudaSuccess) return 6;
    if (cudaStreamSynchronize(stream) != cudaSuccess || cudaFreeAsync(p, stream) != cudaSuccess) return 7;
    if (cudaFree(NULL) != cudaSuccess || strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0) return 8;
    printf("%d %d\n", n, bytes[3]);
    return cudaFree(pitched.ptr) == cudaSuccess ? 0 : 9;
}
END
# What C++ has beside.
cat >"$work/overloads.cpp" <<'END'
#include <cuda_runtime.h>
#include <cuda.h>
#include <cstdio>
int main() {
    float *p = nullptr, *q = nullptr;
    cudaDeviceProp properties;
    dim3 grid(2), block;
    int n = 0;
    if (cudaMalloc(&p, 16) != cudaSuccess || cudaMallocManaged(&q, 4) != cudaSuccess || grid.y != 1 || block.x != 1) return 1;
    if (cudaGetDeviceCount(&n) != cudaSuccess || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 2;
    std::printf("%d 7\n", n);
    return cudaFree(p) == cudaSuccess && cudaFree(q) == cudaSuccess ? 0 : 3;
}
END
cp "$work/program.c" "$work/program.cpp"
cp "$work/runtime.c" "$work/runtime.cpp"
verdict() { # what, exit status, output
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1:"
        head -20 <<<"$3"
    fi
}
# Whether a program says what it should, with our libraries.
says() { # program
    [ "$(LD_LIBRARY_PATH=$work/prefix/lib DOPPEL_MODE=cpu DOPPEL_NODE=none "$1" 2>&1)" = "1 7" ]
}
try() { # compiler, standard, file, package, options...
    local compiler=$1 standard=$2 file=$3 flags output
    flags=$(pkg-config --cflags --libs "$4")
    shift 4
    # shellcheck disable=SC2086
    output=$("$compiler" "-std=$standard" -Wall -Wextra -pedantic -Werror "$@" "$file" -o "$work/program" $flags 2>&1) && says "$work/program"
    verdict "$compiler -std=$standard $(basename "$file") $*" $? "$output"
}
for pair in gcc:g++ clang:clang++; do
    if ! command -v "${pair%:*}" >/dev/null; then
        echo "skipped: ${pair%:*}: it is not installed"
        continue
    fi
    for standard in c99 c11 c17 c2x; do
        try "${pair%:*}" $standard "$work/program.c" cuda
        try "${pair%:*}" $standard "$work/runtime.c" cudart
    done
    for standard in c++11 c++14 c++17 c++20 c++2b; do
        try "${pair#*:}" $standard "$work/program.cpp" cuda
        try "${pair#*:}" $standard "$work/runtime.cpp" cudart
    done
    try "${pair%:*}" c11 "$work/runtime.c" cudart -DCUDA_API_PER_THREAD_DEFAULT_STREAM
    try "${pair#*:}" c++20 "$work/overloads.cpp" cudart
done

# CMake, with our prefix alone: no nvcc.
mkdir "$work/cmake"
cp "$work/program.c" "$work/runtime.c" "$work/cmake/"
cp "$work/overloads.cpp" "$work/cmake/"
cat >"$work/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(both C CXX)
find_package(CUDAToolkit 13 REQUIRED)
add_compile_options(-Wall -Wextra -pedantic -Werror)
add_executable(program program.c)
target_link_libraries(program CUDA::cuda_driver)
add_executable(runtime runtime.c)
target_link_libraries(runtime CUDA::cudart)
add_executable(overloads overloads.cpp)
target_link_libraries(overloads CUDA::cudart CUDA::cuda_driver)
END
tools=$(tests/venv.sh cmake) || exit 1
output=$("$tools/cmake" -S "$work/cmake" -B "$work/cmake/build" -G Ninja -DCMAKE_MAKE_PROGRAM="$tools/ninja" -DCUDAToolkit_ROOT="$work/prefix" 2>&1 &&
    "$tools/cmake" --build "$work/cmake/build" 2>&1) && says "$work/cmake/build/program" && says "$work/cmake/build/runtime" &&
    says "$work/cmake/build/overloads"
verdict "CMake: find_package(CUDAToolkit)" $? "$output"

# Meson: its own dependency 'cuda' wants a toolkit's folder lib64; pkg-config tells of the same as NVIDIA's files do.
if command -v meson >/dev/null; then
    mkdir "$work/meson"
    cp "$work/program.c" "$work/runtime.c" "$work/overloads.cpp" "$work/meson/"
    cat >"$work/meson/meson.build" <<'END'
project('both', 'c', 'cpp', default_options : ['warning_level=3', 'werror=true', 'c_std=c11'])
executable('program', 'program.c', dependencies : dependency('cuda-13.5'))
executable('runtime', 'runtime.c', dependencies : dependency('cudart'))
executable('overloads', 'overloads.cpp', dependencies : [dependency('cudart'), dependency('cuda-13.5')])
END
    output=$(PATH=$tools:$PATH meson setup "$work/meson/build" "$work/meson" 2>&1 && "$tools/ninja" -C "$work/meson/build" 2>&1) &&
        says "$work/meson/build/program" && says "$work/meson/build/runtime" && says "$work/meson/build/overloads"
    verdict "Meson" $? "$output"
else
    echo "skipped: Meson: it is not installed"
fi

# bindgen: what it makes of the headers compiles without warnings, with its own checks of layouts.
if command -v bindgen >/dev/null; then
    for header in cuda cuda_runtime_api; do
        output=$(bindgen "$work/prefix/include/$header.h" -o "$work/$header.rs" -- -I"$work/prefix/include" 2>&1 &&
            rustc --edition 2021 --crate-type lib --emit metadata -D warnings -A non_camel_case_types -A non_snake_case -A non_upper_case_globals \
                -A dead_code -A deref_nullptr -A unsafe_op_in_unsafe_fn -A clippy::all --out-dir "$work" "$work/$header.rs" 2>&1) && [ -z "$output" ]
        verdict "bindgen: $header.h" $? "$output"
    done
else
    echo "skipped: bindgen: it is not installed"
fi

# nvcc takes its own headers, also with ours in front.
if toolkit=$(tests/venv.sh toolkit 2>/dev/null); then
    # CMake, beside a toolkit: without kernels our prefix is all; with kernels compiler and headers are the toolkit's, the libraries ours.
    output=$(PATH=$toolkit/bin:$PATH "$tools/cmake" -S "$work/cmake" -B "$work/cmake/beside" -G Ninja -DCMAKE_MAKE_PROGRAM="$tools/ninja" \
        -DCUDAToolkit_ROOT="$work/prefix" 2>&1 && "$tools/cmake" --build "$work/cmake/beside" 2>&1) && says "$work/cmake/beside/program" &&
        says "$work/cmake/beside/runtime" && grep -q "CUDA_CUDART:FILEPATH=$work/prefix/lib/" "$work/cmake/beside/CMakeCache.txt"
    verdict "CMake: find_package(CUDAToolkit), nvcc on the path" $? "$output"
    mkdir "$work/kernels"
    cp "$work/overloads.cpp" "$work/kernels/"
    cat >"$work/kernels/kernel.cu" <<'END'
#include <cuda.h>
#include <cstdio>
__global__ void seven(int *p) { *p = 7; }
int main() {
    int *p = nullptr, v = 0, n = 0;
    if (cuInit(0) != CUDA_SUCCESS || cudaGetDeviceCount(&n) != cudaSuccess || cudaMalloc(&p, 4) != cudaSuccess) return 1;
    seven<<<1, 1>>>(p);
    if (cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    std::printf("%d %d\n", n, v);
    return cudaFree(p) == cudaSuccess ? 0 : 3;
}
END
    cat >"$work/kernels/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(kernels CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 80)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
find_package(CUDAToolkit 13 REQUIRED)
add_executable(kernel kernel.cu)
target_link_libraries(kernel CUDA::cuda_driver)
add_executable(overloads overloads.cpp)
target_link_libraries(overloads CUDA::cudart CUDA::cuda_driver)
END
    for how in CUDAToolkit_ROOT CMAKE_PREFIX_PATH; do
        output=$("$tools/cmake" -S "$work/kernels" -B "$work/kernels/$how" -G Ninja -DCMAKE_MAKE_PROGRAM="$tools/ninja" \
            -DCMAKE_CUDA_COMPILER="$toolkit/bin/nvcc" -D$how="$work/prefix" 2>&1 && "$tools/cmake" --build "$work/kernels/$how" 2>&1) &&
            says "$work/kernels/$how/kernel" && says "$work/kernels/$how/overloads" &&
            grep -qF "[$toolkit/bin]" "$work/kernels/$how/CMakeCache.txt" &&
            grep -q "CUDA_cuda_driver_LIBRARY:FILEPATH=$work/prefix/lib/" "$work/kernels/$how/CMakeCache.txt"
        verdict "CMake: a toolkit's nvcc with our libraries by $how" $? "$output"
    done
    printf '#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 7; }\nint main() { k<<<1, 1>>>(nullptr); return float4().x != 0; }\n' >"$work/k.cu"
    output=$("$toolkit/bin/nvcc" -Werror all-warnings -I"$work/prefix/include" -arch=sm_80 -c "$work/k.cu" -o "$work/k.o" 2>&1)
    verdict "nvcc with our headers in front" $? "$output"
    # So do other compilers: headers of NVIDIA's libraries count on more than ours have. Types of both do not meet.
    printf '#include <cuda_runtime.h>\n#include <cuda_runtime_api.h>\nint main(void) { return MAJOR_VERSION; }\n' >"$work/theirs.c"
    printf '#include <cuda_runtime_api.h>\n#include <cuda_runtime.h>\nint main(void) { return cudaSuccess; }\n' >"$work/ours.c"
    for mixed in theirs ours; do
        output=$(cc -Wall -Werror -I"$work/prefix/include" -I"$toolkit/include" -c "$work/$mixed.c" -o "$work/mixed.o" 2>&1)
        verdict "NVIDIA's headers behind ours: $mixed" $? "$output"
    done
    output=$("$(tests/venv.sh python)" tests/cudart/headers.py "$toolkit/include" "$work/prefix/include" 2>&1)
    verdict "headers of the runtime against NVIDIA's" $? "$output"
else
    echo "skipped: nvcc and NVIDIA's headers: they cannot be installed"
fi
for name in cuda cuda-13.5 cudart; do
    version=$(pkg-config --modversion $name)
    [ "$version" = 13.5 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED $name.pc: version $version"; }
done
echo "compile: $passed passed, $failed failed"
[ $failed = 0 ]
