#!/bin/bash
# Proves forward mode on a machine with a GPU: whatever runs on the bare driver must run alike through this library.
#
#   tests/gpu/run.sh [--lib FILE] [--out FOLDER] [--jobs N] [--rounds N] [oracle] [c-tests] [clients] [auto]
#
#   --lib FILE     our library (default: build/lib/libcuda.so.1)
#   --out FOLDER   answers, outputs and logs (default: target/gpu)
#   --jobs N       programs at a time (default 6; ten or more slow the driver down so much that cases time out)
#   --rounds N     how often each way the C tests run (default 2)
#
# Without a name, all four:
#   oracle    every case of the conformance oracle, bare and through us, twice each; what the runs disagree about is
#             repeated three times. ORACLE_BIN: folder of the built oracle (default: built here from tests/oracle/program);
#             ORACLE_GOLDEN: recorded answers to compare with as well, if wanted
#   c-tests   the C tests on the bare driver and through us: their outputs must be equal. Where the real driver's
#             output is not the expected one, the emulation is wrong: that is printed, too
#   clients   the programs of CLIENTS (default: tests/gpu/clients), bare and through us by LD_LIBRARY_PATH and LD_PRELOAD
#   auto      auto mode chooses the real driver here, and falls back to the emulation when no device is visible
#
# Exit status 77: this machine has no GPU.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
lib=$top/build/lib/libcuda.so.1 out=$top/target/gpu jobs=6 rounds=2 what=()
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(realpath "$2"); shift ;;
        --out) out=$2; shift ;;
        --jobs) jobs=$2; shift ;;
        --rounds) rounds=$2; shift ;;
        *) what+=("$1") ;;
    esac
    shift
done
[ ${#what[@]} -gt 0 ] || what=(oracle c-tests clients auto)
if ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "skipped: this machine has no GPU: the proof of forward mode needs one (docs/FORWARD.md)"
    exit 77
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
export DOPPEL_LIB=$lib
failed=()

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | sed 's/^/machine: /'

oracle() {
    if [ -z "${ORACLE_BIN:-}" ]; then
        make -s -C "$top/tests/oracle/program" B="$out/oracle-bin" CUDA_INC="$("$top/tests/venv.sh" include)" >"$out/oracle-make.log" 2>&1 || { tail -20 "$out/oracle-make.log"; return 1; }
        export ORACLE_BIN=$out/oracle-bin
    fi
    local answers=$out/oracle
    rm -rf "$answers"
    python3 "$here/oracle.py" run "$answers" --jobs "$jobs" &&
        python3 "$here/oracle.py" again "$answers" --times 3 --jobs 4
    # Where the mode is chosen matters to what can be called before cuInit.
    python3 "$here/oracle.py" run "$answers" --ways auto --passes 1 --areas init,device,procaddr,events --jobs "$jobs"
    grep -E "left out|killed" "$answers/run.log"
    python3 "$here/oracle.py" compare "$answers" --way auto | tail -1 | sed 's/^/auto mode: /'
    python3 "$here/oracle.py" compare "$answers" ${ORACLE_GOLDEN:+--golden "$ORACLE_GOLDEN"}
}

# More than one round each way, because the real driver does not print everything alike every time either.
c-tests() {
    local test round way rest different=0 wrong=0 unstable=0 count=0 folder alike
    folder=$(dirname "$lib")
    rm -rf "$out/c"
    for round in $(seq "$rounds"); do
        "$top/c-tests/run.sh" --lib "$folder" --real --out "$out/c/bare-$round" >"$out/c-bare-$round.txt" 2>&1
        DOPPEL_MODE=forward "$top/c-tests/run.sh" --lib "$folder" --out "$out/c/ours-$round" >"$out/c-ours-$round.txt" 2>&1
        # What ended a program is part of what it did.
        for way in bare ours; do
            grep "FAILED .*exit status" "$out/c-$way-$round.txt" | while read -r _ test rest; do
                echo "$rest" >>"$out/c/$way-$round/${test%:}.out"
            done
        done
    done
    # Some programs check that nothing is said, so that one stands for all in saying who answers.
    LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} DOPPEL_MODE=forward DOPPEL_LOG=info \
        "$out/c/ours-1/device" 2>&1 >/dev/null | grep "forward mode, real driver" || return 1
    for test in "$top"/c-tests/*.c; do
        test=$(basename "$test" .c)
        count=$((count + 1))
        alike=$(cd "$out/c" && comm -12 <(md5sum bare-*/"$test.out" | cut -c1-32 | sort -u) <(md5sum ours-*/"$test.out" | cut -c1-32 | sort -u))
        if [ -z "$alike" ]; then
            different=$((different + 1))
            echo "differs through us: $test"
            diff "$out/c/bare-1/$test.out" "$out/c/ours-1/$test.out" | head -20
        fi
        if [ "$(cd "$out/c" && md5sum bare-*/"$test.out" | cut -c1-32 | sort -u | wc -l)" != 1 ] ||
            [ "$(cd "$out/c" && md5sum ours-*/"$test.out" | cut -c1-32 | sort -u | wc -l)" != 1 ]; then
            unstable=$((unstable + 1))
            echo "not alike every time: $test: $(cd "$out/c" && md5sum ./*/"$test.out" | cut -c1-6,33- | tr -s ' \n' ' ')"
        fi
        for round in $(seq "$rounds"); do cmp -s "$top/c-tests/$test.expected" "$out/c/bare-$round/$test.out" && continue 2; done
        head -1 "$out/c/bare-1/$test.out" | grep -q '^skipped: ' && continue
        wrong=$((wrong + 1))
        echo "not what the real driver prints: $test.expected (-), real driver (+)"
        diff -u "$top/c-tests/$test.expected" "$out/c/bare-1/$test.out" | sed 1,2d | head -60
    done
    echo "c-tests: $count programs, $different differ between the bare driver and ours, $unstable are not alike every time," \
        "$wrong are not as expected bare"
    [ $count -gt 0 ] && [ $different = 0 ]
}

clients() {
    python3 "$here/clients.py" run "$out/clients" "${CLIENTS:-$here/clients}" --jobs "$jobs"
}

auto() {
    local program=$out/auto text bad=0
    cat >"$program.c" <<'C'
#include <cuda.h>
#include <stdio.h>
int main(void)
{
    char name[64] = "none";
    int count = -1;
    int init = cuInit(0);
    cuDeviceGetCount(&count);
    if (count > 0) cuDeviceGetName(name, sizeof name, 0);
    printf("init %d, devices %d, first %s\n", init, count, name);
    return 0;
}
C
    cc -I"$top" -o "$program" "$program.c" -L"$(dirname "$lib")" -l:libcuda.so.1 || return 1
    local path
    path=$(dirname "$lib")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    text=$(DOPPEL_MODE=auto DOPPEL_LOG=info LD_LIBRARY_PATH=$path "$program" 2>&1)
    echo "$text" | sed 's/^/    /'
    [ "$(tail -1 <<<"$text")" = "$("$program" 2>&1)" ] && grep -q "auto mode: forward" <<<"$text" || bad=1
    # The emulation sees no device then, either: the variable is meant for both.
    text=$(CUDA_VISIBLE_DEVICES=-1 DOPPEL_MODE=auto DOPPEL_LOG=info LD_LIBRARY_PATH=$path "$program" 2>&1)
    echo "$text" | sed 's/^/    /'
    grep -q "auto mode: cpu" <<<"$text" || bad=1
    return $bad
}

for part in "${what[@]}"; do
    echo "==> $part"
    "$part" || failed+=("$part")
done
[ ${#failed[@]} = 0 ] && echo "gpu: all alike" || { echo "gpu: failed: ${failed[*]}"; exit 1; }
