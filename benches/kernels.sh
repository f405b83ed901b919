#!/bin/bash
# Kernels: what a launch costs, how a grid spreads over two cores, and the workloads of benches/workloads
# side by side with loops that gcc compiles and with pocl: contenders alternate within each row.
#
#   benches/kernels.sh OUT [NAME...]      OUT: where programs are built; NAME: workloads, all by default
#
# Called by benches/run.sh, which has built OUT/kernels and set LD_LIBRARY_PATH. Exit status 1 when a result is wrong.
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
echo
$out/kernels empty
if [ "$(nproc)" -ge 2 ]; then
    one=$(taskset -c 0 $out/kernels compute)
    two=$(taskset -c 0,1 $out/kernels compute)
    awk -v a="$one" -v b="$two" 'BEGIN { printf "a grid on 1 core %.2f ms, on 2 cores %.2f ms: x%.2f\n", a / 1e6, b / 1e6, a / b }'
fi
workloads=$here/workloads
flags=(-O3 -march=native -fopenmp -w)
gcc "${flags[@]}" -ffast-math -o $out/ref_bench "$workloads/ref_bench.c" -lm
gcc "${flags[@]}" -o $out/cuda_bench "$workloads/cuda_bench.c" -ldl -lm
if ! echo '#include <CL/cl.h>' | cc -E - >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { timeout 120 apt-get update && timeout 240 apt-get install -y pocl-opencl-icd ocl-icd-opencl-dev; } >$out/apt-pocl.log 2>&1 || true
fi
pocl=1
gcc "${flags[@]}" -o $out/ocl_bench "$workloads/ocl_bench.c" -lOpenCL -lm 2>/dev/null || pocl=0
export PTX_DIR=$workloads CUDA_LIB=libcuda.so.1
OMP_NUM_THREADS=$(nproc)
export OMP_NUM_THREADS
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(vecadd saxpy nbody mandelbrot matmul16 matmul32 sgemm_rt reduce_shared reduce_shfl blocksum_shared
    blocksum_shfl hist_global hist_shared stencil2d collatz transpose)
rate() { awk -v n="$1" '$1 == n && $3 == "ms" { r = $4; u = $5 } END { print (r == "" ? "- -" : r " " u) }'; }
printf '\n%-16s %12s %12s %12s %-10s %8s %8s\n' kernel ours gcc pocl unit /gcc /pocl
wrong=0 ratios=
for name in "${names[@]}"; do
    text=$($out/cuda_bench kernels 7 $name)
    note=
    case "$text" in *WRONG*) note=" WRONG" wrong=1 ;; esac
    read -r ours unit < <(rate $name <<<"$text")
    read -r gcc _ < <($out/ref_bench 7 $name | rate $name)
    theirs=-
    [ $pocl = 0 ] || read -r theirs _ < <($out/ocl_bench "$workloads/kernels.cl" 7 $name | rate $name)
    line=$(awk -v a="$ours" -v b="$gcc" -v c="$theirs" 'BEGIN { printf "%8.3f %8s", a / b, c == "-" ? "-" : sprintf("%.3f", a / c) }')
    printf '%-16s %12s %12s %12s %-10s %s%s\n' $name "$ours" "$gcc" "$theirs" "$unit" "$line" "$note"
    [ "$theirs" = - ] || ratios+="$ours $theirs"$'\n'
done
awk 'NF == 2 { s += log($1 / $2); n++ } END { if (n) printf "geometric mean over %d kernels: %.2f of pocl\n", n, exp(s / n) }' <<<"$ratios"
exit $wrong
