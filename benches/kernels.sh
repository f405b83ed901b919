#!/bin/bash
# Kernels: what a launch costs, how a grid spreads over two cores, and the workloads of benches/workloads
# side by side with loops that gcc compiles, with pocl and with Intel's OpenCL. In each row contenders take turns, three processes of three
# repetitions each, and the median of three medians counts. Where two cores did not do
# much more than one right before a row, a line behind it says so.
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
pocl=1 intel=
gcc "${flags[@]}" -o $out/ocl_bench "$workloads/ocl_bench.c" -lOpenCL -lm 2>/dev/null || pocl=0
if [ $pocl = 1 ] && intel=$("$here/../tests/venv.sh" opencl 2>$out/intel.log); then
    mkdir -p $out/intel
    echo "$intel/libintelocl.so" >$out/intel/intel.icd
fi
pocls=$out/pocl
mkdir -p "$pocls"
cp /etc/OpenCL/vendors/pocl.icd "$pocls" 2>/dev/null || pocl=0
export PTX_DIR=$workloads CUDA_LIB=libcuda.so.1
OMP_NUM_THREADS=$(nproc)
export OMP_NUM_THREADS
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(vecadd saxpy nbody mandelbrot matmul16 matmul32 sgemm_rt reduce_shared reduce_shfl blocksum_shared
    blocksum_shfl hist_global hist_shared stencil2d collatz transpose)
rate() { awk -v n="$1" '$1 == n && $3 == "ms" { r = $4; u = $5 } END { print (r == "" ? "- -" : r " " u) }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { print b == "-" ? "-" : sprintf("%.3f", a / b) }'; }
# What the second core gave a moment ago: on a machine that others use, or whose host moves its processors, a row may have had one core.
share() {
    [ -n "${one:-}" ] || return 0
    local two
    two=$(taskset -c 0,1 $out/kernels compute)
    awk -v a="$one" -v b="$two" 'BEGIN { if (a / b < 1.7) printf "(two cores did x%.2f of one)\n", a / b }'
}
row='%-16s %12s %12s %12s %12s %-10s %8s %8s %8s%s\n'
# shellcheck disable=SC2059
printf "\n$row" kernel ours gcc pocl Intel unit /gcc /pocl /Intel ''
wrong=0 ratios=
# The one in the middle: some processes have half the speed from beginning to end, whoever's they are.
middle() { sort -g <<<"$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
for name in "${names[@]}"; do
    note= cores=$(share) all_ours= all_gcc= all_theirs= all_intels= theirs=- intels=-
    for _ in 1 2 3; do
        text=$($out/cuda_bench kernels 3 $name)
        case "$text" in *WRONG*) note=" WRONG" wrong=1 ;; esac
        read -r ours unit < <(rate $name <<<"$text")
        read -r gcc _ < <($out/ref_bench 3 $name | rate $name)
        [ $pocl = 0 ] || read -r theirs _ < <(OCL_ICD_VENDORS=$pocls $out/ocl_bench "$workloads/kernels.cl" 3 $name | rate $name)
        [ -z "$intel" ] || read -r intels _ < <(LD_LIBRARY_PATH=$intel OCL_ICD_VENDORS=$out/intel $out/ocl_bench "$workloads/kernels.cl" 3 $name | rate $name)
        all_ours+=$ours$'\n' all_gcc+=$gcc$'\n' all_theirs+=$theirs$'\n' all_intels+=$intels$'\n'
    done
    ours=$(middle "${all_ours%?}") gcc=$(middle "${all_gcc%?}") theirs=$(middle "${all_theirs%?}") intels=$(middle "${all_intels%?}")
    # shellcheck disable=SC2059
    printf "$row" $name "$ours" "$gcc" "$theirs" "$intels" "$unit" "$(ratio "$ours" "$gcc")" "$(ratio "$ours" "$theirs")" \
        "$(ratio "$ours" "$intels")" "$note"
    [ -z "$cores" ] || echo "$cores"
    ratios+="gcc $ours $gcc"$'\n'"pocl $ours $theirs"$'\n'"Intel $ours $intels"$'\n'
done
awk '$3 + 0 { r = $2 / $3; s[$1] += log(r); n[$1]++; faster[$1] += r >= 1 } END {
    for (name in n) printf "geometric mean over %d kernels: %.2f of %s, as fast or faster on %d\n", n[name], exp(s[name] / n[name]), name, faster[name]
}' <<<"$ratios"
exit $wrong
