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
tests=(executable library device_link shared files steps steps_linked said "by_cmake executable" "by_cmake library" "by_cmake shared")
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
