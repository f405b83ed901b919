#!/bin/bash
# Builds the projects of tests/projects with our nvcc in front of NVIDIA's, and runs them: by CMake, by plain command lines,
# and step by step as nvcc --dryrun prints them. Their sources know nothing of us.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
CUDA_HOME=$(tests/venv.sh toolkit) && cmake=$(tests/venv.sh cmake) || { echo "the tools cannot be had from the package registry"; exit 1; }
export CUDA_HOME
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DOPPEL_MODE NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS CUDAARCHS
export PATH=$top/build/libexec:$cmake:$PATH LD_LIBRARY_PATH=$top/build/lib
projects=$top/tests/projects
# by_cmake PROJECT: built unchanged.
by_cmake() {
    cmake -G Ninja -S "$projects/$1" -B "$work/cmake-$1" && cmake --build "$work/cmake-$1" && "$work/cmake-$1/app"
}
one=(-gencode arch=compute_90,code=sm_90)
executable() { nvcc "${one[@]}" "$projects"/executable/*.cu "$projects"/executable/*.cpp -o executable && ./executable; }
# Relocatable code in a library, linked by nvcc.
library() {
    for unit in area scale; do nvcc "${one[@]}" -dc "$projects/library/$unit.cu" -o $unit.o || return; done
    nvcc -lib area.o scale.o -o libshapes.a &&
        nvcc -rdc=true "${one[@]}" "$projects/library/main.cu" -L. -lshapes -o library && ./library
}
# The same linked for the device by itself, and the rest by the host's compiler.
device_link() {
    printf -- '-rdc=true -arch=sm_90\n-c' >options
    for unit in area scale main; do nvcc --options-file options "$projects/library/$unit.cu" -o d$unit.o || return; done
    nvcc -dlink -arch=sm_90 darea.o dscale.o dmain.o -o link.o &&
        g++ link.o darea.o dscale.o dmain.o -L"$top/build/lib" -lcudart -o device && ./device
}
# Out of an archive, and with two objects that nvcc made one of.
archive() {
    for unit in area scale main; do nvcc -dc "${one[@]}" "$projects/library/$unit.cu" -o $unit.o || return; done
    nvcc -lib area.o scale.o -o libshapes.a && nvcc -dlink "${one[@]}" main.o -L. -lshapes -o link.o &&
        g++ main.o link.o -L. -lshapes -L"$top/build/lib" -lcudart -o device && ./device &&
        nvcc -r "${one[@]}" area.o scale.o -o both.o && nvcc "${one[@]}" both.o main.o -o both && ./both &&
        nvcc -dlink -fatbin "${one[@]}" main.o -L. -lshapes -o all.fatbin
}
# A library whose device code CMake links, so that a program of C++ takes it as any other.
resolved() {
    cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.20)
project(resolved LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 90-real)
file(GLOB sources "$projects/library/*.cu")
add_library(shapes STATIC \${sources})
set_target_properties(shapes PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
file(WRITE \${CMAKE_BINARY_DIR}/empty.cpp "")
add_executable(app \${CMAKE_BINARY_DIR}/empty.cpp)
set_target_properties(app PROPERTIES LINKER_LANGUAGE CXX CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(app PRIVATE shapes)
END
    cmake -G Ninja -S . -B build && cmake --build build && build/app
}
# Code for link time optimisation. NVIDIA's linker looks for its library where a toolkit has it, and its Python packages do not.
optimised() {
    mkdir -p toolkit/{bin,nvvm/lib64} && ln -s "$CUDA_HOME"/{include,lib} toolkit/ && ln -s "$CUDA_HOME"/bin/* toolkit/bin/ &&
        cp --remove-destination "$CUDA_HOME/bin/nvcc" toolkit/bin/ && ln -s "$CUDA_HOME"/nvvm/* toolkit/nvvm/ && ln -s "$CUDA_HOME/lib/libnvvm.so.4" toolkit/nvvm/lib64/libnvvm.so || return
    export CUDA_HOME=$PWD/toolkit
    nvcc -dlto -rdc=true -arch=sm_90 "$projects"/library/*.cu -o whole && ./whole || return
    for unit in area scale main; do nvcc -dc -dlto -arch=sm_90 "$projects/library/$unit.cu" -o $unit.o || return; done
    nvcc -dlink -dlto -arch=sm_90 area.o scale.o main.o -o link.o && g++ ./*.o -L"$top/build/lib" -lcudart -o parts && ./parts
}
# Files of device code that belong together.
linked_files() {
    echo '__device__ int twice(int x) { return 2 * x; }' >twice.cu
    echo 'extern __device__ int twice(int); extern "C" __global__ void k(int *out) { *out = twice(21); }' >k.cu
    for unit in twice k; do nvcc -rdc=true -cubin "${one[@]}" $unit.cu && nvcc -dc "${one[@]}" $unit.cu -o $unit.o || return; done
    nvcc -dlink -cubin -arch=sm_90 twice.cubin k.cubin -o all.cubin && nvcc -dlink -fatbin -arch=sm_90 twice.o k.o -o all.fatbin || return
    ! nvcc -dlink -cubin -arch=sm_90 k.cubin -o none.cubin 2>errors && grep -q "Unresolved extern function '_Z5twicei'" errors || return
    # An object for the host. What it registers no host linker finds, as with NVIDIA's: it names what nvcc has thrown away.
    nvcc -dlink -arch=sm_90 twice.cubin k.cubin -o link.o && nm link.o | grep -q 'T __cudaRegisterLinkedBinary.*k_o' || return
    ! nvcc -dlink -arch=sm_90 k.cubin -o none.o 2>errors && grep -q '_Z5twicei' errors || return
    cat >load.c <<'END'
#include <cuda.h>
#include <stdio.h>
int main(int count, char **files)
{
    CUdevice d; CUcontext c; CUmodule m; CUfunction f; CUdeviceptr p;
    if (cuInit(0) || cuDeviceGet(&d, 0) || cuDevicePrimaryCtxRetain(&c, d) || cuCtxSetCurrent(c) || cuMemAlloc(&p, 4)) return 1;
    for (int i = 1; i < count; i++) {
        int out = 0;
        void *arguments[] = { &p };
        if (cuModuleLoad(&m, files[i]) || cuModuleGetFunction(&f, m, "k")) return 2;
        if (cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0) || cuMemcpyDtoH(&out, p, 4) || out != 42) return 3;
    }
    return puts("done") < 0;
}
END
    gcc -I"$CUDA_HOME/include" load.c -L"$top/build/lib" -lcuda -o load && ./load all.cubin all.fatbin
}
shared() {
    nvcc -arch=compute_90 -code=sm_90 -shared -Xcompiler -fPIC "$projects/shared/reduce.cu" -o libreduce.so &&
        nvcc "$projects/shared/main.cpp" -L. -lreduce -Xlinker -rpath="$work/shared" -o shared && ./shared
}
files() {
    g++ -I"$CUDA_HOME/include" "$projects/cubin/main.cpp" -L"$top/build/lib" -lcuda -o load || return
    nvcc --cubin -arch sm_90 -Xptxas -v "$projects/cubin/kernel.cu" 2>log && ./load kernel.cubin && grep -q 'Used .* registers' log &&
        nvcc -fatbin "${one[@]}" "$projects/cubin/kernel.cu" -o kernel.fatbin && ./load kernel.fatbin &&
        nvcc -fatbin kernel.cubin -o packed.fatbin && ./load packed.fatbin &&
        nvcc -ptx -arch=sm_90 "$projects/cubin/kernel.cu" && nvcc -cubin -arch=sm_90 kernel.ptx -o again.cubin && ./load again.cubin &&
        nvcc -cubin -arch=sm_90 -MD "$projects/cubin/kernel.cu" -o named.cubin && grep -q '^named.cubin :' named.d &&
        fatbinary -64 --create=hand.fatbin --image3=kind=elf,sm=90,file=again.cubin && ./load hand.fatbin
}
# by_hand NVCC'S ARGUMENTS...: what --dryrun prints, with our ptxas and fatbinary.
by_hand() {
    local folder=$1
    shift
    nvcc --dryrun "$@" -o "$folder-app" 2>&1 | sed -n 's/^#\$ //p' |
        sed -E "/^(PATH=|rm )/d; s/^([A-Za-z_]+)=(.*)\$/\1='\2'/" >"$folder.sh"
    PATH=$top/build/libexec:$CUDA_HOME/bin:$CUDA_HOME/nvvm/bin:$PATH bash -e "$folder.sh" && "./$folder-app"
}
steps() { by_hand whole "${one[@]}" "$projects/shared/reduce.cu" "$projects/shared/main.cpp"; }
steps_linked() { by_hand parts -rdc=true -arch=sm_90 "$projects"/library/*.cu; }
# What nvcc says and how it ends is NVIDIA's nvcc's.
said() {
    nvcc --version | grep -q 'release 13.5' && nvcc --version | grep -q doppel &&
        ! nvcc 2>errors && grep -q 'No input files' errors &&
        ! nvcc -c /nowhere/a.cu 2>errors && grep -q 'nowhere' errors &&
        echo 'int main() { return 7; }' | nvcc -x cu - -o seven && { ./seven; [ $? = 7 ]; } &&
        nvcc -cudart static "$projects/cubin/kernel.cu" -shared -Xcompiler -fPIC -o static.so 2>errors && grep -q "NVIDIA's driver alone" errors &&
        [ "$(DOPPEL_MODE=forward nvcc --version)" = "$("$CUDA_HOME/bin/nvcc" --version)" ] &&
        [ "$(DOPPEL_MODE=absent ptxas --version)" = "$("$CUDA_HOME/bin/ptxas" --version)" ] && echo done
}
passed=0 failed=0
tests=(executable library device_link archive resolved optimised linked_files shared files steps steps_linked said "by_cmake executable" "by_cmake library" "by_cmake shared")
# As many at once as there are cores.
i=0
for t in "${tests[@]}"; do
    name=${t// /-}
    mkdir -p "$work/$name"
    (cd "$work/$name" && $t >log.all 2>&1; echo $? >status) &
    i=$((i + 1))
    [ $((i % $(nproc))) != 0 ] || wait
done
wait
for t in "${tests[@]}"; do
    name=${t// /-}
    if [ "$(cat "$work/$name/status")" = 0 ] && [ "$(tail -1 "$work/$name/log.all")" = done ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $t"
        tail -15 "$work/$name/log.all" | sed 's/^/    /'
    fi
done
echo "projects: $passed passed, $failed failed"
[ $failed = 0 ]
