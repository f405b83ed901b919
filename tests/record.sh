#!/bin/bash
# Records programs and asks again what they asked, of the emulated device and of one behind a second copy of the library.
#
#   tests/record.sh [--lib FOLDER] [--doppel FILE]    (build/lib and build/bin/doppel by default)
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
lib=$top/build/lib doppel=$top/build/bin/doppel
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd) ;;
        --doppel) doppel=$(realpath "$2") ;;
        *) echo "usage: $0 [--lib FOLDER] [--doppel FILE]" >&2; exit 2 ;;
    esac
    shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/expect.sh"
export DOPPEL_NODE=none
unset DOPPEL_MODE DOPPEL_RECORD DOPPEL_DEVICES LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH
mkdir -p "$work/bin" "$work/lib" "$work/real"
cp "$doppel" "$work/bin/doppel" && cp "$lib/libcuda.so.1" "$work/lib/" || { echo "nothing is built"; exit 1; }
installed=$doppel
doppel=$work/bin/doppel
# A driver behind ours: the same library under a name by which the loader tells it from the first.
sed 's/\x00libcuda\.so\.1\x00/\x00libinner.so.\x00/' "$work/lib/libcuda.so.1" >"$work/real/libinner.so."
cc -O1 -shared -fPIC -D_GNU_SOURCE -I "$top" -o "$work/real/libcuda.so.1" "$top/tests/data/ours_as_real.c" \
    -Wl,--no-as-needed "$work/real/libinner.so." '-Wl,-rpath,$ORIGIN' || exit 1
cc -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I "$top" -o "$work/recorded" "$top/tests/data/recorded.c" "$work/lib/libcuda.so.1" \
    -lpthread || exit 1
cc -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I "$top" -o "$work/parts" "$top/tests/data/recorded_parts.c" "$work/lib/libcuda.so.1" || exit 1
cc -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I "$top" -o "$work/odd" "$top/tests/data/recorded_odd.c" "$work/lib/libcuda.so.1" || exit 1
cd "$work" || exit 1
export LD_LIBRARY_PATH=$work/lib

check "a program is recorded" 0 threads "$doppel" record --no-preload -o cpu.rec -- ./recorded
check "recorded by a variable, in front of a driver" 0 threads \
    env DOPPEL_MODE=forward DOPPEL_REAL_LIBCUDA="$work/real/libcuda.so.1" DOPPEL_RECORD=forward.rec ./recorded
for record in cpu forward; do
    check "$record: equal here" 0 ": equal" "$doppel" replay $record.rec
    check "$record: equal in front of a driver" 0 ": equal" "$doppel" replay --mode forward --real "$work/real/libcuda.so.1" $record.rec
done
check "equal with work that is late" 0 ": equal" "$doppel" replay --schedule lazy cpu.rec
check "what is known of the record" 0 "4 words of copied data lie in live memory" "$doppel" replay cpu.rec

# Images in pieces and from the driver's linker, and a kernel that waits for the program.
check "images and waits are recorded" 0 "copied: 5" timeout -s KILL 60 "$doppel" record --no-preload -o parts.rec -- ./parts
check "images and waits: equal" 0 ": equal" "$doppel" replay --timeout 60 parts.rec
check "images and waits: equal in front of a driver" 0 ": equal" \
    "$doppel" replay --timeout 60 --mode forward --real "$work/real/libcuda.so.1" parts.rec

# What programs do seldom: a file that there is not, nodes that free memory, memory registered in vain, a result that stays as it was,
# memory from another process, lists of handles in memory of the driver's.
check "odd calls are recorded" 0 "odd: 8" "$doppel" record --no-preload -o odd.rec -- ./odd
check "odd calls: equal" 0 ": equal" "$doppel" replay odd.rec
check "odd calls: equal in front of a driver" 0 ": equal" "$doppel" replay --mode forward --real "$work/real/libcuda.so.1" odd.rec
check "odd calls: what is not asked again is said" 0 "calls about what calls gave that are not asked again" "$doppel" replay odd.rec

# Differences are found, and pointed at.
edit=$( (cd "$top" && cargo build --locked -p doppel-record --example edit --message-format json-render-diagnostics) |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
[ -x "$edit" ] || { echo "nothing changes records"; exit 1; }
edit() { "$edit" "$@"; }
edit "mul.lo.u32 %r7, %r6, 3" "mul.lo.u32 %r7, %r6, 5" "$work/cpu.rec" "$work/kernel.rec" || exit 1
check "another kernel" 1 "last given to scale (call " "$doppel" replay kernel.rec
check "another kernel, as docs/LAYERS.md shows it" 1 "$(grep '^recorded: ' "$top/docs/LAYERS.md")" "$doppel" replay kernel.rec
check "another kernel: what it gives" 1 "0x00000003 then, 0x00000005 now" "$doppel" replay kernel.rec
edit "$(printf '6\t')" "$(printf '7\t')" "$work/cpu.rec" "$work/byte.rec" || exit 1
check "another byte" 1 "0x00000937 then, 0x00000936 now" "$doppel" replay byte.rec
# The piece and the linker's input are other ones, and so is what came of them.
edit "mov.u32 %r1, 7" "mov.u32 %r1, 8" "$work/parts.rec" "$work/linked.rec" || exit 1
check "another input of the linker" 1 "bytes compared: 2 differences" "$doppel" replay --timeout 60 linked.rec
check "a call that fails" 1 "CUDA_SUCCESS then, CUDA_ERROR_LAUNCH_FAILED now" \
    "$doppel" replay --fault 'cuLaunchKernel:nth=3,error=LAUNCH_FAILED' cpu.rec
check "other integers are within no tolerance of devices" 1 "76 differences" "$doppel" replay --tolerance devices kernel.rec
check "numbers within a tolerance" 0 "numbers within the tolerance: equal" "$doppel" replay --tolerance f32=0.7 kernel.rec

check "no device to ask" 1 "nothing more was asked, as the driver does not initialise" "$doppel" replay --mode absent cpu.rec

# Files that are none, or not whole.
check "no file" 1 "cannot read" "$doppel" replay nothing.rec
echo text >text.rec
check "no record" 1 "is no record" "$doppel" replay text.rec
head -c 2000 cpu.rec >short.rec
check "a record that ends too early" 1 "ends before the program did" "$doppel" replay short.rec
check "nowhere to write" 2 "there is no folder" "$doppel" record -o /nowhere/a.rec -- ./recorded
size=$(stat -c %s cpu.rec)
for i in $(seq 1 40); do
    cp cpu.rec damaged.rec
    if [ $((i % 4)) = 0 ]; then
        truncate -s $((size * i / 41)) damaged.rec
    else
        printf "\\x$(printf %02x $((i * 37 % 256)))" | dd of=damaged.rec bs=1 seek=$((size * i / 41)) conv=notrunc status=none
        cmp -s cpu.rec damaged.rec && continue
    fi
    check "damage $i" 1 "damaged.rec" timeout 60 "$doppel" replay damaged.rec
done
# Files that are whole, with numbers in them that are others: what is said of them, but never the end of the one who reads.
numbers=0
for i in $(seq 1 60); do
    edit --number "$i" "$work/cpu.rec" "$work/number.rec" >number.txt || exit 1
    timeout 60 "$doppel" replay --timeout 20 --host-memory 2GiB number.rec >out.txt 2>&1
    code=$?
    grep -q "number.rec" out.txt && numbers=$((numbers + 1))
    if [ $code -le 1 ] && grep -q "number.rec\|recorded: " out.txt; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: number $i: $code: $(cat number.txt out.txt)"
    fi
done
check "numbers that make no sense are refused" 0 "" test $numbers -ge 3
edit --grow 500 "$work/cpu.rec" "$work/grown.rec" || exit 1
check "more than there is memory for" 1 "took more than 209715200 bytes of memory (--host-memory), and was ended" \
    "$doppel" replay --host-memory 200MiB grown.rec
# A launch of so many blocks that nobody waits for its end.
edit --grid 1073741824 "$work/cpu.rec" "$work/grid.rec" || exit 1
check "a call that takes too long" 1 "took more than 1 seconds (--timeout), and the replay was ended" \
    timeout 60 "$doppel" replay --timeout 1 grid.rec
# A driver that crashes: who replays tells of it.
mkdir broken
echo 'int cuInit(unsigned flags) { return *(volatile int *)16 + (int)flags; }' >broken/broken.c
cc -shared -fPIC -o broken/libcuda.so.1 broken/broken.c || exit 1
check "a driver that crashes" 1 "ended the replay by signal 11" \
    "$doppel" replay --mode forward --real "$work/broken/libcuda.so.1" cpu.rec
# A program that is killed leaves what it has written by then.
cat >killed.c <<'C'
#include <cuda.h>
#include <signal.h>
#include <unistd.h>
int main(void) {
    int n;
    if (cuInit(0) || cuDeviceGetCount(&n)) return 1;
    usleep(600000);
    if (cuDeviceGetCount(&n)) return 1;
    raise(SIGKILL);
}
C
cc -I "$top" -o killed killed.c lib/libcuda.so.1 || exit 1
check "a program is killed" 137 "" sh -c 'DOPPEL_RECORD=killed.rec ./killed; exit $?'
check "what it did is there" 1 "3 calls" "$doppel" replay killed.rec
# One that does not last long and ends by _exit leaves all.
cat >short.c <<'C'
#include <cuda.h>
#include <unistd.h>
int main(void) {
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    if (cuMemAlloc(&memory, 64) || cuCtxSynchronize() || cuMemsetD8(memory, 1, 64)) return 1;
    _exit(0);
}
C
cc -I "$top" -o short short.c lib/libcuda.so.1 || exit 1
check "a program ends by _exit" 0 "" env DOPPEL_RECORD=exit.rec ./short
check "what it did is there, too" 1 "7 calls, 0 launches, 16 bytes compared: equal up to there" "$doppel" replay exit.rec
# More devices than there are.
cat >two.c <<'C'
#include <cuda.h>
int main(void) {
    int n;
    CUcontext context;
    return cuInit(0) || cuDeviceGetCount(&n) || n != 2 || cuDevicePrimaryCtxRetain(&context, 1);
}
C
cc -I "$top" -o two two.c lib/libcuda.so.1 || exit 1
check "two devices" 0 "" env DOPPEL_DEVICES=2 DOPPEL_RECORD=two.rec ./two
check "two devices, asked of one" 1 "the number of devices was 2, and is 1: --devices" "$doppel" replay two.rec
check "two devices, asked of two" 0 ": equal" "$doppel" replay --devices 2 two.rec
# A function of the program's that is called inside of a call makes calls: they do not wait for the recorder.
cat >callback.c <<'C'
#include <cuda.h>
static size_t shared(int threads) {
    int n;
    return threads > 0 && !cuDeviceGetCount(&n) ? 0 : 1 << 30;
}
int main(void) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    int grid, block = 0;
    const char *code = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry f() { ret; }\n";
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    if (cuModuleLoadData(&module, code) || cuModuleGetFunction(&f, module, "f")) return 2;
    return cuOccupancyMaxPotentialBlockSize(&grid, &block, f, shared, 0, 0) || block < 32 ? 3 : 0;
}
C
cc -I "$top" -o callback callback.c lib/libcuda.so.1 || exit 1
check "calls inside of a call" 0 "" env DOPPEL_RECORD=callback.rec timeout -s KILL 15 ./callback
# Clients that compile while they run, on libraries that compile for the device at hand.
if python=$("$top/tests/venv.sh" kernels 2>/dev/null) && command -v clang >/dev/null && [ -e "$(dirname "$installed")/../lib/libnvrtc.so.13" ]; then
    nvrtc=$(dirname "$(find "$(dirname "$python")/../lib" -name libnvrtc.so.13 | head -1)")
    unset LD_LIBRARY_PATH
    check "Numba is recorded" 0 "" timeout 240 "$installed" record -o numba.rec -- "$python" "$top/clients/numba_kernels.py"
    check "tinygrad is recorded" 0 "right, on CUDA" env DEV=CUDA:PTX CACHELEVEL=0 LD_LIBRARY_PATH="$nvrtc" \
        timeout 240 "$installed" record -o tinygrad.rec -- "$python" "$top/clients/tinygrad_kernels.py"
    for client in numba tinygrad; do
        check "$client: equal" 0 ": equal" "$installed" replay $client.rec
    done
else
    echo "skipped: Numba and tinygrad: no environment for them, or no clang"
fi
printf 'record: %d of %d checks passed\n' "$passed" $((passed + failed))
[ $failed = 0 ]
